// Energy at the port: a person throws a device about above and into a rigid table, in a real world whose hand carries
// forceps. Whatever the delay, no more energy comes out of the device than went in; how stiff the table feels is what
// the delay leaves (docs/feel.md).
#include "experiments/feel_rig.h"
#include "experiments/surface_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_passivity = {
    .name = "passivity",
    .summary = "energy at the port of five devices with delays of 0 to 10 ms, and how stiff a table feels",
    .source = "Colgate and Schenkel: K < b / (T/2 + delay)",
    .run = run,
};

enum { DELAYS = 4 };
static const double DELAY[DELAYS] = {0, 1e-3, 3e-3, 10e-3}; // [s]

static bool make_world(cg_world **world, cg_hand_id *hand)
{
    cg_world_def def = cg_world_def_default();
    cg_shape_def table = cg_shape_def_default();
    cg_hand_def forceps = cg_hand_def_default();
    cg_shape_id shape;
    def.max_contacts = 50;
    def.max_shapes = 1;
    forceps.tool = CG_TOOL_FORCEPS;
    forceps.pose.position = vec(0, 0, 10e-3);
    return cg_world_create(&def, world).code == CG_OK && cg_world_add_shape(*world, &table, &shape).code == CG_OK &&
           cg_world_add_hand(*world, &forceps, hand).code == CG_OK &&
           cg_hand_set_jaws(*world, *hand, 0, 0).code == CG_OK;
}

// From place to place, somewhere above the table or below, with a rest now and then.
static void throw_about(cg_feel_rig *rig, uint64_t seed, int milliseconds)
{
    cg_vec3 at = vec(0, 0, 10e-3), goal = at;
    int left = 0;
    for (int i = 0; i < milliseconds; i++) {
        if (left-- <= 0) {
            left = (int)cg_surface_rig_random(&seed, 50, 600);
            goal = vec(cg_surface_rig_random(&seed, -20e-3, 20e-3), cg_surface_rig_random(&seed, -20e-3, 20e-3),
                       cg_surface_rig_random(&seed, -12e-3, 15e-3));
        }
        at = vec_add(at, vec_scale(0.02, vec_sub(goal, at)));
        cg_feel_rig_play(rig, &at);
    }
}

static void throw_device(cg_report *report, cg_device_kind kind, int delay, cg_plot *plot)
{
    cg_feel_def def = cg_feel_def_default(kind);
    cg_world *world = NULL;
    cg_hand_id hand;
    cg_feel_rig rig;
    def.delay = DELAY[delay];
    if (!make_world(&world, &hand)) {
        cg_world_destroy(world);
        cg_report_trouble(report, "the world could not be made");
        return;
    }
    if (cg_feel_rig_open(&rig, world, &hand, 1, &def, report)) {
        throw_about(&rig, (uint64_t)(10 * (int)kind + delay), report->thorough ? 600000 : 3000);
        cg_practice_state state = cg_practice_get_state(rig.practices[0]);
        double limit = cg_feel_get_state(rig.feel, 0).limit;
        cg_report_check(report, 0, state.lowest, 1e-3, "J", "%s, %.0f ms: least energy at the port (%.0f N/m)",
                        def.device.name, 1e3 * def.delay, limit);
        cg_plot_add_point(plot, (int)kind, 1e3 * def.delay, limit);
    }
    cg_feel_rig_close(&rig);
}

static void run(cg_report *report)
{
    static const cg_hue HUES[CG_DEVICE_COUNT] = {CG_VERMILION, CG_ORANGE, CG_GREEN, CG_BLUE, CG_PURPLE};
    int number = cg_report_add_plot(report, "Stiffness that stays passive", "delay [ms]", "stiffness [N/m]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    for (int kind = 0; kind < CG_DEVICE_COUNT; kind++) {
        cg_device_def device = cg_device_get((cg_device_kind)kind);
        cg_plot_add_series(plot, CG_SERIES_LINE, HUES[kind], device.name);
        for (int delay = 0; delay < DELAYS; delay++) {
            throw_device(report, (cg_device_kind)kind, delay, plot);
        }
        double share = cg_device_stiffness(&device, 1e-3, 0) / device.max_stiffness;
        cg_report_check(report, 0.8, share, 1e-6, "1", "%s: stiffness without delay, of the recommended", device.name);
    }
}
