// What the seed of an attempt moves: drawn within its bounds, told to the scene as it is to the goal.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "catgut/task.h"
#include "harness.h"
#include "task/task.h"

#define GOAL "{\"line\": {\"points\": [[0, 0, 0], [\"10 mm\", 0, 0]], \"tolerance\": \"1 mm\", \"across\": [1, 0, 0]}}"

static cg_task *read_task(const char *vary)
{
    char text[1200];
    cg_task *task;
    cg_scene_error error;
    snprintf(text, sizeof text,
             "{\"title\": \"t\", \"scene\": \"s\", \"instructions\": [\"Go.\"], \"goal\": " GOAL ", \"vary\": [%s], "
             "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]}]}",
             vary);
    if (!CHECK(cg_task_read(text, strlen(text), "t.json", NULL, &task, &error).code == CG_OK)) {
        fprintf(stderr, "%s\n", error.message);
    }
    return task;
}

static void refuse(const char *vary, const char *expected)
{
    char text[600];
    cg_task *task;
    cg_scene_error error;
    snprintf(text, sizeof text,
             "{\"title\": \"t\", \"scene\": \"s\", \"instructions\": [\"Go.\"], \"goal\": " GOAL ",\n\"vary\": [%s], "
             "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]}]}",
             vary);
    CHECK(cg_task_read(text, strlen(text), "t.json", NULL, &task, &error).code == CG_BAD_INPUT);
    if (!CHECK(strstr(error.message, expected) != NULL)) {
        fprintf(stderr, "%s\n", error.message);
    }
}

TEST(draws_fill_their_bounds_and_never_leave_them)
{
    cg_task *task = read_task("{\"goal\": true, \"shift\": [\"4 mm\", 0, \"1 mm\"], \"turn\": \"30 deg\"}");
    double most = 0, least = 0, turned = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        cg_goal goal = cg_task_goal(task, seed);
        cg_vec3 start = goal.line.points[0], way = v3_sub(goal.line.points[1], start);
        CHECK(fabs(start.x) <= 4e-3 && start.y == 0 && fabs(start.z) <= 1e-3);
        CHECK_NEAR(v3_length(way), 10e-3, 1e-15);
        CHECK(fabs(atan2(way.y, way.x)) <= 30 * CG_PI / 180 + 1e-12 && way.z == 0);
        CHECK_NEAR(v3_length(v3_cross(goal.line.across, way)), 0, 1e-15); // it turns with the line
        most = fmax(most, start.x);
        least = fmin(least, start.x);
        turned = fmax(turned, atan2(way.y, way.x));
    }
    CHECK(most > 3.99e-3 && least < -3.99e-3 && turned > 29.9 * CG_PI / 180);
    cg_task_free(task);
}

TEST(a_seed_draws_the_same_again_and_the_next_one_something_else)
{
    cg_task *task = read_task("{\"goal\": true, \"shift\": [1, 1, 1]}, {\"hands\": [\"left\"], \"shift\": [1, 0, 0]}");
    cg_goal one = cg_task_goal(task, 7), same = cg_task_goal(task, 7), other = cg_task_goal(task, 8);
    CHECK(memcmp(one.line.points, same.line.points, 2 * sizeof one.line.points[0]) == 0);
    CHECK(v3_distance(one.line.points[0], other.line.points[0]) > 1e-3);
    cg_task_free(task);
}

// A dish that is written where the line ends (10 mm, 0, 0) stands where the goal has that end, and other things too.
static void check_dish(const char *moves, cg_vec3 expected)
{
    static const char things[] =
        "\"threads\": [{\"name\": \"a \\\"b\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.01, 0, 0]}}}, "
        "{\"name\": \"c\", \"shape\": {\"line\": {\"from\": [0, 0, 1], \"to\": [0.01, 0, 1]}}}], "
        "\"shapes\": [{\"name\": \"dish\", \"sphere\": {\"radius\": 0.01}, \"position\": [\"10 mm\", 0, 0]}]";
    char text[1000];
    cg_scene *scene = NULL;
    cg_scene_error error;
    cg_world *world = NULL;
    snprintf(text, sizeof text, "{%s%s}", moves, things);
    if (CHECK_STR(cg_scene_read(text, strlen(text), "t.json", NULL, NULL, &scene, &error).message, "") &&
        CHECK_STR(cg_scene_build(scene, NULL, &world).message, "")) {
        cg_vec3 dish = cg_shape_get_pose(world, (cg_shape_id){1, 1}).position;
        CHECK_NEAR(dish.x, expected.x, 0);
        CHECK_NEAR(dish.y, expected.y, 0);
        CHECK_NEAR(dish.z, expected.z, 0);
        CHECK(fabs(dish.y) > 1e-3 && dish.z != 0); // every part of the move shows
    }
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// What the text moves is what the goal is moved by: a dish and where it counts stay together.
TEST(the_scene_is_told_what_the_goal_is)
{
    static const char begin[] = "\"moves\": [{\"threads\": [\"a \\u0022b\", \"c\"], \"shapes\": [\"dish\"], ";
    cg_task *task =
        read_task("{\"shapes\": [\"dish\"], \"threads\": [\"a \\\"b\", \"c\"], \"goal\": true, "
                  "\"shift\": [\"4 mm\", \"5 mm\", \"6 mm\"], \"turn\": \"50 deg\", \"about\": [0.5, -0.25, 2]}");
    char text[400], small[20];
    size_t length = cg_task_write_moves(task, 3, text, sizeof text);
    CHECK_INT((int)length, (int)strlen(text));
    CHECK(strncmp(text, begin, sizeof begin - 1) == 0);
    check_dish(text, cg_task_goal(task, 3).line.points[1]);
    CHECK_INT((int)cg_task_write_moves(task, 3, NULL, 0), (int)length);
    CHECK_INT((int)cg_task_write_moves(task, 3, small, sizeof small), (int)length);
    CHECK_INT((int)strlen(small), (int)sizeof small - 1);
    cg_task_free(task);
    task = read_task("");
    CHECK_INT((int)cg_task_write_moves(task, 3, text, sizeof text), 0);
    CHECK_STR(text, "");
    cg_task_free(task);
}

static void check_line(const cg_task *task, const cg_recorded_attempt *attempt, const cg_vec3 *expected)
{
    cg_task_marks marks = cg_recorded_marks(task, attempt);
    CHECK_INT(marks.line_count, 2);
    CHECK(memcmp(marks.line, expected, 2 * sizeof *expected) == 0);
}

// Recordings of before tasks varied have the goal as it is written, those that tell it theirs, though bounds changed.
TEST(marks_of_an_attempt_are_where_they_were)
{
    static const char bounds[] =
        "{\"goal\": true, \"shift\": [\"4 mm\", 0, 0], \"turn\": \"30 deg\", \"about\": [1, 0, 0]}, "
        "{\"goal\": true, \"shift\": [0, \"4 mm\", 0], \"turn\": \"30 deg\"}";
    cg_task *task = read_task(bounds), *edited = read_task("{\"goal\": true, \"shift\": [\"1 mm\", \"1 mm\", 0]}");
    cg_recorded_attempt attempt = {.seed = 3};
    check_line(task, &attempt, task->goal.line.points);
    attempt.varied = true;
    check_line(task, &attempt, cg_task_get_marks(task, 3).line);
    attempt.goal_told = true;
    attempt.goal = cg_task_draw_goal(task, 3);
    check_line(edited, &attempt, cg_task_get_marks(task, 3).line);
    cg_task_free(task);
    cg_task_free(edited);
}

TEST(mistakes_are_told)
{
    refuse("{\"threads\": [3]}", "found a number; expected a name");
    refuse("{\"shift\": [-1, 0, 0]}", "-1");
    refuse("{\"turn\": \"181 deg\"}", "expected at least 0 and at most 3.14159265 rad");
    refuse("{\"needles\": []}", "which is no field of a variation");
}
