// What goes to the device when one hand, and two, pull on a cord (VTE figures 4.20 to 4.23), with the loop closed: the
// cord of table 4.1, k_h 1200, forces scaled by 0.003 for an Omni; then a suture of nylon at its true size and force.
#include <stdio.h>

#include "base/vec3.h"
#include "experiments/cord_rig.h"
#include "experiments/feel_rig.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_device_pulling = {
    .name = "device_pulling",
    .summary = "force sent to devices when one and two hands pull, with simulated persons in the loop",
    .source = "VTE figures 4.20-4.23; no numbers are printed there",
    .run = run,
};

enum { POINTS = 30, SUTURE_POINTS = 61 };

// Along x; the second hand takes the start, or it is pinned.
static cg_world *cord_world(int hands, cg_hand_id *taken, cg_thread_id *thread, cg_report *report)
{
    cg_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.5 / (POINTS - 1) * i, 0, 0);
    }
    cg_thread_def def = cg_cord_def(points, POINTS, 0.2);
    def.drag = 20;
    def.ends[CG_START].kind = hands == 1 ? CG_END_PINNED : CG_END_FREE;
    cg_world *world = cg_cord_world(&def, v3_zero(), true, thread, report);
    for (int h = 0; h < hands && world != NULL; h++) {
        taken[h] = cg_cord_take(world, h == 0 ? points[POINTS - 1] : points[0], 100, report);
    }
    return world;
}

// 3-0 nylon, 6 cm, at true size.
static cg_world *suture_world(int hands, cg_hand_id *taken, cg_thread_id *thread, cg_report *report)
{
    cg_vec3 points[SUTURE_POINTS];
    cg_world_def world_def = cg_world_def_default();
    cg_world *world = NULL;
    for (int i = 0; i < SUTURE_POINTS; i++) {
        points[i] = v3(1e-3 * i, 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.positions = points;
    def.vertex_count = SUTURE_POINTS;
    def.radius = 0.12e-3;
    def.ends[CG_START].kind = hands == 1 ? CG_END_PINNED : CG_END_FREE;
    def.ends[CG_START].position = points[0];
    cg_status status = cg_world_create(&world_def, &world);
    status = status.code == CG_OK ? cg_world_add_thread(world, &def, thread) : status;
    for (int h = 0; h < hands && status.code == CG_OK; h++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.pose.position = h == 0 ? points[SUTURE_POINTS - 2] : points[1];
        status = cg_world_add_hand(world, &hand, &taken[h]);
        status = status.code == CG_OK ? cg_hand_close(world, taken[h]) : status;
    }
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return world;
}

// Pulls by `way` [m] within half a second and waits; the force at the motors goes into the plot.
static void pull(cg_feel_rig *rig, double way, cg_plot *plot, const int *series)
{
    cg_vec3 from[CG_FEEL_RIG_HANDS], wanted[CG_FEEL_RIG_HANDS];
    for (int h = 0; h < rig->count; h++) {
        from[h] = rig->seen[h];
    }
    for (int i = 0; i < 3000; i++) {
        double share = i < 300 ? 0 : i < 800 ? (i - 300) / 500.0 : 1;
        for (int h = 0; h < rig->count; h++) {
            wanted[h] = v3_add(from[h], v3((h == 0 ? way : -way) * share, 0, 0));
        }
        cg_feel_rig_play(rig, wanted);
        for (int h = 0; h < rig->count && i % 10 == 0; h++) {
            cg_plot_add_point(plot, series[h], i, cg_feel_rig_force(rig, h));
        }
    }
}

static void report_pull(cg_report *report, const char *what, cg_world *world, const cg_hand_id *hands, int count,
                        const cg_feel_def *def, double way, cg_plot *plot)
{
    static const char *const NAMES[2][2] = {{"one hand", ""}, {"right of two", "left of two"}};
    cg_feel_rig rig;
    int series[CG_FEEL_RIG_HANDS];
    if (world == NULL || !cg_feel_rig_open(&rig, world, hands, count, def, report)) {
        return;
    }
    for (int h = 0; h < count; h++) {
        cg_hue hue = count == 1 ? CG_VERMILION : h == 0 ? CG_BLUE : CG_GREEN;
        series[h] = cg_plot_add_series(plot, CG_SERIES_LINE, hue, NAMES[count - 1][h]);
    }
    pull(&rig, way, plot, series);
    double limit = cg_feel_get_state(rig.feel, 0).limit;
    double rigid = def->force_scale * def->hand_stiffness, scale = rigid > limit ? limit / rigid : 1;
    for (int h = 0; h < count; h++) {
        double felt = def->force_scale * v3_length(cg_hand_get_state(world, hands[h]).force);
        double motors = cg_feel_rig_force(&rig, h);
        // A thread that gives way is told nearer to its true force than a rigid thing is.
        cg_report_check(report, 1, motors <= felt * 1.02 && motors >= scale * felt * 0.98, 0, "1",
                        "%s, %s: %.3g N in the world, %.3g N at the motors", what, NAMES[count - 1][h],
                        felt / def->force_scale, motors);
    }
    if (count == 2) {
        cg_report_check(report, cg_feel_rig_force(&rig, 0), cg_feel_rig_force(&rig, 1), 0.05, "N",
                        "%s: both devices pull alike", what);
    }
    cg_feel_rig_close(&rig);
}

static void run(cg_report *report)
{
    cg_thread_id thread;
    cg_hand_id hands[CG_FEEL_RIG_HANDS];
    cg_feel_def seed = cg_feel_def_default(CG_DEVICE_OMNI), true_size = seed;
    seed.hand_stiffness = 1200;
    seed.force_scale = 0.003;
    int cord = cg_report_add_plot(report, "Force to an Omni, a cord pulled, scaled by 0.003", "frame", "force [N]");
    int suture = cg_report_add_plot(report, "Force to an Omni, a suture pulled, not scaled", "frame", "force [N]");
    report->plots[cord].from_zero = report->plots[suture].from_zero = true;
    snprintf(report->plots[cord].name, sizeof report->plots[cord].name, "cord");
    snprintf(report->plots[suture].name, sizeof report->plots[suture].name, "suture");
    for (int count = 1; count <= 2; count++) {
        cg_world *world = cord_world(count, hands, &thread, report);
        report_pull(report, "cord", world, hands, count, &seed, 0.03, &report->plots[cord]);
        world = suture_world(count, hands, &thread, report);
        report_pull(report, "suture", world, hands, count, &true_size, 4e-3, &report->plots[suture]);
    }
    cg_report_check(report, 3.6, seed.force_scale * seed.hand_stiffness, 1e-12, "N/m",
                    "stiffness of a rigid thing with the numbers of VTE");
}
