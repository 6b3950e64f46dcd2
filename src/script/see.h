// What a script sees of the world: where its places are, and whether its conditions hold.
#ifndef CATGUT_SCRIPT_SEE_H
#define CATGUT_SCRIPT_SEE_H

#include "script/script.h"

// Where a place is now; false when what it refers to is gone.
bool cg_script_look_up(const cg_world *world, const cg_place *place, cg_vec3 *point);
// Whether a condition holds now. Those of knots never do here: naming takes memory.
bool cg_script_holds(const cg_world *world, const cg_condition *condition);
// What is found of a condition that has a limit, and the limit; the text of another stays as it is.
void cg_script_tell_found(const cg_world *world, const cg_condition *condition, char *text, size_t room);
// Whether the knot is the one that is expected; if not, `why` says which it is.
bool cg_script_finds_knot(const cg_script *script, const cg_world *world, const cg_condition *condition, char *why,
                          size_t room);

#endif
