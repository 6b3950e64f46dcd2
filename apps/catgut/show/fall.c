#include <string.h>

#include "bench/bench.h"
#include "experiments/rig.h"
#include "show/show.h"
#include "support/elastica.h"
#include "support/special.h"
#include "support/vector.h"

static const double GRAVITY = 9.81;

static void describe(cg_rod *rod, cg_show_fall *fall)
{
    *rod = cg_rod_default();
    rod->vertex_count = CG_SHOW_VERTICES;
    rod->length = fall->length;
    rod->stretch = rod->bend = rod->twist = rod->linear_density = CG_FROM_MATERIAL;
    rod->start = CG_END_CLAMPED;
    rod->inertia = CG_TRUE_MASS;
    rod->drag = 3;
    rod->time_step = 1e-3;
    rod->gravity = vec(0, 0, -GRAVITY);
    rod->passes = 2;
    rod->line_search = false;
}

static void find_exact_rest(cg_show_fall *fall)
{
    cg_thread_def nylon = cg_thread_def_default();
    double bend_by_area = nylon.youngs_modulus * nylon.radius * nylon.radius / 4;
    double b = nylon.density * GRAVITY * pow(fall->length, 3) / bend_by_area;
    cg_tip tip = cg_elastica_own_weight(b, fall->exact_shape, CG_SHOW_VERTICES);
    fall->exact_tip_drop = tip.drop * fall->length;
}

bool cg_show_run_fall(cg_show_fall *fall, cg_report *report)
{
    enum { FLASH_STEPS = 30, TRACE_STEPS = 4, STEPS = 10000 };
    fall->length = 0.2;
    fall->flash_interval = FLASH_STEPS * 1e-3;
    find_exact_rest(fall);
    cg_rod rod;
    cg_rig rig;
    describe(&rod, fall);
    bool good = cg_rig_open(&rig, &rod, report);
    double start = cg_thread_cpu_seconds();
    for (int i = 0; good && i < STEPS; i++) {
        if (i % FLASH_STEPS == 0 && i / FLASH_STEPS < CG_SHOW_FLASHES) {
            memcpy(fall->flashes[i / FLASH_STEPS], cg_rig_points(&rig), sizeof fall->flashes[0]);
        }
        if (i % TRACE_STEPS == 0 && i / TRACE_STEPS < CG_SHOW_TRACE) {
            fall->trace[i / TRACE_STEPS] = cg_rig_tip(&rig);
        }
        cg_rig_step(&rig);
    }
    if (good) {
        fall->simulated_seconds = cg_world_time(rig.world);
        fall->real_time_factor = fall->simulated_seconds / (cg_thread_cpu_seconds() - start);
        memcpy(fall->rest, cg_rig_points(&rig), sizeof fall->rest);
        fall->tip_drop = -cg_rig_tip(&rig).z;
        if (rig.last_move > 1e-6 * fall->length) {
            cg_report_trouble(report, "the thread did not come to rest");
            good = false;
        }
    }
    cg_rig_close(&rig);
    return good;
}
