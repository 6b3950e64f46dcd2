// The force that tears a bite out of skin, against its distance from the edge, with meshes of two sizes. How fine the
// mesh is must not matter, and a bite too near the edge must not hold: 1 mm bears less than half of what 6 mm bears.
#include <math.h>

#include "experiments/tear_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_edge_distance = {
    .name = "edge_distance",
    .summary = "the force that tears a bite out of skin against its distance from the edge, at two mesh sizes",
    .source =
        "square root of the distance (Griffith), 3.7 N at 5 mm (Potter 2025); pull-out grows with the bite, by up to "
        "290 % (pubmed 28157595)",
    .run = run,
};

enum { BITES = 7, USUAL = 4, MOST_STEPS = 1500 };                               // the first of them; all with --long
static const double bites[BITES] = {1e-3, 3e-3, 6e-3, 10e-3, 2e-3, 4e-3, 8e-3}; // [m]
static const double spacings[2] = {1e-3, 2e-3};                                 // [m] of the mesh

// [N] the largest force on the bite until it is out; not a number when it stays.
static double draw_out(cg_report *report, const cg_tissue_layer *layer, double bite, double spacing)
{
    cg_tear_setup setup = cg_tear_setup_sheet(layer, bite, spacing);
    cg_tear_rig rig;
    double most = 0;
    bool is_out = false;
    if (!cg_tear_rig_make(&rig, &setup, report)) {
        return NAN;
    }
    for (int k = 0; k < MOST_STEPS && !is_out; k++) {
        cg_tear_rig_step(&rig);
        most = fmax(most, rig.is_torn && rig.tear.is_first ? vec_length(rig.tear.pull) : rig.force);
        is_out = rig.is_torn && rig.tear.is_through;
    }
    cg_tear_rig_free(&rig);
    return is_out ? most : NAN;
}

static void run(cg_report *report)
{
    cg_tissue_kind kind;
    double forces[2][BITES];
    if (!cg_tissue_catalogue_find("skin", &kind, NULL, 0)) {
        cg_report_trouble(report, "skin is not in the catalogue");
        return;
    }
    cg_tissue_layer layer = {kind.thickness.value, cg_tissue_kind_material(&kind)};
    int number = cg_report_add_plot(report, "A bite that is drawn out of skin", "distance from the edge [mm]",
                                    "largest force [N]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "mesh of 1 mm");
    cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "mesh of 2 mm");
    cg_plot_add_series(plot, CG_SERIES_RINGS, CG_BLUE, "law");
    for (int b = 0; b < (report->thorough ? BITES : USUAL); b++) {
        double law = layer.material.tear_resistance * layer.thickness * sqrt(bites[b] / 5e-3);
        for (int s = 0; s < 2; s++) {
            forces[s][b] = draw_out(report, &layer, bites[b], spacings[s]);
            cg_plot_add_point(plot, s, 1e3 * bites[b], forces[s][b]);
        }
        cg_plot_add_point(plot, 2, 1e3 * bites[b], law);
        cg_report_check(report, law, forces[0][b], 0.1, "N", "%g mm from the edge, mesh of 1 mm: largest force",
                        1e3 * bites[b]);
        cg_report_check(report, 1, forces[1][b] / forces[0][b], 0.2, "1", "%g mm from the edge: mesh of 2 mm over 1 mm",
                        1e3 * bites[b]);
    }
    cg_report_check(report, 0, forces[0][0] / forces[0][2], 0.5, "1", "1 mm over 6 mm");
}
