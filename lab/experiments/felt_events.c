// What a hand feels when something gives way: a needle pops through skin, a knot slips, a thread breaks. Each is a real
// world with hands that simulated devices lead, in the hands of simulated persons who draw or push on at an even speed.
// The trace is of the force that the world has for the hand, scaled for the device, and of what the motors do.
//
// The hand of the needle has no more stiffness than the device bears, so the motors should show what the world has; a
// straight thread under a pull gives way so much that they should too. A knot that sticks is stiffer, and the device
// shows what it can (docs/feel.md).
#include <stdio.h>

#include "experiments/feel_rig.h"
#include "experiments/knot_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_felt_events = {
    .name = "felt_events",
    .summary = "force at the motors of a device when a needle pops, a knot slips and a thread breaks",
    .source = "the threshold, the breaking force and the friction that are set",
    .run = run,
};

enum { MOST = 1200, BEGINS = 200, LATE = 100 }; // [ms] at most, before the persons move, and of a mean at the end
enum { SETTLED = 290 };                         // [ms] after which a hand that lurched goes on evenly

// A sample a millisecond, of the first hand.
typedef struct trace {
    int count;
    int event;          // the sample of the step in which it happened; 0: it did not
    double world[MOST]; // [N] force on the hand, scaled for the device
    double felt[MOST];  // [N] at the motors
    double way[MOST];   // [m] of the device along the way of its person
} trace;

// A stage and what is played on it.
typedef struct stage {
    cg_feel_rig rig;
    cg_vec3 ways[CG_FEEL_RIG_HANDS];                                  // [m/s] that the persons go
    double force_scale;                                               // of the devices
    int after;                                                        // [ms] that are played after the event
    int (*find_event)(const struct stage *stage, const trace *trace); // its sample; 0: nothing happened yet
    cg_rigid_id needle;
} stage;

// False, and the report says so, when nothing happened, or too late to see what came of it.
static bool play(cg_report *report, stage *s, trace *t, const char *what)
{
    cg_vec3 from[CG_FEEL_RIG_HANDS], wanted[CG_FEEL_RIG_HANDS];
    for (int h = 0; h < s->rig.count; h++) {
        from[h] = wanted[h] = s->rig.seen[h];
    }
    t->count = t->event = 0;
    for (int i = 0; i < MOST && (t->event == 0 || i < t->event + s->after); i++) {
        double time = i < BEGINS ? 0 : 1e-3 * (i - BEGINS);
        for (int h = 0; h < s->rig.count; h++) {
            wanted[h] = vec_add(from[h], vec_scale(time, s->ways[h]));
        }
        cg_feel_rig_play(&s->rig, wanted);
        cg_practice_state device = cg_practice_get_state(s->rig.practices[0]);
        t->world[i] = s->force_scale * vec_length(cg_hand_get_state(s->rig.world, s->rig.hands[0]).force);
        t->felt[i] = vec_length(device.motors);
        t->way[i] = vec_dot(vec_sub(device.position, from[0]), vec_unit(s->ways[0]));
        t->count = i + 1;
        t->event = t->event == 0 ? s->find_event(s, t) : t->event;
    }
    bool is_seen = t->event > 0 && t->event + s->after <= t->count;
    if (!is_seen) {
        cg_report_trouble(report, "%s: nothing gave way", what);
    }
    return is_seen;
}

// A trace, its event at 0.
static void plot_trace(cg_report *report, const trace *t, const char *name, const char *title)
{
    int number = cg_report_add_plot(report, title, "time from the event [ms]", "force [N]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->name, sizeof plot->name, "%s", name);
    int world = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "of the world, scaled for the device");
    int felt = cg_plot_add_series(plot, CG_SERIES_LINE, CG_VERMILION, "at the motors");
    for (int i = t->event > 150 ? t->event - 150 : 0; i < t->count; i++) {
        cg_plot_add_point(plot, world, i - t->event, t->world[i]);
        cg_plot_add_point(plot, felt, i - t->event, t->felt[i]);
    }
}

// [s] from the event until the motors have let go of half of what falls within 50 ms.
static double half_time(const trace *t)
{
    double half = 0.5 * (t->felt[t->event] + t->felt[t->event + 50]);
    int i = t->event;
    while (i < t->count && t->felt[i] > half) {
        i++;
    }
    return 1e-3 * (i - t->event);
}

// A hand that is held back less goes on by the fall over the stiffness of its muscles and of the device's arm.
static void check_lurch(cg_report *report, const stage *s, const trace *t, double fall, const char *what)
{
    cg_practice_def person = cg_practice_def_default();
    double arm = s->ways[0].z != 0 ? person.device.tip_stiffness.z : person.device.tip_stiffness.x;
    double even = 1e-3 * SETTLED * vec_length(s->ways[0]);
    cg_report_check(report, fall * (1 / person.hand_stiffness + 1 / arm),
                    t->way[t->event + SETTLED] - t->way[t->event] - even, 0.1, "m", "%s: the hand lurches on", what);
}

static void check_energy(cg_report *report, const stage *s, const char *what)
{
    cg_report_check(report, 0, cg_practice_get_state(s->rig.practices[0]).lowest, 1e-3, "J",
                    "%s: least energy at the port", what);
}

static bool opens(cg_report *report, cg_status status)
{
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return status.code == CG_OK;
}

// --- a needle pops ---

static const double THRESHOLD = 0.6, CUT = 0.15, DRAG = 20; // [N], [N], [N/m]

static int find_pop(const stage *s, const trace *t)
{
    cg_piercing now = {0};
    return cg_rigid_get_piercing(s->rig.world, s->needle, &now) && now.entries > 0 ? t->count - 1 : 0;
}

static cg_status add_pad(cg_world *world)
{
    cg_tissue_def pad = cg_tissue_def_default();
    cg_tissue_id id;
    pad.size = vec(24e-3, 20e-3, 0);
    pad.layers[0].material.young = 200e3;
    pad.layers[0].thickness = 8e-3;
    pad.fix_bottom = true;
    pad.pierce_force = THRESHOLD;
    pad.pierce_cut = CUT;
    pad.pierce_drag = DRAG;
    return cg_world_add_tissue(world, &pad, &id);
}

// A straight needle, upright, in the jaws of a driver whose handle is level.
static cg_status add_needle(cg_world *world, cg_rigid_id *body, cg_hand_id *hand, double stiffness)
{
    cg_needle needle = cg_needle_default();
    cg_rigid_def def = cg_rigid_def_default();
    cg_hand_def driver = cg_hand_def_default();
    needle.radius = 0.2;
    needle.arc = 0.1;
    def.needle = &needle;
    def.mass = 0.5e-3;
    def.friction = 0.8;
    def.pose.position = vec(0.3e-3 - needle.radius, 0.2e-3, 1e-3);
    driver.tool = CG_TOOL_NEEDLE_DRIVER;
    driver.stiffness = stiffness;
    driver.damping = 2 * sqrt(stiffness * driver.mass);
    driver.turn_stiffness = 0.5;
    driver.max_torque = 0.1;
    driver.grip = 10;
    driver.pose.position = vec_add(def.pose.position, cg_needle_place(&needle, 0.07));
    driver.pose.rotation = (cg_quat){0, sqrt(0.5), 0, sqrt(0.5)};
    cg_status status = cg_world_add_rigid(world, &def, body);
    status = status.code == CG_OK ? cg_world_add_hand(world, &driver, hand) : status;
    return status.code == CG_OK ? cg_hand_close(world, *hand) : status;
}

static bool open_needle(cg_report *report, stage *s)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_world_def world_def = cg_world_def_default();
    cg_world *world = NULL;
    cg_hand_id hand;
    def.hand_stiffness = 500;
    world_def.gravity = vec(0, 0, 0);
    world_def.max_contacts = 200;
    *s = (stage){.ways = {vec(0, 0, -10e-3)}, .force_scale = 1, .after = 300, .find_event = find_pop};
    cg_status status = cg_world_create(&world_def, &world);
    status = status.code == CG_OK ? add_pad(world) : status;
    status = status.code == CG_OK ? add_needle(world, &s->needle, &hand, def.hand_stiffness) : status;
    if (!opens(report, status)) {
        cg_world_destroy(world);
        return false;
    }
    return cg_feel_rig_open(&s->rig, world, &hand, 1, &def, report);
}

static void report_needle(cg_report *report)
{
    stage s;
    trace t;
    if (open_needle(report, &s) && play(report, &s, &t, "needle")) {
        cg_report_check(report, THRESHOLD, t.world[t.event - 1], 0.03, "N",
                        "needle: force in the world before it pops");
        cg_report_check(report, THRESHOLD, t.felt[t.event], 0.05, "N", "needle: at the motors then");
        cg_report_check(report, t.world[t.event + 50], t.felt[t.event + 50], 0.1, "N", "needle: 50 ms later");
        cg_report_check(report, 0, half_time(&t), 0.01, "s", "needle: time in which half of the fall is felt");
        double fall = t.felt[t.event] - t.felt[t.event + SETTLED];
        check_lurch(report, &s, &t, fall, "needle");
        check_energy(report, &s, "needle");
        plot_trace(report, &t, "needle", "What a hand feels of a needle that pops through skin");
    }
    cg_feel_rig_close(&s.rig);
}

// --- a thread breaks ---

static int find_break(const stage *s, const trace *t)
{
    const cg_thread_break *breaks;
    return cg_world_breaks(s->rig.world, &breaks) > 0 ? t->count - 1 : 0;
}

enum { LINE_VERTICES = 61 };

// A straight thread, pinned at its start, the other end in a hand.
static cg_status add_line(cg_world *world, const cg_suture *suture, cg_hand_id *hand)
{
    cg_vec3 points[LINE_VERTICES];
    cg_thread_def line = cg_thread_def_default();
    cg_hand_def fingers = cg_hand_def_default();
    cg_thread_id thread;
    for (int i = 0; i < LINE_VERTICES; i++) {
        points[i] = vec(1e-3 * i, 0, 0);
    }
    cg_suture_apply(suture, &line);
    line.positions = points;
    line.vertex_count = LINE_VERTICES;
    line.breaking_force = suture->breaking_force.value;
    line.ends[CG_START].kind = CG_END_PINNED;
    fingers.max_force = 2 * line.breaking_force;
    fingers.pose.position = points[LINE_VERTICES - 2];
    cg_status status = cg_world_add_thread(world, &line, &thread);
    status = status.code == CG_OK ? cg_world_reserve_parts(world, thread, 1) : status;
    status = status.code == CG_OK ? cg_world_add_hand(world, &fingers, hand) : status;
    return status.code == CG_OK ? cg_hand_close(world, *hand) : status;
}

static bool open_line(cg_report *report, stage *s, const cg_suture *suture)
{
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    cg_world_def world_def = cg_world_def_default();
    cg_world *world = NULL;
    cg_hand_id hand;
    def.force_scale = 0.25;
    *s = (stage){.ways = {vec(30e-3, 0, 0)}, .force_scale = def.force_scale, .after = 300, .find_event = find_break};
    cg_status status = cg_world_create(&world_def, &world);
    status = status.code == CG_OK ? add_line(world, suture, &hand) : status;
    if (!opens(report, status)) {
        cg_world_destroy(world);
        return false;
    }
    return cg_feel_rig_open(&s->rig, world, &hand, 1, &def, report);
}

static void report_break(cg_report *report)
{
    stage s = {.force_scale = 1};
    trace t;
    cg_suture suture;
    if (!cg_catalogue_find("5-0 silk", &suture, NULL, 0)) {
        cg_report_trouble(report, "5-0 silk is not in the catalogue");
    } else if (open_line(report, &s, &suture) && play(report, &s, &t, "thread")) {
        double breaks = s.force_scale * suture.breaking_force.value;
        cg_report_check(report, breaks, t.world[t.event - 1], 0.02, "N", "thread: force in the world before it breaks");
        cg_report_check(report, breaks, t.felt[t.event], 0.05, "N", "thread: at the motors then");
        cg_report_check(report, 0, t.felt[t.event + 20], 0.02, "N", "thread: 20 ms later");
        cg_report_check(report, 0, half_time(&t), 0.01, "s", "thread: time in which half of the fall is felt");
        check_lurch(report, &s, &t, t.felt[t.event], "thread");
        check_energy(report, &s, "thread");
        plot_trace(report, &t, "break", "What a hand feels of a thread that breaks, a quarter as strong");
    }
    cg_feel_rig_close(&s.rig);
}

// --- a knot slips ---

static int greatest(const double *samples, int from, int end)
{
    int at = from;
    for (int i = from; i < end; i++) {
        at = samples[i] > samples[at] ? i : at;
    }
    return at;
}

// The greatest pull, once it has fallen to half of that: the knot stuck and let go.
static int find_slip(const stage *s, const trace *t)
{
    (void)s;
    int at = t->count > BEGINS ? greatest(t->world, BEGINS, t->count) : 0;
    return at > 0 && t->world[t->count - 1] < 0.5 * t->world[at] ? at : 0;
}

// A square knot of 3-0 nylon in a loop whose far point is held; each tail in a hand.
static bool open_knot(cg_report *report, stage *s)
{
    const double radius = 0.11e-3;
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_REEF, 1, radius, 0.2);
    cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
    setup.curve.loop_radius = 0.1 / 6.283185307179586;
    setup.curve.tail = 0.06;
    setup.curve.spacing = radius;
    setup.coarse = 10 * radius;
    setup.fine_tail = 8e-3;
    setup.world.max_contacts = 300;
    setup.settle = 0.1;
    setup.hold_middle = true;
    def.force_scale = 5;
    cg_knot_rig rig;
    *s = (stage){.force_scale = def.force_scale, .after = 150, .find_event = find_slip};
    bool good = cg_knot_rig_open(&rig, &setup, report);
    cg_world *world = rig.world;
    cg_hand_id hands[2];
    for (int end = 0; end < 2 && good; end++) {
        cg_hand_def fingers = cg_hand_def_default();
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(&rig, end, &thread);
        fingers.pose.position = cg_knot_rig_points(&rig, 0)[vertex];
        good = opens(report, cg_world_add_hand(world, &fingers, &hands[end])) &&
               opens(report, cg_hand_close(world, hands[end]));
        s->ways[end] = vec_scale(0.1, rig.curve.pull[end]);
    }
    rig.world = NULL;
    cg_knot_rig_close(&rig);
    return good && cg_feel_rig_open(&s->rig, world, hands, 2, &def, report);
}

// Of the samples of the last 100 ms.
static double mean(const trace *t, const double *samples)
{
    double sum = 0;
    for (int i = t->count - LATE; i < t->count; i++) {
        sum += samples[i] / LATE;
    }
    return sum;
}

static void report_knot(cg_report *report)
{
    stage s = {.force_scale = 1};
    trace t;
    if (open_knot(report, &s) && play(report, &s, &t, "knot")) {
        double stuck = t.felt[greatest(t.felt, t.event, t.event + 20)];
        cg_report_check(report, 0, stuck / t.world[t.event], 0.75, "1", "knot: felt of the jerk with which it sticks");
        cg_report_check(report, 0, t.felt[t.event + 25] / stuck, 0.75, "1", "knot: left of that 25 ms later");
        cg_report_check(report, 1e-3 * (t.count - BEGINS) * vec_length(s.ways[0]), t.way[t.count - 1], 0.25, "m",
                        "knot: the tail comes out as far as the hand goes");
        cg_report_check(report, mean(&t, t.world), mean(&t, t.felt), 0.1, "N", "knot: mean force of the last 100 ms");
        check_energy(report, &s, "knot");
        plot_trace(report, &t, "knot", "What a hand feels of a square knot that slips, five times as strong");
    }
    cg_feel_rig_close(&s.rig);
}

static void run(cg_report *report)
{
    report_needle(report);
    report_knot(report);
    report_break(report);
}
