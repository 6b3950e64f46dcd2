// Plain geometric types of the public interface. SI units unless a field says otherwise.
#ifndef CATGUT_MATH_H
#define CATGUT_MATH_H

// A point, a direction or a force in world axes.
typedef struct cg_vec3 {
    double x, y, z; // along each axis
} cg_vec3;

// A rotation, kept at unit length. {0, 0, 0, 1} is no rotation.
typedef struct cg_quat {
    double x, y, z, w; // axis times the sine of half the angle, and its cosine
} cg_quat;

// A rotation about the origin followed by a shift.
typedef struct cg_transform {
    cg_vec3 position; // [m]
    cg_quat rotation; // unit length
} cg_transform;

#endif
