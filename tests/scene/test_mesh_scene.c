// Tissue of a scene from a mesh file.
#include <stdio.h>

#include "catgut/scene.h"
#include "catgut/tissue.h"
#include "harness.h"
#include "memory_files.h"

#define OCTAHEDRON                                                                                                     \
    "v 5 0 0\nv -5 0 0\nv 0 5 0\nv 0 -5 0\nv 0 0 5\nv 0 0 -5\n"                                                        \
    "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n"

static cg_status read_scene(const char *file, cg_scene **scene, cg_scene_error *error)
{
    static const char *const files[][2] = {
        {"parts/good.obj", OCTAHEDRON},
        {"parts/bad.obj", "v 5 0 0\nv -5 0\n"},
        {"parts/turned.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n"},
        {NULL, NULL}};
    memory_files memory = {.files = files};
    cg_scene_files from = {memory_open, memory_release, &memory};
    char text[300];
    snprintf(
        text, sizeof text,
        "{\"tissues\": [{\"mesh\": {\"file\": \"parts/%s\", \"unit\": \"1 mm\"}, \"layers\": [{\"youngs_modulus\": "
        "\"50 kPa\", \"density\": \"1 g/cm3\", \"thickness\": \"1 mm\"}]}]}",
        file);
    return cg_scene_read(text, strlen(text), "scenes/skin.json", &from, NULL, scene, error);
}

TEST(a_mesh_file_becomes_a_skin)
{
    cg_scene *scene;
    cg_scene_error error;
    cg_world *world;
    if (!CHECK_STR(read_scene("good.obj", &scene, &error).message, "")) {
        return;
    }
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    cg_tissue_id tissue = {1, 1};
    int count = 0;
    const cg_vec3 *nodes = cg_tissue_positions(world, tissue, &count);
    CHECK_INT(count, 6);
    CHECK_INT(cg_tissue_triangle_count(world, tissue), 8);
    double largest = 0;
    for (int i = 0; i < count; i++) {
        largest = nodes[i].x > largest ? nodes[i].x : largest;
    }
    CHECK_NEAR(largest, 0.005, 1e-15);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(a_broken_mesh_is_named_with_its_place)
{
    cg_scene *scene;
    cg_scene_error error;
    CHECK_STR(read_scene("bad.obj", &scene, &error).message,
              "scenes/parts/bad.obj:2:7: found the end; expected a coordinate: v x y z");
    CHECK_INT(read_scene("turned.obj", &scene, &error).code, CG_BAD_INPUT);
    CHECK_STR(error.file, "scenes/skin.json");
    CHECK(strstr(error.message, "the edge from node") != NULL);
    CHECK_INT(read_scene("good.xyz", &scene, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "expected a file that ends in .obj") != NULL);
    CHECK(scene == NULL);
}
