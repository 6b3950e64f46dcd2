// The Neumann filter of cloth: beside the exact solve of its matrix, at rest beside the implicit solver, spinning and
// falling free, and what it refuses.
#include "tissue/neumann.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tissue/make.h"
#include "tissue/tissue.h"

enum { COLUMNS = 12, ROWS = 9, NODES = COLUMNS * ROWS };

static cg_tissue_def cloth_def(int quads)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.solver = CG_TISSUE_NEUMANN;
    def.size = v3(0.2, 0.2, 0);
    def.spacing = 0.2 / quads;
    def.layers[0].thickness = 1e-3;
    def.layers[0].material.young = 1e5;
    def.layers[0].material.density = 200;
    def.fix_bottom = false;
    def.most_stretch = 0;
    def.damping = def.drag = 0;
    return def;
}

static cg_tissue *make_cloth(const cg_tissue_def *def)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    CHECK_STR(cg_tissue_create(def, &allocator, &tissue).message, "");
    return tissue;
}

// A of a law by rows, dense; the same for the three coordinates.
static void fill_dense(const cg_cloth_law *law, double s, double a[NODES][NODES])
{
    memset(a, 0, sizeof(double[NODES][NODES]));
    for (cg_cloth_walk at = cg_cloth_walk_from(law, 0, 1); at.node < NODES; cg_cloth_walk_on(law, &at)) {
        // by (5.2): nodes whose column plus row is odd have diagonals
        a[at.node][at.node] = 1;
        for (int j = 0; j < NODES; j++) {
            int right = abs(j % COLUMNS - at.column), up = abs(j / COLUMNS - at.row);
            bool is_odd = (at.column + at.row) % 2 == 1;
            if (right + up == 1 || (right == 1 && up == 1 && is_odd)) {
                a[at.node][at.node] += s;
                a[at.node][j] = -s;
            }
        }
    }
}

// Solves a x = b by elimination; a is used up.
static void solve_dense(double a[NODES][NODES], double *x)
{
    for (int k = 0; k < NODES; k++) {
        for (int i = k + 1; i < NODES; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < NODES; j++) {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int i = NODES - 1; i >= 0; i--) {
        for (int j = i + 1; j < NODES; j++) {
            x[i] -= a[i][j] * x[j];
        }
        x[i] /= a[i][i];
    }
}

// |W b - A^-1 b| / |A^-1 b| of the kernel for a b without pattern.
static double error_of_filter(double s)
{
    static double a[NODES][NODES];
    cg_cloth_law law = {.columns = COLUMNS, .rows = ROWS, .odd = 1, .stiffness = s, .mass = 1, .step = 1};
    double exact[NODES], inverse[NODES], apart = 0, size = 0;
    cg_vec3 answer[NODES], filtered[NODES];
    cg_cloth cloth = {.answer = answer, .filtered = filtered, .inverse = inverse};
    fill_dense(&law, s, a);
    for (int i = 0; i < NODES; i++) {
        exact[i] = (double)((unsigned)i * 2654435761u >> 8 & 0xffff) / 0xffff - 0.5;
        inverse[i] = 1 / a[i][i];
        answer[i] = v3(inverse[i] * exact[i], 0, -2 * inverse[i] * exact[i]);
    }
    for (int lane = 0; lane < 5; lane++) {
        cg_cloth_filter(&law, &cloth, lane, 5);
    }
    solve_dense(a, exact);
    for (int i = 0; i < NODES; i++) {
        CHECK(filtered[i].z == -2 * filtered[i].x && filtered[i].y == 0);
        apart += (filtered[i].x - exact[i]) * (filtered[i].x - exact[i]);
        size += exact[i] * exact[i];
    }
    return sqrt(apart / size);
}

TEST(the_filter_misses_the_exact_solve_by_the_square_of_the_stiffness)
{
    double before = error_of_filter(0.005);
    for (double s = 0.01; s < 11; s *= 2) {
        double error = error_of_filter(s), ratio = error / before;
        printf("dt^2 k/m %6.3f: error %.3g, %.2f of that at half of it\n", s, error, ratio);
        if (s < 0.05) {
            CHECK(ratio > 3.5 && ratio < 4);
        }
        CHECK(error > before && error < 1); // it never makes things worse than doing nothing
        before = error;
    }
}

TEST(springs_alone_are_never_refused_and_a_plate_is)
{
    // A chain that resists bending by h^2 k/m of (1, -4, 6, -4, 1): its fastest wave has 16 of 6 on the diagonal.
    enum { COUNT = 60 };
    int first[COUNT + 1], column[5 * COUNT], at = 0;
    double value[5 * COUNT], work[2 * COUNT];
    static const double bend[5] = {1, -4, 6, -4, 1};
    for (int plate = 0; plate < 2; plate++) {
        for (double s = 0.02; s < 30; s *= 3) {
            at = 0;
            for (int i = 0; i < COUNT; i++) {
                first[i] = at;
                for (int j = i - 2; j <= i + 2; j++) {
                    double spring = j == i ? 2 : (abs(j - i) == 1 ? -1 : 0);
                    double by = plate ? bend[j - i + 2] : spring;
                    if (j >= 0 && j < COUNT && by != 0) {
                        column[at] = j;
                        value[at++] = s * by + (j == i ? 1 : 0);
                    }
                }
            }
            first[COUNT] = at;
            cg_neumann_matrix matrix = {COUNT, first, column, value};
            cg_status status = cg_neumann_check(&matrix, work);
            // of the endless chain: the wave that changes sign from node to node has (8 s + 2 s) / (1 + 6 s)
            double radius = plate ? 10 * s / (1 + 6 * s) : 2 * s / (1 + 2 * s);
            CHECK_INT(status.code, radius >= 1 ? CG_BAD_INPUT : CG_OK);
            CHECK(radius < 1 || strstr(status.message, "spectral radius") != NULL);
        }
    }
    // and the number itself
    double most = cg_neumann_radius(&(cg_neumann_matrix){COUNT, first, column, value}, 2000, work);
    CHECK(most >= 1);
}

static cg_vec3 spin_of(const cg_tissue *tissue)
{
    cg_vec3 centre = v3_zero(), spin = v3_zero();
    int count = tissue->mesh->node_count;
    for (int i = 0; i < count; i++) {
        centre = v3_add_scaled(centre, 1.0 / count, tissue->mesh->position[i]);
    }
    for (int i = 0; i < count; i++) {
        cg_vec3 r = v3_sub(tissue->mesh->position[i], centre);
        spin = v3_add(spin, v3_cross(r, v3_scale(tissue->mesh->mass[i], tissue->velocity[i])));
    }
    return spin;
}

// The share of its spin that a free cloth loses in 10 s.
static double lost_spin(bool is_turned)
{
    cg_tissue_def def = cloth_def(12);
    cg_tissue *cloth = make_cloth(&def);
    cloth->neumann->law.is_turned = is_turned;
    for (int i = 0; i < cloth->mesh->node_count; i++) {
        cloth->velocity[i] = v3_cross(v3(1, 0.5, 4), cloth->mesh->position[i]);
    }
    cg_vec3 before = spin_of(cloth);
    for (int step = 0; step < 10000; step++) {
        cg_tissue_step(cloth, 0.001, v3_zero());
    }
    double lost = v3_length(v3_sub(spin_of(cloth), before)) / v3_length(before);
    cg_tissue_destroy(cloth);
    return lost;
}

TEST(a_free_cloth_keeps_its_spin)
{
    double with = lost_spin(true), without = lost_spin(false);
    printf("of its spin a free cloth loses %.3g in 10 s, and %.3g as the filter leaves it\n", with, without);
    CHECK(without > 0.01);
    CHECK(with < 0.1 * without);
    CHECK(with < 1e-9);
}

TEST(a_free_cloth_falls_as_everything_does)
{
    cg_tissue_def def = cloth_def(9);
    cg_tissue *cloth = make_cloth(&def);
    for (int i = 0; i < cloth->mesh->node_count; i++) {
        cloth->mesh->position[i].z += 0.002 * (i % 3); // not flat, so that springs pull
    }
    cg_vec3 sum = v3_zero();
    for (int step = 0; step < 200; step++) {
        cg_tissue_step(cloth, 0.002, v3(0, 0, -9.81));
    }
    for (int i = 0; i < cloth->mesh->node_count; i++) {
        sum = v3_add_scaled(sum, 1.0 / cloth->mesh->node_count, cloth->velocity[i]);
    }
    CHECK_NEAR(sum.z, -9.81 * 0.4, 1e-12);
    CHECK_NEAR(sum.x, 0, 1e-12);
    cg_tissue_destroy(cloth);
}

// Hung by two corners, in the plane that it lies in, where its rest has no folds; the implicit solver gets the very
// same springs and masses.
static cg_tissue *hang(bool is_neumann)
{
    cg_tissue_def def = cloth_def(16), other = def;
    def.layers[0].material.young = other.layers[0].material.young = 1e4;
    def.drag = other.drag = 8;
    other.solver = is_neumann ? CG_TISSUE_NEUMANN : CG_TISSUE_IMPLICIT;
    other.iterations = 60;
    cg_allocator allocator = cg_memory_default();
    cg_mesh *mesh;
    cg_tissue *cloth = NULL;
    CHECK_STR(cg_make_mesh(&def, &allocator, &mesh).message, "");
    CHECK_STR(cg_tissue_adopt(mesh, &other, &allocator, &cloth).message, "");
    cg_tissue_fix_node(cloth, 0, true);
    cg_tissue_fix_node(cloth, 16, true);
    for (int step = 0; step < 4000; step++) {
        cg_tissue_step(cloth, 0.005, v3(0, 9.81, 0));
    }
    return cloth;
}

TEST(a_hung_cloth_comes_to_rest_as_the_implicit_solver_has_it)
{
    cg_tissue *filtered = hang(true), *solved = hang(false);
    double apart = 0, sag = 0, weight = 0, held = 0;
    for (int i = 0; i < solved->mesh->node_count; i++) {
        apart = fmax(apart, v3_distance(filtered->mesh->position[i], solved->mesh->position[i]));
        sag = fmax(sag, v3_distance(solved->mesh->position[i], solved->mesh->home[i]));
        weight += 9.81 * filtered->mesh->mass[i];
        held += filtered->reaction[i].y;
    }
    printf("a hung cloth sags by %.4g m; the two are %.3g m apart\n", sag, apart);
    CHECK(sag > 0.01);
    CHECK(apart < 0.01 * sag);
    CHECK_NEAR(held, weight, 0.001 * weight);
    cg_tissue_destroy(filtered);
    cg_tissue_destroy(solved);
}

TEST(links_are_not_longer_than_they_may_be)
{
    cg_tissue_def def = cloth_def(16);
    def.most_stretch = 1.05;
    def.layers[0].material.young = 2e3;
    cg_tissue *cloth = make_cloth(&def);
    cg_tissue_fix_node(cloth, 0, true);
    double free_length = 0, longest = 0;
    for (int round = 0; round < 2; round++) {
        cloth->neumann->law.most_stretch = round == 0 ? 0 : 1.05;
        for (int step = 0; step < 3000; step++) {
            cg_tissue_step(cloth, 0.002, v3(0, 0, -9.81));
        }
        longest = 0;
        for (int k = 0; k < cloth->mesh->link_count; k++) {
            const cg_mesh_link *link = &cloth->mesh->links[k];
            double length = v3_distance(cloth->mesh->position[link->ends[0]], cloth->mesh->position[link->ends[1]]);
            longest = fmax(longest, length / link->rest);
        }
        free_length = round == 0 ? longest : free_length;
    }
    printf("longest link %.3f rest lengths without a limit, %.3f with one of 1.05\n", free_length, longest);
    CHECK(free_length > 2);
    CHECK(longest - 1.05 < 0.5 * (free_length - 1.05));
    cg_tissue_destroy(cloth);
}

TEST(nodes_lie_on_ball_and_floor)
{
    cg_tissue_def def = cloth_def(15);
    def.ball = v3(0, 0, -0.12);
    def.ball_radius = 0.06;
    def.floor = -0.13;
    def.has_floor = true;
    def.friction = 0.2;
    def.damping = 1e-3;
    cg_tissue *cloth = make_cloth(&def);
    int touching = 0, lying = 0;
    for (int step = 0; step < 1500; step++) {
        cg_tissue_step(cloth, 0.001, v3(0, 0, -9.81));
        for (int i = 0; i < cloth->mesh->node_count; i++) {
            double out = v3_distance(cloth->mesh->position[i], def.ball);
            CHECK(out > def.ball_radius * (1 - 1e-12) && cloth->mesh->position[i].z >= def.floor - 1e-12);
            touching += step == 1499 && out < def.ball_radius * (1 + 1e-9);
            lying += step == 1499 && cloth->mesh->position[i].z < def.floor + 1e-9;
        }
    }
    CHECK(touching > 10);
    CHECK(lying > 10);
    cg_tissue_destroy(cloth);
}

// A node on a plane that is tipped, as the ball is far out: it slides where friction is too small, and only there.
TEST(friction_holds_on_a_slope_up_to_its_angle)
{
    for (int slides = 0; slides < 2; slides++) {
        cg_tissue_def def = cloth_def(4);
        double radius = 500, slope = 0.3;
        cg_vec3 down = v3(slope, 0, -1);
        def.ball_radius = radius;
        def.ball = v3(0, 0, -radius);
        def.friction = slides ? 0.28 : 0.32;
        cg_tissue *cloth = make_cloth(&def);
        for (int step = 0; step < 500; step++) {
            cg_tissue_step(cloth, 0.001, v3_scale(9.81, down));
        }
        double way = cloth->mesh->position[12].x - cloth->mesh->home[12].x;
        CHECK(slides ? way > 0.01 : fabs(way) < 1e-3);
        cg_tissue_destroy(cloth);
    }
}

TEST(what_is_no_cloth_is_refused)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue;
    cg_tissue_def def = cg_tissue_def_default();
    def.solver = CG_TISSUE_NEUMANN;
    CHECK_INT(cg_tissue_create(&def, &allocator, &tissue).code, CG_BAD_INPUT);
    def = cloth_def(5);
    def.solver = CG_TISSUE_IMPLICIT;
    def.has_floor = true;
    CHECK_INT(cg_tissue_create(&def, &allocator, &tissue).code, CG_BAD_INPUT);
    def = cloth_def(5);
    def.ball_radius = -1;
    CHECK_INT(cg_tissue_create(&def, &allocator, &tissue).code, CG_BAD_INPUT);
    // its springs are those of a grid, and stay so
    def = cloth_def(5);
    cg_tissue *cloth = make_cloth(&def);
    cg_mesh_blade blade = {0};
    cg_mesh_cut_result result;
    CHECK_INT(cg_tissue_cut_along(cloth, &blade, &result).code, CG_BAD_INPUT);
    cg_tissue_destroy(cloth);
}
