// Thread that a tear has set free lies between the lips of the tear, nearer to tissue than its radius or in it, and
// touches none, as thread beside a hole does. What has come clear of all tissue does so again.
#include "base/vec3.h"
#include "geometry/triangle.h"
#include "thread/slide.h"
#include "world/world.h"

// [radii] A segment that is farther from every surface is clear.
static const double CLEAR = 1.1;

void cg_world_free_thread(cg_thread *thread, double from, double to)
{
    double *freed = thread->slide->freed, reach = cg_slide_mouth(thread);
    bool is_first = !(freed[1] > freed[0]);
    from = from > reach ? from - reach : 0;
    to += reach;
    freed[0] = is_first || from < freed[0] ? from : freed[0];
    freed[1] = is_first || to > freed[1] ? to : freed[1];
}

// A segment of a thread, and the box of what is near to it.
typedef struct near_segment {
    cg_vec3 a, b, low, high; // [m]
    double reach;            // [m]
} near_segment;

static near_segment look_around(const cg_thread *thread, int segment)
{
    cg_vec3 a = thread->shape.position[segment], b = thread->shape.position[segment + 1];
    double reach = CLEAR * thread->radius;
    cg_vec3 low = v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
    cg_vec3 high = v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
    cg_vec3 wide = v3(reach, reach, reach);
    return (near_segment){a, b, v3_sub(low, wide), v3_add(high, wide), reach};
}

static bool may_meet(const cg_mesh *mesh, const int *nodes, int count, const near_segment *s)
{
    bool is_below[3] = {true, true, true}, is_above[3] = {true, true, true};
    for (int k = 0; k < count; k++) {
        cg_vec3 p = mesh->position[nodes[k]];
        is_below[0] = is_below[0] && p.x < s->low.x;
        is_below[1] = is_below[1] && p.y < s->low.y;
        is_below[2] = is_below[2] && p.z < s->low.z;
        is_above[0] = is_above[0] && p.x > s->high.x;
        is_above[1] = is_above[1] && p.y > s->high.y;
        is_above[2] = is_above[2] && p.z > s->high.z;
    }
    return !(is_below[0] || is_below[1] || is_below[2] || is_above[0] || is_above[1] || is_above[2]);
}

static bool is_clear_of(const cg_mesh *mesh, const near_segment *s)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
        if (may_meet(mesh, n, 3, s) &&
            cg_closest_segment_triangle(s->a, s->b, corners).squared_distance < s->reach * s->reach) {
            return false;
        }
    }
    for (int cell = 0; cell < mesh->cell_count; cell++) { // deep inside, no surface is near
        double weights[4];
        if (may_meet(mesh, mesh->cells[cell].nodes, 4, s) && cg_mesh_is_in_cell(mesh, cell, s->a, weights)) {
            return false;
        }
    }
    return true;
}

static bool is_clear(const cg_world *world, const cg_thread *thread, int segment)
{
    near_segment s = look_around(thread, segment);
    bool clear = true;
    for (const cg_tissue_slot *t = cg_world_first_tissue(world); t != NULL && clear;
         t = cg_world_next_tissue(world, t)) {
        clear = is_clear_of(t->tissue->mesh, &s);
    }
    return clear;
}

// From both ends of the freed stretch what is clear is seen again.
static void shrink(const cg_world *world, cg_thread *thread)
{
    double *freed = thread->slide->freed;
    int first = 0, last = thread->segment_count - 1;
    while (first <= last && thread->arc[first + 1] <= freed[0]) {
        first++;
    }
    while (last >= first && thread->arc[last] >= freed[1]) {
        last--;
    }
    while (first <= last && is_clear(world, thread, first)) {
        freed[0] = thread->arc[++first];
    }
    while (last > first && is_clear(world, thread, last)) {
        freed[1] = thread->arc[last--];
    }
    if (first > last) {
        freed[0] = freed[1] = 0;
    }
}

void cg_world_see_freed(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->slide != NULL && s->thread->slide->freed[1] > s->thread->slide->freed[0]) {
            shrink(world, s->thread);
        }
    }
}
