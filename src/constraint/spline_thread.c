#include "constraint/spline_thread.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/spline_strain.h"

enum { CONTROLS = 4, STRIDE = CG_ELEMENT_MOST, MATRIX = CG_SPLINE_SPAN_UNKNOWNS * CG_SPLINE_SPAN_UNKNOWNS };

// Gauss's rule on [0, 1] with three points, and with two.
static const double bend_places[CG_SPLINE_BEND_POINTS] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double bend_weights[CG_SPLINE_BEND_POINTS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
static const double pair_places[2] = {0.21132486540518712, 0.78867513459481288};

// The integral of the product of two weights over a span, times 5040.
static const double overlap[CONTROLS][CONTROLS] = {
    {20, 129, 60, 1}, {129, 1188, 933, 60}, {60, 933, 1188, 129}, {1, 60, 129, 20}};
// The integral of a weight, times 24.
static const double share[CONTROLS] = {1, 11, 11, 1};

cg_spline_def cg_spline_def_default(void)
{
    return (cg_spline_def){.control_count = 20,
                           .length = 0.2,
                           .radius = 0.125e-3,
                           .density = 1140,
                           .young = 2.5e9,
                           .poisson = 0.4,
                           .bend_share = 1};
}

double cg_spline_gauss_place(int point)
{
    return bend_places[point];
}

double cg_spline_stretch_place(const cg_spline *spline, int span, double t)
{
    bool is_end = span == 0 || span == spline->span_count - 1;
    return !is_end ? 0.5 : pair_places[t < 0.5 ? 0 : 1];
}

// --- making ---

static cg_status check_def(const cg_spline_def *def)
{
    if (def->control_count < 4 || def->control_count > 100000) {
        return cg_error(CG_BAD_INPUT, "control_count is %d; a spline has 4 to 100000", def->control_count);
    }
    const double positive[] = {def->length, def->radius, def->density, def->young, def->bend_share};
    static const char *const names[] = {"length", "radius", "density", "young", "bend_share"};
    for (int i = 0; i < 5; i++) {
        if (!(positive[i] > 0 && positive[i] < 1e30)) {
            return cg_error(CG_BAD_INPUT, "%s of a spline is %g; it must be above 0", names[i], positive[i]);
        }
    }
    if (!(def->twist_stiffness >= 0 && def->twist_stiffness < 1e30)) {
        return cg_error(CG_BAD_INPUT, "twist_stiffness is %g N m2; it must not be below 0", def->twist_stiffness);
    }
    if (!(def->poisson > -1 && def->poisson <= 0.5)) {
        return cg_error(CG_BAD_INPUT, "poisson is %g; it must be above -1 and at most 0.5", def->poisson);
    }
    if (!(def->mass_damping >= 0 && def->stiffness_damping >= 0 && def->mass_damping + def->stiffness_damping < 1e30)) {
        return cg_error(CG_BAD_INPUT, "damping of a spline must not be below 0");
    }
    for (int i = 0; def->controls != NULL && i < def->control_count; i++) {
        if (!v3_is_finite(def->controls[i])) {
            return cg_error(CG_BAD_INPUT, "control point %d: a number is not finite", i);
        }
    }
    return cg_ok();
}

static void set_material(cg_spline *spline, const cg_spline_def *def)
{
    double rr = def->radius * def->radius, area = CG_PI * rr;
    *spline = (cg_spline){.control_count = def->control_count,
                          .span_count = cg_bspline_spans(def->control_count),
                          .radius = def->radius,
                          .line_density = def->density * area,
                          .spin_inertia = def->density * area * rr / 2,
                          .stretch = def->young * area,
                          .bend = def->bend_share * def->young * area * rr / 4,
                          .twist = def->twist_stiffness > 0
                                       ? def->twist_stiffness
                                       : def->bend_share * def->young / (2 * (1 + def->poisson)) * area * rr / 2,
                          .mass_damping = def->mass_damping,
                          .stiffness_damping = def->stiffness_damping};
    spline->span_length = def->length / spline->span_count;
}

static void gather_start(const cg_spline *spline, int span, double *x)
{
    for (int i = 0; i < CONTROLS; i++) {
        cg_vec3 p = spline->start[span + i];
        double *to = x + CG_SPLINE_UNKNOWNS * i;
        to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = 0;
    }
}

static void derivatives_at(const double *x, double place, cg_vec3 *a, cg_vec3 *b, double *theta)
{
    double w[4][4];
    cg_bspline_weights(place, w);
    *a = *b = v3_zero();
    *theta = 0;
    for (int i = 0; i < CONTROLS; i++) {
        const double *q = x + CG_SPLINE_UNKNOWNS * i;
        *a = v3_add_scaled(*a, w[1][i], v3(q[0], q[1], q[2]));
        *b = v3_add_scaled(*b, w[2][i], v3(q[0], q[1], q[2]));
        *theta += w[1][i] * q[3];
    }
}

// A frame that does not twist along the thread as it lies in the beginning.
static void set_frames(cg_spline *spline)
{
    for (int span = 0; span < spline->span_count; span++) {
        double x[CG_SPLINE_SPAN_UNKNOWNS], theta;
        gather_start(spline, span, x);
        for (int k = 0; k < CG_SPLINE_BEND_POINTS; k++) {
            cg_vec3 a, b;
            derivatives_at(x, bend_places[k], &a, &b, &theta);
            cg_spline_frame flat = {.tangent = v3_unit_or(a, v3(1, 0, 0))};
            spline->frames[span * CG_SPLINE_BEND_POINTS + k] = cg_strain_carry(&flat, a, b);
        }
    }
}

cg_status cg_spline_init(cg_spline *spline, const cg_spline_def *def, const cg_allocator *allocator)
{
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    set_material(spline, def);
    spline->allocator = *allocator;
    size_t controls = (size_t)def->control_count, spans = (size_t)spline->span_count;
    spline->start = cg_memory_take(allocator, controls * sizeof *spline->start);
    spline->frames = cg_memory_take(allocator, spans * CG_SPLINE_BEND_POINTS * sizeof *spline->frames);
    spline->begin_stiffness = cg_memory_take(allocator, spans * MATRIX * sizeof *spline->begin_stiffness);
    if (!spline->start || !spline->frames || !spline->begin_stiffness) {
        cg_spline_free(spline);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a spline of %d control points", def->control_count);
    }
    for (int i = 0; i < def->control_count; i++) {
        spline->start[i] = def->controls ? def->controls[i] : v3((i - 1) * spline->span_length, 0, 0);
    }
    set_frames(spline);
    return cg_ok();
}

void cg_spline_free(cg_spline *spline)
{
    cg_memory_give(&spline->allocator, spline->start);
    cg_memory_give(&spline->allocator, spline->frames);
    cg_memory_give(&spline->allocator, spline->begin_stiffness);
    spline->start = NULL;
    spline->frames = NULL;
    spline->begin_stiffness = NULL;
}

// --- energies ---

// One or two places where the stretch of a span is looked at (spline_thread.h says why not more).
static int stretch_places(const cg_spline *spline, int span, double places[2])
{
    bool is_outer = span == 0 || span == spline->span_count - 1;
    places[0] = is_outer ? pair_places[0] : 0.5;
    places[1] = pair_places[1];
    return is_outer ? 2 : 1;
}

static double twist_at(const cg_spline *spline, int span, int point, cg_vec3 a, cg_vec3 b, double theta,
                       cg_strain *frame)
{
    *frame = cg_strain_frame_twist(&spline->frames[span * CG_SPLINE_BEND_POINTS + point], a, b);
    return theta + frame->energy;
}

double cg_spline_twist_rate(const cg_spline *spline, int span, int point, const double *x)
{
    cg_vec3 a, b;
    double theta;
    cg_strain frame;
    derivatives_at(x, bend_places[point], &a, &b, &theta);
    return twist_at(spline, span, point, a, b, theta, &frame) / spline->span_length;
}

double cg_spline_energy(const cg_spline *spline, int span, const double *x)
{
    cg_vec3 a, b;
    double theta, places[2], sum = 0, l = spline->span_length;
    int count = stretch_places(spline, span, places);
    for (int k = 0; k < count; k++) {
        derivatives_at(x, places[k], &a, &b, &theta);
        sum += cg_strain_stretch(spline->stretch, l, 1.0 / count, a).energy;
    }
    for (int k = 0; k < CG_SPLINE_BEND_POINTS; k++) {
        cg_strain frame;
        derivatives_at(x, bend_places[k], &a, &b, &theta);
        double twist = twist_at(spline, span, k, a, b, theta, &frame);
        sum += cg_strain_bend(spline->bend, l, bend_weights[k], a, b).energy;
        sum += 0.5 * spline->twist / l * bend_weights[k] * twist * twist;
    }
    return sum;
}

// --- forces and stiffness ---

// Adds a strain at a place to the gradient and, times `scale`, to the matrix of the span.
static void add_strain(const cg_strain *strain, double w[4][4], double scale, double *gradient, double *matrix)
{
    const double ga[3] = {strain->by_a.x, strain->by_a.y, strain->by_a.z};
    const double gb[3] = {strain->by_b.x, strain->by_b.y, strain->by_b.z};
    for (int i = 0; i < CONTROLS; i++) {
        for (int c = 0; c < 3; c++) {
            gradient[CG_SPLINE_UNKNOWNS * i + c] += w[1][i] * ga[c] + w[2][i] * gb[c];
        }
    }
    if (scale == 0) {
        return;
    }
    for (int j = 0; j < CONTROLS; j++) {
        double p = scale * w[1][j], q = scale * w[2][j];
        for (int c = 0; c < 3; c++) {
            for (int d = 0; d < 3; d++) {
                double of_a = p * strain->by_aa.m[c][d] + q * strain->by_ab.m[c][d];
                double of_b = p * strain->by_ab.m[d][c] + q * strain->by_bb.m[c][d];
                double *to = matrix + c * STRIDE + CG_SPLINE_UNKNOWNS * j + d;
                for (int i = 0; i < CONTROLS; i++) {
                    to[CG_SPLINE_UNKNOWNS * i * STRIDE] += w[1][i] * of_a + w[2][i] * of_b;
                }
            }
        }
    }
}

// k/2 T^2 with T = theta' + m: k T dT, k (dT dT^T + T d2m).
static void add_twist(const cg_strain *frame, double twist, double k, double w[4][4], double scale, double *gradient,
                      double *matrix)
{
    cg_strain curved = *frame;
    curved.by_a = v3_scale(k * twist, frame->by_a);
    curved.by_b = v3_scale(k * twist, frame->by_b);
    curved.by_aa = m3_add(m3_scale(k * twist, frame->by_aa), m3_scale(k, m3_outer(frame->by_a, frame->by_a)));
    curved.by_ab = m3_add(m3_scale(k * twist, frame->by_ab), m3_scale(k, m3_outer(frame->by_a, frame->by_b)));
    curved.by_bb = m3_scale(k, m3_outer(frame->by_b, frame->by_b));
    add_strain(&curved, w, scale, gradient, matrix);
    for (int i = 0; i < CONTROLS; i++) {
        int theta = CG_SPLINE_UNKNOWNS * i + 3;
        gradient[theta] += k * twist * w[1][i];
        for (int j = 0; j < CONTROLS; j++) {
            cg_vec3 mixed = v3_add_scaled(v3_scale(w[1][j], frame->by_a), w[2][j], frame->by_b);
            const double part[4] = {mixed.x, mixed.y, mixed.z, w[1][j]};
            for (int c = 0; c < 4; c++) {
                double value = scale * k * w[1][i] * part[c];
                int other = CG_SPLINE_UNKNOWNS * j + c;
                matrix[theta * STRIDE + other] += value;
                if (c < 3) {
                    matrix[other * STRIDE + theta] += value;
                }
            }
        }
    }
}

static void add_elastic(const cg_spline *spline, int span, const double *x, double scale, double *gradient,
                        double *matrix)
{
    cg_vec3 a, b;
    double theta, places[2], w[4][4], l = spline->span_length;
    int count = stretch_places(spline, span, places);
    for (int k = 0; k < count; k++) {
        derivatives_at(x, places[k], &a, &b, &theta);
        cg_bspline_weights(places[k], w);
        cg_strain stretch = cg_strain_stretch(spline->stretch, l, 1.0 / count, a);
        add_strain(&stretch, w, scale, gradient, matrix);
    }
    for (int k = 0; k < CG_SPLINE_BEND_POINTS; k++) {
        cg_strain frame;
        derivatives_at(x, bend_places[k], &a, &b, &theta);
        cg_bspline_weights(bend_places[k], w);
        double twist = twist_at(spline, span, k, a, b, theta, &frame);
        cg_strain bend = cg_strain_bend(spline->bend, l, bend_weights[k], a, b);
        add_strain(&bend, w, scale, gradient, matrix);
        add_twist(&frame, twist, spline->twist / l * bend_weights[k], w, scale, gradient, matrix);
    }
}

// Inertia, weight and the part of the damping that goes with the mass.
static void add_mass(const cg_spline *spline, const cg_element_state *state, const cg_element_wish *wish,
                     cg_element_answer *answer)
{
    double mass = spline->line_density * spline->span_length, spin = spline->spin_inertia * spline->span_length;
    double alpha = spline->mass_damping;
    for (int i = 0; i < CONTROLS; i++) {
        const double weight[CG_SPLINE_UNKNOWNS] = {wish->gravity.x, wish->gravity.y, wish->gravity.z, 0};
        for (int c = 0; c < CG_SPLINE_UNKNOWNS; c++) {
            int row = CG_SPLINE_UNKNOWNS * i + c;
            double of = c < 3 ? mass : spin, sum = 0;
            for (int j = 0; j < CONTROLS; j++) {
                int column = CG_SPLINE_UNKNOWNS * j + c;
                double m = of * overlap[i][j] / 5040;
                sum += m * (state->a[column] + alpha * state->v[column]);
                answer->matrix[row * STRIDE + column] += (wish->mass + alpha * wish->damping) * m;
            }
            answer->f[row] += of * share[i] / 24 * weight[c] - sum;
        }
    }
}

static void add_stiffness_damping(const cg_spline *spline, int span, const cg_element_state *state,
                                  const cg_element_wish *wish, cg_element_answer *answer)
{
    double beta = spline->stiffness_damping;
    const double *k0 = spline->begin_stiffness + (size_t)span * MATRIX;
    for (int i = 0; beta > 0 && i < CG_SPLINE_SPAN_UNKNOWNS; i++) {
        double sum = 0;
        for (int j = 0; j < CG_SPLINE_SPAN_UNKNOWNS; j++) {
            double k = beta * k0[i * CG_SPLINE_SPAN_UNKNOWNS + j];
            sum += k * state->v[j];
            answer->matrix[i * STRIDE + j] += wish->damping * k;
        }
        answer->f[i] -= sum;
    }
}

void cg_spline_forces(const cg_spline *spline, int span, const cg_element_state *state, const cg_element_wish *wish,
                      cg_element_answer *answer)
{
    double gradient[CG_SPLINE_SPAN_UNKNOWNS] = {0};
    add_elastic(spline, span, state->x, wish->stiffness, gradient, answer->matrix);
    for (int i = 0; i < CG_SPLINE_SPAN_UNKNOWNS; i++) {
        answer->f[i] -= gradient[i];
    }
    add_mass(spline, state, wish, answer);
    add_stiffness_damping(spline, span, state, wish, answer);
}

// --- between steps ---

void cg_spline_begin_span(cg_spline *spline, int span, const double *x)
{
    double *k0 = spline->begin_stiffness + (size_t)span * MATRIX, gradient[CG_SPLINE_SPAN_UNKNOWNS] = {0};
    if (spline->stiffness_damping > 0) {
        memset(k0, 0, MATRIX * sizeof *k0);
        add_elastic(spline, span, x, 1, gradient, k0);
    }
}

void cg_spline_end_span(cg_spline *spline, int span, const double *x)
{
    for (int k = 0; k < CG_SPLINE_BEND_POINTS; k++) {
        cg_vec3 a, b;
        double theta;
        derivatives_at(x, bend_places[k], &a, &b, &theta);
        cg_spline_frame *frame = &spline->frames[span * CG_SPLINE_BEND_POINTS + k];
        *frame = cg_strain_carry(frame, a, b);
    }
}
