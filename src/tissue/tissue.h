// Soft tissue: a mesh (geometry/mesh.h) with velocities, forces and the arrays of its solvers, and the verbs that the
// world's step calls. docs/tissue.md has the maths.
//
//     begin_step     notes the step; arrays are compiled anew when the mesh was edited
//     predict        the motion of this step, if others (contacts, anchors) push as they did in the last one
//     add_force      the forces that others found for this step
//     answer         the motion with these forces instead; others may look, and find other forces
//     finish_step    the same, unless it has answered; positions, velocities and reactions
//
// Invariants (checked by cg_tissue_validate in debug builds)
//   1. every number of the state is finite.
//   2. a fixed node is at its target, or on the way there; targets of others mean nothing.
//   3. compiled arrays belong to mesh->topology_version == compiled_version, once a step has begun.
#ifndef CATGUT_TISSUE_TISSUE_H
#define CATGUT_TISSUE_TISSUE_H

#include "base/archive.h"
#include "base/arena.h"
#include "base/mat3.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "catgut/status.h"
#include "catgut/tissue.h"
#include "geometry/mesh_edit.h"
#include "geometry/mesh_numbers.h"
#include "geometry/mesh_open.h"
#include "geometry/mesh_patch.h"
#include "tissue/springs.h"

// Nodes whose motions are summed up together.
#define CG_TISSUE_BLOCK 64

// Most nodes that one grip holds.
#define CG_TISSUE_MOST_GRIPPED 32

// A patch that something soft holds, as a step sees it. It belongs to what holds the tissue. On each node, at x at the
// end of the step, acts force - slope (x - place).
typedef struct cg_tissue_grip {
    const struct cg_tissue_grip *next; // of the same tissue
    int count;
    int nodes[CG_TISSUE_MOST_GRIPPED];
    cg_vec3 places[CG_TISSUE_MOST_GRIPPED]; // [m] of each node
    cg_vec3 forces[CG_TISSUE_MOST_GRIPPED]; // [N] on each node when it is there
    double slope;                           // [N/m] how the force falls with each metre beyond
    double share;                           // 0 to 1: of the hold that is in it
} cg_tissue_grip;

// A hand of limited force that holds a patch: a spring and a damper from each node to its own target.
typedef struct cg_tissue_hold {
    int count;
    int nodes[CG_TISSUE_MOST_GRIPPED];
    cg_vec3 targets[CG_TISSUE_MOST_GRIPPED]; // [m] of each node at the end of the step
    cg_vec3 speeds[CG_TISSUE_MOST_GRIPPED];  // [m/s] of the targets
    double stiffness;                        // [N/m] of all nodes together
    double damping;                          // [N s/m] of all nodes together
    double most_force;                       // [N] the sum of what pulls at the nodes is kept below it
    bool slips;                              // and what pulls at the patch as a whole below the next
    double most_drag;                        // [N]
} cg_tissue_hold;

// One who pushes the surface of a tissue in a step by rows. It belongs to who pushes, and stays where it is until the
// step ends.
typedef struct cg_tissue_pusher {
    cg_row_list list;            // its rows: set by `push`, of the tissue and others of the same island
    void (*push)(void *context); // called in predict, when all other forces are known
    void *context;
    bool keeps_awake;              // a tissue with such rows does not sleep
    struct cg_tissue_pusher *next; // of the same tissue
} cg_tissue_pusher;

// What the last step did.
typedef struct cg_tissue_stats {
    int iterations;           // of the solver
    double residual;          // of the solver: what is left of the first residual, 0 to 1
    double share;             // of the motion that was taken, 0 to 1
    int visited_nodes;        // quasi-static: nodes moved in all sweeps together
    int squeezed_cells;       // pushed back because little of their volume was left
    int mended_cells;         // kept from being turned inside out
    int limited_links;        // drawn together because they were longer than they may be
    uint64_t shortened_steps; // so far: steps whose motion was shortened, so that no cell folds, or slowed down after
                              // it, so that no energy appears
    uint64_t recovered_steps; // so far: steps refused because a number was not finite: the tissue stood still
} cg_tissue_stats;

// A hole in a skin, which heals when nothing goes through it any more (skin_heal.c).
typedef struct cg_skin_hole {
    bool is_split;       // the skin was split for it; else it is a node that was there
    cg_mesh_patch patch; // its node, and what to undo
} cg_skin_hole;
// Holes that are known; more than these stay for good.
enum { CG_SKIN_MOST_HOLES = 64 };

typedef struct cg_tissue {
    cg_allocator allocator;
    void *memory;

    cg_mesh *mesh; // its own
    cg_tissue_model model;
    cg_tissue_solver solver;
    double damping, drag, home, most_stretch, pressure; // as in the definition
    double cutout; // [m] quasi-static: a level in which no node moves further ends a sweep; 0: none does
    int iterations;
    double toughness[CG_TISSUE_MOST_LAYERS];       // [J/m2] of each layer
    double strength[CG_TISSUE_MOST_LAYERS];        // [Pa]
    double tear_resistance[CG_TISSUE_MOST_LAYERS]; // [N/m]
    double tear_force;                             // [N]
    double thickness;                              // [m] of a skin or sheet
    double grain;                                  // [m] mean length of the edges that it was made with
    double longest;                                // [m] of these edges
    double firmness;                               // [N/m] mean stiffness of them

    // state, beside the mesh's
    cg_vec3 *velocity;         // per node
    cg_vec3 *push;             // per node: forces of the coming step
    cg_vec3 *target;           // per node: where a fixed node goes
    cg_vec3 *reaction;         // per node [N]: of the tissue on what holds a fixed node, in the last step
    double *heat;              // [J/kg] per node: that a hot tool brought
    bool is_heated;            // some node has
    bool *pierced;             // per node: torsion springs keep it in the surface around it
    cg_skin_hole *holes;       // of a skin
    int hole_count, hole_room; // room is 0 of other tissue
    uint64_t followed;         // edits of the mesh that the arrays above have followed
    bool is_pushed;            // there are pushes
    cg_vec3 *held;             // per node: forces of others in the last step
    bool has_held;             // there were such forces
    bool asleep;               // at rest, and nothing has happened since: a step does nothing
    double slept_step;         // [s] and the step and gravity of that
    cg_vec3 slept_gravity;
    cg_tissue_stats stats;

    double fastest; // [m/s] of the fastest node; below 0: not known. Follows from the velocities
    double *travel; // [m] per CG_TISSUE_BLOCK nodes: none of them has gone farther in all steps of the implicit solver

    // set anew before each step
    const cg_tissue_grip *grips;   // the first; NULL: none
    cg_tissue_pusher *pushers;     // the first that pushes its surface; NULL: none
    struct cg_tissue *next_joined; // of the same island: tissues that are solved together; NULL: the last
    struct cg_tissue *island;      // the first of it, which moves it; NULL: it is itself the first

    // Told whenever the arrays above have followed edits of the mesh: entries of the log from `from` on, or, when the
    // log had forgotten some of them (`is_lost`), nobody knows which. NULL: nobody is told.
    void (*watcher)(void *context, uint64_t from, bool is_lost);
    void *watcher_context;

    // compiled from the mesh
    int *piece; // per node: which piece it belongs to
    int piece_count;
    uint64_t pieces_version; // of the mesh that the pieces belong to; 0: of none
    uint64_t compiled_version;
    bool is_compiled;
    cg_springs springs;
    struct cg_neumann *neumann; // of the Neumann solver; NULL: it is another one

    // within a step
    double time_step;
    cg_vec3 gravity;
    bool is_resting; // nothing to do in this step
    bool is_refused; // a number was not finite
    double share;    // of the motion that the island makes
    double furthest; // [m] how far the node goes that goes furthest
    double scale;    // of the solver's forces and motions: a power of two that makes the largest force about 1
    cg_solve solve;
    bool was_added;   // a force of others has come
    bool is_answered; // the motion is that with these forces
    cg_vec3 *added;   // per node: such forces
} cg_tissue;

// tissue.c: making and unmaking, and the state as one list
// Makes mesh and tissue from a definition.
cg_status cg_tissue_create(const cg_tissue_def *def, const cg_allocator *allocator, cg_tissue **tissue);
// Makes a tissue on a mesh. It takes the mesh over, also when it fails.
cg_status cg_tissue_adopt(cg_mesh *mesh, const cg_tissue_def *def, const cg_allocator *allocator, cg_tissue **tissue);
void cg_tissue_destroy(cg_tissue *tissue);
void cg_tissue_visit_state(cg_archive *archive, cg_tissue *tissue);
// Whether mesh and motion can be; a state that was loaded may be anything.
cg_status cg_tissue_check(const cg_tissue *tissue);
void cg_tissue_after_load(cg_tissue *tissue);
void cg_tissue_validate(const cg_tissue *tissue);
// Why a definition cannot be used; CG_OK when it can.
cg_status cg_tissue_def_check(const cg_tissue_def *def);

// motion.c: the verbs of a step
void cg_tissue_begin_step(cg_tissue *tissue, double time_step, cg_vec3 gravity);
// Something pushes points of the surface in this step (implicit solver only); after begin_step.
void cg_tissue_add_pusher(cg_tissue *tissue, cg_tissue_pusher *pusher);
// From now to the end of the step the islands of these two are one, and wake; both implicit. Rows may reach from one to
// the other.
void cg_tissue_join(cg_tissue *first, cg_tissue *second);
// For the pusher: [m] how far a node would go in this step without it, if all around stood still; of a fixed node how
// far it goes.
cg_vec3 cg_tissue_node_urge(const cg_tissue *tissue, int node);
// [N/m] what holds a node in this step: its links and its inertia.
double cg_tissue_node_stiffness(const cg_tissue *tissue, int node);
void cg_tissue_predict(cg_tissue *tissue);
void cg_tissue_add_force(cg_tissue *tissue, const cg_mesh_point *point, cg_vec3 force);
// Takes back all that was added in this step.
void cg_tissue_forget_forces(cg_tissue *tissue);
void cg_tissue_add_node_force(cg_tissue *tissue, int node, cg_vec3 force);
// The tissue (implicit solver only) moves by the forces that were added instead of those that it reckoned with. The
// same forces again change nothing.
void cg_tissue_answer(cg_tissue *tissue);
void cg_tissue_finish_step(cg_tissue *tissue);
// After it: of its motion in this step, from `start`, one place a node, the tissue makes this share.
void cg_tissue_take_share(cg_tissue *tissue, const cg_vec3 *start, double share);
// All of them, with no forces of others.
void cg_tissue_step(cg_tissue *tissue, double time_step, cg_vec3 gravity);

// Between steps
// A force [N] for the coming step, on a point of the surface or a node.
void cg_tissue_push_point(cg_tissue *tissue, const cg_mesh_point *point, cg_vec3 force);
void cg_tissue_push_node(cg_tissue *tissue, int node, cg_vec3 force);
// Fixes a node where it is, or frees it.
void cg_tissue_fix_node(cg_tissue *tissue, int node, bool fixed);
// Where a fixed node goes in the coming step.
void cg_tissue_aim_node(cg_tissue *tissue, int node, cg_vec3 place);
// Marks a node as pierced, or as whole again.
void cg_tissue_pierce_node(cg_tissue *tissue, int node, bool pierced);
// Something changed from outside (an edit of the mesh, a moved node): the tissue must not sleep on.
void cg_tissue_wake(cg_tissue *tissue);

// follow.c: the state of nodes follows the log of the mesh
void cg_tissue_follow_edits(cg_tissue *tissue);
// All that is to be done after edits: the state follows, the arrays are compiled anew.
void cg_tissue_adapt(cg_tissue *tissue);

// cut.c: cuts and pieces
// Cuts along a strip; the state follows while the cut goes on, so that nothing is lost however long it is. Of the
// blade, `least`, `keep_up` and `context` are set here.
cg_status cg_tissue_cut_along(cg_tissue *tissue, const cg_mesh_blade *blade, cg_mesh_cut_result *result);
// How many pieces there are; which one each node belongs to is in `piece` then, from 0.
int cg_tissue_find_pieces(cg_tissue *tissue);
// An empty tissue that a piece of this one can be moved to.
cg_status cg_tissue_make_room(cg_tissue *tissue, int node, const cg_tissue_def *def, const cg_allocator *allocator,
                              cg_tissue **made);
// Moves the piece of a node with all its state. `number` says for each node where it is afterwards: n in this tissue,
// or -1 - n in the other. CG_BAD_INPUT when there is one piece only; CG_FULL: no room; nothing has changed then.
cg_status cg_tissue_take_piece(cg_tissue *tissue, int node, cg_tissue *into, int *number);

// skin_edit.c: how holes and tears change a skin
// Subdivides a skin around a point of its surface, which becomes one of its nodes: three triangles, and their outer
// edges split by the edge mask of Loop. *point is that node afterwards. A point near a node is that node. False, and
// nothing has changed, when the mesh is full. `is_crowded`: things are near, so the surface stays where it is now; at
// home it is as ever.
bool cg_tissue_pierce_skin(cg_tissue *tissue, cg_mesh_point *point, bool is_crowded);
// Whether a point with this weight is the node that has it; the node that a point is at; -1: it is at none.
bool cg_tissue_is_node_weight(double weight);
int cg_tissue_node_of_point(const cg_tissue *tissue, const cg_mesh_point *point);
// The point of the surface that a node is, on the triangle of it that looks most in a direction.
cg_mesh_point cg_tissue_point_of_node(const cg_tissue *tissue, int node, cg_vec3 direction);
// A point at a node stays there when the triangle goes that it is on, on one that looks as that did. False when it was
// at none, or that has gone.
bool cg_tissue_follow_node_point(const cg_tissue *tissue, const cg_mesh_numbers *numbers, cg_mesh_point *point);
// Tears a closed skin from two of its nodes on, those of a bite, ahead by what the section says, or as far as it goes;
// they become the nodes where it ends. Both are -1 when nothing is left before them.
typedef enum cg_skin_tear {
    CG_SKIN_TORN,
    CG_SKIN_TORN_OUT, // nothing is left before them
    CG_SKIN_HOLDS     // there is no room, or no way that could be torn; edges on the ways tried may be split
} cg_skin_tear;
cg_skin_tear cg_tissue_tear_skin(cg_tissue *tissue, const cg_mesh_section *section, int nodes[2]);

// skin_heal.c: holes of a skin, until they heal
// A hole that is a node of the mesh.
cg_skin_hole cg_tissue_hole_at(int node);
void cg_tissue_note_hole(cg_tissue *tissue, const cg_skin_hole *hole);
// Whether a hole can heal: the skin around it is as it was made when the hole was.
bool cg_tissue_can_heal(const cg_tissue *tissue, int hole);
// [m] How far the surface around a hole is from the one that there will be.
double cg_tissue_hole_bulge(const cg_tissue *tissue, int hole);
// Heals it: the mesh is as it was before, where no other hole is near to the last bit; the others get other numbers.
// False, and nothing has changed, when it cannot.
bool cg_tissue_heal(cg_tissue *tissue, int hole);
// Numbers of nodes follow edits; holes of which one has gone are known no more. `is_lost`: so are all.
void cg_tissue_follow_holes(cg_tissue *tissue, uint64_t from, bool is_lost);
void cg_tissue_visit_holes(cg_archive *archive, cg_tissue *tissue);
bool cg_tissue_holes_are_sound(const cg_tissue *tissue);

// A reaction beyond all numbers, of forces near the largest there is, becomes none: state is finite.
static inline cg_vec3 cg_tissue_known_reaction(cg_vec3 force)
{
    return v3_is_finite(force) ? force : v3_zero();
}

// implicit.c, quasi_static.c, runge_kutta.c, neumann.c: how a tissue moves
void cg_tissue_predict_implicit(cg_tissue *tissue);
void cg_tissue_answer_implicit(cg_tissue *island);
// The share of its motion in which no linked nodes move too far against each other.
double cg_tissue_apart_share(const cg_tissue *island);
void cg_tissue_finish_implicit(cg_tissue *tissue);
void cg_tissue_step_quasi_static(cg_tissue *tissue);
// Parts in which an explicit step of that length would have to be made; more than CG_TISSUE_MOST_PARTS are not made.
double cg_tissue_explicit_parts(const cg_tissue *tissue, double time_step);
#define CG_TISSUE_MOST_PARTS 200
void cg_tissue_step_runge_kutta(cg_tissue *tissue);
void cg_tissue_step_neumann(cg_tissue *tissue);

// energy.c: what appeared in a step that nothing drives
// Nothing but gravity acts on the tissue in this step.
bool cg_tissue_is_undriven(const cg_tissue *tissue);
// And it moves by so much [m] that energy can appear.
bool cg_tissue_may_gain(const cg_tissue *tissue, double furthest);
// [J] elastic, kinetic and of gravity, with the nodes at these places; `room` is for one place a node.
double cg_tissue_energy_at(cg_tissue *tissue, cg_wide *room, const cg_vec3 *position);
// After the motion: takes what is above `before` from the velocities. True when there was something.
bool cg_tissue_take_gain(cg_tissue *tissue, double before);

// skin.c
// Draws links together that are longer than they may be. Returns how many there were.
int cg_tissue_limit_stretch(cg_tissue *tissue);

// hold.c: grips
// The grip by which a hand of limited force pulls in a step of this length.
cg_tissue_grip cg_tissue_grip_of(const cg_tissue *tissue, const cg_tissue_hold *hold, double time_step);
// [N] what a grip did to the tissue in the last step, all nodes together.
cg_vec3 cg_tissue_grip_force(const cg_tissue *tissue, const cg_tissue_grip *grip);

// rows.c: points that are pushed
// Nodes at the start of a step and now.
typedef struct cg_row_side {
    const cg_vec3 *start, *now;
} cg_row_side;
// [N] what a row did to points of weight 1 when the nodes moved; `other` for nodes of another tissue, or NULL.
cg_vec3 cg_tissue_row_force(const cg_tissue_row *row, const cg_row_side *own, const cg_row_side *other);

// measure.c: what can be asked
// Where a point of the surface is [m], where it will be once the predicted motion is made, and its velocity [m/s].
cg_vec3 cg_tissue_point_place(const cg_tissue *tissue, const cg_mesh_point *point);
cg_vec3 cg_tissue_point_foreseen(const cg_tissue *tissue, const cg_mesh_point *point);
cg_vec3 cg_tissue_point_velocity(const cg_tissue *tissue, const cg_mesh_point *point);
// [m/N] how far a point moves in a step of this length for a force on it: a local estimate, on the soft side.
cg_mat3 cg_tissue_point_compliance(const cg_tissue *tissue, const cg_mesh_point *point, double time_step);
// The same for a node alone, 0 when it is fixed: points move by the sum over the nodes they share.
cg_mat3 cg_tissue_node_compliance(const cg_tissue *tissue, int node, double time_step);
// The same of a node as if nothing fixed it.
cg_mat3 cg_tissue_loose_compliance(const cg_tissue *tissue, int node, double time_step);
// What share of the predicted motion the tissue, and all that it touches, will make at most.
double cg_tissue_foreseen_share(cg_tissue *tissue);
// [m] how far a node goes by the whole of it.
cg_vec3 cg_tissue_node_foreseen(const cg_tissue *tissue, int node);
// The same for all nodes, by a share.
void cg_tissue_foresee_nodes(const cg_tissue *tissue, double share, cg_vec3 *motions);
// [m/s] of the fastest node; costs nothing after a step of the implicit solver.
double cg_tissue_fastest(const cg_tissue *tissue);
// [J] of springs, squeezed cells and pressure; of motion.
double cg_tissue_elastic_energy(cg_tissue *tissue);
double cg_tissue_kinetic_energy(const cg_tissue *tissue);
// The smallest volume of a cell as a share of what it was made with (1 without cells), and how many are turned inside
// out.
double cg_tissue_smallest_cell(const cg_tissue *tissue, int *inverted);

#endif
