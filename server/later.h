// Work that takes long, done by a thread of its own, one piece after the other in the order in which it came: those
// that step worlds never wait for it. Each piece has an owner, by number, who takes it back; calls may come from any
// thread, those about one owner from one at a time.
#ifndef CATGUT_SERVER_LATER_H
#define CATGUT_SERVER_LATER_H

#include <stdbool.h>

typedef struct cg_later cg_later;

enum { CG_LATER_MOST = 64 }; // pieces that were added and not taken back

// Starts the thread, which does `work` with each piece. NULL when there is no memory or no thread.
cg_later *cg_later_create(void (*work)(void *piece));
// Hands a piece over; false when there are too many.
bool cg_later_add(cg_later *later, int owner, void *piece);
// The oldest piece of an owner whose work is done, to be looked at and freed; NULL when there is none.
void *cg_later_take(cg_later *later, int owner);
// Pieces of an owner that were added and not taken back.
int cg_later_count(cg_later *later, int owner);
// Does all that was added, and ends the thread. What is done can be taken still. NULL is allowed, here and below.
void cg_later_end(cg_later *later);
// Gives it back, after cg_later_end.
void cg_later_free(cg_later *later);

#endif
