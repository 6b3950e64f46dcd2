// The springs of a tissue, compiled from its mesh so that they can be walked fast.
//
// Each spring belongs to the row of one of its ends: the one with more links, or the lower number. In lattices of five
// tetrahedra a cube every other node then has all the springs, a dozen in a row, which is walked much faster than
// short rows of changing length. A row is walked four springs at a time, the lanes of a wide register (linalg/wide.h);
// what is missing to a multiple of four is filled with springs from its node to itself, without stiffness. Positions
// and forces are padded to four doubles a node.
//
//     length l, rest r, direction n          pull  T = k (l - r) (1 + c max(l - r, 0)^2)
//     force on the lower node                T n
//     its derivative                         T' n n^T + T/l (1 - n n^T),   T/l never below 0 (a clamp: the matrix of a
//                                            step stays positive)
//     damping                                t k n n^T v
//
// What a step solves with is kept in single precision: sixteen bytes a spring, m = sqrt(T' + t k/h - a) n and
// a = max(T/l, 0), so that a spring takes u to a u + m (m . u). Forces are double; so the shape at which a tissue comes
// to rest is exact to double precision, and single precision only slows the way there a little.
#ifndef CATGUT_TISSUE_SPRINGS_H
#define CATGUT_TISSUE_SPRINGS_H

#include "base/arena.h"
#include "geometry/mesh.h"
#include "linalg/lanes.h"
#include "linalg/wide.h"

// Numbers of two springs.
typedef float cg_float2 __attribute__((vector_size(8)));
// x, y, z and something that does not count.
typedef float cg_float4 __attribute__((vector_size(16)));

// A vector in the solver's units and precision.
static inline cg_float4 cg_pack(double scale, cg_vec3 v)
{
    return (cg_float4){(float)(scale * v.x), (float)(scale * v.y), (float)(scale * v.z), 0};
}

static inline cg_float4 cg_all4(float value)
{
    return (cg_float4){value, value, value, value};
}

// The dot product of two vectors whose last lane gives 0, in all lanes.
static inline cg_float4 cg_dot4(cg_float4 a, cg_float4 b)
{
    cg_float4 product = a * b;
    product += __builtin_shufflevector(product, product, 1, 0, 3, 2);
    return product + __builtin_shufflevector(product, product, 2, 3, 0, 1);
}

// y, z, x and z, x, y of a vector.
static inline cg_float4 cg_turn4(cg_float4 v)
{
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

static inline cg_float4 cg_turn_back4(cg_float4 v)
{
    return __builtin_shufflevector(v, v, 2, 0, 1, 3);
}

// The product of a symmetric matrix, as xx yy zz and xy yz zx, with a vector.
static inline cg_float4 cg_apply_block(const cg_float4 block[2], cg_float4 v)
{
    return block[0] * v + block[1] * cg_turn4(v) + cg_turn_back4(block[1]) * cg_turn_back4(v);
}

typedef struct cg_wide {
    lanes xy, z; // z and 0
} cg_wide;

// Ends of springs are kept as offsets in bytes into vectors of the solver; places and forces are twice as wide. So the
// walks need no arithmetic to find them.
static inline uint32_t cg_end_of(int node)
{
    return (uint32_t)node * (uint32_t)sizeof(cg_float4);
}

static inline int cg_end_node(uint32_t end)
{
    return (int)(end / sizeof(cg_float4));
}

#define CG_FLOAT4_AT(vector, end) (*(cg_float4 *)((char *)(vector) + (end)))
#define CG_DOUBLE4_AT(wide, end) (*(cg_double4 *)((char *)(wide) + 2 * (size_t)(end)))

// The place, or force, in it.
static inline cg_vec3 cg_wide_point(cg_wide wide)
{
    return (cg_vec3){wide.xy[0], wide.xy[1], wide.z[0]};
}

// Constants of four springs of one row.
typedef struct cg_spring_four {
    cg_double4 rest;      // [m]
    cg_double4 stiffness; // [N/m]
    cg_float4 curve;      // [1/m2] stiffening over the square of the rest length
    cg_float4 made;       // [m] length in the shape at home
} cg_spring_four;

// Of four springs, while the matrix is made: a, and the square of what m is of the vector to the other end.
typedef struct cg_spring_slope {
    cg_float4 across; // [N/m]
    cg_float4 along;  // [N/m3]
} cg_spring_slope;

// Constants of two springs of one node, for the quasi-static solver.
typedef struct cg_spring_pair {
    lanes rest;      // [m]
    lanes stiffness; // [N/m]
    cg_float2 curve; // [1/m2]
} cg_spring_pair;

// A node seen from another one that is linked with it.
typedef struct cg_neighbour {
    double rest, stiffness, curve;
    int node;
    int link; // of the mesh
} cg_neighbour;

// A cell as the volume terms need it.
typedef struct cg_packed_cell {
    int nodes[4];
    float volume;    // [m3] as made
    float stiffness; // [Pa] of what pushes it back when it is squeezed
    bool is_flat;    // so flat that it is always looked at
} cg_packed_cell;

// A squeezed cell in the matrix of a step: stiffness g g^T, g the gradient of its volume.
typedef struct cg_squeezed {
    int cell;
    int nodes[4];
    cg_float4 gradient[4]; // times the root of the stiffness
} cg_squeezed;

// A torsion spring (torsion.c) in the matrix of a step.
typedef struct cg_bent {
    int nodes[3];
    cg_float4 before, after; // directions of the two edges
    float turn_before;       // root of the stiffness over the length of the edge
    float turn_after;
} cg_bent;

// A link of the mesh, as far as springs know it.
typedef struct cg_known_link {
    int ends[2];
    double rest, stiffness, stiffening;
} cg_known_link;

// Most nodes of a row: a point of a triangle against a point of another.
#define CG_ROW_NODES 6

// Something that pushes points of the surface, as a step sees it. Either a point of a triangle is pushed from outside:
// three nodes, weights that sum to 1. Or two points push each other: the nodes of both, weights that sum to 1 and to
// -1. With d the sum of weights times motions at the end of the step, each node gets its weight times
// force - across d - (along - across) (n . d) n.
typedef struct cg_tissue_row {
    int count;                    // of nodes, 1 to CG_ROW_NODES
    int own_count;                // from here on they are nodes of `other`; count when all are of one tissue
    int nodes[CG_ROW_NODES];      //
    double weights[CG_ROW_NODES]; // of the nodes
    struct cg_springs *other;     // of a tissue of the same island; NULL: none
    cg_vec3 normal;               // n, unit
    double along;                 // [N/m] how the force falls along n, at least 0
    double across;                // [N/m] and across it
    cg_vec3 force;                // [N] at the start of the step
} cg_tissue_row;

// Rows of a step, from one who pushes.
typedef struct cg_row_list {
    const struct cg_row_list *next;
    const cg_tissue_row *rows;
    int count;
} cg_row_list;

// A piece as the solver sees it (flight.c).
typedef struct cg_flight {
    cg_vec3 sum;  // of something over its nodes
    double firm;  // [N/m] of all its nodes against the ground
    bool is_held; // a node of it is fixed, or pushed by a row
} cg_flight;

typedef struct cg_springs {
    int node_count, row_count, cell_count;
    int *row_node;         // per row: its node
    int *first_four;       // per row, and one more
    int *last_spring;      // per row: one behind its last spring, or behind one more that does nothing: an even number
    cg_spring_four *fours; //
    uint32_t *end;         // per spring: the node at its other end, as an offset (cg_end_of)
    int *first_neighbour;  // per node, and one more
    cg_neighbour *neighbours;
    cg_known_link *known; // per link: as it was compiled
    int known_count;      //
    cg_packed_cell *cells;
    double (*cell_share)[6]; // [N/m] per cell: the shares that it was packed with
    cg_vec3 *made_at;        // [m] per node: its home then
    int made_count;          // of them
    int *first_cell;         // per node, and one more: where its cells begin
    int *cell_at;            // four a cell: those of each node, in their order
    int celled_count;        // nodes whose cells are listed
    int *row_springs;        // per node: springs of its row, while links are listed
    int *flat;               // the cells that are flat
    int flat_count;          //
    double *home_stiffness;  // per node [N/m]
    double *own_stiffness;   // per node [N/m]: sum over its links
    double shortest;         // [m] rest length of a link
    double home_volume;      // [m3] inside the surface at home
    bool is_closed;          // the surface has an inside

    // set anew in each step
    const cg_row_list *pushed; // what pushes points of the surface; NULL: nothing
    struct cg_springs *next;   // of the same island: tissues that are solved together, because rows join them

    const int *piece;  // per node: which piece it belongs to
    int piece_count;   //
    cg_flight *flight; // per piece
    bool is_flying;    // there is a piece that nothing holds

    // within a step
    cg_wide *place;          // per node
    cg_wide *force;          // per node
    unsigned char *strained; // per node: a link of it has changed its length a lot since it was made
    int *marked;             // the nodes that are
    int marked_count;        //
    cg_float4 *matrix;       // per spring: m and a
    cg_spring_slope *slope;  // per four springs
    float *ground;           // per node: mass, drag, home spring and grips
    cg_float4 *diagonal;     // per node two: xx yy zz, xy yz zx of its block; quasi-static: of the inverse
    cg_float4 *straight;     // per node: xx yy zz of the inverse block
    cg_float4 *crossed;      // per node: xy yz zx
    cg_squeezed *squeezed;   //
    int squeezed_count;
    cg_bent *bent; //
    int bent_count, bent_room;
    cg_float4 *swell; // per node: root of the stiffness times the gradient of the volume inside the surface
    bool is_swelling; // swell counts
    cg_float4 *move, *residual, *ahead, *response, *coast, *coast_response; // per node, of the solver
    cg_float4 *first_residual;                                              // per node: as the solver found it
    int *level, *order;     // per node, of the quasi-static solver: how far from what moved, and nodes in that order
    unsigned char *is_seed; // per node: the order begins there
    bool is_ordered;        // level and order belong to is_seed
    int *first_around;      // per place in the order, and one more: all links of the node there, in pairs
    cg_spring_pair *around; //
    int *around_node;       // two a pair
    cg_vec3 *saved[4];      // per node, of the Runge-Kutta solver
} cg_springs;

// The vectors of the solver that a matrix is multiplied with, and their products.
typedef enum cg_vector {
    CG_MOVE,
    CG_AHEAD,
    CG_RESPONSE,
    CG_COAST,
    CG_COAST_RESPONSE,
    CG_RESIDUAL,
    CG_NO_VECTOR
} cg_vector;

static inline cg_float4 *cg_vector_of(const cg_springs *springs, cg_vector vector)
{
    switch (vector) {
    case CG_MOVE:
        return springs->move;
    case CG_AHEAD:
        return springs->ahead;
    case CG_RESPONSE:
        return springs->response;
    case CG_COAST:
        return springs->coast;
    case CG_COAST_RESPONSE:
        return springs->coast_response;
    case CG_RESIDUAL:
    default:
        return springs->residual;
    }
}

// compile.c
// What a tissue's way to move needs beside the rest.
typedef enum cg_springs_need { CG_SPRINGS_NEED_MATRIX, CG_SPRINGS_NEED_ORDER, CG_SPRINGS_NEED_SAVED } cg_springs_need;
void cg_springs_lay_out(cg_springs *springs, cg_arena *arena, const cg_mesh_limits *limits, cg_springs_need need);
// Sorts the links of the mesh. `home` is the share that home springs have of what links give a node.
void cg_springs_compile(cg_springs *springs, const cg_mesh *mesh, double home);
// Lists all links of each node in pairs, in the order of the quasi-static solver.
void cg_springs_list_around(cg_springs *springs);

// force.c
// Brings the positions into `place`.
void cg_springs_place(cg_springs *springs, const cg_vec3 *position);
// Sets `force` to that of all springs.
void cg_springs_force(cg_springs *springs);
// A spring of the row is strained: marks the ends of all that are, in `strained` and `marked`.
void cg_springs_mark_row(cg_springs *springs, int row);
// Marks all nodes.
void cg_springs_mark_all(cg_springs *springs);

// matrix.c
// Forces and marks, the springs of the matrix, and the sums of its diagonal blocks. `damping` is that of the definition
// over the length of a step.
void cg_springs_linearise(cg_springs *springs, double damping);
// Inverts the diagonal blocks, with the ground in them, into `straight` and `crossed`; zero for fixed nodes.
void cg_springs_invert_blocks(cg_springs *springs, const bool *fixed);

// multiply.c
// A ahead, all terms but the rows: response = that of the ground, then response += that of all others.
void cg_springs_multiply_ground(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response);
void cg_springs_multiply(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response);

// volume.c
// Forces that push squeezed cells back; with `matrix` also their share in it. Looks at cells with strained nodes only.
// Returns how many it found.
int cg_springs_squeeze(cg_springs *springs, bool matrix);
// Changes `move` where cells would be turned inside out by it; `unit` is the motion [m] of a 1 in it. Looks at squeezed
// cells; with `harmless` [m] above 0 also at strained ones and those whose nodes move against each other by more.
// Returns the share of the motion that may be made: 1 unless nothing else helps, 0 if none.
double cg_springs_keep_cells(cg_springs *springs, const bool *fixed, double unit, double harmless, int *mended);
// Forces of a surface that keeps its volume; `pressure` in Pa per share of volume.
void cg_springs_swell(cg_springs *springs, const cg_mesh *mesh, double pressure, bool matrix);
// [m3] inside the surface.
double cg_surface_volume(const cg_mesh *mesh, const cg_vec3 *position);
// A cell that has less than this share of its volume left is pushed back.
#define CG_SQUEEZED_SHARE 0.6

// torsion.c
// Forces of the torsion springs at pierced nodes; with `matrix` also their share in it, `damping` as in linearise.
void cg_springs_bend(cg_springs *springs, const cg_mesh *mesh, const bool *pierced, bool matrix, double damping);
void cg_springs_multiply_bent(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response);

// rows.c
// Adds the forces of rows to those of the nodes, and their stiffness to the blocks of the nodes.
void cg_springs_add_rows(cg_springs *springs);
// response += (rows) vector, for any of the vectors of the solver.
void cg_springs_multiply_rows(cg_springs *springs, cg_vector vector, cg_vector response);

// flight.c: all tissues of an island, the first of which is given
// Pieces with a fixed node are held; `piece` and `ground` are given. Of one tissue.
void cg_springs_begin_flight(cg_springs *springs, const bool *fixed);
// So are those that rows push. The others fly.
void cg_springs_find_flight(cg_springs *first);
// Moves them by what is missing in their flight.
void cg_springs_take_flight(cg_springs *first);
// Takes their flight out of a vector, and what the matrix makes of it out of its product unless that is CG_NO_VECTOR.
void cg_springs_drop_flight(cg_springs *first, cg_vector vector, cg_vector response);

// conjugate.c: all tissues of an island as one, the first of which is given
// What a solve needs and finds. `residual`, `move` (what is prescribed to fixed nodes), `coast` and the matrix are
// given.
typedef struct cg_solve {
    int most_iterations;
    double tolerance; // ends when the residual, measured by the preconditioner, is this share of the first one
    bool has_coast;   // `coast` is a direction that the solution is likely to have a part in
    bool is_moving;   // fixed nodes move
    int iterations;   // found
    double share;     // found: what is left of the residual
    double coast_norm;
} cg_solve;
// Starts with the prescribed motion and the best multiple of `coast`, then iterates.
void cg_springs_solve(cg_springs *springs, cg_solve *solve);
// Goes on after `residual` was changed.
void cg_springs_solve_on(cg_springs *springs, cg_solve *solve);

// The parts of an energy [J], for measures and tests.
double cg_springs_energy(const cg_springs *springs);
double cg_springs_squeeze_energy(const cg_springs *springs);
double cg_springs_swell_energy(const cg_springs *springs, const cg_mesh *mesh, double pressure);
double cg_springs_bend_energy(cg_springs *springs, const cg_mesh *mesh, const bool *pierced);

#endif
