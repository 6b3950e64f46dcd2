// A limp thread drawn round a vessel that is held: the capstan's law on the surface of tissue, whose edges it lies on;
// and the same with the seed's linear force, which knows no friction: it slides as if there were none.
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_round_a_vessel = {
    .name = "round_a_vessel",
    .summary = "a limp thread dragged round a vessel: pull against pull for three angles and three frictions",
    .source = "Euler 1769, Eytelwein 1808: F = F0 exp(mu phi)",
    .run = run,
};

enum { ANGLES = 3, FRICTIONS = 3, MOST_VERTICES = 400 };
static const double angles[ANGLES] = {90, 180, 270}; // [deg]
static const double frictions[FRICTIONS] = {0.1, 0.2, 0.3};
static const double vessel_radius = 5e-3, tail = 15e-3, spacing = 0.5e-3, pitch = 3e-3; // [m]
static const double seed_stiffness = 1e4;                                               // [N/m] at a vertex
static const double holding_back = 0.05, speed = 0.02, time_step = 0.5e-3;              // [N], [m/s], [s]

// A straight piece up to the vessel, the wrap as a flat helix about the x axis, and a straight piece away from it.
static int lay_thread(double angle, double distance, cg_vec3 *points, cg_vec3 *away)
{
    int count = 0, tail_count = (int)(tail / spacing), wrap_count = (int)(distance * angle / spacing);
    double turn = angle / wrap_count;
    for (int i = -tail_count; i <= wrap_count + tail_count && count < MOST_VERTICES; i++) {
        int on_vessel = i < 0 ? 0 : (i > wrap_count ? wrap_count : i), beyond = i - on_vessel;
        double a = turn * on_vessel, c = cos(a), s = sin(a), along = pitch * a / (2 * CG_PI);
        *away = vec(0, -s, c);
        points[count++] = vec(along, distance * c - s * spacing * beyond, distance * s + c * spacing * beyond);
    }
    return count;
}

static bool add_vessel(cg_world *world, double mu)
{
    cg_tissue_def def = cg_tissue_def_default();
    cg_tissue_id id;
    def.shape = CG_TISSUE_VESSEL;
    def.radius = vessel_radius;
    def.wall = 1e-3;
    def.length = 16e-3;
    def.spacing = 1e-3;
    def.friction = mu;
    if (cg_world_add_tissue(world, &def, &id).code != CG_OK) {
        return false;
    }
    int nodes = cg_tissue_get_summary(world, id).node_count;
    for (int i = 0; i < nodes; i++) {
        cg_tissue_fix(world, id, i, true);
    }
    return true;
}

// `stiffness` of the seed's law; 0: ours.
static bool build(cg_world **world, cg_thread_id *id, double angle, double mu, double stiffness, int *count,
                  cg_vec3 *away)
{
    cg_vec3 points[MOST_VERTICES];
    cg_world_def world_def = cg_world_def_default();
    cg_thread_def thread = cg_thread_def_default();
    world_def.gravity = vec(0, 0, 0);
    world_def.time_step = time_step;
    world_def.linear_contact = stiffness;
    thread.friction = mu;
    thread.bend_stiffness = 1e-12;
    thread.drag = 300; // so that the jerk of the start dies down; a thousandth of the pull while it slides
    // The seed's contacts begin where spheres overlap the surface: nothing else keeps the first jerk from going
    // through.
    double off = (stiffness > 0 ? 0.6 : 1.2) * thread.radius;
    *count = lay_thread(angle, vessel_radius + off, points, away);
    thread.vertex_count = *count;
    thread.positions = points;
    return cg_world_create(&world_def, world).code == CG_OK && add_vessel(*world, mu) &&
           cg_world_add_thread(*world, &thread, id).code == CG_OK;
}

// The mean pull over the second half of the way, once the thread slides everywhere.
static double drag_round(double angle, double mu, double stiffness, cg_report *report)
{
    cg_world *world = NULL;
    cg_thread_id id;
    int count, steps = 600;
    cg_vec3 away;
    if (!build(&world, &id, angle, mu, stiffness, &count, &away)) {
        cg_report_trouble(report, "the world could not be built");
        cg_world_destroy(world);
        return NAN;
    }
    cg_vec3 end = cg_thread_positions(world, id, NULL)[count - 1];
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        double way = speed * time_step * (step + 1);
        cg_thread_push_vertex(world, id, 0, vec(0, 0, -holding_back));
        cg_thread_hold(world, id, count - 1, vec_add(end, vec_scale(way, away)));
        cg_world_step(world);
        if (step >= steps / 2) {
            sum += vec_dot(cg_thread_hold_force(world, id, count - 1), away);
        }
    }
    cg_world_destroy(world);
    return sum / (steps - steps / 2);
}

static void run(cg_report *report)
{
    for (int f = 0; f < FRICTIONS; f++) {
        for (int a = 0; a < ANGLES; a++) {
            double angle = angles[a] * CG_PI / 180, expected = exp(frictions[f] * angle);
            double measured = drag_round(angle, frictions[f], 0, report) / holding_back;
            cg_report_add(
                report,
                (cg_quantity){
                    .published = expected, .expected = expected, .measured = measured, .tolerance = 0.03, .unit = "1"},
                "pull ratio, %g degrees, mu %g", angles[a], frictions[f]);
        }
    }
    for (int a = 0; a < ANGLES; a++) {
        double mu = frictions[FRICTIONS - 1], angle = angles[a] * CG_PI / 180;
        double measured = drag_round(angle, mu, seed_stiffness, report) / holding_back;
        cg_report_check(report, 1, measured, 0.03, "1", "pull ratio by the seed's linear force, %g degrees, mu %g",
                        angles[a], mu);
    }
}
