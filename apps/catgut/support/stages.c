#include "support/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cg_cost_names[CG_COST_COUNT] = {
    "total frame",       "thread integration",         "internal forces",
    "constraint solver", "collisions between threads", "contacts of tools and tissue",
    "update of the mesh"};
const char *const cg_cost_keys[CG_COST_COUNT] = {"total",     "integration", "forces", "constraints",
                                                 "collision", "contacts",    "mesh"};

cg_cost cg_stage_cost(cg_stage stage)
{
    switch (stage) {
    case CG_STAGE_ASSEMBLE:
        return CG_COST_FORCES;
    case CG_STAGE_SOLVE:
        return CG_COST_CONSTRAINTS;
    case CG_STAGE_FIND:
    case CG_STAGE_LIMIT:
        return CG_COST_COLLISION;
    case CG_STAGE_BEGIN:
    case CG_STAGE_PREDICT:
        return CG_COST_CONTACTS;
    case CG_STAGE_TISSUE:
        return CG_COST_MESH;
    default:
        return CG_COST_INTEGRATION;
    }
}

static bool make_room(cg_stage_log *log, int count)
{
    if (count <= log->capacity) {
        return true;
    }
    int capacity = count < 2 * log->capacity ? 2 * log->capacity : count + 64;
    void *frames = realloc(log->frames, (size_t)capacity * sizeof *log->frames);
    log->frames = frames ? frames : log->frames;
    int *contacts = realloc(log->contacts, (size_t)capacity * sizeof *contacts);
    log->contacts = contacts ? contacts : log->contacts;
    log->failed = log->failed || !frames || !contacts;
    log->capacity = log->failed ? log->capacity : capacity;
    return !log->failed;
}

void cg_stage_log_add(cg_stage_log *log, const cg_world_stats *stats, double time)
{
    int frame = (int)floor(time / CG_FRAME_SECONDS * (1 - 1e-9)); // a step that ends with a frame belongs to it
    frame = frame > log->count ? log->count : frame;              // no frame is left out
    if (log->failed || frame < 0 || !make_room(log, frame + 1)) {
        return;
    }
    if (frame == log->count) {
        memset(log->frames[log->count], 0, sizeof log->frames[0]);
        log->contacts[log->count++] = 0;
    }
    for (int stage = 0; stage < CG_STAGE_COUNT; stage++) {
        log->frames[frame][cg_stage_cost((cg_stage)stage)] += stats->stage_seconds[stage];
        log->frames[frame][CG_COST_TOTAL] += stats->stage_seconds[stage];
    }
    log->contacts[frame] =
        stats->working_contacts > log->contacts[frame] ? stats->working_contacts : log->contacts[frame];
}

void cg_stage_log_free(cg_stage_log *log)
{
    free(log->frames);
    free(log->contacts);
    *log = (cg_stage_log){0};
}

void cg_stage_columns(cg_column columns[CG_STAGE_COLUMNS])
{
    static const char *const names[CG_COST_COUNT] = {"total_ms",     "integration_ms", "forces_ms", "constraints_ms",
                                                     "collision_ms", "contacts_ms",    "mesh_ms"};
    columns[0] = (cg_column){"frame", "integer", NULL, "frames of 30 ms, from 0"};
    columns[1] = (cg_column){"time", "number", "s", "simulated, at the end of the frame"};
    columns[2] = (cg_column){"contacts", "integer", NULL, "most that worked at once in a step of the frame"};
    for (int c = 0; c < CG_COST_COUNT; c++) {
        columns[3 + c] = (cg_column){names[c], "number", "ms", cg_cost_names[c]};
    }
}

void cg_stage_log_write_csv(const cg_stage_log *log, FILE *out)
{
    fputs("frame,time,contacts", out);
    for (int c = 0; c < CG_COST_COUNT; c++) {
        fprintf(out, ",%s_ms", cg_cost_keys[c]);
    }
    fputc('\n', out);
    for (int i = 0; i < log->count; i++) {
        fprintf(out, "%d,%.6g,%d", i, (i + 1) * CG_FRAME_SECONDS, log->contacts[i]);
        for (int c = 0; c < CG_COST_COUNT; c++) {
            fprintf(out, ",%.6g", 1e3 * log->frames[i][c]);
        }
        fputc('\n', out);
    }
}

void cg_stage_log_plot(const cg_stage_log *log, cg_plot *plot)
{
    static const cg_hue hues[CG_COST_COUNT] = {CG_INK, CG_BLUE, CG_SKY, CG_VERMILION, CG_GREEN, CG_ORANGE, CG_PURPLE};
    for (int c = 0; c < CG_COST_COUNT; c++) {
        double sum = 0;
        for (int i = 0; i < log->count; i++) {
            sum += log->frames[i][c];
        }
        if (sum == 0) {
            continue;
        }
        int series = cg_plot_add_series(plot, CG_SERIES_LINE, hues[c], cg_cost_names[c]);
        for (int i = 0; i < log->count; i++) {
            cg_plot_add_point(plot, series, i, 1e3 * log->frames[i][c]);
        }
    }
}
