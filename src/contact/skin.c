// A tissue as threads touch it: memory, what may touch, how its nodes move, and what is safe. See skin.h.
#include "contact/skin.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/box.h"
#include "geometry/triangle.h"

// [radii] Pairs are listed this much farther than they must be, so that a list serves for many steps.
static const double MARGIN = 2;
// A list that reaches more than this many times as far as a new one would is made anew: it was for a faster motion.
static const double MOST_REACH = 2;
// What answers that stay off, by more than a share of what they were off before, do to C, and how far.
static const double STILL_OFF = 0.4, SOFTER = 1.7, FIRMER = 0.6;
static const double LEAST_SOFTNESS = 1e-3, MOST_SOFTNESS = 50;
// Points of all chains of a world that a list can remember.
enum { MOST_POINTS = 20000 };

static cg_skin *lay_out(cg_arena *arena, const cg_mesh_limits *limits)
{
    cg_skin measured = {0}, *skin = cg_arena_push_array(arena, cg_skin, 1);
    cg_skin *s = skin != NULL ? skin : &measured;
    // A segment is near a dozen triangles, in a valley twice as many.
    cg_skin_pairs_layout(&s->pairs, 8 * limits->triangles + 4096, arena);
    s->listed = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->listed_points = cg_arena_push_array(arena, cg_vec3, MOST_POINTS);
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
    s->first_row = cg_arena_push_array(arena, int, limits->nodes);
    s->mouth = cg_arena_push_array(arena, bool, limits->triangles);
    return skin;
}

cg_status cg_skin_create(cg_tissue *tissue, cg_press_set *press, const cg_allocator *allocator, cg_skin **skin)
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
    made->press = press;
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

// What may touch

static double larger(double most, cg_vec3 way)
{
    double squared = v3_dot(way, way);
    return squared <= most ? most : squared;
}

// The largest of so many squares at a time is looked for side by side: a maximum has to wait for the last one only.
enum { SIDE_BY_SIDE = 4 };

static double largest_of(const double most[SIDE_BY_SIDE])
{
    double largest = most[0];
    for (int k = 1; k < SIDE_BY_SIDE; k++) {
        largest = most[k] <= largest ? largest : most[k];
    }
    return sqrt(largest);
}

// How far nodes are, and go by a share of their motions, from `places`.
static double nodes_away(const cg_skin *skin, const cg_vec3 *places, double share)
{
    double most[SIDE_BY_SIDE] = {0};
    int count = skin->tissue->mesh->node_count, i = 0;
    for (; i + SIDE_BY_SIDE <= count; i += SIDE_BY_SIDE) {
        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            cg_vec3 way = v3_sub(skin->now[i + k], places[i + k]);
            most[k] = larger(larger(most[k], way), v3_add_scaled(way, share, skin->moves[i + k]));
        }
    }
    for (; i < count; i++) {
        cg_vec3 way = v3_sub(skin->now[i], places[i]);
        most[0] = larger(larger(most[0], way), v3_add_scaled(way, share, skin->moves[i]));
    }
    return largest_of(most);
}

// How far they go in this pass.
static double nodes_go(const cg_skin *skin)
{
    double most[SIDE_BY_SIDE] = {0};
    int count = skin->tissue->mesh->node_count, i = 0;
    for (; i + SIDE_BY_SIDE <= count; i += SIDE_BY_SIDE) {
        for (int k = 0; k < SIDE_BY_SIDE; k++) {
            most[k] = larger(most[k], skin->moves[i + k]);
        }
    }
    for (; i < count; i++) {
        most[0] = larger(most[0], skin->moves[i]);
    }
    return largest_of(most);
}

static void note_moved(cg_skin *skin)
{
    skin->moved = skin->has_pairs ? nodes_away(skin, skin->listed, 1) : INFINITY;
}

static int count_points(const cg_chain *chains, int count)
{
    int points = 0;
    for (int c = 0; c < count; c++) {
        points += chains[c].count;
    }
    return points;
}

// How far any point of a chain is from where it was listed.
static double points_moved(const cg_skin *skin, const cg_chain *chains, int count)
{
    const cg_vec3 *listed = skin->listed_points;
    double most = 0;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++, listed++) {
            most = larger(most, v3_sub(chains[c].points[i], *listed));
        }
    }
    return sqrt(most);
}

static bool is_list_good(const cg_skin *skin, const cg_chain *chains, int count)
{
    return skin->has_pairs && skin->version == skin->tissue->mesh->topology_version &&
           skin->point_count == count_points(chains, count);
}

static void list_node(cg_skin *skin, int node)
{
    if (skin->first_row[node] == 0) {
        skin->first_row[node] = -1;
        skin->nodes[skin->node_count++] = node;
    }
}

static void list_corners(cg_skin *skin, int triangle)
{
    const int *nodes = skin->press->tree.corners[triangle];
    for (int k = 0; k < 3; k++) {
        list_node(skin, nodes[k]);
    }
}

// The nodes of what is listed. `first_row` serves as a mark, and is none for all in the end.
static void list_nodes(cg_skin *skin)
{
    memset(skin->first_row, 0, sizeof *skin->first_row * (size_t)skin->tissue->mesh->node_count);
    skin->node_count = 0;
    for (int i = 0; i < skin->pairs.count; i++) {
        list_corners(skin, skin->pairs.items[i].triangle);
    }
    for (int i = 0; i < skin->tie_count; i++) {
        list_corners(skin, skin->tied[i]);
    }
    for (int i = 0; i < CG_SKIN_MOST_DEEP && skin->deep_count > 0; i++) {
        for (int k = 0; k < skin->deep[i].count; k++) {
            list_node(skin, skin->deep[i].nodes[k]);
        }
    }
}

static bool list_pairs(cg_skin *skin, const cg_chain *chains, int count, double reach)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    skin->has_pairs = false;
    if (count_points(chains, count) > MOST_POINTS || !cg_press_follow_tree(skin->press) ||
        !cg_skin_list_pairs(&skin->press->tree, chains, count, reach, &skin->pairs)) {
        return false;
    }
    memcpy(skin->listed, mesh->position, sizeof *skin->listed * (size_t)mesh->node_count);
    skin->point_count = 0;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            skin->listed_points[skin->point_count++] = chains[c].points[i];
        }
    }
    skin->version = mesh->topology_version;
    skin->has_pairs = true;
    list_nodes(skin);
    note_moved(skin);
    return true;
}

static double thickest(const cg_chain *chains, int count)
{
    double radius = 0;
    for (int c = 0; c < count; c++) {
        radius = chains[c].radius > radius ? chains[c].radius : radius;
    }
    return radius;
}

static double margin(const cg_chain *chains, int count)
{
    return MARGIN * cg_skin_counted(thickest(chains, count));
}

double cg_skin_cover_share(cg_skin *skin, const cg_chain *chains, int count, double need, double share)
{
    if (is_list_good(skin, chains, count)) {
        double moved = points_moved(skin, chains, count);
        moved += share < 1 ? nodes_away(skin, skin->listed, share) : skin->moved;
        if (moved + need <= skin->pairs.reach) {
            return moved;
        }
    }
    // The tree stands where the mesh is, at the start of the step or at its end: how far nodes are and go from there
    // counts as moved.
    double gone = nodes_away(skin, skin->tissue->mesh->position, share);
    bool has_room = list_pairs(skin, chains, count, need + gone + margin(chains, count));
    return has_room ? gone : -1;
}

double cg_skin_cover(cg_skin *skin, const cg_chain *chains, int count, double need)
{
    double moved = cg_skin_cover_share(skin, chains, count, need, 1);
    return moved >= 0 ? moved : cg_skin_cover_share(skin, chains, count, need, 0);
}

// How far any node goes by the predicted motion, at most.
static double longest_prediction(const cg_tissue *tissue)
{
    double most = 0;
    for (int i = 0; i < tissue->mesh->node_count && !tissue->asleep && !tissue->is_resting; i++) {
        most = larger(most, cg_tissue_node_foreseen(tissue, i));
    }
    return sqrt(most);
}

double cg_skin_clearance(const cg_skin *skin, const cg_chain *chains, int count)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    cg_box threads = box_of_nothing(), tissue = box_of_nothing();
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            box_take(&threads, chains[c].points[i]);
        }
    }
    for (int i = 0; i < mesh->node_count; i++) {
        box_take(&tissue, mesh->position[i]);
    }
    double between = box_gap(&tissue, &threads) - longest_prediction(skin->tissue) - thickest(chains, count);
    return between > 0 ? between : 0;
}

static double distance_now(const cg_skin *skin, const cg_chain *chains, const cg_skin_pair *pair)
{
    const cg_vec3 *ends = chains[pair->chain].points + pair->segment;
    const int *n = skin->press->tree.corners[pair->triangle];
    const cg_vec3 corners[3] = {skin->now[n[0]], skin->now[n[1]], skin->now[n[2]]};
    return sqrt(cg_closest_segment_triangle(ends[0], ends[1], corners).squared_distance);
}

// The same where not all pairs within reach find room in the list, as beside a body that flies fast: one chain after
// the other, with what finds room. A chain that has more pairs than that is near by any of them: only pairs that are
// within `need` take up room, and one triangle list has room for all triangles.
static bool is_chain_near(cg_skin *skin, const cg_chain *chain, double need)
{
    skin->has_pairs = false;
    if (!(need < INFINITY) || !cg_press_follow_tree(skin->press) ||
        !cg_skin_list_pairs(&skin->press->tree, chain, 1, need, &skin->pairs)) {
        return true;
    }
    bool is_near = false;
    for (int i = 0; i < skin->pairs.count && !is_near; i++) {
        is_near = skin->pairs.items[i].distance < chain->radius + need;
    }
    return is_near;
}

// By true distance: an answer that came from the list would depend on when that was made, which no state knows. What is
// not known to be far is near: a tissue that threads are not near moves before them, and asks for none.
bool cg_skin_look(cg_skin *skin, const cg_chain *chains, int count, double lead, bool *is_near)
{
    skin->is_near = false;
    if (skin->tissue->solver != CG_TISSUE_IMPLICIT) {
        return false;
    }
    double need = lead + nodes_go(skin);
    if (skin->has_pairs && skin->pairs.reach > MOST_REACH * (need + margin(chains, count))) {
        cg_skin_forget(skin);
    }
    double moved = need < INFINITY ? cg_skin_cover_share(skin, chains, count, need, 1) : -1;
    for (int i = 0; i < skin->pairs.count && moved >= 0; i++) {
        const cg_skin_pair *pair = &skin->pairs.items[i];
        double near = chains[pair->chain].radius + need;
        if (!is_near[pair->chain] && pair->distance - moved < near && distance_now(skin, chains, pair) < near) {
            skin->is_near = is_near[pair->chain] = true;
        }
    }
    for (int c = 0; c < count && !(moved >= 0); c++) {
        is_near[c] = is_near[c] || is_chain_near(skin, &chains[c], need);
        skin->is_near = skin->is_near || is_near[c];
    }
    return skin->is_near;
}

bool cg_skin_may_meet(cg_skin *skin, const cg_chain *chains, int count, int chain, double way)
{
    double need = way + nodes_go(skin), moved = cg_skin_cover_share(skin, chains, count, need, 1);
    bool may_meet = !(moved >= 0);
    for (int i = 0; i < skin->pairs.count && !may_meet; i++) {
        const cg_skin_pair *pair = &skin->pairs.items[i];
        may_meet = pair->chain == chain && pair->distance - moved <= chains[chain].radius + need;
    }
    return may_meet;
}

// How nodes move

// What is left of the way that the tissue predicts.
static void foresee(cg_skin *skin)
{
    int count = skin->tissue->mesh->node_count;
    if (skin->stands) {
        memset(skin->foreseen, 0, sizeof *skin->foreseen * (size_t)count);
    } else {
        cg_tissue_foresee_nodes(skin->tissue, cg_tissue_foreseen_share(skin->tissue), skin->foreseen);
    }
    for (int i = 0; i < count; i++) {
        skin->moves[i] = v3_sub(v3_add(skin->start[i], skin->foreseen[i]), skin->now[i]);
    }
    note_moved(skin);
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
        }
    }
    foresee(skin);
}

void cg_skin_clear_forces(cg_skin *skin)
{
    memset(skin->force, 0, sizeof *skin->force * (size_t)skin->tissue->mesh->node_count);
}

void cg_skin_push(cg_skin *skin, int triangle, const double weights[3], cg_vec3 force)
{
    const int *nodes = skin->tissue->mesh->triangles[triangle].nodes;
    for (int k = 0; k < 3; k++) {
        skin->force[nodes[k]] = v3_add_scaled(skin->force[nodes[k]], weights[k], force);
    }
}

const cg_mat3 *cg_skin_give(cg_skin *skin, int node)
{
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
        most = larger(most, v3_sub(to, skin->listed[i]));
    }
    skin->moved = sqrt(most);
}

void cg_skin_halt(cg_skin *skin)
{
    memset(skin->moves, 0, sizeof *skin->moves * (size_t)skin->tissue->mesh->node_count);
    note_moved(skin);
}

void cg_skin_resume(cg_skin *skin)
{
    foresee(skin);
}

void cg_skin_move(cg_skin *skin, double share)
{
    for (int i = 0; i < skin->tissue->mesh->node_count; i++) {
        skin->now[i] = v3_add_scaled(skin->now[i], share, skin->moves[i]);
    }
    foresee(skin);
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

// How far nodes go by the forces that were changed, in the direction of these, all together [J]. Sums run over all
// nodes in their order: which of them are listed, and in what order, is no part of a state.
static double work_of_change(const cg_skin *skin, const cg_vec3 *motions)
{
    double work = 0;
    for (int i = 0; i < skin->tissue->mesh->node_count; i++) {
        work += v3_dot(skin->more[i], motions[i]);
    }
    return work;
}

static double note_change(cg_skin *skin)
{
    const cg_tissue *tissue = skin->tissue;
    double expected = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 more = skin->more[i] = tissue->has_held ? v3_sub(skin->force[i], tissue->held[i]) : skin->force[i];
        if (more.x != 0 || more.y != 0 || more.z != 0) {
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
    return weigh(skin, skin->moves, triangle, weights);
}

cg_vec3 cg_skin_point_moved(const cg_skin *skin, int triangle, const double weights[3])
{
    return v3_sub(weigh(skin, skin->now, triangle, weights), weigh(skin, skin->start, triangle, weights));
}

cg_vec3 cg_skin_point_strayed(const cg_skin *skin, int triangle, const double weights[3])
{
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
    return weigh_deep(skin, skin->moves, number);
}

cg_vec3 cg_skin_deep_moved(const cg_skin *skin, int number)
{
    return v3_sub(weigh_deep(skin, skin->now, number), weigh_deep(skin, skin->start, number));
}

cg_vec3 cg_skin_deep_strayed(const cg_skin *skin, int number)
{
    cg_vec3 expected = v3_add(cg_skin_deep_moved(skin, number), cg_skin_deep_move(skin, number));
    return v3_sub(weigh_deep(skin, skin->foreseen, number), expected);
}

void cg_skin_push_deep(cg_skin *skin, int number, cg_vec3 force)
{
    const cg_skin_deep *deep = &skin->deep[number];
    for (int k = 0; k < deep->count; k++) {
        int node = deep->nodes[k];
        skin->force[node] = v3_add_scaled(skin->force[node], deep->weights[k], force);
    }
}

// What is safe

cg_skin_surface cg_skin_surface_now(const cg_skin *skin)
{
    const cg_tissue *tissue = skin->tissue;
    bool is_solid = tissue->mesh->cell_count > 0 || tissue->springs.is_closed;
    return (cg_skin_surface){&skin->press->tree, skin->now, is_solid};
}

static double longest_move(const cg_chain *chains, const cg_skin_way *way)
{
    double most = 0;
    for (int c = 0; c < way->count && way->moves != NULL; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            most = larger(most, way->moves[c][i]);
        }
    }
    return fmax(sqrt(most), way->others);
}

// [links, and radii] Nothing goes farther than this in a pass beside a tissue.
static const double MOST_LINKS = 4, MOST_RADII = 8;

double cg_skin_most_share(const cg_skin *skin, const cg_chain *chains, int count, const cg_skin_way *way)
{
    double most = MOST_LINKS * skin->tissue->springs.shortest + MOST_RADII * thickest(chains, count);
    double longest = longest_move(chains, way) + nodes_go(skin);
    return longest > most ? most / longest : 1;
}

// Where pairs within reach of the whole motion are more than there is room for, a part of it is walked.
static const double PART = 0.25, LEAST_PART = 1e-3;

cg_skin_walk cg_skin_walk_share(cg_skin *skin, const cg_chain *chains, int count, const cg_skin_way *way, double limit)
{
    double longest = longest_move(chains, way);
    for (double part = limit; part > LEAST_PART * limit; part *= PART) {
        double moved = cg_skin_cover_share(skin, chains, count, part * longest, part);
        if (moved >= 0) {
            cg_skin_surface surface = cg_skin_surface_now(skin);
            cg_skin_motion motion = {way->moves, skin->moves, way->count};
            return way->count == 0
                       ? (cg_skin_walk){part, -1, 0}
                       : cg_skin_walk_pairs(&surface, chains, &motion, &skin->pairs, moved, &skin->rule, part);
        }
    }
    return (cg_skin_walk){0, -1, 0};
}

double cg_skin_settle(cg_skin *skin, const cg_chain *chains, int count)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    for (int i = 0; i < mesh->node_count; i++) {
        skin->moves[i] = v3_sub(mesh->position[i], skin->now[i]);
    }
    note_moved(skin);
    return cg_skin_walk_share(skin, chains, count, &(cg_skin_way){NULL, count, 0}, 1).share;
}

// No cell may be left with less than this share of its volume.
static const double LEAST_VOLUME = 0.02;

bool cg_skin_stop(cg_skin *skin, double share)
{
    cg_tissue *tissue = skin->tissue;
    cg_mesh *mesh = tissue->mesh;
    for (int i = 0; i < mesh->node_count; i++) {
        skin->foreseen[i] = mesh->position[i];
        mesh->position[i] = v3_add_scaled(skin->now[i], share, skin->moves[i]);
    }
    int folded;
    if (share > 0 && cg_tissue_smallest_cell(tissue, &folded) < LEAST_VOLUME) {
        memcpy(mesh->position, skin->foreseen, sizeof *mesh->position * (size_t)mesh->node_count);
        return false;
    }
    for (int i = 0; i < mesh->node_count; i++) {
        tissue->velocity[i] = v3_scale(1 / tissue->time_step, v3_sub(mesh->position[i], skin->start[i]));
    }
    tissue->fastest = -1;
    tissue->stats.shortened_steps++;
    cg_tissue_wake(tissue);
    return true;
}

double cg_skin_whole_share(cg_skin *skin, const cg_chain *starts, int count, const cg_skin_way *way)
{
    const cg_tissue *tissue = skin->tissue;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        skin->now[i] = skin->start[i];
        skin->moves[i] = v3_sub(tissue->mesh->position[i], skin->start[i]);
    }
    note_moved(skin);
    return cg_skin_walk_share(skin, starts, count, way, 1).share;
}
