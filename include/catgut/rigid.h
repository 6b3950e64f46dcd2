// Rigid bodies: what has a mass and moves under forces, such as a needle, or is led, such as a jaw. Made of convex
// parts.
#ifndef CATGUT_RIGID_H
#define CATGUT_RIGID_H

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/shape.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// The most parts of one body.
#define CG_RIGID_MOST_PARTS 64

// A part: any shape but a half space. A curved needle is a row of capsules.
typedef struct cg_rigid_part {
    cg_shape shape;    // what it is
    cg_transform pose; // where it stands in the axes of the body
} cg_rigid_part;

// How a body moves.
typedef enum cg_rigid_motion {
    CG_RIGID_FREE,  // by forces: gravity, pushes, contacts
    CG_RIGID_DRIVEN // where it is told, whatever pushes it, as a shape does
} cg_rigid_motion;

struct cg_needle; // catgut/needle.h

// Everything that makes a body. Start from cg_rigid_def_default.
typedef struct cg_rigid_def {
    const cg_rigid_part *parts; // read when the body is made; corners and edges of boxes are rounded (docs/rigid.md)
    int part_count;             // 1 to CG_RIGID_MOST_PARTS
    const struct cg_needle *needle; // the body is this needle, and has its parts: `parts` stays NULL; NULL: no needle
    cg_rigid_motion motion;         // free or driven
    double mass;       // [kg] 1e-9 to 1e6, spread evenly over the volumes of the parts (overlaps count twice)
    cg_transform pose; // where it stands
    cg_vec3 velocity;  // [m/s] of its centre of mass; of a free body
    cg_vec3 spin;      // [rad/s] in the axes of the world; of a free body
    double friction;   // coefficient, 0 or more; with anything else the geometric mean counts
} cg_rigid_def;

// No parts yet; free, 1 g, at rest about the origin, friction 0.2.
cg_rigid_def cg_rigid_def_default(void);

// Adds a body; between steps only. It touches threads, shapes, other bodies and, when it is free, tissue (with the
// implicit solver) when max_contacts is above 0.
cg_status cg_world_add_rigid(cg_world *world, const cg_rigid_def *def, cg_rigid_id *id);
// Removes a body; its id becomes invalid.
cg_status cg_world_remove_rigid(cg_world *world, cg_rigid_id id);
// True while the id names a body of this world.
bool cg_rigid_is_valid(const cg_world *world, cg_rigid_id id);

// Where the axes that it was made with are now; no rotation about the origin for a bad id.
cg_transform cg_rigid_get_pose(const cg_world *world, cg_rigid_id id);
// How many parts it has; 0 for a bad id.
int cg_rigid_get_part_count(const cg_world *world, cg_rigid_id id);
// A part, and where it is now in the world; false for a bad id or index.
bool cg_rigid_get_part(const cg_world *world, cg_rigid_id id, int index, cg_rigid_part *part);

// How a body moves, and what it is by that.
typedef struct cg_rigid_info {
    cg_rigid_motion motion;   // free or driven
    double mass;              // [kg]
    cg_vec3 centre;           // [m] of mass, in the world
    cg_vec3 velocity;         // [m/s] of the centre of mass; zero for a driven one
    cg_vec3 spin;             // [rad/s] in the axes of the world; zero for a driven one
    cg_vec3 angular_momentum; // [kg m2/s] about the centre of mass; zero for a driven one
    double kinetic_energy;    // [J]; zero for a driven one
    cg_vec3 force;            // [N] of all that touched it in the last step
    cg_vec3 torque;           // [N m] of the same, about the centre of mass
} cg_rigid_info;
// False for a bad id.
bool cg_rigid_get_info(const cg_world *world, cg_rigid_id id, cg_rigid_info *info);

// Force [N] on a free body at a point [m] of the world during the next step; several add up.
cg_status cg_rigid_push(cg_world *world, cg_rigid_id id, cg_vec3 force, cg_vec3 point);
// Sends a driven body to a pose. It is there at the end of the next step, unless something that cannot give way stops
// it.
cg_status cg_rigid_move(cg_world *world, cg_rigid_id id, cg_transform pose);
// Puts a free body somewhere else, at some velocity [m/s] of its centre of mass and spin [rad/s]; between steps only.
cg_status cg_rigid_set_state(cg_world *world, cg_rigid_id id, cg_transform pose, cg_vec3 velocity, cg_vec3 spin);

CG_API_END
#endif
