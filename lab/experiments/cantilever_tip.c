// A rod clamped at one end bends under a dead load across its other end, far beyond small deflections.
#include "experiments/rig.h"
#include "support/elastica.h"
#include "support/statistics.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_cantilever_tip = {
    .name = "cantilever_tip",
    .summary = "a clamped rod bent by a load at its tip, and how fast the error falls with more vertices",
    .source = "elastica in elliptic integrals; Bisshopp and Drucker 1945",
    .run = run,
};

enum { LOADS = 6 };
static const double loads[LOADS] = {0.5, 1, 2, 5, 10, 20};
static const double published_drop[LOADS] = {0.162144, 0.301721, 0.493457, 0.713792, 0.810609, 0.868696};
static const double published_draw[LOADS] = {0.015919, 0.056433, 0.160642, 0.387628, 0.554996, 0.683886};

// Where the tip comes to rest under the load a = P L^2 / B.
static bool find_tip(cg_report *report, int vertex_count, double a, cg_vec3 *tip)
{
    cg_rod rod = cg_rod_default();
    rod.vertex_count = vertex_count;
    rod.start = CG_END_CLAMPED;
    cg_rig rig;
    bool good = cg_rig_open(&rig, &rod, report);
    if (good) {
        cg_rig_push(&rig, vertex_count - 1, vec(0, 0, -a * rod.bend / (rod.length * rod.length)));
        good = cg_rig_settle(&rig, 1e-11, 3000);
        *tip = vec_scale(1 / rod.length, cg_rig_tip(&rig));
    }
    cg_rig_close(&rig);
    return good;
}

static void plot_theory(cg_plot *plot)
{
    int drop = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "drop, elastica");
    int draw = cg_plot_add_series(plot, CG_SERIES_LINE, CG_VERMILION, "draw-in, elastica");
    int linear = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "small-deflection theory, a / 3");
    for (int i = 1; i <= 210; i++) {
        double a = 0.1 * i;
        cg_tip tip = cg_elastica_tip_load(a);
        cg_plot_add_point(plot, drop, a, tip.drop);
        cg_plot_add_point(plot, draw, a, tip.draw);
        if (a / 3 < 0.9) {
            cg_plot_add_point(plot, linear, a, a / 3);
        }
    }
}

static void run_loads(cg_report *report)
{
    int number = cg_report_add_plot(report, "Clamped rod under a load at its tip", "load  a = P L\u00b2 / B",
                                    "motion of the tip / L");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "200 vertices; the curves are exact");
    plot_theory(plot);
    int drop = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "drop, measured");
    int draw = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "draw-in, measured");
    for (int i = 0; i < LOADS; i++) {
        cg_vec3 tip;
        if (!find_tip(report, 200, loads[i], &tip)) {
            return;
        }
        cg_tip exact = cg_elastica_tip_load(loads[i]);
        cg_report_add(report,
                      (cg_quantity){.published = published_drop[i],
                                    .expected = exact.drop,
                                    .measured = -tip.z,
                                    .tolerance = 0.005,
                                    .unit = "L"},
                      "tip drop, a = %g", loads[i]);
        cg_report_add(report,
                      (cg_quantity){.published = published_draw[i],
                                    .expected = exact.draw,
                                    .measured = 1 - tip.x,
                                    .tolerance = 0.005,
                                    .unit = "L"},
                      "tip draw-in, a = %g", loads[i]);
        cg_plot_add_point(plot, drop, loads[i], -tip.z);
        cg_plot_add_point(plot, draw, loads[i], 1 - tip.x);
    }
}

static void run_convergence(cg_report *report)
{
    enum { SIZES = 4 };
    static const int sizes[SIZES] = {25, 50, 100, 200};
    static const double tested[2] = {2, 10};
    static const cg_hue hues[2] = {CG_BLUE, CG_VERMILION};
    int number = cg_report_add_plot(report, "Error of the tip against the number of vertices", "vertices",
                                    "distance from the exact tip / L");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->name, sizeof plot->name, "order");
    plot->log_x = plot->log_y = true;
    for (int k = 0; k < 2; k++) {
        cg_tip exact = cg_elastica_tip_load(tested[k]);
        double segment[SIZES], error[SIZES];
        char label[48];
        snprintf(label, sizeof label, "measured, a = %g", tested[k]);
        int points = cg_plot_add_series(plot, CG_SERIES_POINTS, hues[k], label);
        for (int i = 0; i < SIZES; i++) {
            cg_vec3 tip;
            if (!find_tip(report, sizes[i], tested[k], &tip)) {
                return;
            }
            segment[i] = 1.0 / (sizes[i] - 1);
            error[i] = hypot(tip.x - (1 - exact.draw), tip.z + exact.drop);
            cg_plot_add_point(plot, points, sizes[i], error[i]);
        }
        int slope = cg_plot_add_series(plot, CG_SERIES_LINE, hues[k], k == 0 ? "second order" : "");
        for (int i = 0; i < SIZES; i++) {
            double ratio = segment[i] / segment[SIZES - 1];
            cg_plot_add_point(plot, slope, sizes[i], error[SIZES - 1] * ratio * ratio);
        }
        // 2 within 10 %: the order is 1.8 or better.
        cg_report_check(report, 2, cg_fit_power(segment, error, SIZES), 0.1, "1", "order of convergence, a = %g",
                        tested[k]);
    }
}

static void run(cg_report *report)
{
    run_loads(report);
    run_convergence(report);
}
