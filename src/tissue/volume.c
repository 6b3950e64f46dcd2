// Volume: cells that are squeezed, and surfaces that keep what is inside.
//
// A cell of volume V, V0 as made, of which the share J = V/V0 is left, J below q, has the energy
//     e = 1/2 K q V0 (q - J)^2 / J,     pressure p = K q (q^2 - J^2) / (2 J^2),     slope -dp/dJ = K q^3 / J^3,
// forces p g with g = dV/dx, and in the matrix (-dp/dJ / V0) g g^T (the part with d2V/dx2 is left out: it is not
// positive). The pressure grows without bounds as the cell is pressed flat; below LEAST_SHARE, and for cells that an
// edit or a file left inside out, it goes on in a straight line. Springs alone do not know a tetrahedron from its
// mirror image; this does. It costs nothing where tissue is not crushed.
//
// A step of fast hands could jump over that, and a lattice with cells inside out may never find home: cells can wind
// twice around an edge. So a motion is changed, where it is needed, before it is made: the nodes of a cell that would
// keep less than LEAST_SHARE of its volume (or less than half of what it has, if that is less) move more like one
// piece,
//     d_i -> mean + s (d_i - mean),  s = 1/2, 1/4, ... 0,
// in a few sweeps over such cells. What no sweep mends, a shorter motion of the whole tissue does. Thus no cell is ever
// turned inside out by a step, whatever pulls; and a lattice that was never inside out can always go back.
//
// A closed surface of volume V, V0 at home, with the firmness P:
//     e = 1/2 P V0 (1 - V/V0)^2,     pressure p = P (1 - V/V0),  forces p dV/dx,     matrix (P/V0) g g^T.
#include <math.h>

#include "base/vec3.h"
#include "tissue/springs.h"

static const double LEAST_SHARE = 0.03;
enum { KEEP_SWEEPS = 8, HALVINGS = 5 };

static void add_force(cg_springs *springs, int node, double scale, cg_vec3 gradient)
{
    springs->force[node].xy += (lanes){scale * gradient.x, scale * gradient.y};
    springs->force[node].z += (lanes){scale * gradient.z, 0};
}

// The edges of a cell from its first node.
static void cell_edges(const cg_springs *springs, const cg_packed_cell *cell, cg_vec3 edges[3])
{
    cg_vec3 origin = cg_wide_point(springs->place[cell->nodes[0]]);
    for (int k = 0; k < 3; k++) {
        edges[k] = v3_sub(cg_wide_point(springs->place[cell->nodes[k + 1]]), origin);
    }
}

static double volume_of(const cg_vec3 edges[3])
{
    return v3_dot(edges[0], v3_cross(edges[1], edges[2])) / 6;
}

// How the volume of a cell changes with each node.
static void volume_gradient(const cg_vec3 edges[3], cg_vec3 gradient[4])
{
    for (int k = 0; k < 3; k++) {
        gradient[k + 1] = v3_scale(1.0 / 6, v3_cross(edges[(k + 1) % 3], edges[(k + 2) % 3]));
    }
    gradient[0] = v3_neg(v3_add(v3_add(gradient[1], gradient[2]), gradient[3]));
}

// The corners of a cell that are strained, a bit for each.
static unsigned marks_of(const cg_springs *springs, const cg_packed_cell *cell)
{
    const unsigned char *strained = springs->strained;
    const int *n = cell->nodes;
    return strained[n[0]] | (unsigned)strained[n[1]] << 1 | (unsigned)strained[n[2]] << 2 |
           (unsigned)strained[n[3]] << 3;
}

// A spring that is strained marks both its ends: at least two bits of the four, looked up.
static bool are_two(unsigned marks)
{
    return (0xFEE8U >> marks & 1) != 0;
}

static bool is_suspect(const cg_springs *springs, const cg_packed_cell *cell)
{
    return are_two(marks_of(springs, cell)) || cell->is_flat;
}

// Whether a cell that is not flat is suspect, and a node, which is strained, is the first of its corners that is.
static bool is_suspect_from(const cg_springs *springs, const cg_packed_cell *cell, int node)
{
    static const unsigned char first[16] = {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    unsigned marks = marks_of(springs, cell);
    return are_two(marks) & (cell->nodes[first[marks]] == node) & !cell->is_flat;
}

static void put_squeezed(cg_springs *springs, int number, const cg_vec3 gradient[4], double slope)
{
    const cg_packed_cell *cell = &springs->cells[number];
    cg_squeezed *squeezed = &springs->squeezed[springs->squeezed_count];
    squeezed->cell = number;
    double root = sqrt(slope * (double)cell->stiffness / (double)cell->volume);
    for (int corner = 0; corner < 4; corner++) {
        int node = cell->nodes[corner];
        cg_float4 g = cg_pack(root, gradient[corner]);
        squeezed->nodes[corner] = node;
        squeezed->gradient[corner] = g;
        springs->diagonal[2 * node] += g * g;
        springs->diagonal[2 * node + 1] += g * cg_turn4(g);
    }
}

// The pressure of a squeezed cell over K, and its slope.
static double squeeze_pressure(double left, double *slope)
{
    const double q = CG_SQUEEZED_SHARE;
    double j = left > LEAST_SHARE ? left : LEAST_SHARE;
    *slope = q * q * q / (j * j * j);
    return q * (q - j) * (q + j) / (2 * j * j) + *slope * (j - left);
}

static void squeeze_cell(cg_springs *springs, int number, bool matrix)
{
    const cg_packed_cell *cell = &springs->cells[number];
    cg_vec3 edges[3], gradient[4];
    cell_edges(springs, cell, edges);
    double volume = volume_of(edges), slope;
    if (!(volume < CG_SQUEEZED_SHARE * (double)cell->volume)) {
        return;
    }
    double left = volume / (double)cell->volume;
    volume_gradient(edges, gradient);
    double pressure = (double)cell->stiffness * squeeze_pressure(left, &slope);
    for (int corner = 0; corner < 4; corner++) {
        add_force(springs, cell->nodes[corner], pressure, gradient[corner]);
    }
    if (matrix) {
        put_squeezed(springs, number, gradient, slope);
    }
    springs->squeezed_count++;
}

int cg_springs_squeeze(cg_springs *springs, bool matrix)
{
    springs->squeezed_count = 0;
    for (int k = 0; k < springs->flat_count; k++) {
        squeeze_cell(springs, springs->flat[k], matrix);
    }
    for (int k = 0; k < springs->marked_count; k++) {
        int node = springs->marked[k];
        for (int at = springs->first_cell[node]; at < springs->first_cell[node + 1]; at++) {
            if (is_suspect_from(springs, &springs->cells[springs->cell_at[at]], node)) {
                squeeze_cell(springs, springs->cell_at[at], matrix);
            }
        }
    }
    return springs->squeezed_count;
}

double cg_springs_squeeze_energy(const cg_springs *springs)
{
    const double q = CG_SQUEEZED_SHARE;
    double sum = 0;
    for (int k = 0; k < springs->cell_count; k++) {
        const cg_packed_cell *cell = &springs->cells[k];
        cg_vec3 edges[3];
        cell_edges(springs, cell, edges);
        double left = volume_of(edges) / (double)cell->volume, slope;
        if (left < q) {
            double j = left > LEAST_SHARE ? left : LEAST_SHARE, below = j - left;
            double pressure = squeeze_pressure(j, &slope);
            double density = 0.5 * q * (q - j) * (q - j) / j + (pressure + 0.5 * slope * below) * below;
            sum += (double)cell->stiffness * (double)cell->volume * density;
        }
    }
    return sum;
}

// Where a node of a cell goes.
static cg_vec3 moved(const cg_springs *springs, int node, double unit)
{
    cg_float4 m = springs->move[node];
    cg_vec3 move = v3((double)m[0], (double)m[1], (double)m[2]);
    return v3_add_scaled(cg_wide_point(springs->place[node]), unit, move);
}

// The volume of a cell, of its volume as made, if its nodes are at these places.
static double share_left(const cg_packed_cell *cell, const cg_vec3 at[4])
{
    cg_vec3 a = v3_sub(at[1], at[0]), b = v3_sub(at[2], at[0]), c = v3_sub(at[3], at[0]);
    return v3_dot(v3_cross(a, b), c) / (6 * (double)cell->volume);
}

// The least that a flat cell must have left after a step.
static double least_of(const cg_springs *springs, const cg_packed_cell *cell)
{
    cg_vec3 at[4];
    for (int k = 0; k < 4; k++) {
        at[k] = cg_wide_point(springs->place[cell->nodes[k]]);
    }
    double now = share_left(cell, at);
    // One that is inside out already is left to its pressure.
    return now > 0 ? 0.5 * now : -INFINITY;
}

static bool keeps_volume(const cg_springs *springs, const cg_packed_cell *cell, double unit)
{
    cg_vec3 at[4];
    for (int k = 0; k < 4; k++) {
        at[k] = moved(springs, cell->nodes[k], unit);
    }
    double left = share_left(cell, at);
    return left >= LEAST_SHARE || left >= least_of(springs, cell);
}

// Lets the nodes of a cell move more like one piece.
static void stiffen_cell(cg_springs *springs, const cg_packed_cell *cell, const bool *fixed, double unit)
{
    cg_float4 mean = cg_all4(0);
    for (int k = 0; k < 4; k++) {
        mean += cg_all4(0.25F) * springs->move[cell->nodes[k]];
    }
    for (int halving = 0; halving <= HALVINGS && !keeps_volume(springs, cell, unit); halving++) {
        cg_float4 share = cg_all4(halving < HALVINGS ? 0.5F : 0.0F);
        for (int k = 0; k < 4; k++) {
            int i = cell->nodes[k];
            if (!fixed[i]) {
                springs->move[i] = mean + share * (springs->move[i] - mean);
            }
        }
    }
}

// True when nodes of a cell move against each other by more than the root of `harmless`, in units of `move`.
static bool is_shaken(const cg_springs *springs, const cg_packed_cell *cell, float harmless)
{
    cg_float4 first = springs->move[cell->nodes[0]];
    cg_float4 a = springs->move[cell->nodes[1]] - first, b = springs->move[cell->nodes[2]] - first;
    cg_float4 c = springs->move[cell->nodes[3]] - first;
    cg_float4 sum = a * a + b * b + c * c; // at least the largest of the three
    return sum[0] + sum[1] + sum[2] > harmless;
}

static int look_at_cell(cg_springs *springs, const cg_packed_cell *cell, const bool *fixed, double unit, bool mend)
{
    if (keeps_volume(springs, cell, unit)) {
        return 0;
    }
    if (mend) {
        stiffen_cell(springs, cell, fixed, unit);
    }
    return 1;
}

// One look at the cells that may lose their volume: those that are squeezed already, or, where the motion is large,
// all that are shaken or strained. Returns how many would lose it.
static int look_at_cells(cg_springs *springs, const bool *fixed, double unit, double harmless, bool mend)
{
    int count = 0;
    if (!(harmless > 0)) {
        for (int k = 0; k < springs->squeezed_count; k++) {
            count += look_at_cell(springs, &springs->cells[springs->squeezed[k].cell], fixed, unit, mend);
        }
        return count;
    }
    float least = (float)(harmless / unit * (harmless / unit));
    for (int k = 0; k < springs->cell_count; k++) {
        const cg_packed_cell *cell = &springs->cells[k];
        if (is_shaken(springs, cell, least) || is_suspect(springs, cell)) {
            count += look_at_cell(springs, cell, fixed, unit, mend);
        }
    }
    return count;
}

double cg_springs_keep_cells(cg_springs *springs, const bool *fixed, double unit, double harmless, int *mended)
{
    *mended = 0;
    for (int sweep = 0; sweep < KEEP_SWEEPS; sweep++) {
        int count = look_at_cells(springs, fixed, unit, harmless, true);
        *mended = sweep == 0 ? count : *mended;
        if (count == 0) {
            return 1;
        }
    }
    double share = 1;
    for (int halving = 0; halving < HALVINGS; halving++) {
        if (look_at_cells(springs, fixed, share * unit, harmless, false) == 0) {
            return share;
        }
        share /= 2;
    }
    return 0;
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
    cg_vec3 origin = cg_wide_point(springs->place[mesh->triangles[0].nodes[0]]);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        cg_vec3 a = v3_sub(cg_wide_point(springs->place[n[0]]), origin),
                b = v3_sub(cg_wide_point(springs->place[n[1]]), origin);
        sum += v3_dot(v3_cross(a, b), v3_sub(cg_wide_point(springs->place[n[2]]), origin));
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
    for (int i = 0; i < springs->node_count && matrix; i++) {
        springs->swell[i] = cg_all4(0);
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        for (int corner = 0; corner < 3; corner++) {
            // d(a x b . c)/da = b x c; seen from the node itself b and c are edges, and only a share is left: the sum
            // over all triangles around the node is the same.
            cg_vec3 here = cg_wide_point(springs->place[n[corner]]);
            cg_vec3 b = v3_sub(cg_wide_point(springs->place[n[(corner + 1) % 3]]), here);
            cg_vec3 c = v3_sub(cg_wide_point(springs->place[n[(corner + 2) % 3]]), here);
            cg_vec3 gradient = v3_scale(1.0 / 6, v3_cross(b, c));
            add_force(springs, n[corner], inside, gradient);
            if (matrix) { // other solvers have no array for it
                springs->swell[n[corner]] += cg_pack(root, gradient);
            }
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
