// A pad of some 8,000 triangles and contact with itself: what finding it, making rows and limiting the motion cost a
// step, with nothing near and with a wound of 30 mm whose lips are pressed together and rubbed; the same when the list
// of what may touch is made anew in every step; and whole steps with these lips, also of the pad of some 2,000 nodes
// that "tissue/step/2000" pulls.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "bench/bench.h"
#include "contact/meet.h"
#include "support/special.h"

static const double STEP = 1e-3; // [s]

// What a subject is.
typedef enum meet_kind { CONTACT_ALONE, CONTACT_LISTED, WHOLE_STEP, WHOLE_STEP_2000 } meet_kind;

typedef struct meet_bench {
    cg_tissue *tissue;
    cg_press_set *press;
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
        cg_press_destroy(b->press);
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
        cg_press_create(b->tissue, def.friction, &allocator, &b->press).code != CG_OK ||
        cg_meet_body_create(b->tissue, b->press, &allocator, &b->body).code != CG_OK ||
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
}
