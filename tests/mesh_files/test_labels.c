// Label maps in every form: the same closed surface, with the volume of what has a label.
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "mesh_files/volume_forms.h"

enum { SIDE = 16, POINTS = SIDE * SIDE * SIDE };

static form_file file;

// A ball of radius 6 about (8, 7.5, 7) with a kernel of radius 3: labels 1 and 5.
static int label_at(int i)
{
    double x = i % SIDE - 8.0, y = i / SIDE % SIDE - 7.5, z = i / SIDE / SIDE - 7.0, far = sqrt(x * x + y * y + z * z);
    return far < 3 ? 5 : (far < 6 ? 1 : 0);
}

static void put_labels(int bytes)
{
    for (int i = 0; i < POINTS; i++) {
        form_whole(&file, (uint64_t)label_at(i), bytes);
    }
}

// What was put behind `from`, as gzip or zlib packs what cannot be packed: one stored block.
static void pack(size_t from, bool is_gzip)
{
    static unsigned char plain[FORM_ROOM];
    size_t size = file.size - from;
    memcpy(plain, file.bytes + from, size);
    file.size = from;
    file.is_big = false;
    if (!is_gzip) {
        form_zlib(&file, plain, size);
        return;
    }
    static const unsigned char head[] = {31, 139, 8, 8, 0, 0, 0, 0, 0, 3, 'a', 0};
    form_bytes(&file, head, sizeof head);
    form_whole(&file, 1, 1);
    form_whole(&file, size, 2);
    form_whole(&file, ~size, 2);
    form_bytes(&file, plain, size);
    form_whole(&file, 0, 4); // a sum that is not looked at
    form_whole(&file, size, 4);
}

static void write_nrrd(int which)
{
    static const char *const encodings[] = {"raw", "gzip", "ascii"};
    file.is_big = which == 0;
    form_text(&file,
              "NRRD0004\n# made by a test\ntype: %s\ndimension: 3\nsizes: 16 16 16\nspace directions: (2,0,0) "
              "(0,2,0) (0,0,2)\nspace origin: (-16,-15,-14)\nendian: %s\nencoding: %s\n\n",
              which == 2 ? "uchar" : "unsigned short", which == 0 ? "big" : "little", encodings[which]);
    size_t from = file.size;
    for (int i = 0; which == 2 && i < POINTS; i++) {
        form_text(&file, "%d ", label_at(i));
    }
    if (which < 2) {
        put_labels(2);
    }
    if (which == 1) {
        pack(from, true);
    }
}

static void write_meta(bool is_packed)
{
    file.is_big = !is_packed;
    form_text(&file,
              "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = %s\nCompressedData = %s\n"
              "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = -16 -15 -14\nElementSpacing = 2 2 2\nDimSize = 16 16 "
              "16\nElementType = MET_SHORT\nElementDataFile = LOCAL\n",
              is_packed ? "False" : "True", is_packed ? "True" : "False");
    size_t from = file.size;
    put_labels(2);
    if (is_packed) {
        pack(from, false);
    }
}

// With rows that turn x round: the directions are left-handed.
static void write_nifti(bool is_packed)
{
    static const double rows[3][4] = {{-2, 0, 0, 16}, {0, 2, 0, -15}, {0, 0, 2, -14}};
    file.is_big = !is_packed;
    form_whole(&file, 348, 4);
    while (file.size < 352) {
        form_whole(&file, 0, 1);
    }
    size_t end = file.size;
    file.size = 40;
    form_whole(&file, 3, 2);
    for (int k = 0; k < 3; k++) {
        form_whole(&file, SIDE, 2);
    }
    file.size = 70;
    form_whole(&file, 4, 2);
    file.size = 108;
    form_real(&file, 352, 4);
    file.size = 254;
    form_whole(&file, 1, 2);
    file.size = 280;
    for (int k = 0; k < 12; k++) {
        form_real(&file, rows[k / 4][k % 4], 4);
    }
    file.size = 344;
    form_text(&file, "n+1");
    file.size = end;
    put_labels(2);
    if (is_packed) {
        pack(0, true);
    }
}

static void write_form(int which)
{
    file.size = 0;
    if (which < 3) {
        write_nrrd(which);
    } else if (which < 5) {
        write_meta(which == 4);
    } else {
        write_nifti(which == 6);
    }
}

static double volume_of(const cg_surface *surface)
{
    double six = 0;
    for (int i = 0; i < surface->triangle_count; i++) {
        const int *t = surface->triangles[i];
        cg_vec3 a = surface->nodes[t[0]], b = surface->nodes[t[1]], c = surface->nodes[t[2]];
        six += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    }
    return six / 6;
}

TEST(label_maps_of_every_form_become_the_same_closed_surface)
{
    for (int which = 0; which < 7; which++) {
        cg_surface_format told;
        write_form(which);
        CHECK(cg_surface_format_of_bytes(file.bytes, file.size, &told) && told == CG_SURFACE_LABELS);
        for (int label = 0; label < 6; label += 5) {
            cg_surface_def def = cg_surface_def_default();
            def.format = CG_SURFACE_TOLD;
            def.scale = 1e-3;
            def.label = label;
            cg_surface *surface;
            cg_status status = cg_surface_read(file.bytes, file.size, "labels", &def, &surface, NULL);
            if (!CHECK(status.code == CG_OK)) {
                printf("form %d: %s\n", which, status.message);
                continue;
            }
            CHECK_INT(surface->open_edges + surface->turned_edges, 0);
            // points are 2 mm apart; the net lies within 0.15 of that from the ball of the same volume
            CHECK_NEAR(cbrt(volume_of(surface) / 4.18879020478639), label == 0 ? 0.012 : 0.006, 0.0003);
            double middle[3] = {0};
            for (int i = 0; i < surface->node_count; i++) {
                middle[0] += surface->nodes[i].x / surface->node_count;
                middle[1] += surface->nodes[i].y / surface->node_count;
                middle[2] += surface->nodes[i].z / surface->node_count;
            }
            CHECK_NEAR(fabs(middle[0]) + fabs(middle[1]) + fabs(middle[2]), 0, 0.0005);
            cg_surface_free(surface);
        }
    }
}

TEST(spoilt_label_maps_are_refused_or_give_a_surface)
{
    uint64_t random = 9;
    int count = test_counts(60, 10, 100000), refused = 0;
    static form_file sound;
    for (int which = 0; which < 7; which++) {
        write_form(which);
        sound = file;
        for (int i = 0; i < count; i++) {
            file = sound;
            int changes = test_random_int(&random, 1, 4), most = (int)file.size < 600 ? (int)file.size : 600;
            for (int k = 0; k < changes; k++) { // in the head mostly
                file.bytes[test_random_int(&random, 0, most - 1)] = (unsigned char)test_random_int(&random, 0, 255);
            }
            file.size =
                test_random_int(&random, 0, 3) == 0 ? (size_t)test_random_int(&random, 0, (int)file.size) : file.size;
            cg_surface_def def = cg_surface_def_default();
            def.format = CG_SURFACE_LABELS;
            cg_surface *surface;
            cg_scene_error error;
            cg_status status = cg_surface_read(file.bytes, file.size, "labels", &def, &surface, &error);
            bool is_told = status.code != CG_OK && surface == NULL && error.line > 0 && error.message[0] != '\0';
            CHECK(is_told || (status.code == CG_OK && surface->triangle_count > 0));
            refused += status.code != CG_OK;
            cg_surface_free(surface);
        }
    }
    CHECK(refused > count);
}

TEST(label_maps_that_cannot_be_read_say_why)
{
    static const struct {
        const char *text, *words;
    } broken[] = {
        {"NRRD0004\ntype: uchar\n", "blank line"},
        {"NRRD0004\ntype: block\nsizes: 2 2 2\nencoding: raw\n\n12345678", "type \"block\""},
        {"NRRD0004\ntype: uchar\nsizes: 2 2\nencoding: raw\n\n12345678", "three sizes"},
        {"NRRD0004\ntype: uchar\nsizes: 2 2 2\nencoding: bzip2\n\n12345678", "none of raw, gzip and ascii"},
        {"NRRD0004\ntype: uchar\nsizes: 2 2 2\nencoding: raw\n\n1234567", "fewer numbers"},
        {"NRRD0004\ntype: uchar\nsizes: 2 2 2\nencoding: raw\ndata file: a.raw\n\n", "in another file"},
        {"NRRD0004\ntype: uchar\nsizes: 2 2 2\nencoding: ascii\n\n0 0 0 0 0 0 0 0", "no face"},
        {"ObjectType = Image\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = a.raw\n", "in this file"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        cg_surface_def def = cg_surface_def_default();
        def.format = CG_SURFACE_TOLD;
        cg_surface *surface;
        cg_status status = cg_surface_read(broken[i].text, strlen(broken[i].text), "labels", &def, &surface, NULL);
        if (!CHECK(status.code == CG_BAD_INPUT && strstr(status.message, broken[i].words) != NULL)) {
            printf("%zu: %s\n", i, status.message);
        }
    }
}
