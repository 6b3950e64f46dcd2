// Experiments that are data: formulas give the bits of the same line of C, a text that is not in order is told with its
// line, and a closed form that is wrong fails.
#include "runner/data.h"

#include <math.h>
#include <string.h>

#include "harness.h"
#include "runner/expression.h"
#include "support/elastica.h"
#include "support/special.h"

static double value_of(const char *text, const cg_names *names)
{
    char why[200];
    double value = NAN;
    cg_formula_scope scope = {.names = names};
    if (!CHECK(cg_formula_value(text, &scope, &value, why, sizeof why))) {
        printf("%s\n", why);
    }
    return value;
}

TEST(formulas_give_the_bits_of_the_same_line_of_c)
{
    cg_names names = {0};
    double a = 0.3, b = 7, c = 1e-3;
    CHECK(cg_names_set(&names, "a", 1) && cg_names_set(&names, "b", b) && cg_names_set(&names, "c_1", c));
    CHECK(cg_names_set(&names, "a", a)); // the new value counts
    const struct {
        const char *text;
        double expected;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"a - b - c_1", a - b - c},
        {"a / b / c_1 * a", a / b / c * a},
        {"a*b+c_1", a * b + c},
        {"-b ^ 2", -pow(b, 2)},
        {"2 ^ 3 ^ 2", pow(2, pow(3, 2))},
        {"2 ^ -1", pow(2, -1)},
        {"(a + b) * (a - b)", (a + b) * (a - b)},
        {"- - 3", 3},
        {"1e-3 * .5", 1e-3 * .5},
        {"exp(a * b) / sqrt(b)", exp(a * b) / sqrt(b)},
        {"atan2(a, b) * 180 / pi", atan2(a, b) * 180 / CG_PI},
        {"min(a, b) + max(a, b) + abs(-a) + floor(-a)", a + b + a - 1},
        {"choose(a < b, 1, 2) + choose(a >= b, 10, 20)", 21},
        {"(a == 0.3) + (a <= a) + (b > 8)", 2},
        {"weight_drop(5)", cg_elastica_own_weight(5, NULL, 0).drop},
        {"buckled_load(1.5)", cg_elastica_buckled(1.5).load},
        {"laguerre_zero(5, 2)", cg_laguerre_zero(5, 2)},
        {"clamped_free_root()", cg_root_of_clamped_free_bar()},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!CHECK(value_of(cases[i].text, &names) == cases[i].expected)) {
            printf("%s\n", cases[i].text);
        }
    }
}

TEST(formulas_that_are_not_in_order_are_told_with_their_place)
{
    const char *const bad[] = {
        "",          "1 +",
        "(1",        "1)",
        "a",         "sin 1",
        "sin()",     "sin(1",
        "sin(1, 2)", "hypot(1)",
        "none(1)",   "1 2",
        "choose(1)", "1 ** 2",
        "#",         "1 < 2 < 3",
        "x(1)",      "min(1 2)",
        "min(,)",    "1e",
        "--",        "((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))"};
    cg_names names = {0};
    cg_formula_scope scope = {.names = &names};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[200];
        double value;
        if (!CHECK(!cg_formula_value(bad[i], &scope, &value, why, sizeof why))) {
            printf("accepted %s\n", bad[i]);
        }
        CHECK(strstr(why, "byte ") != NULL);
    }
    char name[CG_FORMULA_NAME + 1];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(!cg_names_set(&names, name, 1));
    for (int i = 0; i < CG_FORMULA_NAMES; i++) {
        snprintf(name, sizeof name, "n%d", i);
        CHECK(cg_names_set(&names, name, i));
    }
    CHECK(!cg_names_set(&names, "one_more", 1) && cg_names_set(&names, "n7", 3));
    CHECK(*cg_names_find(&names, "n7") == 3 && cg_names_find(&names, "m") == NULL);
}

// A thread of four vertices that is pulled: EA = 2 N, so 1 N makes it half as long again.
#define SPRING(sweep, expected)                                                                                        \
    "{\"summary\": \"x\", \"source\": \"y\",\n\"let\": {\"length\": 0.3},\n\"sweep\": " sweep ",\n"                    \
    "\"scene\": {\"time_step\": 0.1, \"gravity\": [0, 0, 0], \"max_contacts\": 0, \"hands\": [], \"threads\": [\n"     \
    "{\"stretch_stiffness\": 2, \"bend_stiffness\": 0, \"twist_stiffness\": 0, \"inertia\": \"low_mass\", "            \
    "\"drag\": 10, \"start\": \"pinned\",\n\"shape\": {\"points\": [{\"for\": {\"i\": [0, 3]}, "                       \
    "\"make\": [\"=0.1 * i\", 0, 0]}]}}]},\n\"drive\": [{\"push\": -1, \"force\": [\"pull\", 0, 0]}],\n"               \
    "\"until\": {\"rest\": 1e-9, \"quiet\": 2, \"most\": 4000},\n"                                                     \
    "\"rows\": [{\"name\": \"longer by {pull} N, {pull:.2f}\", \"expected\": \"" expected                              \
    "\", \"measured\": \"x(-1) - x0(-1)\", \"tolerance\": 1e-5, \"unit\": \"m\"}]}"

static cg_report run(const char *text)
{
    cg_report report = {0};
    cg_data_run(text, strlen(text), "made-up.json", &report);
    return report;
}

TEST(a_scene_a_sweep_and_a_closed_form_make_rows)
{
    cg_report report = run(SPRING("[{\"pull\": [0.5, 1]}, {\"again\": [1, 2, 3]}]", "length * pull / 2"));
    CHECK_STR(report.trouble, "");
    if (CHECK_INT(report.quantity_count, 6)) {
        CHECK_STR(report.quantities[0].name, "longer by 0.5 N, 0.50");
        CHECK_STR(report.quantities[3].name, "longer by 1 N, 1.00");
        CHECK_STR(report.quantities[3].unit, "m");
        CHECK_NEAR(report.quantities[0].measured, 0.075, 1e-6);
        CHECK_NEAR(report.quantities[5].measured, 0.15, 1e-6);
        CHECK(report.quantities[3].measured == report.quantities[5].measured);
    }
    CHECK(cg_report_passes(&report));
    cg_report_free(&report);
}

TEST(a_closed_form_that_is_wrong_fails)
{
    cg_report report = run(SPRING("[{\"pull\": [1]}]", "length * pull / 2.001"));
    CHECK_STR(report.trouble, "");
    CHECK(!cg_report_passes(&report));
    cg_report_free(&report);
}

TEST(what_is_not_in_order_is_told_with_its_line)
{
    const struct {
        const char *text, *trouble;
    } cases[] = {
        {"", "made-up.json:1"},
        {"[]", "expected an object"},
        {"{\n\"scenes\": {}}", "made-up.json:2: an experiment has no \"scenes\""},
        {"{}", "there is no scene"},
        {SPRING("[{\"pull\": [1]}]", "length * pul / 2"),
         "made-up.json:9: formula \"length * pul / 2\", byte 14: pul is not known"},
        {SPRING("[{\"pull\": [1], \"other\": [1, 2]}]", "1"), "made-up.json:3: the columns of a sweep"},
        {SPRING("[{\"pull\": [true]}]", "1"), "made-up.json:3: found true or false"},
        {SPRING("[{\"push\": [1]}]", "1"), "pull is not known"},
        {"{\"scene\": {\"threads\": []}, \"until\": {\"steps\": 1}}", "no thread"},
        {"{\"scene\": {\"thread\": []}, \"until\": {\"steps\": 1}}", "its scene:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cg_report report = run(cases[i].text);
        if (!CHECK(strstr(report.trouble, cases[i].trouble) != NULL)) {
            printf("%s: \"%s\"\n", cases[i].trouble, report.trouble);
        }
        CHECK(!cg_report_passes(&report));
        cg_report_free(&report);
    }
}

TEST(steps_that_do_not_come_to_rest_are_told)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s", SPRING("[{\"pull\": [1]}]", "0.15"));
    char *most = strstr(text, "4000");
    memcpy(most, "3   ", 4);
    cg_report report = run(text);
    CHECK(strstr(report.trouble, "not at rest after 3 steps") != NULL);
    CHECK_INT(report.quantity_count, 0);
    cg_report_free(&report);
}
