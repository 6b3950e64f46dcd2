// Parts of a step with contacts beside other ways to do the same.
//
//   knots/coupling/M        the coupling matrix of M contacts on 600 vertices, by the selected inverse
//   knots/many_solves/M     the same matrix by one solve for every row of a contact
//   knots/recursion/M       the same matrix by MicroSim's recursion (seed_coupling.c)
//   knots/broad/600         near pairs of a tight overhand knot of 600 vertices, by the default method
//   knots/hash/600          the same pairs by a spatial hash
//   knots/column_form/50    50 sweeps of projected Gauss-Seidel over the friction problem of that knot: motions kept
//   knots/row_form/50       the same with every motion summed up anew, as MicroSim has it
//
// This file looks inside the library: its parts have no public face.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/seed_coupling.h"
#include "collide/broad.h"
#include "experiments/knot_rig.h"
#include "linalg/coupling.h"
#include "solve/friction.h"
#include "world/world.h"

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
    cg_seed_coupling seed;
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

static void release_coupling(void *state)
{
    coupling_problem *p = state;
    if (--p->users == 0) {
        cg_memory_give(&(cg_allocator){0}, p->memory);
        cg_seed_coupling_free(&p->seed);
        free(p);
    }
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
    if (!p->memory || !cg_seed_coupling_make(&p->seed, VERTICES, 4 * contacts)) {
        p->users = 1;
        release_coupling(p);
        return NULL;
    }
    cg_arena_init(&arena, p->memory, bytes);
    lay_out_coupling(p, &arena);
    fill_rows(p);
    fill_contacts(p);
    return p;
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

static double time_recursion(void *state)
{
    coupling_problem *p = state;
    double start = cg_thread_cpu_seconds();
    cg_seed_coupling_find(&p->seed, p->rows, p->points, 2 * p->contacts, p->axes, p->contacts, p->coupling);
    return cg_thread_cpu_seconds() - start;
}

enum { WAYS = 3 };
static double (*const WAY[WAYS])(void *state) = {time_coupling, time_many_solves, time_recursion};
static const char *const WAY_NAMES[WAYS] = {"coupling", "many_solves", "recursion"};

// All ways must give the same matrix, or the comparison is worth nothing.
static bool ways_agree(coupling_problem *p)
{
    size_t size = 9 * (size_t)p->contacts * (size_t)p->contacts;
    double *first = malloc(size * sizeof *first), difference = 0, largest = 0;
    if (!first) {
        return false;
    }
    time_coupling(p);
    memcpy(first, p->coupling, size * sizeof *first);
    for (int way = 1; way < WAYS; way++) {
        WAY[way](p);
        for (size_t i = 0; i < size; i++) {
            difference = fmax(difference, fabs(first[i] - p->coupling[i]));
            largest = fmax(largest, fabs(first[i]));
        }
    }
    free(first);
    return difference < 1e-9 * largest;
}

static void add_coupling(cg_bench *bench, int contacts)
{
    coupling_problem *p = NULL;
    for (int way = 0; way < WAYS; way++) {
        cg_subject subject = {.vertices = VERTICES, .sample = WAY[way], .release = release_coupling};
        snprintf(subject.name, sizeof subject.name, "knots/%s/%d", WAY_NAMES[way], contacts);
        if (!cg_bench_wants(bench, subject.name)) {
            continue;
        }
        if (!p) {
            p = make_coupling(contacts);
            if (!p || !ways_agree(p)) {
                cg_bench_fail(bench, subject.name, p ? "the ways disagree" : "no memory left");
                if (p) {
                    p->users = 1;
                    release_coupling(p);
                }
                return;
            }
        }
        p->users++;
        subject.state = p;
        cg_bench_add(bench, subject);
    }
}

// A tight overhand knot, its near pairs and its friction problem.
typedef struct tight_knot {
    int users;
    cg_knot_rig rig;
    void *memory;
    cg_broad broad;
    cg_pair_list pairs;
    cg_chain chain;
    cg_friction_work work;
    double *arc, *coupling, *motion, *friction, *warm, *force;
    int contacts;
} tight_knot;

enum { SWEEPS = 50, MOST_PAIRS = 4000 };

static void lay_out_knot(tight_knot *k, cg_arena *arena)
{
    size_t size = 3 * (size_t)k->contacts;
    cg_broad_layout(&k->broad, 1, VERTICES, MOST_PAIRS, arena);
    cg_pair_list_layout(&k->pairs, MOST_PAIRS, arena);
    cg_friction_layout(&k->work, k->contacts, arena);
    k->arc = cg_arena_push_array(arena, double, VERTICES);
    k->coupling = cg_arena_push(arena, size * size, sizeof(double));
    double **vectors[] = {&k->motion, &k->friction, &k->warm, &k->force};
    for (int i = 0; i < 4; i++) {
        *vectors[i] = cg_arena_push(arena, size, sizeof(double));
    }
}

static void release_knot(void *state)
{
    tight_knot *k = state;
    if (--k->users <= 0) {
        cg_knot_rig_close(&k->rig);
        cg_memory_give(&(cg_allocator){0}, k->memory);
        free(k);
    }
}

// Copies the friction problem that the last step left behind, and the shape it is of.
static void copy_problem(tight_knot *k)
{
    const cg_touch_set *set = &k->rig.world->touches;
    size_t size = 3 * (size_t)k->contacts;
    memcpy(k->coupling, set->problem.coupling, size * size * sizeof(double));
    memcpy(k->motion, set->problem.free_motion, size * sizeof(double));
    memcpy(k->friction, set->problem.friction, (size_t)k->contacts * sizeof(double));
    const double *rest = cg_thread_rest_lengths(k->rig.world, k->rig.threads[0], NULL);
    for (int i = 1; i < VERTICES; i++) {
        k->arc[i] = k->arc[i - 1] + rest[i - 1];
    }
    k->chain = (cg_chain){cg_knot_rig_points(&k->rig, 0), VERTICES, k->rig.setup.curve.radius, k->arc, NULL};
}

static tight_knot *make_knot(void)
{
    tight_knot *k = calloc(1, sizeof *k);
    cg_knot_setup setup = cg_knot_seed_setup(CG_CURVE_OVERHAND, 1, VERTICES, 0.3);
    if (!k) {
        return NULL;
    }
    bool good = cg_knot_rig_open(&k->rig, &setup, NULL);
    for (int step = 0; good && step < 200; step++) {
        cg_knot_rig_load(&k->rig, 1);
        cg_world_step(k->rig.world);
    }
    k->contacts = good ? k->rig.world->touches.problem.working_count : 0;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out_knot(k, &arena);
    size_t bytes = cg_arena_used(&arena);
    k->memory = cg_memory_take(&(cg_allocator){0}, bytes);
    if (!good || !k->memory) {
        release_knot(k);
        return NULL;
    }
    cg_arena_init(&arena, k->memory, bytes);
    lay_out_knot(k, &arena);
    copy_problem(k);
    return k;
}

static double time_broad(tight_knot *k, cg_broad_method method)
{
    k->broad.method = method;
    double start = cg_thread_cpu_seconds();
    cg_broad_find(&k->broad, &k->chain, 1, 2 * k->chain.radius, &k->pairs);
    return cg_thread_cpu_seconds() - start;
}

static double time_default_broad(void *state)
{
    return time_broad(state, CG_BROAD_AUTO);
}

static double time_hash(void *state)
{
    return time_broad(state, CG_BROAD_HASH);
}

static double time_column_form(void *state)
{
    tight_knot *k = state;
    cg_friction_problem problem = {k->contacts, k->coupling, k->motion, k->friction, k->chain.radius, k->force, false};
    cg_friction_options options = {.tolerance = 1e-300, .max_iterations = SWEEPS, .min_iterations = SWEEPS};
    memset(k->force, 0, 3 * sizeof(double) * (size_t)k->contacts);
    double start = cg_thread_cpu_seconds();
    cg_friction_sweep(&problem, &options, &k->work);
    return cg_thread_cpu_seconds() - start;
}

static double row_product(const tight_knot *k, int row)
{
    const double *coupling = k->coupling + (size_t)row * 3 * (size_t)k->contacts;
    double sum = k->motion[row];
    for (int c = 0; c < 3 * k->contacts; c++) {
        sum += coupling[c] * k->force[c];
    }
    return sum;
}

// One contact: the normal force first, then friction, scaled back into the cone.
static void relax_contact(tight_knot *k, int contact)
{
    size_t size = 3 * (size_t)k->contacts;
    double *force = k->force + 3 * contact;
    for (int axis = 0; axis < 3; axis++) {
        size_t row = 3 * (size_t)contact + (size_t)axis;
        double stiffness = k->coupling[row * size + row];
        force[axis] -= stiffness > 0 ? row_product(k, (int)row) / stiffness : 0;
        if (axis == 0) {
            force[0] = force[0] > 0 ? force[0] : 0;
        }
    }
    double most = k->friction[contact] * force[0], size_now = sqrt(force[1] * force[1] + force[2] * force[2]);
    if (size_now > most) {
        force[1] *= most / size_now;
        force[2] *= most / size_now;
    }
}

static double time_row_form(void *state)
{
    tight_knot *k = state;
    memset(k->force, 0, 3 * sizeof(double) * (size_t)k->contacts);
    double start = cg_thread_cpu_seconds();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int c = 0; c < k->contacts; c++) {
            relax_contact(k, c);
        }
    }
    return cg_thread_cpu_seconds() - start;
}

static void add_knot_rows(cg_bench *bench)
{
    static const struct {
        const char *name;
        double (*sample)(void *state);
    } rows[4] = {{"knots/broad/600", time_default_broad},
                 {"knots/hash/600", time_hash},
                 {"knots/column_form/50", time_column_form},
                 {"knots/row_form/50", time_row_form}};
    tight_knot *k = NULL;
    for (int i = 0; i < 4; i++) {
        if (!cg_bench_wants(bench, rows[i].name)) {
            continue;
        }
        k = k ? k : make_knot();
        if (!k) {
            cg_bench_fail(bench, rows[i].name, "the knot could not be made");
            return;
        }
        k->users++;
        cg_subject subject = {.vertices = VERTICES, .sample = rows[i].sample, .release = release_knot, .state = k};
        snprintf(subject.name, sizeof subject.name, "%s", rows[i].name);
        cg_bench_add(bench, subject);
    }
}

void cg_bench_add_knot_parts(cg_bench *bench)
{
    for (int contacts = 30; contacts <= 200; contacts += contacts == 30 ? 70 : 100) {
        add_coupling(bench, contacts);
    }
    add_knot_rows(bench);
}
