#define _DEFAULT_SOURCE

#include "ports.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve.h"

// Why nobody can listen there, as errno has it; 0 when one can.
static int try_port(const char *address, int port)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool is_six = inet_pton(AF_INET, address, &four.sin_addr) != 1;
    if (is_six && inet_pton(AF_INET6, address, &six.sin6_addr) != 1) {
        return EADDRNOTAVAIL;
    }
    int one = 1, probe = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
    if (probe < 0) {
        return errno;
    }
    setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool good = bind(probe, is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four,
                     is_six ? sizeof six : sizeof four) == 0 &&
                listen(probe, 1) == 0;
    int why = good ? 0 : errno;
    close(probe);
    return why;
}

int cg_find_port(const char *address, int port, FILE *err)
{
    int why = EADDRINUSE;
    for (int i = 0; i < CG_SERVE_PORTS_TRIED && why == EADDRINUSE && port + i <= 65535; i++) {
        why = try_port(address, port + i);
        if (why == 0) {
            return port + i;
        }
        if (why == EADDRINUSE) {
            fprintf(err, "catgut serve: port %d is taken; trying the next one\n", port + i);
        }
    }
    fprintf(err, "catgut serve: cannot listen on %s port %d (%s)\n", address, port, strerror(why));
    return -1;
}
