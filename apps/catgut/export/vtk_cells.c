// The inside of tissues for ParaView: tetrahedra as an unstructured grid (.vtu), from the run itself, repeated, since a
// recording holds surfaces alone.
#include <math.h>

#include "export/formats.h"
#include "export/vtk_file.h"
#include "support/vector.h"
#include "world/world.h"

static const cg_mesh *mesh_at(const cg_world *world, const cg_session *session, int place)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, cg_session_tissue(session, place));
    return tissue ? tissue->mesh : NULL;
}

static double volume_of(const cg_vec3 *places, const int nodes[4])
{
    cg_vec3 a = vec_sub(places[nodes[1]], places[nodes[0]]), b = vec_sub(places[nodes[2]], places[nodes[0]]);
    return vec_dot(vec_cross(a, b), vec_sub(places[nodes[3]], places[nodes[0]])) / 6;
}

static void put_vector(float *to, cg_vec3 value)
{
    to[0] = (float)value.x;
    to[1] = (float)value.y;
    to[2] = (float)value.z;
}

static bool add_points(cg_vtk_file *vtk, const cg_world *world, const cg_session *session, int tissues, size_t nodes)
{
    float *at = cg_vtk_floats(vtk, CG_VTK_POINTS, "points", 3, nodes);
    float *moved = cg_vtk_floats(vtk, CG_VTK_POINT_DATA, "displacement", 3, nodes);
    float *velocity = cg_vtk_floats(vtk, CG_VTK_POINT_DATA, "velocity", 3, nodes);
    int32_t *fixed = cg_vtk_integers(vtk, CG_VTK_POINT_DATA, "fixed", nodes);
    for (int tissue = 0; tissue < tissues && !vtk->failed; tissue++) {
        const cg_mesh *mesh = mesh_at(world, session, tissue);
        const cg_vec3 *velocities = cg_tissue_velocities(world, cg_session_tissue(session, tissue), NULL);
        for (int i = 0; mesh && i < mesh->node_count; i++, at += 3, moved += 3, velocity += 3) {
            put_vector(at, mesh->position[i]);
            put_vector(moved, vec_sub(mesh->position[i], mesh->home[i]));
            put_vector(velocity, velocities[i]);
            *fixed++ = mesh->fixed[i];
        }
    }
    return !vtk->failed;
}

static bool add_cells(cg_vtk_file *vtk, const cg_world *world, const cg_session *session, int tissues, size_t cells)
{
    int32_t *corner = cg_vtk_integers(vtk, CG_VTK_CELLS, "connectivity", 4 * cells), first = 0;
    int32_t *whose = cg_vtk_integers(vtk, CG_VTK_CELL_DATA, "tissue", cells);
    int32_t *layer = cg_vtk_integers(vtk, CG_VTK_CELL_DATA, "layer", cells);
    float *ratio = cg_vtk_floats(vtk, CG_VTK_CELL_DATA, "volume_ratio", 1, cells);
    for (int tissue = 0; tissue < tissues && !vtk->failed; tissue++) {
        const cg_mesh *mesh = mesh_at(world, session, tissue);
        for (int i = 0; mesh && i < mesh->cell_count; i++) {
            const int *nodes = mesh->cells[i].nodes;
            for (int k = 0; k < 4; k++) {
                *corner++ = first + nodes[k];
            }
            *whose++ = tissue;
            *layer++ = mesh->cells[i].layer;
            *ratio++ = (float)(volume_of(mesh->position, nodes) / volume_of(mesh->home, nodes));
        }
        first += mesh ? mesh->node_count : 0;
    }
    return !vtk->failed;
}

bool cg_export_vtu(const cg_poses *poses, const cg_pose *pose, cg_recording_poses *recording, FILE *out, FILE *err)
{
    const cg_session *session = NULL;
    cg_run_peaks peaks;
    const cg_world *world = cg_recording_poses_world(recording, &session, &peaks);
    cg_vtk_file vtk = {.is_grid = true, .time = pose->time};
    size_t nodes = 0, cells = 0;
    if (!world) {
        fputs("catgut export: cells are those of the run, which could not be repeated to the bit\n", err);
        return false;
    }
    for (int i = 0; i < poses->tissue_count; i++) {
        const cg_mesh *mesh = mesh_at(world, session, i);
        nodes += mesh ? (size_t)mesh->node_count : 0;
        cells += mesh ? (size_t)mesh->cell_count : 0;
        cg_vtk_word(&vtk, "tissue_names", poses->tissues[i].name);
    }
    cg_vtk_add_origin(&vtk, poses->origin);
    bool good = add_points(&vtk, world, session, poses->tissue_count, nodes) &&
                add_cells(&vtk, world, session, poses->tissue_count, cells) && cg_vtk_write(&vtk, out);
    if (!good) {
        fputs("catgut export: no memory left for the cells of a tissue\n", err);
    }
    cg_vtk_free(&vtk);
    return good;
}
