// label: slow
// A hand that carries a probe: how it moves, what it feels at rest, and that it passes through nothing.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/quat.h"
#include "base/transform.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/shape.h"
#include "harness.h"
#include "small_vessel.h"

typedef struct probing {
    cg_world *world;
    cg_tissue_id tissue; // names none: a thread is there instead
    cg_thread_id thread;
    cg_hand_id hand;
} probing;

static cg_hand_def probe_def(cg_vec3 place)
{
    cg_hand_def def = cg_hand_def_default();
    def.tool = CG_TOOL_PROBE;
    def.blade_width = def.hook_length = 0; // other tools have no bodies: they fit everywhere
    def.pose.position = place;
    return def;
}

static cg_tissue_def small_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 16e-3, 0);
    return def;
}

static cg_world *make_world(double time_step)
{
    cg_world *world;
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 100;
    def.max_shapes = 2;
    def.time_step = time_step;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static probing begin(const cg_tissue_def *tissue, const cg_hand_def *hand, double time_step)
{
    probing p = {.world = make_world(time_step)};
    CHECK_STR(cg_world_add_tissue(p.world, tissue, &p.tissue).message, "");
    CHECK_STR(cg_world_add_hand(p.world, hand, &p.hand).message, "");
    return p;
}

// A thread along x, 1 mm thick, held at both ends above a table.
static probing begin_with_thread(const cg_hand_def *hand, double time_step)
{
    enum { COUNT = 21 };
    probing p = {.world = make_world(time_step)};
    cg_vec3 points[COUNT];
    for (int i = 0; i < COUNT; i++) {
        points[i] = v3(2e-3 * (i - COUNT / 2), 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.radius = 0.5e-3;
    def.vertex_count = COUNT;
    def.positions = points;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_PINNED;
    def.ends[CG_START].position = points[0];
    def.ends[CG_FINISH].position = points[COUNT - 1];
    CHECK_STR(cg_world_add_thread(p.world, &def, &p.thread).message, "");
    cg_shape_def table = cg_shape_def_default();
    cg_shape_id id;
    table.pose.position = v3(0, 0, -6e-3);
    CHECK_STR(cg_world_add_shape(p.world, &table, &id).message, "");
    CHECK_STR(cg_world_add_hand(p.world, hand, &p.hand).message, "");
    return p;
}

static cg_hand_state state_of(const probing *p)
{
    return cg_hand_get_state(p->world, p->hand);
}

static void go(const probing *p, cg_transform pose, double time)
{
    CHECK_STR(cg_hand_move(p->world, p->hand, pose, time).message, "");
}

static void run(const probing *p, int steps)
{
    for (int step = 0; step < steps; step++) {
        cg_world_step(p->world);
    }
}

// The smallest distance of anything to the rod, as the definition says where that is.
static double clearance(const probing *p)
{
    cg_hand_def def;
    cg_hand_get_def(p->world, p->hand, &def);
    cg_transform hand = state_of(p).pose, pose = hand;
    pose.position = transform_point(hand, v3(0, 0, def.rod_radius + 0.5 * def.rod_length));
    cg_shape rod = shape_capsule(def.rod_radius, 0.5 * def.rod_length);
    double least = INFINITY;
    const cg_vec3 *x = cg_tissue_positions(p->world, p->tissue, NULL);
    for (int t = 0; x != NULL && t < cg_tissue_triangle_count(p->world, p->tissue); t++) {
        int n[3];
        cg_tissue_get_triangle(p->world, p->tissue, t, n, NULL);
        const cg_vec3 corners[3] = {x[n[0]], x[n[1]], x[n[2]]};
        least = fmin(least, cg_shape_distance_triangle(&rod, &pose, corners).nearest.distance);
    }
    int count = 0;
    x = cg_thread_positions(p->world, p->thread, &count);
    for (int i = 0; i + 1 < count; i++) { // a tenth of its thickness may give way
        least = fmin(least, cg_shape_distance_segment(&rod, &pose, x[i], x[i + 1]).distance - 0.45e-3);
    }
    return least;
}

TEST(a_probe_that_touches_nothing_moves_as_a_hand_without_one)
{
    cg_world *world = make_world(1e-3);
    cg_hand_def def = probe_def(v3_zero());
    cg_hand_id ids[2];
    for (int k = 0; k < 2; k++) {
        def.tool = k == 0 ? CG_TOOL_PROBE : CG_TOOL_GRASPER;
        CHECK_STR(cg_world_add_hand(world, &def, &ids[k]).message, "");
        cg_quat turn = quat_from_axis_angle(v3_unit_or(v3(1, 2, 0.5), v3_zero()), 0.3);
        CHECK_STR(cg_hand_move(world, ids[k], (cg_transform){v3(20e-3, -5e-3, 8e-3), turn}, 0.1).message, "");
    }
    for (int step = 0; step < 200; step++) {
        cg_world_step(world);
        cg_hand_state a = cg_hand_get_state(world, ids[0]), b = cg_hand_get_state(world, ids[1]);
        CHECK(v3_distance(a.pose.position, b.pose.position) < 1e-12);
        CHECK(v3_length(v3(a.pose.rotation.x - b.pose.rotation.x, a.pose.rotation.y - b.pose.rotation.y,
                           a.pose.rotation.z - b.pose.rotation.z)) < 1e-3);
    }
    CHECK(v3_length(cg_hand_get_state(world, ids[0]).force) == 0);
    cg_world_destroy(world);
}

// Steps, masses and ways in which a probe comes to rest: pressed down, on its side, and tilted into the pad.
static const struct rest_case {
    double time_step, mass, tilt;
    cg_vec3 place;
} rest_cases[] = {{1e-3, 0.02, 0, {1e-3, 0.5e-3, -2e-3}},     {5e-3, 0.02, 0, {1e-3, 0.5e-3, -2e-3}},
                  {1e-3, 5e-4, 0, {1e-3, 0.5e-3, -2e-3}},     {0.5e-3, 0.1, 0.5, {0, 0, -1.5e-3}},
                  {1e-3, 0.02, CG_PI / 2, {-5e-3, 0, -1e-3}}, {1e-3, 0.02, 1.2, {-3e-3, 1e-3, -1e-3}},
                  {1e-3, 0.02, 1.35, {-3e-3, 1e-3, -1e-3}}};

TEST(at_rest_the_force_is_that_of_the_spring_and_steady)
{
    for (size_t c = 0; c < sizeof rest_cases / sizeof rest_cases[0]; c++) {
        const struct rest_case *r = &rest_cases[c];
        cg_tissue_def pad = small_pad();
        cg_hand_def def = probe_def(v3_add(r->place, v3(0, 0, 6e-3)));
        def.mass = r->mass;
        def.rod_length = 20e-3;
        def.pose.rotation = quat_from_axis_angle(v3(0, 1, 0), r->tilt);
        probing p = begin(&pad, &def, r->time_step);
        go(&p, (cg_transform){r->place, def.pose.rotation}, 0.1);
        run(&p, (int)(1.5 / r->time_step));
        cg_hand_state s = state_of(&p);
        cg_vec3 spring = v3_scale(def.stiffness, v3_sub(s.command.position, s.pose.position));
        CHECK(s.force.z > 0.1);
        CHECK(v3_distance(s.force, v3_neg(spring)) < 1e-6);
        double least = INFINITY, most = 0;
        for (int step = 0; step < 200; step++) {
            run(&p, 1);
            least = fmin(least, v3_length(state_of(&p).force));
            most = fmax(most, v3_length(state_of(&p).force));
        }
        CHECK(most - least < 1e-11);
        // What the pad does to the hand, what is fixed does to the pad; its weight left out.
        cg_tissue_summary summary = cg_tissue_get_summary(p.world, p.tissue);
        cg_vec3 reaction = v3_add(summary.reaction, v3(0, 0, 9.81 * summary.mass));
        CHECK(v3_distance(reaction, v3_neg(state_of(&p).force)) < 1e-5);
        cg_quat turned = quat_multiply(s.command.rotation, quat_conjugate(s.pose.rotation));
        cg_vec3 torque = v3_scale(2 * def.turn_stiffness, v3(turned.x, turned.y, turned.z));
        CHECK(v3_distance(torque, v3_neg(s.torque)) < 1e-4 * def.max_torque + 0.01 * v3_length(torque));
        CHECK_NEAR(clearance(&p), 0, 1e-12); // it lies on the true surface
        cg_world_destroy(p.world);
    }
}

static double force_at_rest(double friction, double radius, double time_step)
{
    cg_tissue_def pad = small_pad();
    cg_hand_def def = probe_def(v3(1e-3, 0.5e-3, 4e-3));
    pad.friction = friction;
    def.rod_radius = radius;
    probing p = begin(&pad, &def, time_step);
    go(&p, (cg_transform){v3(1e-3, 0.5e-3, -1.5e-3), quat_identity()}, 0.1);
    run(&p, (int)(0.8 / time_step));
    double force = v3_length(state_of(&p).force);
    run(&p, 1);
    CHECK_NEAR(v3_length(state_of(&p).force), force, 1e-9);
    cg_world_destroy(p.world);
    return force;
}

// With friction the way in counts, which is another one in longer steps; without it nothing of the step is left.
TEST(the_force_at_rest_is_the_same_at_every_step)
{
    for (int k = 0; k < 2; k++) {
        double radius = k == 0 ? 1.5e-3 : 0.8e-3, smooth = force_at_rest(0, radius, 1e-3);
        double rough = force_at_rest(0.3, radius, 1e-3);
        CHECK_NEAR(force_at_rest(0, radius, 0.5e-3), smooth, 1e-6 * smooth);
        CHECK_NEAR(force_at_rest(0, radius, 2e-3), smooth, 1e-6 * smooth);
        CHECK_NEAR(force_at_rest(0.3, radius, 2e-3), rough, 5e-3 * rough);
    }
}

// On something that is far stiffer than mass and spring of the hand, at any step: what touches the rod is solved for
// together with the hand.
TEST(a_probe_comes_to_rest_on_what_is_stiff)
{
    static const struct {
        double time_step, mass;
    } cases[] = {{1e-3, 2e-3}, {1e-3, 0.02}, {5e-3, 2e-3}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        cg_tissue_def pad = small_pad();
        pad.layers[0].material.young = 1e7;
        cg_hand_def def = probe_def(v3(0, 0, 1e-3));
        def.mass = cases[c].mass;
        def.damping = 0.2 * sqrt(def.mass * def.stiffness); // a tenth of what would damp it by itself
        probing p = begin(&pad, &def, cases[c].time_step);
        CHECK_STR(cg_world_set_gravity(p.world, v3_zero()).message, "");
        go(&p, (cg_transform){v3(0, 0, -1e-3), quat_identity()}, 0.1);
        run(&p, (int)(1.3 / cases[c].time_step));
        double lowest = INFINITY, highest = -INFINITY;
        for (int step = 0; step < (int)(0.3 / cases[c].time_step); step++) {
            run(&p, 1);
            lowest = fmin(lowest, state_of(&p).pose.position.z);
            highest = fmax(highest, state_of(&p).pose.position.z);
        }
        CHECK(state_of(&p).force.z > 0.95 && state_of(&p).force.z < 1); // 1 mm of the spring, less the dent
        CHECK_NEAR(highest - lowest, 0, 1e-11);
        cg_world_destroy(p.world);
    }
}

TEST(a_rigid_shape_stops_a_probe)
{
    cg_world *world = make_world(1e-3);
    cg_shape_def table = cg_shape_def_default();
    cg_shape_id shape;
    CHECK_STR(cg_world_add_shape(world, &table, &shape).message, "");
    cg_hand_def def = probe_def(v3(0, 0, -1e-3));
    cg_hand_id hand;
    CHECK_INT(cg_world_add_hand(world, &def, &hand).code, CG_BAD_INPUT); // the table is there
    def.pose.position.z = 3e-3;
    CHECK_STR(cg_world_add_hand(world, &def, &hand).message, "");
    probing p = {.world = world, .hand = hand};
    go(&p, (cg_transform){v3(0, 0, -2e-3), quat_identity()}, 0.05);
    run(&p, 300);
    CHECK_NEAR(state_of(&p).pose.position.z, 0, 1e-9);
    CHECK_NEAR(state_of(&p).force.z, 2e-3 * def.stiffness, 1e-6);
    cg_world_destroy(world);
}

TEST(a_contact_names_the_hand)
{
    cg_tissue_def pad = small_pad();
    cg_hand_def def = probe_def(v3(0, 0, 2e-3));
    probing p = begin(&pad, &def, 1e-3);
    go(&p, (cg_transform){v3(0, 0, -1e-3), quat_identity()}, 0.05);
    run(&p, 200);
    cg_contact_info contact;
    cg_vec3 sum = v3_zero();
    for (int i = 0; cg_tissue_get_contact(p.world, p.tissue, i, &contact); i++) {
        CHECK(contact.hand.index == p.hand.index && contact.shape.index == 0);
        sum = v3_sub(sum, contact.force);
    }
    CHECK(sum.z > 0.05 && v3_distance(sum, state_of(&p).force) < 1e-12);
    cg_world_destroy(p.world);
    p = begin_with_thread(&def, 1e-3);
    go(&p, (cg_transform){v3(0, 0, -1e-3), quat_identity()}, 0.05);
    run(&p, 200);
    cg_contact_info info;
    int named = 0;
    for (int i = 0; cg_world_get_contact(p.world, i, &info); i++) {
        named += info.hand.index == p.hand.index && info.shape.index == 0;
    }
    CHECK(named > 0 && state_of(&p).force.z > 0.01);
    cg_world_destroy(p.world);
}

// Random commands: at up to 1 m/s, or jumps. Then away. `most`: how deep it may come on the way [m].
static void wander(probing *p, bool jumps, int steps, uint64_t seed, double most)
{
    cg_vec3 aim = v3(0, 0, 15e-3), place = aim;
    cg_quat turn = quat_identity();
    double least = INFINITY, strongest = 0;
    bool finite = true;
    for (int step = 0; step < steps; step++) {
        if (step % 30 == 0) {
            aim.x = test_random(&seed, -12e-3, 12e-3);
            aim.y = test_random(&seed, -10e-3, 10e-3);
            aim.z = test_random(&seed, -12e-3, 8e-3);
            cg_vec3 axis = v3(0, 0, 0);
            axis.x = test_random(&seed, -1, 1);
            axis.y = test_random(&seed, -1, 1);
            turn = quat_from_axis_angle(v3_unit_or(axis, v3(1, 0, 0)), test_random(&seed, 0, 1.4));
        }
        cg_vec3 way = v3_sub(aim, place);
        double length = v3_length(way);
        place = length > 1e-3 && !jumps ? v3_add_scaled(place, 1e-3 / length, way) : aim;
        go(p, (cg_transform){place, turn}, 0);
        run(p, 1);
        cg_hand_state s = state_of(p);
        least = fmin(least, clearance(p));
        strongest = fmax(strongest, v3_length(s.force));
        finite = finite && v3_is_finite(s.pose.position) && v3_is_finite(s.force);
    }
    CHECK(least > -most);
    CHECK(finite);
    CHECK(strongest > 0.1);
    // It is led out the way it stands, then up.
    cg_transform there = state_of(p).pose;
    for (int step = 0; step < 300; step++) {
        cg_vec3 out = transform_point(there, v3(0, 0, 0.2e-3 * step));
        go(p, (cg_transform){out, there.rotation}, 0);
        run(p, 1);
        least = fmin(least, clearance(p));
    }
    go(p, (cg_transform){v3(0, 0, 60e-3), quat_identity()}, 0.1);
    for (int step = 0; step < 300; step++) {
        run(p, 1);
        least = fmin(least, clearance(p));
    }
    CHECK(least > -most);
    CHECK(v3_distance(state_of(p).pose.position, v3(0, 0, 60e-3)) < 1e-6);
}

TEST(a_probe_passes_through_nothing)
{
    int steps = test_count(test_is_sanitized() ? 120 : 400, 10000);
    const cg_tissue_def tissues[2] = {small_pad(), small_vessel()};
    for (int k = 0; k < 6; k++) {
        cg_hand_def def = probe_def(v3(0, 0, 15e-3));
        def.rod_radius = k < 4 ? 1.5e-3 : 1e-3;
        def.rod_length = 30e-3;
        probing p = k < 4 ? begin(&tissues[k / 2], &def, 1e-3) : begin_with_thread(&def, 1e-3);
        // On tissue a rod may come 0.375 mm deep for a while, however thick it is (docs/rigid.md).
        wander(&p, k % 2 == 1, steps, (uint64_t)k + 1, k < 4 ? 0.38e-3 : 0);
        if (k < 4) {
            CHECK(cg_tissue_get_summary(p.world, p.tissue).farthest < 0.3e-3);
            CHECK_INT(cg_tissue_get_summary(p.world, p.tissue).inverted_cells, 0);
        }
        cg_world_destroy(p.world);
    }
}

TEST(tools_change_where_there_is_room)
{
    cg_tissue_def pad = small_pad();
    cg_hand_def def = probe_def(v3(0, 0, -1e-3));
    def.tool = CG_TOOL_GRASPER;
    probing p = begin(&pad, &def, 1e-3);
    // The tip would be in the pad.
    CHECK_INT(cg_hand_set_tool(p.world, p.hand, CG_TOOL_PROBE).code, CG_BAD_INPUT);
    CHECK_INT(state_of(&p).tool, CG_TOOL_GRASPER);
    CHECK_STR(cg_hand_close(p.world, p.hand).message, "");
    CHECK_INT(cg_hand_set_tool(p.world, p.hand, CG_TOOL_PROBE).code, CG_BAD_INPUT);
    CHECK(state_of(&p).node_count > 0); // a refused one changes nothing
    go(&p, (cg_transform){v3(0, 0, 3e-3), quat_identity()}, 0.05);
    run(&p, 150);
    CHECK_STR(cg_hand_set_tool(p.world, p.hand, CG_TOOL_SCALPEL).message, ""); // while it holds
    CHECK(state_of(&p).node_count == 0 && !state_of(&p).closed);
    run(&p, 200);
    CHECK_STR(cg_hand_set_tool(p.world, p.hand, CG_TOOL_PROBE).message, "");
    go(&p, (cg_transform){v3(0, 0, -1.5e-3), quat_identity()}, 0.05);
    run(&p, 200);
    CHECK(state_of(&p).force.z > 0.1);
    CHECK_STR(cg_hand_set_tool(p.world, p.hand, CG_TOOL_HOOK).message, ""); // while it presses
    run(&p, 500);
    CHECK(v3_length(state_of(&p).force) == 0);
    CHECK(cg_tissue_get_summary(p.world, p.tissue).farthest < 0.1e-3);
    CHECK_STR(cg_world_remove_hand(p.world, p.hand).message, "");
    run(&p, 2);
    cg_world_destroy(p.world);
}

// [count] of hands that a world has room for still.
static int free_hands(cg_world *world)
{
    cg_hand_id made[16];
    cg_hand_def def = cg_hand_def_default();
    int count = 0;
    while (count < 16 && cg_world_add_hand(world, &def, &made[count]).code == CG_OK) {
        count++;
    }
    for (int i = 0; i < count; i++) {
        CHECK_STR(cg_world_remove_hand(world, made[i]).message, "");
    }
    return count;
}

TEST(a_hand_with_a_probe_comes_where_there_is_room)
{
    cg_tissue_def pad = small_pad();
    cg_hand_def away = probe_def(v3(0, 0, 3e-3)), in_pad = probe_def(v3(0, 0, -1e-3));
    probing p = begin(&pad, &away, 1e-3), q = begin_with_thread(&away, 1e-3);
    int room = free_hands(p.world);
    cg_hand_id id = {7, 7};
    CHECK_INT(cg_world_add_hand(p.world, &in_pad, &id).code, CG_BAD_INPUT);
    CHECK(id.index == 0 && free_hands(p.world) == room); // nobody came
    // A small one that is inside as a whole, far from the surface.
    in_pad.rod_radius = 0.2e-3;
    in_pad.rod_length = 0;
    CHECK_INT(cg_world_add_hand(p.world, &in_pad, &id).code, CG_BAD_INPUT);
    in_pad.tool = CG_TOOL_GRASPER;
    CHECK_STR(cg_world_add_hand(p.world, &in_pad, &id).message, "");
    cg_hand_def in_thread = probe_def(cg_thread_positions(q.world, q.thread, NULL)[1]);
    CHECK_INT(cg_world_add_hand(q.world, &in_thread, &id).code, CG_BAD_INPUT);
    cg_world_destroy(p.world);
    cg_world_destroy(q.world);
}

TEST(states_are_taken_back_with_every_tool)
{
    for (int with_thread = 0; with_thread < 2; with_thread++) {
        cg_tissue_def pad = small_pad();
        cg_hand_def def = probe_def(v3(0, 0, 3e-3));
        probing p = with_thread ? begin_with_thread(&def, 1e-3) : begin(&pad, &def, 1e-3);
        go(&p, (cg_transform){v3(1e-3, 0, -1e-3), quat_from_axis_angle(v3(1, 0, 0), 0.3)}, 0.05);
        run(&p, 60);
        CHECK(v3_length(state_of(&p).force) > 1e-3);
        size_t size = cg_world_snapshot_size(p.world);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(p.world, bytes, size).message, "");
        cg_vec3 force = state_of(&p).force;
        run(&p, 100);
        uint64_t hash = cg_world_state_hash(p.world);
        // Another tool in between, or none: the state has the probe back. Those with jaws have no room here
        // (test_jaws.c).
        for (int tool = 0; tool <= CG_TOOL_HOOK; tool++) {
            CHECK_STR(cg_hand_set_tool(p.world, p.hand, (cg_hand_tool)tool).message, "");
            run(&p, 3);
            CHECK_STR(cg_world_restore(p.world, bytes, size).message, "");
            CHECK_INT(state_of(&p).tool, CG_TOOL_PROBE);
            CHECK(v3_distance(state_of(&p).force, force) == 0);
            run(&p, 100);
            CHECK_HASH(cg_world_state_hash(p.world), hash);
        }
        free(bytes);
        cg_world_destroy(p.world);
    }
}

// A world of tissue and hands has contacts while a hand carries a tool: one made anew takes a state of either kind.
TEST(a_state_with_a_probe_goes_into_a_world_without_one)
{
    cg_tissue_def pad = small_pad();
    cg_hand_def def = probe_def(v3(0, 0, 3e-3));
    def.tool = CG_TOOL_GRASPER;
    probing worlds[2] = {begin(&pad, &def, 1e-3), begin(&pad, &def, 1e-3)};
    void *states[2] = {NULL, NULL};
    size_t sizes[2];
    uint64_t hashes[2];
    for (int with_probe = 0; with_probe < 2; with_probe++) {
        const probing *p = &worlds[0];
        if (with_probe) {
            CHECK_STR(cg_hand_set_tool(p->world, p->hand, CG_TOOL_PROBE).message, "");
            go(p, (cg_transform){v3(1e-3, 0, -1e-3), quat_identity()}, 0.05);
            run(p, 60);
        }
        sizes[with_probe] = cg_world_snapshot_size(p->world);
        states[with_probe] = malloc(sizes[with_probe]);
        CHECK_STR(cg_world_snapshot(p->world, states[with_probe], sizes[with_probe]).message, "");
        run(p, 20);
        hashes[with_probe] = cg_world_state_hash(p->world);
    }
    for (int k = 0; k < 6; k++) {
        const probing *p = &worlds[k % 2];
        int with_probe = k < 2 || k > 3;
        CHECK_STR(cg_world_restore(p->world, states[with_probe], sizes[with_probe]).message, "");
        CHECK_INT(state_of(p).tool, with_probe ? CG_TOOL_PROBE : CG_TOOL_GRASPER);
        run(p, 20);
        CHECK_HASH(cg_world_state_hash(p->world), hashes[with_probe]);
    }
    for (int k = 0; k < 2; k++) {
        free(states[k]);
        cg_world_destroy(worlds[k].world);
    }
}

TEST(a_step_with_a_probe_takes_no_memory)
{
    if (!test_allocations_counted()) {
        test_skip("the sanitizer has its own allocator");
        return;
    }
    cg_tissue_def pad = small_pad();
    cg_hand_def def = probe_def(v3(0, 0, 3e-3));
    probing p = begin(&pad, &def, 1e-3);
    go(&p, (cg_transform){v3(0, 0, -1e-3), quat_identity()}, 0.05);
    run(&p, 2);
    long before = test_allocations();
    run(&p, 100);
    CHECK_INT(test_allocations() - before, 0);
    cg_world_destroy(p.world);
}
