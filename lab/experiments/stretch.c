// A hanging thread gets longer by F L / EA under a pull F.
#include "experiments/rig.h"
#include "support/special.h"
#include "support/vector.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_stretch = {
    .name = "stretch",
    .summary = "a hanging 3-0 nylon thread stretched by 1 N",
    .source = "Hooke: F L / EA",
    .run = run,
};

enum { PULLS = 4 };
static const double pulls[PULLS] = {0.1, 0.5, 1, 2}; // [N]

static void run(cg_report *report)
{
    int number = cg_report_add_plot(report, "A hanging thread stretched by a pull", "pull [N]", "lengthening [mm]");
    cg_plot *plot = &report->plots[number];
    snprintf(plot->subtitle, sizeof plot->subtitle, "0.3 m of 3-0 nylon, 100 vertices");
    plot->from_zero = true;

    cg_thread_def nylon = cg_thread_def_default();
    cg_rod rod = cg_rod_default();
    double area = CG_PI * nylon.radius * nylon.radius;
    rod.vertex_count = 100;
    rod.length = 0.3;
    rod.stretch = rod.bend = rod.twist = rod.linear_density = CG_FROM_MATERIAL;
    rod.start = CG_END_PINNED;
    rod.inertia = CG_TRUE_MASS;
    rod.drag = 50;
    rod.time_step = 0.01;
    rod.gravity = vec(9.81, 0, 0); // the thread is laid out along x: it hangs from its start
    double stiffness = nylon.youngs_modulus * area, weight = nylon.density * area * rod.length * 9.81;

    int line = cg_plot_add_series(plot, CG_SERIES_LINE, CG_BLUE, "F L / EA");
    cg_plot_add_point(plot, line, 0, 0);
    cg_plot_add_point(plot, line, 2, 2 * rod.length / stiffness * 1e3);
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");
    for (int k = 0; k < PULLS; k++) {
        cg_rig rig;
        bool good = cg_rig_open(&rig, &rod, report);
        if (good) {
            cg_rig_push(&rig, rod.vertex_count - 1, vec(pulls[k], 0, 0));
            good = cg_rig_settle(&rig, 1e-9, 4000);
        }
        if (good) {
            double measured = (cg_rig_tip(&rig).x - rod.length) * 1e3;
            // Its own weight pulls at the middle, on average.
            double expected = (pulls[k] + weight / 2) * rod.length / stiffness * 1e3;
            cg_report_add(report,
                          (cg_quantity){.published = pulls[k] * rod.length / stiffness * 1e3,
                                        .expected = expected,
                                        .measured = measured,
                                        .tolerance = 0.01,
                                        .unit = "mm"},
                          "lengthening under %g N", pulls[k]);
            cg_plot_add_point(plot, series, pulls[k], measured);
        }
        cg_rig_close(&rig);
    }
}
