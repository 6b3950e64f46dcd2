// label: slow
// The friction bench: what it prints, and problem files that are not what they should be.
#include "run_app.h"

#include <math.h>
#include <stdint.h>

#include "harness.h"
#include "json_check.h"

TEST(prints_its_json)
{
    app_run run = run_app("bench friction --json --problems " CATGUT_SOURCE_DIR "/tests/solve/problems");
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    CHECK(json_is_valid(run.out));
    const char *methods = json_member(run.out, "methods"), *rows = json_member(run.out, "newton");
    CHECK_INT(json_count(methods), 3);
    CHECK_INT(json_count(rows), 12);
    CHECK(json_is_string(json_member(json_item(methods, 0), "name"), "newton"));
    CHECK_INT(strtod(json_member(json_item(methods, 0), "solved"), NULL), 12);
    for (int i = 0; i < 12; i++) {
        CHECK(strtod(json_member(json_item(rows, i), "residual"), NULL) <= 0.001);
    }
    app_run_free(&run);
}

// A file with one contact on which nothing presses: count, friction, 9 + 3 + 1 + 9 + 3 numbers.
enum { HEAD = 12, NUMBERS = 25, WHOLE = HEAD + 8 * NUMBERS };

static void make_file(char *bytes)
{
    int32_t count = 1;
    double numbers[1 + NUMBERS] = {0.3};
    for (int k = 0; k < 3; k++) {
        numbers[1 + 4 * k] = 1;  // coupling
        numbers[14 + 4 * k] = 1; // frame
    }
    memcpy(bytes, &count, sizeof count);
    memcpy(bytes + 4, numbers, sizeof numbers);
}

static void check_file(const char *bytes, size_t size, int code, const char *words_in_error)
{
    char folder[64], path[96], words[128];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/a.bin", folder);
    write_text(path, bytes, size);
    snprintf(words, sizeof words, "bench friction --problems %s", folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, code);
    CHECK(contains(run.err, words_in_error));
    CHECK(code == 0 || (contains(run.err, path) && run.out[0] == '\0'));
    app_run_free(&run);
    remove(path);
    remove_scratch(folder);
}

TEST(bad_files_are_refused)
{
    char good[WHOLE + 1], bad[WHOLE + 1];
    make_file(good);
    check_file(good, WHOLE, 0, "");
    check_file(good, 0, 2, "ends in its first 12 bytes");
    check_file(good, 11, 2, "ends in its first 12 bytes");
    check_file(good, WHOLE - 1, 2, "length that does not fit");
    good[WHOLE] = 0;
    check_file(good, WHOLE + 1, 2, "length that does not fit");
    const int32_t counts[] = {0, -1, 401, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        memcpy(bad, good, sizeof good);
        memcpy(bad, &counts[i], sizeof counts[i]);
        check_file(bad, WHOLE, 2, "contacts; expected 1 to 400");
    }
    const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (int at = 0; at <= NUMBERS; at++) {
        memcpy(bad, good, sizeof good);
        memcpy(bad + 4 + 8 * at, &numbers[at % 3], sizeof(double));
        check_file(bad, WHOLE, 2, at == 0 ? "friction" : "not finite");
    }
}

TEST(folders_that_hold_nothing)
{
    app_run run = run_app("bench friction --problems /there/is/no/such/folder");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "/there/is/no/such/folder: "));
    app_run_free(&run);
    char folder[64], words[128];
    make_scratch(folder);
    snprintf(words, sizeof words, "bench friction --problems %s", folder);
    run = run_app(words);
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "no file ends in"));
    app_run_free(&run);
    remove_scratch(folder);
    run = run_app("bench thread --problems /tmp");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "goes with \"friction\" only"));
    app_run_free(&run);
}
