// Tissue of a scene from a mesh file.
#include <math.h>
#include <stdio.h>

#include "catgut/needle.h"
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

// A tube of square section along an arc, as VRML: half a circle of 5 mm, wire of 0.6 mm, pointed at one end.
enum { RINGS = 40 };

static void write_vrml_needle(char *text, size_t room)
{
    size_t used =
        (size_t)snprintf(text, room, "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [");
    for (int i = 0; i < RINGS; i++) {
        double angle = acos(-1) * i / (RINGS - 1), wire = 0.3 * fmin(1, 0.2 + 0.1 * i);
        for (int k = 0; k < 4; k++) {
            double out = 5 + wire * (k == 0) - wire * (k == 2), across = wire * (k == 1) - wire * (k == 3);
            used += (size_t)snprintf(text + used, room - used, "%.6f %.6f %.6f,\n", 7 + out * sin(angle),
                                     out * cos(angle) - 2, across + 30);
        }
    }
    used += (size_t)snprintf(text + used, room - used, "] } coordIndex [");
    for (int i = 0; i + 1 < RINGS; i++) {
        for (int k = 0; k < 4; k++) {
            int a = 4 * i + k, b = 4 * i + (k + 1) % 4;
            used += (size_t)snprintf(text + used, room - used, "%d,%d,%d,%d,-1,\n", a, b, b + 4, a + 4);
        }
    }
    snprintf(text + used, room - used, "] } }\n");
}

TEST(a_mesh_file_becomes_a_needle)
{
    static char vrml[40000];
    write_vrml_needle(vrml, sizeof vrml);
    const char *const files[][2] = {{"needle.wrl", vrml}, {"ball.obj", OCTAHEDRON}, {NULL, NULL}};
    memory_files memory = {.files = files};
    cg_scene_files from = memory_scene_files(&memory);
    const char *text = "{\"bodies\": [{\"needle_mesh\": {\"file\": \"needle.wrl\", \"unit\": \"1 mm\"}}]}";
    const char *bad = "{\"bodies\": [{\"needle_mesh\": {\"file\": \"ball.obj\", \"unit\": \"1 mm\"}}]}";
    cg_scene *scene;
    cg_scene_error error;
    cg_world *world;
    cg_needle needle;
    cg_rigid_info info;
    if (!CHECK_STR(cg_scene_read(text, strlen(text), "s.json", &from, NULL, &scene, &error).message, "")) {
        return;
    }
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    CHECK(cg_rigid_get_needle(world, (cg_rigid_id){1, 1}, &needle));
    CHECK(cg_rigid_get_info(world, (cg_rigid_id){1, 1}, &info));
    CHECK_NEAR(needle.radius, 5e-3, 0.05e-3);
    CHECK_NEAR(needle.arc, acos(-1), 0.03);
    CHECK_NEAR(needle.diameter, 0.6e-3, 0.02e-3);
    CHECK(info.mass > 25e-6 && info.mass < 40e-6);
    cg_world_destroy(world);
    cg_scene_free(scene);
    CHECK_INT(cg_scene_read(bad, strlen(bad), "s.json", &from, NULL, &scene, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "found a mesh that is no needle") != NULL && error.column > 1);
    CHECK_INT(memory.open_now, 0);
}
