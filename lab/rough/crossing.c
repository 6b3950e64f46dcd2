#include "rough/crossing.h"

#include <math.h>

#include "base/vec3.h"

static cg_vec3 between(cg_vec3 a, cg_vec3 b, double t)
{
    return v3_add_scaled(a, t, v3_sub(b, a));
}

typedef struct quad {
    cg_vec3 before[4], after[4]; // ends of the one segment, ends of the other
    double ahead[2], behind[2];  // [m] by which their lines go on beside them
} quad;

static double volume_at(const quad *q, double t, cg_vec3 now[4])
{
    for (int k = 0; k < 4; k++) {
        now[k] = between(q->before[k], q->after[k], t);
    }
    cg_vec3 across = v3_cross(v3_sub(now[1], now[0]), v3_sub(now[3], now[2]));
    return v3_dot(across, v3_sub(now[2], now[0]));
}

// Whether the segments, in one plane at this time, meet: at the shares `at` of their lengths.
static bool meet(const cg_vec3 now[4], double at[2])
{
    cg_vec3 u = v3_sub(now[1], now[0]), v = v3_sub(now[3], now[2]), w = v3_sub(now[2], now[0]);
    cg_vec3 normal = v3_cross(u, v);
    double square = v3_dot(normal, normal);
    if (!(square > 1e-12 * v3_dot(u, u) * v3_dot(v, v))) {
        return false; // along each other
    }
    at[0] = v3_dot(v3_cross(w, v), normal) / square;
    at[1] = v3_dot(v3_cross(w, u), normal) / square;
    return at[0] >= 0 && at[0] < 1 && at[1] >= 0 && at[1] < 1;
}

enum { PIECES = 8, HALVINGS = 50 };

// [m] how far the farthest of the ends goes.
static double way_of(const quad *q)
{
    double way = 0;
    for (int k = 0; k < 4; k++) {
        way = fmax(way, v3_distance(q->before[k], q->after[k]));
    }
    return way;
}

// +1, -1, or 0: it passes on one side, the other, or not. Where a line ends nearer than it went in this step it may
// have gone around that end.
static int sense_of(const quad *q)
{
    cg_vec3 now[4];
    double at[2];
    int sum = 0;
    double from = volume_at(q, 0, now);
    for (int i = 1; i <= PIECES; i++) {
        double to = volume_at(q, (double)i / PIECES, now);
        if ((from > 0) == (to > 0)) {
            from = to;
            continue;
        }
        double low = (double)(i - 1) / PIECES, high = (double)i / PIECES;
        for (int k = 0; k < HALVINGS; k++) {
            double middle = 0.5 * (low + high);
            bool is_before = (volume_at(q, middle, now) > 0) == (from > 0);
            low = is_before ? middle : low;
            high = is_before ? high : middle;
        }
        volume_at(q, high, now);
        if (meet(now, at)) {
            double end = INFINITY, way = way_of(q);
            for (int k = 0; k < 2; k++) {
                double length = v3_distance(now[2 * k], now[2 * k + 1]);
                end = fmin(end, fmin(q->ahead[k] + at[k] * length, q->behind[k] + (1 - at[k]) * length));
            }
            sum += end <= way ? 0 : to > 0 ? 1 : -1;
        }
        from = to;
    }
    return sum;
}

typedef struct box {
    cg_vec3 low, high;
} box;

static box box_of(cg_moving_line line, int segment)
{
    cg_vec3 p = line.before[segment];
    box b = {p, p};
    const cg_vec3 others[3] = {line.before[segment + 1], line.after[segment], line.after[segment + 1]};
    for (int k = 0; k < 3; k++) {
        b.low = v3(fmin(b.low.x, others[k].x), fmin(b.low.y, others[k].y), fmin(b.low.z, others[k].z));
        b.high = v3(fmax(b.high.x, others[k].x), fmax(b.high.y, others[k].y), fmax(b.high.z, others[k].z));
    }
    return b;
}

static bool apart(const box *a, const box *b)
{
    return a->low.x > b->high.x || b->low.x > a->high.x || a->low.y > b->high.y || b->low.y > a->high.y ||
           a->low.z > b->high.z || b->low.z > a->high.z;
}

int cg_count_crossings(cg_moving_line a, cg_moving_line b)
{
    bool is_self = a.before == b.before;
    int sum = 0;
    for (int i = 0; i + 1 < a.count; i++) {
        box of_a = box_of(a, i);
        for (int k = is_self ? i + 2 : 0; k + 1 < b.count; k++) {
            box of_b = box_of(b, k);
            if (!apart(&of_a, &of_b)) {
                quad q = {{a.before[i], a.before[i + 1], b.before[k], b.before[k + 1]},
                          {a.after[i], a.after[i + 1], b.after[k], b.after[k + 1]},
                          {a.arc[i], b.arc[k]},
                          {a.arc[a.count - 1] - a.arc[i + 1], b.arc[b.count - 1] - b.arc[k + 1]}};
                sum += sense_of(&q);
            }
        }
    }
    return sum < 0 ? -sum : sum;
}

static double sum_of(const double *rest, int count)
{
    double sum = 0;
    for (int i = 0; i + 1 < count; i++) {
        sum += rest[i];
    }
    return sum;
}

// A place along a polyline that is gone along: its segment, and the rest arc length where that begins.
typedef struct walk {
    const cg_vec3 *points;
    const double *rest;
    int count, segment;
    double begins;
} walk;

static double end_of(const walk *w)
{
    return w->segment + 1 < w->count ? w->begins + w->rest[w->segment] : INFINITY;
}

static cg_vec3 point_at(const walk *w, double arc)
{
    if (w->segment + 1 >= w->count) {
        return w->points[w->count - 1];
    }
    double share = w->rest[w->segment] > 0 ? (arc - w->begins) / w->rest[w->segment] : 0;
    return between(w->points[w->segment], w->points[w->segment + 1], fmin(fmax(share, 0), 1));
}

int cg_match_points(const cg_vec3 *points_before, const double *rest_before, int count_before,
                    const cg_vec3 *points_after, const double *rest_after, int count_after, cg_vec3 *before,
                    cg_vec3 *after, double *arcs)
{
    double length = sum_of(rest_before, count_before), now = sum_of(rest_after, count_after), arc = 0;
    if (!(fabs(length - now) <= 1e-6 * length)) {
        return 0;
    }
    walk walks[2] = {{points_before, rest_before, count_before, 0, 0}, {points_after, rest_after, count_after, 0, 0}};
    int n = 0;
    for (;;) {
        arcs[n] = arc;
        before[n] = point_at(&walks[0], arc);
        after[n++] = point_at(&walks[1], arc);
        double next = fmin(end_of(&walks[0]), end_of(&walks[1]));
        if (next == INFINITY) {
            return n;
        }
        for (int k = 0; k < 2; k++) {
            if (end_of(&walks[k]) <= next + 1e-9 * length) { // where both have the vertex it is one point
                walks[k].begins = end_of(&walks[k]);
                walks[k].segment++;
            }
        }
        arc = next;
    }
}
