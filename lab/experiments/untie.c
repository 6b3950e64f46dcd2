// Unknotting as VTE does it (4.5.3): a cord hangs from a frame, its free end over a desk, with a loose knot in it; once
// a cord of springs, model 4, once our thread, as limp as a rope of that size. A hand that takes the strand in the
// middle of the knot draws the free end back through the loop: the knot is undone. One that takes the free end only
// draws it tight. The knot is named at every tenth step, and a name may change only to that of no knot.
#include <stdio.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "experiments/cord_rig.h"
#include "knot/curves.h"

static void run(cg_report *report);
static void run_spring(cg_report *report);

const cg_experiment cg_experiment_untie = {
    .name = "untie",
    .summary = "knots in a hung thread: untied by the right point, jammed by the wrong one",
    .source = "VTE 4.5.3, figures 4.29 and 4.30",
    .run = run,
};

const cg_experiment cg_experiment_untie_spring = {
    .name = "untie_spring",
    .summary = "knots in a hung cord of springs: untied by the right point, jammed by the wrong one",
    .source = "VTE 4.5.3, figures 4.29 and 4.30",
    .run = run_spring,
};

enum { MOST_POINTS = 400, NAMED_EVERY = 10, STEPS = 1800, JAM_STEPS = 3600 };
// [radii] Of the cord below and above its knot.
static const double TAIL = 10, STANDING = 40;

typedef struct outcome {
    char first[72], last[72];
    int changes;  // of the name
    double force; // [N] on the hand, mean of the last tenth of the time
    double way;   // [m] that the hand went
} outcome;

static void name_of(const cg_world *world, cg_thread_id thread, char *name, size_t room)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(world, thread, &count);
    cg_knot_thread knot = {.points = points, .count = count};
    cg_knot_report found;
    bool known = cg_knot_identify(&knot, 1, NULL, &found).code == CG_OK;
    snprintf(name, room, "%s", known ? found.name : "unknown");
}

// The cord with its knot, the first end up; returns how many points. The lower tail is short.
static int lay_knot(cg_curve_kind kind, cg_vec3 *points, cg_report *report)
{
    cg_curve_def def = cg_curve_def_default();
    def.kind = kind;
    def.radius = CG_CORD_RADIUS;
    def.spacing = 2.5 * CG_CORD_RADIUS;
    def.gap = 4 * CG_CORD_RADIUS;
    def.tail = STANDING * CG_CORD_RADIUS;
    cg_curve curve;
    cg_status status = cg_curve_make(&def, points, MOST_POINTS, &curve);
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
        return 0;
    }
    int cut = (int)((STANDING - TAIL) * CG_CORD_RADIUS / def.spacing), count = curve.point_count[0] - cut;
    cg_quat upright = quat_between(curve.pull[curve.pulled[0].last ? 1 : 0], v3(0, 0, 1));
    for (int i = 0; i < count; i++) {
        points[i] = quat_rotate(upright, points[i]);
    }
    return count;
}

// A cord that stays tied while it hangs: a tenth of the published stiffness against bending, damped by the air.
static cg_thread_def spring_def(const cg_vec3 *points, int count)
{
    cg_thread_def def = cg_cord_def(points, count, 0.05);
    def.springs.torsional_spring = 1;
    def.springs.torsional_damper = 0.01;
    return def;
}

// A rope of 10 mm: 70 g a metre, bent by its own weight within 3 cm.
static cg_thread_def rope_def(const cg_vec3 *points, int count)
{
    cg_thread_def def = cg_thread_def_default();
    def.radius = CG_CORD_RADIUS;
    def.linear_density = 0.07;
    def.stretch_stiffness = 2000;
    def.bend_stiffness = 2e-5;
    def.damping_time = 2e-3;
    def.friction = 0.05;
    def.vertex_count = count;
    def.positions = points;
    return def;
}

typedef cg_thread_def make_def(const cg_vec3 *points, int count);

// A cord, and for how many steps its free end is drawn away: a rope has more of its length in the loose knot.
typedef struct cord {
    make_def *make;
    int jam_steps;
} cord;

static const cord SPRINGS = {spring_def, STEPS}, ROPE = {rope_def, JAM_STEPS};

static cg_world *make_world(make_def *make, const cg_vec3 *points, int count, cg_thread_id *thread, cg_report *report)
{
    cg_thread_def def = make(points, count);
    def.drag = 20;
    def.ends[CG_START].kind = CG_END_PINNED; // the frame
    cg_world *world = cg_cord_world(&def, v3(0, 0, -9.81), true, thread, report);
    cg_shape_def desk = cg_shape_def_default();
    desk.pose.position.z = points[count - 1].z - 2 * CG_CORD_RADIUS;
    cg_shape_id shape;
    if (world != NULL && cg_world_add_shape(world, &desk, &shape).code != CG_OK) {
        cg_report_trouble(report, "no desk");
    }
    return world;
}

// The right point is on the strand that leads from the loop to the free end, near where it winds round the other one;
// the wrong one is the free end.
static outcome pull(const cord *c, cg_curve_kind kind, bool right, cg_report *report)
{
    cg_vec3 points[MOST_POINTS];
    outcome result = {{0}, {0}, 0, 0, 0};
    int steps = right ? STEPS : c->jam_steps;
    int count = lay_knot(kind, points, report);
    cg_thread_id thread;
    cg_world *world = count > 0 ? make_world(c->make, points, count, &thread, report) : NULL;
    if (world == NULL) {
        return result;
    }
    int tail = (int)(TAIL / 2.5), knot = (int)(STANDING / 2.5),
        vertex = right ? count - tail - (count - tail - knot) / 6 : count - 2;
    cg_vec3 at = points[vertex], middle = v3_zero();
    for (int i = knot; i < count - tail; i++) {
        middle = v3_add_scaled(middle, 1.0 / (count - tail - knot), points[i]);
    }
    cg_hand_id hand = cg_cord_take(world, at, 120, report);
    cg_vec3 out = v3_sub(at, middle);
    cg_vec3 way = right ? v3_scale(4e-4, v3_unit_or(v3(out.x, out.y, 0), v3(1, 0, 0))) : v3(4e-4, 0, 0);
    name_of(world, thread, result.first, sizeof result.first);
    snprintf(result.last, sizeof result.last, "%s", result.first);
    for (int step = 0; step < steps; step++) {
        at = v3_add(at, way);
        cg_hand_move(world, hand, (cg_transform){at, {0, 0, 0, 1}}, 0);
        cg_world_step(world);
        if (step >= steps - steps / 10) {
            result.force += v3_length(cg_hand_get_state(world, hand).force) / (steps / 10);
        }
        if (step % NAMED_EVERY == 0) {
            char name[72];
            name_of(world, thread, name, sizeof name);
            result.changes += strcmp(name, result.last) != 0;
            snprintf(result.last, sizeof result.last, "%s", name);
        }
    }
    result.way = v3_distance(cg_hand_get_state(world, hand).pose.position, points[vertex]);
    cg_world_destroy(world);
    return result;
}

static void report_knot(cg_report *report, const cord *c, cg_curve_kind kind)
{
    outcome right = pull(c, kind, true, report), wrong = pull(c, kind, false, report);
    const char *knot = cg_curve_kind_name(kind);
    cg_report_check(report, 1, strcmp(right.last, "0_1") == 0, 0, "1", "%s by the right point: %s becomes %s", knot,
                    right.first, right.last);
    cg_report_check(report, 1, right.changes == 1, 0, "1", "%s by the right point: its name changes once (%d)", knot,
                    right.changes);
    cg_report_check(report, 0, wrong.changes, 0, "1", "%s by the wrong point: changes of its name (%s)", knot,
                    wrong.last);
    cg_report_check(report, 1, wrong.force > 20, 0, "1", "%s by the wrong point: it jams (%.0f N after %.2f m)", knot,
                    wrong.force, wrong.way);
}

static void run(cg_report *report)
{
    report_knot(report, &ROPE, CG_CURVE_OVERHAND);
    report_knot(report, &ROPE, CG_CURVE_FIGURE_EIGHT);
}

static void run_spring(cg_report *report)
{
    report_knot(report, &SPRINGS, CG_CURVE_OVERHAND);
    report_knot(report, &SPRINGS, CG_CURVE_FIGURE_EIGHT);
}
