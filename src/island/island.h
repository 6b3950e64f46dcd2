// Islands: who moves with whom, and their passes through a step.
//
// Bodies that touch, directly or by others, are an island. It has a problem of forces of its own, as many passes as its
// motion needs, and its own share of a motion. This is what the step of a world calls (world/passes.c).
#ifndef CATGUT_ISLAND_ISLAND_H
#define CATGUT_ISLAND_ISLAND_H

#include "base/archive.h"
#include "rows/touch.h"

// step.c
// Starts a step with the bodies listed in the set.
// `passes`: that may go their whole way.
void cg_touch_begin_step(cg_touch_set *set, const cg_step_context *context, int passes);
// Puts the core of each thread's factor after its last touch; to be called before factoring.
void cg_touch_place_cores(cg_touch_set *set);
// Takes the rigid bodies their share of their way.
void cg_touch_move_rigids(cg_touch_set *set);
// A free body whose motion is not finite stands still for this step.
void cg_touch_refuse_bad_moves(cg_touch_set *set);

// state.c
// Touches are part of a world's state: their forces are where the next step's solver starts.
void cg_touch_visit_state(cg_archive *archive, cg_touch_set *set);
// Once all that touches name is loaded and sound, and channels are noted: those of what is not there are left out.
void cg_touch_after_load(cg_touch_set *set);

// search.c
// Finds the touches at the present shapes.
void cg_touch_find(cg_touch_set *set);
// The same wherever the chains of the set lie.
void cg_touch_search(cg_touch_set *set);

// ahead.c
// How far the threads would slide at the touches that carry, in radii, if they kept their velocities for this time [s]:
// the largest.
double cg_touch_slide(const cg_touch_set *set, double time, int head);
// Finds the touches where the velocities lead in this time [s], those of threads that are marked so. The equations are
// still those of the present shapes, and so are the gaps: what the points of a touch are apart now along the normal
// that it will have. Threads that slide are then pushed where the touch will be along them, not where it was; else the
// next pass has to turn them about that.
void cg_touch_find_ahead(cg_touch_set *set, double time);

// islands.c
// Tells which movers touch each other, directly or by others, at the touches that were found.
void cg_touch_find_islands(cg_touch_set *set);
// Tells which threads feel a force at a touch, and which free bodies have one near.
void cg_touch_mark_touched(cg_touch_set *set);
// Movers of an island go on together: one that is not done wakes the others.
void cg_touch_wake_islands(cg_touch_set *set);
// Tells whose motion has converged with the pass that is solved, once it is made whole.
void cg_touch_settles(cg_touch_set *set, const cg_step_context *context);
// An island has converged when all of it has.
void cg_touch_share_settles(cg_touch_set *set);
// True while a rigid body that is led goes somewhere and an island has to do with it. (Where there is one island alone,
// any may come to touch it.)
bool cg_touch_is_led(const cg_touch_set *set, int head);
// Shortens the motions of islands that rock, in the first pass of a step, or swing, in a late one, before the walk.
void cg_touch_calm(cg_touch_set *set);

// share.c: an island has its own share of a motion
// Finds what share of its motion each body can make. Where next to nothing moves, or too many motions were cut short,
// the pair that is in the way has a touch of its own from the next search of this step on.
void cg_touch_find_shares(cg_touch_set *set);

// solve.c
// Finds the forces and leaves every thread's motion, contact forces included, in thread->move, and that of a free body
// in its target.
void cg_touch_solve(cg_touch_set *set);
// True while the work of the step leaves room for another problem as large as the last one.
bool cg_touch_may_go_on(const cg_touch_set *set);
// A part of it, for timing: builds the coupling of the touches in the friction problem anew, in set->problem.coupling.
void cg_touch_couple(cg_touch_set *set);
// Ends a step: what the touches slipped in it is added to their drift.
void cg_touch_end_step(cg_touch_set *set);

// skins.c: tissues as the second side
// Before the passes of a step, when the tissues have predicted their motion: true when something may touch one.
bool cg_touch_look_at_skins(cg_touch_set *set, double time_step);
// Tissues have made their step. Those that did not foresee it (all solvers but the implicit one) stop where they would
// pass through what is in their way. They touch neither shapes nor other tissues (find/press_find.c, find/meet_list.c),
// so that what these do is not to be looked at again.
void cg_touch_hold_back_skins(cg_touch_set *set);
// They stand, and nothing passes through them.
void cg_touch_stand_skins(cg_touch_set *set);
// They go their share of their way.
void cg_touch_move_skins(cg_touch_set *set);
// They have answered and made their way: they go no farther, unless what touches them does.
void cg_touch_end_skins(cg_touch_set *set);
void cg_touch_wake_skins(cg_touch_set *set);
// They answer to the forces of this pass. False when one goes elsewhere than foreseen; then threads on it go on.
bool cg_touch_answer_skins(cg_touch_set *set);
// After the tissues' step: looks whether the way from where they were foreseen to where they are is safe, and stops
// those short that no shape is near to. False when that was not enough; `was_stopped`: one was.
bool cg_touch_settle_skins(cg_touch_set *set, bool *was_stopped);
void cg_touch_take_share(cg_touch_set *set, double share);

#endif
