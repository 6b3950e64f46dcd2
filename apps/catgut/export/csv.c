// Shapes, and what hands do, as tables.
#include <math.h>
#include <stdlib.h>

#include "export/formats.h"
#include "export/table.h"

#define COLUMNS(table) (int)(sizeof(table) / sizeof(table)[0])

static const cg_column POINT_COLUMNS[] = {
    {"time", "number", "s", "simulated time"},
    {"step", "integer", NULL, "steps made"},
    {"kind", "string", NULL, "thread, tissue, body or tool"},
    {"name", "string", NULL,
     "of the thread, tissue, body or tool; with ' in front where a spreadsheet would compute it"},
    {"point", "integer", NULL,
     "number of the vertex or node at this time, from 0; numbers of threads whose spacing follows "
     "and of tissues that are cut change"},
    {"arc_rest", "number", "m", "along the thread at rest, from its start: stays with a point of the thread"},
    {"x", "number", "m", "place"},
    {"y", "number", "m", "place"},
    {"z", "number", "m", "place, upwards"},
    {"strain", "number", "1", "length over rest length, less 1; mean of the segments that meet there"},
    {"tension", "number", "N", "pull, mean of the segments that meet there; negative when pushed"},
};
const cg_table cg_table_of_points = {"places of threads, tissues, bodies and tools, one row a point", POINT_COLUMNS,
                                     COLUMNS(POINT_COLUMNS)};

static const cg_column HAND_COLUMNS[] = {
    {"time", "number", "s", "simulated time"},
    {"step", "integer", NULL, "steps made"},
    {"hand", "string", NULL, "its name"},
    {"tool", "string", NULL, "what it carries"},
    {"closed", "boolean", NULL, "1: it is told to be closed"},
    {"x", "number", "m", "place"},
    {"y", "number", "m", "place"},
    {"z", "number", "m", "place"},
    {"qx", "number", "1", "turn, a unit quaternion"},
    {"qy", "number", "1", "turn"},
    {"qz", "number", "1", "turn"},
    {"qw", "number", "1", "turn"},
    {"target_x", "number", "m", "where it is told to be"},
    {"target_y", "number", "m", "where it is told to be"},
    {"target_z", "number", "m", "where it is told to be"},
    {"lag", "number", "m", "from there to where it is"},
    {"opening", "number", "1", "of its jaws, 0 (closed) to 1; empty without jaws"},
    {"jaw_force", "number", "N", "with which its first jaw presses; empty without jaws"},
    {"other_jaw_force", "number", "N", "with which its second jaw presses; empty without jaws"},
    {"slip_speed", "number", "m/s", "of the tissue in its jaws; empty without"},
    {"force_x", "number", "N", "of all that it holds and touches, on it"},
    {"force_y", "number", "N", "of all that it holds and touches, on it"},
    {"force_z", "number", "N", "of all that it holds and touches, on it"},
    {"torque_x", "number", "N m", "likewise, about its place"},
    {"torque_y", "number", "N m", "likewise, about its place"},
    {"torque_z", "number", "N m", "likewise, about its place"},
};
const cg_table cg_table_of_hands = {"what hands do, one row a hand and shape", HAND_COLUMNS, COLUMNS(HAND_COLUMNS)};

static cg_row begin_row(const cg_pose *pose, FILE *out)
{
    cg_row row = cg_row_begin(out);
    cg_row_time(&row, pose->time);
    cg_row_integer(&row, pose->step);
    return row;
}

static void write_point(const cg_pose *pose, const char *kind, const char *name, int number, cg_vec3 place,
                        const cg_pose_measure *measure, FILE *out)
{
    cg_row row = begin_row(pose, out);
    cg_row_name(&row, kind);
    cg_row_name(&row, name);
    cg_row_integer(&row, (uint64_t)number);
    cg_row_number(&row, measure ? measure->arc : NAN);
    cg_row_vector(&row, place);
    cg_row_number(&row, measure ? measure->strain : NAN);
    cg_row_number(&row, measure ? measure->tension : NAN);
    cg_row_end(&row, &cg_table_of_points);
}

// False when memory ran out.
static bool write_thread(const cg_poses *poses, const cg_pose *pose, int thread, FILE *out)
{
    const cg_pose_thread *about = &poses->threads[thread];
    const cg_vec3 *points = cg_pose_points(pose, thread);
    int count = cg_pose_vertex_count(pose, thread);
    cg_pose_measure *measures = calloc((size_t)count + 1, sizeof *measures);
    if (!measures) {
        return false;
    }
    cg_pose_measures(poses, pose, thread, measures);
    for (int i = 0; i < count; i++) {
        write_point(pose, cg_pose_kind(about), about->name, i, points[i], &measures[i], out);
    }
    free(measures);
    return true;
}

static bool write_pose(const cg_poses *poses, const cg_pose *pose, FILE *out)
{
    bool good = true;
    for (int thread = 0; thread < pose->thread_count && good; thread++) {
        good = write_thread(poses, pose, thread, out);
    }
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_vec3 *nodes = cg_pose_nodes(pose, tissue);
        for (int i = 0; nodes && i < poses->tissues[tissue].node_count; i++) {
            write_point(pose, "tissue", poses->tissues[tissue].name, i, nodes[i], NULL, out);
        }
    }
    return good;
}

bool cg_export_csv(const cg_poses *poses, FILE *out, FILE *err)
{
    cg_table_begin(&cg_table_of_points, out);
    for (size_t i = 0; i < poses->count && !ferror(out); i++) {
        cg_pose pose;
        if (!poses->fetch(poses->context, i, &pose, err)) {
            return false;
        }
        if (!write_pose(poses, &pose, out)) {
            fputs("catgut export: no memory left for a thread\n", err);
            return false;
        }
    }
    return true;
}

static void write_hand(const cg_pose *pose, const cg_pose_hand *hand, FILE *out)
{
    cg_row row = begin_row(pose, out);
    cg_row_name(&row, hand->name);
    cg_row_name(&row, hand->tool);
    cg_row_integer(&row, hand->closed);
    cg_row_vector(&row, hand->pose.position);
    cg_row_number(&row, hand->pose.rotation.x);
    cg_row_number(&row, hand->pose.rotation.y);
    cg_row_number(&row, hand->pose.rotation.z);
    cg_row_number(&row, hand->pose.rotation.w);
    cg_row_vector(&row, hand->command.position);
    cg_row_number(&row, hand->lag);
    cg_row_number(&row, hand->opening);
    cg_row_number(&row, hand->jaw_forces[0]);
    cg_row_number(&row, hand->jaw_forces[1]);
    cg_row_number(&row, hand->slip_speed);
    cg_row_vector(&row, hand->force);
    cg_row_vector(&row, hand->torque);
    cg_row_end(&row, &cg_table_of_hands);
}

bool cg_export_hands_csv(const cg_poses *poses, FILE *out, FILE *err)
{
    cg_table_begin(&cg_table_of_hands, out);
    for (size_t i = 0; i < poses->count && !ferror(out); i++) {
        cg_pose pose;
        if (!poses->fetch(poses->context, i, &pose, err)) {
            return false;
        }
        for (int k = 0; k < pose.hand_count; k++) {
            write_hand(&pose, &pose.hands[k], out);
        }
    }
    return true;
}
