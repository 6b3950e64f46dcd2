// Where threads and rigid bodies touch themselves and each other in a pass. Tissues: skin_rows.c.
#include "find/search.h"

#include <math.h>

#include "base/vec3.h"
#include "find/beside_joint.h"

static cg_touch touch_of(const cg_touch_set *set, const cg_contact *contact)
{
    const cg_thread *a = set->threads[contact->pair.chain_a], *b = set->threads[contact->pair.chain_b];
    cg_touch touch = {.pair = contact->pair,
                      .fraction = {contact->s, contact->t},
                      .point = {contact->point_a, contact->point_b},
                      .radius = a->radius < b->radius ? a->radius : b->radius,
                      .gap = contact->gap,
                      .friction = sqrt(a->friction * b->friction)};
    touch_set_axes(&touch, v3_neg(contact->normal));
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
    touch_set_axes(&touch, contact->normal);
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
    touch_set_axes(&touch, contact->normal);
    return touch;
}

static void add_stoppers(cg_touch_set *set)
{
    for (int i = 0; i < set->stopper_count; i++) {
        if (!cg_touch_has(set, &set->stoppers[i])) {
            cg_contact contact = cg_contact_of_pair(set->chains, &set->stoppers[i], v3_zero());
            cg_touch touch = touch_of(set, &contact);
            cg_touch_add_row(set, &touch);
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
            cg_touch touch = touch_of(set, &contact);
            cg_touch_add_row(set, &touch);
        }
    }
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
            cg_touch touch = touch_of_parts(set, a, b, &set->part_contacts[i]);
            cg_touch_add_row(set, &touch);
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

static bool is_within_reach(const cg_touch_set *set, const cg_shape_contact *contact)
{
    return contact->gap < CG_TOUCH_REACH * set->threads[contact->chain]->radius;
}

void cg_touch_find_between_threads(cg_touch_set *set, const cg_contact_rule *rule)
{
    cg_near_look(&set->near, set->chains, set->thread_count);
    list_last(set);
    cg_contacts_find_close(&set->finder, rule, set->chains, &set->near, &set->last, &set->found);
    set->stats.lost += set->near.lost + set->found.lost;
    for (int i = 0; i < set->found.count; i++) {
        cg_touch touch = touch_of(set, &set->found.items[i]);
        cg_touch_add_row(set, &touch);
    }
    add_stoppers(set);
    add_deep(set);
}

static void add_behind_joints(cg_touch_set *set)
{
    for (int j = 0; j < set->joint_count; j++) {
        for (int part = 0; part < set->part_count; part++) {
            cg_shape_contact contact;
            if (cg_touch_find_behind_joint(set, j, part, &contact) && is_within_reach(set, &contact)) {
                cg_touch touch = touch_of_shape(set, &contact);
                if (!cg_touch_has(set, &touch.pair)) {
                    cg_touch_add_row(set, &touch);
                }
            }
        }
    }
}

// A part stays within a ball about the middle of its body, which goes straight.
cg_box cg_touch_box_of_part(const cg_touch_set *set, int part)
{
    const cg_moving_shape *moving = &set->moving[part];
    double arm = moving->is_part ? v3_length(moving->part.position) : 0;
    cg_box box = box_of_nothing();
    box_take(&box, moving->before.position);
    box_take(&box, moving->after.position);
    return box_grown(box, arm + cg_shape_size(&moving->shape));
}

int cg_touch_near_parts(const cg_touch_set *set, double reach, bool moves)
{
    cg_box threads = box_of_nothing();
    int count = set->part_count;
    if (set->first_free == set->rigid_count) {
        return count;
    }
    for (int c = 0; c < set->thread_count; c++) {
        for (int i = 0; i < set->chains[c].count; i++) {
            cg_vec3 here = set->chains[c].points[i];
            box_take(&threads, here);
            box_take(&threads, moves ? v3_add(here, set->moves[c][i]) : here);
        }
    }
    threads = box_grown(threads, reach);
    for (; count > 0 && set->parts[count - 1].body >= set->first_free; count--) {
        cg_box part = cg_touch_box_of_part(set, count - 1);
        if (boxes_meet(&threads, &part)) {
            break;
        }
    }
    return count;
}

void cg_touch_find_at_parts(cg_touch_set *set, const cg_contact_rule *rule)
{
    double thickest = cg_touch_thickest(set), reach = CG_TOUCH_REACH * thickest;
    cg_shape_contacts_find(&set->finder, rule, set->chains, set->thread_count, set->placed,
                           cg_touch_near_parts(set, reach + thickest, false), reach, &set->found_shapes);
    set->stats.lost += set->found_shapes.lost;
    for (int i = 0; i < set->found_shapes.count; i++) {
        const cg_shape_contact *contact = &set->found_shapes.items[i];
        if (is_within_reach(set, contact) &&
            !cg_touch_is_beside_joint(set, contact->chain, contact->segment, contact->shape)) {
            cg_touch touch = touch_of_shape(set, contact);
            cg_touch_add_row(set, &touch);
        }
    }
    add_behind_joints(set);
    find_rigid_touches(set);
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
