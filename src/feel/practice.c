// A device that is simulated in the hand of a person that is.
//
// The mass m of the device has its motors, its damping b and its friction on one side, and on the other its arms, a
// spring to the tip. The tip is in the hand, a mass that muscles draw to where the person wants to be:
//
//     m x'' = F_motors - b x' - friction + P,   P = k_arms (y - x) + c (y' - x'),
//     M y'' = k (wanted - y) - d y' - P.
//
// Steps are short and have constant forces F, v' = v + h F / m, x' = x + h (v + v') / 2, so that the work of each
// force, F (x' - x), is what goes into the motion to the last bit but rounding: the energy that the hand put in, the
// sum of P (x' - x), is that of the mass, the damping and the friction, less the work of the motors.
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"
#include "catgut/feel.h"

enum {
    MOST_DELAY = 50, // [ms]
    QUEUE = MOST_DELAY + 2,
    PARTS = 20,  // of a millisecond
    WATCHDOG = 5 // [ms] that motors work on without being told
};
static const double PERIOD = 1e-3;        // [s]
static const double FINGER_DAMPING = 2.0; // [N s/m] of the grip, beside the arms

struct cg_practice {
    cg_practice_def def;
    cg_vec3 position, velocity; // of the device
    cg_vec3 hand, hand_velocity;
    cg_vec3 motors, push;
    cg_vec3 waiting[QUEUE]; // forces on their way
    bool is_waiting[QUEUE];
    int now; // the place of the queue that arrives next
    int silent;
    double energy, lowest;
};

cg_practice_def cg_practice_def_default(void)
{
    return (cg_practice_def){
        .device = cg_device_get(CG_DEVICE_OMNI), .hand_mass = 0.2, .hand_stiffness = 400, .hand_damping = 8};
}

cg_status cg_practice_create(const cg_practice_def *def, cg_vec3 place, cg_practice **practice)
{
    *practice = NULL;
    if (!(def->delay >= 0 && def->delay <= MOST_DELAY * PERIOD) || !(def->hand_mass > 1e-4 && def->hand_mass < 1e3) ||
        !(def->hand_stiffness > 0 && def->hand_stiffness < 1e5) ||
        !(def->hand_damping >= 0 && def->hand_damping < 1e3) || !v3_is_finite(place) || !(def->device.mass > 1e-4)) {
        return cg_error(CG_BAD_INPUT, "a simulated device needs masses and a stiffness above 0, and a delay of at most "
                                      "50 ms");
    }
    cg_allocator allocator = cg_memory_default();
    cg_practice *made = cg_memory_take(&allocator, sizeof *made);
    if (made == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a simulated device");
    }
    made->def = *def;
    made->position = made->hand = place;
    *practice = made;
    return cg_ok();
}

void cg_practice_destroy(cg_practice *practice)
{
    cg_allocator allocator = cg_memory_default();
    cg_memory_give(&allocator, practice);
}

static double read_axis(double place, double resolution)
{
    return resolution > 0 ? resolution * floor(place / resolution + 0.5) : place;
}

cg_vec3 cg_practice_read(const cg_practice *practice)
{
    double step = practice->def.device.resolution;
    cg_vec3 at = practice->position;
    return v3(read_axis(at.x, step), read_axis(at.y, step), read_axis(at.z, step));
}

void cg_practice_write(cg_practice *practice, cg_vec3 force)
{
    int place = (practice->now + (int)(practice->def.delay / PERIOD + 0.5)) % QUEUE;
    practice->waiting[place] = v3_is_finite(force) ? force : v3_zero();
    practice->is_waiting[place] = true;
}

// The motors take what arrives.
static void arrive(cg_practice *practice)
{
    int place = practice->now;
    practice->now = (place + 1) % QUEUE;
    practice->silent = practice->is_waiting[place] ? 0 : practice->silent + 1;
    if (practice->is_waiting[place]) {
        practice->motors = practice->waiting[place];
    } else if (practice->silent >= WATCHDOG) {
        practice->motors = v3_zero();
    }
    practice->is_waiting[place] = false;
}

static cg_vec3 times(cg_vec3 a, cg_vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// The velocity after friction: it stops, and does not turn round.
static cg_vec3 rubbed(cg_vec3 velocity, double loss)
{
    double speed = v3_length(velocity);
    return speed > loss ? v3_scale(1 - loss / speed, velocity) : v3_zero();
}

static void move(cg_practice *practice, cg_vec3 wanted, double h)
{
    const cg_practice_def *def = &practice->def;
    const cg_device_def *device = &def->device;
    cg_vec3 arms = times(device->tip_stiffness, v3_sub(practice->hand, practice->position));
    cg_vec3 push = v3_add_scaled(arms, FINGER_DAMPING, v3_sub(practice->hand_velocity, practice->velocity));
    cg_vec3 force = v3_add_scaled(v3_add(practice->motors, push), -device->damping, practice->velocity);
    cg_vec3 velocity = v3_add_scaled(practice->velocity, h / device->mass, force);
    velocity = rubbed(velocity, h * device->friction / device->mass);
    cg_vec3 way = v3_scale(0.5 * h, v3_add(practice->velocity, velocity));
    cg_vec3 muscles = v3_scale(def->hand_stiffness, v3_sub(wanted, practice->hand));
    muscles = v3_sub(v3_add_scaled(muscles, -def->hand_damping, practice->hand_velocity), push);
    cg_vec3 hand_velocity = v3_add_scaled(practice->hand_velocity, h / def->hand_mass, muscles);
    practice->hand = v3_add_scaled(practice->hand, 0.5 * h, v3_add(practice->hand_velocity, hand_velocity));
    practice->hand_velocity = hand_velocity;
    practice->position = v3_add(practice->position, way);
    practice->velocity = velocity;
    practice->push = push;
    practice->energy += v3_dot(push, way);
    practice->lowest = practice->energy < practice->lowest ? practice->energy : practice->lowest;
}

void cg_practice_step(cg_practice *practice, cg_vec3 wanted)
{
    arrive(practice);
    for (int i = 0; i < PARTS; i++) {
        move(practice, wanted, PERIOD / PARTS);
    }
}

cg_practice_state cg_practice_get_state(const cg_practice *practice)
{
    return (cg_practice_state){.position = practice->position,
                               .velocity = practice->velocity,
                               .hand = practice->hand,
                               .motors = practice->motors,
                               .push = practice->push,
                               .energy = practice->energy,
                               .lowest = practice->lowest};
}
