#include "knot/straighten.h"

#include <stddef.h>

static const double REPEATED = 1e-7, TOO_NEAR = 1e-9; // of the extent

static double extent_of(const cg_vec3 *points, int count)
{
    cg_vec3 low = points[0], high = points[0];
    for (int i = 1; i < count; i++) {
        cg_vec3 p = points[i];
        low = v3(p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z);
        high = v3(p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y, p.z > high.z ? p.z : high.z);
    }
    return v3_distance(low, high);
}

static bool is_same(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether a point may go, being as good as the one that stays. Notes how far it was.
static bool repeats(cg_vec3 point, cg_vec3 stays, double near, cg_dropped *dropped)
{
    double distance = v3_distance(point, stays);
    if (distance > near) {
        return false;
    }
    dropped->farthest = distance > dropped->farthest ? distance : dropped->farthest;
    return true;
}

static void note_run(int run, cg_dropped *dropped)
{
    dropped->longest_run = run > dropped->longest_run ? run : dropped->longest_run;
}

int cg_chain_drop_repeats(cg_vec3 *points, int count, bool closed, cg_dropped *dropped)
{
    double near = REPEATED * extent_of(points, count);
    int kept = 1, run = 0, first_run = 0;
    cg_vec3 before = points[0];
    for (int i = 1; i < count; i++) {
        cg_vec3 point = points[i];
        if (repeats(point, points[kept - 1], near, dropped)) {
            run += !is_same(point, before); // there and back again is two steps, though it ends upon the same point
            first_run = kept == 1 ? run : first_run;
            note_run(run, dropped);
        } else {
            points[kept++] = point;
            run = 0;
        }
        before = point;
    }
    // The points around the seam of a closed chain are one run.
    while (closed && kept > 1 && repeats(points[kept - 1], points[0], near, dropped)) {
        run += !is_same(points[kept - 1], points[0]);
        note_run(first_run + run, dropped);
        kept--;
    }
    return kept;
}

// A triangle ready to be tested against segments.
typedef struct triangle {
    cg_vec3 a, b, c;
    cg_vec3 normal; // unit, or zero when the three points lie on a line
    cg_vec3 low, high;
} triangle;

static double min3(double a, double b, double c)
{
    double m = a < b ? a : b;
    return m < c ? m : c;
}

static double max3(double a, double b, double c)
{
    double m = a > b ? a : b;
    return m > c ? m : c;
}

// `thin`: the least height of a triangle that has a plane.
static triangle make_triangle(cg_vec3 a, cg_vec3 b, cg_vec3 c, double thin, double near)
{
    triangle t = {.a = a, .b = b, .c = c};
    cg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double longest = max3(v3_distance(a, b), v3_distance(b, c), v3_distance(c, a)), area = v3_length(n);
    t.normal = area > thin * longest ? v3_scale(1 / area, n) : v3_zero();
    t.low = v3(min3(a.x, b.x, c.x) - near, min3(a.y, b.y, c.y) - near, min3(a.z, b.z, c.z) - near);
    t.high = v3(max3(a.x, b.x, c.x) + near, max3(a.y, b.y, c.y) + near, max3(a.z, b.z, c.z) + near);
    return t;
}

static bool boxes_apart(const triangle *t, cg_vec3 p, cg_vec3 q)
{
    return (p.x < t->low.x && q.x < t->low.x) || (p.x > t->high.x && q.x > t->high.x) ||
           (p.y < t->low.y && q.y < t->low.y) || (p.y > t->high.y && q.y > t->high.y) ||
           (p.z < t->low.z && q.z < t->low.z) || (p.z > t->high.z && q.z > t->high.z);
}

// How far inside the edge a b a point of the plane is.
static double inside_edge(const triangle *t, cg_vec3 a, cg_vec3 b, cg_vec3 point)
{
    cg_vec3 along = v3_sub(b, a);
    return v3_dot(v3_cross(along, v3_sub(point, a)), t->normal) / (v3_length(along) + 1e-300);
}

// Whether the segment p q may meet the triangle. Only the part of it within `near` of the plane counts; that part is
// clear when it lies beyond one of the edges. With `shared`, p is a corner: the segment is clear when it leaves the
// triangle there.
static bool meets(const triangle *t, cg_vec3 p, cg_vec3 q, bool shared, double near)
{
    if (boxes_apart(t, p, q)) {
        return false;
    }
    double hp = shared ? 0 : v3_dot(t->normal, v3_sub(p, t->a)), hq = v3_dot(t->normal, v3_sub(q, t->a));
    if ((hp > near && hq > near) || (hp < -near && hq < -near)) {
        return false;
    }
    if (shared && fabs(hq) > near) {
        return false; // it leaves the plane at the corner
    }
    // Cut both ends back to the layer around the plane.
    double rise = hq - hp, from = 0, to = 1;
    if (fabs(hp) > near) {
        from = ((hp > 0 ? near : -near) - hp) / rise;
    }
    if (fabs(hq) > near) {
        to = ((hq > 0 ? near : -near) - hp) / rise;
    }
    cg_vec3 first = v3_add_scaled(p, from, v3_sub(q, p)), last = v3_add_scaled(p, to, v3_sub(q, p));
    const cg_vec3 corners[4] = {t->a, t->b, t->c, t->a};
    for (int k = 0; k < 3; k++) {
        // A segment from a corner need only leave by one of the two edges that meet there.
        bool first_out = inside_edge(t, corners[k], corners[k + 1], first) < -near ||
                         (shared && (is_same(p, corners[k]) || is_same(p, corners[k + 1])));
        if (first_out && inside_edge(t, corners[k], corners[k + 1], last) < -near) {
            return false;
        }
    }
    return true;
}

// Whether b lies on the way from a to c, so that taking it out moves nothing.
static bool is_between(cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    return v3_dot(v3_sub(b, a), v3_sub(c, b)) >= 0;
}

typedef struct job {
    cg_vec3 *const *points;
    const int *counts;
    int chain_count;
    double thin; // [m] lower than this a triangle is a line: taking its corner out moves nothing
    double near; // [m] what comes as near to a triangle keeps its corner in place
    long long looked, budget;
} job;

// Whether vertex i of a chain may go.
static bool may_go(job *w, int chain, int i)
{
    const cg_vec3 *own = w->points[chain];
    triangle t = make_triangle(own[i - 1], own[i], own[i + 1], w->thin, w->near);
    if (v3_dot(t.normal, t.normal) == 0) {
        return is_between(t.a, t.b, t.c);
    }
    for (int k = 0; k < w->chain_count; k++) {
        const cg_vec3 *p = w->points[k];
        int segments = w->counts[k] - 1;
        w->looked += segments;
        for (int j = 0; j < segments; j++) {
            if (k == chain && (j == i - 1 || j == i)) {
                continue;
            }
            bool hit;
            if (k == chain && j == i - 2) {
                hit = meets(&t, p[j + 1], p[j], true, w->near);
            } else {
                hit = meets(&t, p[j], p[j + 1], k == chain && j == i + 1, w->near);
            }
            if (hit) {
                return false;
            }
        }
    }
    return true;
}

long long cg_chains_straighten(cg_vec3 *const *points, int *counts, int chain_count, double margin, long long budget)
{
    double extent = 0;
    for (int k = 0; k < chain_count; k++) {
        double own = extent_of(points[k], counts[k]);
        extent = own > extent ? own : extent;
    }
    job w = {points, counts, chain_count, TOO_NEAR * extent, TOO_NEAR * extent + margin, 0, budget};
    for (bool changed = true; changed && w.looked < budget;) {
        changed = false;
        for (int k = 0; k < chain_count; k++) {
            // Every other vertex at most goes in one sweep: triangles stay small, which are the ones that are free.
            for (int i = 1; i + 1 < counts[k] && w.looked < budget; i++) {
                if (may_go(&w, k, i)) {
                    for (int j = i; j + 1 < counts[k]; j++) {
                        points[k][j] = points[k][j + 1];
                    }
                    counts[k]--;
                    changed = true;
                }
            }
        }
    }
    return w.looked;
}
