// Soft tissue in a world: pads of skin with a wound, vessels, lattices, sheets.
//
// A tissue is nodes with mass, linked by springs; its surface is triangles. What it is made of is said in real units
// (Young's modulus, density, thickness); the springs follow from them and from the mesh. A node can be fixed, pulled by
// a hand of limited force, or pushed; what fixed nodes hold back is data. Rigid shapes push it and slide along it with
// friction, when the world has contacts (max_contacts above 0) and the tissue the implicit solver; nothing passes
// through. So do tissues, with each other and with themselves: the lips of a wound, the halves of a cut. Cut surfaces
// can be made to stick where they touch (bond_strength). Threads lie on it (implicit solver).
#ifndef CATGUT_TISSUE_H
#define CATGUT_TISSUE_H

#include <stddef.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/status.h"
#include "catgut/world.h"

CG_API_BEGIN

// How forces are made.
typedef enum cg_tissue_model {
    CG_TISSUE_LATTICE, // a volume of springs
    CG_TISSUE_SKIN,    // a surface of springs under tension, each node drawn home
    CG_TISSUE_SHEET    // a grid that resists stretch, shear and bending
} cg_tissue_model;

// How a tissue moves.
typedef enum cg_tissue_solver {
    CG_TISSUE_IMPLICIT,     // with inertia, stable at any step: the default
    CG_TISSUE_QUASI_STATIC, // towards equilibrium by sweeps outwards from what moved; no inertia
    CG_TISSUE_RUNGE_KUTTA,  // fourth order, explicit: needs small steps, for comparison
    CG_TISSUE_NEUMANN       // of a grid: implicit, the solve replaced by two terms of a series; cloth of equal springs
} cg_tissue_solver;

// What a tissue looks like when it is made.
typedef enum cg_tissue_shape {
    CG_TISSUE_PAD,    // layers of skin on a table, with or without a wound
    CG_TISSUE_VESSEL, // a tube with a wall, whole, severed or slit
    CG_TISSUE_BOX,    // the box lattice of Stanford: a grid linked along the axes and both diagonals of each face
    CG_TISSUE_GRID,   // a flat sheet
    CG_TISSUE_MESH,   // nodes and triangles of the caller, of a mesh file
    CG_TISSUE_VOLUME  // tetrahedra of the caller, of a file or of a filled surface
} cg_tissue_shape;

// The wound of a pad.
typedef enum cg_wound_kind {
    CG_WOUND_NONE,     // whole skin
    CG_WOUND_STRAIGHT, // a slit
    CG_WOUND_ELLIPSE   // skin is missing
} cg_wound_kind;

// A material.
typedef struct cg_tissue_material {
    double young;      // [Pa] Young's modulus, above 0
    double density;    // [kg/m3] above 0
    double strength;   // [Pa] pull that it bears; 0: any. A thread tears out near an edge when it shears the tissue
                       // before it on two sides, at half of this
    double stiffening; // 0 or more: a link stretched by the strain e pulls 1 + stiffening e^2 times as hard
    double toughness;  // [J/m2] 0 or more: work that a blade does for each area that it lays open
    double tear_resistance; // [N/m] 0 or more: pull of a thread, for each length of it inside, that tears the tissue
                            // 5 mm from an edge; it goes with the square root of that distance. 0: it never tears
} cg_tissue_material;

// Most layers of a pad.
#define CG_TISSUE_MOST_LAYERS 8

// A layer of a pad, from the top.
typedef struct cg_tissue_layer {
    double thickness;            // [m] above 0
    cg_tissue_material material; // what it is made of
} cg_tissue_layer;

// Everything that makes a tissue. Start from cg_tissue_def_default.
typedef struct cg_tissue_def {
    cg_tissue_shape shape; // what it looks like
    cg_tissue_model model; // a lattice for pad, vessel, box and volume, or a skin: their surface alone, with its sides,
                           // each face half as thick as the first layer; a sheet for a grid, a skin for a mesh
    cg_tissue_solver solver; // how it moves
    cg_transform pose; // of the shape, within 1e6 m of the origin: a pad lies with its top at z = 0 and its wound along
                       // x, a vessel along x

    cg_vec3 size;   // [m] pad and grid: x and y (z of a pad is the sum of its layers); box: all three
    double spacing; // [m] between nodes, about; above 0
    cg_tissue_layer
        layers[CG_TISSUE_MOST_LAYERS]; // one for all but pad and volume; its thickness counts for grid and mesh too
    int layer_count;                   // 1 to CG_TISSUE_MOST_LAYERS

    cg_wound_kind wound; // of a pad
    double wound_length; // [m] along x
    double wound_width;  // [m] of an ellipse, at its middle
    double wound_depth;  // [m] from the top; a pad deeper than this stays whole below
    double tension;      // [1] pre-strain along y at which a pad is held at its rim: a wound opens by it

    double radius;     // [m] vessel, outer
    double wall;       // [m] vessel
    double length;     // [m] vessel
    double gap;        // [m] vessel: severed in the middle, halves this far apart; 0: whole
    double slit;       // [m] vessel: its wall is open on top, along x, over this length in the middle; 0: whole
    double slit_width; // [m] how far the slit gapes in its middle; 0: its lips lie on each other

    const cg_vec3 *nodes;           // mesh: positions [m]
    int node_count;                 // mesh: of them
    const int (*triangles)[3];      // mesh: counter-clockwise from outside
    int triangle_count;             // mesh: of them
    const struct cg_volume *volume; // volume: nodes, cells, and where they are given regions and where it was cut off
                                    // (catgut/volume.h); read while the tissue is made
    int layer_regions[CG_TISSUE_MOST_LAYERS]; // volume: the number of the region that each layer is the material of;
                                              // what no layer is for has the first one

    const int *sides; // mesh: of each triangle the part of the surface (cg_tissue_side_name); NULL: all are
                      // the top, and fix_rim and fix_bottom mean nothing

    double friction;      // coefficient, 0 or more; with a shape the geometric mean counts
    double damping;       // [s] of stretching: a link resists with damping times its stiffness times its rate
    double drag;          // [1/s] of motion through the surroundings
    double home;          // skin: stiffness of the home springs, as a share of what its edges give a node
    double pre_length;    // skin: natural length of an edge as a share of its length as made (0.8)
    double most_stretch;  // skin, sheet: links longer than this many natural lengths are drawn together after a step
    double pressure;      // how firmly a closed surface keeps its volume [Pa per share of volume]; 0: not
    double bond_strength; // [Pa] 0 or more: cut surfaces that come together (the ends of a severed vessel, the lips of
                          // a wound) stick where they touch, up to this pull or shear; 0: nothing sticks. Needs
                          // contacts and the implicit solver
    double pierce_force;  // [N] 0 or more: a needle with a taper point whose tip presses harder goes through the
                          // surface, in or out (docs/suturing.md); 0: never. Needs cells (pad, box, vessel) or a
                          // closed skin, contacts and the implicit solver
    double pierce_cut;    // [N] 0 or more: what it takes to go on inside
    double pierce_drag;   // [N/m] 0 or more: friction along what of the needle is inside
    double thread_grip;   // [N] 0 or more: what it takes a thread to slide through a hole that its needle made, where
                          // it is not bent round anything
    double tear_force;    // [N] 0 or more: pull of a thread on a bite that tears, wherever the edge is; 0: as the
                          // tear_resistance of the layers says (docs/tearing.md)
    cg_vec3 ball;         // [m] grid with the Neumann solver: the centre of a ball that it lies on, with `friction`
    double ball_radius;   // [m] on which its nodes lie; 0: there is no ball
    double floor;         // [m] likewise: the height (z) of a floor on which its nodes lie
    bool has_floor;       // there is a floor
    bool fix_rim;         // pad, grid, vessel, mesh with sides: nodes of the rim do not move
    bool fix_bottom; // pad, box, mesh with sides: nodes of the bottom do not move; volume: nodes where it was cut off
    int iterations;  // most of the solver in a step, 1 to 1000
    int max_nodes;   // room for nodes that edits add, up to 1000000; 0: half as many again
} cg_tissue_def;

// A pad of 40 x 30 x 5 mm, spacing 2 mm, one layer of training-pad silicone, bottom fixed, no wound.
cg_tissue_def cg_tissue_def_default(void);

// Adds a tissue; between steps only.
cg_status cg_world_add_tissue(cg_world *world, const cg_tissue_def *def, cg_tissue_id *id);
// Removes a tissue; its id becomes invalid.
cg_status cg_world_remove_tissue(cg_world *world, cg_tissue_id id);
// True while the id names a tissue of this world.
bool cg_tissue_is_valid(const cg_world *world, cg_tissue_id id);

// Positions [m] of all nodes, valid until the next step; NULL for a bad id. `count` may be NULL.
const cg_vec3 *cg_tissue_positions(const cg_world *world, cg_tissue_id id, int *count);
// Velocities [m/s] of all nodes.
const cg_vec3 *cg_tissue_velocities(const cg_world *world, cg_tissue_id id, int *count);
// Nodes of one triangle of the surface and, in *side (may be NULL), the part of the surface it belongs to (see
// cg_tissue_side_name); false for a bad index.
bool cg_tissue_get_triangle(const cg_world *world, cg_tissue_id id, int index, int nodes[3], int *side);
// The number of triangles of the surface.
int cg_tissue_triangle_count(const cg_world *world, cg_tissue_id id);
// How a part of the surface is called: "top", "bottom", "rim", "groove" (the lips of a wound), "outer" and "inner" (of
// a vessel); NULL for none.
const char *cg_tissue_side_name(int side);
// How often nodes, links or triangles came or went: while it stays, all numbers stay.
uint64_t cg_tissue_topology_version(const cg_world *world, cg_tissue_id id);
// The most nodes that the tissue can have; 0 for a bad id.
int cg_tissue_max_nodes(const cg_world *world, cg_tissue_id id);
// Where the nodes were made [m]; otherwise as cg_tissue_positions.
const cg_vec3 *cg_tissue_homes(const cg_world *world, cg_tissue_id id, int *count);
// How the tissue was made, but for the arrays of a mesh, which are NULL; false for a bad id.
bool cg_tissue_get_def(const cg_world *world, cg_tissue_id id, cg_tissue_def *def);
// The point of the surface that is nearest to a place [m]: triangle and weights that sum to 1. Returns how far away it
// is [m]; -1 for a bad id or a tissue without surface. Looks at every triangle.
double cg_tissue_nearest(const cg_world *world, cg_tissue_id id, cg_vec3 place, int *triangle, double weights[3]);

// True while a node is fixed.
bool cg_tissue_is_fixed(const cg_world *world, cg_tissue_id id, int node);
// What a tissue is like as a whole, as the last step left it.
typedef struct cg_tissue_summary {
    int node_count;        // of them
    int link_count;        // springs between two nodes
    int cell_count;        // tetrahedra; 0 of a skin or sheet
    int triangle_count;    // of the surface
    double mass;           // [kg]
    double elastic_energy; // [J]
    double kinetic_energy; // [J]
    double farthest;       // [m] of a node from its home
    cg_vec3 reaction;      // [N] on all that holds fixed nodes
    int inverted_cells;    // turned inside out; 0 as it should be
    double removed_mass;   // [kg] that was burnt away
    double torn_length;    // [m] that threads have torn so far, all tears together, as the tissue was made
    double torn_area;      // [m2] and how much that laid open, one side
} cg_tissue_summary;

// Counts, energies and loads; all zero for a bad id.
cg_tissue_summary cg_tissue_get_summary(const cg_world *world, cg_tissue_id id);

// Fixes a node where it is, or frees it.
cg_status cg_tissue_fix(cg_world *world, cg_tissue_id id, int node, bool fixed);
// Moves a fixed node to a place [m], evenly during the next step; where cells would fold on the way it takes more
// steps.
cg_status cg_tissue_move_fixed(cg_world *world, cg_tissue_id id, int node, cg_vec3 place);
// [N] what the tissue does to what holds a fixed node, in the last step; zero for a free one.
cg_vec3 cg_tissue_reaction(const cg_world *world, cg_tissue_id id, int node);
// Adds a force [N] to a point of the surface (triangle and weights that sum to 1), for the next step.
cg_status cg_tissue_push(cg_world *world, cg_tissue_id id, int triangle, const double weights[3], cg_vec3 force);
// [m/N] how far a point of the surface moves in a step for a force on it: a local estimate, on the soft side, for those
// who couple something of their own to it. Symmetric, positive.
cg_status cg_tissue_compliance(const cg_world *world, cg_tissue_id id, int triangle, const double weights[3],
                               double matrix[3][3]);

// The contacts of a tissue, in the order of cg_world_get_contact; 0 for a bad id. A place where it touches itself is
// there once.
int cg_tissue_contact_count(const cg_world *world, cg_tissue_id id);
// Contact number `index` from 0, turned so that the tissue is its first side; false for a bad id or index.
bool cg_tissue_get_contact(const cg_world *world, cg_tissue_id id, int index, cg_contact_info *contact);

// A node of a cut surface that sticks to another place of cut surface, as the last step left it.
typedef struct cg_tissue_bond {
    int node;           // of the tissue
    cg_tissue_id other; // the tissue that it sticks to: itself, or another one
    int triangle;       // of the surface of that
    double weights[3];  // of its nodes: the place of it; sum 1; a little below 0 where the node is just beyond an edge
    cg_vec3 force;      // [N] on the node; on the triangle acts the opposite
    double area;        // [m2] of cut surface that it stands for
    double strength;    // [N] most that it bears: area times the strength of the definition, of two the weaker
    double damage;      // 0 to 1: share of its strength that it has lost by having been drawn too far
} cg_tissue_bond;

// How many nodes of the tissue stick; 0 for a bad id.
int cg_tissue_bond_count(const cg_world *world, cg_tissue_id id);
// Bond number `index` from 0, in the order of nodes; false for a bad id or index.
bool cg_tissue_get_bond(const cg_world *world, cg_tissue_id id, int index, cg_tissue_bond *bond);
// Makes one node of each two of the tissue that stick and lie on each other, between steps: where the ends of a severed
// vessel match and stick all round, the vessel is whole again. Mass and momentum stay; the shape of now becomes the one
// at home. Numbers of nodes and triangles change. *merged (may be NULL) says how many pairs there were; CG_BAD_INPUT,
// and nothing has changed, when there was none.
cg_status cg_tissue_merge_bonds(cg_world *world, cg_tissue_id id, int *merged);

// What a cut did.
typedef struct cg_tissue_cut_result {
    int splits;  // edges that were split
    int parted;  // nodes that are doubled now
    double area; // [m2] of the cut, one side, as the tissue was made; of a skin or sheet its length by thickness
    int pieces;  // that the tissue has now
} cg_tissue_cut_result;

// Most points of the path of one cut.
#define CG_TISSUE_MOST_PATH 4096

// Cuts a tissue as it is now, between steps: all is parted that the strip from a path [m] to the points `down` [m] from
// it passes through. `count` points, 2 to CG_TISSUE_MOST_PATH. Where the strip ends inside, the cut has its tip, not
// beyond the strip by more than a third of an edge; a cut that opens does so by the tissue's own tension, from the next
// step on. A strip that touches nothing changes nothing. CG_FULL: the mesh had no room for all of it; what was cut
// stays cut and is sound. `result` may be NULL.
cg_status cg_tissue_cut(cg_world *world, cg_tissue_id id, const cg_vec3 *path, const cg_vec3 *down, int count,
                        cg_tissue_cut_result *result);
// How much a hot tool has done to a node: 0 nothing, 1 as much as makes it go up in smoke; 0 for a bad id or node.
double cg_tissue_char(const cg_world *world, cg_tissue_id id, int node);
// How many pieces a tissue has that nothing joins; 0 for a bad id.
int cg_tissue_piece_count(const cg_world *world, cg_tissue_id id);
// Which piece a node belongs to, from 0 in the order of their first nodes; -1 for a bad id or node.
int cg_tissue_piece_of(const cg_world *world, cg_tissue_id id, int node);
// Moves the piece of a node into a tissue of its own, between steps: masses, places, velocities, fixed nodes and what
// hands hold of it go along to the last bit. Numbers of nodes and triangles change in both. A hand that holds both
// keeps the part of which it has more nodes. CG_BAD_INPUT when the tissue is in one piece, CG_FULL when the world has
// no room for a tissue; nothing has changed then.
cg_status cg_world_separate_tissue(cg_world *world, cg_tissue_id id, int node, cg_tissue_id *separated);

CG_API_END

#endif
