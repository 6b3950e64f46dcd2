#include "base/pool.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

static void *item_at(const cg_pool *pool, unsigned link)
{
    return link == 0 ? NULL : pool->items + (size_t)(link - 1) * pool->item_size;
}

static cg_pool_place *place_at(const cg_pool *pool, unsigned link)
{
    return &pool->places[link - 1];
}

void cg_pool_init(cg_pool *pool, cg_arena *arena, int capacity, size_t item_size)
{
    assert(capacity >= 0 && item_size > 0 && "a pool needs a capacity and an item size");
    *pool = (cg_pool){.item_size = item_size, .capacity = capacity};
    pool->items = cg_arena_push(arena, (size_t)capacity, item_size);
    pool->places = cg_arena_push_array(arena, cg_pool_place, capacity);
    if (pool->places == NULL) {
        return;
    }
    for (unsigned link = 1; link < (unsigned)capacity; link++) {
        place_at(pool, link)->next = link + 1;
    }
    pool->free = capacity > 0 ? 1 : 0;
}

// Puts a taken place at the end of the list of items.
static void append(cg_pool *pool, unsigned link)
{
    cg_pool_place *place = place_at(pool, link);
    place->previous = pool->last;
    place->next = 0;
    if (pool->last != 0) {
        place_at(pool, pool->last)->next = link;
    } else {
        pool->first = link;
    }
    pool->last = link;
}

static void unlink_place(cg_pool *pool, const cg_pool_place *place)
{
    if (place->previous != 0) {
        place_at(pool, place->previous)->next = place->next;
    } else {
        pool->first = place->next;
    }
    if (place->next != 0) {
        place_at(pool, place->next)->previous = place->previous;
    } else {
        pool->last = place->previous;
    }
}

void *cg_pool_take(cg_pool *pool, cg_handle *handle)
{
    *handle = (cg_handle){0, 0};
    unsigned link = pool->free;
    if (link == 0) {
        return NULL;
    }
    cg_pool_place *place = place_at(pool, link);
    pool->free = place->next;
    place->generation++;
    place->is_taken = true;
    append(pool, link);
    pool->count++;
    *handle = (cg_handle){link, place->generation};
    return memset(item_at(pool, link), 0, pool->item_size);
}

bool cg_pool_give(cg_pool *pool, cg_handle handle)
{
    if (cg_pool_get(pool, handle) == NULL) {
        return false;
    }
    cg_pool_place *place = place_at(pool, handle.index);
    unlink_place(pool, place);
    place->is_taken = false;
    pool->count--;
    // A place whose generations are used up is not offered again: its next item could be taken for an old one.
    if (place->generation < UINT_MAX) {
        place->next = pool->free;
        pool->free = handle.index;
    }
    return true;
}

void *cg_pool_get(const cg_pool *pool, cg_handle handle)
{
    if (handle.index == 0 || handle.index > (unsigned)pool->capacity) {
        return NULL;
    }
    const cg_pool_place *place = place_at(pool, handle.index);
    return place->is_taken && place->generation == handle.generation ? item_at(pool, handle.index) : NULL;
}

static unsigned link_of(const cg_pool *pool, const void *item)
{
    size_t place = (size_t)((const unsigned char *)item - pool->items) / pool->item_size;
    assert(place < (size_t)pool->capacity && pool->places[place].is_taken && "this is no item of this pool");
    return (unsigned)place + 1;
}

cg_handle cg_pool_handle_of(const cg_pool *pool, const void *item)
{
    unsigned link = link_of(pool, item);
    return (cg_handle){link, place_at(pool, link)->generation};
}

void *cg_pool_first(const cg_pool *pool)
{
    return item_at(pool, pool->first);
}

void *cg_pool_next(const cg_pool *pool, const void *item)
{
    return item_at(pool, place_at(pool, link_of(pool, item))->next);
}
