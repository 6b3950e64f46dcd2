// The server: HTTP for the page, a WebSocket for the protocol, and a room of sessions that a pool of threads steps.
#ifndef CATGUT_SERVER_SERVE_H
#define CATGUT_SERVER_SERVE_H

#include <stdio.h>

#include "host.h"

enum {
    CG_SERVE_DEFAULT_PORT = 8765,
    CG_SERVE_PORTS_TRIED = 20,
    CG_SERVE_DEFAULT_MESSAGES = 4000,
    CG_SERVE_MOST_SESSIONS = 64,
    CG_SERVE_DEFAULT_SESSIONS = 16
};

// Everything that makes a server.
typedef struct cg_serve_def {
    // What a session needs of the disk and of the logbook, each its own: 0 is the lobby, in which nobody works.
    bool (*open_desk)(void *desks, int session, cg_host_files *files, cg_host_training *training);
    void (*close_desk)(void *desks, int session);
    void *desks;
    const char *scene;       // by name
    const char *record;      // name of a recording to begin with, of the first session; NULL: none
    const char *bind;        // address to listen on
    int port;                // 0: any that is free
    const char *token;       // NULL: none is needed
    double frame_rate;       // [1/s]
    uint32_t most_messages;  // [1/s] from one client, and at once
    int most_sessions;       // worlds at once, 1 to CG_SERVE_MOST_SESSIONS
    int most_cores;          // that step them at once, 1 or more
    double most_memory;      // [bytes] of the process; while it has more no session begins but the first; 0: any
    double idle_seconds;     // after which a world is given back that nobody touches, when others are here or wait
    int device_port;         // UDP, for force-feedback devices; 0: any, below 0: none are heard
    int tracker_port;        // TCP, for tracked instruments; the same
    const char *program;     // who serves
    double (*clock)(void);   // [s] one that only goes forward
    bool (*is_ending)(void); // true when a signal asked for the end; asked a few times a second and after signals
} cg_serve_def;

// Serves until it is told to end. What people should know goes to `err`, the addresses to `out`, one a line: one, or
// when it listens on all of them those that others can call and then that of this machine. True
// when it ended in good order.
bool cg_serve(const cg_serve_def *def, FILE *out, FILE *err);

#endif
