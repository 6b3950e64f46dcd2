// Frames from a session. Everything is copied into arrays of the view as 32-bit floats, so that a frame stays as it is
// while the session goes on.
#include "catgut/view.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/transform.h"
#include "catgut/hand.h"
#include "session/view_parts.h"
#include "world/world.h"

// Colours that are told apart on a dark and on a light ground, the blue of nylon first.
static const uint32_t thread_colours[] = {0x3b6ea8, 0xc2703d, 0x4f9d69, 0x8a5aa8, 0xb8a23a, 0xa84f6a};
static const uint32_t shape_colours[] = {0x9aa3ab, 0xb59f8a, 0x8fa896, 0xa394ad};

// A frame has no room for what is not finite.
static float to_float(double value)
{
    return value > -1e30 && value < 1e30 ? (float)value : 0.0f;
}

static cg_value_vec3 to_vec3(cg_vec3 v)
{
    return (cg_value_vec3){to_float(v.x), to_float(v.y), to_float(v.z)};
}

static cg_value_quat to_quat(cg_quat q)
{
    return (cg_value_quat){to_float(q.x), to_float(q.y), to_float(q.z), to_float(q.w)};
}

static void *take(cg_session_view *view, int count, size_t size)
{
    return cg_memory_take(&view->allocator, (size_t)(count > 0 ? count : 1) * size);
}

// Of all rigid bodies.
static int count_parts(const cg_session *session)
{
    const cg_world *world = cg_session_world(session);
    int count = 0;
    for (const cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        count += r->part_count;
    }
    return count;
}

static bool take_arrays(cg_session_view *view)
{
    view->threads = take(view, view->thread_count, sizeof *view->threads);
    view->thread_infos = take(view, view->thread_count, sizeof *view->thread_infos);
    view->shape_infos = take(view, view->shape_count, sizeof *view->shape_infos);
    view->thread_states = take(view, view->thread_count, sizeof *view->thread_states);
    view->shape_states = take(view, view->shape_count, sizeof *view->shape_states);
    view->hand_infos = take(view, view->hand_count, sizeof *view->hand_infos);
    view->hand_states = take(view, view->hand_count, sizeof *view->hand_states);
    view->tool_parts = take(view, CG_TOOL_MOST_PARTS * view->hand_count, sizeof *view->tool_parts);
    view->drivers = take(view, view->hand_count, sizeof *view->drivers);
    view->told_shapes = take(view, view->shape_count, sizeof *view->told_shapes);
    view->told_hands = take(view, view->hand_count, sizeof *view->told_hands);
    view->contacts = take(view, CG_VIEW_MOST_CONTACTS, sizeof *view->contacts);
    view->knots = take(view, view->thread_count, sizeof *view->knots);
    view->tissues = take(view, view->tissue_count, sizeof *view->tissues);
    view->tissue_infos = take(view, view->tissue_count, sizeof *view->tissue_infos);
    view->tissue_states = take(view, view->tissue_count, sizeof *view->tissue_states);
    return view->threads != NULL && view->thread_infos != NULL && view->shape_infos != NULL &&
           view->thread_states != NULL && view->shape_states != NULL && view->hand_infos != NULL &&
           view->hand_states != NULL && view->tool_parts != NULL && view->drivers != NULL &&
           view->told_shapes != NULL && view->told_hands != NULL && view->contacts != NULL && view->knots != NULL &&
           view->tissues != NULL && view->tissue_infos != NULL && view->tissue_states != NULL;
}

bool cg_view_make_room(cg_session_view *view, cg_viewed_thread *thread, int vertex_count, uint64_t edits)
{
    uint64_t state_changes = cg_session_state_changes(view->session);
    if (vertex_count != thread->vertex_count || edits != thread->edits || state_changes != thread->state_changes) {
        thread->topology_version += 1;
        thread->changed = true;
        thread->vertex_count = vertex_count;
        thread->edits = edits;
        thread->state_changes = state_changes;
    }
    if (vertex_count <= thread->room) {
        return true;
    }
    int room = vertex_count + vertex_count / 2;
    float *floats = take(view, 5 * room, sizeof *floats);
    double *work = take(view, room, sizeof *work);
    cg_memory_give(&view->allocator, thread->floats);
    cg_memory_give(&view->allocator, thread->work);
    thread->floats = floats;
    thread->work = work;
    thread->room = floats != NULL && work != NULL ? room : 0;
    return thread->room > 0;
}

// Looks at the surface of a tissue, if it is there; false when there is no memory for it.
static bool look_at_surface(cg_session_view *view, int place)
{
    const cg_world *world = cg_session_world(view->session);
    cg_tissue_id id = cg_session_tissue(view->session, place);
    return !cg_tissue_is_valid(world, id) || cg_viewed_tissue_update(&view->tissues[place], &view->allocator, world, id,
                                                                     cg_session_state_changes(view->session));
}

cg_status cg_view_create(const cg_session *session, const cg_scene *scene, const cg_allocator *allocator,
                         cg_session_view **out)
{
    *out = NULL;
    cg_allocator memory = allocator != NULL ? *allocator : cg_memory_default();
    cg_session_view *view = cg_memory_take(&memory, sizeof *view);
    if (view == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a view");
    }
    view->allocator = memory;
    view->session = session;
    view->scene = scene;
    view->thread_count = cg_scene_thread_count(scene);
    view->scene_shape_count = cg_scene_shape_count(scene);
    view->shape_count = view->scene_shape_count + count_parts(session);
    view->hand_count = cg_scene_hand_count(scene);
    // Pieces of tissues may become tissues of their own.
    view->scene_tissue_count = cg_scene_tissue_count(scene);
    view->tissue_count = view->scene_tissue_count > 0 ? cg_session_world(session)->tissues.capacity : 0;
    view->first_camera = cg_world_get_camera(cg_session_world(session));
    bool good = take_arrays(view);
    for (int i = 0; i < view->thread_count && good; i++) {
        good = cg_view_make_room(view, &view->threads[i], cg_scene_thread_vertices(scene, i), 0);
    }
    for (int i = 0; i < view->tissue_count && good; i++) {
        good = look_at_surface(view, i);
    }
    if (!good) {
        cg_view_destroy(view);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a view");
    }
    *out = view;
    return cg_ok();
}

void cg_view_destroy(cg_session_view *view)
{
    if (view == NULL) {
        return;
    }
    cg_allocator memory = view->allocator;
    for (int i = 0; view->threads != NULL && i < view->thread_count; i++) {
        cg_memory_give(&memory, view->threads[i].floats);
        cg_memory_give(&memory, view->threads[i].work);
        cg_knot_tracker_destroy(view->threads[i].tracker);
    }
    for (int i = 0; view->tissues != NULL && i < view->tissue_count; i++) {
        cg_viewed_tissue_free(&view->tissues[i], &memory);
    }
    cg_memory_give(&memory, view->tissues);
    cg_memory_give(&memory, view->tissue_infos);
    cg_memory_give(&memory, view->tissue_states);
    cg_memory_give(&memory, view->threads);
    cg_memory_give(&memory, view->thread_infos);
    cg_memory_give(&memory, view->shape_infos);
    cg_memory_give(&memory, view->thread_states);
    cg_memory_give(&memory, view->shape_states);
    cg_memory_give(&memory, view->hand_infos);
    cg_memory_give(&memory, view->hand_states);
    cg_memory_give(&memory, view->tool_parts);
    cg_memory_give(&memory, view->drivers);
    cg_memory_give(&memory, view->told_shapes);
    cg_memory_give(&memory, view->told_hands);
    cg_memory_give(&memory, view->contacts);
    cg_memory_give(&memory, view->knots);
    cg_memory_give(&memory, view);
}

// The scene

// Parts of rigid bodies are shown as shapes, behind those of the scene. Which of them, or -1: it is none.
static int find_part(const cg_session_view *view, int place, cg_rigid_part *part)
{
    const cg_world *world = cg_session_world(view->session);
    int left = place - view->scene_shape_count;
    for (int i = 0; left >= 0 && i < cg_scene_body_count(view->scene); i++) {
        cg_rigid_id id = cg_world_rigid_at(world, i);
        if (cg_rigid_get_part(world, id, left, part)) {
            return i;
        }
        left -= cg_rigid_get_part_count(world, id);
    }
    return -1;
}

static cg_wire_shape_info describe_shape(const cg_session_view *view, int place)
{
    cg_shape shape = {0};
    cg_rigid_part part;
    int body = find_part(view, place, &part);
    if (body >= 0) {
        shape = part.shape;
    } else {
        cg_shape_get(cg_session_world(view->session), cg_session_shape(view->session, place), &shape);
    }
    size_t colour = (size_t)(body >= 0 ? body : place) % (sizeof shape_colours / sizeof shape_colours[0]);
    const char *name = body >= 0 ? cg_scene_body_name(view->scene, body) : cg_scene_shape_name(view->scene, place);
    return (cg_wire_shape_info){.name = name,
                                .kind = (uint8_t)shape.kind,
                                .radius = to_float(shape.radius),
                                .half_length = to_float(shape.half_length),
                                .half_extents = to_vec3(shape.half_extents),
                                .colour = shape_colours[colour]};
}

static cg_wire_hand_info describe_hand(const cg_session_view *view, int place)
{
    cg_hand_def def = {0};
    cg_hand_get_def(cg_session_world(view->session), cg_session_hand(view->session, place), &def);
    return (cg_wire_hand_info){.name = cg_scene_hand_name(view->scene, place),
                               .jaw = to_float(def.jaw_length),
                               .force_cap = to_float(def.max_force),
                               .reach = to_float(def.reach),
                               .tool = (uint8_t)def.tool,
                               .grip = to_float(def.grip),
                               .rod_radius = to_float(def.rod_radius),
                               .rod_length = to_float(def.rod_length),
                               .edge = to_vec3(def.edge),
                               .hook_radius = to_float(def.hook_radius)};
}

// A place that is still free is described as the first tissue: a piece of it may come there.
static cg_wire_tissue_info describe_tissue(cg_session_view *view, int place)
{
    const cg_world *world = cg_session_world(view->session);
    bool is_named = place < view->scene_tissue_count;
    cg_tissue_id id = cg_session_tissue(view->session, place);
    id = is_named || cg_tissue_is_valid(world, id) ? id : cg_session_tissue(view->session, 0);
    const char *name = is_named ? cg_scene_tissue_name(view->scene, place) : "";
    return cg_viewed_tissue_info(&view->tissues[place], world, id, name, place);
}

void cg_view_scene(cg_session_view *view, cg_message *message)
{
    for (int i = 0; i < view->thread_count; i++) {
        size_t colour = (size_t)i % (sizeof thread_colours / sizeof thread_colours[0]);
        view->thread_infos[i] =
            (cg_wire_thread_info){.name = cg_scene_thread_name(view->scene, i),
                                  .radius = to_float(cg_scene_thread_radius(view->scene, i)),
                                  .colour = thread_colours[colour],
                                  .vertex_count = (uint32_t)cg_scene_thread_vertices(view->scene, i)};
    }
    for (int i = 0; i < view->shape_count; i++) {
        view->shape_infos[i] = describe_shape(view, i);
    }
    for (int i = 0; i < view->hand_count; i++) {
        view->hand_infos[i] = describe_hand(view, i);
    }
    for (int i = 0; i < view->tissue_count; i++) {
        view->tissue_infos[i] = describe_tissue(view, i);
    }
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_scene;
    cg_wire_scene *scene = &message->as.scene;
    scene->title = cg_scene_title(view->scene);
    scene->duration = cg_scene_duration(view->scene);
    scene->time_step = cg_session_time_step(view->session);
    scene->threads.items = view->thread_infos;
    scene->threads.count = (uint32_t)view->thread_count;
    scene->shapes.items = view->shape_infos;
    scene->shapes.count = (uint32_t)view->shape_count;
    scene->hands.items = view->hand_infos;
    scene->hands.count = (uint32_t)view->hand_count;
    scene->tissues.items = view->tissue_infos;
    scene->tissues.count = (uint32_t)view->tissue_count;
}

void cg_view_set_driver(cg_session_view *view, int hand, uint32_t client)
{
    if (hand >= 0 && hand < view->hand_count) {
        view->drivers[hand] = client;
    }
}

bool cg_view_topology(cg_session_view *view, int place, cg_message *message)
{
    int count = 0;
    const cg_world *world = cg_session_world(view->session);
    const double *lengths = NULL;
    uint64_t edits = 0;
    if (place >= 0 && place < view->thread_count) {
        lengths = cg_thread_rest_lengths(world, cg_session_thread(view->session, place), &count);
        edits = cg_thread_topology_version(world, cg_session_thread(view->session, place));
    }
    if (lengths == NULL || !cg_view_make_room(view, &view->threads[place], count + 1, edits)) {
        return false;
    }
    cg_viewed_thread *thread = &view->threads[place];
    double arc = 0;
    for (int i = 0; i <= count; i++) {
        thread->floats[i] = to_float(arc);
        arc += i < count ? lengths[i] : 0;
    }
    thread->changed = false;
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_topology;
    message->as.topology.thread = (uint16_t)place;
    message->as.topology.topology_version = thread->topology_version;
    message->as.topology.arcs = (cg_value_floats){.items = thread->floats, .count = (uint32_t)count + 1};
    return true;
}

int cg_view_changed_thread(const cg_session_view *view, int from)
{
    for (int i = from; i < view->thread_count; i++) {
        if (view->threads[i].changed) {
            return i;
        }
    }
    return -1;
}

bool cg_view_surface(cg_session_view *view, int place, cg_message *message)
{
    bool known = place >= 0 && place < view->tissue_count &&
                 (view->tissues[place].is_recorded || look_at_surface(view, place)) && view->tissues[place].known;
    if (!known) {
        return false;
    }
    cg_viewed_tissue *tissue = &view->tissues[place];
    tissue->changed = false;
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_surface;
    cg_wire_surface *surface = &message->as.surface;
    surface->tissue = (uint16_t)place;
    surface->topology_version = tissue->topology_version;
    surface->nodes.items = tissue->nodes;
    surface->nodes.count = (uint32_t)tissue->count;
    surface->triangles.items = tissue->triangles;
    surface->triangles.count = (uint32_t)tissue->triangle_count;
    return true;
}

bool cg_view_surface_change(cg_session_view *view, int place, cg_message *message)
{
    if (place < 0 || place >= view->tissue_count || !view->tissues[place].changed || !view->tissues[place].in_parts) {
        return false;
    }
    cg_viewed_tissue *tissue = &view->tissues[place];
    tissue->changed = false;
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_surface_change;
    cg_wire_surface_change *change = &message->as.surface_change;
    change->tissue = (uint16_t)place;
    change->topology_version = tissue->topology_version;
    change->node_count = (uint32_t)tissue->count;
    change->triangle_count = (uint32_t)tissue->triangle_count;
    change->nodes.items = tissue->changed_nodes;
    change->nodes.count = (uint32_t)tissue->changed_node_count;
    change->triangles.items = tissue->changed_triangles;
    change->triangles.count = (uint32_t)tissue->changed_triangle_count;
    return true;
}

int cg_view_changed_tissue(const cg_session_view *view, int from)
{
    for (int i = from; i < view->tissue_count; i++) {
        if (view->tissues[i].changed) {
            return i;
        }
    }
    return -1;
}

// The frame

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
        thread->floats[3 * i] = to_float(positions[i].x);
        thread->floats[3 * i + 1] = to_float(positions[i].y);
        thread->floats[3 * i + 2] = to_float(positions[i].z);
    }
    cg_vec3 director = {0, 0, 0};
    bool twisted = cg_thread_get_material(world, id, &director, thread->work, count - 1);
    for (int i = 0; i < count - 1 && twisted; i++) {
        twist[i] = to_float(thread->work[i]);
    }
    bool pulled = cg_thread_tensions(world, id, thread->work, count - 1).code == CG_OK;
    for (int i = 0; i < count - 1 && pulled; i++) {
        tensions[i] = to_float(thread->work[i]);
    }
    uint32_t segments = (uint32_t)count - 1;
    *state = (cg_wire_thread_state){.thread = (uint16_t)place,
                                    .topology_version = thread->topology_version,
                                    .positions = {.items = thread->floats, .count = 3 * (uint32_t)count},
                                    .director = to_vec3(director),
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
                                                           .position = to_vec3(pose.position),
                                                           .rotation = to_quat(pose.rotation),
                                                           .force = to_vec3(force),
                                                           .torque = to_vec3(torque)};
    }
    for (int i = view->scene_shape_count; i < view->shape_count; i++) {
        cg_rigid_part part;
        int body = find_part(view, i, &part);
        if (body >= 0) {
            cg_transform pose = recorded != NULL ? recorded_pose(view, recorded, body, part.pose) : part.pose;
            view->shape_states[seen++] = (cg_wire_shape_state){
                .shape = (uint16_t)i, .position = to_vec3(pose.position), .rotation = to_quat(pose.rotation)};
        }
    }
    frame->shapes.items = view->shape_states;
    frame->shapes.count = seen;
}

static cg_wire_hand_state hand_on_wire(const cg_session_view *view, int place, const cg_hand_state *hand, bool known)
{
    return (cg_wire_hand_state){.hand = (uint16_t)place,
                                .closed = hand->closed,
                                .driver = view->drivers[place],
                                .position = to_vec3(hand->pose.position),
                                .rotation = to_quat(hand->pose.rotation),
                                .target = to_vec3(hand->command.position),
                                .force = to_vec3(hand->force),
                                .torque = to_vec3(hand->torque),
                                .thread = (int32_t)hand->thread.index - 1,
                                .first_vertex = (uint32_t)hand->first_vertex,
                                .vertex_count = (uint32_t)hand->vertex_count,
                                .tissue = (int32_t)hand->tissue.index - 1,
                                .tool = (uint8_t)hand->tool,
                                .slip = hand->is_slipping   ? 1
                                        : hand->has_slipped ? 2
                                                            : 0,
                                .slip_speed = to_float(hand->slip_speed),
                                .grip = to_float(hand->grip),
                                .known = known,
                                .edge_inside = to_float(hand->edge_inside),
                                .has_jaws = hand->has_jaws,
                                .opening = to_float(hand->opening),
                                .jaw_force = to_float(hand->jaw_forces[0]),
                                .other_jaw_force = to_float(hand->jaw_forces[1]),
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
                                                                     .radius = to_float(shape->radius),
                                                                     .half_length = to_float(shape->half_length),
                                                                     .half_extents = to_vec3(shape->half_extents),
                                                                     .position = to_vec3(parts[i].pose.position),
                                                                     .rotation = to_quat(parts[i].pose.rotation)};
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
            view->hand_states[seen++] = hand_on_wire(view, hand->hand, &hand->state, true);
            look_at_tool(view, hand->hand, &hand->state, frame);
        }
    }
    frame->hands.items = view->hand_states;
    frame->hands.count = seen;
}

// Hands as the session has them, or where a recording that does not hold them told them to be.
static void look_at_hands(cg_session_view *view, bool known, cg_wire_frame *frame)
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
        view->hand_states[seen++] = hand_on_wire(view, i, &hand, known);
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
        frame->camera_position = to_vec3(camera.position);
        frame->camera_target = to_vec3(camera.target);
        frame->camera_up = to_vec3(camera.up);
    }
}

static void look_at_contacts(cg_session_view *view, cg_wire_frame *frame)
{
    const cg_world *world = cg_session_world(view->session);
    int count = cg_world_contact_count(world);
    uint32_t seen = 0;
    for (int i = 0; i < count && seen < CG_VIEW_MOST_CONTACTS; i++) {
        cg_contact_info info;
        if (!cg_world_get_contact(world, i, &info)) {
            continue;
        }
        // the index of a handle is its place, plus one
        view->contacts[seen++] = (cg_wire_contact_state){.thread = (uint16_t)(info.threads[0].index - 1),
                                                         .other_thread = (int32_t)info.threads[1].index - 1,
                                                         .shape = (int32_t)info.shape.index - 1,
                                                         .segment = (uint32_t)info.segments[0],
                                                         .other_segment = (uint32_t)info.segments[1],
                                                         .point = to_vec3(info.points[0]),
                                                         .normal = to_vec3(info.normal),
                                                         .force = to_vec3(info.force),
                                                         .gap = to_float(info.gap)};
    }
    frame->contacts.items = view->contacts;
    frame->contacts.count = seen;
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
    return surface->version == 0 ? look_at_surface(view, place)
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
        if (!(then != NULL ? look_at_recorded(view, i, recorded) : look_at_surface(view, i))) {
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
        view->stage_seconds[i] = to_float(stats.stage_seconds[i]);
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
    look_at_hands(view, true, frame);
    look_at_camera(view, frame);
    look_at_contacts(view, frame);
    look_at_knots(view, frame);
    look_at_statistics(view, frame);
    return cg_ok();
}

cg_status cg_view_recorded(cg_session_view *view, const cg_recorded_frame *recorded, cg_message *message)
{
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
        look_at_hands(view, false, frame);
    }
    look_at_camera(view, frame);
    look_at_knots(view, frame);
    return cg_ok();
}
