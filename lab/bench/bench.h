// Timing of things that are done over and over: each thing is a subject, each of its times a row.
//
// Times are of the thread's own CPU, so that other programs on the machine do not count. Subjects take turns in short
// slots: when the machine changes its speed, all of them see it, and ratios between rows stay fair.
#ifndef CATGUT_BENCH_BENCH_H
#define CATGUT_BENCH_BENCH_H

#include <stdbool.h>
#include <stdio.h>

#include "support/json.h"

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
    double warm_seconds;             // [s] a sample took in the warm-up, in the mean
} cg_subject;

// A row that could not be measured.
typedef struct cg_bench_trouble {
    char name[64], why[96];
} cg_bench_trouble;

// What is to be measured. Zero-initialise, give back with cg_bench_free.
typedef struct cg_bench {
    cg_subject *subjects;
    int count, capacity;
    const char *filter; // only subjects whose names begin with it
    cg_bench_trouble *troubles;
    int trouble_count, trouble_capacity;
    bool failed; // there are troubles, or no memory was left even for them

    // Asked only for names: nothing is wanted, all names that could be are handed to `heed`.
    void (*heed)(void *context, const char *name);
    void *heed_context;
} cg_bench;

// CPU time of this thread [s].
double cg_thread_cpu_seconds(void);

// True when a subject of this name is asked for.
bool cg_bench_wants(const cg_bench *bench, const char *name);
// Adds a subject that is wanted. Takes the state over.
void cg_bench_add(cg_bench *bench, cg_subject subject);
// Notes that a row cannot be measured, and why.
void cg_bench_fail(cg_bench *bench, const char *name, const char *why);
// Does each subject some times, so that caches are warm and its cost is roughly known.
void cg_bench_warm_up(cg_bench *bench);
// CPU time that measuring will take after the warm-up [s], roughly.
double cg_bench_expected_seconds(const cg_bench *bench, double seconds_each);
// Lets all subjects take turns until each had its time; warms up what has not been.
void cg_bench_measure(cg_bench *bench, double seconds_each);
void cg_bench_free(cg_bench *bench);
// A sentence for each row that could not be measured.
void cg_bench_print_troubles(const cg_bench *bench, FILE *err);
// The same as the member "failed", an array that is empty when all went well.
void cg_bench_write_troubles(const cg_bench *bench, cg_json *json);
// NULL when it was not measured.
const cg_subject *cg_bench_find(const cg_bench *bench, const char *name);

// All subjects of the plain bench, those of the files below.
void cg_bench_add_all(cg_bench *bench);
// Calls `heed` with every name that "catgut bench NAME" knows: groups of rows, again before each row, and rows.
void cg_bench_each_name(void (*heed)(void *context, const char *name, bool is_row), void *context);

// The subjects, by file.
void cg_bench_add_threads(cg_bench *bench);
void cg_bench_add_linalg(cg_bench *bench);
void cg_bench_add_recording(cg_bench *bench);
void cg_bench_add_knots(cg_bench *bench);
void cg_bench_add_knot_parts(cg_bench *bench);
void cg_bench_add_worst(cg_bench *bench);
void cg_bench_add_names(cg_bench *bench);
void cg_bench_add_tissue(cg_bench *bench);
void cg_bench_add_press(cg_bench *bench);
void cg_bench_add_meet(cg_bench *bench);
void cg_bench_add_lay(cg_bench *bench);
void cg_bench_add_jaw(cg_bench *bench);
void cg_bench_add_tools(cg_bench *bench);
void cg_bench_add_beside(cg_bench *bench);
void cg_bench_add_stitch(cg_bench *bench);
void cg_bench_add_pierce(cg_bench *bench);
void cg_bench_add_tear(cg_bench *bench);
// Batches on a core and on a graphics processor, if there is one. Prints its own table or JSON and returns the exit
// code.
int cg_bench_gpu(bool as_json, const char *machine, FILE *out, FILE *err);
// The friction solvers on the problems of a folder: NULL means that of CATGUT_PROBLEMS, or tests/solve/problems. Prints
// its own table or JSON and returns the exit code.
int cg_bench_friction(const char *folder, bool as_json, const char *machine, FILE *out, FILE *err);
// The finders of contacts; prints its own table or JSON and returns the exit code.
int cg_bench_collide(bool as_json, const char *machine, FILE *out, FILE *err);
// Sphere trees; the same.
int cg_bench_sphere_tree(bool as_json, const char *machine, FILE *out, FILE *err);
// Scripted procedures, by the steps of their scripts; the same. The name is "tie", or "tie/" and a procedure.
bool cg_bench_is_tie(const char *name);
int cg_bench_tie(const char *name, bool as_json, const char *machine, FILE *out, FILE *err);
// False when the program was built without LAPACK.
bool cg_bench_has_lapack(void);

#endif
