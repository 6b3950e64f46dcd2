// Closest points with triangles. See geometry/triangle.h.
#include "geometry/triangle.h"

#include "geometry/closest.h"

// Square of the height of a triangle over its longest side, in units of that side, below which it has no inside.
#define FLAT 1e-26
// Squared distances below this share of the squared lengths are rounding.
#define ROUNDING 1e-29

// What is worked out once for a triangle: its longest side, from corner `base` to the next, and the height over it.
typedef struct plane {
    const cg_vec3 *corners;
    int base;
    cg_vec3 side, height, normal;        // normal = side x height
    double inverse_side, inverse_height; // 1 / |side|^2, 1 / |height|^2
    double lean;                         // where on the side the height stands, in [0, 1]
    bool is_flat;
} plane;

static plane plane_of(const cg_vec3 t[3])
{
    cg_vec3 sides[3] = {v3_sub(t[1], t[0]), v3_sub(t[2], t[1]), v3_sub(t[0], t[2])};
    double lengths[3] = {v3_dot(sides[0], sides[0]), v3_dot(sides[1], sides[1]), v3_dot(sides[2], sides[2])};
    int base = lengths[0] >= lengths[1] ? (lengths[0] >= lengths[2] ? 0 : 2) : (lengths[1] >= lengths[2] ? 1 : 2);
    plane p = {.corners = t, .base = base, .side = sides[base]};
    cg_vec3 to_apex = v3_neg(sides[(base + 2) % 3]);
    p.inverse_side = 1 / lengths[base];
    p.lean = v3_dot(to_apex, p.side) * p.inverse_side;
    p.height = v3_add_scaled(to_apex, -p.lean, p.side);
    // Once more: rounding left a part along the side that is small beside the side, but not beside a small height.
    double rest = v3_dot(p.height, p.side) * p.inverse_side;
    p.lean += rest;
    p.height = v3_add_scaled(p.height, -rest, p.side);
    double squared_height = v3_dot(p.height, p.height);
    p.is_flat = !(squared_height > FLAT * lengths[base]);
    p.inverse_height = 1 / squared_height;
    p.normal = v3_cross(p.side, p.height);
    return p;
}

// Weights of the foot of a point on the plane. True when it is inside.
static bool foot_weights(const plane *p, cg_vec3 point, double weights[3])
{
    int k = p->base;
    cg_vec3 away = v3_sub(point, p->corners[k]);
    double apex = v3_dot(away, p->height) * p->inverse_height;
    double along = v3_dot(away, p->side) * p->inverse_side - p->lean * apex;
    weights[k] = 1 - along - apex;
    weights[(k + 1) % 3] = along;
    weights[(k + 2) % 3] = apex;
    return weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0;
}

static double squared(cg_vec3 v)
{
    return v3_dot(v, v);
}

static cg_triangle_closest nothing_yet(void)
{
    return (cg_triangle_closest){.squared_distance = INFINITY};
}

// Takes the point and its foot with these weights when they are nearer than what there is. True when it was taken.
static bool try_foot(cg_triangle_closest *best, const plane *p, cg_vec3 point, const double weights[3])
{
    int k = p->base;
    // From a corner: so small triangles far from the origin keep their digits.
    cg_vec3 to_apex = v3_add_scaled(p->height, p->lean, p->side);
    cg_vec3 foot = v3_add_scaled(p->corners[k], weights[(k + 1) % 3], p->side);
    foot = v3_add_scaled(foot, weights[(k + 2) % 3], to_apex);
    double distance = squared(v3_sub(point, foot));
    if (!(distance < best->squared_distance)) {
        return false;
    }
    *best = (cg_triangle_closest){.squared_distance = distance, .point = point, .on_triangle = foot};
    for (int i = 0; i < 3; i++) {
        best->weights[i] = weights[i];
    }
    return true;
}

static void try_edge(cg_triangle_closest *best, const cg_vec3 t[3], int from, cg_vec3 point)
{
    int to = (from + 1) % 3;
    cg_vec3 closest;
    double along = cg_closest_on_segment(point, t[from], t[to], &closest);
    double distance = squared(v3_sub(point, closest));
    if (distance < best->squared_distance) {
        *best = (cg_triangle_closest){.squared_distance = distance, .point = point, .on_triangle = closest};
        best->weights[from] = 1 - along;
        best->weights[to] = along;
    }
}

static void try_point(cg_triangle_closest *best, const plane *p, cg_vec3 point)
{
    double weights[3] = {0, 0, 0};
    if (!p->is_flat && foot_weights(p, point, weights)) {
        try_foot(best, p, point, weights);
        return;
    }
    for (int k = 0; k < 3; k++) {
        // Edge k to k + 1 lies opposite corner k + 2.
        if (p->is_flat || weights[(k + 2) % 3] < 0) {
            try_edge(best, p->corners, k, point);
        }
    }
}

cg_triangle_closest cg_closest_point_triangle(cg_vec3 point, const cg_vec3 triangle[3])
{
    plane p = plane_of(triangle);
    cg_triangle_closest best = nothing_yet();
    try_point(&best, &p, point);
    return best;
}

// Where segment a b meets the plane, if that is inside the triangle. True when it crosses there: the point and its foot
// agree to rounding. They do not where the heights of a and b are mostly rounding themselves: then it is only one more
// candidate, by its true distance.
static bool crosses(const plane *p, cg_vec3 a, cg_vec3 b, cg_triangle_closest *best)
{
    cg_vec3 from_a = v3_sub(a, p->corners[p->base]), from_b = v3_sub(b, p->corners[p->base]);
    double height_a = v3_dot(p->normal, from_a), height_b = v3_dot(p->normal, from_b);
    bool is_across = (height_a <= 0 && height_b >= 0) || (height_a >= 0 && height_b <= 0);
    if (p->is_flat || !is_across || height_a == height_b) {
        return false;
    }
    double time = height_a / (height_a - height_b), weights[3];
    cg_vec3 point = segment_point(a, b, time);
    if (!foot_weights(p, point, weights) || !try_foot(best, p, point, weights)) {
        return false;
    }
    best->t = time;
    if (best->squared_distance > ROUNDING * (squared(from_a) + squared(from_b))) {
        return false;
    }
    best->squared_distance = 0;
    best->point = best->on_triangle;
    return true;
}

cg_triangle_closest cg_closest_segment_triangle(cg_vec3 a, cg_vec3 b, const cg_vec3 triangle[3])
{
    plane p = plane_of(triangle);
    cg_triangle_closest best = nothing_yet();
    if (crosses(&p, a, b, &best)) {
        return best;
    }
    try_point(&best, &p, a);
    cg_triangle_closest at_end = best;
    try_point(&at_end, &p, b);
    if (at_end.squared_distance < best.squared_distance) {
        best = at_end;
        best.t = 1;
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        cg_closest edge = cg_closest_segments(a, b, triangle[k], triangle[next]);
        if (edge.squared_distance < best.squared_distance) {
            best = (cg_triangle_closest){
                .squared_distance = edge.squared_distance, .point = edge.a, .on_triangle = edge.b, .t = edge.s};
            best.weights[k] = 1 - edge.t;
            best.weights[next] = edge.t;
        }
    }
    return best;
}

// The same answer seen from the other triangle.
static cg_triangle_closest turned_round(const cg_triangle_closest *found)
{
    cg_triangle_closest other = *found;
    other.point = found->on_triangle;
    other.on_triangle = found->point;
    for (int k = 0; k < 3; k++) {
        other.weights[k] = found->own_weights[k];
        other.own_weights[k] = found->weights[k];
    }
    return other;
}

// An edge of `first` that crosses `second`.
static bool edges_cross(const plane *first, const plane *second, cg_triangle_closest *best)
{
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        cg_triangle_closest here = nothing_yet();
        bool is_sure = crosses(second, first->corners[k], first->corners[next], &here);
        if (here.squared_distance < best->squared_distance) {
            here.own_weights[k] = 1 - here.t;
            here.own_weights[next] = here.t;
            here.t = 0;
            *best = here;
        }
        if (is_sure) {
            return true;
        }
    }
    return false;
}

// Corners of `first` over the inside of `second`; its edges are looked at elsewhere.
static void try_corners(cg_triangle_closest *best, const plane *first, const plane *second)
{
    for (int k = 0; k < 3 && !second->is_flat; k++) {
        double weights[3];
        if (foot_weights(second, first->corners[k], weights) && try_foot(best, second, first->corners[k], weights)) {
            best->own_weights[k] = 1;
        }
    }
}

cg_triangle_closest cg_closest_triangles(const cg_vec3 first[3], const cg_vec3 second[3])
{
    plane a = plane_of(first), b = plane_of(second);
    cg_triangle_closest best = nothing_yet();
    if (edges_cross(&a, &b, &best)) {
        return best;
    }
    cg_triangle_closest back = nothing_yet();
    if (edges_cross(&b, &a, &back)) {
        return turned_round(&back);
    }
    try_corners(&best, &a, &b);
    try_corners(&back, &b, &a);
    if (back.squared_distance < best.squared_distance) {
        best = turned_round(&back);
    }
    for (int i = 0; i < 9; i++) {
        int k = i / 3, m = i % 3, k_next = (k + 1) % 3, m_next = (m + 1) % 3;
        cg_closest edge = cg_closest_segments(first[k], first[k_next], second[m], second[m_next]);
        if (edge.squared_distance < best.squared_distance) {
            best = (cg_triangle_closest){
                .squared_distance = edge.squared_distance, .point = edge.a, .on_triangle = edge.b};
            best.own_weights[k] = 1 - edge.s;
            best.own_weights[k_next] = edge.s;
            best.weights[m] = 1 - edge.t;
            best.weights[m_next] = edge.t;
        }
    }
    return best;
}

static double least_of(double a, double b, double c)
{
    double least = a < b ? a : b;
    return least < c ? least : c;
}

static double most_of(double a, double b, double c)
{
    double most = a > b ? a : b;
    return most > c ? most : c;
}

// How far apart two triangles are along a direction, in its lengths; negative when they overlap there.
static double apart_along(cg_vec3 way, const cg_vec3 first[3], const cg_vec3 second[3])
{
    cg_vec3 from = first[0]; // places are counted from one corner, to keep digits
    double a1 = v3_dot(way, v3_sub(first[1], from)), a2 = v3_dot(way, v3_sub(first[2], from));
    double b0 = v3_dot(way, v3_sub(second[0], from)), b1 = v3_dot(way, v3_sub(second[1], from));
    double b2 = v3_dot(way, v3_sub(second[2], from));
    double above = least_of(b0, b1, b2) - most_of(0, a1, a2), below = least_of(0, a1, a2) - most_of(b0, b1, b2);
    return above > below ? above : below;
}

// Of the coordinates, of the way from the middle of one to the middle of the other, and across each of the two.
bool cg_triangles_are_apart(const cg_vec3 first[3], const cg_vec3 second[3], double limit)
{
    cg_vec3 u = v3_sub(first[1], first[0]), v = v3_sub(first[2], first[0]), s = v3_sub(second[1], second[0]);
    cg_vec3 t = v3_sub(second[2], second[0]), w = v3_sub(second[0], first[0]);
    cg_vec3 between = v3_add_scaled(v3_sub(v3_add(s, t), v3_add(u, v)), 3, w);
    const cg_vec3 ways[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, between, v3_cross(u, v), v3_cross(s, t)};
    // What rounding may do to a place along a way, relative to the way's length.
    double rounding = 1e-14 * (sqrt(v3_dot(u, u) + v3_dot(v, v) + v3_dot(s, s) + v3_dot(t, t) + v3_dot(w, w)));
    for (int i = 0; i < 6; i++) {
        double apart = apart_along(ways[i], first, second), gap = limit + rounding;
        if (apart > 0 && apart * apart > gap * gap * v3_dot(ways[i], ways[i])) {
            return true;
        }
    }
    return false;
}
