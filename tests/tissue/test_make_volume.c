// Volumes of tetrahedra as tissue: the law of links against the theory of elasticity, regions, what is held, refusals.
#include "catgut/fill.h"
#include "fill/bodies.h"
#include <stdio.h>

#include "make_rig.h"

static cg_volume *fill_of(body *b, int nodes)
{
    cg_surface surface = body_surface(b);
    cg_fill_def def = cg_fill_def_default();
    cg_volume *volume;
    def.nodes = nodes;
    CHECK_STR(cg_fill(&surface, &def, &volume, NULL).message, "");
    body_free(b);
    return volume;
}

static cg_mesh *make_of(const cg_volume *volume)
{
    cg_tissue_def def = rig_def(CG_TISSUE_VOLUME);
    def.volume = volume;
    return rig_make(&def);
}

static double size_of(const cg_mesh *mesh)
{
    double sum = 0;
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        sum += cg_mesh_cell_volume(mesh, cell, mesh->home);
    }
    return sum;
}

// Energy of the affine strain m, over that of a body with Poisson's ratio 1/4 and Young's modulus 50 kPa.
static double energy_ratio(const cg_mesh *mesh, double m[3][3])
{
    double energy = 0, mu = 0.4 * 50e3, trace = m[0][0] + m[1][1] + m[2][2], squares = 0;
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        cg_vec3 d = v3_sub(mesh->home[item->ends[1]], mesh->home[item->ends[0]]);
        const double x[3] = {d.x, d.y, d.z};
        double longer = 0;
        for (int i = 0; i < 9; i++) {
            longer += x[i / 3] * m[i / 3][i % 3] * x[i % 3] / v3_length(d);
        }
        energy += item->stiffness * longer * longer / 2;
    }
    for (int i = 0; i < 9; i++) {
        squares += m[i / 3][i % 3] * m[i / 3][i % 3];
    }
    return energy / (size_of(mesh) * (mu * trace * trace / 2 + mu * squares)); // lambda = mu
}

TEST(links_of_a_filling_store_the_energy_of_an_isotropic_body)
{
    uint64_t random = 1;
    body b = body_blob(12, &random);
    cg_volume *volume = fill_of(&b, 1500);
    if (!CHECK(volume != NULL)) {
        return;
    }
    cg_mesh *mesh = make_of(volume);
    double even[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK_NEAR(energy_ratio(mesh, even), 1, 1e-12); // by the law, whatever the cells are like
    for (int i = 0; i < 20; i++) {                  // pulled along any direction, the sides as nu 1/4 has them
        double n[3], length = 0, m[3][3];
        for (int k = 0; k < 3; k++) {
            n[k] = test_random(&random, -1, 1);
            length += n[k] * n[k];
        }
        for (int k = 0; k < 9; k++) {
            m[k / 3][k % 3] = 1.25 * n[k / 3] * n[k % 3] / length - (k % 4 == 0 ? 0.25 : 0);
        }
        CHECK_NEAR(energy_ratio(mesh, m), 1, 0.05);
    }
    CHECK_NEAR(cg_mesh_total_mass(mesh), 1100 * size_of(mesh), 1e-9 * 1100 * size_of(mesh));
    CHECK_INT(mesh->node_count, volume->node_count);
    CHECK_INT(mesh->cell_count, volume->cell_count);
    cg_mesh_destroy(mesh);
    cg_volume_free(volume);
}

// [Pa] of a bar along z: nodes near its ends are moved along it by the strain 1, all else is free; twice the energy
// over the volume.
static double pulled_modulus(const cg_mesh *mesh, double half, double held)
{
    size_t count = (size_t)mesh->node_count;
    cg_vec3 *u = calloc(count, sizeof *u), *f = calloc(count, sizeof *f);
    bool *is_free = malloc(3 * count * sizeof *is_free);
    double twice = 0;
    for (size_t node = 0; node < count; node++) {
        double z = mesh->home[node].z;
        u[node] = v3(0, 0, z);
        is_free[3 * node] = is_free[3 * node + 1] = true;
        is_free[3 * node + 2] = fabs(z) < half - held;
    }
    CHECK(rig_relax(mesh, u, is_free) < 1e-9);
    rig_forces(mesh, u, f);
    for (size_t node = 0; node < count; node++) {
        twice -= v3_dot(u[node], f[node]);
    }
    free(u);
    free(f);
    free(is_free);
    return fabs(twice) / size_of(mesh);
}

TEST(a_filled_bar_has_the_modulus_asked_for)
{
    static const struct {
        int nodes;
        double off;
    } cases[] = {{1000, 0.04}, {4000, 0.04}};
    for (int i = 0; i < 2; i++) {
        body b = body_cube(6);
        body_scale(&b, 0.01, 0.01, 0.02);
        cg_volume *volume = fill_of(&b, cases[i].nodes);
        if (!CHECK(volume != NULL)) {
            continue;
        }
        cg_mesh *mesh = make_of(volume);
        CHECK_NEAR(pulled_modulus(mesh, 0.02, 0.0005), 50e3, 50e3 * cases[i].off);
        cg_mesh_destroy(mesh);
        cg_volume_free(volume);
    }
}

TEST(regions_have_the_materials_of_their_layers)
{
    cg_vec3 nodes[5] = {{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}, {0.01, 0.01, 0.01}};
    int cells[2][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}}, regions[2] = {4, 9};
    bool cut[5] = {true, true, true, false, false};
    cg_volume volume = {
        .nodes = nodes, .node_count = 5, .cells = cells, .cell_count = 2, .regions = regions, .cut = cut};
    double size = ((0.01 * 0.01) * 0.01) / 6;
    cg_tissue_def def = rig_def(CG_TISSUE_VOLUME);
    def.volume = &volume;
    def.fix_bottom = true;
    def.layer_count = 2;
    def.layers[1] = def.layers[0];
    def.layers[1].material.young = 500e3;
    def.layers[1].material.density = 2000;
    def.layer_regions[1] = 9;
    cg_mesh *mesh = rig_make(&def);
    CHECK_NEAR(mesh->cells[0].mass, 1100 * size, 1e-18);
    CHECK_NEAR(mesh->cells[1].mass, 2000 * 2 * size, 1e-18);
    CHECK_NEAR(mesh->cells[0].share[0], 6 * 50e3 * size / (9 * 1e-4), 1e-9);
    CHECK_NEAR(mesh->cells[1].share[0], 6 * 500e3 * 2 * size / (12 * 1e-4), 1e-9);
    CHECK_INT(mesh->triangle_count, 6);
    int bottoms = 0;
    for (int i = 0; i < mesh->triangle_count; i++) {
        bottoms += mesh->triangles[i].side == CG_SIDE_BOTTOM;
    }
    CHECK_INT(bottoms, 1);
    CHECK(mesh->fixed[0] && mesh->fixed[1] && mesh->fixed[2] && !mesh->fixed[3] && !mesh->fixed[4]);
    cg_mesh_destroy(mesh);
    def.fix_bottom = false;
    mesh = rig_make(&def);
    CHECK(!mesh->fixed[0]);
    cg_mesh_destroy(mesh);
}

TEST(volumes_that_are_no_tissue_are_refused_with_a_sentence)
{
    cg_vec3 nodes[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    static const int bad[][3][4] = {
        {{0, 1, 2, 9}}, {{0, 2, 1, 3}}, {{0, 1, 2, 1}}, {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}}, {{0, 1, 2, 3}}};
    static const int counts[][2] = {{5, 1}, {4, 1}, {4, 1}, {6, 3}, {5, 1}};
    static const char *const words[] = {"has node 9; there are 0 to 4", "flat or left-handed", "flat or left-handed",
                                        "no tissue can be made", "no tissue can be made"};
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = rig_def(CG_TISSUE_VOLUME);
    cg_mesh *mesh;
    CHECK(strstr(cg_make_mesh(&def, &allocator, &mesh).message, "needs nodes and cells") != NULL);
    for (int i = 0; i < 5; i++) {
        int cells[3][4];
        memcpy(cells, bad[i], sizeof cells);
        cg_volume volume = {.nodes = nodes, .node_count = counts[i][0], .cells = cells, .cell_count = counts[i][1]};
        def.volume = &volume;
        cg_status status = cg_make_mesh(&def, &allocator, &mesh);
        if (!CHECK(status.code == CG_BAD_INPUT && mesh == NULL && strstr(status.message, words[i]) != NULL)) {
            printf("%d: %s\n", i, status.message);
        }
    }
}
