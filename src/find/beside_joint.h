// Where the end of a thread comes out of the needle that it is fastened to: what lies beside it there does not touch
// it.
#ifndef CATGUT_FIND_BESIDE_JOINT_H
#define CATGUT_FIND_BESIDE_JOINT_H

#include "rows/touch.h"

// Notes beside which parts of its body each thread may lie, for finding and limiting.
void cg_touch_note_exempt(cg_touch_set *set);
// True when that segment of a thread is so near its joint with the body that the part does not touch it. `part` is a
// number among all parts.
bool cg_touch_is_beside_joint(const cg_touch_set *set, int thread, int segment, int part);
// The first segment behind those that lie beside a joint, and a part that they lie beside: its contact at its end on
// that side, or so near to that end that one of those segments takes its place. As a place of the whole thread that is
// none, since the thread is nearer to the part there; but this segment may not come nearer, and without a contact it
// would be stuck. False when the segment comes nearer to the part farther on.
bool cg_touch_find_behind_joint(const cg_touch_set *set, int joint, int part, cg_shape_contact *contact);

#endif
