// The commands check and export with mesh files.
#include "run_app.h"

#include "glb_check.h"
#include "harness.h"
#include "json_check.h"
#include "mesh_files/broken_surfaces.h"

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(text, 1, size, file) == size);
    fclose(file);
}

static app_run check_file(const char *path, const char *options)
{
    char words[256];
    snprintf(words, sizeof words, "check %s%s", path, options);
    return run_app(words);
}

TEST(check_refuses_every_broken_mesh_in_one_line_with_exit_code_2)
{
    static const char *const endings[] = {"obj", "stl", "wrl"};
    char folder[64], path[128];
    make_scratch(folder);
    for (int i = 0; i < BROKEN_SURFACE_COUNT; i++) {
        char text[2000], start[256];
        int line, column;
        size_t size = broken_surface_text(&broken_surfaces[i], text, &line, &column);
        snprintf(path, sizeof path, "%s/broken.%s", folder, endings[broken_surfaces[i].format]);
        write_file(path, text, size);
        app_run run = check_file(path, "");
        bool is_marked = strchr(broken_surfaces[i].text, '@') != NULL;
        snprintf(start, sizeof start, is_marked ? "%s:%d:%d: found " : "%s:", path, line, column);
        CHECK_INT(run.code, 2);
        CHECK_STR(run.out, "");
        CHECK(strncmp(run.err, start, strlen(start)) == 0);
        CHECK(strchr(run.err, '\n') == run.err + strlen(run.err) - 1);
        app_run_free(&run);
        unlink(path);
    }
    remove_scratch(folder);
}

TEST(check_describes_a_mesh)
{
    static const char quad[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    char folder[64], path[128], expected[256];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/quad.obj", folder);
    write_file(path, quad, sizeof quad - 1);
    app_run run = check_file(path, "");
    snprintf(expected, sizeof expected, "%s: ok: obj, 4 nodes, 2 triangles, open (4 edges of one triangle)\n", path);
    CHECK_INT(run.code, 0);
    CHECK_STR(run.out, expected);
    app_run_free(&run);
    run = check_file(path, " --json");
    CHECK(json_is_valid(run.out) && contains(run.out, "\"open_edges\": 4"));
    app_run_free(&run);
    unlink(path);
    run = check_file(path, "");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "quad.obj: the mesh cannot be read"));
    app_run_free(&run);
    remove_scratch(folder);
}

// One mesh of the closed tetrahedron, whose corners and triangles the readers of the tests find in what is written.
TEST(export_writes_a_mesh_as_vtk_and_glb)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    static unsigned char bytes[1 << 16];
    char folder[64], path[128], words[300];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/a.obj", folder);
    write_file(path, text, sizeof text - 1);
    snprintf(words, sizeof words, "export %s/a.obj %s/a.glb", folder, folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK(contains(run.out, "a.glb: 0 threads, 4 points, 1 tissue"));
    app_run_free(&run);
    snprintf(path, sizeof path, "%s/a.glb", folder);
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    fclose(file);
    glb_file glb;
    CHECK(glb_check(&glb, bytes, size));
    CHECK_INT(glb_length(json_member(glb.json, "meshes")), 1);
    free(glb.json);
    unlink(path);
    snprintf(words, sizeof words, "export %s/a.obj %s/a.vtp", folder, folder);
    run = run_app(words);
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    snprintf(path, sizeof path, "%s/a.vtp", folder);
    file = fopen(path, "rb");
    size = file != NULL ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    fclose(file);
    bytes[size] = '\0';
    CHECK(contains((const char *)bytes, "NumberOfPoints=\"4\"") &&
          contains((const char *)bytes, "NumberOfPolys=\"4\""));
    snprintf(words, sizeof words, "rm -rf %s", folder);
    CHECK_INT(system(words), 0);
}
