// One small volume, written down in every form that is read.
#ifndef CATGUT_TESTS_VOLUME_FORMS_H
#define CATGUT_TESTS_VOLUME_FORMS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "catgut/volume.h"

enum { FORM_CUBES = 3, FORM_NODES = (FORM_CUBES + 1) * 4, FORM_CELLS = FORM_CUBES * 5, FORM_ROOM = 60000 };

// A bar of cubes of 0.25, five cells each, the last cube of region 7, the others of region 3.
typedef struct form_mesh {
    double nodes[FORM_NODES][3];
    int cells[FORM_CELLS][4];
    int regions[FORM_CELLS];
} form_mesh;

typedef struct form_file {
    unsigned char bytes[FORM_ROOM];
    size_t size;
    unsigned char beside[FORM_ROOM]; // the .node file of TetGen
    size_t beside_size;
    bool is_big;
} form_file;

static inline void form_make(form_mesh *mesh)
{
    static const int of_cube[2][5][4] = {{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}},
                                         {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 6, 0}, {7, 6, 5, 3}, {0, 3, 5, 6}}};
    for (int i = 0; i < FORM_NODES; i++) {
        mesh->nodes[i][0] = 0.25 * (i / 4);
        mesh->nodes[i][1] = 0.25 * (i % 2);
        mesh->nodes[i][2] = 0.25 * (i / 2 % 2);
    }
    for (int i = 0; i < FORM_CELLS; i++) {
        int cube = i / 5;
        for (int k = 0; k < 4; k++) { // bits of a corner: x, y, z
            int bits = of_cube[cube % 2][i % 5][k];
            mesh->cells[i][k] = 4 * (cube + (bits & 1)) + (bits >> 1);
        }
        mesh->regions[i] = cube == FORM_CUBES - 1 ? 7 : 3;
        const double *p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = mesh->nodes[mesh->cells[i][k]];
        }
        double u[3], v[3], w[3];
        for (int k = 0; k < 3; k++) {
            u[k] = p[1][k] - p[0][k];
            v[k] = p[2][k] - p[0][k];
            w[k] = p[3][k] - p[0][k];
        }
        double size = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                      (u[0] * v[1] - u[1] * v[0]) * w[2];
        if (size < 0) {
            int swapped = mesh->cells[i][2];
            mesh->cells[i][2] = mesh->cells[i][3];
            mesh->cells[i][3] = swapped;
        }
    }
}

// --- pieces of files ---

static inline void form_bytes(form_file *file, const void *bytes, size_t size)
{
    if (file->size + size <= FORM_ROOM) {
        memcpy(file->bytes + file->size, bytes, size);
        file->size += size;
    }
}

__attribute__((format(printf, 2, 3))) static inline void form_text(form_file *file, const char *format, ...)
{
    char line[400];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    form_bytes(file, line, (size_t)length);
}

static inline void form_whole(form_file *file, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)(value >> 8 * (file->is_big ? bytes - 1 - i : i));
        form_bytes(file, &byte, 1);
    }
}

static inline void form_real(form_file *file, double value, int bytes)
{
    uint64_t bits;
    float half = (float)value;
    uint32_t half_bits;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&half_bits, &half, sizeof half_bits);
    form_whole(file, bytes == 8 ? bits : half_bits, bytes);
}

// --- Gmsh ---

static inline void form_gmsh_text(form_file *file, const form_mesh *mesh, int version)
{
    file->size = 0;
    form_text(file, version == 1 ? "$NOD\n%d\n" : "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", FORM_NODES);
    for (int i = 0; i < FORM_NODES; i++) { // gaps in the numbers
        form_text(file, "%d %g %g %g\n", 3 * i + 5, mesh->nodes[i][0], mesh->nodes[i][1], mesh->nodes[i][2]);
    }
    form_text(file, version == 1 ? "$ENDNOD\n$ELM\n%d\n" : "$EndNodes\n$Elements\n%d\n", FORM_CELLS + 1);
    form_text(file, version == 1 ? "1 15 0 0 1 5\n" : "1 15 0 5\n");
    for (int i = 0; i < FORM_CELLS; i++) {
        const int *c = mesh->cells[i];
        form_text(file, version == 1 ? "%d 4 %d 1 4 " : "%d 4 2 %d 1 ", i + 2, mesh->regions[i]);
        form_text(file, "%d %d %d %d\n", 3 * c[0] + 5, 3 * c[1] + 5, 3 * c[2] + 5, 3 * c[3] + 5);
    }
    form_text(file, version == 1 ? "$ENDELM\n" : "$EndElements\n");
}

static inline void form_gmsh_2_binary(form_file *file, const form_mesh *mesh)
{
    file->size = 0;
    form_text(file, "$MeshFormat\n2.2 1 8\n");
    form_whole(file, 1, 4);
    form_text(file, "\n$EndMeshFormat\n$Nodes\n%d\n", FORM_NODES);
    for (int i = 0; i < FORM_NODES; i++) {
        form_whole(file, (uint64_t)(3 * i + 5), 4);
        for (int k = 0; k < 3; k++) {
            form_real(file, mesh->nodes[i][k], 8);
        }
    }
    form_text(file, "\n$EndNodes\n$Elements\n%d\n", FORM_CELLS);
    for (int i = 0; i < FORM_CELLS; i += 5) { // blocks of five
        form_whole(file, 4, 4);
        form_whole(file, 5, 4);
        form_whole(file, 2, 4);
        for (int j = i; j < i + 5; j++) {
            form_whole(file, (uint64_t)(j + 1), 4);
            form_whole(file, (uint64_t)mesh->regions[j], 4);
            form_whole(file, 1, 4);
            for (int k = 0; k < 4; k++) {
                form_whole(file, (uint64_t)(3 * mesh->cells[j][k] + 5), 4);
            }
        }
    }
    form_text(file, "\n$EndElements\n");
}

// A number of version 4.1, as text or not.
static inline void form_item(form_file *file, bool is_binary, int value, int bytes)
{
    if (is_binary) {
        form_whole(file, (uint64_t)value, bytes);
    } else {
        form_text(file, "%d ", value);
    }
}

static inline void form_gmsh_4(form_file *file, const form_mesh *mesh, bool b)
{
    file->size = 0;
    form_text(file, "$MeshFormat\n4.1 %d 8\n", b);
    if (b) {
        form_whole(file, 1, 4);
        form_text(file, "\n");
    }
    form_text(file, "$EndMeshFormat\n$Entities\n");
    static const int head[] = {0, 0, 0, 2};
    for (int k = 0; k < 4; k++) {
        form_item(file, b, head[k], 8);
    }
    for (int volume = 1; volume <= 2; volume++) { // volume 1 is region 3, volume 2 region 7
        form_item(file, b, volume, 4);
        for (int k = 0; k < 6; k++) {
            if (b) {
                form_real(file, 0.5, 8);
            } else {
                form_text(file, "0.5 ");
            }
        }
        form_item(file, b, 1, 8);
        form_item(file, b, volume == 1 ? 3 : 7, 4);
        form_item(file, b, 0, 8);
    }
    form_text(file, "\n$EndEntities\n$Nodes\n");
    static const int nodes[] = {1, FORM_NODES, 1, 99, 3, 1, 0, FORM_NODES};
    static const int sizes[] = {8, 8, 8, 8, 4, 4, 4, 8};
    for (int k = 0; k < 8; k++) {
        form_item(file, b, nodes[k], sizes[k]);
    }
    for (int i = 0; i < FORM_NODES; i++) {
        form_item(file, b, 3 * i + 5, 8);
    }
    for (int i = 0; i < 3 * FORM_NODES; i++) {
        if (b) {
            form_real(file, mesh->nodes[i / 3][i % 3], 8);
        } else {
            form_text(file, "%g\n", mesh->nodes[i / 3][i % 3]);
        }
    }
    form_text(file, "\n$EndNodes\n$Elements\n");
    static const int elements[] = {2, FORM_CELLS, 1, FORM_CELLS};
    for (int k = 0; k < 4; k++) {
        form_item(file, b, elements[k], 8);
    }
    for (int i = 0; i < FORM_CELLS; i++) {
        if (i == 0 || mesh->regions[i] != mesh->regions[i - 1]) {
            form_item(file, b, 3, 4);
            form_item(file, b, i == 0 ? 1 : 2, 4);
            form_item(file, b, 4, 4);
            form_item(file, b, i == 0 ? FORM_CELLS - 5 : 5, 8);
        }
        form_item(file, b, i + 1, 8);
        for (int k = 0; k < 4; k++) {
            form_item(file, b, 3 * mesh->cells[i][k] + 5, 8);
        }
    }
    form_text(file, "\n$EndElements\n");
}

// --- legacy VTK ---

static inline void form_vtk_number(form_file *file, bool is_binary, int value, int bytes)
{
    form_item(file, is_binary, value, bytes);
}

static inline void form_vtk(form_file *file, const form_mesh *mesh, bool b, bool has_offsets)
{
    file->size = 0;
    file->is_big = true;
    form_text(file, "# vtk DataFile Version %s\na volume\n%s\nDATASET UNSTRUCTURED_GRID\nPOINTS %d double\n",
              has_offsets ? "5.1" : "3.0", b ? "BINARY" : "ASCII", FORM_NODES);
    for (int i = 0; i < 3 * FORM_NODES; i++) {
        if (b) {
            form_real(file, mesh->nodes[i / 3][i % 3], 8);
        } else {
            form_text(file, "%g ", mesh->nodes[i / 3][i % 3]);
        }
    }
    if (has_offsets) {
        form_text(file, "\nMETADATA\nINFORMATION 0\n\nCELLS %d %d\nOFFSETS vtktypeint64\n", FORM_CELLS + 1,
                  4 * FORM_CELLS);
        for (int i = 0; i <= FORM_CELLS; i++) {
            form_vtk_number(file, b, 4 * i, 8);
        }
        form_text(file, "\nCONNECTIVITY vtktypeint64\n");
        for (int i = 0; i < 4 * FORM_CELLS; i++) {
            form_vtk_number(file, b, mesh->cells[i / 4][i % 4], 8);
        }
    } else {
        form_text(file, "\nCELLS %d %d\n", FORM_CELLS, 5 * FORM_CELLS);
        for (int i = 0; i < FORM_CELLS; i++) {
            form_vtk_number(file, b, 4, 4);
            for (int k = 0; k < 4; k++) {
                form_vtk_number(file, b, mesh->cells[i][k], 4);
            }
        }
    }
    form_text(file, "\nCELL_TYPES %d\n", FORM_CELLS);
    for (int i = 0; i < FORM_CELLS; i++) {
        form_vtk_number(file, b, 10, 4);
    }
    form_text(file, "\nCELL_DATA %d\nSCALARS heat float 1\nLOOKUP_TABLE default\n", FORM_CELLS);
    for (int i = 0; i < FORM_CELLS; i++) {
        if (b) {
            form_real(file, 1.5, 4);
        } else {
            form_text(file, "1.5 ");
        }
    }
    form_text(file, "\nFIELD FieldData 1\nmaterial 1 %d int\n", FORM_CELLS);
    for (int i = 0; i < FORM_CELLS; i++) {
        form_vtk_number(file, b, mesh->regions[i], 4);
    }
    form_text(file, "\n");
    file->is_big = false;
}

// --- XML of VTK ---

typedef enum form_xml { FORM_ASCII, FORM_BASE64, FORM_RAW, FORM_BASE64_APPENDED } form_xml;

static inline void form_base64(form_file *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        three |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        three |= i + 2 < size ? bytes[i + 2] : 0;
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63], '=', '='};
        four[2] = i + 1 < size ? digits[three >> 6 & 63] : '=';
        four[3] = i + 2 < size ? digits[three & 63] : '=';
        form_bytes(file, four, 4);
    }
}

// Bytes as zlib writes what cannot be packed: one stored block.
static inline void form_zlib(form_file *packed, const unsigned char *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    unsigned char head[] = {0x78,
                            0x01,
                            1,
                            (unsigned char)size,
                            (unsigned char)(size >> 8),
                            (unsigned char)~size,
                            (unsigned char)(~size >> 8)};
    form_bytes(packed, head, sizeof head);
    form_bytes(packed, bytes, size);
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    bool is_big = packed->is_big;
    packed->is_big = true;
    form_whole(packed, b << 16 | a, 4);
    packed->is_big = is_big;
}

// An array with its head, as bytes, packed in blocks of 256 bytes or not.
static inline void form_array(form_file *data, const form_file *plain, bool is_packed, int head_bytes,
                              size_t *head_size)
{
    enum { BLOCK = 256 };
    static form_file packed;
    data->size = 0;
    if (!is_packed) {
        form_whole(data, plain->size, head_bytes);
        form_bytes(data, plain->bytes, plain->size);
        *head_size = 0; // in one piece
        return;
    }
    size_t blocks = (plain->size + BLOCK - 1) / BLOCK;
    packed = (form_file){.is_big = data->is_big};
    form_whole(data, blocks, head_bytes);
    form_whole(data, BLOCK, head_bytes);
    form_whole(data, plain->size % BLOCK, head_bytes);
    for (size_t block = 0; block < blocks; block++) {
        size_t from = block * BLOCK, before = packed.size;
        form_zlib(&packed, plain->bytes + from, plain->size - from < BLOCK ? plain->size - from : BLOCK);
        form_whole(data, packed.size - before, head_bytes);
    }
    *head_size = data->size;
    form_bytes(data, packed.bytes, packed.size);
}

// Arrays of the file, in its order.
static const char *const form_sections[] = {"PointData", "CellData", "CellData", "Points", "Cells", "Cells", "Cells"};
static const char *const form_types[] = {"Float32", "Float32", "Int32", "Float64", "Int64", "Int32", "UInt8"};
static const char *const form_names[] = {"heat", "load", "part", "Points", "connectivity", "offsets", "types"};
static const int form_counts[] = {FORM_NODES,     FORM_CELLS, FORM_CELLS, 3 * FORM_NODES,
                                  4 * FORM_CELLS, FORM_CELLS, FORM_CELLS};

static inline void form_vtu(form_file *file, const form_mesh *mesh, form_xml form, bool is_packed, int head_bytes)
{
    static form_file appended, plain, data;
    bool is_big = file->is_big;
    file->size = appended.size = 0;
    form_text(file,
              "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
              "byte_order=\"%s\" header_type=\"%s\"%s>\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" "
              "NumberOfCells='%d'>\n",
              is_big ? "BigEndian" : "LittleEndian", head_bytes == 8 ? "UInt64" : "UInt32",
              is_packed ? " compressor=\"vtkZLibDataCompressor\"" : "", FORM_NODES, FORM_CELLS);
    for (int a = 0; a < 7; a++) {
        size_t head_size;
        bool opens = a == 0 || strcmp(form_sections[a], form_sections[a - 1]) != 0;
        bool closes = a == 6 || strcmp(form_sections[a], form_sections[a + 1]) != 0;
        plain = (form_file){.is_big = is_big};
        data.is_big = is_big;
        if (opens) {
            form_text(file, "<%s>\n", form_sections[a]);
        }
        form_text(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"%s\"", form_types[a],
                  form_names[a], a == 3 ? 3 : 1,
                  form == FORM_ASCII ? "ascii" : (form == FORM_BASE64 ? "binary" : "appended"));
        if (form == FORM_RAW || form == FORM_BASE64_APPENDED) {
            form_text(file, " offset=\"%d\"", (int)appended.size);
        }
        form_text(file, ">\n");
        for (int i = 0; i < form_counts[a]; i++) {
            double value = a < 2 ? 1.5 : 10;
            value = a == 2 ? mesh->regions[i] : value;
            value = a == 3 ? mesh->nodes[i / 3][i % 3] : value;
            value = a == 4 ? mesh->cells[i / 4][i % 4] : value;
            value = a == 5 ? 4 * (i + 1) : value;
            if (form == FORM_ASCII) {
                form_text(file, "%g ", value);
            } else if (form_types[a][0] == 'F') {
                form_real(&plain, value, a == 3 ? 8 : 4);
            } else {
                form_whole(&plain, (uint64_t)value, a == 4 ? 8 : (a == 6 ? 1 : 4));
            }
        }
        form_array(&data, &plain, is_packed, head_bytes, &head_size);
        if (form == FORM_BASE64 || form == FORM_BASE64_APPENDED) {
            form_file *to = form == FORM_BASE64 ? file : &appended;
            form_base64(to, data.bytes, head_size);
            form_base64(to, data.bytes + head_size, data.size - head_size);
        } else if (form == FORM_RAW) {
            form_bytes(&appended, data.bytes, data.size);
        }
        form_text(file, "\n</DataArray>\n");
        if (closes) {
            form_text(file, "</%s>\n", form_sections[a]);
        }
    }
    form_text(file, "</Piece>\n</UnstructuredGrid>\n");
    if (appended.size > 0) {
        form_text(file, "<AppendedData encoding=\"%s\">\n  _", form == FORM_RAW ? "raw" : "base64");
        form_bytes(file, appended.bytes, appended.size);
        form_text(file, "\n</AppendedData>\n");
    }
    form_text(file, "</VTKFile>\n");
}

// --- plain text ---

static inline void form_medit(form_file *file, const form_mesh *mesh)
{
    file->size = 0;
    form_text(file, " MeshVersionFormatted 2 # comment\n Dimension\n 3\n Vertices\n %d\n", FORM_NODES);
    for (int i = 0; i < FORM_NODES; i++) {
        form_text(file, " %g %g %g %d\n", mesh->nodes[i][0], mesh->nodes[i][1], mesh->nodes[i][2], i % 3);
    }
    form_text(file, "Edges\n1\n1 2 5\nTriangles\n1\n1 2 3 9\nTetrahedra\n%d\n", FORM_CELLS);
    for (int i = 0; i < FORM_CELLS; i++) {
        const int *c = mesh->cells[i];
        form_text(file, "%d %d %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1, mesh->regions[i]);
    }
    form_text(file, "End\n");
}

static inline void form_tetgen(form_file *file, const form_mesh *mesh, int from)
{
    static form_file nodes;
    nodes.size = file->size = 0;
    form_text(&nodes, "# points\n%d 3 1 1\n", FORM_NODES);
    for (int i = 0; i < FORM_NODES; i++) {
        form_text(&nodes, "%d %g %g %g 2.5 1\n", i + from, mesh->nodes[i][0], mesh->nodes[i][1], mesh->nodes[i][2]);
    }
    memcpy(file->beside, nodes.bytes, nodes.size);
    file->beside_size = nodes.size;
    form_text(file, "%d 4 1\n", FORM_CELLS);
    for (int i = 0; i < FORM_CELLS; i++) {
        const int *c = mesh->cells[i];
        form_text(file, "%d %d %d %d %d %d\n", i + from, c[0] + from, c[1] + from, c[2] + from, c[3] + from,
                  mesh->regions[i]);
    }
    form_text(file, "# Generated by a test\n");
}

// Sets of elements are numbered as they come: regions become 1 and 2.
static inline void form_abaqus(form_file *file, const form_mesh *mesh)
{
    file->size = 0;
    form_text(file, "*Heading\n a bar, *NODE and all\n** comment\n*Node, NSET=all\n");
    for (int i = 0; i < FORM_NODES; i++) {
        form_text(file, "%d, %g, %g, %g\n", i + 1, mesh->nodes[i][0], mesh->nodes[i][1], mesh->nodes[i][2]);
    }
    for (int i = 0; i < FORM_CELLS; i++) {
        const int *c = mesh->cells[i];
        if (i == 0 || mesh->regions[i] != mesh->regions[i - 1]) {
            form_text(file, "*Element, type=C3D4, ELSET=part %d\n", mesh->regions[i]);
        }
        form_text(file, "%d, %d, %d,\n %d, %d\n", i + 1, c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
    }
    form_text(file, "*Element, type=T3D2\n900, 1, 2\n*Material, name=soft\n*Elastic\n 1000, 0.3\n");
}

enum { FORM_COUNT = 25 };

// Form number `which`; *format is what it is.
static inline void form_write(form_file *file, const form_mesh *mesh, int which, cg_surface_format *format)
{
    file->beside_size = 0;
    file->is_big = false;
    if (which < 7) {
        *format = CG_SURFACE_GMSH;
        file->is_big = which == 3 || which == 6;
        if (which < 2) {
            form_gmsh_text(file, mesh, which + 1);
        } else if (which < 4) {
            form_gmsh_2_binary(file, mesh);
        } else {
            form_gmsh_4(file, mesh, which > 4);
        }
    } else if (which < 11) {
        *format = CG_SURFACE_VTK;
        form_vtk(file, mesh, which % 2 == 0, which > 8);
    } else if (which < 21) {
        *format = CG_SURFACE_VTK_XML;
        int form = which - 11;
        file->is_big = form >= 8;
        form_vtu(file, mesh, (form_xml)(form % 4), form == 2 || form == 5 || form == 6 || form == 7 || form == 9,
                 form % 3 == 1 ? 4 : 8);
    } else {
        *format = which == 21 ? CG_SURFACE_MEDIT : (which < 24 ? CG_SURFACE_TETGEN : CG_SURFACE_ABAQUS);
        if (which == 21) {
            form_medit(file, mesh);
        } else if (which < 24) {
            form_tetgen(file, mesh, which - 22);
        } else {
            form_abaqus(file, mesh);
        }
    }
}

#endif
