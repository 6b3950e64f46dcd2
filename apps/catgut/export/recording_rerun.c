// The run of a recording, made again.
//
// A recording holds positions to a few nanometres. Over a segment of a suture that is a millinewton of tension: more
// than a thread weighs; and it does not say which point of a thread a vertex is, where vertices come and go. So
// tensions and arc lengths come from the run itself, made again from the recorded scene and operations, which gives the
// same bits; that its shapes are those of the recording is checked at every pose.
#include <math.h>
#include <stdlib.h>

#include "export/recording_parts.h"
#include "support/vector.h"

cg_status cg_recording_poses_read_scene(cg_recording_poses *source, cg_scene_error *error)
{
    return source->scene != NULL ? (cg_status){.code = CG_OK}
                                 : cg_recording_scene(source->reader.recording, NULL, &source->scene, error);
}

static void note_peaks(cg_recording_poses *source)
{
    const cg_world *world = cg_session_world(source->rerun);
    for (int i = 0; i < source->thread_count; i++) {
        cg_thread_summary summary = cg_thread_get_summary(world, cg_session_thread(source->rerun, i));
        if (summary.vertex_count > 0) {
            source->peaks.tension = fmax(source->peaks.tension, summary.max_tension);
            source->peaks.strain = fmax(source->peaks.strain, summary.max_stretch);
        }
    }
}

bool cg_recording_poses_begin_rerun(cg_recording_poses *source, FILE *err)
{
    cg_session_def def = cg_session_def_default();
    def.skip_scene_inputs = true; // they are among the recorded operations
    cg_scene_error error = {.message = ""};
    cg_status status = cg_recording_poses_read_scene(source, &error);
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
        return false;
    }
    source->peaks = (cg_run_peaks){-INFINITY, -INFINITY};
    note_peaks(source);
    return true;
}

// Goes on to the step of the present pose; poses come in order.
static bool rerun_to_present(cg_recording_poses *source)
{
    uint64_t step = cg_session_get_stats(source->rerun).steps;
    if (step < source->present.step) {
        source->peaks = (cg_run_peaks){-INFINITY, -INFINITY};
    }
    for (; step < source->present.step; step++) {
        cg_operation operation;
        while (cg_recording_operation(source->reader.recording, source->next_operation, &operation) &&
               operation.step <= step) {
            cg_session_apply(source->rerun, &operation);
            source->next_operation++;
        }
        cg_session_step(source->rerun);
        note_peaks(source);
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

// The world of the second run at the present pose; NULL when there is none, or when it is not the recorded one.
static const cg_world *present_world(cg_recording_poses *source)
{
    bool good = source->rerun && !source->differs && rerun_to_present(source);
    const cg_world *world = good ? cg_session_world(source->rerun) : NULL;
    for (int thread = 0; thread < source->present.thread_count && good; thread++) {
        int count = 0;
        const cg_vec3 *points = cg_thread_positions(world, cg_session_thread(source->rerun, thread), &count);
        good = cg_pose_vertex_count(&source->present, thread) == 0 || is_same_shape(source, thread, points, count);
    }
    source->differs = source->rerun && !good;
    return good ? world : NULL;
}

const cg_world *cg_recording_poses_world(cg_recording_poses *source, const cg_session **session, cg_run_peaks *peaks)
{
    const cg_world *world = source ? present_world(source) : NULL;
    if (world) {
        *session = source->rerun;
        *peaks = source->peaks;
    }
    return world;
}

const cg_recorded_frame *cg_recording_poses_frame(const cg_recording_poses *source)
{
    return &source->frame;
}

const cg_scene *cg_recording_poses_scene(const cg_recording_poses *source)
{
    return source->scene;
}

// Mean of the segments that meet at a vertex.
static double at_vertex(const double *of_segments, int vertex, int count)
{
    double before = of_segments[vertex > 0 ? vertex - 1 : 0];
    double after = of_segments[vertex < count - 1 ? vertex : count - 2];
    return 0.5 * (before + after);
}

// A thread whose vertices stay: they lie where the scene has put them.
static void measure_as_built(const cg_recording_poses *source, int thread, cg_pose_measure *measures, int count)
{
    int vertices = 0;
    const double *arcs = NULL;
    if (source->built && !cg_recording_poses_follow(source, thread)) {
        arcs = cg_thread_arcs(cg_session_world(source->built), cg_session_thread(source->built, thread), &vertices);
    }
    for (int i = 0; arcs && vertices == count && i < count; i++) {
        measures[i].arc = arcs[i];
    }
}

void cg_recording_poses_measure(void *context, int thread, cg_pose_measure *measures, int count)
{
    cg_recording_poses *source = context;
    const cg_world *world = present_world(source);
    if (!world) {
        measure_as_built(source, thread, measures, count);
        return;
    }
    cg_thread_id id = cg_session_thread(source->rerun, thread);
    int vertices = 0, segments = 0;
    const double *arcs = cg_thread_arcs(world, id, &vertices), *rests = cg_thread_rest_lengths(world, id, &segments);
    const cg_vec3 *points = cg_thread_positions(world, id, NULL);
    if ((size_t)count > source->value_room) {
        double *larger = realloc(source->values, (size_t)count * sizeof *larger);
        source->values = larger ? larger : source->values;
        source->value_room = larger ? (size_t)count : source->value_room;
    }
    if (vertices != count || segments != count - 1 || (size_t)count > source->value_room) {
        return;
    }
    for (int i = 0; i < segments; i++) {
        source->values[i] = vec_distance(points[i], points[i + 1]) / rests[i] - 1;
    }
    for (int i = 0; i < count; i++) {
        measures[i] = (cg_pose_measure){arcs[i], at_vertex(source->values, i, count), NAN};
    }
    if (cg_thread_tensions(world, id, source->values, segments).code == CG_OK) {
        for (int i = 0; i < count; i++) {
            measures[i].tension = at_vertex(source->values, i, count);
        }
    }
}

// The place of a thread or tissue of the second run among those of the scene; -1: not one of them.
static int place_of_thread(const cg_recording_poses *source, cg_thread_id id)
{
    for (int i = 0; i < source->present.thread_count && id.index != 0; i++) {
        cg_thread_id other = cg_session_thread(source->rerun, i);
        if (other.index == id.index && other.generation == id.generation) {
            return i;
        }
    }
    return -1;
}

static int place_of_tissue(const cg_recording_poses *source, cg_tissue_id id)
{
    for (int i = 0; i < source->tissue_count && id.index != 0; i++) {
        cg_tissue_id other = cg_session_tissue(source->rerun, i);
        if (other.index == id.index && other.generation == id.generation) {
            return i;
        }
    }
    return -1;
}

static void add_force(cg_vec3 *to, double share, cg_vec3 force)
{
    *to = vec_add(*to, vec_scale(share, force));
}

// One side of a contact: of a thread the two vertices of the segment, of a tissue the corners of the triangle.
static void add_side(const cg_recording_poses *source, const cg_contact_info *contact, int side, cg_vec3 *on_points,
                     cg_vec3 *on_nodes)
{
    cg_vec3 force = vec_scale(side == 0 ? 1 : -1, contact->force);
    int thread = place_of_thread(source, contact->threads[side]), nodes[3];
    int tissue = place_of_tissue(source, contact->tissues[side]);
    int segment = contact->segments[side], triangle = contact->triangles[side];
    if (thread >= 0 && segment >= 0 && segment + 1 < cg_pose_vertex_count(&source->present, thread)) {
        cg_vec3 *first = on_points + source->starts[thread] + segment;
        add_force(first, 1 - contact->fractions[side], force);
        add_force(first + 1, contact->fractions[side], force);
    } else if (tissue >= 0 && cg_pose_nodes(&source->present, tissue) &&
               cg_tissue_get_triangle(cg_session_world(source->rerun), contact->tissues[side], triangle, nodes, NULL)) {
        for (int k = 0; k < 3; k++) {
            add_force(on_nodes + source->node_starts[tissue] + nodes[k], contact->weights[side][k], force);
        }
    }
}

bool cg_recording_poses_forces(void *context, cg_vec3 *on_points, cg_vec3 *on_nodes)
{
    cg_recording_poses *source = context;
    const cg_world *world = present_world(source);
    cg_contact_info contact;
    for (int i = 0; world && cg_world_get_contact(world, i, &contact); i++) {
        add_side(source, &contact, 0, on_points, on_nodes);
        add_side(source, &contact, 1, on_points, on_nodes);
    }
    return world != NULL;
}

bool cg_recording_poses_follow(const cg_recording_poses *source, int thread)
{
    const cg_world *world = source && source->built ? cg_session_world(source->built) : NULL;
    int vertices = 0;
    cg_thread_id id = world ? cg_session_thread(source->built, thread) : (cg_thread_id){0};
    return !world || !cg_thread_positions(world, id, &vertices) || cg_thread_max_vertices(world, id) > vertices;
}

bool cg_recording_poses_differ(const cg_recording_poses *source)
{
    return source != NULL && source->differs;
}
