// A straight rod bent into a ring and closed with a twist stays flat until the twist passes a critical value, then it
// writhes out of its plane. The two ends are clamped at the same point; the ring as a whole can still turn about the
// tangent there without any force, so growth is read from the motion from step to step, to
// which that turn adds nothing.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_michell_ring = {
    .name = "michell_ring",
    .summary = "the twist at which a closed ring writhes out of its plane",
    .source = "Michell 1889, Zajac 1962: total twist 2 pi sqrt(3) B / C",
    .run = run,
};

enum { VERTICES = 121, SAMPLES = 5 };

// A regular polygon in the plane z = 0 that begins and ends at the origin, where its direction is x.
static void lay_ring(cg_vec3 *positions, const cg_rod *rod)
{
    int sides = rod->vertex_count - 1;
    double radius = rod->length / sides / 2 / sin(CG_PI / sides);
    for (int i = 0; i <= sides; i++) {
        double angle = 2 * CG_PI * (i % sides) / sides;
        double out = 1e-13 * rod->length * (1 - cos(angle)) * (sin(2 * angle) + 0.6 * cos(angle) + 0.4);
        positions[i] = vec(radius * sin(angle), radius * (1 - cos(angle)), out);
    }
}

static double growth_at(cg_report *report, double poisson_ratio, double twist)
{
    cg_vec3 positions[VERTICES];
    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    rod.twist = rod.bend / (1 + poisson_ratio);
    rod.start = rod.finish = CG_END_CLAMPED;
    rod.start_direction = rod.finish_direction = vec(1, 0, 0);
    rod.line_search = false;
    rod.sluggishness = 3000;
    rod.stretch = 1e6 * rod.bend / (rod.length * rod.length);
    lay_ring(positions, &rod);
    rod.positions = positions;
    cg_rig rig;
    double factor = NAN;
    if (cg_rig_open(&rig, &rod, report)) {
        cg_rig_turn_end(&rig, CG_FINISH, twist);
        factor = cg_rig_growth(&rig, vec(0, 0, 1));
    }
    cg_rig_close(&rig);
    return factor;
}

static void run(cg_report *report)
{
    static const double ratios[2] = {0.3, 0.5}, published[2] = {14.1476, 16.3242};
    static const cg_hue hues[2] = {CG_BLUE, CG_VERMILION};
    static const double shares[SAMPLES] = {0.96, 0.98, 1.0, 1.02, 1.04};
    int number = cg_report_add_plot(report, "Where a twisted ring leaves its plane", "total twist [rad]",
                                    "growth of a small writhe in one step - 1");
    cg_plot *plot = &report->plots[number];
    snprintf(
        plot->subtitle, sizeof plot->subtitle,
        "ring of 120 segments; upright: theory, 2 pi \u221a3 B / C. The ring writhes where the growth passes zero");
    int threshold = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "");
    cg_plot_add_point(plot, threshold, 13.3, 0);
    cg_plot_add_point(plot, threshold, 17.2, 0);
    for (int k = 0; k < 2; k++) {
        double expected = 2 * CG_PI * sqrt(3) * (1 + ratios[k]), twists[SAMPLES], factors[SAMPLES];
        char label[48];
        snprintf(label, sizeof label, "theory, Poisson's ratio %g", ratios[k]);
        int critical = cg_plot_add_series(plot, CG_SERIES_LINE, hues[k], label);
        cg_plot_add_point(plot, critical, expected, -0.02);
        cg_plot_add_point(plot, critical, expected, 0.02);
        int series = cg_plot_add_series(plot, CG_SERIES_POINTS, hues[k], "measured");
        for (int i = 0; i < SAMPLES; i++) {
            twists[i] = shares[i] * expected;
            factors[i] = growth_at(report, ratios[k], twists[i]);
            cg_plot_add_point(plot, series, twists[i], factors[i] - 1);
        }
        cg_report_add(report,
                      (cg_quantity){.published = published[k],
                                    .expected = expected,
                                    .measured = cg_critical_load(twists, factors, SAMPLES, expected),
                                    .tolerance = 0.02,
                                    .unit = "rad"},
                      "critical twist, nu = %g", ratios[k]);
    }
}
