// catgut-gpu: what a graphics processor does with the kernels of gpu/, told as a table; needs no other part of the
// project, so it can be built where little is installed.
//
//     catgut-gpu agree        the device against a core, after 1,000 steps, and worlds of batches against themselves
//                             alone; 1 when they disagree
//     catgut-gpu small        little of everything, for tools that look at every access
//     catgut-gpu bench        times; on a core alone where there is no device
//     catgut-gpu long         a cloth of 128 x 128 with a hand, 60 s at 1 kHz
//     catgut-gpu lost|full    what is said of a device that is lost or full (a build with faults)
//
// Exit 2 when the device cannot be used.
#include "lab/gpu/measure.h"

#include "base/status.h"

enum { EXIT_TROUBLE = 2 };

// Devices, as far as there are any.
typedef struct machine {
    cg_gpu *device;  // NULL: none
    cg_gpu *staying; // the same, with a kernel that stays
    cg_gpu *core;
} machine;

static const char *const kind_names[] = {"cloth 64 x 64", "thread of 100 segments", "rod of 200 vertices"};

// Rods: `columns` vertices, `rows` passes; 0: as many as it takes, 12 at most.
static cg_status setup_of(cg_gpu_kind kind, int columns, int rows, cg_gpu_setup *setup)
{
    if (kind == CG_GPU_RODS) {
        return cg_setup_rod(columns, rows > 0 ? rows : 12, rows > 0, 0.001, setup);
    }
    return kind == CG_GPU_CLOTH ? cg_setup_cloth(columns, rows, 0.001, setup)
                                : cg_setup_springs(columns + 1, 4, 0.001, setup);
}

static cg_status agree(const machine *m, bool *is_good)
{
    cg_status status = cg_ok();
    for (int k = 0; k < 5 && status.code == CG_OK; k++) {
        cg_gpu_kind kind = (cg_gpu_kind)(k / 2); // rods in double precision alone
        bool is_float = k % 2 == 1;
        cg_gpu_setup setup;
        cg_gpu_apart apart;
        status = kind == CG_GPU_CLOTH ? cg_setup_hung_cloth(64, 64, 0.001, &setup)
                                      : setup_of(kind, kind == CG_GPU_RODS ? 200 : 100, 0, &setup);
        if (status.code == CG_OK) {
            status = cg_gpu_compare(m->device, m->core, &setup, kind, is_float, 1000, &apart);
            cg_setup_free(&setup);
        }
        if (status.code == CG_OK) {
            double most = is_float ? 0.5e-4 : 1e-10;
            bool is_fine = apart.metres <= most && apart.same_bits && apart.moved > 0.01;
            printf("%-24s %-6s  apart %.3g m (at most %.1g), moved %.3g m, same bits twice: %s  %s\n", kind_names[kind],
                   is_float ? "float" : "double", apart.metres, most, apart.moved, apart.same_bits ? "yes" : "NO",
                   is_fine ? "ok" : "FAILED");
            *is_good = *is_good && is_fine;
        }
    }
    return status;
}

static cg_vec3 *gravity_of(cg_gpu_kind kind, cg_gpu_law *law)
{
    return kind == CG_GPU_CLOTH ? &law->cloth.gravity
                                : (kind == CG_GPU_SPRINGS ? &law->springs.gravity : &law->rod.gravity);
}

// The same world, with a law of its own, in the middle of batches of several sizes.
static cg_status keep_to_themselves(const machine *m, cg_gpu_kind kind, bool *is_good)
{
    static const int sizes[] = {1, 7, 1000};
    cg_gpu_setup setup;
    cg_status status = kind == CG_GPU_CLOTH ? setup_of(kind, 16, 12, &setup) : setup_of(kind, 100, 0, &setup);
    cg_vec3 *places = status.code == CG_OK ? calloc(3 * (size_t)setup.nodes, sizeof *places) : NULL;
    for (int k = 0; k < 3 && status.code == CG_OK && places != NULL; k++) {
        cg_batch *batch;
        int own = sizes[k] / 2;
        cg_gpu_law *laws = calloc((size_t)sizes[k], sizeof *laws);
        unsigned char *mask = calloc((size_t)sizes[k], 1);
        status = cg_setup_batch(m->device, &setup, kind, sizes[k], false, &batch);
        if (status.code == CG_OK && laws != NULL && mask != NULL) {
            laws[own] = setup.law;
            *gravity_of(kind, &laws[own]) = v3(0, 3, -9);
            mask[own] = 1;
            status = cg_batch_set(batch, mask, &(cg_batch_values){.laws = laws});
            status = status.code == CG_OK ? cg_batch_step(batch, 200) : status;
            status = status.code == CG_OK ? cg_batch_read(batch, own, 1, places + (size_t)k * (size_t)setup.nodes, NULL)
                                          : status;
        }
        cg_batch_destroy(batch);
        free(laws);
        free(mask);
    }
    size_t bytes = status.code == CG_OK ? (size_t)setup.nodes * sizeof *places : 0;
    bool is_same = places != NULL && memcmp(places, places + setup.nodes, bytes) == 0 &&
                   memcmp(places, places + 2 * (size_t)setup.nodes, bytes) == 0;
    printf("%s: one world in batches of 1, 7 and 1,000 gives the same bits: %s\n",
           kind == CG_GPU_CLOTH ? "cloth" : (kind == CG_GPU_SPRINGS ? "thread" : "rod"),
           is_same ? "yes  ok" : "NO  FAILED");
    *is_good = *is_good && is_same;
    free(places);
    cg_setup_free(&setup);
    return status;
}

// A few steps of small worlds, in both precisions and both ways to launch.
static cg_status take_small_steps(const machine *m)
{
    cg_status status = cg_ok();
    for (int k = 0; k < 4 && status.code == CG_OK; k++) {
        cg_gpu_kind kind = k / 2 == 0 ? CG_GPU_CLOTH : CG_GPU_SPRINGS;
        cg_gpu_setup setup;
        cg_gpu_times times;
        double seconds = 0;
        status = setup_of(kind, 37, 15, &setup);
        status = status.code == CG_OK
                     ? cg_gpu_measure_touch(k % 2 == 1 ? m->staying : m->device, &setup, kind, k % 2 == 1, 4, 0, &times)
                     : status;
        status = status.code == CG_OK ? cg_gpu_measure_batch(m->device, &setup, kind, 3, k % 2 == 1, 3, 1, &seconds)
                                      : status;
        cg_setup_free(&setup);
    }
    return status;
}

static void print_times(const char *what, const cg_gpu_times *t)
{
    printf("  %-14s median %9.2f us, least %9.2f, p99 %9.2f, worst %9.2f\n", what, 1e6 * t->median, 1e6 * t->least,
           1e6 * t->p99, 1e6 * t->worst);
}

static cg_status bench_one(const machine *m, cg_gpu_kind kind, int columns, int rows, int steps)
{
    cg_gpu_setup setup;
    cg_gpu_times times;
    cg_status status = setup_of(kind, columns, rows, &setup);
    if (status.code != CG_OK) {
        return status;
    }
    status = cg_gpu_measure_touch(m->core, &setup, kind, false, steps / 4, 0, &times);
    if (status.code == CG_OK) {
        print_times("core", &times);
    }
    for (int is_float = 0; is_float < 2 && m->device != NULL && status.code == CG_OK; is_float++) {
        status = cg_gpu_measure_touch(m->device, &setup, kind, is_float != 0, steps, 0, &times);
        if (status.code == CG_OK) {
            print_times(is_float ? "device float" : "device double", &times);
        }
    }
    if (m->staying != NULL && status.code == CG_OK) {
        status = cg_gpu_measure_touch(m->staying, &setup, kind, false, steps, 0, &times);
        print_times("device, stays", &times);
    }
    cg_setup_free(&setup);
    return status;
}

static cg_status bench_cloths(const machine *m)
{
    static const int sizes[][2] = {{16, 16}, {32, 16}, {32, 32}, {48, 32}, {48, 48}, {64, 48}, {64, 64}, {128, 128}};
    static const double published[][4] = {{57.37, 58.10, 3.94, 4.01},      {119.87, 121.66, 5.18, 5.50},
                                          {234.68, 237.50, 9.83, 10.19},   {369.71, 370.52, 15.95, 16.33},
                                          {586.52, 590.31, 27.21, 27.49},  {742.37, 750.31, 41.72, 42.37},
                                          {5042.98, 5045.23, 77.05, 78.47}};
    cg_status status = cg_ok();
    for (int k = 0; k < 8 && status.code == CG_OK; k++) {
        printf("cloth %d x %d, with a hand", sizes[k][0], sizes[k][1]);
        if (k < 7) {
            printf(" (published, ms: CPU %.2f to %.2f, GPU %.2f to %.2f)", published[k][0], published[k][1],
                   published[k][2], published[k][3]);
        }
        printf("\n");
        status = bench_one(m, CG_GPU_CLOTH, sizes[k][0], sizes[k][1], 4000);
        fflush(stdout);
    }
    printf("the published dense W of 64 x 64, one product on a core: %.0f us\n", 1e6 * cg_gpu_measure_dense(4096));
    return status;
}

static cg_status bench_threads(const machine *m)
{
    static const int segments[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 400, 800, 1600, 3200, 6400};
    cg_status status = cg_ok();
    for (int k = 0; k < 16 && status.code == CG_OK; k++) {
        printf("thread of %d segments, model 4, with a hand\n", segments[k]);
        status = bench_one(m, CG_GPU_SPRINGS, segments[k], 0, 4000);
        fflush(stdout);
    }
    return status;
}

// Many worlds beside one core with some of them, as simulated seconds a second.
static cg_status bench_batch(const machine *m, cg_gpu_kind kind, int columns, int rows, int worlds, int steps)
{
    cg_gpu_setup setup;
    double core = 0, device = 0, h = 0.001;
    int on_core = worlds < 8 ? worlds : 8;
    cg_status status = setup_of(kind, columns, rows, &setup);
    if (status.code == CG_OK) {
        status = cg_gpu_measure_batch(m->core, &setup, kind, on_core, false, steps / 4 + 1, 3, &core);
    }
    core = core * worlds / on_core;
    printf("%d of %s, 1 ms steps", worlds, kind_names[kind]);
    if (kind == CG_GPU_RODS) {
        printf(rows > 0 ? ", %d passes" : ", passes to the library's tolerance", rows);
    }
    printf("\n  core           %9.0f us for all, %8.3f x real time\n", 1e6 * core, h / core);
    for (int is_float = 0; is_float < 2 && m->device != NULL && status.code == CG_OK; is_float++) {
        status = cg_gpu_measure_batch(m->device, &setup, kind, worlds, is_float != 0, steps, 5, &device);
        printf("  device %-7s %9.1f us for all, %8.3f x real time, worth %.0f cores\n", is_float ? "float" : "double",
               1e6 * device, h / device, core / device);
    }
    if (kind == CG_GPU_RODS && rows == 0 && status.code == CG_OK) {
        double mean = 0, most = 0;
        status = cg_gpu_measure_passes(m->core, &setup, 1000, &mean, &most);
        printf("  passes of 1,000 steps: %.2f in the mean, %.0f at most\n", mean, most);
    }
    fflush(stdout);
    cg_setup_free(&setup);
    return status;
}

static cg_status bench(const machine *m)
{
    cg_status status = bench_cloths(m);
    status = status.code == CG_OK ? bench_threads(m) : status;
    status = status.code == CG_OK ? bench_batch(m, CG_GPU_CLOTH, 64, 64, 1000, 50) : status;
    status = status.code == CG_OK ? bench_batch(m, CG_GPU_SPRINGS, 100, 0, 10000, 200) : status;
    static const int rods[] = {1, 1000, 10000, 40000};
    for (int k = 0; k < 4 && status.code == CG_OK; k++) {
        for (int passes = 0; passes < 3 && status.code == CG_OK; passes++) {
            status = bench_batch(m, CG_GPU_RODS, 200, passes, rods[k], 40);
        }
    }
    return status;
}

static cg_status long_hand(const machine *m)
{
    cg_gpu_setup setup;
    cg_gpu_times times;
    cg_status status = setup_of(CG_GPU_CLOTH, 128, 128, &setup);
    if (status.code == CG_OK) {
        status = cg_gpu_measure_touch(m->staying, &setup, CG_GPU_CLOTH, false, 60000, 0.001, &times);
        cg_setup_free(&setup);
    }
    if (status.code == CG_OK) {
        printf("cloth 128 x 128, a hand, 60 s at 1 kHz\n");
        print_times("device, stays", &times);
    }
    return status;
}

// A small batch, stepped and read: enough to meet the trouble.
static cg_status meet_trouble(cg_gpu_fault fault)
{
    cg_gpu *gpu;
    cg_gpu_setup setup;
    cg_gpu_times times;
    cg_status status = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_DEVICE, .fault = fault}, &gpu);
    if (status.code == CG_OK) {
        status = setup_of(CG_GPU_CLOTH, 64, 64, &setup);
        status = status.code == CG_OK ? cg_gpu_measure_touch(gpu, &setup, CG_GPU_CLOTH, false, 10, 0, &times) : status;
        cg_setup_free(&setup);
        cg_gpu_close(gpu);
    }
    return status;
}

static cg_status other_command(const machine *m, const char *command, bool *is_good)
{
    if (strcmp(command, "long") == 0) {
        return long_hand(m);
    }
    if (strcmp(command, "small") == 0) {
        return take_small_steps(m);
    }
    cg_status status = agree(m, is_good);
    status = status.code == CG_OK ? keep_to_themselves(m, CG_GPU_CLOTH, is_good) : status;
    status = status.code == CG_OK ? keep_to_themselves(m, CG_GPU_SPRINGS, is_good) : status;
    return status.code == CG_OK ? keep_to_themselves(m, CG_GPU_RODS, is_good) : status;
}

static cg_status run_command(const char *command, bool *is_good)
{
    machine m = {0};
    cg_status status = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_PROCESSOR}, &m.core);
    cg_status device = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_DEVICE}, &m.device);
    if (device.code == CG_OK) {
        device = cg_gpu_open(&(cg_gpu_def){.where = CG_GPU_DEVICE, .stays = true}, &m.staying);
    }
    bool is_bench = strcmp(command, "bench") == 0;
    printf("device: %s\n", device.code == CG_OK ? cg_gpu_name(m.device) : device.message);
    if (!is_bench && device.code != CG_OK) {
        status = device;
    } else if (status.code == CG_OK) {
        status = is_bench ? bench(&m) : other_command(&m, command, is_good);
    }
    cg_gpu_close(m.staying);
    cg_gpu_close(m.device);
    cg_gpu_close(m.core);
    return status;
}

static bool is_one_of(const char *word, const char *const *words, int count)
{
    int k = 0;
    while (k < count && strcmp(word, words[k]) != 0) {
        k++;
    }
    return k < count;
}

int main(int count, char **words)
{
    const char *command = count == 2 ? words[1] : "";
    bool is_good = true;
    cg_status status;
    if (is_one_of(command, (const char *const[]){"lost", "full"}, 2)) {
        status = meet_trouble(command[0] == 'l' ? CG_GPU_LOST : CG_GPU_FULL);
    } else if (is_one_of(command, (const char *const[]){"agree", "bench", "long", "small"}, 4)) {
        status = run_command(command, &is_good);
    } else {
        status = cg_error(CG_BAD_INPUT, "usage: catgut-gpu agree|small|bench|long|lost|full");
    }
    if (status.code != CG_OK) {
        fprintf(stderr, "catgut-gpu: %s\n", status.message);
        return EXIT_TROUBLE;
    }
    return is_good ? 0 : 1;
}
