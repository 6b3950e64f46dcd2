// How much of a motion can be made before something passes through something.
//
// Every vertex moves along a straight line, x(T) = x + T dx, T from 0 to 1; a rigid shape moves from one pose to
// another (position along a straight line, rotation by quat_nlerp, or by shares of a turn). The largest fraction T is
// sought up to which no pair of segments, and no segment and shape, comes nearer than its threshold. With d the sum of
// the radii (for a shape d is the radius of the chain and distances are to its surface), D the distance now:
//
//     D >= (keep + give) d               threshold  keep d
//     freeze d <= D < (keep + give) d    threshold  D - give d: overlaps of a solver that has not converged may grow
//                                        a little, or all motion would stop
//     D < freeze d                       threshold  D: no further approach at all
//
// Common motion is free: only the relative motion of a pair counts. Bounds used, all of them rigorous:
//   - runs of eight segments: centre, radius, mean displacement and spread of both; two runs can only meet if their
//     centres are nearer than radii + threshold + |difference of mean displacements| + spreads; the same for segments;
//   - a walk along the motion by true distance. With n the unit vector between the closest points at T, every pair of
//     points of the two segments is at least n . (b - a) apart, which is linear in T at each pair of corners: the walk
//     goes on to where the least of them, or the distance less the largest relative speed, reaches the threshold.
//     Threads that slide along each other move far and approach little: one look is mostly enough. Where the bound
//     stands still at the threshold, short looks (a thousandth of d) go on; the margin for what lies between two looks
//     is taken from `give`.
// So nothing tunnels, whatever the speed. When the walk of a pair is cut off (max_looks, and sooner once enough_looks
// were made), the motion ends where the walk was.
#ifndef CATGUT_COLLIDE_SAFE_MOTION_H
#define CATGUT_COLLIDE_SAFE_MOTION_H

#include <stdint.h>

#include "base/arena.h"
#include "collide/chains.h"
#include "collide/near.h"
#include "geometry/shape.h"

// A rigid shape that moves: by itself, or as a part of a body.
typedef struct cg_moving_shape {
    cg_shape shape;
    cg_transform before, after; // of the shape, or of the body
    bool is_part;
    cg_transform part; // of the shape in the axes of the body, where it is a part
    bool by_turn;      // it turns by shares of `turn` instead of by quat_nlerp
    cg_vec3 turn;      // [rad] about this vector by its length: from `before` to `after`
} cg_moving_shape;

// Where the shape is at the start of the motion.
static inline cg_transform moving_shape_start(const cg_moving_shape *shape)
{
    return shape->is_part ? transform_compose(shape->before, shape->part) : shape->before;
}

typedef struct cg_motion_rule {
    cg_neighbour_rule neighbours; // only excluded_arc is used: pairs in line may fold
    double keep;                  // share of d
    double give;                  // share of d, at least 0.002
    double freeze;                // share of d, below keep
    double turn;                  // most |dx(i + 1) - dx(i)| in units of the segment's rest length; 0: no limit
    int max_looks;                // distances computed for one pair
    int enough_looks;             // for all pairs together: once they are made, each further pair gets very few
} cg_motion_rule;

static inline cg_motion_rule motion_rule_default(void)
{
    return (cg_motion_rule){{CG_EXCLUDED_ARC, CG_STRAIGHTNESS}, 0.98, 0.005, 0.7, 0.5, 400, 40000};
}

// What stopped the motion.
typedef enum cg_motion_limit {
    CG_LIMIT_NONE,  // the whole motion is safe
    CG_LIMIT_PAIR,  // two segments
    CG_LIMIT_SHAPE, // segment (chain_a, segment_a) and a shape
    CG_LIMIT_TURN,  // segment (chain_a, segment_a) would turn or stretch too far
    CG_LIMIT_BAD,   // a number that is not finite, or chains that do not fit the layout; fraction 0
} cg_motion_limit;

typedef struct cg_safe_motion {
    double fraction; // in [0, 1]
    cg_motion_limit limit;
    cg_segment_pair pair; // valid for the limits that name segments
    int shape;            // for CG_LIMIT_SHAPE
    int frozen;           // pairs below freeze d that took part
    int cut_off;          // walks that ran out of looks, and frozen pairs that found no room to be remembered
    int pairs;            // pairs left over by the bounds
    int looks;            // distances computed
} cg_safe_motion;

// Segments of a chain and shapes that do not stop each other: what comes out of a shape is inside it there.
typedef struct cg_motion_exempt {
    int chain, first_segment, last_segment;
    int first_shape;
    uint64_t shapes; // bit k: shape first_shape + k
} cg_motion_exempt;

static inline bool motion_is_exempt(const cg_motion_exempt *exempt, int chain, int segment, int shape)
{
    int k = shape - exempt->first_shape;
    return chain == exempt->chain && segment >= exempt->first_segment && segment <= exempt->last_segment && k >= 0 &&
           k < 64 && (exempt->shapes >> k & 1) != 0;
}

// Memory for the runs; see cg_safe_motion_layout.
typedef struct cg_motion_finder {
    const cg_near *near; // may be NULL: pairs that were found to be close, used where they are all that can meet
    double limit;        // no more of the motion is asked for; 1 unless something else has stopped it
    const cg_motion_exempt *exempt; // NULL without any
    int exempt_count;
    struct cg_motion_work *work;
} cg_motion_finder;

// For up to `max_chains` chains with up to `max_segments` segments in all. The arena may be measuring.
void cg_motion_finder_layout(cg_motion_finder *finder, int max_chains, int max_segments, cg_arena *arena);

// moves[c] has one displacement [m] for each point of chain c.
cg_safe_motion cg_safe_motion_find(cg_motion_finder *finder, const cg_motion_rule *rule, const cg_chain *chains,
                                   const cg_vec3 *const *moves, int count, const cg_moving_shape *shapes,
                                   int shape_count);

// Where a moving shape, or the body that it is a part of, is at T.
cg_transform cg_moving_shape_pose(const cg_moving_shape *shape, double time);

#endif
