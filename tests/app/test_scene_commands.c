// The commands check, list and completion, and scenes on disk.
#include "run_app.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "catgut/catalogue.h"
#include "harness.h"
#include "json_check.h"
#include "scene/broken.h"
#include "support/completion.h"
#include "support/scene_files.h"

// A new folder for a test; removed with all in it by the next line of `rm`.
static char *new_folder(void)
{
    static char folder[64];
    strcpy(folder, "/tmp/catgut-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    return folder;
}

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_INT(system(command), 0);
}

static void write_file(const char *folder, const char *name, const char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(text, 1, size, file) == size);
    fclose(file);
}

static app_run check_file(const char *folder, const char *name, const char *options)
{
    char words[256];
    snprintf(words, sizeof words, "check %s/%s%s", folder, name, options);
    return run_app(words);
}

TEST(check_refuses_every_broken_scene_in_one_line_with_exit_code_2)
{
    const char *folder = new_folder();
    for (int i = 0; i < BROKEN_COUNT; i++) {
        size_t size;
        int line, column;
        char *text = broken_text(&broken_scenes[i], &size, &line, &column), start[256];
        write_file(folder, "broken.json", text, size);
        app_run run = check_file(folder, "broken.json", "");
        snprintf(start, sizeof start, "%s/broken.json:%d:%d: ", folder, line, column);
        CHECK_INT(run.code, 2);
        CHECK_STR(run.out, "");
        CHECK(strncmp(run.err, start, strlen(start)) == 0);
        CHECK(strchr(run.err, '\n') == run.err + strlen(run.err) - 1);
        app_run_free(&run);
        free(text);
    }
    remove_folder(folder);
}

TEST(check_says_ok_and_writes_json)
{
    const char *folder = new_folder();
    static const char good[] = "{\"title\": \"a \\\"good\\\" one\", \"duration\": 2}", bad[] = "{\n  \"titel\": 1}";
    write_file(folder, "good.json", good, sizeof good - 1);
    write_file(folder, "bad.json", bad, sizeof bad - 1);
    app_run run = check_file(folder, "good.json", "");
    CHECK_INT(run.code, 0);
    CHECK(strstr(run.out, "good.json: ok: 0 threads, 2 s, a \"good\" one\n") != NULL);
    CHECK_STR(run.err, "");
    app_run_free(&run);
    run = check_file(folder, "bad.json", " --json");
    CHECK_INT(run.code, 2);
    CHECK(json_is_valid(run.out));
    CHECK(strstr(run.out, "\"line\": 2") != NULL && strstr(run.out, "\"column\": 3") != NULL);
    CHECK(strstr(run.out, "did you mean \\\"title\\\"?") != NULL && strstr(run.out, "\"ok\": false") != NULL);
    app_run_free(&run);
    run = check_file(folder, "missing.json", "");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "missing.json: cannot be read: No such file") != NULL);
    app_run_free(&run);
    run = check_file(folder, "", "");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "cannot be read") != NULL);
    app_run_free(&run);
    remove_folder(folder);
}

TEST(check_needs_a_scene_and_prints_schema_and_format)
{
    static const struct {
        const char *words;
        int code;
    } cases[] = {
        {"check", 2}, {"check --schema", 0}, {"check --format", 0}, {"check --schema x.json", 2}, {"check --sceme", 2}};
    for (int i = 0; i < 5; i++) {
        app_run run = run_app(cases[i].words);
        CHECK_INT(run.code, cases[i].code);
        CHECK((run.err[0] == '\0') == (cases[i].code == 0));
        if (i == 1) {
            CHECK(json_is_valid(run.out));
        }
        app_run_free(&run);
    }
}

TEST(check_finds_trouble_in_the_inputs_of_a_scene)
{
    const char *folder = new_folder();
    static const char text[] = "{\"inputs\": [{\"at\": \"1 s\",\n \"holdd\": {}}]}";
    write_file(folder, "inputs.json", text, sizeof text - 1);
    app_run run = check_file(folder, "inputs.json", "");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "inputs.json:2:2: ") != NULL);
    app_run_free(&run);
    remove_folder(folder);
}

TEST(hostile_files_are_not_read_to_their_end)
{
    const char *folder = new_folder();
    char path[256];
    snprintf(path, sizeof path, "%s/large.json", folder);
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && ftruncate(fileno(file), 50L * 1000 * 1000) == 0);
    fclose(file);
    app_run run = check_file(folder, "large.json", "");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "more than 8388608 bytes") != NULL);
    app_run_free(&run);
    // A file without an end: if more than the limit were read, this would not return.
    size_t size;
    char why[128];
    CHECK(cg_file_read("/dev/zero", 1000000, &size, why, sizeof why) == NULL);
    CHECK(strstr(why, "more than 1000000 bytes") != NULL);
    remove_folder(folder);
}

TEST(included_files_stay_inside_the_folder_of_the_scene)
{
    const char *folder = new_folder();
    char path[128], target[256];
    static const char inner[] = "{\"title\": \"inner\"}", *const scenes[] = {"{\"include\": [\"in/a.json\"]}",
                                                                             "{\"include\": [\"in/out.json\"]}",
                                                                             "{\"include\": [\"in/alias.json\"]}",
                                                                             "{\"include\": [\"up/a.json\"]}",
                                                                             "{\"include\": [\"in/pipe\"]}",
                                                                             "{\"include\": [\"in\"]}"};
    static const bool good[] = {true, false, true, false, false, false};
    snprintf(path, sizeof path, "%s/tree/in", folder);
    snprintf(target, sizeof target, "mkdir -p '%s'", path);
    CHECK_INT(system(target), 0);
    write_file(folder, "a.json", inner, sizeof inner - 1);
    write_file(path, "a.json", inner, sizeof inner - 1);
    snprintf(target, sizeof target, "%s/tree/in/out.json", folder);
    CHECK_INT(symlink("../../a.json", target), 0); // out of the tree
    snprintf(target, sizeof target, "%s/tree/in/alias.json", folder);
    CHECK_INT(symlink("a.json", target), 0); // inside it
    snprintf(target, sizeof target, "%s/tree/up", folder);
    CHECK_INT(symlink("..", target), 0);
    snprintf(target, sizeof target, "%s/tree/in/pipe", folder);
    CHECK_INT(mkfifo(target, 0600), 0);
    for (int i = 0; i < 6; i++) {
        write_file(folder, "tree/scene.json", scenes[i], strlen(scenes[i]));
        cg_scene *scene;
        cg_scene_error error;
        snprintf(path, sizeof path, "%s/tree/scene.json", folder);
        CHECK_INT(cg_scene_load(path, &scene, &error), good[i]);
        CHECK(good[i] || (error.column == 14 && strstr(error.message, "there is no such file") != NULL));
        cg_scene_free(scene);
    }
    remove_folder(folder);
}

TEST(list_shows_scenes_experiments_and_materials)
{
    app_run run = run_app("list --folder " CATGUT_SOURCE_DIR "/scenes");
    CHECK_INT(run.code, 0);
    CHECK(strstr(run.out, "hanging ") != NULL && strstr(run.out, "michell_ring") != NULL &&
          strstr(run.out, "3-0 nylon") != NULL);
    CHECK(strstr(run.out, "bad") == NULL);
    app_run_free(&run);
    run = run_app("list --json --folder " CATGUT_SOURCE_DIR "/scenes");
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out));
    CHECK(strstr(run.out, "\"scenes\": [") && strstr(run.out, "\"experiments\": [") &&
          strstr(run.out, "\"materials\": ["));
    app_run_free(&run);
    run = run_app("list materials");
    int lines = 0;
    for (const char *c = run.out; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    CHECK_INT(lines, cg_catalogue_count() + 2);
    CHECK(strstr(run.out, "michell_ring") == NULL);
    app_run_free(&run);
    run = run_app("list matrials");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "did you mean \"materials\"?") != NULL);
    app_run_free(&run);
    run = run_app("list scenes --folder /does/not/exist");
    CHECK_INT(run.code, 2);
    app_run_free(&run);
}

TEST(fixed_words_of_a_usage_line)
{
    static const struct {
        const char *usage, *words;
    } cases[] = {
        {"FILE OUT.svg [--view x|y|z|iso] [--radius METRES]", "--view x y z iso --radius "},
        {"[scenes|experiments|materials] [--json]", "scenes experiments materials --json "},
        {"SCENE... [--json] | --schema | --format", "--json --schema --format "},
        {"[NAME...|all] [--plot DIR]", "all --plot "},
        {"", ""},
        {"FILE", ""},
        {"a|b", "a b "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[256] = "", word[16];
        for (const char *at = cases[i].usage; cg_usage_word(&at, word, sizeof word);) {
            strcat(strcat(words, word), " ");
        }
        CHECK_STR(words, cases[i].words);
    }
}

TEST(completion_knows_every_command)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    int count;
    const cg_command *const *commands = cg_app_commands(&count);
    for (int s = 0; s < 3; s++) {
        char words[32];
        snprintf(words, sizeof words, "completion %s", shells[s]);
        app_run run = run_app(words);
        CHECK_INT(run.code, 0);
        for (int i = 0; i < count; i++) {
            CHECK(strstr(run.out, commands[i]->name) != NULL);
        }
        CHECK(strstr(run.out, "--schema") != NULL);
        app_run_free(&run);
    }
    app_run run = run_app("completion tcsh");
    CHECK_INT(run.code, 2);
    app_run_free(&run);
}
