// Needles through a skin: in and out at the threshold, the skin split where they go and healed behind them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "brute_surface.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "suture/hollow.h"
#include "thread/slide.h"
#include "world/world.h"

static const double THRESHOLD = 0.5, CUT = 0.1, DRAG = 30; // [N], [N], [N/m]

typedef struct rig {
    cg_world *world;
    cg_tissue_id skin;
    cg_rigid_id needle;
    double radius; // [m] of the needle
    bool is_straight;
    uint64_t looked_at; // topology of the skin that was looked at
} rig;

// A skin without table, and above it a needle as heavy as the hand that holds it: half a circle, or nearly straight.
static bool make_rig(rig *r, bool is_straight, double x, int max_nodes)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def skin = cg_tissue_def_default();
    cg_rigid_def def = cg_rigid_def_default();
    cg_needle needle = cg_needle_default();
    needle.radius = is_straight ? 0.2 : needle.radius;
    needle.arc = is_straight ? 0.1 : needle.arc;
    r->radius = needle.radius;
    r->is_straight = is_straight;
    world.gravity = v3_zero();
    world.max_contacts = 80;
    skin.model = CG_TISSUE_SKIN;
    skin.size = v3(20e-3, 16e-3, 0);
    skin.layers[0].thickness = is_straight ? 4e-3 : 6e-3;
    skin.layers[0].material.young = 200e3;
    skin.max_nodes = max_nodes;
    skin.fix_rim = true;
    skin.fix_bottom = false;
    skin.pierce_force = THRESHOLD;
    skin.pierce_cut = CUT;
    skin.pierce_drag = DRAG;
    def.needle = &needle;
    def.mass = 0.5;
    def.pose.position = v3(is_straight ? x - needle.radius : x, 0.2e-3, is_straight ? 0.4e-3 : 2.5e-3);
    return CHECK_STR(cg_world_create(&world, &r->world).message, "") &&
           CHECK_STR(cg_world_add_tissue(r->world, &skin, &r->skin).message, "") &&
           CHECK_STR(cg_world_add_rigid(r->world, &def, &r->needle).message, "");
}

static const cg_tissue *tissue_of(const rig *r)
{
    return cg_world_find_tissue(r->world, r->skin);
}

static cg_piercing look(const rig *r)
{
    cg_piercing now = {0};
    CHECK(cg_rigid_get_piercing(r->world, r->needle, &now));
    return now;
}

// After every step; all of the mesh where it was edited.
static void check_mesh(rig *r)
{
    if (r->looked_at != tissue_of(r)->mesh->topology_version) {
        CHECK_STR(cg_tissue_check(tissue_of(r)).message, "");
        r->looked_at = tissue_of(r)->mesh->topology_version;
    }
    CHECK(cg_world_channels_are_sound(r->world) && cg_tissue_holes_are_sound(tissue_of(r)));
}

static cg_mesh *copy_mesh(const rig *r)
{
    const cg_mesh *mesh = tissue_of(r)->mesh;
    cg_allocator allocator = cg_memory_default();
    cg_mesh *copy = NULL;
    CHECK_STR(cg_mesh_create(&allocator, &mesh->limits, &copy).message, "");
    CHECK(cg_mesh_copy(copy, mesh));
    return copy;
}

// Topology and all that a mesh is at rest, to the bit.
static bool check_as_before(const rig *r, const cg_mesh *before)
{
    const cg_mesh *mesh = tissue_of(r)->mesh;
    bool is_same = CHECK_INT(mesh->node_count, before->node_count) && CHECK_INT(mesh->link_count, before->link_count) &&
                   CHECK_INT(mesh->triangle_count, before->triangle_count);
    for (int i = 0; i < mesh->node_count && is_same; i++) {
        is_same =
            CHECK(memcmp(&mesh->home[i], &before->home[i], sizeof mesh->home[i]) == 0 &&
                  mesh->mass[i] == before->mass[i] && mesh->fixed[i] == before->fixed[i] && !tissue_of(r)->pierced[i]);
    }
    for (int i = 0; i < mesh->link_count && is_same; i++) {
        const cg_mesh_link *a = &mesh->links[i], *b = &before->links[i];
        is_same = CHECK(a->ends[0] == b->ends[0] && a->ends[1] == b->ends[1] && a->rest == b->rest &&
                        a->stiffness == b->stiffness && a->own == b->own && a->strength == b->strength &&
                        a->stiffening == b->stiffening && a->kind == b->kind);
    }
    for (int i = 0; i < mesh->triangle_count && is_same; i++) {
        const cg_mesh_triangle *a = &mesh->triangles[i], *b = &before->triangles[i];
        is_same = CHECK(memcmp(a->nodes, b->nodes, sizeof a->nodes) == 0 && a->cell == b->cell && a->mass == b->mass &&
                        a->side == b->side);
    }
    return is_same && CHECK_INT(tissue_of(r)->hole_count, 0);
}

// The tip goes by `speed` [m/s] along the needle, whatever pushes it.
static cg_piercing drive(rig *r, double speed)
{
    cg_transform pose = cg_rigid_get_pose(r->world, r->needle);
    cg_vec3 velocity = v3(0, 0, r->is_straight ? -speed : 0), spin = v3(0, r->is_straight ? 0 : speed / r->radius, 0);
    if (!r->is_straight) { // about the centre of its circle, not about that of its mass
        cg_rigid_info info;
        cg_rigid_get_info(r->world, r->needle, &info);
        velocity = v3_cross(spin, v3_sub(info.centre, pose.position));
    }
    CHECK_STR(cg_rigid_set_state(r->world, r->needle, pose, velocity, spin).message, "");
    cg_world_step(r->world);
    check_mesh(r);
    return look(r);
}

// In at the threshold, out at the threshold, and back: the skin is as it was.
TEST(straight)
{
    rig r = {0};
    if (!make_rig(&r, true, 0.3e-3, 0)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    cg_piercing last = {0}, now = {0};
    double entry = 0, exit = 0, most = 0;
    for (int i = 0; i < 300; i++, last = now) {
        now = drive(&r, 40e-3);
        most = fmax(most, now.tip_force);
        entry = now.entries > last.entries ? now.tip_force : entry;
        exit = now.exits > last.exits ? now.tip_force : exit;
        CHECK_INT(now.is_inside, now.entries > now.exits);
    }
    CHECK_NEAR(entry, THRESHOLD, 0.1 * THRESHOLD);
    CHECK_NEAR(exit, THRESHOLD, 0.1 * THRESHOLD);
    CHECK(most <= 1.1 * THRESHOLD);
    CHECK_INT(now.holes, 2);
    CHECK_INT(now.points, 2);
    CHECK_INT(tissue_of(&r)->mesh->node_count, before->node_count + 8);
    CHECK_NEAR(now.depth, 4e-3, 0.2e-3);
    CHECK_NEAR(now.drag_force, DRAG * now.depth, 0.01);
    CHECK_INT((int)now.forced, 0);
    for (int i = 0; i < 340; i++) {
        now = drive(&r, -40e-3);
    }
    CHECK_INT(now.points + now.is_inside, 0);
    check_as_before(&r, before);
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

// The hole is a node that was not there, with what mass-spring trainers give it: six short edges around it, the torsion
// springs, and the needle on it.
TEST(split_where_it_goes_in)
{
    rig r = {0};
    if (!make_rig(&r, true, 0.3e-3, 0)) {
        return;
    }
    int nodes = tissue_of(&r)->mesh->node_count;
    for (int i = 0; i < 100 && look(&r).holes == 0; i++) {
        drive(&r, 40e-3);
    }
    cg_needle_hole hole;
    const cg_tissue *skin = tissue_of(&r);
    const cg_mesh *mesh = skin->mesh;
    if (CHECK(cg_rigid_get_hole(r.world, r.needle, 0, &hole))) {
        const cg_mesh_point point = {hole.triangle, {hole.weights[0], hole.weights[1], hole.weights[2]}};
        int node = cg_tissue_node_of_point(skin, &point), edges = 0;
        CHECK(node >= nodes && skin->pierced[node]);
        for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at], edges++) {
            const cg_mesh_link *link = &mesh->links[at / 2];
            double length = v3_distance(mesh->home[link->ends[0]], mesh->home[link->ends[1]]);
            CHECK_NEAR(link->rest, 0.9 * length, 1e-12);
            CHECK(link->stiffness >= skin->firmness && link->stiffness <= 4 * skin->firmness);
        }
        CHECK_INT(edges, 6);
        for (int i = 0; i < 60; i++) {
            drive(&r, 40e-3);
        }
        cg_rigid_get_hole(r.world, r.needle, 0, &hole);
        cg_needle_state tip;
        cg_rigid_get_needle_state(r.world, r.needle, &tip);
        CHECK(hypot(hole.position.x - tip.tip.x, hole.position.y - tip.tip.y) < 0.05e-3);
    }
    cg_world_destroy(r.world);
}

// One spot, again and again.
TEST(stabbed_again_and_again)
{
    int stabs = test_counts(200, 5, 1000), healed = 0;
    rig r = {0};
    if (!make_rig(&r, true, 0.7e-3, 0)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    bool is_well = true;
    for (int k = 0; k < stabs && is_well; k++) {
        int holes = 0;
        for (int i = 0; i < 26; i++) {
            holes = drive(&r, 100e-3).holes;
        }
        CHECK_INT(holes, 1);
        for (int i = 0; i < 200 && (i < 26 || tissue_of(&r)->hole_count > 0); i++) {
            drive(&r, cg_rigid_get_pose(r.world, r.needle).position.z > 0.4e-3 ? 0 : -100e-3);
        }
        is_well = check_as_before(&r, before);
        healed += is_well;
    }
    CHECK_INT(healed, stabs);
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

// Along its arc: in at one place of the top, out at another, and back.
TEST(curved)
{
    rig r = {0};
    if (!make_rig(&r, false, 0.3e-3, 0)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    cg_piercing now = {0};
    for (int i = 0; i < 440; i++) {
        now = drive(&r, 40e-3);
    }
    cg_needle_hole in, out;
    CHECK_INT(now.holes, 2);
    CHECK_INT((int)(now.entries + now.exits), 2);
    CHECK_INT((int)now.forced, 0);
    if (CHECK(cg_rigid_get_hole(r.world, r.needle, 0, &in)) && CHECK(cg_rigid_get_hole(r.world, r.needle, 1, &out))) {
        CHECK(in.inward && !out.inward && in.arc > out.arc);
        CHECK(in.position.x > 3e-3 && out.position.x < -3e-3);
    }
    for (int i = 0; i < 480; i++) {
        now = drive(&r, -40e-3);
    }
    CHECK_INT(now.points + now.is_inside, 0);
    check_as_before(&r, before);
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

// A mesh without room is not split: the hole is a point of its triangle.
TEST(no_room)
{
    rig r = {0};
    if (!make_rig(&r, true, 0.3e-3, 234)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    cg_piercing now = {0};
    for (int i = 0; i < 300; i++) {
        now = drive(&r, 40e-3);
    }
    CHECK_INT(now.holes, 2);
    CHECK_INT(tissue_of(&r)->mesh->node_count, before->node_count);
    for (int i = 0; i < 340; i++) {
        now = drive(&r, -40e-3);
    }
    CHECK_INT(now.points + now.is_inside, 0);
    check_as_before(&r, before);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

// A thread of 40 mm at the end of a curved needle, drawn by it all the way through.
static bool add_thread(rig *r, cg_thread_id *id)
{
    enum { COUNT = 81 };
    cg_vec3 points[COUNT];
    cg_thread_def thread = cg_thread_def_default();
    cg_needle_state state;
    cg_needle needle;
    cg_rigid_get_needle_state(r->world, r->needle, &state);
    cg_rigid_get_needle(r->world, r->needle, &needle);
    for (int i = 0; i < COUNT; i++) {
        points[i] = v3_add(state.end, v3(-0.5e-3 * i, 0, 0.1e-3 * i));
    }
    thread.positions = points;
    thread.vertex_count = COUNT;
    thread.drag = 100;
    thread.friction = 0.1;
    thread.spacing = (cg_spacing){.follow = true, .fine = 0.5e-3, .coarse = 0.5e-3};
    return CHECK_STR(cg_world_add_thread(r->world, &thread, id).message, "") &&
           CHECK_STR(cg_thread_swage(r->world, *id, CG_START, r->needle, cg_needle_place(&needle, needle.arc)).message,
                     "");
}

// Where the end of the needle goes through a hole the thread has it, in the same node; where the needle goes back it
// has it again, and when all is out the skin heals.
TEST(handed_over)
{
    rig r = {0};
    cg_thread_id thread;
    if (!make_rig(&r, false, 0.3e-3, 0) || !add_thread(&r, &thread)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    for (int i = 0; cg_world_anchor_count(r.world) == 0 && i < 500; i++) {
        drive(&r, 90e-3);
    }
    CHECK_INT(look(&r).holes, 1);
    for (int i = 0; i < 40; i++) {
        drive(&r, 90e-3);
    }
    cg_anchor anchor;
    if (CHECK(cg_world_get_anchor(r.world, 0, &anchor))) {
        const cg_mesh_point hole = {anchor.triangle, {anchor.weights[0], anchor.weights[1], anchor.weights[2]}};
        CHECK(anchor.arc > 1e-3 && anchor.offset < 0.1e-3);
        CHECK(cg_tissue_node_of_point(tissue_of(&r), &hole) >= before->node_count);
    }
    CHECK_INT(tissue_of(&r)->hole_count, 2);
    for (int i = 0; i < 600 && (cg_world_anchor_count(r.world) + look(&r).points > 0 || i < 400); i++) {
        drive(&r, -90e-3);
    }
    CHECK_INT(cg_world_anchor_count(r.world) + look(&r).points, 0);
    check_as_before(&r, before);
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

// [m] What is left between the tip and the hole that it was drawn out of.
static double height_of(const rig *r)
{
    cg_needle_state state;
    cg_rigid_get_needle_state(r->world, r->needle, &state);
    return distance_to_surface(tissue_of(r)->mesh, state.tip);
}

static bool stab_and_draw_out(rig *r, double far)
{
    for (int i = 0; i < 200 && !look(r).is_inside; i++) {
        drive(r, 40e-3);
    }
    for (int i = 0; i < 20; i++) {
        drive(r, 40e-3);
    }
    for (int i = 0; i < 400 && (look(r).points > 0 || height_of(r) < far); i++) {
        drive(r, -20e-3);
    }
    return CHECK_INT(look(r).points, 0);
}

// While the needle is so near that a skin which heals could touch it, the hole waits.
TEST(waits_for_what_is_near)
{
    rig r = {0};
    if (!make_rig(&r, true, 0.7e-3, 0)) {
        return;
    }
    int nodes = tissue_of(&r)->mesh->node_count;
    stab_and_draw_out(&r, 0.1e-3);
    for (int i = 0; i < 100; i++) {
        drive(&r, 0);
    }
    CHECK(height_of(&r) < 0.2e-3);
    CHECK_INT(tissue_of(&r)->mesh->node_count, nodes + 4);
    for (int i = 0; i < 20; i++) {
        drive(&r, -20e-3);
    }
    CHECK_INT(tissue_of(&r)->mesh->node_count, nodes);
    cg_world_destroy(r.world);
}

// And while the surface is not where it will be.
TEST(waits_until_it_is_flat)
{
    rig r = {0};
    if (!make_rig(&r, true, 0.7e-3, 0)) {
        return;
    }
    int nodes = tissue_of(&r)->mesh->node_count;
    stab_and_draw_out(&r, 0.1e-3);
    CHECK_INT(tissue_of(&r)->hole_count, 1);
    for (int i = 0; i < 150 && tissue_of(&r)->hole_count > 0; i++) {
        cg_tissue *skin = cg_world_find_tissue(r.world, r.skin);
        cg_tissue_push_node(skin, skin->holes[0].patch.nodes[CG_PATCH_HOLE], v3(0, 0, -2.5));
        drive(&r, i < 60 ? -40e-3 : 0);
    }
    CHECK_INT(tissue_of(&r)->mesh->node_count, nodes + 4);
    for (int i = 0; i < 50; i++) {
        drive(&r, 0);
    }
    CHECK_INT(tissue_of(&r)->mesh->node_count, nodes);
    cg_world_destroy(r.world);
}

// The holes of a stitch that was laid heal when the thread is drawn out of them.
TEST(a_stitch_that_is_drawn_out_heals)
{
    enum { COUNT = 31 };
    rig r = {0};
    if (!make_rig(&r, true, 0.3e-3, 0)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    const cg_vec3 holes[2] = {v3(-5e-3, 3.3e-3, 0), v3(-1e-3, 3.3e-3, 0)};
    cg_vec3 points[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double x = -9e-3 + 0.4e-3 * i, out = fmax(0, fabs(x + 3e-3) - 2e-3);
        points[i] = v3(x, 3.3e-3, out > 0 ? 0.8 * out : -1e-3);
    }
    cg_thread_def thread = cg_thread_def_default();
    cg_stitch_def stitch = cg_stitch_def_default();
    thread.positions = points;
    thread.vertex_count = COUNT;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = 0.4e-3, .coarse = 0.4e-3};
    stitch.tissue = r.skin;
    stitch.points = holes;
    stitch.point_count = 2;
    CHECK_STR(cg_world_add_thread(r.world, &thread, &stitch.thread).message, "");
    CHECK_STR(cg_world_add_stitch(r.world, &stitch).message, "");
    CHECK(tissue_of(&r)->mesh->node_count > before->node_count);
    for (int i = 0; i < 100; i++) {
        cg_world_step(r.world);
    }
    CHECK_INT(tissue_of(&r)->hole_count, 2);
    for (int i = 0; i < 1500 && tissue_of(&r)->hole_count > 0; i++) {
        int last;
        cg_thread_positions(r.world, stitch.thread, &last);
        for (int k = last - 4; k < last; k++) {
            cg_thread_push_vertex(r.world, stitch.thread, k, v3(4e-3, 0, 4e-3));
        }
        cg_world_step(r.world);
        check_mesh(&r);
    }
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    CHECK_INT(tissue_of(&r)->mesh->node_count, before->node_count);
    CHECK_INT(tissue_of(&r)->mesh->link_count, before->link_count);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

static double random_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

// Inside is what a ray that crosses the surface an odd number of times says, also where a needle bends it.
TEST(inside_of_a_skin)
{
    rig r = {0};
    if (!make_rig(&r, true, 0.3e-3, 0)) {
        return;
    }
    unsigned seed = 11;
    int inside = 0, wrong = 0;
    for (int i = 0; i < 60; i++) {
        drive(&r, 40e-3);
    }
    const cg_mesh *mesh = tissue_of(&r)->mesh;
    for (int k = 0; k < 400; k++) {
        double x = random_number(&seed), y = random_number(&seed), z = random_number(&seed);
        cg_vec3 place = v3(24e-3 * (x - 0.5), 20e-3 * (y - 0.5), 1.5e-3 - 7e-3 * z);
        bool is_in = count_crossings(mesh, place, v3(0.31, 0.27, 0.911)) % 2 == 1;
        inside += is_in;
        wrong += cg_hollow_contains(mesh, place) != is_in || cg_tissue_is_inside(r.world, r.skin, place) != is_in;
    }
    CHECK_INT(wrong, 0);
    CHECK(inside > 100 && inside < 300);
    cg_world_destroy(r.world);
}

// Around corners and edges of 11 degrees, where the nearest triangles are seen from all sides.
TEST(inside_of_a_wedge)
{
    const double thin = 0.5e-3;
    cg_vec3 nodes[6];
    for (int k = 0; k < 6; k++) {
        double y = k < 3 ? -4e-3 : 5e-3;
        const cg_vec3 section[3] = {v3(-3e-3, y, -thin), v3(-3e-3, y, thin), v3(2.2e-3, 1.3 * y, 0.1e-3)};
        nodes[k] = section[k % 3];
    }
    static const int corners[8][3] = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1},
                                      {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}};
    cg_mesh_triangle triangles[8] = {{.nodes = {0}}};
    for (int t = 0; t < 8; t++) {
        for (int k = 0; k < 3; k++) {
            triangles[t].nodes[k] = corners[t][2 - k];
        }
    }
    const cg_mesh mesh = {.triangle_count = 8, .node_count = 6, .triangles = triangles, .position = nodes};
    unsigned seed = 5;
    int inside = 0, wrong = 0;
    for (int k = 0; k < 4000; k++) {
        double x = random_number(&seed), y = random_number(&seed), z = random_number(&seed);
        cg_vec3 place = v3(12e-3 * (x - 0.5), 18e-3 * (y - 0.5), 3e-3 * (z - 0.5));
        bool is_in = count_crossings(&mesh, place, v3(0.31, 0.27, 0.911)) % 2 == 1;
        inside += is_in;
        wrong += cg_hollow_contains(&mesh, place) != is_in;
    }
    CHECK_INT(wrong, 0);
    CHECK(inside > 100);
}

// A hole that is a node which was there splits nothing; it is one while the needle is in it.
TEST(stabbed_at_a_node)
{
    rig r = {0};
    if (!make_rig(&r, true, 0, 0)) {
        return;
    }
    int node = -1;
    const cg_mesh *mesh = tissue_of(&r)->mesh;
    for (int i = 0; i < mesh->node_count && node < 0; i++) {
        cg_vec3 at = mesh->home[i];
        node = at.z > -1e-6 && fabs(at.x) < 2e-3 && fabs(at.y) < 2e-3 ? i : -1;
    }
    cg_transform pose = {v3(mesh->home[node].x - r.radius, mesh->home[node].y, 0.4e-3), {0, 0, 0, 1}};
    cg_rigid_set_state(r.world, r.needle, pose, v3_zero(), v3_zero());
    int nodes = mesh->node_count;
    for (int i = 0; i < 60; i++) {
        drive(&r, 40e-3);
        CHECK_INT(tissue_of(&r)->hole_count, look(&r).holes);
        CHECK_INT(tissue_of(&r)->pierced[node], look(&r).holes);
    }
    CHECK_INT(look(&r).holes, 1);
    CHECK_INT(mesh->node_count, nodes);
    for (int i = 0; i < 120; i++) {
        drive(&r, -40e-3);
    }
    CHECK_INT(tissue_of(&r)->hole_count + tissue_of(&r)->pierced[node], 0);
    cg_world_destroy(r.world);
}

// Random stabs, jerks and turns: sound after every step, all comes free, and all heals.
TEST(random_stabs)
{
    int stabs = test_counts(6, 2, 200), entries = 0, steps = 0;
    unsigned seed = 7;
    rig r = {0};
    if (!make_rig(&r, true, 0.3e-3, 1000)) {
        return;
    }
    cg_mesh *before = copy_mesh(&r);
    cg_piercing last = {0};
    for (int k = 0; k < stabs; k++) {
        for (int i = 0; i < 120; i++, steps++) {
            double noise = random_number(&seed) - 0.5, deep = i < 45 ? 0.25 : (i < 100 ? -0.28 : -0.1);
            cg_transform pose = cg_rigid_get_pose(r.world, r.needle);
            cg_vec3 velocity = v3(0.02 * noise, 0.02 * (0.5 - fabs(noise)), -(deep + 0.1 * noise));
            cg_rigid_set_state(r.world, r.needle, pose, velocity, v3(0, 0, 0));
            cg_world_step(r.world);
            check_mesh(&r);
            entries += look(&r).entries > last.entries;
            last = look(&r);
        }
        cg_rigid_set_state(r.world, r.needle,
                           (cg_transform){v3(0.3e-3 - r.radius + 1e-3 * (k % 5), 0.2e-3, 2e-3), {0, 0, 0, 1}},
                           v3_zero(), v3_zero());
        for (int i = 0; i < 60; i++, steps++) {
            drive(&r, 0);
        }
        last = look(&r);
        CHECK_INT(last.points + tissue_of(&r)->hole_count, 0);
    }
    CHECK_INT(tissue_of(&r)->mesh->node_count, before->node_count);
    CHECK_INT(tissue_of(&r)->mesh->link_count, before->link_count);
    CHECK(entries >= stabs / 2);
    CHECK((int)cg_world_get_stats(r.world).unfinished_steps <= steps / 100);
    cg_mesh_destroy(before);
    cg_world_destroy(r.world);
}

// State

static unsigned char *snapshot_of(const rig *r, size_t *size)
{
    *size = cg_world_snapshot_size(r->world);
    unsigned char *bytes = malloc(*size);
    CHECK_STR(cg_world_snapshot(r->world, bytes, *size).message, "");
    return bytes;
}

static bool restore_to(const rig *r, const rig *other)
{
    size_t size;
    unsigned char *bytes = snapshot_of(r, &size);
    bool is_well = CHECK_STR(cg_world_restore(other->world, bytes, size).message, "");
    free(bytes);
    return is_well;
}

static void destroy_two(rig two[2])
{
    cg_world_destroy(two[0].world);
    cg_world_destroy(two[1].world);
}

// From steps of a stab in and out, and of a handover and back.
TEST(restored_elsewhere)
{
    for (int straight = 0; straight < 2; straight++) {
        rig two[2] = {0};
        cg_thread_id thread;
        bool is_well = true;
        for (int k = 0; k < 2 && is_well; k++) {
            is_well = make_rig(&two[k], straight, 0.3e-3, 0) && (straight || add_thread(&two[k], &thread));
        }
        int every = test_counts(5, 20, 1);
        for (int i = 0; i < 520 && is_well; i++) {
            bool is_looked_at = i % every == 0;
            is_well = !is_looked_at || (restore_to(&two[0], &two[1]) && CHECK_HASH(cg_world_state_hash(two[1].world),
                                                                                   cg_world_state_hash(two[0].world)));
            drive(&two[0], i < 220 ? 100e-3 : -110e-3);
            if (is_looked_at) {
                drive(&two[1], i < 220 ? 100e-3 : -110e-3);
                is_well = is_well && CHECK_HASH(cg_world_state_hash(two[1].world), cg_world_state_hash(two[0].world));
            }
        }
        CHECK_INT(look(&two[0]).points + tissue_of(&two[0])->hole_count, 0);
        destroy_two(two);
    }
}

// Holes that no skin can have are refused before anything looks there.
TEST(forged)
{
    rig two[2] = {0};
    if (make_rig(&two[0], true, 0.3e-3, 0) && make_rig(&two[1], true, 0.3e-3, 0)) {
        for (int i = 0; i < 300 && look(&two[0]).holes < 2; i++) {
            drive(&two[0], 40e-3);
        }
        cg_tissue *skin = cg_world_find_tissue(two[0].world, two[0].skin);
        cg_skin_hole honest = skin->holes[0], *hole = &skin->holes[0];
        cg_channel channel = two[0].world->channels[0];
        uint64_t hash = cg_world_state_hash(two[1].world);
        for (int kind = 0; kind < 8; kind++) {
            *hole = honest;
            two[0].world->channels[0] = channel;
            switch (kind) {
            case 0:
                hole->patch.nodes[CG_PATCH_HOLE] = skin->mesh->node_count;
                break;
            case 1:
                hole->patch.nodes[CG_PATCH_HOLE] = -1;
                break;
            case 2:
                hole->patch.nodes[0] = skin->mesh->node_count;
                break;
            case 3:
                hole->patch.before[CG_PATCH_SIDE].rest = 0;
                break;
            case 4:
                hole->patch.before[CG_PATCH_OUTER].stiffness *= 2;
                break;
            case 5:
                hole->patch.masses[1] = -1;
                break;
            case 6:
                hole->patch.nodes[CG_PATCH_HOLE] = skin->holes[1].patch.nodes[CG_PATCH_HOLE];
                break;
            default:
                two[0].world->channels[0].points[0].triangle = -1;
                two[0].world->channels[0].points[0].cell = 0;
                break;
            }
            size_t size;
            unsigned char *bytes = snapshot_of(&two[0], &size);
            CHECK_INT(cg_world_restore(two[1].world, bytes, size).code, CG_BAD_INPUT);
            CHECK_HASH(cg_world_state_hash(two[1].world), hash);
            free(bytes);
        }
        *hole = honest;
        two[0].world->channels[0] = channel;
        CHECK(restore_to(&two[0], &two[1]));
    }
    destroy_two(two);
}
