// A tree of boxes over triangles: nearest triangle, winding number, ray.
//
// Winding number: the sum of the triangles' solid angles over that of a sphere. Of triangles far away (2.3 times their
// radius) it is taken from the sum of their normals by area, and its first moment (Barill and others, 2018).
#include <math.h>

#include "base/memory.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "fill/fill_parts.h"

#define FAR 2.3
enum { LEAF = 4, MOST_DEPTH = 64 };

struct builder {
    cg_fill_tree *tree;
    cg_vec3 *middles; // of triangles
};

static double along(cg_vec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static void corners_of(const cg_fill_shape *shape, int triangle, cg_vec3 p[3])
{
    for (int k = 0; k < 3; k++) {
        p[k] = shape->points[shape->triangles[triangle][k]];
    }
}

static cg_vec3 half_normal(const cg_vec3 p[3])
{
    return v3_scale(0.5, v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
}

// --- building ---

static void bound(const struct builder *b, cg_fill_box *box)
{
    const cg_fill_tree *tree = b->tree;
    double weight = 0;
    box->low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    box->high = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    for (int i = box->first; i < box->first + box->count; i++) {
        cg_vec3 p[3];
        corners_of(tree->shape, tree->order[i], p);
        for (int k = 0; k < 3; k++) {
            box->low = v3(fmin(box->low.x, p[k].x), fmin(box->low.y, p[k].y), fmin(box->low.z, p[k].z));
            box->high = v3(fmax(box->high.x, p[k].x), fmax(box->high.y, p[k].y), fmax(box->high.z, p[k].z));
        }
        cg_vec3 normal = half_normal(p);
        double area = v3_length(normal);
        box->area = v3_add(box->area, normal);
        box->middle = v3_add_scaled(box->middle, area, b->middles[tree->order[i]]);
        weight += area;
    }
    box->middle = weight > 0 ? v3_scale(1 / weight, box->middle) : v3_scale(0.5, v3_add(box->low, box->high));
    for (int i = box->first; i < box->first + box->count; i++) {
        cg_vec3 p[3], from = v3_sub(b->middles[tree->order[i]], box->middle);
        corners_of(tree->shape, tree->order[i], p);
        cg_vec3 normal = half_normal(p);
        for (int r = 0; r < 3; r++) {
            box->radius = fmax(box->radius, v3_distance(p[r], box->middle));
            for (int c = 0; c < 3; c++) {
                box->moments[r][c] += along(normal, r) * along(from, c);
            }
        }
    }
}

static bool is_before(const struct builder *b, int axis, int x, int y)
{
    double p = along(b->middles[x], axis), q = along(b->middles[y], axis);
    return p != q ? p < q : x < y;
}

// The lower half of a run comes first (Hoare's selection; ties by number, so the order is one).
static void select_half(const struct builder *b, int axis, int first, int count)
{
    int *order = b->tree->order, low = first, high = first + count - 1, wanted = first + count / 2;
    while (low < high) {
        int pivot = order[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (is_before(b, axis, order[i], pivot)) {
                i++;
            }
            while (is_before(b, axis, pivot, order[j])) {
                j--;
            }
            if (i <= j) {
                int swapped = order[i];
                order[i++] = order[j];
                order[j--] = swapped;
            }
        }
        if (wanted <= j) {
            high = j;
        } else if (wanted >= i) {
            low = i;
        } else {
            return;
        }
    }
}

// Halves have equal counts, so the depth is that of the logarithm.
static void build(struct builder *b, int first, int count)
{
    cg_fill_tree *tree = b->tree;
    int me = tree->box_count++;
    tree->boxes[me] = (cg_fill_box){.first = first, .count = count};
    bound(b, &tree->boxes[me]);
    if (count <= LEAF) {
        return;
    }
    cg_vec3 size = v3_sub(tree->boxes[me].high, tree->boxes[me].low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    select_half(b, axis, first, count);
    build(b, first, count / 2);
    int right = tree->box_count;
    build(b, first + count / 2, count - count / 2);
    tree->boxes[me].right = right;
}

bool cg_fill_tree_make(const cg_fill_shape *shape, cg_fill_tree *tree)
{
    size_t count = (size_t)shape->triangle_count;
    *tree = (cg_fill_tree){.shape = shape};
    tree->order = cg_memory_take(shape->allocator, count * sizeof *tree->order);
    tree->boxes = cg_memory_take(shape->allocator, 2 * count * sizeof *tree->boxes);
    struct builder b = {tree, cg_memory_take(shape->allocator, count * sizeof *b.middles)};
    bool has_room = tree->order != NULL && tree->boxes != NULL && b.middles != NULL;
    for (int t = 0; has_room && t < shape->triangle_count; t++) {
        cg_vec3 p[3];
        corners_of(shape, t, p);
        b.middles[t] = v3_scale(1.0 / 3, v3_add(v3_add(p[0], p[1]), p[2]));
        tree->order[t] = t;
    }
    if (has_room && count > 0) {
        build(&b, 0, (int)count);
    }
    cg_memory_give(shape->allocator, b.middles);
    if (!has_room) {
        cg_fill_tree_clear(tree);
    }
    return has_room;
}

void cg_fill_tree_clear(cg_fill_tree *tree)
{
    cg_memory_give(tree->shape->allocator, tree->order);
    cg_memory_give(tree->shape->allocator, tree->boxes);
    tree->order = NULL;
    tree->boxes = NULL;
}

// --- nearest ---

// Square of the distance of a point from a triangle: by the plane where it falls inside, else by the edges.
static double distance_to(cg_vec3 p, const cg_vec3 t[3])
{
    cg_vec3 normal = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    double least = HUGE_VAL;
    bool is_over = true;
    for (int k = 0; k < 3; k++) {
        cg_vec3 a = t[k], edge = v3_sub(t[(k + 1) % 3], a), from = v3_sub(p, a);
        is_over = is_over && v3_dot(v3_cross(edge, from), normal) >= 0;
        double square = v3_dot(edge, edge), share = square > 0 ? v3_dot(from, edge) / square : 0;
        share = share < 0 ? 0 : (share > 1 ? 1 : share);
        cg_vec3 apart = v3_add_scaled(from, -share, edge);
        least = fmin(least, v3_dot(apart, apart));
    }
    double square = v3_dot(normal, normal), height = v3_dot(v3_sub(p, t[0]), normal);
    return is_over && square > 0 ? fmin(least, height * height / square) : least;
}

static double distance_to_box(const cg_fill_box *box, cg_vec3 p)
{
    double x = fmax(0, fmax(box->low.x - p.x, p.x - box->high.x));
    double y = fmax(0, fmax(box->low.y - p.y, p.y - box->high.y));
    double z = fmax(0, fmax(box->low.z - p.z, p.z - box->high.z));
    return x * x + y * y + z * z;
}

double cg_fill_nearest(const cg_fill_tree *tree, cg_vec3 p, double limit)
{
    int stack[MOST_DEPTH], top = 0;
    if (tree->box_count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int me = stack[--top];
        const cg_fill_box *box = &tree->boxes[me];
        if (distance_to_box(box, p) >= limit) {
            continue;
        }
        if (box->right == 0) {
            for (int i = box->first; i < box->first + box->count; i++) {
                cg_vec3 t[3];
                corners_of(tree->shape, tree->order[i], t);
                limit = fmin(limit, distance_to(p, t));
            }
            continue;
        }
        bool left_first = distance_to_box(&tree->boxes[me + 1], p) < distance_to_box(&tree->boxes[box->right], p);
        stack[top++] = left_first ? box->right : me + 1;
        stack[top++] = left_first ? me + 1 : box->right;
    }
    return limit;
}

// --- winding ---

double cg_fill_solid_angle(cg_vec3 p, cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    cg_vec3 u = v3_sub(a, p), v = v3_sub(b, p), w = v3_sub(c, p);
    double lu = v3_length(u), lv = v3_length(v), lw = v3_length(w);
    double under = lu * lv * lw + v3_dot(u, v) * lw + v3_dot(v, w) * lu + v3_dot(w, u) * lv;
    return cg_atan2(v3_dot(u, v3_cross(v, w)), under) / (2 * CG_PI);
}

static double far_winding(const cg_fill_box *box, cg_vec3 d, double length)
{
    double cube = length * length * length, trace = 0, turned = 0;
    for (int r = 0; r < 3; r++) {
        trace += box->moments[r][r];
        for (int c = 0; c < 3; c++) {
            turned += along(d, r) * box->moments[r][c] * along(d, c);
        }
    }
    return (v3_dot(box->area, d) / cube + trace / cube - 3 * turned / (cube * length * length)) / (4 * CG_PI);
}

double cg_fill_winding(const cg_fill_tree *tree, cg_vec3 p)
{
    int stack[MOST_DEPTH], top = 0;
    double winding = 0;
    if (tree->box_count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int me = stack[--top];
        const cg_fill_box *box = &tree->boxes[me];
        cg_vec3 d = v3_sub(box->middle, p);
        double length = v3_length(d);
        if (length > FAR * box->radius) {
            winding += far_winding(box, d, length);
        } else if (box->right == 0) {
            for (int i = box->first; i < box->first + box->count; i++) {
                cg_vec3 t[3];
                corners_of(tree->shape, tree->order[i], t);
                winding += cg_fill_solid_angle(p, t[0], t[1], t[2]);
            }
        } else {
            stack[top++] = box->right;
            stack[top++] = me + 1;
        }
    }
    return winding;
}

// --- ray ---

static double crossing(cg_vec3 o, cg_vec3 d, const cg_vec3 t[3])
{
    cg_vec3 a = v3_sub(t[1], t[0]), b = v3_sub(t[2], t[0]), h = v3_cross(d, b);
    double det = v3_dot(a, h);
    if (det == 0) {
        return -1;
    }
    cg_vec3 s = v3_sub(o, t[0]), q = v3_cross(s, a);
    double u = v3_dot(s, h) / det, v = v3_dot(d, q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 ? v3_dot(b, q) / det : -1;
}

static bool meets_box(const cg_fill_box *box, cg_vec3 o, cg_vec3 d, double to)
{
    double from = 0;
    for (int axis = 0; axis < 3; axis++) {
        double at = along(o, axis), way = along(d, axis), low = along(box->low, axis), high = along(box->high, axis);
        if (way == 0) {
            if (at < low || at > high) {
                return false;
            }
            continue;
        }
        double x = (low - at) / way, y = (high - at) / way;
        from = fmax(from, fmin(x, y));
        to = fmin(to, fmax(x, y));
    }
    return from <= to * (1 + 1e-12) + 1e-300;
}

double cg_fill_ray(const cg_fill_tree *tree, cg_vec3 origin, cg_vec3 direction, double from)
{
    int stack[MOST_DEPTH], top = 0;
    double nearest = HUGE_VAL;
    if (tree->box_count > 0) {
        stack[top++] = 0;
    }
    while (top > 0) {
        int me = stack[--top];
        const cg_fill_box *box = &tree->boxes[me];
        if (!meets_box(box, origin, direction, nearest)) {
            continue;
        }
        if (box->right != 0) {
            stack[top++] = box->right;
            stack[top++] = me + 1;
            continue;
        }
        for (int i = box->first; i < box->first + box->count; i++) {
            cg_vec3 t[3];
            corners_of(tree->shape, tree->order[i], t);
            double at = crossing(origin, direction, t);
            nearest = at > from && at < nearest ? at : nearest;
        }
    }
    return nearest < HUGE_VAL ? nearest : -1;
}
