// The socket thread: HTTP and WebSocket by libwebsockets, one event loop. It knows the protocol only as bytes.
#ifndef CATGUT_SERVER_SOCKETS_H
#define CATGUT_SERVER_SOCKETS_H

#include <stdio.h>

#include "link.h"
#include "serve.h"

typedef struct cg_sockets cg_sockets;

// Listens. NULL, with a sentence to `err`, when that cannot be.
cg_sockets *cg_sockets_create(const cg_serve_def *def, FILE *err);
// The port it listens on.
int cg_sockets_port(const cg_sockets *sockets);
// Where messages go; before anything is served.
void cg_sockets_attach(cg_sockets *sockets, cg_link *link);
// There is something to send; from any thread.
void cg_sockets_wake(void *sockets);
// Serves for a while; false when the event loop broke.
bool cg_sockets_serve(cg_sockets *sockets);
// Says goodbye to all clients, for at most `seconds`, and ends.
void cg_sockets_destroy(cg_sockets *sockets, double seconds);

#endif
