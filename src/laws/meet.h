// Tissues that touch themselves and each other: the rows of what find/meet.h finds, in their own solve.
#ifndef CATGUT_LAWS_MEET_H
#define CATGUT_LAWS_MEET_H

#include "find/meet.h"

// After cg_meet_begin: where they touch, and the rows of that; tissues that touch move as one.
void cg_meet_find(cg_meet_set *set);
// After cg_tissue_finish_step of all.
void cg_meet_note(cg_meet_set *set);

#endif
