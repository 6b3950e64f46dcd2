// A clamped-free column pushed beyond its critical load leans over by an angle that theory gives exactly.
#include "experiments/rig.h"
#include "support/elastica.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_post_buckling = {
    .name = "post_buckling",
    .summary = "how far a column leans over when it is pushed beyond its critical load",
    .source = "elastica in complete elliptic integrals; Euler 1744",
    .run = run,
};

enum { ANGLES = 6, VERTICES = 201 };
static const double angles[ANGLES] = {20, 40, 60, 80, 100, 120}; // [degrees]
static const double published_height[ANGLES] = {0.9697, 0.8812, 0.7410, 0.5594, 0.3490, 0.1232};
static const double published_sway[ANGLES] = {0.2194, 0.4222, 0.5932, 0.7195, 0.7915, 0.8032};

// Slope of the last segment against the upright, carried on over the half segment that is left; nothing bends the tip.
static double tip_angle(const cg_rig *rig)
{
    const cg_vec3 *p = cg_rig_points(rig) + rig->rod.vertex_count - 2;
    return atan2(p[1].z - p[0].z, p[1].x - p[0].x) * 180 / CG_PI;
}

// An arc that leans by half the expected angle: any bend to the right side will do as a start.
static void lay_arc(cg_vec3 *positions, const cg_rod *rod, double lean)
{
    positions[0] = vec(0, 0, 0);
    double segment = rod->length / (rod->vertex_count - 1);
    for (int i = 1; i < rod->vertex_count; i++) {
        double angle = lean * (i - 0.5) / (rod->vertex_count - 1);
        positions[i] = vec_add(positions[i - 1], vec(segment * cos(angle), 0, segment * sin(angle)));
    }
}

static bool run_angle(cg_report *report, cg_plot *plot, int series, int k)
{
    double angle = angles[k] * CG_PI / 180;
    cg_buckled exact = cg_elastica_buckled(angle);
    cg_vec3 positions[VERTICES];
    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    rod.start = CG_END_CLAMPED;
    rod.start_direction = vec(1, 0, 0);
    lay_arc(positions, &rod, angle / 2);
    rod.positions = positions;
    cg_rig rig;
    bool good = cg_rig_open(&rig, &rod, report);
    if (good) {
        double load = exact.load * CG_PI * CG_PI / 4 * rod.bend / (rod.length * rod.length);
        cg_rig_push(&rig, VERTICES - 1, vec(-load, 0, 0));
        good = cg_rig_settle(&rig, 1e-9, 8000);
    }
    if (good) {
        cg_vec3 tip = vec_scale(1 / rod.length, cg_rig_tip(&rig));
        double measured = tip_angle(&rig);
        cg_report_add(
            report,
            (cg_quantity){
                .published = angles[k], .expected = angles[k], .measured = measured, .tolerance = 0.01, .unit = "deg"},
            "tip angle, P/Pcr = %.4f", exact.load);
        cg_report_add(report,
                      (cg_quantity){.published = published_height[k],
                                    .expected = exact.height,
                                    .measured = tip.x,
                                    .tolerance = 0.01,
                                    .unit = "L"},
                      "tip height, P/Pcr = %.4f", exact.load);
        cg_report_add(report,
                      (cg_quantity){.published = published_sway[k],
                                    .expected = exact.sway,
                                    .measured = tip.z,
                                    .tolerance = 0.01,
                                    .unit = "L"},
                      "tip sway, P/Pcr = %.4f", exact.load);
        cg_plot_add_point(plot, series, exact.load, measured);
    }
    cg_rig_close(&rig);
    return good;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A column beyond its critical load", "load / critical load",
                                    "angle of the tip [degrees]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "clamped below, free above, 200 segments");
    int curve = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "elastica");
    cg_plot_add_point(plot, curve, 0.9, 0);
    for (int i = 0; i <= 250; i++) {
        double angle = 0.5 * i + 1e-3;
        cg_plot_add_point(plot, curve, cg_elastica_buckled(angle * CG_PI / 180).load, angle);
    }
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");
    for (int k = 0; k < ANGLES && run_angle(report, plot, series, k); k++) {
    }
}
