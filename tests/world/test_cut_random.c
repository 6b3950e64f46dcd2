// label: slow
// Random cuts through tissue that is pressed and grasped while it moves: straight and curved, across each other,
// shallow and through, by calls and by blades, with burns between; pieces become tissues of their own, states are saved
// and restored. After each: meshes are valid, no mass is lost, hands hold nodes that exist; and the steps between are
// sound.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

enum { KINDS = 4, MOST_TISSUES = 12 };

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_shape_id probe;
    cg_blade blade;
    double mass; // [kg] that everything began with
} rig;

typedef struct tally {
    int cuts, full, parted, separated, restored, burnt, pressed, held;
} tally;

static cg_tissue_def def_of(int kind, uint64_t *random)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(16e-3, 12e-3, 4e-3);
    def.layers[0].thickness = 4e-3;
    def.max_nodes = test_random_int(random, 0, 4) == 0 ? 0 : 1200; // now and then room runs out
    if (kind == 1) {
        def.shape = CG_TISSUE_VESSEL;
        def.radius = 4e-3;
        def.wall = 1.2e-3;
        def.length = 16e-3;
        def.fix_rim = true;
        def.fix_bottom = false;
    } else if (kind == 2) {
        def.shape = CG_TISSUE_BOX;
    } else if (kind == 3) {
        def.shape = CG_TISSUE_GRID;
        def.model = CG_TISSUE_SHEET;
        def.fix_rim = true;
        def.layers[0].thickness = 0.5e-3;
    } else if (test_random_int(random, 0, 1) == 1) {
        def.fix_rim = true;
        def.tension = 0.1;
        def.fix_bottom = false;
    }
    return def;
}

static rig make_rig(int kind, uint64_t *random)
{
    rig r = {0};
    cg_world_def world_def = cg_world_def_default();
    world_def.max_contacts = 100;
    world_def.max_tissues = MOST_TISSUES;
    CHECK_STR(cg_world_create(&world_def, &r.world).message, "");
    cg_tissue_def def = def_of(kind, random);
    cg_tissue_id id;
    CHECK_STR(cg_world_add_tissue(r.world, &def, &id).message, "");
    double top = kind == 1 ? 4e-3 : (kind == 2 ? 2e-3 : 0);
    cg_hand_def hand_def = cg_hand_def_default();
    hand_def.pose.position = v3(-5e-3, 3e-3, top);
    CHECK_STR(cg_world_add_hand(r.world, &hand_def, &r.hand).message, "");
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    cg_shape_def shape_def = cg_shape_def_default();
    shape_def.shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = 1.5e-3};
    shape_def.pose.position = v3(2e-3, 0, top + 2e-3);
    CHECK_STR(cg_world_add_shape(r.world, &shape_def, &r.probe).message, "");
    cg_blade_begin(&r.blade);
    r.mass = cg_tissue_get_summary(r.world, id).mass;
    return r;
}

static cg_tissue_slot *random_tissue(const rig *r, uint64_t *random)
{
    cg_tissue_slot *slot = cg_world_first_tissue(r->world);
    for (int k = test_random_int(random, 0, r->world->tissues.count - 1); k > 0; k--) {
        slot = cg_world_next_tissue(r->world, slot);
    }
    return slot;
}

static cg_vec3 random_place(uint64_t *random, double reach)
{
    double x = test_random(random, -reach, reach), y = test_random(random, -reach, reach);
    return v3(x, y, test_random(random, -reach, reach));
}

// A path of some points around the tissue, with all that can be odd about one now and then.
static void random_cut(rig *r, uint64_t *random, tally *sum)
{
    cg_vec3 path[9], down[9];
    int count = test_random_int(random, 2, 9), odd = test_random_int(random, 0, 15);
    cg_vec3 from = random_place(random, 9e-3), way = random_place(random, 4e-3), turn = random_place(random, 1e-3);
    cg_vec3 deep = random_place(random, 3e-3);
    deep.z = -test_random(random, 1e-3, 14e-3);
    from.z = test_random(random, -2e-3, 7e-3);
    if (test_random_int(random, 0, 1) == 0) { // through and through
        from = v3(from.x, -14e-3, 8e-3);
        way = v3(0.3 * way.x, 28e-3 / (count - 1), 0);
        deep = v3(deep.x, deep.y, -20e-3);
    }
    for (int i = 0; i < count; i++) {
        path[i] = v3_add_scaled(v3_add_scaled(from, i, way), (double)(i * i) / count, turn);
        down[i] = v3_add_scaled(deep, 0.2 * i, turn);
        path[i] = odd == 0 ? from : path[i];
        down[i] = odd == 1 ? v3_zero() : (odd == 2 ? way : down[i]);
        path[i].y = odd == 3 ? 2e-3 : path[i].y; // along a plane of nodes
        down[i].y = odd == 3 ? 0 : down[i].y;
    }
    cg_tissue_slot *slot = random_tissue(r, random);
    cg_handle handle = cg_pool_handle_of(&r->world->tissues, slot);
    cg_tissue_cut_result result;
    cg_status status =
        cg_tissue_cut(r->world, (cg_tissue_id){handle.index, handle.generation}, path, down, count, &result);
    CHECK(status.code == CG_OK || status.code == CG_FULL);
    sum->cuts++;
    sum->full += status.code == CG_FULL;
    sum->parted += result.parted > 0;
}

static void random_sweep(rig *r, uint64_t *random, tally *sum)
{
    cg_edge edge = {random_place(random, 8e-3), random_place(random, 8e-3)};
    cg_vec3 way = random_place(random, 2e-3);
    edge.heel.z = 9e-3;
    int steps = test_random_int(random, 1, 8);
    cg_blade_begin(&r->blade);
    for (int i = 0; i < steps; i++) {
        cg_vec3 shake = random_place(random, 0.3e-3);
        cg_edge after = {v3_add(edge.tip, v3_add(way, shake)), v3_add(edge.heel, way)};
        cg_world_step(r->world);
        cg_world_sweep_blade(r->world, &r->blade, edge, after);
        edge = after;
    }
    cg_world_end_blade(r->world, &r->blade);
    sum->cuts++;
    sum->full += r->blade.full > 0;
    sum->parted += r->blade.area > 0;
}

static void random_burn(rig *r, uint64_t *random, tally *sum)
{
    cg_vec3 from = random_place(random, 7e-3), to = random_place(random, 7e-3);
    cg_burn burn = {from, to, 2e-3, test_random(random, 1e3, 3e5)};
    sum->burnt += cg_world_sweep_hook(r->world, &burn).removed > 0;
}

static void separate(rig *r, uint64_t *random, tally *sum)
{
    cg_tissue_slot *slot = random_tissue(r, random);
    cg_handle handle = cg_pool_handle_of(&r->world->tissues, slot);
    int node = test_random_int(random, 0, slot->tissue->mesh->node_count - 1),
        pieces = cg_tissue_find_pieces(slot->tissue);
    cg_tissue_id other;
    cg_status status =
        cg_world_separate_tissue(r->world, (cg_tissue_id){handle.index, handle.generation}, node, &other);
    bool is_full = r->world->tissues.count == MOST_TISSUES;
    CHECK(status.code == (pieces < 2 ? CG_BAD_INPUT : CG_OK) || (is_full && status.code == CG_FULL));
    sum->separated += status.code == CG_OK;
}

// Saved, driven on, restored: the same state.
static void go_back(rig *r, tally *sum)
{
    size_t size = cg_world_snapshot_size(r->world);
    unsigned char *bytes = malloc(size);
    uint64_t hash = cg_world_state_hash(r->world);
    CHECK_STR(cg_world_snapshot(r->world, bytes, size).message, "");
    cg_world_step(r->world);
    CHECK_STR(cg_world_restore(r->world, bytes, size).message, "");
    CHECK(cg_world_state_hash(r->world) == hash);
    free(bytes);
    sum->restored++;
}

static void move_things(rig *r, uint64_t *random)
{
    cg_vec3 place = random_place(random, 5e-3), pull = random_place(random, 6e-3);
    cg_transform probe = {place, {0, 0, 0, 1}}, hand = {pull, {0, 0, 0, 1}};
    hand.position.z = fabs(pull.z);
    cg_hand_move(r->world, r->hand, hand, 0.02);
    if (test_random_int(random, 0, 5) == 0) {
        cg_hand_open(r->world, r->hand);
        cg_hand_close(r->world, r->hand);
    }
    for (int k = 0; k < 3; k++) {
        cg_transform now = cg_shape_get_pose(r->world, r->probe);
        probe.position = v3_add_scaled(now.position, 0.2, v3_sub(place, now.position));
        cg_shape_move(r->world, r->probe, probe);
        cg_world_step(r->world);
    }
}

static bool check_all(const rig *r, tally *sum)
{
    double mass = 0, fastest = 0;
    cg_hand_state hand = cg_hand_get_state(r->world, r->hand);
    for (cg_tissue_slot *s = cg_world_first_tissue(r->world); s != NULL; s = cg_world_next_tissue(r->world, s)) {
        const cg_mesh *mesh = s->tissue->mesh;
        cg_status status = cg_mesh_validate(mesh);
        if (!CHECK(status.code == CG_OK)) {
            fprintf(stderr, "%s\n", status.message);
            return false;
        }
        mass += cg_mesh_total_mass(mesh) + mesh->removed_mass;
        fastest = fmax(fastest, cg_tissue_fastest(s->tissue));
        sum->pressed += s->press->count > 0;
    }
    for (cg_hand *h = cg_pool_first(&r->world->hands); h != NULL; h = cg_pool_next(&r->world->hands, h)) {
        const cg_tissue_slot *slot = cg_pool_get(&r->world->tissues, h->tissue);
        for (int k = 0; k < h->patch_count; k++) {
            CHECK(slot != NULL && h->patch[k] >= 0 && h->patch[k] < slot->tissue->mesh->node_count);
        }
    }
    sum->held += hand.node_count > 0;
    CHECK_INT(cg_world_get_stats(r->world).recovered_tissue_steps, 0);
    return CHECK_NEAR(mass, r->mass, 1e-11 * r->mass) && CHECK(fastest < 100);
}

TEST(random_cuts_during_contact_and_grasp_keep_everything_that_must_hold)
{
    uint64_t random = 2026;
    int total = test_counts(240, 90, 10000), round = 0;
    tally sum = {0};
    bool sound = true;
    for (; sum.cuts < total && sound; round++) {
        rig r = make_rig(round % KINDS, &random);
        for (int k = 0; k < 24 && sum.cuts < total && sound; k++) {
            move_things(&r, &random);
            int choice = test_random_int(&random, 0, 11);
            if (choice < 6) {
                random_cut(&r, &random, &sum);
            } else if (choice < 8) {
                random_sweep(&r, &random, &sum);
            } else if (choice < 9) {
                random_burn(&r, &random, &sum);
            } else if (choice < 11) {
                separate(&r, &random, &sum);
            } else {
                go_back(&r, &sum);
            }
            sound = check_all(&r, &sum);
        }
        cg_world_destroy(r.world);
    }
    printf(
        "%d rounds, %d cuts (%d parted something, %d found no room), %d separated, %d restored, %d burnt, pressed %d "
        "times, held %d times\n",
        round, sum.cuts, sum.parted, sum.full, sum.separated, sum.restored, sum.burnt, sum.pressed, sum.held);
    CHECK(sum.parted > total / 4 && sum.separated > total / 40 && sum.restored > 0 && sum.burnt > 0);
    CHECK(sum.pressed > total / 20 && sum.held > total / 20);
}
