#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "contact/channel.h"
#include "contact/touch.h"
#include "contact/touch_joint.h"
#include "contact/touch_rods.h"
#include "contact/touch_skin.h"
#include "thread/slide.h"

// How far ahead of touching a touch is found, in radii of its thinner side. Shorter: more touches appear only when
// they already close, and a pass has to stop short for them. Longer: more pairs to look at.
static const double REACH = 2.0;
// Segments, along both sides together, that a touch may have slid by in a pass and still hand on its force.
enum { FARTHEST_HEIR = 4 };
// Multiply-adds by vertex for assembling and factoring, and by touch, in each pass.
enum { WORK_OF_VERTEX = 2000, WORK_OF_TOUCH = 1000 };

static void lay_out_bodies(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena)
{
    set->most_threads = room->threads;
    set->most_vertices = room->vertices;
    set->most_rigids = room->rigids;
    set->most_parts = room->parts;
    set->threads = cg_arena_push(arena, (size_t)room->threads, sizeof *set->threads);
    set->most_rods = room->rods;
    set->most_rod_points = room->rod_points;
    set->chains = cg_arena_push(arena, (size_t)(room->threads + room->rods), sizeof *set->chains);
    set->moves = cg_arena_push(arena, (size_t)(room->threads + room->rods), sizeof *set->moves);
    set->rods = cg_arena_push_array(arena, cg_touch_rod, room->rods);
    set->rod_chains = cg_arena_push_array(arena, cg_rod_chain, room->rods);
    set->rod_points = cg_arena_push_array(arena, cg_vec3, room->rod_points);
    set->rod_places = cg_arena_push_array(arena, cg_vec3, room->rod_points);
    set->rod_hidden = cg_arena_push_array(arena, unsigned char, room->rod_points);
    int nodes = room->threads + room->rigids + 1;
    set->island = cg_arena_push_array(arena, int, nodes);
    set->progress = cg_arena_push_array(arena, cg_progress, nodes);
    set->group = cg_arena_push_array(arena, int, nodes);
    set->still = cg_arena_push_array(arena, cg_vec3, room->vertices);
    set->is_near_skin = cg_arena_push_array(arena, bool, room->threads + room->rods);
    set->rigids = cg_arena_push_array(arena, cg_rigid *, room->rigids);
    set->parts = cg_arena_push_array(arena, cg_rigid_place, room->parts);
    set->placed = cg_arena_push_array(arena, cg_placed_shape, room->parts);
    set->moving = cg_arena_push_array(arena, cg_moving_shape, room->parts);
}

void cg_touch_layout(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena)
{
    int max_touches = room->touches, max_threads = room->threads, max_vertices = room->vertices;
    size_t columns = 3 * (size_t)max_touches;
    set->most_working = max_touches;
    set->most_touches = 4 * max_touches;
    int most_pairs = 16 * max_touches + max_vertices;
    lay_out_bodies(set, room, arena);
    cg_shape_contact_list_layout(&set->found_shapes, room->parts > 0 ? most_pairs : 0, arena);
    cg_near_layout(&set->near, max_threads, max_vertices, most_pairs, REACH, arena);
    cg_contact_finder_layout(&set->finder, most_pairs, arena);
    cg_contact_list_layout(&set->found, most_pairs, arena);
    cg_skin_contact_list_layout(&set->found_skin, set->most_touches, arena);
    cg_contact_list_layout(&set->last, set->most_touches, arena);
    cg_motion_finder_layout(&set->motion, max_threads, max_vertices, arena);
    set->touches = cg_arena_push_array(arena, cg_touch, set->most_touches);
    set->before = cg_arena_push_array(arena, cg_touch, set->most_touches);
    set->most_joints = room->joints;
    set->joints = cg_arena_push_array(arena, cg_touch_joint, room->joints);
    set->exempt = cg_arena_push_array(arena, cg_motion_exempt, room->joints);
    set->most_guides = room->guides;
    set->joint_rows = cg_arena_push(arena, (size_t)(room->joints + room->guides) * (12 + 3 * columns), sizeof(double));
    set->working = cg_arena_push_array(arena, int, max_touches);
    cg_coupling_layout(&set->coupling_work, max_vertices, max_touches, arena);
    set->points = cg_arena_push_array(arena, cg_coupling_point, 2 * max_touches);
    set->roll_points = cg_arena_push_array(arena, cg_roll_point, 2 * max_touches);
    set->rigid_points = cg_arena_push_array(arena, cg_rigid_point, room->rigids > 0 ? 2 * max_touches : 0);
    set->next_row = cg_arena_push_array(arena, int, CG_SKIN_CORNERS *max_touches);
    set->axes = cg_arena_push(arena, 3 * columns, sizeof(double));
    set->coupling = cg_arena_push(arena, columns * columns, sizeof(double));
    set->free_motion = cg_arena_push(arena, columns, sizeof(double));
    set->friction = cg_arena_push_array(arena, double, max_touches);
    set->force = cg_arena_push(arena, columns, sizeof(double));
    cg_friction_layout(&set->friction_work, max_touches, arena);
}

void cg_touch_list_chains(cg_touch_set *set)
{
    set->rolling = false;
    set->motion.near = &set->near;
    for (int c = 0; c < set->thread_count; c++) {
        const cg_thread *thread = set->threads[c];
        set->rolling = set->rolling || thread->rolling;
        const unsigned char *hidden = thread->slide != NULL ? thread->slide->hidden : NULL;
        set->chains[c] = (cg_chain){NULL, thread->vertex_count, thread->radius, thread->arc, hidden};
    }
}

void cg_touch_list_parts(cg_touch_set *set)
{
    set->part_count = set->first_free = 0;
    for (int k = 0; k < set->rigid_count; k++) {
        set->first_free += !set->rigids[k]->is_free;
        for (int part = 0; part < cg_rigid_part_count(set->rigids[k]); part++) {
            set->parts[set->part_count++] = (cg_rigid_place){k, part};
        }
    }
    cg_touch_list_rods(set);
}

void cg_touch_begin_step(cg_touch_set *set, const cg_step_context *context, int passes)
{
    memset(&set->stats, 0, sizeof set->stats);
    set->searches = 0;
    set->ahead = set->is_skin_done = false;
    set->stopper_count = 0;
    set->solved = -1;
    for (int n = 0; n < cg_node_count(set); n++) {
        set->progress[n] = (cg_progress){.most = passes, .share = 1};
    }
    cg_touch_list_chains(set);
    cg_touch_note_exempt(set);
    for (int k = 0; k < set->rigid_count; k++) {
        set->rigids[k]->start = set->rigids[k]->now;
        set->rigids[k]->force = set->rigids[k]->torque = v3_zero();
        if (k >= set->first_free) {
            cg_rigid_begin_step(set->rigids[k], context->time_step, context->gravity);
        }
    }
}

static void visit_pair(cg_archive *archive, cg_segment_pair *pair)
{
    int *numbers[3] = {&pair->chain_a, &pair->segment_a, &pair->chain_b};
    for (int i = 0; i < 3; i++) {
        cg_archive_int(archive, numbers[i], 0, CG_BODY_KINDS * CG_CHAINS_OF_KIND - 1);
    }
    cg_archive_int(archive, &pair->segment_b, 0, 1 << 30); // features of tissue go that far
}

// True when the bodies and features of a touch are there, and forces move its first side. A loaded one may name any.
static bool is_there(const cg_touch_set *set, const cg_touch *touch)
{
    for (int side = 0; side < 2; side++) {
        cg_site site = touch_site(touch, side);
        if (!cg_body_kinds[site.kind]->is_there(set, site.body, site.feature)) {
            return false;
        }
    }
    return touch_mover(set, touch, 0) >= 0;
}

// And whether its numbers are such as a step leaves: one with others gives nothing to the next step.
static bool is_sound(const cg_touch_set *set, const cg_touch *touch)
{
    const double most_force = 1e12, rounding = 1e-6;
    cg_vec3 normal = touch->axes[0];
    // Its own radius is known when it is found again: no more than that of a thread.
    int thread = touch_thread(touch, 0);
    double radius = thread >= 0 ? set->threads[thread]->radius : 1.0;
    return fabs(v3_dot(normal, normal) - 1) < rounding &&
           v3_dot(touch->force, touch->force) <= most_force * most_force &&
           v3_dot(touch->drift, touch->drift) <= radius * radius;
}

static void drop_lost_touches(cg_touch_set *set)
{
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        if (is_there(set, &set->touches[i]) && is_sound(set, &set->touches[i])) {
            set->touches[kept++] = set->touches[i];
        }
    }
    set->count = kept;
}

// What the next search starts from: pairs and forces for the warm start, normals for the continuity of directions.
void cg_touch_visit_state(cg_archive *archive, cg_touch_set *set)
{
    int touches = cg_archive_length(archive, set->count, set->most_touches);
    for (int i = 0; i < touches; i++) {
        visit_pair(archive, &set->touches[i].pair);
        cg_archive_vec3(archive, &set->touches[i].axes[0]);
        cg_archive_vec3(archive, &set->touches[i].force);
        cg_archive_vec3(archive, &set->touches[i].drift);
        cg_archive_bool(archive, &set->touches[i].working);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        set->count = touches;
        drop_lost_touches(set);
        for (int k = 0; k < set->skin_count; k++) {
            cg_skin_forget(set->skins[k]);
        }
    }
}

double cg_touch_thickest(const cg_touch_set *set)
{
    double radius = 0;
    for (int c = 0; c < set->thread_count; c++) {
        radius = set->threads[c]->radius > radius ? set->threads[c]->radius : radius;
    }
    return radius;
}

void cg_touch_look_at_bodies(cg_touch_set *set)
{
    for (int c = 0; c < set->thread_count; c++) {
        set->chains[c].points = set->threads[c]->shape.position;
        set->moves[c] = set->threads[c]->move;
    }
    for (int k = 0; k < set->part_count; k++) {
        const cg_rigid *body = set->rigids[set->parts[k].body];
        const cg_rigid_part *part = body->parts != NULL ? &body->parts[set->parts[k].part] : NULL;
        set->moving[k] = (cg_moving_shape){
            .shape = body->shape, .before = body->now, .after = body->target, .is_part = part != NULL};
        if (body->is_free) {
            set->moving[k].by_turn = true;
            set->moving[k].turn = body->way;
        }
        if (part != NULL) {
            set->moving[k].shape = part->shape;
            set->moving[k].part = part->pose;
        }
        set->placed[k] = (cg_placed_shape){set->moving[k].shape, moving_shape_start(&set->moving[k])};
    }
    if (set->skin_count > 0) {
        cg_touch_place_rods(set, false);
    }
}

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
    int at = set->count++;
    for (; at > 0 && compare_pairs(&set->touches[at - 1].pair, &touch.pair) > 0; at--) {
        set->touches[at] = set->touches[at - 1];
    }
    set->touches[at] = touch;
}

void cg_touch_add(cg_touch_set *set, const cg_touch *touch, cg_vec3 normal)
{
    cg_touch added = *touch;
    set_axes(&added, normal);
    add_touch(set, added);
}

void cg_touch_add_row(cg_touch_set *set, const cg_touch *touch)
{
    add_touch(set, *touch);
}

void cg_touch_add_skin(cg_touch_set *set, int skin, const cg_skin_contact *contact)
{
    double friction = set->threads[contact->chain]->friction * set->skins[skin]->press->friction;
    cg_touch touch = {.pair = {contact->chain, contact->segment, cg_chain_of(CG_BODY_TISSUE, skin), contact->feature},
                      .fraction = {contact->t, 0},
                      .weights = {contact->weights[0], contact->weights[1], contact->weights[2]},
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
    double reach = REACH * (of_a < of_b ? of_a : of_b);
    if (may_touch(set, a, b, reach)) {
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
    for (int a = 0; a < set->part_count; a++) {
        for (int b = 0; b < set->part_count && set->parts[a].body >= set->first_free; b++) {
            if (are_a_pair(set, a, b)) {
                find_between_parts(set, a, b);
            }
        }
    }
}

// A contact that finds no room is found in a later pass; a joint that is left out lets go.
static void make_room_for_joints(cg_touch_set *set)
{
    int most = set->most_touches > set->joint_count ? set->most_touches - set->joint_count : 0;
    if (set->count > most) {
        set->stats.lost += set->count - most;
        set->count = most;
    }
}

void cg_touch_search(cg_touch_set *set)
{
    cg_contact_rule rule = contact_rule_default();
    double reach = REACH * cg_touch_thickest(set);
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
    make_room_for_joints(set);
    cg_touch_find_joints(set);
    if (set->part_count > 0) {
        cg_shape_contacts_find(&set->finder, &rule, set->chains, set->thread_count, set->placed,
                               cg_touch_near_parts(set, reach + cg_touch_thickest(set), false), reach,
                               &set->found_shapes);
        set->stats.lost += set->found_shapes.lost;
        for (int i = 0; i < set->found_shapes.count; i++) {
            const cg_shape_contact *contact = &set->found_shapes.items[i];
            if (contact->gap < REACH * set->threads[contact->chain]->radius &&
                !cg_touch_is_beside_joint(set, contact->chain, contact->segment, contact->shape)) {
                add_touch(set, touch_of_shape(set, contact));
            }
        }
        find_rigid_touches(set);
    }
    set->guide_count = set->row_count = 0;
    if (set->on_skin) {
        cg_touch_find_skins(set, REACH);
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

void cg_touch_place_cores(cg_touch_set *set)
{
    for (int c = 0; c < set->thread_count; c++) {
        cg_thread *thread = set->threads[c];
        int highest = -1;
        for (int i = 0; i < set->count; i++) {
            const cg_segment_pair *pair = &set->touches[i].pair;
            highest = pair->chain_a == c && pair->segment_a > highest ? pair->segment_a : highest;
            highest = pair->chain_b == c && pair->segment_b > highest ? pair->segment_b : highest;
        }
        // Far from the middle the two lanes of the elimination share little; a quarter is a fair price.
        int quarter = thread->vertex_count / 4, middle = (thread->vertex_count - 2) / 2;
        int core = highest < 0 ? middle : (highest > quarter ? highest : quarter);
        cg_band_place_core(&thread->factor, core < thread->vertex_count - 2 ? core : thread->vertex_count - 2);
    }
}

// How much of their motions free bodies can make among rigid parts.
double cg_touch_limit_parts(cg_touch_set *set, double limit)
{
    cg_part_motion motion = {limit, 0, 0};
    for (int a = 0; a < set->part_count; a++) {
        for (int b = 0; b < set->part_count && set->parts[a].body >= set->first_free; b++) {
            if (are_a_pair(set, a, b)) {
                cg_part_motion_limit(&set->moving[a], &set->moving[b], &set->motion_rule, &motion);
            }
        }
    }
    set->stats.work += CG_TOUCH_WORK_OF_LOOK * (int64_t)motion.looks;
    return motion.fraction;
}

void cg_touch_move_rigids(cg_touch_set *set)
{
    for (int k = 0; k < set->first_free; k++) {
        cg_rigid *body = set->rigids[k];
        double share = set->progress[cg_led_node(set, k)].share;
        cg_moving_shape way = {.before = body->now, .after = body->target};
        body->now = share == 1.0 ? body->target : cg_moving_shape_pose(&way, share);
    }
    for (int m = set->thread_count; m < cg_mover_count(set); m++) {
        cg_rigid *body = mover_rigid(set, m);
        double share = set->progress[m].share;
        if (!body->done) {
            cg_rigid_move_share(body, share);
            body->done = body->refused || (share == 1.0 && body->settles);
        }
    }
}

void cg_touch_refuse_bad_moves(cg_touch_set *set)
{
    for (int k = set->first_free; k < set->rigid_count; k++) {
        if (!set->rigids[k]->done) {
            cg_rigid_refuse_bad_move(set->rigids[k]);
        }
    }
}
