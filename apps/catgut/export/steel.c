#include "export/steel.h"

#include <stdlib.h>
#include <string.h>

#include "operation/fields.h"
#include "world/world.h"

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

// Parts of one body follow each other. Names are those of the scene.
static void name_all(cg_steel *steel, const cg_world *world, const cg_wire_scene *scene)
{
    const cg_wire_shape_info *infos = scene->shapes.items + steel->first_shape;
    for (int i = 0, body = 0, number = 0; i < steel->body_parts; i++, number++) {
        while (number >= cg_rigid_get_part_count(world, cg_world_rigid_at(world, body))) {
            number = 0;
            body++;
        }
        steel->shapes[i] = shape_of(infos[i].kind, infos[i].radius, infos[i].half_length, infos[i].half_extents);
        steel->body_labels[i] = (cg_pose_label){.owner = infos[i].name, .place = body, .number = number};
    }
    for (int i = 0; i < steel->hand_places; i++) {
        steel->hand_names[i] = scene->hands.items[i].name;
    }
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
    steel->hand_places = (int)message.as.scene.hands.count;
    steel->shapes = calloc((size_t)steel->body_parts + 1, sizeof *steel->shapes);
    steel->body_labels = calloc((size_t)steel->body_parts + 1, sizeof *steel->body_labels);
    steel->hand_names = calloc((size_t)steel->hand_places + 1, sizeof *steel->hand_names);
    steel->hands = calloc((size_t)steel->hand_places + 1, sizeof *steel->hands);
    bool good = steel->shapes && steel->body_labels && steel->hand_names && steel->hands;
    if (good) {
        name_all(steel, cg_session_world(session), &message.as.scene);
    }
    return good;
}

static bool make_room(cg_steel *steel, int parts)
{
    if (parts > steel->room) {
        cg_rigid_part *larger = realloc(steel->parts, (size_t)parts * sizeof *larger);
        steel->parts = larger ? larger : steel->parts;
        cg_pose_label *labels = realloc(steel->labels, (size_t)parts * sizeof *labels);
        steel->labels = labels ? labels : steel->labels;
        if (!larger || !labels) {
            return false;
        }
        steel->room = parts;
    }
    return true;
}

static void add_part(cg_steel *steel, cg_rigid_part part, cg_pose_label label)
{
    steel->parts[steel->part_count] = part;
    steel->labels[steel->part_count++] = label;
}

static void look_at_hands(cg_steel *steel, const cg_wire_frame *seen)
{
    steel->hand_count = 0;
    for (uint32_t i = 0; i < seen->hands.count && steel->hand_count < steel->hand_places; i++) {
        const cg_wire_hand_state *hand = &seen->hands.items[i];
        if (hand->known && hand->hand < steel->hand_places) {
            steel->hands[steel->hand_count++] =
                (cg_pose_hand){.name = steel->hand_names[hand->hand],
                               .tool = cg_tool_word((cg_hand_tool)hand->tool),
                               .closed = hand->closed != 0,
                               .pose = pose_of(hand->position, hand->rotation),
                               .opening = (double)hand->opening,
                               .jaw_forces = {(double)hand->jaw_force, (double)hand->other_jaw_force},
                               .force = vec3_of(hand->force),
                               .torque = vec3_of(hand->torque)};
        }
    }
}

// What a hand carries now.
static const char *tool_of(const cg_wire_frame *seen, int hand)
{
    for (uint32_t i = 0; i < seen->hands.count; i++) {
        if (seen->hands.items[i].hand == hand) {
            return cg_tool_word((cg_hand_tool)seen->hands.items[i].tool);
        }
    }
    return cg_tool_word(CG_TOOL_GRASPER);
}

static void look_at_tools(cg_steel *steel, const cg_wire_frame *seen)
{
    int number = 0;
    for (uint32_t i = 0; i < seen->tools.count; i++) {
        const cg_wire_tool_part *part = &seen->tools.items[i];
        bool is_next = i > 0 && part[-1].hand == part->hand;
        number = is_next ? number + 1 : 0;
        const char *owner = part->hand < steel->hand_places ? steel->hand_names[part->hand] : "";
        add_part(steel,
                 (cg_rigid_part){shape_of(part->kind, part->radius, part->half_length, part->half_extents),
                                 pose_of(part->position, part->rotation)},
                 (cg_pose_label){owner, tool_of(seen, part->hand), part->hand, number});
    }
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
            int place = state->shape - steel->first_shape;
            add_part(steel, (cg_rigid_part){steel->shapes[place], pose_of(state->position, state->rotation)},
                     steel->body_labels[place]);
        }
    }
    if (frame->hand_count > 0) {
        look_at_tools(steel, seen);
    }
    look_at_hands(steel, seen);
    return true;
}

void cg_steel_close(cg_steel *steel)
{
    cg_view_destroy(steel->view);
    free(steel->parts);
    free(steel->labels);
    free(steel->shapes);
    free(steel->body_labels);
    free(steel->hand_names);
    free(steel->hands);
    *steel = (cg_steel){0};
}
