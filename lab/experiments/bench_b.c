// Bench B: the thread of bench A hangs and carries 10 g, 613 times its own mass. A solver that does not converge shows
// it as stretch.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_bench_b = {
    .name = "bench_b",
    .summary = "a thread carrying 613 times its mass: its stretch beside other engines",
    .source = "m g / EA; other engines as measured for this project (bench B)",
    .run = run,
};

enum { SIZES = 3, ENGINES = 4 };
static const int sizes[SIZES] = {50, 200, 600};

// Stretch in percent.
static const struct {
    const char *name;
    double stretch[SIZES];
    cg_hue hue;
} engines[ENGINES] = {
    {"dismech", {0.0694, 0.0694, 0.0694}, CG_GREEN},
    {"PBD direct, rigid", {2e-7, 1e-6, 3e-6}, CG_VERMILION},
    {"PBD local, 100 iterations", {68, 381, NAN}, CG_PURPLE},
    {"Bullet soft rope, 100 iterations", {12, 159, 447}, CG_ORANGE},
};

static double stretch_of(cg_report *report, int vertex_count, double *expected)
{
    const double youngs_modulus = 2e9, radius = 0.15e-3, density = 1150, gravity = 9.81, carried = 0.01;
    double area = CG_PI * radius * radius;
    cg_rod rod = cg_rod_default();
    rod.vertex_count = vertex_count;
    rod.bend = youngs_modulus * area * radius * radius / 4;
    rod.twist = 0;
    rod.stretch = youngs_modulus * area;
    rod.linear_density = density * area;
    rod.start = CG_END_PINNED;
    rod.gravity = vec(gravity, 0, 0); // it is laid out along x
    rod.inertia = CG_TRUE_MASS;
    rod.time_step = 1e-3;
    rod.drag = 20;
    rod.line_search = false;
    *expected = 100 * (carried + density * area * rod.length / 2) * gravity / rod.stretch;
    cg_rig rig;
    double stretch = NAN;
    if (cg_rig_open(&rig, &rod, report)) {
        cg_status status = cg_thread_set_added_mass(rig.world, rig.thread, vertex_count - 1, carried);
        if (status.code != CG_OK) {
            cg_report_trouble(report, "adding the weight: %s", status.message);
        } else if (cg_rig_settle(&rig, 1e-9, 4000)) {
            stretch = 100 * (cg_rig_tip(&rig).x / rod.length - 1);
        }
    }
    cg_rig_close(&rig);
    return stretch;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "Bench B: stretch under 613 times its own mass", "vertices", "stretch [%]");
    cg_plot *plot = &report->plots[number];
    plot->log_x = plot->log_y = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "E 2 GPa, r 0.15 mm, L 0.2 m, 10 g, 1 ms steps");
    int exact = cg_plot_add_series(plot, CG_SERIES_LINE, CG_INK, "m g / EA");
    int ours = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "catgut");
    for (int k = 0; k < ENGINES; k++) {
        int series = cg_plot_add_series(plot, CG_SERIES_RINGS, engines[k].hue, engines[k].name);
        for (int i = 0; i < SIZES; i++) {
            cg_plot_add_point(plot, series, sizes[i], engines[k].stretch[i]);
        }
    }
    for (int i = 0; i < SIZES; i++) {
        double expected, measured = stretch_of(report, sizes[i], &expected);
        cg_plot_add_point(plot, exact, sizes[i], expected);
        cg_plot_add_point(plot, ours, sizes[i], measured);
        for (int k = 0; k < ENGINES; k++) {
            if (isfinite(engines[k].stretch[i])) {
                cg_report_add(report,
                              (cg_quantity){.published = engines[k].stretch[i],
                                            .expected = expected,
                                            .measured = measured,
                                            .tolerance = 0.01,
                                            .unit = "%"},
                              "stretch, n = %d (published: %s)", sizes[i], engines[k].name);
            }
        }
    }
}
