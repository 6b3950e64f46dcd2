// A blade through skin: how wide the cut opens, whether the speed of the blade matters, what it costs, and two objects.
//
// A cut of the length L right through a wide sheet under the stress s is an elliptical crack: it opens by 2 L s / E in
// its middle (plane stress). The pad is held at its rim, neither wide nor thin, so the same wound made with the mesh
// stands beside it. A blade that lays open the area A against the toughness J does the work J A, at any speed.
#include <math.h>
#include <stdio.h>

#include "experiments/tissue_rig.h"
#include "tool/blade.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_cut = {
    .name = "cut",
    .summary = "a blade cuts skin: opening, speed, force, two objects",
    .source = "an elliptical crack: opening 2 L s / E in its middle; work of fracture",
    .run = run,
};

static const double LENGTH = 20e-3; // [m] of the cut
static const double STEP = 1e-3;

static void add(cg_report *report, const char *name, const char *unit, double expected, double measured,
                double tolerance)
{
    cg_quantity quantity = {
        .published = CG_UNPUBLISHED, .expected = expected, .measured = measured, .tolerance = tolerance, .unit = unit};
    cg_report_add(report, quantity, "%s", name);
}

// Draws an upright blade, with its tip at the depth z, from one x to another. Returns the work that it did.
static double draw_blade(cg_tissue *tissue, cg_blade *blade, cg_vec3 from, double to, double speed)
{
    int steps = (int)ceil((to - from.x) / (speed * STEP));
    double each = (to - from.x) / steps, work = 0;
    cg_edge edge = {from, v3(from.x, from.y, 8e-3)};
    cg_blade_begin(blade);
    for (int i = 0; i < steps; i++) {
        cg_edge after = {v3(edge.tip.x + each, from.y, from.z), v3(edge.heel.x + each, from.y, 8e-3)};
        cg_tissue_step(tissue, STEP, v3_zero());
        cg_blade_sweep(blade, tissue, edge, after, STEP);
        work -= blade->force.x * each;
        edge = after;
    }
    cg_blade_end(blade, tissue);
    return work;
}

// [m] how wide a cut is at rest: of a blade, or made with the mesh.
static double open_cut(cg_report *report, double tension, double spacing, bool by_blade)
{
    cg_tissue_def def = cg_block_def(50e-3, 50e-3, 2 * spacing, spacing);
    def.tension = tension;
    def.fix_rim = true;
    def.max_nodes = 20000;
    if (!by_blade) {
        def.wound = CG_WOUND_STRAIGHT;
        def.wound_length = LENGTH;
        def.wound_depth = 2 * spacing;
    }
    cg_tissue *pad = cg_rig_make_tissue(&def, report);
    double gap = NAN;
    if (pad != NULL) {
        cg_blade blade;
        if (by_blade) {
            // past the ends by a little: the tip of a cut is at the last edge that the blade passed
            draw_blade(pad, &blade, v3(-LENGTH / 2 - 0.1e-3, 0.45 * spacing, -0.1), LENGTH / 2 + 0.1e-3, 0.1);
        }
        if (cg_rig_settle_tissue(pad, 5e-3, v3_zero(), 4000, report)) {
            gap = cg_rig_widest_gap(pad);
        }
    }
    cg_tissue_destroy(pad);
    return gap;
}

static void measure_opening(cg_report *report)
{
    int number = cg_report_add_plot(report, "A cut under tension", "pre-strain [%]", "opening in the middle [mm]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "a blade drawn 20 mm through a pad of 50 x 50 mm, held at its rim");
    int line = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_BLUE, "crack in an endless sheet");
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "cut by a blade");
    double spacing = report->thorough ? 1.25e-3 : 2.5e-3, last = 0;
    for (int k = 1; k <= 4; k++) {
        double tension = 0.04 * k, gap = open_cut(report, tension, spacing, true), expected = 2 * LENGTH * tension;
        char name[64];
        cg_plot_add_point(plot, line, 100 * tension, 1e3 * expected);
        cg_plot_add_point(plot, series, 100 * tension, 1e3 * gap);
        snprintf(name, sizeof name, "opening at %g %% pre-strain", 100 * tension);
        add(report, name, "mm", 1e3 * expected, 1e3 * gap, 0.25);
        if (k > 1) {
            snprintf(name, sizeof name, "that over the opening at %g %%", 100 * (tension - 0.04));
            add(report, name, "1", (double)k / (k - 1), gap / last, 0.06);
        }
        if (k == 2) {
            add(report, "the same wound made with the mesh", "mm", 1e3 * open_cut(report, tension, spacing, false),
                1e3 * gap, 0.15);
        }
        last = gap;
    }
}

// The area and the work of a cut at some speeds, against the same strip in one call.
static void measure_speeds(cg_report *report)
{
    const double speeds[] = {0.03, 0.1, 0.3, 1, 3}, depth = 2.6e-3, from = -7e-3, to = 6e-3, y = 0.31e-3;
    cg_tissue_def def = cg_block_def(24e-3, 12e-3, 4e-3, 1e-3);
    def.fix_bottom = true;
    def.max_nodes = 8000;
    def.layers[0].material.young = 1e6;
    def.layers[0].material.toughness = 400;
    cg_tissue *whole = cg_rig_make_tissue(&def, report);
    cg_vec3 path[2] = {{from, y, 1e-3}, {to, y, 1e-3}}, down[2] = {{0, 0, -1e-3 - depth}, {0, 0, -1e-3 - depth}};
    cg_mesh_blade strip = {.path = path, .down = down, .count = 2, .snap = CG_MESH_SNAP};
    cg_mesh_cut_result result = {0};
    if (whole != NULL) {
        cg_tissue_cut_along(whole, &strip, &result);
    }
    cg_tissue_destroy(whole);
    for (int k = 0; k < 5; k++) {
        cg_tissue *pad = cg_rig_make_tissue(&def, report);
        cg_blade blade = {0};
        char name[64];
        if (pad != NULL) {
            double work = draw_blade(pad, &blade, v3(from, y, -depth), to, speeds[k]);
            snprintf(name, sizeof name, "area at %g m/s over that of one call", speeds[k]);
            add(report, name, "1", 1, blade.area / result.area, 0.08);
            if (speeds[k] <= 0.3) { // what it starts with, at rest, is a small part of the way
                snprintf(name, sizeof name, "force at %g m/s", speeds[k]);
                add(report, name, "N", 400 * depth, work / (to - from), 0.15);
            }
        }
        cg_tissue_destroy(pad);
    }
}

static void make_two(cg_report *report)
{
    cg_tissue_def def = cg_block_def(24e-3, 12e-3, 4e-3, 2e-3);
    def.max_nodes = 4000;
    cg_tissue *pad = cg_rig_make_tissue(&def, report);
    if (pad == NULL) {
        return;
    }
    cg_blade blade;
    double mass = cg_mesh_total_mass(pad->mesh), parts[2] = {0}, volume = 0;
    draw_blade(pad, &blade, v3(-16e-3, 0.7e-3, -10e-3), 16e-3, 1);
    add(report, "objects", "1", 2, cg_tissue_find_pieces(pad), 0);
    for (int i = 0; i < pad->mesh->node_count && pad->piece_count == 2; i++) {
        parts[pad->piece[i]] += pad->mesh->mass[i];
    }
    for (int t = 0; t < pad->mesh->triangle_count; t++) {
        const int *n = pad->mesh->triangles[t].nodes;
        volume += v3_dot(pad->mesh->home[n[0]], v3_cross(pad->mesh->home[n[1]], pad->mesh->home[n[2]])) / 6;
    }
    add(report, "mass of both over that of the whole", "1", 1, (parts[0] + parts[1]) / mass, 1e-12);
    add(report, "volume inside both surfaces", "mm3", 24 * 12 * 4, 1e9 * volume, 1e-9);
    cg_tissue_destroy(pad);
}

static void run(cg_report *report)
{
    measure_opening(report);
    measure_speeds(report);
    make_two(report);
}
