// Whether two triangles have a point in common, by signs of determinants. See geometry/triangle.h.
//
// Every question is put down to signs. The volume of (a, b, c, d), (b - a) x (c - a) . (d - a), says on which side of a
// plane a point is; where all of it lies in one plane, the area of (a, b, c) in the two axes that see the plane best
// takes its place; where all of it lies on one line, the order along the line. 0 counts as touching.
//
// Where many determinants are near 0 at once, as for a line in the plane of a triangle through its corner, rounding can
// make all signs look like a crossing somewhere else. So what meets by signs must also be near by distance.
#include "geometry/triangle.h"

// Well above what rounding does to a distance, in units of the lengths involved.
#define NEAR 1e-11
// Square of the height of a triangle, in units of its size, below which it has no area.
#define FLAT 1e-26

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static bool have_one_sign(int a, int b, int c)
{
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool is_zero(cg_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// In one plane

typedef struct flat {
    double x, y;
} flat;

// The two axes that see a plane with this normal best.
static flat flatten(cg_vec3 normal, cg_vec3 p)
{
    double ax = fabs(normal.x), ay = fabs(normal.y), az = fabs(normal.z);
    if (ax >= ay && ax >= az) {
        return (flat){p.y, p.z};
    }
    return ay >= az ? (flat){p.z, p.x} : (flat){p.x, p.y};
}

static int side_of(flat a, flat b, flat p)
{
    return sign_of((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x));
}

static bool is_between(double a, double b, double p)
{
    return (a <= p && p <= b) || (b <= p && p <= a);
}

// p on the line through a and b.
static bool is_on_piece(flat a, flat b, flat p)
{
    return is_between(a.x, b.x, p.x) && is_between(a.y, b.y, p.y);
}

static bool flat_segments_meet(flat a, flat b, flat c, flat d)
{
    int a_side = side_of(c, d, a), b_side = side_of(c, d, b), c_side = side_of(a, b, c), d_side = side_of(a, b, d);
    if (a_side * b_side < 0 && c_side * d_side < 0) {
        return true;
    }
    return (a_side == 0 && is_on_piece(c, d, a)) || (b_side == 0 && is_on_piece(c, d, b)) ||
           (c_side == 0 && is_on_piece(a, b, c)) || (d_side == 0 && is_on_piece(a, b, d));
}

static bool is_in_flat_triangle(const flat t[3], flat p)
{
    return have_one_sign(side_of(t[0], t[1], p), side_of(t[1], t[2], p), side_of(t[2], t[0], p));
}

// A segment in the plane of a triangle that has an area.
static bool flat_segment_meets(cg_vec3 a, cg_vec3 b, const cg_vec3 t[3], cg_vec3 normal)
{
    flat p = flatten(normal, a), q = flatten(normal, b);
    flat corners[3] = {flatten(normal, t[0]), flatten(normal, t[1]), flatten(normal, t[2])};
    if (is_in_flat_triangle(corners, p)) {
        return true;
    }
    for (int k = 0; k < 3; k++) {
        if (flat_segments_meet(p, q, corners[k], corners[(k + 1) % 3])) {
            return true;
        }
    }
    return false;
}

// In space

static double height_over(const cg_vec3 t[3], cg_vec3 normal, cg_vec3 p)
{
    return v3_dot(normal, v3_sub(p, t[0]));
}

static bool segment_meets(cg_vec3 a, cg_vec3 b, const cg_vec3 t[3], cg_vec3 normal)
{
    int side_a = sign_of(height_over(t, normal, a)), side_b = sign_of(height_over(t, normal, b));
    if (side_a * side_b > 0) {
        return false;
    }
    if (side_a == 0 && side_b == 0) {
        return flat_segment_meets(a, b, t, normal);
    }
    cg_vec3 along = v3_sub(b, a), q0 = v3_sub(t[0], a), q1 = v3_sub(t[1], a), q2 = v3_sub(t[2], a);
    return have_one_sign(sign_of(v3_dot(along, v3_cross(q0, q1))), sign_of(v3_dot(along, v3_cross(q1, q2))),
                         sign_of(v3_dot(along, v3_cross(q2, q0))));
}

// Two segments that may have no length.
static bool segments_meet(cg_vec3 a, cg_vec3 b, cg_vec3 c, cg_vec3 d)
{
    cg_vec3 u = v3_sub(b, a), v = v3_sub(d, c), w = v3_sub(c, a), normal = v3_cross(u, v);
    if (!is_zero(normal)) {
        return v3_dot(normal, w) == 0 &&
               flat_segments_meet(flatten(normal, a), flatten(normal, b), flatten(normal, c), flatten(normal, d));
    }
    cg_vec3 along = is_zero(u) ? v : u;
    if (is_zero(along)) {
        return is_zero(w);
    }
    if (!is_zero(v3_cross(along, w))) {
        return false;
    }
    double from = v3_dot(along, w), to = v3_dot(along, v3_sub(d, a)), end = v3_dot(along, u);
    return is_between(from, to, 0) || is_between(from, to, end) || is_between(0, end, from);
}

static bool any_edge_meets(const cg_vec3 edges_of[3], const cg_vec3 t[3], cg_vec3 normal)
{
    for (int k = 0; k < 3; k++) {
        if (segment_meets(edges_of[k], edges_of[(k + 1) % 3], t, normal)) {
            return true;
        }
    }
    return false;
}

// Corners on which side of a plane.
typedef struct sides {
    int of[3];
} sides;

static sides sides_of(const cg_vec3 t[3], cg_vec3 normal, const cg_vec3 other[3])
{
    sides s;
    for (int k = 0; k < 3; k++) {
        s.of[k] = sign_of(height_over(t, normal, other[k]));
    }
    return s;
}

// Two triangles with areas. Each sign is worked out once and serves both: so an edge that passes an edge by rounding
// passes it on one side, seen from either triangle, and one of the two crosses.
static bool proper_triangles_meet(const cg_vec3 first[3], const cg_vec3 second[3], cg_vec3 n, cg_vec3 m)
{
    sides a = sides_of(second, m, first), b = sides_of(first, n, second);
    bool first_is_aside = a.of[0] != 0 && a.of[0] == a.of[1] && a.of[1] == a.of[2];
    bool second_is_aside = b.of[0] != 0 && b.of[0] == b.of[1] && b.of[1] == b.of[2];
    if (first_is_aside || second_is_aside) {
        return false;
    }
    int volume[3][3];
    for (int i = 0; i < 9; i++) {
        int k = i / 3, l = i % 3;
        cg_vec3 u = v3_sub(first[(k + 1) % 3], first[k]), v = v3_sub(second[(l + 1) % 3], second[l]);
        volume[k][l] = sign_of(v3_dot(v3_cross(u, v), v3_sub(second[l], first[k])));
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        bool first_lies = a.of[k] == 0 && a.of[next] == 0, second_lies = b.of[k] == 0 && b.of[next] == 0;
        bool first_crosses = !first_lies && a.of[k] * a.of[next] <= 0;
        bool second_crosses = !second_lies && b.of[k] * b.of[next] <= 0;
        if ((first_crosses && have_one_sign(volume[k][0], volume[k][1], volume[k][2])) ||
            (second_crosses && have_one_sign(volume[0][k], volume[1][k], volume[2][k])) ||
            (first_lies && flat_segment_meets(first[k], first[next], second, m)) ||
            (second_lies && flat_segment_meets(second[k], second[next], first, n))) {
            return true;
        }
    }
    return false;
}

// True when the normal is 0 or nothing but rounding.
static bool is_flat(const cg_vec3 t[3], cg_vec3 normal)
{
    cg_vec3 u = v3_sub(t[1], t[0]), v = v3_sub(t[2], t[0]);
    double size = v3_dot(u, u) + v3_dot(v, v);
    return v3_dot(normal, normal) <= FLAT * size * size;
}

static bool meet_by_signs(const cg_vec3 first[3], const cg_vec3 second[3])
{
    cg_vec3 n = triangle_normal(first), m = triangle_normal(second);
    bool first_is_flat = is_flat(first, n), second_is_flat = is_flat(second, m);
    if (!first_is_flat && !second_is_flat) {
        return proper_triangles_meet(first, second, n, m);
    }
    // A triangle without area is the segments between its corners.
    if (!second_is_flat) {
        return any_edge_meets(first, second, m);
    }
    if (!first_is_flat) {
        return any_edge_meets(second, first, n);
    }
    for (int i = 0; i < 9; i++) {
        int k = i / 3, l = i % 3;
        if (segments_meet(first[k], first[(k + 1) % 3], second[l], second[(l + 1) % 3])) {
            return true;
        }
    }
    return false;
}

bool cg_triangles_meet(const cg_vec3 first[3], const cg_vec3 second[3])
{
    if (!meet_by_signs(first, second)) {
        return false;
    }
    double size = v3_distance(first[0], second[0]);
    for (int k = 1; k < 3; k++) {
        size += v3_distance(first[0], first[k]) + v3_distance(second[0], second[k]);
    }
    return sqrt(cg_closest_triangles(first, second).squared_distance) <= NEAR * size;
}
