// Memory of a thread by itself: what yields, what an update may do to energy, and what edits and cuts keep.
#include "base/trig.h"
#include "thread/part.h"
#include "thread/spacing.h"
#include "thread/strength.h"
#include "thread/yield.h"
#include "thread_rig.h"

enum { VERTICES = 41 };
static const double LENGTH = 1e-4, YIELD_CURVATURE = 100; // [m] of segments, [1/m] at which it yields

// A polygon that turns by `turn` from one segment to the next.
static void arc(cg_vec3 *points, double turn)
{
    points[0] = v3_zero();
    for (int i = 1; i < VERTICES; i++) {
        double angle = turn * (i - 1);
        points[i] = v3_add_scaled(points[i - 1], LENGTH, v3(cg_cos(angle), cg_sin(angle), 0));
    }
}

// EI of the thread that cg_thread_def_default makes.
static double bend_stiffness(void)
{
    cg_thread_def def = cg_thread_def_default();
    return def.youngs_modulus * 0.25 * CG_PI * def.radius * def.radius * def.radius * def.radius;
}

static cg_thread_def bent_def(const cg_vec3 *points)
{
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.yield_moment = YIELD_CURVATURE * bend_stiffness();
    return def;
}

// A thread along an arc of that curvature that has taken its set.
static cg_thread *bent_thread(double curvature, bool follow)
{
    cg_vec3 points[VERTICES];
    arc(points, curvature * LENGTH);
    cg_thread_def def = bent_def(points);
    def.spacing = (cg_spacing){.follow = follow, .fine = 0.1 * LENGTH, .coarse = 4 * LENGTH, .max_vertices = 200};
    cg_thread *thread = make_thread(&def);
    CHECK_INT(cg_thread_yield(thread), curvature > YIELD_CURVATURE ? VERTICES - 2 : 0);
    CHECK_INT(cg_thread_yield(thread), 0); // it bears just what it can
    return thread;
}

// [1/m] at rest.
static double set_at(const cg_thread *thread, int joint)
{
    cg_vec3 rest = thread->rest_ahead[joint];
    return cg_atan2(sqrt(rest.x * rest.x + rest.y * rest.y), rest.z) / thread->joint_length[joint];
}

TEST(the_set_is_the_curvature_less_that_of_the_yield_moment)
{
    const double curvatures[] = {1.2, 2, 5};
    for (int k = 0; k < 3; k++) {
        double curvature = curvatures[k] * YIELD_CURVATURE;
        cg_thread *thread = bent_thread(curvature, false);
        for (int j = 1; j < VERTICES - 1; j++) {
            // A chord is shorter than its arc by the square of the turn over 24: 5e-6 at the yield moment.
            CHECK_NEAR(set_at(thread, j), curvature - YIELD_CURVATURE, 1e-5 * YIELD_CURVATURE);
            CHECK_NEAR(thread->bend_rate[j] * cg_thread_elastic_turn(thread, j) / thread->yield_moment, 1, 1e-12);
        }
        cg_thread_destroy(thread);
    }
}

TEST(nothing_stays_of_a_bend_below_the_yield_moment)
{
    cg_thread *thread = bent_thread(0.999 * YIELD_CURVATURE, false);
    for (int j = 1; j < VERTICES - 1; j++) {
        CHECK(thread->rest_ahead[j].x == 0 && thread->rest_ahead[j].y == 0 && thread->rest_ahead[j].z == 1);
    }
    cg_thread_destroy(thread);
}

TEST(bent_back_it_yields_on_the_other_side)
{
    cg_thread *thread = bent_thread(5 * YIELD_CURVATURE, false);
    cg_vec3 points[VERTICES];
    arc(points, 0);
    cg_thread_place(thread, points, NULL);
    for (int i = 0; i < thread->segment_count; i++) { // the material as it lay, turned straight
        thread->shape.director[i] = v3(0, 0, 1);
        thread->shape.angle[i] = 0;
    }
    CHECK_INT(cg_thread_yield(thread), VERTICES - 2);
    for (int j = 1; j < VERTICES - 1; j++) {
        CHECK_NEAR(set_at(thread, j), YIELD_CURVATURE, 1e-5 * YIELD_CURVATURE);
    }
    cg_thread_destroy(thread);
}

// Random bends, sharp ones too, twisted at random, one after the other.
TEST(yielding_never_adds_energy_and_leaves_no_moment_above_it)
{
    uint64_t random = 21;
    for (int k = 0; k < 200; k++) {
        cg_vec3 points[VERTICES];
        wander(points, VERTICES, 0.2 + 0.01 * k, &random);
        cg_thread_def def = bent_def(points);
        def.radius = 0.1;
        def.yield_moment = test_random(&random, 0.05, 1.5) * def.youngs_modulus * 0.25 * CG_PI * 1e-4;
        cg_thread *thread = make_thread(&def);
        for (int turn = 0; turn < 4; turn++) {
            for (int i = 0; i < thread->segment_count; i++) {
                thread->shape.angle[i] = test_random(&random, -3, 3);
            }
            double before = cg_thread_energy_of(thread, &thread->shape, v3_zero()).bend;
            int yielded = cg_thread_yield(thread);
            double after = cg_thread_energy_of(thread, &thread->shape, v3_zero()).bend;
            CHECK(yielded > 0 ? after < before : after == before);
            for (int j = 1; j < VERTICES - 1; j++) {
                double moment = thread->bend_rate[j] * cg_thread_elastic_turn(thread, j);
                CHECK(moment <= thread->yield_moment * (1 + 1e-9));
            }
            CHECK_STR(cg_thread_check(thread).message, "");
        }
        cg_thread_destroy(thread);
    }
}

static void mark_all_segments(cg_thread *thread)
{
    cg_spacing_begin(thread);
    memset(thread->mark, CG_SPLIT_STRAIGHT, (size_t)thread->segment_count);
}

// Every second vertex: those that the splits put in.
static void mark_odd_vertices(cg_thread *thread)
{
    cg_spacing_begin(thread);
    for (int i = 1; i + 1 < thread->vertex_count; i += 2) {
        thread->mark[i] = 1;
    }
}

TEST(splits_and_merges_keep_the_set)
{
    double curvature = 3 * YIELD_CURVATURE, set = 2 * YIELD_CURVATURE;
    cg_thread *thread = bent_thread(curvature, true);
    mark_all_segments(thread);
    cg_thread_split_marked(thread);
    cg_thread_shift(thread);
    CHECK_INT(thread->vertex_count, 2 * VERTICES - 1);
    for (int j = 1; j < thread->segment_count; j++) {
        CHECK_NEAR(set_at(thread, j), set, 1e-5 * set);
    }
    mark_odd_vertices(thread);
    cg_thread_merge_marked(thread);
    cg_thread_shift(thread);
    CHECK_INT(thread->vertex_count, VERTICES);
    for (int j = 1; j < thread->segment_count; j++) {
        CHECK_NEAR(set_at(thread, j), set, 1e-5 * set);
    }
    cg_thread_destroy(thread);
}

TEST(both_parts_of_a_cut_keep_set_and_memory)
{
    cg_thread *thread = bent_thread(3 * YIELD_CURVATURE, false), *rest = NULL;
    cg_thread_cut cut;
    CHECK_STR(cg_thread_create_spare(thread, &(cg_allocator){0}, &rest).message, "");
    CHECK(cg_thread_plan_cut(thread, 20.5 * LENGTH, &cut));
    cg_thread_part(thread, &cut, rest);
    cg_thread *parts[2] = {thread, rest};
    for (int k = 0; k < 2; k++) {
        CHECK(parts[k]->vertex_count > 10);
        CHECK_NEAR(parts[k]->yield_moment, YIELD_CURVATURE * bend_stiffness(), 0);
        // The segment at the cut is shorter than it was, and the turn at its joint stays.
        for (int j = 1 + k; j < parts[k]->segment_count - 1 + k; j++) {
            CHECK_NEAR(set_at(parts[k], j), 2 * YIELD_CURVATURE, 1e-5 * YIELD_CURVATURE);
        }
        cg_thread_destroy(parts[k]);
    }
}

TEST(strength_has_one_yield_moment_and_a_set_bears_none)
{
    cg_vec3 points[VERTICES];
    arc(points, 0);
    cg_thread_def def = bent_def(points);
    def.breaking_force = 30;
    def.yield_moment = CG_FROM_MATERIAL;
    cg_thread *thread = make_thread(&def);
    double yields = 0.5 * 4 * def.radius * 30 / (3 * CG_PI), chord = yields / thread->bend_stiffness * LENGTH;
    double sharp = 4 * chord, set = sharp - 2 * cg_asin(0.5 * chord);
    CHECK_NEAR(thread->yield_moment / yields, 1, 1e-14);
    cg_thread_destroy(thread);
    arc(points, sharp);
    thread = make_thread(&def);
    CHECK(thread->bend_rate[20] * cg_thread_elastic_turn(thread, 20) > 3 * yields);
    CHECK_INT(cg_thread_yield(thread), VERTICES - 2);
    CHECK_NEAR(cg_thread_section_load(thread, 20).moment / yields, 1, 1e-12);
    arc(points, set); // let go: it is as bent as its set
    cg_thread_place(thread, points, NULL);
    cg_twist_reset(thread);
    CHECK_NEAR(cg_thread_section_load(thread, 20).moment / yields, 0, 1e-6);
    cg_thread_destroy(thread);
}

// As it comes out of its packet, without memory.
TEST(a_bend_at_rest_bears_no_moment)
{
    cg_vec3 points[VERTICES];
    arc(points, 3 * YIELD_CURVATURE * LENGTH);
    cg_thread_def def = bent_def(points);
    def.yield_moment = 0;
    def.rest_shape = points;
    def.breaking_force = 20;
    def.yield_share = 0.9;
    cg_thread *thread = make_thread(&def);
    double moment = 3 * YIELD_CURVATURE * bend_stiffness();
    CHECK_NEAR(cg_thread_section_load(thread, 20).moment / moment, 0, 1e-6);
    cg_thread_destroy(thread);
}

TEST(bad_yield_moments_are_refused)
{
    const cg_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const double bad[] = {-2, NAN, INFINITY, 1e-40, CG_FROM_MATERIAL};
    cg_thread_def def = cg_thread_def_default();
    cg_thread *thread;
    def.vertex_count = 3;
    def.positions = points;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) { // the last one without a breaking force
        def.yield_moment = bad[k];
        CHECK_INT(cg_thread_create(&def, &(cg_allocator){0}, &thread).code, CG_BAD_INPUT);
    }
    def.yield_moment = 1;
    def.twist_stiffness = 0;
    CHECK_INT(cg_thread_create(&def, &(cg_allocator){0}, &thread).code, CG_BAD_INPUT);
    def.twist_stiffness = CG_FROM_MATERIAL;
    def.model = CG_THREAD_CHAIN;
    CHECK_INT(cg_thread_create(&def, &(cg_allocator){0}, &thread).code, CG_BAD_INPUT);
}
