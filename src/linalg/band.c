#include "linalg/band.h"

#include <string.h>

// A pivot below this share of its diagonal is all rounding error. Such a matrix (a segment that is a million times
// stiffer than its inertia) is nearly singular there; raising the pivot stands for a little more mass.
static const double WEAKEST_PIVOT = 4e-16;

void cg_band_layout(cg_band_factor *factor, int count, cg_arena *arena)
{
    factor->count = count;
    factor->chain = (count - 2) / 2;
    factor->core_count = count - 2 * factor->chain;
    factor->pairs = cg_arena_push(arena, (size_t)factor->chain, sizeof(cg_band_pair));
    factor->work = cg_arena_push(arena, 3 * (size_t)factor->chain, sizeof(lanes));
}

// Index of a symmetric block's entry in its six stored values.
static const int SYMMETRIC[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static void load_diagonal(const cg_band_factor *factor, const cg_band_row *rows, int k, lanes out[6])
{
    const double *start = rows[k].diagonal, *finish = rows[factor->count - 1 - k].diagonal;
    for (int e = 0; e < 6; e++) {
        out[e] = lanes_of(start[e], finish[e]);
    }
}

// Lane 1 runs backwards, so its block is the transpose of the one stored with the earlier vertex.
static void load_coupling(const double *start, const double *finish, lanes out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = lanes_of(start[3 * r + c], finish[3 * c + r]);
        }
    }
}

static void load_next(const cg_band_factor *factor, const cg_band_row *rows, int k, lanes out[9])
{
    load_coupling(rows[k].next, rows[factor->count - 2 - k].next, out);
}

static void load_second(const cg_band_factor *factor, const cg_band_row *rows, int k, lanes out[9])
{
    load_coupling(rows[k].second, rows[factor->count - 3 - k].second, out);
}

// L D L^T of a pivot block; pivots are kept above `floor`. Returns how many had to be raised.
static int factorise_pivot(const lanes s[6], lanes floor, cg_band_pair *pair)
{
    lanes d0 = lanes_max(s[0], floor);
    lanes i0 = 1.0 / d0;
    lanes yx = s[1] * i0, zx = s[2] * i0;
    lanes raw1 = s[3] - yx * s[1];
    lanes d1 = lanes_max(raw1, floor);
    lanes i1 = 1.0 / d1;
    lanes rest = s[4] - yx * s[2];
    lanes zy = rest * i1;
    lanes raw2 = s[5] - zx * s[2] - zy * rest;
    lanes d2 = lanes_max(raw2, floor);
    pair->lower[0] = yx;
    pair->lower[1] = zx;
    pair->lower[2] = zy;
    pair->pivot_inverse[0] = i0;
    pair->pivot_inverse[1] = i1;
    pair->pivot_inverse[2] = 1.0 / d2;
    lane_bits raised = (lane_bits)(d0 != s[0]) | (lane_bits)(d1 != raw1) | (lane_bits)(d2 != raw2);
    return (int)(-(raised[0] + raised[1]));
}

// L(i, k) D = block l^-T, with l the pivot's triangle; then L(i, k) itself.
static void eliminate_block(const lanes block[9], const cg_band_pair *pair, lanes scaled[9], lanes factor[9])
{
    for (int r = 0; r < 3; r++) {
        const lanes *b = block + 3 * r;
        lanes *y = scaled + 3 * r, *f = factor + 3 * r;
        y[0] = b[0];
        y[1] = b[1] - y[0] * pair->lower[0];
        y[2] = b[2] - y[0] * pair->lower[1] - y[1] * pair->lower[2];
        for (int c = 0; c < 3; c++) {
            f[c] = y[c] * pair->pivot_inverse[c];
        }
    }
}

static lanes row_product(const lanes *a, const lanes *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// out = base - a b^T, which is symmetric
static void subtract_symmetric(const lanes base[6], const lanes a[9], const lanes b[9], lanes out[6])
{
    out[0] = base[0] - row_product(a, b);
    out[1] = base[1] - row_product(a, b + 3);
    out[2] = base[2] - row_product(a, b + 6);
    out[3] = base[3] - row_product(a + 3, b + 3);
    out[4] = base[4] - row_product(a + 3, b + 6);
    out[5] = base[5] - row_product(a + 6, b + 6);
}

static void subtract_product(const lanes base[9], const lanes a[9], const lanes b[9], lanes out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = base[3 * r + c] - row_product(a + 3 * r, b + 3 * c);
        }
    }
}

// What is left of the matrix ahead of the elimination: the block about to be a pivot, the one after it, and between.
typedef struct front {
    lanes pivot[6];
    lanes after[6];
    lanes between[9];
    lanes pivot_floor;
    lanes after_floor;
} front;

static lanes floor_of(const lanes diagonal[6])
{
    return WEAKEST_PIVOT * (diagonal[0] + diagonal[3] + diagonal[5]);
}

// Rows past the chains belong to the core: there the front only gathers what the elimination subtracts.
static front front_at_ends(const cg_band_factor *factor, const cg_band_row *rows)
{
    front f;
    memset(&f, 0, sizeof f);
    if (factor->chain > 0) {
        load_diagonal(factor, rows, 0, f.pivot);
        load_next(factor, rows, 0, f.between);
        f.pivot_floor = floor_of(f.pivot);
    }
    if (factor->chain > 1) {
        load_diagonal(factor, rows, 1, f.after);
        f.after_floor = floor_of(f.after);
    }
    return f;
}

static int eliminate_pair(const cg_band_factor *factor, const cg_band_row *rows, int k, front *f)
{
    cg_band_pair *pair = &factor->pairs[k];
    lanes second[9], next_ahead[9] = {{0}}, diagonal_ahead[6] = {{0}}, updated[6];
    load_second(factor, rows, k, second);
    if (k + 1 < factor->chain) {
        load_next(factor, rows, k + 1, next_ahead);
    }
    if (k + 2 < factor->chain) {
        load_diagonal(factor, rows, k + 2, diagonal_ahead);
    }
    lanes scaled_next[9], scaled_second[9], crossed[9];
    int weak = factorise_pivot(f->pivot, f->pivot_floor, pair);
    eliminate_block(f->between, pair, scaled_next, pair->next);
    eliminate_block(second, pair, scaled_second, pair->second);
    subtract_symmetric(f->after, pair->next, scaled_next, updated);
    memcpy(f->pivot, updated, sizeof updated);
    subtract_product(next_ahead, pair->second, scaled_next, crossed);
    memcpy(f->between, crossed, sizeof crossed);
    subtract_symmetric(diagonal_ahead, pair->second, scaled_second, f->after);
    f->pivot_floor = f->after_floor;
    f->after_floor = floor_of(diagonal_ahead);
    return weak;
}

static void add_core_diagonal(cg_band_factor *factor, int block, const double values[6])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            factor->core[3 * block + r][3 * block + c] += values[SYMMETRIC[r][c]];
        }
    }
}

// Adds A(row, column) and its mirror image.
static void add_core_coupling(cg_band_factor *factor, int row, int column, const double values[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            factor->core[3 * row + r][3 * column + c] += values[3 * r + c];
            factor->core[3 * column + c][3 * row + r] += values[3 * r + c];
        }
    }
}

static void add_front_to_core(cg_band_factor *factor, const front *f)
{
    int last = factor->core_count - 1;
    for (int lane = 0; lane < 2; lane++) {
        int outer = lane == 0 ? 0 : last, inner = lane == 0 ? 1 : last - 1;
        double pivot[6], after[6], between[9];
        for (int e = 0; e < 6; e++) {
            pivot[e] = f->pivot[e][lane];
            after[e] = f->after[e][lane];
        }
        for (int e = 0; e < 9; e++) {
            between[e] = f->between[e][lane];
        }
        add_core_diagonal(factor, outer, pivot);
        add_core_diagonal(factor, inner, after);
        add_core_coupling(factor, inner, outer, between);
    }
}

static void gather_core(cg_band_factor *factor, const cg_band_row *rows, const front *f)
{
    memset(factor->core, 0, sizeof factor->core);
    const cg_band_row *core = rows + factor->chain;
    for (int b = 0; b < factor->core_count; b++) {
        add_core_diagonal(factor, b, core[b].diagonal);
        if (b + 1 < factor->core_count) {
            add_core_coupling(factor, b + 1, b, core[b].next);
        }
        if (b + 2 < factor->core_count) {
            add_core_coupling(factor, b + 2, b, core[b].second);
        }
    }
    if (factor->chain > 0) {
        add_front_to_core(factor, f);
    }
}

// Plain dense L D L^T of at most nine unknowns; returns the number of pivots that were raised.
static int factorise_core(cg_band_factor *factor)
{
    int size = 3 * factor->core_count, weak = 0;
    for (int j = 0; j < size; j++) {
        double *row = factor->core[j], floor = WEAKEST_PIVOT * row[j];
        double scaled[9], pivot = row[j];
        for (int k = 0; k < j; k++) {
            scaled[k] = row[k] * factor->core_pivots[k];
            pivot -= row[k] * scaled[k];
        }
        if (!(pivot > floor)) {
            pivot = floor > 0 ? floor : 1.0;
            weak++;
        }
        factor->core_pivots[j] = pivot;
        for (int i = j + 1; i < size; i++) {
            double sum = factor->core[i][j];
            for (int k = 0; k < j; k++) {
                sum -= factor->core[i][k] * scaled[k];
            }
            factor->core[i][j] = sum / pivot;
        }
    }
    return weak;
}

void cg_band_factorise(cg_band_factor *factor, const cg_band_row *rows)
{
    front f = front_at_ends(factor, rows);
    factor->weak_pivots = 0;
    for (int k = 0; k < factor->chain; k++) {
        factor->weak_pivots += eliminate_pair(factor, rows, k, &f);
    }
    gather_core(factor, rows, &f);
    factor->weak_pivots += factorise_core(factor);
}

static void solve_core(const cg_band_factor *factor, double x[9])
{
    int size = 3 * factor->core_count;
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= factor->core[i][k] * x[k];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        x[i] /= factor->core_pivots[i];
        for (int k = i + 1; k < size; k++) {
            x[i] -= factor->core[k][i] * x[k];
        }
    }
}

static void subtract_applied(lanes y[3], const lanes block[9], const lanes x[3])
{
    for (int r = 0; r < 3; r++) {
        y[r] -= row_product(block + 3 * r, x);
    }
}

static void subtract_applied_transpose(lanes y[3], const lanes block[9], const lanes x[3])
{
    for (int c = 0; c < 3; c++) {
        y[c] -= block[c] * x[0] + block[3 + c] * x[1] + block[6 + c] * x[2];
    }
}

// Forward sweep along both chains; what remains for the first two core blocks of each side comes back in `spill`.
static void sweep_inwards(const cg_band_factor *factor, const cg_vec3 *rhs, lanes spill[2][3])
{
    lanes here[3], ahead[3] = {{0}}, beyond[3];
    memset(here, 0, sizeof here);
    for (int k = 0; k < factor->chain; k++) {
        const cg_band_pair *pair = &factor->pairs[k];
        const cg_vec3 *a = &rhs[k], *b = &rhs[factor->count - 1 - k];
        here[0] += lanes_of(a->x, b->x);
        here[1] += lanes_of(a->y, b->y);
        here[2] += lanes_of(a->z, b->z);
        here[1] -= pair->lower[0] * here[0];
        here[2] -= pair->lower[1] * here[0] + pair->lower[2] * here[1];
        memcpy(factor->work + 3 * k, here, sizeof here);
        memset(beyond, 0, sizeof beyond);
        subtract_applied(ahead, pair->next, here);
        subtract_applied(beyond, pair->second, here);
        memcpy(here, ahead, sizeof here);
        memcpy(ahead, beyond, sizeof ahead);
    }
    memcpy(spill[0], here, sizeof here);
    memcpy(spill[1], ahead, sizeof ahead);
}

static void sweep_outwards(const cg_band_factor *factor, const lanes core[2][3], cg_vec3 *x)
{
    lanes ahead[3], beyond[3], here[3];
    memcpy(ahead, core[0], sizeof ahead);
    memcpy(beyond, core[1], sizeof beyond);
    for (int k = factor->chain - 1; k >= 0; k--) {
        const cg_band_pair *pair = &factor->pairs[k];
        const lanes *y = factor->work + 3 * k;
        for (int e = 0; e < 3; e++) {
            here[e] = y[e] * pair->pivot_inverse[e];
        }
        subtract_applied_transpose(here, pair->second, beyond);
        subtract_applied_transpose(here, pair->next, ahead);
        here[1] -= pair->lower[2] * here[2];
        here[0] -= pair->lower[0] * here[1] + pair->lower[1] * here[2];
        x[k] = (cg_vec3){here[0][0], here[1][0], here[2][0]};
        x[factor->count - 1 - k] = (cg_vec3){here[0][1], here[1][1], here[2][1]};
        memcpy(beyond, ahead, sizeof beyond);
        memcpy(ahead, here, sizeof ahead);
    }
}

void cg_band_solve(const cg_band_factor *factor, const cg_vec3 *rhs, cg_vec3 *x)
{
    lanes edge[2][3];
    double core[9];
    int first = factor->chain, last = factor->core_count - 1;
    sweep_inwards(factor, rhs, edge);
    for (int b = 0; b < factor->core_count; b++) {
        core[3 * b] = rhs[first + b].x;
        core[3 * b + 1] = rhs[first + b].y;
        core[3 * b + 2] = rhs[first + b].z;
    }
    for (int depth = 0; depth < 2; depth++) {
        for (int e = 0; e < 3; e++) {
            core[3 * depth + e] += edge[depth][e][0];
            core[3 * (last - depth) + e] += edge[depth][e][1];
        }
    }
    solve_core(factor, core);
    for (int depth = 0; depth < 2; depth++) {
        for (int e = 0; e < 3; e++) {
            edge[depth][e] = lanes_of(core[3 * depth + e], core[3 * (last - depth) + e]);
        }
    }
    for (int b = 0; b < factor->core_count; b++) {
        x[first + b] = (cg_vec3){core[3 * b], core[3 * b + 1], core[3 * b + 2]};
    }
    sweep_outwards(factor, (const lanes(*)[3])edge, x);
}

void cg_band_multiply(const cg_band_row *rows, int count, const cg_vec3 *x, cg_vec3 *y)
{
    const double *in = (const double *)x;
    double *out = (double *)y;
    memset(out, 0, sizeof(double) * 3 * (size_t)count);
    for (int i = 0; i < count; i++) {
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                out[3 * i + r] += rows[i].diagonal[SYMMETRIC[r][c]] * in[3 * i + c];
                if (i + 1 < count) {
                    out[3 * i + 3 + r] += rows[i].next[3 * r + c] * in[3 * i + c];
                    out[3 * i + c] += rows[i].next[3 * r + c] * in[3 * i + 3 + r];
                }
                if (i + 2 < count) {
                    out[3 * i + 6 + r] += rows[i].second[3 * r + c] * in[3 * i + c];
                    out[3 * i + c] += rows[i].second[3 * r + c] * in[3 * i + 6 + r];
                }
            }
        }
    }
}
