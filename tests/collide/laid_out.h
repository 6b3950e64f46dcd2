// Memory for what lays itself out in an arena: asked for its size first, then laid out.
#ifndef CATGUT_TESTS_COLLIDE_LAID_OUT_H
#define CATGUT_TESTS_COLLIDE_LAID_OUT_H

#include "base/arena.h"
#include "base/memory.h"

static inline void *take_laid_out(void (*lay_out)(cg_arena *arena, int room), int room)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, room);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, memory, bytes);
    lay_out(&arena, room);
    return memory;
}

static inline void give_laid_out(void *memory)
{
    cg_memory_give(&(cg_allocator){0}, memory);
}

#endif
