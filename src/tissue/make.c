// Meshes of tissue: the choice of the generator, the check of what it is asked for, and room.
#include "tissue/make.h"

#include <math.h>

#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

// Entries of the log that a mesh keeps: some hundred splits.
#define KEPT_EDITS 16384

// What a node that an edit adds brings along: an edge inside is split for some seven links and six cells; a cut lays
// open four triangles for each pair of nodes.
#define LINKS_A_NODE 8.0
#define CELLS_A_NODE 7.0
#define TRIANGLES_A_NODE 5.0

cg_mesh_limits cg_make_limits(double nodes, double links, double cells, double triangles, double more)
{
    return (cg_mesh_limits){.nodes = (int)(nodes + more),
                            .links = (int)(links + LINKS_A_NODE * more),
                            .cells = cells > 0 ? (int)(cells + CELLS_A_NODE * more) : 0,
                            .triangles = (int)(triangles + TRIANGLES_A_NODE * more),
                            .edits = KEPT_EDITS};
}

cg_status cg_make_room(const cg_tissue_def *def, const cg_allocator *allocator, double nodes, double links,
                       double cells, double triangles, cg_mesh **mesh)
{
    *mesh = NULL;
    if (!(nodes <= CG_MAKE_MOST_NODES)) {
        return cg_error(CG_BAD_INPUT, "spacing %g m makes %.3g nodes; at most %d are allowed", def->spacing, nodes,
                        CG_MAKE_MOST_NODES);
    }
    double more = def->max_nodes > 0 ? (double)def->max_nodes - nodes : nodes / 2;
    if (more < 0) {
        return cg_error(CG_BAD_INPUT, "max_nodes is %d, but the tissue begins with %.0f", def->max_nodes, nodes);
    }
    cg_mesh_limits limits = cg_make_limits(nodes, links, cells, triangles, more);
    return cg_mesh_create(allocator, &limits, mesh);
}

int cg_make_steps(double length, double spacing)
{
    double steps = floor(length / spacing + 0.5);
    return steps < 1 ? 1 : (steps > CG_MAKE_MOST_NODES ? CG_MAKE_MOST_NODES : (int)steps);
}

static void set_materials(cg_mesh *mesh, const cg_tissue_layer *layers)
{
    // A link of stiffness k and length L breaks at the strain at which the material does, with the force k L strength /
    // E. Those that no cell has are of the first layer.
    for (int link = 0; link < mesh->link_count; link++) {
        cg_mesh_link *item = &mesh->links[link];
        item->strength = item->own * item->rest * layers[0].material.strength / layers[0].material.young;
        item->stiffening = item->own * layers[0].material.stiffening;
    }
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        const cg_mesh_cell *item = &mesh->cells[cell];
        const cg_tissue_material *material = &layers[item->layer].material;
        for (int edge = 0; edge < 6; edge++) {
            int link = cg_mesh_find_link(mesh, item->nodes[cg_mesh_cell_edges[edge][0]],
                                         item->nodes[cg_mesh_cell_edges[edge][1]]);
            cg_mesh_link *at = &mesh->links[link];
            at->strength += item->share[edge] * at->rest * material->strength / material->young;
            at->stiffening += item->share[edge] * material->stiffening;
        }
    }
    for (int link = 0; link < mesh->link_count; link++) {
        cg_mesh_link *item = &mesh->links[link];
        item->stiffening = item->stiffness > 0 ? item->stiffening / item->stiffness : 0;
    }
    // what is partly of a material that never tears does not
    for (int cell = 0; cell < mesh->cell_count; cell++) {
        const cg_mesh_cell *item = &mesh->cells[cell];
        for (int edge = 0; edge < 6 && layers[item->layer].material.strength == 0; edge++) {
            int link = cg_mesh_find_link(mesh, item->nodes[cg_mesh_cell_edges[edge][0]],
                                         item->nodes[cg_mesh_cell_edges[edge][1]]);
            mesh->links[link].strength = 0;
        }
    }
}

cg_status cg_make_finish(const cg_tissue_def *def, bool is_whole, cg_mesh **mesh)
{
    if (!is_whole) {
        cg_mesh_destroy(*mesh);
        *mesh = NULL;
        return cg_error(CG_FULL, "the mesh of a tissue does not fit its own limits");
    }
    cg_mesh *made = *mesh;
    cg_mesh_finish(made);
    set_materials(made, def->layers);
    for (int node = 0; node < made->node_count; node++) {
        made->home[node] = made->position[node] = transform_point(def->pose, made->home[node]);
    }
    return cg_ok();
}

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high;
}

// [m] from a micrometre to ten metres.
static bool is_length(double value)
{
    return is_between(value, 1e-6, 10);
}

static cg_status check_frame(const cg_tissue_def *def)
{
    cg_vec3 at = def->pose.position;
    cg_quat q = def->pose.rotation;
    if (!(v3_dot(at, at) <= 1e12)) {
        return cg_error(CG_BAD_INPUT, "the position of a tissue is not within 1e6 m of the origin");
    }
    if (!is_between(quat_dot(q, q), 1 - 2e-6, 1 + 2e-6)) { // the square: 1e-6 of the length
        return cg_error(CG_BAD_INPUT, "the rotation of a tissue has no unit length: (%g, %g, %g, %g)", q.x, q.y, q.z,
                        q.w);
    }
    if (def->max_nodes < 0 || def->max_nodes > CG_MAKE_MOST_NODES) {
        return cg_error(CG_BAD_INPUT, "max_nodes is %d; it must be 0 to %d", def->max_nodes, CG_MAKE_MOST_NODES);
    }
    return cg_ok();
}

static cg_status check_layers(const cg_tissue_def *def)
{
    int most = def->shape == CG_TISSUE_PAD || def->shape == CG_TISSUE_VOLUME ? CG_TISSUE_MOST_LAYERS : 1;
    if (def->layer_count < 1 || def->layer_count > most) {
        return cg_error(CG_BAD_INPUT, "layer_count is %d; this shape has 1 to %d", def->layer_count, most);
    }
    for (int i = 0; i < def->layer_count; i++) {
        const cg_tissue_layer *layer = &def->layers[i];
        const cg_tissue_material *material = &layer->material;
        if (!is_length(layer->thickness)) {
            return cg_error(CG_BAD_INPUT, "layer %d: thickness must be 1e-6 to 10 m", i);
        }
        if (!is_between(material->young, 1, 1e13) || !is_between(material->density, 0.01, 1e6)) {
            return cg_error(CG_BAD_INPUT, "layer %d: young must be 1 to 1e13 Pa, density 0.01 to 1e6 kg/m3", i);
        }
        if (!is_between(material->toughness, 0, 1e9)) {
            return cg_error(CG_BAD_INPUT, "layer %d: toughness must be 0 to 1e9 J/m2", i);
        }
        if (!is_between(material->tear_resistance, 0, 1e9)) {
            return cg_error(CG_BAD_INPUT, "layer %d: tear_resistance must be 0 to 1e9 N/m", i);
        }
        if (!is_between(material->strength, 0, 1e13) || !is_between(material->stiffening, 0, 1e9)) {
            return cg_error(CG_BAD_INPUT, "layer %d: strength must be 0 to 1e13 Pa, stiffening 0 to 1e9", i);
        }
    }
    return cg_ok();
}

static cg_status check_wound(const cg_tissue_def *def)
{
    if (!is_between(def->tension, 0, 1)) {
        return cg_error(CG_BAD_INPUT, "tension is %g; it must be 0 to 1", def->tension);
    }
    if (def->wound == CG_WOUND_NONE) {
        return cg_ok();
    }
    if (!(is_length(def->wound_length) && def->wound_length < def->size.x)) {
        return cg_error(CG_BAD_INPUT, "wound_length is %g m; it must be 1e-6 m or more and below the pad's %g m",
                        def->wound_length, def->size.x);
    }
    if (!is_length(def->wound_depth)) {
        return cg_error(CG_BAD_INPUT, "wound_depth must be 1e-6 to 10 m");
    }
    if (def->wound == CG_WOUND_ELLIPSE && !(def->wound_width > 0 && def->wound_width <= 0.7 * def->size.y)) {
        return cg_error(CG_BAD_INPUT, "wound_width is %g m; it must be above 0 and at most 0.7 of the pad's %g m",
                        def->wound_width, def->size.y);
    }
    return cg_ok();
}

static cg_status check_shape(const cg_tissue_def *def)
{
    bool is_flat = def->shape == CG_TISSUE_PAD || def->shape == CG_TISSUE_GRID;
    if (def->shape != CG_TISSUE_MESH && def->shape != CG_TISSUE_VOLUME && !is_length(def->spacing)) {
        return cg_error(CG_BAD_INPUT, "spacing is %g m; it must be 1e-6 to 10 m", def->spacing);
    }
    if ((is_flat || def->shape == CG_TISSUE_BOX) && (!is_length(def->size.x) || !is_length(def->size.y))) {
        return cg_error(CG_BAD_INPUT, "size x and y must be 1e-6 to 10 m");
    }
    if (def->shape == CG_TISSUE_BOX && !is_length(def->size.z)) {
        return cg_error(CG_BAD_INPUT, "size z of a box must be 1e-6 to 10 m");
    }
    if (def->shape == CG_TISSUE_VESSEL) {
        if (!is_length(def->radius) || !is_length(def->length) || !is_length(def->wall) ||
            !(def->wall <= 0.9 * def->radius)) {
            return cg_error(CG_BAD_INPUT, "radius, wall and length must be 1e-6 to 10 m, wall at most 0.9 of radius");
        }
        if (!is_between(def->gap, 0, 10)) {
            return cg_error(CG_BAD_INPUT, "gap must be 0 to 10 m");
        }
        if (!is_between(def->slit, 0, 0.9 * def->length) || (def->slit > 0 && def->gap > 0)) {
            return cg_error(CG_BAD_INPUT, "slit must be 0 to 0.9 of the length, of a vessel that is not severed");
        }
        if (!is_between(def->slit_width, 0, def->slit > 0 ? def->radius : 0)) {
            return cg_error(CG_BAD_INPUT, "slit_width must be 0 to the radius, of a vessel with a slit");
        }
    }
    return def->shape == CG_TISSUE_PAD ? check_wound(def) : cg_ok();
}

// Of a solid shape as a skin only the surface is made.
static bool has_shell(const cg_tissue_def *def)
{
    bool is_solid = def->shape == CG_TISSUE_PAD || def->shape == CG_TISSUE_VESSEL || def->shape == CG_TISSUE_BOX;
    return is_solid && def->model == CG_TISSUE_SKIN;
}

static cg_status check_shell(const cg_tissue_def *def)
{
    if (!is_between(def->pre_length, 1e-3, 2)) {
        return cg_error(CG_BAD_INPUT, "pre_length is %g; it must be 0.001 to 2", def->pre_length);
    }
    return def->tension > 0
               ? cg_error(CG_BAD_INPUT, "a pad that is a skin has no tension; pre_length says how it is stretched")
               : cg_ok();
}

cg_status cg_make_mesh(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    static cg_make_solid *const makers[] = {
        [CG_TISSUE_PAD] = cg_make_pad,   [CG_TISSUE_VESSEL] = cg_make_vessel, [CG_TISSUE_BOX] = cg_make_box,
        [CG_TISSUE_GRID] = cg_make_grid, [CG_TISSUE_MESH] = cg_make_skin,     [CG_TISSUE_VOLUME] = cg_make_volume,
    };
    *mesh = NULL;
    if ((unsigned)def->shape >= sizeof makers / sizeof *makers) {
        return cg_error(CG_BAD_INPUT, "shape is none of the list");
    }
    cg_status status = check_frame(def);
    if (status.code == CG_OK) {
        status = check_layers(def);
    }
    if (status.code == CG_OK) {
        status = check_shape(def);
    }
    if (status.code == CG_OK && has_shell(def)) {
        status = check_shell(def);
    }
    if (status.code == CG_OK) {
        status = has_shell(def) ? cg_make_shell(def, allocator, makers[def->shape], mesh)
                                : makers[def->shape](def, allocator, mesh);
    }
    return status;
}
