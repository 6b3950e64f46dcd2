// Recordings exported by the command and read back: against the shapes and tensions that the run itself had.
#include "run_app.h"

#include <math.h>

#include "catgut/session.h"
#include "glb_check.h"
#include "harness.h"
#include "support/record_file.h"
#include "vtk_check.h"

enum { STEPS = 100, EVERY = 16, FRAMES = 8, VERTICES = 21 }; // frames at 0, 16, ..., 96 and at the end
static const char scene_text[] =
    "{\"threads\": [\n"
    "{\"name\": \"one\", \"suture\": \"3-0 nylon\", \"vertices\": 21, \"start\": \"clamped\",\n"
    " \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"50 mm\", 0, 0]}}},\n"
    "{\"name\": \"two\", \"suture\": \"3-0 nylon\", \"vertices\": 21, \"finish\": \"pinned\",\n"
    " \"shape\": {\"line\": {\"from\": [0, \"20 mm\", 0], \"to\": [\"40 mm\", \"20 mm\", 0]}}}]}";

typedef struct truth {
    cg_vec3 points[FRAMES][2][VERTICES];
    double tensions[FRAMES][2][VERTICES - 1];
    bool gone[FRAMES]; // the second thread
} truth;

static void note(truth *t, int frame, const cg_session *session)
{
    const cg_world *world = cg_session_world(session);
    for (int thread = 0; thread < 2; thread++) {
        cg_thread_id id = cg_session_thread(session, thread);
        const cg_vec3 *points = cg_thread_positions(world, id, NULL);
        t->gone[frame] = t->gone[frame] || !points;
        if (points) {
            memcpy(t->points[frame][thread], points, sizeof t->points[frame][thread]);
            cg_thread_tensions(world, id, t->tensions[frame][thread], VERTICES - 1);
        }
    }
}

// Runs and records the scene; the first thread is pushed in step 20, the second is taken out before step 70. A secret
// push at step 40 is not recorded. False when something fails.
static bool record(const char *path, truth *t, bool with_secret)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    cg_session_def def = cg_session_def_default();
    cg_session *session = NULL;
    cg_record_writer writer = {0};
    if (cg_scene_read(scene_text, strlen(scene_text), "made up", NULL, NULL, &scene, &error).code != CG_OK) {
        printf("%d:%d: %s\n", error.line, error.column, error.message);
        return false;
    }
    bool good = cg_session_create(&def, scene, &session, &error).code == CG_OK &&
                cg_record_writer_open(&writer, path, false, stderr);
    if (good) {
        cg_recorder_def recorder = cg_record_writer_def(&writer);
        recorder.frame_every = EVERY;
        good = cg_session_record(session, &recorder).code == CG_OK;
    }
    for (int step = 0; step <= STEPS && good; step++) {
        if (step % EVERY == 0 || step == STEPS) {
            note(t, (step + EVERY - 1) / EVERY, session);
        }
        if (step == 40 && with_secret) {
            cg_vec3 force = {0, 1e-3, 0};
            cg_thread_push_vertex((cg_world *)cg_session_world(session), cg_session_thread(session, 0), 9, force);
        }
        if (step == 20) {
            cg_operation push = {.step = 20, .kind = CG_OPERATION_push_vertex};
            push.as.push_vertex.vertex = 10;
            push.as.push_vertex.force.y = 1e-4;
            good = cg_session_apply(session, &push).code == CG_OK;
        }
        if (step == 70) {
            cg_operation operation = {.step = 70, .kind = CG_OPERATION_remove_thread, .as.remove_thread.thread = 1};
            good = cg_session_apply(session, &operation).code == CG_OK;
        }
        if (step < STEPS) {
            cg_session_step(session);
        }
    }
    good = good && cg_record_writer_close(&writer, cg_session_end_recording(session), stderr);
    cg_session_destroy(session);
    cg_scene_free(scene);
    return good;
}

static int step_of(int frame)
{
    return frame < FRAMES - 1 ? EVERY * frame : STEPS;
}

static bool close_to(double a, double b)
{
    return fabs(a - b) < 2e-8; // what a recording keeps
}

static app_run export(const char *folder, const char *rest)
{
    char words[512];
    snprintf(words, sizeof words, "export %s/run.catgut %s/%s", folder, folder, rest);
    return run_app(words);
}

static void check_csv(const char *path, const truth *t)
{
    char *text = read_text(path);
    char *line = text ? strtok(text, "\n") : NULL;
    int rows = 0;
    while (line && (line = strtok(NULL, "\n")) != NULL) {
        double time, x, y, z;
        int step, vertex;
        char name[8];
        double arc;
        if (!CHECK_INT(sscanf(line, "%lf,%d,thread,%3[a-z],%d,%lf,%lf,%lf,%lf,,", &time, &step, name, &vertex, &arc, &x,
                              &y, &z),
                       8)) {
            break;
        }
        int frame = (step + EVERY - 1) / EVERY, thread = strcmp(name, "two") == 0;
        CHECK(frame < FRAMES && vertex >= 0 && vertex < VERTICES && step == step_of(frame));
        CHECK_NEAR(time, 1e-3 * step, 1e-12);
        CHECK_NEAR(arc, (thread ? 40e-3 : 50e-3) * vertex / (VERTICES - 1), 1e-12); // as the scene says
        cg_vec3 p = t->points[frame][thread][vertex];
        CHECK(close_to(x, p.x) && close_to(y, p.y) && close_to(z, p.z));
        rows++;
    }
    CHECK_INT(rows, FRAMES * VERTICES + 5 * VERTICES); // the second thread is there at 0, 16, 32, 48, 64
    free(text);
}

static void check_vtk(const char *folder, const truth *t)
{
    vtk_piece *piece = malloc(sizeof *piece);
    for (int frame = 0; frame < FRAMES; frame++) {
        char path[128];
        snprintf(path, sizeof path, "%s/out/out_%04d.vtp", folder, frame);
        FILE *file = fopen(path, "rb");
        static char bytes[1 << 16];
        size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (file) {
            fclose(file);
        }
        vtk_read(bytes, size, piece);
        CHECK_STR(piece->fault ? piece->fault : "", "");
        CHECK_INT(piece->lines, t->gone[frame] ? 1 : 2);
        CHECK_NEAR(piece->time, 1e-3 * step_of(frame), 1e-12);
        const vtk_array *tension = vtk_data(piece, "tension");
        if (!CHECK(tension != NULL)) {
            break;
        }
        for (int i = 0; i < piece->points; i++) {
            int thread = i / VERTICES, vertex = i % VERTICES;
            const double *x = piece->coordinates.values + 3 * i;
            cg_vec3 p = t->points[frame][thread][vertex];
            CHECK(close_to(x[0], p.x) && close_to(x[1], p.y) && close_to(x[2], p.z));
            const double *true_tensions = t->tensions[frame][thread];
            double before = true_tensions[vertex > 0 ? vertex - 1 : 0];
            double after = true_tensions[vertex < VERTICES - 1 ? vertex : VERTICES - 2];
            // The run is repeated to the bit; only the file rounds to floats.
            double mean = 0.5 * (before + after);
            CHECK_NEAR(tension->values[i], mean, 1e-7 * fabs(mean) + 1e-30);
        }
        remove(path);
    }
    free(piece);
}

static void check_glb(const char *path)
{
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) {
        fclose(file);
    }
    glb_file glb;
    CHECK(glb_check(&glb, bytes, size));
    CHECK_STR(glb.fault, "");
    CHECK_INT(glb_length(json_member(glb.json, "meshes")), 2);
    const char *mesh = json_item(json_member(glb.json, "meshes"), 0);
    CHECK_INT(glb_length(json_member(json_item(json_member(mesh, "primitives"), 0), "targets")), FRAMES - 1);
    free(glb.json);
}

static void remove_in(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

TEST(a_recording_in_every_format)
{
    static truth t;
    char folder[64], path[128];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/run.catgut", folder);
    if (!CHECK(record(path, &t, false))) {
        return;
    }
    static const char *const outs[] = {"out.csv", "out.pvd --tension", "out.glb", "out.svg",
                                       "part.csv --every 3 --thread two"};
    for (int i = 0; i < 5; i++) {
        app_run run = export(folder, outs[i]);
        CHECK_INT(run.code, 0);
        CHECK_STR(run.err, "");
        CHECK(contains(run.out, i < 4 ? "2 threads, 42 points, 8 shapes" : "1 thread, 21 points, 3 shapes"));
        app_run_free(&run);
    }
    snprintf(path, sizeof path, "%s/out.csv", folder);
    check_csv(path, &t);
    check_vtk(folder, &t);
    snprintf(path, sizeof path, "%s/out.glb", folder);
    check_glb(path);
    snprintf(path, sizeof path, "%s/out.svg", folder);
    char *svg = read_text(path);
    CHECK(svg && xml_fault(svg, NULL) == NULL && contains(svg, "0.096 s</text>"));
    free(svg);
    snprintf(path, sizeof path, "%s/part.csv", folder);
    char *part = read_text(path);
    CHECK(part && contains(part, "0.048,48,thread,two,20,") && !contains(part, "one") && !contains(part, "\n0.016,"));
    free(part);
    app_run run = export(folder, "out.csv --thread onne");
    CHECK_INT(run.code, 2);
    CHECK(contains(run.err, "there is no thread \"onne\"; did you mean \"one\"?"));
    app_run_free(&run);
    static const char *const made[] = {"run.catgut", "out.csv", "out.pvd", "out.glb", "out.svg", "part.csv"};
    for (int i = 0; i < 6; i++) {
        remove_in(folder, made[i]);
    }
    CHECK(remove_scratch(folder));
}

TEST(a_damaged_recording_is_exported_up_to_the_damage)
{
    static truth t;
    char folder[64], path[128];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/run.catgut", folder);
    if (!CHECK(record(path, &t, false))) {
        return;
    }
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    fclose(file);
    // The end is cut off: the shapes may be there, the message must be.
    write_text(path, bytes, size - 10);
    app_run run = export(folder, "out.csv --json");
    CHECK(run.code == 0 ? contains(run.err, "run.catgut: ") && json_item(json_member(run.out, "warnings"), 0) != NULL
                        : run.code == 2 && run.out[0] == '\0' && contains(run.err, "run.catgut"));
    app_run_free(&run);
    // However much is cut off or flipped, it never crashes and never says nothing.
    uint64_t random = 5;
    int tries = test_count(60, 3000);
    for (int i = 0; i < tries; i++) {
        size_t kept = (size_t)test_random_int(&random, 8, (int)size - 1);
        char flipped = bytes[kept];
        bool cut = i % 2 == 0;
        int bit = test_random_int(&random, 0, 7);
        bytes[kept] = (char)(cut ? flipped : flipped ^ (1 << bit));
        write_text(path, bytes, cut ? kept : size);
        run = export(folder, "out.csv");
        CHECK((run.code == 0 || run.code == 2) && run.err[0] != '\0');
        bytes[kept] = flipped;
        app_run_free(&run);
    }
    remove_in(folder, "run.catgut");
    remove_in(folder, "out.csv");
    CHECK(remove_scratch(folder));
}

TEST(tension_of_a_run_that_cannot_be_repeated_is_left_out)
{
    static truth t;
    char folder[64], path[128];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/run.catgut", folder);
    if (!CHECK(record(path, &t, true))) {
        return;
    }
    app_run run = export(folder, "out.pvd --tension");
    CHECK_INT(run.code, 1);
    CHECK(contains(run.err, "the run could not be repeated"));
    app_run_free(&run);
    vtk_piece *piece = malloc(sizeof *piece);
    for (int frame = 0; frame < FRAMES; frame++) {
        snprintf(path, sizeof path, "%s/out/out_%04d.vtp", folder, frame);
        static char bytes[1 << 16];
        FILE *file = fopen(path, "rb");
        size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (file) {
            fclose(file);
        }
        vtk_read(bytes, size, piece);
        CHECK_STR(piece->fault ? piece->fault : "", "");
        CHECK((vtk_data(piece, "tension") != NULL) == (step_of(frame) <= 40));
        remove(path);
    }
    free(piece);
    remove_in(folder, "run.catgut");
    remove_in(folder, "out.pvd");
    CHECK(remove_scratch(folder));
}
