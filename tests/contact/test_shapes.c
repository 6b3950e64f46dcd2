// Threads against rigid shapes: resting, sliding, stopping, and a rope round a post.
#include <math.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
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
