#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *allocate_by_malloc(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void release_by_free(void *context, void *memory)
{
    (void)context;
    free(memory);
}

cg_allocator cg_memory_default(void)
{
    return (cg_allocator){.allocate = allocate_by_malloc, .release = release_by_free, .context = NULL};
}

bool cg_memory_is_usable(const cg_allocator *allocator)
{
    return (allocator->allocate == NULL) == (allocator->release == NULL);
}

static cg_allocator chosen(const cg_allocator *allocator)
{
    assert(cg_memory_is_usable(allocator) && "an allocator needs both functions or neither");
    return allocator->allocate == NULL ? cg_memory_default() : *allocator;
}

// The block handed out lies inside a larger one. Where that one starts is written just below the block.
void *cg_memory_take(const cg_allocator *allocator, size_t bytes)
{
    const size_t extra = sizeof(void *) + CG_MEMORY_ALIGNMENT - 1;
    if (bytes > SIZE_MAX - extra) {
        return NULL;
    }
    cg_allocator source = chosen(allocator);
    unsigned char *original = source.allocate(source.context, bytes + extra);
    if (original == NULL) {
        return NULL;
    }
    size_t past = (size_t)((uintptr_t)(original + sizeof(void *)) % CG_MEMORY_ALIGNMENT);
    unsigned char *block = original + sizeof(void *) + (past == 0 ? 0 : CG_MEMORY_ALIGNMENT - past);
    memcpy(block - sizeof(void *), &original, sizeof(void *));
    memset(block, 0, bytes);
    return block;
}

void cg_memory_give(const cg_allocator *allocator, void *memory)
{
    if (memory == NULL) {
        return;
    }
    cg_allocator source = chosen(allocator);
    void *original;
    memcpy(&original, (unsigned char *)memory - sizeof(void *), sizeof(void *));
    source.release(source.context, original);
}

bool cg_memory_grow(const cg_allocator *allocator, void **array, size_t used, size_t bytes)
{
    void *more = cg_memory_take(allocator, bytes);
    if (more == NULL) {
        return false;
    }
    if (used > 0) {
        memcpy(more, *array, used);
    }
    cg_memory_give(allocator, *array);
    *array = more;
    return true;
}

bool cg_memory_multiply(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b) {
        *product = SIZE_MAX;
        return false;
    }
    *product = a * b;
    return true;
}
