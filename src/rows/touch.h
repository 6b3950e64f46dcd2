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
#include "rows/row.h"
#include "solve/friction.h"
#include "thread/thread.h"

typedef struct cg_skin cg_skin; // find/skin.h

// Most tissues that a world can have.
enum { CG_TOUCH_MOST_SKINS = 64 };

// The feature of a rigid body at a joint (laws/joint.h): behind all places of parts.
enum { CG_JOINT_FEATURE = CG_RIGID_MOST_PARTS * (CG_PLACE_COUNT + CG_ROD_PLACES) };

static inline bool touch_is_joint(const cg_touch *touch)
{
    return touch->pair.segment_b == CG_JOINT_FEATURE && touch_body(touch, 1, CG_BODY_RIGID) >= 0;
}

// Points of a channel (find/channel.h), and channels of a world. Names of points: those of the list, and that of the
// tip.
enum { CG_CHANNEL_MOST_POINTS = 24, CG_CHANNEL_NAMES = CG_CHANNEL_MOST_POINTS + 1, CG_MOST_CHANNELS = 8 };
// Features of a needle in a channel, all of its first part: guides and drags by the names of points, and its tip.
enum {
    CG_GUIDE_FEATURE = CG_JOINT_FEATURE + CG_RIGID_MOST_PARTS,
    CG_DRAG_FEATURE = CG_GUIDE_FEATURE + CG_RIGID_MOST_PARTS * CG_CHANNEL_NAMES,
    CG_TIP_FEATURE = CG_DRAG_FEATURE + CG_RIGID_MOST_PARTS * CG_CHANNEL_NAMES
};

static inline bool touch_is_guide(const cg_touch *touch)
{
    int feature = touch->pair.segment_a;
    return feature >= CG_GUIDE_FEATURE && feature < CG_DRAG_FEATURE && touch_body(touch, 0, CG_BODY_RIGID) >= 0;
}

static inline bool touch_is_drag(const cg_touch *touch)
{
    int feature = touch->pair.segment_a;
    return feature >= CG_DRAG_FEATURE && feature < CG_TIP_FEATURE && touch_body(touch, 0, CG_BODY_RIGID) >= 0;
}

// Its equations hold either way: it is taken out of the friction problem.
static inline bool touch_is_bilateral(const cg_touch *touch)
{
    return touch_is_joint(touch) || touch_is_guide(touch);
}

// It is two bodies that touch, and no row of another kind.
static inline bool touch_is_contact(const cg_touch *touch)
{
    return !touch_is_bilateral(touch) && !touch_is_drag(touch);
}

// One side of a working touch on a thread that friction turns (laws/roll.c).
typedef struct cg_roll_point {
    int segment;
    int touch;     // in the friction problem
    double arm[2]; // [m] slip along the two tangents for a turn of 1
} cg_roll_point;

// One side of a working touch on a free rigid body (laws/body_rigid.c).
typedef struct cg_rigid_point {
    int touch;        // in the friction problem
    double sign;      // of the side
    cg_vec3 lever[3]; // [m] torque of a unit force along each axis
    // The same for all three axes side by side, the last of four values 0; x, y, z one after the other.
    double axes[3][4];   // the axes themselves
    double turned[3][4]; // [rad/N] the turn that a unit force along each makes
    double opens[4];     // along each axis, for an opening of 1 of the drive that it is part of
} cg_rigid_point;

// A part of a rigid body.
typedef struct cg_rigid_place {
    int body, part;
} cg_rigid_place;

// A chain of rods of a free body (find/rods.c).
typedef struct cg_touch_rod {
    int body;         // in the set
    int first_moving; // its first part, among all parts
    int first_point;  // among those of all rods
    bool in_channel;  // of a needle in tissue: it does not touch the mouths of holes
    cg_rod_chain chain;
} cg_touch_rod;

// The end of a thread that is fastened to a rigid body (laws/joint.h).
typedef struct cg_touch_joint {
    int thread, end;
    int rigid;      // in the set
    int first_part; // of that body, among all parts
    cg_vec3 point;  // [m] in its axes, about its centre of mass
} cg_touch_joint;

// A point of tissue that a needle goes through.
typedef struct cg_channel_point {
    int name;          // its own while it is there: rows are found again by it
    int skin;          // number among the tissues
    int triangle;      // of a hole in the surface; -1: it is inside
    int cell;          // of a point inside; -1: it is a hole
    double weights[4]; // of the corners
    bool inward;       // of a hole: towards the tip the needle is inside
} cg_channel_point;

// A needle in tissue.
typedef struct cg_channel {
    bool is_used;
    cg_handle body;                                  // in the world
    int rigid;                                       // in the set; -1: it is not there
    cg_channel_point points[CG_CHANNEL_MOST_POINTS]; // from its end to its tip
    int count;
    bool is_inside;          // the tip
    cg_channel_point tip;    // where the tip is in the tissue, then
    uint64_t hidden;         // parts that touch no surface, a bit each
    double tip_force;        // [N] by which the tip pressed on a surface in the last step
    uint64_t entries, exits; // surfaces that the tip has gone through so far, in and out
    uint64_t forced;         // of these, found behind it without a force above the threshold; and ends that came back
                             // out beside the hole of their thread
} cg_channel;

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

// Most pairs that get a touch of their own in a step because they stopped it.
enum { CG_TOUCH_MOST_STOPPERS = 16 };

// Segments at anchors that are put into the coupling in one pass over it.
enum { CG_SLIPS_AT_ONCE = 8 };

typedef struct cg_touch_set {
    int most_touches; // found
    int most_working; // in the friction problem
    cg_friction_options options;
    cg_motion_rule motion_rule;
    cg_touch_stats stats;

    // the threads of this step, those with a model (thread/model.h) last
    cg_thread **threads;
    int thread_count;
    int most_threads, most_vertices;
    cg_chain *chains;      // of the threads, and behind them of the rods of free bodies, which tissues meet
    const cg_vec3 **moves; // of the threads
    int *island;           // per mover: the first of those that touch each other, directly or by others
    int solved;            // the island whose forces are being found; -1: all
    cg_progress *progress; // per mover, behind them per rigid body that is led, and one for all tissues
    int *group;            // likewise: the first of those that make the same share of their motions (island/share.c)
    cg_vec3 *still;        // no motion at all
    bool *is_near_skin;    // per chain: it may touch a tissue in this step
    cg_rigid **rigids;     // owned by the world; those that move freely come last
    int rigid_count;
    int first_free;
    int most_rigids;
    cg_rigid_place *parts; // of all rigid bodies, in their order
    int part_count;
    int most_parts;
    cg_placed_shape *placed; // per part
    cg_moving_shape *moving;
    cg_cover *covers;         // of `placed`, in a search
    cg_part_way *ways;        // of `moving`, while motions are limited
    cg_touch_rod *rods;       // of free bodies
    cg_rod_chain *rod_chains; // of one of them, while they are listed
    int rod_count, most_rods;
    cg_vec3 *rod_points;       // [m] in the axes of their bodies
    cg_vec3 *rod_places;       // [m] in the world
    unsigned char *rod_hidden; // per segment of a rod, at its first point: a cg_hiding
    int most_rod_points;
    cg_skin *skins[CG_TOUCH_MOST_SKINS]; // tissues in order of creation, owned by the world
    int skin_count;
    cg_channel *channels;       // CG_MOST_CHANNELS of them, owned by the world; NULL: none
    struct cg_fibre *fibres;    // by which threads stick to tissue (laws/fibre.h), owned by the world
    int fibre_count;            // 0 between steps
    bool is_off_skins;          // threads touch no tissue here: the world has another law for that (plane.h)
    unsigned char *all_hidden;  // for their segments, all CG_AT_HOLE
    int guide_count, row_count; // of channels, in this pass: guides, and rows of all kinds
    bool on_skin;      // threads or free bodies may touch a tissue in this step: it finishes its step after them
    bool is_skin_done; // tissues have answered as foreseen: they go no farther

    // finding
    cg_near near;
    int searches; // of this step so far
    bool ahead;   // the last one looked where the velocities of some threads lead
    cg_contact_finder finder;
    cg_contact_list found; // of this pass
    cg_contact_list last;  // what the touches of the last pass were
    cg_shape_contact_list found_shapes;
    cg_skin_contact_list found_skin;
    cg_motion_finder motion;
    cg_part_contact part_contacts[CG_MOST_PART_CONTACTS];
    // Pairs that stopped a motion of this step at once, or one of too many that were cut short. Finding leaves out a
    // pair that a carrying touch beside it stands for; where it comes nearer all the same nothing moves any more, until
    // it has a touch of its own.
    cg_segment_pair stoppers[CG_TOUCH_MOST_STOPPERS];
    int stopper_count;

    // touches of this pass, and of the one before for the warm start: state of the world
    cg_touch *touches; // in order of pairs
    int count;
    cg_touch *before;
    int before_count;

    // solving
    cg_touch_joint *joints;
    int joint_count, most_joints;
    int most_guides;
    cg_motion_exempt *exempt; // per joint
    double *joint_rows;       // what is kept of each joint while the others are solved
    int *working;             // touches of the friction problem, joints last
    int working_count;
    bool is_uneven; // the coupling is not symmetric: threads slide through holes with friction
    cg_coupling_work coupling_work;
    cg_coupling_point *points;
    bool rolling; // a thread of this step is turned by friction
    cg_roll_point *roll_points;
    cg_rigid_point *rigid_points;
    int *next_row;    // per corner of a working touch with a tissue: the next one at the same node; -1: none
    double *axes;     // 9 per working touch
    double *coupling; // Q
    double *free_motion;
    double *slip_rows; // 2 CG_SLIPS_AT_ONCE rows of it: room for how threads slip at anchors
    double *friction;
    double *force;          // in the axes of the touches
    cg_vec3 *kept, *change; // [N] per working touch: its force before the problem was solved, and what that added
    cg_friction_work friction_work;
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
    return set->thread_count + set->rigid_count - set->first_free;
}

// Chains that tissues meet.
static inline int cg_touch_chain_count(const cg_touch_set *set)
{
    return set->thread_count + set->rod_count;
}

// The mover of a side, or -1: no force moves it.
static inline int touch_mover(const cg_touch_set *set, const cg_touch *touch, int side)
{
    int chain = touch_chain(touch, side), body = cg_chain_body(chain);
    if (cg_chain_kind(chain) == CG_BODY_THREAD) {
        return set->threads[body]->model == NULL ? body : -1; // a model stands while forces move others
    }
    bool is_free = cg_chain_kind(chain) == CG_BODY_RIGID && body >= set->first_free;
    return is_free ? set->thread_count + body - set->first_free : -1;
}

// Movers, bodies that are led, and all tissues together: whatever takes a share of a motion.
static inline int cg_node_count(const cg_touch_set *set)
{
    return set->thread_count + set->rigid_count + 1;
}

static inline int cg_led_node(const cg_touch_set *set, int rigid)
{
    return cg_mover_count(set) + rigid;
}

static inline int cg_skin_node(const cg_touch_set *set)
{
    return set->thread_count + set->rigid_count;
}

// The island of a touch.
static inline int touch_island(const cg_touch_set *set, const cg_touch *touch)
{
    return set->island[touch_mover(set, touch, 0)];
}

// The number of a thread in the list, which is not that of its creation; -1: it is not there.
static inline int number_of_thread(const cg_touch_set *set, const cg_thread *thread)
{
    for (int c = 0; c < set->thread_count; c++) {
        if (set->threads[c] == thread) {
            return c;
        }
    }
    return -1;
}

// True when a mover belongs to what is being solved.
static inline bool is_solved(const cg_touch_set *set, int mover)
{
    return set->solved < 0 || set->island[mover] == set->solved;
}

// True when tissues belong to it: all touches and anchors of tissues are of one island (island/islands.c).
static inline bool skins_are_asked(const cg_touch_set *set)
{
    int island = set->island[cg_skin_node(set)];
    return set->on_skin && !set->is_skin_done && (set->solved < 0 || island == set->solved);
}

// True while a body that is led is not where it is told to be.
static inline bool is_on_its_way(const cg_rigid *led)
{
    return memcmp(&led->now, &led->target, sizeof led->now) != 0;
}

// The free body of a mover that is no thread.
static inline cg_rigid *mover_rigid(const cg_touch_set *set, int mover)
{
    return set->rigids[set->first_free + mover - set->thread_count];
}

static inline bool *mover_done(const cg_touch_set *set, int mover)
{
    return mover < set->thread_count ? &set->threads[mover]->done : &mover_rigid(set, mover)->done;
}

static inline bool *mover_settles(const cg_touch_set *set, int mover)
{
    return mover < set->thread_count ? &set->threads[mover]->settles : &mover_rigid(set, mover)->settles;
}

static inline bool mover_refused(const cg_touch_set *set, int mover)
{
    return mover < set->thread_count ? set->threads[mover]->refused : mover_rigid(set, mover)->refused;
}

// What a set has room for.
typedef struct cg_touch_room {
    int threads, vertices; // of all threads
    int rigids, parts;     // of all rigid bodies
    int rods, rod_points;  // of all free ones
    int joints;            // of threads with rigid bodies
    int guides;            // of needles in tissue
    int touches;           // that work
} cg_touch_room;

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
