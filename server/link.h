// What lies between the threads that simulate and the thread that talks to sockets: a bounded queue of what clients
// say, a bounded queue of answers for each client, and the newest frame of each session. No thread ever waits for
// another for longer than it takes to copy a message.
//
// Invariants
//   1. A slot is taken by the socket thread (cg_link_connect) and given back by the simulation (cg_link_release), after
//      it has seen that the client went: no answer can reach the next client of the slot.
//   2. Of the three frames of a session one belongs to it, one to the sockets, and one is handed from one to the other.
//   3. A client sees frames of the session that it entered last, made after it entered.
#ifndef CATGUT_SERVER_LINK_H
#define CATGUT_SERVER_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"

enum {
    CG_LINK_MOST_SESSIONS = 65,                // and so many places for frames
    CG_LINK_HEAD_BYTES = 32,                   // free bytes before every message, for the header of the WebSocket
    CG_LINK_MOST_IN_BYTES = 8 * 1024 * 1024,   // that wait for the simulation
    CG_LINK_MOST_OUT_BYTES = 1024 * 1024,      // that wait for a client; one message may go beyond
    CG_LINK_LARGE_BYTES = 256 * 1024,          // a message of more, the surface of a tissue, does not count for that,
    CG_LINK_MOST_OUT_LARGE = 64 * 1024 * 1024, // but all that waits counts for this
    CG_LINK_MOST_OUT_MESSAGES = 1000
};

typedef struct cg_link cg_link;

// What the sockets tell the simulation.
typedef enum cg_news { CG_NEWS_JOIN, CG_NEWS_SAY, CG_NEWS_LEAVE } cg_news;

// A frame that is ready to be sent; its bytes have CG_LINK_HEAD_BYTES before them.
typedef struct cg_link_frame {
    unsigned char *bytes;
    size_t size;
    uint64_t number; // counts frames of the session, from 1; 0: none yet
    uint32_t acknowledged[CG_HOST_MOST_CLIENTS];
} cg_link_frame;

// An answer that is ready to be sent, or the end of the connection.
typedef struct cg_link_answer {
    unsigned char *bytes; // CG_LINK_HEAD_BYTES before them are free
    size_t size;
    int close_code; // above 0: hang up, the bytes are the reason
} cg_link_answer;

// `wake` is called, from the simulation, when there is something for the sockets to do.
cg_link *cg_link_create(void (*wake)(void *context), void *context);
void cg_link_destroy(cg_link *link);

// For the socket thread.

// A free slot, or -1.
int cg_link_connect(cg_link *link);
// What a client says; false when the queue is full.
bool cg_link_say(cg_link *link, int client, const void *bytes, size_t size);
void cg_link_disconnect(cg_link *link, int client);
// The oldest answer for a client, taken out of its queue; false when there is none. Good until the next call.
bool cg_link_next_answer(cg_link *link, int client, cg_link_answer *answer);
bool cg_link_has_answer(cg_link *link, int client);
// True once too much waits for this client.
bool cg_link_is_flooded(cg_link *link, int client);
// The newest frame of the session that a client is in; stays as it is until the next call. NULL: none that it may
// see. *entered counts the sessions that the client entered.
cg_link_frame *cg_link_newest_frame(cg_link *link, int client, unsigned *entered);
// [1/s] that a client wants.
double cg_link_rate(cg_link *link, int client);
// The simulation is to end.
void cg_link_end(cg_link *link);
bool cg_link_is_ending(cg_link *link);

// For the thread that hears what clients say.

// It is to look around at once, though nobody said anything; from any thread.
void cg_link_nudge(cg_link *link);
// Waits until clients said something, `seconds` are over or the program ends. Then hands out what they said, in order.
void cg_link_receive(cg_link *link, double seconds,
                     void (*take)(void *context, cg_news news, int client, const void *bytes, size_t size),
                     void *context);

// For those that simulate, from any thread; what is about one client or one session, from one at a time.

// A client sees the frames of this session from now on.
void cg_link_enter(cg_link *link, int client, int session);
void cg_link_release(cg_link *link, int client);
void cg_link_send(cg_link *link, int client, const void *bytes, size_t size);
void cg_link_hang_up(cg_link *link, int client, int code, const char *reason);
void cg_link_publish(cg_link *link, int session, const void *bytes, size_t size, const uint32_t *acknowledged);
void cg_link_set_rate(cg_link *link, int client, double rate);

#endif
