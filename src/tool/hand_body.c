// A hand whose tool has bodies: the rod of a probe, a solid scalpel or hook (solid.h), or a shaft with jaws; or a hand
// that holds a needle (hand_needle.c). Mass,
// spring and damper of the hand lead the frame of the tool's drive as hand_step.c has them. Turning is the same without
// mass, spring k and damper k T of limited torque, so that a tool that touches nothing turns as a hand without one:
//
//     (m/h^2 + q s) a = q p + F,    a = x' - x - h v          (q k + k T/h) t = q k (c - r) + M.
//
// F and M, of contacts, are solved for together with what touches the tool (laws/body_rigid.c): nothing is felt a
// step late, and no tool that holds something stiff chatters.
#include "base/transform.h"
#include "tool/hand.h"

bool cg_hand_has_jaws(const cg_hand *hand)
{
    return cg_jaws_shape_of(hand->tool, hand->def.grasp) != NULL;
}

bool cg_tool_has_body(cg_hand_tool tool, const cg_hand_def *def)
{
    return tool == CG_TOOL_PROBE || cg_tool_is_solid(tool, def) || cg_jaws_shape_of(tool, def->grasp) != NULL;
}

bool cg_hand_has_body(const cg_hand *hand)
{
    return cg_tool_has_body(hand->tool, &hand->def);
}

bool cg_hand_is_solid(const cg_hand *hand)
{
    return cg_tool_is_solid(hand->tool, &hand->def);
}

void cg_hand_make_body(cg_hand *hand)
{
    if (cg_hand_has_jaws(hand)) {
        cg_jaws_make(&hand->jaws, cg_jaws_shape_of(hand->tool, hand->def.grasp), &hand->def, hand->pose);
    } else if (cg_hand_is_solid(hand)) {
        cg_solid_make(&hand->jaws, hand->tool, &hand->def, hand->pose);
    } else {
        cg_jaws_make_rod(&hand->jaws, &hand->def, hand->pose);
    }
}

static void lead_position(cg_hand *hand, const cg_step_context *context)
{
    cg_hand_lead lead = cg_hand_lead_of(hand, context);
    bool cuts = hand->tool == CG_TOOL_SCALPEL;
    hand->jaws.drive.coast = lead.coast;
    hand->jaws.drive.pull = cuts ? v3_add(lead.pull, cg_hand_blade_force(hand, &lead)) : lead.pull;
    hand->jaws.drive.give = 1 / lead.firm;
}

// A hand with no turn_stiffness turns its tool with its command, however hard that is; one with a port as that wants
// it.
static void lead_turn(cg_hand *hand, const cg_step_context *context)
{
    cg_drive *drive = &hand->jaws.drive;
    double k = hand->def.turn_stiffness;
    drive->turn_coast = drive->turn_pull = v3_zero();
    drive->turn_give = 0;
    if (!(k > 0) || hand->def.has_port) {
        // Where it goes when what touches it does what it did in the last step.
        cg_vec3 shift = v3_add_scaled(drive->coast, drive->give, v3_add(drive->pull, hand->force));
        cg_vec3 next = v3_add(hand->pose.position, shift);
        cg_quat turned = cg_hand_through_port(hand, next, cg_hand_turned(hand, context->time_step));
        drive->turn_coast = cg_turn_between(hand->pose.rotation, turned);
        return;
    }
    cg_vec3 torque = v3_scale(k, cg_turn_between(hand->pose.rotation, hand->command.rotation));
    double length = v3_length(torque), most = hand->def.max_torque, share = length > most ? most / length : 1;
    drive->turn_pull = v3_scale(share, torque);
    drive->turn_give = 1 / (share * k + k * CG_HAND_TURN_TIME * context->inverse_step);
}

// How fast the bodies are, which says what may come near in this step: by the state of the hand alone.
static void set_velocities(cg_hand *hand)
{
    const cg_drive *drive = &hand->jaws.drive;
    for (int k = 0; k < drive->count; k++) {
        cg_rigid *body = drive->bodies[k];
        cg_vec3 arm = v3_sub(body->now.position, hand->pose.position);
        cg_vec3 opens = v3_scale(hand->jaws.speed, cg_drive_opens(drive, k, body->now.position));
        body->velocity = v3_add(v3_add(hand->velocity, v3_cross(hand->spin, arm)), opens);
        cg_rigid_set_spin(body, hand->spin);
    }
}

void cg_hand_push_body(cg_hand *hand, const cg_step_context *context)
{
    cg_drive_begin_step(&hand->jaws.drive);
    set_velocities(hand);
    lead_position(hand, context);
    lead_turn(hand, context);
    if (cg_hand_holds_needle(hand)) {
        cg_hand_load_needle(hand, context);
    } else {
        cg_jaws_lead(&hand->jaws, context->time_step);
    }
}

static void move_freely(cg_jaws *jaws, const cg_step_context *context)
{
    for (int k = 0; k < jaws->drive.count; k++) {
        cg_rigid_begin_step(&jaws->bodies[k], context->time_step, context->gravity);
        jaws->bodies[k].force = jaws->bodies[k].torque = v3_zero();
    }
    cg_drive_respond(&jaws->drive);
    for (int k = 0; k < jaws->drive.count; k++) {
        jaws->bodies[k].now = jaws->bodies[k].target;
    }
}

void cg_hand_feel_body(cg_hand *hand, bool is_free, const cg_step_context *context)
{
    if (is_free) {
        move_freely(&hand->jaws, context);
    }
    cg_hand_arrive(hand, cg_drive_frame(&hand->jaws.drive), context->inverse_step);
    if (hand->jaws.drive.bodies[0]->refused) {
        hand->velocity = hand->spin = v3_zero();
    }
    hand->force = hand->jaws.drive.force;
    hand->torque = hand->jaws.drive.torque;
    if (cg_hand_holds_needle(hand)) {
        cg_vec3 arm = v3_sub(hand->jaws.drive.bodies[0]->now.position, hand->pose.position);
        hand->force = v3_add(hand->force, hand->needle_load);
        hand->torque = v3_add(hand->torque, v3_cross(arm, hand->needle_load));
    } else {
        cg_jaws_feel(&hand->jaws, context->time_step);
    }
}
