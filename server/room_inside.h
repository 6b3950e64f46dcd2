// The inside of the room: room.c knows who is where and takes what clients say to its session, room_run.c has sessions
// stepped, room_wait.c gives them back and lets clients wait.
#ifndef CATGUT_SERVER_ROOM_INSIDE_H
#define CATGUT_SERVER_ROOM_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "room.h"

enum {
    CG_ROOM_SEATS = CG_LINK_MOST_SESSIONS, // that of number 0 is the lobby
    CG_ROOM_MOST_KEPT = 64,
    CG_ROOM_KEY_BYTES = 65
};

// Bytes that grow.
typedef struct cg_room_store {
    unsigned char *bytes;
    size_t size, room;
} cg_room_store;

// What a seat is told, besides cg_news.
enum {
    CG_ROOM_COME = 100, // a client comes: a cg_coming
    CG_ROOM_GO,         // a client goes to another seat: its number, an int
    CG_ROOM_KEEP        // the world is to rest
};

typedef enum cg_seat_state {
    CG_SEAT_FREE,
    CG_SEAT_LIVE,
    CG_SEAT_ENDING, // nobody is sent there any more
    CG_SEAT_ENDED   // its host is gone; the room looks at it, and then it is free
} cg_seat_state;

// Of a client that comes to a seat.
typedef struct cg_coming {
    uint32_t moves; // it has left so many seats by then, or it is not here yet
    bool is_guest;
} cg_coming;

// A place for a session. What is not said to be the piece's is under the lock.
typedef struct cg_seat {
    struct cg_room *room;
    int number;
    _Atomic(cg_seat_state) state; // a piece makes an ending one ended, all else the thread that hears does
    // Who owns it: known to the thread that hears alone.
    char key[CG_ROOM_KEY_BYTES], name[64];
    int members;
    double stirred, left; // [s] when somebody did something, and when the last went

    // Of the piece.
    cg_host *host;
    cg_host_files files;
    cg_host_training training;
    uint32_t generation;           // of the world before the next
    cg_room_store taken, deferred; // what is worked on, and what waits until a client has left where it was
    bool has_device;
    bool is_over; // its world was kept: the host can only be destroyed

    cg_room_store inbox;
    bool is_woken;   // what is deferred may be due
    bool is_running; // by a piece
    double due;      // [s] when it wants to run
    double used;     // [s] of processor time, as far as its turn depends on it
    double total;    // [s] that it took in all
    bool is_busy;
    bool is_kept; // `kept` is for its next host, or of its last
    cg_host_kept kept;
    char scene_name[256];
    char why[CG_HOST_WHY_BYTES]; // it could not begin, or not go on with what was kept; empty: it could
    cg_work work;
    bool was_begun; // the work, so that it must be waited for
} cg_seat;

// A connection, known to the thread that hears alone.
typedef struct cg_visitor {
    bool is_here, said_hello, may_control;
    int seat;
    bool is_waiting;
    double since;   // [s] it waits
    uint64_t turn;  // in the order of the queue
    uint32_t place; // that it was told
    uint32_t moves; // from one seat to another
    unsigned char *hello;
    size_t hello_size;
    char key[CG_ROOM_KEY_BYTES], name[64];
} cg_visitor;

// A world that rests.
typedef struct cg_rest {
    char key[CG_ROOM_KEY_BYTES];
    cg_host_kept kept;
    double since; // [s]
} cg_rest;

struct cg_room {
    cg_room_def def;
    int most_seats; // besides the lobby
    pthread_mutex_t lock;
    cg_seat seats[CG_ROOM_SEATS];
    bool is_ending;
    int lanes, active;                   // pieces that may run at once, and that do
    uint32_t left[CG_HOST_MOST_CLIENTS]; // how many seats a client has left
    double floor;                        // [s] no seat that begins to run has used less than nearly this
    double planned;                      // [s] when the thread that hears will look around

    cg_visitor visitors[CG_HOST_MOST_CLIENTS];
    cg_rest rests[CG_ROOM_MOST_KEPT];
    uint64_t turns;
    double next_sweep, next_word; // [s]
};

// room.c
double cg_room_now(const cg_room *room);
bool cg_room_append(cg_room_store *to, int client, int what, const void *bytes, size_t size);
// Tells a seat something; not under the lock. False when there is no memory.
bool cg_room_tell(cg_room *room, int seat, int client, int what, const void *bytes, size_t size);
// Begins a session at a free seat, with what is kept for it (NULL: nothing), which is taken over. False when there is
// no memory.
bool cg_room_open_seat(cg_room *room, int number, cg_host_kept *kept);
// Sends a client to a seat, and with it what it said, if that is for the new one.
void cg_room_send_to(cg_room *room, int client, int seat, const void *said, size_t size);
int cg_room_live_seats(const cg_room *room); // besides the lobby
// Sends a message to a client.
void cg_room_say(const cg_room *room, int client, const cg_message *message);

// room_run.c
// Begins pieces for the seats whose turn it is; under the lock.
void cg_room_dispatch(cg_room *room, const cg_seat *own, bool *own_goes_on);
// When the next seat that does not run wants to [s]; under the lock.
double cg_room_next(const cg_room *room);
void cg_room_piece(void *context, size_t number);
// Makes the host of a seat, with what is kept for it. False with a reason.
bool cg_seat_begin(cg_seat *seat, char *why);
void cg_seat_end(cg_seat *seat);

// room_wait.c
// The seat of a client that needs a world: where it is going with what it said. False when it waits now, and was told.
bool cg_room_enter_own(cg_room *room, int client, const void *said, size_t size);
// Looks after seats that ended or rest, and after the queue.
void cg_room_sweep(cg_room *room, double now);
void cg_room_leave_queue(cg_room *room, int client);
void cg_room_tell_sessions(cg_room *room, int client, uint32_t request);
void cg_room_free_rests(cg_room *room);

#endif
