// Threads that slide through holes by the laws of the VTE text: each formula at states made by hand, the order of
// holes, friction, and that steps go by what the formulas say.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "stitch_rig.h"
#include "thread/slide.h"
#include "world/world.h"

static const cg_slip NEEDLE = {.law = CG_SLIP_NEEDLE, .per_force = 2e-5, .friction = 0.2};
static const cg_slip TENSION = {.law = CG_SLIP_TENSION, .per_force = 2e-5, .per_turn = 1e-5, .friction = 0.2};

// The stitch of four holes, whose thread slides by that law.
static cg_thread *make_thread(rig *r, const cg_slip *slip)
{
    if (!make_rig(r, 100e3)) {
        return NULL;
    }
    cg_thread *thread = cg_world_find_thread(r->world, r->thread);
    thread->slip = *slip;
    return thread;
}

// The thread turns by 90 degrees at every hole, from x to y and back to x, so that (1, 1, 0) / sqrt 2 is along it at
// all of them; it pulls at none, and is as long as it wants to be.
static void bend_by_hand(cg_thread *thread)
{
    for (int i = 0; i < thread->segment_count; i++) {
        thread->shape.length[i] = thread->rest_length[i];
    }
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        thread->shape.tangent[a->vertex - 1] = k % 2 == 0 ? v3(1, 0, 0) : v3(0, 1, 0);
        thread->shape.tangent[a->vertex] = k % 2 == 0 ? v3(0, 1, 0) : v3(1, 0, 0);
        a->force = v3_zero();
    }
}

TEST(on_a_needle_it_slips_by_the_force_along_it)
{
    rig r;
    cg_thread *thread = make_thread(&r, &NEEDLE);
    if (thread != NULL) {
        cg_thread_anchor *a = &thread->slide->anchors[1];
        bend_by_hand(thread);
        a->grip = 0.3;
        a->force = v3(3, 1, 7); // along (1, 1, 0) / sqrt 2: 2.828 N, of which 0.3 + 0.2 N are held back
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), 2e-5 * (2.8284271247461903 - 0.5), 1e-18);
        a->force = v3(-3, -1, 7);
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), -2e-5 * (2.8284271247461903 - 0.5), 1e-18);
        a->force = v3(0.3, 0.4, 7); // 0.495 N: below friction
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), 0, 0);
        a->force = v3(3, 1, 7);
        thread->shape.tangent[a->vertex] = v3(0, -1, 0); // it doubles back: no way is along it
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), 0, 0);
    }
    cg_world_destroy(r.world);
}

// 100 N of stiffness in 0.1 m: 1 N for each millimetre by which a stretch is longer.
static void stretch_by_hand(cg_thread *thread)
{
    bend_by_hand(thread);
    thread->stretch_stiffness = 100;
    thread->arc[thread->segment_count] = 0.1;
}

TEST(on_a_suture_it_slips_by_tensions_and_the_force_along_it)
{
    rig r;
    cg_thread *thread = make_thread(&r, &TENSION);
    if (thread != NULL) {
        cg_thread_anchor *a = &thread->slide->anchors[1];
        stretch_by_hand(thread);
        a->grip = 0.3;
        a->force = v3(3, 1, 7);
        thread->shape.length[a->vertex - 1] += 3e-3;
        thread->shape.length[a->vertex] += 8e-3;
        // 2e-5 m/N of 5 N, 1e-5 m/N of (1, 1, 0) . F = 4 N, less 2e-5 m/N of 0.5 N
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), 1.3e-4, 1e-16);
        thread->shape.tangent[a->vertex] = v3(0, -1, 0); // it doubles back: tensions alone
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), 9e-5, 1e-16);
        thread->shape.length[a->vertex] -= 5.4e-3; // 0.4 N less than before it
        CHECK_NEAR(cg_slide_lawful_slip(thread, 1), 0, 0);
    }
    cg_world_destroy(r.world);
}

TEST(a_tension_is_that_of_a_whole_stretch)
{
    rig r;
    cg_thread *thread = make_thread(&r, &TENSION);
    if (thread != NULL) {
        cg_thread_anchor *a = &thread->slide->anchors[0];
        stretch_by_hand(thread);
        thread->shape.length[0] += 1e-3; // all of it up to the end counts
        thread->shape.length[a->vertex - 1] += 1e-3;
        thread->shape.length[a->vertex] += 3e-3;
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), 2e-5 * (3 - 2 - 0.2), 1e-17);
        thread->shape.length[a->vertex] -= 10e-3; // slack: it does not push
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), -2e-5 * (2 - 0.2), 1e-17);
    }
    cg_world_destroy(r.world);
}

// Drawn by one end, straight through: both terms lead to that end.
TEST(both_terms_agree)
{
    rig r;
    cg_thread *thread = make_thread(&r, &TENSION);
    if (thread != NULL) {
        cg_thread_anchor *a = &thread->slide->anchors[0];
        stretch_by_hand(thread);
        thread->shape.tangent[a->vertex] = v3(1, 0, 0);
        thread->shape.length[a->vertex] += 2e-3;
        a->force = v3(2, 0, 0);
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), 2e-5 * (2 - 0.2) + 1e-5 * 4, 1e-17);
    }
    cg_world_destroy(r.world);
}

TEST(a_slip_that_is_blocked_is_handed_on)
{
    rig r;
    cg_slip far = {.law = CG_SLIP_NEEDLE, .per_force = 1};
    cg_thread *thread = make_thread(&r, &far);
    if (thread != NULL) {
        cg_thread_anchor *a = thread->slide->anchors;
        double least = cg_slide_least_length(thread), first = thread->rest_length[a[0].vertex - 1];
        bend_by_hand(thread);
        a[2].force = v3(3, 4, 0); // 7 / sqrt 2 m: past the hole before it
        double slip = cg_slide_lawful_slip(thread, 2);
        CHECK_NEAR(slip, 7 / sqrt(2), 1e-14);
        cg_slide_find_drifts(thread);
        CHECK(a[2].drift == 0 && a[1].drift == 0 && a[1].handed == slip);
        a[2].force = v3_zero();
        cg_slide_find_drifts(thread); // and past the next one
        CHECK(a[1].drift == 0 && a[1].handed == 0 && a[0].handed == slip);
        cg_slide_find_drifts(thread); // before which there is only thread
        CHECK_NEAR(a[0].drift, first - least, 1e-15);
        CHECK(a[0].handed == 0);
        cg_slide_find_drifts(thread);
        CHECK(a[0].drift == 0);
    }
    cg_world_destroy(r.world);
}

// Two holes that draw on the thread between them get no more than there is.
TEST(holes_that_come_together_do_not_pass_each_other)
{
    rig r;
    cg_slip far = {.law = CG_SLIP_NEEDLE, .per_force = 1};
    cg_thread *thread = make_thread(&r, &far);
    if (thread != NULL) {
        cg_thread_anchor *a = thread->slide->anchors;
        double room = thread->rest_length[a[1].vertex] - cg_slide_least_length(thread);
        bend_by_hand(thread);
        a[1].force = v3(0, -0.6 * sqrt(2) * room, 0);
        a[2].force = v3(0, 0.3 * sqrt(2) * room, 0);
        cg_slide_find_drifts(thread);
        CHECK_NEAR(a[1].drift, -0.6 * room, 1e-15);
        CHECK_NEAR(a[2].drift, 0.3 * room, 1e-15);
        a[2].force = v3(0, 0.6 * sqrt(2) * room, 0);
        cg_slide_find_drifts(thread);
        CHECK_NEAR(a[1].drift, -0.6 * room, 1e-15);
        CHECK(a[2].drift == 0);
        CHECK_NEAR(a[1].handed, 0.6 * room, 1e-15);
    }
    cg_world_destroy(r.world);
}

TEST(a_hole_that_has_not_slid_on_comes_off_a_needle_without_friction)
{
    rig r;
    cg_thread *thread = make_thread(&r, &NEEDLE);
    if (thread != NULL) {
        cg_thread_anchor *a = &thread->slide->anchors[0];
        bend_by_hand(thread);
        a->grip = 10;
        a->force = v3(1, 1, 0); // 1.414 N, off the start
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), 0, 0);
        thread->arc[a->vertex] = 0.5 * cg_slide_mouth(thread); // as near to the start as where holes come from
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), 2e-5 * sqrt(2), 1e-18);
        a->force = v3(-1, -1, 0); // farther on
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), 0, 0);
        thread->arc[a->vertex] = 2 * cg_slide_mouth(thread);
        cg_slide_find_drifts(thread); // it has gone on, and comes back
        thread->arc[a->vertex] = 0.5 * cg_slide_mouth(thread);
        a->force = v3(1, 1, 0);
        CHECK_NEAR(cg_slide_lawful_slip(thread, 0), 0, 0);
    }
    cg_world_destroy(r.world);
}

// Pulls differ and the tissue gives way, but no hole bears as much as friction holds.
TEST(below_friction_nothing_slides)
{
    for (int law = 0; law < 2; law++) {
        rig r;
        cg_slip slip = law == 0 ? NEEDLE : TENSION;
        slip.friction = 3;
        cg_thread *thread = make_thread(&r, &slip);
        double arcs[HOLES];
        for (int k = 0; thread != NULL && k < HOLES; k++) {
            arcs[k] = thread->arc[thread->slide->anchors[k].vertex];
        }
        for (int i = 0; thread != NULL && i < 150; i++) {
            step_with(&r, v3_scale(0.2, r.out[0]), v3_scale(0.8, r.out[1]));
        }
        for (int k = 0; thread != NULL && k < HOLES; k++) {
            const cg_thread_anchor *a = &thread->slide->anchors[k];
            CHECK((k > 0 && k + 1 < HOLES) || v3_length(a->force) > 0.15); // the outer ones are drawn
            CHECK(a->slip == 0);
            CHECK_NEAR(thread->arc[a->vertex], arcs[k], 1e-15);
        }
        cg_world_destroy(r.world);
    }
}

// Steps with unequal pulls, in which each hole slips by what its law said before. Returns how much went through.
static double slide_by_the_law(rig *r, const cg_thread *thread, int steps)
{
    double through = 0;
    for (int i = 0; i < steps && cg_slide_count(thread) == HOLES; i++) {
        double lawful[HOLES];
        for (int k = 0; k < HOLES; k++) {
            lawful[k] = cg_slide_lawful_slip(thread, k);
        }
        step_with(r, v3_scale(0.1, r->out[0]), v3_scale(0.6 * fmin(1, i / 50.0), r->out[1]));
        for (int k = 0; k < HOLES; k++) {
            const cg_thread_anchor *a = &thread->slide->anchors[k];
            CHECK_NEAR(a->slip, lawful[k], 1e-12);
            through += fabs(a->slip);
        }
    }
    return through;
}

TEST(steps_slide_by_the_law)
{
    for (int law = 0; law < 2; law++) {
        rig r;
        cg_slip slip = law == 0 ? NEEDLE : TENSION;
        slip.friction = 0.02;
        cg_thread *thread = make_thread(&r, &slip);
        if (thread != NULL) {
            double length = cg_thread_get_summary(r.world, r.thread).rest_length;
            CHECK(slide_by_the_law(&r, thread, 200) > 1e-3);
            CHECK_NEAR(cg_thread_get_summary(r.world, r.thread).rest_length, length, 1e-12);
            CHECK(cg_world_get_stats(r.world).unfinished_steps == 0);
        }
        cg_world_destroy(r.world);
    }
}

TEST(rough_pulls_keep_the_order)
{
    uint64_t random = 11;
    for (int law = 0; law < 2; law++) {
        rig r;
        cg_thread *thread = make_thread(&r, law == 0 ? &NEEDLE : &TENSION);
        for (int k = 0; thread != NULL && k < test_count(5, 100); k++) {
            cg_vec3 before = any_pull(&random, 1.5), behind = any_pull(&random, 1.5);
            for (int i = 0; i < 25; i++) {
                step_with(&r, before, behind);
                double shortest = HUGE_VAL;
                for (int a = 0; a < cg_slide_count(thread); a++) {
                    int vertex = thread->slide->anchors[a].vertex;
                    shortest = fmin(shortest, fmin(thread->rest_length[vertex - 1], thread->rest_length[vertex]));
                }
                CHECK(shortest > (1 - 1e-9) * cg_slide_least_length(thread));
                CHECK(cg_slide_is_sound(thread) && cg_world_anchors_are_sound(r.world));
            }
            CHECK(cg_thread_check(thread).code == CG_OK);
        }
        cg_world_destroy(r.world);
    }
}

TEST(a_restored_world_goes_on_to_the_bit)
{
    rig r;
    cg_thread *thread = make_thread(&r, &NEEDLE);
    if (thread == NULL) {
        return;
    }
    cg_vec3 pull = v3_scale(0.8, r.out[1]);
    for (int i = 0; i < 60; i++) {
        step_with(&r, v3_zero(), pull);
    }
    thread->slide->anchors[1].handed = 1e-5;
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    step_with(&r, v3_zero(), pull);
    step_with(&r, v3_zero(), pull);
    uint64_t hash = cg_world_state_hash(r.world);
    thread->slide->anchors[1].has_slid_on = false;
    CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
    CHECK(thread->slide->anchors[1].handed == 1e-5 && thread->slide->anchors[1].has_slid_on);
    step_with(&r, v3_zero(), pull);
    step_with(&r, v3_zero(), pull);
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    // Not by a thread of another law, and nothing is lost.
    thread->slip.law = CG_SLIP_TENSION;
    CHECK(cg_world_restore(r.world, bytes, size).code != CG_OK);
    thread->slip.law = CG_SLIP_CAPSTAN;
    CHECK(cg_world_restore(r.world, bytes, size).code != CG_OK);
    thread->slip.law = CG_SLIP_NEEDLE;
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    free(bytes);
    cg_world_destroy(r.world);
}

TEST(laws_that_cannot_be_are_refused)
{
    const cg_slip bad[] = {{.law = (cg_slip_law)4, .per_force = 1e-5},
                           {.law = CG_SLIP_NEEDLE},
                           {.law = CG_SLIP_NEEDLE, .per_force = NAN},
                           {.law = CG_SLIP_NEEDLE, .per_force = 2},
                           {.law = CG_SLIP_TENSION, .per_force = 1e-5, .per_turn = -1e-5},
                           {.law = CG_SLIP_TENSION, .per_force = 1e-5, .friction = -1},
                           {.law = CG_SLIP_TENSION, .per_force = 1e-5, .friction = NAN}};
    cg_world_def world_def = cg_world_def_default();
    cg_world *world;
    cg_vec3 points[2] = {v3(0, 0, 0), v3(1e-2, 0, 0)};
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id id;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    def.vertex_count = 2;
    def.positions = points;
    for (int k = 0; k < (int)(sizeof bad / sizeof bad[0]); k++) {
        def.slip = bad[k];
        CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    }
    def.slip = TENSION;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    CHECK(cg_world_find_thread(world, id)->slip.law == CG_SLIP_TENSION);
    CHECK_NEAR(cg_world_find_thread(world, id)->slip.friction, 0.2, 0);
    cg_world_destroy(world);
}
