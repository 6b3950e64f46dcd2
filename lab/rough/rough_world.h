// A world for rough hands, drawn from a seed: tissue of one of five kinds (a whole pad, one with a wound, one that is
// cut, a vessel, a skin), none to two stitches laid through it, a needle on a thread beside them, and three hands with
// tools. The hands go to random places at up to 3 m/s, often to the needle or to a thread, open and close; then they
// are opened and led away.
#ifndef CATGUT_LAB_ROUGH_WORLD_H
#define CATGUT_LAB_ROUGH_WORLD_H

#include "catgut/catgut.h"
#include "rough/draw.h"

enum { CG_ROUGH_HANDS = 3, CG_ROUGH_MOST_THREADS = 12 };
// How long the hands are rough, and how long the world goes on after they were opened and led away.
typedef struct cg_rough_times {
    double rough, rest; // [s]
} cg_rough_times;

typedef enum cg_rough_kind {
    CG_ROUGH_WHOLE_PAD,
    CG_ROUGH_WOUND,
    CG_ROUGH_CUT_PAD,
    CG_ROUGH_VESSEL,
    CG_ROUGH_SKIN,
    CG_ROUGH_KINDS
} cg_rough_kind;

typedef struct cg_rough_world {
    cg_draw draw;
    cg_rough_times times;
    cg_rough_kind kind;
    int stitches;
    cg_world *world;
    cg_tissue_id tissue;
    cg_thread_id needle_thread;
    cg_rigid_id needle;
    cg_hand_id hands[CG_ROUGH_HANDS];
    cg_hand_tool tools[CG_ROUGH_HANDS];
    double next[CG_ROUGH_HANDS]; // [s] when each hand gets its next goal
    double breaking_pull;        // [N] of the thread
    double radius;               // [m] of the thread
} cg_rough_world;

const char *cg_rough_kind_name(cg_rough_kind kind);

// Draws and makes a world. Its message says what could not be made.
cg_status cg_rough_begin(cg_rough_world *rough, uint64_t seed, int number, cg_rough_times times);
void cg_rough_end(cg_rough_world *rough);
// Leads the hands and makes a step.
void cg_rough_step(cg_rough_world *rough);
// The threads that are there now, parts that were cut off among them. Returns how many.
int cg_rough_threads(const cg_rough_world *rough, cg_thread_id threads[CG_ROUGH_MOST_THREADS]);

#endif
