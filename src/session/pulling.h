// Pull tests of a session: which threads they load, and what is noted of them.
#ifndef CATGUT_SESSION_PULLING_H
#define CATGUT_SESSION_PULLING_H

#include "catgut/pull.h"

enum { CG_PULL_TEXT = 240 }; // room for what a recording says of one

// Loads the knot in a thread by its place; -1: in the first one, or in both where there are two, as `expect knot` reads
// it. Of a thread that was cut the part that has throws is loaded. The text is what a recording says of it.
cg_status cg_pull_test_at(const cg_world *world, int thread, cg_pull_result *result, char text[CG_PULL_TEXT]);

#endif
