// The spatial hash of the seed (MicroSim 4.1.4, after Teschner and others 2003), kept to be compared with. The space is
// cut into cubes as large as the largest segment's box with half the reach around it, so that a box meets at most eight
// cubes. Each cube is filed in a table row by a hash of its place. Two segments are compared when they meet a common
// cube: in the first of their common cubes only, or a pair would be told several times.
#include "collide/broad_work.h"

#include <assert.h>

enum { CUBES_PER_SLOT = 8 };

void cg_cube_table_layout(cg_cube_table *table, int slots, cg_arena *arena)
{
    table->rows = 1;
    while (table->rows < 2 * slots) {
        table->rows *= 2;
    }
    table->heads = cg_arena_push_array(arena, int, table->rows);
    table->entries = cg_arena_push_array(arena, cg_cube_entry, CUBES_PER_SLOT * (size_t)slots);
    table->boxes = cg_arena_push_array(arena, cg_box, slots);
}

static void box_of_slot(const cg_broad_work *work, int slot, float grow, cg_box *box)
{
    const cg_runs *runs = &work->runs;
    const cg_chain *chain = &work->chains[slot_chain(runs, slot)];
    const cg_vec3 *ends = chain->points + slot_segment(runs, slot);
    double scale = 1 / runs->unit;
    cg_vec3 p = v3_scale(scale, v3_sub(ends[0], runs->middle)), q = v3_scale(scale, v3_sub(ends[1], runs->middle));
    const double a[3] = {p.x, p.y, p.z}, b[3] = {q.x, q.y, q.z};
    grow += (float)(scale * chain->radius);
    for (int k = 0; k < 3; k++) {
        box->low[k] = (float)(a[k] < b[k] ? a[k] : b[k]) - grow;
        box->high[k] = (float)(a[k] > b[k] ? a[k] : b[k]) + grow;
    }
}

// The edge of a cube; also fills the boxes.
static float fit_boxes(cg_broad_work *work, float grow)
{
    float edge = 1e-5f; // places of cubes stay far below what single precision can count
    for (int i = 0; i < work->runs.slot_count; i++) {
        if (slot_is_empty(&work->runs, i)) {
            continue;
        }
        cg_box *box = &work->table.boxes[i];
        box_of_slot(work, i, grow, box);
        for (int k = 0; k < 3; k++) {
            edge = box->high[k] - box->low[k] > edge ? box->high[k] - box->low[k] : edge;
        }
    }
    return 1.0001f * edge;
}

static int floor_of(float x)
{
    int whole = (int)x;
    return (float)whole > x ? whole - 1 : whole;
}

static uint32_t row_of(const int cube[3], int rows)
{
    uint32_t hash = (uint32_t)cube[0] * 73856093u ^ (uint32_t)cube[1] * 19349663u ^ (uint32_t)cube[2] * 83492791u;
    return hash & (uint32_t)(rows - 1);
}

// The first cube that both boxes meet: the later of the two first ones, axis by axis.
static bool is_first_common(const cg_box *a, const cg_box *b, const int cube[3], float per_edge)
{
    for (int k = 0; k < 3; k++) {
        float low = a->low[k] > b->low[k] ? a->low[k] : b->low[k];
        if (floor_of(low * per_edge) != cube[k]) {
            return false;
        }
    }
    return true;
}

static bool overlap(const cg_box *a, const cg_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// Compares a slot with those already filed under the cube, then files it there.
static long file_slot(cg_broad_work *work, int slot, const int cube[3], int entry, float per_edge)
{
    cg_cube_table *table = &work->table;
    uint32_t row = row_of(cube, table->rows);
    long tests = 0;
    for (int e = table->heads[row]; e >= 0; e = table->entries[e].next) {
        const cg_cube_entry *other = &table->entries[e];
        if (other->cube[0] != cube[0] || other->cube[1] != cube[1] || other->cube[2] != cube[2]) {
            continue;
        }
        tests++;
        const cg_box *a = &table->boxes[other->slot], *b = &table->boxes[slot];
        if (!slots_are_near_by_arc(&work->runs, other->slot, slot) && overlap(a, b) &&
            is_first_common(a, b, cube, per_edge)) {
            cg_broad_visit(work, other->slot, slot);
        }
    }
    table->entries[entry] = (cg_cube_entry){slot, {cube[0], cube[1], cube[2]}, table->heads[row]};
    table->heads[row] = entry;
    return tests;
}

long cg_cube_table_visit(cg_broad_work *work)
{
    cg_cube_table *table = &work->table;
    // A negative reach could turn boxes inside out, and such a box meets no cube.
    float reach = cg_runs_reach(&work->runs, work->reach > 0 ? work->reach : 0);
    float edge = fit_boxes(work, 0.5f * reach + CG_RUN_SLACK), per_edge = 1 / edge;
    for (int i = 0; i < table->rows; i++) {
        table->heads[i] = -1;
    }
    int entry = 0;
    long tests = 0;
    for (int i = 0; i < work->runs.slot_count; i++) {
        if (slot_is_empty(&work->runs, i)) {
            continue;
        }
        int low[3], high[3], cube[3];
        for (int k = 0; k < 3; k++) {
            low[k] = floor_of(table->boxes[i].low[k] * per_edge);
            high[k] = floor_of(table->boxes[i].high[k] * per_edge);
        }
        for (cube[0] = low[0]; cube[0] <= high[0]; cube[0]++) {
            for (cube[1] = low[1]; cube[1] <= high[1]; cube[1]++) {
                for (cube[2] = low[2]; cube[2] <= high[2]; cube[2]++) {
                    assert(entry < CUBES_PER_SLOT * work->runs.slot_count);
                    tests += file_slot(work, i, cube, entry++, per_edge);
                }
            }
        }
    }
    return tests;
}
