// label: slow
// Random edits of all kinds on all kinds of meshes. After each one: the mesh is valid, the mass is what it was, and
// someone who only reads the log still knows every node, link, cell and triangle by its number.
#include "tissue/make_rig.h"

#include <stdio.h>

#include "geometry/mesh_edit.h"

// --- the follower: reads the log and nothing else ---

// It knows of each node where it is at home; of each cell and triangle the first ancestor it had when following began;
// of links only that they exist.
typedef struct follower {
    cg_vec3 *home;
    int *cell, *triangle;
    int nodes, links, cells, triangles;
    uint64_t read;
} follower;

static follower follow(const cg_mesh *mesh)
{
    const cg_mesh_limits *limits = &mesh->limits;
    follower f = {.home = malloc((size_t)limits->nodes * sizeof(cg_vec3)),
                  .cell = malloc(((size_t)limits->cells + 1) * sizeof(int)),
                  .triangle = malloc((size_t)limits->triangles * sizeof(int)),
                  .nodes = mesh->node_count,
                  .links = mesh->link_count,
                  .cells = mesh->cell_count,
                  .triangles = mesh->triangle_count,
                  .read = mesh->edit_count};
    memcpy(f.home, mesh->home, (size_t)mesh->node_count * sizeof(cg_vec3));
    for (int i = 0; i < f.cells; i++) {
        f.cell[i] = i;
    }
    for (int i = 0; i < f.triangles; i++) {
        f.triangle[i] = i;
    }
    return f;
}

static void unfollow(follower *f)
{
    free(f->home);
    free(f->cell);
    free(f->triangle);
}

static void read_node(follower *f, const cg_mesh_edit *edit)
{
    int item = edit->item;
    if (edit->kind == CG_EDIT_NODE_ADDED) {
        CHECK_INT(item, f->nodes);
        f->home[f->nodes++] = v3_zero();
        for (int i = 0; i < 3; i++) {
            if (edit->from[i] >= 0) {
                CHECK(edit->from[i] < f->nodes - 1);
                f->home[item] = v3_add_scaled(f->home[item], edit->weights[i], f->home[edit->from[i]]);
            }
        }
    } else if (edit->kind == CG_EDIT_NODE_REMOVED) {
        f->nodes--;
    } else if (edit->kind == CG_EDIT_NODE_MOVED) {
        CHECK_INT(edit->from[0], f->nodes);
        f->home[item] = f->home[edit->from[0]];
    } else {
        f->home[item] =
            v3_add(v3_scale(edit->weights[0], f->home[item]), v3_scale(edit->weights[1], f->home[edit->from[0]]));
    }
}

static void read_item(int *ancestors, int *count, const cg_mesh_edit *edit, int step)
{
    if (step == 0) {
        CHECK_INT(edit->item, *count);
        if (ancestors != NULL) {
            ancestors[*count] = edit->from[0] >= 0 ? ancestors[edit->from[0]] : -1;
        }
        ++*count;
    } else if (step == 1) {
        CHECK_INT(edit->from[0], *count);
        if (ancestors != NULL) {
            ancestors[edit->item] = ancestors[edit->from[0]];
        }
    } else {
        --*count;
    }
}

static void read_log(follower *f, const cg_mesh *mesh)
{
    CHECK(mesh->edit_count - f->read <= (uint64_t)mesh->limits.edits);
    for (; f->read < mesh->edit_count; f->read++) {
        const cg_mesh_edit *edit = &mesh->edits[f->read % (uint64_t)mesh->limits.edits];
        if (edit->kind < CG_EDIT_LINK_ADDED) {
            read_node(f, edit);
        } else if (edit->kind < CG_EDIT_CELL_ADDED) {
            read_item(NULL, &f->links, edit, (int)edit->kind - (int)CG_EDIT_LINK_ADDED);
        } else if (edit->kind < CG_EDIT_TRIANGLE_ADDED) {
            read_item(f->cell, &f->cells, edit, (int)edit->kind - (int)CG_EDIT_CELL_ADDED);
        } else {
            read_item(f->triangle, &f->triangles, edit, (int)edit->kind - (int)CG_EDIT_TRIANGLE_ADDED);
        }
    }
}

static cg_vec3 middle_of(const cg_vec3 *places, const int *nodes, int count)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < count; i++) {
        sum = v3_add_scaled(sum, 1.0 / count, places[nodes[i]]);
    }
    return sum;
}

// Whether a point lies in a cell or a triangle of the mesh as it was, by volumes of the parts.
static bool is_in(const cg_mesh *old, int cell, cg_vec3 p)
{
    const int *n = old->cells[cell].nodes;
    double whole = cg_mesh_cell_volume(old, cell, old->home);
    for (int i = 0; i < 4; i++) {
        cg_vec3 at[4];
        for (int j = 0; j < 4; j++) {
            at[j] = j == i ? p : old->home[n[j]];
        }
        double part = v3_dot(v3_cross(v3_sub(at[1], at[0]), v3_sub(at[2], at[0])), v3_sub(at[3], at[0])) / 6;
        if (!(part >= -1e-6 * whole)) {
            return false;
        }
    }
    return true;
}

static bool is_on(const cg_mesh *old, int triangle, cg_vec3 p)
{
    const int *n = old->triangles[triangle].nodes;
    cg_vec3 a = old->home[n[0]], b = old->home[n[1]], c = old->home[n[2]];
    double whole = v3_length(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    double parts = v3_length(v3_cross(v3_sub(b, a), v3_sub(p, a))) + v3_length(v3_cross(v3_sub(c, b), v3_sub(p, b))) +
                   v3_length(v3_cross(v3_sub(a, c), v3_sub(p, c)));
    return parts <= whole * (1 + 1e-6);
}

static bool knows(const follower *f, const cg_mesh *mesh, const cg_mesh *old, bool is_in_place)
{
    bool right = f->nodes == mesh->node_count && f->links == mesh->link_count && f->cells == mesh->cell_count &&
                 f->triangles == mesh->triangle_count;
    for (int node = 0; right && node < f->nodes; node++) {
        right = v3_distance(f->home[node], mesh->home[node]) < 1e-12;
    }
    for (int cell = 0; right && is_in_place && cell < f->cells; cell++) {
        right = f->cell[cell] >= 0 && is_in(old, f->cell[cell], middle_of(mesh->home, mesh->cells[cell].nodes, 4));
    }
    for (int i = 0; right && is_in_place && i < f->triangles; i++) {
        right = f->triangle[i] < 0 || is_on(old, f->triangle[i], middle_of(mesh->home, mesh->triangles[i].nodes, 3));
    }
    return right;
}

// --- random edits ---

static uint64_t hash_of(cg_mesh *mesh)
{
    cg_archive archive = cg_archive_to_hash();
    cg_mesh_visit_state(mesh, &archive);
    return cg_archive_hash(&archive);
}

static cg_vec3 random_vector(uint64_t *random, double size)
{
    double x = test_random(random, -size, size), y = test_random(random, -size, size);
    double z = test_random(random, -size, size);
    return v3(x, y, z);
}

static cg_status random_split(cg_mesh *mesh, uint64_t *random)
{
    int node;
    if (test_random_int(random, 0, 2) > 0) {
        const cg_mesh_link *link = &mesh->links[test_random_int(random, 0, mesh->link_count - 1)];
        int flip = test_random_int(random, 0, 1);
        return cg_mesh_split_edge(mesh, link->ends[flip], link->ends[1 - flip], test_random(random, 0.1, 0.9), &node);
    }
    cg_mesh_point point = {.triangle = test_random_int(random, 0, mesh->triangle_count - 1)};
    point.weights[0] = test_random(random, 0.1, 0.6);
    point.weights[1] = test_random(random, 0.05, 0.35);
    point.weights[2] = 1 - point.weights[0] - point.weights[1];
    return cg_mesh_split_triangle(mesh, point, &node);
}

// A path of two spans through a node, as long as some edges.
static cg_status random_cut(cg_mesh *mesh, uint64_t *random, cg_mesh_cut_result *result)
{
    int node = test_random_int(random, 0, mesh->node_count - 1);
    cg_vec3 path[3], down[3];
    cg_vec3 along = random_vector(random, 0.004), deep = random_vector(random, 0.006);
    path[1] = v3_add(v3_add_scaled(mesh->home[node], -0.5, deep), random_vector(random, 0.0005));
    path[0] = v3_sub(path[1], along);
    path[2] = v3_add(v3_add(path[1], along), random_vector(random, 0.001));
    down[0] = down[1] = down[2] = deep;
    cg_mesh_blade blade = {.path = path, .down = down, .count = 3, .at_home = true, .snap = 0.1};
    return cg_mesh_cut(mesh, &blade, result);
}

static cg_status random_removal(cg_mesh *mesh, uint64_t *random)
{
    int items[3], most = mesh->cell_count > 0 ? mesh->cell_count : mesh->triangle_count;
    for (int i = 0; i < 3; i++) {
        items[i] = test_random_int(random, 0, most - 1);
    }
    if (test_random_int(random, 0, 1) == 0) {
        return cg_mesh_remove_link(mesh, test_random_int(random, 0, mesh->link_count - 1));
    }
    return mesh->cell_count > 0 ? cg_mesh_remove_cells(mesh, items, 3) : cg_mesh_remove_triangles(mesh, items, 3);
}

// Two nodes at the same place that are not the same: what a cut made of one.
static cg_status random_merge(cg_mesh *mesh, uint64_t *random)
{
    int first = test_random_int(random, 0, mesh->node_count - 1);
    for (int i = 0; i < mesh->node_count; i++) {
        int a = (first + i) % mesh->node_count;
        for (int b = 0; b < mesh->node_count; b++) {
            if (a != b && v3_distance(mesh->home[a], mesh->home[b]) < 1e-9) {
                return cg_mesh_merge_nodes(mesh, a, b);
            }
        }
    }
    return (cg_status){.code = CG_BAD_INPUT};
}

static cg_status random_move_of_pieces(cg_mesh *mesh, cg_mesh *other, uint64_t *random)
{
    if (other->node_count > 0) {
        cg_status status = cg_mesh_append(mesh, other);
        if (status.code == CG_OK) {
            other->node_count = other->link_count = other->cell_count = other->triangle_count = 0;
        }
        return status;
    }
    int *piece = malloc((size_t)mesh->node_count * sizeof *piece);
    int pieces = cg_mesh_find_pieces(mesh, piece);
    free(piece);
    return pieces < 2 ? (cg_status){.code = CG_BAD_INPUT}
                      : cg_mesh_take_piece(mesh, test_random_int(random, 0, mesh->node_count - 1), other);
}

struct tally {
    int done, refused, full, kinds[6];
};

static bool is_valid(const cg_mesh *mesh, int round, int edit, int kind)
{
    cg_status status = cg_mesh_validate(mesh);
    if (status.code != CG_OK) {
        printf("round %d edit %d kind %d: %s\n", round, edit, kind, status.message);
    }
    return status.code == CG_OK;
}

// kinds: 0, 1 splits; 2 cut; 3 removal; 4 merge; 5 pieces. Returns false when something went wrong.
static bool run_edits(cg_mesh *mesh, int count, uint64_t seed, int round, struct tally *tally)
{
    uint64_t random = seed;
    cg_mesh *old = NULL, *other = NULL;
    cg_allocator allocator = cg_memory_default();
    cg_mesh_create(&allocator, &mesh->limits, &old);
    cg_mesh_create(&allocator, &mesh->limits, &other);
    cg_mesh_copy(old, mesh);
    follower f = follow(mesh);
    double mass = cg_mesh_total_mass(mesh);
    bool is_in_place = true, right = true;
    for (int edit = 0; edit < count && right && mesh->triangle_count > 10; edit++) {
        int kind = test_random_int(&random, 0, 5);
        uint64_t before = hash_of(mesh), version = mesh->topology_version;
        cg_mesh_cut_result result = {0};
        cg_status status = kind < 2    ? random_split(mesh, &random)
                           : kind == 2 ? random_cut(mesh, &random, &result)
                           : kind == 3 ? random_removal(mesh, &random)
                           : kind == 4 ? random_merge(mesh, &random)
                                       : random_move_of_pieces(mesh, other, &random);
        is_in_place = is_in_place && kind < 4;
        tally->kinds[kind] += status.code == CG_OK;
        tally->done += status.code == CG_OK;
        tally->refused += status.code == CG_BAD_INPUT;
        tally->full += status.code == CG_FULL;
        if (status.code == CG_OK && kind != 2) {
            right = CHECK(mesh->topology_version > version) && right;
        } else if (kind != 2) {
            right = CHECK_HASH(hash_of(mesh), before) && right;
        }
        right = CHECK(is_valid(mesh, round, edit, kind)) && CHECK(is_valid(other, round, edit, kind)) && right;
        double now = cg_mesh_total_mass(mesh) + cg_mesh_total_mass(other) + mesh->removed_mass;
        right = CHECK_NEAR(now, mass, 1e-12 * mass) && right;
        if (other->node_count == 0 && kind != 5) {
            read_log(&f, mesh);
            right = CHECK(knows(&f, mesh, old, is_in_place)) && right;
        } else {
            // a piece that comes back has nodes that the log cannot place: begin anew
            unfollow(&f);
            f = follow(mesh);
        }
    }
    unfollow(&f);
    cg_mesh_destroy(old);
    cg_mesh_destroy(other);
    return right;
}

static cg_mesh *random_mesh(int round)
{
    static const cg_tissue_shape shapes[6] = {CG_TISSUE_PAD,    CG_TISSUE_PAD, CG_TISSUE_VESSEL,
                                              CG_TISSUE_VESSEL, CG_TISSUE_BOX, CG_TISSUE_GRID};
    cg_tissue_def def = rig_def(shapes[round % 6]);
    def.size = v3(0.012, 0.012, 0.006);
    def.wound = round % 6 == 0 ? CG_WOUND_ELLIPSE : CG_WOUND_NONE;
    def.wound_length = 0.006;
    def.length = 0.012;
    def.gap = round % 6 == 2 ? 0.001 : 0;
    def.tension = round % 6 == 1 ? 0.2 : 0;
    def.max_nodes = round % 5 == 4 ? 0 : 3000; // now and then one that fills up
    if (shapes[round % 6] == CG_TISSUE_GRID) {
        def.spacing = 0.001;
        def.layers[0].thickness = 0.001;
    }
    return rig_make(&def);
}

TEST(random_edits_keep_everything_that_must_hold)
{
    struct tally tally = {0};
    int total = test_count(test_is_sanitized() ? 200 : 600, 10000), round = 0;
    for (int made = 0; made < total; made = tally.done, round++) {
        cg_mesh *mesh = random_mesh(round);
        int left = total - made;
        bool right = run_edits(mesh, left < 60 ? left : 60, 77 + (uint64_t)round, round, &tally);
        cg_mesh_destroy(mesh);
        if (!right) {
            break;
        }
    }
    printf("%d rounds, %d edits done (splits %d, cuts %d, removals %d, merges %d, pieces %d), %d refused, %d full\n",
           round, tally.done, tally.kinds[0] + tally.kinds[1], tally.kinds[2], tally.kinds[3], tally.kinds[4],
           tally.kinds[5], tally.refused, tally.full);
    for (int kind = 0; kind < 6; kind++) {
        CHECK(tally.kinds[kind] > 0);
    }
}

// --- single edits with known results ---

static cg_mesh *block(double x, double y, double z, double spacing)
{
    cg_tissue_def def = rig_def(CG_TISSUE_PAD);
    def.size = v3(x, y, 0);
    def.layers[0].thickness = z;
    def.spacing = spacing;
    def.max_nodes = 8000;
    return rig_make(&def);
}

TEST(a_block_full_of_splits_is_as_stiff_as_before)
{
    cg_mesh *mesh = block(0.024, 0.012, 0.012, 0.003);
    double before[3];
    for (int d = 0; d < 3; d++) {
        before[d] = rig_modulus(mesh, d);
    }
    uint64_t random = 3;
    int splits = 0;
    for (int i = 0; i < 150; i++) {
        splits += random_split(mesh, &random).code == CG_OK;
    }
    CHECK(splits > 140);
    for (int d = 0; d < 3; d++) {
        double after = rig_modulus(mesh, d);
        printf("%d splits, direction %d: %.1f -> %.1f Pa\n", splits, d, before[d], after);
        CHECK_NEAR(after, before[d], 0.05 * before[d]);
    }
    cg_mesh_destroy(mesh);
}

static int count_pieces(const cg_mesh *mesh)
{
    int *piece = malloc((size_t)mesh->node_count * sizeof *piece);
    int count = cg_mesh_find_pieces(mesh, piece);
    free(piece);
    return count;
}

// [m2] of a part of the surface, at home.
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

TEST(a_cut_through_a_block_makes_two_with_the_area_of_the_blade_on_both)
{
    cg_mesh *mesh = block(0.012, 0.012, 0.006, 0.002);
    double mass = cg_mesh_total_mass(mesh), normal_x = 1, normal_y = 0.3;
    // a plane x + 0.3 y = 0.0007, through nothing in particular
    cg_vec3 path[2] = {v3(0.0007 + 0.3 * 0.02, -0.02, 0.001), v3(0.0007 - 0.3 * 0.02, 0.02, 0.001)};
    cg_vec3 down[2] = {v3(0, 0, -0.01), v3(0, 0, -0.01)};
    cg_mesh_blade blade = {.path = path, .down = down, .count = 2, .at_home = true, .snap = 0};
    cg_mesh_cut_result result;
    CHECK_STR(cg_mesh_cut(mesh, &blade, &result).message, "");
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    CHECK(result.splits > 50);
    CHECK_INT(count_pieces(mesh), 2);
    double face = 0.012 * 0.006 * sqrt(normal_x * normal_x + normal_y * normal_y);
    CHECK_NEAR(area_of(mesh, CG_SIDE_GROOVE), 2 * face, 1e-9 * face);
    CHECK_NEAR(cg_mesh_total_mass(mesh), mass, 1e-12 * mass);
    // the same cut again does nothing
    CHECK_STR(cg_mesh_cut(mesh, &blade, &result).message, "");
    CHECK_INT(result.splits + result.parted, 0);
    cg_mesh *half = NULL;
    cg_allocator allocator = cg_memory_default();
    CHECK_STR(cg_mesh_create(&allocator, &mesh->limits, &half).message, "");
    CHECK_STR(cg_mesh_take_piece(mesh, 0, half).message, "");
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    CHECK_STR(cg_mesh_validate(half).message, "");
    CHECK_INT(count_pieces(mesh), 1);
    CHECK_INT(count_pieces(half), 1);
    // the halves by the volume of the prisms: the mean of the border is at x = 0.0007
    CHECK_NEAR(cg_mesh_total_mass(half), 1100 * 0.006 * 0.012 * (0.006 + 0.0007), 1e-9 * mass);
    CHECK_NEAR(cg_mesh_total_mass(half) + cg_mesh_total_mass(mesh), mass, 1e-12 * mass);
    cg_mesh_destroy(half);
    cg_mesh_destroy(mesh);
}

// Paths that wind through the whole block or sheet, from one side to the other: two pieces, whatever they pass.
TEST(a_winding_cut_through_makes_two_pieces)
{
    uint64_t random = 9;
    for (int i = 0; i < test_count(24, 400); i++) {
        cg_tissue_def def = rig_def(i % 3 == 2 ? CG_TISSUE_GRID : CG_TISSUE_PAD);
        def.size = v3(0.012, 0.012, 0);
        def.layers[0].thickness = i % 3 == 2 ? 0.001 : 0.004;
        def.max_nodes = 4000;
        cg_mesh *mesh = rig_make(&def);
        double mass = cg_mesh_total_mass(mesh), swing = test_random(&random, 0, 0.002);
        double turns = test_random(&random, 100, 400), shift = test_random(&random, -0.002, 0.002);
        cg_vec3 path[41], down[41];
        for (int k = 0; k <= 40; k++) {
            double y = 0.014 * (k / 40.0 - 0.5);
            path[k] = v3(shift + swing * sin(turns * y), y, 0.001);
            down[k] = v3(0.0003, 0.0002, -0.006);
        }
        cg_mesh_blade blade = {
            .path = path, .down = down, .count = 41, .at_home = i % 2 == 0, .snap = test_random(&random, 0, 0.2)};
        cg_mesh_cut_result result;
        CHECK_STR(cg_mesh_cut(mesh, &blade, &result).message, "");
        CHECK_STR(cg_mesh_validate(mesh).message, "");
        if (!CHECK_INT(count_pieces(mesh), 2)) {
            printf("path %d: swing %g turns %g shift %g snap %g: splits %d parted %d\n", i, swing, turns, shift,
                   blade.snap, result.splits, result.parted);
        }
        CHECK_NEAR(cg_mesh_total_mass(mesh), mass, 1e-12 * mass);
        cg_mesh_destroy(mesh);
    }
}

TEST(what_a_cut_parted_can_be_merged_again)
{
    cg_mesh *mesh = block(0.012, 0.012, 0.006, 0.002);
    double before = rig_modulus(mesh, 0);
    int nodes = mesh->node_count, links = mesh->link_count, triangles = mesh->triangle_count;
    cg_vec3 path[2] = {v3(0, -0.02, 0.001), v3(0, 0.02, 0.001)}, down[2] = {v3(0, 0, -0.01), v3(0, 0, -0.01)};
    cg_mesh_blade blade = {.path = path,
                           .down = down,
                           .count = 2,
                           .at_home = true,
                           .snap = 0.1}; // along a plane of the lattice: nothing to split
    cg_mesh_cut_result result;
    CHECK_STR(cg_mesh_cut(mesh, &blade, &result).message, "");
    CHECK_INT(result.splits, 0);
    CHECK_INT(result.parted, 7 * 4);
    CHECK_INT(count_pieces(mesh), 2);
    uint64_t random = 1;
    int merged = 0;
    while (random_merge(mesh, &random).code == CG_OK) {
        merged++;
    }
    CHECK_INT(merged, 7 * 4);
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    CHECK_INT(mesh->node_count, nodes);
    CHECK_INT(mesh->link_count, links);
    CHECK_INT(mesh->triangle_count, triangles);
    CHECK_NEAR(rig_modulus(mesh, 0), before, 1e-6 * before);
    cg_mesh_destroy(mesh);
}

TEST(a_slit_that_ends_inside_has_a_tip)
{
    cg_mesh *mesh = block(0.012, 0.012, 0.006, 0.002);
    // across half the block at the plane y = 0, 4 mm deep: planes of the lattice
    cg_vec3 path[2] = {v3(-0.02, 0, 0.001), v3(0.0001, 0, 0.001)}, down[2] = {v3(0, 0, -0.0051), v3(0, 0, -0.0051)};
    cg_mesh_blade blade = {.path = path, .down = down, .count = 2, .at_home = true, .snap = 0.1};
    cg_mesh_cut_result result;
    CHECK_STR(cg_mesh_cut(mesh, &blade, &result).message, "");
    CHECK_INT(count_pieces(mesh), 1);
    CHECK_INT(result.parted, 3 * 2); // three of four columns, two of three rows: the last of each is the tip
    // the face in the corner of the tip has all its nodes on it and stays joined: half a square
    CHECK_NEAR(area_of(mesh, CG_SIDE_GROOVE), 2 * (0.006 * 0.004 - 0.002 * 0.002 / 2), 1e-12);
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    cg_mesh_destroy(mesh);
}

TEST(a_loaded_mesh_goes_on_like_the_one_that_was_saved)
{
    uint64_t random = 5;
    cg_mesh *mesh = random_mesh(4), *twin = random_mesh(4);
    struct tally tally = {0};
    CHECK(run_edits(mesh, 30, 11, 4, &tally));
    cg_archive archive = cg_archive_to_measure();
    cg_archive_begin(&archive, 1);
    cg_mesh_visit_state(mesh, &archive);
    size_t size = cg_archive_size(&archive);
    void *bytes = malloc(size);
    archive = cg_archive_to_save(bytes, size);
    cg_archive_begin(&archive, 1);
    cg_mesh_visit_state(mesh, &archive);
    CHECK_STR(cg_archive_end(&archive).message, "");
    for (int pass = 0; pass < 2; pass++) {
        archive = pass == 0 ? cg_archive_to_check(bytes, size) : cg_archive_to_load(bytes, size);
        cg_archive_begin(&archive, 1);
        cg_mesh_visit_state(twin, &archive);
        CHECK_STR(cg_archive_end(&archive).message, "");
    }
    free(bytes);
    CHECK_STR(cg_mesh_validate(twin).message, "");
    for (int i = 0; i < 30; i++) {
        uint64_t again = random;
        random_split(mesh, &random);
        random_split(twin, &again);
        random_removal(mesh, &random);
        random_removal(twin, &again);
        CHECK_HASH(hash_of(twin), hash_of(mesh));
    }
    cg_mesh_destroy(mesh);
    cg_mesh_destroy(twin);
}

TEST(bad_edits_are_refused_with_a_sentence)
{
    cg_mesh *mesh = block(0.004, 0.004, 0.004, 0.002);
    uint64_t before = hash_of(mesh);
    int node, bad[1] = {100000};
    cg_mesh_cut_result result;
    CHECK_INT(cg_mesh_split_edge(mesh, 0, 26, 0.5, &node).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_split_edge(mesh, -1, 3, 0.5, &node).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_split_edge(mesh, 0, 1, 0, &node).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_split_edge(mesh, 0, 1, (double)NAN, &node).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_split_triangle(mesh, (cg_mesh_point){9999, {0.3, 0.3, 0.4}}, &node).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_split_triangle(mesh, (cg_mesh_point){0, {0.3, 0.3, 0.5}}, &node).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_remove_cells(mesh, bad, 1).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_remove_triangles(mesh, bad, 1).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_remove_link(mesh, -1).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_merge_nodes(mesh, 0, 1).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_merge_nodes(mesh, 0, 26).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_append(mesh, mesh).code, CG_BAD_INPUT);
    CHECK_INT(cg_mesh_cut(mesh, &(cg_mesh_blade){.count = 1}, &result).code, CG_BAD_INPUT);
    CHECK_HASH(hash_of(mesh), before);
    cg_mesh_destroy(mesh);
}
