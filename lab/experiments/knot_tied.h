// Knots that are what they are called: tied, drawn snug with all four ends held, read by the namer, and only then
// loaded.
//
// Two threads are laid along the curve of the knot and released in treacle, without friction, all four ends in hands
// (a stiff knot whose tails are free at this moment loses throws). The hands go apart until the standing ends carry the
// snugging force, and rest. Drawn without friction (as if worked down and shaken until it lies well) the knot then has
// one shape, whatever the step and the spacing; drawn with friction it may jam before it is snug. Now the namer must
// read the wanted throws, for certain. Then the tails are let go, the hands rest again, and the standing ends are
// loaded: drawn apart by hands, or by a dead load.
//
// Slip is how far the standing ends have gone apart under the load, less what the threads have stretched.
#ifndef CATGUT_EXPERIMENTS_KNOT_TIED_H
#define CATGUT_EXPERIMENTS_KNOT_TIED_H

#include "catgut/pull.h"
#include "experiments/knot_rig.h"

typedef struct cg_tied_setup {
    cg_curve_kind kind;
    int throws;
    const char *notation; // how the namer must read it: "1=1"
    double radius;        // [m]
    double bend_share;    // bending stiffness, of that of a solid rod
    double friction;
    double time_step;     // [s]
    double spacing;       // [radii]
    double snug;          // [N] pull of the standing ends at which the knot counts as drawn
    double snug_friction; // coefficient until then; below 0: the same
    bool torque;          // friction turns the threads
} cg_tied_setup;

typedef struct cg_tied_knot {
    cg_knot_rig rig;
    cg_tied_setup setup;
    bool snug;           // it could be drawn to the snugging force
    bool certified;      // the namer read what was wanted, for certain, before the load
    char read[40];       // what it read
    double from, before; // [m] distance of the standing ends and stretch when the load began
    double gauge;        // [N] pull of the standing ends as a gauge shows it, a mean over the last few milliseconds
} cg_tied_knot;

// 3-0 nylon: steps of 0.5 ms, spacing two radii, drawn to 2 N without friction.
cg_tied_setup cg_tied_setup_default(cg_curve_kind kind, int throws, const char *notation, double friction);

// Ties, draws, reads, lets the tails go. On failure the report says why; a knot that is not what it should be is no
// failure, but not certified. End it in either case.
bool cg_tied_begin(cg_tied_knot *knot, const cg_tied_setup *setup, cg_report *report);
void cg_tied_end(cg_tied_knot *knot);

// Draws the standing ends apart until the knot has slipped so far [m] or holds `enough` [N]. Returns the largest pull;
// `enough` when it held it.
double cg_tied_pull(cg_tied_knot *knot, double slip, double enough);
// The pull test of the library (catgut/pull.h) for this knot, by its standing ends, to 20 N.
cg_pull_def cg_tied_pull_def(const cg_tied_knot *knot);
// [N] What it says, at most `enough`; not a number when the knot is not what it should be or could not be pulled.
double cg_tied_hold(const cg_tied_knot *knot, double enough);
// Hangs a dead load [N] on the standing ends for so long [s]. Returns the slip of the last fifth of it [m]; infinite
// when the knot came apart.
double cg_tied_load(cg_tied_knot *knot, double force, double seconds);
// [m]
double cg_tied_slip(const cg_tied_knot *knot);

#endif
