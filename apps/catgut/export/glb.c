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
// A tissue is the same with its surface in place of a tube. No mesh can change its triangles, so a tissue that is cut
// is one node and one mesh for each stretch of poses with the same surface, and keys of their scale, 1 or 0 without
// anything between, show one after the other.
//
// Bodies and tools are nodes that turn and go (glb_steel.h): steel keeps its size between the key poses too.
//
// Arrays: pose by pose, for each thread and tissue that is shown in it, positions, normals and indices where it is the
// first one, else differences of positions and normals; then for each times and weights, and times and scales of those
// that come and go.
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "export/bytes.h"
#include "export/glb_parts.h"
#include "export/tube_mesh.h"
#include "support/vector.h"

static const double MOST_BYTES = 1e9; // more than viewers can take, well below what 32 bits can count
static bool complain(cg_glb_scene *s, const char *what)
{
    fprintf(s->err, "catgut export: %s\n", what);
    return false;
}

// ---- poses ----

static bool add_indices(cg_glb_scene *s, const cg_glb_tube *t)
{
    size_t count = cg_tube_mesh_index_count(t->points, s->look->sides);
    uint32_t *indices = malloc(count * sizeof *indices);
    if (!indices) {
        return complain(s, "no memory left for the triangles");
    }
    cg_tube_mesh_indices(t->points, s->look->sides, indices);
    cg_glb_add_indices(s, indices, count);
    free(indices);
    return true;
}

static bool take_arrays(cg_glb_tube *t)
{
    size_t vertices = t->vertices;
    t->last = malloc((size_t)t->points * sizeof *t->last);
    t->base_positions = malloc(4 * 3 * vertices * sizeof *t->base_positions);
    t->targets = calloc(t->to - t->from, sizeof *t->targets);
    if (!t->last || !t->base_positions || !t->targets) {
        return false;
    }
    t->base_normals = t->base_positions + 3 * vertices;
    t->positions = t->base_normals + 3 * vertices;
    t->normals = t->positions + 3 * vertices;
    return true;
}

static bool fits(cg_glb_scene *s, double bytes)
{
    return bytes <= MOST_BYTES ? true
                               : complain(s, "the mesh would take more than 1 GB; choose fewer poses (--poses) or one "
                                             "thread (--thread)");
}

// A new one behind the others; NULL when memory ran out.
static cg_glb_tube *add_tube(cg_glb_scene *s)
{
    if (s->tube_count == s->tube_room) {
        int room = 2 * s->tube_room + 8;
        cg_glb_tube *more = realloc(s->tubes, (size_t)room * sizeof *more);
        if (!more) {
            return NULL;
        }
        s->tubes = more;
        s->tube_room = room;
    }
    cg_glb_tube *t = &s->tubes[s->tube_count++];
    *t = (cg_glb_tube){.tissue = -1, .to = s->pose_count};
    return t;
}

// A tissue begins a stretch where it has another surface than in the poses before. One that is there from the first
// pose on may go; one that comes later does so with a stretch of its own.
static bool look_at_surfaces(cg_glb_scene *s, const cg_pose *pose, size_t k, int *last)
{
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_pose_tissue *about = &s->poses->tissues[tissue];
        if (!cg_pose_nodes(pose, tissue) || (last[tissue] >= 0 && s->tubes[last[tissue]].version == about->version)) {
            continue;
        }
        int stretch = last[tissue] >= 0 ? s->tubes[last[tissue]].stretch + 1 : 0;
        if (last[tissue] >= 0) {
            s->tubes[last[tissue]].to = k;
        }
        cg_glb_tube *t = add_tube(s);
        if (!t || !cg_surface_mesh_make(&t->surface, about)) {
            return complain(s, "no memory left for a tissue");
        }
        last[tissue] = s->tube_count - 1;
        t->tissue = tissue;
        t->stretch = stretch;
        t->version = about->version;
        t->points = about->node_count;
        t->from = k;
        t->vertices = (size_t)t->surface.point_count;
        s->size += 24.0 * (double)t->vertices + 12.0 * (double)t->surface.triangle_count;
        if (!fits(s, s->size)) {
            return false;
        }
    }
    return true;
}

// Puts those from `middle` on before the others. False when memory ran out.
static bool put_first(cg_glb_scene *s, int middle)
{
    size_t before = (size_t)middle, behind = (size_t)(s->tube_count - middle);
    cg_glb_tube *kept = malloc((before + 1) * sizeof *kept);
    if (!kept) {
        return complain(s, "no memory left for the threads");
    }
    if (before > 0 && behind > 0) {
        memcpy(kept, s->tubes, before * sizeof *kept);
        memmove(s->tubes, s->tubes + before, behind * sizeof *kept);
        memcpy(s->tubes + behind, kept, before * sizeof *kept);
    }
    free(kept);
    return true;
}

// Threads that are there in the first pose; they stand before the tissues.
static bool begin_threads(cg_glb_scene *s, const cg_pose *pose)
{
    int tissues = s->tube_count;
    for (int thread = 0; thread < pose->thread_count; thread++) {
        int points = cg_pose_vertex_count(pose, thread);
        if (points < 2) {
            continue;
        }
        cg_glb_tube *t = add_tube(s);
        if (!t) {
            return complain(s, "no memory left for a tube");
        }
        t->thread = thread;
        t->points = s->resamples[thread].shares ? s->resamples[thread].count : points;
        t->vertices = cg_tube_mesh_vertex_count(t->points, s->look->sides);
        s->size += 24.0 * (double)t->vertices + 4.0 * (double)cg_tube_mesh_index_count(t->points, s->look->sides);
        if (!fits(s, s->size)) {
            return false;
        }
    }
    return put_first(s, tissues);
}

// Makes room for everything, once it is known what is shown when.
static bool begin_scene(cg_glb_scene *s)
{
    size_t accessors = 0;
    for (int i = 0; i < s->tube_count; i++) {
        cg_glb_tube *t = &s->tubes[i];
        size_t poses = t->to - t->from;
        s->size += 24.0 * (double)(poses - 1) * (double)t->vertices; // the first was counted
        s->size += 4.0 * (double)poses * (double)poses + 4.0 * 4 * 3;
        if (!fits(s, s->size)) {
            return false;
        }
        if (!take_arrays(t)) {
            return complain(s, "no memory left for a tube");
        }
        accessors += 2 * poses + 1 + 4;
    }
    if (s->tube_count + s->rigids.count == 0) {
        return complain(s, "the first pose has nothing to draw");
    }
    accessors += cg_glb_rigids_room(&s->rigids, s->pose_count, &s->size);
    if (!fits(s, s->size)) {
        return false;
    }
    s->accessors = calloc(accessors, sizeof *s->accessors);
    s->times = calloc(s->pose_count, sizeof *s->times);
    s->bytes = s->end = malloc((size_t)s->size);
    return s->accessors && s->times && s->bytes ? true : complain(s, "no memory left for the mesh");
}

// A tissue that is taken out of the world shrinks to a point, as a thread to a line.
static void add_surface_pose(cg_glb_scene *s, cg_glb_tube *t, const cg_pose *pose, bool first)
{
    const cg_vec3 *nodes = cg_pose_nodes(pose, t->tissue);
    for (int i = 0; i < t->points; i++) {
        t->last[i] = nodes ? nodes[i] : t->last[0];
    }
    float *positions = first ? t->base_positions : t->positions, *normals = first ? t->base_normals : t->normals;
    cg_surface_mesh_shape(&t->surface, t->last, positions, normals);
    cg_glb_add_floats(s, positions, first ? NULL : t->base_positions, t->vertices, 3, CG_GLB_VERTEX_DATA, true);
    cg_glb_add_floats(s, normals, first ? NULL : t->base_normals, t->vertices, 3, CG_GLB_VERTEX_DATA, false);
    if (first) {
        cg_glb_add_indices(s, t->surface.corners, 3 * (size_t)t->surface.triangle_count);
    }
}

static bool add_tube_pose(cg_glb_scene *s, cg_glb_tube *t, const cg_pose *pose, size_t k)
{
    bool first = k == t->from;
    t->targets[k - t->from] = s->accessor_count;
    t->base = first ? s->accessor_count : t->base;
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
    cg_glb_add_floats(s, positions, first ? NULL : t->base_positions, t->vertices, 3, CG_GLB_VERTEX_DATA, true);
    cg_glb_add_floats(s, normals, first ? NULL : t->base_normals, t->vertices, 3, CG_GLB_VERTEX_DATA, false);
    return first ? add_indices(s, t) : true;
}

// Times that a float cannot tell apart would not be in order.
void cg_glb_fill_times(const cg_glb_scene *s, size_t from, size_t to, float *times)
{
    for (size_t k = from; k < to; k++) {
        float *time = &times[k - from];
        *time = (float)(s->times[k] - s->times[0]);
        if (k > from && !(time[0] > time[-1])) {
            *time = nextafterf(time[-1], INFINITY);
        }
    }
}

// Brings the weights of a tube's targets to 1, one after the other.
static bool add_weights(cg_glb_scene *s, cg_glb_tube *t)
{
    size_t keys = t->to - t->from, targets = keys - 1;
    float *weights = calloc(keys * targets + keys, sizeof *weights);
    if (!weights) {
        return complain(s, "no memory left for the animation");
    }
    float *times = weights + keys * targets;
    cg_glb_fill_times(s, t->from, t->to, times);
    for (size_t k = 1; k < keys; k++) {
        weights[k * targets + k - 1] = 1;
    }
    t->times = s->accessor_count;
    cg_glb_add_floats(s, times, NULL, keys, 1, CG_GLB_NO_TARGET, true);
    cg_glb_add_floats(s, weights, NULL, keys * targets, 1, CG_GLB_NO_TARGET, false);
    free(weights);
    return true;
}

// Shows a tube in its poses only: it has no size before and after.
static void add_scales(cg_glb_scene *s, cg_glb_tube *t)
{
    float times[3], scales[9];
    size_t keys = 0;
    if (t->from > 0) {
        times[keys] = 0;
        scales[3 * keys] = scales[3 * keys + 1] = scales[3 * keys + 2] = 0;
        keys++;
    }
    times[keys] = (float)(s->times[t->from] - s->times[0]);
    scales[3 * keys] = scales[3 * keys + 1] = scales[3 * keys + 2] = 1;
    keys++;
    if (t->to < s->pose_count) {
        times[keys] = (float)(s->times[t->to] - s->times[0]);
        scales[3 * keys] = scales[3 * keys + 1] = scales[3 * keys + 2] = 0;
        keys++;
    }
    for (size_t k = 1; k < keys; k++) {
        times[k] = times[k] > times[k - 1] ? times[k] : nextafterf(times[k - 1], INFINITY);
    }
    t->shown_times = s->accessor_count;
    cg_glb_add_floats(s, times, NULL, keys, 1, CG_GLB_NO_TARGET, true);
    cg_glb_add_floats(s, scales, NULL, keys, 3, CG_GLB_NO_TARGET, false);
}

static bool add_animation(cg_glb_scene *s)
{
    bool good = true;
    for (int i = 0; i < s->tube_count && good; i++) {
        cg_glb_tube *t = &s->tubes[i];
        // those that are shown all the time have the same times and weights
        const cg_glb_tube *alike =
            i > 0 && s->tubes[0].from == t->from && s->tubes[0].to == t->to ? &s->tubes[0] : NULL;
        if (alike) {
            t->times = alike->times;
        } else if (t->to - t->from > 1) {
            good = add_weights(s, t);
        }
        if (t->from > 0 || t->to < s->pose_count) {
            add_scales(s, t);
        }
    }
    return good && (cg_glb_move_rigids(s) || complain(s, "no memory left for the animation"));
}

// Looks through all poses for threads whose number of vertices changes, and for surfaces that do.
static bool look_through(cg_glb_scene *s, int *last)
{
    for (int tissue = 0; tissue < s->poses->tissue_count; tissue++) {
        last[tissue] = -1;
    }
    for (size_t k = 0; k < s->pose_count; k++) {
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
        if (!look_at_surfaces(s, &pose, k, last)) {
            return false;
        }
        if (!cg_glb_rigids_look(&s->rigids, &pose, k, s->pose_count)) {
            return complain(s, "no memory left for bodies and tools");
        }
    }
    bool good = true;
    for (int thread = 0; good && thread < s->poses->thread_count; thread++) {
        good = cg_resample_end(&s->resamples[thread]);
    }
    return good ? true : complain(s, "no memory left for the threads");
}

static bool look_ahead(cg_glb_scene *s)
{
    s->resamples = calloc((size_t)s->poses->thread_count + 1, sizeof *s->resamples);
    int *last = calloc((size_t)s->poses->tissue_count + 1, sizeof *last); // the last stretch of each tissue
    bool good = s->resamples && last ? look_through(s, last) : complain(s, "no memory left for the threads");
    free(last);
    return good;
}

static bool add_poses(cg_glb_scene *s)
{
    cg_pose pose;
    bool good = look_ahead(s) && s->poses->fetch(s->poses->context, 0, &pose, s->err) && begin_threads(s, &pose) &&
                begin_scene(s);
    for (size_t k = 0; k < s->pose_count && good; k++) {
        size_t index = cg_pose_spaced(k, s->pose_count, s->poses->count);
        good = s->poses->fetch(s->poses->context, index, &pose, s->err);
        s->times[k] = good ? pose.time : 0;
        for (int i = 0; i < s->tube_count && good; i++) {
            cg_glb_tube *t = &s->tubes[i];
            good = k < t->from || k >= t->to || add_tube_pose(s, t, &pose, k);
        }
        good = good && (cg_glb_add_rigids(s, &pose, k) || complain(s, "no memory left for bodies and tools"));
    }
    return good && (s->pose_count < 2 || add_animation(s));
}

// ---- the file ----

static void put_word(FILE *out, size_t word)
{
    unsigned char bytes[4];
    cg_put_bits32(bytes, (uint32_t)word);
    fwrite(bytes, 1, sizeof bytes, out);
}

static void write_file(const cg_glb_scene *s, const char *document, size_t document_size, FILE *out)
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

static void free_scene(cg_glb_scene *s)
{
    for (int i = 0; i < s->tube_count; i++) {
        free(s->tubes[i].last);
        free(s->tubes[i].base_positions);
        free(s->tubes[i].targets);
        cg_surface_mesh_free(&s->tubes[i].surface);
    }
    for (int thread = 0; s->resamples && thread < s->poses->thread_count; thread++) {
        free(s->resamples[thread].shares);
    }
    cg_glb_rigids_free(&s->rigids);
    free(s->resamples);
    free(s->tubes);
    free(s->accessors);
    free(s->times);
    free(s->bytes);
}

bool cg_export_glb(const cg_poses *poses, const cg_glb_look *look, FILE *out, FILE *err)
{
    cg_glb_scene s = {.poses = poses, .look = look, .err = err};
    s.pose_count = poses->count < look->max_poses ? poses->count : look->max_poses;
    bool good = s.pose_count > 0 ? add_poses(&s) : complain(&s, "there is no pose to write");
    if (good) {
        char *document = NULL;
        size_t document_size = 0;
        FILE *text = open_memstream(&document, &document_size);
        if (text) {
            cg_glb_write_document(&s, text);
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
