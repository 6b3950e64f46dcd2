// label: slow
// Cuts through tissue in a world: two closed objects with the mass and momentum of the one, what hands hold and what
// presses goes along, what is left moves on as it should.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

static cg_world *make_world(int max_contacts)
{
    cg_world_def def = cg_world_def_default();
    def.max_contacts = max_contacts;
    def.max_tissues = 64;
    cg_world *world = NULL;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static cg_tissue_def pad_def(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(24e-3, 16e-3, 0);
    def.layers[0].thickness = 4e-3;
    def.fix_bottom = false;
    return def;
}

static cg_tissue_id add(cg_world *world, const cg_tissue_def *def)
{
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(world, def, &id).message, "");
    return id;
}

static const cg_mesh *mesh_of(const cg_world *world, cg_tissue_id id)
{
    return cg_world_find_tissue(world, id)->mesh;
}

static void step(cg_world *world, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_step(world);
    }
}

// A straight cut from one place to another, as deep as `down`.
static cg_tissue_cut_result cut(cg_world *world, cg_tissue_id id, cg_vec3 from, cg_vec3 to, cg_vec3 down)
{
    cg_vec3 path[2] = {from, to}, downs[2] = {down, down};
    cg_tissue_cut_result result;
    CHECK_STR(cg_tissue_cut(world, id, path, downs, 2, &result).message, "");
    CHECK_STR(cg_mesh_validate(mesh_of(world, id)).message, "");
    return result;
}

static cg_tissue_cut_result cut_across(cg_world *world, cg_tissue_id id, double x)
{
    return cut(world, id, v3(x, -20e-3, 2e-3), v3(x, 20e-3, 2e-3), v3(0, 0, -20e-3));
}

// [m3] inside the triangles of one piece, by the divergence of x/3; -1 for all pieces.
static double surface_volume(const cg_world *world, cg_tissue_id id, int piece)
{
    const cg_mesh *mesh = mesh_of(world, id);
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        if (piece < 0 || cg_tissue_piece_of(world, id, n[0]) == piece) {
            sum += v3_dot(mesh->position[n[0]], v3_cross(mesh->position[n[1]], mesh->position[n[2]])) / 6;
        }
    }
    return sum;
}

static double cell_volume(const cg_world *world, cg_tissue_id id, int piece)
{
    const cg_mesh *mesh = mesh_of(world, id);
    double sum = 0;
    for (int c = 0; c < mesh->cell_count; c++) {
        if (piece < 0 || cg_tissue_piece_of(world, id, mesh->cells[c].nodes[0]) == piece) {
            sum += cg_mesh_cell_volume(mesh, c, mesh->position);
        }
    }
    return sum;
}

// Every edge of the surface is passed as often in one direction as in the other.
static bool is_closed(const cg_mesh *mesh)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int a = mesh->triangles[t].nodes[k], b = mesh->triangles[t].nodes[(k + 1) % 3], sum = 0;
            for (int at = mesh->first_triangle[a]; at >= 0; at = mesh->next_triangle[at]) {
                const int *n = mesh->triangles[at / 3].nodes;
                sum += (n[(at % 3 + 1) % 3] == b) - (n[(at % 3 + 2) % 3] == b);
            }
            if (sum != 0) {
                return false;
            }
        }
    }
    return true;
}

typedef struct motion {
    double mass;
    cg_vec3 momentum, spin, middle;
} motion;

static motion motion_of(const cg_world *world)
{
    motion m = {0};
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        const cg_mesh *mesh = s->tissue->mesh;
        for (int i = 0; i < mesh->node_count; i++) {
            cg_vec3 p = v3_scale(mesh->mass[i], s->tissue->velocity[i]);
            m.mass += mesh->mass[i];
            m.momentum = v3_add(m.momentum, p);
            m.spin = v3_add(m.spin, v3_cross(mesh->position[i], p));
            m.middle = v3_add_scaled(m.middle, mesh->mass[i], mesh->position[i]);
        }
    }
    return m;
}

// A node as others know it: by its home, a place and a velocity that no other node of that home has.
typedef struct node_state {
    cg_vec3 home, position, velocity;
    double mass;
    bool fixed;
} node_state;

static int by_bits(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(node_state));
}

static node_state *nodes_of(const cg_world *world, int *count)
{
    *count = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        *count += s->tissue->mesh->node_count;
    }
    node_state *nodes = calloc((size_t)*count, sizeof *nodes);
    int at = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        const cg_mesh *mesh = s->tissue->mesh;
        for (int i = 0; i < mesh->node_count; i++, at++) {
            nodes[at].home = mesh->home[i];
            nodes[at].position = mesh->position[i];
            nodes[at].velocity = s->tissue->velocity[i];
            nodes[at].mass = mesh->mass[i];
            nodes[at].fixed = mesh->fixed[i];
        }
    }
    qsort(nodes, (size_t)*count, sizeof *nodes, by_bits);
    return nodes;
}

static void check_same_motion(const motion *a, const motion *b)
{
    double momentum = v3_length(a->momentum);
    CHECK_NEAR(b->mass, a->mass, 1e-14 * a->mass);
    CHECK(v3_distance(a->momentum, b->momentum) <= 1e-12 * momentum);
    CHECK(v3_distance(a->middle, b->middle) <= 1e-13 * a->mass);
    // masses sit at the nodes: a node between two others brings them nearer to the axis
    CHECK(v3_distance(a->spin, b->spin) <= 0.02 * v3_length(a->spin));
}

// A pad that turns and wobbles while it falls is cut: mass, momentum and moment stay; both parts are closed, and have
// the volume that the whole had; moved to tissues of their own, all bits of all nodes are what they were.
TEST(a_pad_cut_in_two_is_two_closed_objects_with_the_mass_and_momentum_of_one)
{
    cg_world *world = make_world(0);
    cg_tissue_def def = pad_def();
    def.drag = 0;
    cg_tissue_id pad = add(world, &def);
    cg_tissue *tissue = cg_world_find_tissue(world, pad);
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 x = tissue->mesh->position[i];
        tissue->velocity[i] = v3(-20 * x.y, 20 * x.x + 30 * x.z, 0.1);
    }
    step(world, 20);
    motion before = motion_of(world);
    double volume = surface_volume(world, pad, -1);
    CHECK_INT(cg_tissue_piece_count(world, pad), 1);
    cg_tissue_cut_result result = cut_across(world, pad, 1.3e-3);
    CHECK_INT(result.pieces, 2);
    CHECK_INT(cg_tissue_piece_count(world, pad), 2);
    CHECK_NEAR(result.area, 16e-3 * 4e-3, 0.15 * 16e-3 * 4e-3);
    motion parted = motion_of(world);
    check_same_motion(&before, &parted);
    CHECK(is_closed(mesh_of(world, pad)));
    double parts[2] = {surface_volume(world, pad, 0), surface_volume(world, pad, 1)};
    CHECK(parts[0] > 0.3 * volume && parts[1] > 0.3 * volume);
    CHECK_NEAR(parts[0] + parts[1], volume, 1e-12 * volume);
    CHECK_NEAR(parts[0], cell_volume(world, pad, 0), 1e-12 * volume);

    step(world, 5);
    int count, after_count, left = 0;
    node_state *nodes = nodes_of(world, &count);
    while (cg_tissue_piece_of(world, pad, left) != 1) {
        left++;
    }
    cg_tissue_id other;
    CHECK_STR(cg_world_separate_tissue(world, pad, left, &other).message, "");
    node_state *after = nodes_of(world, &after_count);
    CHECK_INT(after_count, count);
    CHECK(memcmp(nodes, after, (size_t)count * sizeof *nodes) == 0);
    free(nodes);
    free(after);
    for (int k = 0; k < 2; k++) {
        cg_tissue_id id = k == 0 ? pad : other;
        CHECK_STR(cg_mesh_validate(mesh_of(world, id)).message, "");
        CHECK_INT(cg_tissue_piece_count(world, id), 1);
        CHECK(is_closed(mesh_of(world, id)));
        CHECK_NEAR(surface_volume(world, id, -1), cell_volume(world, id, -1), 1e-12 * volume);
    }
    motion separated = motion_of(world);
    step(world, 100);
    // nothing acts between the two: the whole falls freely
    motion fallen = motion_of(world);
    cg_vec3 expected = v3_add(separated.momentum, v3(0, 0, -9.81 * 0.1 * separated.mass));
    CHECK(v3_distance(fallen.momentum, expected) < 1e-5 * 9.81 * 0.1 * separated.mass);
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    cg_world_destroy(world);
}

// Two worlds, in one of which the pieces are tissues of their own: they move alike.
TEST(separated_pieces_move_as_they_did_in_one_tissue)
{
    cg_world *worlds[2];
    cg_tissue_id pads[2], other;
    cg_tissue_def def = pad_def();
    def.fix_rim = true;
    def.tension = 0.1;
    for (int k = 0; k < 2; k++) {
        worlds[k] = make_world(0);
        pads[k] = add(worlds[k], &def);
        step(worlds[k], 10);
        CHECK_INT(cut_across(worlds[k], pads[k], 0.4e-3).pieces, 2);
        step(worlds[k], 10);
    }
    CHECK_STR(cg_world_separate_tissue(worlds[1], pads[1], 0, &other).message, "");
    for (int k = 0; k < 2; k++) {
        step(worlds[k], 200);
    }
    int counts[2];
    node_state *nodes[2] = {nodes_of(worlds[0], &counts[0]), nodes_of(worlds[1], &counts[1])};
    CHECK_INT(counts[0], counts[1]);
    for (int i = 0; i < counts[0]; i++) {
        double nearest = 1;
        for (int j = 0; j < counts[1]; j++) {
            if (v3_distance(nodes[0][i].home, nodes[1][j].home) < 1e-12) {
                nearest = fmin(nearest, v3_distance(nodes[0][i].position, nodes[1][j].position));
            }
        }
        CHECK(nearest < 1e-6); // solved to the solver's residual
    }
    for (int k = 0; k < 2; k++) {
        free(nodes[k]);
        cg_world_destroy(worlds[k]);
    }
}

TEST(bad_cuts_are_refused_with_a_sentence)
{
    cg_world *world = make_world(0);
    cg_tissue_def def = pad_def();
    cg_tissue_id pad = add(world, &def), other;
    cg_vec3 path[2] = {v3(0, -1, 1), v3(0, 1, 1)}, down[2] = {v3(0, 0, -2), v3(0, 0, -2)};
    cg_tissue_cut_result result;
    uint64_t version = cg_tissue_topology_version(world, pad);
    CHECK_INT(cg_tissue_cut(world, (cg_tissue_id){7, 1}, path, down, 2, &result).code, CG_BAD_HANDLE);
    CHECK_INT(cg_tissue_cut(world, pad, path, down, 1, &result).code, CG_BAD_INPUT);
    CHECK_INT(cg_tissue_cut(world, pad, path, down, CG_TISSUE_MOST_PATH + 1, &result).code, CG_BAD_INPUT);
    path[1].x = NAN;
    CHECK_INT(cg_tissue_cut(world, pad, path, down, 2, &result).code, CG_BAD_INPUT);
    path[1].x = 0;
    down[0].y = INFINITY;
    CHECK_INT(cg_tissue_cut(world, pad, path, down, 2, &result).code, CG_BAD_INPUT);
    down[0].y = 0;
    CHECK_INT(cg_world_separate_tissue(world, pad, 0, &other).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_separate_tissue(world, pad, -1, &other).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_separate_tissue(world, (cg_tissue_id){0, 0}, 0, &other).code, CG_BAD_HANDLE);
    CHECK_INT(cg_tissue_piece_of(world, pad, 1 << 20), -1);
    CHECK_INT(cg_tissue_piece_count(world, (cg_tissue_id){9, 9}), 0);
    CHECK(cg_tissue_topology_version(world, pad) == version);
    // of no length, beside the tissue, along a plane of its nodes: sound, whatever it does
    path[1] = path[0];
    CHECK_STR(cg_tissue_cut(world, pad, path, down, 2, NULL).message, "");
    CHECK_INT(cut(world, pad, v3(1, 0, 0), v3(1, 1, 0), v3(0, 0, -1)).parted, 0);
    CHECK_INT(cut(world, pad, v3(-1, -1, 0), v3(1, -1, 0), v3(0, 2, 0)).pieces, 1);
    CHECK_INT(cut_across(world, pad, 0).pieces, 2);
    CHECK_INT(cut_across(world, pad, 0).parted, 0);
    cg_world_destroy(world);
}

// [N] that a strip along x pulls with at one end when its ends are drawn apart by one percent.
static double pull_of_strip(bool is_cut)
{
    cg_world *world = make_world(0);
    CHECK_STR(cg_world_set_gravity(world, v3_zero()).message, "");
    cg_tissue_def def = pad_def();
    def.size = v3(40e-3, 12e-3, 0);
    def.spacing = 1e-3;
    def.layers[0].thickness = 2e-3;
    def.max_nodes = 6000;
    cg_tissue_id strip = add(world, &def);
    if (is_cut) { // from both sides a block goes: in the middle half of the length half of the width is left
        for (int side = -1; side <= 1; side += 2) {
            double inner = side * 3.5e-3, outer = side * 8e-3;
            cg_vec3 path[4] = {
                {-10.5e-3, outer, 1e-3}, {-10.5e-3, inner, 1e-3}, {10.5e-3, inner, 1e-3}, {10.5e-3, outer, 1e-3}};
            cg_vec3 down[4] = {{0, 0, -4e-3}, {0, 0, -4e-3}, {0, 0, -4e-3}, {0, 0, -4e-3}};
            cg_tissue_cut_result result;
            CHECK_STR(cg_tissue_cut(world, strip, path, down, 4, &result).message, "");
            CHECK_INT(result.pieces, side < 0 ? 2 : 3);
        }
    }
    int count;
    const cg_vec3 *homes = cg_tissue_homes(world, strip, &count);
    for (int i = 0; i < count; i++) {
        if (fabs(homes[i].x) > 19.9e-3) {
            CHECK_STR(cg_tissue_fix(world, strip, i, true).message, "");
            cg_vec3 place = homes[i];
            place.x *= 1.01;
            CHECK_STR(cg_tissue_move_fixed(world, strip, i, place).message, "");
        }
    }
    step(world, 600);
    double pull = 0;
    for (int i = 0; i < count; i++) {
        pull += homes[i].x > 19.9e-3 ? cg_tissue_reaction(world, strip, i).x : 0;
    }
    cg_world_destroy(world);
    return fabs(pull);
}

// Springs in a row: L / W against (L - l) / W + l / w. The cut is at y = 3.2 mm and 10.3 mm, so w = 6.4 and l = 20.6;
// the corners give way a little besides.
TEST(what_a_cut_leaves_is_as_stiff_as_what_is_left)
{
    double whole = pull_of_strip(false), cut_strip = pull_of_strip(true);
    double expected = (40.0 / 12) / ((40.0 - 21) / 12 + 21.0 / 7);
    CHECK_NEAR(whole, 100e3 * 12e-3 * 2e-3 * 0.01, 0.06 * 0.24);
    CHECK_NEAR(cut_strip / whole, expected, 0.1 * expected);
}

// Cut to and fro under tension: what is left comes to rest, and no energy comes from the cuts.
TEST(a_pad_cut_all_over_comes_to_rest)
{
    cg_world *world = make_world(0);
    CHECK_STR(cg_world_set_gravity(world, v3_zero()).message, ""); // what is cut loose does not fall
    cg_tissue_def def = pad_def();
    def.fix_rim = true;
    def.tension = 0.15;
    def.max_nodes = 8000;
    cg_tissue_id pad = add(world, &def);
    uint64_t random = 5;
    step(world, 50);
    double energy = cg_tissue_get_summary(world, pad).elastic_energy;
    for (int k = 0; k < 25; k++) {
        cg_vec3 from = v3(test_random(&random, -10e-3, 10e-3), 0, 1e-3),
                to = v3(test_random(&random, -10e-3, 10e-3), 0, 1e-3);
        from.y = test_random(&random, -6e-3, 6e-3);
        to.y = test_random(&random, -6e-3, 6e-3);
        cut(world, pad, from, to, v3(test_random(&random, -1e-3, 1e-3), 0, -test_random(&random, 1e-3, 7e-3)));
        step(world, 10);
        cg_tissue_summary now = cg_tissue_get_summary(world, pad);
        CHECK(now.elastic_energy + now.kinetic_energy < 1.1 * energy); // splits change the energy of a shape a little
        CHECK(now.farthest < 20e-3 && now.inverted_cells == 0);
    }
    step(world, test_is_sanitized() ? 500 : 2000);
    cg_tissue_summary last = cg_tissue_get_summary(world, pad);
    CHECK(last.elastic_energy < energy && last.kinetic_energy < 1e-6 * energy);
    CHECK(last.inverted_cells == 0 && last.node_count > 600);
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    cg_world_destroy(world);
}

// Both halves of a fixed node are fixed, and a full mesh stays sound.
TEST(cuts_through_fixed_nodes_and_full_meshes_are_sound)
{
    cg_world *world = make_world(0);
    cg_tissue_def def = pad_def();
    def.fix_bottom = true;
    def.fix_rim = true;
    cg_tissue_id pad = add(world, &def);
    int fixed = 0, count;
    cg_tissue_cut_result result = cut_across(world, pad, 0);
    CHECK(result.parted > 0 && result.splits == 0);
    cg_tissue_positions(world, pad, &count);
    for (int i = 0; i < count; i++) {
        fixed += cg_tissue_is_fixed(world, pad, i) && fabs(cg_tissue_homes(world, pad, NULL)[i].x) < 1e-9;
    }
    CHECK_INT(fixed, 2 * (9 + 2 + 2));
    cg_vec3 path[2] = {{-20e-3, 0, 1e-3}, {20e-3, 0, 1e-3}}, down[2] = {{0, 0, -9e-3}, {0, 0, -9e-3}};
    bool was_full = false;
    for (int k = 0; k < 12; k++) {
        path[0].y = path[1].y = -6.7e-3 + 1.1e-3 * k;
        cg_status status = cg_tissue_cut(world, pad, path, down, 2, NULL);
        CHECK(status.code == CG_OK || status.code == CG_FULL);
        CHECK_STR(cg_mesh_validate(mesh_of(world, pad)).message, "");
        was_full = was_full || status.code == CG_FULL;
        step(world, 5);
    }
    CHECK(was_full);
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    cg_world_destroy(world);
}

// A hand holds a patch that a cut divides, and one half becomes a tissue of its own: the hand goes with the larger
// part.
TEST(a_hand_keeps_what_it_holds)
{
    cg_world *world = make_world(0);
    cg_tissue_def def = pad_def();
    cg_tissue_id pad = add(world, &def), other;
    cg_hand_def hand_def = cg_hand_def_default();
    hand_def.pose.position = v3(3e-3, 1e-3, 0);
    hand_def.jaw_length = 6e-3;
    cg_hand_id hand;
    CHECK_STR(cg_world_add_hand(world, &hand_def, &hand).message, "");
    CHECK_STR(cg_hand_close(world, hand).message, "");
    step(world, 5);
    int held = cg_hand_get_state(world, hand).node_count;
    CHECK(held >= 3);
    cut_across(world, pad, 1.1e-3);
    CHECK_INT(cg_hand_get_state(world, hand).node_count, held);
    step(world, 5);
    int right = -1, count;
    const cg_vec3 *homes = cg_tissue_homes(world, pad, &count);
    for (int i = 0; i < count; i++) {
        right = homes[i].x > 6e-3 ? i : right;
    }
    CHECK_STR(cg_world_separate_tissue(world, pad, right, &other).message, "");
    cg_hand_state state = cg_hand_get_state(world, hand);
    CHECK(state.tissue.index == other.index && state.node_count > held / 2 && state.node_count <= held);
    cg_vec3 before = cg_tissue_positions(world, other, NULL)[0];
    cg_transform up = {v3(3e-3, 1e-3, 10e-3), {0, 0, 0, 1}};
    CHECK_STR(cg_hand_move(world, hand, up, 0.1).message, "");
    step(world, 400);
    CHECK(cg_tissue_positions(world, other, NULL)[0].z > before.z + 5e-3); // lifted
    CHECK(cg_tissue_positions(world, pad, NULL)[0].z < -0.1);              // fallen
    cg_world_destroy(world);
}

static void cut_along_x(cg_world *world, cg_tissue_id id, double y)
{
    cut(world, id, v3(-4e-3, y, 1e-3), v3(4e-3, y, 1e-3), v3(0, 0, -3.1e-3));
}

// Two cuts that make the same number of edits give the mesh the same version: who took a state back and cuts elsewhere
// goes on as one who never made the first cut.
TEST(a_world_that_was_taken_back_and_cut_elsewhere_goes_on_as_if_it_had_not_been_cut)
{
    cg_world *worlds[2];
    cg_tissue_id pads[2];
    cg_tissue_def def = pad_def();
    def.size = v3(20e-3, 14e-3, 0);
    def.fix_rim = true;
    def.max_nodes = 4000;
    for (int k = 0; k < 2; k++) {
        worlds[k] = make_world(200);
        pads[k] = add(worlds[k], &def);
        step(worlds[k], 20);
    }
    size_t size = cg_world_snapshot_size(worlds[0]);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(worlds[0], bytes, size).message, "");
    cut_along_x(worlds[0], pads[0], 1e-3);
    step(worlds[0], 3);
    uint64_t version = cg_tissue_topology_version(worlds[0], pads[0]);
    for (int k = 0; k < 2; k++) {
        CHECK_STR(cg_world_restore(worlds[k], bytes, size).message, "");
        cut_along_x(worlds[k], pads[k], -1e-3);
    }
    CHECK(cg_tissue_topology_version(worlds[0], pads[0]) == version); // or the test shows nothing
    for (int i = 0; i < 10; i++) {
        step(worlds[0], 1);
        step(worlds[1], 1);
        CHECK_HASH(cg_world_state_hash(worlds[0]), cg_world_state_hash(worlds[1]));
    }
    free(bytes);
    cg_world_destroy(worlds[0]);
    cg_world_destroy(worlds[1]);
}
