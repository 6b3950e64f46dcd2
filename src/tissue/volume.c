// Volume: cells that are squeezed, and surfaces that keep what is inside.
//
// A cell of volume V, V0 as made, of which less than the share q is left, has the energy
//     e = 1/2 K V0 (q - V/V0)^2,     forces K (q - V/V0) g,  g = dV/dx,     matrix (K/V0) g g^T.
// Springs alone do not know a tetrahedron from its mirror image; this does, and drives it back. It costs nothing where
// tissue is not crushed. (The part of the derivative with d2V/dx2 is left out: it is not positive.)
//
// A closed surface of volume V, V0 at home, with the firmness P:
//     e = 1/2 P V0 (1 - V/V0)^2,     pressure p = P (1 - V/V0),  forces p dV/dx,     matrix (P/V0) g g^T.
#include <math.h>

#include "base/vec3.h"
#include "tissue/springs.h"

static cg_vec3 narrow(cg_wide wide)
{
    return v3(wide.xy[0], wide.xy[1], wide.z[0]);
}

static void add_force(cg_springs *springs, int node, double scale, cg_vec3 gradient)
{
    springs->force[node].xy += (lanes){scale * gradient.x, scale * gradient.y};
    springs->force[node].z += (lanes){scale * gradient.z, 0};
}

static cg_float4 pack(double scale, cg_vec3 v)
{
    return (cg_float4){(float)(scale * v.x), (float)(scale * v.y), (float)(scale * v.z), 0};
}

// The volume of a cell and how it changes with each node.
static double cell_volume(const cg_springs *springs, const cg_packed_cell *cell, cg_vec3 gradient[4])
{
    cg_vec3 origin = narrow(springs->place[cell->nodes[0]]);
    cg_vec3 a = v3_sub(narrow(springs->place[cell->nodes[1]]), origin);
    cg_vec3 b = v3_sub(narrow(springs->place[cell->nodes[2]]), origin);
    cg_vec3 c = v3_sub(narrow(springs->place[cell->nodes[3]]), origin);
    gradient[1] = v3_scale(1.0 / 6, v3_cross(b, c));
    gradient[2] = v3_scale(1.0 / 6, v3_cross(c, a));
    gradient[3] = v3_scale(1.0 / 6, v3_cross(a, b));
    gradient[0] = v3_neg(v3_add(v3_add(gradient[1], gradient[2]), gradient[3]));
    return v3_dot(a, gradient[1]);
}

static bool is_suspect(const cg_springs *springs, const cg_packed_cell *cell)
{
    const unsigned char *strained = springs->strained;
    const int *n = cell->nodes;
    // A spring that is strained marks both its ends.
    return strained[n[0]] + strained[n[1]] + strained[n[2]] + strained[n[3]] >= 2 || cell->is_flat;
}

static void put_squeezed(cg_springs *springs, const cg_packed_cell *cell, const cg_vec3 gradient[4])
{
    cg_squeezed *squeezed = &springs->squeezed[springs->squeezed_count];
    double root = sqrt((double)cell->stiffness / (double)cell->volume);
    for (int corner = 0; corner < 4; corner++) {
        int node = cell->nodes[corner];
        cg_float4 g = pack(root, gradient[corner]);
        squeezed->nodes[corner] = node;
        squeezed->gradient[corner] = g;
        springs->diagonal[2 * node] += g * g;
        springs->diagonal[2 * node + 1] += g * cg_turn4(g);
    }
}

int cg_springs_squeeze(cg_springs *springs, bool matrix)
{
    springs->squeezed_count = 0;
    for (int k = 0; k < springs->cell_count; k++) {
        const cg_packed_cell *cell = &springs->cells[k];
        if (!is_suspect(springs, cell)) {
            continue;
        }
        cg_vec3 gradient[4];
        double lost = CG_SQUEEZED_SHARE - cell_volume(springs, cell, gradient) / (double)cell->volume;
        if (!(lost > 0)) {
            continue;
        }
        for (int corner = 0; corner < 4; corner++) {
            add_force(springs, cell->nodes[corner], (double)cell->stiffness * lost, gradient[corner]);
        }
        if (matrix) {
            put_squeezed(springs, cell, gradient);
        }
        springs->squeezed_count++;
    }
    return springs->squeezed_count;
}

double cg_springs_squeeze_energy(const cg_springs *springs)
{
    double sum = 0;
    for (int k = 0; k < springs->cell_count; k++) {
        const cg_packed_cell *cell = &springs->cells[k];
        cg_vec3 gradient[4];
        double lost = CG_SQUEEZED_SHARE - cell_volume(springs, cell, gradient) / (double)cell->volume;
        if (lost > 0) {
            sum += 0.5 * (double)cell->stiffness * (double)cell->volume * lost * lost;
        }
    }
    return sum;
}

double cg_surface_volume(const cg_mesh *mesh, const cg_vec3 *position)
{
    // Seen from a point of the surface, so that the parts that cancel are not large.
    double sum = 0;
    cg_vec3 origin = mesh->triangle_count > 0 ? position[mesh->triangles[0].nodes[0]] : v3_zero();
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        cg_vec3 a = v3_sub(position[n[0]], origin), b = v3_sub(position[n[1]], origin);
        sum += v3_dot(v3_cross(a, b), v3_sub(position[n[2]], origin));
    }
    return sum / 6;
}

// [Pa] inside, by the positions in `place`.
static double swell_pressure(const cg_springs *springs, const cg_mesh *mesh, double pressure, double *lost)
{
    double sum = 0;
    cg_vec3 origin = narrow(springs->place[mesh->triangles[0].nodes[0]]);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        cg_vec3 a = v3_sub(narrow(springs->place[n[0]]), origin), b = v3_sub(narrow(springs->place[n[1]]), origin);
        sum += v3_dot(v3_cross(a, b), v3_sub(narrow(springs->place[n[2]]), origin));
    }
    *lost = 1 - sum / 6 / springs->home_volume;
    return pressure * *lost;
}

static bool swells(const cg_springs *springs, double pressure)
{
    return pressure > 0 && springs->is_closed && springs->home_volume > 0;
}

void cg_springs_swell(cg_springs *springs, const cg_mesh *mesh, double pressure, bool matrix)
{
    springs->is_swelling = false;
    if (!swells(springs, pressure)) {
        return;
    }
    double lost, inside = swell_pressure(springs, mesh, pressure, &lost), root = sqrt(pressure / springs->home_volume);
    springs->is_swelling = matrix;
    for (int i = 0; i < springs->node_count; i++) {
        springs->swell[i] = cg_all4(0);
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        for (int corner = 0; corner < 3; corner++) {
            // d(a x b . c)/da = b x c; seen from the node itself b and c are edges, and only a share is left: the sum
            // over all triangles around the node is the same.
            cg_vec3 here = narrow(springs->place[n[corner]]);
            cg_vec3 b = v3_sub(narrow(springs->place[n[(corner + 1) % 3]]), here);
            cg_vec3 c = v3_sub(narrow(springs->place[n[(corner + 2) % 3]]), here);
            cg_vec3 gradient = v3_scale(1.0 / 6, v3_cross(b, c));
            add_force(springs, n[corner], inside, gradient);
            springs->swell[n[corner]] += pack(root, gradient);
        }
    }
}

double cg_springs_swell_energy(const cg_springs *springs, const cg_mesh *mesh, double pressure)
{
    if (!swells(springs, pressure)) {
        return 0;
    }
    double lost, inside = swell_pressure(springs, mesh, pressure, &lost);
    return 0.5 * inside * lost * springs->home_volume;
}
