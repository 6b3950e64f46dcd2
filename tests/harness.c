#include "harness.h"

#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CASES = 512,
    MAX_PRINTED_FAILURES = 25, // of one case: a check inside a loop shall not bury the first message
    EXIT_SKIPPED = 77          // what CTest is told to read as skipped
};

struct test_case {
    const char *program; // room.thing
    const char *name;
    void (*run)(void);
};

static struct test_case cases[MAX_CASES];
static int case_count;

// Of the case that runs now.
static long checks;
static long failures;
static bool skipped;
static struct {
    const char *sentence; // NULL when the case marks no fault
    const char *file;
    int line;
    long checks_before;
    long failures_before;
} fault;

bool test_has_case(const char *name)
{
    bool found = false;
    for (int i = 0; i < case_count && !found; i++) {
        found = strcmp(cases[i].name, name) == 0;
    }
    return found;
}

void test_register(const char *program, const char *name, void (*run)(void))
{
    if (case_count == MAX_CASES) {
        fprintf(stderr, "harness: more than %d cases in one file\n", MAX_CASES);
        exit(EXIT_FAILURE);
    }
    cases[case_count].program = program;
    cases[case_count].name = name;
    cases[case_count].run = run;
    case_count++;
}

// Counts a check; true when it failed and its message is still to be printed.
static bool count_check(bool passed)
{
    checks++;
    if (passed) {
        return false;
    }
    failures++;
    if (failures == MAX_PRINTED_FAILURES + 1) {
        fprintf(stderr, "(more failed checks follow; only counted from here)\n");
    }
    return failures <= MAX_PRINTED_FAILURES;
}

bool test_check(bool passed, const char *text, const char *file, int line)
{
    if (count_check(passed)) {
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    }
    return passed;
}

bool test_check_near(double actual, double expected, double tolerance, const char *text, const char *file, int line)
{
    double difference = fabs(actual - expected);
    bool passed = actual == expected || difference <= tolerance;
    if (count_check(passed)) {
        fprintf(stderr, "%s:%d: failed: %s is %.17g, expected %.17g, off by %.3g, tolerance %.3g\n", file, line, text,
                actual, expected, difference, tolerance);
    }
    return passed;
}

bool test_check_int(long long actual, long long expected, const char *text, const char *file, int line)
{
    bool passed = actual == expected;
    if (count_check(passed)) {
        fprintf(stderr, "%s:%d: failed: %s is %lld, expected %lld\n", file, line, text, actual, expected);
    }
    return passed;
}

bool test_check_str(const char *actual, const char *expected, const char *text, const char *file, int line)
{
    bool passed = actual != NULL && expected != NULL ? strcmp(actual, expected) == 0 : actual == expected;
    if (count_check(passed)) {
        fprintf(stderr, "%s:%d: failed: %s is \"%s\", expected \"%s\"\n", file, line, text,
                actual != NULL ? actual : "(null)", expected != NULL ? expected : "(null)");
    }
    return passed;
}

bool test_check_hash(uint64_t actual, uint64_t expected, const char *text, const char *file, int line)
{
    bool passed = actual == expected;
    if (count_check(passed)) {
        fprintf(stderr, "%s:%d: failed: %s is 0x%016llx, expected 0x%016llx\n", file, line, text,
                (unsigned long long)actual, (unsigned long long)expected);
    }
    return passed;
}

void test_known_fault(const char *sentence, const char *file, int line)
{
    if (fault.sentence != NULL) {
        test_check(false, "a case marks one fault", file, line);
        return;
    }
    fault.sentence = sentence;
    fault.file = file;
    fault.line = line;
    fault.checks_before = checks;
    fault.failures_before = failures;
}

bool test_check_golden(uint64_t actual, const char *text, const char *file, int line)
{
    char words[512];
    bool passed = golden_compare(actual, words, sizeof words);
    if (count_check(passed)) {
        fprintf(stderr, "%s:%d: failed: %s: %s\n", file, line, text, words);
    }
    return passed;
}

void test_skip(const char *reason)
{
    skipped = true;
    printf("skipped: %s\n", reason);
}

bool test_is_sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

bool test_is_full(void)
{
    const char *value = getenv("CATGUT_FULL");
    return value != NULL && strcmp(value, "1") == 0;
}

int test_count(int reduced, int full)
{
    return test_is_full() ? full : reduced;
}

int test_counts(int reduced, int sanitized, int full)
{
    return test_count(test_is_sanitized() ? sanitized : reduced, full);
}

// A counter with a strong mixing (splitmix): any start gives a good sequence, also 0, 1, 2, ...
uint64_t test_random_bits(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t bits = *state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

double test_random(uint64_t *state, double low, double high)
{
    double unit = (double)(test_random_bits(state) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

int test_random_int(uint64_t *state, int low, int high)
{
    uint64_t span = (uint64_t)((int64_t)high - low + 1);
    return (int)(low + (int64_t)(test_random_bits(state) % span));
}

enum outcome { PASSED, FAILED, SKIPPED };

// Of a case that marks a fault and ran to its end.
static enum outcome judge_fault(const char *name)
{
    long failed = failures - fault.failures_before;
    long made = checks - fault.checks_before;
    if (fault.failures_before > 0) {
        fprintf(stderr, "%s: %ld checks before the mark of its known fault failed\n", name, fault.failures_before);
        return FAILED;
    }
    if (failed == 0) {
        fprintf(stderr, "%s:%d: %s: all %ld checks of a known fault passed; take KNOWN_FAULT away: %s\n", fault.file,
                fault.line, name, made, fault.sentence);
        return FAILED;
    }
    printf("%s: known fault, %ld of %ld checks failed: %s\n", name, failed, made, fault.sentence);
    return PASSED;
}

static enum outcome run_case(const struct test_case *test)
{
    checks = 0;
    failures = 0;
    skipped = false;
    fault.sentence = NULL;
    printf("%s\n", test->name);
    fflush(stdout);
    golden_begin(test->program, test->name);
    test->run();
    char words[512];
    if (!skipped && golden_left_over(words, sizeof words)) {
        failures++;
        fprintf(stderr, "%s\n", words);
    }
    if (fault.sentence != NULL && !skipped) {
        return judge_fault(test->name);
    }
    if (failures > 0) {
        fprintf(stderr, "%s: %ld of %ld checks failed\n", test->name, failures, checks);
        return FAILED;
    }
    if (skipped) {
        return SKIPPED;
    }
    if (checks == 0) {
        fprintf(stderr, "%s: made no check\n", test->name);
        return FAILED;
    }
    printf("%s: %ld checks passed\n", test->name, checks);
    return PASSED;
}

static const struct test_case *find_case(const char *name)
{
    for (int i = 0; i < case_count; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            return &cases[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int run[] = {0, 0, 0};
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int i = 0; i < case_count; i++) {
            printf("%s\n", cases[i].name);
        }
        return EXIT_SUCCESS;
    }
    if (argc < 2) {
        for (int i = 0; i < case_count; i++) {
            run[run_case(&cases[i])]++;
        }
    }
    for (int i = 1; i < argc; i++) {
        const struct test_case *test = find_case(argv[i]);
        if (test == NULL) {
            fprintf(stderr, "no case named %s\n", argv[i]);
            return 2;
        }
        run[run_case(test)]++;
    }
    if (run[FAILED] > 0 || run[PASSED] + run[SKIPPED] == 0) {
        fprintf(stderr, "%d passed, %d failed, %d skipped\n", run[PASSED], run[FAILED], run[SKIPPED]);
        return EXIT_FAILURE;
    }
    return run[PASSED] == 0 ? EXIT_SKIPPED : EXIT_SUCCESS;
}
