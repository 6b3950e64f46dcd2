#define _POSIX_C_SOURCE 200809L

#include "later.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// In order of their coming; those that were taken back are closed up.
typedef struct job {
    void *piece;
    int owner;
    bool is_done;
} job;

struct cg_later {
    pthread_mutex_t mutex;
    pthread_cond_t added;
    pthread_t thread;
    void (*work)(void *piece);
    job jobs[CG_LATER_MOST];
    int count;
    bool ending;
};

static int find_undone(const cg_later *self)
{
    for (int i = 0; i < self->count; i++) {
        if (!self->jobs[i].is_done) {
            return i;
        }
    }
    return -1;
}

// The next piece, when there is one; NULL when all is over.
static void *wait_for_piece(cg_later *self)
{
    int found;
    pthread_mutex_lock(&self->mutex);
    while ((found = find_undone(self)) < 0 && !self->ending) {
        pthread_cond_wait(&self->added, &self->mutex);
    }
    void *piece = found >= 0 ? self->jobs[found].piece : NULL;
    pthread_mutex_unlock(&self->mutex);
    return piece;
}

static void *run(void *context)
{
    cg_later *self = context;
    for (void *piece = wait_for_piece(self); piece != NULL; piece = wait_for_piece(self)) {
        self->work(piece);
        pthread_mutex_lock(&self->mutex);
        self->jobs[find_undone(self)].is_done = true; // the first, as it was: only done ones are taken out
        pthread_mutex_unlock(&self->mutex);
    }
    return NULL;
}

// Signals are for other threads.
static bool start(cg_later *self)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = pthread_create(&self->thread, NULL, run, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

cg_later *cg_later_create(void (*work)(void *piece))
{
    cg_later *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->work = work;
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->added, NULL);
    if (!start(self)) {
        self->ending = true;
        cg_later_free(self);
        return NULL;
    }
    return self;
}

bool cg_later_add(cg_later *later, int owner, void *piece)
{
    assert(piece != NULL);
    pthread_mutex_lock(&later->mutex);
    bool fits = later->count < CG_LATER_MOST && !later->ending;
    if (fits) {
        later->jobs[later->count++] = (job){.piece = piece, .owner = owner};
        pthread_cond_signal(&later->added);
    }
    pthread_mutex_unlock(&later->mutex);
    return fits;
}

void *cg_later_take(cg_later *later, int owner)
{
    void *piece = NULL;
    pthread_mutex_lock(&later->mutex);
    for (int i = 0; i < later->count && piece == NULL; i++) {
        if (later->jobs[i].owner == owner && later->jobs[i].is_done) {
            piece = later->jobs[i].piece;
            later->count--;
            memmove(&later->jobs[i], &later->jobs[i + 1], (size_t)(later->count - i) * sizeof later->jobs[0]);
        }
    }
    pthread_mutex_unlock(&later->mutex);
    return piece;
}

int cg_later_count(cg_later *later, int owner)
{
    int count = 0;
    pthread_mutex_lock(&later->mutex);
    for (int i = 0; i < later->count; i++) {
        count += later->jobs[i].owner == owner;
    }
    pthread_mutex_unlock(&later->mutex);
    return count;
}

void cg_later_end(cg_later *later)
{
    if (later == NULL || later->ending) {
        return;
    }
    pthread_mutex_lock(&later->mutex);
    later->ending = true;
    pthread_cond_signal(&later->added);
    pthread_mutex_unlock(&later->mutex);
    pthread_join(later->thread, NULL);
}

void cg_later_free(cg_later *later)
{
    if (later != NULL) {
        assert(later->ending && later->count == 0);
        pthread_cond_destroy(&later->added);
        pthread_mutex_destroy(&later->mutex);
        free(later);
    }
}
