// The solver: levels of constraints, both ways with multipliers, projection, redundant rows, heap, bits, bad input.
#include "constraint/dae.h"

#include <math.h>
#include <string.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "harness.h"

static const double g = 9.81;

static cg_dae *new_dae(const cg_dae_def *def)
{
    cg_dae *dae = NULL;
    CHECK_INT(cg_dae_create(def, &dae).code, CG_OK);
    return dae;
}

static void prepare(cg_dae *dae)
{
    cg_status status = cg_dae_prepare(dae);
    CHECK_STR(status.message, "");
}

static void steps(cg_dae *dae, int count)
{
    for (int i = 0; i < count; i++) {
        CHECK(cg_dae_step(dae).code == CG_OK);
    }
    CHECK_INT(cg_dae_get_stats(dae).failed_steps, 0);
}

// --- the spline thread ---

// Clamped at the origin along x, no gravity.
static cg_dae *new_cantilever(double time_step, double drag, int *thread)
{
    cg_dae_def def = cg_dae_def_default();
    def.gravity = v3_zero();
    def.time_step = time_step;
    cg_dae *dae = new_dae(&def);
    cg_spline_def spline = cg_spline_def_default();
    spline.mass_damping = drag;
    CHECK(cg_dae_add_spline(dae, &spline, thread).code == CG_OK);
    cg_rows pin = {CG_ROW_MEET, {cg_dae_on_spline(dae, *thread, 3, 0), cg_dae_given(v3_zero())}, 0};
    int ignored;
    CHECK(cg_dae_add_rows(dae, &pin, 3, &ignored).code == CG_OK);
    CHECK(cg_dae_add_direction(dae, *thread, 3, v3(1, 0, 0), 3).code == CG_OK);
    prepare(dae);
    return dae;
}

TEST(a_cantilever_bends_as_the_elastica_does)
{
    static const double loads[3] = {1, 5, 10};
    static const double drop[3] = {0.301721, 0.713792, 0.810609}, draw[3] = {0.056433, 0.387628, 0.554996};
    for (int k = 0; k < 3; k++) {
        int thread;
        cg_dae *dae = new_cantilever(0.02, 60, &thread);
        const cg_spline *spline = cg_dae_spline(dae, thread);
        double length = spline->span_length * spline->span_count;
        cg_part tip = cg_dae_on_spline(dae, thread, cg_bspline_last(spline->control_count), 0);
        cg_dae_push(dae, &tip, v3(0, 0, -loads[k] * spline->bend / (length * length)));
        steps(dae, 600);
        cg_vec3 place = cg_dae_part_place(dae, &tip);
        CHECK_NEAR(-place.z / length / drop[k], 1, 1e-4);
        CHECK_NEAR((1 - place.x / length) / draw[k], 1, 1e-4);
        CHECK_NEAR(place.y, 0, 1e-12);
        cg_dae_destroy(dae);
    }
}

// Zero crossings of the tip after the higher modes have died away: 3.516015 sqrt(B / (rho A L^4)).
TEST(a_cantilever_swings_at_its_first_frequency)
{
    int thread, crossings = 0;
    cg_dae *dae = new_cantilever(1e-3, 0, &thread);
    const cg_spline *spline = cg_dae_spline(dae, thread);
    double length = spline->span_length * spline->span_count, *v = cg_dae_velocities(dae), first = 0, last = 0;
    for (int i = 0; i < spline->control_count; i++) {
        double along = (i - 1.0) / spline->span_count;
        v[cg_dae_first_unknown(dae, thread) + 4 * i + 2] = 1e-3 * along * along;
    }
    CHECK(cg_dae_project(dae));
    cg_part tip = cg_dae_on_spline(dae, thread, cg_bspline_last(spline->control_count), 0);
    double before = 0;
    for (int n = 1; n <= 3200; n++) {
        cg_dae_step(dae);
        double now = cg_dae_part_place(dae, &tip).z;
        if (n > 800 && before < 0 && now >= 0) {
            last = n - now / (now - before);
            first = crossings++ == 0 ? last : first;
        }
        before = now;
    }
    double period = 1e-3 * (last - first) / (crossings - 1);
    double exact = 3.516015 * sqrt(spline->bend / (spline->line_density * pow(length, 4)));
    CHECK(crossings >= 3);
    CHECK_NEAR(2 * 3.14159265358979 / period / exact, 1, 0.003);
    cg_dae_destroy(dae);
}

// --- chains of bodies ---

enum { LINKS = 4 };

// Boxes of 0.1 m in a row along x, the first joined to the room.
static cg_dae *new_chain(int links, int index, cg_dae_multipliers multipliers, bool is_projected, double time_step)
{
    cg_dae_def def = cg_dae_def_default();
    def.multipliers = multipliers;
    def.time_step = time_step;
    def.project_position = def.project_velocity = is_projected;
    cg_dae *dae = new_dae(&def);
    for (int i = 0; i < links; i++) {
        cg_dae_rigid_def box = cg_dae_rigid_def_box(v3(0.1, 0.02, 0.02), 1000);
        box.position = v3(0.1 * i + 0.05, 0, 0);
        box.unit_index = index;
        int body;
        CHECK(cg_dae_add_rigid(dae, &box, &body).code == CG_OK);
        CHECK(cg_dae_add_ball(dae, i - 1, i, v3(0.1 * i, 0, 0), index).code == CG_OK);
    }
    prepare(dae);
    return dae;
}

// From rest, with e half the second-order term of the first motion over h: index 3 leaves (0, a, 3a/h), index 2
// (ah, 0, 2a/h), index 1 (3ah, 2a, 0).
TEST(the_first_step_obeys_the_law_of_its_index)
{
    double h = 1e-3, a = 0;
    for (int index = 3; index >= 1; index--) {
        cg_dae *dae = new_chain(LINKS, index, CG_DAE_MULTIPLIERS_UNKNOWN, false, h);
        double norms[3];
        steps(dae, 1);
        cg_dae_violations(dae, norms);
        a = index == 3 ? norms[1] : a;
        const double law[4][3] = {{0}, {3 * a * h, 2 * a, 0}, {a * h, 0, 2 * a / h}, {0, a, 3 * a / h}};
        for (int level = 0; level < 3; level++) {
            CHECK_NEAR(norms[level], law[index][level], fmax(0.01 * law[index][level], 1e-12));
        }
        steps(dae, 199);
        cg_dae_violations(dae, norms);
        CHECK(norms[3 - index] < 1e-9);
        CHECK(cg_dae_project(dae));
        cg_dae_violations(dae, norms);
        CHECK(norms[0] < 1e-10 && norms[1] < 1e-10);
        cg_dae_destroy(dae);
    }
    CHECK(a > 1e-7);
}

TEST(eliminated_multipliers_give_the_same_motion)
{
    for (int k = 0; k < 6; k++) {
        int index = 1 + k / 2;
        cg_dae_multipliers other = k % 2 == 0 ? CG_DAE_MULTIPLIERS_ELIMINATED : CG_DAE_ALL_DENSE;
        cg_dae *one = new_chain(LINKS, index, CG_DAE_MULTIPLIERS_UNKNOWN, true, 1e-3);
        cg_dae *two = new_chain(LINKS, index, other, true, 1e-3);
        steps(one, 100);
        steps(two, 100);
        const double *x = cg_dae_places(one), *y = cg_dae_places(two);
        double apart = 0;
        for (int i = 0; i < cg_dae_unknown_count(one); i++) {
            apart = fmax(apart, fabs(x[i] - y[i]));
        }
        CHECK_NEAR(apart, 0, 1e-11);
        CHECK(fabs(x[23]) > 0.01);
        cg_dae_destroy(one);
        cg_dae_destroy(two);
    }
}

// Chord iterations end at the same residual.
TEST(kept_factors_give_the_same_motion)
{
    cg_dae_def def = cg_dae_def_default();
    def.residual = 1e-14;
    double places[2] = {0};
    int factorisations[2] = {0};
    for (int k = 0; k < 2; k++) {
        def.keep_factors = k == 1;
        cg_dae *dae = new_dae(&def);
        int thread, pin;
        cg_spline_def spline = cg_spline_def_default();
        CHECK(cg_dae_add_spline(dae, &spline, &thread).code == CG_OK);
        cg_rows rows = {CG_ROW_MEET, {cg_dae_on_spline(dae, thread, 3, 0), cg_dae_given(v3_zero())}, 0};
        CHECK(cg_dae_add_rows(dae, &rows, 3, &pin).code == CG_OK);
        prepare(dae);
        for (int n = 0; n < 100; n++) {
            steps(dae, 1);
            factorisations[k] += cg_dae_get_stats(dae).factorisations;
        }
        places[k] = cg_dae_places(dae)[4 * 19 + 2];
        cg_dae_destroy(dae);
    }
    CHECK(places[0] < -0.01);
    CHECK_NEAR(places[1], places[0], 1e-8);
    CHECK(factorisations[1] < factorisations[0]);
}

// --- the pendulum ---

// The time from release at 90 degrees to the first rest on the other side, twice.
static double swing(double h, int index)
{
    cg_dae *dae = new_chain(1, index, CG_DAE_MULTIPLIERS_UNKNOWN, true, h);
    cg_part tip = cg_dae_point(dae, 0, v3(0.05, 0, 0));
    double before = -1, time = 0;
    for (int n = 1; n < 100000 && time == 0; n++) {
        cg_dae_step(dae);
        double rise = cg_dae_part_speed(dae, &tip).z;
        if (before > 0 && rise <= 0) {
            time = h * (n - 1 + before / (before - rise));
        }
        before = rise;
    }
    CHECK_INT(cg_dae_get_stats(dae).failed_steps, 0);
    cg_dae_destroy(dae);
    return 2 * time;
}

TEST(a_pendulum_from_90_degrees_has_its_period)
{
    cg_dae_rigid_def box = cg_dae_rigid_def_box((cg_vec3){0.1, 0.02, 0.02}, 1000);
    double inertia = box.inertia.y + box.mass * 0.05 * 0.05;
    double exact = 1.18034060 * 2 * 3.14159265358979 * sqrt(inertia / (box.mass * g * 0.05));
    for (int index = 1; index <= 3; index++) {
        double coarse = swing(1e-3, index), fine = swing(0.5e-3, index), finest = swing(0.25e-3, index);
        // first order: half the step, half the error; and without the error that is left
        double order = (coarse - fine) / (fine - finest);
        CHECK_NEAR(order, 2, 0.15);
        CHECK_NEAR((2 * finest - fine) / exact, 1, 0.001);
    }
}

// --- a closed loop ---

// Four bars in a square, hinges at the corners; the upper bar hangs by a point above its middle, so that the square is
// at rest as it is drawn, and a push of one side makes it swing.
static cg_dae *new_loop(double mass_damping)
{
    cg_dae_def def = cg_dae_def_default();
    def.residual = 1e-14;  // [N s] in a step of 1 ms: 1e-11 N
    def.violation = 1e-15; // [m] in a step of 1 ms: 1e-9 m/s2
    cg_dae *dae = new_dae(&def);
    double r = 0.1;
    const cg_vec3 corners[4] = {{0, 0, 0}, {r, 0, 0}, {r, 0, -r}, {0, 0, -r}};
    for (int i = 0; i < 4; i++) {
        cg_vec3 from = corners[i], to = corners[(i + 1) % 4];
        cg_dae_rigid_def bar = cg_dae_rigid_def_box(i % 2 == 0 ? v3(r, 0.01, 0.02) : v3(0.02, 0.01, r), 1000);
        bar.position = v3_scale(0.5, v3_add(from, to));
        bar.mass_damping = mass_damping;
        int body;
        CHECK(cg_dae_add_rigid(dae, &bar, &body).code == CG_OK);
    }
    CHECK(cg_dae_add_hinge(dae, -1, 0, v3(r / 2, 0, 0.05), v3(0, 1, 0), 3).code == CG_OK);
    for (int i = 0; i < 4; i++) {
        CHECK(cg_dae_add_hinge(dae, i, (i + 1) % 4, corners[(i + 1) % 4], v3(0, 1, 0), 3).code == CG_OK);
    }
    prepare(dae);
    return dae;
}

TEST(a_closed_loop_has_redundant_rows_and_hangs_still)
{
    cg_dae *dae = new_loop(10);
    // five hinges of five rows and four quaternions; in the plane the loop closes by two rows, not five
    CHECK_INT(cg_dae_get_stats(dae).rows, 29);
    CHECK_INT(cg_dae_get_stats(dae).redundant_rows, 3);
    cg_dae_velocities(dae)[7] = 0.5; // the right bar
    CHECK(cg_dae_project(dae));
    steps(dae, 6000);
    double norms[3], force[3], weight = 4 * 0.1 * 0.01 * 0.02 * 1000 * g;
    cg_dae_violations(dae, norms);
    CHECK(norms[0] < 1e-10 && norms[1] < 1e-10);
    cg_dae_force(dae, 4, force); // the hinge to the room comes after four quaternions
    CHECK_NEAR(force[0], 0, 1e-9);
    CHECK_NEAR(force[1], 0, 1e-9);
    CHECK_NEAR(fabs(force[2]), weight, 1e-9);
    double before[28];
    memcpy(before, cg_dae_places(dae), sizeof before);
    steps(dae, test_count(1000, 60000));
    for (int i = 0; i < 28; i++) {
        CHECK_NEAR(cg_dae_places(dae)[i], before[i], 1e-9);
    }
    CHECK_INT(cg_dae_get_stats(dae).redundant_rows, 3);
    cg_dae_destroy(dae);
}

TEST(a_point_held_twice_is_held_once)
{
    cg_dae_def def = cg_dae_def_default();
    cg_dae *dae = new_dae(&def);
    int thread, pin;
    cg_spline_def spline = cg_spline_def_default();
    CHECK(cg_dae_add_spline(dae, &spline, &thread).code == CG_OK);
    for (int k = 0; k < 2; k++) {
        cg_rows rows = {CG_ROW_MEET, {cg_dae_on_spline(dae, thread, 3, 0), cg_dae_given(v3_zero())}, 0};
        CHECK(cg_dae_add_rows(dae, &rows, 3, &pin).code == CG_OK);
    }
    prepare(dae);
    CHECK_INT(cg_dae_get_stats(dae).redundant_rows, 3);
    steps(dae, 50);
    cg_dae_destroy(dae);
}

// --- promises ---

TEST(a_step_takes_no_memory)
{
    cg_dae *chains[2] = {new_chain(LINKS, 3, CG_DAE_MULTIPLIERS_UNKNOWN, true, 1e-3),
                         new_chain(LINKS, 1, CG_DAE_MULTIPLIERS_ELIMINATED, true, 1e-3)};
    for (int k = 0; k < 2; k++) {
        cg_dae_step(chains[k]);
        long before = test_allocations(), frees = test_frees();
        for (int n = 0; n < 50; n++) {
            cg_dae_step(chains[k]);
        }
        CHECK_INT(test_allocations() - before, 0);
        CHECK_INT(test_frees() - frees, 0);
        cg_dae_destroy(chains[k]);
    }
}

TEST(the_same_system_gives_the_same_bits)
{
    uint64_t hashes[2], other = 0;
    for (int k = 0; k < 2; k++) {
        cg_dae *dae = new_loop(0.5);
        steps(dae, 100);
        hashes[k] = cg_dae_hash(dae);
        steps(dae, 1);
        other = cg_dae_hash(dae);
        cg_dae_destroy(dae);
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] != other);
}

TEST(bad_input_gets_a_sentence)
{
    cg_dae_def def = cg_dae_def_default();
    cg_dae *dae = NULL;
    def.time_step = 0;
    CHECK_INT(cg_dae_create(&def, &dae).code, CG_BAD_INPUT);
    CHECK(dae == NULL);
    def = cg_dae_def_default();
    def.iterations = CG_DAE_HISTORY;
    CHECK_INT(cg_dae_create(&def, &dae).code, CG_BAD_INPUT);
    def = cg_dae_def_default();
    dae = new_dae(&def);
    int body;
    cg_spline_def spline = cg_spline_def_default();
    spline.control_count = 3;
    CHECK_INT(cg_dae_add_spline(dae, &spline, &body).code, CG_BAD_INPUT);
    spline = cg_spline_def_default();
    spline.radius = NAN;
    CHECK_INT(cg_dae_add_spline(dae, &spline, &body).code, CG_BAD_INPUT);
    spline = cg_spline_def_default();
    CHECK_INT(cg_dae_add_spline(dae, &spline, &body).code, CG_OK);
    int abscissa;
    CHECK_INT(cg_dae_add_abscissa(dae, body, 2.9, &abscissa).code, CG_BAD_INPUT);
    CHECK_INT(cg_dae_add_abscissa(dae, 7, 4, &abscissa).code, CG_BAD_HANDLE);
    cg_dae_rigid_def box = cg_dae_rigid_def_box(v3(1, 1, 1), 1);
    box.rotation.w = 2;
    CHECK_INT(cg_dae_add_rigid(dae, &box, &body).code, CG_BAD_INPUT);
    CHECK_INT(cg_dae_add_ball(dae, 0, -1, v3_zero(), 3).code, CG_BAD_HANDLE);
    cg_rows rows = {CG_ROW_MEET, {{.kind = CG_PART_POINT, .first = 1000}, cg_dae_given(v3_zero())}, 0};
    CHECK_INT(cg_dae_add_rows(dae, &rows, 3, &body).code, CG_BAD_INPUT);
    CHECK_INT(cg_dae_step(dae).code, CG_BAD_INPUT);
    cg_dae_destroy(dae);
}
