// label: golden
// The finders give the same bits with every compiler at every level: one hash of all that they say of a fixed scene.
#include <stdio.h>

#include "base/hash.h"
#include "collide/contacts.h"
#include "collide/safe_motion.h"
#include "laid_out.h"
#include "tangle.h"

enum { MOST = 20000 };

static tangle t;
static cg_broad broad;
static cg_pair_list pairs;
static cg_contact_finder finder;
static cg_contact_list contacts;
static cg_shape_contact_list shape_contacts;
static cg_motion_finder motion;

static void lay_out(cg_arena *arena, int unused)
{
    (void)unused;
    cg_broad_layout(&broad, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, MOST, arena);
    cg_pair_list_layout(&pairs, MOST, arena);
    cg_contact_finder_layout(&finder, MOST, arena);
    cg_contact_list_layout(&contacts, MOST, arena);
    cg_shape_contact_list_layout(&shape_contacts, MOST, arena);
    cg_motion_finder_layout(&motion, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, arena);
}

static void add_vector(cg_hash *hash, cg_vec3 v)
{
    cg_hash_add_double(hash, v.x);
    cg_hash_add_double(hash, v.y);
    cg_hash_add_double(hash, v.z);
}

static void add_pair(cg_hash *hash, const cg_segment_pair *pair)
{
    cg_hash_add_u64(hash, (uint64_t)pair->chain_a);
    cg_hash_add_u64(hash, (uint64_t)pair->segment_a);
    cg_hash_add_u64(hash, (uint64_t)pair->chain_b);
    cg_hash_add_u64(hash, (uint64_t)pair->segment_b);
}

static void add_contacts(cg_hash *hash)
{
    for (int i = 0; i < pairs.count; i++) {
        add_pair(hash, &pairs.items[i]);
    }
    for (int i = 0; i < contacts.count; i++) {
        const cg_contact *c = &contacts.items[i];
        add_pair(hash, &c->pair);
        cg_hash_add_double(hash, c->s);
        cg_hash_add_double(hash, c->t);
        cg_hash_add_double(hash, c->gap);
        add_vector(hash, c->normal);
    }
    for (int i = 0; i < shape_contacts.count; i++) {
        const cg_shape_contact *c = &shape_contacts.items[i];
        cg_hash_add_u64(hash, (uint64_t)c->segment);
        cg_hash_add_double(hash, c->t);
        cg_hash_add_double(hash, c->gap);
        add_vector(hash, c->normal);
    }
}

static void add_motion(cg_hash *hash, const cg_moving_shape *shapes, uint64_t *state)
{
    static cg_vec3 moves[2][TANGLE_POINTS];
    const cg_vec3 *pointers[2] = {moves[0], moves[1]};
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < t.chains[c].count; i++) {
            moves[c][i] = random_vec3(state, 0.5);
        }
    }
    cg_motion_rule rule = motion_rule_default();
    rule.freeze = -100; // the scene overlaps as it is drawn
    for (int shape_count = 0; shape_count <= 2; shape_count += 2) {
        cg_safe_motion found = cg_safe_motion_find(&motion, &rule, t.chains, pointers, 2, shapes, shape_count);
        CHECK(found.fraction > 0);
        cg_hash_add_double(hash, found.fraction);
        cg_hash_add_u64(hash, (uint64_t)found.looks);
        cg_hash_add_u64(hash, (uint64_t)found.pairs);
        add_pair(hash, &found.pair);
    }
}

TEST(all_finders_give_these_bits)
{
    void *memory = take_laid_out(lay_out, 0);
    uint64_t state = 101;
    cg_hash hash = cg_hash_begin();
    cg_contact_rule rule = contact_rule_default();
    for (int round = 0; round < 5; round++) {
        t.count = 2;
        tangle_wander(&t, 0, 200, 1, 1, 14, 0.3, &state);
        tangle_wander(&t, 1, 150, 0.5, 1.5, 14, 0.4, &state);
        cg_transform pose = {v3(3, 2, 1), quat_from_axis_angle(v3(0, 0.6, 0.8), 1.1)}, after = pose;
        after.position = v3(3, 2.1, 1);
        after.rotation = quat_from_axis_angle(v3(0, 0.6, 0.8), 1.15);
        cg_placed_shape placed[2] = {{shape_capsule(2, 5), pose}, {shape_box(v3(4, 5, 3)), pose}};
        cg_moving_shape moving[2] = {{.shape = shape_capsule(0.5, 2), .before = pose, .after = after},
                                     {.shape = shape_box(v3(1, 2, 1)), .before = pose, .after = after}};
        CHECK(cg_broad_find(&broad, t.chains, 2, 1, &pairs));
        CHECK(cg_contacts_find(&finder, &rule, t.chains, &pairs, NULL, &contacts));
        CHECK(cg_shape_contacts_find(&finder, &rule, t.chains, 2, placed, 2, 1, &shape_contacts));
        CHECK(contacts.count > 20 && shape_contacts.count > 10);
        add_contacts(&hash);
        add_motion(&hash, moving, &state);
    }
    CHECK_GOLDEN(cg_hash_end(&hash));
    give_laid_out(memory);
}
