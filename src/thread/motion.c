// The verbs of a step, in the order in which the world calls them.
//
//     begin, then for each Newton pass: assemble, factorise, solve, move; then finish
//
// A pass is a new linearisation of the same implicit step: all passes measure inertia, drag and damping from its start.
#include <string.h>

#include "base/frame.h"
#include "base/vec3.h"
#include "thread/model.h"
#include "thread/roll.h"
#include "thread/slide.h"
#include "thread/thread.h"

static void gather_applied_forces(cg_thread *thread, const cg_step_context *context)
{
    bool pushed = false;
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->applied[i] = v3_add_scaled(thread->force[i], thread->mass[i], context->gravity);
        pushed = pushed || v3_dot(thread->force[i], thread->force[i]) > 0;
    }
    for (int i = 0; i < thread->segment_count; i++) {
        if (v3_dot(thread->moment[i], thread->moment[i]) > 0) {
            cg_vec3 couple = v3_cross(thread->moment[i], thread->shape.tangent[i]);
            couple = v3_scale(thread->shape.inverse[i], couple);
            thread->applied[i] = v3_sub(thread->applied[i], couple);
            thread->applied[i + 1] = v3_add(thread->applied[i + 1], couple);
            pushed = true;
        }
    }
    thread->isolated = !pushed && thread->grips == NULL && cg_slide_count(thread) == 0;
}

// Damping resists a change of shape, not a turn of the whole: what it aims at is carried along by the segments.
static void note_start_shape(cg_thread *thread)
{
    const cg_thread_shape *shape = &thread->shape;
    int last = thread->segment_count;
    memcpy(thread->start, shape->position, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    memcpy(thread->start_angle, shape->angle, sizeof(double) * (size_t)thread->segment_count);
    memcpy(thread->start_length, shape->length, sizeof(double) * (size_t)thread->segment_count);
    for (int j = 0; thread->damping_time > 0 && j <= last; j++) {
        thread->damp_ahead[j] =
            v3_scale(shape->firmness[j < last ? j : last - 1], shape->tangent[j < last ? j : last - 1]);
        thread->damp_behind[j] = v3_scale(shape->firmness[j > 0 ? j - 1 : 0], shape->tangent[j > 0 ? j - 1 : 0]);
    }
}

static void carry_damping_targets(cg_thread *thread, const cg_thread_shape *before, const cg_thread_shape *after)
{
    for (int j = 1; j < thread->segment_count; j++) {
        thread->damp_ahead[j] =
            parallel_transport(thread->damp_ahead[j], before->tangent[j - 1], after->tangent[j - 1]);
        thread->damp_behind[j] = parallel_transport(thread->damp_behind[j], before->tangent[j], after->tangent[j]);
    }
}

// The tensions of the present shape, with which a step begins.
static void note_pulls(cg_thread *thread)
{
    const cg_thread_shape *shape = &thread->shape;
    for (int i = 0; i < thread->segment_count; i++) {
        thread->foreseen_pull[i] = thread->stretch_rate[i] * (shape->length[i] - thread->rest_length[i]);
    }
}

// The tensions to which that share of the motion leads in its linear equations.
static void foresee_pulls(cg_thread *thread, double share)
{
    const cg_thread_shape *shape = &thread->shape;
    for (int i = 0; i < thread->segment_count; i++) {
        double longer = v3_dot(shape->tangent[i], v3_sub(thread->move[i + 1], thread->move[i]));
        double pull = thread->stretch_rate[i] * (shape->length[i] + longer - thread->rest_length[i]);
        thread->foreseen_pull[i] += share * (pull - thread->foreseen_pull[i]);
    }
}

bool cg_thread_holds_move(const cg_thread *thread)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->held[i] && v3_distance(thread->target[i], thread->shape.position[i]) > 0) {
            return true;
        }
    }
    return false;
}

void cg_thread_begin_step(cg_thread *thread, const cg_step_context *context)
{
    if (thread->model != NULL) {
        cg_model_begin_step(thread);
        return;
    }
    if (thread->slide != NULL) {
        cg_slide_begin_step(thread);
    }
    gather_applied_forces(thread, context);
    note_start_shape(thread);
    note_pulls(thread);
    thread->isolated = thread->isolated && thread->inertia == CG_TRUE_MASS && !cg_thread_holds_move(thread);
    cg_inertia_begin(thread, context);
    thread->start_energy = thread->isolated ? cg_thread_total_energy(thread, context->gravity) : 0;
    thread->done = thread->gave_up = thread->refused = thread->touched = thread->cautious = false;
    thread->correction = 0;
    thread->share = 1;
    thread->passes = 0;
    cg_spin_note(thread);
}

// The exact matrix where it is positive. Where it is not (a thread about to buckle), the cautious one.
void cg_thread_factorise(cg_thread *thread, const cg_step_context *context)
{
    cg_band_factorise(&thread->factor, thread->rows);
    if (thread->factor.weak_pivots > 0 && !thread->cautious) {
        thread->cautious = true;
        cg_thread_assemble(thread, context);
        cg_thread_eliminate_holds(thread);
        cg_band_factorise(&thread->factor, thread->rows);
    }
    if (thread->slide != NULL) {
        cg_slide_find_responses(thread);
    }
}

// The shape after `share` of the move, in thread->trial.
static void try_move(cg_thread *thread, double share)
{
    cg_thread_shape *trial = &thread->trial;
    for (int i = 0; i < thread->vertex_count; i++) {
        trial->position[i] = v3_add_scaled(thread->shape.position[i], share, thread->move[i]);
        if (thread->held[i] && share == 1.0) {
            trial->position[i] = thread->target[i];
        }
    }
    cg_shape_measure(thread, trial, &thread->shape);
    if (thread->twisting) {
        cg_twist_follow(thread, trial, &thread->shape, share);
    }
}

// The turns of a pass go with the first motion that is found in it. Friction then keeps the slip to what it found,
// while later motions of the same pass only change the forces.
static void turn_along(cg_thread *thread)
{
    if (!thread->foreseen) {
        memset(thread->turn, 0, sizeof *thread->turn * (size_t)thread->segment_count);
        try_move(thread, 1.0);
        cg_roll_foresee(thread, &thread->trial);
    }
    cg_roll_solve(thread);
}

void cg_thread_solve(cg_thread *thread)
{
    // Contact forces come on top of the right-hand side, which stays as it was assembled. A held vertex feels none: its
    // hold takes them.
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->move[i] = thread->held[i] ? thread->rhs[i] : v3_add(thread->rhs[i], thread->contact[i]);
    }
    cg_band_solve(&thread->factor, thread->move, thread->move);
    if (thread->slide != NULL) {
        cg_slide_solve(thread);
    }
    if (thread->rolling) {
        turn_along(thread);
    }
    cg_thread_find_hold_forces(thread);
}

// True when that share of the motion leads nowhere beyond `most` [m], and all numbers are finite.
static bool leads_within(const cg_thread *thread, double share, double most)
{
    bool is_near = true;
    double sum = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 there = v3_add_scaled(thread->shape.position[i], share, thread->move[i]);
        is_near = is_near && v3_dot(there, there) <= most * most;
    }
    for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
        sum += 1e-100 * thread->turn[i];
    }
    return is_near && fabs(sum) < HUGE_VAL;
}

void cg_thread_shorten(cg_thread *thread, double share)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->move[i] = v3_scale(share, thread->move[i]);
    }
    for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
        thread->turn[i] *= share;
    }
    if (thread->slide != NULL) {
        cg_slide_shorten(thread, share);
    }
}

// Contacts may still shorten a motion that leads beyond all places; not one whose squares are infinite.
void cg_thread_refuse_bad_move(cg_thread *thread)
{
    if (!leads_within(thread, 1.0, 1e100)) {
        thread->done = thread->refused = true;
        memset(thread->move, 0, sizeof *thread->move * (size_t)thread->vertex_count);
    }
}

// Of the step's potential.
static double slope_along_move(const cg_thread *thread)
{
    double slope = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        slope -= v3_dot(thread->rhs[i], thread->move[i]);
    }
    return slope;
}

// Halves the move until it lowers the step's potential enough. Returns the share taken, 0 when none helps.
static double search_line(cg_thread *thread, const cg_step_context *context)
{
    const double enough = 1e-4, rounding = 1e-13;
    double here = cg_thread_step_potential(thread, &thread->shape, context), slope = slope_along_move(thread);
    for (double share = 1.0; share > 1e-9; share *= 0.5) {
        try_move(thread, share);
        double there = cg_thread_step_potential(thread, &thread->trial, context);
        if (there <= here + enough * share * slope + rounding * fabs(here)) {
            return share;
        }
    }
    return 0;
}

static cg_vec3 common_motion(const cg_thread *thread)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        sum = v3_add(sum, thread->move[i]);
    }
    return v3_scale(1.0 / thread->vertex_count, sum);
}

// The largest motion of a vertex, less what is taken off all of them.
static double largest_motion(const cg_thread *thread, cg_vec3 off)
{
    double largest = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 motion = v3_sub(thread->move[i], off);
        double square = v3_dot(motion, motion);
        largest = square > largest ? square : largest;
    }
    return sqrt(largest);
}

// A pass whose linear equations miss no strain above this is the last one: the next would put right a false pull of EA
// times this. A hundred times more, and energy appears; a hundred times less costs a pass in every step.
static const double SETTLED_STRAIN = 1e-6;
// Or none above this share of the largest strain there is: a false pull beside a much larger true one.
static const double SETTLED_SHARE = 0.01;
// Where the matrix is not the exact one, passes converge slowly, and the strain tells little: then the motion of the
// last pass must be below this, in radii, less what is common to all vertices.
static const double SETTLED_MOTION = 0.1;

// True when the lengths to which the motion leads are those that the linear equations foresee.
static bool lengths_are_foreseen(const cg_thread *thread)
{
    const cg_thread_shape *shape = &thread->shape;
    double worst = 0, most = 0; // [N]
    for (int i = 0; i < thread->segment_count; i++) {
        cg_vec3 change = v3_sub(thread->move[i + 1], thread->move[i]);
        double along = v3_dot(shape->tangent[i], change), ahead = shape->length[i] + along;
        // sqrt(ahead^2 + across^2) - ahead is across^2 / (2 ahead) as long as it is small.
        double across = v3_dot(change, change) - along * along;
        double missed = thread->stretch_rate[i] * across, allowed = 2 * fabs(ahead);
        double pull = thread->stretch_rate[i] * fabs(ahead - thread->rest_length[i]);
        worst = missed > worst * allowed ? missed / allowed : worst;
        most = pull > most ? pull : most;
    }
    double small = SETTLED_STRAIN * thread->stretch_stiffness, share = SETTLED_SHARE * most;
    return worst < (share > small ? share : small);
}

bool cg_thread_settles(const cg_thread *thread, const cg_step_context *context)
{
    if (context->tolerance > 0) {
        return largest_motion(thread, v3_zero()) < context->tolerance;
    }
    bool exact = !thread->cautious && !thread->has_rest_shape && !thread->twisting;
    return lengths_are_foreseen(thread) && (thread->slide == NULL || cg_slide_settles(thread)) &&
           (exact || largest_motion(thread, common_motion(thread)) < SETTLED_MOTION * thread->radius);
}

// The trial becomes the shape.
static void accept_trial(cg_thread *thread, double share)
{
    thread->correction = share * largest_motion(thread, v3_zero());
    thread->share = share < thread->share ? share : thread->share;
    if (share > 0) {
        foresee_pulls(thread, share);
        if (thread->damping_time > 0) {
            carry_damping_targets(thread, &thread->shape, &thread->trial);
        }
        cg_thread_shape moved = thread->trial;
        thread->trial = thread->shape;
        thread->shape = moved;
    }
}

// Counts the pass; false when this share of the motion leads nowhere, and the thread stands still.
static bool begin_move(cg_thread *thread, double share)
{
    thread->passes++;
    if (!leads_within(thread, share, CG_THREAD_FARTHEST)) {
        thread->done = thread->refused = true;
    }
    return !thread->refused;
}

void cg_thread_move(cg_thread *thread, const cg_step_context *context)
{
    if (!begin_move(thread, 1.0)) {
        return;
    }
    // A pass that also moves holds has to be taken whole: only afterwards do all shapes compared obey the holds.
    double share = 1.0;
    if (context->line_search && !cg_thread_holds_move(thread)) {
        share = search_line(thread, context);
    } else {
        try_move(thread, share);
    }
    bool settles = share == 1.0 && cg_thread_settles(thread, context);
    accept_trial(thread, share);
    thread->done = share == 0 || settles;
}

void cg_thread_aim_ahead(cg_thread *thread, const cg_step_context *context)
{
    for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
        thread->turn[i] = context->time_step * thread->spin[i];
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 ahead = v3_add(v3_sub(thread->origin[i], thread->start[i]), thread->coasting[i]);
        thread->move[i] = thread->held[i] ? v3_sub(thread->target[i], thread->shape.position[i]) : ahead;
    }
}

void cg_thread_go_ahead(cg_thread *thread)
{
    try_move(thread, 1.0);
    if (thread->damping_time > 0) {
        carry_damping_targets(thread, &thread->shape, &thread->trial);
    }
    cg_thread_shape moved = thread->trial;
    thread->trial = thread->shape;
    thread->shape = moved;
}

void cg_thread_move_share(cg_thread *thread, double share)
{
    if (begin_move(thread, share)) {
        if (thread->slide != NULL) {
            cg_slide_take(thread, share);
        }
        try_move(thread, share);
        accept_trial(thread, share);
    }
}

void cg_thread_shift(cg_thread *thread)
{
    cg_thread_shape *moved = &thread->trial;
    if (thread->remembers > 0 && !(largest_motion(thread, v3_zero()) > 0)) {
        return; // it was not edited, nor is it to be
    }
    thread->remembers = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        moved->position[i] = v3_add(thread->shape.position[i], thread->move[i]);
    }
    cg_shape_measure(thread, moved, &thread->shape);
    if (thread->twisting) {
        cg_twist_follow(thread, moved, &thread->shape, 0);
    } else {
        memset(moved->torque, 0, sizeof(double) * (size_t)thread->vertex_count);
    }
    cg_thread_shape before = thread->shape;
    thread->shape = thread->trial;
    thread->trial = before;
}

void cg_thread_take_share(cg_thread *thread, double share)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 here = thread->shape.position[i], way = v3_sub(here, thread->start[i]);
        thread->move[i] = v3_sub(v3_add_scaled(thread->start[i], share, way), here);
    }
    if (thread->slide != NULL) {
        cg_slide_take_share(thread, share);
    }
    cg_thread_shift(thread);
}

void cg_thread_finish_step(cg_thread *thread, const cg_step_context *context)
{
    if (thread->model != NULL) {
        cg_model_finish_step(thread, context);
        return;
    }
    double rate = thread->refused ? 0.0 : context->inverse_step;
    cg_inertia_finish(thread, context);
    cg_spin_keep(thread, context);
    for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
        thread->spin[i] = rate * (thread->shape.angle[i] - thread->start_angle[i]);
    }
    memset(thread->force, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    memset(thread->moment, 0, sizeof(cg_vec3) * (size_t)thread->segment_count);
    if (thread->slide != NULL) {
        cg_slide_finish_step(thread);
    }
    cg_thread_validate(thread);
}
