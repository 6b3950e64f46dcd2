// A straight rod, clamped at both ends and twisted, leaves its line at a critical torque.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_torque_buckling = {
    .name = "torque_buckling",
    .summary = "the torque at which a clamped straight rod buckles without any pull",
    .source = "clamped ends: M L / B = 2 x with tan x = x; hinged ends (Greenhill 1883) would give 2 pi",
    .run = run,
};

enum { VERTICES = 151 };

static double growth_at(cg_report *report, double wanted, double *torque)
{
    cg_vec3 positions[VERTICES];
    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    rod.start = rod.finish = CG_END_CLAMPED;
    rod.start_direction = rod.finish_direction = vec(1, 0, 0);
    rod.line_search = false;
    rod.sluggishness = 500;
    rod.stretch = 1e6 * rod.bend / (rod.length * rod.length);
    for (int i = 0; i < VERTICES; i++) {
        double s = (double)i / (VERTICES - 1);
        double bend = 1e-9 * rod.length * s * s * (1 - s) * (1 - s);
        positions[i] = vec(rod.length * s, bend * (1 + s), bend * (1 - 0.7 * s));
    }
    rod.positions = positions;
    cg_rig rig;
    double factor = NAN;
    if (cg_rig_open(&rig, &rod, report)) {
        cg_rig_turn_end(&rig, CG_FINISH, wanted * rod.bend / rod.twist);
        factor = cg_rig_growth(&rig, vec(0, 1, 1));
        *torque = cg_rig_mean_torque(&rig) * rod.length / rod.bend;
    }
    cg_rig_close(&rig);
    return factor;
}

static void run(cg_report *report)
{
    enum { SAMPLES = 5 };
    static const double shares[SAMPLES] = {0.94, 0.97, 1.0, 1.03, 1.06};
    double expected = 2 * cg_root_of_tan_x_equals_x(), torques[SAMPLES], factors[SAMPLES];
    int number = cg_report_add_plot(report, "Where a twisted rod leaves its line", "torque  M L / B",
                                    "growth of a small bend in one step - 1");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "both ends clamped, no pull, 151 vertices");
    int threshold = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "");
    cg_plot_add_point(plot, threshold, shares[0] * expected, 0);
    cg_plot_add_point(plot, threshold, shares[SAMPLES - 1] * expected, 0);
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "measured");
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < SAMPLES; i++) {
        torques[i] = NAN;
        factors[i] = growth_at(report, shares[i] * expected, &torques[i]);
        cg_plot_add_point(plot, series, torques[i], factors[i] - 1);
        low = fmin(low, factors[i] - 1);
        high = fmax(high, factors[i] - 1);
    }
    int critical = cg_plot_add_series(plot, CG_SERIES_LINE, CG_VERMILION, "theory: a bend grows to the right of this");
    cg_plot_add_point(plot, critical, expected, low);
    cg_plot_add_point(plot, critical, expected, high);
    cg_report_add(report,
                  (cg_quantity){.published = 8.986819,
                                .expected = expected,
                                .measured = cg_critical_load(torques, factors, SAMPLES, expected),
                                .tolerance = 0.02,
                                .unit = "B/L"},
                  "critical torque, clamped ends");
    // Torque and turns go together by the twist stiffness alone as long as the rod is straight.
    double turns[SAMPLES], bend_over_twist = cg_rod_default().bend / cg_rod_default().twist;
    for (int i = 0; i < SAMPLES; i++) {
        turns[i] = shares[i] * expected * bend_over_twist / (2 * CG_PI);
    }
    double expected_turns = expected * bend_over_twist / (2 * CG_PI);
    cg_report_add(report,
                  (cg_quantity){.published = 1.430297 * bend_over_twist,
                                .expected = expected_turns,
                                .measured = cg_critical_load(turns, factors, SAMPLES, expected_turns),
                                .tolerance = 0.02,
                                .unit = "turns"},
                  "turns of the end until then");
}
