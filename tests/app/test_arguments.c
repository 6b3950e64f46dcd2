#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "harness.h"
#include "support/arguments.h"

static bool json_flag;
static const char *plot_value;
static const cg_option options[] = {{.name = "--json", .flag = &json_flag}, {.name = "--plot", .value = &plot_value}};
static const char *plain_words[4];
static int plain_count;
static char *message;

static bool read_words(int count, const char *const *words)
{
    static char copies[8][32]; // the results point into them
    char *list[8];
    for (int i = 0; i < count; i++) {
        snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        list[i] = copies[i];
    }
    json_flag = false;
    plot_value = NULL;
    free(message);
    size_t size;
    FILE *err = open_memstream(&message, &size);
    cg_arguments arguments = {
        .command = "test", .options = options, .option_count = 2, .max_words = 4, .words = plain_words};
    bool good = cg_arguments_read(&arguments, count, list, err);
    fclose(err);
    plain_count = arguments.word_count;
    return good;
}

#define READ(...) read_words((int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)), (const char *[]){__VA_ARGS__})

TEST(options_and_words_in_any_order)
{
    CHECK(READ("a", "--json", "b", "--plot", "dir", "c"));
    CHECK(json_flag);
    CHECK_STR(plot_value, "dir");
    CHECK_INT(plain_count, 3);
    CHECK_STR(plain_words[1], "b");
    CHECK(READ("--plot=x=y"));
    CHECK_STR(plot_value, "x=y");
    CHECK(READ("--", "--json", "-"));
    CHECK(!json_flag);
    CHECK_INT(plain_count, 2);
    CHECK(READ("-"));
    CHECK_INT(plain_count, 1);
}

TEST(mistakes_are_named)
{
    CHECK(!READ("--plot"));
    CHECK(strstr(message, "--plot needs a value") != NULL);
    CHECK(!READ("--plot="));
    CHECK(!READ("--json=yes"));
    CHECK(strstr(message, "--json takes no value") != NULL);
    CHECK(!READ("--jsn"));
    CHECK(strstr(message, "did you mean --json?") != NULL);
    CHECK(!READ("--entirely-else"));
    CHECK(strstr(message, "did you mean") == NULL);
    CHECK(!READ("1", "2", "3", "4", "5"));
    CHECK(strstr(message, "\"5\" is one word too many") != NULL);
}

TEST(edit_distance_counts_slips)
{
    CHECK_INT(cg_edit_distance("", ""), 0);
    CHECK_INT(cg_edit_distance("", "abc"), 3);
    CHECK_INT(cg_edit_distance("kitten", "sitting"), 3);
    CHECK_INT(cg_edit_distance("bench", "becnh"), 1);
    CHECK_INT(cg_edit_distance("catenary", "catenary"), 0);
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CHECK_INT(cg_edit_distance(longer, "x"), 39);
}

TEST(the_nearest_word_is_suggested_only_when_near)
{
    static const char *const words[] = {"experiment", "bench", "export", "show", "help"};
    CHECK_STR(cg_nearest_word("exprot", words, 5), "export");
    CHECK_STR(cg_nearest_word("experimnt", words, 5), "experiment");
    CHECK_STR(cg_nearest_word("expe", words, 5), "experiment");
    CHECK(cg_nearest_word("zzzzz", words, 5) == NULL);
    CHECK(cg_nearest_word("", words, 5) == NULL);
}

TEST(numbers_are_plain_and_finite)
{
    double value;
    CHECK(cg_read_number("1.5e-3", &value));
    CHECK_NEAR(value, 1.5e-3, 0);
    CHECK(cg_read_number("-2", &value));
    const char *const bad[] = {"", "nan", "inf", "0x10", "1mm", "1e999", "--1", "e", "1 2", "."};
    for (int i = 0; i < 10; i++) {
        CHECK(!cg_read_number(bad[i], &value));
    }
}
