// OpenIGTLink, as much of it as tracked instruments need: poses (TRANSFORM) and an opening (SENSOR), with headers of
// version 1, and of 2, whose extended header and metadata are passed over; and forces back to those that ask for them.
// Written from the public specification of the protocol. All numbers are big-endian.
#ifndef CATGUT_SERVER_IGTL_H
#define CATGUT_SERVER_IGTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/math.h"

enum {
    CG_IGTL_HEADER_BYTES = 58,
    CG_IGTL_NAME_BYTES = 20,
    CG_IGTL_FORCE_BYTES = CG_IGTL_HEADER_BYTES + 10 + 6 * 8,
    CG_IGTL_MOST_BODY = 4096 // a longer message is not ours to read
};

typedef enum cg_igtl_kind {
    CG_IGTL_OTHER,
    CG_IGTL_TRANSFORM,
    CG_IGTL_SENSOR,
    CG_IGTL_START, // STT_SENSOR: forces are wanted
    CG_IGTL_STOP   // STP_SENSOR: no more
} cg_igtl_kind;

typedef struct cg_igtl_message {
    cg_igtl_kind kind;
    char name[CG_IGTL_NAME_BYTES + 1]; // who sends
    cg_transform pose;                 // of a transform [m]
    double value;                      // the first number of a sensor
} cg_igtl_message;

// A stream of messages from one sender. Zero-initialise.
typedef struct cg_igtl_stream {
    unsigned char bytes[CG_IGTL_HEADER_BYTES + CG_IGTL_MOST_BODY];
    size_t size;
    uint64_t skipped; // messages that were whole but not right: a wrong checksum, a body that is none
} cg_igtl_stream;

// How it goes on.
typedef enum cg_igtl_result {
    CG_IGTL_WAITS,   // for more bytes
    CG_IGTL_MESSAGE, // *message is one
    CG_IGTL_SKIPPED, // one of another kind, or one that is not right, was passed over
    CG_IGTL_BROKEN   // these are no messages: close the connection
} cg_igtl_result;

// Room for bytes that came; how many is in *room.
unsigned char *cg_igtl_room(cg_igtl_stream *stream, size_t *room);
// So many came. Then call cg_igtl_next until it waits or is broken.
void cg_igtl_came(cg_igtl_stream *stream, size_t count);
cg_igtl_result cg_igtl_next(cg_igtl_stream *stream, cg_igtl_message *message);

// A SENSOR message of version 1 with six numbers: force [N] and torque [N m] for the hand of that name. The ports of
// trackers give no torque: its three numbers are 0.
void cg_igtl_write_force(unsigned char bytes[CG_IGTL_FORCE_BYTES], const char *name, const double numbers[6]);

// The checksum of a body: CRC-64 of ECMA-182, from 0.
uint64_t cg_igtl_crc(const void *bytes, size_t size);

#endif
