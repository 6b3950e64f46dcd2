// Frames from a session, as it is or as a recording has it.
#include <assert.h>
#include <string.h>

#include "base/status.h"
#include "base/transform.h"
#include "catgut/hand.h"
#include "catgut/suture.h"
#include "catgut/view.h"
#include "protocol/view_parts.h"
#include "protocol/wire_values.h"
#include "world/world.h"

static bool look_at_thread(cg_session_view *view, int place, cg_wire_thread_state *state)
{
    const cg_world *world = cg_session_world(view->session);
    cg_thread_id id = cg_session_thread(view->session, place);
    int count;
    const cg_vec3 *positions = cg_thread_positions(world, id, &count);
    cg_viewed_thread *thread = &view->threads[place];
    if (!cg_view_make_room(view, thread, count, cg_thread_topology_version(world, id))) {
        return false;
    }
    float *twist = thread->floats + 3 * count, *tensions = thread->floats + 4 * count;
    for (int i = 0; i < count; i++) {
        thread->floats[3 * i] = cg_wire_float(positions[i].x);
        thread->floats[3 * i + 1] = cg_wire_float(positions[i].y);
        thread->floats[3 * i + 2] = cg_wire_float(positions[i].z);
    }
    cg_vec3 director = {0, 0, 0};
    bool twisted = cg_thread_get_material(world, id, &director, thread->work, count - 1);
    for (int i = 0; i < count - 1 && twisted; i++) {
        twist[i] = cg_wire_float(thread->work[i]);
    }
    bool pulled = cg_thread_tensions(world, id, thread->work, count - 1).code == CG_OK;
    for (int i = 0; i < count - 1 && pulled; i++) {
        tensions[i] = cg_wire_float(thread->work[i]);
    }
    uint32_t segments = (uint32_t)count - 1;
    *state = (cg_wire_thread_state){.thread = (uint16_t)place,
                                    .topology_version = thread->topology_version,
                                    .positions = {.items = thread->floats, .count = 3 * (uint32_t)count},
                                    .director = cg_wire_vec3(director),
                                    .twist = {.items = twist, .count = twisted ? segments : 0},
                                    .tensions = {.items = tensions, .count = pulled ? segments : 0}};
    return true;
}

// Where a body of a recording is, against where it is in the world that was built for it.
static cg_transform recorded_pose(const cg_session_view *view, const cg_recorded_frame *recorded, int body,
                                  cg_transform part)
{
    for (int i = 0; i < recorded->body_count; i++) {
        if (recorded->bodies[i].body == body) {
            const cg_world *world = cg_session_world(view->session);
            cg_transform home = cg_rigid_get_pose(world, cg_world_rigid_at(world, body));
            return transform_compose(recorded->bodies[i].pose, transform_compose(transform_inverse(home), part));
        }
    }
    return part;
}

// `recorded` NULL: as the world has them.
static void look_at_shapes(cg_session_view *view, const cg_recorded_frame *recorded, cg_wire_frame *frame)
{
    const cg_world *world = cg_session_world(view->session);
    uint32_t seen = 0;
    for (int i = 0; i < view->scene_shape_count; i++) {
        cg_shape_id id = cg_session_shape(view->session, i);
        if (!cg_shape_is_valid(world, id)) {
            continue;
        }
        const cg_told_pose *told = &view->told_shapes[i];
        cg_transform pose = told->known ? told->pose : cg_shape_get_pose(world, id);
        cg_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
        cg_shape_get_load(world, id, &force, &torque);
        view->shape_states[seen++] = (cg_wire_shape_state){.shape = (uint16_t)i,
                                                           .position = cg_wire_vec3(pose.position),
                                                           .rotation = cg_wire_quat(pose.rotation),
                                                           .force = cg_wire_vec3(force),
                                                           .torque = cg_wire_vec3(torque)};
    }
    for (int i = view->scene_shape_count; i < view->shape_count; i++) {
        cg_rigid_part part;
        int body = cg_view_find_part(view, i, &part);
        if (body >= 0) {
            cg_transform pose = recorded != NULL ? recorded_pose(view, recorded, body, part.pose) : part.pose;
            view->shape_states[seen++] = (cg_wire_shape_state){
                .shape = (uint16_t)i, .position = cg_wire_vec3(pose.position), .rotation = cg_wire_quat(pose.rotation)};
        }
    }
    frame->shapes.items = view->shape_states;
    frame->shapes.count = seen;
}

// Whether what a hand did is known, or only where it was told to be: old recordings have no hands.
typedef enum knowledge { NOT_RECORDED, KNOWN } knowledge;

static cg_wire_hand_state hand_on_wire(const cg_session_view *view, int place, const cg_hand_state *hand, knowledge of)
{
    return (cg_wire_hand_state){.hand = (uint16_t)place,
                                .closed = hand->closed,
                                .driver = view->drivers[place],
                                .position = cg_wire_vec3(hand->pose.position),
                                .rotation = cg_wire_quat(hand->pose.rotation),
                                .target = cg_wire_vec3(hand->command.position),
                                .force = cg_wire_vec3(hand->force),
                                .torque = cg_wire_vec3(hand->torque),
                                .thread = (int32_t)hand->thread.index - 1,
                                .first_vertex = (uint32_t)hand->first_vertex,
                                .vertex_count = (uint32_t)hand->vertex_count,
                                .tissue = (int32_t)hand->tissue.index - 1,
                                .tool = (uint8_t)hand->tool,
                                .slip = hand->is_slipping   ? 1
                                        : hand->has_slipped ? 2
                                                            : 0,
                                .slip_speed = cg_wire_float(hand->slip_speed),
                                .grip = cg_wire_float(hand->grip),
                                .known = of == KNOWN,
                                .edge_inside = cg_wire_float(hand->edge_inside),
                                .has_jaws = hand->has_jaws,
                                .opening = cg_wire_float(hand->opening),
                                .jaw_force = cg_wire_float(hand->jaw_forces[0]),
                                .other_jaw_force = cg_wire_float(hand->jaw_forces[1]),
                                .latched = hand->is_latched};
}

// The parts of a hand's tool, behind those that the frame has.
static void look_at_tool(cg_session_view *view, int place, const cg_hand_state *hand, cg_wire_frame *frame)
{
    cg_rigid_part parts[CG_TOOL_MOST_PARTS];
    int jaws[CG_TOOL_MOST_PARTS], count = 0;
    if (hand->has_jaws) {
        count = cg_tool_get_parts(hand->tool, CG_GRASP_JAWS, hand->pose, hand->opening, parts, jaws);
    }
    for (int i = 0; i < count; i++) {
        const cg_shape *shape = &parts[i].shape;
        view->tool_parts[frame->tools.count++] = (cg_wire_tool_part){.hand = (uint16_t)place,
                                                                     .jaw = (uint8_t)jaws[i],
                                                                     .kind = (uint8_t)shape->kind,
                                                                     .radius = cg_wire_float(shape->radius),
                                                                     .half_length = cg_wire_float(shape->half_length),
                                                                     .half_extents = cg_wire_vec3(shape->half_extents),
                                                                     .position = cg_wire_vec3(parts[i].pose.position),
                                                                     .rotation = cg_wire_quat(parts[i].pose.rotation)};
    }
    frame->tools.items = view->tool_parts;
}

// Hands as a recording has them; those of a scene that has fewer are left out.
static void look_at_recorded_hands(cg_session_view *view, const cg_recorded_frame *recorded, cg_wire_frame *frame)
{
    uint32_t seen = 0;
    for (int i = 0; i < recorded->hand_count; i++) {
        const cg_recorded_hand *hand = &recorded->hands[i];
        if (hand->hand < view->hand_count) {
            view->hand_states[seen++] = hand_on_wire(view, hand->hand, &hand->state, KNOWN);
            look_at_tool(view, hand->hand, &hand->state, frame);
        }
    }
    frame->hands.items = view->hand_states;
    frame->hands.count = seen;
}

// Hands as the session has them, or where a recording that does not hold them told them to be.
static void look_at_hands(cg_session_view *view, knowledge of, cg_wire_frame *frame)
{
    const cg_world *world = cg_session_world(view->session);
    uint32_t seen = 0;
    for (int i = 0; i < view->hand_count; i++) {
        cg_hand_id id = cg_session_hand(view->session, i);
        if (!cg_hand_is_valid(world, id)) {
            continue;
        }
        cg_hand_state hand = cg_hand_get_state(world, id);
        const cg_told_pose *told = &view->told_hands[i];
        if (told->known) {
            hand.pose = hand.command = told->pose;
        }
        hand.closed = hand.closed || told->closed;
        hand.tool = told->has_tool ? told->tool : hand.tool;
        view->hand_states[seen++] = hand_on_wire(view, i, &hand, of);
        look_at_tool(view, i, &hand, frame);
    }
    frame->hands.items = view->hand_states;
    frame->hands.count = seen;
}

static void look_at_camera(const cg_session_view *view, cg_wire_frame *frame)
{
    cg_camera camera = view->has_told_camera ? view->told_camera : cg_world_get_camera(cg_session_world(view->session));
    if (memcmp(&camera, &view->first_camera, sizeof camera) != 0) {
        frame->has_camera = 1;
        frame->camera_position = cg_wire_vec3(camera.position);
        frame->camera_target = cg_wire_vec3(camera.target);
        frame->camera_up = cg_wire_vec3(camera.up);
    }
}

static void look_at_contacts(cg_session_view *view, cg_wire_frame *frame)
{
    const cg_world *world = cg_session_world(view->session);
    int count = cg_world_contact_count(world);
    uint32_t seen = 0;
    for (int i = 0; i < count && seen < CG_VIEW_MOST_CONTACTS; i++) {
        cg_contact_info info;
        if (!cg_world_get_contact(world, i, &info) || info.tissues[0].index != 0) { // tissue alone is not shown
            continue;
        }
        // the index of a handle is its place, plus one
        view->contacts[seen++] = (cg_wire_contact_state){.thread = (uint16_t)(info.threads[0].index - 1),
                                                         .other_thread = (int32_t)info.threads[1].index - 1,
                                                         .shape = (int32_t)info.shape.index - 1,
                                                         .segment = (uint32_t)info.segments[0],
                                                         .other_segment = (uint32_t)info.segments[1],
                                                         .point = cg_wire_vec3(info.points[0]),
                                                         .normal = cg_wire_vec3(info.normal),
                                                         .force = cg_wire_vec3(info.force),
                                                         .gap = cg_wire_float(info.gap)};
    }
    frame->contacts.items = view->contacts;
    frame->contacts.count = seen;
}

static void look_at_bites(cg_session_view *view, cg_wire_frame *frame)
{
    cg_tissue_bite bites[CG_VIEW_MOST_BITES];
    int count = cg_world_get_bites(cg_session_world(view->session), bites, CG_VIEW_MOST_BITES);
    for (int i = 0; i < count; i++) {
        view->bites[i] = (cg_wire_bite_state){.thread = (uint16_t)(bites[i].thread.index - 1),
                                              .tissue = (uint16_t)(bites[i].tissue.index - 1),
                                              .position = cg_wire_vec3(bites[i].position),
                                              .pull = cg_wire_vec3(bites[i].pull),
                                              .bears = cg_wire_float(bites[i].bears)};
    }
    frame->bites.items = view->bites;
    frame->bites.count = (uint32_t)count;
}

static void look_at_torn(cg_session_view *view, cg_wire_frame *frame)
{
    uint32_t seen = 0;
    for (int i = 0; i < view->tissue_count; i++) {
        cg_tissue_id id = cg_session_tissue(view->session, i);
        double length, area;
        if (cg_tissue_get_torn(cg_session_world(view->session), id, &length, &area) && length > 0) {
            view->torn[seen++] = (cg_wire_torn_state){
                .tissue = (uint16_t)i, .length = cg_wire_float(length), .area = cg_wire_float(area)};
        }
    }
    frame->torn.items = view->torn;
    frame->torn.count = seen;
}

static void look_at_knots(cg_session_view *view, cg_wire_frame *frame)
{
    uint32_t seen = 0;
    for (int i = 0; i < view->thread_count; i++) {
        const cg_knot_report *knot = cg_view_knot_of(view, i);
        if (knot != NULL) {
            view->knots[seen++] = (cg_wire_knot_state){.thread = (uint16_t)i,
                                                       .name = knot->name,
                                                       .common = knot->common,
                                                       .throws = knot->throws_text,
                                                       .certain = knot->certain};
        }
    }
    frame->knots.items = view->knots;
    frame->knots.count = seen;
}

// The surface as the recording has it; older ones do not, then it is that of the scene. False: no memory.
static bool look_at_recorded(cg_session_view *view, int place, const cg_recorded_frame *recorded)
{
    const cg_recorded_surface *surface = &recorded->surfaces[place];
    return surface->version == 0 ? cg_view_look_at_surface(view, place)
                                 : cg_viewed_tissue_update_recorded(&view->tissues[place], &view->allocator, surface);
}

// Tissues as they are, or as a recording has them when `recorded` is not NULL. False when there is no memory.
static bool look_at_tissues(cg_session_view *view, const cg_recorded_frame *recorded, cg_wire_frame *frame)
{
    uint32_t seen = 0;
    for (int i = 0; i < view->tissue_count; i++) {
        cg_viewed_tissue *tissue = &view->tissues[i];
        const cg_vec3 *points = NULL;
        const float *then = NULL;
        if (recorded == NULL) {
            points = cg_tissue_positions(cg_session_world(view->session), cg_session_tissue(view->session, i), NULL);
        } else if (i < recorded->tissue_count && recorded->node_counts[i] > 0) {
            then = recorded->nodes[i];
        }
        if (points == NULL && then == NULL) {
            continue;
        }
        if (!(then != NULL ? look_at_recorded(view, i, recorded) : cg_view_look_at_surface(view, i))) {
            return false;
        }
        if (then == NULL || recorded->node_counts[i] == tissue->total) {
            view->tissue_states[seen++] = cg_viewed_tissue_state(tissue, i, points, then);
        }
    }
    frame->tissues.items = view->tissue_states;
    frame->tissues.count = seen;
    return true;
}

static void look_at_statistics(cg_session_view *view, cg_wire_frame *frame)
{
    cg_world_stats stats = cg_world_get_stats(cg_session_world(view->session));
    cg_session_stats operations = cg_session_get_stats(view->session);
    for (int i = 0; i < CG_STAGE_COUNT; i++) {
        view->stage_seconds[i] = cg_wire_float(stats.stage_seconds[i]);
    }
    frame->step = stats.step_count;
    frame->time = cg_world_time(cg_session_world(view->session));
    frame->stage_seconds = (cg_value_floats){.items = view->stage_seconds, .count = CG_STAGE_COUNT};
    frame->passes = (uint32_t)stats.passes;
    frame->applied = operations.applied;
    frame->refused = operations.refused;
    frame->trouble = stats.recovered_steps + stats.unconverged_steps + stats.unfinished_steps + stats.rough_steps +
                     stats.recovered_tissue_steps;
}

cg_status cg_view_frame(cg_session_view *view, cg_message *message)
{
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_frame;
    cg_wire_frame *frame = &message->as.frame;
    uint32_t seen = 0;
    for (int i = 0; i < view->thread_count; i++) {
        if (!cg_thread_is_valid(cg_session_world(view->session), cg_session_thread(view->session, i))) {
            view->threads[i].has_knot = false;
            continue;
        }
        if (!look_at_thread(view, i, &view->thread_states[seen])) {
            memset(message, 0, sizeof *message);
            return cg_error(CG_OUT_OF_MEMORY, "no memory for a frame");
        }
        seen++;
    }
    if (!look_at_tissues(view, NULL, frame)) {
        memset(message, 0, sizeof *message);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a frame");
    }
    frame->threads.items = view->thread_states;
    frame->threads.count = seen;
    look_at_shapes(view, NULL, frame);
    look_at_hands(view, KNOWN, frame);
    look_at_camera(view, frame);
    look_at_contacts(view, frame);
    look_at_bites(view, frame);
    look_at_torn(view, frame);
    look_at_knots(view, frame);
    look_at_statistics(view, frame);
    return cg_ok();
}

cg_status cg_view_recorded(cg_session_view *view, const cg_recorded_frame *recorded, cg_message *message)
{
    assert(recorded != NULL);
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_frame;
    cg_wire_frame *frame = &message->as.frame;
    uint32_t seen = 0;
    for (int i = 0; i < view->thread_count && i < recorded->thread_count; i++) {
        int count = recorded->vertex_counts[i];
        if (count == 0) {
            continue;
        }
        cg_viewed_thread *thread = &view->threads[i];
        if (!cg_view_make_room(view, thread, count, thread->edits)) {
            memset(message, 0, sizeof *message);
            return cg_error(CG_OUT_OF_MEMORY, "no memory for a frame");
        }
        memcpy(thread->floats, recorded->vertices[i], 3 * (size_t)count * sizeof(float));
        view->thread_states[seen++] =
            (cg_wire_thread_state){.thread = (uint16_t)i,
                                   .topology_version = thread->topology_version,
                                   .positions = {.items = thread->floats, .count = 3 * (uint32_t)count}};
    }
    frame->threads.items = view->thread_states;
    frame->threads.count = seen;
    if (!look_at_tissues(view, recorded, frame)) {
        memset(message, 0, sizeof *message);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a frame");
    }
    frame->step = recorded->step;
    frame->time = recorded->time;
    look_at_shapes(view, recorded, frame);
    if (recorded->hand_count >= 0) {
        look_at_recorded_hands(view, recorded, frame);
    } else {
        look_at_hands(view, NOT_RECORDED, frame);
    }
    look_at_camera(view, frame);
    look_at_knots(view, frame);
    return cg_ok();
}
