// Threads that lie on tissue, hang over its edge and slide on it: balance, rest, Coulomb's law, states.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

enum { POINTS = 61 };
static const double RADIUS = 0.11e-3, LENGTH = 24e-3, FRICTION = 0.3;

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
} rig;

// A thread over a pad of 20 x 16 x 8 mm, along y, somewhat slanted.
static bool make_rig(rig *r, double young, double time_step, double middle)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double y = LENGTH * (i / (POINTS - 1.0) - 0.5) + middle;
        points[i] = v3(0.3e-3 + 0.05 * y, y, 1.05 * RADIUS);
    }
    world.time_step = time_step;
    pad.size = v3(20e-3, 40e-3, 0);
    pad.layers[0].thickness = 6e-3;
    pad.layers[0].material.young = young;
    pad.friction = FRICTION;
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.radius = RADIUS;
    thread.friction = FRICTION;
    return CHECK_STR(cg_world_create(&world, &r->world).message, "") &&
           CHECK_STR(cg_world_add_tissue(r->world, &pad, &r->pad).message, "") &&
           CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "");
}

static void run(rig *r, double seconds, double time_step)
{
    for (int k = 0; k < (int)(seconds / time_step + 0.5); k++) {
        cg_world_step(r->world);
    }
}

// How far the fastest vertex goes in a step.
static double motion_of_a_step(rig *r)
{
    cg_vec3 before[POINTS];
    memcpy(before, cg_thread_positions(r->world, r->thread, NULL), sizeof before);
    cg_world_step(r->world);
    double most = 0;
    for (int i = 0; i < POINTS; i++) {
        most = fmax(most, v3_distance(before[i], cg_thread_positions(r->world, r->thread, NULL)[i]));
    }
    return most;
}

static double weight_of_thread(const rig *r)
{
    cg_thread_def def = cg_thread_def_default();
    double length = 0;
    for (int i = 0; i + 1 < POINTS; i++) {
        length += cg_thread_rest_lengths(r->world, r->thread, NULL)[i];
    }
    return acos(-1) * RADIUS * RADIUS * def.density * length * v3_length(cg_world_def_default().gravity);
}

static cg_vec3 force_of_contacts(const rig *r)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < cg_world_contact_count(r->world); i++) {
        cg_contact_info contact;
        CHECK(cg_world_get_contact(r->world, i, &contact));
        CHECK(contact.triangles[1] >= 0 && contact.tissues[1].index == r->pad.index && contact.shape.index == 0);
        CHECK_NEAR(contact.weights[1][0] + contact.weights[1][1] + contact.weights[1][2], 1, 1e-12);
        sum = v3_add(sum, contact.force);
    }
    return sum;
}

TEST(a_thread_on_a_pad_weighs_what_it_weighs)
{
    const double youngs[3] = {5e3, 100e3, 1e6};
    for (int k = 0; k < 3; k++) {
        rig r;
        if (!make_rig(&r, youngs[k], 1e-3, 0)) {
            return;
        }
        run(&r, 0.5, 1e-3);
        CHECK_NEAR(force_of_contacts(&r).z, weight_of_thread(&r), 1e-9);
        CHECK(motion_of_a_step(&r) < 1e-9);
        // The opposite of it is on the nodes.
        const cg_tissue *tissue = cg_world_find_tissue(r.world, r.pad);
        cg_vec3 on_nodes = v3_zero(), on_thread = force_of_contacts(&r);
        for (int i = 0; i < tissue->mesh->node_count; i++) {
            on_nodes = v3_add(on_nodes, tissue->held[i]);
        }
        CHECK_NEAR(v3_length(v3_add(on_nodes, on_thread)), 0, 1e-12 * v3_length(on_thread));
        cg_world_destroy(r.world);
    }
}

// A block lies on the pad, and the thread over both: they answer to it as one, and nothing is left to move.
TEST(a_thread_over_two_tissues_that_touch_rests)
{
    rig r;
    cg_tissue_def block = cg_tissue_def_default();
    cg_tissue_id upper;
    if (!make_rig(&r, 100e3, 1e-3, 0)) {
        return;
    }
    block.size = v3(8e-3, 8e-3, 0);
    block.layers[0].thickness = 2e-3;
    block.layers[0].material.young = 20e3;
    block.fix_bottom = false;
    block.pose.position = v3(0.5e-3, 0.5e-3, 2.25e-3);
    if (!CHECK_STR(cg_world_add_tissue(r.world, &block, &upper).message, "")) {
        return;
    }
    cg_vec3 over[POINTS];
    for (int i = 0; i < POINTS; i++) {
        over[i] = v3_add(cg_thread_positions(r.world, r.thread, NULL)[i], v3(0, 0, 2.4e-3));
    }
    CHECK_STR(cg_thread_set_state(r.world, r.thread, over, NULL).message, "");
    double last = 1;
    for (int k = 0; k < 1500; k++) {
        cg_thread_push_vertex(r.world, r.thread, 0, v3(0, 0, -2e-3));
        cg_thread_push_vertex(r.world, r.thread, POINTS - 1, v3(0, 0, -2e-3));
        last = motion_of_a_step(&r);
    }
    int on[2] = {0, 0};
    for (int i = 0; i < cg_world_contact_count(r.world); i++) {
        cg_contact_info contact;
        cg_world_get_contact(r.world, i, &contact);
        on[contact.tissues[1].index == upper.index] += contact.threads[0].index != 0 && v3_length(contact.force) > 0;
    }
    CHECK(on[0] > 0 && on[1] > 0);
    CHECK_NEAR(last, 0, 1e-9);
    CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}

// The whole thread hangs over the edge of the pad, one end held, the other drawn down.
static double dent_over_the_edge(double young, double force, double time_step)
{
    rig r;
    double dent = 0, last = 1;
    if (!make_rig(&r, young, time_step, 14e-3)) {
        return 0;
    }
    cg_world_set_gravity(r.world, v3_zero());
    for (int v = 0; v < 2; v++) {
        cg_thread_hold(r.world, r.thread, v, cg_thread_positions(r.world, r.thread, NULL)[v]);
    }
    int steps = (int)(0.6 / time_step + 0.5);
    for (int k = 0; k < steps; k++) {
        double now = force * fmin(1, k * time_step / 0.2);
        cg_thread_push_vertex(r.world, r.thread, POINTS - 1, v3(0, 0.87 * now, -0.5 * now));
        last = motion_of_a_step(&r);
    }
    CHECK(last < 1e-9);
    CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
    int nodes;
    const cg_vec3 *y = cg_tissue_positions(r.world, r.pad, &nodes), *home = cg_tissue_homes(r.world, r.pad, NULL);
    for (int i = 0; i < nodes; i++) {
        dent = fmax(dent, v3_distance(y[i], home[i]));
    }
    cg_world_destroy(r.world);
    return dent;
}

TEST(a_thread_drawn_over_an_edge_rests_at_any_step)
{
    const double cases[3][2] = {{30e3, 0.03}, {300e3, 0.3}, {3e6, 3}};
    for (int k = 0; k < 3; k++) {
        double dent = dent_over_the_edge(cases[k][0], cases[k][1], 1e-3);
        CHECK(dent > 0.1e-3);
        CHECK_NEAR(dent_over_the_edge(cases[k][0], cases[k][1], 0.5e-3), dent, 0.02 * dent);
        CHECK_NEAR(dent_over_the_edge(cases[k][0], cases[k][1], 2e-3), dent, 0.02 * dent);
    }
}

// Gravity leans along x, across the thread, once it has come to rest.
static double slip_on_a_slope(double tangent)
{
    rig r;
    if (!make_rig(&r, 1e6, 1e-3, 0)) {
        return 0;
    }
    run(&r, 0.2, 1e-3);
    double g = v3_length(cg_world_def_default().gravity), cosine = 1 / sqrt(1 + tangent * tangent);
    cg_world_set_gravity(r.world, v3(g * cosine * tangent, 0, -g * cosine));
    run(&r, 0.1, 1e-3);
    double before = cg_thread_positions(r.world, r.thread, NULL)[POINTS / 2].x;
    run(&r, 0.2, 1e-3);
    double slip = cg_thread_positions(r.world, r.thread, NULL)[POINTS / 2].x - before;
    cg_world_destroy(r.world);
    return slip;
}

TEST(a_thread_slides_on_a_slope_when_friction_ends)
{
    CHECK(fabs(slip_on_a_slope(0.98 * FRICTION)) < 1e-6);
    // Without drag it would go half of 0.02 x 0.29 x g x t^2, some 4 mm in this time.
    CHECK(slip_on_a_slope(1.02 * FRICTION) > 0.2e-3);
}

static void drag(rig *r, int steps)
{
    for (int k = 0; k < steps; k++) {
        cg_vec3 end = cg_thread_positions(r->world, r->thread, NULL)[POINTS - 1];
        cg_thread_hold(r->world, r->thread, POINTS - 1, v3_add(end, v3(0.05e-3, 0.05e-3, -0.01e-3)));
        cg_world_step(r->world);
    }
}

TEST(a_restored_world_goes_on_to_the_bit)
{
    rig r, other;
    if (!make_rig(&r, 100e3, 1e-3, 0) || !make_rig(&other, 100e3, 1e-3, 0)) {
        return;
    }
    drag(&r, 60);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(other.world, bytes, size).message, "");
    CHECK_HASH(cg_world_state_hash(other.world), cg_world_state_hash(r.world));
    for (int k = 0; k < 40; k++) {
        drag(&r, 1);
        drag(&other, 1);
        CHECK_HASH(cg_world_state_hash(other.world), cg_world_state_hash(r.world));
    }
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

// A thread flies past the pad and turns over. Another lies below and beside it, so that boxes tell nothing.
static bool make_flying(rig *r)
{
    cg_vec3 places[POINTS], speeds[POINTS];
    cg_thread_def beside = cg_thread_def_default();
    cg_thread_id other;
    if (!make_rig(r, 20e3, 1e-3, 0)) {
        return false;
    }
    cg_world_set_gravity(r->world, v3_zero());
    for (int i = 0; i < POINTS; i++) {
        double along = i / (POINTS - 1.0) - 0.5;
        places[i] = v3(40e-3 + 40e-3 * along, 0, -3e-3);
    }
    beside.vertex_count = POINTS;
    beside.positions = places;
    if (!CHECK_STR(cg_world_add_thread(r->world, &beside, &other).message, "")) {
        return false;
    }
    for (int i = 0; i < POINTS; i++) {
        double along = i / (POINTS - 1.0) - 0.5;
        places[i] = v3_add(cg_thread_positions(r->world, r->thread, NULL)[i], v3(0, 0, 8 * RADIUS));
        speeds[i] = v3(30e-3 + 10e-3 * along, 0, 5e-3 * along);
    }
    return CHECK_STR(cg_thread_set_state(r->world, r->thread, places, speeds).message, "");
}

// What may touch is listed with a margin that lasts for many steps; a world that lists it anew must not differ.
TEST(a_world_restored_beside_tissue_goes_on_to_the_bit)
{
    enum { STEPS = 240, EVERY = 6 };
    rig r, other;
    uint64_t hashes[STEPS];
    if (!make_flying(&r)) {
        return;
    }
    for (int k = 0; k < STEPS; k++) {
        cg_world_step(r.world);
        hashes[k] = cg_world_state_hash(r.world);
    }
    cg_world_destroy(r.world);
    if (!make_flying(&r) || !make_flying(&other)) {
        return;
    }
    size_t size = cg_world_snapshot_size(r.world) + 100000;
    void *bytes = malloc(size);
    int differ = 0;
    for (int k = 0; k + EVERY < STEPS; k += EVERY) {
        run(&r, EVERY * 1e-3, 1e-3);
        CHECK_STR(cg_world_snapshot(r.world, bytes, cg_world_snapshot_size(r.world)).message, "");
        CHECK_STR(cg_world_restore(other.world, bytes, cg_world_snapshot_size(r.world)).message, "");
        run(&other, EVERY * 1e-3, 1e-3);
        differ += cg_world_state_hash(other.world) != hashes[k + 2 * EVERY - 1];
    }
    CHECK_INT(differ, 0);
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

// Where a thread lies, by triangles that there are, and which are those that it lies on.
static void check_places(const rig *r)
{
    const cg_vec3 *x = cg_tissue_positions(r->world, r->pad, NULL);
    int found = 0;
    for (int i = 0; i < cg_world_contact_count(r->world); i++) {
        cg_contact_info contact;
        int nodes[3];
        cg_world_get_contact(r->world, i, &contact);
        if (CHECK(contact.triangles[1] >= 0 && contact.triangles[1] < cg_tissue_triangle_count(r->world, r->pad))) {
            cg_tissue_get_triangle(r->world, r->pad, contact.triangles[1], nodes, NULL);
            cg_vec3 place = v3_zero();
            for (int k = 0; k < 3; k++) {
                place = v3_add_scaled(place, contact.weights[1][k], x[nodes[k]]);
            }
            CHECK(v3_distance(place, contact.points[1]) < RADIUS);
            found++;
        }
    }
    CHECK(found > 0);
}

// An edit gives triangles other numbers: touches follow, and a state that is taken then is the same when it is back.
TEST(touches_follow_a_pad_that_is_cut)
{
    rig r;
    if (!make_rig(&r, 1e5, 1e-3, 0)) {
        return;
    }
    run(&r, 0.05, 1e-3);
    check_places(&r);
    for (int k = 0; k < 3; k++) { // beside the thread, beside it, and under it
        double x = k == 0 ? 5e-3 : (k == 1 ? -6e-3 : 0);
        const cg_vec3 path[2] = {v3(x, -6e-3, 1e-3), v3(x + 1e-3, 6e-3, 1e-3)};
        const cg_vec3 down[2] = {v3(0, 0, -4e-3), v3(0, 0, -4e-3)};
        cg_tissue_cut_result cut;
        CHECK_STR(cg_tissue_cut(r.world, r.pad, path, down, 2, &cut).message, "");
        CHECK(cut.area > 0);
        check_places(&r);
        uint64_t hash = cg_world_state_hash(r.world);
        size_t size = cg_world_snapshot_size(r.world);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
        CHECK_STR(cg_world_restore(r.world, bytes, size).message, "");
        CHECK_HASH(cg_world_state_hash(r.world), hash);
        free(bytes);
        run(&r, 0.005, 1e-3);
        check_places(&r);
    }
    cg_world_destroy(r.world);
}

TEST(a_step_takes_no_memory)
{
    rig r;
    if (!make_rig(&r, 100e3, 1e-3, 0)) {
        return;
    }
    drag(&r, 5);
    long before = test_allocations();
    drag(&r, 100);
    CHECK_INT(test_allocations() - before, 0);
    cg_world_destroy(r.world);
}

// A thread that is carried past a tissue changes nothing of it, and tissue changes nothing of a thread that is far.
TEST(what_is_far_is_left_alone)
{
    rig r, alone;
    if (!make_rig(&r, 100e3, 1e-3, 0) || !make_rig(&alone, 100e3, 1e-3, 0)) {
        return;
    }
    CHECK_STR(cg_world_remove_tissue(alone.world, alone.pad).message, "");
    cg_vec3 up[POINTS], speeds[POINTS];
    for (int i = 0; i < POINTS; i++) {
        up[i] = v3_add(cg_thread_positions(r.world, r.thread, NULL)[i], v3(0, 0, 0.1));
        speeds[i] = v3(0.1 * i, 0, 0);
    }
    CHECK_STR(cg_thread_set_state(r.world, r.thread, up, speeds).message, "");
    CHECK_STR(cg_thread_set_state(alone.world, alone.thread, up, speeds).message, "");
    run(&r, 0.05, 1e-3);
    run(&alone, 0.05, 1e-3);
    CHECK(memcmp(cg_thread_positions(r.world, r.thread, NULL), cg_thread_positions(alone.world, alone.thread, NULL),
                 POINTS * sizeof(cg_vec3)) == 0);
    cg_world_destroy(r.world);
    cg_world_destroy(alone.world);
}
