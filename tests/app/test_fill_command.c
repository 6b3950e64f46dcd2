// catgut fill, and check of volumes.
#include "run_app.h"

#include "fill/bodies.h"
#include "harness.h"
#include "json_check.h"

// A bumpy ball as OBJ, in centimetres.
static void write_ball(const char *path)
{
    uint64_t random = 3;
    body b = body_blob(7, &random);
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) {
        return;
    }
    for (int i = 0; i < b.node_count; i++) {
        fprintf(file, "v %.9g %.9g %.9g\n", b.nodes[i].x, b.nodes[i].y, b.nodes[i].z);
    }
    for (int i = 0; i < b.triangle_count; i++) {
        fprintf(file, "f %d %d %d\n", b.triangles[i][0] + 1, b.triangles[i][1] + 1, b.triangles[i][2] + 1);
    }
    fclose(file);
    body_free(&b);
}

TEST(fill_writes_a_volume_that_check_describes)
{
    char folder[64], from[128], to[128], words[400];
    make_scratch(folder);
    snprintf(from, sizeof from, "%s/ball.obj", folder);
    snprintf(to, sizeof to, "%s/ball.msh", folder);
    write_ball(from);
    snprintf(words, sizeof words, "fill %s %s --nodes 500 --unit 1cm", from, to);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    CHECK(contains(run.out, "nodes, ") && contains(run.out, "degrees\n") && contains(run.out, "are filled"));
    app_run_free(&run);
    run = run_app(words); // ours: written over
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    snprintf(words, sizeof words, "check %s --json", to);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out) && contains(run.out, "\"format\": \"gmsh\"") &&
          contains(run.out, "\"crowded_faces\": 0"));
    app_run_free(&run);
    snprintf(words, sizeof words, "check %s", to);
    run = run_app(words);
    CHECK(contains(run.out, ": ok: gmsh, a volume of ") && !contains(run.out, "bad cells"));
    app_run_free(&run);
    snprintf(words, sizeof words, "fill %s %s --spacing 2mm --size 3cm --json --ball 0,0,0", from, to);
    run = run_app(words);
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "--ball"));
    app_run_free(&run);
    snprintf(words, sizeof words, "fill %s %s --spacing 2mm --size 3cm --json", from, to);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(json_is_valid(run.out) && contains(run.out, "\"spacing\": 0.002"));
    app_run_free(&run);
    unlink(from);
    unlink(to);
    rmdir(folder);
}

TEST(fill_refuses_with_a_sentence)
{
    char folder[64], from[128], to[128], words[400];
    make_scratch(folder);
    snprintf(from, sizeof from, "%s/ball.obj", folder);
    snprintf(to, sizeof to, "%s/out.msh", folder);
    write_ball(from);
    FILE *other = fopen(to, "w");
    fputs("not ours\n", other);
    fclose(other);
    static const struct {
        const char *options, *said;
    } cases[] = {{"--nodes 5", "--nodes: found \"5\"; expected 20 to 200000"},
                 {"--nodes 500 --spacing 1mm", "exclude each other"},
                 {"--unit 1kg", "--unit"},
                 {"--spacing -1mm", "--spacing"},
                 {"--spacing 1mm", "would do"},
                 {"--nodes 500", "no mesh of catgut"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(words, sizeof words, "fill %s %s %s", from, to, cases[i].options);
        app_run run = run_app(words);
        CHECK_INT(run.code, 2);
        if (!CHECK(contains(run.err, cases[i].said))) {
            printf("%s\n", run.err);
        }
        app_run_free(&run);
    }
    app_run run = run_app("fill");
    CHECK(run.code == 2 && contains(run.err, "which file"));
    app_run_free(&run);
    unlink(from);
    unlink(to);
    rmdir(folder);
}

TEST(the_liver_of_the_scenes_is_the_one_that_is_made)
{
    FILE *file = fopen(CATGUT_SOURCE_DIR "/scenes/parts/liver.obj", "rb");
    app_run run = run_app("fill --make liver");
    CHECK_INT(run.code, 0);
    if (CHECK(file != NULL)) {
        size_t size = strlen(run.out);
        char *kept = calloc(1, size + 2);
        CHECK(kept != NULL && fread(kept, 1, size + 1, file) == size);
        CHECK(kept != NULL && strcmp(kept, run.out) == 0);
        free(kept);
        fclose(file);
    }
    app_run_free(&run);
    run = run_app("fill --make spleen");
    CHECK(run.code == 2 && contains(run.err, "expected liver or tongue"));
    app_run_free(&run);
}
