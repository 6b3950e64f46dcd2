// Friction problems for the tests: memory, a check of Coulomb's law that shares no formula with the solvers, files.
#ifndef CATGUT_TESTS_SOLVE_FRICTION_RIG_H
#define CATGUT_TESTS_SOLVE_FRICTION_RIG_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness.h"
#include "solve/friction.h"

enum { RIG_MOST = 160 };

typedef cg_friction_result (*rig_solver)(const cg_friction_problem *, const cg_friction_options *, cg_friction_work *);

// A problem with its own memory.
typedef struct rig {
    cg_friction_problem problem;
    double *coupling, *motion, *friction, *force, *start;
    cg_friction_work work;
    void *work_memory;
} rig;

static inline rig rig_make(int count)
{
    size_t size = 3 * (size_t)count;
    rig r = {.coupling = calloc(size * size + 1, sizeof(double)),
             .motion = calloc(size + 1, sizeof(double)),
             .friction = calloc((size_t)count + 1, sizeof(double)),
             .force = calloc(size + 1, sizeof(double)),
             .start = calloc(size + 1, sizeof(double))};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_friction_layout(&r.work, count, &arena);
    size_t bytes = cg_arena_used(&arena);
    r.work_memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, r.work_memory, bytes);
    cg_friction_layout(&r.work, count, &arena);
    CHECK(cg_arena_used(&arena) == bytes);
    r.problem = (cg_friction_problem){count, r.coupling, r.motion, r.friction, 1, r.force, false};
    return r;
}

static inline void rig_free(rig *r)
{
    free(r->coupling);
    free(r->motion);
    free(r->friction);
    free(r->force);
    free(r->start);
    cg_memory_give(&(cg_allocator){0}, r->work_memory);
}

static inline double *rig_entry(rig *r, int i, int j)
{
    return &r->coupling[(size_t)i * 3 * (size_t)r->problem.count + (size_t)j];
}

static inline cg_friction_options rig_options(double tolerance)
{
    cg_friction_options options = {.tolerance = tolerance,
                                   .max_iterations = 200000,
                                   .min_iterations = 0,
                                   .max_newton_steps = 300,
                                   .max_pivots = 100000};
    return options;
}

// Solves from the start kept in the rig.
static inline cg_friction_result rig_solve(rig *r, rig_solver solver, double tolerance)
{
    cg_friction_options options = rig_options(tolerance);
    memcpy(r->force, r->start, 3 * (size_t)r->problem.count * sizeof(double));
    return solver(&r->problem, &options, &r->work);
}

// d of contact c by plain sums.
static inline void rig_motion(const rig *r, int c, double d[3])
{
    int size = 3 * r->problem.count;
    for (int a = 0; a < 3; a++) {
        long double sum = r->motion[3 * c + a];
        for (int j = 0; j < size; j++) {
            sum += (long double)r->coupling[(size_t)j * (size_t)size + (size_t)(3 * c + a)] * (long double)r->force[j];
        }
        d[a] = (double)sum;
    }
}

// By how much Coulomb's law is broken, as a length: penetration, pull, a force across a gap, a force outside its cone,
// and slip that friction does not oppose fully: |f_t/(mu f_n) + d_t/|d_t|| times what it could move, or the slip where
// that is less. The trace of the contact's own block turns forces into lengths.
static inline double rig_violation(const rig *r)
{
    double worst = 0;
    int size = 3 * r->problem.count;
    for (int c = 0; c < r->problem.count; c++) {
        const double *f = r->force + 3 * c;
        double d[3], trace = 0;
        rig_motion(r, c, d);
        for (int a = 0; a < 3; a++) {
            trace += r->coupling[(size_t)(3 * c + a) * (size_t)size + (size_t)(3 * c + a)];
        }
        double mu = r->friction[c], slip = sqrt(d[1] * d[1] + d[2] * d[2]), held = sqrt(f[1] * f[1] + f[2] * f[2]);
        worst = fmax(worst, -d[0]);
        worst = fmax(worst, -f[0] * trace);
        worst = fmax(worst, fmin(fabs(f[0]) * trace, fabs(d[0])));
        worst = fmax(worst, (held - mu * f[0]) * trace);
        if (slip > 0 && mu * f[0] > 0) {
            double x = f[1] / (mu * f[0]) + d[1] / slip, y = f[2] / (mu * f[0]) + d[2] / slip;
            worst = fmax(worst, fmin(slip, mu * f[0] * trace) * sqrt(x * x + y * y));
        }
        if (!isfinite(d[0] + d[1] + d[2] + f[0] + f[1] + f[2])) {
            return HUGE_VAL;
        }
    }
    return worst;
}

// Coupling J J^T of `count` contacts on a system with `freedoms` ways to move; the motion J u plus gaps. With gaps
// above zero there is always a solution: undoing u opens every contact.
static inline rig rig_random(uint64_t *state, int count, int freedoms, double most_friction)
{
    rig r = rig_make(count);
    int size = 3 * count;
    double *j = calloc((size_t)size * (size_t)freedoms + 1, sizeof(double));
    for (int i = 0; i < size * freedoms; i++) {
        j[i] = test_random(state, -1, 1);
    }
    for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
            for (int k = 0; k < freedoms; k++) {
                *rig_entry(&r, a, b) += j[a * freedoms + k] * j[b * freedoms + k];
            }
        }
    }
    for (int k = 0; k < freedoms; k++) {
        double u = test_random(state, -1, 1);
        for (int a = 0; a < size; a++) {
            r.motion[a] += j[a * freedoms + k] * u;
        }
    }
    for (int c = 0; c < count; c++) {
        r.motion[3 * c] += test_random(state, 0.01, 0.2);
        r.friction[c] = test_random(state, 0, most_friction);
    }
    free(j);
    return r;
}

// Reads a problem of a stitch (stitch/README.md). Count 0 when it cannot be read.
static inline rig rig_read_stitch(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/solve/stitch/%s.bin", CATGUT_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    int32_t head[2] = {0, 0};
    double scale = 0;
    if (!CHECK(file && fread(head, 4, 2, file) == 2 && fread(&scale, 8, 1, file) == 1 && head[0] <= RIG_MOST)) {
        return rig_make(0);
    }
    rig r = rig_make(head[0]);
    size_t count = (size_t)head[0], size = 3 * count;
    CHECK(fread(r.coupling, 8, size * size, file) == size * size && fread(r.motion, 8, size, file) == size &&
          fread(r.friction, 8, count, file) == count && fread(r.start, 8, size, file) == size);
    r.problem.length_scale = scale;
    r.problem.is_uneven = head[1] != 0;
    fclose(file);
    return r;
}

// Reads a problem file (problems/README.md) into SI units and contact frames. Count 0 when it cannot be read.
static inline rig rig_read(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/solve/problems/%s.bin", CATGUT_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    int32_t count = 0;
    double mu = 0;
    if (!CHECK(file && fread(&count, 4, 1, file) == 1 && fread(&mu, 8, 1, file) == 1 && count <= RIG_MOST)) {
        return rig_make(0);
    }
    rig r = rig_make(count);
    size_t size = 3 * (size_t)count;
    double *world = calloc(size * size, sizeof(double)), *motion = calloc(size, sizeof(double));
    double *gap = calloc((size_t)count, sizeof(double)), *frames = calloc(3 * size, sizeof(double));
    double *force = calloc(size, sizeof(double));
    bool read = fread(world, 8, size * size, file) == size * size && fread(motion, 8, size, file) == size &&
                fread(gap, 8, (size_t)count, file) == (size_t)count && fread(frames, 8, 3 * size, file) == 3 * size &&
                fread(force, 8, size, file) == size;
    CHECK(read);
    for (size_t a = 0; a < size; a++) {
        const double *row = frames + 3 * a; // axis a % 3 of contact a / 3
        for (size_t b = 0; b < size; b++) {
            const double *column = frames + 3 * b;
            for (size_t k = 0; k < 9; k++) {
                size_t at = (3 * (a / 3) + k / 3) * size + 3 * (b / 3) + k % 3;
                r.coupling[a * size + b] += row[k / 3] * world[at] * column[k % 3]; // mm/mN is m/N
            }
        }
        for (size_t k = 0; k < 3; k++) {
            r.motion[a] += 1e-3 * row[k] * motion[3 * (a / 3) + k];
            r.start[a] += 1e-3 * row[k] * force[3 * (a / 3) + k];
        }
        r.motion[a] += a % 3 == 0 ? 1e-3 * gap[a / 3] : 0;
        r.friction[a / 3] = mu;
    }
    for (size_t a = 0; a < size; a++) {
        for (size_t b = 0; b < a; b++) {
            double mean = 0.5 * (r.coupling[a * size + b] + r.coupling[b * size + a]);
            r.coupling[a * size + b] = r.coupling[b * size + a] = mean;
        }
    }
    r.problem.length_scale = 0.11e-3;
    fclose(file);
    free(world);
    free(motion);
    free(gap);
    free(frames);
    free(force);
    return r;
}

#endif
