// What finding and solving of contacts share.
#ifndef CATGUT_CONSTRAINT_CONTACT_WORK_H
#define CATGUT_CONSTRAINT_CONTACT_WORK_H

#include "constraint/dae_parts.h"

// Contacts at the present places, sides from the beginning of the step; and their gaps again, with the same normals.
void cg_dae_find_contacts(cg_dae *dae);
void cg_dae_measure_contacts(cg_dae *dae);

// Columns J^-1 H^T and K = H J^-1 H^T; false when a solution failed. The factors must be those of the step.
bool cg_dae_couple_contacts(cg_dae *dae);
// Impulses on the level of places. Returns the largest change [N s]; the forces of contacts follow.
double cg_dae_solve_places(cg_dae *dae, double h);
// Impulses on the level of velocities, which change these at once.
void cg_dae_solve_velocities(cg_dae *dae);
// Notes which pairs have touched, for the step after this one.
void cg_dae_note_touched(cg_dae *dae);
// How far tips that leave a sheet are out of it now.
void cg_dae_follow_leaving(cg_dae *dae);
// Lets go of all contacts.
void cg_dae_clear_contacts(cg_dae *dae);

#endif
