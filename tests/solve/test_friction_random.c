// Many problems, random ones and ones met by a knot, checked by Coulomb's law itself.
#include "friction_rig.h"

static const char *const FILES[] = {"m2h1_p135", "m2h1_p150", "m2h25_p800", "m2h25_p880", "m3h1_p180",  "m3h1_p200",
                                    "m3h1_p220", "m3h1_p240", "m3h1_p260",  "m3h25_p480", "m3h25_p560", "m3h25_p800"};
enum { FILE_COUNT = 12 };

static void check_solved(rig *r, rig_solver solver, double tolerance)
{
    cg_friction_result result = rig_solve(r, solver, tolerance);
    CHECK(result.converged && result.residual <= tolerance);
    // Trace against largest eigenvalue: the check's lengths are at most a few times those of the residual.
    CHECK(rig_violation(r) <= 10 * tolerance * r->problem.length_scale);
}

TEST(well_posed)
{
    uint64_t state = 11;
    for (int trial = 0; trial < test_count(150, 3000); trial++) {
        int count = test_random_int(&state, 1, 25);
        rig r = rig_random(&state, count, 4 * count, 0.6);
        check_solved(&r, cg_friction_solve, 1e-10);
        check_solved(&r, cg_friction_newton, 1e-10);
        check_solved(&r, cg_friction_nncg, 1e-8);
        rig_free(&r);
    }
}

// Fewer ways to move than forces: the forces are not unique any more.
TEST(more_contacts_than_freedoms)
{
    uint64_t state = 12;
    for (int trial = 0; trial < test_count(100, 2000); trial++) {
        int count = test_random_int(&state, 4, 30);
        rig r = rig_random(&state, count, test_random_int(&state, 6, 2 * count), 0.5);
        check_solved(&r, cg_friction_solve, 1e-8);
        rig_free(&r);
    }
}

// Without friction the problem is a convex one: d_n of a solution is unique, and so are the normal forces where Q_nn
// is regular. All solvers must meet there, from any start.
TEST(without_friction_all_agree)
{
    uint64_t state = 13;
    const rig_solver solvers[] = {cg_friction_solve, cg_friction_newton, cg_friction_nncg, cg_friction_sweep};
    for (int trial = 0; trial < test_count(40, 1000); trial++) {
        int count = test_random_int(&state, 1, 20);
        rig r = rig_random(&state, count, 4 * count, 0);
        double first[60];
        for (int s = 0; s < 4; s++) {
            for (int c = 0; c < count; c++) {
                r.start[3 * c] = s % 2 ? test_random(&state, 0, 2) : 0;
            }
            check_solved(&r, solvers[s], 1e-10);
            for (int c = 0; c < count; c++) {
                CHECK(r.force[3 * c + 1] == 0 && r.force[3 * c + 2] == 0);
                first[c] = s == 0 ? r.force[3 * c] : first[c];
                CHECK_NEAR(r.force[3 * c], first[c], 1e-6);
            }
        }
        rig_free(&r);
    }
}

TEST(a_knot_warm_and_cold)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        rig r = rig_read(FILES[i]);
        check_solved(&r, cg_friction_solve, 1e-6);
        cg_friction_options options = cg_friction_options_default();
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        CHECK(cg_friction_solve(&r.problem, &options, &r.work).converged); // with the budget of the default
        memset(r.start, 0, 3 * (size_t)r.problem.count * sizeof(double));
        check_solved(&r, cg_friction_solve, 1e-6);
        rig_free(&r);
    }
}

// A solution is a good start: nothing is left to do.
TEST(a_solution_is_kept)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        rig r = rig_read(FILES[i]);
        CHECK(rig_solve(&r, cg_friction_solve, 1e-6).converged);
        memcpy(r.start, r.force, 3 * (size_t)r.problem.count * sizeof(double));
        cg_friction_result again = rig_solve(&r, cg_friction_solve, 1e-6);
        CHECK(again.converged);
        CHECK_INT(again.iterations, 0);
        for (int k = 0; k < 3 * r.problem.count; k++) { // forces on a cone may be put back on it
            CHECK_NEAR(r.force[k], r.start[k], 1e-14 * fabs(r.start[k]) + 1e-18);
        }
        rig_free(&r);
    }
}

// More or less friction than the knot had: most contacts slip, or most stick.
TEST(a_knot_with_other_friction)
{
    const double factors[] = {0, 0.3, 1.7, 4};
    for (int i = 0; i < FILE_COUNT; i++) {
        rig r = rig_read(FILES[i]);
        double mu = r.friction[0];
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < r.problem.count; c++) {
                r.friction[c] = factors[k] * mu;
            }
            check_solved(&r, cg_friction_solve, 1e-3);
        }
        rig_free(&r);
    }
}
