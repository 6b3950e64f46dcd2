#include "export/steel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "operation/fields.h"
#include "support/vector.h"
#include "world/world.h"

enum { MOST_PLAIN_PARTS = 2 }; // of a tool without jaws

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
    *steel = (cg_steel){.session = session, .first_shape = cg_scene_shape_count(scene)};
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

// What is told of jaws, of a hand that has some. A jaw that touches nothing may be drawn a little: it does not press.
static double from_zero(double value)
{
    return value > 0 ? value : 0;
}

static void look_at_hands(cg_steel *steel, const cg_recorded_frame *frame)
{
    steel->hand_count = 0;
    for (int i = 0; i < frame->hand_count && steel->hand_count < steel->hand_places; i++) {
        const cg_hand_state *hand = &frame->hands[i].state;
        if (frame->hands[i].hand >= steel->hand_places) {
            continue;
        }
        bool jaws = hand->has_jaws, holds_tissue = hand->tissue.index > 0;
        steel->hands[steel->hand_count++] = (cg_pose_hand){
            .name = steel->hand_names[frame->hands[i].hand],
            .tool = cg_tool_word(hand->tool),
            .closed = hand->closed,
            .pose = hand->pose,
            .opening = jaws ? fmin(from_zero(hand->opening), 1) : NAN,
            .jaw_forces = {jaws ? from_zero(hand->jaw_forces[0]) : NAN, jaws ? from_zero(hand->jaw_forces[1]) : NAN},
            .force = hand->force,
            .torque = hand->torque,
            .command = hand->command,
            .lag = hand->lag,
            .slip_speed = holds_tissue ? hand->slip_speed : NAN};
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

// A rod in the world, from the place of a hand to a point in its frame.
static cg_rigid_part rod_to(cg_transform hand, cg_vec3 from, cg_vec3 to, double radius)
{
    cg_vec3 way = vec_sub(to, from), middle = vec_scale(0.5, vec_add(from, to));
    double length = vec_length(way);
    cg_transform at = {vec_add(hand.position, quat_rotate(hand.rotation, middle)),
                       quat_multiply(hand.rotation, quat_between(vec(0, 0, 1), vec_scale(1 / length, way)))};
    return (cg_rigid_part){{.kind = CG_SHAPE_CAPSULE, .radius = radius, .half_length = 0.5 * length}, at};
}

// Tools without jaws that have a body, by the definition of the hand: the rod of a probe, the edge of a scalpel with
// its handle, the shaft of a hook. A grasper without jaws has none.
static void look_at_plain_tool(cg_steel *steel, const cg_recorded_hand *hand)
{
    static const double SHAFT = 1e-3, SHAFT_LENGTH = 40e-3, EDGE = 0.2e-3; // [m] as a mark of where it is
    const cg_hand_state *state = &hand->state;
    cg_hand_def def;
    if (state->has_jaws || state->tool == CG_TOOL_GRASPER ||
        !cg_hand_get_def(cg_session_world(steel->session), cg_session_hand(steel->session, hand->hand), &def)) {
        return;
    }
    cg_pose_label label = {steel->hand_names[hand->hand], cg_tool_word(state->tool), hand->hand, 0};
    cg_vec3 from = {0, 0, 0};
    bool is_probe = state->tool == CG_TOOL_PROBE;
    double radius = is_probe ? def.rod_radius : SHAFT, length = is_probe ? def.rod_length : SHAFT_LENGTH;
    if (state->tool == CG_TOOL_SCALPEL) {
        add_part(steel, rod_to(state->pose, from, def.edge, EDGE), label);
        label.number++;
        from = def.edge;
    }
    if (length > 0) {
        add_part(steel, rod_to(state->pose, from, vec_add(from, vec(0, 0, length)), radius), label);
    }
}

bool cg_steel_look(cg_steel *steel, const cg_recorded_frame *frame)
{
    cg_message message;
    if (cg_view_recorded(steel->view, frame, &message).code != CG_OK) {
        return false;
    }
    const cg_wire_frame *seen = &message.as.frame;
    int hands = frame->hand_count > 0 ? frame->hand_count : 0;
    if (!make_room(steel, steel->body_parts + (int)seen->tools.count + MOST_PLAIN_PARTS * hands)) {
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
    for (int i = 0; i < hands; i++) {
        if (frame->hands[i].hand < steel->hand_places) {
            look_at_plain_tool(steel, &frame->hands[i]);
        }
    }
    look_at_hands(steel, frame);
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
