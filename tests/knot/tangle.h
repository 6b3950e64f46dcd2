// Random shapes of a given knot, made by moves that cannot change it and with geometry of their own: nothing here is
// shared with the code under test.
#ifndef CATGUT_TESTS_KNOT_TANGLE_H
#define CATGUT_TESTS_KNOT_TANGLE_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"
#include "harness.h"

enum { TANGLE_ROOM = 4000 };

// A polygon, closed or open.
typedef struct tangle {
    int count;
    bool closed;
    cg_vec3 points[TANGLE_ROOM];
} tangle;

static inline double tangle_clamp(double x)
{
    return x < 0 ? 0 : (x > 1 ? 1 : x);
}

// Distance of two segments: best of the four end-to-segment distances and the inner pair.
static inline double tangle_distance(cg_vec3 p, cg_vec3 q, cg_vec3 r, cg_vec3 s)
{
    cg_vec3 u = v3_sub(q, p), v = v3_sub(s, r), w = v3_sub(p, r);
    double a = v3_dot(u, u), b = v3_dot(u, v), c = v3_dot(v, v), d = v3_dot(u, w), e = v3_dot(v, w);
    double best = 1e300, n = a * c - b * b;
    if (n > 1e-14 * a * c) {
        double x = tangle_clamp((b * e - c * d) / n), y = tangle_clamp((a * e - b * d) / n);
        best = v3_length(v3_add(w, v3_sub(v3_scale(x, u), v3_scale(y, v))));
    }
    double ends[4] = {
        v3_length(v3_sub(w, v3_scale(tangle_clamp(e / c), v))),
        v3_length(v3_sub(v3_add(w, u), v3_scale(tangle_clamp((e + b) / c), v))),
        v3_length(v3_add(w, v3_scale(tangle_clamp(-d / a), u))),
        v3_length(v3_add(v3_sub(w, v), v3_scale(tangle_clamp((b - d) / a), u))),
    };
    for (int i = 0; i < 4; i++) {
        best = ends[i] < best ? ends[i] : best;
    }
    return best;
}

// Whether segment r s passes through triangle a b c, by signs of volumes; grown a little.
static inline bool tangle_pierces(cg_vec3 a, cg_vec3 b, cg_vec3 c, cg_vec3 r, cg_vec3 s)
{
    cg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double hr = v3_dot(n, v3_sub(r, a)), hs = v3_dot(n, v3_sub(s, a));
    if (hr * hs > 0) {
        return false;
    }
    cg_vec3 x = v3_add_scaled(r, hr / (hr - hs + 1e-300), v3_sub(s, r));
    double slack = -1e-6 * v3_dot(n, n);
    return v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(x, a))) > slack &&
           v3_dot(n, v3_cross(v3_sub(c, b), v3_sub(x, b))) > slack &&
           v3_dot(n, v3_cross(v3_sub(a, c), v3_sub(x, c))) > slack;
}

static inline int tangle_segments(const tangle *t)
{
    return t->closed ? t->count : t->count - 1;
}

static inline cg_vec3 tangle_point(const tangle *t, int i)
{
    return t->points[(i + t->count) % t->count];
}

// Moves vertex i to `to` when nothing is in the way and everything stays `margin` apart.
static inline bool tangle_move(tangle *t, int i, cg_vec3 to, double margin)
{
    cg_vec3 a = tangle_point(t, i - 1), p = t->points[i], b = tangle_point(t, i + 1);
    int before = (i - 1 + t->count) % t->count;
    for (int j = 0; j < tangle_segments(t); j++) {
        if (j == i || j == before) {
            continue;
        }
        cg_vec3 r = t->points[j], s = tangle_point(t, j + 1);
        bool at_a = (j + 1) % t->count == before, at_b = j == (i + 1) % t->count;
        // Neighbours share a corner: shorten them a little there.
        if (at_a) {
            s = v3_add_scaled(s, 1e-3, v3_sub(r, s));
        }
        if (at_b) {
            r = v3_add_scaled(r, 1e-3, v3_sub(s, r));
        }
        if (tangle_pierces(a, p, to, r, s) || tangle_pierces(p, to, b, r, s)) {
            return false;
        }
        if ((!at_a && tangle_distance(a, to, r, s) < margin) || (!at_b && tangle_distance(to, b, r, s) < margin)) {
            return false;
        }
    }
    double least = 4 * margin;
    if (v3_distance(a, to) < least || v3_distance(b, to) < least) {
        return false;
    }
    // No fold back upon itself.
    cg_vec3 u = v3_unit_or(v3_sub(to, a), v3_zero()), v = v3_unit_or(v3_sub(b, to), v3_zero());
    if (v3_dot(u, v) < -0.98) {
        return false;
    }
    t->points[i] = to;
    return true;
}

static inline cg_vec3 tangle_random_vector(uint64_t *state, double size)
{
    return v3(test_random(state, -size, size), test_random(state, -size, size), test_random(state, -size, size));
}

// Puts a small curl into a segment, right- or left-handed, nearer to it than anything else is.
static inline bool tangle_curl(tangle *t, int i, uint64_t *state)
{
    enum { CURL = 8 };
    cg_vec3 a = t->points[i], b = tangle_point(t, i + 1), along = v3_sub(b, a);
    double length = v3_length(along), clear = length;
    for (int j = 0; j < tangle_segments(t); j++) {
        if (j != i) {
            // The middle third of the segment against all others, neighbours too.
            cg_vec3 m0 = v3_add_scaled(a, 0.3, along), m1 = v3_add_scaled(a, 0.7, along);
            double d = tangle_distance(m0, m1, t->points[j], tangle_point(t, j + 1));
            clear = d < clear ? d : clear;
        }
    }
    if (t->count + CURL > TANGLE_ROOM || clear < 0.02 * length) {
        return false;
    }
    cg_vec3 x = v3_scale(1 / length, along), y = v3_any_normal(x), z = v3_cross(x, y);
    double radius = 0.3 * clear, sense = test_random(state, -1, 1) > 0 ? 1 : -1;
    for (int j = t->count - 1; j > i; j--) {
        t->points[j + CURL] = t->points[j];
    }
    cg_vec3 middle = v3_add_scaled(a, 0.5, along);
    for (int k = 0; k < CURL; k++) {
        // One turn of a narrow helix that walks backwards, so that it shows as a loop from the side.
        double angle = 2 * 3.14159265358979 * k / (CURL - 1), back = 0.5 * radius * (0.5 - (double)k / (CURL - 1));
        cg_vec3 p = v3_add_scaled(middle, -0.2 * back, x);
        p = v3_add_scaled(p, radius * (1 - cos(angle)), y);
        t->points[i + 1 + k] = v3_add_scaled(p, sense * radius * sin(angle), z);
    }
    t->count += CURL;
    return true;
}

// Many random moves of vertices about the middle of the polygon, most of them far, then curls.
static inline int tangle_up(tangle *t, int moves, int curls, double size, double margin, uint64_t *state)
{
    int done = 0, first = t->closed ? 0 : 2, last = t->closed ? t->count - 1 : t->count - 3;
    for (int k = 0; k < moves; k++) {
        int i = test_random_int(state, first, last);
        double reach = k % 3 == 0 ? size : 0.3 * size;
        cg_vec3 to = v3_add(t->points[i], tangle_random_vector(state, reach));
        if (fabs(to.x) < size && fabs(to.y) < size && fabs(to.z) < size) {
            done += tangle_move(t, i, to, margin);
        }
    }
    for (int k = 0; k < curls; k++) {
        tangle_curl(t, test_random_int(state, t->closed ? 0 : 2, tangle_segments(t) - 3), state);
    }
    return done;
}

// A random linear map that keeps hands: rotation, stretch and shear.
static inline void tangle_stretch(tangle *t, uint64_t *state)
{
    cg_vec3 x, y, z;
    do {
        x = tangle_random_vector(state, 1);
        y = tangle_random_vector(state, 1);
        z = tangle_random_vector(state, 1);
    } while (v3_dot(x, v3_cross(y, z)) < 0.15);
    for (int i = 0; i < t->count; i++) {
        cg_vec3 p = t->points[i];
        t->points[i] = v3_add(v3_add(v3_scale(p.x, x), v3_scale(p.y, y)), v3_scale(p.z, z));
    }
}

// Makes a closed polygon open by cutting it at vertex `at`, the ends a little apart.
static inline void tangle_cut(tangle *t, int at)
{
    static cg_vec3 copy[TANGLE_ROOM];
    for (int i = 0; i < t->count; i++) {
        copy[i] = t->points[(at + i) % t->count];
    }
    cg_vec3 last = v3_add_scaled(copy[t->count - 1], 0.97, v3_sub(copy[0], copy[t->count - 1]));
    for (int i = 0; i < t->count; i++) {
        t->points[i] = copy[i];
    }
    t->points[t->count++] = last;
    t->closed = false;
}

#endif
