// A tissue as threads touch it: memory, how its nodes move, and points of it. What may touch: skin_list.c; what is
// safe: skin_walk.c. See skin.h.
#include "find/skin.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "find/skin_parts.h"

// What answers that stay off, by more than a share of what they were off before, do to C, and how far.
static const double STILL_OFF = 0.4, SOFTER = 1.7, FIRMER = 0.6;
static const double LEAST_SOFTNESS = 1e-3, MOST_SOFTNESS = 50;

static cg_skin *lay_out(cg_arena *arena, const cg_mesh_limits *limits)
{
    cg_skin measured = {0}, *skin = cg_arena_push_array(arena, cg_skin, 1);
    cg_skin *s = skin != NULL ? skin : &measured;
    // A segment is near a dozen triangles, in a valley twice as many.
    cg_skin_pairs_layout(&s->pairs, 8 * limits->triangles + 4096, arena);
    s->listed = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->listed_points = cg_arena_push_array(arena, cg_vec3, CG_SKIN_MOST_POINTS);
    s->start = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->now = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->foreseen = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->moves = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->force = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->more = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->give = cg_arena_push_array(arena, cg_mat3, limits->nodes);
    s->firmness = cg_arena_push_array(arena, double, limits->nodes);
    s->known = cg_arena_push_array(arena, int, limits->nodes);
    s->nodes = cg_arena_push_array(arena, int, limits->nodes);
    s->changed = cg_arena_push_array(arena, int, limits->nodes);
    s->first_row = cg_arena_push_array(arena, int, limits->nodes);
    s->mouth = cg_arena_push_array(arena, bool, limits->triangles);
    return skin;
}

cg_status cg_skin_create(cg_tissue *tissue, cg_tissue_surface *surface, const cg_allocator *allocator, cg_skin **skin)
{
    *skin = NULL;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, &tissue->mesh->limits);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the contacts of a tissue with threads");
    }
    cg_arena_init(&arena, memory, bytes);
    cg_skin *made = lay_out(&arena, &tissue->mesh->limits);
    made->allocator = *allocator;
    made->memory = memory;
    made->tissue = tissue;
    made->surface = surface;
    made->rule = cg_skin_motion_rule();
    *skin = made;
    return cg_ok();
}

void cg_skin_destroy(cg_skin *skin)
{
    if (skin != NULL) {
        cg_allocator allocator = skin->allocator;
        cg_memory_give(&allocator, skin->memory);
    }
}

void cg_skin_forget(cg_skin *skin)
{
    skin->has_pairs = false;
}

void cg_skin_renew(cg_skin *skin)
{
    skin->is_stale = true;
    skin->goes = -1;
}

// How nodes move

// What is left of the way that the tissue predicts.
static void aim_moves(cg_skin *skin)
{
    for (int i = 0; i < skin->tissue->mesh->node_count; i++) {
        skin->moves[i] = v3_sub(v3_add(skin->start[i], skin->foreseen[i]), skin->now[i]);
    }
    cg_skin_note_moved(skin);
}

static void foresee(cg_skin *skin)
{
    if (skin->stands) {
        memset(skin->foreseen, 0, sizeof *skin->foreseen * (size_t)skin->tissue->mesh->node_count);
    } else {
        cg_tissue_foresee_nodes(skin->tissue, cg_tissue_foreseen_share(skin->tissue), skin->foreseen);
    }
    aim_moves(skin);
}

void cg_skin_begin(cg_skin *skin, bool has_moved)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    skin->round++;
    skin->softness = 1;
    skin->strayed = 0;
    skin->stands = has_moved;
    memcpy(skin->start, mesh->position, sizeof *skin->start * (size_t)mesh->node_count);
    memcpy(skin->now, mesh->position, sizeof *skin->now * (size_t)mesh->node_count);
    for (int i = 0; i < mesh->node_count; i++) {
        skin->firmness[i] = 1;
    }
    if (skin->tie_count + skin->deep_count > 0) { // until a pass knows better
        cg_skin_clear_forces(skin);
        if (skin->tissue->has_held) {
            memcpy(skin->force, skin->tissue->held, sizeof *skin->force * (size_t)mesh->node_count);
            skin->is_pushed_elsewhere = true;
        }
    }
    foresee(skin);
}

void cg_skin_clear_forces(cg_skin *skin)
{
    if (skin->is_pushed_elsewhere) {
        memset(skin->force, 0, sizeof *skin->force * (size_t)skin->tissue->mesh->node_count);
        skin->is_pushed_elsewhere = false;
    }
    for (int k = 0; k < skin->node_count; k++) {
        skin->force[skin->nodes[k]] = v3_zero();
    }
}

void cg_skin_push(cg_skin *skin, int triangle, const double weights[3], cg_vec3 force)
{
    assert(triangle >= 0 && triangle < skin->tissue->mesh->triangle_count);
    const int *nodes = skin->tissue->mesh->triangles[triangle].nodes;
    for (int k = 0; k < 3; k++) {
        skin->force[nodes[k]] = v3_add_scaled(skin->force[nodes[k]], weights[k], force);
    }
}

const cg_mat3 *cg_skin_give(cg_skin *skin, int node)
{
    assert(node >= 0 && node < skin->tissue->mesh->node_count);
    if (skin->known[node] != skin->round) {
        skin->known[node] = skin->round;
        cg_mat3 give = cg_tissue_node_compliance(skin->tissue, node, skin->tissue->time_step);
        skin->give[node] =
            skin->stands || skin->is_late ? m3_zero() : m3_scale(skin->softness * skin->firmness[node], give);
    }
    return &skin->give[node];
}

// [links] No node goes farther by the forces that were changed: a tissue lets linked nodes go no farther against each
// other in a step (tissue/implicit.c). Where C would, it is made firmer, so that these forces lead there.
static const double MOST_YIELDING = 0.4;

static cg_vec3 yielding(cg_skin *skin, int node, cg_vec3 more)
{
    cg_vec3 way = m3_apply(*cg_skin_give(skin, node), more);
    double far = v3_length(way), most = MOST_YIELDING * skin->tissue->springs.shortest;
    if (!(far > most)) {
        return way;
    }
    skin->firmness[node] *= most / far;
    skin->give[node] = m3_scale(most / far, skin->give[node]);
    return v3_scale(most / far, way);
}

void cg_skin_find_moves(cg_skin *skin)
{
    const cg_tissue *tissue = skin->tissue;
    double most = skin->moved * skin->moved;
    for (int k = 0; k < skin->node_count; k++) {
        int i = skin->nodes[k];
        cg_vec3 to = v3_add(skin->start[i], skin->foreseen[i]);
        cg_vec3 more = tissue->has_held ? v3_sub(skin->force[i], tissue->held[i]) : skin->force[i];
        if (more.x != 0 || more.y != 0 || more.z != 0) {
            to = v3_add(to, yielding(skin, i, more));
        }
        skin->moves[i] = v3_sub(to, skin->now[i]);
        most = skin_larger(most, v3_sub(to, skin->listed[i]));
    }
    skin->moved = skin->moved < 0 ? -1 : sqrt(most);
    skin->goes = -1;
}

void cg_skin_halt(cg_skin *skin)
{
    memset(skin->moves, 0, sizeof *skin->moves * (size_t)skin->tissue->mesh->node_count);
    cg_skin_note_moved(skin);
}

void cg_skin_resume(cg_skin *skin)
{
    foresee(skin);
}

void cg_skin_move(cg_skin *skin, double share)
{
    assert(!(share < 0) && !(share > 1));
    for (int i = 0; i < skin->tissue->mesh->node_count; i++) {
        skin->now[i] = v3_add_scaled(skin->now[i], share, skin->moves[i]);
    }
    if (skin->stands) {
        foresee(skin);
    } else { // its prediction is that of the beginning, or of the last answer, which was read
        aim_moves(skin);
    }
}

// Blocks of nodes know nothing of what lies around: squeezed tissue is far firmer, a thin wall as a whole far softer.
// Where it yielded farther than foreseen, C is made as soft as that, and more. Where one answer after the other is off
// to the same side, C is too soft; where they change sides without becoming much better, too firm.
void cg_skin_note_strayed(cg_skin *skin, double strayed)
{
    double before = skin->strayed, change = 1;
    if (skin->yielded > 1 || (skin->yielded > 0 && SOFTER * skin->yielded < FIRMER)) {
        change = SOFTER * skin->yielded;
    } else if (strayed * before < 0 && fabs(strayed) > STILL_OFF * fabs(before)) {
        change = SOFTER;
    } else if (strayed * before > 0 && fabs(strayed) > STILL_OFF * fabs(before)) {
        change = FIRMER;
    }
    double softness = skin->softness * change;
    skin->softness = softness < LEAST_SOFTNESS ? LEAST_SOFTNESS : (softness > MOST_SOFTNESS ? MOST_SOFTNESS : softness);
    skin->round += change != 1;
    skin->strayed = strayed;
}

// How far nodes go by the forces that were changed, in the direction of these, all together [J]. Sums run over these
// nodes in their order: which of them are listed, and in what order, is no part of a state.
static double work_of_change(const cg_skin *skin, const cg_vec3 *motions)
{
    double work = 0;
    for (int k = 0; k < skin->changed_count; k++) {
        int i = skin->changed[k];
        work += v3_dot(skin->more[i], motions[i]);
    }
    return work;
}

static double note_change(cg_skin *skin)
{
    const cg_tissue *tissue = skin->tissue;
    double expected = 0;
    skin->changed_count = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 more = tissue->has_held ? v3_sub(skin->force[i], tissue->held[i]) : skin->force[i];
        if (more.x != 0 || more.y != 0 || more.z != 0) {
            skin->changed[skin->changed_count++] = i;
            skin->more[i] = more;
            expected += v3_dot(more, m3_apply(*cg_skin_give(skin, i), more));
        }
    }
    return expected;
}

void cg_skin_load(cg_skin *skin)
{
    cg_tissue *tissue = skin->tissue;
    skin->expected = note_change(skin);
    skin->worked = work_of_change(skin, skin->foreseen);
    cg_tissue_forget_forces(tissue);
    for (int k = 0; k < skin->node_count; k++) {
        int i = skin->nodes[k];
        cg_vec3 force = skin->force[i];
        if (force.x != 0 || force.y != 0 || force.z != 0) {
            cg_tissue_add_node_force(tissue, i, force);
        }
    }
}

void cg_skin_answer(cg_skin *skin)
{
    if (!skin->tissue->is_answered) {
        cg_tissue_answer(skin->tissue);
    }
}

void cg_skin_read(cg_skin *skin)
{
    // The motions of this pass are still those before.
    cg_tissue_foresee_nodes(skin->tissue, cg_tissue_foreseen_share(skin->tissue), skin->foreseen);
    double worked = work_of_change(skin, skin->foreseen) - skin->worked;
    skin->yielded = skin->expected > 0 ? worked / skin->expected : 0;
}

static cg_vec3 weigh(const cg_skin *skin, const cg_vec3 *values, int triangle, const double weights[3])
{
    const int *nodes = skin->tissue->mesh->triangles[triangle].nodes;
    cg_vec3 sum = v3_scale(weights[0], values[nodes[0]]);
    sum = v3_add_scaled(sum, weights[1], values[nodes[1]]);
    return v3_add_scaled(sum, weights[2], values[nodes[2]]);
}

cg_vec3 cg_skin_point_move(const cg_skin *skin, int triangle, const double weights[3])
{
    assert(triangle >= 0 && triangle < skin->tissue->mesh->triangle_count);
    return weigh(skin, skin->moves, triangle, weights);
}

cg_vec3 cg_skin_point_moved(const cg_skin *skin, int triangle, const double weights[3])
{
    assert(triangle >= 0 && triangle < skin->tissue->mesh->triangle_count);
    return v3_sub(weigh(skin, skin->now, triangle, weights), weigh(skin, skin->start, triangle, weights));
}

cg_vec3 cg_skin_point_strayed(const cg_skin *skin, int triangle, const double weights[3])
{
    assert(triangle >= 0 && triangle < skin->tissue->mesh->triangle_count);
    cg_vec3 expected =
        v3_add(cg_skin_point_moved(skin, triangle, weights), cg_skin_point_move(skin, triangle, weights));
    return v3_sub(weigh(skin, skin->foreseen, triangle, weights), expected);
}

static cg_vec3 weigh_deep(const cg_skin *skin, const cg_vec3 *values, int number)
{
    const cg_skin_deep *deep = &skin->deep[number];
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < deep->count; k++) {
        sum = v3_add_scaled(sum, deep->weights[k], values[deep->nodes[k]]);
    }
    return sum;
}

cg_vec3 cg_skin_deep_move(const cg_skin *skin, int number)
{
    assert(number >= 0 && number < CG_SKIN_MOST_DEEP);
    return weigh_deep(skin, skin->moves, number);
}

cg_vec3 cg_skin_deep_moved(const cg_skin *skin, int number)
{
    assert(number >= 0 && number < CG_SKIN_MOST_DEEP);
    return v3_sub(weigh_deep(skin, skin->now, number), weigh_deep(skin, skin->start, number));
}

cg_vec3 cg_skin_deep_strayed(const cg_skin *skin, int number)
{
    assert(number >= 0 && number < CG_SKIN_MOST_DEEP);
    cg_vec3 expected = v3_add(cg_skin_deep_moved(skin, number), cg_skin_deep_move(skin, number));
    return v3_sub(weigh_deep(skin, skin->foreseen, number), expected);
}

void cg_skin_push_deep(cg_skin *skin, int number, cg_vec3 force)
{
    assert(number >= 0 && number < CG_SKIN_MOST_DEEP);
    const cg_skin_deep *deep = &skin->deep[number];
    for (int k = 0; k < deep->count; k++) {
        int node = deep->nodes[k];
        skin->force[node] = v3_add_scaled(skin->force[node], deep->weights[k], force);
    }
}

void cg_skin_begin_late(cg_skin *skin, bool has_moved)
{
    if (skin->clearance > 0) {
        skin->clearance = 0;
        cg_skin_begin(skin, has_moved);
    }
}
