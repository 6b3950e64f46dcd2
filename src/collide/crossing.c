#include "collide/crossing.h"

#include <stdbool.h>

#include "geometry/closest.h"

static double cubic_at(const double c[4], double t)
{
    double r = 1 - t;
    return r * r * r * c[0] + 3 * r * r * t * c[1] + 3 * r * t * t * c[2] + t * t * t * c[3];
}

// The moments in (0, 1) at which the derivative changes its sign, rising: where the cubic turns.
static int turning_points(const double c[4], double turns[2])
{
    // The derivative is 3 times the parabola with Bernstein coefficients p, q, r: a t^2 + 2 b t + p.
    double p = c[1] - c[0], q = c[2] - c[1], r = c[3] - c[2];
    double a = p - 2 * q + r, b = q - p, discriminant = b * b - a * p;
    if (!(discriminant > 0)) {
        return 0;
    }
    // Of the two forms of the solution each root takes the one that does not cancel.
    double m = b < 0 ? -b + sqrt(discriminant) : -b - sqrt(discriminant);
    double first = m / a, second = p / m;
    int count = 0;
    if (first > second) {
        double swap = first;
        first = second;
        second = swap;
    }
    if (first > 0 && first < 1) {
        turns[count++] = first;
    }
    if (second > 0 && second < 1) {
        turns[count++] = second;
    }
    return count;
}

// The root between low and high, where the cubic has values of different signs: false position with bisection.
static double refine(const double c[4], double low, double high, double at_low, double at_high)
{
    int stuck = 0;
    for (int i = 0; i < 100 && high - low > 1e-16; i++) {
        double middle = stuck >= 2 ? 0.5 * (low + high) : low + (high - low) * (at_low / (at_low - at_high));
        if (!(middle > low && middle < high)) {
            middle = 0.5 * (low + high);
            if (middle <= low || middle >= high) {
                break;
            }
        }
        double value = cubic_at(c, middle), width = high - low;
        if (value == 0) {
            return middle;
        }
        if ((value < 0) == (at_low < 0)) {
            low = middle;
            at_low = value;
        } else {
            high = middle;
            at_high = value;
        }
        stuck = high - low > 0.5 * width ? stuck + 1 : 0;
    }
    return fabs(at_low) < fabs(at_high) ? low : high;
}

int cg_bernstein_cubic_roots(const double c[4], double roots[3])
{
    bool above = c[0] > 0 && c[1] > 0 && c[2] > 0 && c[3] > 0, below = c[0] < 0 && c[1] < 0 && c[2] < 0 && c[3] < 0;
    if (above || below || (c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0)) {
        return 0;
    }
    double turns[2], low = 0, at_low = c[0];
    int turn_count = turning_points(c, turns), count = 0;
    for (int i = 0; i <= turn_count; i++) {
        double high = i < turn_count ? turns[i] : 1, at_high = i < turn_count ? cubic_at(c, high) : c[3];
        if (at_low == 0) {
            if (count == 0 || roots[count - 1] < low) {
                roots[count++] = low;
            }
        } else if (at_high != 0 && (at_low < 0) != (at_high < 0)) {
            roots[count++] = refine(c, low, high, at_low, at_high);
        }
        low = high;
        at_low = at_high;
    }
    if (at_low == 0 && count < 3 && (count == 0 || roots[count - 1] < 1)) {
        roots[count++] = 1;
    }
    return count;
}

static double volume(cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    return v3_dot(v3_cross(a, b), c);
}

// Bernstein coefficients of the volume of three vectors that change linearly from p[k] to q[k].
static void volume_coefficients(const cg_vec3 p[3], const cg_vec3 q[3], double c[4])
{
    c[0] = volume(p[0], p[1], p[2]);
    c[1] = (volume(q[0], p[1], p[2]) + volume(p[0], q[1], p[2]) + volume(p[0], p[1], q[2])) / 3;
    c[2] = (volume(p[0], q[1], q[2]) + volume(q[0], p[1], q[2]) + volume(q[0], q[1], p[2])) / 3;
    c[3] = volume(q[0], q[1], q[2]);
}

static cg_vec3 end_at(const cg_moving_segment *segment, int end, double t)
{
    return segment_point(segment->start[end], segment->end[end], t);
}

static double squared_distance_at(const cg_moving_segment *a, const cg_moving_segment *b, double t)
{
    return cg_closest_segments(end_at(a, 0, t), end_at(a, 1, t), end_at(b, 0, t), end_at(b, 1, t)).squared_distance;
}

cg_crossing cg_crossing_find(const cg_moving_segment *a, const cg_moving_segment *b, double tolerance)
{
    cg_vec3 p[3] = {v3_sub(a->start[1], a->start[0]), v3_sub(b->start[0], a->start[0]),
                    v3_sub(b->start[1], a->start[0])};
    cg_vec3 q[3] = {v3_sub(a->end[1], a->end[0]), v3_sub(b->end[0], a->end[0]), v3_sub(b->end[1], a->end[0])};
    double coefficients[4], roots[3];
    volume_coefficients(p, q, coefficients);
    int count = cg_bernstein_cubic_roots(coefficients, roots);
    cg_crossing crossing = {0, {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        if (squared_distance_at(a, b, roots[i]) <= tolerance * tolerance) {
            crossing.times[crossing.count++] = roots[i];
        }
    }
    return crossing;
}
