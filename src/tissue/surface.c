// The surface of a tissue as others touch it. See surface.h.
#include "tissue/surface.h"

#include <limits.h>

#include "base/status.h"

// The thickness of a surface: a share of its shortest link, up to a length [m]. Thinner: fast probes stop short more
// often, because a linear step leaves a part of the thickness. Thicker: one can see the gap.
static const double THICKNESS_SHARE = 0.2;
static const double MOST_THICKNESS = 0.2e-3;
// [s] In which shares of it grow to the whole.
static const double GROWING_TIME = 0.1;

// Memory and state

static cg_tissue_surface *lay_out(cg_arena *arena, const cg_mesh_limits *limits)
{
    cg_tissue_surface measured = {0}, *surface = cg_arena_push_array(arena, cg_tissue_surface, 1);
    cg_tissue_surface *s = surface != NULL ? surface : &measured;
    cg_sphere_tree_layout(&s->tree, limits->nodes, limits->triangles > 0 ? limits->triangles : 1, arena);
    cg_sphere_tree_layout_normals(&s->tree, arena);
    s->drift = cg_arena_push_array(arena, double, limits->nodes / CG_TISSUE_BLOCK + 1);
    s->growth = cg_arena_push_array(arena, double, limits->nodes);
    return surface;
}

static void give_whole_thickness(cg_tissue_surface *surface)
{
    for (int i = 0; i < surface->tissue->mesh->limits.nodes; i++) {
        surface->growth[i] = 1;
    }
}

cg_status cg_tissue_surface_create(const cg_tissue *tissue, double friction, const cg_allocator *allocator,
                                   cg_tissue_surface **surface)
{
    *surface = NULL;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, &tissue->mesh->limits);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(allocator, bytes);
    if (memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the surface of a tissue");
    }
    cg_arena_init(&arena, memory, bytes);
    cg_tissue_surface *made = lay_out(&arena, &tissue->mesh->limits);
    made->allocator = *allocator;
    made->memory = memory;
    made->tissue = tissue;
    made->friction = friction;
    double share = THICKNESS_SHARE * tissue->springs.shortest;
    made->thickness = share < MOST_THICKNESS ? share : MOST_THICKNESS;
    made->followed = tissue->mesh->edit_count;
    give_whole_thickness(made);
    *surface = made;
    return cg_ok();
}

void cg_tissue_surface_destroy(cg_tissue_surface *surface)
{
    if (surface != NULL) {
        cg_allocator allocator = surface->allocator;
        cg_memory_give(&allocator, surface->memory);
    }
}

void cg_tissue_surface_visit_state(cg_archive *archive, cg_tissue_surface *surface)
{
    const cg_mesh *mesh = surface->tissue->mesh;
    int nodes = cg_archive_length(archive, mesh->node_count, mesh->limits.nodes);
    cg_archive_doubles(archive, surface->growth, (size_t)nodes);
    cg_archive_u64(archive, &surface->followed);
    cg_archive_bool(archive, &surface->is_known);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        // The mesh may have gone back to one that had the same number.
        surface->has_tree = surface->is_grown = false;
    }
}

// Thickness

static void follow_node(cg_tissue_surface *surface, const cg_mesh_edit *edit)
{
    int room = surface->tissue->mesh->limits.nodes;
    bool is_known = edit->item >= 0 && edit->item < room && edit->from[0] >= 0 && edit->from[0] < room;
    if (is_known && edit->kind == CG_EDIT_NODE_MOVED) {
        surface->growth[edit->item] = surface->growth[edit->from[0]];
    } else if (is_known && edit->kind == CG_EDIT_NODE_ADDED) {
        surface->growth[edit->item] = 1;
    }
}

void cg_tissue_surface_follow_edits(cg_tissue_surface *surface)
{
    const cg_mesh *mesh = surface->tissue->mesh;
    uint64_t kept = (uint64_t)mesh->limits.edits;
    if (surface->followed > mesh->edit_count || mesh->edit_count - surface->followed > kept) {
        give_whole_thickness(surface);
        surface->is_known = false;
    } else {
        for (uint64_t k = surface->followed; k < mesh->edit_count; k++) {
            follow_node(surface, &mesh->edits[k % kept]);
        }
    }
    surface->is_grown = surface->is_grown && surface->followed == mesh->edit_count;
    surface->followed = mesh->edit_count;
}

void cg_tissue_surface_shrink(cg_tissue_surface *surface, int node, double share)
{
    surface->growth[node] = share < surface->growth[node] ? share : surface->growth[node];
    surface->is_grown = false;
}

void cg_tissue_surface_grow(cg_tissue_surface *surface, double time)
{
    double more = time / GROWING_TIME;
    bool is_grown = true;
    for (int i = 0; i < surface->tissue->mesh->node_count && !surface->is_grown; i++) {
        double grown = surface->growth[i] + more;
        surface->growth[i] = grown < 1 ? grown : 1;
        is_grown = is_grown && grown >= 1;
    }
    surface->is_grown = is_grown;
}

double cg_tissue_surface_thickness(const cg_tissue_surface *surface, int triangle, const double weights[3])
{
    const int *nodes = surface->tissue->mesh->triangles[triangle].nodes;
    double share = 0;
    for (int k = 0; k < 3; k++) {
        share += weights[k] * surface->growth[nodes[k]];
    }
    return share * surface->thickness;
}

// The tree

// Looks at the blocks of nodes that may have gone farther than the slack. After edits all are looked at.
static void mark_blocks(cg_tissue_surface *surface, bool is_new)
{
    const cg_tissue *tissue = surface->tissue;
    int count = tissue->mesh->node_count;
    for (int first = 0, k = 0; first < count; first += CG_TISSUE_BLOCK, k++) {
        if (is_new || tissue->most_stretch > 0 || tissue->travel[k] >= surface->drift[k]) {
            int end = first + CG_TISSUE_BLOCK < count ? first + CG_TISSUE_BLOCK : count;
            double away = cg_sphere_tree_mark_moved_of(&surface->tree, tissue->mesh->position, first, end);
            surface->drift[k] = tissue->travel[k] + (surface->tree.slack - away);
        }
    }
}

// Every node that has moved at all.
static void fit(cg_tissue_surface *surface, const cg_vec3 *positions)
{
    double slack = surface->tree.slack;
    surface->tree.slack = 0;
    cg_sphere_tree_mark_moved(&surface->tree, positions);
    surface->tree.slack = slack;
    cg_sphere_tree_update(&surface->tree, positions);
}

void cg_tissue_surface_mark_tree(cg_tissue_surface *surface, const cg_vec3 *positions)
{
    fit(surface, positions);
    for (int k = 0; k * CG_TISSUE_BLOCK < surface->tissue->mesh->node_count; k++) {
        surface->drift[k] = 0;
    }
}

// Brings the triangles of the tree up to date. True when they were.
static bool follow_mesh(cg_tissue_surface *surface)
{
    const cg_mesh *mesh = surface->tissue->mesh;
    surface->tree.slack = 0.5 * surface->thickness;
    bool is_known = surface->has_tree && cg_sphere_tree_has_seen(&surface->tree, mesh);
    if (!is_known) {
        surface->has_tree =
            mesh->triangle_count > 0 && (surface->has_tree ? cg_sphere_tree_follow(&surface->tree, mesh)
                                                           : cg_sphere_tree_build_mesh(&surface->tree, mesh));
    }
    return is_known;
}

bool cg_tissue_surface_follow_tree(cg_tissue_surface *surface)
{
    bool is_known = follow_mesh(surface);
    if (surface->has_tree) {
        mark_blocks(surface, !is_known);
        cg_sphere_tree_update(&surface->tree, surface->tissue->mesh->position);
    }
    return surface->has_tree;
}

bool cg_tissue_surface_fit_tree(cg_tissue_surface *surface)
{
    const cg_tissue *tissue = surface->tissue;
    follow_mesh(surface);
    if (surface->has_tree) {
        fit(surface, tissue->mesh->position);
        // Cuts put new triangles where there is room: a tree that has followed a hundred of them takes five times as
        // long to ask.
        cg_sphere_tree_tidy(&surface->tree, INT_MAX);
        for (int k = 0; k * CG_TISSUE_BLOCK < tissue->mesh->node_count; k++) {
            surface->drift[k] = tissue->travel[k] + surface->tree.slack;
        }
    }
    return surface->has_tree;
}
