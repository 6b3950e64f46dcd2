// The harness must be able to fail: the cases of fixture_failing.c are run in a child, and its exit code and words
// are looked at. What a check answers is compared as a number here and never through the check under test.
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char output[16384];

// Runs a case of the fixture; its exit code, or -1 when it did not end by itself. `output` holds all it printed.
static int run_fixture(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s/fixture_failing' %s 2>&1", CATGUT_FIXTURE_DIR, arguments);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) {
        return -1;
    }
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool printed(const char *text)
{
    return strstr(output, text) != NULL;
}

// Exits without the harness, which is what is in doubt.
static void require(bool condition, int line)
{
    if (!condition) {
        fprintf(stderr, "test_harness.c:%d: the harness is wrong; the fixture printed:\n%s\n", line, output);
        exit(EXIT_FAILURE);
    }
    CHECK(true);
}
#define REQUIRE(condition) require((condition), __LINE__)

TEST(a_failed_check_fails_the_process)
{
    REQUIRE(run_fixture("false_condition") == 1);
    REQUIRE(printed("fixture_failing.c:14: failed: 1 + 1 == 3"));
    REQUIRE(printed("false_condition: 1 of 1 checks failed"));
}

TEST(every_kind_of_check_can_fail)
{
    REQUIRE(run_fixture("far_value") == 1);
    REQUIRE(printed("expected 1.1000000000000001"));
    REQUIRE(run_fixture("not_a_number") == 1);
    REQUIRE(run_fixture("other_integer") == 1);
    REQUIRE(printed("5 is 5, expected 6"));
    REQUIRE(run_fixture("other_text") == 1);
    REQUIRE(printed("is \"knot\", expected \"nought\""));
    REQUIRE(run_fixture("missing_text") == 1);
    REQUIRE(printed("is \"(null)\""));
    REQUIRE(run_fixture("other_hash") == 1);
    REQUIRE(printed("is 0x0123456789abcdef, expected 0x0123456789abcdee"));
}

// Runs the case with two golden values by a list of these lines, or by one that is not there: under a name of its own,
// since cases run side by side.
static int run_with_list(const char *lines)
{
    const char *path = lines != NULL ? CATGUT_FIXTURE_DIR "/golden-list.txt" : CATGUT_FIXTURE_DIR "/no-golden-list.txt";
    FILE *file = lines != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "# for people\nchange 2026-11-19 d950b43e motion 13: a reason\n\n%s", lines);
        fclose(file);
    }
    setenv("CATGUT_GOLDEN_LIST", path, 1);
    return run_fixture("two_golden");
}

#define NAMED "house.fixture_failing.two_golden"
#define FIRST NAMED ".1 0x0123456789abcdef\n"
#define SECOND NAMED ".2 0x0000000000000002\n"

TEST(golden_values_fail_when_wrong_missing_or_left_over)
{
    REQUIRE(run_with_list(FIRST SECOND "house.fixture_failing.two.1 0x0000000000000009\n") == 0);
    REQUIRE(run_with_list(FIRST NAMED ".2 0x0000000000000003\n") == 1);
    REQUIRE(printed(NAMED ".2 is 0x0000000000000002, golden 0x0000000000000003"));
    REQUIRE(run_with_list(SECOND) == 1);
    REQUIRE(printed(NAMED ".1 is 0x0123456789abcdef, which the list of golden values does not have"));
    REQUIRE(run_with_list(FIRST SECOND NAMED ".3 0x0000000000000002\n") == 1);
    REQUIRE(printed(NAMED ".3 is in the list of golden values, but this case did not look at it"));
    REQUIRE(run_with_list(FIRST SECOND NAMED ".x 0x0000000000000002\n") == 1);
    // A list that cannot be understood is no list.
    REQUIRE(run_with_list(FIRST SECOND "house.other.case.1 0x02\n") == 1);
    REQUIRE(printed("golden-list.txt:6: not a name and 16 hex digits"));
    REQUIRE(run_with_list(FIRST SECOND "house.other.case.1\n") == 1);
    REQUIRE(run_with_list("") == 1);
    REQUIRE(run_with_list(NULL) == 1);
    REQUIRE(printed("golden-list.txt cannot be read"));
}

TEST(golden_values_can_be_noted)
{
    static const char path[] = CATGUT_FIXTURE_DIR "/golden-notes.txt";
    remove(path);
    setenv("CATGUT_GOLDEN_NOTES", path, 1);
    REQUIRE(run_with_list(NULL) == 0);
    unsetenv("CATGUT_GOLDEN_NOTES");
    char noted[512] = "";
    FILE *file = fopen(path, "r");
    if (CHECK(file != NULL)) {
        noted[fread(noted, 1, sizeof noted - 1, file)] = '\0';
        fclose(file);
    }
    CHECK_STR(noted, FIRST SECOND);
}

TEST(a_case_without_a_check_fails)
{
    REQUIRE(run_fixture("no_check") == 1);
    REQUIRE(printed("no_check: made no check"));
}

TEST(one_failure_among_many_fails_the_process)
{
    REQUIRE(run_fixture("passing") == 0);
    REQUIRE(run_fixture("passing false_condition passing") == 1);
    REQUIRE(printed("2 passed, 1 failed, 0 skipped"));
    REQUIRE(run_fixture("") == 1);
    REQUIRE(printed("2 passed, 13 failed, 1 skipped"));
}

TEST(a_skipped_case_is_neither_passed_nor_failed)
{
    REQUIRE(run_fixture("skipping") == 77);
    REQUIRE(printed("skipped: as asked"));
    REQUIRE(run_fixture("failed_then_skipped") == 1);
}

TEST(a_known_fault_is_green_while_it_shows_and_red_once_it_does_not)
{
    REQUIRE(run_fixture("fault_that_shows") == 0);
    REQUIRE(printed("known fault, 1 of 2 checks failed: one and one make three"));
    REQUIRE(run_fixture("fault_that_is_mended") == 1);
    REQUIRE(printed("take KNOWN_FAULT away: one and one make three"));
    REQUIRE(run_fixture("fault_without_a_check") == 1);
    REQUIRE(run_fixture("fault_behind_a_failure") == 1);
    REQUIRE(run_fixture("fault_that_shows fault_that_is_mended passing") == 1);
}

TEST(an_unknown_case_is_an_error)
{
    REQUIRE(run_fixture("no_such_case") == 2);
    REQUIRE(printed("no case named no_such_case"));
}

TEST(cases_are_listed_in_the_order_of_the_file)
{
    REQUIRE(run_fixture("--list") == 0);
    REQUIRE(strncmp(output, "passing\nfalse_condition\nfar_value\n", 34) == 0);
}

TEST(good_checks_answer_true)
{
    REQUIRE(CHECK(2 > 1));
    REQUIRE(CHECK_NEAR(1.0, 1.5, 0.5));
    REQUIRE(CHECK_INT(-3, -3));
    REQUIRE(CHECK_STR("knot", "knot"));
    REQUIRE(CHECK_HASH(7u, 7u));
}

TEST(random_numbers_repeat_and_fill_their_range)
{
    uint64_t first = 0;
    uint64_t second = 0;
    double sum = 0.0;
    double lowest = 10.0;
    double highest = -10.0;
    bool repeats = true;
    enum { DRAWS = 100000 };
    for (int i = 0; i < DRAWS; i++) {
        double value = test_random(&first, -2.0, 3.0);
        repeats = repeats && value == test_random(&second, -2.0, 3.0);
        sum += value;
        lowest = value < lowest ? value : lowest;
        highest = value > highest ? value : highest;
    }
    CHECK(repeats);
    CHECK(lowest >= -2.0 && lowest < -1.999);
    CHECK(highest < 3.0 && highest > 2.999);
    // Standard deviation of the mean: 5 / sqrt(12 * 100000) = 0.0046.
    CHECK_NEAR(sum / DRAWS, 0.5, 0.02);

    int seen[4] = {0, 0, 0, 0};
    for (int i = 0; i < 1000; i++) {
        int value = test_random_int(&first, -1, 2);
        if (!CHECK(value >= -1 && value <= 2)) {
            return;
        }
        seen[value + 1]++;
    }
    CHECK(seen[0] > 0 && seen[1] > 0 && seen[2] > 0 && seen[3] > 0);
}

TEST(counts_follow_the_environment)
{
    REQUIRE(unsetenv("CATGUT_FULL") == 0 && test_count(3, 5) == 3);
    REQUIRE(setenv("CATGUT_FULL", "0", 1) == 0 && test_count(3, 5) == 3);
    REQUIRE(setenv("CATGUT_FULL", "1", 1) == 0 && test_count(3, 5) == 5);
}
