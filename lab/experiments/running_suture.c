// A running suture: a thread through ten holes in a row, drawn from one end. Each hole takes its share of the pull, and
// the tail pulls as much as is left: the closed form is the product of the capstans.
#include <math.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_running_suture = {
    .name = "running_suture",
    .summary = "tension along ten holes of a running suture that is drawn from one end",
    .source = "closed form: product of exp(mu theta) over the holes",
    .run = run,
};

enum { HOLES = 10, MOST_POINTS = 600 };
static const double SPACING = 0.5e-3, WEIGHT = 0.1, SPEED = 10e-3;

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
} rig;

// Holes by turns on two sides of the pad's middle line, 3 mm apart along it.
static cg_vec3 hole_at(int k)
{
    return vec(-13.5e-3 + 3e-3 * k, k % 2 == 0 ? -2.2e-3 : 2.2e-3, 0);
}

static int lay_points(const cg_vec3 *corners, int count, cg_vec3 *points)
{
    int n = 0;
    for (int k = 0; k + 1 < count; k++) {
        cg_vec3 way = vec_sub(corners[k + 1], corners[k]);
        int parts = (int)ceil(vec_length(way) / SPACING);
        for (int i = 0; i < parts; i++) {
            points[n++] = vec_add(corners[k], vec_scale((double)i / parts, way));
        }
    }
    points[n++] = corners[count - 1];
    return n;
}

static bool make(rig *r, double young, double friction, double time_step, cg_report *report)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 corners[HOLES + 2], points[MOST_POINTS];
    for (int k = 0; k < HOLES; k++) {
        corners[k + 1] = hole_at(k);
    }
    corners[0] = vec_add(hole_at(0), vec(-30e-3, 0, 12e-3));
    corners[HOLES + 1] = vec_add(hole_at(HOLES - 1), vec(30e-3, 0, 12e-3));
    world.time_step = time_step;
    world.gravity = vec(0, 0, 0);
    pad.size = vec(40e-3, 20e-3, 0);
    pad.layers[0].thickness = 6e-3;
    pad.layers[0].material.young = young;
    thread.vertex_count = lay_points(corners, HOLES + 2, points);
    thread.positions = points;
    thread.drag = 20;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_status status = cg_world_create(&world, &r->world);
    status = status.code == CG_OK ? cg_world_add_tissue(r->world, &pad, &r->pad) : status;
    status = status.code == CG_OK ? cg_world_add_thread(r->world, &thread, &r->thread) : status;
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = r->thread;
    stitch.tissue = r->pad;
    stitch.points = corners + 1;
    stitch.point_count = HOLES;
    stitch.friction = friction;
    status = status.code == CG_OK ? cg_world_add_stitch(r->world, &stitch) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "the suture could not be laid: %s", status.message);
    }
    return status.code == CG_OK;
}

// [rad] by which the thread turns at all holes together, told by where they are and by the ways of its two ends alone.
static double wrap_of_places(const cg_vec3 *holes, cg_vec3 before, cg_vec3 behind)
{
    double sum = 0;
    for (int k = 0; k < HOLES; k++) {
        cg_vec3 in = k > 0 ? vec_sub(holes[k], holes[k - 1]) : vec_scale(-1, before);
        cg_vec3 out = k + 1 < HOLES ? vec_sub(holes[k + 1], holes[k]) : behind;
        sum += acos(vec_dot(in, out) / (vec_length(in) * vec_length(out)));
    }
    return sum;
}

static void draw(cg_report *report, double young, double friction, double time_step)
{
    rig r = {0};
    if (make(&r, young, friction, time_step, report)) {
        const double up = 0.93, side = 0.37; // the ways of the ends
        int count, steps = (int)(1.5 / time_step);
        cg_vec3 from = {0, 0, 0};
        for (int k = 0; k < steps; k++) {
            double t = k * time_step, way = t < 0.2 ? 0 : SPEED * (t - 0.2);
            cg_thread_positions(r.world, r.thread, &count);
            from = k == 0 ? cg_thread_positions(r.world, r.thread, NULL)[count - 1] : from;
            cg_thread_push_vertex(r.world, r.thread, 0, vec(-WEIGHT * up, 0, WEIGHT * side));
            cg_thread_hold(r.world, r.thread, count - 1, vec_add(from, vec(way * up, 0, way * side)));
            cg_world_step(r.world);
        }
        double law = 1, worst = 0, wrap = 0;
        cg_anchor first = {0}, anchor = {0};
        cg_vec3 holes[HOLES];
        bool is_ordered = true;
        cg_world_get_anchor(r.world, 0, &first);
        for (int k = 0; k < HOLES; k++) {
            double arc = anchor.arc;
            is_ordered = cg_world_get_anchor(r.world, k, &anchor) && anchor.arc > arc && is_ordered;
            double here = exp(friction * anchor.wrap);
            worst = fmax(worst, fabs(anchor.tension[1] / anchor.tension[0] / here - 1));
            law *= here;
            wrap += anchor.wrap;
            holes[k] = anchor.position;
        }
        double kpa = 1e-3 * young, ms = 1e3 * time_step;
        cg_report_check(report, law, anchor.tension[1] / first.tension[0], 0.01, "1",
                        "pull over that of the tail, %g kPa, mu %g, %g ms", kpa, friction, ms);
        cg_report_check(report, wrap_of_places(holes, vec(-up, 0, side), vec(up, 0, side)), wrap, 0.01, "rad",
                        "angle of all holes, %g kPa, %g ms", kpa, ms);
        cg_report_check(report, 0, worst, 0.01, "1", "worst hole, %g kPa, mu %g, %g ms", kpa, friction, ms);
        cg_report_check(report, 1, is_ordered, 0, "1", "holes in order, %g kPa, mu %g, %g ms", kpa, friction, ms);
    }
    cg_world_destroy(r.world);
}

static void run(cg_report *report)
{
    draw(report, 1e6, 0.1, 1e-3);
    draw(report, 1e6, 0.1, 2e-3);
    draw(report, 300e3, 0.05, 1e-3);
}
