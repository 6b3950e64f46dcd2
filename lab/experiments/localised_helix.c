// A long rod, stretched and twisted, bends only in one place: a helix that fades towards both ends.
//
// The exact shape for an endless rod under pull T and torque M (m = M / sqrt(B T)) has tangents at the angle th to the
// axis, turned about it by psi:
//
//     cos th = 1 - 2 (1 - m^2/4) sech^2( sqrt(1 - m^2/4) s ),   psi' = m / (1 + cos th)       (lengths in sqrt(B/T))
//
// The rod starts there; its ends are clamped at the distance and with the turn that belong to it. It is pulled aside
// and let go, finds its own equilibrium, and pull, torque and shape are compared.
#include "experiments/rig.h"
#include "support/elastica.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_localised_helix = {
    .name = "localised_helix",
    .summary = "a stretched and twisted long rod bends in one place only",
    .source = "homoclinic solution of Kirchhoff's rod; Coyne 1990, van der Heijden and Thompson 2000",
    .run = run,
};

enum { CASES = 3, VERTICES = 601 };

typedef struct helix_case {
    double m;
    double length;          // in units of sqrt(B / T)
    double twist_over_bend; // C / B
    double published_angle; // [degrees]
    cg_hue hue;
} helix_case;

// Held by its ends, a helix with small m is stable only when the rod stores little twist: hence the stiff twist there.
static const helix_case cases[CASES] = {
    {1.8, 40, 1 / 1.3, 51.684, CG_BLUE},
    {1.5, 30, 1 / 1.3, 82.819, CG_VERMILION},
    {1.0, 24, 10, 120, CG_GREEN},
};

// Unit of length sqrt(B / T): 10 mm.
static const double UNIT = 0.01;

static void lay_helix(cg_vec3 *positions, const helix_case *what)
{
    double segment = what->length / (VERTICES - 1), turn = 0;
    enum { FINE = 8 }; // steps of the integration in a segment
    positions[0] = vec(0, 0, 0);
    for (int i = 1; i < VERTICES; i++) {
        cg_vec3 along = vec(0, 0, 0);
        for (int k = 0; k < FINE; k++) {
            double s = segment * (i - 1 + (k + 0.5) / FINE) - what->length / 2, h = segment / FINE;
            double cosine = cg_localised_helix_cosine(what->m, s), sine = sqrt(1 - cosine * cosine);
            double middle = turn + what->m / (1 + cosine) * h / 2;
            along = vec_add(along, vec_scale(h, vec(sine * cos(middle), sine * sin(middle), cosine)));
            turn += what->m / (1 + cosine) * h;
        }
        positions[i] = vec_add(positions[i - 1], along);
    }
    // The rest of the endless rod is cut off: bring the far end to where it belongs, on the axis at L - D.
    double reach = what->length - cg_localised_helix(what->m).shortening;
    cg_vec3 miss = vec_sub(vec(0, 0, reach), positions[VERTICES - 1]);
    for (int i = 0; i < VERTICES; i++) {
        positions[i] = vec_scale(UNIT, vec_add(positions[i], vec_scale((double)i / (VERTICES - 1), miss)));
    }
}

// Angle [degrees] between a segment and the axis.
static double angle_of(const cg_rig *rig, int segment)
{
    const cg_vec3 *p = cg_rig_points(rig) + segment;
    cg_vec3 along = vec_sub(p[1], p[0]);
    return atan2(hypot(along.x, along.y), along.z) * 180 / CG_PI;
}

static int steepest_segment(const cg_rig *rig)
{
    int steepest = 0;
    for (int i = 1; i + 1 < VERTICES; i++) {
        steepest = angle_of(rig, i) > angle_of(rig, steepest) ? i : steepest;
    }
    return steepest;
}

static void plot_angles(cg_plot *plot, const cg_rig *rig, const helix_case *what)
{
    char label[48];
    snprintf(label, sizeof label, "m = %g", what->m);
    int curve = cg_plot_add_series(plot, CG_SERIES_LINE, what->hue, label);
    for (int i = 0; i <= 200; i++) {
        double s = 12.0 * (i - 100) / 100;
        cg_plot_add_point(plot, curve, s, acos(cg_localised_helix_cosine(what->m, s)) * 180 / CG_PI);
    }
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, what->hue, "");
    int middle = steepest_segment(rig);
    for (int i = middle % 8; i + 1 < VERTICES; i += 8) {
        double s = what->length * (i - middle) / (VERTICES - 1);
        if (fabs(s) < 12) {
            cg_plot_add_point(plot, series, s, angle_of(rig, i));
        }
    }
}

static bool run_case(cg_report *report, cg_plot *plot, const helix_case *what)
{
    cg_vec3 positions[VERTICES];
    cg_rod rod = cg_rod_default();
    rod.vertex_count = VERTICES;
    rod.length = what->length * UNIT;
    rod.twist = what->twist_over_bend * rod.bend;
    rod.start = rod.finish = CG_END_CLAMPED;
    rod.start_direction = rod.finish_direction = vec(0, 0, 1);
    double pull = rod.bend / (UNIT * UNIT), torque = what->m * rod.bend / UNIT;
    rod.stretch = 1e6 * pull;
    rod.sluggishness = 1e4;
    lay_helix(positions, what);
    rod.positions = positions;
    cg_rig rig;
    bool good = cg_rig_open(&rig, &rod, report);
    if (good) {
        // The frames start without twist along the helix, so its own share of the turn is already in the shape.
        cg_rig_turn_end(&rig, CG_FINISH, torque * rod.length / rod.twist);
        cg_rig_push(&rig, VERTICES / 2, vec(0.2 * pull, 0.1 * pull, 0));
        for (int i = 0; i < 40; i++) {
            cg_rig_step(&rig);
        }
        cg_rig_clear_loads(&rig);
        // The helix slides along the rod all but freely, so the last millionths of its way take for ever.
        good = cg_rig_settle(&rig, 1e-9, 20000);
    }
    if (good) {
        double force = cg_thread_hold_force(rig.world, rig.thread, VERTICES - 1).z;
        cg_report_add(report,
                      (cg_quantity){.published = what->published_angle,
                                    .expected = cg_localised_helix(what->m).angle * 180 / CG_PI,
                                    .measured = angle_of(&rig, steepest_segment(&rig)),
                                    .tolerance = 0.02,
                                    .unit = "deg"},
                      "largest angle, m = %g", what->m);
        cg_report_check(report, pull * 1e3, force * 1e3, 0.02, "mN", "pull, m = %g", what->m);
        cg_report_check(report, torque * 1e6, cg_rig_mean_torque(&rig) * 1e6, 0.02, "uN m", "torque, m = %g", what->m);
        plot_angles(plot, &rig, what);
    }
    cg_rig_close(&rig);
    return good;
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A twisted and stretched rod bends in one place",
                                    "arc length from the middle / \u221a(B / T)", "angle to the axis [degrees]");
    snprintf(report->plots[number].subtitle, sizeof report->plots[number].subtitle,
             "curves: theory; marks: measured, 600 segments between clamped ends;  m = M / \u221a(B T)");
    for (int k = 0; k < CASES && run_case(report, &report->plots[number], &cases[k]); k++) {
    }
}
