// Tissue: passes over springs, whole steps, quasi-static sweeps.
//
// Pads and boxes of three sizes, to see that the cost is linear; "plain" is the same step of the same springs as one
// would write it first (plain_springs.h). A pad is pulled by a hand that goes up and down, so
// that it never falls asleep; "resting" is one that has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "bench/bench.h"
#include "bench/plain_springs.h"
#include "support/special.h"
#include "tissue/make.h"
#include "tissue/tissue.h"

static const double STEP = 1e-3; // [s]

typedef struct tissue_bench {
    cg_tissue *tissue;
    int node; // that the hand holds
    cg_vec3 start;
    int steps;
    cg_plain_springs *plain; // the same springs in the plain way; NULL: not asked for
} tissue_bench;

static void release(void *state)
{
    tissue_bench *b = state;
    cg_plain_springs_destroy(b->plain);
    cg_tissue_destroy(b->tissue);
    free(b);
}

// The free node nearest to the middle of the top.
static int middle_of(const cg_mesh *mesh)
{
    int best = 0;
    for (int i = 1; i < mesh->node_count; i++) {
        bool nearer = v3_length(mesh->home[i]) < v3_length(mesh->home[best]);
        best = nearer && !mesh->fixed[i] ? i : best;
    }
    return best;
}

static double time_force(void *state)
{
    tissue_bench *b = state;
    double start = cg_thread_cpu_seconds();
    cg_springs_force(&b->tissue->springs);
    return cg_thread_cpu_seconds() - start;
}

// Where the hand is: up and down by 3 mm, four times a second.
static cg_vec3 next_target(tissue_bench *b)
{
    double angle = 2 * CG_PI * 4 * STEP * b->steps++;
    return v3_add(b->start, v3(0, 0, 1.5e-3 * (1 - cos(angle))));
}

static double time_step(void *state)
{
    tissue_bench *b = state;
    cg_tissue *t = b->tissue;
    cg_tissue_hold hold = {.count = 1, .nodes = {b->node}, .stiffness = 1000, .damping = 1, .most_force = 2};
    hold.targets[0] = next_target(b);
    double start = cg_thread_cpu_seconds();
    cg_tissue_grip grip = cg_tissue_grip_of(t, &hold, STEP);
    t->grips = &grip;
    cg_tissue_step(t, STEP, v3(0, 0, -9.81));
    t->grips = NULL;
    return cg_thread_cpu_seconds() - start;
}

// The same in the plain way.
static double time_plain(void *state)
{
    tissue_bench *b = state;
    cg_plain_hold hold = {.node = b->node, .stiffness = 1000, .damping = 1, .place = next_target(b)};
    double start = cg_thread_cpu_seconds();
    cg_plain_springs_step(b->plain, STEP, v3(0, 0, -9.81), &hold);
    return cg_thread_cpu_seconds() - start;
}

static double time_resting(void *state)
{
    tissue_bench *b = state;
    double start = cg_thread_cpu_seconds();
    cg_tissue_step(b->tissue, STEP, v3(0, 0, -9.81));
    return cg_thread_cpu_seconds() - start;
}

// One sweep; the middle node goes up a little more each time.
static double time_sweep(void *state)
{
    tissue_bench *b = state;
    cg_tissue *t = b->tissue;
    double away = 1e-3 + 1e-6 * (b->steps++ % 1000);
    cg_tissue_aim_node(t, b->node, v3_add(b->start, v3(0, 0, away)));
    double start = cg_thread_cpu_seconds();
    cg_tissue_step(t, 1.0 / 30, v3_zero());
    return (cg_thread_cpu_seconds() - start) / t->iterations;
}

static tissue_bench *make(const cg_tissue_def *def)
{
    tissue_bench *b = calloc(1, sizeof *b);
    cg_allocator allocator = cg_memory_default();
    if (!b || cg_tissue_create(def, &allocator, &b->tissue).code != CG_OK) {
        free(b);
        return NULL;
    }
    b->node = middle_of(b->tissue->mesh);
    b->start = b->tissue->mesh->position[b->node];
    return b;
}

// A pad of 2 mm cubes with about this many nodes.
static cg_tissue_def pad_of(int nodes)
{
    static const struct {
        int nodes;
        double x, y, z; // [mm]
    } pads[] = {{2000, 44, 32, 8}, {8000, 74, 58, 12}, {40000, 158, 122, 14}};
    cg_tissue_def def = cg_tissue_def_default();
    for (int k = 0; k < 3; k++) {
        if (pads[k].nodes == nodes) {
            def.size = v3(1e-3 * pads[k].x, 1e-3 * pads[k].y, 0);
            def.layers[0].thickness = 1e-3 * pads[k].z;
        }
    }
    return def;
}

static cg_tissue_def box_of(int side)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_BOX;
    def.spacing = 1e-3;
    def.size = v3_scale(1e-3 * (side - 1), v3(1, 1, 1));
    def.solver = CG_TISSUE_QUASI_STATIC;
    def.iterations = 20;
    return def;
}

static void add(cg_bench *bench, const char *group, const cg_tissue_def *def, int nodes, double (*sample)(void *),
                bool has_cutout)
{
    cg_subject subject = {.sample = sample, .release = release};
    snprintf(subject.name, sizeof subject.name, "tissue/%s/%d", group, nodes);
    if (!cg_bench_wants(bench, subject.name)) {
        return;
    }
    tissue_bench *b = make(def);
    if (!b) {
        cg_bench_fail(bench, subject.name, "the tissue could not be made");
        return;
    }
    subject.vertices = b->tissue->mesh->node_count;
    subject.state = b;
    if (sample == time_plain) {
        b->plain = cg_plain_springs_create(b->tissue->mesh, b->tissue->damping, b->tissue->drag);
        if (!b->plain) {
            release(b);
            bench->failed = true;
            return;
        }
    }
    if (sample == time_resting) {
        for (int k = 0; k < 5000 && !b->tissue->asleep; k++) {
            time_resting(b);
        }
    }
    if (sample == time_sweep) {
        cg_tissue_fix_node(b->tissue, b->node, true);
        b->tissue->cutout = has_cutout ? b->tissue->cutout : 0;
    }
    cg_bench_add(bench, subject);
}

void cg_bench_add_tissue(cg_bench *bench)
{
    static const int sizes[3] = {2000, 8000, 40000};
    for (int k = 0; k < 3; k++) {
        cg_tissue_def def = pad_of(sizes[k]);
        add(bench, "force", &def, sizes[k], time_force, false);
    }
    for (int k = 0; k < 3; k++) {
        cg_tissue_def def = pad_of(sizes[k]);
        add(bench, "step", &def, sizes[k], time_step, false);
    }
    for (int k = 0; k < 3; k++) {
        cg_tissue_def def = pad_of(sizes[k]);
        add(bench, "plain", &def, sizes[k], time_plain, false);
    }
    cg_tissue_def pad = pad_of(2000);
    add(bench, "resting", &pad, 2000, time_resting, false);
    cg_tissue_def box = box_of(20);
    add(bench, "sweep", &box, 8000, time_sweep, false);
    add(bench, "sweep_cutout", &box, 8000, time_sweep, true);
}
