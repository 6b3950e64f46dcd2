// A list of work with pieces left, one lock, two conditions. A piece is some 10 us or more (a step of a world), so the
// lock that each takes twice costs nothing that one could measure; what it buys is that a worker touches work only
// between its `begun` and its `done`, so that the owner may reuse or drop it as soon as both are full.
#include <catgut/workers.h>

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST_WORKERS = 1024 };

struct cg_workers {
    pthread_mutex_t lock;
    pthread_cond_t more; // there is work with pieces left, or the pool ends
    pthread_cond_t less; // some work is done
    cg_work list;        // its `next` is the first work with pieces left, its `previous` the last
    bool is_ending;
    int count;
    pthread_t threads[];
};

static void validate(const cg_work *work)
{
    assert(work->done <= work->begun && work->begun <= work->count);
    assert(work->count == 0 || work->piece != NULL);
    (void)work;
}

static void append(cg_work *list, cg_work *work)
{
    work->next = list;
    work->previous = list->previous;
    list->previous->next = work;
    list->previous = work;
}

static void take_out(cg_work *work)
{
    work->previous->next = work->next;
    work->next->previous = work->previous;
}

// Does the next piece of `work`, which has one left. The lock is held on entry and on return, not in between.
static void do_piece(cg_workers *workers, cg_work *work)
{
    assert(work->next != NULL && work->begun < work->count); // it was handed over
    const size_t number = work->begun++;
    if (work->begun == work->count) {
        take_out(work);
    }
    validate(work);
    pthread_mutex_unlock(&workers->lock);
    work->piece(work->context, number);
    pthread_mutex_lock(&workers->lock);
    work->done++;
    validate(work);
    if (work->done == work->count) {
        pthread_cond_broadcast(&workers->less);
    }
}

static void *work_on(void *context)
{
    cg_workers *workers = context;
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        if (workers->list.next != &workers->list) {
            do_piece(workers, workers->list.next);
        } else if (workers->is_ending) {
            break;
        } else {
            pthread_cond_wait(&workers->more, &workers->lock);
        }
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

bool cg_workers_create(int count, cg_workers **out)
{
    *out = NULL;
    if (count < 0 || count > MOST_WORKERS) {
        return false;
    }
    cg_workers *workers = calloc(1, sizeof *workers + (size_t)count * sizeof workers->threads[0]);
    if (workers == NULL) {
        return false;
    }
    workers->list.next = &workers->list;
    workers->list.previous = &workers->list;
    if (pthread_mutex_init(&workers->lock, NULL) != 0) {
        free(workers);
        return false;
    }
    const bool has_more = pthread_cond_init(&workers->more, NULL) == 0;
    const bool has_less = pthread_cond_init(&workers->less, NULL) == 0;
    if (has_more && has_less) {
        while (workers->count < count &&
               pthread_create(&workers->threads[workers->count], NULL, work_on, workers) == 0) {
            workers->count++;
        }
        if (workers->count == count) {
            *out = workers;
            return true;
        }
        cg_workers_destroy(workers);
        return false;
    }
    if (has_more) {
        pthread_cond_destroy(&workers->more);
    }
    if (has_less) {
        pthread_cond_destroy(&workers->less);
    }
    pthread_mutex_destroy(&workers->lock);
    free(workers);
    return false;
}

void cg_workers_destroy(cg_workers *workers)
{
    if (workers == NULL) {
        return;
    }
    pthread_mutex_lock(&workers->lock);
    assert(workers->list.next == &workers->list);
    workers->is_ending = true;
    pthread_cond_broadcast(&workers->more);
    pthread_mutex_unlock(&workers->lock);
    for (int i = 0; i < workers->count; i++) {
        pthread_join(workers->threads[i], NULL);
    }
    pthread_cond_destroy(&workers->more);
    pthread_cond_destroy(&workers->less);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

int cg_workers_count(const cg_workers *workers)
{
    return workers->count;
}

void cg_workers_begin(cg_workers *workers, cg_work *work)
{
    pthread_mutex_lock(&workers->lock);
    work->begun = 0;
    work->done = 0;
    validate(work);
    if (work->count > 0) {
        append(&workers->list, work);
    }
    if (work->count == 1) {
        pthread_cond_signal(&workers->more);
    } else if (work->count > 1) {
        pthread_cond_broadcast(&workers->more);
    }
    pthread_mutex_unlock(&workers->lock);
}

void cg_workers_wait(cg_workers *workers, cg_work *work)
{
    pthread_mutex_lock(&workers->lock);
    while (work->begun < work->count) {
        do_piece(workers, work);
    }
    while (work->done < work->count) {
        pthread_cond_wait(&workers->less, &workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
}

bool cg_workers_is_done(cg_workers *workers, const cg_work *work)
{
    pthread_mutex_lock(&workers->lock);
    const bool is_done = work->done == work->count;
    pthread_mutex_unlock(&workers->lock);
    return is_done;
}

void cg_workers_run(cg_workers *workers, size_t count, cg_piece_fn *piece, void *context)
{
    if (workers == NULL || workers->count == 0 || count <= 1) {
        for (size_t i = 0; i < count; i++) {
            piece(context, i);
        }
        return;
    }
    cg_work work = {.piece = piece, .context = context, .count = count};
    cg_workers_begin(workers, &work);
    cg_workers_wait(workers, &work);
}
