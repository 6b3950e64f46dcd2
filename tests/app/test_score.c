// catgut score and catgut try, as a person or a program meets them.
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "catgut/session.h"
#include "harness.h"
#include "json_check.h"
#include "run_app.h"

#define KEPT CATGUT_SOURCE_DIR "/tests/app/kept/touch"

// A recording of an earlier program, its task as it was then, and what was printed when it was made: to the last digit.
TEST(a_kept_recording_scores_as_it_did)
{
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    app_run run = run_app("score tests/app/kept/touch.cgr --task tests/app/kept/touch.json --json");
    char *expected = read_text(KEPT ".score.json");
    CHECK_INT(run.code, CG_EXIT_BAD_RESULT);
    CHECK_STR(run.err, "");
    CHECK(json_is_valid(run.out));
    if (CHECK(expected != NULL)) {
        CHECK_STR(run.out, expected);
    }
    free(expected);
    app_run_free(&run);
}

TEST(words_name_what_cost_points_and_when)
{
    app_run run = run_app("score " KEPT ".cgr --task " KEPT ".json");
    CHECK_INT(run.code, CG_EXIT_BAD_RESULT);
    CHECK(contains(run.out, "not passed: 50.0 of 100 points"));
    CHECK(contains(run.out, "misses"));
    CHECK(contains(run.out, "Lift the tip off the ball"));
    app_run_free(&run);
}

TEST(a_recording_without_a_task_is_measured)
{
    app_run run = run_app("score " CATGUT_SOURCE_DIR "/tests/record/golden.cgr");
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK(contains(run.out, "path_length"));
    app_run_free(&run);
    run = run_app("score " CATGUT_SOURCE_DIR "/tests/record/format1.cgr --json"); // holds no hands
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK(json_is_valid(run.out));
    CHECK(contains(run.out, "\"time\""));
    CHECK(!contains(run.out, "path_length"));
    app_run_free(&run);
}

// What a seed moved is in the recording: it is replayed to the same bits, and scored as it was when it was made.
TEST(a_varied_attempt_is_replayed_and_scored_again)
{
    char words[200], path[] = "/tmp/catgut-varied-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0 && chdir(CATGUT_SOURCE_DIR) == 0);
    snprintf(words, sizeof words, "try retrace --seed 5 --force --record %s --json", path);
    app_run made = run_app(words);
    CHECK_INT(made.code, CG_EXIT_DONE);
    snprintf(words, sizeof words, "replay %s", path);
    app_run replayed = run_app(words);
    CHECK_INT(replayed.code, CG_EXIT_DONE);
    snprintf(words, sizeof words, "score %s", path);
    app_run scored = run_app(words);
    CHECK_INT(scored.code, CG_EXIT_DONE);
    CHECK(contains(scored.out, "passed: 100.0 of 100 points"));
    app_run_free(&made);
    app_run_free(&replayed);
    app_run_free(&scored);
    close(file);
    unlink(path);
}

static void refuse(const char *words, const char *message)
{
    app_run run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_BAD_INPUT);
    CHECK_STR(run.out, "");
    if (!CHECK(contains(run.err, message))) {
        fprintf(stderr, "said: %s\n", run.err);
    }
    app_run_free(&run);
}

TEST(bad_words_are_refused)
{
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    refuse("score", "name a recording");
    refuse("score nowhere.cgr", "nowhere.cgr");
    refuse("score " KEPT ".cgr --task pont-and-touch", "did you mean \"point-and-touch\"?");
    refuse("score scenes/cord.json", "scenes/cord.json");
    refuse("try", "name a task");
    refuse("try square-knto", "did you mean \"square-knot\"?");
    refuse("try square-knot --seed -1", "expected a whole number");
    refuse("try square-knot --script nothing", "there is no file and no script of that name");
    refuse("try scenes/cord.json", "scenes/cord.json:");
}

TEST(an_attempt_is_recorded_and_scored_again_alike)
{
    char folder[64], words[256];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    snprintf(words, sizeof words, "try point-and-touch --seed 5 --record %s/a.cgr", folder);
    app_run first = run_app(words);
    CHECK_INT(first.code, CG_EXIT_DONE);
    snprintf(words, sizeof words, "score %s/a.cgr", folder);
    app_run second = run_app(words);
    CHECK_INT(second.code, CG_EXIT_DONE);
    const char *a = strstr(first.out, "  passed:"), *b = strstr(second.out, "  passed:");
    if (CHECK(a != NULL && b != NULL)) {
        CHECK(strncmp(a, b, strlen(b)) == 0);
    }
    app_run_free(&first);
    app_run_free(&second);
    snprintf(words, sizeof words, "%s/a.cgr", folder);
    CHECK(remove_scratch(folder));
}

static bool to_file(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

// Makes a recording of a few steps that says it is of this task.
static void record_with_task(const char *path, const char *task)
{
    static const char text[] = "{\"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.01, 0, 0]}}, "
                               "\"vertices\": 5}]}";
    cg_scene *scene;
    cg_scene_error error;
    cg_session *session;
    cg_session_def session_def = cg_session_def_default();
    cg_recorder_def def = cg_recorder_def_default();
    FILE *file = fopen(path, "wb");
    def.write = to_file;
    def.context = file;
    CHECK_STR(cg_scene_read(text, sizeof text - 1, "a", NULL, NULL, &scene, &error).message, "");
    CHECK_STR(cg_session_create(&session_def, scene, &session, &error).message, "");
    CHECK_STR(cg_session_record(session, &def).message, "");
    char event[120];
    snprintf(event, sizeof event, "task %s seed 1", task);
    cg_session_note(session, event);
    cg_session_step(session);
    CHECK_STR(cg_session_end_recording(session).message, "");
    cg_session_destroy(session);
    cg_scene_free(scene);
    fclose(file);
}

// A recording may come from anyone, so what it names is no path to open.
TEST(a_recording_names_its_task_by_a_plain_name)
{
    char folder[64], path[96], words[128], elsewhere[120];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    snprintf(words, sizeof words, "score %s", path);
    snprintf(elsewhere, sizeof elsewhere, "%s/../../etc/passwd", folder);
    const char *const names[] = {elsewhere, "scenes/tasks/untie.json", "..", "a\033[2J"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        record_with_task(path, names[i]);
        refuse(words, "names its task by a path, expected a plain name");
    }
    record_with_task(path, "untie");
    app_run run = run_app(words);
    CHECK_STR(run.err, "");
    CHECK(contains(run.out, "points"));
    app_run_free(&run);
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}

// Its points may be others than those that the trainee saw, so it is said.
TEST(an_edited_task_is_told)
{
    char folder[64], words[256], path[96], edited[96];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    snprintf(edited, sizeof edited, "%s/point-and-touch.json", folder);
    snprintf(words, sizeof words, "try point-and-touch --record %s", path);
    app_run run = run_app(words);
    app_run_free(&run);
    snprintf(words, sizeof words, "score %s", path);
    run = run_app(words);
    CHECK_STR(run.err, "");
    app_run_free(&run);
    char *text = read_text("scenes/tasks/point-and-touch.json");
    if (CHECK(text != NULL)) {
        char *points = strstr(text, "[1, 40]");
        memcpy(points, "[1, 50]", 7);
        write_text(edited, text, strlen(text));
    }
    free(text);
    snprintf(words, sizeof words, "score %s --task %s", path, edited);
    run = run_app(words);
    CHECK(contains(run.err, "the task was edited since"));
    CHECK(contains(run.out, "110.0 of 110 points"));
    app_run_free(&run);
    CHECK(remove_scratch(folder));
}

// The goal was where it was: bounds that are edited later do not move it under what was recorded.
TEST(bounds_that_are_edited_leave_the_goal_of_old_recordings)
{
    char folder[64], words[256], path[96], edited[96];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    snprintf(path, sizeof path, "%s/a.cgr", folder);
    snprintf(edited, sizeof edited, "%s/trace-a-line.json", folder);
    snprintf(words, sizeof words, "try trace-a-line --seed 5 --record %s", path);
    app_run run = run_app(words);
    CHECK_INT(run.code, CG_EXIT_DONE);
    app_run_free(&run);
    char *text = read_text("scenes/tasks/trace-a-line.json"), *bounds = NULL;
    if (CHECK(text != NULL) && CHECK((bounds = strstr(text, "\"30 deg\"")) != NULL)) {
        memcpy(bounds, "\"90 deg\"", 8);
        write_text(edited, text, strlen(text));
    }
    free(text);
    snprintf(words, sizeof words, "score %s --task %s", path, edited);
    run = run_app(words);
    CHECK(contains(run.err, "the task was edited since"));
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK(contains(run.out, "passed: 100.0 of 100 points"));
    app_run_free(&run);
    CHECK(remove_scratch(folder));
}

TEST(tasks_are_checked_with_their_scripts)
{
    char folder[64], path[96], words[128];
    make_scratch(folder);
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    app_run run = run_app("check square-knot scenes/tasks/untie.json cord");
    CHECK_INT(run.code, CG_EXIT_DONE);
    CHECK_STR(run.err, "");
    CHECK(contains(run.out, "square-knot.json: ok: a task"));
    CHECK(contains(run.out, "untie.json: ok: a task"));
    CHECK(contains(run.out, "cord.json: ok: 1 thread"));
    app_run_free(&run);
    // What a teacher may get wrong: a misspelt measure, a script that is not there, a name that the scene does not
    // have.
    const char *good =
        "{\"title\": \"t\", \"scene\": \"cord\", \"instructions\": [\"Go.\"], \"goal\": {\"knot\": {\"name\": "
        "\"square\"}},\n\"rubric\": [{\"measure\": \"%s\", \"bands\": [[1, 2], [3, 0]]}], \"expert\": \"%s\"}";
    static const char *const cases[][3] = {
        {"tme", "tie-square", "task.json:2:24: found \"tme\"; did you mean \"time\"?"},
        {"time", "tie-sqare", "there is no file and no script of that name"}};
    snprintf(path, sizeof path, "%s/task.json", folder);
    snprintf(words, sizeof words, "check %s", path);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, good, cases[i][0], cases[i][1]);
        write_text(path, text, strlen(text));
        refuse(words, cases[i][2]);
    }
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}
