// What knots cost: whole steps of knots in the states that matter, and the parts of a step beside other ways to do
// them.
//
//   knots/overhand/N       MicroSim's knot test: tight under 1 N, standing still; N vertices
//   knots/tightening/N     the same from the loose knot until it is tight, over and over
//   knots/reef/200         the same with a reef knot of two threads
//   knots/suture_c         the stiff suture of bench C: E 2 GPa, 0.2 m, radius 0.32 mm, 201 vertices, pulled at 20 mm/s
//   knots/pulled, held, carried   300 mm of 3-0 nylon, segments of one radius in the knot, steps of 1 ms
//   knots/coupling/M       the coupling matrix of M contacts on 600 vertices, by the selected inverse
//   knots/many_solves/M    the same matrix by one solve for every row of a contact
//   knots/broad, hash      pairs of the tight knot of 600 vertices, by the default method and by MicroSim's spatial
//   hash knots/friction         the friction problem of that knot by the default solver, as the step has it
//   knots/row_form         200 sweeps of projected Gauss-Seidel over it in row form, as MicroSim wrote them
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "collide/broad.h"
#include "experiments/knot_rig.h"
#include "linalg/coupling.h"
#include "support/special.h"
#include "support/vector.h"

typedef enum drive {
    DRIVE_LOAD,    // a dead load of 1 N
    DRIVE_TIGHTEN, // the same, from the start again and again
    DRIVE_PULL,    // hands pull apart, from the start again and again
    DRIVE_HOLD,    // hands stand still after having pulled
    DRIVE_CARRY    // hands move together, with jerks
} drive;

typedef struct knot_scene {
    cg_knot_rig rig;
    drive drive;
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

static knot_scene *make_scene(const cg_knot_setup *setup, drive drive, int most_steps)
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
                          drive drive)
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
static knot_scene *make_true_scale(drive drive)
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

static void add_true_scale(cg_bench *bench, const char *name, drive drive)
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

// Coupling of contacts, by the library's way and by full columns of the inverse.
enum { VERTICES = 600, MOST_CONTACTS = 200 };

typedef struct coupling_problem {
    int users, contacts;
    void *memory;
    cg_band_row *rows;
    cg_band_factor factor;
    cg_coupling_work work;
    cg_coupling_point points[2 * MOST_CONTACTS];
    double axes[9 * MOST_CONTACTS];
    double *coupling, *columns;
} coupling_problem;

static void lay_out_coupling(coupling_problem *p, cg_arena *arena)
{
    size_t size = 3 * (size_t)p->contacts;
    p->rows = cg_arena_push_array(arena, cg_band_row, VERTICES);
    cg_band_layout(&p->factor, VERTICES, arena);
    cg_coupling_layout(&p->work, VERTICES, p->contacts, arena);
    p->coupling = cg_arena_push(arena, size * size, sizeof(double));
    p->columns = cg_arena_push(arena, 3 * VERTICES * size, sizeof(double));
}

// The matrix of a coiled thread: inertia, and stretch and bending along its segments.
static void fill_rows(coupling_problem *p)
{
    for (int i = 0; i < VERTICES; i++) {
        cg_band_row *row = &p->rows[i];
        *row = (cg_band_row){.diagonal = {700, 0, 0, 700, 0, 700}};
        for (int k = 0; k < 3; k++) {
            row->next[4 * k] = -400;
            row->second[4 * k] = 100;
        }
        double angle = 0.05 * i, t[3] = {0.8 * cos(angle), 0.8 * sin(angle), 0.6};
        double last[3] = {0.8 * cos(angle - 0.05), 0.8 * sin(angle - 0.05), 0.6};
        for (int a = 0, e = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                if (b >= a) {
                    row->diagonal[e++] += 1e4 * (t[a] * t[b] + last[a] * last[b]);
                }
                row->next[3 * a + b] -= 1e4 * t[a] * t[b];
            }
        }
    }
}

// Contacts as in a knot: within a window of 2 (M / 3 + 20) vertices, each with two points.
static void fill_contacts(coupling_problem *p)
{
    uint64_t random = 5;
    int window = 2 * (p->contacts / 3 + 20), highest = VERTICES / 2 + window / 2, count = 0;
    for (int c = 0; c < p->contacts; c++) {
        for (int side = 0; side < 2; side++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double share = (double)(random >> 40) / 16777216.0, sign = side == 0 ? 1 : -1;
            int vertex = highest - (int)(share * window), at = count++;
            for (; at > 0 && p->points[at - 1].vertex < vertex; at--) {
                p->points[at] = p->points[at - 1];
            }
            p->points[at] = (cg_coupling_point){vertex, c, sign * (1 - share), sign * share};
        }
        double angle = 0.7 * c, *axes = p->axes + 9 * c;
        const double frame[9] = {cos(angle), sin(angle), 0, -sin(angle), cos(angle), 0, 0, 0, 1};
        memcpy(axes, frame, sizeof frame);
    }
    cg_band_place_core(&p->factor, highest);
    cg_band_factorise(&p->factor, p->rows);
}

static coupling_problem *make_coupling(int contacts)
{
    coupling_problem *p = calloc(1, sizeof *p);
    if (!p) {
        return NULL;
    }
    p->contacts = contacts;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out_coupling(p, &arena);
    size_t bytes = cg_arena_used(&arena);
    p->memory = cg_memory_take(&(cg_allocator){0}, bytes);
    if (!p->memory) {
        free(p);
        return NULL;
    }
    cg_arena_init(&arena, p->memory, bytes);
    lay_out_coupling(p, &arena);
    fill_rows(p);
    fill_contacts(p);
    return p;
}

static void release_coupling(void *state)
{
    coupling_problem *p = state;
    if (--p->users == 0) {
        cg_memory_give(&(cg_allocator){0}, p->memory);
        free(p);
    }
}

static double time_coupling(void *state)
{
    coupling_problem *p = state;
    double start = cg_thread_cpu_seconds();
    memset(p->coupling, 0, sizeof(double) * 9 * (size_t)p->contacts * (size_t)p->contacts);
    cg_coupling_add(&p->work, &p->factor, p->points, 2 * p->contacts, p->axes, p->contacts, p->coupling);
    return cg_thread_cpu_seconds() - start;
}

// One column of the inverse for each axis of each contact, and the rows read off.
static double time_many_solves(void *state)
{
    coupling_problem *p = state;
    int size = 3 * p->contacts;
    double start = cg_thread_cpu_seconds();
    memset(p->columns, 0, sizeof(double) * 3 * VERTICES * (size_t)size);
    for (int k = 0; k < 2 * p->contacts; k++) {
        const cg_coupling_point *point = &p->points[k];
        for (int axis = 0; axis < 3; axis++) {
            for (int d = 0; d < 3; d++) {
                double value = p->axes[9 * point->contact + 3 * axis + d];
                double *column = p->columns + 3 * point->contact + axis;
                column[(3 * point->vertex + d) * size] += point->near * value;
                column[(3 * (point->vertex + 1) + d) * size] += point->far * value;
            }
        }
    }
    cg_band_solve_many(&p->factor, p->columns, size);
    memset(p->coupling, 0, sizeof(double) * (size_t)size * (size_t)size);
    for (int k = 0; k < 2 * p->contacts; k++) {
        const cg_coupling_point *point = &p->points[k];
        for (int axis = 0; axis < 3; axis++) {
            double *row = p->coupling + (size_t)(3 * point->contact + axis) * (size_t)size;
            for (int d = 0; d < 3; d++) {
                double value = p->axes[9 * point->contact + 3 * axis + d];
                const double *near = p->columns + (3 * point->vertex + d) * size, *far = near + 3 * size;
                for (int c = 0; c < size; c++) {
                    row[c] += value * (point->near * near[c] + point->far * far[c]);
                }
            }
        }
    }
    return cg_thread_cpu_seconds() - start;
}

// Both ways must give the same matrix, or the comparison is worth nothing.
static bool ways_agree(coupling_problem *p)
{
    size_t size = 9 * (size_t)p->contacts * (size_t)p->contacts;
    double *first = malloc(size * sizeof *first), difference = 0, largest = 0;
    if (!first) {
        return false;
    }
    time_coupling(p);
    memcpy(first, p->coupling, size * sizeof *first);
    time_many_solves(p);
    for (size_t i = 0; i < size; i++) {
        difference = fmax(difference, fabs(first[i] - p->coupling[i]));
        largest = fmax(largest, fabs(first[i]));
    }
    free(first);
    return difference < 1e-9 * largest;
}

static void add_coupling(cg_bench *bench, int contacts)
{
    char names[2][64];
    snprintf(names[0], sizeof names[0], "knots/coupling/%d", contacts);
    snprintf(names[1], sizeof names[1], "knots/many_solves/%d", contacts);
    if (!cg_bench_wants(bench, names[0]) && !cg_bench_wants(bench, names[1])) {
        return;
    }
    coupling_problem *p = make_coupling(contacts);
    if (!p || !ways_agree(p)) {
        bench->failed = true;
        if (p) {
            p->users = 1;
            release_coupling(p);
        }
        return;
    }
    p->users = cg_bench_wants(bench, names[0]) + cg_bench_wants(bench, names[1]);
    for (int k = 0; k < 2; k++) {
        cg_subject subject = {.vertices = VERTICES,
                              .sample = k == 0 ? time_coupling : time_many_solves,
                              .release = release_coupling,
                              .state = p};
        memcpy(subject.name, names[k], sizeof subject.name);
        if (cg_bench_wants(bench, names[k])) {
            cg_bench_add(bench, subject);
        }
    }
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
    for (int contacts = 30; contacts <= 200; contacts += contacts == 30 ? 70 : 100) {
        add_coupling(bench, contacts);
    }
    cg_bench_add_knot_parts(bench);
}
