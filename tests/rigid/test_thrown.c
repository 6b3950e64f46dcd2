// Bodies thrown at walls, at each other and at threads: nothing is crossed.
#include "collide/parts.h"
#include "geometry/closest.h"
#include "geometry/shape.h"
#include "rigid_rig.h"

// A room of six thin plates, 60 mm across.
enum { PLATES = 6 };
static const double ROOM = 0.03, PLATE = 0.001;

static void add_room(cg_world *world, double friction)
{
    const cg_vec3 sides[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < PLATES; i++) {
        cg_vec3 n = sides[i / 2];
        double half = ROOM + 2 * PLATE;
        cg_vec3 size = v3(n.x > 0 ? PLATE : half, n.y > 0 ? PLATE : half, n.z > 0 ? PLATE : half);
        cg_vec3 place = v3_scale(i % 2 == 0 ? ROOM + PLATE : -ROOM - PLATE, n);
        add_shape(world, shape_box(size), (cg_transform){place, quat_identity()}, friction);
    }
}

static int random_body(uint64_t *state, cg_rigid_part parts[ARC_PARTS])
{
    switch (test_random_int(state, 0, 3)) {
    case 0:
        parts[0] = ball_part(test_random(state, 0.5e-3, 4e-3));
        return 1;
    case 1: {
        double length = test_random(state, 1e-3, 5e-3);
        parts[0] = box_part(length, test_random(state, 1e-3, 5e-3), 2e-3);
    }
        return 1;
    case 2:
        parts[0] = box_part(0.006, 0.001, 0.001);
        parts[1] = capsule_part(0.0006, 0.004);
        parts[1].pose.position = v3(0.005, 0, 0.004);
        return 2;
    default:
        arc_parts(parts, 0.008, 0.0003);
        return ARC_PARTS;
    }
}

// How far a part is outside the room at most, by its rods; negative: inside.
static double outside(const cg_rigid_part *part)
{
    cg_rods rods = cg_rods_of(&part->shape);
    double worst = -1;
    for (int i = 0; i < rods.corner_count; i++) {
        cg_vec3 p = transform_point(part->pose, rods.corners[i]);
        worst = fmax(worst, fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)) + rods.radius - ROOM);
    }
    return worst;
}

TEST(bodies_thrown_about_in_a_room_stay_in_it)
{
    uint64_t state = 11;
    double worst = -1;
    uint64_t unfinished[2] = {0}, steps[2] = {0};
    for (int round = 0; round < test_count(25, 1000); round++) {
        cg_world *world = make_world(round % 2 == 0 ? 1e-3 : 5e-3, v3(0, 0, -9.81));
        add_room(world, 0.3);
        cg_rigid_part parts[ARC_PARTS];
        cg_rigid_id ids[2];
        for (int k = 0; k < 2; k++) {
            cg_rigid_def def = cg_rigid_def_default();
            def.pose = (cg_transform){v3(k == 0 ? -0.012 : 0.012, 0, 0), random_rotation(&state)};
            ids[k] = add_body(world, def, parts, random_body(&state, parts));
        }
        for (int step = 0; step < 150; step++) {
            for (int k = 0; k < 2 && step % 30 == 0; k++) {
                cg_vec3 way = v3_unit_or(random_vector(&state, 1), v3(1, 0, 0));
                CHECK_INT(cg_rigid_set_state(world, ids[k], cg_rigid_get_pose(world, ids[k]), v3_scale(10, way),
                                             random_vector(&state, 100))
                              .code,
                          CG_OK);
            }
            cg_world_step(world);
            cg_rigid_part part;
            for (int k = 0; k < 2; k++) {
                for (int i = 0; cg_rigid_get_part(world, ids[k], i, &part); i++) {
                    worst = fmax(worst, outside(&part));
                }
            }
            steps[round % 2]++;
        }
        unfinished[round % 2] += cg_world_get_stats(world).unfinished_steps;
        CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
        cg_world_destroy(world);
    }
    CHECK(worst < 5e-6);
    // A blow of 10 m/s could turn so small a body several times in a step of 5 ms: it is braked, and comes through.
    CHECK((double)unfinished[0] < 0.01 * (double)steps[0]);
    CHECK((double)unfinished[1] < 0.01 * (double)steps[1]);
}

// Strikes a floor by one end, at 10 m/s and an angle [rad] to it, from any side, while it spins about its axis [rad a
// step]. Returns the longest turn of a step [rad].
static double throw_rod(double time_step, double angle, double side, double axial_turn)
{
    double sine, cosine, side_sine, side_cosine;
    cg_sincos(angle, &sine, &cosine);
    cg_sincos(side, &side_sine, &side_cosine);
    cg_vec3 axis = v3(cosine * side_cosine, cosine * side_sine, sine);
    cg_world *world = make_world(time_step, v3_zero());
    add_shape(world, shape_half_space(), transform_identity(), 0.3);
    cg_rigid_part part = capsule_part(0.3e-3, 3e-3);
    cg_rigid_def def = cg_rigid_def_default();
    def.mass = 50e-6;
    def.pose = (cg_transform){v3(0, 0, 8e-3), quat_between(v3(0, 0, 1), axis)};
    def.velocity = v3(0, 0, -10);
    def.spin = v3_scale(axial_turn / time_step, axis);
    cg_rigid_id rod = add_body(world, def, &part, 1);
    double first = info_of(world, rod).kinetic_energy, energy = first, most_turn = 0;
    for (int step = 0; step < 40; step++) {
        cg_world_step(world);
        cg_rigid_info info = info_of(world, rod);
        CHECK(info.kinetic_energy < energy + 1e-6 * first); // an overlap is pushed apart
        energy = info.kinetic_energy;
        most_turn = fmax(most_turn, time_step * v3_length(info.spin));
    }
    CHECK_INT(cg_world_get_stats(world).unfinished_steps, 0);
    cg_world_destroy(world);
    return most_turn;
}

// A rod that falls flat by one end turns until it lies, by no more than about a radian in a step; what it loses so it
// wins nowhere else.
TEST(a_blow_that_would_turn_a_rod_for_long_wins_no_energy)
{
    for (int i = 0; i < 8; i++) {
        double angle = 0.2 + 0.15 * i, most_turn = throw_rod(i % 2 == 0 ? 1e-3 : 5e-3, angle, 0, 0);
        CHECK(most_turn > 0.9 * fmin(angle, 1) && most_turn < 1.2);
    }
}

// The same where its spin is along none of its axes, so that its energy depends on how it lies.
TEST(a_blow_on_a_rod_that_spins_wins_no_energy)
{
    uint64_t state = 3;
    for (int i = 0; i < 60; i++) {
        double angle = test_random(&state, 0.1, 1.4), side = test_random(&state, 0, 6),
               turn = test_random(&state, 0.1, 3);
        double most_turn = throw_rod(i % 2 == 0 ? 1e-3 : 5e-3, angle, side, turn);
        CHECK(most_turn < fmax(1.2, turn + 1e-9)); // until it strikes it turns as it was thrown
    }
}

TEST(balls_that_meet_head_on_do_not_pass)
{
    for (int i = 0; i < 12; i++) {
        double time_step = i % 2 == 0 ? 1e-3 : 5e-3, radius = i < 6 ? 0.3e-3 : 3e-3;
        cg_world *world = make_world(time_step, v3_zero());
        cg_rigid_part ball = ball_part(radius);
        cg_rigid_id ids[2];
        for (int k = 0; k < 2; k++) {
            cg_rigid_def def = cg_rigid_def_default();
            def.mass = k == 0 ? 1e-3 : 3e-3;
            def.pose.position = v3(k == 0 ? -0.02 : 0.023, 0.05 * radius * (i / 2 % 3), 0);
            def.velocity = v3(k == 0 ? 10 : -10, 0, 0);
            ids[k] = add_body(world, def, &ball, 1);
        }
        double nearest = 1;
        for (int step = 0; step < 40; step++) {
            cg_world_step(world);
            cg_vec3 apart = v3_sub(info_of(world, ids[1]).centre, info_of(world, ids[0]).centre);
            nearest = fmin(nearest, v3_length(apart));
            CHECK(apart.x > 0);
        }
        CHECK(nearest > 1.97 * radius && nearest < 2.03 * radius);
        // Momentum is passed on, none is lost.
        double sum = 1e-3 * info_of(world, ids[0]).velocity.x + 3e-3 * info_of(world, ids[1]).velocity.x;
        CHECK_NEAR(sum, -0.02, 1e-9);
        cg_world_destroy(world);
    }
}

static cg_thread_id add_taut_thread(cg_world *world, double radius, double place)
{
    enum { VERTICES = 61 };
    cg_vec3 points[VERTICES];
    cg_thread_def def = cg_thread_def_default();
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(place, 0.001 * (i - 30), 0);
    }
    def.radius = radius;
    def.positions = points;
    def.vertex_count = VERTICES;
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    for (int e = 0; e < 2; e++) {
        cg_end_hold hold = {.kind = CG_END_PINNED, .position = points[e == 0 ? 0 : VERTICES - 1]};
        CHECK_INT(cg_thread_set_end(world, id, e == 0 ? CG_START : CG_FINISH, &hold).code, CG_OK);
    }
    return id;
}

static bool passes_triangle(cg_vec3 low, cg_vec3 high, cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    cg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a)), along = v3_sub(high, low);
    double t = v3_dot(n, v3_sub(a, low)) / v3_dot(n, along);
    cg_vec3 p = v3_add_scaled(low, t, along);
    return t > 0 && t < 1 && v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(p, a))) > 0 &&
           v3_dot(n, v3_cross(v3_sub(c, b), v3_sub(p, b))) > 0 && v3_dot(n, v3_cross(v3_sub(a, c), v3_sub(p, c))) > 0;
}

typedef struct bar_look {
    int passes;     // through the sail between the thread and a far point on its other side
    double nearest; // [m] of the axes
    bool is_by_end; // nearest at an end of the bar, or the bar has turned round, so that its tip may come through
} bar_look;

static bar_look look_at_bar(const cg_world *world, cg_thread_id thread, cg_rigid_id bar)
{
    int count;
    const cg_vec3 *x = cg_thread_positions(world, thread, &count);
    cg_rigid_part part;
    CHECK(cg_rigid_get_part(world, bar, 0, &part));
    cg_vec3 low = transform_point(part.pose, v3(0, 0, -part.shape.half_length));
    cg_vec3 high = transform_point(part.pose, v3(0, 0, part.shape.half_length));
    bar_look look = {0, 1, false};
    bool has_turned = fabs(v3_sub(high, low).z) < 0.6 * v3_distance(high, low);
    for (int i = 0; i + 1 < count; i++) {
        cg_closest c = cg_closest_segments(x[i], x[i + 1], low, high);
        look.passes += passes_triangle(low, high, x[i], x[i + 1], v3(10, 0.01, 0.02));
        if (c.squared_distance < look.nearest * look.nearest) {
            look.nearest = sqrt(c.squared_distance);
            look.is_by_end = has_turned || c.t < 0.01 || c.t > 0.99;
        }
    }
    return look;
}

TEST(a_bar_thrown_at_a_thread_does_not_pass_through_it)
{
    const double radii[3] = {12.5e-6, 0.12e-3, 0.5e-3};
    for (int i = 0; i < 12; i++) {
        double time_step = i % 2 == 0 ? 1e-3 : 5e-3, radius = radii[i / 2 % 3], speed = i < 6 ? 10 : 2;
        cg_world *world = make_world(time_step, v3_zero());
        cg_thread_id thread = add_taut_thread(world, radius, 0);
        cg_rigid_part part = capsule_part(0.4e-3, 0.02);
        cg_rigid_def def = cg_rigid_def_default();
        def.mass = 50e-6;
        def.pose.position = v3(-0.013, 0.002, 0.001);
        def.velocity = v3(speed, 0, 0);
        def.spin = v3(5, 0, 3);
        cg_rigid_id bar = add_body(world, def, &part, 1);
        bar_look look = look_at_bar(world, thread, bar);
        int met = 0;
        CHECK_INT(look.passes, 0);
        for (int step = 0; step < 120 && !look.is_by_end; step++) {
            cg_world_step(world);
            look = look_at_bar(world, thread, bar);
            CHECK(look.passes == 0 || look.is_by_end);
            CHECK(look.nearest > 0.97 * (radius + 0.4e-3));
            met += look.nearest < 1.05 * (radius + 0.4e-3);
        }
        CHECK(met > 0);
        cg_world_destroy(world);
    }
}

// A bar laid over two threads is carried by them.
TEST(threads_carry_a_body)
{
    cg_world *world = make_world(1e-3, v3(0, 0, -9.81));
    add_taut_thread(world, 0.2e-3, 0);
    add_taut_thread(world, 0.2e-3, 0.01);
    cg_rigid_part part = capsule_part(0.5e-3, 0.012);
    cg_rigid_def def = cg_rigid_def_default();
    def.mass = 40e-6;
    def.friction = 0.5;
    def.pose = (cg_transform){v3(0.005, 0, 0.001), quat_normalise(quat(0, 1, 0, 1))};
    cg_rigid_id bar = add_body(world, def, &part, 1);
    for (int step = 0; step < 3000; step++) {
        cg_world_step(world);
    }
    cg_rigid_info info = info_of(world, bar);
    CHECK(v3_length(info.velocity) < 2e-4);
    CHECK(v3_distance(info.force, v3(0, 0, 9.81 * 40e-6)) < 0.02 * 9.81 * 40e-6);
    CHECK(info.centre.z < 0.001 && info.centre.z > -0.01);
    cg_world_destroy(world);
}
