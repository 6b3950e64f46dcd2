// Knots that a task asks for in several threads: what an attempt waits for, and what its recording tells.
#include <stdio.h>
#include <stdlib.h>

#include "catgut/catgut.h"
#include "catgut/task.h"
#include "session/session_rig.h"

// Two threads with an overhand knot, tails of 15 and 25 mm, and a straight one, over a pad whose wound is a scratch.
static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"threads\": ["
    "{\"name\": \"a\", \"suture\": \"3-0 nylon\", \"drag\": 100, \"spacing\": \"0.5 mm\","
    " \"shape\": {\"knot\": {\"kind\": \"overhand\", \"tail\": \"15 mm\", \"position\": [0, 0, \"20 mm\"]}}},"
    "{\"name\": \"straight\", \"shape\": {\"line\": {\"from\": [0, 0, 0.06], \"to\": [0.02, 0, 0.06]}}, \"vertices\": "
    "9},"
    "{\"name\": \"b\", \"suture\": \"3-0 nylon\", \"drag\": 100, \"spacing\": \"0.5 mm\","
    " \"shape\": {\"knot\": {\"kind\": \"overhand\", \"tail\": \"25 mm\", \"position\": [0, 0, \"40 mm\"]}}}],"
    "\"tissues\": [{\"pad\": {\"length\": \"24 mm\", \"width\": \"24 mm\","
    " \"wound\": {\"kind\": \"ellipse\", \"length\": \"12 mm\", \"width\": \"1 mm\", \"depth\": \"4 mm\"}},"
    " \"layers\": [{\"material\": \"skin\", \"thickness\": \"6 mm\"}], \"spacing\": \"4 mm\", \"fix_rim\": true}]}";

static cg_task *task_of(const char *knots)
{
    char text[512];
    cg_task *task = NULL;
    cg_scene_error error;
    snprintf(text, sizeof text,
             "{\"title\": \"t\", \"scene\": \"s\", \"instructions\": [\"Tie.\"], \"goal\": {\"stitch\": {"
             "\"wound\": [[\"-1 mm\", 0, 0], [\"1 mm\", 0, 0]], \"gap\": \"3 mm\", \"hold\": 0, \"knot\": %s}},"
             "\"rubric\": [{\"measure\": \"knot_right\", \"bands\": [[0, 0], [1, 1]]}]}",
             knots);
    cg_task_read(text, strlen(text), "t.json", NULL, &task, &error);
    CHECK_STR(error.message, "");
    return task;
}

typedef struct outcome {
    bool reached; // by the attempt
    cg_measures measures;
} outcome;

static outcome look(const char *knots)
{
    outcome seen = {0};
    cg_task *task = task_of(knots);
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_attempt *attempt = NULL;
    cg_recording *recording = NULL;
    rig_bytes bytes = rig_bytes_make(4 << 20);
    cg_recorder_def def = rig_recorder_def(&bytes);
    CHECK_STR(cg_session_record(session, &def).message, "");
    CHECK_STR(cg_attempt_create(task, "t", 1, session, NULL, &attempt).message, "");
    // knots are looked for every 256 steps
    for (int i = 0; i < 256 && !seen.reached; i++) {
        cg_session_step(session);
        seen.reached = cg_attempt_look(attempt).reached;
    }
    cg_attempt_destroy(attempt);
    CHECK_STR(cg_session_end_recording(session).message, "");
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_measure_recording(recording, task, NULL, &seen.measures).message, "");
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_task_free(task);
    free(bytes.bytes);
    return seen;
}

static double value(const outcome *seen, cg_measure measure)
{
    CHECK(seen->measures.of[measure].known);
    return seen->measures.of[measure].value;
}

TEST(one_knot_is_that_of_the_thread_that_is_named)
{
    outcome first = look("\"overhand\""), named = look("\"overhand\", \"thread\": \"straight\"");
    CHECK(first.reached);
    CHECK_NEAR(value(&first, CG_MEASURE_knot_right), 1, 0);
    CHECK(!named.reached);
    CHECK_NEAR(value(&named, CG_MEASURE_knot_right), 0, 0);
}

TEST(as_many_threads_as_are_asked_for_must_have_the_knot)
{
    outcome two = look("\"overhand\", \"knots\": 2"), three = look("\"overhand\", \"knots\": 3");
    CHECK(two.reached);
    CHECK_NEAR(value(&two, CG_MEASURE_knot_right), 1, 0);
    CHECK_NEAR(value(&two, CG_MEASURE_throws), 1, 0);
    CHECK_STR(two.measures.knot.common, "overhand");
    CHECK(!three.reached);
    CHECK_NEAR(value(&three, CG_MEASURE_knot_right), 0, 0);
    CHECK_NEAR(value(&three, CG_MEASURE_throws), 0, 0);
    CHECK_STR(three.measures.knot.common, "no knot");
}

// Of several knots the shortest and the longest tail count; alone, each is that of its own thread.
TEST(the_longest_tail_of_all_knots_counts)
{
    outcome one = look("\"overhand\""), other = look("\"overhand\", \"thread\": \"b\"");
    outcome both = look("\"overhand\", \"knots\": 2");
    CHECK(value(&other, CG_MEASURE_longest_tail) > value(&one, CG_MEASURE_longest_tail) + 2e-3);
    CHECK_NEAR(value(&both, CG_MEASURE_tail_length), value(&one, CG_MEASURE_tail_length), 0);
    CHECK_NEAR(value(&both, CG_MEASURE_longest_tail), value(&other, CG_MEASURE_longest_tail), 0);
}

TEST(another_knot_does_not_count)
{
    outcome square = look("\"square\", \"knots\": 2");
    CHECK(!square.reached);
    CHECK_NEAR(value(&square, CG_MEASURE_knot_right), 0, 0);
    CHECK_STR(square.measures.knot.common, "overhand");
}
