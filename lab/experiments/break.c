// A thread that is drawn until it breaks: straight, and with an overhand in the line, drawn at both ends. No rule knows
// of knots: a section breaks by its pull and its bending moment together (thread/strength.h), and in a knot it is bent.
// The force is that of the hands in the step before the break, over the straight strength of the catalogue. Knotted
// sutures are known to break 10 to 40 % below that.
//
// How fine the thread is must not matter: the knot is tied with vertices 2, 1.5 and 1 radii apart.
#include <math.h>

#include "experiments/knot_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_break = {
    .name = "break",
    .summary = "the pull that breaks a suture, straight and with an overhand in the line",
    .source = "breaking forces of the catalogue; knot-pull strength 10-40 % below straight",
    .run = run,
};

static const double SPEED = 0.02; // [m/s] of each hand
enum { MOST_STEPS = 20000, STRAIGHT_VERTICES = 101 };

static bool find_suture(cg_report *report, const char *name, cg_suture *suture)
{
    bool is_there = cg_catalogue_find(name, suture, NULL, 0);
    if (!is_there) {
        cg_report_trouble(report, "%s is not in the catalogue", name);
    }
    return is_there;
}

// --- straight ---

static bool open_straight(cg_report *report, const cg_suture *suture, double spacing, cg_world **world,
                          cg_thread_id *thread)
{
    cg_vec3 points[STRAIGHT_VERTICES];
    cg_world_def def = cg_world_def_default();
    cg_thread_def line = cg_thread_def_default();
    cg_suture_apply(suture, &line);
    for (int i = 0; i < STRAIGHT_VERTICES; i++) {
        points[i] = vec(spacing * line.radius * i, 0, 0);
    }
    line.positions = points;
    line.vertex_count = STRAIGHT_VERTICES;
    line.breaking_force = suture->breaking_force.value;
    line.ends[CG_START].kind = line.ends[CG_FINISH].kind = CG_END_PINNED;
    cg_status status = cg_world_create(&def, world);
    status = status.code == CG_OK ? cg_world_add_thread(*world, &line, thread) : status;
    status = status.code == CG_OK ? cg_world_reserve_parts(*world, *thread, 1) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return status.code == CG_OK;
}

// [N] at the pinned start; not a number when it did not break.
static double break_straight(cg_report *report, const cg_suture *suture, double spacing)
{
    cg_world *world = NULL;
    cg_thread_id thread;
    double force = 0, length = spacing * 0.5 * suture->diameter.value * (STRAIGHT_VERTICES - 1);
    bool is_broken = false, is_open = open_straight(report, suture, spacing, &world, &thread);
    for (int step = 1; is_open && !is_broken && step < MOST_STEPS; step++) {
        const cg_thread_break *breaks;
        cg_end_hold hold = {.kind = CG_END_PINNED, .position = vec(length + 1e-3 * SPEED * step, 0, 0)};
        force = -cg_thread_hold_force(world, thread, 0).x;
        cg_thread_set_end(world, thread, CG_FINISH, &hold);
        cg_world_step(world);
        is_broken = cg_world_breaks(world, &breaks) > 0;
    }
    cg_world_destroy(world);
    return is_broken ? force : NAN;
}

// --- an overhand in the line ---

// [N] mean of both hands; not a number when it did not break.
static double break_knotted(cg_report *report, const cg_suture *suture, double spacing)
{
    double radius = 0.5 * suture->diameter.value, force = 0;
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, radius, suture->friction.value);
    cg_suture_apply(suture, &setup.thread);
    setup.curve.spacing = spacing * radius;
    setup.thread.breaking_force = suture->breaking_force.value;
    setup.settle = 0.1;
    cg_knot_rig rig;
    bool is_broken = false, is_open = cg_knot_rig_open(&rig, &setup, report);
    is_open = is_open && cg_world_reserve_parts(rig.world, rig.threads[0], 1).code == CG_OK;
    for (int step = 0; is_open && !is_broken && step < MOST_STEPS; step++) {
        const cg_thread_break *breaks;
        force = 0.5 * (cg_knot_rig_tension(&rig, 0) + cg_knot_rig_tension(&rig, 1));
        cg_knot_rig_pull(&rig, SPEED);
        cg_world_step(rig.world);
        is_broken = cg_world_breaks(rig.world, &breaks) > 0;
    }
    cg_knot_rig_close(&rig);
    return is_broken ? force : NAN;
}

static void run(cg_report *report)
{
    static const char *const names[2] = {"3-0 nylon", "3-0 polypropylene"};
    static const double spacings[3] = {2, 1.5, 1};
    double least = INFINITY, most = 0;
    for (int k = 0; k < 2; k++) {
        cg_suture suture;
        if (!find_suture(report, names[k], &suture)) {
            return;
        }
        double catalogue = suture.breaking_force.value;
        for (int fine = 0; fine < 2; fine++) {
            double share = break_straight(report, &suture, fine == 0 ? 10 : 4) / catalogue;
            cg_report_check(report, 1, share, 0.02, "1", "%s, straight, vertices %d radii apart: pull over catalogue",
                            names[k], fine == 0 ? 10 : 4);
        }
        for (int s = 0; s < (k == 0 ? 3 : 1); s++) {
            double share = break_knotted(report, &suture, spacings[s]) / catalogue;
            cg_report_check(report, 0.75, share, 0.2, "1", "%s, overhand, vertices %g radii apart: pull over catalogue",
                            names[k], spacings[s]);
            least = k == 0 ? fmin(least, share) : least;
            most = k == 0 ? fmax(most, share) : most;
        }
    }
    cg_report_check(report, 1, least / most, 0.1, "1", "3-0 nylon, overhand: smallest over largest of the three");
}
