// The other ways to move and the other models, beside the default step or a closed form; and what tries to break them.
#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "harness.h"
#include "tissue/make.h"
#include "tissue/tissue.h"

static cg_tissue *make_tissue(const cg_tissue_def *def)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(def, &allocator, &tissue).message, "");
    return tissue;
}

static cg_tissue_def small_pad(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(12e-3, 10e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.layers[0].material.young = 20e3;
    return def;
}

// The node nearest to a place at home.
static int node_at(const cg_tissue *tissue, cg_vec3 place)
{
    int best = 0;
    for (int i = 1; i < tissue->mesh->node_count; i++) {
        double distance = v3_distance(tissue->mesh->home[i], place);
        best = distance < v3_distance(tissue->mesh->home[best], place) ? i : best;
    }
    return best;
}

static double furthest_apart(const cg_tissue *a, const cg_tissue *b)
{
    double furthest = 0;
    for (int i = 0; i < a->mesh->node_count; i++) {
        furthest = fmax(furthest, v3_distance(a->mesh->position[i], b->mesh->position[i]));
    }
    return furthest;
}

TEST(all_ways_to_move_come_to_the_same_rest)
{
    cg_tissue *made[3];
    static const int iterations[3] = {20, 20, 40};
    cg_vec3 gravity = v3(0, 0, -9.81);
    for (int solver = 0; solver < 3; solver++) {
        cg_tissue_def def = small_pad();
        def.solver = (cg_tissue_solver)solver;
        def.iterations = iterations[solver];
        def.damping = 1e-3;
        def.drag = 100;
        made[solver] = make_tissue(&def);
        made[solver]->cutout = 0;
        int node = node_at(made[solver], v3_zero());
        for (int step = 0; step < 400; step++) {
            cg_tissue_push_node(made[solver], node, v3(5e-3, 0, 5e-3));
            cg_tissue_step(made[solver], 1e-3, gravity);
        }
        CHECK(v3_distance(made[solver]->mesh->position[node], made[solver]->mesh->home[node]) > 1e-4);
        CHECK_INT(made[solver]->stats.recovered_steps, 0);
    }
    CHECK_NEAR(furthest_apart(made[0], made[1]), 0, 1e-9);
    CHECK_NEAR(furthest_apart(made[0], made[2]), 0, 1e-9);
    // Reactions are of the same rest.
    for (int i = 0; i < made[0]->mesh->node_count; i++) {
        CHECK_NEAR(v3_distance(made[0]->reaction[i], made[1]->reaction[i]), 0, 1e-8);
        CHECK_NEAR(v3_distance(made[0]->reaction[i], made[2]->reaction[i]), 0, 1e-8);
    }
    for (int solver = 0; solver < 3; solver++) {
        cg_tissue_destroy(made[solver]);
    }
}

TEST(runge_kutta_keeps_the_energy)
{
    cg_tissue_def def = small_pad();
    def.solver = CG_TISSUE_RUNGE_KUTTA;
    def.damping = def.drag = 0;
    def.fix_bottom = false;
    def.iterations = 60;
    cg_tissue *pad = make_tissue(&def);
    for (int i = 0; i < pad->mesh->node_count; i++) {
        pad->mesh->position[i] = v3_scale(1.03, pad->mesh->home[i]);
    }
    double before = cg_tissue_elastic_energy(pad), largest = 0;
    for (int step = 0; step < 100; step++) {
        cg_tissue_step(pad, 1e-3, v3_zero());
        double now = cg_tissue_elastic_energy(pad) + cg_tissue_kinetic_energy(pad);
        largest = fmax(largest, fabs(now / before - 1));
    }
    CHECK(cg_tissue_kinetic_energy(pad) > 0.01 * before);
    CHECK_NEAR(largest, 0, 1e-4);
    cg_tissue_destroy(pad);
}

// However few iterations, and at any step, a tissue that nothing pushes never gains energy.
TEST(the_default_step_never_gains_energy)
{
    for (int iterations = 1; iterations <= 9; iterations += 4) {
        for (int k = 0; k < 3; k++) {
            static const double steps[3] = {0.2e-3, 1e-3, 5e-3};
            cg_tissue_def def = small_pad();
            def.damping = def.drag = 0;
            def.fix_bottom = false;
            def.iterations = iterations;
            cg_tissue *pad = make_tissue(&def);
            for (int i = 0; i < pad->mesh->node_count; i++) {
                cg_vec3 p = pad->mesh->home[i];
                pad->mesh->position[i] = v3(1.02 * p.x, p.y + 0.02 * p.z, 0.99 * p.z);
            }
            double before = cg_tissue_elastic_energy(pad);
            for (int step = 0; step < 60; step++) {
                cg_tissue_step(pad, steps[k], v3_zero());
                double now = cg_tissue_elastic_energy(pad) + cg_tissue_kinetic_energy(pad);
                CHECK(now <= before * (1 + 1e-3)); // springs are not quite linear
                before = now;
            }
            cg_tissue_destroy(pad);
        }
    }
}

// A free body falls as it should, whatever its stiffness.
TEST(a_free_body_falls)
{
    cg_tissue_def def = small_pad();
    def.fix_bottom = false;
    def.drag = 0;
    cg_tissue *pad = make_tissue(&def);
    for (int step = 0; step < 100; step++) {
        cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
    }
    // implicit Euler: the sum of v h = g h^2 (1 + 2 + ... + n)
    double expected = -9.81 * 1e-6 * 100 * 101 / 2;
    for (int i = 0; i < pad->mesh->node_count; i++) {
        CHECK_NEAR(pad->mesh->position[i].z - pad->mesh->home[i].z, expected, 1e-4 * fabs(expected));
    }
    cg_tissue_destroy(pad);
}

// Pressed together by a tenth, with its sides free, a block gives way sideways: at Poisson's ratio 1/4 by about half of
// what would keep its volume; with a firm pressure inside by nearly all of it.
TEST(a_block_with_pressure_inside_keeps_its_volume)
{
    double lost[2];
    for (int firm = 0; firm < 2; firm++) {
        cg_tissue_def def = small_pad();
        def.pressure = firm ? 1e6 : 0;
        def.iterations = 60;
        cg_tissue *pad = make_tissue(&def);
        cg_mesh *mesh = pad->mesh;
        for (int i = 0; i < mesh->node_count; i++) {
            if (mesh->home[i].z > -1e-9) {
                cg_tissue_fix_node(pad, i, true);
                cg_tissue_aim_node(pad, i, v3_add(mesh->home[i], v3(0, 0, -0.4e-3)));
            }
        }
        for (int step = 0; step < 500; step++) {
            cg_tissue_step(pad, 1e-3, v3_zero());
        }
        lost[firm] = 1 - cg_surface_volume(mesh, mesh->position) / cg_surface_volume(mesh, mesh->home);
        CHECK_NEAR(mesh->position[mesh->node_count - 1].z, mesh->home[mesh->node_count - 1].z - 0.4e-3, 1e-12);
        cg_tissue_destroy(pad);
    }
    CHECK(lost[0] > 0.04 && lost[0] < 0.1);
    CHECK(lost[1] > 0 && lost[1] < 0.1 * lost[0]);
}

TEST(every_way_to_move_bears_pressure)
{
    for (int solver = CG_TISSUE_IMPLICIT; solver <= CG_TISSUE_RUNGE_KUTTA; solver++) {
        cg_tissue_def def = small_pad();
        def.solver = (cg_tissue_solver)solver;
        def.pressure = 1e4;
        cg_tissue *pad = make_tissue(&def);
        for (int step = 0; step < 50; step++) {
            cg_tissue_step(pad, 1e-4, v3(0, 0, -9.81));
        }
        for (int i = 0; i < pad->mesh->node_count; i++) {
            CHECK(v3_is_finite(pad->mesh->position[i]) && v3_is_finite(pad->velocity[i]));
        }
        CHECK_INT(pad->stats.recovered_steps, 0);
        cg_tissue_destroy(pad);
    }
}

// Sides of a quad of 1 : 2.9 / 3 and more: no link is without stiffness, and the strip falls.
TEST(narrow_grids_move)
{
    static const double sizes[3][2] = {{2.9e-3, 3e-3}, {1e-3, 40e-3}, {40e-3, 0.9e-3}};
    for (int k = 0; k < 3; k++) {
        cg_tissue_def def = cg_tissue_def_default();
        def.shape = CG_TISSUE_GRID;
        def.model = CG_TISSUE_SHEET;
        def.size = v3(sizes[k][0], sizes[k][1], 0);
        def.layers[0].thickness = 0.5e-3;
        def.fix_rim = false;
        cg_tissue *strip = make_tissue(&def);
        if (strip == NULL) {
            continue;
        }
        CHECK_STR(cg_mesh_validate(strip->mesh).message, "");
        for (int link = 0; link < strip->mesh->link_count; link++) {
            CHECK(strip->mesh->links[link].stiffness > 0);
        }
        for (int step = 0; step < 20; step++) {
            cg_tissue_step(strip, 1e-3, v3(0, 0, -9.81));
        }
        CHECK_INT(strip->stats.recovered_steps, 0);
        for (int i = 0; i < strip->mesh->node_count; i++) {
            CHECK(strip->mesh->position[i].z < -1e-3);
        }
        cg_tissue_destroy(strip);
    }
}

// A flat sheet has no stiffness across itself until it sags: the sweeps must find the way there all the same.
TEST(a_flat_sheet_sags_alike_by_sweeps)
{
    double deepest[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        cg_tissue_def def = cg_tissue_def_default();
        def.shape = CG_TISSUE_GRID;
        def.model = CG_TISSUE_SHEET;
        def.solver = k == 0 ? CG_TISSUE_IMPLICIT : CG_TISSUE_QUASI_STATIC;
        def.size = v3(0.06, 0.06, 0);
        def.fix_rim = true;
        cg_tissue *sheet = make_tissue(&def);
        for (int step = 0; step < 600; step++) {
            cg_tissue_step(sheet, 1e-3, v3(0, 0, -9.81));
        }
        CHECK_INT(sheet->stats.recovered_steps, 0);
        for (int i = 0; i < sheet->mesh->node_count; i++) {
            deepest[k] = fmin(deepest[k], sheet->mesh->position[i].z);
        }
        cg_tissue_destroy(sheet);
    }
    CHECK(deepest[0] < -0.5e-3);
    CHECK_NEAR(deepest[1], deepest[0], 0.02 * fabs(deepest[0]));
}

static cg_tissue *make_skin(double home, double most_stretch)
{
    enum { SIDE = 9 };
    static cg_vec3 nodes[SIDE * SIDE];
    static int triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    int count = 0;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            nodes[j * SIDE + i] = v3(2e-3 * (i - SIDE / 2), 2e-3 * (j - SIDE / 2), 0);
            if (i + 1 < SIDE && j + 1 < SIDE) {
                int a = j * SIDE + i;
                const int two[2][3] = {{a, a + 1, a + SIDE + 1}, {a, a + SIDE + 1, a + SIDE}};
                for (int k = 0; k < 6; k++) {
                    triangles[count + k / 3][k % 3] = two[k / 3][k % 3];
                }
                count += 2;
            }
        }
    }
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_MESH;
    def.model = CG_TISSUE_SKIN;
    def.nodes = nodes;
    def.node_count = SIDE * SIDE;
    def.triangles = (const int(*)[3])triangles;
    def.triangle_count = count;
    def.layers[0].thickness = 2e-3;
    def.home = home;
    def.most_stretch = most_stretch;
    return make_tissue(&def);
}

TEST(skin_is_under_tension_and_goes_home)
{
    cg_tissue *skin = make_skin(0.5, 0);
    const cg_mesh_link *link = &skin->mesh->links[0];
    CHECK_NEAR(link->rest, 0.8 * v3_distance(skin->mesh->home[link->ends[0]], skin->mesh->home[link->ends[1]]), 1e-15);
    for (int step = 0; step < 3000 && !skin->asleep; step++) {
        cg_tissue_step(skin, 1e-3, v3_zero());
    }
    CHECK(skin->asleep);
    cg_vec3 rest[100];
    int middle = node_at(skin, v3_zero());
    for (int i = 0; i < skin->mesh->node_count; i++) {
        rest[i] = skin->mesh->position[i];
    }
    // The tension draws the border inwards; the middle stays.
    CHECK(fabs(rest[0].x) < fabs(skin->mesh->home[0].x) - 1e-5);
    CHECK_NEAR(v3_distance(rest[middle], skin->mesh->home[middle]), 0, 1e-6);
    for (int step = 0; step < 100; step++) {
        cg_tissue_push_node(skin, middle, v3(0, 0, 1));
        cg_tissue_step(skin, 1e-3, v3_zero());
    }
    CHECK(skin->mesh->position[middle].z > 0.3e-3);
    for (int step = 0; step < 5000 && !skin->asleep; step++) {
        cg_tissue_step(skin, 1e-3, v3_zero());
    }
    for (int i = 0; i < skin->mesh->node_count; i++) {
        CHECK_NEAR(v3_distance(skin->mesh->position[i], rest[i]), 0, 1e-9);
    }
    cg_tissue_destroy(skin);
}

static double longest_link(const cg_tissue *tissue)
{
    double longest = 0;
    for (int k = 0; k < tissue->mesh->link_count; k++) {
        const cg_mesh_link *link = &tissue->mesh->links[k];
        const cg_vec3 *x = tissue->mesh->position;
        longest = fmax(longest, v3_distance(x[link->ends[0]], x[link->ends[1]]) / link->rest);
    }
    return longest;
}

TEST(links_of_skin_are_not_stretched_beyond_their_most)
{
    double longest[2];
    for (int limited = 0; limited < 2; limited++) {
        cg_tissue *skin = make_skin(0.1, limited ? 1.6 : 0);
        int middle = node_at(skin, v3_zero());
        for (int step = 0; step < 300; step++) {
            cg_tissue_push_node(skin, middle, v3(0, 0, 6));
            cg_tissue_step(skin, 1e-3, v3_zero());
        }
        longest[limited] = longest_link(skin);
        CHECK((skin->stats.limited_links > 0) == limited);
        cg_tissue_destroy(skin);
    }
    CHECK(longest[0] > 2.2);
    CHECK(longest[1] < 1.75);
}

// A pierced node that is drawn out of the skin takes more of it along: the tip is blunter.
TEST(torsion_springs_blunt_the_tip_of_a_pierced_node)
{
    double step_down[2];
    for (int pierced = 0; pierced < 2; pierced++) {
        cg_tissue *skin = make_skin(0.3, 0);
        int middle = node_at(skin, v3_zero()), next = node_at(skin, v3(2e-3, 0, 0));
        cg_tissue_pierce_node(skin, middle, pierced);
        for (int step = 0; step < 400; step++) {
            cg_tissue_push_node(skin, middle, v3(0, 0, 0.3));
            cg_tissue_step(skin, 1e-3, v3_zero());
        }
        step_down[pierced] = skin->mesh->position[next].z / skin->mesh->position[middle].z;
        cg_tissue_destroy(skin);
    }
    CHECK(step_down[1] > 1.3 * step_down[0]);
}

TEST(the_local_compliance_is_on_the_soft_side)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.iterations = 300;
    cg_tissue *pad = make_tissue(&def);
    cg_mesh_point point = {.triangle = 0, .weights = {1.0 / 3, 1.0 / 3, 1.0 / 3}};
    double least = 1;
    for (int t = 0; t < pad->mesh->triangle_count; t++) {
        cg_vec3 middle = pad->mesh->home[pad->mesh->triangles[t].nodes[0]];
        if (v3_length(middle) < least) {
            least = v3_length(middle);
            point.triangle = t;
        }
    }
    cg_mat3 estimate = cg_tissue_point_compliance(pad, &point, 1e-3);
    double force = 1e-6;
    cg_vec3 before = cg_tissue_point_place(pad, &point);
    cg_tissue_push_point(pad, &point, v3(0, 0, force));
    cg_tissue_step(pad, 1e-3, v3_zero());
    double exact = (cg_tissue_point_place(pad, &point).z - before.z) / force;
    CHECK(estimate.m[2][2] >= exact);
    CHECK(estimate.m[2][2] <= 3 * exact);
    CHECK(estimate.m[0][1] == estimate.m[1][0] && estimate.m[0][2] == estimate.m[2][0]);
    cg_tissue_destroy(pad);
}

TEST(huge_forces_are_survived)
{
    for (int solver = 0; solver < 3; solver++) {
        cg_tissue_def def = small_pad();
        def.solver = (cg_tissue_solver)solver;
        cg_tissue *pad = make_tissue(&def);
        for (int size = 0; size < 4; size++) {
            static const double forces[4] = {1e3, 1e20, 1e150, 1e300};
            for (int step = 0; step < 20; step++) {
                int node = (step * 37) % pad->mesh->node_count;
                cg_tissue_push_node(pad, node, v3(forces[size], -forces[size], forces[size]));
                cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
            }
            for (int i = 0; i < pad->mesh->node_count; i++) {
                CHECK(v3_is_finite(pad->mesh->position[i]) && v3_is_finite(pad->velocity[i]));
            }
        }
        cg_tissue_destroy(pad);
    }
}

TEST(odd_tissues_are_survived)
{
    // All nodes fixed.
    cg_tissue_def def = small_pad();
    cg_tissue *pad = make_tissue(&def);
    for (int i = 0; i < pad->mesh->node_count; i++) {
        cg_tissue_fix_node(pad, i, true);
    }
    cg_tissue_aim_node(pad, 3, v3_add(pad->mesh->position[3], v3(1e-4, 0, 0)));
    for (int step = 0; step < 10; step++) {
        cg_tissue_push_node(pad, 5, v3(1, 0, 0));
        cg_tissue_step(pad, 1e-3, v3(0, 0, -9.81));
    }
    CHECK_NEAR(pad->mesh->position[3].x - pad->mesh->home[3].x, 1e-4, 1e-15);
    CHECK_INT(pad->stats.recovered_steps, 0);
    cg_tissue_destroy(pad);
    // All nodes in one place: links without length have no direction; nothing may break.
    pad = make_tissue(&def);
    for (int i = 0; i < pad->mesh->node_count; i++) {
        pad->mesh->position[i] = pad->mesh->fixed[i] ? pad->mesh->home[i] : v3_zero();
    }
    for (int step = 0; step < 50; step++) {
        cg_tissue_step(pad, 1e-3, v3_zero());
    }
    for (int i = 0; i < pad->mesh->node_count; i++) {
        CHECK(v3_is_finite(pad->mesh->position[i]));
    }
    cg_tissue_destroy(pad);
}

TEST(a_bad_definition_is_refused)
{
    cg_allocator allocator = cg_memory_default();
    for (int k = 0; k < 7; k++) {
        cg_tissue_def def = small_pad();
        cg_tissue *tissue = NULL;
        double *numbers[5] = {&def.damping, &def.drag, &def.home, &def.most_stretch, &def.pressure};
        if (k < 5) {
            *numbers[k] = k % 2 == 0 ? -1 : NAN;
        } else {
            def.iterations = k == 5 ? 0 : 1001;
        }
        CHECK_INT(cg_tissue_create(&def, &allocator, &tissue).code, CG_BAD_INPUT);
        CHECK(tissue == NULL);
    }
}
