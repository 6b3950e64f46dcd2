// The room above hosts: each client that works gets a session, a host with a world of its own, and all of them are
// stepped by the one pool of threads with equal shares of its time. How many there may be, and how much memory, is
// bounded; one more waits in a queue. A session whose owner went or does nothing is given back: its world rests, and
// goes on when its owner returns.
//
// Invariants
//   1. A host is used by one thread at a time: by the piece of work of its seat, or after the room has ended.
//   2. What is routed (visitors, who is where) belongs to the thread that hears; what is shared with the pieces is
//      under the room's lock.
//   3. What a client said is taken by the session that it was in when it said it, in order; that of a client that goes
//      from one session to another waits until the first has let it go.
#ifndef CATGUT_SERVER_ROOM_H
#define CATGUT_SERVER_ROOM_H

#include <stdio.h>

#include "haptics.h"
#include "later.h"
#include "link.h"
#include "serve.h"

#include <catgut/workers.h>

enum { CG_ROOM_MOST_SESSIONS = CG_LINK_MOST_SESSIONS - 1 };

// What a room works with; all of it stays as long as the room.
typedef struct cg_room_def {
    const cg_serve_def *serve;
    cg_link *link;
    cg_later *later;     // its work is cg_host_work
    cg_haptics *haptics; // NULL: there are no devices
    cg_workers *workers; // as many as worlds shall be stepped at once
} cg_room_def;

typedef struct cg_room cg_room;

// Makes a room with its first session, which is there before anybody comes. NULL, with a reason to `err`, on failure.
cg_room *cg_room_create(const cg_room_def *def, FILE *err);
// Hears what clients say and has worlds stepped, until the link ends.
void cg_room_run(cg_room *room);
// Ends all sessions; after cg_room_run, and after what was begun by `later` is done.
void cg_room_destroy(cg_room *room);

#endif
