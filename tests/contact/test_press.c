// label: slow
// Tissue that rigid shapes press, slide along and pass: distances by looking at every triangle, forces by balance.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/shape.h"
#include "harness.h"
#include "small_vessel.h"

static cg_world *make_world(void)
{
    cg_world *world;
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 100;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static cg_tissue_def small_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(16e-3, 12e-3, 0);
    def.layers[0].thickness = 4e-3;
    return def;
}

static cg_tissue_id add_tissue(cg_world *world, const cg_tissue_def *def)
{
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(world, def, &id).message, "");
    return id;
}

static cg_shape_id add_shape(cg_world *world, cg_shape shape, cg_vec3 position, double friction)
{
    cg_shape_id id;
    cg_shape_def def = cg_shape_def_default();
    def.shape = shape;
    def.pose.position = position;
    def.friction = friction;
    CHECK_STR(cg_world_add_shape(world, &def, &id).message, "");
    return id;
}

static void move_to(cg_world *world, cg_shape_id shape, cg_vec3 position)
{
    cg_transform pose = cg_shape_get_pose(world, shape);
    pose.position = position;
    CHECK_STR(cg_shape_move(world, shape, pose).message, "");
}

static cg_vec3 load_of(const cg_world *world, cg_shape_id shape)
{
    cg_vec3 force;
    CHECK_STR(cg_shape_get_load(world, shape, &force, NULL).message, "");
    return force;
}

// The mean of x over the nodes that were made at the top.
static double place_of_top(const cg_world *world, cg_tissue_id tissue)
{
    int count, found = 0;
    double sum = 0;
    const cg_vec3 *x = cg_tissue_positions(world, tissue, &count), *home = cg_tissue_homes(world, tissue, NULL);
    for (int i = 0; i < count; i++) {
        if (home[i].z > -1e-9) {
            sum += x[i].x;
            found++;
        }
    }
    return sum / found;
}

// The smallest distance of any triangle to the shape; negative inside.
static double deepest(const cg_world *world, cg_tissue_id tissue, cg_shape_id id)
{
    cg_shape shape;
    cg_shape_get(world, id, &shape);
    cg_transform pose = cg_shape_get_pose(world, id);
    const cg_vec3 *x = cg_tissue_positions(world, tissue, NULL);
    double least = INFINITY;
    for (int t = 0; t < cg_tissue_triangle_count(world, tissue); t++) {
        int n[3];
        cg_tissue_get_triangle(world, tissue, t, n, NULL);
        const cg_vec3 corners[3] = {x[n[0]], x[n[1]], x[n[2]]};
        double distance = cg_shape_distance_triangle(&shape, &pose, corners).nearest.distance;
        least = distance < least ? distance : least;
    }
    return least;
}

static bool is_finite(const cg_world *world, cg_tissue_id tissue)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(world, tissue, &count);
    const cg_vec3 *v = cg_tissue_velocities(world, tissue, NULL);
    for (int i = 0; i < count; i++) {
        if (!v3_is_finite(x[i]) || !v3_is_finite(v[i])) {
            return false;
        }
    }
    return true;
}

// Where a shape gets away from the tissue: up, or down when it is below the pad; from the axis of the vessel, or along
// it when it is inside.
static cg_vec3 way_out(const cg_tissue_def *def, const cg_shape *shape, cg_vec3 place)
{
    if (def->shape == CG_TISSUE_PAD) {
        return v3(0, 0, place.z > -4e-3 ? 1 : -1);
    }
    cg_vec3 across = v3(0, place.y, place.z);
    bool is_inside = v3_length(across) < 3e-3 && shape->radius < 1e-3;
    return is_inside ? v3(place.x < 0 ? -1 : 1, 0, 0) : v3_unit_or(across, v3(0, 0, 1));
}

// Random ways at up to `speed` about the tissue, turning; then away, where the tissue has to come back to its shape.
static void wander(const cg_tissue_def *def, cg_shape shape, double speed, int steps, uint64_t seed)
{
    cg_world *world = make_world();
    cg_tissue_id tissue = add_tissue(world, def);
    cg_vec3 away = v3(0, 0, 15e-3), place = away, aim = v3_zero();
    cg_shape_id id = add_shape(world, shape, away, 0.3);
    double least = INFINITY;
    int inverted = 0;
    bool finite = true;
    cg_quat turn = quat_identity();
    for (int step = 0; step < steps; step++) {
        if (step % 25 == 0) {
            aim.x = test_random(&seed, -10e-3, 10e-3);
            aim.y = test_random(&seed, -8e-3, 8e-3);
            aim.z = test_random(&seed, -6e-3, 8e-3);
            cg_vec3 axis = v3(0, 0, 0);
            axis.x = test_random(&seed, -1, 1);
            axis.y = test_random(&seed, -1, 1);
            axis.z = test_random(&seed, -1, 1);
            turn = quat_normalise(quat(axis.x, axis.y, axis.z, test_random(&seed, 0.2, 1)));
        }
        cg_vec3 way = v3_sub(aim, place);
        double length = v3_length(way), most = speed * 1e-3;
        place = length > most ? v3_add_scaled(place, most / length, way) : aim;
        cg_transform pose = cg_shape_get_pose(world, id);
        pose.position = place;
        pose.rotation = quat_nlerp(pose.rotation, turn, 0.05);
        cg_shape_move(world, id, pose);
        cg_world_step(world);
        double distance = deepest(world, tissue, id);
        least = distance < least ? distance : least;
        finite = finite && is_finite(world, tissue);
        inverted += cg_tissue_get_summary(world, tissue).inverted_cells;
    }
    CHECK(least > 0);
    CHECK(finite);
    CHECK_INT(inverted, 0);
    // Tissue pushes it back to where it came from.
    cg_vec3 back = v3_unit_or(load_of(world, id), v3_zero()), from = cg_shape_get_pose(world, id).position;
    for (int step = 0; step < 200; step++) {
        move_to(world, id, v3_add_scaled(from, 0.1e-3 * step, back));
        cg_world_step(world);
        CHECK(deepest(world, tissue, id) > 0);
    }
    cg_vec3 left = cg_shape_get_pose(world, id).position;
    cg_vec3 out = v3_add_scaled(left, 25e-3, way_out(def, &shape, left));
    for (int step = 0; step < 600; step++) {
        cg_vec3 beside = v3(40e-3, out.y, out.z), over = v3(40e-3, 0, away.z);
        move_to(world, id, step < 300 ? out : (step < 400 ? beside : (step < 500 ? over : away)));
        cg_world_step(world);
        CHECK(deepest(world, tissue, id) > 0);
    }
    CHECK(v3_distance(cg_shape_get_pose(world, id).position, away) < 1e-9);
    CHECK(cg_tissue_get_summary(world, tissue).farthest < 0.2e-3);
    cg_world_destroy(world);
}

TEST(shapes_never_enter_a_pad)
{
    int steps = test_count(test_is_sanitized() ? 150 : 400, 15000);
    cg_tissue_def pad = small_pad();
    wander(&pad, shape_sphere(3e-3), 1, steps, 1);
    wander(&pad, shape_sphere(0.4e-3), 1, steps, 2);
    wander(&pad, shape_capsule(1e-3, 5e-3), 1, steps, 3);
    wander(&pad, shape_box(v3(2e-3, 3e-3, 1e-3)), 1, steps, 4);
    wander(&pad, shape_sphere(2e-3), 10, steps, 5);
}

TEST(shapes_never_enter_a_vessel)
{
    int steps = test_count(test_is_sanitized() ? 150 : 400, 15000);
    cg_tissue_def vessel = small_vessel();
    wander(&vessel, shape_sphere(3e-3), 1, steps, 6);
    wander(&vessel, shape_capsule(0.5e-3, 5e-3), 1, steps, 7);
}

TEST(a_sheet_falls_on_a_ball_and_a_table)
{
    cg_world *world = make_world();
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.size = v3(30e-3, 30e-3, 0);
    def.layers[0].thickness = 1e-3;
    def.fix_rim = def.fix_bottom = false;
    def.pose.position = v3(2e-3, 1e-3, 16e-3);
    cg_tissue_id sheet = add_tissue(world, &def);
    cg_shape_id ball = add_shape(world, shape_sphere(6e-3), v3(0, 0, 6e-3), 0.4);
    cg_shape_id table = add_shape(world, shape_half_space(), v3_zero(), 0.4);
    double least = INFINITY;
    for (int step = 0; step < test_count(300, 2000); step++) {
        cg_world_step(world);
        double on_ball = deepest(world, sheet, ball), on_table = deepest(world, sheet, table);
        least = on_ball < least ? on_ball : least;
        least = on_table < least ? on_table : least;
    }
    CHECK(least > 0);
    CHECK(is_finite(world, sheet));
    CHECK(load_of(world, ball).z < 0);
    cg_world_destroy(world);
}

// Presses a shape to a place and holds it there until all is at rest.
static void press_to(cg_world *world, cg_shape_id shape, cg_vec3 place, int steps)
{
    for (int step = 0; step < steps; step++) {
        move_to(world, shape, place);
        cg_world_step(world);
    }
}

TEST(what_presses_is_balanced_by_what_holds)
{
    const double frictions[2] = {0, 0.3};
    for (int k = 0; k < 2; k++) {
        cg_world *world = make_world();
        cg_tissue_def def = small_pad();
        def.friction = frictions[k];
        cg_tissue_id pad = add_tissue(world, &def);
        cg_shape_id probe = add_shape(world, shape_sphere(3e-3), v3(0.3e-3, 0.2e-3, 4e-3), 0.3);
        press_to(world, probe, v3(0.3e-3, 0.2e-3, 2.2e-3), 3000);
        cg_tissue_summary summary = cg_tissue_get_summary(world, pad);
        cg_vec3 load = load_of(world, probe), weight = v3(0, 0, -9.81 * summary.mass);
        cg_vec3 left = v3_sub(v3_add(load, summary.reaction), weight);
        CHECK(load.z > 0.05);
        CHECK(v3_length(left) <= 1e-9 * v3_length(summary.reaction));
        cg_world_destroy(world);
    }
}

// A plate on the whole top, pressed by 0.4 mm and drawn sideways: Coulomb's law, whatever happens below.
TEST(a_plate_sticks_and_then_slides_with_its_friction)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    def.friction = 0.4;
    cg_tissue_id pad = add_tissue(world, &def);
    cg_shape_def plate_def = cg_shape_def_default();
    plate_def.friction = 0.1;
    plate_def.pose = (cg_transform){v3(0, 0, 1e-3), quat(1, 0, 0, 0)}; // its surface looks down
    cg_shape_id plate;
    CHECK_STR(cg_world_add_shape(world, &plate_def, &plate).message, "");
    press_to(world, plate, v3(0, 0, -0.4e-3), 300);
    double normal = load_of(world, plate).z, before = place_of_top(world, pad);
    for (int step = 0; step < 300; step++) {
        press_to(world, plate, v3(step < 200 ? 0.5e-6 * step : 0.1e-3, 0, -0.4e-3), 1);
    }
    cg_vec3 load = load_of(world, plate);
    CHECK(normal > 1);
    CHECK(-load.x > 0.01 * load.z && -load.x < 0.19 * load.z);
    CHECK_NEAR(place_of_top(world, pad) - before, 0.1e-3, 0.02e-3);
    for (int step = 0; step < 300; step++) {
        press_to(world, plate, v3(0.1e-3 + 0.05e-3 * step, 0, -0.4e-3), 1);
    }
    load = load_of(world, plate);
    CHECK_NEAR(-load.x / load.z, 0.2, 0.002);
    CHECK_NEAR(load.y / load.z, 0, 0.002);
    cg_world_destroy(world);
}

// How hard a shape presses that is sent where it cannot go, and whether it comes out again.
static double sent_through(cg_shape shape, double speed)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    add_tissue(world, &def);
    cg_shape_id id = add_shape(world, shape, v3(0.3e-3, 0.2e-3, 6e-3), 0.2);
    double most = 0, z = 6e-3;
    for (int step = 0; step < 300; step++) {
        z = fmax(z - 1e-3 * speed, -8e-3);
        move_to(world, id, v3(0.3e-3, 0.2e-3, z));
        cg_world_step(world);
        most = fmax(most, v3_length(load_of(world, id)));
    }
    for (int step = 0; step < 150; step++) {
        z = fmin(z + 1e-3 * speed, 12e-3);
        move_to(world, id, v3(0.3e-3, 0.2e-3, z));
        cg_world_step(world);
    }
    CHECK_NEAR(cg_shape_get_pose(world, id).position.z, z, 1e-9);
    cg_world_destroy(world);
    return most;
}

TEST(a_shape_that_is_sent_through_a_pad_presses_no_harder_when_it_is_fast)
{
    double slow = sent_through(shape_sphere(3e-3), 0.2), fast = sent_through(shape_sphere(3e-3), 2);
    CHECK(slow > 1);
    CHECK_NEAR(fast / slow, 1, 0.1);
    sent_through(shape_box(v3(2e-3, 3e-3, 1e-3)), 0.2);
}

TEST(snapshots_hold_contacts_and_steps_take_no_memory)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    add_tissue(world, &def);
    cg_shape_id probe = add_shape(world, shape_sphere(3e-3), v3(0, 0, 4e-3), 0.5);
    for (int step = 0; step < 40; step++) {
        press_to(world, probe, v3(0.05e-3 * step, 0, 4e-3 - 0.05e-3 * step), 1);
    }
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(world, bytes, size).message, "");
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        CHECK_STR(cg_world_restore(world, bytes, size).message, "");
        long before = test_allocations();
        press_to(world, probe, v3(3e-3, 1e-3, 1.5e-3), 60);
        CHECK_INT(test_allocations() - before, 0);
        hashes[k] = cg_world_state_hash(world);
    }
    CHECK_HASH(hashes[0], hashes[1]);
    free(bytes);
    cg_world_destroy(world);
}

// A thread lies over a bar that is pushed into a pad and drawn along it: both limit the way of the bar.
TEST(a_bar_presses_a_pad_under_a_thread)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    cg_tissue_id pad = add_tissue(world, &def);
    cg_shape_id bar = add_shape(world, shape_capsule(2e-3, 6e-3), v3(0, 0, 12e-3), 0.3);
    cg_vec3 points[31];
    for (int i = 0; i < 31; i++) {
        points[i] = v3(1e-3 * (i - 15), 0, 20.6e-3);
    }
    cg_thread_def thread_def = cg_thread_def_default();
    thread_def.vertex_count = 31;
    thread_def.positions = points;
    thread_def.ends[CG_START].kind = thread_def.ends[CG_FINISH].kind = CG_END_PINNED;
    cg_thread_id thread;
    CHECK_STR(cg_world_add_thread(world, &thread_def, &thread).message, "");
    double least = INFINITY;
    for (int step = 0; step < 150; step++) {
        cg_vec3 aim = v3(step > 80 ? 0.05e-3 * (step - 80) : 0, 0, step < 80 ? 12e-3 - 0.08e-3 * step : 12e-3 - 6.4e-3);
        move_to(world, bar, aim);
        cg_world_step(world);
        double distance = deepest(world, pad, bar);
        least = distance < least ? distance : least;
    }
    CHECK(least > 0);
    CHECK(is_finite(world, pad));
    CHECK(load_of(world, bar).z > 0.05);
    press_to(world, bar, v3(0, 0, 12e-3), 200);
    CHECK_NEAR(cg_shape_get_pose(world, bar).position.z, 12e-3, 1e-9);
    cg_world_destroy(world);
}
