#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/json_check.h"
#include "harness.h"
#include "support/json.h"

static char *text;
static size_t text_size;

static cg_json start(void)
{
    return cg_json_start(open_memstream(&text, &text_size));
}

static void finish(cg_json *json)
{
    fclose(json->out);
}

TEST(nested_values_are_valid_and_found_again)
{
    cg_json json = start();
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "name", "thread");
    cg_json_name(&json, "empty");
    cg_json_begin_array(&json);
    cg_json_end_array(&json);
    cg_json_name(&json, "rows");
    cg_json_begin_array(&json);
    for (int i = 0; i < 3; i++) {
        cg_json_begin_line_object(&json);
        cg_json_number_member(&json, "value", 0.1 * i);
        cg_json_boolean_member(&json, "good", i == 1);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_json_end_object(&json);
    finish(&json);
    CHECK(json_is_valid(text));
    CHECK(json_is_string(json_member(text, "name"), "thread"));
    CHECK_INT(json_count(json_member(text, "empty")), 0);
    CHECK_INT(json_count(json_member(text, "rows")), 3);
    const char *row = json_item(json_member(text, "rows"), 2);
    CHECK_NEAR(strtod(json_member(row, "value"), NULL), 0.1 * 2, 0);
    CHECK(strncmp(json_member(row, "good"), "false", 5) == 0);
    free(text);
}

TEST(numbers_come_back_to_the_bit)
{
    const double values[] = {0.1, -1.0 / 3, 1e-300, 6.02214076e23, 5e-324, -0.0, 123456789.123456789};
    for (int i = 0; i < 7; i++) {
        cg_json json = start();
        cg_json_number(&json, values[i]);
        finish(&json);
        CHECK(json_is_valid(text));
        CHECK(strtod(text, NULL) == values[i]);
        free(text);
    }
}

TEST(numbers_that_are_not_finite_become_null)
{
    const double values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        cg_json json = start();
        cg_json_number(&json, values[i]);
        finish(&json);
        CHECK_STR(text, "null");
        free(text);
    }
}

TEST(strings_are_escaped)
{
    cg_json json = start();
    cg_json_string(&json, "a\"b\\c\nd\te\x01 \xc2\xb5m \xff \xed\xa0\x80 \xe2\x88\x9a");
    finish(&json);
    CHECK(json_is_valid(text));
    CHECK_STR(text, "\"a\\\"b\\\\c\\nd\\te\\u0001 \xc2\xb5m \\ufffd \\ufffd\\ufffd\\ufffd \xe2\x88\x9a\"");
    free(text);
    json = start();
    cg_json_string(&json, NULL);
    finish(&json);
    CHECK_STR(text, "null");
    free(text);
}

TEST(the_judge_refuses_bad_json)
{
    const char *const bad[] = {"{",       "[1,]",    "{\"a\" 1}", "01",     "nan", "\"\n\"", "{\"a\":1,}",
                               "[1] [2]", "\"\\x\"", "1.",        "\"open", "",    "1e",     "{a:1}"};
    for (int i = 0; i < 14; i++) {
        CHECK(!json_is_valid(bad[i]));
    }
    CHECK(json_is_valid(" {\"a\" : [1, -2.5e-3, true, null, \"x\\u00b5\"]} "));
}
