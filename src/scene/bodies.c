// Rigid bodies of a scene.
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
    body->def = cg_rigid_def_default();
    if (!cg_scene_read_fields(&cg_type_body, value, &spec, &given, reader->error) ||
        !cg_scene_choose_name(reader, &reader->body_names, value, "body", scene->body_count + 1, &body->name) ||
        !(spec.arc != NULL ? read_arc(reader, spec.arc, &body->def) : read_parts(reader, spec.parts, &body->def)) ||
        !cg_scene_read_rotation(spec.rotation, &body->def.pose.rotation, reader->error)) {
        return false;
    }
    body->place = cg_scene_place_of(reader, value);
    body->def.motion = spec.driven ? CG_RIGID_DRIVEN : CG_RIGID_FREE;
    body->def.mass = spec.mass;
    body->def.pose.position = spec.position;
    body->def.velocity = spec.velocity;
    body->def.spin = spec.spin;
    body->def.friction = spec.friction;
    scene->body_count++;
    return true;
}
