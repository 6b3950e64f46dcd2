// Whether a shape and a pose can be, and how large a shape is.
#include "base/status.h"
#include "geometry/shape.h"

static bool is_size(double value)
{
    return value > 0 && value <= 1e6;
}

cg_status cg_shape_check_pose(const cg_transform *pose)
{
    cg_quat q = pose->rotation;
    double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!v3_is_finite(pose->position) || !(v3_dot(pose->position, pose->position) <= 1e12)) {
        return cg_error(CG_BAD_INPUT, "the position of a shape is not within 1e6 m of the origin");
    }
    if (!(square > 1e-12 && square < 1e12)) {
        return cg_error(CG_BAD_INPUT, "the rotation of a shape is no rotation: (%g, %g, %g, %g)", q.x, q.y, q.z, q.w);
    }
    return cg_ok();
}

cg_status cg_shape_check(const cg_shape *shape)
{
    bool round = shape->kind == CG_SHAPE_SPHERE || shape->kind == CG_SHAPE_CAPSULE;
    if (shape->kind < CG_SHAPE_SPHERE || shape->kind > CG_SHAPE_BOX) {
        return cg_error(CG_BAD_INPUT, "kind is %d; expected a cg_shape_kind", (int)shape->kind);
    }
    if (round && !is_size(shape->radius)) {
        return cg_error(CG_BAD_INPUT, "radius is %g m; expected above 0", shape->radius);
    }
    if (shape->kind == CG_SHAPE_CAPSULE && !(shape->half_length >= 0 && shape->half_length <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "half_length is %g m; expected 0 or more", shape->half_length);
    }
    cg_vec3 half = shape->half_extents;
    if (shape->kind == CG_SHAPE_BOX && !(is_size(half.x) && is_size(half.y) && is_size(half.z))) {
        return cg_error(CG_BAD_INPUT, "half_extents are (%g, %g, %g) m; expected above 0", half.x, half.y, half.z);
    }
    return cg_ok();
}

double cg_shape_size(const cg_shape *shape)
{
    switch (shape->kind) {
    case CG_SHAPE_SPHERE:
        return shape->radius;
    case CG_SHAPE_CAPSULE:
        return shape->radius + shape->half_length;
    case CG_SHAPE_BOX:
        return v3_length(shape->half_extents);
    case CG_SHAPE_HALF_SPACE:
        break;
    }
    return INFINITY;
}
