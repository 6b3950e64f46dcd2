// The Newton solver: a few NNCG iterations, then linearised steps, each tried at three lengths and smoothed by a few
// sweeps. A step that brings nothing is answered by a stronger proximal term and more NNCG; after a few that brought
// nothing or little by the interior-point method, up to twice, which fails on other problems than this one. Where it is
// known to be the better way, that comes first.
#include <math.h>
#include <string.h>

#include "solve/friction_run.h"

static const int FIRST_ITERATIONS = 10;    // NNCG before the first step: often enough for a calm thread
static const int FEW_CONTACTS = 3;         // for so few, sweeps are done before a step is set up:
static const int FEW_ITERATIONS = 100;     // NNCG before the first step then
static const int MANY_CONTACTS = 16;       // from here on the interior-point method may come first
static const int SWEEPS_AFTER_STEP = 6;    // without them a third of real problems stalls
static const int RECOVERY_ITERATIONS = 30; // NNCG after a step that brought nothing; doubled until one does
static const int MOST_RECOVERY = 1 << 20;  // only keeps the number in its range
static const int SHARE_WHEN_ENOUGH = 5;    // by which the budget is divided then
static const double FIRST_PROXIMAL = 1e-5; // anything from 1e-7 to 1e-5 does the same
static const double LEAST_PROXIMAL = 1e-9; // below it rounding decides between redundant contacts
static const double MOST_PROXIMAL = 0.01;  // above it a step hardly moves
static const double SHORTER = 0.4;         // ratio of the lengths tried
static const double SHORT = 0.2;           // only the shortest of them is below
static const double GOOD_ENOUGH = 0.8;     // of the old merit: no shorter step is tried
static const double ACCEPTABLE = 0.95;     // of the old merit
static const double RESCUE_ACCEPTABLE = 3; // times the present residual
enum { MOST_RESCUES = 2 };

typedef struct newton_state {
    double merit;  // |e| over all contacts [m]
    double record; // the least merit of an accepted step
    double proximal;
    int recovery; // NNCG iterations of the next rejected step
    int troubles; // steps that brought nothing, or only at the shortest length
    int rescues;  // times the interior-point method was called
} newton_state;

static double merit_of(const cg_friction_run *run, const double *force, const double *motion)
{
    double squares;
    return isfinite(cg_friction_error(run, force, motion, &squares)) ? sqrt(squares) : HUGE_VAL;
}

// Puts the forces of a step into their cones and smooths them by sweeps, unless they are good enough already. Returns
// their merit.
static double smooth(cg_friction_run *run, double *force, double *motion)
{
    cg_friction_project(run, force);
    cg_friction_move(run->problem, force, motion);
    run->result.work += cg_friction_move_work(run);
    if (!(cg_friction_error(run, force, motion, NULL) <= run->tolerance)) {
        for (int s = 0; s < SWEEPS_AFTER_STEP; s++) {
            cg_friction_sweep_once(run, force, motion);
        }
        run->result.iterations += SWEEPS_AFTER_STEP;
    }
    return merit_of(run, force, motion);
}

// Tries the step in work->step_force at three lengths; leaves the best one in good_force and good_motion. Returns its
// merit; *length gets its length.
static double search_along_step(cg_friction_run *run, double old_merit, double *length)
{
    cg_friction_work *work = run->work;
    int size = 3 * run->problem->count;
    double best = HUGE_VAL, share = 1;
    for (int k = 0; k < 3 && best >= GOOD_ENOUGH * old_merit; k++, share *= SHORTER) {
        for (int i = 0; i < size; i++) {
            work->trial_force[i] = work->force[i] + share * (work->step_force[i] - work->force[i]);
        }
        double merit = smooth(run, work->trial_force, work->trial_motion);
        if (merit < best) {
            best = merit;
            *length = share;
            double *swap = work->good_force;
            work->good_force = work->trial_force;
            work->trial_force = swap;
            swap = work->good_motion;
            work->good_motion = work->trial_motion;
            work->trial_motion = swap;
        }
    }
    return best;
}

static void accept(cg_friction_run *run, newton_state *state, double merit, double length)
{
    cg_friction_work *work = run->work;
    double *swap = work->force;
    work->force = work->good_force;
    work->good_force = swap;
    swap = work->motion;
    work->motion = work->good_motion;
    work->good_motion = swap;
    state->merit = merit;
    if (merit < state->record) { // otherwise steps and recoveries may go round in circles
        state->record = merit;
        state->recovery = RECOVERY_ITERATIONS;
    }
    if (length == 1) {
        state->proximal = fmax(0.3 * state->proximal, LEAST_PROXIMAL);
    }
}

// The interior-point method from the best forces: of an even problem at first with the shift held, as it is symmetric
// then. True when its answer was taken.
static bool rescue(cg_friction_run *run, newton_state *state)
{
    cg_friction_work *work = run->work;
    run->result.rescues++;
    state->troubles = 0;
    bool follows = run->problem->is_uneven || state->rescues > 0;
    state->rescues++;
    double residual = cg_friction_interior(run, follows, work->trial_force, work->trial_motion);
    if (!(residual < RESCUE_ACCEPTABLE * run->residual)) {
        return false;
    }
    memcpy(work->force, work->trial_force, 3 * (size_t)run->problem->count * sizeof(double));
    cg_friction_project(run, work->force);
    cg_friction_move(run->problem, work->force, work->motion);
    for (int s = 0; s < 2; s++) {
        cg_friction_sweep_once(run, work->force, work->motion);
    }
    run->result.iterations += 2;
    run->result.work += cg_friction_move_work(run);
    state->proximal = FIRST_PROXIMAL;
    state->recovery = RECOVERY_ITERATIONS;
    return true;
}

// Calls the interior-point method when Newton has had its share of trouble, up to twice.
static bool rescue_in_trouble(cg_friction_run *run, newton_state *state)
{
    if (state->rescues == MOST_RESCUES || state->troubles < run->options->patience || !cg_friction_may_work(run)) {
        return false;
    }
    bool taken = rescue(run, state);
    state->merit = merit_of(run, run->work->force, run->work->motion);
    return taken;
}

static void recover(cg_friction_run *run, newton_state *state)
{
    state->troubles++;
    if (!rescue_in_trouble(run, state)) {
        state->proximal = fmin(10 * state->proximal, MOST_PROXIMAL);
        cg_friction_iterate(run, state->recovery);
        state->recovery = state->recovery < MOST_RECOVERY ? 2 * state->recovery : MOST_RECOVERY;
    }
    state->merit = merit_of(run, run->work->force, run->work->motion);
}

static bool has_budget(const cg_friction_run *run)
{
    const cg_friction_options *options = run->options;
    int share = run->best_residual <= options->enough * run->problem->length_scale ? SHARE_WHEN_ENOUGH : 1;
    return cg_friction_may_work(run) && share * run->result.iterations < options->max_iterations &&
           share * run->result.newton_steps < options->max_newton_steps && run->result.pivots < options->max_pivots;
}

// Many contacts that are far from balance, all of them likely to carry: Newton would only lose its way.
static bool is_hopeless(const cg_friction_run *run)
{
    const cg_friction_options *options = run->options;
    return options->far > 0 && run->problem->count >= MANY_CONTACTS &&
           run->best_residual > options->far * run->problem->length_scale;
}

cg_friction_result cg_friction_newton(const cg_friction_problem *problem, const cg_friction_options *options,
                                      cg_friction_work *work)
{
    cg_friction_run run;
    if (!cg_friction_begin(&run, problem, options, work)) {
        return run.result;
    }
    bool done = run.residual <= run.tolerance && options->min_iterations <= 0;
    if (!done) {
        int first = problem->count <= FEW_CONTACTS ? FEW_ITERATIONS : FIRST_ITERATIONS;
        done = cg_friction_iterate(&run, options->min_iterations > first ? options->min_iterations : first);
    }
    newton_state state = {.record = HUGE_VAL, .proximal = FIRST_PROXIMAL, .recovery = RECOVERY_ITERATIONS};
    state.merit = merit_of(&run, work->force, work->motion);
    if (!done && is_hopeless(&run)) {
        state.troubles = options->patience;
        rescue_in_trouble(&run, &state);
        done = cg_friction_judge(&run);
    }
    while (!done && has_budget(&run)) {
        run.result.newton_steps++;
        double merit = HUGE_VAL, length = 0;
        if (cg_friction_linearise(&run, state.proximal)) {
            merit = search_along_step(&run, state.merit, &length);
        }
        if (merit < ACCEPTABLE * state.merit) {
            accept(&run, &state, merit, length);
            state.troubles += length < SHORT;
            if (length < SHORT && !cg_friction_judge(&run)) {
                rescue_in_trouble(&run, &state);
            }
        } else {
            recover(&run, &state);
        }
        done = cg_friction_judge(&run);
    }
    return cg_friction_end(&run);
}
