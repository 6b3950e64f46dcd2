// Making a structure: threads become splines, bodies and tissues what the system has for them.
#include <math.h>

#include "base/quat.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/structure.h"

// Control points of a thread that the definition does not speak of.
enum { USUAL_CONTROL_POINTS = 20, MOST_CONTROL_POINTS = 1000 };

static void *take(const cg_structure *structure, int count, size_t size)
{
    return cg_memory_take(&structure->allocator, (size_t)(count > 0 ? count : 1) * size);
}

void cg_structure_destroy(void *made)
{
    cg_structure *structure = made;
    if (structure == NULL) {
        return;
    }
    cg_allocator allocator = structure->allocator;
    cg_dae_destroy(structure->dae);
    cg_memory_give(&allocator, structure->splines);
    cg_memory_give(&allocator, structure->bodies);
    cg_memory_give(&allocator, structure->joints);
    cg_memory_give(&allocator, structure);
}

double cg_structure_abscissa(const cg_spline *spline, double arc)
{
    double u = CG_BSPLINE_FIRST + arc / spline->span_length;
    return fmin(fmax(u, CG_BSPLINE_FIRST), cg_bspline_last(spline->control_count));
}

// A system that is too large would take minutes and gigabytes to prepare.
static cg_status count_points(cg_structure *structure, int more)
{
    structure->points += more;
    return structure->points <= structure->most_points
               ? cg_ok()
               : cg_error(CG_BAD_INPUT, "found more than %d control points and nodes with constraints; expected fewer",
                          structure->most_points);
}

// --- threads ---

static cg_status check_thread(const cg_thread *thread)
{
    if (thread->has_rest_shape || thread->spacing.follow || thread->inertia != CG_TRUE_MASS) {
        return cg_error(CG_BAD_INPUT, "a thread with constraints must be straight at rest, keep its vertices and have "
                                      "its true mass");
    }
    if (!(thread->bend_stiffness > 0 && thread->twist_stiffness > 0)) {
        return cg_error(CG_BAD_INPUT, "a thread with constraints must resist bending and twisting");
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        if (thread->added_mass[i] > 0) {
            return cg_error(CG_BAD_INPUT, "a thread with constraints cannot carry masses; tie a body to it instead");
        }
    }
    return cg_ok();
}

// The point of the thread as it lies at an arc length.
static cg_vec3 point_at(const cg_thread *thread, double arc)
{
    double share;
    int segment = cg_thread_segment_at_arc(thread, arc, &share);
    const cg_vec3 *p = thread->shape.position + segment;
    return v3_add_scaled(p[0], share, v3_sub(p[1], p[0]));
}

static cg_spline_def spline_of(const cg_thread *thread, int control_count)
{
    double rr = thread->radius * thread->radius, area = CG_PI * rr, young = thread->stretch_stiffness / area;
    return (cg_spline_def){.control_count = control_count,
                           .length = thread->arc[thread->vertex_count - 1],
                           .radius = thread->radius,
                           .density = thread->linear_density / area,
                           .young = young,
                           .bend_share = thread->bend_stiffness / (young * area * rr / 4),
                           .twist_stiffness = thread->twist_stiffness,
                           .mass_damping = thread->drag,
                           .stiffness_damping = thread->damping_time};
}

static cg_status add_fitted(cg_structure *structure, cg_thread *thread, int control_count, int *body)
{
    cg_vec3 *points = take(structure, 2 * control_count, sizeof *points);
    double *work = take(structure, control_count, sizeof *work);
    cg_status status = cg_error(CG_OUT_OF_MEMORY, "no memory for a spline");
    if (points != NULL && work != NULL) {
        cg_spline_def def = spline_of(thread, control_count);
        cg_vec3 *controls = points + control_count;
        int knots = control_count - 2;
        for (int k = 0; k < knots; k++) {
            points[k] = point_at(thread, def.length * k / (knots - 1));
        }
        cg_spline_fit(points, control_count, controls, work);
        def.controls = controls;
        status = cg_dae_add_spline(structure->dae, &def, body);
    }
    cg_memory_give(&structure->allocator, points);
    cg_memory_give(&structure->allocator, work);
    return status;
}

static cg_status add_thread(cg_structure *structure, const cg_structure_def *def, cg_thread_id id)
{
    cg_thread *thread = structure->finder.thread(structure->finder.world, id);
    int control_count = USUAL_CONTROL_POINTS;
    if (thread == NULL) {
        return cg_error(CG_BAD_HANDLE, "thread id (%u, %u) names no thread of this world", id.index, id.generation);
    }
    for (int i = 0; i < structure->spline_count; i++) {
        if (structure->splines[i].thread == thread) {
            return cg_ok();
        }
    }
    for (int i = 0; i < def->thread_count; i++) {
        cg_thread_id other = def->threads[i].thread;
        bool is_it = other.index == id.index && other.generation == id.generation;
        control_count = is_it ? def->threads[i].control_points : control_count;
    }
    if (control_count < 4 || control_count > MOST_CONTROL_POINTS) {
        return cg_error(CG_BAD_INPUT, "a thread has %d control points; expected 4 to %d", control_count,
                        MOST_CONTROL_POINTS);
    }
    cg_status status = check_thread(thread);
    status = status.code == CG_OK ? count_points(structure, control_count) : status;
    cg_structure_spline *made = &structure->splines[structure->spline_count];
    *made = (cg_structure_spline){.thread = thread, .holds = {-1, -1}};
    status = status.code == CG_OK ? add_fitted(structure, thread, control_count, &made->body) : status;
    structure->spline_count += status.code == CG_OK;
    return status;
}

// --- bodies ---

static cg_status add_body(cg_structure *structure, const cg_structure_def *def, cg_rigid_id id)
{
    cg_rigid *rigid = structure->finder.body(structure->finder.world, id);
    if (rigid == NULL) {
        return cg_error(CG_BAD_HANDLE, "rigid id (%u, %u) names no body of this world", id.index, id.generation);
    }
    for (int i = 0; i < structure->body_count; i++) {
        if (structure->bodies[i].rigid == rigid) {
            return cg_ok();
        }
    }
    if (!rigid->is_free) {
        return cg_error(CG_BAD_INPUT, "a body with constraints is driven; expected a free one");
    }
    cg_structure_body *made = &structure->bodies[structure->body_count];
    *made = (cg_structure_body){.rigid = rigid};
    cg_vec3 inertia = cg_principal_axes(rigid->inertia, &made->axes);
    cg_dae_rigid_def body = {.mass = rigid->mass,
                             .inertia = inertia,
                             .position = rigid->now.position,
                             .rotation = quat_normalise(quat_multiply(rigid->now.rotation, made->axes)),
                             .velocity = rigid->velocity,
                             .angular_velocity = cg_rigid_spin(rigid),
                             .unit_index = def->index};
    cg_status status = cg_dae_add_rigid(structure->dae, &body, &made->body);
    structure->body_count += status.code == CG_OK;
    return status;
}

// --- tissues ---

static bool is_linear(const cg_mesh *mesh)
{
    for (int i = 0; i < mesh->link_count; i++) {
        if (mesh->links[i].stiffening != 0) {
            return false;
        }
    }
    return true;
}

static cg_status add_tissue(cg_structure *structure, cg_tissue_id id)
{
    cg_tissue *tissue = structure->finder.tissue(structure->finder.world, id);
    if (tissue == NULL) {
        return cg_error(CG_BAD_HANDLE, "tissue id (%u, %u) names no tissue of this world", id.index, id.generation);
    }
    for (int i = 0; i < structure->sheet_count; i++) {
        if (structure->sheets[i].tissue == tissue) {
            return cg_ok();
        }
    }
    if (structure->sheet_count == CG_STRUCTURE_MOST_TISSUES) {
        return cg_error(CG_FULL, "a structure has at most %d tissues", CG_STRUCTURE_MOST_TISSUES);
    }
    bool is_plain = is_linear(tissue->mesh) && tissue->pressure == 0;
    if (tissue->model != CG_TISSUE_SHEET || !is_plain) {
        return cg_error(CG_BAD_INPUT, "a tissue with constraints must be a sheet of plain springs");
    }
    cg_structure_sheet *made = &structure->sheets[structure->sheet_count];
    *made = (cg_structure_sheet){.tissue = tissue};
    cg_status status = count_points(structure, tissue->mesh->node_count);
    if (status.code == CG_OK) {
        status = cg_dae_add_sheet(structure->dae, tissue->mesh, tissue->drag, tissue->damping, &made->body);
    }
    structure->sheet_count += status.code == CG_OK;
    return status;
}

// --- all of them ---

static cg_status add_site(cg_structure *structure, const cg_structure_def *def, const cg_constraint_site *site)
{
    int named = (site->thread.index != 0) + (site->body.index != 0) + (site->tissue.index != 0);
    if (named > 1) {
        return cg_error(CG_BAD_INPUT, "a site of a constraint names %d things; expected one", named);
    }
    return site->thread.index != 0   ? add_thread(structure, def, site->thread)
           : site->body.index != 0   ? add_body(structure, def, site->body)
           : site->tissue.index != 0 ? add_tissue(structure, site->tissue)
                                     : cg_ok();
}

static cg_status add_all(cg_structure *structure, const cg_structure_def *def)
{
    cg_status status = cg_ok();
    for (int i = 0; status.code == CG_OK && i < def->thread_count; i++) {
        status = add_thread(structure, def, def->threads[i].thread);
    }
    for (int i = 0; status.code == CG_OK && i < 2 * def->constraint_count; i++) {
        status = add_site(structure, def, &def->constraints[i / 2].sites[i % 2]);
    }
    for (int i = 0; status.code == CG_OK && i < 2 * def->contact_count; i++) {
        status = add_thread(structure, def, def->contacts[i / 2].threads[i % 2]);
    }
    for (int i = 0; status.code == CG_OK && i < def->stitching_count; i++) {
        status = add_thread(structure, def, def->stitchings[i].thread);
        status = status.code == CG_OK ? add_tissue(structure, def->stitchings[i].tissue) : status;
    }
    return status;
}

static int spline_of_thread(const cg_structure *structure, cg_thread_id id)
{
    const cg_thread *thread = structure->finder.thread(structure->finder.world, id);
    for (int i = 0; i < structure->spline_count; i++) {
        if (structure->splines[i].thread == thread) {
            return structure->splines[i].body;
        }
    }
    return -1;
}

static int sheet_of_tissue(const cg_structure *structure, cg_tissue_id id)
{
    const cg_tissue *tissue = structure->finder.tissue(structure->finder.world, id);
    for (int i = 0; i < structure->sheet_count; i++) {
        if (structure->sheets[i].tissue == tissue) {
            return structure->sheets[i].body;
        }
    }
    return -1;
}

static cg_status add_contacts(cg_structure *structure, const cg_structure_def *def)
{
    cg_status status = cg_ok();
    for (int i = 0; status.code == CG_OK && i < def->contact_count; i++) {
        int pair;
        status = cg_dae_add_edge_contact(structure->dae, spline_of_thread(structure, def->contacts[i].threads[0]),
                                         spline_of_thread(structure, def->contacts[i].threads[1]), &pair);
    }
    for (int i = 0; status.code == CG_OK && i < def->stitching_count; i++) {
        const cg_stitching_def *stitching = &def->stitchings[i];
        int body = spline_of_thread(structure, stitching->thread);
        const cg_spline *spline = cg_dae_spline(structure->dae, body);
        double tip = stitching->tip == CG_START ? CG_BSPLINE_FIRST : cg_bspline_last(spline->control_count);
        status = cg_suturing_begin(&structure->suturings[i], structure->dae, body, tip,
                                   sheet_of_tissue(structure, stitching->tissue), stitching->threshold);
        structure->suturing_count += status.code == CG_OK;
    }
    return status;
}

static cg_status check_def(const cg_structure_def *def)
{
    if (def->index < 1 || def->index > 3) {
        return cg_error(CG_BAD_INPUT, "the index is %d; expected 1, 2 or 3", def->index);
    }
    bool is_counted = def->constraint_count >= 0 && def->thread_count >= 0 && def->contact_count >= 0;
    if (!is_counted || def->constraint_count > CG_STRUCTURE_MOST_CONSTRAINTS) {
        return cg_error(CG_BAD_INPUT, "there are %d constraints; expected at most %d", def->constraint_count,
                        CG_STRUCTURE_MOST_CONSTRAINTS);
    }
    if (def->multipliers < CG_MULTIPLIERS_UNKNOWN || def->multipliers > CG_MULTIPLIERS_DENSE) {
        return cg_error(CG_BAD_INPUT, "multipliers is %d; expected a cg_structure_multipliers", (int)def->multipliers);
    }
    if (def->stitching_count < 0 || def->stitching_count > CG_STRUCTURE_MOST_STITCHINGS) {
        return cg_error(CG_BAD_INPUT, "there are %d stitchings; expected at most %d", def->stitching_count,
                        CG_STRUCTURE_MOST_STITCHINGS);
    }
    return cg_ok();
}

static cg_status fill(cg_structure *structure, const cg_structure_def *def, const cg_step_context *context)
{
    static const cg_dae_multipliers ways[] = {CG_DAE_MULTIPLIERS_UNKNOWN, CG_DAE_MULTIPLIERS_ELIMINATED,
                                              CG_DAE_ALL_DENSE};
    cg_dae_def system = {.time_step = context->time_step,
                         .gravity = context->gravity,
                         .residual = def->residual,
                         .violation = def->violation,
                         .iterations = def->iterations,
                         .multipliers = ways[def->multipliers],
                         .keep_factors = def->keep_factors,
                         .project_position = def->project_places,
                         .project_velocity = def->project_velocities,
                         .allocator = structure->allocator};
    int threads = 2 * (def->constraint_count + def->contact_count) + def->thread_count + def->stitching_count;
    structure->splines = take(structure, threads, sizeof *structure->splines);
    structure->bodies = take(structure, 2 * def->constraint_count, sizeof *structure->bodies);
    structure->joints = take(structure, def->constraint_count, sizeof *structure->joints);
    if (structure->splines == NULL || structure->bodies == NULL || structure->joints == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a structure");
    }
    cg_status status = cg_dae_create(&system, &structure->dae);
    status = status.code == CG_OK ? add_all(structure, def) : status;
    status = status.code == CG_OK ? cg_structure_hold_ends(structure, def->index) : status;
    status = status.code == CG_OK ? cg_structure_add_constraints(structure, def) : status;
    status = status.code == CG_OK ? add_contacts(structure, def) : status;
    structure->lasting = status.code == CG_OK ? cg_dae_constraint_count(structure->dae) : 0;
    return status.code == CG_OK ? cg_dae_prepare(structure->dae) : status;
}

cg_status cg_structure_make(const cg_structure_def *def, const cg_structure_finder *finder,
                            const cg_step_context *context, const cg_allocator *allocator, void **made)
{
    *made = NULL;
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_structure *structure = cg_memory_take(allocator, sizeof *structure);
    if (structure == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a structure");
    }
    structure->allocator = *allocator;
    structure->finder = *finder;
    structure->most_points =
        def->multipliers == CG_MULTIPLIERS_DENSE ? CG_STRUCTURE_MOST_DENSE_POINTS : CG_STRUCTURE_MOST_POINTS;
    status = fill(structure, def, context);
    if (status.code != CG_OK) {
        cg_structure_destroy(structure);
        return status;
    }
    cg_structure_show(structure);
    *made = structure;
    return status;
}
