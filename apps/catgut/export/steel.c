#include "export/steel.h"

#include <stdlib.h>

static cg_vec3 vec3_of(cg_value_vec3 v)
{
    return (cg_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static cg_transform pose_of(cg_value_vec3 position, cg_value_quat q)
{
    return (cg_transform){vec3_of(position), {(double)q.x, (double)q.y, (double)q.z, (double)q.w}};
}

static cg_shape shape_of(int kind, float radius, float half_length, cg_value_vec3 half_extents)
{
    return (cg_shape){.kind = (cg_shape_kind)kind,
                      .radius = (double)radius,
                      .half_length = (double)half_length,
                      .half_extents = vec3_of(half_extents)};
}

bool cg_steel_open(cg_steel *steel, const cg_session *session, const cg_scene *scene)
{
    *steel = (cg_steel){.first_shape = cg_scene_shape_count(scene)};
    if (cg_view_create(session, scene, NULL, &steel->view).code != CG_OK) {
        return false;
    }
    cg_message message;
    cg_view_scene(steel->view, &message);
    int shapes = (int)message.as.scene.shapes.count;
    steel->body_parts = shapes - steel->first_shape;
    steel->shapes = calloc((size_t)steel->body_parts + 1, sizeof *steel->shapes);
    for (int i = 0; steel->shapes && i < steel->body_parts; i++) {
        const cg_wire_shape_info *info = &message.as.scene.shapes.items[steel->first_shape + i];
        steel->shapes[i] = shape_of(info->kind, info->radius, info->half_length, info->half_extents);
    }
    return steel->shapes != NULL;
}

static bool make_room(cg_steel *steel, int parts)
{
    if (parts > steel->room) {
        cg_rigid_part *larger = realloc(steel->parts, (size_t)parts * sizeof *larger);
        if (!larger) {
            return false;
        }
        steel->parts = larger;
        steel->room = parts;
    }
    return true;
}

bool cg_steel_look(cg_steel *steel, const cg_recorded_frame *frame)
{
    cg_message message;
    if (cg_view_recorded(steel->view, frame, &message).code != CG_OK) {
        return false;
    }
    const cg_wire_frame *seen = &message.as.frame;
    if (!make_room(steel, steel->body_parts + (int)seen->tools.count)) {
        return false;
    }
    steel->part_count = 0;
    for (uint32_t i = 0; i < seen->shapes.count && frame->body_count > 0; i++) {
        const cg_wire_shape_state *state = &seen->shapes.items[i];
        if (state->shape >= steel->first_shape) {
            steel->parts[steel->part_count++] = (cg_rigid_part){steel->shapes[state->shape - steel->first_shape],
                                                                pose_of(state->position, state->rotation)};
        }
    }
    for (uint32_t i = 0; i < seen->tools.count && frame->hand_count > 0; i++) {
        const cg_wire_tool_part *part = &seen->tools.items[i];
        steel->parts[steel->part_count++] =
            (cg_rigid_part){shape_of(part->kind, part->radius, part->half_length, part->half_extents),
                            pose_of(part->position, part->rotation)};
    }
    return true;
}

void cg_steel_close(cg_steel *steel)
{
    cg_view_destroy(steel->view);
    free(steel->parts);
    free(steel->shapes);
    *steel = (cg_steel){0};
}
