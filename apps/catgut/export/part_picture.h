// Parts of rigid bodies in pictures: steel.
#ifndef CATGUT_EXPORT_PART_PICTURE_H
#define CATGUT_EXPORT_PART_PICTURE_H

#include "catgut/rigid.h"
#include "support/tube.h"

// Their colour.
extern const cg_rgb CG_STEEL;

// Both ends of the axis of a part along its z; a box or a sphere has it through its middle.
void cg_part_axis(const cg_rigid_part *part, cg_vec3 ends[2]);
// Adds a part to a picture. A half space is none.
void cg_part_draw(const cg_rigid_part *part, const cg_tube_camera *camera, cg_tubes *tubes);

#endif
