// A thread that slides through a hole in a pad: the capstan law, at rest and in motion.
//
// One end hangs by a weight of 0.5 N. The pull on the other end is raised until thread goes through: at exp(mu theta)
// times the weight. Then the other end is drawn at 20 to 300 mm/s, through holes in a pad of 100 kPa: the pull stays at
// that, and ripples little while vertices pass.
#include <math.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_slip = {
    .name = "slip",
    .summary = "a thread drawn through a hole in tissue: onset and pull ratio by the capstan law, without ripple",
    .source = "closed form: exp(mu theta)",
    .run = run,
};

enum { POINTS = 241 };
static const double SPACING = 0.5e-3, WEIGHT = 0.5, PI = 3.14159265358979323846;

typedef struct setup {
    double wrap, friction, time_step; // [rad], [1], [s]
    bool fixed;                       // the pad does not move
} setup;

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_vec3 out[2]; // the ways of the two sides
} rig;

static cg_status lay(rig *r, const setup *s)
{
    cg_vec3 hole = vec(0, 0, 0);
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = r->thread;
    stitch.tissue = r->pad;
    stitch.points = &hole;
    stitch.point_count = 1;
    stitch.friction = s->friction;
    return cg_world_add_stitch(r->world, &stitch);
}

static bool make(rig *r, const setup *s, cg_report *report)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[POINTS];
    for (int side = 0; side < 2; side++) {
        r->out[side] = vec(0, (side == 0 ? -1 : 1) * cos(s->wrap / 2), sin(s->wrap / 2));
    }
    for (int i = 0; i < POINTS; i++) {
        int from = i - POINTS / 2;
        points[i] = vec_scale(SPACING * fabs((double)from), r->out[from > 0]);
    }
    world.time_step = s->time_step;
    world.gravity = vec(0, 0, 0);
    pad.size = vec(24e-3, 20e-3, 0);
    pad.layers[0].thickness = 8e-3;
    pad.layers[0].material.young = 100e3;
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.drag = 20;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_status status = cg_world_create(&world, &r->world);
    status = status.code == CG_OK ? cg_world_add_tissue(r->world, &pad, &r->pad) : status;
    status = status.code == CG_OK ? cg_world_add_thread(r->world, &thread, &r->thread) : status;
    int nodes = 0;
    cg_tissue_positions(r->world, r->pad, &nodes);
    for (int i = 0; i < nodes && s->fixed; i++) {
        cg_tissue_fix(r->world, r->pad, i, true);
    }
    status = status.code == CG_OK ? lay(r, s) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "the thread could not be laid: %s", status.message);
    }
    return status.code == CG_OK;
}

static int last_vertex(const rig *r)
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    return count - 1;
}

static void step_with(rig *r, double before, double behind)
{
    cg_thread_push_vertex(r->world, r->thread, 0, vec_scale(before, r->out[0]));
    cg_thread_push_vertex(r->world, r->thread, last_vertex(r), vec_scale(behind, r->out[1]));
    cg_world_step(r->world);
}

static void settle(rig *r)
{
    for (int k = 0; k < 300; k++) {
        step_with(r, WEIGHT * fmin(1, k / 100.0), WEIGHT * fmin(1, k / 100.0));
    }
}

// The law takes the angle that the world tells: it must be the one that was laid.
static void check_wrap(cg_report *report, const setup *s, double wrap, const char *when, double speed)
{
    cg_report_check(report, 180 / PI * s->wrap, 180 / PI * wrap, 0.005, "deg", "angle at the hole, %s, %g mm/s", when,
                    1e3 * speed);
}

// The pull at which thread goes through, over the weight; and what the law says of the angle at the hole then.
static void find_onset(cg_report *report, const setup *s)
{
    rig r = {0};
    cg_anchor anchor = {0};
    double pull = WEIGHT;
    if (make(&r, s, report)) {
        settle(&r);
        for (int k = 0; k < 4000 && anchor.slip == 0; k++, pull += 5e-4) {
            step_with(&r, WEIGHT, pull);
            cg_world_get_anchor(r.world, 0, &anchor);
        }
        cg_report_check(report, exp(s->friction * anchor.wrap), pull / WEIGHT, 0.01, "1",
                        "pull ratio at the onset, %g deg, mu %g, %s", 180 / PI * s->wrap, s->friction,
                        s->fixed ? "rigid" : "100 kPa");
        check_wrap(report, s, anchor.wrap, s->fixed ? "rigid" : "100 kPa", 0);
    }
    cg_world_destroy(r.world);
}

static void slide(cg_report *report, const setup *s, double speed)
{
    rig r = {0};
    if (make(&r, s, report)) {
        settle(&r);
        const double ease = 0.03, seconds = ease + 12e-3 / speed;
        cg_vec3 from = cg_thread_positions(r.world, r.thread, NULL)[last_vertex(&r)];
        double least = INFINITY, most = 0, sum = 0, law = 0, wrap = 0;
        int steps = (int)(seconds / s->time_step), count = 0;
        for (int k = 0; k < steps; k++) {
            double t = k * s->time_step, way = t < ease ? speed * t * t / (2 * ease) : speed * (t - ease / 2);
            cg_anchor anchor = {0};
            cg_thread_hold(r.world, r.thread, last_vertex(&r), vec_add(from, vec_scale(way, r.out[1])));
            cg_thread_push_vertex(r.world, r.thread, 0, vec_scale(WEIGHT, r.out[0]));
            cg_world_step(r.world);
            cg_world_get_anchor(r.world, 0, &anchor);
            if (t > ease + 4e-3 / speed) {
                double ratio = anchor.tension[1] / anchor.tension[0];
                least = fmin(least, ratio);
                most = fmax(most, ratio);
                sum += ratio;
                law += exp(s->friction * anchor.wrap);
                wrap += anchor.wrap;
                count++;
            }
        }
        double deg = 180 / PI * s->wrap, ms = 1e3 * s->time_step, mm = 1e3 * speed;
        cg_report_check(report, law / count, sum / count, 0.01, "1", "pull ratio, %g deg, %g mm/s, %g ms", deg, mm, ms);
        cg_report_check(report, 0, (most - least) / (sum / count), 0.02, "1", "its ripple, %g deg, %g mm/s, %g ms", deg,
                        mm, ms);
        check_wrap(report, s, wrap / count, "100 kPa", speed);
    }
    cg_world_destroy(r.world);
}

static void run(cg_report *report)
{
    const double wraps[] = {30, 90, 150}, speeds[] = {20e-3, 100e-3, 300e-3};
    for (int k = 0; k < 3; k++) {
        setup s = {.wrap = wraps[k] * PI / 180, .friction = 0.3, .time_step = 1e-3, .fixed = true};
        find_onset(report, &s);
        s.fixed = false;
        find_onset(report, &s);
    }
    for (int k = 0; k < 3; k++) {
        for (int v = 0; v < 3; v++) {
            setup s = {.wrap = wraps[k] * PI / 180, .friction = 0.2, .time_step = v == 1 ? 2e-3 : 1e-3};
            slide(report, &s, speeds[v]);
        }
    }
}
