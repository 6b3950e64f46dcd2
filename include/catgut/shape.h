// Rigid shapes that threads and tissue touch: a table, a post, a tube, a block. They stand, or go where they are told.
#ifndef CATGUT_SHAPE_H
#define CATGUT_SHAPE_H

#include "catgut/api.h"
#include "catgut/math.h"

CG_API_BEGIN

// What a shape is, in its own axes.
typedef enum cg_shape_kind {
    CG_SHAPE_SPHERE,     // about the origin
    CG_SHAPE_CAPSULE,    // all points within the radius of the piece of the z axis from -half_length to half_length
    CG_SHAPE_HALF_SPACE, // all points with z <= 0; its surface looks towards +z
    CG_SHAPE_BOX         // |x|, |y|, |z| up to the half extents
} cg_shape_kind;

// A shape and its size.
typedef struct cg_shape {
    cg_shape_kind kind;   // which one
    double radius;        // [m] sphere and capsule, above 0
    double half_length;   // [m] capsule, of its axis, at least 0
    cg_vec3 half_extents; // [m] box, above 0
} cg_shape;

// Names a shape in a world. Zero-initialised, it names none.
typedef struct cg_shape_id {
    unsigned index;      // place in the pool, plus one
    unsigned generation; // tells a new shape from an old one at the same place
} cg_shape_id;

// Everything that makes a shape of a world. Start from cg_shape_def_default.
typedef struct cg_shape_def {
    cg_shape shape;    // what it is
    cg_transform pose; // where it stands
    double friction;   // coefficient, 0 or more; with a thread or tissue the geometric mean counts
} cg_shape_def;

// The half space below z = 0, friction 0.2.
cg_shape_def cg_shape_def_default(void);

CG_API_END
#endif
