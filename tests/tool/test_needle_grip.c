// A needle in a grasper without jaws: what it takes by each of its ways, against twins that sample; that it is lifted,
// turned, stopped by what is in its way and let go; its thread; states.
#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "base/trig.h"
#include "catgut/catgut.h"
#include "harness.h"

typedef struct rig {
    cg_world *world;
    cg_rigid_id needle;
    cg_hand_id hand;
    cg_hand_def def;
} rig;

static cg_vec3 random_vector(uint64_t *random, double size)
{
    double x = test_random(random, -size, size), y = test_random(random, -size, size);
    return v3(x, y, test_random(random, -size, size));
}

static void add_needle(rig *r, cg_transform pose)
{
    cg_needle shape = cg_needle_default();
    cg_rigid_def def = cg_rigid_def_default();
    def.needle = &shape;
    def.mass = 40e-6;
    def.pose = pose;
    CHECK_STR(cg_world_add_rigid(r->world, &def, &r->needle).message, "");
}

// A needle that lies on a table, and a hand at a share of its arc.
static rig make_rig(double share)
{
    rig r = {.def = cg_hand_def_default()};
    cg_world_def def = cg_world_def_default();
    cg_needle shape = cg_needle_default();
    cg_transform flat = {v3(0, 0, 0.5005 * shape.diameter), quat_from_axis_angle(v3(1, 0, 0), CG_HALF_PI)};
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    cg_shape_def table = cg_shape_def_default();
    cg_shape_id id;
    CHECK_STR(cg_world_add_shape(r.world, &table, &id).message, "");
    add_needle(&r, flat);
    r.def.pose.position = transform_point(flat, cg_needle_place(&shape, share * shape.arc));
    CHECK_STR(cg_world_add_hand(r.world, &r.def, &r.hand).message, "");
    return r;
}

static cg_hand_state state_of(const rig *r)
{
    return cg_hand_get_state(r->world, r->hand);
}

static void steps(rig *r, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_step(r->world);
    }
}

static void move(rig *r, cg_transform pose, double time)
{
    CHECK_STR(cg_hand_move(r->world, r->hand, pose, time).message, "");
}

// Where the needle is in the hand's frame.
static cg_transform in_hand(const rig *r)
{
    return transform_compose(transform_inverse(state_of(r).pose), cg_rigid_get_pose(r->world, r->needle));
}

static double apart(cg_transform a, cg_transform b)
{
    return v3_distance(a.position, b.position) + 1e-2 * (1 - fabs(quat_dot(a.rotation, b.rotation)));
}

TEST(a_needle_is_lifted_turned_and_let_go)
{
    rig r = make_rig(0.4);
    steps(&r, 50);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    CHECK_INT(state_of(&r).body.index, r.needle.index);
    cg_transform held = in_hand(&r), up = {v3(5e-3, 0, 20e-3), quat_from_axis_angle(v3(0, 1, 0), 1.2)};
    move(&r, up, 0.2);
    steps(&r, 400);
    CHECK_NEAR(apart(in_hand(&r), held), 0, 1e-9);
    CHECK_NEAR(state_of(&r).lag, 40e-6 * 9.81 / 1000, 1e-8); // its weight on the spring of the hand
    CHECK_NEAR(state_of(&r).force.z, -40e-6 * 9.81, 1e-9);
    CHECK(fabs(quat_dot(state_of(&r).pose.rotation, up.rotation)) > 1 - 1e-4);
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    CHECK_INT(state_of(&r).body.index, 0);
    double before = cg_rigid_get_pose(r.world, r.needle).position.z;
    steps(&r, 30);
    CHECK_NEAR(before - cg_rigid_get_pose(r.world, r.needle).position.z, 0.5 * 9.81 * 0.03 * 0.03, 0.4e-3);
    steps(&r, 500);
    cg_rigid_info info;
    CHECK(cg_rigid_get_info(r.world, r.needle, &info) && info.centre.z < 9e-3 && info.centre.z > 0);
    cg_world_destroy(r.world);
}

// Let go while it moves, it flies on.
TEST(a_needle_that_is_let_go_keeps_its_velocity)
{
    rig r = make_rig(0.5);
    cg_rigid_info info;
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    cg_transform there = state_of(&r).pose;
    there.position = v3_add(there.position, v3(0.1, 0, 0.1));
    move(&r, there, 0.2);
    steps(&r, 150);
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    steps(&r, 1);
    CHECK(cg_rigid_get_info(r.world, r.needle, &info));
    CHECK_NEAR(info.velocity.x, 0.5, 0.01);
    cg_world_destroy(r.world);
}

// Pressed on the table it stops there, and the hand feels what its spring pulls with.
TEST(a_needle_in_a_hand_passes_nothing)
{
    rig r = make_rig(0.5);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    cg_transform down = state_of(&r).pose;
    down.position.z -= 3e-3;
    move(&r, down, 0.05);
    cg_rigid_part part;
    for (int i = 0; i < 300; i++) {
        cg_world_step(r.world);
        for (int k = 0; cg_rigid_get_part(r.world, r.needle, k, &part); k++) {
            CHECK(part.pose.position.z > 0.9 * part.shape.radius);
        }
    }
    CHECK_NEAR(state_of(&r).force.z, 1000 * state_of(&r).lag, 1e-3);
    CHECK(state_of(&r).force.z > 2);
    CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}

// Its thread comes along, and pulls at the hand.
TEST(a_thread_hangs_from_a_needle_in_a_hand)
{
    enum { POINTS = 31 };
    rig r = make_rig(0.5);
    cg_needle shape = cg_needle_default();
    cg_vec3 points[POINTS], end = cg_needle_place(&shape, shape.arc);
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id thread;
    cg_transform needle = cg_rigid_get_pose(r.world, r.needle);
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3_add_scaled(transform_point(needle, end), i * 1e-3,
                                  transform_vector(needle, cg_needle_tangent(&shape, shape.arc)));
    }
    def.positions = points;
    def.vertex_count = POINTS;
    def.radius = 0.1e-3;
    def.drag = 10;
    CHECK_STR(cg_world_add_thread(r.world, &def, &thread).message, "");
    CHECK_STR(cg_thread_swage(r.world, thread, CG_START, r.needle, end).message, "");
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    CHECK_INT(state_of(&r).body.index, r.needle.index);
    cg_transform up = state_of(&r).pose;
    up.position.z += 50e-3;
    move(&r, up, 0.3);
    steps(&r, 2500);
    double mass = def.density * CG_PI * def.radius * def.radius * (POINTS - 1) * 1e-3;
    cg_swage_info swage;
    CHECK(cg_thread_get_swage(r.world, thread, CG_START, &swage));
    CHECK_NEAR(swage.apart, 0, 1e-9);
    CHECK_NEAR(-state_of(&r).force.z / (9.81 * (40e-6 + mass)), 1, 0.02);
    cg_world_destroy(r.world);
}

// The ways of taking, against dense samples of the axes

static bool is_near(const rig *r, cg_vec3 local, double radius)
{
    double half = 0.5 * r->def.jaw_length, reach = r->def.reach;
    switch (r->def.grasp) {
    case CG_GRASP_ARMS:
        return fabs(local.x) <= half && fabs(local.y) <= reach && fabs(local.z) <= half;
    case CG_GRASP_TRIANGLE: // half as wide at half of its height
        return fabs(local.z) <= half && fabs(local.y) <= reach * (half - local.z) / (2 * half);
    default:
        return v3_length(local) - radius <= reach;
    }
}

// Whether the needle is in the grasp of the hand, by samples of its pieces; a triangle is crossed in the plane x = 0.
static bool is_sampled(const rig *r, double slack)
{
    enum { SAMPLES = 200 };
    bool is_in = false;
    cg_rigid_part part;
    rig wider = *r;
    wider.def.reach += slack;
    wider.def.jaw_length += 2 * slack;
    for (int k = 0; cg_rigid_get_part(r->world, r->needle, k, &part); k++) {
        cg_vec3 half = transform_vector(part.pose, v3(0, 0, part.shape.half_length)), last = v3_zero();
        for (int i = 0; i <= SAMPLES; i++) {
            cg_vec3 place = v3_add_scaled(part.pose.position, 2.0 * i / SAMPLES - 1, half);
            cg_vec3 local = transform_point_back(r->def.pose, place);
            bool crosses = r->def.grasp != CG_GRASP_TRIANGLE || (i > 0 && local.x * last.x <= 0);
            is_in = is_in || (crosses && is_near(&wider, local, part.shape.radius));
            last = local;
        }
    }
    return is_in;
}

TEST(what_is_taken_equals_what_samples_find)
{
    uint64_t random = 5;
    int taken = 0, count = test_counts(300, 60, 6000);
    const cg_hand_grasp ways[] = {CG_GRASP_FIXED, CG_GRASP_TRIANGLE, CG_GRASP_ARMS};
    for (int i = 0; i < count; i++) {
        rig r = {.def = cg_hand_def_default()};
        cg_world_def def = cg_world_def_default();
        cg_needle shape = cg_needle_default();
        CHECK_STR(cg_world_create(&def, &r.world).message, "");
        add_needle(&r, transform_identity());
        r.def.grasp = ways[i % 3];
        r.def.reach = test_random(&random, 0.5e-3, 3e-3);
        r.def.jaw_length = test_random(&random, 1e-3, 6e-3);
        r.def.pose.position =
            v3_add(cg_needle_place(&shape, test_random(&random, 0, shape.arc)), random_vector(&random, 3e-3));
        r.def.pose.rotation =
            quat_from_axis_angle(v3_unit_or(random_vector(&random, 1), v3(1, 0, 0)), test_random(&random, -3, 3));
        CHECK_STR(cg_world_add_hand(r.world, &r.def, &r.hand).message, "");
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        bool is_held = state_of(&r).body.index != 0;
        if (is_sampled(&r, -20e-6) == is_sampled(&r, 20e-6)) { // else it is nearer to the bound than samples tell
            CHECK_INT(is_held, is_sampled(&r, 0));
        }
        taken += is_held;
        cg_world_destroy(r.world);
    }
    CHECK(taken > count / 5 && taken < 4 * count / 5);
}

TEST(one_hand_holds_a_needle_at_a_time)
{
    rig r = make_rig(0.4);
    cg_hand_id other;
    CHECK_STR(cg_world_add_hand(r.world, &r.def, &other).message, "");
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    CHECK_STR(cg_hand_close(r.world, other).message, "another hand holds the needle; expected a free one");
    CHECK(!cg_hand_get_state(r.world, other).closed);
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    CHECK_STR(cg_hand_close(r.world, other).message, "");
    CHECK_INT(cg_hand_get_state(r.world, other).body.index, r.needle.index);
    CHECK_STR(cg_world_remove_hand(r.world, other).message, ""); // it lets go
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    steps(&r, 5);
    CHECK_STR(cg_rigid_set_state(r.world, r.needle, transform_identity(), v3_zero(), v3_zero()).message, "");
    CHECK_INT(state_of(&r).body.index, 0); // put elsewhere
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    cg_transform flat = {v3(0, 0, 0.02), quat_identity()};
    CHECK_STR(cg_rigid_set_state(r.world, r.needle, flat, v3_zero(), v3_zero()).message, "");
    steps(&r, 2);
    CHECK_STR(cg_world_remove_rigid(r.world, r.needle).message, "");
    steps(&r, 2);
    cg_world_destroy(r.world);
}

TEST(a_needle_that_is_removed_is_let_go)
{
    rig r = make_rig(0.4);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    steps(&r, 3);
    CHECK_STR(cg_world_remove_rigid(r.world, r.needle).message, "");
    CHECK_INT(state_of(&r).body.index, 0);
    steps(&r, 3);
    cg_world_destroy(r.world);
}

// Back to the bit, from the hand that holds to one that does not and the other way round, and in another world.
TEST(states_with_a_needle_in_a_hand_are_taken_back)
{
    rig r = make_rig(0.6), twin = make_rig(0.6);
    size_t size = cg_world_snapshot_size(r.world);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    size = cg_world_snapshot_size(r.world) > size ? cg_world_snapshot_size(r.world) : size;
    void *open = malloc(2 * size), *held = malloc(2 * size);
    cg_transform up = {v3(5e-3, 2e-3, 20e-3), quat_from_axis_angle(v3(0, 1, 0), 1.0)};
    move(&r, up, 0.1);
    steps(&r, 40);
    size_t held_size = cg_world_snapshot_size(r.world);
    CHECK_STR(cg_world_snapshot(r.world, held, held_size).message, "");
    steps(&r, 60);
    uint64_t later = cg_world_state_hash(r.world);
    CHECK_STR(cg_hand_open(r.world, r.hand).message, "");
    size_t open_size = cg_world_snapshot_size(r.world);
    CHECK_STR(cg_world_snapshot(r.world, open, open_size).message, "");
    steps(&r, 40);
    uint64_t fallen = cg_world_state_hash(r.world);

    CHECK_STR(cg_world_restore(r.world, held, held_size).message, "");
    CHECK_INT(state_of(&r).body.index, r.needle.index);
    steps(&r, 60);
    CHECK_HASH(cg_world_state_hash(r.world), later);
    CHECK_STR(cg_world_restore(twin.world, held, held_size).message, "");
    steps(&twin, 60);
    CHECK_HASH(cg_world_state_hash(twin.world), later);
    CHECK_STR(cg_world_restore(twin.world, open, open_size).message, "");
    CHECK_INT(state_of(&twin).body.index, 0);
    steps(&twin, 40);
    CHECK_HASH(cg_world_state_hash(twin.world), fallen);
    free(open);
    free(held);
    cg_world_destroy(r.world);
    cg_world_destroy(twin.world);
}

// Turned about the middle of its circle by the hand at its end, it goes into a pad and comes out again, and back.
TEST(a_needle_in_a_hand_pierces_a_pad)
{
    rig r = {.def = cg_hand_def_default()};
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_tissue_id id;
    cg_needle shape = cg_needle_default();
    pad.size = v3(20e-3, 16e-3, 0);
    pad.layers[0].thickness = 6e-3;
    pad.layers[0].material.young = 200e3;
    pad.pierce_force = 0.5;
    pad.pierce_cut = 0.1;
    pad.pierce_drag = 30;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    CHECK_STR(cg_world_add_tissue(r.world, &pad, &id).message, "");
    cg_vec3 middle = v3(0.3e-3, 0.2e-3, 2.5e-3);
    add_needle(&r, (cg_transform){middle, quat_identity()});
    r.def.pose.position = v3_add(middle, cg_needle_place(&shape, 0.95 * shape.arc));
    CHECK_STR(cg_world_add_hand(r.world, &r.def, &r.hand).message, "");
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    CHECK_INT(state_of(&r).body.index, r.needle.index);
    int most = 0, last = 0;
    cg_vec3 arm = v3_sub(r.def.pose.position, middle);
    for (int i = 0; i < 900; i++) {
        cg_quat turn = quat_from_axis_angle(v3(0, 1, 0), 3.1 * (i < 450 ? i : 900 - i) / 450);
        move(&r, (cg_transform){v3_add(middle, quat_rotate(turn, arm)), turn}, 0);
        cg_world_step(r.world);
        cg_piercing now;
        CHECK(cg_rigid_get_piercing(r.world, r.needle, &now));
        last = now.holes;
        most = last > most ? last : most;
    }
    CHECK_INT(most, 2);
    CHECK_INT(last, 0);
    CHECK(cg_world_get_stats(r.world).unfinished_steps < 9);
    CHECK_INT(cg_world_get_stats(r.world).recovered_steps, 0);
    cg_world_destroy(r.world);
}
