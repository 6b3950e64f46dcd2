// Bites by portal springs: force and stiffness against their energy, halves for both holes, vertices that go through,
// ends that go out, and states.
#include <stdlib.h>
#include <string.h>

#include "catgut/catgut.h"
#include "linalg/band.h"
#include "stitch_rig.h"
#include "thread/slide.h"
#include "world/world.h"

static cg_thread *make_portals(rig *r, double young)
{
    return make_rig_of(r, young, 0, CG_SLIP_PORTAL) ? cg_world_find_thread(r->world, r->thread) : NULL;
}

// Both ends pulled for a while, so that the bites are aimed and under load.
static void load_bites(rig *r, int steps)
{
    for (int k = 0; k < steps; k++) {
        step_with(r, v3_scale(0.3, r->out[0]), v3_scale(0.3, r->out[1]));
    }
}

static void fill_rows(cg_thread *thread)
{
    memset(thread->rows, 0, sizeof *thread->rows * (size_t)thread->vertex_count);
    memset(thread->rhs, 0, sizeof *thread->rhs * (size_t)thread->vertex_count);
    cg_portal_add_rows(thread);
}

// The coordinate n of the positions, moved by h.
static void nudge(cg_thread *thread, int n, double h)
{
    (&thread->shape.position[0].x)[n] += h;
}

static double entry(const cg_thread *thread, int row, int column)
{
    static const int upper[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    int i = row / 3, j = column / 3, a = row % 3, b = column % 3;
    if (i == j) {
        return thread->rows[i].diagonal[upper[a][b]];
    }
    return i == j + 1 ? thread->rows[j].next[3 * a + b] : (j == i + 1 ? thread->rows[i].next[3 * b + a] : 0);
}

TEST(force_and_stiffness_are_those_of_the_energy)
{
    rig r;
    cg_thread *thread = make_portals(&r, 100e3);
    uint64_t random = 3;
    load_bites(&r, thread != NULL ? 20 : 0);
    for (int i = 0; thread != NULL && i < thread->vertex_count; i++) {
        cg_vec3 by = v3(test_random(&random, -1, 1), test_random(&random, -1, 1), test_random(&random, -1, 1));
        thread->shape.position[i] = v3_add_scaled(thread->shape.position[i], 0.1 * SPACING, by);
    }
    for (int k = 0; thread != NULL && k < HOLES; k++) {
        int vertex = thread->slide->anchors[k].vertex;
        for (int n = 3 * vertex; n < 3 * vertex + 3; n++) {
            double h = 1e-7, energy[2];
            cg_vec3 rhs[2][2];
            for (int side = 0; side < 2; side++) {
                nudge(thread, n, side == 0 ? -h : h);
                energy[side] = cg_portal_energy(thread, thread->shape.position);
                fill_rows(thread);
                memcpy(rhs[side], &thread->rhs[k % 2 == 0 ? vertex : vertex - 1], sizeof rhs[side]);
                nudge(thread, n, side == 0 ? h : -h);
            }
            fill_rows(thread);
            double slope = (energy[1] - energy[0]) / (2 * h);
            CHECK_NEAR((&thread->rhs[0].x)[n], -slope, 1e-5 * (1 + fabs(slope)));
            int first = 3 * (k % 2 == 0 ? vertex : vertex - 1);
            for (int m = 0; m < 6; m++) {
                double stiffness = -((&rhs[1][0].x)[m] - (&rhs[0][0].x)[m]) / (2 * h);
                CHECK_NEAR(entry(thread, first + m, n), stiffness, 1e-6 * thread->stretch_stiffness / SPACING);
            }
        }
    }
    cg_world_destroy(r.world);
}

// At rest what holds the pad is what pulls the thread; each bite has one force, half of it at each hole.
TEST(a_bite_is_pulled_by_halves)
{
    rig r;
    cg_thread *thread = make_portals(&r, 100e3);
    load_bites(&r, thread != NULL ? 400 : 0);
    cg_vec3 all = v3_zero(), pulls = v3_scale(0.3, v3_add(r.out[0], r.out[1]));
    for (int k = 0; thread != NULL && k < HOLES; k++) {
        cg_anchor a;
        CHECK(cg_world_get_anchor(r.world, k, &a));
        all = v3_add(all, a.force);
        CHECK_NEAR(a.tension[k % 2 == 0 ? 1 : 0], 0.3, 0.006); // nothing rubs
        if (k % 2 == 1) {
            CHECK(v3_distance(a.force, thread->slide->anchors[k - 1].force) == 0);
        }
    }
    CHECK_NEAR(v3_distance(all, pulls), 0, 1e-4);
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}

// 15 mm drawn through both bites, 30 vertices: none is lost, and what was drawn is behind.
TEST(vertices_go_through)
{
    rig r;
    cg_thread *thread = make_portals(&r, 1e6);
    if (thread == NULL) {
        return;
    }
    int count = thread->vertex_count, before = thread->slide->anchors[0].vertex;
    double length = thread->arc[thread->segment_count];
    cg_vec3 end = thread->shape.position[count - 1];
    double least = 1e9, most = 0;
    for (int k = 0; k <= 300; k++) {
        cg_anchor first, last;
        cg_thread_push_vertex(r.world, r.thread, 0, v3_scale(0.1, r.out[0]));
        cg_thread_hold(r.world, r.thread, count - 1, v3_add_scaled(end, 15e-3 * k / 300, r.out[1]));
        cg_world_step(r.world);
        cg_world_get_anchor(r.world, 0, &first);
        cg_world_get_anchor(r.world, HOLES - 1, &last);
        if (k > 100) {
            double ratio = last.tension[1] / first.tension[0];
            least = ratio < least ? ratio : least;
            most = ratio > most ? ratio : most;
        }
        CHECK(cg_slide_is_sound(thread) && cg_world_anchors_are_sound(r.world));
    }
    CHECK_INT(thread->vertex_count, count);
    CHECK_NEAR(thread->arc[thread->segment_count], length, 1e-12);
    CHECK(before - thread->slide->anchors[0].vertex >= 26);
    CHECK(least > 0.5 && most < 2);
    cg_world_destroy(r.world);
}

// The last vertex is led away at 0.3 m/s.
static void draw_on(rig *r, cg_vec3 *at, cg_vec3 way)
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    *at = v3_add_scaled(*at, 0.3e-3, way);
    cg_thread_hold(r->world, r->thread, count - 1, *at);
    cg_world_step(r->world);
}

TEST(an_end_goes_out)
{
    rig r;
    cg_thread *thread = make_portals(&r, 1e6);
    cg_vec3 at = thread != NULL ? thread->shape.position[thread->vertex_count - 1] : v3_zero();
    for (int k = 0; thread != NULL && k < 300 && cg_slide_count(thread) > 0; k++) {
        draw_on(&r, &at, r.out[1]);
    }
    if (CHECK(thread != NULL) && CHECK_INT(cg_slide_count(thread), 0)) {
        for (int k = 0; k < 100; k++) {
            draw_on(&r, &at, v3(0, 0, 1));
        }
        double lowest = 1;
        for (int i = 0; i < thread->vertex_count; i++) {
            lowest = thread->shape.position[i].z < lowest ? thread->shape.position[i].z : lowest;
        }
        CHECK(lowest > 0);
        CHECK(cg_slide_is_sound(thread) && cg_world_anchors_are_sound(r.world));
    }
    cg_world_destroy(r.world);
}

// Where a held vertex is, nothing goes through. The pad is rigid: the exchange of forces is a step late, and a held
// vertex beside a hole, stiffer by far than tissue, throws soft tissue about.
TEST(what_is_held_stays_outside)
{
    rig r;
    cg_thread *thread = make_portals(&r, 1e6);
    if (thread != NULL) {
        int vertex = thread->slide->anchors[0].vertex;
        int nodes = 0;
        cg_tissue_positions(r.world, r.pad, &nodes);
        for (int i = 0; i < nodes; i++) {
            cg_tissue_fix(r.world, r.pad, i, true);
        }
        cg_thread_hold(r.world, r.thread, vertex, thread->shape.position[vertex]);
        for (int k = 0; k < 100; k++) {
            step_with(&r, v3_zero(), v3_scale(0.2, r.out[1]));
        }
        CHECK_INT(thread->slide->anchors[0].vertex, vertex);
    }
    cg_world_destroy(r.world);
}

TEST(states_are_equal_to_the_bit)
{
    rig r;
    if (make_portals(&r, 100e3) != NULL) {
        load_bites(&r, 50);
        size_t size = cg_world_snapshot_size(r.world);
        void *state = malloc(size);
        CHECK_STR(cg_world_snapshot(r.world, state, size).message, "");
        uint64_t after[2];
        for (int round = 0; round < 2; round++) {
            CHECK_STR(cg_world_restore(r.world, state, size).message, "");
            for (int k = 0; k < 60; k++) {
                step_with(&r, v3_scale(0.2, r.out[0]), v3_scale(0.21, r.out[1]));
            }
            after[round] = cg_world_state_hash(r.world);
        }
        CHECK(after[0] == after[1]);
        free(state);
    }
    cg_world_destroy(r.world);
}

TEST(what_portals_cannot_do_is_said)
{
    rig r;
    if (make_portals(&r, 100e3) != NULL) {
        cg_stitch_def stitch = cg_stitch_def_default();
        cg_vec3 point = v3(0, 0, 0);
        stitch.thread = r.thread;
        stitch.tissue = r.pad;
        stitch.points = &point;
        stitch.point_count = 1;
        CHECK_STR(cg_world_add_stitch(r.world, &stitch).message,
                  "a stitch by portals needs an even number of points and a thread without twist");
    }
    cg_world_destroy(r.world);
}
