// Between steps: the list of items, the pattern of the matrix, redundant rows, the order of pivots.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "constraint/bspline.h"
#include "constraint/dae_parts.h"

// --- memory ---

void cg_dae_free_prepared(cg_dae *dae)
{
    void *const arrays[] = {dae->items,
                            dae->unknowns,
                            dae->slots,
                            dae->x0,
                            dae->v0,
                            dae->residual,
                            dae->solution,
                            dae->check,
                            dae->dense_rows,
                            dae->place_of,
                            dae->inner_from,
                            dae->border_columns,
                            dae->inner_work,
                            dae->border_work,
                            dae->border.matrix,
                            dae->border.rows,
                            dae->border.columns,
                            dae->border.work,
                            dae->contact_force,
                            dae->contact_columns,
                            dae->coupling,
                            dae->lcp_memory};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        cg_memory_give(&dae->def.allocator, arrays[i]);
    }
    dae->items = NULL;
    dae->unknowns = dae->slots = dae->place_of = dae->inner_from = NULL;
    dae->x0 = dae->v0 = dae->residual = dae->solution = dae->check = dae->dense_rows = NULL;
    dae->border_columns = dae->inner_work = dae->border_work = NULL;
    dae->contact_force = dae->contact_columns = dae->coupling = NULL;
    dae->lcp_memory = NULL;
    dae->contact_count = 0;
    dae->border = (cg_lu){0};
    cg_sparse_free(&dae->matrix);
    cg_sparse_free(&dae->inner);
    dae->is_prepared = false;
}

static void *take(const cg_dae *dae, size_t count, size_t size)
{
    return cg_memory_take(&dae->def.allocator, count * size);
}

// --- items ---

static int items_of(const cg_dae_body *body)
{
    switch (body->kind) {
    case CG_DAE_SPLINE:
        return body->spline.span_count;
    case CG_DAE_SHEET:
        return body->sheet.node_count + body->sheet.spring_count;
    case CG_DAE_RIGID:
        return 1;
    case CG_DAE_ABSCISSA:
        return 0;
    }
    return 0;
}

static cg_dae_item item_of(const cg_dae *dae, int body, int number)
{
    const cg_dae_body *of = &dae->bodies[body];
    cg_dae_item item = {.body = body, .number = number};
    switch (of->kind) {
    case CG_DAE_SPLINE:
        item.kind = CG_ITEM_SPAN;
        item.count = CG_SPLINE_SPAN_UNKNOWNS;
        break;
    case CG_DAE_RIGID:
        item.kind = CG_ITEM_RIGID;
        item.count = CG_DAE_RIGID_UNKNOWNS;
        break;
    case CG_DAE_SHEET:
        item.kind = number < of->sheet.node_count ? CG_ITEM_NODE : CG_ITEM_SPRING;
        item.count = item.kind == CG_ITEM_NODE ? CG_NODE_UNKNOWNS : CG_SPRING_UNKNOWNS;
        item.number -= item.kind == CG_ITEM_NODE ? 0 : of->sheet.node_count;
        break;
    case CG_DAE_ABSCISSA:
        break;
    }
    return item;
}

static void fill_unknowns(const cg_dae *dae, const cg_dae_item *item, int *unknowns)
{
    const cg_dae_body *body = &dae->bodies[item->body];
    for (int i = 0; i < item->count; i++) {
        int at = i;
        if (item->kind == CG_ITEM_SPAN) {
            at = CG_SPLINE_UNKNOWNS * item->number + i;
        } else if (item->kind == CG_ITEM_NODE) {
            at = CG_NODE_UNKNOWNS * item->number + i;
        } else if (item->kind == CG_ITEM_SPRING) {
            at = CG_NODE_UNKNOWNS * body->sheet.springs[item->number].ends[i / 3] + i % 3;
        }
        unknowns[i] = body->first + at;
    }
}

// Numbers rows and items, and says how long the pools must be.
static void count_all(cg_dae *dae, int *unknowns, int *slots)
{
    dae->item_count = 0;
    dae->row_count = 0;
    *unknowns = *slots = 0;
    for (int b = 0; b < dae->body_count; b++) {
        for (int k = 0; k < items_of(&dae->bodies[b]); k++) {
            cg_dae_item item = item_of(dae, b, k);
            item.unknowns = *unknowns;
            item.slots = *slots;
            *unknowns += item.count;
            *slots += item.count * item.count;
            if (dae->items) {
                dae->items[dae->item_count] = item;
            }
            dae->item_count++;
        }
    }
    for (int k = 0; k < dae->block_count; k++) {
        cg_dae_block *block = &dae->blocks[k];
        int rows = cg_rows_count(&block->rows), side = cg_rows_unknown_count(&block->rows) + rows;
        block->first_row = dae->row_count;
        block->slots = *slots;
        dae->row_count += rows;
        *slots += side * side * cg_rows_spans(&block->rows);
    }
    dae->size = dae->unknown_count + dae->row_count;
}

// An abscissa that no constraint acts on has no equation; it stands still.
static void hold_idle_abscissas(cg_dae *dae)
{
    for (int b = 0; b < dae->body_count; b++) {
        if (dae->bodies[b].kind == CG_DAE_ABSCISSA) {
            dae->held[dae->bodies[b].first] = true;
        }
    }
    for (int k = 0; k < dae->block_count; k++) {
        for (int p = 0; p < 2; p++) {
            const cg_part *part = &dae->blocks[k].rows.parts[p];
            if (part->kind == CG_PART_SLIDE) {
                dae->held[part->abscissa] = false;
            }
        }
    }
}

static bool make_items(cg_dae *dae)
{
    int unknowns, slots;
    count_all(dae, &unknowns, &slots);
    dae->items = take(dae, (size_t)dae->item_count, sizeof *dae->items);
    dae->unknowns = take(dae, (size_t)unknowns, sizeof *dae->unknowns);
    dae->slots = take(dae, (size_t)slots, sizeof *dae->slots);
    if (!dae->items || !dae->unknowns || !dae->slots) {
        return false;
    }
    count_all(dae, &unknowns, &slots);
    hold_idle_abscissas(dae);
    for (int i = 0; i < dae->item_count; i++) {
        fill_unknowns(dae, &dae->items[i], dae->unknowns + dae->items[i].unknowns);
    }
    return true;
}

// --- the pattern ---

// The unknowns and rows that a constraint couples in one span.
static int block_places(const cg_dae *dae, const cg_dae_block *block, int span, int *places)
{
    int count = cg_rows_unknown_count(&block->rows), rows = cg_rows_count(&block->rows);
    cg_rows_unknowns(&block->rows, span, places);
    for (int row = 0; row < rows; row++) {
        places[count + row] = dae->unknown_count + block->first_row + row;
    }
    return count + rows;
}

// Two unknowns of a linear constraint, or two rows, are not coupled; a row and itself are (it may be redundant).
static bool is_coupled(const cg_dae_block *block, int i, int j)
{
    int count = cg_rows_unknown_count(&block->rows);
    if (i < count && j < count) {
        return !cg_rows_are_linear(&block->rows);
    }
    return i < count || j < count || i == j;
}

static bool is_held(const cg_dae *dae, int place)
{
    return place < dae->unknown_count && dae->held[place];
}

// A coupled pair: its place is written, or its slot looked up.
static void visit_pair(cg_dae *dae, int row, int column, uint64_t *places, int *written, int *slot)
{
    bool is_nowhere = is_held(dae, row) || is_held(dae, column);
    if (places) {
        if (!is_nowhere) {
            places[(*written)++] = cg_sparse_place(row, column);
        }
    } else {
        *slot = is_nowhere ? dae->matrix.entry_count : cg_sparse_find(&dae->matrix, row, column);
    }
}

static int visit_pairs(cg_dae *dae, uint64_t *places)
{
    int written = 0;
    for (int i = 0; places && i < dae->unknown_count; i++) {
        if (dae->held[i]) {
            places[written++] = cg_sparse_place(i, i);
        }
    }
    for (int k = 0; k < dae->item_count; k++) {
        const cg_dae_item *item = &dae->items[k];
        const int *unknowns = dae->unknowns + item->unknowns;
        for (int pair = 0; pair < item->count * item->count; pair++) {
            visit_pair(dae, unknowns[pair / item->count], unknowns[pair % item->count], places, &written,
                       &dae->slots[item->slots + pair]);
        }
    }
    for (int k = 0; k < dae->block_count; k++) {
        const cg_dae_block *block = &dae->blocks[k];
        for (int span = 0; span < cg_rows_spans(&block->rows); span++) {
            int at[CG_ROW_UNKNOWNS_MOST + CG_ROWS_MOST], side = block_places(dae, block, span, at);
            int *slots = dae->slots + block->slots + span * side * side;
            for (int pair = 0; pair < side * side; pair++) {
                int i = pair / side, j = pair % side;
                if (is_coupled(block, i, j)) {
                    visit_pair(dae, at[i], at[j], places, &written, &slots[pair]);
                }
            }
        }
    }
    return written;
}

static bool make_pattern(cg_dae *dae)
{
    size_t most = (size_t)dae->unknown_count;
    for (int k = 0; k < dae->item_count; k++) {
        most += (size_t)(dae->items[k].count * dae->items[k].count);
    }
    for (int k = 0; k < dae->block_count; k++) {
        const cg_rows *rows = &dae->blocks[k].rows;
        int side = cg_rows_unknown_count(rows) + cg_rows_count(rows);
        most += (size_t)(side * side * cg_rows_spans(rows));
    }
    uint64_t *places = take(dae, most, sizeof *places);
    if (!places) {
        return false;
    }
    int count = visit_pairs(dae, places);
    bool is_made = cg_sparse_init(&dae->matrix, dae->size, places, count, &dae->def.allocator);
    cg_memory_give(&dae->def.allocator, places);
    if (is_made) {
        visit_pairs(dae, NULL);
    }
    return is_made;
}

static bool make_contacts(cg_dae *dae)
{
    size_t most = dae->pair_count > 0 ? CG_DAE_CONTACTS_MOST : 0;
    dae->contact_count = 0;
    dae->contact_force = take(dae, (size_t)dae->unknown_count, sizeof(double));
    dae->contact_columns = take(dae, most * (size_t)dae->size, sizeof(double));
    dae->coupling = take(dae, most * most, sizeof(double));
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_lcp_layout(&dae->lcp, CG_DAE_CONTACTS_MOST, &arena);
    size_t bytes = cg_arena_used(&arena);
    dae->lcp_memory = cg_memory_take(&dae->def.allocator, bytes);
    if (!dae->contact_force || !dae->contact_columns || !dae->coupling || !dae->lcp_memory) {
        return false;
    }
    cg_arena_init(&arena, dae->lcp_memory, bytes);
    cg_lcp_layout(&dae->lcp, CG_DAE_CONTACTS_MOST, &arena);
    return true;
}

static bool make_vectors(cg_dae *dae)
{
    size_t unknowns = (size_t)dae->unknown_count, size = (size_t)dae->size;
    dae->x0 = take(dae, unknowns, sizeof(double));
    dae->v0 = take(dae, unknowns, sizeof(double));
    dae->residual = take(dae, size, sizeof(double));
    dae->solution = take(dae, size, sizeof(double));
    dae->check = take(dae, size, sizeof(double));
    dae->dense_rows = take(dae, unknowns * (size_t)dae->row_count, sizeof(double));
    return dae->x0 && dae->v0 && dae->residual && dae->solution && dae->check && dae->dense_rows;
}

// --- the border, for multipliers that are eliminated ---

static void number_border(cg_dae *dae)
{
    dae->inner_count = dae->border_count = 0;
    for (int b = 0; b < dae->body_count; b++) {
        const cg_dae_body *body = &dae->bodies[b];
        for (int i = 0; i < body->count; i++) {
            bool is_border = body->kind == CG_DAE_ABSCISSA || dae->def.multipliers == CG_DAE_ALL_DENSE;
            dae->place_of[body->first + i] = is_border ? -1 - dae->border_count++ : dae->inner_count++;
        }
    }
    for (int row = 0; row < dae->row_count; row++) {
        dae->place_of[dae->unknown_count + row] = -1 - dae->border_count++;
    }
}

static bool make_inner(cg_dae *dae)
{
    const cg_sparse *all = &dae->matrix;
    uint64_t *places = take(dae, (size_t)all->entry_count, sizeof *places);
    if (!places) {
        return false;
    }
    int count = 0;
    for (int column = 0; column < all->count; column++) {
        for (int k = all->begins[column]; k < all->begins[column + 1]; k++) {
            int row = dae->place_of[all->rows[k]], place = dae->place_of[column];
            if (row >= 0 && place >= 0) {
                places[count++] = cg_sparse_place(row, place);
            }
        }
    }
    bool is_made = cg_sparse_init(&dae->inner, dae->inner_count, places, count, &dae->def.allocator);
    cg_memory_give(&dae->def.allocator, places);
    dae->inner_from = is_made ? take(dae, (size_t)count, sizeof *dae->inner_from) : NULL;
    if (!dae->inner_from) {
        return false;
    }
    for (int column = 0; column < all->count; column++) {
        for (int k = all->begins[column]; k < all->begins[column + 1]; k++) {
            int row = dae->place_of[all->rows[k]], place = dae->place_of[column];
            if (row >= 0 && place >= 0) {
                dae->inner_from[cg_sparse_find(&dae->inner, row, place)] = k;
            }
        }
    }
    return cg_sparse_analyse(&dae->inner, NULL);
}

static bool make_border(cg_dae *dae)
{
    dae->place_of = take(dae, (size_t)dae->size, sizeof *dae->place_of);
    if (!dae->place_of) {
        return false;
    }
    number_border(dae);
    size_t inner = (size_t)dae->inner_count, border = (size_t)dae->border_count;
    dae->border_columns = take(dae, inner * border, sizeof(double));
    dae->inner_work = take(dae, inner, sizeof(double));
    dae->border_work = take(dae, border, sizeof(double));
    dae->border = (cg_lu){.count = dae->border_count,
                          .matrix = take(dae, border * border, sizeof(double)),
                          .rows = take(dae, border, sizeof(int)),
                          .columns = take(dae, border, sizeof(int)),
                          .work = take(dae, border, sizeof(double))};
    return dae->border_columns && dae->inner_work && dae->border_work && dae->border.matrix && dae->border.rows &&
           dae->border.columns && dae->border.work && (dae->inner_count == 0 || make_inner(dae));
}

// --- redundant rows ---

// A row is redundant when less than this share of it is left across all rows before it.
#define NEW_SHARE 1e-9

static double *dense_row(const cg_dae *dae, int row)
{
    return dae->dense_rows + (size_t)row * (size_t)dae->unknown_count;
}

static double norm_of(const double *row, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += row[i] * row[i];
    }
    return sqrt(sum);
}

// Takes what the kept rows before it can say from a row, twice for the sake of rounding, and makes it unit length.
static bool says_something_new(const cg_dae *dae, int row, int kept_count)
{
    double *mine = dense_row(dae, row), before = norm_of(mine, dae->unknown_count);
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < kept_count; k++) {
            const double *other = dense_row(dae, k);
            double share = 0;
            for (int i = 0; i < dae->unknown_count; i++) {
                share += mine[i] * other[i];
            }
            for (int i = 0; share != 0 && i < dae->unknown_count; i++) {
                mine[i] -= share * other[i];
            }
        }
    }
    double after = norm_of(mine, dae->unknown_count);
    if (!(after > NEW_SHARE * before)) {
        return false;
    }
    for (int i = 0; i < dae->unknown_count; i++) {
        mine[i] /= after;
    }
    return true;
}

void cg_dae_find_redundant(cg_dae *dae)
{
    int kept = 0;
    dae->stats.redundant_rows = 0;
    for (int k = 0; k < dae->block_count; k++) {
        cg_dae_block *block = &dae->blocks[k];
        int unknowns[CG_ROW_UNKNOWNS_MOST], span = cg_rows_span(&block->rows, dae->x);
        int count = cg_rows_unknown_count(&block->rows);
        cg_jet local[CG_ROW_UNKNOWNS_MOST];
        cg_rows_value value;
        cg_rows_unknowns(&block->rows, span, unknowns);
        for (int j = 0; j < count; j++) {
            local[j] = jet_constant(dae->x[unknowns[j]]);
        }
        cg_rows_evaluate(&block->rows, span, 0, local, &value);
        for (int row = 0; row < cg_rows_count(&block->rows); row++) {
            double *mine = dense_row(dae, kept);
            memset(mine, 0, (size_t)dae->unknown_count * sizeof *mine);
            for (int j = 0; j < count; j++) {
                mine[unknowns[j]] += dae->held[unknowns[j]] ? 0 : value.by[row][j];
            }
            block->redundant[row] = !says_something_new(dae, kept, kept);
            kept += block->redundant[row] ? 0 : 1;
            dae->stats.redundant_rows += block->redundant[row] ? 1 : 0;
        }
    }
}

// --- all of it ---

// Bodies first, then multipliers, then abscissas: the span of an abscissa changes, and with it which entries of its
// rows are zero; no pivot may be among them.
static bool order_unknowns(cg_dae *dae)
{
    int *classes = take(dae, (size_t)dae->size, sizeof *classes);
    for (int b = 0; classes && b < dae->body_count; b++) {
        if (dae->bodies[b].kind == CG_DAE_ABSCISSA) {
            classes[dae->bodies[b].first] = 2;
        }
    }
    for (int row = dae->unknown_count; classes && row < dae->size; row++) {
        classes[row] = 1;
    }
    bool is_ordered = classes && cg_sparse_analyse(&dae->matrix, classes);
    cg_memory_give(&dae->def.allocator, classes);
    return is_ordered;
}

static cg_status prepare(cg_dae *dae, bool looks_for_redundant)
{
    bool is_eliminated = dae->def.multipliers != CG_DAE_MULTIPLIERS_UNKNOWN;
    if (!dae->is_prepared) {
        cg_dae_free_prepared(dae);
        bool is_made = make_items(dae) && make_pattern(dae) && make_vectors(dae) && make_contacts(dae);
        is_made = is_made && (is_eliminated ? make_border(dae) : order_unknowns(dae));
        if (!is_made) {
            cg_dae_free_prepared(dae);
            return cg_error(CG_OUT_OF_MEMORY, "no memory for a system of %d unknowns", dae->unknown_count);
        }
    }
    size_t bytes = (size_t)dae->unknown_count * sizeof(double);
    memcpy(dae->x0, dae->x, bytes);
    memcpy(dae->v0, dae->v, bytes);
    if (looks_for_redundant) {
        cg_dae_find_redundant(dae);
    }
    cg_dae_assemble(dae, CG_DAE_TASK_STEP, dae->def.time_step, 0, true);
    dae->is_prepared = cg_dae_factor(dae, true);
    dae->stats.wants_prepare = !dae->is_prepared;
    dae->stats.unknowns = dae->unknown_count;
    dae->stats.rows = dae->row_count;
    dae->stats.entries = dae->matrix.entry_count;
    dae->stats.moved_pivots = cg_sparse_moved_pivots(is_eliminated ? &dae->inner : &dae->matrix);
    if (!dae->is_prepared) {
        cg_dae_free_prepared(dae);
        return cg_error(CG_BAD_INPUT, "the system has no single solution: its matrix is singular");
    }
    return cg_ok();
}

cg_status cg_dae_prepare(cg_dae *dae)
{
    return prepare(dae, true);
}

cg_status cg_dae_after_load(cg_dae *dae)
{
    for (int k = 0; k < dae->block_count; k++) {
        if (!(dae->blocks[k].last_step > 0)) {
            return cg_error(CG_BAD_INPUT, "a constraint has the forces of a step of %g s", dae->blocks[k].last_step);
        }
    }
    bool wants_prepare = dae->stats.wants_prepare;
    cg_status status = prepare(dae, false);
    dae->stats.wants_prepare = dae->stats.wants_prepare || wants_prepare;
    return status;
}
