#define _POSIX_C_SOURCE 200809L

#include "gate.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool cg_gate_is_address(const char *text)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

bool cg_gate_is_loopback(const char *address)
{
    struct in_addr four;
    struct in6_addr six;
    if (strcasecmp(address, "localhost") == 0) {
        return true;
    }
    if (inet_pton(AF_INET, address, &four) == 1) {
        return ntohl(four.s_addr) >> 24 == 127;
    }
    return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool cg_gate_host_is_ours(const char *host, int port, bool open)
{
    char name[64], wanted[16];
    size_t length = strlen(host);
    int wanted_length = snprintf(wanted, sizeof wanted, ":%d", port);
    if (length >= sizeof name + (size_t)wanted_length) {
        return false;
    }
    // Port 80 may be left out.
    bool has_port = length > (size_t)wanted_length && strcmp(host + length - (size_t)wanted_length, wanted) == 0;
    if (!has_port && port != 80) {
        return false;
    }
    length -= has_port ? (size_t)wanted_length : 0;
    bool bracketed = length > 2 && host[0] == '[' && host[length - 1] == ']';
    length -= bracketed ? 2 : 0;
    if (length >= sizeof name) {
        return false;
    }
    memcpy(name, host + bracketed, length);
    name[length] = '\0';
    return cg_gate_is_loopback(name) || (open && cg_gate_is_address(name));
}

bool cg_gate_origin_is_ours(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    return origin == NULL ||
           (strncasecmp(origin, scheme, sizeof scheme - 1) == 0 && strcasecmp(origin + sizeof scheme - 1, host) == 0);
}
