// Pull tests: what can be loaded, what is refused, and that the world only is looked at.
#include <math.h>
#include <string.h>

#include "catgut/catgut.h"
#include "harness.h"
#include "knot/curves.h"

enum { ROOM = 2000 };

typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
} rig;

// A knot as it is laid, in one limp thread around a loop, without having been drawn; with memory from a yield moment
// [N m] above 0.
static rig lay_with_memory(cg_curve_kind kind, int throws, double friction, double yield_moment)
{
    static cg_vec3 points[ROOM];
    rig r = {0};
    cg_curve curve;
    cg_curve_def knot = cg_curve_def_default();
    knot.kind = kind;
    knot.thread_count = 1;
    knot.throws = throws;
    knot.gap = 3 * knot.radius;
    knot.loop_radius = 4e-3;
    knot.spacing = 2 * knot.radius;
    knot.tail = 8e-3;
    CHECK_STR(cg_curve_make(&knot, points, ROOM, &curve).message, "");
    cg_world_def def = cg_world_def_default();
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = curve.point_count[0];
    thread.positions = points;
    thread.radius = knot.radius;
    thread.friction = friction;
    thread.bend_stiffness = 1e-10; // limp: it stays as it is laid
    thread.yield_moment = yield_moment;
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    CHECK_STR(cg_world_add_thread(r.world, &thread, &r.thread).message, "");
    return r;
}

static rig lay(cg_curve_kind kind, int throws, double friction)
{
    return lay_with_memory(kind, throws, friction, 0);
}

static cg_pull_result pull(const rig *r)
{
    cg_pull_def def = cg_pull_def_default(r->thread);
    cg_pull_result result;
    uint64_t before = cg_world_state_hash(r->world);
    CHECK_STR(cg_pull_test(r->world, &def, &result).message, "");
    CHECK(cg_world_state_hash(r->world) == before);
    return result;
}

// Without friction nothing holds, however it is tied: the load is that of a thread that bends and flies.
TEST(without_friction_a_knot_slips_at_no_load)
{
    rig r = lay(CG_CURVE_REEF, 2, 0);
    cg_pull_result result = pull(&r);
    CHECK_INT(result.outcome, CG_PULL_SLIPPED);
    CHECK_STR(result.knot.throws_text, "1=1");
    CHECK(result.force < 0.02);
    CHECK(result.slip >= 1.8e-3 && result.slip < 2e-3);
    cg_world_destroy(r.world);
}

// The same knot with so much friction that a strand around another one cannot slide at all.
TEST(with_much_friction_it_holds_what_is_enough)
{
    rig r = lay(CG_CURVE_REEF, 2, 2);
    cg_pull_def def = cg_pull_def_default(r.thread);
    cg_pull_result result;
    def.enough = 5;
    CHECK_STR(cg_pull_test(r.world, &def, &result).message, "");
    CHECK_INT(result.outcome, CG_PULL_HELD);
    CHECK(result.force >= 5 && result.force < 6);
    CHECK(result.slip < 1.8e-3);
    cg_world_destroy(r.world);
}

TEST(a_thread_without_throws_is_no_knot)
{
    rig r = lay(CG_CURVE_STRAIGHT, 0, 0.3);
    cg_pull_result result = pull(&r);
    CHECK_INT(result.outcome, CG_PULL_NO_KNOT);
    CHECK_NEAR(cg_pull_holding_force(&result), 0, 0);
    cg_world_destroy(r.world);
}

// Both have a shape at rest, a straight one; the one that yields stays as it is laid and holds, the other one springs
// open. A copy without the moment of its thread would not know them apart.
TEST(the_copy_has_the_memory_of_its_thread)
{
    rig never = lay_with_memory(CG_CURVE_REEF, 2, 0.3, 1e-3), yields = lay_with_memory(CG_CURVE_REEF, 2, 0.3, 1e-9);
    cg_pull_result elastic = pull(&never), plastic = pull(&yields);
    CHECK_STR(elastic.knot.throws_text, "1=1");
    CHECK_STR(plastic.knot.throws_text, "1=1");
    CHECK_INT(elastic.outcome, CG_PULL_SLIPPED);
    CHECK(elastic.force < 0.02);
    CHECK(plastic.force > 2 && plastic.slip < elastic.slip);
    cg_world_destroy(never.world);
    cg_world_destroy(yields.world);
}

// A stitch that closes its wound: the loop below the knot goes through both lips, which lie together, so that the
// thread in one of them is as near to that in the other as strands of a knot are. Its legs are those that go to the
// holes.
static rig lay_stitch(double friction)
{
    static cg_vec3 curve_points[ROOM], points[ROOM];
    const double spacing = 0.25e-3, half = 0.12e-3; // [m] half of what the wound gapes
    rig r = {0};
    cg_curve curve;
    cg_curve_def knot = cg_curve_def_default();
    knot.kind = CG_CURVE_REEF;
    knot.thread_count = 1;
    knot.gap = 3 * knot.radius;
    knot.loop_radius = 4e-3;
    knot.spacing = 2 * knot.radius;
    knot.tail = 8e-3;
    CHECK_STR(cg_curve_make(&knot, curve_points, ROOM, &curve).message, "");
    // The loop hangs down and is open just where it leaves the knot, which lies on the skin: there the holes are.
    int last = curve.point_count[0] - 1, out[2] = {last / 2, last / 2};
    while (curve_points[out[0]].y > 0.4e-3 || curve_points[out[0]].x < -1.3e-3) {
        out[0]--;
    }
    while (curve_points[out[1]].y > 0.4e-3 || curve_points[out[1]].x > 1.3e-3) {
        out[1]++;
    }
    double lift = curve_points[out[0]].y + 0.1e-3, sides[2] = {curve_points[out[0]].x, curve_points[out[1]].x};
    double side = sides[0] < sides[1] ? 1 : -1;
    const cg_vec3 holes[4] = {
        {0, sides[0], 0}, {0, -side * half, -1.5e-3}, {0, side * half, -1.5e-3}, {0, sides[1], 0}};
    int count = 0;
    for (int i = 0; i <= out[0]; i++) {
        points[count++] = (cg_vec3){curve_points[i].z, curve_points[i].x, lift - curve_points[i].y};
    }
    for (int k = 0; k < 4; k++) {
        points[count++] = holes[k];
    }
    for (int i = out[1]; i <= last; i++) {
        points[count++] = (cg_vec3){curve_points[i].z, curve_points[i].x, lift - curve_points[i].y};
    }
    cg_world_def def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    pad.size = (cg_vec3){30e-3, 28e-3, 0};
    pad.layers[0].thickness = 6e-3;
    pad.wound = CG_WOUND_ELLIPSE;
    pad.wound_length = 18e-3;
    pad.wound_width = 2 * half;
    pad.wound_depth = 4e-3;
    pad.fix_rim = true;
    thread.vertex_count = count;
    thread.positions = points;
    thread.radius = knot.radius;
    thread.friction = friction;
    thread.bend_stiffness = 1e-10;
    thread.spacing = (cg_spacing){.follow = true, .fine = spacing, .coarse = spacing};
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.points = holes;
    stitch.point_count = 4;
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    CHECK_STR(cg_world_add_tissue(r.world, &pad, &stitch.tissue).message, "");
    CHECK_STR(cg_world_add_thread(r.world, &thread, &r.thread).message, "");
    stitch.thread = r.thread;
    CHECK_STR(cg_world_add_stitch(r.world, &stitch).message, "");
    return r;
}

TEST(the_legs_of_a_stitch_go_to_its_holes)
{
    rig slips = lay_stitch(0), holds = lay_stitch(2);
    cg_pull_result loose = pull(&slips);
    CHECK_STR(loose.knot.throws_text, "1=1");
    CHECK_INT(loose.outcome, CG_PULL_SLIPPED);
    CHECK(loose.force < 0.02);
    cg_pull_def def = cg_pull_def_default(holds.thread);
    cg_pull_result result;
    def.enough = 2;
    CHECK_STR(cg_pull_test(holds.world, &def, &result).message, "");
    CHECK_INT(result.outcome, CG_PULL_HELD);
    cg_world_destroy(slips.world);
    cg_world_destroy(holds.world);
}

TEST(the_same_test_gives_the_same_bits)
{
    rig r = lay(CG_CURVE_GRANNY, 2, 0.3);
    cg_pull_result first = pull(&r), second = pull(&r);
    CHECK(first.force == second.force && first.slip == second.slip && first.seconds == second.seconds);
    CHECK(first.force > 0 && first.seconds > 0);
    cg_world_destroy(r.world);
}

// Whoever asks waits for the answer: a pull that comes to nothing ends, and a thread that would take long is refused.
TEST(a_pull_test_takes_so_many_steps_and_vertices_at_most)
{
    rig r = lay(CG_CURVE_REEF, 2, 0.3);
    cg_pull_def def = cg_pull_def_default(r.thread);
    cg_pull_result result;
    def.speed = 1e-6;
    CHECK_STR(cg_pull_test(r.world, &def, &result).message, "");
    CHECK_INT(result.outcome, CG_PULL_STUCK);
    CHECK_NEAR(result.seconds, CG_PULL_MOST_STEPS * 0.5e-3, 1e-9);
    static cg_vec3 points[CG_PULL_MOST_VERTICES + 1];
    for (int i = 0; i <= CG_PULL_MOST_VERTICES; i++) {
        points[i] = (cg_vec3){i * 1e-3, 1, 0};
    }
    cg_thread_def thread = cg_thread_def_default();
    thread.positions = points;
    thread.vertex_count = CG_PULL_MOST_VERTICES + 1;
    CHECK_STR(cg_world_add_thread(r.world, &thread, &def.thread).message, "");
    CHECK_STR(cg_pull_test(r.world, &def, &result).message,
              "a pull test is of at most 4000 vertices; the knot is in threads of 4001");
    cg_world_destroy(r.world);
}

TEST(bad_input_is_refused)
{
    rig r = lay(CG_CURVE_OVERHAND, 1, 0.3);
    cg_pull_result result;
    cg_pull_def good = cg_pull_def_default(r.thread), def = good;
    def.speed = 0;
    CHECK_INT(cg_pull_test(r.world, &def, &result).code, CG_BAD_INPUT);
    def = good;
    def.slip = -1;
    CHECK_INT(cg_pull_test(r.world, &def, &result).code, CG_BAD_INPUT);
    def = good;
    def.enough = NAN;
    CHECK_INT(cg_pull_test(r.world, &def, &result).code, CG_BAD_INPUT);
    def = good;
    def.thread.generation++;
    CHECK_INT(cg_pull_test(r.world, &def, &result).code, CG_BAD_HANDLE);
    def = good;
    def.other = (cg_thread_id){7, 7};
    CHECK_INT(cg_pull_test(r.world, &def, &result).code, CG_BAD_HANDLE);
    cg_world_destroy(r.world);
}

static void check_read_again(const cg_pull_result *told, const char *expected)
{
    char text[240];
    cg_pull_result read;
    cg_pull_tell(told, text, sizeof text);
    CHECK_STR(text, expected);
    CHECK(cg_pull_read(text, &read));
    CHECK_INT(read.outcome, told->outcome);
    CHECK_NEAR(read.force, told->force, 1e-4 * told->force);
    CHECK_NEAR(read.slip, told->slip, 1e-4 * told->slip);
    CHECK_STR(read.knot.name, told->knot.name);
    CHECK_STR(read.knot.throws_text, told->knot.throws_text);
    CHECK_STR(read.knot.common, told->knot.common);
}

TEST(what_is_told_is_read_again)
{
    const cg_pull_result held = {.outcome = CG_PULL_HELD,
                                 .force = 20.25,
                                 .slip = 3.125e-4,
                                 .knot = {.name = "3_1#m3_1", .common = "square", .throws_text = "1=1"}};
    check_read_again(&held, "pull test: held at 20.25 N, slip 0.3125 mm; knot 3_1#m3_1, throws 1=1, square");
    const cg_pull_result none = {.outcome = CG_PULL_NO_KNOT, .knot = {.name = "0_1", .common = "no knot"}};
    check_read_again(&none, "pull test: no knot at 0 N, slip 0 mm; knot 0_1, throws none, no knot");
    const cg_pull_result nameless = {.outcome = CG_PULL_SLIPPED, .force = 0.5, .knot = {.name = "8_19"}};
    check_read_again(&nameless, "pull test: slipped at 0.5 N, slip 0 mm; knot 8_19, throws none");
}

TEST(other_texts_are_not_read)
{
    static const char *const texts[] = {"",
                                        "step pull test: held",
                                        "pull test: ",
                                        "pull test: won at 2 N, slip 1 mm; knot 3_1, throws 1",
                                        "pull test: held at N, slip 1 mm; knot 3_1, throws 1",
                                        "pull test: held at 2 N, slip 1 mm; knot , throws 1",
                                        "pull test: held at 2 N, slip 1 mm; knot 3_1",
                                        "pull test: held at 2 N, slip 1 mm; knot 3_1, throws 1, overhand, more"};
    cg_pull_result read;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(!cg_pull_read(texts[i], &read));
    }
}
