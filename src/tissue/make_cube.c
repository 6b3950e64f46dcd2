// A cube of a lattice as five tetrahedra, and how stiff its links must be.
//
// Springs that pull along their lines give an elastic body with C12 = C44: isotropic ones have Poisson's ratio 1/4,
// C11 = 3 mu, C12 = C44 = mu, mu = 0.4 E. A box of a x b x c, one in the middle of many, owns one link along each
// direction and two diagonals in each of three planes. A link of stiffness k and length L along the unit vector n adds
//
//     C_ijkl += k L^2 n_i n_j n_k n_l / (a b c).
//
// C12 comes from the diagonals in the plane of a and b alone, hence each has k = mu c (a^2 + b^2) / (2 a b); what is
// missing of C11 comes from the link along a: k = mu (3 b c / a - c a / b - b a / c). For a cube both are 0.4 E a. With
// one diagonal in place of two, twice as stiff, an affine deformation costs the same, and it leaves every node in
// balance when the lattice looks the same from it forwards and backwards. Five tetrahedra a cube, mirrored from cube to
// cube, are such a lattice.
//
// A cube gives each of its 12 edges a quarter and each of its 6 face diagonals half of that, so surfaces come out
// right. The tetrahedron in the middle has a third of the cube, those at four corners a sixth each. An edge of the cube
// belongs to one at a corner; a diagonal to the middle one and two at corners, who share it by their volumes.
//
// The link along a would have to push where the box is flat (c below 0.71 a = 0.71 b), the one along c where it is tall
// (above 1.22 a). It gets a small stiffness then, and the whole box is scaled until Young's modulus in the plane of a
// and b is right on average; the one across is off: 0.58 of it at c = 0.5 a, 1.47 at c = 1.45 a.
#include <math.h>

#include "base/vec3.h"
#include "tissue/make_parts.h"

// Young's modulus along direction d of a box with these links: 1 / (C^-1)_dd.
static double modulus_along(const double size[3], const double axis[3], const double diagonal[3], int d)
{
    double volume = size[0] * size[1] * size[2], c[3][3];
    for (int i = 0; i < 3; i++) {
        c[i][i] = axis[i] * size[i] * size[i] / volume;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, across = (i + 2) % 3;
        double a2 = size[i] * size[i], b2 = size[j] * size[j];
        double k = 2 * diagonal[across] / ((a2 + b2) * volume);
        c[i][i] += k * a2 * a2;
        c[j][j] += k * b2 * b2;
        c[i][j] = c[j][i] = k * a2 * b2;
    }
    int e = (d + 1) % 3, f = (d + 2) % 3;
    double minor = c[e][e] * c[f][f] - c[e][f] * c[f][e];
    return c[d][d] -
           (c[d][e] * (c[e][d] * c[f][f] - c[e][f] * c[f][d]) + c[d][f] * (c[e][e] * c[f][d] - c[e][d] * c[f][e])) /
               minor;
}

void cg_make_cube_stiffness(const double size[3], double young, double axis[3], double diagonal[3])
{
    double mu = 0.4 * young;
    bool is_clamped = false;
    for (int i = 0; i < 3; i++) {
        double a = size[i], b = size[(i + 1) % 3], c = size[(i + 2) % 3];
        diagonal[i] = mu * a * (b * b + c * c) / (2 * b * c);
        axis[i] = mu * (3 * b * c / a - c * a / b - b * a / c);
        double least = CG_MAKE_LEAST_AXIS * mu * (a < b ? (a < c ? a : c) : (b < c ? b : c));
        if (axis[i] < least) {
            axis[i] = least;
            is_clamped = true;
        }
    }
    if (is_clamped) {
        double is = (modulus_along(size, axis, diagonal, 0) + modulus_along(size, axis, diagonal, 1)) / 2;
        for (int i = 0; i < 3; i++) {
            axis[i] *= young / is;
            diagonal[i] *= young / is;
        }
    }
}

// The mean length of the four edges along each direction.
static void measure(const cg_mesh *mesh, const cg_make_cube *cube, double size[3])
{
    for (int d = 0; d < 3; d++) {
        size[d] = 0;
        for (int corner = 0; corner < 8; corner++) {
            if ((corner >> d & 1) == 0) {
                size[d] +=
                    0.25 * v3_distance(mesh->home[cube->corner[corner]], mesh->home[cube->corner[corner | 1 << d]]);
            }
        }
    }
}

// The numbers of two corners differ in one bit along an edge, in two along a diagonal; the third bit is then the
// direction across.
static double share_of_edge(int p, int q, bool in_middle, const double axis[3], const double diagonal[3])
{
    int bits = p ^ q;
    if (bits == 1 || bits == 2 || bits == 4) {
        return axis[bits >> 1] / 4;
    }
    return diagonal[(7 ^ bits) >> 1] * (in_middle ? 0.5 : 0.25);
}

static double volume_of(const cg_mesh *mesh, const cg_make_cube *cube, const int corners[4])
{
    cg_vec3 at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = mesh->home[cube->corner[corners[i]]];
    }
    return v3_dot(v3_cross(v3_sub(at[1], at[0]), v3_sub(at[2], at[0])), v3_sub(at[3], at[0])) / 6;
}

static bool add_tetrahedron(cg_mesh *mesh, const cg_make_cube *cube, const int corners[4], bool in_middle,
                            const double axis[3], const double diagonal[3])
{
    int order[4] = {corners[0], corners[1], corners[2], corners[3]};
    double volume = volume_of(mesh, cube, order);
    if (volume < 0) {
        order[2] = corners[3];
        order[3] = corners[2];
    }
    int nodes[4];
    double share[6];
    for (int i = 0; i < 4; i++) {
        nodes[i] = cube->corner[order[i]];
    }
    for (int edge = 0; edge < 6; edge++) {
        share[edge] = share_of_edge(order[cg_mesh_cell_edges[edge][0]], order[cg_mesh_cell_edges[edge][1]], in_middle,
                                    axis, diagonal);
    }
    return cg_mesh_add_cell(mesh, nodes, share, cube->material->density * fabs(volume), cube->layer) >= 0;
}

// The diagonals that no cell has, half of their stiffness from each cube at the face.
static bool add_second_diagonals(cg_mesh *mesh, const cg_make_cube *cube, const double diagonal[3])
{
    for (int face = 0; face < 6; face++) {
        int d = face / 2, e = (d + 1) % 3, f = (d + 2) % 3;
        int base = (face % 2) << d;
        int corner = base;
        // The second diagonal joins the corners that are not in the middle tetrahedron.
        if (((corner ^ corner >> 1 ^ corner >> 2) & 1) == cube->parity) {
            corner = base | 1 << e;
        }
        int opposite = corner ^ (1 << e) ^ (1 << f);
        int link = cg_mesh_add_link(mesh, cube->corner[corner], cube->corner[opposite], CG_LINK_SHEAR);
        if (link < 0) {
            return false;
        }
        mesh->links[link].own += diagonal[d] / 2;
    }
    return true;
}

bool cg_make_add_cube(cg_mesh *mesh, const cg_make_cube *cube)
{
    double size[3], axis[3], diagonal[3];
    measure(mesh, cube, size);
    cg_make_cube_stiffness(size, cube->material->young, axis, diagonal);
    bool crossed = cube->crossed;
    double single[3];
    for (int d = 0; d < 3; d++) {
        single[d] = crossed ? diagonal[d] / 2 : diagonal[d];
    }
    int middle[4], count = 0;
    for (int corner = 0; corner < 8; corner++) {
        if (((corner ^ corner >> 1 ^ corner >> 2) & 1) == cube->parity) {
            middle[count++] = corner;
        } else {
            int tip[4] = {corner, corner ^ 1, corner ^ 2, corner ^ 4};
            if (!add_tetrahedron(mesh, cube, tip, false, axis, single)) {
                return false;
            }
        }
    }
    return add_tetrahedron(mesh, cube, middle, true, axis, single) &&
           (!crossed || add_second_diagonals(mesh, cube, diagonal));
}
