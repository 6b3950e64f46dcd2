// Edits of a mesh that touches something: what they did not touch stays as it is, to the bit.
#include <stdlib.h>
#include <string.h>

#include "meet_rig.h"

// A block on a slope of 0.25 that friction of 0.3 holds, at one end of a long pad; a ball is pressed into the pad in
// the middle.
typedef struct slope {
    cg_world *world;
    cg_tissue_id pad, block;
} slope;

static slope begin(void)
{
    slope s = {.world = meet_world(v3(0, 0, -9.81))};
    cg_tissue_def pad = meet_pad(40e-3, 12e-3, 4e-3), block = meet_pad(6e-3, 4e-3, 2e-3);
    pad.friction = 0.9;
    block.friction = 0.1; // the geometric mean counts
    block.fix_bottom = false;
    block.pose.position = v3(-13.3e-3, 0.2e-3, 2.15e-3);
    s.pad = meet_add(s.world, &pad);
    s.block = meet_add(s.world, &block);
    cg_shape_def ball = cg_shape_def_default();
    cg_shape_id id;
    ball.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = 2e-3};
    ball.pose.position = v3(0.3e-3, 0.1e-3, 1.8e-3);
    CHECK_STR(cg_world_add_shape(s.world, &ball, &id).message, "");
    for (int step = 0; step < 300; step++) {
        double slant = 0.25 * (step < 100 ? step / 100.0 : 1);
        cg_world_set_gravity(s.world, v3(9.81 * slant / sqrt(1 + slant * slant), 0, -9.81 / sqrt(1 + slant * slant)));
        cg_world_step(s.world);
    }
    return s;
}

// Across the pad at its far end, from one place to another [m].
static void cut_far_away(const slope *s, double from, double to)
{
    const cg_vec3 path[2] = {{14e-3, from, 1e-3}, {14.3e-3, to, 1e-3}}, down[2] = {{0, 0, -4.2e-3}, {0, 0, -4.2e-3}};
    CHECK_STR(cg_tissue_cut(s->world, s->pad, path, down, 2, NULL).message, "");
}

// [m] along x, of the nodes of a tissue whose homes are in a box about the place of the block.
static double place_along(const slope *s, cg_tissue_id tissue, double lowest)
{
    int count, found = 0;
    double sum = 0;
    const cg_vec3 *x = cg_tissue_positions(s->world, tissue, &count), *home = cg_tissue_homes(s->world, tissue, NULL);
    for (int i = 0; i < count; i++) {
        bool is_there = fabs(home[i].x + 13.3e-3) < 3.1e-3 && fabs(home[i].y) < 2.5e-3 && home[i].z > lowest;
        sum += is_there ? x[i].x : 0;
        found += is_there;
    }
    return sum / found;
}

// Of the block on the skin below it.
static double slip_of(const slope *s)
{
    return place_along(s, s->block, -1) - place_along(s, s->pad, -1e-6);
}

enum { MOST_CONTACTS = 256 };

static int contacts_of(const slope *s, cg_contact_info *contacts)
{
    int count = 0;
    while (count < MOST_CONTACTS && cg_tissue_get_contact(s->world, s->pad, count, &contacts[count])) {
        count++;
    }
    return count;
}

static bool is_same(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

TEST(contacts_elsewhere_stay_to_the_bit)
{
    static cg_contact_info before[MOST_CONTACTS], after[MOST_CONTACTS];
    slope s = begin();
    int count = contacts_of(&s, before), nodes;
    CHECK(count > 8);
    const cg_vec3 *x = cg_tissue_positions(s.world, s.pad, &nodes);
    cg_vec3 *places = malloc((size_t)nodes * sizeof *places);
    memcpy(places, x, (size_t)nodes * sizeof *places);
    uint64_t version = cg_tissue_topology_version(s.world, s.pad);
    cut_far_away(&s, -8e-3, 1e-3);
    CHECK(cg_tissue_topology_version(s.world, s.pad) != version);
    CHECK_INT(contacts_of(&s, after), count);
    for (int i = 0; i < count; i++) {
        CHECK(is_same(before[i].force, after[i].force) && is_same(before[i].normal, after[i].normal));
        CHECK(before[i].gap == after[i].gap);
    }
    x = cg_tissue_positions(s.world, s.pad, NULL);
    CHECK(memcmp(places, x, (size_t)nodes * sizeof *places) == 0);
    free(places);
    cg_world_destroy(s.world);
}

// In the next step, before the motion of the cut has come so far, it stands as it stood.
TEST(a_block_that_friction_holds_does_not_slip_by_an_edit_elsewhere)
{
    slope s = begin();
    double start = slip_of(&s), farthest = 0;
    cut_far_away(&s, -8e-3, 1e-3);
    cg_world_step(s.world);
    CHECK(fabs(slip_of(&s) - start) < 1e-15);
    for (int step = 0; step < 200; step++) {
        cg_world_step(s.world);
        farthest = fmax(farthest, fabs(slip_of(&s) - start));
    }
    CHECK(farthest < 1e-8);
    cg_world_destroy(s.world);
}

// The list of what may touch after an edit is the one that a world has that is restored right after it.
TEST(a_world_restored_after_an_edit_goes_on_with_the_same_bits)
{
    slope s = begin();
    cut_far_away(&s, -8e-3, 1e-3);
    size_t size = cg_world_snapshot_size(s.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(s.world, bytes, size).message, "");
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        for (int step = 0; step < 60; step++) {
            cg_world_step(s.world);
        }
        hashes[k] = cg_world_state_hash(s.world);
        CHECK_STR(cg_world_restore(s.world, bytes, size).message, "");
    }
    CHECK_HASH(hashes[1], hashes[0]);
    free(bytes);
    cg_world_destroy(s.world);
}
