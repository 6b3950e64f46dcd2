// The packets of a device on UDP (docs/feel.md): one of the device a sample, one of ours for each.
#ifndef CATGUT_SERVER_DEVICE_PACKET_H
#define CATGUT_SERVER_DEVICE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catgut/feel.h"

enum { CG_DEVICE_PACKET_BYTES = 60, CG_FORCE_PACKET_BYTES = 48, CG_DEVICE_PACKET_VERSION = 1 };

typedef struct cg_device_packet {
    int session; // whose hand it is, from 1
    int hand;    // its place in the scene
    cg_device_kind kind;
    uint32_t number; // one more in every packet
    bool closes, has_opening;
    cg_transform pose; // of the device, in its own axes
    double opening;    // 0 to 1
    double delay;      // [s] that the driver knows of, from a sample to its force
} cg_device_packet;

// False when the bytes are no packet: another size, another beginning or version, a hand or device that is none, a
// number that is not finite or out of range, no rotation.
bool cg_device_packet_read(cg_device_packet *packet, const void *bytes, size_t size);
// The answer to the sample of that number.
void cg_force_packet_write(unsigned char bytes[CG_FORCE_PACKET_BYTES], int hand, bool leads, uint32_t number,
                           cg_feel_force force, const cg_feel_state *state);

#endif
