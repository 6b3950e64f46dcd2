// The JSON of a glTF file: nodes, materials, meshes with their morph targets, animation, and where the arrays are.
#include "catgut/version.h"
#include "export/glb_parts.h"
#include "export/part_picture.h"
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

// A tissue that was cut is numbered, from its second surface on.
static void member_name(cg_json *json, const cg_glb_scene *s, const cg_glb_tube *t)
{
    char text[320];
    const char *name = t->tissue >= 0 ? s->poses->tissues[t->tissue].name : s->poses->threads[t->thread].name;
    snprintf(text, sizeof text, t->stretch > 0 ? "%s %d" : "%s", name, t->stretch + 1);
    cg_json_string_member(json, "name", text);
}

static size_t poses_of(const cg_glb_tube *t)
{
    return t->to - t->from;
}

static void write_numbers(cg_json *json, const char *name, const double *values, int count)
{
    cg_json_name(json, name);
    cg_json_begin_array(json);
    for (int i = 0; i < count; i++) {
        cg_json_number(json, values[i]);
    }
    cg_json_end_array(json);
}

// Where it is in the first pose; one that comes later has no size till then.
static void write_rigid_node(cg_json *json, const cg_glb_rigid *rigid, size_t mesh)
{
    cg_transform at = cg_glb_rigid_at(rigid, 0);
    const double shown = rigid->there[0] ? 1 : 0, scale[3] = {shown, shown, shown};
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name", rigid->name);
    member_index(json, "mesh", mesh);
    write_numbers(json, "translation", (double[]){at.position.x, at.position.y, at.position.z}, 3);
    write_numbers(json, "rotation", (double[]){at.rotation.x, at.rotation.y, at.rotation.z, at.rotation.w}, 4);
    if (!rigid->there[0]) {
        write_numbers(json, "scale", scale, 3);
    }
    cg_json_end_object(json);
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
    array_of_indices(json, "children", 1, (size_t)(s->tube_count + s->rigids.count));
    cg_json_end_object(json);
    for (int i = 0; i < s->tube_count; i++) {
        cg_json_begin_line_object(json);
        member_name(json, s, &s->tubes[i]);
        member_index(json, "mesh", (size_t)i);
        cg_json_end_object(json);
    }
    for (int i = 0; i < s->rigids.count; i++) {
        write_rigid_node(json, &s->rigids.items[i], (size_t)(s->tube_count + i));
    }
    cg_json_end_array(json);
}

// What is drawn, and how it is called. Threads take turns with the colours that there are.
enum { THREAD_MATERIALS = 5, TISSUE_MATERIAL = THREAD_MATERIALS, STEEL_MATERIAL, MATERIALS };

static int material_of(const cg_glb_tube *t)
{
    return t->tissue >= 0 ? TISSUE_MATERIAL : t->thread % THREAD_MATERIALS;
}

// Which materials are used, and the place that each has among these; returns how many.
static int find_materials(const cg_glb_scene *s, int places[MATERIALS])
{
    bool used[MATERIALS] = {false};
    int count = 0;
    for (int i = 0; i < s->tube_count; i++) {
        used[material_of(&s->tubes[i])] = true;
    }
    used[STEEL_MATERIAL] = s->rigids.count > 0;
    for (int i = 0; i < MATERIALS; i++) {
        places[i] = used[i] ? count++ : -1;
    }
    return count;
}

// Colours are written as light that adds up, not as screens code it.
static void write_material(cg_json *json, int material)
{
    char name[32];
    cg_rgb colour = material == TISSUE_MATERIAL  ? cg_export_skin(0)
                    : material == STEEL_MATERIAL ? CG_STEEL
                                                 : cg_export_colour(material);
    snprintf(name, sizeof name, "thread %d", material + 1);
    cg_json_begin_line_object(json);
    cg_json_string_member(json, "name",
                          material == TISSUE_MATERIAL  ? "tissue"
                          : material == STEEL_MATERIAL ? "steel"
                                                       : name);
    cg_json_name(json, "pbrMetallicRoughness");
    cg_json_begin_object(json);
    write_numbers(json, "baseColorFactor", (double[]){pow(colour.r, 2.2), pow(colour.g, 2.2), pow(colour.b, 2.2), 1},
                  4);
    cg_json_number_member(json, "metallicFactor", 0);
    cg_json_number_member(json, "roughnessFactor", 0.45);
    cg_json_end_object(json);
    cg_json_end_object(json);
}

static void write_materials(cg_json *json, const cg_glb_scene *s)
{
    int places[MATERIALS];
    find_materials(s, places);
    cg_json_name(json, "materials");
    cg_json_begin_array(json);
    for (int i = 0; i < MATERIALS; i++) {
        if (places[i] >= 0) {
            write_material(json, i);
        }
    }
    cg_json_end_array(json);
}

static void write_attributes(cg_json *json, size_t positions)
{
    member_index(json, "POSITION", positions);
    member_index(json, "NORMAL", positions + 1);
}

static void write_targets(cg_json *json, const cg_glb_tube *t)
{
    cg_json_name(json, "targets");
    cg_json_begin_array(json);
    for (size_t k = 1; k < poses_of(t); k++) {
        cg_json_begin_line_object(json);
        write_attributes(json, t->targets[k]);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

// Names of the targets are found by Blender here.
static void write_target_names(cg_json *json, const cg_glb_scene *s, const cg_glb_tube *t)
{
    cg_json_name(json, "weights");
    cg_json_begin_array(json);
    for (size_t k = 1; k < poses_of(t); k++) {
        cg_json_number(json, 0);
    }
    cg_json_end_array(json);
    cg_json_name(json, "extras");
    cg_json_begin_line_object(json);
    cg_json_name(json, "targetNames");
    cg_json_begin_array(json);
    for (size_t k = 1; k < poses_of(t); k++) {
        char name[48];
        snprintf(name, sizeof name, "%.6g s", s->times[t->from + k]);
        cg_json_string(json, name);
    }
    cg_json_end_array(json);
    cg_json_end_object(json);
}

static void begin_mesh(cg_json *json, size_t base, int material)
{
    cg_json_name(json, "primitives");
    cg_json_begin_array(json);
    cg_json_begin_object(json);
    cg_json_name(json, "attributes");
    cg_json_begin_line_object(json);
    write_attributes(json, base);
    cg_json_end_object(json);
    member_index(json, "indices", base + 2);
    cg_json_number_member(json, "material", material);
}

static void end_mesh(cg_json *json)
{
    cg_json_end_object(json);
    cg_json_end_array(json);
}

static void write_meshes(cg_json *json, const cg_glb_scene *s)
{
    int materials[MATERIALS];
    find_materials(s, materials);
    cg_json_name(json, "meshes");
    cg_json_begin_array(json);
    for (size_t i = 0; i < (size_t)s->tube_count; i++) {
        const cg_glb_tube *t = &s->tubes[i];
        cg_json_begin_object(json);
        member_name(json, s, t);
        begin_mesh(json, t->base, materials[material_of(t)]);
        if (poses_of(t) > 1) {
            write_targets(json, t);
        }
        end_mesh(json);
        if (poses_of(t) > 1) {
            write_target_names(json, s, t);
        }
        cg_json_end_object(json);
    }
    for (int i = 0; i < s->rigids.count; i++) {
        cg_json_begin_object(json);
        cg_json_string_member(json, "name", s->rigids.items[i].name);
        begin_mesh(json, s->rigids.items[i].base, materials[STEEL_MATERIAL]);
        end_mesh(json);
        cg_json_end_object(json);
    }
    cg_json_end_array(json);
}

static void write_sampler(cg_json *json, size_t times, size_t values, const char *interpolation)
{
    cg_json_begin_line_object(json);
    member_index(json, "input", times);
    cg_json_string_member(json, "interpolation", interpolation);
    member_index(json, "output", values);
    cg_json_end_object(json);
}

static void write_channel(cg_json *json, size_t sampler, size_t mesh, const char *path)
{
    cg_json_begin_line_object(json);
    member_index(json, "sampler", sampler);
    cg_json_name(json, "target");
    cg_json_begin_object(json);
    member_index(json, "node", mesh + 1);
    cg_json_string_member(json, "path", path);
    cg_json_end_object(json);
    cg_json_end_object(json);
}

// Where the weights of a tube have their sampler: with the first tube that has the same times.
static bool shares_sampler(const cg_glb_scene *s, size_t tube, size_t other)
{
    return poses_of(&s->tubes[other]) > 1 && s->tubes[other].times == s->tubes[tube].times;
}

static bool has_own_sampler(const cg_glb_scene *s, size_t tube)
{
    bool own = poses_of(&s->tubes[tube]) > 1;
    for (size_t i = 0; i < tube && own; i++) {
        own = !shares_sampler(s, tube, i);
    }
    return own;
}

// Samplers in the order of tubes: for the weights, where they are not shared, and for the scale of those that come and
// go. Calls with a NULL `json` find the place of the sampler with these times.
static size_t list_samplers(cg_json *json, const cg_glb_scene *s, size_t times)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)s->tube_count; i++) {
        const cg_glb_tube *t = &s->tubes[i];
        size_t inputs[2] = {has_own_sampler(s, i) ? t->times : 0, t->shown_times};
        for (int k = 0; k < 2; k++) {
            if (inputs[k] == 0) {
                continue;
            }
            if (json) {
                write_sampler(json, inputs[k], inputs[k] + 1, k == 0 ? "LINEAR" : "STEP");
            } else if (inputs[k] == times) {
                return count;
            }
            count++;
        }
    }
    return count;
}

// Behind those of the tubes: place and turn of each body and part of a tool, and where it comes and goes its size.
static void write_rigid_samplers(cg_json *json, const cg_glb_scene *s)
{
    for (int i = 0; i < s->rigids.count; i++) {
        const cg_glb_rigid *rigid = &s->rigids.items[i];
        write_sampler(json, rigid->times, rigid->places, "LINEAR");
        write_sampler(json, rigid->times, rigid->places + 1, "LINEAR");
        if (rigid->shown_times > 0) {
            write_sampler(json, rigid->shown_times, rigid->shown_times + 1, "STEP");
        }
    }
}

static void write_rigid_channels(cg_json *json, const cg_glb_scene *s)
{
    size_t sampler = list_samplers(NULL, s, (size_t)-1); // none has these times: how many there are
    for (int i = 0; i < s->rigids.count; i++) {
        size_t mesh = (size_t)(s->tube_count + i);
        write_channel(json, sampler++, mesh, "translation");
        write_channel(json, sampler++, mesh, "rotation");
        if (s->rigids.items[i].shown_times > 0) {
            write_channel(json, sampler++, mesh, "scale");
        }
    }
}

static void write_animation(cg_json *json, const cg_glb_scene *s)
{
    cg_json_name(json, "animations");
    cg_json_begin_array(json);
    cg_json_begin_object(json);
    cg_json_string_member(json, "name", "motion");
    cg_json_name(json, "samplers");
    cg_json_begin_array(json);
    list_samplers(json, s, 0);
    write_rigid_samplers(json, s);
    cg_json_end_array(json);
    cg_json_name(json, "channels");
    cg_json_begin_array(json);
    for (size_t i = 0; i < (size_t)s->tube_count; i++) {
        const cg_glb_tube *t = &s->tubes[i];
        if (poses_of(t) > 1) {
            write_channel(json, list_samplers(NULL, s, t->times), i, "weights");
        }
        if (t->shown_times > 0) {
            write_channel(json, list_samplers(NULL, s, t->shown_times), i, "scale");
        }
    }
    write_rigid_channels(json, s);
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
        cg_json_string_member(json, "type", a->width == 4 ? "VEC4" : a->width == 3 ? "VEC3" : "SCALAR");
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

// Where it came from, in a place that glTF leaves to programs.
static void write_origin(cg_json *json, const cg_origin *origin)
{
    cg_json_name(json, "extras");
    cg_json_begin_object(json);
    cg_json_string_member(json, "program", cg_program_words());
    if (origin) {
        cg_json_string_member(json, "recording", origin->recording);
        cg_json_string_member(json, "recording_sha256", origin->recording_hash);
        cg_json_string_member(json, "scene", origin->scene);
        cg_json_string_member(json, "scene_sha256", origin->scene_hash);
        cg_json_string_member(json, "recorded_by", origin->recorded_by);
    }
    cg_json_end_object(json);
}

void cg_glb_write_document(const cg_glb_scene *s, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_name(&json, "asset");
    cg_json_begin_line_object(&json);
    cg_json_string_member(&json, "version", "2.0");
    cg_json_string_member(&json, "generator", "catgut " CG_VERSION);
    write_origin(&json, s->poses->origin);
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
