// Walks along a motion by true distance, for two segments, for a point or a segment and a triangle, and for a segment
// or a triangle and a shape; see collide/safe_motion.h. For the files of the safe motion, of rigid parts, of surface
// and skin contacts and of meeting tissues only.
#ifndef CATGUT_COLLIDE_WALK_H
#define CATGUT_COLLIDE_WALK_H

#include "collide/safe_motion.h"

// Two things by their corners: two segments, or a point or a segment and a triangle.
typedef struct cg_moving_sides {
    int count_a, count_b; // 2 and 2, 1 and 3, or 2 and 3
    cg_vec3 a[3], b[3];   // at T = 0
    cg_vec3 move_a[3], move_b[3];
} cg_moving_sides;

// Where a distance has to stay.
typedef struct cg_walk_levels {
    double level;   // the walk stops where the distance is found below this
    double margin;  // it may be lower by this much between two looks
    bool is_frozen; // no approach at all: level is start up to rounding
} cg_walk_levels;

typedef struct cg_walk {
    double reached; // everything up to here is safe
    int looks;
    bool is_cut_off;
} cg_walk;

// The levels for a distance `start` at T = 0 and a sum of radii `d`; `is_signed` for distances that are negative
// inside.
cg_walk_levels cg_walk_levels_for(const cg_motion_rule *rule, double start, double d, bool is_signed);

// Where two things are closest to each other.
typedef struct cg_sides_closest {
    cg_vec3 a, b;
    double squared_distance;
} cg_sides_closest;

cg_sides_closest cg_moving_sides_closest(const cg_moving_sides *sides, double time);
double cg_moving_sides_distance(const cg_moving_sides *sides, double time);
// The largest relative speed of any two points of the sides [m per unit of T].
double cg_moving_sides_speed(const cg_moving_sides *sides);
// Walks from 0 to at most `limit`; `start` and `speed` are what the two above tell at T = 0.
cg_walk cg_walk_sides(const cg_moving_sides *sides, const cg_sides_closest *start, double speed,
                      const cg_walk_levels *levels, double limit, int max_looks);

// How a shape moves: what does not depend on the segment.
typedef struct cg_shape_motion {
    const cg_moving_shape *shape;
    cg_vec3 shift;        // of its position over the whole motion
    double turn;          // largest angular speed [rad]
    double turn_change;   // largest angular acceleration
    cg_vec3 spin_at_zero; // angular velocity at T = 0
} cg_shape_motion;

typedef struct cg_moving_segment_ends {
    cg_vec3 ends[2], moves[2];
} cg_moving_segment_ends;

typedef struct cg_moving_triangle {
    cg_vec3 corners[3], moves[3];
} cg_moving_triangle;

// A segment that a moving body carries, its ends in the axes of the body.
typedef struct cg_carried_segment {
    const cg_shape_motion *carrier;
    cg_vec3 ends[2];
} cg_carried_segment;

cg_shape_motion cg_shape_motion_of(const cg_moving_shape *shape);
double cg_shape_walk_distance(const cg_shape_motion *motion, const cg_moving_segment_ends *segment, double time);
// No point within `radius` of `point` whose displacement differs from `move` by up to `spread` goes farther than this
// in the axes of the shape.
double cg_shape_motion_bound(const cg_shape_motion *motion, cg_vec3 point, cg_vec3 move, double radius, double spread);
cg_walk cg_walk_shape(const cg_shape_motion *motion, const cg_moving_segment_ends *segment,
                      const cg_walk_levels *levels, double limit, int max_looks);
// The same for a triangle.
double cg_shape_walk_triangle_distance(const cg_shape_motion *motion, const cg_moving_triangle *triangle, double time);
cg_walk cg_walk_shape_triangle(const cg_shape_motion *motion, const cg_moving_triangle *triangle,
                               const cg_walk_levels *levels, double limit, int max_looks);
// The same for a segment of another body that moves.
double cg_shape_walk_carried_distance(const cg_shape_motion *motion, const cg_carried_segment *segment, double time);
cg_walk cg_walk_shape_carried(const cg_shape_motion *motion, const cg_carried_segment *segment,
                              const cg_walk_levels *levels, double limit, int max_looks);

#endif
