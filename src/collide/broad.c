// The broad phase: choosing a method, the last word on a pair, and the order of the list.
#include "collide/broad_work.h"
#include "geometry/closest.h"

#include <assert.h>

// Below this many segments the levels of spheres win; above it the tree (catgut bench collide).
#define BRUTE_LIMIT 1000

void cg_pair_list_layout(cg_pair_list *list, int capacity, cg_arena *arena)
{
    *list = (cg_pair_list){.capacity = capacity};
    list->items = cg_arena_push_array(arena, cg_segment_pair, capacity);
}

void cg_broad_layout(cg_broad *broad, int max_chains, int max_segments, int max_pairs, cg_arena *arena)
{
    *broad = (cg_broad){.method = CG_BROAD_AUTO,
                        .rule = neighbour_rule_default(),
                        .segment_capacity = max_segments,
                        .chain_capacity = max_chains,
                        .pair_capacity = max_pairs};
    cg_broad_work measured; // stands in for the work while the arena has no memory
    broad->work = cg_arena_push_array(arena, cg_broad_work, 1);
    cg_broad_work *work = broad->work ? broad->work : &measured;
    cg_runs_layout(&work->runs, max_chains, max_segments, false, arena);
    int slots = CG_RUN_LENGTH * work->runs.run_capacity;
    work->found_capacity = max_pairs;
    work->found = cg_arena_push_array(arena, cg_slot_pair, max_pairs);
    work->first_of = cg_arena_push_array(arena, int, slots + 1);
    cg_sweep_layout(&work->sweep, slots, arena);
    cg_box_tree_layout(&work->tree, work->runs.run_capacity, arena);
    cg_cube_table_layout(&work->table, slots, arena);
}

void cg_broad_visit(void *context, int a, int b)
{
    cg_broad_work *work = context;
    const cg_runs *runs = &work->runs;
    const cg_chain *chain_a = &work->chains[slot_chain(runs, a)], *chain_b = &work->chains[slot_chain(runs, b)];
    int i = slot_segment(runs, a), j = slot_segment(runs, b);
    const cg_vec3 *p = chain_a->points + i, *q = chain_b->points + j;
    double limit = chain_a->radius + chain_b->radius + work->reach;
    if (are_apart_along_middles(p, q, limit)) {
        return;
    }
    double squared_distance = cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance;
    work->close++;
    if (!(limit > 0 && squared_distance < limit * limit)) {
        return;
    }
    if (chain_a == chain_b && are_in_line(chain_a, i, j, sqrt(squared_distance), work->rule)) {
        return;
    }
    if (work->found_count == work->found_capacity) {
        work->lost++;
        return;
    }
    work->found[work->found_count++] = (cg_slot_pair){a, b};
}

// Pairs are put into buckets by a; what is then out of order is only inside a bucket.
static void write_sorted(const cg_broad_work *work, cg_pair_list *pairs)
{
    const cg_runs *runs = &work->runs;
    int *first_of = work->first_of;
    for (int i = 0; i <= runs->slot_count; i++) {
        first_of[i] = 0;
    }
    for (int k = 0; k < work->found_count; k++) {
        first_of[work->found[k].a + 1]++;
    }
    for (int i = 0; i < runs->slot_count; i++) {
        first_of[i + 1] += first_of[i];
    }
    for (int k = 0; k < work->found_count; k++) {
        int a = work->found[k].a, b = work->found[k].b;
        pairs->items[first_of[a]++] =
            (cg_segment_pair){slot_chain(runs, a), slot_segment(runs, a), slot_chain(runs, b), slot_segment(runs, b)};
    }
    pairs->count = work->found_count;
    for (int k = 1; k < pairs->count; k++) {
        cg_segment_pair pair = pairs->items[k];
        int place = k;
        for (; place > 0 && compare_pairs(&pairs->items[place - 1], &pair) > 0; place--) {
            pairs->items[place] = pairs->items[place - 1];
        }
        pairs->items[place] = pair;
    }
}

static double largest_radius(const cg_chain *chains, int count)
{
    double largest = 0;
    for (int c = 0; c < count; c++) {
        largest = chains[c].radius > largest ? chains[c].radius : largest;
    }
    return largest;
}

static long visit_by(cg_broad_method method, cg_broad_work *work)
{
    switch (method) {
    case CG_BROAD_SWEEP:
        return cg_sweep_visit(work);
    case CG_BROAD_TREE:
        return cg_box_tree_visit(work);
    case CG_BROAD_HASH:
        return cg_cube_table_visit(work);
    case CG_BROAD_AUTO:
    case CG_BROAD_BRUTE:
        break;
    }
    return cg_runs_visit(&work->runs, work->reach, true, cg_broad_visit, work);
}

bool cg_broad_find(cg_broad *broad, const cg_chain *chains, int count, double reach, cg_pair_list *pairs)
{
    cg_broad_work *work = broad->work;
    assert(pairs->capacity >= 0 && broad->rule.straightness <= 1);
    pairs->count = 0;
    pairs->lost = 0;
    work->chains = chains;
    work->rule = &broad->rule;
    work->reach = reach;
    work->found_count = 0;
    work->found_capacity = pairs->capacity < broad->pair_capacity ? pairs->capacity : broad->pair_capacity;
    work->lost = 0;
    work->close = 0;
    double least_unit = largest_radius(chains, count) + fabs(reach);
    if (!cg_runs_build(&work->runs, chains, NULL, count, &broad->rule, least_unit > 1e-30 ? least_unit : 1e-30)) {
        pairs->lost = -1;
        return false;
    }
    cg_broad_method method = broad->method;
    if (method == CG_BROAD_AUTO) {
        method = work->runs.slot_count <= BRUTE_LIMIT ? CG_BROAD_BRUTE : CG_BROAD_TREE;
    }
    broad->tests = visit_by(method, work);
    broad->close = work->close;
    write_sorted(work, pairs);
    pairs->lost = work->lost;
    return pairs->lost == 0;
}
