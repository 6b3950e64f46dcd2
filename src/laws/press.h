// Tissue pressed by shapes: the rows of what find/press.h finds, in the tissue's own solve.
#ifndef CATGUT_LAWS_PRESS_H
#define CATGUT_LAWS_PRESS_H

#include "find/press.h"

// After cg_tissue_begin_step. Lowers the way of shapes that would press too far in one step; the shapes are kept by
// address, and must have been moved by that way before cg_tissue_predict.
void cg_press_find(cg_press_set *set, const cg_press_shapes *shapes);
// After cg_tissue_finish_step.
void cg_press_note(cg_press_set *set);

#endif
