// The show-piece: two short simulations of a suture thread and one picture of both.
#ifndef CATGUT_SHOW_SHOW_H
#define CATGUT_SHOW_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"

enum { CG_SHOW_VERTICES = 201, CG_SHOW_FLASHES = 11, CG_SHOW_TRACE = 600, CG_SHOW_STAGES = 4 };

// A thread clamped at one end is let go from the horizontal.
typedef struct cg_show_fall {
    double length;                                      // [m]
    double flash_interval;                              // [s]
    cg_vec3 flashes[CG_SHOW_FLASHES][CG_SHOW_VERTICES]; // the thread at regular times while it falls
    cg_vec3 trace[CG_SHOW_TRACE];                       // way of the tip
    cg_vec3 rest[CG_SHOW_VERTICES];                     // where it comes to rest
    double exact_shape[CG_SHOW_VERTICES][2];            // where theory says it does; x along, y up, as shares of length
    double tip_drop, exact_tip_drop;                    // [m] at rest
    double simulated_seconds;
    double real_time_factor; // simulated time over CPU time
} cg_show_fall;

// A thread clamped at both ends is twisted until it leaves its line, then its ends are brought together.
typedef struct cg_show_stage {
    double turns;    // of the end
    double approach; // of the ends, as a share of the length
    double torque;   // [N m]
    cg_vec3 points[CG_SHOW_VERTICES];
    cg_vec3 directors[CG_SHOW_VERTICES]; // a line along the material
} cg_show_stage;

typedef struct cg_show_twist {
    double length; // [m]
    double buckling_turns, exact_buckling_turns;
    double steepest_angle; // [degrees] between thread and axis in the last stage
    cg_show_stage stages[CG_SHOW_STAGES];
} cg_show_twist;

// Both return false, with a reason in the report, when something did not come to rest.
bool cg_show_run_fall(cg_show_fall *fall, cg_report *report);
bool cg_show_run_twist(cg_show_twist *twist, cg_report *report);

void cg_show_draw(const cg_show_fall *fall, const cg_show_twist *twist, FILE *out);

#endif
