// How much a knot of two threads holds. All four ends are drawn apart until the knot is snug at 2 N; then the tails are
// let go and the standing ends pulled on, until the knot has come apart or holds 10 N. Two materials of size 3-0:
// monofilament nylon, stiff and smooth (friction 0.2), and braided silk, whose bending stiffness is a twentieth of that
// of a solid rod, and rougher (0.3). Both stay elastic here; real nylon takes a set, which helps it a little.
//
// Surgeons know: a square knot of two throws unties in nylon and polypropylene and holds in silk and polyester; a
// granny slips where a square knot holds; a surgeon's knot (2-1-1) holds at least as well as a square knot.
#include <math.h>
#include <stdio.h>

#include "experiments/knot_rig.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_knot_pull = {
    .name = "knot_pull",
    .summary = "the force at which square, granny and surgeon's knots of nylon and silk give way",
    .source = "knot studies: two throws untie in monofilament, hold in braided silk; square above granny",
    .run = run,
};

static const double RADIUS = 0.11e-3, SNUG = 2, ENOUGH = 10, SPEED = 0.05;

typedef struct material {
    const char *name;
    double friction;
    double bend_share; // of a solid rod
} material;

static const material MATERIALS[2] = {{"nylon", 0.2, 1}, {"silk", 0.3, 0.05}};

// An end that no hand pulls in the second part.
typedef struct tail {
    cg_thread_id thread;
    int vertex;
    cg_vec3 start, direction;
} tail;

static cg_knot_setup setup_of(cg_curve_kind kind, const material *m)
{
    cg_knot_setup setup = cg_knot_suture_setup(kind, 2, RADIUS, m->friction);
    setup.curve.tail = 0.01;
    setup.curve.gap = 3 * RADIUS;
    setup.world.time_step = 5e-4;
    setup.world.coast = true;
    setup.world.gravity = vec(0, 0, 0);
    setup.world.max_contacts = 300;
    setup.thread.drag = 100;
    setup.thread.bend_stiffness =
        m->bend_share * 0.25 * 3.14159265358979 * pow(RADIUS, 4) * setup.thread.youngs_modulus;
    setup.settle = 0.02;
    return setup;
}

static tail find_tail(const cg_knot_rig *rig, int end)
{
    cg_curve_end at = rig->curve.tails[end];
    int count = rig->curve.point_count[at.thread], vertex = at.last ? count - 1 : 0, inside = at.last ? count - 6 : 5;
    const cg_vec3 *points = rig->start + rig->first[at.thread];
    return (tail){rig->threads[at.thread], vertex, points[vertex], vec_unit(vec_sub(points[vertex], points[inside]))};
}

// The largest pull before the knot gives way; ENOUGH when it does not.
static double holding_force(cg_report *report, cg_curve_kind kind, const material *m, double *worst_overlap)
{
    cg_knot_setup setup = setup_of(kind, m);
    cg_knot_rig rig;
    double peak = 0, pull = 0;
    bool is_snug = false, good = cg_knot_rig_open(&rig, &setup, report), apart = !good;
    tail tails[2];
    for (int end = 0; end < 2; end++) {
        tails[end] = good ? find_tail(&rig, end) : (tail){.vertex = 0};
    }
    for (int step = 0; step < 2000 && !apart && peak < ENOUGH; step++) {
        cg_knot_rig_pull(&rig, SPEED * fmin(1, (step + 1) / 40.0));
        for (int end = 0; end < 2 && !is_snug; end++) {
            cg_vec3 target = vec_add(tails[end].start, vec_scale(rig.way, tails[end].direction));
            cg_thread_hold(rig.world, tails[end].thread, tails[end].vertex, target);
        }
        cg_world_step(rig.world);
        pull = 0.5 * (cg_knot_rig_tension(&rig, 0) + cg_knot_rig_tension(&rig, 1));
        if (is_snug) {
            peak = fmax(peak, pull);
            apart = cg_world_get_stats(rig.world).working_contacts == 0;
        } else if (pull > SNUG) {
            is_snug = true;
            for (int end = 0; end < 2; end++) {
                cg_thread_release(rig.world, tails[end].thread, tails[end].vertex);
            }
        }
        if (step % 50 == 0) {
            *worst_overlap = fmax(*worst_overlap, cg_knot_rig_overlap(&rig));
        }
    }
    if (good && !is_snug) {
        cg_report_trouble(report, "the %s knot of %s never became snug", cg_curve_kind_name(kind), m->name);
    }
    cg_knot_rig_close(&rig);
    return fmin(peak, ENOUGH);
}

static void add(cg_report *report, double expected, double measured, double tolerance, const char *unit,
                const char *name)
{
    cg_report_add(report,
                  (cg_quantity){.published = CG_UNPUBLISHED,
                                .expected = expected,
                                .measured = measured,
                                .tolerance = tolerance,
                                .unit = unit},
                  "%s", name);
}

static void run(cg_report *report)
{
    static const cg_curve_kind kinds[3] = {CG_CURVE_REEF, CG_CURVE_GRANNY, CG_CURVE_SURGEON};
    static const cg_hue hues[2] = {CG_BLUE, CG_VERMILION};
    double force[2][3], overlap = 0;
    int number = cg_report_add_plot(report, "What knots hold", "1 square, 2 granny, 3 surgeon's", "force [N]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->subtitle, sizeof plot->subtitle, "3-0 thread, snug at 2 N; 10 N: it holds, no more was asked");
    for (int m = 0; m < 2; m++) {
        int series = cg_plot_add_series(plot, CG_SERIES_POINTS, hues[m], MATERIALS[m].name);
        for (int k = 0; k < 3; k++) {
            force[m][k] = holding_force(report, kinds[k], &MATERIALS[m], &overlap);
            cg_plot_add_point(plot, series, k + 1, force[m][k]);
        }
    }
    add(report, 0, force[0][0], 3, "N", "nylon, square: unties, at");
    add(report, 0, force[0][1], 3, "N", "nylon, granny: unties, at");
    add(report, ENOUGH, force[1][0], 0, "N", "silk, square: holds");
    add(report, ENOUGH, force[1][2], 0, "N", "silk, surgeon's: holds");
    add(report, 1, force[1][1] < force[1][0], 0, "1", "silk: the granny slips before the square knot");
    add(report, 0, overlap, 0.06, "diameters", "deepest overlap");
}
