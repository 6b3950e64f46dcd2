// Scalpels and hooks with bodies: they cut and burn as their edges and tips do, and push everything else.
#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "catgut/catgut.h"
#include "geometry/shape.h"
#include "geometry/triangle.h"
#include "harness.h"
#include "world/world.h"

enum { VERTICES = 41 };

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_hand_id hand;
} rig;

static rig make_rig(void)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    return r;
}

static void add_pad(rig *r)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 14e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.tension = 0.1;
    def.fix_rim = true;
    def.max_nodes = 4000;
    CHECK_STR(cg_world_add_tissue(r->world, &def, &r->pad).message, "");
}

// Along x or y, held at both ends.
static void add_thread(rig *r, cg_vec3 along, int parts)
{
    cg_thread_def def = cg_thread_def_default();
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3_scale(0.5e-3 * (i - VERTICES / 2), along);
    }
    def.vertex_count = VERTICES;
    def.positions = points;
    def.radius = 0.15e-3;
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_PINNED;
    CHECK_STR(cg_world_add_thread(r->world, &def, &r->thread).message, "");
    CHECK_STR(cg_world_reserve_parts(r->world, r->thread, parts).message, "");
}

static void add_hand(rig *r, cg_hand_tool tool, cg_vec3 place)
{
    cg_hand_def def = cg_hand_def_default();
    def.tool = tool;
    def.pose.position = place;
    CHECK_STR(cg_world_add_hand(r->world, &def, &r->hand).message, "");
}

static void go(const rig *r, cg_vec3 place, double time, int steps)
{
    CHECK_STR(cg_hand_move(r->world, r->hand, (cg_transform){place, quat_identity()}, time).message, "");
    for (int k = 0; k < steps; k++) {
        cg_world_step(r->world);
    }
}

static cg_hand_state state_of(const rig *r)
{
    return cg_hand_get_state(r->world, r->hand);
}

// No axis of a rod of the tool, but those of parts of a body `but`, crosses the surface.
static bool is_off_pad(const rig *r, int but)
{
    int nodes[3], body;
    cg_rigid_part part;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->pad, NULL);
    for (int i = 0; cg_hand_get_part(r->world, r->hand, i, &part, &body); i++) {
        cg_vec3 half = transform_vector(part.pose, v3(0, 0, part.shape.half_length));
        cg_vec3 from = v3_sub(part.pose.position, half), to = v3_add(part.pose.position, half);
        for (int t = 0; body != but && cg_tissue_get_triangle(r->world, r->pad, t, nodes, NULL); t++) {
            const cg_vec3 corners[3] = {x[nodes[0]], x[nodes[1]], x[nodes[2]]};
            if (!(cg_closest_segment_triangle(from, to, corners).squared_distance > 0)) {
                return false;
            }
        }
    }
    return true;
}

// [N] Strongest pull of the same cut as below by an edge without a body, and the area [m2] that it lays open.
static double cut_by_edge_alone(double *area)
{
    rig r = make_rig();
    cg_hand_def def = cg_hand_def_default();
    double strongest = 0;
    add_pad(&r);
    def.tool = CG_TOOL_SCALPEL;
    def.blade_width = 0;
    def.pose.position = v3(-6e-3, 0.2e-3, 3e-3);
    CHECK_STR(cg_world_add_hand(r.world, &def, &r.hand).message, "");
    CHECK_INT(cg_hand_get_part_count(r.world, r.hand), 0);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    go(&r, v3(-6e-3, 0.2e-3, -2e-3), 0.1, 200);
    go(&r, v3(4e-3, 0.2e-3, -2e-3), 0.2, 0);
    for (int k = 0; k < 260; k++) {
        cg_world_step(r.world);
        strongest = fmax(strongest, -state_of(&r).force.x);
    }
    *area = state_of(&r).cut_area;
    cg_world_destroy(r.world);
    return strongest;
}

TEST(an_open_scalpel_presses_and_a_closed_one_cuts)
{
    rig r = make_rig();
    add_pad(&r);
    add_hand(&r, CG_TOOL_SCALPEL, v3(-6e-3, 0.2e-3, 3e-3));
    CHECK_INT(cg_hand_get_part_count(r.world, r.hand), 6);
    uint64_t topology = cg_tissue_topology_version(r.world, r.pad);
    go(&r, v3(-6e-3, 0.2e-3, -2e-3), 0.1, 200);
    CHECK(state_of(&r).force.z > 0.01 && state_of(&r).edge_inside == 0 && is_off_pad(&r, -1));
    CHECK(cg_tissue_topology_version(r.world, r.pad) == topology);
    go(&r, v3(-6e-3, 0.2e-3, 3e-3), 0.1, 200);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    go(&r, v3(-6e-3, 0.2e-3, -2e-3), 0.1, 200);
    CHECK(state_of(&r).edge_inside > 1e-3);
    double strongest = 0, area, force = cut_by_edge_alone(&area);
    go(&r, v3(4e-3, 0.2e-3, -2e-3), 0.2, 0);
    for (int k = 0; k < 260; k++) {
        cg_world_step(r.world);
        strongest = fmax(strongest, -state_of(&r).force.x);
        CHECK(k % 10 != 0 || is_off_pad(&r, 1));
    }
    CHECK_NEAR(strongest, force, 0.1 * force);
    CHECK(area > 0);
    CHECK_NEAR(state_of(&r).cut_area, area, 0.1 * area);
    go(&r, v3(4e-3, 0.2e-3, 8e-3), 0.1, 300);
    CHECK(state_of(&r).edge_inside == 0 && v3_length(state_of(&r).force) < 1e-9);
    CHECK(is_off_pad(&r, -1));
    CHECK_INT(cg_world_get_stats(r.world).recovered_tissue_steps, 0);
    cg_world_destroy(r.world);
}

// Beside the pad, with a flat side, its back or its edge towards it.
TEST(flat_sides_and_back_push_and_the_edge_goes_in)
{
    const double angles[] = {1.5707963, -1.5707963, 3.1415926, 0}; // of the blade about z; the pad is at +x of it
    for (int k = 0; k < 4; k++) {
        rig r = make_rig();
        add_pad(&r);
        cg_hand_def def = cg_hand_def_default();
        def.tool = CG_TOOL_SCALPEL;
        def.turn_stiffness = 0; // turned as told
        def.pose = (cg_transform){v3(-15e-3, 0, -3e-3), quat_from_axis_angle(v3(0, 0, 1), angles[k])};
        CHECK_STR(cg_world_add_hand(r.world, &def, &r.hand).message, "");
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        uint64_t topology = cg_tissue_topology_version(r.world, r.pad);
        def.pose.position.x = -2e-3;
        CHECK_STR(cg_hand_move(r.world, r.hand, def.pose, 0.2).message, "");
        for (int step = 0; step < 300; step++) {
            cg_world_step(r.world);
        }
        bool is_cut = cg_tissue_topology_version(r.world, r.pad) != topology;
        CHECK_INT(is_cut, k == 3);
        CHECK(is_off_pad(&r, k == 3 ? 1 : -1));
        CHECK(state_of(&r).force.x < -0.05);
        cg_world_destroy(r.world);
    }
}

// How deep any rod of the tool is in the thread, in its diameters.
static double depth_in(const rig *r, cg_thread_id thread)
{
    int count;
    double least = HUGE_VAL;
    cg_rigid_part part;
    const cg_vec3 *x = cg_thread_positions(r->world, thread, &count);
    for (int i = 0; cg_hand_get_part(r->world, r->hand, i, &part, NULL); i++) {
        for (int k = 0; k + 1 < count; k++) {
            least = fmin(least, cg_shape_distance_segment(&part.shape, &part.pose, x[k], x[k + 1]).distance - 0.15e-3);
        }
    }
    return -least / 0.3e-3;
}

TEST(an_edge_parts_the_thread_that_it_presses_on)
{
    for (int parts = 0; parts < 2; parts++) {
        rig r = make_rig();
        add_thread(&r, v3(0, 1, 0), parts);
        add_hand(&r, CG_TOOL_SCALPEL, v3(-4e-3, 0, -4e-3));
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        go(&r, v3(6e-3, 0, -4e-3), 0.2, 0);
        for (int k = 0; k < 300; k++) {
            cg_world_step(r.world);
            CHECK(depth_in(&r, r.thread) < 0.1);
        }
        CHECK_INT(cg_world_count_threads(r.world), 1 + parts);
        CHECK_INT(state_of(&r).pose.position.x > 5.9e-3, parts); // what is not parted stops it
        cg_world_destroy(r.world);
    }
}

TEST(a_flat_side_parts_no_thread_and_passes_none)
{
    const double times[] = {0.2, 0.004}; // [s] slow, and some 2 m/s
    for (int k = 0; k < 2; k++) {
        rig r = make_rig();
        add_thread(&r, v3(1, 0, 0), 1);
        add_hand(&r, CG_TOOL_SCALPEL, v3(0, -4e-3, -4e-3));
        CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
        go(&r, v3(0, 4e-3, -4e-3), times[k], 300);
        CHECK_INT(cg_world_count_threads(r.world), 1);
        CHECK(depth_in(&r, r.thread) < 0.1);
        CHECK(state_of(&r).force.y < -0.05); // it stretches the thread
        go(&r, v3(0, -6e-3, -4e-3), times[k], 300);
        CHECK(state_of(&r).lag < 1e-4 && depth_in(&r, r.thread) < 0);
        cg_world_destroy(r.world);
    }
}

// A rod that floats is pushed along by whatever part of a tool comes, at any speed.
TEST(a_free_body_is_pushed_and_not_passed)
{
    const cg_hand_tool tools[] = {CG_TOOL_SCALPEL, CG_TOOL_HOOK};
    for (int k = 0; k < 8; k++) {
        rig r = make_rig();
        cg_rigid_part part = {{.kind = CG_SHAPE_CAPSULE, .radius = 0.4e-3, .half_length = 5e-3}, transform_identity()};
        cg_rigid_def def = cg_rigid_def_default();
        cg_rigid_id rod;
        cg_rigid_info info;
        double way = k & 1 ? -1 : 1;
        part.pose.rotation = quat_between(v3(0, 0, 1), v3(1, 0, 0));
        def.parts = &part;
        def.part_count = 1;
        def.mass = 50e-6;
        def.pose.position = v3(-1e-3, 0, 2e-3);
        CHECK_STR(cg_world_add_rigid(r.world, &def, &rod).message, "");
        add_hand(&r, tools[k / 4], v3(0, -5e-3 * way, 0));
        go(&r, v3(0, 5e-3 * way, 0), k & 2 ? 0.2 : 0.004, 250);
        CHECK(cg_rigid_get_info(r.world, rod, &info));
        CHECK(info.centre.y * way > 3e-3);
        cg_world_destroy(r.world);
    }
}

TEST(a_hook_burns_its_way_and_presses)
{
    rig r = make_rig();
    add_pad(&r);
    add_hand(&r, CG_TOOL_HOOK, v3(0, 1e-3, 2e-3)); // above a node
    go(&r, v3(0, 1e-3, -1e-3), 0.1, 200);
    CHECK(state_of(&r).force.z > 0.01 && is_off_pad(&r, -1));
    CHECK(cg_tissue_get_summary(r.world, r.pad).removed_mass == 0);
    double before = state_of(&r).pose.position.z;
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    go(&r, v3(0, 1e-3, -1e-3), 0, 1500);
    double removed = cg_tissue_get_summary(r.world, r.pad).removed_mass;
    CHECK(removed > 0 && removed < 1.5 * 30 / 2.5e6); // 30 W for 1.5 s
    CHECK(state_of(&r).pose.position.z < before && is_off_pad(&r, -1));
    cg_world_destroy(r.world);
}

// States from before a tool was taken, and in the middle of a cut, both ways.
TEST(states_of_tools_with_bodies_are_taken_back)
{
    rig r = make_rig();
    add_pad(&r);
    add_hand(&r, CG_TOOL_GRASPER, v3(-5e-3, 0.2e-3, 3e-3));
    size_t sizes[2] = {cg_world_snapshot_size(r.world), 0};
    void *bytes[2] = {malloc(sizes[0]), NULL};
    uint64_t first = cg_world_state_hash(r.world);
    CHECK_STR(cg_world_snapshot(r.world, bytes[0], sizes[0]).message, "");
    CHECK_STR(cg_hand_set_tool(r.world, r.hand, CG_TOOL_SCALPEL).message, "");
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    go(&r, v3(-5e-3, 0.2e-3, -2e-3), 0.05, 80);
    go(&r, v3(5e-3, 0.2e-3, -2e-3), 0.2, 100);
    CHECK(state_of(&r).edge_inside > 1e-3);
    CHECK(cg_hand_set_tool(r.world, r.hand, CG_TOOL_HOOK).code == CG_BAD_INPUT); // there is tissue
    sizes[1] = cg_world_snapshot_size(r.world);
    bytes[1] = malloc(sizes[1]);
    CHECK_STR(cg_world_snapshot(r.world, bytes[1], sizes[1]).message, "");
    for (int k = 0; k < 100; k++) {
        cg_world_step(r.world);
    }
    uint64_t hash = cg_world_state_hash(r.world);
    for (int round = 0; round < 2; round++) {
        CHECK_STR(cg_world_restore(r.world, bytes[0], sizes[0]).message, "");
        CHECK_HASH(cg_world_state_hash(r.world), first);
        CHECK_INT(state_of(&r).tool, CG_TOOL_GRASPER);
        if (round == 0) {
            cg_world_step(r.world);
        }
        CHECK_STR(cg_world_restore(r.world, bytes[1], sizes[1]).message, "");
        for (int k = 0; k < 100; k++) {
            cg_world_step(r.world);
        }
        CHECK_HASH(cg_world_state_hash(r.world), hash);
    }
    // And into a world where no tool ever touched.
    rig other = make_rig();
    add_pad(&other);
    add_hand(&other, CG_TOOL_GRASPER, v3(-5e-3, 0.2e-3, 3e-3));
    CHECK_STR(cg_world_restore(other.world, bytes[1], sizes[1]).message, "");
    for (int k = 0; k < 100; k++) {
        cg_world_step(other.world);
    }
    CHECK_HASH(cg_world_state_hash(other.world), hash);
    cg_world_destroy(other.world);
    for (int k = 0; k < 2; k++) {
        free(bytes[k]);
    }
    cg_world_destroy(r.world);
}
