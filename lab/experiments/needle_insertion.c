// A needle that a machine drives through a pad and back: force against way. The tip dents the surface until it bears no
// more, pops in, cuts on against friction that grows with what is inside, dents and pops through the surface where it
// comes out, and is drawn back against friction alone.
//
// A straight needle goes down through a pad of 4 mm, and through one that is its skin alone, at 1 to 100 mm/s; a half
// circle turns about its centre, in at one place of the top of a pad and out at another.
#include <math.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_needle_insertion = {
    .name = "needle_insertion",
    .summary = "a needle through a pad: dent, pop, friction, pop, withdrawal; straight, and along its arc",
    .source = "the threshold that is set; two peaks and no effect of speed, as found in sheep skin at 1-10 mm/s",
    .run = run,
};

enum { SPEEDS = 4 };
static const double speeds[SPEEDS] = {1e-3, 10e-3, 30e-3, 100e-3}; // [m/s]
static const double THRESHOLD = 0.8, CUT = 0.2, DRAG = 30;         // [N], [N], [N/m]
static const double MACHINE = 1;                                   // [kg] what the needle is fixed to
static const double TIME_STEP = 1e-3;                              // [s]

// A drive: where the needle is after a way of its tip [m].
typedef struct drive {
    bool is_curved;
    double radius; // [m] of the needle
    double start;  // [m] height of its tip, or of its centre, above the pad
} drive;

typedef struct rig {
    cg_world *world;
    cg_rigid_id body;
    cg_tissue_id pad;
    drive drive;
    double way; // [m]
} rig;

static cg_transform pose_at(const drive *d, double way)
{
    double half = d->is_curved ? 0.5 * way / d->radius : 0;
    cg_vec3 centre = d->is_curved ? vec(0.3e-3, 0.2e-3, d->start) : vec(0.3e-3 - d->radius, 0.2e-3, d->start - way);
    return (cg_transform){centre, {0, sin(half), 0, cos(half)}};
}

static bool build(rig *r, bool is_curved, bool is_skin)
{
    cg_world_def world = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_rigid_def def = cg_rigid_def_default();
    cg_needle needle = cg_needle_default();
    needle.radius = is_curved ? needle.radius : 0.2;
    needle.arc = is_curved ? needle.arc : 0.1;
    r->drive = (drive){is_curved, needle.radius, is_curved ? 2.5e-3 : 0.5e-3};
    world.time_step = TIME_STEP;
    world.gravity = vec(0, 0, 0);
    world.max_contacts = 100;
    pad.model = is_skin ? CG_TISSUE_SKIN : CG_TISSUE_LATTICE;
    pad.size = vec(30e-3, 24e-3, 0);
    pad.layers[0].material.young = 200e3;
    pad.layers[0].thickness = is_curved ? 8e-3 : 4e-3;
    pad.fix_rim = true;
    pad.fix_bottom = is_curved;
    pad.pierce_force = THRESHOLD;
    pad.pierce_cut = CUT;
    pad.pierce_drag = DRAG;
    def.needle = &needle;
    def.mass = MACHINE;
    def.pose = pose_at(&r->drive, 0);
    return cg_world_create(&world, &r->world).code == CG_OK &&
           cg_world_add_tissue(r->world, &pad, &r->pad).code == CG_OK &&
           cg_world_add_rigid(r->world, &def, &r->body).code == CG_OK;
}

// [N] what keeps the needle from going on, along its way.
static double resistance(const rig *r)
{
    cg_rigid_info info = {0};
    cg_rigid_get_info(r->world, r->body, &info);
    if (!r->drive.is_curved) {
        return info.force.z;
    }
    // About its centre, and by its lever.
    cg_vec3 arm = vec_sub(info.centre, cg_rigid_get_pose(r->world, r->body).position);
    return -(info.torque.y + vec_cross(arm, info.force).y) / r->drive.radius;
}

static cg_piercing go(rig *r, double speed)
{
    cg_piercing now = {0};
    cg_vec3 velocity = vec(0, 0, r->drive.is_curved ? 0 : -speed);
    cg_vec3 spin = vec(0, r->drive.is_curved ? speed / r->drive.radius : 0, 0);
    cg_rigid_set_state(r->world, r->body, pose_at(&r->drive, r->way), velocity, spin);
    cg_world_step(r->world);
    r->way += speed * TIME_STEP;
    cg_rigid_get_piercing(r->world, r->body, &now);
    return now;
}

// What was seen on the way in and back.
typedef struct trace {
    double entry, exit;           // [N] of the tip on the surface when it went through
    double inside, through, back; // [N] of resistance with the tip inside, beyond, and on the way back
    double depth;                 // [m] inside then
    cg_piercing last, end;
} trace;

static trace pierce(rig *r, double speed, double far, cg_plot *plot)
{
    trace t = {.entry = NAN, .exit = NAN, .inside = NAN, .through = NAN, .back = NAN};
    cg_piercing before = {0};
    for (int k = 0; r->way < far; k++) {
        cg_piercing now = go(r, speed);
        t.entry = now.entries > before.entries ? now.tip_force : t.entry;
        t.exit = now.exits > before.exits ? now.tip_force : t.exit;
        if (now.is_inside && now.tip_force == 0 && now.depth > 2e-3 && isnan(t.inside)) {
            t.inside = resistance(r) - CUT - DRAG * now.depth;
        }
        if (plot != NULL && k % 5 == 0) {
            cg_plot_add_point(plot, 0, 1e3 * r->way, resistance(r));
        }
        t.depth = now.depth;
        before = t.last = now;
    }
    t.through = resistance(r);
    for (int k = 0; r->way > 0; k++) {
        t.end = go(r, -speed);
        t.back = fabs(r->way - 0.5 * far) < speed * TIME_STEP ? resistance(r) : t.back;
        if (plot != NULL && k % 5 == 0) {
            cg_plot_add_point(plot, 1, 1e3 * r->way, resistance(r));
        }
    }
    return t;
}

// A skin is left as it was: the edges that the needle has split are whole again.
static void check_healed(cg_report *report, const rig *r, int links, double speed)
{
    cg_report_check(report, links, cg_tissue_get_summary(r->world, r->pad).link_count, 0, "1",
                    "edges of the skin when it is back, %g mm/s", 1e3 * speed);
}

static void insert(cg_report *report, bool is_curved, bool is_skin, double speed, double far, cg_plot *plot)
{
    const char *needle = is_skin ? "straight, in a skin" : is_curved ? "half circle" : "straight";
    rig r = {0};
    if (!build(&r, is_curved, is_skin)) {
        cg_report_trouble(report, "the world could not be built");
        cg_world_destroy(r.world);
        return;
    }
    int links = cg_tissue_get_summary(r.world, r.pad).link_count;
    trace t = pierce(&r, speed, far, plot);
    double mm = 1e3 * speed;
    cg_report_check(report, THRESHOLD, t.entry, 0.1, "N", "tip goes in, %s, %g mm/s", needle, mm);
    cg_report_check(report, THRESHOLD, t.exit, 0.1, "N", "tip comes out, %s, %g mm/s", needle, mm);
    if (!is_curved) {
        const char *in = is_skin ? ", in a skin" : "";
        cg_report_check(report, 0, t.inside, 0.02, "N", "force inside, less cutting and friction%s, %g mm/s", in, mm);
        cg_report_check(report, -DRAG * t.depth, t.back, 0.15, "N", "force on the way back%s, %g mm/s", in, mm);
    }
    if (is_skin) {
        check_healed(report, &r, links, speed);
    } else if (!is_curved) {
        // In a skin there is more to it: the needle is a bow of 0.2 m that goes straight down, and sideways both holes
        // give way less than a pad does.
        cg_report_check(report, DRAG * t.depth, t.through, 0.15, "N", "force through both surfaces, %g mm/s", mm);
    }
    cg_report_check(report, 2, t.last.holes, 0, "1", "holes when it is through, %s, %g mm/s", needle, mm);
    cg_report_check(report, 0, t.end.holes + t.end.points + t.end.is_inside + (double)t.last.forced, 0, "1",
                    "holes when it is back, %s, %g mm/s", needle, mm);
    cg_world_destroy(r.world);
}

static void run(cg_report *report)
{
    int number =
        cg_report_add_plot(report, "A straight needle through a pad of 4 mm, 30 mm/s", "way [mm]", "force [N]");
    cg_plot *plot = &report->plots[number];
    cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "in");
    cg_plot_add_series(plot, CG_SERIES_LINE, CG_VERMILION, "back");
    for (int k = report->thorough ? 0 : 1; k < SPEEDS; k++) {
        insert(report, false, false, speeds[k], 12e-3, speeds[k] == 30e-3 ? &report->plots[number] : NULL);
    }
    insert(report, true, false, 30e-3, 17.5e-3, NULL);
    for (int k = report->thorough ? 0 : 1; k < SPEEDS; k++) {
        insert(report, false, true, speeds[k], 12e-3, NULL);
    }
}
