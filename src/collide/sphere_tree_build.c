// Sphere trees: how they are built and how they follow edits. See collide/sphere_tree.h.
//
// A build halves ranges of triangles. The places of the centres along the longest side of their box are rounded to 22
// bits, the median is found by counting the upper 11 bits and then, within one value of them, the lower 11: two passes
// whatever the triangles are, and a third that puts the smaller half first. Equal places go by order.
//
// Ranges wait on a stack, so a build can be done in portions. Meanwhile triangles may be renumbered, removed and added:
// the plan names them by their slots of before, which stay; a slot that is empty in the end is left out, and triangles
// in slots that the plan does not know are inserted when it has taken effect.
#include <math.h>
#include <string.h>

#include "collide/sphere_tree_parts.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, SHORT_RANGE = 24 };

void cg_tree_plan_layout(cg_tree_plan *plan, int slots, cg_arena *arena)
{
    plan->order = cg_arena_push_array(arena, int, slots);
    plan->spare = cg_arena_push_array(arena, int, slots);
    plan->key = cg_arena_push_array(arena, uint32_t, slots);
    plan->centre = cg_arena_push(arena, (size_t)slots, sizeof *plan->centre);
    plan->new_slot = cg_arena_push_array(arena, int, slots);
}

// Puts every triangle that has no slot where the spheres grow least.
static void insert_rest(cg_sphere_tree *tree);

// The plan

static void begin_plan(cg_sphere_tree *tree)
{
    cg_tree_plan *plan = tree->plan;
    int count = 0;
    cg_vec3 origin = tree->node_count > 0 ? tree->fitted[0] : v3_zero();
    for (int slot = 0; slot < tree->slot_count; slot++) {
        int triangle = tree->triangle_of[slot];
        plan->new_slot[slot] = -1;
        if (triangle < 0) {
            continue;
        }
        const int *nodes = tree->corners[triangle];
        cg_vec3 sum = v3_add(tree->fitted[nodes[0]], v3_add(tree->fitted[nodes[1]], tree->fitted[nodes[2]]));
        cg_vec3 centre = v3_add_scaled(sum, -3, origin);
        // What is not finite, or too far for a float, has no place: any will do.
        bool has_place = fabs(centre.x) + fabs(centre.y) + fabs(centre.z) < 1e30;
        plan->centre[slot][0] = has_place ? (float)centre.x : 0;
        plan->centre[slot][1] = has_place ? (float)centre.y : 0;
        plan->centre[slot][2] = has_place ? (float)centre.z : 0;
        plan->order[count++] = slot;
    }
    plan->is_active = true;
    plan->slot_count = cg_tree_slots_for(tree, count);
    plan->waiting[0] = (cg_tree_range){1, 0, count};
    plan->waiting_count = 1;
}

// Fills in the keys of a range along the longest side of the box of its centres.
static void place_range(cg_tree_plan *plan, const int *order, int count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        const float *centre = plan->centre[order[i]];
        for (int k = 0; k < 3; k++) {
            low[k] = centre[k] < low[k] ? centre[k] : low[k];
            high[k] = centre[k] > high[k] ? centre[k] : high[k];
        }
    }
    float sides[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    int axis = sides[0] >= sides[1] ? (sides[0] >= sides[2] ? 0 : 2) : (sides[1] >= sides[2] ? 1 : 2);
    float scale = sides[axis] > 0 ? (float)(DIGITS * DIGITS - 1) / sides[axis] : 0;
    scale = scale < 1e30f ? scale : 1e30f;
    for (int i = 0; i < count; i++) {
        float place = (plan->centre[order[i]][axis] - low[axis]) * scale;
        uint32_t key = (uint32_t)place;
        plan->key[order[i]] = key < DIGITS * DIGITS ? key : DIGITS * DIGITS - 1;
    }
}

static void sort_short_range(const cg_tree_plan *plan, int *order, int count)
{
    for (int i = 1; i < count; i++) {
        int slot = order[i], k = i;
        for (; k > 0 && plan->key[order[k - 1]] > plan->key[slot]; k--) {
            order[k] = order[k - 1];
        }
        order[k] = slot;
    }
}

// The digit at which a running sum of the counts passes `rank`; the sum before it is taken off the rank.
static uint32_t digit_of_rank(const int counts[DIGITS], int *rank)
{
    uint32_t digit = 0;
    while (*rank >= counts[digit]) {
        *rank -= counts[digit++];
    }
    return digit;
}

// Puts the `half` smallest keys of the range first.
static void halve_range(cg_tree_plan *plan, int *order, int count, int half)
{
    int counts[DIGITS] = {0}, rank = half;
    for (int i = 0; i < count; i++) {
        counts[plan->key[order[i]] >> DIGIT_BITS]++;
    }
    uint32_t upper = digit_of_rank(counts, &rank);
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < count; i++) {
        uint32_t key = plan->key[order[i]];
        if (key >> DIGIT_BITS == upper) {
            counts[key & (DIGITS - 1)]++;
        }
    }
    // Of the keys equal to the median, `rank` go to the first half.
    uint32_t median = upper << DIGIT_BITS;
    median += digit_of_rank(counts, &rank);
    int first = 0, second = half;
    for (int i = 0; i < count; i++) {
        uint32_t key = plan->key[order[i]];
        bool is_first = key < median || (key == median && rank-- > 0);
        plan->spare[is_first ? first++ : second++] = order[i];
    }
    memcpy(order, plan->spare, (size_t)count * sizeof *order);
}

// Cuts the range that waits on top. Returns the number of triangles in it.
static int cut_range(cg_tree_plan *plan)
{
    cg_tree_range range = plan->waiting[--plan->waiting_count];
    int *order = plan->order + range.first;
    if (range.node >= plan->slot_count) {
        if (range.count > 0) {
            plan->new_slot[order[0]] = range.node - plan->slot_count;
        }
        return 1;
    }
    int half = range.count - range.count / 2;
    if (range.count > 1) {
        place_range(plan, order, range.count);
        if (range.count <= SHORT_RANGE) {
            sort_short_range(plan, order, range.count);
        } else {
            halve_range(plan, order, range.count, half);
        }
    }
    if (range.count > half) {
        plan->waiting[plan->waiting_count++] =
            (cg_tree_range){2 * range.node + 1, range.first + half, range.count - half};
    }
    if (half > 0) {
        plan->waiting[plan->waiting_count++] = (cg_tree_range){2 * range.node, range.first, half};
    }
    return range.count;
}

// The new slots take effect.
static void finish_plan(cg_sphere_tree *tree)
{
    cg_tree_plan *plan = tree->plan;
    cg_tree_clear_marks(tree);
    int *triangle_of = plan->spare;
    for (int slot = 0; slot < plan->slot_count; slot++) {
        triangle_of[slot] = -1;
    }
    for (int slot = 0; slot < tree->slot_count; slot++) {
        int triangle = tree->triangle_of[slot];
        if (triangle < 0) {
            continue;
        }
        int new_slot = plan->new_slot[slot];
        tree->slot_of[triangle] = new_slot;
        if (new_slot >= 0) {
            triangle_of[new_slot] = triangle;
        }
    }
    tree->slot_count = plan->slot_count;
    memcpy(tree->triangle_of, triangle_of, (size_t)tree->slot_count * sizeof *triangle_of);
    for (int slot = 0; slot < tree->slot_count; slot++) {
        tree->used[tree->slot_count + slot] = tree->triangle_of[slot] >= 0;
    }
    for (int node = tree->slot_count - 1; node > 0; node--) {
        tree->used[node] = tree->used[2 * node] + tree->used[2 * node + 1];
    }
    plan->is_active = false;
    tree->builds++;
    cg_tree_fit_all(tree);
    tree->built_ratio = tree->leaf_area > 0 ? tree->inner_area / tree->leaf_area : 0;
    insert_rest(tree);
}

static void build_now(cg_sphere_tree *tree)
{
    begin_plan(tree);
    while (tree->plan->waiting_count > 0) {
        cut_range(tree->plan);
    }
    finish_plan(tree);
}

int cg_sphere_tree_tidy(cg_sphere_tree *tree, int budget)
{
    cg_tree_plan *plan = tree->plan;
    int looked_at = 0;
    if (!plan->is_active) {
        if (!(tree->inner_area > CG_TREE_WORN * tree->built_ratio * tree->leaf_area)) {
            return 0;
        }
        begin_plan(tree);
        looked_at = tree->triangle_count;
    }
    while (plan->waiting_count > 0 && looked_at < budget) {
        looked_at += cut_range(plan);
    }
    if (plan->waiting_count == 0 && looked_at < budget) {
        const cg_vec3 *moves = tree->moves;
        finish_plan(tree);
        cg_sphere_tree_set_moves(tree, moves);
        looked_at += tree->triangle_count;
    }
    return looked_at;
}

// Edits

static void fit_above(cg_sphere_tree *tree, int leaf)
{
    for (int node = leaf; node > 0; node /= 2) {
        cg_tree_fit(tree, node);
    }
}

static void count_above(cg_sphere_tree *tree, int leaf, int change)
{
    for (int node = leaf; node > 0; node /= 2) {
        tree->used[node] += change;
    }
}

// By how much the square of the radius grows when the sphere takes in another.
static double growth(const cg_tree_sphere *sphere, const cg_tree_sphere *other)
{
    cg_tree_sphere both = cg_tree_around(sphere, other);
    return both.radius * both.radius - sphere->radius * sphere->radius;
}

// A tree without a free slot is built anew over twice the slots, with one more triangle. There are as many: the largest
// tree has a slot for every triangle.
static void grow(cg_sphere_tree *tree, int triangle)
{
    int slots = tree->slot_count;
    cg_tree_clear_marks(tree);
    for (int slot = slots; slot < 2 * slots; slot++) {
        tree->triangle_of[slot] = -1;
    }
    tree->triangle_of[slots] = triangle;
    tree->slot_of[triangle] = slots;
    tree->slot_count = 2 * slots;
    build_now(tree);
}

// Puts a triangle that has no slot where the spheres grow least.
static void insert(cg_sphere_tree *tree, int triangle)
{
    if (tree->used[1] == tree->slot_count) {
        grow(tree, triangle);
        return;
    }
    cg_tree_sphere leaf = cg_tree_leaf(tree, triangle);
    int node = 1;
    for (int room = tree->slot_count / 2; node < tree->slot_count; room /= 2) {
        int left = 2 * node, right = left + 1;
        bool goes_left = tree->used[right] == room;
        if (!goes_left && tree->used[left] < room) {
            double grows_left = growth(&tree->spheres[left], &leaf), grows_right = growth(&tree->spheres[right], &leaf);
            goes_left =
                grows_left < grows_right || (!(grows_right < grows_left) && tree->used[left] <= tree->used[right]);
        }
        node = goes_left ? left : right;
    }
    int slot = node - tree->slot_count;
    tree->slot_of[triangle] = slot;
    tree->triangle_of[slot] = triangle;
    count_above(tree, node, 1);
    fit_above(tree, node);
}

static void insert_rest(cg_sphere_tree *tree)
{
    for (int t = 0; t < tree->triangle_count; t++) {
        if (tree->slot_of[t] < 0) {
            insert(tree, t);
        }
    }
}

// Empties the slot of a triangle.
static void release(cg_sphere_tree *tree, int triangle)
{
    int slot = tree->slot_of[triangle];
    tree->slot_of[triangle] = -1;
    tree->triangle_of[slot] = -1;
    count_above(tree, tree->slot_count + slot, -1);
    fit_above(tree, tree->slot_count + slot);
}

static const int *nodes_of(const cg_triangle_source *source, int triangle)
{
    return (const int *)(const void *)((const char *)source->triangles + (size_t)triangle * source->stride);
}

static void make_empty(cg_sphere_tree *tree)
{
    cg_tree_clear_marks(tree);
    tree->plan->is_active = false;
    tree->node_count = tree->triangle_count = 0;
    tree->slot_count = 1;
    tree->triangle_of[0] = -1;
    tree->used[1] = 0;
    tree->moves = NULL;
    tree->seen_version = tree->seen_edits = 0;
    cg_tree_fit_all(tree);
}

static bool fits(const cg_sphere_tree *tree, const cg_triangle_source *source)
{
    if (source->count > tree->triangle_capacity || source->node_count > tree->node_capacity) {
        return false;
    }
    for (int t = 0; t < source->count; t++) {
        const int *nodes = nodes_of(source, t);
        for (int k = 0; k < 3; k++) {
            if (nodes[k] < 0 || nodes[k] >= source->node_count) {
                return false;
            }
        }
    }
    return true;
}

bool cg_sphere_tree_build(cg_sphere_tree *tree, const cg_triangle_source *source)
{
    make_empty(tree);
    if (!fits(tree, source)) {
        return false;
    }
    tree->node_count = source->node_count;
    tree->triangle_count = source->count;
    tree->positions = source->positions;
    if (source->node_count > 0) {
        memcpy(tree->fitted, source->positions, (size_t)source->node_count * sizeof *tree->fitted);
    }
    tree->slot_count = cg_tree_slots_for(tree, source->count);
    for (int slot = 0; slot < tree->slot_count; slot++) {
        tree->triangle_of[slot] = slot < source->count ? slot : -1;
    }
    for (int t = 0; t < source->count; t++) {
        memcpy(tree->corners[t], nodes_of(source, t), sizeof tree->corners[t]);
        tree->slot_of[t] = t;
    }
    cg_tree_link_corners(tree);
    build_now(tree);
    return true;
}

// Following a mesh

static cg_triangle_source source_of(const cg_mesh *mesh)
{
    return (cg_triangle_source){mesh->triangles, sizeof *mesh->triangles, mesh->triangle_count, mesh->position,
                                mesh->node_count};
}

static void have_seen(cg_sphere_tree *tree, const cg_mesh *mesh)
{
    tree->seen_version = mesh->topology_version;
    tree->seen_edits = mesh->edit_count;
}

bool cg_sphere_tree_build_mesh(cg_sphere_tree *tree, const cg_mesh *mesh)
{
    cg_triangle_source source = source_of(mesh);
    bool good = cg_sphere_tree_build(tree, &source);
    if (good) {
        have_seen(tree, mesh);
    }
    return good;
}

// Numbers of triangles through one edit: slots are emptied or change their triangle's number. `most` is one more than
// the largest number that has a slot, or had one. False when the log cannot be meant for this tree.
static bool renumber(cg_sphere_tree *tree, const cg_mesh_edit *edit, int *most)
{
    bool is_move = edit->kind == CG_EDIT_TRIANGLE_MOVED;
    if (!is_move && edit->kind != CG_EDIT_TRIANGLE_ADDED && edit->kind != CG_EDIT_TRIANGLE_REMOVED) {
        return true;
    }
    int item = edit->item, from = is_move ? edit->from[0] : 0;
    if (item < 0 || item >= tree->triangle_capacity || from < 0 || from >= tree->triangle_capacity) {
        return false;
    }
    for (int last = item > from ? item : from; *most <= last;) {
        tree->slot_of[(*most)++] = -1;
    }
    if (tree->slot_of[item] >= 0) {
        release(tree, item);
    }
    if (is_move && item != from && tree->slot_of[from] >= 0) {
        tree->slot_of[item] = tree->slot_of[from];
        tree->triangle_of[tree->slot_of[item]] = item;
        memcpy(tree->corners[item], tree->corners[from], sizeof tree->corners[item]);
        tree->slot_of[from] = -1;
    }
    return true;
}

// Takes nodes and corners over from the mesh, which has been checked. Triangles without a slot get none yet.
static void take_over(cg_sphere_tree *tree, const cg_triangle_source *source, int most)
{
    for (int t = source->count; t < most; t++) {
        if (tree->slot_of[t] >= 0) {
            release(tree, t);
        }
    }
    for (int t = most; t < source->count; t++) {
        tree->slot_of[t] = -1;
    }
    for (int i = tree->node_count; i < source->node_count; i++) {
        tree->fitted[i] = source->positions[i];
    }
    tree->node_count = source->node_count;
    tree->triangle_count = source->count;
    for (int t = 0; t < source->count; t++) {
        const int *nodes = nodes_of(source, t);
        if (memcmp(tree->corners[t], nodes, sizeof tree->corners[t]) != 0) {
            memcpy(tree->corners[t], nodes, sizeof tree->corners[t]);
            cg_tree_mark(tree, t);
        }
    }
    cg_tree_link_corners(tree);
}

static bool follow_edits(cg_sphere_tree *tree, const cg_mesh *mesh)
{
    cg_triangle_source source = source_of(mesh);
    uint64_t missed = mesh->edit_count - tree->seen_edits;
    int most = tree->triangle_count;
    bool has_forgotten = mesh->edit_count < tree->seen_edits || missed > (uint64_t)mesh->limits.edits;
    if (tree->triangle_count == 0 || has_forgotten || !fits(tree, &source)) {
        return cg_sphere_tree_build_mesh(tree, mesh);
    }
    for (uint64_t i = tree->seen_edits; i < mesh->edit_count; i++) {
        if (!renumber(tree, &mesh->edits[i % (uint64_t)mesh->limits.edits], &most)) {
            return cg_sphere_tree_build_mesh(tree, mesh);
        }
    }
    take_over(tree, &source, most);
    have_seen(tree, mesh);
    cg_sphere_tree_mark_moved(tree, mesh->position);
    insert_rest(tree);
    return true;
}

bool cg_sphere_tree_has_seen(const cg_sphere_tree *tree, const cg_mesh *mesh)
{
    return mesh->topology_version == tree->seen_version && mesh->edit_count == tree->seen_edits;
}

bool cg_sphere_tree_follow(cg_sphere_tree *tree, const cg_mesh *mesh)
{
    if (!cg_sphere_tree_has_seen(tree, mesh) && !follow_edits(tree, mesh)) {
        return false;
    }
    cg_sphere_tree_mark_moved(tree, mesh->position);
    cg_sphere_tree_update(tree, mesh->position);
    return true;
}
