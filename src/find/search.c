// Where threads and rigid bodies touch themselves and each other in a pass. Tissues: skin_rows.c.
#include "find/search.h"

#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "find/beside_joint.h"

static cg_touch touch_of(const cg_touch_set *set, const cg_contact *contact)
{
    const cg_thread *a = set->cast.threads[contact->pair.chain_a], *b = set->cast.threads[contact->pair.chain_b];
    cg_touch touch = {.pair = contact->pair,
                      .kind = contact->pair.chain_a == contact->pair.chain_b ? CG_SELF_ROW : CG_THREADS_ROW,
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
    bool is_free = set->cast.parts[part].body >= set->cast.first_free &&
                   set->cast.rigids[set->cast.parts[part].body]->drive == NULL;
    double rods = is_free ? cg_rod_radius(&set->cast.placed[part].shape) : thread->radius;
    return rods < thread->radius ? rods : thread->radius;
}

static cg_touch touch_of_shape(const cg_touch_set *set, const cg_shape_contact *contact)
{
    const cg_thread *thread = set->cast.threads[contact->chain];
    const cg_rigid_place *place = &set->cast.parts[contact->shape];
    cg_touch touch = {.pair = {contact->chain, contact->segment, cg_chain_of(CG_BODY_RIGID, place->body), place->part},
                      .kind = CG_RIGID_ROW,
                      .fraction = {contact->t, 0},
                      .point = {contact->point, contact->surface},
                      .radius = radius_at_part(set, thread, contact->shape),
                      .gap = contact->gap,
                      .friction = sqrt(thread->friction * set->cast.rigids[place->body]->friction)};
    touch_set_axes(&touch, contact->normal);
    return touch;
}

// `a` and `b` are numbers of parts.
static cg_touch touch_of_parts(const cg_touch_set *set, int a, int b, const cg_part_contact *contact)
{
    const cg_rigid_place *from = &set->cast.parts[a], *to = &set->cast.parts[b];
    double of_a = cg_rod_radius(&set->cast.placed[a].shape), of_b = cg_rod_radius(&set->cast.placed[b].shape);
    cg_touch touch = {.pair = {cg_chain_of(CG_BODY_RIGID, from->body), cg_part_feature(from->part, contact->place[0]),
                               cg_chain_of(CG_BODY_RIGID, to->body), cg_part_feature(to->part, contact->place[1])},
                      .kind = CG_RIGIDS_ROW,
                      .point = {contact->point[0], contact->point[1]},
                      .radius = of_a < of_b ? of_a : of_b,
                      .gap = contact->gap,
                      .friction = sqrt(set->cast.rigids[from->body]->friction * set->cast.rigids[to->body]->friction)};
    touch_set_axes(&touch, contact->normal);
    return touch;
}

static void add_stoppers(cg_touch_set *set)
{
    for (int i = 0; i < set->search.stopper_count; i++) {
        if (!cg_touch_has(set, &set->search.stoppers[i])) {
            cg_contact contact = cg_contact_of_pair(set->cast.chains, &set->search.stoppers[i], v3_zero());
            cg_touch touch = touch_of(set, &contact);
            cg_touch_add_row(set, &touch);
        }
    }
}

// Pairs so deep in each other that they may not come nearer at all (threads that were begun so): one such pair without
// a touch of its own would hold all the others for ever.
static void add_deep(cg_touch_set *set)
{
    for (int k = 0; k < set->search.near.close_count; k++) {
        const cg_close_pair *close = &set->search.near.close[k];
        double d = set->cast.chains[close->pair.chain_a].radius + set->cast.chains[close->pair.chain_b].radius;
        double deep = set->search.motion_rule.freeze * d;
        if (close->closest.squared_distance < deep * deep && !cg_touch_has(set, &close->pair)) {
            cg_contact contact = cg_contact_of_pair(set->cast.chains, &close->pair, v3_zero());
            cg_touch touch = touch_of(set, &contact);
            cg_touch_add_row(set, &touch);
        }
    }
}

// The touches of the last pass as the finder remembers them.
static void list_last(cg_touch_set *set)
{
    set->search.last.count = 0;
    for (int i = 0; i < set->rows.before_count; i++) {
        const cg_touch *touch = &set->rows.before[i];
        if (touch_thread(touch, 1) >= 0) {
            cg_contact *contact = &set->search.last.items[set->search.last.count++];
            *contact = (cg_contact){.pair = touch->pair,
                                    .normal = v3_neg(touch->axes[0]),
                                    .carries = touch->working && v3_dot(touch->force, touch->axes[0]) > 0};
        }
    }
}

static bool may_touch(const cg_touch_set *set, int a, int b, double reach)
{
    const cg_placed_shape *first = &set->cast.placed[a], *second = &set->cast.placed[b];
    if (second->shape.kind == CG_SHAPE_HALF_SPACE) {
        double height = cg_shape_distance_point(&second->shape, &second->pose, first->pose.position).distance;
        return height < cg_shape_size(&first->shape) + reach;
    }
    double sizes = cg_shape_size(&first->shape) + cg_shape_size(&second->shape);
    return v3_distance(first->pose.position, second->pose.position) < sizes + reach;
}

static void find_between_parts(cg_touch_set *set, int a, int b)
{
    double of_a = cg_rod_radius(&set->cast.placed[a].shape), of_b = cg_rod_radius(&set->cast.placed[b].shape);
    double reach = CG_TOUCH_REACH * (of_a < of_b ? of_a : of_b);
    if (!covers_are_apart(&set->search.covers[a], &set->search.covers[b], reach) && may_touch(set, a, b, reach)) {
        int count = cg_part_contacts_find(&set->cast.placed[a], &set->cast.placed[b], reach, set->search.part_contacts);
        for (int i = 0; i < count; i++) {
            cg_touch touch = touch_of_parts(set, a, b, &set->search.part_contacts[i]);
            cg_touch_add_row(set, &touch);
        }
    }
}

// True for two parts of which the first moves freely, and that are of different bodies, not led together; each two
// once.
static bool are_a_pair(const cg_touch_set *set, int a, int b)
{
    int first = set->cast.parts[a].body, second = set->cast.parts[b].body;
    const struct cg_drive *drive = set->cast.rigids[first]->drive;
    bool is_led_along = drive != NULL && set->cast.rigids[second]->drive == drive;
    return first >= set->cast.first_free && (second < set->cast.first_free || first < second) && !is_led_along;
}

static void find_rigid_touches(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.part_count; k++) {
        set->search.covers[k] = cover_of(&set->cast.placed[k].shape, &set->cast.placed[k].pose);
    }
    for (int a = 0; a < set->cast.part_count; a++) {
        for (int b = 0; b < set->cast.part_count && set->cast.parts[a].body >= set->cast.first_free; b++) {
            if (are_a_pair(set, a, b)) {
                find_between_parts(set, a, b);
            }
        }
    }
}

static bool is_within_reach(const cg_touch_set *set, const cg_shape_contact *contact)
{
    return contact->gap < CG_TOUCH_REACH * set->cast.threads[contact->chain]->radius;
}

void cg_touch_find_between_threads(cg_touch_set *set, const cg_contact_rule *rule)
{
    cg_near_look(&set->search.near, set->cast.chains, set->cast.thread_count);
    list_last(set);
    cg_contacts_find_close(&set->search.finder, rule, set->cast.chains, &set->search.near, &set->search.last,
                           &set->search.found);
    set->stats.lost += set->search.near.lost + set->search.found.lost;
    for (int i = 0; i < set->search.found.count; i++) {
        cg_touch touch = touch_of(set, &set->search.found.items[i]);
        cg_touch_add_row(set, &touch);
    }
    add_stoppers(set);
    add_deep(set);
}

static void add_behind_joints(cg_touch_set *set)
{
    for (int j = 0; j < set->cast.joint_count; j++) {
        for (int part = 0; part < set->cast.part_count; part++) {
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
    assert(part >= 0 && part < set->cast.part_count);
    const cg_moving_shape *moving = &set->cast.moving[part];
    double arm = moving->is_part ? v3_length(moving->part.position) : 0;
    cg_box box = box_of_nothing();
    box_take(&box, moving->before.position);
    box_take(&box, moving->after.position);
    return box_grown(box, arm + cg_shape_size(&moving->shape));
}

int cg_touch_near_parts(const cg_touch_set *set, double reach, bool moves)
{
    assert(!(reach < 0));
    cg_box threads = box_of_nothing();
    int count = set->cast.part_count;
    if (set->cast.first_free == set->cast.rigid_count) {
        return count;
    }
    for (int c = 0; c < set->cast.thread_count; c++) {
        for (int i = 0; i < set->cast.chains[c].count; i++) {
            cg_vec3 here = set->cast.chains[c].points[i];
            box_take(&threads, here);
            box_take(&threads, moves ? v3_add(here, set->cast.moves[c][i]) : here);
        }
    }
    threads = box_grown(threads, reach);
    for (; count > 0 && set->cast.parts[count - 1].body >= set->cast.first_free; count--) {
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
    cg_shape_contacts_find(&set->search.finder, rule, set->cast.chains, set->cast.thread_count, set->cast.placed,
                           cg_touch_near_parts(set, reach + thickest, false), reach, &set->search.found_shapes);
    set->stats.lost += set->search.found_shapes.lost;
    for (int i = 0; i < set->search.found_shapes.count; i++) {
        const cg_shape_contact *contact = &set->search.found_shapes.items[i];
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
    assert(!(limit < 0) && !(limit > 1));
    cg_part_motion motion = {limit, 0, 0};
    for (int k = 0; k < set->cast.part_count; k++) {
        set->search.ways[k] = cg_part_way_of(&set->cast.moving[k]);
    }
    for (int a = 0; a < set->cast.part_count; a++) {
        for (int b = 0; b < set->cast.part_count && set->cast.parts[a].body >= set->cast.first_free; b++) {
            if (are_a_pair(set, a, b)) {
                cg_part_motion_limit(&set->search.ways[a], &set->search.ways[b], &set->search.motion_rule, &motion);
            }
        }
    }
    set->stats.work += CG_TOUCH_WORK_OF_LOOK * (int64_t)motion.looks;
    return motion.fraction;
}
