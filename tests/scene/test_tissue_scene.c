// Tissues of scenes: what a text means, and mesh files beside it.
#include <math.h>
#include <stdio.h>

#include "catgut/catalogue.h"
#include "catgut/tissue.h"
#include "harness.h"
#include "memory_files.h"

static const char *const NO_FILES[][2] = {{NULL, NULL}};

static cg_world *build(const char *text, const char *const (*files)[2], cg_scene **scene)
{
    memory_files memory = {.files = files};
    cg_scene_files source = memory_scene_files(&memory);
    cg_scene_error error;
    cg_world *world = NULL;
    cg_status status = cg_scene_read(text, strlen(text), "scenes/t.json", &source, NULL, scene, &error);
    if (!CHECK_STR(status.message, "")) {
        return NULL;
    }
    CHECK_STR(cg_scene_build(*scene, NULL, &world).message, "");
    return world;
}

TEST(a_pad_is_what_its_text_says)
{
    cg_scene *scene;
    cg_world *world = build(
        "{\"tissues\": [{\"name\": \"skin\", \"pad\": {\"length\": \"30 mm\", \"width\": \"2 cm\", \"tension\": \"5 "
        "%\", "
        "\"wound\": {\"kind\": \"ellipse\", \"length\": \"1 cm\", \"width\": \"2 mm\", \"depth\": \"3 mm\"}},"
        "\"layers\": [{\"thickness\": \"2 mm\", \"youngs_modulus\": \"1 MPa\", \"stiffening\": 3}, {\"thickness\": "
        "\"4 mm\"}], \"position\": [0, 0, 0.1], \"spacing\": \"2 mm\", \"solver\": \"quasi-static\", \"drag\": 7,"
        "\"fix_rim\": true, \"fix_bottom\": false, \"iterations\": 5}, {\"grid\": {\"length\": 0.01, \"width\": "
        "0.01}}]}",
        NO_FILES, &scene);
    if (world == NULL) {
        return;
    }
    CHECK_INT(cg_scene_tissue_count(scene), 2);
    CHECK_STR(cg_scene_tissue_name(scene, 0), "skin");
    CHECK_STR(cg_scene_tissue_name(scene, 1), "tissue-2");
    CHECK(cg_scene_tissue_name(scene, 2) == NULL);
    cg_tissue_def def;
    cg_tissue_id id = {1, 1};
    CHECK(cg_tissue_get_def(world, id, &def));
    CHECK(def.shape == CG_TISSUE_PAD && def.model == CG_TISSUE_LATTICE && def.solver == CG_TISSUE_QUASI_STATIC);
    CHECK(def.wound == CG_WOUND_ELLIPSE && def.layer_count == 2 && def.fix_rim && !def.fix_bottom);
    CHECK_NEAR(def.size.x, 0.03, 1e-15);
    CHECK_NEAR(def.tension, 0.05, 1e-15);
    CHECK_NEAR(def.wound_depth, 3e-3, 1e-15);
    CHECK_NEAR(def.layers[0].material.young, 1e6, 1e-6);
    CHECK_NEAR(def.layers[0].material.stiffening, 3, 0);
    CHECK_NEAR(def.layers[1].material.young, cg_tissue_def_default().layers[0].material.young, 0);
    CHECK_NEAR(def.layers[1].thickness, 4e-3, 1e-15);
    CHECK_NEAR(def.pose.position.z, 0.1, 1e-15);
    CHECK_NEAR(def.drag, 7, 0);
    CHECK_INT(def.iterations, 5);
    CHECK(cg_tissue_get_def(world, (cg_tissue_id){2, 1}, &def) && def.model == CG_TISSUE_SHEET);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(layers_take_their_numbers_from_the_catalogue_unless_they_have_their_own)
{
    cg_scene *scene;
    cg_world *world =
        build("{\"tissues\": [{\"pad\": {}, \"layers\": [{\"material\": \"skin\"}, {\"material\": \"fat\", "
              "\"thickness\": \"5 mm\", \"density\": 900}]}]}",
              NO_FILES, &scene);
    if (world == NULL) {
        return;
    }
    cg_tissue_def def;
    cg_tissue_kind skin, fat;
    CHECK(cg_tissue_catalogue_find("skin", &skin, NULL, 0) && cg_tissue_catalogue_find("fat", &fat, NULL, 0));
    CHECK(cg_tissue_get_def(world, (cg_tissue_id){1, 1}, &def));
    CHECK_NEAR(def.layers[0].thickness, skin.thickness.value, 0);
    CHECK_NEAR(def.layers[0].material.young, skin.youngs_modulus.value, 0);
    CHECK_NEAR(def.layers[0].material.stiffening, skin.stiffening.value, 0);
    CHECK_NEAR(def.layers[1].thickness, 5e-3, 1e-15);
    CHECK_NEAR(def.layers[1].material.density, 900, 0);
    CHECK_NEAR(def.layers[1].material.young, fat.youngs_modulus.value, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// An octahedron with corners 1 from the middle.
static const char octahedron[] = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                                 "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";

TEST(a_mesh_file_becomes_a_skin)
{
    const char *const files[][2] = {{"parts/ball.obj", octahedron}, {NULL, NULL}};
    cg_scene *scene;
    cg_world *world =
        build("{\"tissues\": [{\"mesh\": {\"file\": \"parts/ball.obj\", \"unit\": \"1 cm\"}, \"position\": [0, 0, "
              "1], \"layers\": [{\"thickness\": \"1 mm\"}], \"pressure\": \"1 kPa\"}]}",
              files, &scene);
    if (world == NULL) {
        return;
    }
    int count;
    cg_tissue_id id = {1, 1};
    const cg_vec3 *nodes = cg_tissue_positions(world, id, &count);
    CHECK_INT(count, 6);
    CHECK_INT(cg_tissue_triangle_count(world, id), 8);
    for (int i = 0; i < count; i++) {
        double away = sqrt(nodes[i].x * nodes[i].x + nodes[i].y * nodes[i].y + (nodes[i].z - 1) * (nodes[i].z - 1));
        CHECK_NEAR(away, 0.01, 1e-12);
    }
    // The scene carries the file, so that a recording can.
    const char *path, *text;
    size_t size;
    CHECK_INT(cg_scene_source_count(scene), 2);
    CHECK(cg_scene_source(scene, 1, &path, &text, &size) && size == sizeof octahedron - 1);
    CHECK_STR(path, "parts/ball.obj");
    for (int step = 0; step < 20; step++) {
        cg_world_step(world);
    }
    CHECK_INT(cg_world_get_stats(world).recovered_tissue_steps, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(what_is_wrong_with_a_mesh_file_is_told_at_its_place)
{
    static const struct {
        const char *text, *file;
        int line;
    } bad[] = {
        {"v 1 0 0\nv 0 x 0\n", "scenes/ball.obj", 2},
        {"v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\n", "scenes/ball.obj", 4},
        {"v 1 0 0\n", "scenes/ball.obj", 0},
        // Three triangles at one edge: a surface, but no tissue.
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n", "scenes/t.json", 1},
    };
    const char scene_text[] = "{\"tissues\": [{\"mesh\": {\"file\": \"ball.obj\"}}]}";
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *const files[][2] = {{"ball.obj", bad[i].text}, {NULL, NULL}};
        memory_files memory = {.files = files};
        cg_scene_files source = memory_scene_files(&memory);
        cg_scene *scene;
        cg_scene_error error;
        CHECK(cg_scene_read(scene_text, strlen(scene_text), "scenes/t.json", &source, NULL, &scene, &error).code ==
              CG_BAD_INPUT);
        CHECK(scene == NULL && memory.open_now == 0);
        CHECK_STR(error.file, bad[i].file);
        CHECK(bad[i].line == 0 || error.line == bad[i].line);
        if (!CHECK(strstr(error.message, "found") != NULL)) {
            printf("%s\n", error.message);
        }
    }
}
