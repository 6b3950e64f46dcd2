// Tissue in a world: the public calls, what holds it back, hands that pull it, states and heap.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static cg_world *make_world(void)
{
    cg_world *world;
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0; // elasticity alone: the lips of the wound do not feel each other
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

// A small pad with a slit: some 200 nodes.
static cg_tissue_def small_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 16e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.wound = CG_WOUND_STRAIGHT;
    def.wound_length = 10e-3;
    def.wound_depth = 4e-3;
    return def;
}

static cg_tissue_id add_tissue(cg_world *world, const cg_tissue_def *def)
{
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(world, def, &id).message, "");
    CHECK(cg_tissue_is_valid(world, id));
    return id;
}

static void run(cg_world *world, int steps)
{
    for (int step = 0; step < steps; step++) {
        cg_world_step(world);
    }
}

static cg_vec3 total_reaction(const cg_world *world, cg_tissue_id id)
{
    int count;
    cg_vec3 sum = v3_zero();
    cg_tissue_positions(world, id, &count);
    for (int i = 0; i < count; i++) {
        sum = v3_add(sum, cg_tissue_reaction(world, id, i));
    }
    return sum;
}

// The triangle of the top whose middle is nearest to a place.
static int top_triangle(const cg_world *world, cg_tissue_id id, cg_vec3 place)
{
    double weights[3];
    int triangle = -1, nodes[3], side;
    CHECK(cg_tissue_nearest(world, id, place, &triangle, weights) >= 0);
    CHECK(cg_tissue_get_triangle(world, id, triangle, nodes, &side));
    CHECK_STR(cg_tissue_side_name(side), "top");
    return triangle;
}

TEST(what_is_fixed_carries_the_weight_and_the_pushes)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    cg_tissue_id id = add_tissue(world, &def);
    run(world, 1500);
    cg_tissue_summary summary = cg_tissue_get_summary(world, id);
    // Mass of the pad as geometry has it: the slit takes nothing away.
    double mass = 20e-3 * 16e-3 * 4e-3 * def.layers[0].material.density;
    CHECK_NEAR(summary.mass, mass, 1e-9 * mass);
    cg_vec3 weight = total_reaction(world, id);
    CHECK_NEAR(weight.z, -9.81 * mass, 1e-3 * 9.81 * mass);
    CHECK_NEAR(summary.reaction.z, weight.z, 1e-12);
    const double third[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    int triangle = top_triangle(world, id, v3(0, 5e-3, 1e-3));
    for (int step = 0; step < 1500; step++) {
        CHECK_STR(cg_tissue_push(world, id, triangle, third, v3(0.02, 0, -0.05)).message, "");
        cg_world_step(world);
    }
    cg_vec3 load = v3_sub(total_reaction(world, id), weight);
    CHECK_NEAR(load.x, 0.02, 1e-4);
    CHECK_NEAR(load.y, 0, 1e-4);
    CHECK_NEAR(load.z, -0.05, 1e-4);
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    cg_world_destroy(world);
}

TEST(a_fixed_node_goes_where_it_is_told_evenly)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    cg_tissue_id id = add_tissue(world, &def);
    double weights[3];
    int triangle = -1, nodes[3];
    cg_tissue_nearest(world, id, v3(0, 6e-3, 1e-3), &triangle, weights);
    cg_tissue_get_triangle(world, id, triangle, nodes, NULL);
    CHECK(!cg_tissue_is_fixed(world, id, nodes[0]));
    CHECK(cg_tissue_move_fixed(world, id, nodes[0], v3_zero()).code == CG_BAD_INPUT);
    CHECK_STR(cg_tissue_fix(world, id, nodes[0], true).message, "");
    CHECK(cg_tissue_is_fixed(world, id, nodes[0]));
    cg_vec3 from = cg_tissue_positions(world, id, NULL)[nodes[0]], to = v3_add(from, v3(0, 0, 1e-4));
    CHECK_STR(cg_tissue_move_fixed(world, id, nodes[0], to).message, "");
    cg_world_step(world);
    CHECK_NEAR(v3_distance(cg_tissue_positions(world, id, NULL)[nodes[0]], to), 0, 1e-15);
    // A way so long that cells would fold takes more steps than one.
    to = v3_add(from, v3(0, 0, 1e-3));
    CHECK_STR(cg_tissue_move_fixed(world, id, nodes[0], to).message, "");
    run(world, 200);
    CHECK_NEAR(v3_distance(cg_tissue_positions(world, id, NULL)[nodes[0]], to), 0, 1e-15);
    CHECK(cg_tissue_reaction(world, id, nodes[0]).z < -1e-3); // it is drawn down
    CHECK_STR(cg_tissue_fix(world, id, nodes[0], false).message, "");
    run(world, 1000);
    CHECK_NEAR(v3_distance(cg_tissue_positions(world, id, NULL)[nodes[0]], from), 0, 2e-5);
    CHECK(v3_length(cg_tissue_reaction(world, id, nodes[0])) == 0);
    cg_world_destroy(world);
}

TEST(bad_ids_and_numbers_get_a_status)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    cg_tissue_id id = add_tissue(world, &def), none = {0, 0}, old = {id.index, id.generation + 1};
    const double good[3] = {0.2, 0.3, 0.5}, bad[3] = {0.2, 0.3, 0.6}, outside[3] = {-0.5, 1, 0.5};
    double matrix[3][3];
    int count = 7, nodes[3], triangles = cg_tissue_triangle_count(world, id);
    CHECK(cg_tissue_positions(world, none, &count) == NULL && count == 0);
    CHECK(cg_tissue_velocities(world, old, NULL) == NULL && cg_tissue_homes(world, none, NULL) == NULL);
    CHECK(!cg_tissue_get_triangle(world, id, triangles, nodes, NULL) &&
          !cg_tissue_get_triangle(world, id, -1, nodes, NULL));
    CHECK(cg_tissue_push(world, none, 0, good, v3_zero()).code == CG_BAD_HANDLE);
    CHECK(cg_tissue_push(world, id, triangles, good, v3_zero()).code == CG_BAD_INPUT);
    CHECK(cg_tissue_push(world, id, 0, bad, v3_zero()).code == CG_BAD_INPUT);
    CHECK(cg_tissue_push(world, id, 0, outside, v3_zero()).code == CG_BAD_INPUT);
    CHECK(cg_tissue_push(world, id, 0, (const double[3]){NAN, 0, 1}, v3_zero()).code == CG_BAD_INPUT);
    CHECK(cg_tissue_push(world, id, 0, good, v3(0, INFINITY, 0)).code == CG_BAD_INPUT);
    CHECK(cg_tissue_fix(world, id, -1, true).code == CG_BAD_INPUT);
    CHECK(cg_tissue_fix(world, old, 0, true).code == CG_BAD_HANDLE);
    CHECK(cg_tissue_compliance(world, id, 0, bad, matrix).code == CG_BAD_INPUT);
    CHECK(cg_tissue_compliance(world, id, 0, good, matrix).code == CG_OK);
    CHECK(matrix[0][0] > 0 && matrix[1][1] > 0 && matrix[2][2] > 0);
    CHECK_NEAR(matrix[0][1], matrix[1][0], 1e-12 * matrix[0][0]);
    CHECK(cg_tissue_nearest(world, none, v3_zero(), &count, matrix[0]) == -1);
    CHECK(cg_tissue_side_name(-1) == NULL && cg_tissue_side_name(6) == NULL);
    CHECK(cg_tissue_get_summary(world, none).node_count == 0);
    def.spacing = -1;
    CHECK(cg_world_add_tissue(world, &def, &id).code == CG_BAD_INPUT && id.index == 0);
    cg_world_destroy(world);
}

TEST(tissues_come_and_go)
{
    cg_world *world;
    cg_world_def world_def = cg_world_def_default();
    world_def.max_tissues = 2;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_tissue_def def = small_pad(), kept;
    cg_tissue_id first = add_tissue(world, &def), second, third;
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 20e-3;
    second = add_tissue(world, &def);
    CHECK(cg_world_add_tissue(world, &def, &third).code == CG_FULL);
    CHECK(cg_tissue_get_def(world, second, &kept) && kept.shape == CG_TISSUE_VESSEL);
    run(world, 10);
    CHECK_STR(cg_world_remove_tissue(world, first).message, "");
    CHECK(!cg_tissue_is_valid(world, first) && cg_world_remove_tissue(world, first).code == CG_BAD_HANDLE);
    CHECK(!cg_tissue_get_def(world, first, &kept));
    third = add_tissue(world, &def);
    CHECK(third.index == first.index && !cg_tissue_is_valid(world, first));
    run(world, 10);
    cg_world_destroy(world);
}

// Hands

static cg_hand_id add_hand(cg_world *world, cg_vec3 place, double max_force)
{
    cg_hand_id id;
    cg_hand_def def = cg_hand_def_default();
    def.pose.position = place;
    def.max_force = max_force;
    CHECK_STR(cg_world_add_hand(world, &def, &id).message, "");
    return id;
}

static void move_hand(cg_world *world, cg_hand_id hand, cg_vec3 place, double time)
{
    CHECK_STR(cg_hand_move(world, hand, (cg_transform){place, {0, 0, 0, 1}}, time).message, "");
}

TEST(a_hand_pulls_one_lip_and_not_the_other)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    cg_tissue_id id = add_tissue(world, &def);
    cg_hand_id hand = add_hand(world, v3(0, 1e-3, 1e-3), 1.0);
    int count;
    const cg_vec3 *homes = cg_tissue_homes(world, id, &count);
    CHECK_STR(cg_hand_close(world, hand).message, "");
    cg_hand_state state = cg_hand_get_state(world, hand);
    CHECK(state.tissue.index == id.index && state.node_count >= 3 && state.thread.index == 0);
    move_hand(world, hand, v3(0, 4e-3, 3e-3), 0.1);
    run(world, 400);
    state = cg_hand_get_state(world, hand);
    // Two nodes of each lip beside the middle of the slit.
    double moved[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        const cg_vec3 now = cg_tissue_positions(world, id, NULL)[i];
        if (fabs(homes[i].x) < 1.5e-3 && fabs(homes[i].y) < 1e-9 && homes[i].z > -1e-9) {
            moved[now.y > 5e-4] += now.y;
        }
    }
    CHECK(moved[1] > 4e-3); // the near lip came along
    CHECK(fabs(moved[0]) < 3e-4);
    CHECK(state.force.y < 0 && state.force.z < 0 && v3_length(state.force) <= 1.0 + 1e-9);
    CHECK(state.pose.position.y > 2e-3 && state.closed);
    CHECK_STR(cg_hand_open(world, hand).message, "");
    CHECK(cg_hand_get_state(world, hand).node_count == 0);
    run(world, 1500);
    CHECK_NEAR(cg_tissue_get_summary(world, id).farthest, 0, 1e-4);
    CHECK_INT(cg_tissue_get_summary(world, id).inverted_cells, 0);
    cg_world_destroy(world);
}

TEST(a_hand_that_may_pull_little_lags)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    add_tissue(world, &def);
    cg_hand_id hand = add_hand(world, v3(0, 5e-3, 1e-3), 0.05);
    CHECK_STR(cg_hand_close(world, hand).message, "");
    move_hand(world, hand, v3(0, 5e-3, 30e-3), 0.1);
    run(world, 500);
    cg_hand_state state = cg_hand_get_state(world, hand);
    CHECK(state.lag > 20e-3);
    CHECK_NEAR(v3_length(state.force), 0.05, 1e-3); // what it feels at rest is all that it may pull
    cg_world_destroy(world);
}

TEST(a_thread_in_reach_comes_first_and_far_tissue_is_left_alone)
{
    cg_world *world = make_world();
    cg_tissue_def def = small_pad();
    cg_tissue_id id = add_tissue(world, &def);
    cg_vec3 points[2] = {{-5e-3, 5e-3, 2e-3}, {5e-3, 5e-3, 2e-3}};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = 2;
    thread.positions = points;
    cg_thread_id thread_id;
    CHECK_STR(cg_world_add_thread(world, &thread, &thread_id).message, "");
    cg_hand_id hand = add_hand(world, v3(0, 5e-3, 1e-3), 1), far = add_hand(world, v3(0, 0, 20e-3), 1);
    CHECK_STR(cg_hand_close(world, hand).message, "");
    CHECK_STR(cg_hand_close(world, far).message, "");
    CHECK(cg_hand_get_state(world, hand).thread.index == thread_id.index);
    CHECK(cg_hand_get_state(world, hand).tissue.index == 0);
    CHECK(cg_hand_get_state(world, far).closed && cg_hand_get_state(world, far).tissue.index == 0);
    CHECK_STR(cg_hand_open(world, hand).message, "");
    CHECK_STR(cg_world_remove_thread(world, thread_id).message, "");
    CHECK_STR(cg_hand_close(world, hand).message, "");
    CHECK(cg_hand_get_state(world, hand).tissue.index == id.index);
    CHECK_STR(cg_world_remove_tissue(world, id).message, "");
    CHECK(cg_hand_get_state(world, hand).tissue.index == 0 && cg_hand_get_state(world, hand).node_count == 0);
    run(world, 5);
    cg_world_destroy(world);
}

// States

typedef struct pulled {
    cg_world *world;
    cg_tissue_id tissue;
    cg_hand_id hand;
} pulled;

static pulled make_pulled(void)
{
    pulled p = {.world = make_world()};
    cg_tissue_def def = small_pad();
    def.tension = 0.1;
    def.fix_rim = true;
    p.tissue = add_tissue(p.world, &def);
    p.hand = add_hand(p.world, v3(0, 2e-3, 1e-3), 2.0);
    CHECK_STR(cg_hand_close(p.world, p.hand).message, "");
    move_hand(p.world, p.hand, v3(1e-3, 4e-3, 5e-3), 0.05);
    return p;
}

TEST(a_state_can_be_taken_back_with_tissue_in_a_hand)
{
    pulled p = make_pulled();
    uint64_t new_hash = cg_world_state_hash(p.world);
    run(p.world, 60);
    size_t size = cg_world_snapshot_size(p.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(p.world, bytes, size).message, "");
    uint64_t then = cg_world_state_hash(p.world);
    CHECK(then != new_hash);
    run(p.world, 90);
    uint64_t later = cg_world_state_hash(p.world);
    CHECK_STR(cg_world_restore(p.world, bytes, size).message, "");
    CHECK_HASH(cg_world_state_hash(p.world), then);
    run(p.world, 90);
    CHECK_HASH(cg_world_state_hash(p.world), later);
    // In another world of the same making too, whose hand was open.
    pulled q = make_pulled();
    CHECK_STR(cg_hand_open(q.world, q.hand).message, "");
    CHECK_STR(cg_world_restore(q.world, bytes, size).message, "");
    run(q.world, 90);
    CHECK_HASH(cg_world_state_hash(q.world), later);
    CHECK(cg_hand_get_state(q.world, q.hand).node_count > 0);
    // A world without tissue refuses it and stays as it is.
    cg_world *empty = make_world();
    add_hand(empty, v3(0, 2e-3, 1e-3), 2.0);
    uint64_t before = cg_world_state_hash(empty);
    CHECK(cg_world_restore(empty, bytes, size).code != CG_OK);
    CHECK_HASH(cg_world_state_hash(empty), before);
    cg_world_destroy(empty);
    cg_world_destroy(q.world);
    cg_world_destroy(p.world);
    free(bytes);
}

TEST(damaged_states_with_tissue_are_refused_or_stay_usable)
{
    pulled p = make_pulled();
    run(p.world, 20);
    size_t size = cg_world_snapshot_size(p.world);
    unsigned char *bytes = malloc(size), *damaged = malloc(size);
    CHECK_STR(cg_world_snapshot(p.world, bytes, size).message, "");
    uint64_t random = 8;
    for (int i = 0; i < test_count(60, 5000); i++) {
        memcpy(damaged, bytes, size);
        size_t place = (size_t)test_random_int(&random, 0, (int)size - 1);
        damaged[place] ^= (unsigned char)(1 << test_random_int(&random, 0, 7));
        CHECK(cg_world_restore(p.world, damaged, size).code != CG_OK); // the checksum sees every flipped bit
    }
    CHECK(cg_world_restore(p.world, bytes, size / 2).code != CG_OK);
    CHECK_STR(cg_world_restore(p.world, bytes, size).message, "");
    run(p.world, 5);
    cg_world_destroy(p.world);
    free(bytes);
    free(damaged);
}

TEST(a_step_with_tissue_takes_no_memory)
{
    pulled p = make_pulled();
    run(p.world, 2);
    long before = test_allocations();
    run(p.world, 50);
    CHECK_INT(test_allocations() - before, 0);
    cg_world_destroy(p.world);
}

static double ticking(void)
{
    static double now = 0;
    return now += 1;
}

TEST(the_stages_of_tissue_have_their_own_time)
{
    cg_world *world;
    cg_world_def world_def = cg_world_def_default();
    world_def.clock = ticking;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_tissue_def def = small_pad();
    add_tissue(world, &def);
    cg_world_step(world);
    cg_world_stats stats = cg_world_get_stats(world);
    CHECK_NEAR(stats.stage_seconds[CG_STAGE_PREDICT], 1, 0);
    CHECK_NEAR(stats.stage_seconds[CG_STAGE_TISSUE], 1, 0);
    CHECK_STR(cg_stage_name(CG_STAGE_PREDICT), "predict");
    CHECK_STR(cg_stage_name(CG_STAGE_TISSUE), "tissue");
    cg_world_destroy(world);
}

static cg_tissue_def explicit_grid(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.size = v3(5e-3, 5e-3, 0);
    def.spacing = 1e-3;
    def.fix_rim = true;
    def.solver = CG_TISSUE_RUNGE_KUTTA;
    def.damping = 0;
    def.iterations = 1;
    return def;
}

static double farthest_of(const cg_world *world, cg_tissue_id id)
{
    return cg_tissue_get_summary(world, id).farthest;
}

// One part of a step of 1 ms is far too long for it: the step is made in as many as it takes.
TEST(an_explicit_tissue_does_not_blow_up)
{
    cg_world_def world_def = cg_world_def_default();
    cg_tissue_def def = explicit_grid();
    cg_world *world;
    cg_tissue_id id;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    CHECK_STR(cg_world_add_tissue(world, &def, &id).message, "");
    double farthest = 0;
    for (int i = 0; i < 200; i++) {
        cg_world_step(world);
        farthest = fmax(farthest, farthest_of(world, id));
    }
    CHECK(farthest > 1e-6 && farthest < 2.5e-3); // it sags and swings
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    CHECK(cg_world_get_stats(world).tissue_iterations > 1);
    // A time step that no number of parts makes good is refused too.
    CHECK_INT(cg_world_set_time_step(world, 0.1).code, CG_BAD_INPUT);
    cg_world_destroy(world);
}

// What flies away in one step stands still for it, and goes on afterwards.
TEST(an_explicit_tissue_that_blew_up_comes_back)
{
    cg_world_def world_def = cg_world_def_default();
    world_def.gravity = v3_zero();
    cg_tissue_def def = explicit_grid();
    def.drag = 100;
    cg_world *world;
    cg_tissue_id id;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    CHECK_STR(cg_world_add_tissue(world, &def, &id).message, "");
    const double weights[3] = {1, 0, 0};
    for (int triangle = 0; triangle < cg_tissue_triangle_count(world, id); triangle++) {
        CHECK_STR(cg_tissue_push(world, id, triangle, weights, v3(0, 0, 1e10)).message, "");
    }
    cg_world_step(world);
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 1);
    CHECK_NEAR(farthest_of(world, id), 0, 1e-12);
    for (int triangle = 0; triangle < cg_tissue_triangle_count(world, id); triangle++) {
        CHECK_STR(cg_tissue_push(world, id, triangle, weights, v3(0, 0, 1e-3)).message, "");
    }
    for (int i = 0; i < 10; i++) {
        cg_world_step(world);
    }
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 1);
    CHECK(farthest_of(world, id) > 1e-9 && farthest_of(world, id) < 1e-2);
    cg_world_destroy(world);
}
