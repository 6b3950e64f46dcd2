// Touches whose second side is a tissue: their part of finding and limiting. See skin.h; the solver's verbs are in
// body_tissue.c.
#ifndef CATGUT_CONTACT_TOUCH_SKIN_H
#define CATGUT_CONTACT_TOUCH_SKIN_H

#include "contact/touch.h"

// Adds the touches with tissues. `reach` in radii.
void cg_touch_find_skins(cg_touch_set *set, double reach);
// True when a touch of this pass can be that one of the last.
bool cg_touch_skin_continues(const cg_touch *touch, const cg_touch *before);
// What counts of a slide, as if both sides were round: none on a face, and none along the thread.
cg_vec3 cg_touch_skin_slide(const cg_touch_set *set, const cg_touch *touch, cg_vec3 slide);
// The share of the motion that is safe, up to `limit`.
double cg_touch_skin_share(cg_touch_set *set, double limit);
// The same after a step, while tissues stand: what stops a motion of threads alone, as CG_LIMIT_SHAPE.
cg_safe_motion cg_touch_shift_beside_skins(cg_touch_set *set);

#endif
