// Pull tests of scripts and sessions: which threads they load, and what is noted of them.
#ifndef CATGUT_SCRIPT_PULLING_H
#define CATGUT_SCRIPT_PULLING_H

#include "catgut/pull.h"
#include "world/world.h"

enum { CG_PULL_TEXT = 240 }; // room for what a recording says of one

// Whether there are two threads, each whole: a knot is looked for in both then. The pieces of one are not two.
bool cg_are_two_threads(const cg_world *world);
// The next part of the thread of this root behind one of them, or the first behind NULL; NULL behind the last.
const cg_thread_slot *cg_next_part(const cg_world *world, const cg_thread_slot *slot, unsigned root);

// Loads the knot in a thread by its place; -1: in the first one, or in both where there are two, as `expect knot` reads
// it. Of a thread that was cut the part that has throws is loaded. The text is what a recording says of it.
cg_status cg_pull_test_at(const cg_world *world, int thread, cg_pull_result *result, char text[CG_PULL_TEXT]);

#endif
