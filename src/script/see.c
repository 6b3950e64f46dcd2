#include "script/see.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/transform.h"
#include "base/trig.h"
#include "catgut/knot.h"
#include "catgut/suture.h"
#include "operation/fields.h"
#include "record/suture_items.h"
#include "script/pulling.h"
#include "world/world.h"

// [m] How deep below its edges a wound is looked at: the bottom of one is always closed.
static const double GAP_DEPTH = 2e-3;

// Places

static bool same_thread(cg_thread_id a, cg_thread_id b)
{
    return a.index == b.index && a.index != 0;
}

static cg_vec3 point_of_thread(const cg_thread *thread, double arc)
{
    int last = thread->segment_count - 1, low = 0, high = last;
    while (low < high) { // the last segment that begins at or before it
        int middle = (low + high + 1) / 2;
        if (thread->arc[middle] <= arc) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    double share = (arc - thread->arc[low]) / thread->rest_length[low];
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const cg_vec3 *x = thread->shape.position;
    return v3_add(v3_scale(1 - share, x[low]), v3_scale(share, x[low + 1]));
}

// A share of the way along the axes of a body's parts, one after the other.
static bool point_of_body(const cg_world *world, const cg_place *place, cg_vec3 *point)
{
    cg_rigid_id body = cg_world_rigid_at(world, place->index);
    int count = cg_rigid_get_part_count(world, body);
    double along = place->amount * count;
    int index = along < count - 1 ? (int)along : count - 1;
    cg_rigid_part part;
    if (!cg_rigid_get_part(world, body, index, &part)) {
        return false;
    }
    bool is_box = part.shape.kind == CG_SHAPE_BOX;
    double half = is_box ? part.shape.half_extents.z : part.shape.half_length;
    *point = transform_point(part.pose, v3(0, 0, (2 * (along - index) - 1) * half));
    return true;
}

// What is said in the axes of a tool, in those of the world.
static bool turn_with_hand(const cg_world *world, const cg_place *place, cg_vec3 *offset)
{
    cg_hand_id hand = cg_operation_hand(world, place->own_hand);
    if (hand.index == 0) {
        return false;
    }
    *offset = quat_rotate(cg_hand_get_state(world, hand).pose.rotation, place->own_offset);
    return true;
}

// The arc length [m] at which a thread touches itself nearest to one of its ends; below 0 when it does nowhere.
static double knot_end(const cg_world *world, cg_thread_id id, bool at_start)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    double arc = -1;
    cg_contact_info contact;
    for (int i = 0; cg_world_get_contact(world, i, &contact); i++) {
        bool is_own = same_thread(contact.threads[0], id) && same_thread(contact.threads[1], id);
        for (int side = 0; side < 2 && is_own && v3_dot(contact.force, contact.force) > 0; side++) {
            int segment = contact.segments[side];
            double at = thread->arc[segment] + contact.fractions[side] * thread->rest_length[segment];
            arc = arc < 0 || (at_start ? at < arc : at > arc) ? at : arc;
        }
    }
    return arc;
}

// A place on a tail, so far from the knot; of a thread that was cut, in the first part that touches itself. A tail that
// is not as long has no such place.
static bool point_of_tail(const cg_world *world, const cg_place *place, cg_vec3 *point)
{
    cg_thread_id id = cg_operation_thread(world, place->index);
    const cg_thread_slot *whole = cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
    const cg_thread_slot *slot = whole != NULL ? cg_next_part(world, NULL, whole->root) : NULL;
    for (; slot != NULL; slot = cg_next_part(world, slot, whole->root)) {
        cg_handle handle = cg_pool_handle_of(&world->threads, slot);
        double arc = knot_end(world, (cg_thread_id){handle.index, handle.generation}, place->towards_start);
        if (arc >= 0) {
            double at = place->towards_start ? arc - place->amount : arc + place->amount;
            *point = point_of_thread(slot->thread, at);
            return at >= 0 && at <= slot->thread->arc[slot->thread->vertex_count - 1];
        }
    }
    return false;
}

bool cg_script_look_up(const cg_world *world, const cg_place *place, cg_vec3 *point)
{
    assert(point != NULL);
    cg_vec3 base = v3_zero();
    if (place->base == CG_PLACE_SHARE || place->base == CG_PLACE_LENGTH) {
        const cg_thread *thread = cg_world_find_thread(world, cg_operation_thread(world, place->index));
        if (thread == NULL) {
            return false;
        }
        double whole = thread->arc[thread->vertex_count - 1];
        double arc = place->base == CG_PLACE_SHARE ? place->amount * whole
                     : place->amount < 0           ? whole + place->amount
                                                   : place->amount;
        base = point_of_thread(thread, arc);
    } else if (place->base == CG_PLACE_SHAPE) {
        cg_shape_id shape = cg_operation_shape(world, place->index);
        if (shape.index == 0) {
            return false;
        }
        base = cg_shape_get_pose(world, shape).position;
    } else if (place->base == CG_PLACE_HAND) {
        cg_hand_id hand = cg_operation_hand(world, place->index);
        if (hand.index == 0) {
            return false;
        }
        base = cg_hand_get_state(world, hand).pose.position;
    } else if ((place->base == CG_PLACE_BODY && !point_of_body(world, place, &base)) ||
               (place->base == CG_PLACE_TAIL && !point_of_tail(world, place, &base))) {
        return false;
    }
    cg_vec3 own = v3_zero();
    if (place->has_own && !turn_with_hand(world, place, &own)) {
        return false;
    }
    *point = v3_add(v3_add(base, place->offset), own);
    return true;
}

// Conditions

static bool touches(const cg_world *world, const cg_condition *condition)
{
    cg_thread_id thread = cg_operation_thread(world, condition->thread);
    cg_thread_id other = condition->shape < 0 ? cg_operation_thread(world, condition->other) : (cg_thread_id){0, 0};
    cg_shape_id shape = condition->shape >= 0 ? cg_operation_shape(world, condition->shape) : (cg_shape_id){0, 0};
    cg_contact_info contact;
    for (int i = 0; cg_world_get_contact(world, i, &contact); i++) {
        bool works = v3_dot(contact.force, contact.force) > 0;
        bool with_shape =
            shape.index != 0 && contact.shape.index == shape.index && same_thread(contact.threads[0], thread);
        bool straight = same_thread(contact.threads[0], thread) && same_thread(contact.threads[1], other);
        bool swapped = same_thread(contact.threads[1], thread) && same_thread(contact.threads[0], other);
        if (works && (with_shape || straight || swapped)) {
            return true;
        }
    }
    return false;
}

static bool jaws_hold(const cg_world *world, int hand, cg_held_kind kind)
{
    cg_recorded_grip grip = cg_jaws_grip(world, hand);
    switch (kind) {
    case CG_HELD_THREAD:
        return grip.thread >= 0;
    case CG_HELD_TISSUE:
        return grip.tissue >= 0;
    case CG_HELD_BODY:
        return grip.body >= 0;
    case CG_HELD_NOTHING:
    default:
        return grip.thread < 0 && grip.tissue < 0 && grip.body < 0;
    }
}

static bool is_held(const cg_world *world, const cg_condition *condition)
{
    cg_hand_id id = cg_operation_hand(world, condition->hand);
    const cg_hand *body = cg_pool_get(&world->hands, (cg_handle){id.index, id.generation});
    if (body != NULL && cg_hand_has_jaws(body)) {
        return jaws_hold(world, condition->hand, condition->held);
    }
    cg_hand_state hand = cg_hand_get_state(world, cg_operation_hand(world, condition->hand));
    switch (condition->held) {
    case CG_HELD_THREAD:
        return hand.vertex_count > 0;
    case CG_HELD_TISSUE:
        return hand.node_count > 0;
    case CG_HELD_BODY:
        return hand.body.index != 0;
    case CG_HELD_NOTHING:
    default:
        return hand.vertex_count == 0 && hand.node_count == 0 && hand.body.index == 0;
    }
}

// [m] How far the lips of a wound are from each other, or by how much one is higher; a wound that is not there is
// closed, and even.
static double look_at_wound(const cg_world *world, const cg_condition *condition)
{
    cg_vec3 point;
    if (!cg_script_look_up(world, &condition->places[0], &point)) {
        return 0;
    }
    cg_wound_gap gap =
        cg_tissue_wound_gap(world, cg_operation_tissue(world, condition->tissue), point, condition->along, GAP_DEPTH);
    if (condition->kind == CG_CONDITION_STEP) {
        return gap.step > 0 ? gap.step : 0;
    }
    return gap.is_there ? gap.least : 0;
}

// [N] The most that a thread does to tissue at any of its anchors.
static double anchor_force(const cg_world *world)
{
    double most = 0;
    cg_anchor anchor;
    for (int i = 0; cg_world_get_anchor(world, i, &anchor); i++) {
        double force = v3_length(anchor.force);
        most = force > most ? force : most;
    }
    return most;
}

// [m] How far threads have torn a tissue, all tears together.
static double torn_length(const cg_world *world, int tissue)
{
    double length, area;
    cg_tissue_get_torn(world, cg_operation_tissue(world, tissue), &length, &area);
    return length;
}

// Whether two threads are parts of one, or the same.
static bool are_of_one(const cg_world *world, cg_thread_id a, cg_thread_id b)
{
    const cg_thread_slot *first = cg_pool_get(&world->threads, (cg_handle){a.index, a.generation});
    const cg_thread_slot *second = cg_pool_get(&world->threads, (cg_handle){b.index, b.generation});
    return first != NULL && second != NULL && first->root == second->root;
}

static int count_holes(const cg_world *world, cg_thread_id thread)
{
    int count = 0;
    cg_anchor anchor;
    for (int i = 0; cg_world_get_anchor(world, i, &anchor); i++) {
        count += are_of_one(world, anchor.thread, thread);
    }
    return count;
}

// One that is gone is parted too: its last piece was.
static bool is_parted(const cg_world *world, cg_thread_id thread)
{
    int parts = 0;
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_handle handle = cg_pool_handle_of(&world->threads, s);
        parts += are_of_one(world, (cg_thread_id){handle.index, handle.generation}, thread);
    }
    return parts != 1;
}

// How often a thread goes around the shaft and jaws of a tool, either way: the most that any stretch of it does. What
// is beyond the tips does not count. What leads there and away does: a strand that only passes by is up to half a turn.
static double turns_around(const cg_world *world, const cg_condition *condition)
{
    cg_hand_id id = cg_operation_hand(world, condition->hand);
    const cg_hand *hand = cg_pool_get(&world->hands, (cg_handle){id.index, id.generation});
    int count = 0;
    const cg_vec3 *points = cg_thread_positions(world, cg_operation_thread(world, condition->thread), &count);
    if (hand == NULL || points == NULL) {
        return 0;
    }
    cg_transform tool = cg_hand_get_state(world, id).pose;
    double tips = hand->jaws.shape != NULL ? -0.5 * hand->jaws.shape->length : 0;
    double angle = 0, least = 0, most = 0, widest = 0; // [rad] since the first vertex
    cg_vec3 last = v3_zero();
    for (int i = 0; i < count; i++) {
        cg_vec3 at = transform_point_back(tool, points[i]);
        if (i > 0 && at.z > tips && last.z > tips) {
            angle += cg_atan2(last.x * at.y - last.y * at.x, last.x * at.x + last.y * at.y);
        }
        least = fmin(least, angle);
        most = fmax(most, angle);
        widest = fmax(widest, fmax(angle - least, most - angle));
        last = at;
    }
    return widest / (2 * CG_PI);
}

// What a condition compares with its limit; false when it has none, or a place of it is gone.
static bool measure(const cg_world *world, const cg_condition *condition, double *value)
{
    cg_vec3 a, b;
    switch (condition->kind) {
    case CG_CONDITION_FORCE:
        *value = v3_length(cg_hand_get_state(world, cg_operation_hand(world, condition->hand)).force);
        return true;
    case CG_CONDITION_LAG:
        *value = cg_hand_get_state(world, cg_operation_hand(world, condition->hand)).lag;
        return true;
    case CG_CONDITION_OPENING:
        *value = cg_hand_get_state(world, cg_operation_hand(world, condition->hand)).opening;
        return true;
    case CG_CONDITION_GAP:
    case CG_CONDITION_STEP:
        *value = look_at_wound(world, condition);
        return true;
    case CG_CONDITION_TORN:
        *value = torn_length(world, condition->tissue);
        return true;
    case CG_CONDITION_TURNS:
        *value = turns_around(world, condition);
        return true;
    case CG_CONDITION_HOLES:
        *value = count_holes(world, cg_operation_thread(world, condition->thread));
        return true;
    case CG_CONDITION_ANCHORS:
        *value = anchor_force(world);
        return true;
    case CG_CONDITION_DISTANCE:
        if (!cg_script_look_up(world, &condition->places[0], &a) ||
            !cg_script_look_up(world, &condition->places[1], &b)) {
            return false;
        }
        *value = v3_distance(a, b);
        return true;
    default:
        return false;
    }
}

bool cg_script_holds(const cg_world *world, const cg_condition *condition)
{
    double value;
    switch (condition->kind) {
    case CG_CONDITION_HELD:
        return is_held(world, condition);
    case CG_CONDITION_TOUCH:
        return touches(world, condition) != condition->negated;
    case CG_CONDITION_PARTED:
        return is_parted(world, cg_operation_thread(world, condition->thread)) != condition->negated;
    default: // those of knots are of an expect alone
        return measure(world, condition, &value) &&
               (condition->below ? value < condition->limit : value > condition->limit);
    }
}

void cg_script_tell_found(const cg_world *world, const cg_condition *condition, char *text, size_t room)
{
    assert(text != NULL && room > 0);
    static const struct {
        const char *name, *unit;
        double per_unit;
    } words[] = {
        [CG_CONDITION_FORCE] = {"a force of", " N", 1},
        [CG_CONDITION_LAG] = {"a lag of", " mm", 1e3},
        [CG_CONDITION_OPENING] = {"an opening of", " %", 100},
        [CG_CONDITION_GAP] = {"a gap of", " mm", 1e3},
        [CG_CONDITION_STEP] = {"a step of", " mm", 1e3},
        [CG_CONDITION_TORN] = {"a tear of", " mm", 1e3},
        [CG_CONDITION_TURNS] = {"turns:", "", 1},
        [CG_CONDITION_HOLES] = {"holes:", "", 1},
        [CG_CONDITION_ANCHORS] = {"a force of", " N", 1},
        [CG_CONDITION_DISTANCE] = {"a distance of", " mm", 1e3},
    };
    double value;
    if (measure(world, condition, &value)) {
        double per_unit = words[condition->kind].per_unit;
        const char *unit = words[condition->kind].unit;
        snprintf(text, room, "found %s %.4g%s; expected %s %.4g%s", words[condition->kind].name, per_unit * value, unit,
                 condition->below ? "below" : "above", per_unit * condition->limit, unit);
    }
}

// Knots

// A thread that was cut: the knot is in the first of its parts that has one.
static cg_status name_parts(const cg_script *script, const cg_world *world, unsigned root, cg_knot_report *report)
{
    cg_status status = cg_ok();
    const cg_thread_slot *slot = cg_next_part(world, NULL, root);
    bool found = false;
    for (; slot != NULL && status.code == CG_OK && !found; slot = cg_next_part(world, slot, root)) {
        const cg_thread *thread = slot->thread;
        cg_knot_thread line = {.pull = CG_KNOT_PULL_UNKNOWN};
        line.points = thread->shape.position;
        line.count = thread->vertex_count;
        status = cg_knot_identify(&line, 1, &script->allocator, report);
        found = strcmp(report->name, "0_1") != 0;
    }
    return status;
}

// Names the knot as `catgut knot` does: in one thread, or in two that are tied to each other.
static cg_status name_knot(const cg_script *script, const cg_world *world, int only, cg_knot_report *report)
{
    cg_knot_thread threads[CG_KNOT_MAX_THREADS];
    cg_thread_id first_id = cg_operation_thread(world, 0);
    const cg_thread_slot *first = cg_pool_get(&world->threads, (cg_handle){first_id.index, first_id.generation});
    int count = only < 0 && cg_are_two_threads(world) ? CG_KNOT_MAX_THREADS : 1;
    if (only < 0 && count == 1 && first != NULL) {
        return name_parts(script, world, first->root, report);
    }
    for (int i = 0; i < count; i++) {
        cg_thread_id id = cg_operation_thread(world, count > 1 || only < 0 ? i : only);
        threads[i] = (cg_knot_thread){.pull = CG_KNOT_PULL_UNKNOWN};
        threads[i].points = cg_thread_positions(world, id, &threads[i].count);
        if (threads[i].points == NULL) {
            return cg_error(CG_BAD_HANDLE, "the thread is gone");
        }
    }
    return cg_knot_identify(threads, count, &script->allocator, report);
}

bool cg_script_finds_knot(const cg_script *script, const cg_world *world, const cg_condition *condition, char *why,
                          size_t room)
{
    assert(why != NULL && room > 0);
    const char *wanted = condition->knot;
    bool by_throws = condition->kind == CG_CONDITION_THROWS;
    cg_knot_report found;
    cg_status status = name_knot(script, world, condition->thread, &found);
    if (status.code != CG_OK) {
        snprintf(why, room, "expected the %s %s: %.100s", by_throws ? "throws" : "knot", wanted, status.message);
        return false;
    }
    if (by_throws) {
        snprintf(why, room, "found the throws %s of %s; expected %s",
                 found.throws_text[0] != '\0' ? found.throws_text : "none", found.name, wanted);
        return strcmp(found.throws_text, wanted) == 0;
    }
    snprintf(why, room, "found the knot %s (%s); expected %s", found.name,
             found.common[0] != '\0' ? found.common : "no common name", wanted);
    return strcmp(found.name, wanted) == 0 || strcmp(found.common, wanted) == 0;
}
