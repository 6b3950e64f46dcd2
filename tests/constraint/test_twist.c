// The twist of a spline thread: the same whatever frame it is measured from, and there where the thread is straight.
#include <math.h>
#include <string.h>

#include "base/frame.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/spline_thread.h"
#include "harness.h"

enum { CONTROLS = 12, STEPS = 40 };

static cg_spline_def thread_def(void)
{
    cg_spline_def def = cg_spline_def_default();
    def.control_count = CONTROLS;
    return def;
}

// A straight thread that winds up into a helix of growing radius and pitch.
static void shape_at(double share, double length, double x[CONTROLS][4])
{
    for (int i = 0; i < CONTROLS; i++) {
        double along = length * i, angle = 0.9 * i * share, radius = 1.1 * length * share;
        x[i][0] = along * (1 - 0.4 * share);
        x[i][1] = radius * (cg_cos(angle) - 1);
        x[i][2] = radius * cg_sin(angle) + 0.1 * length * share * i * i / CONTROLS;
        x[i][3] = share * (0.3 * i - 0.02 * i * i);
    }
}

static cg_vec3 derivative(double (*x)[4], double place, int order, double *theta)
{
    double w[4][4];
    cg_bspline_weights(place, w);
    cg_vec3 sum = v3_zero();
    *theta = 0;
    for (int i = 0; i < 4; i++) {
        sum = v3_add_scaled(sum, w[order][i], v3(x[i][0], x[i][1], x[i][2]));
        *theta += w[order][i] * x[i][3];
    }
    return sum;
}

// The material direction at a place: a director carried in time by hand, turned by theta.
typedef struct director {
    cg_vec3 tangent, across;
} director;

static void carry(director *by, double (*x)[4], double place)
{
    double theta;
    cg_vec3 tangent = v3_unit_or(derivative(x, place, 1, &theta), v3(1, 0, 0));
    by->across = parallel_transport(by->across, by->tangent, tangent);
    by->tangent = tangent;
}

// The angle of the material against the normal of Frenet's frame.
static double frenet_angle(const director *by, double (*x)[4], double place)
{
    double theta, turn;
    cg_vec3 a = derivative(x, place, 1, &theta), b = derivative(x, place, 2, &theta), t = by->tangent;
    derivative(x, place, 0, &turn);
    cg_vec3 binormal = v3_unit_or(v3_cross(a, b), t), normal = v3_cross(binormal, t);
    cg_vec3 across = by->across, side = v3_cross(t, across);
    cg_vec3 material = v3_add_scaled(v3_scale(cg_cos(turn), across), cg_sin(turn), side);
    return cg_atan2(v3_dot(material, binormal), v3_dot(material, normal));
}

static double torsion(double (*x)[4], double place)
{
    double theta;
    cg_vec3 a = derivative(x, place, 1, &theta), b = derivative(x, place, 2, &theta);
    cg_vec3 c = derivative(x, place, 3, &theta), n = v3_cross(a, b);
    return v3_dot(n, c) / v3_dot(n, n) * v3_length(a); // per u
}

// Winds the thread up, and compares at one Gauss point.
static void check_point(cg_spline *spline, int span, int point)
{
    double x[CONTROLS][4], step = 1e-4, place = cg_spline_gauss_place(point);
    director before = {v3(1, 0, 0), v3(0, 1, 0)}, after = before;
    for (int n = 1; n <= STEPS; n++) {
        shape_at((double)n / STEPS, spline->span_length, x);
        carry(&before, x + span, place - step);
        carry(&after, x + span, place + step);
        if (n < STEPS) {
            cg_spline_end_span(spline, span, x[span]);
        }
    }
    double turn = frenet_angle(&after, x + span, place + step) - frenet_angle(&before, x + span, place - step);
    turn -= turn > CG_PI ? 2 * CG_PI : (turn < -CG_PI ? -2 * CG_PI : 0);
    double frenet = turn / (2 * step) + torsion(x + span, place);
    CHECK_NEAR(cg_spline_twist_rate(spline, span, point, x[span]) * spline->span_length, frenet, 1e-6);
    CHECK(fabs(frenet) > 1e-3);
}

TEST(where_a_thread_bends_twist_is_theta_and_torsion)
{
    for (int point = 0; point < CG_SPLINE_BEND_POINTS; point++) {
        cg_spline_def def = thread_def();
        cg_allocator allocator = cg_memory_default();
        cg_spline spline;
        if (!CHECK(cg_spline_init(&spline, &def, &allocator).code == CG_OK)) {
            return;
        }
        for (int span = 0; span < spline.span_count; span++) {
            check_point(&spline, span, point);
        }
        cg_spline_free(&spline);
    }
}

// A straight thread twisted by its ends: theta grows evenly and the energy is GJ/2 (angle / L)^2 L.
TEST(a_straight_thread_has_twist)
{
    cg_spline_def def = thread_def();
    cg_allocator allocator = cg_memory_default();
    cg_spline spline;
    if (!CHECK(cg_spline_init(&spline, &def, &allocator).code == CG_OK)) {
        return;
    }
    double x[CONTROLS][4], angle = 3, sum = 0;
    shape_at(0, spline.span_length, x);
    for (int i = 0; i < CONTROLS; i++) {
        x[i][3] = angle * i / spline.span_count;
    }
    for (int span = 0; span < spline.span_count; span++) {
        CHECK_NEAR(cg_spline_twist_rate(&spline, span, 1, x[span]), angle / def.length, 1e-12);
        sum += cg_spline_energy(&spline, span, x[span]);
    }
    double exact = 0.5 * spline.twist * angle * angle / def.length;
    CHECK_NEAR(sum / exact, 1, 1e-10);
    cg_spline_free(&spline);
}
