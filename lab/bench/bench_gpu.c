// Cloths, threads of springs and Kirchhoff threads on a core and, where the build has one, on a graphics processor: one
// with a hand in the loop, and batches. The measuring is that of scripts/gpu-run.
#include <string.h>

#include "app.h"
#include "bench/bench.h"
#include "lab/gpu/measure.h"
#include "support/json.h"

static const double STEP = 1e-3;
enum { STEPS = 200, ON_CORE = 4, RUNS = 3 };

// What is measured: one world with a hand, or a batch.
typedef struct row {
    const char *name;
    cg_gpu_kind kind;
    int columns, rows;   // of a cloth; a thread's points; a rod's vertices, and passes
    int worlds;          // 1: with a hand
    double core, device; // [s] a step of all; device 0: there is none
} row;

static const row ROWS[] = {{.name = "cloth/16", .kind = CG_GPU_CLOTH, .columns = 16, .rows = 16, .worlds = 1},
                           {.name = "cloth/64", .kind = CG_GPU_CLOTH, .columns = 64, .rows = 64, .worlds = 1},
                           {.name = "thread/100", .kind = CG_GPU_SPRINGS, .columns = 101, .worlds = 1},
                           {.name = "cloths/64", .kind = CG_GPU_CLOTH, .columns = 64, .rows = 64, .worlds = 1000},
                           {.name = "threads/100", .kind = CG_GPU_SPRINGS, .columns = 101, .worlds = 10000},
                           {.name = "rods/200", .kind = CG_GPU_RODS, .columns = 200, .rows = 2, .worlds = 10000}};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static cg_status set_up(const row *r, cg_gpu_setup *setup)
{
    switch (r->kind) {
    case CG_GPU_CLOTH:
        return cg_setup_cloth(r->columns, r->rows, STEP, setup);
    case CG_GPU_SPRINGS:
        return cg_setup_springs(r->columns, 4, STEP, setup);
    case CG_GPU_RODS:
    default:
        return cg_setup_rod(r->columns, r->rows, true, STEP, setup);
    }
}

static cg_status measure(cg_gpu *gpu, const row *r, int worlds, double *seconds)
{
    cg_gpu_setup setup;
    cg_gpu_times times = {0};
    cg_status status = set_up(r, &setup);
    if (status.code != CG_OK) {
        return status;
    }
    if (r->worlds == 1) {
        status = cg_gpu_measure_touch(gpu, &setup, r->kind, false, STEPS, 0, &times);
        *seconds = times.median;
    } else {
        status = cg_gpu_measure_batch(gpu, &setup, r->kind, worlds, false, STEPS / 10, RUNS, seconds);
    }
    cg_setup_free(&setup);
    return status;
}

// A core does some of the worlds of a batch; the others would cost as much each.
static cg_status measure_row(cg_gpu *core, cg_gpu *device, row *r)
{
    int on_core = r->worlds < ON_CORE ? r->worlds : ON_CORE;
    cg_status status = measure(core, r, on_core, &r->core);
    r->core *= (double)r->worlds / on_core;
    return status.code == CG_OK && device != NULL ? measure(device, r, r->worlds, &r->device) : status;
}

static void print_json(const row *rows, const char *device, const char *machine, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "machine", machine);
    cg_json_name(&json, "device");
    cg_json_string(&json, device);
    cg_json_name(&json, "rows");
    cg_json_begin_array(&json);
    for (int k = 0; k < ROW_COUNT; k++) {
        cg_json_begin_line_object(&json);
        cg_json_string_member(&json, "name", rows[k].name);
        cg_json_number_member(&json, "worlds", rows[k].worlds);
        cg_json_number_member(&json, "core_us", 1e6 * rows[k].core);
        if (device != NULL) {
            cg_json_number_member(&json, "device_us", 1e6 * rows[k].device);
            cg_json_number_member(&json, "cores", rows[k].core / rows[k].device);
        }
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
}

static void print_table(const row *rows, const char *device, const char *machine, FILE *out)
{
    fprintf(out, "%s\ngraphics processor: %s\n\n%-14s %8s %14s %14s %8s\n", machine, device != NULL ? device : "none",
            "a step of", "worlds", "a core [us]", "device [us]", "cores");
    for (int k = 0; k < ROW_COUNT; k++) {
        fprintf(out, "%-14s %8d %14.1f", rows[k].name, rows[k].worlds, 1e6 * rows[k].core);
        if (device != NULL) {
            fprintf(out, " %14.1f %8.1f", 1e6 * rows[k].device, rows[k].core / rows[k].device);
        }
        fprintf(out, "\n");
    }
}

int cg_bench_gpu(bool as_json, const char *machine, FILE *out, FILE *err)
{
    row rows[ROW_COUNT];
    cg_gpu *core = NULL, *device = NULL;
    memcpy(rows, ROWS, sizeof rows);
    cg_status status = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_PROCESSOR}, &core);
    if (status.code == CG_OK && cg_gpu_is_built()) {
        status = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_DEVICE}, &device);
    }
    for (int k = 0; k < ROW_COUNT && status.code == CG_OK; k++) {
        status = measure_row(core, device, &rows[k]);
    }
    if (status.code == CG_OK) {
        (as_json ? print_json : print_table)(rows, device != NULL ? cg_gpu_name(device) : NULL, machine, out);
    } else {
        fprintf(err, "catgut bench: %s\n", status.message);
    }
    cg_gpu_close(device);
    cg_gpu_close(core);
    return status.code == CG_OK ? CG_EXIT_DONE : CG_EXIT_BAD_INPUT;
}
