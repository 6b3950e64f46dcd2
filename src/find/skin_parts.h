// What the files of skin.h share.
#ifndef CATGUT_FIND_SKIN_PARTS_H
#define CATGUT_FIND_SKIN_PARTS_H

#include "base/vec3.h"
#include "find/skin.h"

// Points of all chains of a world that a list can remember.
enum { CG_SKIN_MOST_POINTS = 20000 };

// [m2] The larger one of a square and that of a way; what is no number stays.
static inline double skin_larger(double most, cg_vec3 way)
{
    double squared = v3_dot(way, way);
    return squared <= most ? most : squared;
}

// [m] How far any node goes in this pass.
double cg_skin_nodes_go(cg_skin *skin);
// Nodes are, or go, elsewhere: how far they are from where they were listed has changed.
void cg_skin_note_moved(cg_skin *skin);
// [m] The largest radius.
double cg_skin_thickest(const cg_chain *chains, int count);

#endif
