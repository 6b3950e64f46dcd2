// The spline thread with 20 control points, clamped at one end: bent by a load at its tip, and swinging.
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "constraint/bspline.h"
#include "experiments/constraint/dae_rig.h"
#include "support/elastica.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_spline_rod = {
    .name = "spline_rod",
    .summary = "a clamped spline thread of 20 control points: elastica, mass, first frequency",
    .source = "elastica in elliptic integrals; Euler and Bernoulli; SGPhysics 3.2.1",
    .run = run,
};

enum { LOADS = 3 };
static const double loads[LOADS] = {1, 5, 10};
static const double published_drop[LOADS] = {0.301721, 0.713792, 0.810609};
static const double published_draw[LOADS] = {0.056433, 0.387628, 0.554996};

static cg_dae *open_cantilever(int controls, double time_step, double drag, int *thread, cg_report *report)
{
    cg_dae_def def = cg_dae_def_default();
    def.gravity = v3_zero();
    def.time_step = time_step;
    cg_dae *dae = cg_dae_rig_open(&def, report);
    cg_spline_def spline = cg_spline_def_default();
    spline.control_count = controls;
    spline.mass_damping = drag;
    int pin;
    bool is_good = dae && cg_dae_rig_good(cg_dae_add_spline(dae, &spline, thread), report);
    if (is_good) {
        cg_rows rows = {CG_ROW_MEET, {cg_dae_on_spline(dae, *thread, 3, 0), cg_dae_given(v3_zero())}, 0};
        is_good = cg_dae_rig_good(cg_dae_add_rows(dae, &rows, 3, &pin), report) &&
                  cg_dae_rig_good(cg_dae_add_direction(dae, *thread, 3, v3(1, 0, 0), 3), report) &&
                  cg_dae_rig_good(cg_dae_prepare(dae), report);
    }
    if (!is_good) {
        cg_dae_destroy(dae);
        return NULL;
    }
    return dae;
}

static cg_part tip_of(const cg_dae *dae, int thread)
{
    return cg_dae_on_spline(dae, thread, cg_bspline_last(cg_dae_spline(dae, thread)->control_count), 0);
}

static double length_of(const cg_spline *spline)
{
    return spline->span_length * spline->span_count;
}

static void run_load(cg_report *report, int k)
{
    int thread;
    cg_dae *dae = open_cantilever(20, 0.02, 60, &thread, report);
    if (!dae) {
        return;
    }
    const cg_spline *spline = cg_dae_spline(dae, thread);
    double length = length_of(spline);
    cg_part tip = tip_of(dae, thread);
    cg_dae_push(dae, &tip, v3(0, 0, -loads[k] * spline->bend / (length * length)));
    if (cg_dae_rig_steps(dae, 600, report)) {
        cg_vec3 place = v3_scale(1 / length, cg_dae_part_place(dae, &tip));
        cg_tip exact = cg_elastica_tip_load(loads[k]);
        char name[64];
        snprintf(name, sizeof name, "tip drop, a = %g", loads[k]);
        cg_dae_rig_add(report, name, published_drop[k], exact.drop, -place.z, 0.005, "L");
        snprintf(name, sizeof name, "tip draw-in, a = %g", loads[k]);
        cg_dae_rig_add(report, name, published_draw[k], exact.draw, 1 - place.x, 0.005, "L");
    }
    cg_dae_destroy(dae);
}

// The sum of the mass matrix, by moving all control points alike: its kinetic energy is that of the whole thread.
static void run_mass(cg_report *report)
{
    cg_spline_def def = cg_spline_def_default();
    cg_allocator allocator = cg_memory_default();
    cg_spline spline;
    if (!cg_dae_rig_good(cg_spline_init(&spline, &def, &allocator), report)) {
        return;
    }
    double mass = 0;
    for (int span = 0; span < spline.span_count; span++) {
        cg_element_state state = {{0}, {0}, {0}};
        cg_element_wish wish = {0};
        cg_element_answer answer = {{0}, {0}};
        for (int i = 0; i < 4; i++) {
            state.x[4 * i] = spline.start[span + i].x;
            state.a[4 * i + 1] = 1;
        }
        cg_spline_forces(&spline, span, &state, &wish, &answer);
        mass -= answer.f[1] + answer.f[5] + answer.f[9] + answer.f[13];
    }
    double exact = 3.14159265358979323846 * def.radius * def.radius * def.density * def.length;
    cg_report_check(report, 1, mass / exact, 1e-12, "1", "mass, of density times volume");
    cg_spline_free(&spline);
}

static void run_frequency(cg_report *report)
{
    int thread, crossings = 0;
    cg_dae *dae = open_cantilever(20, 1e-3, 0, &thread, report);
    if (!dae) {
        return;
    }
    const cg_spline *spline = cg_dae_spline(dae, thread);
    double length = length_of(spline), *v = cg_dae_velocities(dae), first = 0, last = 0, before = 0;
    for (int i = 0; i < spline->control_count; i++) {
        double along = (i - 1.0) / spline->span_count;
        v[cg_dae_first_unknown(dae, thread) + 4 * i + 2] = 1e-3 * along * along;
    }
    cg_dae_project(dae);
    cg_part tip = tip_of(dae, thread);
    for (int n = 1; n <= 3200 && cg_dae_rig_steps(dae, 1, report); n++) {
        double now = cg_dae_part_place(dae, &tip).z;
        if (n > 800 && before < 0 && now >= 0) { // higher modes have died away
            last = n - now / (now - before);
            first = crossings++ == 0 ? last : first;
        }
        before = now;
    }
    double period = 1e-3 * (last - first) / (crossings - 1);
    double exact = 3.516015 * sqrt(spline->bend / (spline->line_density * pow(length, 4)));
    cg_report_check(report, exact, 2 * 3.14159265358979323846 / period, 0.01, "rad/s",
                    "first bending frequency, clamped and free");
    cg_dae_destroy(dae);
}

static void run(cg_report *report)
{
    for (int k = 0; k < LOADS; k++) {
        run_load(report, k);
    }
    run_mass(report);
    run_frequency(report);
}
