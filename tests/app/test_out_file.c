// What the program writes: nothing that catgut did not make is written over, a file gets its name when it is whole, and
// one run at a time writes it.
#include "run_app.h"

#include <sys/stat.h>

#include "harness.h"
#include "json_check.h"
#include "support/out_file.h"

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_INT(system(command), 0);
}

// A name in a folder, with what is in it.
static const char *in_folder(const char *folder, const char *name)
{
    static char paths[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static bool holds(const char *path, const char *text)
{
    char *found = read_text(path);
    bool same = found && strcmp(found, text) == 0;
    free(found);
    return same;
}

static int count_files(const char *folder)
{
    char command[160];
    snprintf(command, sizeof command, "exit $(ls -A '%s' | wc -l)", folder);
    int status = system(command);
    return status >> 8;
}

static const char SCENE[] = "{\"duration\": 0.01, \"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": "
                            "[\"10 mm\", 0, 0]}}, \"vertices\": 5}]}";

static app_run run_in(const char *folder, const char *format)
{
    char words[1024] = "";
    size_t used = 0;
    for (const char *at = format; *at && used < sizeof words - 100; at++) {
        if (*at == '@') {
            used += (size_t)snprintf(words + used, sizeof words - used, "%s", folder);
        } else {
            words[used++] = *at;
        }
    }
    words[used] = '\0';
    return run_app(words);
}

TEST(a_scene_is_not_written_over_by_its_recording)
{
    char folder[64];
    make_scratch(folder);
    write_text(in_folder(folder, "scene.json"), SCENE, strlen(SCENE));
    static const char *const words[] = {
        "run @/scene.json --record @/scene.json",
        "run @/scene.json --snapshot @/scene.json",
        "run @/scene.json --force --record @/scene.json",
        "run @/scene.json --force --snapshot @/./scene.json",
        "run @/scene.json --record @/a.cgr --snapshot @/a.cgr",
    };
    for (int i = 0; i < 5; i++) {
        app_run run = run_in(folder, words[i]);
        CHECK_INT(run.code, 2);
        CHECK_STR(run.out, "");
        CHECK(run.err[0] != '\0');
        app_run_free(&run);
        CHECK(holds(in_folder(folder, "scene.json"), SCENE));
        CHECK_INT(count_files(folder), 1);
    }
    remove_folder(folder);
}

TEST(what_catgut_did_not_make_stays)
{
    char folder[64];
    make_scratch(folder);
    write_text(in_folder(folder, "scene.json"), SCENE, strlen(SCENE));
    app_run run = run_in(folder, "run @/scene.json --record @/a.cgr");
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    static const char *const names[] = {"notes.txt", "notes.csv", "notes.svg", "notes.glb", "notes.vtp"};
    static const char *const words[] = {"run @/scene.json --record @/notes.txt", "export @/a.cgr @/notes.csv",
                                        "export @/a.cgr @/notes.svg", "export @/a.cgr @/notes.glb",
                                        "export @/a.cgr @/notes.vtp --at 0"};
    for (int i = 0; i < 5; i++) {
        write_text(in_folder(folder, names[i]), "my notes", 8);
        run = run_in(folder, words[i]);
        CHECK_INT(run.code, 2);
        CHECK(contains(run.err, "of catgut; choose another name, or --force"));
        CHECK_STR(run.out, "");
        CHECK(holds(in_folder(folder, names[i]), "my notes"));
        app_run_free(&run);
    }
    // None of a series is written when one may not be.
    CHECK_INT(mkdir(in_folder(folder, "row"), 0777), 0);
    write_text(in_folder(folder, "row/row_0001.vtp"), "my notes", 8);
    run = run_in(folder, "export @/a.cgr @/row.pvd");
    CHECK_INT(run.code, 2);
    CHECK(access(in_folder(folder, "row.pvd"), F_OK) != 0 && access(in_folder(folder, "row/row_0000.vtp"), F_OK) != 0);
    app_run_free(&run);
    // The package of a file, too, is not written over.
    write_text(in_folder(folder, "b.csv.package.json"), "{}", 2);
    run = run_in(folder, "export @/a.cgr @/b.csv");
    CHECK_INT(run.code, 2);
    CHECK(holds(in_folder(folder, "b.csv.package.json"), "{}") && access(in_folder(folder, "b.csv"), F_OK) != 0);
    app_run_free(&run);
    char forced[128];
    for (int i = 0; i < 5; i++) {
        snprintf(forced, sizeof forced, "%s --force", words[i]);
        run = run_in(folder, forced);
        CHECK_INT(run.code, 0);
        CHECK(!holds(in_folder(folder, names[i]), "my notes"));
        app_run_free(&run);
        run = run_in(folder, words[i]); // now it is ours
        CHECK_INT(run.code, 0);
        app_run_free(&run);
    }
    write_text(in_folder(folder, "show.svg"), "<svg/>", 6);
    run = run_in(folder, "show --out @");
    CHECK_INT(run.code, 2);
    CHECK(holds(in_folder(folder, "show.svg"), "<svg/>"));
    app_run_free(&run);
    remove_folder(folder);
}

TEST(folders_are_named_before_the_run_and_nothing_is_left)
{
    char folder[64], path[128];
    make_scratch(folder);
    write_text(in_folder(folder, "scene.json"), SCENE, strlen(SCENE));
    snprintf(path, sizeof path, "%s/inside", folder);
    CHECK_INT(mkdir(path, 0777), 0);
    static const struct {
        const char *words, *part;
    } cases[] = {{"run @/scene.json --record @/inside", "found a folder"},
                 {"run @/scene.json --snapshot @/inside", "found a folder"},
                 {"run @/scene.json --snapshot @/nowhere/a.cgr", "No such file"},
                 {"run @/scene.json --record @/b.cgr --snapshot @/nowhere/a.cgr", "No such file"},
                 {"serve @/scene.json --recordings @/scene.json", "expected a folder"}};
    for (int i = 0; i < 5; i++) {
        app_run run = run_in(folder, cases[i].words);
        CHECK_INT(run.code, 2);
        CHECK(contains(run.err, cases[i].part));
        CHECK_STR(run.out, "");
        app_run_free(&run);
        CHECK_INT(count_files(folder), 2);
    }
    remove_folder(folder);
}

TEST(one_run_at_a_time_writes_a_file)
{
    char folder[64], why[CG_OUT_WHY_BYTES] = "";
    make_scratch(folder);
    cg_out_file first, second;
    const char *path = in_folder(folder, "a.csv");
    CHECK(cg_out_open(&first, path, CG_OUT_CSV, false, why));
    CHECK(!cg_out_open(&second, path, CG_OUT_CSV, false, why) && contains(why, "another run"));
    fputs("time,step,thread,vertex,x,y,z\n", first.file);
    CHECK(!holds(path, "")); // it has no name yet
    CHECK(cg_out_finish(&first));
    CHECK(holds(path, "time,step,thread,vertex,x,y,z\n"));
    // A run that broke off left its part: it is nobody's, and the next run takes it.
    CHECK(cg_out_open(&first, path, CG_OUT_CSV, false, why));
    fputs("time,step,thread,vertex,x,y,z\n1", first.file);
    cg_out_abandon(&first, true);
    CHECK_INT(count_files(folder), 2);
    CHECK(cg_out_open(&second, path, CG_OUT_CSV, false, why));
    cg_out_abandon(&second, false);
    CHECK(holds(path, "time,step,thread,vertex,x,y,z\n"));
    CHECK_INT(count_files(folder), 1);
    // A part that is a file of somebody else.
    write_text(in_folder(folder, "a.csv.part"), "mine", 4);
    CHECK(!cg_out_open(&second, path, CG_OUT_CSV, false, why));
    CHECK(holds(in_folder(folder, "a.csv.part"), "mine"));
    remove_folder(folder);
}

TEST(devices_are_written_to_and_links_through)
{
    char folder[64], why[CG_OUT_WHY_BYTES] = "";
    make_scratch(folder);
    cg_out_file out;
    struct stat about;
    CHECK(cg_out_open(&out, "/dev/null", CG_OUT_CSV, false, why));
    CHECK(out.is_direct && cg_out_finish(&out));
    CHECK(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
    char target[128], link[128];
    snprintf(target, sizeof target, "%s/target.csv", folder);
    snprintf(link, sizeof link, "%s/link.csv", folder);
    write_text(target, "", 0);
    CHECK_INT(symlink(target, link), 0);
    CHECK(cg_out_open(&out, link, CG_OUT_CSV, false, why));
    fputs("x", out.file);
    CHECK(cg_out_finish(&out));
    CHECK(holds(target, "x") && lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    remove_folder(folder);
}

TEST(an_export_names_what_it_wrote)
{
    char folder[64], expected[512];
    make_scratch(folder);
    static const char scene[] =
        "{\"duration\": 0.2, \"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": "
        "[\"10 mm\", 0, 0]}}, \"vertices\": 5}]}";
    write_text(in_folder(folder, "scene.json"), scene, strlen(scene));
    app_run run = run_in(folder, "run @/scene.json --record @/a.cgr --frame-every 4");
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    run = run_in(folder, "export @/a.cgr @/a.pvd");
    snprintf(expected, sizeof expected, "%s/a.pvd, which names 51 files in %s/a: ", folder, folder);
    CHECK(contains(run.out, expected) && contains(run.out, "51 shapes\n"));
    app_run_free(&run);
    run = run_in(folder, "export @/a.cgr @/a.pvd --json");
    CHECK(json_is_valid(run.out));
    const char *files = json_member(run.out, "files");
    CHECK_INT(json_count(files), 52);
    snprintf(expected, sizeof expected, "%s/a/a_0050.vtp", folder);
    CHECK(json_is_string(json_item(files, 51), expected));
    CHECK_INT(access(expected, F_OK), 0);
    app_run_free(&run);
    run = run_in(folder, "export @/a.cgr @/a.svg");
    CHECK(contains(run.out, "8 of 51 shapes"));
    app_run_free(&run);
    run = run_in(folder, "export @/a.cgr @/a.svg --poses 60 --json");
    CHECK_INT((int)strtod(json_member(run.out, "shapes"), NULL), 51);
    app_run_free(&run);
    run = run_in(folder, "export @/a.cgr @/a.glb --json");
    CHECK_INT((int)strtod(json_member(run.out, "shapes"), NULL), 32);
    CHECK_INT((int)strtod(json_member(run.out, "shapes_there"), NULL), 51);
    app_run_free(&run);
    remove_folder(folder);
}
