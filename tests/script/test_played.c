// label: slow
// label: once
// each: scenes/scripts/*.script scenes/tasks/*.script scenes/tasks/*.json
// Every script and every expert is played, as the file of the script says: of a script each line "catgut run SCENE
// --script NAME" or "catgut try TASK --script NAME" in the words before its first step, of a task its expert. What its
// lines expect must hold, an expert must pass, at most 2 % of the steps end unfinished, and no more than 50 in a row.
// Those that say "long:" there take more than 20 s of CPU: by default only their first steps are played, with
// CATGUT_FULL=1 all of them. "fault: WORDS" there says what is known to be wrong with how one ends today (KNOWN_FAULT).
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "support/scene_files.h"
#include "support/scene_names.h"
#include "training/task_files.h"
#include "training/trial.h"

static const double MOST_UNFINISHED = 0.02;
enum { MOST_IN_A_ROW = 50, FIRST_STEPS = 1500, MOST_TEXT = 1 << 20, MOST_LINE = 300 };

// What is counted of a play.
typedef struct play_counts {
    char name[2 * MOST_LINE];
    long steps, unfinished, in_a_row, most_in_a_row;
    bool is_whole; // it was played to its end
    clock_t began;
} play_counts;

static void begin_play(play_counts *play, const char *kind, const char *what, const char *script)
{
    memset(play, 0, sizeof *play);
    snprintf(play->name, sizeof play->name, "%s %s --script %s", kind, what, script);
    play->began = clock();
}

static bool make_step(play_counts *play, cg_session *session, bool is_long)
{
    const cg_world *world = cg_session_world(session);
    uint64_t before = cg_world_get_stats(world).unfinished_steps;
    cg_session_step(session);
    bool is_unfinished = cg_world_get_stats(world).unfinished_steps > before;
    play->steps++;
    play->unfinished += is_unfinished;
    play->in_a_row = is_unfinished ? play->in_a_row + 1 : 0;
    play->most_in_a_row = play->in_a_row > play->most_in_a_row ? play->in_a_row : play->most_in_a_row;
    return !is_long || test_is_full() || play->steps < FIRST_STEPS;
}

// What follows "# WORD: " in a line before the first step; NULL: there is no such line.
static const char *find_mark(const char *text, const char *word)
{
    char line[40];
    snprintf(line, sizeof line, "\n# %s: ", word);
    const char *first = strstr(text, "\nstep "), *mark = strstr(text, line);
    return mark != NULL && (first == NULL || mark < first) ? mark + strlen(line) : NULL;
}

// `text` is that of the script. The time is told and not judged.
static void judge(const play_counts *play, cg_script_state script, const char *text)
{
    static char fault[MOST_LINE]; // it must last until the case ends
    const char *mark = find_mark(text, "fault");
    double share = play->steps > 0 ? (double)play->unfinished / (double)play->steps : 0;
    printf("%s: %ld of %ld steps unfinished, at most %ld in a row, %.1f s of CPU%s\n", play->name, play->unfinished,
           play->steps, play->most_in_a_row, (double)(clock() - play->began) / CLOCKS_PER_SEC,
           play->is_whole ? "" : " (its first steps)");
    CHECK_STR(script.error.message, "");
    CHECK(!play->is_whole || script.phase == CG_SCRIPT_DONE || script.phase == CG_SCRIPT_RUNNING);
    if (mark != NULL && play->is_whole) {
        snprintf(fault, sizeof fault, "%.*s", (int)strcspn(mark, "\n"), mark);
        KNOWN_FAULT(fault);
    }
    CHECK(share <= MOST_UNFINISHED);
    CHECK(play->most_in_a_row <= MOST_IN_A_ROW);
}

static char *read_text(const char *path, size_t *size)
{
    char why[128];
    char *text = cg_file_read(path, MOST_TEXT, size, why, sizeof why);
    if (!CHECK(text != NULL)) {
        fprintf(stderr, "%s: %s\n", path, why);
    }
    return text;
}

static void play_in_scene(const char *scene_word, const char *script_word)
{
    char scene_path[CG_MOST_PATH], script_path[CG_MOST_PATH];
    cg_scene_error error = {0};
    cg_scene *scene = NULL;
    cg_session *session = NULL;
    cg_session_def def = cg_session_def_default();
    size_t size;
    play_counts now;
    begin_play(&now, "run", scene_word, script_word);
    bool good = cg_find_named(scene_word, CG_NAMED_SCENE, scene_path, &error) &&
                cg_find_named(script_word, CG_NAMED_SCRIPT, script_path, &error) &&
                cg_scene_load(scene_path, &scene, &error) &&
                cg_session_create(&def, scene, &session, &error).code == CG_OK;
    char *text = good ? read_text(script_path, &size) : NULL;
    good = text != NULL && cg_session_run_script(session, text, size, script_path, &error).code == CG_OK;
    if (CHECK(good)) {
        bool stops = find_mark(text, "long") != NULL, goes_on = true;
        while (goes_on && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING) {
            goes_on = make_step(&now, session, stops);
        }
        now.is_whole = goes_on;
        cg_script_state script = cg_session_get_script(session);
        CHECK(!now.is_whole || script.phase == CG_SCRIPT_DONE);
        judge(&now, script, text);
    } else {
        cg_scene_error_print(&error, stderr);
    }
    free(text);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// An attempt ends with its task, too, before its script has. `script_word` NULL: the expert's, which must pass.
static void play_in_task(const char *task_word, const char *script_word)
{
    cg_trial trial = {.task_word = task_word, .script_word = script_word, .seed = 1};
    size_t size;
    play_counts now;
    begin_play(&now, "try", task_word, script_word != NULL ? script_word : "(the expert's)");
    bool begins = CHECK(cg_trial_load(&trial, stderr)) && CHECK(cg_trial_begin(&trial, stderr));
    char *text = begins ? read_text(trial.script_path, &size) : NULL;
    if (text != NULL) {
        bool stops = find_mark(text, "long") != NULL, goes_on = true;
        do {
            goes_on = make_step(&now, trial.session, stops);
            trial.state = cg_attempt_look(trial.attempt);
            trial.script = cg_session_get_script(trial.session);
        } while (goes_on && !trial.state.over && trial.script.phase == CG_SCRIPT_RUNNING);
        now.is_whole = goes_on;
        judge(&now, trial.script, text);
        if (now.is_whole && CHECK(cg_trial_score(&trial, stderr)) && script_word == NULL) {
            CHECK(trial.score.passed);
        }
    }
    free(text);
    cg_trial_end(&trial);
}

// The words of a command in a line, as "catgut WHAT A --script B"; how many there are of A and B.
static int read_command(const char *line, const char *what, char first[MOST_LINE], char second[MOST_LINE])
{
    char format[64];
    snprintf(format, sizeof format, "# catgut %s %%255s --script %%255s", what);
    int count = sscanf(line, format, first, second);
    return count > 0 ? count : 0;
}

static void play_script(const char *path)
{
    size_t size;
    char *text = read_text(path, &size), scene[MOST_LINE], script[MOST_LINE];
    int commands = 0;
    for (char *line = text; line != NULL && *line != '\0' && strncmp(line, "step ", 5) != 0;) {
        char *end = strchr(line, '\n');
        bool is_run = read_command(line, "run", scene, script) == 2;
        int words = is_run ? 2 : read_command(line, "try", scene, script);
        commands += words > 0;
        if (is_run) {
            play_in_scene(scene, script);
        } else if (words == 2) {
            play_in_task(scene, script);
        } // "catgut try TASK" alone: the expert of a task, which is a case of its own
        line = end != NULL ? end + 1 : NULL;
    }
    if (!CHECK(commands > 0)) {
        fprintf(stderr, "%s does not say how it is played\n", path);
    }
    free(text);
}

static void play_expert(const char *path)
{
    char name[80];
    cg_task *task = NULL;
    cg_scene_error error;
    if (!CHECK(cg_task_load(path, &task, &error))) {
        cg_scene_error_print(&error, stderr);
        return;
    }
    cg_task_name(path, name, sizeof name);
    bool has_expert = cg_task_expert(task) != NULL;
    cg_task_free(task);
    if (has_expert) {
        play_in_task(name, NULL);
    } else {
        test_skip("a task without an expert");
    }
}

TEST(to_the_end)
{
    const char *path = getenv("CATGUT_EACH");
    if (path == NULL) {
        test_skip("CATGUT_EACH names the script or the task that is played");
        return;
    }
    if (!CHECK(chdir(CATGUT_SOURCE_DIR) == 0)) {
        return;
    }
    const char *ending = strrchr(path, '.');
    if (ending != NULL && strcmp(ending, ".script") == 0) {
        play_script(path);
    } else {
        play_expert(path);
    }
}
