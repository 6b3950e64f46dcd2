// The arm of a forceps as MicroSim has it for contacts (its 3.6.1): half of a truncated cone, a quarter of a sphere as
// its tip, and below the flat side of the cone a wedge that an inclined plane cuts.
//
// In its own axes the middle of the tip's sphere is the origin, the arm goes along +z, and it is round towards +y:
//
//     tip     z <= 0, y >= 0, radius tip_radius
//     cone    0 <= z <= length, y >= 0, radius from tip_radius to end_radius
//     wedge   0 <= z <= length, -depth z / length <= y <= 0, as wide as the cone
//
// Four regions lie about it: A before the tip and above, B before it and below, C beside the cone, D below it. The text
// takes the region to tell the piece that is nearest; that is not so beside a cone that widens (a point of A far from
// the axis is nearer to the cone), so all pieces of the surface are asked, and the region says where the answer lies.
#ifndef CATGUT_GEOMETRY_FORCEPS_ARM_H
#define CATGUT_GEOMETRY_FORCEPS_ARM_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct cg_forceps_arm {
    double tip_radius, end_radius; // [m] above 0; the end is at least as thick as the tip
    double length;                 // [m] above 0
    double depth;                  // [m] of the wedge at the end, above 0
} cg_forceps_arm;

typedef enum cg_forceps_piece {
    CG_FORCEPS_TIP,   // the quarter of the sphere: region A
    CG_FORCEPS_CHIN,  // the flat half circle below it: region B
    CG_FORCEPS_CONE,  // the mantle of the cone: region C
    CG_FORCEPS_WEDGE, // the extruded side: region D
    CG_FORCEPS_END    // the flat end, behind C and D
} cg_forceps_piece;

typedef struct cg_forceps_nearest {
    cg_vec3 point;   // [m] of the surface
    double distance; // [m] to the surface, from inside too
    cg_forceps_piece piece;
} cg_forceps_nearest;

// The point of the surface that is nearest, in the axes of the arm.
cg_forceps_nearest cg_forceps_arm_nearest(const cg_forceps_arm *arm, cg_vec3 point);
bool cg_forceps_arm_contains(const cg_forceps_arm *arm, cg_vec3 point);

#endif
