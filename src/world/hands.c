// The hands of a world: the public calls, and their part in the step.
#include "base/status.h"
#include "base/transform.h"
#include "find/channel.h"
#include "geometry/shape.h"
#include "world/world.h"

static cg_hand *find_hand(const cg_world *world, cg_hand_id id)
{
    return cg_pool_get(&world->hands, (cg_handle){id.index, id.generation});
}

static cg_status bad_handle(cg_hand_id id)
{
    return cg_error(CG_BAD_HANDLE, "hand id (%u, %u) names no hand of this world", id.index, id.generation);
}

static cg_hand *first_hand(const cg_world *world)
{
    return cg_pool_first(&world->hands);
}

static cg_hand *next_hand(const cg_world *world, const cg_hand *hand)
{
    return cg_pool_next(&world->hands, hand);
}

static cg_thread *held_thread(const cg_world *world, const cg_hand *hand)
{
    cg_thread_slot *slot = hand->count > 0 ? cg_pool_get(&world->threads, hand->thread) : NULL;
    return slot != NULL && !slot->is_spare && !slot->is_led ? slot->thread : NULL;
}

static cg_tissue_slot *held_tissue(const cg_world *world, const cg_hand *hand)
{
    return hand->patch_count > 0 ? cg_pool_get(&world->tissues, hand->tissue) : NULL;
}

// Making and unmaking

static cg_status check_pose(const cg_transform *pose)
{
    cg_quat q = pose->rotation;
    double square = quat_dot(q, q);
    if (!v3_is_finite(pose->position) || !(v3_dot(pose->position, pose->position) <= 1e12)) {
        return cg_error(CG_BAD_INPUT, "the position of a hand is not within 1e6 m of the origin");
    }
    if (!(square > 1e-12 && square < 1e12)) {
        return cg_error(CG_BAD_INPUT, "the rotation of a hand is no rotation: (%g, %g, %g, %g)", q.x, q.y, q.z, q.w);
    }
    return cg_ok();
}

static cg_status check_def(const cg_hand_def *def)
{
    const struct {
        const char *name, *unit;
        double value, low, high;
    } ranges[] = {
        {"mass", "kg", def->mass, 1e-9, 100},
        {"stiffness", "N/m", def->stiffness, 1e-9, 1e9},
        {"damping", "N s/m", def->damping, 0, 1e9},
        {"max_force", "N", def->max_force, 1e-9, 1e6},
        {"turn_stiffness", "N m/rad", def->turn_stiffness, 0, 1e6},
        {"max_torque", "N m", def->max_torque, 1e-12, 1e6},
        {"reach", "m", def->reach, 1e-9, 1},
        {"jaw_length", "m", def->jaw_length, 0, 1},
        {"tool", "", (double)def->tool, 0, CG_TOOL_COUNT - 1},
        {"grip", "N", def->grip, 0, 1e6},
        {"jaw_friction", "", def->jaw_friction, 0, 100},
        {"rod_radius", "m", def->rod_radius, 1e-9, 0.1},
        {"rod_length", "m", def->rod_length, 0, 1},
        {"rod_friction", "", def->rod_friction, 0, 100},
        {"length of the edge", "m", v3_length(def->edge), 1e-9, 0.1},
        {"blade_width", "m", def->blade_width, 0, 0.05},
        {"hook_radius", "m", def->hook_radius, 1e-9, 0.1},
        {"hook_power", "W", def->hook_power, 0, 1000},
        {"hook_length", "m", def->hook_length, 0, 0.05},
        {"grasp", "", (double)def->grasp, 0, CG_GRASP_COUNT - 1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (!(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)) {
            return cg_error(CG_BAD_INPUT, "%s is %g %s; expected %g to %g", ranges[i].name, ranges[i].value,
                            ranges[i].unit, ranges[i].low, ranges[i].high);
        }
    }
    if (def->has_port && !(v3_length(def->port) <= 1e3)) {
        return cg_error(CG_BAD_INPUT, "the port is %g m away; expected 1000 m or less", v3_length(def->port));
    }
    return check_pose(&def->pose);
}

static cg_transform normalised(cg_transform pose)
{
    pose.rotation = quat_normalise(pose.rotation);
    return pose;
}

// Gives a hand its tool.
static cg_status change_bodies(cg_world *world, cg_hand *hand, cg_hand_tool tool)
{
    bool had_body = cg_hand_has_body(hand);
    hand->tool = tool;
    cg_blade_begin(&hand->blade);
    if (cg_hand_has_body(hand)) {
        cg_hand_make_body(hand);
    }
    return had_body || cg_hand_has_body(hand) ? cg_world_fit_touches(world) : cg_ok();
}

// Whether nothing is where the body of a hand with this tool would be.
static cg_status check_room(const cg_world *world, const cg_hand *hand, cg_hand_tool tool)
{
    cg_hand tried = *hand;
    tried.tool = tool;
    if (!cg_hand_has_body(&tried)) {
        return cg_ok();
    }
    cg_hand_make_body(&tried);
    return cg_world_check_room_for_tool(world, hand, &tried.jaws);
}

cg_status cg_world_add_hand(cg_world *world, const cg_hand_def *def, cg_hand_id *id)
{
    *id = (cg_hand_id){0, 0};
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_handle handle;
    cg_hand *hand = cg_pool_take(&world->hands, &handle);
    if (hand == NULL) {
        return cg_error(CG_FULL, "the world already has its %d hands", world->def.max_hands);
    }
    hand->def = *def;
    hand->pose = normalised(def->pose);
    hand->pose.rotation = cg_hand_through_port(hand, hand->pose.position, hand->pose.rotation);
    hand->goal = hand->command = hand->last_command = hand->pose;
    status = check_room(world, hand, def->tool);
    if (status.code == CG_OK) {
        status = change_bodies(world, hand, def->tool);
    }
    if (status.code == CG_OK && def->tool == CG_TOOL_SUTURE_PASSER) {
        status = cg_world_add_passer(world, hand);
    }
    if (status.code != CG_OK) {
        cg_pool_give(&world->hands, handle);
        return status;
    }
    *id = (cg_hand_id){handle.index, handle.generation};
    return status;
}

cg_status cg_world_remove_hand(cg_world *world, cg_hand_id id)
{
    cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return bad_handle(id);
    }
    cg_world_end_cut(world, hand);
    if (hand->tool == CG_TOOL_SUTURE_PASSER) {
        cg_world_open_passer(world, hand);
        cg_world_remove_passer(world, hand);
    }
    cg_hand_drop_needle(hand);
    cg_status status = change_bodies(world, hand, CG_TOOL_GRASPER);
    bool leaves_body = cg_hand_has_body(hand); // which goes with the hand
    cg_pool_give(&world->hands, (cg_handle){id.index, id.generation});
    return leaves_body ? cg_world_fit_touches(world) : status;
}

bool cg_hand_is_valid(const cg_world *world, cg_hand_id id)
{
    return find_hand(world, id) != NULL;
}

void cg_world_let_go_of(cg_world *world, cg_handle thread)
{
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        if (hand->count > 0 && hand->thread.index == thread.index) {
            cg_hand_let_go(hand);
        }
    }
}

void cg_world_let_go_of_tissue(cg_world *world, cg_handle tissue)
{
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        if (hand->patch_count > 0 && hand->tissue.index == tissue.index) {
            cg_hand_let_go(hand);
        }
        if (hand->blade.tissue.index == tissue.index) {
            cg_blade_end(&hand->blade, NULL);
            cg_hand_leave_tissue(hand);
        }
    }
}

void cg_world_let_go_of_body(cg_world *world, const cg_rigid *body)
{
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        if (cg_hand_holds_needle(hand) && hand->jaws.drive.bodies[0] == body) {
            cg_hand_let_go(hand);
        }
    }
}

// Moving, closing and opening

cg_status cg_hand_move(cg_world *world, cg_hand_id id, cg_transform pose, double time)
{
    cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return bad_handle(id);
    }
    if (!(time >= 0 && time <= 1000)) {
        return cg_error(CG_BAD_INPUT, "time is %g s; expected 0 to 1000", time);
    }
    cg_status status = check_pose(&pose);
    if (status.code == CG_OK) {
        hand->goal = normalised(pose);
        hand->time_left = time;
    }
    return status;
}

// What keeps a hand from taking a vertex: somebody has it.
typedef struct vertex_owners {
    const cg_world *world;
    const cg_thread *thread;
} vertex_owners;

static bool is_taken(const void *context, int vertex)
{
    const vertex_owners *owners = context;
    bool taken = owners->thread->held[vertex];
    for (const cg_hand *h = first_hand(owners->world); h != NULL && !taken; h = next_hand(owners->world, h)) {
        taken = held_thread(owners->world, h) == owners->thread && vertex >= h->first && vertex < h->first + h->count;
    }
    return taken;
}

// Takes hold of the nearest tissue within reach, if there is one.
static void grasp_tissue(cg_world *world, cg_hand *hand)
{
    const cg_tissue_slot *nearest = NULL;
    double distance = hand->def.reach + 1;
    cg_mesh_point point = {0};
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        nearest = cg_hand_reaches_tissue(hand, s->tissue->mesh, &distance, &point) ? s : nearest;
    }
    if (nearest != NULL) {
        cg_hand_take_patch(hand, nearest->tissue->mesh, cg_pool_handle_of(&world->tissues, nearest), &point);
    }
}

// The nearest needle within reach that is nearer than this. Bodies move by contacts: a world without has none to take.
static cg_rigid *needle_in_reach(cg_world *world, const cg_hand *hand, double *distance)
{
    cg_rigid *nearest = NULL;
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL && world->touch_memory != NULL;
         r = cg_pool_next(&world->rigids, r)) {
        bool is_needle = r->is_needle && r->is_free;
        nearest = is_needle && cg_hand_reaches_needle(hand, r, distance) ? r : nearest;
    }
    return nearest;
}

static cg_status grasp_needle(cg_world *world, cg_hand *hand, cg_rigid *needle)
{
    if (needle->drive != NULL) {
        return cg_error(CG_BAD_INPUT, "another hand holds the needle; expected a free one");
    }
    cg_hand_take_needle(hand, needle, cg_pool_handle_of(&world->rigids, needle));
    return cg_ok();
}

// Takes hold of the nearest thread or needle within reach; when there is none, of tissue.
static cg_status grasp(cg_world *world, cg_hand *hand)
{
    cg_reached reached = {.distance = hand->def.reach + 1};
    const cg_thread_slot *nearest = NULL;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        nearest = cg_hand_reaches(hand, s->thread, &reached) ? s : nearest;
    }
    cg_rigid *needle = needle_in_reach(world, hand, &reached.distance);
    if (needle != NULL) {
        return grasp_needle(world, hand, needle);
    }
    if (nearest != NULL) {
        int first, count;
        vertex_owners owners = {world, nearest->thread};
        if (!cg_hand_choose_stretch(hand, nearest->thread, &reached, is_taken, &owners, &first, &count)) {
            return cg_error(CG_BAD_INPUT, "the thread is held there already; expected a free stretch for the hand");
        }
        cg_hand_take(hand, nearest->thread, cg_pool_handle_of(&world->threads, nearest), first, count);
    } else {
        grasp_tissue(world, hand);
    }
    return cg_ok();
}

cg_status cg_hand_close(cg_world *world, cg_hand_id id)
{
    cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return bad_handle(id);
    }
    bool has_jaws = cg_hand_has_jaws(hand);
    bool grasps = !hand->closed && hand->tool == CG_TOOL_GRASPER && !has_jaws;
    cg_status status = grasps ? grasp(world, hand) : cg_ok();
    if (!hand->closed && hand->tool == CG_TOOL_SUTURE_PASSER) {
        status = cg_world_close_passer(world, hand);
    }
    hand->closed = hand->closed || status.code == CG_OK;
    if (has_jaws) {
        cg_jaws_set(&hand->jaws, 0, hand->def.grip);
    }
    return status;
}

static void open_hand(cg_world *world, cg_hand *hand)
{
    cg_world_end_cut(world, hand);
    if (hand->tool == CG_TOOL_SUTURE_PASSER) {
        cg_world_open_passer(world, hand);
    } else {
        cg_hand_let_go(hand);
    }
    hand->closed = hand->has_slipped = false;
    if (cg_hand_has_jaws(hand)) {
        cg_jaws_set(&hand->jaws, 1, hand->def.grip);
    }
}

cg_status cg_hand_open(cg_world *world, cg_hand_id id)
{
    cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return bad_handle(id);
    }
    open_hand(world, hand);
    return cg_ok();
}

cg_status cg_hand_set_tool(cg_world *world, cg_hand_id id, cg_hand_tool tool)
{
    cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return bad_handle(id);
    }
    if ((unsigned)tool >= CG_TOOL_COUNT) {
        return cg_error(CG_BAD_INPUT, "tool is %d; expected a cg_hand_tool", (int)tool);
    }
    if (tool == hand->tool) {
        return cg_ok();
    }
    if (tool == CG_TOOL_SUTURE_PASSER || hand->tool == CG_TOOL_SUTURE_PASSER) {
        return cg_error(CG_BAD_INPUT, "a suture passer belongs to its hand from the beginning to the end");
    }
    cg_status status = check_room(world, hand, tool);
    if (status.code != CG_OK) {
        return status;
    }
    open_hand(world, hand);
    return change_bodies(world, hand, tool);
}

bool cg_hand_get_def(const cg_world *world, cg_hand_id id, cg_hand_def *def)
{
    const cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return false;
    }
    *def = hand->def;
    return true;
}

cg_hand_state cg_hand_get_state(const cg_world *world, cg_hand_id id)
{
    const cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return (cg_hand_state){0};
    }
    bool has_jaws = cg_hand_has_jaws(hand);
    cg_hand_state state = {.command = hand->command,
                           .pose = hand->pose,
                           .velocity = hand->velocity,
                           .spin = hand->spin,
                           .lag = v3_distance(hand->command.position, hand->pose.position),
                           .force = hand->force,
                           .torque = hand->torque,
                           .closed = hand->closed,
                           .thread = {hand->thread.index, hand->thread.generation},
                           .first_vertex = hand->first,
                           .vertex_count = hand->count,
                           .tissue = {hand->tissue.index, hand->tissue.generation},
                           .node_count = hand->patch_count,
                           .body = {hand->needle.index, hand->needle.generation},
                           .tool = hand->tool,
                           .grip = hand->patch_count > 0 ? hand->def.grip : 0,
                           .slip_speed = hand->slip_speed,
                           .is_slipping = hand->is_slipping,
                           .has_slipped = hand->has_slipped,
                           .edge_inside = hand->blade.inside,
                           .cut_area = hand->blade.area,
                           .has_jaws = has_jaws,
                           .opening = has_jaws ? cg_jaws_opening(&hand->jaws) : 0,
                           .opening_told = has_jaws ? hand->jaws.goal : 0,
                           .jaw_forces = {has_jaws ? hand->jaws.felt[0] : 0, has_jaws ? hand->jaws.felt[1] : 0},
                           .is_latched = has_jaws && hand->jaws.is_latched,
                           .insertion = cg_hand_insertion(hand)};
    if (hand->tool == CG_TOOL_SUTURE_PASSER) {
        cg_world_tell_passer(world, hand, &state);
    }
    return state;
}

// The step

void cg_world_move_hands(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        s->thread->grips = NULL;
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        s->tissue->grips = NULL;
    }
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        cg_thread *thread = held_thread(world, hand);
        cg_hand_advance(hand, context);
        if (thread != NULL) {
            cg_hand_grip(hand, thread, context);
            hand->grip.next = thread->grips;
            thread->grips = &hand->grip;
        }
        cg_tissue_slot *slot = held_tissue(world, hand);
        if (slot != NULL) {
            cg_hand_grip_patch(hand, slot->tissue, slot->def.friction, context);
            hand->tissue_grip.next = slot->tissue->grips;
            slot->tissue->grips = &hand->tissue_grip;
        }
    }
}

void cg_world_feel_hands(cg_world *world, const cg_step_context *context)
{
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        const cg_thread *thread = held_thread(world, hand);
        if (thread != NULL) {
            cg_hand_feel(hand, thread, context);
        }
        const cg_tissue_slot *slot = held_tissue(world, hand);
        if (slot != NULL) {
            cg_hand_feel_patch(hand, slot->tissue, context);
        }
        if (cg_hand_holds_needle(hand)) {
            cg_hand_feel_body(hand, false, context);
        }
        if (cg_hand_has_body(hand)) {
            cg_hand_feel_body(hand, world->touch_memory == NULL, context);
            world->stats.recovered_steps += hand->jaws.bodies[0].refused;
        }
    }
}

void cg_world_note_hands(cg_world *world)
{
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        const cg_thread *thread = held_thread(world, hand);
        hand->first_arc = thread != NULL ? thread->arc[hand->first] : 0;
    }
}

void cg_world_find_hands(cg_world *world)
{
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        const cg_thread *thread = held_thread(world, hand);
        if (thread != NULL && thread->spacing.follow) {
            double fraction;
            int segment = cg_thread_segment_at_arc(thread, hand->first_arc, &fraction);
            hand->first = hand->grip.first = segment + (fraction > 0.5);
        }
    }
}

static bool patch_fits(const cg_hand *hand, const cg_mesh *mesh)
{
    bool fits = true;
    for (int k = 0; k < hand->patch_count; k++) {
        fits = fits && hand->patch[k] >= 0 && hand->patch[k] < mesh->node_count;
    }
    return fits;
}

// The generation of what lives in a place of a pool; 0 when nothing does.
static unsigned generation_at(const cg_pool *pool, unsigned index)
{
    int place = (int)index - 1;
    bool lives = place >= 0 && place < pool->capacity && pool->places[place].is_taken;
    return lives ? pool->places[place].generation : 0;
}

// A hand that holds nothing; what its tool felt stays.
static void forget_held(cg_hand *hand)
{
    cg_vec3 force = hand->force, torque = hand->torque;
    cg_hand_let_go(hand);
    if (hand->tool != CG_TOOL_GRASPER || cg_hand_has_jaws(hand)) {
        hand->force = force;
        hand->torque = torque;
    }
}

// Needles are led by the hands that hold them, and by no others.
static bool take_needle(cg_world *world, cg_hand *hand)
{
    hand->needle.generation = generation_at(&world->rigids, hand->needle.index);
    cg_rigid *needle = cg_pool_get(&world->rigids, hand->needle);
    bool holds = cg_hand_holds_needle(hand) && world->touch_memory != NULL && cg_hand_may_hold(hand, needle);
    if (holds) {
        cg_transform local = hand->jaws.drive.closed[0];
        cg_hand_lead_needle(hand, needle, hand->needle, &local);
    }
    return holds;
}

static void leave_needles(cg_world *world)
{
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        r->drive = NULL;
    }
}

// A snapshot names threads, needles and tissues by their places. One that does not fit this world can only be a forged
// one: the hand lets go.
void cg_world_hands_after_load(cg_world *world)
{
    leave_needles(world);
    for (cg_hand *hand = first_hand(world); hand != NULL; hand = next_hand(world, hand)) {
        hand->thread.generation = generation_at(&world->threads, hand->thread.index);
        hand->tissue.generation = generation_at(&world->tissues, hand->tissue.index);
        hand->blade.tissue.generation = generation_at(&world->tissues, hand->blade.tissue.index);
        const cg_thread *thread = held_thread(world, hand);
        const cg_tissue_slot *slot = held_tissue(world, hand);
        bool holds_thread = thread != NULL && hand->count >= 2 && hand->first + hand->count <= thread->vertex_count;
        hand->patch_count = holds_thread ? 0 : hand->patch_count;
        bool holds_patch = hand->count == 0 && slot != NULL && patch_fits(hand, slot->tissue->mesh);
        bool is_pinch =
            (hand->tool == CG_TOOL_GRASPER && !cg_hand_has_jaws(hand)) || hand->tool == CG_TOOL_SUTURE_PASSER;
        bool holds_needle = is_pinch && !holds_thread && !holds_patch && take_needle(world, hand);
        if (!is_pinch || (!holds_thread && !holds_patch && !holds_needle)) {
            forget_held(hand);
        }
    }
    if (world->touch_memory != NULL) {
        cg_touch_hide_rods(&world->touches); // blades may be in a cut, or not
    }
}
