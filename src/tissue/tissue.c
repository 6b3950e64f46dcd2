// A tissue: making and unmaking, and its state as one list.
#include "tissue/tissue.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/vec3.h"
#include "tissue/make.h"
#include "tissue/neumann.h"

// Quasi-static: a level in which no node moves further than this share of the shortest link ends a sweep.
static const double CUTOUT_SHARE = 1e-3;

// A number of a definition and where it must lie.
typedef struct def_range {
    const char *name;
    double value, least, most;
} def_range;

static cg_status check_cloth(const cg_tissue_def *def)
{
    bool is_cloth = def->solver == CG_TISSUE_NEUMANN;
    if (is_cloth && (def->shape != CG_TISSUE_GRID || def->model != CG_TISSUE_SHEET)) {
        return cg_error(CG_BAD_INPUT, "the Neumann solver moves grids that are sheets, no other tissue");
    }
    if (!is_cloth && (def->ball_radius > 0 || def->has_floor)) {
        return cg_error(CG_BAD_INPUT, "ball and floor of a tissue are for grids with the Neumann solver");
    }
    return v3_is_finite(def->ball) ? cg_ok() : cg_error(CG_BAD_INPUT, "the ball of a tissue is not at a finite place");
}

cg_status cg_tissue_def_check(const cg_tissue_def *def)
{
    const def_range ranges[] = {
        {"friction", def->friction, 0, 100},
        {"damping", def->damping, 0, 1e3},
        {"drag", def->drag, 0, 1e6},
        {"home", def->home, 0, 1e3},
        {"most_stretch", def->most_stretch, 0, 1e3},
        {"pressure", def->pressure, 0, 1e12},
        {"bond_strength", def->bond_strength, 0, 1e12},
        {"pierce_force", def->pierce_force, 0, 1e6},
        {"pierce_cut", def->pierce_cut, 0, 1e6},
        {"pierce_drag", def->pierce_drag, 0, 1e9},
        {"thread_grip", def->thread_grip, 0, 1e6},
        {"tear_force", def->tear_force, 0, 1e6},
        {"ball_radius", def->ball_radius, 0, 1e3},
        {"floor", def->floor, -1e6, 1e6},
    };
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        if (!(ranges[k].value >= ranges[k].least && ranges[k].value <= ranges[k].most)) {
            return cg_error(CG_BAD_INPUT, "%s of a tissue is %g; it must be %g to %g", ranges[k].name, ranges[k].value,
                            ranges[k].least, ranges[k].most);
        }
    }
    if (def->most_stretch > 0 && def->most_stretch < 1) {
        return cg_error(CG_BAD_INPUT, "most_stretch of a tissue is %g; it must be 0 (none), or 1 or more",
                        def->most_stretch);
    }
    if (def->iterations < 1 || def->iterations > 1000) {
        return cg_error(CG_BAD_INPUT, "iterations of a tissue are %d; they must be 1 to 1000", def->iterations);
    }
    if ((unsigned)def->model > CG_TISSUE_SHEET || (unsigned)def->solver > CG_TISSUE_NEUMANN) {
        return cg_error(CG_BAD_INPUT, "model or solver of a tissue is none of the list");
    }
    return check_cloth(def);
}

static cg_springs_need need_of(cg_tissue_solver solver)
{
    return solver == CG_TISSUE_QUASI_STATIC
               ? CG_SPRINGS_NEED_ORDER
               : (solver == CG_TISSUE_RUNGE_KUTTA ? CG_SPRINGS_NEED_SAVED : CG_SPRINGS_NEED_MATRIX);
}

static cg_tissue *lay_out(cg_arena *arena, const cg_mesh_limits *limits, const cg_tissue_def *def)
{
    cg_tissue measured = {0}, *tissue = cg_arena_push_array(arena, cg_tissue, 1);
    cg_tissue *t = tissue != NULL ? tissue : &measured;
    t->velocity = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    t->travel = cg_arena_push_array(arena, double, limits->nodes / CG_TISSUE_BLOCK + 1);
    t->push = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    t->target = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    t->reaction = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    t->heat = cg_arena_push_array(arena, double, limits->nodes);
    t->pierced = cg_arena_push_array(arena, bool, limits->nodes);
    t->held = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    t->added = cg_arena_push_array(arena, cg_vec3, limits->nodes);
    t->piece = cg_arena_push_array(arena, int, limits->nodes);
    t->hole_room = def->model == CG_TISSUE_SKIN ? CG_SKIN_MOST_HOLES : 0;
    t->holes = cg_arena_push_array(arena, cg_skin_hole, t->hole_room);
    cg_springs_lay_out(&t->springs, arena, limits, need_of(def->solver));
    if (def->solver == CG_TISSUE_NEUMANN) {
        cg_neumann none, *neumann = cg_arena_push_array(arena, cg_neumann, 1);
        cg_neumann_lay_out(neumann != NULL ? neumann : &none, def, arena);
        t->neumann = neumann;
    }
    return tissue;
}

static void take_definition(cg_tissue *tissue, const cg_tissue_def *def)
{
    tissue->model = def->model;
    tissue->solver = def->solver;
    tissue->damping = def->damping;
    tissue->drag = def->drag;
    // What the other models would not have.
    tissue->home = def->model == CG_TISSUE_SKIN ? def->home : 0;
    tissue->most_stretch = def->model == CG_TISSUE_LATTICE ? 0 : def->most_stretch;
    tissue->pressure = def->pressure;
    tissue->iterations = def->iterations;
    tissue->thickness = def->layers[0].thickness;
    tissue->tear_force = def->tear_force;
    for (int layer = 0; layer < def->layer_count && layer < CG_TISSUE_MOST_LAYERS; layer++) {
        tissue->toughness[layer] = def->layers[layer].material.toughness;
        tissue->strength[layer] = def->layers[layer].material.strength;
        tissue->tear_resistance[layer] = def->layers[layer].material.tear_resistance;
    }
}

// Lengths and stiffness of the edges that it is made with.
static void measure_edges(cg_tissue *tissue, const cg_mesh *mesh)
{
    double sum = 0, firm = 0;
    int count = 0;
    for (int k = 0; k < mesh->link_count; k++) {
        const cg_mesh_link *link = &mesh->links[k];
        if (link->kind == CG_LINK_STRETCH) {
            double length = v3_distance(mesh->home[link->ends[0]], mesh->home[link->ends[1]]);
            tissue->longest = length > tissue->longest ? length : tissue->longest;
            sum += length;
            firm += link->stiffness;
            count++;
        }
    }
    tissue->grain = count > 0 ? sum / count : 0;
    tissue->firmness = count > 0 ? firm / count : 0;
}

cg_status cg_tissue_adopt(cg_mesh *mesh, const cg_tissue_def *def, const cg_allocator *allocator, cg_tissue **tissue)
{
    *tissue = NULL;
    cg_status status = cg_tissue_def_check(def);
    if (status.code != CG_OK) {
        cg_mesh_destroy(mesh);
        return status;
    }
    if (def->solver == CG_TISSUE_NEUMANN) {
        cg_cloth_law law = cg_neumann_longest_law(def);
        status = mesh->node_count == law.columns * law.rows ? cg_neumann_check_law(&law, allocator)
                                                            : cg_error(CG_BAD_INPUT, "the mesh of a cloth is its grid");
        if (status.code != CG_OK) {
            cg_mesh_destroy(mesh);
            return status;
        }
    }
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, &mesh->limits, def);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        status = cg_error(CG_OUT_OF_MEMORY, "no memory for a tissue of %d nodes", mesh->limits.nodes);
        cg_mesh_destroy(mesh);
        return status;
    }
    cg_arena_init(&arena, memory, bytes);
    cg_tissue *made = lay_out(&arena, &mesh->limits, def);
    made->allocator = *allocator;
    made->memory = memory;
    made->mesh = mesh;
    take_definition(made, def);
    if (made->neumann != NULL) {
        made->neumann->law = cg_neumann_longest_law(def);
    }
    for (int i = 0; i < mesh->node_count; i++) {
        made->target[i] = mesh->position[i];
    }
    made->followed = mesh->edit_count;
    made->stats.share = 1;
    cg_springs_compile(&made->springs, mesh, made->home);
    made->is_compiled = true;
    made->compiled_version = mesh->topology_version;
    measure_edges(made, mesh);
    made->cutout = CUTOUT_SHARE * made->springs.shortest;
    *tissue = made;
    return cg_ok();
}

cg_status cg_tissue_create(const cg_tissue_def *def, const cg_allocator *allocator, cg_tissue **tissue)
{
    *tissue = NULL;
    cg_mesh *mesh;
    cg_status status = cg_tissue_def_check(def);
    if (status.code == CG_OK) {
        status = cg_make_mesh(def, allocator, &mesh);
    }
    return status.code == CG_OK ? cg_tissue_adopt(mesh, def, allocator, tissue) : status;
}

void cg_tissue_destroy(cg_tissue *tissue)
{
    if (tissue != NULL) {
        cg_allocator allocator = tissue->allocator;
        cg_mesh_destroy(tissue->mesh);
        cg_memory_give(&allocator, tissue->memory);
    }
}

static void visit_stats(cg_archive *archive, cg_tissue_stats *stats)
{
    cg_archive_int(archive, &stats->iterations, 0, 1000000);
    cg_archive_double(archive, &stats->residual);
    cg_archive_double(archive, &stats->share);
    cg_archive_int(archive, &stats->visited_nodes, 0, INT_MAX);
    cg_archive_int(archive, &stats->squeezed_cells, 0, INT_MAX);
    cg_archive_int(archive, &stats->mended_cells, 0, INT_MAX);
    cg_archive_int(archive, &stats->limited_links, 0, INT_MAX);
    cg_archive_u64(archive, &stats->shortened_steps);
    cg_archive_u64(archive, &stats->recovered_steps);
}

// What a definition said and never changes is compared by the counts of the mesh's limits; the rest is state.
void cg_tissue_visit_state(cg_archive *archive, cg_tissue *tissue)
{
    cg_archive_count(archive, (size_t)tissue->model, "model of a tissue");
    cg_archive_count(archive, (size_t)tissue->solver, "solver of a tissue");
    cg_mesh_visit_state(tissue->mesh, archive);
    // A load has set the count of the mesh already; a check has not, and finds the same bytes by the saved one.
    int room = tissue->mesh->limits.nodes, count = cg_archive_length(archive, tissue->mesh->node_count, room);
    bool is_heated = cg_archive_choice(archive, tissue->is_heated, 0, 1) == 1;
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        memset(tissue->heat, 0, (size_t)room * sizeof *tissue->heat);
        tissue->is_heated = is_heated;
    }
    if (is_heated) {
        cg_archive_doubles(archive, tissue->heat, (size_t)count);
    }
    cg_archive_vec3s(archive, tissue->velocity, (size_t)count);
    cg_archive_vec3s(archive, tissue->push, (size_t)count);
    cg_archive_vec3s(archive, tissue->target, (size_t)count);
    cg_archive_vec3s(archive, tissue->reaction, (size_t)count);
    for (int i = 0; i < count; i++) {
        cg_archive_bool(archive, &tissue->pierced[i]);
    }
    cg_tissue_visit_holes(archive, tissue);
    cg_archive_vec3s(archive, tissue->held, (size_t)count);
    cg_archive_bool(archive, &tissue->has_held);
    cg_archive_u64(archive, &tissue->followed);
    cg_archive_bool(archive, &tissue->is_pushed);
    cg_archive_bool(archive, &tissue->asleep);
    cg_archive_double(archive, &tissue->slept_step);
    cg_archive_vec3(archive, &tissue->slept_gravity);
    visit_stats(archive, &tissue->stats);
}

void cg_tissue_after_load(cg_tissue *tissue)
{
    tissue->is_compiled = false;
    tissue->pieces_version = 0;
    tissue->fastest = -1;
    tissue->grips = NULL;
}

static bool is_sound_node(const cg_tissue *tissue, int node)
{
    cg_vec3 x = tissue->mesh->position[node], v = tissue->velocity[node];
    return v3_dot(x, x) < HUGE_VAL && v3_dot(v, v) < HUGE_VAL && v3_is_finite(tissue->target[node]) &&
           v3_is_finite(tissue->reaction[node]) && v3_is_finite(tissue->push[node]) &&
           (tissue->fastest < 0 || v3_length(v) <= tissue->fastest);
}

static cg_status check_nodes(const cg_tissue *tissue)
{
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        if (!is_sound_node(tissue, i)) {
            return cg_error(CG_BAD_INPUT, "node %d of a tissue: its place or velocity cannot be", i);
        }
    }
    return cg_ok();
}

cg_status cg_tissue_check(const cg_tissue *tissue)
{
    cg_status status = cg_mesh_validate(tissue->mesh);
    status = status.code == CG_OK ? check_nodes(tissue) : status;
    if (status.code == CG_OK && !cg_tissue_holes_are_sound(tissue)) {
        status = cg_error(CG_BAD_INPUT, "a skin has a hole that cannot be");
    }
    if (status.code == CG_OK && tissue->followed > tissue->mesh->edit_count) {
        status = cg_error(CG_BAD_INPUT, "a tissue has followed edits that were never made");
    }
    return status;
}

void cg_tissue_validate(const cg_tissue *tissue)
{
    assert(check_nodes(tissue).code == CG_OK);
    (void)tissue;
}
