// How a free body moves in a step: see the top of rigid.h.
#include "rigid/rigid.h"

#include <math.h>

#include "base/trig.h"

// A turn longer than this is made of several: the equation for it is then nearly linear.
static const double LONGEST_TURN = 0.25;
enum { MOST_TURNS = 64, MOST_TRIES = 20 };
// [N/m] Jaws that press with 10 N each on a needle turn their forces when it turns, which no pass foresees; where its
// inertia resists by less than this, passes swing farther and farther. Outside of tissue, which holds a needle back as
// jaws do, for each newton of theirs.
static const double STEADY = 500, STEADY_SQUEEZE = 25;
// [rad] What is pushed turns by no more in a step.
static const double MOST_TURN = 1;
static const double SAME_MOMENTUM = 1e-15; // of the momentum

// x with a x = b, by Cramer's rule; b where the matrix is singular.
static cg_vec3 solve3(cg_mat3 a, cg_vec3 b)
{
    cg_vec3 x = m3_column(a, 0), y = m3_column(a, 1), z = m3_column(a, 2), yz = v3_cross(y, z);
    double d = v3_dot(x, yz);
    if (!(d * d > 0)) {
        return b;
    }
    return v3_scale(1 / d, v3(v3_dot(b, yz), v3_dot(x, v3_cross(b, z)), v3_dot(x, v3_cross(y, b))));
}

// In the axes of the body: the mean M of the momentum P before and after a turn of length h,
//     M = P - h/2 (I^-1 M) x M,      by Newton's method.
static cg_vec3 mean_momentum(const cg_mat3 *inverse_inertia, cg_vec3 before, double h)
{
    cg_vec3 mean = before;
    for (int i = 0; i < MOST_TRIES; i++) {
        cg_vec3 half_turn = v3_scale(0.5 * h, m3_apply(*inverse_inertia, mean));
        cg_vec3 wrong = v3_add(v3_sub(mean, before), v3_cross(half_turn, mean));
        cg_mat3 slope = m3_sub(m3_cross(half_turn), m3_scale(0.5 * h, m3_multiply(m3_cross(mean), *inverse_inertia)));
        cg_vec3 change = solve3(m3_add(m3_identity(), slope), wrong);
        mean = v3_sub(mean, change);
        if (!(v3_length(change) > SAME_MOMENTUM * v3_length(mean))) {
            break;
        }
    }
    return mean;
}

// Turns the body from the start of the step to its target, and notes its compliance half way. Returns by how much
// [rad], which may be more than a circle.
static void turn_body(cg_rigid *body, cg_vec3 momentum)
{
    double h = body->time_step;
    cg_quat rotation = body->start.rotation;
    cg_vec3 own = quat_rotate_back(rotation, momentum);
    double whole = h * v3_length(m3_apply(body->inverse_inertia, own));
    int turns = whole < LONGEST_TURN * MOST_TURNS ? 1 + (int)(whole / LONGEST_TURN) : MOST_TURNS;
    for (int i = 0; i < turns; i++) {
        cg_vec3 mean = mean_momentum(&body->inverse_inertia, own, h / turns);
        cg_vec3 turn = v3_scale(h / turns, m3_apply(body->inverse_inertia, mean));
        own = v3_sub(v3_scale(2, mean), own);
        rotation = quat_normalise(quat_multiply(rotation, quat_from_turn(turn)));
    }
    cg_mat3 axes = quat_to_mat3(quat_nlerp(body->start.rotation, rotation, 0.5));
    cg_mat3 inverse = m3_multiply(m3_multiply(axes, body->inverse_inertia), m3_transpose(axes));
    body->turning = m3_scale(h * h, inverse);
    body->target.rotation = rotation;
}

void cg_rigid_begin_step(cg_rigid *body, double time_step, cg_vec3 gravity)
{
    body->time_step = time_step;
    body->applied = v3_add_scaled(body->push, body->mass, gravity);
    body->is_near = body->is_pushed = body->arrived = body->settles = body->done = body->refused = false;
    body->brake = 1;
    body->next_momentum = body->momentum;
    body->start = body->target = body->now;
    body->way = body->turned = v3_zero();
}

// From the present pose to the target about a fixed axis, the shorter way [rad]. (Full circles, where a body spins so
// fast, were tried: where a pass found too much spin the body flailed about and slipped past what was in its way.)
static cg_vec3 way_round(const cg_rigid *body)
{
    cg_quat q = quat_multiply(body->target.rotation, quat_conjugate(body->now.rotation));
    cg_vec3 part = q.w < 0 ? v3(-q.x, -q.y, -q.z) : v3(q.x, q.y, q.z);
    double sine = v3_length(part);
    return v3_scale(sine > 1e-9 ? 2 * cg_atan2(sine, fabs(q.w)) / sine : 2.0, part);
}

void cg_rigid_aim(cg_rigid *body, cg_transform target)
{
    body->target = target;
    body->way = way_round(body);
    body->next_velocity = body->next_momentum = v3_zero();
    body->arrived = true;
}

// In the axes of the world, as it lies now.
static cg_mat3 present_inverse_inertia(const cg_rigid *body)
{
    cg_mat3 axes = quat_to_mat3(body->now.rotation);
    return m3_multiply(m3_multiply(axes, body->inverse_inertia), m3_transpose(axes));
}

// It rises from pass to pass and never falls, though the forces that are kept may ask for less than those that raised
// it: forces that swing would make it swing (where it could fall, energy was won too). Within a pass it stays, so that
// the motion is linear in the forces.
void cg_rigid_begin_pass(cg_rigid *body)
{
    if (body->is_pushed && !body->in_tissue) {
        double spin = v3_length(m3_apply(present_inverse_inertia(body), body->next_momentum));
        body->brake *= fmax(1, body->time_step * spin / MOST_TURN);
    }
}

// Contacts learn from the motion under old forces what other forces would do, as if it were linear. A needle of some
// milligrams that has just lost a newton at its tip, or a rod that strikes a wall by its end, would turn round many
// times by these, from which nothing can be learned: so far it turns in a straight line.
static bool turn_straight(cg_rigid *body, cg_vec3 momentum)
{
    if (!body->in_tissue && !(body->brake > 1)) {
        return false;
    }
    double h = body->time_step;
    cg_mat3 inverse = present_inverse_inertia(body);
    cg_vec3 turn = v3_scale(h, m3_apply(inverse, momentum));
    if (body->in_tissue && !(v3_length(turn) > LONGEST_TURN)) {
        return false;
    }
    body->turning = m3_scale(h * h / body->brake, inverse);
    body->next_momentum = v3_scale(1 / body->brake, body->next_momentum);
    body->way = v3_sub(v3_scale(1 / body->brake, turn), body->turned);
    // It ends where the walk along its way does: elsewhere it could be beyond a wall.
    body->target.rotation = quat_normalise(quat_multiply(quat_from_vector(body->way), body->now.rotation));
    return true;
}

// Position and angle grow in step, so that where a motion begins it is what cg_rigid_motion_at says.
static cg_transform part_of_way(const cg_rigid *body, double share)
{
    cg_vec3 shift = v3_sub(body->target.position, body->now.position);
    cg_quat rotation = quat_multiply(quat_from_vector(v3_scale(share, body->way)), body->now.rotation);
    return (cg_transform){v3_add_scaled(body->now.position, share, shift), quat_normalise(rotation)};
}

double cg_rigid_slowness(const cg_rigid *body)
{
    double h = body->time_step, steady = body->in_tissue ? STEADY : STEADY_SQUEEZE * body->squeeze;
    double times = steady * h * h / body->mass;
    return times > 1 ? times : 1;
}

// A pass goes a part of its way, and contacts see so much less give. Where passes converge nothing of it is left; where
// they do not its velocity is that of the motion made. In tissue, where nothing brakes it, no pass turns it farther
// than what is pushed elsewhere turns in a step. True when it was slowed.
static bool go_slowly(cg_rigid *body)
{
    double share = 1 / cg_rigid_slowness(body), turn = share * v3_length(body->way);
    share = body->in_tissue && turn > MOST_TURN ? share * MOST_TURN / turn : share;
    if (share < 1) {
        body->target = part_of_way(body, share);
        body->way = v3_scale(share, body->way);
        body->turning = m3_scale(share, body->turning);
    }
    return share < 1;
}

void cg_rigid_respond(cg_rigid *body)
{
    if (body->done) {
        body->target = body->now;
        body->way = v3_zero();
        return;
    }
    double h = body->time_step, share = body->is_near ? 1 : 0.5;
    cg_vec3 change = v3_scale(h / body->mass, v3_add(body->applied, body->force));
    cg_vec3 twist = v3_scale(h, v3_add(body->moment, body->torque));
    body->next_velocity = v3_add(body->velocity, change);
    body->next_momentum = v3_add(body->momentum, twist);
    cg_vec3 travel = v3_scale(h, v3_add_scaled(body->velocity, share, change));
    body->target.position = v3_add(body->start.position, travel);
    if (!turn_straight(body, v3_add_scaled(body->momentum, share, twist))) {
        turn_body(body, v3_add_scaled(body->momentum, share, twist));
        body->way = way_round(body);
    }
    body->arrived = !go_slowly(body);
}

cg_vec3 cg_rigid_motion_at(const cg_rigid *body, cg_vec3 point)
{
    cg_vec3 shift = v3_sub(body->target.position, body->now.position);
    return v3_add(shift, v3_cross(body->way, v3_sub(point, body->now.position)));
}

double cg_rigid_bend_at(const cg_rigid *body, cg_vec3 point)
{
    return 0.5 * v3_dot(body->way, body->way) * v3_distance(point, body->now.position);
}

// A body that turns about a point that sticks has turned its arm there too; half of that is right to second order, and
// changes nothing along the ground for one that rolls. Beyond a radian no arm is the right one.
cg_vec3 cg_rigid_moved_at(const cg_rigid *body, cg_vec3 point)
{
    cg_vec3 arm = v3_sub(point, body->now.position), shift = v3_sub(body->now.position, body->start.position);
    if (v3_dot(body->turned, body->turned) < 1) {
        arm = v3_add_scaled(arm, -0.5, v3_cross(body->turned, arm));
    }
    return v3_add(shift, v3_cross(body->turned, arm));
}

void cg_rigid_shorten(cg_rigid *body, double share)
{
    body->target = part_of_way(body, share);
    body->way = v3_scale(share, body->way);
    body->arrived = false;
}

void cg_rigid_refuse_bad_move(cg_rigid *body)
{
    cg_quat q = body->target.rotation;
    if (!cg_rigid_is_within(body->target.position, CG_RIGID_FARTHEST) || !v3_is_finite(v3(q.x, q.y, q.z)) ||
        !cg_rigid_is_within(body->next_momentum, CG_RIGID_MOST_MOMENT) ||
        !cg_rigid_is_within(body->next_velocity, CG_RIGID_FASTEST)) {
        body->done = body->refused = true;
        body->target = body->now;
        body->way = v3_zero();
    }
}

void cg_rigid_move_share(cg_rigid *body, double share)
{
    body->now = share == 1.0 ? body->target : part_of_way(body, share);
    body->turned = v3_add_scaled(body->turned, share, body->way);
    body->arrived = body->arrived && share == 1.0;
}

static void measure_spin(cg_rigid *body)
{
    cg_rigid_set_spin(body, v3_scale(body->refused ? 0 : 1 / body->time_step, body->turned));
}

// Where something stopped it short, velocity and spin are those of the motion that was made.
static void measure_motion(cg_rigid *body)
{
    cg_vec3 shift = v3_sub(body->now.position, body->start.position);
    body->velocity = v3_scale(body->refused ? 0 : 1 / body->time_step, shift);
    measure_spin(body);
}

// A turn about an axis does not change the inertia about that axis: the spin of a straight turn has as much energy when
// it ends as when it began. The angular momentum would have more, about axes that have turned by up to a radian.
void cg_rigid_finish_step(cg_rigid *body)
{
    if (!body->arrived || body->refused || body->drive != NULL) {
        measure_motion(body);
    } else if (body->brake > 1) {
        body->velocity = body->next_velocity;
        measure_spin(body);
    } else {
        body->velocity = body->next_velocity;
        body->momentum = body->next_momentum;
    }
    body->push = body->moment = v3_zero();
}
