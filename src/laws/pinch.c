#include "laws/pinch.h"

#include "base/transform.h"
#include "base/vec3.h"
#include "rigid/drive.h"

// A contact of a thread that lies along a rail runs to the end of its segment, and the stiffness has this many segments
// for its arm at most. With 4 a driver still stalls on threads that are drawn slantwise, with 20 and 100 it does not.
static const double LONGEST_ARM = 20;
// [m/N] Of the cross-section of a thread between a jaw and what is behind it. By Hertz nylon gives some 5e-6 between
// steel rods of a quarter of a millimetre; this is so much stiffer that no thread overlaps a rail by more than some
// hundredths of its radius, and soft enough for the tolerance of the friction problem: with 1e-8
// tests/tool/test_tail fails; values between were not tried.
static const double GIVE = 2e-7;
// [radii] At most so far, whatever the force: as if it were stiffer then. A pass takes half of an overlap back, so a
// thread comes to rest twice as deep as it gives; and what is deeper than the floor of safe motion (0.05) comes no
// nearer: jaws whose whole force is on one pair of rails stood still for good (20 N on 3-0).
static const double DEEPEST_GIVE = 0.02;

// The stiffness times the square of n . (x1 - x0), half of it, is added to the energy of a segment.
static void add_across(cg_thread *thread, int segment, cg_vec3 n, double stiffness)
{
    cg_band_row *here = &thread->rows[segment], *next = &thread->rows[segment + 1];
    const double along[3] = {n.x, n.y, n.z};
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double entry = stiffness * along[i] * along[j];
            here->next[3 * i + j] -= entry;
            if (j >= i) {
                here->diagonal[k] += entry;
                next->diagonal[k++] += entry;
            }
        }
    }
}

// The rod of a jaw that a thread touches, in its turn; NULL where it is none, or the thread is done.
static const cg_rigid_part *rail_at(const cg_touch_set *set, const cg_touch *touch)
{
    int thread = touch_thread(touch, 0), rigid = touch_body(touch, 1, CG_BODY_RIGID);
    if (!touch->working || !touch_is_contact(touch) || thread < 0 || rigid < set->cast.first_free) {
        return NULL;
    }
    const cg_rigid *body = set->cast.rigids[rigid];
    bool is_jaw = body->drive != NULL && cg_drive_number(body->drive, body) > 0; // its shaft presses from one side only
    bool stands = set->cast.threads[thread]->done || set->cast.threads[thread]->model != NULL;
    const cg_rigid_part *part = &body->parts[cg_feature_part(touch->pair.segment_b)];
    return is_jaw && !stands && part->shape.kind == CG_SHAPE_CAPSULE ? part : NULL;
}

double cg_touch_squeeze_give(const cg_touch_set *set, const cg_touch *touch)
{
    if (rail_at(set, touch) == NULL) {
        return 0;
    }
    double force = v3_dot(touch->force, touch->axes[0]), deepest = DEEPEST_GIVE * touch->radius;
    return GIVE * force > deepest ? deepest / force : GIVE;
}

void cg_touch_stiffen_pinched(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        const cg_rigid_part *rail = rail_at(set, touch);
        double force = v3_dot(touch->force, touch->axes[0]);
        if (rail == NULL || !(force > 0)) {
            continue;
        }
        cg_thread *thread = set->cast.threads[touch_thread(touch, 0)];
        const cg_rigid *body = set->cast.rigids[touch_body(touch, 1, CG_BODY_RIGID)];
        int segment = touch_segment(touch, 0);
        cg_vec3 axis = quat_rotate(quat_multiply(body->now.rotation, rail->pose.rotation), v3(0, 0, 1));
        cg_vec3 across = v3_cross(thread->shape.tangent[segment], axis);
        double length = thread->shape.length[segment], most = LONGEST_ARM * length;
        double arm = rail->shape.radius + thread->radius, square = v3_dot(across, across);
        arm = arm < most * square ? arm / square : most;
        add_across(thread, segment, touch->axes[0], force * arm / (length * length));
    }
}
