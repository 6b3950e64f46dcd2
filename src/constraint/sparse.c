#include "constraint/sparse.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

// A diagonal entry is the pivot when it is not below this share of its column. Masses of control points are some 1e-7
// of the entries of constraints, and good pivots nevertheless: solutions are corrected once when rounding shows.
#define LEAST_DIAGONAL 1e-11

static int compare_places(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return first < second ? -1 : (first > second ? 1 : 0);
}

static int remove_doubles(uint64_t *places, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept == 0 || places[i] != places[kept - 1]) {
            places[kept++] = places[i];
        }
    }
    return kept;
}

static void fill_pattern(cg_sparse *matrix, const uint64_t *places)
{
    for (int k = 0; k < matrix->entry_count; k++) {
        matrix->rows[k] = (int)(places[k] & UINT32_MAX);
        matrix->begins[(places[k] >> 32) + 1]++;
    }
    for (int column = 0; column < matrix->count; column++) {
        matrix->begins[column + 1] += matrix->begins[column];
    }
}

bool cg_sparse_init(cg_sparse *matrix, int count, uint64_t *places, int place_count, const cg_allocator *allocator)
{
    qsort(places, (size_t)place_count, sizeof *places, compare_places);
    *matrix = (cg_sparse){.count = count, .entry_count = remove_doubles(places, place_count), .allocator = *allocator};
    size_t entries = (size_t)matrix->entry_count;
    matrix->begins = cg_memory_take(allocator, ((size_t)count + 1) * sizeof *matrix->begins);
    matrix->rows = cg_memory_take(allocator, entries * sizeof *matrix->rows);
    matrix->values = cg_memory_take(allocator, (entries + 1) * sizeof *matrix->values);
    matrix->common = cg_memory_take(allocator, sizeof(klu_common));
    if (!matrix->begins || !matrix->rows || !matrix->values || !matrix->common) {
        cg_sparse_free(matrix);
        return false;
    }
    fill_pattern(matrix, places);
    klu_common *common = matrix->common;
    klu_defaults(common);
    common->halt_if_singular = 1;
    common->btf = 0;
    common->scale = -1; // neither scales nor looks again whether the pattern is a sound one
    common->tol = LEAST_DIAGONAL;
    return true;
}

static void free_numeric(cg_sparse *matrix)
{
    klu_numeric *numeric = matrix->numeric;
    if (numeric) {
        klu_free_numeric(&numeric, matrix->common);
        matrix->numeric = NULL;
    }
}

void cg_sparse_free(cg_sparse *matrix)
{
    free_numeric(matrix);
    if (matrix->has_fronts) {
        cg_fronts_free(&matrix->fronts);
    }
    klu_symbolic *symbolic = matrix->symbolic;
    if (symbolic) {
        klu_free_symbolic(&symbolic, matrix->common);
    }
    cg_memory_give(&matrix->allocator, matrix->begins);
    cg_memory_give(&matrix->allocator, matrix->rows);
    cg_memory_give(&matrix->allocator, matrix->values);
    cg_memory_give(&matrix->allocator, matrix->common);
    *matrix = (cg_sparse){.allocator = matrix->allocator};
}

int cg_sparse_find(const cg_sparse *matrix, int row, int column)
{
    int low = matrix->begins[column], high = matrix->begins[column + 1] - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (matrix->rows[middle] == row) {
            return middle;
        }
        if (matrix->rows[middle] < row) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

// The pattern among those of class 0, numbered without gaps by `place`.
static bool init_first(cg_sparse *first, const cg_sparse *matrix, const int *place, int first_count)
{
    uint64_t *places = cg_memory_take(&matrix->allocator, (size_t)matrix->entry_count * sizeof *places);
    int count = 0;
    for (int column = 0; places && column < matrix->count; column++) {
        for (int k = matrix->begins[column]; place[column] >= 0 && k < matrix->begins[column + 1]; k++) {
            if (place[matrix->rows[k]] >= 0) {
                places[count++] = cg_sparse_place(place[matrix->rows[k]], place[column]);
            }
        }
    }
    bool is_made = places && cg_sparse_init(first, first_count, places, count, &matrix->allocator);
    cg_memory_give(&matrix->allocator, places);
    return is_made;
}

// order: those of class 0 as KLU would have them, then the other classes one after another. `place` is work.
static bool fill_order(const cg_sparse *matrix, const int *classes, int *order, int *place)
{
    int first_count = 0, *named = order;
    for (int i = 0; i < matrix->count; i++) {
        place[i] = classes[i] == 0 ? first_count : -1;
        if (classes[i] == 0) {
            named[first_count++] = i;
        }
    }
    cg_sparse first;
    if (!init_first(&first, matrix, place, first_count)) {
        return false;
    }
    bool is_ordered = cg_sparse_analyse(&first, NULL);
    for (int i = 0; is_ordered && i < first_count; i++) {
        place[i] = named[((klu_symbolic *)first.symbolic)->Q[i]];
    }
    cg_sparse_free(&first);
    memcpy(order, place, (size_t)first_count * sizeof *order);
    for (int class = 1, at = first_count; class <= CG_SPARSE_LAST_CLASS; class ++) {
        for (int i = 0; i < matrix->count; i++) {
            if (classes[i] == class) {
                order[at++] = i;
            }
        }
    }
    return is_ordered;
}

bool cg_sparse_analyse(cg_sparse *matrix, const int *classes)
{
    if (!classes) {
        matrix->symbolic = klu_analyze(matrix->count, matrix->begins, matrix->rows, matrix->common);
        return matrix->symbolic != NULL;
    }
    int *order = cg_memory_take(&matrix->allocator, (size_t)matrix->count * sizeof *order);
    int *place = cg_memory_take(&matrix->allocator, (size_t)matrix->count * sizeof *place);
    if (order && place && fill_order(matrix, classes, order, place)) {
        matrix->symbolic = klu_analyze_given(matrix->count, matrix->begins, matrix->rows, order, order, matrix->common);
    }
    cg_memory_give(&matrix->allocator, order);
    cg_memory_give(&matrix->allocator, place);
    return matrix->symbolic != NULL;
}

static bool factor_by_fronts(cg_sparse *matrix)
{
    if (!matrix->has_fronts) {
        const klu_symbolic *symbolic = matrix->symbolic;
        matrix->has_fronts = cg_fronts_plan(&matrix->fronts, matrix->count, matrix->begins, matrix->rows, symbolic->Q,
                                            &matrix->allocator);
    }
    return matrix->has_fronts && cg_fronts_factor(&matrix->fronts, matrix->values);
}

bool cg_sparse_factor(cg_sparse *matrix)
{
    free_numeric(matrix);
    matrix->numeric = klu_factor(matrix->begins, matrix->rows, matrix->values, matrix->symbolic, matrix->common);
    matrix->is_by_fronts = matrix->numeric && cg_sparse_moved_pivots(matrix) == 0 && factor_by_fronts(matrix);
    return matrix->numeric != NULL;
}

int cg_sparse_moved_pivots(const cg_sparse *matrix)
{
    return matrix->numeric ? ((const klu_common *)matrix->common)->noffdiag : 0;
}

bool cg_sparse_refactor(cg_sparse *matrix)
{
    if (!matrix->numeric) {
        return false;
    }
    if (matrix->is_by_fronts) {
        return cg_fronts_factor(&matrix->fronts, matrix->values);
    }
    klu_common *common = matrix->common;
    return klu_refactor(matrix->begins, matrix->rows, matrix->values, matrix->symbolic, matrix->numeric, common) &&
           common->status == KLU_OK;
}

void cg_sparse_solve(cg_sparse *matrix, double *b, int columns)
{
    for (int k = 0; matrix->is_by_fronts && k < columns; k++) {
        cg_fronts_solve(&matrix->fronts, b + (size_t)k * (size_t)matrix->count);
    }
    if (!matrix->is_by_fronts) {
        klu_solve(matrix->symbolic, matrix->numeric, matrix->count, columns, b, matrix->common);
    }
}

void cg_sparse_multiply(const cg_sparse *matrix, const double *x, double *y)
{
    memset(y, 0, (size_t)matrix->count * sizeof *y);
    for (int column = 0; column < matrix->count; column++) {
        for (int k = matrix->begins[column]; k < matrix->begins[column + 1]; k++) {
            y[matrix->rows[k]] += matrix->values[k] * x[column];
        }
    }
}
