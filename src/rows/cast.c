// Who takes part in a step, and where: chains of threads and of the rods of free bodies, parts of rigid bodies.
#include <assert.h>
#include <string.h>

#include "base/vec3.h"
#include "rows/touch.h"
#include "thread/slide.h"

void cg_touch_list_chains(cg_touch_set *set)
{
    assert(set->cast.thread_count >= 0 && set->cast.thread_count <= set->room.threads);
    set->cast.rolling = false;
    set->search.motion.near = &set->search.near;
    if (set->cast.is_off_skins) {
        memset(set->cast.all_hidden, CG_AT_HOLE, (size_t)set->room.vertices);
    }
    for (int c = 0; c < set->cast.thread_count; c++) {
        const cg_thread *thread = set->cast.threads[c];
        set->cast.rolling = set->cast.rolling || thread->rolling;
        const unsigned char *hidden = thread->slide != NULL ? thread->slide->hidden : NULL;
        hidden = set->cast.is_off_skins && hidden == NULL ? set->cast.all_hidden : hidden;
        set->cast.chains[c] = (cg_chain){NULL, thread->vertex_count, thread->radius, thread->arc, hidden};
    }
}

static const cg_channel *channel_of(const cg_touch_set *set, int rigid)
{
    for (int c = 0; c < CG_MOST_CHANNELS && set->cast.channels != NULL; c++) {
        if (set->cast.channels[c].is_used && set->cast.channels[c].rigid == rigid) {
            return &set->cast.channels[c];
        }
    }
    return NULL;
}

void cg_touch_hide_rods(cg_touch_set *set)
{
    assert(set->cast.rod_count <= set->room.rods);
    for (int r = 0; r < set->cast.rod_count; r++) {
        cg_touch_rod *rod = &set->cast.rods[r];
        const cg_channel *channel = channel_of(set, rod->body);
        uint64_t hidden = channel != NULL ? channel->hidden : 0;
        rod->in_channel = channel != NULL;
        bool is_hidden_whole = set->cast.rigids[rod->body]->in_cut;
        for (int i = 0; i < rod->chain.point_count; i++) {
            int part = rod_part(&rod->chain, i);
            bool is_hidden_part = part < rod->chain.part + rod->chain.part_count && (hidden >> part & 1);
            set->cast.rod_hidden[rod->first_point + i] = is_hidden_whole || is_hidden_part ? CG_AT_HOLE : CG_SEEN;
        }
    }
}

static void list_rods(cg_touch_set *set)
{
    cg_rod_chain *chains = set->search.rod_chains;
    int points = 0;
    set->cast.rod_count = 0;
    for (int k = 0; k < set->cast.part_count; k++) {
        const cg_rigid *body = set->cast.rigids[set->cast.parts[k].body];
        if (!body->is_free || set->cast.parts[k].part > 0) {
            continue;
        }
        int count = cg_rod_chains_of(body->parts, body->part_count, chains, set->cast.rod_points + points);
        for (int i = 0; i < count; i++) {
            set->cast.rods[set->cast.rod_count++] =
                (cg_touch_rod){set->cast.parts[k].body, k, points + chains[i].first_point, false, chains[i]};
        }
        points += count > 0 ? chains[count - 1].first_point + chains[count - 1].point_count : 0;
    }
    cg_touch_hide_rods(set);
}

void cg_touch_list_parts(cg_touch_set *set)
{
    assert(set->cast.rigid_count >= 0 && set->cast.rigid_count <= set->room.rigids);
    set->cast.part_count = set->cast.first_free = 0;
    for (int k = 0; k < set->cast.rigid_count; k++) {
        set->cast.first_free += !set->cast.rigids[k]->is_free;
        for (int part = 0; part < cg_rigid_part_count(set->cast.rigids[k]); part++) {
            set->cast.parts[set->cast.part_count++] = (cg_rigid_place){k, part};
        }
    }
    list_rods(set);
}

void cg_touch_place_rods(cg_touch_set *set, bool at_start)
{
    for (int r = 0; r < set->cast.rod_count; r++) {
        const cg_touch_rod *rod = &set->cast.rods[r];
        const cg_rigid *body = set->cast.rigids[rod->body];
        cg_transform pose = at_start ? body->start : body->now;
        cg_vec3 *places = set->cast.rod_places + rod->first_point;
        for (int i = 0; i < rod->chain.point_count; i++) {
            places[i] = transform_point(pose, set->cast.rod_points[rod->first_point + i]);
        }
        set->cast.chains[set->cast.thread_count + r] = (cg_chain){places, rod->chain.point_count, rod->chain.radius,
                                                                  NULL, set->cast.rod_hidden + rod->first_point};
        set->cast.moves[set->cast.thread_count + r] = NULL;
    }
}

double cg_touch_thickest(const cg_touch_set *set)
{
    double radius = 0;
    for (int c = 0; c < set->cast.thread_count; c++) {
        radius = set->cast.threads[c]->radius > radius ? set->cast.threads[c]->radius : radius;
    }
    return radius;
}

void cg_touch_look_at_bodies(cg_touch_set *set)
{
    assert(set->cast.part_count <= set->room.parts);
    for (int c = 0; c < set->cast.thread_count; c++) {
        set->cast.chains[c].points = set->cast.threads[c]->shape.position;
        set->cast.moves[c] = set->cast.threads[c]->move;
    }
    for (int k = 0; k < set->cast.part_count; k++) {
        const cg_rigid *body = set->cast.rigids[set->cast.parts[k].body];
        const cg_rigid_part *part = body->parts != NULL ? &body->parts[set->cast.parts[k].part] : NULL;
        set->cast.moving[k] = (cg_moving_shape){
            .shape = body->shape, .before = body->now, .after = body->target, .is_part = part != NULL};
        if (body->is_free) {
            set->cast.moving[k].by_turn = true;
            set->cast.moving[k].turn = body->way;
        }
        if (part != NULL) {
            set->cast.moving[k].shape = part->shape;
            set->cast.moving[k].part = part->pose;
        }
        set->cast.placed[k] = (cg_placed_shape){set->cast.moving[k].shape, moving_shape_start(&set->cast.moving[k])};
    }
    if (set->cast.skin_count > 0) {
        cg_touch_place_rods(set, false);
    }
}
