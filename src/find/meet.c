// Tissues that touch themselves and each other: memory, and the order of what they remember. See find/meet.h.
#include "find/meet.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "find/press.h"

// Room, a triangle: far more than a step needs.
enum { PAIRS_ROOM = 12, CANDIDATES_ROOM = 20, TABLE_ROOM = 64, MEETS_ROOM = 2 };

// Memory

static cg_meet_body *lay_out_body(cg_arena *arena, const cg_mesh_limits *limits)
{
    cg_meet_body measured = {0}, *body = cg_arena_push_array(arena, cg_meet_body, 1);
    cg_meet_body *b = body != NULL ? body : &measured;
    b->twins = cg_arena_push(arena, (size_t)limits->triangles, 3 * sizeof(int));
    b->since = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    b->is_moved = cg_arena_push_array(arena, bool, limits->nodes);
    b->start = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    b->moves = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    b->normals = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    b->seen = cg_arena_push_array(arena, int, limits->nodes);
    b->drawn = cg_arena_push_array(arena, int, limits->nodes);
    b->nearest = cg_arena_push_array(arena, cg_meet_nearest, limits->nodes);
    return body;
}

cg_status cg_meet_body_create(cg_tissue *tissue, cg_tissue_surface *surface, const cg_allocator *allocator,
                              cg_meet_body **body)
{
    assert(tissue != NULL && surface != NULL);
    *body = NULL;
    const cg_mesh *mesh = tissue->mesh;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out_body(&arena, &mesh->limits);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the contacts of a tissue");
    }
    cg_arena_init(&arena, memory, bytes);
    cg_meet_body *made = lay_out_body(&arena, &mesh->limits);
    made->allocator = *allocator;
    made->memory = memory;
    made->tissue = tissue;
    made->surface = surface;
    *body = made;
    return cg_ok();
}

void cg_meet_body_destroy(cg_meet_body *body)
{
    if (body != NULL) {
        cg_allocator allocator = body->allocator;
        cg_memory_give(&allocator, body->memory);
    }
}

static int power_above(int count)
{
    int power = 64;
    while (power < count) {
        power *= 2;
    }
    return power;
}

static cg_meet_set *lay_out(cg_arena *arena, int bodies, int triangles)
{
    cg_meet_set measured = {0}, *set = cg_arena_push_array(arena, cg_meet_set, 1);
    cg_meet_set *s = set != NULL ? set : &measured;
    s->candidate_capacity = CANDIDATES_ROOM * triangles;
    s->table_size = power_above(TABLE_ROOM * triangles);
    s->capacity = MEETS_ROOM * triangles + CG_MEET_MOST_STOPS;
    s->bodies = cg_arena_push_array(arena, cg_meet_body *, bodies);
    s->groups = cg_arena_push_array(arena, cg_meet_group, bodies * (bodies + 1) / 2);
    s->groups_before = cg_arena_push_array(arena, cg_meet_group, bodies * (bodies + 1) / 2);
    cg_triangle_list_layout(&s->pairs, PAIRS_ROOM * triangles, arena);
    s->candidates = cg_arena_push_array(arena, cg_meet_candidate, s->candidate_capacity);
    s->listed_before = cg_arena_push_array(arena, cg_meet_candidate, s->candidate_capacity);
    s->table = cg_arena_push_array(arena, uint64_t, s->table_size);
    s->table_place = cg_arena_push_array(arena, int, s->table_size);
    s->table_used = cg_arena_push_array(arena, int, s->table_size / 2 + 1);
    s->keys_moved = cg_arena_push_array(arena, uint64_t, s->table_size / 2 + 1);
    s->places_moved = cg_arena_push_array(arena, int, s->table_size / 2 + 1);
    s->meets = cg_arena_push_array(arena, cg_touch, s->capacity);
    s->before = cg_arena_push_array(arena, cg_touch, s->capacity);
    s->rows = cg_arena_push_array(arena, cg_tissue_row, s->capacity);
    s->row_of = cg_arena_push_array(arena, int, s->capacity);
    s->stops = cg_arena_push_array(arena, cg_meet_stop, CG_MEET_MOST_STOPS);
    return set;
}

cg_status cg_meet_create(cg_meet_body *const *bodies, int count, const cg_allocator *allocator, cg_meet_set **set)
{
    assert(count > 0);
    *set = NULL;
    int triangles = 0;
    for (int i = 0; i < count; i++) {
        triangles += bodies[i]->tissue->mesh->limits.triangles;
    }
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, count, triangles);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the contacts of tissues");
    }
    cg_arena_init(&arena, memory, bytes);
    cg_meet_set *made = lay_out(&arena, count, triangles);
    made->allocator = *allocator;
    made->memory = memory;
    made->body_count = count;
    made->rule = cg_press_rule();
    for (int i = 0; i < count; i++) {
        made->bodies[i] = bodies[i];
        bodies[i]->is_listed = false;
    }
    *set = made;
    return cg_ok();
}

void cg_meet_destroy(cg_meet_set *set)
{
    if (set != NULL) {
        cg_allocator allocator = set->allocator;
        cg_memory_give(&allocator, set->memory);
    }
}

uint64_t cg_meet_version(const cg_meet_set *set)
{
    uint64_t sum = 0;
    for (int i = 0; i < set->body_count; i++) {
        sum += set->bodies[i]->tissue->mesh->topology_version;
    }
    return sum;
}

void cg_meet_inherit(cg_meet_set *set, const cg_meet_set *old)
{
    assert(set != old);
    bool is_same = old->body_count <= set->body_count && old->count <= set->capacity;
    for (int i = 0; i < old->body_count && is_same; i++) {
        is_same = old->bodies[i] == set->bodies[i];
    }
    set->round = old->round; // nodes remember rounds
    if (is_same) {
        memcpy(set->meets, old->meets, (size_t)old->count * sizeof *set->meets);
        memcpy(set->stops, old->stops, (size_t)old->stop_count * sizeof *set->stops);
        set->count = old->count;
        set->stop_count = old->stop_count;
        set->version = old->version == cg_meet_version(old) ? cg_meet_version(set) : 0;
    }
}

void cg_meet_remove(cg_meet_set *set, const cg_meet_body *body)
{
    int kept = 0;
    for (int i = 0; i < set->body_count; i++) {
        if (set->bodies[i] != body) {
            cg_tissue_wake(set->bodies[i]->tissue);
            set->bodies[kept++] = set->bodies[i];
        }
    }
    set->body_count = kept;
    set->count = set->before_count = set->stop_count = set->group_count = 0;
    set->is_listed = false;
}

// Finding

static void take_over(cg_meet_set *set)
{
    cg_touch *last = set->before;
    uint64_t version = cg_meet_version(set);
    set->before = set->meets;
    set->before_count = set->version == version ? set->count : 0;
    set->meets = last;
    set->count = 0;
    if (set->version != version) {
        set->stop_count = 0;
    }
    set->version = version;
}

static uint64_t place_of(const cg_touch *meet)
{
    return (uint64_t)touch_tissue(meet, 0) << 40 | (uint64_t)touch_tissue(meet, 1) << 32 | (uint64_t)meet->what;
}

// A node is the same wherever it slides.
static uint64_t name_of(const cg_touch *meet)
{
    if (meet->what == CG_MEET_NODE) {
        return (uint64_t)meet->items[0];
    }
    if (meet->what == CG_MEET_NODE_BACK) {
        return (uint64_t)meet->items[1];
    }
    return (uint64_t)meet->items[0] << 32 | (uint64_t)meet->items[1];
}

static bool is_before(const cg_touch *a, const cg_touch *b)
{
    uint64_t first = place_of(a), second = place_of(b);
    return first < second || (first == second && name_of(a) < name_of(b));
}

void cg_meet_sort(cg_meet_set *set)
{
    for (int i = 1; i < set->count; i++) {
        cg_touch meet = set->meets[i];
        int k = i;
        for (; k > 0 && is_before(&meet, &set->meets[k - 1]); k--) {
            set->meets[k] = set->meets[k - 1];
        }
        set->meets[k] = meet;
    }
}

// Gives meets what they were in the last step; those of tissues that sleep on stay so.
void cg_meet_remember(cg_meet_set *set)
{
    assert(set->count <= set->capacity && set->before_count <= set->capacity);
    int old = 0;
    for (int i = 0; i < set->count; i++) {
        cg_touch *meet = &set->meets[i];
        while (old < set->before_count && is_before(&set->before[old], meet)) {
            old++;
        }
        if (old < set->before_count && !is_before(meet, &set->before[old])) {
            meet->traction = set->before[old].traction;
            meet->force = set->before[old].force;
        }
    }
}

bool cg_meet_is_asleep(const cg_meet_set *set)
{
    for (int i = 0; i < set->body_count; i++) {
        if (!set->bodies[i]->tissue->asleep) {
            return false;
        }
    }
    return true;
}

// Also of what sleeps: a shape or a bond may wake it in this step.
static void note_start(cg_meet_body *body)
{
    const cg_mesh *mesh = body->tissue->mesh;
    memcpy(body->start, mesh->position, (size_t)mesh->node_count * sizeof *body->start);
}

void cg_meet_begin(cg_meet_set *set)
{
    for (int i = 0; i < set->body_count; i++) {
        cg_tissue_surface_follow_edits(set->bodies[i]->surface);
        note_start(set->bodies[i]);
    }
    if (cg_meet_is_asleep(set)) {
        set->group_count = 0;
        set->is_listed = false;
        return;
    }
    take_over(set);
    cg_meet_list(set);
    bool has_drawn = cg_meet_make_room(set);
    for (int i = 0; i < set->body_count && has_drawn; i++) {
        note_start(set->bodies[i]);
    }
}
