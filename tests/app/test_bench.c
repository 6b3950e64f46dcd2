// The frame that benches share: it holds any number of rows, says what could not be measured, and how long it takes.
#define _POSIX_C_SOURCE 200809L

#include "app/json_check.h"
#include "app/run_app.h"
#include "bench/bench.h"
#include "harness.h"

static void leave(void *state)
{
    (void)state;
}

static double no_time(void *state)
{
    (void)state;
    return 1e-6;
}

// Two milliseconds of this thread's own time.
static double two_milliseconds(void *state)
{
    (void)state;
    double start = cg_thread_cpu_seconds(), now = start;
    while (now - start < 2e-3) {
        now = cg_thread_cpu_seconds();
    }
    return now - start;
}

TEST(every_row_has_room)
{
    cg_bench bench = {0};
    for (int i = 0; i < 300; i++) {
        cg_subject subject = {.sample = no_time, .release = leave};
        snprintf(subject.name, sizeof subject.name, "row/%d", i);
        cg_bench_add(&bench, subject);
    }
    CHECK(!bench.failed);
    CHECK_INT(bench.count, 300);
    cg_bench_measure(&bench, 1e-5);
    CHECK(cg_bench_find(&bench, "row/299") && cg_bench_find(&bench, "row/299")->median == 1e-6);
    cg_bench_free(&bench);
}

TEST(what_failed_is_named)
{
    cg_bench bench = {0};
    cg_bench_fail(&bench, "row/1", "the world could not be made");
    CHECK(bench.failed);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_bench_write_troubles(&bench, &json);
    cg_json_end_object(&json);
    fclose(out);
    const char *row = json_item(json_member(text, "failed"), 0);
    CHECK(json_is_string(json_member(row, "name"), "row/1"));
    CHECK(json_is_string(json_member(row, "why"), "the world could not be made"));
    free(text);
    out = open_memstream(&text, &size);
    cg_bench_print_troubles(&bench, out);
    fclose(out);
    CHECK_STR(text, "catgut bench: row/1: the world could not be made\n");
    free(text);
    cg_bench_free(&bench);
}

// Two rows: one whose samples are long beside its share of time, one that needs many samples.
TEST(the_time_it_promises_is_the_time_it_takes)
{
    cg_bench bench = {0};
    cg_bench_add(&bench, (cg_subject){.name = "slow", .sample = two_milliseconds, .release = leave});
    cg_bench_add(&bench, (cg_subject){.name = "many", .sample = two_milliseconds, .release = leave, .least = 100});
    cg_bench_warm_up(&bench);
    double expected = cg_bench_expected_seconds(&bench, 1e-3), start = cg_thread_cpu_seconds();
    cg_bench_measure(&bench, 1e-3);
    double taken = cg_thread_cpu_seconds() - start;
    CHECK(expected > 0.7 * taken && expected < 1.4 * taken);
    cg_bench_free(&bench);
}

typedef struct name_count {
    int all, meet, press, names;
} name_count;

static void count_name(void *context, const char *name, bool is_row)
{
    name_count *count = context;
    count->all += is_row;
    count->meet += strcmp(name, "meet") == 0;
    count->press += strcmp(name, "press/step") == 0;
    count->names += strcmp(name, "names/live") == 0;
}

TEST(all_names_are_known)
{
    name_count count = {0};
    cg_bench_each_name(count_name, &count);
    CHECK(count.all >= 70 && count.meet > 0 && count.press == 1 && count.names > 0);
    app_run run = run_app("bench knot");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "did you mean \"knots\"?"));
    app_run_free(&run);
    run = run_app("bench press/stp");
    CHECK(contains(run.err, "did you mean \"press/step\"?"));
    app_run_free(&run);
    run = run_app("help bench");
    static const char *const groups[] = {"names", "press", "meet", "knots", "tissue", "sphere_tree", "tie"};
    for (int i = 0; i < 7; i++) {
        CHECK(contains(run.out, groups[i]));
    }
    app_run_free(&run);
}

TEST(a_procedure_that_is_none_is_refused)
{
    app_run run = run_app("bench tie/bow");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "there is no procedure \"bow\""));
    app_run_free(&run);
}

TEST(a_run_says_that_nothing_failed)
{
    app_run run = run_app("bench linalg/factor --json");
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out));
    const char *failed = json_member(run.out, "failed");
    CHECK(failed != NULL && json_count(failed) == 0);
    app_run_free(&run);
}
