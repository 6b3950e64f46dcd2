// A needle in a grasper without jaws: it stands still in the hand's frame, as a stretch of thread does. The hand leads
// it by a drive of one body (rigid/drive.h), as the rod of a probe: mass, spring and damper of the hand, the needle's
// own mass and weight, and all that touches it or pulls at its thread are one problem.
#include <math.h>

#include "base/transform.h"
#include "collide/parts.h"
#include "geometry/closest.h"
#include "tool/hand.h"

bool cg_hand_holds_needle(const cg_hand *hand)
{
    return hand->needle.index != 0;
}

bool cg_hand_reaches_needle(const cg_hand *hand, const cg_rigid *needle, double *distance)
{
    bool nearer = false;
    for (int k = 0; k < needle->part_count; k++) {
        cg_rods rods = cg_rods_of(&needle->parts[k].shape);
        cg_transform pose = transform_compose(needle->now, needle->parts[k].pose);
        for (int e = 0; e < rods.edge_count; e++) {
            const cg_vec3 ends[2] = {transform_point(pose, rods.corners[rods.edges[e][0]]),
                                     transform_point(pose, rods.corners[rods.edges[e][1]])};
            double away;
            if (cg_hand_reaches_segment(hand, ends, rods.radius, &away) && away < *distance) {
                *distance = away;
                nearer = true;
            }
        }
    }
    return nearer;
}

void cg_hand_lead_needle(cg_hand *hand, cg_rigid *needle, cg_handle handle, const cg_transform *local)
{
    cg_drive *drive = &hand->jaws.drive;
    *drive = (cg_drive){.bodies = {needle}, .count = 1, .closed = {*local}, .axis = {0, 1, 0}};
    hand->needle = handle;
    needle->drive = drive;
}

void cg_hand_take_needle(cg_hand *hand, cg_rigid *needle, cg_handle handle)
{
    cg_transform local = transform_compose(transform_inverse(hand->pose), needle->now);
    local.rotation = quat_normalise(local.rotation);
    cg_hand_lead_needle(hand, needle, handle, &local);
}

void cg_hand_drop_needle(cg_hand *hand)
{
    cg_rigid *needle = hand->jaws.drive.bodies[0];
    if (cg_hand_holds_needle(hand) && needle != NULL && needle->drive == &hand->jaws.drive) {
        needle->drive = NULL;
    }
    hand->needle = (cg_handle){0, 0};
}

// [N] What pulls at the needle beside contacts: its weight, and pushes from outside.
static cg_vec3 load_of(const cg_rigid *needle, const cg_step_context *context)
{
    return v3_add_scaled(needle->push, needle->mass, context->gravity);
}

void cg_hand_load_needle(cg_hand *hand, const cg_step_context *context)
{
    cg_drive *drive = &hand->jaws.drive;
    const cg_rigid *needle = drive->bodies[0];
    cg_vec3 load = load_of(needle, context), arm = v3_sub(needle->now.position, hand->pose.position);
    double inertia = needle->mass * context->inverse_step * context->inverse_step;
    drive->pull = v3_add(drive->pull, load);
    drive->give = 1 / (1 / drive->give + inertia);
    if (drive->turn_give > 0) {
        drive->turn_pull = v3_add(drive->turn_pull, v3_add(needle->moment, v3_cross(arm, load)));
    }
    hand->needle_load = load;
}

void cg_hand_visit_needle(cg_archive *archive, cg_hand *hand, bool holds)
{
    int place = (int)hand->needle.index;
    cg_transform *local = &hand->jaws.drive.closed[0];
    if (holds) {
        cg_archive_int(archive, &place, 1, 1000000);
        cg_archive_vec3(archive, &local->position);
        cg_archive_quat(archive, &local->rotation);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        hand->needle = (cg_handle){holds ? (unsigned)place : 0, 0}; // the world knows the generation
    }
}

bool cg_hand_may_hold(const cg_hand *hand, const cg_rigid *needle)
{
    cg_transform local = hand->jaws.drive.closed[0];
    bool is_pose = cg_rigid_is_within(local.position, 1e6) && fabs(quat_dot(local.rotation, local.rotation) - 1) < 1e-9;
    return needle != NULL && needle->is_needle && needle->is_free && needle->drive == NULL && is_pose;
}
