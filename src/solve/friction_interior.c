// The interior-point method: slow but hard to mislead, called when Newton gets stuck.
//
// For each contact x = (mu f_n, f_t) and z = (d_n/mu + |d_t|, d_t) lie in the second-order cone |t| <= first, and
// Coulomb's law is x . z = 0 with both inside it. The shift |d_t| is renewed in every iteration. With the inner product
// J = diag(1, -1, -1), |v|_J^2 = v' J v, the Nesterov-Todd scaling H maps x to z:
//
//     H = theta (2 g g' - J),  theta = |z|_J/|x|_J,  g = (z/|z|_J + J x/|x|_J) / (2 gamma),
//     gamma^2 = (1 + x . z/(|x|_J |z|_J)) / 2.
//
// A step solves H dx + dz = aim, Q' dx + r = dz, with Q' the coupling scaled by 1/mu on the normals and
// r = Q' x + c' + shift - z, twice with one factor of Q' + H (Mehrotra's predictor and corrector):
//
//     aim = -z                                     straight for the solution; how far that leads says how much of the
//                                                  centre m = x . z / contacts the second one must keep:
//     aim = -z + sigma m x^-1 - W (l \ (W dx o W^-1 dz)),   sigma = (m after the first / m)^3,
//
// x^-1 = J x/|x|_J^2, W W = H, l = W x, and u o v = (u . v, u_0 v_t + v_0 u_t) the product that the linear equations
// leave out. It goes 0.97 of the way to the boundary. A quarter fewer steps than with a fixed sigma.
//
// There are two kinds of steps. With the shift held through a step the matrix is symmetric, and most problems come near
// enough in six steps. In a tight knot, whose forty or fifty contacts all carry, they do not come nearer than a
// hundredth of a radius in forty. There the shift has to follow the slip: with t = z_t/|z_t| and S dz =
// (dz_n + t . dz_t, dz_t) the step is that of
//
//     H dx + dz = aim,   S (Q' dx + r) = dz,   so   (S Q' + H) dx = aim - S r,
//
// Q' as it is, even or not. The matrix is not symmetric and costs twice as much, but nine to fifteen steps solve what
// was ever met in a knot, from forces of zero too when they begin well inside of their cones.
#include <math.h>
#include <string.h>

#include "solve/dense.h"
#include "solve/friction_cone.h"
#include "solve/friction_linear.h"
#include "solve/friction_run.h"

static const double OPEN_MARGIN = 0.1;     // of the length scale: contacts farther apart are left out
static const double LEAST_SLIP = 1e-3;     // of the length scale: a shift does not follow less of a slip in full
static const double CLOSE = 0.05;          // of the length scale: so near to x . z = 0, on average, overlaps are real
static const double LEAST_CENTRING = 1e-3; // share of the centre that a step aims at,
static const double MOST_CENTRING = 0.5;   // whatever the first trial has shown
static const double SHARE_OF_WAY = 0.97;   // to the nearest boundary of a cone
static const double SHORTEST_STEP = 1e-3;  // shorter ones lead nowhere
static const double LEAST_FRICTION = 0.01; // the cone must not be a line; the answer is only a start for others
static const double OVERLAP = 0.001;       // of the length scale: contacts left out that sink deeper are called back
static const int MOST_STEPS = 25;

// What differs between the two kinds of steps.
typedef struct kind {
    bool follows;        // the shift follows the slip
    double stop;         // of the length scale: the last steps are the cheapest way down so far
    double inside_force; // of the mean normal force: how far the start is pushed into its cone
    double inside_gap;   // of the length scale: likewise
    double open_gap;     // of the length scale: contacts that open further may be left out on the way,
    double closes;       // where their force closes less than that share of it
} kind;
static const kind HELD = {
    .follows = false, .stop = 0.002, .inside_force = 0.01, .inside_gap = 0.01, .open_gap = 0.001, .closes = 1};
static const kind FOLLOWING = {
    .follows = true, .stop = 0.0005, .inside_force = 0.03, .inside_gap = 0.1, .open_gap = 0.02, .closes = 0.1};

typedef struct interior {
    const cg_friction_run *run;
    cg_friction_linear *linear;
    const kind *kind;
    int taken_count, stride;
    double centre;    // x . z over the number of contacts
    double push, gap; // how far forces [N] and gaps [m] begin inside of their cones
} interior;

static double friction_of(const interior *state, int m)
{
    return fmax(state->run->work->contacts[state->linear->taken[m]].friction, LEAST_FRICTION);
}

// A contact begins at a force and a motion, pushed into their cones.
static void enter(interior *state, int m, const double *force, const double *motion)
{
    cg_friction_linear *linear = state->linear;
    const double *f = force + 3 * linear->taken[m], *d = motion + 3 * linear->taken[m];
    double *x = linear->x + 3 * m, *z = linear->z + 3 * m, mu = friction_of(state, m);
    memcpy(x, f, 3 * sizeof *x);
    memcpy(z, d, 3 * sizeof *z);
    x[0] = fmax(mu * f[0], cg_cone_tangent(f)) + mu * state->push;
    z[0] = fmax(d[0], 0) / mu + cg_cone_tangent(d) + state->gap / mu;
}

static void start(interior *state, const double *force, const double *motion)
{
    cg_friction_linear *linear = state->linear;
    const cg_friction_run *run = state->run;
    double sum = 0, alone = 0, largest = 0, scale = run->problem->length_scale;
    for (int m = 0; m < state->taken_count; m++) {
        int c = linear->taken[m];
        sum += force[3 * c];
        alone += fmax(-run->problem->motion[3 * c], 0) * run->work->contacts[c].inverse_normal;
        largest = fmax(largest, run->work->contacts[c].inverse_normal);
    }
    sum = state->kind->follows ? fmax(sum, alone) : sum; // forces to begin with may be none
    state->push = fmax(state->kind->inside_force * sum / state->taken_count, 1e-6 * scale * largest);
    state->gap = state->kind->inside_gap * scale;
    for (int m = 0; m < state->taken_count; m++) {
        enter(state, m, force, motion);
    }
}

// r = Q' x + c' + shift - z, by way of the motion that the forces x give. Also their residual [m].
static double find_gap(interior *state, double *force, double *motion)
{
    cg_friction_linear *linear = state->linear;
    const cg_friction_problem *problem = state->run->problem;
    memset(force, 0, 3 * (size_t)problem->count * sizeof(double));
    double dot = 0;
    for (int m = 0; m < state->taken_count; m++) {
        const double *x = linear->x + 3 * m, *z = linear->z + 3 * m;
        double *f = force + 3 * linear->taken[m];
        f[0] = x[0] / friction_of(state, m);
        f[1] = x[1];
        f[2] = x[2];
        dot += x[0] * z[0] + x[1] * z[1] + x[2] * z[2];
    }
    state->centre = dot / state->taken_count;
    cg_friction_move(problem, force, motion);
    for (int m = 0; m < state->taken_count; m++) {
        const double *z = linear->z + 3 * m, *d = motion + 3 * linear->taken[m];
        double *r = linear->gap + 3 * m;
        r[0] = d[0] / friction_of(state, m) + cg_cone_tangent(z) - z[0];
        r[1] = d[1] - z[1];
        r[2] = d[2] - z[2];
    }
    return cg_friction_error(state->run, force, motion, NULL);
}

// The way in which a contact slips; of one that hardly does, less than its whole length, so that it does not jump.
static void find_slip(const interior *state, int m, double slip[2])
{
    const double *z = state->linear->z + 3 * m;
    double least = LEAST_SLIP * state->run->problem->length_scale;
    double by = 1 / sqrt(z[1] * z[1] + z[2] * z[2] + least * least);
    slip[0] = by * z[1];
    slip[1] = by * z[2];
}

// Adds H of a contact to its own block of the matrix.
static void add_scaling(const interior *state, int m, bool is_upper)
{
    const cg_friction_scaling *s = &state->linear->scaling[m];
    double *block = state->linear->matrix + 3 * (size_t)m * (size_t)(state->stride + 1);
    for (int a = 0; a < 3; a++) {
        for (int b = is_upper ? a : 0; b < 3; b++) {
            double sign = a != b ? 0 : a == 0 ? 1 : -1;
            block[a * state->stride + b] += s->theta * (2 * s->g[a] * s->g[b] - sign);
        }
    }
}

// Upper triangle of Q' + H, of an even problem.
static void fill_held(const interior *state)
{
    int stride = state->stride;
    size_t size = 3 * (size_t)state->run->problem->count;
    const double *coupling = state->run->problem->coupling;
    cg_friction_linear *linear = state->linear;
    const double *inverse = linear->scale; // 1/mu
    for (int m = 0; m < state->taken_count; m++) {
        double *rows = linear->matrix + 3 * (size_t)m * (size_t)stride;
        for (int k = m; k < state->taken_count; k++) {
            const double *block = coupling + 3 * (size_t)linear->taken[m] * size + 3 * (size_t)linear->taken[k];
            for (int a = 0; a < 3; a++, block += size) {
                double *row = rows + a * stride + 3 * k, own = a == 0 ? inverse[m] : 1;
                row[0] = own * inverse[k] * block[0];
                row[1] = own * block[1];
                row[2] = own * block[2];
            }
        }
        linear->scaling[m] = cg_cone_scaling(linear->x + 3 * m, linear->z + 3 * m);
        add_scaling(state, m, true);
    }
}

// Rows of Q' that one contact of the problem has, in all columns that are taken: along its normal and along both of its
// tangents.
static void fill_rows(const interior *state, int m)
{
    int stride = state->stride;
    const cg_friction_linear *linear = state->linear;
    const cg_friction_problem *problem = state->run->problem;
    size_t size = 3 * (size_t)problem->count, row = 3 * (size_t)linear->taken[m];
    // an even one has its rows as columns, side by side
    size_t across = problem->is_uneven ? size : 1, along = problem->is_uneven ? 1 : size;
    double *normal = linear->matrix + 3 * (size_t)m * (size_t)stride, *tangent = normal + stride,
           *other = tangent + stride;
    for (int k = 0; k < state->taken_count; k++) {
        const double *q = problem->coupling + row * along + 3 * (size_t)linear->taken[k] * across;
        for (size_t b = 0; b < 3; b++, q += across) {
            double scale = b == 0 ? linear->scale[k] : 1;
            normal[3 * (size_t)k + b] = linear->scale[m] * scale * q[0];
            tangent[3 * (size_t)k + b] = scale * q[along];
            other[3 * (size_t)k + b] = scale * q[2 * along];
        }
    }
}

// All of S Q' + H; and S r instead of r.
static void fill_following(const interior *state)
{
    int stride = state->stride;
    cg_friction_linear *linear = state->linear;
    for (int m = 0; m < state->taken_count; m++) {
        double *rows = linear->matrix + 3 * (size_t)m * (size_t)stride;
        cg_friction_scaling *s = &linear->scaling[m];
        *s = cg_cone_scaling(linear->x + 3 * m, linear->z + 3 * m);
        find_slip(state, m, s->slip);
        fill_rows(state, m);
        cg_dense_add(3 * state->taken_count, rows, s->slip[0], rows + stride);
        cg_dense_add(3 * state->taken_count, rows, s->slip[1], rows + 2 * stride);
        add_scaling(state, m, false);
        double *gap = linear->gap + 3 * m;
        gap[0] += s->slip[0] * gap[1] + s->slip[1] * gap[2];
    }
}

// Solves H dx + dz = aim, Q' dx + r = dz for the step (of those that follow, S (Q' dx + r) = dz), `aim` being in
// linear->aim.
static void solve_step(const interior *state)
{
    cg_friction_linear *linear = state->linear;
    int size = 3 * state->taken_count;
    for (int i = 0; i < size; i++) {
        linear->step[i] = linear->aim[i] - linear->gap[i];
    }
    if (state->kind->follows) {
        cg_dense_factor_solve(linear->matrix, state->stride, size, linear->step);
    } else {
        cg_dense_cholesky_solve(linear->matrix, state->stride, size, linear->step);
    }
    for (int m = 0; m < state->taken_count; m++) {
        const cg_friction_scaling *s = &linear->scaling[m];
        double *dz = linear->step_z + 3 * m;
        cg_cone_scale_by(s->theta, s->g, linear->step + 3 * m, dz);
        for (int a = 0; a < 3; a++) {
            dz[a] = linear->aim[3 * m + a] - dz[a];
        }
    }
}

// Without a centre to aim at: straight for x . z = 0.
static void aim_at_solution(const interior *state)
{
    for (int i = 0; i < 3 * state->taken_count; i++) {
        state->linear->aim[i] = -state->linear->z[i];
    }
}

// With what the first trial has shown: how near to the centre one must stay, what the linear equations left out, and
// how the shift will change.
static void aim_with_correction(const interior *state, double length)
{
    cg_friction_linear *linear = state->linear;
    int size = 3 * state->taken_count;
    double after = 0;
    for (int i = 0; i < size; i++) {
        after += (linear->x[i] + length * linear->step[i]) * (linear->z[i] + length * linear->step_z[i]);
    }
    double share = after / (state->centre * state->taken_count);
    double centring = fmin(fmax(share * share * share, LEAST_CENTRING), MOST_CENTRING);
    for (int m = 0; m < state->taken_count; m++) {
        const cg_friction_scaling *s = &linear->scaling[m];
        const double *x = linear->x + 3 * m, *z = linear->z + 3 * m, *dz = linear->step_z + 3 * m;
        double *aim = linear->aim + 3 * m, left_out[3];
        double weight = centring * state->centre * s->inverse_det;
        cg_cone_left_out(s, x, linear->step + 3 * m, dz, left_out);
        aim[0] = -z[0] + weight * x[0] - left_out[0];
        aim[1] = -z[1] - weight * x[1] - left_out[1];
        aim[2] = -z[2] - weight * x[2] - left_out[2];
    }
}

static double step_length(const interior *state, double share)
{
    const cg_friction_linear *linear = state->linear;
    double way = 1 / share;
    for (int m = 0; m < state->taken_count; m++) {
        way = cg_cone_way_out(linear->x + 3 * m, linear->step + 3 * m, way);
        way = cg_cone_way_out(linear->z + 3 * m, linear->step_z + 3 * m, way);
    }
    return share * way;
}

static bool is_taken(const interior *state, int c)
{
    bool is_any = false;
    for (int m = 0; m < state->taken_count && !is_any; m++) {
        is_any = state->linear->taken[m] == c;
    }
    return is_any;
}

static bool take(interior *state, int c)
{
    cg_friction_linear *linear = state->linear;
    bool has_room = state->taken_count < linear->limit;
    if (has_room) {
        linear->taken[state->taken_count] = c;
        linear->scale[state->taken_count] = 1 / friction_of(state, state->taken_count);
        state->taken_count++;
    }
    return has_room;
}

// Those that carry or nearly touch.
static bool take_near(interior *state)
{
    const cg_friction_run *run = state->run;
    const cg_friction_work *work = run->work;
    double margin = OPEN_MARGIN * run->problem->length_scale;
    for (int c = 0; c < run->problem->count; c++) {
        bool is_near = work->best_force[3 * c] > 0 || work->motion[3 * c] < margin;
        if (is_near && work->contacts[c].inverse_normal > 0 && !take(state, c)) {
            return false;
        }
    }
    return state->taken_count > 0;
}

// Those that were left out and overlap all the same. True when there are such.
static bool take_closed(interior *state, const double *force, const double *motion)
{
    const cg_friction_run *run = state->run;
    double deep = -OVERLAP * run->problem->length_scale;
    int before = state->taken_count;
    for (int c = 0; c < run->problem->count; c++) {
        if (motion[3 * c] < deep && run->work->contacts[c].inverse_normal > 0 && !is_taken(state, c) &&
            take(state, c)) {
            enter(state, state->taken_count - 1, force, motion);
        }
    }
    return state->taken_count > before;
}

// Leaves out contacts that have turned out to be open, by more than their force could close. The equations grow with
// the third power of the contacts, and in a knot that slides half of them open. Should one be wanted again, the
// residual calls it, or take_closed.
static void drop_open(interior *state)
{
    cg_friction_linear *linear = state->linear;
    const cg_friction_run *run = state->run;
    int kept = 0;
    for (int m = 0; m < state->taken_count; m++) {
        int c = linear->taken[m];
        double *x = linear->x + 3 * m, *z = linear->z + 3 * m, mu = friction_of(state, m);
        double gap = mu * (z[0] - cg_cone_tangent(z)), closes = run->work->contacts[c].normal * x[0] / mu;
        if (gap > state->kind->open_gap * run->problem->length_scale && closes < state->kind->closes * gap) {
            continue;
        }
        linear->taken[kept] = c;
        linear->scale[kept] = linear->scale[m];
        memmove(linear->x + 3 * kept, x, 3 * sizeof *x);
        memmove(linear->z + 3 * kept, z, 3 * sizeof *z);
        kept++;
    }
    state->taken_count = kept > 0 ? kept : state->taken_count;
}

// Near to the end, forces tell what overlaps.
static bool is_close(const interior *state)
{
    double sum = 0;
    for (int m = 0; m < state->taken_count; m++) {
        sum += state->linear->x[3 * m];
    }
    return state->centre * state->taken_count < CLOSE * state->run->problem->length_scale * sum;
}

static bool factorise(interior *state)
{
    int size = 3 * state->taken_count;
    state->stride = cg_dense_stride(size);
    if (state->kind->follows) {
        fill_following(state);
        return cg_dense_factor(state->linear->matrix, state->stride, size);
    }
    fill_held(state);
    return cg_dense_cholesky(state->linear->matrix, state->stride, size, 0);
}

static int64_t work_of_step(const interior *state)
{
    int64_t size = 3 * state->taken_count;
    return size * size * (size / (state->kind->follows ? 3 : 6) + 4);
}

// One step; false when there is none.
static bool go_on(interior *state)
{
    cg_friction_linear *linear = state->linear;
    int size = 3 * state->taken_count;
    if (!factorise(state)) {
        return false;
    }
    aim_at_solution(state);
    solve_step(state);
    aim_with_correction(state, step_length(state, 1));
    solve_step(state);
    double length = step_length(state, SHARE_OF_WAY);
    if (!(length > SHORTEST_STEP)) {
        return false;
    }
    cg_dense_add(size, linear->x, length, linear->step);
    cg_dense_add(size, linear->z, length, linear->step_z);
    return true;
}

double cg_friction_interior(cg_friction_run *run, bool follows, double *force, double *motion)
{
    cg_friction_work *work = run->work;
    interior state = {.run = run, .linear = work->linear, .kind = follows ? &FOLLOWING : &HELD};
    if (!take_near(&state)) {
        return HUGE_VAL;
    }
    cg_friction_move(run->problem, work->best_force, motion);
    start(&state, work->best_force, motion);
    double *trial = work->good_force, *trial_motion = work->good_motion;
    double best = HUGE_VAL;
    double stop = fmax(state.kind->stop * run->problem->length_scale, 0.5 * run->tolerance);
    for (int k = 0; k < MOST_STEPS; k++) {
        double residual = find_gap(&state, trial, trial_motion);
        if (k > 0 && residual < best) {
            best = residual;
            memcpy(force, trial, 3 * (size_t)run->problem->count * sizeof(double));
        }
        run->result.work += cg_friction_move_work(run);
        if (best < stop || run->result.newton_steps >= run->options->max_newton_steps || !cg_friction_may_work(run)) {
            break;
        }
        if (follows && is_close(&state) && take_closed(&state, trial, trial_motion)) {
            find_gap(&state, trial, trial_motion);
        }
        run->result.newton_steps++;
        run->result.work += work_of_step(&state);
        if (!go_on(&state)) {
            break;
        }
        drop_open(&state);
    }
    return best;
}
