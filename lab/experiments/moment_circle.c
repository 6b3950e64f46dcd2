// A moment of 2 pi B / L at the free end bends a clamped rod into a full circle.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_moment_circle = {
    .name = "moment_circle",
    .summary = "an end moment that closes a clamped rod into a circle",
    .source = "pure bending: the curvature is M / B everywhere",
    .run = run,
};

enum { VERTICES = 201 };

// Angle by which the tangent has turned from the clamp to the very end. Segment by segment, so that a full turn counts;
// the last half segment bends as the one before it.
static double turned(const cg_rig *rig)
{
    const cg_vec3 *p = cg_rig_points(rig);
    double last = 0, step = 0;
    for (int i = 0; i + 1 < rig->rod.vertex_count; i++) {
        double angle = atan2(p[i + 1].z - p[i].z, p[i + 1].x - p[i].x);
        step = remainder(angle - last, 2 * CG_PI);
        last += step;
    }
    return last + step / 2;
}

static void add_shape(cg_plot *plot, const cg_rig *rig, cg_series_kind kind, cg_hue hue, const char *label)
{
    int series = cg_plot_add_series(plot, kind, hue, label);
    for (int i = 0; i < rig->rod.vertex_count; i += kind == CG_SERIES_POINTS ? 10 : 1) {
        cg_vec3 point = vec_scale(1 / rig->rod.length, cg_rig_points(rig)[i]);
        cg_plot_add_point(plot, series, point.x, point.z);
    }
}

static void measure(cg_report *report, const cg_rig *rig, double share)
{
    cg_report_add(report,
                  (cg_quantity){.published = 360 * share,
                                .expected = 360 * share,
                                .measured = turned(rig) * 180 / CG_PI,
                                .tolerance = 0.005,
                                .unit = "deg"},
                  "turn of the tip, M = %g x 2 pi B/L", share);
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A moment at the tip bends a rod into a circle", "x / L", "z / L");
    cg_plot *plot = &report->plots[number];
    plot->same_scale = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "200 segments; shapes at a quarter, half and all of 2 pi B / L");
    int circle = cg_plot_add_series(plot, CG_SERIES_LINE, CG_INK, "exact circle");
    for (int i = 0; i <= 180; i++) {
        double angle = 2 * CG_PI * i / 180;
        cg_plot_add_point(plot, circle, sin(angle) / (2 * CG_PI), (1 - cos(angle)) / (2 * CG_PI));
    }

    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    rod.start = CG_END_CLAMPED;
    cg_rig rig;
    bool good = cg_rig_open(&rig, &rod, report);
    enum { RAMP = 20 };
    for (int i = 1; good && i <= RAMP; i++) {
        // Moments about -y lift the tip towards +z.
        double share = (double)i / RAMP, moment = share * 2 * CG_PI * rod.bend / rod.length;
        cg_rig_clear_loads(&rig);
        cg_rig_push_moment(&rig, VERTICES - 2, vec(0, -moment, 0));
        good = cg_rig_settle(&rig, i == RAMP ? 1e-11 : 1e-6, 3000);
        if (good && i == RAMP / 4) {
            measure(report, &rig, share);
            add_shape(plot, &rig, CG_SERIES_DASHES, CG_SKY, "a quarter");
        } else if (good && i == RAMP / 2) {
            measure(report, &rig, share);
            add_shape(plot, &rig, CG_SERIES_DASHES, CG_GREEN, "half");
        } else if (good && i == RAMP) {
            measure(report, &rig, share);
            add_shape(plot, &rig, CG_SERIES_POINTS, CG_BLUE, "all: measured, every 10th vertex");
            double gap = vec_distance(cg_rig_points(&rig)[0], cg_rig_tip(&rig)) / rod.length;
            cg_report_add(
                report, (cg_quantity){.published = 0, .expected = 0, .measured = gap, .tolerance = 0.005, .unit = "L"},
                "gap between the ends");
        }
    }
    cg_rig_close(&rig);
}
