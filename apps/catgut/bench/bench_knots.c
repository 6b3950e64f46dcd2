// What knots cost: whole steps of knots in the states that matter, and the parts of a step beside other ways to do
// them.
//
//   knots/overhand/N       MicroSim's knot test: tight under 1 N, standing still; N vertices
//   knots/tightening/N     the same from the loose knot until it is tight, over and over
//   knots/reef/200         the same with a reef knot of two threads
//   knots/suture_c         the stiff suture of bench C: E 2 GPa, 0.2 m, radius 0.32 mm, 201 vertices, pulled at 20 mm/s
//   knots/pulled, held, carried   300 mm of 3-0 nylon, segments of one radius in the knot, steps of 1 ms
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "experiments/knot_rig.h"
#include "support/vector.h"

typedef enum drive_kind {
    DRIVE_LOAD,    // a dead load of 1 N
    DRIVE_TIGHTEN, // the same, from the start again and again
    DRIVE_PULL,    // hands pull apart, from the start again and again
    DRIVE_HOLD,    // hands stand still after having pulled
    DRIVE_CARRY    // hands move together, with jerks
} drive_kind;

typedef struct knot_scene {
    cg_knot_rig rig;
    drive_kind drive;
    double speed;     // [m/s] of each hand
    double most_way;  // [m] of each hand
    double start_way; // [m] where the hands begin
    int steps, most_steps;
    unsigned char *start;
    size_t start_size;
    uint64_t random;
    cg_vec3 carried, velocity;
} knot_scene;

static void release_scene(void *state)
{
    knot_scene *s = state;
    cg_knot_rig_close(&s->rig);
    free(s->start);
    free(s);
}

static double random_share(knot_scene *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

// Both hands go the same way at 0.3 m/s, and change it at once every 24 to 136 ms; never further than 30 mm.
static void carry(knot_scene *s)
{
    if (s->steps % (24 + (int)(112 * random_share(s))) == 0 || vec_length(s->carried) > 0.03) {
        cg_vec3 way = vec(random_share(s) - 0.5, random_share(s) - 0.5, random_share(s) - 0.5);
        way = vec_length(s->carried) > 0.03 ? vec_scale(-1, s->carried) : way;
        s->velocity = vec_scale(0.3, vec_unit(way));
    }
    s->carried = vec_add(s->carried, vec_scale(s->rig.setup.world.time_step, s->velocity));
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(&s->rig, end, &thread), inwards = vertex == 0 ? 1 : -1;
        for (int h = 0; h < 4; h++, vertex += inwards) {
            cg_vec3 from = s->rig.start[vertex];
            from = vec_add(from, vec_scale(s->rig.way, s->rig.curve.pull[end]));
            cg_thread_hold(s->rig.world, thread, vertex, vec_add(from, s->carried));
        }
    }
}

static void drive_scene(knot_scene *s)
{
    switch (s->drive) {
    case DRIVE_LOAD:
    case DRIVE_TIGHTEN:
        cg_knot_rig_load(&s->rig, 1);
        break;
    case DRIVE_PULL:
        cg_knot_rig_hold(&s->rig, fmin(s->most_way, s->rig.way + s->speed * s->rig.setup.world.time_step));
        break;
    case DRIVE_CARRY:
        carry(s);
        break;
    case DRIVE_HOLD:
        break;
    }
}

static double time_step(void *state)
{
    knot_scene *s = state;
    if (++s->steps % s->most_steps == 0) {
        cg_world_restore(s->rig.world, s->start, s->start_size);
        s->rig.way = s->start_way;
        s->carried = vec(0, 0, 0);
    }
    drive_scene(s);
    double start = cg_thread_cpu_seconds();
    cg_world_step(s->rig.world);
    return cg_thread_cpu_seconds() - start;
}

static bool remember_start(knot_scene *s)
{
    s->start_way = s->rig.way;
    s->start_size = cg_world_snapshot_size(s->rig.world);
    s->start = malloc(s->start_size);
    return s->start && cg_world_snapshot(s->rig.world, s->start, s->start_size).code == CG_OK;
}

static knot_scene *make_scene(const cg_knot_setup *setup, drive_kind drive, int most_steps)
{
    knot_scene *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->drive = drive;
    s->most_steps = most_steps;
    if (!cg_knot_rig_open(&s->rig, setup, NULL)) {
        release_scene(s);
        return NULL;
    }
    return s;
}

static void add_scene(cg_bench *bench, const char *name, knot_scene *scene)
{
    if (!scene || !remember_start(scene)) {
        bench->failed = true;
        if (scene) {
            release_scene(scene);
        }
        return;
    }
    cg_subject subject = {
        .vertices = scene->rig.point_count, .sample = time_step, .release = release_scene, .state = scene};
    snprintf(subject.name, sizeof subject.name, "%s", name);
    cg_bench_add(bench, subject);
}

static void add_seed_knot(cg_bench *bench, const char *group, cg_curve_kind kind, int threads, int vertices,
                          drive_kind drive)
{
    char name[64];
    snprintf(name, sizeof name, "knots/%s/%d", group, vertices);
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    cg_knot_setup setup = cg_knot_seed_setup(kind, threads, vertices / threads, 0.3);
    knot_scene *s = make_scene(&setup, drive, drive == DRIVE_TIGHTEN ? 100 : 1000);
    for (int step = 0; s && drive == DRIVE_LOAD && step < 600; step++) {
        cg_knot_rig_load(&s->rig, 1);
        cg_world_step(s->rig.world);
    }
    add_scene(bench, name, s);
}

// Bench C of the comparison with other engines: from loose until the ends are 0.9 of the length apart.
static void add_suture_c(cg_bench *bench)
{
    if (!cg_bench_wants(bench, "knots/suture_c")) {
        return;
    }
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, 0.32e-3, 0.3);
    setup.thread.youngs_modulus = 2e9;
    setup.thread.density = 1180;
    setup.curve.spacing = 1e-3;
    setup.curve.gap = 8 * setup.curve.radius;
    setup.vertices = 201;
    knot_scene *s = make_scene(&setup, DRIVE_PULL, 0);
    if (s) {
        s->speed = 0.02;
        s->most_way = 0.5 * (0.9 * 0.2 - cg_knot_rig_distance(&s->rig));
        s->most_steps = 200 + (int)(s->most_way / (s->speed * setup.world.time_step));
    }
    add_scene(bench, "knots/suture_c", s);
}

// 300 mm of 3-0 nylon; segments of one radius in 70 mm about the knot, ten radii in the tails.
static knot_scene *make_true_scale(drive_kind drive)
{
    cg_knot_setup setup = cg_knot_suture_setup(CG_CURVE_OVERHAND, 1, 0.11e-3, 0.3);
    setup.curve.spacing = setup.curve.radius;
    setup.coarse = 10 * setup.curve.radius;
    cg_curve curve;
    setup.curve.tail = 0;
    if (cg_curve_make(&setup.curve, NULL, 0, &curve).code != CG_OK) {
        return NULL;
    }
    double knot = curve.point_count[0] * setup.curve.spacing;
    setup.curve.tail = 0.5 * (0.3 - knot);
    setup.fine_tail = fmax(0, 0.5 * (0.07 - knot));
    knot_scene *s = make_scene(&setup, drive, 1000);
    if (s) {
        s->speed = 0.1;
        s->most_way = 1;
        s->random = 7;
    }
    return s;
}

// Pulls at 0.1 m/s until the hands feel 3 N. Returns the number of steps.
static int pull_to_3_newtons(knot_scene *s)
{
    int step = 0;
    for (; step < 1000 && (step == 0 || cg_knot_rig_tension(&s->rig, 0) < 3); step++) {
        cg_knot_rig_pull(&s->rig, s->speed);
        cg_world_step(s->rig.world);
    }
    return step;
}

static void add_true_scale(cg_bench *bench, const char *name, drive_kind drive)
{
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    knot_scene *s = make_true_scale(drive);
    if (s && drive == DRIVE_PULL) { // how long it takes, then from the start
        s->most_steps = pull_to_3_newtons(s);
        knot_scene *again = make_true_scale(drive);
        if (again) {
            again->most_steps = s->most_steps;
        }
        release_scene(s);
        s = again;
    } else if (s) {
        pull_to_3_newtons(s);
    }
    add_scene(bench, name, s);
}

void cg_bench_add_knots(cg_bench *bench)
{
    add_seed_knot(bench, "overhand", CG_CURVE_OVERHAND, 1, 200, DRIVE_LOAD);
    add_seed_knot(bench, "overhand", CG_CURVE_OVERHAND, 1, 600, DRIVE_LOAD);
    add_seed_knot(bench, "tightening", CG_CURVE_OVERHAND, 1, 200, DRIVE_TIGHTEN);
    add_seed_knot(bench, "tightening", CG_CURVE_OVERHAND, 1, 600, DRIVE_TIGHTEN);
    add_seed_knot(bench, "reef", CG_CURVE_REEF, 2, 200, DRIVE_LOAD);
    add_suture_c(bench);
    add_true_scale(bench, "knots/pulled", DRIVE_PULL);
    add_true_scale(bench, "knots/held", DRIVE_HOLD);
    add_true_scale(bench, "knots/carried", DRIVE_CARRY);
    cg_bench_add_knot_parts(bench);
}
