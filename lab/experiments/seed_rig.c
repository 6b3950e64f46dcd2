#include "experiments/seed_rig.h"

#include <math.h>

#include "bench/bench.h"
#include "support/special.h"
#include "support/vector.h"
#include "world/world.h"

const char *const cg_seed_names[CG_SEED_KIND_COUNT] = {"torsion, 200 vertices", "reef knot, 150 vertices",
                                                       "reef knot, 600 vertices"};

static const double SLACK = 0.2;        // of the twisted thread's length
static const double STAGE = 2;          // [s] at each friction of the knot test
static const double SUTURE_LOAD = 0.05; // [N] on the ends of the long thread

bool cg_seed_clamp_thread(cg_report *report, cg_world **world, cg_thread_id *thread)
{
    cg_world_def world_def = cg_world_def_default();
    world_def.time_step = 5e-3;
    world_def.gravity = vec(0, 0, 0);
    world_def.max_contacts = 300;
    cg_vec3 points[CG_SEED_TORSION_VERTICES];
    double lengths[CG_SEED_TORSION_VERTICES], length = CG_SEED_TORSION_SPACING * (CG_SEED_TORSION_VERTICES - 1),
                                              height = 2 * sqrt(SLACK) / (2 * CG_PI) * length;
    for (int i = 0; i < CG_SEED_TORSION_VERTICES; i++) {
        double s = (double)i / (CG_SEED_TORSION_VERTICES - 1), lift = 0.5 * height * (1 - cos(2 * CG_PI * s));
        points[i] = vec((1 - SLACK) * length * s, 1e-3 * lift * sin(7 * s), lift);
        lengths[i] = CG_SEED_TORSION_SPACING;
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = CG_SEED_TORSION_VERTICES;
    def.positions = points;
    def.rest_lengths = lengths;
    def.radius = CG_SEED_TORSION_SPACING;
    def.stretch_stiffness = 2;
    def.bend_stiffness = 2e-10;
    def.twist_stiffness = CG_SEED_TWIST_STIFFNESS;
    def.linear_density = 1e-3;
    def.inertia = CG_LOW_MASS;
    def.drag = 0.04 / 186.73e-3 * 5e-3 / (def.linear_density * CG_SEED_TORSION_SPACING);
    def.friction = 0.95;
    for (int end = 0; end < 2; end++) {
        def.ends[end] = (cg_end_hold){.kind = CG_END_CLAMPED, .direction = vec(1, 0, 0)};
    }
    cg_status status = cg_world_create(&world_def, world);
    status = status.code == CG_OK ? cg_world_add_thread(*world, &def, thread) : status;
    if (status.code != CG_OK) {
        cg_report_trouble(report, "%s", status.message);
    }
    return status.code == CG_OK;
}

void cg_seed_turn_ends(cg_world *world, cg_thread_id thread, double turn)
{
    for (int end = 0; end < 2; end++) {
        cg_end_hold hold = cg_thread_get_end(world, thread, (cg_end)end);
        hold.turn = (end == CG_START ? -0.5 : 0.5) * turn;
        cg_thread_set_end(world, thread, (cg_end)end, &hold);
    }
}

// The third column of table 4.1: radius and rest length 0.1 mm, EA 200 N, EI 4e-9 N m2, five times the mobility of the
// knot test.
static cg_knot_setup suture_setup(void)
{
    cg_knot_setup setup = cg_knot_seed_setup(CG_CURVE_REEF, 1, CG_SEED_SUTURE_VERTICES, 0.95);
    double mobility = 186.73 / 37.35, shorter = 0.2;
    setup.curve.radius = setup.curve.spacing = 0.1e-3;
    setup.curve.gap = 3 * setup.curve.radius;
    setup.curve.loop_radius = 3e-3;
    setup.thread.bend_stiffness = 4e-9;
    setup.thread.drag /= mobility * shorter; // per mass, and a segment has less of it
    return setup;
}

bool cg_seed_test_open(cg_seed_test *test, cg_seed_kind kind, int iterations, cg_report *report)
{
    *test = (cg_seed_test){.kind = kind};
    bool good;
    if (kind == CG_SEED_TORSION) {
        good = cg_seed_clamp_thread(report, &test->world, &test->thread);
    } else {
        cg_knot_setup setup =
            kind == CG_SEED_SUTURE ? suture_setup() : cg_knot_seed_setup(CG_CURVE_REEF, 2, CG_SEED_KNOT_VERTICES, 0.95);
        good = cg_knot_rig_open(&test->rig, &setup, report);
        test->world = test->rig.world;
    }
    if (good && iterations > 0) {
        cg_knot_limit_solver(test->world, iterations);
        cg_world_set_newton(test->world, 1, 0, false);
    }
    if (good) {
        test->world->def.clock = cg_thread_cpu_seconds;
    }
    return good;
}

void cg_seed_test_step(cg_seed_test *test)
{
    double time = (test->step + 1) * 5e-3;
    if (test->kind == CG_SEED_TORSION) {
        cg_seed_turn_ends(test->world, test->thread, CG_SEED_TWIST_RATE * time);
    } else if (test->kind == CG_SEED_KNOT) {
        cg_knot_rig_set_friction(&test->rig, fmax(0.05, 0.95 - 0.05 * floor(time / STAGE)));
        cg_knot_rig_load(&test->rig, 1);
    } else {
        cg_knot_rig_load(&test->rig, SUTURE_LOAD);
    }
    cg_world_step(test->world);
    test->step++;
}

void cg_seed_test_close(cg_seed_test *test)
{
    if (test->kind == CG_SEED_TORSION) {
        cg_world_destroy(test->world);
    } else {
        cg_knot_rig_close(&test->rig);
    }
}
