// Which nodes and triangles, and which edges, can touch in a step. See find/meet.h.
//
// A list holds all that was nearer than d (1 + 5/4 m) when it was looked at, d the mean thickness of the two and m the
// margin. When a node is farther than m/2 thicknesses from where it was then, all nodes that are farther than m/8 are
// looked at anew, with everything near them; the rest of the list stays. So all that is nearer than d is in it: when
// two things were last looked at, each of their nodes was within m/8 of where it is remembered, and it is within m/2
// of that now. By as much as d is larger than what a walk watches for, a step may lead farther. Where it leads a node
// farther still, all that this node may come near to on its way is added to the list.
//
// Triangles that look the same way do not push each other, and are listed only when they were nearer than what a walk
// watches for and 5/4 m. They cannot be left out: where a surface is crumpled in its own plane, a triangle between two
// others turns over and these come to lie across each other, and a triangle that looks away may turn while a list
// lasts.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "find/meet_candidates.h"

// Margin of a list in thicknesses, for tissue at rest...
static const double LEAST_MARGIN = 0.6;
// ...up to this, for tissue that moves: lists should last some steps.
static const double MOST_MARGIN = 2;
static const double LASTING_STEPS = 6;
// [thickness] What a walk watches for: the threshold of the rule is below it.
static const double WATCHED = 0.25;
// Candidates of a list that has the least margin however fast things are: a heap of pieces behind a blade would have
// tens of thousands. A list with more than an eighth of that does not get a wider margin, which may make it eight times
// as long.
enum { LONG_LIST = 8192 };

// Meshes

// The same edge of another triangle at its first node.
static int find_twin(const cg_mesh *mesh, int triangle, int corner)
{
    int a = mesh->triangles[triangle].nodes[corner], b = mesh->triangles[triangle].nodes[(corner + 1) % 3];
    for (int at = mesh->first_triangle[b]; at >= 0; at = mesh->next_triangle[at]) {
        if (mesh->triangles[at / 3].nodes[(at + 1) % 3] == a) {
            return at;
        }
    }
    return -1;
}

// True when an edit touched neither a triangle nor its number.
static bool is_kept(const cg_mesh_numbers *numbers, const cg_mesh *mesh, int triangle)
{
    const int *nodes = mesh->triangles[triangle].nodes;
    return numbers->triangle_now[triangle] == triangle && !numbers->is_touched[nodes[0]] &&
           !numbers->is_touched[nodes[1]] && !numbers->is_touched[nodes[2]];
}

// Of the edges of a triangle, those whose other side an edit may have changed get their twin again.
static void follow_twins(cg_meet_body *body, const cg_mesh_numbers *numbers, int triangle)
{
    bool keeps = numbers != NULL && is_kept(numbers, body->tissue->mesh, triangle);
    for (int edge = 3 * triangle; edge < 3 * triangle + 3; edge++) {
        int twin = body->twins[edge];
        if (!keeps || (twin >= 0 && numbers->triangle_now[twin / 3] != twin / 3)) {
            body->twins[edge] = find_twin(body->tissue->mesh, triangle, edge - 3 * triangle);
        }
    }
}

void cg_meet_follow_mesh(cg_meet_body *body, const cg_mesh_numbers *numbers)
{
    const cg_mesh *mesh = body->tissue->mesh;
    bool has_old = body->has_twins && numbers != NULL && numbers->version_then == body->version;
    int twins_then = has_old ? body->twin_count : 0;
    if (body->version != mesh->topology_version) {
        body->is_listed = body->has_twins = false;
        body->version = mesh->topology_version;
    }
    if (body->has_twins) {
        return;
    }
    for (int triangle = 0; triangle < mesh->triangle_count; triangle++) {
        follow_twins(body, 3 * triangle < twins_then ? numbers : NULL, triangle);
    }
    body->twin_count = 3 * mesh->triangle_count;
    body->is_solid = mesh->cell_count > 0 || body->tissue->springs.is_closed;
    body->has_twins = true;
}

int cg_meet_edge_of(const cg_meet_body *body, int triangle, int corner)
{
    assert(corner >= 0 && corner < 3 && triangle >= 0 && triangle < body->tissue->mesh->triangle_count);
    int edge = 3 * triangle + corner, twin = body->twins[edge];
    return twin >= 0 && twin < edge ? twin : edge;
}

// Lists

bool cg_meet_can_meet(const cg_meet_body *body)
{
    return body->tissue->solver == CG_TISSUE_IMPLICIT && body->tissue->mesh->triangle_count > 0;
}

static double mean_thickness(const cg_meet_body *a, const cg_meet_body *b)
{
    return 0.5 * (a->surface->thickness + b->surface->thickness);
}

// True when a corner of it has moved.
static bool has_moved(const cg_meet_set *set, const cg_meet_group *group, const cg_meet_candidate *candidate)
{
    bool moved = false;
    for (int side = 0; side < 2; side++) {
        const cg_meet_body *body = set->bodies[group->tissues[side]];
        int item = candidate->items[side], ends[2];
        if (candidate->kind == CG_MEET_EDGES) {
            meet_edge(body, item, ends);
            moved = moved || body->is_moved[ends[0]] || body->is_moved[ends[1]];
        } else if (side == (candidate->kind == CG_MEET_NODE_BACK)) {
            moved = moved || body->is_moved[item];
        } else {
            const int *nodes = meet_triangle(body, item);
            moved = moved || body->is_moved[nodes[0]] || body->is_moved[nodes[1]] || body->is_moved[nodes[2]];
        }
    }
    return moved;
}

// How a list is made.
typedef struct listing {
    double margin;
    bool is_moving;    // for a motion
    int groups_before; // of which some is kept; 0: all is new
    bool keeps_moved;  // of them also what has moved
} listing;

// What was listed before and has not moved stays.
static void keep_candidates(cg_meet_set *set, int group, const listing *how)
{
    const cg_meet_group *now = &set->groups[group];
    for (int g = 0; g < how->groups_before; g++) {
        const cg_meet_group *old = &set->groups_before[g];
        if (old->tissues[0] != now->tissues[0] || old->tissues[1] != now->tissues[1]) {
            continue;
        }
        for (int i = old->first_candidate; i < old->first_candidate + old->candidate_count; i++) {
            const cg_meet_candidate *candidate = &set->listed_before[i];
            if (how->keeps_moved || !has_moved(set, now, candidate)) {
                cg_meet_keep_candidate(set, group, candidate);
            }
        }
    }
}

// Finds the pairs of triangles of two tissues that can be near. Returns how near they have to come.
static cg_meet_reach find_pairs(cg_meet_set *set, int first, int second, const listing *how)
{
    cg_meet_body *a = set->bodies[first], *b = set->bodies[second];
    double d = mean_thickness(a, b), limit = how->is_moving ? WATCHED * d : (1 + 1.25 * how->margin) * d;
    bool by_normals = a->is_solid && b->is_solid && !how->is_moving;
    double alike = by_normals ? (WATCHED + 1.25 * how->margin) * d : limit;
    cg_sphere_tree_find_facing(&a->surface->tree, &b->surface->tree, limit, alike, &set->pairs);
    set->lost += set->pairs.lost;
    return (cg_meet_reach){.limit = limit, .is_moving = how->is_moving};
}

// Lists what two tissues have near each other. True when there is something.
static bool list_group(cg_meet_set *set, int first, int second, const listing *how)
{
    cg_meet_reach reach = find_pairs(set, first, second, how);
    int group = set->group_count++;
    set->groups[group] =
        (cg_meet_group){.set = set, .tissues = {first, second}, .first_candidate = set->candidate_count};
    keep_candidates(set, group, how);
    cg_meet_look_at_pairs(set, group, &reach);
    cg_meet_look_at_stops(set, group, &reach);
    set->groups[group].candidate_count = set->candidate_count - set->groups[group].first_candidate;
    cg_meet_sort_candidates(set, group);
    if (set->groups[group].candidate_count == 0) {
        set->group_count--;
        return false;
    }
    return true;
}

// Everything that is near to something listed is listed too, and wakes.
static void list_sleepers(cg_meet_set *set, double margin)
{
    const listing how = {.margin = margin};
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (int i = 0; i < set->body_count; i++) {
            for (int k = 0; k < set->body_count && set->bodies[i]->is_listed; k++) {
                if (k == i || set->bodies[k]->is_listed || !cg_meet_can_meet(set->bodies[k])) {
                    continue;
                }
                cg_meet_clear_list(set);
                if (list_group(set, i < k ? i : k, i < k ? k : i, &how)) {
                    set->bodies[k]->is_listed = has_changed = true;
                    cg_tissue_wake(set->bodies[k]->tissue);
                }
            }
        }
    }
}

static void list_all(cg_meet_set *set, const listing *how)
{
    cg_meet_size_table(set);
    cg_meet_clear_list(set);
    for (int i = 0; i < set->body_count; i++) {
        for (int k = i; k < set->body_count && set->bodies[i]->is_listed; k++) {
            if (set->bodies[k]->is_listed) {
                list_group(set, i, k, how);
            }
        }
    }
}

// The farthest that a node has gone since the list was made, in thicknesses.
static double farthest_of(const cg_meet_body *body)
{
    const cg_mesh *mesh = body->tissue->mesh;
    double farthest = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        cg_vec3 way = v3_sub(mesh->position[i], body->since[i]);
        double squared = v3_dot(way, way);
        farthest = squared <= farthest ? farthest : squared;
    }
    return sqrt(farthest) / body->surface->thickness;
}

// Nothing, some or all of the list has to be made anew.
typedef enum need { NEED_NOTHING, NEED_SOME, NEED_ALL } need;

static need needed_list(cg_meet_set *set)
{
    need needs = set->is_listed && set->lost == 0 ? NEED_NOTHING : NEED_ALL;
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        bool was_listed = body->is_listed;
        cg_meet_follow_mesh(body, NULL);
        if (was_listed != body->is_listed || (cg_meet_can_meet(body) && !body->tissue->asleep && !body->is_listed)) {
            needs = NEED_ALL;
        } else if (needs == NEED_NOTHING && body->is_listed && !(2 * farthest_of(body) <= set->margin)) {
            needs = NEED_SOME;
        }
    }
    return needs;
}

// Tissue that is fast gets a wider margin.
static double margin_of(const cg_meet_set *set)
{
    double margin = LEAST_MARGIN;
    for (int i = 0; i < set->body_count; i++) {
        const cg_meet_body *body = set->bodies[i];
        if (body->is_listed) {
            double way = cg_tissue_fastest(body->tissue) * body->tissue->time_step / body->surface->thickness;
            margin = 2 * LASTING_STEPS * way > margin ? 2 * LASTING_STEPS * way : margin;
        }
    }
    return margin < MOST_MARGIN ? margin : MOST_MARGIN;
}

// Marks the nodes whose candidates are listed anew.
static void mark_moved(cg_meet_set *set)
{
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        const cg_mesh *mesh = body->tissue->mesh;
        double least = 0.125 * set->margin * body->surface->thickness;
        for (int n = 0; n < mesh->node_count && body->is_listed; n++) {
            cg_vec3 way = v3_sub(mesh->position[n], body->since[n]);
            body->is_moved[n] = !(v3_dot(way, way) <= least * least);
            body->since[n] = body->is_moved[n] ? mesh->position[n] : body->since[n];
        }
    }
}

// From now on only what is near to nodes that are marked is found, or everything again.
static void ask_for_marked(cg_meet_set *set, bool some)
{
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        cg_sphere_tree_ask(&body->surface->tree, some && body->is_listed ? body->is_moved : NULL);
    }
}

// Lists what is near to nodes that are marked, beside what is kept of the list.
static void list_marked(cg_meet_set *set, const listing *how)
{
    cg_meet_candidate *last = set->listed_before;
    cg_meet_group *last_groups = set->groups_before;
    set->listed_before = set->candidates;
    set->candidates = last;
    set->groups_before = set->groups;
    set->groups = last_groups;
    list_all(set, how);
}

static void list_some(cg_meet_set *set)
{
    mark_moved(set);
    ask_for_marked(set, true);
    list_marked(set, &(listing){.margin = set->margin, .groups_before = set->group_count});
    ask_for_marked(set, false);
}

// `is_full`: with a wider margin there is no room, or it takes too long.
static void list_anew(cg_meet_set *set, bool is_full)
{
    for (int i = 0; i < set->body_count; i++) {
        set->bodies[i]->is_listed = set->bodies[i]->is_listed && !set->bodies[i]->tissue->asleep;
    }
    set->margin = is_full ? LEAST_MARGIN : margin_of(set);
    cg_meet_size_table(set);
    list_sleepers(set, set->margin);
    list_all(set, &(listing){.margin = set->margin});
    set->is_listed = true;
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        const cg_mesh *mesh = body->tissue->mesh;
        memcpy(body->since, mesh->position, (size_t)mesh->node_count * sizeof *body->since);
    }
}

static bool is_too_long(const cg_meet_set *set)
{
    return set->candidate_count > LONG_LIST && set->margin > LEAST_MARGIN;
}

// False when all is so fast that a list with a wider margin is worth while, or the list is too long for its margin.
static bool suits(const cg_meet_set *set)
{
    return !is_too_long(set) && (set->candidate_count > LONG_LIST / 8 || margin_of(set) < 2 * set->margin);
}

void cg_meet_list(cg_meet_set *set)
{
    need needs = needed_list(set);
    if (needs == NEED_NOTHING) {
        return;
    }
    bool was_full = set->lost > 0;
    set->lost = 0;
    bool is_new = needs == NEED_ALL || !suits(set);
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        bool has_tree = cg_meet_can_meet(body) && cg_tissue_surface_fit_tree(body->surface);
        is_new = is_new || (body->is_listed && !has_tree);
        body->is_listed = has_tree && (body->is_listed || !body->tissue->asleep);
        is_new = is_new || (has_tree && !body->is_listed); // it sleeps, and may have to wake
    }
    if (is_new) {
        list_anew(set, was_full || set->candidate_count > LONG_LIST);
        if (set->lost > 0 || is_too_long(set)) {
            set->lost = 0;
            list_anew(set, true);
        }
    } else {
        list_some(set);
    }
}

void cg_meet_take_list(cg_meet_set *set)
{
    int count = set->candidate_count, groups = set->group_count;
    bool is_sound = set->is_listed && set->margin >= LEAST_MARGIN && set->margin <= MOST_MARGIN;
    cg_meet_size_table(set);
    cg_meet_clear_list(set);
    set->is_listed = is_sound;
    for (int g = 0; g < groups && is_sound; g++) {
        cg_meet_enter_candidates(set, g);
    }
    set->candidate_count = is_sound ? count : 0;
    set->group_count = is_sound ? groups : 0;
}

// [thickness] How far nodes may be from where they were listed, for the list to hold all that a walk watches for.
static double reach_of(const cg_meet_set *set)
{
    return 0.5 * (set->margin + 1 - WATCHED);
}

// Marks nodes that the list is not good for. False when there is none.
static bool mark_left_behind(cg_meet_set *set)
{
    bool is_any = false;
    for (int i = 0; i < set->body_count; i++) {
        const cg_meet_body *body = set->bodies[i];
        const cg_mesh *mesh = body->tissue->mesh;
        double reach = reach_of(set) * body->surface->thickness;
        for (int n = 0; n < mesh->node_count && body->is_listed; n++) {
            cg_vec3 way = v3_sub(mesh->position[n], body->since[n]);
            body->is_moved[n] = !(v3_dot(way, way) <= reach * reach);
            is_any = is_any || body->is_moved[n];
        }
    }
    return is_any;
}

// Tissue that sleeps stands, and may be hit.
static bool note_motion(cg_meet_body *body)
{
    const cg_mesh *mesh = body->tissue->mesh;
    if (body->tissue->asleep) {
        memcpy(body->start, mesh->position, (size_t)mesh->node_count * sizeof *body->start);
    }
    for (int n = 0; n < mesh->node_count; n++) {
        body->moves[n] = v3_sub(mesh->position[n], body->start[n]);
    }
    if (!body->is_listed && !cg_tissue_surface_follow_tree(body->surface)) {
        return false;
    }
    cg_sphere_tree *tree = &body->surface->tree;
    cg_tissue_surface_mark_tree(body->surface, body->start);
    cg_sphere_tree_set_moves(tree, body->moves);
    return true;
}

static int group_of(const cg_meet_set *set, int first, int second)
{
    int g = 0;
    while (g < set->group_count && (set->groups[g].tissues[0] != first || set->groups[g].tissues[1] != second)) {
        g++;
    }
    return g;
}

// True when two tissues may have something near each other that is not in the list.
static bool may_have_more(cg_meet_set *set, int first, int second, const listing *how)
{
    cg_meet_reach reach = find_pairs(set, first, second, how);
    reach.only_asks = true;
    int group = group_of(set, first, second);
    if (set->lost > 0 || group == set->group_count) {
        return set->lost + set->pairs.count + set->stop_count > 0;
    }
    return cg_meet_look_at_stops(set, group, &reach) || cg_meet_look_at_pairs(set, group, &reach);
}

// Most motions lead to nothing that the list does not hold, and making it anew takes far longer than to see that.
static bool is_list_complete(cg_meet_set *set, const listing *how)
{
    bool is_complete = true;
    for (int i = 0; i < set->body_count; i++) {
        for (int k = i; k < set->body_count && set->bodies[i]->is_listed && is_complete; k++) {
            is_complete = !set->bodies[k]->is_listed || !may_have_more(set, i, k, how);
        }
    }
    set->lost = 0;
    return is_complete;
}

static void list_beside(cg_meet_set *set)
{
    const listing how = {.is_moving = true, .groups_before = set->group_count, .keeps_moved = true};
    ask_for_marked(set, true);
    if (!is_list_complete(set, &how)) {
        list_marked(set, &how);
    }
    ask_for_marked(set, false);
}

// Everything for a motion, when there is no list; beside a list, what is near to nodes that it is not good for.
void cg_meet_list_motion(cg_meet_set *set)
{
    bool is_listed = set->is_listed && set->lost == 0;
    if (is_listed && !mark_left_behind(set)) {
        return;
    }
    set->lost = 0;
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        if (cg_meet_can_meet(body) && (!is_listed || body->is_listed)) {
            body->is_listed = note_motion(body);
        }
    }
    if (is_listed) {
        list_beside(set);
    } else {
        list_all(set, &(listing){.is_moving = true});
    }
    for (int i = 0; i < set->body_count; i++) {
        if (set->bodies[i]->is_listed) {
            cg_sphere_tree_set_moves(&set->bodies[i]->surface->tree, NULL);
        }
    }
    set->is_listed = is_listed;
}
