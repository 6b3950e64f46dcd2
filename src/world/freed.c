// Thread that a tear has set free lies between the lips of the tear, nearer to tissue than its radius or in it, and
// touches none, as thread beside a hole does. What has come clear of all tissue does so again.
#include "base/vec3.h"
#include "geometry/box.h"
#include "geometry/triangle.h"
#include "thread/slide.h"
#include "world/world.h"

// [radii] A segment that is farther from every surface is clear.
static const double CLEAR = 1.1;

void cg_world_free_thread(cg_thread *thread, double from, double to)
{
    cg_thread_slide *slide = thread->slide;
    double reach = cg_slide_mouth(thread);
    cg_thread_stretch made = {from > reach ? from - reach : 0, to + reach};
    for (int k = slide->freed_count - 1; k >= 0; k--) { // with those that it meets, or the last when there is no room
        cg_thread_stretch old = slide->freed[k];
        if ((old.from <= made.to && made.from <= old.to) || slide->freed_count == CG_MOST_FREED) {
            made =
                (cg_thread_stretch){old.from < made.from ? old.from : made.from, old.to > made.to ? old.to : made.to};
            slide->freed[k] = slide->freed[--slide->freed_count];
        }
    }
    slide->freed[slide->freed_count++] = made;
}

// A segment of a thread, and the box of what is near to it.
typedef struct near_segment {
    cg_vec3 ends[2]; // [m]
    double reach;    // [m]
    cg_box box;
} near_segment;

static near_segment look_around(const cg_thread *thread, int segment)
{
    const cg_vec3 *ends = &thread->shape.position[segment];
    double reach = CLEAR * thread->radius;
    return (near_segment){{ends[0], ends[1]}, reach, box_grown(box_of(ends, 2), reach)};
}

static bool may_meet(const cg_mesh *mesh, const int *nodes, int count, const near_segment *s)
{
    cg_box own = box_of_nothing();
    for (int k = 0; k < count; k++) {
        box_take(&own, mesh->position[nodes[k]]);
    }
    return boxes_meet(&own, &s->box);
}

static bool is_clear_of(const cg_mesh *mesh, const near_segment *s)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
        if (may_meet(mesh, n, 3, s) &&
            cg_closest_segment_triangle(s->ends[0], s->ends[1], corners).squared_distance < s->reach * s->reach) {
            return false;
        }
    }
    for (int cell = 0; cell < mesh->cell_count; cell++) { // deep inside, no surface is near
        double weights[4];
        if (may_meet(mesh, mesh->cells[cell].nodes, 4, s) && cg_mesh_is_in_cell(mesh, cell, s->ends[0], weights)) {
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

// From both ends of a freed stretch what is clear is seen again. False when nothing is left of it.
static bool shrink(const cg_world *world, const cg_thread *thread, cg_thread_stretch *freed)
{
    int first = 0, last = thread->segment_count - 1;
    while (first <= last && thread->arc[first + 1] <= freed->from) {
        first++;
    }
    while (last >= first && thread->arc[last] >= freed->to) {
        last--;
    }
    while (first <= last && is_clear(world, thread, first)) {
        freed->from = thread->arc[++first];
    }
    while (last > first && is_clear(world, thread, last)) {
        freed->to = thread->arc[last--];
    }
    return first <= last;
}

void cg_world_see_freed(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_slide *slide = s->thread->slide;
        for (int k = slide != NULL ? slide->freed_count - 1 : -1; k >= 0; k--) {
            if (!shrink(world, s->thread, &slide->freed[k])) {
                slide->freed[k] = slide->freed[--slide->freed_count];
            }
        }
    }
}
