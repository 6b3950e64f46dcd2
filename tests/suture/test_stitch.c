// A stitch through the two lips of a wound: it closes, balances, and outlives rough hands.
#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "stitch_rig.h"
#include "thread/slide.h"
#include "world/world.h"

static double gap_of(const rig *r)
{
    cg_wound_gap gap = cg_tissue_wound_gap(r->world, r->pad, v3(0.1e-3, 0, 0), v3(1, 0, 0), DEPTH);
    CHECK(gap.is_there && gap.top > 0);
    return gap.least;
}

// [N] what the thread does to the pad where it lies on it.
static cg_vec3 load_of_touches(const rig *r)
{
    cg_vec3 sum = v3_zero();
    cg_contact_info contact;
    for (int k = 0; cg_world_get_contact(r->world, k, &contact); k++) {
        sum = contact.threads[0].index != 0 && contact.triangles[1] >= 0 ? v3_sub(sum, contact.force) : sum;
    }
    return sum;
}

TEST(a_stitch_closes_a_wound_and_all_balances)
{
    rig r;
    if (!make_rig(&r, 50e3)) {
        return;
    }
    double open = gap_of(&r), force = 0.5;
    CHECK(open > 0.7 * WIDTH && open < 1.3 * WIDTH); // the mesh has its own idea of an ellipse
    for (int k = 0; k < 900; k++) {
        double now = force * fmin(1, k / 200.0);
        step_with(&r, v3_scale(now, r.out[0]), v3_scale(now, r.out[1]));
    }
    CHECK(gap_of(&r) < 0.6 * open);
    cg_vec3 pad = cg_tissue_get_summary(r.world, r.pad).reaction, thread = v3_scale(force, v3_add(r.out[0], r.out[1]));
    for (int k = 0; k < HOLES; k++) {
        cg_anchor a = {0};
        CHECK(cg_world_get_anchor(r.world, k, &a));
        CHECK(a.offset < 1e-9);
        double ratio = fmax(a.tension[0], a.tension[1]) / fmin(a.tension[0], a.tension[1]);
        CHECK(ratio <= cg_exp(0.15 * a.wrap) * (1 + 1e-6));
        pad = v3_sub(pad, a.force);
        thread = v3_sub(thread, a.force);
    }
    pad = v3_sub(pad, load_of_touches(&r));
    thread = v3_sub(thread, load_of_touches(&r));
    CHECK_NEAR(v3_length(pad), 0, 1e-9);
    CHECK_NEAR(v3_length(thread), 0, 1e-9);
    cg_world_destroy(r.world);
}

// Another thread, held at both ends, comes down into the open wound, upon the span from lip to lip. It lies on it: no
// strand passes another, and what spans a wound or was laid bare is no exception.
TEST(a_strand_does_not_pass_a_bare_span)
{
    enum { VERTICES = 41, STEPS = 300, SPAN = 1 };
    rig r;
    if (!make_rig(&r, 50e3)) {
        return;
    }
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3((i - VERTICES / 2) * 0.25e-3, 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.drag = 100;
    cg_thread_id strand;
    CHECK_STR(cg_world_add_thread(r.world, &def, &strand).message, "");
    for (int k = 0; k < STEPS; k++) {
        for (int end = 0; end < 2; end++) {
            int vertex = end * (VERTICES - 1);
            cg_thread_hold(r.world, strand, vertex, v3_add(points[vertex], v3(0, 0, -3.5e-3 * (k + 1) / STEPS)));
        }
        step_with(&r, v3_scale(0.2, r.out[0]), v3_scale(0.2, r.out[1]));
    }
    cg_anchor lip, other;
    if (!CHECK(cg_world_get_anchor(r.world, SPAN, &lip) && cg_world_get_anchor(r.world, SPAN + 1, &other))) {
        return;
    }
    cg_vec3 middle = cg_thread_positions(r.world, strand, NULL)[VERTICES / 2];
    double share = (middle.y - lip.position.y) / (other.position.y - lip.position.y);
    double height = middle.z - (lip.position.z + share * (other.position.z - lip.position.z));
    CHECK(share > 0.1 && share < 0.9);
    CHECK(height > 1.9 * def.radius && height < 3 * def.radius);
    CHECK(cg_thread_positions(r.world, strand, NULL)[0].z < middle.z - 0.5e-3); // it was drawn further down
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}

// A small ball at the end of the thread: a joint, and nothing on the pad.
static cg_rigid_id add_ball(rig *r)
{
    cg_rigid_part part = {{CG_SHAPE_SPHERE, 0.5e-3, 0, v3_zero()}, {v3_zero(), {0, 0, 0, 1}}};
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_id id;
    def.parts = &part;
    def.part_count = 1;
    def.mass = 1e-6;
    def.pose.position = cg_thread_positions(r->world, r->thread, NULL)[0];
    CHECK_STR(cg_world_add_rigid(r->world, &def, &id).message, "");
    CHECK_STR(cg_thread_swage(r->world, r->thread, CG_START, id, v3_zero()).message, "");
    return id;
}

// Anchors pull at the pad once, however often the forces at the ball are solved.
TEST(anchors_balance_with_a_body_at_the_thread)
{
    rig r;
    if (!make_rig(&r, 50e3)) {
        return;
    }
    add_ball(&r);
    for (int side = 0; side < 2; side++) { // steeper: nothing of it lies on the pad
        r.out[side] = v3_unit_or(v3_add(r.out[side], v3(0, 0, 0.5)), v3_zero());
    }
    for (int k = 0; k < 900; k++) {
        double now = 0.5 * fmin(1, k / 200.0);
        step_with(&r, v3_scale(now, r.out[0]), v3_scale(now, r.out[1]));
    }
    cg_vec3 pad = cg_tissue_get_summary(r.world, r.pad).reaction, thread = v3_scale(0.5, v3_add(r.out[0], r.out[1]));
    for (int k = 0; k < HOLES; k++) {
        cg_anchor a = {.offset = 1};
        CHECK(cg_world_get_anchor(r.world, k, &a) && a.offset < 1e-9);
        pad = v3_sub(pad, a.force);
        thread = v3_sub(thread, a.force);
    }
    pad = v3_sub(pad, load_of_touches(&r));
    thread = v3_sub(thread, load_of_touches(&r));
    CHECK_NEAR(v3_length(pad), 0, 1e-9);
    CHECK_NEAR(v3_length(thread), 0, 1e-9);
    cg_world_destroy(r.world);
}

// All that must hold of anchors after any step.
// Drawn taut by both ends, one of them a body: while thread slides with friction through its holes, forces and motions
// at its end answer each other unevenly. What is fastened there stays fastened, and steps converge.
TEST(a_body_draws_a_taut_stitch)
{
    enum { STEPS = 200, RISE = 250 }; // the lips do not meet yet
    rig r;
    if (!make_rig(&r, 50e3)) {
        return;
    }
    cg_rigid_id ball = add_ball(&r);
    double farthest = 0;
    for (int k = 0; k < STEPS; k++) {
        double force = 0.5 * k / RISE;
        cg_swage_info swage = {0};
        cg_rigid_push(r.world, ball, v3_scale(force, r.out[0]), cg_rigid_get_pose(r.world, ball).position);
        step_with(&r, v3_zero(), v3_scale(0.8 * force, r.out[1]));
        CHECK(cg_thread_get_swage(r.world, r.thread, CG_START, &swage));
        farthest = fmax(farthest, swage.apart);
    }
    cg_world_stats stats = cg_world_get_stats(r.world);
    CHECK(farthest < 1e-12); // 0.1 mm, and no step converged, where the joint was taken for an even one
    CHECK_INT((int)(stats.unconverged_steps + stats.jammed_slides + stats.unfinished_steps), 0);
    cg_world_destroy(r.world);
}

static bool is_sound(const rig *r)
{
    const cg_thread *t = cg_world_find_thread(r->world, r->thread);
    double arc = 0;
    bool sound = cg_slide_is_sound(t) && cg_world_anchors_are_sound(r->world) && cg_thread_check(t).code == CG_OK;
    for (int k = 0; k < cg_world_anchor_count(r->world); k++) {
        cg_anchor a = {0};
        cg_world_get_anchor(r->world, k, &a);
        sound = sound && a.arc > arc && v3_is_finite(a.force) && a.offset < 5e-3;
        arc = a.arc;
    }
    int inverted = cg_tissue_get_summary(r->world, r->pad).inverted_cells;
    return sound && inverted == 0;
}

TEST(rough_pulls_leave_all_in_order_and_let_go)
{
    uint64_t random = 7;
    int rounds = test_count(1, 60);
    for (int round = 0; round < rounds; round++) {
        rig r;
        if (!make_rig(&r, 100e3)) {
            return;
        }
        for (int k = 0; k < 8; k++) {
            cg_vec3 before = any_pull(&random, 1.5), behind = any_pull(&random, 1.5);
            for (int i = 0; i < 25; i++) {
                step_with(&r, before, behind);
            }
            CHECK(is_sound(&r));
        }
        // One end is let go, the other drawn until all is out.
        int steps = 0;
        for (; steps < 2500 && cg_world_anchor_count(r.world) > 0; steps++) {
            step_with(&r, v3_zero(), v3(0, 0.1, 0.4));
        }
        CHECK(is_sound(&r));
        CHECK_INT(cg_world_anchor_count(r.world), 0);
        cg_world_destroy(r.world);
    }
}

TEST(a_restored_stitch_goes_on_to_the_bit)
{
    rig r;
    if (!make_rig(&r, 100e3)) {
        return;
    }
    for (int k = 0; k < 150; k++) {
        step_with(&r, v3_scale(0.005 * k, r.out[0]), v3_scale(0.004 * k, r.out[1]));
    }
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    uint64_t hashes[2];
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    for (int time = 0; time < 2; time++) {
        for (int k = 0; k < 80; k++) {
            step_with(&r, v3_scale(0.8, r.out[0]), v3_scale(1.0, r.out[1]));
        }
        hashes[time] = cg_world_state_hash(r.world);
        CHECK_STR(time == 0 ? cg_world_restore(r.world, bytes, size).message : "", "");
    }
    CHECK_HASH(hashes[1], hashes[0]);
    free(bytes);
    cg_world_destroy(r.world);
}
