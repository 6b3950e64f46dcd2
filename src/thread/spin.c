// The spin of a thread in free flight.
//
// Forces between its parts cannot change the angular momentum of a thread; only drag can, by drag times itself. An
// implicit step takes forces and lever arms at its end, but the momentum that it starts with sat at its start: Euler
// loses h sum m v1 x v0, the square of the turn in each step. What a step should have left is known,
//
//     L1 = L0 / (1 + h drag)        about the centre of mass,
//
// so what is missing is given back as a turn of the whole: v += w x (x - c), with the inertia I w = missing.
#include "base/mat3.h"
#include "base/vec3.h"
#include "thread/thread.h"

static bool is_free(const cg_thread *thread)
{
    bool free = thread->isolated && !thread->touched && !thread->refused && !thread->rolling;
    for (int i = 0; i < thread->vertex_count && free; i++) {
        free = !thread->held[i];
    }
    return free;
}

static cg_vec3 centre_of_mass(const cg_thread *thread)
{
    cg_vec3 sum = v3_zero();
    double mass = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        sum = v3_add_scaled(sum, thread->mass[i], thread->shape.position[i]);
        mass += thread->mass[i];
    }
    return v3_scale(1.0 / mass, sum);
}

// About the centre. The motion of the centre itself adds nothing.
static cg_vec3 angular_momentum(const cg_thread *thread, cg_vec3 centre)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 arm = v3_sub(thread->shape.position[i], centre);
        sum = v3_add_scaled(sum, thread->mass[i], v3_cross(arm, thread->velocity[i]));
    }
    return sum;
}

static cg_mat3 inertia_about(const cg_thread *thread, cg_vec3 centre)
{
    cg_mat3 sum = m3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 arm = v3_sub(thread->shape.position[i], centre);
        double square = v3_dot(arm, arm), mass = thread->mass[i];
        sum = m3_add(sum, m3_scale(mass, m3_sub(m3_diagonal(square, square, square), m3_outer(arm, arm))));
    }
    // A straight thread has none about itself, and can miss none there.
    double little = 1e-9 * (sum.m[0][0] + sum.m[1][1] + sum.m[2][2]);
    return m3_add(sum, m3_diagonal(little, little, little));
}

// How the thread moves as a whole.
typedef struct flight {
    cg_vec3 centre, velocity, turn;
    cg_vec3 momentum, spin; // [kg m/s], [kg m2/s] about the centre
} flight;

static bool flight_of(const cg_thread *thread, flight *f)
{
    cg_mat3 inverse;
    double mass = 0;
    *f = (flight){.centre = centre_of_mass(thread)};
    if (!is_free(thread) || !m3_invert(inertia_about(thread, f->centre), &inverse)) {
        return false;
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        f->momentum = v3_add_scaled(f->momentum, thread->mass[i], thread->velocity[i]);
        mass += thread->mass[i];
    }
    f->velocity = v3_scale(1.0 / mass, f->momentum);
    f->spin = angular_momentum(thread, f->centre);
    f->turn = m3_apply(inverse, f->spin);
    return true;
}

cg_flight_energy cg_thread_flight_energy(const cg_thread *thread)
{
    flight f;
    bool flies = flight_of(thread, &f);
    double flying = 0.5 * v3_dot(f.momentum, f.velocity), spinning = 0.5 * v3_dot(f.spin, f.turn);
    return flies ? (cg_flight_energy){flying, spinning} : (cg_flight_energy){0, 0};
}

void cg_thread_slow_down(cg_thread *thread, cg_thread_pace pace)
{
    flight f;
    bool flies = flight_of(thread, &f);
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 flown = flies ? f.velocity : v3_zero();
        cg_vec3 spun = flies ? v3_cross(f.turn, v3_sub(thread->shape.position[i], f.centre)) : v3_zero();
        cg_vec3 swung = v3_sub(thread->velocity[i], v3_add(flown, spun));
        cg_vec3 whole = v3_add(v3_scale(pace.flight, flown), v3_scale(pace.spin, spun));
        thread->velocity[i] = v3_add_scaled(whole, pace.swing, swung);
    }
    for (int i = 0; thread->rolling && i < thread->segment_count; i++) {
        thread->spin[i] *= pace.swing;
    }
}

void cg_spin_note(cg_thread *thread)
{
    thread->start_spin = is_free(thread) ? angular_momentum(thread, centre_of_mass(thread)) : v3_zero();
}

void cg_spin_keep(cg_thread *thread, const cg_step_context *context)
{
    cg_mat3 inverse;
    if (!is_free(thread)) {
        return;
    }
    cg_vec3 centre = centre_of_mass(thread);
    cg_vec3 wanted = v3_scale(1.0 / (1.0 + context->time_step * thread->drag), thread->start_spin);
    cg_vec3 missing = v3_sub(wanted, angular_momentum(thread, centre));
    bool is_any = missing.x != 0 || missing.y != 0 || missing.z != 0;
    if (is_any && m3_invert(inertia_about(thread, centre), &inverse)) {
        cg_vec3 turn = m3_apply(inverse, missing);
        for (int i = 0; i < thread->vertex_count; i++) {
            cg_vec3 arm = v3_sub(thread->shape.position[i], centre);
            thread->velocity[i] = v3_add(thread->velocity[i], v3_cross(turn, arm));
        }
    }
}
