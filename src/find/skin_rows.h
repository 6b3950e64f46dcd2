// Touches whose second side is a tissue: their part of finding and limiting. See skin.h; the solver's verbs are in
// laws/body_tissue.c.
#ifndef CATGUT_FIND_SKIN_ROWS_H
#define CATGUT_FIND_SKIN_ROWS_H

#include "find/skin.h"

// Adds the touches with tissues. `reach` in radii.
void cg_touch_find_skins(cg_touch_set *set, double reach);
// What counts of a slide, as if both sides were round: none on a face, and none along the thread.
cg_vec3 cg_touch_skin_slide(const cg_touch_set *set, const cg_touch *touch, cg_vec3 slide);
// The share of the motion that is safe, up to `limit`.
double cg_touch_skin_share(cg_touch_set *set, double limit);
// The same after a step, while tissues stand: what stops a motion of threads alone, as CG_LIMIT_SHAPE.
cg_safe_motion cg_touch_shift_beside_skins(cg_touch_set *set);
// Then: the share of the step that is safe when all go straight from its start to where they are, and all make it.
double cg_touch_whole_share(cg_touch_set *set);

#endif
