// The thread of masses and springs of Shi 2008, 5.2: models 1 to 5 as in thread/mass_spring.h, gathered at its points
// instead of handed out by its springs. Two phases, `velocity` and `position` of 5.2.1, one point a lane; both are
// compiled for processors and graphics processors (gpu/side.h).
//
// A point gets the pull of the two segments beside it, and what the joints at itself and at both of its neighbours do
// to it. A joint of angle t between the directions a and b, c = a x b / sin t:
//
//     moment      S t / pi - T (rate of t)                     torsional spring and damper
//     on the end before    moment / length (a x c) - W / length (c . v) c        the last one is the swivel damper
//     on the end after     the same with b;  on the middle: what is left
//
// A hand holds a point by a spring and a damper, taken implicitly: no hand is too stiff.
#ifndef CATGUT_GPU_SPRING_THREAD_H
#define CATGUT_GPU_SPRING_THREAD_H

#include "base/vec3.h"

enum { CG_SPRING_PHASES = 2 };

typedef struct cg_spring_law {
    int points;
    int model;               // 1 to 5
    double mass;             // [kg] of a point
    double rest_length;      // [m] of a segment
    double linear_spring;    // [N] at a strain of 1
    double quadratic_spring; // [N] at a strain of 1, model 5
    double linear_damper;    // [N s/m]
    double torsional_spring; // [N m] at an angle of pi
    double torsional_damper; // [N m s]
    double swivel_damper;    // [N s]
    double step;             // [s]
    double drag;             // [1/s]
    cg_vec3 gravity;         // [m/s2]
    double radius;           // [m] of the thread where it touches the floor
    double floor;            // [m] height (z) of a floor
    int has_floor;           //
    double friction;         // with it
    int hand;                // the point that a hand holds; -1: none
    cg_vec3 hand_place;      // [m]
    cg_vec3 hand_velocity;   // [m/s]
    double hand_spring;      // [N/m]
    double hand_damper;      // [N s/m]
} cg_spring_law;

typedef struct cg_spring_thread {
    cg_vec3 *place, *velocity;
    const unsigned char *fixed; // stays where it is; NULL: none does
    cg_vec3 *back, *ahead;      // [N] what the joint at a point does to the point before and behind it
    cg_vec3 *pull;              // [N] what the segment behind a point does to it
} cg_spring_thread;

// The angle whose sine and cosine are in this ratio, 0 to pi: halved three times, and then the series of its tangent.
static inline double cg_spring_angle(double sine, double cosine)
{
    double length = sqrt(sine * sine + cosine * cosine);
    bool is_blunt = cosine < 0;
    double t = sine / (length + (is_blunt ? -cosine : cosine)); // of half the angle, or of half of what is left to pi
    t = t / (1 + sqrt(1 + t * t));
    t = t / (1 + sqrt(1 + t * t));
    double square = t * t, sum = 0, one = 1;
    for (int n = 21; n >= 1; n -= 2) {
        sum = one / n - square * sum;
    }
    double angle = 8 * t * sum, pi = (double)3.14159265358979323846;
    return is_blunt ? pi - angle : angle;
}

// What a joint does to its two ends; to its middle the opposite of both.
typedef struct cg_spring_joint {
    cg_vec3 back, ahead;
} cg_spring_joint;

static inline cg_spring_joint cg_spring_bend(const cg_spring_law *law, const cg_spring_thread *thread, int middle)
{
    cg_spring_joint joint;
    joint.back = joint.ahead = v3_zero();
    if (middle < 1 || middle + 1 >= law->points || law->model < 2) {
        return joint;
    }
    const cg_vec3 *x = thread->place, *v = thread->velocity;
    cg_vec3 a = v3_sub(x[middle], x[middle - 1]), b = v3_sub(x[middle + 1], x[middle]);
    double length_a = v3_length(a), length_b = v3_length(b);
    if (!(length_a > 0 && length_b > 0)) {
        return joint;
    }
    double arm_a = 1 / length_a, arm_b = 1 / length_b;
    a = v3_scale(arm_a, a);
    b = v3_scale(arm_b, b);
    cg_vec3 cross = v3_cross(a, b);
    double sine = v3_length(cross);
    if (!(sine * 1000000000 > 1)) { // straight, or folded back: it has no plane
        return joint;
    }
    cg_vec3 c = v3_scale(1 / sine, cross), t_a = v3_cross(a, c), t_b = v3_cross(b, c);
    cg_vec3 of_a = v3_sub(v[middle - 1], v[middle]), of_b = v3_sub(v[middle + 1], v[middle]);
    double pi = (double)3.14159265358979323846;
    double moment = law->torsional_spring * cg_spring_angle(sine, v3_dot(a, b)) / pi;
    if (law->model >= 3) {
        moment = moment - law->torsional_damper * (v3_dot(of_a, t_a) * arm_a + v3_dot(of_b, t_b) * arm_b);
    }
    joint.back = v3_scale(moment * arm_a, t_a);
    joint.ahead = v3_scale(moment * arm_b, t_b);
    if (law->model >= 4) {
        joint.back = v3_add_scaled(joint.back, -law->swivel_damper * arm_a * v3_dot(of_a, c), c);
        joint.ahead = v3_add_scaled(joint.ahead, -law->swivel_damper * arm_b * v3_dot(of_b, c), c);
    }
    return joint;
}

// The pull of a segment on the point before it.
static inline cg_vec3 cg_spring_pull(const cg_spring_law *law, const cg_spring_thread *thread, int segment)
{
    if (segment < 0 || segment + 1 >= law->points) {
        return v3_zero();
    }
    cg_vec3 way = v3_sub(thread->place[segment + 1], thread->place[segment]);
    cg_vec3 apart = v3_sub(thread->velocity[segment + 1], thread->velocity[segment]);
    double length = v3_length(way), inverse = length > 0 ? 1 / length : 0;
    double strain = (length - law->rest_length) / law->rest_length;
    double spring = law->model >= 5 ? law->quadratic_spring * strain * fabs(strain) : law->linear_spring * strain;
    return v3_scale((spring + law->linear_damper * (v3_dot(apart, way) * inverse)) * inverse, way);
}

static inline void cg_spring_strain(const cg_spring_law *law, const cg_spring_thread *thread, int lane, int lanes)
{
    for (int i = lane; i < law->points; i += lanes) {
        cg_spring_joint joint = cg_spring_bend(law, thread, i);
        thread->back[i] = joint.back;
        thread->ahead[i] = joint.ahead;
        thread->pull[i] = cg_spring_pull(law, thread, i);
    }
}

// What all of them do to a point.
static inline cg_vec3 cg_spring_gather(const cg_spring_law *law, const cg_spring_thread *thread, int i)
{
    cg_vec3 force = v3_sub(thread->pull[i], v3_add(thread->back[i], thread->ahead[i]));
    if (i > 0) {
        force = v3_add(force, v3_sub(thread->ahead[i - 1], thread->pull[i - 1]));
    }
    return i + 1 < law->points ? v3_add(force, thread->back[i + 1]) : force;
}

// A point that came below the floor is put on it, and slides less.
static inline cg_vec3 cg_spring_land(const cg_spring_law *law, cg_vec3 start, cg_vec3 place)
{
    double lowest = law->floor + law->radius, depth = lowest - place.z;
    double along_x = place.x - start.x, along_y = place.y - start.y;
    double slide = sqrt(along_x * along_x + along_y * along_y), most = law->friction * depth;
    double share = slide > most ? 1 - most / slide : 0;
    return v3(start.x + share * along_x, start.y + share * along_y, lowest);
}

static inline void cg_spring_move(const cg_spring_law *law, const cg_spring_thread *thread, int lane, int lanes)
{
    for (int i = lane; i < law->points; i += lanes) {
        if (thread->fixed != NULL && thread->fixed[i]) {
            thread->velocity[i] = v3_zero();
            continue;
        }
        cg_vec3 v = thread->velocity[i], start = thread->place[i];
        cg_vec3 force = v3_add_scaled(cg_spring_gather(law, thread, i), law->mass, law->gravity);
        force = v3_add_scaled(force, -law->mass * law->drag, v);
        double mass = law->mass;
        if (i == law->hand) {
            cg_vec3 lag = v3_sub(law->hand_place, v3_add_scaled(start, law->step, v));
            force = v3_add_scaled(force, law->hand_spring, lag);
            force = v3_add_scaled(force, law->hand_damper, v3_sub(law->hand_velocity, v));
            mass = mass + law->step * (law->step * law->hand_spring + law->hand_damper);
        }
        v = v3_add_scaled(v, law->step / mass, force);
        cg_vec3 place = v3_add_scaled(start, law->step, v);
        if (law->has_floor && place.z < law->floor + law->radius) {
            place = cg_spring_land(law, start, place);
            v = v3_scale(1 / law->step, v3_sub(place, start));
        }
        thread->velocity[i] = v;
        thread->place[i] = place;
    }
}

// [N] What the hand did in the last step.
static inline cg_vec3 cg_spring_hand_force(const cg_spring_law *law, const cg_spring_thread *thread)
{
    if (law->hand < 0) {
        return v3_zero();
    }
    cg_vec3 lag = v3_sub(law->hand_place, thread->place[law->hand]);
    cg_vec3 slower = v3_sub(law->hand_velocity, thread->velocity[law->hand]);
    return v3_add_scaled(v3_scale(law->hand_spring, lag), law->hand_damper, slower);
}

static inline void cg_spring_phase(const cg_spring_law *law, const cg_spring_thread *thread, int phase, int lane,
                                   int lanes)
{
    if (phase == 0) {
        cg_spring_strain(law, thread, lane, lanes);
    } else {
        cg_spring_move(law, thread, lane, lanes);
    }
}

#endif
