// Inside or outside of every vertex and every span of a thread, as its anchors say, against a count of the surfaces
// that a ray from there crosses: over random states of stitches that are laid, pulled, slid and drawn out.
//
// The mouth of a hole is what of the thread is nearer to it, along the thread, than cg_slide_mouth: it touches no
// tissue, so that its middle line may lie under the surface where it leaves along it, or where a lip is drawn over it.
// Only there may the two disagree, by less than a radius, and never in a straight span.
#include "brute_surface.h"
#include "harness.h"
#include "stitch_rig.h"
#include "thread/slide.h"
#include "world/world.h"

typedef struct tally {
    int states, places, inside;
    int off;         // places that are on another side than the anchors say
    int off_outside; // of these, not at the mouth of a hole
    double deepest;  // [m] under the surface, or above it, of those that are
} tally;

// [m] Along the thread to the nearest hole. An end that has just come out of its last one is beside it.
static double way_to_hole(const cg_thread *thread, double arc)
{
    double least = thread->slide->count == 0 ? fmin(arc, thread->arc[thread->segment_count] - arc) : INFINITY;
    for (int k = 0; k < cg_slide_count(thread); k++) {
        least = fmin(least, fabs(thread->arc[thread->slide->anchors[k].vertex] - arc));
    }
    return least;
}

static void look_at(const rig *r, cg_vec3 place, double arc, bool is_inside, bool may_be_mouth, tally *t)
{
    const cg_thread *thread = cg_world_find_thread(r->world, r->thread);
    const cg_mesh *mesh = cg_world_find_tissue(r->world, r->pad)->mesh;
    t->places++;
    t->inside += is_inside;
    if ((count_crossings(mesh, place, v3(0.13, 0.29, 0.95)) % 2 == 1) != is_inside) {
        bool is_mouth = may_be_mouth && way_to_hole(thread, arc) < cg_slide_mouth(thread);
        t->off++;
        t->off_outside += !is_mouth;
        t->deepest = fmax(t->deepest, distance_to_surface(mesh, place));
    }
}

static void look(const rig *r, tally *t)
{
    const cg_thread *thread = cg_world_find_thread(r->world, r->thread);
    const cg_vec3 *at = thread->shape.position;
    t->states++;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_thread_side side = cg_thread_get_side(r->world, r->thread, i);
        if (side != CG_SIDE_HOLE) {
            look_at(r, at[i], thread->arc[i], side == CG_SIDE_INSIDE, true, t);
        }
    }
    for (int i = 0; i < thread->segment_count; i++) {
        bool is_inside = cg_thread_get_segment_side(r->world, r->thread, i) == CG_SIDE_INSIDE;
        look_at(r, v3_scale(0.5, v3_add(at[i], at[i + 1])), 0.5 * (thread->arc[i] + thread->arc[i + 1]), is_inside,
                !cg_slide_is_straight(thread, i), t);
    }
}

static void step_often(rig *r, int steps, cg_vec3 before, cg_vec3 behind)
{
    for (int i = 0; i < steps; i++) {
        step_with(r, before, behind);
    }
}

TEST(the_parity_of_anchors_is_that_of_surfaces)
{
    uint64_t random = 31;
    tally t = {0};
    for (int round = 0; round < test_count(1, 30); round++) {
        rig r;
        if (!make_rig(&r, test_random(&random, 50e3, 300e3))) {
            return;
        }
        look(&r, &t);
        for (int k = 0; k < test_count(6, 30); k++) {
            step_often(&r, 8, any_pull(&random, 0.8), any_pull(&random, 0.8));
            look(&r, &t);
        }
        for (int k = 0; k < 10 && cg_world_anchor_count(r.world) > 0; k++) { // drawn out by one end
            step_often(&r, 50, v3_zero(), v3(0, 0.1, 0.4));
            look(&r, &t);
        }
        CHECK_INT(cg_world_anchor_count(r.world), 0);
        cg_world_destroy(r.world);
    }
    CHECK(t.states >= test_count(8, 1000) && t.inside >= t.states);
    CHECK_INT(t.off_outside, 0);
    CHECK(t.deepest < cg_thread_def_default().radius);
}
