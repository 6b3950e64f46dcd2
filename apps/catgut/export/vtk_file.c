// A head in XML that says which arrays there are and where, and behind it all arrays as raw bytes: after the mark "_"
// each array is its size in bytes (UInt64) and its values, lowest byte first. Offsets count from the mark.
#include "export/vtk_file.h"

#include <stdlib.h>
#include <string.h>

#include "export/bytes.h"
#include "support/out_file.h"

static void *add_array(cg_vtk_file *vtk, cg_vtk_array array, size_t value_size)
{
    if (vtk->array_count == CG_VTK_MOST_ARRAYS) {
        vtk->failed = true;
        return NULL;
    }
    array.raw = calloc(array.count + 1, value_size);
    vtk->failed = vtk->failed || !array.raw;
    vtk->arrays[vtk->array_count++] = array;
    return array.raw;
}

float *cg_vtk_floats(cg_vtk_file *vtk, cg_vtk_section section, const char *name, int components, size_t tuples)
{
    cg_vtk_array array = {section, name, "Float32", components, (size_t)components * tuples, NULL};
    return add_array(vtk, array, sizeof(float));
}

int32_t *cg_vtk_integers(cg_vtk_file *vtk, cg_vtk_section section, const char *name, size_t count)
{
    return add_array(vtk, (cg_vtk_array){section, name, "Int32", 1, count, NULL}, sizeof(int32_t));
}

void cg_vtk_word(cg_vtk_file *vtk, const char *name, const char *word)
{
    cg_vtk_text *text = vtk->texts;
    while (text < vtk->texts + vtk->text_count && strcmp(text->name, name) != 0) {
        text++;
    }
    if (text == vtk->texts + vtk->text_count) {
        if (vtk->text_count == CG_VTK_MOST_TEXTS) {
            vtk->failed = true;
            return;
        }
        vtk->text_count++;
        text->name = name;
    }
    size_t length = strlen(word) + 1;
    char *more = realloc(text->words, text->size + length);
    vtk->failed = vtk->failed || !more;
    if (more) {
        memcpy(more + text->size, word, length);
        text->words = more;
        text->size += length;
        text->count++;
    }
}

// Three numbers a triangle, four a tetrahedron: where each cell ends, and what it is to VTK.
static void add_cell_ends(cg_vtk_file *vtk)
{
    enum { TETRAHEDRON = 10 };
    int corners = vtk->is_grid ? 4 : 3;
    for (int i = 0; i < vtk->array_count && !vtk->failed; i++) {
        if (vtk->arrays[i].section != CG_VTK_CELLS || strcmp(vtk->arrays[i].name, "connectivity") != 0) {
            continue;
        }
        size_t cells = vtk->arrays[i].count / (size_t)corners;
        int32_t *ends = cg_vtk_integers(vtk, CG_VTK_CELLS, "offsets", cells);
        for (size_t cell = 0; ends && cell < cells; cell++) {
            ends[cell] = corners * (int32_t)(cell + 1);
        }
        int32_t *types = vtk->is_grid ? cg_vtk_integers(vtk, CG_VTK_CELLS, "types", cells) : NULL;
        for (size_t cell = 0; types && cell < cells; cell++) {
            types[cell] = TETRAHEDRON;
        }
    }
}

static size_t bytes_of(const cg_vtk_array *array)
{
    return 4 * array->count; // floats and integers of 32 bits
}

static void write_section(const cg_vtk_file *vtk, cg_vtk_section section, const char *tag, FILE *out)
{
    unsigned long long offset = 0;
    fprintf(out, "<%s>\n", tag);
    for (int i = 0; i < vtk->array_count; i++) {
        const cg_vtk_array *a = &vtk->arrays[i];
        if (a->section == section) {
            fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", a->type, a->name,
                    a->components);
            fprintf(out, " format=\"appended\" offset=\"%llu\"/>\n", offset);
        }
        offset += 8 + bytes_of(a);
    }
    fprintf(out, "</%s>\n", tag);
}

// Texts are lists of character codes, each text with its end.
static void write_texts(const cg_vtk_file *vtk, FILE *out)
{
    fputs("<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">", out);
    fprintf(out, "%.12g</DataArray>\n", vtk->time);
    for (int i = 0; i < vtk->text_count; i++) {
        const cg_vtk_text *text = &vtk->texts[i];
        fprintf(out, "<DataArray type=\"String\" Name=\"%s\" NumberOfTuples=\"%zu\" format=\"ascii\">", text->name,
                text->count);
        for (size_t k = 0; k < text->size; k++) {
            fprintf(out, k > 0 ? " %d" : "%d", (unsigned char)text->words[k]);
        }
        fputs("</DataArray>\n", out);
    }
    fputs("</FieldData>\n", out);
}

static size_t count_of(const cg_vtk_file *vtk, cg_vtk_section section, const char *name)
{
    for (int i = 0; i < vtk->array_count; i++) {
        const cg_vtk_array *a = &vtk->arrays[i];
        if (a->section == section && (!name || strcmp(a->name, name) == 0)) {
            return a->count / (size_t)a->components;
        }
    }
    return 0;
}

static void write_piece(const cg_vtk_file *vtk, FILE *out)
{
    size_t points = count_of(vtk, CG_VTK_POINTS, NULL), cells = count_of(vtk, CG_VTK_CELLS, "offsets");
    if (vtk->is_grid) {
        fprintf(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", points, cells);
    } else {
        fprintf(out, "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\"", points,
                count_of(vtk, CG_VTK_LINES, "offsets"));
        fprintf(out, " NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n", cells);
    }
    write_section(vtk, CG_VTK_POINT_DATA, "PointData", out);
    write_section(vtk, CG_VTK_CELL_DATA, "CellData", out);
    write_section(vtk, CG_VTK_POINTS, "Points", out);
    if (!vtk->is_grid) {
        write_section(vtk, CG_VTK_LINES, "Lines", out);
    }
    if (cells > 0 || vtk->is_grid) {
        write_section(vtk, CG_VTK_CELLS, vtk->is_grid ? "Cells" : "Polys", out);
    }
    fputs("</Piece>\n", out);
}

static void write_bytes(const cg_vtk_array *array, FILE *out)
{
    unsigned char bytes[8];
    cg_put_bits64(bytes, bytes_of(array));
    fwrite(bytes, 1, 8, out);
    for (size_t i = 0; i < array->count; i++) {
        uint32_t bits;
        memcpy(&bits, array->raw + 4 * i, sizeof bits);
        cg_put_bits32(bytes, bits);
        fwrite(bytes, 1, 4, out);
    }
}

bool cg_vtk_write(cg_vtk_file *vtk, FILE *out)
{
    const char *kind = vtk->is_grid ? "UnstructuredGrid" : "PolyData";
    add_cell_ends(vtk);
    if (vtk->failed) {
        return false;
    }
    fprintf(out, "<?xml version=\"1.0\"?>\n" CG_OUT_XML_MARK "\n<VTKFile type=\"%s\" version=\"1.0\"", kind);
    fprintf(out, " byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<%s>\n", kind);
    write_texts(vtk, out);
    write_piece(vtk, out);
    fprintf(out, "</%s>\n<AppendedData encoding=\"raw\">\n_", kind);
    for (int i = 0; i < vtk->array_count; i++) {
        write_bytes(&vtk->arrays[i], out);
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
    return true;
}

void cg_vtk_free(cg_vtk_file *vtk)
{
    for (int i = 0; i < vtk->array_count; i++) {
        free(vtk->arrays[i].raw);
    }
    for (int i = 0; i < vtk->text_count; i++) {
        free(vtk->texts[i].words);
    }
    *vtk = (cg_vtk_file){0};
}
