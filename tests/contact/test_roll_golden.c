// label: golden
// A knot whose thread friction turns: its state as a snapshot, and the same bits from every compiler and optimisation
// level. A change of the hashes needs its reason in the commit.
#include "contact/knot_rig.h"

static bool tie_overhand(knot_rig *rig, bool friction_torque)
{
    cg_curve_def curve = cg_curve_def_default();
    curve.kind = CG_CURVE_OVERHAND;
    curve.spacing = 2 * curve.radius;
    curve.gap = 3 * curve.radius;
    curve.tail = 5e-3;
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 150;
    world.friction_torque = friction_torque;
    world.time_step = 2.5e-4;
    cg_thread_def thread = cg_thread_def_default();
    thread.friction = 0.25;
    return knot_rig_tie(rig, &curve, &world, &thread);
}

static void pull(knot_rig *rig, int steps)
{
    for (int step = 0; step < steps; step++) {
        for (int end = 0; end < 2; end++) {
            cg_thread_id id;
            int vertex = knot_rig_pulled_vertex(rig, end, &id);
            double way = 0.15 * (cg_world_time(rig->world) + 2.5e-4);
            cg_vec3 from = rig->start[rig->first[rig->curve.pulled[end].thread] + vertex];
            cg_thread_hold(rig->world, id, vertex, v3_add_scaled(from, way, rig->curve.pull[end]));
        }
        cg_world_step(rig->world);
    }
}

// Spin is part of the state: it makes the hash, and a restored world goes on as the first did.
TEST(a_snapshot_holds_the_spin)
{
    knot_rig rig;
    if (!CHECK(tie_overhand(&rig, true))) {
        return;
    }
    pull(&rig, 60);
    size_t size = cg_world_snapshot_size(rig.world);
    unsigned char *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(rig.world, bytes, size).message, "");
    uint64_t then = cg_world_state_hash(rig.world);
    pull(&rig, 20);
    uint64_t later = cg_world_state_hash(rig.world);
    CHECK_STR(cg_world_restore(rig.world, bytes, size).message, "");
    CHECK_HASH(cg_world_state_hash(rig.world), then);
    pull(&rig, 20);
    CHECK_HASH(cg_world_state_hash(rig.world), later);
    CHECK(cg_world_get_stats(rig.world).working_contacts > 0);
    // A world in which friction turns nothing has no place for it.
    knot_rig plain;
    if (CHECK(tie_overhand(&plain, false))) {
        uint64_t before = cg_world_state_hash(plain.world);
        CHECK(cg_world_snapshot_size(plain.world) < size);
        CHECK(cg_world_restore(plain.world, bytes, size).code != CG_OK);
        CHECK_HASH(cg_world_state_hash(plain.world), before);
    }
    free(bytes);
    knot_rig_free(&rig);
    knot_rig_free(&plain);
}

TEST(an_overhand_that_friction_turns)
{
    knot_rig rig;
    bool good = CHECK(tie_overhand(&rig, true));
    for (int part = 0; good && part < 3; part++) {
        pull(&rig, 40);
        CHECK_GOLDEN(cg_world_state_hash(rig.world));
    }
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    knot_rig_free(&rig);
}
