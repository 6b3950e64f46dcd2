// Constraints of a system: added, driven, taken away, looked at.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/status.h"
#include "base/vec3.h"
#include "constraint/dae_parts.h"

static bool is_sound(const cg_dae *dae, const cg_rows *rows)
{
    int unknowns[CG_ROW_UNKNOWNS_MOST];
    for (int span = 0; span < cg_rows_spans(rows); span++) {
        cg_rows_unknowns(rows, span, unknowns);
        for (int i = 0; i < cg_rows_unknown_count(rows); i++) {
            if (unknowns[i] < 0 || unknowns[i] >= dae->unknown_count) {
                return false;
            }
        }
    }
    return cg_rows_unknown_count(rows) > 0 && rows->constant - rows->constant == 0;
}

cg_status cg_dae_add_rows(cg_dae *dae, const cg_rows *rows, int index, int *constraint)
{
    if (index < 1 || index > 3) {
        return cg_error(CG_BAD_INPUT, "the index of a constraint is %d; it must be 1, 2 or 3", index);
    }
    if (!is_sound(dae, rows)) {
        return cg_error(CG_BAD_INPUT, "a constraint names unknowns that the system does not have");
    }
    if (dae->block_count == dae->block_capacity) {
        int capacity = 2 * dae->block_capacity + 16;
        void *blocks = dae->blocks;
        size_t size = sizeof *dae->blocks;
        if (!cg_memory_grow(&dae->def.allocator, &blocks, (size_t)dae->block_count * size, (size_t)capacity * size)) {
            return cg_error(CG_OUT_OF_MEMORY, "no memory for a constraint");
        }
        dae->blocks = blocks;
        dae->block_capacity = capacity;
    }
    dae->blocks[dae->block_count] = (cg_dae_block){.rows = *rows, .index = index, .last_step = dae->def.time_step};
    *constraint = dae->block_count++;
    dae->is_prepared = false;
    return cg_ok();
}

cg_status cg_dae_add_direction(cg_dae *dae, int spline, double u, cg_vec3 direction, int index)
{
    cg_vec3 t = v3_unit_or(direction, v3(1, 0, 0)), side = v3_any_normal(t);
    const cg_vec3 across[2] = {side, v3_cross(t, side)};
    cg_status status = cg_ok();
    for (int k = 0; k < 2 && status.code == CG_OK; k++) {
        cg_rows rows = {CG_ROW_DOT, {cg_dae_on_spline(dae, spline, u, 1), cg_dae_given(across[k])}, 0};
        int ignored;
        status = cg_dae_add_rows(dae, &rows, index, &ignored);
    }
    return status;
}

// --- joints ---

static cg_quat rotation_of(const cg_dae *dae, int body)
{
    const double *q = dae->x + dae->bodies[body].first + CG_DAE_RIGID_TURN;
    return quat(q[0], q[1], q[2], q[3]);
}

cg_part cg_dae_point_at(const cg_dae *dae, int body, cg_vec3 place)
{
    const double *x = dae->x + dae->bodies[body].first;
    cg_vec3 arm = v3_sub(place, v3(x[0], x[1], x[2]));
    return cg_dae_point(dae, body, quat_rotate_back(rotation_of(dae, body), arm));
}

static cg_part point_at(const cg_dae *dae, int body, cg_vec3 place)
{
    return body < 0 ? cg_dae_given(place) : cg_dae_point_at(dae, body, place);
}

static cg_part arrow_along(const cg_dae *dae, int body, cg_vec3 direction)
{
    return body < 0 ? cg_dae_given(direction)
                    : cg_dae_arrow(dae, body, quat_rotate_back(rotation_of(dae, body), direction));
}

static bool is_rigid_or_room(const cg_dae *dae, int body)
{
    return body == -1 || (body >= 0 && body < dae->body_count && dae->bodies[body].kind == CG_DAE_RIGID);
}

cg_status cg_dae_add_ball(cg_dae *dae, int first, int second, cg_vec3 place, int index)
{
    if (!is_rigid_or_room(dae, first) || !is_rigid_or_room(dae, second) || first == second) {
        return cg_error(CG_BAD_HANDLE, "a joint needs two rigid bodies, or one and the room (-1)");
    }
    cg_rows rows = {CG_ROW_MEET, {point_at(dae, first, place), point_at(dae, second, place)}, 0};
    int ignored;
    return cg_dae_add_rows(dae, &rows, index, &ignored);
}

cg_status cg_dae_add_hinge(cg_dae *dae, int first, int second, cg_vec3 place, cg_vec3 axis, int index)
{
    cg_status status = cg_dae_add_ball(dae, first, second, place, index);
    cg_vec3 along = v3_unit_or(axis, v3(0, 0, 1)), side = v3_any_normal(along);
    const cg_vec3 across[2] = {side, v3_cross(along, side)};
    for (int k = 0; k < 2 && status.code == CG_OK; k++) {
        cg_rows rows = {CG_ROW_DOT, {arrow_along(dae, first, along), arrow_along(dae, second, across[k])}, 0};
        int ignored;
        status = cg_dae_add_rows(dae, &rows, index, &ignored);
    }
    return status;
}

// --- suturing ---

static cg_status add_edge_angle(cg_dae *dae, cg_part tangent, cg_part edge, int index)
{
    cg_vec3 t = cg_dae_part_place(dae, &tangent), e = cg_dae_part_place(dae, &edge);
    double lengths = v3_length(t) * v3_length(e);
    if (!(lengths > 0)) {
        return cg_error(CG_BAD_INPUT, "a stitch needs a tangent and edges of some length");
    }
    cg_rows rows = {CG_ROW_ANGLE, {tangent, edge}, v3_dot(t, e) / lengths};
    int ignored;
    return cg_dae_add_rows(dae, &rows, index, &ignored);
}

cg_status cg_dae_stitch(cg_dae *dae, int abscissa, double u, int sheet, int triangle, const double weights[3],
                        int index)
{
    if (abscissa < 0 || abscissa >= dae->body_count || dae->bodies[abscissa].kind != CG_DAE_ABSCISSA) {
        return cg_error(CG_BAD_HANDLE, "body %d is no abscissa", abscissa);
    }
    if (sheet < 0 || sheet >= dae->body_count || dae->bodies[sheet].kind != CG_DAE_SHEET || triangle < 0 ||
        triangle >= dae->bodies[sheet].sheet.triangle_count) {
        return cg_error(CG_BAD_HANDLE, "there is no triangle %d of a sheet %d", triangle, sheet);
    }
    int spline = dae->bodies[abscissa].on;
    const int *nodes = dae->bodies[sheet].sheet.triangles[triangle];
    cg_rows point = {
        CG_ROW_MEET, {cg_dae_sliding(dae, spline, abscissa, 0), cg_dae_nodes(dae, sheet, nodes, weights)}, 0};
    int ignored;
    dae->x[dae->bodies[abscissa].first] = u;
    cg_status status = cg_dae_add_rows(dae, &point, index, &ignored);
    for (int k = 0; k < 2 && status.code == CG_OK; k++) {
        const double edge[3] = {-1, k == 0 ? 1 : 0, k == 1 ? 1 : 0};
        status =
            add_edge_angle(dae, cg_dae_sliding(dae, spline, abscissa, 1), cg_dae_nodes(dae, sheet, nodes, edge), index);
    }
    return status;
}

cg_status cg_dae_add_stitch(cg_dae *dae, int spline, double u, int sheet, int triangle, const double weights[3],
                            int index, int *abscissa)
{
    cg_status status = cg_dae_add_abscissa(dae, spline, u, abscissa);
    return status.code == CG_OK ? cg_dae_stitch(dae, *abscissa, u, sheet, triangle, weights, index) : status;
}

// --- changes ---

void cg_dae_drive(cg_dae *dae, int constraint, cg_vec3 place, cg_vec3 speed, cg_vec3 acceleration)
{
    for (int k = 0; k < 2; k++) {
        cg_part *part = &dae->blocks[constraint].rows.parts[k];
        if (part->kind == CG_PART_GIVEN) {
            part->place = place;
            part->speed = speed;
            part->acceleration = acceleration;
        }
    }
}

bool cg_dae_given_place(const cg_dae *dae, int constraint, cg_vec3 *place)
{
    for (int k = 0; k < 2; k++) {
        const cg_part *part = &dae->blocks[constraint].rows.parts[k];
        if (part->kind == CG_PART_GIVEN) {
            *place = part->place;
            return true;
        }
    }
    return false;
}

double cg_dae_constant(const cg_dae *dae, int constraint)
{
    return dae->blocks[constraint].rows.constant;
}

void cg_dae_set_constant(cg_dae *dae, int constraint, double constant)
{
    dae->blocks[constraint].rows.constant = constant;
}

static bool acts_on(const cg_rows *rows, int unknown)
{
    for (int k = 0; k < 2; k++) {
        if (rows->parts[k].kind == CG_PART_SLIDE && rows->parts[k].abscissa == unknown) {
            return true;
        }
    }
    return false;
}

void cg_dae_release_abscissa(cg_dae *dae, int abscissa)
{
    int kept = 0, unknown = dae->bodies[abscissa].first;
    for (int i = 0; i < dae->block_count; i++) {
        if (!acts_on(&dae->blocks[i].rows, unknown)) {
            dae->blocks[kept++] = dae->blocks[i];
        }
    }
    dae->block_count = kept;
    dae->v[unknown] = dae->last_a[unknown] = 0;
    dae->is_prepared = false;
}

// --- looks ---

void cg_dae_force(const cg_dae *dae, int constraint, double force[CG_ROWS_MOST])
{
    const cg_dae_block *block = &dae->blocks[constraint];
    for (int i = 0; i < CG_ROWS_MOST; i++) {
        force[i] = block->impulse[i] / block->last_step;
    }
}

void cg_dae_violations(const cg_dae *dae, double norms[3])
{
    double sums[3] = {0};
    for (int i = 0; i < dae->block_count; i++) {
        const cg_rows *rows = &dae->blocks[i].rows;
        int unknowns[CG_ROW_UNKNOWNS_MOST], span = cg_rows_span(rows, dae->x), count = cg_rows_unknown_count(rows);
        cg_jet local[CG_ROW_UNKNOWNS_MOST];
        cg_rows_unknowns(rows, span, unknowns);
        for (int j = 0; j < count; j++) {
            local[j] = jet(dae->x[unknowns[j]], dae->v[unknowns[j]], dae->last_a[unknowns[j]]);
        }
        cg_rows_value value;
        cg_rows_evaluate(rows, span, 0, local, &value);
        for (int row = 0; row < cg_rows_count(rows); row++) {
            sums[0] += value.g[row] * value.g[row];
            sums[1] += value.rate[row] * value.rate[row];
            sums[2] += value.acceleration[row] * value.acceleration[row];
        }
    }
    for (int i = 0; i < 3; i++) {
        norms[i] = sqrt(sums[i]);
    }
}
