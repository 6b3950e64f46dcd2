// How a free body moves in a step: see the top of rigid.h.
#include "rigid/rigid.h"

// The implicit equation of a turn is solved by putting in what came out, until nothing changes any more. What is wrong
// shrinks by about the turn [rad] each time, so a turn of a tenth needs fifteen.
enum { MOST_TRIES = 100 };
static const double SAME_TURN = 1e-15; // of the turn

// The rotation of a turn.
static cg_quat rotation_of(cg_vec3 turn)
{
    return quat_normalise(quat(0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1));
}

// The turn between two rotations, up to half a circle.
static cg_vec3 turn_between(cg_quat from, cg_quat to)
{
    cg_quat q = quat_multiply(to, quat_conjugate(from));
    double w = q.w < 0 ? -q.w : q.w, sign = q.w < 0 ? -2 : 2;
    double scale = w > 1e-12 ? sign / w : sign * 1e12;
    return v3(scale * q.x, scale * q.y, scale * q.z);
}

// Im^-1 of a turn from the start of the step, in the axes of the world.
static cg_mat3 inverse_inertia_within(const cg_rigid *body, cg_vec3 turn)
{
    cg_quat whole = rotation_of(turn), half = quat_normalise(quat(whole.x, whole.y, whole.z, whole.w + 1));
    cg_mat3 axes = quat_to_mat3(quat_multiply(half, body->start.rotation));
    return m3_multiply(m3_multiply(axes, body->inverse_inertia), m3_transpose(axes));
}

// turn = h Im^-1 L, from the turn that the present target has.
static cg_vec3 solve_turn(cg_rigid *body, cg_vec3 momentum)
{
    double h = body->time_step;
    cg_vec3 turn = turn_between(body->start.rotation, body->target.rotation);
    for (int i = 0; i < MOST_TRIES; i++) {
        body->turning = inverse_inertia_within(body, turn);
        cg_vec3 next = v3_scale(h, m3_apply(body->turning, momentum));
        double change = v3_distance(next, turn);
        turn = next;
        if (!(change > SAME_TURN * v3_length(turn))) {
            break;
        }
    }
    body->turning = m3_scale(h * h, body->turning);
    return turn;
}

void cg_rigid_begin_step(cg_rigid *body, double time_step, cg_vec3 gravity)
{
    body->time_step = time_step;
    body->applied = v3_add_scaled(body->push, body->mass, gravity);
    body->is_near = body->arrived = body->settles = body->done = body->refused = false;
    body->start = body->target = body->now;
}

void cg_rigid_respond(cg_rigid *body)
{
    if (body->done) {
        body->target = body->now;
        return;
    }
    double h = body->time_step, share = body->is_near ? 1 : 0.5;
    cg_vec3 change = v3_scale(h / body->mass, v3_add(body->applied, body->force));
    cg_vec3 twist = v3_scale(h, v3_add(body->moment, body->torque));
    body->next_velocity = v3_add(body->velocity, change);
    body->next_momentum = v3_add(body->momentum, twist);
    cg_vec3 travel = v3_scale(h, v3_add_scaled(body->velocity, share, change));
    cg_vec3 turn = solve_turn(body, v3_add_scaled(body->momentum, share, twist));
    body->target.position = v3_add(body->start.position, travel);
    body->target.rotation = quat_normalise(quat_multiply(rotation_of(turn), body->start.rotation));
    body->arrived = true;
}

cg_vec3 cg_rigid_motion_at(const cg_rigid *body, cg_vec3 point)
{
    cg_vec3 shift = v3_sub(body->target.position, body->now.position);
    cg_vec3 turn = turn_between(body->now.rotation, body->target.rotation);
    return v3_add(shift, v3_cross(turn, v3_sub(point, body->now.position)));
}

double cg_rigid_bend_at(const cg_rigid *body, cg_vec3 point)
{
    cg_vec3 turn = turn_between(body->now.rotation, body->target.rotation);
    return 0.5 * v3_dot(turn, turn) * v3_distance(point, body->now.position);
}

static cg_transform part_of_way(const cg_rigid *body, double share)
{
    cg_vec3 shift = v3_sub(body->target.position, body->now.position);
    return (cg_transform){v3_add_scaled(body->now.position, share, shift),
                          quat_nlerp(body->now.rotation, body->target.rotation, share)};
}

void cg_rigid_shorten(cg_rigid *body, double share)
{
    body->target = part_of_way(body, share);
    body->arrived = false;
}

void cg_rigid_refuse_bad_move(cg_rigid *body)
{
    cg_quat q = body->target.rotation;
    if (!v3_is_finite(body->target.position) || !v3_is_finite(v3(q.x, q.y, q.z)) ||
        !v3_is_finite(body->next_momentum) || !v3_is_finite(body->next_velocity)) {
        body->done = body->refused = true;
        body->target = body->now;
    }
}

void cg_rigid_move_share(cg_rigid *body, double share)
{
    body->now = share == 1.0 ? body->target : part_of_way(body, share);
    body->arrived = body->arrived && share == 1.0;
}

// Where something stopped it short, velocity and momentum are those of the motion that was made.
static void measure_motion(cg_rigid *body)
{
    double rate = body->refused ? 0 : 1 / body->time_step;
    cg_vec3 turn = turn_between(body->start.rotation, body->now.rotation);
    cg_mat3 inertia;
    bool is_known = m3_invert(inverse_inertia_within(body, turn), &inertia);
    body->velocity = v3_scale(rate, v3_sub(body->now.position, body->start.position));
    body->momentum = is_known ? v3_scale(rate, m3_apply(inertia, turn)) : v3_zero();
}

void cg_rigid_finish_step(cg_rigid *body)
{
    if (body->arrived && !body->refused) {
        body->velocity = body->next_velocity;
        body->momentum = body->next_momentum;
    } else {
        measure_motion(body);
    }
    body->push = body->moment = v3_zero();
}
