// Every rubric is fair: nothing done is worth nothing, better is never worth less, and haste alone decides nothing.
// Measures are drawn at random around the bands of the task's file.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "support/scene_names.h"
#include "task/task.h"
#include "training/task_files.h"

static const char FOLDER[] = CATGUT_SOURCE_DIR "/scenes/tasks";

static void each_task(void (*look)(const char *name, const cg_task *task))
{
    int count = 0, looked_at = 0;
    char **names = cg_names_in(FOLDER, CG_NAMED_TASK, &count);
    for (int i = 0; names != NULL && i < count; i++) {
        char path[CG_MOST_PATH];
        cg_task *task;
        cg_scene_error error;
        snprintf(path, sizeof path, "%s/%s", FOLDER, names[i]);
        if (CHECK(cg_task_load(path, &task, &error))) {
            look(names[i], task);
            looked_at++;
            cg_task_free(task);
        }
    }
    cg_names_free(names, count);
    CHECK(looked_at >= 14);
}

static double best_of(const cg_criterion *criterion)
{
    bool higher = cg_measure_get_info(criterion->measure)->higher_is_better;
    return higher ? criterion->at[criterion->band_count - 1] : criterion->at[0];
}

static double worst_of(const cg_criterion *criterion)
{
    bool higher = cg_measure_get_info(criterion->measure)->higher_is_better;
    return higher ? criterion->at[0] : criterion->at[criterion->band_count - 1];
}

static cg_measures best_measures(const cg_task *task)
{
    cg_measures measures = {0};
    for (int i = 0; i < task->criterion_count; i++) {
        measures.of[task->criteria[i].measure] = (cg_measured){true, best_of(&task->criteria[i]), -1};
    }
    return measures;
}

// Somewhere between the ends of its bands, a little beyond, or not known.
static cg_measured draw(uint64_t *random, const cg_criterion *criterion)
{
    double from = criterion->at[0], to = criterion->at[criterion->band_count - 1], beyond = 0.2 * (to - from);
    bool known = test_random_int(random, 0, 9) > 0;
    return (cg_measured){known, test_random(random, from - beyond, to + beyond), -1};
}

static cg_measures draw_measures(uint64_t *random, const cg_task *task)
{
    cg_measures measures = {0};
    for (int i = 0; i < task->criterion_count; i++) {
        measures.of[task->criteria[i].measure] = draw(random, &task->criteria[i]);
    }
    return measures;
}

// Who stays away from the work makes no mistake, pulls at nothing and takes no time.
static void look_at_nothing_done(const char *name, const cg_task *task)
{
    uint64_t random = 7;
    for (int round = 0; round < 200; round++) {
        cg_measures measures = round == 0 ? best_measures(task) : draw_measures(&random, task);
        int done = 0;
        for (int i = 0; i < task->criterion_count; i++) {
            const cg_criterion *criterion = &task->criteria[i];
            if (criterion->is_done) {
                measures.of[criterion->measure] = (cg_measured){round % 2 == 0, worst_of(criterion), -1};
                done++;
            }
        }
        cg_score score = cg_task_score(task, &measures);
        if (!CHECK(done > 0) || !CHECK_NEAR(score.points, 0, 1e-9) || !CHECK(!score.passed)) {
            printf("%s: %.1f points for nothing\n", name, score.points);
            return;
        }
    }
}

TEST(nothing_done_is_worth_nothing)
{
    each_task(look_at_nothing_done);
}

static void look_at_better(const char *name, const cg_task *task)
{
    uint64_t random = 11;
    for (int round = 0; round < test_count(3000, 100000); round++) {
        cg_measures measures = draw_measures(&random, task), better = measures;
        for (int i = 0; i < task->criterion_count; i++) {
            const cg_criterion *criterion = &task->criteria[i];
            cg_measured *value = &better.of[criterion->measure];
            double by = test_random(&random, 0, 1) * (criterion->at[criterion->band_count - 1] - criterion->at[0]);
            bool higher = cg_measure_get_info(criterion->measure)->higher_is_better;
            value->value += test_random_int(&random, 0, 1) == 0 ? 0 : higher ? by : -by;
        }
        cg_score before = cg_task_score(task, &measures), after = cg_task_score(task, &better);
        if (!CHECK(after.points >= before.points - 1e-9) || !CHECK(after.passed || !before.passed)) {
            printf("%s: %.2f points, then %.2f for better\n", name, before.points, after.points);
            return;
        }
    }
}

TEST(better_is_never_worth_less)
{
    each_task(look_at_better);
}

static bool has_line(const cg_task *task, int measure)
{
    for (int i = 0; i < task->criterion_count; i++) {
        if (task->criteria[i].measure == measure) {
            return true;
        }
    }
    return false;
}

static int tasks_with_targets;

// One more target, with up to three misses as before.
static void look_at_targets(const char *name, const cg_task *task)
{
    enum { TARGETS = 6 };
    if (!has_line(task, CG_MEASURE_targets_reached)) {
        return;
    }
    tasks_with_targets++;
    for (int misses = 0; misses <= 3; misses++) {
        double before = 0;
        for (int reached = 0; reached <= TARGETS; reached++) {
            cg_measures measures = best_measures(task);
            measures.of[CG_MEASURE_targets_reached].value = (double)reached / TARGETS;
            measures.of[CG_MEASURE_misses].value = misses;
            measures.of[CG_MEASURE_time].value = 10.0 * reached; // more takes longer
            double points = cg_task_score(task, &measures).points;
            if (!CHECK(points >= before - 1e-9)) {
                printf("%s: %.1f points for %d targets, %.1f for one less\n", name, points, reached, before);
            }
            before = points;
        }
    }
}

TEST(one_more_target_is_never_worth_less)
{
    tasks_with_targets = 0;
    each_task(look_at_targets);
    CHECK(tasks_with_targets >= 7);
}

// Well done at any pace is passed, and what fails at leisure fails in haste too.
static void look_at_haste(const char *name, const cg_task *task)
{
    uint64_t random = 13;
    cg_measures slow = best_measures(task);
    slow.of[CG_MEASURE_time] = (cg_measured){true, 1e6, -1};
    if (!CHECK(cg_task_score(task, &slow).passed)) {
        printf("%s is not passed without points of time\n", name);
    }
    for (int round = 0; round < 500; round++) {
        cg_measures measures = draw_measures(&random, task);
        measures.of[CG_MEASURE_time] = (cg_measured){true, 0, -1};
        bool in_haste = cg_task_score(task, &measures).passed;
        measures.of[CG_MEASURE_time].value = 1e6;
        CHECK(in_haste == cg_task_score(task, &measures).passed);
    }
}

TEST(haste_alone_decides_nothing)
{
    each_task(look_at_haste);
}
