// A period of the loop: a sample comes, the law goes on towards its goal, a force goes out.
//
// The energy of the law (feel/law.h) is what the hand put into it, as long as the law stands still. A change of the law
// at a place brings more or less into it, dU, for which the hand did nothing. Less goes to an account, more is taken
// from there, and when the account has not enough the law goes only as far towards its goal as it has: the controller
// of passivity. So
//
//     account + U = allowance + what the hand put in + what the mechanics of the device took,
//
// whatever the world tells, however late and however often. The mechanics surely took, on a way w in the time t, a
// quarter of the sheet's friction (sheets only say how large it is at most) times w, and w^2 / t times what is left of
// the damping b when the spring k of the law has its part, k (T/2 + delay) (feel/devices.c). With a delay the force
// acts on a device that is elsewhere by then, by w = x - x(before the delay); a change dF of the force costs |dF| |w|
// more. Torques have no law and no U: their work goes through the same account (feel/turn.c).
#include <stddef.h>

#include "base/vec3.h"
#include "feel/feel.h"

static const double MOST_ACCOUNT = 50e-3;  // [J] beyond which what the hand puts in is lost
static const double FRICTION_SHARE = 0.25; // of the sheet's that surely is there
static const double STEPS_OF_WAY = 4;      // encoder steps from which on it has moved
static const double HIDDEN_STEPS = 1.8;    // of them that may be rounding, in space
static const int HALVINGS = 6;             // tries to find how far the account reaches
static const int STALE = 100;        // periods without news after which a law is one of the past; it goes in as many
static const int PATIENCE = 3;       // periods without a sample in which nothing changes
static const double FADE_OUT = 0.2;  // of the force a period after that: zero after 8
static const double FADE_IN = 0.005; // a period when samples come again: whole after 200
static const double HEAT_TIME = 20;  // [s] of the motors; no sheet has it
static const double HEAT_MARGIN = 2; // how steeply the greatest force falls to the lasting one
static const double ALL_OF_CAP = 1 - 1e-9;

static void remember(cg_port *port, cg_vec3 place)
{
    port->newest = (port->newest + 1) % CG_FEEL_PAST;
    port->past[port->newest] = place;
}

// The device is here, perhaps again.
static void arrive(cg_port *port, cg_vec3 place)
{
    if (port->missed >= CG_FEEL_AWAY) {
        cg_port_forget(port);
        port->fade = 0;
        port->place = port->travelled_from = place;
        port->travelled_steps = 0;
        for (int i = 0; i < CG_FEEL_PAST; i++) {
            port->past[i] = place;
        }
    }
    port->missed = 0;
    port->fade = port->fade + FADE_IN < 1 ? port->fade + FADE_IN : 1;
}

static void miss(cg_port *port)
{
    port->missed = port->missed < CG_FEEL_AWAY ? port->missed + 1 : CG_FEEL_AWAY;
    if (port->missed > PATIENCE) {
        port->fade = port->fade > FADE_OUT ? port->fade - FADE_OUT : 0;
    }
    if (port->missed == CG_FEEL_AWAY) {
        cg_port_forget(port);
        cg_port_forget_turn(port);
    }
}

void cg_feel_put(cg_feel *feel, double energy)
{
    feel->account += energy;
    feel->account = feel->account < MOST_ACCOUNT ? feel->account : MOST_ACCOUNT;
}

// [J] that the mechanics of the device took from the last place on; the resolution hides a part of the way.
static double taken(const cg_port *port, double way)
{
    const cg_device_def *device = &port->def.device;
    double period = port->def.period, time = period * port->travelled_steps;
    double stiffness = port->law.is_there ? port->law.stiffness : 0;
    double damping = device->damping - stiffness * (0.5 * period + port->def.delay);
    way -= HIDDEN_STEPS * device->resolution;
    return way * (FRICTION_SHARE * device->friction + (damping > 0 ? damping : 0) * way / time);
}

// Work of the hand, and what the device took on the way.
static void travel(cg_feel *feel, cg_port *port, cg_vec3 place)
{
    port->energy -= v3_dot(port->force, v3_sub(place, port->place));
    port->place = place;
    port->travelled_steps++;
    double way = v3_distance(place, port->travelled_from);
    if (way > STEPS_OF_WAY * port->def.device.resolution && port->missed == 0) {
        cg_feel_put(feel, taken(port, way));
        port->travelled_from = place;
        port->travelled_steps = 0;
    }
    remember(port, place);
}

// [N] that the motors may do now: the greatest, less and less as they warm up to the lasting.
static double present_cap(cg_port *port)
{
    const cg_device_def *device = &port->def.device;
    double lasting = device->lasting_force;
    double left = HEAT_MARGIN * (1 - port->heat / (lasting * lasting));
    left = left > 1 ? 1 : left < 0 ? 0 : left;
    double cap = lasting + left * (device->max_force - lasting);
    return port->fade * (cap < port->def.force_cap ? cap : port->def.force_cap);
}

// [J] that a change of the law costs here.
static double cost(const cg_port *port, const cg_law *to)
{
    int back = (int)(port->def.delay / port->def.period + 0.999) + 1;
    back = back < CG_FEEL_PAST ? back : CG_FEEL_PAST - 1;
    cg_vec3 before = port->past[(port->newest + CG_FEEL_PAST - back) % CG_FEEL_PAST];
    cg_vec3 change = v3_sub(cg_law_force(to, port->place), cg_law_force(&port->law, port->place));
    return cg_law_energy(to, port->place) - cg_law_energy(&port->law, port->place) +
           v3_length(change) * v3_distance(port->place, before);
}

// The law on its way, as far as the account reaches.
static void move_law(cg_feel *feel, cg_port *port)
{
    double share = port->steps_left > 1 ? 1.0 / port->steps_left : 1;
    port->steps_left -= port->steps_left > 0;
    cg_law goal = port->goal;
    goal.cap = present_cap(port);
    cg_law next = cg_law_between(&port->law, &goal, share);
    double price = cost(port, &next);
    bool enough = price <= feel->account;
    port->withheld += !enough;
    for (int i = 0; i < HALVINGS && !enough; i++) {
        share *= 0.5;
        next = cg_law_between(&port->law, &goal, share);
        price = cost(port, &next);
        enough = price <= feel->account;
    }
    if (!enough) {
        next = port->law;
        next.cap = goal.cap < next.cap ? goal.cap : next.cap;
        price = cost(port, &next);
        price = price < 0 ? price : 0; // what the delay adds to a force that must go is the device's to bear
    }
    cg_feel_put(feel, -price);
    port->law = next;
    if (!goal.is_there && port->steps_left == 0 && v3_length(cg_law_force(&next, port->place)) == 0) {
        port->law.is_there = false;
    }
}

// No step was made for long: the world rests, or is gone. What was near is let go of, gently.
static void lose_law(cg_port *port)
{
    port->goal.is_there = false;
    port->torque_goal = v3_zero();
    port->steps_left = STALE;
    port->has_news = false;
}

cg_feel_force cg_feel_step(cg_feel *feel, int index, const cg_vec3 *position)
{
    if (index < 0 || index >= feel->count) {
        return (cg_feel_force){{0, 0, 0}, {0, 0, 0}};
    }
    cg_port *port = &feel->ports[index];
    if (position != NULL && v3_is_finite(*position)) {
        arrive(port, *position);
    } else {
        miss(port);
    }
    travel(feel, port, position != NULL && port->missed == 0 ? *position : port->place);
    if (port->has_news && port->steps_since >= STALE) {
        lose_law(port);
    }
    cg_vec3 torque = cg_port_torque(feel, port);
    move_law(feel, port);
    port->steps++;
    port->steps_since++;
    port->force = cg_law_force(&port->law, port->place);
    port->capped += port->law.cap > 0 && v3_length(port->force) > ALL_OF_CAP * port->law.cap;
    double share = port->def.period / HEAT_TIME;
    port->heat += share * (v3_dot(port->force, port->force) - port->heat);
    return (cg_feel_force){port->force, torque};
}
