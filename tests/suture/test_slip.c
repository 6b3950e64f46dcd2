// A thread that slides through one point of a pad: the capstan law.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "thread/slide.h"
#include "world/world.h"

enum { POINTS = 161 };
static const double SPACING = 0.5e-3;

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_vec3 out[2]; // directions of the two sides
    double time_step;
} rig;

typedef struct rig_def {
    double wrap, friction, young, time_step, grip;
    bool fixed;
} rig_def;

static bool make_rig(rig *r, const rig_def *d)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[POINTS];
    double up = 0.5 * d->wrap;
    r->out[0] = v3(0, -cg_cos(up), cg_sin(up));
    r->out[1] = v3(0, cg_cos(up), cg_sin(up));
    r->time_step = world.time_step = d->time_step;
    world.gravity = v3_zero();
    for (int i = 0; i < POINTS; i++) {
        int from = i - POINTS / 2;
        points[i] = v3_scale(SPACING * abs(from), r->out[from > 0]);
    }
    pad.size = v3(24e-3, 20e-3, 0);
    pad.layers[0].thickness = 8e-3;
    pad.layers[0].material.young = d->young;
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.drag = 20;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    if (!CHECK_STR(cg_world_create(&world, &r->world).message, "") ||
        !CHECK_STR(cg_world_add_tissue(r->world, &pad, &r->pad).message, "") ||
        !CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "")) {
        return false;
    }
    int nodes;
    cg_tissue_positions(r->world, r->pad, &nodes);
    for (int i = 0; i < nodes && d->fixed; i++) {
        cg_tissue_fix(r->world, r->pad, i, true);
    }
    cg_vec3 hole = v3_zero();
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = r->thread;
    stitch.tissue = r->pad;
    stitch.points = &hole;
    stitch.point_count = 1;
    stitch.friction = d->friction;
    stitch.grip = d->grip;
    return CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
}

static void pull(rig *r, double before, double behind)
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    cg_thread_push_vertex(r->world, r->thread, 0, v3_scale(before, r->out[0]));
    cg_thread_push_vertex(r->world, r->thread, count - 1, v3_scale(behind, r->out[1]));
}

static cg_anchor anchor_of(const rig *r)
{
    cg_anchor anchor = {0};
    CHECK(cg_world_get_anchor(r->world, 0, &anchor));
    return anchor;
}

// [N] at which thread goes through behind the anchor, with a weight before it.
static double pull_at_onset(rig *r, double weight, double rise)
{
    double most = weight;
    for (int k = 0; k < 300; k++) {
        pull(r, weight * fmin(1, k / 100.0), weight * fmin(1, k / 100.0));
        cg_world_step(r->world);
    }
    for (int k = 0; k < 4000 && anchor_of(r).slip == 0; k++, most += rise) {
        pull(r, weight, most);
        cg_world_step(r->world);
    }
    return most;
}

// Both ends are drawn by the same force, slowly.
static void settle(rig *r, double weight)
{
    for (int k = 0; k < 200; k++) {
        pull(r, weight * fmin(1, k / 100.0), weight * fmin(1, k / 100.0));
        cg_world_step(r->world);
    }
}

// Draws the far end at a speed [m/s] for so many steps, with a weight at the other one, and looks at the pull ratio
// over the second half.
static void draw(rig *r, double speed, double weight, int steps, double ratios[2])
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    cg_vec3 from = cg_thread_positions(r->world, r->thread, NULL)[count - 1];
    ratios[0] = HUGE_VAL;
    ratios[1] = 0;
    for (int k = 0; k < steps && cg_world_anchor_count(r->world) > 0; k++) {
        cg_thread_positions(r->world, r->thread, &count);
        double t = k * r->time_step, ease = 0.05, way = t < ease ? speed * t * t / (2 * ease) : speed * (t - ease / 2);
        cg_thread_hold(r->world, r->thread, count - 1, v3_add_scaled(from, way, r->out[1]));
        cg_thread_push_vertex(r->world, r->thread, 0, v3_scale(weight, r->out[0]));
        cg_world_step(r->world);
        cg_anchor a;
        if (k > steps / 2 && cg_world_get_anchor(r->world, 0, &a)) {
            ratios[0] = fmin(ratios[0], a.tension[1] / a.tension[0]);
            ratios[1] = fmax(ratios[1], a.tension[1] / a.tension[0]);
        }
    }
}

static const rig_def RIGID = {.wrap = CG_PI / 2, .friction = 0.3, .young = 100e3, .time_step = 1e-3, .fixed = true};
static const rig_def SOFT = {.wrap = CG_PI / 2, .friction = 0.3, .young = 100e3, .time_step = 1e-3};

TEST(thread_begins_to_slide_as_round_a_capstan)
{
    const double degrees[] = {40, 90, 150};
    for (int k = 0; k < 6; k++) {
        rig r;
        rig_def d = k % 2 == 0 ? RIGID : SOFT;
        d.wrap = degrees[k / 2] * CG_PI / 180;
        if (make_rig(&r, &d)) {
            double onset = pull_at_onset(&r, 0.5, 5e-4), law = cg_exp(d.friction * anchor_of(&r).wrap);
            CHECK_NEAR(onset / 0.5, law, 0.004 * law);
        }
        cg_world_destroy(r.world);
    }
}

TEST(a_grip_holds_without_a_bend)
{
    rig r;
    rig_def d = RIGID;
    d.friction = 0;
    d.grip = 0.2;
    if (make_rig(&r, &d)) {
        CHECK_NEAR(pull_at_onset(&r, 0.5, 5e-4), 0.7, 0.002);
    }
    cg_world_destroy(r.world);
}

TEST(what_slides_pulls_by_the_law)
{
    rig r;
    double ratios[2];
    if (make_rig(&r, &SOFT)) {
        settle(&r, 0.5);
        draw(&r, 0.05, 0.5, 400, ratios);
        double law = cg_exp(SOFT.friction * anchor_of(&r).wrap);
        CHECK_NEAR(ratios[0], law, 0.005 * law);
        CHECK_NEAR(ratios[1], law, 0.005 * law);
        CHECK(cg_world_get_stats(r.world).unfinished_steps == 0);
    }
    cg_world_destroy(r.world);
}

TEST(the_end_slides_out)
{
    rig r;
    double ratios[2];
    if (make_rig(&r, &SOFT)) {
        int before;
        double length = cg_thread_get_summary(r.world, r.thread).rest_length;
        cg_thread_positions(r.world, r.thread, &before);
        draw(&r, 0.2, 0.1, 600, ratios);
        CHECK_INT(cg_world_anchor_count(r.world), 0);
        CHECK_NEAR(cg_thread_get_summary(r.world, r.thread).rest_length, length, 1e-12);
        for (int k = 0; k < 100; k++) {
            cg_world_step(r.world);
        }
        int count;
        const cg_vec3 *x = cg_thread_positions(r.world, r.thread, &count);
        CHECK(count > before / 2 && count < 2 * before);
        CHECK(v3_is_finite(x[0]) && v3_length(x[0]) < 0.2);
    }
    cg_world_destroy(r.world);
}

TEST(a_restored_world_slides_on_to_the_bit)
{
    rig r;
    double ratios[2];
    if (!make_rig(&r, &SOFT)) {
        return;
    }
    draw(&r, 0.1, 0.5, 137, ratios);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    draw(&r, 0.1, 0.5, 60, ratios);
    uint64_t hash = cg_world_state_hash(r.world);
    CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
    draw(&r, 0.1, 0.5, 60, ratios);
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    // A state whose anchor is nowhere is refused, and nothing is lost.
    cg_thread_anchor *a = &cg_world_find_thread(r.world, r.thread)->slide->anchors[0];
    int triangle = a->triangle;
    a->triangle = 1 << 20;
    free(bytes);
    size = cg_world_snapshot_size(r.world);
    bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    a->triangle = triangle;
    CHECK(cg_world_restore(r.world, bytes, size).code != CG_OK);
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    free(bytes);
    cg_world_destroy(r.world);
}

TEST(a_step_takes_no_memory)
{
    rig r;
    double ratios[2];
    if (make_rig(&r, &SOFT)) {
        draw(&r, 0.1, 0.5, 40, ratios);
        long before = test_allocations();
        draw(&r, 0.1, 0.5, 40, ratios);
        CHECK_INT(test_allocations() - before, 0);
    }
    cg_world_destroy(r.world);
}

TEST(bad_stitches_are_refused)
{
    rig r;
    if (!make_rig(&r, &SOFT)) {
        return;
    }
    uint64_t hash = cg_world_state_hash(r.world);
    cg_vec3 far[2] = {v3(0, 0, 5e-3), v3(1e-3, 0, 0)}, beside = v3(8e-3, 0, 0);
    cg_stitch_def good = cg_stitch_def_default(), def;
    good.thread = r.thread;
    good.tissue = r.pad;
    good.points = &beside;
    good.point_count = 1;
    def = good;
    def.thread.index = 99;
    CHECK_INT(cg_world_add_stitch(r.world, &def).code, CG_BAD_HANDLE);
    def = good;
    def.friction = -1;
    CHECK_INT(cg_world_add_stitch(r.world, &def).code, CG_BAD_INPUT);
    def = good;
    def.grip = NAN;
    CHECK_INT(cg_world_add_stitch(r.world, &def).code, CG_BAD_INPUT);
    def = good;
    def.point_count = CG_STITCH_MOST_POINTS + 1;
    CHECK_INT(cg_world_add_stitch(r.world, &def).code, CG_BAD_INPUT);
    def = good;
    def.points = far; // not on the surface
    CHECK_INT(cg_world_add_stitch(r.world, &def).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_add_stitch(r.world, &good).code, CG_BAD_INPUT); // the thread is not there
    cg_thread_id part;
    CHECK_INT(cg_world_cut_thread(r.world, r.thread, 20e-3, &part).code,
              CG_FULL); // outside of tissue, but no part is kept
    CHECK_HASH(cg_world_state_hash(r.world), hash);
    CHECK_INT(cg_world_anchor_count(r.world), 1);
    CHECK_STR(cg_world_remove_tissue(r.world, r.pad).message, "");
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    cg_world_step(r.world);
    cg_world_destroy(r.world);
}

// How a segment at an anchor answers to its length, against differences of whole solutions.
TEST(responses_to_lengths_are_those_of_the_equations)
{
    rig r;
    double ratios[2];
    if (!make_rig(&r, &SOFT)) {
        return;
    }
    draw(&r, 0.02, 0.5, 60, ratios);
    cg_thread *thread = cg_world_find_thread(r.world, r.thread);
    cg_step_context context = {.time_step = 1e-3, .inverse_step = 1e3};
    cg_thread_begin_step(thread, &context);
    thread->cautious = true;
    int first = thread->slide->segments[0];
    double pulls[2][2], delta = 1e-9;
    for (int k = 0; k < 2; k++) {
        thread->rest_length[first] += k * delta;
        cg_thread_assemble(thread, &context);
        cg_thread_eliminate_holds(thread);
        cg_thread_factorise(thread, &context);
        for (int i = 0; i < thread->vertex_count; i++) {
            thread->move[i] = thread->rhs[i];
        }
        cg_band_solve(&thread->factor, thread->move, thread->move);
        for (int e = 0; e < 2; e++) {
            int i = thread->slide->segments[e];
            double longer = v3_dot(thread->shape.tangent[i], v3_sub(thread->move[i + 1], thread->move[i]));
            pulls[k][e] = thread->stretch_rate[i] * (thread->shape.length[i] + longer - thread->rest_length[i]);
        }
    }
    for (int e = 0; e < 2; e++) {
        double rate = thread->slide->rate[e][0];
        CHECK_NEAR((pulls[1][e] - pulls[0][e]) / delta, rate, 1e-4 * fabs(rate) + 1e-3);
    }
    cg_world_destroy(r.world);
}
