// Forces in a mass-spring thread, as the source draws them (VTE figures 4.9 to 4.23).
//
//     swing      a thread of table 4.1 swings by one end: the five forces on its 15th node; hung at rest, the spring
//                below that node carries what hangs on it
//     drag       a thread is dragged over itself at four coefficients: friction over normal force is the coefficient
//     slide      thrown along a desk it loses mu times the momentum that holds it up: the same law, from outside
//     hands      one hand, and two, pull: what they feel is the thread's own pull, and goes to the device 0.003 times
#include <stdio.h>

#include "base/vec3.h"
#include "experiments/cord_rig.h"
#include "support/special.h"
#include "thread/mass_spring.h"
#include "world/world.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_force_traces = {
    .name = "force_traces",
    .summary = "forces on the 15th node of a swinging thread, friction of one dragged over itself, pulling hands",
    .source = "VTE figures 4.9-4.23",
    .run = run,
};

enum { POINTS = 30, NODE = 15, KINDS = 5, FRICTIONS = 4 };
static const double GRAVITY = 9.8;
static const double DEVICE_SCALE = 0.003, DEVICE_MOST = 3.3; // of table 4.1; [N]
static const double MU[FRICTIONS] = {0.1, 0.5, 1, 2};
static const cg_hue HUES[KINDS] = {CG_VERMILION, CG_ORANGE, CG_GREEN, CG_BLUE, CG_PURPLE};

// --- swing ---

// The law with all its constants zero but one.
static cg_mass_spring_def only(const cg_mass_spring_def *def, int kind)
{
    cg_mass_spring_def one = *def;
    one.linear_spring = kind == 0 ? def->linear_spring : 0;
    one.linear_damper = kind == 1 ? def->linear_damper : 0;
    one.torsional_spring = kind == 2 ? def->torsional_spring : 0;
    one.torsional_damper = kind == 3 ? def->torsional_damper : 0;
    one.swivel_damper = kind == 4 ? def->swivel_damper : 0;
    return one;
}

typedef struct swing {
    cg_mass_spring_def def;
    cg_vec3 position[POINTS], velocity[POINTS];
    double time_step;
} swing;

static swing make_swing(double below, double turn, double damper)
{
    swing s = {.def = cg_mass_spring_def_table(4, POINTS)};
    s.def.linear_damper *= damper;
    s.time_step = 0.5 * cg_mass_spring_largest_step(&s.def, 0, 0.02);
    for (int i = 0; i < POINTS; i++) {
        s.position[i] = v3_scale(s.def.rest_length * i, v3(cos(below), 0, -sin(below)));
        s.velocity[i] = v3(0, turn * s.position[i].x, 0);
    }
    return s;
}

static void step_swing(swing *s)
{
    cg_vec3 force[POINTS];
    bool held[POINTS] = {true};
    for (int i = 0; i < POINTS; i++) {
        force[i] = v3(0, 0, -GRAVITY * s->def.mass);
    }
    cg_mass_spring_step(&s->def, POINTS, s->position, s->velocity, force, held, s->time_step);
}

static double force_on_node(const swing *s, int kind)
{
    cg_vec3 force[POINTS] = {{0, 0, 0}};
    cg_mass_spring_def one = only(&s->def, kind);
    cg_mass_spring_add_forces(&one, POINTS, s->position, s->velocity, NULL, force);
    return v3_length(force[NODE]);
}

static void draw_swing(cg_report *report)
{
    static const char *const labels[KINDS] = {"spring", "damper", "torsional spring", "torsional damper",
                                              "swivel damper"};
    int number = cg_report_add_plot(report, "Forces on the 15th node of a free swing", "time [s]", "force [N]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    for (int kind = 0; kind < KINDS; kind++) {
        cg_plot_add_series(plot, CG_SERIES_LINE, HUES[kind], labels[kind]);
    }
    swing s = make_swing(34 * CG_PI / 180, 2, 1);
    const double seconds = 3;
    double most[KINDS] = {0};
    int steps = (int)(seconds / s.time_step);
    for (int k = 0; k < steps; k++) {
        step_swing(&s);
        for (int kind = 0; kind < KINDS && k % (steps / 300) == 0; kind++) {
            double force = force_on_node(&s, kind);
            most[kind] = fmax(most[kind], force);
            cg_plot_add_point(plot, kind, k * s.time_step, force);
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        cg_report_check(report, 1, most[kind] > 0 && isfinite(most[kind]), 0, "1",
                        "free swing, node 15: %s up to %.3g N", labels[kind], most[kind]);
    }
}

static void report_rest(cg_report *report)
{
    swing s = make_swing(CG_PI / 2, 0, 100); // damped only to be still sooner
    for (int k = 0; k < 4 / s.time_step; k++) {
        step_swing(&s);
    }
    double carries = (POINTS - 1 - NODE) * s.def.mass * GRAVITY;
    double pull = cg_mass_spring_pull(&s.def, s.position, s.velocity, NODE);
    cg_report_check(report, carries, pull, 0.001, "N", "at rest: the spring below node 15 carries its weight");
}

// --- drag ---

enum { LYING = 16, BEND = 20, CROSSING = 20, ALL = LYING + BEND + CROSSING };

// A strand along x, a wide turn, and a strand along y over the first one's middle.
static void lay_cross(cg_vec3 *points)
{
    const double step = 0.012, height = 2 * CG_CORD_RADIUS * 0.995;
    for (int i = 0; i < LYING; i++) {
        points[i] = v3(step * i, 0, 0);
    }
    double width = 0.5 * step * (LYING - 1), end = points[LYING - 1].x, turn = 1.5 * CG_PI;
    for (int k = 1; k <= BEND; k++) {
        double angle = turn * k / BEND; // from along x to along -y, by way of +y
        points[LYING - 1 + k] =
            v3(end + width * sin(angle) * 0.5, 0.5 * width * (1 - cos(angle)) + 0.02 * k / BEND, height * k / BEND);
    }
    cg_vec3 from = points[LYING + BEND - 1];
    cg_vec3 over = v3(0.5 * end, -0.06, height);
    for (int k = 1; k <= CROSSING; k++) {
        points[LYING + BEND - 1 + k] = v3_add_scaled(from, (double)k / CROSSING, v3_sub(over, from));
    }
}

typedef struct drag {
    double worst; // share by which friction over normal force is off, of all steps that slide
    int steps;    // that slide
} drag;

static void note_friction(const cg_world *world, double mu, drag *result, double *sum)
{
    *sum = 0;
    for (int k = 0; k < world->beads.touch_count; k++) {
        const cg_bead_touch *touch = &world->beads.touches[k];
        *sum += touch->friction;
        if (touch->slides && touch->repulsion > 0) {
            result->worst = fmax(result->worst, fabs(touch->friction / touch->repulsion / mu - 1));
            result->steps++;
        }
    }
}

static drag drag_over_itself(cg_report *report, double mu, cg_plot *plot, int series)
{
    cg_vec3 points[ALL];
    drag result = {0, 0};
    lay_cross(points);
    cg_thread_def def = cg_cord_def(points, ALL, mu);
    def.drag = 5;
    def.springs.torsional_spring = 0.2; // a cord so soft that it lies on itself
    def.springs.torsional_damper = 0.002;
    cg_thread_id thread;
    cg_world *world = cg_cord_world(&def, v3(0, 0, -GRAVITY), true, &thread, report);
    if (world == NULL) {
        return result;
    }
    for (int i = 0; i < LYING; i++) {
        cg_thread_hold(world, thread, i, points[i]);
    }
    cg_vec3 at = v3_scale(0.5, v3_add(points[ALL - 1], points[ALL - 2]));
    cg_hand_id hand = cg_cord_take(world, at, 100, report);
    for (int step = 0; step < 300; step++) {
        at = v3_add(at, v3(0, -2e-4, -4e-5)); // along it, and down on what lies there
        cg_hand_move(world, hand, (cg_transform){at, {0, 0, 0, 1}}, 0);
        cg_world_step(world);
        double friction;
        note_friction(world, mu, &result, &friction);
        cg_plot_add_point(plot, series, 1e-3 * step, friction);
    }
    cg_world_destroy(world);
    return result;
}

static void report_drag(cg_report *report)
{
    int number = cg_report_add_plot(report, "Friction of a thread dragged over itself", "time [s]", "friction [N]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    for (int k = 0; k < FRICTIONS; k++) {
        char label[24];
        snprintf(label, sizeof label, "mu %g", MU[k]);
        drag result = drag_over_itself(report, MU[k], plot, cg_plot_add_series(plot, CG_SERIES_LINE, HUES[k], label));
        cg_report_check(report, 0, result.worst, 0.01, "1",
                        "dragged over itself, mu %g: friction over normal force is mu", MU[k]);
        cg_report_check(report, 1, result.steps > 20, 0, "1", "mu %g: it slides (contacts of steps: %d)", MU[k],
                        result.steps);
    }
}

// --- slide ---

static void report_slide(cg_report *report, double mu)
{
    cg_vec3 points[POINTS], thrown[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.5 / (POINTS - 1) * i, 0, CG_CORD_RADIUS);
        thrown[i] = v3(6, 0, 0);
    }
    cg_thread_def def = cg_cord_def(points, POINTS, mu);
    cg_thread_id thread;
    cg_world *world = cg_cord_world(&def, v3(0, 0, -GRAVITY), true, &thread, report);
    cg_shape_def desk = cg_shape_def_default();
    desk.friction = mu;
    cg_shape_id shape;
    if (world == NULL || cg_world_add_shape(world, &desk, &shape).code != CG_OK) {
        cg_world_destroy(world);
        return;
    }
    const int settle = 300, steps = 200; // until what holds it up is steady
    cg_vec3 change = v3_zero();          // of the mean velocity
    for (int step = 0; step < settle + steps; step++) {
        if (step == settle) { // it lies as it will
            cg_vec3 lying[POINTS];
            for (int i = 0; i < POINTS; i++) {
                lying[i] = cg_thread_positions(world, thread, NULL)[i];
                thrown[i].z = cg_thread_velocities(world, thread, NULL)[i].z;
            }
            cg_thread_set_state(world, thread, lying, thrown);
        }
        cg_world_step(world);
    }
    for (int i = 0; i < POINTS; i++) {
        cg_vec3 now = cg_thread_velocities(world, thread, NULL)[i];
        change = v3_add_scaled(change, 1.0 / POINTS, v3_sub(now, thrown[i]));
    }
    // What the desk gave upwards in that time is the weight and what it slowed the fall by.
    double upwards = GRAVITY * 1e-3 * steps + change.z;
    cg_report_check(report, mu, -change.x / upwards, 0.02, "1",
                    "thrown along a desk: momentum along it over momentum from it");
    cg_world_destroy(world);
}

// --- hands ---

// [N] What a device would be given.
static double on_device(cg_vec3 force)
{
    return fmin(DEVICE_SCALE * v3_length(force), DEVICE_MOST);
}

static void report_hands(cg_report *report, int hands, cg_plot *plot)
{
    cg_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.5 / (POINTS - 1) * i, 0, 0);
    }
    cg_thread_def def = cg_cord_def(points, POINTS, 0.2);
    def.drag = 20;
    def.ends[CG_START].kind = hands == 1 ? CG_END_PINNED : CG_END_FREE;
    cg_thread_id thread;
    cg_world *world = cg_cord_world(&def, v3_zero(), true, &thread, report);
    if (world == NULL) {
        return;
    }
    cg_hand_id taken[2];
    int series[2];
    for (int h = 0; h < hands; h++) {
        cg_vec3 at = h == 0 ? points[POINTS - 1] : points[0];
        taken[h] = cg_cord_take(world, at, 100, report);
        char label[32];
        snprintf(label, sizeof label, hands == 1 ? "one hand" : (h == 0 ? "right of two" : "left of two"));
        series[h] = cg_plot_add_series(plot, CG_SERIES_LINE, HUES[2 * hands - 2 + h], label);
        cg_vec3 to = v3_add(at, v3(h == 0 ? 0.03 : -0.03, 0, 0));
        cg_hand_move(world, taken[h], (cg_transform){to, {0, 0, 0, 1}}, 0.5);
    }
    const int steps = 2000;
    for (int step = 0; step < steps; step++) {
        cg_world_step(world);
        for (int h = 0; h < hands && step % 10 == 0; h++) {
            cg_plot_add_point(plot, series[h], step, on_device(cg_hand_get_state(world, taken[h]).force));
        }
    }
    double tensions[POINTS - 1];
    cg_thread_tensions(world, thread, tensions, POINTS - 1);
    for (int h = 0; h < hands; h++) {
        cg_vec3 force = cg_hand_get_state(world, taken[h]).force;
        cg_report_check(report, tensions[POINTS / 2], v3_length(force), 0.01, "N",
                        "%s: a steady hand feels the thread's own pull (%.3g N to the device)",
                        hands == 1 ? "one hand" : (h == 0 ? "two hands, right" : "two hands, left"), on_device(force));
    }
    cg_world_destroy(world);
}

static void run(cg_report *report)
{
    draw_swing(report);
    report_rest(report);
    report_drag(report);
    for (int k = 0; k < FRICTIONS; k++) {
        report_slide(report, MU[k]);
    }
    int number = cg_report_add_plot(report, "What pulling hands feel, scaled for a device", "frame", "force [N]");
    report->plots[number].from_zero = true;
    report_hands(report, 1, &report->plots[number]);
    report_hands(report, 2, &report->plots[number]);
}
