// Rigid shapes of a scene. Whatever cg_world_add_shape would refuse is refused here, where the place in the file is
// known.
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "scene/reader.h"

bool cg_scene_has_direction(const cg_json_value *object, cg_vec3 axis, cg_scene_error *error)
{
    const cg_json_value *at = cg_json_find(object, "axis");
    return v3_length(axis) > 1e-100 || at == NULL ||
           cg_error_at_value(error, at, "found a direction without length; expected one such as [0, 0, 1]");
}

bool cg_scene_read_rotation(const cg_json_value *value, cg_quat *rotation, cg_scene_error *error)
{
    cg_rotation_spec spec = {0};
    uint64_t given;
    *rotation = quat_identity();
    if (value == NULL) {
        return true;
    }
    if (!cg_scene_read_fields(&cg_type_rotation, value, &spec, &given, error) ||
        !cg_scene_has_direction(value, spec.axis, error)) {
        return false;
    }
    *rotation = quat_normalise(quat_from_axis_angle(v3_unit_or(spec.axis, v3(0, 0, 1)), spec.angle));
    return true;
}

bool cg_scene_read_kind(cg_scene_reader *reader, const cg_rigid_spec *spec, cg_shape *shape)
{
    uint64_t given;
    if (spec->sphere != NULL) {
        cg_sphere_spec sphere = {0};
        bool fine = cg_scene_read_fields(&cg_type_sphere, spec->sphere, &sphere, &given, reader->error);
        *shape = (cg_shape){.kind = CG_SHAPE_SPHERE, .radius = sphere.radius};
        return fine;
    }
    if (spec->capsule != NULL) {
        cg_capsule_spec capsule = {0};
        bool fine = cg_scene_read_fields(&cg_type_capsule, spec->capsule, &capsule, &given, reader->error);
        *shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = capsule.radius, .half_length = capsule.half_length};
        return fine;
    }
    if (spec->box != NULL) {
        cg_box_spec box = {{0}};
        bool fine = cg_scene_read_fields(&cg_type_box, spec->box, &box, &given, reader->error);
        *shape = (cg_shape){.kind = CG_SHAPE_BOX, .half_extents = box.half_extents};
        return fine;
    }
    char nothing;
    *shape = (cg_shape){.kind = CG_SHAPE_HALF_SPACE};
    return cg_scene_read_fields(&cg_type_half_space, spec->half_space, &nothing, &given, reader->error);
}

static cg_scene_rigid *new_shape(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_scene *scene = reader->scene;
    if (scene->shape_count == CG_SCENE_SHAPES) {
        cg_error_at_value(reader->error, value, "found one rigid shape more; expected at most %d in a scene",
                          CG_SCENE_SHAPES);
        return NULL;
    }
    if (scene->shape_count == scene->shape_capacity) {
        int capacity = scene->shape_capacity > 0 ? 2 * scene->shape_capacity : 8;
        cg_scene_rigid *larger = cg_scene_take(reader, (size_t)capacity, sizeof *larger);
        if (larger == NULL) {
            return NULL;
        }
        if (scene->shape_count > 0) {
            memcpy(larger, scene->shapes, (size_t)scene->shape_count * sizeof *larger);
        }
        scene->shapes = larger;
        scene->shape_capacity = capacity;
    }
    return &scene->shapes[scene->shape_count];
}

bool cg_scene_read_rigid(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_rigid_spec spec = cg_rigid_spec_default();
    uint64_t given;
    cg_scene_rigid *rigid = new_shape(reader, value);
    if (rigid == NULL || !cg_scene_read_fields(&cg_type_rigid, value, &spec, &given, reader->error) ||
        !cg_scene_choose_name(reader, &reader->shape_names, value, "shape", reader->scene->shape_count + 1,
                              &rigid->name) ||
        !cg_scene_read_kind(reader, &spec, &rigid->def.shape) ||
        !cg_scene_read_rotation(spec.rotation, &rigid->def.pose.rotation, reader->error)) {
        return false;
    }
    rigid->place = cg_scene_place_of(reader, value);
    rigid->def.pose.position = spec.position;
    rigid->def.friction = spec.friction;
    reader->scene->shape_count++;
    return true;
}
