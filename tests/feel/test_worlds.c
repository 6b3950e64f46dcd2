// label: slow
// What a person feels who presses into tissue, draws a thread tight and presses on a rigid post, in real worlds: the
// force does not tremble, and does not creep away.
#include <math.h>

#include "base/trig.h"
#include "feel/loop.h"

enum { WINDOW = 1000 }; // [ms] that is looked at
static const double TWO_PI = 2 * CG_PI;

static cg_world *make_world(void)
{
    cg_world *world;
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 100;
    def.max_shapes = 2;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    return world;
}

static loop over_tissue(cg_device_kind kind)
{
    cg_world *world = make_world();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_tissue_id tissue;
    cg_hand_def hand = cg_hand_def_default();
    cg_hand_id id;
    pad.size = v3(20e-3, 16e-3, 0);
    hand.tool = CG_TOOL_PROBE;
    hand.pose.position = v3(1e-3, 1e-3, 3e-3);
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    CHECK_STR(cg_world_add_hand(world, &hand, &id).message, "");
    return loop_open(world, id, kind);
}

static loop with_thread(cg_device_kind kind)
{
    enum { COUNT = 41 };
    cg_world *world = make_world();
    cg_vec3 points[COUNT];
    cg_thread_def def = cg_thread_def_default();
    cg_thread_id thread;
    cg_hand_def hand = cg_hand_def_default();
    cg_hand_id id;
    for (int i = 0; i < COUNT; i++) {
        points[i] = v3(1e-3 * i, 0, 0);
    }
    def.positions = points;
    def.vertex_count = COUNT;
    def.radius = 0.15e-3;
    def.ends[CG_START].kind = CG_END_PINNED;
    def.ends[CG_START].position = points[0];
    hand.pose.position = points[COUNT - 2];
    CHECK_STR(cg_world_add_thread(world, &def, &thread).message, "");
    CHECK_STR(cg_world_add_hand(world, &hand, &id).message, "");
    CHECK_STR(cg_hand_close(world, id).message, "");
    CHECK_INT(cg_hand_get_state(world, id).vertex_count > 0, 1);
    return loop_open(world, id, kind);
}

static loop over_post(cg_device_kind kind)
{
    cg_world *world = make_world();
    cg_shape_def post = cg_shape_def_default();
    cg_shape_id shape;
    cg_hand_def hand = cg_hand_def_default();
    cg_hand_id id;
    post.pose.position = v3(0, 0, 0);
    hand.tool = CG_TOOL_FORCEPS;
    hand.pose.position = v3(0, 0, 10e-3);
    CHECK_STR(cg_world_add_shape(world, &post, &shape).message, "");
    CHECK_STR(cg_world_add_hand(world, &hand, &id).message, "");
    CHECK_STR(cg_hand_set_jaws(world, id, 0, 0).message, "");
    return loop_open(world, id, kind);
}

// [N] root mean square of what is above 20 Hz in a window of one second (Hann), by taking out all lines up to there.
static double tremble(const double *force, double mean)
{
    double total = 0, low = 0, weight = 0;
    static double x[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        double s, c;
        cg_sincos(TWO_PI * i / WINDOW, &s, &c);
        x[i] = 0.5 * (1 - c) * (force[i] - mean);
        total += x[i] * x[i];
        weight += 0.25 * (1 - c) * (1 - c);
    }
    for (int line = 0; line <= 20; line++) {
        double re = 0, im = 0;
        for (int i = 0; i < WINDOW; i++) {
            double s, c;
            cg_sincos(TWO_PI * ((line * i) % WINDOW) / WINDOW, &s, &c);
            re += x[i] * c;
            im += x[i] * s;
        }
        low += (line == 0 ? 1 : 2) * (re * re + im * im) / WINDOW;
    }
    return sqrt((total > low ? total - low : 0) / weight);
}

static double mean_of(const double *force)
{
    double sum = 0;
    for (int i = 0; i < WINDOW; i++) {
        sum += force[i] / WINDOW;
    }
    return sum;
}

// A second in which the person sways by `sway` to both sides once.
static void listen(loop *l, cg_vec3 wanted, cg_vec3 sway, double *force)
{
    for (int i = 0; i < WINDOW; i++) {
        double s, c;
        cg_sincos(TWO_PI * i / WINDOW, &s, &c);
        force[i] = v3_length(loop_play(l, v3_add_scaled(wanted, s, sway)));
    }
}

// Goes there in a second and rests, sways, and rests again until `seconds` are over.
static void check(loop l, cg_vec3 from, cg_vec3 way, int seconds)
{
    static double rest[WINDOW], swayed[WINDOW], later[WINDOW];
    cg_vec3 wanted = v3_add(from, way), sway = v3_scale(0.5e-3 / v3_length(way), way);
    for (int i = 0; i < 2000; i++) {
        loop_play(&l, v3_add_scaled(from, i < 1000 ? 1e-3 * i : 1, way));
    }
    listen(&l, wanted, v3_zero(), rest);
    double mean = mean_of(rest);
    for (int i = 0; i < seconds - 3; i++) {
        listen(&l, wanted, v3_zero(), later);
    }
    if (l.slow == 1) {
        CHECK_NEAR(mean_of(later), mean, 0.005 * mean);
    }
    listen(&l, wanted, sway, swayed);
    double swayed_mean = mean_of(swayed);
    CHECK(mean > 0.3 && mean < 0.88);
    CHECK(tremble(rest, mean) < 0.02 * mean);
    CHECK(tremble(later, mean_of(later)) < 0.02 * mean);
    CHECK(tremble(swayed, swayed_mean) < 0.02 * swayed_mean);
    CHECK(cg_practice_get_state(l.practice).lowest > -1e-3);
    loop_close(&l);
}

TEST(pressing_into_tissue)
{
    for (int slow = 1; slow <= 20; slow += 19) {
        loop l = over_tissue(CG_DEVICE_OMNI);
        l.slow = slow;
        check(l, v3(1e-3, 1e-3, 3e-3), v3(0, 0, -6.7e-3), test_count(5, 60));
    }
}

TEST(a_tight_thread)
{
    for (int slow = 1; slow <= 20; slow += 19) {
        loop l = with_thread(CG_DEVICE_DESKTOP);
        l.slow = slow;
        check(l, v3(39e-3, 0, 0), v3(3e-3, 0, 0), test_count(5, 60));
    }
}

TEST(a_rigid_post)
{
    for (int slow = 1; slow <= 20; slow += 19) {
        loop l = over_post(CG_DEVICE_OMNI);
        l.slow = slow;
        check(l, v3(0, 0, 10e-3), v3(0, 0, -9e-3), test_count(5, 60));
    }
}
