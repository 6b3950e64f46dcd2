// A limp thread laid round a post: the pull that drags it is exp(mu phi) times the pull that holds it back.
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_capstan = {
    .name = "capstan",
    .summary = "a limp thread dragged round a post: pull against pull for three angles and three frictions",
    .source = "Euler 1769, Eytelwein 1808: F = F0 exp(mu phi)",
    .run = run,
};

enum { ANGLES = 3, FRICTIONS = 3, MOST_VERTICES = 400 };
static const double angles[ANGLES] = {90, 180, 360}; // [deg]
static const double frictions[FRICTIONS] = {0.1, 0.2, 0.3};
static const double post_radius = 5e-3, tail = 15e-3, spacing = 0.5e-3, pitch = 1e-3; // [m]
static const double holding_back = 0.05, speed = 0.02;                                // [N], [m/s]

// A straight piece up to the post, the wrap as a flat helix about the y axis, and a straight piece away from it.
static int lay_thread(double angle, double distance, cg_vec3 *points, cg_vec3 *away)
{
    int count = 0, tail_count = (int)(tail / spacing), wrap_count = (int)(distance * angle / spacing);
    double turn = angle / wrap_count;
    for (int i = -tail_count; i <= wrap_count + tail_count && count < MOST_VERTICES; i++) {
        int on_post = i < 0 ? 0 : (i > wrap_count ? wrap_count : i), beyond = i - on_post;
        double a = turn * on_post, c = cos(a), s = sin(a), rise = pitch * a / (2 * CG_PI);
        *away = vec(-s, 0, c);
        points[count++] = vec(distance * c - s * spacing * beyond, rise, distance * s + c * spacing * beyond);
    }
    return count;
}

static bool build(cg_world **world, cg_thread_id *id, double angle, double mu, int *count, cg_vec3 *away, cg_vec3 *back)
{
    cg_vec3 points[MOST_VERTICES];
    cg_world_def world_def = cg_world_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_shape_def post = cg_shape_def_default();
    cg_shape_id shape;
    world_def.max_contacts = 200;
    world_def.gravity = vec(0, 0, 0);
    world_def.time_step = 0.5e-3;
    thread.friction = post.friction = mu;
    thread.bend_stiffness = 1e-12;
    thread.drag = 300; // so that the jerk of the start dies down; a thousandth of the pull while it slides
    post.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = post_radius, .half_length = 0.05};
    post.pose.rotation = (cg_quat){-sqrt(0.5), 0, 0, sqrt(0.5)}; // the axis along y
    *count = lay_thread(angle, post_radius + thread.radius, points, away);
    *back = vec(0, 0, -1);
    thread.vertex_count = *count;
    thread.positions = points;
    return cg_world_create(&world_def, world).code == CG_OK &&
           cg_world_add_shape(*world, &post, &shape).code == CG_OK &&
           cg_world_add_thread(*world, &thread, id).code == CG_OK;
}

// The mean pull over the second half of the way, once the thread slides everywhere.
static double drag_round(double angle, double mu, cg_report *report)
{
    cg_world *world = NULL;
    cg_thread_id id;
    int count, steps = 500;
    cg_vec3 away, back;
    if (!build(&world, &id, angle, mu, &count, &away, &back)) {
        cg_report_trouble(report, "the world could not be built");
        cg_world_destroy(world);
        return NAN;
    }
    cg_vec3 end = cg_thread_positions(world, id, NULL)[count - 1];
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        double way = speed * 0.5e-3 * (step + 1);
        cg_thread_push_vertex(world, id, 0, vec_scale(holding_back, back));
        cg_thread_hold(world, id, count - 1, vec_add(end, vec_scale(way, away)));
        cg_world_step(world);
        if (step >= steps / 2) {
            sum += vec_dot(cg_thread_hold_force(world, id, count - 1), away);
        }
    }
    cg_world_destroy(world);
    return sum / (steps - steps / 2);
}

static void run(cg_report *report)
{
    static const cg_hue colours[FRICTIONS] = {CG_BLUE, CG_VERMILION, CG_GREEN};
    int number = cg_report_add_plot(report, "A thread dragged round a post", "angle [deg]", "pull / pull held back");
    for (int f = 0; f < FRICTIONS; f++) {
        char name[32];
        snprintf(name, sizeof name, "exp(%g phi)", frictions[f]);
        int line = cg_plot_add_series(&report->plots[number], CG_SERIES_LINE, colours[f], name);
        for (int k = 0; k <= 36; k++) {
            cg_plot_add_point(&report->plots[number], line, 10 * k, exp(frictions[f] * 10 * k * CG_PI / 180));
        }
        snprintf(name, sizeof name, "measured, mu %g", frictions[f]);
        int series = cg_plot_add_series(&report->plots[number], CG_SERIES_POINTS, colours[f], name);
        for (int a = 0; a < ANGLES; a++) {
            double angle = angles[a] * CG_PI / 180;
            double measured = drag_round(angle, frictions[f], report) / holding_back;
            cg_report_add(report,
                          (cg_quantity){.published = exp(frictions[f] * angle),
                                        .expected = exp(frictions[f] * angle),
                                        .measured = measured,
                                        .tolerance = 0.03,
                                        .unit = "1"},
                          "pull ratio, %g degrees, mu %g", angles[a], frictions[f]);
            cg_plot_add_point(&report->plots[number], series, angles[a], measured);
        }
    }
}
