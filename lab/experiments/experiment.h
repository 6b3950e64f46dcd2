// Experiments: a set-up whose answer theory or a publication knows, what the library gives for it, and the plots.
#ifndef CATGUT_EXPERIMENTS_EXPERIMENT_H
#define CATGUT_EXPERIMENTS_EXPERIMENT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "support/plot.h"

// Stands for a published value that does not exist.
#define CG_UNPUBLISHED NAN

// One measured number beside what it should be. It passes when
//     |measured - expected| <= tolerance * |expected|, or, when 0 is expected, |measured| <= tolerance.
typedef struct cg_quantity {
    char name[240];
    double published; // as printed by others; CG_UNPUBLISHED if nobody did
    double expected;  // worked out from the theory, now
    double measured;
    double tolerance;
    const char *unit; // "1" for a pure number
} cg_quantity;

bool cg_quantity_passes(const cg_quantity *quantity);
// The difference that the tolerance is compared with.
double cg_quantity_error(const cg_quantity *quantity);

// What an experiment hands back. Zero-initialise; free when done.
typedef struct cg_report {
    // Set before the run.
    bool thorough;    // asked for the long version, where there is one
    const char *part; // of an experiment that has parts, the one that was asked for; NULL: all
    uint64_t seed;    // instead of the experiment's own, where it draws from one; 0: its own
    // What came of it.
    cg_quantity *quantities;
    int quantity_count, quantity_capacity;
    cg_plot *plots;
    int plot_count, plot_capacity;
    char trouble[256]; // why the experiment could not be done; empty when it could
} cg_report;

void cg_report_free(cg_report *report);
// True when something was measured, everything is within its band and there was no trouble.
bool cg_report_passes(const cg_report *report);
// Adds a quantity; its name is printed from the format.
void cg_report_add(cg_report *report, cg_quantity quantity, const char *name_format, ...)
    __attribute__((format(printf, 3, 4)));
// Adds one that nobody published: what theory or an earlier finding of ours expects.
void cg_report_check(cg_report *report, double expected, double measured, double tolerance, const char *unit,
                     const char *name_format, ...) __attribute__((format(printf, 6, 7)));
// Adds an empty plot and returns its number; reach it by report->plots[number], for a later plot may move it.
int cg_report_add_plot(cg_report *report, const char *title, const char *x_label, const char *y_label);
// Says why the experiment failed. The first reason is kept.
void cg_report_trouble(cg_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct cg_experiment {
    const char *name;
    const char *summary; // one line
    const char *source;  // whose theory or measurement it is compared with
    void (*run)(cg_report *report);
    // Parts that can be run by themselves, as NAME/PART, and whether a word is one; NULL: it has none.
    const char *parts;
    bool (*has_part)(const char *part);
    bool is_drawn; // from a seed, which may be another one than its own
} cg_experiment;

// The number `place` of those that a seed draws, evenly between `low` and `high`.
double cg_report_draw(uint64_t seed, int place, double low, double high);

#endif
