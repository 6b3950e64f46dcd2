// What a scalpel parts beside tissue: threads that its edge passes through, and bonds between cut surfaces that it
// passes along.
//
// In a step the edge sweeps two triangles. A thread is parted where its axis crosses them; since it moves as well, the
// edge is looked at from each of its segments. That is for an edge without a body, which threads do not turn away and
// which feels nothing of them; none passes through one that has a body (world/tools.c parts what presses on it). Where
// a thread cannot be parted, in tissue, beside a hole, or for want of a part, it stays whole.
#include "base/vec3.h"
#include "geometry/triangle.h"
#include "world/world.h"

// Threads that one edge parts in a step: more than a bundle has.
enum { MOST_CUTS = 16 };
// [grains] Bonds nearer than this to the way of the edge are cut: a blade that passes so near to a cut falls into it
// (tissue/cut.c).
static const double NEAR_BOND = 0.15;

// The way of an edge in a step: two triangles.
typedef struct swath {
    cg_vec3 corners[2][3];
} swath;

static swath swath_of(cg_edge before, cg_edge after)
{
    return (swath){{{before.tip, before.heel, after.heel}, {before.tip, after.heel, after.tip}}};
}

static cg_edge moved(cg_edge edge, cg_vec3 by)
{
    return (cg_edge){v3_add(edge.tip, by), v3_add(edge.heel, by)};
}

// --- threads ---

// [m] along a thread, where an edge passes through it, from *segment on, which becomes the one that it is in; -1 where
// it does not.
static double find_crossing(const cg_thread *thread, cg_edge before, cg_edge after, double time_step, int *segment)
{
    for (int i = *segment; i < thread->segment_count; i++) {
        cg_vec3 mean = v3_scale(0.5 * time_step, v3_add(thread->velocity[i], thread->velocity[i + 1]));
        swath way = swath_of(moved(before, mean), after);
        for (int k = 0; k < 2; k++) {
            cg_triangle_closest closest =
                cg_closest_segment_triangle(thread->shape.position[i], thread->shape.position[i + 1], way.corners[k]);
            cg_vec3 normal = triangle_normal(way.corners[k]);
            if (closest.squared_distance == 0 && v3_dot(normal, normal) > 0) {
                *segment = i;
                return thread->arc[i] + closest.t * thread->rest_length[i];
            }
        }
    }
    return -1;
}

// True when the thread was parted: at the first crossing that can be, as one beside a hole cannot.
static bool cut_thread(cg_world *world, const cg_thread_slot *slot, cg_edge before, cg_edge after)
{
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    for (int segment = 0; segment < slot->thread->segment_count; segment++) {
        double arc = find_crossing(slot->thread, before, after, world->def.time_step, &segment);
        cg_thread_id part;
        if (arc < 0) {
            return false;
        }
        if (cg_world_cut_thread(world, (cg_thread_id){handle.index, handle.generation}, arc, &part).code == CG_OK) {
            return true;
        }
    }
    return false;
}

// True when one was parted: places in the list of threads have changed.
static bool cut_one(cg_world *world, cg_edge before, cg_edge after)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->model == NULL && cut_thread(world, s, before, after)) {
            return true;
        }
    }
    return false;
}

// --- bonds ---

static void cut_bonds(cg_bond_set *set, const swath *way)
{
    double near = NEAR_BOND * set->tissue->grain;
    for (int i = set->count - 1; i >= 0; i--) {
        cg_vec3 place = set->tissue->mesh->position[set->bonds[i].node];
        double first = cg_closest_point_triangle(place, way->corners[0]).squared_distance;
        double second = cg_closest_point_triangle(place, way->corners[1]).squared_distance;
        if (first < near * near || second < near * near) {
            set->is_ready[set->bonds[i].node] = false;
            bond_remove(set, i);
            cg_tissue_wake(set->tissue);
        }
    }
}

void cg_world_slice(cg_world *world, cg_edge before, cg_edge after)
{
    swath way = swath_of(before, after);
    if (!v3_is_finite(before.tip) || !v3_is_finite(before.heel) || !v3_is_finite(after.tip) ||
        !v3_is_finite(after.heel)) {
        return;
    }
    for (int k = 0; k < MOST_CUTS && cut_one(world, before, after); k++) {
    }
    for (int i = 0; i < world->bond_set_count; i++) {
        cut_bonds(world->bond_sets[i], &way);
    }
}
