// What a step of the thread of springs (model 4, no self-contact) costs with a hand in the loop, table 5.1 of the
// source: on one core, and on a graphics processor where the build has one. The measuring is that of scripts/gpu-run
// (lab/gpu/measure.h). With self-contact on a core: `catgut experiment thread_cost`.
#include <math.h>

#include "experiments/experiment.h"
#include "lab/gpu/measure.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_gpu_thread = {
    .name = "gpu_thread",
    .summary =
        "time of a step of a thread of springs with a hand, 10 to 100 segments, on a core and a graphics processor",
    .source = "VTE table 5.1: CPU 0.088-1.67 ms, GPU 0.26-0.45 ms",
    .run = run,
};

enum { SIZES = 10, STEPS = 2000 };
// [ms] Smallest and largest, of a CPU and a GPU.
static const double PUBLISHED[SIZES][4] = {{0.088, 0.153, 0.265, 0.424}, {0.167, 0.284, 0.276, 0.453},
                                           {0.224, 0.408, 0.263, 0.463}, {0.296, 0.534, 0.262, 0.435},
                                           {0.362, 0.637, 0.261, 0.428}, {0.445, 0.765, 0.263, 0.427},
                                           {0.505, 0.888, 0.256, 0.433}, {0.575, 1.017, 0.258, 0.436},
                                           {0.640, 1.130, 0.259, 0.430}, {0.717, 1.670, 0.258, 0.436}};

static cg_status measure(cg_report *report, cg_gpu *gpu, int size, bool is_device)
{
    cg_gpu_setup setup;
    cg_gpu_times times = {0};
    cg_status status = cg_setup_springs(10 * (size + 1) + 1, 4, 0.001, &setup);
    if (status.code == CG_OK) {
        status = cg_gpu_measure_touch(gpu, &setup, CG_GPU_SPRINGS, false, STEPS, 0, &times);
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
                      "%d segments on %s: median (smallest %.4f, largest %.3f; published %.3f to %.3f)",
                      10 * (size + 1), is_device ? "the device" : "a core", 1e3 * times.least, 1e3 * times.worst,
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
