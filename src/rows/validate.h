// What must hold of each part of the set of touches, once all passes of a step are made (of a problem: while it is
// solved). Each says in words what is wrong, or returns NULL. Debug builds ask after every step.
//
// Structure alone: numbers name what is there, lists are in their order, what is noted twice is the same. Places and
// forces may be no numbers, which is trouble of the step, counted and mended elsewhere, and no mistake in our own code.
#ifndef CATGUT_ROWS_VALIDATE_H
#define CATGUT_ROWS_VALIDATE_H

#include "rows/touch.h"

const char *cg_cast_fault(const cg_touch_set *set);
const char *cg_rows_fault(const cg_touch_set *set);
const char *cg_search_fault(const cg_touch_set *set);
const char *cg_islands_fault(const cg_touch_set *set);
// Of the touches that are listed as working, with their axes and friction filled in.
const char *cg_problem_fault(const cg_touch_set *set);

// All but the problem; asserts.
void cg_touch_validate(const cg_touch_set *set);

#endif
