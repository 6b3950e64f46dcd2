// Contacts of a tissue with shapes: memory, what the rows did, safe motion. Where they are made: press_find.c.
#include "find/press.h"

#include <assert.h>

#include "base/status.h"
#include "base/vec3.h"

cg_motion_rule cg_press_rule(void)
{
    cg_motion_rule rule = motion_rule_default();
    rule.keep = 0.2;
    rule.give = 0.02;
    rule.freeze = 0.05;
    return rule;
}

static cg_press_set *lay_out(cg_arena *arena, const cg_mesh_limits *limits)
{
    // Far more than a step needs; all triangles near one shape fit.
    int contacts = limits->triangles + limits->triangles / 2 + 64;
    cg_press_set measured = {0}, *set = cg_arena_push_array(arena, cg_press_set, 1);
    cg_press_set *s = set != NULL ? set : &measured;
    cg_surface_contact_list_layout(&s->found, contacts, arena);
    s->presses = cg_arena_push_array(arena, cg_touch, contacts);
    s->before = cg_arena_push_array(arena, cg_touch, contacts);
    s->rows = cg_arena_push_array(arena, cg_tissue_row, contacts);
    s->marks = cg_arena_push_array(arena, int, limits->nodes);
    cg_mesh_numbers_layout(&s->numbers, limits, arena);
    s->start = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->moves = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    return set;
}

cg_status cg_press_create(cg_tissue *tissue, cg_tissue_surface *surface, const cg_allocator *allocator,
                          cg_press_set **set)
{
    assert(tissue != NULL && surface != NULL);
    *set = NULL;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, &tissue->mesh->limits);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the contacts of a tissue");
    }
    cg_arena_init(&arena, memory, bytes);
    cg_press_set *made = lay_out(&arena, &tissue->mesh->limits);
    made->allocator = *allocator;
    made->memory = memory;
    made->tissue = tissue;
    made->surface = surface;
    made->rule = cg_press_rule();
    cg_mesh_numbers_take(&made->numbers, tissue->mesh);
    *set = made;
    return cg_ok();
}

void cg_press_destroy(cg_press_set *set)
{
    if (set != NULL) {
        cg_allocator allocator = set->allocator;
        cg_memory_give(&allocator, set->memory);
    }
}

cg_segment_pair cg_press_pair(const cg_press_set *set, int shape, int feature)
{
    assert(shape >= 0);
    return (cg_segment_pair){cg_chain_of(CG_BODY_TISSUE, set->number), feature, cg_chain_of(CG_BODY_RIGID, shape), 0};
}

void cg_press_renumber_tissue(cg_press_set *set, int number)
{
    assert(number >= 0);
    set->number = number;
    for (int i = 0; i < set->count; i++) {
        set->presses[i].pair = cg_press_pair(set, press_shape(&set->presses[i]), set->presses[i].pair.segment_a);
    }
}

void cg_press_forget(cg_press_set *set)
{
    set->count = set->before_count = 0;
    cg_tissue_wake(set->tissue);
}

static void sort_presses(cg_touch *presses, int count)
{
    for (int i = 1; i < count; i++) {
        cg_touch press = presses[i];
        int k = i;
        for (; k > 0 && press_order(&presses[k - 1]) > press_order(&press); k--) {
            presses[k] = presses[k - 1];
        }
        presses[k] = press;
    }
}

bool cg_press_follow_edits(cg_press_set *set, uint64_t from, bool is_lost)
{
    const cg_mesh *mesh = set->tissue->mesh;
    if (is_lost || !cg_mesh_numbers_follow(&set->numbers, mesh, from)) {
        cg_mesh_numbers_take(&set->numbers, mesh);
        cg_press_forget(set);
        return false;
    }
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        int feature = set->presses[i].pair.segment_a, triangle = set->numbers.triangle_now[skin_triangle(feature)];
        if (triangle >= 0) {
            set->presses[kept] = set->presses[i];
            set->presses[kept++].pair.segment_a = skin_renamed(feature, triangle);
        }
    }
    sort_presses(set->presses, kept);
    set->count = kept;
    set->version = mesh->topology_version;
    return true;
}

static void visit_press(cg_archive *archive, const cg_press_set *set, cg_touch *press)
{
    int shape = press_shape(press), feature = press->pair.segment_a;
    int triangle = skin_triangle(feature), corner = feature % 8 - CG_SKIN_NODE;
    cg_archive_int(archive, &shape, 0, 1 << 20);
    cg_archive_int(archive, &triangle, 0, set->tissue->mesh->limits.triangles - 1);
    cg_archive_int(archive, &corner, 0, CG_PRESS_CLOSEST - CG_SKIN_NODE);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        press->kind = CG_PRESS_ROW;
        press->pair = cg_press_pair(set, shape, skin_renamed(CG_SKIN_NODE + corner, triangle));
    }
    cg_archive_doubles(archive, press->weights[0], 3);
    cg_archive_vec3(archive, &press->point[0]);
    cg_archive_vec3(archive, &press->axes[0]);
    cg_archive_double(archive, &press->gap);
    cg_archive_double(archive, &press->friction);
    cg_archive_vec3(archive, &press->traction);
    cg_archive_vec3(archive, &press->force);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        press->point[1] = v3_add_scaled(press->point[0], -press->gap, press->axes[0]);
    }
}

void cg_press_visit_state(cg_archive *archive, cg_press_set *set)
{
    int count = cg_archive_length(archive, set->count, set->found.capacity);
    for (int i = 0; i < count; i++) {
        visit_press(archive, set, &set->presses[i]);
    }
    cg_archive_u64(archive, &set->version);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        set->count = count;
        cg_mesh_numbers_take(&set->numbers, set->tissue->mesh);
    }
}

bool cg_press_is_sound(const cg_press_set *set, int shape_count)
{
    bool is_sound = true;
    for (int i = 0; i < set->count; i++) {
        const cg_touch *press = &set->presses[i];
        const double *w = press->weights[0];
        is_sound = is_sound && press_shape(press) < shape_count &&
                   touch_triangle(press, 0) < set->tissue->mesh->triangle_count;
        is_sound = is_sound && fabs(w[0] + w[1] + w[2] - 1) < 1e-6 && press->friction >= 0;
    }
    return is_sound;
}

// Notes where the nodes of the triangles concerned went. Returns how far any node went at most; all motions are noted
// when that is farther than the search reached.
static double note_moves(cg_press_set *set)
{
    const cg_tissue *tissue = set->tissue;
    const cg_mesh *mesh = tissue->mesh;
    // Without a limit of stretch the velocities are the motions.
    bool is_drawn = tissue->most_stretch > 0;
    double farthest = is_drawn ? 0 : cg_tissue_fastest(tissue) * tissue->time_step * (1 + 1e-6);
    if (is_drawn || farthest > set->reach) {
        farthest = 0;
        for (int i = 0; i < mesh->node_count; i++) {
            set->start[i] = cg_wide_point(tissue->springs.place[i]);
            set->moves[i] = v3_sub(mesh->position[i], set->start[i]);
            double length = v3_length(set->moves[i]);
            farthest = length <= farthest ? farthest : length;
        }
        return farthest;
    }
    for (int i = 0; i < set->found.count; i++) {
        const int *nodes = mesh->triangles[set->found.items[i].triangle].nodes;
        for (int k = 0; k < 3; k++) {
            set->moves[nodes[k]] = v3_sub(mesh->position[nodes[k]], set->start[nodes[k]]);
        }
    }
    return farthest;
}

double cg_press_walk(cg_press_set *set, const cg_press_shapes *shapes)
{
    assert(shapes->count >= 0);
    if (!set->is_near) {
        return 1;
    }
    cg_tissue_surface *surface = set->surface;
    double farthest = note_moves(set);
    surface->tree.positions = set->start;
    if (farthest <= set->reach) {
        cg_surface_contacts_walk(&surface->tree, surface->thickness, &set->rule, shapes->moving, set->moves,
                                 &set->found);
    } else {
        cg_sphere_tree_set_moves(&surface->tree, set->moves);
        cg_surface_contacts_find(&surface->tree, surface->thickness, &set->rule, shapes->moving, shapes->count, 0,
                                 &set->found);
        cg_sphere_tree_set_moves(&surface->tree, NULL);
        set->reach = 0;
    }
    for (int i = 0; i < set->found.count; i++) {
        const cg_surface_contact *contact = &set->found.items[i];
        double *way = &shapes->way[contact->shape];
        *way = contact->safe < *way ? contact->safe : *way;
    }
    return set->found.fraction;
}
