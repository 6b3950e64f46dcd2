// The catalogue: suture threads by USP size and material, tissues and needles by name, each number with where it is
// from.
#ifndef CATGUT_CATALOGUE_H
#define CATGUT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/api.h"
#include "catgut/needle.h"
#include "catgut/thread.h"
#include "catgut/tissue.h"

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

// A tissue that layers can be made of.
typedef struct cg_tissue_kind {
    const char *name;           // "skin"
    cg_sourced youngs_modulus;  // [Pa] above 0, at small strain
    cg_sourced density;         // [kg/m3] above 0
    cg_sourced strength;        // [Pa] above 0: pull that it bears
    cg_sourced stiffening;      // 0 or more: as in cg_tissue_material
    cg_sourced toughness;       // [J/m2] above 0: work of a blade for each area that it lays open
    cg_sourced tear_resistance; // [N/m] above 0: as in cg_tissue_material
    cg_sourced thickness;       // [m] above 0: of a layer of it, when nothing else is said
} cg_tissue_kind;

// How many tissues there are.
int cg_tissue_catalogue_count(void);
// A tissue by its place, sorted by name. False for a bad index.
bool cg_tissue_catalogue_get(int index, cg_tissue_kind *kind);
// A tissue by its name; case, extra spaces and hyphens do not matter. When there is none, the result is false and
// `suggestion` (room for `room` bytes; may be NULL with room 0) becomes the nearest name, or "".
bool cg_tissue_catalogue_find(const char *text, cg_tissue_kind *kind, char *suggestion, size_t room);
// Its numbers as a material.
cg_tissue_material cg_tissue_kind_material(const cg_tissue_kind *kind);

// A needle.
typedef struct cg_needle_kind {
    const char *name;      // "RB-1"
    int eighths;           // of a circle: 2, 3, 4 or 5
    cg_needle_point point; // its kind
    cg_sourced length;     // [m] above 0, along its middle line
    cg_sourced diameter;   // [m] above 0, of its wire
    cg_sourced mass;       // [kg] above 0
} cg_needle_kind;

// How many needles there are.
int cg_needle_catalogue_count(void);
// A needle by its place, from short to long. False for a bad index.
bool cg_needle_catalogue_get(int index, cg_needle_kind *kind);
// A needle by its name, as cg_tissue_catalogue_find.
bool cg_needle_catalogue_find(const char *text, cg_needle_kind *kind, char *suggestion, size_t room);
// Its shape, of 16 pieces.
cg_needle cg_needle_kind_needle(const cg_needle_kind *kind);
// "taper", "cutting" or "reverse cutting".
const char *cg_needle_point_name(cg_needle_point point);

CG_API_END
#endif
