// Bonds: memory, state, their rows in a step, and when they break. The law is in bond.h.
#include "laws/bond.h"

#include <assert.h>
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/triangle.h"

// Places of candidates per node of the mesh.
enum { CANDIDATES_A_NODE = 8, MOST_NEAR_A_NODE = 256 };

static cg_bond_set *lay_out(cg_arena *arena, const cg_mesh_limits *limits)
{
    cg_bond_set measured = {0}, *set = cg_arena_push_array(arena, cg_bond_set, 1);
    cg_bond_set *s = set != NULL ? set : &measured;
    int triangles = limits->triangles > 0 ? limits->triangles : 1;
    s->bonds = cg_arena_push_array(arena, cg_bond, limits->nodes);
    s->is_ready = cg_arena_push_array(arena, bool, limits->nodes);
    s->cut = cg_arena_push_array(arena, cg_bond_triangle, triangles);
    s->cut_triangles = cg_arena_push_array(arena, int, triangles);
    s->cut_nodes = cg_arena_push_array(arena, int, limits->nodes);
    s->since = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    s->bond_of = cg_arena_push_array(arena, int, limits->nodes);
    s->candidate_capacity = CANDIDATES_A_NODE * limits->nodes;
    s->candidates = cg_arena_push_array(arena, cg_bond_candidate, s->candidate_capacity);
    s->rows = cg_arena_push_array(arena, cg_tissue_row, 2 * limits->nodes);
    s->apart = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    cg_sphere_tree_layout(&s->tree, limits->nodes, triangles, arena);
    cg_triangle_list_layout(&s->near, MOST_NEAR_A_NODE, arena);
    return set;
}

cg_status cg_bond_create(cg_tissue *tissue, double strength, double thickness, const cg_allocator *allocator,
                         cg_bond_set **set)
{
    assert(strength > 0);
    *set = NULL;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, &tissue->mesh->limits);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the bonds of a tissue");
    }
    cg_arena_init(&arena, memory, bytes);
    cg_bond_set *made = lay_out(&arena, &tissue->mesh->limits);
    made->allocator = *allocator;
    made->memory = memory;
    made->tissue = tissue;
    made->strength = strength;
    made->thickness = thickness;
    *set = made;
    return cg_ok();
}

void cg_bond_destroy(cg_bond_set *set)
{
    if (set != NULL) {
        cg_allocator allocator = set->allocator;
        cg_memory_give(&allocator, set->memory);
    }
}

void cg_bond_forget_lists(cg_bond_set *set)
{
    set->version = 0;
    set->is_listed = false;
}

void cg_bond_visit_state(cg_archive *archive, cg_bond_set *set)
{
    int most = set->tissue->mesh->limits.nodes;
    int count = cg_archive_length(archive, set->count, most);
    for (int i = 0; i < count; i++) {
        cg_bond *bond = &set->bonds[i];
        cg_archive_int(archive, &bond->node, 0, CG_MESH_MOST);
        cg_archive_int(archive, &bond->other, 0, 1 << 20);
        cg_archive_int(archive, &bond->triangle, 0, CG_MESH_MOST);
        for (int k = 0; k < 3; k++) {
            cg_archive_int(archive, &bond->corners[k], 0, CG_MESH_MOST);
        }
        cg_archive_doubles(archive, bond->weights, 3);
        cg_archive_double(archive, &bond->rest);
        cg_archive_double(archive, &bond->area);
        cg_archive_double(archive, &bond->law.strength);
        cg_archive_double(archive, &bond->law.stiffness);
        cg_archive_double(archive, &bond->worst);
        cg_archive_vec3(archive, &bond->normal);
        cg_archive_vec3(archive, &bond->force);
    }
    int nodes = cg_archive_length(archive, set->tissue->mesh->node_count, most);
    for (int i = 0; i < nodes; i++) {
        cg_archive_bool(archive, &set->is_ready[i]);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        set->count = count;
        cg_bond_forget_lists(set);
    }
}

cg_bond_set *cg_bond_set_at(cg_bond_set *const *sets, int count, int place)
{
    for (int i = 0; i < count; i++) {
        if (sets[i]->place == place) {
            return sets[i];
        }
    }
    return NULL;
}

// Bonds may come from a file.
static bool is_sound(const cg_bond_set *set, const cg_bond *bond, int before)
{
    const cg_bond_set *other = cg_bond_set_at(set->sets, set->set_count, bond->other);
    if (other == NULL || bond->node <= before || bond->node >= set->tissue->mesh->node_count ||
        bond->triangle >= other->tissue->mesh->triangle_count) {
        return false;
    }
    const int *corners = other->tissue->mesh->triangles[bond->triangle].nodes;
    for (int k = 0; k < 3; k++) {
        bool is_itself = other == set && corners[k] == bond->node;
        if (corners[k] != bond->corners[k] || is_itself || !(fabs(bond->weights[k]) <= 10)) {
            return false;
        }
    }
    return bond->law.stiffness > 0 && bond->law.strength > 0 && bond->worst >= 0;
}

static void drop_unsound(cg_bond_set *set)
{
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        if (is_sound(set, &set->bonds[i], kept > 0 ? set->bonds[kept - 1].node : -1)) {
            set->bonds[kept++] = set->bonds[i];
        }
    }
    set->count = kept;
}

cg_vec3 cg_bond_cut_normal(const cg_mesh *mesh, int node)
{
    assert(node >= 0 && node < mesh->node_count);
    cg_vec3 normal = v3_zero();
    for (int at = mesh->first_triangle[node]; at >= 0; at = mesh->next_triangle[at]) {
        const cg_mesh_triangle *item = &mesh->triangles[at / 3];
        if (item->side == CG_SIDE_GROOVE) {
            const cg_vec3 *x = mesh->position;
            const cg_vec3 now[3] = {x[item->nodes[0]], x[item->nodes[1]], x[item->nodes[2]]};
            normal = v3_add(normal, triangle_normal(now));
        }
    }
    return normal;
}

// A bond in the shape of now.
typedef struct stretched {
    cg_vec3 corners[3]; // [m] of the triangle
    cg_vec3 apart;      // [m] node less place on the triangle
    cg_vec3 normal;     // n
    cg_vec3 across;     // [m] y less its part along n
    double along;       // [m] n . y
    double opening;     // [m] e
} stretched;

// The normals at corners and node are those of all the surface around them. A single triangle of a lattice tilts when
// its corners give way by different amounts, by more than bonds can open.
static cg_vec3 normal_between(const cg_bond_set *set, const cg_bond_set *other, const cg_bond *bond)
{
    cg_vec3 below = v3_zero(), above = cg_bond_cut_normal(set->tissue->mesh, bond->node);
    for (int k = 0; k < 3; k++) {
        if (bond->weights[k] > 0) {
            cg_vec3 corner = cg_bond_cut_normal(other->tissue->mesh, bond->corners[k]);
            below = v3_add_scaled(below, bond->weights[k], v3_unit_or(corner, v3_zero()));
        }
    }
    cg_vec3 both = v3_sub(v3_unit_or(below, v3_zero()), v3_unit_or(above, v3_zero()));
    return v3_unit_or(both, v3(0, 0, 1));
}

// The matrix of a step does not know that normals turn. Where nodes with few links are pushed by bonds that their own
// tilt has sheared, they could swing from step to step; half of the last normal keeps them from it.
static void follow_normal(const cg_bond_set *set, cg_bond *bond)
{
    const cg_bond_set *other = cg_bond_set_at(set->sets, set->set_count, bond->other);
    cg_vec3 now = normal_between(set, other, bond);
    bond->normal = v3_unit_or(v3_add(bond->normal, now), now);
}

static double opening_of(cg_vec3 y, cg_vec3 normal)
{
    double along = v3_dot(y, normal);
    cg_vec3 open = along < 0 ? v3_add_scaled(y, -along, normal) : y;
    return v3_length(open);
}

static stretched stretch(const cg_bond_set *set, const cg_bond *bond)
{
    const cg_bond_set *other = cg_bond_set_at(set->sets, set->set_count, bond->other);
    const cg_vec3 *x = other->tissue->mesh->position;
    stretched s = {.corners = {x[bond->corners[0]], x[bond->corners[1]], x[bond->corners[2]]}};
    s.apart = v3_sub(set->tissue->mesh->position[bond->node], triangle_point(s.corners, bond->weights));
    s.normal = bond->normal;
    s.along = v3_dot(s.normal, s.apart) - bond->rest;
    s.across = v3_add_scaled(s.apart, -v3_dot(s.normal, s.apart), s.normal);
    s.opening = opening_of(v3_add_scaled(s.across, s.along, s.normal), s.normal);
    return s;
}

// [m] the largest opening, if node and triangle keep their velocities in this step and the bond opens by it. Without
// this look ahead a bond that is torn quickly would bear more than its strength.
static double foreseen(const cg_bond_set *set, const cg_bond_set *other, const cg_bond *bond, const stretched *s)
{
    cg_vec3 speed = set->tissue->velocity[bond->node];
    for (int k = 0; k < 3; k++) {
        speed = v3_add_scaled(speed, -bond->weights[k], other->tissue->velocity[bond->corners[k]]);
    }
    cg_vec3 way = v3_scale(set->tissue->time_step, speed);
    double end = opening_of(v3_add(v3_add_scaled(s->across, s->along, s->normal), way), s->normal);
    return end > bond->worst ? end : bond->worst;
}

// Forces along the normal of the triangle, as much on one side as on the other, against the torque of a force that acts
// on the node and, turned about, on its place on the triangle.
static void fill_turn(const stretched *s, cg_vec3 force, cg_tissue_row *turn)
{
    cg_vec3 area = triangle_normal(s->corners);
    double twice = v3_length(area);
    turn->normal = turn->force = v3_unit_or(area, v3(0, 0, 1));
    cg_vec3 lever = v3_cross(v3_cross(s->apart, force), turn->normal);
    for (int k = 0; k < 3 && twice > 0; k++) {
        cg_vec3 edge = v3_sub(s->corners[(k + 2) % 3], s->corners[(k + 1) % 3]);
        turn->weights[k] = v3_dot(v3_cross(turn->normal, edge), lever) / twice;
    }
}

static void fill_rows(cg_bond_set *set, int index)
{
    cg_bond *bond = &set->bonds[index];
    cg_bond_set *other = cg_bond_set_at(set->sets, set->set_count, bond->other);
    follow_normal(set, bond);
    stretched s = stretch(set, bond);
    double left = cohesion_left(bond->law, foreseen(set, other, bond, &s));
    cg_tissue_row *row = &set->rows[2 * index], *turn = row + 1;
    bool is_own = other == set;
    *row = (cg_tissue_row){.count = 4,
                           .own_count = is_own ? 4 : 1,
                           .nodes = {bond->node, bond->corners[0], bond->corners[1], bond->corners[2]},
                           .weights = {1, -bond->weights[0], -bond->weights[1], -bond->weights[2]},
                           .other = is_own ? NULL : &other->tissue->springs,
                           .normal = s.normal,
                           .along = s.along < 0 ? bond->law.stiffness : left,
                           .across = left};
    row->force = v3_add_scaled(v3_scale(-left, s.across), -row->along * s.along, s.normal);
    *turn = (cg_tissue_row){.count = 3,
                            .own_count = is_own ? 3 : 0,
                            .nodes = {bond->corners[0], bond->corners[1], bond->corners[2]},
                            .other = row->other};
    fill_turn(&s, row->force, turn);
    set->apart[index] = s.apart;
}

static void make_rows(void *context)
{
    cg_bond_set *set = context;
    for (int i = 0; i < set->count; i++) {
        fill_rows(set, i);
    }
    set->pusher.list = (cg_row_list){.rows = set->rows, .count = 2 * set->count};
}

// True when a tissue that the bonds of the set reach is awake.
static bool is_awake(const cg_bond_set *set)
{
    bool awake = !set->tissue->asleep;
    for (int i = 0; i < set->count && !awake; i++) {
        awake = !cg_bond_set_at(set->sets, set->set_count, set->bonds[i].other)->tissue->asleep;
    }
    return awake;
}

static void activate(cg_bond_set *set)
{
    set->is_active = true;
    set->pusher = (cg_tissue_pusher){.push = make_rows, .context = set};
    cg_tissue_add_pusher(set->tissue, &set->pusher);
    for (int i = 0; i < set->count; i++) {
        if (set->bonds[i].other != set->place) {
            cg_tissue_join(set->tissue, cg_bond_set_at(set->sets, set->set_count, set->bonds[i].other)->tissue);
        }
    }
}

void cg_bond_check(cg_bond_set *const *sets, int count)
{
    for (int i = 0; i < count; i++) {
        sets[i]->sets = sets;
        sets[i]->set_count = count;
        sets[i]->is_active = false;
    }
    for (int i = 0; i < count; i++) {
        drop_unsound(sets[i]);
    }
}

void cg_bond_begin(cg_bond_set *const *sets, int count)
{
    cg_bond_check(sets, count);
    // One that wakes may wake those that were looked at before it.
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < count; i++) {
            if (!sets[i]->is_active && sets[i]->count > 0 && is_awake(sets[i])) {
                activate(sets[i]);
                changed = true;
            }
        }
    }
}

int cg_bond_note(cg_bond_set *set)
{
    int kept = 0, count = set->count;
    for (int i = 0; i < count && set->is_active; i++) {
        cg_bond *bond = &set->bonds[i];
        const cg_tissue_row *row = &set->rows[2 * i];
        stretched s = stretch(set, bond); // with the normal of the step
        cg_vec3 move = v3_sub(s.apart, set->apart[i]);
        bond->force = v3_add_scaled(row->force, -row->across, move);
        bond->force = v3_add_scaled(bond->force, -(row->along - row->across) * v3_dot(row->normal, move), row->normal);
        bond->worst = s.opening > bond->worst ? s.opening : bond->worst;
        if (cohesion_holds(bond->law, bond->worst) && v3_is_finite(bond->force)) {
            set->bonds[kept++] = *bond;
        } else {
            set->is_ready[bond->node] = false;
        }
    }
    set->count = set->is_active ? kept : count;
    return count - set->count;
}
