// Feel: force-feedback devices, and the loop of 1 kHz between a device and a hand of a world.
//
// A world gives the force on a hand once a step, whenever that is ready. A device wants a force every millisecond, for
// the place where it is now. Between the two stands a port: it keeps a local law of what is near the tool (force, how
// it grows with the way, its direction, whether it can pull), made from what steps tell, and asks it for the force of
// every sample. No force of it can bring more energy out of the device than went in (docs/feel.md).
//
//     cg_feel_def def = cg_feel_def_default(CG_DEVICE_OMNI);
//     cg_feel *feel;
//     cg_status status = cg_feel_create(&def, 1, &feel);
//     every millisecond:      cg_feel_turn(feel, 0, sample.rotation);     only for motors of its rotation
//                             cg_feel_force out = cg_feel_step(feel, 0, &sample.position);
//     after a step of world:  cg_feel_tell(feel, 0, &news);
//
// No clock and no thread is in here: the same calls give the same bits.
#ifndef CATGUT_FEEL_H
#define CATGUT_FEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "catgut/api.h"
#include "catgut/hand.h"
#include "catgut/math.h"
#include "catgut/status.h"

CG_API_BEGIN

// Devices that are known.
typedef enum cg_device_kind {
    CG_DEVICE_OMNI,    // PHANTOM Omni
    CG_DEVICE_TOUCH,   // Touch, which came after it
    CG_DEVICE_DESKTOP, // PHANTOM Desktop
    CG_DEVICE_VLI,     // Virtual Laparoscopic Interface: pivots at a port; has the limits of the Omni
    CG_DEVICE_LAPIE,   // Laparoscopic Impulse Engine: pivots at a port; has the limits of the Omni
    CG_DEVICE_COUNT    // how many there are
} cg_device_kind;

// What a device is and can do.
typedef struct cg_device_def {
    const char *name;      // as settings write it
    const char *source;    // where the numbers come from
    double max_force;      // [N] for a moment, above 0
    double lasting_force;  // [N] for as long as one likes, above 0, at most max_force
    double max_stiffness;  // [N/m] that is recommended without delay, above 0
    double damping;        // [N s/m] of its mechanics, above 0: what makes stiff walls possible
    double friction;       // [N] of its mechanics, 0 or more
    double resolution;     // [m] of its encoders, 0 or more
    double mass;           // [kg] that is felt at its tip, above 0
    cg_vec3 tip_stiffness; // [N/m] of its arms along each axis, above 0
    double max_torque;     // [N m] 0 when its rotation has no motors
    bool pivots;           // an instrument that goes through a port
} cg_device_def;

// A device that is known; the Omni for a number that is none.
cg_device_def cg_device_get(cg_device_kind kind);
// The device of a name; false when there is none.
bool cg_device_find(const char *name, cg_device_kind *kind);
// [N/m] The stiffest spring that stays passive on a device whose loop has that period and delay [s]:
// 0.8 b / (T/2 + delay), b its damping, and at most 0.8 of the recommended one.
double cg_device_stiffness(const cg_device_def *device, double period, double delay);

// Everything that makes a port. Start from cg_feel_def_default.
typedef struct cg_feel_def {
    cg_device_def device;  // what is on the other side
    double period;         // [s] of the loop, 1e-4 to 1e-2
    double delay;          // [s] from a sample to its force beyond the period, 0 to 0.05
    double hand_stiffness; // [N/m] of the spring that draws the hand of the world (cg_hand_def), above 0
    double motion_scale;   // metres in the world for a metre of the device, above 0
    double force_scale;    // newtons at the device for a newton in the world, above 0
    double force_cap;      // [N] at the device, above 0; the device's own limit counts too
    double torque_scale;   // the same for torques, 0 or more
    cg_quat axes;          // from the axes of the device to those of the world
    cg_vec3 port;          // [m] in the world: where an instrument goes in, for a device that pivots
} cg_feel_def;

// 1 kHz, no delay, k_h of 1000 N/m as cg_hand_def_default has it, scales of 1, the device's limit, its axes the
// world's, a port 0.15 m above the origin.
cg_feel_def cg_feel_def_default(cg_device_kind kind);

// Most ports of one feel.
#define CG_FEEL_MOST_PORTS 4

// The ports of one world: what one hand puts in another may feel.
typedef struct cg_feel cg_feel;

// Makes ports, at most CG_FEEL_MOST_PORTS.
cg_status cg_feel_create(const cg_feel_def *defs, int count, cg_feel **feel);
// Ends it. NULL is allowed.
void cg_feel_destroy(cg_feel *feel);

// A port gets another device or other scales; what it knew is forgotten, the account stays.
cg_status cg_feel_replace(cg_feel *feel, int port, const cg_feel_def *def);
// From now on the device at that pose, in its own axes, means the hand at that pose in the world.
void cg_feel_align(cg_feel *feel, int port, cg_transform device, cg_transform hand);
// Where the hand is wanted while the device is at that pose.
cg_transform cg_feel_command(const cg_feel *feel, int port, cg_transform device);

// What a step of the world tells a port.
typedef struct cg_feel_news {
    cg_vec3 position; // [m] of the device, in its axes: the one that the step had as its command
    cg_vec3 force;    // [N] on the hand, in the world (cg_hand_state)
    cg_vec3 torque;   // [N m] the same
    bool holds;       // the hand holds something: the force can turn round. Otherwise it only pushes, or only pulls
} cg_feel_news;

// What a hand tells after a step that had the device at that position as its command.
cg_feel_news cg_feel_news_of(cg_vec3 position, const cg_hand_state *hand);
// A step was made. Call it as often as there are steps.
void cg_feel_tell(cg_feel *feel, int port, const cg_feel_news *news);

// What goes to the device, in its axes.
typedef struct cg_feel_force {
    cg_vec3 force;  // [N]
    cg_vec3 torque; // [N m]
} cg_feel_force;

// How the device is turned at the sample that follows, in its axes. One that never says so gets no torque: the work of
// a torque goes through the account, as that of a force does.
void cg_feel_turn(cg_feel *feel, int port, cg_quat rotation);
// One period: the position of the device [m], or NULL when no sample came. The force goes to zero within 10 ms without
// samples, and comes back gently.
cg_feel_force cg_feel_step(cg_feel *feel, int port, const cg_vec3 *position);

// How a port does.
typedef struct cg_feel_state {
    bool present;      // samples come
    cg_vec3 force;     // [N] that was sent last
    double stiffness;  // [N/m] of the local law now; 0 when nothing is near
    double limit;      // [N/m] that it can have at most
    double energy;     // [J] that the device put in, by its samples, forces and torques
    double account;    // [J] that may come out beyond what the law holds, of all ports
    uint64_t steps;    // periods so far
    uint64_t withheld; // of them, how often energy was missing for what the world told
    uint64_t capped;   // and how often the force was as great as the device bears just then
    double heat;       // of the motors, 1: only the lasting force is left
} cg_feel_state;

// How a port does now; all zero for one that is not there.
cg_feel_state cg_feel_get_state(const cg_feel *feel, int port);

// A pose between those of a tracker: seen at two times [s], foreseen for a third, at most `most` [s] behind the later.
cg_transform cg_feel_foresee(cg_transform before, double before_time, cg_transform last, double last_time, double time,
                             double most);

// A device that is simulated, in the hand of a person that is: closes the loop without hardware.
typedef struct cg_practice_def {
    cg_device_def device;  // its mass, friction, damping, resolution, arms
    double delay;          // [s] from a sample to its force at the motors, in whole periods of 1 ms, 0 to 0.05
    double hand_mass;      // [kg] of the person's hand, above 0
    double hand_stiffness; // [N/m] with which the person draws it to where it wants to be, above 0
    double hand_damping;   // [N s/m] beside it, 0 or more
} cg_practice_def;

// An Omni without delay; a hand of 0.2 kg, 400 N/m and 8 N s/m.
cg_practice_def cg_practice_def_default(void);

// A simulated device and person.
typedef struct cg_practice cg_practice;

// Puts both at rest at a place [m].
cg_status cg_practice_create(const cg_practice_def *def, cg_vec3 place, cg_practice **practice);
// Ends it. NULL is allowed.
void cg_practice_destroy(cg_practice *practice);
// [m] What its encoders read.
cg_vec3 cg_practice_read(const cg_practice *practice);
// A force [N] for its motors, which arrives after the delay. One that is not finite counts as none.
void cg_practice_write(cg_practice *practice, cg_vec3 force);
// One millisecond in which the person wants to be at that place [m]. Motors that have been told nothing for 5 ms go
// slack.
void cg_practice_step(cg_practice *practice, cg_vec3 wanted);

// How it does.
typedef struct cg_practice_state {
    cg_vec3 position; // [m] of the device
    cg_vec3 velocity; // [m/s]
    cg_vec3 hand;     // [m] of the person's hand
    cg_vec3 motors;   // [N] at work now
    cg_vec3 push;     // [N] of the hand on the device
    double energy;    // [J] that the hand put into the device so far
    double lowest;    // [J] the least it ever was
} cg_practice_state;

// How it does now.
cg_practice_state cg_practice_get_state(const cg_practice *practice);

CG_API_END

#endif
