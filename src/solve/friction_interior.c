// The interior-point method: slow but hard to mislead, called when Newton gets stuck.
//
// For each contact x = (mu f_n, f_t) and z = (d_n/mu + |d_t|, d_t) lie in the second-order cone |t| <= first, and
// Coulomb's law is x . z = 0 with both inside it. The shift |d_t| is renewed in every iteration. With the inner product
// J = diag(1, -1, -1), |v|_J^2 = v' J v, the Nesterov-Todd scaling H maps x to z:
//
//     H = theta (2 g g' - J),  theta = |z|_J/|x|_J,  g = (z/|z|_J + J x/|x|_J) / (2 gamma),
//     gamma^2 = (1 + x . z/(|x|_J |z|_J)) / 2.
//
// A step solves (Q' + H) dx = -z + 0.3 m x^-1 - r,  dz = Q' dx + r, with Q' the coupling scaled by 1/mu on the normals,
// r = Q' x + c' + shift - z, m = x . z / contacts, x^-1 = J x/|x|_J^2, and goes 0.97 of the way to the boundary. After
// a long step 0.1 takes the place of 0.3.
#include <math.h>
#include <string.h>

#include "solve/dense.h"
#include "solve/friction_linear.h"
#include "solve/friction_run.h"

static const double OPEN_MARGIN = 0.1;     // of the length scale: contacts farther apart are left out
static const double STOP = 0.01;           // of the length scale; a looser hand-over loses the gain
static const double CENTRING = 0.3;        // 0.15 to 0.5 do the same
static const double BOLD_CENTRING = 0.1;   // after a step longer than
static const double LONG_STEP = 0.9;       // (share of the full one)
static const double SHARE_OF_WAY = 0.97;   // to the nearest boundary of a cone
static const double SHORTEST_STEP = 1e-3;  // shorter ones lead nowhere
static const double LEAST_FRICTION = 0.01; // the cone must not be a line; the answer is only a start for others
static const double INSIDE_FORCE = 0.01;   // of the mean normal force: how far the start is pushed into its cone
static const double INSIDE_GAP = 0.01;     // of the length scale
static const double OPEN_GAP = 0.001;      // of the length scale: contacts that open further may be left out on the way
static const int MOST_STEPS = 25;

typedef struct interior {
    const cg_friction_run *run;
    cg_friction_linear *linear;
    int taken_count;
    double centre;   // x . z over the number of contacts
    double centring; // share of it that the next step aims at
} interior;

static double friction_of(const interior *state, int m)
{
    return fmax(state->run->work->contacts[state->linear->taken[m]].friction, LEAST_FRICTION);
}

static double tangent_length(const double *v)
{
    return sqrt(v[1] * v[1] + v[2] * v[2]);
}

// |v|_J^2, in a form that does not cancel.
static double determinant(const double *v)
{
    double t = tangent_length(v);
    return (v[0] - t) * (v[0] + t);
}

static void start(interior *state, const double *force, const double *motion)
{
    cg_friction_linear *linear = state->linear;
    double sum = 0, largest = 0;
    for (int m = 0; m < state->taken_count; m++) {
        sum += force[3 * linear->taken[m]];
        largest = fmax(largest, state->run->work->contacts[linear->taken[m]].inverse_normal);
    }
    double scale = state->run->problem->length_scale;
    double push = fmax(INSIDE_FORCE * sum / state->taken_count, 1e-6 * scale * largest), gap = INSIDE_GAP * scale;
    for (int m = 0; m < state->taken_count; m++) {
        const double *f = force + 3 * linear->taken[m], *d = motion + 3 * linear->taken[m];
        double *x = linear->x + 3 * m, *z = linear->z + 3 * m, mu = friction_of(state, m);
        memcpy(x, f, 3 * sizeof *x);
        memcpy(z, d, 3 * sizeof *z);
        x[0] = fmax(mu * f[0], tangent_length(f)) + mu * push;
        z[0] = fmax(d[0], 0) / mu + tangent_length(d) + gap / mu;
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
        r[0] = d[0] / friction_of(state, m) + tangent_length(z) - z[0];
        r[1] = d[1] - z[1];
        r[2] = d[2] - z[2];
    }
    return cg_friction_error(state->run, force, motion, NULL);
}

// Upper triangle of Q' + H, and the right-hand side.
static void fill_equations(const interior *state, int stride, double *right)
{
    cg_friction_linear *linear = state->linear;
    int size = 3 * state->run->problem->count;
    for (int m = 0; m < state->taken_count; m++) {
        double mu = friction_of(state, m);
        for (int a = 0; a < 3; a++) {
            const double *q = state->run->problem->coupling + (3 * (size_t)linear->taken[m] + (size_t)a) * (size_t)size;
            double *row = linear->matrix + (size_t)(3 * m + a) * (size_t)stride;
            double own = a == 0 ? 1 / mu : 1;
            for (int k = m; k < state->taken_count; k++) {
                const double *block = q + 3 * linear->taken[k];
                row[3 * k] = own / friction_of(state, k) * block[0];
                row[3 * k + 1] = own * block[1];
                row[3 * k + 2] = own * block[2];
            }
        }
        const double *x = linear->x + 3 * m, *z = linear->z + 3 * m, *r = linear->gap + 3 * m;
        double det_x = determinant(x), det_z = determinant(z);
        double by_x = 1 / sqrt(det_x), by_z = 1 / sqrt(det_z), theta = by_x / by_z;
        double along = by_x * by_z * (x[0] * z[0] + x[1] * z[1] + x[2] * z[2]);
        double half = 0.5 / sqrt(0.5 * (1 + along));
        double g[3] = {half * (by_z * z[0] + by_x * x[0]), half * (by_z * z[1] - by_x * x[1]),
                       half * (by_z * z[2] - by_x * x[2])};
        double weight = state->centring * state->centre / det_x;
        for (int a = 0; a < 3; a++) {
            double sign = a == 0 ? 1 : -1;
            for (int b = a; b < 3; b++) {
                linear->matrix[(size_t)(3 * m + a) * (size_t)stride + (size_t)(3 * m + b)] +=
                    theta * (2 * g[a] * g[b] - (a == b ? sign : 0));
            }
            right[3 * m + a] = -z[a] + weight * sign * x[a] - r[a];
        }
    }
}

// dz = Q' dx + r, by way of the motion that the forces dx give.
static void find_step_z(const interior *state, double *motion)
{
    cg_friction_linear *linear = state->linear;
    const cg_friction_problem *problem = state->run->problem;
    int size = 3 * problem->count;
    memset(motion, 0, (size_t)size * sizeof(double));
    for (int m = 0; m < state->taken_count; m++) {
        const double *dx = linear->step + 3 * m;
        cg_dense_add_three(size, motion, dx[0] / friction_of(state, m), dx[1], dx[2],
                           problem->coupling + 3 * (size_t)linear->taken[m] * (size_t)size, size);
    }
    for (int m = 0; m < state->taken_count; m++) {
        const double *d = motion + 3 * linear->taken[m], *r = linear->gap + 3 * m;
        double *dz = linear->step_z + 3 * m;
        dz[0] = d[0] / friction_of(state, m) + r[0];
        dz[1] = d[1] + r[1];
        dz[2] = d[2] + r[2];
    }
}

// Length at which v + length dv leaves the cone, at most `most`.
static double way_to_boundary(const double *v, const double *dv, double most)
{
    double a = dv[0] * dv[0] - (dv[1] * dv[1] + dv[2] * dv[2]);
    double b = v[0] * dv[0] - (v[1] * dv[1] + v[2] * dv[2]);
    double c = determinant(v);
    double way = most;
    if (dv[0] < 0 && -v[0] / dv[0] < way) {
        way = -v[0] / dv[0];
    }
    double under = b * b - a * c;
    if (under >= 0) { // roots of a t^2 + 2 b t + c
        double q = -(b + (b > 0 ? sqrt(under) : -sqrt(under)));
        double first = a != 0 ? q / a : -1, second = q != 0 ? c / q : -1;
        way = first > 0 && first < way ? first : way;
        way = second > 0 && second < way ? second : way;
    }
    return way;
}

static double step_length(const interior *state)
{
    const cg_friction_linear *linear = state->linear;
    double way = 1 / SHARE_OF_WAY;
    for (int m = 0; m < state->taken_count; m++) {
        way = way_to_boundary(linear->x + 3 * m, linear->step + 3 * m, way);
        way = way_to_boundary(linear->z + 3 * m, linear->step_z + 3 * m, way);
    }
    return SHARE_OF_WAY * way;
}

static bool take(interior *state, const cg_friction_run *run)
{
    const cg_friction_work *work = run->work;
    double margin = OPEN_MARGIN * run->problem->length_scale;
    for (int c = 0; c < run->problem->count; c++) {
        if ((work->best_force[3 * c] > 0 || work->motion[3 * c] < margin) && work->contacts[c].inverse_normal > 0) {
            if (state->taken_count == state->linear->limit) {
                return false;
            }
            state->linear->taken[state->taken_count++] = c;
        }
    }
    return state->taken_count > 0;
}

// Leaves out contacts that have turned out to be open, by more than their force could close. The equations grow with
// the third power of the contacts, and in a knot that slides half of them open. Should one be wanted again, the
// residual calls it.
static void drop_open(interior *state)
{
    cg_friction_linear *linear = state->linear;
    const cg_friction_run *run = state->run;
    int kept = 0;
    for (int m = 0; m < state->taken_count; m++) {
        int c = linear->taken[m];
        double *x = linear->x + 3 * m, *z = linear->z + 3 * m, mu = friction_of(state, m);
        double gap = mu * (z[0] - tangent_length(z)), closes = run->work->contacts[c].normal * x[0] / mu;
        if (gap > OPEN_GAP * run->problem->length_scale && closes < gap) {
            continue;
        }
        linear->taken[kept] = c;
        memmove(linear->x + 3 * kept, x, 3 * sizeof *x);
        memmove(linear->z + 3 * kept, z, 3 * sizeof *z);
        kept++;
    }
    state->taken_count = kept > 0 ? kept : state->taken_count;
}

double cg_friction_interior(cg_friction_run *run, double *force, double *motion)
{
    cg_friction_work *work = run->work;
    interior state = {.run = run, .linear = work->linear, .centring = CENTRING};
    cg_friction_linear *linear = work->linear;
    if (!take(&state, run)) {
        return HUGE_VAL;
    }
    cg_friction_move(run->problem, work->best_force, motion);
    start(&state, work->best_force, motion);
    double *trial = work->good_force, *trial_motion = work->good_motion;
    double best = HUGE_VAL;
    double stop = fmax(STOP * run->problem->length_scale, 0.5 * run->tolerance);
    for (int k = 0; k < MOST_STEPS; k++) {
        double residual = find_gap(&state, trial, trial_motion);
        if (k > 0 && residual < best) {
            best = residual;
            memcpy(force, trial, 3 * (size_t)run->problem->count * sizeof(double));
        }
        if (best < stop || run->result.newton_steps >= run->options->max_newton_steps) {
            break;
        }
        run->result.newton_steps++;
        int size = 3 * state.taken_count, stride = cg_dense_stride(size);
        fill_equations(&state, stride, linear->step);
        if (!cg_dense_cholesky(linear->matrix, stride, size, 0)) {
            break;
        }
        cg_dense_cholesky_solve(linear->matrix, stride, size, linear->step);
        find_step_z(&state, trial_motion);
        double length = step_length(&state);
        if (!(length > SHORTEST_STEP)) {
            break;
        }
        cg_dense_add(size, linear->x, length, linear->step);
        cg_dense_add(size, linear->z, length, linear->step_z);
        drop_open(&state);
        state.centring = length > LONG_STEP ? BOLD_CENTRING : CENTRING;
    }
    return best;
}
