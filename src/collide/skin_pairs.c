// Pairs of segments and triangles that may come near each other, and walks along their motion. See skin_contacts.h.
#include <math.h>
#include <string.h>

#include "collide/skin_contacts.h"
#include "collide/walk.h"
#include "geometry/box.h"
#include "geometry/triangle.h"

// Segments that are looked for in the tree together.
enum { RUN = 8 };

cg_motion_rule cg_skin_motion_rule(void)
{
    cg_motion_rule rule = motion_rule_default();
    rule.keep = 0.6;
    rule.give = 0.05;
    rule.freeze = 0.3;
    return rule;
}

void cg_skin_pairs_layout(cg_skin_pairs *pairs, int capacity, cg_arena *arena)
{
    *pairs = (cg_skin_pairs){.capacity = capacity};
    pairs->items = cg_arena_push_array(arena, cg_skin_pair, capacity);
    cg_triangle_list_layout(&pairs->near, capacity, arena);
}

// How far the points between the ends of a run are from the straight line between them, at most.
static double bulge_of(const cg_vec3 *points, int segments)
{
    cg_vec3 ends[2] = {points[0], points[segments]}, along = v3_sub(ends[1], ends[0]);
    double squared = v3_dot(along, along), most = 0;
    for (int i = 1; i < segments; i++) {
        cg_vec3 from = v3_sub(points[i], ends[0]);
        double t = squared > 0 ? v3_dot(from, along) / squared : 0;
        t = t > 0 ? (t < 1 ? t : 1) : 0;
        double away = v3_length(v3_add_scaled(from, -t, along));
        most = away <= most ? most : away;
    }
    return most;
}

// A run as spheres and triangles of the tree see it: its chord with how far it bulges, and the box around it. The true
// distance is asked of its segments only.
typedef struct run_probe {
    const cg_sphere_tree *tree;
    cg_vec3 start, along;
    double inverse_squared; // 1 / |along|^2; 0 for a point
    double reach;           // [m] beyond a sphere
    cg_box around;
} run_probe;

static bool is_sphere_near(void *context, const cg_tree_sphere *sphere, double spread)
{
    const run_probe *p = context;
    cg_vec3 away = v3_sub(sphere->centre, p->start);
    double t = v3_dot(away, p->along) * p->inverse_squared;
    t = t > 0 ? (t < 1 ? t : 1) : 0;
    away = v3_add_scaled(away, -t, p->along);
    double limit = (sphere->radius + p->reach + spread) * (1 + 1e-9);
    return v3_dot(away, away) <= limit * limit;
}

static bool is_box_near(void *context, int triangle)
{
    const run_probe *p = context;
    cg_vec3 corners[3];
    tree_triangle(p->tree, triangle, corners);
    cg_box box = box_of(corners, 3);
    return boxes_meet(&box, &p->around);
}

static void find_near_run(const cg_sphere_tree *tree, const cg_vec3 *points, int segments, double reach,
                          cg_triangle_list *near)
{
    run_probe p = {.tree = tree, .start = points[0], .along = v3_sub(points[segments], points[0])};
    double squared = v3_dot(p.along, p.along);
    p.inverse_squared = squared > 1e-280 ? 1 / squared : 0;
    p.reach = reach + bulge_of(points, segments) + tree->slack;
    p.around = box_grown(box_of(points, segments + 1), reach);
    cg_sphere_tree_find(tree, &(cg_tree_question){is_sphere_near, is_box_near, &p}, near);
}

static void keep_pair(cg_skin_pairs *pairs, cg_skin_pair pair)
{
    if (pairs->count < pairs->capacity) {
        pairs->items[pairs->count++] = pair;
    } else {
        pairs->lost++;
    }
}

static void list_run(const cg_sphere_tree *tree, const cg_chain *chain, int number, int first, int segments,
                     cg_skin_pairs *pairs)
{
    const cg_vec3 *points = chain->points + first;
    double reach = chain->radius + pairs->reach;
    find_near_run(tree, points, segments, reach, &pairs->near);
    pairs->lost += pairs->near.lost;
    for (int i = 0; i < segments && pairs->near.count > 0; i++) {
        cg_box around = box_grown(box_of(points + i, 2), reach);
        for (int k = 0; k < pairs->near.count; k++) {
            int triangle = pairs->near.items[k].a;
            cg_vec3 corners[3];
            tree_triangle(tree, triangle, corners);
            cg_box box = box_of(corners, 3);
            if (!boxes_meet(&around, &box)) {
                continue;
            }
            double squared = cg_closest_segment_triangle(points[i], points[i + 1], corners).squared_distance;
            if (squared <= reach * reach) {
                keep_pair(pairs, (cg_skin_pair){number, first + i, triangle, sqrt(squared)});
            }
        }
    }
}

bool cg_skin_list_pairs(const cg_sphere_tree *tree, const cg_chain *chains, int count, double reach,
                        cg_skin_pairs *pairs)
{
    pairs->count = pairs->lost = 0;
    pairs->reach = reach;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i + 1 < chains[c].count; i += RUN) {
            int left = chains[c].count - 1 - i;
            list_run(tree, &chains[c], c, i, left < RUN ? left : RUN, pairs);
        }
    }
    return pairs->lost == 0;
}

// The first pair of a segment, or of a later one.
static int first_pair(const cg_skin_pairs *pairs, int chain, int segment)
{
    int low = 0, high = pairs->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const cg_skin_pair *pair = &pairs->items[middle];
        bool is_before = pair->chain < chain || (pair->chain == chain && pair->segment < segment);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

static void turn_round(cg_skin_pair *items, int count)
{
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        cg_skin_pair item = items[i];
        items[i] = items[k];
        items[k] = item;
    }
}

bool cg_skin_relist_pairs(const cg_sphere_tree *tree, const cg_chain *chains, const cg_skin_change *change,
                          double beyond, cg_skin_pairs *pairs)
{
    const cg_chain *chain = &chains[change->chain];
    int first = first_pair(pairs, change->chain, change->first),
        end = first_pair(pairs, change->chain, change->old_end);
    int before = pairs->count, later = before - end;
    double reach = pairs->reach;
    for (int i = end; i < before && pairs->items[i].chain == change->chain; i++) {
        pairs->items[i].segment += change->new_end - change->old_end;
    }
    pairs->reach = reach + beyond;
    for (int i = change->first; i < change->new_end; i += RUN) {
        int left = change->new_end - i;
        list_run(tree, chain, change->chain, i, left < RUN ? left : RUN, pairs);
    }
    pairs->reach = reach;
    int fresh = pairs->count - before;
    for (int i = before; i < pairs->count; i++) {
        pairs->items[i].distance -= beyond;
    }
    // Those that went are dropped, and what was listed last comes before what is later.
    cg_skin_pair *items = pairs->items + first;
    memmove(items, pairs->items + end, sizeof *items * (size_t)(later + fresh));
    turn_round(items, later);
    turn_round(items + later, fresh);
    turn_round(items, later + fresh);
    pairs->count = first + later + fresh;
    return pairs->lost == 0;
}

// Motion

// How the corners of both move: without the places, which most pairs are not asked for.
static cg_moving_sides moves_of(const cg_skin_surface *surface, const cg_skin_motion *motion, const cg_skin_pair *pair)
{
    const cg_vec3 *moves = motion->chain_moves ? motion->chain_moves[pair->chain] : NULL;
    const int *nodes = surface->tree->corners[pair->triangle];
    cg_moving_sides sides = {.count_a = 2, .count_b = 3};
    for (int k = 0; k < 2; k++) {
        sides.move_a[k] = moves ? moves[pair->segment + k] : v3_zero();
    }
    for (int k = 0; k < 3; k++) {
        sides.move_b[k] = motion->node_moves ? motion->node_moves[nodes[k]] : v3_zero();
    }
    return sides;
}

static void place_sides(const cg_skin_surface *surface, const cg_chain *chains, const cg_skin_pair *pair,
                        cg_moving_sides *sides)
{
    const cg_vec3 *points = chains[pair->chain].points + pair->segment;
    const int *nodes = surface->tree->corners[pair->triangle];
    for (int k = 0; k < 2; k++) {
        sides->a[k] = v3_sub(points[k], points[0]); // relative places keep more digits
    }
    for (int k = 0; k < 3; k++) {
        sides->b[k] = v3_sub(surface->positions[nodes[k]], points[0]);
    }
}

// [radii] More than a walk keeps beyond the rule.
static const double KEPT_MARGIN = 0.002;

// Heights along a direction, at the start and the end of a motion.
typedef struct heights {
    double least[2], most[2];
} heights;

static heights heights_of(cg_vec3 n, const cg_vec3 *points, const cg_vec3 *moves, int count, double share)
{
    heights h = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < count; i++) {
        double start = v3_dot(n, points[i]), at[2] = {start, start + share * v3_dot(n, moves[i])};
        for (int k = 0; k < 2; k++) {
            h.least[k] = at[k] < h.least[k] ? at[k] : h.least[k];
            h.most[k] = at[k] > h.most[k] ? at[k] : h.most[k];
        }
    }
    return h;
}

// True when segment and triangle stay apart by more than `level` along the normal of the triangle as it begins: a quick
// answer for what lies on a surface or moves along it. Whatever the direction, no two points of them are then nearer.
static bool stays_above(const cg_moving_sides *sides, double share, double level)
{
    cg_vec3 n = triangle_normal(sides->b);
    heights a = heights_of(n, sides->a, sides->move_a, 2, share), b = heights_of(n, sides->b, sides->move_b, 3, share);
    double needed = level * v3_length(n);
    return (a.least[0] - b.most[0] > needed && a.least[1] - b.most[1] > needed) ||
           (b.least[0] - a.most[0] > needed && b.least[1] - a.most[1] > needed);
}

static double longest(const cg_vec3 *moves, int count)
{
    double most = 0;
    for (int i = 0; i < count && moves; i++) {
        double squared = v3_dot(moves[i], moves[i]);
        most = squared <= most ? most : squared;
    }
    return sqrt(most);
}

cg_skin_walk cg_skin_walk_pairs(const cg_skin_surface *surface, const cg_chain *chains, const cg_skin_motion *motion,
                                const cg_skin_pairs *pairs, double moved, const cg_motion_rule *rule, double limit)
{
    cg_skin_walk walk = {limit, -1, 0};
    double nodes = longest(motion->node_moves, surface->tree->node_count), most = 0;
    for (int i = 0, chain = -1; i < pairs->count && walk.share > 0; i++) {
        const cg_skin_pair *pair = &pairs->items[i];
        double radius = chains[pair->chain].radius, d = cg_skin_counted(radius), core = radius - d;
        if (motion->count > 0 && pair->chain >= motion->count) {
            break;
        }
        if (is_hidden(&chains[pair->chain], pair->segment)) {
            continue;
        }
        if (pair->chain != chain) {
            chain = pair->chain;
            most = nodes + longest(motion->chain_moves ? motion->chain_moves[chain] : NULL, chains[chain].count);
        }
        if (most * walk.share <= pair->distance - moved - radius) {
            continue;
        }
        cg_moving_sides sides = moves_of(surface, motion, pair);
        double speed = cg_moving_sides_speed(&sides);
        if (speed * walk.share <= 1e-13 * d || speed * walk.share <= pair->distance - moved - radius) {
            continue;
        }
        place_sides(surface, chains, pair, &sides);
        if (stays_above(&sides, walk.share, core + (rule->keep + KEPT_MARGIN) * d)) {
            continue;
        }
        cg_sides_closest closest = cg_moving_sides_closest(&sides, 0);
        double start = sqrt(closest.squared_distance);
        walk.looks++;
        if (start < 1e-9 * radius) {
            continue; // it begins inside: nothing is left to be kept
        }
        cg_walk_levels levels = cg_walk_levels_for(rule, start - core, d, core > 0);
        levels.level += core;
        if (speed * walk.share <= start - levels.level) {
            continue;
        }
        cg_walk one = cg_walk_sides(&sides, &closest, speed, &levels, walk.share, rule->max_looks);
        walk.looks += one.looks;
        if (one.reached < walk.share) {
            walk.share = one.reached;
            walk.pair = i;
        }
    }
    return walk;
}
