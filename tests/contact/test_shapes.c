// Threads against rigid shapes: resting, sliding, stopping, and a rope round a post.
#include <math.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/shape.h"
#include "harness.h"

static cg_world *make_world(double time_step)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 200;
    def.time_step = time_step;
    cg_world *world = NULL;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static cg_thread_id add_line(cg_world *world, cg_thread_def def, int count, cg_vec3 from, cg_vec3 step)
{
    cg_thread_id id;
    cg_vec3 *points = malloc(sizeof *points * (size_t)count);
    for (int i = 0; i < count; i++) {
        points[i] = v3_add_scaled(from, i, step);
    }
    def.vertex_count = count;
    def.positions = points;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    free(points);
    return id;
}

static double thread_mass(const cg_thread_def *def, int segments, double spacing)
{
    return def->density * 3.14159265358979323846 * def->radius * def->radius * segments * spacing;
}

TEST(a_thread_comes_to_rest_on_a_table)
{
    cg_world *world = make_world(1e-3);
    cg_shape_def table = cg_shape_def_default();
    cg_shape_id shape;
    cg_thread_def def = cg_thread_def_default();
    CHECK_STR(cg_world_add_shape(world, &table, &shape).message, "");
    cg_thread_id id = add_line(world, def, 41, v3(0, 0, 0.01), v3(1e-3, 0, 0.2e-3));
    for (int step = 0; step < 1500; step++) {
        cg_world_step(world);
    }
    const cg_vec3 *x = cg_thread_positions(world, id, NULL);
    for (int i = 0; i < 41; i++) {
        CHECK_NEAR(x[i].z, def.radius, 0.05 * def.radius);
    }
    cg_vec3 force, torque;
    double spacing = sqrt(1.0 + 0.04) * 1e-3;
    CHECK_INT(cg_shape_get_load(world, shape, &force, &torque).code, CG_OK);
    CHECK_NEAR(force.z, -9.81 * thread_mass(&def, 40, spacing), 2e-3 * 9.81 * thread_mass(&def, 40, spacing));
    cg_world_destroy(world);
}

// A slope holds a thread that lies down it as long as its tangent is below the coefficient of friction.
TEST(a_slope_holds_a_thread_by_friction)
{
    for (int steep = 0; steep < 2; steep++) {
        double angle = steep ? 0.33 : 0.27, mu = 0.3; // atan 0.3 = 0.2915
        cg_world *world = make_world(1e-3);
        cg_shape_def slope = cg_shape_def_default();
        slope.pose.rotation = quat_from_axis_angle(v3(0, 1, 0), angle);
        slope.friction = mu;
        cg_shape_id shape;
        cg_thread_def def = cg_thread_def_default();
        def.friction = mu;
        def.drag = 0;
        CHECK_STR(cg_world_add_shape(world, &slope, &shape).message, "");
        cg_vec3 down = v3(cos(angle), 0, -sin(angle)), up = v3(sin(angle), 0, cos(angle));
        cg_thread_id id = add_line(world, def, 31, v3_scale(1.001 * def.radius, up), v3_scale(1e-3, down));
        double start = v3_dot(cg_thread_positions(world, id, NULL)[15], down);
        for (int step = 0; step < 300; step++) {
            cg_world_step(world);
        }
        double slid = v3_dot(cg_thread_positions(world, id, NULL)[15], down) - start;
        double free = 0.5 * 9.81 * (sin(angle) - mu * cos(angle)) * 0.3 * 0.3;
        CHECK_NEAR(slid, steep ? free : 0.0, steep ? 0.03 * free : 2e-6);
        cg_world_destroy(world);
    }
}

TEST(a_sliding_thread_stops_after_v2_over_2_mu_g)
{
    cg_world *world = make_world(0.5e-3);
    cg_shape_def table = cg_shape_def_default();
    cg_shape_id shape;
    cg_thread_def def = cg_thread_def_default();
    table.friction = def.friction = 0.25;
    def.drag = 0;
    CHECK_STR(cg_world_add_shape(world, &table, &shape).message, "");
    cg_thread_id id = add_line(world, def, 21, v3(0, 0, def.radius), v3(1e-3, 0, 0));
    cg_vec3 x[21], v[21];
    for (int i = 0; i < 21; i++) {
        x[i] = v3(1e-3 * i, 0, def.radius);
        v[i] = v3(0, 0.2, 0);
    }
    CHECK_STR(cg_thread_set_state(world, id, x, v).message, "");
    for (int step = 0; step < 400; step++) {
        cg_world_step(world);
    }
    double want = 0.2 * 0.2 / (2 * 0.25 * 9.81);
    CHECK_NEAR(cg_thread_positions(world, id, NULL)[10].y, want, 0.02 * want);
    CHECK_NEAR(v3_length(cg_thread_velocities(world, id, NULL)[10]), 0, 1e-6);
    cg_world_destroy(world);
}

// A shape that is moved pushes a thread along and never passes through it, slow or fast.
TEST(a_moving_post_cannot_pass_through_a_thread)
{
    static const double speeds[] = {0.1, 1.0, 5.0, 30.0};
    for (int n = 0; n < 4; n++) {
        cg_world *world = make_world(1e-3);
        CHECK_STR(cg_world_set_gravity(world, v3_zero()).message, "");
        cg_shape_def post = cg_shape_def_default();
        post.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = 0.5e-3, .half_length = 0.02};
        post.pose.position = v3(0.02, -0.003, 0);
        cg_shape_id shape;
        cg_thread_def def = cg_thread_def_default();
        CHECK_STR(cg_world_add_shape(world, &post, &shape).message, "");
        cg_thread_id id = add_line(world, def, 81, v3_zero(), v3(0.5e-3, 0, 0));
        for (int step = 0; step < 60; step++) {
            cg_transform pose = cg_shape_get_pose(world, shape);
            pose.position.y = -0.003 + speeds[n] * 1e-3 * (step + 1);
            CHECK_STR(cg_shape_move(world, shape, pose).message, "");
            cg_world_step(world);
            cg_vec3 at = cg_shape_get_pose(world, shape).position;
            const cg_vec3 *x = cg_thread_positions(world, id, NULL);
            for (int i = 0; i < 81; i++) {
                double away = sqrt((x[i].x - at.x) * (x[i].x - at.x) + (x[i].y - at.y) * (x[i].y - at.y));
                CHECK(away > 0.9 * (def.radius + post.shape.radius));
                CHECK(fabs(x[i].x - at.x) > 0.2e-3 || x[i].y > at.y);
            }
        }
        CHECK(cg_thread_positions(world, id, NULL)[40].y > 0.0005);
        cg_world_destroy(world);
    }
}

// A rod that wanders at 1 m/s and turns, across a thread that is held at both ends: the thread comes after the rod as
// well as it goes before it.
TEST(a_rod_that_turns_back_cannot_pass_through_a_thread)
{
    uint64_t seed = 1;
    cg_world *world = make_world(1e-3);
    cg_thread_def def = cg_thread_def_default();
    def.radius = 0.5e-3;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_PINNED;
    def.ends[CG_START].position = v3(-20e-3, 0, 0);
    def.ends[CG_FINISH].position = v3(20e-3, 0, 0);
    cg_thread_id thread = add_line(world, def, 21, v3(-20e-3, 0, 0), v3(2e-3, 0, 0));
    cg_shape_def rod = cg_shape_def_default();
    rod.shape = shape_capsule(1e-3, 15e-3);
    rod.pose.position = v3(0, 0, 25e-3);
    cg_shape_id shape;
    CHECK_STR(cg_world_add_shape(world, &rod, &shape).message, "");
    cg_vec3 place = rod.pose.position, aim = place;
    cg_quat turn = quat_identity(), turned = turn;
    double least = 1;
    for (int step = 0; step < test_count(1500, 30000); step++) {
        if (step % 30 == 0) {
            aim.x = test_random(&seed, -12e-3, 12e-3);
            aim.y = test_random(&seed, -10e-3, 10e-3);
            aim.z = test_random(&seed, 4e-3, 24e-3);
            cg_vec3 axis = v3(test_random(&seed, -1, 1), 0, 0);
            axis.y = test_random(&seed, -1, 1);
            turn = quat_from_axis_angle(v3_unit_or(axis, v3(1, 0, 0)), test_random(&seed, 0, 1.4));
        }
        cg_vec3 way = v3_sub(aim, place);
        double length = v3_length(way);
        place = length > 1e-3 ? v3_add_scaled(place, 1e-3 / length, way) : aim;
        turned = quat_nlerp(turned, turn, 0.1);
        CHECK_STR(cg_shape_move(world, shape, (cg_transform){place, turned}).message, "");
        cg_world_step(world);
        const cg_vec3 *x = cg_thread_positions(world, thread, NULL);
        cg_transform pose = cg_shape_get_pose(world, shape);
        for (int i = 0; i < 20; i++) {
            double away = cg_shape_distance_segment(&rod.shape, &pose, x[i], x[i + 1]).distance / def.radius;
            least = away < least ? away : least;
        }
    }
    CHECK(least > 0.94);
    cg_world_destroy(world);
}

TEST(shapes_with_bad_definitions_are_refused)
{
    cg_world *world = make_world(1e-3);
    cg_shape_id id;
    cg_shape_def good = cg_shape_def_default(), bad = good;
    bad.shape.kind = (cg_shape_kind)7;
    CHECK_INT(cg_world_add_shape(world, &bad, &id).code, CG_BAD_INPUT);
    bad = good;
    bad.shape.kind = CG_SHAPE_SPHERE;
    CHECK_INT(cg_world_add_shape(world, &bad, &id).code, CG_BAD_INPUT);
    bad = good;
    bad.pose.rotation = (cg_quat){0, 0, 0, 0};
    CHECK_INT(cg_world_add_shape(world, &bad, &id).code, CG_BAD_INPUT);
    bad = good;
    bad.friction = NAN;
    CHECK_INT(cg_world_add_shape(world, &bad, &id).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_add_shape(world, &good, &id).code, CG_OK);
    CHECK(cg_shape_is_valid(world, id));
    CHECK_INT(cg_shape_move(world, id, (cg_transform){{NAN, 0, 0}, {0, 0, 0, 1}}).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_remove_shape(world, id).code, CG_OK);
    CHECK_INT(cg_world_remove_shape(world, id).code, CG_BAD_HANDLE);
    CHECK_INT(cg_shape_move(world, id, good.pose).code, CG_BAD_HANDLE);
    cg_world_step(world);
    cg_world_destroy(world);
}
