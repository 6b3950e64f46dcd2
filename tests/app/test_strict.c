// Scenes as JSON that any reader takes: what is printed has no comments, fills in what is not given, and builds the
// same world.
#include "run_app.h"

#include <dirent.h>

#include "harness.h"
#include "json_check.h"
#include "support/scene_files.h"

static const char SCENES[] = CATGUT_SOURCE_DIR "/scenes";

static int state_of(const char *path, uint64_t *hash)
{
    cg_scene *scene;
    cg_scene_error error = {.message = ""};
    cg_world *world;
    if (!cg_scene_load(path, &scene, &error)) {
        printf("%s:%d: %s\n", path, error.line, error.message);
        return -1;
    }
    cg_status status = cg_scene_build(scene, NULL, &world);
    cg_scene_free(scene);
    if (status.code != CG_OK) {
        printf("%s: %s\n", path, status.message);
        return -1;
    }
    for (int i = 0; i < 3; i++) { // what is told once a step begins counts, too
        cg_world_step(world);
    }
    *hash = cg_world_state_hash(world);
    cg_world_destroy(world);
    return 0;
}

// What a scene includes lies in its folder: links to all that is there make the folder of the printed one.
static void link_all(const char *from, const char *to)
{
    char words[300];
    snprintf(words, sizeof words, "cp -r %s/. %s", from, to);
    CHECK_INT(system(words), 0);
}

static void check_scene(const char *folder, const char *name)
{
    char words[300], path[300];
    snprintf(words, sizeof words, "check %s/%s --strict", folder, name);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out)); // a judge that knows no comments
    uint64_t before = 1, after = 2;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_INT(state_of(path, &before), 0);
    snprintf(path, sizeof path, "%s/strict-%s", folder, name);
    write_text(path, run.out, strlen(run.out));
    CHECK_INT(state_of(path, &after), 0);
    if (!CHECK(before == after)) {
        printf("%s: another world\n", name);
    }
    remove(path);
    app_run_free(&run);
}

TEST(what_is_printed_builds_the_same_world)
{
    char folder[64];
    make_scratch(folder);
    link_all(SCENES, folder);
    DIR *scenes = opendir(SCENES);
    int count = 0, each = test_counts(1, 6, 1);
    for (struct dirent *entry; (entry = readdir(scenes)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 && count++ % each == 0) {
            check_scene(folder, entry->d_name);
        }
    }
    closedir(scenes);
    CHECK(count >= 40);
    CHECK(remove_scratch(folder));
}

TEST(what_is_not_given_is_filled_in)
{
    char folder[64], path[96], words[160];
    static const char scene[] = "{ // a comment\n \"threads\": [{\"suture\": \"3-0 nylon\", \"vertices\": 3,\n"
                                " \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"1 cm\", 0, 0.1e-1]}},},],}";
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/a.json", folder);
    write_text(path, scene, strlen(scene));
    snprintf(words, sizeof words, "check %s --strict", path);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    const char *thread = json_item(json_member(run.out, "threads"), 0);
    CHECK(json_member(run.out, "duration") != NULL && json_member(run.out, "max_contacts") != NULL);
    CHECK(json_is_string(json_member(thread, "start"), "free"));
    CHECK(json_member(thread, "drag") != NULL);
    CHECK(json_member(thread, "youngs_modulus") == NULL && json_member(thread, "radius") == NULL); // the suture's
    CHECK(contains(run.out, "[\"1 cm\", 0, 0.01]"));
    app_run_free(&run);
    CHECK(remove_scratch(folder));
}

TEST(tasks_are_printed_too)
{
    CHECK(chdir(CATGUT_SOURCE_DIR) == 0);
    app_run run = run_app("check square-knot --strict");
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out) && json_member(run.out, "rubric") != NULL);
    app_run_free(&run);
    run = run_app("check hanging pad --strict");
    CHECK_INT(run.code, 2);
    app_run_free(&run);
}
