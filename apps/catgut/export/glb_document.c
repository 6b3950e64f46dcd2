// The JSON of a glTF file: nodes, materials, meshes with their morph targets, animation, and where the arrays are.
#include "app.h"
#include "export/glb_parts.h"
#include "support/json.h"
#include "support/vector.h"

static void member_index(cg_json *json, const char *name, size_t index)
{
    cg_json_number_member(json, name, (double)index);
}

static void array_of_indices(cg_json *json, const char *name, size_t from, size_t count)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (size_t i = 0; i < count; i++) {
        cg_json_number(json, (double)(from + i));
    }
    cg_json_end_array(json);
}

static const char *name_of(const cg_glb_scene *s, const cg_glb_tube *t)
{
    return t->tissue >= 0 ? s->poses->tissues[t->tissue].name : s->poses->threads[t->thread].name;
}

static void write_nodes(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "nodes");
    cg_json_begin_array(json);
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name", "catgut");
    cg_json_name(json, "rotation"); // a quarter turn about x: z becomes y
    cg_json_begin_array(json);
    cg_json_number(json, -sqrt(0.5));
    cg_json_number(json, 0);
    cg_json_number(json, 0);
    cg_json_number(json, sqrt(0.5));
    cg_json_end_array(json);
    array_of_indices(json, "children", 1, (size_t)s->tube_count);
    cg_json_end_object(json);
    for (int i = 0; i < s->tube_count; i++) {
        cg_json_begin_line_object(json);
        cg_json_string_member(json, "name", name_of(s, &s->tubes[i]));
        member_index(json, "mesh", (size_t)i);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

// Colours are written as light that adds up, not as screens code it.
static void write_materials(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "materials");
    cg_json_begin_array(json);
    for (int i = 0; i < s->tube_count; i++) {
        int tissue = s->tubes[i].tissue;
        cg_rgb colour = tissue >= 0 ? cg_export_skin(0) : cg_export_colour(s->tubes[i].thread);
        cg_json_begin_line_object(json);
        cg_json_name(json, "pbrMetallicRoughness");
        cg_json_begin_object(json);
        cg_json_name(json, "baseColorFactor");
        cg_json_begin_array(json);
        cg_json_number(json, pow(colour.r, 2.2));
        cg_json_number(json, pow(colour.g, 2.2));
        cg_json_number(json, pow(colour.b, 2.2));
        cg_json_number(json, 1);
        cg_json_end_array(json);
        cg_json_number_member(json, "metallicFactor", 0);
        cg_json_number_member(json, "roughnessFactor", 0.45);
        cg_json_end_object(json);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void write_attributes(cg_json *json, size_t positions)
{
    member_index(json, "POSITION", positions);
    member_index(json, "NORMAL", positions + 1);
}

static void write_targets(cg_json *json, const cg_glb_scene *s, size_t tube_place)
{
    size_t tubes = (size_t)s->tube_count;
    cg_json_name(json, "targets");
    cg_json_begin_array(json);
    for (size_t k = 1; k < s->pose_count; k++) {
        cg_json_begin_line_object(json);
        write_attributes(json, 3 * tubes + 2 * ((k - 1) * tubes + tube_place));
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

// Names of the targets are found by Blender here.
static void write_target_names(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "weights");
    cg_json_begin_array(json);
    for (size_t k = 1; k < s->pose_count; k++) {
        cg_json_number(json, 0);
    }
    cg_json_end_array(json);
    cg_json_name(json, "extras");
    cg_json_begin_line_object(json);
    cg_json_name(json, "targetNames");
    cg_json_begin_array(json);
    for (size_t k = 1; k < s->pose_count; k++) {
        char name[48];
        snprintf(name, sizeof name, "%.6g s", s->times[k]);
        cg_json_string(json, name);
    }
    cg_json_end_array(json);
    cg_json_end_object(json);
}

static void write_meshes(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "meshes");
    cg_json_begin_array(json);
    for (size_t i = 0; i < (size_t)s->tube_count; i++) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "name", name_of(s, &s->tubes[i]));
        cg_json_name(json, "primitives");
        cg_json_begin_array(json);
        cg_json_begin_object(json);
        cg_json_name(json, "attributes");
        cg_json_begin_line_object(json);
        write_attributes(json, 3 * i);
        cg_json_end_object(json);
        member_index(json, "indices", 3 * i + 2);
        member_index(json, "material", i);
        if (s->pose_count > 1) {
            write_targets(json, s, i);
        }
        cg_json_end_object(json);
        cg_json_end_array(json);
        if (s->pose_count > 1) {
            write_target_names(json, s);
        }
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void write_animation(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "animations");
    cg_json_begin_array(json);
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", "motion");
    cg_json_name(json, "samplers");
    cg_json_begin_array(json);
    cg_json_begin_line_object(json);
    member_index(json, "input", s->accessor_count - 2);
    cg_json_string_member(json, "interpolation", "LINEAR");
    member_index(json, "output", s->accessor_count - 1);
    cg_json_end_object(json);
    cg_json_end_array(json);
    cg_json_name(json, "channels");
    cg_json_begin_array(json);
    for (int i = 0; i < s->tube_count; i++) {
        cg_json_begin_line_object(json);
        member_index(json, "sampler", 0);
        cg_json_name(json, "target");
        cg_json_begin_object(json);
        member_index(json, "node", (size_t)i + 1);
        cg_json_string_member(json, "path", "weights");
        cg_json_end_object(json);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_end_object(json);
    cg_json_end_array(json);
}

static void write_bounds(cg_json *json, const char *name, const float *values, int width)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (int i = 0; i < width; i++) {
        cg_json_number(json, (double)values[i]);
    }
    cg_json_end_array(json);
}

static void write_arrays(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "accessors");
    cg_json_begin_array(json);
    for (size_t i = 0; i < s->accessor_count; i++) {
        const cg_glb_accessor *a = &s->accessors[i];
        cg_json_begin_line_object(json);
        member_index(json, "bufferView", i);
        cg_json_number_member(json, "componentType", a->component);
        member_index(json, "count", a->count);
        cg_json_string_member(json, "type", a->width == 3 ? "VEC3" : "SCALAR");
        if (a->has_bounds) {
            write_bounds(json, "min", a->low, a->width);
            write_bounds(json, "max", a->high, a->width);
        }
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_name(json, "bufferViews");
    cg_json_begin_array(json);
    for (size_t i = 0; i < s->accessor_count; i++) {
        const cg_glb_accessor *a = &s->accessors[i];
        cg_json_begin_line_object(json);
        member_index(json, "buffer", 0);
        member_index(json, "byteOffset", a->offset);
        member_index(json, "byteLength", 4 * (size_t)a->width * a->count);
        if (a->target != CG_GLB_NO_TARGET) {
            cg_json_number_member(json, "target", a->target);
        }
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
    cg_json_name(json, "buffers");
    cg_json_begin_array(json);
    cg_json_begin_line_object(json);
    member_index(json, "byteLength", (size_t)(s->end - s->bytes));
    cg_json_end_object(json);
    cg_json_end_array(json);
}

void cg_glb_write_document(const cg_glb_scene *s, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_name(&json, "asset");
    cg_json_begin_line_object(&json);
    cg_json_string_member(&json, "version", "2.0");
    cg_json_string_member(&json, "generator", "catgut " CG_APP_VERSION);
    cg_json_end_object(&json);
    cg_json_number_member(&json, "scene", 0);
    cg_json_name(&json, "scenes");
    cg_json_begin_array(&json);
    cg_json_begin_line_object(&json);
    array_of_indices(&json, "nodes", 0, 1);
    cg_json_end_object(&json);
    cg_json_end_array(&json);
    write_nodes(&json, s);
    write_materials(&json, s);
    write_meshes(&json, s);
    if (s->pose_count > 1) {
        write_animation(&json, s);
    }
    write_arrays(&json, s);
    cg_json_end_object(&json);
}
