// Threads that are swaged to needles: weight, pendulum, free flight, what may touch, states.
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "geometry/shape.h"
#include "rigid_rig.h"
#include "world/world.h"

enum { POINTS = 41 };

typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
    cg_rigid_id body;
} rig;

// A thread from `from` to `to`, its start there fastened to a point of the body.
static bool fasten(rig *r, cg_vec3 from, cg_vec3 to, double radius, cg_rigid_def def, const cg_rigid_part *parts,
                   cg_vec3 point)
{
    cg_vec3 points[POINTS];
    cg_thread_def thread = cg_thread_def_default();
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3_add_scaled(from, i / (POINTS - 1.0), v3_sub(to, from));
    }
    thread.positions = points;
    thread.vertex_count = POINTS;
    thread.radius = radius;
    thread.drag = 0;
    def.pose.position = v3_sub(from, quat_rotate(def.pose.rotation, point));
    def.parts = parts;
    def.part_count = parts != NULL;
    return CHECK_STR(cg_world_add_thread(r->world, &thread, &r->thread).message, "") &&
           CHECK_STR(cg_world_add_rigid(r->world, &def, &r->body).message, "") &&
           CHECK_STR(cg_thread_swage(r->world, r->thread, CG_START, r->body, point).message, "");
}

static cg_swage_info swage_of(const rig *r)
{
    cg_swage_info info = {.apart = 1};
    CHECK(cg_thread_get_swage(r->world, r->thread, CG_START, &info));
    return info;
}

static void pin_far_end(rig *r, cg_vec3 place)
{
    cg_end_hold hold = {.kind = CG_END_PINNED, .position = place};
    CHECK_INT(cg_thread_set_end(r->world, r->thread, CG_FINISH, &hold).code, CG_OK);
}

// A needle hangs from a thread: what it weighs is what it pulls, and nothing moves.
TEST(a_needle_hangs_by_its_weight)
{
    for (int i = 0; i < 2; i++) {
        double time_step = i == 0 ? 1e-3 : 5e-3, weight = 9.81 * 40e-6;
        rig r = {.world = make_world(time_step, v3(0, 0, -9.81))};
        cg_needle needle = cg_needle_default();
        cg_rigid_def def = cg_rigid_def_default();
        def.needle = &needle;
        def.mass = 40e-6;
        def.pose.rotation = quat_normalise(quat(0, 1, 0, 0.2)); // the thread leaves it upwards
        if (!fasten(&r, v3_zero(), v3(0, 0, 0.03), 0.11e-3, def, NULL, cg_needle_place(&needle, needle.arc))) {
            return;
        }
        pin_far_end(&r, v3(0, 0, 0.03));
        double most = 0, widest = 0;
        CHECK_INT(cg_world_set_time_step(r.world, 5e-3).code, CG_OK); // it comes to rest sooner
        for (int step = 0; step < 8000; step++) {
            cg_world_step(r.world);
            widest = fmax(widest, swage_of(&r).apart);
        }
        CHECK_INT(cg_world_set_time_step(r.world, time_step).code, CG_OK);
        for (int step = 0; step < 200; step++) {
            most = fmax(most, motion_of_step(r.world, r.body));
        }
        cg_swage_info info = swage_of(&r);
        CHECK(v3_distance(info.force, v3(0, 0, weight)) < 1e-9);
        CHECK(info.apart < 1e-12);
        CHECK(widest < 2e-8);
        CHECK_INT(cg_world_contact_count(r.world), 0);
        cg_world_destroy(r.world);
    }
}

static cg_thread_id add_chain(cg_world *world, cg_vec3 from, cg_vec3 step)
{
    cg_vec3 points[5];
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id id = {0, 0};
    for (int i = 0; i < 5; i++) {
        points[i] = v3_add_scaled(from, i, step);
    }
    def.model = CG_THREAD_CHAIN;
    def.positions = points;
    def.vertex_count = 5;
    CHECK_STR(cg_world_add_thread(world, &def, &id).message, "");
    return id;
}

// Contacts number threads of links behind all others, whenever they were made; a needle stays with its own thread.
TEST(a_chain_that_was_there_before_is_not_swaged)
{
    rig r = {.world = make_world(1e-3, v3(0, 0, -9.81))};
    cg_rigid_part ball = ball_part(2e-3);
    cg_rigid_def def = cg_rigid_def_default();
    def.mass = 2e-3;
    cg_thread_id chain = add_chain(r.world, v3(0.02, 0, -0.05), v3(0.005, 0, 0));
    if (!fasten(&r, v3(0, 0, -0.05), v3_zero(), 0.05e-3, def, &ball, v3_zero())) {
        return;
    }
    pin_far_end(&r, v3_zero());
    for (int step = 0; step < 100; step++) {
        cg_world_step(r.world);
        CHECK(swage_of(&r).apart < 1e-6);
    }
    CHECK_NEAR(info_of(r.world, r.body).centre.z, -0.05, 1e-3);
    CHECK_NEAR(info_of(r.world, r.body).centre.x, 0, 1e-6);
    CHECK_NEAR(cg_thread_positions(r.world, chain, NULL)[0].x, 0.02, 1e-9);
    cg_world_destroy(r.world);
}

// Another thread beside the one that carries a ball: more contacts than there is room for, and the joint holds.
TEST(a_joint_holds_where_contacts_find_no_room)
{
    cg_world_def world = cg_world_def_default();
    rig r = {.world = NULL};
    world.max_contacts = 4;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    cg_vec3 points[POINTS];
    cg_thread_def beside = cg_thread_def_default();
    cg_thread_id id;
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(0.42e-3, 0, -0.03 + 0.0005 * i);
    }
    beside.positions = points;
    beside.vertex_count = POINTS;
    beside.radius = 0.2e-3;
    beside.ends[CG_START] = beside.ends[CG_FINISH] = (cg_end_hold){.kind = CG_END_PINNED};
    CHECK_STR(cg_world_add_thread(r.world, &beside, &id).message, "");
    cg_rigid_part ball = ball_part(2e-3);
    cg_rigid_def def = cg_rigid_def_default();
    def.mass = 2e-3;
    if (!fasten(&r, v3(0, 0, -0.05), v3_zero(), 0.2e-3, def, &ball, v3_zero())) {
        return;
    }
    pin_far_end(&r, v3_zero());
    for (int step = 0; step < 50; step++) {
        cg_world_step(r.world);
    }
    CHECK(cg_world_get_stats(r.world).lost_contacts > 0);
    CHECK(swage_of(&r).apart < 1e-6);
    cg_world_destroy(r.world);
}

TEST(a_thread_of_links_takes_no_needle)
{
    rig r = {.world = make_world(1e-3, v3_zero())};
    cg_rigid_part ball = ball_part(2e-3);
    cg_rigid_id body = add_body(r.world, cg_rigid_def_default(), &ball, 1);
    cg_thread_id chain = add_chain(r.world, v3_zero(), v3(0.005, 0, 0));
    cg_status status = cg_thread_swage(r.world, chain, CG_START, body, v3_zero());
    CHECK_INT(status.code, CG_BAD_INPUT);
    CHECK_STR(status.message, "a thread of springs or links cannot be swaged");
    cg_world_destroy(r.world);
}

// A ball that hangs by its middle is a point: 2 pi sqrt(l / g) (1 + a^2 / 16), and less than a percent for the thread.
TEST(a_ball_on_a_thread_swings_as_a_pendulum)
{
    double length = 0.05, angle = 0.1, time_step = 5e-4;
    rig r = {.world = make_world(time_step, v3(0, 0, -9.81))};
    cg_rigid_part ball = ball_part(2e-3);
    cg_rigid_def def = cg_rigid_def_default();
    def.mass = 2e-3;
    cg_vec3 from = v3_scale(length, v3(sin(angle), 0, -cos(angle)));
    if (!fasten(&r, from, v3_zero(), 0.05e-3, def, &ball, v3_zero())) {
        return;
    }
    pin_far_end(&r, v3_zero());
    double first = -1, last = -1, before = from.x;
    int passes = 0;
    for (int step = 1; step < 8000; step++) {
        cg_world_step(r.world);
        double x = info_of(r.world, r.body).centre.x;
        if (before > 0 && x <= 0) { // each second passage
            last = (step - 1 + before / (before - x)) * time_step;
            first = first < 0 ? last : first;
            passes++;
        }
        before = x;
    }
    double period = (last - first) / (passes - 1), expected = 2 * CG_PI * sqrt(length / 9.81);
    CHECK(passes > 5);
    CHECK_NEAR(period / (expected * (1 + angle * angle / 16)), 1, 1e-3);
    cg_world_destroy(r.world);
}

// What thread and needle have together.
typedef struct sums {
    cg_vec3 momentum, spin, centre;
    double mass;
} sums;

static sums sums_of(const rig *r)
{
    int count;
    const cg_vec3 *x = cg_thread_positions(r->world, r->thread, &count);
    const cg_vec3 *v = cg_thread_velocities(r->world, r->thread, NULL);
    cg_thread_def def = cg_thread_def_default();
    cg_rigid_info body = info_of(r->world, r->body);
    sums s = {v3_scale(body.mass, body.velocity), v3_zero(), v3_scale(body.mass, body.centre), body.mass};
    s.spin = v3_add(body.angular_momentum, v3_cross(body.centre, s.momentum));
    for (int i = 0; i < count; i++) {
        double length = 0;
        length += i > 0 ? 0.5 * cg_thread_rest_lengths(r->world, r->thread, NULL)[i - 1] : 0;
        length += i + 1 < count ? 0.5 * cg_thread_rest_lengths(r->world, r->thread, NULL)[i] : 0;
        double mass = def.density * CG_PI * def.radius * def.radius * length;
        s.momentum = v3_add_scaled(s.momentum, mass, v[i]);
        s.spin = v3_add_scaled(s.spin, mass, v3_cross(x[i], v[i]));
        s.centre = v3_add_scaled(s.centre, mass, x[i]);
        s.mass += mass;
    }
    s.centre = v3_scale(1 / s.mass, s.centre);
    s.spin = v3_sub(s.spin, v3_cross(s.centre, s.momentum));
    return s;
}

// A needle that flies off draws its thread along: momentum is kept; what it turns loses by the order of the step.
TEST(a_needle_with_its_thread_keeps_its_momentum)
{
    double lost[2];
    for (int i = 0; i < 2; i++) {
        rig r = {.world = make_world(i == 0 ? 1e-3 : 5e-4, v3_zero())};
        cg_needle needle = cg_needle_default();
        cg_rigid_def def = cg_rigid_def_default();
        def.needle = &needle;
        def.mass = 40e-6;
        def.velocity = v3(0.2, 0.1, 0.3);
        def.spin = v3(3, 5, -4);
        if (!fasten(&r, v3_zero(), v3(0, 0, -0.03), cg_thread_def_default().radius, def, NULL,
                    cg_needle_place(&needle, needle.arc))) {
            return;
        }
        cg_world_step(r.world); // the thread is caught up by the needle in this one
        sums before = sums_of(&r);
        double most = 0, widest = 0;
        for (int step = 0; step < (i == 0 ? 500 : 1000); step++) {
            cg_world_step(r.world);
            most = fmax(most, v3_distance(sums_of(&r).momentum, before.momentum));
            widest = fmax(widest, swage_of(&r).apart);
        }
        lost[i] = v3_distance(sums_of(&r).spin, before.spin) / v3_length(before.spin);
        CHECK(most < 1e-6 * v3_length(before.momentum));
        CHECK(widest < 2e-8);
        cg_world_destroy(r.world);
    }
    CHECK(lost[1] < 0.7 * lost[0]);
}

// A needle that falls on a table with its thread, far end free.
static bool make_falling(rig *r)
{
    r->world = make_world(1e-3, v3(0, 0, -9.81));
    cg_needle needle = cg_needle_default();
    cg_rigid_def def = cg_rigid_def_default();
    def.needle = &needle;
    def.mass = 40e-6;
    def.pose.rotation = quat_normalise(quat(0.5, 0, 0.1, 1));
    add_shape(r->world, shape_half_space(), (cg_transform){v3(0, 0, -0.012), quat_identity()}, 0.3);
    cg_vec3 along = quat_rotate(def.pose.rotation, cg_needle_tangent(&needle, needle.arc));
    return fasten(r, v3_zero(), v3_scale(0.03, along), 0.11e-3, def, NULL, cg_needle_place(&needle, needle.arc));
}

TEST(a_swaged_needle_is_restored_to_the_bit)
{
    for (int steps = 4; steps < 400; steps *= 3) {
        rig r[2];
        if (!make_falling(&r[0]) || !make_falling(&r[1])) {
            return;
        }
        for (int step = 0; step < steps; step++) {
            cg_world_step(r[0].world);
        }
        CHECK_INT(cg_thread_unswage(r[1].world, r[1].thread, CG_START).code, CG_OK); // the state says what is swaged
        size_t size = cg_world_snapshot_size(r[0].world);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(r[0].world, bytes, size).message, "");
        CHECK_STR(cg_world_restore(r[1].world, bytes, size).message, "");
        free(bytes);
        CHECK(cg_world_state_hash(r[0].world) == cg_world_state_hash(r[1].world));
        for (int step = 0; step < 40; step++) {
            cg_world_step(r[0].world);
            cg_world_step(r[1].world);
        }
        CHECK(cg_world_state_hash(r[0].world) == cg_world_state_hash(r[1].world));
        CHECK(swage_of(&r[1]).apart < 2e-8);
        cg_world_destroy(r[0].world);
        cg_world_destroy(r[1].world);
    }
}

TEST(a_step_with_a_swage_takes_no_memory)
{
    rig r;
    if (!make_falling(&r)) {
        return;
    }
    long before = test_allocations();
    for (int step = 0; step < 100; step++) {
        cg_world_step(r.world);
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}

// Beside the joint needle and thread do not touch; farther along they do.
TEST(a_thread_touches_its_needle_but_not_at_the_joint)
{
    rig r;
    if (!make_falling(&r)) {
        return;
    }
    double nearest = 1;
    int touches = 0;
    for (int step = 0; step < 1500; step++) {
        cg_world_step(r.world);
        int contacts = cg_world_contact_count(r.world);
        for (int i = 0; i < contacts; i++) {
            cg_contact_info contact;
            CHECK(cg_world_get_contact(r.world, i, &contact));
            if (contact.bodies[1].index == r.body.index && contact.threads[0].index == r.thread.index) {
                nearest = fmin(nearest, contact.segments[0] + contact.fractions[0]);
                touches++;
            }
        }
    }
    CHECK(touches == 0 || nearest >= 1); // the first segment is 0.75 mm long
    CHECK_INT(cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}

TEST(swages_are_checked)
{
    rig r;
    if (!make_falling(&r)) {
        return;
    }
    cg_needle needle = cg_needle_default();
    cg_vec3 end = cg_needle_place(&needle, needle.arc);
    cg_swage_info info;
    CHECK_INT(cg_thread_swage(r.world, r.thread, CG_START, r.body, end).code, CG_BAD_INPUT);  // twice
    CHECK_INT(cg_thread_swage(r.world, r.thread, CG_FINISH, r.body, end).code, CG_BAD_INPUT); // far away
    CHECK_INT(cg_thread_swage(r.world, r.thread, (cg_end)7, r.body, end).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_swage(r.world, r.thread, CG_START, (cg_rigid_id){9, 9}, end).code, CG_BAD_HANDLE);
    CHECK_INT(cg_thread_unswage(r.world, r.thread, CG_FINISH).code, CG_BAD_INPUT);
    CHECK(!cg_thread_get_swage(r.world, r.thread, CG_FINISH, &info));
    CHECK_INT(cg_world_remove_rigid(r.world, r.body).code, CG_OK);
    CHECK(!cg_thread_get_swage(r.world, r.thread, CG_START, &info)); // gone with it
    cg_world_step(r.world);
    cg_world_destroy(r.world);
}

TEST(a_thread_that_is_cut_off_falls_by_itself)
{
    rig r;
    if (!make_falling(&r)) {
        return;
    }
    CHECK_INT(cg_thread_unswage(r.world, r.thread, CG_START).code, CG_OK);
    CHECK_INT(
        cg_rigid_set_state(r.world, r.body, (cg_transform){v3(0.05, 0, 0), quat_identity()}, v3(1, 0, 0), v3_zero())
            .code,
        CG_OK);
    for (int step = 0; step < 20; step++) {
        cg_world_step(r.world);
    }
    CHECK(fabs(cg_thread_positions(r.world, r.thread, NULL)[0].x) < 1e-3);
    CHECK_NEAR(info_of(r.world, r.body).velocity.x, 1, 1e-9);
    cg_world_destroy(r.world);
}

// A thread is drawn back along its needle, past the end that it comes out of. What lies beside the joint may be in the
// needle, and what comes next is held off it there: without a contact it would stay where it is for good.
TEST(a_thread_that_is_folded_back_goes_on)
{
    rig r = {.world = make_world(1e-3, v3_zero())};
    cg_needle needle = cg_needle_default();
    cg_rigid_def def = cg_rigid_def_default();
    def.needle = &needle;
    def.mass = 0.5; // it stays where it is
    cg_vec3 end = cg_needle_place(&needle, needle.arc), out = cg_needle_tangent(&needle, needle.arc);
    cg_vec3 far = v3_add_scaled(end, 20e-3, out), back = v3_add_scaled(end, -20e-3, out);
    if (!fasten(&r, end, far, 0.11e-3, def, NULL, end)) {
        return;
    }
    enum { STEPS = 300 };
    for (int step = 0; step <= STEPS; step++) {
        double share = (double)step / STEPS;
        cg_vec3 place = v3_add_scaled(far, share, v3_sub(back, far));
        pin_far_end(&r, v3_add(place, v3(0, 4e-3 * (1 - share), 0)));
        cg_world_step(r.world);
    }
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    CHECK(cg_world_get_stats(r.world).shortest_move > 0.01);
    cg_world_destroy(r.world);
}

// A thread goes from the middle of a ball out and back over it. Its second segment lies beside the joint and touches
// nothing, and is a little nearer to the ball than the third, just before the vertex between them: that one has a
// contact of its own all the same, and the ball pushes it. Without, none could move.
TEST(a_thread_that_comes_back_to_its_joint_is_pushed)
{
    enum { COUNT = 12 };
    const double near = 0.405e-3;
    const cg_vec3 out = v3(0.494, 0.8695, 0), along = v3(-0.8695, 0.494, 0);
    cg_vec3 points[COUNT] = {v3_zero()}, corner = v3_scale(near, out);
    points[1] = v3_add_scaled(v3_add_scaled(corner, -0.46e-3, along), -0.02 * 0.46e-3, out);
    points[2] = corner;
    for (int i = 3; i < COUNT; i++) {
        points[i] = v3_add_scaled(v3_add_scaled(corner, (i - 2) * 0.4e-3, along), -0.015 * (i - 2) * 0.4e-3, out);
    }
    rig r = {.world = make_world(1e-3, v3_zero())};
    cg_rigid_part ball = {.shape = {.kind = CG_SHAPE_SPHERE, .radius = 0.3e-3}, .pose = transform_identity()};
    cg_rigid_def def = cg_rigid_def_default();
    cg_thread_def thread = cg_thread_def_default();
    def.parts = &ball;
    def.part_count = 1;
    def.mass = 0.1;
    thread.positions = points;
    thread.vertex_count = COUNT;
    thread.radius = 0.1e-3;
    thread.bend_stiffness = thread.twist_stiffness = 0;
    CHECK_STR(cg_world_add_thread(r.world, &thread, &r.thread).message, "");
    CHECK_STR(cg_world_add_rigid(r.world, &def, &r.body).message, "");
    CHECK_STR(cg_thread_swage(r.world, r.thread, CG_START, r.body, v3_zero()).message, "");
    cg_world_step(r.world);
    bool is_touched = false;
    for (int i = 0; i < r.world->touches.rows.count; i++) {
        const cg_touch *touch = &r.world->touches.rows.touches[i];
        is_touched = is_touched || (!touch_is_joint(touch) && touch->pair.segment_a == 2);
    }
    CHECK(is_touched);
    for (int step = 0; step < 20; step++) {
        cg_transform pose = cg_rigid_get_pose(r.world, r.body);
        CHECK_STR(cg_rigid_set_state(r.world, r.body, pose, v3_scale(0.05, out), v3_zero()).message, "");
        cg_world_step(r.world);
    }
    CHECK(v3_dot(out, cg_rigid_get_pose(r.world, r.body).position) > 0.9e-3);
    CHECK_INT((int)cg_world_get_stats(r.world).unfinished_steps, 0);
    cg_world_destroy(r.world);
}
