#include "linalg/band.h"

#include <string.h>

#include "linalg/wide.h"

// A pivot below this share of its diagonal is all rounding error. Such a matrix (a segment that is a million times
// stiffer than its inertia) is nearly singular there; raising the pivot stands for a little more mass.
static const double WEAKEST_PIVOT = 4e-16;

void cg_band_layout(cg_band_factor *factor, int count, cg_arena *arena)
{
    // Room for a core at either end, where one chain has all other vertices.
    factor->pairs = cg_arena_push(arena, (size_t)count - 2, sizeof(cg_band_pair));
    factor->work = cg_arena_push(arena, 3 * ((size_t)count - 2), sizeof(lanes));
    factor->push_work = cg_arena_push(arena, 3 * CG_BAND_PUSHES * ((size_t)count - 2), sizeof(double));
    cg_band_resize(factor, count);
}

void cg_band_resize(cg_band_factor *factor, int count)
{
    factor->count = count;
    cg_band_place_core(factor, (count - 2) / 2);
}

void cg_band_place_core(cg_band_factor *factor, int first)
{
    factor->core_first = first;
    factor->chains[0] = first;
    factor->chains[1] = factor->count - 2 - first;
}

static int shorter_chain(const cg_band_factor *factor)
{
    return factor->chains[0] < factor->chains[1] ? factor->chains[0] : factor->chains[1];
}

static int longer_chain(const cg_band_factor *factor)
{
    return factor->chains[0] > factor->chains[1] ? factor->chains[0] : factor->chains[1];
}

// Index of a symmetric block's entry in its six stored values.
static const int SYMMETRIC[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static const double NOTHING[9] = {0};
static const double UNIT[6] = {1, 0, 0, 1, 0, 1};

// What a lane reads of diagonal block k while it eliminates block `at`. Past its chain it must gather only what the
// elimination subtracts, because those rows belong to the core; once at rest it sees unit blocks.
CG_WIDE_BODY const double *diagonal_of(const cg_band_factor *factor, const cg_band_row *rows, int lane, int k, int at)
{
    if (k >= factor->chains[lane]) {
        return at < factor->chains[lane] ? NOTHING : UNIT;
    }
    return rows[lane == 0 ? k : factor->count - 1 - k].diagonal;
}

CG_WIDE_BODY void load_diagonal(const cg_band_factor *factor, const cg_band_row *rows, int k, int at, lanes out[6])
{
    const double *start = diagonal_of(factor, rows, 0, k, at), *finish = diagonal_of(factor, rows, 1, k, at);
    for (int e = 0; e < 6; e++) {
        out[e] = lanes_of(start[e], finish[e]);
    }
}

// Lane 1 runs backwards, so its block is the transpose of the one stored with the earlier vertex.
CG_WIDE_BODY void load_coupling(const double *start, const double *finish, lanes out[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = lanes_of(start[3 * r + c], finish[3 * c + r]);
        }
    }
}

CG_WIDE_BODY void load_next(const cg_band_factor *factor, const cg_band_row *rows, int k, lanes out[9])
{
    load_coupling(k < factor->chains[0] ? rows[k].next : NOTHING,
                  k < factor->chains[1] ? rows[factor->count - 2 - k].next : NOTHING, out);
}

CG_WIDE_BODY void load_second(const cg_band_factor *factor, const cg_band_row *rows, int k, lanes out[9])
{
    load_coupling(k < factor->chains[0] ? rows[k].second : NOTHING,
                  k < factor->chains[1] ? rows[factor->count - 3 - k].second : NOTHING, out);
}

// L D L^T of a pivot block; pivots are kept above `floor`. Returns how many had to be raised.
CG_WIDE_BODY int factorise_pivot(const lanes s[6], lanes floor, cg_band_pair *pair)
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
CG_WIDE_BODY void eliminate_block(const lanes block[9], const cg_band_pair *pair, lanes scaled[9], lanes factor[9])
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

CG_WIDE_BODY lanes row_product(const lanes *a, const lanes *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// out = base - a b^T, which is symmetric
CG_WIDE_BODY void subtract_symmetric(const lanes base[6], const lanes a[9], const lanes b[9], lanes out[6])
{
    out[0] = base[0] - row_product(a, b);
    out[1] = base[1] - row_product(a, b + 3);
    out[2] = base[2] - row_product(a, b + 6);
    out[3] = base[3] - row_product(a + 3, b + 3);
    out[4] = base[4] - row_product(a + 3, b + 6);
    out[5] = base[5] - row_product(a + 6, b + 6);
}

CG_WIDE_BODY void subtract_product(const lanes base[9], const lanes a[9], const lanes b[9], lanes out[9])
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

CG_WIDE_BODY lanes floor_of(const lanes diagonal[6])
{
    return WEAKEST_PIVOT * (diagonal[0] + diagonal[3] + diagonal[5]);
}

CG_WIDE_BODY front front_at_ends(const cg_band_factor *factor, const cg_band_row *rows)
{
    front f;
    load_diagonal(factor, rows, 0, -1, f.pivot);
    load_diagonal(factor, rows, 1, -1, f.after);
    load_next(factor, rows, 0, f.between);
    f.pivot_floor = floor_of(f.pivot);
    f.after_floor = floor_of(f.after);
    return f;
}

CG_WIDE_BODY int eliminate_pair(const cg_band_factor *factor, const cg_band_row *rows, int k, front *f)
{
    cg_band_pair *pair = &factor->pairs[k];
    lanes second[9], next_ahead[9], diagonal_ahead[6], updated[6];
    load_second(factor, rows, k, second);
    load_next(factor, rows, k + 1, next_ahead);
    load_diagonal(factor, rows, k + 2, k, diagonal_ahead);
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

static void begin_core(cg_band_factor *factor, const cg_band_row *rows)
{
    const cg_band_row *core = rows + factor->core_first;
    memset(factor->core, 0, sizeof factor->core);
    add_core_diagonal(factor, 0, core[0].diagonal);
    add_core_diagonal(factor, 1, core[1].diagonal);
    add_core_coupling(factor, 1, 0, core[0].next);
}

// At the end of a lane's chain the front holds what the elimination subtracts from the core. The lane rests from then
// on.
CG_WIDE_BODY void hand_over(cg_band_factor *factor, front *f, int lane)
{
    double pivot[6], after[6], between[9];
    for (int e = 0; e < 6; e++) {
        pivot[e] = f->pivot[e][lane];
        after[e] = f->after[e][lane];
        f->pivot[e][lane] = f->after[e][lane] = UNIT[e];
    }
    for (int e = 0; e < 9; e++) {
        between[e] = f->between[e][lane];
        f->between[e][lane] = 0;
    }
    f->pivot_floor[lane] = f->after_floor[lane] = 0;
    add_core_diagonal(factor, lane, pivot);
    add_core_diagonal(factor, 1 - lane, after);
    add_core_coupling(factor, 1 - lane, lane, between);
}

// Plain dense L D L^T of six unknowns; returns the number of pivots that were raised.
static int factorise_core(cg_band_factor *factor)
{
    int weak = 0;
    for (int j = 0; j < 6; j++) {
        double *row = factor->core[j], floor = WEAKEST_PIVOT * row[j];
        double scaled[6] = {0}, pivot = row[j];
        for (int k = 0; k < j; k++) {
            scaled[k] = row[k] * factor->core_pivots[k];
            pivot -= row[k] * scaled[k];
        }
        if (!(pivot > floor)) {
            pivot = floor > 0 ? floor : 1.0;
            weak++;
        }
        factor->core_pivots[j] = pivot;
        for (int i = j + 1; i < 6; i++) {
            double sum = factor->core[i][j];
            for (int k = 0; k < j; k++) {
                sum -= factor->core[i][k] * scaled[k];
            }
            factor->core[i][j] = sum / pivot;
        }
    }
    return weak;
}

CG_WIDE_BODY void cg_band_factorise_body(cg_band_factor *factor, const cg_band_row *rows)
{
    int shorter = shorter_chain(factor), longer = longer_chain(factor), last = factor->chains[0] == longer ? 0 : 1;
    front f = front_at_ends(factor, rows);
    factor->weak_pivots = 0;
    begin_core(factor, rows);
    for (int k = 0; k < shorter; k++) {
        factor->weak_pivots += eliminate_pair(factor, rows, k, &f);
    }
    hand_over(factor, &f, 1 - last);
    for (int k = shorter; k < longer; k++) {
        factor->weak_pivots += eliminate_pair(factor, rows, k, &f);
    }
    hand_over(factor, &f, last);
    factor->weak_pivots += factorise_core(factor);
}
CG_WIDE_PAIR(extern, cg_band_factorise, (cg_band_factor * factor, const cg_band_row *rows), (factor, rows))

void cg_band_solve_core(const cg_band_factor *factor, double x[6])
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= factor->core[i][k] * x[k];
        }
    }
    for (int i = 5; i >= 0; i--) {
        x[i] /= factor->core_pivots[i];
        for (int k = i + 1; k < 6; k++) {
            x[i] -= factor->core[k][i] * x[k];
        }
    }
}

CG_WIDE_BODY void subtract_applied(lanes y[3], const lanes block[9], const lanes x[3])
{
    for (int r = 0; r < 3; r++) {
        y[r] -= row_product(block + 3 * r, x);
    }
}

CG_WIDE_BODY void subtract_applied_transpose(lanes y[3], const lanes block[9], const lanes x[3])
{
    for (int c = 0; c < 3; c++) {
        y[c] -= block[c] * x[0] + block[3 + c] * x[1] + block[6 + c] * x[2];
    }
}

// The unknowns of two neighbouring blocks, from outside inwards.
typedef struct sweep {
    lanes near[3], far[3];
} sweep;

CG_WIDE_BODY lanes load_axis(const cg_band_factor *factor, const cg_vec3 *rhs, int k, int axis)
{
    double start = k < factor->chains[0] ? (&rhs[k].x)[axis] : 0.0;
    return lanes_of(start, k < factor->chains[1] ? (&rhs[factor->count - 1 - k].x)[axis] : 0.0);
}

// Forward substitution of pairs from .. to - 1; s holds what is already subtracted from the next two blocks.
CG_WIDE_BODY void sweep_inwards(const cg_band_factor *factor, const cg_vec3 *rhs, int from, int to, sweep *s)
{
    for (int k = from; k < to; k++) {
        const cg_band_pair *pair = &factor->pairs[k];
        lanes *y = factor->work + 3 * k, beyond[3] = {{0}};
        for (int e = 0; e < 3; e++) {
            y[e] = s->near[e] + load_axis(factor, rhs, k, e);
        }
        y[1] -= pair->lower[0] * y[0];
        y[2] -= pair->lower[1] * y[0] + pair->lower[2] * y[1];
        subtract_applied(s->far, pair->next, y);
        subtract_applied(beyond, pair->second, y);
        memcpy(s->near, s->far, sizeof beyond);
        memcpy(s->far, beyond, sizeof beyond);
    }
}

// Backward substitution of pairs to - 1 .. from; s holds the two blocks further inside.
CG_WIDE_BODY void sweep_outwards(const cg_band_factor *factor, int from, int to, sweep *s, cg_vec3 *x)
{
    for (int k = to - 1; k >= from; k--) {
        const cg_band_pair *pair = &factor->pairs[k];
        const lanes *y = factor->work + 3 * k;
        lanes here[3];
        for (int e = 0; e < 3; e++) {
            here[e] = y[e] * pair->pivot_inverse[e];
        }
        subtract_applied_transpose(here, pair->second, s->far);
        subtract_applied_transpose(here, pair->next, s->near);
        here[1] -= pair->lower[2] * here[2];
        here[0] -= pair->lower[0] * here[1] + pair->lower[1] * here[2];
        if (k < factor->chains[0]) {
            x[k] = (cg_vec3){here[0][0], here[1][0], here[2][0]};
        }
        if (k < factor->chains[1]) {
            x[factor->count - 1 - k] = (cg_vec3){here[0][1], here[1][1], here[2][1]};
        }
        memcpy(s->far, s->near, sizeof here);
        memcpy(s->near, here, sizeof here);
    }
}

// Lane 0 meets the first core block first, lane 1 the second.
static void add_to_core(double core[6], const sweep *s, int lane)
{
    for (int e = 0; e < 3; e++) {
        core[3 * lane + e] += s->near[e][lane];
        core[3 * (1 - lane) + e] += s->far[e][lane];
    }
}

static void take_from_core(const double core[6], sweep *s, int lane)
{
    for (int e = 0; e < 3; e++) {
        s->near[e][lane] = core[3 * lane + e];
        s->far[e][lane] = core[3 * (1 - lane) + e];
    }
}

CG_WIDE_BODY void cg_band_solve_body(const cg_band_factor *factor, const cg_vec3 *rhs, cg_vec3 *x)
{
    int shorter = shorter_chain(factor), longer = longer_chain(factor), last = factor->chains[0] == longer ? 0 : 1;
    const cg_vec3 *a = &rhs[factor->core_first], *b = a + 1;
    double core[6] = {a->x, a->y, a->z, b->x, b->y, b->z};
    sweep s = {{{0}}, {{0}}};
    sweep_inwards(factor, rhs, 0, shorter, &s);
    add_to_core(core, &s, 1 - last);
    sweep_inwards(factor, rhs, shorter, longer, &s);
    add_to_core(core, &s, last);
    cg_band_solve_core(factor, core);
    memset(&s, 0, sizeof s);
    take_from_core(core, &s, last);
    sweep_outwards(factor, shorter, longer, &s, x);
    take_from_core(core, &s, 1 - last);
    sweep_outwards(factor, 0, shorter, &s, x);
    x[factor->core_first] = (cg_vec3){core[0], core[1], core[2]};
    x[factor->core_first + 1] = (cg_vec3){core[3], core[4], core[5]};
}
CG_WIDE_PAIR(extern, cg_band_solve, (const cg_band_factor *factor, const cg_vec3 *rhs, cg_vec3 *x), (factor, rhs, x))

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
