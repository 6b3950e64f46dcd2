// Poses: a rotation about the origin, then a shift. All inline.
#ifndef CATGUT_BASE_TRANSFORM_H
#define CATGUT_BASE_TRANSFORM_H

#include "base/quat.h"

static inline cg_transform transform_identity(void)
{
    return (cg_transform){v3_zero(), quat_identity()};
}

// Where a point of the body is in the world.
static inline cg_vec3 transform_point(cg_transform pose, cg_vec3 point)
{
    return v3_add(pose.position, quat_rotate(pose.rotation, point));
}

// A direction, a velocity or a force: turned, not shifted.
static inline cg_vec3 transform_vector(cg_transform pose, cg_vec3 vector)
{
    return quat_rotate(pose.rotation, vector);
}

// Where a point of the world is in the body.
static inline cg_vec3 transform_point_back(cg_transform pose, cg_vec3 point)
{
    return quat_rotate_back(pose.rotation, v3_sub(point, pose.position));
}

static inline cg_vec3 transform_vector_back(cg_transform pose, cg_vec3 vector)
{
    return quat_rotate_back(pose.rotation, vector);
}

// First `inner`, then `outer`: the pose in the world of something whose pose in the body is `inner`.
static inline cg_transform transform_compose(cg_transform outer, cg_transform inner)
{
    return (cg_transform){transform_point(outer, inner.position), quat_multiply(outer.rotation, inner.rotation)};
}

// A turn [rad] about the line along z through `about`, then a shift.
static inline cg_transform transform_about(cg_vec3 about, double turn, cg_vec3 shift)
{
    cg_quat rotation = quat_from_axis_angle(v3(0, 0, 1), turn);
    return (cg_transform){v3_add(v3_sub(about, quat_rotate(rotation, about)), shift), rotation};
}

static inline cg_transform transform_inverse(cg_transform pose)
{
    cg_quat back = quat_conjugate(pose.rotation);
    return (cg_transform){v3_neg(quat_rotate(back, pose.position)), back};
}

#endif
