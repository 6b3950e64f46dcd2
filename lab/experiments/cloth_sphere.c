// A cloth of 32 x 32 nodes falls on a ball that lies on the floor, slides on it, is grabbed at a corner and lifted:
// figures 5.5 to 5.8 of the source. The hand is a virtual coupling of spring and damper (5.3.3); what it feels is told
// for every step.
//
// Nodes lie on a surface a little outside the ball, so that the middle of no triangle is in it: three nodes of a quad
// of side a on a sphere have their middle about 2 a^2 / 9 R below it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "experiments/experiment.h"
#include "gpu/setup.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_cloth_sphere = {
    .name = "cloth_sphere",
    .summary = "a cloth falls on a ball, slides, is grabbed at a corner and lifted",
    .source = "VTE figures 5.5 to 5.8",
    .run = run,
};

enum { SIDE_NODES = 32, NODES = SIDE_NODES * SIDE_NODES, FALL = 300, SLIDE = 1200, LIFT = 2500, HOLD = 4000 };
enum { STEPS = FALL + SLIDE + LIFT + HOLD, AVERAGED = 1000 };
static const double SIDE = 0.3, RADIUS = 0.08, STEP = 0.001, GRAVITY = 9.81;

typedef struct tale {
    double deepest_node, deepest_middle; // [m] inside the ball
    double slid;                         // [m] of the cloth's middle between the fall and the grab
    double weight, held;                 // [N]
    double force[STEPS];                 // [N] at the hand
} tale;

static cg_status set_up(cg_gpu_setup *setup)
{
    cg_status status = cg_setup_cloth(SIDE_NODES, SIDE_NODES, STEP, setup);
    if (status.code != CG_OK) {
        return status;
    }
    cg_cloth_law *law = &setup->law.cloth;
    double a = SIDE / (SIDE_NODES - 1);
    law->across = law->along = a;
    law->slant = sqrt(2) * a;
    law->stiffness = 100;
    law->mass = 0.018 / NODES;
    law->drag = 1.5;
    law->damping = 0.002;
    law->ball = v3(0, 0, RADIUS);
    law->ball_radius = RADIUS + 0.3 * a * a / RADIUS;
    law->floor = 0;
    law->has_floor = 1;
    law->friction = 0.1;
    law->has_fixed = 0;
    law->hand = -1;
    law->hand_spring = 50;
    law->hand_damper = 0.2;
    for (int i = 0; i < NODES; i++) {
        // not above the middle of the ball, so that it slides off
        setup->places[i] = v3(a * (i % SIDE_NODES) - 0.41 * SIDE, a * (i / SIDE_NODES) - 0.47 * SIDE, 0.2);
        setup->fixed[i] = 0;
    }
    return status;
}

static void look(const cg_cloth_law *law, const cg_vec3 *places, tale *t)
{
    for (int i = 0; i < NODES; i++) {
        t->deepest_node = fmax(t->deepest_node, RADIUS - v3_distance(places[i], law->ball));
    }
    for (int i = 0; i < NODES; i++) {
        int column = i % SIDE_NODES, row = i / SIDE_NODES, turn = (column + row + 1) % 2;
        if (column + 1 == SIDE_NODES || row + 1 == SIDE_NODES) {
            continue;
        }
        int q[4] = {i, i + 1, i + 1 + SIDE_NODES, i + SIDE_NODES};
        for (int half = 0; half < 2; half++) {
            cg_vec3 sum = v3_add(places[q[turn]], places[q[turn + 2]]);
            sum = v3_add(sum, places[q[(turn + 1 + 2 * half) % 4]]);
            double depth = RADIUS - v3_distance(v3_scale(1.0 / 3, sum), law->ball);
            t->deepest_middle = fmax(t->deepest_middle, depth);
        }
    }
}

static cg_vec3 middle_of(const cg_vec3 *places)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < NODES; i++) {
        sum = v3_add_scaled(sum, 1.0 / NODES, places[i]);
    }
    return sum;
}

// The cloth seen from the side and a little from above.
static void draw(cg_report *report, const char *name, const char *title, const cg_vec3 *places)
{
    int number = cg_report_add_plot(report, title, "along [m]", "up [m]");
    cg_plot *plot = &report->plots[number];
    plot->same_scale = true;
    strncpy(plot->name, name, sizeof plot->name - 1);
    int cloth = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "cloth");
    int ball = cg_plot_add_series(plot, CG_SERIES_LINE, CG_ORANGE, "ball and floor");
    for (int k = 0; k < 2 * SIDE_NODES; k++) {
        for (int at = 0; at < SIDE_NODES; at++) {
            int i = k < SIDE_NODES ? k * SIDE_NODES + at : at * SIDE_NODES + k - SIDE_NODES;
            cg_plot_add_point(plot, cloth, places[i].x + 0.35 * places[i].y, places[i].z + 0.3 * places[i].y);
        }
        cg_plot_add_point(plot, cloth, NAN, NAN);
    }
    for (int k = 0; k <= 60; k++) {
        double angle = 6.283185307179586 * k / 60;
        cg_plot_add_point(plot, ball, RADIUS * cos(angle), RADIUS + RADIUS * sin(angle));
    }
    cg_plot_add_point(plot, ball, NAN, NAN);
    cg_plot_add_point(plot, ball, -0.3, 0);
    cg_plot_add_point(plot, ball, 0.3, 0);
}

static void draw_moment(cg_report *report, int step, const cg_vec3 *places)
{
    switch (step) {
    case 0:
        draw(report, "before", "A cloth above a ball on the floor (figure 5.5)", places);
        break;
    case 110:
        draw(report, "meets", "The cloth begins to meet the ball (figure 5.6)", places);
        break;
    case FALL + SLIDE / 4:
        draw(report, "slides", "The cloth slides on the ball (figure 5.7)", places);
        break;
    case FALL + SLIDE + 3 * LIFT / 4:
        draw(report, "lifted", "The cloth is lifted at a corner over the ball (figure 5.8)", places);
        break;
    default:
        break;
    }
}

// Where the hand is: at the corner as it was grabbed, then up.
static cg_gpu_hand hand_at(const cg_vec3 *grabbed, int step)
{
    double since = STEP * (step - FALL - SLIDE), most = STEP * LIFT, speed = since < most ? 0.24 : 0;
    double up = 0.24 * fmin(since, most);
    return (cg_gpu_hand){1, {grabbed->x, grabbed->y, grabbed->z + up}, {0, 0, speed}};
}

static cg_status play(cg_report *report, cg_batch *batch, cg_gpu_setup *setup, tale *t)
{
    cg_cloth_law *law = &setup->law.cloth;
    cg_vec3 *places = setup->places, landed = v3_zero(), grabbed = v3_zero();
    cg_status status = {0};
    for (int step = 0; step < STEPS && status.code == CG_OK; step++) {
        cg_gpu_hand hand = {0};
        cg_gpu_held held;
        draw_moment(report, step, places);
        if (step == FALL) {
            landed = middle_of(places);
        }
        if (step == FALL + SLIDE) {
            t->slid = v3_distance(middle_of(places), landed);
            law->hand = NODES - 1;
            grabbed = places[law->hand];
            status = cg_batch_set(batch, NULL, &(cg_batch_values){.laws = &setup->law});
        }
        hand = step >= FALL + SLIDE ? hand_at(&grabbed, step) : hand;
        status = status.code == CG_OK ? cg_batch_touch(batch, &hand, &held) : status;
        status = status.code == CG_OK ? cg_batch_read(batch, 0, 1, places, NULL) : status;
        if (status.code == CG_OK) {
            look(law, places, t);
            t->force[step] = v3_length(v3(held.force[0], held.force[1], held.force[2]));
            t->held += step >= STEPS - AVERAGED ? t->force[step] / AVERAGED : 0;
        }
    }
    t->weight = NODES * law->mass * GRAVITY;
    return status;
}

static void tell(cg_report *report, const cg_cloth_law *law, const tale *t)
{
    cg_report_check(report, 0, t->deepest_node, 1e-12, "m", "a node inside the ball, the deepest of all steps");
    cg_report_check(report, 0, t->deepest_middle / law->across, 0.01, "1",
                    "the middle of a triangle inside the ball, the deepest of all steps, in sides");
    cg_report_check(report, t->weight, t->held, 0.01, "N", "force at the hand at rest, beside the weight");
    cg_report_check(report, 1, t->slid > 0.01, 0, "1", "it slides on the ball: by %.3f m before it is grabbed",
                    t->slid);
    int number = cg_report_add_plot(report, "Force at the hand (figure 5.8 b)", "time [s]", "force [N]");
    cg_plot *plot = &report->plots[number];
    strncpy(plot->name, "force", sizeof plot->name - 1);
    int force = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "at the hand");
    int weight = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_ORANGE, "weight of the cloth");
    for (int step = 0; step < STEPS; step += 10) {
        cg_plot_add_point(plot, force, STEP * step, t->force[step]);
        cg_plot_add_point(plot, weight, STEP * step, t->weight);
    }
}

static void run(cg_report *report)
{
    cg_gpu *gpu = NULL;
    cg_batch *batch = NULL;
    cg_gpu_setup setup;
    tale *t = calloc(1, sizeof *t);
    cg_status status = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_PROCESSOR}, &gpu);
    if (status.code == CG_OK && t != NULL && (status = set_up(&setup)).code == CG_OK) {
        status = cg_setup_batch(gpu, &setup, CG_GPU_CLOTH, 1, false, &batch);
        status = status.code == CG_OK ? play(report, batch, &setup, t) : status;
        if (status.code == CG_OK) {
            tell(report, &setup.law.cloth, t);
        }
        cg_setup_free(&setup);
    }
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    cg_batch_destroy(batch);
    cg_gpu_close(gpu);
    free(t);
}
