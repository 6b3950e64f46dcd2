// The shapes in a recording as poses.
//
// A recording holds positions to a few nanometres. Over a segment of a suture that is a millinewton of tension: more
// than a thread weighs. So tensions come from the run itself, made again from the recorded scene and operations, which
// gives the same bits; that its shapes are those of the recording is checked at every pose.
#include "export/recording_poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catgut/recording.h"
#include "catgut/session.h"
#include "export/steel.h"
#include "support/record_file.h"

struct cg_recording_poses {
    cg_record_reader reader;
    cg_scene *scene;       // of the recording; NULL when it is not needed
    cg_session *built;     // the scene as it begins; NULL when it is not needed
    cg_steel steel;        // nothing when there is no body and no hand
    cg_session *rerun;     // NULL when no tension is wanted
    size_t next_operation; // of the second run
    bool differs;          // the second run is not that of the recording
    const char *path;
    cg_pose_thread *threads;
    int thread_count;
    int *starts;
    cg_vec3 *points;
    size_t point_room;
    cg_pose_tissue *tissues; // their surfaces are those of the present pose
    int tissue_count;
    size_t *triangle_rooms; // of each of them
    int *node_starts;
    cg_vec3 *nodes; // of all tissues
    size_t node_room;
    cg_pose present;
    double error; // [m] of its positions
};

static bool grow(cg_vec3 **array, size_t *room, size_t points)
{
    if (points <= *room) {
        return true;
    }
    cg_vec3 *larger = realloc(*array, points * sizeof *larger);
    if (!larger) {
        return false;
    }
    *array = larger;
    *room = points;
    return true;
}

static bool no_memory(const cg_recording_poses *source, FILE *err)
{
    fprintf(err, "%s: found no memory left, expected a smaller recording\n", source->path);
    return false;
}

// Takes the surface that the frame has for a tissue, where that is not the present one. False when memory ran out.
static bool take_surface(cg_recording_poses *source, int place, const cg_recorded_surface *surface)
{
    cg_pose_tissue *tissue = &source->tissues[place];
    if (surface->version == 0 || surface->version == tissue->version) {
        return true; // an older recording, or the same
    }
    size_t count = (size_t)surface->triangle_count;
    cg_pose_triangle *triangles = (cg_pose_triangle *)(uintptr_t)tissue->triangles;
    if (count > source->triangle_rooms[place]) {
        triangles = realloc(triangles, count * sizeof *triangles);
        if (!triangles) {
            return false;
        }
        source->triangle_rooms[place] = count;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(triangles[i].nodes, surface->corners + 3 * i, sizeof triangles[i].nodes);
        triangles[i].side = surface->sides[i];
    }
    tissue->triangles = triangles;
    tissue->triangle_count = surface->triangle_count;
    tissue->node_count = surface->node_count;
    tissue->version = surface->version;
    return true;
}

// A tissue that was removed, or whose nodes are not those of its surface, is left out. False when memory ran out.
static bool fetch_nodes(cg_recording_poses *source, const cg_recorded_frame *frame, cg_pose *pose)
{
    size_t place = 0;
    for (int t = 0; t < source->tissue_count; t++) {
        int count = t < frame->tissue_count ? frame->node_counts[t] : 0;
        if (count > 0 && !take_surface(source, t, &frame->surfaces[t])) {
            return false;
        }
        bool there = count > 0 && count == source->tissues[t].node_count;
        const float *from = there ? frame->nodes[t] : NULL;
        source->node_starts[t] = (int)place;
        if (there && !grow(&source->nodes, &source->node_room, place + (size_t)count)) {
            return false;
        }
        for (int i = 0; there && i < count; i++, from += 3) {
            source->nodes[place++] = (cg_vec3){(double)from[0], (double)from[1], (double)from[2]};
        }
    }
    pose->tissue_count = source->tissue_count;
    if (source->tissue_count > 0) {
        source->node_starts[source->tissue_count] = (int)place;
        pose->node_starts = source->node_starts;
        pose->nodes = source->nodes;
    }
    return true;
}

static bool fetch(void *context, size_t index, cg_pose *pose, FILE *err)
{
    cg_recording_poses *source = context;
    cg_recorded_frame frame;
    cg_status status = cg_recording_frame(source->reader.recording, index, &frame);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", source->path, status.message);
        return false;
    }
    int threads = frame.thread_count < source->thread_count ? frame.thread_count : source->thread_count;
    size_t count = 0;
    for (int thread = 0; thread < threads; thread++) {
        count += (size_t)frame.vertex_counts[thread];
    }
    if (!grow(&source->points, &source->point_room, count)) {
        return no_memory(source, err);
    }
    int place = 0;
    for (int thread = 0; thread < threads; thread++) {
        source->starts[thread] = place;
        const float *from = frame.vertices[thread];
        for (int i = 0; i < frame.vertex_counts[thread]; i++, from += 3) {
            source->points[place++] = (cg_vec3){(double)from[0], (double)from[1], (double)from[2]};
        }
    }
    source->starts[threads] = place;
    *pose = (cg_pose){.step = frame.step, .time = frame.time, .thread_count = threads};
    if (!fetch_nodes(source, &frame, pose) || (source->steel.view && !cg_steel_look(&source->steel, &frame))) {
        return no_memory(source, err);
    }
    pose->parts = source->steel.parts;
    pose->labels = source->steel.labels;
    pose->part_count = source->steel.part_count;
    pose->hands = source->steel.hands;
    pose->hand_count = source->steel.hand_count;
    pose->starts = source->starts;
    pose->points = source->points;
    source->present = *pose;
    source->error = frame.error;
    return true;
}

static cg_status read_scene(cg_recording_poses *source, cg_scene_error *error)
{
    return source->scene != NULL ? (cg_status){.code = CG_OK}
                                 : cg_recording_scene(source->reader.recording, NULL, &source->scene, error);
}

// ---- the second run ----

static bool begin_rerun(cg_recording_poses *source, FILE *err)
{
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true; // they are among the recorded operations
    cg_scene_error error = {.message = ""};
    cg_status status = read_scene(source, &error);
    if (status.code == CG_OK) {
        status = cg_session_create(&def, source->scene, &source->rerun, &error);
    }
    uint64_t first = cg_record_reader_first_step(&source->reader), step;
    const void *bytes;
    size_t size;
    if (status.code == CG_OK && first > 0 && cg_recording_key(source->reader.recording, first, &step, &bytes, &size)) {
        status = cg_session_restore(source->rerun, bytes, size); // a snapshot: there is no run before it
    }
    if (status.code != CG_OK) {
        fprintf(err, "%s: the run cannot be repeated: %s\n", source->path,
                error.message[0] ? error.message : status.message);
    }
    return status.code == CG_OK;
}

// Goes on to the step of the present pose; poses come in order.
static bool rerun_to_present(cg_recording_poses *source)
{
    uint64_t step = cg_session_get_stats(source->rerun).steps;
    for (; step < source->present.step; step++) {
        cg_operation operation;
        while (cg_recording_operation(source->reader.recording, source->next_operation, &operation) &&
               operation.step <= step) {
            cg_session_apply(source->rerun, &operation);
            source->next_operation++;
        }
        cg_session_step(source->rerun);
    }
    return step == source->present.step;
}

static bool is_same(double recorded, double now, double error)
{
    return fabs(recorded - now) <= 1.001 * error + 1e-7 * fabs(now) + 1e-12;
}

static bool is_same_shape(const cg_recording_poses *source, int thread, const cg_vec3 *now, int count)
{
    const cg_vec3 *then = cg_pose_points(&source->present, thread);
    bool same = now && count == cg_pose_vertex_count(&source->present, thread);
    for (int i = 0; i < count && same; i++) {
        same = is_same(then[i].x, now[i].x, source->error) && is_same(then[i].y, now[i].y, source->error) &&
               is_same(then[i].z, now[i].z, source->error);
    }
    return same;
}

static bool tensions(void *context, int thread, double *values, int count)
{
    cg_recording_poses *source = context;
    int vertices = 0;
    bool good = !source->differs && rerun_to_present(source);
    const cg_world *world = cg_session_world(source->rerun);
    cg_thread_id id = cg_session_thread(source->rerun, thread);
    good = good && is_same_shape(source, thread, cg_thread_positions(world, id, &vertices), count + 1) &&
           cg_thread_tensions(world, id, values, count).code == CG_OK;
    source->differs = !good;
    return good;
}

bool cg_recording_poses_differ(const cg_recording_poses *source)
{
    return source != NULL && source->differs;
}

// ---- opening ----

static bool name_threads(cg_recording_poses *source, double radius)
{
    source->thread_count = cg_recording_get_info(source->reader.recording).thread_count;
    size_t count = (size_t)source->thread_count + 1;
    source->threads = calloc(count, sizeof *source->threads);
    source->starts = calloc(count, sizeof *source->starts);
    if (!source->threads || !source->starts) {
        return false;
    }
    for (int i = 0; i < source->thread_count; i++) {
        cg_recorded_thread thread = {.name = ""};
        cg_recording_thread(source->reader.recording, i, &thread);
        source->threads[i] = (cg_pose_thread){.name = thread.name, .radius = radius > 0 ? radius : thread.radius};
    }
    return true;
}

// What is connected with what in a tissue of a new world.
static bool copy_surface(cg_pose_tissue *tissue, const cg_world *world, cg_tissue_id id)
{
    cg_tissue_positions(world, id, &tissue->node_count);
    tissue->triangle_count = cg_tissue_triangle_count(world, id);
    cg_pose_triangle *triangles = calloc((size_t)tissue->triangle_count + 1, sizeof *triangles);
    for (int i = 0; triangles && i < tissue->triangle_count; i++) {
        cg_tissue_get_triangle(world, id, i, triangles[i].nodes, &triangles[i].side);
    }
    tissue->triangles = triangles;
    return triangles != NULL;
}

// Builds the scene of the recording, which no operation is given to.
static cg_status build_scene(cg_recording_poses *source, cg_scene_error *error)
{
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true;
    cg_status status = read_scene(source, error);
    return status.code == CG_OK ? cg_session_create(&def, source->scene, &source->built, error) : status;
}

// The surfaces to begin with are those of the scene, built anew: older recordings hold nodes only.
static bool take_surfaces(cg_recording_poses *source, FILE *err)
{
    int count = cg_recording_get_info(source->reader.recording).tissue_count;
    if (count == 0) {
        return true;
    }
    cg_scene_error error = {.message = ""};
    cg_status status = build_scene(source, &error);
    if (status.code != CG_OK) {
        fprintf(err, "%s: the tissues of the scene cannot be had: %s\n", source->path,
                error.message[0] ? error.message : status.message);
        return false;
    }
    source->tissues = calloc((size_t)count, sizeof *source->tissues);
    source->node_starts = calloc((size_t)count + 1, sizeof *source->node_starts);
    source->triangle_rooms = calloc((size_t)count + 1, sizeof *source->triangle_rooms);
    bool good = source->tissues && source->node_starts && source->triangle_rooms;
    for (int t = 0; good && t < count; t++) {
        cg_recorded_tissue tissue = {.name = ""};
        cg_recording_tissue(source->reader.recording, t, &tissue);
        source->tissues[t].name = tissue.name;
        source->tissue_count = t + 1;
        good = copy_surface(&source->tissues[t], cg_session_world(source->built), cg_session_tissue(source->built, t));
        source->triangle_rooms[t] = (size_t)source->tissues[t].triangle_count + 1;
    }
    return good ? true : no_memory(source, err);
}

// What bodies and tools look like is in the scene. One that cannot be built has none: its threads can be had still.
static bool take_steel(cg_recording_poses *source, FILE *err)
{
    cg_recorded_frame frame;
    cg_scene_error error = {.message = ""};
    if (cg_recording_frame(source->reader.recording, 0, &frame).code != CG_OK ||
        (frame.body_count <= 0 && frame.hand_count <= 0) ||
        (source->built == NULL && build_scene(source, &error).code != CG_OK)) {
        return true;
    }
    return cg_steel_open(&source->steel, source->built, source->scene) || no_memory(source, err);
}

cg_recording_poses *cg_recording_poses_open(const char *path, double radius, bool with_tension, cg_poses *poses,
                                            const char **damage, FILE *err)
{
    cg_recording_poses *source = calloc(1, sizeof *source);
    if (!source) {
        fprintf(err, "%s: found no memory left, expected a smaller recording\n", path);
        return NULL;
    }
    source->path = path;
    if (!cg_record_reader_open(&source->reader, path, err)) {
        cg_recording_poses_close(source);
        return NULL;
    }
    *damage = cg_recording_damage(source->reader.recording);
    bool named = name_threads(source, radius) || no_memory(source, err);
    if (!named || !take_surfaces(source, err) || !take_steel(source, err) ||
        (with_tension && !begin_rerun(source, err))) {
        cg_recording_poses_close(source);
        return NULL;
    }
    *poses = (cg_poses){.count = cg_recording_frame_count(source->reader.recording),
                        .thread_count = source->thread_count,
                        .threads = source->threads,
                        .tissue_count = source->tissue_count,
                        .tissues = source->tissues,
                        .fetch = fetch,
                        .tensions = source->rerun ? tensions : NULL,
                        .context = source};
    return source;
}

void cg_recording_poses_close(cg_recording_poses *source)
{
    if (!source) {
        return;
    }
    cg_steel_close(&source->steel);
    cg_session_destroy(source->built);
    cg_session_destroy(source->rerun);
    cg_scene_free(source->scene);
    cg_record_reader_close(&source->reader);
    free(source->threads);
    free(source->starts);
    free(source->points);
    for (int t = 0; t < source->tissue_count; t++) {
        free((cg_pose_triangle *)(uintptr_t)source->tissues[t].triangles);
    }
    free(source->tissues);
    free(source->node_starts);
    free(source->triangle_rooms);
    free(source->nodes);
    free(source);
}
