// The commands as a person or a script meets them: words in, exit code and text out.
#define _POSIX_C_SOURCE 200809L

#include <math.h>

#include "app/json_check.h"
#include "app/run_app.h"
#include "app/xml_check.h"
#include "catgut/version.h"
#include "catgut/world.h"
#include "harness.h"

TEST(help_and_version)
{
    app_run run;
    static const char *const version_words[] = {"--version", "-v"};
    for (int i = 0; i < 2; i++) {
        run = run_app(version_words[i]);
        CHECK_INT(run.code, 0);
        // version, commit, and what states and motion are
        int motion = 0, state = 0;
        char commit[64] = "";
        CHECK_INT(
            sscanf(run.out, "catgut " CG_VERSION ", commit %63[^,], motion %d, state %d\n", commit, &motion, &state),
            3);
        CHECK_INT(motion, CG_MOTION_VERSION);
        CHECK_INT(state, CG_SNAPSHOT_VERSION);
        CHECK(strcmp(commit, "unknown") == 0 || strspn(commit, "0123456789abcdef") == 12);
        app_run_free(&run);
    }
    run = run_app("--licences");
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "Zstandard (BSD-3-Clause)") && contains(run.out, "Permission is hereby granted"));
    app_run_free(&run);
    static const char *const asks[] = {"help", "--help", "-h"};
    for (int i = 0; i < 3; i++) {
        run = run_app(asks[i]);
        CHECK_INT(run.code, 0);
        CHECK(contains(run.out, "experiment") && contains(run.out, "bench") && contains(run.out, "export"));
        CHECK_STR(run.err, "");
        app_run_free(&run);
    }
    static const char *const commands[] = {"show", "experiment", "bench", "export", "help"};
    for (int i = 0; i < 5; i++) {
        char words[64];
        snprintf(words, sizeof words, "help %s", commands[i]);
        app_run page = run_app(words);
        snprintf(words, sizeof words, "%s --help", commands[i]);
        run = run_app(words);
        CHECK_INT(page.code, 0);
        CHECK_INT(run.code, 0);
        CHECK(contains(page.out, "usage: catgut "));
        CHECK_STR(run.out, page.out);
        app_run_free(&run);
        app_run_free(&page);
    }
}

typedef struct mistake {
    const char *words, *part;
} mistake;

TEST(bad_usage_ends_with_2_and_a_hint)
{
    static const mistake mistakes[] = {
        {"", "usage: catgut COMMAND"},
        {"exprt", "did you mean \"export\"?"},
        {"qqqqqqq", "see \"catgut help\""},
        {"help bnch", "did you mean \"bench\"?"},
        {"experiment catenry", "did you mean \"catenary\"?"},
        {"experiment cantilever_tip michel_ring", "did you mean \"michell_ring\"?"},
        {"experiment zzzzzzzzzz", "lists them"},
        {"experiment catenary/3", "catenary has no parts"},
        {"experiment tie/knot", "tie has no part \"knot\"; expected square, surgeon's or stitch"},
        {"experiment tie/stitch/0", "tie has no part \"stitch/0\""},
        {"experiment tie/stitch/3-", "tie has no part \"stitch/3-\""},
        {"experiment tie/stitch/5-3", "tie has no part \"stitch/5-3\""},
        {"experiment tie/stitch/3-21", "tie has no part \"stitch/3-21\""},
        {"experiment catenary --seed 3", "catenary draws nothing from a seed"},
        {"experiment tie --seed half", "found --seed \"half\""},
        {"experiment --jsn", "did you mean --json?"},
        {"experiment --json", "name an experiment"},
        {"experiment stretch --plot", "--plot needs a value"},
        {"experiment stretch --plot /dev/null/x", "cannot be made"},
        {"bench threads", "did you mean \"thread\"?"},
        {"knot --make ref", "did you mean \"reef\"?"},
        {"knot --make 8_91", "did you mean"},
        {"knot --make zzzzzzz", "\"catgut help knot\" lists them"},
        {"bench a b", "one word too many"},
        {"export", "a FILE to read"},
        {"export one", "a FILE to read"},
        {"export a b --view q", "expected x, y, z or iso"},
        {"export a b --radius nan", "expected metres"},
        {"export a b --radius 0", "expected metres"},
        {"export /nonexistent/file out.svg", "/nonexistent/file: "},
        {"show --out /dev/null/x", "cannot be made"},
        {"show extra", "one word too many"},
    };
    for (int i = 0; i < (int)(sizeof mistakes / sizeof mistakes[0]); i++) {
        app_run run = run_app(mistakes[i].words);
        CHECK_INT(run.code, 2);
        CHECK(contains(run.err, mistakes[i].part));
        CHECK_STR(run.out, "");
        app_run_free(&run);
    }
}

TEST(export_draws_a_file)
{
    char folder[64], words[256], in[96], out[96];
    make_scratch(folder);
    snprintf(in, sizeof in, "%s/thread.txt", folder);
    snprintf(out, sizeof out, "%s/thread.svg", folder);
    const char *text = "0 0 0\n0.01 0 0\n0.02 0.01 0\n\n0 0.005 0.002\n0.02 0.004 -0.002\n";
    write_text(in, text, strlen(text));
    static const char *const views[] = {"x", "y", "z", "iso"};
    for (int i = 0; i < 4; i++) {
        snprintf(words, sizeof words, "export %s %s --view %s --radius 2e-4", in, out, views[i]);
        app_run run = run_app(words);
        CHECK_INT(run.code, 0);
        CHECK(contains(run.out, "2 threads, 5 points"));
        char *svg = read_text(out);
        int elements = 0;
        const char *fault = svg ? xml_fault(svg, &elements) : "no file";
        CHECK_STR(fault ? fault : "", "");
        CHECK(elements > 20);
        CHECK(svg && (strstr(svg, " mm</text>") || strstr(svg, " cm</text>")));
        free(svg);
        app_run_free(&run);
        remove(out);
    }
    remove(in);
    remove_scratch(folder);
}

TEST(export_of_a_bad_file_writes_nothing)
{
    char folder[64], words[256], in[96], out[96];
    make_scratch(folder);
    snprintf(in, sizeof in, "%s/bad.txt", folder);
    snprintf(out, sizeof out, "%s/bad.svg", folder);
    write_text(in, "0 0 0\n1 oops 0\n", 15);
    snprintf(words, sizeof words, "export %s %s", in, out);
    app_run run = run_app(words);
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "bad.txt:2:3: found \"oops\", expected the y coordinate"));
    CHECK(read_text(out) == NULL);
    app_run_free(&run);
    // One point twice has no extent in any direction; it is drawn all the same.
    write_text(in, "1 1 1\n1 1 1\n", 12);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    char *svg = read_text(out);
    CHECK(svg && xml_fault(svg, NULL) == NULL);
    free(svg);
    app_run_free(&run);
    remove(in);
    remove(out);
    remove_scratch(folder);
}

TEST(experiments_are_listed)
{
    app_run run = run_app("experiment");
    CHECK_INT(run.code, 0);
    static const char *const names[] = {"cantilever_tip",    "cantilever_weight", "euler_buckling",  "hanging_chain",
                                        "catenary",          "michell_ring",      "torque_buckling", "moment_circle",
                                        "localised_helix",   "stretch",           "bench_a",         "bench_b",
                                        "bending_frequency", "post_buckling"};
    for (int i = 0; i < 14; i++) {
        CHECK(contains(run.out, names[i]));
    }
    app_run_free(&run);
}

TEST(an_experiment_as_table_json_and_plot)
{
    char folder[64], words[256], path[96];
    make_scratch(folder);
    snprintf(words, sizeof words, "experiment stretch --plot %s/deep/er", folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "published") && contains(run.out, "pass") && !contains(run.out, "FAIL"));
    snprintf(path, sizeof path, "%s/deep/er/stretch.svg", folder);
    char *svg = read_text(path);
    CHECK(svg && xml_fault(svg, NULL) == NULL);
    free(svg);
    app_run_free(&run);
    run = run_app("experiment stretch moment_circle --json");
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out));
    const char *list = json_member(run.out, "experiments");
    CHECK_INT(json_count(list), 2);
    CHECK(json_is_string(json_member(json_item(list, 1), "name"), "moment_circle"));
    app_run_free(&run);
    remove(path);
    snprintf(path, sizeof path, "%s/deep/er", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/deep", folder);
    rmdir(path);
    remove_scratch(folder);
}

TEST(bench_prints_its_json)
{
    app_run run = run_app("bench thread/kirchhoff/50 --json");
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out));
    CHECK(json_member(run.out, "machine") != NULL);
    CHECK_INT(json_count(json_member(run.out, "results")), 1);
    const char *row = json_item(json_member(run.out, "results"), 0);
    CHECK(json_is_string(json_member(row, "name"), "thread/kirchhoff/50"));
    double median = strtod(json_member(row, "median_us"), NULL), p99 = strtod(json_member(row, "p99_us"), NULL);
    double worst = strtod(json_member(row, "worst_us"), NULL);
    CHECK(median > 0 && p99 >= median && worst >= p99);
    CHECK_INT(json_count(json_member(run.out, "ratios")), 0);
    app_run_free(&run);
}

TEST(the_show_draws_its_picture)
{
    if (test_is_sanitized()) {
        test_skip("its experiments are seen by sanitizers in app.experiments");
        return;
    }
    char folder[64], words[128], path[96];
    make_scratch(folder);
    snprintf(words, sizeof words, "show --out %s", folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    snprintf(path, sizeof path, "%s/show.svg", folder);
    CHECK(contains(run.out, path));
    char *svg = read_text(path);
    const char *fault = svg ? xml_fault(svg, NULL) : "no file";
    CHECK_STR(fault ? fault : "", "");
    free(svg);
    // Its own numbers, read back from the words: tip drop and buckling turns beside theory.
    double drop = 0, exact_drop = 0, turns = 0, exact_turns = 0;
    const char *at = strstr(run.out, "with its tip ");
    CHECK(at && sscanf(at, "with its tip %lf", &drop) == 1);
    at = strstr(run.out, "says\n");
    CHECK(at && sscanf(at, "says\n%lf", &exact_drop) == 1);
    at = strstr(run.out, "line at ");
    CHECK(at && sscanf(at, "line at %lf turns; theory (tan x = x) says %lf", &turns, &exact_turns) == 2);
    CHECK_NEAR(drop, exact_drop, 0.005 * exact_drop);
    CHECK_NEAR(turns, exact_turns, 0.01 * exact_turns);
    app_run_free(&run);
    remove(path);
    remove_scratch(folder);
}
