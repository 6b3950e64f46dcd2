// Constraints: g, g', g'' and all their derivatives, against finite differences of what stands before them.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "constraint/bspline.h"
#include "constraint/row.h"
#include "constraint/spline_thread.h"
#include "harness.h"

enum { STATES = 200, CONTROLS = 8, UNKNOWNS = 4 * CONTROLS + 1 + 14 + 12 };
enum { ABSCISSA = 4 * CONTROLS, BODY = ABSCISSA + 1, SECOND_BODY = BODY + 7, NODES = BODY + 14 };

// A spline of eight control points, an abscissa on it, two bodies, four nodes.
typedef struct scene {
    double x[UNKNOWNS], v[UNKNOWNS], a[UNKNOWNS];
} scene;

static double random_number(uint64_t *seed)
{
    return test_random(seed, -1, 1);
}

// Some threads are straight, some abscissas lie on a knot.
static scene random_scene(uint64_t *seed, int k)
{
    scene s;
    for (int i = 0; i < UNKNOWNS; i++) {
        s.x[i] = random_number(seed);
        s.v[i] = random_number(seed);
        s.a[i] = random_number(seed);
    }
    for (int i = 0; i < CONTROLS; i++) {
        double bend = k % 4 == 0 ? 0 : 0.4;
        for (int c = 0; c < 3; c++) {
            s.x[4 * i + c] = bend * s.x[4 * i + c] + (c == 0 ? i : 0);
        }
    }
    s.x[ABSCISSA] = k % 3 == 0 ? 3 + k % 6 : test_random(seed, 3.001, CONTROLS - 0.001);
    for (int c = 0; c < 3; c++) { // a triangle that has edges
        s.x[NODES + 3 * c + c] += 3;
    }
    return s;
}

static cg_part nodes_part(int count, double w0, double w1, double w2)
{
    return (cg_part){
        .kind = CG_PART_NODES, .node_count = count, .nodes = {NODES, NODES + 3, NODES + 6}, .weights = {w0, w1, w2}};
}

static cg_part slide_part(int order)
{
    return (cg_part){
        .kind = CG_PART_SLIDE, .first = 0, .control_count = CONTROLS, .abscissa = ABSCISSA, .order = order};
}

static cg_part body_part(cg_part_kind kind, int first)
{
    return (cg_part){.kind = kind, .first = first, .arm = {0.3, -0.5, 0.8}};
}

static cg_part given_part(void)
{
    return (cg_part){.kind = CG_PART_GIVEN, .place = {1, 2, 3}, .speed = {0.4, 0.5, 0.6}, .acceleration = {-1, 1, 2}};
}

enum { CASES = 12 };

static cg_rows case_of(int k)
{
    switch (k) {
    case 0: // a node held at a moving place
        return (cg_rows){CG_ROW_MEET, {nodes_part(1, 1, 0, 0), given_part()}, 0};
    case 1: // a point of a triangle at a point of a body
        return (cg_rows){CG_ROW_MEET, {nodes_part(3, 0.2, 0.3, 0.5), body_part(CG_PART_POINT, BODY)}, 0};
    case 2: // a ball joint
        return (cg_rows){CG_ROW_MEET, {body_part(CG_PART_POINT, SECOND_BODY), body_part(CG_PART_POINT, BODY)}, 0};
    case 3: // a hinge's axis
        return (cg_rows){CG_ROW_DOT, {body_part(CG_PART_ARROW, SECOND_BODY), body_part(CG_PART_ARROW, BODY)}, 0.1};
    case 4: // a sliding point
        return (cg_rows){CG_ROW_MEET, {slide_part(0), nodes_part(3, 0.2, 0.3, 0.5)}, 0};
    case 5: // a sliding tangent against an edge
        return (cg_rows){CG_ROW_ANGLE, {slide_part(1), nodes_part(2, -1, 1, 0)}, 0.3};
    case 6: // a tangent in a plane
        return (cg_rows){CG_ROW_DOT, {nodes_part(3, -0.3, 0.1, 0.2), given_part()}, 0};
    case 7: // a rod without mass
        return (cg_rows){CG_ROW_DISTANCE, {nodes_part(1, 1, 0, 0), body_part(CG_PART_POINT, BODY)}, 2};
    case 8:
        return (cg_rows){CG_ROW_UNIT, {body_part(CG_PART_ARROW, BODY), {0}}, 0};
    case 9: // a tangent of given length that slides
        return (cg_rows){CG_ROW_MEET, {slide_part(1), given_part()}, 0};
    case 10: // both parts of one body
        return (cg_rows){CG_ROW_ANGLE, {body_part(CG_PART_ARROW, BODY), slide_part(1)}, 0};
    default: // both parts slide
        return (cg_rows){CG_ROW_DISTANCE, {slide_part(0), nodes_part(1, 1, 0, 0)}, 0.5};
    }
}

static void evaluate(const cg_rows *rows, const scene *s, int span, double late, cg_rows_value *value)
{
    int unknowns[CG_ROW_UNKNOWNS_MOST], count = cg_rows_unknown_count(rows);
    cg_jet local[CG_ROW_UNKNOWNS_MOST];
    cg_rows_unknowns(rows, span, unknowns);
    for (int i = 0; i < count; i++) {
        local[i] = jet(s->x[unknowns[i]], s->v[unknowns[i]], s->a[unknowns[i]]);
    }
    cg_rows_evaluate(rows, span, late, local, value);
}

static double larger(double worst, double a, double b)
{
    return fmax(worst, fabs(a - b) / (1 + fabs(a) + fabs(b)));
}

// Moves one unknown of x, v or a.
static scene moved(const scene *s, int which, int unknown, double step)
{
    scene out = *s;
    double *to = which == 0 ? out.x : (which == 1 ? out.v : out.a);
    to[unknown] += step;
    return out;
}

// dg/dx = G, dg'/dx = G', dg'/dv = G, dg''/dx = G'', dg''/dv = 2 G', dg''/da = G. An abscissa on a knot belongs to the
// span after it, so its differences are taken with the polynomial of that span.
static double jacobian_error(const cg_rows *rows, const scene *s)
{
    int span = cg_rows_span(rows, s->x), count = cg_rows_unknown_count(rows), unknowns[CG_ROW_UNKNOWNS_MOST];
    cg_rows_value at;
    cg_rows_unknowns(rows, span, unknowns);
    evaluate(rows, s, span, 0, &at);
    double step = 1e-5, worst = 0;
    for (int j = 0; j < count; j++) {
        for (int which = 0; which < 3; which++) {
            cg_rows_value up, down;
            scene right = moved(s, which, unknowns[j], step), left = moved(s, which, unknowns[j], -step);
            evaluate(rows, &right, span, 0, &up);
            evaluate(rows, &left, span, 0, &down);
            for (int row = 0; row < cg_rows_count(rows); row++) {
                double g = (up.g[row] - down.g[row]) / (2 * step);
                double rate = (up.rate[row] - down.rate[row]) / (2 * step);
                double acceleration = (up.acceleration[row] - down.acceleration[row]) / (2 * step);
                worst = larger(worst, g, which == 0 ? at.by[row][j] : 0);
                worst = larger(worst, rate, which == 0 ? at.rate_of_by[row][j] : (which == 1 ? at.by[row][j] : 0));
                worst = larger(worst, acceleration,
                               which == 0 ? at.acceleration_of_by[row][j]
                                          : (which == 1 ? 2 * at.rate_of_by[row][j] : at.by[row][j]));
            }
        }
    }
    return worst;
}

TEST(jacobians_are_those_of_finite_differences)
{
    uint64_t seed = 11;
    for (int k = 0; k < CASES; k++) {
        cg_rows rows = case_of(k);
        double worst = 0;
        for (int n = 0; n < STATES; n++) {
            scene s = random_scene(&seed, n);
            worst = fmax(worst, jacobian_error(&rows, &s));
        }
        if (!CHECK_NEAR(worst, 0, 1e-6)) {
            CHECK_INT(k, -1);
        }
    }
}

static scene later(const scene *s, double t)
{
    scene out = *s;
    for (int i = 0; i < UNKNOWNS; i++) {
        out.x[i] += s->v[i] * t + s->a[i] * t * t / 2;
        out.v[i] += s->a[i] * t;
    }
    return out;
}

TEST(time_derivatives_are_those_of_the_motion)
{
    uint64_t seed = 12;
    double step = 1e-5;
    for (int k = 0; k < CASES; k++) {
        cg_rows rows = case_of(k);
        double worst = 0;
        for (int n = 0; n < STATES; n++) {
            scene s = random_scene(&seed, n), after = later(&s, step), before = later(&s, -step);
            int span = cg_rows_span(&rows, s.x), count = cg_rows_unknown_count(&rows);
            int unknowns[CG_ROW_UNKNOWNS_MOST];
            cg_rows_unknowns(&rows, span, unknowns);
            cg_rows_value at, up, down;
            evaluate(&rows, &s, span, 0, &at);
            evaluate(&rows, &after, span, step, &up);
            evaluate(&rows, &before, span, -step, &down);
            for (int row = 0; row < cg_rows_count(&rows); row++) {
                worst = larger(worst, at.rate[row], (up.g[row] - down.g[row]) / (2 * step));
                worst = larger(worst, at.acceleration[row], (up.rate[row] - down.rate[row]) / (2 * step));
                bool is_driven = rows.parts[0].kind == CG_PART_GIVEN || rows.parts[1].kind == CG_PART_GIVEN;
                double sum = at.xi[row];
                for (int j = 0; j < count; j++) {
                    sum += at.by[row][j] * s.a[unknowns[j]];
                }
                worst = is_driven ? worst : larger(worst, at.acceleration[row], sum);
            }
        }
        CHECK_NEAR(worst, 0, 1e-6);
    }
}

TEST(the_force_of_a_constraint_turns_with_its_gradient)
{
    uint64_t seed = 13;
    double step = 1e-5;
    for (int k = 0; k < CASES; k++) {
        cg_rows rows = case_of(k);
        double worst = 0;
        for (int n = 0; n < STATES; n++) {
            scene s = random_scene(&seed, n);
            int span = cg_rows_span(&rows, s.x), count = cg_rows_unknown_count(&rows);
            int unknowns[CG_ROW_UNKNOWNS_MOST];
            cg_rows_unknowns(&rows, span, unknowns);
            double x[CG_ROW_UNKNOWNS_MOST], force[3], matrix[CG_ROW_UNKNOWNS_MOST * CG_ROW_UNKNOWNS_MOST] = {0};
            for (int i = 0; i < 3; i++) {
                force[i] = random_number(&seed);
            }
            for (int i = 0; i < count; i++) {
                x[i] = s.x[unknowns[i]];
            }
            cg_rows_add_curvature(&rows, span, 0, x, force, matrix, count);
            for (int j = 0; j < count; j++) {
                cg_rows_value up, down;
                scene right = moved(&s, 0, unknowns[j], step), left = moved(&s, 0, unknowns[j], -step);
                evaluate(&rows, &right, span, 0, &up);
                evaluate(&rows, &left, span, 0, &down);
                for (int i = 0; i < count; i++) {
                    double slope = 0;
                    for (int row = 0; row < cg_rows_count(&rows); row++) {
                        slope += force[row] * (up.by[row][i] - down.by[row][i]) / (2 * step);
                    }
                    worst = larger(worst, matrix[i * count + j], slope);
                }
            }
            CHECK(!cg_rows_are_linear(&rows) || worst < 1e-9);
        }
        CHECK_NEAR(worst, 0, 1e-6);
    }
}

// What a knot joins is smooth up to the second derivative: points, tangents and g' of a tangent do not care which of
// the two polynomials they are taken from.
TEST(a_knot_belongs_to_both_spans)
{
    uint64_t seed = 14;
    cg_rows rows = case_of(9);
    for (int n = 0; n < STATES; n++) {
        scene s = random_scene(&seed, 3 * n + 1);
        s.x[ABSCISSA] = 4 + n % 3;
        int span = cg_rows_span(&rows, s.x);
        CHECK_INT(span, 1 + n % 3);
        cg_rows_value after, before;
        evaluate(&rows, &s, span, 0, &after);
        evaluate(&rows, &s, span - 1, 0, &before);
        for (int row = 0; row < 3; row++) {
            CHECK_NEAR(after.g[row], before.g[row], 1e-12);
            CHECK_NEAR(after.rate[row], before.rate[row], 1e-12);
        }
    }
}
