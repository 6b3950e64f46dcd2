// label: slow
// Every experiment passes, and its numbers are what the JSON promises. The bands are checked here once more, from the
// printed numbers alone.
#define _POSIX_C_SOURCE 200809L

#include <math.h>

#include "app/json_check.h"
#include "app/run_app.h"
#include "experiments/table.h"
#include "harness.h"

static double number_of(const char *object, const char *name)
{
    const char *at = json_member(object, name);
    return at && *at != 'n' ? strtod(at, NULL) : NAN;
}

static void check_quantity(const char *quantity, double largest_tolerance)
{
    double expected = number_of(quantity, "expected"), measured = number_of(quantity, "measured");
    double tolerance = number_of(quantity, "tolerance");
    CHECK(json_member(quantity, "published") != NULL);
    CHECK(json_member(quantity, "unit") != NULL && *json_member(quantity, "unit") == '"');
    if (expected != 0) {
        CHECK(tolerance <= largest_tolerance);
        CHECK_NEAR(measured / expected, 1, tolerance);
    } else {
        CHECK(fabs(measured) <= tolerance);
    }
}

static void check_with(const char *options, const char *name, int quantities, double largest_tolerance)
{
    char words[128];
    snprintf(words, sizeof words, "experiment %s --json %s", name, options);
    app_run run = run_app(words);
    CHECK_INT(run.code, 0);
    CHECK_STR(run.err, "");
    if (CHECK(json_is_valid(run.out))) {
        const char *list = json_member(run.out, "experiments");
        const char *only = json_item(list, 0);
        CHECK_INT(json_count(list), 1);
        CHECK(json_is_string(json_member(only, "name"), name));
        CHECK(json_member(only, "source") != NULL);
        CHECK(strncmp(json_member(only, "pass"), "true", 4) == 0);
        const char *rows = json_member(only, "quantities");
        CHECK_INT(json_count(rows), quantities);
        for (int i = 0; i < json_count(rows); i++) {
            check_quantity(json_item(rows, i), largest_tolerance);
        }
    }
    app_run_free(&run);
}

static void check_experiment(const char *name, int quantities, double largest_tolerance)
{
    check_with("", name, quantities, largest_tolerance);
}

// Knots and tissue take seconds: sanitizers see the same code in the tests of contact, knot, scene, suture
// and tissue.
static void check_knot_with(const char *options, const char *name, int quantities, double largest_tolerance)
{
    if (test_is_sanitized()) {
        test_skip("too slow under a sanitizer");
        return;
    }
    check_with(options, name, quantities, largest_tolerance);
}

static void check_knot_experiment(const char *name, int quantities, double largest_tolerance)
{
    check_knot_with("", name, quantities, largest_tolerance);
}

TEST(stretch)
{
    check_experiment("stretch", 4, 0.01);
}

TEST(cantilever_tip)
{
    check_experiment("cantilever_tip", 14, 0.1); // 0.1 for the order: 1.8 or better
}

TEST(cantilever_weight)
{
    check_experiment("cantilever_weight", 12, 0.005);
}

TEST(moment_circle)
{
    check_experiment("moment_circle", 4, 0.005);
}

TEST(euler_buckling)
{
    check_experiment("euler_buckling", 5, 0.01);
}

TEST(post_buckling)
{
    check_experiment("post_buckling", 18, 0.01);
}

TEST(catenary)
{
    check_experiment("catenary", 12, 0.005);
}

TEST(hanging_chain)
{
    check_experiment("hanging_chain", 5, 0.005);
}

TEST(bending_frequency)
{
    check_experiment("bending_frequency", 1, 0.01);
}

TEST(torque_buckling)
{
    check_experiment("torque_buckling", 2, 0.02);
}

TEST(michell_ring)
{
    check_experiment("michell_ring", 2, 0.02);
}

TEST(localised_helix)
{
    check_experiment("localised_helix", 9, 0.02);
}

TEST(bench_a)
{
    check_experiment("bench_a", 7, 0);
}

TEST(bench_b)
{
    check_experiment("bench_b", 11, 0.01);
}

TEST(capstan)
{
    check_knot_experiment("capstan", 9, 0.03);
}

TEST(knot_security)
{
    check_knot_experiment("knot_security", 12, 0);
}

TEST(knot_dissolve)
{
    check_knot_with(test_is_full() ? "--long" : "", "knot_dissolve", test_count(5, 10), 0.6);
}

TEST(holding)
{
    check_knot_experiment("holding", 9, 0);
}

TEST(knot_snug)
{
    check_knot_experiment("knot_snug", 6, 0.15);
}

TEST(sliding_reef)
{
    check_knot_experiment("sliding_reef", 5, 0.25);
}

TEST(overhand_law)
{
    check_knot_experiment("overhand_law", 9, 0.3);
}

TEST(torsion)
{
    check_knot_experiment("torsion", 3, 0);
}

TEST(pull_tight)
{
    check_knot_experiment("pull_tight", 8, 0.15);
}

TEST(knot_pull)
{
    check_knot_experiment("knot_pull", 30, 0.15);
}

// Their bands are of time, so only what they print is looked at.
static void check_timed_experiment(const char *name, int quantities)
{
    if (test_is_sanitized()) {
        test_skip("too slow under a sanitizer");
        return;
    }
    char words[128];
    snprintf(words, sizeof words, "experiment %s --json", name);
    app_run run = run_app(words);
    if (CHECK(json_is_valid(run.out))) {
        const char *rows = json_member(json_item(json_member(run.out, "experiments"), 0), "quantities");
        CHECK_INT(json_count(rows), quantities);
        for (int i = 0; i < json_count(rows); i++) {
            CHECK(number_of(json_item(rows, i), "measured") > 0);
        }
    }
    app_run_free(&run);
}

TEST(solver_scaling)
{
    check_timed_experiment("solver_scaling", 3);
}

TEST(coupling_time)
{
    check_timed_experiment("coupling_time", 10);
}

TEST(frame_time)
{
    check_timed_experiment("frame_time", 8);
}

TEST(gpu_thread)
{
    check_timed_experiment("gpu_thread", 20);
}

TEST(gpu_cloth)
{
    check_timed_experiment("gpu_cloth", 14);
}

TEST(cloth_sphere)
{
    check_experiment("cloth_sphere", 4, 0.01);
}

TEST(thread_cost)
{
    check_timed_experiment("thread_cost", 12);
}

TEST(grip)
{
    check_knot_experiment("grip", 24, 0.05);
}

TEST(passivity)
{
    check_knot_experiment("passivity", 25, 0.001);
}

TEST(device_pulling)
{
    check_knot_experiment("device_pulling", 9, 0.05);
}

TEST(felt_events)
{
    check_knot_experiment("felt_events", 17, 0.25);
}

TEST(wrap)
{
    check_knot_experiment("wrap", 8, 0.03);
}

TEST(handover)
{
    check_knot_experiment("handover", 6, 0);
}

TEST(press)
{
    check_knot_experiment("press", 5, 0.1);
}

TEST(stick)
{
    check_knot_experiment("stick", 5, 0.1);
}

TEST(lay)
{
    check_knot_experiment("lay", 10, 0.01);
}

TEST(over_a_lip)
{
    check_knot_experiment("over_a_lip", 28, 0.02);
}

TEST(round_a_vessel)
{
    check_knot_experiment("round_a_vessel", 12, 0.03);
}

TEST(tumble)
{
    check_knot_experiment("tumble", 12, 0.01);
}

TEST(lips)
{
    check_knot_experiment("lips", 12, 0);
}

TEST(sphere_tree)
{
    check_knot_experiment("sphere_tree", 9, 0.2);
}

TEST(quasi_static)
{
    check_knot_experiment("quasi_static", 27, 0);
}

TEST(modulus)
{
    check_knot_experiment("modulus", 18, 0.2);
}

TEST(gaping)
{
    check_knot_experiment("gaping", 11, 0.35);
}

TEST(cut)
{
    check_knot_experiment("cut", 19, 0.25);
}

TEST(drop)
{
    check_knot_experiment("drop", 7, 0.05);
}

TEST(rest)
{
    check_knot_experiment("rest", 14, 0.02);
}

TEST(slip)
{
    check_knot_experiment("slip", 86, 0.01);
}

TEST(stitched_lips)
{
    check_knot_experiment("stitched_lips", 2, 0);
}

TEST(closure)
{
    check_knot_experiment("closure", 27, 0);
}

TEST(needle_insertion)
{
    check_knot_experiment("needle_insertion", 46, 0.15);
}

TEST(running_suture)
{
    check_knot_experiment("running_suture", 12, 0.01);
}

TEST(break)
{
    check_knot_experiment("break", 9, 0.2);
}

TEST(tear)
{
    check_knot_experiment("tear", 38, 0.31);
}

TEST(edge_distance)
{
    check_knot_experiment("edge_distance", 9, 0.2);
}

TEST(published_and_expected_agree_where_both_are_theory)
{
    static const char *const names[] = {"cantilever_tip", "cantilever_weight", "euler_buckling",
                                        "post_buckling",  "catenary",          "torque_buckling",
                                        "michell_ring",   "localised_helix",   "hanging_chain"};
    for (int k = 0; k < 9; k++) {
        const cg_experiment *experiment = cg_experiment_find(names[k]);
        cg_report report = {0};
        experiment->run(&report);
        CHECK(report.plot_count > 0);
        for (int i = 0; i < report.quantity_count; i++) {
            const cg_quantity *q = &report.quantities[i];
            if (isfinite(q->published)) {
                CHECK_NEAR(q->expected, q->published, 4e-4 * fabs(q->published));
            }
        }
        cg_report_free(&report);
    }
}

TEST(a_quantity_off_its_band_fails)
{
    cg_report report = {0};
    CHECK(!cg_report_passes(&report)); // nothing was measured
    cg_report_add(&report, (cg_quantity){.expected = 2, .measured = 2.019, .tolerance = 0.01, .unit = "1"}, "in");
    CHECK(cg_report_passes(&report));
    cg_report_add(&report, (cg_quantity){.expected = 0, .measured = -0.5, .tolerance = 0.5, .unit = "1"}, "zero");
    CHECK(cg_report_passes(&report));
    cg_quantity off[] = {
        {.expected = 2, .measured = 2.021, .tolerance = 0.01, .unit = "1"},
        {.expected = -2, .measured = 2, .tolerance = 0.01, .unit = "1"},
        {.expected = 0, .measured = 0.51, .tolerance = 0.5, .unit = "1"},
        {.expected = 2, .measured = NAN, .tolerance = 0.01, .unit = "1"},
        {.expected = NAN, .measured = 2, .tolerance = 0.01, .unit = "1"},
    };
    for (int i = 0; i < 5; i++) {
        CHECK(!cg_quantity_passes(&off[i]));
    }
    cg_report_trouble(&report, "the %s broke", "rig");
    cg_report_trouble(&report, "later trouble");
    CHECK_STR(report.trouble, "the rig broke");
    CHECK(!cg_report_passes(&report));
    cg_report_free(&report);
}

TEST(five_models)
{
    check_knot_experiment("five_models", 10, 0.001);
}

TEST(follow_leader)
{
    check_experiment("follow_leader", 6, 0.05);
}

TEST(force_traces)
{
    check_knot_experiment("force_traces", 21, 0.02);
}

TEST(propagation)
{
    check_experiment("propagation", 11, 1e-12);
}

TEST(untie_spring)
{
    check_knot_experiment("untie_spring", 8, 0);
}

TEST(untie)
{
    check_knot_experiment("untie", 8, 0);
}

// Scenes and scripts are found from the folder of the source. Without --long one of each procedure is begun.
TEST(tie)
{
    CHECK_INT(chdir(CATGUT_SOURCE_DIR), 0);
    check_knot_experiment("tie", 6, 1);
}

// A part is a procedure, or one of its variations, which another seed draws otherwise.
TEST(a_part_of_tie)
{
    if (test_is_sanitized()) {
        test_skip("too slow under a sanitizer");
        return;
    }
    CHECK_INT(chdir(CATGUT_SOURCE_DIR), 0);
    app_run own = run_app("experiment tie/square/2 --json"), other = run_app("experiment tie/square/2 --json --seed 5");
    CHECK_INT(own.code, 0);
    CHECK_INT(other.code, 0);
    CHECK(strstr(own.out, "square 2: ") != NULL && strstr(own.out, "square: begun, of 1") != NULL);
    CHECK(strstr(own.out, "square 1: ") == NULL && strstr(own.out, "surgeon") == NULL);
    CHECK(strcmp(own.out, other.out) != 0);
    app_run_free(&own);
    app_run_free(&other);
}

TEST(pulling)
{
    check_knot_experiment("pulling", 7, 0.03);
}

// Those that no case here runs, and why.
static const struct {
    const char *name, *why;
} left_out[] = {
    {"haptic_loop", "its bands are of time, and it takes ten seconds of a clock"},
    {"rough", "tests/app/test_rough.c runs worlds of it; whole ones take ten seconds each"},
    {"spline_rod", "only in builds with SuiteSparse; tests/constraint looks at the same code"},
    {"dae_index", "only in builds with SuiteSparse; tests/constraint looks at the same code"},
    {"structures", "only in builds with SuiteSparse, and ten seconds"},
    {"dae_cost", "only in builds with SuiteSparse, and its bands are of time"},
    {"dae_suturing", "only in builds with SuiteSparse, and a quarter of a minute"},
};

TEST(every_experiment_is_run_or_left_out_for_a_reason)
{
    for (int i = 0; i < CG_EXPERIMENT_COUNT; i++) {
        const char *name = cg_experiments[i]->name, *why = NULL;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
            why = strcmp(left_out[k].name, name) == 0 ? left_out[k].why : why;
        }
        if (!CHECK(test_has_case(name) != (why != NULL))) {
            fprintf(stderr, "experiment %s\n", name);
        }
    }
}
