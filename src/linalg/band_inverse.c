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

static void solve_core_many(const cg_band_factor *factor, double *values, int columns)
{
    double *core = vertex_rows(values, factor->chain, columns);
    int size = 3 * factor->core_count;
    for (int column = 0; column < columns; column++) {
        double *x = core + column;
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < i; k++) {
                x[i * columns] -= factor->core[i][k] * x[k * columns];
            }
        }
        for (int i = size - 1; i >= 0; i--) {
            x[i * columns] /= factor->core_pivots[i];
            for (int k = i + 1; k < size; k++) {
                x[i * columns] -= factor->core[k][i] * x[k * columns];
            }
        }
    }
}

void cg_band_solve_many(const cg_band_factor *factor, double *values, int columns)
{
    for (int k = 0; k < factor->chain; k++) {
        for (int lane = 0; lane < 2; lane++) {
            int vertex = lane == 0 ? k : factor->count - 1 - k, inwards = lane == 0 ? 1 : -1;
            double *here = vertex_rows(values, vertex, columns);
            const cg_band_pair *pair = &factor->pairs[k];
            apply_triangle(here, pair, lane, columns);
            subtract_block(vertex_rows(values, vertex + inwards, columns), pair->next, lane, false, here, columns);
            subtract_block(vertex_rows(values, vertex + 2 * inwards, columns), pair->second, lane, false, here,
                           columns);
        }
    }
    solve_core_many(factor, values, columns);
    for (int k = factor->chain - 1; k >= 0; k--) {
        for (int lane = 0; lane < 2; lane++) {
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

// The three distinct blocks of the inverse at vertices k+1 and k+2 of the chains, needed to go on to k.
typedef struct inverse_window {
    lanes near[9];   // Z(k + 1, k + 1)
    lanes across[9]; // Z(k + 2, k + 1)
    lanes far[9];    // Z(k + 2, k + 2)
} inverse_window;

static void invert_core(const cg_band_factor *factor, double inverse[9][9])
{
    double identity[81] = {0};
    int size = 3 * factor->core_count;
    for (int i = 0; i < size; i++) {
        identity[i * size + i] = 1.0;
    }
    cg_band_factor core_only = *factor;
    core_only.chain = 0;
    solve_core_many(&core_only, identity, size);
    for (int r = 0; r < size; r++) {
        for (int c = 0; c < size; c++) {
            inverse[r][c] = identity[r * size + c];
        }
    }
}

static void store_core_inverse(const cg_band_factor *factor, double core[9][9], cg_band_inverse_row *rows)
{
    for (int b = 0; b < factor->core_count; b++) {
        cg_band_inverse_row *row = &rows[factor->chain + b];
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                row->diagonal[3 * r + c] = core[3 * b + r][3 * b + c];
                if (b + 1 < factor->core_count) {
                    row->next[3 * r + c] = core[3 * b + 3 + r][3 * b + c];
                }
                if (b + 2 < factor->core_count) {
                    row->second[3 * r + c] = core[3 * b + 6 + r][3 * b + c];
                }
            }
        }
    }
}

static inverse_window window_at_core(const cg_band_factor *factor, double core[9][9])
{
    inverse_window window;
    int last = 3 * (factor->core_count - 1);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            window.near[3 * r + c] = lanes_of(core[r][c], core[last + r][last + c]);
            window.across[3 * r + c] = lanes_of(core[3 + r][c], core[last - 3 + r][last + c]);
            window.far[3 * r + c] = lanes_of(core[3 + r][3 + c], core[last - 3 + r][last - 3 + c]);
        }
    }
    return window;
}

// out -= a b, or a^T b
static void subtract_product(lanes out[9], const lanes a[9], bool transposed, const lanes b[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            lanes sum = lanes_both(0.0);
            for (int k = 0; k < 3; k++) {
                sum += (transposed ? a[3 * k + r] : a[3 * r + k]) * b[3 * k + c];
            }
            out[3 * r + c] -= sum;
        }
    }
}

static void transpose(const lanes in[9], lanes out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = in[3 * c + r];
        }
    }
}

// Lane 1 holds Z(j - 1, j) and Z(j - 2, j): rows are stored with the earlier vertex, transposed.
static void store_inverse(const cg_band_factor *factor, int k, const lanes own[9], const lanes next[9],
                          const lanes second[9], cg_band_inverse_row *rows)
{
    int mirrored = factor->count - 1 - k;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            int e = 3 * r + c, t = 3 * c + r;
            rows[k].diagonal[e] = own[e][0];
            rows[k].next[e] = next[e][0];
            rows[k].second[e] = second[e][0];
            rows[mirrored].diagonal[e] = own[e][1];
            rows[mirrored - 1].next[t] = next[e][1];
            rows[mirrored - 2].second[t] = second[e][1];
        }
    }
}

// The block factor is the scalar one times the inverse of the pivot's triangle.
static void block_factor(const lanes scalar[9], const cg_band_pair *pair, lanes out[9])
{
    for (int r = 0; r < 3; r++) {
        const lanes *g = scalar + 3 * r;
        lanes *o = out + 3 * r;
        o[2] = g[2];
        o[1] = g[1] - o[2] * pair->lower[2];
        o[0] = g[0] - o[1] * pair->lower[0] - o[2] * pair->lower[1];
    }
}

// Inverse of the pivot block from its L D L^T.
static void invert_pivot(const cg_band_pair *pair, lanes out[9])
{
    const lanes *i = pair->pivot_inverse, yx = pair->lower[0], zy = pair->lower[2];
    lanes corner = yx * zy - pair->lower[1];
    out[8] = i[2];
    out[7] = out[5] = -zy * i[2];
    out[6] = out[2] = corner * i[2];
    out[4] = i[1] - zy * out[7];
    out[3] = out[1] = -yx * i[1] - zy * out[6];
    out[0] = i[0] + yx * yx * i[1] + corner * out[6];
}

// Takahashi's recursion: with Z = A^-1 and A = L D L^T in blocks, the columns of Z L = L^-T D^-1 give every wanted
// block from those that are already known.
void cg_band_selected_inverse(const cg_band_factor *factor, cg_band_inverse_row *rows)
{
    double core[9][9];
    memset(rows, 0, sizeof *rows * (size_t)factor->count);
    invert_core(factor, core);
    store_core_inverse(factor, core, rows);
    inverse_window window = window_at_core(factor, core);
    for (int k = factor->chain - 1; k >= 0; k--) {
        const cg_band_pair *pair = &factor->pairs[k];
        lanes next[9] = {{0}}, second[9] = {{0}}, own[9], across_transposed[9], next_factor[9], second_factor[9];
        block_factor(pair->next, pair, next_factor);
        block_factor(pair->second, pair, second_factor);
        invert_pivot(pair, own);
        transpose(window.across, across_transposed);
        subtract_product(next, window.near, false, next_factor);
        subtract_product(next, across_transposed, false, second_factor);
        subtract_product(second, window.across, false, next_factor);
        subtract_product(second, window.far, false, second_factor);
        subtract_product(own, next_factor, true, next);
        subtract_product(own, second_factor, true, second);
        store_inverse(factor, k, own, next, second, rows);
        memcpy(window.far, window.near, sizeof window.far);
        memcpy(window.across, next, sizeof window.across);
        memcpy(window.near, own, sizeof window.near);
    }
}
