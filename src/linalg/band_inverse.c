// Many right-hand sides at once, and the selected inverse. Both walk the chains of linalg/band.h one lane at a time
// where the columns fill the registers, or both lanes together where there is one small block a vertex.
#include <string.h>

#include "linalg/band.h"
#include "linalg/wide.h"

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

// A block whose rows are four apart, so that a row is read at once; what stands at the end of a row is nobody's
// concern.
typedef struct wide_block {
    double at[12];
} wide_block;

// Blocks of the inverse at the two vertices of a chain that were reached last.
typedef struct inverse_window {
    wide_block near;   // Z(k + 1, k + 1)
    wide_block across; // Z(k + 2, k + 1)
    wide_block far;    // Z(k + 2, k + 2)
} inverse_window;

CG_WIDE_BODY void read_block(const wide_block *block, double out[9])
{
    for (int r = 0; r < 3; r++) {
        memcpy(out + 3 * r, block->at + 4 * r, 3 * sizeof(double));
    }
}

static void put_block(const double in[9], wide_block *block)
{
    for (int r = 0; r < 3; r++) {
        memcpy(block->at + 4 * r, in + 3 * r, 3 * sizeof(double));
        block->at[4 * r + 3] = 0;
    }
}

// out -= a b, or a^T b
CG_WIDE_BODY void subtract_product(wide_block *out, const wide_block *a, bool transposed, const wide_block *b)
{
    quad b0 = QUAD(b->at), b1 = QUAD(b->at + 4), b2 = QUAD(b->at + 8);
    for (int r = 0; r < 3; r++) {
        const double *f = a->at + (transposed ? r : 4 * r);
        int step = transposed ? 4 : 1;
        QUAD_OUT(out->at + 4 * r) -= f[0] * b0 + f[step] * b1 + f[2 * step] * b2;
    }
}

// The core's own inverse, as the window of the two chains: lane 0 sees the first core block nearest, lane 1 the second.
static void invert_core(const cg_band_factor *factor, inverse_window windows[2])
{
    double inverse[36] = {0};
    for (int i = 0; i < 6; i++) {
        inverse[7 * i] = 1.0;
    }
    solve_core_many(factor, inverse, 6);
    memset(windows, 0, 2 * sizeof *windows);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            windows[0].near.at[4 * r + c] = windows[1].far.at[4 * r + c] = inverse[6 * r + c];
            windows[0].far.at[4 * r + c] = windows[1].near.at[4 * r + c] = inverse[6 * (r + 3) + c + 3];
            windows[0].across.at[4 * r + c] = inverse[6 * (r + 3) + c];
            windows[1].across.at[4 * r + c] = inverse[6 * r + c + 3];
        }
    }
}

// The recursion below takes the blocks on the diagonal as symmetric. What rounding adds to the contrary would grow by
// half in every step.
CG_WIDE_BODY void symmetrise(wide_block *block)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < r; c++) {
            double mean = 0.5 * (block->at[4 * r + c] + block->at[4 * c + r]);
            block->at[4 * r + c] = block->at[4 * c + r] = mean;
        }
    }
}

// Takahashi's recursion: with Z = A^-1 and A = L D L^T in blocks, the columns of Z L = L^-T D^-1 give every wanted
// block from those that are already known.
CG_WIDE_BODY void step_outwards(const cg_band_factor *factor, int lane, int k, inverse_window *window,
                                wide_block *second)
{
    double plain[9], next_plain[9];
    wide_block next = {{0}}, own, next_factor, second_factor;
    cg_band_block_factor(factor, lane, k, next_plain, plain);
    put_block(next_plain, &next_factor);
    put_block(plain, &second_factor);
    invert_pivot(&factor->pairs[k], lane, plain);
    put_block(plain, &own);
    memset(second, 0, sizeof *second);
    subtract_product(&next, &window->near, false, &next_factor);
    subtract_product(&next, &window->across, true, &second_factor);
    subtract_product(second, &window->across, false, &next_factor);
    subtract_product(second, &window->far, false, &second_factor);
    subtract_product(&own, &next_factor, true, &next);
    subtract_product(&own, &second_factor, true, second);
    symmetrise(&own);
    window->far = window->near;
    window->across = next;
    window->near = own;
}

CG_WIDE_BODY void invert_around_core(const cg_band_factor *factor, int first, int last, cg_band_inverse_row *rows)
{
    inverse_window windows[2];
    wide_block second;
    double plain[9];
    int core = factor->core_first;
    invert_core(factor, windows);
    read_block(&windows[0].near, rows[core].diagonal);
    read_block(&windows[0].across, rows[core].next);
    read_block(&windows[0].far, rows[core + 1].diagonal);
    for (int k = core - 1; k >= first; k--) {
        step_outwards(factor, 0, k, &windows[0], &second);
        read_block(&windows[0].near, rows[k].diagonal);
        read_block(&windows[0].across, rows[k].next);
        read_block(&second, rows[k].second);
    }
    // Lane 1 finds Z(j - 1, j) and Z(j - 2, j): kept with the earlier vertex, transposed.
    for (int j = core + 2; j <= last; j++) {
        step_outwards(factor, 1, factor->count - 1 - j, &windows[1], &second);
        read_block(&windows[1].near, rows[j].diagonal);
        read_block(&windows[1].across, plain);
        transpose(plain, rows[j - 1].next);
        read_block(&second, plain);
        transpose(plain, rows[j - 2].second);
    }
}
CG_WIDE_CHOOSE(, cg_band_selected_inverse, invert_around_core,
               (const cg_band_factor *factor, int first, int last, cg_band_inverse_row *rows),
               (factor, first, last, rows))
