// Equations and their matrix. With D = diag over the bodies, impulses L = h lambda, J the matrix:
//
//     motion       -h f(x1, v1, a1) + G^T L = 0           J: M + h D + h^2 K + h dG^T/dx L        and G^T
//     index 3      g / h                                     G
//     index 2      g'                                        G + h G'
//     index 1      h g''                                     G + 2 h G' + h^2 G''
//     redundant    L = 0                                     1
//
// so that all rows have one size. A projection has the matrix of a step, and g or g' on the right.
#include <math.h>
#include <string.h>

#include "constraint/dae_parts.h"

// --- bodies ---

void cg_dae_gather_item(const cg_dae *dae, const cg_dae_item *item, double h, cg_element_state *state)
{
    const int *unknowns = dae->unknowns + item->unknowns;
    for (int i = 0; i < item->count; i++) {
        int at = unknowns[i];
        state->x[i] = dae->x[at];
        state->v[i] = dae->v[at];
        state->a[i] = (dae->v[at] - dae->v0[at]) / h;
    }
}

static void answer_of(const cg_dae *dae, const cg_dae_item *item, const cg_element_state *state,
                      const cg_element_wish *wish, cg_element_answer *answer)
{
    const cg_dae_body *body = &dae->bodies[item->body];
    switch (item->kind) {
    case CG_ITEM_SPAN:
        cg_spline_forces(&body->spline, item->number, state, wish, answer);
        break;
    case CG_ITEM_RIGID:
        cg_dae_rigid_forces(&body->rigid, state, wish, answer);
        break;
    case CG_ITEM_NODE:
        cg_node_forces(body->sheet.mass[item->number], body->sheet.mass_damping, state, wish, answer);
        break;
    case CG_ITEM_SPRING:
        cg_spring_forces(&body->sheet.springs[item->number], body->sheet.stiffness_damping, state, wish, answer);
        break;
    }
}

static void assemble_item(cg_dae *dae, const cg_dae_item *item, double h, bool with_matrix)
{
    cg_element_wish wish = {.gravity = dae->def.gravity};
    if (with_matrix) {
        wish.mass = 1;
        wish.damping = h;
        wish.stiffness = h * h;
    }
    cg_element_state state;
    cg_element_answer answer;
    memset(answer.f, 0, sizeof answer.f);
    memset(answer.matrix, 0, (size_t)(item->count * CG_ELEMENT_MOST) * sizeof *answer.matrix);
    cg_dae_gather_item(dae, item, h, &state);
    answer_of(dae, item, &state, &wish, &answer);
    const int *unknowns = dae->unknowns + item->unknowns, *slots = dae->slots + item->slots;
    for (int i = 0; i < item->count; i++) {
        dae->residual[unknowns[i]] -= h * answer.f[i];
        for (int j = 0; with_matrix && j < item->count; j++) {
            dae->matrix.values[slots[i * item->count + j]] += answer.matrix[i * CG_ELEMENT_MOST + j];
        }
    }
}

// --- constraints ---

typedef struct block_work {
    int span, count, rows;
    int unknowns[CG_ROW_UNKNOWNS_MOST];
    const int *slots;
    cg_rows_value value;
} block_work;

static void evaluate_block(const cg_dae *dae, const cg_dae_block *block, double h, double late, block_work *work)
{
    cg_jet local[CG_ROW_UNKNOWNS_MOST];
    work->span = cg_rows_span(&block->rows, dae->x);
    work->count = cg_rows_unknown_count(&block->rows);
    work->rows = cg_rows_count(&block->rows);
    cg_rows_unknowns(&block->rows, work->span, work->unknowns);
    int side = work->count + work->rows;
    work->slots = dae->slots + block->slots + work->span * side * side;
    for (int j = 0; j < work->count; j++) {
        int at = work->unknowns[j];
        local[j] = jet(dae->x[at], dae->v[at], (dae->v[at] - dae->v0[at]) / h);
    }
    cg_rows_evaluate(&block->rows, work->span, late, local, &work->value);
}

static void add_block_curvature(cg_dae *dae, const cg_dae_block *block, double h, double late, const block_work *work)
{
    double x[CG_ROW_UNKNOWNS_MOST], matrix[CG_ROW_UNKNOWNS_MOST * CG_ROW_UNKNOWNS_MOST];
    int count = work->count, side = count + work->rows;
    memset(matrix, 0, (size_t)(count * count) * sizeof *matrix);
    for (int j = 0; j < count; j++) {
        x[j] = dae->x[work->unknowns[j]];
    }
    cg_rows_add_curvature(&block->rows, work->span, late, x, block->impulse, matrix, count);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            dae->matrix.values[work->slots[i * side + j]] += h * matrix[i * count + j];
        }
    }
}

// The row as a function of v1, over h as the table above says, or what a projection brings to zero.
static double row_value(const cg_rows_value *value, int row, cg_dae_task task, int index, double h)
{
    if (task == CG_DAE_TASK_POSITION) {
        return value->g[row];
    }
    if (task == CG_DAE_TASK_VELOCITY) {
        return value->rate[row];
    }
    return index == 3 ? value->g[row] / h : (index == 2 ? value->rate[row] : h * value->acceleration[row]);
}

static double row_slope(const cg_rows_value *value, int row, int j, int index, double h)
{
    double by = value->by[row][j];
    if (index < 3) {
        by += (index == 2 ? 1 : 2) * h * value->rate_of_by[row][j];
        by += index == 1 ? h * h * value->acceleration_of_by[row][j] : 0;
    }
    return by;
}

static void assemble_block(cg_dae *dae, cg_dae_block *block, cg_dae_task task, double h, double late, bool with_matrix)
{
    block_work work;
    evaluate_block(dae, block, h, late, &work);
    int count = work.count, side = count + work.rows;
    for (int row = 0; row < work.rows; row++) {
        int at = dae->unknown_count + block->first_row + row;
        bool is_redundant = block->redundant[row];
        double impulse = is_redundant ? 0 : block->impulse[row];
        block->impulse[row] = impulse;
        dae->residual[at] = is_redundant ? 0 : row_value(&work.value, row, task, block->index, h);
        for (int j = 0; j < count && !is_redundant; j++) {
            if (task == CG_DAE_TASK_STEP) {
                dae->residual[work.unknowns[j]] += work.value.by[row][j] * impulse;
            }
            if (with_matrix) {
                dae->matrix.values[work.slots[j * side + count + row]] += work.value.by[row][j];
                dae->matrix.values[work.slots[(count + row) * side + j]] +=
                    row_slope(&work.value, row, j, block->index, h);
            }
        }
        if (with_matrix && is_redundant) {
            dae->matrix.values[work.slots[(count + row) * side + count + row]] += 1;
        }
    }
    if (with_matrix && !cg_rows_are_linear(&block->rows)) {
        add_block_curvature(dae, block, h, late, &work);
    }
}

void cg_dae_assemble(cg_dae *dae, cg_dae_task task, double h, double late, bool with_matrix)
{
    memset(dae->residual, 0, (size_t)dae->size * sizeof *dae->residual);
    if (with_matrix) {
        memset(dae->matrix.values, 0, (size_t)dae->matrix.entry_count * sizeof *dae->matrix.values);
    }
    for (int i = 0; task == CG_DAE_TASK_STEP && i < dae->unknown_count; i++) {
        dae->residual[i] = -h * (dae->push[i] + dae->contact_force[i]);
    }
    for (int i = 0; task == CG_DAE_TASK_STEP && i < dae->item_count; i++) {
        assemble_item(dae, &dae->items[i], h, with_matrix);
    }
    for (int i = 0; i < dae->block_count; i++) {
        assemble_block(dae, &dae->blocks[i], task, h, late, with_matrix);
    }
    for (int i = 0; i < dae->unknown_count; i++) {
        if (dae->held[i]) {
            dae->residual[i] = 0;
            if (with_matrix) {
                dae->matrix.values[cg_sparse_find(&dae->matrix, i, i)] = 1;
            }
        }
    }
}

void cg_dae_norms(const cg_dae *dae, cg_dae_task task, double h, double *motion, double *rows)
{
    double sum = 0;
    for (int i = 0; i < dae->unknown_count; i++) {
        sum += dae->residual[i] * dae->residual[i];
    }
    *motion = sqrt(sum);
    sum = 0;
    for (int i = 0; i < dae->block_count; i++) {
        const cg_dae_block *block = &dae->blocks[i];
        double scale = task == CG_DAE_TASK_STEP ? (block->index == 3 ? h : (block->index == 1 ? 1 / h : 1)) : 1;
        for (int row = 0; row < cg_rows_count(&block->rows); row++) {
            double value = scale * dae->residual[dae->unknown_count + block->first_row + row];
            sum += value * value;
        }
    }
    *rows = sqrt(sum);
}
