// catgut try --trainee and catgut progress: what one notes the other shows.
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "harness.h"
#include "json_check.h"
#include "run_app.h"
#include "training/curves.h"

static int attempt(const char *folder, const char *book, const char *trainee, const char *script)
{
    char words[400];
    snprintf(words, sizeof words, "try point-and-touch --script %s --trainee %s --logbook %s/%s.db", script, trainee,
             folder, book);
    app_run run = run_app(words);
    CHECK_STR(run.err, "");
    int code = run.code;
    app_run_free(&run);
    return code;
}

static void remove_all(const char *folder)
{
    char words[128];
    snprintf(words, sizeof words, "rm -rf %s", folder);
    CHECK(system(words) == 0);
}

TEST(attempts_show_up_in_progress)
{
    char folder[64], words[256], path[96];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    CHECK_INT(attempt(folder, "book", "ann", "touch-four"), CG_EXIT_BAD_RESULT);
    CHECK_INT(attempt(folder, "book", "ann", "touch-all"), CG_EXIT_DONE);
    CHECK_INT(attempt(folder, "book", "=bob", "touch-all"), CG_EXIT_DONE);
    snprintf(words, sizeof words, "progress --logbook %s/book.db --trainee ann --task point-and-touch", folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK(contains(run.out, "2 attempts, 1 passed; points: first 47 %, best 100 %, last 100 %"));
    CHECK(contains(run.out, "mind targets_reached"));
    CHECK(!contains(run.out, "bob"));
    app_run_free(&run);
    snprintf(words, sizeof words, "progress --logbook %s/book.db --json --csv %s/a.csv --plot %s/a.svg", folder, folder,
             folder);
    run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK(json_is_valid(run.out));
    CHECK(contains(run.out, "\"trainee\": \"=bob\""));
    app_run_free(&run);
    snprintf(path, sizeof path, "%s/a.csv", folder);
    char *table = read_text(path);
    if (CHECK(table != NULL)) {
        CHECK(contains(table, "attempt,trainee,task,seed,started,state,points,most,passed,worst,time,path_length"));
        CHECK(contains(table, "\n3,'=bob,point-and-touch,1,20")); // no formula for a spreadsheet
        CHECK(contains(table, ",finished,46.666666666666664,100,0,"));
    }
    free(table);
    // The recording of an attempt lies beside the logbook and scores as it did.
    snprintf(words, sizeof words, "score %s/book.db.recordings/attempt-000001.cgr", folder);
    run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_BAD_RESULT);
    CHECK(contains(run.out, "not passed: 46.7 of 100 points"));
    app_run_free(&run);
    remove_all(folder);
}

static void check_points(const char *folder, const char *recording, const char *points)
{
    char words[256];
    snprintf(words, sizeof words, "score %s/%s", folder, recording);
    app_run run = run_app(words);
    if (!CHECK(contains(run.out, points))) {
        printf("%s: %s%s\n", recording, run.out, run.err);
    }
    app_run_free(&run);
}

// Each has an attempt 1, and so has a logbook that takes the place of one that was removed.
TEST(logbooks_do_not_write_over_recordings_of_each_other)
{
    char folder[64], path[96];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    CHECK_INT(attempt(folder, "book", "ann", "touch-four"), CG_EXIT_BAD_RESULT);
    CHECK_INT(attempt(folder, "other", "ann", "touch-all"), CG_EXIT_DONE);
    snprintf(path, sizeof path, "%s/book.db", folder);
    CHECK(unlink(path) == 0);
    CHECK_INT(attempt(folder, "book", "ann", "touch-all"), CG_EXIT_DONE);
    check_points(folder, "book.db.recordings/attempt-000001.cgr", "46.7 of 100 points");
    check_points(folder, "book.db.recordings/attempt-000001-2.cgr", "100.0 of 100 points");
    check_points(folder, "other.db.recordings/attempt-000001.cgr", "100.0 of 100 points");
    remove_all(folder);
}

TEST(progress_without_attempts_says_so)
{
    char folder[64], words[256], path[96];
    make_scratch(folder);
    snprintf(words, sizeof words, "progress --logbook %s/book.db", folder); // mistyped: nothing is made
    app_run run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_BAD_INPUT);
    CHECK(contains(run.err, "there is no logbook"));
    app_run_free(&run);
    snprintf(path, sizeof path, "%s/book.db", folder);
    CHECK(access(path, F_OK) != 0);
    write_text(path, "", 0);
    run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK(contains(run.out, "no attempts yet"));
    app_run_free(&run);
    snprintf(words, sizeof words, "progress --logbook %s", folder); // a folder is no logbook
    run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_BAD_INPUT);
    CHECK(contains(run.err, "cannot be opened"));
    app_run_free(&run);
    remove_all(folder);
}

TEST(curves_sum_up_what_was_finished)
{
    cg_curve_attempt attempts[] = {{.finished = true, .points = 30, .most = 60, .seconds = 40},
                                   {.running = false}, // interrupted
                                   {.finished = true, .points = 54, .most = 60, .seconds = 20, .passed = true},
                                   {.finished = true, .points = 48, .most = 60, .seconds = 25, .passed = true}};
    cg_curve_group group = {.attempts = attempts, .count = 4};
    cg_curve_summary summary = cg_curve_summarise(&group);
    CHECK_INT(summary.finished, 3);
    CHECK_INT(summary.passed, 2);
    CHECK_NEAR(summary.first, 0.5, 1e-15);
    CHECK_NEAR(summary.best, 0.9, 1e-15);
    CHECK_NEAR(summary.last, 0.8, 1e-15);
    CHECK_NEAR(summary.first_seconds, 40, 0);
    CHECK_NEAR(summary.last_seconds, 25, 0);
}
