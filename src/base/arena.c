#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

void cg_arena_init(cg_arena *arena, void *memory, size_t bytes)
{
    assert((uintptr_t)memory % CG_MEMORY_ALIGNMENT == 0 && "the block of an arena must be aligned");
    size_t whole_pieces = bytes / CG_MEMORY_ALIGNMENT * CG_MEMORY_ALIGNMENT;
    *arena = (cg_arena){.memory = memory, .capacity = memory == NULL ? 0 : whole_pieces, .used = 0, .high_water = 0};
}

bool cg_arena_is_measuring(const cg_arena *arena)
{
    return arena->memory == NULL;
}

// Bytes of a piece rounded up to the alignment, or SIZE_MAX when that is too large a number.
static size_t padded_size(size_t count, size_t size)
{
    size_t bytes;
    if (!cg_memory_multiply(count, size, &bytes) || bytes > SIZE_MAX - (CG_MEMORY_ALIGNMENT - 1)) {
        return SIZE_MAX;
    }
    return (bytes + CG_MEMORY_ALIGNMENT - 1) / CG_MEMORY_ALIGNMENT * CG_MEMORY_ALIGNMENT;
}

static void raise_used(cg_arena *arena, size_t used)
{
    arena->used = used;
    arena->high_water = used > arena->high_water ? used : arena->high_water;
}

void *cg_arena_push(cg_arena *arena, size_t count, size_t size)
{
    size_t bytes = padded_size(count, size);
    if (cg_arena_is_measuring(arena)) {
        // Too large a sum sticks at SIZE_MAX, which no allocator can serve.
        raise_used(arena, bytes > SIZE_MAX - arena->used ? SIZE_MAX : arena->used + bytes);
        return NULL;
    }
    bool fits = bytes <= arena->capacity - arena->used;
    assert(fits && "an arena is too small for what is laid out in it");
    if (!fits) {
        return NULL;
    }
    void *piece = memset(arena->memory + arena->used, 0, bytes);
    raise_used(arena, arena->used + bytes);
    return piece;
}

size_t cg_arena_used(const cg_arena *arena)
{
    return arena->used;
}

size_t cg_arena_mark(const cg_arena *arena)
{
    return arena->used;
}

void cg_arena_rewind(cg_arena *arena, size_t mark)
{
    assert(mark <= arena->used && "an arena was rewound to a mark it has already passed on the way down");
    arena->used = mark;
}
