// Rigid bodies as a step sees them: a fixed shape, one that goes where it is told, the rod of a hand, or a body that
// moves freely.
//
// A free body is described at its centre of mass: its axes are those it was made with, shifted there. Its state is
// pose, velocity and angular momentum L in the axes of the world; spin follows from L. With x0, R0, v0, L0 at the start
// of a step of length h, and force F and torque T of that step,
//
//     v = v0 + h F / m                 x = x0 + h v
//     L = L0 + h T                     P0 = R0^T L,   t = h I^-1 (P0 + P1) / 2,   R = R0 (t),   P1 = (t)^T P0,
//
// where a turn t is the rotation about t by 2 atan(|t| / 2), the quaternion (t / 2, 1) made unit length (Cayley): the
// implicit midpoint rule for Euler's equations in the axes of the body. It keeps R P = L, which is never integrated
// through the spin, and the energy of the spin to the last bits, also of a thin body that spins fast about its axis.
// What gravity and contacts do is first order in h, as for threads that touch. Without contacts nearby
// x = x0 + h (v0 + v) / 2, exact for a body that falls, and the turn has the mean of L0 and L.
//
// Contacts see the compliances h^2 / m and h^2 I^-1, the latter in the axes half way. What they foresee is linear in
// their forces, which a turn of more than a radian is not. So a body that something pushes turns by no more than that
// in a step, as if its inertia were `brake` times larger, and in a straight line: t = h I^-1 L / brake in its present
// axes, less what it has turned by. Its spin is then that of the turn made. `brake` is the largest that a pass asked
// for: spin beyond a radian a step is lost, and where a pass asked for too much, more than that.
#ifndef CATGUT_RIGID_RIGID_H
#define CATGUT_RIGID_RIGID_H

#include <stdbool.h>

#include "base/archive.h"
#include "base/mat3.h"
#include "base/memory.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "catgut/needle.h"
#include "catgut/rigid.h"
#include "catgut/status.h"

// [m], [N] No body goes farther from the origin, or is pushed harder: a step that leads there is refused, and so is a
// state that comes from there. As for threads: squares stay finite.
#define CG_RIGID_FARTHEST 1e12
// [m/s] From one end of that to the other in the shortest step.
#define CG_RIGID_FASTEST 3e19
// [N m], [kg m2/s] Of moments and angular momentum.
#define CG_RIGID_MOST_MOMENT 1e30

struct cg_drive;

// In each pass of a step it goes the same share of its remaining way as everything else.
typedef struct cg_rigid {
    int number;           // among those that take part in contacts (rows/cast.h); it may be that of another by now
    cg_shape shape;       // of a body that has no parts: it is this one, in its own axes
    cg_rigid_part *parts; // in the axes of the body, about its centre of mass
    int part_count;
    bool is_needle;   // it was made as one
    cg_needle needle; // then: in the axes that it was made with
    double friction;
    cg_transform start, now, target; // of the step
    cg_transform told;               // of a shape: where it is to go, in this step or later ones
    cg_vec3 force, torque;           // [N], [N m] about `now.position`, of contacts on the body

    // of a body that was made with parts
    cg_allocator allocator;
    cg_vec3 centre; // [m] of mass, in the axes that it was made with
    double mass;
    double reach;            // [m] from the centre of mass to the farthest point
    cg_mat3 inverse_inertia; // [1/(kg m2)] in its axes
    cg_mat3 inertia;

    bool in_tissue; // a needle that is in some tissue (find/channel.h)
    bool in_cut;    // a blade in the cut that it makes: tissue does not touch it
    bool is_led;    // a driven one that constraints move (catgut/structure.h)

    // of a free one
    bool is_free;
    cg_vec3 velocity, momentum; // [m/s]; [kg m2/s] angular, about the centre of mass
    cg_vec3 push, moment;       // [N], [N m] of the coming step, from outside

    // within a step
    double time_step;
    cg_vec3 applied;       // [N] gravity and pushes
    cg_mat3 turning;       // [rad/(N m)] h^2 I^-1 in the axes of the world, half way
    cg_vec3 way;           // [rad] about which, and by whose length, it turns in this pass
    cg_vec3 turned;        // [rad] in the passes of this step before
    cg_vec3 next_velocity; // at the target
    cg_vec3 next_momentum;
    double squeeze; // [N] by which jaws of tools press on it, all together, as known when the pass began
    double brake;   // 1 or more: how many times more slowly it turns than by its momentum
    bool is_near;   // something may touch it in this step
    bool is_pushed; // something does
    bool arrived;   // the last motion led to the target
    bool settles;   // the coming motion of a pass is the last one
    bool done;      // its motion, and that of all it touches, has converged
    bool refused;   // a number was not finite: it stands still for this step

    struct cg_drive *drive; // of a body that is led together with others (drive.h), which is free too; else NULL
} cg_rigid;

// inertia.c
// Volume [m3] of parts, their centre, and the inertia [kg m2] about it in their axes for a mass [kg] in all.
typedef struct cg_rigid_mass {
    double volume;
    cg_vec3 centre;
    cg_mat3 inertia;
} cg_rigid_mass;
cg_rigid_mass cg_rigid_mass_of(const cg_rigid_part *parts, int count, double mass);

// rigid.c
// Makes a body in place; the parts are copied.
cg_status cg_rigid_init(cg_rigid *body, const cg_rigid_def *def, const cg_allocator *allocator);
void cg_rigid_clear(cg_rigid *body);
void cg_rigid_visit_state(cg_archive *archive, cg_rigid *body);
// Whether a state that was loaded can be.
bool cg_rigid_is_sound(const cg_rigid *body);

static inline int cg_rigid_part_count(const cg_rigid *body)
{
    return body->parts != NULL ? body->part_count : 1;
}

// [m] Where the axes that the body was made with are while its centre of mass has this pose.
static inline cg_transform cg_rigid_made_pose(const cg_rigid *body, cg_transform pose)
{
    return (cg_transform){transform_point(pose, v3_neg(body->centre)), pose.rotation};
}

// And back.
static inline cg_transform cg_rigid_centre_pose(const cg_rigid *body, cg_transform pose)
{
    return (cg_transform){transform_point(pose, body->centre), pose.rotation};
}

// False for a vector that is longer, or not finite.
static inline bool cg_rigid_is_within(cg_vec3 v, double most)
{
    return v3_is_finite(v) && v3_dot(v, v) <= most * most;
}

// [rad/s] in the axes of the world.
cg_vec3 cg_rigid_spin(const cg_rigid *body);
void cg_rigid_set_spin(cg_rigid *body, cg_vec3 spin);
// [J] of motion.
double cg_rigid_kinetic_energy(const cg_rigid *body);

// motion.c: the verbs of a step, of free bodies
void cg_rigid_begin_step(cg_rigid *body, double time_step, cg_vec3 gravity);
// Before contacts are solved: by how much it is braked, as the pass before ended.
void cg_rigid_begin_pass(cg_rigid *body);
// Where the forces lead: sets the target and the compliances.
void cg_rigid_respond(cg_rigid *body);
// 1 or more: how many times the passes make less of its way than its forces would, and contacts find it stiffer.
double cg_rigid_slowness(const cg_rigid *body);
// It goes there in this pass.
void cg_rigid_aim(cg_rigid *body, cg_transform target);
// The motion of this pass at a point, to first order [m]; what its turn adds beyond that [m], at most.
cg_vec3 cg_rigid_motion_at(const cg_rigid *body, cg_vec3 point);
// How far a point has come in the passes of this step before.
cg_vec3 cg_rigid_moved_at(const cg_rigid *body, cg_vec3 point);
double cg_rigid_bend_at(const cg_rigid *body, cg_vec3 point);
// Makes the way to the target a share of what it is.
void cg_rigid_shorten(cg_rigid *body, double share);
void cg_rigid_refuse_bad_move(cg_rigid *body);
void cg_rigid_move_share(cg_rigid *body, double share);
void cg_rigid_finish_step(cg_rigid *body);

#endif
