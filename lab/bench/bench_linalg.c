// The library's band solver beside LAPACK's on the same matrix. The only file of the program that looks inside the
// library: the solver has no public face.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "linalg/band.h"

enum { VERTICES = 600, UNKNOWNS = 3 * VERTICES, REACH = 8, BAND = REACH + 1 };

// The matrix in both forms, a factor in both forms, and a right-hand side.
typedef struct problem {
    int users; // subjects that share it
    cg_band_row rows[VERTICES];
    cg_band_factor factor;
    void *factor_memory;
    cg_vec3 rhs[VERTICES], solution[VERTICES];
    double band[UNKNOWNS][BAND]; // LAPACK: column j holds A(j, j) to A(j + REACH, j)
    double band_factor[UNKNOWNS][BAND];
    double lapack_rhs[UNKNOWNS];
} problem;

static void add_entry(problem *p, int row, int column, double value)
{
    if (row >= column) {
        p->band[column][row - column] += value;
    }
}

// The matrix of a coiled thread at rest: inertia, stretch along its segments, bending at its joints. Only the
// proportions matter: stretch is ten thousand times stiffer than inertia, bending a hundred times.
static void fill_band(problem *p)
{
    for (int i = 0; i < UNKNOWNS; i++) {
        add_entry(p, i, i, 1);
    }
    for (int i = 0; i + 1 < VERTICES; i++) {
        double angle = 0.05 * i, t[3] = {0.8 * cos(angle), 0.8 * sin(angle), 0.6};
        for (int a = 0; a < 6; a++) {
            for (int b = 0; b < 6; b++) {
                double sign = (a < 3) == (b < 3) ? 1 : -1;
                add_entry(p, 3 * i + a, 3 * i + b, sign * 1e4 * t[a % 3] * t[b % 3]);
            }
        }
    }
    static const double second_difference[3] = {1, -2, 1};
    for (int i = 0; i + 2 < VERTICES; i++) {
        for (int a = 0; a < 9; a++) {
            for (int b = a % 3; b < 9; b += 3) {
                add_entry(p, 3 * i + a, 3 * i + b, 100 * second_difference[a / 3] * second_difference[b / 3]);
            }
        }
    }
}

static double entry(const problem *p, int row, int column)
{
    int low = row < column ? row : column, high = row < column ? column : row;
    return high - low <= REACH && high < UNKNOWNS ? p->band[low][high - low] : 0;
}

static void fill_rows(problem *p)
{
    for (int i = 0; i < VERTICES; i++) {
        int e = 0;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                if (b >= a) {
                    p->rows[i].diagonal[e++] = entry(p, 3 * i + a, 3 * i + b);
                }
                p->rows[i].next[3 * a + b] = entry(p, 3 * (i + 1) + a, 3 * i + b);
                p->rows[i].second[3 * a + b] = entry(p, 3 * (i + 2) + a, 3 * i + b);
            }
        }
        p->rhs[i] = (cg_vec3){sin(0.1 * i), cos(0.07 * i), 1};
    }
}

static problem *make_problem(void)
{
    problem *p = calloc(1, sizeof *p);
    if (!p) {
        return NULL;
    }
    fill_band(p);
    fill_rows(p);
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_band_layout(&p->factor, VERTICES, &arena);
    size_t bytes = cg_arena_used(&arena);
    p->factor_memory = cg_memory_take(&(cg_allocator){0}, bytes);
    if (!p->factor_memory) {
        free(p);
        return NULL;
    }
    cg_arena_init(&arena, p->factor_memory, bytes);
    cg_band_layout(&p->factor, VERTICES, &arena);
    cg_band_factorise(&p->factor, p->rows);
    return p;
}

static void release_problem(void *state)
{
    problem *p = state;
    if (--p->users == 0) {
        cg_memory_give(&(cg_allocator){0}, p->factor_memory);
        free(p);
    }
}

static double time_factor(void *state)
{
    problem *p = state;
    double start = cg_thread_cpu_seconds();
    cg_band_factorise(&p->factor, p->rows);
    return cg_thread_cpu_seconds() - start;
}

static double time_solve(void *state)
{
    problem *p = state;
    double start = cg_thread_cpu_seconds();
    cg_band_solve(&p->factor, p->rhs, p->solution);
    return cg_thread_cpu_seconds() - start;
}

#ifdef CATGUT_HAVE_LAPACK

void dpbtrf_(const char *triangle, const int *n, const int *reach, double *band, const int *rows, int *info);
void dpbtrs_(const char *triangle, const int *n, const int *reach, const int *columns, const double *band,
             const int *rows, double *rhs, const int *rhs_rows, int *info);
// Only OpenBLAS has it. Its threads would cost more than they bring here, and hide their time from this thread's clock.
__attribute__((weak)) void openblas_set_num_threads(int count);

static const int unknowns = UNKNOWNS, reach = REACH, band_rows = BAND, one = 1;

static double time_lapack_factor(void *state)
{
    problem *p = state;
    int info;
    memcpy(p->band_factor, p->band, sizeof p->band);
    double start = cg_thread_cpu_seconds();
    dpbtrf_("L", &unknowns, &reach, &p->band_factor[0][0], &band_rows, &info);
    return cg_thread_cpu_seconds() - start;
}

static double time_lapack_solve(void *state)
{
    problem *p = state;
    int info;
    memcpy(p->lapack_rhs, p->rhs, sizeof p->rhs);
    double start = cg_thread_cpu_seconds();
    dpbtrs_("L", &unknowns, &reach, &one, &p->band_factor[0][0], &band_rows, p->lapack_rhs, &unknowns, &info);
    return cg_thread_cpu_seconds() - start;
}

// Comparing times makes sense only for equal answers.
static bool answers_agree(problem *p)
{
    time_factor(p);
    time_solve(p);
    time_lapack_factor(p);
    time_lapack_solve(p);
    double largest = 0, apart = 0;
    for (int i = 0; i < VERTICES; i++) {
        const double *theirs = &p->lapack_rhs[3 * i];
        double ours[3] = {p->solution[i].x, p->solution[i].y, p->solution[i].z};
        for (int k = 0; k < 3; k++) {
            largest = fmax(largest, fabs(theirs[k]));
            apart = fmax(apart, fabs(theirs[k] - ours[k]));
        }
    }
    return apart <= 1e-9 * largest;
}

bool cg_bench_has_lapack(void)
{
    return true;
}

#else

bool cg_bench_has_lapack(void)
{
    return false;
}

#endif

// NULL when there is no memory. Answers that differ are a trouble, but are timed all the same.
static problem *make_checked_problem(cg_bench *bench, const char *name)
{
    problem *p = make_problem();
    if (!p) {
        cg_bench_fail(bench, name, "no memory left");
        return NULL;
    }
#ifdef CATGUT_HAVE_LAPACK
    if (openblas_set_num_threads) {
        openblas_set_num_threads(1);
    }
    if (!answers_agree(p)) {
        cg_bench_fail(bench, name, "LAPACK's answer differs");
    }
#endif
    return p;
}

void cg_bench_add_linalg(cg_bench *bench)
{
    static const struct {
        const char *name;
        double (*sample)(void *state);
    } rows[] = {
        {"linalg/factor/600", time_factor},
        {"linalg/solve/600", time_solve},
#ifdef CATGUT_HAVE_LAPACK
        {"lapack/dpbtrf/600", time_lapack_factor},
        {"lapack/dpbtrs/600", time_lapack_solve},
#endif
    };
    problem *p = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!cg_bench_wants(bench, rows[i].name)) {
            continue;
        }
        p = p ? p : make_checked_problem(bench, rows[i].name);
        if (!p) {
            return;
        }
        cg_subject subject = {.vertices = VERTICES, .sample = rows[i].sample, .release = release_problem, .state = p};
        snprintf(subject.name, sizeof subject.name, "%s", rows[i].name);
        p->users++;
        cg_bench_add(bench, subject);
    }
}
