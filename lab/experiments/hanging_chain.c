// A chain that hangs from one point swings in modes whose frequencies are zeros of Laguerre polynomials: exactly so for
// N equal masses on N massless links, w^2 = lambda g N / L with L_N(lambda) = 0.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_hanging_chain = {
    .name = "hanging_chain",
    .summary = "periods of a hanging chain of N masses, first and second mode",
    .source = "Daniel Bernoulli 1733; discrete chain by Laguerre zeros",
    .run = run,
};

enum { CASES = 5, MOST_LINKS = 50 };
static const int links[CASES] = {5, 10, 20, 50, 20};
static const int modes[CASES] = {1, 1, 1, 1, 2};
static const double published_lambda[CASES] = {0.26356032, 0.13779347, 0.07053989, 0.02863052, CG_UNPUBLISHED};
static const double GRAVITY = 9.81, LENGTH = 0.3;

static double period_of(double lambda, int n)
{
    return 2 * CG_PI / sqrt(lambda * GRAVITY * n / LENGTH);
}

// The mode's shape, small: mass k from the lower end is displaced by the Laguerre polynomial of degree k.
static void lay_mode(cg_vec3 *positions, int n, double lambda, double amplitude)
{
    for (int i = 0; i <= n; i++) {
        positions[i].x = amplitude * (i == 0 ? 0 : cg_laguerre(n - i, lambda));
        positions[i].y = 0;
    }
    positions[0].z = 0;
    for (int i = 1; i <= n; i++) {
        double link = LENGTH / n, aside = positions[i].x - positions[i - 1].x;
        positions[i].z = positions[i - 1].z - sqrt(link * link - aside * aside);
    }
}

// A thread's end vertices carry half a segment; the lower one gets the other half added.
static bool make_masses_equal(cg_rig *rig)
{
    int n = rig->rod.vertex_count - 1;
    double half = rig->rod.linear_density * LENGTH / n / 2;
    cg_status status = cg_thread_set_added_mass(rig->world, rig->thread, n, half);
    if (status.code != CG_OK) {
        cg_report_trouble(rig->report, "adding mass: %s", status.message);
    }
    return status.code == CG_OK;
}

static double measure_period(cg_report *report, int n, double lambda)
{
    cg_vec3 positions[MOST_LINKS + 1];
    lay_mode(positions, n, lambda, 1e-3 * LENGTH);
    cg_rod rod = cg_rod_default();
    rod.vertex_count = n + 1;
    rod.length = LENGTH;
    rod.positions = positions;
    rod.start = CG_END_PINNED;
    rod.inertia = CG_TRUE_MASS;
    rod.gravity = vec(0, 0, -GRAVITY);
    double weight = rod.linear_density * GRAVITY * LENGTH;
    rod.bend = 1e-8 * weight * LENGTH * LENGTH;
    rod.twist = 0;
    rod.stretch = 1e5 * weight;
    rod.time_step = 2.5e-4;
    rod.line_search = false;
    cg_rig rig;
    cg_crossings crossings = {0};
    if (cg_rig_open(&rig, &rod, report) && make_masses_equal(&rig)) {
        double end = 2.4 * period_of(lambda, n);
        while (cg_world_time(rig.world) < end) {
            cg_crossings_add(&crossings, cg_world_time(rig.world), cg_rig_tip(&rig).x);
            cg_rig_step(&rig);
        }
    }
    cg_rig_close(&rig);
    return cg_crossings_period(&crossings);
}

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "Period of a hanging chain", "masses N",
                                    "period of the first mode \u00b7 \u221a(g / L)");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "0.3 m, bending stiffness all but zero, time step 0.25 ms");
    double unit = sqrt(GRAVITY / LENGTH);
    int curve = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "Laguerre zeros");
    for (int n = 2; n <= 55; n++) {
        cg_plot_add_point(plot, curve, n, period_of(cg_laguerre_zero(n, 1), n) * unit);
    }
    int limit = cg_plot_add_series(plot, CG_SERIES_DASHES, CG_INK, "continuous chain (Bessel)");
    double continuous = 4 * CG_PI / cg_bessel_j0_zero(1);
    cg_plot_add_point(plot, limit, 2, continuous);
    cg_plot_add_point(plot, limit, 55, continuous);
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");
    for (int k = 0; k < CASES; k++) {
        double lambda = cg_laguerre_zero(links[k], modes[k]);
        double measured = measure_period(report, links[k], lambda);
        cg_report_add(report,
                      (cg_quantity){.published = isnan(published_lambda[k]) ? CG_UNPUBLISHED
                                                                            : period_of(published_lambda[k], links[k]),
                                    .expected = period_of(lambda, links[k]),
                                    .measured = measured,
                                    .tolerance = 0.005,
                                    .unit = "s"},
                      "period, %d masses, mode %d", links[k], modes[k]);
        if (modes[k] == 1) {
            cg_plot_add_point(plot, series, links[k], measured * unit);
        }
    }
}
