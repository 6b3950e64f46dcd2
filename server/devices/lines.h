// What the thread of devices keeps of each hand, without sockets: who leads it, the last sample, what the simulation
// told. Used by that thread alone.
//
// A line is led by a device or a tracker from its first sample on until none came for a while. A world that is another
// one lays the device over its hand anew, so that the hand does not jump.
#ifndef CATGUT_SERVER_LINES_H
#define CATGUT_SERVER_LINES_H

#include "device_packet.h"
#include "devices.h"
#include "igtl.h"
#include "tardy.h"

typedef enum cg_line_kind { CG_LINE_FREE, CG_LINE_DEVICE, CG_LINE_TRACKER } cg_line_kind;

typedef struct cg_line {
    cg_line_kind kind;
    uint64_t owner; // who sends: another sender is not heard
    cg_device_news news;
    cg_device_sample sample;
    bool is_laid;        // over the hand, in the world `sample.world`
    uint32_t number;     // of the last packet
    double last_time;    // [s] of the last sample
    cg_transform device; // where it was then
    cg_device_kind device_kind;
    double delay, stiffness; // that its port was made with
    bool has_port;           // the same
    cg_vec3 port;
    cg_transform before; // of a tracker, the pose before the last
    double before_time;
    uint64_t asked_by;     // the sender that asked for forces, if it leads the hand or will do so; 0: none
    bool wants_force;      // a tracker that asked for it, and has a port
    cg_feel_force out;     // what it gets in this period
    cg_tardy tardy;        // of its samples
    double usual;          // [s] between two of them
    double window_start;   // [s] of the second in which they are counted
    uint32_t window_count; // how many came before it
} cg_line;

typedef struct cg_lines {
    cg_feel *feel;
    cg_line lines[CG_DEVICES_MOST_HANDS];
    cg_tardy loop; // of the thread that calls
} cg_lines;

// False when there is no memory.
bool cg_lines_open(cg_lines *lines);
void cg_lines_close(cg_lines *lines);

// The simulation told.
void cg_lines_tell(cg_lines *lines, int hand, const cg_device_news *news);
// Whether a packet counts: nobody leads the hand, or its sender does, and it is not late. Late ones are counted.
bool cg_lines_hears(cg_lines *lines, const cg_device_packet *packet, uint64_t owner);
// A sender said what is no packet: counted for the hands that it leads.
void cg_lines_note_bad(cg_lines *lines, uint64_t owner);
// A packet came from a sender; false when it is not heard: late, or the hand is another's. Otherwise *force is what it
// gets for it.
bool cg_lines_sample(cg_lines *lines, const cg_device_packet *packet, uint64_t owner, double now, cg_feel_force *force);
// A tracker said something.
void cg_lines_track(cg_lines *lines, const cg_igtl_message *message, uint64_t owner, double now);
// The connection of a sender ended.
void cg_lines_leave(cg_lines *lines, uint64_t owner);
// The thread that calls woke so late [s].
void cg_lines_note_late(cg_lines *lines, double late);
// A millisecond is over: whoever is silent gets nearer to its end, trackers are foreseen.
void cg_lines_tick(cg_lines *lines, double now);

#endif
