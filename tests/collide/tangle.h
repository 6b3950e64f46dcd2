// Random tangles for the tests of the finders: curly threads, parallel strands, touching ones, segments without length.
#ifndef CATGUT_TESTS_COLLIDE_TANGLE_H
#define CATGUT_TESTS_COLLIDE_TANGLE_H

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/trig.h"
#include "collide/chains.h"
#include "harness.h"

enum { TANGLE_CHAINS = 4, TANGLE_POINTS = 320 };

typedef struct tangle {
    cg_chain chains[TANGLE_CHAINS];
    int count;
    cg_vec3 points[TANGLE_CHAINS][TANGLE_POINTS];
    double arc[TANGLE_CHAINS][TANGLE_POINTS];
} tangle;

static inline cg_vec3 random_vec3(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

static inline cg_vec3 random_unit(uint64_t *state)
{
    cg_vec3 v = random_vec3(state, 1);
    return v3_dot(v, v) > 1e-4 ? v3_unit_or(v, v3(1, 0, 0)) : v3(0, 1, 0);
}

// Gives chain c its place in the tangle, with arc lengths as the points lie.
static inline void tangle_finish_chain(tangle *t, int c, int points, double radius)
{
    t->arc[c][0] = 0;
    for (int i = 1; i < points; i++) {
        double step = v3_distance(t->points[c][i], t->points[c][i - 1]);
        t->arc[c][i] = t->arc[c][i - 1] + (step == step ? step : radius);
    }
    t->chains[c] = (cg_chain){t->points[c], points, radius, t->arc[c], NULL};
}

// A thread that wanders and curls about inside a ball, segments of length about `step`.
static inline void tangle_wander(tangle *t, int c, int points, double radius, double step, double ball, double curl,
                                 uint64_t *state)
{
    cg_vec3 p = random_vec3(state, 0.5 * ball), heading = random_unit(state), turn = random_unit(state);
    for (int i = 0; i < points; i++) {
        t->points[c][i] = p;
        p = v3_add_scaled(p, step, heading);
        turn = v3_unit_or(v3_add_scaled(turn, 0.3, random_unit(state)), turn);
        heading = v3_unit_or(v3_add_scaled(heading, curl, v3_cross(turn, heading)), heading);
        if (v3_length(p) > ball) {
            heading = v3_unit_or(v3_add_scaled(heading, -0.8 / v3_length(p), p), heading);
        }
    }
    tangle_finish_chain(t, c, points, radius);
}

// Strands on a square grid, all parallel, some touching exactly, to and fro along one thread.
static inline void tangle_meander(tangle *t, int c, int points, double radius, double step, uint64_t *state)
{
    int across = test_random_int(state, 3, 20), column = 0, row = 0, direction = 1;
    double pitch = radius * test_random_int(state, 1, 3);
    for (int i = 0; i < points; i++) {
        t->points[c][i] = v3(column * step, row * pitch, c * 2 * radius);
        column += direction;
        if (column < 0 || column > across) {
            direction = -direction;
            column += direction;
            row++;
        }
    }
    tangle_finish_chain(t, c, points, radius);
}

static inline void tangle_make(tangle *t, int most_points, uint64_t *state)
{
    t->count = test_random_int(state, 1, TANGLE_CHAINS);
    double radius = pow(10, test_random(state, -5, 0));
    for (int c = 0; c < t->count; c++) {
        int points = test_random_int(state, 1, most_points);
        double step = radius * pow(2, test_random(state, -2.5, 3));
        double ball = radius * test_random(state, 3, 30), thickness = radius * (c % 2 ? 1 : test_random(state, 0.5, 2));
        if (test_random_int(state, 0, 5) == 0) {
            tangle_meander(t, c, points, radius, step, state);
        } else {
            double curl = test_random(state, 0, 0.9);
            tangle_wander(t, c, points, thickness, step, ball, curl, state);
        }
    }
    // Segments without length, a strand copied exactly, points shared, everything far from the origin.
    for (int c = 0; c < t->count; c++) {
        int points = t->chains[c].count, kind = test_random_int(state, 0, 7);
        for (int k = 0; k < 6 && kind == 0 && points > 1; k++) {
            int i = test_random_int(state, 1, points - 1);
            t->points[c][i] = t->points[c][i - 1];
        }
        for (int i = 0; kind == 1 && c > 0 && i < points && i < t->chains[c - 1].count; i++) {
            t->points[c][i] = v3_add(t->points[c - 1][i], v3(0, test_random_int(state, 0, 1) ? 0 : radius, 0));
        }
        if (kind == 2 && points > 20) {
            t->points[c][points - 1] = t->points[c][2];
        }
        tangle_finish_chain(t, c, points, t->chains[c].radius);
    }
    if (test_random_int(state, 0, 9) == 0) {
        cg_vec3 away = random_vec3(state, 1000 * radius);
        for (int c = 0; c < t->count; c++) {
            for (int i = 0; i < t->chains[c].count; i++) {
                t->points[c][i] = v3_add(t->points[c][i], away);
            }
        }
    }
}

#endif
