// The two sides of candidates, how far tissues that are near each other go safely in a step, and what stopped them. See
// find/meet.h.
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "find/meet.h"
#include "geometry/closest.h"
#include "geometry/triangle.h"

// [distance] What stopped a motion pushes from so much farther on; from twice as far when it does so again...
static const double STOP_THICKNESS = 1.5;
// ...up to this share of the thickness, and of the distance that it has at home in the same tissue.
static const double MOST_STOP = 0.5, MOST_STOP_AT_HOME = 0.7;
// Of the way that is safe.
static const double SAFE_PART = 0.98;
// [thickness] Things nearer than this touch already: no walk can say on which side they are.
static const double TOUCHING = 1e-9;
// [thickness] What does not push may come nearer, by a part of its distance in a step, down to this and no farther. Far
// above what counts as lying on each other (meet_place.c).
static const double LEAST_DISTANCE = 0.01;
// What may not come nearer at all, and would stop everything before this share of its way, is held back by itself: one
// node that is wedged in must not keep a whole tissue from moving.
static const double LEAST_SHARE = 0.1;
// Rounds of that: who is held back may be in the way of others.
enum { MOST_HOLDINGS = 16 };
// Rounds of looking again at what may not come nearer at all, where the motion ends; after them nothing moves.
enum { FROZEN_ROUNDS = 4 };
// There is no room for all that a wide motion may touch: it is halved, so often at most; after that nothing moves.
enum { MOST_HALVINGS = 8 };

// Sides

static void put(cg_vec3 *points, cg_vec3 *moves, const cg_vec3 *start, const cg_vec3 *now, const int *nodes, int count)
{
    for (int k = 0; k < count; k++) {
        points[k] = start[nodes[k]];
        moves[k] = v3_sub(now[nodes[k]], start[nodes[k]]);
    }
}

// Corners that go from one of the places of each tissue to the other.
static cg_moving_sides sides_between(const cg_meet_group *group, const cg_meet_candidate *candidate,
                                     const cg_vec3 *const start[2], const cg_vec3 *const now[2])
{
    cg_meet_body *const *bodies = group->set->bodies;
    const cg_meet_body *sides_of[2] = {bodies[group->tissues[0]], bodies[group->tissues[1]]};
    cg_moving_sides sides = {.count_a = 1, .count_b = 3};
    if (candidate->kind == CG_MEET_EDGES) {
        int ends[2][2];
        meet_edge(sides_of[0], candidate->items[0], ends[0]);
        meet_edge(sides_of[1], candidate->items[1], ends[1]);
        sides.count_a = sides.count_b = 2;
        put(sides.a, sides.move_a, start[0], now[0], ends[0], 2);
        put(sides.b, sides.move_b, start[1], now[1], ends[1], 2);
        return sides;
    }
    int n = candidate->kind == CG_MEET_NODE_BACK, f = 1 - n;
    put(sides.a, sides.move_a, start[n], now[n], &candidate->items[n], 1);
    put(sides.b, sides.move_b, start[f], now[f], meet_triangle(sides_of[f], candidate->items[f]), 3);
    return sides;
}

cg_moving_sides cg_meet_sides(const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    const cg_meet_body *a = group->set->bodies[group->tissues[0]], *b = group->set->bodies[group->tissues[1]];
    const cg_vec3 *const now[2] = {a->tissue->mesh->position, b->tissue->mesh->position};
    const cg_vec3 *const start[2] = {a->start, b->start};
    return sides_between(group, candidate, start, now);
}

double cg_meet_distance(const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    const cg_meet_body *a = group->set->bodies[group->tissues[0]], *b = group->set->bodies[group->tissues[1]];
    const cg_vec3 *x = a->tissue->mesh->position, *y = b->tissue->mesh->position;
    if (candidate->kind == CG_MEET_EDGES) {
        int p[2], q[2];
        meet_edge(a, candidate->items[0], p);
        meet_edge(b, candidate->items[1], q);
        return sqrt(cg_closest_segments(x[p[0]], x[p[1]], y[q[0]], y[q[1]]).squared_distance);
    }
    bool is_back = candidate->kind == CG_MEET_NODE_BACK;
    const cg_vec3 *z = is_back ? x : y;
    const int *nodes = meet_triangle(is_back ? a : b, candidate->items[!is_back]);
    const cg_vec3 corners[3] = {z[nodes[0]], z[nodes[1]], z[nodes[2]]};
    return sqrt(cg_closest_point_triangle((is_back ? y : x)[candidate->items[is_back]], corners).squared_distance);
}

double cg_meet_home_distance(const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    const cg_meet_body *a = group->set->bodies[group->tissues[0]], *b = group->set->bodies[group->tissues[1]];
    const cg_vec3 *const home[2] = {a->tissue->mesh->home, b->tissue->mesh->home};
    cg_moving_sides sides = sides_between(group, candidate, home, home);
    return cg_moving_sides_distance(&sides, 0);
}

// Motion

// Tissues that have candidates in common go back together.
static void find_clusters(cg_meet_set *set)
{
    for (int i = 0; i < set->body_count; i++) {
        set->bodies[i]->is_near = false;
        set->bodies[i]->cluster = i;
        set->bodies[i]->share = 1;
    }
    for (int g = 0; g < set->group_count; g++) {
        cg_meet_body *a = set->bodies[set->groups[g].tissues[0]], *b = set->bodies[set->groups[g].tissues[1]];
        int low = a->cluster < b->cluster ? a->cluster : b->cluster, high = a->cluster + b->cluster - low;
        a->is_near = b->is_near = true;
        for (int i = 0; i < set->body_count; i++) {
            set->bodies[i]->cluster = set->bodies[i]->cluster == high ? low : set->bodies[i]->cluster;
        }
    }
}

// [m] the most from which on a candidate that stopped a motion pushes.
static double most_of_stop(const cg_meet_set *set, const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
    double most = MOST_STOP * 0.5 * (a->surface->thickness + b->surface->thickness);
    if (a == b) {
        double at_home = MOST_STOP_AT_HOME * cg_meet_home_distance(group, candidate);
        // Sides of a cut lie on each other at home.
        most = at_home > LEAST_DISTANCE * most && at_home < most ? at_home : most;
    }
    return most;
}

static void note_stop(cg_meet_set *set, const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    double most = most_of_stop(set, group, candidate);
    cg_meet_stop stop = {.kind = candidate->kind - CG_MEET_NODE + CG_MEET_STOPPED_NODE,
                         .tissues = {group->tissues[0], group->tissues[1]},
                         .items = {candidate->items[0], candidate->items[1]},
                         .thickness = STOP_THICKNESS * candidate->distance};
    stop.thickness = stop.thickness < most ? stop.thickness : most;
    int at = 0;
    for (; at < set->stop_count; at++) {
        cg_meet_stop *other = &set->stops[at];
        if (other->kind == stop.kind && other->tissues[0] == stop.tissues[0] && other->tissues[1] == stop.tissues[1] &&
            other->items[0] == stop.items[0] && other->items[1] == stop.items[1]) {
            other->thickness = 2 * other->thickness < most ? 2 * other->thickness : most;
            return;
        }
    }
    if (at < CG_MEET_MOST_STOPS) {
        set->stops[set->stop_count++] = stop;
    }
}

static uint64_t order_of_stop(const cg_meet_stop *stop)
{
    return (uint64_t)stop->kind << 50 | (uint64_t)stop->items[0] << 25 | (uint64_t)stop->items[1];
}

void cg_meet_sort_stops(cg_meet_set *set)
{
    assert(set->stop_count >= 0 && set->stop_count <= CG_MEET_MOST_STOPS);
    for (int i = 1; i < set->stop_count; i++) {
        cg_meet_stop stop = set->stops[i];
        int k = i;
        for (; k > 0 && order_of_stop(&set->stops[k - 1]) > order_of_stop(&stop); k--) {
            set->stops[k] = set->stops[k - 1];
        }
        set->stops[k] = stop;
    }
}

// [m] how far a node of the tissue went in this step at most.
static double farthest_move(const cg_meet_body *body)
{
    const cg_mesh *mesh = body->tissue->mesh;
    double farthest = 0;
    for (int i = 0; i < mesh->node_count && !body->tissue->asleep; i++) {
        cg_vec3 way = v3_sub(mesh->position[i], body->start[i]);
        double squared = v3_dot(way, way);
        farthest = squared <= farthest ? farthest : squared;
    }
    return sqrt(farthest);
}

static cg_walk_levels levels_of(const cg_meet_set *set, const cg_meet_candidate *candidate, double d)
{
    double distance = candidate->distance, thickness = distance < d ? distance : d;
    if (candidate->carries) {
        thickness = candidate->thickness;
    } else if (distance < LEAST_DISTANCE * d) {
        thickness = d; // of which it is so little that it may not come nearer
    }
    return cg_walk_levels_for(&set->rule, distance, thickness, false);
}

// Shortens the motion of both tissues to what this candidate allows. True when it did.
static bool walk_candidate(cg_meet_set *set, const cg_meet_group *group, const cg_meet_candidate *candidate, double d)
{
    cg_meet_body *first = set->bodies[set->bodies[group->tissues[0]]->cluster];
    if (candidate->distance < TOUCHING * d) {
        return false;
    }
    cg_moving_sides sides = cg_meet_sides(group, candidate);
    cg_walk_levels levels = levels_of(set, candidate, d);
    double speed = cg_moving_sides_speed(&sides);
    if (speed <= candidate->distance - levels.level) {
        return false;
    }
    cg_sides_closest closest = cg_moving_sides_closest(&sides, 0);
    cg_walk walk = cg_walk_sides(&sides, &closest, speed, &levels, first->share, set->rule.max_looks);
    if (walk.reached < first->share) {
        first->share = SAFE_PART * walk.reached;
        note_stop(set, group, candidate);
        return true;
    }
    return false;
}

// What may not come nearer was looked at where its own walk ended; where another one ended earlier it may have dipped.
static bool settle_group(cg_meet_set *set, const cg_meet_group *group)
{
    const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
    double d = 0.5 * (a->surface->thickness + b->surface->thickness);
    bool is_settled = true;
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        const cg_meet_candidate *candidate = &set->candidates[i];
        double share = set->bodies[a->cluster]->share;
        if (!(share < 1 && share > 0 && candidate->distance < set->rule.freeze * d) ||
            candidate->distance < TOUCHING * d) {
            continue;
        }
        cg_walk_levels levels = levels_of(set, candidate, d);
        cg_moving_sides sides = cg_meet_sides(group, candidate);
        if (levels.is_frozen && cg_moving_sides_distance(&sides, share) < levels.level) {
            is_settled = !walk_candidate(set, group, candidate, d) && is_settled;
        }
    }
    return is_settled;
}

static void settle(cg_meet_set *set)
{
    bool is_settled = false;
    for (int round = 0; round < FROZEN_ROUNDS && !is_settled; round++) {
        is_settled = true;
        for (int g = 0; g < set->group_count; g++) {
            is_settled = settle_group(set, &set->groups[g]) && is_settled;
        }
    }
    for (int i = 0; i < set->body_count && !is_settled; i++) {
        set->bodies[i]->share = set->bodies[i]->share < 1 ? 0 : 1;
    }
}

// Puts a node back to where it was at the start of the step. True when it had moved.
static bool hold_back(cg_meet_body *body, int node)
{
    cg_vec3 *at = &body->tissue->mesh->position[node];
    bool has_moved = v3_distance(*at, body->start[node]) > 0;
    *at = body->start[node];
    body->tissue->velocity[node] = v3_zero();
    body->tissue->fastest = -1;
    return has_moved;
}

static bool hold_candidate(cg_meet_set *set, const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    bool is_held = false;
    for (int side = 0; side < 2; side++) {
        cg_meet_body *body = set->bodies[group->tissues[side]];
        int item = candidate->items[side], ends[2];
        bool is_node = candidate->kind != CG_MEET_EDGES && side == (candidate->kind == CG_MEET_NODE_BACK);
        if (candidate->kind == CG_MEET_EDGES) {
            meet_edge(body, item, ends);
        }
        const int *nodes = candidate->kind == CG_MEET_EDGES ? ends : is_node ? &item : meet_triangle(body, item);
        int count = candidate->kind == CG_MEET_EDGES ? 2 : is_node ? 1 : 3;
        for (int k = 0; k < count && !body->tissue->asleep; k++) {
            is_held = hold_back(body, nodes[k]) || is_held;
        }
    }
    return is_held;
}

// True when something was held back.
static bool hold_group(cg_meet_set *set, const cg_meet_group *group)
{
    const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
    double d = 0.5 * (a->surface->thickness + b->surface->thickness);
    bool is_held = false;
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        const cg_meet_candidate *candidate = &set->candidates[i];
        if (!(candidate->distance < set->rule.freeze * d) || candidate->distance < TOUCHING * d) {
            continue;
        }
        cg_walk_levels levels = levels_of(set, candidate, d);
        cg_moving_sides sides = cg_meet_sides(group, candidate);
        double speed = cg_moving_sides_speed(&sides);
        if (!levels.is_frozen || speed <= candidate->distance - levels.level) {
            continue;
        }
        cg_sides_closest closest = cg_moving_sides_closest(&sides, 0);
        if (cg_walk_sides(&sides, &closest, speed, &levels, LEAST_SHARE, set->rule.max_looks).reached < LEAST_SHARE) {
            note_stop(set, group, candidate);
            is_held = hold_candidate(set, group, candidate) || is_held;
        }
    }
    return is_held;
}

// A cell whose nodes go on without one of them must keep this share of its volume, or they stay too.
static const double LEAST_VOLUME = 0.2;

// True when the nodes of a cell had to be held back.
static bool hold_folding_cells(cg_meet_body *body)
{
    const cg_mesh *mesh = body->tissue->mesh;
    bool is_held = false;
    for (int c = 0; c < mesh->cell_count && !body->tissue->asleep; c++) {
        double before = cg_mesh_cell_volume(mesh, c, body->start), now = cg_mesh_cell_volume(mesh, c, mesh->position);
        for (int k = 0; k < 4 && before > 0 && now < LEAST_VOLUME * before; k++) {
            is_held = hold_back(body, mesh->cells[c].nodes[k]) || is_held;
        }
    }
    return is_held;
}

// Also when the rounds are over, so that no cell is left folded: at last all of them stay where they were.
static void hold_cells(cg_meet_set *set)
{
    for (int i = 0; i < set->body_count; i++) {
        while (set->bodies[i]->is_listed && hold_folding_cells(set->bodies[i])) {
        }
    }
}

static bool hold_what_is_wedged(cg_meet_set *set)
{
    bool is_any = false, is_held = true;
    for (int round = 0; round < MOST_HOLDINGS && is_held; round++) {
        is_held = false;
        for (int g = 0; g < set->group_count; g++) {
            is_held = hold_group(set, &set->groups[g]) || is_held;
        }
        if (is_held) {
            hold_cells(set);
        }
        is_any = is_any || is_held;
    }
    return is_any;
}

static void walk_group(cg_meet_set *set, const cg_meet_group *group)
{
    const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
    double d = 0.5 * (a->surface->thickness + b->surface->thickness);
    double nearer = farthest_move(a) + farthest_move(b);
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count; i++) {
        const cg_meet_candidate *candidate = &set->candidates[i];
        double least = candidate->distance - nearer;
        if (!(least > set->rule.keep * d + 0.002 * d && least > 0.3 * candidate->distance)) {
            walk_candidate(set, group, candidate, d);
        }
    }
}

// Which candidates push in this step is known from the meets, whenever the list was made.
static void carry(cg_meet_set *set)
{
    for (int i = 0; i < set->candidate_count; i++) {
        set->candidates[i].carries = false;
    }
    for (int i = 0; i < set->count; i++) {
        const cg_touch *meet = &set->meets[i];
        int g = 0;
        while (g < set->group_count && (set->groups[g].tissues[0] != touch_tissue(meet, 0) ||
                                        set->groups[g].tissues[1] != touch_tissue(meet, 1))) {
            g++;
        }
        cg_meet_kind kind = meet_plain_kind(meet->what);
        int at = g < set->group_count ? cg_meet_candidate_of(set, g, kind, meet->items) : -1;
        if (at >= 0) {
            set->candidates[at].carries = true;
            set->candidates[at].thickness = meet->radius;
        }
    }
}

bool cg_meet_limit(cg_meet_set *set)
{
    if (cg_meet_is_asleep(set)) {
        return false;
    }
    cg_meet_list_motion(set);
    bool is_halved = set->lost > 0;
    for (int halving = 0; set->lost > 0 && halving < MOST_HALVINGS; halving++) {
        for (int i = 0; i < set->body_count; i++) {
            if (set->bodies[i]->is_listed && !set->bodies[i]->tissue->asleep) {
                cg_tissue_take_share(set->bodies[i]->tissue, set->bodies[i]->start, 0.5);
            }
        }
        cg_meet_list_motion(set);
    }
    carry(set);
    find_clusters(set);
    bool is_stopped = is_halved;
    if (hold_what_is_wedged(set)) {
        // Pairs that moved along together may approach now that one of them stays.
        cg_meet_list_motion(set);
        carry(set);
        find_clusters(set);
        is_stopped = true;
    }
    for (int g = 0; g < set->group_count; g++) {
        walk_group(set, &set->groups[g]);
    }
    settle(set);
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        body->share = set->lost > 0 && body->is_near ? 0 : set->bodies[body->cluster]->share;
        if (body->share < 1 && !body->tissue->asleep) {
            cg_tissue_take_share(body->tissue, body->start, body->share);
            is_stopped = true;
        }
    }
    cg_meet_sort_stops(set);
    return is_stopped;
}
