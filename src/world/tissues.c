// The public calls on tissues: handles and arguments are checked here, the work is done in src/tissue.
#include <math.h>

#include "base/status.h"
#include "base/vec3.h"
#include "geometry/triangle.h"
#include "world/world.h"

// This one, or the first behind it that the world moves.
static cg_tissue_slot *own_tissue_from(const cg_world *world, cg_tissue_slot *slot)
{
    while (slot != NULL && slot->is_led) {
        slot = cg_pool_next(&world->tissues, slot);
    }
    return slot;
}

cg_tissue_slot *cg_world_first_tissue(const cg_world *world)
{
    return own_tissue_from(world, cg_pool_first(&world->tissues));
}

cg_tissue_slot *cg_world_next_tissue(const cg_world *world, const cg_tissue_slot *slot)
{
    return own_tissue_from(world, cg_pool_next(&world->tissues, slot));
}

static cg_tissue_slot *find_slot(const cg_world *world, cg_tissue_id id)
{
    return cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
}

cg_tissue *cg_world_find_tissue(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = find_slot(world, id);
    return slot != NULL ? slot->tissue : NULL;
}

static const cg_mesh *find_mesh(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    return tissue != NULL ? tissue->mesh : NULL;
}

static cg_status bad_handle(cg_tissue_id id)
{
    return cg_error(CG_BAD_HANDLE, "tissue id (%u, %u) names no tissue of this world", id.index, id.generation);
}

static cg_status bad_index(const char *what, int index, int count)
{
    return cg_error(CG_BAD_INPUT, "%s is %d; expected 0 to %d", what, index, count - 1);
}

static bool is_usable(cg_vec3 v)
{
    return v3_is_finite(v) && v3_dot(v, v) <= 1e24;
}

static cg_status bad_vector(const char *what, cg_vec3 v)
{
    return cg_error(CG_BAD_INPUT, "%s is (%g, %g, %g); expected finite numbers below 1e12", what, v.x, v.y, v.z);
}

// Making and unmaking

cg_status cg_world_place_tissue(cg_world *world, cg_tissue *tissue, const cg_tissue_def *def, cg_tissue_id *id)
{
    cg_tissue_surface *surface = NULL;
    cg_press_set *press = NULL;
    cg_meet_body *meet = NULL;
    cg_skin *skin = NULL;
    cg_bond_set *bonds = NULL;
    cg_status status = cg_ok();
    if (world->def.max_contacts > 0) {
        const cg_allocator *allocator = &world->def.allocator;
        status = cg_tissue_surface_create(tissue, def->friction, allocator, &surface);
        status = status.code == CG_OK ? cg_press_create(tissue, surface, allocator, &press) : status;
        status = status.code == CG_OK ? cg_meet_body_create(tissue, surface, allocator, &meet) : status;
        status = status.code == CG_OK ? cg_skin_create(tissue, surface, allocator, &skin) : status;
        status = status.code == CG_OK ? cg_world_make_bonds(world, tissue, surface, def, &bonds) : status;
    }
    cg_handle handle;
    cg_tissue_slot *slot = status.code == CG_OK ? cg_pool_take(&world->tissues, &handle) : NULL;
    if (status.code == CG_OK && slot == NULL) {
        status = cg_error(CG_FULL, "the world already has its %d tissues", world->def.max_tissues);
    }
    if (slot != NULL) {
        *slot = (cg_tissue_slot){.tissue = tissue, .surface = surface, .press = press, .meet = meet, .skin = skin};
        status = cg_world_fit_meets(world);
    }
    if (status.code != CG_OK) {
        if (slot != NULL) {
            cg_pool_give(&world->tissues, handle);
        }
        cg_bond_destroy(bonds);
        cg_skin_destroy(skin);
        cg_meet_body_destroy(meet);
        cg_press_destroy(press);
        cg_tissue_surface_destroy(surface);
        cg_tissue_destroy(tissue);
        return status;
    }
    slot->def = *def;
    slot->def.nodes = NULL;
    if (skin != NULL) {
        skin->law = (cg_pierce_law){def->pierce_force, def->pierce_cut, def->pierce_drag, def->thread_grip};
    }
    slot->def.triangles = NULL;
    slot->def.sides = NULL;
    slot->def.volume = NULL;
    slot->world = world;
    tissue->watcher = cg_world_watch_edits;
    tissue->watcher_context = slot;
    slot->bonds = bonds;
    cg_world_list_bonds(world);
    cg_world_forget_skins(world);
    *id = (cg_tissue_id){handle.index, handle.generation};
    return cg_world_ready_swaged(world);
}

cg_status cg_world_check_explicit(const cg_tissue *tissue, double time_step)
{
    if (tissue->solver != CG_TISSUE_RUNGE_KUTTA) {
        return cg_ok();
    }
    double parts = cg_tissue_explicit_parts(tissue, time_step);
    if (!(parts <= CG_TISSUE_MOST_PARTS)) {
        return cg_error(CG_BAD_INPUT,
                        "the Runge-Kutta solver would need %.3g parts in a step of %g s; expected at most %d "
                        "(a shorter step, softer tissue, or the implicit solver)",
                        parts, time_step, CG_TISSUE_MOST_PARTS);
    }
    return cg_ok();
}

cg_status cg_world_add_tissue(cg_world *world, const cg_tissue_def *def, cg_tissue_id *id)
{
    *id = (cg_tissue_id){0, 0};
    cg_tissue *tissue;
    cg_status status = cg_tissue_create(def, &world->def.allocator, &tissue);
    if (status.code == CG_OK) {
        status = cg_world_check_explicit(tissue, world->def.time_step);
        if (status.code != CG_OK) {
            cg_tissue_destroy(tissue);
        }
    }
    return status.code == CG_OK ? cg_world_place_tissue(world, tissue, def, id) : status;
}

cg_status cg_world_remove_tissue(cg_world *world, cg_tissue_id id)
{
    cg_tissue_slot *slot = find_slot(world, id);
    if (slot == NULL) {
        return bad_handle(id);
    }
    cg_status own = cg_world_check_tissue_is_own(world, id);
    if (own.code != CG_OK) {
        return own;
    }
    cg_handle handle = {id.index, id.generation};
    const cg_tissue_slot gone = *slot;
    cg_world_let_go_of_tissue(world, handle);
    cg_world_drop_bonds(world, slot);
    cg_world_drop_anchors(world, slot);
    cg_world_drop_channels(world, slot);
    cg_pool_give(&world->tissues, handle);
    cg_world_drop_loose_planes(world);
    cg_world_drop_loose_adhesions(world);
    if (gone.meet != NULL) {
        cg_meet_remove(world->meets, gone.meet);
    }
    cg_world_forget_skins(world);
    cg_skin_destroy(gone.skin);
    cg_meet_body_destroy(gone.meet);
    cg_press_destroy(gone.press);
    cg_tissue_surface_destroy(gone.surface);
    cg_tissue_destroy(gone.tissue);
    cg_world_list_bonds(world);
    return cg_ok();
}

bool cg_tissue_is_valid(const cg_world *world, cg_tissue_id id)
{
    return find_slot(world, id) != NULL;
}

// Looking

static const cg_vec3 *counted(const cg_vec3 *array, const cg_mesh *mesh, int *count)
{
    if (count != NULL) {
        *count = mesh != NULL ? mesh->node_count : 0;
    }
    return array;
}

const cg_vec3 *cg_tissue_positions(const cg_world *world, cg_tissue_id id, int *count)
{
    const cg_mesh *mesh = find_mesh(world, id);
    return counted(mesh != NULL ? mesh->position : NULL, mesh, count);
}

const cg_vec3 *cg_tissue_velocities(const cg_world *world, cg_tissue_id id, int *count)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    return counted(tissue != NULL ? tissue->velocity : NULL, tissue != NULL ? tissue->mesh : NULL, count);
}

const cg_vec3 *cg_tissue_homes(const cg_world *world, cg_tissue_id id, int *count)
{
    const cg_mesh *mesh = find_mesh(world, id);
    return counted(mesh != NULL ? mesh->home : NULL, mesh, count);
}

bool cg_tissue_get_def(const cg_world *world, cg_tissue_id id, cg_tissue_def *def)
{
    const cg_tissue_slot *slot = find_slot(world, id);
    if (slot == NULL) {
        return false;
    }
    *def = slot->def;
    return true;
}

int cg_tissue_triangle_count(const cg_world *world, cg_tissue_id id)
{
    const cg_mesh *mesh = find_mesh(world, id);
    return mesh != NULL ? mesh->triangle_count : 0;
}

bool cg_tissue_get_triangle(const cg_world *world, cg_tissue_id id, int index, int nodes[3], int *side)
{
    const cg_mesh *mesh = find_mesh(world, id);
    if (mesh == NULL || index < 0 || index >= mesh->triangle_count) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        nodes[k] = mesh->triangles[index].nodes[k];
    }
    if (side != NULL) {
        *side = (int)mesh->triangles[index].side;
    }
    return true;
}

const char *cg_tissue_side_name(int side)
{
    return cg_mesh_side_name(side);
}

uint64_t cg_tissue_topology_version(const cg_world *world, cg_tissue_id id)
{
    const cg_mesh *mesh = find_mesh(world, id);
    return mesh != NULL ? mesh->topology_version : 0;
}

int cg_tissue_max_nodes(const cg_world *world, cg_tissue_id id)
{
    const cg_mesh *mesh = find_mesh(world, id);
    return mesh != NULL ? mesh->limits.nodes : 0;
}

double cg_tissue_nearest(const cg_world *world, cg_tissue_id id, cg_vec3 place, int *triangle, double weights[3])
{
    const cg_mesh *mesh = find_mesh(world, id);
    double nearest = -1;
    for (int t = 0; mesh != NULL && v3_is_finite(place) && t < mesh->triangle_count; t++) {
        const int *corner = mesh->triangles[t].nodes;
        const cg_vec3 *x = mesh->position;
        const cg_vec3 corners[3] = {x[corner[0]], x[corner[1]], x[corner[2]]};
        cg_triangle_closest closest = cg_closest_point_triangle(place, corners);
        double away = sqrt(closest.squared_distance);
        if (nearest < 0 || away < nearest) {
            nearest = away;
            *triangle = t;
            for (int k = 0; k < 3; k++) {
                weights[k] = closest.weights[k];
            }
        }
    }
    return nearest;
}

cg_tissue_summary cg_tissue_get_summary(const cg_world *world, cg_tissue_id id)
{
    cg_tissue *tissue = cg_world_find_tissue(world, id); // measuring uses its working arrays
    if (tissue == NULL) {
        return (cg_tissue_summary){0};
    }
    const cg_mesh *mesh = tissue->mesh;
    cg_tissue_summary summary = {.node_count = mesh->node_count,
                                 .link_count = mesh->link_count,
                                 .cell_count = mesh->cell_count,
                                 .triangle_count = mesh->triangle_count,
                                 .mass = cg_mesh_total_mass(mesh),
                                 .elastic_energy = cg_tissue_elastic_energy(tissue),
                                 .kinetic_energy = cg_tissue_kinetic_energy(tissue),
                                 .removed_mass = mesh->removed_mass};
    cg_tissue_smallest_cell(tissue, &summary.inverted_cells);
    for (int i = 0; i < mesh->node_count; i++) {
        double away = v3_distance(mesh->home[i], mesh->position[i]);
        summary.farthest = away > summary.farthest ? away : summary.farthest;
        summary.reaction = mesh->fixed[i] ? v3_add(summary.reaction, tissue->reaction[i]) : summary.reaction;
    }
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    summary.torn_length = slot->torn_length;
    summary.torn_area = slot->torn_area;
    return summary;
}

// Holding and pushing

static bool has_node(const cg_mesh *mesh, int node)
{
    return node >= 0 && node < mesh->node_count;
}

bool cg_tissue_is_fixed(const cg_world *world, cg_tissue_id id, int node)
{
    const cg_mesh *mesh = find_mesh(world, id);
    return mesh != NULL && has_node(mesh, node) && mesh->fixed[node];
}

cg_status cg_tissue_fix(cg_world *world, cg_tissue_id id, int node, bool fixed)
{
    cg_tissue *tissue = cg_world_find_tissue(world, id);
    if (tissue == NULL) {
        return bad_handle(id);
    }
    cg_status own = cg_world_check_tissue_is_own(world, id);
    if (own.code != CG_OK) {
        return own;
    }
    if (!has_node(tissue->mesh, node)) {
        return bad_index("node", node, tissue->mesh->node_count);
    }
    cg_tissue_fix_node(tissue, node, fixed);
    return cg_ok();
}

cg_status cg_tissue_move_fixed(cg_world *world, cg_tissue_id id, int node, cg_vec3 place)
{
    cg_tissue *tissue = cg_world_find_tissue(world, id);
    if (tissue == NULL) {
        return bad_handle(id);
    }
    cg_status own = cg_world_check_tissue_is_own(world, id);
    if (own.code != CG_OK) {
        return own;
    }
    if (!has_node(tissue->mesh, node)) {
        return bad_index("node", node, tissue->mesh->node_count);
    }
    if (!tissue->mesh->fixed[node]) {
        return cg_error(CG_BAD_INPUT, "node %d is free; expected a fixed one", node);
    }
    if (!v3_is_finite(place) || !(v3_length(place) <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "the place of a node is not within 1e6 m of the origin");
    }
    cg_tissue_aim_node(tissue, node, place);
    return cg_ok();
}

cg_vec3 cg_tissue_reaction(const cg_world *world, cg_tissue_id id, int node)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    bool held = tissue != NULL && has_node(tissue->mesh, node) && tissue->mesh->fixed[node];
    return held ? tissue->reaction[node] : v3_zero();
}

// A point of the surface from what a caller says.
static cg_status make_point(const cg_mesh *mesh, int triangle, const double weights[3], cg_mesh_point *point)
{
    if (triangle < 0 || triangle >= mesh->triangle_count) {
        return bad_index("triangle", triangle, mesh->triangle_count);
    }
    double sum = weights[0] + weights[1] + weights[2];
    bool inside = weights[0] >= -1e-9 && weights[1] >= -1e-9 && weights[2] >= -1e-9;
    if (!inside || !(sum > 1 - 1e-6 && sum < 1 + 1e-6)) {
        return cg_error(CG_BAD_INPUT, "weights are (%g, %g, %g); expected none below 0, and a sum of 1", weights[0],
                        weights[1], weights[2]);
    }
    *point = (cg_mesh_point){triangle, {weights[0], weights[1], weights[2]}};
    return cg_ok();
}

cg_status cg_tissue_push(cg_world *world, cg_tissue_id id, int triangle, const double weights[3], cg_vec3 force)
{
    cg_tissue *tissue = cg_world_find_tissue(world, id);
    cg_mesh_point point;
    if (tissue == NULL) {
        return bad_handle(id);
    }
    cg_status status = make_point(tissue->mesh, triangle, weights, &point);
    if (status.code == CG_OK && !is_usable(force)) {
        return bad_vector("force", force);
    }
    if (status.code == CG_OK) {
        cg_tissue_push_point(tissue, &point, force);
    }
    return status;
}

cg_status cg_tissue_compliance(const cg_world *world, cg_tissue_id id, int triangle, const double weights[3],
                               double matrix[3][3])
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    cg_mesh_point point;
    if (tissue == NULL) {
        return bad_handle(id);
    }
    cg_status status = make_point(tissue->mesh, triangle, weights, &point);
    if (status.code == CG_OK) {
        cg_mat3 found = cg_tissue_point_compliance(tissue, &point, world->def.time_step);
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                matrix[r][c] = found.m[r][c];
            }
        }
    }
    return status;
}

// The step

void cg_world_predict_tissues(cg_world *world, const cg_step_context *context)
{
    cg_world_note_shapes(world);
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_tissue_begin_step(s->tissue, context->time_step, context->gravity);
    }
    if (world->meets != NULL) {
        cg_meet_begin(world->meets);
        cg_meet_find(world->meets);
        world->stats.lost_contacts += (uint64_t)world->meets->lost;
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->press != NULL) {
            cg_press_find(s->press, &world->press_shapes);
            world->stats.lost_contacts += (uint64_t)s->press->found.lost;
        }
    }
    cg_world_ease_shapes(world);
    cg_world_begin_bonds(world);
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_tissue_predict(s->tissue);
    }
}

static void finish_tissue(cg_tissue_slot *slot, cg_world_stats *stats)
{
    const cg_tissue_stats *now = &slot->tissue->stats, before = *now;
    cg_tissue_finish_step(slot->tissue);
    if (slot->press != NULL) {
        cg_press_note(slot->press);
    }
    stats->tissue_iterations = now->iterations > stats->tissue_iterations ? now->iterations : stats->tissue_iterations;
    stats->tissue_residual = now->residual > stats->tissue_residual ? now->residual : stats->tissue_residual;
    stats->squeezed_cells += now->squeezed_cells;
    stats->shortened_tissue_steps += now->shortened_steps - before.shortened_steps;
    stats->recovered_tissue_steps += now->recovered_steps - before.recovered_steps;
}

void cg_world_finish_tissues(cg_world *world)
{
    cg_world_stats *stats = &world->stats;
    stats->tissue_iterations = 0;
    stats->tissue_residual = 0;
    stats->squeezed_cells = 0;
    // The first of an island decides for all of it, and need not be the first of the world.
    for (int joined = 0; joined < 2; joined++) {
        for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
            if ((s->tissue->island != NULL) == (joined == 1)) {
                finish_tissue(s, stats);
            }
        }
    }
    if (world->meets != NULL) {
        cg_meet_note(world->meets);
    }
}
