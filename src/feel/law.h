// A local law: the force at a device as a function of its place, near where a step of the world was made.
//
//     push or pull of one side:   s = force + stiffness n . (origin - x),   F = n min(max(s, 0), cap)
//     of something that is held:  f = F0 + stiffness (origin - x),          F = f, at most `cap` long
//
// with n the unit direction of the force, F0 = force n. Both have an energy, that of a spring that becomes a constant
// pull at the cap: with s the length of the uncapped force,
//
//     U = s^2 / (2 k) up to the cap,   (cap s - cap^2 / 2) / k beyond.
//
// It is what a hand gets back that goes to where the force ends. Whoever changes a law at a place changes U by so much.
#ifndef CATGUT_FEEL_LAW_H
#define CATGUT_FEEL_LAW_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct cg_law {
    cg_vec3 origin;   // [m] where the force is `force`
    cg_vec3 force;    // [N] there, of a law that holds
    cg_vec3 normal;   // unit direction of a law of one side
    double push;      // [N] along the normal at the origin; below 0: the surface is that much further in
    double stiffness; // [N/m] above 0
    double cap;       // [N]
    bool holds;       // it can push and pull
    bool is_there;    // false: no force anywhere
} cg_law;

cg_vec3 cg_law_force(const cg_law *law, cg_vec3 place);
double cg_law_energy(const cg_law *law, cg_vec3 place);
// The same law as seen from another origin.
cg_law cg_law_moved(const cg_law *law, cg_vec3 origin);
// The share of the way from one law to another that have the same origin. One that is not there yet counts as no force
// with the stiffness of the other, one that goes becomes weaker as a whole; where only one of them holds, or their
// directions differ by more than a right angle, the kind of `to` counts and its force begins with what `from` has along
// it.
cg_law cg_law_between(const cg_law *from, const cg_law *to, double share);

#endif
