// Volumes: what the readers gather, put right, checked and described.
#include "mesh_files/volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "geometry/mesh.h"
#include "mesh_files/volume_parts.h"

// A cell with less than this share of the cube of its longest edge is flat.
#define LEAST_VOLUME 1e-9

// --- readers ---

bool cg_surface_format_has_cells(cg_surface_format format)
{
    return format >= CG_SURFACE_GMSH && format <= CG_SURFACE_ABAQUS;
}

bool cg_volume_read_draft(cg_volume_draft *draft, const void *bytes, size_t size)
{
    static bool (*const readers[])(cg_volume_draft * draft, const void *bytes, size_t size) = {
        [CG_SURFACE_GMSH] = cg_volume_read_gmsh,       [CG_SURFACE_VTK] = cg_volume_read_vtk,
        [CG_SURFACE_VTK_XML] = cg_volume_read_vtk_xml, [CG_SURFACE_MEDIT] = cg_volume_read_medit,
        [CG_SURFACE_TETGEN] = cg_volume_read_tetgen,   [CG_SURFACE_ABAQUS] = cg_volume_read_abaqus,
    };
    return readers[draft->def->format](draft, bytes, size);
}

// --- cells put right ---

static double six_volumes(const cg_vec3 *points, const int cell[4])
{
    cg_vec3 a = points[cell[0]];
    return v3_dot(v3_cross(v3_sub(points[cell[1]], a), v3_sub(points[cell[2]], a)), v3_sub(points[cell[3]], a));
}

static double longest_edge(const cg_vec3 *points, const int cell[4])
{
    double most = 0;
    for (int edge = 0; edge < 6; edge++) {
        double length =
            v3_distance(points[cell[cg_mesh_cell_edges[edge][0]]], points[cell[cg_mesh_cell_edges[edge][1]]]);
        most = length > most ? length : most;
    }
    return most;
}

// Turns what is left-handed, and leaves out what is flat.
static void put_right(cg_volume *volume, cg_volume_draft *draft)
{
    int kept = 0;
    for (int i = 0; i < draft->cell_count; i++) {
        int cell[4];
        memcpy(cell, draft->cells[i], sizeof cell);
        double size = six_volumes(draft->points, cell), edge = longest_edge(draft->points, cell);
        if (!(fabs(size) > LEAST_VOLUME * edge * edge * edge)) {
            volume->flat_cells++;
            continue;
        }
        if (size < 0) {
            int swapped = cell[2];
            cell[2] = cell[3];
            cell[3] = swapped;
            volume->turned_cells++;
        }
        memcpy(volume->cells[kept], cell, sizeof cell);
        volume->regions[kept++] = draft->regions[i];
    }
    volume->cell_count = kept;
}

// Nodes that a cell uses, in the order of the file.
static void number_nodes(cg_volume *volume, const cg_volume_draft *draft, int *numbers)
{
    for (int i = 0; i < 4 * volume->cell_count; i++) {
        numbers[volume->cells[i / 4][i % 4]] = 1;
    }
    for (int point = 0; point < draft->point_count; point++) {
        if (numbers[point] != 0) {
            numbers[point] = volume->node_count;
            volume->nodes[volume->node_count++] = draft->points[point];
        }
    }
    for (int i = 0; i < 4 * volume->cell_count; i++) {
        volume->cells[i / 4][i % 4] = numbers[volume->cells[i / 4][i % 4]];
    }
    volume->unused_points = draft->point_count - volume->node_count;
}

// --- faces ---

// A face of a cell: its nodes in ascending order, and whether that order is an odd one of those seen from outside.
struct face {
    int nodes[3];
    int cell, side;
    bool is_odd;
};

static int compare_faces(const void *a, const void *b)
{
    const struct face *x = a, *y = b;
    for (int k = 0; k < 3; k++) {
        if (x->nodes[k] != y->nodes[k]) {
            return x->nodes[k] < y->nodes[k] ? -1 : 1;
        }
    }
    return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : x->side - y->side;
}

static struct face face_of(const cg_volume *volume, int cell, int side)
{
    struct face face = {.cell = cell, .side = side};
    for (int k = 0; k < 3; k++) {
        face.nodes[k] = volume->cells[cell][cg_mesh_cell_faces[side][k]];
    }
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        if (face.nodes[k] > face.nodes[k + 1]) {
            int swapped = face.nodes[k];
            face.nodes[k] = face.nodes[k + 1];
            face.nodes[k + 1] = swapped;
            face.is_odd = !face.is_odd;
        }
    }
    return face;
}

// All faces in order, to be given back; NULL: no memory.
static struct face *sorted_faces(const cg_volume *volume)
{
    struct face *faces = cg_memory_take(&volume->allocator, 4 * (size_t)volume->cell_count * sizeof *faces);
    for (int i = 0; faces != NULL && i < 4 * volume->cell_count; i++) {
        faces[i] = face_of(volume, i / 4, i % 4);
    }
    if (faces != NULL) {
        qsort(faces, 4 * (size_t)volume->cell_count, sizeof *faces, compare_faces);
    }
    return faces;
}

static int length_of_run(const struct face *faces, int at, int count)
{
    int end = at + 1;
    while (end < count && memcmp(faces[end].nodes, faces[at].nodes, sizeof faces[at].nodes) == 0) {
        end++;
    }
    return end - at;
}

static bool count_crowded(cg_volume *volume)
{
    struct face *faces = sorted_faces(volume);
    int count = 4 * volume->cell_count;
    for (int at = 0, run; faces != NULL && at < count; at += run) {
        run = length_of_run(faces, at, count);
        volume->crowded_faces += run > 2 || (run == 2 && faces[at].is_odd == faces[at + 1].is_odd);
    }
    cg_memory_give(&volume->allocator, faces);
    return faces != NULL;
}

// --- angles ---

static void describe_angles(cg_volume *volume)
{
    double least = -1, most = 1; // of cosines
    for (int cell = 0; cell < volume->cell_count; cell++) {
        cg_vec3 normals[4];
        for (int side = 0; side < 4; side++) {
            const int *face = cg_mesh_cell_faces[side];
            cg_vec3 a = volume->nodes[volume->cells[cell][face[0]]], b = volume->nodes[volume->cells[cell][face[1]]],
                    c = volume->nodes[volume->cells[cell][face[2]]];
            normals[side] = v3_unit_or(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3(1, 0, 0));
        }
        for (int i = 0; i < 4; i++) {
            for (int j = i + 1; j < 4; j++) {
                double cosine = -v3_dot(normals[i], normals[j]);
                least = cosine > least ? cosine : least;
                most = cosine < most ? cosine : most;
            }
        }
    }
    volume->least_angle = cg_acos(least < 1 ? least : 1);
    volume->most_angle = cg_acos(most > -1 ? most : -1);
}

bool cg_volume_describe(cg_volume *volume)
{
    describe_angles(volume);
    return count_crowded(volume);
}

// --- the whole ---

void cg_volume_free(cg_volume *volume)
{
    if (volume != NULL) {
        cg_allocator allocator = volume->allocator;
        cg_memory_give(&allocator, volume->nodes);
        cg_memory_give(&allocator, volume->cells);
        cg_memory_give(&allocator, volume->regions);
        cg_memory_give(&allocator, volume->cut);
        cg_memory_give(&allocator, volume);
    }
}

cg_volume *cg_volume_make(const cg_allocator *allocator, int nodes, int cells, bool with_cut)
{
    cg_volume *volume = cg_memory_take(allocator, sizeof *volume);
    if (volume == NULL) {
        return NULL;
    }
    volume->allocator = *allocator;
    volume->nodes = cg_memory_take(allocator, (size_t)nodes * sizeof *volume->nodes);
    volume->cells = cg_memory_take(allocator, (size_t)cells * sizeof *volume->cells);
    volume->regions = cg_memory_take(allocator, (size_t)cells * sizeof *volume->regions);
    volume->cut = with_cut ? cg_memory_take(allocator, (size_t)nodes * sizeof *volume->cut) : NULL;
    if (volume->nodes == NULL || volume->cells == NULL || volume->regions == NULL ||
        (with_cut && volume->cut == NULL)) {
        cg_volume_free(volume);
        return NULL;
    }
    return volume;
}

cg_status cg_volume_of_draft(cg_volume_draft *draft, cg_volume **volume)
{
    const cg_allocator *allocator = &draft->def->allocator;
    *volume = NULL;
    if (draft->cell_count == 0) {
        cg_scene_error_at(draft->error, 1, 1,
                          "found no tetrahedra (%d triangles, %d other items); expected one or more%s",
                          draft->triangle_count, draft->other_items,
                          draft->triangle_count > 0 ? ": a surface is filled with them by \"fill\"" : "");
        return cg_error(CG_BAD_INPUT, "no cell");
    }
    cg_volume *made = cg_volume_make(allocator, draft->point_count, draft->cell_count, false);
    int *numbers = cg_memory_take(allocator, (size_t)draft->point_count * sizeof *numbers);
    bool has_room = made != NULL && numbers != NULL;
    cg_status status = cg_ok();
    if (has_room) {
        put_right(made, draft);
        number_nodes(made, draft, numbers);
        made->quadratic_cells = draft->quadratic_cells;
        made->other_items = draft->other_items + draft->triangle_count;
        if (made->cell_count == 0) {
            cg_scene_error_at(draft->error, 1, 1, "found %d cells, all of them flat; expected one with volume",
                              draft->cell_count);
            status = cg_error(CG_BAD_INPUT, "no volume");
        } else {
            has_room = cg_volume_describe(made);
        }
    }
    cg_memory_give(allocator, numbers);
    if (!has_room) {
        cg_scene_error_at(draft->error, 1, 1, "no memory for the volume");
        status = cg_error(CG_OUT_OF_MEMORY, "no memory for the volume");
    }
    if (status.code != CG_OK) {
        cg_volume_free(made);
        made = NULL;
    }
    *volume = made;
    return status;
}

cg_status cg_volume_read(const void *bytes, size_t size, const char *name, const cg_surface_def *def,
                         cg_volume **volume, cg_scene_error *error)
{
    cg_scene_error local;
    error = error != NULL ? error : &local;
    *error = (cg_scene_error){.line = 1, .column = 1};
    cg_scene_error_file(error, name);
    *volume = NULL;
    cg_surface_def told = *def;
    cg_status status = cg_surface_check_def(&told, bytes, size, error);
    if (status.code == CG_OK && !cg_surface_format_has_cells(told.format)) {
        cg_scene_error_at(error, 1, 1, "found a surface (%s); expected a volume of tetrahedra, or \"fill\" to make one",
                          cg_surface_format_name(told.format));
        status = cg_error(CG_BAD_INPUT, "a surface");
    }
    if (status.code == CG_OK) {
        cg_volume_draft draft = {.def = &told, .error = error};
        if (cg_volume_read_draft(&draft, bytes, size)) {
            status = cg_volume_of_draft(&draft, volume);
        } else {
            status.code = draft.is_out_of_memory ? CG_OUT_OF_MEMORY : CG_BAD_INPUT;
        }
        cg_volume_draft_clear(&draft);
    }
    if (status.code != CG_OK) {
        status = cg_error(status.code, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
    }
    return status;
}

// --- the outside ---

static cg_surface *new_surface(const cg_volume *volume, int triangles)
{
    cg_surface *made = cg_memory_take(&volume->allocator, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->allocator = volume->allocator;
    made->nodes = cg_memory_take(&made->allocator, (size_t)volume->node_count * sizeof *made->nodes);
    made->triangles = cg_memory_take(&made->allocator, (size_t)triangles * sizeof *made->triangles);
    made->sides = cg_memory_take(&made->allocator, (size_t)triangles * sizeof *made->sides);
    if (made->nodes == NULL || made->triangles == NULL || made->sides == NULL) {
        cg_surface_free(made);
        return NULL;
    }
    return made;
}

// Faces that one cell has come first, in the order of their cells.
static int keep_single_faces(struct face *faces, int count)
{
    int kept = 0;
    for (int at = 0, run; at < count; at += run) {
        run = length_of_run(faces, at, count);
        if (run == 1) {
            faces[kept++] = faces[at];
        }
    }
    return kept;
}

static void take_faces(cg_surface *surface, const cg_volume *volume, const struct face *faces, int count, int *numbers)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            int node = volume->cells[faces[i].cell][cg_mesh_cell_faces[faces[i].side][k]];
            if (numbers[node] == 0) {
                surface->nodes[surface->node_count] = volume->nodes[node];
                numbers[node] = ++surface->node_count;
            }
            surface->triangles[i][k] = numbers[node] - 1;
        }
        surface->sides[i] = -1;
    }
    surface->triangle_count = count;
}

cg_status cg_volume_outside(const cg_volume *volume, cg_surface **surface)
{
    const cg_allocator *allocator = &volume->allocator;
    struct face *faces = sorted_faces(volume);
    int *numbers = cg_memory_take(allocator, (size_t)volume->node_count * sizeof *numbers);
    int count = faces == NULL ? 0 : keep_single_faces(faces, 4 * volume->cell_count);
    cg_surface *made = faces == NULL || numbers == NULL ? NULL : new_surface(volume, count);
    bool good = made != NULL;
    if (good) {
        take_faces(made, volume, faces, count, numbers);
        good = cg_surface_describe(made);
    }
    cg_memory_give(allocator, faces);
    cg_memory_give(allocator, numbers);
    if (!good) {
        cg_surface_free(made);
        made = NULL;
    }
    *surface = made;
    return good ? cg_ok() : cg_error(CG_OUT_OF_MEMORY, "no memory for the outside of a volume");
}
