// Which knots hold: two threads joined by a reef, granny, thief or grief knot, 1 N on the two standing ends, everything
// else free. MicroSim lowered the friction until the knot dissolved, with ten iterations of its solver a step; where a
// knot dissolves depends on the iterations until the friction problem is solved, so here it is, to a thousandth of the
// radius, and every knot is tied afresh.
//
// The same with friction that turns the threads (friction_torque). A strand that can roll holds back less of what is
// drawn across it, so every knot needs more friction; ends free to turn make the most of it. The thread's twist
// stiffness is then that of MicroSim, twice its bending stiffness.
//
// A knot holds when the distance of the pulled ends changes by less than 0.3 mm in the last second; it has come apart
// when the ends are further apart than both threads together could be.
#include <math.h>
#include <stdio.h>

#include "experiments/knot_rig.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_knot_security = {
    .name = "knot_security",
    .summary = "reef, granny, thief and grief knots under 1 N: which hold at which friction",
    .source = "MicroSim 4.2.2 (10 iterations: reef 0.45, granny 0.45, thief 0.65, grief 0.55); practice: reef best",
    .run = run,
};

enum { VERTICES = 100 };             // of each thread
static const double SLIPS = 2e-3;    // [m] in a second: a knot that gives way, if slowly
static const double COMMON_MU = 0.4; // above it the residual has a line of its own

typedef struct trial {
    cg_curve_kind kind;
    double friction;
    bool holds; // as expected
} trial;

typedef struct outcome {
    double slip; // [m] in the last second; the thread's length when it came apart
    bool apart;
    double worst_residual, worst_overlap;
} outcome;

static outcome try_knot(cg_report *report, cg_curve_kind kind, double friction, bool torque, double seconds)
{
    outcome result = {0};
    cg_knot_setup setup = cg_knot_seed_setup(kind, 2, VERTICES, friction);
    setup.world.friction_torque = torque;
    setup.thread.twist_stiffness = torque ? 2 * setup.thread.bend_stiffness : 0;
    cg_knot_rig rig;
    bool good = cg_knot_rig_open(&rig, &setup, report);
    double length = 2 * VERTICES * setup.curve.spacing, before = 0;
    int steps = (int)(seconds / setup.world.time_step), second = (int)(1 / setup.world.time_step);
    for (int step = 0; good && step < steps && !result.apart; step++) {
        cg_knot_rig_load(&rig, 1);
        cg_world_step(rig.world);
        result.worst_residual = fmax(result.worst_residual, cg_world_get_stats(rig.world).friction_residual);
        if (step % 20 == 0) {
            result.worst_overlap = fmax(result.worst_overlap, cg_knot_rig_overlap(&rig));
        }
        double distance = cg_knot_rig_distance(&rig);
        before = step == steps - second ? distance : before;
        result.slip = step >= steps - second ? fabs(distance - before) : 0;
        result.apart = distance > 1.2 * length;
    }
    cg_knot_rig_close(&rig);
    result.slip = result.apart ? length : result.slip;
    return result;
}

static void add_outcome(cg_report *report, const trial *t, bool torque, const outcome *result)
{
    const char *name = cg_curve_kind_name(t->kind), *how = torque ? ", turning" : "";
    if (t->holds) {
        cg_report_check(report, 0, 1e3 * result->slip, 0.3, "mm", "%s, friction %.2f%s: slip in a second", name,
                        t->friction, how);
    } else {
        cg_report_check(report, 1, torque ? result->slip > SLIPS : result->apart, 0, "1", "%s, friction %.2f%s: %s",
                        name, t->friction, how, torque ? "slips" : "comes apart");
    }
}

// Reef best, then granny, then thief and grief: at 0.25 the reef knot holds and the granny does not; at 0.40 the granny
// holds and the thief does not, nor at any friction.
static const trial TRIALS[] = {
    {CG_CURVE_REEF, 0.15, false},   {CG_CURVE_REEF, 0.25, true},    {CG_CURVE_REEF, 0.30, true},
    {CG_CURVE_GRANNY, 0.20, false}, {CG_CURVE_GRANNY, 0.25, false}, {CG_CURVE_GRANNY, 0.40, true},
    {CG_CURVE_THIEF, 0.40, false},  {CG_CURVE_THIEF, 0.95, false},  {CG_CURVE_GRIEF, 0.30, false},
};
enum { TRIAL_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

// With friction torque: at 0.55 the reef knot holds and the granny does not; at 0.60 the granny holds, thief and grief
// do not.
static const trial TURNING_TRIALS[] = {
    {CG_CURVE_REEF, 0.45, false},   {CG_CURVE_REEF, 0.50, true},   {CG_CURVE_REEF, 0.55, true},
    {CG_CURVE_GRANNY, 0.55, false}, {CG_CURVE_GRANNY, 0.60, true}, {CG_CURVE_THIEF, 0.60, false},
    {CG_CURVE_GRIEF, 0.60, false},
};
enum { TURNING_COUNT = sizeof TURNING_TRIALS / sizeof TURNING_TRIALS[0] };

static int add_knot_series(cg_plot *plot, cg_curve_kind kind)
{
    static const cg_hue hues[4] = {CG_BLUE, CG_VERMILION, CG_GREEN, CG_ORANGE};
    return cg_plot_add_series(plot, CG_SERIES_POINTS, hues[kind - CG_CURVE_REEF], cg_curve_kind_name(kind));
}

// The whole range of friction for every knot, in the long version.
static void scan(cg_report *report, cg_plot *plot, bool torque)
{
    for (cg_curve_kind kind = CG_CURVE_REEF; kind <= CG_CURVE_GRIEF; kind++) {
        int series = add_knot_series(plot, kind);
        for (int i = 1; i <= 19; i++) {
            double friction = 0.05 * i;
            outcome result = try_knot(report, kind, friction, torque, 6);
            cg_plot_add_point(plot, series, friction, 1e3 * fmax(result.slip, 1e-7));
        }
    }
}

static cg_plot *add_plot(cg_report *report, bool torque)
{
    int number =
        cg_report_add_plot(report, torque ? "Which knots hold when friction turns threads" : "Which knots hold",
                           "coefficient of friction", "slip in the last second [mm]");
    cg_plot *plot = &report->plots[number];
    plot->log_y = true;
    snprintf(plot->name, sizeof plot->name, "%s", torque ? "turning" : "");
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "two threads of 100 vertices, r = 0.5 mm, 1 N on the standing ends; 200 mm: came apart");
    return plot;
}

static void add_worst(cg_report *report, double worst, double tolerance, const char *unit, const char *name)
{
    cg_report_check(report, 0, worst, tolerance, unit, "%s", name);
}

static void run_trials(cg_report *report, const trial *trials, int count, bool torque)
{
    cg_plot *plot = add_plot(report, torque);
    double worst_residual = 0, rough_residual = 0, worst_overlap = 0;
    int series[4] = {-1, -1, -1, -1};
    for (int i = 0; i < count; i++) {
        const trial *t = &trials[i];
        outcome result = try_knot(report, t->kind, t->friction, torque, report->thorough ? 12 : 5);
        add_outcome(report, t, torque, &result);
        double *residual = t->friction > COMMON_MU ? &rough_residual : &worst_residual;
        *residual = fmax(*residual, result.worst_residual);
        worst_overlap = fmax(worst_overlap, result.worst_overlap);
        int *place = &series[t->kind - CG_CURVE_REEF];
        if (!report->thorough) {
            *place = *place < 0 ? add_knot_series(plot, t->kind) : *place;
            cg_plot_add_point(plot, *place, t->friction, 1e3 * fmax(result.slip, 1e-7));
        }
    }
    if (report->thorough) {
        scan(report, plot, torque);
    }
    // Rolling makes harder problems: a few steps end with what the budget has reached.
    if (!torque) {
        add_worst(report, worst_residual, 0.001, "radii", "largest residual of a step");
    }
    add_worst(report, rough_residual, torque ? 0.02 : 0.001, "radii",
              torque ? "largest residual of a step, turning" : "largest residual of a step, friction 0.95");
    add_worst(report, worst_overlap, 0.06, "diameters", torque ? "deepest overlap, turning" : "deepest overlap");
}

static void run(cg_report *report)
{
    run_trials(report, TRIALS, TRIAL_COUNT, false);
    if (report->thorough) {
        run_trials(report, TURNING_TRIALS, TURNING_COUNT, true);
    }
}
