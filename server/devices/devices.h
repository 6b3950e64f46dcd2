// What a device and the simulation tell each other, a hand each: plain data that one thread leaves for the other.
#ifndef CATGUT_SERVER_DEVICES_H
#define CATGUT_SERVER_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "catgut/feel.h"

enum { CG_DEVICES_MOST_HANDS = CG_FEEL_MOST_PORTS, CG_DEVICES_NAME_BYTES = 32 };

// How a device and its loop do, measured all the time.
typedef struct cg_device_health {
    double rate;             // [1/s] samples of the last second
    double late;             // [s] by which samples come later than evenly, 99.9 % of them at most, since it came
    double loop_late;        // [s] by which the thread of devices wakes late, the same, since it runs
    double force;            // [N] that was sent last
    double stiffness, limit; // [N/m] of what is near, and the most that there may be
    double energy, account;  // [J] that it put in, and that may come out beyond what the law holds
    uint32_t capped;         // periods in which the force was as great as the device bears
    uint32_t withheld;       // and in which energy was missing for what the world told
} cg_device_health;

// From a device.
typedef struct cg_device_sample {
    bool is_here;      // samples come
    uint32_t arrivals; // how often it was plugged in
    uint32_t number;   // counts samples
    char name[CG_DEVICES_NAME_BYTES];
    cg_transform command; // where it wants the hand, in the world
    cg_vec3 device;       // [m] where it is itself, in its own axes
    bool closes;          // its button is pressed
    bool has_opening;     // it knows how far its jaws are open
    double opening;       // 0 to 1
    uint32_t world;       // of the news that `command` is laid over
    // For people.
    uint32_t samples, unread; // that came, and packets that were bad or late
    double longest;           // [s] between two samples
    cg_device_health health;
} cg_device_sample;

// From the simulation, after a step, and when steps end or the world is another.
typedef struct cg_device_news {
    bool is_there;                    // the world has this hand
    uint32_t world;                   // another number: another world, or another state of it
    char name[CG_DEVICES_NAME_BYTES]; // of the hand
    cg_transform pose;                // of the hand
    double stiffness;                 // [N/m] of its spring
    bool has_port;                    // its tool goes through a port
    cg_vec3 port;                     // [m] where that is
    bool is_felt;                     // `felt` is of a step that a sample led
    cg_feel_news felt;
} cg_device_news;

#endif
