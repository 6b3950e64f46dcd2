// How a hand moves, with and without a thread.
//
// Without a thread, a mass m on a spring k and a damper d follows the command c by implicit Euler. If nothing pulled it
// would coast to x + h v, where spring and damper pull with
//
//     p = k (c' - x - h v) + d (w - v),    c' the command at the end of the step, w its velocity,
//
// and for each metre beyond, by s = k + d/h less. A pull above the most that the hand may is shortened to that, by a
// share q, and so is s: a limited force does not depend on where the hand is. The step is then
//
//     (m/h^2 + q s) a = q p,    a = x' - x - h v.
//
// With a thread, the mass is spread over the held vertices and the same p and s, for the middle of the stretch, become
// the thread's grip: force q p / n and slope (q s + m/h^2) / n on each of n vertices. What contacts and tension do to
// the hand is thus solved with them, in one system, and no thread is too stiff for it. The mass is that of a rigid
// piece only in the mean; the direction of the stretch is kept by bonds, one for each of its segments, that draw the
// segment to what it was in the hand's frame when the hand closed, with limited torque.
//
// A fine thread would be torn by a strong hand: mass, stiffness and force are scaled down together until the force
// cannot stretch it by more than MOST_STRAIN.
#include "base/transform.h"
#include "tool/hand.h"

// Nylon, silk and polypropylene break at 15 to 40 %. Hands that pull harder would only make threads of no material.
static const double MOST_STRAIN = 0.15;
// [s] of the damper beside each bond, as a share of its stiffness. Without it a stiff jaw rings at steps below 0.5 ms.
static const double BOND_TIME = 2e-3;

static void move_command(cg_hand *hand, double h)
{
    hand->last_command = hand->command;
    if (hand->time_left <= h) {
        hand->command = hand->goal;
        hand->time_left = 0;
    } else {
        double share = h / hand->time_left;
        cg_vec3 way = v3_sub(hand->goal.position, hand->command.position);
        hand->command.position = v3_add_scaled(hand->command.position, share, way);
        hand->command.rotation = quat_nlerp(hand->command.rotation, hand->goal.rotation, share);
        hand->time_left -= h;
    }
    hand->command.rotation = cg_hand_through_port(hand, hand->command.position, hand->command.rotation);
}

// A vector shortened to `most`. Returns the share that is left of it.
static double shorten(cg_vec3 *v, double most)
{
    double length = v3_length(*v);
    if (!(length > most)) {
        return 1;
    }
    *v = v3_scale(most / length, *v);
    return most / length;
}

cg_hand_coupling cg_hand_couple(const cg_hand_def *def, double scale, double h, cg_vec3 to, cg_vec3 to_velocity,
                                cg_vec3 at, cg_vec3 velocity)
{
    cg_hand_coupling c;
    cg_vec3 stretch = v3_add_scaled(v3_sub(to, at), -h, velocity);
    c.pull =
        v3_add_scaled(v3_scale(scale * def->stiffness, stretch), scale * def->damping, v3_sub(to_velocity, velocity));
    double share = shorten(&c.pull, scale * def->max_force);
    c.slope = share * scale * (def->stiffness + def->damping / h);
    return c;
}

cg_hand_lead cg_hand_lead_of(const cg_hand *hand, const cg_step_context *context)
{
    double h = context->time_step, inertia = hand->def.mass * context->inverse_step * context->inverse_step;
    cg_vec3 way = v3_sub(hand->command.position, hand->last_command.position);
    cg_hand_coupling c = cg_hand_couple(&hand->def, 1, h, hand->command.position, v3_scale(context->inverse_step, way),
                                        hand->pose.position, hand->velocity);
    return (cg_hand_lead){v3_scale(h, hand->velocity), c.pull, inertia + c.slope};
}

cg_vec3 cg_turn_between(cg_quat a, cg_quat b)
{
    cg_quat turn = quat_multiply(b, quat_conjugate(a));
    double sign = turn.w < 0 ? -2 : 2;
    return v3(sign * turn.x, sign * turn.y, sign * turn.z);
}

cg_quat cg_hand_turned(const cg_hand *hand, double h)
{
    return quat_nlerp(hand->pose.rotation, hand->command.rotation, h / (h + CG_HAND_TURN_TIME));
}

void cg_hand_arrive(cg_hand *hand, cg_transform pose, double inverse_step)
{
    hand->velocity = v3_scale(inverse_step, v3_sub(pose.position, hand->pose.position));
    hand->spin = v3_scale(inverse_step, cg_turn_between(hand->pose.rotation, pose.rotation));
    hand->pose = pose;
}

void cg_hand_advance(cg_hand *hand, const cg_step_context *context)
{
    double h = context->time_step;
    move_command(hand, h);
    hand->start = hand->pose;
    if (cg_hand_has_body(hand) || cg_hand_holds_needle(hand)) {
        cg_hand_push_body(hand, context);
        return;
    }
    if (hand->tool == CG_TOOL_SCALPEL) {
        cg_transform cut = {cg_hand_cut_on(hand, context), cg_hand_turned(hand, h)};
        cg_hand_arrive(hand, cut, context->inverse_step);
        return;
    }
    if (hand->count > 0 || hand->patch_count > 0) {
        return;
    }
    cg_hand_lead lead = cg_hand_lead_of(hand, context);
    cg_vec3 coasted = v3_add(hand->pose.position, lead.coast);
    cg_transform next = {v3_add_scaled(coasted, 1 / lead.firm, lead.pull), cg_hand_turned(hand, h)};
    cg_hand_arrive(hand, next, context->inverse_step);
}

static cg_vec3 mean_of(const cg_vec3 *vectors, int count)
{
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < count; i++) {
        sum = v3_add(sum, vectors[i]);
    }
    return v3_scale(1.0 / count, sum);
}

static double scale_for(const cg_hand *hand, const cg_thread *thread)
{
    double most = MOST_STRAIN * thread->stretch_stiffness;
    return hand->def.max_force > most ? most / hand->def.max_force : 1;
}

static double bond_stiffness(const cg_hand *hand, double scale)
{
    double squares = 0;
    for (int k = 0; k + 1 < hand->count; k++) {
        cg_vec3 edge = v3_sub(hand->local[k + 1], hand->local[k]);
        squares += v3_dot(edge, edge);
    }
    return squares > 0 ? scale * hand->def.turn_stiffness / squares : 0;
}

// Draws the segments of the stretch to where the command turns them.
static void bond(cg_hand *hand, const cg_thread *thread, double scale, const cg_step_context *context)
{
    double h = context->time_step, stiffness = bond_stiffness(hand, scale), damping = stiffness * BOND_TIME;
    cg_vec3 torque = v3_zero();
    for (int k = 0; k + 1 < hand->count; k++) {
        int i = hand->first + k;
        cg_vec3 edge = v3_sub(hand->local[k + 1], hand->local[k]);
        cg_vec3 wanted = transform_vector(hand->command, edge), before = transform_vector(hand->last_command, edge);
        cg_vec3 rate = v3_sub(thread->velocity[i + 1], thread->velocity[i]);
        cg_vec3 coasted = v3_add_scaled(v3_sub(thread->shape.position[i + 1], thread->shape.position[i]), h, rate);
        cg_vec3 wanted_rate = v3_scale(context->inverse_step, v3_sub(wanted, before));
        hand->bond_forces[k] =
            v3_add_scaled(v3_scale(stiffness, v3_sub(wanted, coasted)), damping, v3_sub(wanted_rate, rate));
        torque = v3_add(torque, v3_cross(coasted, hand->bond_forces[k]));
    }
    double share = shorten(&torque, scale * hand->def.max_torque);
    for (int k = 0; k + 1 < hand->count; k++) {
        hand->bond_forces[k] = v3_scale(share, hand->bond_forces[k]);
    }
    hand->grip.bond_slope = share * (stiffness + damping / h);
    hand->grip.bond_forces = hand->bond_forces;
}

// How far the command turns about the stretch in this step. The rest of its turning goes with the directions of the
// segments, which carry the material along by themselves.
static double turn_about_stretch(const cg_hand *hand)
{
    cg_vec3 edge = v3_sub(hand->local[hand->count - 1], hand->local[0]);
    cg_vec3 along = v3_unit_or(transform_vector(hand->last_command, edge), v3(1, 0, 0));
    cg_quat turn = quat_multiply(hand->command.rotation, quat_conjugate(hand->last_command.rotation));
    double sign = turn.w < 0 ? -1 : 1;
    return 2 * cg_atan2(sign * v3_dot(v3(turn.x, turn.y, turn.z), along), sign * turn.w);
}

void cg_hand_grip(cg_hand *hand, const cg_thread *thread, const cg_step_context *context)
{
    double scale = scale_for(hand, thread), inverse = context->inverse_step;
    cg_vec3 local = mean_of(hand->local, hand->count);
    cg_vec3 to = transform_point(hand->command, local), from = transform_point(hand->last_command, local);
    cg_hand_coupling c = cg_hand_couple(&hand->def, scale, context->time_step, to, v3_scale(inverse, v3_sub(to, from)),
                                        mean_of(thread->shape.position + hand->first, hand->count),
                                        mean_of(thread->velocity + hand->first, hand->count));
    hand->grip.first = hand->first;
    hand->grip.count = hand->count;
    hand->grip.force = v3_scale(1.0 / hand->count, c.pull);
    hand->grip.slope = (c.slope + scale * hand->def.mass * inverse * inverse) / hand->count;
    hand->grip.mass = scale * hand->def.mass / hand->count;
    hand->grip.turn = turn_about_stretch(hand);
    bond(hand, thread, scale, context);
}

// The hand is where its stretch is: turned from where the command wants the stretch to point to where it points.
void cg_hand_feel(cg_hand *hand, const cg_thread *thread, const cg_step_context *context)
{
    const cg_vec3 *x = thread->shape.position + hand->first;
    cg_transform pose = {v3_zero(), cg_hand_turned(hand, context->time_step)};
    cg_vec3 edge = v3_sub(hand->local[hand->count - 1], hand->local[0]);
    cg_vec3 wanted = v3_unit_or(transform_vector(pose, edge), v3(1, 0, 0));
    cg_vec3 there = v3_unit_or(v3_sub(x[hand->count - 1], x[0]), wanted);
    pose.rotation = quat_normalise(quat_multiply(quat_between(wanted, there), pose.rotation));
    pose.position = v3_sub(mean_of(x, hand->count), quat_rotate(pose.rotation, mean_of(hand->local, hand->count)));
    cg_hand_arrive(hand, pose, context->inverse_step);
    hand->force = hand->torque = v3_zero();
    for (int k = 0; k < hand->count; k++) {
        cg_vec3 force = cg_thread_grip_force(thread, &hand->grip, context, hand->first + k);
        hand->force = v3_sub(hand->force, force);
        hand->torque = v3_sub(hand->torque, v3_cross(v3_sub(x[k], pose.position), force));
    }
}
