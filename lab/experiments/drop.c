// A pad is let go under its own weight, comes to rest, and comes home when the weight is taken away.
//
// In the middle of a wide pad on a fixed ground nothing can give way sideways: the top sinks by r g h^2 / (2 M), with
// M = E (1 - nu) / ((1 + nu)(1 - 2 nu)) = 1.2 E at Poisson's ratio 1/4. In a narrow column everything can: there it is
// r g h^2 / (2 E), less what the ground holds together. A body in free fall falls as Galilei says.
#include <math.h>
#include <stdio.h>

#include "experiments/tissue_rig.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_drop = {
    .name = "drop",
    .summary = "a pad under its own weight: rest, and return",
    .source = "a layer, and a column, that carry their own weight",
    .run = run,
};

static const double YOUNG = 20e3, DENSITY = 1000, GRAVITY = 9.81;

static double furthest_from_home(const cg_tissue *tissue)
{
    double furthest = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        furthest = fmax(furthest, v3_distance(tissue->mesh->position[i], tissue->mesh->home[i]));
    }
    return furthest;
}

static void carry(cg_report *report, const char *what, double side, double height, double spacing, double modulus,
                  double tolerance)
{
    cg_tissue_def def = cg_block_def(side, side, height, spacing);
    def.layers[0].material.young = YOUNG;
    def.fix_bottom = true;
    cg_tissue *pad = cg_rig_make_tissue(&def, report);
    cg_vec3 gravity = v3(0, 0, -GRAVITY);
    if (!pad || !cg_rig_settle_tissue(pad, 5e-3, gravity, 8000, report)) {
        cg_tissue_destroy(pad);
        return;
    }
    int middle = cg_rig_node_at(pad, v3_zero());
    double sunk = pad->mesh->home[middle].z - pad->mesh->position[middle].z;
    double weight = DENSITY * side * side * height * GRAVITY;
    cg_report_check(report, 1e6 * DENSITY * GRAVITY * height * height / (2 * modulus), 1e6 * sunk, tolerance, "um",
                    "the top of a %s sinks by", what);
    cg_report_check(report, 1e3 * weight, -1e3 * cg_rig_reaction(pad, 2, -INFINITY).z, 1e-9, "mN",
                    "the ground under a %s carries", what);
    if (cg_rig_settle_tissue(pad, 5e-3, v3_zero(), 8000, report)) {
        cg_report_check(report, 0, 1e6 * furthest_from_home(pad), 1e-6, "um", "a %s without weight, away from home",
                        what);
    }
    cg_tissue_destroy(pad);
}

static void fall(cg_report *report)
{
    enum { STEPS = 200 };
    double h = 1e-3;
    cg_tissue_def def = cg_block_def(20e-3, 20e-3, 6e-3, 2e-3);
    def.drag = 0;
    cg_tissue *pad = cg_rig_make_tissue(&def, report);
    if (!pad) {
        return;
    }
    int number = cg_report_add_plot(report, "A pad in free fall", "time [s]", "fallen [mm]");
    cg_plot *plot = &report->plots[number];
    int line = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "g t^2 / 2");
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");
    for (int step = 1; step <= STEPS; step++) {
        cg_tissue_step(pad, h, v3(0, 0, -GRAVITY));
        if (step % 10 == 0) {
            double fallen = pad->mesh->home[0].z - pad->mesh->position[0].z, time = step * h;
            cg_plot_add_point(plot, line, time, 1e3 * GRAVITY * time * time / 2);
            cg_plot_add_point(plot, series, time, 1e3 * fallen);
        }
    }
    double time = STEPS * h;
    cg_report_check(report, 1e3 * GRAVITY * time * time / 2, 1e3 * (pad->mesh->home[0].z - pad->mesh->position[0].z),
                    0.01, "mm", "fallen in 0.2 s");
    cg_tissue_destroy(pad);
}

static void run(cg_report *report)
{
    carry(report, "wide layer", 40e-3, 5e-3, 1.25e-3, 1.2 * YOUNG, 0.05);
    carry(report, "column", 6e-3, 30e-3, 1.5e-3, YOUNG, 0.05);
    fall(report);
}
