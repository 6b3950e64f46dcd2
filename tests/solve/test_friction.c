// Friction problems with known answers, problems that have none, and what a caller may rely on.
#include "alloc_count.h"
#include "friction_rig.h"

static const rig_solver SOLVERS[] = {cg_friction_solve, cg_friction_newton, cg_friction_nncg, cg_friction_sweep};
enum { SOLVER_COUNT = 4 };

// All solutions of one contact: open, stuck, and every direction of slip whose motion is opposed to it, found by
// scanning the circle. At most `most` of them.
static int search_solutions(const double g[9], const double c[3], double mu, double (*found)[3], int most)
{
    int count = 0;
    if (c[0] >= 0) {
        memset(found[count++], 0, 3 * sizeof(double));
    }
    double det =
        g[0] * (g[4] * g[8] - g[5] * g[7]) - g[1] * (g[3] * g[8] - g[5] * g[6]) + g[2] * (g[3] * g[7] - g[4] * g[6]);
    double f[3];
    for (int k = 0; k < 3; k++) { // Cramer, g f = -c
        double m[9];
        memcpy(m, g, sizeof m);
        for (int i = 0; i < 3; i++) {
            m[3 * i + k] = -c[i];
        }
        f[k] = (m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                m[2] * (m[3] * m[7] - m[4] * m[6])) /
               det;
    }
    if (f[0] > 0 && f[1] * f[1] + f[2] * f[2] <= mu * mu * f[0] * f[0]) {
        memcpy(found[count++], f, sizeof f);
    }
    enum { ANGLES = 4000 };
    double before = 0, before_angle = 0;
    for (int i = 0; i <= ANGLES && count < most; i++) {
        double angle = 6.283185307179586 * i / ANGLES, low = before_angle, high = angle, cross = 0;
        for (int halving = -1; halving < 60; halving++) { // the first look is at the angle itself
            double at = halving < 0 ? angle : 0.5 * (low + high), u = cos(at), v = sin(at);
            double normal = -c[0] / (g[0] + mu * (g[1] * u + g[2] * v));
            f[0] = normal;
            f[1] = mu * normal * u;
            f[2] = mu * normal * v;
            double d1 = c[1] + g[3] * f[0] + g[4] * f[1] + g[5] * f[2];
            double d2 = c[2] + g[6] * f[0] + g[7] * f[1] + g[8] * f[2];
            double across = u * d2 - v * d1, along = u * d1 + v * d2;
            if (halving < 0) {
                cross = across;
                if (i == 0 || before * cross >= 0) {
                    break;
                }
            } else if (halving == 59) {
                if (normal > 0 && along < 0) {
                    memcpy(found[count++], f, sizeof f);
                }
            } else if (across * before > 0) {
                low = at;
            } else {
                high = at;
            }
        }
        before = cross;
        before_angle = angle;
    }
    return count;
}

TEST(one_contact_against_search)
{
    uint64_t state = 7;
    int slips = 0, sticks = 0, circling = 0;
    for (int trial = 0; trial < test_count(200, 5000); trial++) {
        rig r = rig_random(&state, 1, 5, 0.8);
        r.motion[0] = test_random(&state, -1, 0.2);
        r.motion[1] *= trial % 2 ? 1 : 0.1;
        r.motion[2] *= trial % 2 ? 1 : 0.1;
        double found[16][3];
        int count = search_solutions(r.coupling, r.motion, r.friction[0], found, 16);
        for (int s = 0; s < SOLVER_COUNT; s++) {
            cg_friction_result result = rig_solve(&r, SOLVERS[s], 1e-11);
            if (s >= 2 && !result.converged) { // where normal and sideways motion are strongly tied, sweeps may circle
                circling++;
                continue;
            }
            CHECK(result.converged);
            double nearest = HUGE_VAL;
            for (int i = 0; i < count; i++) {
                double apart = 0, size = 1;
                for (int k = 0; k < 3; k++) {
                    apart = fmax(apart, fabs(found[i][k] - r.force[k]));
                    size = fmax(size, fabs(found[i][k]));
                }
                nearest = fmin(nearest, apart / size);
            }
            CHECK(nearest < 1e-5); // the residual is a length; soft directions turn it into larger forces
        }
        double d[3];
        rig_motion(&r, 0, d);
        slips += r.force[0] > 0 && hypot(d[1], d[2]) > 1e-6;
        sticks += r.force[0] > 0 && hypot(d[1], d[2]) <= 1e-6;
        rig_free(&r);
    }
    CHECK(slips > 10 && sticks > 10);
    CHECK(circling <= 2 + test_count(200, 5000) / 1000);
}

// Q and a part that turns motions across forces, (a b^T - b a^T), which does no work: as solvable as without it, and
// nothing of it may be mirrored.
static rig make_uneven(uint64_t *state, int count)
{
    rig r = rig_random(state, count, 3 * count + 4, 0.6);
    int size = 3 * count;
    double a[3 * RIG_MOST], b[3 * RIG_MOST];
    for (int i = 0; i < size; i++) {
        a[i] = test_random(state, -1.5, 1.5);
        b[i] = test_random(state, -1.5, 1.5);
    }
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            *rig_entry(&r, i, j) += a[i] * b[j] - b[i] * a[j];
        }
    }
    r.problem.is_uneven = true;
    return r;
}

TEST(uneven_couplings)
{
    uint64_t state = 12;
    int steps = 0;
    for (int trial = 0; trial < test_count(40, 1000); trial++) {
        rig r = make_uneven(&state, 2 + trial % 12);
        cg_friction_result result = rig_solve(&r, cg_friction_solve, 1e-9);
        CHECK(result.converged);
        CHECK(rig_violation(&r) < 1e-6);
        steps += result.newton_steps;
        rig_free(&r);
    }
    CHECK(steps > 0); // not by sweeps alone
}

// A block of mass m on a plane inclined by an angle: it slides when tan(angle) > mu, then by h^2 g (sin - mu cos).
TEST(a_block_on_an_incline)
{
    const double mass = 0.02, h = 0.01, gravity = 9.81, mu = 0.4;
    const double angles[] = {0.1, 0.3, 0.38, 0.385, 0.5, 1.2}; // atan 0.4 = 0.3805
    for (int i = 0; i < 6; i++) {
        for (int s = 0; s < SOLVER_COUNT; s++) {
            rig r = rig_make(1);
            for (int k = 0; k < 3; k++) {
                *rig_entry(&r, k, k) = h * h / mass;
            }
            double down = h * h * gravity * sin(angles[i]), press = h * h * gravity * cos(angles[i]);
            r.motion[0] = -press;
            r.motion[1] = 0.6 * down;
            r.motion[2] = 0.8 * down;
            r.friction[0] = mu;
            r.problem.length_scale = 1e-3;
            CHECK(rig_solve(&r, SOLVERS[s], 1e-9).converged);
            double d[3], slide = fmax(0, down - mu * press);
            rig_motion(&r, 0, d);
            CHECK_NEAR(d[0], 0, 1e-12);
            CHECK_NEAR(d[1], 0.6 * slide, 1e-11);
            CHECK_NEAR(d[2], 0.8 * slide, 1e-11);
            CHECK_NEAR(r.force[0], mass * gravity * cos(angles[i]), 1e-8);
            CHECK((slide > 0) == (tan(angles[i]) > mu));
            rig_free(&r);
        }
    }
}

// Blocks of equal mass on top of each other, contact 0 on the floor, and a push on the top one.
static rig make_stack(int count, double mass, double push)
{
    rig r = rig_make(count);
    const double h = 0.01;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) { // d_i = u_i - u_(i-1), u = h^2 / m (f_i - f_(i+1))
            *rig_entry(&r, 3 * i + k, 3 * i + k) = h * h / mass * (i == 0 ? 1 : 2);
            if (i > 0) {
                *rig_entry(&r, 3 * i + k, 3 * (i - 1) + k) = -h * h / mass;
                *rig_entry(&r, 3 * (i - 1) + k, 3 * i + k) = -h * h / mass;
            }
        }
        r.friction[i] = 0.5;
    }
    r.motion[0] = -h * h * 9.81; // the others fall together
    r.motion[3 * (count - 1) + 1] += h * h / mass * push;
    r.problem.length_scale = 1e-3;
    return r;
}

TEST(a_stack_carries_its_weight)
{
    for (int count = 2; count <= 20; count += 6) {
        for (int s = 0; s < SOLVER_COUNT; s++) {
            const double mass = 0.03, weight = mass * 9.81;
            for (int slides = 0; slides < 2; slides++) {
                double push = weight * (slides ? 0.7 : 0.3), held = fmin(push, 0.5 * weight);
                rig r = make_stack(count, mass, push);
                CHECK(rig_solve(&r, SOLVERS[s], 1e-9).converged);
                for (int i = 0; i < count; i++) {
                    CHECK_NEAR(r.force[3 * i], weight * (count - i), 1e-6);
                    CHECK_NEAR(r.force[3 * i + 1], -held, 1e-6);
                    CHECK_NEAR(r.force[3 * i + 2], 0, 1e-6);
                }
                double d[3];
                rig_motion(&r, count - 1, d);
                CHECK_NEAR(d[1], (push - held) * 1e-4 / mass, 1e-9);
                rig_free(&r);
            }
        }
    }
}

// More carrying contacts than the Newton solver takes in, as one problem.
TEST(many_stacks)
{
    enum { HIGH = 12, STACKS = CG_FRICTION_NEWTON_LIMIT / HIGH + 2 };
    const double mass = 0.03, weight = mass * 9.81, push = 0.3 * weight;
    rig one = make_stack(HIGH, mass, push), r = rig_make(HIGH * STACKS);
    r.problem.length_scale = one.problem.length_scale;
    for (int k = 0; k < STACKS; k++) {
        for (int a = 0; a < 3 * HIGH; a++) {
            r.motion[3 * HIGH * k + a] = one.motion[a];
            r.friction[HIGH * k + a / 3] = one.friction[a / 3];
            for (int b = 0; b < 3 * HIGH; b++) {
                *rig_entry(&r, 3 * HIGH * k + a, 3 * HIGH * k + b) = *rig_entry(&one, a, b);
            }
        }
    }
    cg_friction_result result = rig_solve(&r, cg_friction_newton, 1e-7);
    CHECK(result.converged);
    CHECK_INT(result.pivots, 0);
    for (int i = 0; i < HIGH * STACKS; i++) {
        CHECK_NEAR(r.force[3 * i], weight * (HIGH - i % HIGH), 1e-5);
        CHECK_NEAR(r.force[3 * i + 1], -push, 1e-5);
    }
    rig_free(&one);
    rig_free(&r);
}

// The same contact several times: forces are not unique, their sum and the motion are.
TEST(duplicates_share_the_load)
{
    for (int s = 0; s < SOLVER_COUNT; s++) {
        rig r = rig_make(5);
        for (int a = 0; a < 15; a++) {
            for (int b = 0; b < 15; b++) {
                *rig_entry(&r, a, b) = a % 3 == b % 3 ? 0.2 : 0;
            }
            r.motion[a] = a % 3 == 0 ? -1 : a % 3 == 1 ? 0.7 : 0;
        }
        for (int c = 0; c < 5; c++) {
            r.friction[c] = 0.3;
        }
        CHECK(rig_solve(&r, SOLVERS[s], 1e-10).converged);
        double normal = 0, along = 0;
        for (int c = 0; c < 5; c++) {
            normal += r.force[3 * c];
            along += r.force[3 * c + 1];
        }
        CHECK_NEAR(normal, 5, 1e-8);
        CHECK_NEAR(along, -1.5, 1e-8);
        CHECK(rig_violation(&r) < 1e-9);
        rig_free(&r);
    }
}

TEST(nothing_and_what_cannot_move)
{
    for (int s = 0; s < SOLVER_COUNT; s++) {
        rig none = rig_make(0);
        cg_friction_result result = rig_solve(&none, SOLVERS[s], 1e-6);
        CHECK(result.converged && result.residual == 0);
        rig_free(&none);

        rig fixed = rig_make(6); // no compliance at all
        for (int c = 0; c < 6; c++) {
            fixed.motion[3 * c] = 0.1;
            fixed.friction[c] = 0.3;
            fixed.start[3 * c] = 2;
        }
        CHECK(rig_solve(&fixed, SOLVERS[s], 1e-6).converged);
        CHECK(fixed.force[0] == 0 && fixed.force[15] == 0);
        fixed.motion[9] = -0.25; // and one that is pressed in: nothing helps
        result = rig_solve(&fixed, SOLVERS[s], 1e-6);
        CHECK(!result.converged);
        CHECK_NEAR(result.residual, 0.25, 1e-12);
        rig_free(&fixed);
    }
}

static bool in_cones(const rig *r)
{
    for (int c = 0; c < r->problem.count; c++) {
        const double *f = r->force + 3 * c;
        double mu = isfinite(r->friction[c]) ? fmax(r->friction[c], 0) : 0;
        if (!isfinite(f[0] + f[1] + f[2]) || f[0] < 0 || hypot(f[1], f[2]) > mu * f[0] * (1 + 1e-12)) {
            return false;
        }
    }
    return true;
}

// Two walls that both want the same point pushed out: no force does it.
TEST(a_wedge_is_told)
{
    for (int s = 0; s < SOLVER_COUNT; s++) {
        rig r = rig_make(2);
        for (int a = 0; a < 6; a++) {
            for (int b = 0; b < 6; b++) {
                *rig_entry(&r, a, b) = a % 3 != b % 3 ? 0 : a / 3 == b / 3 ? 1 : -1;
            }
        }
        r.motion[0] = r.motion[3] = -1;
        r.friction[0] = r.friction[1] = 0.3;
        cg_friction_options options = cg_friction_options_default();
        cg_friction_result result = SOLVERS[s](&r.problem, &options, &r.work);
        CHECK(!result.converged && result.residual >= 0.5);
        CHECK(in_cones(&r));
        CHECK(result.iterations <= options.max_iterations + 10);
        rig_free(&r);
    }
}

TEST(numbers_that_are_not_finite)
{
    uint64_t state = 8;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int s = 0; s < SOLVER_COUNT; s++) {
        for (int b = 0; b < 4; b++) {
            for (int where = 0; where < 5; where++) {
                rig r = rig_random(&state, 6, 18, 0.5);
                int at = test_random_int(&state, 0, 17);
                *(where == 0   ? rig_entry(&r, at, test_random_int(&state, 0, 17))
                  : where == 1 ? &r.motion[at]
                  : where == 2 ? &r.friction[at / 3]
                  : where == 3 ? &r.start[at]
                               : &r.problem.length_scale) = bad[b];
                cg_friction_options options = cg_friction_options_default();
                memcpy(r.force, r.start, 18 * sizeof(double));
                cg_friction_result result = SOLVERS[s](&r.problem, &options, &r.work);
                CHECK(in_cones(&r));
                CHECK(!isnan(result.residual));
                bool is_harmless = where == 3 || bad[b] == 1e300;
                CHECK(is_harmless || !result.converged);
                CHECK(where != 3 || result.converged); // a bad warm start is only a bad start
                rig_free(&r);
            }
        }
    }
}

TEST(contacts_of_very_different_size)
{
    uint64_t state = 9;
    for (int trial = 0; trial < 20; trial++) {
        rig r = rig_random(&state, 8, 30, 0.5);
        for (int c = 0; c < 8; c++) { // forces in other units, from 1e-6 to 1e6
            double unit = pow(10, test_random_int(&state, -6, 6));
            for (int a = 0; a < 24; a++) {
                for (int k = 0; k < 3; k++) {
                    *rig_entry(&r, 3 * c + k, a) *= unit;
                    *rig_entry(&r, a, 3 * c + k) *= unit;
                }
            }
            for (int k = 0; k < 3; k++) {
                r.motion[3 * c + k] *= unit;
            }
        }
        CHECK(rig_solve(&r, cg_friction_solve, 1e-6).converged);
        CHECK(in_cones(&r));
        CHECK(rig_violation(&r) < 1e-5);
        rig_free(&r);
    }
}

TEST(groups_apart_equal_groups_together)
{
    uint64_t state = 10;
    for (int trial = 0; trial < 20; trial++) {
        rig a = rig_random(&state, test_random_int(&state, 1, 9), 40, 0.5);
        rig b = rig_random(&state, test_random_int(&state, 4, 9), 40, 0.5);
        int first = a.problem.count, second = b.problem.count, all = first + second;
        rig both = rig_make(all); // their contacts take turns as long as both have some
        int place[18], at = 0;
        for (int i = 0; i < 9; i++) {
            if (i < first) {
                place[i] = at++;
            }
            if (i < second) {
                place[first + i] = at++;
            }
        }
        for (int i = 0; i < all; i++) {
            rig *from = i < first ? &a : &b;
            int own = i < first ? i : i - first;
            both.friction[place[i]] = from->friction[own];
            for (int k = 0; k < 3; k++) {
                both.motion[3 * place[i] + k] = from->motion[3 * own + k];
                for (int j = 0; j < all; j++) {
                    for (int l = 0; l < 3 && (j < first) == (i < first); l++) {
                        int other = j < first ? j : j - first;
                        *rig_entry(&both, 3 * place[i] + k, 3 * place[j] + l) =
                            *rig_entry(from, 3 * own + k, 3 * other + l);
                    }
                }
            }
        }
        int group[18];
        CHECK_INT(cg_friction_groups(&both.problem, group, &both.work), 2);
        for (int i = 0; i < all; i++) {
            CHECK_INT(group[place[i]], i < first ? group[place[0]] : group[place[first]]);
        }
        CHECK_INT(group[0], 0);
        cg_friction_result x = rig_solve(&a, cg_friction_solve, 1e-9), y = rig_solve(&b, cg_friction_solve, 1e-9);
        cg_friction_result z = rig_solve(&both, cg_friction_solve, 1e-9);
        CHECK(x.converged && y.converged && z.converged);
        CHECK_INT(z.iterations, x.iterations + y.iterations);
        CHECK_INT(z.pivots, x.pivots + y.pivots);
        CHECK(z.residual == fmax(x.residual, y.residual));
        for (int i = 0; i < all; i++) {
            const double *apart = i < first ? &a.force[3 * i] : &b.force[3 * (i - first)];
            CHECK(memcmp(apart, &both.force[3 * place[i]], 3 * sizeof(double)) == 0);
        }
        CHECK(rig_solve(&both, cg_friction_newton, 1e-9).converged); // and in one piece
        CHECK(rig_violation(&both) < 1e-8);
        rig_free(&a);
        rig_free(&b);
        rig_free(&both);
    }
}

TEST(budgets_are_kept)
{
    rig r = rig_read("m3h1_p180");
    for (int s = 0; s < SOLVER_COUNT; s++) {
        cg_friction_options options = {
            .tolerance = 1e-12, .max_iterations = 25, .max_newton_steps = 2, .max_pivots = 60, .patience = 3};
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        cg_friction_result result = SOLVERS[s](&r.problem, &options, &r.work);
        CHECK(!result.converged && isfinite(result.residual));
        CHECK(result.iterations <= 25 + 18); // the sweeps of one Newton step are made whole
        CHECK(result.newton_steps <= 2 && result.pivots <= 60);
        CHECK(in_cones(&r));
        double residual = cg_friction_residual(&r.problem, &r.work);
        CHECK_NEAR(result.residual, residual, 1e-12 * residual);
        options = cg_friction_options_default(); // the start will do, but a minimum is asked for
        options.tolerance = 1e9;
        options.min_iterations = 7;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        result = SOLVERS[s](&r.problem, &options, &r.work);
        CHECK(result.converged && result.iterations >= 7 && result.iterations <= 12);
    }
    rig_free(&r);
}

// Where a tolerance is out of reach the work ends the call, soon after its bound, with the best forces so far.
TEST(the_bound_on_work_is_kept)
{
    rig r = rig_read("m3h1_p180");
    int64_t columns = 3 * (int64_t)r.problem.count, sweep = columns * columns;
    double before = HUGE_VAL;
    for (int bound = 3; bound <= 75; bound *= 5) {
        cg_friction_options options = cg_friction_options_default();
        options.tolerance = 1e-300;
        options.max_work = bound * sweep;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        cg_friction_result result = cg_friction_solve(&r.problem, &options, &r.work);
        CHECK(!result.converged && result.work >= options.max_work);
        CHECK(result.work < options.max_work + columns * sweep / 3); // what is begun is made whole: at most one factor
        CHECK(in_cones(&r) && result.residual <= before);
        before = result.residual;
    }
    rig_free(&r);
}

// A tolerance out of reach: the whole budget goes, or a fifth of it once the residual is enough.
TEST(what_is_enough_gets_a_fifth_of_the_budget)
{
    rig r = rig_read("m3h1_p180");
    for (int k = 0; k < 2; k++) {
        cg_friction_options options = cg_friction_options_default();
        options.tolerance = 1e-300;
        options.max_pivots = 1000000;
        options.enough = k == 0 ? 0 : 1e-3;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        cg_friction_result result = cg_friction_solve(&r.problem, &options, &r.work);
        bool spent = result.iterations >= 2000 || result.newton_steps >= 60;
        CHECK(k == 0 ? spent : !spent);
        CHECK(result.residual <= 1e-3);
    }
    rig_free(&r);
}

TEST(solving_does_not_allocate)
{
    rig r = rig_read("m3h1_p260"); // calls the interior-point method too
    long before = test_allocations();
    int rescues = 0;
    for (int s = 0; s < SOLVER_COUNT; s++) {
        cg_friction_options options = rig_options(1e-6);
        options.max_iterations = 2000;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        rescues += SOLVERS[s](&r.problem, &options, &r.work).rescues;
    }
    long after = test_allocations();
    CHECK_INT(after - before, 0);
    CHECK(rescues > 0);
    rig_free(&r);
}

// Where it is told that nothing is near, the interior-point method comes first: no step of Newton before it, and it
// alone brings hard problems below the tolerance.
TEST(what_is_far_goes_to_the_interior_point_method_first)
{
    static const char *const names[] = {"m2h1_p150", "m3h1_p200", "m3h1_p220"};
    int steps = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rig r = rig_read(names[i]);
        cg_friction_options options = rig_options(1e-3);
        options.far = 0.02;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        cg_friction_result result = cg_friction_newton(&r.problem, &options, &r.work);
        CHECK(result.converged);
        CHECK_INT(result.rescues, 1);
        steps += result.newton_steps;
        CHECK_INT(result.pivots, 0);
        CHECK(result.residual <= 1e-3);
        CHECK(cg_friction_residual(&r.problem, &r.work) <= 1e-3);
        options.far = 0;
        options.patience = 1000;
        memcpy(r.force, r.start, 3 * (size_t)r.problem.count * sizeof(double));
        CHECK_INT(cg_friction_newton(&r.problem, &options, &r.work).rescues, 0);
        rig_free(&r);
    }
    CHECK(steps <= 42); // 38; without the correction 51
}

// Throws that are locked over a wound: all contacts carry, and thread slides through holes with friction. With the
// shift held through a step none of them came below 0.001 in a hundred steps; with one that follows the slip each takes
// one call, from the old forces and from none. An even problem is tried with the shift held before.
TEST(locked_throws_of_a_stitch)
{
    static const char *const names[] = {"uneven_32", "uneven_48", "uneven_50", "even_48"};
    for (int i = 0; i < 4; i++) {
        rig r = rig_read_stitch(names[i]);
        cg_friction_options options = cg_friction_options_default();
        options.far = 0.02;
        for (int is_cold = 0; is_cold < 2; is_cold++) {
            size_t bytes = 3 * (size_t)r.problem.count * sizeof(double);
            is_cold ? memset(r.force, 0, bytes) : memcpy(r.force, r.start, bytes);
            cg_friction_result result = cg_friction_newton(&r.problem, &options, &r.work);
            CHECK(result.converged);
            CHECK(rig_violation(&r) <= 10 * options.tolerance * r.problem.length_scale);
            CHECK(result.newton_steps <= 40);
            CHECK(result.rescues <= (r.problem.is_uneven ? 1 : 2));
        }
        rig_free(&r);
    }
}
