// Touches of threads and free bodies with tissues. See skin_rows.h and skin.h.
#include "find/skin_rows.h"

#include "find/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "find/channel.h"
#include "find/rods.h"
#include "thread/slide.h"

// Finding

// Says whether a place carried a force in the last pass, on this segment or beside it.
typedef struct memory {
    const cg_touch_set *set;
    int chain_b;
} memory;

static bool carried(const void *context, int chain, int segment, int feature)
{
    const memory *m = context;
    bool is_thread = chain < m->set->cast.thread_count;
    int segments = m->set->cast.chains[chain].count - 1;
    for (int beside = -1; beside <= 1; beside++) {
        int at = segment + beside;
        if (!is_thread && (at < 0 || at >= segments)) {
            continue;
        }
        cg_segment_pair pair = is_thread ? (cg_segment_pair){chain, at, m->chain_b, feature}
                                         : cg_touch_rod_pair(m->set, chain, at, m->chain_b, feature);
        const cg_touch *before = cg_touch_before(m->set, &pair);
        if (before != NULL && touch_pushes(before)) {
            return true;
        }
    }
    return false;
}

static void add_skin(cg_touch_set *set, int skin, const cg_skin_contact *contact)
{
    double friction = set->cast.threads[contact->chain]->friction * set->cast.skins[skin]->surface->friction;
    cg_touch touch = {.pair = {contact->chain, contact->segment, cg_chain_of(CG_BODY_TISSUE, skin), contact->feature},
                      .kind = CG_SKIN_ROW,
                      .fraction = {contact->t, 0},
                      .weights = {{0}, {contact->weights[0], contact->weights[1], contact->weights[2]}},
                      .point = {contact->point, contact->surface},
                      .radius = set->cast.threads[contact->chain]->radius,
                      .gap = contact->gap,
                      .friction = sqrt(friction)};
    cg_touch_add(set, &touch, contact->normal);
}

void cg_touch_find_skins(cg_touch_set *set, double reach)
{
    double thickest = 0;
    for (int c = 0; c < cg_touch_chain_count(set); c++) {
        thickest = fmax(thickest, set->cast.chains[c].radius);
    }
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        cg_skin *skin = set->cast.skins[k];
        if (skin->tissue->solver != CG_TISSUE_IMPLICIT) {
            continue; // it bears no forces of others, and stands in the way
        }
        double moved =
            cg_skin_cover(skin, set->cast.chains, cg_touch_chain_count(set), reach * cg_skin_counted(thickest));
        if (!(moved >= 0)) {
            set->stats.lost++;
            continue;
        }
        memory m = {set, cg_chain_of(CG_BODY_TISSUE, k)};
        cg_skin_surface surface = cg_skin_surface_now(skin);
        cg_skin_contacts_find(&surface, set->cast.chains, &skin->pairs, moved, reach, &(cg_skin_memory){carried, &m},
                              &set->search.found_skin);
        set->stats.lost += set->search.found_skin.lost;
        for (int i = 0; i < set->search.found_skin.count; i++) {
            const cg_skin_contact *contact = &set->search.found_skin.items[i];
            if (contact->chain < set->cast.thread_count) {
                add_skin(set, k, contact);
            } else {
                cg_touch_add_rod(set, k, contact);
            }
        }
    }
}

cg_vec3 cg_touch_skin_slide(const cg_touch_set *set, const cg_touch *touch, cg_vec3 slide)
{
    assert(touch_skin(touch) >= 0);
    if (skin_is_face(touch->pair.segment_b)) {
        return v3_zero();
    }
    int thread = touch_thread(touch, 0);
    if (thread < 0) {
        return slide;
    }
    cg_vec3 along = set->cast.threads[thread]->shape.tangent[touch->pair.segment_a];
    return v3_add_scaled(slide, -v3_dot(slide, along), along);
}

// Moving

// The share of the motions of threads, rods and nodes.
static double walk_skin(cg_touch_set *set, cg_skin *skin, double limit)
{
    cg_skin_way way = {set->cast.moves, set->cast.thread_count, cg_touch_rods_way(set, skin)};
    limit = fmin(limit, cg_skin_most_share(skin, set->cast.chains, cg_touch_chain_count(set), &way));
    cg_skin_walk walk = cg_skin_walk_share(skin, set->cast.chains, cg_touch_chain_count(set), &way, limit);
    set->stats.work += CG_TOUCH_WORK_OF_LOOK * (int64_t)walk.looks;
    return cg_touch_rods_share(set, skin, walk.share);
}

double cg_touch_skin_share(cg_touch_set *set, double limit)
{
    assert(!(limit > 1));
    double longest = 0;
    for (int c = 0; c < set->cast.thread_count; c++) {
        const cg_thread *thread = set->cast.threads[c];
        for (int i = 0; i < thread->vertex_count; i++) {
            cg_vec3 way = v3_sub(v3_add(thread->shape.position[i], thread->move[i]), thread->start[i]);
            longest = fmax(longest, v3_dot(way, way));
        }
    }
    longest = fmax(sqrt(longest), cg_touch_rods_longest(set));
    for (int k = 0; k < set->cast.skin_count && limit > 0; k++) {
        if (set->cast.skins[k]->clearance > longest) {
            continue;
        }
        cg_skin_begin_late(set->cast.skins[k],
                           true); // threads came farther than was expected; the tissue has made its step
        limit = walk_skin(set, set->cast.skins[k], limit);
    }
    return limit;
}

cg_safe_motion cg_touch_shift_beside_skins(cg_touch_set *set)
{
    cg_safe_motion safe = {.fraction = 1, .limit = CG_LIMIT_NONE, .shape = -1};
    for (int k = 0; k < set->cast.skin_count && safe.fraction == 1; k++) {
        cg_skin *skin = set->cast.skins[k];
        cg_skin_begin(skin, true);
        cg_skin_way way = {set->cast.moves, set->cast.thread_count, 0};
        cg_skin_walk walk = cg_skin_walk_share(skin, set->cast.chains, cg_touch_chain_count(set), &way, 1);
        if (walk.share < 1) {
            const cg_skin_pair *pair = walk.pair >= 0 ? &skin->pairs.items[walk.pair] : NULL;
            safe.fraction = walk.share;
            safe.limit = pair != NULL ? CG_LIMIT_SHAPE : CG_LIMIT_BAD;
            safe.pair = pair != NULL ? (cg_segment_pair){pair->chain, pair->segment, pair->chain, pair->segment}
                                     : (cg_segment_pair){0, 0, 0, 0};
        }
    }
    return safe;
}

double cg_touch_whole_share(cg_touch_set *set)
{
    cg_touch_look_at_bodies(set);
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        for (int i = 0; i < thread->vertex_count; i++) {
            thread->move[i] = v3_sub(thread->shape.position[i], thread->start[i]);
        }
        set->cast.chains[c].points = thread->start;
    }
    cg_touch_place_rods(set, true);
    for (int k = 0; k < set->cast.part_count; k++) {
        const cg_rigid *body = set->cast.rigids[set->cast.parts[k].body];
        set->cast.moving[k].before = body->start;
        set->cast.moving[k].after = body->now;
        set->cast.moving[k].by_turn = false; // its turn is that of the last pass
    }
    set->search.motion.limit = cg_touch_limit_parts(set, 1);
    double share = cg_safe_motion_find(&set->search.motion, &set->search.motion_rule, set->cast.chains, set->cast.moves,
                                       set->cast.thread_count, set->cast.moving, set->cast.part_count)
                       .fraction;
    for (int k = 0; k < set->cast.skin_count && share > 0; k++) {
        cg_skin_way way = {set->cast.moves, set->cast.thread_count, cg_touch_rods_way(set, set->cast.skins[k])};
        double safe = cg_skin_whole_share(set->cast.skins[k], set->cast.chains, cg_touch_chain_count(set), &way);
        safe = cg_touch_rods_share(set, set->cast.skins[k], safe);
        share = safe < share ? safe : share;
    }
    return share;
}
