// A vessel along x: two hulls of rings, one inside the other, and the wall between them as cubes cut into tetrahedra. A
// severed one is two pieces of half the length each, `gap` apart; they touch nowhere and can be merged later.
//
// A slit opens the wall on top, along x: rings end where it does, and the nodes of its line are there twice, once for
// the cubes on each side. A slit that gapes is an ellipse seen from above: its lips are turned aside, and the rest of
// the ring is pressed together towards the bottom.
//
// The number of nodes around is even, so that the tetrahedra of neighbours match all the way round; with a slit it is a
// multiple of four, so that there is a line of nodes on top.
#include <math.h>

#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "tissue/make_parts.h"

#define LEAST_AROUND 8
// Steps of a slit: with one, no ring lies in it, and the wall is whole.
#define LEAST_SLIT 2

struct vessel {
    int pieces;               // 1 or 2
    int around;               // nodes of a ring
    int along;                // cubes of a piece
    int slit_first, slit_end; // rings between which nodes are doubled; equal: no slit
    const cg_tissue_def *def;
};

static int top_of(const struct vessel *vessel)
{
    return vessel->around / 4;
}

static bool is_slit(const struct vessel *vessel, int ring)
{
    return ring > vessel->slit_first && ring < vessel->slit_end;
}

static int node_at(const struct vessel *vessel, int piece, int ring, int turn, int hull)
{
    return ((piece * (vessel->along + 1) + ring) * vessel->around + turn % vessel->around) * 2 + hull;
}

// The node of a cube: on the line of the slit the cubes that begin there have one of their own, after all rings.
static int node_of_cube(const struct vessel *vessel, int piece, int ring, int turn, int next, int hull)
{
    if (turn == top_of(vessel) && next == 0 && is_slit(vessel, ring)) {
        int rings = vessel->pieces * (vessel->along + 1);
        return (rings * vessel->around + ring - vessel->slit_first - 1) * 2 + hull;
    }
    return node_at(vessel, piece, ring, turn + next, hull);
}

// [m] along x. With a slit, rings are spaced evenly in it and on either side of it.
static double place_of(const struct vessel *vessel, int piece, int ring)
{
    const cg_tissue_def *def = vessel->def;
    if (vessel->slit_end == vessel->slit_first) {
        double length = def->length / vessel->pieces;
        double start = vessel->pieces == 1 ? -length / 2 : (piece == 0 ? -length - def->gap / 2 : def->gap / 2);
        return start + length * ring / vessel->along;
    }
    double side = (def->length - def->slit) / 2;
    if (ring <= vessel->slit_first) {
        return -def->length / 2 + side * ring / vessel->slit_first;
    }
    if (ring >= vessel->slit_end) {
        return def->slit / 2 + side * (ring - vessel->slit_end) / (vessel->along - vessel->slit_end);
    }
    return -def->slit / 2 + def->slit * (ring - vessel->slit_first) / (vessel->slit_end - vessel->slit_first);
}

// [rad] half the opening of the slit at x, seen from the axis.
static double opening_at(const cg_tissue_def *def, double x)
{
    double along = 2 * x / def->slit;
    bool is_open = def->slit_width > 0 && fabs(along) < 1;
    return is_open ? def->slit_width / 2 / def->radius * sqrt(1 - along * along) : 0;
}

// One node of each hull.
static void add_pair(cg_mesh *mesh, const cg_tissue_def *def, double x, double angle, bool is_end)
{
    double sine, cosine;
    cg_sincos(angle, &sine, &cosine);
    for (int hull = 0; hull < 2; hull++) {
        double radius = hull == 0 ? def->radius - def->wall : def->radius;
        int node = cg_mesh_add_node(mesh, v3(x, radius * cosine, radius * sine));
        mesh->fixed[node] = is_end && def->fix_rim;
    }
}

static void add_ring(cg_mesh *mesh, const struct vessel *vessel, int piece, int ring)
{
    int top = top_of(vessel), around = vessel->around;
    double x = place_of(vessel, piece, ring), opening = opening_at(vessel->def, x);
    bool is_end = vessel->pieces == 1 ? ring == 0 || ring == vessel->along : ring == (piece == 0 ? 0 : vessel->along);
    for (int turn = 0; turn < around; turn++) {
        int before = (top - turn + around) % around, after = (turn - top + around) % around;
        bool is_before = before <= after; // the top itself is the lip of the cubes before it
        double turned = opening * (1 - 2.0 * (is_before ? before : after) / around);
        double angle = 2 * CG_PI * turn / around + (is_before ? -turned : turned);
        add_pair(mesh, vessel->def, x, angle, is_end);
    }
}

// The other lip of the slit.
static void add_lip(cg_mesh *mesh, const struct vessel *vessel)
{
    for (int ring = vessel->slit_first + 1; ring < vessel->slit_end; ring++) {
        double x = place_of(vessel, 0, ring);
        double angle = 2 * CG_PI * top_of(vessel) / vessel->around + opening_at(vessel->def, x);
        add_pair(mesh, vessel->def, x, angle, false);
    }
}

static bool add_wall(cg_mesh *mesh, const struct vessel *vessel, int piece, int ring)
{
    for (int turn = 0; turn < vessel->around; turn++) {
        // counted on over a gap, so that the two ends there match
        cg_make_cube cube = {.parity = (piece * vessel->along + ring + turn) % 2,
                             .material = &vessel->def->layers[0].material};
        for (int corner = 0; corner < 8; corner++) {
            cube.corner[corner] = node_of_cube(vessel, piece, ring + (corner >> 1 & 1), turn, corner & 1, corner >> 2);
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
    // A face across the wall is at an end of its piece, or a lip of a slit.
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
    add_lip(mesh, vessel);
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
    pairs += def->slit > 0 ? pairs % 2 : 0;
    vessel.around = 2 * pairs < LEAST_AROUND ? LEAST_AROUND : 2 * pairs;
    vessel.along = cg_make_steps(def->length / vessel.pieces, def->spacing);
    if (def->slit > 0) {
        vessel.slit_first = cg_make_steps((def->length - def->slit) / 2, def->spacing);
        int steps = cg_make_steps(def->slit, def->spacing);
        vessel.slit_end = vessel.slit_first + (steps < LEAST_SLIT ? LEAST_SLIT : steps);
        vessel.along = vessel.slit_first + vessel.slit_end;
    }
    double around = vessel.around, along = vessel.along, pieces = vessel.pieces;
    // links: two hulls of rings, of lines along and of diagonals; through the wall straight, and diagonals on rings and
    // between them
    double links = around * (2 * (along + 1) + 2 * along + 2 * along + (along + 1) + (along + 1) + along);
    // a lip more: at most as many links as a line of rings has at one place, and two triangles a cube on either side
    double lip = vessel.slit_end - vessel.slit_first;
    cg_status status =
        cg_make_room(def, allocator, pieces * 2 * around * (along + 1) + 2 * lip, pieces * links + 10 * (lip + 1),
                     pieces * 5 * around * along, pieces * 4 * around * (along + 1) + 4 * lip, mesh);
    if (status.code != CG_OK) {
        return status;
    }
    return cg_make_finish(def, fill(*mesh, &vessel), mesh);
}
