// label: slow
// Knots of the experiments are what they are called when the load comes, and one that is not is found out.
#include <math.h>

#include "experiments/knot_tied.h"
#include "harness.h"

typedef struct wanted {
    cg_curve_kind kind;
    int throws;
    const char *notation;
} wanted;

static cg_tied_knot tie(const wanted *w, double bend_share)
{
    cg_report report = {0};
    cg_tied_knot knot;
    cg_tied_setup setup = cg_tied_setup_default(w->kind, w->throws, w->notation, 0.35);
    setup.bend_share = bend_share;
    setup.time_step = 1e-3;
    CHECK(cg_tied_begin(&knot, &setup, &report));
    CHECK_STR(report.trouble, "");
    cg_report_free(&report);
    return knot;
}

// With tails that are free while it settles, stiff threads lose throws: three read as two, 2=1 as an overhand.
TEST(no_throw_is_lost_while_a_knot_is_drawn)
{
    static const wanted knots[] = {{CG_CURVE_REEF, 2, "1=1"},    {CG_CURVE_GRANNY, 2, "1x1"},
                                   {CG_CURVE_SURGEON, 2, "2=1"}, {CG_CURVE_SURGEON, 3, "2=1=1"},
                                   {CG_CURVE_REEF, 3, "1=1=1"},  {CG_CURVE_GRANNY, 3, "1x1x1"}};
    // With a sanitizer the first in nylon and the fourth in silk.
    for (int i = 0; i < (int)(sizeof knots / sizeof knots[0]); i += test_counts(1, 3, 1)) {
        for (int silk = test_counts(0, i % 2, 0); silk < 2; silk += test_counts(1, 2, 1)) {
            cg_tied_knot knot = tie(&knots[i], silk ? 0.05 : 1);
            CHECK(knot.snug && knot.certified);
            CHECK_STR(knot.read, knots[i].notation);
            cg_tied_end(&knot);
        }
    }
}

TEST(a_knot_that_is_not_what_was_wanted_is_not_certified)
{
    static const wanted wrong = {CG_CURVE_REEF, 2, "2=1"};
    cg_tied_knot knot = tie(&wrong, 1);
    CHECK(knot.snug && !knot.certified);
    CHECK_STR(knot.read, "1=1");
    CHECK(isnan(cg_tied_hold(&knot, 20))); // and holds nothing that could be compared
    cg_tied_end(&knot);
}

// Slip leaves the stretch of the threads out: a knot that holds lets its ends go far apart under 20 N.
TEST(stretch_is_no_slip)
{
    static const wanted surgeon = {CG_CURVE_SURGEON, 2, "2=1"};
    cg_tied_knot knot = tie(&surgeon, 1);
    double before = cg_knot_rig_distance(&knot.rig);
    CHECK_NEAR(cg_tied_slip(&knot), 0, 1e-12);
    CHECK_NEAR(cg_tied_pull(&knot, 1.8e-3, 20), 20, 0);
    CHECK(cg_knot_rig_distance(&knot.rig) - before > 2e-3);
    CHECK(cg_tied_slip(&knot) < 1e-3);
    cg_tied_end(&knot);
}
