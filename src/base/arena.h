// An arena: pieces carved one after another from one block, given back all at once or down to a mark.
//
// Every piece starts on a multiple of CG_MEMORY_ALIGNMENT and is zeroed. The size is fixed at the start: a piece that
// does not fit is a programmer's error, it asserts (and returns NULL where assertions are off).
//
// An arena without memory only measures: it adds up the sizes and returns NULL for every piece. So one function lists
// the arrays of an object once, and serves both to find the size and to carve:
//
//     static void lay_out(cg_arena *arena, struct rope *rope, int count)
//     {
//         rope->positions = cg_arena_push_array(arena, cg_vec3, count);
//         rope->lengths = cg_arena_push_array(arena, double, count - 1);
//     }
//
//     cg_arena arena;
//     cg_arena_init(&arena, NULL, 0);
//     lay_out(&arena, rope, count);                     // measures
//     size_t bytes = cg_arena_used(&arena);
//     void *memory = cg_memory_take(allocator, bytes);  // SIZE_MAX bytes, the sum of sizes too large, gives NULL
//     cg_arena_init(&arena, memory, bytes);
//     lay_out(&arena, rope, count);                     // carves
//
// `lay_out` must not touch the arrays, since they are NULL while measuring; they are zero when it has carved them.
#ifndef CATGUT_BASE_ARENA_H
#define CATGUT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cg_arena {
    unsigned char *memory; // NULL: the arena only measures
    size_t capacity;       // bytes that can be taken, a multiple of the alignment
    size_t used;           // bytes taken, a multiple of the alignment; SIZE_MAX when the sum is too large
    size_t high_water;     // most bytes ever taken
} cg_arena;

// Starts an arena over `bytes` bytes at `memory`, which must be aligned as a block of cg_memory_take is.
// With `memory` NULL the arena measures and `bytes` is ignored.
void cg_arena_init(cg_arena *arena, void *memory, size_t bytes);

// `count` zeroed items of `size` bytes each; NULL when measuring.
void *cg_arena_push(cg_arena *arena, size_t count, size_t size);

// `count` zeroed items of a type. A negative count is a programmer's error: it never fits.
#define cg_arena_push_array(arena, type, count) ((type *)cg_arena_push((arena), (size_t)(count), sizeof(type)))

// True when the arena only adds up sizes.
bool cg_arena_is_measuring(const cg_arena *arena);

// Bytes taken now.
size_t cg_arena_used(const cg_arena *arena);

// Where the arena stands now, for cg_arena_rewind.
size_t cg_arena_mark(const cg_arena *arena);

// Gives back every piece taken since the mark.
void cg_arena_rewind(cg_arena *arena, size_t mark);

#endif
