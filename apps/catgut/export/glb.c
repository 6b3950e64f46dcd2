// Shapes as glTF 2.0 in one binary file (.glb), for Blender and viewers.
//
// The file: a head of 12 bytes ("glTF", 2, length of the file), a chunk of JSON padded with blanks, a chunk of binary
// data padded with zeros; a chunk is its length, its kind and its bytes, and all lengths are multiples of 4. Each array
// of the binary data has one buffer view and one accessor of the same number.
//
// One node and one mesh for each thread that is there in the first pose, under a node that turns our z (up) to glTF's
// y. The mesh has the shape of the first pose; each further pose is a morph target, the difference of positions and
// normals from the first one. The animation brings the weight of one target after the other to 1, linearly, so between
// key poses each point moves straight. A thread that is taken out of the world is drawn without thickness from then on.
// One whose number of vertices changes is drawn with points of its own, at the same shares of its length in all poses.
// A tissue is the same with its surface in place of a tube.
//
// Arrays, for n threads and tissues and K poses: of pose 0, for each of them positions, normals, indices; of each
// further pose, for each differences of positions and normals; then the times and the weights.
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "app.h"
#include "export/bytes.h"
#include "export/formats.h"
#include "export/resample.h"
#include "export/surface_mesh.h"
#include "export/tube_mesh.h"
#include "support/json.h"
#include "support/vector.h"

static const double MOST_BYTES = 1e9; // more than viewers can take, well below what 32 bits can count
enum { FLOAT = 5126, UNSIGNED_INT = 5125, VERTEX_DATA = 34962, INDEX_DATA = 34963, NO_TARGET = 0 };

// One array of the binary data.
typedef struct accessor {
    size_t offset, count; // [bytes], items
    int width;            // numbers in an item: 1 or 3
    int component, target;
    bool has_bounds;
    float low[3], high[3];
} accessor;

// A thread or tissue as it goes through the poses.
typedef struct tube {
    int thread, points;
    int tissue;              // -1: it is a thread
    cg_surface_mesh surface; // of a tissue
    size_t vertices;
    cg_vec3 across;
    cg_vec3 *last;                        // the points it had last
    float *base_positions, *base_normals; // of the first pose
    float *positions, *normals;           // of the present one
} tube;

typedef struct scene {
    const cg_poses *poses;
    const cg_glb_look *look;
    size_t pose_count;
    double *times;
    cg_resample *resamples; // per thread
    tube *tubes;
    int tube_count;
    accessor *accessors;
    size_t accessor_count;
    unsigned char *bytes, *end; // end: behind the last byte written
    FILE *err;
} scene;

static bool complain(scene *s, const char *what)
{
    fprintf(s->err, "catgut export: %s\n", what);
    return false;
}

// ---- arrays ----

static accessor *begin_array(scene *s, size_t count, int width, int component, int target)
{
    accessor *a = &s->accessors[s->accessor_count++];
    *a = (accessor){.offset = (size_t)(s->end - s->bytes),
                    .count = count,
                    .width = width,
                    .component = component,
                    .target = target};
    return a;
}

// Floats, less those of `minus` where it is given.
static void add_floats(scene *s, const float *values, const float *minus, size_t count, int width, int target,
                       bool has_bounds)
{
    accessor *a = begin_array(s, count, width, FLOAT, target);
    a->has_bounds = has_bounds;
    for (size_t i = 0; i < count * (size_t)width; i++) {
        float value = minus ? values[i] - minus[i] : values[i];
        size_t axis = i % (size_t)width;
        a->low[axis] = i < (size_t)width || value < a->low[axis] ? value : a->low[axis];
        a->high[axis] = i < (size_t)width || value > a->high[axis] ? value : a->high[axis];
        s->end = cg_put_float(s->end, value);
    }
}

static void put_indices(scene *s, const uint32_t *indices, size_t count)
{
    begin_array(s, count, 1, UNSIGNED_INT, INDEX_DATA);
    for (size_t i = 0; i < count; i++) {
        s->end = cg_put_bits32(s->end, indices[i]);
    }
}

static bool add_indices(scene *s, const tube *t)
{
    size_t count = cg_tube_mesh_index_count(t->points, s->look->sides);
    uint32_t *indices = malloc(count * sizeof *indices);
    if (!indices) {
        return complain(s, "no memory left for the triangles");
    }
    cg_tube_mesh_indices(t->points, s->look->sides, indices);
    put_indices(s, indices, count);
    free(indices);
    return true;
}

// ---- poses ----

static bool take_arrays(tube *t)
{
    size_t vertices = t->vertices;
    t->last = malloc((size_t)t->points * sizeof *t->last);
    t->base_positions = malloc(4 * 3 * vertices * sizeof *t->base_positions);
    if (!t->last || !t->base_positions) {
        return false;
    }
    t->base_normals = t->base_positions + 3 * vertices;
    t->positions = t->base_normals + 3 * vertices;
    t->normals = t->positions + 3 * vertices;
    return true;
}

static bool fits(scene *s, double bytes)
{
    return bytes <= MOST_BYTES ? true
                               : complain(s, "the mesh would take more than 1 GB; choose fewer poses (--poses) or one "
                                             "thread (--thread)");
}

static bool begin_surfaces(scene *s, const cg_pose *pose, double *bytes)
{
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        if (!cg_pose_nodes(pose, tissue)) {
            continue;
        }
        tube *t = &s->tubes[s->tube_count++];
        *t = (tube){.tissue = tissue, .points = s->poses->tissues[tissue].node_count};
        bool made = cg_surface_mesh_make(&t->surface, &s->poses->tissues[tissue]);
        t->vertices = (size_t)t->surface.point_count;
        *bytes += 24.0 * (double)s->pose_count * (double)t->vertices + 12.0 * (double)t->surface.triangle_count;
        if (!fits(s, *bytes)) {
            return false;
        }
        if (!made || !take_arrays(t)) {
            return complain(s, "no memory left for a tissue");
        }
    }
    return true;
}

// Makes room for everything, once the first pose is known.
static bool begin_scene(scene *s, const cg_pose *pose)
{
    double bytes = 4.0 * (double)s->pose_count * (double)(s->pose_count + 1);
    s->tubes = calloc((size_t)pose->thread_count + (size_t)pose->tissue_count + 1, sizeof *s->tubes);
    if (!s->tubes) {
        return complain(s, "no memory left for the threads");
    }
    for (int thread = 0; thread < pose->thread_count; thread++) {
        int points = cg_pose_vertex_count(pose, thread);
        if (points < 2) {
            continue;
        }
        points = s->resamples[thread].shares ? s->resamples[thread].count : points;
        bytes += 24.0 * (double)s->pose_count * (double)cg_tube_mesh_vertex_count(points, s->look->sides);
        bytes += 4.0 * (double)cg_tube_mesh_index_count(points, s->look->sides);
        if (!fits(s, bytes)) {
            return false;
        }
        tube *t = &s->tubes[s->tube_count++];
        *t = (tube){.thread = thread,
                    .points = points,
                    .tissue = -1,
                    .vertices = cg_tube_mesh_vertex_count(points, s->look->sides)};
        if (!take_arrays(t)) {
            return complain(s, "no memory left for a tube");
        }
    }
    if (!begin_surfaces(s, pose, &bytes)) {
        return false;
    }
    if (s->tube_count == 0) {
        return complain(s, "the first pose has no thread and no tissue to draw");
    }
    s->accessors = calloc((size_t)s->tube_count * (2 * s->pose_count + 1) + 2, sizeof *s->accessors);
    s->times = calloc(s->pose_count, sizeof *s->times);
    s->bytes = s->end = malloc((size_t)bytes);
    return s->accessors && s->times && s->bytes ? true : complain(s, "no memory left for the mesh");
}

// A tissue that is taken out of the world shrinks to a point, as a thread to a line.
static void add_surface_pose(scene *s, tube *t, const cg_pose *pose, bool first)
{
    const cg_vec3 *nodes = cg_pose_nodes(pose, t->tissue);
    for (int i = 0; i < t->points; i++) {
        t->last[i] = nodes ? nodes[i] : t->last[0];
    }
    float *positions = first ? t->base_positions : t->positions, *normals = first ? t->base_normals : t->normals;
    cg_surface_mesh_shape(&t->surface, t->last, positions, normals);
    add_floats(s, positions, first ? NULL : t->base_positions, t->vertices, 3, VERTEX_DATA, true);
    add_floats(s, normals, first ? NULL : t->base_normals, t->vertices, 3, VERTEX_DATA, false);
    if (first) {
        put_indices(s, t->surface.corners, 3 * (size_t)t->surface.triangle_count);
    }
}

static bool add_tube_pose(scene *s, tube *t, const cg_pose *pose, bool first)
{
    if (t->tissue >= 0) {
        add_surface_pose(s, t, pose, first);
        return true;
    }
    const cg_pose_thread *about = &s->poses->threads[t->thread];
    const cg_resample *resample = &s->resamples[t->thread];
    int points = cg_pose_vertex_count(pose, t->thread);
    if (points > 1 && resample->shares) {
        cg_resample_points(resample, cg_pose_points(pose, t->thread), points, t->last);
    } else if (points > 1) {
        memcpy(t->last, cg_pose_points(pose, t->thread), (size_t)points * sizeof *t->last);
    }
    double radius = points > 0 ? about->radius * s->look->thicker : 0;
    float *positions = first ? t->base_positions : t->positions, *normals = first ? t->base_normals : t->normals;
    cg_tube_mesh_shape(t->last, t->points, s->look->sides, radius, &t->across, positions, normals);
    add_floats(s, positions, first ? NULL : t->base_positions, t->vertices, 3, VERTEX_DATA, true);
    add_floats(s, normals, first ? NULL : t->base_normals, t->vertices, 3, VERTEX_DATA, false);
    return first ? add_indices(s, t) : true;
}

static bool add_animation(scene *s)
{
    size_t keys = s->pose_count, targets = keys - 1;
    float *weights = calloc(keys * targets + keys, sizeof *weights);
    if (!weights) {
        return complain(s, "no memory left for the animation");
    }
    float *times = weights + keys * targets;
    for (size_t k = 0; k < keys; k++) {
        times[k] = (float)(s->times[k] - s->times[0]);
        // Times that a float cannot tell apart would not be in order.
        if (k > 0 && !(times[k] > times[k - 1])) {
            times[k] = nextafterf(times[k - 1], INFINITY);
        }
        if (k > 0) {
            weights[k * targets + k - 1] = 1;
        }
    }
    add_floats(s, times, NULL, keys, 1, NO_TARGET, true);
    add_floats(s, weights, NULL, keys * targets, 1, NO_TARGET, false);
    free(weights);
    return true;
}

// Looks through all poses for threads whose number of vertices changes.
static bool look_ahead(scene *s)
{
    s->resamples = calloc((size_t)s->poses->thread_count + 1, sizeof *s->resamples);
    for (size_t k = 0; s->resamples && k < s->pose_count; k++) {
        cg_pose pose;
        if (!s->poses->fetch(s->poses->context, cg_pose_spaced(k, s->pose_count, s->poses->count), &pose, s->err)) {
            return false;
        }
        for (int thread = 0; thread < pose.thread_count; thread++) {
            int count = cg_pose_vertex_count(&pose, thread);
            if (count > 1) {
                cg_resample_look(&s->resamples[thread], cg_pose_points(&pose, thread), count);
            }
        }
    }
    bool good = s->resamples != NULL;
    for (int thread = 0; good && thread < s->poses->thread_count; thread++) {
        good = cg_resample_end(&s->resamples[thread]);
    }
    return good ? true : complain(s, "no memory left for the threads");
}

static bool add_poses(scene *s)
{
    if (!look_ahead(s)) {
        return false;
    }
    for (size_t k = 0; k < s->pose_count; k++) {
        cg_pose pose;
        size_t index = cg_pose_spaced(k, s->pose_count, s->poses->count);
        if (!s->poses->fetch(s->poses->context, index, &pose, s->err) || (k == 0 && !begin_scene(s, &pose))) {
            return false;
        }
        s->times[k] = pose.time;
        for (int i = 0; i < s->tube_count; i++) {
            if (!add_tube_pose(s, &s->tubes[i], &pose, k == 0)) {
                return false;
            }
        }
    }
    return s->pose_count < 2 || add_animation(s);
}

// ---- JSON ----

static void member_index(cg_json *json, const char *name, size_t index)
{
    cg_json_number_member(json, name, (double)index);
}

static void array_of_indices(cg_json *json, const char *name, size_t from, size_t count)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (size_t i = 0; i < count; i++) {
        cg_json_number(json, (double)(from + i));
    }
    cg_json_end_array(json);
}

static const char *name_of(const scene *s, const tube *t)
{
    return t->tissue >= 0 ? s->poses->tissues[t->tissue].name : s->poses->threads[t->thread].name;
}

static void write_nodes(cg_json *json, const scene *s)
{
    cg_json_name(json, "nodes");
    cg_json_begin_array(json);
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name", "catgut");
    cg_json_name(json, "rotation"); // a quarter turn about x: z becomes y
    cg_json_begin_array(json);
    cg_json_number(json, -sqrt(0.5));
    cg_json_number(json, 0);
    cg_json_number(json, 0);
    cg_json_number(json, sqrt(0.5));
    cg_json_end_array(json);
    array_of_indices(json, "children", 1, (size_t)s->tube_count);
    cg_json_end_object(json);
    for (int i = 0; i < s->tube_count; i++) {
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "name", name_of(s, &s->tubes[i]));
        member_index(json, "mesh", (size_t)i);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

// Colours are written as light that adds up, not as screens code it.
static void write_materials(cg_json *json, const scene *s)
{
    cg_json_name(json, "materials");
    cg_json_begin_array(json);
    for (int i = 0; i < s->tube_count; i++) {
        int tissue = s->tubes[i].tissue;
        cg_rgb colour = tissue >= 0 ? cg_export_skin(0) : cg_export_colour(s->tubes[i].thread);
        cg_json_begin_line_object(json);
        cg_json_name(json, "pbrMetallicRoughness");
        cg_json_begin_object(json);
        cg_json_name(json, "baseColorFactor");
        cg_json_begin_array(json);
        cg_json_number(json, pow(colour.r, 2.2));
        cg_json_number(json, pow(colour.g, 2.2));
        cg_json_number(json, pow(colour.b, 2.2));
        cg_json_number(json, 1);
        cg_json_end_array(json);
        cg_json_number_member(json, "metallicFactor", 0);
        cg_json_number_member(json, "roughnessFactor", 0.45);
        cg_json_end_object(json);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void write_attributes(cg_json *json, size_t positions)
{
    member_index(json, "POSITION", positions);
    member_index(json, "NORMAL", positions + 1);
}

static void write_targets(cg_json *json, const scene *s, size_t tube_place)
{
    size_t tubes = (size_t)s->tube_count;
    cg_json_name(json, "targets");
    cg_json_begin_array(json);
    for (size_t k = 1; k < s->pose_count; k++) {
        cg_json_begin_line_object(json);
        write_attributes(json, 3 * tubes + 2 * ((k - 1) * tubes + tube_place));
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

// Names of the targets are found by Blender here.
static void write_target_names(cg_json *json, const scene *s)
{
    cg_json_name(json, "weights");
    cg_json_begin_array(json);
    for (size_t k = 1; k < s->pose_count; k++) {
        cg_json_number(json, 0);
    }
    cg_json_end_array(json);
    cg_json_name(json, "extras");
    cg_json_begin_line_object(json);
    cg_json_name(json, "targetNames");
    cg_json_begin_array(json);
    for (size_t k = 1; k < s->pose_count; k++) {
        char name[48];
        snprintf(name, sizeof name, "%.6g s", s->times[k]);
        cg_json_string(json, name);
    }
    cg_json_end_array(json);
    cg_json_end_object(json);
}

static void write_meshes(cg_json *json, const scene *s)
{
    cg_json_name(json, "meshes");
    cg_json_begin_array(json);
    for (size_t i = 0; i < (size_t)s->tube_count; i++) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "name", name_of(s, &s->tubes[i]));
        cg_json_name(json, "primitives");
        cg_json_begin_array(json);
        cg_json_begin_object(json);
        cg_json_name(json, "attributes");
        cg_json_begin_line_object(json);
        write_attributes(json, 3 * i);
        cg_json_end_object(json);
        member_index(json, "indices", 3 * i + 2);
        member_index(json, "material", i);
        if (s->pose_count > 1) {
            write_targets(json, s, i);
        }
        cg_json_end_object(json);
        cg_json_end_array(json);
        if (s->pose_count > 1) {
            write_target_names(json, s);
        }
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void write_animation(cg_json *json, const scene *s)
{
    cg_json_name(json, "animations");
    cg_json_begin_array(json);
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", "motion");
    cg_json_name(json, "samplers");
    cg_json_begin_array(json);
    cg_json_begin_line_object(json);
    member_index(json, "input", s->accessor_count - 2);
    cg_json_string_member(json, "interpolation", "LINEAR");
    member_index(json, "output", s->accessor_count - 1);
    cg_json_end_object(json);
    cg_json_end_array(json);
    cg_json_name(json, "channels");
    cg_json_begin_array(json);
    for (int i = 0; i < s->tube_count; i++) {
        cg_json_begin_line_object(json);
        member_index(json, "sampler", 0);
        cg_json_name(json, "target");
        cg_json_begin_object(json);
        member_index(json, "node", (size_t)i + 1);
        cg_json_string_member(json, "path", "weights");
        cg_json_end_object(json);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_end_object(json);
    cg_json_end_array(json);
}

static void write_bounds(cg_json *json, const char *name, const float *values, int width)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (int i = 0; i < width; i++) {
        cg_json_number(json, (double)values[i]);
    }
    cg_json_end_array(json);
}

static void write_arrays(cg_json *json, const scene *s)
{
    cg_json_name(json, "accessors");
    cg_json_begin_array(json);
    for (size_t i = 0; i < s->accessor_count; i++) {
        const accessor *a = &s->accessors[i];
        cg_json_begin_line_object(json);
        member_index(json, "bufferView", i);
        cg_json_number_member(json, "componentType", a->component);
        member_index(json, "count", a->count);
        cg_json_string_member(json, "type", a->width == 3 ? "VEC3" : "SCALAR");
        if (a->has_bounds) {
            write_bounds(json, "min", a->low, a->width);
            write_bounds(json, "max", a->high, a->width);
        }
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_name(json, "bufferViews");
    cg_json_begin_array(json);
    for (size_t i = 0; i < s->accessor_count; i++) {
        const accessor *a = &s->accessors[i];
        cg_json_begin_line_object(json);
        member_index(json, "buffer", 0);
        member_index(json, "byteOffset", a->offset);
        member_index(json, "byteLength", 4 * (size_t)a->width * a->count);
        if (a->target != NO_TARGET) {
            cg_json_number_member(json, "target", a->target);
        }
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_name(json, "buffers");
    cg_json_begin_array(json);
    cg_json_begin_line_object(json);
    member_index(json, "byteLength", (size_t)(s->end - s->bytes));
    cg_json_end_object(json);
    cg_json_end_array(json);
}

static void write_document(const scene *s, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_name(&json, "asset");
    cg_json_begin_line_object(&json);
    cg_json_string_member(&json, "version", "2.0");
    cg_json_string_member(&json, "generator", "catgut " CG_APP_VERSION);
    cg_json_end_object(&json);
    cg_json_number_member(&json, "scene", 0);
    cg_json_name(&json, "scenes");
    cg_json_begin_array(&json);
    cg_json_begin_line_object(&json);
    array_of_indices(&json, "nodes", 0, 1);
    cg_json_end_object(&json);
    cg_json_end_array(&json);
    write_nodes(&json, s);
    write_materials(&json, s);
    write_meshes(&json, s);
    if (s->pose_count > 1) {
        write_animation(&json, s);
    }
    write_arrays(&json, s);
    cg_json_end_object(&json);
}

// ---- the file ----

static void put_word(FILE *out, size_t word)
{
    unsigned char bytes[4];
    cg_put_bits32(bytes, (uint32_t)word);
    fwrite(bytes, 1, sizeof bytes, out);
}

static void write_file(const scene *s, const char *document, size_t document_size, FILE *out)
{
    size_t padding = (4 - document_size % 4) % 4, json_size = document_size + padding;
    size_t binary_size = (size_t)(s->end - s->bytes); // all items take 4 bytes: no padding
    fwrite("glTF", 1, 4, out);
    put_word(out, 2);
    put_word(out, 12 + 8 + json_size + 8 + binary_size);
    put_word(out, json_size);
    fwrite("JSON", 1, 4, out);
    fwrite(document, 1, document_size, out);
    fwrite("   ", 1, padding, out);
    put_word(out, binary_size);
    fwrite("BIN", 1, 4, out); // with its closing zero
    fwrite(s->bytes, 1, binary_size, out);
}

static void free_scene(scene *s)
{
    for (int i = 0; i < s->tube_count; i++) {
        free(s->tubes[i].last);
        free(s->tubes[i].base_positions);
        cg_surface_mesh_free(&s->tubes[i].surface);
    }
    for (int thread = 0; s->resamples && thread < s->poses->thread_count; thread++) {
        free(s->resamples[thread].shares);
    }
    free(s->resamples);
    free(s->tubes);
    free(s->accessors);
    free(s->times);
    free(s->bytes);
}

bool cg_export_glb(const cg_poses *poses, const cg_glb_look *look, FILE *out, FILE *err)
{
    scene s = {.poses = poses, .look = look, .err = err};
    s.pose_count = poses->count < look->max_poses ? poses->count : look->max_poses;
    bool good = s.pose_count > 0 ? add_poses(&s) : complain(&s, "there is no pose to write");
    if (good) {
        char *document = NULL;
        size_t document_size = 0;
        FILE *text = open_memstream(&document, &document_size);
        if (text) {
            write_document(&s, text);
        }
        good = text && fclose(text) == 0 ? true : complain(&s, "no memory left for the document");
        if (good) {
            write_file(&s, document, document_size, out);
        }
        free(document);
    }
    free_scene(&s);
    return good;
}
