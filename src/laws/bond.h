// Cut surfaces that stick where they touch: bonds, and their part in the world's step. docs/touching.md.
//
//     begin      bonds become rows of the tissue's own solve
//     (the tissues predict and finish their step)
//     note       what the rows did; bonds that were drawn too far break
//     find       nodes of a cut that have come within touching distance of another cut surface are bound to it
//
// A bond holds a node x over a place p of a triangle with the unit normal n. With y = x - p - g n, g its rest distance,
// the opening is
//
//     e = sqrt(max(n.y, 0)^2 + |y - (n.y) n|^2)
//
// and the bond bears what cohesion.h says. Pressed together (n.y < 0) it pushes with k and suffers nothing. Drawn to
// CG_BOND_END e0 a bond is gone.
//
// S is half the strength [Pa] of the tissue (of two, the weaker) times the share of the node in the cut surface as
// made: nodes of both surfaces are bound, each for its half. g is at least the thickness of the surfaces, where contact
// is silent, so bonds and contact do not fight; n is between the normals of both surfaces.
//
// A node can be bound once it has been out of reach of everything: what a blade has just parted, and what a bond has
// just let go, does not stick again before it was apart.
//
// A bond acts with f on the node and with -f on the place p, a little apart from it. Forces along the normal of the
// triangle (fill_turn in bond.c) make up for the torque of these two, or sheared bonds would turn things by themselves.
// They go into the step as they are at its start.
#ifndef CATGUT_LAWS_BOND_H
#define CATGUT_LAWS_BOND_H

#include "base/archive.h"
#include "collide/sphere_tree.h"
#include "laws/cohesion.h"
#include "tissue/tissue.h"

typedef struct cg_bond {
    int node;          // of the tissue that has the bond
    int other;         // place of the tissue that the triangle belongs to; often its own
    int triangle;      // of the surface of that
    int corners[3];    // its nodes
    double weights[3]; // of them; sum 1; a little below 0 where the node is just beyond an edge
    double rest;       // [m] g
    double area;       // [m2] of the cut that it stands for
    cg_cohesion law;   // S and k
    double worst;      // [m] largest opening so far
    cg_vec3 normal;    // n; zero: not known yet
    cg_vec3 force;     // [N] on the node, in the last step
} cg_bond;

typedef struct cg_bond_triangle {
    int nodes[3];
} cg_bond_triangle;

// A node and a triangle that may come to touch.
typedef struct cg_bond_candidate {
    int node;
    int other; // place of the tissue
    int triangle;
} cg_bond_candidate;

// Bonds of the nodes of one tissue.
typedef struct cg_bond_set {
    cg_allocator allocator;
    void *memory;
    cg_tissue *tissue;
    int place;        // of the tissue among all, for as long as it is there
    double strength;  // [Pa] above 0
    double thickness; // [m] of its surface in contacts

    // state
    cg_bond *bonds; // in ascending order of nodes
    int count;
    bool *is_ready; // per node: it was out of reach and can be bound

    // follows the mesh
    uint64_t version;      // of the mesh that this belongs to; 0: none
    cg_bond_triangle *cut; // the triangles that are cut surface
    int *cut_triangles;    // their numbers
    int *cut_nodes;        // nodes of them, ascending
    int cut_count;         // of triangles
    int cut_node_count;    //
    cg_sphere_tree tree;   // over them
    cg_vec3 *since;        // per cut node: where it was when candidates were listed
    bool is_listed;        // candidates are those of all tissues as they were then
    cg_bond_candidate *candidates;
    int candidate_count, candidate_capacity;
    cg_triangle_list near;
    int *bond_of; // per node: work

    // within a step
    struct cg_bond_set *const *sets; // of all tissues, in order of creation
    int set_count;
    bool is_active;
    cg_tissue_row *rows; // two a bond
    cg_vec3 *apart;      // [m] per bond: node less place on the triangle at the start of the step
    cg_tissue_pusher pusher;
} cg_bond_set;

// bond.c
// Takes memory for a tissue.
cg_status cg_bond_create(cg_tissue *tissue, double strength, double thickness, const cg_allocator *allocator,
                         cg_bond_set **set);
void cg_bond_destroy(cg_bond_set *set);
void cg_bond_visit_state(cg_archive *archive, cg_bond_set *set);
// What follows the mesh is to be found anew: after a load, or when tissues came or went.
void cg_bond_forget_lists(cg_bond_set *set);
// Drops bonds that name what is not there, of a state that was loaded. The array is kept by address.
void cg_bond_check(cg_bond_set *const *sets, int count);
// After all have begun their step and all other pushers were added. The array is kept by address for the step.
void cg_bond_begin(cg_bond_set *const *sets, int count);
// When all motion of the step is made. Returns how many bonds broke.
int cg_bond_note(cg_bond_set *set);
// The set of the tissue at a place; NULL: none.
cg_bond_set *cg_bond_set_at(cg_bond_set *const *sets, int count, int place);
// The sum of the normals of the cut surface around a node, each by twice the area of its triangle [m2].
cg_vec3 cg_bond_cut_normal(const cg_mesh *mesh, int node);

// bond_find.c
// Binds what has come to touch. Returns how many bonds were made.
int cg_bond_find(cg_bond_set *const *sets, int count);
// Lists what is cut surface; true when it belongs to the mesh as it is.
bool cg_bond_list_cut(cg_bond_set *set);

// bond_follow.c: numbers follow edits
// The mesh of `edited` was edited, from entry `from` of its log on. Returns how many bonds were lost.
int cg_bond_follow_edits(cg_bond_set *set, const cg_bond_set *edited, uint64_t from, bool is_lost);
// A piece of `from` was moved to `to`; `number` as cg_tissue_take_piece has it. Called for each set, that of `from`
// last. Returns how many bonds were lost.
int cg_bond_follow_piece(cg_bond_set *set, cg_bond_set *from, cg_bond_set *to, const int *number);
// The tissue at a place is gone. Returns how many bonds went with it.
int cg_bond_drop_other(cg_bond_set *set, int place);
// Merges the nodes of bonds that lie on each other, one by one, and lets their bonds go. Returns how many pairs.
int cg_bond_merge(cg_bond_set *set);

static inline void bond_remove(cg_bond_set *set, int index)
{
    for (int i = index; i + 1 < set->count; i++) {
        set->bonds[i] = set->bonds[i + 1];
    }
    set->count--;
}

#endif
