// What knot is this? Names the knot in a thread, or in two threads tied to each other, from the shape alone.
//
// Open threads are closed in thought, in several ways: on along the direction of their ends, away from their middle,
// and towards a viewer far off in three directions. Ends that nearly meet (nearer than twice the mean segment, and
// than an eighth of the way to the point farthest off) are joined to each other instead. Where all ways give the same
// knot and its name is proven the answer is certain. docs/knots.md explains how it works.
#ifndef CATGUT_KNOT_H
#define CATGUT_KNOT_H

#include <stdbool.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// Limits.
enum {
    CG_KNOT_MAX_THREADS = 2,    // threads that are named together
    CG_KNOT_MAX_POINTS = 20000, // in all threads
    CG_KNOT_MAX_THROWS = 12     // that are told one by one
};

// Which end of a thread a hand or load pulls at.
typedef enum cg_knot_pull {
    CG_KNOT_PULL_UNKNOWN = 0, // the longer one
    CG_KNOT_PULL_FIRST,       // that of its first point
    CG_KNOT_PULL_LAST         // that of its last point
} cg_knot_pull;

// A thread as a chain of points.
typedef struct cg_knot_thread {
    const cg_vec3 *points; // [m]; finite
    int count;             // 2 or more; 3 or more for a closed one
    bool closed;           // the last point is followed by the first
    cg_knot_pull pull;     // for knots of two threads; matters to reef or thief, granny or grief
    bool fixed;            // a post or strand that the other thread is tied around; never both
} cg_knot_thread;

// The handedness of a knot.
typedef enum cg_knot_chirality {
    CG_KNOT_AMPHICHIRAL, // the same as its mirror image
    CG_KNOT_LEFT,        // its Jones polynomial leans to negative powers, as that of the left-handed overhand knot
    CG_KNOT_RIGHT,       // it leans to positive powers
    CG_KNOT_CHIRAL,      // differs from its mirror image, but leans neither way
    CG_KNOT_UNTOLD       // not known
} cg_knot_chirality;

// One throw of a knot: two strands wound around each other.
typedef struct cg_knot_throw {
    int wraps;  // 1 single, 2 double, ...
    int sense;  // +1 right-handed, -1 left-handed
    bool hitch; // one strand is straight, the other winds around it
} cg_knot_throw;

// What is known of a knot. Texts are for people and for comparing.
typedef struct cg_knot_report {
    char name[72];        // Rolfsen's names, m before a mirror image, # between parts: "3_1#m3_1"; "0_1" for none;
                          // "unknown" for a knot that is not in the table. Of unjoined threads: a link, "2^2_1"
    char common[40];      // "no knot", "overhand", "square", "granny", "surgeon's", "slip", ...; may be empty
    char throws_text[40]; // throws in order of tying: 2=1=1 (= opposite senses, x same sense, S straight strand)
    int crossings;        // least number in any picture of it; for an unknown one the fewest that were found
    uint64_t determinant; // |Alexander polynomial at -1|; UINT64_MAX when it was not computed
    cg_knot_chirality chirality;              // handedness
    int throw_count;                          // entries of throws
    cg_knot_throw throws[CG_KNOT_MAX_THROWS]; // in order of tying
    int linking;  // of two threads: how often they wind around each other; of one with throws and a post: how often
                  // the loop below the throws goes around the post
    int loop[2];  // of one thread with throws: the points, one in each strand of the innermost throw, between which the
                  // loop lies that it closes; both 0 otherwise
    int ways;     // closures tried
    int agreeing; // closures that gave this name
    bool certain; // all closures agree and the name is proven
} cg_knot_report;

// Names the knot in one thread or two. Takes memory while it works; `allocator` NULL is malloc. CG_BAD_INPUT when a
// number is not finite, there are too few or too many points, or a thread passes through itself.
cg_status cg_knot_identify(const cg_knot_thread *threads, int thread_count, const cg_allocator *allocator,
                           cg_knot_report *report);

// Follows a thread that moves. Made by cg_knot_tracker_create.
typedef struct cg_knot_tracker cg_knot_tracker;

// Takes all memory at once, for one thread of up to `max_points` points. `allocator` NULL is malloc.
cg_status cg_knot_tracker_create(int max_points, const cg_allocator *allocator, cg_knot_tracker **tracker);
// Gives the memory back. NULL is allowed.
void cg_knot_tracker_destroy(cg_knot_tracker *tracker);
// Looks at the thread as it is now; the points must be those of one thread from call to call, but may be more or fewer
// than before, as when its spacing follows what it does (cg_spacing). Allocates nothing. The order of crossings in a
// picture is compared with that of the last call: where it is the same, so is the knot. One picture is compared in
// every call, the other closures take turns, so a change that only they see is told up to eight calls later. Throws are
// searched for a picture at a time, one a call: they are told some hundred calls after the name, from the shape that
// the search began with, and stay with the name until the next search ends. Work is limited by counting, not by time: a
// tangle of more than 400 crossings is not named.
cg_status cg_knot_tracker_update(cg_knot_tracker *tracker, const cg_vec3 *points, int count, cg_knot_report *report);
// How many times a name had to be computed since the tracker was made, instead of being known from before.
long long cg_knot_tracker_computed(const cg_knot_tracker *tracker);

CG_API_END

#endif
