#include "experiments/knot_tied.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/special.h"
#include "support/vector.h"

static const double STANDING = 6e-3, TAIL = 5e-3; // [m] straight parts of the drawn curve
static const double SETTLE = 0.03;                // [s]
static const double REST = 0.01;                  // [s] in which hands stand still, before and after the tails go
static const double SPEED = 0.05;                 // [m/s] of each hand while the knot is drawn
static const double PULL_SPEED = 0.02;            // [m/s] of each hand in the pull
static const double EASE_SPEED = 0.02;            // [m/s] at which the tails are given way,
static const double EASE = 0.05;                  // [s] for at most so long, until they pull less than
static const double SLACK = 0.02;                 // [N]
static const double START = 0.01;                 // [s] until it has that speed
static const double GAUGE = 4e-3;                 // [s] time constant of what is read as the pull
static const double LONGEST = 0.4;                // [s] of drawing until it must be snug, and of the pull

cg_tied_setup cg_tied_setup_default(cg_curve_kind kind, int throws, const char *notation, double friction)
{
    return (cg_tied_setup){.kind = kind,
                           .throws = throws,
                           .notation = notation,
                           .radius = 0.11e-3,
                           .bend_share = 1,
                           .friction = friction,
                           .time_step = 5e-4,
                           .spacing = 2,
                           .snug = 2,
                           .snug_friction = 0};
}

static cg_knot_setup rig_setup(const cg_tied_setup *s)
{
    cg_knot_setup setup = cg_knot_suture_setup(s->kind, 2, s->radius, s->friction);
    setup.curve.throws = s->throws;
    setup.curve.tail = STANDING;
    setup.curve.free_tail = TAIL;
    setup.curve.gap = 3 * s->radius;
    setup.curve.spacing = s->spacing * s->radius;
    setup.world.time_step = s->time_step;
    setup.world.gravity = vec(0, 0, 0);
    setup.world.max_contacts = 400;
    setup.world.friction_torque = s->torque;
    setup.thread.drag = 1000;
    setup.thread.bend_stiffness = s->bend_share * 0.25 * CG_PI * pow(s->radius, 4) * setup.thread.youngs_modulus;
    setup.settle = SETTLE;
    setup.settle_friction = 0;
    setup.hold_tails = true;
    return setup;
}

static double pull_of(const cg_knot_rig *rig)
{
    return 0.5 * (cg_knot_rig_tension(rig, 0) + cg_knot_rig_tension(rig, 1));
}

static void step_still(cg_tied_knot *knot, double seconds)
{
    for (int step = 0; step < (int)(seconds / knot->setup.time_step + 0.5); step++) {
        cg_world_step(knot->rig.world);
    }
}

// Drawn ever more slowly as the pull comes near what is wanted, so that the last step does not overshoot.
static bool draw_snug(cg_tied_knot *knot)
{
    double pull = 0, wanted = knot->setup.snug;
    for (double time = 0; time < LONGEST && pull < 0.98 * wanted; time += knot->setup.time_step) {
        double slower = fmin(1, fmax(0.02, 1 - pull / wanted));
        cg_knot_rig_pull(&knot->rig, SPEED * fmin(slower, time / START));
        cg_world_step(knot->rig.world);
        pull = pull_of(&knot->rig);
    }
    return pull >= 0.98 * wanted;
}

// The hands at the tails give way until these are slack, and let go.
static void ease_tails(cg_tied_knot *knot)
{
    double pull = HUGE_VAL;
    for (double time = 0; time < EASE && pull > SLACK; time += knot->setup.time_step) {
        cg_knot_rig_pull_tails(&knot->rig, -EASE_SPEED);
        cg_world_step(knot->rig.world);
        pull = fmax(cg_knot_rig_tail_tension(&knot->rig, 0), cg_knot_rig_tail_tension(&knot->rig, 1));
    }
    cg_knot_rig_free_tails(&knot->rig);
}

static void certify(cg_tied_knot *knot)
{
    cg_knot_report name;
    bool told = cg_knot_rig_identify(&knot->rig, &name);
    snprintf(knot->read, sizeof knot->read, "%s", told ? name.throws_text : "nothing");
    knot->certified = told && name.certain && strcmp(name.throws_text, knot->setup.notation) == 0;
}

bool cg_tied_begin(cg_tied_knot *knot, const cg_tied_setup *setup, cg_report *report)
{
    *knot = (cg_tied_knot){.setup = *setup};
    cg_knot_setup rig = rig_setup(setup);
    if (!cg_knot_rig_open(&knot->rig, &rig, report)) {
        return false;
    }
    cg_knot_rig_set_friction(&knot->rig, setup->snug_friction >= 0 ? setup->snug_friction : setup->friction);
    knot->snug = draw_snug(knot);
    step_still(knot, REST);
    cg_knot_rig_set_friction(&knot->rig, setup->friction);
    step_still(knot, 0.5 * REST);
    certify(knot);
    ease_tails(knot);
    step_still(knot, REST);
    knot->from = cg_knot_rig_distance(&knot->rig);
    knot->before = cg_knot_rig_stretch(&knot->rig);
    knot->gauge = pull_of(&knot->rig);
    return true;
}

void cg_tied_end(cg_tied_knot *knot)
{
    cg_knot_rig_close(&knot->rig);
}

double cg_tied_slip(const cg_tied_knot *knot)
{
    double apart = cg_knot_rig_distance(&knot->rig) - knot->from;
    return apart - (cg_knot_rig_stretch(&knot->rig) - knot->before);
}

double cg_tied_pull(cg_tied_knot *knot, double slip, double enough)
{
    double most = 0, share = fmin(1, knot->setup.time_step / GAUGE);
    for (double time = 0; time < LONGEST && cg_tied_slip(knot) < slip; time += knot->setup.time_step) {
        cg_knot_rig_pull(&knot->rig, PULL_SPEED * fmin(1, time / START));
        cg_world_step(knot->rig.world);
        knot->gauge += share * (pull_of(&knot->rig) - knot->gauge);
        most = fmax(most, knot->gauge);
        if (most >= enough) {
            return enough;
        }
    }
    return most;
}

cg_pull_def cg_tied_pull_def(const cg_tied_knot *knot)
{
    cg_pull_def def = cg_pull_def_default(knot->rig.threads[0]);
    def.other = knot->rig.threads[1];
    def.enough = 20;
    for (int end = 0; end < 2; end++) {
        cg_curve_end pulled = knot->rig.curve.pulled[end];
        def.pulls[pulled.thread] = pulled.last ? CG_KNOT_PULL_LAST : CG_KNOT_PULL_FIRST;
    }
    return def;
}

double cg_tied_hold(const cg_tied_knot *knot, double enough)
{
    cg_pull_result result = {.force = NAN};
    cg_pull_def def = cg_tied_pull_def(knot);
    def.enough = enough;
    if (!knot->snug || !knot->certified || cg_pull_test(knot->rig.world, &def, &result).code != CG_OK ||
        result.outcome == CG_PULL_STUCK) {
        result.force = NAN;
    }
    return result.force > enough ? enough : result.force; // fmin would make a good number of none
}

static void free_standing(cg_tied_knot *knot)
{
    for (int end = 0; end < 2; end++) {
        cg_thread_id thread;
        int vertex = cg_knot_rig_end(&knot->rig, end, &thread), inwards = vertex == 0 ? 1 : -1;
        for (int h = 0; h < 4; h++) {
            cg_thread_release(knot->rig.world, thread, vertex + h * inwards);
        }
    }
}

double cg_tied_load(cg_tied_knot *knot, double force, double seconds)
{
    int steps = (int)(seconds / knot->setup.time_step + 0.5);
    double then = 0;
    free_standing(knot);
    for (int step = 0; step < steps; step++) {
        cg_knot_rig_load(&knot->rig, force);
        cg_world_step(knot->rig.world);
        then = step == steps - steps / 5 ? cg_tied_slip(knot) : then;
        if (cg_tied_slip(knot) > 2 * TAIL) {
            return INFINITY;
        }
    }
    return cg_tied_slip(knot) - then;
}
