// The inside of a port.
#ifndef CATGUT_FEEL_FEEL_H
#define CATGUT_FEEL_FEEL_H

#include "catgut/feel.h"
#include "feel/law.h"

// Samples that the delay and the half period reach back: 50 ms and one more.
#define CG_FEEL_PAST 52
// Periods without a sample after which a device counts as gone; its force is zero by then.
#define CG_FEEL_AWAY 8

typedef struct cg_port {
    cg_feel_def def;
    cg_vec3 device_origin; // what the device's place is measured from
    cg_quat device_turn;   // how the device is turned there
    cg_transform hand;     // where the hand is then

    // What steps told.
    cg_law law, goal;            // in force, and where it is going
    int steps_left;              // until it is there
    int steps_since;             // the last news
    bool has_news;               // any came
    double grows;                // [N/m] how the force grew with the way, as seen
    cg_vec3 seen_place;          // where the force was looked at last for that
    cg_vec3 seen_force;          // and what it was
    cg_vec3 touched_at;          // where a law of one side last had a force
    cg_vec3 torque, torque_goal; // as told, on its way

    // Turns (feel/turn.c).
    bool knows_turn;               // the device says how it is turned
    cg_quat turn;                  // now
    cg_vec3 turned;                // [rad] in this period, in the device's axes
    cg_vec3 torques[CG_FEEL_PAST]; // that were sent, the newest at `newest_torque`
    int newest_torque;

    // Samples.
    cg_vec3 past[CG_FEEL_PAST]; // of the device, the newest at `newest`
    int newest;
    cg_vec3 place, travelled_from;
    int travelled_steps; // periods since it was there
    cg_vec3 force;
    int missed;    // periods without a sample, at most CG_FEEL_AWAY
    double fade;   // of the force: 0 while the device is away, rises to 1
    double heat;   // [N^2] mean square of the force
    double energy; // [J]
    uint64_t steps, withheld, capped;
} cg_port;

struct cg_feel {
    cg_port ports[CG_FEEL_MOST_PORTS];
    int count;
    double account; // [J]
};

// [N/m] The stiffest that its law may be.
double cg_port_limit(const cg_port *port);
// Nothing is near.
void cg_port_forget(cg_port *port);
// The device is not there: how it is turned is not known, and no torque is under way.
void cg_port_forget_turn(cg_port *port);
// The torque of this period, in the device's axes; what the last ones did goes through the account.
cg_vec3 cg_port_torque(cg_feel *feel, cg_port *port);
// Energy [J] into the account.
void cg_feel_put(cg_feel *feel, double energy);

#endif
