// Does a lattice pad have the stiffness that it was asked for? Bars stretched along two directions, blocks sheared, a
// layer indented by a sphere; two meshes each.
//
// Stretch: E = F L / (A dL). The ends are clamped whole, which makes a bar of length 4 widths stiffer by a percent or
// two at Poisson's ratio 1/4. Shear: G = E / (2 (1 + nu)) = 0.4 E; the ends of the block are free, which takes a few
// percent away.
//
// Indentation by a rigid sphere without friction: Hertz with the correction for a layer of thickness h that is bonded
// to its ground (Dimitriadis et al. 2002), x = sqrt(R d) / h,
//     F = 4 E / (3 (1 - nu^2)) sqrt(R d^3) (1 - 2 a/pi x + 4 a^2/pi^2 x^2 - 8/pi^3 (a^3 + 4 pi^2/15 b) x^3
//         + 16 a/pi^4 (a^3 + 3 pi^2/5 b) x^4),
//     a = -(1.2876 - 1.4678 nu + 1.3442 nu^2) / (1 - nu),  b = (0.6387 - 1.0277 nu + 1.5164 nu^2) / (1 - nu).
// The contact radius sqrt(R d) is four spacings wide or more.
#include <math.h>
#include <stdio.h>

#include "experiments/tissue_rig.h"
#include "support/special.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_modulus = {
    .name = "modulus",
    .summary = "a lattice pad stretched, sheared and indented by a sphere",
    .source = "Hooke; Hertz with the thin-layer correction of Dimitriadis et al. 2002",
    .run = run,
};

static const double YOUNG = 100e3, POISSON = 0.25;

// Fixes both ends of a block along an axis and moves the far one.
static void move_ends(cg_tissue *tissue, int axis, double low, double high, cg_vec3 way)
{
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        double at = cg_rig_along(tissue->mesh->home[i], axis);
        bool is_low = fabs(at - low) < 1e-9, is_high = fabs(at - high) < 1e-9;
        if (is_low || is_high) {
            cg_tissue_fix_node(tissue, i, true);
        }
        if (is_high) {
            cg_tissue_aim_node(tissue, i, v3_add(tissue->mesh->home[i], way));
        }
    }
}

// What pulls at the far end must be what the near end holds.
static void add_balance(cg_report *report, const cg_tissue *tissue, int axis, double middle, const char *what)
{
    cg_vec3 high = cg_rig_reaction(tissue, axis, middle), all = cg_rig_reaction(tissue, axis, -INFINITY);
    cg_report_check(report, 0, v3_length(all) / v3_length(high), 1e-9, "1", "forces out of balance, %s", what);
}

static void stretch(cg_report *report, int axis, double spacing)
{
    static const char *const names[3] = {"x", "y", "z"};
    double length = 40e-3, side = 10e-3, longer = 0.02 * length;
    double size[3] = {side, side, side};
    size[axis] = length;
    cg_tissue_def def = cg_block_def(size[0], size[1], size[2], spacing);
    cg_tissue *bar = cg_rig_make_tissue(&def, report);
    if (!bar) {
        return;
    }
    double high = axis == 2 ? 0 : length / 2;
    cg_vec3 way = v3(axis == 0 ? longer : 0, axis == 1 ? longer : 0, axis == 2 ? longer : 0);
    move_ends(bar, axis, high - length, high, way);
    if (cg_rig_settle_tissue(bar, 5e-3, v3_zero(), 4000, report)) {
        double force = -cg_rig_along(cg_rig_reaction(bar, axis, high - length / 2), axis);
        char name[48];
        snprintf(name, sizeof name, "stretch along %s", names[axis]);
        cg_report_check(report, YOUNG, force * length / (side * side * longer), 0.1, "Pa",
                        "Young's modulus, %s, spacing %g mm", name, 1e3 * spacing);
        add_balance(report, bar, axis, high - length / 2, name);
    }
    cg_tissue_destroy(bar);
}

static void shear(cg_report *report, int axis, double spacing)
{
    double side = 24e-3, height = 4e-3, away = 0.02 * height;
    cg_tissue_def def = cg_block_def(side, side, height, spacing);
    cg_tissue *block = cg_rig_make_tissue(&def, report);
    if (!block) {
        return;
    }
    move_ends(block, 2, -height, 0, v3(axis == 0 ? away : 0, axis == 1 ? away : 0, 0));
    if (cg_rig_settle_tissue(block, 5e-3, v3_zero(), 4000, report)) {
        double force = -cg_rig_along(cg_rig_reaction(block, 2, -height / 2), axis);
        cg_report_check(report, YOUNG / (2 * (1 + POISSON)), force * height / (side * side * away), 0.1, "Pa",
                        "shear modulus, along %s, spacing %g mm", axis == 0 ? "x" : "y", 1e3 * spacing);
        add_balance(report, block, 2, -height / 2, axis == 0 ? "shear along x" : "shear along y");
    }
    cg_tissue_destroy(block);
}

static double layer_force(double radius, double depth, double height)
{
    double nu = POISSON, x = sqrt(radius * depth) / height;
    double a = -(1.2876 - 1.4678 * nu + 1.3442 * nu * nu) / (1 - nu);
    double b = (0.6387 - 1.0277 * nu + 1.5164 * nu * nu) / (1 - nu);
    double pi = CG_PI, a3 = a * a * a;
    double correction = 1 - 2 * a / pi * x + 4 * a * a / (pi * pi) * x * x -
                        8 / (pi * pi * pi) * (a3 + 4 * pi * pi / 15 * b) * x * x * x +
                        16 * a / (pi * pi * pi * pi) * (a3 + 3 * pi * pi / 5 * b) * x * x * x * x;
    return 4 * YOUNG / (3 * (1 - nu * nu)) * sqrt(radius * depth * depth * depth) * correction;
}

// A smooth sphere as grips: each node inside it is pushed out along the normal, by a spring so stiff that it sinks in
// by far less than the depth. Returns how many nodes it touches.
enum { MOST_GRIPS = 32 };

typedef struct ball {
    cg_vec3 centre;
    double radius, stiffness; // [N/m] of each node
    cg_tissue_grip grips[MOST_GRIPS];
} ball;

static int touch(ball *b, cg_tissue *tissue)
{
    int touched = 0;
    for (int k = 0; k < MOST_GRIPS; k++) {
        b->grips[k] = (cg_tissue_grip){.slope = b->stiffness, .next = k + 1 < MOST_GRIPS ? &b->grips[k + 1] : NULL};
    }
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        cg_vec3 away = v3_sub(tissue->mesh->position[i], b->centre);
        double inside = b->radius - v3_length(away);
        cg_tissue_grip *grip = &b->grips[touched / CG_TISSUE_MOST_GRIPPED];
        if (inside > 0 && touched < MOST_GRIPS * CG_TISSUE_MOST_GRIPPED) {
            grip->nodes[grip->count] = i;
            grip->places[grip->count] = tissue->mesh->position[i];
            grip->forces[grip->count++] = v3_scale(b->stiffness * inside / v3_length(away), away);
            touched++;
        }
    }
    return touched;
}

static double ball_force(const ball *b, const cg_tissue *tissue)
{
    double sum = 0;
    for (int k = 0; k < MOST_GRIPS; k++) {
        sum -= cg_tissue_grip_force(tissue, &b->grips[k]).z;
    }
    return sum;
}

static double fastest(const cg_tissue *tissue)
{
    double most = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        most = fmax(most, v3_length(tissue->velocity[i]));
    }
    return most;
}

static void indent(cg_report *report, int plot, int series, double depth, double height, double spacing)
{
    double radius = 8e-3, side = 14e-3;
    cg_tissue_def def = cg_block_def(side, side, height, spacing);
    def.fix_bottom = true;
    def.iterations = 20;
    cg_tissue *layer = cg_rig_make_tissue(&def, report);
    if (!layer) {
        return;
    }
    ball b = {.radius = radius, .stiffness = 2000};
    int touched = 0;
    double force = 0;
    // The finer the layer, the longer it creeps: 0.33 mm halves its speed in 310 steps and rests after some 5,700.
    for (int step = 0; step < 8000; step++) {
        double share = step < 20 ? (step + 1) / 20.0 : 1; // it comes down in 20 steps
        b.centre = v3(0, 0, radius - share * depth);
        touched = touch(&b, layer);
        layer->grips = b.grips;
        cg_tissue_step(layer, 5e-3, v3_zero());
        layer->grips = NULL;
        force = ball_force(&b, layer);
        if (share == 1 && fastest(layer) * 5e-3 < 1e-11 * depth) {
            break;
        }
    }
    double expected = layer_force(radius, depth, height), across = sqrt(radius * depth) / spacing;
    cg_vec3 held = cg_rig_reaction(layer, 2, -INFINITY);
    cg_report_check(report, 1e3 * expected, 1e3 * force, 0.2, "mN",
                    "sphere %.2g mm deep in %g mm, %.1f spacings a radius", 1e3 * depth, 1e3 * height, across);
    cg_report_check(report, 0, fabs(held.z + force) / force, 1e-9, "1",
                    "forces out of balance, sphere %.2g mm deep (%d nodes)", 1e3 * depth, touched);
    cg_plot_add_point(&report->plots[plot], series, 1e3 * depth, 1e3 * force);
    cg_tissue_destroy(layer);
}

static void run(cg_report *report)
{
    for (int size = 0; size < 2; size++) {
        double spacing = size == 0 ? 2.5e-3 : 1.25e-3;
        stretch(report, 0, spacing);
        stretch(report, 2, spacing);
        shear(report, 0, size == 0 ? 2e-3 : 1e-3);
        shear(report, 1, size == 0 ? 2e-3 : 1e-3);
    }
    int plot = cg_report_add_plot(report, "A sphere pressed into a layer", "depth [mm]", "force [mN]");
    snprintf(report->plots[plot].subtitle, sizeof report->plots[plot].subtitle,
             "sphere of 8 mm radius, bonded layer of 4 mm and 100 kPa");
    report->plots[plot].from_zero = true;
    int line = cg_plot_add_series(&report->plots[plot], CG_SERIES_LINE, CG_BLUE, "Hertz, thin layer");
    int hertz = cg_plot_add_series(&report->plots[plot], CG_SERIES_DASHES, CG_INK, "Hertz, endless depth");
    for (int k = 0; k <= 30; k++) {
        double depth = 0.02e-3 * k;
        cg_plot_add_point(&report->plots[plot], line, 1e3 * depth, 1e3 * layer_force(8e-3, depth, 4e-3));
        cg_plot_add_point(&report->plots[plot], hertz, 1e3 * depth, 1e3 * layer_force(8e-3, depth, 1e3));
    }
    int series = cg_plot_add_series(&report->plots[plot], CG_SERIES_POINTS, CG_VERMILION, "measured");
    indent(report, plot, series, 0.5e-3, 4e-3, 0.5e-3);
    if (report->thorough) {
        indent(report, plot, series, 0.28e-3, 4e-3, 1e-3 / 3);
        indent(report, plot, series, 0.4e-3, 4e-3, 0.4e-3);
    }
}
