// The touches of a world as a set: memory, the bodies that take part, state, and motions of rigid bodies. How touches
// are found: touch_find.c.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "contact/channel.h"
#include "contact/touch.h"
#include "contact/touch_joint.h"
#include "contact/touch_rods.h"
#include "thread/slide.h"

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
    set->all_hidden = cg_arena_push_array(arena, unsigned char, room->vertices);
    set->rigids = cg_arena_push_array(arena, cg_rigid *, room->rigids);
    set->parts = cg_arena_push_array(arena, cg_rigid_place, room->parts);
    set->placed = cg_arena_push_array(arena, cg_placed_shape, room->parts);
    set->moving = cg_arena_push_array(arena, cg_moving_shape, room->parts);
    set->covers = cg_arena_push_array(arena, cg_cover, room->parts);
    set->ways = cg_arena_push_array(arena, cg_part_way, room->parts);
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
    cg_near_layout(&set->near, max_threads, max_vertices, most_pairs, CG_TOUCH_REACH, arena);
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
    set->slip_rows = cg_arena_push(arena, 2 * CG_SLIPS_AT_ONCE * columns, sizeof(double));
    set->friction = cg_arena_push_array(arena, double, max_touches);
    set->force = cg_arena_push(arena, columns, sizeof(double));
    set->kept = cg_arena_push_array(arena, cg_vec3, max_touches);
    set->change = cg_arena_push_array(arena, cg_vec3, max_touches);
    cg_friction_layout(&set->friction_work, max_touches, arena);
}

void cg_touch_list_chains(cg_touch_set *set)
{
    set->rolling = false;
    set->motion.near = &set->near;
    if (set->is_off_skins) {
        memset(set->all_hidden, CG_AT_HOLE, (size_t)set->most_vertices);
    }
    for (int c = 0; c < set->thread_count; c++) {
        const cg_thread *thread = set->threads[c];
        set->rolling = set->rolling || thread->rolling;
        const unsigned char *hidden = thread->slide != NULL ? thread->slide->hidden : NULL;
        hidden = set->is_off_skins && hidden == NULL ? set->all_hidden : hidden;
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
    for (int k = 0; k < set->skin_count; k++) {
        set->stats.lost += set->skins[k]->lost_ties; // noted when the tissues were looked at
    }
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
        for (int k = 0; k < set->skin_count; k++) {
            cg_skin_forget(set->skins[k]);
        }
    }
}

void cg_touch_after_load(cg_touch_set *set)
{
    drop_lost_touches(set);
    cg_touch_find_row_axes(set);
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
