// Geometry of twist at one joint, shared by the relaxation, the forces and their tests.
#ifndef CATGUT_THREAD_TWIST_H
#define CATGUT_THREAD_TWIST_H

#include "base/vec3.h"
#include "thread/thread.h"

// The two sides of a joint. At a clamp one of them is the clamp itself.
typedef struct twist_joint {
    cg_vec3 tangent0, tangent1;
    cg_vec3 director0, director1;
} twist_joint;

// False when there is no joint: at an end that is not clamped.
bool cg_twist_joint_at(const cg_thread *thread, const cg_thread_shape *shape, int joint, twist_joint *out);

// Whether there is one.
bool cg_twist_is_joint(const cg_thread *thread, int joint);

// The bending of a curved rest shape resists a turn of the material: first and second derivative by a segment's angle.
// A negative second derivative (the shape is turned the wrong way round) is left out, so that the relaxation always
// goes downhill.
void cg_twist_rest_slope(const cg_thread *thread, const cg_thread_shape *shape, int segment, double *slope,
                         double *curvature);

// A vector as a segment's material sees it: along its first axis, along the second, and along the tangent.
cg_vec3 cg_twist_components(const cg_thread_shape *shape, int segment, cg_vec3 vector);

// How the turn between two frames changes when the tangents move and the frames follow without spinning: by
// slope . (dt0 + dt1), with dt the changes of the tangents. Two opposite tangents have no defined turn between them;
// past some 170 degrees the slope is held at what it is there.
static inline cg_vec3 twist_slope(cg_vec3 tangent0, cg_vec3 tangent1)
{
    double apart = 1.0 + v3_dot(tangent0, tangent1);
    return v3_scale(1.0 / (apart > 0.01 ? apart : 0.01), v3_cross(tangent0, tangent1));
}

#endif
