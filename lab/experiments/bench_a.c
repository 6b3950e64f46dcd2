// Bench A: a stiff suture thread clamped horizontally is let go and comes to rest under its own weight, with the time
// step and true mass of daily use. How far its tip is from the exact place, beside what other engines were measured to
// give on the same case.
#include "experiments/rig.h"
#include "support/elastica.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_bench_a = {
    .name = "bench_a",
    .summary = "a thread sagging to rest at 1 ms steps: error of its tip beside other engines",
    .source = "heavy elastica; other engines as measured for this project (bench A)",
    .run = run,
};

enum { SIZES = 3, ENGINES = 3 };
static const int sizes[SIZES] = {50, 200, 600};

// Errors of the tip as shares of the length, by number of vertices. 0: it did not come to rest.
static const struct {
    const char *name;
    double error[SIZES];
    cg_hue hue;
} engines[ENGINES] = {
    {"PBD direct", {0.020, 0.0048, 0.0016}, CG_VERMILION},
    {"MuJoCo cable", {0.020, 0.0048, 0}, CG_GREEN},
    {"dismech", {0.019, 0.0047, 0}, CG_PURPLE},
};

static double tip_error(cg_report *report, int vertex_count, cg_tip *exact)
{
    const double youngs_modulus = 2e9, radius = 0.15e-3, density = 1150, gravity = 9.81;
    double area = CG_PI * radius * radius;
    cg_rod rod = cg_rod_default();
    rod.vertex_count = vertex_count;
    rod.bend = youngs_modulus * area * radius * radius / 4;
    rod.twist = 0;
    rod.stretch = youngs_modulus * area;
    rod.linear_density = density * area;
    rod.start = CG_END_CLAMPED;
    rod.gravity = vec(0, 0, -gravity);
    rod.inertia = CG_TRUE_MASS;
    rod.time_step = 1e-3;
    rod.drag = 15;
    rod.line_search = false;
    *exact = cg_elastica_own_weight(rod.linear_density * gravity * pow(rod.length, 3) / rod.bend, NULL, 0);
    cg_rig rig;
    double error = NAN;
    if (cg_rig_open(&rig, &rod, report) && cg_rig_settle(&rig, 1e-9, 8000)) {
        cg_vec3 tip = vec_scale(1 / rod.length, cg_rig_tip(&rig));
        error = hypot(tip.x - (1 - exact->draw), tip.z + exact->drop);
    }
    cg_rig_close(&rig);
    return error;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "Bench A: error of the resting tip", "vertices", "distance / L [%]");
    cg_plot *plot = &report->plots[number];
    plot->log_x = plot->log_y = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "E 2 GPa, r 0.15 mm, L 0.2 m, clamped horizontally, 1 ms steps");
    int ours = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "catgut");
    int others[ENGINES];
    for (int k = 0; k < ENGINES; k++) {
        others[k] = cg_plot_add_series(plot, CG_SERIES_RINGS, engines[k].hue, engines[k].name);
    }
    for (int i = 0; i < SIZES; i++) {
        cg_tip exact;
        double error = tip_error(report, sizes[i], &exact);
        cg_plot_add_point(plot, ours, sizes[i], 100 * error);
        for (int k = 0; k < ENGINES; k++) {
            double theirs = engines[k].error[i];
            cg_plot_add_point(plot, others[k], sizes[i], 100 * theirs);
            if (theirs > 0) {
                // Nothing but zero is right; the other engine's error is the band to stay inside of.
                cg_report_add(report,
                              (cg_quantity){.published = 100 * theirs,
                                            .expected = 0,
                                            .measured = 100 * error,
                                            .tolerance = 100 * theirs,
                                            .unit = "% of L"},
                              "tip error, n = %d (published: %s)", sizes[i], engines[k].name);
            }
        }
    }
}
