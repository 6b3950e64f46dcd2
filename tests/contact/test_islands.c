// What does not touch does not feel: threads of one world go their ways as if each had a world of its own.
#include "knot_rig.h"

enum { STEPS = 160, POINTS = 81 };
static const double THIN = 0.0225e-3, THICK = 0.5e-3; // 8-0, and a cord of 1 mm

// An overhand of nylon whose ends are drawn apart.
static bool tie(knot_rig *rig, double radius)
{
    cg_world_def world = cg_world_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_curve_def curve = cg_curve_def_default();
    curve.radius = radius;
    curve.spacing = 2 * radius;
    curve.tail = 4e-3;
    world.gravity = v3_zero();
    world.max_contacts = 400;
    return knot_rig_tie(rig, &curve, &world, &thread);
}

static cg_thread_id add_cord(cg_world *world, double radius, cg_vec3 middle, double length, cg_vec3 speed)
{
    cg_vec3 points[POINTS], speeds[POINTS];
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id id = {0, 0};
    for (int i = 0; i < POINTS; i++) {
        double along = i / (POINTS - 1.0) - 0.5;
        points[i] = v3_add(middle, v3(length * along, 0, 0.02 * length * along * along));
        speeds[i] = v3_scale(along, speed);
    }
    def.vertex_count = POINTS;
    def.positions = points;
    def.radius = radius;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    CHECK_STR(cg_thread_set_state(world, id, points, speeds).message, "");
    return id;
}

// Both ends go outwards at this speed.
static void draw_knot(knot_rig *rig, double speed)
{
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = knot_rig_pulled_vertex(rig, end, &thread), beside = vertex == 0 ? 1 : vertex - 1;
        cg_vec3 move = v3_scale(1e-3 * speed, rig->curve.pull[end]);
        cg_vec3 at = cg_thread_positions(rig->world, thread, NULL)[vertex];
        cg_vec3 before = cg_thread_positions(rig->world, thread, NULL)[beside];
        cg_thread_hold(rig->world, thread, vertex, v3_add(at, move));
        cg_thread_hold(rig->world, thread, beside, v3_add(before, move));
    }
    cg_world_step(rig->world);
}

static bool have_same_points(const cg_world *a, cg_thread_id of_a, const cg_world *b, cg_thread_id of_b)
{
    int count, others;
    const cg_vec3 *x = cg_thread_positions(a, of_a, &count), *y = cg_thread_positions(b, of_b, &others);
    return count == others && memcmp(x, y, sizeof *x * (size_t)count) == 0;
}

// A cord that lies beside a knot changes no bit of it, and costs it no contact, whichever was there first.
TEST(a_thick_cord_beside_a_thin_knot_changes_nothing)
{
    knot_rig alone, beside;
    if (!tie(&alone, THIN) || !tie(&beside, THIN)) {
        return;
    }
    add_cord(beside.world, THICK, v3(0, 0, -3e-3), 60e-3, v3_zero());
    for (int k = 0; k < STEPS; k++) {
        draw_knot(&alone, 0.02);
        draw_knot(&beside, 0.02);
    }
    CHECK(cg_world_get_stats(alone.world).working_contacts > 4);
    CHECK(have_same_points(alone.world, alone.threads[0], beside.world, beside.threads[0]));
    CHECK_INT(cg_world_get_stats(beside.world).lost_contacts, 0);
    knot_rig_free(&alone);
    knot_rig_free(&beside);
}

// A needle of 0.6 mm: a row of capsules along an arc, free.
static void add_needle(cg_world *world, cg_vec3 place)
{
    enum { PARTS = 12 };
    cg_rigid_part parts[PARTS];
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_id id;
    for (int k = 0; k < PARTS; k++) {
        double angle = 3.0 * (k + 0.5) / PARTS;
        parts[k] = (cg_rigid_part){{.kind = CG_SHAPE_SPHERE, .radius = 0.3e-3},
                                   {v3(2e-3 * cos(angle), 2e-3 * sin(angle), 0), {0, 0, 0, 1}}};
    }
    def.parts = parts;
    def.part_count = PARTS;
    def.mass = 30e-6;
    def.pose.position = place;
    def.spin = v3(3, 1, 2);
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "");
}

TEST(a_needle_beside_a_knot_of_10_0_changes_nothing)
{
    knot_rig alone, beside;
    const double radius = 0.0125e-3;
    if (!tie(&alone, radius) || !tie(&beside, radius)) {
        return;
    }
    add_needle(beside.world, v3(0, 0, -4e-3));
    for (int k = 0; k < STEPS; k++) {
        draw_knot(&alone, 0.02);
        draw_knot(&beside, 0.02);
    }
    CHECK(cg_world_get_stats(alone.world).working_contacts > 4);
    CHECK(have_same_points(alone.world, alone.threads[0], beside.world, beside.threads[0]));
    CHECK_INT(cg_world_get_stats(beside.world).lost_contacts, 0);
    knot_rig_free(&alone);
    knot_rig_free(&beside);
}

// A knot that is yanked stops short in nearly every step; a thread that swings beside it goes its whole way.
TEST(a_jammed_knot_does_not_slow_another_thread)
{
    knot_rig rig;
    cg_world *alone;
    cg_world_def def = cg_world_def_default();
    def.gravity = v3_zero();
    def.max_contacts = 400;
    if (!tie(&rig, THIN) || !CHECK_STR(cg_world_create(&def, &alone).message, "")) {
        return;
    }
    cg_vec3 middle = v3(0, 0, 8e-3), speed = v3(0, 0.4, 0.3);
    cg_thread_id swings = add_cord(rig.world, 0.1e-3, middle, 20e-3, speed);
    cg_thread_id same = add_cord(alone, 0.1e-3, middle, 20e-3, speed);
    uint64_t stopped = 0;
    for (int k = 0; k < STEPS; k++) {
        draw_knot(&rig, 2);
        cg_world_step(alone);
        stopped += cg_world_get_stats(rig.world).shortest_move < 1;
    }
    CHECK(stopped > 10);
    CHECK(have_same_points(rig.world, swings, alone, same));
    knot_rig_free(&rig);
    cg_world_destroy(alone);
}
