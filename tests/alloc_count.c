// The program's own definitions of malloc and its family stand in front of those of glibc and pass every call on to
// the names under which glibc keeps the originals. Calls from inside libc (strdup, fopen, qsort) come here as well,
// which wrapping at link time would miss.
#include "alloc_count.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef COUNTS_ALLOCATIONS
#define COUNTS_ALLOCATIONS 1
#endif

#if COUNTS_ALLOCATIONS

static atomic_long allocations;
static atomic_long frees;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

// Visible to libc, although the build hides names by default.
#pragma GCC visibility push(default)
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *memalign(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);
void free(void *memory);
#pragma GCC visibility pop

void *malloc(size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *result = memalign(alignment, size);
    if (result == NULL) {
        return ENOMEM;
    }
    *memory = result;
    return 0;
}

void free(void *memory)
{
    if (memory != NULL) {
        atomic_fetch_add(&frees, 1);
    }
    __libc_free(memory);
}

long test_allocations(void)
{
    return atomic_load(&allocations);
}

long test_frees(void)
{
    return atomic_load(&frees);
}

bool test_allocations_counted(void)
{
    return true;
}

#else

long test_allocations(void)
{
    static bool said;
    if (!said) {
        said = true;
        fprintf(stderr, "note: allocations are not counted under AddressSanitizer\n");
    }
    return 0;
}

long test_frees(void)
{
    return 0;
}

bool test_allocations_counted(void)
{
    return false;
}

#endif
