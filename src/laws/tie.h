// Ties: where an anchor of a thread (thread/slide.h) is held by tissue, as rows of the problem of contacts. One force
// for both sides: what the thread gives its anchor is what the nodes of the tissue bear.
//
// The tissue is foreseen as for touches (find/skin.h): a point goes by the weighted sum of u + C (f - held) over its
// nodes. What the anchor's own force adds there makes a spring of stiffness K = (sum of w^2 C)^-1 for the thread's
// matrix; what other ties and touches add is that of the last round, and comes right in the passes, since C is on the
// soft side. A point that cannot move gets a spring that is stiff beside the thread.
#ifndef CATGUT_LAWS_TIE_H
#define CATGUT_LAWS_TIE_H

#include "find/skin.h"

// Before the tissues of a step are looked at: tells them which points are held.
void cg_touch_note_ties(cg_touch_set *set);
// Before each pass: tells the anchors of threads that are not done what holds them.
void cg_touch_aim_ties(cg_touch_set *set);
// Once a thread has its motion: its anchors push the nodes of their tissues.
void cg_touch_push_ties(cg_touch_set *set, int thread);
// Adds how slips at anchors give way to the working touches of a thread.
void cg_touch_couple_slips(cg_touch_set *set, int thread);
// Whether the points of a tissue go about where they were foreseen, after an answer; threads held elsewhere are not
// done. Adds up force times stray, and force.
bool cg_touch_ties_as_foreseen(cg_touch_set *set, int skin, double *work, double *load);

#endif
