// Suturing: a thread whose tip pierces a sheet when it presses hard enough, and slides through the hole from then on.
//
// The stitch (cg_dae_stitch) is made when the contact force of the tip passes the threshold, where the tip is, at the
// abscissa of the tip; it is taken away when the abscissa leaves the thread. Both happen between steps. A tip that has
// just left its hole is still in the sheet by its radius, and is let out (cg_dae_let_tip_leave); it pierces again
// after.
#ifndef CATGUT_CONSTRAINT_SUTURING_H
#define CATGUT_CONSTRAINT_SUTURING_H

#include "constraint/contact.h"

// Constraints of a stitch: the point and two angles.
enum { CG_SUTURING_BLOCKS = 3 };

typedef struct cg_suturing {
    int thread, sheet;
    double threshold; // [N] above 0
    double tip;       // abscissa of the end that pierces
    int pair;         // the contact of the tip
    int own;          // the abscissa that stitches use, one after another
    int abscissa;     // of the stitch: that one; -1: none
    bool is_through;  // the abscissa has been away from the ends
    double force;     // [N] at which the stitch was made
    int made, ended;  // stitches so far
    int triangle;     // of the sheet, and weights in it: where the stitch is, or will be
    double weights[3];
    enum {
        CG_SUTURING_GOES_ON,
        CG_SUTURING_WILL_PIERCE,
        CG_SUTURING_WILL_END
    } wish; // what is due before the next step
} cg_suturing;

// The end at u (3 or the last) of a thread pierces a sheet.
cg_status cg_suturing_begin(cg_suturing *suturing, cg_dae *dae, int thread, double u, int sheet, double threshold);
// After each step. Prepares the system when it has changed it.
cg_status cg_suturing_follow(cg_suturing *suturing, cg_dae *dae);
// The same in two: at the end of a step, what is due; between steps, which takes memory, that it happens.
void cg_suturing_look(cg_suturing *suturing, const cg_dae *dae);
cg_status cg_suturing_act(cg_suturing *suturing, cg_dae *dae);
// Where the hole is on the thread now: [m] of rest length from its beginning; NaN without a stitch.
double cg_suturing_way(const cg_suturing *suturing, const cg_dae *dae);

#endif
