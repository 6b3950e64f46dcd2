// The suturing constraint at work: a tip that pierces a sheet, a thread drawn through by 100 mm, its pull on both sides
// of the hole, and a sheet that must stay quiet (the published one did not).
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/suturing.h"
#include "experiments/constraint/dae_rig.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_dae_suturing = {
    .name = "dae_suturing",
    .summary = "a thread pierces a sheet at a force, slides through the hole, and leaves the sheet quiet",
    .source = "SGPhysics 3.3.4 and figure 5.2; a thread without friction pulls alike on both sides",
    .run = run,
};

enum { CONTROLS = 20, NODES = 12 };

// --- piercing ---

static const double threshold = 0.05; // [N]

static void run_piercing(cg_report *report)
{
    cg_dae_def def = cg_dae_def_default();
    cg_dae_rig_sewing sewing;
    cg_suturing suturing = {.made = 0};
    // The lower end of the thread of the rig is the tip; it begins 5 mm above the sheet.
    bool is_good = cg_dae_rig_sew_above(&sewing, &def, CONTROLS, NODES, 5e-3, report) &&
                   cg_dae_rig_good(cg_suturing_begin(&suturing, sewing.dae, sewing.thread, CG_BSPLINE_FIRST,
                                                     sewing.sheet, threshold),
                                   report) &&
                   cg_dae_rig_good(cg_dae_prepare(sewing.dae), report);
    double deepest = 0;
    for (int n = 1; is_good && n <= 4000 && suturing.made == 0; n++) {
        cg_vec3 speed = v3(0, 0, -0.01);
        cg_dae_drive(sewing.dae, sewing.hold, v3_add_scaled(sewing.top, n * def.time_step, speed), speed, v3_zero());
        is_good = cg_dae_rig_steps(sewing.dae, 1, report);
        const cg_dae_contact *contacts;
        for (int k = 0; k < cg_dae_get_contacts(sewing.dae, &contacts); k++) {
            deepest = fmax(deepest, -contacts[k].gap);
        }
        is_good = is_good && cg_dae_rig_good(cg_suturing_follow(&suturing, sewing.dae), report);
    }
    cg_report_check(report, threshold, suturing.force, 0.1, "N", "contact force of the tip when the stitch was made");
    cg_report_check(report, 0, deepest, 1e-6, "m", "deepest overlap of tip and sheet until then");
    cg_dae_destroy(sewing.dae);
}

// --- drawn through ---

static double way_of(const cg_dae_rig_sewing *sewing)
{
    return cg_dae_places(sewing->dae)[cg_dae_first_unknown(sewing->dae, sewing->abscissa)] *
           cg_dae_spline(sewing->dae, sewing->thread)->span_length;
}

static double pull_at(const cg_dae_rig_sewing *sewing, double u)
{
    const cg_spline *spline = cg_dae_spline(sewing->dae, sewing->thread);
    cg_part tangent = cg_dae_on_spline(sewing->dae, sewing->thread, u, 1);
    return spline->stretch * (v3_length(cg_dae_part_place(sewing->dae, &tangent)) / spline->span_length - 1);
}

static double fastest_node(const cg_dae_rig_sewing *sewing)
{
    double fastest = 0;
    const double *v = cg_dae_velocities(sewing->dae) + cg_dae_first_unknown(sewing->dae, sewing->sheet);
    for (int i = 0; i < 3 * NODES * NODES; i++) {
        fastest = fmax(fastest, fabs(v[i]));
    }
    return fastest;
}

// Moves the upper end along z at 0.1 m/s, from and to [m] over where it began, and waits for a second.
static bool draw(cg_dae_rig_sewing *sewing, double from, double to, cg_report *report)
{
    int steps = (int)(fabs(to - from) / 1e-4 + 0.5);
    bool is_good = true;
    for (int n = 1; is_good && n <= steps + 1000; n++) {
        double share = n < steps ? (double)n / steps : 1, speed = n < steps ? (to > from ? 0.1 : -0.1) : 0;
        cg_vec3 place = v3_add(sewing->top, v3(0, 0, from + share * (to - from)));
        cg_dae_drive(sewing->dae, sewing->hold, place, v3(0, 0, speed), v3_zero());
        is_good = cg_dae_rig_steps(sewing->dae, 1, report);
    }
    return is_good;
}

static void run_drawing(cg_report *report)
{
    cg_dae_def def = cg_dae_def_default();
    def.keep_factors = true;
    cg_dae_rig_sewing sewing;
    bool is_good = cg_dae_rig_sew(&sewing, &def, CONTROLS, NODES, true, report);
    if (is_good) {
        cg_part end = cg_dae_on_spline(sewing.dae, sewing.thread, CG_BSPLINE_FIRST, 0);
        cg_dae_push(sewing.dae, &end, v3(0, 0, -0.05));
        is_good = draw(&sewing, 0, -0.08, report); // 140 mm below the sheet
    }
    double before = is_good ? way_of(&sewing) : 0;
    is_good = is_good && draw(&sewing, -0.08, 0.02, report);
    if (is_good) {
        double u = cg_dae_places(sewing.dae)[cg_dae_first_unknown(sewing.dae, sewing.abscissa)];
        double below = pull_at(&sewing, floor(u) - 0.5), above = pull_at(&sewing, floor(u) + 1.5);
        cg_report_check(report, 100, 1e3 * fabs(way_of(&sewing) - before), 0.001, "mm",
                        "drawn through by 100 mm, the abscissa goes");
        cg_report_check(report, 1, above / below, 0.02, "1", "pull above the hole over that below");
        cg_report_check(report, 0.05, below, 0.02, "N", "pull below the hole, of a load of 0.05 N");
        double stood = way_of(&sewing), fastest = 0;
        for (int n = 0; n < 10000 && is_good; n++) {
            is_good = cg_dae_rig_steps(sewing.dae, 1, report);
            fastest = fmax(fastest, fastest_node(&sewing));
        }
        cg_report_check(report, 0, 1e3 * fastest, 0.1, "mm/s", "fastest node of the sheet in the next 10 s");
        cg_report_check(report, 0, 1e3 * fabs(way_of(&sewing) - stood), 0.001, "mm", "way of the hole in these 10 s");
    }
    cg_dae_destroy(sewing.dae);
}

static void run(cg_report *report)
{
    run_piercing(report);
    run_drawing(report);
}
