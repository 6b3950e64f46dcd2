// How late a loop of 1 kHz comes, on this machine now: one thread that only wakes, and one that plays the ports of
// three simulated devices, at the same time, each on the half millisecond of the other; while a third makes steps every
// millisecond, or every 20, and again while every core has something else to do. Also how stiff a rigid floor feels
// meanwhile. Both loops wake as the thread of devices of the server does: by absolute times, first in line where the
// machine allows that. Times are of the clock, so this is a bench in the form of an experiment: a machine with other
// work shows other numbers.
#define _GNU_SOURCE

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "punctual.h"
#include "support/statistics.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_haptic_loop = {
    .name = "haptic_loop",
    .summary = "lateness of a loop of 1 kHz against a bare timer, idle, busy, and beside a slow simulation",
    .source = "the aim: 0.3 ms beyond a bare timer at p99.9",
    .run = run,
};

static const long PERIOD = 1000000; // [ns]
static const double AIM = 0.3e-3;   // [s]

// What loops wait for, so that they start together.
typedef struct start_gun {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int waiting;
    bool is_fired, is_off; // off: not all could be made
    struct timespec start;
} start_gun;

// A loop and how late it was in each of its periods.
struct floor_rig;

typedef struct timed_loop {
    start_gun *gun;
    long phase; // [ns] after the start
    int periods;
    double *lateness;         // [s]
    struct floor_rig *floors; // NULL: it only wakes
} timed_loop;

enum { DEVICES = 3 };
static const cg_device_kind KINDS[DEVICES] = {CG_DEVICE_OMNI, CG_DEVICE_TOUCH, CG_DEVICE_DESKTOP};
static const double LEAST[DEVICES] = {300, 200, 300}; // [N/m] that a rigid floor should feel like

// A rigid floor at z = 0, what the last samples of the devices were, and what the last step told each.
typedef struct floor_rig {
    cg_feel *feel;
    cg_practice *practices[DEVICES];
    pthread_mutex_t mutex;
    cg_vec3 samples[DEVICES];
    cg_feel_news news[DEVICES];
    bool is_new;
    atomic_bool ends;
    int slow; // [ms] a step
} floor_rig;

static struct timespec after(struct timespec time, long long nanoseconds)
{
    long long all = time.tv_nsec + nanoseconds;
    time.tv_sec += (time_t)(all / 1000000000);
    time.tv_nsec = (long)(all % 1000000000);
    return time;
}

static double between(struct timespec a, struct timespec b)
{
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

static struct timespec sleep_until(struct timespec due)
{
    struct timespec now;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

// What the device's thread does in a period: it never waits for the simulation.
static void play(floor_rig *rig, int period)
{
    double depth = period < 300 ? -2e-3 : period / 1000 % 2 == 0 ? 1.5e-3 : 3e-3;
    bool has_lock = pthread_mutex_trylock(&rig->mutex) == 0;
    for (int i = 0; i < DEVICES; i++) {
        cg_vec3 sample = cg_practice_read(rig->practices[i]);
        if (has_lock) {
            rig->samples[i] = sample;
        }
        if (has_lock && rig->is_new) {
            cg_feel_tell(rig->feel, i, &rig->news[i]);
        }
        cg_practice_write(rig->practices[i], cg_feel_step(rig->feel, i, &sample).force);
        cg_practice_step(rig->practices[i], vec(0, 0, -depth));
    }
    if (has_lock) {
        rig->is_new = false;
        pthread_mutex_unlock(&rig->mutex);
    }
}

// Until the start is set; false when it is called off.
static bool wait_for_start(start_gun *gun)
{
    pthread_mutex_lock(&gun->mutex);
    gun->waiting++;
    pthread_cond_broadcast(&gun->changed);
    while (!gun->is_fired) {
        pthread_cond_wait(&gun->changed, &gun->mutex);
    }
    bool goes = !gun->is_off;
    pthread_mutex_unlock(&gun->mutex);
    return goes;
}

static void *loop(void *context)
{
    timed_loop *self = context;
    cg_be_punctual(); // as the server's thread of devices
    bool goes = wait_for_start(self->gun);
    for (int i = 0; i < self->periods && goes; i++) {
        struct timespec due = after(self->gun->start, self->phase + PERIOD * (long long)(i + 1));
        self->lateness[i] = between(due, sleep_until(due));
        if (self->floors != NULL) {
            play(self->floors, i);
        }
    }
    return NULL;
}

// Steps of a world in which a hand presses on a rigid floor: 1000 N/m.
static void *simulate(void *context)
{
    floor_rig *rig = context;
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (!atomic_load(&rig->ends)) {
        due = after(due, PERIOD * (long long)rig->slow);
        sleep_until(due);
        pthread_mutex_lock(&rig->mutex);
        for (int i = 0; i < DEVICES; i++) {
            double push = rig->samples[i].z < 0 ? -1000 * rig->samples[i].z : 0;
            rig->news[i] = (cg_feel_news){.position = rig->samples[i], .force = vec(0, 0, push)};
        }
        rig->is_new = true;
        pthread_mutex_unlock(&rig->mutex);
    }
    return NULL;
}

static void *keep_busy(void *context)
{
    volatile double x = 1;
    while (!atomic_load((atomic_bool *)context)) {
        x = x * 1.0000001;
    }
    return NULL;
}

static double late(const timed_loop *of)
{
    cg_sort_numbers(of->lateness, of->periods);
    return cg_sorted_quantile(of->lateness, of->periods, 0.999);
}

// [N/m] Force over depth at the end.
static double stiffness(const floor_rig *rig, int device)
{
    cg_practice_state state = cg_practice_get_state(rig->practices[device]);
    return state.motors.z / -state.position.z;
}

static bool make_rig(floor_rig *rig, int slow)
{
    cg_feel_def defs[DEVICES];
    bool good = true;
    *rig = (floor_rig){.slow = slow};
    pthread_mutex_init(&rig->mutex, NULL);
    for (int i = 0; i < DEVICES; i++) {
        cg_practice_def person = cg_practice_def_default();
        defs[i] = cg_feel_def_default(KINDS[i]);
        person.device = defs[i].device;
        good = good && cg_practice_create(&person, vec(0, 0, 2e-3), &rig->practices[i]).code == CG_OK;
    }
    return good && cg_feel_create(defs, DEVICES, &rig->feel).code == CG_OK;
}

// Threads that were made, to be joined.
typedef struct crew {
    pthread_t threads[20];
    int count;
} crew;

static bool hire(crew *of, void *(*work)(void *), void *context)
{
    bool made = pthread_create(&of->threads[of->count], NULL, work, context) == 0;
    of->count += made;
    return made;
}

static void join_all(crew *of)
{
    for (int i = 0; i < of->count; i++) {
        pthread_join(of->threads[i], NULL);
    }
    of->count = 0;
}

// Both loops begin together, when both are there: what it takes to make threads is not theirs. False when they cannot
// be made; then whichever is there does nothing.
static bool run_both(timed_loop *bare, timed_loop *played)
{
    start_gun gun = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    crew loops = {.count = 0};
    bare->gun = played->gun = &gun;
    bool made = hire(&loops, loop, bare) && hire(&loops, loop, played);
    pthread_mutex_lock(&gun.mutex);
    while (gun.waiting < loops.count) {
        pthread_cond_wait(&gun.changed, &gun.mutex);
    }
    clock_gettime(CLOCK_MONOTONIC, &gun.start);
    gun.start = after(gun.start, 10 * PERIOD);
    gun.is_off = !made;
    gun.is_fired = true;
    pthread_cond_broadcast(&gun.changed);
    pthread_mutex_unlock(&gun.mutex);
    join_all(&loops);
    return made;
}

static bool run_beside(timed_loop *bare, timed_loop *played, bool busy)
{
    floor_rig *rig = played->floors;
    crew others = {.count = 0};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int other_count = busy ? (int)(cores < 16 ? cores : 16) : 0;
    bool good = hire(&others, simulate, rig);
    for (int i = 0; i < other_count && good; i++) {
        good = hire(&others, keep_busy, &rig->ends);
    }
    good = good && run_both(bare, played);
    atomic_store(&rig->ends, true);
    join_all(&others);
    return good;
}

static void run_loops(cg_report *report, timed_loop *bare, timed_loop *played, int slow, bool busy)
{
    floor_rig *rig = played->floors;
    if (!run_beside(bare, played, busy)) {
        cg_report_trouble(report, "no threads for the loop");
        return;
    }
    double alone = late(bare), with = late(played);
    const char *when = busy ? "busy" : "idle";
    cg_report_check(report, 0, fmax(with - alone, 0), AIM, "s",
                    "%s, a step every %d ms: beyond a bare timer (%.2f ms) at p99.9", when, slow, 1e3 * alone);
    for (int i = 0; i < DEVICES; i++) {
        double felt = stiffness(rig, i);
        cg_report_check(report, 1, felt >= LEAST[i], 0, "1", "%s, %d ms: %s, a floor feels like %.0f N/m", when, slow,
                        cg_device_get(KINDS[i]).name, felt);
    }
}

static void run_once(cg_report *report, int slow, bool busy)
{
    int periods = report->thorough ? 60000 : 2000;
    floor_rig rig;
    timed_loop bare = {.periods = periods, .lateness = calloc((size_t)periods, sizeof(double))};
    timed_loop played = {
        .phase = PERIOD / 2, .periods = periods, .lateness = calloc((size_t)periods, sizeof(double)), .floors = &rig};
    if (make_rig(&rig, slow) && bare.lateness != NULL && played.lateness != NULL) {
        run_loops(report, &bare, &played, slow, busy);
    } else {
        cg_report_trouble(report, "no memory for the loop");
    }
    cg_feel_destroy(rig.feel);
    for (int i = 0; i < DEVICES; i++) {
        cg_practice_destroy(rig.practices[i]);
    }
    pthread_mutex_destroy(&rig.mutex);
    free(bare.lateness);
    free(played.lateness);
}

static void run(cg_report *report)
{
    // No page of a loop is fetched while it runs. Not those of the future: whole stacks of threads would count.
    bool is_locked = mlockall(MCL_CURRENT) == 0;
    for (int busy = 0; busy < 2; busy++) {
        run_once(report, 1, busy);
        run_once(report, 20, busy);
    }
    if (is_locked) {
        munlockall();
    }
}
