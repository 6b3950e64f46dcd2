// A probe on a pad of some 8,000 triangles: what finding contacts, making their rows and limiting the motion cost a
// step, and whole steps of the same pad with the probe on it and with the probe away.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "geometry/shape.h"
#include "laws/press.h"
#include "support/special.h"

static const double STEP = 1e-3, RADIUS = 3e-3, DEPTH = 1e-3; // [s], [m], [m]

typedef struct press_bench {
    cg_tissue *tissue;
    cg_tissue_surface *surface;
    cg_press_set *press;
    cg_vec3 *start; // per node: at the beginning of the step
    cg_press_shapes shapes;
    cg_moving_shape probe;
    double friction, way;
    double height; // of the probe over its lowest place [m]
    int steps;
    bool contact_alone;
    double seconds;                // of the contact part in this step
    void (*make_rows)(void *rows); // what the press set wants to be called
} press_bench;

static void release(void *state)
{
    press_bench *b = state;
    if (b) {
        cg_press_destroy(b->press);
        cg_tissue_surface_destroy(b->surface);
        free(b->start);
        cg_tissue_destroy(b->tissue);
        free(b);
    }
}

static void timed_rows(void *state)
{
    press_bench *b = state;
    double start = cg_thread_cpu_seconds();
    b->make_rows(b->press);
    b->seconds += cg_thread_cpu_seconds() - start;
}

// The probe goes round in a circle of 4 mm, five times a second.
static void aim_probe(press_bench *b)
{
    double angle = 2 * CG_PI * 5 * STEP * b->steps++;
    cg_vec3 place = v3(4e-3 * cos(angle), 4e-3 * sin(angle), RADIUS - DEPTH + b->height);
    b->probe.before = b->probe.after;
    b->probe.after.position = place;
    b->way = 1;
}

static double time_step(void *state)
{
    press_bench *b = state;
    aim_probe(b);
    b->seconds = 0;
    memcpy(b->start, b->tissue->mesh->position, (size_t)b->tissue->mesh->node_count * sizeof *b->start);
    double start = cg_thread_cpu_seconds();
    cg_tissue_push_node(b->tissue, b->tissue->mesh->node_count - 1, v3(0, 0, 1e-6)); // so that it never sleeps
    cg_tissue_begin_step(b->tissue, STEP, v3(0, 0, -9.81));
    double find = cg_thread_cpu_seconds();
    cg_press_find(b->press, &b->shapes);
    b->seconds += cg_thread_cpu_seconds() - find;
    if (b->tissue->pushers != NULL) {
        b->make_rows = b->press->pusher.push;
        b->press->pusher.push = timed_rows;
        b->press->pusher.context = b;
    }
    cg_tissue_predict(b->tissue);
    cg_tissue_finish_step(b->tissue);
    double limit = cg_thread_cpu_seconds();
    cg_press_note(b->press);
    double share = cg_press_walk(b->press, &b->shapes);
    if (share < 1) {
        cg_tissue_take_share(b->tissue, b->start, share);
        b->probe.after = cg_moving_shape_pose(&b->probe, share);
    }
    double end = cg_thread_cpu_seconds();
    b->seconds += end - limit;
    return b->contact_alone ? b->seconds : end - start;
}

// With `is_small` the pad of some 2,000 nodes that "tissue/step/2000" pulls.
static press_bench *make(double height, bool contact_alone, bool is_small)
{
    press_bench *b = calloc(1, sizeof *b);
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = cg_tissue_def_default();
    def.size = is_small ? v3(44e-3, 32e-3, 0) : v3(46e-3, 36e-3, 0);
    def.spacing = is_small ? 2e-3 : 1e-3;
    def.layers[0].thickness = is_small ? 8e-3 : def.layers[0].thickness;
    if (!b || cg_tissue_create(&def, &allocator, &b->tissue).code != CG_OK ||
        cg_tissue_surface_create(b->tissue, def.friction, &allocator, &b->surface).code != CG_OK ||
        cg_press_create(b->tissue, b->surface, &allocator, &b->press).code != CG_OK ||
        !(b->start = calloc((size_t)b->tissue->mesh->node_count, sizeof *b->start))) {
        release(b);
        return NULL;
    }
    cg_transform place = {v3(4e-3, 0, RADIUS + 1e-3), quat_identity()};
    b->probe = (cg_moving_shape){.shape = shape_sphere(RADIUS), .before = place, .after = place};
    b->friction = 0.2;
    b->shapes = (cg_press_shapes){&b->probe, &b->friction, &b->way, 1};
    b->height = height;
    b->contact_alone = contact_alone;
    for (int step = 0; step < 20; step++) {
        b->height = height + DEPTH * (1 - step / 19.0);
        time_step(b);
    }
    return b;
}

static void add(cg_bench *bench, const char *name, double height, bool contact_alone, bool is_small)
{
    cg_subject subject = {.sample = time_step, .release = release};
    snprintf(subject.name, sizeof subject.name, "press/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    press_bench *b = make(height, contact_alone, is_small);
    if (!b) {
        cg_bench_fail(bench, subject.name, "the tissue could not be made");
        return;
    }
    subject.state = b;
    subject.vertices = b->tissue->mesh->triangle_count;
    cg_bench_add(bench, subject);
}

void cg_bench_add_press(cg_bench *bench)
{
    add(bench, "contact", 0, true, false);
    add(bench, "step", 0, false, false);
    add(bench, "step_away", 20e-3, false, false);
    add(bench, "step_2000", 0, false, true);
    add(bench, "step_away_2000", 20e-3, false, true);
}
