// Problems whose forces turn the guess that they were solved for: who slides which way through holes in tissue.
//
// What slides through holes gives way by laws with corners (thread/slide.h), and a problem is solved for one guess of
// who slides which way. Forces that turn the guess leave the end of a thread beside the needle that it is fastened to,
// by tenths of a millimetre; solved for the next guess they may turn it back, and so on without end. So a problem whose
// guess has turned is solved again. Where the new forces went too far, from where on the way to them the openings of
// joints, times the change of their forces, are none: the lowest point of the way, were the laws those of an energy.
#ifndef CATGUT_ISLAND_TURNS_H
#define CATGUT_ISLAND_TURNS_H

#include "rows/touch.h"

// Before a problem is solved: notes the forces that it starts from.
void cg_touch_keep_forces(cg_touch_set *set);
// After it: a thread of the problem slides otherwise than it was coupled for, and a joint or contact is open by that.
// Asked only where the problem has a joint.
bool cg_touch_has_turned(const cg_touch_set *set);
// Goes back from the new forces towards those that were kept to the lowest point of the way; the motions are then those
// under these forces. False when it is lowest at or beside the start: the new forces stay, and solving again would give
// the same.
bool cg_touch_go_down(cg_touch_set *set);
// Where neither helps: what turned slides no farther in this pass; the motions are then those without it. False when
// nothing did but what presses or hangs loose.
bool cg_touch_jam(cg_touch_set *set);
// Then the forces have come from far: what they do to tissue at holes is not in the problem, and is seen when it is
// solved once more.
bool cg_touch_is_open_when_jammed(const cg_touch_set *set);
void cg_touch_free_jammed(cg_touch_set *set);

#endif
