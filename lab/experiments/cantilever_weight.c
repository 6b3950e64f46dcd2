// A rod clamped horizontally sags under its own weight.
#include "experiments/rig.h"
#include "support/elastica.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_cantilever_weight = {
    .name = "cantilever_weight",
    .summary = "a clamped rod bent by its own weight",
    .source = "heavy elastica, theta'' = -b (1 - s) cos theta, by shooting",
    .run = run,
};

enum { LOADS = 6 };
static const double loads[LOADS] = {1, 2, 5, 10, 20, 50};
static const double published_drop[LOADS] = {0.123471, 0.238507, 0.495905, 0.700200, 0.829881, 0.907917};
static const double published_draw[LOADS] = {0.008754, 0.033107, 0.153343, 0.343646, 0.554768, 0.754985};

static void plot_exact_shape(cg_plot *plot, double b, bool with_label)
{
    enum { POINTS = 101 };
    double shape[POINTS][2];
    cg_elastica_own_weight(b, shape, POINTS);
    int curve = cg_plot_add_series(plot, CG_SERIES_LINE, CG_INK, with_label ? "exact shape" : "");
    for (int i = 0; i < POINTS; i++) {
        cg_plot_add_point(plot, curve, shape[i][0], shape[i][1]);
    }
}

static void plot_measured_shape(cg_plot *plot, const cg_rig *rig, double b, cg_hue hue)
{
    char label[32];
    snprintf(label, sizeof label, "b = %g", b);
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, hue, label);
    int stride = (rig->rod.vertex_count - 1) / 10;
    for (int i = stride; i < rig->rod.vertex_count; i += stride) {
        cg_vec3 point = vec_scale(1 / rig->rod.length, cg_rig_points(rig)[i]);
        cg_plot_add_point(plot, series, point.x, point.z);
    }
}

static bool run_load(cg_report *report, cg_plot *plot, int k)
{
    cg_rod rod = cg_rod_default();
    rod.vertex_count = 201;
    rod.start = CG_END_CLAMPED;
    double b = loads[k];
    rod.gravity = vec(0, 0, -b * rod.bend / (rod.linear_density * pow(rod.length, 3)));
    cg_rig rig;
    bool good = cg_rig_open(&rig, &rod, report) && cg_rig_settle(&rig, 1e-11, 3000);
    if (good) {
        cg_vec3 tip = vec_scale(1 / rod.length, cg_rig_tip(&rig));
        cg_tip exact = cg_elastica_own_weight(b, NULL, 0);
        cg_report_add(report,
                      (cg_quantity){.published = published_drop[k],
                                    .expected = exact.drop,
                                    .measured = -tip.z,
                                    .tolerance = 0.005,
                                    .unit = "L"},
                      "tip drop, b = %g", b);
        cg_report_add(report,
                      (cg_quantity){.published = published_draw[k],
                                    .expected = exact.draw,
                                    .measured = 1 - tip.x,
                                    .tolerance = 0.005,
                                    .unit = "L"},
                      "tip draw-in, b = %g", b);
        plot_measured_shape(plot, &rig, b, (cg_hue)(CG_BLUE + k));
    }
    cg_rig_close(&rig);
    return good;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "Clamped rod under its own weight", "x / L", "z / L");
    cg_plot *plot = &report->plots[number];
    plot->same_scale = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "200 segments, every 20th vertex shown;  b = w L\u00b3 / B");
    for (int k = 0; k < LOADS; k++) {
        plot_exact_shape(plot, loads[k], k == 0);
    }
    for (int k = 0; k < LOADS && run_load(report, plot, k); k++) {
    }
}
