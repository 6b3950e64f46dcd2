// The test harness: a test file holds cases written `TEST(name) { ... }` at the start of a line and becomes one
// program; without arguments that program runs all its cases, with arguments only the cases named.
//
// A failed check prints its place and values and the case goes on, so that one run shows everything that is wrong;
// where going on makes no sense, use the answer of the check: `if (!CHECK(pointer != NULL)) return;`.
// A case that made no check at all fails, because it could not have failed otherwise.
#ifndef CATGUT_TESTS_HARNESS_H
#define CATGUT_TESTS_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#define TEST(name)                                                                                                     \
    static void test_case_##name(void);                                                                                \
    __attribute__((constructor)) static void test_register_##name(void)                                                \
    {                                                                                                                  \
        test_register(CATGUT_TEST_PROGRAM, #name, test_case_##name);                                                   \
    }                                                                                                                  \
    static void test_case_##name(void)

#define CHECK(condition) test_check((condition), #condition, __FILE__, __LINE__)

// |actual - expected| <= tolerance; never true when one of them is not a number.
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
    test_check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

#define CHECK_INT(actual, expected)                                                                                    \
    test_check_int((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)

#define CHECK_STR(actual, expected) test_check_str((actual), (expected), #actual, __FILE__, __LINE__)

// Equality of two 64-bit hashes.
#define CHECK_HASH(actual, expected) test_check_hash((actual), (expected), #actual, __FILE__, __LINE__)

// Says in a sentence what is wrong today: of the checks that follow in this case at least one fails, and the case is
// green as long as that is so. Once all of them pass it turns red and asks to take the mark away. Checks before the
// mark must pass as ever, so that a fault is not mistaken for a scene that cannot be built.
#define KNOWN_FAULT(sentence) test_known_fault((sentence), __FILE__, __LINE__)

// Equality with the value of tests/golden.txt, where the first of a case is called room.thing.case.1, the next .2. What
// the list has of a case and the case does not look at makes it fail too. Values are never written by hand:
// `scripts/golden` says which differ, `scripts/golden --update "reason"` makes the list anew. The file of the test
// needs the label golden.
#define CHECK_GOLDEN(actual) test_check_golden((actual), #actual, __FILE__, __LINE__)

// True when this file has a case of that name.
bool test_has_case(const char *name);
void test_register(const char *program, const char *name, void (*run)(void));
bool test_check(bool passed, const char *text, const char *file, int line);
bool test_check_near(double actual, double expected, double tolerance, const char *text, const char *file, int line);
bool test_check_int(long long actual, long long expected, const char *text, const char *file, int line);
bool test_check_str(const char *actual, const char *expected, const char *text, const char *file, int line);
bool test_check_hash(uint64_t actual, uint64_t expected, const char *text, const char *file, int line);
bool test_check_golden(uint64_t actual, const char *text, const char *file, int line);

void test_known_fault(const char *sentence, const char *file, int line);

// Says that this case cannot run here and why; return from the case after it. CTest shows the case as skipped.
void test_skip(const char *reason);

// True in a build with a sanitizer, where everything takes some ten times as long. What is checked by other cases too
// may be skipped or shortened there; the other presets run it whole.
bool test_is_sanitized(void);

// True when the environment has CATGUT_FULL=1: the large counts that `make test-full` runs.
bool test_is_full(void);

// A count of cases or steps: `reduced` for every day, `full` under CATGUT_FULL=1.
int test_count(int reduced, int full);

// The same with a third count for a build with a sanitizer, which asks whether a step is sound rather than how far
// many of them lead.
int test_counts(int reduced, int sanitized, int full);

// Repeatable random numbers. The caller owns the state and starts it with any number, zero too.
uint64_t test_random_bits(uint64_t *state);

// Uniform in [low, high).
double test_random(uint64_t *state, double low, double high);

// Uniform in low, low + 1, ..., high.
int test_random_int(uint64_t *state, int low, int high);

#endif
