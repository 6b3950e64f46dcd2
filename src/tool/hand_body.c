// A hand whose tool has a body: a rigid rod that touches threads and tissue as any shape does.
//
// The hand follows its command as hand_step.c has it, and what the rod felt in the last step acts on it:
//
//     (m/h^2 + q s) a = q p + F,    a = x' - x - h v.
//
// F is of the last step, so where what is touched is stiffer than mass and spring of the hand the two would swing. How
// stiff it is shows in how the force changed as the rod moved, r = -dF . dx / dx^2. Of that, what is above half of
// m/h^2 + q s goes into the step, as if the force were F - g (x' - x):
//
//     (m/h^2 + q s + g) a = q p + F - g h v.
//
// At rest, x' = x, it does nothing; in between it damps. Turning is the same without mass: spring k and damper k T, of
// limited torque, so that a rod that touches nothing turns as a hand without one. A hand with no turn_stiffness turns
// its rod with its command, however hard that is.
//
// Contacts stop the rod where they must (contact/touch.h, contact/press.h), and the hand is where its rod is.
#include "base/transform.h"
#include "tool/hand.h"

// What is known of the stiffness fades by this share in a step.
static const double FADING = 0.95;
// [m], [rad] Smaller motions say little about it.
static const double LEAST_MOVE = 1e-7, LEAST_TURN = 1e-6;
// Of m/h^2 + q s, up to which a force of the last step is good enough.
static const double CALM = 0.5;

// The middle of the rod in the hand's frame: its tip is where the hand is.
static cg_vec3 middle_of_rod(const cg_hand *hand)
{
    return v3(0, 0, hand->def.rod_radius + 0.5 * hand->def.rod_length);
}

static cg_transform rod_at(const cg_hand *hand, cg_transform pose)
{
    return (cg_transform){transform_point(pose, middle_of_rod(hand)), pose.rotation};
}

bool cg_hand_has_body(const cg_hand *hand)
{
    return hand->tool == CG_TOOL_PROBE;
}

void cg_hand_make_body(cg_hand *hand)
{
    cg_transform pose = rod_at(hand, hand->pose);
    hand->body = (cg_rigid){
        .shape = {.kind = CG_SHAPE_CAPSULE, .radius = hand->def.rod_radius, .half_length = 0.5 * hand->def.rod_length},
        .friction = hand->def.rod_friction,
        .start = pose,
        .now = pose,
        .target = pose,
        .eagerness = 1};
    hand->felt_stiffness = hand->felt_turning = 0;
}

static double above(double value, double limit)
{
    return value > limit ? value - limit : 0;
}

cg_hand_lead cg_hand_lead_of(const cg_hand *hand, cg_vec3 felt, const cg_step_context *context)
{
    double h = context->time_step, inertia = hand->def.mass * context->inverse_step * context->inverse_step;
    cg_vec3 way = v3_sub(hand->command.position, hand->last_command.position);
    cg_hand_coupling c = cg_hand_couple(&hand->def, 1, h, hand->command.position, v3_scale(context->inverse_step, way),
                                        hand->pose.position, hand->velocity);
    double firm = inertia + c.slope, give = above(hand->felt_stiffness, CALM * firm);
    cg_vec3 coasting = v3_scale(h, hand->velocity);
    return (cg_hand_lead){coasting, v3_add_scaled(v3_add(c.pull, felt), -give, coasting), firm + give};
}

cg_vec3 cg_hand_next_position(const cg_hand *hand, const cg_step_context *context)
{
    cg_hand_lead lead = cg_hand_lead_of(hand, hand->force, context);
    return v3_add_scaled(v3_add(hand->pose.position, lead.coast), 1 / lead.firm, lead.pull);
}

static cg_quat next_rotation(const cg_hand *hand, const cg_step_context *context)
{
    double k = hand->def.turn_stiffness;
    if (!(k > 0)) {
        return cg_hand_turned(hand, context->time_step);
    }
    cg_vec3 torque = v3_scale(k, cg_turn_between(hand->pose.rotation, hand->command.rotation));
    double length = v3_length(torque), most = hand->def.max_torque, share = length > most ? most / length : 1;
    double firm = share * k + k * CG_HAND_TURN_TIME * context->inverse_step;
    double give = above(hand->felt_turning, CALM * firm);
    cg_vec3 turn = v3_scale(1 / (firm + give), v3_add(v3_scale(share, torque), hand->torque));
    // A turn by a vector, to second order; no rod turns by more than half a radian in a step.
    double angle = v3_length(turn), least = angle > 0.5 ? 0.5 / angle : 1;
    cg_quat small = {0.5 * least * turn.x, 0.5 * least * turn.y, 0.5 * least * turn.z, 1};
    return quat_normalise(quat_multiply(small, hand->pose.rotation));
}

void cg_hand_push_body(cg_hand *hand, const cg_step_context *context)
{
    hand->body.target =
        rod_at(hand, (cg_transform){cg_hand_next_position(hand, context), next_rotation(hand, context)});
}

// How stiff something is that pushes back by `change` against `move`; or what was known of it before.
static double stiffness_of(cg_vec3 change, cg_vec3 move, double least, double known)
{
    double found = -v3_dot(change, move) / (v3_dot(move, move) + least * least);
    return found > FADING * known ? found : FADING * known;
}

void cg_hand_feel_tool(cg_hand *hand, cg_vec3 force, cg_vec3 torque, cg_vec3 move)
{
    hand->felt_stiffness = stiffness_of(v3_sub(force, hand->force), move, LEAST_MOVE, hand->felt_stiffness);
    hand->force = force;
    hand->torque = torque;
}

void cg_hand_feel_body(cg_hand *hand, bool is_free, const cg_step_context *context)
{
    cg_rigid *body = &hand->body;
    if (is_free) {
        body->now = body->target;
        body->force = body->torque = v3_zero();
    }
    cg_quat rotation = body->now.rotation;
    cg_transform pose = {v3_sub(body->now.position, quat_rotate(rotation, middle_of_rod(hand))), rotation};
    cg_vec3 move = v3_sub(pose.position, hand->pose.position), turn = cg_turn_between(hand->pose.rotation, rotation);
    cg_vec3 arm = v3_sub(body->now.position, pose.position), torque = v3_add(body->torque, v3_cross(arm, body->force));
    hand->felt_turning = stiffness_of(v3_sub(torque, hand->torque), turn, LEAST_TURN, hand->felt_turning);
    cg_hand_arrive(hand, pose, context->inverse_step);
    cg_hand_feel_tool(hand, body->force, torque, move);
}

void cg_hand_visit_body(cg_archive *archive, cg_hand *hand)
{
    cg_archive_vec3(archive, &hand->body.now.position);
    cg_archive_quat(archive, &hand->body.now.rotation);
    cg_archive_double(archive, &hand->body.eagerness);
    cg_archive_double(archive, &hand->felt_stiffness);
    cg_archive_double(archive, &hand->felt_turning);
}
