// The stiffness of a thread that a rail of a jaw presses, against the distance of two rods by finite differences.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "harness.h"
#include "laws/pinch.h"
#include "rigid/drive.h"

static const double FORCE = 3, SEGMENT = 0.5e-3; // [N], [m]
static const double RAIL = 0.3e-3, RADIUS = 0.1e-3;
static const double MOST_ARM = 20; // segments, as laws/pinch.c has it

// One segment of a thread along x that lies on a rail, at an angle [rad] to it: the normal is z.
typedef struct rig {
    cg_thread thread;
    cg_band_row rows[2];
    cg_vec3 tangents[1];
    double lengths[1];
    cg_rigid_part rail;
    cg_rigid jaw;
    cg_drive drive;
    cg_touch touch;
    cg_thread *threads[1];
    cg_rigid *rigids[1];
    cg_touch_set set;
} rig;

static cg_vec3 axis_of_rail(double angle)
{
    return v3(cos(angle), sin(angle), 0);
}

static void lay_across(rig *r, double angle)
{
    memset(r, 0, sizeof *r);
    r->tangents[0] = v3(1, 0, 0);
    r->lengths[0] = SEGMENT;
    r->thread.radius = RADIUS;
    r->thread.rows = r->rows;
    r->thread.shape.tangent = r->tangents;
    r->thread.shape.length = r->lengths;
    r->rail.shape.kind = CG_SHAPE_CAPSULE;
    r->rail.shape.radius = RAIL;
    r->rail.pose.rotation = quat_identity();
    r->jaw.parts = &r->rail;
    r->jaw.part_count = 1;
    r->jaw.now.rotation = quat_between(v3(0, 0, 1), axis_of_rail(angle));
    r->jaw.drive = &r->drive;
    r->drive.bodies[1] = &r->jaw;
    r->drive.count = CG_DRIVE_BODIES;
    r->touch.pair.chain_a = cg_chain_of(CG_BODY_THREAD, 0);
    r->touch.pair.chain_b = cg_chain_of(CG_BODY_RIGID, 0);
    r->touch.axes[0] = v3(0, 0, 1);
    r->touch.force = v3(0, 0.4, FORCE); // friction has no part in it
    r->touch.working = true;
    r->threads[0] = &r->thread;
    r->rigids[0] = &r->jaw;
    r->set.cast.threads = r->threads;
    r->set.cast.rigids = r->rigids;
    r->set.rows.touches = &r->touch;
    r->set.rows.count = r->set.cast.thread_count = r->set.cast.rigid_count = 1;
}

// [N m/rad] Twice the energy that the rows have when the segment tilts by one radian.
static double tilting_stiffness(const rig *r)
{
    double lift = 0.5 * SEGMENT; // one end goes up by as much as the other goes down
    return lift * lift * (r->rows[0].diagonal[5] + r->rows[1].diagonal[5] - 2 * r->rows[0].next[8]);
}

// [m] Between the axes of the two rods, when the thread has tilted about the point where it touches.
static double distance_tilted(double angle, double tilt)
{
    cg_vec3 along = v3(cos(tilt), 0, sin(tilt)), across = v3_cross(along, axis_of_rail(angle));
    return fabs(v3_dot(v3(0, 0, RAIL + RADIUS), across)) / v3_length(across);
}

static double pinched(rig *r, double angle)
{
    lay_across(r, angle);
    cg_touch_stiffen_pinched(&r->set);
    return tilting_stiffness(r);
}

TEST(stiffness_is_the_force_times_the_second_derivative_of_the_distance)
{
    static const double angles[] = {1.5707963, 1.2, 0.7, 0.4, -0.7, 2.5};
    rig r;
    for (int k = 0; k < (int)(sizeof angles / sizeof angles[0]); k++) {
        double a = angles[k], tilt = 1e-3;
        double second = (distance_tilted(a, tilt) - 2 * distance_tilted(a, 0) + distance_tilted(a, -tilt));
        double expected = -FORCE * second / (tilt * tilt);
        CHECK_NEAR(pinched(&r, a), expected, 1e-3 * expected);
        CHECK(expected > FORCE * (RAIL + RADIUS) * 0.999);
    }
}

// A thread along the rail would have no end of it.
TEST(stiffness_along_a_rail_has_a_bound)
{
    rig r;
    for (double angle = 0; angle < 0.1; angle += 0.03) {
        CHECK_NEAR(pinched(&r, angle), FORCE * MOST_ARM * SEGMENT, 1e-9);
    }
}

// Rows are symmetric and do not resist a motion of the whole segment, nor one along the rail.
TEST(stiffness_is_against_tilts_alone)
{
    rig r;
    pinched(&r, 0.7);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(r.rows[0].diagonal[i], r.rows[1].diagonal[i], 0);
        CHECK(i == 5 || r.rows[0].diagonal[i] == 0);
    }
    CHECK(r.rows[0].diagonal[5] > 0);
    CHECK_NEAR(r.rows[0].next[8], -r.rows[0].diagonal[5], 0);
}

static bool is_stiffened(rig *r)
{
    cg_touch_stiffen_pinched(&r->set);
    return tilting_stiffness(r) != 0;
}

TEST(what_does_not_pinch_adds_nothing)
{
    rig r;
    lay_across(&r, 1);
    CHECK(is_stiffened(&r));
    lay_across(&r, 1);
    r.touch.force = v3(0, 1, -FORCE); // drawn, not pressed
    CHECK(!is_stiffened(&r));
    lay_across(&r, 1);
    r.drive.bodies[0] = &r.jaw; // a shaft
    CHECK(!is_stiffened(&r));
    lay_across(&r, 1);
    r.jaw.drive = NULL;
    CHECK(!is_stiffened(&r));
    lay_across(&r, 1);
    r.thread.done = true;
    CHECK(!is_stiffened(&r));
    lay_across(&r, 1);
    r.touch.working = false;
    CHECK(!is_stiffened(&r));
}
