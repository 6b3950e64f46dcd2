// Many right-hand sides at once, and the selected inverse. Both walk the chains of linalg/band.h one lane at a time
// where the columns fill the registers, or both lanes together where there is one small block a vertex.
#include <string.h>

#include "linalg/band.h"

// Three rows of `columns` values each: the unknowns of one vertex.
static double *vertex_rows(double *values, int vertex, int columns)
{
    return values + 3 * (size_t)vertex * (size_t)columns;
}

// y -= block x, or block^T x, for all columns
static void subtract_block(double *y, const lanes block[9], int lane, bool transposed, const double *x, int columns)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double value = transposed ? block[3 * c + r][lane] : block[3 * r + c][lane];
            double *restrict out = y + r * columns;
            const double *restrict in = x + c * columns;
            for (int column = 0; column < columns; column++) {
                out[column] -= value * in[column];
            }
        }
    }
}

static void apply_triangle(double *y, const cg_band_pair *pair, int lane, int columns)
{
    double yx = pair->lower[0][lane], zx = pair->lower[1][lane], zy = pair->lower[2][lane];
    double *restrict y0 = y, *restrict y1 = y + columns, *restrict y2 = y + 2 * columns;
    for (int column = 0; column < columns; column++) {
        y1[column] -= yx * y0[column];
        y2[column] -= zx * y0[column] + zy * y1[column];
    }
}

static void apply_pivots(double *y, const cg_band_pair *pair, int lane, int columns)
{
    for (int r = 0; r < 3; r++) {
        for (int column = 0; column < columns; column++) {
            y[r * columns + column] *= pair->pivot_inverse[r][lane];
        }
    }
}

static void apply_triangle_transpose(double *y, const cg_band_pair *pair, int lane, int columns)
{
    double yx = pair->lower[0][lane], zx = pair->lower[1][lane], zy = pair->lower[2][lane];
    double *restrict y0 = y, *restrict y1 = y + columns, *restrict y2 = y + 2 * columns;
    for (int column = 0; column < columns; column++) {
        y1[column] -= zy * y2[column];
        y0[column] -= yx * y1[column] + zx * y2[column];
    }
}

static void solve_core_many(const cg_band_factor *factor, double *core, int columns)
{
    for (int column = 0; column < columns; column++) {
        double *x = core + column;
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < i; k++) {
                x[i * columns] -= factor->core[i][k] * x[k * columns];
            }
        }
        for (int i = 5; i >= 0; i--) {
            x[i * columns] /= factor->core_pivots[i];
            for (int k = i + 1; k < 6; k++) {
                x[i * columns] -= factor->core[k][i] * x[k * columns];
            }
        }
    }
}

void cg_band_solve_many(const cg_band_factor *factor, double *values, int columns)
{
    for (int lane = 0; lane < 2; lane++) {
        for (int k = 0; k < factor->chains[lane]; k++) {
            int vertex = lane == 0 ? k : factor->count - 1 - k, inwards = lane == 0 ? 1 : -1;
            double *here = vertex_rows(values, vertex, columns);
            const cg_band_pair *pair = &factor->pairs[k];
            apply_triangle(here, pair, lane, columns);
            subtract_block(vertex_rows(values, vertex + inwards, columns), pair->next, lane, false, here, columns);
            subtract_block(vertex_rows(values, vertex + 2 * inwards, columns), pair->second, lane, false, here,
                           columns);
        }
    }
    solve_core_many(factor, vertex_rows(values, factor->core_first, columns), columns);
    for (int lane = 0; lane < 2; lane++) {
        for (int k = factor->chains[lane] - 1; k >= 0; k--) {
            int vertex = lane == 0 ? k : factor->count - 1 - k, inwards = lane == 0 ? 1 : -1;
            double *here = vertex_rows(values, vertex, columns);
            const double *next = vertex_rows(values, vertex + inwards, columns);
            const double *second = vertex_rows(values, vertex + 2 * inwards, columns);
            const cg_band_pair *pair = &factor->pairs[k];
            apply_pivots(here, pair, lane, columns);
            subtract_block(here, pair->second, lane, true, second, columns);
            subtract_block(here, pair->next, lane, true, next, columns);
            apply_triangle_transpose(here, pair, lane, columns);
        }
    }
}

// out -= a b, or a^T b
static void subtract_product(double out[9], const double a[9], bool transposed, const double b[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                sum += (transposed ? a[3 * k + r] : a[3 * r + k]) * b[3 * k + c];
            }
            out[3 * r + c] -= sum;
        }
    }
}

static void transpose(const double in[9], double out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = in[3 * c + r];
        }
    }
}

void cg_band_block_factor(const cg_band_factor *factor, int lane, int k, double next[9], double second[9])
{
    const cg_band_pair *pair = &factor->pairs[k];
    double yx = pair->lower[0][lane], zx = pair->lower[1][lane], zy = pair->lower[2][lane];
    for (int r = 0; r < 3; r++) {
        double n[3], s[3];
        for (int c = 0; c < 3; c++) {
            n[c] = pair->next[3 * r + c][lane];
            s[c] = pair->second[3 * r + c][lane];
        }
        next[3 * r + 2] = n[2];
        next[3 * r + 1] = n[1] - n[2] * zy;
        next[3 * r] = n[0] - next[3 * r + 1] * yx - n[2] * zx;
        second[3 * r + 2] = s[2];
        second[3 * r + 1] = s[1] - s[2] * zy;
        second[3 * r] = s[0] - second[3 * r + 1] * yx - s[2] * zx;
    }
}

// Inverse of the pivot block from its L D L^T.
static void invert_pivot(const cg_band_pair *pair, int lane, double out[9])
{
    double i0 = pair->pivot_inverse[0][lane], i1 = pair->pivot_inverse[1][lane], i2 = pair->pivot_inverse[2][lane];
    double yx = pair->lower[0][lane], zy = pair->lower[2][lane], corner = yx * zy - pair->lower[1][lane];
    out[8] = i2;
    out[7] = out[5] = -zy * i2;
    out[6] = out[2] = corner * i2;
    out[4] = i1 - zy * out[7];
    out[3] = out[1] = -yx * i1 - zy * out[6];
    out[0] = i0 + yx * yx * i1 + corner * out[6];
}

// Blocks of the inverse at the two vertices of a chain that were reached last.
typedef struct inverse_window {
    double near[9];   // Z(k + 1, k + 1)
    double across[9]; // Z(k + 2, k + 1)
    double far[9];    // Z(k + 2, k + 2)
} inverse_window;

// The core's own inverse, as the window of the two chains: lane 0 sees the first core block nearest, lane 1 the second.
static void invert_core(const cg_band_factor *factor, inverse_window windows[2])
{
    double inverse[36] = {0};
    for (int i = 0; i < 6; i++) {
        inverse[7 * i] = 1.0;
    }
    solve_core_many(factor, inverse, 6);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            windows[0].near[3 * r + c] = windows[1].far[3 * r + c] = inverse[6 * r + c];
            windows[0].far[3 * r + c] = windows[1].near[3 * r + c] = inverse[6 * (r + 3) + c + 3];
            windows[0].across[3 * r + c] = inverse[6 * (r + 3) + c];
            windows[1].across[3 * r + c] = inverse[6 * r + c + 3];
        }
    }
}

// The recursion below takes the blocks on the diagonal as symmetric. What rounding adds to the contrary would grow by
// half in every step.
static void symmetrise(double block[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < r; c++) {
            double mean = 0.5 * (block[3 * r + c] + block[3 * c + r]);
            block[3 * r + c] = block[3 * c + r] = mean;
        }
    }
}

// Takahashi's recursion: with Z = A^-1 and A = L D L^T in blocks, the columns of Z L = L^-T D^-1 give every wanted
// block from those that are already known.
static void step_outwards(const cg_band_factor *factor, int lane, int k, inverse_window *window, double second[9])
{
    double next[9] = {0}, own[9], across_transposed[9], next_factor[9], second_factor[9];
    cg_band_block_factor(factor, lane, k, next_factor, second_factor);
    invert_pivot(&factor->pairs[k], lane, own);
    transpose(window->across, across_transposed);
    memset(second, 0, 9 * sizeof *second);
    subtract_product(next, window->near, false, next_factor);
    subtract_product(next, across_transposed, false, second_factor);
    subtract_product(second, window->across, false, next_factor);
    subtract_product(second, window->far, false, second_factor);
    subtract_product(own, next_factor, true, next);
    subtract_product(own, second_factor, true, second);
    symmetrise(own);
    memcpy(window->far, window->near, sizeof window->far);
    memcpy(window->across, next, sizeof window->across);
    memcpy(window->near, own, sizeof window->near);
}

void cg_band_selected_inverse(const cg_band_factor *factor, int first, int last, cg_band_inverse_row *rows)
{
    inverse_window windows[2];
    double second[9];
    int core = factor->core_first;
    invert_core(factor, windows);
    memcpy(rows[core].diagonal, windows[0].near, sizeof second);
    memcpy(rows[core].next, windows[0].across, sizeof second);
    memcpy(rows[core + 1].diagonal, windows[0].far, sizeof second);
    for (int k = core - 1; k >= first; k--) {
        step_outwards(factor, 0, k, &windows[0], second);
        memcpy(rows[k].diagonal, windows[0].near, sizeof second);
        memcpy(rows[k].next, windows[0].across, sizeof second);
        memcpy(rows[k].second, second, sizeof second);
    }
    // Lane 1 finds Z(j - 1, j) and Z(j - 2, j): kept with the earlier vertex, transposed.
    for (int j = core + 2; j <= last; j++) {
        step_outwards(factor, 1, factor->count - 1 - j, &windows[1], second);
        memcpy(rows[j].diagonal, windows[1].near, sizeof second);
        transpose(windows[1].across, rows[j - 1].next);
        transpose(second, rows[j - 2].second);
    }
}
