// Sphere trees: memory, spheres, marks. See collide/sphere_tree.h.
//
// The smallest sphere around a triangle stands on its longest side when the angle opposite is a right one or wider;
// otherwise it is the one through all three corners, with the centre
//     a + s u + t v,   s = vv (uu - uv) / D,   t = uu (vv - uv) / D,   D = 2 (uu vv - uv^2),   u = b - a, v = c - a.
// Its radius is measured from the centre as it was rounded, so that it encloses the corners in any case. Around two
// spheres at the distance d, none inside the other: radius (d + r1 + r2) / 2, centre between theirs.
#include "collide/sphere_tree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "collide/sphere_tree_parts.h"

// What rounding may do to a radius, relative to it and to the coordinates of the centre.
#define PAD 1e-15
// Coordinates beyond this are as good as not finite: their squares are not.
#define FAR 1e150
// Share of leaves that are marked from which on all spheres are fitted in the order of memory, without lists.
enum { ALL_FROM = 3 };

static int slots_above(int count)
{
    int slots = 1;
    while (slots < count) {
        slots *= 2;
    }
    return slots;
}

int cg_tree_slots_for(const cg_sphere_tree *tree, int triangles)
{
    int spare = triangles < tree->triangle_capacity ? triangles / 16 + 1 : 0;
    int slots = slots_above(triangles + spare);
    return slots < tree->slot_capacity ? slots : tree->slot_capacity;
}

void cg_sphere_tree_layout(cg_sphere_tree *tree, int max_nodes, int max_triangles, cg_arena *arena)
{
    int slots = slots_above(max_triangles);
    size_t spheres = 2 * (size_t)slots;
    *tree = (cg_sphere_tree){.node_capacity = max_nodes, .triangle_capacity = max_triangles, .slot_capacity = slots};
    tree->slot_count = 1;
    tree->corners = cg_arena_push(arena, (size_t)max_triangles, sizeof *tree->corners);
    tree->slot_of = cg_arena_push_array(arena, int, max_triangles);
    tree->triangle_of = cg_arena_push_array(arena, int, slots);
    tree->used = cg_arena_push_array(arena, int, spheres);
    tree->spheres = cg_arena_push_array(arena, cg_tree_sphere, spheres);
    tree->fitted = cg_arena_push_array(arena, cg_vec3, max_nodes);
    tree->first_corner = cg_arena_push_array(arena, int, max_nodes);
    tree->next_corner = cg_arena_push(arena, (size_t)max_triangles, 3 * sizeof(int));
    tree->marked = cg_arena_push_array(arena, int, slots);
    tree->is_marked = cg_arena_push_array(arena, bool, spheres);
    tree->spread = cg_arena_push_array(arena, double, spheres);
    tree->plan = cg_arena_push_array(arena, cg_tree_plan, 1);
    cg_tree_plan measured;
    cg_tree_plan_layout(tree->plan ? tree->plan : &measured, slots, arena);
}

void cg_sphere_tree_layout_normals(cg_sphere_tree *tree, cg_arena *arena)
{
    tree->normals = cg_arena_push_array(arena, cg_tree_box, 2 * (size_t)tree->slot_capacity);
    tree->boxes = cg_arena_push_array(arena, cg_tree_box, 2 * (size_t)tree->slot_capacity);
    tree->is_asked = cg_arena_push_array(arena, bool, 2 * (size_t)tree->slot_capacity);
}

void cg_sphere_tree_ask(cg_sphere_tree *tree, const bool *nodes)
{
    tree->asks_some = nodes != NULL;
    for (int slot = 0; slot < tree->slot_count && nodes != NULL; slot++) {
        int triangle = tree->triangle_of[slot];
        const int *corners = tree->corners[triangle < 0 ? 0 : triangle];
        tree->is_asked[tree->slot_count + slot] =
            triangle >= 0 && (nodes[corners[0]] || nodes[corners[1]] || nodes[corners[2]]);
    }
    for (int node = tree->slot_count - 1; node > 0 && nodes != NULL; node--) {
        tree->is_asked[node] = tree->is_asked[2 * node] || tree->is_asked[2 * node + 1];
    }
}

void cg_triangle_list_layout(cg_triangle_list *list, int capacity, cg_arena *arena)
{
    *list = (cg_triangle_list){.capacity = capacity};
    list->items = cg_arena_push_array(arena, cg_triangle_pair, capacity);
}

// Spheres

static const cg_tree_sphere NOTHING = {{NAN, NAN, NAN}, 0};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double squared_distance(cg_vec3 a, cg_vec3 b)
{
    cg_vec3 between = v3_sub(b, a);
    return v3_dot(between, between);
}

cg_tree_sphere cg_tree_leaf(const cg_sphere_tree *tree, int triangle)
{
    const int *nodes = tree->corners[triangle];
    cg_vec3 a = tree->fitted[nodes[0]], b = tree->fitted[nodes[1]], c = tree->fitted[nodes[2]];
    cg_vec3 u = v3_sub(b, a), v = v3_sub(c, a);
    double uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v), ww = uu + vv - 2 * uv;
    if (!(uu + vv + fabs(a.x) + fabs(a.y) + fabs(a.z) <= FAR)) {
        return NOTHING; // a corner that is not finite makes the sum so too
    }
    cg_vec3 centre;
    if (uv <= 0) {
        centre = v3_scale(0.5, v3_add(b, c));
    } else if (vv + ww <= uu) {
        centre = v3_scale(0.5, v3_add(a, b));
    } else if (uu + ww <= vv) {
        centre = v3_scale(0.5, v3_add(a, c));
    } else {
        double scale = 0.5 / (uu * vv - uv * uv);
        centre = v3_add_scaled(a, vv * (uu - uv) * scale, u);
        centre = v3_add_scaled(centre, uu * (vv - uv) * scale, v);
    }
    double squared =
        larger(larger(squared_distance(centre, a), squared_distance(centre, b)), squared_distance(centre, c));
    double longest = larger(uu, larger(vv, ww));
    if (!(squared <= longest)) {
        // A needle: the corners do not say where the centre is. Any place will do that is near them.
        centre = v3_scale(0.5, v3_add(a, uu > vv ? b : c));
        squared = larger(larger(squared_distance(centre, a), squared_distance(centre, b)), squared_distance(centre, c));
    }
    return (cg_tree_sphere){centre, sqrt(squared) * (1 + PAD)};
}

cg_tree_sphere cg_tree_around(const cg_tree_sphere *a, const cg_tree_sphere *b)
{
    if (sphere_is_empty(b)) {
        return *a;
    }
    if (sphere_is_empty(a)) {
        return *b;
    }
    cg_vec3 between = v3_sub(b->centre, a->centre);
    double squared = v3_dot(between, between), difference = b->radius - a->radius;
    if (difference * difference >= squared) {
        cg_tree_sphere outer = difference > 0 ? *b : *a;
        outer.radius *= 1 + PAD;
        return outer;
    }
    double distance = sqrt(squared), radius = 0.5 * (distance + a->radius + b->radius);
    cg_vec3 centre = v3_add_scaled(a->centre, (radius - a->radius) / distance, between);
    double size = radius + fabs(centre.x) + fabs(centre.y) + fabs(centre.z);
    return (cg_tree_sphere){centre, radius + PAD * size};
}

// Boxes of normals and of places

// A triangle whose nodes are each up to `slack` from where they are fitted, and go 0.6 as far again while an answer is
// used, turns by less than 33 degrees when its lowest height is at least this many slacks.
static const double STEADY_HEIGHT = 6;
// What single precision may do to a normal, and to a place relative to it.
static const float NORMAL_PAD = 1e-6f, PLACE_PAD = 2e-7f;

static const cg_tree_box NO_NORMALS = {{1, 1, 1}, {-1, -1, -1}};
static const cg_tree_box NO_PLACES = {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
static const cg_tree_box ALL_NORMALS = {{-1, -1, -1}, {1, 1, 1}};

static cg_tree_box normals_of_leaf(const cg_sphere_tree *tree, int triangle)
{
    const int *nodes = tree->corners[triangle];
    cg_vec3 a = tree->fitted[nodes[0]], b = tree->fitted[nodes[1]], c = tree->fitted[nodes[2]];
    cg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double longest = larger(squared_distance(a, b), larger(squared_distance(b, c), squared_distance(c, a)));
    double squared = v3_dot(n, n), least = STEADY_HEIGHT * tree->slack;
    if (!(squared > least * least * longest && squared > 0 && squared <= FAR)) {
        return ALL_NORMALS;
    }
    n = v3_scale(1 / sqrt(squared), n);
    return (cg_tree_box){{(float)n.x - NORMAL_PAD, (float)n.y - NORMAL_PAD, (float)n.z - NORMAL_PAD},
                         {(float)n.x + NORMAL_PAD, (float)n.y + NORMAL_PAD, (float)n.z + NORMAL_PAD}};
}

static void take_place(cg_tree_box *box, int axis, double place)
{
    float at = (float)place, pad = PLACE_PAD * fabsf(at);
    box->low[axis] = at - pad < box->low[axis] ? at - pad : box->low[axis];
    box->high[axis] = at + pad > box->high[axis] ? at + pad : box->high[axis];
}

static cg_tree_box places_of_leaf(const cg_sphere_tree *tree, int triangle)
{
    cg_tree_box box = NO_PLACES;
    for (int k = 0; k < 3; k++) {
        cg_vec3 place = tree->fitted[tree->corners[triangle][k]];
        take_place(&box, 0, place.x);
        take_place(&box, 1, place.y);
        take_place(&box, 2, place.z);
    }
    return box;
}

static cg_tree_box box_around(const cg_tree_box *a, const cg_tree_box *b)
{
    cg_tree_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
        box.high[k] = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
    }
    return box;
}

static void fit_boxes(cg_sphere_tree *tree, int node)
{
    if (tree->normals == NULL) {
        return;
    }
    if (node >= tree->slot_count) {
        int triangle = tree->triangle_of[node - tree->slot_count];
        tree->normals[node] = triangle < 0 ? NO_NORMALS : normals_of_leaf(tree, triangle);
        tree->boxes[node] = triangle < 0 ? NO_PLACES : places_of_leaf(tree, triangle);
        return;
    }
    tree->normals[node] = box_around(&tree->normals[2 * node], &tree->normals[2 * node + 1]);
    tree->boxes[node] = box_around(&tree->boxes[2 * node], &tree->boxes[2 * node + 1]);
}

void cg_tree_fit(cg_sphere_tree *tree, int node)
{
    cg_tree_sphere *sphere = &tree->spheres[node];
    double before = sphere->radius * sphere->radius;
    tree->refitted++;
    fit_boxes(tree, node);
    if (node >= tree->slot_count) {
        int triangle = tree->triangle_of[node - tree->slot_count];
        *sphere = triangle < 0 ? NOTHING : cg_tree_leaf(tree, triangle);
        tree->leaf_area += sphere->radius * sphere->radius - before;
    } else {
        *sphere = cg_tree_around(&tree->spheres[2 * node], &tree->spheres[2 * node + 1]);
        tree->inner_area += sphere->radius * sphere->radius - before;
    }
}

void cg_tree_fit_all(cg_sphere_tree *tree)
{
    double leaf_area = 0, inner_area = 0;
    for (int slot = 0; slot < tree->slot_count; slot++) {
        int triangle = tree->triangle_of[slot];
        cg_tree_sphere *leaf = &tree->spheres[tree->slot_count + slot];
        *leaf = triangle < 0 ? NOTHING : cg_tree_leaf(tree, triangle);
        leaf_area += leaf->radius * leaf->radius;
        fit_boxes(tree, tree->slot_count + slot);
    }
    for (int node = tree->slot_count - 1; node > 0; node--) {
        cg_tree_sphere *sphere = &tree->spheres[node];
        *sphere = cg_tree_around(&tree->spheres[2 * node], &tree->spheres[2 * node + 1]);
        inner_area += sphere->radius * sphere->radius;
        fit_boxes(tree, node);
    }
    tree->leaf_area = leaf_area;
    tree->inner_area = inner_area;
    tree->refitted += 2 * tree->slot_count - 1;
    cg_tree_clear_marks(tree);
}

// Marks

void cg_tree_link_corners(cg_sphere_tree *tree)
{
    for (int i = 0; i < tree->node_count; i++) {
        tree->first_corner[i] = -1;
    }
    for (int i = 3 * tree->triangle_count - 1; i >= 0; i--) {
        int node = tree->corners[i / 3][i % 3];
        tree->next_corner[i] = tree->first_corner[node];
        tree->first_corner[node] = i;
    }
}

void cg_tree_clear_marks(cg_sphere_tree *tree)
{
    for (int i = 0; i < tree->marked_count; i++) {
        tree->is_marked[tree->marked[i]] = false;
    }
    tree->marked_count = 0;
    tree->is_all_marked = false;
}

void cg_tree_mark(cg_sphere_tree *tree, int triangle)
{
    if (tree->is_all_marked || tree->slot_of[triangle] < 0) {
        return;
    }
    int leaf = tree->slot_count + tree->slot_of[triangle];
    if (!tree->is_marked[leaf]) {
        tree->is_marked[leaf] = true;
        tree->marked[tree->marked_count++] = leaf;
    }
}

void cg_sphere_tree_mark_node(cg_sphere_tree *tree, int node, cg_vec3 position)
{
    tree->fitted[node] = position;
    for (int corner = tree->first_corner[node]; corner >= 0; corner = tree->next_corner[corner]) {
        cg_tree_mark(tree, corner / 3);
    }
}

// Returns how many were marked, and the largest squared distance of the others.
static int mark_moved(cg_sphere_tree *tree, const cg_vec3 *positions, int first, int end, double *left)
{
    double limit = tree->slack * tree->slack;
    int moved = 0;
    *left = 0;
    for (int i = first; i < end; i++) {
        if (tree->first_corner[i] < 0) { // inside, without a sphere
            continue;
        }
        double away = squared_distance(positions[i], tree->fitted[i]);
        if (away <= limit) {
            *left = away > *left ? away : *left;
            continue;
        }
        // Not finite, before or now: marked too.
        moved++;
        tree->fitted[i] = positions[i];
        if (!tree->is_all_marked) {
            cg_sphere_tree_mark_node(tree, i, positions[i]);
            tree->is_all_marked = tree->marked_count > tree->slot_count / ALL_FROM;
        }
    }
    return moved;
}

int cg_sphere_tree_mark_moved(cg_sphere_tree *tree, const cg_vec3 *positions)
{
    double left;
    int count = mark_moved(tree, positions, 0, tree->node_count, &left);
    tree->is_marked_exactly = left == 0;
    return count;
}

double cg_sphere_tree_mark_moved_of(cg_sphere_tree *tree, const cg_vec3 *positions, int first, int end)
{
    double left;
    mark_moved(tree, positions, first, end, &left);
    return sqrt(left);
}

// All at one depth: the parents of the list, each once, become the list.
static void fit_marked(cg_sphere_tree *tree)
{
    int count = tree->marked_count, *list = tree->marked;
    tree->marked_count = 0;
    for (int i = 0; i < count; i++) {
        cg_tree_fit(tree, list[i]);
        tree->is_marked[list[i]] = false;
    }
    while (count > 0 && list[0] > 1) {
        int parents = 0;
        for (int i = 0; i < count; i++) {
            int parent = list[i] / 2;
            if (!tree->is_marked[parent]) {
                tree->is_marked[parent] = true;
                list[parents++] = parent;
            }
        }
        for (int i = 0; i < parents; i++) {
            cg_tree_fit(tree, list[i]);
            tree->is_marked[list[i]] = false;
        }
        count = parents;
    }
}

int cg_sphere_tree_update(cg_sphere_tree *tree, const cg_vec3 *positions)
{
    long before = tree->refitted;
    tree->positions = positions;
    tree->moves = NULL;
    tree->is_exact = tree->is_marked_exactly;
    tree->is_marked_exactly = false;
    if (tree->is_all_marked || tree->marked_count > tree->slot_count / ALL_FROM) {
        cg_tree_fit_all(tree);
    } else {
        fit_marked(tree);
    }
    return (int)(tree->refitted - before);
}

// Motion

void cg_sphere_tree_set_moves(cg_sphere_tree *tree, const cg_vec3 *moves)
{
    assert(is_up_to_date(tree) && "a sphere tree needs its update before a motion");
    tree->moves = moves;
    if (!moves) {
        return;
    }
    cg_vec3 sum = v3_zero();
    int count = 0;
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->first_corner[i] >= 0 && v3_is_finite(moves[i])) {
            sum = v3_add(sum, moves[i]);
            count++;
        }
    }
    tree->mean_move = v3_scale(1.0 / (count > 0 ? count : 1), sum);
    for (int slot = 0; slot < tree->slot_count; slot++) {
        int triangle = tree->triangle_of[slot];
        double farthest = 0;
        for (int k = 0; k < 3 && triangle >= 0; k++) {
            double away = squared_distance(moves[tree->corners[triangle][k]], tree->mean_move);
            farthest = away <= farthest ? farthest : (away <= FAR ? away : INFINITY);
        }
        tree->spread[tree->slot_count + slot] = sqrt(farthest) * (1 + 4 * PAD);
    }
    for (int node = tree->slot_count - 1; node > 0; node--) {
        tree->spread[node] = larger(tree->spread[2 * node], tree->spread[2 * node + 1]);
    }
}
