// Holes that a needle hands to its thread and gets back, one after the other.
#include <math.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "stitch_rig.h"
#include "suture/handover.h"
#include "thread/slide.h"
#include "world/world.h"

static const cg_handover_hold HOLD = {.friction = 0.1};

static cg_thread *make_thread(rig *r)
{
    return make_rig(r, 100e3) ? cg_world_find_thread(r->world, r->thread) : NULL;
}

// A hole like the one of the anchor nearest to an end.
static cg_channel_point hole_near(const cg_thread *thread, int end, bool inward)
{
    const cg_thread_anchor *near = &thread->slide->anchors[end == 0 ? 0 : thread->slide->count - 1];
    return (cg_channel_point){.skin = near->tissue,
                              .triangle = near->triangle,
                              .cell = -1,
                              .weights = {near->weights[0], near->weights[1], near->weights[2], 0},
                              .inward = inward};
}

// A place `share` of the way from an end to the vertex beside it, and `aside` from there.
static cg_vec3 place_at(const cg_thread *thread, int end, double share, cg_vec3 aside)
{
    int last = thread->vertex_count - 1, from = end == 0 ? 0 : last, to = end == 0 ? 1 : last - 1;
    const cg_vec3 *x = thread->shape.position;
    return v3_add(v3_add_scaled(x[from], share, v3_sub(x[to], x[from])), aside);
}

static bool take(cg_thread *thread, int end, bool inward, double share)
{
    cg_channel_point hole = hole_near(thread, end, inward);
    return cg_handover_take(thread, end, &hole, place_at(thread, end, share, v3_zero()), HOLD);
}

// In, out, back from the second hole, and out again: from the first hole to the needle, or to the second hole, there is
// one segment all the time.
TEST(the_span_of_a_bite_is_one_segment_when_its_second_hole_comes_and_goes)
{
    for (int end = 0; end < 2; end++) {
        rig r;
        cg_thread *thread = make_thread(&r);
        if (thread != NULL) {
            cg_channel_point next;
            CHECK(take(thread, end, true, 0.9));
            int vertices = thread->vertex_count;
            double whole = thread->arc[vertices - 1];
            for (int k = 0; k < 3; k++) {
                CHECK(take(thread, end, false, 0.4));
                CHECK_INT(cg_slide_count(thread), HOLES + 2);
                CHECK(cg_slide_is_sound(thread));
                cg_handover_give_back(thread, end);
                CHECK_INT(cg_slide_count(thread), HOLES + 1);
                CHECK(cg_slide_is_sound(thread) && cg_handover_next(thread, end, &next) && next.inward);
                CHECK_INT(thread->vertex_count, vertices);
                CHECK_NEAR(thread->arc[vertices - 1], whole, 1e-12);
            }
        }
        cg_world_destroy(r.world);
    }
}

// What touches no tissue is known by its arc length, and a hole that is off the line of the thread takes more of it.
TEST(what_is_hidden_stays_the_same_thread_when_a_hole_comes_before_it)
{
    for (int end = 0; end < 2; end++) {
        rig r;
        cg_thread *thread = make_thread(&r);
        if (thread != NULL) {
            int middle = thread->vertex_count / 2, last = thread->vertex_count - 1;
            cg_channel_point hole = hole_near(thread, end, true);
            double before = thread->arc[last];
            thread->slide->freed_count = 1;
            thread->slide->freed[0] = (cg_thread_stretch){thread->arc[middle], thread->arc[middle + 1]};
            CHECK(cg_handover_take(thread, end, &hole, place_at(thread, end, 0.5, v3(0.4e-3, 0, 0)), HOLD));
            CHECK(thread->arc[thread->vertex_count - 1] > before + 0.2e-3);
            middle += end == 0 ? thread->vertex_count - 1 - last : 0;
            CHECK_NEAR(thread->slide->freed[0].from, thread->arc[middle], 1e-12);
            CHECK_NEAR(thread->slide->freed[0].to, thread->arc[middle + 1], 1e-12);
        }
        cg_world_destroy(r.world);
    }
}

// A needle came out beside the hole of a thread, or just there: two threads find room beside each other.
TEST(a_hole_beside_another_one_makes_room)
{
    rig r;
    const cg_thread *thread = make_thread(&r);
    for (int k = 0; k < 4 && thread != NULL; k++) {
        const cg_touch_set *set = &r.world->touches;
        cg_channel_point there = hole_near(thread, 0, true), hole = there;
        const cg_mesh *mesh = set->cast.skins[there.skin]->tissue->mesh;
        if (k > 0) { // a share of the triangle away, towards one corner
            for (int i = 0; i < 3; i++) {
                hole.weights[i] += (k == 3 ? 0.5 : 0.02) * ((i == k - 1) - hole.weights[i]);
            }
        }
        double before =
            v3_distance(cg_channel_place(mesh, mesh->position, &hole), cg_channel_place(mesh, mesh->position, &there));
        cg_handover_make_room(set, thread->radius, &hole);
        double apart =
            v3_distance(cg_channel_place(mesh, mesh->position, &hole), cg_channel_place(mesh, mesh->position, &there));
        CHECK_NEAR(apart, fmax(before, 2.5 * thread->radius), 1e-9);
        CHECK((before > 2.5 * thread->radius) == (k == 3));
    }
    cg_world_destroy(r.world);
}
