// What a step of the cloth costs with a hand in the loop, table 5.2 of the source: on one core, and on a graphics
// processor where the build has one. The measuring is that of scripts/gpu-run (lab/gpu/measure.h).
#include <math.h>

#include "experiments/experiment.h"
#include "lab/gpu/measure.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_gpu_cloth = {
    .name = "gpu_cloth",
    .summary = "time of a step of the cloth with a hand, 16 x 16 to 64 x 64, on a core and a graphics processor",
    .source = "VTE table 5.2: CPU 57-5045 ms, GPU 3.9-78 ms",
    .run = run,
};

enum { SIZES = 7, STEPS = 400 };
static const int GRIDS[SIZES][2] = {{16, 16}, {32, 16}, {32, 32}, {48, 32}, {48, 48}, {64, 48}, {64, 64}};
// [ms] Smallest and largest, of a CPU and a GPU.
static const double PUBLISHED[SIZES][4] = {{57.37, 58.10, 3.94, 4.01},      {119.87, 121.66, 5.18, 5.50},
                                           {234.68, 237.50, 9.83, 10.19},   {369.71, 370.52, 15.95, 16.33},
                                           {586.52, 590.31, 27.21, 27.49},  {742.37, 750.31, 41.72, 42.37},
                                           {5042.98, 5045.23, 77.05, 78.47}};

static cg_status measure(cg_report *report, cg_gpu *gpu, int size, bool is_device)
{
    cg_gpu_setup setup;
    cg_gpu_times times = {0};
    cg_status status = cg_setup_cloth(GRIDS[size][0], GRIDS[size][1], 0.001, &setup);
    if (status.code == CG_OK) {
        status = cg_gpu_measure_touch(gpu, &setup, CG_GPU_CLOTH, false, STEPS, 0, &times);
        cg_setup_free(&setup);
    }
    if (status.code == CG_OK) {
        const double *theirs = &PUBLISHED[size][is_device ? 2 : 0];
        // A figure: how fast a machine is, and what else it does, is no matter of right or wrong.
        cg_report_add(report,
                      (cg_quantity){.published = theirs[0],
                                    .expected = 0,
                                    .measured = 1e3 * times.median,
                                    .tolerance = HUGE_VAL,
                                    .unit = "ms"},
                      "%d x %d on %s: median (smallest %.4f, largest %.3f; published %.2f to %.2f)", GRIDS[size][0],
                      GRIDS[size][1], is_device ? "the device" : "a core", 1e3 * times.least, 1e3 * times.worst,
                      theirs[0], theirs[1]);
        cg_report_check(report, 1, times.least > 0, 0, "1", "its clock runs");
    }
    return status;
}

static void run(cg_report *report)
{
    for (int is_device = 0; is_device < 2; is_device++) {
        cg_gpu *gpu = NULL;
        if (is_device && !cg_gpu_is_built()) {
            break;
        }
        cg_status status = cg_gpu_open(&(cg_gpu_def){.where = is_device ? CG_GPU_DEVICE : CG_GPU_PROCESSOR}, &gpu);
        for (int size = 0; size < SIZES && status.code == CG_OK; size++) {
            status = measure(report, gpu, size, is_device != 0);
        }
        cg_gpu_close(gpu);
        if (status.code != CG_OK) {
            cg_report_trouble(report, "%s", status.message);
        }
    }
}
