// Ports that are free.
#ifndef CATGUT_SERVER_PORTS_H
#define CATGUT_SERVER_PORTS_H

#include <stdio.h>

// The port asked for at an address in numbers, or one of the next that is free; -1, with a sentence, when there is
// none. libwebsockets would not say why it cannot listen.
int cg_find_port(const char *address, int port, FILE *err);

#endif
