// A tissue as threads touch it: the second side of touches (rows/touch.h). docs/contact.md has the maths.
//
// Tissue has thousands of nodes and no factor, so what it does is foreseen. With u the motion that it predicts with the
// forces `held` of last time, a node that bears the forces f of touches goes by
//
//     u + C (f - held),      C = (block of the node on the diagonal of the tissue's matrix)^-1 / 0.4,
//
// on the soft side of what it really does, and a point by the weighted sum over its nodes. Touches that share a node
// feel each other by it. When threads have found their forces, the tissue answers with the motion that it really makes;
// where that differs by too much, a next pass begins with it, and `held` are these forces. At rest f = held, so nothing
// is left of the estimate.
//
//     begin      nodes are where the tissue is
//     look       pairs of segments and triangles that may come near are listed, with a margin
//     push       forces of the touches, by node, and how far each node goes in this pass
//     couple     Q += the sum over shared nodes of w_a w_b C
//     walk       the share of the motion of threads and nodes that is safe by true distance
//     move       nodes go that share of their way
//     load, answer, read   the tissue moves by the forces
//     settle     after the tissue's step: whether the way from where it was foreseen to where it is, is safe
#ifndef CATGUT_FIND_SKIN_H
#define CATGUT_FIND_SKIN_H

#include "collide/skin_contacts.h"
#include "geometry/mesh_numbers.h"
#include "rows/touch.h"
#include "tissue/surface.h"

// Points of a tissue that hold threads: anchors, of which more are not known to bear forces and counted as lost, and
// fibres, of which there are no more.
enum { CG_SKIN_MOST_TIES = 256, CG_SKIN_MOST_FIBRES = 200 };

// Points of a tissue, on its surface or inside, that others hold (channel.h).
enum { CG_SKIN_MOST_DEEP = 256 };
typedef struct cg_skin_deep {
    int count; // of the corners; 0: there is no such point
    int nodes[CG_SKIN_CORNERS];
    double weights[CG_SKIN_CORNERS];
} cg_skin_deep;

// How a tissue resists a needle, and the thread behind it.
typedef struct cg_pierce_law {
    double force; // [N] at which a taper point goes through the surface; 0: never
    double cut;   // [N] to go on inside
    double drag;  // [N/m] along what is inside
    double grip;  // [N] that it takes a thread to slide through a hole, where it is not bent
} cg_pierce_law;

// Chains whose numbers of points are kept with a list: with more of them it is always made as a whole.
enum { CG_SKIN_MOST_CHAINS = 256 };

struct cg_skin {
    cg_allocator allocator;
    void *memory;
    cg_tissue *tissue;
    cg_tissue_surface *surface;
    cg_motion_rule rule;

    // What may touch: a list with a margin, so that it serves for many steps. All that is decided with it is decided by
    // true distance, since when it was made is no part of the state.
    cg_skin_pairs pairs;
    bool has_pairs;
    bool is_stale;          // chains have other points than were listed, or other nodes are held
    uint64_t version;       // of the mesh that they belong to
    cg_vec3 *listed;        // [m] per node: where it was when they were listed
    cg_vec3 *listed_points; // [m] per point of all chains, likewise
    int point_count;
    int listed_counts[CG_SKIN_MOST_CHAINS]; // points per chain, likewise
    int chain_count;                        // 0: more than that

    // within a step
    bool is_near;      // threads may touch it
    double clearance;  // [m] above 0: the step has not begun for it, since threads are that far away
    bool is_crowded;   // so may shapes: its way is not its own
    bool stands;       // the tissue has made its step already
    bool is_late;      // for experiments: it does not give way until the next step, when the forces are those of before
    cg_vec3 *start;    // [m] per node: where it was at the start of the step
    cg_vec3 *now;      // [m] where it is in this pass
    cg_vec3 *foreseen; // [m] u above, from the start of the step
    cg_vec3 *moves;    // [m] how far it goes in this pass
    cg_vec3 *force;    // [N] that touches give it
    bool is_pushed_elsewhere; // on nodes that are not listed, too
    cg_vec3 *more;            // [N] beyond what the tissue had reckoned with, in the last answer, at the nodes that are
    int *changed;             // here, in their order
    int changed_count;
    double expected;  // [J] what these do by C
    double worked;    // [J] what they did along the motion foreseen before that answer
    double yielded;   // how many times as far as foreseen the tissue went by them, all together
    cg_mat3 *give;    // [m/N] C above, where `known` says so
    double *firmness; // per node: by which C is made firmer in this step
    int *known;       // per node: the round in which C was worked out
    int round;        // counts the steps, and answers that changed C
    double softness;  // C is taken so many times as soft as by the blocks, since the last answer
    double strayed;   // [m] by how much it was then farther out than foreseen, under the forces, in the mean
    double moved;     // [m] no node is or goes farther from where it was listed; below 0: to be worked out when asked
    double goes;      // [m] the longest of `moves`; below 0: likewise
    int *nodes;       // of the triangles that are listed or hold threads: forces act on no others
    int node_count;
    int tied[CG_SKIN_MOST_TIES + CG_SKIN_MOST_FIBRES]; // triangles that hold threads (laws/tie.h, laws/fibre.h)
    int tie_count;
    int lost_ties; // anchors that found no room there
    cg_skin_deep deep[CG_SKIN_MOST_DEEP];
    int deep_count;    // of those that are there
    bool *mouth;       // per triangle: a needle goes through it, or one that has a node of it; while there is a needle
    cg_pierce_law law; // set by the world
    int *first_row;    // per node, while rows are coupled: the last one that has it; -1: none. See laws/body_tissue.c
};

cg_status cg_skin_create(cg_tissue *tissue, cg_tissue_surface *surface, const cg_allocator *allocator, cg_skin **skin);
void cg_skin_destroy(cg_skin *skin);
// Pairs are listed anew before they are used again: chains have changed.
void cg_skin_forget(cg_skin *skin);
// The same where chains are still those that were listed, with points that came or went here and there, or where others
// hold other nodes: pairs of what is as it was stay.
void cg_skin_renew(cg_skin *skin);

// A step begins: nodes are where the tissue is, and go where it predicts; when it has moved already they stand.
void cg_skin_begin(cg_skin *skin, bool has_moved);
// The same, in the course of a step, for a tissue that threads were far from.
void cg_skin_begin_late(cg_skin *skin, bool has_moved);
// [m] No point of a chain is nearer to the surface of the tissue than this and its radius, now or where it predicts to
// be: quick, by boxes. Needs no beginning.
double cg_skin_clearance(const cg_skin *skin, const cg_chain *chains, int count);
// Whether a chain whose points go no farther than `way` [m] cannot come to it: by boxes, and asked only of ways that
// are long for this tissue. What is clear of it, as a needle that fell off and falls on, says nothing about how far
// pairs must be listed for the others, nor how far these may go in a pass.
bool cg_skin_is_clear(const cg_skin *skin, const cg_chain *chain, double way);
// Whether threads may touch it when no point of them goes farther than `lead` [m]; those that may are marked.
bool cg_skin_look(cg_skin *skin, const cg_chain *chains, int count, double lead, bool *is_near);
// Whether a chain may, when its points go as far as `way` [m] and nodes their motions, each by any share.
bool cg_skin_may_meet(cg_skin *skin, const cg_chain *chains, int count, int chain, double way);
// They go no farther in this step.
void cg_skin_halt(cg_skin *skin);
// And go on all the same.
void cg_skin_resume(cg_skin *skin);
// Brings the list up to date when it does not reach `need` [m] beyond the radii where nodes are, and if there is room
// where they go. Returns by how much pairs may be nearer than they were listed [m]; below 0: there is no room for all
// pairs, and nothing is known.
double cg_skin_cover(cg_skin *skin, const cg_chain *chains, int count, double need);
// The same for all places that nodes pass on that share of their way.
double cg_skin_cover_share(cg_skin *skin, const cg_chain *chains, int count, double need, double share);

// Forces of this pass: cleared, added at a point of the surface, turned into motions of the nodes.
void cg_skin_clear_forces(cg_skin *skin);
void cg_skin_push(cg_skin *skin, int triangle, const double weights[3], cg_vec3 force);
void cg_skin_find_moves(cg_skin *skin);
// [m/N] C of a node.
const cg_mat3 *cg_skin_give(cg_skin *skin, int node);
// Nodes go a share of their motions.
void cg_skin_move(cg_skin *skin, double share);
// The tissue answers to the forces of this pass. Those that touch each other move as one, so all are loaded before one
// answers, and all have answered before one is read.
void cg_skin_load(cg_skin *skin);
void cg_skin_answer(cg_skin *skin);
void cg_skin_read(cg_skin *skin);
// Another pass is needed: notes how far it strayed from what was foreseen, as above, and how soft it must be.
void cg_skin_note_strayed(cg_skin *skin, double strayed);

// How far a point goes in this pass, how far it has gone before in this step, and how far it strays from there when the
// tissue makes the motion that it predicts [m].
cg_vec3 cg_skin_point_move(const cg_skin *skin, int triangle, const double weights[3]);
cg_vec3 cg_skin_point_moved(const cg_skin *skin, int triangle, const double weights[3]);
cg_vec3 cg_skin_point_strayed(const cg_skin *skin, int triangle, const double weights[3]);

// The same for a deep point.
cg_vec3 cg_skin_deep_move(const cg_skin *skin, int number);
cg_vec3 cg_skin_deep_moved(const cg_skin *skin, int number);
cg_vec3 cg_skin_deep_strayed(const cg_skin *skin, int number);
void cg_skin_push_deep(cg_skin *skin, int number, cg_vec3 force);

// The surface as it is in this pass.
cg_skin_surface cg_skin_surface_now(const cg_skin *skin);
// How chains move: the first ones by the moves of their points, the others in some other way.
typedef struct cg_skin_way {
    const cg_vec3 *const *moves; // [m] NULL: all chains stand
    int count;                   // of those that move so
    double others; // [m] no point of the others that are not clear goes farther; they are walked elsewhere
} cg_skin_way;

// The share of these motions in which nothing goes so far that too much is in reach.
double cg_skin_most_share(cg_skin *skin, const cg_chain *chains, int count, const cg_skin_way *way);
// The share of the motion of chains and nodes that is safe, up to `limit`, and the pair that stops it. `count` of all
// chains.
cg_skin_walk cg_skin_walk_share(cg_skin *skin, const cg_chain *chains, int count, const cg_skin_way *way, double limit);
// Once the tissue has made its step: the share of its way from where it was foreseen that is safe while chains stand.
double cg_skin_settle(cg_skin *skin, const cg_chain *chains, int count);
// Then takes it back to that share of this way. False, and nothing is done, when a cell would be folded there; at 0 it
// is where it was.
bool cg_skin_stop(cg_skin *skin, double share);
// The share of the whole step that is safe when chains and nodes go straight from its start to where they are.
double cg_skin_whole_share(cg_skin *skin, const cg_chain *starts, int count, const cg_skin_way *way);

#endif
