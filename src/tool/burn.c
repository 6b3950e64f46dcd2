// Heat of a hot tip: how it is shared out, and what goes.
//
// A node at the distance s from the way of the tip gets heat by its mass m and by w = (1 - s^2/r^2)^2: with the energy
// P dt its heat q [J/kg] rises by P dt w / sum(w m). A cell vanishes when the mean of its corners has reached the heat
// of vaporisation. Pieces of a few cells that are left over vanish with it.
#include "tool/burn.h"

#include "base/vec3.h"

// [J/kg] to heat the water of tissue from 37 to 100 degrees (0.26 MJ/kg) and turn it to steam (2.26 MJ/kg).
static const double VAPORISING = 2.5e6;
// [grains] least radius.
static const double LEAST_RADIUS = 0.6;
// Pieces of fewer cells or triangles are debris; and a tissue keeps this many.
enum { LEAST_PIECE = 6 };
// Most that go in one step, the rest in the next: the log of the mesh can tell of so many.
enum { MOST_GONE = 200 };

double cg_burn_char(const cg_tissue *tissue, int node)
{
    double share = tissue->heat[node] / VAPORISING;
    return share < 1 ? share : 1;
}

static double weight_of(const cg_burn *burn, double radius, cg_vec3 place)
{
    cg_vec3 way = v3_sub(burn->after, burn->before), d = v3_sub(place, burn->before);
    double square = v3_dot(way, way), t = square > 0 ? v3_dot(d, way) / square : 0;
    d = v3_add_scaled(d, -(t < 0 ? 0 : (t > 1 ? 1 : t)), way);
    double near = 1 - v3_dot(d, d) / (radius * radius);
    return near > 0 ? near * near : 0;
}

static double radius_of(const cg_tissue *tissue, const cg_burn *burn)
{
    double least = LEAST_RADIUS * tissue->grain;
    return burn->radius > least ? burn->radius : least;
}

double cg_burn_near(const cg_tissue *tissue, const cg_burn *burn)
{
    const cg_mesh *mesh = tissue->mesh;
    double radius = radius_of(tissue, burn), sum = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        sum += mesh->mass[i] * weight_of(burn, radius, mesh->position[i]);
    }
    return sum;
}

static double heat_up(cg_tissue *tissue, const cg_burn *burn, double time_step)
{
    const cg_mesh *mesh = tissue->mesh;
    double radius = radius_of(tissue, burn), sum = cg_burn_near(tissue, burn);
    if (!(sum > 0)) {
        return 0;
    }
    double energy = burn->power * time_step;
    for (int i = 0; i < mesh->node_count; i++) {
        double weight = weight_of(burn, radius, mesh->position[i]);
        // what has had far more than enough and is still there takes no more
        double heat = tissue->heat[i] + energy * weight / sum;
        tissue->heat[i] = heat < 10 * VAPORISING ? heat : 10 * VAPORISING;
    }
    tissue->is_heated = true;
    return energy;
}

static bool is_gone(const cg_tissue *tissue, const int *nodes, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += tissue->heat[nodes[i]];
    }
    return sum >= count * VAPORISING;
}

// Lists the cells or triangles that go, in the working array of the mesh that removing does not use.
static int list_gone(const cg_tissue *tissue, int *list)
{
    const cg_mesh *mesh = tissue->mesh;
    int count = 0;
    for (int i = 0; i < mesh->cell_count && count < MOST_GONE; i++) {
        if (is_gone(tissue, mesh->cells[i].nodes, 4)) {
            list[count++] = i;
        }
    }
    for (int i = 0; i < mesh->triangle_count && mesh->cell_count == 0 && count < MOST_GONE; i++) {
        if (is_gone(tissue, mesh->triangles[i].nodes, 3)) {
            list[count++] = i;
        }
    }
    return count;
}

// Lists the cells or triangles of pieces that are too small to stay.
static int list_debris(cg_tissue *tissue, int *list)
{
    const cg_mesh *mesh = tissue->mesh;
    bool has_cells = mesh->cell_count > 0;
    int items = has_cells ? mesh->cell_count : mesh->triangle_count, count = 0;
    int pieces = cg_tissue_find_pieces(tissue);
    int *sizes = mesh->node_work; // a piece has a node
    for (int i = 0; i < pieces; i++) {
        sizes[i] = 0;
    }
    for (int i = 0; i < items; i++) {
        sizes[tissue->piece[has_cells ? mesh->cells[i].nodes[0] : mesh->triangles[i].nodes[0]]]++;
    }
    for (int i = 0; i < items && pieces > 1; i++) {
        if (sizes[tissue->piece[has_cells ? mesh->cells[i].nodes[0] : mesh->triangles[i].nodes[0]]] < LEAST_PIECE) {
            list[count++] = i;
        }
    }
    return count;
}

static void remove_items(cg_tissue *tissue, const int *list, int count, cg_burn_result *result)
{
    cg_mesh *mesh = tissue->mesh;
    bool has_cells = mesh->cell_count > 0;
    if (count == 0 || count > (has_cells ? mesh->cell_count : mesh->triangle_count) - LEAST_PIECE) {
        return;
    }
    double before = mesh->removed_mass;
    cg_status status =
        has_cells ? cg_mesh_remove_cells(mesh, list, count) : cg_mesh_remove_triangles(mesh, list, count);
    result->is_full = result->is_full || status.code == CG_FULL;
    result->removed += status.code == CG_OK ? count : 0;
    result->mass += mesh->removed_mass - before;
    cg_tissue_adapt(tissue);
}

void cg_burn_step(cg_tissue *tissue, const cg_burn *burn, double time_step, cg_burn_result *result)
{
    *result = (cg_burn_result){0};
    bool is_sound = v3_length(burn->before) <= 1e6 && v3_length(burn->after) <= 1e6 && burn->radius >= 0 &&
                    burn->power > 0 && burn->power <= 1e6 && time_step > 0 && tissue->grain > 0;
    if (!is_sound) {
        return;
    }
    cg_tissue_adapt(tissue);
    result->heat = heat_up(tissue, burn, time_step);
    if (result->heat > 0) {
        int *list = tissue->mesh->cell_count > 0 ? tissue->mesh->cell_label : tissue->mesh->triangle_label;
        remove_items(tissue, list, list_gone(tissue, list), result);
        if (result->removed > 0) {
            remove_items(tissue, list, list_debris(tissue, list), result);
        }
    }
}
