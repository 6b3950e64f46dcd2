// label: slow
// The pull test beside the experiments' own rig, which loads the same knots in the world itself; a thread that breaks
// in its knot; and the command.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/json_check.h"
#include "app/run_app.h"
#include "catgut/pull.h"
#include "experiments/knot_tied.h"
#include "harness.h"
#include "world/world.h"

static cg_tied_knot tie(cg_curve_kind kind, const char *notation, double friction)
{
    cg_report report = {0};
    cg_tied_knot knot;
    cg_tied_setup setup = cg_tied_setup_default(kind, 2, notation, friction);
    setup.time_step = 1e-3;
    if (!CHECK(cg_tied_begin(&knot, &setup, &report))) {
        exit(1);
    }
    CHECK(knot.snug && knot.certified);
    cg_report_free(&report);
    return knot;
}

static cg_pull_result pull(const cg_tied_knot *knot)
{
    cg_pull_def def = cg_tied_pull_def(knot);
    cg_pull_result result;
    uint64_t before = cg_world_state_hash(knot->rig.world);
    CHECK_STR(cg_pull_test(knot->rig.world, &def, &result).message, "");
    CHECK(cg_world_state_hash(knot->rig.world) == before);
    return result;
}

// Two rigs that hold the ends in other ways, at other steps: the same force.
TEST(a_granny_slips_at_the_force_that_the_rig_finds)
{
    cg_tied_knot knot = tie(CG_CURVE_GRANNY, "1x1", 0.35);
    cg_pull_result result = pull(&knot);
    double force = cg_tied_pull(&knot, 1.8e-3, 20);
    CHECK_INT(result.outcome, CG_PULL_SLIPPED);
    CHECK_STR(result.knot.throws_text, "1x1");
    CHECK(force > 0.2 && force < 1);
    CHECK_NEAR(result.force, force, 0.15 * force);
    cg_tied_end(&knot);
}

TEST(a_square_knot_holds_where_the_granny_slips)
{
    cg_tied_knot knot = tie(CG_CURVE_REEF, "1=1", 0.35);
    cg_pull_result result = pull(&knot);
    CHECK_INT(result.outcome, CG_PULL_HELD);
    CHECK_STR(result.knot.common, "square");
    CHECK(result.force >= 20 && result.slip < 0.5e-3);
    cg_tied_end(&knot);
}

// The legs of a knot that holds break at its bend, below their straight strength.
TEST(a_thread_that_can_break_breaks_in_its_knot)
{
    cg_tied_knot knot = tie(CG_CURVE_REEF, "1=1", 0.45);
    for (int k = 0; k < 2; k++) { // from now on, so that what was drawn is the same
        cg_world_find_thread(knot.rig.world, knot.rig.threads[k])->breaking_force = 10;
    }
    cg_pull_result result = pull(&knot);
    CHECK_INT(result.outcome, CG_PULL_BROKE);
    CHECK(result.force > 6 && result.force < 10);
    cg_tied_end(&knot);
}

TEST(the_command_loads_what_a_run_has_tied)
{
    app_run run = run_app("run " CATGUT_SOURCE_DIR "/scenes/reef.json --seconds 0.01 --snapshot pull-laid.cgr --force");
    CHECK_INT(run.code, 0);
    app_run_free(&run);
    run = run_app("pull pull-laid.cgr --json");
    CHECK_INT(run.code, 1); // as it is laid, without having been drawn, it slips
    CHECK(json_is_string(json_member(run.out, "outcome"), "slipped"));
    CHECK_STR(run.err, "");
    CHECK(json_is_valid(run.out));
    CHECK(json_is_string(json_member(run.out, "throws"), "1=1"));
    CHECK(json_member(run.out, "force") != NULL && json_member(run.out, "slip") != NULL);
    app_run_free(&run);
    run = run_app("pull pull-laid.cgr --thread nobody");
    CHECK_INT(run.code, 2);
    CHECK(strstr(run.err, "nobody") != NULL);
    app_run_free(&run);
    run = run_app("pull");
    CHECK_INT(run.code, 2);
    app_run_free(&run);
    remove("pull-laid.cgr");
}
