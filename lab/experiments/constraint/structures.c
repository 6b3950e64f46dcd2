// The structures of SGPhysics's figure 5.1 (pendulum, closed loop, suspended thread, suspended sheet) against what is
// known of them, and how Newton's method converges with and without a stitch (figures 5.3 and 5.4).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "experiments/constraint/dae_rig.h"
#include "experiments/rig.h"
#include "support/statistics.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_structures = {
    .name = "structures",
    .summary = "pendulum, closed loop, hung thread and hung sheet of the constraint solver; how it converges",
    .source =
        "elliptic integrals; the Kirchhoff thread and the tissue solver of this program; SGPhysics figures 5.1-5.4",
    .run = run,
};

#define PI 3.14159265358979323846
static const double g = 9.81;

// --- the pendulum ---

// Twice the time from release at 90 degrees to the first rest.
static double swing(double h, cg_report *report)
{
    cg_dae_def def = cg_dae_def_default();
    def.time_step = h;
    cg_dae *dae = cg_dae_rig_open(&def, report);
    double before = -1, time = 0;
    bool is_good = dae && cg_dae_rig_chain(dae, 1, 0.1, 3, report);
    cg_part tip = is_good ? cg_dae_point(dae, 0, v3(0.05, 0, 0)) : cg_dae_given(v3_zero());
    for (int n = 1; is_good && time == 0 && n < 100000; n++) {
        is_good = cg_dae_rig_steps(dae, 1, report);
        double rise = cg_dae_part_speed(dae, &tip).z;
        time = before > 0 && rise <= 0 ? h * (n - 1 + before / (before - rise)) : 0;
        before = rise;
    }
    cg_dae_destroy(dae);
    return 2 * time;
}

static void run_pendulum(cg_report *report)
{
    cg_dae_rigid_def box = cg_dae_rigid_def_box(v3(0.1, 0.02, 0.02), 1000);
    double small = 2 * PI * sqrt((box.inertia.y + box.mass * 0.0025) / (box.mass * g * 0.05));
    double coarse = swing(1e-3, report), fine = swing(5e-4, report), finest = swing(2.5e-4, report);
    cg_report_check(report, 1.18034060, (2 * finest - fine) / small, 0.001, "1",
                    "pendulum from 90 degrees: period over that of small swings, step to 0");
    cg_report_check(report, 1, log2((coarse - fine) / (fine - finest)), 0.1, "1", "pendulum: order in the step");
}

// --- the closed loop ---

static void run_loop(cg_report *report)
{
    cg_dae_def def = cg_dae_def_default();
    def.residual = 1e-14;  // [N s]: 1e-11 N
    def.violation = 1e-15; // [m]: 1e-9 m/s2
    cg_dae *dae = cg_dae_rig_open(&def, report);
    int hinge;
    bool is_good = dae && cg_dae_rig_loop(dae, 10, &hinge, report);
    if (is_good) {
        cg_dae_velocities(dae)[7] = 0.5; // the right bar is pushed
        cg_dae_project(dae);
        is_good = cg_dae_rig_steps(dae, 6000, report);
    }
    if (is_good) {
        double before[28], force[3], weight = 4 * 0.1 * 0.01 * 0.02 * 1000 * g, drift = 0;
        memcpy(before, cg_dae_places(dae), sizeof before);
        cg_dae_force(dae, hinge, force);
        cg_report_check(report, 3, cg_dae_get_stats(dae).redundant_rows, 0, "1", "closed loop of four: redundant rows");
        cg_report_check(report, 0, hypot(fabs(force[2]) - weight, hypot(force[0], force[1])), 1e-9, "N",
                        "closed loop: reaction less weight");
        cg_dae_rig_steps(dae, 60000, report);
        for (int i = 0; i < 28; i++) {
            drift = fmax(drift, fabs(cg_dae_places(dae)[i] - before[i]));
        }
        cg_report_check(report, 0, drift, 1e-9, "m", "closed loop: drift in 60 s");
    }
    cg_dae_destroy(dae);
}

// --- the hung thread ---

enum { VERTICES = 201, PLACES = 41 };
static const double span = 0.5; // of the length, between the pegs

static bool hang_kirchhoff(cg_vec3 *places, cg_rod *rod, cg_report *report)
{
    *rod = cg_rod_default();
    cg_vec3 positions[VERTICES];
    double depth = sqrt(1 - span * span) / 2;
    for (int i = 0; i < VERTICES; i++) {
        double s = (double)i / (VERTICES - 1);
        positions[i] = v3(rod->length * span * s, 0, -rod->length * depth * (1 - fabs(2 * s - 1)));
    }
    rod->vertex_count = VERTICES;
    rod->positions = positions;
    rod->start = rod->finish = CG_END_PINNED;
    rod->gravity = v3(0, 0, -g);
    rod->sluggishness = 1e3;
    cg_rig rig;
    bool is_good = cg_rig_open(&rig, rod, report) && cg_rig_settle(&rig, 1e-9, 6000);
    for (int k = 0; is_good && k < PLACES; k++) {
        places[k] = cg_rig_points(&rig)[k * (VERTICES - 1) / (PLACES - 1)];
    }
    cg_rig_close(&rig);
    rod->positions = NULL;
    return is_good;
}

// The spline with the same stiffness, weight and length.
static cg_spline_def spline_of(const cg_rod *rod)
{
    cg_spline_def def = cg_spline_def_default();
    double area = PI * def.radius * def.radius;
    def.length = rod->length;
    def.density = rod->linear_density / area;
    def.bend_share = rod->bend / (def.young * area * def.radius * def.radius / 4);
    def.mass_damping = 40;
    return def;
}

// Control points along the arc of this length over the span: pushed together from a straight line, a thread may stay on
// the line, which is an equilibrium too, and backward Euler with steps longer than the buckling takes does not leave
// it.
static void lay_arc(cg_vec3 *controls, int count, double length)
{
    double half = 1.8954942670339809; // sin(half) / half = span
    double radius = length / (2 * half), middle = 0.5 * span * length;
    for (int i = 0; i < count; i++) {
        double angle = half * (2.0 * (i - 1) / cg_bspline_spans(count) - 1);
        controls[i] = v3(middle + radius * sin(angle), 0, radius * (cos(half) - cos(angle)));
    }
}

static bool hang_spline(const cg_rod *rod, cg_vec3 *places, cg_report *report)
{
    enum { CONTROLS = 20 };
    cg_dae_def def = cg_dae_def_default();
    def.time_step = 5e-3;
    cg_dae *dae = cg_dae_rig_open(&def, report);
    cg_spline_def spline = spline_of(rod);
    cg_vec3 controls[CONTROLS];
    lay_arc(controls, CONTROLS, rod->length);
    spline.controls = controls;
    int thread, hold;
    bool is_good = dae && cg_dae_rig_good(cg_dae_add_spline(dae, &spline, &thread), report);
    for (int k = 0; is_good && k < 2; k++) {
        cg_part end = cg_dae_on_spline(dae, thread, k == 0 ? CG_BSPLINE_FIRST : cg_bspline_last(CONTROLS), 0);
        cg_rows rows = {CG_ROW_MEET, {end, cg_dae_given(v3(k == 0 ? 0 : span * rod->length, 0, 0))}, 0};
        is_good = cg_dae_rig_good(cg_dae_add_rows(dae, &rows, 3, &hold), report);
    }
    is_good = is_good && cg_dae_rig_good(cg_dae_prepare(dae), report) && cg_dae_project(dae) &&
              cg_dae_rig_steps(dae, 2000, report);
    for (int k = 0; is_good && k < PLACES; k++) {
        double u = CG_BSPLINE_FIRST + cg_bspline_spans(CONTROLS) * (double)k / (PLACES - 1);
        cg_part part = cg_dae_on_spline(dae, thread, u, 0);
        places[k] = cg_dae_part_place(dae, &part);
    }
    cg_dae_destroy(dae);
    return is_good;
}

static void run_thread(cg_report *report)
{
    cg_vec3 kirchhoff[PLACES], spline[PLACES];
    cg_rod rod;
    if (!hang_kirchhoff(kirchhoff, &rod, report) || !hang_spline(&rod, spline, report)) {
        return;
    }
    int number = cg_report_add_plot(report, "A thread hung by its ends", "x / L", "z / L");
    cg_plot *plot = &report->plots[number];
    plot->same_scale = true;
    int line = cg_plot_add_series(plot, CG_SERIES_LINE, CG_INK, "Kirchhoff thread, 201 vertices");
    int points = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_BLUE, "spline, 20 control points");
    double apart = 0;
    for (int k = 0; k < PLACES; k++) {
        apart = fmax(apart, v3_distance(kirchhoff[k], spline[k]) / rod.length);
        cg_plot_add_point(plot, line, kirchhoff[k].x / rod.length, kirchhoff[k].z / rod.length);
        cg_plot_add_point(plot, points, spline[k].x / rod.length, spline[k].z / rod.length);
    }
    cg_report_check(report, 0, apart, 0.01, "L", "hung thread: farthest from the Kirchhoff thread");
}

// --- the hung sheet ---

enum { SIDE_NODES = 12, SHEET_NODES = SIDE_NODES * SIDE_NODES };
static const double side = 0.055;

static void fix_corners(cg_tissue *tissue)
{
    static const int corners[4] = {0, SIDE_NODES - 1, SHEET_NODES - SIDE_NODES, SHEET_NODES - 1};
    for (int k = 0; k < 4; k++) {
        cg_tissue_fix_node(tissue, corners[k], true);
    }
}

static void run_sheet(cg_report *report)
{
    cg_allocator allocator = cg_memory_default();
    cg_tissue_def sheet = cg_dae_rig_sheet_def(SIDE_NODES, side, false);
    sheet.most_stretch = 100;
    sheet.drag = 20;
    sheet.iterations = 200;
    cg_tissue *tissue = NULL;
    cg_dae_def def = cg_dae_def_default();
    def.time_step = 5e-3;
    cg_dae *dae = cg_dae_rig_open(&def, report);
    int body;
    if (dae && cg_dae_rig_good(cg_tissue_create(&sheet, &allocator, &tissue), report)) {
        fix_corners(tissue);
        bool is_good = cg_dae_rig_good(cg_dae_add_sheet(dae, tissue->mesh, 20, sheet.damping, &body), report) &&
                       cg_dae_rig_good(cg_dae_prepare(dae), report) && cg_dae_rig_steps(dae, 1000, report);
        for (int n = 0; n < 4000 && !tissue->asleep; n++) {
            cg_tissue_step(tissue, 2e-3, def.gravity);
        }
        double apart = 0, sag = 0;
        for (int i = 0; is_good && i < SHEET_NODES; i++) {
            const double *x = cg_dae_places(dae) + 3 * i;
            apart = fmax(apart, v3_distance(v3(x[0], x[1], x[2]), tissue->mesh->position[i]));
            sag = fmax(sag, -x[2]);
        }
        cg_report_check(report, 0, is_good ? apart / side : NAN, 0.01, "side",
                        "hung sheet: farthest from the tissue solver");
        cg_report_check(report, sag / side, -tissue->mesh->position[SHEET_NODES / 2 + SIDE_NODES / 2].z / side, 0.05,
                        "side", "hung sheet: sag of both");
    }
    cg_tissue_destroy(tissue);
    cg_dae_destroy(dae);
}

// --- convergence ---

enum { STEPS = 100 };

// From the last three residuals above rounding, log(r3/r2) / log(r2/r1); 0 where there are none that fall.
static double order_of(const cg_dae_stats *stats)
{
    int last = stats->history - 1;
    while (last >= 2 && stats->residual[last] < 1e-14) {
        last--;
    }
    const double *r = stats->residual + last - 2;
    bool falls = last >= 2 && r[1] < 0.1 * r[0] && r[2] < 0.1 * r[1];
    return falls ? log(r[2] / r[1]) / log(r[1] / r[0]) : 0;
}

// Newton's iterations in 100 steps: residual (5.1) and violation (5.2), plotted for the step that had most of them.
static void run_convergence(cg_report *report, bool has_stitch, int plot_number)
{
    cg_dae_def def = cg_dae_def_default();
    def.residual = 1e-15;
    def.time_step = 5e-3;
    cg_dae_rig_sewing sewing;
    double orders[STEPS];
    int count = 0;
    cg_dae_stats shown = {0};
    bool is_good = cg_dae_rig_sew(&sewing, &def, 20, 12, has_stitch, report);
    for (int n = 1; is_good && n <= STEPS; n++) {
        cg_dae_rig_draw(&sewing, n * def.time_step);
        is_good = cg_dae_rig_steps(sewing.dae, 1, report);
        cg_dae_stats stats = cg_dae_get_stats(sewing.dae);
        double order = order_of(&stats);
        if (order > 0) {
            orders[count++] = order;
        }
        shown = stats.history > shown.history ? stats : shown;
    }
    cg_sort_numbers(orders, count);
    cg_plot *plot = &report->plots[plot_number];
    int series[2] = {cg_plot_add_series(plot, CG_SERIES_LINE, has_stitch ? CG_VERMILION : CG_BLUE,
                                        has_stitch ? "residual [N s], a stitch" : "residual [N s], no stitch"),
                     cg_plot_add_series(plot, CG_SERIES_DASHES, has_stitch ? CG_VERMILION : CG_BLUE,
                                        has_stitch ? "violation [m], a stitch" : "violation [m], no stitch")};
    for (int k = 0; k < shown.history; k++) {
        cg_plot_add_point(plot, series[0], k, fmax(shown.residual[k], 1e-18));
        cg_plot_add_point(plot, series[1], k, fmax(shown.violation[k], 1e-18));
    }
    cg_report_check(report, 2, cg_sorted_quantile(orders, count, 0.5), 0.25, "1", "%s",
                    has_stitch ? "order of convergence near the end, a stitch" : "the same, no stitch");
    cg_dae_destroy(sewing.dae);
}

static void run(cg_report *report)
{
    run_pendulum(report);
    run_loop(report);
    run_thread(report);
    run_sheet(report);
    int number = cg_report_add_plot(report, "Newton's method in a step of 5 ms", "iteration", "residual, violation");
    snprintf(report->plots[number].name, sizeof report->plots[number].name, "convergence");
    report->plots[number].log_y = true;
    run_convergence(report, true, number);
    run_convergence(report, false, number);
}
