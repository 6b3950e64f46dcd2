// Sweeps over the contacts, one after another, and the conjugate-gradient acceleration around them.
//
// The step at one contact, the others held: the normal force that closes it, f_n - d_n/g_nn, at least zero; d_t moved
// along with that; then the tangential force that makes it stick. Where that is outside the cone, a step against d_t
// with the length 1/s and a projection on the disc: repeated, this turns to the true direction of slip, which the stick
// force cut to the disc does not.
//
// The acceleration (NNCG) takes f -> sweep(f) for a step against the gradient: with g = f - sweep(f) and
// beta = |g|^2 / |g_before|^2, f_next = sweep(f) + beta p and p_next = beta p - g, and p = 0 where beta > 1. Since d is
// kept, Q p follows from differences of d.
#include <math.h>
#include <string.h>

#include "linalg/wide.h"
#include "solve/dense.h"
#include "solve/friction_run.h"

// Share of the larger eigenvalue that the smaller one of g_tt is taken to have at least. It only shortens the step.
static const double LEAST_TANGENT_SHARE = 1e-9;

CG_WIDE_BODY bool is_finite(const double *values, size_t count)
{
    // A number that is not finite makes its product with zero not a number, and the sum with it.
    quad sums[2] = {{0}, {0}};
    double rest = 0;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        sums[0] += 0.0 * QUAD(values + i);
        sums[1] += 0.0 * QUAD(values + i + 4);
    }
    for (; i < count; i++) {
        rest += 0.0 * values[i];
    }
    quad all = sums[0] + sums[1];
    return (all[0] + all[1]) + (all[2] + all[3]) + rest == 0;
}
CG_WIDE_CHOOSE_TEST(static, is_finite_all, is_finite, (const double *values, size_t count), (values, count))

static cg_friction_contact read_contact(const cg_friction_problem *problem, int c)
{
    size_t size = 3 * (size_t)problem->count;
    const double *n = problem->coupling + 3 * (size_t)c * size + 3 * (size_t)c, *t1 = n + size, *t2 = t1 + size;
    cg_friction_contact contact = {.friction = problem->friction[c]};
    double inverse = 1 / n[0];
    if (n[0] > 0 && isfinite(inverse)) {
        contact.normal = n[0];
        contact.inverse_normal = inverse;
        contact.normal_1 = n[1];
        contact.normal_2 = n[2];
    }
    double middle = 0.5 * (t1[1] + t2[2]), half = 0.5 * (t1[1] - t2[2]);
    double spread = sqrt(half * half + t1[2] * t1[2]);
    double s = middle + spread;
    if (contact.normal > 0 && s > 0 && isfinite(1 / s)) {
        contact.tangent = s;
        contact.inverse_tangent = 1 / s;
        double lift = 0;
        if (middle - spread < LEAST_TANGENT_SHARE * s) {
            lift = LEAST_TANGENT_SHARE * s - (middle - spread);
        }
        // Divided by s before the product, so that it neither overflows nor vanishes.
        double a = (t1[1] + lift) / s, b = t1[2] / s, d = (t2[2] + lift) / s;
        double scale = 1 / ((a * d - b * b) * s);
        contact.inverse_11 = d * scale;
        contact.inverse_12 = -b * scale;
        contact.inverse_22 = a * scale;
    }
    return contact;
}

void cg_friction_move(const cg_friction_problem *problem, const double *force, double *motion)
{
    int size = 3 * problem->count;
    memcpy(motion, problem->motion, (size_t)size * sizeof *motion);
    for (int c = 0; c < problem->count; c++) {
        const double *f = force + 3 * c;
        if (f[0] != 0 || f[1] != 0 || f[2] != 0) {
            cg_dense_add_three(size, motion, f[0], f[1], f[2], problem->coupling + 3 * (size_t)c * (size_t)size, size);
        }
    }
}

double cg_friction_error(const cg_friction_run *run, const double *force, const double *motion, double *sum_of_squares)
{
    double largest = 0, sum = 0;
    for (int c = 0; c < run->problem->count; c++) {
        const cg_friction_contact *contact = &run->work->contacts[c];
        const double *f = force + 3 * c, *d = motion + 3 * c;
        if (f[0] == 0 && f[1] == 0 && f[2] == 0 && d[0] >= 0) {
            continue;
        }
        double s = contact->tangent;
        double pressed = contact->normal * f[0];
        double e = pressed < d[0] ? pressed : d[0];
        double x = s * f[1] - d[1], y = s * f[2] - d[2];
        double limit = f[0] > 0 ? s * contact->friction * f[0] : 0;
        double square = x * x + y * y;
        if (square > limit * limit) {
            double shrink = limit / sqrt(square);
            x *= shrink;
            y *= shrink;
        }
        double ex = s * f[1] - x, ey = s * f[2] - y;
        double all = e * e + (ex * ex + ey * ey);
        sum += all;
        largest = all > largest ? all : largest;
    }
    if (sum_of_squares) {
        *sum_of_squares = sum;
    }
    return isfinite(sum) ? sqrt(largest) : NAN;
}

void cg_friction_project(const cg_friction_run *run, double *force)
{
    for (int c = 0; c < run->problem->count; c++) {
        const cg_friction_contact *contact = &run->work->contacts[c];
        double *f = force + 3 * c;
        if (!(f[0] > 0) || contact->inverse_normal == 0) {
            f[0] = f[1] = f[2] = 0;
            continue;
        }
        double limit = contact->inverse_tangent > 0 ? contact->friction * f[0] : 0;
        double square = f[1] * f[1] + f[2] * f[2];
        if (square > limit * limit) {
            double shrink = limit / sqrt(square);
            f[1] *= shrink;
            f[2] *= shrink;
        }
    }
}

// The new force at one contact, the others held.
static inline void solve_contact(const cg_friction_contact *contact, const double *d, double *f)
{
    double normal = f[0] - d[0] * contact->inverse_normal;
    if (!(normal > 0)) {
        f[0] = f[1] = f[2] = 0;
        return;
    }
    double change = normal - f[0];
    double d1 = d[1] + contact->normal_1 * change, d2 = d[2] + contact->normal_2 * change;
    double limit = contact->friction * normal;
    double x = f[1] - (contact->inverse_11 * d1 + contact->inverse_12 * d2);
    double y = f[2] - (contact->inverse_12 * d1 + contact->inverse_22 * d2);
    if (!(x * x + y * y <= limit * limit)) {
        x = f[1] - contact->inverse_tangent * d1;
        y = f[2] - contact->inverse_tangent * d2;
        double square = x * x + y * y;
        if (square > limit * limit) {
            double shrink = limit / sqrt(square);
            x *= shrink;
            y *= shrink;
        }
    }
    f[0] = normal;
    f[1] = x;
    f[2] = y;
}

void cg_friction_sweep_once(cg_friction_run *run, double *force, double *motion)
{
    const cg_friction_problem *problem = run->problem;
    const cg_friction_contact *contacts = run->work->contacts;
    int size = 3 * problem->count;
    for (int c = 0; c < problem->count; c++) {
        double *f = force + 3 * c;
        const double *d = motion + 3 * c;
        if (f[0] == 0 && d[0] >= 0 && f[1] == 0 && f[2] == 0) {
            continue; // open
        }
        double old[3] = {f[0], f[1], f[2]};
        solve_contact(&contacts[c], d, f);
        double x = f[0] - old[0], y = f[1] - old[1], z = f[2] - old[2];
        if (x != 0 || y != 0 || z != 0) {
            cg_dense_add_three(size, motion, x, y, z, problem->coupling + 3 * (size_t)c * (size_t)size, size);
            run->result.work += cg_friction_contact_work(run);
        }
    }
}

bool cg_friction_begin(cg_friction_run *run, const cg_friction_problem *problem, const cg_friction_options *options,
                       cg_friction_work *work)
{
    *run = (cg_friction_run){.problem = problem, .options = options, .work = work};
    size_t size = 3 * (size_t)problem->count;
    run->tolerance = options->tolerance * problem->length_scale;
    if (problem->count == 0) {
        run->result.converged = true;
        return false;
    }
    bool usable = problem->length_scale > 0 && isfinite(problem->length_scale);
    usable = usable && is_finite_all(problem->motion, size) && is_finite_all(problem->coupling, size * size);
    for (int c = 0; c < problem->count && usable; c++) {
        work->contacts[c] = read_contact(problem, c);
        usable = problem->friction[c] >= 0 && isfinite(problem->friction[c]);
    }
    if (usable) {
        if (is_finite_all(problem->force, size)) {
            memcpy(work->force, problem->force, size * sizeof(double));
            cg_friction_project(run, work->force);
        } else {
            memset(work->force, 0, size * sizeof(double));
        }
        cg_friction_move(problem, work->force, work->motion);
        run->best_residual = HUGE_VAL;
        cg_friction_judge(run);
        if (!isfinite(run->residual)) { // too large a warm start, or too large a motion
            memset(work->force, 0, size * sizeof(double));
            cg_friction_move(problem, work->force, work->motion);
            cg_friction_judge(run);
        }
        usable = isfinite(run->residual);
    }
    if (!usable) {
        memset(problem->force, 0, size * sizeof(double));
        run->result.residual = HUGE_VAL;
    }
    return usable;
}

// Judged as it is reported, so that both agree to the last bit.
static bool is_within_tolerance(const cg_friction_run *run, double residual)
{
    return residual / run->problem->length_scale <= run->options->tolerance;
}

bool cg_friction_judge(cg_friction_run *run)
{
    cg_friction_work *work = run->work;
    bool may_stop = run->result.iterations >= run->options->min_iterations;
    run->residual = cg_friction_error(run, work->force, work->motion, NULL);
    bool is_exact = may_stop && is_within_tolerance(run, run->residual);
    if (is_exact) {
        cg_friction_move(run->problem, work->force, work->motion);
        run->residual = cg_friction_error(run, work->force, work->motion, NULL);
    }
    bool is_done = is_exact && is_within_tolerance(run, run->residual);
    if (run->residual < run->best_residual || is_done) {
        run->best_residual = run->residual;
        run->is_exact = is_exact;
        memcpy(work->best_force, work->force, 3 * (size_t)run->problem->count * sizeof(double));
    }
    return is_done;
}

cg_friction_result cg_friction_end(cg_friction_run *run)
{
    cg_friction_work *work = run->work;
    double residual = run->best_residual;
    if (!run->is_exact) {
        cg_friction_move(run->problem, work->best_force, work->motion);
        residual = cg_friction_error(run, work->best_force, work->motion, NULL);
    }
    memcpy(run->problem->force, work->best_force, 3 * (size_t)run->problem->count * sizeof(double));
    run->result.residual = isfinite(residual) ? residual / run->problem->length_scale : HUGE_VAL;
    run->result.converged = is_within_tolerance(run, residual);
    return run->result;
}

// Iterations between looks at the residual: a look costs as much as a sweep over few contacts, and little otherwise.
static int look_distance(int count)
{
    return count < 16 ? 2 : 4;
}

bool cg_friction_iterate(cg_friction_run *run, int count)
{
    cg_friction_work *work = run->work;
    double *f = work->force, *d = work->motion, *p = work->direction, *q = work->direction_motion;
    int size = 3 * run->problem->count;
    size_t bytes = (size_t)size * sizeof(double);
    int distance = look_distance(run->problem->count);
    double before = 0;
    for (int k = 0; k < count && run->result.iterations < run->options->max_iterations; k++) {
        memcpy(work->old_force, f, bytes);
        memcpy(work->old_motion, d, bytes);
        cg_friction_sweep_once(run, f, d);
        run->result.iterations++;
        bool is_last =
            k + 1 == count || run->result.iterations == run->options->max_iterations || !cg_friction_may_work(run);
        if (is_last || (k + 1) % distance == 0) {
            if (cg_friction_judge(run)) {
                return true;
            }
            if (is_last || !isfinite(run->residual)) {
                return false;
            }
        }
        // The sweep's step replaces the old iterate; the directions take it up.
        for (int i = 0; i < size; i++) {
            work->old_force[i] = f[i] - work->old_force[i];
            work->old_motion[i] = d[i] - work->old_motion[i];
        }
        double now = cg_dense_dot(size, work->old_force, work->old_force);
        double beta = before > 0 ? now / before : 0;
        before = now;
        if (k == 0) {
            memcpy(p, work->old_force, bytes);
            memcpy(q, work->old_motion, bytes);
        } else if (beta > 1) {
            memset(p, 0, bytes);
            memset(q, 0, bytes);
        } else {
            for (int i = 0; i < size; i++) {
                double along = beta * p[i], along_motion = beta * q[i];
                f[i] += along;
                d[i] += along_motion;
                p[i] = along + work->old_force[i];
                q[i] = along_motion + work->old_motion[i];
            }
        }
    }
    return false;
}

cg_friction_result cg_friction_nncg(const cg_friction_problem *problem, const cg_friction_options *options,
                                    cg_friction_work *work)
{
    cg_friction_run run;
    if (!cg_friction_begin(&run, problem, options, work)) {
        return run.result;
    }
    if (options->min_iterations > 0 || run.residual > run.tolerance) {
        cg_friction_iterate(&run, options->max_iterations);
    }
    return cg_friction_end(&run);
}

cg_friction_result cg_friction_sweep(const cg_friction_problem *problem, const cg_friction_options *options,
                                     cg_friction_work *work)
{
    cg_friction_run run;
    if (!cg_friction_begin(&run, problem, options, work)) {
        return run.result;
    }
    bool done = run.residual <= run.tolerance && options->min_iterations <= 0;
    int distance = look_distance(problem->count);
    while (!done && run.result.iterations < options->max_iterations) {
        cg_friction_sweep_once(&run, work->force, work->motion);
        run.result.iterations++;
        if (run.result.iterations % distance == 0 || run.result.iterations == options->max_iterations) {
            done = cg_friction_judge(&run);
        }
    }
    return cg_friction_end(&run);
}

double cg_friction_residual(const cg_friction_problem *problem, cg_friction_work *work)
{
    cg_friction_options options = cg_friction_options_default();
    cg_friction_run run = {.problem = problem, .options = &options, .work = work};
    for (int c = 0; c < problem->count; c++) {
        work->contacts[c] = read_contact(problem, c);
    }
    cg_friction_move(problem, problem->force, work->motion);
    double residual = cg_friction_error(&run, problem->force, work->motion, NULL) / problem->length_scale;
    return isfinite(residual) ? residual : HUGE_VAL;
}
