#define _POSIX_C_SOURCE 200809L

#include "later.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct cg_later {
    pthread_mutex_t mutex;
    pthread_cond_t added;
    pthread_t thread;
    void (*work)(void *piece);
    // A ring, by number of all that ever came: taken <= done <= came. `taken` and `came` are written by the owner
    // alone.
    void *pieces[CG_LATER_MOST];
    unsigned long taken, done, came;
    bool ending;
};

// The next piece, when there is one; NULL when all is over.
static void *wait_for_piece(cg_later *self)
{
    pthread_mutex_lock(&self->mutex);
    while (self->done == self->came && !self->ending) {
        pthread_cond_wait(&self->added, &self->mutex);
    }
    void *piece = self->done < self->came ? self->pieces[self->done % CG_LATER_MOST] : NULL;
    pthread_mutex_unlock(&self->mutex);
    return piece;
}

static void *run(void *context)
{
    cg_later *self = context;
    for (void *piece = wait_for_piece(self); piece != NULL; piece = wait_for_piece(self)) {
        self->work(piece);
        pthread_mutex_lock(&self->mutex);
        self->done++;
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

bool cg_later_add(cg_later *later, void *piece)
{
    assert(piece != NULL);
    pthread_mutex_lock(&later->mutex);
    bool fits = later->came - later->taken < CG_LATER_MOST && !later->ending;
    if (fits) {
        later->pieces[later->came++ % CG_LATER_MOST] = piece;
        pthread_cond_signal(&later->added);
    }
    pthread_mutex_unlock(&later->mutex);
    return fits;
}

void *cg_later_take(cg_later *later)
{
    pthread_mutex_lock(&later->mutex);
    void *piece = later->taken < later->done ? later->pieces[later->taken++ % CG_LATER_MOST] : NULL;
    pthread_mutex_unlock(&later->mutex);
    return piece;
}

int cg_later_count(const cg_later *later)
{
    return (int)(later->came - later->taken);
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
        assert(later->ending && later->taken == later->came);
        pthread_cond_destroy(&later->added);
        pthread_mutex_destroy(&later->mutex);
        free(later);
    }
}
