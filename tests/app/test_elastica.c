// Closed forms of bent rods against the tables of physics.md section 6, all rows.
#include <math.h>

#include "harness.h"
#include "support/elastica.h"
#include "support/special.h"

static const double DEGREE = CG_PI / 180;

TEST(load_at_the_tip)
{
    const double table[][4] = {
        // a, angle, drop, draw
        {0.1, 0.049954, 0.033295, 0.000665}, {0.5, 0.244534, 0.162144, 0.015919}, {1, 0.461352, 0.301721, 0.056433},
        {2, 0.781750, 0.493457, 0.160642},   {3, 0.986017, 0.603253, 0.254420},   {4, 1.121239, 0.669964, 0.328941},
        {5, 1.215368, 0.713792, 0.387628},   {7, 1.334960, 0.767369, 0.472927},   {10, 1.430286, 0.810609, 0.554996},
        {20, 1.532935, 0.868696, 0.683886},  {50, 1.567982, 0.917155, 0.800000},
    };
    for (int i = 0; i < 11; i++) {
        cg_tip tip = cg_elastica_tip_load(table[i][0]);
        CHECK_NEAR(tip.angle, table[i][1], 6e-7);
        CHECK_NEAR(tip.drop, table[i][2], 6e-7);
        CHECK_NEAR(tip.draw, table[i][3], 6e-7);
    }
}

TEST(small_loads_are_linear)
{
    CHECK_NEAR(cg_elastica_tip_load(1e-4).drop, 1e-4 / 3, 1e-11);
    CHECK_NEAR(cg_elastica_own_weight(1e-4, 0, 0).drop, 1e-4 / 8, 1e-11);
}

TEST(own_weight)
{
    const double table[][4] = {
        {1, 0.165116, 0.123471, 0.008754},  {2, 0.321594, 0.238507, 0.033107},  {5, 0.697005, 0.495905, 0.153343},
        {10, 1.052643, 0.700200, 0.343646}, {20, 1.339502, 0.829881, 0.554768}, {50, 1.526453, 0.907917, 0.754985},
    };
    for (int i = 0; i < 6; i++) {
        cg_tip tip = cg_elastica_own_weight(table[i][0], 0, 0);
        CHECK_NEAR(tip.angle, table[i][1], 6e-7);
        CHECK_NEAR(tip.drop, table[i][2], 6e-7);
        CHECK_NEAR(tip.draw, table[i][3], 6e-7);
    }
    // Bench A of peers.md, exact tip (0.72360, -0.64143).
    double radius = 0.15e-3, area = CG_PI * radius * radius, bend = 2e9 * area * radius * radius / 4;
    cg_tip tip = cg_elastica_own_weight(1150 * area * 9.81 * 0.008 / bend, 0, 0);
    CHECK_NEAR(1 - tip.draw, 0.72360, 2e-5);
    CHECK_NEAR(tip.drop, 0.64143, 2e-5);
}

TEST(shape_under_own_weight)
{
    enum { POINTS = 51 };
    double shape[POINTS][2];
    cg_tip tip = cg_elastica_own_weight(10, shape, POINTS);
    CHECK_NEAR(shape[0][0], 0, 1e-12);
    CHECK_NEAR(shape[0][1], 0, 1e-12);
    CHECK_NEAR(shape[POINTS - 1][0], 1 - tip.draw, 1e-12);
    CHECK_NEAR(shape[POINTS - 1][1], -tip.drop, 1e-12);
    double length = 0;
    for (int i = 1; i < POINTS; i++) {
        length += hypot(shape[i][0] - shape[i - 1][0], shape[i][1] - shape[i - 1][1]);
    }
    CHECK_NEAR(length, 1, 2e-4); // chords are a little shorter than arcs
    CHECK_NEAR(shape[1][1] / shape[1][0], 0, 0.06);
}

TEST(buckled_column)
{
    const double table[][4] = {
        {20, 1.0154, 0.9697, 0.2194},   {40, 1.0637, 0.8812, 0.4222},   {60, 1.1517, 0.7410, 0.5932},
        {80, 1.2939, 0.5594, 0.7195},   {100, 1.5184, 0.3490, 0.7915},  {120, 1.8848, 0.1232, 0.8032},
        {140, 2.5423, -0.1069, 0.7504}, {160, 4.0301, -0.3403, 0.6246},
    };
    for (int i = 0; i < 8; i++) {
        cg_buckled column = cg_elastica_buckled(table[i][0] * DEGREE);
        CHECK_NEAR(column.load, table[i][1], 6e-5);
        CHECK_NEAR(column.height, table[i][2], 6e-5);
        CHECK_NEAR(column.sway, table[i][3], 6e-5);
    }
}

TEST(catenary_of_all_spans)
{
    const double table[][5] = {
        {0.2, 0.027947, 0.472834, 0.500780, 86.8009},  {0.5, 0.114820, 0.398194, 0.513014, 77.0668},
        {0.8, 0.338202, 0.265438, 0.603639, 55.9254},  {0.9, 0.560094, 0.190709, 0.750803, 41.7555},
        {0.95, 0.851862, 0.135898, 0.987760, 30.4108}, {0.99, 2.013739, 0.061145, 2.074884, 13.9442},
    };
    for (int i = 0; i < 6; i++) {
        cg_catenary chain = cg_catenary_of_span(table[i][0]);
        CHECK_NEAR(chain.scale, table[i][1], 6e-7);
        CHECK_NEAR(chain.sag, table[i][2], 6e-7);
        CHECK_NEAR(chain.tension, table[i][3], 6e-7);
        CHECK_NEAR(chain.slope / DEGREE, table[i][4], 6e-5);
    }
}

TEST(localised_helix_of_all_torques)
{
    const double table[][4] = {
        {0.5, 151.045, 3.872983, 5.272464},
        {1, 120, 3.464102, 4.188790},
        {1.5, 82.819, 2.645751, 2.890937},
        {1.8, 51.684, 1.743560, 1.804107},
    };
    for (int i = 0; i < 4; i++) {
        cg_helix helix = cg_localised_helix(table[i][0]);
        CHECK_NEAR(helix.angle / DEGREE, table[i][1], 6e-4);
        CHECK_NEAR(helix.shortening, table[i][2], 6e-7);
        CHECK_NEAR(helix.writhe, table[i][3], 6e-7);
        CHECK_NEAR(cg_localised_helix_cosine(table[i][0], 0), cos(helix.angle), 1e-12);
        // The shortening is what the tangents lose along the axis.
        double lost = 0, h = 0.01;
        for (double s = -60; s < 60; s += h) {
            lost += h * (1 - cg_localised_helix_cosine(table[i][0], s + h / 2));
        }
        CHECK_NEAR(lost, table[i][2], 1e-5);
    }
}
