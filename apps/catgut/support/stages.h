// What a run costs, frame by frame, in the seven categories of MicroSim's figures 4.8 to 4.11.
#ifndef CATGUT_SUPPORT_STAGES_H
#define CATGUT_SUPPORT_STAGES_H

#include <stdbool.h>
#include <stdio.h>

#include "catgut/world.h"
#include "support/plot.h"

typedef enum cg_cost {
    CG_COST_TOTAL,       // all of a frame
    CG_COST_INTEGRATION, // factoring the threads' matrix, moving, velocities, spacing that follows
    CG_COST_FORCES,      // internal forces and matrix
    CG_COST_CONSTRAINTS, // motion with contact and friction forces, coupling included
    CG_COST_COLLISION,   // where threads touch, and how far they may move
    CG_COST_CONTACTS,    // hands, and where they and shapes press tissue
    CG_COST_MESH,        // tissue
    CG_COST_COUNT
} cg_cost;

extern const char *const cg_cost_names[CG_COST_COUNT]; // in words
extern const char *const cg_cost_keys[CG_COST_COUNT];  // in columns of a file

// The category of a stage; never the total.
cg_cost cg_stage_cost(cg_stage stage);

// A frame is 30 ms of simulated time: six of MicroSim's steps.
#define CG_FRAME_SECONDS 0.03

// Costs of the frames so far. Zero-initialise; free when done.
typedef struct cg_stage_log {
    double (*frames)[CG_COST_COUNT]; // [s]
    int *contacts;                   // most in the friction problem, of each frame
    int count, capacity;
    bool failed; // no memory left
} cg_stage_log;

// Adds the last step of a world, at whose end it is `time` [s].
void cg_stage_log_add(cg_stage_log *log, const cg_world_stats *stats, double time);
void cg_stage_log_free(cg_stage_log *log);
enum { CG_STAGE_COLUMNS = 3 + CG_COST_COUNT };
// What its columns are.
void cg_stage_columns(cg_column columns[CG_STAGE_COLUMNS]);
void cg_stage_log_write_csv(const cg_stage_log *log, FILE *out);
// Adds a line for every category that costs anything.
void cg_stage_log_plot(const cg_stage_log *log, cg_plot *plot);

#endif
