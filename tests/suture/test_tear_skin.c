// Bites in a skin: the surface of a pad alone, with a wound, and a thread through it.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/mesh.h"
#include "harness.h"
#include "suture/anchor_point.h"
#include "suture/tear.h"
#include "tear_rig.h"
#include "world/world.h"

enum { MOST_POINTS = 400 };
static const double SPACING = 0.5e-3, TAIL = 20e-3, THICK = 4e-3, LIP = -2e-3;
static const double THRESHOLD = 10; // [N]

// A thread from the top of the skin to its bottom or into the lip, both ends drawn over the lip.
typedef struct rig {
    cg_world *world;
    cg_tissue_id skin;
    cg_thread_id thread;
    cg_vec3 holes[2];
    double drawn; // [m]
} rig;

static cg_tissue_def skin_of(double spacing)
{
    cg_tissue_def skin = cg_tissue_def_default();
    skin.model = CG_TISSUE_SKIN;
    skin.size = v3(30e-3, 24e-3, 0);
    skin.layers[0].thickness = THICK;
    skin.layers[0].material.young = 5e6;
    skin.spacing = spacing;
    skin.wound = CG_WOUND_ELLIPSE;
    skin.wound_length = 18e-3;
    skin.wound_width = -2 * LIP;
    skin.wound_depth = THICK;
    skin.fix_bottom = false;
    skin.fix_rim = true;
    skin.max_nodes = 4000;
    skin.tear_force = THRESHOLD;
    return skin;
}

static cg_vec3 end_of(const rig *r, int end)
{
    bool is_below = r->holes[end].z <= -THICK;
    return v3_add_scaled(r->holes[end], TAIL + r->drawn, v3(0, 0.8, is_below ? -0.6 : 0.6));
}

static void hold_ends(rig *r)
{
    for (int end = 0; end < 2; end++) {
        cg_end_hold hold = {.kind = CG_END_PINNED, .position = end_of(r, end)};
        CHECK_INT(cg_thread_set_end(r->world, r->thread, end == 0 ? CG_START : CG_FINISH, &hold).code, CG_OK);
    }
}

// A thread through two holes of the skin of a rig that has its world and skin.
static bool add_thread(rig *r)
{
    cg_vec3 points[MOST_POINTS];
    const cg_vec3 corners[4] = {end_of(r, 0), r->holes[0], r->holes[1], end_of(r, 1)};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = rig_lay_points(corners, 4, SPACING, points);
    thread.positions = points;
    thread.radius = 0.2e-3;
    thread.drag = 100;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.points = r->holes;
    stitch.point_count = 2;
    if (!CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "")) {
        return false;
    }
    stitch.thread = r->thread;
    stitch.tissue = r->skin;
    hold_ends(r);
    return CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
}

static bool make_rig_at(rig *r, const cg_tissue_def *skin, const cg_vec3 holes[2])
{
    cg_world_def world = cg_world_def_default();
    *r = (rig){.holes = {holes[0], holes[1]}};
    world.gravity = v3_zero();
    return CHECK_STR(cg_world_create(&world, &r->world).message, "") &&
           CHECK_STR(cg_world_add_tissue(r->world, skin, &r->skin).message, "") && add_thread(r);
}

static bool make_rig(rig *r, const cg_tissue_def *skin, double bite)
{
    const cg_vec3 holes[2] = {v3(0.1e-3, LIP - bite, 0), v3(0.1e-3, LIP - bite, -THICK)};
    return make_rig_at(r, skin, holes);
}

static void step(rig *r)
{
    r->drawn += 30e-6; // 30 mm/s
    hold_ends(r);
    cg_world_step(r->world);
}

static const cg_mesh *mesh_of(const rig *r)
{
    return cg_world_find_tissue(r->world, r->skin)->mesh;
}

static int count_holes(const rig *r)
{
    const cg_tissue *skin = cg_world_find_tissue(r->world, r->skin);
    int count = 0;
    for (int i = 0; i < skin->mesh->node_count; i++) {
        count += skin->pierced[i];
    }
    return count;
}

TEST(a_stitch_pierces_a_skin_and_is_held_by_its_nodes)
{
    rig r;
    cg_tissue_def def = skin_of(2e-3);
    if (!make_rig(&r, &def, 4e-3)) {
        return;
    }
    const cg_tissue *skin = cg_world_find_tissue(r.world, r.skin);
    CHECK_STR(cg_mesh_validate(skin->mesh).message, "");
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    for (int k = 0; k < 2; k++) {
        cg_anchor a = {0};
        CHECK(cg_world_get_anchor(r.world, k, &a));
        const cg_mesh_point point = {a.triangle, {a.weights[0], a.weights[1], a.weights[2]}};
        int node = cg_tissue_node_of_point(skin, &point);
        CHECK(node >= 0 && skin->pierced[node]);
        CHECK(v3_distance(a.position, r.holes[k]) < 0.3e-3);
        CHECK(a.offset < 1e-9);
    }
    // drawn gently it is held: the force of the thread on the skin is what both ends pull with
    for (int k = 0; k < 60; k++) {
        step(&r);
    }
    for (int k = 0; k < 300; k++) {
        cg_world_step(r.world);
    }
    cg_anchor a = {0}, b = {0};
    CHECK(cg_world_get_anchor(r.world, 0, &a) && cg_world_get_anchor(r.world, 1, &b));
    int count;
    const cg_vec3 *x = cg_thread_positions(r.world, r.thread, &count);
    cg_vec3 pull = v3_add(a.force, b.force);
    cg_vec3 up = v3_unit_or(v3_sub(x[a.vertex - 1], x[a.vertex]), v3_zero());
    cg_vec3 down = v3_unit_or(v3_sub(x[b.vertex + 1], x[b.vertex]), v3_zero());
    cg_vec3 ends = v3_add(v3_scale(a.tension[0], up), v3_scale(b.tension[1], down));
    CHECK(pull.y > 0.3 && v3_length(pull) < THRESHOLD);
    CHECK_NEAR(v3_distance(ends, pull), 0, 0.01 * v3_length(pull));
    CHECK(a.offset < 0.05e-3 && b.offset < 0.05e-3);
    cg_world_destroy(r.world);
}

TEST(a_bite_in_a_skin_tears_step_by_step_and_comes_free)
{
    rig r;
    cg_tissue_def def = skin_of(1.2e-3);
    if (!make_rig(&r, &def, 5e-3)) {
        return;
    }
    double mass = cg_mesh_total_mass(mesh_of(&r)), most = 0;
    int begun = 0;
    bool is_through = false;
    long before = test_allocations();
    for (int k = 0; k < 1500 && !is_through; k++) {
        const cg_tissue_tear *tears;
        int nodes = mesh_of(&r)->node_count;
        step(&r);
        int count = cg_world_tears(r.world, &tears);
        if (count > 0 && tears[0].is_first) {
            begun++;
            most = fmax(most, v3_length(tears[0].pull));
            CHECK(tears[0].length > 0 && mesh_of(&r)->node_count > nodes);
        }
        is_through = count > 0 && tears[0].is_through;
        if (nodes != mesh_of(&r)->node_count) {
            CHECK_STR(cg_mesh_validate(mesh_of(&r)).message, "");
            CHECK_NEAR(cg_mesh_total_mass(mesh_of(&r)), mass, 1e-9 * mass);
        }
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK(is_through && begun >= 2);
    CHECK_NEAR(most, THRESHOLD, 0.1 * THRESHOLD);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    CHECK_NEAR(cg_tissue_get_summary(r.world, r.skin).torn_length, 5e-3, 1e-3);
    for (int k = 0; k < 200; k++) {
        step(&r);
    }
    CHECK_INT(cg_world_get_stats(r.world).recovered_steps, 0);
    cg_world_destroy(r.world);
}

TEST(a_skin_that_tears_is_restored_and_goes_on_to_the_bit)
{
    rig r, other;
    cg_tissue_def def = skin_of(1.5e-3);
    if (!make_rig(&r, &def, 5e-3) || !make_rig(&other, &def, 5e-3)) {
        return;
    }
    int count = 0;
    for (int k = 0; k < 800 && count == 0; k++) {
        const cg_tissue_tear *tears;
        step(&r);
        count = cg_world_tears(r.world, &tears);
    }
    CHECK_INT(count, 1);
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(other.world, bytes, size).message, "");
    other.drawn = r.drawn;
    int differ = 0;
    for (int k = 0; k < 200; k++) {
        step(&r);
        step(&other);
        differ += cg_world_state_hash(r.world) != cg_world_state_hash(other.world);
    }
    CHECK_INT(differ, 0);
    CHECK(cg_tissue_get_summary(other.world, other.skin).torn_length > 2e-3);
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
}

// Each is in triangles that the tear of the other splits.
TEST(two_bites_in_one_skin_both_come_free)
{
    static const double apart[] = {0.9e-3, 2.4e-3};
    for (int k = 0; k < 2; k++) {
        rig r;
        cg_tissue_def def = skin_of(1.2e-3);
        if (!make_rig(&r, &def, 5e-3)) {
            return;
        }
        rig other = {.world = r.world, .skin = r.skin, .holes = {r.holes[0], r.holes[1]}};
        other.holes[0].x = other.holes[1].x = r.holes[0].x + apart[k];
        if (!add_thread(&other)) {
            return;
        }
        int holes = count_holes(&r);
        for (int i = 0; i < 1800 && cg_world_anchor_count(r.world) > 0; i++) {
            other.drawn = r.drawn;
            hold_ends(&other);
            step(&r);
            CHECK(count_holes(&r) <= holes);
        }
        CHECK_INT(cg_world_anchor_count(r.world), 0);
        CHECK_STR(cg_mesh_validate(mesh_of(&r)).message, "");
        cg_world_destroy(r.world);
    }
}

TEST(a_stitch_through_a_skin_leaves_its_thread_without_strain)
{
    rig r;
    cg_tissue_def def = skin_of(2e-3);
    if (!make_rig(&r, &def, 4e-3)) {
        return;
    }
    const cg_thread *thread = cg_world_find_thread(r.world, r.thread);
    for (int i = 0; i < thread->segment_count; i++) {
        double length = v3_distance(thread->shape.position[i], thread->shape.position[i + 1]);
        CHECK_NEAR(length, thread->rest_length[i], 1e-6 * length);
        CHECK_NEAR(length, thread->shape.length[i], 1e-12 * length);
    }
    cg_world_destroy(r.world);
}

TEST(a_bite_in_a_skin_bears_less_the_nearer_it_is_to_the_edge)
{
    static const double away[] = {3e-3, 1e-3, 0.3e-3, 0.1e-3, 0.03e-3, 0.01e-3};
    rig r;
    cg_tissue_def def = skin_of(1.2e-3);
    def.tear_force = 0;
    def.layers[0].material.tear_resistance = 1000;
    if (!make_rig(&r, &def, 5e-3)) {
        return;
    }
    const cg_tissue *skin = cg_world_find_tissue(r.world, r.skin);
    cg_pulled_bite bite = {.way = v3(0, 1, 0)};
    double before = HUGE_VAL, lip = 0;
    for (int k = 0; k < 6; k++) {
        double y = k == 0 ? LIP - away[0] : lip - away[k];
        bite.home = (cg_span){{v3(0.1e-3, y, -0.5e-3), v3(0.1e-3, y, -3.5e-3)}};
        cg_tear_ahead ahead = cg_tear_look_ahead(skin, &bite);
        lip = k == 0 ? y + ahead.farthest : lip;
        CHECK_NEAR(ahead.farthest, lip - y, 1e-9);
        CHECK(ahead.force < before);
        before = ahead.force;
    }
    cg_world_destroy(r.world);
}

static void check_torn_into_lip(double away, double deep)
{
    rig r;
    cg_tissue_def def = skin_of(1.2e-3);
    const cg_vec3 holes[2] = {v3(0.1e-3, LIP - away, 0), v3(0.1e-3, LIP, -deep)};
    if (!make_rig_at(&r, &def, holes)) {
        return;
    }
    for (int k = 0; k < 1500 && cg_world_anchor_count(r.world) > 0; k++) {
        step(&r);
    }
    cg_tissue_summary torn = cg_tissue_get_summary(r.world, r.skin);
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    // the triangle between both holes and the edge, which the span sweeps
    CHECK_NEAR(torn.torn_area, 0.5 * away * deep, 0.15 * 0.5 * away * deep);
    cg_world_destroy(r.world);
}

TEST(a_bite_into_the_lip_of_a_skin_tears_what_is_between_it_and_the_edge)
{
    check_torn_into_lip(4e-3, 2e-3);
    check_torn_into_lip(5e-3, 2.5e-3);
    check_torn_into_lip(7e-3, 2.5e-3);
}

static cg_thread_anchor *anchor_of(const rig *r, int k)
{
    return &cg_world_find_thread(r->world, r->thread)->slide->anchors[k];
}

static int node_of_anchor(const rig *r, int k)
{
    const cg_mesh_point point = cg_anchor_point(anchor_of(r, k));
    return cg_tissue_node_of_point(cg_world_find_tissue(r->world, r->skin), &point);
}

static void check_comes_free(rig *r)
{
    for (int k = 0; k < 1500 && cg_world_anchor_count(r->world) > 0; k++) {
        step(r);
    }
    CHECK_INT(cg_world_anchor_count(r->world), 0);
    CHECK_NEAR(cg_tissue_get_summary(r->world, r->skin).torn_length, 5e-3, 1.2e-3);
}

// As where a skin had no room when it was stitched, and has it now.
TEST(a_bite_whose_holes_are_no_nodes_makes_them_nodes_and_tears)
{
    rig r;
    cg_tissue_def def = skin_of(1.2e-3);
    if (!make_rig(&r, &def, 5e-3)) {
        return;
    }
    int holes = count_holes(&r);
    for (int k = 0; k < 2; k++) {
        const cg_mesh_point off = {anchor_of(&r, k)->triangle, {0.4, 0.3, 0.3}};
        cg_anchor_move(anchor_of(&r, k), &off);
    }
    for (int k = 0; k < 1500 && cg_world_anchor_count(r.world) > 0; k++) {
        step(&r);
        CHECK(count_holes(&r) <= holes + 2);
    }
    CHECK_INT(cg_world_anchor_count(r.world), 0);
    cg_world_destroy(r.world);
}

TEST(a_hole_in_a_skin_stays_where_it_is_when_the_mesh_beside_it_is_split)
{
    rig r;
    cg_tissue_def def = skin_of(1.2e-3);
    if (!make_rig(&r, &def, 5e-3)) {
        return;
    }
    for (int k = 0; k < 30; k++) {
        step(&r); // under load its thread is beside the hole
    }
    CHECK_INT(cg_world_anchor_count(r.world), 2);
    for (int k = 0; k < 2; k++) {
        int node = node_of_anchor(&r, k);
        cg_mesh_point beside = {anchor_of(&r, k)->triangle, {0.3, 0.4, 0.3}};
        CHECK(cg_tissue_pierce_skin(cg_world_find_tissue(r.world, r.skin), &beside, false));
        CHECK(node >= 0);
        CHECK_INT(node_of_anchor(&r, k), node);
    }
    check_comes_free(&r);
    cg_world_destroy(r.world);
}
