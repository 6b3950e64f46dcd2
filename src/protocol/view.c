// What a view has, and what it says of the scene and of the division of threads and tissues; view_frame.c has the
// frames. Everything is copied into arrays of the view as 32-bit floats, so that a frame stays as it is while the
// session goes on.
#include "catgut/view.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/transform.h"
#include "catgut/hand.h"
#include "protocol/view_parts.h"
#include "protocol/wire_values.h"
#include "world/world.h"

// Colours that are told apart on a dark and on a light ground, the blue of nylon first.
static const uint32_t thread_colours[] = {0x3b6ea8, 0xc2703d, 0x4f9d69, 0x8a5aa8, 0xb8a23a, 0xa84f6a};
static const uint32_t shape_colours[] = {0x9aa3ab, 0xb59f8a, 0x8fa896, 0xa394ad};

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
    view->infos.threads = take(view, view->thread_count, sizeof *view->infos.threads);
    view->infos.shapes = take(view, view->shape_count, sizeof *view->infos.shapes);
    view->thread_states = take(view, view->thread_count, sizeof *view->thread_states);
    view->shape_states = take(view, view->shape_count, sizeof *view->shape_states);
    view->infos.hands = take(view, view->hand_count, sizeof *view->infos.hands);
    view->hand_states = take(view, view->hand_count, sizeof *view->hand_states);
    view->tool_parts = take(view, CG_TOOL_MOST_PARTS * view->hand_count, sizeof *view->tool_parts);
    view->drivers = take(view, view->hand_count, sizeof *view->drivers);
    view->told_shapes = take(view, view->shape_count, sizeof *view->told_shapes);
    view->told_hands = take(view, view->hand_count, sizeof *view->told_hands);
    view->contacts = take(view, CG_VIEW_MOST_CONTACTS, sizeof *view->contacts);
    view->bites = take(view, CG_VIEW_MOST_BITES, sizeof *view->bites);
    view->torn = take(view, view->tissue_count, sizeof *view->torn);
    view->knots = take(view, view->thread_count, sizeof *view->knots);
    view->tissues = take(view, view->tissue_count, sizeof *view->tissues);
    view->infos.tissues = take(view, view->tissue_count, sizeof *view->infos.tissues);
    view->tissue_states = take(view, view->tissue_count, sizeof *view->tissue_states);
    return view->threads != NULL && view->infos.threads != NULL && view->infos.shapes != NULL &&
           view->thread_states != NULL && view->shape_states != NULL && view->infos.hands != NULL &&
           view->hand_states != NULL && view->tool_parts != NULL && view->drivers != NULL &&
           view->told_shapes != NULL && view->told_hands != NULL && view->contacts != NULL && view->bites != NULL &&
           view->torn != NULL && view->knots != NULL && view->tissues != NULL && view->infos.tissues != NULL &&
           view->tissue_states != NULL;
}

bool cg_view_make_room(cg_session_view *view, cg_viewed_thread *thread, int vertex_count, uint64_t edits)
{
    assert(vertex_count >= 0);
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

bool cg_view_look_at_surface(cg_session_view *view, int place)
{
    assert(place >= 0 && place < view->tissue_count);
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
        good = cg_view_look_at_surface(view, i);
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
    cg_memory_give(&memory, view->infos.tissues);
    cg_memory_give(&memory, view->tissue_states);
    cg_memory_give(&memory, view->threads);
    cg_memory_give(&memory, view->infos.threads);
    cg_memory_give(&memory, view->infos.shapes);
    cg_memory_give(&memory, view->thread_states);
    cg_memory_give(&memory, view->shape_states);
    cg_memory_give(&memory, view->infos.hands);
    cg_memory_give(&memory, view->hand_states);
    cg_memory_give(&memory, view->tool_parts);
    cg_memory_give(&memory, view->drivers);
    cg_memory_give(&memory, view->told_shapes);
    cg_memory_give(&memory, view->told_hands);
    cg_memory_give(&memory, view->contacts);
    cg_memory_give(&memory, view->bites);
    cg_memory_give(&memory, view->torn);
    cg_memory_give(&memory, view->knots);
    cg_memory_give(&memory, view);
}

// The scene

int cg_view_find_part(const cg_session_view *view, int place, cg_rigid_part *part)
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
    int body = cg_view_find_part(view, place, &part);
    if (body >= 0) {
        shape = part.shape;
    } else {
        cg_shape_get(cg_session_world(view->session), cg_session_shape(view->session, place), &shape);
    }
    size_t colour = (size_t)(body >= 0 ? body : place) % (sizeof shape_colours / sizeof shape_colours[0]);
    const char *name = body >= 0 ? cg_scene_body_name(view->scene, body) : cg_scene_shape_name(view->scene, place);
    return (cg_wire_shape_info){.name = name,
                                .kind = (uint8_t)shape.kind,
                                .radius = cg_wire_float(shape.radius),
                                .half_length = cg_wire_float(shape.half_length),
                                .half_extents = cg_wire_vec3(shape.half_extents),
                                .colour = shape_colours[colour]};
}

static cg_wire_hand_info describe_hand(const cg_session_view *view, int place)
{
    cg_hand_def def = {0};
    double scope_angle;
    bool has_scope = cg_scene_hand_scope(view->scene, place, &scope_angle);
    cg_hand_get_def(cg_session_world(view->session), cg_session_hand(view->session, place), &def);
    return (cg_wire_hand_info){.name = cg_scene_hand_name(view->scene, place),
                               .jaw = cg_wire_float(def.jaw_length),
                               .force_cap = cg_wire_float(def.max_force),
                               .reach = cg_wire_float(def.reach),
                               .tool = (uint8_t)def.tool,
                               .grip = cg_wire_float(def.grip),
                               .rod_radius = cg_wire_float(def.rod_radius),
                               .rod_length = cg_wire_float(def.rod_length),
                               .edge = cg_wire_vec3(def.edge),
                               .hook_radius = cg_wire_float(def.hook_radius),
                               .has_scope = has_scope,
                               .scope_angle = cg_wire_float(scope_angle)};
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
        view->infos.threads[i] =
            (cg_wire_thread_info){.name = cg_scene_thread_name(view->scene, i),
                                  .radius = cg_wire_float(cg_scene_thread_radius(view->scene, i)),
                                  .colour = thread_colours[colour],
                                  .vertex_count = (uint32_t)cg_scene_thread_vertices(view->scene, i)};
    }
    for (int i = 0; i < view->shape_count; i++) {
        view->infos.shapes[i] = describe_shape(view, i);
    }
    for (int i = 0; i < view->hand_count; i++) {
        view->infos.hands[i] = describe_hand(view, i);
    }
    for (int i = 0; i < view->tissue_count; i++) {
        view->infos.tissues[i] = describe_tissue(view, i);
    }
    memset(message, 0, sizeof *message);
    message->kind = CG_MESSAGE_scene;
    cg_wire_scene *scene = &message->as.scene;
    scene->title = cg_scene_title(view->scene);
    scene->duration = cg_scene_duration(view->scene);
    scene->time_step = cg_session_time_step(view->session);
    scene->threads.items = view->infos.threads;
    scene->threads.count = (uint32_t)view->thread_count;
    scene->shapes.items = view->infos.shapes;
    scene->shapes.count = (uint32_t)view->shape_count;
    scene->hands.items = view->infos.hands;
    scene->hands.count = (uint32_t)view->hand_count;
    scene->tissues.items = view->infos.tissues;
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
        thread->floats[i] = cg_wire_float(arc);
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
    assert(from >= 0);
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
                 (view->tissues[place].is_recorded || cg_view_look_at_surface(view, place)) &&
                 view->tissues[place].known;
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
    assert(from >= 0);
    for (int i = from; i < view->tissue_count; i++) {
        if (view->tissues[i].changed) {
            return i;
        }
    }
    return -1;
}
