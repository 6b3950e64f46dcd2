// The pool of workers: every piece done once, by as many threads as there are, also from within pieces; a step of a
// world has the same bits whoever makes it.
#include <catgut/workers.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <catgut/catgut.h>

#include "harness.h"

enum { MOST_PIECES = 1000, WORLDS = 6 };

struct counted {
    int times[MOST_PIECES];
};

static void count_piece(void *context, size_t number)
{
    struct counted *counted = context;
    counted->times[number]++; // not atomic: a piece done by two threads at once is a race that ThreadSanitizer tells
}

static void check_each_once(const struct counted *counted, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < MOST_PIECES; i++) {
        wrong += counted->times[i] != (i < count ? 1 : 0);
    }
    CHECK_INT(wrong, 0);
}

TEST(every_piece_is_done_once_by_any_number_of_workers)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 100, MOST_PIECES};
    for (int threads = 0; threads <= 5; threads++) {
        cg_workers *workers;
        if (!CHECK(cg_workers_create(threads, &workers))) {
            return;
        }
        CHECK_INT(cg_workers_count(workers), threads);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            struct counted counted = {0};
            cg_workers_run(workers, counts[k], count_piece, &counted);
            check_each_once(&counted, counts[k]);
        }
        cg_workers_destroy(workers);
    }
    struct counted counted = {0};
    cg_workers_run(NULL, 10, count_piece, &counted);
    check_each_once(&counted, 10);
}

TEST(a_pool_of_a_senseless_size_is_refused)
{
    cg_workers *workers = (cg_workers *)&workers;
    CHECK(!cg_workers_create(-1, &workers));
    CHECK(workers == NULL);
    CHECK(!cg_workers_create(1025, &workers));
    cg_workers_destroy(NULL);
}

// Pieces that meet: each waits until all of them are under way, so it ends only if they really run at the same time.
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    int here;
    int expected;
};

static void meet(void *context, size_t number)
{
    (void)number;
    struct meeting *meeting = context;
    pthread_mutex_lock(&meeting->lock);
    meeting->here++;
    if (meeting->here == meeting->expected) {
        pthread_cond_broadcast(&meeting->all_here);
    }
    while (meeting->here < meeting->expected) {
        pthread_cond_wait(&meeting->all_here, &meeting->lock);
    }
    pthread_mutex_unlock(&meeting->lock);
}

TEST(workers_and_the_caller_work_at_the_same_time)
{
    cg_workers *workers;
    if (!CHECK(cg_workers_create(3, &workers))) {
        return;
    }
    struct meeting meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 4};
    cg_workers_run(workers, 4, meet, &meeting);
    CHECK_INT(meeting.here, 4);
    cg_workers_destroy(workers);
}

struct nested {
    cg_workers *workers;
    struct counted counted[20];
};

static void run_inner(void *context, size_t number)
{
    struct nested *nested = context;
    cg_workers_run(nested->workers, 50, count_piece, &nested->counted[number]);
}

TEST(a_piece_may_start_work_of_its_own)
{
    cg_workers *workers;
    if (!CHECK(cg_workers_create(2, &workers))) {
        return;
    }
    static struct nested nested;
    nested.workers = workers;
    cg_workers_run(workers, 20, run_inner, &nested);
    for (int i = 0; i < 20; i++) {
        check_each_once(&nested.counted[i], 50);
    }
    cg_workers_destroy(workers);
}

TEST(work_goes_on_beside_its_owner_and_may_be_handed_over_again)
{
    for (int threads = 0; threads <= 2; threads++) {
        cg_workers *workers;
        if (!CHECK(cg_workers_create(threads, &workers))) {
            return;
        }
        static struct counted counted[8];
        cg_work work[8];
        for (int round = 0; round < 50; round++) {
            memset(counted, 0, sizeof counted);
            for (int i = 0; i < 8; i++) {
                work[i] = (cg_work){.piece = count_piece, .context = &counted[i], .count = (size_t)(i + round) % 9};
                cg_workers_begin(workers, &work[i]);
            }
            for (int i = 7; i >= 0; i--) {
                cg_workers_wait(workers, &work[i]);
                CHECK(cg_workers_is_done(workers, &work[i]));
                check_each_once(&counted[i], work[i].count);
            }
        }
        cg_workers_destroy(workers);
    }
}

struct owner {
    cg_workers *workers;
    struct counted counted;
};

static void *own_thread(void *context)
{
    struct owner *owner = context;
    cg_workers_run(owner->workers, 400, count_piece, &owner->counted);
    return NULL;
}

TEST(several_threads_share_one_pool)
{
    cg_workers *workers;
    if (!CHECK(cg_workers_create(2, &workers))) {
        return;
    }
    static struct owner owners[5];
    pthread_t threads[5];
    for (int i = 0; i < 5; i++) {
        owners[i].workers = workers;
        CHECK(pthread_create(&threads[i], NULL, own_thread, &owners[i]) == 0);
    }
    for (int i = 0; i < 5; i++) {
        pthread_join(threads[i], NULL);
        check_each_once(&owners[i].counted, 400);
    }
    cg_workers_destroy(workers);
}

static cg_world *make_world(int number)
{
    cg_world_def def = cg_world_def_default();
    cg_world *world;
    if (cg_world_create(&def, &world).code != CG_OK) {
        return NULL;
    }
    enum { VERTICES = 20 };
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        points[i] = (cg_vec3){0.002 * i, 0, 0.1 + 0.001 * number};
    }
    cg_thread_def thread = cg_thread_def_default();
    thread.positions = points;
    thread.vertex_count = VERTICES;
    cg_thread_id id;
    CHECK(cg_world_add_thread(world, &thread, &id).code == CG_OK);
    return world;
}

static void step_world(void *context, size_t number)
{
    cg_world **worlds = context;
    for (int i = 0; i < 30; i++) {
        cg_world_step(worlds[number]);
    }
}

TEST(worlds_have_the_same_bits_whoever_steps_them)
{
    uint64_t expected[WORLDS] = {0};
    for (int threads = 0; threads <= 3; threads++) {
        cg_workers *workers;
        if (!CHECK(cg_workers_create(threads, &workers))) {
            return;
        }
        cg_world *worlds[WORLDS];
        for (int i = 0; i < WORLDS; i++) {
            worlds[i] = make_world(i);
            if (!CHECK(worlds[i] != NULL)) {
                return;
            }
        }
        cg_workers_run(workers, WORLDS, step_world, worlds);
        for (int i = 0; i < WORLDS; i++) {
            const uint64_t hash = cg_world_state_hash(worlds[i]);
            if (threads == 0) {
                expected[i] = hash;
            }
            CHECK_HASH(hash, expected[i]);
            cg_world_destroy(worlds[i]);
        }
        cg_workers_destroy(workers);
    }
    CHECK(expected[0] != expected[1]);
}
