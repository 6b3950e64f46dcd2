// What a task shows of its goal: the places that its file names, in metres.
#include <stdio.h>
#include <string.h>

#include "catgut/task.h"
#include "harness.h"

static cg_task *read_task(const char *goal)
{
    char text[1000];
    cg_task *task;
    cg_scene_error error;
    snprintf(
        text, sizeof text,
        "{\"title\": \"t\", \"scene\": \"s\", \"instructions\": [\"Go.\"], \"goal\": %s, \"rubric\": [{\"measure\": "
        "\"time\", \"bands\": [[1, 2], [3, 0]]}]}",
        goal);
    CHECK(cg_task_read(text, strlen(text), "t.json", NULL, &task, &error).code == CG_OK);
    return task;
}

TEST(targets_are_those_that_scripts_go_to)
{
    cg_task *task = read_task("{\"targets\": {\"radius\": \"30 mm\", \"count\": 5, \"size\": \"3 mm\"}}");
    cg_vec3 targets[CG_TASK_MOST_TARGETS];
    cg_task_marks marks = cg_task_get_marks(task, 7);
    CHECK_INT(marks.target_count, 5);
    CHECK_INT(cg_task_targets(task, 7, targets), 5);
    CHECK(memcmp(targets, marks.targets, 5 * sizeof targets[0]) == 0);
    CHECK_NEAR(marks.target_size, 0.003, 1e-15);
    CHECK_INT(marks.line_count, 0);
    CHECK(!marks.has_dish && marks.knot == NULL);
    cg_task_free(task);
}

TEST(a_line_has_its_corners_and_one_that_is_drawn_first_has_none)
{
    cg_task *task = read_task("{\"line\": {\"points\": [[0, 0, 0], [\"10 mm\", 0, 0], [\"10 mm\", \"5 mm\", 0]], "
                              "\"while\": \"closed\", \"tolerance\": \"2 mm\"}}");
    cg_task_marks marks = cg_task_get_marks(task, 1);
    CHECK_INT(marks.line_count, 3);
    CHECK_NEAR(marks.line[2].y, 0.005, 1e-15);
    CHECK_NEAR(marks.line_tolerance, 0.002, 1e-15);
    cg_task_free(task);
    task = read_task(
        "{\"line\": {\"retrace\": true, \"least\": \"50 mm\", \"while\": \"closed\", \"tolerance\": \"1 mm\"}}");
    CHECK_INT(cg_task_get_marks(task, 1).line_count, 0);
    cg_task_free(task);
}

TEST(a_dish_and_a_knot)
{
    cg_task *task =
        read_task("{\"items\": {\"position\": [\"60 mm\", 0, 0], \"radius\": \"18 mm\", \"height\": \"15 mm\"}}");
    cg_task_marks marks = cg_task_get_marks(task, 1);
    CHECK(marks.has_dish);
    CHECK_NEAR(marks.dish.x, 0.06, 1e-15);
    CHECK_NEAR(marks.dish_radius, 0.018, 1e-15);
    CHECK_NEAR(marks.dish_height, 0.015, 1e-15);
    cg_task_free(task);
    task = read_task("{\"knot\": {\"name\": \"square\"}}");
    marks = cg_task_get_marks(task, 1);
    CHECK(marks.knot != NULL && strcmp(marks.knot, "square") == 0);
    cg_task_free(task);
}

TEST(a_stitch_has_its_marks_and_its_knot)
{
    cg_task *task = read_task("{\"stitch\": {\"marks\": [[0, \"5 mm\", 0], [0, \"-5 mm\", 0]], \"size\": \"2 mm\", "
                              "\"wound\": [[0, 0, 0], [\"4 mm\", 0, 0]], \"knot\": \"square\"}}");
    cg_task_marks marks = cg_task_get_marks(task, 1);
    CHECK_INT(marks.target_count, 2);
    CHECK_NEAR(marks.targets[1].y, -0.005, 1e-15);
    CHECK_NEAR(marks.target_size, 0.002, 1e-15);
    CHECK_STR(marks.knot, "square");
    cg_vec3 targets[CG_TASK_MOST_TARGETS];
    CHECK_INT(cg_task_targets(task, 1, targets), 0); // no seed moves them
    cg_task_free(task);
}
