// The run by time, and what sutures do, as tables of a recording.
//
// What needles and holes do is in the recording. The run by time is made from the run itself, repeated; where that is
// not possible its cells are empty.
#include <math.h>

#include "catgut/suture.h"
#include "export/formats.h"
#include "support/vector.h"

#define COLUMNS(table) (int)(sizeof(table) / sizeof(table)[0])

// ---- the run ----

static const cg_column RUN_COLUMNS[] = {
    {"time", "number", "s", "simulated time"},
    {"step", "integer", NULL, "steps made"},
    {"largest_tension", "number", "N", "largest pull in a segment of a thread, of all steps since the row before"},
    {"largest_strain", "number", "1", "largest stretch of a segment of a thread, of all steps since the row before"},
    {"contacts", "integer", NULL, "near contacts in the last pass of the last step"},
    {"working_contacts", "integer", NULL, "of these, in the friction problem"},
    {"thread_holes", "integer", NULL, "places where threads go through tissue"},
    {"wound_gap", "number", "m",
     "between the edges of the lips of the wound of the first pad that has one: the largest of five places; empty "
     "without"},
    {"thread_kinetic_energy", "number", "J", "of all threads"},
    {"thread_elastic_energy", "number", "J", "of all threads: stretched, bent and twisted"},
    {"thread_height_energy", "number", "J", "of all threads in gravity, from the origin"},
    {"tissue_kinetic_energy", "number", "J", "of all tissues"},
    {"tissue_elastic_energy", "number", "J", "of all tissues"},
    {"passes", "integer", NULL, "Newton passes of the last step"},
    {"unfinished_steps", "integer", NULL, "so far: steps whose motion could not be made whole"},
    {"unconverged_steps", "integer", NULL, "so far: thread steps that ended before their motion had converged"},
    {"rough_steps", "integer", NULL, "so far: steps with a friction problem above its tolerance"},
    {"recovered_steps", "integer", NULL,
     "so far: steps of threads and tissues refused because a number was not finite"},
    {"lost_contacts", "integer", NULL, "so far: contacts that found no room"},
};
const cg_table cg_table_of_run = {"the run by time, one row a shape", RUN_COLUMNS, COLUMNS(RUN_COLUMNS)};

// The largest distance between the edges of the lips of a wound; not a number where nothing is to be measured.
static double wound_gap(const cg_world *world, cg_tissue_id tissue)
{
    cg_tissue_def def;
    double widest = NAN;
    if (!cg_tissue_get_def(world, tissue, &def) || def.shape != CG_TISSUE_PAD || def.wound == CG_WOUND_NONE) {
        return NAN;
    }
    cg_quat q = def.pose.rotation;
    cg_vec3 along = vec(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w));
    for (int i = -2; i <= 2; i++) {
        cg_vec3 place = vec_add(def.pose.position, vec_scale(0.2 * i * def.wound_length, along));
        cg_wound_gap gap = cg_tissue_wound_gap(world, tissue, place, along, def.wound_depth);
        if (gap.is_there && gap.top >= 0 && !(gap.top <= widest)) {
            widest = gap.top;
        }
    }
    return widest;
}

static void write_energies(cg_row *row, const cg_world *world, const cg_session *session, const cg_poses *poses)
{
    cg_thread_energy threads = {0};
    double kinetic = 0, elastic = 0;
    for (int i = 0; i < poses->thread_count; i++) {
        cg_thread_energy of = cg_thread_get_energy(world, cg_session_thread(session, i));
        threads.kinetic += of.kinetic;
        threads.stretch += of.stretch + of.bend + of.twist;
        threads.gravity += of.gravity;
    }
    for (int i = 0; i < poses->tissue_count; i++) {
        cg_tissue_summary of = cg_tissue_get_summary(world, cg_session_tissue(session, i));
        kinetic += of.kinetic_energy;
        elastic += of.elastic_energy;
    }
    const double energies[] = {threads.kinetic, threads.stretch, threads.gravity, kinetic, elastic};
    for (int i = 0; i < 5; i++) {
        cg_row_number(row, energies[i]);
    }
}

static void write_moment(cg_row *row, const cg_world *world, const cg_session *session, const cg_run_peaks *peaks,
                         const cg_poses *poses)
{
    cg_world_stats stats = cg_world_get_stats(world);
    double gap = NAN;
    for (int i = 0; i < poses->tissue_count && isnan(gap); i++) {
        gap = wound_gap(world, cg_session_tissue(session, i));
    }
    cg_row_number(row, peaks->tension);
    cg_row_number(row, peaks->strain);
    cg_row_integer(row, (uint64_t)stats.contacts);
    cg_row_integer(row, (uint64_t)stats.working_contacts);
    cg_row_integer(row, (uint64_t)cg_world_anchor_count(world));
    cg_row_number(row, gap);
    write_energies(row, world, session, poses);
    cg_row_integer(row, (uint64_t)stats.passes);
    cg_row_integer(row, stats.unfinished_steps);
    cg_row_integer(row, stats.unconverged_steps);
    cg_row_integer(row, stats.rough_steps);
    cg_row_integer(row, stats.recovered_steps + stats.recovered_tissue_steps);
    cg_row_integer(row, stats.lost_contacts);
}

bool cg_export_run_csv(const cg_poses *poses, cg_recording_poses *recording, FILE *out, FILE *err)
{
    cg_table_begin(&cg_table_of_run, out);
    for (size_t i = 0; i < poses->count && !ferror(out); i++) {
        cg_pose pose;
        cg_run_peaks peaks;
        const cg_session *session = NULL;
        if (!poses->fetch(poses->context, i, &pose, err)) {
            return false;
        }
        const cg_world *world = cg_recording_poses_world(recording, &session, &peaks);
        cg_row row = cg_row_begin(out);
        cg_row_time(&row, pose.time);
        cg_row_integer(&row, pose.step);
        if (world) {
            write_moment(&row, world, session, &peaks, poses);
        }
        cg_row_end(&row, &cg_table_of_run);
    }
    return true;
}

// ---- sutures ----

static const cg_column SUTURE_COLUMNS[] = {
    {"time", "number", "s", "simulated time"},
    {"step", "integer", NULL, "steps made"},
    {"kind", "string", NULL, "needle, needle_hole (a surface that a needle goes through) or thread_hole (a thread)"},
    {"name", "string", NULL, "of the needle or thread"},
    {"tissue", "string", NULL, "that it goes through; empty for a needle"},
    {"side", "string", NULL, "part of the surface where the hole is"},
    {"inside", "boolean", NULL, "of a needle: its tip is in a tissue; of its hole: towards the tip it is inside"},
    {"depth", "number", "m", "of a needle: how much of it is inside"},
    {"tip_force", "number", "N", "of a needle: with which its tip presses on a surface"},
    {"arc_rest", "number", "m",
     "of a hole: along the thread at rest from its start, or the needle from its tip; "
     "what a thread slips is the change of it"},
    {"x", "number", "m", "place of the hole"},
    {"y", "number", "m", "place of the hole"},
    {"z", "number", "m", "place of the hole"},
    {"home_x", "number", "m", "where the hole would be in the shape in which the tissue was made"},
    {"home_y", "number", "m", "where the hole would be in that shape"},
    {"home_z", "number", "m", "where the hole would be in that shape"},
    {"force_x", "number", "N", "on the tissue at the hole"},
    {"force_y", "number", "N", "on the tissue at the hole"},
    {"force_z", "number", "N", "on the tissue at the hole"},
    {"tension_before", "number", "N", "of the thread on the side of its start"},
    {"tension_behind", "number", "N", "of the thread on the other side"},
};
const cg_table cg_table_of_sutures = {"needles in tissue, and holes of needles and threads, one row each and shape",
                                      SUTURE_COLUMNS, COLUMNS(SUTURE_COLUMNS)};

static cg_row begin_suture(const cg_pose *pose, const char *kind, const char *name, FILE *out)
{
    cg_row row = cg_row_begin(out);
    cg_row_time(&row, pose->time);
    cg_row_integer(&row, pose->step);
    cg_row_name(&row, kind);
    cg_row_name(&row, name);
    return row;
}

static void write_needle(const cg_pose *pose, const cg_scene *scene, const cg_recorded_needle *needle, FILE *out)
{
    cg_row row = begin_suture(pose, "needle", cg_scene_body_name(scene, needle->body), out);
    cg_row_empty(&row, 2);
    cg_row_integer(&row, needle->is_inside);
    cg_row_number(&row, needle->depth);
    cg_row_number(&row, needle->tip_force);
    cg_row_end(&row, &cg_table_of_sutures);
}

// Where a hole is: on a triangle of the surface of now.
static cg_vec3 place_of(const cg_poses *poses, const cg_pose *pose, const cg_recorded_hole *hole)
{
    const cg_vec3 *nodes = cg_pose_nodes(pose, hole->tissue);
    if (!nodes || hole->triangle < 0 || hole->triangle >= poses->tissues[hole->tissue].triangle_count) {
        return vec(NAN, NAN, NAN);
    }
    const int *corners = poses->tissues[hole->tissue].triangles[hole->triangle].nodes;
    cg_vec3 place = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        place = vec_add(place, vec_scale(hole->weights[k], nodes[corners[k]]));
    }
    return place;
}

static void write_hole(const cg_poses *poses, const cg_pose *pose, const cg_scene *scene, const cg_recorded_hole *hole,
                       FILE *out)
{
    const char *kind = hole->is_of_thread ? "thread_hole" : "needle_hole";
    const char *name =
        hole->is_of_thread ? cg_scene_thread_name(scene, hole->owner) : cg_scene_body_name(scene, hole->owner);
    cg_row row = begin_suture(pose, kind, name, out);
    cg_row_name(&row, hole->tissue < poses->tissue_count ? poses->tissues[hole->tissue].name : NULL);
    cg_row_name(&row, cg_tissue_side_name(hole->side));
    if (hole->is_of_thread) {
        cg_row_empty(&row, 1);
    } else {
        cg_row_integer(&row, hole->inward);
    }
    cg_row_empty(&row, 2);
    cg_row_number(&row, hole->arc);
    cg_row_vector(&row, place_of(poses, pose, hole));
    cg_row_vector(&row, hole->home);
    cg_row_vector(&row, hole->force);
    if (hole->is_of_thread) {
        cg_row_number(&row, hole->tension[0]);
        cg_row_number(&row, hole->tension[1]);
    }
    cg_row_end(&row, &cg_table_of_sutures);
}

bool cg_export_sutures_csv(const cg_poses *poses, cg_recording_poses *recording, FILE *out, FILE *err)
{
    const cg_scene *scene = cg_recording_poses_scene(recording);
    cg_table_begin(&cg_table_of_sutures, out);
    for (size_t i = 0; i < poses->count && scene && !ferror(out); i++) {
        cg_pose pose;
        if (!poses->fetch(poses->context, i, &pose, err)) {
            return false;
        }
        const cg_recorded_frame *frame = cg_recording_poses_frame(recording);
        for (int k = 0; k < frame->needle_count; k++) {
            write_needle(&pose, scene, &frame->needles[k], out);
        }
        for (int k = 0; k < frame->hole_count; k++) {
            write_hole(poses, &pose, scene, &frame->holes[k], out);
        }
    }
    return true;
}
