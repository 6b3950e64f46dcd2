// A pool of worker threads, beside the library, which itself starts none: whatever of the project wants more than one
// core asks the one pool of its process. A step that is split, a batch of worlds and a server of many hosts share it,
// so that n cores never get more than n threads of ours.
//
//     cg_workers *workers;
//     if (!cg_workers_create(3, &workers)) ...
//     cg_workers_run(workers, world_count, step_one, worlds); // step_one(worlds, 0) ... step_one(worlds, world_count -
//     1) cg_workers_destroy(workers);
//
// Work is a number of pieces. Pieces begin in order of their number; who does them, and which end first, is left open:
// a piece writes only what is its own, so that results do not depend on it.
//
// 1. Whoever waits for work takes part in it. So work that a piece starts gets idle workers only, and never waits for a
//    worker that is busy elsewhere; a pool without workers does everything in the thread that waits.
// 2. A piece that returned happened before the return of the call that waited for it.
// 3. Nothing here takes memory after `cg_workers_create`.
//
// Calls may come from any thread, also from a piece, but for create and destroy.
#ifndef CATGUT_WORKERS_H
#define CATGUT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include <catgut/api.h>

CG_API_BEGIN

// The pool: its threads, and the work that waits for them.
typedef struct cg_workers cg_workers;

// One piece of some work: called once for each number below the count.
typedef void cg_piece_fn(void *context, size_t number);

// Work that was handed over and goes on beside its owner. The owner keeps it where it is until it has waited for it; it
// may be handed over again after that.
typedef struct cg_work {
    cg_piece_fn *piece; // what a piece does
    void *context;      // handed to every piece
    size_t count;       // how many pieces; 0 is done at once
    // The rest belongs to the pool.
    size_t begun;             // pieces that somebody has taken
    size_t done;              // pieces that have returned
    struct cg_work *next;     // in the list of work that has pieces left
    struct cg_work *previous; // likewise
} cg_work;

// Starts `count` threads (0 to 1,024): one less than cores where the caller of cg_workers_run works too. False, and no
// pool, when memory or the system refuses.
bool cg_workers_create(int count, cg_workers **workers);

// Ends the threads. All work has been waited for.
void cg_workers_destroy(cg_workers *workers);

// How many threads the pool has.
int cg_workers_count(const cg_workers *workers);

// Does `count` pieces, together with the workers that are idle, and returns when all have returned. `workers` may be
// NULL: one piece after the other.
void cg_workers_run(cg_workers *workers, size_t count, cg_piece_fn *piece, void *context);

// Hands work over: idle workers begin at once, in the order in which work was handed over.
void cg_workers_begin(cg_workers *workers, cg_work *work);

// Takes part in work that was handed over, and returns when all its pieces have returned.
void cg_workers_wait(cg_workers *workers, cg_work *work);

// Whether all pieces have returned. The work is its owner's again after cg_workers_wait, which then returns at once.
bool cg_workers_is_done(cg_workers *workers, const cg_work *work);

CG_API_END

#endif
