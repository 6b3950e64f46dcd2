// Recordings with tissue exported by the command and read back: the surface must be closed and hold the volume of the
// pad.
#include "run_app.h"

#include "catgut/session.h"
#include "catgut/tissue.h"
#include "glb_check.h"
#include "harness.h"
#include "vtk_check.h"

// 7 x 5 x 3 nodes, 3 shapes (at 0, 16 and 20 steps).
static const char scene_text[] =
    "{\"gravity\": [0, 0, 0], \"threads\": [{\"name\": \"cord\", \"vertices\": 4, \"start\": \"pinned\",\n"
    " \"shape\": {\"line\": {\"from\": [0, 0, \"1 cm\"], \"to\": [\"1 cm\", 0, \"1 cm\"]}}}],\n"
    "\"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"12 mm\", \"width\": \"8 mm\"},\n"
    " \"layers\": [{\"thickness\": \"4 mm\"}]}], \"duration\": \"20 ms\"}";
enum { NODES = 7 * 5 * 3, VERTICES = 4, SHAPES = 3 };
static const double VOLUME = 12e-3 * 8e-3 * 4e-3;

static app_run export(const char *folder, const char *rest)
{
    char words[512];
    snprintf(words, sizeof words, "export %s/run.cgr %s/%s", folder, folder, rest);
    return run_app(words);
}

// The volume inside triangles, by the divergence theorem: right only when they are closed and turned outwards.
static double volume_of(const double *x, const double *corners, int count)
{
    double sum = 0;
    for (int t = 0; t < count; t++) {
        const double *a = x + 3 * (int)corners[3 * t], *b = x + 3 * (int)corners[3 * t + 1];
        const double *c = x + 3 * (int)corners[3 * t + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

static size_t read_bytes(const char *folder, const char *name, void *bytes, size_t room)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, room, file) : 0;
    if (file) {
        fclose(file);
    }
    remove(path);
    return size;
}

static char buffer[1 << 20];

static void check_csv(const char *folder)
{
    size_t size = read_bytes(folder, "out.csv", buffer, sizeof buffer - 1);
    buffer[size] = '\0';
    int rows = 0, of_pad = 0;
    for (char *line = strtok(buffer, "\n"); line; line = strtok(NULL, "\n")) {
        rows++;
        of_pad += strstr(line, ",pad,") != NULL;
    }
    CHECK_INT(of_pad, SHAPES * NODES);
    CHECK_INT(rows, 1 + SHAPES * (NODES + VERTICES));
}

static void check_vtk(const char *folder)
{
    static vtk_piece piece;
    for (int shape = 0; shape < SHAPES; shape++) {
        char name[32];
        snprintf(name, sizeof name, "out/out_%04d.vtp", shape);
        size_t size = read_bytes(folder, name, buffer, sizeof buffer);
        vtk_read(buffer, size, &piece);
        CHECK_STR(piece.fault ? piece.fault : "", "");
        CHECK_INT(piece.points, VERTICES + NODES);
        CHECK_INT(piece.lines, 1);
        CHECK_INT(piece.polys, 4 * (6 * 4 + 6 * 2 + 4 * 2));
        const vtk_array *tissue = vtk_data(&piece, "tissue"), *thread = vtk_data(&piece, "thread");
        if (CHECK(tissue && thread)) {
            CHECK(tissue->values[VERTICES - 1] == -1 && tissue->values[VERTICES] == 0);
            CHECK(thread->values[VERTICES - 1] == 0 && thread->values[VERTICES] == -1);
        }
        double volume = volume_of(piece.coordinates.values, piece.corners.values, piece.polys);
        CHECK_NEAR(volume, VOLUME, 1e-4 * VOLUME); // nothing pulls at it
    }
}

static void check_glb(const char *folder)
{
    size_t size = read_bytes(folder, "out.glb", buffer, sizeof buffer);
    glb_file glb;
    CHECK(glb_check(&glb, (const unsigned char *)buffer, size));
    CHECK_STR(glb.fault, "");
    CHECK_INT(glb_length(json_member(glb.json, "meshes")), 2);
    const char *mesh = json_item(json_member(glb.json, "meshes"), 1);
    const char *primitive = json_item(json_member(mesh, "primitives"), 0);
    CHECK(glb_is_word(mesh, "name", "pad"));
    CHECK_INT(glb_length(json_member(primitive, "targets")), SHAPES - 1);
    glb_accessor points, indices;
    CHECK(glb_find(&glb, glb_int(json_member(primitive, "attributes"), "POSITION"), &points));
    CHECK(glb_find(&glb, glb_int(primitive, "indices"), &indices));
    static double x[3000], corners[3000];
    for (int i = 0; i < 3 * points.count && i < 3000; i++) {
        x[i] = (double)glb_float(points.at + 4 * i);
    }
    for (int i = 0; i < indices.count && i < 3000; i++) {
        corners[i] = glb_word(indices.at + 4 * i);
    }
    CHECK_NEAR(volume_of(x, corners, indices.count / 3), VOLUME, 1e-4 * VOLUME);
    CHECK(points.count > NODES - 15); // nodes at creases are there for each side
    free(glb.json);
}

TEST(tissue_in_every_format)
{
    char folder[64], path[128], words[320];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/scene.json", folder);
    write_text(path, scene_text, sizeof scene_text - 1);
    snprintf(words, sizeof words, "run %s --record %s/run.cgr --json", path, folder);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    const char *pad = json_item(json_member(run.out, "tissues"), 0);
    CHECK_INT(glb_int(pad, "nodes"), NODES);
    CHECK_INT(glb_int(pad, "inverted_cells"), 0);
    app_run_free(&run);
    static const char *const outs[] = {"out.csv", "out.pvd", "out.glb", "out.svg", "one.csv --thread cord"};
    for (int i = 0; i < 5; i++) {
        run = export(folder, outs[i]);
        CHECK_INT(run.code, 0);
        CHECK_STR(run.err, "");
        CHECK(contains(run.out, i < 4 ? "1 thread, 109 points, 1 tissue, 3 shapes" : "1 thread, 4 points, 3 shapes"));
        app_run_free(&run);
    }
    check_csv(folder);
    check_vtk(folder);
    check_glb(folder);
    size_t size = read_bytes(folder, "out.svg", buffer, sizeof buffer - 1);
    buffer[size] = '\0';
    CHECK(xml_fault(buffer, NULL) == NULL && contains(buffer, "threads and tissues at several times"));
    int triangles = 0;
    for (const char *at = buffer; (at = strstr(at, "z\" fill=")) != NULL; at++) {
        triangles++;
    }
    CHECK_INT(triangles, SHAPES * 2 * (6 * 4 + 6 * 2 + 4 * 2)); // half of them face the eye
    size = read_bytes(folder, "one.csv", buffer, sizeof buffer - 1);
    buffer[size] = '\0';
    CHECK(!contains(buffer, "pad"));
    static const char *const left[] = {"run.cgr", "scene.json", "out.pvd"};
    for (int i = 0; i < 3; i++) {
        read_bytes(folder, left[i], buffer, 1);
    }
    CHECK(remove_scratch(folder));
}

// ---- a tissue that is cut ----

enum { CUT_SHAPES = 4, CUT_EVERY = 16 };

static bool write_file(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

// Four shapes: whole, whole, cut a little, cut further. Notes nodes and triangles of each.
static void record_cuts(const char *folder, int nodes[CUT_SHAPES], int triangles[CUT_SHAPES])
{
    char path[128];
    snprintf(path, sizeof path, "%s/run.cgr", folder);
    cg_scene *scene;
    cg_scene_error error;
    cg_session *session;
    cg_session_def def = cg_session_def_default();
    cg_recorder_def recorder = cg_recorder_def_default();
    CHECK_STR(cg_scene_read(scene_text, sizeof scene_text - 1, "a", NULL, NULL, &scene, &error).message, "");
    CHECK_STR(cg_session_create(&def, scene, &session, &error).message, "");
    recorder.write = write_file;
    recorder.context = fopen(path, "wb");
    recorder.frame_every = CUT_EVERY;
    CHECK_STR(cg_session_record(session, &recorder).message, "");
    cg_world *world = (cg_world *)(uintptr_t)cg_session_world(session); // no operation cuts as yet
    cg_tissue_id pad = cg_session_tissue(session, 0);
    for (int shape = 0; shape < CUT_SHAPES; shape++) {
        if (shape >= 2) {
            double to = -2e-3 + 3e-3 * (shape - 2);
            cg_vec3 way[2] = {{-8e-3, 0.5e-3, 1e-3}, {to, 0.5e-3, 1e-3}}, down[2] = {{0, 0, -3e-3}, {0, 0, -3e-3}};
            CHECK_STR(cg_tissue_cut(world, pad, way, down, 2, NULL).message, "");
        }
        for (int step = 0; step < CUT_EVERY && shape > 0; step++) {
            cg_session_step(session);
        }
        cg_tissue_positions(world, pad, &nodes[shape]);
        triangles[shape] = cg_tissue_triangle_count(world, pad);
    }
    CHECK_STR(cg_session_end_recording(session).message, "");
    fclose(recorder.context);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// One mesh a surface: whole, cut, cut further; each closed, with the volume of the pad, and shown in its time.
static void check_cut_glb(const char *folder, const int triangles[CUT_SHAPES])
{
    static const int shape_of_mesh[3] = {1, 2, 3}, targets_of_mesh[3] = {1, 0, 0};
    static const int keys_of_mesh[3] = {2, 3, 2};
    size_t size = read_bytes(folder, "out.glb", buffer, sizeof buffer);
    glb_file glb;
    CHECK(glb_check(&glb, (const unsigned char *)buffer, size));
    CHECK_STR(glb.fault, "");
    CHECK_INT(glb_length(json_member(glb.json, "meshes")), 1 + 3);
    const char *animation = json_item(json_member(glb.json, "animations"), 0);
    int seen = 0;
    for (int m = 0; m < 3; m++) {
        const char *primitive =
            json_item(json_member(json_item(json_member(glb.json, "meshes"), 1 + m), "primitives"), 0);
        glb_accessor points, indices, times, scales;
        CHECK(glb_find(&glb, glb_int(json_member(primitive, "attributes"), "POSITION"), &points));
        CHECK(glb_find(&glb, glb_int(primitive, "indices"), &indices));
        CHECK_INT(indices.count, 3 * triangles[shape_of_mesh[m]]);
        const char *targets = json_member(primitive, "targets");
        CHECK_INT(targets ? glb_length(targets) : 0, targets_of_mesh[m]);
        static double x[6000], corners[6000];
        for (int i = 0; i < 3 * points.count && i < 6000; i++) {
            x[i] = (double)glb_float(points.at + 4 * i);
        }
        for (int i = 0; i < indices.count && i < 6000; i++) {
            corners[i] = glb_word(indices.at + 4 * i);
        }
        CHECK_NEAR(volume_of(x, corners, indices.count / 3), VOLUME, 1e-3 * VOLUME);
        for (int c = 0; json_item(json_member(animation, "channels"), c); c++) {
            const char *channel = json_item(json_member(animation, "channels"), c), *sampler;
            const char *target = json_member(channel, "target");
            if (glb_int(target, "node") == 2 + m && glb_is_word(target, "path", "scale")) {
                CHECK(glb_find_channel(&glb, animation, channel, &times, &scales, &sampler));
                CHECK_INT(times.count, keys_of_mesh[m]);
                CHECK_NEAR((double)glb_float(scales.at), m == 0 ? 1 : 0, 0);
                seen++;
            }
        }
    }
    CHECK_INT(seen, 3);
    free(glb.json);
}

TEST(a_tissue_that_is_cut_in_every_format)
{
    char folder[64];
    int nodes[CUT_SHAPES], triangles[CUT_SHAPES], rows = 0, expected = 0;
    make_scratch(folder);
    record_cuts(folder, nodes, triangles);
    CHECK(nodes[0] == nodes[1] && nodes[1] < nodes[2] && triangles[2] < triangles[3]);
    static const char *const outs[] = {"out.csv", "out.pvd", "out.glb", "out.svg"};
    for (int i = 0; i < 4; i++) {
        app_run run = export(folder, outs[i]);
        CHECK_INT(run.code, 0);
        CHECK_STR(run.err, "");
        app_run_free(&run);
    }
    size_t size = read_bytes(folder, "out.csv", buffer, sizeof buffer - 1);
    buffer[size] = '\0';
    for (char *line = strtok(buffer, "\n"); line; line = strtok(NULL, "\n")) {
        rows += strstr(line, ",pad,") != NULL;
    }
    for (int shape = 0; shape < CUT_SHAPES; shape++) {
        expected += nodes[shape];
        static vtk_piece piece;
        char name[32];
        snprintf(name, sizeof name, "out/out_%04d.vtp", shape);
        vtk_read(buffer, read_bytes(folder, name, buffer, sizeof buffer), &piece);
        CHECK_STR(piece.fault ? piece.fault : "", "");
        CHECK_INT(piece.points, VERTICES + nodes[shape]);
        CHECK_INT(piece.polys, triangles[shape]);
        CHECK_NEAR(volume_of(piece.coordinates.values, piece.corners.values, piece.polys), VOLUME, 1e-3 * VOLUME);
    }
    CHECK_INT(rows, expected);
    check_cut_glb(folder, triangles);
    size = read_bytes(folder, "out.svg", buffer, sizeof buffer - 1);
    buffer[size] = '\0';
    CHECK(xml_fault(buffer, NULL) == NULL);
    read_bytes(folder, "run.cgr", buffer, 1);
    read_bytes(folder, "out.pvd", buffer, 1);
    CHECK(remove_scratch(folder));
}
