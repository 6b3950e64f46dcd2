// The thread of devices, beside those of the simulation and of the sockets: force-feedback devices on UDP at 1 kHz, and
// tracked instruments that speak OpenIGTLink on TCP, both on the loopback alone. Each names the session whose hand it
// leads. It never waits for those that simulate: samples and news are left for the other side under a lock that it only
// tries.
#ifndef CATGUT_SERVER_HAPTICS_H
#define CATGUT_SERVER_HAPTICS_H

#include <stdio.h>

#include "devices.h"

enum { CG_HAPTICS_MOST_SESSIONS = 64 };

typedef struct cg_haptics_def {
    int device_port;       // UDP; 0: any that is free, below 0: no devices
    int tracker_port;      // TCP; the same
    double (*clock)(void); // [s] one that only goes forward
} cg_haptics_def;

typedef struct cg_haptics cg_haptics;

// Listens and starts its thread. NULL, with a sentence to `err`, when that cannot be.
cg_haptics *cg_haptics_create(const cg_haptics_def *def, FILE *err);
void cg_haptics_destroy(cg_haptics *haptics);
// The ports it listens on; 0: none.
int cg_haptics_device_port(const cg_haptics *haptics);
int cg_haptics_tracker_port(const cg_haptics *haptics);

// For those that simulate; sessions are 1 to CG_HAPTICS_MOST_SESSIONS.
void cg_haptics_read(cg_haptics *haptics, int session, int hand, cg_device_sample *sample);
void cg_haptics_tell(cg_haptics *haptics, int session, int hand, const cg_device_news *news);

#endif
