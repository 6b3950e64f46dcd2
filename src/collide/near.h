// Pairs of segments that are close to each other, for searches and motions that follow each other closely.
//
// A step looks for contacts several times, and after each time asks how much of a motion is safe; between two looks
// everything moves by little. So the pairs that can be close are listed once, with a margin, from bounding spheres
// (collide/runs.h), and the list serves as long as no point has moved by more than the margin against the common
// motion. What is said to be close is always judged by true distance, so the list never shows in a result: only in the
// time it takes.
//
// Close is a pair of segments whose axes are nearer than
//
//     radius_a + radius_b + reach * the smaller radius,
//
// and that are not near along one chain by arc length. Left out are also pairs within a piece of up to sixteen segments
// that all go along one axis: they cannot be nearer than `straightness` times the arc between them.
#ifndef CATGUT_COLLIDE_NEAR_H
#define CATGUT_COLLIDE_NEAR_H

#include "base/arena.h"
#include "collide/chains.h"
#include "geometry/closest.h"

typedef struct cg_close_pair {
    cg_segment_pair pair;
    cg_closest closest;
} cg_close_pair;

typedef struct cg_near {
    cg_neighbour_rule rule; // straightness above 0
    double reach;           // [radii, of the thinner chain]

    cg_close_pair *close; // in the order of lists
    int close_count, close_capacity;
    int lost; // pairs that found no room

    // What the close pairs are taken from, but for pairs of one run of eight segments, or of one and the next, of one
    // chain; in the order of lists.
    cg_segment_pair *listed;
    int listed_count, listed_capacity;

    long builds; // how often pairs were listed anew
    struct cg_near_work *work;
} cg_near;

// For up to `max_chains` chains with up to `max_segments` segments in all, and up to `max_pairs` close pairs. The arena
// may be measuring.
void cg_near_layout(cg_near *near, int max_chains, int max_segments, int max_pairs, double reach, cg_arena *arena);

// Finds the close pairs. False when some found no room, or the chains do not fit at all (lost is then -1).
bool cg_near_look(cg_near *near, const cg_chain *chains, int count);

// Which pairs can touch in a motion.
typedef enum cg_near_cover {
    CG_NEAR_ANY,    // nothing is known: the chains stand elsewhere than they did, or move too far
    CG_NEAR_LISTED, // none but those that are close or listed
    CG_NEAR_CLOSE,  // none but those that are close
} cg_near_cover;

// Which can while every point moves so. *furthest gets half of the most that two points can approach each other by [m].
cg_near_cover cg_near_covers(const cg_near *near, const cg_chain *chains, const cg_vec3 *const *moves, int count,
                             double *furthest);

// True when nothing was close at the last look and nothing can touch until the end of this motion, wherever the points
// stood at that look: then nothing has to be looked for.
bool cg_near_stays_clear(const cg_near *near, const cg_chain *chains, const cg_vec3 *const *moves, int count);

// The distance of the axes below which a pair is close.
static inline double close_distance(const cg_near *near, const cg_chain *a, const cg_chain *b)
{
    return a->radius + b->radius + near->reach * (a->radius < b->radius ? a->radius : b->radius);
}

#endif
