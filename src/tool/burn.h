// A cautery hook: a hot tip that burns away the tissue around it.
//
// The tip brings a power P to the tissue nearer than a radius, most to what is nearest and by mass. What was heated
// enough for its water to go, some 2.5 MJ for each kilogram, is gone; what got less is charred. So a tip that stands
// still burns a hole of P / (2.5 MJ/kg), 12 mg a second with 30 W, and one that passes quickly leaves a dark trace
// only. Heat neither spreads nor goes away, and nothing but a hot tip brings any.
#ifndef CATGUT_TOOL_BURN_H
#define CATGUT_TOOL_BURN_H

#include "tissue/tissue.h"

typedef struct cg_burn {
    cg_vec3 before, after; // [m] where the tip was at the start of the step, and at its end
    double radius;         // [m] what is nearer is heated; at least 0.6 grains, for there must be nodes
    double power;          // [W]
} cg_burn;

// What a step did.
typedef struct cg_burn_result {
    int removed;  // cells, or triangles of a skin, that are gone
    double mass;  // [kg] of them
    double heat;  // [J] that the tissue took: all of the power, or nothing when the tip is not near
    bool is_full; // there was no room for the surface of what is left: nothing was removed
} cg_burn_result;

// Heats and removes, in the last stage of a step or between steps. Some cells always stay: a tissue does not vanish. A
// tip with numbers that are not finite does nothing.
void cg_burn_step(cg_tissue *tissue, const cg_burn *burn, double time_step, cg_burn_result *result);
// [kg] of the tissue that the tip would heat, by nearness: a tip near several tissues shares its power out by it.
double cg_burn_near(const cg_tissue *tissue, const cg_burn *burn);
// 0 to 1: how much of the heat that makes it vanish a node has got.
double cg_burn_char(const cg_tissue *tissue, int node);

#endif
