// A round cover of a shape in its pose: no point of the shape is farther than `radius` from a piece of a line. What is
// far from the cover is far from the shape: a quick answer for what is long and thin, around which a ball is mostly
// empty. Exact but for rounding for spheres and capsules, a ball for boxes, everything for half spaces.
#ifndef CATGUT_GEOMETRY_COVER_H
#define CATGUT_GEOMETRY_COVER_H

#include "geometry/shape.h"

typedef struct cg_cover {
    cg_vec3 middle, along; // [m], unit
    double half, radius;   // [m] of the piece, around it; infinite for a half space
} cg_cover;

static inline cg_cover cover_of(const cg_shape *shape, const cg_transform *pose)
{
    bool is_long = shape->kind == CG_SHAPE_CAPSULE;
    return (cg_cover){pose->position, is_long ? quat_rotate(pose->rotation, v3(0, 0, 1)) : v3_zero(),
                      is_long ? shape->half_length : 0, is_long ? shape->radius : cg_shape_size(shape)};
}

// [m^2] From a point to the piece.
static inline double cover_squared_distance(const cg_cover *cover, cg_vec3 point)
{
    cg_vec3 y = v3_sub(point, cover->middle);
    double s = v3_dot(y, cover->along);
    s = s < cover->half ? (s > -cover->half ? s : -cover->half) : cover->half;
    cg_vec3 away = v3_add_scaled(y, -s, cover->along);
    return v3_dot(away, away);
}

// True when a ball is farther from the cover than `by`, beyond all rounding. False when in doubt.
static inline bool cover_is_off_ball(const cg_cover *cover, cg_vec3 centre, double radius, double by)
{
    double least = cover->radius + radius + by;
    return cover_squared_distance(cover, centre) > 1.00001 * least * least;
}

// The same for two covers: each as a ball about the other's middle.
static inline bool covers_are_apart(const cg_cover *a, const cg_cover *b, double by)
{
    return cover_is_off_ball(a, b->middle, b->half + b->radius, by) ||
           cover_is_off_ball(b, a->middle, a->half + a->radius, by);
}

#endif
