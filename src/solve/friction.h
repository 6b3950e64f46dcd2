// Coulomb friction at many contacts at once, as a nonlinear complementarity problem.
//
// M contacts, each with its own frame (n, t1, t2). The motion d of one side against the other follows from the forces:
//
//     d = c + Q f,      f = (f_n, f_t1, f_t2) for each contact [N],     c, d the same way [m]
//
// Q is positive semidefinite, 3M x 3M, column after column without gaps; c is the motion without contact forces, and
// c_n also holds the present gap, so that d_n is the gap after the motion. Q is symmetric unless the problem says
// otherwise: what slides with friction somewhere else answers a force here by another motion there than a force there
// does here, and then it is not shown that Q is semidefinite too. Wanted is f with
//
//     0 <= f_n,  0 <= d_n,  f_n d_n = 0;     |f_t| <= mu f_n,  and where d_t is not zero, f_t = -mu f_n d_t / |d_t|.
//
// The residual is the natural map. With g the contact's own 3x3 block of Q, s the larger eigenvalue of g_tt, and P the
// projection on the disc of radius s mu max(0, f_n):
//
//     e_n = min(g_nn f_n, d_n)          e_t = s f_t - P(s f_t - d_t)
//
// Both are lengths and vanish exactly at a solution. The residual of a problem is the largest |(e_n, e_t)| over its
// contacts, in units of the length scale (the radius of the thread).
//
// Every function repeats to the bit; budgets are counts. Nothing allocates while solving.
//
// What cannot be solved is said, not asserted: coefficients that are not finite, a wedge without room. The result is
// then not converged, and the forces are finite and inside their cones. A contact that no force can move (g_nn = 0)
// gets no force.
#ifndef CATGUT_SOLVE_FRICTION_H
#define CATGUT_SOLVE_FRICTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

// Contacts that the Newton solver can hold in its equations; problems with more carrying contacts are left to sweeps.
enum { CG_FRICTION_NEWTON_LIMIT = 160 };

typedef struct cg_friction_problem {
    int count;              // contacts, >= 0 and at most the max_count of the work memory
    const double *coupling; // Q [m/N], 9 count^2, by columns
    const double *motion;   // c [m], 3 count
    const double *friction; // mu, count; >= 0
    double length_scale;    // [m], > 0: radius of the thread
    double *force;          // [N], 3 count: warm start in, solution out
    bool is_uneven;         // Q is not symmetric
} cg_friction_problem;

typedef struct cg_friction_options {
    double tolerance;     // stop below this residual, in units of the length scale; > 0
    int max_iterations;   // sweeps over all contacts, of every kind together
    int min_iterations;   // sweeps that are made even when the start is within the tolerance: without them a held
                          // thread creeps by the tolerance in every step
    int max_newton_steps; // linearised problems, interior-point steps included
    int max_pivots;       // exchanges of a basis, over all Newton steps
    int patience;         // Newton steps rejected, or cut to the shortest, before the interior-point method
    double far;           // above this residual, in units of the length scale, the interior-point method comes before
                          // Newton where contacts are many: right when nearly all of them carry; 0: nothing is far
    int64_t max_work; // multiply-adds of the whole call, roughly (docs/contact.md): past them the best forces so far
                      // are the answer; 0: no bound
    double enough;    // below this residual a fifth of the sweeps and Newton steps must do; 0: nothing is enough
} cg_friction_options;

typedef struct cg_friction_result {
    int iterations;   // sweeps made
    int newton_steps; // linearised problems solved, interior-point steps included
    int pivots;       // exchanges of a basis
    int rescues;      // times the interior-point method was called
    int64_t work;     // multiply-adds, counted by the sizes of what was done
    double residual;  // of the forces that are returned, in units of the length scale; infinite when there is none
    bool converged;   // residual <= tolerance
} cg_friction_result;

// Work memory. What is inside concerns only src/solve.
typedef struct cg_friction_work {
    int max_count;
    int newton_limit; // most contacts in the linearised problem
    // Vectors of 3 max_count.
    double *force, *motion;                          // the iterate and its d
    double *direction, *direction_motion;            // of NNCG: p and Q p
    double *old_force, *old_motion;                  // before a sweep
    double *trial_force, *trial_motion, *step_force; // of a Newton step
    double *good_force, *good_motion;                // the best trial of a line search
    double *best_force;                              // the best iterate of the call
    struct cg_friction_contact *contacts;            // max_count
    struct cg_friction_linear *linear;               // one
    // Groups.
    int *parent, *group, *member;                                         // max_count each
    double *group_coupling, *group_motion, *group_friction, *group_force; // a group's own problem
} cg_friction_work;

// tolerance 0.001; 2000 sweeps, at least 10; 60 Newton steps, 4000 pivots; patience 3 (less calls the dear method too
// often, more wastes steps).
cg_friction_options cg_friction_options_default(void);

// Carves the work memory for problems of up to max_count contacts, or measures it (see base/arena.h). About
// 72 max_count^2 bytes for groups, and as much again for Newton up to its limit.
void cg_friction_layout(cg_friction_work *work, int max_count, cg_arena *arena);

// The residual of problem->force as it stands; infinite when something is not finite.
double cg_friction_residual(const cg_friction_problem *problem, cg_friction_work *work);

// Projected Gauss-Seidel in column form: d is kept, a contact that changes its force adds its columns to d, and one
// that is open costs a comparison.
cg_friction_result cg_friction_sweep(const cg_friction_problem *problem, const cg_friction_options *options,
                                     cg_friction_work *work);

// The same sweeps as steps of a nonsmooth nonlinear conjugate gradient method. Needs no product with Q of its own.
cg_friction_result cg_friction_nncg(const cg_friction_problem *problem, const cg_friction_options *options,
                                    cg_friction_work *work);

// A few NNCG iterations, which are all that a calm problem or a few contacts need; then Newton on stick, slip and slip
// direction, where pivoting finds which contacts carry (src/solve/lcp.h). Where more contacts carry than the limit,
// NNCG goes on alone.
cg_friction_result cg_friction_newton(const cg_friction_problem *problem, const cg_friction_options *options,
                                      cg_friction_work *work);

// The default: finds the groups that do not feel each other and solves each by cg_friction_newton.
// iterations, newton_steps, pivots and work are sums over the groups; every group has the whole budget of the options,
// but for the work, which is that of all.
cg_friction_result cg_friction_solve(const cg_friction_problem *problem, const cg_friction_options *options,
                                     cg_friction_work *work);

// The same with groups that the caller knows: contact i belongs to group[i], 0 <= group[i] < group_count, and blocks
// of the coupling between different groups are taken as zero.
cg_friction_result cg_friction_solve_groups(const cg_friction_problem *problem, const int *group, int group_count,
                                            const cg_friction_options *options, cg_friction_work *work);

// Numbers the groups of contacts that are connected by blocks of Q that are not zero: group[i] for each contact, in
// the order of each group's first contact. Returns how many there are.
int cg_friction_groups(const cg_friction_problem *problem, int *group, cg_friction_work *work);

#endif
