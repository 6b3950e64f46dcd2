// A thread that slides through a hole in a pad: the capstan law, at rest and in motion, the laws of the VTE text, and
// the portal springs of MicroSim.
//
// One end hangs by a weight of 0.5 N. The pull on the other end is raised until thread goes through: at exp(mu theta)
// times the weight. Then the other end is drawn at 20 to 300 mm/s, through holes in a pad of 100 kPa: the pull stays at
// that, and ripples little while vertices pass.
//
// The same with threads that slide by the other laws, each against what follows from its own formula: with the pulls as
// the force on the tissue they hold thread back by a constant, and let it through by so much a step, so that the pull
// goes with the speed and with the time step, and by the law of tensions with how much of the thread is on either side.
// Their pads are rigid: a soft one is dragged along for millimetres before as much goes through as is drawn.
#include <math.h>
#include <stdio.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_slip = {
    .name = "slip",
    .summary = "a thread drawn through a hole in tissue: onset and pull ratio by the capstan law and by the texts' own",
    .source = "closed form: exp(mu theta); the formulas of VTE B.1.2 to B.1.4 and MicroSim 3.5.2",
    .run = run,
};

enum { POINTS = 241 };
static const double SPACING = 0.5e-3, WEIGHT = 0.5, PI = 3.14159265358979323846;
static const double THREAD_LENGTH = (POINTS - 1) * 0.5e-3;
static const double STIFFNESS = 2.5e9 * 3.14159265358979323846 * 0.11e-3 * 0.11e-3; // [N] of the thread, EA

typedef struct setup {
    double wrap, friction, time_step; // [rad], [1], [s]
    bool fixed;                       // the pad does not move
    cg_slip slip;                     // zero: the capstan law
    double bite;                      // [m] between the holes, when there are two; portals have no less
} setup;

// Laws that are compared.
typedef struct named_slip {
    const char *name;
    cg_hue hue;
    cg_slip slip;
} named_slip;

typedef struct rig {
    cg_world *world;
    cg_tissue_id pad;
    cg_thread_id thread;
    cg_vec3 out[2]; // the ways of the two sides
} rig;

static cg_status lay(rig *r, const setup *s)
{
    cg_vec3 holes[2] = {vec(0, -s->bite / 2, 0), vec(0, s->bite / 2, 0)};
    cg_stitch_def stitch = cg_stitch_def_default();
    stitch.thread = r->thread;
    stitch.tissue = r->pad;
    stitch.points = holes;
    stitch.point_count = s->bite > 0 ? 2 : 1;
    stitch.friction = s->friction;
    return cg_world_add_stitch(r->world, &stitch);
}

static bool make(rig *r, const setup *s, cg_report *report)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_thread_def thread = cg_thread_def_default();
    cg_vec3 points[POINTS];
    for (int side = 0; side < 2; side++) {
        r->out[side] = vec(0, (side == 0 ? -1 : 1) * cos(s->wrap / 2), sin(s->wrap / 2));
    }
    for (int i = 0; i < POINTS; i++) {
        double from = SPACING * (i - POINTS / 2), inside = fmax(-s->bite / 2, fmin(s->bite / 2, from));
        points[i] = vec_add(vec(0, inside, 0), vec_scale(fabs(from - inside), r->out[from > 0]));
    }
    world.time_step = s->time_step;
    world.gravity = vec(0, 0, 0);
    pad.size = vec(24e-3, 20e-3, 0);
    pad.layers[0].thickness = 8e-3;
    pad.layers[0].material.young = 100e3;
    thread.vertex_count = POINTS;
    thread.positions = points;
    thread.drag = 20;
    thread.slip = s->slip;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_status status = cg_world_create(&world, &r->world);
    status = status.code == CG_OK ? cg_world_add_tissue(r->world, &pad, &r->pad) : status;
    status = status.code == CG_OK ? cg_world_add_thread(r->world, &thread, &r->thread) : status;
    int nodes = 0;
    cg_tissue_positions(r->world, r->pad, &nodes);
    for (int i = 0; i < nodes && s->fixed; i++) {
        cg_tissue_fix(r->world, r->pad, i, true);
    }
    status = status.code == CG_OK ? lay(r, s) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "the thread could not be laid: %s", status.message);
    }
    return status.code == CG_OK;
}

static int last_vertex(const rig *r)
{
    int count;
    cg_thread_positions(r->world, r->thread, &count);
    return count - 1;
}

static void step_with(rig *r, double before, double behind)
{
    cg_thread_push_vertex(r->world, r->thread, 0, vec_scale(before, r->out[0]));
    cg_thread_push_vertex(r->world, r->thread, last_vertex(r), vec_scale(behind, r->out[1]));
    cg_world_step(r->world);
}

static void settle(rig *r)
{
    for (int k = 0; k < 300; k++) {
        step_with(r, WEIGHT * fmin(1, k / 100.0), WEIGHT * fmin(1, k / 100.0));
    }
}

// Pull behind over pull before by the law, while thread goes behind the hole at a speed; at the onset when that is 0.
static double ratio_by_law(const setup *s, const cg_anchor *a, double speed)
{
    if (s->slip.law == CG_SLIP_CAPSTAN) {
        return exp(s->friction * a->wrap);
    }
    if (s->slip.law == CG_SLIP_PORTAL) {
        return 1; // nothing rubs
    }
    // [m/N] What the two pulls count for, and what of it goes with the length of the stretch behind.
    double before, behind, growing = 0;
    if (s->slip.law == CG_SLIP_NEEDLE) {
        before = behind = s->slip.per_force * cos(a->wrap / 2);
    } else {
        double share = a->arc / THREAD_LENGTH, turn = s->slip.per_turn * (1 + cos(a->wrap));
        growing = s->slip.per_force * (1 - share);
        before = s->slip.per_force * share + turn;
        behind = growing + turn;
    }
    // What is drawn is longer than what goes through by its strain, and by what the stretch behind it gives back when
    // its pull falls with the way.
    double given = growing / behind * (a->tension[0] + a->tension[1]);
    double through = speed * s->time_step / (1 + (a->tension[1] - given) / STIFFNESS);
    return ((through + s->slip.per_force * s->slip.friction) / a->tension[0] + before) / behind;
}

// The law takes the angle that the world tells: it must be the one that was laid.
static void check_wrap(cg_report *report, const setup *s, double wrap, const char *when, double speed)
{
    cg_report_check(report, 180 / PI * s->wrap, 180 / PI * wrap, 0.005, "deg", "angle at the hole, %s, %g mm/s", when,
                    1e3 * speed);
}

// The pull at which thread goes through, over the weight, and the anchor then; 0: there was no world.
static double find_onset(cg_report *report, const setup *s, cg_anchor *anchor)
{
    rig r = {0};
    double pull = 0, rise = s->slip.law == CG_SLIP_CAPSTAN ? 5e-4 : 1e-3;
    *anchor = (cg_anchor){0};
    if (make(&r, s, report)) {
        settle(&r);
        pull = WEIGHT;
        for (int k = 0; k < 4000 && anchor->slip == 0; k++, pull += rise) {
            step_with(&r, WEIGHT, pull);
            cg_world_get_anchor(r.world, 0, anchor);
        }
    }
    cg_world_destroy(r.world);
    return pull / WEIGHT;
}

// Beside what the law says of the angle at the hole then.
static void check_onset(cg_report *report, const setup *s)
{
    cg_anchor anchor;
    double ratio = find_onset(report, s, &anchor);
    cg_report_check(report, exp(s->friction * anchor.wrap), ratio, 0.01, "1",
                    "pull ratio at the onset, %g deg, mu %g, %s", 180 / PI * s->wrap, s->friction,
                    s->fixed ? "rigid" : "100 kPa");
    check_wrap(report, s, anchor.wrap, s->fixed ? "rigid" : "100 kPa", 0);
}

// Means over steps, pull behind over pull before and what the law says of it.
typedef struct sliding {
    int count;
    double ratio, law, wrap; // 1, 1, [rad]
    double least, most, sum; // of the ratio; of the ratio over the law where the law itself changes with the way
} sliding;

static void note(sliding *found, const setup *s, const cg_anchor *anchor, double speed)
{
    double ratio = anchor->tension[1] / anchor->tension[0], law = ratio_by_law(s, anchor, speed);
    double felt = s->slip.law == CG_SLIP_CAPSTAN ? ratio : ratio / law;
    found->least = found->count > 0 ? fmin(found->least, felt) : felt;
    found->most = found->count > 0 ? fmax(found->most, felt) : felt;
    found->sum += felt;
    found->ratio += ratio;
    found->law += law;
    found->wrap += anchor->wrap;
    found->count++;
}

static double ripple_of(const sliding *found)
{
    return (found->most - found->least) / (found->sum / found->count);
}

// The hole, or two of a bite taken as one: what goes in at the first comes out at the last.
static cg_anchor look(const rig *r)
{
    cg_anchor anchor = {0}, last;
    cg_world_get_anchor(r->world, 0, &anchor);
    if (cg_world_get_anchor(r->world, 1, &last)) {
        anchor.tension[1] = last.tension[1];
    }
    return anchor;
}

// Draws 12 mm through, and notes the last 8; all of it in a series of the plot, when there is one.
static sliding slide(cg_report *report, const setup *s, double speed, cg_plot *plot, int series)
{
    rig r = {0};
    sliding found = {0};
    if (make(&r, s, report)) {
        settle(&r);
        const double ease = 0.03, seconds = ease + 12e-3 / speed;
        cg_vec3 from = cg_thread_positions(r.world, r.thread, NULL)[last_vertex(&r)];
        int steps = (int)(seconds / s->time_step);
        for (int k = 0; k < steps; k++) {
            double t = k * s->time_step, way = t < ease ? speed * t * t / (2 * ease) : speed * (t - ease / 2);
            cg_thread_hold(r.world, r.thread, last_vertex(&r), vec_add(from, vec_scale(way, r.out[1])));
            cg_thread_push_vertex(r.world, r.thread, 0, vec_scale(WEIGHT, r.out[0]));
            cg_world_step(r.world);
            cg_anchor anchor = look(&r);
            if (plot != NULL) {
                cg_plot_add_point(plot, series, 1e3 * way, anchor.tension[1] / anchor.tension[0]);
            }
            if (t > ease + 4e-3 / speed) {
                note(&found, s, &anchor, speed);
            }
        }
    }
    cg_world_destroy(r.world);
    return found;
}

// `by` names the law.
static void report_sliding(cg_report *report, const setup *s, double speed, const sliding *found, const char *by)
{
    double deg = 180 / PI * s->wrap, ms = 1e3 * s->time_step, mm = 1e3 * speed;
    cg_report_check(report, found->law / found->count, found->ratio / found->count, 0.01, "1",
                    "pull ratio, %g deg, %g mm/s, %g ms%s", deg, mm, ms, by);
    cg_report_check(report, 0, ripple_of(found), 0.02, "1", "its ripple, %g deg, %g mm/s, %g ms%s", deg, mm, ms, by);
}

static void check_sliding(cg_report *report, const setup *s, double speed)
{
    sliding found = slide(report, s, speed, NULL, 0);
    if (found.count > 0) {
        report_sliding(report, s, speed, &found, "");
        check_wrap(report, s, found.wrap / found.count, "100 kPa", speed);
    }
}

static const double WRAPS[] = {30, 90, 150}; // [deg]
enum { WRAP_COUNT = 3, LAW_COUNT = 5 };

// The capstan law first, for the plots.
static const named_slip LAWS[LAW_COUNT] = {
    {"capstan", CG_BLUE, {0}},
    {"needle", CG_VERMILION, {CG_SLIP_NEEDLE, 2e-4, 0, 0.2}},
    {"tension", CG_GREEN, {CG_SLIP_TENSION, 2e-4, 0, 0.2}},
    {"tension and turn", CG_PURPLE, {CG_SLIP_TENSION, 2e-4, 1e-4, 0.2}},
    {"portal", CG_ORANGE, {.law = CG_SLIP_PORTAL}},
};

static setup setup_of(const named_slip *law, double degrees)
{
    bool is_portal = law->slip.law == CG_SLIP_PORTAL;
    return (setup){.wrap = degrees * PI / 180,
                   .friction = 0.3,
                   .time_step = 1e-3,
                   .fixed = true,
                   .slip = law->slip,
                   .bite = is_portal ? 3e-3 : 0};
}

static void compare_onsets(cg_report *report)
{
    int plot = cg_report_add_plot(report, "Pull at which thread goes through a hole", "angle at the hole [deg]",
                                  "pull / weight on the other end");
    snprintf(report->plots[plot].name, sizeof report->plots[plot].name, "onset");
    for (int l = 0; l < LAW_COUNT; l++) {
        int line = cg_plot_add_series(&report->plots[plot], CG_SERIES_LINE, LAWS[l].hue, LAWS[l].name);
        for (int degrees = 0; degrees <= 160; degrees += 5) {
            setup s = setup_of(&LAWS[l], degrees);
            cg_anchor anchor = {.wrap = s.wrap, .arc = THREAD_LENGTH / 2, .tension = {WEIGHT, WEIGHT}};
            cg_plot_add_point(&report->plots[plot], line, degrees, ratio_by_law(&s, &anchor, 0));
        }
        int points = cg_plot_add_series(&report->plots[plot], CG_SERIES_POINTS, LAWS[l].hue, "");
        bool has_onset = l > 0 && LAWS[l].slip.law != CG_SLIP_PORTAL; // whatever pulls more draws it through
        for (int k = 0; k < WRAP_COUNT && has_onset; k++) {
            setup s = setup_of(&LAWS[l], WRAPS[k]);
            cg_anchor anchor;
            double ratio = find_onset(report, &s, &anchor);
            cg_report_check(report, ratio_by_law(&s, &anchor, 0), ratio, 0.01, "1",
                            "pull ratio at the onset, %g deg, by %s", WRAPS[k], LAWS[l].name);
            cg_plot_add_point(&report->plots[plot], points, WRAPS[k], ratio);
        }
    }
}

static void compare_sliding(cg_report *report)
{
    const double cases[][3] = {{90, 0.1, 1e-3}, {90, 0.02, 1e-3}, {90, 0.1, 2e-3}, {150, 0.1, 1e-3}};
    int plot = cg_report_add_plot(report, "Thread drawn through a hole, 90 degrees, 100 mm/s, steps of 1 ms",
                                  "drawn [mm]", "pull / pull on the other side");
    snprintf(report->plots[plot].name, sizeof report->plots[plot].name, "drawn");
    for (int l = 0; l < LAW_COUNT; l++) {
        char by[48];
        snprintf(by, sizeof by, ", by %s", LAWS[l].name);
        int series = cg_plot_add_series(&report->plots[plot], CG_SERIES_LINE, LAWS[l].hue, LAWS[l].name);
        for (int k = 0; k < (l == 0 ? 1 : 4); k++) {
            setup s = setup_of(&LAWS[l], cases[k][0]);
            s.time_step = cases[k][2];
            sliding found = slide(report, &s, cases[k][1], k == 0 ? &report->plots[plot] : NULL, series);
            if (found.count > 0) {
                report_sliding(report, &s, cases[k][1], &found, by);
            }
        }
    }
}

// What draws the holes of a bite together: of a thread without friction 1 - cos of half the angle, times its pull, at
// each. Portals hand half of the whole force to each hole, and nothing of it draws them together. On soft tissue, which
// they tell their force a step late, thread goes through as smoothly.
static void compare_bites(cg_report *report)
{
    for (int l = 0; l < LAW_COUNT; l += LAW_COUNT - 1) {
        bool is_portal = LAWS[l].slip.law == CG_SLIP_PORTAL;
        setup s = setup_of(&LAWS[l], 90);
        rig r = {0};
        s.friction = 0;
        s.bite = 3e-3;
        if (make(&r, &s, report)) {
            settle(&r);
            cg_report_check(report, is_portal ? 0 : WEIGHT * (1 - cos(s.wrap / 2)), look(&r).force.y, 0.01, "N",
                            "force that draws the holes of a bite together, 90 deg, by %s", LAWS[l].name);
        }
        cg_world_destroy(r.world);
    }
    setup soft = setup_of(&LAWS[LAW_COUNT - 1], 90);
    soft.fixed = false;
    sliding found = slide(report, &soft, 0.1, NULL, 0);
    if (found.count > 0) {
        report_sliding(report, &soft, 0.1, &found, ", by portal, 100 kPa");
    }
}

static void run(cg_report *report)
{
    const double speeds[] = {20e-3, 100e-3, 300e-3};
    for (int k = 0; k < WRAP_COUNT; k++) {
        setup s = setup_of(&LAWS[0], WRAPS[k]);
        check_onset(report, &s);
        s.fixed = false;
        check_onset(report, &s);
    }
    for (int k = 0; k < WRAP_COUNT; k++) {
        for (int v = 0; v < 3; v++) {
            setup s = {.wrap = WRAPS[k] * PI / 180, .friction = 0.2, .time_step = v == 1 ? 2e-3 : 1e-3};
            check_sliding(report, &s, speeds[v]);
        }
    }
    compare_onsets(report);
    compare_sliding(report);
    compare_bites(report);
}
