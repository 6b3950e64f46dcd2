// A vessel along x: two hulls of rings, one inside the other, and the wall between them as cubes cut into tetrahedra. A
// severed one is two pieces of half the length each, `gap` apart; they touch nowhere and can be merged later.
//
// The number of nodes around is even, so that the tetrahedra of neighbours match all the way round.
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

#define LEAST_AROUND 8

struct vessel {
    int pieces; // 1 or 2
    int around; // nodes of a ring
    int along;  // cubes of a piece
    const cg_tissue_def *def;
};

static int node_at(const struct vessel *vessel, int piece, int ring, int turn, int hull)
{
    return ((piece * (vessel->along + 1) + ring) * vessel->around + turn % vessel->around) * 2 + hull;
}

static void add_ring(cg_mesh *mesh, const struct vessel *vessel, int piece, int ring)
{
    const cg_tissue_def *def = vessel->def;
    double length = def->length / vessel->pieces;
    double start = vessel->pieces == 1 ? -length / 2 : (piece == 0 ? -length - def->gap / 2 : def->gap / 2);
    double x = start + length * ring / vessel->along;
    bool is_end = vessel->pieces == 1 ? ring == 0 || ring == vessel->along : ring == (piece == 0 ? 0 : vessel->along);
    for (int turn = 0; turn < vessel->around; turn++) {
        double sine, cosine;
        cg_sincos(2 * CG_PI * turn / vessel->around, &sine, &cosine);
        for (int hull = 0; hull < 2; hull++) {
            double radius = hull == 0 ? def->radius - def->wall : def->radius;
            int node = cg_mesh_add_node(mesh, v3(x, radius * cosine, radius * sine));
            mesh->fixed[node] = is_end && def->fix_rim;
        }
    }
}

static bool add_wall(cg_mesh *mesh, const struct vessel *vessel, int piece, int ring)
{
    for (int turn = 0; turn < vessel->around; turn++) {
        // counted on over a gap, so that the two ends there match
        cg_make_cube cube = {.parity = (piece * vessel->along + ring + turn) % 2,
                             .material = &vessel->def->layers[0].material};
        for (int corner = 0; corner < 8; corner++) {
            cube.corner[corner] = node_at(vessel, piece, ring + (corner >> 1 & 1), turn + (corner & 1), corner >> 2);
        }
        if (!cg_make_add_cube(mesh, &cube)) {
            return false;
        }
    }
    return true;
}

static cg_mesh_side side_of(const cg_mesh *mesh, const int nodes[3], void *context)
{
    (void)mesh;
    const struct vessel *vessel = context;
    if (nodes[0] % 2 == nodes[1] % 2 && nodes[0] % 2 == nodes[2] % 2) {
        return nodes[0] % 2 == 0 ? CG_SIDE_INNER : CG_SIDE_OUTER;
    }
    // A face across the wall is at an end of its piece.
    int ring = nodes[0] / 2 / vessel->around;
    bool is_outer_end = ring == 0 || ring == vessel->pieces * (vessel->along + 1) - 1;
    return is_outer_end ? CG_SIDE_RIM : CG_SIDE_GROOVE;
}

static bool fill(cg_mesh *mesh, struct vessel *vessel)
{
    for (int piece = 0; piece < vessel->pieces; piece++) {
        for (int ring = 0; ring <= vessel->along; ring++) {
            add_ring(mesh, vessel, piece, ring);
        }
    }
    for (int piece = 0; piece < vessel->pieces; piece++) {
        for (int ring = 0; ring < vessel->along; ring++) {
            if (!add_wall(mesh, vessel, piece, ring)) {
                return false;
            }
        }
    }
    return cg_mesh_add_surface(mesh, side_of, vessel);
}

cg_status cg_make_vessel(const cg_tissue_def *def, const cg_allocator *allocator, cg_mesh **mesh)
{
    struct vessel vessel = {.pieces = def->gap > 0 ? 2 : 1, .def = def};
    int pairs = cg_make_steps(2 * CG_PI * (def->radius - def->wall / 2), 2 * def->spacing);
    vessel.around = 2 * pairs < LEAST_AROUND ? LEAST_AROUND : 2 * pairs;
    vessel.along = cg_make_steps(def->length / vessel.pieces, def->spacing);
    double around = vessel.around, along = vessel.along, pieces = vessel.pieces;
    // links: two hulls of rings, of lines along and of diagonals; through the wall straight, and diagonals on rings and
    // between them
    double links = around * (2 * (along + 1) + 2 * along + 2 * along + (along + 1) + (along + 1) + along);
    cg_status status = cg_make_room(def, allocator, pieces * 2 * around * (along + 1), pieces * links,
                                    pieces * 5 * around * along, pieces * 4 * around * (along + 1), mesh);
    if (status.code != CG_OK) {
        return status;
    }
    return cg_make_finish(def, fill(*mesh, &vessel), mesh);
}
