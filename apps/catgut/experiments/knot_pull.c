// How much a knot of two threads holds. All four ends are drawn apart until the knot is snug at 2 N; then the tails are
// let go and the standing ends pulled on, until the knot has come apart or holds 20 N. Two materials of size 3-0:
// monofilament nylon, stiff and smooth (friction 0.2), and braided silk, whose bending stiffness is a twentieth of that
// of a solid rod, and rougher (0.3). Both stay elastic here; real nylon takes a set, which helps it a little.
//
// Surgeons know: a square knot of two throws unties in nylon and polypropylene and holds in silk and polyester; a
// granny slips where a square knot holds; a surgeon's knot (its first throw double) holds at least as well as a square
// knot; a monofilament needs three throws or more.
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

// Steps after the tails are let go in which they spring back; what the hands feel then is still the snug knot.
enum { SPRING_BACK = 40 };

static const double RADIUS = 0.11e-3, SNUG = 2, ENOUGH = 20, SPEED = 0.05;

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

typedef struct knot {
    cg_curve_kind kind;
    const char *name;
    const material *of;
    int throws;
} knot;

static cg_knot_setup setup_of(const knot *k)
{
    const material *m = k->of;
    cg_knot_setup setup = cg_knot_suture_setup(k->kind, 2, RADIUS, m->friction);
    setup.curve.throws = k->throws;
    setup.curve.tail = 0.01;
    setup.curve.gap = 3 * RADIUS;
    setup.world.time_step = 5e-4;
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
static double holding_force(cg_report *report, const knot *k, double *worst_overlap)
{
    cg_knot_setup setup = setup_of(k);
    cg_knot_rig rig;
    double peak = 0, pull = 0;
    int let_go = 0;
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
            peak = step > let_go + SPRING_BACK ? fmax(peak, pull) : 0;
            apart = cg_world_get_stats(rig.world).working_contacts == 0;
        } else if (pull > SNUG) {
            is_snug = true;
            let_go = step;
            for (int end = 0; end < 2; end++) {
                cg_thread_release(rig.world, tails[end].thread, tails[end].vertex);
            }
        }
        if (step % 50 == 0) {
            *worst_overlap = fmax(*worst_overlap, cg_knot_rig_overlap(&rig));
        }
    }
    if (good && !is_snug) {
        cg_report_trouble(report, "the %s knot of %s with %d throws never became snug", k->name, k->of->name,
                          k->throws);
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

enum { KINDS = 3, FEWEST = 2, MOST = 6 };

// Forces by material, kind and number of throws, each a line of the report and a point of the plot.
static void pull_all(cg_report *report, int most, double force[2][KINDS][MOST + 1], double *overlap)
{
    static const cg_curve_kind kinds[KINDS] = {CG_CURVE_REEF, CG_CURVE_GRANNY, CG_CURVE_SURGEON};
    static const char *const names[KINDS] = {"square", "granny", "surgeon's"};
    static const cg_hue hues[2 * KINDS] = {CG_BLUE, CG_VERMILION, CG_GREEN, CG_BLUE, CG_VERMILION, CG_GREEN};
    int number = cg_report_add_plot(report, "What knots hold", "throws", "force [N]");
    cg_plot *plot = &report->plots[number];
    plot->from_zero = true;
    snprintf(plot->subtitle, sizeof plot->subtitle,
             "3-0 thread, snug at 2 N; 20 N: it holds, no more was asked; open marks: nylon");
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < KINDS; i++) {
            char label[64];
            snprintf(label, sizeof label, "%s, %s", MATERIALS[m].name, names[i]);
            int series =
                cg_plot_add_series(plot, m == 0 ? CG_SERIES_RINGS : CG_SERIES_POINTS, hues[KINDS * m + i], label);
            for (int throws = FEWEST; throws <= most; throws++) {
                knot k = {kinds[i], names[i], &MATERIALS[m], throws};
                force[m][i][throws] = holding_force(report, &k, overlap);
                cg_plot_add_point(plot, series, throws, force[m][i][throws]);
                snprintf(label, sizeof label, "%s, %s, %d throws", MATERIALS[m].name, names[i], throws);
                add(report, 0, force[m][i][throws], ENOUGH, "N", label);
            }
        }
    }
}

static void run(cg_report *report)
{
    double force[2][KINDS][MOST + 1] = {{{0}}}, overlap = 0;
    pull_all(report, report->thorough ? MOST : FEWEST + 1, force, &overlap);
    add(report, 1, force[0][0][2] < 3, 0, "1", "nylon, square of 2 throws: unties");
    add(report, 1, force[0][1][2] < 3, 0, "1", "nylon, granny of 2 throws: unties");
    add(report, ENOUGH, force[1][0][2], 0, "N", "silk, square of 2 throws: holds");
    add(report, ENOUGH, force[1][2][3], 0, "N", "silk, surgeon's of 3 throws: holds");
    add(report, 1, force[1][1][2] < force[1][0][2], 0, "1", "silk: the granny slips before the square knot");
    if (report->thorough) {
        add(report, ENOUGH, force[0][0][4], 0, "N", "nylon, square of 4 throws: holds");
        add(report, 1, force[0][1][4] < force[0][0][4], 0, "1", "nylon, 4 throws: the granny slips before the square");
    }
    add(report, 0, overlap, 0.06, "diameters", "deepest overlap");
}
