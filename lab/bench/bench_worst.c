// The worst that a hand can do: rows whose worst step counts, not their median.
//
//   knots/ball             five threads of 3-0 nylon with 600 vertices in all, shaken as a ball, for 1,000 steps
//   knots/inside           two threads that were begun inside each other, until they have parted
//   knots/yanked/KIND/S    a knot of 3-0 nylon whose hands go 100 mm apart at S m/s and relent: an overhand, and a reef
//                          of two threads
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "experiments/tangle_rig.h"

typedef struct rough_scene {
    cg_tangle tangle; // without a world in scenes of knots
    cg_knot_rig rig;
    double speed; // [m/s] of the yank
    int steps, most_steps;
    bool is_shaken;
    unsigned char *start;
    size_t start_size;
} rough_scene;

static void release_scene(void *state)
{
    rough_scene *s = state;
    cg_tangle_close(&s->tangle);
    cg_knot_rig_close(&s->rig);
    free(s->start);
    free(s);
}

static cg_world *world_of(const rough_scene *s)
{
    return s->tangle.world ? s->tangle.world : s->rig.world;
}

static double time_step(void *state)
{
    rough_scene *s = state;
    if (s->steps++ % s->most_steps == 0) {
        cg_world_restore(world_of(s), s->start, s->start_size);
    }
    if (s->speed > 0) {
        cg_yank(&s->rig, s->speed, 1 + (s->steps - 1) % s->most_steps);
    } else if (s->is_shaken) {
        cg_tangle_shake(&s->tangle);
    }
    double start = cg_thread_cpu_seconds();
    cg_world_step(world_of(s));
    s->tangle.steps++;
    return cg_thread_cpu_seconds() - start;
}

static void add_scene(cg_bench *bench, const char *name, rough_scene *s, bool is_open, int vertices)
{
    cg_world *world = is_open ? world_of(s) : NULL;
    s->start_size = world ? cg_world_snapshot_size(world) : 0;
    s->start = world ? malloc(s->start_size) : NULL;
    if (!s->start || cg_world_snapshot(world, s->start, s->start_size).code != CG_OK) {
        cg_bench_fail(bench, name, "the scene could not be made");
        release_scene(s);
        return;
    }
    cg_subject subject = {.vertices = vertices, .least = s->most_steps, .sample = time_step, .release = release_scene};
    subject.state = s;
    subject.simulated = 1e-3;
    snprintf(subject.name, sizeof subject.name, "%s", name);
    cg_bench_add(bench, subject);
}

static void add_tangle(cg_bench *bench, const char *name, bool is_ball, int most_steps)
{
    rough_scene *s = cg_bench_wants(bench, name) ? calloc(1, sizeof *s) : NULL;
    if (s) {
        s->most_steps = most_steps;
        s->is_shaken = is_ball;
        bool is_open = is_ball ? cg_tangle_open_ball(&s->tangle) : cg_tangle_open_inside(&s->tangle);
        add_scene(bench, name, s, is_open, s->tangle.thread_count * CG_TANGLE_VERTICES);
    }
}

static void add_yank(cg_bench *bench, cg_curve_kind kind, int threads, double speed)
{
    char name[64];
    snprintf(name, sizeof name, "knots/yanked/%s/%g", cg_curve_kind_name(kind), speed);
    rough_scene *s = cg_bench_wants(bench, name) ? calloc(1, sizeof *s) : NULL;
    if (s) {
        cg_knot_setup setup = cg_yank_setup(kind, threads);
        s->speed = speed;
        s->most_steps = 1500;
        bool is_open = cg_knot_rig_open(&s->rig, &setup, NULL);
        add_scene(bench, name, s, is_open, s->rig.point_count);
    }
}

void cg_bench_add_worst(cg_bench *bench)
{
    add_tangle(bench, "knots/ball", true, 1000);
    add_tangle(bench, "knots/inside", false, 60);
    for (double speed = 1; speed <= 10; speed *= 10) {
        add_yank(bench, CG_CURVE_OVERHAND, 1, speed);
        add_yank(bench, CG_CURVE_REEF, 2, speed);
    }
}
