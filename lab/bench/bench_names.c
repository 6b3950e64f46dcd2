// Naming knots: live while a knot tightens, in one full look, and in a tangle of about 60 crossings.
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "catgut/knot.h"
#include "catgut/world.h"
#include "knot/curves.h"
#include "support/vector.h"

enum {
    VERTICES = 300, // of a thread
    FRAMES = 200,   // shapes of a knot that tightens
    TANGLE = 25     // vertices at random: about 60 crossings
};

// Shapes to name, one after the other, forwards and back again.
typedef struct names_state {
    cg_knot_tracker *tracker; // NULL: a full look each time
    cg_vec3 *points;          // frames one behind the other
    int count, frames, next;
} names_state;

static double sample(void *state)
{
    names_state *s = state;
    int frame = s->next < s->frames ? s->next : 2 * s->frames - 1 - s->next;
    s->next = (s->next + 1) % (2 * s->frames);
    const cg_vec3 *points = s->points + (size_t)frame * (size_t)s->count;
    cg_knot_report report;
    double begun = cg_thread_cpu_seconds();
    if (s->tracker) {
        cg_knot_tracker_update(s->tracker, points, s->count, &report);
    } else {
        cg_knot_thread thread = {.points = points, .count = s->count};
        cg_knot_identify(&thread, 1, NULL, &report);
    }
    return cg_thread_cpu_seconds() - begun;
}

static void release(void *state)
{
    names_state *s = state;
    cg_knot_tracker_destroy(s->tracker);
    free(s->points);
    free(s);
}

// The thread of MicroSim's knot test, pulled tight by 1 N; a shape every other step.
static bool tighten(names_state *s, cg_curve_kind kind)
{
    cg_curve_def def = cg_curve_def_default();
    def.kind = kind;
    def.radius = def.spacing = 0.5e-3;
    def.gap = 4 * def.radius;
    cg_curve curve;
    for (int round = 0; round < 3; round++) {
        if (cg_curve_make(&def, NULL, 0, &curve).code != CG_OK) {
            return false;
        }
        double tail = def.tail + 0.5 * (VERTICES - curve.point_count[0]) * def.spacing;
        def.tail = tail > 5e-3 ? tail : 5e-3;
    }
    cg_world_def world_def = cg_world_def_default();
    world_def.time_step = 5e-3;
    world_def.gravity = vec(0, 0, 0);
    world_def.max_contacts = 300;
    s->count = curve.point_count[0];
    s->points = calloc((size_t)FRAMES * (size_t)s->count, sizeof *s->points);
    cg_world *world = NULL;
    cg_thread_id id;
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = s->count;
    thread.positions = s->points;
    thread.radius = def.radius;
    thread.stretch_stiffness = 200;
    thread.bend_stiffness = 1e-8;
    thread.twist_stiffness = 0;
    thread.linear_density = 1e-3;
    thread.inertia = CG_LOW_MASS;
    thread.drag = 10000;
    thread.friction = 0.2;
    bool good = s->points && cg_curve_make(&def, s->points, s->count, &curve).code == CG_OK &&
                cg_world_create(&world_def, &world).code == CG_OK &&
                cg_world_add_thread(world, &thread, &id).code == CG_OK;
    for (int step = 0; good && step < 2 * FRAMES; step++) {
        memcpy(s->points + (size_t)(step / 2) * (size_t)s->count, cg_thread_positions(world, id, NULL),
               (size_t)s->count * sizeof *s->points);
        for (int k = 0; k < 2; k++) {
            cg_thread_push_vertex(world, id, curve.pulled[k].last ? s->count - 1 : 0, curve.pull[k]);
        }
        cg_world_step(world);
    }
    cg_world_destroy(world);
    s->frames = FRAMES;
    return good;
}

// Points at random in a cube: every segment passes many others.
static bool tangle(names_state *s)
{
    unsigned long long state = 12345;
    s->count = TANGLE;
    s->frames = 50;
    s->points = calloc((size_t)s->count * (size_t)s->frames, sizeof *s->points);
    for (int i = 0; s->points && i < s->count * s->frames; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            x[k] = (double)(state >> 40) / (1 << 24);
        }
        s->points[i] = vec(x[0], x[1], x[2]);
    }
    return s->points != NULL;
}

static void add(cg_bench *bench, const char *name, cg_curve_kind kind, bool live)
{
    if (!cg_bench_wants(bench, name)) {
        return;
    }
    names_state *s = calloc(1, sizeof *s);
    bool good = s && (kind == CG_CURVE_STRAIGHT ? tangle(s) : tighten(s, kind));
    good = good && (!live || cg_knot_tracker_create(s->count, NULL, &s->tracker).code == CG_OK);
    if (!good) {
        cg_bench_fail(bench, name, "the knot could not be made");
        if (s) {
            release(s);
        }
        return;
    }
    cg_subject subject = {.vertices = s->count, .sample = sample, .release = release, .state = s};
    strncpy(subject.name, name, sizeof subject.name - 1);
    cg_bench_add(bench, subject);
}

void cg_bench_add_names(cg_bench *bench)
{
    add(bench, "names/live/overhand", CG_CURVE_OVERHAND, true);
    add(bench, "names/live/figure-eight", CG_CURVE_FIGURE_EIGHT, true);
    add(bench, "names/live/square", CG_CURVE_REEF, true);
    add(bench, "names/live/surgeon", CG_CURVE_SURGEON, true);
    add(bench, "names/look/square", CG_CURVE_REEF, false);
    add(bench, "names/look/tangle", CG_CURVE_STRAIGHT, false);
}
