// The table of what was looked at, and the candidates that two triangles have. See find/meet_candidates.h.
#include "find/meet_candidates.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "geometry/box.h"

// Places of the table that are used at least.
enum { LEAST_TABLE = 4096 };
// Far more than rounding may do to a distance, as a share of it.
static const double SPARE = 1e-6;

// The table

static uint64_t key_of(int group, cg_meet_kind kind, const int items[2])
{
    return (uint64_t)group << 52 | (uint64_t)kind << 50 | (uint64_t)items[0] << 25 | (uint64_t)items[1];
}

static int slot_of(const cg_meet_set *set, uint64_t key)
{
    uint64_t mixed = (key + 1) * 0x9e3779b97f4a7c15u;
    int slot = (int)(mixed >> 33) & set->table_mask;
    while (set->table[slot] != 0 && set->table[slot] != key + 1) {
        slot = (slot + 1) & set->table_mask;
    }
    return slot;
}

int cg_meet_candidate_of(const cg_meet_set *set, int group, cg_meet_kind kind, const int items[2])
{
    assert(group >= 0 && group < set->group_count);
    uint64_t key = key_of(group, kind, items);
    int slot = slot_of(set, key);
    return set->table[slot] == key + 1 ? set->table_place[slot] : -1;
}

void cg_meet_clear_list(cg_meet_set *set)
{
    for (int i = 0; i < set->table_count; i++) {
        set->table[set->table_used[i]] = 0;
    }
    set->table_count = set->candidate_count = set->group_count = 0;
}

void cg_meet_size_table(cg_meet_set *set)
{
    assert((set->table_size & (set->table_size - 1)) == 0);
    int size = LEAST_TABLE;
    while (size < 3 * set->table_count && size < set->table_size) {
        size *= 2;
    }
    set->table_mask = (size < set->table_size ? size : set->table_size) - 1;
}

static void grow_table(cg_meet_set *set)
{
    int size = 2 * (set->table_mask + 1);
    for (int i = 0; i < set->table_count; i++) {
        set->keys_moved[i] = set->table[set->table_used[i]];
        set->places_moved[i] = set->table_place[set->table_used[i]];
        set->table[set->table_used[i]] = 0;
    }
    set->table_mask = size - 1;
    for (int i = 0; i < set->table_count; i++) {
        int slot = slot_of(set, set->keys_moved[i] - 1);
        set->table[slot] = set->keys_moved[i];
        set->table_place[slot] = set->places_moved[i];
        set->table_used[i] = slot;
    }
}

// Candidates

// A place of the table for something that is not in it; -1: it is, or there is no room.
static int take_place(cg_meet_set *set, uint64_t key)
{
    int slot = slot_of(set, key);
    if (set->table[slot] != 0) {
        return -1;
    }
    if (2 * set->table_count > set->table_mask && set->table_mask + 1 < set->table_size) {
        grow_table(set);
        slot = slot_of(set, key);
    }
    if (set->candidate_count == set->candidate_capacity || 2 * set->table_count > set->table_mask) {
        set->lost++;
        return -1;
    }
    set->table[slot] = key + 1;
    set->table_place[slot] = -1;
    set->table_used[set->table_count++] = slot;
    return slot;
}

static void put_candidate(cg_meet_set *set, int slot, const cg_meet_candidate *candidate)
{
    set->table_place[slot] = set->candidate_count;
    set->candidates[set->candidate_count++] = *candidate;
}

void cg_meet_keep_candidate(cg_meet_set *set, int group, const cg_meet_candidate *candidate)
{
    assert(group >= 0 && group < set->group_count);
    int slot = take_place(set, key_of(group, candidate->kind, candidate->items));
    if (slot >= 0) {
        put_candidate(set, slot, candidate);
    }
}

void cg_meet_enter_candidates(cg_meet_set *set, int group)
{
    const cg_meet_group *g = &set->groups[group];
    for (int i = g->first_candidate; i < g->first_candidate + g->candidate_count; i++) {
        const cg_meet_candidate *candidate = &set->candidates[i];
        int slot = take_place(set, key_of(group, candidate->kind, candidate->items));
        if (slot >= 0) {
            set->table_place[slot] = i;
        }
    }
}

// Fills in the distance. True when it is, or can come, so near.
static bool measure(const cg_meet_group *group, cg_meet_candidate *candidate, const cg_meet_reach *reach)
{
    if (!reach->is_moving) {
        candidate->distance = cg_meet_distance(group, candidate);
        return candidate->distance <= reach->limit;
    }
    cg_moving_sides sides = cg_meet_sides(group, candidate);
    candidate->distance = cg_moving_sides_distance(&sides, 0);
    return candidate->distance <= reach->limit + cg_moving_sides_speed(&sides);
}

// True when it is new.
static bool look_at(cg_meet_set *set, int group, cg_meet_candidate candidate, const cg_meet_reach *reach)
{
    if (reach->only_asks) {
        return cg_meet_candidate_of(set, group, candidate.kind, candidate.items) < 0 &&
               measure(&set->groups[group], &candidate, reach);
    }
    int slot = take_place(set, key_of(group, candidate.kind, candidate.items));
    if (slot < 0 || !measure(&set->groups[group], &candidate, reach)) {
        return false;
    }
    put_candidate(set, slot, &candidate);
    return true;
}

// A triangle of a pair: corners, edges by the lowest of their triangles, and boxes around them.
typedef struct pair_side {
    const cg_meet_body *body;
    int triangle;
    int nodes[3], edges[3];
    cg_box corner_boxes[3], edge_boxes[3], box;
    double way; // [m] that a corner goes at most, in a motion
} pair_side;

static pair_side side_of(const cg_meet_body *body, int triangle, const cg_meet_reach *reach)
{
    pair_side side = {.body = body, .triangle = triangle};
    const int *nodes = meet_triangle(body, triangle);
    cg_vec3 at[3];
    for (int k = 0; k < 3; k++) {
        side.nodes[k] = nodes[k];
        side.edges[k] = cg_meet_edge_of(body, triangle, k);
        at[k] = (reach->is_moving ? body->start : body->tissue->mesh->position)[nodes[k]];
        side.corner_boxes[k] = (cg_box){at[k], at[k]};
        double way = reach->is_moving ? v3_distance(body->tissue->mesh->position[nodes[k]], at[k]) : 0;
        side.way = way <= side.way ? side.way : way;
    }
    for (int k = 0; k < 3; k++) {
        side.edge_boxes[k] = side.corner_boxes[k];
        box_take(&side.edge_boxes[k], at[(k + 1) % 3]);
    }
    side.box = side.edge_boxes[0];
    box_take(&side.box, at[2]);
    return side;
}

static bool has_corner(const pair_side *side, int node)
{
    return node == side->nodes[0] || node == side->nodes[1] || node == side->nodes[2];
}

// Two triangles that are looked at.
typedef struct pair_look {
    cg_meet_set *set;
    int group;
    const cg_meet_reach *reach;
    double within; // [m] what is farther apart, as they stand, is not near
} pair_look;

// Corners of the first against the second triangle. True when one is new.
static bool look_at_corners(const pair_look *look, const pair_side *first, const pair_side *second)
{
    bool is_own = first->body == second->body, is_new = false;
    bool is_back = !is_own && first->body != look->set->bodies[look->set->groups[look->group].tissues[0]];
    for (int k = 0; k < 3; k++) {
        int node = first->nodes[k];
        if (boxes_are_apart(&first->corner_boxes[k], &second->box, look->within) ||
            (is_own && has_corner(second, node))) {
            continue;
        }
        cg_meet_candidate candidate = {.kind = is_back ? CG_MEET_NODE_BACK : CG_MEET_NODE,
                                       .items = {is_back ? second->triangle : node, is_back ? node : second->triangle}};
        is_new = look_at(look->set, look->group, candidate, look->reach) || is_new;
    }
    return is_new;
}

static bool share_an_end(const pair_side *a, int edge_a, const pair_side *b, int edge_b)
{
    int p = a->nodes[edge_a], q = a->nodes[(edge_a + 1) % 3];
    int r = b->nodes[edge_b], s = b->nodes[(edge_b + 1) % 3];
    return p == r || p == s || q == r || q == s;
}

// An edge of the first triangle against all of the second. True when one is new.
static bool look_at_edges(const pair_look *look, const pair_side *a, int k, const pair_side *b)
{
    bool is_own = a->body == b->body, is_new = false;
    for (int l = 0; l < 3; l++) {
        if (boxes_are_apart(&a->edge_boxes[k], &b->edge_boxes[l], look->within) ||
            (is_own && share_an_end(a, k, b, l))) {
            continue;
        }
        bool is_swapped = is_own && a->edges[k] > b->edges[l];
        cg_meet_candidate edges = {
            .kind = CG_MEET_EDGES,
            .items = {is_swapped ? b->edges[l] : a->edges[k], is_swapped ? a->edges[k] : b->edges[l]}};
        is_new = look_at(look->set, look->group, edges, look->reach) || is_new;
    }
    return is_new;
}

static bool look_at_pair(cg_meet_set *set, int group, const pair_side *a, const pair_side *b,
                         const cg_meet_reach *reach)
{
    pair_look look = {set, group, reach, (reach->limit + a->way + b->way) * (1 + SPARE)};
    bool is_new = look_at_corners(&look, a, b);
    is_new = look_at_corners(&look, b, a) || is_new;
    for (int k = 0; k < 3; k++) {
        if (!boxes_are_apart(&a->edge_boxes[k], &b->box, look.within)) {
            is_new = look_at_edges(&look, a, k, b) || is_new;
        }
    }
    return is_new;
}

bool cg_meet_look_at_pairs(cg_meet_set *set, int group, const cg_meet_reach *reach)
{
    const cg_meet_group *g = &set->groups[group];
    pair_side a = {.triangle = -1};
    bool is_new = false;
    for (int i = 0; i < set->pairs.count && !(is_new && reach->only_asks); i++) {
        cg_triangle_pair pair = set->pairs.items[i];
        if (a.triangle != pair.a) { // pairs of a triangle come one after the other
            a = side_of(set->bodies[g->tissues[0]], pair.a, reach);
        }
        pair_side b = side_of(set->bodies[g->tissues[1]], pair.b, reach);
        is_new = look_at_pair(set, group, &a, &b, reach) || is_new;
    }
    return is_new;
}

bool cg_meet_look_at_stops(cg_meet_set *set, int group, const cg_meet_reach *reach)
{
    const cg_meet_group *g = &set->groups[group];
    bool is_new = false;
    for (int i = 0; i < set->stop_count; i++) {
        const cg_meet_stop *stop = &set->stops[i];
        cg_meet_kind kind = meet_plain_kind(stop->kind);
        if (stop->tissues[0] == g->tissues[0] && stop->tissues[1] == g->tissues[1] &&
            cg_meet_names_something(set, kind, stop->tissues, stop->items)) {
            cg_meet_candidate candidate = {.kind = kind, .items = {stop->items[0], stop->items[1]}};
            is_new = look_at(set, group, candidate, reach) || is_new;
        }
    }
    return is_new;
}

static uint64_t order_of(const cg_meet_candidate *candidate)
{
    return key_of(0, candidate->kind, candidate->items);
}

static void sort_all(cg_meet_candidate *all, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < count; i++) {
            cg_meet_candidate moving = all[i];
            uint64_t key = order_of(&moving);
            int k = i;
            for (; k >= gap && order_of(&all[k - gap]) > key; k -= gap) {
                all[k] = all[k - gap];
            }
            all[k] = moving;
        }
    }
}

// Brings two parts, each in order, together; there is room for another second part behind them.
static void merge_parts(cg_meet_candidate *all, int first, int second)
{
    cg_meet_candidate *aside = all + first + second;
    memcpy(aside, all + first, (size_t)second * sizeof *aside);
    for (int last = first + second - 1; second > 0; last--) {
        bool is_of_first = first > 0 && order_of(&all[first - 1]) > order_of(&aside[second - 1]);
        all[last] = is_of_first ? all[--first] : aside[--second];
    }
}

void cg_meet_sort_candidates(cg_meet_set *set, int group)
{
    assert(group >= 0 && group < set->group_count);
    cg_meet_candidate *all = set->candidates + set->groups[group].first_candidate;
    int count = set->groups[group].candidate_count, kept = count > 0;
    while (kept < count && order_of(&all[kept - 1]) < order_of(&all[kept])) {
        kept++;
    }
    if (set->candidate_capacity - set->candidate_count < count - kept) {
        kept = 0;
    }
    sort_all(all + kept, count - kept);
    if (kept > 0) {
        merge_parts(all, kept, count - kept);
    }
    for (int i = 0; i < count; i++) {
        set->table_place[slot_of(set, key_of(group, all[i].kind, all[i].items))] = (int)(all - set->candidates) + i;
    }
}
