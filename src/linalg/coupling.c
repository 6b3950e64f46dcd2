#include "linalg/coupling.h"

#include <string.h>

#include "linalg/wide.h"

void cg_coupling_layout(cg_coupling_work *work, int most_vertices, int most_contacts, cg_arena *arena)
{
    size_t columns = 3 * (size_t)most_contacts;
    work->most_contacts = most_contacts;
    work->inverse = cg_arena_push_array(arena, cg_band_inverse_row, most_vertices);
    work->rows = cg_arena_push(arena, 12 * columns, sizeof(double));
    work->half = cg_arena_push(arena, columns * columns, sizeof(double));
    work->slot_of = cg_arena_push_array(arena, int, most_contacts);
    work->contact_of = cg_arena_push_array(arena, int, most_contacts);
    work->read_to = cg_arena_push_array(arena, int, most_contacts);
    work->points = cg_arena_push_array(arena, cg_coupling_point, 2 * most_contacts);
    work->axes = cg_arena_push_array(arena, double, 9 * most_contacts);
    cg_coupling_end(work);
}

void cg_coupling_begin(cg_coupling_work *work)
{
    work->keeps = true;
    work->factor = NULL;
}

void cg_coupling_end(cg_coupling_work *work)
{
    work->keeps = false;
    work->factor = NULL;
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
            work->read_to[slots] = 0;
            work->slot_of[contact] = slots++;
        }
    }
    return slots;
}

// Three rows out = m [a; b] for all columns, m having three rows of six.
CG_WIDE_BODY void mix(const double *m, const double *a, const double *b, double *out, int stride, int columns)
{
    int c = 0;
    for (; c + 4 <= columns; c += 4) {
        quad a0 = QUAD(a + c), a1 = QUAD(a + stride + c), a2 = QUAD(a + 2 * stride + c);
        quad b0 = QUAD(b + c), b1 = QUAD(b + stride + c), b2 = QUAD(b + 2 * stride + c);
        for (int r = 0; r < 3; r++) {
            const double *f = m + 6 * r;
            QUAD_OUT(out + r * stride + c) = f[0] * a0 + f[1] * a1 + f[2] * a2 + f[3] * b0 + f[4] * b1 + f[5] * b2;
        }
    }
    for (; c < columns; c++) {
        for (int r = 0; r < 3; r++) {
            const double *f = m + 6 * r;
            out[r * stride + c] = f[0] * a[c] + f[1] * a[stride + c] + f[2] * a[2 * stride + c] + f[3] * b[c] +
                                  f[4] * b[stride + c] + f[5] * b[2 * stride + c];
        }
    }
}
CG_WIDE_CHOOSE(static, mix_rows, mix,
               (const double *m, const double *a, const double *b, double *out, int stride, int columns),
               (m, a, b, out, stride, columns))

// The same, added to what is there; rows of the result are as long as those of the others.
CG_WIDE_BODY void mix_add(const double *m, const double *a, const double *b, double *out, int stride, int columns)
{
    int c = 0;
    for (; c + 4 <= columns; c += 4) {
        quad a0 = QUAD(a + c), a1 = QUAD(a + stride + c), a2 = QUAD(a + 2 * stride + c);
        quad b0 = QUAD(b + c), b1 = QUAD(b + stride + c), b2 = QUAD(b + 2 * stride + c);
        for (int r = 0; r < 3; r++) {
            const double *f = m + 6 * r;
            QUAD_OUT(out + r * stride + c) += f[0] * a0 + f[1] * a1 + f[2] * a2 + f[3] * b0 + f[4] * b1 + f[5] * b2;
        }
    }
    for (; c < columns; c++) {
        for (int r = 0; r < 3; r++) {
            const double *f = m + 6 * r;
            out[r * stride + c] += f[0] * a[c] + f[1] * a[stride + c] + f[2] * a[2 * stride + c] + f[3] * b[c] +
                                   f[4] * b[stride + c] + f[5] * b[2 * stride + c];
        }
    }
}
CG_WIDE_CHOOSE(static, mix_add_rows, mix_add,
               (const double *m, const double *a, const double *b, double *out, int stride, int columns),
               (m, a, b, out, stride, columns))

static void step_to(const cg_band_factor *factor, int vertex, walk *w)
{
    double l1[9], l2[9], m[18];
    double *freed = w->beyond;
    w->beyond = w->next;
    w->next = w->here;
    w->here = freed;
    cg_band_block_factor(factor, 0, vertex, l1, l2);
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            m[6 * r + k] = -l1[3 * k + r];
            m[6 * r + 3 + k] = -l2[3 * k + r];
        }
    }
    mix_rows(m, w->next, w->beyond, w->here, w->stride, 3 * w->active);
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
    mix_rows(unit.here, w->here, w->next, w->beyond, w->stride, 3 * w->active);
    mix_rows(unit.next, w->here, w->next, w->spare, w->stride, 3 * w->active);
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
    double m[18], f = point->far, g = point->near;
    for (int k = 0; k < 3; k++) {
        const double *axis = axes + 9 * point->contact + 3 * k;
        for (int e = 0; e < 3; e++) {
            m[6 * k + e] = g * axis[e];
            m[6 * k + 3 + e] = f * axis[e];
        }
    }
    int slot = work->slot_of[point->contact];
    double *out = work->half + (size_t)(3 * slot) * (size_t)w->stride;
    if (work->read_to[slot] == 0) { // most have one point alone
        work->read_to[slot] = w->active;
        mix_rows(m, w->here, w->next, out, w->stride, 3 * w->active);
        return;
    }
    for (int r = 0; r < 3; r++) {
        memset(out + r * w->stride + 3 * work->read_to[slot], 0,
               sizeof(double) * 3 * (size_t)(w->active - work->read_to[slot]));
    }
    work->read_to[slot] = w->active;
    mix_add_rows(m, w->here, w->next, out, w->stride, 3 * w->active);
}

// Both blocks of a pair of slots, the first of which started later: what was read at one, and at the other if that had
// another point to come. The sum is the same for both, and is written row by row and column by column. `kept`: 1, or 0
// where what is there counts for nothing.
static inline void add_pair(const cg_coupling_work *work, int late, int early, int stride, double *coupling, bool kept)
{
    const double *half = work->half + (size_t)(3 * late) * (size_t)stride + 3 * early;
    const double *mirror = work->half + (size_t)(3 * early) * (size_t)stride + 3 * late;
    size_t row = (size_t)(3 * work->contact_of[late]), column = (size_t)(3 * work->contact_of[early]);
    double *out = coupling + row * (size_t)stride + column, *turned = coupling + column * (size_t)stride + row;
    bool has_mirror = work->read_to[early] > late;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double sum = half[r * stride + c] + (has_mirror ? mirror[c * stride + r] : 0.0);
            out[r * stride + c] = (kept ? out[r * stride + c] : 0.0) + sum;
            turned[c * stride + r] = (kept ? turned[c * stride + r] : 0.0) + sum;
        }
    }
}

static inline void add_own(const cg_coupling_work *work, int slot, int stride, double *coupling, bool kept)
{
    const double *half = work->half + (size_t)(3 * slot) * (size_t)(stride + 1);
    double *out = coupling + (size_t)(3 * work->contact_of[slot]) * (size_t)(stride + 1);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double sum = half[r * stride + c] + half[c * stride + r];
            out[r * stride + c] = (kept ? out[r * stride + c] : 0.0) + sum;
        }
    }
}

static inline __attribute__((always_inline)) void add_halves(const cg_coupling_work *work, int slots, int stride,
                                                             double *coupling, bool kept)
{
    for (int late = 0; late < slots; late++) {
        for (int early = 0; early < late; early++) {
            add_pair(work, late, early, stride, coupling, kept);
        }
        add_own(work, late, stride, coupling, kept);
    }
}

// Where the chain has a point of every contact, all of the coupling is written over at once.
static void put_both_halves(const cg_coupling_work *work, int slots, int stride, double *coupling, bool kept)
{
    if (!kept && 3 * slots == stride) {
        add_halves(work, slots, stride, coupling, false);
        return;
    }
    if (!kept) {
        memset(coupling, 0, sizeof(double) * (size_t)stride * (size_t)stride);
    }
    add_halves(work, slots, stride, coupling, true);
}

// What a call is for.
typedef struct wanted {
    const cg_band_factor *factor;
    const cg_coupling_point *points;
    const double *axes;
    int point_count, contact_count;
} wanted;

static bool are_same_points(const cg_coupling_point *a, const cg_coupling_point *b, int count)
{
    bool same = true;
    for (int p = 0; p < count && same; p++) {
        same = a[p].vertex == b[p].vertex && a[p].contact == b[p].contact && a[p].near == b[p].near &&
               a[p].far == b[p].far;
    }
    return same;
}

static bool is_known(const cg_coupling_work *work, wanted call)
{
    return work->factor == call.factor && work->point_count == call.point_count &&
           work->contact_count == call.contact_count && are_same_points(work->points, call.points, call.point_count) &&
           memcmp(work->axes, call.axes, 9 * sizeof(double) * (size_t)call.contact_count) == 0;
}

static void note(cg_coupling_work *work, wanted call)
{
    bool has_room = call.point_count <= 2 * work->most_contacts;
    work->point_count = has_room ? call.point_count : 0;
    work->contact_count = call.contact_count;
    memcpy(work->points, call.points, sizeof *call.points * (size_t)work->point_count);
    memcpy(work->axes, call.axes, 9 * sizeof(double) * (size_t)call.contact_count);
}

// The columns of the inverse that start at points.
static void find_inverse(cg_coupling_work *work, wanted call)
{
    int lowest = call.points[call.point_count - 1].vertex;
    if (work->factor != call.factor || lowest < work->lowest) {
        cg_band_selected_inverse(call.factor, lowest, call.factor->core_first + 1, work->inverse);
        work->factor = work->keeps ? call.factor : NULL;
        work->lowest = lowest;
    }
}

static void read_all(cg_coupling_work *work, wanted call)
{
    int stride = 3 * call.contact_count, at = call.points[0].vertex;
    walk w = {work->rows, work->rows + 3 * stride, work->rows + 6 * stride, work->rows + 9 * stride, stride, 0};
    const cg_coupling_point *points = call.points;
    for (int p = 0; p < call.point_count;) {
        go_to(call.factor, at, points[p].vertex, &w);
        at = points[p].vertex;
        int end = p;
        for (; end < call.point_count && points[end].vertex == at; end++) {
            activate(work, &points[end], &w);
        }
        // Points between the same two vertices see each other from both sides, and themselves: half from each.
        for (int q = p; q < end; q++) {
            start_point(work, &points[q], call.axes, 0.5, &w);
        }
        for (int q = p; q < end; q++) {
            read_off(work, &points[q], call.axes, &w);
        }
        for (int q = p; q < end; q++) {
            start_point(work, &points[q], call.axes, 0.5, &w);
        }
        p = end;
    }
}

void cg_coupling_put(cg_coupling_work *work, const cg_band_factor *factor, const cg_coupling_point *points,
                     int point_count, const double *axes, int contact_count, double *coupling, bool kept)
{
    wanted call = {factor, points, axes, point_count, contact_count};
    if (point_count == 0) {
        return;
    }
    if (!is_known(work, call)) {
        work->slot_count = give_slots(work, points, point_count, contact_count);
        find_inverse(work, call);
        read_all(work, call);
        if (work->keeps) {
            note(work, call);
        }
    }
    put_both_halves(work, work->slot_count, 3 * contact_count, coupling, kept);
}

void cg_coupling_add(cg_coupling_work *work, const cg_band_factor *factor, const cg_coupling_point *points,
                     int point_count, const double *axes, int contact_count, double *coupling)
{
    cg_coupling_put(work, factor, points, point_count, axes, contact_count, coupling, true);
}
