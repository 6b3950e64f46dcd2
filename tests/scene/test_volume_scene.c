// Tissue of a scene from tetrahedra of a file, and from a surface that is filled.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "catgut/fill.h"
#include "catgut/scene.h"
#include "catgut/tissue.h"
#include "fill/bodies.h"
#include "harness.h"
#include "memory_files.h"

#define TETRAHEDRA                                                                                                     \
    "$NOD\n5\n1 0 0 0\n2 10 0 0\n3 0 10 0\n4 0 0 10\n5 10 10 10\n$ENDNOD\n"                                            \
    "$ELM\n2\n1 4 4 0 4 1 2 3 4\n2 4 9 0 4 2 3 4 5\n$ENDELM\n"

static char *ball_text;

// A ball of radius 1 as OBJ.
static const char *ball(void)
{
    uint64_t random = 1;
    body b = body_blob(6, &random);
    size_t at = 0, room = (size_t)(b.node_count + b.triangle_count) * 100;
    ball_text = malloc(room);
    for (int i = 0; i < b.node_count; i++) {
        double x = b.nodes[i].x, y = b.nodes[i].y, z = b.nodes[i].z, length = sqrt(x * x + y * y + z * z);
        at += (size_t)snprintf(ball_text + at, room - at, "v %.9g %.9g %.9g\n", x / length, y / length, z / length);
    }
    for (int i = 0; i < b.triangle_count; i++) {
        const int *t = b.triangles[i];
        at += (size_t)snprintf(ball_text + at, room - at, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    body_free(&b);
    return ball_text;
}

static cg_status read_scene(const char *tissue, cg_scene **scene, cg_scene_error *error)
{
    const char *files[][2] = {{"parts/two.msh", TETRAHEDRA},
                              {"parts/ball.obj", ball()},
                              {"parts/sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"},
                              {"parts/cell.ele", "1 4 0\n1 1 2 3 4\n"},
                              {"parts/cell.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"},
                              {NULL, NULL}};
    memory_files memory = {.files = (const char *const(*)[2])files};
    cg_scene_files from = {memory_open, memory_release, &memory};
    char text[700];
    snprintf(text, sizeof text, "{\"tissues\": [{%s}]}", tissue);
    cg_status status = cg_scene_read(text, strlen(text), "scenes/organ.json", &from, NULL, scene, error);
    free(ball_text);
    return status;
}

static cg_tissue_summary build(const char *tissue, cg_fill_report *report, int *fixed)
{
    cg_scene *scene;
    cg_scene_error error;
    cg_world *world;
    cg_tissue_summary summary = {0};
    if (!CHECK_STR(read_scene(tissue, &scene, &error).message, "")) {
        return summary;
    }
    if (report != NULL) {
        CHECK(cg_scene_tissue_fill(scene, 0, report));
    } else {
        cg_fill_report none;
        CHECK(!cg_scene_tissue_fill(scene, 0, &none));
    }
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    cg_tissue_id id = {1, 1};
    summary = cg_tissue_get_summary(world, id);
    *fixed = 0;
    for (int i = 0; i < summary.node_count; i++) {
        *fixed += cg_tissue_is_fixed(world, id, i);
    }
    cg_tissue_def def;
    CHECK(cg_tissue_get_def(world, id, &def) && def.shape == CG_TISSUE_VOLUME && def.volume == NULL);
    for (int step = 0; step < 20; step++) { // it falls, or hangs from what is held
        cg_world_step(world);
    }
    CHECK_INT(cg_tissue_get_summary(world, id).inverted_cells, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
    return summary;
}

TEST(tetrahedra_of_a_file_become_tissue_with_a_material_for_each_region)
{
    int fixed;
    cg_tissue_summary s =
        build("\"volume\": {\"file\": \"parts/two.msh\", \"unit\": \"1 mm\", \"held\": {\"low\": [-1, -1, "
              "-1], \"high\": [1, 1, \"0.1 mm\"]}}, \"layers\": [{\"density\": \"1 g/cm3\"}, "
              "{\"density\": \"2 g/cm3\", \"region\": 9}]",
              NULL, &fixed);
    CHECK_INT(s.node_count, 5);
    CHECK_INT(s.cell_count, 2);
    CHECK_INT(s.triangle_count, 6);
    CHECK_NEAR(s.mass, 1e-6 / 6 * 1000 + 2e-6 / 6 * 2000, 1e-15);
    CHECK_INT(fixed, 3);
    s = build("\"volume\": {\"file\": \"parts/cell.ele\", \"unit\": \"1 cm\"}", NULL, &fixed);
    CHECK_INT(s.cell_count, 1);
    CHECK_INT(fixed, 0);
}

TEST(a_filled_surface_becomes_tissue_of_the_size_and_number_asked_for)
{
    int fixed;
    cg_fill_report report;
    const double ball_volume = 4.18879020478639;
    cg_tissue_summary s = build("\"fill\": {\"file\": \"parts/ball.obj\", \"size\": \"4 cm\", \"nodes\": 600}, "
                                "\"layers\": [{\"density\": \"1 g/cm3\"}]",
                                &report, &fixed);
    CHECK(abs(s.node_count - 600) <= 18);
    CHECK_NEAR(report.high.x - report.low.x, 0.04, 1e-9);
    CHECK_NEAR(s.mass, 1000 * report.volume, 1e-9);
    CHECK_NEAR(report.volume / (ball_volume * 8e-6), 0.94, 0.04); // of the ball, whose surface is of flat triangles
    CHECK_INT(fixed, 0);
    s = build(
        "\"fill\": {\"file\": \"parts/ball.obj\", \"unit\": \"2 cm\", \"spacing\": \"4 mm\", \"piece\": {\"centre\": "
        "[0, 0, \"2 cm\"], \"radius\": \"15 mm\"}}",
        &report, &fixed);
    CHECK(fixed > 20 && fixed < s.node_count / 2);
    CHECK_NEAR(report.spacing, 0.004, 1e-15);
    s = build(
        "\"fill\": {\"file\": \"parts/ball.obj\", \"unit\": \"2 cm\", \"nodes\": 500, \"held\": {\"low\": [-1, -1, "
        "-1], \"high\": [1, 1, \"-15 mm\"]}}",
        &report, &fixed);
    CHECK(fixed > 10 && fixed < s.node_count / 4);
    // the tetrahedra of a file give their outside
    s = build("\"fill\": {\"file\": \"parts/two.msh\", \"size\": \"1 cm\", \"nodes\": 300}", &report, &fixed);
    CHECK(abs(s.node_count - 300) <= 30);
}

TEST(what_cannot_be_filled_or_read_is_refused_at_its_place)
{
    static const struct {
        const char *tissue, *file, *words;
    } broken[] = {
        {"\"fill\": {\"file\": \"parts/ball.obj\"}", "scenes/organ.json",
         "found neither unit nor size, and the surface is 2 "
         "long"},
        {"\"fill\": {\"file\": \"parts/sheet.obj\", \"unit\": 1}", "scenes/organ.json", "encloses nothing"},
        {"\"fill\": {\"file\": \"parts/ball.obj\", \"unit\": 1, \"nodes\": 19}", "scenes/organ.json", "20"},
        {"\"fill\": {\"file\": \"parts/ball.obj\", \"unit\": 1, \"size\": 1}", "scenes/organ.json", "size"},
        {"\"fill\": {\"file\": \"parts/ball.obj\", \"unit\": \"1 cm\", \"held\": {\"low\": [1, 1, 1], \"high\": [2, 2, "
         "2]}}",
         "scenes/organ.json", "no node in this box"},
        {"\"volume\": {\"file\": \"parts/ball.obj\"}", "scenes/parts/ball.obj", "a surface (obj)"},
        {"\"volume\": {\"file\": \"parts/none.msh\"}", "scenes/organ.json", "none.msh"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        cg_scene *scene;
        cg_scene_error error;
        CHECK_INT(read_scene(broken[i].tissue, &scene, &error).code, CG_BAD_INPUT);
        CHECK_STR(error.file, broken[i].file);
        if (!CHECK(scene == NULL && strstr(error.message, broken[i].words) != NULL)) {
            printf("%zu: %s\n", i, error.message);
        }
    }
}
