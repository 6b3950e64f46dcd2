// The counting allocator sees every way of asking for memory, and nothing where nothing is asked for.
#define _POSIX_C_SOURCE 200809L
#include "alloc_count.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

// The compiler may remove a pair of malloc and free whose memory nobody looks at.
static void *volatile kept;

static bool counting(void)
{
    if (!test_allocations_counted()) {
        CHECK_INT(test_allocations(), 0); // also says it on standard error
        test_skip("allocations are not counted in this build");
        return false;
    }
    return true;
}

TEST(every_way_is_counted)
{
    if (!counting()) {
        return;
    }
    long before = test_allocations();
    long freed = test_frees();

    kept = malloc(10);
    CHECK_INT(test_allocations() - before, 1);
    kept = realloc(kept, 1000);
    CHECK_INT(test_allocations() - before, 2);
    free(kept);

    kept = calloc(3, 5);
    CHECK_INT(test_allocations() - before, 3);
    CHECK(kept != NULL && ((const char *)kept)[14] == 0);
    free(kept);

    kept = aligned_alloc(64, 128);
    CHECK_INT(test_allocations() - before, 4);
    CHECK(kept != NULL && (uintptr_t)kept % 64 == 0);
    free(kept);

    void *aligned = NULL;
    CHECK_INT(posix_memalign(&aligned, 256, 100), 0);
    CHECK_INT(test_allocations() - before, 5);
    CHECK(aligned != NULL && (uintptr_t)aligned % 256 == 0);
    free(aligned);

    kept = strdup("from inside libc");
    CHECK_INT(test_allocations() - before, 6);
    free(kept);
    CHECK_INT(test_frees() - freed, 5);
}

TEST(arithmetic_allocates_nothing)
{
    if (!counting()) {
        return;
    }
    uint64_t state = 1;
    double sum = 0.0;
    long before = test_allocations();
    for (int i = 0; i < 1000; i++) {
        sum += test_random(&state, 0.0, 1.0);
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK(sum > 0.0);
}
