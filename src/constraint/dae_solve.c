// The linear system of a Newton iteration: all at once, or the bodies first and a dense border after them.
#include <math.h>
#include <string.h>

#include "constraint/dae_parts.h"

// Pivots below this share of the largest are no pivots. Abscissas and multipliers differ by many orders, so it is
// small; what counts is the check of the solution.
#define LEAST_PIVOT 1e-30
// A solution whose residual is above this share of the right-hand side is corrected once; after that it is none.
#define GOOD_SOLUTION 1e-10
#define BAD_SOLUTION 1e-6

// --- the border ---

static void gather_border(cg_dae *dae)
{
    const cg_sparse *all = &dae->matrix;
    size_t inner = (size_t)dae->inner_count, border = (size_t)dae->border_count;
    memset(dae->border_columns, 0, inner * border * sizeof(double));
    memset(dae->border.matrix, 0, border * border * sizeof(double));
    for (int column = 0; column < all->count; column++) {
        int at = dae->place_of[column];
        for (int k = all->begins[column]; at < 0 && k < all->begins[column + 1]; k++) {
            int row = dae->place_of[all->rows[k]];
            size_t place = (size_t)(-1 - at);
            if (row >= 0) {
                dae->border_columns[place * inner + (size_t)row] = all->values[k];
            } else {
                dae->border.matrix[(size_t)(-1 - row) * border + place] = all->values[k];
            }
        }
    }
}

// to[border row] -= the part of the matrix below the inner one, times a vector inside
static void subtract_below(const cg_dae *dae, const double *inside, double *to, size_t apart)
{
    const cg_sparse *all = &dae->matrix;
    for (int column = 0; column < all->count; column++) {
        int at = dae->place_of[column];
        for (int k = all->begins[column]; at >= 0 && k < all->begins[column + 1]; k++) {
            int row = dae->place_of[all->rows[k]];
            if (row < 0) {
                to[(size_t)(-1 - row) * apart] -= all->values[k] * inside[at];
            }
        }
    }
}

static bool factor_border(cg_dae *dae, bool fresh)
{
    for (int k = 0; k < dae->inner.entry_count; k++) {
        dae->inner.values[k] = dae->matrix.values[dae->inner_from[k]];
    }
    if (dae->inner_count > 0 && !(fresh ? cg_sparse_factor(&dae->inner) : cg_sparse_refactor(&dae->inner))) {
        return false;
    }
    gather_border(dae);
    if (dae->inner_count == 0) {
        return cg_lu_factor(&dae->border, LEAST_PIVOT);
    }
    cg_sparse_solve(&dae->inner, dae->border_columns, dae->border_count);
    size_t border = (size_t)dae->border_count;
    for (size_t column = 0; column < border; column++) {
        subtract_below(dae, dae->border_columns + column * (size_t)dae->inner_count, dae->border.matrix + column,
                       border);
    }
    return cg_lu_factor(&dae->border, LEAST_PIVOT);
}

static void solve_border(cg_dae *dae, double *b)
{
    for (int i = 0; i < dae->size; i++) {
        int at = dae->place_of[i];
        *(at >= 0 ? &dae->inner_work[at] : &dae->border_work[-1 - at]) = b[i];
    }
    if (dae->inner_count > 0) {
        cg_sparse_solve(&dae->inner, dae->inner_work, 1);
        subtract_below(dae, dae->inner_work, dae->border_work, 1);
    }
    cg_lu_solve(&dae->border, dae->border_work);
    for (int column = 0; column < dae->border_count; column++) {
        const double *entries = dae->border_columns + (size_t)column * (size_t)dae->inner_count;
        for (int i = 0; i < dae->inner_count; i++) {
            dae->inner_work[i] -= entries[i] * dae->border_work[column];
        }
    }
    for (int i = 0; i < dae->size; i++) {
        int at = dae->place_of[i];
        b[i] = at >= 0 ? dae->inner_work[at] : dae->border_work[-1 - at];
    }
}

// --- either way ---

bool cg_dae_factor(cg_dae *dae, bool fresh)
{
    if (dae->def.multipliers != CG_DAE_MULTIPLIERS_UNKNOWN) {
        return factor_border(dae, fresh);
    }
    return fresh ? cg_sparse_factor(&dae->matrix) : cg_sparse_refactor(&dae->matrix);
}

static void solve_once(cg_dae *dae, double *b)
{
    if (dae->def.multipliers != CG_DAE_MULTIPLIERS_UNKNOWN) {
        solve_border(dae, b);
    } else {
        cg_sparse_solve(&dae->matrix, b, 1);
    }
}

// check = residual - matrix solution; returns its norm over that of the residual.
static double solution_error(cg_dae *dae)
{
    double left = 0, right = 0;
    cg_sparse_multiply(&dae->matrix, dae->solution, dae->check);
    for (int i = 0; i < dae->size; i++) {
        dae->check[i] = dae->residual[i] - dae->check[i];
        left += dae->check[i] * dae->check[i];
        right += dae->residual[i] * dae->residual[i];
    }
    return right > 0 ? sqrt(left / right) : sqrt(left);
}

bool cg_dae_solve(cg_dae *dae)
{
    memcpy(dae->solution, dae->residual, (size_t)dae->size * sizeof *dae->solution);
    solve_once(dae, dae->solution);
    double error = solution_error(dae);
    if (error > GOOD_SOLUTION) {
        solve_once(dae, dae->check);
        for (int i = 0; i < dae->size; i++) {
            dae->solution[i] += dae->check[i];
        }
        error = solution_error(dae);
    }
    return error < BAD_SOLUTION;
}
