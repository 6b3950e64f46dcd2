// The chain of links: what is known of it exactly. A link that is dragged along a line follows the tractrix, and its
// error halves with the parts into which the motion is cut. A chain of 200 links that two hands pull apart stays exact,
// and once it has no slack it asks both hands for the way that it lacks, alike.
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "experiments/experiment.h"
#include "support/special.h"
#include "thread/links.h"

static void run(cg_report *report);

const cg_experiment cg_experiment_follow_leader = {
    .name = "follow_leader",
    .summary = "a chain of links: the tractrix, exact lengths, and what a taut chain asks for",
    .source = "Stanford 4 (200 links); Huygens's tractrix",
    .run = run,
};

enum { NODES = 201, SIZES = 4 };
static const double LINK = 1e-3;

typedef struct chain {
    cg_links links;
    cg_vec3 position[NODES], before[NODES];
    double row[NODES], slope[NODES];
} chain;

static void lay(chain *c, int nodes)
{
    c->links = (cg_links){nodes, LINK, c->position, c->row, c->slope, c->before, NULL};
    for (int i = 0; i < nodes; i++) {
        c->position[i] = v3(LINK * i, 0, 0);
    }
}

// [links] How far the follower is from the tractrix after its leader went two links along y.
static double tractrix_error(chain *c, double part)
{
    lay(c, 2);
    cg_link_hold hold = {.node = 0, .target = v3(0, 2 * LINK, 0)};
    cg_links_follow(&c->links, &hold, 1, part * LINK);
    double angle = 2 * atan(exp(-2.0));
    return v3_distance(c->position[1], v3(LINK * sin(angle), LINK * (2 - cos(angle)), 0)) / LINK;
}

static void report_tractrix(cg_report *report, chain *c)
{
    int number = cg_report_add_plot(report, "A link dragged along a line", "part of a motion [links]", "error [links]");
    cg_plot *plot = &report->plots[number];
    plot->log_x = plot->log_y = true;
    int series = cg_plot_add_series(plot, CG_SERIES_POINTS, CG_VERMILION, "measured");
    double last = 0;
    for (int k = 0; k < SIZES; k++) {
        double part = 0.04 / (1 << k), error = tractrix_error(c, part);
        cg_plot_add_point(plot, series, part, error);
        if (k > 0) {
            cg_report_check(report, 2, last / error, 0.05, "1",
                            "tractrix: error at parts of %g links over half of them", 2 * part);
        }
        last = error;
    }
}

// Two hands take the ends to and fro, across each other, and apart until nothing is slack.
static void report_pull(cg_report *report, chain *c)
{
    lay(c, NODES);
    double worst = 0;
    cg_link_hold holds[2] = {{.node = 0}, {.node = NODES - 1}};
    for (int k = 0; k <= 400; k++) {
        double t = k / 400.0, apart = LINK * (NODES - 1) * (t < 0.9 ? cos(4 * t) * cos(4 * t) : 0.9 + 1.5 * (t - 0.9));
        holds[0].target = v3(-apart / 2, 5 * LINK * sin(20 * t), 3 * LINK * cos(9 * t));
        holds[1].target = v3(apart / 2, -3 * LINK * sin(13 * t), 0);
        cg_links_follow(&c->links, holds, 2, 0.3 * LINK);
        worst = fmax(worst, cg_links_error(&c->links));
    }
    cg_report_check(report, 0, worst / LINK, 1e-12, "links", "200 links between two hands: worst error of a length");
    double asked = v3_distance(holds[0].target, holds[1].target) - LINK * (NODES - 1);
    cg_report_check(report, asked / 2, v3_length(holds[0].lack), 1e-9, "m", "taut: way that the first hand lacks");
    cg_report_check(report, asked / 2, v3_length(holds[1].lack), 1e-9, "m", "taut: way that the second hand lacks");
}

static void run(cg_report *report)
{
    chain c;
    report_tractrix(report, &c);
    report_pull(report, &c);
}
