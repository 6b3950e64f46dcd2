// The pull that slides a square knot: one thread of 3-0 nylon tied in a reef knot with a large loop, the loop's far
// point held, the two tails drawn apart. Nobody has measured this curve; what can be asked is that it does not depend
// on the time step, the spacing and the residual of the friction problem.
//
// The curve. The knot is laid with gaps of four radii and let go without friction, in treacle (drag 1000 /s), for 0.1
// s: so it starts near its elastic equilibrium, the same for every spacing. (Released with friction it catches in a
// shape that depends on the spacing, and then slides only after a snap whose moment depends on everything.) Then
// friction and air; each hand takes 20 ms to reach 0.1 m/s, along half a cosine. Tension is the mean of both tails over
// 25 ms, as a gauge shows it, for the first 150 ms; two curves differ by the largest difference of such a mean,
// relative to the second one.
//
// A thread that slides round a bend of radius rho turns by v h / rho in a step; along the chord it seems too long by
// (v h / rho)^2 / 2, and the false tension EA (v h / rho)^2 / 2 is multiplied by the friction of the knot. Steps that
// go on until they have converged follow the bend.
#include <math.h>
#include <stdio.h>

#include "experiments/knot_rig.h"
#include "support/vector.h"
#include "world/world.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_sliding_reef = {
    .name = "sliding_reef",
    .summary = "tension in the tails while a square knot slides: step, spacing and residual refined together",
    .source = "no measurement known: successive refinements agree",
    .run = run,
};

static const double RADIUS = 0.11e-3, SPEED = 0.1, START = 0.02; // [m], [m/s], [s]
static const double WINDOW = 0.025, HOLD = 0.2;                  // [s]
enum { WINDOWS = 6 };

// How finely a curve is computed.
typedef struct fineness {
    double spacing;   // [radii]
    double time_step; // [s]
    double residual;  // [radii]
} fineness;

static const fineness DEFAULT = {1, 1e-3, 1e-3};
static const fineness LEVELS[3] = {{2, 0.5e-3, 1e-3}, {1, 0.25e-3, 5e-4}, {0.5, 0.125e-3, 2.5e-4}};

typedef struct slide {
    double tension[WINDOWS]; // [N]
    double worst_overlap;    // [diameters]
    bool stays;              // it is still a square knot
} slide;

static bool open_rig(cg_knot_rig *rig, const fineness *f, double friction, cg_report *report)
{
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_REEF, 1, RADIUS, friction);
    setup.curve.loop_radius = 0.1 / 6.283185307179586;
    setup.curve.tail = 0.06;
    setup.curve.spacing = f->spacing * RADIUS;
    setup.coarse = 10 * RADIUS;
    setup.fine_tail = 8e-3;
    setup.world.time_step = f->time_step;
    setup.world.max_contacts = 300;
    setup.settle = 0.1;
    setup.settle_friction = 0;
    setup.hold_middle = true;
    bool good = cg_knot_rig_open(rig, &setup, report);
    if (good) {
        rig->world->touches.problem.options.tolerance = f->residual;
    }
    return good;
}

static double speed_at(double time)
{
    return time < START ? 0.5 * SPEED * (1 - cos(3.141592653589793 * time / START)) : SPEED;
}

static double tension_of(const cg_knot_rig *rig)
{
    return 0.5 * (cg_knot_rig_tension(rig, 0) + cg_knot_rig_tension(rig, 1));
}

static slide slide_knot(cg_report *report, double friction, const fineness *f, cg_plot *plot, cg_hue hue)
{
    slide result = {0};
    cg_knot_rig rig;
    if (open_rig(&rig, f, friction, report)) {
        char label[64];
        snprintf(label, sizeof label, "%g ms, %g r, %g r", 1e3 * f->time_step, f->spacing, f->residual);
        int series = cg_plot_add_series(plot, CG_SERIES_LINE, hue, label);
        int per_window = (int)(WINDOW / f->time_step + 0.5), stride = (int)(1e-3 / f->time_step + 0.5);
        for (int step = 0; step < WINDOWS * per_window; step++) {
            double time = (step + 1) * f->time_step;
            cg_knot_rig_pull(&rig, speed_at(time));
            cg_world_step(rig.world);
            double tension = tension_of(&rig);
            result.tension[step / per_window] += tension / per_window;
            if (step % stride == stride - 1) {
                cg_plot_add_point(plot, series, 1e3 * time, 1e3 * tension);
            }
            if (step % (10 * stride) == 0) {
                result.worst_overlap = fmax(result.worst_overlap, cg_knot_rig_overlap(&rig));
            }
        }
        result.stays = cg_knot_rig_determinant(&rig) == 9;
    }
    cg_knot_rig_close(&rig);
    return result;
}

// The largest relative difference of a mean.
static double difference(const slide *a, const slide *b)
{
    double largest = 0;
    for (int w = 0; w < WINDOWS; w++) {
        largest = fmax(largest, fabs(a->tension[w] - b->tension[w]) / fabs(b->tension[w]));
    }
    return largest;
}

static void add_bound(cg_report *report, double measured, double bound, const char *unit, const char *what,
                      double friction)
{
    cg_report_check(report, 0, measured, bound, unit, "friction %g: %s", friction, what);
}

static void compare(cg_report *report, double friction)
{
    static const cg_hue hues[3] = {CG_GREEN, CG_BLUE, CG_INK};
    static const char *const names[2] = {"first refinement changes the curve by", "second refinement changes it by"};
    char title[96];
    snprintf(title, sizeof title, "A square knot slides, friction %g", friction);
    int number = cg_report_add_plot(report, title, "time [ms]", "tension of a tail [mN]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->name, sizeof plot->name, "friction_%g", friction);
    snprintf(plot->subtitle, sizeof plot->subtitle, "3-0 nylon, each hand 0.1 m/s; step, spacing, residual");
    int levels = report->thorough ? 3 : 2;
    slide curve[3], plain = slide_knot(report, friction, &DEFAULT, plot, CG_VERMILION);
    double overlap = plain.worst_overlap;
    bool stays = plain.stays;
    for (int k = 0; k < levels; k++) {
        curve[k] = slide_knot(report, friction, &LEVELS[k], plot, hues[k]);
        overlap = fmax(overlap, curve[k].worst_overlap);
        stays = stays && curve[k].stays;
        if (k > 0) {
            add_bound(report, difference(&curve[k - 1], &curve[k]), 0.1, "1", names[k - 1], friction);
        }
    }
    add_bound(report, difference(&plain, &curve[levels - 1]), 0.25, "1", "default settings differ from it by",
              friction);
    add_bound(report, overlap, 0.06, "diameters", "deepest overlap", friction);
    cg_report_add(report, (cg_quantity){.published = CG_UNPUBLISHED, .expected = 1, .measured = stays, .unit = "1"},
                  "friction %g: stays a square knot", friction);
}

// Pulled on at the default settings until the tails carry 4 N, then the hands stand still.
static void hold(cg_report *report, double friction)
{
    cg_knot_rig rig;
    double pulled = 0, held = 0;
    bool stays = false;
    if (open_rig(&rig, &DEFAULT, friction, report)) {
        for (int step = 0; step < 1000 && pulled < 4; step++) {
            cg_knot_rig_pull(&rig, speed_at((step + 1) * DEFAULT.time_step));
            cg_world_step(rig.world);
            pulled = tension_of(&rig);
        }
        for (int step = 0; step < (int)(HOLD / DEFAULT.time_step); step++) {
            cg_world_step(rig.world);
        }
        held = tension_of(&rig);
        stays = cg_knot_rig_determinant(&rig) == 9;
    }
    cg_knot_rig_close(&rig);
    cg_report_check(report, fmax(pulled, 4), stays ? held : 0, 0.05, "N",
                    "friction %g: tension held for %g s, still a square knot", friction, HOLD);
}

static void run(cg_report *report)
{
    compare(report, 0.3);
    hold(report, 0.3);
    if (report->thorough) {
        compare(report, 0.2);
    }
}
