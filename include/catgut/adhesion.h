// Threads that stick to tissue until they are teased away from it. See docs/touching.md.
#ifndef CATGUT_ADHESION_H
#define CATGUT_ADHESION_H

#include <stdbool.h>

#include "catgut/api.h"
#include "catgut/math.h"
#include "catgut/thread.h"
#include "catgut/tissue.h"
#include "catgut/world.h"

CG_API_BEGIN

// A stretch of a thread that sticks to a tissue. Start from cg_adhesion_def_default.
typedef struct cg_adhesion_def {
    cg_thread_id thread; // a Kirchhoff thread whose vertices stay: its spacing does not follow and it cannot be cut
    cg_tissue_id tissue; // moved by the implicit solver
    double from, to;     // [m] arc lengths of the thread; to 0: to its end
    double strength;     // [N/m] most that it bears, by length of the thread, above 0
    double reach;        // [m] it is drawn out so far when it bears that, above 0; at five times as much it is gone
} cg_adhesion_def;

// All of the thread; 30 N/m, 0.2 mm: 21 mN to peel it off upright.
cg_adhesion_def cg_adhesion_def_default(void);

// One vertex that sticks.
typedef struct cg_adhesion {
    cg_thread_id thread; // that sticks
    cg_tissue_id tissue; // what it sticks to
    int vertex;          // of the thread
    cg_vec3 position;    // [m] on the surface of the tissue
    cg_vec3 force;       // [N] on the thread
    double strength;     // [N] that it bore when it was whole
    double damage;       // 0: whole, towards 1: nearly torn
} cg_adhesion;

// Vertices of the stretch stick where they are, if the surface is no farther from the thread than five times the reach;
// CG_BAD_INPUT when none is, CG_FULL when more than 200 of a world would. The world must have contacts, and constraints
// have no part in either. Between steps only.
cg_status cg_world_add_adhesion(cg_world *world, const cg_adhesion_def *def);
// How many vertices stick.
int cg_world_adhesion_count(const cg_world *world);
// The one of that number; false when there is none.
bool cg_world_get_adhesion(const cg_world *world, int index, cg_adhesion *adhesion);

CG_API_END

#endif
