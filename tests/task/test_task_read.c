// Task files: what is read, and where a mistake is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/task.h"
#include "harness.h"
#include "task/knots.h"
#include "task/task.h"

static const char HEAD[] = "{\"title\": \"t\", \"scene\": \"cord\", \"instructions\": [\"Go.\"],\n";
static const char GOAL[] = "\"goal\": {\"knot\": {\"name\": \"square\"}},\n";
static const char RUBRIC[] = "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]}]}";

static void refuse(const char *goal, const char *rubric, const char *expected)
{
    char text[2000], said[600];
    cg_task *task;
    cg_scene_error error;
    snprintf(text, sizeof text, "%s%s%s", HEAD, goal, rubric);
    cg_status status = cg_task_read(text, strlen(text), "t.json", NULL, &task, &error);
    CHECK(status.code == CG_BAD_INPUT);
    CHECK(task == NULL);
    snprintf(said, sizeof said, "%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    CHECK_STR(said, expected);
    cg_task_free(task);
}

TEST(mistakes_have_their_place)
{
    refuse(GOAL, "\"rubric\": [{\"measure\": \"tiem\", \"bands\": [[1, 2], [3, 0]]}]}",
           "t.json:3:24: found \"tiem\"; did you mean \"time\"? expected \"time\", \"path_length\", \"economy\", "
           "\"idle_time\", \"movements\", \"sparc\", \"jerk\", \"working_volume\", \"hand_balance\", \"peak_force\", "
           "\"grasps\", \"missed_grasps\", ...");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 4]]}]}",
           "t.json:3:50: found more points for a higher time; expected no more, as less of it is better");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"throws\", \"bands\": [[1, 2], [3, 1]]}]}",
           "t.json:3:52: found fewer points for a higher throws; expected no fewer, as more of it is better");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"time\", \"bands\": [[3, 2], [3, 0]]}]}",
           "t.json:3:50: found a value that is not above the one before; expected rising values");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"time\", \"bands\": [[\"1 mm\", 2], [3, 0]]}]}",
           "t.json:3:43: found \"1 mm\", a length; expected a time such as \"1 ms\"");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2, 3], [3, 0]]}]}",
           "t.json:3:42: found an array of another length; expected a pair [value, points]");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 0], [3, 0]]}]}",
           "t.json:3:41: found no points for any value; expected some");
    refuse(GOAL, "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, -2], [3, -4]]}]}",
           "t.json:3:46: found -2 points; expected 0 to 1000");
    refuse(GOAL,
           "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]},\n"
           "{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]}]}",
           "t.json:4:1: found the measure time a second time; expected it once");
    refuse("\"goal\": {},\n", RUBRIC,
           "t.json:2:9: found 0 fields in a goal; expected exactly one of targets, line, ...");
    refuse("\"goal\": {\"line\": {\"points\": [[0, 0, 0], [0, 0, 0]], \"tolerance\": \"1 mm\"}},\n", RUBRIC,
           "t.json:2:41: found the point before it again; expected one that is elsewhere");
    refuse(
        "\"mistakes\": [{\"script\": \"late\", \"measure\": \"sparc\"}],\n\"goal\": {\"knot\": {\"name\": \"3_1\"}},\n",
        RUBRIC, "t.json:2:14: found the measure sparc; expected one of the rubric");
    refuse("\"goal\": {\"line\": {\"retrace\": false, \"tolerance\": \"1 mm\"}},\n", RUBRIC,
           "t.json:2:30: found false; expected true, or \"points\"");
    refuse("\"goal\": {\"stitch\": {\"out\": true}},\n", RUBRIC,
           "t.json:2:20: found nothing to be sewn; expected \"marks\", \"holes\" or \"wound\"");
    refuse("\"goal\": {\"stitch\": {\"holes\": 2, \"knots\": 3}},\n", RUBRIC,
           "t.json:2:42: found a number of knots; expected \"knot\" with it, and no \"thread\"");
    refuse("\"goal\": {\"stitch\": {\"marks\": [[0, 0, 0], [0, 0, 0]]}},\n", RUBRIC,
           "t.json:2:42: found the point before it again; expected one that is elsewhere");
    refuse(GOAL, "\"rubrik\": []}",
           "t.json:3:1: found \"rubrik\", which is no field of a task; did you mean \"rubric\"?");
}

TEST(a_task_is_read_whole)
{
    const char *text = "{\"title\": \"Touch\", \"scene\": \"ball\", \"instructions\": [\"One.\", \"Two.\"],\n"
                       "\"time_limit\": \"2 s\", \"expert\": \"best\",\n"
                       "\"goal\": {\"targets\": {\"radius\": \"3 cm\", \"count\": 5, \"size\": \"2 mm\"}},\n"
                       "\"mistakes\": [{\"script\": \"slow\", \"measure\": \"time\"}],\n"
                       "\"rubric\": [{\"measure\": \"time\", \"bands\": [[1, 2], [3, 0]]}], // a comment\n}";
    cg_task *task;
    cg_scene_error error;
    const char *script;
    int measure;
    cg_vec3 targets[CG_TASK_MOST_TARGETS];
    if (!CHECK(cg_task_read(text, strlen(text), "t.json", NULL, &task, &error).code == CG_OK)) {
        return;
    }
    CHECK_STR(cg_task_title(task), "Touch");
    CHECK_STR(cg_task_scene(task), "ball");
    CHECK_STR(cg_task_instruction(task, 1), "Two.");
    CHECK(cg_task_instruction(task, 2) == NULL);
    CHECK_NEAR(cg_task_time_limit(task), 2, 0);
    CHECK_STR(cg_task_expert(task), "best");
    CHECK(cg_task_mistake(task, 0, &script, &measure));
    CHECK_STR(script, "slow");
    CHECK_INT(measure, CG_MEASURE_time);
    CHECK(!cg_task_mistake(task, 1, &script, &measure));
    CHECK_INT(cg_task_targets(task, 1, targets), 5);
    cg_task_free(task);
}

// A double throw and one single one is a surgeon's knot too, and not what FLS asks for.
TEST(a_knot_is_asked_for_by_its_throws)
{
    const cg_knot_report whole = {.name = "7_5", .common = "surgeon's", .throws_text = "2=1=1"};
    const cg_knot_report half = {.name = "5_2", .common = "surgeon's", .throws_text = "2=1"};
    CHECK(cg_knot_is(&whole, "2=1=1") && !cg_knot_is(&half, "2=1=1"));
    CHECK(cg_knot_is(&half, "surgeon's") && cg_knot_is(&half, "5_2") && !cg_knot_is(&half, "square"));
}

TEST(no_text_brings_it_down)
{
    char text[600];
    uint64_t random = 4;
    snprintf(text, sizeof text, "%s%s%s", HEAD, GOAL, RUBRIC);
    size_t size = strlen(text);
    int refused = 0;
    for (int i = 0; i < test_count(3000, 300000); i++) {
        char changed[600];
        memcpy(changed, text, size + 1);
        for (int k = test_random_int(&random, 1, 3); k > 0; k--) {
            changed[test_random_int(&random, 0, (int)size - 1)] = (char)test_random_int(&random, 1, 255);
        }
        cg_task *task;
        cg_scene_error error;
        bool good = cg_task_read(changed, size, "t.json", NULL, &task, &error).code == CG_OK;
        refused += !good;
        if (!CHECK(good == (task != NULL) && (good || error.message[0] != '\0'))) {
            return;
        }
        cg_task_free(task);
    }
    CHECK(refused > 1000);
}
