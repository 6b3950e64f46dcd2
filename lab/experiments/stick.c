// The halves of a severed vessel, pushed together until they stick and drawn apart until they tear: what their seam
// bears. It should be the strength of its bonds by the area of the cut end, however fast they came together.
#include <math.h>
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_stick = {
    .name = "stick",
    .summary = "halves of a vessel that stick: force against opening, failure at strength times area",
    .source = "Stanford section 4: halves of a vessel that merge on touching; strength times area",
    .run = run,
};

enum { STRENGTHS = 3, SPEEDS = 3 };
static const double strengths[STRENGTHS] = {2e3, 5e3, 15e3}; // [Pa] of a tissue of 100 kPa
static const double speeds[SPEEDS] = {0.02, 0.2, 1};         // [m/s] of approach
static const double gap = 2e-3, last_gap = 0.15e-3;          // [m]
static const double tearing = 0.01;                          // [m/s]

typedef struct rig {
    cg_world *world;
    cg_tissue_id vessel;
    double area; // [m2] of a cut end, as made
} rig;

static double area_of_end(const rig *r)
{
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    double sum = 0;
    for (int t = 0; t < cg_tissue_triangle_count(r->world, r->vessel); t++) {
        int n[3];
        cg_tissue_get_triangle(r->world, r->vessel, t, n, NULL);
        bool is_cut = true;
        for (int k = 0; k < 3; k++) {
            is_cut = is_cut && fabs(home[n[k]].x - 0.5 * gap) < 1e-9;
        }
        cg_vec3 twice = vec_cross(vec_sub(home[n[1]], home[n[0]]), vec_sub(home[n[2]], home[n[0]]));
        sum += is_cut ? 0.5 * vec_length(twice) : 0;
    }
    return sum;
}

static bool build(rig *r, double strength)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def def = cg_tissue_def_default();
    world.max_contacts = 100;
    world.gravity = vec(0, 0, 0);
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 16e-3;
    def.gap = gap;
    def.spacing = 1.2e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    def.iterations = 30;
    def.bond_strength = strength;
    bool is_built = cg_world_create(&world, &r->world).code == CG_OK &&
                    cg_world_add_tissue(r->world, &def, &r->vessel).code == CG_OK;
    r->area = is_built ? area_of_end(r) : 0;
    return is_built;
}

static void move_right(const rig *r, double by)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->vessel, &count);
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    for (int i = 0; i < count; i++) {
        if (home[i].x > 0 && cg_tissue_is_fixed(r->world, r->vessel, i)) {
            cg_tissue_move_fixed(r->world, r->vessel, i, vec_add(x[i], vec(by, 0, 0)));
        }
    }
    cg_world_step(r->world);
}

static void bring_together(const rig *r, double speed)
{
    double way = 0, goal = gap - last_gap;
    while (way < goal) {
        double next = fmin(speed * 1e-3, goal - way);
        move_right(r, -next);
        way += next;
    }
    for (int i = 0; i < 600; i++) {
        cg_world_step(r->world);
    }
}

// [N] along x, of the bonds on the left half.
static double pull_of_bonds(const rig *r)
{
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    double sum = 0;
    for (int i = 0; i < cg_tissue_bond_count(r->world, r->vessel); i++) {
        cg_tissue_bond bond;
        cg_tissue_get_bond(r->world, r->vessel, i, &bond);
        sum += home[bond.node].x < 0 ? bond.force.x : -bond.force.x;
    }
    return sum;
}

// [m] how far the cut ends are from each other, on average.
static double opening_of(const rig *r)
{
    int count, ends = 0;
    double sum = 0;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->vessel, &count);
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    for (int i = 0; i < count; i++) {
        if (fabs(fabs(home[i].x) - 0.5 * gap) < 1e-9) {
            sum += home[i].x > 0 ? x[i].x : -x[i].x;
            ends++;
        }
    }
    return 2 * sum / ends;
}

// Draws the halves apart until nothing sticks. Returns the largest force; with a plot, draws the way there.
static double tear(const rig *r, cg_plot *plot, int series)
{
    double most = 0, start = opening_of(r);
    for (int i = 0; i < 5000 && cg_tissue_bond_count(r->world, r->vessel) > 0; i++) {
        move_right(r, tearing * 1e-3);
        double force = pull_of_bonds(r);
        most = fmax(most, force);
        if (plot != NULL && i % 2 == 0) {
            cg_plot_add_point(plot, series, 1e3 * (opening_of(r) - start), 1e3 * force);
        }
    }
    return most;
}

static double measure(cg_report *report, double strength, double speed, double *expected, int series)
{
    rig r = {0};
    double force = NAN;
    if (build(&r, strength)) {
        *expected = strength * r.area;
        bring_together(&r, speed);
        force = tear(&r, series >= 0 ? &report->plots[0] : NULL, series);
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
    return force;
}

static void run(cg_report *report)
{
    static const cg_hue colours[STRENGTHS] = {CG_BLUE, CG_GREEN, CG_VERMILION};
    int number = cg_report_add_plot(report, "Halves of a vessel drawn apart", "opening of the seam [mm]", "force [mN]");
    double expected = NAN, slow = NAN;
    for (int k = 0; k < STRENGTHS; k++) {
        char label[40];
        snprintf(label, sizeof label, "%g kPa", 1e-3 * strengths[k]);
        int series = cg_plot_add_series(&report->plots[number], CG_SERIES_LINE, colours[k], label);
        double force = measure(report, strengths[k], 0.1, &expected, series);
        cg_report_check(report, expected, force, 0.1, "N", "most that the seam bears, bonds of %g kPa",
                        1e-3 * strengths[k]);
    }
    for (int k = 0; k < SPEEDS; k++) {
        double force = measure(report, strengths[1], speeds[k], &expected, -1);
        slow = k == 0 ? force : slow;
        if (k > 0) {
            cg_report_check(report, 1, force / slow, 0.02, "1", "the same, brought together at %g m/s over %g m/s",
                            speeds[k], speeds[0]);
        }
    }
}
