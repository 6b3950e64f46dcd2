// A thread held on a pad and drawn down over its edge, where all of it hangs on a sharp lip: tissue that gives way by
// half a millimetre, from soft with a small pull to firm with a large one, in steps of three lengths. It comes to rest,
// and the dent does not depend on the step. Beside it the same with thread and tissue that answer each other one step
// late, as two engines side by side do: some of it never rests.
#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"
#include "world/world.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_over_a_lip = {
    .name = "over_a_lip",
    .summary = "a thread drawn over the edge of soft tissue: rest, and a dent that is the same at every step",
    .source = "convergence: steps of 0.5, 1 and 2 ms among each other",
    .run = run,
};

enum { VERTICES = 81, LIPS = 3, STEPS = 3 };
static const double youngs[LIPS] = {30e3, 300e3, 3e6}; // [Pa] about 50, 500 and 5000 N/m under the thread
static const double pulls[LIPS] = {0.03, 0.3, 3};      // [N]
static const double time_steps[STEPS] = {1e-3, 0.5e-3, 2e-3};

typedef struct outcome {
    double dent;   // [m]
    double motion; // [m] in the last step
    double unfinished;
} outcome;

static bool build(cg_world **world, cg_tissue_id *pad_id, cg_thread_id *id, int lip, double time_step)
{
    cg_world_def world_def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = vec(0.3e-3, -6e-3 + 0.4e-3 * i, 1.5 * thread.radius);
    }
    world_def.time_step = time_step;
    world_def.gravity = vec(0, 0, 0);
    pad.size = vec(20e-3, 16e-3, 0);
    pad.layers[0].thickness = 8e-3;
    pad.layers[0].material.young = youngs[lip];
    pad.friction = thread.friction = 0.3;
    thread.drag = 20;
    thread.vertex_count = VERTICES;
    thread.positions = points;
    bool built = cg_world_create(&world_def, world).code == CG_OK &&
                 cg_world_add_tissue(*world, &pad, pad_id).code == CG_OK &&
                 cg_world_add_thread(*world, &thread, id).code == CG_OK;
    for (int v = 0; v < 2 && built; v++) {
        cg_thread_hold(*world, *id, v, points[v]);
    }
    return built;
}

static double dent_of(const cg_world *world, cg_tissue_id pad)
{
    int nodes;
    const cg_vec3 *now = cg_tissue_positions(world, pad, &nodes), *home = cg_tissue_homes(world, pad, NULL);
    double dent = 0;
    for (int i = 0; i < nodes; i++) {
        dent = fmax(dent, vec_length(vec_sub(now[i], home[i])));
    }
    return dent;
}

// A thread meets the tissue as if nothing could move it, and the tissue bears the force afterwards.
static void answer_late(cg_world *world)
{
    for (int k = 0; k < world->touches.cast.skin_count; k++) {
        world->touches.cast.skins[k]->is_late = true;
    }
}

static outcome draw(int lip, double time_step, bool is_late, cg_report *report)
{
    cg_world *world = NULL;
    cg_tissue_id pad;
    cg_thread_id id;
    outcome result = {NAN, NAN, NAN};
    if (!build(&world, &pad, &id, lip, time_step)) {
        cg_report_trouble(report, "the world could not be built");
        cg_world_destroy(world);
        return result;
    }
    if (is_late) {
        answer_late(world);
    }
    int steps = (int)(0.8 / time_step + 0.5);
    cg_vec3 before = {0, 0, 0};
    for (int step = 0; step < steps; step++) {
        double pull = pulls[lip] * fmin(1, step * time_step / 0.2);
        before = cg_thread_positions(world, id, NULL)[VERTICES - 1];
        cg_thread_push_vertex(world, id, VERTICES - 1, vec(0, 0.866 * pull, -0.5 * pull));
        cg_world_step(world);
    }
    result.dent = dent_of(world, pad);
    result.motion = vec_length(vec_sub(cg_thread_positions(world, id, NULL)[VERTICES - 1], before));
    result.unfinished = (double)cg_world_get_stats(world).unfinished_steps;
    cg_world_destroy(world);
    return result;
}

// True when a cell does not come to rest, takes steps back, or has another dent.
static bool fails_late(int lip, int k, double dent, cg_report *report)
{
    outcome late = draw(lip, time_steps[k], true, report);
    return !(late.motion < 1e-9 && late.unfinished == 0 && fabs(late.dent - dent) < 0.02 * dent);
}

static void run(cg_report *report)
{
    int failed = 0;
    for (int lip = 0; lip < LIPS; lip++) {
        double dent = NAN;
        for (int k = 0; k < STEPS; k++) {
            outcome result = draw(lip, time_steps[k], false, report);
            double h = 1e3 * time_steps[k], kpa = 1e-3 * youngs[lip];
            dent = k == 0 ? result.dent : dent;
            cg_report_check(report, dent, result.dent, 0.02, "m", "dent, %g kPa by %g N, %g ms", kpa, pulls[lip], h);
            cg_report_check(report, 0, result.motion, 1e-9, "m", "motion in a step, %g kPa, %g ms", kpa, h);
            cg_report_check(report, 0, result.unfinished, 0, "1", "steps taken back, %g kPa, %g ms", kpa, h);
            failed += fails_late(lip, k, dent, report);
        }
    }
    cg_report_check(report, 1, failed > 0, 0.01, "1", "cells fail when the exchange is one step late (%d of 9)",
                    failed);
}
