// What hands feel that pull on our thread, frame by frame, in the manner of VTE's figures 4.20 (one hand) and 4.22 and
// 4.23 (two hands draw a knot). No numbers are printed there, only traces: nothing while the thread is slack, a rise as
// soon as it is taut, and nothing again when it is let go; with two hands both feel the same.
//
//     one hand   3-0 nylon, 60 mm, pinned at one end and 4 mm slack. Taut it is a spring of EA / L, the hand's own
//                spring left out: the rise of the force over what the ends come apart.
//     two hands  an overhand knot in 3-0 nylon, drawn by both ends. What one hand feels the other one does; while the
//                knot runs up it is little (elastic, EI / r^2 by its order), and when it has closed the force rises.
#include <stdio.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "knot/curves.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_pulling = {
    .name = "pulling",
    .summary = "what one hand feels that draws a thread taut, and two that draw a knot",
    .source = "VTE figures 4.20-4.23; their shapes, no numbers are printed there",
    .run = run,
};

enum { SEGMENTS = 60, MOST_POINTS = 400, SHOWN_EVERY = 10 };
static const double RADIUS = 0.1125e-3, YOUNG = 2.5e9, PI = 3.14159265358979323846; // 3-0 nylon
static const double LENGTH = 60e-3, SLACK = 4e-3, FURTHER = 0.8e-3;                 // [m]

// Forces of one run [N], a frame a step.
typedef struct trace {
    int hands, series[2];
    cg_plot *plot;
    cg_world *world;
    cg_hand_id hand[2];
    int frame;
    double felt[2];
} trace;

static cg_thread_def nylon(const cg_vec3 *points, int count)
{
    cg_thread_def def = cg_thread_def_default();
    double section = PI * RADIUS * RADIUS;
    def.radius = RADIUS;
    def.stretch_stiffness = YOUNG * section;
    def.bend_stiffness = 0.25 * YOUNG * section * RADIUS * RADIUS;
    def.linear_density = 1140 * section;
    def.friction = 0.2;
    def.drag = 10;
    def.positions = points;
    def.vertex_count = count;
    return def;
}

static bool begin(trace *t, const cg_thread_def *def, cg_thread_id *thread, cg_report *report)
{
    static const char *const names[2][2] = {{"one hand", ""}, {"left of two", "right of two"}};
    cg_world_def world_def = cg_world_def_default();
    world_def.gravity = v3_zero();
    cg_status status = cg_world_create(&world_def, &t->world);
    status = status.code == CG_OK ? cg_world_add_thread(t->world, def, thread) : status;
    for (int h = 0; h < t->hands && status.code == CG_OK; h++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.pose.position = def->positions[h == 0 ? def->vertex_count - 1 : 0];
        hand.turn_stiffness = 0;
        status = cg_world_add_hand(t->world, &hand, &t->hand[h]);
        status = status.code == CG_OK ? cg_hand_close(t->world, t->hand[h]) : status;
        cg_hue hue = t->hands == 1 ? CG_VERMILION : h == 0 ? CG_BLUE : CG_GREEN;
        t->series[h] = cg_plot_add_series(t->plot, CG_SERIES_LINE, hue, names[t->hands - 1][h]);
    }
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return status.code == CG_OK;
}

// The hands go by so much from where they are told to be, the second the other way.
static void go(trace *t, cg_vec3 way, double time)
{
    for (int h = 0; h < t->hands; h++) {
        cg_transform to = cg_hand_get_state(t->world, t->hand[h]).command;
        to.position = v3_add_scaled(to.position, h == 0 ? 1 : -1, way);
        cg_hand_move(t->world, t->hand[h], to, time);
    }
}

static void step(trace *t)
{
    cg_world_step(t->world);
    for (int h = 0; h < t->hands; h++) {
        t->felt[h] = v3_length(cg_hand_get_state(t->world, t->hand[h]).force);
        if (t->frame % SHOWN_EVERY == 0) {
            cg_plot_add_point(t->plot, t->series[h], t->frame, t->felt[h]);
        }
    }
    t->frame++;
}

static void steps(trace *t, int count)
{
    for (int i = 0; i < count; i++) {
        step(t);
    }
}

static void let_go(trace *t, int count)
{
    for (int h = 0; h < t->hands; h++) {
        cg_hand_open(t->world, t->hand[h]);
    }
    steps(t, count);
}

static double span_of(const trace *t, cg_thread_id thread)
{
    int count;
    const cg_vec3 *x = cg_thread_positions(t->world, thread, &count);
    return v3_distance(x[0], x[count - 1]);
}

static void report_one(cg_report *report, cg_plot *plot)
{
    cg_vec3 points[SEGMENTS + 1];
    double rest[SEGMENTS];
    for (int i = 0; i <= SEGMENTS; i++) {
        double share = (double)i / SEGMENTS;
        points[i] = v3(share * (LENGTH - SLACK), 0, 0);
    }
    for (int i = 0; i < SEGMENTS; i++) {
        rest[i] = LENGTH / SEGMENTS;
    }
    // Laid as an arch of its own length: slack, not squeezed.
    double low = 0, high = LENGTH;
    for (int n = 0; n < 60; n++) {
        double middle = 0.5 * (low + high), sum = 0;
        for (int i = 0; i <= SEGMENTS; i++) {
            points[i].z = middle * (double)i / SEGMENTS * (1 - (double)i / SEGMENTS);
            sum += i > 0 ? v3_distance(points[i], points[i - 1]) : 0;
        }
        low = sum < LENGTH ? middle : low;
        high = sum < LENGTH ? high : middle;
    }
    trace t = {.hands = 1, .plot = plot};
    cg_thread_def def = nylon(points, SEGMENTS + 1);
    def.rest_lengths = rest;
    def.ends[CG_START].kind = CG_END_PINNED;
    def.ends[CG_START].position = points[0];
    cg_thread_id thread;
    if (begin(&t, &def, &thread, report)) {
        go(&t, v3(0.8 * SLACK, 0, 0), 0.3);
        steps(&t, 800);
        double slack = t.felt[0];
        go(&t, v3(0.2 * SLACK + 0.5 * FURTHER, 0, 0), 0.2);
        steps(&t, 600);
        double force = t.felt[0], span = span_of(&t, thread);
        go(&t, v3(0.5 * FURTHER, 0, 0), 0.2);
        steps(&t, 600);
        double rise = (t.felt[0] - force) / (span_of(&t, thread) - span);
        cg_report_check(report, 0, slack / t.felt[0], 0.01, "1", "one hand: of the pull, felt while it is slack");
        cg_report_check(report, def.stretch_stiffness / LENGTH, rise, 0.03, "N/m",
                        "one hand: rise of the force with the way, taut (up to %.2f N)", t.felt[0]);
        let_go(&t, 300);
        cg_report_check(report, 0, t.felt[0], 0, "N", "one hand: let go");
    }
    cg_world_destroy(t.world);
}

static void report_two(cg_report *report, cg_plot *plot)
{
    cg_vec3 points[MOST_POINTS];
    cg_curve_def curve_def = cg_curve_def_default();
    curve_def.kind = CG_CURVE_OVERHAND;
    curve_def.radius = RADIUS;
    curve_def.spacing = 4 * RADIUS;
    curve_def.gap = 30 * RADIUS;
    curve_def.tail = 200 * RADIUS;
    cg_curve curve;
    cg_status status = cg_curve_make(&curve_def, points, MOST_POINTS, &curve);
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
        return;
    }
    int count = curve.point_count[0];
    trace t = {.hands = 2, .plot = plot};
    cg_thread_def def = nylon(points, count);
    def.spacing = (cg_spacing){.follow = true, .fine = 2 * RADIUS, .coarse = 4 * RADIUS};
    cg_thread_id thread;
    if (begin(&t, &def, &thread, report)) {
        cg_vec3 way = v3_unit_or(v3_sub(points[count - 1], points[0]), v3(1, 0, 0));
        double loose = 0, apart = 0, sum = 0;
        int frames = 0;
        for (; frames < 6000 && t.felt[0] < 2; frames++) {
            go(&t, v3_scale(2e-5, way), 1e-3);
            step(&t);
            loose = frames == 300 ? t.felt[0] : loose;
            apart += frames >= 300 ? fabs(t.felt[0] - t.felt[1]) : 0;
            sum += frames >= 300 ? 0.5 * (t.felt[0] + t.felt[1]) : 0;
        }
        cg_report_check(report, 1, t.felt[0] >= 2, 0, "1", "two hands: the knot closes and bears 2 N, after %d frames",
                        frames);
        cg_report_check(report, 0, loose / 2, 0.1, "1", "two hands: of that, felt while the knot runs up");
        cg_report_check(report, 0, apart / sum, 0.01, "1", "two hands: left and right differ, of what they feel");
        let_go(&t, 300);
        cg_report_check(report, 0, t.felt[0] + t.felt[1], 0, "N", "two hands: let go");
    }
    cg_world_destroy(t.world);
}

static void run(cg_report *report)
{
    int one = cg_report_add_plot(report, "One hand draws a thread taut", "frame", "force [N]");
    int two = cg_report_add_plot(report, "Two hands draw a knot", "frame", "force [N]");
    report->plots[one].from_zero = report->plots[two].from_zero = true;
    snprintf(report->plots[one].name, sizeof report->plots[one].name, "one");
    snprintf(report->plots[two].name, sizeof report->plots[two].name, "two");
    report_one(report, &report->plots[one]);
    report_two(report, &report->plots[two]);
}
