// Volumes from files: every form gives the same mesh, and what is wrong is told with its place.
#include <math.h>

#include "harness.h"
#include "mesh_files/inflate.h"
#include "mesh_files/volume_forms.h"

static form_mesh mesh;
static form_file file;

static cg_status read_form(const form_file *from, cg_surface_format format, cg_volume **volume, cg_scene_error *error)
{
    cg_surface_def def = cg_surface_def_default();
    def.format = format;
    def.max_nodes = 100000;
    def.max_triangles = 100000;
    def.beside = from->beside_size > 0 ? from->beside : NULL;
    def.beside_size = from->beside_size;
    return cg_volume_read(from->bytes, from->size, "form", &def, volume, error);
}

static void check_same(const cg_volume *volume, cg_surface_format format)
{
    CHECK_INT(volume->node_count, FORM_NODES);
    if (!CHECK(volume->cell_count == FORM_CELLS) || volume->node_count != FORM_NODES) {
        return;
    }
    int nodes = 0, cells = 0, regions = 0;
    for (int i = 0; i < FORM_NODES; i++) {
        const double *p = mesh.nodes[i];
        nodes += volume->nodes[i].x == p[0] && volume->nodes[i].y == p[1] && volume->nodes[i].z == p[2];
    }
    for (int i = 0; i < FORM_CELLS; i++) {
        cells += memcmp(volume->cells[i], mesh.cells[i], sizeof mesh.cells[i]) == 0;
        int region = format == CG_SURFACE_ABAQUS ? (mesh.regions[i] == 3 ? 1 : 2) : mesh.regions[i];
        regions += volume->regions[i] == region;
    }
    CHECK_INT(nodes, FORM_NODES);
    CHECK_INT(cells, FORM_CELLS);
    CHECK_INT(regions, FORM_CELLS);
    CHECK_INT(volume->crowded_faces + volume->turned_cells + volume->flat_cells + volume->unused_points, 0);
    CHECK_NEAR(volume->least_angle, acos(1 / sqrt(3)), 1e-12); // of the corners of a cube
    CHECK_NEAR(volume->most_angle, acos(0.0), 1e-12);
}

TEST(every_form_of_every_format_gives_the_same_volume)
{
    form_make(&mesh);
    for (int which = 0; which < FORM_COUNT; which++) {
        cg_surface_format format, told;
        cg_volume *volume;
        cg_scene_error error;
        form_write(&file, &mesh, which, &format);
        if (!CHECK(cg_surface_format_of_bytes(file.bytes, file.size, &told) && told == format)) {
            printf("form %d is told as %s\n", which, cg_surface_format_name(told));
        }
        if (!CHECK_INT(read_form(&file, which % 2 == 0 ? CG_SURFACE_TOLD : format, &volume, &error).code, CG_OK)) {
            printf("form %d: %d:%d: %s\n", which, error.line, error.column, error.message);
            continue;
        }
        check_same(volume, format);
        cg_volume_free(volume);
    }
}

TEST(what_is_written_is_read_again_to_the_last_bit)
{
    cg_surface_format format;
    cg_volume *volume, *again;
    form_make(&mesh);
    for (int i = 0; i < FORM_NODES; i++) {
        mesh.nodes[i][0] += i / 300.0;
    }
    form_write(&file, &mesh, 5, &format);
    if (!CHECK(read_form(&file, format, &volume, NULL).code == CG_OK)) {
        return;
    }
    char *text;
    size_t size;
    CHECK_INT(cg_volume_write(volume, 1, &text, &size).code, CG_OK);
    cg_surface_def def = cg_surface_def_default();
    def.format = CG_SURFACE_TOLD;
    if (CHECK(cg_volume_read(text, size, "written", &def, &again, NULL).code == CG_OK)) {
        CHECK(memcmp(again->nodes, volume->nodes, sizeof *volume->nodes * FORM_NODES) == 0);
        CHECK(memcmp(again->cells, volume->cells, sizeof *volume->cells * FORM_CELLS) == 0);
        CHECK(memcmp(again->regions, volume->regions, sizeof *volume->regions * FORM_CELLS) == 0);
        cg_volume_free(again);
    }
    cg_volume_free_text(volume, text);
    CHECK_INT(cg_volume_write(volume, 0, &text, &size).code, CG_BAD_INPUT);
    cg_volume_free(volume);
}

TEST(the_outside_of_a_volume_is_closed_and_has_its_volume)
{
    cg_surface_format format;
    form_make(&mesh);
    form_write(&file, &mesh, 7, &format);
    cg_surface_def def = cg_surface_def_default();
    def.format = format;
    def.scale = 0.01;
    cg_surface *surface;
    if (!CHECK(cg_surface_read(file.bytes, file.size, "bar", &def, &surface, NULL).code == CG_OK)) {
        return;
    }
    double six = 0;
    for (int i = 0; i < surface->triangle_count; i++) {
        const int *t = surface->triangles[i];
        cg_vec3 a = surface->nodes[t[0]], b = surface->nodes[t[1]], c = surface->nodes[t[2]];
        six += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    }
    CHECK_INT(surface->triangle_count, 2 * (4 * FORM_CUBES + 2));
    CHECK_INT(surface->open_edges + surface->crowded_edges + surface->turned_edges, 0);
    CHECK_NEAR(six / 6, FORM_CUBES * 0.0025 * 0.0025 * 0.0025, 1e-18);
    cg_surface_free(surface);
}

static cg_status read_text(const char *text, cg_volume **volume, cg_scene_error *error)
{
    cg_surface_def def = cg_surface_def_default();
    def.format = CG_SURFACE_TOLD;
    return cg_volume_read(text, strlen(text), "text", &def, volume, error);
}

TEST(cells_that_are_turned_flat_quadratic_or_none_are_put_right_and_counted)
{
    // right, left-handed, flat, one of ten nodes, a triangle, a hexahedron; node 99 is of no use
    static const char text[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
                               "5 1 1 0\n6 1 1 1\n99 9 9 9\n8 2 2 2\n$EndNodes\n$Elements\n6\n1 4 0 1 2 3 4\n"
                               "2 4 0 2 3 5 6\n3 4 0 1 2 3 5\n4 11 2 8 8 5 6 3 8 1 1 1 1 1 1\n5 2 0 1 2 3\n"
                               "6 5 0 1 2 3 4 5 6 1 2\n$EndElements\n";
    cg_volume *volume;
    cg_scene_error error;
    if (!CHECK(read_text(text, &volume, &error).code == CG_OK)) {
        printf("%s\n", error.message);
        return;
    }
    CHECK_INT(volume->cell_count, 3);
    CHECK_INT(volume->turned_cells, 2);
    CHECK_INT(volume->flat_cells, 1);
    CHECK_INT(volume->quadratic_cells, 1);
    CHECK_INT(volume->other_items, 2);
    CHECK_INT(volume->unused_points, 1);
    CHECK_INT(volume->node_count, 7);
    CHECK_INT(volume->regions[2], 8);
    for (int i = 0; i < volume->cell_count; i++) {
        cg_vec3 p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = volume->nodes[volume->cells[i][k]];
        }
        double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, uz = p[1].z - p[0].z;
        double vx = p[2].x - p[0].x, vy = p[2].y - p[0].y, vz = p[2].z - p[0].z;
        double wx = p[3].x - p[0].x, wy = p[3].y - p[0].y, wz = p[3].z - p[0].z;
        CHECK((uy * vz - uz * vy) * wx + (uz * vx - ux * vz) * wy + (ux * vy - uy * vx) * wz > 0);
    }
    cg_volume_free(volume);
}

TEST(cells_that_share_a_face_on_the_same_side_are_counted)
{
    static const char text[] = "MeshVersionFormatted 1\nDimension 3\nVertices 6\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                               "0 0 2 0\n0 0 -1 0\nTetrahedra 3\n1 2 3 4 0\n1 2 3 5 0\n1 2 3 6 0\nEnd\n";
    cg_volume *volume;
    if (CHECK(read_text(text, &volume, NULL).code == CG_OK)) {
        CHECK_INT(volume->crowded_faces, 1);
        CHECK_INT(volume->turned_cells, 1);
        cg_volume_free(volume);
    }
}

TEST(broken_files_are_refused_with_their_place)
{
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } broken[] = {
        {"hello", 1, 1, "no known format"},
        {"$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", 2, 1, "version 4"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", 2, 8, "no $Nodes"},
        {"$NOD\n2\n1 0 0 0\n1 1 0 0\n$ENDNOD\n", 4, 2, "node 1 a second time"},
        {"$NOD\n1\n1 0 0 x\n$ENDNOD\n", 3, 7, "\"x\""},
        {"$NOD\n1\n1 0 0 1e7\n$ENDNOD\n", 3, 2, "expected numbers up to"},
        {"$NOD\n99\n1 0 0 0\n$ENDNOD\n", 2, 1, "99 nodes announced"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 4 0 0 4 1 2 3 4\n$ENDELM\n", 7, 14, "node 2"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 77 0 0 4 1 2 3 4\n$ENDELM\n", 7, 5, "type 77"},
        {"# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\n", 4, 9, "UNSTRUCTURED_GRID or POLYDATA"},
        {"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\nCELLS 1 2\n1 5\n"
         "CELL_TYPES 1\n1\n",
         8, 2, "point 5"},
        {"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0\n", 7, 1, "the end"},
        {"<VTKFile type=\"ImageData\">", 1, 15, "ImageData"},
        {"<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">", 1, 9, "vtkZLibDataCompressor"},
        {"<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"2\"><Points>\n"
         "<DataArray type=\"Float32\" format=\"ascii\">1 2 3</DataArray></Points></Piece>",
         1, 1, "3 coordinates of 2 points"},
        {"MeshVersionFormatted 1\nDimension 2\nVertices 0\n", 2, 11, "dimension 2"},
        {"MeshVersionFormatted 1\nDimension 3\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 2 1 1 0\n", 6, 3, "vertex 2"},
        {"*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n", 4, 7, "node 2"},
        {"*NODE\n1, 0, 0\n", 2, 8, "a coordinate"},
        {"1 4 0\n1 1 2 3 4\n", 1, 1, ".node file"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1, 1, "a surface (obj)"},
        {"# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n"
         "3 0 1 2\n",
         1, 1, "no tetrahedra (1 triangles"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        cg_volume *volume;
        cg_scene_error error;
        cg_status status = read_text(broken[i].text, &volume, &error);
        if (!CHECK(status.code == CG_BAD_INPUT && volume == NULL && strstr(error.message, broken[i].words) != NULL &&
                   error.line == broken[i].line && (error.line == 1 || error.column == broken[i].column))) {
            printf("case %zu: %d:%d: %s\n", i, error.line, error.column, error.message);
        }
    }
}

// Some bytes other than they were, or missing, or there twice.
static void spoil(form_file *spoilt, uint64_t *random)
{
    int changes = test_random_int(random, 1, 6);
    for (int i = 0; i < changes && spoilt->size > 4; i++) {
        size_t at = (size_t)test_random_int(random, 0, (int)spoilt->size - 1);
        size_t length = (size_t)test_random_int(random, 1, 40);
        length = length < spoilt->size - at ? length : spoilt->size - at;
        switch (test_random_int(random, 0, 4)) {
        case 0:
            spoilt->bytes[at] = (unsigned char)test_random_int(random, 0, 255);
            break;
        case 1:
            spoilt->bytes[at] = (unsigned char)"0123456789-.e \n<\"="[test_random_int(random, 0, 17)];
            break;
        case 2:
            memmove(spoilt->bytes + at, spoilt->bytes + at + length, spoilt->size - at - length);
            spoilt->size -= length;
            break;
        case 3:
            if (spoilt->size + length < FORM_ROOM) {
                memmove(spoilt->bytes + at + length, spoilt->bytes + at, spoilt->size - at);
                spoilt->size += length;
            }
            break;
        default:
            spoilt->size = test_random_int(random, 0, 3) == 0 ? at : spoilt->size;
        }
    }
}

TEST(spoilt_files_give_a_sound_volume_or_a_sentence)
{
    static form_file spoilt;
    uint64_t random = 51;
    int count = test_counts(400, 60, 1000000), refused = 0, read = 0;
    form_make(&mesh);
    for (int which = 0; which < FORM_COUNT; which++) {
        cg_surface_format format;
        form_write(&file, &mesh, which, &format);
        for (int i = 0; i < count; i++) {
            cg_volume *volume;
            cg_scene_error error;
            spoilt = file;
            spoil(&spoilt, &random);
            cg_status status = read_form(&spoilt, format, &volume, &error);
            bool is_sound = status.code == CG_OK ? volume->cell_count > 0 && volume->node_count > 3
                                                 : volume == NULL && error.line > 0 && error.message[0] != '\0';
            for (int k = 0; status.code == CG_OK && k < 4 * volume->cell_count; k++) {
                int node = volume->cells[k / 4][k % 4];
                is_sound = is_sound && node >= 0 && node < volume->node_count;
            }
            if (!is_sound) {
                CHECK(is_sound);
                printf("form %d: %d:%d: %s\n", which, error.line, error.column, error.message);
            }
            refused += status.code != CG_OK;
            read += status.code == CG_OK;
            cg_volume_free(volume);
        }
    }
    CHECK(refused > count && read > count); // both happen
}

TEST(packed_bytes_are_unpacked_as_zlib_packed_them)
{
    // made by zlib: fixed codes, codes of their own, and not packed
    static const unsigned char fixed[] = {
        120, 1,   203, 75,  77,  77,  201, 73,  85,  40,  201, 40, 74, 77,  76,  81,  40, 201, 44,
        46,  46,  77,  85,  200, 206, 203, 47,  81,  200, 195, 37, 99, 173, 144, 168, 80, 92,  146,
        89,  146, 156, 161, 144, 153, 7,   148, 200, 77,  85,  40, 78, 44,  75,  45,  86, 200, 203,
        204, 75,  213, 65,  34,  21,  113, 155, 49,  4,   76,  7,  0,  159, 160, 101, 83,
    };
    static const unsigned char own[] = {
        120, 218, 213, 143, 203, 110, 130, 64,  0,   69,  145, 225, 33,  129, 50,  188, 76,  17,  208, 204, 128, 163,
        188, 132, 160, 3,   34,  244, 103, 76,  37,  41,  105, 75,  147, 66,  251, 253, 181, 187, 110, 252, 128, 222,
        197, 217, 156, 228, 36,  119, 232, 186, 235, 91,  135, 166, 151, 207, 238, 114, 69,  83,  63,  142, 95,  29,
        122, 29,  62,  38,  52,  220, 51,  45,  186, 160, 113, 234, 167, 231, 23,  212, 15,  55,  241, 222, 161, 241,
        242, 221, 141, 104, 232, 135, 46,  253, 67,  124, 191, 241, 15,  234, 204, 140, 229, 132, 185, 172, 234, 150,
        237, 33,  18,  231, 180, 1,   146, 246, 184, 38,  251, 146, 145, 12,  119, 147, 213, 188, 230, 110, 11,  70,
        177, 201, 129, 133, 171, 228, 44,  59,  81,  45,  187, 201, 147, 134, 15,  226, 50,  153, 89,  187, 70,  39,
        103, 125, 219, 154, 17,  107, 231, 18,  58,  25,  49,  191, 62,  153, 169, 20,  48,  110, 101, 229, 106, 44,
        109, 133, 0,   96,  22,  177, 24,  248, 60,  153, 71,  15,  153, 65,  151, 45,  22,  99,  141, 186, 236, 14,
        82,  143, 79,  172, 150, 192, 10,  43,  20,  41,  37,  86,  107, 98,  206, 82,  71,  42,  55,  22,  87,  96,
        3,   20,  193, 66,  172, 34,  15,  2,   26,  122, 186, 80,  103, 27,  71,  19,  219, 67,  236, 59,  134, 204,
        53,  52,  11,  253, 149, 109, 66,  89,  4,   76,  115, 42,  143, 69,  158, 237, 211, 223, 237, 179, 188, 56,
        150, 167, 134, 1,   162, 12,  77,  123, 229, 135, 25,  109, 56,  217, 112, 252, 248, 208, 138, 154, 115, 187,
        37,  232, 94,  72,  1,   244, 162, 74,  92,  4,   5,   48,  112, 193, 89,  155, 82,  114, 210, 153, 73,  106,
        21,  151, 10,  162, 10,  174, 32,  105, 173, 132, 247, 40,  220, 177, 46,  213, 126, 0,   23,  114, 136, 20,
    };
    static const unsigned char stored[] = {
        120, 1,   1,   60,  0,   195, 255, 110, 101, 101, 100, 108, 101, 32,  116, 104, 114, 101,
        97,  100, 32,  116, 105, 115, 115, 117, 101, 32,  107, 110, 111, 116, 32,  110, 101, 101,
        100, 108, 101, 32,  116, 104, 114, 101, 97,  100, 32,  116, 105, 115, 115, 117, 101, 32,
        107, 110, 111, 116, 59,  32,  97,  32,  115, 116, 105, 116, 99,  177, 81,  22,  96,
    };
    static const char phrase[] =
        "needle thread tissue knot needle thread tissue knot; a stitch in time saves nine, nine, nine! ";
    unsigned char expected[582], unpacked[582];
    for (size_t i = 0; i < 282; i++) {
        expected[i] = (unsigned char)phrase[i % (sizeof phrase - 1)];
    }
    for (int i = 0; i < 300; i++) {
        expected[282 + i] = (unsigned char)((i * i / 7 + i) % 61);
    }
    CHECK(cg_inflate_zlib(fixed, sizeof fixed, unpacked, 282) == NULL && memcmp(unpacked, expected, 282) == 0);
    CHECK(cg_inflate_zlib(own, sizeof own, unpacked, 582) == NULL && memcmp(unpacked, expected, 582) == 0);
    CHECK(cg_inflate_zlib(stored, sizeof stored, unpacked, 60) == NULL && memcmp(unpacked, expected, 60) == 0);
    CHECK_STR(cg_inflate_zlib(own, sizeof own, unpacked, 581), "more unpacked bytes than announced");
    CHECK(cg_inflate_zlib(fixed, sizeof fixed, unpacked, 283) != NULL);
    // any changed byte, and any end, is found: the sum sees to it
    unsigned char changed[sizeof own];
    for (size_t i = 0; i < sizeof own; i++) {
        memcpy(changed, own, sizeof own);
        changed[i] ^= 16;
        CHECK(cg_inflate_zlib(changed, sizeof own, unpacked, 582) != NULL || memcmp(unpacked, expected, 582) == 0);
        CHECK(cg_inflate_zlib(own, i, unpacked, 582) != NULL);
    }
}

TEST(base64_is_decoded_with_padding_in_the_middle)
{
    unsigned char bytes[16];
    static const char text[] = "TWFu TQ==\nTWE=";
    CHECK_INT(cg_base64_decode(text, text + sizeof text - 1, bytes, sizeof bytes), 6);
    CHECK(memcmp(bytes, "ManMMa", 6) == 0);
    CHECK_INT(cg_base64_decode(text, text + sizeof text - 1, bytes, 4), 4);
    CHECK_INT(cg_base64_decode("TW<", &"TW<"[3], bytes, 4), 1);
}

TEST(ply_in_its_three_forms_is_the_same_surface)
{
    static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int form = 0; form < 3; form++) {
        file.size = 0;
        file.is_big = form == 2;
        form_text(&file,
                  "ply\nformat %s 1.0\ncomment a b\nelement vertex 4\nproperty float x\nproperty float y\n"
                  "property uchar red\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\n"
                  "end_header\n",
                  names[form]);
        for (int i = 0; i < 4; i++) {
            if (form == 0) {
                form_text(&file, "%g %g 255 %g\n", points[i][0], points[i][1], points[i][2]);
            } else {
                form_real(&file, points[i][0], 4);
                form_real(&file, points[i][1], 4);
                form_whole(&file, 255, 1);
                form_real(&file, points[i][2], 4);
            }
        }
        for (int i = 0; i < 16; i++) {
            int value = i % 4 == 0 ? 3 : faces[i / 4][i % 4 - 1];
            form_item(&file, form > 0, value, i % 4 == 0 ? 1 : 4);
        }
        cg_surface_def def = cg_surface_def_default();
        def.format = CG_SURFACE_TOLD;
        cg_surface *surface;
        cg_status status = cg_surface_read(file.bytes, file.size, "ply", &def, &surface, NULL);
        if (!CHECK(status.code == CG_OK)) {
            printf("%s\n", status.message);
            continue;
        }
        CHECK_INT(surface->node_count, 4);
        CHECK_INT(surface->triangle_count, 4);
        CHECK_INT(surface->open_edges + surface->crowded_edges + surface->turned_edges, 0);
        cg_surface_free(surface);
    }
}

// Meshes that others made, where they are: figures of shared/meshes/README.md and organs.md.
TEST(public_meshes_are_read_where_they_are_there)
{
    static const struct {
        const char *name, *beside;
        int nodes, cells, angles[2]; // degrees, rounded down
    } meshes[] = {{"Ossicles.vtu", NULL, 1733, 5058, {0, 179}},
                  {"SOFA_volume.vtk", NULL, 959, 2564, {0, 178}},
                  {"cylinder.msh", NULL, 510, 2430, {11, 151}},
                  {"msh4_cube.msh", NULL, 14, 24, {54, 109}},
                  {"formats/truss-2.msh", NULL, 40, 54, {32, 126}},
                  {"formats/truss-2-binary.msh", NULL, 40, 54, {32, 126}},
                  {"formats/truss-41.msh", NULL, 40, 54, {32, 126}},
                  {"formats/truss-41-binary.msh", NULL, 40, 54, {32, 126}},
                  {"formats/truss.vtk", NULL, 40, 54, {32, 126}},
                  {"formats/truss-binary.vtk", NULL, 40, 54, {32, 126}},
                  {"formats/truss.mesh", NULL, 40, 54, {32, 126}},
                  {"formats/truss.inp", NULL, 40, 54, {32, 126}},
                  {"formats/cube.ele", "formats/cube.node", 75, 153, {14, 149}}};
    int found = 0;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/../shared/meshes/%s", CATGUT_SOURCE_DIR, meshes[i].name);
        FILE *from = fopen(path, "rb");
        if (from == NULL) {
            continue;
        }
        static unsigned char bytes[600000], beside[600000];
        cg_surface_def def = cg_surface_def_default();
        def.format = CG_SURFACE_TOLD;
        size_t size = fread(bytes, 1, sizeof bytes, from);
        fclose(from);
        snprintf(path, sizeof path, "%s/../shared/meshes/%s", CATGUT_SOURCE_DIR,
                 meshes[i].beside != NULL ? meshes[i].beside : "none");
        from = fopen(path, "rb");
        if (from != NULL) {
            def.beside = beside;
            def.beside_size = fread(beside, 1, sizeof beside, from);
            fclose(from);
        }
        cg_volume *volume;
        cg_status status = cg_volume_read(bytes, size, meshes[i].name, &def, &volume, NULL);
        if (CHECK_INT(status.code, CG_OK)) {
            CHECK_INT(volume->node_count, meshes[i].nodes);
            CHECK_INT(volume->cell_count, meshes[i].cells);
            CHECK_INT(floor(volume->least_angle * 57.29577951308232), meshes[i].angles[0]);
            CHECK_INT(floor(volume->most_angle * 57.29577951308232), meshes[i].angles[1]);
            cg_volume_free(volume);
        }
        found++;
    }
    if (found == 0) {
        test_skip("there are no public meshes beside the project");
    }
}
