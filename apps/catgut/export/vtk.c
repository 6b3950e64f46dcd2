// Shapes for ParaView: one pose as PolyData (.vtp).
//
// The points of the threads, bodies and tools one after the other, behind them the nodes of tissues. At points:
//     arc_length, arc_rest   [m] along a thread as it is stretched, and at rest
//     strain, tension        [1], [N] mean of the segments that meet there; where they are known
//     contact_force          [N] of all contacts on it; where they are known
//     displacement           [m] of a node of a tissue from where it was made; where it is known
//     thread, part, tissue   place among thread_names, part_names, tissue_names, -1 for others
// At cells: side, of a triangle the part of the surface among side_names, -1 for a line. What a point does not have is
// not a number.
#include <math.h>
#include <stdlib.h>

#include "catgut/tissue.h"
#include "export/formats.h"
#include "export/vtk_file.h"
#include "support/vector.h"

// The arrays of a pose; NULL: not there.
typedef struct poly_data {
    cg_vtk_file vtk;
    int thread_points, points, lines, triangles;
    float *places, *arc_length, *arc_rest, *strain, *tension, *force, *displacement;
    int32_t *thread, *part, *tissue;
    int32_t *line_points, *line_ends, *corners, *side;
} poly_data;

static void put_vector(float *to, cg_vec3 value)
{
    to[0] = (float)value.x;
    to[1] = (float)value.y;
    to[2] = (float)value.z;
}

static void count_all(poly_data *data, const cg_poses *poses, const cg_pose *pose)
{
    for (int thread = 0; thread < pose->thread_count; thread++) {
        int count = cg_pose_vertex_count(pose, thread);
        data->thread_points += count;
        data->lines += count > 0;
    }
    data->points = data->thread_points;
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        bool there = cg_pose_nodes(pose, tissue) != NULL;
        data->points += there ? poses->tissues[tissue].node_count : 0;
        data->triangles += there ? poses->tissues[tissue].triangle_count : 0;
    }
}

static bool take_arrays(poly_data *data, const cg_pose *pose)
{
    cg_vtk_file *vtk = &data->vtk;
    size_t points = (size_t)data->points, lines = (size_t)data->lines, triangles = (size_t)data->triangles;
    data->places = cg_vtk_floats(vtk, CG_VTK_POINTS, "points", 3, points);
    data->line_points = cg_vtk_integers(vtk, CG_VTK_LINES, "connectivity", (size_t)data->thread_points);
    data->line_ends = cg_vtk_integers(vtk, CG_VTK_LINES, "offsets", lines);
    data->arc_length = cg_vtk_floats(vtk, CG_VTK_POINT_DATA, "arc_length", 1, points);
    data->arc_rest = cg_vtk_floats(vtk, CG_VTK_POINT_DATA, "arc_rest", 1, points);
    data->thread = cg_vtk_integers(vtk, CG_VTK_POINT_DATA, "thread", points);
    data->part = cg_vtk_integers(vtk, CG_VTK_POINT_DATA, "part", points);
    if (triangles > 0) {
        data->tissue = cg_vtk_integers(vtk, CG_VTK_POINT_DATA, "tissue", points);
        data->corners = cg_vtk_integers(vtk, CG_VTK_CELLS, "connectivity", 3 * triangles);
        data->side = cg_vtk_integers(vtk, CG_VTK_CELL_DATA, "side", lines + triangles);
    }
    if (pose->homes && triangles > 0) {
        data->displacement = cg_vtk_floats(vtk, CG_VTK_POINT_DATA, "displacement", 3, points);
    }
    return !vtk->failed;
}

// What is known of threads; the arrays of what is known of none are not taken.
static bool fill_measures(poly_data *data, const cg_poses *poses, const cg_pose *pose)
{
    cg_pose_measure *measures = calloc((size_t)data->points + 1, sizeof *measures);
    if (!measures) {
        return false;
    }
    bool known = false;
    for (int i = 0; i < data->points; i++) {
        measures[i] = (cg_pose_measure){NAN, NAN, NAN};
    }
    for (int thread = 0, at = 0; thread < pose->thread_count; thread++) {
        cg_pose_measures(poses, pose, thread, measures + at);
        for (int i = 0; i < cg_pose_vertex_count(pose, thread); i++, at++) {
            known = known || isfinite(measures[at].tension);
        }
    }
    if (known) {
        data->strain = cg_vtk_floats(&data->vtk, CG_VTK_POINT_DATA, "strain", 1, (size_t)data->points);
        data->tension = cg_vtk_floats(&data->vtk, CG_VTK_POINT_DATA, "tension", 1, (size_t)data->points);
    }
    for (int i = 0; i < data->points && !data->vtk.failed; i++) {
        data->arc_rest[i] = (float)measures[i].arc;
        if (known) {
            data->strain[i] = (float)measures[i].strain;
            data->tension[i] = (float)measures[i].tension;
        }
    }
    free(measures);
    return !data->vtk.failed;
}

static bool fill_forces(poly_data *data, const cg_poses *poses, const cg_pose *pose)
{
    cg_vec3 *forces = poses->forces ? calloc((size_t)data->points + 1, sizeof *forces) : NULL;
    if (!forces) {
        return poses->forces == NULL;
    }
    if (poses->forces(poses->context, forces, forces + data->thread_points)) {
        data->force = cg_vtk_floats(&data->vtk, CG_VTK_POINT_DATA, "contact_force", 3, (size_t)data->points);
    }
    for (int i = 0; i < data->points && data->force; i++) {
        put_vector(data->force + 3 * (size_t)i, forces[i]);
    }
    free(forces);
    (void)pose;
    return !data->vtk.failed;
}

static int fill_threads(poly_data *data, const cg_poses *poses, const cg_pose *pose)
{
    int at = 0, line = 0, rods = 0;
    for (int thread = 0; thread < pose->thread_count; thread++) {
        const cg_vec3 *points = cg_pose_points(pose, thread);
        bool is_rod = poses->threads[thread].is_rod;
        double length = 0;
        for (int i = 0; i < cg_pose_vertex_count(pose, thread); i++, at++) {
            length += i > 0 ? vec_distance(points[i - 1], points[i]) : 0;
            put_vector(data->places + 3 * (size_t)at, points[i]);
            data->line_points[at] = at;
            data->arc_length[at] = is_rod ? NAN : (float)length;
            data->thread[at] = is_rod ? -1 : thread;
            data->part[at] = is_rod ? rods : -1;
        }
        if (points) {
            data->line_ends[line++] = at;
        }
        rods += is_rod;
    }
    return at;
}

static void fill_tissues(poly_data *data, const cg_poses *poses, const cg_pose *pose, int at)
{
    int cell = data->lines;
    int32_t *corner = data->corners;
    for (int i = 0; i < at && data->tissue; i++) {
        data->tissue[i] = -1;
        if (data->displacement) {
            put_vector(data->displacement + 3 * (size_t)i, vec(NAN, NAN, NAN));
        }
    }
    for (int i = 0; i < data->lines && data->side; i++) {
        data->side[i] = -1;
    }
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_pose_tissue *about = &poses->tissues[tissue];
        const cg_vec3 *nodes = cg_pose_nodes(pose, tissue);
        for (int i = 0; nodes && i < about->triangle_count; i++) {
            for (int k = 0; k < 3; k++) {
                *corner++ = at + about->triangles[i].nodes[k];
            }
            data->side[cell++] = about->triangles[i].side;
        }
        for (int i = 0; nodes && i < about->node_count; i++, at++) {
            put_vector(data->places + 3 * (size_t)at, nodes[i]);
            data->arc_length[at] = NAN;
            data->thread[at] = data->part[at] = -1;
            if (data->tissue) {
                data->tissue[at] = tissue;
            }
            if (data->displacement) {
                cg_vec3 home = pose->homes[pose->node_starts[tissue] + i];
                put_vector(data->displacement + 3 * (size_t)at, vec_sub(nodes[i], home));
            }
        }
    }
}

static void add_names(cg_vtk_file *vtk, const cg_poses *poses)
{
    for (int i = 0; i < poses->thread_count; i++) {
        cg_vtk_word(vtk, poses->threads[i].is_rod ? "part_names" : "thread_names", poses->threads[i].name);
    }
    for (int i = 0; i < poses->tissue_count; i++) {
        cg_vtk_word(vtk, "tissue_names", poses->tissues[i].name);
    }
    for (int side = 0; poses->tissue_count > 0 && cg_tissue_side_name(side); side++) {
        cg_vtk_word(vtk, "side_names", cg_tissue_side_name(side));
    }
}

void cg_vtk_add_origin(cg_vtk_file *vtk, const cg_origin *origin)
{
    cg_vtk_word(vtk, "program", cg_program_words());
    if (origin) {
        const char *const words[][2] = {{"recording", origin->recording},
                                        {"recording_sha256", origin->recording_hash},
                                        {"scene", origin->scene},
                                        {"scene_sha256", origin->scene_hash},
                                        {"recorded_by", origin->recorded_by}};
        for (int i = 0; i < 5; i++) {
            cg_vtk_word(vtk, words[i][0], words[i][1]);
        }
    }
}

bool cg_export_vtp(const cg_poses *poses, const cg_pose *pose, FILE *out, FILE *err)
{
    poly_data data = {.vtk = {.time = pose->time}};
    count_all(&data, poses, pose);
    bool good = take_arrays(&data, pose);
    if (good) {
        fill_tissues(&data, poses, pose, fill_threads(&data, poses, pose));
        add_names(&data.vtk, poses);
        cg_vtk_add_origin(&data.vtk, poses->origin);
        good = fill_measures(&data, poses, pose) && fill_forces(&data, poses, pose) && cg_vtk_write(&data.vtk, out);
    }
    if (!good) {
        fputs("catgut export: no memory left for the arrays of a pose\n", err);
    }
    cg_vtk_free(&data.vtk);
    return good;
}
