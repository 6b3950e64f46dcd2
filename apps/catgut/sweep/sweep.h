// A sweep: the same run many times, with fields of its scene, seeds and scripts that differ from run to run. A design
// says which (docs/sweeps.md); each run is a row of one table, by its number alone.
#ifndef CATGUT_SWEEP_SWEEP_H
#define CATGUT_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "catgut/scene.h"
#include "catgut/task.h"
#include "support/scene_names.h"

enum {
    CG_SWEEP_MOST_FIELDS = 32,    // of a scene
    CG_SWEEP_MOST_VALUES = 10000, // of a field in a grid, seeds, scripts
    CG_SWEEP_MOST_ROWS = 10000000,
    CG_SWEEP_MOST_POINTER = 120, // bytes of a JSON pointer
    CG_SWEEP_MOST_TEXT = 96      // bytes of a value as it is written
};

// A field that differs: of a grid with all its values, or drawn between two numbers.
typedef struct cg_sweep_field {
    char pointer[CG_SWEEP_MOST_POINTER];
    int count;                          // of values; 0: drawn
    char (*values)[CG_SWEEP_MOST_TEXT]; // as JSON
    double low, high;                   // of what is drawn
    char unit[16];                      // behind a number that is drawn; may be empty
    bool by_ratio;                      // drawn evenly in its logarithm
} cg_sweep_field;

// A design.
typedef struct cg_sweep {
    char scene[CG_MOST_PATH];     // the file
    char task_path[CG_MOST_PATH]; // may be empty
    cg_task *task;                // NULL: none
    char *scene_text;             // of the file
    size_t scene_size;
    double seconds; // to simulate; negative: until the script is over, or as long as the scene says
    cg_sweep_field fields[CG_SWEEP_MOST_FIELDS];
    int field_count;
    int draw_count;                // rows drawn for each place of the grid; 1 without fields that are drawn
    uint64_t draw_seed;            // of what is drawn
    uint64_t *seeds;               // of tasks
    int seed_count;                // 1 or more
    char (*scripts)[CG_MOST_PATH]; // files; an empty one: none
    int script_count;              // 1 or more
    int64_t row_count;
    uint64_t key; // of everything that decides results: another design has another one
} cg_sweep;

// Where a row is in the design.
typedef struct cg_sweep_row {
    int64_t number;
    char values[CG_SWEEP_MOST_FIELDS][CG_SWEEP_MOST_TEXT]; // of its fields, as JSON
    uint64_t seed;
    int script; // its place
} cg_sweep_row;

// What is told of a row, besides: CG_SWEEP_COLUMN(name, kind, "what it is"); kinds: number, count, word.
#define CG_SWEEP_COLUMNS                                                                                               \
    CG_SWEEP_COLUMN(trouble, word, "why it could not be run or its script failed; empty: it ran")                      \
    CG_SWEEP_COLUMN(steps, count, "made")                                                                              \
    CG_SWEEP_COLUMN(end_time, number, "[s] simulated")                                                                 \
    CG_SWEEP_COLUMN(hash, word, "of the state at the end")                                                             \
    CG_SWEEP_COLUMN(knot, word, "in the first thread, or the first two")                                               \
    CG_SWEEP_COLUMN(knot_throws, word, "of it")                                                                        \
    CG_SWEEP_COLUMN(tension, number, "[N] largest pull in the first thread at the end")                                \
    CG_SWEEP_COLUMN(stretch, number, "largest of the first thread at the end")                                         \
    CG_SWEEP_COLUMN(hand_force, number, "[N] largest on a hand at the end")                                            \
    CG_SWEEP_COLUMN(points, number, "of the task")                                                                     \
    CG_SWEEP_COLUMN(passed, count, "1 when it was passed")                                                             \
    CG_SWEEP_COLUMN(host, word, "that ran it")                                                                         \
    CG_SWEEP_COLUMN(seconds, number, "[s] that it took there")

// Columns that say nothing of the physics, behind all others: of another run they are others.
enum { CG_SWEEP_COLUMNS_OF_HOST = 2 };

typedef double cg_sweep_number;  // NAN: not known
typedef int64_t cg_sweep_count;  // -1: not known
typedef char cg_sweep_word[256]; // empty: not known

// What came of a row. Plain bytes, so that it may be sent.
typedef struct cg_sweep_result {
    int64_t row;
#define CG_SWEEP_COLUMN(name, kind, text) cg_sweep_##kind name;
    CG_SWEEP_COLUMNS
#undef CG_SWEEP_COLUMN
    cg_sweep_number measures[CG_MEASURE_COUNT]; // of a task; NAN: not known
} cg_sweep_result;

// Reads a design and all files that it names. On failure *error says what is wrong and where.
bool cg_sweep_load(const char *path, cg_sweep *sweep, cg_scene_error *error);
void cg_sweep_free(cg_sweep *sweep);
// The row of a number.
void cg_sweep_get_row(const cg_sweep *sweep, int64_t number, cg_sweep_row *row);
// Makes the scene of a row.
bool cg_sweep_scene(const cg_sweep *sweep, const cg_sweep_row *row, cg_scene **scene, cg_scene_error *error);
// Runs a row. What goes wrong is told in the result.
void cg_sweep_run(const cg_sweep *sweep, int64_t number, cg_sweep_result *result);

// The table

typedef struct cg_sweep_table cg_sweep_table;

// Opens or begins the table of a design in a file of SQLite: rows that are in it are done. NULL, with a sentence to
// `err`, when it cannot be, or is of another design.
cg_sweep_table *cg_sweep_table_open(const char *path, const cg_sweep *sweep, FILE *err);
void cg_sweep_table_close(cg_sweep_table *table);
bool cg_sweep_table_has(const cg_sweep_table *table, int64_t row);
int64_t cg_sweep_table_done(const cg_sweep_table *table);
// Adds a row, which is kept whatever happens to the program afterwards.
bool cg_sweep_table_add(cg_sweep_table *table, const cg_sweep_result *result, FILE *err);
// Writes all rows in order of their number; `plain` leaves the columns of the host out.
bool cg_sweep_table_write(cg_sweep_table *table, bool plain, FILE *out);

// What both programs do: reads the words, opens the table, says how far it is, ends with the table written.
typedef struct cg_sweep_job {
    cg_sweep sweep;
    cg_sweep_table *table;
    const char *design, *out;
    char store[CG_MOST_PATH]; // of the rows while they come
    bool is_csv, plain, force;
    int64_t next; // the first row that nobody has taken
    int64_t begun_with;
    double begun, told;
} cg_sweep_job;

// Begins; false after a sentence to `err`.
bool cg_sweep_job_begin(cg_sweep_job *job, FILE *err);
// The next row that is not done; -1: there is none.
int64_t cg_sweep_job_take(cg_sweep_job *job);
bool cg_sweep_job_put(cg_sweep_job *job, const cg_sweep_result *result, FILE *err);
// Ends; where all rows are done the table is written. Returns the exit code.
int cg_sweep_job_end(cg_sweep_job *job, FILE *out, FILE *err);
// Prints a job file for Slurm.
void cg_sweep_write_slurm(const char *design, const char *out_path, FILE *out);

#endif
