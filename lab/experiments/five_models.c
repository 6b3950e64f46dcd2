// The five models of the mass-spring thread (Shi 2008, 4.5.2), and what each of them does wrong. A thread of table 4.1
// hangs by one end, is let go straight at 34 degrees below the horizontal with a turn of 2 rad/s sideways, and swings
// for 18 s:
//
//     1  springs and dampers along it: joints fold
//     2  with torsional springs: stiff, but it rings
//     3  with torsional dampers: no ringing, but it orbits for ever
//     4  with swivel dampers: it comes to rest
//     5  with springs that grow with the square: it stretches less
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "thread/mass_spring.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_five_models = {
    .name = "five_models",
    .summary = "five mass-spring threads swing for 18 s: what each of them lacks",
    .source = "VTE 2.1.3, 4.5.2, table 4.1",
    .run = run,
};

enum { POINTS = 30, MODELS = 5 };
static const double GRAVITY = 9.8, SECONDS = 18;

typedef struct swing {
    cg_mass_spring_def def;
    cg_vec3 position[POINTS], velocity[POINTS];
    double time_step;
    double most_bend;      // [rad] of a joint, all the time
    double bend_energy;    // [J] mean of the last two seconds
    double kinetic_energy; // [J] the same
} swing;

static double kinetic_energy(const swing *s)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        sum += 0.5 * s->def.mass * v3_dot(s->velocity[i], s->velocity[i]);
    }
    return sum;
}

static double all_energy(const swing *s)
{
    double sum = kinetic_energy(s) + cg_mass_spring_stretch_energy(&s->def, POINTS, s->position) +
                 cg_mass_spring_bend_energy(&s->def, POINTS, s->position);
    for (int i = 0; i < POINTS; i++) {
        sum += s->def.mass * GRAVITY * s->position[i].z;
    }
    return sum;
}

static double most_bend(const swing *s)
{
    double most = 0;
    for (int i = 1; i + 1 < POINTS; i++) {
        cg_vec3 a = v3_sub(s->position[i], s->position[i - 1]), b = v3_sub(s->position[i + 1], s->position[i]);
        most = fmax(most, atan2(v3_length(v3_cross(a, b)), v3_dot(a, b)));
    }
    return most;
}

static void step(swing *s)
{
    cg_vec3 force[POINTS];
    bool held[POINTS] = {true};
    for (int i = 0; i < POINTS; i++) {
        force[i] = v3(0, 0, -GRAVITY * s->def.mass);
    }
    cg_mass_spring_step(&s->def, POINTS, s->position, s->velocity, force, held, s->time_step);
}

// Lays the thread straight, `below` the horizontal [rad], turning sideways.
static swing make_swing(int model, double below, double turn)
{
    swing s = {.def = cg_mass_spring_def_table(model, POINTS)};
    // With room: joints of model 1 fold, and a step at the bound itself rings.
    s.time_step = 0.8 * cg_mass_spring_largest_step(&s.def, 0, 0.02);
    for (int i = 0; i < POINTS; i++) {
        s.position[i] = v3_scale(s.def.rest_length * i, v3(cos(below), 0, -sin(below)));
        s.velocity[i] = v3(0, turn * s.position[i].x, 0);
    }
    return s;
}

static void swing_on(swing *s, cg_plot *plot, int series)
{
    int steps = (int)(SECONDS / s->time_step), late = steps - (int)(2 / s->time_step), counted = 0;
    for (int k = 0; k < steps; k++) {
        step(s);
        if (k % 50 == 0) {
            s->most_bend = fmax(s->most_bend, most_bend(s));
        }
        if (k >= late && k % 50 == 0) {
            s->bend_energy += cg_mass_spring_bend_energy(&s->def, POINTS, s->position);
            s->kinetic_energy += kinetic_energy(s);
            counted++;
        }
        if (k % (steps / 180) == 0) {
            cg_plot_add_point(plot, series, k * s->time_step, kinetic_energy(s));
        }
    }
    s->bend_energy /= counted;
    s->kinetic_energy /= counted;
}

// How often more energy there is after a second than at the start, with the dampers as they are printed. It is endless
// where numbers end.
static double growth_as_printed(void)
{
    swing s = make_swing(4, 34 * CG_PI / 180, 2);
    s.def.as_printed = true;
    double start = all_energy(&s), floor = -GRAVITY * s.def.mass * POINTS * 0.5;
    for (int k = 0; k < 1 / s.time_step; k++) {
        step(&s);
    }
    double ratio = (all_energy(&s) - floor) / (start - floor);
    return isfinite(ratio) ? ratio : HUGE_VAL;
}

// [m] How much longer it is than its rest length, hung straight until it is still.
static double hung_stretch(int model)
{
    swing s = make_swing(model, CG_PI / 2, 0);
    s.def.linear_damper *= 100; // only to be still sooner: where it comes to rest does not depend on it
    s.time_step = 0.5 * cg_mass_spring_largest_step(&s.def, 0, 0.02);
    for (int k = 0; k < 4 / s.time_step; k++) {
        step(&s);
    }
    return -s.position[POINTS - 1].z - s.def.rest_length * (POINTS - 1);
}

static void report_swings(cg_report *report, const swing *s)
{
    const double degree = CG_PI / 180;
    cg_report_check(report, 1, s[0].most_bend > 60 * degree, 0, "1", "model 1: joints bend beyond 60 degrees (%.0f)",
                    s[0].most_bend / degree);
    for (int m = 1; m < 4; m++) {
        cg_report_check(report, 1, s[m].most_bend < 10 * degree, 0, "1",
                        "model %d: joints bend below 10 degrees (%.1f)", m + 1, s[m].most_bend / degree);
    }
    cg_report_check(report, 1, s[2].bend_energy < 0.1 * s[1].bend_energy, 0, "1",
                    "model 3 rings less than a tenth of model 2 (%.2g and %.2g J)", s[2].bend_energy, s[1].bend_energy);
    cg_report_check(report, 1, s[2].kinetic_energy > 0.3, 0, "1", "model 3 still orbits (%.2g J)", s[2].kinetic_energy);
    cg_report_check(report, 1, s[3].kinetic_energy < 0.02, 0, "1", "model 4 does not (%.2g J)", s[3].kinetic_energy);
}

static void run(cg_report *report)
{
    static const cg_hue hues[MODELS] = {CG_VERMILION, CG_ORANGE, CG_GREEN, CG_BLUE, CG_PURPLE};
    swing swings[MODELS];
    int number = cg_report_add_plot(report, "Five threads swing", "time [s]", "kinetic energy [J]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "30 points of 50 g let go at 34 degrees, turned sideways at 2 rad/s");
    for (int m = 0; m < MODELS; m++) {
        char label[32];
        snprintf(label, sizeof label, "model %d", m + 1);
        swings[m] = make_swing(m + 1, 34 * CG_PI / 180, 2);
        swing_on(&swings[m], plot, cg_plot_add_series(plot, CG_SERIES_LINE, hues[m], label));
    }
    report_swings(report, swings);
    double growth = growth_as_printed(), linear = hung_stretch(4), quadratic = hung_stretch(5);
    cg_mass_spring_def def = cg_mass_spring_def_table(4, POINTS);
    cg_report_check(report, 1, growth > 1e3, 0, "1", "dampers as printed: energy grows without bound within 1 s");
    // Segment i carries POINTS - 1 - i points.
    double hung = def.rest_length * def.mass * GRAVITY / def.linear_spring * (POINTS - 1) * POINTS / 2;
    cg_report_check(report, hung, linear, 0.001, "m", "model 4: stretch under its own weight");
    cg_report_check(report, 1, quadratic < 0.5 * linear, 0, "1",
                    "model 5, %.0f kN: it stretches less than half of that (%.2g)", 1e-3 * def.quadratic_spring,
                    quadratic / linear);
}
