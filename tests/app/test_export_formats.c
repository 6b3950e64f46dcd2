// Shapes written as csv, vtk, glb and svg and read back by readers of the tests' own.
#include "run_app.h"

#include <math.h>

#include "export/formats.h"
#include "export/tube_mesh.h"
#include "glb_check.h"
#include "harness.h"
#include "vtk_check.h"

enum { POSES = 5, THREADS = 2, FIRST = 4, SECOND = 7 };

// Two made-up threads that move; the second is gone in the last pose.
typedef struct film {
    cg_vec3 points[FIRST + SECOND];
    int starts[THREADS + 1];
    size_t fetched;
} film;

static const cg_pose_thread film_threads[THREADS] = {{.name = "left, \"old\"", .radius = 1e-4},
                                                     {.name = "right", .radius = 2e-4}};

static cg_vec3 film_point(size_t pose, int thread, int i)
{
    double a = 0.3 * i + 0.2 * (double)pose;
    return (cg_vec3){0.01 * cos(a), 0.01 * sin(a) + 0.02 * thread, 0.001 * i * (double)(pose + 1)};
}

// What a recording holds are floats. The detour over memory matters: gcc 12 drops (double)(float)x from neighbouring
// values when it turns them into vectors.
static double as_float(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

static bool film_fetch(void *context, size_t index, cg_pose *pose, FILE *err)
{
    film *f = context;
    if (index >= POSES) {
        fputs("beyond the film\n", err);
        return false;
    }
    int counts[THREADS] = {FIRST, index == POSES - 1 ? 0 : SECOND}, place = 0;
    for (int thread = 0; thread < THREADS; thread++) {
        f->starts[thread] = place;
        for (int i = 0; i < counts[thread]; i++) {
            cg_vec3 p = film_point(index, thread, i);
            f->points[place++] = (cg_vec3){as_float(p.x), as_float(p.y), as_float(p.z)};
        }
    }
    f->starts[THREADS] = place;
    f->fetched = index;
    *pose = (cg_pose){.step = 10 * index, .time = 0.01 * (double)index, .thread_count = THREADS};
    pose->starts = f->starts;
    pose->points = f->points;
    return true;
}

static void film_measure(void *context, int thread, cg_pose_measure *measures, int count)
{
    const film *f = context;
    for (int i = 0; i < count; i++) {
        measures[i] = (cg_pose_measure){0.5 * i, 0.25 * i, thread + 0.5 * i + 10 * (double)f->fetched};
    }
}

static cg_poses film_poses(film *f)
{
    return (cg_poses){.count = POSES,
                      .thread_count = THREADS,
                      .threads = film_threads,
                      .fetch = film_fetch,
                      .measure = film_measure,
                      .context = f};
}

static char *written;
static size_t written_size;

static FILE *begin_writing(void)
{
    free(written);
    return open_memstream(&written, &written_size);
}

TEST(csv_has_a_line_for_each_vertex)
{
    film f;
    cg_poses poses = film_poses(&f);
    FILE *out = begin_writing();
    CHECK(cg_export_csv(&poses, out, stderr));
    fclose(out);
    char *line = strtok(written, "\n");
    CHECK_STR(line, "time,step,kind,name,point,arc_rest,x,y,z,strain,tension");
    int lines = 0;
    for (size_t pose = 0; pose < POSES; pose++) {
        for (int thread = 0; thread < (pose == POSES - 1 ? 1 : 2); thread++) {
            for (int i = 0; i < (thread ? SECOND : FIRST); i++) {
                line = strtok(NULL, "\n");
                // The name with a comma and quotes is quoted, its quotes doubled.
                const char *name = thread ? ",thread,right," : ",thread,\"left, \"\"old\"\"\",";
                char *at = line ? strstr(line, name) : NULL;
                if (!CHECK(at != NULL)) {
                    return;
                }
                double time, arc, x, y, z, strain, tension;
                int step, vertex;
                CHECK_INT(sscanf(line, "%lf,%d,", &time, &step), 2);
                CHECK_INT(sscanf(at + strlen(name), "%d,%lf,%lf,%lf,%lf,%lf,%lf", &vertex, &arc, &x, &y, &z, &strain,
                                 &tension),
                          7);
                CHECK(arc == 0.5 * i && strain == 0.25 * i && tension == thread + 0.5 * i + 10 * (double)pose);
                cg_vec3 p = film_point(pose, thread, i);
                CHECK_NEAR(time, 0.01 * (double)pose, 1e-12);
                CHECK_INT(step, 10 * (int)pose);
                CHECK_INT(vertex, i);
                CHECK(as_float(x) == as_float(p.x) && as_float(y) == as_float(p.y) && as_float(z) == as_float(p.z));
                lines++;
            }
        }
    }
    CHECK_INT(lines, POSES * FIRST + (POSES - 1) * SECOND);
    CHECK(strtok(NULL, "\n") == NULL);
}

static void check_vtk_pose(const vtk_piece *piece, size_t pose)
{
    int threads = pose == POSES - 1 ? 1 : 2;
    CHECK_STR(piece->fault ? piece->fault : "", "");
    CHECK_INT(piece->lines, threads);
    CHECK_INT(piece->points, FIRST + (threads > 1 ? SECOND : 0));
    CHECK_NEAR(piece->time, 0.01 * (double)pose, 1e-12);
    const vtk_array *arc = vtk_data(piece, "arc_length"), *place = vtk_data(piece, "thread");
    const vtk_array *tension = vtk_data(piece, "tension");
    if (piece->fault || !CHECK(arc && place && tension)) {
        return;
    }
    int corner = 0;
    for (int line = 0; line < piece->lines; line++) {
        double length = 0;
        int count = line ? SECOND : FIRST;
        CHECK_INT((int)piece->offsets.values[line] - corner, count);
        for (int i = 0; i < count; i++) {
            int point = (int)piece->connectivity.values[corner++];
            cg_vec3 p = film_point(pose, line, i), q = film_point(pose, line, i > 0 ? i - 1 : 0);
            CHECK(piece->coordinates.values[3 * point] == as_float(p.x));
            CHECK(piece->coordinates.values[3 * point + 1] == as_float(p.y));
            CHECK(piece->coordinates.values[3 * point + 2] == as_float(p.z));
            length += sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
            CHECK_NEAR(arc->values[point], length, 1e-8);
            CHECK_INT((int)place->values[point], line);
            CHECK_NEAR(tension->values[point], line + 0.5 * i + 10 * (double)pose, 1e-5);
        }
    }
}

static char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1 << 20, 1);
    *size = file ? fread(bytes, 1, (1 << 20) - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    return bytes;
}

TEST(vtk_series_reads_back_as_the_poses)
{
    film f;
    cg_poses poses = film_poses(&f);
    char folder[64], stem[96], path[128];
    make_scratch(folder);
    snprintf(stem, sizeof stem, "%s/a&b", folder); // a name that XML must escape
    cg_vtk_series series = {.stem = stem, .count = poses.count};
    CHECK(cg_export_vtk_series(&poses, &series, stderr));
    snprintf(path, sizeof path, "%s.pvd", stem);
    char *collection = read_text(path);
    if (!CHECK(collection != NULL)) {
        return;
    }
    int elements = 0;
    const char *fault = xml_fault(collection, &elements);
    CHECK_STR(fault ? fault : "", "");
    CHECK_INT(elements, 2 + POSES);
    const char *tag = collection;
    vtk_piece *piece = malloc(sizeof *piece);
    for (size_t pose = 0; pose < POSES; pose++) {
        char word[64], wanted[64];
        tag = strstr(tag + 1, "<DataSet");
        if (!CHECK(tag != NULL)) {
            break;
        }
        snprintf(wanted, sizeof wanted, "a&amp;b/a&amp;b_%04zu.vtp", pose);
        CHECK_STR(vtk_attribute(tag, "file", word), wanted);
        CHECK_NEAR(atof(vtk_attribute(tag, "timestep", word)), 0.01 * (double)pose, 1e-12);
        snprintf(path, sizeof path, "%s/a&b_%04zu.vtp", stem, pose);
        size_t size;
        char *bytes = read_bytes(path, &size);
        vtk_read(bytes, size, piece);
        check_vtk_pose(piece, pose);
        // The reader does see damage: an offset that is off, a cut file.
        char *offsets = strstr(bytes, "offset=\"");
        offsets[strlen("offset=\"")]++;
        vtk_read(bytes, size, piece);
        CHECK(piece->fault != NULL);
        vtk_read(bytes, size - 40, piece);
        CHECK(piece->fault != NULL);
        free(bytes);
        remove(path);
    }
    free(piece);
    free(collection);
    snprintf(path, sizeof path, "%s.pvd", stem);
    remove(path);
    CHECK(remove_scratch(folder)); // nothing else was written
}

TEST(vtk_without_tension_has_no_such_array)
{
    film f;
    cg_poses poses = film_poses(&f);
    poses.measure = NULL;
    cg_pose pose;
    CHECK(poses.fetch(poses.context, 1, &pose, stderr));
    FILE *out = begin_writing();
    CHECK(cg_export_vtp(&poses, &pose, out, stderr));
    fclose(out);
    vtk_piece *piece = malloc(sizeof *piece);
    vtk_read(written, written_size, piece);
    CHECK_STR(piece->fault ? piece->fault : "", "");
    CHECK_INT(piece->data_count, 4); // arc lengths, thread and part
    free(piece);
}

// Signed volume inside the triangles: positive when they are counter-clockwise seen from outside.
static double mesh_volume(const float *positions, const uint32_t *indices, size_t index_count)
{
    double sum = 0;
    for (size_t i = 0; i < index_count; i += 3) {
        const float *a = positions + 3 * indices[i], *b = positions + 3 * indices[i + 1];
        const float *c = positions + 3 * indices[i + 2];
        double x = (double)b[1] * (double)c[2] - (double)b[2] * (double)c[1];
        double y = (double)b[2] * (double)c[0] - (double)b[0] * (double)c[2];
        double z = (double)b[0] * (double)c[1] - (double)b[1] * (double)c[0];
        sum += ((double)a[0] * x + (double)a[1] * y + (double)a[2] * z) / 6;
    }
    return sum;
}

TEST(a_tube_is_closed_and_faces_outward)
{
    enum { COUNT = 9 };
    for (int sides = 3; sides <= 12; sides++) {
        cg_vec3 points[COUNT], across = {0, 0, 0};
        for (int i = 0; i < COUNT; i++) {
            points[i] = (cg_vec3){3 + 0.5 * i, 2 - 0.25 * i, 1 + 0.125 * i};
        }
        points[4] = points[3]; // a segment of no length
        size_t vertices = cg_tube_mesh_vertex_count(COUNT, sides), count = cg_tube_mesh_index_count(COUNT, sides);
        float *positions = malloc(6 * vertices * sizeof *positions), *normals = positions + 3 * vertices;
        uint32_t *indices = malloc(count * sizeof *indices);
        cg_tube_mesh_indices(COUNT, sides, indices);
        cg_tube_mesh_shape(points, COUNT, sides, 0.2, &across, positions, normals);
        double angle = 2 * acos(-1) / sides, length = 8 * sqrt(0.25 + 0.0625 + 0.015625);
        CHECK_NEAR(mesh_volume(positions, indices, count), 0.5 * sides * 0.04 * sin(angle) * length, 1e-5);
        for (size_t i = 0; i < vertices; i++) {
            const float *n = normals + 3 * i;
            double square = (double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2];
            CHECK_NEAR(square, 1, 1e-6);
        }
        free(positions);
        free(indices);
    }
}

// The vertices of pose `pose` of a mesh: the first shape plus the target.
static void glb_pose_vertex(glb_file *file, int mesh, int pose, int vertex, double place[3])
{
    const char *primitive = json_item(json_member(json_item(json_member(file->json, "meshes"), mesh), "primitives"), 0);
    glb_accessor base = {0}, target = {0};
    glb_find(file, glb_int(json_member(primitive, "attributes"), "POSITION"), &base);
    if (pose > 0) {
        const char *targets = json_item(json_member(primitive, "targets"), pose - 1);
        glb_find(file, glb_int(targets, "POSITION"), &target);
    }
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = (double)glb_float(base.at + 4 * (3 * vertex + axis));
        place[axis] += pose > 0 ? (double)glb_float(target.at + 4 * (3 * vertex + axis)) : 0;
    }
}

TEST(glb_is_sound_and_its_targets_are_the_poses)
{
    film f;
    cg_poses poses = film_poses(&f);
    enum { SIDES = 6 };
    cg_glb_look look = {.max_poses = 32, .sides = SIDES, .thicker = 3};
    FILE *out = begin_writing();
    CHECK(cg_export_glb(&poses, &look, out, stderr));
    fclose(out);
    glb_file file;
    bool good = glb_check(&file, (const unsigned char *)written, written_size);
    CHECK(good);
    CHECK_STR(file.fault, "");
    CHECK_INT(glb_length(json_member(file.json, "meshes")), THREADS);
    CHECK(glb_is_word(json_item(json_member(file.json, "meshes"), 1), "name", "right"));
    for (int mesh = 0; mesh < THREADS && good; mesh++) {
        for (int pose = 0; pose < POSES; pose++) {
            bool gone = mesh == 1 && pose == POSES - 1;
            for (int vertex = 0; vertex < SIDES * (mesh ? SECOND : FIRST); vertex++) {
                double place[3];
                glb_pose_vertex(&file, mesh, pose, vertex, place);
                cg_vec3 p = film_point((size_t)(gone ? pose - 1 : pose), mesh, vertex / SIDES);
                double distance = sqrt((place[0] - p.x) * (place[0] - p.x) + (place[1] - p.y) * (place[1] - p.y) +
                                       (place[2] - p.z) * (place[2] - p.z));
                CHECK_NEAR(distance, gone ? 0 : 3 * film_threads[mesh].radius, 1e-8);
            }
        }
    }
    size_t binary = (size_t)((const char *)file.binary - written);
    free(file.json);
    // The judge does see damage.
    written[12]++;
    CHECK(!glb_check(&file, (const unsigned char *)written, written_size));
    free(file.json);
    written[12]--;
    // The exponent of the first coordinate, which the bounds then do not fit; a normal; an index.
    size_t vertices = cg_tube_mesh_vertex_count(FIRST, SIDES);
    size_t damaged[] = {3, 12 * vertices + 3, 24 * vertices + 3};
    for (int i = 0; i < 3; i++) {
        written[binary + damaged[i]] ^= 0x40;
        CHECK(!glb_check(&file, (const unsigned char *)written, written_size));
        free(file.json);
        written[binary + damaged[i]] ^= 0x40;
    }
}

TEST(glb_of_one_pose_stands_still)
{
    film f;
    cg_poses poses = film_poses(&f);
    cg_glb_look look = {.max_poses = 1, .sides = 8, .thicker = 1};
    FILE *out = begin_writing();
    CHECK(cg_export_glb(&poses, &look, out, stderr));
    fclose(out);
    glb_file file;
    CHECK(glb_check(&file, (const unsigned char *)written, written_size));
    CHECK_STR(file.fault, "");
    CHECK(json_member(file.json, "animations") == NULL);
    free(file.json);
}

TEST(glb_weights_bring_one_pose_after_the_other)
{
    film f;
    cg_poses poses = film_poses(&f);
    cg_glb_look look = {.max_poses = 3, .sides = 4, .thicker = 1};
    FILE *out = begin_writing();
    CHECK(cg_export_glb(&poses, &look, out, stderr));
    fclose(out);
    glb_file file;
    CHECK(glb_check(&file, (const unsigned char *)written, written_size));
    const char *sampler = json_item(json_member(json_item(json_member(file.json, "animations"), 0), "samplers"), 0);
    glb_accessor times = {0}, weights = {0};
    CHECK(glb_find(&file, glb_int(sampler, "input"), &times) && glb_find(&file, glb_int(sampler, "output"), &weights));
    static const double wanted_times[3] = {0, 0.02, 0.04}, wanted[6] = {0, 0, 1, 0, 0, 1};
    CHECK_INT(times.count, 3);
    CHECK_INT(weights.count, 6);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR((double)glb_float(weights.at + 4 * i), wanted[i], 0);
        CHECK_NEAR((double)glb_float(times.at + 4 * (i % 3)), wanted_times[i % 3], 1e-8);
    }
    free(file.json);
}

// The strokes of each pose lie in the panel of that pose: one row, all of the same width.
static void check_panels(size_t panels)
{
    double width = 0;
    size_t panel = 0;
    const char *head = strstr(written, "viewBox=\"0 0 ");
    CHECK(head && sscanf(head, "viewBox=\"0 0 %lf", &width) == 1);
    width /= (double)panels;
    for (const char *group = strstr(written, "<g "); group; group = strstr(group + 1, "<g "), panel++) {
        const char *end = strstr(group, "</g>");
        int strokes = 0;
        for (const char *at = strstr(group, "<path d=\"M"); at && at < end; at = strstr(at + 1, "<path d=\"M")) {
            double x = atof(at + strlen("<path d=\"M"));
            CHECK(x > width * (double)panel && x < width * (double)(panel + 1));
            strokes++;
        }
        CHECK(strokes > 5);
    }
    CHECK_INT(panel, panels);
}

TEST(svg_has_a_panel_for_each_pose)
{
    film f;
    cg_poses poses = film_poses(&f);
    for (size_t panels = 1; panels <= POSES; panels++) {
        cg_strip_look look = {.max_poses = panels, .view = CG_VIEW_ISO, .thicker = 1};
        FILE *out = begin_writing();
        CHECK(cg_export_svg(&poses, &look, out, stderr));
        fclose(out);
        const char *fault = xml_fault(written, NULL);
        CHECK_STR(fault ? fault : "", "");
        int times = 0;
        for (const char *at = written; (at = strstr(at, " s</text>")) != NULL; at++) {
            times++;
        }
        CHECK_INT(times, panels > 1 ? (int)panels : 0);
        check_panels(panels);
    }
}

TEST(every_so_many_poses_of_one_thread)
{
    film f;
    cg_pose_choice choice = {.all = film_poses(&f), .every = 2, .thread = 1};
    cg_poses poses = cg_poses_choose(&choice);
    CHECK_INT(poses.count, 3);
    CHECK_INT(poses.thread_count, 1);
    CHECK_STR(poses.threads[0].name, "right");
    cg_pose pose;
    CHECK(poses.fetch(poses.context, 1, &pose, stderr));
    CHECK_INT(pose.step, 20);
    CHECK_INT(pose.thread_count, 1);
    CHECK_INT(cg_pose_vertex_count(&pose, 0), SECOND);
    CHECK_NEAR(cg_pose_points(&pose, 0)[3].z, film_point(2, 1, 3).z, 1e-9);
    cg_pose_measure measures[SECOND];
    cg_pose_measures(&poses, &pose, 0, measures);
    CHECK_NEAR(measures[2].tension, 1 + 1 + 20, 0);
    CHECK(poses.fetch(poses.context, 2, &pose, stderr));
    CHECK_INT(cg_pose_vertex_count(&pose, 0), 0);
    CHECK(cg_pose_points(&pose, 0) == NULL);
}

TEST(spaced_poses_begin_and_end_with_the_film)
{
    for (size_t count = 1; count < 40; count++) {
        for (size_t wanted = 1; wanted <= count; wanted++) {
            size_t before = 0;
            CHECK_INT(cg_pose_spaced(0, wanted, count), 0);
            for (size_t i = 1; i < wanted; i++) {
                size_t now = cg_pose_spaced(i, wanted, count);
                CHECK(now > before && now < count);
                before = now;
            }
            CHECK_INT(wanted > 1 ? cg_pose_spaced(wanted - 1, wanted, count) : count - 1, count - 1);
        }
    }
}

TEST(the_command_takes_the_format_from_the_word_or_the_ending)
{
    char folder[64], words[512], path[128];
    make_scratch(folder);
    snprintf(path, sizeof path, "%s/thread.txt", folder);
    const char *text = "0 0 0\n0.01 0 0\n0.02 0.01 0\n\n0 0.005 0.002\n0.02 0.004 -0.002\n";
    write_text(path, text, strlen(text));
    static const char *const outs[][3] = {
        // words behind the input; what is written; how it begins
        {"%s/a.csv", "a.csv", "time,step,"},
        {"%s/a.glb", "a.glb", "glTF"},
        {"%s/a.pvd", "a.pvd", "<?xml"},
        {"%s/b.vtp", "b.vtp", "<?xml"},
        {"%s/c.pvd", "c/c_0000.vtp", "<?xml"},
        {"--to vtk %s/d", "d/d_0000.vtp", "<?xml"},
        {"--to csv %s/e.svg", "e.svg", "time,"},
        {"%s/f --to glb --thicker 4 --poses 2", "f", "glTF"},
        {"%s/g.svg --thread thread_2", "g.svg", "<?xml"},
    };
    for (int i = 0; i < (int)(sizeof outs / sizeof outs[0]); i++) {
        char rest[256];
        // The format is one of the table above.
        const char *hole = strstr(outs[i][0], "%s");
        snprintf(rest, sizeof rest, "%.*s%s%s", (int)(hole - outs[i][0]), outs[i][0], folder, hole + 2);
        snprintf(words, sizeof words, "export %s/thread.txt %s --json", folder, rest);
        app_run run = run_app(words);
        CHECK_INT(run.code, 0);
        CHECK_STR(run.err, "");
        CHECK(json_is_valid(run.out) && json_member(run.out, "shapes") != NULL);
        snprintf(path, sizeof path, "%s/%s", folder, outs[i][1]);
        char *found = read_text(path);
        CHECK(found && strncmp(found, outs[i][2], strlen(outs[i][2])) == 0);
        free(found);
        app_run_free(&run);
    }
    static const char *const mistakes[][2] = {
        {"%s/x", "does not say its format"},
        {"%s/x.png", "does not say its format"},
        {"%s/x --to obj", "expected csv, vtk, glb or svg"},
        {"%s/x.csv --every 0", "expected a whole number from 1"},
        {"%s/x.csv --every 1.5", "expected a whole number from 1"},
        {"%s/x.glb --poses 1e4", "from 1 to 1000"},
        {"%s/x.glb --thicker inf", "expected a factor"},
        {"%s/x.csv --thread thread_7", "did you mean \"thread_1\"?"},
        {"%s/x.glb --tension", "expected it with vtk or the points of csv only"},
        {"%s/x.vtk", ".vtp (one shape), .pvd (a series)"},
        {"%s/x.pvd --tension", "found no recording"},
        {"%s/thread.txt --to csv", "would be written over"},
        {"%s/none/x.csv", "cannot be written"},
        {"%s/none/x.vtp", "cannot be written"},
    };
    for (int i = 0; i < (int)(sizeof mistakes / sizeof mistakes[0]); i++) {
        char rest[256];
        snprintf(rest, sizeof rest, "%s%s", folder, mistakes[i][0] + 2);
        snprintf(words, sizeof words, "export %s/thread.txt %s", folder, rest);
        app_run run = run_app(words);
        CHECK_INT(run.code, 2);
        CHECK(contains(run.err, mistakes[i][1]));
        CHECK_STR(run.out, "");
        app_run_free(&run);
    }
    static const char *const made[] = {"thread.txt", "a.csv", "a.glb",        "a.pvd", "a/a_0000.vtp",
                                       "b.vtp",      "c.pvd", "c/c_0000.vtp", "d.pvd", "d/d_0000.vtp",
                                       "e.svg",      "f",     "g.svg"};
    for (int i = 0; i < (int)(sizeof made / sizeof made[0]); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, made[i]);
        CHECK_INT(access(path, F_OK), 0);
    }
    CHECK(remove_scratch(folder));
}
