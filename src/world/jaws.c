// Tools that touch, with jaws or without: the public calls, and their place among the bodies of a world.
#include "base/status.h"
#include "base/transform.h"
#include "collide/parts.h"
#include "collide/rod_chains.h"
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

cg_status cg_hand_set_jaws(cg_world *world, cg_hand_id id, double opening, double force)
{
    cg_hand *hand = find_hand(world, id);
    if (hand == NULL) {
        return bad_handle(id);
    }
    if (!cg_hand_has_jaws(hand)) {
        return cg_error(CG_BAD_INPUT, "the hand carries no tool with jaws");
    }
    if (!(opening >= 0 && opening <= 1)) {
        return cg_error(CG_BAD_INPUT, "opening is %g; expected 0 to 1", opening);
    }
    if (!(force >= 0 && force <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "force is %g N; expected 0 to 1e6", force);
    }
    cg_jaws_set(&hand->jaws, opening, force > 0 ? force : hand->def.grip);
    hand->closed = opening == 0;
    return cg_ok();
}

int cg_hand_get_part_count(const cg_world *world, cg_hand_id id)
{
    const cg_hand *hand = find_hand(world, id);
    int count = 0;
    for (int k = 0; hand != NULL && cg_hand_has_body(hand) && k < hand->jaws.drive.count; k++) {
        count += hand->jaws.bodies[k].part_count;
    }
    return count;
}

bool cg_hand_get_part(const cg_world *world, cg_hand_id id, int index, cg_rigid_part *part, int *jaw)
{
    const cg_hand *hand = find_hand(world, id);
    if (index < 0 || index >= cg_hand_get_part_count(world, id)) {
        return false;
    }
    int number = 0;
    while (index >= hand->jaws.bodies[number].part_count) {
        index -= hand->jaws.bodies[number++].part_count;
    }
    const cg_rigid *body = &hand->jaws.bodies[number];
    *part = body->parts[index];
    part->pose = transform_compose(body->now, part->pose);
    if (jaw != NULL) {
        *jaw = number;
    }
    return true;
}

bool cg_world_has_tools(const cg_world *world)
{
    bool any = false;
    for (const cg_hand *h = cg_pool_first(&world->hands); h != NULL && !any; h = cg_pool_next(&world->hands, h)) {
        any = cg_hand_has_body(h);
    }
    return any;
}

int cg_world_list_tools(const cg_world *world, cg_rigid **list)
{
    int count = 0;
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL; h = cg_pool_next(&world->hands, h)) {
        for (int k = 0; cg_hand_has_body(h) && k < h->jaws.drive.count; k++) {
            list[count++] = &h->jaws.bodies[k];
        }
    }
    return count;
}

// The rods of the parts of one tool, and their points: how many does not depend on its measures.
static int rods_of_tool(cg_hand_tool tool, int *points)
{
    cg_hand hand = {.def = cg_hand_def_default(), .tool = tool, .pose = transform_identity()};
    int rods = 0;
    *points = 0;
    hand.def.grasp = CG_GRASP_JAWS;
    if (!cg_hand_has_body(&hand)) {
        return 0;
    }
    cg_hand_make_body(&hand);
    for (int k = 0; k < hand.jaws.drive.count; k++) {
        int more;
        rods += cg_rod_chains_room(hand.jaws.bodies[k].parts, hand.jaws.bodies[k].part_count, &more);
        *points += more;
    }
    return rods;
}

void cg_world_add_room_for_tools(const cg_world *world, cg_touch_room *room)
{
    int hands = world->def.max_hands, most_rods = 1, most_points = CG_ROD_MOST_PIECES + 1; // of a probe
    for (int tool = 0; tool < CG_TOOL_COUNT; tool++) {
        int points, rods = rods_of_tool((cg_hand_tool)tool, &points);
        most_rods = rods > most_rods ? rods : most_rods;
        most_points = points > most_points ? points : most_points;
    }
    room->rigids += CG_DRIVE_BODIES * hands;
    room->parts += CG_TOOL_MOST_PARTS * hands;
    room->rods += most_rods * hands;
    room->rod_points += most_points * hands;
}

bool cg_world_name_tool(const cg_world *world, const cg_rigid *body, cg_hand_id *hand, int *jaw)
{
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL && body->drive != NULL;
         h = cg_pool_next(&world->hands, h)) {
        if (body->drive == &h->jaws.drive) {
            cg_handle handle = cg_pool_handle_of(&world->hands, h);
            *hand = (cg_hand_id){handle.index, handle.generation};
            *jaw = cg_drive_number(body->drive, body);
            return true;
        }
    }
    return false;
}

// Room for a tool

static bool thread_is_in(const cg_world *world, const cg_placed_shape *part)
{
    bool is_in = false;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        const cg_vec3 *x = s->thread->shape.position;
        for (int i = 0; i < s->thread->segment_count && !is_in; i++) {
            double distance = cg_shape_distance_segment(&part->shape, &part->pose, x[i], x[i + 1]).distance;
            is_in = distance <= s->thread->radius;
        }
    }
    return is_in;
}

// Whether the edges of a part are in another one.
static bool enters(const cg_placed_shape *part, const cg_placed_shape *other)
{
    double skin;
    cg_shape core = cg_core_of(&other->shape, &skin);
    cg_rods rods = cg_rods_of(&part->shape);
    bool is_in = false;
    for (int i = 0; i < rods.edge_count && !is_in; i++) {
        cg_vec3 from = transform_point(part->pose, rods.corners[rods.edges[i][0]]);
        cg_vec3 to = transform_point(part->pose, rods.corners[rods.edges[i][1]]);
        is_in = cg_shape_distance_segment(&core, &other->pose, from, to).distance < rods.radius + skin;
    }
    return is_in;
}

static bool body_is_in(const cg_rigid *body, const cg_placed_shape *part)
{
    bool is_in = false;
    for (int i = 0; i < cg_rigid_part_count(body) && !is_in; i++) {
        cg_placed_shape other = {body->shape, body->now};
        if (body->parts != NULL) {
            other = (cg_placed_shape){body->parts[i].shape, transform_compose(body->now, body->parts[i].pose)};
        }
        bool has_edges = other.shape.kind != CG_SHAPE_HALF_SPACE;
        is_in = enters(part, &other) || (has_edges && enters(&other, part));
    }
    return is_in;
}

static bool any_body_is_in(const cg_world *world, const cg_hand *hand, const cg_placed_shape *part)
{
    bool is_in = false;
    for (const cg_rigid *s = cg_pool_first(&world->shapes); s != NULL && !is_in; s = cg_pool_next(&world->shapes, s)) {
        is_in = body_is_in(s, part);
    }
    for (const cg_rigid *r = cg_pool_first(&world->rigids); r != NULL && !is_in; r = cg_pool_next(&world->rigids, r)) {
        is_in = body_is_in(r, part);
    }
    for (const cg_hand *h = cg_pool_first(&world->hands); h != NULL && !is_in; h = cg_pool_next(&world->hands, h)) {
        for (int k = 0; h != hand && cg_hand_has_body(h) && k < h->jaws.drive.count; k++) {
            is_in = is_in || body_is_in(&h->jaws.bodies[k], part);
        }
    }
    return is_in;
}

static const char *what_is_in(const cg_world *world, const cg_hand *hand, const cg_placed_shape *part)
{
    if (thread_is_in(world, part)) {
        return "a thread";
    }
    if (cg_world_tissue_meets(world, &part->shape, &part->pose, 1)) {
        return "tissue";
    }
    return any_body_is_in(world, hand, part) ? "a body" : NULL;
}

cg_status cg_world_check_room_for_tool(const cg_world *world, const cg_hand *hand, const cg_jaws *jaws)
{
    for (int k = 0; k < jaws->drive.count; k++) {
        const cg_rigid *body = &jaws->bodies[k];
        for (int i = 0; i < body->part_count; i++) {
            cg_placed_shape part = {body->parts[i].shape, transform_compose(body->now, body->parts[i].pose)};
            const char *what = what_is_in(world, hand, &part);
            if (what != NULL) {
                return cg_error(CG_BAD_INPUT, "%s is where the tool would be; expected a free place", what);
            }
        }
    }
    return cg_ok();
}
