// A pad that hangs on nothing, hit by a needle or sewn through by a thread that swings: forces inside a world add up to
// nothing, so what it has of momentum and of angular momentum stays, whatever touches, pierces or slides. The energy
// may go down and not up.
#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "world/world.h"

enum { OUTSIDE = 40, INSIDE = 12, VERTICES = 2 * OUTSIDE + INSIDE + 1 };
static const double SECONDS = 0.15, LENGTH = 20e-3, SPACING = 0.5e-3, ARM = 10e-3;

typedef struct sewn {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_rigid_id needle;
    double linear_density; // [kg/m] of the thread
    bool has_thread, has_needle;
} sewn;

typedef struct sums {
    cg_vec3 momentum, angular; // [kg m/s], [kg m2/s] about the origin
    double energy;             // [J]
} sums;

static void count_mass(sums *all, double mass, cg_vec3 place, cg_vec3 velocity)
{
    all->momentum = v3_add_scaled(all->momentum, mass, velocity);
    all->angular = v3_add_scaled(all->angular, mass, v3_cross(place, velocity));
}

static sums sums_of(const sewn *s)
{
    sums all = {0};
    int count;
    const cg_vec3 *nodes = cg_tissue_positions(s->world, s->pad, &count);
    const cg_vec3 *moving = cg_tissue_velocities(s->world, s->pad, NULL);
    const double *mass = cg_world_find_tissue(s->world, s->pad)->mesh->mass;
    for (int i = 0; i < count; i++) {
        count_mass(&all, mass[i], nodes[i], moving[i]);
    }
    cg_tissue_summary tissue = cg_tissue_get_summary(s->world, s->pad);
    all.energy = tissue.elastic_energy + tissue.kinetic_energy;
    if (s->has_thread) {
        const cg_vec3 *vertices = cg_thread_positions(s->world, s->thread, &count);
        const cg_vec3 *swinging = cg_thread_velocities(s->world, s->thread, NULL);
        const double *rest = cg_thread_rest_lengths(s->world, s->thread, NULL);
        for (int i = 0; i < count; i++) {
            double length = (i > 0 ? rest[i - 1] : 0) + (i + 1 < count ? rest[i] : 0);
            count_mass(&all, 0.5 * s->linear_density * length, vertices[i], swinging[i]);
        }
        cg_thread_energy of = cg_thread_get_energy(s->world, s->thread);
        all.energy += of.kinetic + of.bend + of.stretch + of.twist;
    }
    if (s->has_needle) {
        cg_rigid_info body = {0};
        CHECK(cg_rigid_get_info(s->world, s->needle, &body));
        count_mass(&all, body.mass, body.centre, body.velocity);
        all.angular = v3_add(all.angular, body.angular_momentum);
        all.energy += body.kinetic_energy;
    }
    return all;
}

static bool add_pad(sewn *s, double time_step)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    world.gravity = v3_zero();
    world.time_step = time_step;
    pad.size = v3(20e-3, 16e-3, 0);
    pad.layer_count = 1;
    pad.layers[0] = (cg_tissue_layer){.thickness = 6e-3, .material = {.young = 1e5, .density = 1100}};
    pad.spacing = 2e-3;
    pad.fix_bottom = pad.fix_rim = false;
    pad.drag = pad.damping = 0;
    pad.iterations = 200;
    pad.pierce_force = 0.2;
    pad.pierce_cut = 0.03;
    pad.pierce_drag = 3;
    return CHECK_STR(cg_world_create(&world, &s->world).message, "") &&
           CHECK_STR(cg_world_add_tissue(s->world, &pad, &s->pad).message, "");
}

// A slender needle, 4 g, that comes from above with its tip 1 mm over the skin.
static bool shoot_needle(sewn *s, double speed)
{
    cg_needle needle = cg_needle_default();
    cg_rigid_def def = cg_rigid_def_default();
    needle.arc = 0.1;
    needle.radius = 0.2;
    def.needle = &needle;
    def.mass = 4e-3;
    def.pose.position = v3_sub(v3(0.3e-3, 0.2e-3, 1e-3), cg_needle_place(&needle, 0));
    def.velocity = v3(0, 0, -speed);
    s->has_needle = true;
    return CHECK_STR(cg_world_add_rigid(s->world, &def, &s->needle).message, "");
}

// Through the pad straight from hole to hole, and swinging outside of it.
static bool sew_thread(sewn *s)
{
    cg_vec3 holes[2] = {{-3e-3, 0, 0}, {3e-3, 0, 0}}, points[VERTICES], velocities[VERTICES];
    cg_vec3 before = v3(-0.7, 0.3, 0.7), behind = v3(0.6, 0.2, 0.8);
    for (int i = 0; i < VERTICES; i++) {
        double left = (double)(OUTSIDE - i) / OUTSIDE, right = (double)(i - OUTSIDE - INSIDE) / OUTSIDE;
        points[i] = left > 0    ? v3_add_scaled(holes[0], LENGTH * left, before)
                    : right > 0 ? v3_add_scaled(holes[1], LENGTH * right, behind)
                                : v3_add_scaled(holes[0], (double)(i - OUTSIDE) / INSIDE, v3_sub(holes[1], holes[0]));
    }
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = VERTICES;
    thread.positions = points;
    thread.drag = 0;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    s->linear_density = thread.density * CG_PI * thread.radius * thread.radius * 200; // heavy, so that it counts
    thread.linear_density = s->linear_density;
    if (!CHECK_STR(cg_world_add_thread(s->world, &thread, &s->thread).message, "")) {
        return false;
    }
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = s->thread;
    stitch.tissue = s->pad;
    stitch.points = holes;
    stitch.point_count = 2;
    stitch.friction = 0.2;
    if (!CHECK_STR(cg_world_add_stitch(s->world, &stitch).message, "")) {
        return false;
    }
    int count;
    const cg_vec3 *laid = cg_thread_positions(s->world, s->thread, &count);
    if (!CHECK(count <= VERTICES)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        points[i] = laid[i];
        velocities[i] = v3(0.05 + 2 * laid[i].z, 60 * laid[i].x, i < OUTSIDE / 2 ? 0.4 : -0.1);
    }
    s->has_thread = true;
    return CHECK_STR(cg_thread_set_state(s->world, s->thread, points, velocities).message, "");
}

typedef struct drift {
    double momentum; // the largest change, as a share of what there was at first
    double angular;  // likewise, of the larger of what there was and of the momentum over the arm of half a pad
    double rise;     // of the energy, from a step to the next, as a share of the first
} drift;

static drift watch(const sewn *s, double time_step)
{
    drift worst = {0};
    sums first = sums_of(s), last = first;
    double momentum = v3_length(first.momentum), angular = fmax(v3_length(first.angular), ARM * momentum);
    for (int step = 0; step * time_step < SECONDS; step++) {
        cg_world_step(s->world);
        sums now = sums_of(s);
        worst.momentum = fmax(worst.momentum, v3_distance(now.momentum, first.momentum) / momentum);
        worst.angular = fmax(worst.angular, v3_distance(now.angular, first.angular) / angular);
        worst.rise = fmax(worst.rise, (now.energy - last.energy) / first.energy);
        last = now;
    }
    return worst;
}

static void check_needle(double time_step, double speed)
{
    sewn s = {0};
    if (add_pad(&s, time_step) && shoot_needle(&s, speed)) {
        drift worst = watch(&s, time_step);
        CHECK_NEAR(worst.momentum, 0, 0.01);
        CHECK_NEAR(worst.angular, 0, 0.01);
        CHECK(worst.rise <= 1e-6);
    }
    cg_world_destroy(s.world);
}

TEST(a_slow_needle_and_a_free_pad_keep_their_momentum)
{
    for (int halved = 0; halved < 2; halved++) {
        sewn s = {0};
        double time_step = halved ? 0.5e-3 : 1e-3;
        if (add_pad(&s, time_step) && shoot_needle(&s, 0.1)) {
            drift worst = watch(&s, time_step);
            CHECK_NEAR(worst.momentum, 0, 0.01);
        }
        cg_world_destroy(s.world);
    }
}

TEST(a_needle_shot_into_a_free_pad_keeps_their_momentum)
{
    KNOWN_FAULT("above 1 m/s up to 83 % of the momentum is lost");
    const double speeds[] = {0.1, 0.3, 1, 2, 3};
    for (int i = test_is_sanitized() ? 3 : 0; i < 5; i++) {
        check_needle(1e-3, speeds[i]);
        check_needle(0.5e-3, speeds[i]);
    }
}

TEST(a_thread_that_slides_through_a_free_pad_keeps_their_momentum)
{
    KNOWN_FAULT("5 % of the momentum and 18 % of the angular momentum are lost at 1 ms");
    for (int halved = 0; halved < 2; halved++) {
        sewn s = {0};
        double time_step = halved ? 0.5e-3 : 1e-3;
        if (add_pad(&s, time_step) && sew_thread(&s)) {
            drift worst = watch(&s, time_step);
            CHECK_NEAR(worst.momentum, 0, 0.01);
            CHECK_NEAR(worst.angular, 0, 0.01);
            CHECK(worst.rise <= 1e-6);
        }
        cg_world_destroy(s.world);
    }
}
