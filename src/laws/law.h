// The law of contact of tissue, with a shape or with tissue, as a row of the tissue's solve. docs/touching.md.
//
// Normal force. The law is
//     N(D) = k d u (1 + s u),   u = d/D - 1:
// soft where it begins, so that light things come to rest on it, and with s above 0 firm where it is pressed hard. With
// D now and D_p
// at the end of the step, if all keeps its velocity, both kept within (0, d], it is taken as its chord, whose slope is
//     k d^2 / (D D_p) (1 + s (u + u_p)).
// A contact that opens gets no row: one whose D_p is beyond d, although the nodes spring back by N over their
// impedance. What the chord leaves is done in the next step; what it leaves too much of is stopped by the walk. k is a
// multiple of the stiffness of the nodes, links and inertia.
//
// Friction. With the traction t of the last step, the slip s that is expected and a spring k_t, which becomes firmer as
// the contact does: trial force N t - k_t s. Within mu N it sticks, and the row is this spring. Beyond, it slides: the
// force is mu N along the trial when the slip is s, and falls with the slope mu N / (|s| + mu N / k_t) when it is less,
// so that friction never drives.
#ifndef CATGUT_LAWS_LAW_H
#define CATGUT_LAWS_LAW_H

#include "tissue/tissue.h"

// [thickness] A contact that was open closes when it is expected to come nearer than this.
#define CG_CONTACT_CLOSES 0.7

typedef struct cg_contact_law {
    double thickness;  // [m] d
    double distance;   // [m] D now
    double stiffness;  // [N/m] of the nodes there
    double part;       // 0 to 1: how much of a whole contact it is, growing as it comes nearer
    double growth;     // [1/thickness] how fast that grows
    double facing;     // 0 to 1: how well the two face each other; changes as they turn
    double turning;    // [1/m] how fast it may change with motions nearer
    double friction;   // coefficient
    double stiffening; // s: how much firmer it becomes as it is pressed
    double calm;       // 0 to 1: motions nearer count from this share of the distance on
    cg_vec3 normal;    // unit, out of the other
    cg_vec3 relative;  // [m] expected motion against the other in this step
    cg_vec3 urge;      // [m] the same, if nothing touched
    cg_vec3 way;       // [m] of the other in this step, where the row does not know it: of a shape
    cg_vec3 traction;  // tangential force of the last step as a share of the normal one
} cg_contact_law;

// [m] How far a point of a triangle would go in this step if nothing touched it.
cg_vec3 cg_contact_urge(const cg_tissue *tissue, const int nodes[3], const double weights[3]);
// True when there is nothing to push: it opens, or has not closed.
bool cg_contact_is_open(const cg_contact_law *law);
// Normal, stiffness and force of a row that has its nodes.
void cg_contact_fill_row(const cg_contact_law *law, cg_tissue_row *row);
// The traction that a contact goes on with, when its row did this [N].
cg_vec3 cg_contact_traction(cg_vec3 force, cg_vec3 normal, double friction);

#endif
