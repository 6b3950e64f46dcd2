// label: golden
// Threads of springs and links in a world: laws of motion, hands and holds, what is in the way, and their state.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/closest.h"
#include "harness.h"
#include "thread/model.h"
#include "world/world.h"

enum { VERTICES = 30 };

static cg_thread_def thread_of(cg_thread_model model, const cg_vec3 *points, int count)
{
    cg_thread_def def = cg_thread_def_default();
    def.model = model;
    def.radius = 5e-3;
    def.drag = 0;
    def.vertex_count = count;
    def.positions = points;
    return def;
}

static void lay_line(cg_vec3 *points, int count, cg_vec3 from, cg_vec3 step)
{
    for (int i = 0; i < count; i++) {
        points[i] = v3_add_scaled(from, i, step);
    }
}

static cg_world *make_world(cg_vec3 gravity)
{
    cg_world_def def = cg_world_def_default();
    def.gravity = gravity;
    cg_world *world = NULL;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static cg_thread_id add(cg_world *world, const cg_thread_def *def)
{
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, def, &id).message, "");
    return id;
}

static cg_vec3 momentum(const cg_world *world, cg_thread_id id, double mass, double *size)
{
    int count;
    const cg_vec3 *v = cg_thread_velocities(world, id, &count);
    cg_vec3 sum = v3_zero();
    *size = 0;
    for (int i = 0; i < count; i++) {
        sum = v3_add_scaled(sum, mass, v[i]);
        *size += mass * v3_length(v[i]);
    }
    return sum;
}

// A coil that is thrown together.
static cg_thread_id throw_coil(cg_world *world, cg_thread_def *def)
{
    cg_vec3 points[VERTICES], thrown[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double angle = 7.5 * i / (VERTICES - 1); // more than a turn, 12 mm high
        points[i] = v3(0.06 * cos(angle), 0.06 * sin(angle), 1.9e-3 * angle);
        thrown[i] = v3(0, 0, -0.1 * angle);
    }
    *def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    cg_thread_id id = add(world, def);
    CHECK_STR(cg_thread_set_state(world, id, points, thrown).message, "");
    return id;
}

TEST(contacts_of_springs_keep_momentum)
{
    cg_world *world = make_world(v3_zero());
    cg_thread_def def;
    cg_thread_id id = throw_coil(world, &def);
    double size, nearest = HUGE_VAL;
    cg_vec3 before = momentum(world, id, def.springs.point_mass, &size);
    for (int step = 0; step < 120; step++) {
        cg_world_step(world);
        const cg_vec3 *x = cg_thread_positions(world, id, NULL);
        for (int i = 0; i < VERTICES - 8; i++) {
            double squared = cg_closest_segments(x[i], x[i + 1], x[VERTICES - 2], x[VERTICES - 1]).squared_distance;
            nearest = fmin(nearest, sqrt(squared));
        }
    }
    CHECK(nearest < 1.03 * 2 * def.radius); // they met
    double now;
    cg_vec3 after = momentum(world, id, def.springs.point_mass, &now);
    CHECK(v3_distance(before, after) < 1e-12 * size);
    CHECK_INT(cg_world_get_stats(world).model_stops, 0);
    cg_world_destroy(world);
}

// A thread is thrown on another one, which is pinned at both ends.
static cg_thread_id throw_on_another(cg_world *world)
{
    cg_vec3 points[VERTICES], thrown[VERTICES];
    lay_line(points, VERTICES, v3(-0.25, 0, 0), v3(0.5 / (VERTICES - 1), 0, 0));
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_PINNED;
    add(world, &def);
    lay_line(points, VERTICES, v3(0.003, -0.25, 0.0115), v3(0, 0.5 / (VERTICES - 1), 0));
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_FREE;
    cg_thread_id id = add(world, &def);
    lay_line(thrown, VERTICES, v3(0, 0, -0.1), v3_zero());
    CHECK_STR(cg_thread_set_state(world, id, points, thrown).message, "");
    return id;
}

// A list of pairs serves for several steps, and no bit tells that it does.
TEST(a_list_of_pairs_that_serves_again_misses_none)
{
    cg_world *worlds[2];
    cg_thread_id ids[2];
    int served = 0;
    for (int w = 0; w < 2; w++) {
        worlds[w] = make_world(v3_zero());
        ids[w] = throw_on_another(worlds[w]);
    }
    for (int step = 0; step < 80; step++) {
        double seen = worlds[0]->beads.seen[VERTICES].z;
        worlds[1]->beads.reach = -1; // it has to look
        cg_world_step(worlds[0]);
        cg_world_step(worlds[1]);
        served += step > 0 && worlds[0]->beads.seen[VERTICES].z == seen;
        const cg_vec3 *x = cg_thread_positions(worlds[0], ids[0], NULL);
        CHECK_INT(memcmp(x, cg_thread_positions(worlds[1], ids[1], NULL), sizeof *x * VERTICES), 0);
    }
    CHECK(served > 20 && served < 78);
    CHECK(fabs(cg_thread_velocities(worlds[0], ids[0], NULL)[VERTICES / 2].z + 0.1) > 0.01); // they met
    cg_world_destroy(worlds[0]);
    cg_world_destroy(worlds[1]);
}

static double random_in(uint64_t *random, double most)
{
    return test_random(random, -most, most);
}

// Hands jump about; no segment leaves its limits.
TEST(random_pulls_stay_within_the_limits)
{
    cg_vec3 points[VERTICES];
    uint64_t random = 11;
    lay_line(points, VERTICES, v3_zero(), v3(0.5 / (VERTICES - 1), 0, 0));
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 0;
    cg_world *world;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.springs.sine_directions = true;
    def.ends[CG_START].kind = CG_END_PINNED;
    cg_thread_id id = add(world, &def);
    cg_hand_id hands[2];
    for (int h = 0; h < 2; h++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.pose.position = points[12 + 14 * h];
        hand.stiffness = 1200;
        hand.max_force = 1e4;
        CHECK_STR(cg_world_add_hand(world, &hand, &hands[h]).message, "");
        CHECK_STR(cg_hand_close(world, hands[h]).message, "");
    }
    double shortest = HUGE_VAL, longest = 0;
    for (int pull = 0; pull < test_count(2000, 10000); pull++) {
        cg_vec3 to = v3(random_in(&random, 0.8), random_in(&random, 0.8), random_in(&random, 0.8));
        cg_hand_move(world, hands[pull % 2], (cg_transform){to, {0, 0, 0, 1}}, 0);
        cg_world_step(world);
        const cg_vec3 *x = cg_thread_positions(world, id, NULL);
        for (int i = 0; i + 1 < VERTICES; i++) {
            double length = v3_distance(x[i], x[i + 1]) / (0.5 / (VERTICES - 1));
            shortest = fmin(shortest, length);
            longest = fmax(longest, length);
        }
    }
    CHECK(shortest >= def.springs.shortest);
    CHECK(longest <= def.springs.longest);
    CHECK(longest > 1.09); // they were reached
    CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
    cg_world_destroy(world);
}

// What goes on and what stays is all that the hand pulls with, and nothing goes on within the limits.
TEST(force_propagation_keeps_the_sum_of_forces)
{
    uint64_t random = 3;
    cg_length_limits limits = {0.9, 1.1, NULL};
    int passed = 0;
    for (int round = 0; round < 200; round++) {
        cg_vec3 x[10], expected[10], force[10] = {{0, 0, 0}};
        for (int i = 0; i < 10; i++) {
            x[i] = v3(i, random_in(&random, 0.2), random_in(&random, 0.2));
            expected[i] = v3(i * (1 + random_in(&random, 0.3)), x[i].y, x[i].z);
        }
        cg_vec3 pull = v3(random_in(&random, 5), random_in(&random, 5), random_in(&random, 5));
        int step = round % 2 == 0 ? 1 : -1;
        passed += cg_propagate_force(&limits, 10, x, expected, 5, step, pull, force);
        cg_vec3 sum = v3_zero();
        for (int i = 0; i < 10; i++) {
            sum = v3_add(sum, force[i]);
        }
        CHECK(v3_distance(sum, pull) < 1e-12 * v3_length(pull));
        memset(force, 0, sizeof force);
        CHECK_INT(cg_propagate_force(&limits, 10, x, x, 5, step, v3(0, 1e-3, 0), force), 0);
        CHECK(force[5].y == 1e-3);
    }
    CHECK(passed > 100);
}

static double kinetic_energy(const cg_thread *thread)
{
    double sum = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        sum += 0.5 * thread->mass[i] * v3_dot(thread->model->velocity[i], thread->model->velocity[i]);
    }
    return sum;
}

static cg_vec3 sum_of_momenta(const cg_thread *thread)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        sum = v3_add_scaled(sum, thread->mass[i], thread->model->velocity[i]);
    }
    return sum;
}

// Segments at their limits take velocities along them by impulses between their ends: those take energy and no
// momentum, wherever the limits are set from. They gave energy when a vertex was led by a faster one.
TEST(limits_of_lengths_give_no_energy)
{
    cg_vec3 points[VERTICES];
    uint64_t random = 5;
    lay_line(points, VERTICES, v3_zero(), v3(0.01, 0, 0));
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    cg_thread *thread = NULL;
    CHECK_STR(cg_thread_create(&def, &(cg_allocator){0}, &thread).message, "");
    cg_length_limits limits = {0.009, 0.011, NULL};
    double least_share = 1;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < VERTICES; i++) {
            thread->shape.position[i] = v3(0.01 * i + random_in(&random, 4e-3), random_in(&random, 4e-3), 0);
            thread->model->velocity[i] = v3(random_in(&random, 5), random_in(&random, 5), random_in(&random, 5));
            thread->model->lightness[i] = 1 / thread->mass[i];
        }
        double before = kinetic_energy(thread);
        cg_vec3 carried = sum_of_momenta(thread);
        int from = test_random_int(&random, 1, VERTICES - 2);
        cg_propagate_lengths(thread, &limits, from, 0);
        cg_propagate_lengths(thread, &limits, from, VERTICES - 1);
        double share = kinetic_energy(thread) / before;
        CHECK(share <= 1);
        CHECK(v3_distance(sum_of_momenta(thread), carried) < 1e-12);
        least_share = fmin(least_share, share);
    }
    CHECK(least_share < 0.9); // they did act
    cg_thread_destroy(thread);
}

TEST(a_hand_feels_the_weight_of_a_thread_of_springs)
{
    cg_vec3 points[VERTICES];
    cg_world *world = make_world(v3(0, 0, -9.8));
    lay_line(points, VERTICES, v3_zero(), v3(0, 0, -0.5 / (VERTICES - 1)));
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.drag = 20;
    cg_thread_id id = add(world, &def);
    cg_hand_def hand = cg_hand_def_default();
    hand.stiffness = 1200;
    hand.damping = 60;
    hand.max_force = 50;
    cg_hand_id hand_id;
    CHECK_STR(cg_world_add_hand(world, &hand, &hand_id).message, "");
    CHECK_STR(cg_hand_close(world, hand_id).message, "");
    for (int step = 0; step < 3000; step++) {
        cg_world_step(world);
    }
    double weight = VERTICES * 0.05 * 9.8;
    cg_hand_state state = cg_hand_get_state(world, hand_id);
    CHECK_NEAR(-state.force.z / weight, 1, 0.01);
    CHECK_NEAR(1200 * state.lag / weight, 1, 0.01);
    double tensions[VERTICES - 1];
    cg_thread_tensions(world, id, tensions, VERTICES - 1);
    CHECK_NEAR(tensions[14] / (15 * 0.05 * 9.8), 1, 0.001); // what hangs below
    cg_world_destroy(world);
}

static double link_error(const cg_world *world, cg_thread_id id, double length)
{
    int count;
    const cg_vec3 *x = cg_thread_positions(world, id, &count);
    double worst = 0;
    for (int i = 0; i + 1 < count; i++) {
        worst = fmax(worst, fabs(v3_distance(x[i], x[i + 1]) - length));
    }
    return worst / length;
}

// 200 links between two hands and over a post; and no memory is taken.
TEST(links_stay_exact_in_hands_and_at_shapes)
{
    enum { NODES = 201 };
    static cg_vec3 points[NODES];
    uint64_t random = 7;
    const double link = 4e-3;
    cg_world *world = make_world(v3(0, 0, -9.8));
    lay_line(points, NODES, v3(-0.4, 0, 0.02), v3(link, 0, 0));
    cg_thread_def def = thread_of(CG_THREAD_CHAIN, points, NODES);
    def.radius = 1e-3;
    cg_thread_id id = add(world, &def);
    cg_shape_def post = cg_shape_def_default();
    post.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = 0.015};
    cg_shape_id shape;
    CHECK_STR(cg_world_add_shape(world, &post, &shape).message, "");
    cg_hand_id hands[2];
    cg_vec3 at[2];
    for (int h = 0; h < 2; h++) {
        cg_hand_def hand = cg_hand_def_default();
        at[h] = hand.pose.position = points[h == 0 ? 1 : NODES - 2];
        CHECK_STR(cg_world_add_hand(world, &hand, &hands[h]).message, "");
        CHECK_STR(cg_hand_close(world, hands[h]).message, "");
    }
    long allocations = test_allocations();
    double worst = 0;
    for (int step = 0; step < 600; step++) {
        for (int h = 0; h < 2; h++) {
            at[h] =
                v3_add(at[h], v3((h == 0 ? 4e-4 : -4e-4) + random_in(&random, 2e-4), random_in(&random, 5e-4), -6e-5));
            cg_hand_move(world, hands[h], (cg_transform){at[h], {0, 0, 0, 1}}, 0);
        }
        cg_world_step(world);
        worst = fmax(worst, link_error(world, id, link));
    }
    CHECK(worst < 1e-12);
    CHECK_INT(test_allocations() - allocations, 0);
    cg_world_destroy(world);
}

// A scene with all three: springs hang, a chain is led, a Kirchhoff thread falls on both.
static cg_world *mixed_world(cg_thread_id ids[3])
{
    cg_vec3 points[VERTICES];
    cg_world *world = make_world(v3(0, 0, -9.8));
    lay_line(points, VERTICES, v3(0, 0, 0), v3(0.014, 0, -0.009));
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.ends[CG_START].kind = CG_END_PINNED;
    ids[0] = add(world, &def);
    lay_line(points, VERTICES, v3(0, 0.05, 0), v3(0.017, 0, 0));
    def = thread_of(CG_THREAD_CHAIN, points, VERTICES);
    def.ends[CG_START].kind = CG_END_PINNED;
    def.links.dynamic = true;
    ids[1] = add(world, &def);
    lay_line(points, VERTICES, v3(0.2, -0.1, 0.03), v3(0, 0.012, 0));
    def = thread_of(CG_THREAD_KIRCHHOFF, points, VERTICES);
    def.youngs_modulus = 1e6;
    ids[2] = add(world, &def);
    return world;
}

TEST(threads_of_all_models_meet_and_are_restored)
{
    cg_thread_id ids[3];
    cg_world *world = mixed_world(ids);
    for (int step = 0; step < 150; step++) {
        cg_world_step(world);
    }
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(world, bytes, size).message, "");
    for (int step = 0; step < 100; step++) {
        cg_world_step(world);
    }
    uint64_t hash = cg_world_state_hash(world);
    CHECK_STR(cg_world_restore(world, bytes, size).message, "");
    for (int step = 0; step < 100; step++) {
        cg_world_step(world);
    }
    CHECK(cg_world_state_hash(world) == hash);
    CHECK_GOLDEN(hash);
    CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
    free(bytes);
    cg_world_destroy(world);
}

static cg_thread_id throw_rod(cg_world *world, cg_vec3 from, cg_vec3 velocity)
{
    cg_vec3 points[VERTICES], thrown[VERTICES];
    lay_line(points, VERTICES, from, v3(0.2 / (VERTICES - 1), 0, 0));
    lay_line(thrown, VERTICES, velocity, v3_zero());
    cg_thread_def def = thread_of(CG_THREAD_KIRCHHOFF, points, VERTICES);
    def.radius = 0.5e-3;
    cg_thread_id rod = add(world, &def);
    CHECK_STR(cg_thread_set_state(world, rod, points, thrown).message, "");
    return rod;
}

// The distance of a rod from the post that it was thrown at, when there is a chain that was made before, and rests.
static double throw_at_post(cg_vec3 post)
{
    cg_vec3 points[VERTICES];
    cg_world *world = make_world(v3_zero());
    cg_shape_def def = cg_shape_def_default();
    cg_shape_id shape;
    def.shape = (cg_shape){CG_SHAPE_CAPSULE, 1e-3, 0.1, v3_zero()};
    def.pose.position = post;
    CHECK_STR(cg_world_add_shape(world, &def, &shape).message, "");
    lay_line(points, VERTICES, v3(-0.1, -1, 0), v3(0.2 / (VERTICES - 1), 0, 0));
    cg_thread_def chain = thread_of(CG_THREAD_CHAIN, points, VERTICES);
    add(world, &chain);
    throw_rod(world, v3(1, 0, 0), v3(0, 10, 0)); // far away, with a way of its own
    cg_thread_id rod = throw_rod(world, v3(-0.1, 0, 0), v3(0, 10, 0));
    for (int step = 0; step < 14; step++) {
        cg_world_step(world);
    }
    double nearest = HUGE_VAL;
    const cg_vec3 *x = cg_thread_positions(world, rod, NULL);
    for (int i = 0; i + 1 < VERTICES; i++) {
        cg_vec3 closest;
        cg_closest_on_segment(post, x[i], x[i + 1], &closest);
        nearest = fmin(nearest, v3_distance(closest, post));
    }
    CHECK(x[0].y > post.y + 0.01); // the ends have passed the post
    cg_world_destroy(world);
    return nearest;
}

// How far a rod may go ahead of its passes is its own affair, and no chain's.
TEST(a_fast_rod_behind_a_chain_passes_no_post)
{
    for (int k = 0; k < 8; k++) { // not in every step does it go ahead
        CHECK(throw_at_post(v3(0, 0.025 + 0.01 * k, 0)) < 4e-3);
    }
}

// A bar is driven through threads of springs and links that lie across its way: it takes them along.
TEST(a_driven_shape_takes_them_along)
{
    for (int model = CG_THREAD_MASS_SPRING; model <= CG_THREAD_CHAIN; model++) {
        cg_vec3 points[VERTICES];
        cg_world *world = make_world(v3_zero());
        lay_line(points, VERTICES, v3(-0.25, 0, 0), v3(0.5 / (VERTICES - 1), 0, 0));
        cg_thread_def def = thread_of((cg_thread_model)model, points, VERTICES);
        def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_FREE;
        cg_thread_id id = add(world, &def);
        cg_shape_def bar = cg_shape_def_default();
        bar.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = 0.01, .half_length = 0.1};
        bar.pose.position = v3(0, -0.04, 0);
        cg_shape_id shape;
        CHECK_STR(cg_world_add_shape(world, &bar, &shape).message, "");
        for (int step = 0; step < 200; step++) {
            cg_shape_move(world, shape, (cg_transform){v3(0, -0.04 + 5e-4 * step, 0), {0, 0, 0, 1}});
            cg_world_step(world);
        }
        const cg_vec3 *x = cg_thread_positions(world, id, NULL);
        cg_vec3 middle = v3(0, -0.04 + 5e-4 * 199, 0);
        double nearest = HUGE_VAL, farthest = 0;
        for (int i = 0; i + 1 < VERTICES; i++) {
            cg_vec3 closest;
            farthest = fmax(farthest, x[i].y);
            cg_closest_on_segment(middle, x[i], x[i + 1], &closest);
            nearest = fmin(nearest, v3_distance(closest, middle));
        }
        CHECK(nearest > 0.98 * 0.015);
        CHECK(farthest > middle.y + 0.98 * 0.015); // before it, not behind
        CHECK_INT(cg_world_get_stats(world).unfinished_steps, 0);
        cg_world_destroy(world);
    }
}

// A rod is thrown onto springs: they feel what its contacts say, and no more.
TEST(springs_feel_a_contact_once)
{
    cg_vec3 points[VERTICES], thrown[VERTICES];
    cg_world *world = make_world(v3_zero());
    lay_line(points, VERTICES, v3(-0.15, 0, 0), v3(0.01, 0, 0));
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_PINNED;
    cg_thread_id springs = add(world, &def);
    lay_line(points, VERTICES, v3(0, -0.15, 11e-3), v3(0, 0.01, 0));
    def = thread_of(CG_THREAD_KIRCHHOFF, points, VERTICES);
    cg_thread_id rod = add(world, &def);
    lay_line(thrown, VERTICES, v3(0, 0, -1), v3_zero());
    CHECK_STR(cg_thread_set_state(world, rod, points, thrown).message, "");
    const cg_thread *thread = cg_world_find_thread(world, springs);
    double most = 0;
    for (int step = 0; step < 60; step++) {
        cg_vec3 felt = v3_zero(), said = v3_zero();
        cg_contact_info contact;
        cg_world_step(world);
        for (int i = 0; i < VERTICES; i++) {
            felt = v3_add(felt, thread->contact[i]);
        }
        for (int k = 0; cg_world_get_contact(world, k, &contact); k++) {
            said = v3_sub(said, contact.force); // models are side 1
        }
        CHECK(v3_distance(felt, said) <= 1e-9 * v3_length(said));
        most = fmax(most, v3_length(said));
    }
    CHECK(most > 0);
    cg_world_destroy(world);
}

// Chains meet the part of a rod that was cut off as they met the whole.
TEST(contacts_of_models_know_parts)
{
    cg_vec3 points[VERTICES];
    cg_world *world = make_world(v3_zero());
    cg_thread_id part;
    lay_line(points, VERTICES, v3(0, -1, 0), v3(0.01, 0, 0));
    cg_thread_def chain = thread_of(CG_THREAD_CHAIN, points, VERTICES);
    add(world, &chain);
    lay_line(points, VERTICES, v3_zero(), v3(0.01, 0, 0));
    cg_thread_def def = thread_of(CG_THREAD_KIRCHHOFF, points, VERTICES);
    cg_thread_id rod = add(world, &def);
    CHECK_STR(cg_world_reserve_parts(world, rod, 1).message, "");
    CHECK_INT(world->beads.thread_count, 2);
    CHECK_STR(cg_world_cut_thread(world, rod, 0.1, &part).message, "");
    CHECK_INT(world->beads.thread_count, 3);
    for (int c = 0; c < 3 && c < world->beads.thread_count; c++) {
        CHECK(world->beads.threads[c] == world->touches.cast.threads[c]);
    }
    cg_world_step(world);
    cg_world_destroy(world);
}

TEST(what_cannot_be_is_refused)
{
    cg_vec3 points[VERTICES];
    cg_world *world = make_world(v3_zero());
    lay_line(points, VERTICES, v3_zero(), v3(0.01, 0, 0));
    cg_thread_id id;
    cg_thread_def def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.ends[CG_START].kind = CG_END_CLAMPED;
    CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    def = thread_of(CG_THREAD_CHAIN, points, VERTICES);
    def.spacing.follow = true;
    CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    def = thread_of(CG_THREAD_MASS_SPRING, points, VERTICES);
    def.springs.point_mass = 0;
    CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    def = thread_of((cg_thread_model)7, points, VERTICES);
    CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_BAD_INPUT);
    def = thread_of(CG_THREAD_CHAIN, points, VERTICES);
    id = add(world, &def);
    cg_end_hold clamp = {.kind = CG_END_CLAMPED, .direction = {1, 0, 0}};
    CHECK_INT(cg_thread_set_end(world, id, CG_START, &clamp).code, CG_BAD_INPUT);
    cg_world_destroy(world);
}
