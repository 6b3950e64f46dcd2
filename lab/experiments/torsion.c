// A thread between two fixed clamps is twisted: it buckles, throws a loop, and the loop winds up into a plectoneme (two
// strands around each other). What one turns in at the clamps is there as twist or as writhe (Calugareanu, White,
// Fuller), as long as no strand passes through another:
//
//     turn / 2 pi = Tw + Wr
//
// Tw is the sum of the twist of the joints, from their torques. Wr is Gauss's integral over all pairs of segments, the
// thread being continued from its clamps to far away along the axis. For two straight segments it is the area on the
// unit sphere of all directions in which they are seen to cross, over 2 pi, with the sign of the crossing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "catgut/catgut.h"
#include "experiments/seed_rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_torsion = {
    .name = "torsion",
    .summary = "a thread twisted between fixed clamps: a loop, a plectoneme, and writhe plus twist kept",
    .source = "MicroSim 4.2.3 (loops and plectonemes form); Calugareanu 1961, White 1969: Lk = Tw + Wr",
    .run = run,
};

enum { VERTICES = CG_SEED_TORSION_VERTICES, POINTS = VERTICES + 2 };

static cg_vec3 unit_cross(cg_vec3 a, cg_vec3 b)
{
    return vec_unit(vec_cross(a, b));
}

static double arc_sine(double x)
{
    return asin(fmax(-1, fmin(1, x)));
}

// Gauss's integral of two segments over 4 pi: the signed area of the quadrangle of directions between their ends.
static double writhe_of_pair(cg_vec3 a0, cg_vec3 a1, cg_vec3 b0, cg_vec3 b1)
{
    cg_vec3 r00 = vec_sub(b0, a0), r01 = vec_sub(b1, a0), r10 = vec_sub(b0, a1), r11 = vec_sub(b1, a1);
    cg_vec3 n[4] = {unit_cross(r00, r01), unit_cross(r01, r11), unit_cross(r11, r10), unit_cross(r10, r00)};
    double area = 0;
    for (int i = 0; i < 4; i++) {
        area += arc_sine(vec_dot(n[i], n[(i + 1) % 4]));
    }
    double side = vec_dot(vec_cross(vec_sub(b1, b0), vec_sub(a1, a0)), r00);
    return (side > 0 ? 1 : side < 0 ? -1 : 0) * area / (4 * CG_PI);
}

static double writhe_of(const cg_vec3 *thread)
{
    cg_vec3 points[POINTS];
    points[0] = vec_sub(thread[0], vec(100, 0, 0));
    for (int i = 0; i < VERTICES; i++) {
        points[i + 1] = thread[i];
    }
    points[POINTS - 1] = vec_add(thread[VERTICES - 1], vec(100, 0, 0));
    double writhe = 0;
    for (int i = 0; i + 1 < POINTS; i++) {
        for (int j = i + 2; j + 1 < POINTS; j++) {
            writhe += 2 * writhe_of_pair(points[i], points[i + 1], points[j], points[j + 1]);
        }
    }
    return writhe;
}

// In turns: torque over stiffness, each joint over the length that belongs to it.
static double twist_of(const cg_world *world, cg_thread_id thread)
{
    double torques[VERTICES], sum = 0;
    cg_thread_torques(world, thread, torques, VERTICES);
    for (int i = 0; i < VERTICES; i++) {
        sum += torques[i] * CG_SEED_TORSION_SPACING * (i == 0 || i == VERTICES - 1 ? 0.5 : 1);
    }
    return sum / CG_SEED_TWIST_STIFFNESS / (2 * CG_PI);
}

static void add_side_view(cg_report *report, const cg_vec3 *points)
{
    int number = cg_report_add_plot(report, "The twisted thread", "x [mm]", "z [mm]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->name, sizeof plot->name, "shape");
    plot->same_scale = true;
    int series = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "");
    for (int i = 0; i < VERTICES; i++) {
        cg_plot_add_point(plot, series, 1e3 * points[i].x, 1e3 * points[i].z);
    }
}

static void run(cg_report *report)
{
    cg_world *world = NULL;
    cg_thread_id thread;
    if (!cg_seed_clamp_thread(report, &world, &thread)) {
        cg_world_destroy(world);
        return;
    }
    int number = cg_report_add_plot(report, "Twist becomes writhe", "turns at the clamps", "turns");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "200 vertices between fixed clamps, 0.8 rad/s; the sum should lie on the dashed line");
    int series[4] = {cg_plot_add_series(plot, CG_SERIES_POINTS, CG_INK, "twist + writhe"),
                     cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "twist"),
                     cg_plot_add_series(plot, CG_SERIES_LINE, CG_VERMILION, "writhe"),
                     cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "turned in")};
    double seconds = report->thorough ? 60 : 40, worst = 0, first_touch = 0, turns = 0, writhe = 0;
    int steps = (int)(seconds / 5e-3), most_contacts = 0;
    for (int step = 1; step <= steps; step++) {
        turns = CG_SEED_TWIST_RATE * 5e-3 * step / (2 * CG_PI);
        cg_seed_turn_ends(world, thread, 2 * CG_PI * turns);
        cg_world_step(world);
        cg_world_stats stats = cg_world_get_stats(world);
        most_contacts = stats.working_contacts > most_contacts ? stats.working_contacts : most_contacts;
        first_touch = first_touch == 0 && stats.working_contacts > 0 ? turns : first_touch;
        if (step % 100 == 0) {
            double twist = twist_of(world, thread);
            writhe = writhe_of(cg_thread_positions(world, thread, NULL));
            worst = turns > 1 ? fmax(worst, fabs(twist + writhe - turns) / turns) : worst;
            const double values[4] = {twist + writhe, twist, writhe, turns};
            for (int i = 0; i < 4; i++) {
                cg_plot_add_point(plot, series[i], turns, values[i]);
            }
        }
    }
    cg_report_check(report, 0, worst, 0.01, "1", "largest error of twist plus writhe after the first turn");
    cg_report_check(report, 1, first_touch > 0, 0, "1", "a loop: it touches itself");
    cg_report_check(report, 1, writhe > 2 && most_contacts >= 5, 0, "1",
                    "a plectoneme: writhe above two turns and five contacts or more");
    add_side_view(report, cg_thread_positions(world, thread, NULL));
    cg_world_destroy(world);
}
