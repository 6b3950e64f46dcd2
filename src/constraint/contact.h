// Contact as a linear complementarity problem, on the level of places and on that of velocities.
//
// A contact keeps two points apart along a normal n: d = n . (p0 - p1) - thickness >= 0. After Newton's method has
// found the motion of a step, contacts are looked for along it. With H = dd/dx, J the matrix of the step and K = H J^-1
// H^T (constraints included), impulses z >= 0 are found with
//
//     places        d + h K (z - z_now) >= 0,     z . (...) = 0,      and Newton's method goes on with H^T z,
//     velocities    H v + K y >= 0,  y >= 0,      for bodies that did not touch in the step before: an impact,
//
// until z stands still, three times at most. (Bodies that go on touching have no approach left when their places are
// right; corrected twice they would chatter.) The source work takes the mass matrix for J: then a stiff thread that is
// pressed against something jumps at each step.
//
// Who touches whom is said beforehand: the tip of a thread and a sheet, the edges of two threads or of one with itself.
// Sides are those of the beginning of the step, so a motion that goes past in one step is still turned back.
#ifndef CATGUT_CONSTRAINT_CONTACT_H
#define CATGUT_CONSTRAINT_CONTACT_H

#include "constraint/dae.h"

enum { CG_DAE_CONTACTS_MOST = 48, CG_DAE_PAIRS_MOST = 8, CG_DAE_EDGES_A_SPAN = 2 };

typedef struct cg_dae_contact {
    int pair;
    cg_part parts[2];
    cg_vec3 normal;    // from the second to the first
    double thickness;  // [m]
    double gap;        // [m]
    double impulse;    // [N s] of the last step
    int triangle;      // of a sheet; -1: two edges
    double weights[3]; // in it
} cg_dae_contact;

// The end of a spline (u: 3 or its last) against a sheet.
cg_status cg_dae_add_tip_contact(cg_dae *dae, int spline, double u, int sheet, int *pair);
// Edges of two splines; of one with itself when both are the same.
cg_status cg_dae_add_edge_contact(cg_dae *dae, int first, int second, int *pair);
// A pair that is off does not touch.
void cg_dae_switch_contact(cg_dae *dae, int pair, bool is_on);
// A tip that has come out of a hole lies in the sheet by its radius. It touches from now on, on the side where its
// thread is, and is let out: no farther in than it is, until it is out. True until then.
void cg_dae_let_tip_leave(cg_dae *dae, int pair);
bool cg_dae_tip_leaves(const cg_dae *dae, int pair);

// The contacts of the last step, and how many.
int cg_dae_get_contacts(const cg_dae *dae, const cg_dae_contact **contacts);
// [N] of a pair in the last step: the length of the sum of its forces.
double cg_dae_contact_force(const cg_dae *dae, int pair);

#endif
