// A knot of thin thread under load: alone, with a thick cord that lies beside it, and with a free needle. What does not
// touch it must not cost it more than its own steps.
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"
#include "knot/curves.h"

typedef enum company { ALONE, CORD, NEEDLE } company;
enum { MOST_POINTS = 4000, CORD_POINTS = 41, PARTS = 12 };
static const double THIN = 0.0225e-3, LOAD = 0.02; // 8-0 [m], [N]

typedef struct beside_bench {
    cg_world *world;
    cg_thread_id knot;
    cg_curve curve;
} beside_bench;

static void release(void *state)
{
    beside_bench *b = state;
    if (b) {
        cg_world_destroy(b->world);
    }
    free(b);
}

static double sample(void *state)
{
    beside_bench *b = state;
    for (int end = 0; end < 2; end++) {
        int vertex = b->curve.pulled[end].last ? b->curve.point_count[0] - 1 : 0;
        cg_thread_push_vertex(b->world, b->knot, vertex, v3_scale(LOAD, b->curve.pull[end]));
    }
    double begun = cg_thread_cpu_seconds();
    cg_world_step(b->world);
    return cg_thread_cpu_seconds() - begun;
}

static bool tie(beside_bench *b)
{
    static cg_vec3 points[MOST_POINTS];
    cg_curve_def curve = cg_curve_def_default();
    cg_thread_def def = cg_thread_def_default();
    curve.radius = THIN;
    curve.spacing = 2 * THIN;
    curve.tail = 4e-3;
    if (cg_curve_make(&curve, points, MOST_POINTS, &b->curve).code != CG_OK) {
        return false;
    }
    def.radius = THIN;
    def.vertex_count = b->curve.point_count[0];
    def.positions = points;
    return cg_world_add_thread(b->world, &def, &b->knot).code == CG_OK;
}

static bool add_cord(cg_world *world)
{
    cg_vec3 points[CORD_POINTS];
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id id;
    for (int i = 0; i < CORD_POINTS; i++) {
        points[i] = v3(60e-3 * (i / (CORD_POINTS - 1.0) - 0.5), 0, -3e-3);
    }
    def.radius = 0.5e-3;
    def.vertex_count = CORD_POINTS;
    def.positions = points;
    return cg_world_add_thread(world, &def, &id).code == CG_OK;
}

// An arc of 0.6 mm, as a row of balls.
static bool add_needle(cg_world *world)
{
    cg_rigid_part parts[PARTS];
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_id id;
    for (int k = 0; k < PARTS; k++) {
        double x = 2e-3 * (2 * (k + 0.5) / PARTS - 1);
        parts[k] = (cg_rigid_part){{.kind = CG_SHAPE_SPHERE, .radius = 0.3e-3}, {v3(x, -100 * x * x, 0), {0, 0, 0, 1}}};
    }
    def.parts = parts;
    def.part_count = PARTS;
    def.mass = 30e-6;
    def.pose.position = v3(0, 0, -4e-3);
    return cg_world_add_rigid(world, &def, &id).code == CG_OK;
}

static beside_bench *make(company with)
{
    beside_bench *b = calloc(1, sizeof *b);
    cg_world_def def = cg_world_def_default();
    def.gravity = v3(0, 0, 0);
    def.max_contacts = 400;
    bool made = b != NULL && cg_world_create(&def, &b->world).code == CG_OK && tie(b);
    made = made && (with != CORD || add_cord(b->world)) && (with != NEEDLE || add_needle(b->world));
    if (!made) {
        release(b);
        return NULL;
    }
    for (int step = 0; step < 300; step++) {
        sample(b);
    }
    return b;
}

static void add(cg_bench *bench, const char *name, company with)
{
    cg_subject subject = {.sample = sample, .release = release};
    snprintf(subject.name, sizeof subject.name, "beside/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    subject.state = make(with);
    if (!subject.state) {
        cg_bench_fail(bench, subject.name, "the world could not be made");
        return;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_beside(cg_bench *bench)
{
    add(bench, "alone", ALONE);
    add(bench, "cord", CORD);
    add(bench, "needle", NEEDLE);
}
