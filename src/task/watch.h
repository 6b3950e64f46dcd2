// Watches hands moment by moment, in a recording or while they work, and adds up what measures need.
//
// A moment is what a frame of a recording holds: numbers in single precision, some milliseconds apart. A session under
// way is watched through the same moments, so an attempt ends for the same reason for which its recording is scored.
#ifndef CATGUT_TASK_WATCH_H
#define CATGUT_TASK_WATCH_H

#include "task/sewing.h"
#include "task/task.h"

enum {
    CG_WATCH_HANDS = 8,   // the first of a scene; others are not watched
    CG_WATCH_ITEMS = 64,  // threads
    CG_WATCH_PARTS = 200, // of a line, each followed or not
    CG_WATCH_LINE = 512,  // points of a line that a hand draws
    CG_WATCH_EVERY = 16   // steps from moment to moment, as recordings have them
};

typedef struct cg_moment {
    double time; // [s]
    int hand_count;
    cg_recorded_hand hands[CG_WATCH_HANDS];
    int item_count;                // threads, when the goal is about them
    cg_vec3 items[CG_WATCH_ITEMS]; // [m] their middles
    cg_sewing_moment sewing;
} cg_moment;

// How often something happened, and when first.
typedef struct cg_count {
    int count;
    double first; // [s]
} cg_count;

// A hand over time.
typedef struct cg_watched_hand {
    bool seen, closed, slipped, inside; // at the last moment; inside the ball
    bool drawing;
    bool presses;            // both of its jaws press on something: what, moments do not say
    uint32_t thread, tissue; // what it held, as ids count; 0: none
    cg_vec3 tip;             // [m] at the last moment
    cg_vec3 leg;             // [m] where the way since the last grasp, release or target began
    double straight, way;    // [m] of all such ways
} cg_watched_hand;

typedef struct cg_watch {
    cg_allocator allocator;
    const cg_goal *goal; // NULL: none
    cg_vec3 targets[CG_TASK_MOST_TARGETS];
    int target_count;

    double *times; // [s] of moments
    cg_vec3 *tips; // [m] CG_WATCH_HANDS of each moment
    int moment_count, moment_room;
    bool failed; // no memory
    cg_watched_hand hands[CG_WATCH_HANDS];
    int hand_count; // most that were seen at a moment
    bool has_jaws;  // a tool with jaws that touch was seen: what was held, and when, is not known then

    double first_motion;              // [s]; negative: none yet
    double peak_force, peak_force_at; // [N], [s]
    cg_count grasps, missed, drops, slips, misses;
    double
        lost_at[CG_WATCH_ITEMS + 1]; // [s] by thread: when no hand held it any more; negative: it is held, or never was

    uint64_t reached;                   // targets that are gone, items that lie where they belong
    double first_touch, last_touch;     // [s]; negative: none
    double released_at[CG_WATCH_ITEMS]; // [s] by item: let go and not taken again; negative: not so
    int item_count;

    cg_sewing sewing;

    const cg_vec3 *line; // that is to be followed: of the goal, or what the leader drew
    int line_count;
    cg_vec3 led[CG_WATCH_LINE];     // [m]
    int leader;                     // the hand that draws the line; -1: none yet, or it is given
    double deviation, deviation_at; // [m], [s]
    double deviation_sum, drawn;    // [m2], [m]
    bool followed[CG_WATCH_PARTS];
} cg_watch;

// Begins to watch; the goal must live as long. `seed` chooses targets.
void cg_watch_begin(cg_watch *watch, const cg_goal *goal, uint64_t seed, const cg_allocator *allocator);
void cg_watch_end(cg_watch *watch);
// Makes a watch, begun for the same goal and seed, as another one is now. False, with nothing changed, without memory.
bool cg_watch_copy(cg_watch *to, const cg_watch *from);
// Takes the next moment.
void cg_watch_see(cg_watch *watch, const cg_moment *moment);
// True when targets are all touched, the line is followed to 98 % and left, or all items lie in the receptacle and are
// let go, or what is to be sewn is sewn. Knots and wounds are looked at by others.
bool cg_watch_is_reached(const cg_watch *watch);
// True while no hand holds anything, as far as is known: jaws that touch may hold anything they press on.
bool cg_watch_is_let_go(const cg_watch *watch);
// Fills in all measures of what was seen, but those of knots.
void cg_watch_measure(const cg_watch *watch, cg_measures *measures);
// Sets one measure.
void cg_measure_set(cg_measures *measures, cg_measure which, double value, double at);

// Takes a frame of a recording, or a world as it is, as a moment.
void cg_moment_of_frame(cg_moment *moment, const cg_recorded_frame *frame, bool with_items);
void cg_moment_of_session(cg_moment *moment, const cg_session *session, bool with_items);

#endif
