// Counts heap allocations of the whole test program, those inside libc too, so that a test can prove that a region
// makes none:
//
//     long before = test_allocations();
//     ... the region ...
//     CHECK_INT(test_allocations() - before, 0);
//
// A test file that includes this header gets the counting allocator; CMake looks for the include.
// AddressSanitizer brings its own allocator: there nothing is counted, test_allocations_counted() is false, and the
// first call of test_allocations() says so on standard error.
#ifndef CATGUT_TESTS_ALLOC_COUNT_H
#define CATGUT_TESTS_ALLOC_COUNT_H

#include <stdbool.h>

// How often memory was asked for since the program began (malloc, calloc, realloc, aligned ones); frees do not count.
long test_allocations(void);

// How often memory was given back.
long test_frees(void);

bool test_allocations_counted(void);

#endif
