// A thread that hangs slack in the jaws of a tool, bent and slantwise: they close on it, carry it along, and it slips
// at twice mu N. Without laws/pinch.h more than 1 % of the steps end unfinished with each of the six threads.
#include <math.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

static const double GRIP = 4, JAW_FRICTION = 0.5, FRICTION = 0.2; // [N], 1, 1
static const double SPACING = 0.5e-3, BEFORE = 40e-3; // [m] BEFORE: of thread between its start and the jaws

// [m] of the jaws: as a thread turns between them the force goes from one rail to the other.
static const double HALF_WIDTH = 1.25e-3;

typedef struct slack {
    double diameter; // [m]
    double angle;    // [rad] between the thread and what is across the jaws
    double bend;     // [1/m] its curvature
    bool upright;    // it is bent out of the plane of the jaws
} slack;

// 3-0 and 5-0 nylon.
static const slack THREADS[] = {
    {0.225e-3, 0.5, 60, false}, {0.125e-3, 0.5, 60, false}, {0.225e-3, 0.5, 60, true},
    {0.125e-3, 0.15, 60, true}, {0.225e-3, 0, 40, false},   {0.125e-3, 0, 40, true},
};
enum { THREAD_COUNT = sizeof THREADS / sizeof THREADS[0] };

typedef struct rig {
    cg_world *world;
    cg_hand_id hand;
    cg_thread_id thread;
    uint64_t closing;      // steps until it was closed
    uint64_t closed_rough; // of them, those with a friction problem above its tolerance
} rig;

static void add_hand(rig *r)
{
    cg_hand_def def = cg_hand_def_default();
    def.tool = CG_TOOL_NEEDLE_DRIVER;
    def.grip = GRIP;
    def.jaw_friction = JAW_FRICTION;
    CHECK_STR(cg_world_add_hand(r->world, &def, &r->hand).message, "");
}

// Across the open jaws and through their middle, pinned at its start.
static void add_thread(rig *r, const slack *s)
{
    enum { VERTICES = 121 };
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double arc = SPACING * i - BEFORE, turn = s->bend * arc;
        double along = s->bend > 0 ? sin(turn) / s->bend : arc, aside = s->bend > 0 ? (1 - cos(turn)) / s->bend : 0;
        double y = s->upright ? aside : 0, z = s->upright ? 0 : aside;
        points[i] = v3(cos(s->angle) * along - sin(s->angle) * z, y, sin(s->angle) * along + cos(s->angle) * z);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = def.rest_shape = points;
    def.radius = 0.5 * s->diameter;
    def.youngs_modulus = 2.5e9;
    def.friction = FRICTION;
    def.drag = 10;
    CHECK_STR(cg_world_add_thread(r->world, &def, &r->thread).message, "");
    cg_end_hold hold = {.kind = CG_END_PINNED, .position = points[0]};
    CHECK_STR(cg_thread_set_end(r->world, r->thread, CG_START, &hold).message, "");
}

static void run(const rig *r, double seconds, double time_step)
{
    for (int i = 0; i < seconds / time_step; i++) {
        cg_world_step(r->world);
    }
}

// Closed on the thread, and at rest.
static rig closed_on(const slack *s, double time_step)
{
    rig r = {0};
    cg_world_def def = cg_world_def_default();
    def.time_step = time_step;
    def.gravity = v3_zero();
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    add_hand(&r);
    add_thread(&r, s);
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    run(&r, 0.2, time_step);
    r.closing = cg_world_get_stats(r.world).step_count;
    r.closed_rough = cg_world_get_stats(r.world).rough_steps;
    return r;
}

static void move_by(const rig *r, cg_vec3 way, double time)
{
    cg_transform pose = cg_hand_get_state(r->world, r->hand).pose;
    pose.position = v3_add(pose.position, way);
    CHECK_STR(cg_hand_move(r->world, r->hand, pose, time).message, "");
}

// What the jaws press with along the normals, and the mean arc length [m] where they do.
static double pressed(const rig *r, double *arc)
{
    double sum = 0;
    cg_contact_info contact;
    *arc = 0;
    for (int i = 0; cg_world_get_contact(r->world, i, &contact); i++) {
        double force = v3_dot(contact.force, contact.normal);
        if (contact.jaw > 0 && force > 0) {
            sum += force;
            *arc += force * SPACING * (contact.segments[0] + contact.fractions[0]);
        }
    }
    *arc = sum > 0 ? *arc / sum : -1;
    return sum;
}

// Less than 1 % of the steps end unfinished, and from closing on less than 2 % have a friction problem above its
// tolerance. While the jaws close it may be more: up to 35 of 100 steps on the fifth thread at 2 ms.
static void check_finished(const rig *r)
{
    cg_world_stats stats = cg_world_get_stats(r->world);
    CHECK(100 * stats.unfinished_steps < stats.step_count);
    CHECK(50 * (stats.rough_steps - r->closed_rough) < stats.step_count);
    CHECK(10 * r->closed_rough < 4 * r->closing);
    CHECK_INT(stats.lost_contacts, 0);
}

TEST(slack_thread_is_carried_along)
{
    static const double speeds[] = {0.05, 0.2}, steps[] = {1e-3, 2e-3, 0.5e-3};
    for (int k = 0; k < test_count(THREAD_COUNT, 6 * THREAD_COUNT); k++) {
        double speed = speeds[(k + k / THREAD_COUNT) % 2], step = steps[k / (2 * THREAD_COUNT) % 3], before, after;
        rig r = closed_on(&THREADS[k % THREAD_COUNT], step);
        CHECK_NEAR(pressed(&r, &before), 2 * GRIP, 0.1 * GRIP);
        move_by(&r, v3(0, 0, 15e-3), 15e-3 / speed);
        run(&r, 15e-3 / speed + 0.1, step);
        CHECK_NEAR(pressed(&r, &after), 2 * GRIP, 0.1 * GRIP);
        CHECK_NEAR(after, before, HALF_WIDTH);
        CHECK(cg_hand_get_state(r.world, r.hand).lag < 0.1e-3);
        check_finished(&r);
        cg_world_destroy(r.world);
    }
}

// Drawn away from its start until it is straight, and on.
TEST(slack_thread_slips_at_twice_mu_n)
{
    const int in_plane[] = {0, 1, 4}; // others bend about a rail as they are drawn, which adds to the pull
    for (int k = 0; k < test_count(2, 3); k++) {
        rig r = closed_on(&THREADS[in_plane[k]], 1e-3);
        int sliding = 0;
        cg_vec3 start = cg_thread_positions(r.world, r.thread, NULL)[0];
        double felt = 0, limit = 0, arc;
        move_by(&r, v3_scale(-24e-3, v3_unit_or(start, v3_zero())), 0.6);
        for (int i = 0; i < 600; i++) {
            cg_world_step(r.world);
            if (i >= 450 && pressed(&r, &arc) > 0) {
                felt += v3_length(cg_thread_hold_force(r.world, r.thread, 0));
                limit += sqrt(FRICTION * JAW_FRICTION) * pressed(&r, &arc);
                sliding++;
            }
        }
        CHECK_INT(sliding, 150);
        CHECK_NEAR(felt / limit, 1, 0.05);
        check_finished(&r);
        cg_world_destroy(r.world);
    }
}
