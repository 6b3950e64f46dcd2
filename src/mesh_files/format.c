// What format a mesh file is in: by its name, and by what is in it. Endings lie, so where the bytes can be had they
// decide.
#include <string.h>

#include "mesh_files/volume_parts.h"

static const struct {
    const char *ending;
    cg_surface_format format;
} endings[] = {
    {"obj", CG_SURFACE_OBJ},     {"stl", CG_SURFACE_STL},    {"wrl", CG_SURFACE_VRML},   {"vrml", CG_SURFACE_VRML},
    {"ply", CG_SURFACE_PLY},     {"msh", CG_SURFACE_GMSH},   {"vtk", CG_SURFACE_VTK},    {"vtu", CG_SURFACE_VTK_XML},
    {"vtp", CG_SURFACE_VTK_XML}, {"mesh", CG_SURFACE_MEDIT}, {"ele", CG_SURFACE_TETGEN}, {"inp", CG_SURFACE_ABAQUS},
    {"nrrd", CG_SURFACE_LABELS}, {"nii", CG_SURFACE_LABELS}, {"gz", CG_SURFACE_LABELS},  {"mha", CG_SURFACE_LABELS},
};

bool cg_surface_format_of_name(const char *name, cg_surface_format *format)
{
    const char *point = strrchr(name, '.');
    if (point == NULL) {
        return false;
    }
    cg_word word = {.text = point + 1, .length = strlen(point + 1)};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (cg_word_is(&word, endings[i].ending)) {
            *format = endings[i].format;
            return true;
        }
    }
    return false;
}

const char *cg_surface_format_name(cg_surface_format format)
{
    static const char *const names[] = {
        [CG_SURFACE_OBJ] = "obj",         [CG_SURFACE_STL] = "stl",       [CG_SURFACE_VRML] = "vrml",
        [CG_SURFACE_PLY] = "ply",         [CG_SURFACE_GMSH] = "gmsh",     [CG_SURFACE_VTK] = "vtk",
        [CG_SURFACE_VTK_XML] = "vtk-xml", [CG_SURFACE_MEDIT] = "medit",   [CG_SURFACE_TETGEN] = "tetgen",
        [CG_SURFACE_ABAQUS] = "abaqus",   [CG_SURFACE_LABELS] = "labels", [CG_SURFACE_TOLD] = "told",
    };
    return (unsigned)format <= CG_SURFACE_TOLD ? names[format] : "none";
}

static bool begins(const char *text, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static bool holds(const char *text, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (text[i] == word[0] && memcmp(text + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

// Whole numbers of a first line, as TetGen's files of cells have them: how many, 4 or 10 nodes, attributes.
static bool is_tetgen(cg_cursor cursor)
{
    int64_t values[2];
    cg_scene_error ignored;
    for (int k = 0; k < 2; k++) {
        cg_word word = cg_cursor_next_word(&cursor);
        while (k == 0 && word.length > 0 && word.text[0] == '#') {
            cursor.at = word.text;
            cg_cursor_skip_line(&cursor);
            word = cg_cursor_next_word(&cursor);
        }
        if (!cg_word_whole(&word, &ignored, "", &values[k])) {
            return false;
        }
    }
    return values[1] == 4 || values[1] == 10;
}

// A file of lines whose first words are those of OBJ.
static bool is_obj(cg_cursor cursor)
{
    static const char *const words[] = {"v", "vn", "vt", "f", "g", "o", "s", "mtllib", "usemtl"};
    while (cursor.at < cursor.end) {
        cg_word word = cg_cursor_next_word(&cursor);
        if (word.length > 0 && word.text[0] == '#') {
            cursor.at = word.text;
            cg_cursor_skip_line(&cursor);
            continue;
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (cg_word_is(&word, words[i])) {
                return true;
            }
        }
        return false;
    }
    return false;
}

bool cg_surface_format_of_bytes(const void *bytes, size_t size, cg_surface_format *format)
{
    enum { LOOKED_AT = 4096 };
    cg_cursor cursor = cg_stream_of(bytes, size, NULL).cursor;
    cg_cursor ahead = cursor;
    cg_word first = cg_cursor_next_word(&ahead);
    const char *text = first.text;
    size_t left = (size_t)(cursor.end - text), head = left < LOOKED_AT ? left : LOOKED_AT;
    bool is_nifti = size >= 348 && memcmp((const char *)bytes + 344, "n+1", 4) == 0;
    bool is_gzip = size > 18 && memcmp(bytes, "\37\213\10", 3) == 0;
    if (is_nifti || is_gzip || begins(text, left, "NRRD") || holds(text, head, "ElementDataFile")) {
        *format = CG_SURFACE_LABELS;
    } else if (begins(text, left, "# vtk DataFile")) {
        *format = CG_SURFACE_VTK;
    } else if (begins(text, left, "#VRML")) {
        *format = CG_SURFACE_VRML;
    } else if (begins(text, left, "<") && holds(text, head, "<VTKFile")) {
        *format = CG_SURFACE_VTK_XML;
    } else if (begins(text, left, "$NOD") || (begins(text, left, "$") && holds(text, left, "$MeshFormat"))) {
        *format = CG_SURFACE_GMSH;
    } else if (cg_word_is(&first, "ply")) {
        *format = CG_SURFACE_PLY;
    } else if (cg_surface_is_stl(bytes, size)) {
        *format = CG_SURFACE_STL;
    } else if (holds(text, head, "MeshVersionFormatted")) {
        *format = CG_SURFACE_MEDIT;
    } else if (begins(text, left, "*")) {
        *format = CG_SURFACE_ABAQUS;
    } else if (is_tetgen(cursor)) {
        *format = CG_SURFACE_TETGEN;
    } else if (is_obj(cursor)) {
        *format = CG_SURFACE_OBJ;
    } else {
        return false;
    }
    return true;
}
