// What a world is made of. The step itself is in step.c.
#ifndef CATGUT_WORLD_WORLD_H
#define CATGUT_WORLD_WORLD_H

#include "base/pool.h"
#include "catgut/world.h"
#include "contact/touch.h"
#include "thread/thread.h"

// A place of the pool of threads.
typedef struct cg_thread_slot {
    cg_thread *thread;
} cg_thread_slot;

struct cg_world {
    cg_world_def def;
    void *pool_memory;
    cg_pool threads;      // of cg_thread_slot
    cg_pool shapes;       // of cg_touch_shape
    void *touch_memory;   // NULL without contacts, or before the first thread
    cg_touch_set touches; // usable when touch_memory is there
    double time;          // [s] simulated
    cg_world_stats stats;
};

// The thread of a handle, or NULL.
cg_thread *cg_world_find_thread(const cg_world *world, cg_thread_id id);

// Lays the contacts out anew for the threads there are. Touches of before are kept.
cg_status cg_world_fit_touches(cg_world *world);

// Threads in the order of creation: for (slot = first; slot; slot = next).
cg_thread_slot *cg_world_first_thread(const cg_world *world);
cg_thread_slot *cg_world_next_thread(const cg_world *world, const cg_thread_slot *slot);

#endif
