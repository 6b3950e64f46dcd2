// Where bodies of a world touch in a pass, and forces of the last pass handed on to the touches that continue theirs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "contact/channel.h"
#include "contact/touch.h"
#include "contact/touch_joint.h"
#include "contact/touch_rods.h"
#include "contact/touch_skin.h"

// Segments, along both sides together, that a touch may have slid by in a pass and still hand on its force.
enum { FARTHEST_HEIR = 4 };
// Multiply-adds by vertex for assembling and factoring, and by touch, in each pass.
enum { WORK_OF_VERTEX = 2000, WORK_OF_TOUCH = 1000 };

static void set_axes(cg_touch *touch, cg_vec3 normal)
{
    touch->axes[0] = normal;
    touch->axes[1] = v3_any_normal(normal);
    touch->axes[2] = v3_cross(normal, touch->axes[1]);
}

static cg_touch touch_of(const cg_touch_set *set, const cg_contact *contact)
{
    const cg_thread *a = set->threads[contact->pair.chain_a], *b = set->threads[contact->pair.chain_b];
    cg_touch touch = {.pair = contact->pair,
                      .fraction = {contact->s, contact->t},
                      .point = {contact->point_a, contact->point_b},
                      .radius = a->radius < b->radius ? a->radius : b->radius,
                      .gap = contact->gap,
                      .friction = sqrt(a->friction * b->friction)};
    set_axes(&touch, v3_neg(contact->normal));
    return touch;
}

// A shape that only stands or is led has no thickness that matters: the thread's counts.
static double radius_at_part(const cg_touch_set *set, const cg_thread *thread, int part)
{
    bool is_free = set->parts[part].body >= set->first_free && set->rigids[set->parts[part].body]->drive == NULL;
    double rods = is_free ? cg_rod_radius(&set->placed[part].shape) : thread->radius;
    return rods < thread->radius ? rods : thread->radius;
}

static cg_touch touch_of_shape(const cg_touch_set *set, const cg_shape_contact *contact)
{
    const cg_thread *thread = set->threads[contact->chain];
    const cg_rigid_place *place = &set->parts[contact->shape];
    cg_touch touch = {.pair = {contact->chain, contact->segment, cg_chain_of(CG_BODY_RIGID, place->body), place->part},
                      .fraction = {contact->t, 0},
                      .point = {contact->point, contact->surface},
                      .radius = radius_at_part(set, thread, contact->shape),
                      .gap = contact->gap,
                      .friction = sqrt(thread->friction * set->rigids[place->body]->friction)};
    set_axes(&touch, contact->normal);
    return touch;
}

// `a` and `b` are numbers of parts.
static cg_touch touch_of_parts(const cg_touch_set *set, int a, int b, const cg_part_contact *contact)
{
    const cg_rigid_place *from = &set->parts[a], *to = &set->parts[b];
    double of_a = cg_rod_radius(&set->placed[a].shape), of_b = cg_rod_radius(&set->placed[b].shape);
    cg_touch touch = {.pair = {cg_chain_of(CG_BODY_RIGID, from->body), cg_part_feature(from->part, contact->place[0]),
                               cg_chain_of(CG_BODY_RIGID, to->body), cg_part_feature(to->part, contact->place[1])},
                      .point = {contact->point[0], contact->point[1]},
                      .radius = of_a < of_b ? of_a : of_b,
                      .gap = contact->gap,
                      .friction = sqrt(set->rigids[from->body]->friction * set->rigids[to->body]->friction)};
    set_axes(&touch, contact->normal);
    return touch;
}

static cg_touch turned_round(const cg_touch *touch)
{
    cg_touch turned = *touch;
    turned.pair =
        (cg_segment_pair){touch->pair.chain_b, touch->pair.segment_b, touch->pair.chain_a, touch->pair.segment_a};
    for (int side = 0; side < 2; side++) {
        turned.fraction[side] = touch->fraction[1 - side];
        turned.point[side] = touch->point[1 - side];
    }
    set_axes(&turned, v3_neg(touch->axes[0]));
    return turned;
}

// Keeps the touches in order of pairs. They come nearly so.
static void add_touch(cg_touch_set *set, cg_touch touch)
{
    if (touch_mover(set, &touch, 0) < 0) { // a model: it is the other side that moves, or none does
        if (touch_mover(set, &touch, 1) < 0) {
            return;
        }
        touch = turned_round(&touch);
    }
    if (set->count == set->most_touches) {
        set->stats.lost++;
        return;
    }
    int at = set->count;
    while (at > 0 && compare_pairs(&set->touches[at - 1].pair, &touch.pair) > 0) {
        at--;
    }
    memmove(&set->touches[at + 1], &set->touches[at], sizeof touch * (size_t)(set->count - at));
    set->touches[at] = touch;
    set->count++;
}

void cg_touch_add(cg_touch_set *set, const cg_touch *touch, cg_vec3 normal)
{
    cg_touch added = *touch;
    set_axes(&added, normal);
    add_touch(set, added);
}

bool cg_touch_add_row(cg_touch_set *set, const cg_touch *touch)
{
    int before = set->count;
    add_touch(set, *touch);
    return set->count > before;
}

void cg_touch_add_skin(cg_touch_set *set, int skin, const cg_skin_contact *contact)
{
    double friction = set->threads[contact->chain]->friction * set->skins[skin]->surface->friction;
    cg_touch touch = {.pair = {contact->chain, contact->segment, cg_chain_of(CG_BODY_TISSUE, skin), contact->feature},
                      .fraction = {contact->t, 0},
                      .weights = {{0}, {contact->weights[0], contact->weights[1], contact->weights[2]}},
                      .point = {contact->point, contact->surface},
                      .radius = set->threads[contact->chain]->radius,
                      .gap = contact->gap,
                      .friction = sqrt(friction)};
    set_axes(&touch, contact->normal);
    add_touch(set, touch);
}

// The touch at exactly this pair, by bisection; -1 when there is none.
static int find_in(const cg_touch *touches, int count, const cg_segment_pair *pair)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = compare_pairs(&touches[middle].pair, pair);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

static int find_touch(const cg_touch_set *set, const cg_segment_pair *pair)
{
    return find_in(set->touches, set->count, pair);
}

const cg_touch *cg_touch_before(const cg_touch_set *set, const cg_segment_pair *pair)
{
    int found = find_in(set->before, set->before_count, pair);
    return found >= 0 ? &set->before[found] : NULL;
}

static void hand_on(cg_touch *from, cg_touch *to)
{
    to->force = from->force;
    to->drift = from->drift;
    to->working = true;
    from->working = false;
}

// True when threads have slid through a touch: then it is still at its place in space. Places on segments are not part
// of the state, so in the first search of a step, which only looks for that ahead, any on the old segment will do.
static bool is_in_place(const cg_touch_set *set, const cg_touch *touch, const cg_touch *before)
{
    double radius = cg_touch_radius(set, touch);
    if (set->searches > 1) {
        return v3_distance(touch->point[0], before->point[0]) < radius;
    }
    const cg_thread_shape *shape = &set->threads[touch_thread(before, 0)]->shape;
    const cg_vec3 *ends = shape->position + before->pair.segment_a;
    cg_vec3 middle = v3_scale(0.5, v3_add(ends[0], ends[1]));
    bool is_ahead = set->progress[touch_thread(before, 0)].is_ahead;
    return is_ahead && v3_distance(touch->point[0], middle) < radius + 0.5 * v3_distance(ends[0], ends[1]);
}

// How many segments two touches are apart, along both sides together; too many when they cannot be the same. One
// segment on each side may be a matter of rounding. Farther on it is the same touch if it is in its place.
static int segments_apart(const cg_touch_set *set, const cg_touch *a, const cg_touch *b)
{
    if (touch_thread(a, 0) < 0) {
        if (touch_skin(a) >= 0 && touch_thread(b, 0) < 0 && touch_skin(b) >= 0) {
            return cg_touch_rod_continues(a, b) ? 1 : FARTHEST_HEIR + 1;
        }
        return FARTHEST_HEIR + 1; // features of parts are no row
    }
    if (touch_skin(a) >= 0) {
        bool is_same_pair = a->pair.chain_a == b->pair.chain_a && a->pair.chain_b == b->pair.chain_b;
        return is_same_pair && cg_touch_skin_continues(a, b) ? 1 : FARTHEST_HEIR + 1;
    }
    int da = abs(a->pair.segment_a - b->pair.segment_a), db = abs(a->pair.segment_b - b->pair.segment_b);
    if (a->pair.chain_a != b->pair.chain_a || a->pair.chain_b != b->pair.chain_b || da + db > FARTHEST_HEIR) {
        return FARTHEST_HEIR + 1;
    }
    bool is_same = (da <= 1 && db <= 1) || is_in_place(set, a, b);
    return is_same ? da + db : FARTHEST_HEIR + 1;
}

// Threads that slide carry a touch from segment to segment: then one nearby had the force. Those that are still to give
// stand in `left`; the nearest heirs come first.
static void inherit_from_beside(cg_touch_set *set, int *left, int left_count)
{
    for (int apart = 1; apart <= FARTHEST_HEIR && left_count > 0; apart++) {
        for (int i = 0; i < set->count && left_count > 0; i++) {
            cg_touch *touch = &set->touches[i];
            for (int k = 0; k < left_count && !touch->working; k++) {
                if (segments_apart(set, touch, &set->before[left[k]]) == apart) {
                    hand_on(&set->before[left[k]], touch);
                    memmove(left + k, left + k + 1, sizeof *left * (size_t)(--left_count - k));
                }
            }
        }
    }
}

// Each old force goes to one new touch: `working` of the old ones marks those that are still to give.
static void inherit_forces(cg_touch_set *set)
{
    int *left = set->working, left_count = 0; // no problem is set up yet
    for (int k = 0; k < set->before_count; k++) {
        cg_touch *before = &set->before[k];
        int found = before->working ? find_touch(set, &before->pair) : -1;
        if (found >= 0) {
            hand_on(before, &set->touches[found]);
        } else if (before->working && left_count < set->most_working) {
            left[left_count++] = k;
        }
    }
    inherit_from_beside(set, left, left_count);
}

bool cg_touch_has(const cg_touch_set *set, const cg_segment_pair *pair)
{
    return find_touch(set, pair) >= 0;
}

static void add_stoppers(cg_touch_set *set)
{
    for (int i = 0; i < set->stopper_count; i++) {
        if (!cg_touch_has(set, &set->stoppers[i])) {
            cg_contact contact = cg_contact_of_pair(set->chains, &set->stoppers[i], v3_zero());
            add_touch(set, touch_of(set, &contact));
        }
    }
}

// Pairs so deep in each other that they may not come nearer at all (threads that were begun so): one such pair without
// a touch of its own would hold all the others for ever.
static void add_deep(cg_touch_set *set)
{
    for (int k = 0; k < set->near.close_count; k++) {
        const cg_close_pair *close = &set->near.close[k];
        double d = set->chains[close->pair.chain_a].radius + set->chains[close->pair.chain_b].radius;
        double deep = set->motion_rule.freeze * d;
        if (close->closest.squared_distance < deep * deep && !cg_touch_has(set, &close->pair)) {
            cg_contact contact = cg_contact_of_pair(set->chains, &close->pair, v3_zero());
            add_touch(set, touch_of(set, &contact));
        }
    }
}

static void turn_over(cg_touch_set *set)
{
    cg_touch *touches = set->before;
    set->before = set->touches;
    set->before_count = set->count;
    set->touches = touches;
    set->count = 0;
}

// The touches of the last pass as the finder remembers them.
static void list_last(cg_touch_set *set)
{
    set->last.count = 0;
    for (int i = 0; i < set->before_count; i++) {
        const cg_touch *touch = &set->before[i];
        if (touch_thread(touch, 1) >= 0) {
            cg_contact *contact = &set->last.items[set->last.count++];
            *contact = (cg_contact){.pair = touch->pair,
                                    .normal = v3_neg(touch->axes[0]),
                                    .carries = touch->working && v3_dot(touch->force, touch->axes[0]) > 0};
        }
    }
}

static bool may_touch(const cg_touch_set *set, int a, int b, double reach)
{
    const cg_placed_shape *first = &set->placed[a], *second = &set->placed[b];
    if (second->shape.kind == CG_SHAPE_HALF_SPACE) {
        double height = cg_shape_distance_point(&second->shape, &second->pose, first->pose.position).distance;
        return height < cg_shape_size(&first->shape) + reach;
    }
    double sizes = cg_shape_size(&first->shape) + cg_shape_size(&second->shape);
    return v3_distance(first->pose.position, second->pose.position) < sizes + reach;
}

static void find_between_parts(cg_touch_set *set, int a, int b)
{
    double of_a = cg_rod_radius(&set->placed[a].shape), of_b = cg_rod_radius(&set->placed[b].shape);
    double reach = CG_TOUCH_REACH * (of_a < of_b ? of_a : of_b);
    if (!covers_are_apart(&set->covers[a], &set->covers[b], reach) && may_touch(set, a, b, reach)) {
        int count = cg_part_contacts_find(&set->placed[a], &set->placed[b], reach, set->part_contacts);
        for (int i = 0; i < count; i++) {
            add_touch(set, touch_of_parts(set, a, b, &set->part_contacts[i]));
        }
    }
}

// True for two parts of which the first moves freely, and that are of different bodies, not led together; each two
// once.
static bool are_a_pair(const cg_touch_set *set, int a, int b)
{
    int first = set->parts[a].body, second = set->parts[b].body;
    const struct cg_drive *drive = set->rigids[first]->drive;
    bool is_led_along = drive != NULL && set->rigids[second]->drive == drive;
    return first >= set->first_free && (second < set->first_free || first < second) && !is_led_along;
}

static void find_rigid_touches(cg_touch_set *set)
{
    for (int k = 0; k < set->part_count; k++) {
        set->covers[k] = cover_of(&set->placed[k].shape, &set->placed[k].pose);
    }
    for (int a = 0; a < set->part_count; a++) {
        for (int b = 0; b < set->part_count && set->parts[a].body >= set->first_free; b++) {
            if (are_a_pair(set, a, b)) {
                find_between_parts(set, a, b);
            }
        }
    }
}

// A contact that finds no room is found in a later pass; a joint or a row of a channel that is left out lets go.
static void make_room(cg_touch_set *set, int wanted)
{
    int most = set->most_touches > wanted ? set->most_touches - wanted : 0, surplus = set->count - most;
    for (int i = set->count - 1; i >= 0 && surplus > 0; i--) {
        if (!touch_is_joint(&set->touches[i])) {
            set->count--;
            memmove(&set->touches[i], &set->touches[i + 1], sizeof *set->touches * (size_t)(set->count - i));
            set->stats.lost++;
            surplus--;
        }
    }
}

static bool is_within_reach(const cg_touch_set *set, const cg_shape_contact *contact)
{
    return contact->gap < CG_TOUCH_REACH * set->threads[contact->chain]->radius;
}

static void add_behind_joints(cg_touch_set *set)
{
    for (int j = 0; j < set->joint_count; j++) {
        for (int part = 0; part < set->part_count; part++) {
            cg_shape_contact contact;
            if (cg_touch_find_behind_joint(set, j, part, &contact) && is_within_reach(set, &contact)) {
                cg_touch touch = touch_of_shape(set, &contact);
                if (!cg_touch_has(set, &touch.pair)) {
                    add_touch(set, touch);
                }
            }
        }
    }
}

void cg_touch_search(cg_touch_set *set)
{
    cg_contact_rule rule = contact_rule_default();
    double reach = CG_TOUCH_REACH * cg_touch_thickest(set);
    turn_over(set);
    set->searches++;
    cg_near_look(&set->near, set->chains, set->thread_count);
    list_last(set);
    cg_contacts_find_close(&set->finder, &rule, set->chains, &set->near, &set->last, &set->found);
    set->stats.lost += set->near.lost + set->found.lost;
    for (int i = 0; i < set->found.count; i++) {
        add_touch(set, touch_of(set, &set->found.items[i]));
    }
    add_stoppers(set);
    add_deep(set);
    make_room(set, set->joint_count);
    cg_touch_find_joints(set);
    if (set->part_count > 0) {
        cg_shape_contacts_find(&set->finder, &rule, set->chains, set->thread_count, set->placed,
                               cg_touch_near_parts(set, reach + cg_touch_thickest(set), false), reach,
                               &set->found_shapes);
        set->stats.lost += set->found_shapes.lost;
        for (int i = 0; i < set->found_shapes.count; i++) {
            const cg_shape_contact *contact = &set->found_shapes.items[i];
            if (is_within_reach(set, contact) &&
                !cg_touch_is_beside_joint(set, contact->chain, contact->segment, contact->shape)) {
                add_touch(set, touch_of_shape(set, contact));
            }
        }
        add_behind_joints(set);
        find_rigid_touches(set);
    }
    set->guide_count = set->row_count = 0;
    if (set->on_skin) {
        cg_touch_find_skins(set, CG_TOUCH_REACH);
        make_room(set, cg_touch_most_rows(set));
        cg_touch_find_channels(set);
    }
    inherit_forces(set);
    set->stats.touches = set->count - set->joint_count - set->row_count;
    set->stats.work += WORK_OF_TOUCH * (int64_t)set->count;
    for (int c = 0; c < set->thread_count; c++) {
        set->stats.work += WORK_OF_VERTEX * (int64_t)set->threads[c]->vertex_count;
    }
}

void cg_touch_find(cg_touch_set *set)
{
    set->ahead = false;
    cg_touch_look_at_bodies(set);
    cg_touch_search(set);
}

// How much of their motions free bodies can make among rigid parts.
double cg_touch_limit_parts(cg_touch_set *set, double limit)
{
    cg_part_motion motion = {limit, 0, 0};
    for (int k = 0; k < set->part_count; k++) {
        set->ways[k] = cg_part_way_of(&set->moving[k]);
    }
    for (int a = 0; a < set->part_count; a++) {
        for (int b = 0; b < set->part_count && set->parts[a].body >= set->first_free; b++) {
            if (are_a_pair(set, a, b)) {
                cg_part_motion_limit(&set->ways[a], &set->ways[b], &set->motion_rule, &motion);
            }
        }
    }
    set->stats.work += CG_TOUCH_WORK_OF_LOOK * (int64_t)motion.looks;
    return motion.fraction;
}
