// How deep a place is inside a closed surface, by what shares nothing with the step: the solid angle under which the
// surface is seen from there, which is 4 pi from inside and 0 from outside, and the distance to each triangle.
#ifndef CATGUT_LAB_INSIDE_H
#define CATGUT_LAB_INSIDE_H

#include "catgut/catgut.h"

// [m] 0 for a place outside.
double cg_depth_inside(const cg_world *world, cg_tissue_id tissue, cg_vec3 place);

#endif
