// The lowest note of a clamped bar.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_bending_frequency = {
    .name = "bending_frequency",
    .summary = "first bending frequency of a clamped-free rod",
    .source = "Euler-Bernoulli beam: 3.516015 sqrt(B / (rho A L^4))",
    .run = run,
};

enum { VERTICES = 101 };

// First mode of a clamped-free bar of length 1, 1 at its tip.
static double mode_shape(double s)
{
    double x = cg_root_of_clamped_free_bar();
    double ratio = (sinh(x) - sin(x)) / (cosh(x) + cos(x));
    return (cosh(x * s) - cos(x * s) - ratio * (sinh(x * s) - sin(x * s))) / 2;
}

static void run(cg_report *report)
{
    cg_vec3 positions[VERTICES];
    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    double amplitude = 0.01 * rod.length;
    for (int i = 0; i < VERTICES; i++) {
        double s = (double)i / (VERTICES - 1);
        positions[i] = vec(rod.length * s, 0, amplitude * mode_shape(s));
    }
    rod.positions = positions;
    rod.start = CG_END_CLAMPED;
    rod.start_direction = vec(1, 0, 0);
    rod.inertia = CG_TRUE_MASS;
    rod.line_search = false;
    double x = cg_root_of_clamped_free_bar();
    double unit = sqrt(rod.bend / (rod.linear_density * pow(rod.length, 4)));
    double expected = x * x * unit / (2 * CG_PI);
    rod.time_step = 1 / (2000 * expected);

    int number = cg_report_add_plot(report, "A clamped rod let go", "time / theory's period", "height of the tip / L");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "100 segments, 2000 steps a period; implicit steps damp a little");
    int theory = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "undamped first mode");
    for (int i = 0; i <= 330; i++) {
        cg_plot_add_point(plot, theory, i / 100.0, amplitude / rod.length * cos(2 * CG_PI * i / 100.0));
    }
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");

    cg_rig rig;
    cg_crossings crossings = {0};
    bool good = cg_rig_open(&rig, &rod, report);
    for (int i = 0; good && i < 6600; i++) {
        double time = cg_world_time(rig.world), height = cg_rig_tip(&rig).z;
        cg_crossings_add(&crossings, time, height);
        if (i % 100 == 0) {
            cg_plot_add_point(plot, series, time * expected, height / rod.length);
        }
        cg_rig_step(&rig);
    }
    cg_rig_close(&rig);
    cg_report_add(report,
                  (cg_quantity){.published = 3.516015 * unit / (2 * CG_PI),
                                .expected = expected,
                                .measured = 1 / cg_crossings_period(&crossings),
                                .tolerance = 0.01,
                                .unit = "Hz"},
                  "first bending frequency");
}
