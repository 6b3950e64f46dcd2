#include "experiments/surface_rig.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/trig.h"

static void lay_out(cg_surface_rig *rig, cg_arena *arena)
{
    rig->positions = cg_arena_push_array(arena, cg_vec3, rig->node_count);
    rig->flat = cg_arena_push_array(arena, cg_vec3, rig->node_count);
    rig->corners = cg_arena_push(arena, (size_t)rig->triangle_count, sizeof *rig->corners);
    rig->moved = cg_arena_push_array(arena, int, rig->node_count);
    rig->has_moved = cg_arena_push_array(arena, bool, rig->node_count);
    cg_sphere_tree_layout(&rig->tree, rig->node_count, rig->triangle_count, arena);
}

static bool take_memory(cg_surface_rig *rig, int nodes, int triangles)
{
    *rig = (cg_surface_rig){.node_count = nodes, .triangle_count = triangles};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(rig, &arena);
    size_t bytes = cg_arena_used(&arena);
    rig->memory = cg_memory_take(&(cg_allocator){0}, bytes);
    if (!rig->memory) {
        return false;
    }
    cg_arena_init(&arena, rig->memory, bytes);
    lay_out(rig, &arena);
    return true;
}

void cg_surface_rig_free(cg_surface_rig *rig)
{
    cg_memory_give(&(cg_allocator){0}, rig->memory);
    *rig = (cg_surface_rig){0};
}

static void set_triangle(cg_surface_rig *rig, int t, int a, int b, int c)
{
    rig->corners[t][0] = a;
    rig->corners[t][1] = b;
    rig->corners[t][2] = c;
}

void cg_surface_rig_reset(cg_surface_rig *rig)
{
    memcpy(rig->positions, rig->flat, (size_t)rig->node_count * sizeof *rig->flat);
    cg_triangle_source source = {rig->corners, sizeof *rig->corners, rig->triangle_count, rig->positions,
                                 rig->node_count};
    cg_sphere_tree_build(&rig->tree, &source);
}

bool cg_surface_rig_grid(cg_surface_rig *rig, int n, double side)
{
    if (!take_memory(rig, (n + 1) * (n + 1), 2 * n * n)) {
        return false;
    }
    for (int i = 0; i < rig->node_count; i++) {
        rig->flat[i] = v3(side * (i / (n + 1)) / n - 0.5 * side, side * (i % (n + 1)) / n - 0.5 * side, 0);
    }
    for (int i = 0; i < n * n; i++) {
        int at = i / n * (n + 1) + i % n;
        set_triangle(rig, 2 * i, at, at + n + 1, at + n + 2);
        set_triangle(rig, 2 * i + 1, at, at + n + 2, at + 1);
    }
    cg_surface_rig_reset(rig);
    return true;
}

bool cg_surface_rig_ball(cg_surface_rig *rig, int rings, int around, double radius)
{
    // Nodes: two poles, and rings - 1 circles between them.
    int circles = rings - 1, count = 0;
    if (!take_memory(rig, 2 + circles * around, 2 * circles * around)) {
        return false;
    }
    rig->flat[0] = v3(0, 0, radius);
    rig->flat[1] = v3(0, 0, -radius);
    for (int i = 0; i < circles * around; i++) {
        double down = CG_PI * (i / around + 1) / rings, turn = 2 * CG_PI * (i % around) / around;
        rig->flat[2 + i] = v3_scale(radius, v3(sin(down) * cos(turn), sin(down) * sin(turn), cos(down)));
    }
    for (int k = 0; k < around; k++) {
        int next = (k + 1) % around, last = 2 + (circles - 1) * around;
        set_triangle(rig, count++, 0, 2 + k, 2 + next);
        set_triangle(rig, count++, 1, last + next, last + k);
        for (int ring = 0; ring + 1 < circles; ring++) {
            int upper = 2 + ring * around, lower = upper + around;
            set_triangle(rig, count++, upper + k, lower + k, lower + next);
            set_triangle(rig, count++, upper + k, lower + next, upper + next);
        }
    }
    cg_surface_rig_reset(rig);
    return true;
}

double cg_surface_rig_random(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*state >> 11) / 9007199254740992.0);
}

void cg_surface_rig_dent(cg_surface_rig *rig, double reach, double depth, bool goes_on, uint64_t *state)
{
    if (!goes_on) {
        for (int i = 0; i < rig->moved_count; i++) {
            rig->has_moved[rig->moved[i]] = false;
        }
        rig->moved_count = 0;
    }
    int node = (int)cg_surface_rig_random(state, 0, rig->node_count);
    double way = cg_surface_rig_random(state, -1, 1) < 0 ? -depth : depth;
    for (int i = 0; i < rig->node_count; i++) {
        double away = v3_distance(rig->flat[i], rig->flat[node]);
        if (away <= reach) {
            rig->positions[i].z += way / (1 + away);
            if (!rig->has_moved[i]) {
                rig->has_moved[i] = true;
                rig->moved[rig->moved_count++] = i;
            }
        }
    }
}

int cg_surface_rig_maintain(cg_surface_rig *rig)
{
    for (int i = 0; i < rig->moved_count; i++) {
        cg_sphere_tree_mark_node(&rig->tree, rig->moved[i], rig->positions[rig->moved[i]]);
    }
    return cg_sphere_tree_update(&rig->tree, rig->positions);
}

int cg_surface_rig_deformed(const cg_surface_rig *rig, bool *is_deformed)
{
    int count = 0;
    for (int t = 0; t < rig->triangle_count; t++) {
        const int *nodes = rig->corners[t];
        bool deformed = rig->has_moved[nodes[0]] || rig->has_moved[nodes[1]] || rig->has_moved[nodes[2]];
        count += deformed;
        if (is_deformed) {
            is_deformed[rig->tree.slot_of[t]] = deformed;
        }
    }
    return count;
}
