// The pull test: how much does a knot hold?
//
// The knot is loaded as a wound loads it, on a copy in which there is nothing but its thread; the world itself is only
// looked at. A knot in one thread is taken by the two legs of the loop that its innermost throw closes, the loop being
// cut between them; one in two threads by the end of each that is longer. Both are drawn apart at a steady rate, tails
// free, until the knot has slipped by so much that it counts as failed, until the thread breaks, or until it has borne
// what a thread of its size bears in a knot. docs/knots.md says more.
#ifndef CATGUT_PULL_H
#define CATGUT_PULL_H

#include "catgut/api.h"
#include "catgut/knot.h"
#include "catgut/world.h"

CG_API_BEGIN

// Who asks waits for the answer: a pull ends after so many steps of 0.5 ms, and threads of more vertices are refused.
enum { CG_PULL_MOST_STEPS = 4000, CG_PULL_MOST_VERTICES = 4000 };

// How a knot is loaded. Start from cg_pull_def_default.
typedef struct cg_pull_def {
    cg_thread_id thread;   // in which it is tied
    cg_thread_id other;    // the second thread, of a knot in two; names none: it is tied in one
    cg_knot_pull pulls[2]; // of a knot in two threads: which end of each is pulled
    double speed;          // [m/s] at which the two legs part, above 0
    double slip;           // [m] that counts as failed; 0: 1.8 mm, or 16 radii of a thread thicker than 3-0
    double enough;         // [N] at which the test ends, the knot holding; 0: as much as the thread bears in a knot
} cg_pull_def;

// What became of the knot.
typedef enum cg_pull_outcome {
    CG_PULL_NO_KNOT, // there is none to be loaded: no throws, or a loop too small to have legs
    CG_PULL_SLIPPED, // it failed by slipping
    CG_PULL_BROKE,   // its thread broke; of a thread that can break
    CG_PULL_HELD,    // it held `enough`
    CG_PULL_STUCK    // neither, in CG_PULL_MOST_STEPS: too loose, or the motion could not be made
} cg_pull_outcome;

// What a pull test found.
typedef struct cg_pull_result {
    cg_pull_outcome outcome; // what became of it
    double force;            // [N] the largest pull, as a gauge with 4 ms shows it; that of the last step, if it broke
    double slip;             // [m] how far the legs came apart at the end, without the stretch of the thread
    double seconds;          // simulated, of the pull
    cg_knot_report knot;     // what was loaded
} cg_pull_result;

// 40 mm/s; the rest by the thread.
cg_pull_def cg_pull_def_default(cg_thread_id thread);
// Loads the knot on a copy. Takes memory while it works, and some hundred steps of a world with this thread alone; at
// most CG_PULL_MOST_STEPS.
cg_status cg_pull_test(const cg_world *world, const cg_pull_def *def, cg_pull_result *result);

// [N] what counts for a task: what it bore; a knot that is none bears nothing.
double cg_pull_holding_force(const cg_pull_result *result);
// "no knot", "slipped", "broke", "held" or "stuck".
const char *cg_pull_outcome_word(cg_pull_outcome outcome);
// The result in words that a program can read again, as recordings have it:
//     pull test: held at 20 N, slip 0.31 mm; knot 3_1#m3_1, throws 1=1, square
//     pull test: slipped at 0.39 N, slip 1.8 mm; knot m3_1#m3_1, throws 1x1, granny
//     pull test: no knot at 0 N, slip 0 mm; knot 0_1, throws none, no knot
void cg_pull_tell(const cg_pull_result *result, char *text, int room);
// Reads outcome, force, slip and the knot's names again; false for any other text.
bool cg_pull_read(const char *text, cg_pull_result *result);

CG_API_END
#endif
