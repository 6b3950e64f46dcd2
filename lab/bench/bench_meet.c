// A pad of some 8,000 triangles and contact with itself: what finding it, making rows and limiting the motion cost a
// step, with nothing near and with a wound of 30 mm whose lips are pressed together and rubbed; the same when the list
// of what may touch is made anew in every step; and whole steps with these lips, also of the pad of some 2,000 nodes
// that "tissue/step/2000" pulls. "cut": what a cut and the step after it cost more than the step before.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "catgut/catgut.h"
#include "laws/meet.h"
#include "support/special.h"

static const double STEP = 1e-3; // [s]

// What a subject is.
typedef enum meet_kind { CONTACT_ALONE, CONTACT_LISTED, WHOLE_STEP, WHOLE_STEP_2000 } meet_kind;

typedef struct meet_bench {
    cg_tissue *tissue;
    cg_tissue_surface *surface;
    cg_meet_body *body;
    cg_meet_set *meets;
    bool lists_always, whole_step;
    double width;   // [m] of the pad
    double pressed; // [m] by which each side is moved inwards
    int steps;
} meet_bench;

static void release(void *state)
{
    meet_bench *b = state;
    if (b) {
        cg_meet_destroy(b->meets);
        cg_meet_body_destroy(b->body);
        cg_tissue_surface_destroy(b->surface);
        cg_tissue_destroy(b->tissue);
        free(b);
    }
}

// The sides are pressed together and rubbed along each other by 40 um.
static void aim_sides(meet_bench *b)
{
    const cg_mesh *mesh = b->tissue->mesh;
    int phase = b->steps++ % 40;
    double in = b->pressed * (b->steps < 100 ? b->steps / 100.0 : 1), along = 2e-6 * (phase < 20 ? phase : 40 - phase);
    for (int i = 0; i < mesh->node_count; i++) {
        double y = mesh->home[i].y;
        if (fabs(y) > b->width / 2 - 1e-9) {
            cg_vec3 shift = v3(y > 0 ? along : 0, y > 0 ? -in : in, 0);
            cg_tissue_aim_node(b->tissue, i, v3_add(mesh->home[i], shift));
        }
    }
}

static double time_step(void *state)
{
    meet_bench *b = state;
    aim_sides(b);
    double begin = cg_thread_cpu_seconds();
    cg_tissue_begin_step(b->tissue, STEP, v3(0, 0, -9.81));
    b->meets->is_listed = b->meets->is_listed && !b->lists_always;
    double start = cg_thread_cpu_seconds();
    cg_meet_begin(b->meets);
    cg_meet_find(b->meets);
    double seconds = cg_thread_cpu_seconds() - start;
    cg_tissue_predict(b->tissue);
    cg_tissue_finish_step(b->tissue);
    start = cg_thread_cpu_seconds();
    cg_meet_note(b->meets);
    cg_meet_limit(b->meets);
    double end = cg_thread_cpu_seconds();
    return b->whole_step ? end - begin : seconds + end - start;
}

static meet_bench *make(bool has_wound, meet_kind kind)
{
    bool is_small = kind == WHOLE_STEP_2000;
    meet_bench *b = calloc(1, sizeof *b);
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def def = cg_tissue_def_default();
    def.size = is_small ? v3(44e-3, 32e-3, 0) : v3(46e-3, 36e-3, 0);
    def.spacing = is_small ? 2e-3 : 1e-3;
    def.layers[0].thickness = is_small ? 8e-3 : def.layers[0].thickness;
    def.wound = has_wound ? CG_WOUND_STRAIGHT : CG_WOUND_NONE;
    def.wound_length = 30e-3;
    def.wound_depth = 4e-3;
    if (!b || cg_tissue_create(&def, &allocator, &b->tissue).code != CG_OK ||
        cg_tissue_surface_create(b->tissue, def.friction, &allocator, &b->surface).code != CG_OK ||
        cg_meet_body_create(b->tissue, b->surface, &allocator, &b->body).code != CG_OK ||
        cg_meet_create(&b->body, 1, &allocator, &b->meets).code != CG_OK) {
        release(b);
        return NULL;
    }
    b->pressed = has_wound ? 0.3e-3 : 0;
    b->width = def.size.y;
    for (int i = 0; i < b->tissue->mesh->node_count; i++) {
        if (fabs(b->tissue->mesh->home[i].y) > b->width / 2 - 1e-9) {
            cg_tissue_fix_node(b->tissue, i, true);
        }
    }
    for (int step = 0; step < 120; step++) {
        time_step(b);
    }
    b->lists_always = kind == CONTACT_LISTED;
    b->whole_step = kind == WHOLE_STEP || kind == WHOLE_STEP_2000;
    return b;
}

// A pad of a world that is cut here and there: what a cut, and the step after it, cost more than the step before.

enum { MOST_CUTS = 20 };

typedef struct cut_bench {
    cg_world *world;
    cg_tissue_id pad;
    bool is_small;
    int cuts;
} cut_bench;

static void release_cut(void *state)
{
    cut_bench *b = state;
    if (b) {
        cg_world_destroy(b->world);
        free(b);
    }
}

static bool make_pad_to_cut(cut_bench *b)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def def = cg_tissue_def_default();
    def.size = b->is_small ? v3(44e-3, 32e-3, 0) : v3(42e-3, 32e-3, 0);
    def.spacing = b->is_small ? 2e-3 : 1e-3;
    def.layers[0].thickness = b->is_small ? 8e-3 : def.layers[0].thickness;
    def.fix_rim = true;
    def.tension = 0.1;
    cg_world_destroy(b->world);
    b->world = NULL;
    b->cuts = 0;
    return cg_world_create(&world, &b->world).code == CG_OK &&
           cg_world_add_tissue(b->world, &def, &b->pad).code == CG_OK;
}

// Up to some fifty triangles.
static void cut_pad(cut_bench *b)
{
    double x = -15e-3 + 7e-3 * (b->cuts % 5), y = -10e-3 + 6e-3 * (b->cuts / 5), length = b->is_small ? 6e-3 : 3e-3;
    const cg_vec3 path[2] = {{x, y, 1e-3}, {x + length, y + 0.3e-3, 1e-3}},
                  down[2] = {{0, 0, -3.5e-3}, {0, 0, -3.5e-3}};
    cg_tissue_cut(b->world, b->pad, path, down, 2, NULL);
    b->cuts++;
}

static double time_cut(void *state)
{
    cut_bench *b = state;
    if (b->cuts == MOST_CUTS && !make_pad_to_cut(b)) {
        return 0;
    }
    for (int step = 0; step < 30; step++) {
        cg_world_step(b->world);
    }
    cg_world_set_gravity(b->world, v3(0.01 * (b->cuts % 2), 0, -9.81)); // so that it is awake
    cg_world_step(b->world);
    double start = cg_thread_cpu_seconds();
    cg_world_step(b->world);
    double plain = cg_thread_cpu_seconds();
    cut_pad(b);
    cg_world_step(b->world);
    return cg_thread_cpu_seconds() - plain - (plain - start);
}

static void add_cut(cg_bench *bench, const char *name, bool is_small)
{
    cg_subject subject = {.sample = time_cut, .release = release_cut};
    snprintf(subject.name, sizeof subject.name, "meet/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    cut_bench *b = calloc(1, sizeof *b);
    if (b) {
        b->is_small = is_small;
    }
    if (!b || !make_pad_to_cut(b)) {
        release_cut(b);
        cg_bench_fail(bench, subject.name, "the tissue could not be made");
        return;
    }
    subject.state = b;
    subject.vertices = cg_tissue_triangle_count(b->world, b->pad);
    cg_bench_add(bench, subject);
}

static void add(cg_bench *bench, const char *name, bool has_wound, meet_kind kind)
{
    cg_subject subject = {.sample = time_step, .release = release};
    snprintf(subject.name, sizeof subject.name, "meet/%s", name);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    meet_bench *b = make(has_wound, kind);
    if (!b) {
        cg_bench_fail(bench, subject.name, "the tissue could not be made");
        return;
    }
    subject.state = b;
    subject.vertices = b->tissue->mesh->triangle_count;
    cg_bench_add(bench, subject);
}

void cg_bench_add_meet(cg_bench *bench)
{
    add(bench, "nothing_near", false, CONTACT_ALONE);
    add(bench, "nothing_near_listed", false, CONTACT_LISTED);
    add(bench, "wound", true, CONTACT_ALONE);
    add(bench, "wound_listed", true, CONTACT_LISTED);
    add(bench, "step", true, WHOLE_STEP);
    add(bench, "step_2000", true, WHOLE_STEP_2000);
    add_cut(bench, "cut_2000", true);
    add_cut(bench, "cut_8000", false);
}
