// A step of a structure: what leads it, the system, and what the world shows of it.
#include <math.h>

#include "base/quat.h"
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/structure.h"

// --- between steps ---

static cg_status act(cg_structure *structure, int number)
{
    cg_suturing *suturing = &structure->suturings[number];
    bool was_there = suturing->abscissa >= 0;
    cg_status status = cg_suturing_act(suturing, structure->dae);
    if (!was_there && suturing->abscissa >= 0) {
        structure->stitches[structure->stitch_count++] = number;
    } else if (was_there && suturing->abscissa < 0) {
        int kept = 0;
        for (int i = 0; i < structure->stitch_count; i++) {
            structure->stitches[kept] = structure->stitches[i];
            kept += structure->stitches[i] != number;
        }
        structure->stitch_count = kept;
    }
    return status;
}

cg_status cg_structure_make_ready(void *made)
{
    cg_structure *structure = made;
    cg_status status = cg_ok();
    for (int i = 0; status.code == CG_OK && i < structure->suturing_count; i++) {
        if (structure->suturings[i].wish != CG_SUTURING_GOES_ON) {
            status = act(structure, i);
        }
    }
    if (status.code == CG_OK && cg_dae_get_stats(structure->dae).wants_prepare) {
        status = cg_dae_prepare(structure->dae);
    }
    structure->is_stuck = status.code != CG_OK;
    return status;
}

// --- what leads it ---

static void lead(cg_structure *structure, int constraint, cg_vec3 to, double time_step)
{
    cg_vec3 from;
    if (cg_dae_given_place(structure->dae, constraint, &from)) {
        cg_dae_drive(structure->dae, constraint, to, v3_scale(1 / time_step, v3_sub(to, from)), v3_zero());
    }
}

static void follow_hands(cg_structure *structure, double time_step)
{
    for (int i = 0; i < structure->joint_count; i++) {
        const cg_structure_joint *joint = &structure->joints[i];
        cg_transform pose;
        if (joint->hand.index != 0 && structure->finder.hand(structure->finder.world, joint->hand, &pose)) {
            lead(structure, joint->first, transform_point(pose, joint->local), time_step);
        }
    }
    for (int i = 0; i < 2 * structure->spline_count; i++) {
        const cg_structure_spline *spline = &structure->splines[i / 2];
        if (spline->holds[i % 2] >= 0) {
            lead(structure, spline->holds[i % 2], spline->thread->ends[i % 2].hold.position, time_step);
        }
    }
}

static double abscissa_of(const cg_structure *structure, const cg_structure_spline *spline, int vertex)
{
    return cg_structure_abscissa(cg_dae_spline(structure->dae, spline->body), spline->thread->arc[vertex]);
}

// Forces from outside, which last for this step.
static void push(cg_structure *structure)
{
    cg_dae_clear_pushes(structure->dae);
    for (int i = 0; i < structure->spline_count; i++) {
        const cg_structure_spline *spline = &structure->splines[i];
        for (int k = 0; k < spline->thread->vertex_count; k++) {
            cg_vec3 force = spline->thread->force[k];
            if (v3_dot(force, force) > 0) {
                cg_part point = cg_dae_on_spline(structure->dae, spline->body, abscissa_of(structure, spline, k), 0);
                cg_dae_push(structure->dae, &point, force);
                spline->thread->force[k] = v3_zero();
            }
        }
    }
    for (int i = 0; i < structure->sheet_count; i++) {
        cg_tissue *tissue = structure->sheets[i].tissue;
        for (int k = 0; tissue->is_pushed && k < tissue->mesh->node_count; k++) {
            cg_part node = cg_dae_node(structure->dae, structure->sheets[i].body, k);
            cg_dae_push(structure->dae, &node, tissue->push[k]);
            tissue->push[k] = v3_zero();
        }
        tissue->is_pushed = false;
    }
}

// --- what the world shows ---

static cg_vec3 vector_at(const double *numbers)
{
    return v3(numbers[0], numbers[1], numbers[2]);
}

static cg_vec3 hold_force(const cg_structure *structure, const cg_structure_spline *spline, cg_end end)
{
    double force[CG_ROWS_MOST] = {0};
    if (spline->holds[end] >= 0) {
        cg_dae_force(structure->dae, spline->holds[end], force);
    }
    return v3(-force[0], -force[1], -force[2]);
}

// How much longer than at rest the spline is about an arc length.
static double stretch_at(const cg_structure *structure, const cg_structure_spline *spline, double arc)
{
    const cg_spline *inside = cg_dae_spline(structure->dae, spline->body);
    double local;
    int span = cg_bspline_span(inside->control_count, cg_structure_abscissa(inside, arc), &local);
    double u = CG_BSPLINE_FIRST + span + cg_spline_stretch_place(inside, span, local);
    cg_part tangent = cg_dae_on_spline(structure->dae, spline->body, u, 1);
    return v3_length(cg_dae_part_place(structure->dae, &tangent)) / inside->span_length;
}

// The thread has the points of the spline at its vertices. Its segments get the stretch of the spline, so that tensions
// are right: chords are shorter than the arcs.
static void show_thread(const cg_structure *structure, const cg_structure_spline *spline)
{
    cg_thread *thread = spline->thread;
    int last = thread->vertex_count - 1;
    for (int i = 0; i <= last; i++) {
        cg_part point = cg_dae_on_spline(structure->dae, spline->body, abscissa_of(structure, spline, i), 0);
        thread->shape.position[i] = thread->target[i] = cg_dae_part_place(structure->dae, &point);
        thread->velocity[i] = cg_dae_part_speed(structure->dae, &point);
    }
    cg_thread_lay_out(thread);
    for (int i = 0; i < last; i++) {
        double arc = 0.5 * (thread->arc[i] + thread->arc[i + 1]);
        thread->shape.length[i] = stretch_at(structure, spline, arc) * thread->rest_length[i];
    }
    thread->hold_force[0] = hold_force(structure, spline, CG_START);
    thread->hold_force[last] = hold_force(structure, spline, CG_FINISH);
}

static void show_body(const cg_structure *structure, const cg_structure_body *body)
{
    int first = cg_dae_first_unknown(structure->dae, body->body);
    const double *x = cg_dae_places(structure->dae) + first, *v = cg_dae_velocities(structure->dae) + first;
    const double *q = x + CG_DAE_RIGID_TURN;
    cg_quat principal = quat_normalise(quat(q[0], q[1], q[2], q[3]));
    cg_rigid *rigid = body->rigid;
    rigid->target.position = vector_at(x);
    rigid->target.rotation = quat_normalise(quat_multiply(principal, quat_conjugate(body->axes)));
    rigid->velocity = vector_at(v);
    cg_vec3 spin = quat_rotate(principal, cg_dae_rigid_spin(x, v));
    cg_vec3 own = quat_rotate_back(rigid->target.rotation, spin);
    rigid->momentum = quat_rotate(rigid->target.rotation, m3_apply(rigid->inertia, own));
}

static void show_sheet(const cg_structure *structure, const cg_structure_sheet *sheet)
{
    int first = cg_dae_first_unknown(structure->dae, sheet->body);
    const double *x = cg_dae_places(structure->dae) + first, *v = cg_dae_velocities(structure->dae) + first;
    for (int i = 0; i < sheet->tissue->mesh->node_count; i++) {
        sheet->tissue->mesh->position[i] = sheet->tissue->target[i] = vector_at(x + CG_NODE_UNKNOWNS * i);
        sheet->tissue->velocity[i] = vector_at(v + CG_NODE_UNKNOWNS * i);
    }
}

void cg_structure_show(const cg_structure *structure)
{
    for (int i = 0; i < structure->spline_count; i++) {
        show_thread(structure, &structure->splines[i]);
    }
    for (int i = 0; i < structure->body_count; i++) {
        show_body(structure, &structure->bodies[i]);
    }
    for (int i = 0; i < structure->sheet_count; i++) {
        show_sheet(structure, &structure->sheets[i]);
    }
}

// --- the step ---

void cg_structure_step(void *made, const cg_step_context *context)
{
    cg_structure *structure = made;
    if (structure->is_stuck) {
        cg_dae_stand_still(structure->dae);
        return;
    }
    cg_dae_set_step(structure->dae, context->time_step, context->gravity);
    follow_hands(structure, context->time_step);
    push(structure);
    cg_dae_step(structure->dae);
    for (int i = 0; i < structure->suturing_count; i++) {
        cg_suturing_look(&structure->suturings[i], structure->dae);
    }
    cg_structure_show(structure);
}

// --- looking ---

static cg_structure_info info(const void *made)
{
    const cg_structure *structure = made;
    cg_dae_stats stats = cg_dae_get_stats(structure->dae);
    cg_structure_info info = {.unknowns = stats.unknowns,
                              .rows = stats.rows,
                              .redundant_rows = stats.redundant_rows,
                              .iterations = stats.iterations,
                              .stitches = structure->stitch_count,
                              .split_steps = stats.split_steps,
                              .failed_steps = stats.failed_steps,
                              .stalled_steps = stats.stalled_steps,
                              .new_pivots = stats.pivot_steps,
                              .contact_trouble = stats.contact_troubles};
    cg_dae_violations(structure->dae, info.violations);
    for (int i = 0; i < structure->suturing_count; i++) {
        info.made += structure->suturings[i].made;
        info.ended += structure->suturings[i].ended;
        info.stitch_force = structure->suturings[i].made > 0 ? structure->suturings[i].force : info.stitch_force;
    }
    return info;
}

static bool force_of(const void *made, int constraint, cg_vec3 *force)
{
    const cg_structure *structure = made;
    if (constraint < 0 || constraint >= structure->joint_count || !structure->joints[constraint].has_point) {
        return false;
    }
    double rows[CG_ROWS_MOST];
    cg_dae_force(structure->dae, structure->joints[constraint].first, rows);
    *force = v3(-rows[0], -rows[1], -rows[2]);
    return true;
}

static bool stitch_of(const void *made, int stitching, double *arc)
{
    const cg_structure *structure = made;
    if (stitching < 0 || stitching >= structure->suturing_count || structure->suturings[stitching].abscissa < 0) {
        return false;
    }
    *arc = cg_suturing_way(&structure->suturings[stitching], structure->dae);
    return true;
}

const cg_structure_functions *cg_constraint_structures(void)
{
    static const cg_structure_functions functions = {.make = cg_structure_make,
                                                     .destroy = cg_structure_destroy,
                                                     .make_ready = cg_structure_make_ready,
                                                     .step = cg_structure_step,
                                                     .visit_state = cg_structure_visit_state,
                                                     .after_load = cg_structure_after_load,
                                                     .info = info,
                                                     .force = force_of,
                                                     .stitch = stitch_of};
    return &functions;
}
