// A wound drawn closed by a stitch: gap against tension, at three lengths of step, and rest.
//
// Lax skin on fat of the catalogue (200 kPa on 20 kPa), pre-strain 0.05, a wound of 4 mm, bites of 3 mm: both ends of
// the thread are drawn across the wound by a force that grows in stairs. The lips come together and stand; the gap does
// not depend on the step. At rest what holds the pad balances what pulls the thread. Then pads of one layer from 5 kPa
// to 1 MPa, drawn by forces in proportion.
#include <math.h>

#include "experiments/stitch_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_closure = {
    .name = "closure",
    .summary = "a stitch draws a wound closed: gap against tension, the same at every step, and at rest",
    .source = "convergence: steps of 0.5, 1 and 2 ms among each other; closed at 0.5 to 3 N, as surgeons find",
    .run = run,
};

enum { STAIRS = 4, STEPS = 3, PADS = 3 };
static const double forces[STAIRS] = {0.4, 0.8, 1.2, 1.6};    // [N]
static const double most[STAIRS] = {2.6, 1.4, 0.5, 0.4};      // [mm] of the gap then
static const double time_steps[STEPS] = {1e-3, 0.5e-3, 2e-3}; // [s]
static const double RISE = 0.15, STAND = 0.25;                // [s] of each stair
static const double youngs[PADS] = {5e3, 100e3, 1e6};         // [Pa]
static const double pulls[PADS] = {0.05, 1, 5};               // [N]

// Draws from one force to another, and stands.
static void draw(cg_stitch_rig *rig, double from, double to, double stand)
{
    double h = rig->setup.time_step;
    for (int k = 0; k < (int)((RISE + stand) / h + 0.5); k++) {
        cg_stitch_rig_step(rig, from + (to - from) * fmin(1, k * h / RISE));
    }
}

// [N] what the thread does to the pad: at the anchors, and where it lies on it.
static cg_vec3 load_on_pad(const cg_stitch_rig *rig)
{
    cg_vec3 sum = {0, 0, 0};
    cg_anchor anchor;
    cg_contact_info contact;
    for (int k = 0; cg_world_get_anchor(rig->world, k, &anchor); k++) {
        sum = vec_add(sum, anchor.force);
    }
    for (int k = 0; cg_world_get_contact(rig->world, k, &contact); k++) {
        sum = contact.threads[0].index != 0 && contact.triangles[1] >= 0 ? vec_sub(sum, contact.force) : sum;
    }
    return sum;
}

static cg_tissue_kind kind_of(cg_report *report, const char *name)
{
    cg_tissue_kind kind = {0};
    if (!cg_tissue_catalogue_find(name, &kind, NULL, 0)) {
        cg_report_trouble(report, "%s is not in the catalogue", name);
    }
    return kind;
}

static cg_stitch_setup skin_on_fat(cg_report *report, double time_step)
{
    cg_stitch_setup setup = cg_stitch_setup_default();
    cg_tissue_kind skin = kind_of(report, "lax skin"), fat = kind_of(report, "fat");
    setup.skin = skin.youngs_modulus.value;
    setup.fat = fat.youngs_modulus.value;
    setup.stiffening = skin.stiffening.value;
    setup.tension = 0.05;
    setup.bite = 3e-3;
    setup.time_step = time_step;
    return setup;
}

static void close_wound(cg_report *report, int which, double gaps[STAIRS], double *open)
{
    cg_stitch_setup setup = skin_on_fat(report, time_steps[which]);
    cg_stitch_rig rig;
    double ms = 1e3 * time_steps[which];
    cg_plot *plot = &report->plots[0];
    if (!cg_stitch_rig_make(&rig, &setup, report)) {
        return;
    }
    *open = which == 0 ? rig.open : *open;
    for (int k = 0; k < STAIRS; k++) {
        draw(&rig, k > 0 ? forces[k - 1] : 0, forces[k], k + 1 < STAIRS ? STAND : 2 * STAND);
        double gap = cg_stitch_rig_holes(&rig);
        cg_wound_gap lips = cg_stitch_rig_gap(&rig);
        if (which > 0) {
            cg_report_check(report, 0, (gap - gaps[k]) / *open, 0.02, "1",
                            "change of the gap, of the open one, %g N, %g ms", forces[k], ms);
        } else {
            gaps[k] = gap;
            cg_plot_add_point(plot, 0, forces[k], 1e3 * gap);
            cg_plot_add_point(plot, 1, forces[k], 1e3 * lips.least);
            cg_plot_add_point(plot, 2, forces[k], 1e3 * lips.top);
        }
    }
    cg_report_check(report, 0, cg_stitch_rig_motion(&rig), 1e-10, "m", "motion in a step, %g N, %g ms",
                    forces[STAIRS - 1], ms);
    cg_vec3 load = load_on_pad(&rig), ends = vec_scale(forces[STAIRS - 1], vec_add(rig.out[0], rig.out[1]));
    cg_report_check(report, 0, vec_length(vec_sub(cg_stitch_rig_reaction(&rig), load)), 1e-9, "N",
                    "what holds the pad, less what the thread does to it, %g ms", ms);
    cg_report_check(report, 0, vec_length(vec_sub(ends, load)), 1e-9, "N",
                    "what pulls the thread, less what it does to the pad, %g ms", ms);
    cg_report_check(report, 0, (double)cg_world_get_stats(rig.world).unfinished_steps, 5, "1",
                    "steps that ended unfinished, %g ms", ms);
    cg_stitch_rig_free(&rig);
}

static void stand_in(cg_report *report, int pad)
{
    cg_stitch_setup setup = cg_stitch_setup_default();
    cg_stitch_rig rig;
    setup.skin = youngs[pad];
    if (!cg_stitch_rig_make(&rig, &setup, report)) {
        return;
    }
    draw(&rig, 0, pulls[pad], 0.6);
    cg_report_check(report, 0, cg_stitch_rig_motion(&rig), 1e-10, "m", "motion in a step, %g kPa, %g N",
                    1e-3 * youngs[pad], pulls[pad]);
    cg_stitch_rig_free(&rig);
}

static void run(cg_report *report)
{
    double gaps[STAIRS] = {NAN, NAN, NAN, NAN}, open = NAN;
    int number = cg_report_add_plot(report, "A wound drawn closed by a stitch", "pull at each end [N]", "gap [mm]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "between the holes in the wound");
    cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "least distance of the lips");
    cg_plot_add_series(plot, CG_SERIES_DASHES, CG_BLUE, "edges at the top");
    for (int which = 0; which < STEPS; which++) {
        close_wound(report, which, gaps, &open);
    }
    for (int k = 0; k < STAIRS; k++) {
        cg_report_check(report, 0, 1e3 * gaps[k], most[k], "mm", "gap between the holes at %g N", forces[k]);
    }
    for (int pad = 0; pad < PADS; pad++) {
        stand_in(report, pad);
    }
}
