// Thread that a tear has set free lies between the lips of the tear, nearer to tissue than its radius or in it, and
// touches none, as thread beside a hole does. So does what slides out of the mouth of a hole while it is in the tissue:
// seen there, it could neither go on nor back. What has come clear of all tissue touches it again.
#include "base/vec3.h"
#include "geometry/box.h"
#include "geometry/triangle.h"
#include "thread/slide.h"
#include "world/world.h"

// [radii] A segment that is farther from every surface is clear; one that comes out of a mouth is seen if it is farther
// than this: contacts push it out from there.
static const double CLEAR = 1.1, SEEN = 0.6;

// With those that it meets, or the last when there is no room.
static void add_freed(cg_thread_slide *slide, cg_thread_stretch made)
{
    for (int k = slide->freed_count - 1; k >= 0; k--) {
        cg_thread_stretch old = slide->freed[k];
        if ((old.from <= made.to && made.from <= old.to) || slide->freed_count == CG_MOST_FREED) {
            made =
                (cg_thread_stretch){old.from < made.from ? old.from : made.from, old.to > made.to ? old.to : made.to};
            slide->freed[k] = slide->freed[--slide->freed_count];
        }
    }
    slide->freed[slide->freed_count++] = made;
}

void cg_world_free_thread(cg_thread *thread, double from, double to)
{
    double reach = cg_slide_mouth(thread);
    add_freed(thread->slide, (cg_thread_stretch){from > reach ? from - reach : 0, to + reach});
}

// A segment of a thread, and the box of what is near to it.
typedef struct near_segment {
    cg_vec3 ends[2]; // [m]
    double reach;    // [m]
    cg_box box;
} near_segment;

static near_segment look_around(const cg_thread *thread, int segment, double radii)
{
    const cg_vec3 *ends = &thread->shape.position[segment];
    double reach = radii * thread->radius;
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

static bool is_clear(const cg_world *world, const cg_thread *thread, int segment, double radii)
{
    near_segment s = look_around(thread, segment, radii);
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
    while (first <= last && is_clear(world, thread, first, CLEAR)) {
        freed->from = thread->arc[++first];
    }
    while (last > first && is_clear(world, thread, last, CLEAR)) {
        freed->to = thread->arc[last--];
    }
    return first <= last;
}

// Holes of a tear go through the tissue and leave their mouths behind; a tear sets its thread free by itself.
static bool is_tearing(const cg_thread *thread)
{
    bool is_any = false;
    for (int k = 0; k < cg_slide_count(thread) && !is_any; k++) {
        is_any = thread->slide->anchors[k].tear > 0;
    }
    return is_any;
}

// What was at a hole and is there no longer.
static void free_unveiled(const cg_world *world, cg_thread *thread)
{
    cg_slide_set_rates(thread);
    for (int i = 0; i < thread->segment_count; i++) {
        if (cg_slide_is_unveiled(thread, i) && !is_clear(world, thread, i, SEEN)) {
            add_freed(thread->slide, (cg_thread_stretch){thread->arc[i], thread->arc[i + 1]});
        }
    }
    thread->slide->veiled_count = 0;
}

void cg_world_see_freed(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_slide *slide = s->thread->slide;
        if (slide != NULL && slide->veiled_count > 0 && !is_tearing(s->thread)) {
            free_unveiled(world, s->thread);
        }
        for (int k = slide != NULL ? slide->freed_count - 1 : -1; k >= 0; k--) {
            if (!shrink(world, s->thread, &slide->freed[k])) {
                slide->freed[k] = slide->freed[--slide->freed_count];
            }
        }
    }
}
