// The reader of JSON with comments: what it understands, places, limits, and that a hostile text costs little.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "harness.h"
#include "scene/json.h"

static cg_json_tree *read_text(const char *text, size_t size, cg_scene_error *error)
{
    cg_json_tree *tree;
    *error = (cg_scene_error){0};
    cg_json_tree_read(text, size, "text.json", NULL, &tree, error);
    return tree;
}

static cg_json_tree *read_good(const char *text)
{
    cg_scene_error error;
    cg_json_tree *tree = read_text(text, strlen(text), &error);
    CHECK_STR(error.message, "");
    return tree;
}

TEST(comments_trailing_commas_and_all_kinds_are_read)
{
    cg_json_tree *tree =
        read_good("\xEF\xBB\xBF// first\n{\"a\": [1, -2.5e-1, true, false, null, \"x\",], /* b */ \"b\": {},\n"
                  "  \"c\" : { \"d\" : [ ] , } , } // last");
    const cg_json_value *root = cg_json_root(tree), *a = cg_json_find(root, "a");
    CHECK_INT(root->kind, CG_JSON_OBJECT);
    CHECK_INT(root->count, 3);
    CHECK_INT(a->count, 6);
    CHECK_NEAR(a->as.items[0]->as.number, 1, 0);
    CHECK_NEAR(a->as.items[1]->as.number, -0.25, 0);
    CHECK(a->as.items[2]->as.boolean && !a->as.items[3]->as.boolean);
    CHECK_INT(a->as.items[4]->kind, CG_JSON_NULL);
    CHECK_STR(a->as.items[5]->as.string, "x");
    CHECK_STR(root->as.items[2]->name, "c");
    CHECK_INT(cg_json_find(cg_json_find(root, "c"), "d")->count, 0);
    CHECK(cg_json_find(root, "e") == NULL);
    CHECK(cg_json_find(a, "e") == NULL);
    CHECK(a->as.items[0]->next == a->as.items[1] && a->as.items[5]->next == NULL);
    cg_json_tree_free(tree);
}

TEST(every_value_knows_its_place)
{
    cg_json_tree *tree = read_good("// one\n{\n  \"ab\" :\t[ 1,\r\n     /* x\n y */ \"\xC3\xA4\", 2]}");
    const cg_json_value *root = cg_json_root(tree), *list = root->as.items[0];
    const int places[][4] = {{root->line, root->column, 2, 1},
                             {list->name_line, list->name_column, 3, 3},
                             {list->line, list->column, 3, 10},
                             {list->as.items[0]->line, list->as.items[0]->column, 3, 12},
                             {list->as.items[1]->line, list->as.items[1]->column, 5, 7},
                             {list->as.items[2]->line, list->as.items[2]->column, 5, 13}}; // columns are bytes
    for (int i = 0; i < 6; i++) {
        CHECK_INT(places[i][0], places[i][2]);
        CHECK_INT(places[i][1], places[i][3]);
    }
    cg_json_tree_free(tree);
}

TEST(escapes_become_utf8)
{
    cg_json_tree *tree =
        read_good("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e4\\u20AC\\ud83d\\ude00\", \"\xF0\x9F\x98\x80\"]");
    const cg_json_value *root = cg_json_root(tree);
    CHECK_STR(root->as.items[0]->as.string, "\"\\/\b\f\n\r\t");
    CHECK_STR(root->as.items[1]->as.string, "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    CHECK_INT(root->as.items[1]->count, 10);
    CHECK_STR(root->as.items[2]->as.string, "\xF0\x9F\x98\x80");
    cg_json_tree_free(tree);
}

// A number through the reader, compared with strtod of the C locale, which rounds correctly in glibc.
static void check_number(const char *digits)
{
    size_t length;
    double value = 0;
    CHECK_INT(cg_number_scan(digits, strlen(digits), &length), CG_NUMBER_FINE);
    CHECK_INT(length, strlen(digits));
    double expected = strtod(digits, NULL);
    bool finite = cg_number_value(digits, length, 0, &value);
    CHECK_INT(finite, isfinite(expected));
    if (finite && !CHECK(memcmp(&value, &expected, sizeof value) == 0)) {
        printf("%s gave %.17g instead of %.17g\n", digits, value, expected);
    }
}

TEST(numbers_are_rounded_correctly)
{
    static const char *const hard[] = {
        "0",
        "-0",
        "1",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "4.9e-324",
        "2e-324",
        "1e-400",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "2.2250738585072011e-308",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000123",
        "1000000000000000000000000000000",
        "8.41e21",
        "9.5e-23",
        "7.2057594037927933e16",
        "6.02214076E+23",
        "1e0",
        "1E-0",
        "0e999999999",
        "0.0e-999999999",
        "1e99999999999999999999",
    };
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        check_number(hard[i]);
    }
    uint64_t state = 7;
    for (int i = 0; i < test_count(20000, 2000000); i++) {
        char text[64];
        uint64_t bits = test_random_bits(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            snprintf(text, sizeof text, "%.*e", test_random_int(&state, 0, 20), value);
            check_number(text);
            snprintf(text, sizeof text, "%.*f", test_random_int(&state, 0, 12), test_random(&state, -1e6, 1e6));
            check_number(text);
        }
    }
}

TEST(the_locale_does_not_matter)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++) {
        found = setlocale(LC_ALL, names[i]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0;
    }
    if (!found) {
        test_skip("no locale with a decimal comma is installed");
        return;
    }
    double value;
    CHECK(cg_number_value("1234.5678901234567890123", 24, 0, &value));
    CHECK_NEAR(value, 1234.567890123456789, 0);
    setlocale(LC_ALL, "C");
}

TEST(a_shift_of_the_decimal_exponent_is_exact)
{
    double value;
    CHECK(cg_number_value("0.11", 4, -3, &value));
    CHECK_NEAR(value, 0.00011, 0);
    CHECK(cg_number_value("1.14", 4, 3, &value));
    CHECK_NEAR(value, 1140, 0);
    CHECK(!cg_number_value("1e300", 5, 9, &value));
}

// Large texts

static char *repeat(const char *head, const char *piece, const char *tail, size_t count, size_t *size)
{
    size_t a = strlen(head), b = strlen(piece), c = strlen(tail);
    *size = a + b * count + c;
    char *text = malloc(*size + 1);
    memcpy(text, head, a);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + a + i * b, piece, b);
    }
    memcpy(text + a + b * count, tail, c + 1);
    return text;
}

// An allocator that counts what is asked for and can refuse.
typedef struct meter {
    size_t bytes;
    int calls, refuse_from;
} meter;

static void *meter_allocate(void *context, size_t bytes)
{
    meter *m = context;
    m->bytes += bytes;
    return m->calls++ >= m->refuse_from ? NULL : malloc(bytes);
}

static void meter_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void check_refused(const char *head, const char *piece, const char *tail, size_t count, const char *part)
{
    size_t size;
    char *text = repeat(head, piece, tail, count, &size);
    meter m = {.refuse_from = 100};
    cg_allocator allocator = {meter_allocate, meter_release, &m};
    cg_json_tree *tree;
    cg_scene_error error = {0};
    CHECK_INT(cg_json_tree_read(text, size, "large.json", &allocator, &tree, &error), CG_BAD_INPUT);
    if (!CHECK(strstr(error.message, part) != NULL)) {
        printf("said: %s\n", error.message);
    }
    CHECK_INT(m.calls, 0); // nothing was built before it was refused
    free(text);
}

TEST(hostile_texts_are_refused_before_memory_is_taken)
{
    check_refused("", "[", "", 50000000, "at most 8388608");
    check_refused("{\"a\": \"", "x", "\"}", 50000000, "at most 8388608");
    check_refused("", "[", "", 8000000, "at most 64 deep");
    check_refused("", "{\"a\":", "", 1000000, "at most 64 deep");
    check_refused("[", "0,", "]", 1000001, "at most 1000000 values");
    check_refused("[", "0,", "]", 4000000, "at most 1000000 values");
    check_refused("[", "1", "]", 1000000, "more than 400 characters");
    check_refused("/*", "*", "", 8000000, "without an end");
    check_refused("\"", "\\", "", 8000001, "behind the backslash");
    check_refused("[1e", "9", "]", 401, "more than 400 characters");
}

TEST(large_texts_within_the_limits_are_read_in_one_block)
{
    size_t size;
    char *text = repeat("[", "1e-300,", "]", 999999, &size);
    meter m = {.refuse_from = 100};
    cg_allocator allocator = {meter_allocate, meter_release, &m};
    cg_json_tree *tree;
    cg_scene_error error = {0};
    CHECK_INT(cg_json_tree_read(text, size, "large.json", &allocator, &tree, &error), CG_OK);
    CHECK_INT(m.calls, 1);
    CHECK(m.bytes < 100000000);
    CHECK_INT(cg_json_root(tree)->count, 999999);
    CHECK_NEAR(cg_json_root(tree)->as.items[999998]->as.number, 1e-300, 0);
    cg_json_tree_free(tree);
    m.calls = 0;
    m.refuse_from = 0;
    CHECK_INT(cg_json_tree_read(text, size, "large.json", &allocator, &tree, &error), CG_OUT_OF_MEMORY);
    CHECK(tree == NULL);
    free(text);
}

TEST(many_members_are_found_and_a_repeated_one_is_refused)
{
    enum { COUNT = CG_JSON_TREE_MEMBERS - 1 };
    char *text = malloc((size_t)COUNT * 20 + 40), *at = text;
    *at++ = '{';
    for (int i = 0; i < COUNT; i++) {
        at += sprintf(at, "\"k%07d\":%d,\n", (int)((i * 7919LL) % COUNT), i);
    }
    strcpy(at, "}");
    cg_scene_error error;
    cg_json_tree *tree = read_text(text, strlen(text), &error);
    CHECK_STR(error.message, "");
    for (int i = 0; i < COUNT; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%07d", (int)((i * 7919LL) % COUNT));
        const cg_json_value *found = cg_json_find(cg_json_root(tree), name);
        CHECK(found != NULL && found->as.number == i);
    }
    cg_json_tree_free(tree);
    strcpy(at, "\"k0000001\": 0}");
    CHECK(read_text(text, strlen(text), &error) == NULL);
    CHECK_INT(error.line, COUNT + 1);
    CHECK(strstr(error.message, "found \"k0000001\" a second time") != NULL);
    strcpy(at, "\"a\": 0,\n \"b\": 0}");
    CHECK(read_text(text, strlen(text), &error) == NULL);
    CHECK_INT(error.line, COUNT + 2);
    CHECK_INT(error.column, 2);
    CHECK(strstr(error.message, "at most 10000 in an object") != NULL);
    free(text);
}

TEST(messages_and_names_are_cut_and_cleaned)
{
    char name[400];
    memset(name, 'n', sizeof name);
    strcpy(name + 300, "/end.json");
    cg_json_tree *tree;
    cg_scene_error error = {0};
    cg_json_tree_read("?", 1, name, NULL, &tree, &error);
    CHECK_INT(strlen(error.file), sizeof error.file - 1);
    CHECK(strncmp(error.file, "...n", 4) == 0 && strcmp(error.file + strlen(error.file) - 9, "/end.json") == 0);
    CHECK(!cg_scene_error_at(&error, 3, 4, "a\nb\x7f%0300d", 1));
    CHECK_INT(strlen(error.message), sizeof error.message - 1);
    CHECK(strncmp(error.message, "a?b?0", 5) == 0 && strcmp(error.message + sizeof error.message - 4, "...") == 0);
}
