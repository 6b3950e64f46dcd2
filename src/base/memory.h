// Memory from the allocator that the user of the library gave us. Taken between steps only, never inside one.
#ifndef CATGUT_BASE_MEMORY_H
#define CATGUT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/world.h"

// Every block starts on a multiple of this: a cache line, and enough for any vector register.
#define CG_MEMORY_ALIGNMENT 64

// malloc and free.
cg_allocator cg_memory_default(void);

// False when one of the two functions is there without the other: such an allocator cannot be used.
bool cg_memory_is_usable(const cg_allocator *allocator);

// `bytes` zeroed bytes on a multiple of CG_MEMORY_ALIGNMENT, or NULL when there is no room. Zero bytes give a block
// too. An allocator with both functions NULL means the default one. The user's functions may return any alignment.
void *cg_memory_take(const cg_allocator *allocator, size_t bytes);

// Gives back a block of cg_memory_take with the same allocator. NULL is allowed.
void cg_memory_give(const cg_allocator *allocator, void *memory);

// Replaces an array by a larger one with the same `used` bytes at its beginning. False when there is no memory; the
// array is left as it is then.
bool cg_memory_grow(const cg_allocator *allocator, void **array, size_t used, size_t bytes);

// *product = a b, and true; false, with *product = SIZE_MAX, when the product is too large for size_t.
bool cg_memory_multiply(size_t a, size_t b, size_t *product);

#endif
