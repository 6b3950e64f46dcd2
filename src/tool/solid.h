// Tools without jaws that have a body: a scalpel and a cautery hook.
//
// Each is three rigid bodies that stand still against each other, led by a drive (rigid/drive.h) as jaws are: 0 the
// handle, 1 what works (the blade, or the foot of the hook), 2 what is between. So they touch whatever jaws touch, in
// the same problem, with what hand and tool do solved together. All parts are round rods (see jaws.h for why no boxes).
//
// The blade is rods beside each other that leave no gap, behind the edge: with z' along the edge from the tip and x'
// the side to which the edge looks, its flat sides look to +y' and -y', its back to -x'. For an edge along z these are
// the axes of the hand; for others they are turned by the smallest rotation that takes z there.
//
// A hook is a wire: the foot, from the tip towards -x, a heel, and up to the shaft.
#ifndef CATGUT_TOOL_SOLID_H
#define CATGUT_TOOL_SOLID_H

#include "tool/jaws.h"

enum { CG_SOLID_HANDLE, CG_SOLID_WORKING, CG_SOLID_NECK };

// Whether a tool made so has such a body.
bool cg_tool_is_solid(cg_hand_tool tool, const cg_hand_def *def);
// Makes it in place, with its frame there. Bodies and parts point into it: it must not be copied.
void cg_solid_make(cg_jaws *solid, cg_hand_tool tool, const cg_hand_def *def, cg_transform frame);
// The turn from the axes x' y' z' of a blade to those of the hand.
cg_quat cg_solid_blade_turn(const cg_hand_def *def);

#endif
