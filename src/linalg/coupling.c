#include "linalg/coupling.h"

#include <string.h>

void cg_coupling_layout(cg_coupling_work *work, int most_vertices, int most_contacts, cg_arena *arena)
{
    size_t columns = 3 * (size_t)most_contacts;
    work->most_contacts = most_contacts;
    work->inverse = cg_arena_push_array(arena, cg_band_inverse_row, most_vertices);
    work->rows = cg_arena_push(arena, 12 * columns, sizeof(double));
    work->half = cg_arena_push(arena, columns * columns, sizeof(double));
    work->slot_of = cg_arena_push_array(arena, int, most_contacts);
    work->contact_of = cg_arena_push_array(arena, int, most_contacts);
}

// The walk along the chain: three rows of all columns that have started, at the present vertex and the two after it.
typedef struct walk {
    double *here, *next, *beyond; // each three rows (x y z) of `stride` values
    double *spare;                // as many again, for leaps
    int stride;                   // 3 times the contacts
    int active;                   // slots whose columns have started
} walk;

// Columns of contacts are kept in the order in which they start, so that the active ones stand together.
static int give_slots(cg_coupling_work *work, const cg_coupling_point *points, int point_count, int contact_count)
{
    int slots = 0;
    for (int c = 0; c < contact_count; c++) {
        work->slot_of[c] = -1;
    }
    for (int p = 0; p < point_count; p++) {
        int contact = points[p].contact;
        if (work->slot_of[contact] < 0) {
            work->contact_of[slots] = contact;
            work->slot_of[contact] = slots++;
        }
    }
    return slots;
}

static void step_to(const cg_band_factor *factor, int vertex, walk *w)
{
    double l1[9], l2[9];
    double *freed = w->beyond;
    w->beyond = w->next;
    w->next = w->here;
    w->here = freed;
    cg_band_block_factor(factor, 0, vertex, l1, l2);
    int columns = 3 * w->active, stride = w->stride;
    const double *restrict a = w->next, *restrict b = w->beyond;
    for (int r = 0; r < 3; r++) {
        double *restrict out = w->here + r * stride;
        double a0 = -l1[r], a1 = -l1[3 + r], a2 = -l1[6 + r], b0 = -l2[r], b1 = -l2[3 + r], b2 = -l2[6 + r];
        for (int c = 0; c < columns; c++) {
            out[c] = a0 * a[c] + a1 * a[stride + c] + a2 * a[2 * stride + c] + b0 * b[c] + b1 * b[stride + c] +
                     b2 * b[2 * stride + c];
        }
    }
}

// rows = m [here; next] for all active columns, m having three rows of six.
static void combine(const double *m, const walk *w, double *restrict rows)
{
    int columns = 3 * w->active, stride = w->stride;
    const double *restrict a = w->here, *restrict b = w->next;
    for (int r = 0; r < 3; r++) {
        double *restrict out = rows + r * stride;
        const double *f = m + 6 * r;
        double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5];
        for (int c = 0; c < columns; c++) {
            out[c] = f0 * a[c] + f1 * a[stride + c] + f2 * a[2 * stride + c] + f3 * b[c] + f4 * b[stride + c] +
                     f5 * b[2 * stride + c];
        }
    }
}

// Over a stretch without points all columns go the same way: the way of six unit columns is found first, and all others
// follow it in one leap.
static void leap_to(const cg_band_factor *factor, int from, int to, walk *w)
{
    double rows[54] = {0};
    walk unit = {rows, rows + 18, rows + 36, NULL, 6, 2};
    for (int e = 0; e < 3; e++) {
        unit.here[6 * e + e] = 1.0;
        unit.next[6 * e + 3 + e] = 1.0;
    }
    for (int vertex = from - 1; vertex >= to; vertex--) {
        step_to(factor, vertex, &unit);
    }
    combine(unit.here, w, w->beyond);
    combine(unit.next, w, w->spare);
    double *here = w->here, *next = w->next;
    w->here = w->beyond;
    w->next = w->spare;
    w->beyond = here;
    w->spare = next;
}

static void go_to(const cg_band_factor *factor, int from, int to, walk *w)
{
    // A leap costs two steps of all columns, and its own way some three columns a vertex.
    if (from - to > 4 && w->active > 4) {
        leap_to(factor, from, to, w);
        return;
    }
    for (int vertex = from - 1; vertex >= to; vertex--) {
        step_to(factor, vertex, w);
    }
}

// Three columns of a slot += block times the axes.
static void add_columns(double *rows, int stride, int slot, const double block[9], const double *axes)
{
    for (int r = 0; r < 3; r++) {
        const double *b = block + 3 * r;
        double *out = rows + r * stride + 3 * slot;
        for (int k = 0; k < 3; k++) {
            out[k] += b[0] * axes[3 * k] + b[1] * axes[3 * k + 1] + b[2] * axes[3 * k + 2];
        }
    }
}

// Adds the columns of a point at its own two vertices.
static void start_point(const cg_coupling_work *work, const cg_coupling_point *point, const double *axes, double share,
                        walk *w)
{
    const cg_band_inverse_row *here = &work->inverse[point->vertex], *after = here + 1;
    double near[9], far[9], f = share * point->far, g = share * point->near;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            near[3 * r + c] = g * here->diagonal[3 * r + c] + f * here->next[3 * c + r];
            far[3 * r + c] = g * here->next[3 * r + c] + f * after->diagonal[3 * r + c];
        }
    }
    int slot = work->slot_of[point->contact];
    add_columns(w->here, w->stride, slot, near, axes + 9 * point->contact);
    add_columns(w->next, w->stride, slot, far, axes + 9 * point->contact);
}

// A column that has not started holds whatever an earlier problem left in the buffers.
static void activate(const cg_coupling_work *work, const cg_coupling_point *point, walk *w)
{
    int slot = work->slot_of[point->contact];
    if (slot < w->active) {
        return;
    }
    for (int r = 0; r < 3; r++) {
        memset(w->here + r * w->stride + 3 * slot, 0, 3 * sizeof(double));
        memset(w->next + r * w->stride + 3 * slot, 0, 3 * sizeof(double));
        memset(w->beyond + r * w->stride + 3 * slot, 0, 3 * sizeof(double));
        memset(w->spare + r * w->stride + 3 * slot, 0, 3 * sizeof(double));
    }
    w->active = slot + 1;
}

static void read_off(const cg_coupling_work *work, const cg_coupling_point *point, const double *axes, const walk *w)
{
    int columns = 3 * w->active, stride = w->stride;
    double f = point->far, g = point->near;
    const double *restrict here = w->here, *restrict next = w->next;
    for (int k = 0; k < 3; k++) {
        const double *axis = axes + 9 * point->contact + 3 * k;
        double *restrict out = work->half + (size_t)(3 * work->slot_of[point->contact] + k) * (size_t)stride;
        double g0 = g * axis[0], g1 = g * axis[1], g2 = g * axis[2], f0 = f * axis[0], f1 = f * axis[1],
               f2 = f * axis[2];
        for (int c = 0; c < columns; c++) {
            out[c] += g0 * here[c] + g1 * here[stride + c] + g2 * here[2 * stride + c] + f0 * next[c] +
                      f1 * next[stride + c] + f2 * next[2 * stride + c];
        }
    }
}

static void add_both_halves(const cg_coupling_work *work, int slots, int stride, double *coupling)
{
    for (int a = 0; a < slots; a++) {
        for (int b = 0; b < slots; b++) {
            double *out = coupling + (size_t)(3 * work->contact_of[a]) * (size_t)stride + 3 * work->contact_of[b];
            const double *half = work->half + (size_t)(3 * a) * (size_t)stride + 3 * b;
            const double *mirror = work->half + (size_t)(3 * b) * (size_t)stride + 3 * a;
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    out[r * stride + c] += half[r * stride + c] + mirror[c * stride + r];
                }
            }
        }
    }
}

void cg_coupling_add(cg_coupling_work *work, const cg_band_factor *factor, const cg_coupling_point *points,
                     int point_count, const double *axes, int contact_count, double *coupling)
{
    if (point_count == 0) {
        return;
    }
    int stride = 3 * contact_count, slots = give_slots(work, points, point_count, contact_count);
    walk w = {work->rows, work->rows + 3 * stride, work->rows + 6 * stride, work->rows + 9 * stride, stride, 0};
    memset(work->half, 0, sizeof(double) * 3 * (size_t)slots * (size_t)stride);
    int lowest = points[point_count - 1].vertex, at = points[0].vertex;
    cg_band_selected_inverse(factor, lowest, factor->core_first + 1, work->inverse);
    for (int p = 0; p < point_count;) {
        go_to(factor, at, points[p].vertex, &w);
        at = points[p].vertex;
        int end = p;
        for (; end < point_count && points[end].vertex == at; end++) {
            activate(work, &points[end], &w);
        }
        // Points between the same two vertices see each other from both sides, and themselves: half from each.
        for (int q = p; q < end; q++) {
            start_point(work, &points[q], axes, 0.5, &w);
        }
        for (int q = p; q < end; q++) {
            read_off(work, &points[q], axes, &w);
        }
        for (int q = p; q < end; q++) {
            start_point(work, &points[q], axes, 0.5, &w);
        }
        p = end;
    }
    add_both_halves(work, slots, stride, coupling);
}
