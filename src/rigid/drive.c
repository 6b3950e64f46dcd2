#include "rigid/drive.h"

#include "base/trig.h"

// [rad] No frame turns farther in a step: a lever that is told to turn about at once takes some steps.
static const double MOST_TURN = 0.5;

cg_transform cg_drive_frame(const cg_drive *drive)
{
    return transform_compose(drive->bodies[0]->now, transform_inverse(drive->closed[0]));
}

// What the body that opens to one side stands turned or shifted by, along the axis.
static double opened(const cg_drive *drive, const cg_transform *frame, int body)
{
    const cg_transform *now = &drive->bodies[body]->now, *closed = &drive->closed[body];
    if (!drive->is_hinged) {
        return v3_dot(drive->axis, v3_sub(transform_point_back(*frame, now->position), closed->position));
    }
    cg_quat here = quat_multiply(quat_conjugate(frame->rotation), now->rotation);
    cg_quat turn = quat_multiply(here, quat_conjugate(closed->rotation));
    double sign = turn.w < 0 ? -1 : 1;
    return 2 * cg_atan2(sign * v3_dot(drive->axis, v3(turn.x, turn.y, turn.z)), sign * turn.w);
}

double cg_drive_opening(const cg_drive *drive)
{
    cg_transform frame = cg_drive_frame(drive);
    return drive->count > 1 ? opened(drive, &frame, 2) - opened(drive, &frame, 1) : 0;
}

cg_transform cg_drive_place(const cg_drive *drive, int body, cg_transform frame, double opening)
{
    double way = cg_drive_share(body) * opening;
    cg_transform local = drive->closed[body];
    if (drive->is_hinged) {
        cg_quat turn = quat_from_vector(v3_scale(way, drive->axis));
        local.position = v3_add(drive->hinge, quat_rotate(turn, v3_sub(local.position, drive->hinge)));
        local.rotation = quat_normalise(quat_multiply(turn, local.rotation));
    } else {
        local.position = v3_add_scaled(local.position, way, drive->axis);
    }
    cg_transform place = transform_compose(frame, local);
    place.rotation = quat_normalise(place.rotation);
    return place;
}

void cg_drive_put(cg_drive *drive, cg_transform frame, double opening)
{
    for (int k = 0; k < drive->count; k++) {
        cg_rigid *body = drive->bodies[k];
        body->start = body->now = body->target = cg_drive_place(drive, k, frame, opening);
        body->velocity = body->momentum = v3_zero();
        body->way = body->turned = v3_zero();
    }
}

cg_vec3 cg_drive_opens(const cg_drive *drive, int body, cg_vec3 point)
{
    cg_transform frame = cg_drive_frame(drive);
    cg_vec3 axis = v3_scale(cg_drive_share(body), transform_vector(frame, drive->axis));
    return drive->is_hinged ? v3_cross(axis, v3_sub(point, transform_point(frame, drive->hinge))) : axis;
}

int cg_drive_number(const cg_drive *drive, const cg_rigid *body)
{
    int number = 0;
    while (number + 1 < drive->count && drive->bodies[number] != body) {
        number++;
    }
    return number;
}

void cg_drive_begin_step(cg_drive *drive)
{
    drive->start = cg_drive_frame(drive);
    drive->start_opening = cg_drive_opening(drive);
}

// The forces on the bodies, as the frame and the opening feel them.
static void gather_forces(cg_drive *drive)
{
    cg_transform frame = cg_drive_frame(drive);
    cg_vec3 axis = transform_vector(frame, drive->axis), hinge = transform_point(frame, drive->hinge);
    drive->force = drive->torque = v3_zero();
    drive->opening_force = 0;
    for (int k = 0; k < drive->count; k++) {
        const cg_rigid *body = drive->bodies[k];
        cg_vec3 arm = v3_sub(body->now.position, frame.position), lever = v3_sub(body->now.position, hinge);
        drive->force = v3_add(drive->force, body->force);
        drive->torque = v3_add(drive->torque, v3_add(body->torque, v3_cross(arm, body->force)));
        cg_vec3 about = drive->is_hinged ? v3_add(body->torque, v3_cross(lever, body->force)) : body->force;
        double opens = 2 * cg_drive_share(k) * v3_dot(axis, about);
        drive->opening_force += 0.5 * opens;
        if (k > 0) {
            drive->sides[k - 1] = opens;
        }
    }
}

static void stand_still(cg_drive *drive)
{
    for (int k = 0; k < drive->count; k++) {
        cg_rigid_aim(drive->bodies[k], drive->bodies[k]->now);
    }
}

// As for a free body: a step that leads nowhere is refused.
static void refuse(cg_drive *drive)
{
    stand_still(drive);
    for (int k = 0; k < drive->count; k++) {
        drive->bodies[k]->done = drive->bodies[k]->refused = true;
    }
}

void cg_drive_respond(cg_drive *drive)
{
    gather_forces(drive);
    if (drive->bodies[0]->done) {
        stand_still(drive);
        return;
    }
    cg_vec3 shift = v3_add_scaled(drive->coast, drive->give, v3_add(drive->pull, drive->force));
    cg_vec3 turn = v3_add_scaled(drive->turn_coast, drive->turn_give, v3_add(drive->turn_pull, drive->torque));
    double angle = v3_length(turn);
    turn = angle > MOST_TURN ? v3_scale(MOST_TURN / angle, turn) : turn;
    double opening =
        drive->start_opening + drive->open.coast + drive->open.give * (drive->open.pull + drive->opening_force);
    cg_transform frame = {v3_add(drive->start.position, shift),
                          quat_normalise(quat_multiply(quat_from_vector(turn), drive->start.rotation))};
    if (!cg_rigid_is_within(frame.position, CG_RIGID_FARTHEST) || !v3_is_finite(turn) ||
        !(opening * opening < CG_RIGID_FARTHEST)) {
        refuse(drive);
        return;
    }
    for (int k = 0; k < drive->count; k++) {
        cg_rigid_aim(drive->bodies[k], cg_drive_place(drive, k, frame, opening));
    }
}
