// Rigid bodies of a scene.
#include <string.h>

#include "base/quat.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "scene/reader.h"

static bool read_part(cg_scene_reader *reader, const cg_json_value *value, cg_rigid_part *part)
{
    cg_rigid_spec spec = cg_rigid_spec_default();
    uint64_t given;
    bool fine = cg_scene_read_fields(&cg_type_part, value, &spec, &given, reader->error) &&
                cg_scene_read_kind(reader, &spec, &part->shape) &&
                cg_scene_read_rotation(spec.rotation, &part->pose.rotation, reader->error);
    part->pose.position = spec.position;
    return fine;
}

static cg_rigid_part *take_parts(cg_scene_reader *reader, cg_rigid_def *def, int count)
{
    cg_rigid_part *parts = cg_scene_take(reader, (size_t)count, sizeof *parts);
    def->parts = parts;
    def->part_count = count;
    return parts;
}

static bool read_parts(cg_scene_reader *reader, const cg_json_value *list, cg_rigid_def *def)
{
    cg_rigid_part *parts = take_parts(reader, def, list->count);
    bool fine = parts != NULL;
    for (int i = 0; fine && i < list->count; i++) {
        fine = read_part(reader, list->as.items[i], &parts[i]);
    }
    return fine;
}

// Straight rods along the circle, each from one joint to the next, the joints a little outside it.
static bool read_arc(cg_scene_reader *reader, const cg_json_value *value, cg_rigid_def *def)
{
    cg_arc_spec spec = cg_arc_spec_default();
    uint64_t given;
    if (!cg_scene_read_fields(&cg_type_arc, value, &spec, &given, reader->error)) {
        return false;
    }
    cg_rigid_part *parts = take_parts(reader, def, spec.pieces);
    double each = spec.angle / spec.pieces, half_sine, half_cosine;
    cg_sincos(0.5 * each, &half_sine, &half_cosine);
    if (parts == NULL) {
        return false;
    }
    for (int i = 0; i < spec.pieces; i++) {
        double sine, cosine;
        cg_sincos((i + 0.5) * each, &sine, &cosine);
        parts[i].shape = (cg_shape){.kind = CG_SHAPE_CAPSULE,
                                    .radius = 0.5 * spec.thickness,
                                    .half_length = spec.radius * half_sine / half_cosine};
        parts[i].pose.position = v3(spec.radius * cosine, 0, spec.radius * sine);
        parts[i].pose.rotation = quat_between(v3(0, 0, 1), v3(-sine, 0, cosine));
    }
    return true;
}

// Needles

static bool read_needle(cg_scene_reader *reader, const cg_json_value *value, const cg_body_spec *spec, bool has_mass,
                        cg_scene_body *body)
{
    cg_needle_kind kind;
    char nearest[64];
    if (!cg_needle_catalogue_find(spec->needle, &kind, nearest, sizeof nearest)) {
        const cg_json_value *at = cg_json_find(value, "needle");
        bool has_nearest = nearest[0] != '\0';
        return cg_error_at_value(reader->error, at, "found the needle \"%.40s\", which is not in the catalogue%s%s%s",
                                 spec->needle, has_nearest ? "; did you mean \"" : "; see catgut list needles", nearest,
                                 has_nearest ? "\"?" : "");
    }
    body->needle = cg_needle_kind_needle(&kind);
    body->needle.pieces = spec->pieces;
    body->def.needle = &body->needle;
    body->def.mass = has_mass ? spec->mass : kind.mass.value;
    return true;
}

static bool read_needle_mesh(cg_scene_reader *reader, const cg_body_spec *spec, bool has_mass, cg_scene_body *body)
{
    cg_transform pose;
    cg_surface *surface = cg_scene_read_surface(reader, spec->needle_mesh);
    if (surface == NULL) {
        return false;
    }
    cg_status status =
        cg_needle_fit(surface->nodes, surface->node_count, &reader->scene->allocator, &body->needle, &pose);
    cg_surface_free(surface);
    if (status.code != CG_OK) {
        reader->code = status.code == CG_OUT_OF_MEMORY ? status.code : reader->code;
        return cg_error_at_value(reader->error, spec->needle_mesh, "found a mesh that is no needle: %s",
                                 status.message);
    }
    body->needle.pieces = spec->pieces;
    body->def.needle = &body->needle;
    body->def.mass = has_mass ? spec->mass : cg_needle_mass(&body->needle, CG_NEEDLE_STEEL);
    return true;
}

static int find_thread(const cg_scene *scene, const char *name)
{
    for (int i = 0; i < scene->thread_count; i++) {
        if (strcmp(scene->threads[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

// Puts the needle where the thread ends.
static void place_at_thread(const cg_scene *scene, cg_scene_body *body, bool is_turned)
{
    const cg_thread_def *thread = &scene->threads[body->thread].def;
    int last = body->end == CG_START ? 0 : thread->vertex_count - 1, next = body->end == CG_START ? 1 : last - 1;
    cg_vec3 end = thread->positions[last], along = v3_sub(thread->positions[next], end);
    if (!is_turned) {
        cg_vec3 leaves = cg_needle_tangent(&body->needle, body->needle.arc);
        body->def.pose.rotation = quat_normalise(quat_between(leaves, v3_unit_or(along, leaves)));
    }
    cg_vec3 arm = cg_needle_place(&body->needle, body->needle.arc);
    body->def.pose.position = v3_sub(end, quat_rotate(body->def.pose.rotation, arm));
}

static bool read_swage(cg_scene_reader *reader, const cg_body_spec *spec, cg_scene_body *body)
{
    cg_swage_spec swage = {.end = CG_START};
    uint64_t given;
    if (spec->swage == NULL) {
        return true;
    }
    if (!cg_scene_read_fields(&cg_type_swage, spec->swage, &swage, &given, reader->error)) {
        return false;
    }
    if (body->def.needle == NULL) {
        return cg_error_at_value(reader->error, spec->swage, "found a swage on what is no needle; expected \"needle\"");
    }
    body->thread = find_thread(reader->scene, swage.thread);
    body->end = (cg_end)swage.end;
    if (body->thread < 0) {
        return cg_error_at_value(reader->error, cg_json_find(spec->swage, "thread"),
                                 "found no thread \"%.40s\" before this body", swage.thread);
    }
    if (reader->scene->threads[body->thread].def.model != CG_THREAD_KIRCHHOFF) {
        return cg_error_at_value(reader->error, cg_json_find(spec->swage, "thread"),
                                 "found \"%.40s\", a thread of springs or links; expected one that can be swaged",
                                 swage.thread);
    }
    place_at_thread(reader->scene, body, spec->rotation != NULL);
    return true;
}

static bool read_form(cg_scene_reader *reader, const cg_json_value *value, const cg_body_spec *spec, bool has_mass,
                      cg_scene_body *body)
{
    if (spec->needle != NULL) {
        return read_needle(reader, value, spec, has_mass, body);
    }
    if (spec->needle_mesh != NULL) {
        return read_needle_mesh(reader, spec, has_mass, body);
    }
    return spec->arc != NULL ? read_arc(reader, spec->arc, &body->def) : read_parts(reader, spec->parts, &body->def);
}

bool cg_scene_read_body(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_scene *scene = reader->scene;
    cg_body_spec spec = cg_body_spec_default();
    uint64_t given;
    if (scene->body_count == CG_SCENE_BODIES) {
        return cg_error_at_value(reader->error, value, "found one body more; expected at most %d in a scene",
                                 CG_SCENE_BODIES);
    }
    cg_scene_body *body = &scene->bodies[scene->body_count];
    *body = (cg_scene_body){.def = cg_rigid_def_default(), .thread = -1};
    if (!cg_scene_read_fields(&cg_type_body, value, &spec, &given, reader->error) ||
        !cg_scene_choose_name(reader, &reader->body_names, value, "body", scene->body_count + 1, &body->name) ||
        !cg_scene_read_rotation(spec.rotation, &body->def.pose.rotation, reader->error)) {
        return false;
    }
    body->def.mass = spec.mass;
    body->def.pose.position = spec.position;
    if (!read_form(reader, value, &spec, cg_scene_is_given(&cg_type_body, given, "mass"), body) ||
        !read_swage(reader, &spec, body)) {
        return false;
    }
    body->place = cg_scene_place_of(reader, value);
    body->def.motion = spec.driven ? CG_RIGID_DRIVEN : CG_RIGID_FREE;
    body->def.velocity = spec.velocity;
    body->def.spin = spec.spin;
    body->def.friction = spec.friction;
    scene->body_count++;
    return true;
}
