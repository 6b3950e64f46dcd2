// Forces against the energies they come from, and matrices against forces, by finite differences.
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

static cg_tissue_def small_block(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(6e-3, 6e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.layers[0].material.stiffening = 3;
    def.fix_bottom = false;
    return def;
}

static void shake(cg_tissue *tissue, double size, uint64_t seed)
{
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 *p = &tissue->mesh->position[i];
        p->x = tissue->mesh->home[i].x + test_random(&seed, -size, size);
        p->y = tissue->mesh->home[i].y + test_random(&seed, -size, size);
        p->z = tissue->mesh->home[i].z + test_random(&seed, -size, size);
    }
}

static double *component(cg_vec3 *v, int axis)
{
    return axis == 0 ? &v->x : (axis == 1 ? &v->y : &v->z);
}

// Which part of the forces is looked at.
typedef enum part { SPRINGS, SQUEEZE, SWELL, BEND } part;

static double energy_of(cg_tissue *tissue, part what)
{
    cg_springs *springs = &tissue->springs;
    cg_springs_place(springs, tissue->mesh->position);
    switch (what) {
    case SPRINGS:
        return cg_springs_energy(springs);
    case SQUEEZE:
        return cg_springs_squeeze_energy(springs);
    case SWELL:
        return cg_springs_swell_energy(springs, tissue->mesh, tissue->pressure);
    case BEND:
        return cg_springs_bend_energy(springs, tissue->mesh, tissue->pierced);
    }
    return 0;
}

static void forces_of(cg_tissue *tissue, part what)
{
    cg_springs *springs = &tissue->springs;
    cg_springs_place(springs, tissue->mesh->position);
    if (what == SPRINGS) {
        cg_springs_force(springs);
        return;
    }
    for (int i = 0; i < springs->node_count; i++) {
        springs->force[i] = (cg_wide){{0, 0}, {0, 0}};
    }
    cg_springs_mark_all(springs);
    if (what == SQUEEZE) {
        CHECK(cg_springs_squeeze(springs, false) > 0);
    } else if (what == SWELL) {
        cg_springs_swell(springs, tissue->mesh, tissue->pressure, false);
    } else {
        cg_springs_bend(springs, tissue->mesh, tissue->pierced, false, 0);
    }
}

// Every component of the force is the slope of the energy; they sum to nothing.
static void check_slopes(cg_tissue *tissue, part what, double step, double tolerance)
{
    cg_mesh *mesh = tissue->mesh;
    forces_of(tissue, what);
    size_t count = (size_t)mesh->node_count;
    cg_vec3 *force = malloc(count * sizeof *force), sum = v3_zero();
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const cg_wide *wide = &tissue->springs.force[i];
        force[i] = v3(wide->xy[0], wide->xy[1], wide->z[0]);
        sum = v3_add(sum, force[i]);
        largest = fmax(largest, v3_length(force[i]));
    }
    CHECK(largest > 0);
    CHECK_NEAR(v3_length(sum), 0, 1e-12 * largest);
    for (int i = 0; i < mesh->node_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double *x = component(&mesh->position[i], axis), before = *x;
            *x = before + step;
            double above = energy_of(tissue, what);
            *x = before - step;
            double below = energy_of(tissue, what);
            *x = before;
            CHECK_NEAR(*component(&force[i], axis), (below - above) / (2 * step), tolerance * largest);
        }
    }
    free(force);
}

TEST(springs_pull_down_their_energy)
{
    cg_tissue_def def = small_block();
    cg_tissue *block = make_tissue(&def);
    shake(block, 0.5e-3, 1);
    check_slopes(block, SPRINGS, 1e-8, 1e-6);
    cg_tissue_destroy(block);
}

TEST(squeezed_cells_push_down_their_energy)
{
    cg_tissue_def def = small_block();
    cg_tissue *block = make_tissue(&def);
    shake(block, 1.5e-3, 2); // some inside out too
    int inverted;
    cg_tissue_smallest_cell(block, &inverted);
    CHECK(inverted > 0);
    check_slopes(block, SQUEEZE, 1e-9, 1e-5);
    shake(block, 0.8e-3, 4);
    check_slopes(block, SQUEEZE, 1e-9, 1e-5);
    cg_tissue_destroy(block);
}

TEST(a_surface_pushes_back_with_what_it_lost_of_its_volume)
{
    cg_tissue_def def = small_block();
    def.pressure = 1e4;
    cg_tissue *block = make_tissue(&def);
    CHECK(block->springs.is_closed);
    CHECK_NEAR(block->springs.home_volume, 6e-3 * 6e-3 * 4e-3, 1e-18);
    // Pressed to 0.9 of its height: a pressure of a tenth.
    for (int i = 0; i < block->mesh->node_count; i++) {
        block->mesh->position[i].z = 0.9 * block->mesh->home[i].z;
    }
    CHECK_NEAR(energy_of(block, SWELL), 0.5 * 1e4 * 0.1 * 0.1 * 6e-3 * 6e-3 * 4e-3, 1e-12);
    shake(block, 0.4e-3, 3);
    check_slopes(block, SWELL, 1e-7, 1e-5);
    cg_tissue_destroy(block);
}

TEST(torsion_springs_push_down_their_energy)
{
    cg_tissue_def def = small_block();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    cg_tissue *sheet = make_tissue(&def);
    for (int i = 0; i < sheet->mesh->node_count; i++) {
        sheet->pierced[i] = i % 3 == 0;
    }
    shake(sheet, 0.5e-3, 5);
    check_slopes(sheet, BEND, 1e-8, 1e-6);
    cg_tissue_destroy(sheet);
}

// All forces of a tissue at its present shape, home springs too.
static void all_forces(cg_tissue *tissue, cg_vec3 *force)
{
    cg_springs *springs = &tissue->springs;
    cg_springs_place(springs, tissue->mesh->position);
    cg_springs_linearise(springs, 0);
    cg_springs_squeeze(springs, false);
    for (int i = 0; i < springs->node_count; i++) {
        const cg_wide *wide = &springs->force[i];
        force[i] = v3(wide->xy[0], wide->xy[1], wide->z[0]);
    }
}

// Where all links are stretched nothing is clamped: the product with the matrix is the change of the forces.
TEST(the_matrix_is_the_slope_of_stretched_springs)
{
    cg_tissue_def def = small_block();
    cg_tissue *block = make_tissue(&def);
    cg_mesh *mesh = block->mesh;
    cg_springs *springs = &block->springs;
    shake(block, 0.2e-3, 6);
    for (int i = 0; i < mesh->node_count; i++) {
        mesh->position[i] = v3_scale(1.5, mesh->position[i]);
    }
    size_t count = (size_t)mesh->node_count;
    cg_vec3 *above = malloc(count * sizeof *above), *below = malloc(count * sizeof *below);
    uint64_t seed = 7;
    double step = 1e-8, largest = 0;
    for (size_t i = 0; i < count; i++) {
        springs->ground[i] = 0;
        cg_float4 d = cg_all4(0);
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = (float)test_random(&seed, -1, 1);
        }
        springs->ahead[i] = d;
    }
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < count; i++) {
            cg_float4 d = springs->ahead[i];
            cg_vec3 move = v3((double)d[0], (double)d[1], (double)d[2]);
            mesh->position[i] = v3_add_scaled(mesh->position[i], side < 0 ? -step : 2 * step, move);
        }
        all_forces(block, side < 0 ? below : above);
    }
    for (size_t i = 0; i < count; i++) {
        cg_float4 d = springs->ahead[i];
        mesh->position[i] = v3_add_scaled(mesh->position[i], -step, v3((double)d[0], (double)d[1], (double)d[2]));
    }
    cg_springs_place(springs, mesh->position);
    cg_springs_linearise(springs, 0);
    springs->squeezed_count = springs->bent_count = 0;
    cg_springs_multiply_ground(springs, springs->ahead, springs->response);
    cg_springs_multiply(springs, springs->ahead, springs->response);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, v3_distance(above[i], below[i]) / (2 * step));
    }
    for (size_t i = 0; i < count; i++) {
        cg_vec3 slope = v3_scale(0.5 / step, v3_sub(below[i], above[i]));
        CHECK_NEAR((double)springs->response[i][0], slope.x, 1e-5 * largest);
        CHECK_NEAR((double)springs->response[i][1], slope.y, 1e-5 * largest);
        CHECK_NEAR((double)springs->response[i][2], slope.z, 1e-5 * largest);
    }
    free(above);
    free(below);
    cg_tissue_destroy(block);
}

// Of any shape the matrix is symmetric and positive.
TEST(the_matrix_is_symmetric_and_positive)
{
    cg_tissue_def def = small_block();
    def.pressure = 1e4;
    cg_tissue *block = make_tissue(&def);
    cg_springs *springs = &block->springs;
    uint64_t seed = 8;
    for (int trial = 0; trial < 20; trial++) {
        shake(block, 1.2e-3, (uint64_t)trial);
        block->pierced[5] = true;
        cg_springs_place(springs, block->mesh->position);
        cg_springs_linearise(springs, 0.5);
        CHECK(cg_springs_squeeze(springs, true) > 0);
        cg_springs_swell(springs, block->mesh, block->pressure, true);
        cg_springs_bend(springs, block->mesh, block->pierced, true, 0.5);
        for (int i = 0; i < springs->node_count; i++) {
            springs->ground[i] = 1;
            for (int axis = 0; axis < 3; axis++) {
                springs->ahead[i][axis] = (float)test_random(&seed, -1, 1);
                springs->coast[i][axis] = (float)test_random(&seed, -1, 1);
            }
        }
        cg_springs_multiply_ground(springs, springs->ahead, springs->response);
        cg_springs_multiply(springs, springs->ahead, springs->response);
        cg_springs_multiply_ground(springs, springs->coast, springs->coast_response);
        cg_springs_multiply(springs, springs->coast, springs->coast_response);
        double pq = 0, qp = 0, pp = 0, qq = 0;
        for (int i = 0; i < springs->node_count; i++) {
            for (int axis = 0; axis < 3; axis++) {
                double p = (double)springs->ahead[i][axis], q = (double)springs->coast[i][axis];
                pp += p * (double)springs->response[i][axis];
                qq += q * (double)springs->coast_response[i][axis];
                pq += q * (double)springs->response[i][axis];
                qp += p * (double)springs->coast_response[i][axis];
            }
        }
        CHECK(pp > 0 && qq > 0);
        CHECK_NEAR(pq, qp, 1e-5 * (pp + qq));
    }
    cg_tissue_destroy(block);
}

// A link stretched by the strain e pulls 1 + stiffening e^2 times as hard; pressed together it is linear.
TEST(a_stiffening_link_pulls_harder)
{
    for (int stretched = 0; stretched < 2; stretched++) {
        cg_tissue_def def = small_block();
        cg_tissue *block = make_tissue(&def);
        const cg_mesh_link *link = &block->mesh->links[0];
        double strain = stretched ? 0.2 : -0.2, length = link->rest * (1 + strain);
        for (int i = 0; i < block->mesh->node_count; i++) {
            block->mesh->position[i] = block->mesh->home[i];
        }
        // All others are without stiffness.
        for (int k = 1; k < block->mesh->link_count; k++) {
            block->mesh->links[k].stiffness = 0;
        }
        int a = link->ends[0], b = link->ends[1];
        cg_vec3 n = v3_unit_or(v3_sub(block->mesh->home[b], block->mesh->home[a]), v3_zero());
        block->mesh->position[b] = v3_add_scaled(block->mesh->position[a], length, n);
        cg_springs_compile(&block->springs, block->mesh, 0);
        cg_springs_place(&block->springs, block->mesh->position);
        cg_springs_force(&block->springs);
        const cg_wide *f = &block->springs.force[a];
        double pull = f->xy[0] * n.x + f->xy[1] * n.y + f->z[0] * n.z;
        double expected = link->stiffness * link->rest * strain * (stretched ? 1 + 3 * 0.04 : 1);
        CHECK_NEAR(pull, expected, 1e-12 * fabs(expected));
        cg_tissue_destroy(block);
    }
}
