// A rigid body in seven unknowns: the place of its centre of mass and a quaternion (x, y, z, w) that turns its own axes
// into the world's. That the quaternion has unit length is a constraint like any other (row.h), so that places and
// velocities stay plain numbers.
//
// With e(p, q) the vector part of conj(p) q, the angular velocity in body axes is 2 e(q, q') and the kinetic energy of
// turning 2 e(q, q') . I e(q, q'). Lagrange's equations, E(p) s = e(p, s):
//
//     inertia = 4 E(q)^T I e(q, q'') + 8 E(q')^T I e(q, q') + mu (q . q'') q.
//
// The last term gives the direction along q, which the constraint alone holds, a mass; it acts along the gradient of
// the constraint, so it only changes the multiplier.
//
// It is a body of this room for now; src/rigid has the world's, and will be the place to take mass and shape from.
#ifndef CATGUT_CONSTRAINT_RIGID_ELEMENT_H
#define CATGUT_CONSTRAINT_RIGID_ELEMENT_H

#include "catgut/math.h"
#include "catgut/status.h"
#include "constraint/element.h"

enum { CG_DAE_RIGID_UNKNOWNS = 7, CG_DAE_RIGID_TURN = 3 }; // TURN: where the quaternion begins

typedef struct cg_dae_rigid_def {
    double mass;              // [kg]
    cg_vec3 inertia;          // [kg m2] about the body's own axes, which are principal ones
    cg_vec3 position;         // [m] of the centre of mass
    cg_quat rotation;         // unit
    cg_vec3 velocity;         // [m/s]
    cg_vec3 angular_velocity; // [rad/s] in the world's axes
    double mass_damping;      // [1/s]
    int unit_index;           // level on which the unit length of the quaternion is held (dae.h)
} cg_dae_rigid_def;

// A box of this size [m] and density [kg/m3] at the origin, at rest.
cg_dae_rigid_def cg_dae_rigid_def_box(cg_vec3 size, double density);

cg_status cg_dae_rigid_check(const cg_dae_rigid_def *def);

// Place and velocity in the seven unknowns.
void cg_dae_rigid_start(const cg_dae_rigid_def *def, double *x, double *v);

// Angular velocity [rad/s] in body axes.
cg_vec3 cg_dae_rigid_spin(const double *x, const double *v);

// Kinetic energy [J].
double cg_dae_rigid_energy(const cg_dae_rigid_def *def, const double *x, const double *v);

// The answer (element.h).
void cg_dae_rigid_forces(const cg_dae_rigid_def *def, const cg_element_state *state, const cg_element_wish *wish,
                         cg_element_answer *answer);

#endif
