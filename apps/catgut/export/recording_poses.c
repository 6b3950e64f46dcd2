// The shapes in a recording as poses.
#include "export/recording_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    bool homes = true;
    for (int t = 0; t < source->tissue_count; t++) {
        int count = t < frame->tissue_count ? frame->node_counts[t] : 0;
        if (count > 0 && !take_surface(source, t, &frame->surfaces[t])) {
            return false;
        }
        bool there = count > 0 && count == source->tissues[t].node_count;
        const float *from = there ? frame->nodes[t] : NULL;
        const float *home = there && frame->surfaces[t].version != 0 ? frame->surfaces[t].homes : NULL;
        source->node_starts[t] = (int)place;
        homes = homes && (!there || home);
        if (there && (!grow(&source->nodes, &source->node_room, place + (size_t)count) ||
                      !grow(&source->homes, &source->home_room, place + (size_t)count))) {
            return false;
        }
        for (int i = 0; there && i < count; i++, from += 3) {
            if (home) {
                source->homes[place] = (cg_vec3){(double)home[3 * i], (double)home[3 * i + 1], (double)home[3 * i + 2]};
            }
            source->nodes[place++] = (cg_vec3){(double)from[0], (double)from[1], (double)from[2]};
        }
    }
    pose->tissue_count = source->tissue_count;
    if (source->tissue_count > 0) {
        source->node_starts[source->tissue_count] = (int)place;
        pose->node_starts = source->node_starts;
        pose->nodes = source->nodes;
        pose->homes = homes ? source->homes : NULL;
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
    source->frame = frame;
    source->error = frame.error;
    return true;
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
    cg_status status = cg_recording_poses_read_scene(source, error);
    return status.code == CG_OK ? cg_session_create(&def, source->scene, &source->built, error) : status;
}

// The surfaces to begin with are those of the scene, built anew: older recordings hold
// nodes only.
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

// What bodies and tools look like is in the scene, and where vertices are at rest. One
// that cannot be built has none of it: its threads can be had still.
static bool take_steel(cg_recording_poses *source, FILE *err)
{
    cg_recorded_frame frame;
    cg_scene_error error = {.message = ""};
    if ((source->built == NULL && build_scene(source, &error).code != CG_OK) ||
        cg_recording_frame(source->reader.recording, 0, &frame).code != CG_OK ||
        (frame.body_count <= 0 && frame.hand_count <= 0)) {
        return true;
    }
    return cg_steel_open(&source->steel, source->built, source->scene) || no_memory(source, err);
}

// Names what the poses come from. The scene of a recording is its first text.
static void note_origin(cg_recording_poses *source)
{
    cg_origin *origin = &source->origin;
    const char *path, *text;
    size_t size;
    cg_scene_error error;
    cg_sha256 hash = cg_sha256_begin();
    cg_sha256_add(&hash, source->reader.bytes, source->reader.size);
    cg_sha256_end(&hash, origin->recording_hash);
    snprintf(origin->recording, sizeof origin->recording, "%s", cg_path_name(source->path));
    snprintf(origin->recorded_by, sizeof origin->recorded_by, "%s",
             cg_recording_get_info(source->reader.recording).program);
    if (cg_recording_poses_read_scene(source, &error).code == CG_OK &&
        cg_scene_source(source->scene, 0, &path, &text, &size)) {
        snprintf(origin->scene, sizeof origin->scene, "%s", cg_path_name(path));
        hash = cg_sha256_begin();
        cg_sha256_add(&hash, text, size);
        cg_sha256_end(&hash, origin->scene_hash);
    }
}

// Whether some thread has vertices that come and go.
static bool some_follow(const cg_recording_poses *source)
{
    bool some = false;
    for (int i = 0; i < source->thread_count && !some; i++) {
        some = cg_recording_poses_follow(source, i);
    }
    return some;
}

// What was asked for must be had; what is only welcome is done without.
static bool begin_wanted_rerun(cg_recording_poses *source, cg_rerun_wish wish, FILE *err)
{
    cg_status versions = cg_recording_check_versions(source->reader.recording);
    if (wish == CG_RERUN_NEVER || (wish == CG_RERUN_IF_NEEDED && !some_follow(source))) {
        return true;
    }
    if (wish == CG_RERUN_IF_NEEDED && versions.code != CG_OK) {
        fprintf(err, "%s: arc lengths at rest are left out: %s\n", source->path, versions.message);
        return true;
    }
    return cg_recording_poses_begin_rerun(source, err);
}

cg_recording_poses *cg_recording_poses_open(const char *path, double radius, cg_rerun_wish rerun, cg_poses *poses,
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
    if (!named || !take_surfaces(source, err) || !take_steel(source, err) || !begin_wanted_rerun(source, rerun, err)) {
        cg_recording_poses_close(source);
        return NULL;
    }
    note_origin(source);
    *poses = (cg_poses){.count = cg_recording_frame_count(source->reader.recording),
                        .thread_count = source->thread_count,
                        .threads = source->threads,
                        .tissue_count = source->tissue_count,
                        .tissues = source->tissues,
                        .fetch = fetch,
                        .forces = cg_recording_poses_forces,
                        .measure = cg_recording_poses_measure,
                        .context = source,
                        .origin = &source->origin};
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
    free(source->homes);
    free(source->values);
    free(source);
}
