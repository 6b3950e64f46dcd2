// Skins that are closed surfaces: how they are made, pierced and torn.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "harness.h"
#include "make_rig.h"
#include "tissue/tissue.h"

static cg_tissue_def skin_def(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.model = CG_TISSUE_SKIN;
    def.size = v3(0.030, 0.024, 0);
    def.layers[0].thickness = 0.004;
    def.spacing = 0.002;
    def.wound = CG_WOUND_ELLIPSE;
    def.wound_length = 0.016;
    def.wound_width = 0.004;
    def.wound_depth = 0.002;
    def.fix_bottom = false;
    def.fix_rim = true;
    def.max_nodes = 4000;
    return def;
}

static cg_tissue *make_skin(const cg_tissue_def *def)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(def, &allocator, &tissue).message, "");
    return tissue;
}

// Edges of triangles that are not those of exactly two.
static int count_open_edges(const cg_mesh *mesh)
{
    int count = 0;
    for (int link = 0; link < mesh->link_count; link++) {
        int a = mesh->links[link].ends[0], b = mesh->links[link].ends[1], triangles = 0;
        for (int at = mesh->first_triangle[a]; at >= 0; at = mesh->next_triangle[at]) {
            const int *n = mesh->triangles[at / 3].nodes;
            triangles += n[0] == b || n[1] == b || n[2] == b;
        }
        count += triangles != 2;
    }
    return count;
}

// 2 of a ball, two less for each hole through it.
static int euler_number(const cg_mesh *mesh)
{
    return mesh->node_count - mesh->link_count + mesh->triangle_count;
}

static double area_of_side(const cg_mesh *mesh, cg_mesh_side side)
{
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        cg_vec3 a = mesh->home[n[0]];
        double area = 0.5 * v3_length(v3_cross(v3_sub(mesh->home[n[1]], a), v3_sub(mesh->home[n[2]], a)));
        sum += mesh->triangles[t].side == side ? area : 0;
    }
    return sum;
}

TEST(a_pad_that_is_a_skin_is_its_surface_with_its_sides)
{
    cg_tissue_def def = skin_def();
    cg_mesh *skin = rig_make(&def);
    def.model = CG_TISSUE_LATTICE;
    cg_mesh *pad = rig_make(&def);
    CHECK_INT(skin->cell_count, 0);
    CHECK_INT(skin->triangle_count, pad->triangle_count);
    CHECK_INT(count_open_edges(skin), 0);
    CHECK_INT(euler_number(skin), 2);
    for (int side = CG_SIDE_TOP; side <= CG_SIDE_GROOVE; side++) {
        double area = area_of_side(pad, (cg_mesh_side)side);
        CHECK(area > 0);
        CHECK_NEAR(area_of_side(skin, (cg_mesh_side)side), area, 1e-12 * area);
    }
    // top and bottom together are as heavy as the layer, but for the wound
    double both = area_of_side(skin, CG_SIDE_TOP) + area_of_side(skin, CG_SIDE_BOTTOM), mass = 0;
    for (int t = 0; t < skin->triangle_count; t++) {
        mass += skin->triangles[t].side <= CG_SIDE_BOTTOM ? skin->triangles[t].mass : 0;
    }
    CHECK_NEAR(mass, 0.5 * def.layers[0].thickness * def.layers[0].material.density * both, 1e-12 * mass);
    cg_mesh_destroy(skin);
    cg_mesh_destroy(pad);
}

TEST(a_skin_at_rest_gapes_and_stands_still)
{
    cg_tissue_def def = skin_def();
    cg_tissue *skin = make_skin(&def);
    for (int k = 0; k < 1000; k++) {
        cg_tissue_step(skin, 1e-3, v3_zero());
    }
    double farthest = 0;
    for (int i = 0; i < skin->mesh->node_count; i++) {
        farthest = fmax(farthest, v3_distance(skin->mesh->position[i], skin->mesh->home[i]));
    }
    CHECK(farthest > 0.1e-3 && farthest < 2e-3); // lips draw back
    CHECK(skin->asleep);
    cg_tissue_destroy(skin);
}

TEST(a_skin_under_tension_of_a_pad_is_refused)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = skin_def();
    cg_mesh *mesh = NULL;
    def.tension = 0.1;
    CHECK_STR(cg_make_mesh(&def, &allocator, &mesh).message,
              "a pad that is a skin has no tension; pre_length says how it is stretched");
    def.tension = 0;
    def.pre_length = 0;
    CHECK_STR(cg_make_mesh(&def, &allocator, &mesh).message, "pre_length is 0; it must be 0.001 to 2");
}

// --- holes ---

// The triangle of a side whose middle is nearest to a place at home.
static int triangle_near(const cg_mesh *mesh, cg_vec3 place, cg_mesh_side side)
{
    int best = -1;
    double least = HUGE_VAL;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        cg_vec3 middle = v3_scale(1.0 / 3, v3_add(v3_add(mesh->home[n[0]], mesh->home[n[1]]), mesh->home[n[2]]));
        if (mesh->triangles[t].side == side && v3_distance(middle, place) < least) {
            least = v3_distance(middle, place);
            best = t;
        }
    }
    return best;
}

static int other_corner(const cg_mesh *mesh, int a, int b)
{
    for (int at = mesh->first_triangle[b]; at >= 0; at = mesh->next_triangle[at]) {
        const int *n = mesh->triangles[at / 3].nodes;
        if (n[(at % 3 + 1) % 3] == a) {
            return n[(at % 3 + 2) % 3];
        }
    }
    return -1;
}

TEST(a_hole_splits_the_skin_in_three_and_the_sides_by_the_mask_of_loop)
{
    cg_tissue_def def = skin_def();
    cg_tissue *skin = make_skin(&def);
    cg_mesh *mesh = skin->mesh;
    int t = triangle_near(mesh, v3(1e-3, -7e-3, 0), CG_SIDE_TOP), first = mesh->node_count;
    const int old[3] = {mesh->triangles[t].nodes[0], mesh->triangles[t].nodes[1], mesh->triangles[t].nodes[2]};
    cg_mesh_point point = {t, {0.2, 0.3, 0.5}};
    cg_vec3 hole = v3_zero(), expected[3];
    for (int k = 0; k < 3; k++) {
        hole = v3_add_scaled(hole, point.weights[k], mesh->home[old[k]]);
    }
    for (int k = 0; k < 3; k++) {
        int a = old[k], b = old[(k + 1) % 3], d = other_corner(mesh, a, b);
        expected[k] =
            v3_add(v3_scale(0.375, v3_add(mesh->home[a], mesh->home[b])), v3_scale(0.125, v3_add(hole, mesh->home[d])));
    }
    double mass = cg_mesh_total_mass(mesh);
    CHECK(cg_tissue_pierce_skin(skin, &point, false));
    int node = cg_tissue_node_of_point(skin, &point);
    CHECK_INT(node, first);
    CHECK_INT(mesh->node_count, first + 4);
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    CHECK_INT(count_open_edges(mesh), 0);
    CHECK_NEAR(cg_mesh_total_mass(mesh), mass, 1e-12 * mass);
    CHECK_NEAR(v3_distance(mesh->home[node], hole), 0, 1e-15);
    CHECK(skin->pierced[node]);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(v3_distance(mesh->home[first + 1 + k], expected[k]), 0, 1e-15);
    }
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *l = &mesh->links[link];
        if (l->ends[1] >= first) {
            double length = v3_distance(mesh->home[l->ends[0]], mesh->home[l->ends[1]]);
            CHECK_NEAR(l->rest, 0.9 * length, 1e-15);
            CHECK_NEAR(l->stiffness, skin->firmness * fmin(4, fmax(1, skin->longest / length)), 1e-9 * l->stiffness);
        }
    }
    // six triangles around the hole, and a second one there is the same hole
    int around = 0, count = mesh->node_count;
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        around++;
    }
    CHECK_INT(around, 6);
    CHECK(cg_tissue_pierce_skin(skin, &point, false));
    CHECK_INT(mesh->node_count, count);
    cg_tissue_destroy(skin);
}

TEST(a_full_skin_is_not_pierced)
{
    cg_tissue_def def = skin_def();
    def.max_nodes = 0;
    cg_mesh *counted = rig_make(&def);
    def.max_nodes = counted->node_count + 3;
    cg_mesh_destroy(counted);
    cg_tissue *skin = make_skin(&def);
    int count = skin->mesh->node_count;
    cg_mesh_point point = {triangle_near(skin->mesh, v3(1e-3, -7e-3, 0), CG_SIDE_TOP), {0.2, 0.3, 0.5}};
    CHECK(!cg_tissue_pierce_skin(skin, &point, false));
    CHECK_INT(skin->mesh->node_count, count);
    cg_tissue_destroy(skin);
}

// --- tears ---

static int pierce_at(cg_tissue *skin, cg_vec3 place, cg_mesh_side side)
{
    cg_mesh_point point = {triangle_near(skin->mesh, place, side), {0.3, 0.4, 0.3}};
    return cg_tissue_pierce_skin(skin, &point, false) ? cg_tissue_node_of_point(skin, &point) : -1;
}

static cg_skin_tear tear(cg_tissue *skin, cg_vec3 way, double advance, int nodes[2])
{
    const cg_vec3 *home = skin->mesh->home;
    cg_vec3 along = v3_unit_or(v3_sub(home[nodes[1]], home[nodes[0]]), v3_zero());
    cg_vec3 ahead = v3_unit_or(v3_add_scaled(way, -v3_dot(way, along), along), v3_zero());
    const cg_mesh_section section = {home[nodes[0]], along, ahead, advance};
    return cg_tissue_tear_skin(skin, &section, nodes);
}

static void check_skin(const cg_tissue *skin, double mass)
{
    CHECK_STR(cg_mesh_validate(skin->mesh).message, "");
    CHECK_INT(count_open_edges(skin->mesh), 0);
    CHECK_NEAR(cg_mesh_total_mass(skin->mesh), mass, 1e-12 * mass);
}

TEST(a_tear_through_a_skin_is_a_hole_through_it_with_walls)
{
    cg_tissue_def def = skin_def();
    cg_tissue *skin = make_skin(&def);
    double mass = cg_mesh_total_mass(skin->mesh), groove = area_of_side(skin->mesh, CG_SIDE_GROOVE);
    int nodes[2] = {pierce_at(skin, v3(0, -8e-3, 0), CG_SIDE_TOP),
                    pierce_at(skin, v3(0, -8e-3, -4e-3), CG_SIDE_BOTTOM)};
    int from[2] = {nodes[0], nodes[1]};
    CHECK_INT(tear(skin, v3(1, 0, 0), 3e-3, nodes), CG_SKIN_TORN);
    check_skin(skin, mass);
    CHECK_INT(euler_number(skin->mesh), 0);
    double gone = skin->mesh->home[nodes[0]].x - skin->mesh->home[from[0]].x;
    CHECK(gone >= 3e-3 - 1e-9 && gone < 5.5e-3);
    // two walls, as deep as the skin is thick
    CHECK_NEAR(area_of_side(skin->mesh, CG_SIDE_GROOVE) - groove, 2 * gone * 4e-3, 0.15 * 2 * gone * 4e-3);
    CHECK(skin->pierced[nodes[0]] && skin->pierced[nodes[1]] && !skin->pierced[from[0]]);
    // it goes on from there, and stays one hole
    CHECK_INT(tear(skin, v3(1, 0.2, 0), 3e-3, nodes), CG_SKIN_TORN);
    check_skin(skin, mass);
    CHECK_INT(euler_number(skin->mesh), 0);
    cg_tissue_destroy(skin);
}

// Walls of a slit across the lip at y < 0 that look to one side and to the other.
static void count_lips(const cg_mesh *mesh, int lips[2])
{
    lips[0] = lips[1] = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        cg_vec3 a = mesh->home[n[0]], b = mesh->home[n[1]], c = mesh->home[n[2]];
        cg_vec3 normal = v3_unit_or(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3_zero());
        bool is_in_lip = fmax(a.y, fmax(b.y, c.y)) < -1.5e-3 && fabs(a.x) < 2e-3;
        if (mesh->triangles[t].side == CG_SIDE_GROOVE && is_in_lip && fabs(normal.x) > 0.6) {
            lips[normal.x > 0]++;
        }
    }
}

TEST(a_tear_across_the_lip_leaves_two_lips)
{
    cg_tissue_def def = skin_def();
    def.wound_depth = def.layers[0].thickness;
    cg_tissue *skin = make_skin(&def);
    double mass = cg_mesh_total_mass(skin->mesh);
    int euler = euler_number(skin->mesh), steps = 0, lips[2];
    int nodes[2] = {pierce_at(skin, v3(0, -7e-3, 0), CG_SIDE_TOP),
                    pierce_at(skin, v3(0, -7e-3, -4e-3), CG_SIDE_BOTTOM)};
    cg_skin_tear outcome = CG_SKIN_TORN;
    CHECK_INT(euler, 0);
    for (; steps < 10 && outcome == CG_SKIN_TORN; steps++) {
        outcome = tear(skin, v3(0, 1, 0), 1.5e-3, nodes);
        check_skin(skin, mass);
        CHECK_INT(euler_number(skin->mesh), outcome == CG_SKIN_TORN ? euler - 2 : euler);
    }
    CHECK_INT(outcome, CG_SKIN_TORN_OUT);
    CHECK(steps >= 2);
    CHECK_INT(nodes[0], -1);
    count_lips(skin->mesh, lips);
    CHECK(lips[0] > 0 && lips[1] > 0);
    // and it opens
    for (int k = 0; k < 200; k++) {
        cg_tissue_step(skin, 1e-3, v3_zero());
    }
    check_skin(skin, mass);
    cg_tissue_destroy(skin);
}

TEST(an_open_skin_is_not_torn)
{
    static const cg_vec3 corners[4] = {{0, 0, 0}, {0.01, 0, 0}, {0.01, 0.01, 0}, {0, 0.01, 0}};
    static const int faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
    cg_tissue_def def = skin_def();
    def.shape = CG_TISSUE_MESH;
    def.nodes = corners;
    def.node_count = 4;
    def.triangles = faces;
    def.triangle_count = 2;
    cg_tissue *skin = make_skin(&def);
    int nodes[2] = {1, 3};
    CHECK_INT(tear(skin, v3(-1, 1, 0), 3e-3, nodes), CG_SKIN_HOLDS);
    CHECK_STR(cg_mesh_validate(skin->mesh).message, "");
    cg_tissue_destroy(skin);
}

// Tears at random, from holes at random: every skin is closed and keeps its mass after each.
TEST(random_tears_leave_skins_closed)
{
    uint64_t random = 7;
    int counts[3] = {0}, wanted = test_counts(150, 40, 3000);
    while (counts[CG_SKIN_TORN] + counts[CG_SKIN_TORN_OUT] + counts[CG_SKIN_HOLDS] < wanted) {
        cg_tissue_def def = skin_def();
        def.spacing = test_random(&random, 1.2e-3, 2.5e-3);
        def.wound_depth = test_random(&random, 0, 1) < 0.5 ? 4e-3 : 2.5e-3;
        cg_tissue *skin = make_skin(&def);
        double mass = cg_mesh_total_mass(skin->mesh);
        for (int bite = 0; bite < 4; bite++) {
            cg_vec3 at = v3(test_random(&random, -1e-2, 1e-2), test_random(&random, -9e-3, -4e-3), 0);
            bool is_through = test_random(&random, 0, 1) < 0.5;
            cg_vec3 low = is_through ? v3(at.x, at.y, -4e-3) : v3(0.3 * at.x, -2e-3, -1.5e-3);
            double angle = test_random(&random, 0, 6.28);
            int nodes[2] = {pierce_at(skin, at, CG_SIDE_TOP),
                            pierce_at(skin, low, is_through ? CG_SIDE_BOTTOM : CG_SIDE_GROOVE)};
            cg_skin_tear outcome = CG_SKIN_TORN;
            for (int k = 0; k < 6 && outcome == CG_SKIN_TORN && nodes[0] >= 0 && nodes[1] >= 0; k++) {
                angle += test_random(&random, -0.3, 0.3);
                outcome = tear(skin, v3(cos(angle), sin(angle), 0.2), skin->grain, nodes);
                counts[outcome]++;
                check_skin(skin, mass);
            }
        }
        cg_tissue_destroy(skin);
    }
    printf("%d torn, %d torn out, %d held\n", counts[CG_SKIN_TORN], counts[CG_SKIN_TORN_OUT], counts[CG_SKIN_HOLDS]);
    CHECK(counts[CG_SKIN_TORN] > wanted / 3);
    CHECK(counts[CG_SKIN_TORN_OUT] > wanted / 20);
}
