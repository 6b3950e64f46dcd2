// Threads whose spacing follows, without contacts: they move as threads that are fine all along do, with fewer
// vertices.
#include <math.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { MOST_POINTS = 1000 };

typedef struct line_thread {
    cg_world *world;
    cg_thread_id id;
} line_thread;

// A straight thread along x, of so many vertices, clamped at its start.
static line_thread make_line(double length, int count, bool follow, double drag)
{
    static cg_vec3 points[MOST_POINTS];
    line_thread line = {0};
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 0; // elasticity alone
    CHECK_STR(cg_world_create(&world, &line.world).message, "");
    for (int i = 0; i < count; i++) {
        points[i] = v3(length * i / (count - 1), 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = count;
    def.positions = points;
    def.drag = drag;
    def.bend_stiffness = 5e-10; // as a braid: it hangs down within 1 cm of its clamp
    def.twist_stiffness = 3e-10;
    def.ends[CG_START].kind = CG_END_CLAMPED;
    def.spacing = (cg_spacing){.follow = follow, .fine = length / 512, .coarse = length / 16};
    CHECK_STR(cg_world_add_thread(line.world, &def, &line.id).message, "");
    return line;
}

static cg_vec3 tip_of(const line_thread *line)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(line->world, line->id, &count);
    return points[count - 1];
}

static int count_of(const line_thread *line)
{
    return cg_thread_get_summary(line->world, line->id).vertex_count;
}

// Large bending: the tip of a thread that hangs from its clamp, by a fine thread as the oracle.
TEST(a_cantilever_hangs_as_a_fine_one_does)
{
    const double length = 0.12;
    line_thread fine = make_line(length, 257, false, 20), follows = make_line(length, 17, true, 20);
    line_thread coarse = make_line(length, 17, false, 20);
    for (int step = 0; step < 1500; step++) {
        cg_world_step(fine.world);
        cg_world_step(follows.world);
        cg_world_step(coarse.world);
    }
    CHECK(tip_of(&fine).z < -0.5 * length);
    CHECK(count_of(&follows) > 20 && count_of(&follows) < 80);
    CHECK_NEAR(v3_distance(tip_of(&follows), tip_of(&fine)), 0, 0.003 * length);
    CHECK(v3_distance(tip_of(&coarse), tip_of(&fine)) > 2 * v3_distance(tip_of(&follows), tip_of(&fine)));
    // It has come to rest, and nothing is edited any more.
    uint64_t version = cg_thread_topology_version(follows.world, follows.id);
    for (int step = 0; step < 100; step++) {
        cg_world_step(follows.world);
    }
    CHECK_INT(cg_thread_topology_version(follows.world, follows.id), version);
    cg_world_destroy(fine.world);
    cg_world_destroy(follows.world);
    cg_world_destroy(coarse.world);
}

// A chain that hangs: all its weight at the top, and the stretch that goes with it.
TEST(a_hanging_chain_carries_its_weight)
{
    line_thread line = make_line(0.3, 200, true, 20);
    cg_end_hold hold = cg_thread_get_end(line.world, line.id, CG_START);
    hold.kind = CG_END_PINNED;
    cg_thread_set_end(line.world, line.id, CG_START, &hold);
    for (int step = 0; step < 4000; step++) {
        cg_world_step(line.world);
    }
    cg_thread_def def = cg_thread_def_default();
    double weight = 9.81 * 0.3 * def.density * 3.14159265358979 * def.radius * def.radius;
    int count = count_of(&line);
    CHECK(count <= 36);
    double tensions[200];
    CHECK_STR(cg_thread_tensions(line.world, line.id, tensions, count - 1).message, "");
    CHECK_NEAR(cg_thread_hold_force(line.world, line.id, 0).z, weight, 1e-3 * weight);
    const double *arcs = cg_thread_arcs(line.world, line.id, NULL);
    for (int i = 0; i + 1 < count; i++) {
        double below = 1 - 0.5 * (arcs[i] + arcs[i + 1]) / 0.3;
        CHECK_NEAR(tensions[i], below * weight, 0.01 * weight);
    }
    cg_world_destroy(line.world);
}

static double energy_of(const line_thread *line)
{
    cg_thread_energy e = cg_thread_get_energy(line->world, line->id);
    return e.kinetic + e.stretch + e.bend + e.twist + e.gravity;
}

// Let go, it swings and whips. The steps themselves add nothing (line search), so what comes, comes from edits: never
// more than half of what the bends then hold (a clamped joint is halved, src/thread/edit.c), and little in all.
TEST(edits_add_next_to_no_energy_to_a_swing)
{
    line_thread line = make_line(0.12, 33, true, 0);
    cg_world_set_newton(line.world, 20, 1e-10, true);
    double before = energy_of(&line), fall = 0.06 * 9.81 * 4.3e-5 * 0.12, added = 0;
    for (int step = 0; step < 1000; step++) {
        cg_world_step(line.world);
        double now = energy_of(&line), rise = now - before;
        double bend = cg_thread_get_energy(line.world, line.id).bend;
        CHECK(rise <= bend / 2 + 1e-6 * fall);
        CHECK(rise <= 1e-6 * fall || cg_world_get_stats(line.world).edits > 0);
        added += rise > 0 ? rise : 0;
        before = now;
    }
    CHECK(added < 0.1 * fall); // the swing goes on for the whole second, and so do the edits
    CHECK(cg_thread_topology_version(line.world, line.id) > 50);
    cg_world_destroy(line.world);
}

// A thread that swings beside the line, 1 cm away, and hardly bends.
static cg_thread_id add_neighbour(cg_world *world)
{
    cg_vec3 points[9];
    for (int i = 0; i < 9; i++) {
        points[i] = v3(0.01 * i, 0.01, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 9;
    def.positions = points;
    def.bend_stiffness = 1e-4;
    def.ends[CG_START].kind = CG_END_PINNED;
    def.spacing = (cg_spacing){.follow = true, .fine = 1e-3, .coarse = 0.1};
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    return id;
}

// What is edited in one thread does not show in another.
TEST(a_thread_does_not_feel_edits_of_its_neighbour)
{
    line_thread pair = make_line(0.12, 33, true, 0), alone = make_line(0.12, 33, true, 0);
    cg_world_remove_thread(alone.world, alone.id);
    cg_thread_id beside = add_neighbour(pair.world), by_itself = add_neighbour(alone.world);
    bool same = true;
    for (int step = 0; step < 200; step++) {
        cg_world_step(pair.world);
        cg_world_step(alone.world);
        int count;
        const cg_vec3 *a = cg_thread_positions(pair.world, beside, &count);
        const cg_vec3 *b = cg_thread_positions(alone.world, by_itself, NULL);
        same = same && memcmp(a, b, sizeof *a * (size_t)count) == 0;
    }
    CHECK(same);
    CHECK(cg_thread_topology_version(pair.world, pair.id) > 20);
    cg_world_destroy(pair.world);
    cg_world_destroy(alone.world);
}

// Twist between two clamps, one turned and drawn near: the torque of a fine thread.
TEST(a_twisted_thread_has_the_torque_of_a_fine_one)
{
    line_thread lines[2] = {make_line(0.1, 257, false, 50), make_line(0.1, 33, true, 50)};
    double torque[2];
    for (int k = 0; k < 2; k++) {
        cg_world_set_gravity(lines[k].world, v3(0, 0, -1));
        for (int step = 0; step < 1000; step++) {
            double share = step < 500 ? (step + 1) / 500.0 : 1;
            cg_end_hold hold = {CG_END_CLAMPED, v3(0.1 - 0.005 * share, 0, 0), v3(1, 0, 0), 2 * share};
            cg_thread_set_end(lines[k].world, lines[k].id, CG_FINISH, &hold);
            cg_world_step(lines[k].world);
        }
        torque[k] = cg_thread_get_summary(lines[k].world, lines[k].id).torque;
    }
    CHECK(torque[0] > 0);
    CHECK(cg_thread_topology_version(lines[1].world, lines[1].id) > 3);
    CHECK_NEAR(torque[1], torque[0], 0.02 * torque[0]);
    cg_world_destroy(lines[0].world);
    cg_world_destroy(lines[1].world);
}

TEST(a_full_thread_refuses_splits_and_goes_on)
{
    static cg_vec3 points[17];
    cg_world_def world_def = cg_world_def_default();
    cg_world *world;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    for (int i = 0; i < 17; i++) {
        points[i] = v3(0.12 * i / 16, 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = 17;
    def.positions = points;
    def.bend_stiffness = 5e-10;
    def.ends[CG_START].kind = CG_END_CLAMPED;
    def.spacing = (cg_spacing){.follow = true, .fine = 2e-4, .coarse = 0.12 / 16, .max_vertices = 20};
    cg_thread_id id;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    CHECK_INT(cg_thread_max_vertices(world, id), 20);
    for (int step = 0; step < 500; step++) {
        cg_world_step(world);
        CHECK(cg_thread_get_summary(world, id).vertex_count <= 20);
    }
    CHECK(cg_world_get_stats(world).refused_edits > 0);
    CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
    CHECK_NEAR(cg_thread_get_summary(world, id).rest_length, 0.12, 1e-15);
    cg_world_destroy(world);
}

// From a state in the middle, another world goes on to the same bits; the number of vertices is part of the state.
TEST(a_snapshot_in_the_middle_continues_to_the_bit)
{
    static unsigned char bytes[1 << 19];
    line_thread first = make_line(0.12, 17, true, 5), second = make_line(0.12, 17, true, 5);
    for (int step = 0; step < 150; step++) {
        cg_world_step(first.world);
    }
    size_t size = cg_world_snapshot_size(first.world);
    if (!CHECK(size <= sizeof bytes)) {
        return;
    }
    CHECK_STR(cg_world_snapshot(first.world, bytes, size).message, "");
    CHECK(count_of(&first) != count_of(&second));
    CHECK_STR(cg_world_restore(second.world, bytes, size).message, "");
    CHECK_INT(count_of(&second), count_of(&first));
    CHECK_INT(cg_thread_topology_version(second.world, second.id), cg_thread_topology_version(first.world, first.id));
    for (int step = 0; step < 150; step++) {
        cg_world_step(first.world);
        cg_world_step(second.world);
        CHECK_HASH(cg_world_state_hash(second.world), cg_world_state_hash(first.world));
    }
    CHECK(cg_thread_topology_version(first.world, first.id) > 10);
    // Not into a thread that does not follow, nor from one.
    line_thread fixed = make_line(0.12, 17, false, 5);
    uint64_t hash = cg_world_state_hash(fixed.world);
    CHECK(cg_world_restore(fixed.world, bytes, size).code == CG_MISMATCH);
    CHECK_HASH(cg_world_state_hash(fixed.world), hash);
    size = cg_world_snapshot_size(fixed.world);
    CHECK_STR(cg_world_snapshot(fixed.world, bytes, size).message, "");
    CHECK(cg_world_restore(second.world, bytes, size).code == CG_MISMATCH);
    cg_world_destroy(first.world);
    cg_world_destroy(second.world);
    cg_world_destroy(fixed.world);
}

// A hand keeps the stretch it holds, by arc length, while vertices come and go on both sides of it.
TEST(a_hand_keeps_what_it_holds)
{
    line_thread line = make_line(0.12, 33, true, 20);
    cg_hand_def def = cg_hand_def_default();
    def.pose.position = v3(0.08, 0, 0);
    def.jaw_length = 8e-3;
    cg_hand_id id;
    CHECK_STR(cg_world_add_hand(line.world, &def, &id).message, "");
    CHECK_STR(cg_hand_close(line.world, id).message, "");
    cg_hand_state start = cg_hand_get_state(line.world, id);
    CHECK(start.vertex_count >= 2);
    double arcs[2] = {0};
    int moved = 0;
    for (int step = 0; step < 600; step++) {
        cg_hand_state hand = cg_hand_get_state(line.world, id);
        const double *arc = cg_thread_arcs(line.world, line.id, NULL);
        if (step == 0) {
            arcs[0] = arc[hand.first_vertex];
            arcs[1] = arc[hand.first_vertex + hand.vertex_count - 1];
        }
        CHECK_INT(hand.vertex_count, start.vertex_count);
        CHECK_NEAR(arc[hand.first_vertex], arcs[0], 1e-15);
        CHECK_NEAR(arc[hand.first_vertex + hand.vertex_count - 1], arcs[1], 1e-15);
        moved += hand.first_vertex != start.first_vertex;
        cg_transform pose = start.pose;
        pose.position = v3_add(pose.position, v3(-0.07 * step / 600, 0, 0.02));
        cg_hand_move(line.world, id, pose, 1e-3);
        cg_world_step(line.world);
    }
    CHECK(moved > 100);
    CHECK(cg_hand_get_state(line.world, id).lag < 1e-3);
    cg_world_destroy(line.world);
}

TEST(places_are_found_by_arc_length)
{
    line_thread line = make_line(0.12, 17, true, 5);
    CHECK_INT(cg_thread_topology_version(line.world, line.id), 0);
    for (int step = 0; step < 300; step++) {
        cg_world_step(line.world);
    }
    int count, vertices = count_of(&line);
    const double *arcs = cg_thread_arcs(line.world, line.id, &count);
    CHECK_INT(count, vertices);
    CHECK_NEAR(arcs[count - 1], 0.12, 1e-15);
    for (int i = 0; i < count; i++) {
        CHECK_INT(cg_thread_vertex_at(line.world, line.id, arcs[i]), i);
    }
    for (int k = 0; k <= 100; k++) {
        double arc = 0.0012 * k, fraction;
        int segment = cg_thread_segment_at(line.world, line.id, arc, &fraction);
        CHECK_NEAR(arcs[segment] + fraction * (arcs[segment + 1] - arcs[segment]), arc, 1e-15);
        CHECK(fraction >= 0 && fraction <= 1);
    }
    CHECK_INT(cg_thread_vertex_at(line.world, line.id, -1), 0);
    CHECK_INT(cg_thread_vertex_at(line.world, line.id, 7), count - 1);
    CHECK_INT(cg_thread_vertex_at(line.world, line.id, NAN), -1);
    CHECK_INT(cg_thread_segment_at(line.world, (cg_thread_id){0, 0}, 0.01, NULL), -1);
    CHECK(cg_thread_arcs(line.world, (cg_thread_id){0, 0}, &count) == NULL && count == 0);
    cg_world_destroy(line.world);
}

TEST(a_step_that_edits_allocates_nothing)
{
    line_thread line = make_line(0.12, 17, true, 5);
    long before = test_allocations();
    for (int step = 0; step < 200; step++) {
        cg_world_step(line.world);
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK(cg_thread_topology_version(line.world, line.id) > 10);
    cg_world_destroy(line.world);
}

TEST(bad_spacings_are_refused_with_a_reason)
{
    cg_vec3 points[2] = {{0, 0, 0}, {0.1, 0, 0}};
    static const struct {
        cg_spacing spacing;
        const char *word;
    } cases[] = {{{true, -1, 0, 0}, "fine"},
                 {{true, NAN, 0, 0}, "fine"},
                 {{true, 1e-3, 1e-4, 0}, "coarse"},
                 {{true, 0, 1e-5, 0}, "coarse"},
                 {{true, 0, INFINITY, 0}, "coarse"},
                 {{true, 0, 0, 1}, "max_vertices"},
                 {{true, 0, 0, 2000000}, "max_vertices"}};
    cg_world_def world_def = cg_world_def_default();
    cg_world *world;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cg_thread_def def = cg_thread_def_default();
        def.vertex_count = 2;
        def.positions = points;
        def.spacing = cases[i].spacing;
        cg_thread_id id;
        cg_status status = cg_world_add_thread(world, &def, &id);
        CHECK(status.code == CG_BAD_INPUT && strstr(status.message, cases[i].word) != NULL);
        def.spacing.follow = false; // then nobody looks at it
        CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    }
    cg_world_destroy(world);
}
