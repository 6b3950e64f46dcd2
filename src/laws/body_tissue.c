// Tissue in the problem of contacts: what it does is foreseen (find/skin.h), by inverse blocks of the nodes that bear
// forces.
#include <assert.h>

#include "find/skin.h"
#include "laws/body.h"

static bool is_there(const cg_touch_set *set, int body, int feature)
{
    if (body < set->cast.skin_count && skin_is_deep(feature)) {
        int number = feature - CG_SKIN_DEEP;
        return number < CG_SKIN_MOST_DEEP && set->cast.skins[body]->deep[number].count > 0;
    }
    return body < set->cast.skin_count && skin_triangle(feature) < set->cast.skins[body]->tissue->mesh->triangle_count;
}

static cg_vec3 motion(const cg_touch_set *set, const cg_site *site)
{
    if (skin_is_deep(site->feature)) {
        return cg_skin_deep_move(set->cast.skins[site->body], site->feature - CG_SKIN_DEEP);
    }
    return cg_skin_point_move(set->cast.skins[site->body], skin_triangle(site->feature), site->weights);
}

static cg_vec3 moved(const cg_touch_set *set, const cg_site *site)
{
    if (skin_is_deep(site->feature)) {
        return cg_skin_deep_moved(set->cast.skins[site->body], site->feature - CG_SKIN_DEEP);
    }
    return cg_skin_point_moved(set->cast.skins[site->body], skin_triangle(site->feature), site->weights);
}

static void clear(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count && skins_are_asked(set); k++) {
        cg_skin_clear_forces(set->cast.skins[k]);
    }
}

static void push(cg_touch_set *set, const cg_site *site, cg_vec3 force)
{
    assert(site->body >= 0 && site->body < set->cast.skin_count);
    if (skins_are_asked(set) && skin_is_deep(site->feature)) {
        cg_skin_push_deep(set->cast.skins[site->body], site->feature - CG_SKIN_DEEP, force);
    } else if (skins_are_asked(set)) {
        cg_skin_push(set->cast.skins[site->body], skin_triangle(site->feature), site->weights, force);
    }
}

static void respond(cg_touch_set *set)
{
    for (int k = 0; k < set->cast.skin_count && skins_are_asked(set); k++) {
        cg_skin_find_moves(set->cast.skins[k]);
    }
}

// Q of two rows by a node that both have: axes^T C axes, by both weights.
static void couple_rows(cg_touch_set *set, int a, int b, double weight, const cg_mat3 *give)
{
    size_t columns = 3 * (size_t)set->problem.working_count;
    const cg_touch *ta = &set->rows.touches[set->problem.working[a]], *tb = &set->rows.touches[set->problem.working[b]];
    for (int j = 0; j < 3; j++) {
        cg_vec3 moved = v3_scale(weight, m3_apply(*give, tb->axes[j]));
        for (int i = 0; i < 3; i++) {
            double value = v3_dot(ta->axes[i], moved);
            set->problem.coupling[(3 * (size_t)a + (size_t)i) * columns + 3 * (size_t)b + (size_t)j] += value;
            if (a != b) {
                set->problem.coupling[(3 * (size_t)b + (size_t)j) * columns + 3 * (size_t)a + (size_t)i] += value;
            }
        }
    }
}

// The corners of a touch with a tissue and their weights; returns how many.
static int corners_of(const cg_skin *skin, const cg_touch *touch, const int **nodes, const double **weights)
{
    int feature = touch->pair.segment_b;
    if (skin_is_deep(feature)) {
        const cg_skin_deep *deep = &skin->deep[feature - CG_SKIN_DEEP];
        *nodes = deep->nodes;
        *weights = deep->weights;
        return deep->count;
    }
    *nodes = skin->tissue->mesh->triangles[skin_triangle(feature)].nodes;
    *weights = touch->weights[1];
    return 3;
}

// Rows at a node are a list: row 4 w + k is corner k of working touch w.
static void couple(cg_touch_set *set)
{
    for (int w = 0; w < set->problem.working_count && set->islands.on_skin; w++) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        if (touch_skin(touch) < 0) {
            continue;
        }
        cg_skin *skin = set->cast.skins[touch_skin(touch)];
        const int *nodes, *others;
        const double *weights, *other;
        int count = corners_of(skin, touch, &nodes, &weights);
        for (int k = 0; k < count; k++) {
            if (weights[k] == 0) {
                continue;
            }
            const cg_mat3 *give = cg_skin_give(skin, nodes[k]);
            int first = CG_SKIN_CORNERS * w + k;
            set->problem.next_row[first] = skin->first_row[nodes[k]];
            skin->first_row[nodes[k]] = first;
            for (int row = first; row >= 0; row = set->problem.next_row[row]) {
                int at = row / CG_SKIN_CORNERS;
                corners_of(skin, &set->rows.touches[set->problem.working[at]], &others, &other);
                couple_rows(set, w, at, weights[k] * other[row % CG_SKIN_CORNERS], give);
            }
        }
    }
    for (int k = 0; k < set->cast.skin_count && set->islands.on_skin; k++) {
        for (int i = 0; i < set->cast.skins[k]->node_count; i++) {
            set->cast.skins[k]->first_row[set->cast.skins[k]->nodes[i]] = -1;
        }
    }
}

const cg_body_verbs cg_tissue_verbs = {.is_there = is_there,
                                       .motion = motion,
                                       .moved = moved,
                                       .clear = clear,
                                       .push = push,
                                       .respond = respond,
                                       .couple = couple};
