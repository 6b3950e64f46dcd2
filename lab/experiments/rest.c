// A needle that lies on a table and on a pad: it does not tremble, stays for a minute where it is, weighs what it
// weighs, and slides where the tangent of the slope passes the coefficient of friction.
#include <math.h>

#include "catgut/catgut.h"
#include "experiments/experiment.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_rest = {
    .name = "rest",
    .summary = "a needle on a table and on a pad: no tremble in a minute, weight, friction angle",
    .source = "Coulomb's law on a slope; needle RB-1 of the catalogue",
    .run = run,
};

static const double FRICTION = 0.3, GRAVITY = 9.81; // [1], [m/s2]
static const double MINUTE = 60;                    // [s]
static const double SETTLING = 1.5;                 // [s] from its fall on
static const double STEPS[2] = {1e-3, 5e-3};        // [s]

typedef struct rig {
    cg_world *world;
    cg_rigid_id body;
    double weight; // [N]
} rig;

static cg_status add_ground(cg_world *world, bool is_pad)
{
    if (is_pad) {
        cg_tissue_def pad = cg_tissue_def_default();
        cg_tissue_id id;
        pad.size = vec(24e-3, 24e-3, 0);
        pad.friction = FRICTION;
        return cg_world_add_tissue(world, &pad, &id);
    }
    cg_shape_def table = cg_shape_def_default();
    cg_shape_id id;
    table.friction = FRICTION;
    return cg_world_add_shape(world, &table, &id);
}

// The needle falls from a millimetre, flat but for a little.
static bool build(rig *r, bool on_pad, double time_step)
{
    cg_world_def world = cg_world_def_default();
    cg_rigid_def def = cg_rigid_def_default();
    cg_needle_kind kind;
    if (!cg_needle_catalogue_find("RB-1", &kind, NULL, 0)) {
        return false;
    }
    cg_needle needle = cg_needle_kind_needle(&kind);
    world.time_step = time_step;
    world.gravity = vec(0, 0, -GRAVITY);
    def.needle = &needle;
    def.mass = kind.mass.value;
    def.friction = FRICTION;
    def.pose.position = vec(0, -2e-3, 1.5e-3);
    def.pose.rotation = (cg_quat){sqrt(0.5), 0.03, 0.05, sqrt(0.5)}; // its plane upon the ground
    r->weight = GRAVITY * kind.mass.value;
    return cg_world_create(&world, &r->world).code == CG_OK && add_ground(r->world, on_pad).code == CG_OK &&
           cg_world_add_rigid(r->world, &def, &r->body).code == CG_OK;
}

static void walk(rig *r, double seconds, double time_step)
{
    for (int i = 0; i < (int)(seconds / time_step + 0.5); i++) {
        cg_world_step(r->world);
    }
}

// Where three points of the needle are: its middle, tip and end.
static void look(const rig *r, cg_vec3 points[3])
{
    cg_needle_state state = {0};
    cg_rigid_get_needle_state(r->world, r->body, &state);
    points[0] = state.centre;
    points[1] = state.tip;
    points[2] = state.end;
}

static double farthest(const cg_vec3 a[3], const cg_vec3 b[3])
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, vec_length(vec_sub(a[i], b[i])));
    }
    return most;
}

static void lie(cg_report *report, bool on_pad, double time_step, double seconds)
{
    const char *ground = on_pad ? "pad" : "table";
    rig r = {0};
    if (!build(&r, on_pad, time_step)) {
        cg_report_trouble(report, "the world could not be built");
        cg_world_destroy(r.world);
        return;
    }
    cg_vec3 first[3], before[3], now[3];
    double most = 0;
    walk(&r, SETTLING, time_step);
    look(&r, first);
    for (int i = 0; i < (int)(seconds / time_step + 0.5); i++) {
        look(&r, before);
        cg_world_step(r.world);
        look(&r, now);
        most = fmax(most, farthest(now, before));
    }
    cg_rigid_info info = {0};
    cg_rigid_get_info(r.world, r.body, &info);
    cg_report_check(report, 0, most, 1e-9, "m", "motion in a step on a %s, steps of %g ms", ground, 1e3 * time_step);
    cg_report_check(report, 0, farthest(now, first), 1e-6, "m", "motion in %g s on a %s, steps of %g ms", seconds,
                    ground, 1e3 * time_step);
    cg_report_check(report, r.weight, info.force.z, 1e-6, "N", "what carries it on a %s, steps of %g ms", ground,
                    1e3 * time_step);
    cg_world_destroy(r.world);
}

// How far it goes in 0.3 s once gravity leans by the slope.
static double slide(cg_report *report, bool on_pad, double time_step, double tangent)
{
    rig r = {0};
    double way = NAN;
    if (build(&r, on_pad, time_step)) {
        cg_vec3 before[3], after[3];
        double cosine = 1 / sqrt(1 + tangent * tangent);
        walk(&r, SETTLING, time_step);
        cg_world_set_gravity(r.world, vec(GRAVITY * cosine * tangent, 0, -GRAVITY * cosine));
        walk(&r, 0.1, time_step); // the pad leans a little
        look(&r, before);
        walk(&r, 0.2, time_step);
        look(&r, after);
        way = vec_length(vec_sub(after[0], before[0]));
    } else {
        cg_report_trouble(report, "the world could not be built");
    }
    cg_world_destroy(r.world);
    return way;
}

// Where it begins to slide, by halving.
static double friction_tangent(cg_report *report, bool on_pad, double time_step)
{
    double low = 0.8 * FRICTION, high = 1.2 * FRICTION;
    for (int i = 0; i < 8; i++) {
        double middle = 0.5 * (low + high);
        if (slide(report, on_pad, time_step, middle) > 1e-5) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return 0.5 * (low + high);
}

static void run(cg_report *report)
{
    for (int on_pad = 0; on_pad < 2; on_pad++) {
        lie(report, on_pad, STEPS[0], 1);
        lie(report, on_pad, STEPS[1], MINUTE);
        cg_report_check(report, FRICTION, friction_tangent(report, on_pad, STEPS[1]), 0.01, "1",
                        "tangent at which it slides on a %s", on_pad ? "pad" : "table");
    }
}
