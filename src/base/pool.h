// A pool: a fixed number of places for items of one size, with handles that notice when their item is gone.
//
// 1. A handle is (place + 1, generation). The generation of a place grows when its item is given back, so an old handle
//    never finds the new item in the same place. A zero handle names nothing.
// 2. Items never move: a pointer stays good until its item is given back.
// 3. Items are visited in the order in which they were taken, whatever places they got. The place of the next item is
//    determined by the calls made so far, so the same calls give the same handles.
// 4. A full pool refuses; it never grows.
//
//     for (struct rope *rope = cg_pool_first(&pool); rope != NULL; rope = cg_pool_next(&pool, rope)) { ... }
//
// The item visited may not be given back before the next one has been asked for.
#ifndef CATGUT_BASE_POOL_H
#define CATGUT_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

// Names an item of a pool. The typed handles of the public headers have the same two fields.
typedef struct cg_handle {
    unsigned index;      // place plus one; 0 names nothing
    unsigned generation; // 1 or more for a place that was ever taken
} cg_handle;

// What the pool knows of one place. Links are places plus one, 0 where a list ends.
typedef struct cg_pool_place {
    unsigned generation; // of the item here, or of the last one
    unsigned previous;   // the item taken before this one
    unsigned next;       // the item taken after this one; for a free place the next free one
    bool is_taken;
} cg_pool_place;

typedef struct cg_pool {
    unsigned char *items;  // `capacity` items of `item_size` bytes
    cg_pool_place *places; // one for each item
    size_t item_size;
    int capacity;
    int count;      // items taken now
    unsigned first; // oldest item, as a link
    unsigned last;  // newest item, as a link
    unsigned free;  // first free place, as a link
} cg_pool;

// Lays the pool out in the arena: `capacity` items of `item_size` bytes (a sizeof, so that each is aligned). When the
// arena only measures, the pool is not usable yet.
void cg_pool_init(cg_pool *pool, cg_arena *arena, int capacity, size_t item_size);

// A zeroed item and its handle; NULL and a zero handle when the pool is full.
void *cg_pool_take(cg_pool *pool, cg_handle *handle);
// Gives an item back; false when the handle names none.
bool cg_pool_give(cg_pool *pool, cg_handle handle);

// The item of a handle, or NULL.
void *cg_pool_get(const cg_pool *pool, cg_handle handle);
// The handle of an item that is taken.
cg_handle cg_pool_handle_of(const cg_pool *pool, const void *item);

// The oldest item, and the one taken after `item`; NULL at the end.
void *cg_pool_first(const cg_pool *pool);
void *cg_pool_next(const cg_pool *pool, const void *item);

#endif
