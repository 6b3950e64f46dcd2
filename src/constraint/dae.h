// Bodies and constraints as one differential-algebraic system:
//
//     x' = v,     f(x, v, x'') - G(x)^T lambda = 0,     g(x) = 0,     G = dg/dx,
//
// where f is all that acts on a body, its inertia included (element.h). Each constraint is held on one of three levels,
// its index: 3 holds g = 0, 2 holds g' = 0, 1 holds g'' = 0. A step is backward Euler,
//
//     x1 = x0 + h v1,     a1 = (v1 - v0) / h,
//
// solved by Newton's method for v1 and the impulses h lambda; G + k h G' + ... are the rows (dae_assemble.c). After it
// a projection may bring x onto g = 0 and v onto g' = 0, by the least motion as the matrix of the step measures it.
//
// Bodies, abscissas and constraints are added between steps; then cg_dae_prepare looks for rows that say nothing new (a
// closed loop has them: they are counted, and their multipliers are zero), and orders unknowns and pivots. A step takes
// no memory. When it finds that the order of the pivots has become a bad one it says so (`wants_prepare`).
#ifndef CATGUT_CONSTRAINT_DAE_H
#define CATGUT_CONSTRAINT_DAE_H

#include <stdint.h>

#include "base/archive.h"
#include "constraint/rigid_element.h"
#include "constraint/row.h"
#include "constraint/sheet.h"
#include "constraint/spline_thread.h"

typedef struct cg_dae cg_dae;

typedef enum cg_dae_multipliers {
    CG_DAE_MULTIPLIERS_UNKNOWN,    // solved for together with the velocities
    CG_DAE_MULTIPLIERS_ELIMINATED, // a dense system of their own (and of the abscissas), the bodies eliminated from it
    CG_DAE_ALL_DENSE // everything in one dense matrix with complete pivoting, as the source work did: for comparison
} cg_dae_multipliers;

typedef struct cg_dae_def {
    double time_step; // [s]
    cg_vec3 gravity;  // [m/s2]
    double residual;  // [N s] norm of the equations of motion at which a step is done
    double violation; // the same of the constraints, each on its own level
    int iterations;   // most of a step, 1 to CG_DAE_HISTORY - 1
    cg_dae_multipliers multipliers;
    bool keep_factors; // factor once a step and again only when convergence is slow (a chord iteration)
    bool project_position, project_velocity; // after each step
    cg_allocator allocator;
} cg_dae_def;

// Steps of 1 ms, gravity along -z, 1e-12 and 1e-12, 20 iterations of full Newton, both projections.
cg_dae_def cg_dae_def_default(void);

cg_status cg_dae_create(const cg_dae_def *def, cg_dae **dae);
void cg_dae_destroy(cg_dae *dae);

// --- bodies ---

cg_status cg_dae_add_spline(cg_dae *dae, const cg_spline_def *def, int *body);
cg_status cg_dae_add_rigid(cg_dae *dae, const cg_dae_rigid_def *def, int *body);
// Damping: sheet.h. Fixed nodes of the mesh stand still.
cg_status cg_dae_add_sheet(cg_dae *dae, const cg_mesh *mesh, double mass_damping, double stiffness_damping, int *body);
// An abscissa on a spline that moves freely, without mass. It is a body of one unknown.
cg_status cg_dae_add_abscissa(cg_dae *dae, int spline, double u, int *body);

// --- parts of bodies ---

cg_part cg_dae_given(cg_vec3 place);
cg_part cg_dae_node(const cg_dae *dae, int sheet, int node);
// Weights that sum to 1 make a point of a triangle; -1, 1, 0 makes an edge.
cg_part cg_dae_nodes(const cg_dae *dae, int sheet, const int nodes[3], const double weights[3]);
// order 0: the point at u; order 1: the tangent dp/du.
cg_part cg_dae_on_spline(const cg_dae *dae, int spline, double u, int order);
cg_part cg_dae_sliding(const cg_dae *dae, int spline, int abscissa, int order);
cg_part cg_dae_point(const cg_dae *dae, int rigid, cg_vec3 arm);
// The point of a body that is at a place in space, now.
cg_part cg_dae_point_at(const cg_dae *dae, int rigid, cg_vec3 place);
cg_part cg_dae_arrow(const cg_dae *dae, int rigid, cg_vec3 direction);

// --- constraints ---

// index: 3, 2 or 1. The number stays valid until constraints are removed.
cg_status cg_dae_add_rows(cg_dae *dae, const cg_rows *rows, int index, int *constraint);
// Two rows: the tangent at u keeps its direction; its stretch is free.
cg_status cg_dae_add_direction(cg_dae *dae, int spline, double u, cg_vec3 direction, int index);
// Two bodies joined at a place in space, now; a hinge turns about an axis in space, now. Body -1 is the room.
cg_status cg_dae_add_ball(cg_dae *dae, int first, int second, cg_vec3 place, int index);
cg_status cg_dae_add_hinge(cg_dae *dae, int first, int second, cg_vec3 place, cg_vec3 axis, int index);
// The suturing constraint: the thread passes through a point of a triangle, which slides along it, and keeps the angles
// that it has now with two edges of the triangle. Five rows and a new abscissa, now at u.
cg_status cg_dae_add_stitch(cg_dae *dae, int spline, double u, int sheet, int triangle, const double weights[3],
                            int index, int *abscissa);
// The same with an abscissa that is there and that nothing acts on; it begins at u.
cg_status cg_dae_stitch(cg_dae *dae, int abscissa, double u, int sheet, int triangle, const double weights[3],
                        int index);
// Takes away all constraints that act on an abscissa; the abscissa then stands still.
void cg_dae_release_abscissa(cg_dae *dae, int abscissa);
// Where the given part of a constraint will be at the end of the coming step.
void cg_dae_drive(cg_dae *dae, int constraint, cg_vec3 place, cg_vec3 speed, cg_vec3 acceleration);
// Where it is told to be; false when the constraint has none.
bool cg_dae_given_place(const cg_dae *dae, int constraint, cg_vec3 *place);
// The number that a constraint of one row keeps.
double cg_dae_constant(const cg_dae *dae, int constraint);
void cg_dae_set_constant(cg_dae *dae, int constraint, double constant);

// --- stepping ---

// Between steps, after something was added or taken away, or when a step wants it.
cg_status cg_dae_prepare(cg_dae *dae);

enum { CG_DAE_HISTORY = 64 };

typedef struct cg_dae_stats {
    int unknowns, rows;               // of the system
    int redundant_rows;               // that say nothing new
    int entries;                      // of the matrix
    int iterations;                   // of the last step, all its parts together
    int factorisations;               // of the last step
    double residual[CG_DAE_HISTORY];  // |f h + ...| [N s] before each iteration of the last part of the last step
    double violation[CG_DAE_HISTORY]; // of the constraints on their levels
    int history;                      // how many of both
    int projections;                  // iterations of the last step's projections
    bool wants_prepare;               // the pivots have become bad
    int moved_pivots;                 // that are not on the diagonal: they depend on when the system was prepared
    uint64_t steps, split_steps;      // all; those that had to be made in parts
    uint64_t failed_steps;            // those that could not be made: everything stood still
    uint64_t stalled_steps;           // those that ended at rounding, above the residual asked for
    uint64_t pivot_steps;             // those that asked for new pivots
    uint64_t contact_troubles;        // complementarity problems without a solution: no force then
} cg_dae_stats;

cg_status cg_dae_step(cg_dae *dae);
// A step in which nothing moves, because the system could not be prepared: it counts as failed.
void cg_dae_stand_still(cg_dae *dae);
cg_dae_stats cg_dae_get_stats(const cg_dae *dae);

// How long steps are, and what pulls, from the next step on.
void cg_dae_set_step(cg_dae *dae, double time_step, cg_vec3 gravity);

// Brings x onto g = 0 and v onto g' = 0. Returns false when that did not come to an end.
bool cg_dae_project(cg_dae *dae);

// --- state ---

int cg_dae_unknown_count(const cg_dae *dae);
int cg_dae_first_unknown(const cg_dae *dae, int body);
double *cg_dae_places(cg_dae *dae);
double cg_dae_place(const cg_dae *dae, int unknown);
double *cg_dae_velocities(cg_dae *dae);
cg_vec3 cg_dae_part_place(const cg_dae *dae, const cg_part *part);
cg_vec3 cg_dae_part_speed(const cg_dae *dae, const cg_part *part);
const cg_spline *cg_dae_spline(const cg_dae *dae, int body);
const cg_sheet *cg_dae_sheet(const cg_dae *dae, int body);

// The forces of a constraint [N], as it acts along its rows: -G^T force on the bodies.
void cg_dae_force(const cg_dae *dae, int constraint, double force[CG_ROWS_MOST]);
// |g|, |g'| and |g''| over all constraints, as the last step left them.
void cg_dae_violations(const cg_dae *dae, double norms[3]);
// A force [N] that acts on a point until the pushes are cleared.
void cg_dae_push(cg_dae *dae, const cg_part *part, cg_vec3 force);
void cg_dae_clear_pushes(cg_dae *dae);

// Of places, velocities, multipliers and frames: the same bits, the same number.
uint64_t cg_dae_hash(const cg_dae *dae);

// dae_state.c: all that the coming steps depend on, for a system with the same bodies and constraints; `blocks` of
// these (a saved state may have others, which a check only walks over).
void cg_dae_visit_state(cg_archive *archive, cg_dae *dae, int blocks);
// How many constraints there are.
int cg_dae_constraint_count(const cg_dae *dae);
// After a state was loaded: prepares anew and keeps which rows are redundant, so that the same bits follow.
cg_status cg_dae_after_load(cg_dae *dae);

#endif
