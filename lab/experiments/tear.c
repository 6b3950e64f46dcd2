// A thread that tears the tissue it goes through.
//
// First as Shi's trainer shows it (VTE figures 3.10 and 3.17-3.20): the force that the pierced place bears rises to the
// threshold of 40 N, steps down when the tissue tears and rises again, for bites into the lip of a wound and bites
// through the whole, torn across the lip and along the wound. The thread does not break, and its ends are held outside.
// That in a pad, and in its surface alone, the skin of that trainer.
// Then with the strengths of tissues: a bite of 5 mm through skin and through bowel, drawn over the edge until it is
// out.
#include <math.h>
#include <string.h>

#include "experiments/tear_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_tear = {
    .name = "tear",
    .summary =
        "a thread that is drawn too hard tears its bite: the force rises to the threshold, steps down, rises again",
    .source =
        "Shi 2008, figures 3.10, 3.17-3.20; tear-out of skin 3.3-4.1 N (Potter 2025), bowel 4.6 +- 1.4 N (Gong 2023)",
    .run = run,
};

static const double THRESHOLD = 40; // [N]
static const double DROP_TIME = 0.02;
enum { MOST_STEPS = 1500 };

// What a trace of the force shows.
typedef struct trace {
    double peak;  // [N] when the first tear began
    double least; // [N] within 20 ms of that
    double again; // [N] largest after that
    bool is_through;
    int begun;
} trace;

static trace draw(cg_tear_rig *rig, cg_plot *plot, int series)
{
    trace t = {.least = INFINITY};
    int first = -1;
    for (int k = 0; k < MOST_STEPS && !t.is_through && t.begun < 3; k++) {
        cg_tear_rig_step(rig);
        bool begins = rig->is_torn && rig->tear.is_first;
        double force = rig->is_torn ? vec_length(rig->tear.pull) : rig->force;
        first = begins && first < 0 ? k : first;
        t.peak = begins && t.begun == 0 ? force : t.peak;
        t.begun += begins;
        t.is_through = rig->is_torn && rig->tear.is_through;
        if (first >= 0 && k - first <= (int)(DROP_TIME * 1e3)) {
            t.least = fmin(t.least, rig->force);
        } else if (first >= 0) {
            t.again = fmax(t.again, force);
        }
        if (plot != NULL) {
            cg_plot_add_point(plot, series, 1e-3 * k, force);
        }
    }
    return t;
}

// --- the four cases ---

typedef struct tear_case {
    const char *name;
    bool is_through, is_across; // the bite goes through the pad, not into the lip; it is drawn over the lip
    double bite;                // [m]
} tear_case;

static cg_tear_setup setup_of(const tear_case *c, bool is_skin)
{
    static const double lip = -2e-3, thickness = 4e-3, deep = -2.5e-3;
    cg_tissue_def pad = cg_tissue_def_default();
    pad.size = vec(44e-3, 32e-3, 0);
    pad.layers[0].thickness = thickness;
    pad.layers[0].material.young = 10e6; // bears the force of the threshold without folding
    pad.wound = CG_WOUND_ELLIPSE;
    pad.wound_length = 28e-3;
    pad.wound_width = -2 * lip;
    pad.wound_depth = thickness;
    pad.fix_rim = true;
    pad.fix_bottom = false;
    pad.max_nodes = 8000;
    pad.tear_force = THRESHOLD;
    if (is_skin) { // the surface alone: softer, and torn by steps of an edge
        pad.model = CG_TISSUE_SKIN;
        pad.layers[0].material.young = 20e6;
        pad.spacing = 1.2e-3;
    }
    double y = lip - c->bite;
    cg_vec3 low = c->is_through ? vec(0.1e-3, y, -thickness) : vec(0.1e-3, lip, deep);
    // The ends leave steeply enough to pass the other lip; below, they are drawn down.
    cg_vec3 up = c->is_across ? vec(0, 0.8, 0.6) : vec(0.8, 0, 0.6), down = vec(up.x, up.y, -up.z);
    return (cg_tear_setup){.tissue = pad,
                           .held = -INFINITY,
                           .holes = {vec(0.1e-3, y, 0), low},
                           .ways = {up, c->is_through ? down : up},
                           .tail = 25e-3,
                           .radius = 0.25e-3,
                           .speed = 50e-3};
}

static void tear_case_of(cg_report *report, const tear_case *c, int series, bool is_skin)
{
    static const cg_hue hues[4] = {CG_BLUE, CG_VERMILION, CG_GREEN, CG_INK};
    const char *what = is_skin ? "skin, " : "";
    cg_plot *plot = &report->plots[is_skin];
    cg_tear_setup setup = setup_of(c, is_skin);
    cg_tear_rig rig;
    if (!cg_tear_rig_make(&rig, &setup, report)) {
        return;
    }
    cg_plot_add_series(plot, CG_SERIES_LINE, hues[series], c->name);
    double mass = cg_tissue_get_summary(rig.world, rig.tissue).mass;
    trace t = draw(&rig, plot, series);
    cg_tissue_summary after = cg_tissue_get_summary(rig.world, rig.tissue);
    cg_report_add(
        report,
        (cg_quantity){
            .published = THRESHOLD, .expected = THRESHOLD, .measured = t.peak, .tolerance = 0.05, .unit = "N"},
        "%s%s: force at which it tears", what, c->name);
    cg_report_check(report, 0, t.least / t.peak, 0.5, "1", "%s%s: least within 20 ms, over that", what, c->name);
    cg_report_check(report, 1, t.again / t.peak, 0.05, "1", "%s%s: largest after that, over the first", what, c->name);
    cg_report_check(report, 1, after.mass / mass, 1e-9, "1", "%s%s: mass, over that before", what, c->name);
    if (!is_skin) {
        cg_report_check(report, 0, after.inverted_cells, 0, "1", "%s: cells turned inside out", c->name);
    }
    cg_tear_rig_free(&rig);
}

// --- tissues ---

// [N] that draws a bite out of a tissue of the catalogue; not a number when it stays.
static double draw_out(cg_report *report, const char *name)
{
    cg_tissue_kind kind;
    cg_tear_rig rig;
    if (!cg_tissue_catalogue_find(name, &kind, NULL, 0)) {
        cg_report_trouble(report, "%s is not in the catalogue", name);
        return NAN;
    }
    cg_tissue_layer layer = {kind.thickness.value, cg_tissue_kind_material(&kind)};
    cg_tear_setup setup = cg_tear_setup_sheet(&layer, 5e-3, 1.5e-3);
    if (!cg_tear_rig_make(&rig, &setup, report)) {
        return NAN;
    }
    trace t = draw(&rig, NULL, 0);
    double most = fmax(t.peak, t.again);
    cg_tear_rig_free(&rig);
    return t.begun > 0 ? most : NAN;
}

static void run(cg_report *report)
{
    static const tear_case cases[4] = {{"into, along the wound", false, false, 5e-3},
                                       {"into, across the lip", false, true, 5e-3},
                                       {"through, across the lip", true, true, 6e-3},
                                       {"through, along the wound", true, false, 5e-3}};
    static const char *const titles[2] = {"A bite that tears", "A bite that tears in a skin"};
    for (int is_skin = 0; is_skin < 2; is_skin++) {
        int number = cg_report_add_plot(report, titles[is_skin], "time [s]", "force on the bite [N]");
        report->plots[number].from_zero = true;
        for (int k = 0; k < 4; k++) {
            tear_case_of(report, &cases[k], k, is_skin == 1);
        }
    }
    double skin = draw_out(report, "skin"), bowel = draw_out(report, "bowel");
    cg_report_add(
        report, (cg_quantity){.published = 3.7, .expected = 3.7, .measured = skin, .tolerance = 0.4 / 3.7, .unit = "N"},
        "skin of 2 mm, a bite of 5 mm: force that tears it out");
    cg_report_add(
        report,
        (cg_quantity){.published = 4.62, .expected = 4.62, .measured = bowel, .tolerance = 1.4 / 4.62, .unit = "N"},
        "bowel of 3 mm, a bite of 5 mm: force that tears it out");
}
