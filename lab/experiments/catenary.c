// A long soft thread between two pegs hangs as a catenary.
#include "experiments/rig.h"
#include "support/elastica.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_catenary = {
    .name = "catenary",
    .summary = "a long soft thread between two pegs: sag, pulls and slope",
    .source = "catenary; Huygens, Leibniz, Johann Bernoulli 1691",
    .run = run,
};

enum { SPANS = 3, VERTICES = 201 };
static const double spans[SPANS] = {0.5, 0.8, 0.95};
static const double published_scale[SPANS] = {0.114820, 0.338202, 0.851862};
static const double published_sag[SPANS] = {0.398194, 0.265438, 0.135898};
static const double published_tension[SPANS] = {0.513014, 0.603639, 0.987760};
static const double published_slope[SPANS] = {77.0668, 55.9254, 30.4108};

// Two straight halves with the right length between the pegs.
static void lay_wedge(cg_vec3 *positions, double length, double span)
{
    double depth = sqrt(1 - span * span) / 2;
    for (int i = 0; i < VERTICES; i++) {
        double s = (double)i / (VERTICES - 1);
        positions[i] = vec(length * span * s, 0, -length * depth * (1 - fabs(2 * s - 1)));
    }
}

static void plot_shapes(cg_plot *plot, const cg_rig *rig, int k)
{
    static const cg_hue hues[SPANS] = {CG_BLUE, CG_VERMILION, CG_GREEN};
    cg_catenary exact = cg_catenary_of_span(spans[k]);
    char label[48];
    snprintf(label, sizeof label, "d / L = %g, measured", spans[k]);
    int curve = cg_plot_add_series(plot, CG_SERIES_LINE, CG_INK, k == 0 ? "catenary" : "");
    for (int i = 0; i <= 100; i++) {
        double x = spans[k] * (i / 100.0 - 0.5);
        cg_plot_add_point(plot, curve, x, exact.scale * (cosh(x / exact.scale) - 1) - exact.sag);
    }
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, hues[k], label);
    for (int i = 0; i < VERTICES; i += 10) {
        cg_vec3 point = vec_scale(1 / rig->rod.length, cg_rig_points(rig)[i]);
        cg_plot_add_point(plot, series, point.x - spans[k] / 2, point.z);
    }
}

static void measure(cg_report *report, const cg_rig *rig, int k)
{
    cg_catenary exact = cg_catenary_of_span(spans[k]);
    double weight = rig->rod.linear_density * rig->rod.length * -rig->rod.gravity.z;
    double sag = -cg_rig_points(rig)[VERTICES / 2].z / rig->rod.length;
    cg_vec3 force = vec_scale(1 / weight, cg_thread_hold_force(rig->world, rig->thread, VERTICES - 1));
    double slope = atan2(force.z, force.x) * 180 / CG_PI;
    const double tolerance = 0.005;
    cg_report_add(
        report,
        (cg_quantity){
            .published = published_sag[k], .expected = exact.sag, .measured = sag, .tolerance = tolerance, .unit = "L"},
        "sag, d/L = %g", spans[k]);
    cg_report_add(report,
                  (cg_quantity){.published = published_scale[k],
                                .expected = exact.scale,
                                .measured = force.x,
                                .tolerance = tolerance,
                                .unit = "w L"},
                  "horizontal pull, d/L = %g", spans[k]);
    cg_report_add(report,
                  (cg_quantity){.published = published_tension[k],
                                .expected = exact.tension,
                                .measured = vec_length(force),
                                .tolerance = tolerance,
                                .unit = "w L"},
                  "largest pull, d/L = %g", spans[k]);
    cg_report_add(report,
                  (cg_quantity){.published = published_slope[k],
                                .expected = exact.slope * 180 / CG_PI,
                                .measured = slope,
                                .tolerance = tolerance,
                                .unit = "deg"},
                  "slope at the pegs, d/L = %g", spans[k]);
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A soft thread between two pegs", "x / L", "z / L");
    report->plots[number].same_scale = true;
    snprintf(report->plots[number].subtitle, sizeof report->plots[number].subtitle,
             "200 segments, every 10th vertex shown; B = 1e-8 w L\u00b3");
    for (int k = 0; k < SPANS; k++) {
        cg_vec3 positions[VERTICES];
        cg_rod rod = cg_rod_default();
        rod.vertex_count = VERTICES;
        rod.length = 1;
        lay_wedge(positions, rod.length, spans[k]);
        rod.positions = positions;
        rod.start = rod.finish = CG_END_PINNED;
        rod.gravity = vec(0, 0, -9.81);
        double weight = rod.linear_density * 9.81 * rod.length;
        rod.bend = 1e-8 * weight * rod.length * rod.length;
        rod.twist = 0;
        rod.stretch = 1e5 * weight;
        rod.sluggishness = 1e5;
        cg_rig rig;
        bool good = cg_rig_open(&rig, &rod, report) && cg_rig_settle(&rig, 1e-10, 4000);
        if (good) {
            measure(report, &rig, k);
            plot_shapes(&report->plots[number], &rig, k);
        }
        cg_rig_close(&rig);
        if (!good) {
            return;
        }
    }
}
