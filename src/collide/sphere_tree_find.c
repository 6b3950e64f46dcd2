// Sphere trees: queries. See collide/sphere_tree.h.
//
// A walk takes two spheres from a stack, compares them, and goes on with the children of the larger one; two leaves get
// the last word by true distance. What is found is sorted at the end, so the shape of the tree cannot be seen in it.
//
// With motions, two spheres can only meet if their centres are nearer than radii, margin, the difference of the mean
// displacements and both spreads.
#include <assert.h>
#include <math.h>

#include "base/mat3.h"
#include "collide/sphere_tree_parts.h"
#include "geometry/triangle.h"

// Spheres are compared with so much to spare that rounding of the distances cannot matter.
#define SPARE 1e-12

// A walk goes down one level a step and leaves at most one pair waiting at each level, two in a walk of a tree against
// itself.
enum { STACK = 4 * CG_TREE_LEVELS };

typedef struct walk {
    const cg_sphere_tree *a, *b;
    const cg_transform *pose; // of b
    cg_mat3 turn;             // of the pose
    double margin;
    double reach; // margin, slack and the relative mean displacement
    bool is_moving;
    cg_triangle_list *found;
} walk;

// Sorting

static uint64_t key_of(cg_triangle_pair pair)
{
    return (uint64_t)(uint32_t)pair.a << 32 | (uint32_t)(pair.b + 1);
}

static void sort_few(cg_triangle_pair *items, int count)
{
    for (int i = 1; i < count; i++) {
        cg_triangle_pair item = items[i];
        int k = i;
        for (; k > 0 && key_of(items[k - 1]) > key_of(item); k--) {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

// In place, bit by bit from the top: 64 passes at the very most.
static void sort_by_bits(cg_triangle_pair *items, int count, int bit)
{
    while (count > 16 && bit >= 0) {
        int low = 0, high = count;
        while (low < high) {
            if (key_of(items[low]) >> bit & 1) {
                cg_triangle_pair item = items[low];
                items[low] = items[--high];
                items[high] = item;
            } else {
                low++;
            }
        }
        bit--;
        sort_by_bits(items, low, bit);
        items += low;
        count -= low;
    }
    sort_few(items, count);
}

static bool finish(cg_triangle_list *found)
{
    uint64_t differing = 0;
    for (int i = 1; i < found->count; i++) {
        differing |= key_of(found->items[i]) ^ key_of(found->items[0]);
    }
    int bit = 63;
    while (bit >= 0 && !(differing >> bit & 1)) {
        bit--;
    }
    sort_by_bits(found->items, found->count, bit);
    return found->lost == 0;
}

static void start(cg_triangle_list *found)
{
    found->count = found->lost = 0;
    found->spheres = found->distances = 0;
}

static void keep(cg_triangle_list *found, int a, int b)
{
    if (found->count == found->capacity) {
        found->lost++;
        return;
    }
    found->items[found->count++] = (cg_triangle_pair){a, b};
}

// Two trees

static cg_vec3 placed_vector(const walk *w, cg_vec3 vector)
{
    return w->pose ? m3_apply(w->turn, vector) : vector;
}

static cg_vec3 placed(const walk *w, cg_vec3 point)
{
    return w->pose ? v3_add(w->pose->position, m3_apply(w->turn, point)) : point;
}

// What putting a tree into its pose may do to its places [m].
static double rounding_of(const cg_sphere_tree *tree, const cg_transform *pose)
{
    const cg_tree_sphere *root = &tree->spheres[1];
    if (!pose || sphere_is_empty(root)) {
        return 0;
    }
    return 1e-15 * (v3_length(pose->position) + v3_length(root->centre) + root->radius);
}

static walk walk_of(const cg_sphere_tree *a, const cg_sphere_tree *b, const cg_transform *pose, double margin,
                    cg_triangle_list *found)
{
    assert(is_up_to_date(a) && is_up_to_date(b) && "a sphere tree needs its update before a query");
    walk w = {.a = a, .b = b, .pose = pose, .margin = margin, .found = found};
    if (pose) {
        w.turn = m3_from_columns(transform_vector(*pose, v3(1, 0, 0)), transform_vector(*pose, v3(0, 1, 0)),
                                 transform_vector(*pose, v3(0, 0, 1)));
    }
    w.is_moving = a->moves || b->moves;
    cg_vec3 move_a = a->moves ? a->mean_move : v3_zero(), move_b = b->moves ? b->mean_move : v3_zero();
    w.reach = margin + a->slack + b->slack + v3_distance(move_a, placed_vector(&w, move_b)) + rounding_of(b, pose);
    return w;
}

// Two spheres: the square of the distance of their centres, their radii, and how far both may stray on their way.
typedef struct spheres_apart {
    double squared, radii, stray;
} spheres_apart;

static inline spheres_apart spheres_between(const walk *w, int node_a, int node_b)
{
    const cg_tree_sphere *a = &w->a->spheres[node_a], *b = &w->b->spheres[node_b];
    cg_vec3 between = v3_sub(placed(w, b->centre), a->centre);
    spheres_apart apart = {v3_dot(between, between), a->radius + b->radius, 0};
    if (w->is_moving) {
        apart.stray = (w->a->moves ? w->a->spread[node_a] : 0) + (w->b->moves ? w->b->spread[node_b] : 0);
    }
    return apart;
}

static inline bool are_within(const walk *w, const spheres_apart *apart)
{
    double limit = (apart->radii + w->reach + apart->stray) * (1 + SPARE);
    return apart->squared <= limit * limit;
}

static bool spheres_are_near(const walk *w, int node_a, int node_b)
{
    spheres_apart apart = spheres_between(w, node_a, node_b);
    return are_within(w, &apart);
}

static void triangles_of(const walk *w, int triangle_a, int triangle_b, cg_vec3 a[3], cg_vec3 b[3])
{
    tree_triangle(w->a, triangle_a, a);
    tree_triangle(w->b, triangle_b, b);
    for (int k = 0; k < 3 && w->pose; k++) {
        b[k] = placed(w, b[k]);
    }
}

static cg_vec3 move_of(const cg_sphere_tree *tree, int triangle, int corner)
{
    return tree->moves ? tree->moves[tree->corners[triangle][corner]] : v3_zero();
}

// The largest relative displacement of any two corners; infinite when one is not finite.
static double relative_move(const walk *w, int triangle_a, int triangle_b)
{
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        cg_vec3 a = move_of(w->a, triangle_a, i / 3), b = placed_vector(w, move_of(w->b, triangle_b, i % 3));
        cg_vec3 relative = v3_sub(b, a);
        double squared = v3_dot(relative, relative);
        largest = squared <= largest ? largest : (squared < INFINITY ? squared : INFINITY);
    }
    return sqrt(largest);
}

static void measure(const walk *w, int triangle_a, int triangle_b)
{
    cg_vec3 a[3], b[3];
    triangles_of(w, triangle_a, triangle_b, a, b);
    double limit = w->margin + (w->is_moving ? relative_move(w, triangle_a, triangle_b) : 0);
    if (cg_triangles_are_apart(a, b, limit)) {
        return;
    }
    w->found->distances++;
    if (sqrt(cg_closest_triangles(a, b).squared_distance) <= limit) {
        keep(w->found, triangle_a, triangle_b);
    }
}

static int triangle_at(const cg_sphere_tree *tree, int node)
{
    return tree->triangle_of[node - tree->slot_count];
}

// True when the first of the two is the one to go on with: it can, and it is the larger.
static bool goes_into_first(const walk *w, cg_triangle_pair nodes)
{
    if (nodes.a >= w->a->slot_count) {
        return false;
    }
    return nodes.b >= w->b->slot_count || w->a->spheres[nodes.a].radius >= w->b->spheres[nodes.b].radius;
}

// Pushes the two pairs that come after this one, the first on top.
static int go_on(const walk *w, cg_triangle_pair nodes, cg_triangle_pair *stack, int waiting)
{
    bool into_first = goes_into_first(w, nodes);
    for (int child = 1; child >= 0; child--) {
        stack[waiting++] = into_first ? (cg_triangle_pair){2 * nodes.a + child, nodes.b}
                                      : (cg_triangle_pair){nodes.a, 2 * nodes.b + child};
    }
    return waiting;
}

static bool are_leaves(const walk *w, cg_triangle_pair nodes)
{
    return nodes.a >= w->a->slot_count && nodes.b >= w->b->slot_count;
}

bool cg_sphere_tree_find_pairs(const cg_sphere_tree *a, const cg_sphere_tree *b, const cg_transform *pose,
                               double margin, cg_triangle_list *found)
{
    start(found);
    walk w = walk_of(a, b, pose, margin, found);
    cg_triangle_pair stack[STACK] = {{1, 1}};
    int waiting = 1;
    while (waiting > 0) {
        cg_triangle_pair nodes = stack[--waiting];
        found->spheres++;
        if (!spheres_are_near(&w, nodes.a, nodes.b)) {
            continue;
        }
        if (are_leaves(&w, nodes)) {
            measure(&w, triangle_at(a, nodes.a), triangle_at(b, nodes.b));
        } else {
            waiting = go_on(&w, nodes, stack, waiting);
        }
    }
    return finish(found);
}

bool cg_sphere_tree_find_hit(const cg_sphere_tree *a, const cg_sphere_tree *b, const cg_transform *pose,
                             cg_triangle_pair *hit, long *compared)
{
    walk w = walk_of(a, b, pose, 0, NULL);
    w.reach = a->slack + b->slack + rounding_of(b, pose);
    w.is_moving = false;
    cg_triangle_pair stack[STACK] = {{1, 1}};
    int waiting = 1;
    long count = 0;
    bool is_hit = false;
    while (waiting > 0 && !is_hit) {
        cg_triangle_pair nodes = stack[--waiting];
        count++;
        if (!spheres_are_near(&w, nodes.a, nodes.b)) {
            continue;
        }
        if (are_leaves(&w, nodes)) {
            cg_vec3 p[3], q[3];
            *hit = (cg_triangle_pair){triangle_at(a, nodes.a), triangle_at(b, nodes.b)};
            triangles_of(&w, hit->a, hit->b, p, q);
            is_hit = cg_triangles_meet(p, q);
        } else {
            waiting = go_on(&w, nodes, stack, waiting);
        }
    }
    if (!is_hit) {
        *hit = (cg_triangle_pair){-1, -1};
    }
    if (compared) {
        *compared = count;
    }
    return is_hit;
}

// One tree against itself

static bool share_a_node(const int a[3], const int b[3])
{
    for (int k = 0; k < 3; k++) {
        if (a[k] == b[0] || a[k] == b[1] || a[k] == b[2]) {
            return true;
        }
    }
    return false;
}

static void measure_own(const walk *w, int a, int b)
{
    if (!share_a_node(w->a->corners[a], w->a->corners[b])) {
        measure(w, a < b ? a : b, a < b ? b : a);
    }
}

bool cg_sphere_tree_find_own_pairs(const cg_sphere_tree *tree, double margin, cg_triangle_list *found)
{
    start(found);
    walk w = walk_of(tree, tree, NULL, margin, found);
    cg_triangle_pair stack[STACK] = {{1, 1}};
    int waiting = 1;
    while (waiting > 0) {
        cg_triangle_pair nodes = stack[--waiting];
        if (nodes.a == nodes.b) {
            // Each child with itself, and the two with each other.
            if (nodes.a < tree->slot_count && tree->used[nodes.a] > 1) {
                int left = 2 * nodes.a, right = left + 1;
                stack[waiting++] = (cg_triangle_pair){left, right};
                stack[waiting++] = (cg_triangle_pair){right, right};
                stack[waiting++] = (cg_triangle_pair){left, left};
            }
            continue;
        }
        found->spheres++;
        if (!spheres_are_near(&w, nodes.a, nodes.b)) {
            continue;
        }
        if (are_leaves(&w, nodes)) {
            measure_own(&w, triangle_at(tree, nodes.a), triangle_at(tree, nodes.b));
        } else {
            waiting = go_on(&w, nodes, stack, waiting);
        }
    }
    return finish(found);
}

// Trees that face each other

// The least product that two normals of these boxes can have.
static float least_product(const cg_tree_box *a, const cg_tree_box *b)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float ll = a->low[k] * b->low[k], lh = a->low[k] * b->high[k];
        float hl = a->high[k] * b->low[k], hh = a->high[k] * b->high[k];
        float first = ll < lh ? ll : lh, second = hl < hh ? hl : hh;
        sum += first < second ? first : second;
    }
    return sum;
}

// Neighbours on a surface count only where it is folded: each has a corner that can meet the other.
static void note_facing(const walk *w, cg_triangle_pair leaves)
{
    bool is_own = w->a == w->b;
    int a = triangle_at(w->a, leaves.a), b = triangle_at(w->b, leaves.b);
    if (is_own && share_a_node(w->a->corners[a], w->a->corners[b]) &&
        least_product(&w->a->normals[leaves.a], &w->b->normals[leaves.b]) > (float)CG_TREE_FOLDED) {
        return;
    }
    cg_vec3 p[3], q[3];
    int first = is_own && a > b ? b : a, second = a + b - first; // as if the tree had another shape
    triangles_of(w, first, second, p, q);
    double limit = w->margin + (w->is_moving ? relative_move(w, first, second) : 0);
    w->found->distances++;
    if (!cg_triangles_are_apart(p, q, limit)) {
        keep(w->found, first, second);
    }
}

// What is farther apart than this along an axis is apart for cg_triangles_are_apart, which has the last word: boxes may
// leave out what it would. In a motion they leave out nothing.
static float reach_of_boxes(const walk *w)
{
    const cg_tree_sphere *root = &w->a->spheres[1];
    double slack = (w->a->is_exact ? 0 : w->a->slack) + (w->b->is_exact ? 0 : w->b->slack);
    double rounding = 1e-9 * (v3_length(root->centre) + root->radius);
    return w->is_moving ? HUGE_VALF : (float)((w->margin + slack) * (1 + 1e-6) + rounding);
}

static inline bool boxes_are_within(const cg_tree_box *a, const cg_tree_box *b, float reach)
{
    float most = -HUGE_VALF; // without branches: most of those inside are close calls
    for (int k = 0; k < 3; k++) {
        float before = a->low[k] - b->high[k], behind = b->low[k] - a->high[k];
        float gap = before > behind ? before : behind;
        most = gap > most ? gap : most;
    }
    return most <= reach;
}

// Pushes the four pairs of the children of both, or what go_on does where one has none. Three wait at each level then.
static int go_on_in_both(const walk *w, cg_triangle_pair nodes, cg_triangle_pair *stack, int waiting)
{
    if (nodes.a >= w->a->slot_count || nodes.b >= w->b->slot_count) {
        return go_on(w, nodes, stack, waiting);
    }
    for (int child = 3; child >= 0; child--) {
        stack[waiting++] = (cg_triangle_pair){2 * nodes.a + child / 2, 2 * nodes.b + child % 2};
    }
    return waiting;
}

static bool is_asked(const cg_sphere_tree *tree, int node)
{
    return !tree->asks_some || tree->is_asked[node];
}

bool cg_sphere_tree_find_facing(const cg_sphere_tree *a, const cg_sphere_tree *b, double margin, double alike,
                                cg_triangle_list *found)
{
    start(found);
    walk all = walk_of(a, b, NULL, margin, found), near = walk_of(a, b, NULL, alike, found);
    // What is left of the slack matters to pairs that look the same way alone: they are not measured so exactly.
    all.reach -= (a->is_exact ? a->slack : 0) + (b->is_exact ? b->slack : 0);
    const walk *widest = near.reach > all.reach ? &near : &all;
    const float box_reach = reach_of_boxes(&all), near_box_reach = reach_of_boxes(&near);
    cg_triangle_pair stack[STACK] = {{1, 1}};
    int waiting = 1;
    while (waiting > 0) {
        cg_triangle_pair nodes = stack[--waiting];
        if (a == b && nodes.a == nodes.b) {
            if (nodes.a < a->slot_count && a->used[nodes.a] > 1 && is_asked(a, nodes.a)) {
                int left = 2 * nodes.a, right = left + 1;
                stack[waiting++] = (cg_triangle_pair){left, right};
                stack[waiting++] = (cg_triangle_pair){right, right};
                stack[waiting++] = (cg_triangle_pair){left, left};
            }
            continue;
        }
        if (!is_asked(a, nodes.a) && !is_asked(b, nodes.b)) {
            continue;
        }
        found->spheres++;
        if (!boxes_are_within(&a->boxes[nodes.a], &b->boxes[nodes.b], box_reach)) {
            continue;
        }
        spheres_apart apart = spheres_between(&all, nodes.a, nodes.b);
        if (!are_within(widest, &apart)) {
            continue;
        }
        bool are_alike =
            alike < margin && least_product(&a->normals[nodes.a], &b->normals[nodes.b]) > (float)CG_TREE_ALIKE;
        const walk *w = are_alike ? &near : &all;
        if (!are_within(w, &apart) ||
            (are_alike && !boxes_are_within(&a->boxes[nodes.a], &b->boxes[nodes.b], near_box_reach))) {
            continue;
        }
        if (are_leaves(w, nodes)) {
            note_facing(w, nodes);
        } else {
            waiting = go_on_in_both(w, nodes, stack, waiting);
        }
    }
    return finish(found);
}

// One tree and anything else

bool cg_sphere_tree_find(const cg_sphere_tree *tree, const cg_tree_question *question, cg_triangle_list *found)
{
    assert(is_up_to_date(tree) && "a sphere tree needs its update before a query");
    start(found);
    int stack[STACK] = {1}, waiting = 1;
    while (waiting > 0) {
        int node = stack[--waiting];
        const cg_tree_sphere *sphere = &tree->spheres[node];
        found->spheres++;
        double spread = tree->moves ? tree->spread[node] : 0;
        if (sphere_is_empty(sphere) || !question->may_be_near(question->context, sphere, spread)) {
            continue;
        }
        if (node < tree->slot_count) {
            stack[waiting++] = 2 * node + 1;
            stack[waiting++] = 2 * node;
            continue;
        }
        found->distances++;
        if (question->is_near(question->context, triangle_at(tree, node))) {
            keep(found, triangle_at(tree, node), -1);
        }
    }
    return finish(found);
}

// A segment, as spheres and triangles see it.
typedef struct probe {
    const cg_sphere_tree *tree;
    const cg_vec3 *ends, *moves;
    cg_vec3 along;
    double inverse_squared; // 1 / |along|^2; 0 for a point
    double reach;           // for triangles
    double sphere_reach;    // with slack and the largest displacement relative to the tree's mean
} probe;

static bool probe_may_be_near(void *context, const cg_tree_sphere *sphere, double spread)
{
    const probe *p = context;
    cg_vec3 away = v3_sub(sphere->centre, p->ends[0]);
    double t = v3_dot(away, p->along) * p->inverse_squared;
    t = t > 0 ? (t < 1 ? t : 1) : 0;
    away = v3_add_scaled(away, -t, p->along);
    double limit = (sphere->radius + p->sphere_reach + spread) * (1 + SPARE);
    return v3_dot(away, away) <= limit * limit;
}

static bool probe_is_near(void *context, int triangle)
{
    const probe *p = context;
    double largest = 0;
    for (int i = 0; i < 6 && (p->moves || p->tree->moves); i++) {
        cg_vec3 relative = v3_sub(p->moves ? p->moves[i % 2] : v3_zero(), move_of(p->tree, triangle, i / 2));
        double squared = v3_dot(relative, relative);
        largest = squared <= largest ? largest : (squared < INFINITY ? squared : INFINITY);
    }
    cg_vec3 corners[3];
    tree_triangle(p->tree, triangle, corners);
    double distance = sqrt(cg_closest_segment_triangle(p->ends[0], p->ends[1], corners).squared_distance);
    return distance <= p->reach + sqrt(largest);
}

bool cg_sphere_tree_find_near(const cg_sphere_tree *tree, const cg_vec3 ends[2], const cg_vec3 *moves, double reach,
                              cg_triangle_list *found)
{
    probe p = {.tree = tree, .ends = ends, .moves = moves, .along = v3_sub(ends[1], ends[0]), .reach = reach};
    double squared = v3_dot(p.along, p.along);
    p.inverse_squared = squared > 1e-280 ? 1 / squared : 0;
    cg_vec3 mean = tree->moves ? tree->mean_move : v3_zero();
    double fastest = v3_length(mean);
    if (moves) {
        double first = v3_distance(moves[0], mean), second = v3_distance(moves[1], mean);
        fastest = first > second ? first : second;
        fastest = first == first && second == second ? fastest : INFINITY;
    }
    p.sphere_reach = reach + tree->slack + fastest;
    return cg_sphere_tree_find(tree, &(cg_tree_question){probe_may_be_near, probe_is_near, &p}, found);
}

// A box

typedef struct box_probe {
    const cg_sphere_tree *tree;
    cg_vec3 low, high;
    double sphere_reach;
} box_probe;

static double outside(double p, double low, double high)
{
    return p < low ? low - p : (p > high ? p - high : 0);
}

// By the box around the sphere: the box around a triangle may stick out of its sphere.
static bool box_may_be_near(void *context, const cg_tree_sphere *sphere, double spread)
{
    const box_probe *box = context;
    double limit = (sphere->radius + box->sphere_reach + spread) * (1 + SPARE);
    return outside(sphere->centre.x, box->low.x, box->high.x) <= limit &&
           outside(sphere->centre.y, box->low.y, box->high.y) <= limit &&
           outside(sphere->centre.z, box->low.z, box->high.z) <= limit;
}

static bool interval_meets(const double *values, int count, double low, double high)
{
    bool all_below = true, all_above = true;
    for (int i = 0; i < count; i++) {
        all_below &= values[i] < low;
        all_above &= values[i] > high;
    }
    return !all_below && !all_above;
}

static bool box_is_near(void *context, int triangle)
{
    const box_probe *box = context;
    const cg_sphere_tree *tree = box->tree;
    double x[6], y[6], z[6];
    int count = tree->moves ? 6 : 3;
    for (int i = 0; i < count; i++) {
        int node = tree->corners[triangle][i % 3];
        cg_vec3 p = tree->positions[node];
        p = i < 3 ? p : v3_add(p, tree->moves[node]);
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
    }
    return interval_meets(x, count, box->low.x, box->high.x) && interval_meets(y, count, box->low.y, box->high.y) &&
           interval_meets(z, count, box->low.z, box->high.z);
}

bool cg_sphere_tree_find_in_box(const cg_sphere_tree *tree, cg_vec3 low, cg_vec3 high, cg_triangle_list *found)
{
    box_probe box = {tree, low, high, tree->slack + (tree->moves ? v3_length(tree->mean_move) : 0)};
    return cg_sphere_tree_find(tree, &(cg_tree_question){box_may_be_near, box_is_near, &box}, found);
}
