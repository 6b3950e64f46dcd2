// The lips of a wound drawn together by dead forces, as a stitch would, or spread over the skin beside them: whether
// they come to rest, and what a step costs.
//
// A pad of 50 x 40 x 8 mm with an elliptical wound, held at its rim under tension. The forces rise within half a second
// and stay. Motion at rest is the farthest that any node goes in one of the last steps. Times are those of the last
// eighth, of each step the least of three equal runs, because other programs disturb single ones.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_lips = {
    .name = "lips",
    .summary = "lips of a wound pressed together: at rest, no step stopped short, no step dear",
    .source = "what stands still in life",
    .run = run,
};

// How the lips are drawn together.
typedef enum pull_kind { AT_POINTS, SPREAD } pull_kind;

typedef struct trial {
    const char *name;
    double young; // [Pa]; 0: skin of 1 MPa on fat of 20 kPa
    double force; // [N]
    double time_step;
    pull_kind kind;
} trial;

typedef struct pull {
    int triangle;
    double weights[3];
    cg_vec3 force;
} pull;

enum { MOST_PULLS = 512, LOOKS = 50, RUNS = 3 };
static const double RISE = 0.5, SETTLE = 0.6, HOLD = 1.6; // [s]

typedef struct lips_rig {
    cg_world *world;
    cg_tissue_id pad;
    pull pulls[MOST_PULLS];
    int pull_count, node_count, step_count;
    double motion;   // [m] farthest in a step at rest
    int unfinished;  // steps, in all
    int stopped;     // of them in the last quarter
    double *seconds; // per step
} lips_rig;

static cg_tissue_def pad_of(const trial *t)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue_material skin = {.young = t->young > 0 ? t->young : 1e6, .density = 1100, .toughness = 150};
    def.size = vec(50e-3, 40e-3, 0);
    def.layers[0] = (cg_tissue_layer){8e-3, skin};
    if (t->young == 0) {
        def.layer_count = 2;
        def.layers[0].thickness = 2e-3;
        def.layers[0].material.stiffening = 20;
        def.layers[1] = (cg_tissue_layer){6e-3, {.young = 20e3, .density = 950, .toughness = 150}};
    }
    def.fix_rim = true;
    def.fix_bottom = false;
    def.damping = 2e-3;
    def.friction = 0.4;
    def.wound = CG_WOUND_ELLIPSE;
    def.wound_length = 26e-3;
    def.wound_width = 4e-3;
    def.wound_depth = 6e-3;
    def.tension = 0.1;
    return def;
}

static bool build(lips_rig *r, const trial *t)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = pad_of(t);
    world.gravity = vec(0, 0, 0);
    world.time_step = t->time_step;
    return cg_world_create(&world, &r->world).code == CG_OK &&
           cg_world_add_tissue(r->world, &pad, &r->pad).code == CG_OK;
}

static bool is_side(int side, const char *name)
{
    return strcmp(cg_tissue_side_name(side), name) == 0;
}

// [m] half of how wide the wound gapes at its middle.
static double half_gap(const lips_rig *r)
{
    const cg_vec3 *x = cg_tissue_positions(r->world, r->pad, NULL);
    double half = 0;
    for (int t = 0; t < cg_tissue_triangle_count(r->world, r->pad); t++) {
        int nodes[3], side;
        cg_tissue_get_triangle(r->world, r->pad, t, nodes, &side);
        for (int k = 0; k < 3 && is_side(side, "groove"); k++) {
            cg_vec3 at = x[nodes[k]];
            half = fabs(at.x) < 1.5e-3 && at.z > -0.5e-3 && at.y > half ? at.y : half;
        }
    }
    return half;
}

static void pull_at(lips_rig *r, cg_vec3 place, cg_vec3 force)
{
    pull *p = &r->pulls[r->pull_count++];
    cg_tissue_nearest(r->world, r->pad, place, &p->triangle, p->weights);
    p->force = force;
}

// On skin 5 mm from the lip, towards the other side and up by 20 degrees, and on the lip itself, 2.5 mm deep.
static void pull_at_points(lips_rig *r, double half, double sign, double force)
{
    double up = 20 * 3.14159265358979 / 180;
    pull_at(r, vec(0.2e-3, sign * (half + 5e-3), 0.5e-3), vec(0, -sign * force * cos(up), force * sin(up)));
    pull_at(r, vec(0.2e-3, sign * 0.7 * half, -2.5e-3), vec(0, -sign * force, 0));
}

// On 12 x 6 mm of skin beside the lip, evenly.
static void pull_spread(lips_rig *r, double half, double sign, double force)
{
    const cg_vec3 *x = cg_tissue_positions(r->world, r->pad, NULL);
    double area = 0;
    int first = r->pull_count;
    for (int t = 0; t < cg_tissue_triangle_count(r->world, r->pad) && r->pull_count < MOST_PULLS; t++) {
        int n[3], side;
        cg_tissue_get_triangle(r->world, r->pad, t, n, &side);
        cg_vec3 middle = vec_scale(1.0 / 3, vec_add(x[n[0]], vec_add(x[n[1]], x[n[2]])));
        double beside = sign * middle.y - half;
        if (is_side(side, "top") && fabs(middle.x) < 6e-3 && beside > 0 && beside < 6e-3) {
            double size = vec_length(vec_cross(vec_sub(x[n[1]], x[n[0]]), vec_sub(x[n[2]], x[n[0]])));
            r->pulls[r->pull_count++] = (pull){t, {1.0 / 3, 1.0 / 3, 1.0 / 3}, vec(0, -sign * size, 0)};
            area += size;
        }
    }
    for (int k = first; k < r->pull_count; k++) {
        r->pulls[k].force = vec_scale(force / area, r->pulls[k].force);
    }
}

// [m] the farthest that a node went.
static double farthest(const lips_rig *r, const cg_vec3 *before)
{
    const cg_vec3 *x = cg_tissue_positions(r->world, r->pad, NULL);
    double most = 0;
    for (int i = 0; i < r->node_count; i++) {
        most = fmax(most, vec_distance(x[i], before[i]));
    }
    return most;
}

static void press_lips(lips_rig *r, const trial *t, cg_vec3 *before)
{
    for (int step = 0; step < r->step_count; step++) {
        double share = fmin(1, (step + 1) * t->time_step / RISE);
        for (int k = 0; k < r->pull_count; k++) {
            const pull *p = &r->pulls[k];
            cg_tissue_push(r->world, r->pad, p->triangle, p->weights, vec_scale(share, p->force));
        }
        memcpy(before, cg_tissue_positions(r->world, r->pad, NULL), (size_t)r->node_count * sizeof *before);
        uint64_t unfinished = cg_world_get_stats(r->world).unfinished_steps;
        double start = cg_thread_cpu_seconds();
        cg_world_step(r->world);
        double seconds = cg_thread_cpu_seconds() - start;
        r->seconds[step] = r->seconds[step] == 0 || seconds < r->seconds[step] ? seconds : r->seconds[step];
        int more = (int)(cg_world_get_stats(r->world).unfinished_steps - unfinished);
        r->unfinished += more;
        r->stopped += step >= r->step_count * 3 / 4 ? more : 0;
        r->motion = step >= r->step_count - LOOKS ? fmax(r->motion, farthest(r, before)) : 0;
    }
}

static bool run_once(lips_rig *r, const trial *t)
{
    if (!build(r, t)) {
        return false;
    }
    for (double time = 0; time < SETTLE; time += t->time_step) {
        cg_world_step(r->world);
    }
    double half = half_gap(r);
    for (double sign = -1; sign < 2; sign += 2) {
        (t->kind == AT_POINTS ? pull_at_points : pull_spread)(r, half, sign, t->force);
    }
    cg_tissue_positions(r->world, r->pad, &r->node_count);
    cg_vec3 *before = malloc((size_t)r->node_count * sizeof *before);
    if (before) {
        press_lips(r, t, before);
    }
    free(before);
    return before != NULL;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void report_times(cg_report *report, const trial *t, lips_rig *r)
{
    int count = r->step_count / 8;
    double *rest = r->seconds + r->step_count - count;
    qsort(rest, (size_t)count, sizeof *rest, compare);
    cg_report_add(report,
                  (cg_quantity){.published = CG_UNPUBLISHED,
                                .expected = 0,
                                .measured = 1e3 * rest[count / 2],
                                .tolerance = 5,
                                .unit = "ms"},
                  "%s: step at rest, median", t->name);
    cg_report_add(report,
                  (cg_quantity){.published = CG_UNPUBLISHED,
                                .expected = 1,
                                .measured = rest[count - 1] / rest[count / 2],
                                .tolerance = 1,
                                .unit = "1"},
                  "%s: dearest step at rest over the median", t->name);
}

static void measure(cg_report *report, const trial *t, bool is_timed)
{
    int steps = (int)(HOLD / t->time_step + 0.5);
    double *seconds = calloc((size_t)steps, sizeof *seconds);
    lips_rig r = {0};
    bool done = seconds != NULL;
    for (int k = 0; k < (is_timed ? RUNS : 1) && done; k++) {
        r = (lips_rig){.step_count = steps, .seconds = seconds};
        done = run_once(&r, t);
        cg_world_destroy(r.world);
    }
    if (!done) {
        cg_report_trouble(report, "the world could not be built");
        free(seconds);
        return;
    }
    cg_quantity at_rest = {.published = CG_UNPUBLISHED, .measured = r.motion, .tolerance = 1e-9, .unit = "m"};
    cg_quantity stopped = {.published = CG_UNPUBLISHED, .measured = r.stopped, .tolerance = 0, .unit = "steps"};
    cg_quantity on_the_way = {.published = CG_UNPUBLISHED, .measured = r.unfinished, .tolerance = 5, .unit = "steps"};
    cg_report_add(report, at_rest, "%s: motion at rest, a step", t->name);
    cg_report_add(report, stopped, "%s: steps stopped short, last quarter", t->name);
    cg_report_add(report, on_the_way, "%s: steps stopped short, in all", t->name);
    if (is_timed) {
        report_times(report, t, &r);
    }
    free(seconds);
}

// The forces of a material are in proportion to what it bears.
static void measure_matrix(cg_report *report)
{
    const struct {
        const char *name;
        double young, most;
    } materials[4] = {{"5 kPa", 5e3, 0.25}, {"100 kPa", 100e3, 5}, {"1 MPa", 1e6, 10}, {"skin on fat", 0, 5}};
    const double shares[3] = {0.1, 0.5, 1}, steps[3] = {0.5e-3, 1e-3, 2e-3};
    for (int k = 0; k < 4 * 3 * 3 * 2; k++) {
        int m = k / 18, f = k / 6 % 3, h = k / 2 % 3, kind = k % 2;
        char name[96];
        double force = materials[m].most * shares[f];
        snprintf(name, sizeof name, "%s, %g N%s, %g ms", materials[m].name, force, kind ? " spread" : "",
                 1e3 * steps[h]);
        measure(report, &(trial){name, materials[m].young, force, steps[h], kind ? SPREAD : AT_POINTS}, false);
    }
}

static void run(cg_report *report)
{
    const trial trials[4] = {{"100 kPa, 5 N", 100e3, 5, 1e-3, AT_POINTS},
                             {"100 kPa, 5 N spread", 100e3, 5, 1e-3, SPREAD},
                             {"100 kPa, 5 N, 2 ms", 100e3, 5, 2e-3, AT_POINTS},
                             {"skin on fat, 5 N", 0, 5, 1e-3, AT_POINTS}};
    for (int k = 0; k < 4 && !report->thorough; k++) {
        measure(report, &trials[k], false);
    }
    if (report->thorough) { // times too: on a busy machine any one step may take long
        measure(report, &trials[0], true);
        measure_matrix(report);
    }
}
