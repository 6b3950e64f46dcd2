// What the friction solvers share: one call's state, the residual, sweeps. Only for src/solve.
#ifndef CATGUT_SOLVE_FRICTION_RUN_H
#define CATGUT_SOLVE_FRICTION_RUN_H

#include "solve/friction.h"

// A contact's own block g of the coupling, ready for use.
typedef struct cg_friction_contact {
    double friction;                           // mu
    double normal;                             // g_nn
    double inverse_normal;                     // 1/g_nn; 0 where no force can move the contact
    double normal_1, normal_2;                 // g_nt
    double inverse_11, inverse_12, inverse_22; // of g_tt, kept away from singular
    double tangent;                            // s: the larger eigenvalue of g_tt
    double inverse_tangent;                    // 1/s; 0 where no force can move the contact sideways
} cg_friction_contact;

// One call of a solver. The iterate is work->force with its motion in work->motion.
typedef struct cg_friction_run {
    const cg_friction_problem *problem;
    const cg_friction_options *options;
    cg_friction_work *work;
    double tolerance;     // [m]
    double residual;      // of the iterate [m]
    double best_residual; // of work->best_force [m]
    bool is_exact;        // best_residual is free of what adds up while motions are kept from sweep to sweep
    cg_friction_result result;
} cg_friction_run;

// Multiply-adds when one contact's force changes: its columns are added to all motions. Columns of a matrix that no
// cache of a core holds cost up to four times as much, and are counted so; and finding the force costs as much as 256.
static inline int64_t cg_friction_contact_work(const cg_friction_run *run)
{
    int64_t size = 3 * (int64_t)run->problem->count;
    return 256 + (size > 600 ? 12 * size : 3 * size);
}

// And when all change: a motion worked out afresh.
static inline int64_t cg_friction_move_work(const cg_friction_run *run)
{
    return run->problem->count * cg_friction_contact_work(run);
}

// True while the call may go on by the bound on its work.
static inline bool cg_friction_may_work(const cg_friction_run *run)
{
    return run->options->max_work == 0 || run->result.work < run->options->max_work;
}

// Takes the problem in: blocks, warm start put into its cones, motion, residual. False, with a result that says so and
// forces of zero, when the problem is empty or has numbers that are not finite.
bool cg_friction_begin(cg_friction_run *run, const cg_friction_problem *problem, const cg_friction_options *options,
                       cg_friction_work *work);

// Writes the best forces of the call out, with a residual that is worked out afresh.
cg_friction_result cg_friction_end(cg_friction_run *run);

// motion = c + Q force.
void cg_friction_move(const cg_friction_problem *problem, const double *force, double *motion);

// Largest |e| over the contacts [m]; NaN when something is not finite. *sum_of_squares gets |e|^2 over all of them.
double cg_friction_error(const cg_friction_run *run, const double *force, const double *motion, double *sum_of_squares);

// Puts forces into their cones.
void cg_friction_project(const cg_friction_run *run, double *force);

// One sweep of projected Gauss-Seidel over force and motion.
void cg_friction_sweep_once(cg_friction_run *run, double *force, double *motion);

// Works out the residual of the iterate and remembers it when it is the best so far. True when it is good enough, and
// still is with its motion worked out afresh.
bool cg_friction_judge(cg_friction_run *run);

// Up to `count` iterations of NNCG on the iterate, within the budget and at least down to the minimum of the options.
// True when the tolerance is reached.
bool cg_friction_iterate(cg_friction_run *run, int count);

// One linearised problem: fills work->step_force. False when it has no solution that could be found.
bool cg_friction_linearise(cg_friction_run *run, double proximal);

// Interior-point steps from the best forces so far, whose shift is held through a step or follows the slip: dearer, and
// hard to mislead. Leaves its best forces in `force`; returns their residual [m], infinite when it got nowhere.
double cg_friction_interior(cg_friction_run *run, bool follows, double *force, double *motion);

// Memory of the linearised problem and of the interior-point method.
void cg_friction_linear_layout(cg_friction_work *work, cg_arena *arena);

#endif
