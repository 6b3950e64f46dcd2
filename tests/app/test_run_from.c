// catgut run --from: a world goes on where its recording ends, or anywhere in it, to the same bits.
#include "app/run_app.h"
#include "harness.h"

static const char SCENE[] = "{\"threads\": [{\"name\": \"thread\", \"vertices\": 20,\n"
                            "  \"shape\": {\"points\": [[0, 0, 0], [\"50 mm\", 0, 0]]}, \"start\": \"pinned\"}]}\n";

// Runs, and takes the state hash out of what is printed.
static void hash_of(const char *words, char hash[32])
{
    app_run run = run_app(words);
    const char *found = strstr(run.out, "state hash ");
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    hash[0] = '\0';
    if (CHECK(found != NULL)) {
        snprintf(hash, 32, "%.18s", found + strlen("state hash "));
    }
    app_run_free(&run);
}

TEST(a_run_goes_on_where_a_recording_ends_or_in_it)
{
    char whole[32], half[32], on[32], within[32], later[32];
    write_text("run-from.json", SCENE, strlen(SCENE));
    hash_of("run run-from.json --seconds 0.2 --record run-from-whole.cgr --force", whole);
    hash_of("run run-from.json --seconds 0.1 --snapshot run-from-half.cgr --force", half);
    hash_of("run --from run-from-half.cgr --seconds 0.1 --record run-from-rest.cgr --force", on);
    hash_of("run --from run-from-whole.cgr --at 0.05 --seconds 0.15", within);
    hash_of("run --from run-from-whole.cgr --seconds 0.1", later);
    CHECK_STR(on, whole);
    CHECK_STR(within, whole);
    CHECK(strcmp(half, whole) != 0);
    CHECK(strcmp(later, whole) != 0);
    app_run replay = run_app("replay run-from-rest.cgr"); // it begins in the middle, and has what it needs
    CHECK_INT(replay.code, 0);
    CHECK(contains(replay.out, "over 100 steps"));
    app_run_free(&replay);
    static const char *const files[] = {"run-from.json", "run-from-whole.cgr", "run-from-half.cgr",
                                        "run-from-rest.cgr"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        remove(files[i]);
    }
}

TEST(what_does_not_go_together_is_said)
{
    static const struct {
        const char *words, *part;
    } mistakes[] = {
        {"run a.json --from b.cgr", "found a scene and --from"},
        {"run a.json --at 1", "--at is a time of the recording"},
        {"run --from b.cgr --inputs c", "found --inputs and --from"},
        {"run --from b.cgr --stages c", "found --stages and --from"},
        {"run --from b.cgr --at never", "expected 0 to 1e9"},
        {"run --from nowhere.cgr", "the recording cannot be read"},
        {"run", "name a scene"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        app_run run = run_app(mistakes[i].words);
        CHECK_INT(run.code, 2);
        CHECK(contains(run.err, mistakes[i].part));
        app_run_free(&run);
    }
}
