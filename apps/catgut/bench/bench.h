// Timing of things that are done over and over: each thing is a subject, each of its times a row.
//
// Times are of the thread's own CPU, so that other programs on the machine do not count. Subjects take turns in short
// slots: when the machine changes its speed, all of them see it, and ratios between rows stay fair.
#ifndef CATGUT_BENCH_BENCH_H
#define CATGUT_BENCH_BENCH_H

#include <stdbool.h>
#include <stdio.h>

enum { CG_BENCH_MAX_SUBJECTS = 96 };

// Something to be timed.
typedef struct cg_subject {
    char name[64];
    int vertices;                  // how much work it is, for ratios
    int least;                     // samples to be taken at least, where one differs from the next
    double (*sample)(void *state); // does it once and returns the seconds it took
    void (*release)(void *state);
    double simulated;               // [s] that a sample simulates, where it is to be compared with the clock; else 0
    double (*overlap)(void *state); // [diameters] the deepest so far; NULL where nobody looks
    void *state;
    double *seconds; // of all samples; sorted when done
    int count, capacity;
    double median, mean, p99, worst; // [s]
} cg_subject;

typedef struct cg_bench {
    cg_subject subjects[CG_BENCH_MAX_SUBJECTS];
    int count;
    const char *filter; // only subjects whose names begin with it
    bool failed;        // no memory left, or the library refused something
} cg_bench;

// CPU time of this thread [s].
double cg_thread_cpu_seconds(void);

// True when a subject of this name is asked for.
bool cg_bench_wants(const cg_bench *bench, const char *name);
// Adds a subject that is wanted. Takes the state over.
void cg_bench_add(cg_bench *bench, cg_subject subject);
// Lets all subjects take turns until each had its time.
void cg_bench_measure(cg_bench *bench, double seconds_each);
void cg_bench_free(cg_bench *bench);
// NULL when it was not measured.
const cg_subject *cg_bench_find(const cg_bench *bench, const char *name);

// The subjects, by file.
void cg_bench_add_threads(cg_bench *bench);
void cg_bench_add_linalg(cg_bench *bench);
void cg_bench_add_recording(cg_bench *bench);
void cg_bench_add_knots(cg_bench *bench);
void cg_bench_add_knot_parts(cg_bench *bench);
void cg_bench_add_names(cg_bench *bench);
void cg_bench_add_tissue(cg_bench *bench);
void cg_bench_add_press(cg_bench *bench);
void cg_bench_add_meet(cg_bench *bench);
// The friction solvers on the problems of a folder: NULL means that of CATGUT_PROBLEMS, or tests/solve/problems. Prints
// its own table or JSON and returns the exit code.
int cg_bench_friction(const char *folder, bool as_json, const char *machine, FILE *out, FILE *err);
// The finders of contacts; prints its own table or JSON and returns the exit code.
int cg_bench_collide(bool as_json, const char *machine, FILE *out, FILE *err);
// Sphere trees; the same.
int cg_bench_sphere_tree(bool as_json, const char *machine, FILE *out, FILE *err);
// False when the program was built without LAPACK.
bool cg_bench_has_lapack(void);

#endif
