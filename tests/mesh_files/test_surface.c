// Mesh files: what good ones hold, and where broken ones are wrong.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/surface.h"
#include "harness.h"
#include "mesh_files/broken_surfaces.h"

static cg_status read_as(cg_surface_format format, const void *bytes, size_t size, cg_surface **surface,
                         cg_scene_error *error)
{
    cg_surface_def def = cg_surface_def_default();
    def.format = format;
    // in a block of its own size, so that a sanitizer sees a read past its end
    char *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    cg_status status = cg_surface_read(copy, size, "some.file", &def, surface, error);
    free(copy);
    return status;
}

static cg_surface *read_good(cg_surface_format format, const char *text)
{
    cg_surface *surface = NULL;
    CHECK_STR(read_as(format, text, strlen(text), &surface, NULL).message, "");
    return surface;
}

// The volume that the triangles enclose: also tells which way they are turned.
static double volume_of(const cg_surface *surface)
{
    double sum = 0;
    for (int i = 0; i < surface->triangle_count; i++) {
        const int *t = surface->triangles[i];
        sum += v3_dot(surface->nodes[t[0]], v3_cross(surface->nodes[t[1]], surface->nodes[t[2]])) / 6;
    }
    return sum;
}

static double area_of(const cg_surface *surface)
{
    double sum = 0;
    for (int i = 0; i < surface->triangle_count; i++) {
        const int *t = surface->triangles[i];
        cg_vec3 a = surface->nodes[t[0]], b = surface->nodes[t[1]], c = surface->nodes[t[2]];
        sum += v3_length(v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2;
    }
    return sum;
}

static void check_cube(const cg_surface *surface, double volume)
{
    if (surface == NULL) {
        return;
    }
    CHECK_INT(surface->node_count, 8);
    CHECK_INT(surface->triangle_count, 12);
    CHECK_INT(surface->open_edges + surface->crowded_edges + surface->turned_edges + surface->left_out, 0);
    CHECK_NEAR(volume_of(surface), volume, 1e-12 * fabs(volume));
}

#define CUBE_POINTS "0 0 0, 2 0 0, 2 2 0, 0 2 0, 0 0 2, 2 0 2, 2 2 2, 0 2 2"
#define CUBE_FACES "3 2 1 0 -1, 4 5 6 7 -1, 0 1 5 4 -1, 1 2 6 5 -1, 2 3 7 6 -1, 3 0 4 7"

TEST(obj_with_quads_and_all_that_programs_write)
{
    static const char text[] = "# a cube\r\nmtllib x.mtl\r\no Cube\r\n"
                               "v 0 0 0\nv 2. 0 0 1.0\nv +2 2.0e0 0\nv 0 .2E+1 -0\n\n"
                               "v 0 0 2 # with a comment\nv 2 0 \\\n 2\nv 2 2 2\nv 0 2 2\n"
                               "vt 0 0\nvn 0 0 1\ng a b\nusemtl red\ns off\n"
                               "f 4/1/1 3/1/1 2/1/1 1/1/1\nf 5//1 6//1 7//1 8//1\nf 1/1 2/1 6/1 5/1\nf -7 -6 -2 -3\n"
                               "f 3 4 8 7\nl 1 2\nf 4 1 5 \\\r\n 8";
    cg_surface *surface = read_good(CG_SURFACE_OBJ, text);
    check_cube(surface, 8);
    cg_surface_free(surface);
}

TEST(stl_as_text_is_welded)
{
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    char text[2000] = "solid a tetrahedron of facets\n";
    for (int i = 0; i < 4; i++) {
        strcat(text, "facet normal nan 0 0\n outer loop\n");
        for (int k = 0; k < 3; k++) {
            int n = faces[i][k];
            sprintf(text + strlen(text), "  VERTEX %d %d %d.0e+0\n", n == 1, n == 2, n == 3);
        }
        strcat(text, " endloop\nendfacet\n");
    }
    strcat(text, "endsolid a tetrahedron");
    cg_surface *surface = read_good(CG_SURFACE_STL, text);
    CHECK_INT(surface->node_count, 4);
    CHECK_INT(surface->open_edges, 0);
    CHECK_NEAR(volume_of(surface), 1.0 / 6, 1e-15);
    cg_surface_free(surface);
}

static size_t binary_stl(unsigned char *bytes, int facets)
{
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(bytes, 0, 84);
    memcpy(bytes, "solid, says this binary file", 28);
    bytes[80] = (unsigned char)facets;
    unsigned char *at = bytes + 84;
    for (int i = 0; i < facets; i++, at += 50) {
        memset(at, 0, 50);
        for (int k = 0; k < 9; k++) {
            float value = faces[i][k / 3] == k % 3 + 1 ? 0.5F : 0;
            memcpy(at + 12 + 4 * k, &value, 4);
        }
    }
    return 84 + 50 * (size_t)facets;
}

TEST(stl_as_bytes_is_told_by_its_size)
{
    unsigned char bytes[300];
    cg_surface *surface = NULL;
    CHECK_STR(read_as(CG_SURFACE_STL, bytes, binary_stl(bytes, 4), &surface, NULL).message, "");
    CHECK_INT(surface->node_count, 4);
    CHECK_NEAR(volume_of(surface), 1.0 / 48, 1e-15);
    cg_surface_free(surface);
    cg_scene_error error;
    size_t size = binary_stl(bytes, 4);
    CHECK_INT(read_as(CG_SURFACE_STL, bytes, size - 7, &surface, &error).code, CG_BAD_INPUT); // cut short
    float bad = NAN;
    memcpy(bytes + 84 + 50 + 16, &bad, 4);
    CHECK_INT(read_as(CG_SURFACE_STL, bytes, size, &surface, &error).code, CG_BAD_INPUT);
    CHECK_INT(error.column, 84 + 50 + 12 + 1);
    CHECK(surface == NULL);
}

TEST(vrml_1_with_state_and_separators)
{
    static const char text[] =
        "#VRML V1.0 ascii\n"
        "DEF Whole Separator {\n"
        "  ShapeHints { vertexOrdering CLOCKWISE shapeType SOLID }\n"
        "  Separator { Translation { translation 100 0 0 } Coordinate3 { point [ 9 9 9 ] } }\n"
        "  Material { diffuseColor [ 1 0 0, 0 1 0 ] } # not looked at\n"
        "  Info { string \"a } in \\\" a string\" }\n"
        "  Separator {\n"
        "    Transform { translation 5 0 0 rotation 0 0 1 1.5707963267948966 scaleFactor 0.5 0.5 -0.5 }\n"
        "    MatrixTransform { matrix 2 0 0 0  0 2 0 0  0 0 2 0  0 0 7 1 }\n"
        "    Coordinate3 { point [ " CUBE_POINTS " ] }\n"
        "    IndexedFaceSet { coordIndex [ " CUBE_FACES " ] materialIndex [ 0, 1 ] }\n"
        "  }\n"
        "}\n";
    cg_surface *surface = read_good(CG_SURFACE_VRML, text);
    check_cube(surface, -8); // said to be clockwise, which it is not: inside out, in the mirror of the scale too
    // x' = 5 - y, y' = x, z' = -(7 + z) / 2 ... with the scale 0.5 of the matrix 2
    double low = 1e9, high = -1e9, least_x = 1e9;
    for (int i = 0; i < surface->node_count; i++) {
        low = fmin(low, surface->nodes[i].z);
        high = fmax(high, surface->nodes[i].z);
        least_x = fmin(least_x, surface->nodes[i].x);
    }
    CHECK_NEAR(high, -3.5, 1e-12);
    CHECK_NEAR(low, -5.5, 1e-12);
    CHECK_NEAR(least_x, 3, 1e-12);
    cg_surface_free(surface);
}

TEST(vrml_97_with_children_def_and_use)
{
    static const char text[] =
        "#VRML V2.0 utf8\n"
        "WorldInfo { title \"x\" info [ \"a\" ] }\n"
        "Transform {\n"
        "  children [\n"
        "    DEF Cube Shape {\n"
        "      appearance Appearance { material Material { diffuseColor 1 0 0 } }\n"
        "      geometry IndexedFaceSet { solid FALSE coordIndex [ " CUBE_FACES " ]\n"
        "        coord DEF P Coordinate { point [ " CUBE_POINTS " ] } }\n"
        "    }\n"
        "    LOD { range [ 10 ] level [ Group {} DEF Far Transform { translation 50 0 0 children USE Cube } ] }\n"
        "  ]\n"
        "  translation 1 1 1 scale 2 1 1\n" // after the children
        "}\n"
        "Transform { translation 0 0 20 rotation 0 1 0 0.5 center 1 1 1 children USE Cube }\n"
        "Shape { geometry IndexedFaceSet { ccw FALSE coord USE P coordIndex [ 2 1 0 -1 ] } }\n"
        "ROUTE A.x TO B.y\n";
    cg_surface *surface = read_good(CG_SURFACE_VRML, text);
    CHECK_INT(surface->triangle_count, 12 + 12 + 1);
    CHECK_INT(surface->node_count, 8 + 8 + 3);
    CHECK_INT(surface->open_edges, 3);
    // volumes: 2 x 8 and 8; the single triangle lies in a plane through the origin
    CHECK_NEAR(volume_of(surface), 24, 1e-9);
    cg_surface_free(surface);
}

static int count_side(const cg_surface *surface, int side)
{
    int count = 0;
    for (int i = 0; surface != NULL && i < surface->triangle_count; i++) {
        count += surface->sides[i] == side;
    }
    return count;
}

// Names of groups that are parts of a surface; 0 is the top, 1 the bottom, 2 the rim and 3 the groove.
TEST(sides_are_told_by_names)
{
    static const char vrml[] =
        "#VRML V2.0 utf8\n"
        "DEF Top Shape { geometry IndexedFaceSet { coord DEF P Coordinate { point [ " CUBE_POINTS
        " ] } coordIndex [ 4 5 6 7 ] } }\n"
        "DEF groove Group { children [\n"
        "  DEF inside Shape { geometry IndexedFaceSet { coord USE P coordIndex [ 0 1 5 4 ] } }\n"
        "  DEF rim Shape { geometry DEF Wall IndexedFaceSet { coord USE P coordIndex [ 1 2 6 5 ] } } ] }\n"
        "Shape { geometry IndexedFaceSet { coord USE P coordIndex [ 3 2 1 0 ] } }\n"
        "DEF bottom Transform { translation 9 0 0 children USE inside }\n";
    cg_surface *surface = read_good(CG_SURFACE_VRML, vrml);
    CHECK_INT(surface->triangle_count, 10);
    CHECK_INT(surface->told_sides, 8);
    CHECK_INT(count_side(surface, 0), 2);
    CHECK_INT(count_side(surface, 1), 2);
    CHECK_INT(count_side(surface, 2), 2);
    CHECK_INT(count_side(surface, 3), 2); // what is used elsewhere is what it is there
    CHECK_INT(count_side(surface, -1), 2);
    cg_surface_free(surface);
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
                              "f 1 3 2\ng GROOVE more\nf 1 4 3\ng other\nf 1 2 5\no rim\nf 2 3 5\ng\nf 3 4 5\n"
                              "f 1 1 2\n";
    surface = read_good(CG_SURFACE_OBJ, obj);
    const int sides[5] = {-1, 3, -1, 2, -1};
    CHECK_INT(surface->triangle_count, 5);
    for (int i = 0; i < 5; i++) {
        CHECK_INT(surface->sides[i], sides[i]);
    }
    CHECK_INT(surface->told_sides, 2);
    cg_surface_free(surface);
}

TEST(polygons_are_cut_up_without_overlap)
{
    uint64_t random = 4;
    for (int round = 0; round < 200; round++) {
        // a star around the origin in a turned plane: corners at growing angles, radii at random
        char text[6000] = "";
        int count = test_random_int(&random, 3, 40);
        double expected = 0, x[40], y[40];
        for (int i = 0; i < count; i++) {
            double angle = 2 * 3.14159265358979 * i / count, radius = test_random(&random, 0.2, 1);
            x[i] = radius * cos(angle);
            y[i] = radius * sin(angle);
            sprintf(text + strlen(text), "v %.17g %.17g %.17g\n", x[i], 0.6 * y[i], 0.8 * y[i]);
        }
        strcat(text, "f");
        for (int i = 0; i < count; i++) {
            expected += (x[i] * y[(i + 1) % count] - x[(i + 1) % count] * y[i]) / 2;
            sprintf(text + strlen(text), " %d", i + 1);
        }
        if (count == 3 && expected <= 0) {
            continue; // three corners may go around the other way
        }
        cg_surface *surface = read_good(CG_SURFACE_OBJ, text);
        // triangles that overlap, or stand outside, would have more area in all
        CHECK_NEAR(area_of(surface), fabs(expected), 1e-9);
        CHECK_INT(surface->open_edges, count);
        CHECK_INT(surface->turned_edges + surface->crowded_edges, 0);
        cg_surface_free(surface);
    }
}

TEST(edges_are_described)
{
    cg_surface *surface = read_good(CG_SURFACE_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 1 0 0\n"
                                                    "f 1 2 3\nf 1 2 4\nf 2 1 1\nf 1 6 2\n");
    CHECK_INT(surface->turned_edges, 1);
    CHECK_INT(surface->open_edges, 4);
    CHECK_INT(surface->left_out, 2);
    CHECK_INT(surface->node_count, 4);
    cg_surface_free(surface);
    surface = read_good(CG_SURFACE_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n");
    CHECK_INT(surface->crowded_edges, 1);
    cg_surface_free(surface);
}

TEST(limits_scale_and_names)
{
    cg_surface_def def = cg_surface_def_default();
    cg_surface_format format;
    cg_surface *surface;
    const char *quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    def.scale = 0.001;
    CHECK_INT(cg_surface_read(quad, strlen(quad), "q", &def, &surface, NULL).code, CG_OK);
    CHECK_NEAR(area_of(surface), 1e-6, 1e-18);
    cg_surface_free(surface);
    def.max_triangles = 1;
    CHECK_STR(cg_surface_read(quad, strlen(quad), "q", &def, &surface, NULL).message,
              "q:5:1: found more than 1 triangles; expected fewer");
    def = cg_surface_def_default();
    def.max_nodes = 3;
    CHECK_INT(cg_surface_read(quad, strlen(quad), "q", &def, &surface, NULL).code, CG_BAD_INPUT);
    def = cg_surface_def_default();
    def.scale = 0;
    CHECK_INT(cg_surface_read(quad, strlen(quad), "q", &def, &surface, NULL).code, CG_BAD_INPUT);
    CHECK(cg_surface_format_of_name("a/b.c/skin.STL", &format) && format == CG_SURFACE_STL);
    CHECK(cg_surface_format_of_name("x.wrl", &format) && format == CG_SURFACE_VRML);
    CHECK(!cg_surface_format_of_name("x.json", &format) && !cg_surface_format_of_name("obj", &format));
}

TEST(broken_files_are_refused_at_their_place)
{
    CHECK(BROKEN_SURFACE_COUNT >= 150);
    for (int i = 0; i < BROKEN_SURFACE_COUNT; i++) {
        const broken_surface *broken = &broken_surfaces[i];
        char text[2000];
        int line, column;
        size_t size = broken_surface_text(broken, text, &line, &column);
        bool is_marked = strchr(broken->text, '@') != NULL;
        cg_surface *surface = (cg_surface *)&surface; // must become NULL
        cg_scene_error error;
        cg_status status = read_as(broken->format, text, size, &surface, &error);
        int right = CHECK_INT(status.code, CG_BAD_INPUT) + CHECK(surface == NULL) +
                    CHECK(!is_marked || (error.line == line && error.column == column)) +
                    CHECK(strstr(error.message, broken->part) != NULL) +
                    CHECK(strncmp(error.message, "found ", 6) == 0) + CHECK(strstr(error.message, "expected") != NULL) +
                    CHECK(strchr(error.message, '\n') == NULL);
        if (right != 7) {
            printf("file %d: %s\n  said %d:%d: %s\n  wanted %d:%d %s\n", i, broken->text, error.line, error.column,
                   error.message, line, column, broken->part);
        }
    }
}

// Nodes that unfold to far more than the file, and brackets without end.
TEST(files_cannot_ask_for_too_much)
{
    char *text = malloc(400000);
    cg_surface *surface;
    cg_scene_error error;
    strcpy(text, "#VRML V2.0 utf8\nDEF A0 Group {}\n");
    for (int i = 1; i < 60; i++) {
        sprintf(text + strlen(text), "DEF A%d Group { children [ USE A%d USE A%d ] }\n", i, i - 1, i - 1);
    }
    CHECK_INT(read_as(CG_SURFACE_VRML, text, strlen(text), &surface, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "too often") != NULL);
    for (int kind = 0; kind < 3; kind++) {
        strcpy(text, "#VRML V2.0 utf8\n");
        size_t size = strlen(text);
        for (; size < 300000; size += 2) {
            memcpy(text + size, kind == 0 ? "[ " : (kind == 1 ? "A{" : "{["), 2);
        }
        CHECK_INT(read_as(CG_SURFACE_VRML, text, size, &surface, &error).code, CG_BAD_INPUT);
    }
    size_t size = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf");
    for (int i = 0; i < 2000; i++) {
        size += (size_t)sprintf(text + size, " %d", i % 3 + 1);
    }
    CHECK_INT(read_as(CG_SURFACE_OBJ, text, size, &surface, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "more than 1000 corners") != NULL);
    strcpy(text, "#VRML V2.0 utf8\n");
    for (int i = 0; i < 5000; i++) {
        sprintf(text + strlen(text), "DEF N%d Group{}\n", i);
    }
    CHECK_INT(read_as(CG_SURFACE_VRML, text, strlen(text), &surface, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "more than 4096 names") != NULL);
    free(text);
}

// Good files with bytes changed, taken out, doubled and cut off: either answer is right, but it is an answer, and a
// surface that is read holds together.
TEST(mutated_files_get_an_answer)
{
    static const char *const good[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf -3 -1 -2\n",
        LOOP "endloop\nendfacet\nendsolid a\n",
        "#VRML V1.0 ascii\nSeparator { Transform { rotation 0 0 1 1 scaleFactor 1 2 3 }\n" FACES1(P3, "0 1 2 -1") "}",
        "#VRML V2.0 utf8\nDEF T Transform { translation 1 2 3 children [ " FACES2(P3, "0 1 2 -1") " ] } USE T"};
    static const cg_surface_format formats[] = {CG_SURFACE_OBJ, CG_SURFACE_STL, CG_SURFACE_VRML, CG_SURFACE_VRML};
    static const char alphabet[] = "0123456789-+.e \n{}[]#\"\\/vfUSEDEF,\xff\x01";
    uint64_t random = 12;
    int refused = 0, count = test_count(test_is_sanitized() ? 2000 : 6000, 1000000);
    for (int round = 0; round < count; round++) {
        char text[1000];
        int kind = round % 4;
        size_t size = strlen(good[kind]);
        memcpy(text, good[kind], size);
        int changes = test_random_int(&random, 1, 4);
        for (int i = 0; i < changes; i++) {
            size_t at = (size_t)test_random_int(&random, 0, (int)size - 1);
            switch (test_random_int(&random, 0, 3)) {
            case 0:
                text[at] = alphabet[test_random_int(&random, 0, (int)sizeof alphabet - 2)];
                break;
            case 1:
                memmove(text + at, text + at + 1, size - at - 1), size--;
                break;
            case 2:
                memmove(text + at + 1, text + at, size - at), size++;
                break;
            default:
                size = at > 20 ? at : size;
                break;
            }
        }
        cg_surface *surface;
        cg_scene_error error;
        cg_status status = read_as(formats[kind], text, size, &surface, &error);
        if (status.code != CG_OK) {
            refused++;
            CHECK(status.code == CG_BAD_INPUT && surface == NULL && error.line >= 1 && error.column >= 1);
            continue;
        }
        bool right = surface->triangle_count > 0 && surface->node_count >= 3;
        for (int i = 0; i < surface->triangle_count; i++) {
            for (int k = 0; k < 3; k++) {
                right = right && surface->triangles[i][k] >= 0 && surface->triangles[i][k] < surface->node_count &&
                        surface->triangles[i][k] != surface->triangles[i][(k + 1) % 3];
            }
        }
        CHECK(right);
        cg_surface_free(surface);
    }
    CHECK(refused > count / 10);
}
