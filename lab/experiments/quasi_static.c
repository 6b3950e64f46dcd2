// The quasi-static solver on the boxes of Stanford: n x n x n nodes, linked along the axes and by both diagonals of
// each face, all links alike. The bottom is fixed, the middle of the top goes up by one spacing a cycle, and each cycle
// is given k sweeps. Errors are distances from the equilibrium, which is found by another way to move (the implicit one
// with an endless step, until it sleeps).
//
// Published: with 10 sweeps the largest error stays at about a tenth of the displacement for all sizes, the mean at
// about half of that; with the cutout errors do not fall to zero, but sweeps become far cheaper. Sweeps in a thirtieth
// of a second are those of a 450 MHz machine of 2001; ours are of the machine this runs on, so only the long version
// holds a number against them.
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "bench/bench.h"
#include "experiments/experiment.h"
#include "tissue/make.h"
#include "tissue/tissue.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_quasi_static = {
    .name = "quasi_static",
    .summary = "sweeps towards equilibrium: errors by size and number, with and without cutout",
    .source = "Brown et al. 2001: table 1 and figure 3",
    .run = run,
};

static const double SPACING = 1e-3; // [m]
// A level that moves less than this share of a spacing ends a sweep.
static const double CUTOUT = 1e-3;
enum { SIZE_COUNT = 7, SWEEP_COUNT = 5, CYCLES = 5 };
static const int sizes[SIZE_COUNT] = {3, 4, 6, 8, 10, 15, 20};
static const int sweeps[SWEEP_COUNT] = {5, 10, 20, 50, 100};
// Sweeps in a thirtieth of a second by table 1; 0: not printed.
static const double published_plain[SIZE_COUNT] = {0, 0, 24, 9.5, 4.6, 1.2, 0.4};
static const double published_cutout[SIZE_COUNT] = {0, 0, 24, 13, 8, 7, 6};

static cg_tissue *make_box(int side, cg_tissue_solver solver, int iterations, double cutout)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_BOX;
    def.spacing = SPACING;
    def.size = v3_scale(SPACING * (side - 1), v3(1, 1, 1));
    def.solver = solver;
    def.iterations = iterations;
    def.damping = def.drag = 0;
    cg_allocator allocator = cg_memory_default();
    cg_mesh *mesh;
    cg_tissue *tissue;
    if (cg_make_mesh(&def, &allocator, &mesh).code != CG_OK) {
        return NULL;
    }
    for (int k = 0; k < mesh->link_count; k++) {
        mesh->links[k].stiffness = 100;
    }
    if (cg_tissue_adopt(mesh, &def, &allocator, &tissue).code != CG_OK) {
        return NULL;
    }
    tissue->cutout = cutout * SPACING;
    tissue->springs.cell_count = 0; // links alone, as published
    return tissue;
}

static int middle_of_top(const cg_mesh *mesh)
{
    int best = 0;
    for (int i = 1; i < mesh->node_count; i++) {
        best = v3_length(mesh->home[i]) < v3_length(mesh->home[best]) ? i : best;
    }
    return best;
}

static void lift(cg_tissue *tissue, int node, int cycle)
{
    if (cycle == 1) {
        cg_tissue_fix_node(tissue, node, true);
    }
    cg_tissue_aim_node(tissue, node, v3_add(tissue->mesh->home[node], v3(0, 0, cycle * SPACING)));
}

static bool find_equilibrium(cg_report *report, cg_tissue *tissue, int node, int cycle)
{
    lift(tissue, node, cycle);
    for (int step = 0; step < 1000; step++) {
        cg_tissue_step(tissue, 1e4, v3_zero());
        if (tissue->asleep) {
            return true;
        }
    }
    cg_report_trouble(report, "no equilibrium of a box with %d nodes", tissue->mesh->node_count);
    return false;
}

typedef struct errors {
    double most, mean; // in spacings
} errors;

static errors measure(const cg_tissue *tissue, const cg_tissue *equilibrium)
{
    errors e = {0, 0};
    int count = tissue->mesh->node_count;
    for (int i = 0; i < count; i++) {
        double away = v3_distance(tissue->mesh->position[i], equilibrium->mesh->position[i]) / SPACING;
        e.most = fmax(e.most, away);
        e.mean += away / count;
    }
    return e;
}

// Errors after one cycle for all numbers of sweeps, and the sweeps in a thirtieth of a second.
static bool run_sweeps(cg_report *report, int side, double cutout, errors found[SWEEP_COUNT], double *rate)
{
    cg_tissue *equilibrium = make_box(side, CG_TISSUE_IMPLICIT, 300, 0);
    bool good = equilibrium != NULL;
    int node = good ? middle_of_top(equilibrium->mesh) : 0;
    good = good && find_equilibrium(report, equilibrium, node, 1);
    for (int k = 0; good && k < SWEEP_COUNT; k++) {
        cg_tissue *box = make_box(side, CG_TISSUE_QUASI_STATIC, sweeps[k], cutout);
        good = box != NULL;
        if (good) {
            lift(box, node, 1);
            double start = cg_thread_cpu_seconds();
            cg_tissue_step(box, 1.0 / 30, v3_zero());
            *rate = sweeps[k] / (cg_thread_cpu_seconds() - start) / 30;
            found[k] = measure(box, equilibrium);
            cg_tissue_destroy(box);
        }
    }
    cg_tissue_destroy(equilibrium);
    if (!good) {
        cg_report_trouble(report, "no memory");
    }
    return good;
}

// Five cycles with ten sweeps each: figure 3a.
static bool run_cycles(cg_report *report, int side, errors *last)
{
    cg_tissue *equilibrium = make_box(side, CG_TISSUE_IMPLICIT, 300, 0);
    cg_tissue *box = make_box(side, CG_TISSUE_QUASI_STATIC, 10, 0);
    bool good = equilibrium != NULL && box != NULL;
    int node = good ? middle_of_top(box->mesh) : 0;
    *last = (errors){0, 0};
    for (int cycle = 1; good && cycle <= CYCLES; cycle++) {
        good = find_equilibrium(report, equilibrium, node, cycle);
        lift(box, node, cycle);
        cg_tissue_step(box, 1.0 / 30, v3_zero());
        errors e = measure(box, equilibrium);
        last->most = fmax(last->most, e.most / cycle);
        last->mean = fmax(last->mean, e.mean / cycle);
    }
    cg_tissue_destroy(equilibrium);
    cg_tissue_destroy(box);
    return good;
}

static void plot_cycles(cg_report *report, int last_size)
{
    int number =
        cg_report_add_plot(report, "Ten sweeps a cycle: errors by size", "nodes along a side", "error [displacements]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->name, sizeof plot->name, "sizes");
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "worst of five cycles; published (figure 3a): at most about a tenth, the mean about half of it");
    plot->from_zero = true;
    int most = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "largest");
    int mean = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "mean");
    int published = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "published: largest");
    cg_plot_add_point(plot, published, 3, 0.1);
    cg_plot_add_point(plot, published, 20, 0.1);
    for (int k = 0; k < last_size; k++) {
        errors worst;
        if (!run_cycles(report, sizes[k], &worst)) {
            return;
        }
        cg_plot_add_point(plot, most, sizes[k], worst.most);
        cg_plot_add_point(plot, mean, sizes[k], worst.mean);
        cg_report_add(
            report,
            (cg_quantity){.published = 0.1, .expected = 0, .measured = worst.most, .tolerance = 0.12, .unit = "displ."},
            "largest error, 5 cycles of 10 sweeps, %d^3", sizes[k]);
    }
}

static void add_errors(cg_report *report, int side, const errors plain[], const errors cut[])
{
    for (int k = 0; k < SWEEP_COUNT; k++) {
        // Figure 3b is read by eye: at most a tenth at 5 sweeps, less with more of them.
        cg_report_check(report, 0, plain[k].most, 0.1, "spacings", "largest error after %d sweeps, %d^3", sweeps[k],
                        side);
        cg_report_check(report, 0, cut[k].most, 0.1, "spacings", "largest error after %d sweeps with cutout, %d^3",
                        sweeps[k], side);
    }
    cg_report_check(report, 1, plain[SWEEP_COUNT - 1].most < 0.25 * plain[0].most && cut[SWEEP_COUNT - 1].most > 0, 0,
                    "1", "errors fall with sweeps, not to 0 with cutout, %d^3", side);
}

static void plot_errors(cg_report *report, int number, int side, const errors plain[], const errors cut[], cg_hue hue)
{
    cg_plot *plot = &report->plots[number];
    char label[48];
    snprintf(label, sizeof label, "%d^3", side);
    int line = cg_plot_add_series(plot, CG_SERIES_LINE, hue, label);
    snprintf(label, sizeof label, "%d^3 with cutout", side);
    int dashes = cg_plot_add_series(plot, CG_SERIES_DASHES, hue, label);
    for (int k = 0; k < SWEEP_COUNT; k++) {
        cg_plot_add_point(plot, line, sweeps[k], plain[k].most);
        cg_plot_add_point(plot, dashes, sweeps[k], cut[k].most);
    }
}

// From 30 to 5970 pass: "at least 30", and nothing absurd.
static void add_rate(cg_report *report, const char *how, double published, double rate)
{
    cg_report_add(
        report,
        (cg_quantity){.published = published, .expected = 3000, .measured = rate, .tolerance = 0.99, .unit = "sweeps"},
        "in 1/30 s of one core %s, 20^3 (30 or more)", how);
}

static void run(cg_report *report)
{
    int last_size = report->thorough ? SIZE_COUNT : SIZE_COUNT - 2; // the largest boxes take a second each
    plot_cycles(report, last_size);
    int shown = cg_report_add_plot(report, "Errors by sweeps, with and without cutout", "sweeps after one displacement",
                                   "largest error [spacings]");
    snprintf(report->plots[shown].name, sizeof report->plots[shown].name, "sweeps");
    report->plots[shown].from_zero = true;
    int speed = cg_report_add_plot(report, "Sweeps in a thirtieth of a second", "nodes", "sweeps");
    snprintf(report->plots[speed].name, sizeof report->plots[speed].name, "speed");
    snprintf(report->plots[speed].subtitle, sizeof report->plots[speed].subtitle,
             "CPU time of one core; rings: published, 450 MHz in 2001");
    report->plots[speed].log_x = report->plots[speed].log_y = true;
    int rows[4] = {cg_plot_add_series(&report->plots[speed], CG_SERIES_POINTS, CG_BLUE, "without cutout"),
                   cg_plot_add_series(&report->plots[speed], CG_SERIES_POINTS, CG_VERMILION, "with cutout"),
                   cg_plot_add_series(&report->plots[speed], CG_SERIES_RINGS, CG_BLUE, "published, without"),
                   cg_plot_add_series(&report->plots[speed], CG_SERIES_RINGS, CG_VERMILION, "published, with")};
    for (int k = 0; k < last_size; k++) {
        errors plain[SWEEP_COUNT], cut[SWEEP_COUNT];
        double nodes = (double)sizes[k] * sizes[k] * sizes[k], plain_rate = 0, cut_rate = 0;
        if (!run_sweeps(report, sizes[k], 0, plain, &plain_rate) ||
            !run_sweeps(report, sizes[k], CUTOUT, cut, &cut_rate)) {
            return;
        }
        cg_plot_add_point(&report->plots[speed], rows[0], nodes, plain_rate);
        cg_plot_add_point(&report->plots[speed], rows[1], nodes, cut_rate);
        cg_plot_add_point(&report->plots[speed], rows[2], nodes, published_plain[k]);
        cg_plot_add_point(&report->plots[speed], rows[3], nodes, published_cutout[k]);
        if (k == 2 || k == last_size - 1) {
            add_errors(report, sizes[k], plain, cut);
            plot_errors(report, shown, sizes[k], plain, cut, k == 2 ? CG_BLUE : CG_VERMILION);
        }
        if (report->thorough && sizes[k] == 20) {
            add_rate(report, "without cutout", published_plain[k], plain_rate);
            add_rate(report, "with cutout", published_cutout[k], cut_rate);
        }
    }
}
