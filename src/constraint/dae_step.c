// A step: Newton's method, in parts where it does not converge, and the projection after it.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "constraint/contact_work.h"
#include "constraint/dae_parts.h"

// A step that does not converge is made in parts, down to this share of it. With 1/64 one or two of 20,000 steps of a
// structure that is driven at random could not be made (`random_steps_stay_sound`, by the seed).
#define LEAST_PART (1.0 / 1024)
// Chord iterations: factors are made anew when an iteration leaves more than this share of the residual.
#define SLOW 0.1
// A step whose full Newton iterations stand still below this multiple of what was asked for has reached rounding.
#define NEARLY 100
// Most iterations of a projection; most passes between contacts and motion.
enum { PROJECTIONS = 20, CONTACT_PASSES = 3 };

static void each_span(cg_dae *dae, void (*call)(cg_spline *, int, const double *))
{
    for (int b = 0; b < dae->body_count; b++) {
        cg_dae_body *body = &dae->bodies[b];
        for (int span = 0; body->kind == CG_DAE_SPLINE && span < body->spline.span_count; span++) {
            call(&body->spline, span, dae->x + body->first + CG_SPLINE_UNKNOWNS * span);
        }
    }
}

static void copy(const cg_dae *dae, double *to, const double *from)
{
    memcpy(to, from, (size_t)dae->unknown_count * sizeof *to);
}

// --- Newton ---

static void move(cg_dae *dae, double h)
{
    for (int i = 0; i < dae->unknown_count; i++) {
        dae->v[i] -= dae->solution[i];
        dae->x[i] = dae->x0[i] + h * dae->v[i];
    }
    for (int k = 0; k < dae->block_count; k++) {
        cg_dae_block *block = &dae->blocks[k];
        for (int row = 0; row < cg_rows_count(&block->rows); row++) {
            block->impulse[row] -= dae->solution[dae->unknown_count + block->first_row + row];
        }
    }
}

typedef enum outcome { DONE, GOING_ON, HOPELESS } outcome;

// Residual and violation before an iteration, in units of what was asked for.
static double distance_to_go(const cg_dae *dae, int iteration)
{
    return fmax(dae->stats.residual[iteration] / dae->def.residual,
                dae->stats.violation[iteration] / dae->def.violation);
}

// Whether the residual noted last is good enough. `fresh`: the factors of the last iteration were its own.
static outcome judge(cg_dae *dae, bool fresh, bool *is_stalled)
{
    int last = dae->stats.history - 1;
    double now = distance_to_go(dae, last);
    if (!(now < 1e200)) {
        return HOPELESS;
    }
    if (now <= 1) {
        return DONE;
    }
    if (last >= 2 && fresh && now < NEARLY && now > 0.5 * distance_to_go(dae, last - 1)) {
        *is_stalled = true;
        return DONE;
    }
    return last >= dae->def.iterations ? HOPELESS : GOING_ON;
}

static bool wants_factors(const cg_dae *dae)
{
    int last = dae->stats.history - 1;
    return !dae->def.keep_factors || last == 0 || distance_to_go(dae, last) > SLOW * distance_to_go(dae, last - 1);
}

static bool factor_again(cg_dae *dae, double h, double late)
{
    if (dae->def.keep_factors) { // otherwise the matrix is there already
        cg_dae_assemble(dae, CG_DAE_TASK_STEP, h, late, true);
    }
    dae->stats.factorisations++;
    return cg_dae_factor(dae, false);
}

static bool converge(cg_dae *dae, double h, double late)
{
    bool is_stalled = false, fresh = false;
    dae->stats.history = 0;
    for (;;) {
        cg_dae_assemble(dae, CG_DAE_TASK_STEP, h, late, !dae->def.keep_factors);
        int at = dae->stats.history++;
        cg_dae_norms(dae, CG_DAE_TASK_STEP, h, &dae->stats.residual[at], &dae->stats.violation[at]);
        outcome now = judge(dae, fresh, &is_stalled);
        if (now != GOING_ON) {
            dae->stats.stalled_steps += now == DONE && is_stalled ? 1 : 0;
            return now == DONE;
        }
        fresh = wants_factors(dae);
        if ((fresh && !factor_again(dae, h, late)) || !cg_dae_solve(dae)) {
            dae->stats.wants_prepare = true;
            return false;
        }
        dae->stats.iterations++;
        move(dae, h);
    }
}

// Contacts along the motion just found, their forces, and the motion with them (contact.h).
static bool collide(cg_dae *dae, double h, double late)
{
    cg_dae_find_contacts(dae);
    for (int pass = 0; pass < CONTACT_PASSES && dae->contact_count > 0; pass++) {
        cg_dae_assemble(dae, CG_DAE_TASK_STEP, h, late, true);
        if (!cg_dae_factor(dae, false) || !cg_dae_couple_contacts(dae)) {
            dae->stats.wants_prepare = true;
            return false;
        }
        double change = cg_dae_solve_places(dae, h);
        if (change <= dae->def.residual) {
            break;
        }
        if (!converge(dae, h, late)) {
            return false;
        }
        cg_dae_measure_contacts(dae);
    }
    if (dae->contact_count > 0) {
        cg_dae_solve_velocities(dae);
    }
    return true;
}

// One part of a step, h long, that ends `late` after the step's end (below 0: before it).
static bool make_part(cg_dae *dae, double h, double late)
{
    copy(dae, dae->x0, dae->x);
    copy(dae, dae->v0, dae->v);
    for (int k = 0; k < dae->block_count; k++) {
        cg_dae_block *block = &dae->blocks[k];
        for (int row = 0; row < CG_ROWS_MOST; row++) {
            block->impulse[row] *= h / block->last_step;
        }
        block->last_step = h;
    }
    each_span(dae, cg_spline_begin_span);
    for (int i = 0; i < dae->unknown_count; i++) {
        dae->v[i] += h * dae->last_a[i]; // a first guess
        dae->x[i] = dae->x0[i] + h * dae->v[i];
    }
    cg_dae_clear_contacts(dae);
    if (converge(dae, h, late) && (dae->pair_count == 0 || collide(dae, h, late))) {
        for (int i = 0; i < dae->unknown_count; i++) {
            dae->last_a[i] = (dae->v[i] - dae->v0[i]) / h;
        }
        each_span(dae, cg_spline_end_span);
        cg_dae_note_touched(dae);
        cg_dae_follow_leaving(dae);
        return true;
    }
    copy(dae, dae->x, dae->x0);
    copy(dae, dae->v, dae->v0);
    memset(dae->last_a, 0, (size_t)dae->unknown_count * sizeof *dae->last_a);
    for (int k = 0; k < dae->block_count; k++) {
        memset(dae->blocks[k].impulse, 0, sizeof dae->blocks[k].impulse);
    }
    return false;
}

// --- projection ---

// New factors for a projection: those of a step that begins here.
static bool factor_here(cg_dae *dae, double h)
{
    cg_dae_assemble(dae, CG_DAE_TASK_STEP, h, 0, true);
    return cg_dae_factor(dae, false);
}

// Newton on g(x) = 0 or g'(v) = 0 by the least change, as the matrix of the step measures it: by masses alone light
// control points would give way, and their stretch would ring. Its rows are G but for what one step changes of it, so
// `has_factors`, those of the step just made, serve as long as they converge quickly.
static bool project(cg_dae *dae, cg_dae_task task, bool has_factors)
{
    double h = dae->def.time_step, motion, rows, before = INFINITY;
    double *to = task == CG_DAE_TASK_POSITION ? dae->x : dae->v;
    for (int turn = 0; turn < PROJECTIONS; turn++) {
        cg_dae_assemble(dae, task, h, 0, false);
        cg_dae_norms(dae, task, h, &motion, &rows);
        if (rows <= dae->def.violation || (rows >= 0.5 * before && rows <= NEARLY * dae->def.violation)) {
            return true;
        }
        if (!has_factors || rows > SLOW * before) {
            has_factors = factor_here(dae, h);
            cg_dae_assemble(dae, task, h, 0, false);
        }
        if (!has_factors || !cg_dae_solve(dae)) {
            dae->stats.wants_prepare = true;
            return false;
        }
        before = rows;
        dae->stats.projections++;
        for (int i = 0; i < dae->unknown_count; i++) {
            to[i] -= dae->solution[i];
        }
    }
    return false;
}

bool cg_dae_project(cg_dae *dae)
{
    copy(dae, dae->v0, dae->v);
    dae->stats.projections = 0;
    return dae->is_prepared && project(dae, CG_DAE_TASK_POSITION, false) && project(dae, CG_DAE_TASK_VELOCITY, false);
}

// --- the step ---

void cg_dae_stand_still(cg_dae *dae)
{
    memset(dae->v, 0, (size_t)dae->unknown_count * sizeof *dae->v);
    memset(dae->last_a, 0, (size_t)dae->unknown_count * sizeof *dae->last_a);
    dae->stats.steps++;
    dae->stats.failed_steps++;
}

cg_status cg_dae_step(cg_dae *dae)
{
    if (!dae->is_prepared) {
        return cg_error(CG_BAD_INPUT, "the system has changed; cg_dae_prepare comes before the next step");
    }
    double h = dae->def.time_step, done = 0, part = 1;
    dae->stats.iterations = dae->stats.factorisations = dae->stats.projections = 0;
    dae->stats.wants_prepare = false;
    dae->stats.steps++;
    while (done < 1 && part >= LEAST_PART) {
        if (make_part(dae, part * h, (done + part - 1) * h)) {
            done += part;
        } else {
            part /= 2;
            cg_dae_find_redundant(dae); // the shape may have become a special one, or have ceased to be one
        }
    }
    dae->stats.split_steps += part < 1 && done >= 1 ? 1 : 0;
    dae->stats.failed_steps += done < 1 ? 1 : 0;
    dae->stats.wants_prepare = dae->stats.wants_prepare || done < 1;
    // Where all iterations make factors of their own, the matrix is newer than the last of them.
    bool has_factors = dae->def.keep_factors && dae->stats.factorisations > 0;
    if (dae->def.project_position) {
        project(dae, CG_DAE_TASK_POSITION, has_factors);
    }
    if (dae->def.project_velocity) {
        project(dae, CG_DAE_TASK_VELOCITY, has_factors);
    }
    dae->stats.pivot_steps += dae->stats.wants_prepare ? 1 : 0;
    return cg_ok();
}
