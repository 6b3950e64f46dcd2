// Contacts between bodies, with what physics knows of them, and their part in the world's step.
//
// A touch is a place where two bodies are near each other (row.h, collide/contacts.h). Here are those of the exact
// problem: side 0 is a thread or a free rigid body.
// In each pass of a step:
//   find       touches at the present shapes; forces of the last pass go over to the touches that continue them
//   prepare    threads are factored with their core after their last touch (linalg/coupling.h)
//   solve      the motion with the old forces tells which touches work; their coupling Q and free motion give a
//              friction problem (solve/friction.h); its forces move the threads; touches that would close all the same
//              join, and it is solved again
//   limit      the largest share of the motion that is safe by true distance (collide/safe_motion.h)
//
// Side 0 of a touch is pushed along axis 0, side 1 against it. Forces are kept in world axes, so that they survive when
// the axes turn.
#ifndef CATGUT_ROWS_TOUCH_H
#define CATGUT_ROWS_TOUCH_H

#include <string.h>

#include "base/archive.h"
#include "base/arena.h"
#include "base/pool.h"
#include "collide/contacts.h"
#include "collide/near.h"
#include "collide/parts.h"
#include "collide/rod_chains.h"
#include "collide/safe_motion.h"
#include "linalg/coupling.h"
#include "rigid/rigid.h"
#include "rows/cast.h"
#include "rows/problem.h"
#include "rows/row.h"
#include "rows/search.h"
#include "solve/friction.h"
#include "thread/thread.h"

// The feature of a rigid body at a joint (laws/joint.h): behind all places of parts.
enum { CG_JOINT_FEATURE = CG_RIGID_MOST_PARTS * (CG_PLACE_COUNT + CG_ROD_PLACES) };

// Features of a needle in a channel, all of its first part: guides and drags by the names of points, and its tip.
enum {
    CG_GUIDE_FEATURE = CG_JOINT_FEATURE + CG_RIGID_MOST_PARTS,
    CG_DRAG_FEATURE = CG_GUIDE_FEATURE + CG_RIGID_MOST_PARTS * CG_CHANNEL_NAMES,
    CG_TIP_FEATURE = CG_DRAG_FEATURE + CG_RIGID_MOST_PARTS * CG_CHANNEL_NAMES
};

static inline bool touch_is_joint(const cg_touch *touch)
{
    return touch->kind == CG_JOINT_ROW;
}

static inline bool touch_is_guide(const cg_touch *touch)
{
    return touch->kind == CG_GUIDE_ROW;
}

static inline bool touch_is_drag(const cg_touch *touch)
{
    return touch->kind == CG_DRAG_ROW;
}

// Its equations hold either way: it is taken out of the friction problem.
static inline bool touch_is_bilateral(const cg_touch *touch)
{
    return touch->kind == CG_JOINT_ROW || touch->kind == CG_GUIDE_ROW;
}

// It is two bodies that touch, and no row of another kind.
static inline bool touch_is_contact(const cg_touch *touch)
{
    return !(touch->kind >= CG_JOINT_ROW && touch->kind <= CG_DRAG_ROW);
}

// What a row of the exact problem is by its key, which says so too, so that it is in the state: for rows that are
// loaded, and where threads are parted.
cg_touch_kind cg_touch_kind_of(const cg_segment_pair *pair);

// The work of a step after which no further pass is begun, nor a friction problem solved again: some 25 ms of a core,
// 40 at worst. Passes make a step dear, not problems: knots that are drawn tight need up to 500 million in a step of 20
// to 40 passes that stop short. Such a step ends unfinished and the next goes on from there. Less, and more of them do.
#define CG_TOUCH_MOST_WORK ((int64_t)200000000)
// What a friction problem may cost in any case: three times the hardest one that was seen in a knot. With less its
// forces are wrong by tenths of a radius; with more the last problem of a tangle freezes the hand.
#define CG_TOUCH_PROBLEM_WORK ((int64_t)80000000)

// Multiply-adds by look of a walk.
enum { CG_TOUCH_WORK_OF_LOOK = 500 };

// How far ahead of touching a touch is found, in radii of its thinner side. Shorter: more touches appear only when
// they already close, and a pass has to stop short for them. Longer: more pairs to look at.
#define CG_TOUCH_REACH 2.0
// A pass that moves by less than this share gets nowhere.
#define CG_TOUCH_IDLE_SHARE 1e-3
// Motions of a step that are cut short before it is taken to be in trouble.
enum { CG_TOUCH_MOST_LIMITED = 8 };

// What a set has room for.
typedef struct cg_touch_room {
    int threads, vertices; // of all threads
    int rigids, parts;     // of all rigid bodies
    int rods, rod_points;  // of all free ones
    int joints;            // of threads with rigid bodies
    int guides;            // of needles in tissue
    int touches;           // that work
} cg_touch_room;

// How far a body has come in the passes of a step. All of an island have come equally far, so that one that is stopped
// does not keep the others.
typedef struct cg_progress {
    int whole;     // passes that went their whole way
    int most;      // of them that are allowed
    int idle;      // passes in a row that got nowhere
    int limited;   // motions that were cut short
    double share;  // of the motion of this pass that is safe
    bool reached;  // a whole pass was the last one, or the last that is allowed; others only better it
    bool is_ahead; // its touches were found where the velocities lead
} cg_progress;

// What the contact part of a step did.
typedef struct cg_touch_stats {
    int touches;     // found in the last pass
    int working;     // of these, in the friction problem
    int rounds;      // friction problems of the last pass
    int iterations;  // sweeps, all rounds of the step
    int pivots;      // all rounds of the step
    double residual; // worst of the step, in radii
    double overlap;  // deepest at the end of the last pass's search, in diameters
    int lost;        // touches that found no room in this step
    int unconverged; // friction problems of this step that ended above the tolerance
    int64_t work;    // multiply-adds of the step so far, counted by sizes (docs/contact.md)
} cg_touch_stats;

// The rows of a pass, and of the one before for the warm start: `touches` are state of the world.
typedef struct cg_touch_rows {
    cg_touch *touches; // in order of pairs
    int count;
    cg_touch *before;
    int before_count;
    int most;                 // that fit
    int guides, channel_rows; // of channels, in this pass: guides, and rows of all kinds
} cg_touch_rows;

// Who moves with whom, and how far all have come.
typedef struct cg_islands {
    int *
        head; // per mover: the first of those that touch each other, directly or by others; behind them that of tissues
    cg_progress *progress; // per mover, behind them per rigid body that is led, and one for all tissues
    int *group;            // likewise: the first of those that make the same share of their motions (island/share.c)
    bool on_skin;          // threads or free bodies may touch a tissue in this step: it finishes its step after them
    bool is_skin_done;     // tissues have answered as foreseen: they go no farther
} cg_islands;

typedef struct cg_touch_set {
    cg_touch_room room;
    cg_cast cast;
    cg_search search;
    cg_touch_rows rows;
    cg_islands islands;
    cg_problem problem;
    cg_touch_stats stats;
} cg_touch_set;

// The length that a touch is measured by [m].
static inline double cg_touch_radius(const cg_touch_set *set, const cg_touch *touch)
{
    (void)set; // all that it depends on was noted when the touch was found
    return touch->radius;
}

// Threads and free bodies, counted through.
static inline int cg_mover_count(const cg_touch_set *set)
{
    return set->cast.thread_count + set->cast.rigid_count - set->cast.first_free;
}

// Chains that tissues meet.
static inline int cg_touch_chain_count(const cg_touch_set *set)
{
    return set->cast.thread_count + set->cast.rod_count;
}

// The mover of a side, or -1: no force moves it.
static inline int touch_mover(const cg_touch_set *set, const cg_touch *touch, int side)
{
    int chain = touch_chain(touch, side), body = cg_chain_body(chain);
    if (cg_chain_kind(chain) == CG_BODY_THREAD) {
        return set->cast.threads[body]->model == NULL ? body : -1; // a model stands while forces move others
    }
    bool is_free = cg_chain_kind(chain) == CG_BODY_RIGID && body >= set->cast.first_free;
    return is_free ? set->cast.thread_count + body - set->cast.first_free : -1;
}

// Movers, bodies that are led, and all tissues together: whatever takes a share of a motion.
static inline int cg_node_count(const cg_touch_set *set)
{
    return set->cast.thread_count + set->cast.rigid_count + 1;
}

static inline int cg_led_node(const cg_touch_set *set, int rigid)
{
    return cg_mover_count(set) + rigid;
}

static inline int cg_skin_node(const cg_touch_set *set)
{
    return set->cast.thread_count + set->cast.rigid_count;
}

// The island of a touch.
static inline int touch_island(const cg_touch_set *set, const cg_touch *touch)
{
    return set->islands.head[touch_mover(set, touch, 0)];
}

// The number of a thread in the list, which is not that of its creation; -1: it is not there.
static inline int number_of_thread(const cg_touch_set *set, const cg_thread *thread)
{
    bool is_there = thread->number < set->cast.thread_count && set->cast.threads[thread->number] == thread;
    return is_there ? thread->number : -1;
}

// The same of a rigid body.
static inline int number_of_rigid(const cg_touch_set *set, const cg_rigid *body)
{
    bool is_there = body->number < set->cast.rigid_count && set->cast.rigids[body->number] == body;
    return is_there ? body->number : -1;
}

// True when a mover belongs to what is being solved.
static inline bool is_solved(const cg_touch_set *set, int mover)
{
    return set->problem.solved < 0 || set->islands.head[mover] == set->problem.solved;
}

// True when tissues belong to it: all touches and anchors of tissues are of one island (island/islands.c).
static inline bool skins_are_asked(const cg_touch_set *set)
{
    int island = set->islands.head[cg_skin_node(set)];
    return set->islands.on_skin && !set->islands.is_skin_done &&
           (set->problem.solved < 0 || island == set->problem.solved);
}

// True while a body that is led is not where it is told to be.
static inline bool is_on_its_way(const cg_rigid *led)
{
    return memcmp(&led->now, &led->target, sizeof led->now) != 0;
}

// The free body of a mover that is no thread.
static inline cg_rigid *mover_rigid(const cg_touch_set *set, int mover)
{
    return set->cast.rigids[set->cast.first_free + mover - set->cast.thread_count];
}

static inline bool *mover_done(const cg_touch_set *set, int mover)
{
    return mover < set->cast.thread_count ? &set->cast.threads[mover]->done : &mover_rigid(set, mover)->done;
}

static inline bool *mover_settles(const cg_touch_set *set, int mover)
{
    return mover < set->cast.thread_count ? &set->cast.threads[mover]->settles : &mover_rigid(set, mover)->settles;
}

static inline bool mover_refused(const cg_touch_set *set, int mover)
{
    return mover < set->cast.thread_count ? set->cast.threads[mover]->refused : mover_rigid(set, mover)->refused;
}

void cg_touch_layout(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena);

// cast.c
// Notes the parts of the rigid bodies that are listed, and which of them are free.
void cg_touch_list_parts(cg_touch_set *set);

// Notes how many vertices the threads have, and where along them.
void cg_touch_list_chains(cg_touch_set *set);

// Puts them where the bodies are, or were at the start of the step.
void cg_touch_place_rods(cg_touch_set *set, bool at_start);
// Hides what does not touch, on the rods of needles.
void cg_touch_hide_rods(cg_touch_set *set);
// Notes where everything is and goes, for finding and limiting.
void cg_touch_look_at_bodies(cg_touch_set *set);

// [m] of the threads.
double cg_touch_thickest(const cg_touch_set *set);

// store.c
// True when the set has a touch of just this pair.
bool cg_touch_has(const cg_touch_set *set, const cg_segment_pair *pair);

// Adds a touch with this normal.
void cg_touch_add(cg_touch_set *set, const cg_touch *touch, cg_vec3 normal);
// One that has its axes. False when there was no room, or no force moves either side.
bool cg_touch_add_row(cg_touch_set *set, const cg_touch *touch);
// Leaves out contacts, the last ones first, until there is room for so many rows that must not be left out.
void cg_touch_make_room(cg_touch_set *set, int wanted);
// Its number in the list; -1: there is none.
int cg_touch_find_pair(const cg_touch_set *set, const cg_segment_pair *pair);

// warm.c
// The touches of this pass are those of the last one from here on, and there are none yet.
void cg_touch_turn_over(cg_touch_set *set);
// Each force of the last pass goes to one touch of this pass.
void cg_touch_inherit(cg_touch_set *set);
// The touch of the last pass at exactly this pair, or NULL.
const cg_touch *cg_touch_before(const cg_touch_set *set, const cg_segment_pair *pair);

#endif
