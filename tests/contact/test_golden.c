// label: golden
// The same bits of a knot from every compiler and optimisation level. A change of these numbers needs its reason in the
// commit.
#include "contact/knot_rig.h"

static void run_and_compare(bool overhand, const uint64_t expected[3])
{
    cg_curve_def curve = cg_curve_def_default();
    curve.kind = overhand ? CG_CURVE_OVERHAND : CG_CURVE_REEF;
    curve.thread_count = overhand ? 1 : 2;
    curve.spacing = 2 * curve.radius;
    curve.gap = 3 * curve.radius;
    curve.tail = 5e-3;
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 150;
    world.time_step = overhand ? 2.5e-4 : 1e-3;
    cg_thread_def thread = cg_thread_def_default();
    thread.friction = overhand ? 0.25 : 0.6; // with less the reef slips open at once
    thread.bend_stiffness = overhand ? CG_FROM_MATERIAL : 1e-9;
    knot_rig rig;
    bool good = knot_rig_tie(&rig, &curve, &world, &thread);
    for (int part = 0; good && part < 3; part++) {
        for (int step = 0; step < 40; step++) {
            for (int end = 0; end < 2; end++) {
                cg_thread_id id;
                int vertex = knot_rig_pulled_vertex(&rig, end, &id);
                cg_vec3 from = rig.start[rig.first[rig.curve.pulled[end].thread] + vertex];
                double way = (overhand ? 0.15 : 0.1) * (cg_world_time(rig.world) + world.time_step);
                cg_thread_hold(rig.world, id, vertex, v3_add_scaled(from, way, rig.curve.pull[end]));
            }
            cg_world_step(rig.world);
        }
        CHECK_HASH(cg_world_state_hash(rig.world), expected[part]);
    }
    CHECK(cg_world_get_stats(rig.world).working_contacts > 5);
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    knot_rig_free(&rig);
}

// An overhand that is pulled, let go and pulled again, in a thread whose spacing follows: segments split and merge.
TEST(overhand_whose_spacing_follows)
{
    static const uint64_t expected[3] = {0x841051b039f896c3, 0x995c823a234f5eae, 0x4ebbdebe4d327162};
    cg_curve_def curve = cg_curve_def_default();
    curve.spacing = 2 * curve.radius;
    curve.gap = 4 * curve.radius;
    curve.tail = 8e-3;
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 150;
    cg_thread_def thread = cg_thread_def_default();
    thread.friction = 0.25;
    thread.spacing.follow = true;
    knot_rig rig;
    bool good = knot_rig_tie(&rig, &curve, &world, &thread);
    int edits = 0;
    for (int part = 0; good && part < 3; part++) {
        for (int step = 0; step < 40; step++) {
            double way = 1e-4 * (part == 1 ? 40 - step : step);
            for (int end = 0; end < 2; end++) {
                cg_thread_id id;
                int vertex = knot_rig_pulled_vertex(&rig, end, &id);
                cg_vec3 from = rig.start[rig.curve.pulled[end].last ? rig.point_count - 1 : 0];
                cg_thread_hold(rig.world, id, vertex, v3_add_scaled(from, way, rig.curve.pull[end]));
            }
            cg_world_step(rig.world);
            edits += cg_world_get_stats(rig.world).edits;
        }
        CHECK_HASH(cg_world_state_hash(rig.world), expected[part]);
    }
    CHECK(edits > 60);
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    knot_rig_free(&rig);
}

TEST(reef_of_two_threads)
{
    run_and_compare(false, (const uint64_t[3]){0x9f121417be9e5e85, 0x1e442e1e1f01b8fe, 0x8c2eaee9de91df36});
}

TEST(overhand)
{
    run_and_compare(true, (const uint64_t[3]){0x0c441732a9a2742b, 0x8f360389151c42d8, 0xa5e641a460767651});
}
