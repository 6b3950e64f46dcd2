// The state of tissues that touch: thickness, meets, stops, and the list of what may touch. See find/meet.h.
#include <limits.h>

#include "base/vec3.h"
#include "find/meet.h"

static void visit_items(cg_archive *archive, const cg_meet_set *set, cg_meet_kind *kind, int tissues[2], int items[2],
                        cg_meet_kind lowest)
{
    int number = (int)*kind;
    cg_archive_int(archive, &number, (int)lowest, CG_MEET_KIND_COUNT - 1);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        *kind = (cg_meet_kind)number;
    }
    for (int side = 0; side < 2; side++) {
        cg_archive_int(archive, &tissues[side], 0, set->body_count - 1);
        cg_archive_int(archive, &items[side], 0, (1 << 25) - 1);
    }
}

static void visit_meet(cg_archive *archive, const cg_meet_set *set, cg_touch *meet)
{
    int tissues[2] = {touch_tissue(meet, 0), touch_tissue(meet, 1)};
    visit_items(archive, set, &meet->what, tissues, meet->items, CG_MEET_NODE);
    for (int side = 0; side < 2; side++) {
        int triangle = touch_triangle(meet, side);
        cg_archive_int(archive, &triangle, 0, 1 << 25);
        cg_archive_doubles(archive, meet->weights[side], 3);
        if (archive->mode == CG_ARCHIVE_LOAD) {
            cg_meet_set_place(meet, side, tissues[side], triangle);
        }
    }
    cg_archive_vec3(archive, &meet->point[0]);
    cg_archive_vec3(archive, &meet->axes[0]);
    cg_archive_double(archive, &meet->gap);
    cg_archive_double(archive, &meet->radius);
    cg_archive_double(archive, &meet->part);
    cg_archive_double(archive, &meet->facing);
    cg_archive_double(archive, &meet->friction);
    cg_archive_vec3(archive, &meet->traction);
    cg_archive_vec3(archive, &meet->force);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        meet->kind = CG_MEET_ROW;
        meet->point[1] = v3_add_scaled(meet->point[0], -meet->gap, meet->axes[0]);
    }
}

// A list that the next step would make anew, because a mesh was edited, is none.
static bool has_list(const cg_meet_set *set)
{
    bool has = set->is_listed;
    for (int i = 0; i < set->body_count; i++) {
        const cg_meet_body *body = set->bodies[i];
        has = has && !(body->is_listed && body->version != body->tissue->mesh->topology_version);
    }
    return has;
}

static void visit_listed_body(cg_archive *archive, cg_meet_body *body)
{
    const cg_mesh *mesh = body->tissue->mesh;
    bool is_listed = cg_archive_choice(archive, body->is_listed, 0, 1) == 1;
    int nodes = cg_archive_length(archive, is_listed ? mesh->node_count : 0, mesh->limits.nodes);
    cg_archive_vec3s(archive, body->since, (size_t)nodes);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        body->is_listed = is_listed && nodes == mesh->node_count;
    }
}

static void visit_candidate(cg_archive *archive, cg_meet_candidate *candidate)
{
    int kind = (int)candidate->kind;
    cg_archive_int(archive, &kind, CG_MEET_NODE, CG_MEET_EDGES);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        candidate->kind = (cg_meet_kind)kind;
    }
    cg_archive_int(archive, &candidate->items[0], 0, (1 << 25) - 1);
    cg_archive_int(archive, &candidate->items[1], 0, (1 << 25) - 1);
}

static void visit_list(cg_archive *archive, cg_meet_set *set)
{
    int most_groups = set->body_count * (set->body_count + 1) / 2, first = 0;
    bool is_listed = cg_archive_choice(archive, has_list(set), 0, 1) == 1;
    int groups = 0;
    cg_archive_int(archive, &set->lost, 0, INT_MAX);
    if (is_listed) {
        for (int i = 0; i < set->body_count; i++) {
            visit_listed_body(archive, set->bodies[i]);
        }
        cg_archive_double(archive, &set->margin);
        groups = cg_archive_length(archive, set->group_count, most_groups);
    }
    for (int g = 0; g < groups; g++) {
        cg_meet_group *group = &set->groups[g];
        cg_archive_int(archive, &group->tissues[0], 0, set->body_count - 1);
        cg_archive_int(archive, &group->tissues[1], 0, set->body_count - 1);
        int count = cg_archive_length(archive, group->candidate_count, set->candidate_capacity - first);
        for (int i = first; i < first + count; i++) {
            visit_candidate(archive, &set->candidates[i]);
        }
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            *group = (cg_meet_group){.set = set,
                                     .tissues = {group->tissues[0], group->tissues[1]},
                                     .first_candidate = first,
                                     .candidate_count = count};
        }
        first += count;
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        set->is_listed = is_listed;
        set->group_count = groups;
        set->candidate_count = first;
    }
}

// What may touch may come from a file.
bool cg_meet_names_something(const cg_meet_set *set, cg_meet_kind kind, const int tissues[2], const int items[2])
{
    bool is_sound = kind != CG_MEET_NODE_BACK || tissues[0] != tissues[1];
    for (int side = 0; side < 2; side++) {
        const cg_mesh *mesh = set->bodies[tissues[side]]->tissue->mesh;
        bool is_node = side == (kind == CG_MEET_NODE_BACK), is_edge = kind == CG_MEET_EDGES;
        int count = is_edge ? 3 * mesh->triangle_count : (is_node ? mesh->node_count : mesh->triangle_count);
        is_sound = is_sound && items[side] < count;
        // A node of the surface.
        is_sound = is_sound && (is_edge || !is_node || mesh->first_triangle[items[side]] >= 0);
    }
    return is_sound;
}

static bool is_sound_group(const cg_meet_set *set, int number)
{
    const cg_meet_group *group = &set->groups[number], *last = &set->groups[number > 0 ? number - 1 : 0];
    bool is_sound = group->tissues[0] <= group->tissues[1];
    is_sound = is_sound && (number == 0 || last->tissues[0] < group->tissues[0] ||
                            (last->tissues[0] == group->tissues[0] && last->tissues[1] < group->tissues[1]));
    for (int side = 0; side < 2; side++) {
        const cg_meet_body *body = set->bodies[group->tissues[side]];
        is_sound = is_sound && body->is_listed && cg_meet_can_meet(body);
    }
    for (int i = group->first_candidate; i < group->first_candidate + group->candidate_count && is_sound; i++) {
        const cg_meet_candidate *candidate = &set->candidates[i];
        is_sound = cg_meet_names_something(set, candidate->kind, group->tissues, candidate->items);
    }
    return is_sound;
}

static bool is_sound_meet(const cg_meet_set *set, const cg_touch *meet)
{
    cg_meet_kind kind = meet_plain_kind(meet->what);
    const int tissues[2] = {touch_tissue(meet, 0), touch_tissue(meet, 1)};
    bool is_sound = cg_meet_names_something(set, kind, tissues, meet->items);
    for (int side = 0; side < 2 && is_sound; side++) {
        const cg_mesh *mesh = set->bodies[touch_tissue(meet, side)]->tissue->mesh;
        bool is_node = kind != CG_MEET_EDGES && side == (kind == CG_MEET_NODE_BACK);
        int item = meet->items[side], triangle = kind == CG_MEET_EDGES ? item / 3 : item;
        is_sound = is_node ? touch_triangle(meet, side) < mesh->triangle_count : touch_triangle(meet, side) == triangle;
    }
    return is_sound;
}

// Meets and stops that come from a file and name what is not there, or meshes that were edited since, are left out.
static void drop_unsound(cg_meet_set *set)
{
    bool is_present = set->version == cg_meet_version(set);
    int meets = 0, stops = 0;
    for (int i = 0; i < set->count && is_present; i++) {
        if (is_sound_meet(set, &set->meets[i])) {
            set->meets[meets++] = set->meets[i];
        }
    }
    for (int i = 0; i < set->stop_count && is_present; i++) {
        const cg_meet_stop *stop = &set->stops[i];
        if (cg_meet_names_something(set, meet_plain_kind(stop->kind), stop->tissues, stop->items)) {
            set->stops[stops++] = *stop;
        }
    }
    set->count = meets;
    set->stop_count = stops;
}

static void follow_load(cg_meet_set *set)
{
    drop_unsound(set);
    for (int i = 0; i < set->body_count; i++) {
        cg_meet_body *body = set->bodies[i];
        // The mesh may have gone back to one that had the same number.
        body->has_twins = false;
        body->version = body->tissue->mesh->topology_version;
        body->is_listed = body->is_listed && set->is_listed;
    }
    for (int g = 0; g < set->group_count && set->is_listed; g++) {
        set->is_listed = is_sound_group(set, g);
    }
    cg_meet_take_list(set);
}

void cg_meet_visit_state(cg_archive *archive, cg_meet_set *set)
{
    for (int i = 0; i < set->body_count; i++) {
        cg_tissue_surface_visit_state(archive, set->bodies[i]->surface);
    }
    int count = cg_archive_length(archive, set->count, set->capacity);
    for (int i = 0; i < count; i++) {
        visit_meet(archive, set, &set->meets[i]);
    }
    cg_archive_u64(archive, &set->version);
    int stops = cg_archive_length(archive, set->stop_count, CG_MEET_MOST_STOPS);
    for (int i = 0; i < stops; i++) {
        cg_meet_stop *stop = &set->stops[i];
        visit_items(archive, set, &stop->kind, stop->tissues, stop->items, CG_MEET_STOPPED_NODE);
        cg_archive_double(archive, &stop->thickness);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        set->count = count;
        set->stop_count = stops;
    }
    visit_list(archive, set);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        follow_load(set);
    }
}
