// label: slow
// Random threads, driven hard: nothing may become NaN, run away, or gain energy that nobody put in.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

#define MOST_VERTICES 2000
#define STEPS 200
#define DRIVEN_STEPS 150 // after which the hands stand still

typedef struct scenario {
    int count;
    cg_vec3 points[MOST_VERTICES];
    cg_vec3 rest[MOST_VERTICES];
    double lengths[MOST_VERTICES];
    cg_thread_def thread;
    cg_world_def world;
    cg_vec3 speed[2]; // of the driven ends
    double spin;      // [rad/s] of a clamped finish
    bool driven;
    const char *shape;
} scenario;

static double log_random(uint64_t *random, double low, double high)
{
    return exp(test_random(random, log(low), log(high)));
}

static cg_vec3 random_vector(uint64_t *random, double size)
{
    double x = test_random(random, -size, size), y = test_random(random, -size, size);
    return v3(x, y, test_random(random, -size, size));
}

static void fill_points(scenario *s, uint64_t *random)
{
    static const char *const names[] = {"straight", "wandering", "folded", "coincident",
                                        "pairs",    "crumpled",  "crushed"};
    int kind = test_random_int(random, 0, 6);
    cg_vec3 at = v3_zero(), along = v3_unit_or(random_vector(random, 1), v3(1, 0, 0));
    s->shape = names[kind];
    for (int i = 0; i < s->count; i++) {
        double l = s->lengths[i];
        s->points[i] = at;
        if (kind == 1) {
            along = v3_unit_or(v3_add_scaled(along, 0.4, random_vector(random, 1)), along);
        } else if (kind == 2 && i % 7 == 6) {
            along = v3_neg(along);
        } else if (kind == 5) {
            along = v3_unit_or(random_vector(random, 1), along);
        }
        l = kind == 3 || (kind == 4 && i % 2 == 0) ? 0 : l;
        at = v3_add_scaled(at, kind == 6 ? 0.6 * l : l, along);
    }
}

static void fill_scenario(scenario *s, uint64_t *random)
{
    s->count = (int)log_random(random, 2, 2001);
    double radius = log_random(random, 1e-5, 1e-3), length = radius * log_random(random, 0.5, 20);
    bool graded = test_random_int(random, 0, 3) == 0;
    for (int i = 0; i < s->count; i++) {
        s->lengths[i] = length * (graded ? test_random(random, 0.2, 1.8) : 1.0);
    }
    fill_points(s, random);
    s->thread = cg_thread_def_default();
    s->thread.vertex_count = s->count;
    s->thread.positions = s->points;
    s->thread.rest_lengths = s->lengths;
    s->thread.radius = radius;
    s->thread.youngs_modulus = log_random(random, 1e6, 2e11);
    s->thread.poisson_ratio = test_random(random, 0, 0.5);
    s->thread.density = log_random(random, 800, 8000);
    s->thread.drag = test_random_int(random, 0, 1) ? 0 : log_random(random, 0.1, 1000);
    s->thread.damping_time = test_random_int(random, 0, 3) ? 0 : log_random(random, 1e-5, 1e-2);
    if (test_random_int(random, 0, 7) == 0) {
        cg_vec3 at = v3_zero(), along = v3(1, 0, 0);
        for (int i = 0; i < s->count; i++) {
            s->rest[i] = at;
            along = v3_unit_or(v3_add_scaled(along, 0.2, random_vector(random, 1)), along);
            at = v3_add_scaled(at, s->lengths[i], along);
        }
        s->thread.rest_shape = s->rest;
    }
    s->world = cg_world_def_default();
    s->world.max_contacts = 0; // the thread alone: laid at random, it crosses itself
    s->world.time_step = log_random(random, 1e-4, 20e-3);
    s->world.max_threads = 1;
    s->world.newton_passes = test_random_int(random, 1, 4);
}

static void drive_ends(scenario *s, uint64_t *random)
{
    s->driven = true;
    for (int e = 0; e < 2; e++) {
        s->thread.ends[e].kind = (cg_end_kind)test_random_int(random, 0, 2);
        cg_vec3 direction = v3_unit_or(random_vector(random, 1), v3(0, 0, 1));
        s->speed[e] = v3_scale(test_random(random, 0, 5), direction);
    }
    s->spin = test_random_int(random, 0, 1) ? test_random(random, -50, 50) : 0;
    if (test_random_int(random, 0, 9) == 0) {
        s->thread.inertia = CG_LOW_MASS;
        s->thread.drag = log_random(random, 0.1, 1000);
    }
}

static double elastic(cg_thread_energy e)
{
    return e.stretch + e.bend + e.twist;
}

// Moves the driven ends on: to and fro, so that the thread is not merely torn in two.
static void drive(cg_world *world, cg_thread_id id, scenario *s, int step, cg_vec3 at[2])
{
    double h = s->world.time_step;
    for (int e = 0; e < 2; e++) {
        cg_end_hold hold = cg_thread_get_end(world, id, (cg_end)e);
        if (hold.kind != CG_END_FREE) {
            double sense = (step / 40) % 2 == 0 ? 1 : -1;
            at[e] = v3_add_scaled(at[e], sense * h, s->speed[e]);
            hold.position = at[e];
            hold.turn += e == CG_FINISH ? s->spin * h : 0;
            cg_thread_set_end(world, id, (cg_end)e, &hold);
        }
    }
}

typedef struct outcome {
    bool finite;
    double growth;  // largest growth of energy in one step, as a share of the largest energy so far
    double won;     // most energy above that of the start, as the same share
    double revival; // energy above the largest while the hands moved, once they stand still
    double reach;   // longest segment, as a share of all that could pull it so long
    cg_world_stats stats;
} outcome;

static double longest_segment(const cg_world *world, cg_thread_id id)
{
    int count;
    const cg_vec3 *x = cg_thread_positions(world, id, &count);
    double longest = 0;
    for (int i = 0; i + 1 < count; i++) {
        longest = fmax(longest, v3_distance(x[i + 1], x[i]));
    }
    return longest;
}

static double start_extent(const scenario *s)
{
    double extent = 0;
    for (int i = 0; i + 1 < s->count; i++) {
        extent += s->lengths[i] + v3_distance(s->points[i + 1], s->points[i]);
    }
    return extent;
}

// One step, and what it did to the energy.
static void step_and_watch(cg_world *world, cg_thread_id id, double *total, double *scale, double fall, outcome *out)
{
    cg_world_step(world);
    cg_thread_energy e = cg_thread_get_energy(world, id);
    double now = e.kinetic + elastic(e) + e.gravity;
    *scale = fmax(*scale, fmax(e.kinetic + elastic(e), fabs(e.gravity - fall)));
    out->finite = out->finite && isfinite(now);
    out->growth = fmax(out->growth, (now - *total) / (*scale + 1e-300));
    *total = now;
}

static outcome run(scenario *s)
{
    outcome out = {.finite = true};
    cg_world *world = NULL;
    cg_thread_id id;
    cg_status status = cg_world_create(&s->world, &world);
    status = status.code == CG_OK ? cg_world_add_thread(world, &s->thread, &id) : status;
    if (!CHECK_STR(status.message, "")) {
        return out;
    }
    cg_vec3 at[2] = {s->points[0], s->points[s->count - 1]};
    cg_thread_energy e = cg_thread_get_energy(world, id);
    double fall = e.gravity, total = elastic(e) + fall, scale = elastic(e), peak = total, start = total;
    double extent = start_extent(s), travel = 10 * s->world.time_step;
    if (s->thread.inertia == CG_LOW_MASS) {
        travel += 9.81 / s->thread.drag * s->world.time_step; // without mass it falls at this speed from the start
    }
    for (int step = 0; step < STEPS; step++) {
        bool moving = s->driven && step < DRIVEN_STEPS;
        if (moving) {
            drive(world, id, s, step, at);
        }
        step_and_watch(world, id, &total, &scale, fall, &out);
        out.won = fmax(out.won, (total - start) / (scale + 1e-300));
        peak = moving ? fmax(peak, total) : peak;
        out.revival = fmax(out.revival, (total - peak) / (scale + 1e-300));
        double pull = extent + travel + (s->driven ? v3_distance(at[0], at[1]) : 0);
        out.reach = fmax(out.reach, longest_segment(world, id) / pull);
    }
    out.stats = cg_world_get_stats(world);
    cg_world_destroy(world);
    return out;
}

static void describe(const scenario *s, int number, const outcome *out)
{
    fprintf(stderr,
            "case %d: %s, %d vertices, r %.3g l %.3g E %.3g rho %.3g drag %.3g damping %.3g rest %d dt %.3g passes %d "
            "search %d ends %d %d low mass %d: finite %d growth %.3g revival %.3g reach %.3g recovered %d limited %d\n",
            number, s->shape, s->count, s->thread.radius, s->lengths[0], s->thread.youngs_modulus, s->thread.density,
            s->thread.drag, s->thread.damping_time, s->thread.rest_shape != NULL, s->world.time_step,
            s->world.newton_passes, s->world.line_search, (int)s->thread.ends[0].kind, (int)s->thread.ends[1].kind,
            s->thread.inertia == CG_LOW_MASS, out->finite, out->growth, out->revival, out->reach,
            (int)out->stats.recovered_steps, (int)out->stats.energy_limited_steps);
}

static int case_count(void)
{
    return test_is_sanitized() ? 16 : test_count(120, 10000);
}

// Without line search a pass may overshoot and give back a little later; it must not feed on itself.
TEST(driven_threads_stay_finite_and_bounded)
{
    scenario *s = malloc(sizeof *s);
    for (int n = 0; n < case_count(); n++) {
        uint64_t random = 1000003u * (uint64_t)n + 17;
        memset(s, 0, sizeof *s);
        fill_scenario(s, &random);
        drive_ends(s, &random);
        s->world.line_search = n % 2 == 1;
        outcome out = run(s);
        bool good = CHECK(out.finite);
        good = CHECK(out.stats.recovered_steps == 0) && good;
        good = CHECK(out.reach < 5) && good;
        good = CHECK(out.revival <= (s->world.line_search ? 1e-6 : 1.0)) && good;
        if (!good) {
            describe(s, n, &out);
        }
    }
    free(s);
}

TEST(threads_left_alone_gain_no_energy)
{
    scenario *s = malloc(sizeof *s);
    for (int n = 0; n < case_count(); n++) {
        uint64_t random = 7000003u * (uint64_t)n + 29;
        memset(s, 0, sizeof *s);
        fill_scenario(s, &random);
        s->thread.ends[0].kind = (cg_end_kind)test_random_int(&random, 0, 2);
        s->thread.ends[1].kind = (cg_end_kind)test_random_int(&random, 0, 2);
        s->world.line_search = true;
        outcome out = run(s);
        bool good = CHECK(out.finite);
        good = CHECK(out.stats.recovered_steps == 0) && good;
        good = CHECK(out.won <= 1e-6) && good;
        good = CHECK(out.growth <= 1e-6) && good;
        if (!good) {
            describe(s, n, &out);
        }
    }
    free(s);
}
