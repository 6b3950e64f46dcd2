// The generators: counts by closed form, elastic constants against the theory of lattices, shapes and tags.
#include "make_rig.h"

#include <limits.h>
#include <stddef.h>

#include "geometry/mesh_edit.h"

TEST(stanford_s_box_has_its_links)
{
    cg_tissue_def def = rig_def(CG_TISSUE_BOX);
    def.size = v3(0.019, 0.019, 0.019);
    def.spacing = 0.001;
    cg_mesh *mesh = rig_make(&def);
    CHECK_INT(mesh->node_count, 8000);
    CHECK_INT(mesh->link_count, 66120);
    CHECK_INT(mesh->triangle_count, 6 * 2 * 19 * 19);
    CHECK_NEAR(cg_mesh_total_mass(mesh), 1100 * 0.019 * 0.019 * 0.019, 1e-12);
    cg_mesh_destroy(mesh);
}

// [J/m3] energy of the affine strain (x, y, z) with unit size 1, over that of a body with Poisson's ratio 1/4.
static double energy_ratio(const cg_mesh *mesh, double volume, const double strain[3])
{
    double energy = 0, mu = 0.4 * 50e3, trace = strain[0] + strain[1] + strain[2];
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        cg_vec3 d = v3_sub(mesh->home[item->ends[1]], mesh->home[item->ends[0]]);
        double longer = (d.x * d.x * strain[0] + d.y * d.y * strain[1] + d.z * d.z * strain[2]) / v3_length(d);
        energy += item->stiffness * longer * longer / 2;
    }
    double squares = strain[0] * strain[0] + strain[1] * strain[1] + strain[2] * strain[2];
    return energy / (volume * (mu * trace * trace / 2 + mu * squares)); // lambda = mu
}

TEST(a_lattice_stores_the_energy_of_an_isotropic_body)
{
    static const double strains[4][3] = {{1, -0.25, -0.25}, {-0.25, 1, -0.25}, {1, 1, 1}, {0.3, -0.8, 0.4}};
    for (int i = 0; i < 4; i++) {
        cg_tissue_def def = rig_def(CG_TISSUE_PAD);
        def.spacing = 0.0021; // cubes are not quite cubes
        cg_mesh *pad = rig_make(&def);
        CHECK_NEAR(energy_ratio(pad, 0.020 * 0.016 * 0.006, strains[i]), 1, 1e-12);
        def.shape = CG_TISSUE_BOX;
        cg_mesh *box = rig_make(&def);
        CHECK_NEAR(energy_ratio(box, 0.020 * 0.016 * 0.004, strains[i]), 1, 1e-12);
        cg_mesh_destroy(pad);
        cg_mesh_destroy(box);
    }
}

TEST(a_block_with_free_sides_has_the_modulus_asked_for)
{
    for (int n = 2; n <= 4; n += 2) {
        cg_tissue_def def = rig_def(CG_TISSUE_PAD);
        def.size = v3(0.024, 0.024, 0.012);
        def.layers[0].thickness = 0.012;
        def.spacing = 0.012 / n;
        cg_mesh *pad = rig_make(&def);
        def.shape = CG_TISSUE_BOX;
        cg_mesh *box = rig_make(&def);
        for (int d = 0; d < 3; d++) {
            // the free surface of five tetrahedra a cube gives way a little, less in a finer mesh
            CHECK_NEAR(rig_modulus(pad, d), 50e3, 50e3 * 0.05 / n);
            CHECK_NEAR(rig_modulus(box, d), 50e3, 1);
        }
        cg_mesh_destroy(pad);
        cg_mesh_destroy(box);
    }
}

// Layers that are flat or tall for the spacing: along the skin it has the modulus asked for all the same.
TEST(thin_layers_have_the_modulus_asked_for_along_the_skin)
{
    static const double thickness[4] = {0.0005, 0.001, 0.0014, 0.0024};
    for (int i = 0; i < 4; i++) {
        cg_tissue_def def = rig_def(CG_TISSUE_PAD);
        for (def.layer_count = 0; def.layer_count < 4; def.layer_count++) {
            def.layers[def.layer_count] = def.layers[0];
            def.layers[def.layer_count].thickness = thickness[i];
        }
        cg_mesh *mesh = rig_make(&def);
        CHECK_NEAR(rig_modulus(mesh, 0), 50e3, 0.04 * 50e3);
        CHECK_NEAR(rig_modulus(mesh, 1), 50e3, 0.04 * 50e3);
        if (thickness[i] > 0.0013) {
            CHECK_NEAR(rig_modulus(mesh, 2), 50e3, 0.05 * 50e3);
        }
        cg_mesh_destroy(mesh);
    }
}

TEST(every_shape_is_a_valid_mesh)
{
    for (int wound = 0; wound < 3; wound++) {
        cg_tissue_def def = rig_def(CG_TISSUE_PAD);
        def.wound = (cg_wound_kind)wound;
        cg_mesh *mesh = rig_make(&def);
        cg_mesh_destroy(mesh);
    }
    for (int gap = 0; gap < 2; gap++) {
        cg_tissue_def def = rig_def(CG_TISSUE_VESSEL);
        def.gap = gap * 0.002;
        cg_mesh *mesh = rig_make(&def);
        cg_mesh_destroy(mesh);
    }
    cg_tissue_def def = rig_def(CG_TISSUE_GRID);
    cg_mesh *mesh = rig_make(&def);
    cg_mesh_destroy(mesh);
}

static double area_of(const cg_mesh *mesh, cg_mesh_side side)
{
    double area = 0;
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *n = mesh->triangles[i].nodes;
        if (mesh->triangles[i].side == side) {
            area += v3_length(v3_cross(v3_sub(mesh->home[n[1]], mesh->home[n[0]]),
                                       v3_sub(mesh->home[n[2]], mesh->home[n[0]]))) /
                    2;
        }
    }
    return area;
}

static int count_pieces(const cg_mesh *mesh)
{
    int *piece = malloc((size_t)mesh->node_count * sizeof *piece);
    int count = cg_mesh_find_pieces(mesh, piece);
    free(piece);
    return count;
}

TEST(a_slit_has_its_length_and_depth_on_both_lips)
{
    for (int i = 0; i < 3; i++) {
        static const double depths[3] = {0.003, 0.004, 0.007}; // the last goes through
        cg_tissue_def def = rig_def(CG_TISSUE_PAD);
        def.wound = CG_WOUND_STRAIGHT;
        def.wound_length = 0.0113;
        def.wound_depth = depths[i];
        cg_mesh *mesh = rig_make(&def);
        double depth = depths[i] < 0.006 ? depths[i] : 0.006;
        // The corners of the tip stay joined where a face has all its nodes on it: half a square at each end at most.
        double lips = area_of(mesh, CG_SIDE_GROOVE) / 2;
        CHECK(lips <= 0.0113 * depth + 1e-12);
        CHECK(lips >= 0.0113 * depth - 0.002 * 0.002);
        CHECK_NEAR(area_of(mesh, CG_SIDE_TOP), 0.020 * 0.016, 1e-12);
        CHECK_NEAR(area_of(mesh, CG_SIDE_BOTTOM), 0.020 * 0.016, 1e-12);
        CHECK_NEAR(area_of(mesh, CG_SIDE_RIM), 2 * 0.006 * (0.020 + 0.016), 1e-12);
        CHECK_NEAR(cg_mesh_total_mass(mesh), 1100 * 0.020 * 0.016 * 0.006, 1e-12);
        CHECK_INT(count_pieces(mesh), 1);
        cg_mesh_destroy(mesh);
    }
}

// The upper border of the groove lies on the ellipse; its area is missing from the top.
TEST(the_lips_of_an_ellipse_follow_it)
{
    cg_tissue_def def = rig_def(CG_TISSUE_PAD);
    def.wound = CG_WOUND_ELLIPSE;
    def.size = v3(0.040, 0.030, 0);
    def.wound_length = 0.020;
    def.wound_width = 0.006;
    def.spacing = 0.001;
    cg_mesh *mesh = rig_make(&def);
    int on_border = 0;
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3 && mesh->triangles[i].side == CG_SIDE_GROOVE; k++) {
            cg_vec3 p = mesh->home[mesh->triangles[i].nodes[k]];
            if (p.z == 0) {
                CHECK_NEAR(p.x * p.x / (0.010 * 0.010) + p.y * p.y / (0.003 * 0.003), 1, 1e-9);
                on_border++;
            }
        }
    }
    CHECK(on_border > 100);
    double hole = 0.040 * 0.030 - area_of(mesh, CG_SIDE_TOP);
    CHECK_NEAR(hole, 3.14159265 * 0.010 * 0.003, 0.03 * hole); // a polygon of some 40 corners
    CHECK_NEAR(area_of(mesh, CG_SIDE_BOTTOM), 0.040 * 0.030, 1e-12);
    cg_mesh_destroy(mesh);
}

TEST(layers_have_their_own_material_and_thickness)
{
    cg_tissue_def def = rig_def(CG_TISSUE_PAD);
    def.layers[0] = (cg_tissue_layer){0.002, {.young = 100e3, .density = 1000, .strength = 2e6, .stiffening = 4}};
    def.layers[1] = (cg_tissue_layer){0.005, {.young = 20e3, .density = 900, .strength = 0, .stiffening = 0}};
    def.layer_count = 2;
    cg_mesh *mesh = rig_make(&def);
    double area = 0.020 * 0.016, masses[2] = {0, 0};
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        const cg_mesh_cell *item = &mesh->cells[cell];
        masses[item->layer] += item->mass;
        double low = 1, high = -1;
        for (int i = 0; i < 4; i++) {
            double z = mesh->home[item->nodes[i]].z;
            low = z < low ? z : low;
            high = z > high ? z : high;
        }
        CHECK(item->layer == 0 ? low > -0.002 - 1e-12 : high < -0.002 + 1e-12);
    }
    CHECK_NEAR(masses[0], 1000 * area * 0.002, 1e-12);
    CHECK_NEAR(masses[1], 900 * area * 0.005, 1e-12);
    // along x, both layers side by side: E A is the sum, up to what the free surface gives way
    CHECK_NEAR(rig_modulus(mesh, 0), (100e3 * 0.002 + 20e3 * 0.005) / 0.007, 0.04 * 42857);
    // a link breaks at the strain strength / E; what is partly of the lower layer, which never tears, does not
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        double low = fmin(mesh->home[item->ends[0]].z, mesh->home[item->ends[1]].z);
        double high = fmax(mesh->home[item->ends[0]].z, mesh->home[item->ends[1]].z);
        bool is_lower = low < -0.002 - 1e-9 || high < -0.002 + 1e-9;
        CHECK_NEAR(item->strength, is_lower ? 0 : item->stiffness * item->rest * 20, 1e-9 * item->stiffness);
        CHECK(item->stiffening >= 0 && item->stiffening <= 4 * (1 + 1e-12));
    }
    cg_mesh_destroy(mesh);
}

TEST(tension_pulls_along_y_at_the_rim_and_is_in_balance_inside)
{
    cg_tissue_def def = rig_def(CG_TISSUE_PAD);
    def.tension = 0.01;
    cg_mesh *mesh = rig_make(&def);
    cg_vec3 *f = calloc((size_t)mesh->node_count, sizeof *f);
    double pull = 0;
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        int a = item->ends[0], b = item->ends[1];
        cg_vec3 d = v3_sub(mesh->home[b], mesh->home[a]);
        double force = item->stiffness * (v3_length(d) - item->rest) / v3_length(d);
        f[a] = v3_add_scaled(f[a], force, d);
        f[b] = v3_add_scaled(f[b], -force, d);
    }
    double largest = 0;
    for (int node = 0; node < mesh->node_count; node++) {
        cg_vec3 p = mesh->home[node];
        bool is_rim = fabs(p.x) > 0.0099 || fabs(p.y) > 0.0079;
        CHECK_INT(mesh->fixed[node], is_rim);
        pull += p.y > 0.0079 ? -f[node].y : 0;
        bool is_inside = !is_rim && p.z < -0.001 && p.z > -0.005;
        largest = is_inside && v3_length(f[node]) > largest ? v3_length(f[node]) : largest;
    }
    // plane strain in x, free in z: E / (1 - nu^2) times strain and section
    double expected = 50e3 / (1 - 0.0625) * 0.01 * 0.020 * 0.006;
    CHECK_NEAR(pull, expected, 0.02 * expected);
    CHECK(largest < 1e-9 * expected);
    free(f);
    cg_mesh_destroy(mesh);
}

TEST(a_vessel_is_a_tube_whole_or_in_two)
{
    cg_tissue_def def = rig_def(CG_TISSUE_VESSEL);
    def.spacing = 0.001;
    cg_mesh *whole = rig_make(&def);
    def.gap = 0.003;
    cg_mesh *halves = rig_make(&def);
    CHECK_INT(count_pieces(whole), 1);
    CHECK_INT(count_pieces(halves), 2);
    // a polygon of n corners has the part sin(2 pi / n) / (2 pi / n) of its circle
    double n = 20, part = sin(2 * 3.14159265358979 / n) / (2 * 3.14159265358979 / n);
    double mass = 1100 * part * 3.14159265358979 * (0.004 * 0.004 - 0.0025 * 0.0025) * 0.020;
    CHECK_INT(whole->node_count, 2 * 20 * 21);
    CHECK_NEAR(cg_mesh_total_mass(whole), mass, 1e-9 * mass);
    CHECK_NEAR(cg_mesh_total_mass(halves), mass, 1e-9 * mass);
    double end = part * 3.14159265358979 * (0.004 * 0.004 - 0.0025 * 0.0025);
    CHECK_NEAR(area_of(whole, CG_SIDE_RIM), 2 * end, 1e-9 * end);
    CHECK_NEAR(area_of(whole, CG_SIDE_GROOVE), 0, 0);
    CHECK_NEAR(area_of(halves, CG_SIDE_RIM), 2 * end, 1e-9 * end);
    CHECK_NEAR(area_of(halves, CG_SIDE_GROOVE), 2 * end, 1e-9 * end);
    CHECK_NEAR(area_of(halves, CG_SIDE_OUTER) / area_of(halves, CG_SIDE_INNER), 4.0 / 2.5, 1e-9);
    cg_mesh_destroy(whole);
    cg_mesh_destroy(halves);
}

static double volume_of(const cg_mesh *mesh)
{
    double sum = 0;
    for (int i = 0; i < mesh->cell_count; i++) {
        const int *n = mesh->cells[i].nodes;
        cg_vec3 o = mesh->home[n[0]];
        cg_vec3 a = v3_sub(mesh->home[n[1]], o), b = v3_sub(mesh->home[n[2]], o), c = v3_sub(mesh->home[n[3]], o);
        sum += fabs(v3_dot(a, v3_cross(b, c))) / 6;
    }
    return sum;
}

TEST(a_vessel_may_have_a_slit)
{
    cg_tissue_def def = rig_def(CG_TISSUE_VESSEL);
    def.spacing = 0.001;
    def.slit = 0.0075;
    cg_mesh *mesh = rig_make(&def);
    CHECK_INT(count_pieces(mesh), 1);
    double wall = 0.0015 * 0.0075, groove = area_of(mesh, CG_SIDE_GROOVE);
    CHECK_NEAR(groove, 2 * wall, 1e-9 * wall);
    int doubled = 0;
    for (int a = 0; a < mesh->node_count; a++) {
        for (int b = a + 1; b < mesh->node_count; b++) {
            bool is_twin = v3_distance(mesh->home[a], mesh->home[b]) < 1e-12;
            doubled += is_twin;
            CHECK(!is_twin || (fabs(mesh->home[a].y) < 1e-12 && fabs(mesh->home[a].x) < 0.00375 - 1e-9));
        }
    }
    CHECK_INT(doubled, 2 * (8 - 1)); // 7.5 mm are 8 steps of about 1 mm
    double closed = volume_of(mesh);
    cg_mesh_destroy(mesh);

    def.slit_width = 0.003;
    mesh = rig_make(&def);
    double widest = 0, other = 0;
    for (int node = 0; node < mesh->node_count; node++) {
        bool is_middle = fabs(mesh->home[node].x) < 1e-9 && mesh->home[node].z > 0;
        double angle = atan2(mesh->home[node].y, mesh->home[node].z);
        other = is_middle && angle > 0 && (other == 0 || angle < other) ? angle : other;
        widest = is_middle && angle < 0 && (widest == 0 || angle > widest) ? angle : widest;
    }
    CHECK_NEAR(other, 0.0015 / 0.004, 1e-9);
    CHECK_NEAR(widest, -0.0015 / 0.004, 1e-9);
    // half an ellipse of angles over the length of the slit, in eight steps
    double gone = 0.003 / 0.004 * (3.14159265 / 4 * 0.0075) * (0.004 * 0.004 - 0.0025 * 0.0025) / 2;
    CHECK_NEAR(closed - volume_of(mesh), gone, 0.1 * gone);
    cg_mesh_destroy(mesh);

    def.slit = 0.001; // one spacing: two steps all the same, and a ring in the middle
    def.slit_width = 0;
    mesh = rig_make(&def);
    CHECK_NEAR(area_of(mesh, CG_SIDE_GROOVE), 2 * 0.0015 * 0.001, 1e-12);
    cg_mesh_destroy(mesh);

    cg_allocator allocator = cg_memory_default();
    def.gap = 0.001;
    CHECK(cg_make_mesh(&def, &allocator, &mesh).code == CG_BAD_INPUT);
    def.gap = 0, def.slit = 0.0185;
    CHECK(cg_make_mesh(&def, &allocator, &mesh).code == CG_BAD_INPUT);
}

// The halves moved together and merged node by node are one tube, as stiff as if it had been made whole.
TEST(the_halves_of_a_vessel_merge_to_a_whole_one)
{
    cg_tissue_def def = rig_def(CG_TISSUE_VESSEL);
    def.gap = 0.003;
    cg_mesh *mesh = rig_make(&def);
    for (int node = 0; node < mesh->node_count; node++) {
        mesh->position[node].x += mesh->home[node].x > 0 ? -0.0015 : 0.0015;
    }
    CHECK(cg_mesh_settle_home(mesh));
    int merged = 0;
    for (int a = 0; a < mesh->node_count; a++) {
        for (int b = a + 1; b < mesh->node_count; b++) {
            if (v3_distance(mesh->home[a], mesh->home[b]) < 1e-9) {
                CHECK_STR(cg_mesh_merge_nodes(mesh, a, b).message, "");
                merged++;
            }
        }
    }
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    CHECK_INT(merged, 2 * 10);
    CHECK_INT(count_pieces(mesh), 1);
    CHECK_NEAR(area_of(mesh, CG_SIDE_GROOVE), 0, 0);
    def.gap = 0;
    cg_mesh *whole = rig_make(&def);
    CHECK_INT(mesh->node_count, whole->node_count);
    CHECK_INT(mesh->triangle_count, whole->triangle_count);
    CHECK_NEAR(rig_modulus(mesh, 0), rig_modulus(whole, 0), 1e-6 * rig_modulus(whole, 0));
    cg_mesh_destroy(whole);
    cg_mesh_destroy(mesh);
}

// A spring network in a plane has Poisson's ratio 1/3; bend links are left out.
TEST(a_grid_under_plane_stress_has_the_modulus_asked_for)
{
    cg_tissue_def def = rig_def(CG_TISSUE_GRID);
    def.layers[0].thickness = 0.0005;
    cg_mesh *mesh = rig_make(&def);
    CHECK_NEAR(cg_mesh_total_mass(mesh), 1100 * 0.020 * 0.016 * 0.0005, 1e-12);
    double energy = 0;
    for (int link = 0; link < mesh->link_count; link++) {
        const cg_mesh_link *item = &mesh->links[link];
        if (item->kind != CG_LINK_BEND) {
            cg_vec3 d = v3_sub(mesh->home[item->ends[1]], mesh->home[item->ends[0]]);
            double longer = (d.x * d.x - d.y * d.y / 3) / v3_length(d);
            energy += item->stiffness * longer * longer / 2;
        }
    }
    CHECK_NEAR(energy, 0.5 * 50e3 * 0.020 * 0.016 * 0.0005, 1e-12);
    int n = mesh->node_count;
    CHECK_INT(n, 11 * 9);
    int kinds[CG_LINK_KIND_COUNT] = {0};
    for (int link = 0; link < mesh->link_count; link++) {
        kinds[mesh->links[link].kind]++;
    }
    CHECK_INT(kinds[CG_LINK_STRETCH], 10 * 9 + 11 * 8 + 10 * 8);
    CHECK_INT(kinds[CG_LINK_SHEAR], 10 * 8);
    CHECK_INT(kinds[CG_LINK_BEND], 9 * 9 + 11 * 7);
    cg_mesh_destroy(mesh);
}

// A tetrahedron whose faces are all parts of a surface.
TEST(a_skin_takes_the_sides_of_the_caller)
{
    static const cg_vec3 nodes[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    static const int triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const int sides[4] = {CG_SIDE_BOTTOM, CG_SIDE_GROOVE, CG_SIDE_TOP, CG_SIDE_RIM};
    cg_tissue_def def = rig_def(CG_TISSUE_MESH);
    def.model = CG_TISSUE_SKIN;
    def.nodes = nodes;
    def.node_count = 5;
    def.triangles = triangles;
    def.triangle_count = 4;
    for (int fixed = 0; fixed < 3; fixed++) {
        def.sides = sides;
        def.fix_bottom = fixed == 1;
        def.fix_rim = fixed == 2;
        cg_mesh *mesh = rig_make(&def);
        for (int t = 0; t < 4; t++) {
            CHECK_INT(mesh->triangles[t].side, sides[t]);
        }
        // nodes are numbered as triangles use them: 0, 2, 1, 3
        const bool expected[3][4] = {{0, 0, 0, 0}, {1, 1, 1, 0}, {1, 1, 0, 1}};
        for (int i = 0; i < 4; i++) {
            CHECK_INT(mesh->fixed[i], expected[fixed][i]);
        }
        cg_mesh_destroy(mesh);
    }
    def.sides = NULL; // nobody knows a rim
    cg_mesh *mesh = rig_make(&def);
    CHECK_INT(mesh->triangles[3].side, CG_SIDE_TOP);
    CHECK_INT(mesh->fixed[0] + mesh->fixed[1] + mesh->fixed[2] + mesh->fixed[3], 0);
    cg_mesh_destroy(mesh);
    static const int none[2][4] = {{0, 1, 2, CG_SIDE_COUNT}, {0, -1, 2, 3}};
    for (int k = 0; k < 2; k++) {
        cg_allocator allocator = cg_memory_default();
        def.sides = none[k];
        CHECK_INT(cg_make_mesh(&def, &allocator, &mesh).code, CG_BAD_INPUT);
    }
}

TEST(a_skin_takes_the_triangles_of_the_caller)
{
    // an octahedron, with a node that no triangle uses
    static const cg_vec3 nodes[7] = {{1, 0, 0}, {-1, 0, 0}, {9, 9, 9}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const int triangles[8][3] = {{0, 3, 5}, {3, 1, 5}, {1, 4, 5}, {4, 0, 5},
                                        {3, 0, 6}, {1, 3, 6}, {4, 1, 6}, {0, 4, 6}};
    cg_tissue_def def = rig_def(CG_TISSUE_MESH);
    def.model = CG_TISSUE_SKIN;
    def.layers[0].thickness = 0.002;
    def.nodes = nodes;
    def.node_count = 7;
    def.triangles = triangles;
    def.triangle_count = 8;
    cg_mesh *mesh = rig_make(&def);
    CHECK_INT(mesh->node_count, 6);
    CHECK_INT(mesh->link_count, 12);
    CHECK_NEAR(cg_mesh_total_mass(mesh), 1100 * 0.002 * 8 * sqrt(3) / 2, 1e-9);
    CHECK_NEAR(mesh->links[0].rest, 0.8 * sqrt(2), 1e-12);
    CHECK_NEAR(mesh->links[0].stiffness, 50e3 * 0.002 * sqrt(3) / (2 * 0.8), 1e-9);
    cg_mesh_destroy(mesh);
    int bad[8][3];
    memcpy(bad, triangles, sizeof bad);
    def.triangles = (const int(*)[3])bad;
    cg_allocator allocator = cg_memory_default();
    bad[3][0] = 7; // no such node
    CHECK_INT(cg_make_mesh(&def, &allocator, &mesh).code, CG_BAD_INPUT);
    bad[3][0] = 0; // twice
    CHECK_INT(cg_make_mesh(&def, &allocator, &mesh).code, CG_BAD_INPUT);
    bad[3][0] = 0, bad[3][1] = 4; // seen from inside
    CHECK_INT(cg_make_mesh(&def, &allocator, &mesh).code, CG_BAD_INPUT);
    bad[1][0] = 0, bad[1][1] = 5, bad[1][2] = 3; // the back of the first one
    def.triangle_count = 2;
    CHECK(strstr(cg_make_mesh(&def, &allocator, &mesh).message, "has the same nodes") != NULL);
}

TEST(a_definition_that_makes_no_sense_is_refused)
{
    static const size_t fields[] = {offsetof(cg_tissue_def, size.x),
                                    offsetof(cg_tissue_def, size.y),
                                    offsetof(cg_tissue_def, spacing),
                                    offsetof(cg_tissue_def, wound_length),
                                    offsetof(cg_tissue_def, wound_width),
                                    offsetof(cg_tissue_def, wound_depth),
                                    offsetof(cg_tissue_def, tension),
                                    offsetof(cg_tissue_def, layers[0].thickness),
                                    offsetof(cg_tissue_def, layers[0].material.young),
                                    offsetof(cg_tissue_def, layers[0].material.density),
                                    offsetof(cg_tissue_def, layers[0].material.strength)};
    static const double values[] = {-1, (double)NAN, (double)INFINITY, 1e-300};
    cg_allocator allocator = cg_memory_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            cg_tissue_def def = rig_def(CG_TISSUE_PAD);
            def.wound = CG_WOUND_ELLIPSE;
            memcpy((char *)&def + fields[i], &values[k], sizeof values[k]);
            cg_mesh *mesh = NULL;
            cg_status status = cg_make_mesh(&def, &allocator, &mesh);
            CHECK(status.code == CG_OK ? k == 3 && mesh != NULL : mesh == NULL && status.message[0] != 0);
            if (mesh != NULL) {
                CHECK_STR(cg_mesh_validate(mesh).message, "");
            }
            cg_mesh_destroy(mesh);
        }
    }
    cg_tissue_def def = rig_def(CG_TISSUE_PAD);
    cg_mesh *mesh = NULL;
    def.layer_count = CG_TISSUE_MOST_LAYERS + 1;
    CHECK_INT(cg_make_mesh(&def, &allocator, &mesh).code, CG_BAD_INPUT);
    def.layer_count = 1;
    def.max_nodes = 5;
    CHECK_INT(cg_make_mesh(&def, &allocator, &mesh).code, CG_BAD_INPUT);
}

TEST(a_pose_or_room_without_sense_is_refused)
{
    static const double positions[] = {(double)NAN, (double)INFINITY, 1e200, 1.1e6};
    static const double rotations[] = {(double)NAN, 0, 2, 1.00001, -1e200};
    static const int rooms[] = {-1, CG_MAKE_MOST_NODES + 1, INT_MAX};
    cg_allocator allocator = cg_memory_default();
    for (int k = 0; k < 12; k++) {
        cg_tissue_def def = rig_def(CG_TISSUE_BOX);
        cg_mesh *mesh = NULL;
        if (k < 4) {
            def.pose.position.y = positions[k];
        } else if (k < 9) {
            def.pose.rotation.w = rotations[k - 4];
        } else {
            def.max_nodes = rooms[k - 9];
        }
        cg_status status = cg_make_mesh(&def, &allocator, &mesh);
        CHECK_INT(status.code, CG_BAD_INPUT);
        CHECK(mesh == NULL && strstr(status.message, k < 4 ? "position" : (k < 9 ? "rotation" : "max_nodes")) != NULL);
        cg_mesh_destroy(mesh);
    }
}

// A cone: all triangles meet at its tip.
TEST(a_node_has_a_thousand_triangles_at_most)
{
    enum { SIDES = 200000 };
    cg_vec3 *nodes = malloc((SIDES + 1) * sizeof *nodes);
    int(*triangles)[3] = malloc(SIDES * sizeof *triangles);
    for (int i = 0; i < SIDES; i++) {
        double angle = 2 * 3.14159265358979 * i / SIDES;
        nodes[i] = v3(0.01 * cos(angle), 0.01 * sin(angle), 0);
        triangles[i][0] = i;
        triangles[i][1] = (i + 1) % SIDES;
        triangles[i][2] = SIDES;
    }
    nodes[SIDES] = v3(0, 0, 0.01);
    cg_tissue_def def = rig_def(CG_TISSUE_MESH);
    def.model = CG_TISSUE_SKIN;
    def.nodes = nodes;
    def.node_count = SIDES + 1;
    def.triangles = (const int(*)[3])triangles;
    def.triangle_count = 1000;
    cg_mesh_destroy(rig_make(&def));
    def.triangle_count = SIDES;
    cg_allocator allocator = cg_memory_default();
    cg_mesh *mesh = NULL;
    CHECK_STR(cg_make_mesh(&def, &allocator, &mesh).message, "triangle 1000: node 200000 has more than 1000 triangles");
    CHECK(mesh == NULL);
    free(nodes);
    free(triangles);
}
