// Shapes for ParaView: VTK XML PolyData, one file a pose, and a collection (.pvd) with their times.
//
// A .vtp file is a head in XML that says which arrays there are and where, and behind it all arrays as raw bytes: after
// the mark "_" each array is its size in bytes (UInt64) and its values, lowest byte first. Offsets count from the mark.
// Arrays of n points in m polylines:
//     points        Float32 3n      [m]
//     connectivity  Int32   n       0, 1, ..., n - 1: the points of the threads one after the other
//     offsets       Int32   m       where each polyline ends in connectivity
//     arc_length    Float32 n       [m] along the thread, from its start
//     thread        Int32   n       place of the thread
//     tension       Float32 n       [N] mean of the segments that meet at the point; only where it is known
// Where there is tissue its nodes follow the points of the threads, with -1 for the thread, and there are also
//     tissue        Int32   n       place of the tissue, -1 on a thread
//     triangles     Int32   3t      connectivity of its surface
//     triangle_ends Int32   t       3, 6, ...: where each triangle ends in it
//     side          Int32   m + t   of each triangle the part of the surface, -1 for the polylines before them
#include <errno.h>
#include <stdlib.h>

#include "export/bytes.h"
#include "export/formats.h"
#include "support/out_file.h"
#include "support/vector.h"

enum { MAX_ARRAYS = 10 };

typedef struct array {
    const char *name, *type;
    int components;
    unsigned char *bytes;
    size_t size;
} array;

typedef struct poly_data {
    int point_count, line_count, triangle_count;
    array
        arrays[MAX_ARRAYS]; // points, connectivity, offsets, then point data, then three for triangles if there are any
    int array_count;
    int point_array_count; // arrays before those of triangles
} poly_data;

static bool add_array(poly_data *data, const char *name, const char *type, int components, size_t values)
{
    array *a = &data->arrays[data->array_count++];
    *a = (array){.name = name, .type = type, .components = components, .size = 4 * values};
    a->bytes = malloc(a->size + 1);
    return a->bytes != NULL;
}

static void free_data(poly_data *data)
{
    for (int i = 0; i < data->array_count; i++) {
        free(data->arrays[i].bytes);
    }
}

// Puts the nodes of tissues behind the points of threads.
static void fill_nodes(const cg_poses *poses, const cg_pose *pose, unsigned char *points, unsigned char *arc,
                       unsigned char *place)
{
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_vec3 *nodes = cg_pose_nodes(pose, tissue);
        for (int i = 0; nodes && i < poses->tissues[tissue].node_count; i++) {
            points = cg_put_float(points, (float)nodes[i].x);
            points = cg_put_float(points, (float)nodes[i].y);
            points = cg_put_float(points, (float)nodes[i].z);
            arc = cg_put_float(arc, 0);
            place = cg_put_bits32(place, (uint32_t)-1);
        }
    }
}

static void fill_triangles(poly_data *data, const cg_poses *poses, const cg_pose *pose, int thread_points)
{
    array *first = &data->arrays[data->point_array_count - 1];
    unsigned char *tissue_at = first->bytes, *corners = first[1].bytes, *ends = first[2].bytes, *side = first[3].bytes;
    uint32_t from = (uint32_t)thread_points, end = 0;
    for (int i = 0; i < thread_points; i++) {
        tissue_at = cg_put_bits32(tissue_at, (uint32_t)-1);
    }
    for (int i = 0; i < data->line_count; i++) {
        side = cg_put_bits32(side, (uint32_t)-1);
    }
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_pose_tissue *about = &poses->tissues[tissue];
        if (!cg_pose_nodes(pose, tissue)) {
            continue;
        }
        for (int i = 0; i < about->node_count; i++) {
            tissue_at = cg_put_bits32(tissue_at, (uint32_t)tissue);
        }
        for (int i = 0; i < about->triangle_count; i++) {
            for (int k = 0; k < 3; k++) {
                corners = cg_put_bits32(corners, from + (uint32_t)about->triangles[i].nodes[k]);
            }
            end += 3;
            ends = cg_put_bits32(ends, end);
            side = cg_put_bits32(side, (uint32_t)about->triangles[i].side);
        }
        from += (uint32_t)about->node_count;
    }
}

static void fill_geometry(poly_data *data, const cg_poses *poses, const cg_pose *pose)
{
    unsigned char *points = data->arrays[0].bytes, *connectivity = data->arrays[1].bytes;
    unsigned char *offsets = data->arrays[2].bytes, *arc = data->arrays[3].bytes, *place = data->arrays[4].bytes;
    uint32_t index = 0;
    for (int thread = 0; thread < pose->thread_count; thread++) {
        const cg_vec3 *p = cg_pose_points(pose, thread);
        int count = cg_pose_vertex_count(pose, thread);
        double length = 0;
        for (int i = 0; i < count; i++) {
            length += i > 0 ? vec_distance(p[i - 1], p[i]) : 0;
            points = cg_put_float(points, (float)p[i].x);
            points = cg_put_float(points, (float)p[i].y);
            points = cg_put_float(points, (float)p[i].z);
            connectivity = cg_put_bits32(connectivity, index++);
            arc = cg_put_float(arc, (float)length);
            place = cg_put_bits32(place, (uint32_t)thread);
        }
        if (count > 0) {
            offsets = cg_put_bits32(offsets, index);
        }
    }
    fill_nodes(poses, pose, points, arc, place);
}

// False when the tension of some thread is not known. Tissue has none.
static bool fill_tensions(array *to, const cg_poses *poses, const cg_pose *pose)
{
    unsigned char *at = to->bytes;
    memset(to->bytes, 0, to->size);
    for (int thread = 0; thread < pose->thread_count; thread++) {
        int segments = cg_pose_vertex_count(pose, thread) - 1;
        if (segments < 1) {
            continue;
        }
        double *tensions = malloc((size_t)segments * sizeof *tensions);
        bool known = tensions && poses->tensions(poses->context, thread, tensions, segments);
        for (int i = 0; i <= segments && known; i++) {
            double before = tensions[i > 0 ? i - 1 : 0], after = tensions[i < segments ? i : segments - 1];
            at = cg_put_float(at, (float)(0.5 * (before + after)));
        }
        free(tensions);
        if (!known) {
            return false;
        }
    }
    return true;
}

// Adds what only tissue needs; nothing when there is none.
static bool gather_triangles(poly_data *data, const cg_poses *poses, const cg_pose *pose, int thread_points)
{
    data->point_array_count = data->array_count;
    if (data->triangle_count == 0) {
        return true;
    }
    size_t triangles = (size_t)data->triangle_count;
    if (!add_array(data, "tissue", "Int32", 1, (size_t)data->point_count) ||
        !add_array(data, "triangles", "Int32", 1, 3 * triangles) ||
        !add_array(data, "triangle_ends", "Int32", 1, triangles) ||
        !add_array(data, "side", "Int32", 1, (size_t)data->line_count + triangles)) {
        return false;
    }
    data->point_array_count++;
    fill_triangles(data, poses, pose, thread_points);
    return true;
}

static bool gather(poly_data *data, const cg_poses *poses, const cg_pose *pose)
{
    for (int thread = 0; thread < pose->thread_count; thread++) {
        int count = cg_pose_vertex_count(pose, thread);
        data->point_count += count;
        data->line_count += count > 0;
    }
    int thread_points = data->point_count;
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        bool there = cg_pose_nodes(pose, tissue) != NULL;
        data->point_count += there ? poses->tissues[tissue].node_count : 0;
        data->triangle_count += there ? poses->tissues[tissue].triangle_count : 0;
    }
    size_t points = (size_t)data->point_count;
    if (!add_array(data, "points", "Float32", 3, 3 * points) ||
        !add_array(data, "connectivity", "Int32", 1, (size_t)thread_points) ||
        !add_array(data, "offsets", "Int32", 1, (size_t)data->line_count) ||
        !add_array(data, "arc_length", "Float32", 1, points) || !add_array(data, "thread", "Int32", 1, points)) {
        return false;
    }
    fill_geometry(data, poses, pose);
    if (poses->tensions) {
        if (!add_array(data, "tension", "Float32", 1, points)) {
            return false;
        }
        array *tension = &data->arrays[data->array_count - 1];
        if (!fill_tensions(tension, poses, pose)) {
            free(tension->bytes);
            data->array_count--;
        }
    }
    return gather_triangles(data, poses, pose, thread_points);
}

static void write_arrays(const poly_data *data, int from, int to, FILE *out)
{
    unsigned long long offset = 0;
    for (int i = 0; i < from; i++) {
        offset += 8 + data->arrays[i].size;
    }
    for (int i = from; i < to; i++) {
        const array *a = &data->arrays[i];
        fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\"", a->type,
                a->name, a->components);
        fprintf(out, " offset=\"%llu\"/>\n", offset);
        offset += 8 + a->size;
    }
}

// The last three arrays; VTK wants its own names for the first two.
static void write_polys(const poly_data *data, FILE *out)
{
    poly_data renamed = *data;
    int first = data->point_array_count;
    renamed.arrays[first].name = "connectivity";
    renamed.arrays[first + 1].name = "offsets";
    fputs("<Polys>\n", out);
    write_arrays(&renamed, first, first + 2, out);
    fputs("</Polys>\n<CellData>\n", out);
    write_arrays(data, first + 2, first + 3, out);
    fputs("</CellData>\n", out);
}

static void write_data(const poly_data *data, double time, FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n" CG_OUT_XML_MARK
          "\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\"",
          out);
    fputs(" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n", out);
    fputs("<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">", out);
    fprintf(out, "%.12g</DataArray>\n</FieldData>\n", time);
    fprintf(out, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\"", data->point_count,
            data->line_count);
    fprintf(out, " NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n<PointData Scalars=\"arc_length\">\n",
            data->triangle_count);
    write_arrays(data, 3, data->point_array_count, out);
    fputs("</PointData>\n<Points>\n", out);
    write_arrays(data, 0, 1, out);
    fputs("</Points>\n<Lines>\n", out);
    write_arrays(data, 1, 3, out);
    fputs("</Lines>\n", out);
    if (data->triangle_count > 0) {
        write_polys(data, out);
    }
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", out);
    for (int i = 0; i < data->array_count; i++) {
        unsigned char size[8];
        cg_put_bits64(size, data->arrays[i].size);
        fwrite(size, 1, sizeof size, out);
        fwrite(data->arrays[i].bytes, 1, data->arrays[i].size, out);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

bool cg_export_vtp(const cg_poses *poses, const cg_pose *pose, FILE *out, FILE *err)
{
    poly_data data = {0};
    bool good = gather(&data, poses, pose);
    if (good) {
        write_data(&data, pose->time, out);
    } else {
        fputs("catgut export: no memory left for the arrays of a pose\n", err);
    }
    free_data(&data);
    return good;
}

// The series

static int digits_of(size_t count)
{
    int digits = 1;
    for (size_t rest = count > 0 ? (count - 1) / 10 : 0; rest > 0; rest /= 10) {
        digits++;
    }
    return digits > 4 ? digits : 4;
}

bool cg_vtk_part_name(const char *stem, size_t place, size_t count, char *path, size_t room)
{
    int length = snprintf(path, room, "%s_%0*zu.vtp", stem, digits_of(count), place);
    return length > 0 && (size_t)length < room;
}

bool cg_vtk_series_name(const char *stem, char *path, size_t room)
{
    int length = snprintf(path, room, "%s.pvd", stem);
    return length > 0 && (size_t)length < room;
}

static bool may_write(const char *path, bool force, FILE *err)
{
    char why[CG_OUT_WHY_BYTES];
    if (!cg_out_may_write(path, CG_OUT_VTK, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
        return false;
    }
    return true;
}

// Known before the first file is written: all of the series may be.
static bool may_write_all(const cg_poses *poses, const char *stem, bool force, FILE *err)
{
    char path[4096];
    bool good = cg_vtk_series_name(stem, path, sizeof path);
    bool free_to = good && may_write(path, force, err);
    for (size_t i = 0; i < poses->count && free_to; i++) {
        good = cg_vtk_part_name(stem, i, poses->count, path, sizeof path);
        free_to = good && may_write(path, force, err);
    }
    if (!good) {
        fputs("catgut export: the name of the output is too long\n", err);
    }
    return free_to;
}

static bool open_to_write(cg_out_file *out, const char *path, bool force, FILE *err)
{
    char why[CG_OUT_WHY_BYTES];
    bool good = cg_out_open(out, path, CG_OUT_VTK, force, why);
    if (!good) {
        fprintf(err, "%s: %s\n", path, why);
    }
    return good;
}

static bool finish(cg_out_file *out, bool good, FILE *err)
{
    if (good && !cg_out_finish(out)) {
        fprintf(err, "%s: cannot be written in full (%s)\n", out->path, strerror(errno));
        good = false;
    }
    cg_out_abandon(out, false);
    return good;
}

// Writes the files of all poses, and their names and times into the collection.
static bool write_poses(const cg_poses *poses, const char *stem, bool force, FILE *collection, FILE *err)
{
    char path[4096];
    for (size_t i = 0; i < poses->count; i++) {
        cg_pose pose;
        cg_out_file out;
        if (!cg_vtk_part_name(stem, i, poses->count, path, sizeof path) ||
            !poses->fetch(poses->context, i, &pose, err) || !open_to_write(&out, path, force, err) ||
            !finish(&out, cg_export_vtp(poses, &pose, out.file, err), err)) {
            return false;
        }
        const char *slash = strrchr(path, '/');
        fprintf(collection, "<DataSet timestep=\"%.12g\" group=\"\" part=\"0\" file=\"", pose.time);
        cg_svg_escape(collection, slash ? slash + 1 : path);
        fputs("\"/>\n", collection);
    }
    return true;
}

bool cg_export_vtk_series(const cg_poses *poses, const char *stem, bool force, FILE *err)
{
    char path[4096];
    cg_out_file out;
    if (!may_write_all(poses, stem, force, err) || !cg_vtk_series_name(stem, path, sizeof path) ||
        !open_to_write(&out, path, force, err)) {
        return false;
    }
    fputs("<?xml version=\"1.0\"?>\n" CG_OUT_XML_MARK "\n", out.file);
    fputs("<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n", out.file);
    bool good = write_poses(poses, stem, force, out.file, err);
    // A series that broke off is still a series: what was written can be looked at.
    fputs("</Collection>\n</VTKFile>\n", out.file);
    return finish(&out, true, err) && good;
}
