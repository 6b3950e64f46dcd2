// Sweep and prune: segments in the order of their lower ends along the widest axis; each is compared with those that
// begin before it ends. The order is kept: from step to step only few segments overtake each other, and sorting by
// insertion costs little more than looking. When much has changed it is given up for merging.
#include "collide/broad_work.h"

void cg_sweep_layout(cg_sweep *sweep, int slots, cg_arena *arena)
{
    *sweep = (cg_sweep){0};
    sweep->order = cg_arena_push_array(arena, int, slots);
    sweep->spare = cg_arena_push_array(arena, int, slots);
    sweep->low = cg_arena_push_array(arena, float, slots);
    sweep->high = cg_arena_push_array(arena, float, slots);
    sweep->low_by_place = cg_arena_push_array(arena, float, slots + 4);
    sweep->high_by_place = cg_arena_push_array(arena, float, slots + 4);
    sweep->sorted.x = cg_arena_push_array(arena, float, slots + 4);
    sweep->sorted.y = cg_arena_push_array(arena, float, slots + 4);
    sweep->sorted.z = cg_arena_push_array(arena, float, slots + 4);
    sweep->sorted.radius = cg_arena_push_array(arena, float, slots + 4);
}

// The coordinates of the centres along the axis on which they spread most.
static const float *widest_axis(const cg_runs *runs)
{
    const float *axes[3] = {runs->slots.x, runs->slots.y, runs->slots.z};
    const float *widest = axes[0];
    float width = -1;
    for (int k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < runs->slot_count; i++) {
            low = axes[k][i] < low ? axes[k][i] : low;
            high = axes[k][i] > high ? axes[k][i] : high;
        }
        if (high - low > width) {
            width = high - low;
            widest = axes[k];
        }
    }
    return widest;
}

// The slots in use now. True when they are as many as in the last call: then the old order is a good start.
static void start_order(cg_sweep *sweep, const cg_runs *runs)
{
    int used = 0;
    for (int i = 0; i < runs->slot_count; i++) {
        used += !slot_is_empty(runs, i);
    }
    bool is_same = used == sweep->count;
    for (int i = 0; i < used && is_same; i++) {
        is_same = sweep->order[i] < runs->slot_count && !slot_is_empty(runs, sweep->order[i]);
    }
    if (is_same) {
        return;
    }
    sweep->count = 0;
    for (int i = 0; i < runs->slot_count; i++) {
        if (!slot_is_empty(runs, i)) {
            sweep->order[sweep->count++] = i;
        }
    }
}

static bool insertion_sort(cg_sweep *sweep)
{
    int *order = sweep->order;
    long moves = 0, most = 8L * sweep->count;
    for (int k = 1; k < sweep->count; k++) {
        int slot = order[k], place = k;
        for (; place > 0 && sweep->low[order[place - 1]] > sweep->low[slot]; place--) {
            order[place] = order[place - 1];
        }
        order[place] = slot;
        moves += k - place;
        if (moves > most) {
            return false;
        }
    }
    return true;
}

static void merge(const float *key, const int *from, int start, int middle, int end, int *to)
{
    int left = start, right = middle;
    for (int k = start; k < end; k++) {
        bool take_left = left < middle && (right >= end || key[from[left]] <= key[from[right]]);
        to[k] = from[take_left ? left++ : right++];
    }
}

static void merge_sort(cg_sweep *sweep)
{
    int count = sweep->count;
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = start + 2 * width < count ? start + 2 * width : count;
            merge(sweep->low, sweep->order, start, middle, end, sweep->spare);
        }
        int *swap = sweep->order;
        sweep->order = sweep->spare;
        sweep->spare = swap;
    }
}

static void fill_places(cg_sweep *sweep, const cg_runs *runs)
{
    for (int k = 0; k < sweep->count; k++) {
        int slot = sweep->order[k];
        sweep->low_by_place[k] = sweep->low[slot];
        sweep->high_by_place[k] = sweep->high[slot];
        sweep->sorted.x[k] = runs->slots.x[slot];
        sweep->sorted.y[k] = runs->slots.y[slot];
        sweep->sorted.z[k] = runs->slots.z[slot];
        sweep->sorted.radius[k] = runs->slots.radius[slot];
    }
    for (int k = sweep->count; k < sweep->count + 4; k++) {
        sweep->sorted.x[k] = NAN;
        sweep->low_by_place[k] = INFINITY;
    }
}

static void tell(cg_broad_work *work, int slot, int other)
{
    int a = slot < other ? slot : other, b = slot < other ? other : slot;
    if (!slots_are_near_by_arc(&work->runs, a, b)) {
        cg_broad_visit(work, a, b);
    }
}

long cg_sweep_visit(cg_broad_work *work)
{
    cg_sweep *sweep = &work->sweep;
    const cg_runs *runs = &work->runs;
    const float *axis = widest_axis(runs);
    float reach = cg_runs_reach(runs, work->reach);
    for (int i = 0; i < runs->slot_count; i++) {
        sweep->low[i] = axis[i] - runs->slots.radius[i];
        sweep->high[i] = axis[i] + runs->slots.radius[i] + reach + CG_RUN_SLACK;
    }
    start_order(sweep, runs);
    if (!insertion_sort(sweep)) {
        merge_sort(sweep);
    }
    fill_places(sweep, runs);
    long tests = 0;
    for (int k = 0; k < sweep->count; k++) {
        sphere_probe probe = probe_of(&sweep->sorted, k, reach, false);
        for (int q = k + 1; q < sweep->count && sweep->low_by_place[q] <= sweep->high_by_place[k]; q += 4) {
            int bits = probe_four(&probe, &sweep->sorted, q, false);
            tests += 4;
            while (bits != 0) {
                tell(work, sweep->order[k], sweep->order[q + take_bit(&bits)]);
            }
        }
    }
    return tests;
}
