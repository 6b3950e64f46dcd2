// The pool of worker threads as the one who runs the pieces of a batch (catgut/batch.h).
//
//     cg_workers_batch *runs;
//     if (!cg_workers_batch_create(workers, 64, &runs)) ...
//     def.runner = cg_workers_batch_runner(runs);
#ifndef CATGUT_WORKERS_BATCH_H
#define CATGUT_WORKERS_BATCH_H

#include <catgut/api.h>
#include <catgut/batch.h>
#include <catgut/workers.h>

CG_API_BEGIN

// A pool with a place for the work of each world that may be under way.
typedef struct cg_workers_batch cg_workers_batch;

// Takes the places for a batch of so many worlds. The pool stays as long, and may do other work besides; NULL: the
// caller does all. False without memory.
bool cg_workers_batch_create(cg_workers *workers, size_t world_count, cg_workers_batch **runs);
// Gives the places back, after the batch has ended. NULL is allowed.
void cg_workers_batch_destroy(cg_workers_batch *runs);
// What a batch is told.
cg_worlds_runner cg_workers_batch_runner(cg_workers_batch *runs);

CG_API_END

#endif
