// label: golden
// The same bits of a knot from every compiler and optimisation level. A change of these numbers needs its reason in the
// commit.
#include "contact/knot_rig.h"

static void run_and_look(bool overhand)
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
        CHECK_GOLDEN(cg_world_state_hash(rig.world));
    }
    CHECK(cg_world_get_stats(rig.world).working_contacts > 5);
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    knot_rig_free(&rig);
}

// An overhand that is pulled, let go and pulled again, in a thread whose spacing follows: segments split and merge.
TEST(overhand_whose_spacing_follows)
{
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
        CHECK_GOLDEN(cg_world_state_hash(rig.world));
    }
    CHECK(edits > 60);
    CHECK_INT(cg_world_get_stats(rig.world).recovered_steps, 0);
    knot_rig_free(&rig);
}

TEST(reef_of_two_threads)
{
    run_and_look(false);
}

TEST(overhand)
{
    run_and_look(true);
}
