// Tears and breaks as events of a recording, in words that a program can read again:
//
//     torn: tissue 0 by thread 0 at 3.7 N; so far 1.07 mm, 1.21 mm2
//     torn out: thread 0 of tissue 0; so far 2.5 mm, 3.1 mm2
//     broke: thread 0 at 30.9 N
//
// Places are those of the scene; what was cut or torn off has one of its own, behind those. A tear is told when it
// begins to run, each time anew when it had come to a stop, and when the thread is free; what was torn so far is of the
// whole tissue.
#ifndef CATGUT_SESSION_MISHAPS_H
#define CATGUT_SESSION_MISHAPS_H

#include "catgut/world.h"

// Tells what happened in the last step.
void cg_tell_mishaps(const cg_world *world, void (*tell)(void *context, const char *text), void *context);

#endif
