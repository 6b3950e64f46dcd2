// One Newton step: Coulomb friction linearised at the present forces, with the question which contacts carry kept
// whole.
//
// With y = f_t - d_t/s, p = f_n - d_n/g_nn and the limit L = mu max(0, p), a contact that carries (f_n > 0, p > 0)
//
//     sticks where |y| <= L:   both tangential forces are unknown, and d_t = 0;
//     slips elsewhere:         f_t = mu f_n tau + sigma across tau, tau = y/|y|. The normal unknown pushes along
//                              n + mu tau, which ties friction to pressure. As tau turns with y, sigma obeys
//                              (d + k f) . across = 0 with the compliance k = s (|y| - L)/L, that is |d_t|/(mu f_n).
//
// A contact that does not carry yet has a normal unknown along n + mu tau. A small proximal term keeps nearly redundant
// contacts apart: lambda g_nn (z - f_n) on the normals, lambda s on the free unknowns.
//
// The free unknowns are eliminated; what is left is a linear complementarity problem in the normal forces, scaled by
// 1/sqrt(g_nn) and solved by pivoting. Contacts that are open by more than a margin are left out: they cannot close in
// one step, and if they do, the residual calls them.
//
// Tried without gain: the slack of sticking contacts up to their limit as a second set of complementary unknowns, so
// that pivoting also decides stick and slip (fewer steps, each much dearer).
#include "solve/friction_linear.h"

#include <math.h>
#include <string.h>

#include "solve/dense.h"
#include "solve/friction_run.h"

static const double OPEN_MARGIN = 0.1;      // of the length scale; and never more than
static const double RESIDUAL_MARGIN = 3;    // times the present residual
static const double SMALLEST_LIMIT = 1e-9;  // of |y|: below it a contact has no friction worth turning
static const double SMALLEST_PIVOT = 1e-14; // of the largest diagonal of the free unknowns

// The equations (matrix)(free, normals) + (last column) = (0, w).
typedef struct equations {
    cg_friction_run *run;
    cg_friction_linear *linear;
    double proximal; // lambda
    int taken_count, free_count;
    int stride;
} equations;

void cg_friction_linear_layout(cg_friction_work *work, cg_arena *arena)
{
    int limit = work->newton_limit;
    int size = 3 * limit;
    cg_friction_linear *linear = cg_arena_push_array(arena, cg_friction_linear, 1);
    cg_friction_linear measured;
    work->linear = linear;
    linear = linear ? linear : &measured;
    linear->limit = limit;
    linear->taken = cg_arena_push_array(arena, int, limit);
    linear->carries = cg_arena_push_array(arena, bool, limit);
    linear->free = cg_arena_push_array(arena, cg_friction_free, 2 * limit);
    double **short_vectors[] = {&linear->slip_x, &linear->slip_y, &linear->scale, &linear->normal};
    for (size_t i = 0; i < sizeof short_vectors / sizeof *short_vectors; i++) {
        *short_vectors[i] = cg_arena_push_array(arena, double, limit);
    }
    double **vectors[] = {&linear->x, &linear->z, &linear->step, &linear->step_z, &linear->gap, &linear->aim};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = cg_arena_push_array(arena, double, size);
    }
    linear->scaling = cg_arena_push_array(arena, cg_friction_scaling, limit);
    linear->matrix = cg_arena_push_array(arena, double, size *cg_dense_stride(size + 1));
    linear->combined = cg_arena_push_array(arena, double, 3 * work->max_count);
    cg_lcp_layout(&linear->lcp, limit, arena);
}

// A free unknown along (x, y). It stands for the change from the present force, which stays at work in step_force.
static void add_free(equations *all, int c, double x, double y, double compliance)
{
    cg_friction_work *work = all->run->work;
    double present = x * work->force[3 * c + 1] + y * work->force[3 * c + 2];
    work->step_force[3 * c + 1] += present * x;
    work->step_force[3 * c + 2] += present * y;
    all->linear->free[all->free_count++] = (cg_friction_free){c, x, y, compliance, present};
}

// Takes a contact in: decides whether it carries, sticks or slips, and gives it its unknowns.
static void take(equations *all, int c)
{
    cg_friction_linear *linear = all->linear;
    const cg_friction_contact *contact = &all->run->work->contacts[c];
    const double *f = all->run->work->force + 3 * c, *d = all->run->work->motion + 3 * c;
    double pressed = f[0] - d[0] * contact->inverse_normal;
    bool carries = f[0] > 0 && pressed > 0;
    double limit = carries ? contact->friction * pressed : 0;
    double x = f[1] - contact->inverse_tangent * d[1], y = f[2] - contact->inverse_tangent * d[2];
    double length = sqrt(x * x + y * y);
    int m = all->taken_count++;
    linear->taken[m] = c;
    linear->carries[m] = carries;
    linear->slip_x[m] = linear->slip_y[m] = 0;
    linear->scale[m] = sqrt(contact->inverse_normal);
    if (contact->inverse_tangent == 0) {
        return;
    }
    if (carries && length <= limit) {
        add_free(all, c, 1, 0, 0);
        add_free(all, c, 0, 1, 0);
    } else if (length > 0) {
        x /= length;
        y /= length;
        linear->slip_x[m] = contact->friction * x;
        linear->slip_y[m] = contact->friction * y;
        if (limit > SMALLEST_LIMIT * length) {
            add_free(all, c, -y, x, contact->tangent * (length - limit) / limit);
        }
    }
}

static double *row_of(const equations *all, int i)
{
    return all->linear->matrix + (size_t)i * (size_t)all->stride;
}

// Row i from one row q of the coupling: entries of the free unknowns, then the normals.
static void fill_row(const equations *all, const double *q, int i)
{
    const cg_friction_linear *linear = all->linear;
    double *row = row_of(all, i);
    for (int j = 0; j < all->free_count; j++) {
        const cg_friction_free *free = &linear->free[j];
        const double *block = q + 3 * free->contact;
        row[j] = free->x * block[1] + free->y * block[2];
    }
    row += all->free_count;
    for (int m = 0; m < all->taken_count; m++) {
        const double *block = q + 3 * linear->taken[m];
        row[m] = block[0] + linear->slip_x[m] * block[1] + linear->slip_y[m] * block[2];
    }
}

// The row of the coupling that says how a contact moves along its normal, or along (x, y); good until the next one.
// That of an uneven one has to be gathered across its columns.
static const double *normal_row(const equations *all, int contact)
{
    const cg_friction_problem *problem = all->run->problem;
    size_t size = 3 * (size_t)problem->count, row = 3 * (size_t)contact;
    for (size_t k = 0; problem->is_uneven && k < size; k++) {
        all->linear->combined[k] = problem->coupling[k * size + row];
    }
    return problem->is_uneven ? all->linear->combined : problem->coupling + row * size;
}

static const double *tangent_row(const equations *all, int contact, double x, double y)
{
    const cg_friction_problem *problem = all->run->problem;
    size_t size = 3 * (size_t)problem->count, row = 3 * (size_t)contact + 1;
    size_t across = problem->is_uneven ? size : 1, apart = problem->is_uneven ? 1 : size;
    const double *q1 = problem->coupling + row * apart, *q2 = q1 + apart;
    for (size_t k = 0; k < size; k++) {
        all->linear->combined[k] = x * q1[k * across] + y * q2[k * across];
    }
    return all->linear->combined;
}

// Fills all rows. `motion` is d with only the free forces at work. Returns the largest diagonal of the free unknowns.
static double fill_matrix(const equations *all, const double *motion)
{
    const cg_friction_work *work = all->run->work;
    cg_friction_linear *linear = all->linear;
    int right = all->free_count + all->taken_count;
    double largest = 0;
    for (int i = 0; i < all->free_count; i++) {
        const cg_friction_free *free = &linear->free[i];
        fill_row(all, tangent_row(all, free->contact, free->x, free->y), i);
        double *row = row_of(all, i);
        row[i] += free->compliance + all->proximal * work->contacts[free->contact].tangent;
        largest = row[i] > largest ? row[i] : largest;
        const double *d = motion + 3 * free->contact;
        row[right] = free->x * d[1] + free->y * d[2] + free->compliance * free->present;
    }
    for (int m = 0; m < all->taken_count; m++) {
        int c = linear->taken[m], i = all->free_count + m;
        fill_row(all, normal_row(all, c), i);
        double *row = row_of(all, i), soft = all->proximal * work->contacts[c].normal;
        row[i] += soft;
        row[right] = motion[3 * c] - soft * work->force[3 * c];
    }
    return largest;
}

// Hands the Schur complement to the pivoting solver, scaled, and takes the normal forces back.
static bool solve_normals(const equations *all)
{
    cg_friction_linear *linear = all->linear;
    cg_friction_run *run = all->run;
    int count = all->taken_count;
    double largest = 0;
    for (int m = 0; m < count; m++) {
        double right = fabs(row_of(all, all->free_count + m)[all->free_count + count] * linear->scale[m]);
        largest = right > largest ? right : largest;
    }
    if (!isfinite(largest)) {
        return false;
    }
    largest = largest > 0 ? largest : 1;
    cg_lcp_begin(&linear->lcp, count);
    for (int m = 0; m < count; m++) {
        const double *row = row_of(all, all->free_count + m) + all->free_count;
        double *out = cg_lcp_row(&linear->lcp, m), scale = linear->scale[m];
        for (int j = 0; j < count; j++) {
            out[j] = scale * linear->scale[j] * row[j];
        }
        out[count + 1] = scale * row[count] / largest;
    }
    int most = 4 * count + 60, left = run->options->max_pivots - run->result.pivots, before = run->result.pivots;
    cg_lcp_end end = cg_lcp_solve(&linear->lcp, count, linear->carries, most < left ? most : left, linear->normal,
                                  &run->result.pivots);
    run->result.work += (int64_t)(run->result.pivots - before) * count * count;
    for (int m = 0; m < count && end == CG_LCP_SOLVED; m++) {
        linear->normal[m] *= linear->scale[m] * largest;
    }
    return end == CG_LCP_SOLVED;
}

// The free unknowns from the eliminated rows, once the normals are known; then the whole force.
static void write_step(const equations *all)
{
    const cg_friction_linear *linear = all->linear;
    double *force = all->run->work->step_force;
    int free_count = all->free_count, taken_count = all->taken_count;
    for (int m = 0; m < taken_count; m++) {
        double *f = force + 3 * linear->taken[m];
        f[0] = linear->normal[m];
        f[1] += linear->slip_x[m] * f[0];
        f[2] += linear->slip_y[m] * f[0];
    }
    double *change = linear->combined; // its size suffices: at most two free unknowns a contact
    for (int i = free_count - 1; i >= 0; i--) {
        const double *row = row_of(all, i);
        double sum = row[free_count + taken_count] + cg_dense_dot(taken_count, row + free_count, linear->normal);
        sum += cg_dense_dot(free_count - 1 - i, row + i + 1, change + i + 1);
        change[i] = -sum / row[i];
        double *f = force + 3 * linear->free[i].contact;
        f[1] += linear->free[i].x * change[i];
        f[2] += linear->free[i].y * change[i];
    }
}

bool cg_friction_linearise(cg_friction_run *run, double proximal)
{
    cg_friction_work *work = run->work;
    equations all = {.run = run, .linear = work->linear, .proximal = proximal};
    int count = run->problem->count;
    double margin = fmin(OPEN_MARGIN * run->problem->length_scale, RESIDUAL_MARGIN * run->residual);
    memset(work->step_force, 0, 3 * (size_t)count * sizeof(double));
    for (int c = 0; c < count; c++) {
        if ((work->force[3 * c] > 0 || work->motion[3 * c] < margin) && work->contacts[c].inverse_normal > 0) {
            if (all.taken_count == all.linear->limit) {
                return false;
            }
            take(&all, c);
        }
    }
    if (all.taken_count == 0) {
        return false;
    }
    cg_friction_move(run->problem, work->step_force, work->trial_motion);
    int rows = all.free_count + all.taken_count;
    run->result.work += cg_friction_move_work(run) + (int64_t)rows * rows * (all.free_count + 1);
    all.stride = cg_dense_stride(rows + 1);
    double largest = fill_matrix(&all, work->trial_motion);
    if (!cg_dense_eliminate(all.linear->matrix, all.stride, rows, rows + 1, all.free_count, SMALLEST_PIVOT * largest) ||
        !solve_normals(&all)) {
        return false;
    }
    write_step(&all);
    return true;
}
