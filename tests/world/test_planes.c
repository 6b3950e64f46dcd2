// Threads on tissue by the seed's linear force: the law against finite differences and a closed form, what the tissue
// bears, what is kept and what is let go, and states.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "laws/plane.h"
#include "world/world.h"

TEST(the_force_is_linear_and_draws_to_the_plane_from_both_sides)
{
    const double stiffness = 3e3, h = 1e-6;
    cg_vec3 normal = v3_unit_or(v3(0.3, -0.5, 0.8), v3_zero()), origin = v3(1e-3, 2e-3, -1e-3);
    cg_plane_contact contact = {.normal = normal, .origin = origin};
    for (int side = -1; side <= 1; side += 2) {
        cg_vec3 x = v3_add(v3_add_scaled(origin, side * 1e-4, normal), v3_cross(normal, v3(1e-3, 0, 0)));
        cg_vec3 force = cg_plane_force(&contact, stiffness, x);
        CHECK(v3_distance(force, v3_scale(-side * stiffness * 1e-4, normal)) < 1e-12);
        const double n[3] = {normal.x, normal.y, normal.z};
        for (int j = 0; j < 3; j++) {
            cg_vec3 step = v3(j == 0 ? h : 0, j == 1 ? h : 0, j == 2 ? h : 0);
            cg_vec3 ahead = cg_plane_force(&contact, stiffness, v3_add(x, step));
            cg_vec3 slope = v3_scale(0.5 / h, v3_sub(ahead, cg_plane_force(&contact, stiffness, v3_sub(x, step))));
            CHECK_NEAR(slope.x, -stiffness * n[0] * n[j], 1e-6);
            CHECK_NEAR(slope.y, -stiffness * n[1] * n[j], 1e-6);
            CHECK_NEAR(slope.z, -stiffness * n[2] * n[j], 1e-6);
        }
    }
}

// What a step of the thread solves with is this law: half of the square of the way ahead of coasting.
TEST(a_grip_has_the_force_and_slope_of_the_law)
{
    cg_vec3 position = v3(0, 0, 1e-3), velocity = v3(0.1, 0, -0.2);
    cg_thread thread = {.vertex_count = 1, .velocity = &velocity};
    thread.shape.position = &position;
    cg_plane_contact contact = {.normal = {0, 0, 1}, .origin = {0, 0, 0.9e-3}};
    cg_plane_grip(&contact, 50, &thread, 1e-3);
    CHECK(thread.grips == &contact.grip);
    CHECK_NEAR(contact.grip.force.z, 50 * 1e-4, 1e-15); // coasting leads it to 0.8 mm
    CHECK_NEAR(contact.grip.along, 50, 0);
    CHECK_NEAR(contact.grip.slope, 0, 0);
}

enum { VERTICES = 21 };
typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
    cg_tissue_id pad;
    double weight, radius; // [N] of a vertex inside, [m]
    bool follows;          // its spacing does
} rig;

static bool make(rig *r, bool is_held)
{
    cg_world_def def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[VERTICES];
    def.linear_contact = 100;
    pad.size = v3(10e-3, 14e-3, 0);
    pad.friction = thread.friction = 0.5;
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(0.3e-3, 0.5e-3 * (i - VERTICES / 2), 0.9 * thread.radius);
    }
    thread.vertex_count = VERTICES;
    thread.bend_stiffness = 1e-12; // so that the ends, which weigh half, lie by themselves
    thread.positions = points;
    thread.spacing = (cg_spacing){.follow = r->follows, .fine = 0.5e-3, .coarse = 0.5e-3};
    r->radius = thread.radius;
    r->weight = 3.14159265358979 * thread.radius * thread.radius * thread.density * 0.5e-3 * 9.81;
    if (!CHECK_STR(cg_world_create(&def, &r->world).message, "") ||
        !CHECK_STR(cg_world_add_tissue(r->world, &pad, &r->pad).message, "") ||
        !CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "")) {
        return false;
    }
    int nodes = is_held ? cg_tissue_get_summary(r->world, r->pad).node_count : 0;
    for (int i = 0; i < nodes; i++) {
        cg_tissue_fix(r->world, r->pad, i, true);
    }
    return true;
}

static void run(rig *r, int steps)
{
    for (int k = 0; k < steps; k++) {
        cg_world_step(r->world);
    }
}

// In closed form: the force of a vertex inside is its weight.
TEST(a_thread_lies_as_deep_as_its_weight_presses)
{
    rig r = {0};
    if (make(&r, true)) {
        run(&r, 1000);
        const cg_vec3 *x = cg_thread_positions(r.world, r.thread, NULL);
        CHECK_NEAR(r.radius - x[VERTICES / 2].z, r.weight / 100, 1e-4 * r.weight / 100);
        CHECK_INT(r.world->plane_count, VERTICES);
        CHECK_INT(cg_world_contact_count(r.world), 0);
        double sum = 0;
        for (int i = 0; i < r.world->plane_count; i++) {
            sum += r.world->planes[i].force;
        }
        CHECK_NEAR(sum, (VERTICES - 1) * r.weight, 1e-4 * sum);
        cg_world_set_gravity(r.world, v3(0, 0, 9.81)); // up: glued for this step
        run(&r, 1);
        CHECK_INT(r.world->plane_count, 0);
        run(&r, 100);
        CHECK(cg_thread_positions(r.world, r.thread, NULL)[VERTICES / 2].z > 1e-3);
    }
    cg_world_destroy(r.world);
}

// Its holes are in the tissue: planes would draw what is in there outwards, beside the contact that it keeps.
TEST(a_stitched_thread_keeps_our_contact)
{
    rig r = {.follows = true};
    if (make(&r, true)) {
        run(&r, 1);
        CHECK(r.world->plane_count > 0);
        const cg_vec3 *x = cg_thread_positions(r.world, r.thread, NULL);
        cg_vec3 holes[2] = {v3(x[8].x, x[8].y, 0), v3(x[12].x, x[12].y, 0)};
        cg_stitch_def stitch = cg_stitch_def_default();
        stitch.thread = r.thread;
        stitch.tissue = r.pad;
        stitch.points = holes;
        stitch.point_count = 2;
        CHECK_STR(cg_world_add_stitch(r.world, &stitch).message, "");
        run(&r, 2);
        CHECK_INT(r.world->plane_count, 0);
    }
    cg_world_destroy(r.world);
}

// On a pad that gives way, too, the thread weighs what it weighs, and the pad is pressed deeper than without it.
TEST(tissue_bears_what_lies_on_it)
{
    rig r = {0};
    if (make(&r, false)) {
        run(&r, 600);
        double top = 0;
        for (int i = 0; i < r.world->plane_count; i++) {
            top += r.world->planes[i].force;
        }
        CHECK_NEAR(top, (VERTICES - 1) * r.weight, 1e-3 * top);
        const cg_plane_contact *middle = &r.world->planes[VERTICES / 2];
        const cg_mesh_point point = {middle->triangle, {middle->weights[0], middle->weights[1], middle->weights[2]}};
        const cg_tissue_slot *slot = cg_world_first_tissue(r.world);
        double pressed = cg_tissue_point_place(slot->tissue, &point).z;
        CHECK_STR(cg_world_remove_thread(r.world, r.thread).message, "");
        CHECK_INT(r.world->plane_count, 0);
        run(&r, 600);
        CHECK(cg_tissue_point_place(slot->tissue, &point).z > pressed + 1e-9);
    }
    cg_world_destroy(r.world);
}

TEST(a_restored_world_goes_on_to_the_bit)
{
    rig r = {0}, other = {0};
    if (make(&r, false) && make(&other, false)) {
        run(&r, 40);
        CHECK(r.world->plane_count > 0);
        size_t size = cg_world_snapshot_size(r.world);
        void *state = malloc(size);
        CHECK_STR(cg_world_snapshot(r.world, state, size).message, "");
        CHECK_STR(cg_world_restore(other.world, state, size).message, "");
        CHECK(cg_world_state_hash(r.world) == cg_world_state_hash(other.world));
        run(&r, 60);
        run(&other, 60);
        CHECK(cg_world_state_hash(r.world) == cg_world_state_hash(other.world));
        free(state);
    }
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

TEST(a_cut_forgets_what_touched_there)
{
    rig r = {0};
    if (make(&r, false)) {
        run(&r, 40);
        const cg_vec3 path[2] = {{-4e-3, 0.2e-3, 1e-3}, {4e-3, 0.4e-3, 1e-3}}, down[2] = {{0, 0, -3e-3}, {0, 0, -3e-3}};
        CHECK_STR(cg_tissue_cut(r.world, r.pad, path, down, 2, NULL).message, "");
        CHECK(r.world->plane_count > 0 && r.world->plane_count < VERTICES);
        run(&r, 100);
        CHECK(cg_world_get_stats(r.world).recovered_steps == 0);
    }
    cg_world_destroy(r.world);
}

TEST(bad_stiffness_is_refused)
{
    cg_world_def def = cg_world_def_default();
    cg_world *world = NULL;
    def.linear_contact = -1;
    CHECK_INT(cg_world_create(&def, &world).code, CG_BAD_INPUT);
    def.linear_contact = NAN;
    CHECK_INT(cg_world_create(&def, &world).code, CG_BAD_INPUT);
}
