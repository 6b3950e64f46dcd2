// Volumes of a scene: from files of tetrahedra, and from surfaces that are filled.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/fill.h"
#include "scene/reader.h"

static bool read_bytes(cg_scene_reader *r, const char *file, const cg_json_value *at, const cg_scene_source_text **text)
{
    int source = cg_scene_open_source(r, file, at);
    if (source < 0) {
        return false;
    }
    *text = &r->scene->sources[source];
    cg_scene_enter_source(r, source);
    return true;
}

static cg_surface_def reading_of(const cg_scene_reader *r, double unit)
{
    cg_surface_def def = cg_surface_def_default();
    def.format = CG_SURFACE_TOLD;
    def.scale = unit;
    def.max_nodes = CG_SCENE_NODES;
    def.max_triangles = 8 * CG_SCENE_NODES;
    def.allocator = r->scene->allocator;
    return def;
}

// Errors speak of the scene's file again.
static void leave(cg_scene_reader *r)
{
    cg_scene_enter_source(r, r->open_files[r->depth - 1]);
}

// The .node file of a TetGen mesh, beside its .ele file.
static bool read_beside(cg_scene_reader *r, const char *file, const cg_json_value *at, cg_surface_def *def)
{
    char path[256];
    size_t length = strlen(file);
    const cg_scene_source_text *text;
    if (length < 4 || length + 2 > sizeof path || strcmp(file + length - 4, ".ele") != 0) {
        return true;
    }
    snprintf(path, sizeof path, "%.*s.node", (int)length - 4, file);
    if (!read_bytes(r, path, at, &text)) {
        return false;
    }
    def->beside = text->text;
    def->beside_size = text->size;
    leave(r);
    return true;
}

// --- what is held ---

static bool read_held(cg_scene_reader *r, const cg_json_value *value, cg_volume *volume)
{
    cg_held_spec spec = {.low = {0, 0, 0}};
    uint64_t given;
    int held = 0;
    if (value == NULL) {
        return true;
    }
    if (!cg_scene_read_fields(&cg_type_held, value, &spec, &given, r->error)) {
        return false;
    }
    if (volume->cut == NULL) {
        volume->cut = cg_scene_take(r, (size_t)volume->node_count, sizeof *volume->cut);
    }
    for (int i = 0; volume->cut != NULL && i < volume->node_count; i++) {
        cg_vec3 p = volume->nodes[i];
        if (p.x >= spec.low.x && p.y >= spec.low.y && p.z >= spec.low.z && p.x <= spec.high.x && p.y <= spec.high.y &&
            p.z <= spec.high.z) {
            volume->cut[i] = true;
            held++;
        }
    }
    return volume->cut != NULL &&
           (held > 0 || cg_error_at_value(r->error, value, "found no node in this box; expected one that is held"));
}

// Into memory of the scene.
static cg_volume *keep(cg_scene_reader *r, const cg_volume *volume)
{
    size_t nodes = (size_t)volume->node_count, cells = (size_t)volume->cell_count;
    cg_volume *kept = cg_scene_take(r, 1, sizeof *kept);
    if (kept == NULL) {
        return NULL;
    }
    *kept = *volume;
    kept->nodes = cg_scene_take(r, nodes, sizeof *kept->nodes);
    kept->cells = cg_scene_take(r, cells, sizeof *kept->cells);
    kept->regions = cg_scene_take(r, cells, sizeof *kept->regions);
    kept->cut = volume->cut != NULL ? cg_scene_take(r, nodes, sizeof *kept->cut) : NULL;
    if (kept->nodes == NULL || kept->cells == NULL || kept->regions == NULL ||
        (kept->cut == NULL && volume->cut != NULL)) {
        return NULL;
    }
    memcpy(kept->nodes, volume->nodes, nodes * sizeof *kept->nodes);
    memcpy(kept->cells, volume->cells, cells * sizeof *kept->cells);
    memcpy(kept->regions, volume->regions, cells * sizeof *kept->regions);
    if (kept->cut != NULL) {
        memcpy(kept->cut, volume->cut, nodes * sizeof *kept->cut);
    }
    return kept;
}

const cg_volume *cg_scene_read_volume(cg_scene_reader *r, const cg_json_value *value)
{
    cg_volume_spec spec = cg_volume_spec_default();
    const cg_json_value *at = cg_json_find(value, "file");
    const cg_scene_source_text *text;
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_volume, value, &spec, &given, r->error)) {
        return NULL;
    }
    cg_surface_def def = reading_of(r, spec.unit);
    if (!read_beside(r, spec.file, at, &def) || !read_bytes(r, spec.file, at, &text)) {
        return NULL;
    }
    char name[sizeof r->error->file];
    memcpy(name, r->error->file, sizeof name);
    cg_volume *volume;
    cg_code code = cg_volume_read(text->text, text->size, name, &def, &volume, r->error).code;
    r->code = code == CG_OUT_OF_MEMORY ? code : r->code;
    if (code != CG_OK) {
        return NULL;
    }
    leave(r);
    cg_volume *kept = NULL;
    if (volume->crowded_faces > 0) {
        cg_error_at_value(r->error, at,
                          "found %d faces that three cells have, or two on the same side; expected one cell or two: "
                          "\"fill\" makes a volume of its outside anew",
                          volume->crowded_faces);
    } else {
        kept = keep(r, volume);
    }
    cg_volume_free(volume);
    return kept != NULL && read_held(r, spec.held, kept) ? kept : NULL;
}

// --- filling ---

// [m] that the longest side of the surface has.
static double extent_of(const cg_surface *surface)
{
    cg_vec3 low = surface->nodes[0], high = low;
    for (int i = 1; i < surface->node_count; i++) {
        cg_vec3 p = surface->nodes[i];
        low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

// No file says what its 1 is: the scene does, by a unit or by the size that comes out.
static bool scale_to(cg_scene_reader *r, const cg_json_value *value, const cg_fill_spec *spec, cg_surface *surface)
{
    double extent = extent_of(surface), scale = spec->unit;
    if (spec->unit == 0 && spec->size == 0) {
        const char *guess = extent >= 10 ? "1 mm" : (extent >= 0.7 ? "1 cm" : "1 m");
        double metres = extent >= 10 ? 1e-3 : (extent >= 0.7 ? 1e-2 : 1);
        return cg_error_at_value(r->error, value,
                                 "found neither unit nor size, and the surface is %.4g long; expected one of them: "
                                 "\"unit\": \"%s\" would make it %.3g m",
                                 extent, guess, extent * metres);
    }
    scale = spec->size > 0 ? spec->size / extent : scale;
    for (int i = 0; i < surface->node_count; i++) {
        surface->nodes[i] = v3_scale(scale, surface->nodes[i]);
    }
    return extent * scale < 1e3 ||
           cg_error_at_value(r->error, value, "found a surface of %g m; expected a smaller one", extent * scale);
}

static bool read_piece(cg_scene_reader *r, const cg_json_value *value, cg_fill_def *def)
{
    cg_piece_spec spec = {.centre = {0, 0, 0}};
    uint64_t given;
    if (value == NULL) {
        return true;
    }
    if (!cg_scene_read_fields(&cg_type_piece, value, &spec, &given, r->error)) {
        return false;
    }
    bool is_ball = cg_scene_is_given(&cg_type_piece, given, "radius");
    def->piece = is_ball ? CG_FILL_BALL : CG_FILL_BOX;
    def->centre = spec.centre;
    def->half = spec.half;
    def->radius = spec.radius;
    return is_ball || (spec.half.x > 0 && spec.half.y > 0 && spec.half.z > 0) ||
           cg_error_at_value(r->error, value, "found a piece without a size; expected \"radius\" or \"half\"");
}

const cg_volume *cg_scene_read_fill(cg_scene_reader *r, const cg_json_value *value, cg_fill_report *report)
{
    cg_fill_spec spec = cg_fill_spec_default();
    const cg_json_value *at = cg_json_find(value, "file");
    const cg_scene_source_text *text;
    cg_fill_def def = cg_fill_def_default();
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_fill, value, &spec, &given, r->error) || !read_piece(r, spec.piece, &def)) {
        return NULL;
    }
    cg_surface_def reading = reading_of(r, 1);
    reading.label = spec.label;
    if (!read_beside(r, spec.file, at, &reading) || !read_bytes(r, spec.file, at, &text)) {
        return NULL;
    }
    char name[sizeof r->error->file];
    memcpy(name, r->error->file, sizeof name);
    cg_surface *surface;
    cg_volume *volume = NULL, *kept = NULL;
    cg_code code = cg_surface_read(text->text, text->size, name, &reading, &surface, r->error).code;
    r->code = code == CG_OUT_OF_MEMORY ? code : r->code;
    if (code != CG_OK) {
        return NULL;
    }
    leave(r);
    def.nodes = spec.spacing > 0 ? 0 : spec.nodes;
    def.spacing = spec.spacing;
    def.allocator = r->scene->allocator;
    if (scale_to(r, value, &spec, surface)) {
        cg_status status = cg_fill(surface, &def, &volume, report);
        r->code = status.code == CG_OUT_OF_MEMORY ? status.code : r->code;
        if (status.code != CG_OK) {
            cg_error_at_value(r->error, value, "found a surface that cannot be filled: %s", status.message);
        } else {
            kept = keep(r, volume);
        }
    }
    cg_volume_free(volume);
    cg_surface_free(surface);
    return kept != NULL && read_held(r, spec.held, kept) ? kept : NULL;
}

bool cg_scene_tissue_fill(const cg_scene *scene, int tissue, cg_fill_report *report)
{
    bool is_filled = tissue >= 0 && tissue < scene->tissue_count && scene->tissues[tissue].fill.spacing > 0;
    if (is_filled) {
        *report = scene->tissues[tissue].fill;
    }
    return is_filled;
}
