// The axial load at which a straight rod starts to bend, for four ways of holding its ends and for a heavy column.
//
// A tiny bend is put into the rod and the factor measured by which it grows from step to step. Where that factor passes
// 1 is the critical load. Rods with both ends held are made too long for their place by a small share, so that they
// push against their ends; the load is then read from the rod itself.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_euler_buckling = {
    .name = "euler_buckling",
    .summary = "critical axial loads: four ways to hold the ends, and a column under its own weight",
    .source = "Euler 1744, Greenhill 1881",
    .run = run,
};

typedef enum load_kind { LOAD_SQUEEZE, LOAD_TIP, LOAD_WEIGHT } load_kind;

typedef struct buckling_case {
    const char *name;
    cg_end_kind start, finish;
    load_kind load;
    double published; // P L^2 / B, or w L^3 / B
    cg_hue hue;
} buckling_case;

static const buckling_case cases[] = {
    {"clamped-free", CG_END_CLAMPED, CG_END_FREE, LOAD_TIP, 2.4674, CG_BLUE},
    {"heavy column", CG_END_CLAMPED, CG_END_FREE, LOAD_WEIGHT, 7.837347, CG_VERMILION},
    {"hinged-hinged", CG_END_PINNED, CG_END_PINNED, LOAD_SQUEEZE, 9.8696, CG_GREEN},
    {"clamped-hinged", CG_END_CLAMPED, CG_END_PINNED, LOAD_SQUEEZE, 20.190729, CG_PURPLE},
    {"clamped-clamped", CG_END_CLAMPED, CG_END_CLAMPED, LOAD_SQUEEZE, 39.4784, CG_ORANGE},
};
enum { CASES = sizeof cases / sizeof cases[0], VERTICES = 101 };

static double theory(int k)
{
    double x = cg_root_of_tan_x_equals_x();
    double values[CASES] = {CG_PI * CG_PI / 4, cg_heavy_column_load(), CG_PI * CG_PI, x * x, 4 * CG_PI * CG_PI};
    return values[k];
}

// A bend of a billionth of the length: large against rounding, small against everything else.
static void lay_bent(cg_vec3 *positions, const cg_rod *rod, bool free_end)
{
    for (int i = 0; i < rod->vertex_count; i++) {
        double s = (double)i / (rod->vertex_count - 1);
        double bend = free_end ? s * s : s * (1 - s) * (1 + 0.3 * s);
        positions[i] = vec(rod->length * s, 0, 1e-9 * rod->length * bend);
    }
}

// Growth at a load near `wanted`; *load becomes the load that really acted.
static double growth_at(cg_report *report, const buckling_case *what, double wanted, double *load)
{
    cg_vec3 positions[VERTICES];
    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    rod.start = what->start;
    rod.finish = what->finish;
    rod.start_direction = rod.finish_direction = vec(1, 0, 0);
    rod.line_search = false;
    rod.sluggishness = 0.01;
    rod.stretch = 1e6 * rod.bend / (rod.length * rod.length);
    double unit = rod.bend / (rod.length * rod.length); // of force
    if (what->load == LOAD_SQUEEZE) {
        // Strain is measured on the rest length: P = EA (1 - 1 / (1 + squeeze)).
        rod.squeeze = 1 / (1 - wanted * unit / rod.stretch) - 1;
    } else if (what->load == LOAD_WEIGHT) {
        rod.gravity = vec(-wanted * unit / (rod.linear_density * rod.length), 0, 0);
    }
    lay_bent(positions, &rod, what->finish == CG_END_FREE);
    rod.positions = positions;

    cg_rig rig;
    double factor = NAN;
    if (cg_rig_open(&rig, &rod, report)) {
        if (what->load == LOAD_TIP) {
            cg_rig_push(&rig, VERTICES - 1, vec(-wanted * unit, 0, 0));
        }
        factor = cg_rig_growth(&rig, vec(0, 1, 1));
        *load = what->load == LOAD_SQUEEZE ? -cg_rig_mean_tension(&rig) / unit : wanted;
    }
    cg_rig_close(&rig);
    return factor;
}

// Theory: a bend grows by the share by which the load is above its critical value.
static void plot_theory(cg_plot *plot, int k, double critical)
{
    int line = cg_plot_add_series(plot, CG_SERIES_LINE, cases[k].hue, cases[k].name);
    cg_plot_add_point(plot, line, 0.9 * critical, -0.1);
    cg_plot_add_point(plot, line, 1.1 * critical, 0.1);
}

static void run(cg_report *report)
{
    enum { SAMPLES = 5 };
    static const double shares[SAMPLES] = {0.92, 0.97, 1.0, 1.03, 1.08};
    int number = cg_report_add_plot(report, "Where a pushed rod starts to bend", "load  P L\u00b2 / B",
                                    "growth of a small bend in one step - 1");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "lines: theory; marks: measured, 101 vertices. The rod buckles where the growth passes zero");
    int threshold = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "");
    cg_plot_add_point(plot, threshold, 0, 0);
    cg_plot_add_point(plot, threshold, 45, 0);
    for (int k = 0; k < CASES; k++) {
        double expected = theory(k), loads[SAMPLES], factors[SAMPLES];
        plot_theory(plot, k, expected);
        int series = cg_plot_add_series(plot, CG_SERIES_POINTS, cases[k].hue, "");
        for (int i = 0; i < SAMPLES; i++) {
            loads[i] = NAN;
            factors[i] = growth_at(report, &cases[k], shares[i] * expected, &loads[i]);
            cg_plot_add_point(plot, series, loads[i], factors[i] - 1);
        }
        cg_report_add(report,
                      (cg_quantity){.published = cases[k].published,
                                    .expected = expected,
                                    .measured = cg_critical_load(loads, factors, SAMPLES, expected),
                                    .tolerance = 0.01,
                                    .unit = "B/L^2"},
                      "critical load, %s", cases[k].name);
    }
}
