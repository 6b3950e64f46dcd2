// A thread of 500 vertices, a hundred of them on a pad of some 2,000 nodes, drawn to and fro at 0.1 m/s; the same on a
// pad that is shaken at a corner; the same thread high above the pad, and both in worlds of their own.
#include <stdio.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"

enum { VERTICES = 500 };
static const double SPACING = 0.4e-3, STEP = 1e-3, SPEED = 0.1, WAY = 20e-3, SHAKE = 0.02; // [m], [s], [m/s], [m], [N]

typedef struct lay_bench {
    cg_world *worlds[2]; // thread and pad together, or the pad and the thread apart
    int world_count;
    cg_thread_id thread;
    cg_tissue_id pad;
    cg_vec3 end;
    bool is_shaken;
    int steps;
} lay_bench;

static void release(void *state)
{
    lay_bench *b = state;
    for (int k = 0; k < 2 && b; k++) {
        cg_world_destroy(b->worlds[k]);
    }
    free(b);
}

// One end is led to and fro, the other drawn back by 0.05 N.
static void lead(lay_bench *b)
{
    int there = (int)(WAY / (SPEED * STEP)), at = b->steps++ % (2 * there);
    double way = SPEED * STEP * (at < there ? at : 2 * there - at);
    cg_world *world = b->worlds[0];
    cg_thread_hold(world, b->thread, VERTICES - 1, v3_add(b->end, v3(way, 0, 0)));
    cg_thread_push_vertex(world, b->thread, 0, v3(-0.05, 0, 0));
    // So that the pad never sleeps. The thread alone moves it by next to nothing, and it is solved for all the same.
    const double corner[3] = {1, 0, 0};
    double sine = 0, cosine;
    cg_sincos(2 * CG_PI * STEP * (b->steps % 1000), &sine, &cosine);
    cg_tissue_push(b->worlds[b->world_count - 1], b->pad, 0, corner, v3(0, 0, b->is_shaken ? SHAKE * sine : 1e-6));
}

static double sample(void *state)
{
    lay_bench *b = state;
    lead(b);
    double begun = cg_thread_cpu_seconds();
    for (int k = 0; k < b->world_count; k++) {
        cg_world_step(b->worlds[k]);
    }
    return cg_thread_cpu_seconds() - begun;
}

static bool add_thread(lay_bench *b, double height)
{
    static cg_vec3 points[VERTICES];
    cg_thread_def def = cg_thread_def_default();
    for (int i = 0; i < VERTICES; i++) {
        points[i] = v3(SPACING * (i - VERTICES / 2), 0.3e-3, height + 1.02 * def.radius);
    }
    b->end = points[VERTICES - 1];
    def.vertex_count = VERTICES;
    def.positions = points;
    def.friction = 0.3;
    return cg_world_add_thread(b->worlds[0], &def, &b->thread).code == CG_OK;
}

static bool add_pad(lay_bench *b)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(40e-3, 32e-3, 0);
    def.layers[0].thickness = 8e-3;
    def.friction = 0.3;
    return cg_world_add_tissue(b->worlds[b->world_count - 1], &def, &b->pad).code == CG_OK;
}

static lay_bench *make(double height, int worlds, bool is_shaken)
{
    lay_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    bool made = b != NULL;
    def.time_step = STEP;
    if (made) {
        b->is_shaken = is_shaken;
    }
    for (int k = 0; k < worlds && made; k++) {
        made = cg_world_create(&def, &b->worlds[k]).code == CG_OK;
        b->world_count++;
    }
    if (!made || !add_pad(b) || !add_thread(b, height)) {
        release(b);
        return NULL;
    }
    for (int step = 0; step < 100; step++) {
        sample(b);
    }
    return b;
}

static void add(cg_bench *bench, const char *name, double height, int worlds, bool is_shaken)
{
    cg_subject subject = {.sample = sample, .release = release, .vertices = VERTICES};
    snprintf(subject.name, sizeof subject.name, "lay/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    subject.state = make(height, worlds, is_shaken);
    if (!subject.state) {
        cg_bench_fail(bench, subject.name, "the world could not be made");
        return;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_lay(cg_bench *bench)
{
    add(bench, "drawn", 0, 1, false);
    add(bench, "shaken", 0, 1, true);
    add(bench, "above", 20e-3, 1, false);
    add(bench, "apart", 20e-3, 2, false);
}
