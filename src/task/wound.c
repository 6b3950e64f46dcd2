#include "task/wound.h"

#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh.h"
#include "suture/stitch.h"
#include "task/motion.h"
#include "task/sewing.h"

// Edges

static cg_vec3 home_of(const cg_recorded_surface *surface, int node)
{
    const float *x = &surface->homes[3 * node];
    return v3((double)x[0], (double)x[1], (double)x[2]);
}

// True when a triangle of the skin has both nodes.
static bool is_at_skin(const cg_recorded_surface *surface, int a, int b)
{
    for (int t = 0; t < surface->triangle_count; t++) {
        const int32_t *nodes = &surface->corners[3 * t];
        bool has_a = nodes[0] == a || nodes[1] == a || nodes[2] == a;
        if (has_a && cg_is_skin(surface->sides[t]) && (nodes[0] == b || nodes[1] == b || nodes[2] == b)) {
            return true;
        }
    }
    return false;
}

double cg_wound_edge_distance(const cg_recorded_surface *surface, const cg_recorded_hole *hole)
{
    if (hole->triangle >= surface->triangle_count) {
        return -1;
    }
    double nearest = INFINITY;
    cg_vec3 place = v3_zero();
    for (int k = 0; k < 3; k++) {
        place = v3_add_scaled(place, hole->weights[k], home_of(surface, surface->corners[3 * hole->triangle + k]));
    }
    for (int t = 0; t < surface->triangle_count; t++) {
        const int32_t *nodes = &surface->corners[3 * t];
        for (int k = 0; k < 3 && surface->sides[t] == CG_SIDE_GROOVE; k++) {
            int a = nodes[k], b = nodes[(k + 1) % 3];
            const cg_vec3 edge[2] = {home_of(surface, a), home_of(surface, b)};
            double away = cg_line_distance(edge, 2, v3_zero(), place, NULL);
            if (away < nearest && is_at_skin(surface, a, b)) {
                nearest = away;
            }
        }
    }
    return nearest < INFINITY ? nearest : -1;
}

double cg_wound_area(const cg_recorded_surface *surface)
{
    double twice = 0;
    for (int t = 0; t < surface->triangle_count; t++) {
        const int32_t *nodes = &surface->corners[3 * t];
        if (surface->sides[t] == CG_SIDE_GROOVE) {
            cg_vec3 a = home_of(surface, nodes[0]);
            cg_vec3 b = v3_sub(home_of(surface, nodes[1]), a), c = v3_sub(home_of(surface, nodes[2]), a);
            twice += v3_length(v3_cross(b, c));
        }
    }
    return 0.5 * twice;
}

// The gap

cg_vec3 cg_wound_station(const cg_goal_stitch *goal, int station)
{
    double share = (double)station / (CG_WOUND_STATIONS - 1);
    return v3_add_scaled(goal->wound[0], share, v3_sub(goal->wound[1], goal->wound[0]));
}

static void add_station(cg_wound_state *state, const cg_wound_gap *gap)
{
    if (gap->is_there) {
        state->gap = fmax(state->gap, gap->least);
        state->step = fmax(state->step, gap->step);
        state->open_top = fmax(state->open_top, gap->top);
        state->rise = gap->has_rise && !(state->has_rise && state->rise < gap->rise) ? gap->rise : state->rise;
        state->has_rise = state->has_rise || gap->has_rise;
        state->is_there = true;
    }
}

static cg_wound_state look(const cg_mesh *mesh, const cg_goal_stitch *goal)
{
    cg_wound_state state = {.gap = -1, .step = -1, .open_top = -1};
    cg_vec3 along = v3_sub(goal->wound[1], goal->wound[0]);
    for (int i = 0; i < CG_WOUND_STATIONS; i++) {
        cg_wound_gap gap = cg_wound_gap_of(mesh, cg_wound_station(goal, i), along, goal->depth);
        add_station(&state, &gap);
    }
    return state;
}

cg_wound_state cg_wound_look_at(const cg_world *world, cg_tissue_id tissue, const cg_goal_stitch *goal)
{
    cg_wound_state state = {.gap = -1, .step = -1, .open_top = -1};
    cg_vec3 along = v3_sub(goal->wound[1], goal->wound[0]);
    for (int i = 0; i < CG_WOUND_STATIONS; i++) {
        cg_wound_gap gap = cg_tissue_wound_gap(world, tissue, cg_wound_station(goal, i), along, goal->depth);
        add_station(&state, &gap);
    }
    return state;
}

static void fill_mesh(const cg_recorded_surface *surface, const float *nodes, cg_mesh *mesh)
{
    for (int i = 0; i < mesh->node_count; i++) {
        mesh->position[i] = v3((double)nodes[3 * i], (double)nodes[3 * i + 1], (double)nodes[3 * i + 2]);
        mesh->first_triangle[i] = -1;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        cg_mesh_triangle *triangle = &mesh->triangles[t];
        triangle->side = (cg_mesh_side)surface->sides[t];
        for (int k = 0; k < 3; k++) {
            int node = surface->corners[3 * t + k];
            triangle->nodes[k] = node;
            mesh->next_triangle[3 * t + k] = mesh->first_triangle[node];
            mesh->first_triangle[node] = 3 * t + k;
        }
    }
}

cg_status cg_wound_look(const cg_recorded_frame *frame, const cg_goal_stitch *goal, const cg_allocator *allocator,
                        cg_wound_state *state)
{
    *state = (cg_wound_state){.gap = -1, .step = -1, .open_top = -1};
    int nodes = frame->tissue_count > 0 ? frame->node_counts[0] : 0;
    if (nodes == 0 || frame->surfaces[0].triangle_count == 0 || frame->surfaces[0].node_count != nodes) {
        return cg_ok();
    }
    cg_mesh mesh = {.node_count = nodes, .triangle_count = frame->surfaces[0].triangle_count};
    size_t triangles = (size_t)mesh.triangle_count;
    mesh.position = cg_memory_take(allocator, (size_t)nodes * sizeof *mesh.position);
    mesh.first_triangle = cg_memory_take(allocator, (size_t)nodes * sizeof *mesh.first_triangle);
    mesh.next_triangle = cg_memory_take(allocator, 3 * triangles * sizeof *mesh.next_triangle);
    mesh.triangles = cg_memory_take(allocator, triangles * sizeof *mesh.triangles);
    bool good =
        mesh.position != NULL && mesh.first_triangle != NULL && mesh.next_triangle != NULL && mesh.triangles != NULL;
    if (good) {
        fill_mesh(&frame->surfaces[0], frame->nodes[0], &mesh);
        *state = look(&mesh, goal);
    }
    cg_memory_give(allocator, mesh.position);
    cg_memory_give(allocator, mesh.first_triangle);
    cg_memory_give(allocator, mesh.next_triangle);
    cg_memory_give(allocator, mesh.triangles);
    return good ? cg_ok() : cg_error(CG_OUT_OF_MEMORY, "no memory left to measure a wound");
}
