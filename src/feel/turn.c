// Torque at a device whose rotation has motors.
//
// No sheet has the damping of a rotation, so there is no local law of it as there is of force: the torque of the last
// step is held, and goes over to that of the next. What a held torque does is guarded by the account alone
// (feel/step.c): its work on the way that the device turned, torque . turn, is taken from there, and what the hand does
// against it is put in. A torque that is on its way cannot be called back; so the next one is no greater than
//
//     account / (turn of a period) - torques on their way,
//
// with the turn that the last period had and somewhat more. A hand that turns faster and faster may overdraw the
// account by as much as it grew within the delay; nothing more is given out until that is paid back.
//
// A device that does not say how it is turned gets no torque: nobody could tell its work.
#include <stddef.h>

#include "base/quat.h"
#include "feel/feel.h"

static const double FASTER = 1.5;        // by which the turn of the next period may be greater
static const double LEAST_TURN = 0.5e-3; // [rad] a period: half a radian a second, from rest

void cg_feel_turn(cg_feel *feel, int index, cg_quat rotation)
{
    if (index < 0 || index >= feel->count || !v3_is_finite(v3(rotation.x, rotation.y, rotation.z)) ||
        !(rotation.w - rotation.w == 0)) {
        return;
    }
    cg_port *port = &feel->ports[index];
    cg_quat now = quat_normalise(rotation);
    cg_quat way = quat_multiply(now, quat_conjugate(port->turn));
    // Twice the sine of half the angle: 0.04 % short of it at 0.1 rad, which no hand turns within a period.
    port->turned = v3_scale(port->knows_turn ? (way.w < 0 ? -2 : 2) : 0, v3(way.x, way.y, way.z));
    port->turn = now;
    port->knows_turn = true;
}

void cg_port_forget_turn(cg_port *port)
{
    port->knows_turn = false;
    port->turned = port->torque = v3_zero();
    for (int i = 0; i < CG_FEEL_PAST; i++) {
        port->torques[i] = v3_zero();
    }
}

// The periods from a torque that is sent to when it is at work: two where the delay is no whole number of them.
static int delay_of(const cg_port *port, bool longest)
{
    int whole = (int)(port->def.delay / port->def.period + 1e-6);
    bool is_whole = port->def.delay - whole * port->def.period < 1e-6 * port->def.period;
    int delay = whole + (longest && !is_whole) + 1;
    return delay < CG_FEEL_PAST ? delay : CG_FEEL_PAST - 1;
}

static cg_vec3 sent(const cg_port *port, int back)
{
    return port->torques[(port->newest_torque + CG_FEEL_PAST + 1 - back) % CG_FEEL_PAST];
}

// [J] that the motors gave to the turn of this period, at most.
static double work(const cg_port *port)
{
    double one = v3_dot(sent(port, delay_of(port, false)), port->turned);
    double other = v3_dot(sent(port, delay_of(port, true)), port->turned);
    return one > other ? one : other;
}

// [N m] of what is on its way and not yet at work.
static double under_way(const cg_port *port)
{
    double sum = 0;
    for (int back = 1; back < delay_of(port, true); back++) {
        sum += v3_length(sent(port, back));
    }
    return sum;
}

static cg_vec3 shortened(cg_vec3 torque, double most)
{
    double length = v3_length(torque);
    most = most > 0 ? most : 0;
    return length > most ? v3_scale(most / length, torque) : torque;
}

cg_vec3 cg_port_torque(cg_feel *feel, cg_port *port)
{
    double share = port->steps_left > 1 ? 1.0 / port->steps_left : 1;
    port->torque = v3_add_scaled(port->torque, share, v3_sub(port->torque_goal, port->torque));
    if (!port->knows_turn || port->def.device.max_torque == 0) {
        return v3_zero();
    }
    double done = work(port), turn = FASTER * v3_length(port->turned);
    cg_feel_put(feel, -done);
    port->energy -= done;
    port->turned = v3_zero();
    turn = turn > LEAST_TURN ? turn : LEAST_TURN;
    cg_vec3 wanted = shortened(v3_scale(port->fade, port->torque), port->def.device.max_torque);
    cg_vec3 out = shortened(wanted, feel->account / turn - under_way(port));
    port->withheld += v3_length(out) < v3_length(wanted);
    port->newest_torque = (port->newest_torque + 1) % CG_FEEL_PAST;
    port->torques[port->newest_torque] = out;
    return out;
}
