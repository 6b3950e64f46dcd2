// Points by a rubric: known sums, and never fewer for doing better.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catgut/task.h"
#include "harness.h"
#include "task/task.h"

static cg_task *read_task(const char *text)
{
    cg_task *task;
    cg_scene_error error;
    cg_task_read(text, strlen(text), "task.json", NULL, &task, &error);
    CHECK_STR(error.message, "");
    return task;
}

static const char SQUARE[] =
    "{\"title\": \"t\", \"scene\": \"cord\", \"instructions\": [\"Tie.\"], \"pass\": 0.6,\n"
    " \"goal\": {\"knot\": {\"name\": \"square\"}},\n"
    " \"rubric\": [\n"
    "   {\"measure\": \"knot_right\", \"bands\": [[0, 0], [1, 50]], \"must\": true},\n"
    "   {\"measure\": \"time\", \"bands\": [[\"10 s\", 30], [\"20 s\", 20], [\"60 s\", 0]]},\n"
    "   {\"measure\": \"peak_force\", \"bands\": [[\"500 mN\", 20], [\"2 N\", 0]], \"advice\": \"Gently!\"},\n"
    " ]}";

static cg_measures measures_of(double knot, double time, double force)
{
    cg_measures measures = {0};
    measures.of[CG_MEASURE_knot_right] = (cg_measured){true, knot, 12};
    measures.of[CG_MEASURE_time] = (cg_measured){true, time, -1};
    measures.of[CG_MEASURE_peak_force] = (cg_measured){true, force, 3.25};
    return measures;
}

TEST(points_are_the_sum_of_the_lines)
{
    cg_task *task = read_task(SQUARE);
    cg_measures best = measures_of(1, 9, 0.1), middling = measures_of(1, 15, 1.25), late = measures_of(1, 90, 0.5);
    cg_score score = cg_task_score(task, &best);
    char text[256];
    CHECK_NEAR(score.points, 100, 1e-12);
    CHECK_NEAR(score.most, 100, 1e-12);
    CHECK_INT(score.worst, -1);
    CHECK(score.passed);
    cg_score_advice(&score, text, sizeof text);
    CHECK_STR(text, "Nothing cost a point.");
    score = cg_task_score(task, &middling);
    CHECK_NEAR(score.lines[1].points, 25, 1e-12);
    CHECK_NEAR(score.lines[2].points, 10, 1e-12);
    CHECK_NEAR(score.points, 85, 1e-12);
    CHECK_INT(score.worst, 2); // 10 points of force before 5 of time
    cg_score_advice(&score, text, sizeof text);
    CHECK_STR(text, "Gently! (at 3.2 s)");
    score = cg_task_score(task, &late);
    CHECK_NEAR(score.points, 70, 1e-12);
    CHECK_INT(score.worst, 1);
    CHECK(score.passed);
    cg_task_free(task);
}

TEST(what_must_be_comes_first)
{
    cg_task *task = read_task(SQUARE);
    cg_measures wrong = measures_of(0, 9, 0.1);
    cg_score score = cg_task_score(task, &wrong);
    CHECK_NEAR(score.points, 0, 1e-12); // how gently and how soon nothing was done is worth nothing
    CHECK_NEAR(score.lines[2].worth, 20, 1e-12);
    CHECK_INT(score.worst, 0);
    CHECK(!score.passed && score.lines[0].failed);
    cg_measures unknown = measures_of(1, 9, 0.1);
    unknown.of[CG_MEASURE_knot_right].known = false; // no thread was there to look at
    score = cg_task_score(task, &unknown);
    CHECK(!score.passed);
    CHECK_NEAR(score.lines[0].points, 0, 0);
    cg_task_free(task);
}

static const char TARGETS[] = "{\"title\": \"t\", \"scene\": \"ball\", \"instructions\": [\"Touch.\"], \"pass\": 0.6,\n"
                              " \"goal\": {\"targets\": {\"radius\": \"30 mm\", \"count\": 4, \"size\": \"3 mm\"}},\n"
                              " \"rubric\": [\n"
                              "   {\"measure\": \"targets_reached\", \"bands\": [[0, 0], [1, 40]], \"need\": 1},\n"
                              "   {\"measure\": \"misses\", \"bands\": [[0, 40], [4, 0]]},\n"
                              "   {\"measure\": \"time\", \"bands\": [[\"10 s\", 20], [\"20 s\", 0]]},\n"
                              " ]}";

// By hand: three of four targets and one miss: 30 of 40, and 30 of 40 for the share of 3/4; time counts when it passes.
TEST(how_well_counts_in_the_share_that_was_done)
{
    cg_task *task = read_task(TARGETS);
    cg_measures measures = {0};
    measures.of[CG_MEASURE_targets_reached] = (cg_measured){true, 0.75, -1};
    measures.of[CG_MEASURE_misses] = (cg_measured){true, 1, 4};
    measures.of[CG_MEASURE_time] = (cg_measured){true, 5, -1};
    cg_score score = cg_task_score(task, &measures);
    CHECK_NEAR(score.points, 30 + 22.5, 1e-12);
    CHECK_NEAR(score.pass_points, 48, 1e-12); // of 80 without time
    CHECK(!score.passed);                     // enough points, but all targets are needed
    CHECK_INT(score.worst, 0);
    CHECK(score.lines[0].failed && score.lines[0].must);
    measures.of[CG_MEASURE_targets_reached].value = 1;
    score = cg_task_score(task, &measures);
    CHECK_NEAR(score.points, 40 + 30 + 20, 1e-12);
    CHECK(score.passed);
    measures.of[CG_MEASURE_misses].value = 4;
    score = cg_task_score(task, &measures);
    CHECK_NEAR(score.points, 40, 1e-12); // haste does not make good for misses
    CHECK(!score.passed);
    cg_task_free(task);
}

// A line of a rubric with any bands that a file may have.
static cg_criterion random_criterion(uint64_t *random, int measure)
{
    cg_criterion criterion = {.measure = measure, .band_count = test_random_int(random, 2, CG_TASK_MOST_BANDS)};
    bool higher = cg_measure_get_info(measure)->higher_is_better;
    double at = test_random(random, -10, 10), points = higher ? 0 : 200;
    for (int i = 0; i < criterion.band_count; i++) {
        at += test_random(random, 1e-6, 5);
        points += (higher ? 1 : -1) * (test_random_int(random, 0, 3) == 0 ? 0 : test_random(random, 0, 20));
        criterion.at[i] = at;
        criterion.points[i] = points;
    }
    criterion.is_done = test_random_int(random, 0, 3) == 0;
    criterion.must = test_random_int(random, 0, 3) == 0;
    criterion.need = criterion.must ? test_random(random, 0, 1) : 0;
    return criterion;
}

// The score of measures that are all known and anywhere near the bands.
static double points_of(const cg_task *task, const cg_measures *measures)
{
    return cg_task_score(task, measures).points;
}

TEST(better_never_gives_fewer_points)
{
    uint64_t random = 20;
    static cg_task task;
    for (int round = 0; round < test_count(2000, 100000); round++) {
        cg_measures measures = {0};
        task.criterion_count = 0;
        task.pass = test_random(&random, 0, 1);
        for (int i = 0; i < CG_MEASURE_COUNT; i++) {
            measures.of[i] = (cg_measured){true, test_random(&random, -30, 60), -1};
            if (task.criterion_count < CG_TASK_MOST_CRITERIA && test_random_int(&random, 0, 1) == 0) {
                task.criteria[task.criterion_count++] = random_criterion(&random, i);
            }
        }
        int which = test_random_int(&random, 0, CG_MEASURE_COUNT - 1);
        double before = points_of(&task, &measures), by = test_random(&random, 0, 10);
        measures.of[which].value += cg_measure_get_info(which)->higher_is_better ? by : -by;
        if (!CHECK(points_of(&task, &measures) >= before - 1e-9)) {
            return;
        }
    }
}

// The knees of a band belong to both sides, and there are no points beyond the most.
TEST(bands_join)
{
    cg_criterion c = {.band_count = 3, .at = {1, 2, 4}, .points = {10, 6, 0}};
    CHECK_NEAR(cg_criterion_points(&c, -1e9), 10, 0);
    CHECK_NEAR(cg_criterion_points(&c, 1), 10, 0);
    CHECK_NEAR(cg_criterion_points(&c, 1.5), 8, 1e-15);
    CHECK_NEAR(cg_criterion_points(&c, 2), 6, 0);
    CHECK_NEAR(cg_criterion_points(&c, 3), 3, 1e-15);
    CHECK_NEAR(cg_criterion_points(&c, 4), 0, 0);
    CHECK_NEAR(cg_criterion_points(&c, 1e9), 0, 0);
    CHECK_NEAR(cg_criterion_points(&c, NAN), 0, 0);
    CHECK_NEAR(cg_criterion_most(&c), 10, 0);
}

// Computed by hand: 600 - 112 = 488; 600 - 200 - 10 2 - 10 1.5 - 10 = 355; ...
TEST(fls_points)
{
    cg_fls_result proficient = {.time = 112}, middling = {200, 2e-3, 1.5e-3, 1, false};
    cg_fls_result slow = {.time = 600}, late = {.time = 600.5}, torn = {.time = 60, .avulsed = true};
    cg_fls_result open = {550, 3e-3, 2e-3, 2, false}, no_time = {.time = NAN};
    CHECK_NEAR(cg_fls_points(&proficient), 488, 1e-9);
    CHECK_NEAR(cg_fls_normalised(&proficient), 100, 1e-9);
    CHECK_NEAR(cg_fls_points(&middling), 355, 1e-9);
    CHECK_NEAR(cg_fls_normalised(&middling), 72.745901639344, 1e-9);
    CHECK_NEAR(cg_fls_points(&slow), 0, 1e-9);
    CHECK_NEAR(cg_fls_points(&late), 0, 0);
    CHECK_NEAR(cg_fls_points(&torn), 0, 0);
    CHECK_NEAR(cg_fls_points(&open), 0, 0); // 600 - 550 - 50 - 20 is below 0
    CHECK_NEAR(cg_fls_points(&no_time), 0, 0);
}
