// The catalogue: suture threads by USP size and material, each number with where it is from.
#ifndef CATGUT_CATALOGUE_H
#define CATGUT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/api.h"
#include "catgut/thread.h"

CG_API_BEGIN

// A number of the catalogue and where it is from: a reference, or the words "estimate" or "recalled" with a reason.
typedef struct cg_sourced {
    double value;       // in the unit that the field says
    const char *source; // never NULL
} cg_sourced;

// A suture thread.
typedef struct cg_suture {
    char name[40];              // "3-0 nylon"
    const char *size;           // USP size, "11-0" to "2"
    const char *material;       // "nylon"
    bool absorbable;            // the body dissolves it
    bool braided;               // of many fibres: it bends more easily than a solid rod of its diameter
    cg_sourced diameter;        // [m] above 0
    cg_sourced youngs_modulus;  // [Pa] above 0, along the thread
    cg_sourced poisson_ratio;   // 0 to 0.5
    cg_sourced density;         // [kg/m3] above 0
    cg_sourced bend_share;      // above 0, at most 1: bending stiffness as a share of that of a solid rod
    cg_sourced friction;        // Coulomb coefficient of the thread on itself, 0 to 1
    cg_sourced breaking_force;  // [N] above 0: straight pull
    cg_sourced knot_pull_force; // [N] above 0: pull at which it breaks beside a knot
} cg_suture;

// How many sutures there are.
int cg_catalogue_count(void);
// A suture by its place, sorted by material, then from thin to thick. False for a bad index.
bool cg_catalogue_get(int index, cg_suture *suture);
// A suture by its text, "3-0 nylon"; case, extra spaces and the order of the two parts do not matter, and "3/0" is 3-0.
// When there is none, the result is false and `suggestion` (room for `room` bytes; may be NULL with room 0) becomes
// the nearest name, or "".
bool cg_catalogue_find(const char *text, cg_suture *suture, char *suggestion, size_t room);
// Writes radius, material, friction and, for a braid, bending and twist stiffness of a suture into a definition of a
// thread.
void cg_suture_apply(const cg_suture *suture, cg_thread_def *def);

CG_API_END
#endif
