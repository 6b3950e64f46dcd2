#define _POSIX_C_SOURCE 200809L

#include "lab/gpu/measure.h"

#include <time.h>

#include "base/status.h"
#include "base/trig.h"

double cg_gpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static cg_gpu_hand hand_at(const cg_gpu_setup *setup, cg_gpu_kind kind, int step)
{
    const cg_gpu_law *law = &setup->law;
    bool is_cloth = kind == CG_GPU_CLOTH;
    cg_vec3 from = is_cloth ? law->cloth.hand_place : law->springs.hand_place;
    double h = is_cloth ? law->cloth.step : law->springs.step, rate = 3, radius = 0.02, angle = rate * h * step;
    double sine = cg_sin(angle), cosine = cg_cos(angle);
    return (cg_gpu_hand){1,
                         {from.x - radius * (1 - cosine), from.y, from.z + radius * sine},
                         {-radius * rate * sine, 0, radius * rate * cosine}};
}

cg_status cg_gpu_measure_touch(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, bool is_float, int steps,
                               double beat, cg_gpu_times *times)
{
    enum { WARM_UP = 50 };
    *times = (cg_gpu_times){0};
    cg_batch *batch;
    cg_status status = cg_setup_batch(gpu, setup, kind, 1, is_float, &batch);
    double *seconds = calloc((size_t)steps, sizeof *seconds);
    if (status.code == CG_OK && seconds == NULL) {
        status = cg_error(CG_OUT_OF_MEMORY, "no memory for %d times", steps);
    }
    double began = cg_gpu_now();
    for (int k = -WARM_UP; k < steps && status.code == CG_OK; k++) {
        cg_gpu_hand hand = hand_at(setup, kind, k + WARM_UP);
        cg_gpu_held held;
        while (cg_gpu_now() < began + beat * (k + WARM_UP)) {
        }
        double start = cg_gpu_now();
        status = cg_batch_touch(batch, &hand, &held);
        if (k >= 0) {
            seconds[k] = cg_gpu_now() - start;
        }
    }
    if (status.code == CG_OK && steps > 0) {
        qsort(seconds, (size_t)steps, sizeof *seconds, by_size);
        *times = (cg_gpu_times){seconds[0], seconds[steps / 2], seconds[(int)(0.99 * steps)], seconds[steps - 1]};
    }
    free(seconds);
    cg_batch_destroy(batch);
    return status;
}

cg_status cg_gpu_measure_batch(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, int worlds, bool is_float,
                               int steps, int runs, double *seconds)
{
    enum { MOST_RUNS = 64 };
    double all[MOST_RUNS] = {0};
    cg_batch *batch;
    cg_status status = cg_setup_batch(gpu, setup, kind, worlds, is_float, &batch);
    if (status.code == CG_OK) {
        status = cg_batch_step(batch, 1); // the first launch loads the code
    }
    for (int k = 0; k < runs && k < MOST_RUNS && status.code == CG_OK; k++) {
        status = cg_batch_wait(batch);
        double start = cg_gpu_now();
        status = status.code == CG_OK ? cg_batch_step(batch, steps) : status;
        status = status.code == CG_OK ? cg_batch_wait(batch) : status;
        all[k] = (cg_gpu_now() - start) / steps;
    }
    qsort(all, (size_t)runs, sizeof *all, by_size);
    *seconds = all[runs / 2];
    cg_batch_destroy(batch);
    return status;
}

cg_status cg_gpu_measure_passes(cg_gpu *gpu, const cg_gpu_setup *setup, int steps, double *mean, double *most)
{
    cg_batch *batch;
    cg_status status = cg_setup_batch(gpu, setup, CG_GPU_RODS, 1, false, &batch);
    status = status.code == CG_OK ? cg_batch_step(batch, steps) : status;
    status = status.code == CG_OK ? cg_batch_passes(batch, 0, mean, most) : status;
    *mean /= steps;
    cg_batch_destroy(batch);
    return status;
}

static cg_status run(cg_gpu *gpu, const cg_gpu_setup *setup, cg_gpu_kind kind, bool is_float, int steps, cg_vec3 *state)
{
    cg_batch *batch;
    cg_status status = cg_setup_batch(gpu, setup, kind, 1, is_float, &batch);
    if (status.code == CG_OK) {
        status = cg_batch_step(batch, steps);
    }
    if (status.code == CG_OK) {
        status = cg_batch_read(batch, 0, 1, state, state + setup->nodes);
    }
    cg_batch_destroy(batch);
    return status;
}

cg_status cg_gpu_compare(cg_gpu *gpu, cg_gpu *other, const cg_gpu_setup *setup, cg_gpu_kind kind, bool is_float,
                         int steps, cg_gpu_apart *apart)
{
    size_t nodes = (size_t)setup->nodes;
    *apart = (cg_gpu_apart){0};
    cg_vec3 *states = calloc(6 * nodes, sizeof *states), *first = states, *second = states + 2 * nodes,
            *third = states + 4 * nodes;
    if (states == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to compare %d nodes", setup->nodes);
    }
    cg_status status = run(gpu, setup, kind, is_float, steps, first);
    status = status.code == CG_OK ? run(gpu, setup, kind, is_float, steps, second) : status;
    status = status.code == CG_OK ? run(other, setup, kind, false, steps, third) : status;
    for (size_t i = 0; i < nodes && status.code == CG_OK; i++) {
        apart->metres = fmax(apart->metres, v3_distance(first[i], third[i]));
        apart->moved = fmax(apart->moved, v3_distance(third[i], setup->places[i]));
    }
    apart->same_bits = memcmp(first, second, 2 * nodes * sizeof *first) == 0;
    free(states);
    return status;
}

double cg_gpu_measure_dense(int nodes)
{
    size_t n = (size_t)nodes;
    double *matrix = malloc(n * n * sizeof *matrix), *force = calloc(3 * n, sizeof *force), least = 0, sum = 0;
    if (matrix != NULL && force != NULL) {
        for (size_t k = 0; k < n * n; k++) {
            matrix[k] = 1.0 / (double)(k % 97 + 1);
        }
        for (size_t k = 0; k < 3 * n; k++) {
            force[k] = (double)(k % 13) - 6;
        }
        for (int run = 0; run < 5; run++) {
            double start = cg_gpu_now();
            for (size_t i = 0; i < n; i++) {
                double x = 0, y = 0, z = 0;
                for (size_t j = 0; j < n; j++) {
                    double w = matrix[i * n + j];
                    x += w * force[j], y += w * force[n + j], z += w * force[2 * n + j];
                }
                sum += x + y + z;
            }
            double took = cg_gpu_now() - start;
            least = run == 0 || took < least ? took : least;
        }
    }
    free(matrix);
    free(force);
    return sum == sum ? least : 0; // the sum is used, so it is worked out
}
