// What is bent at rest goes through holes with the thread.
#include <math.h>
#include <stdlib.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "stitch_rig.h"
#include "suture/handover.h"
#include "thread/rest.h"
#include "thread/slide.h"
#include "world/world.h"

static const double NEVER = 1e3;      // [N m] a yield moment that no bend reaches: what is set by hand stays
static const double CURVATURE = 50;   // [1/m] of a packet of 20 mm
static const double SLID = 8e-3;      // [m] more than the way between two holes
static const double HUMP_TURN = 0.4;  // [rad] all along it
static const double HUMP_HALF = 2e-3; // [m] of its length

// A stitched thread with a rest shape.
static cg_thread *make_curved(rig *r)
{
    return make_rig_with_memory(r, 100e3, NEVER) ? cg_world_find_thread(r->world, r->thread) : NULL;
}

static void curve_alike(cg_thread *thread)
{
    for (int j = 1; j < thread->segment_count; j++) {
        cg_rest_set_turn(thread, j, v3(CURVATURE * thread->joint_length[j], 0, 0));
    }
}

// [1/m] How far any joint is from that.
static double unevenness(const cg_thread *thread)
{
    double most = 0;
    for (int j = 1; j < thread->segment_count; j++) {
        cg_vec3 curvature = v3_scale(1 / thread->joint_length[j], cg_rest_turn(thread, j));
        most = fmax(most, v3_distance(curvature, v3(CURVATURE, 0, 0)));
    }
    return most;
}

// Draws thread through the holes towards its finish (sign 1) or start (-1), until SLID has gone through the first.
// Returns what has [m].
static double draw(rig *r, double sign)
{
    const cg_thread *thread = cg_world_find_thread(r->world, r->thread);
    double slid = 0;
    for (int i = 0; i < 3000 && fabs(slid) < SLID && thread->slide->count == HOLES; i++) {
        step_with(r, v3_scale(sign > 0 ? 0 : 0.6, r->out[0]), v3_scale(sign > 0 ? 0.6 : 0, r->out[1]));
        slid += thread->slide->anchors[0].slip;
    }
    return slid;
}

TEST(a_thread_out_of_its_packet_stays_curved_alike_when_it_is_drawn_through)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        rig r;
        cg_thread *thread = make_curved(&r);
        if (thread != NULL) {
            uint64_t before = thread->topology_version;
            curve_alike(thread);
            double slid = draw(&r, sign);
            CHECK(sign * slid >= SLID);
            CHECK(thread->topology_version > before + 10); // segments at holes were joined and halved on the way
            CHECK(unevenness(thread) < 1e-9 * CURVATURE);
        }
        cg_world_destroy(r.world);
    }
}

static void bend_at(cg_thread *thread, double arc)
{
    double sum = 0;
    for (int j = 1; j < thread->segment_count; j++) {
        sum += fabs(thread->arc[j] - arc) < HUMP_HALF ? 1 : 0;
    }
    for (int j = 1; j < thread->segment_count; j++) {
        cg_rest_set_turn(thread, j, v3(fabs(thread->arc[j] - arc) < HUMP_HALF ? HUMP_TURN / sum : 0, 0, 0));
    }
}

// The sum of all turns [rad], and the arc length [m] of their middle; a turn is in the middle of its stretch.
static double middle_of_turns(const cg_thread *thread, double *sum)
{
    double moment = 0;
    *sum = 0;
    for (int j = 1; j < thread->segment_count; j++) {
        double turn = cg_rest_turn(thread, j).x;
        *sum += turn;
        moment += turn * (thread->arc[j] + 0.25 * (thread->rest_length[j] - thread->rest_length[j - 1]));
    }
    return moment / *sum;
}

// Arc lengths count from the start of the material, so what travels with it keeps them, while holes do not. In the
// tissue the thread is one segment of 3.6 mm, and where on it a set is nobody knows: it is
// spread over it, half of that at most aside.
TEST(a_set_travels_with_the_material_from_one_side_of_a_hole_to_the_other)
{
    rig r;
    cg_thread *thread = make_curved(&r);
    if (thread != NULL) {
        double hole = thread->arc[thread->slide->anchors[0].vertex], at = hole - 0.5 * SLID, sum, begun;
        bend_at(thread, at);
        begun = middle_of_turns(thread, &sum);
        CHECK_NEAR(begun, at, 0.3e-3);
        CHECK(draw(&r, 1) >= SLID);
        double middle = middle_of_turns(thread, &sum);
        CHECK_NEAR(sum, HUMP_TURN, 1e-9);
        CHECK_NEAR(middle, begun, 1.8e-3);
        CHECK(thread->arc[thread->slide->anchors[0].vertex] < middle - 3e-3); // it has gone through
    }
    cg_world_destroy(r.world);
}

// The needle's last segment is parted at a hole that lies anywhere in it.
TEST(a_hole_that_a_needle_hands_over_leaves_the_curvature_as_it_is)
{
    for (int end = 0; end < 2; end++) {
        rig r;
        cg_thread *thread = make_curved(&r);
        if (thread != NULL) {
            const cg_thread_anchor *near = &thread->slide->anchors[end == 0 ? 0 : HOLES - 1];
            cg_channel_point hole = {.skin = near->tissue,
                                     .triangle = near->triangle,
                                     .cell = -1,
                                     .weights = {near->weights[0], near->weights[1], near->weights[2], 0}};
            int last = thread->vertex_count - 1, from = end == 0 ? 0 : last, to = end == 0 ? 1 : last - 1;
            const cg_vec3 *x = thread->shape.position;
            cg_vec3 place = v3_add_scaled(x[from], 0.3, v3_sub(x[to], x[from]));
            curve_alike(thread);
            CHECK(cg_handover_take(thread, end, &hole, place, (cg_handover_hold){.friction = 0.1}));
            CHECK_INT(cg_slide_count(thread), HOLES + 1);
            CHECK(unevenness(thread) < 1e-6 * CURVATURE);
        }
        cg_world_destroy(r.world);
    }
}

static uint64_t hash_after(rig *r, int steps)
{
    for (int i = 0; i < steps; i++) {
        step_with(r, v3_zero(), v3_scale(0.6, r->out[1]));
    }
    return cg_world_state_hash(r->world);
}

// A set of its own is taken at the holes' sides, and is in the state.
TEST(a_stitched_thread_with_memory_goes_on_alike_from_a_saved_state)
{
    rig r;
    if (make_rig_with_memory(&r, 100e3, 2e-7)) {
        hash_after(&r, 60);
        size_t size = cg_world_snapshot_size(r.world);
        void *state = malloc(size);
        CHECK_STR(cg_world_snapshot(r.world, state, size).message, "");
        uint64_t first = hash_after(&r, 60);
        CHECK_STR(cg_world_restore(r.world, state, size).message, "");
        CHECK_HASH(hash_after(&r, 60), first);
        free(state);
    }
    cg_world_destroy(r.world);
}
