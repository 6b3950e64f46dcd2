// What of threads and bodies may touch a tissue: a list of pairs with a margin, and what is known without it. See
// skin.h.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "find/skin.h"
#include "find/skin_parts.h"
#include "geometry/box.h"
#include "geometry/triangle.h"
#include "linalg/wide.h"

// [radii] Pairs are listed this much farther than they must be, so that a list serves for many steps.
static const double MARGIN = 2;
// A list that reaches more than this many times as far as a new one would is made anew: it was for a faster motion.
static const double MOST_REACH = 2;

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

// Ways of four nodes, as they lie.
typedef struct four_ways {
    quad part[3];
} four_ways;

CG_WIDE_BODY void read_four(four_ways *w, const cg_vec3 *ways)
{
    const double *at = &ways->x;
    for (int k = 0; k < 3; k++) {
        w->part[k] = QUAD(at + 4 * k);
    }
}

// skin_larger for each of them.
CG_WIDE_BODY void take_larger(quad *most, const four_ways *w)
{
    quad a = w->part[0] * w->part[0], b = w->part[1] * w->part[1], c = w->part[2] * w->part[2];
    quad x = __builtin_shufflevector(a, b, 0, 3, 6, 6), y = __builtin_shufflevector(a, b, 1, 4, 7, 7);
    quad z = __builtin_shufflevector(a, b, 2, 5, 5, 5);
    x = __builtin_shufflevector(x, c, 0, 1, 2, 5);
    y = __builtin_shufflevector(y, c, 0, 1, 2, 6);
    z = __builtin_shufflevector(z, c, 0, 1, 4, 7);
    quad squared = x + y + z;
    cg_bits4 keeps = (cg_bits4)(squared <= *most);
    *most = (quad)((keeps & (cg_bits4)*most) | (~keeps & (cg_bits4)squared));
}

CG_WIDE_BODY void largest_away_body(const cg_skin *skin, const cg_vec3 *places, double share, int fours, double *most)
{
    quad largest = QUAD(most);
    for (int i = 0; i < SIDE_BY_SIDE * fours; i += SIDE_BY_SIDE) {
        four_ways way, from, move;
        read_four(&way, &skin->now[i]);
        read_four(&from, &places[i]);
        read_four(&move, &skin->moves[i]);
        for (int k = 0; k < 3; k++) {
            way.part[k] -= from.part[k];
        }
        take_larger(&largest, &way);
        for (int k = 0; k < 3; k++) {
            way.part[k] += share * move.part[k];
        }
        take_larger(&largest, &way);
    }
    QUAD_OUT(most) = largest;
}
CG_WIDE_PAIR(static, largest_away, (const cg_skin *skin, const cg_vec3 *places, double share, int fours, double *most),
             (skin, places, share, fours, most))

// How far nodes are, and go by a share of their motions, from `places`.
static double nodes_away(const cg_skin *skin, const cg_vec3 *places, double share)
{
    double most[SIDE_BY_SIDE] = {0};
    int count = skin->tissue->mesh->node_count, fours = count / SIDE_BY_SIDE;
    largest_away(skin, places, share, fours, most);
    for (int i = SIDE_BY_SIDE * fours; i < count; i++) {
        cg_vec3 way = v3_sub(skin->now[i], places[i]);
        most[0] = skin_larger(skin_larger(most[0], way), v3_add_scaled(way, share, skin->moves[i]));
    }
    return largest_of(most);
}

CG_WIDE_BODY void largest_move_body(const cg_vec3 *moves, int fours, double *most)
{
    quad largest = QUAD(most);
    for (int i = 0; i < SIDE_BY_SIDE * fours; i += SIDE_BY_SIDE) {
        four_ways way;
        read_four(&way, &moves[i]);
        take_larger(&largest, &way);
    }
    QUAD_OUT(most) = largest;
}
CG_WIDE_PAIR(static, largest_move, (const cg_vec3 *moves, int fours, double *most), (moves, fours, most))

double cg_skin_nodes_go(cg_skin *skin)
{
    double most[SIDE_BY_SIDE] = {0};
    int count = skin->tissue->mesh->node_count, fours = count / SIDE_BY_SIDE;
    if (skin->goes < 0) {
        largest_move(skin->moves, fours, most);
        for (int i = SIDE_BY_SIDE * fours; i < count; i++) {
            most[0] = skin_larger(most[0], skin->moves[i]);
        }
        skin->goes = largest_of(most);
    }
    return skin->goes;
}

void cg_skin_note_moved(cg_skin *skin)
{
    skin->moved = skin->goes = -1;
}

static double nodes_moved(cg_skin *skin)
{
    if (skin->moved < 0) {
        skin->moved = skin->has_pairs ? nodes_away(skin, skin->listed, 1) : INFINITY;
    }
    return skin->moved;
}

static int count_points(const cg_chain *chains, int count)
{
    int points = 0;
    for (int c = 0; c < count; c++) {
        points += chains[c].count;
    }
    return points;
}

bool cg_skin_is_clear(const cg_skin *skin, const cg_chain *chain, double way)
{
    if (!(way > skin->tissue->springs.shortest)) {
        return false;
    }
    cg_box there = box_of(chain->points, chain->count), tissue = box_of_nothing();
    for (int i = 0; i < skin->tissue->mesh->node_count; i++) {
        box_take(&tissue, skin->start[i]);
        box_take(&tissue, skin->now[i]);
        box_take(&tissue, v3_add(skin->now[i], skin->moves[i]));
    }
    return boxes_are_apart(&there, &tissue, way + chain->radius);
}

// How far any point of a chain is from where it was listed. One that is farther than `spare` does not count where it is
// clear of the tissue by `need`: then no pair of it, listed or not, is nearer than that.
static double points_moved(const cg_skin *skin, const cg_chain *chains, int count, double need, double spare)
{
    const cg_vec3 *listed = skin->listed_points;
    double most = 0, enough = spare > 0 ? spare * spare : 0;
    for (int c = 0; c < count; c++) {
        double moved = 0;
        for (int i = 0; i < chains[c].count; i++, listed++) {
            moved = skin_larger(moved, v3_sub(chains[c].points[i], *listed));
        }
        bool is_clear = moved > enough && cg_skin_is_clear(skin, &chains[c], fmax(need, sqrt(moved)));
        most = moved <= most || is_clear ? most : moved;
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
    const int *nodes = skin->surface->tree.corners[triangle];
    for (int k = 0; k < 3; k++) {
        list_node(skin, nodes[k]);
    }
}

// The nodes of what is listed. `first_row` serves as a mark, and is none for all in the end.
static void list_nodes(cg_skin *skin)
{
    memset(skin->first_row, 0, sizeof *skin->first_row * (size_t)skin->tissue->mesh->node_count);
    skin->node_count = 0;
    skin->is_pushed_elsewhere = true; // where it was listed before
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
    if (count_points(chains, count) > CG_SKIN_MOST_POINTS || !cg_tissue_surface_follow_tree(skin->surface) ||
        !cg_skin_list_pairs(&skin->surface->tree, chains, count, reach, &skin->pairs)) {
        return false;
    }
    memcpy(skin->listed, mesh->position, sizeof *skin->listed * (size_t)mesh->node_count);
    skin->point_count = 0;
    skin->chain_count = count <= CG_SKIN_MOST_CHAINS ? count : 0;
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < chains[c].count; i++) {
            skin->listed_points[skin->point_count++] = chains[c].points[i];
        }
        skin->listed_counts[c < CG_SKIN_MOST_CHAINS ? c : 0] = chains[c].count;
    }
    skin->version = mesh->topology_version;
    skin->has_pairs = true;
    skin->is_stale = false;
    list_nodes(skin);
    cg_skin_note_moved(skin);
    return true;
}

// A list is brought up to date when points have come or gone: those before and behind are the same as they were listed,
// and what of the chain lies between is listed anew.

// A chain and what was listed of it.
typedef struct listed_chain {
    const cg_chain *chain;
    cg_vec3 *listed; // [m]
    int old_count;
    int before, behind; // points that are as they were, at both ends
    double beyond;      // [m] how far the outermost of these are from there
} listed_chain;

static double way_from_listed(const listed_chain *l, int now, int then)
{
    return v3_distance(l->chain->points[now], l->listed[then]);
}

// Points no farther than `near` from where they were listed are as they were.
static void match_points(listed_chain *l, double near)
{
    int count = l->chain->count, fewest = count < l->old_count ? count : l->old_count, more = count - l->old_count;
    l->before = l->behind = 0;
    while (l->before < fewest && way_from_listed(l, l->before, l->before) <= near) {
        l->before++;
    }
    while (l->before + l->behind < fewest &&
           way_from_listed(l, count - 1 - l->behind, count - 1 - l->behind - more) <= near) {
        l->behind++;
    }
    double first = l->before > 0 ? way_from_listed(l, l->before - 1, l->before - 1) : 0;
    double last = l->behind > 0 ? way_from_listed(l, count - l->behind, count - l->behind - more) : 0;
    l->beyond = first > last ? first : last;
}

// What lies between them is listed where it is; `left` points follow the chain in the list.
static void replace_points(cg_skin *skin, const listed_chain *l, int left)
{
    int more = l->chain->count - l->old_count, behind = l->old_count - l->behind;
    memmove(l->listed + behind + more, l->listed + behind, sizeof *l->listed * (size_t)(l->behind + left));
    for (int i = l->before; i < l->chain->count - l->behind; i++) {
        l->listed[i] = l->chain->points[i];
    }
    skin->point_count += more;
}

static bool renew_chain(cg_skin *skin, const cg_chain *chains, int number, const listed_chain *l, double away)
{
    int count = l->chain->count;
    cg_skin_change change = {number, l->before > 0 ? l->before - 1 : 0, l->old_count - (l->behind > 0 ? l->behind : 1),
                             count - (l->behind > 0 ? l->behind : 1)};
    return cg_skin_relist_pairs(&skin->surface->tree, chains, &change, away + l->beyond, &skin->pairs);
}

// False when the list is better made as a whole. `near` [m]: no point or node that stays is farther from its place.
static bool renew_chains(cg_skin *skin, const cg_chain *chains, int count, double near)
{
    const cg_mesh *mesh = skin->tissue->mesh;
    double away = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        away = skin_larger(away, v3_sub(mesh->position[i], skin->listed[i]));
    }
    away = sqrt(away);
    if (!(away <= near) || count_points(chains, count) > CG_SKIN_MOST_POINTS) {
        return false;
    }
    cg_vec3 *listed = skin->listed_points;
    for (int c = 0; c < count; listed += chains[c++].count) {
        listed_chain l = {.chain = &chains[c], .listed = listed, .old_count = skin->listed_counts[c]};
        if (l.chain->count == l.old_count && skin->listed_counts[c] < 2) {
            continue;
        }
        match_points(&l, near);
        if (l.before == l.chain->count && l.before == l.old_count) {
            continue;
        }
        int left = skin->point_count - (int)(listed - skin->listed_points) - l.old_count;
        if (!renew_chain(skin, chains, c, &l, away)) {
            return false;
        }
        replace_points(skin, &l, left);
        skin->listed_counts[c] = l.chain->count;
    }
    return true;
}

static void renew_list(cg_skin *skin, const cg_chain *chains, int count, double need)
{
    double near = 0.5 * (skin->pairs.reach - need);
    bool is_same = skin->has_pairs && skin->version == skin->tissue->mesh->topology_version && count > 0 &&
                   skin->chain_count == count && near > 0;
    skin->has_pairs =
        is_same && cg_tissue_surface_follow_tree(skin->surface) && renew_chains(skin, chains, count, near);
    skin->is_stale = false;
    if (skin->has_pairs) {
        list_nodes(skin);
        cg_skin_note_moved(skin);
    }
}

double cg_skin_thickest(const cg_chain *chains, int count)
{
    double radius = 0;
    for (int c = 0; c < count; c++) {
        radius = chains[c].radius > radius ? chains[c].radius : radius;
    }
    return radius;
}

static double margin(const cg_chain *chains, int count)
{
    return MARGIN * cg_skin_counted(cg_skin_thickest(chains, count));
}

double cg_skin_cover_share(cg_skin *skin, const cg_chain *chains, int count, double need, double share)
{
    if (skin->is_stale) {
        renew_list(skin, chains, count, need);
    }
    if (is_list_good(skin, chains, count)) {
        double moved = points_moved(skin, chains, count, need, skin->pairs.reach - need);
        moved += share < 1 ? nodes_away(skin, skin->listed, share) : nodes_moved(skin);
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
        most = skin_larger(most, cg_tissue_node_foreseen(tissue, i));
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
    double between = box_gap(&tissue, &threads) - longest_prediction(skin->tissue) - cg_skin_thickest(chains, count);
    return between > 0 ? between : 0;
}

static double distance_now(const cg_skin *skin, const cg_chain *chains, const cg_skin_pair *pair)
{
    const cg_vec3 *ends = chains[pair->chain].points + pair->segment;
    const int *n = skin->surface->tree.corners[pair->triangle];
    const cg_vec3 corners[3] = {skin->now[n[0]], skin->now[n[1]], skin->now[n[2]]};
    return sqrt(cg_closest_segment_triangle(ends[0], ends[1], corners).squared_distance);
}

// The same where not all pairs within reach find room in the list, as beside a body that flies fast: one chain after
// the other, with what finds room. A chain that has more pairs than that is near by any of them: only pairs that are
// within `need` take up room, and one triangle list has room for all triangles.
static bool is_chain_near(cg_skin *skin, const cg_chain *chain, double need)
{
    skin->has_pairs = false;
    if (!(need < INFINITY) || !cg_tissue_surface_follow_tree(skin->surface) ||
        !cg_skin_list_pairs(&skin->surface->tree, chain, 1, need, &skin->pairs)) {
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
    assert(count >= 0 && is_near != NULL);
    skin->is_near = false;
    if (skin->tissue->solver != CG_TISSUE_IMPLICIT) {
        return false;
    }
    double need = lead + cg_skin_nodes_go(skin);
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
    assert(chain >= 0 && chain < count);
    if (cg_skin_is_clear(skin, &chains[chain], way)) {
        return false;
    }
    double need = way + cg_skin_nodes_go(skin), moved = cg_skin_cover_share(skin, chains, count, need, 1);
    bool may_meet = !(moved >= 0);
    for (int i = 0; i < skin->pairs.count && !may_meet; i++) {
        const cg_skin_pair *pair = &skin->pairs.items[i];
        may_meet = pair->chain == chain && pair->distance - moved <= chains[chain].radius + need;
    }
    return may_meet;
}
