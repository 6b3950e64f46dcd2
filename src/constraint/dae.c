// Making a system: bodies, parts of bodies, state.
#include "constraint/dae.h"

#include <math.h>
#include <string.h>

#include "base/archive.h"
#include "base/status.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/dae_parts.h"

cg_dae_def cg_dae_def_default(void)
{
    return (cg_dae_def){.time_step = 1e-3,
                        .gravity = {0, 0, -9.81},
                        .residual = 1e-12,
                        .violation = 1e-12,
                        .iterations = 20,
                        .project_position = true,
                        .project_velocity = true};
}

cg_status cg_dae_create(const cg_dae_def *def, cg_dae **dae)
{
    *dae = NULL;
    if (!(def->time_step > 0 && def->time_step <= 1)) {
        return cg_error(CG_BAD_INPUT, "time_step is %g s; it must be above 0 and at most 1", def->time_step);
    }
    if (!(def->residual > 0 && def->violation > 0) || !v3_is_finite(def->gravity)) {
        return cg_error(CG_BAD_INPUT, "residual and violation must be above 0, gravity finite");
    }
    if (def->iterations < 1 || def->iterations >= CG_DAE_HISTORY) {
        return cg_error(CG_BAD_INPUT, "iterations is %d; it must be 1 to %d", def->iterations, CG_DAE_HISTORY - 1);
    }
    cg_dae *made = cg_memory_take(&def->allocator, sizeof *made);
    if (!made) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a system of constraints");
    }
    made->def = *def;
    *dae = made;
    return cg_ok();
}

static void free_body(cg_dae_body *body)
{
    if (body->kind == CG_DAE_SPLINE) {
        cg_spline_free(&body->spline);
    } else if (body->kind == CG_DAE_SHEET) {
        cg_sheet_free(&body->sheet);
    }
}

void cg_dae_destroy(cg_dae *dae)
{
    if (!dae) {
        return;
    }
    cg_allocator allocator = dae->def.allocator;
    cg_dae_free_prepared(dae);
    for (int i = 0; i < dae->body_count; i++) {
        free_body(&dae->bodies[i]);
    }
    void *const blocks[] = {dae->bodies, dae->blocks, dae->x, dae->v, dae->last_a, dae->push, dae->held, dae};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        cg_memory_give(&allocator, blocks[i]);
    }
}

// --- room for more ---

static bool grow(cg_dae *dae, void **array, int used, int capacity, size_t size)
{
    return cg_memory_grow(&dae->def.allocator, array, (size_t)used * size, (size_t)capacity * size);
}

static bool make_room_for_body(cg_dae *dae)
{
    if (dae->body_count < dae->body_capacity) {
        return true;
    }
    int capacity = 2 * dae->body_capacity + 4;
    void *bodies = dae->bodies;
    if (!grow(dae, &bodies, dae->body_count, capacity, sizeof *dae->bodies)) {
        return false;
    }
    dae->bodies = bodies;
    dae->body_capacity = capacity;
    return true;
}

static bool make_room_for_unknowns(cg_dae *dae, int count)
{
    if (dae->unknown_count + count <= dae->unknown_capacity) {
        return true;
    }
    int capacity = 2 * (dae->unknown_count + count);
    double **const arrays[] = {&dae->x, &dae->v, &dae->last_a, &dae->push};
    for (int i = 0; i < 4; i++) {
        void *array = *arrays[i];
        if (!grow(dae, &array, dae->unknown_count, capacity, sizeof(double))) {
            return false;
        }
        *arrays[i] = array;
    }
    void *held = dae->held;
    if (!grow(dae, &held, dae->unknown_count, capacity, sizeof *dae->held)) {
        return false;
    }
    dae->held = held;
    dae->unknown_capacity = capacity;
    return true;
}

// The new body, with room for its unknowns; NULL when there is none.
static cg_dae_body *new_body(cg_dae *dae, cg_dae_body_kind kind, int count)
{
    if (!make_room_for_body(dae) || !make_room_for_unknowns(dae, count)) {
        return NULL;
    }
    cg_dae_body *body = &dae->bodies[dae->body_count];
    *body = (cg_dae_body){.kind = kind, .first = dae->unknown_count, .count = count};
    for (int i = 0; i < count; i++) {
        int at = body->first + i;
        dae->x[at] = dae->v[at] = dae->last_a[at] = dae->push[at] = 0;
        dae->held[at] = false;
    }
    return body;
}

static void take_body(cg_dae *dae, cg_dae_body *body, int *number)
{
    *number = dae->body_count++;
    dae->unknown_count += body->count;
    dae->is_prepared = false;
}

static void set_place(double *x, cg_vec3 place)
{
    x[0] = place.x;
    x[1] = place.y;
    x[2] = place.z;
}

// --- bodies ---

cg_status cg_dae_add_spline(cg_dae *dae, const cg_spline_def *def, int *body)
{
    cg_spline spline;
    cg_status status = cg_spline_init(&spline, def, &dae->def.allocator);
    if (status.code != CG_OK) {
        return status;
    }
    cg_dae_body *made = new_body(dae, CG_DAE_SPLINE, CG_SPLINE_UNKNOWNS * def->control_count);
    if (!made) {
        cg_spline_free(&spline);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a spline");
    }
    made->spline = spline;
    for (int i = 0; i < def->control_count; i++) {
        set_place(dae->x + made->first + CG_SPLINE_UNKNOWNS * i, spline.start[i]);
    }
    take_body(dae, made, body);
    return cg_ok();
}

cg_status cg_dae_add_rigid(cg_dae *dae, const cg_dae_rigid_def *def, int *body)
{
    cg_status status = cg_dae_rigid_check(def);
    if (status.code != CG_OK) {
        return status;
    }
    if (def->unit_index < 1 || def->unit_index > 3) {
        return cg_error(CG_BAD_INPUT, "unit_index is %d; it must be 1, 2 or 3", def->unit_index);
    }
    cg_dae_body *made = new_body(dae, CG_DAE_RIGID, CG_DAE_RIGID_UNKNOWNS);
    if (!made) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a rigid body");
    }
    made->rigid = *def;
    cg_dae_rigid_start(def, dae->x + made->first, dae->v + made->first);
    take_body(dae, made, body);
    cg_rows unit = {.kind = CG_ROW_UNIT, .parts = {cg_dae_arrow(dae, *body, v3(1, 0, 0)), cg_dae_given(v3_zero())}};
    int ignored;
    return cg_dae_add_rows(dae, &unit, def->unit_index, &ignored);
}

cg_status cg_dae_add_sheet(cg_dae *dae, const cg_mesh *mesh, double mass_damping, double stiffness_damping, int *body)
{
    cg_sheet sheet;
    cg_status status = cg_sheet_init(&sheet, mesh, mass_damping, stiffness_damping, &dae->def.allocator);
    if (status.code != CG_OK) {
        return status;
    }
    cg_dae_body *made = new_body(dae, CG_DAE_SHEET, CG_NODE_UNKNOWNS * mesh->node_count);
    if (!made) {
        cg_sheet_free(&sheet);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a sheet");
    }
    made->sheet = sheet;
    for (int i = 0; i < sheet.node_count; i++) {
        set_place(dae->x + made->first + CG_NODE_UNKNOWNS * i, sheet.start[i]);
        for (int c = 0; c < CG_NODE_UNKNOWNS; c++) {
            dae->held[made->first + CG_NODE_UNKNOWNS * i + c] = mesh->fixed[i];
        }
    }
    take_body(dae, made, body);
    return cg_ok();
}

static bool is_kind(const cg_dae *dae, int body, cg_dae_body_kind kind)
{
    return body >= 0 && body < dae->body_count && dae->bodies[body].kind == kind;
}

cg_status cg_dae_add_abscissa(cg_dae *dae, int spline, double u, int *body)
{
    if (!is_kind(dae, spline, CG_DAE_SPLINE)) {
        return cg_error(CG_BAD_HANDLE, "body %d is no spline", spline);
    }
    double last = cg_bspline_last(dae->bodies[spline].spline.control_count);
    if (!(u >= CG_BSPLINE_FIRST && u <= last)) {
        return cg_error(CG_BAD_INPUT, "the abscissa is %g; it must be 3 to %g", u, last);
    }
    cg_dae_body *made = new_body(dae, CG_DAE_ABSCISSA, 1);
    if (!made) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for an abscissa");
    }
    made->on = spline;
    dae->x[made->first] = u;
    take_body(dae, made, body);
    return cg_ok();
}

// --- parts ---

cg_part cg_dae_given(cg_vec3 place)
{
    return (cg_part){.kind = CG_PART_GIVEN, .place = place};
}

cg_part cg_dae_nodes(const cg_dae *dae, int sheet, const int nodes[3], const double weights[3])
{
    cg_part part = {.kind = CG_PART_NODES};
    for (int i = 0; i < 3; i++) {
        if (weights[i] != 0) {
            part.nodes[part.node_count] = dae->bodies[sheet].first + CG_NODE_UNKNOWNS * nodes[i];
            part.weights[part.node_count++] = weights[i];
        }
    }
    return part;
}

cg_part cg_dae_node(const cg_dae *dae, int sheet, int node)
{
    return cg_dae_nodes(dae, sheet, (const int[3]){node, 0, 0}, (const double[3]){1, 0, 0});
}

cg_part cg_dae_on_spline(const cg_dae *dae, int spline, double u, int order)
{
    const cg_dae_body *body = &dae->bodies[spline];
    double local, weights[4][4];
    int span = cg_bspline_span(body->spline.control_count, u, &local);
    cg_bspline_weights(local, weights);
    cg_part part = {.kind = CG_PART_NODES};
    for (int i = 0; i < 4; i++) {
        if (weights[order][i] != 0) {
            part.nodes[part.node_count] = body->first + CG_SPLINE_UNKNOWNS * (span + i);
            part.weights[part.node_count++] = weights[order][i];
        }
    }
    return part;
}

cg_part cg_dae_sliding(const cg_dae *dae, int spline, int abscissa, int order)
{
    return (cg_part){.kind = CG_PART_SLIDE,
                     .first = dae->bodies[spline].first,
                     .control_count = dae->bodies[spline].spline.control_count,
                     .abscissa = dae->bodies[abscissa].first,
                     .order = order};
}

cg_part cg_dae_point(const cg_dae *dae, int rigid, cg_vec3 arm)
{
    return (cg_part){.kind = CG_PART_POINT, .first = dae->bodies[rigid].first, .arm = arm};
}

cg_part cg_dae_arrow(const cg_dae *dae, int rigid, cg_vec3 direction)
{
    return (cg_part){.kind = CG_PART_ARROW, .first = dae->bodies[rigid].first, .arm = direction};
}

// --- state ---

int cg_dae_unknown_count(const cg_dae *dae)
{
    return dae->unknown_count;
}

int cg_dae_first_unknown(const cg_dae *dae, int body)
{
    return dae->bodies[body].first;
}

double *cg_dae_places(cg_dae *dae)
{
    return dae->x;
}

double cg_dae_place(const cg_dae *dae, int unknown)
{
    return dae->x[unknown];
}

double *cg_dae_velocities(cg_dae *dae)
{
    return dae->v;
}

const cg_spline *cg_dae_spline(const cg_dae *dae, int body)
{
    return &dae->bodies[body].spline;
}

const cg_sheet *cg_dae_sheet(const cg_dae *dae, int body)
{
    return &dae->bodies[body].sheet;
}

cg_dae_stats cg_dae_get_stats(const cg_dae *dae)
{
    return dae->stats;
}

static void evaluate_part(const cg_dae *dae, const cg_part *part, int unknowns[CG_PART_MOST], cg_part_value *value)
{
    cg_jet local[CG_PART_MOST];
    int span = cg_part_span(part, dae->x), count = cg_part_count(part);
    cg_part_unknowns(part, span, unknowns);
    for (int i = 0; i < count; i++) {
        local[i] = jet(dae->x[unknowns[i]], dae->v[unknowns[i]], 0);
    }
    cg_part_evaluate(part, span, 0, local, value);
}

cg_vec3 cg_dae_part_place(const cg_dae *dae, const cg_part *part)
{
    int unknowns[CG_PART_MOST];
    cg_part_value value;
    evaluate_part(dae, part, unknowns, &value);
    return v3(value.w[0].f, value.w[1].f, value.w[2].f);
}

cg_vec3 cg_dae_part_speed(const cg_dae *dae, const cg_part *part)
{
    int unknowns[CG_PART_MOST];
    cg_part_value value;
    evaluate_part(dae, part, unknowns, &value);
    return v3(value.w[0].d, value.w[1].d, value.w[2].d);
}

void cg_dae_push(cg_dae *dae, const cg_part *part, cg_vec3 force)
{
    int unknowns[CG_PART_MOST], count = cg_part_count(part);
    cg_part_value value;
    evaluate_part(dae, part, unknowns, &value);
    for (int i = 0; i < count; i++) {
        const cg_jet *column = value.columns[i];
        dae->push[unknowns[i]] += column[0].f * force.x + column[1].f * force.y + column[2].f * force.z;
    }
}

void cg_dae_clear_pushes(cg_dae *dae)
{
    memset(dae->push, 0, (size_t)dae->unknown_count * sizeof *dae->push);
}

void cg_dae_set_step(cg_dae *dae, double time_step, cg_vec3 gravity)
{
    dae->def.time_step = time_step;
    dae->def.gravity = gravity;
}

int cg_dae_constraint_count(const cg_dae *dae)
{
    return dae->block_count;
}

uint64_t cg_dae_hash(const cg_dae *dae)
{
    cg_archive archive = cg_archive_to_hash();
    size_t count = (size_t)dae->unknown_count;
    cg_archive_doubles(&archive, dae->x, count);
    cg_archive_doubles(&archive, dae->v, count);
    for (int i = 0; i < dae->block_count; i++) {
        cg_archive_doubles(&archive, dae->blocks[i].impulse, CG_ROWS_MOST);
    }
    for (int i = 0; i < dae->body_count; i++) {
        cg_spline *spline = &dae->bodies[i].spline;
        for (int k = 0; dae->bodies[i].kind == CG_DAE_SPLINE && k < spline->span_count * CG_SPLINE_BEND_POINTS; k++) {
            cg_archive_vec3(&archive, &spline->frames[k].tangent);
            cg_archive_vec3(&archive, &spline->frames[k].turn);
            cg_archive_double(&archive, &spline->frames[k].twist);
        }
    }
    return cg_archive_hash(&archive);
}
