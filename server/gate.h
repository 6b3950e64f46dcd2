// Who is let in: the names by which the server may be called, and the pages that may call it.
//
// A page from elsewhere can make a browser connect to any address. The browser tells the truth about two things: by
// which name the server was called (Host) and which page asked (Origin). A page that has its own name pointed at our
// address (DNS rebinding) calls us by that name: so names are refused, and addresses and localhost taken. Of pages only
// those that came from the very address that was called are let in. Programs that are no browsers send no Origin.
#ifndef CATGUT_SERVER_GATE_H
#define CATGUT_SERVER_GATE_H

#include <stdbool.h>

// True for an address in numbers, of IPv4 or IPv6 (without brackets).
bool cg_gate_is_address(const char *text);
// True for addresses that no other machine can reach: 127.x.x.x, ::1, localhost.
bool cg_gate_is_loopback(const char *address);
// True when a Host header ("127.0.0.1:8765", "[::1]:8765", "localhost:8765") is a way to call a server on this port:
// by a loopback address, or, when it is bound to others (`open`), by any address.
bool cg_gate_host_is_ours(const char *host, int port, bool open);
// True when an Origin header is the server's own page, called by this Host. NULL, no header, is allowed.
bool cg_gate_origin_is_ours(const char *origin, const char *host);

#endif
