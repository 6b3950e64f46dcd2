#include "geometry/closest.h"

// Squared lengths below this have lost their digits: the segment counts as a point. 1e-140 m is no length of a thread.
#define NO_LENGTH 1e-280
// Square of the sine of an angle below which segments count as parallel.
#define PARALLEL 1e-24
// And above which products of dot products still have all the digits that the distance needs.
#define STEEP 0.1

// x clamped to [0, 1]; 0 when it is not a number.
static double clamp_unit(double x)
{
    x = x > 0 ? x : 0;
    return x < 1 ? x : 1;
}

double cg_closest_on_segment(cg_vec3 point, cg_vec3 a, cg_vec3 b, cg_vec3 *closest)
{
    cg_vec3 along = v3_sub(b, a);
    double squared_length = v3_dot(along, along);
    double t = squared_length > NO_LENGTH ? clamp_unit(v3_dot(v3_sub(point, a), along) / squared_length) : 0;
    if (closest) {
        *closest = segment_point(a, b, t);
    }
    return t;
}

// The middle of the values of s in [0, 1] for which t = (alpha + beta s) is in [0, 1] too; where there are none, the
// one for which t is nearest to it.
static double middle_of_overlap(double alpha, double beta)
{
    double at_zero = -alpha / beta, at_one = (1 - alpha) / beta;
    double low = at_zero < at_one ? at_zero : at_one, high = at_zero < at_one ? at_one : at_zero;
    return 0.5 * (clamp_unit(low) + clamp_unit(high));
}

cg_closest cg_closest_segments(cg_vec3 a0, cg_vec3 a1, cg_vec3 b0, cg_vec3 b1)
{
    cg_vec3 u = v3_sub(a1, a0), v = v3_sub(b1, b0), w = v3_sub(b0, a0);
    double uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v), uw = v3_dot(u, w), vw = v3_dot(v, w);
    double s = 0, t = 0;
    if (!(vv > NO_LENGTH)) {
        s = uu > NO_LENGTH ? clamp_unit(uw / uu) : 0;
    } else if (!(uu > NO_LENGTH)) {
        t = clamp_unit(-vw / vv);
    } else {
        double determinant = uu * vv - uv * uv;
        if (determinant > STEEP * uu * vv) {
            s = clamp_unit((uw * vv - uv * vw) / determinant);
        } else {
            cg_vec3 normal = v3_cross(u, v);
            double nn = v3_dot(normal, normal);
            s = nn > PARALLEL * uu * vv ? clamp_unit(v3_dot(v3_cross(w, v), normal) / nn)
                                        : middle_of_overlap(-vw / vv, uv / vv);
        }
        double free_t = (s * uv - vw) / vv;
        t = clamp_unit(free_t);
        if (t != free_t) {
            s = clamp_unit((t * uv + uw) / uu);
        }
    }
    cg_closest closest = {s, t, 0, segment_point(a0, a1, s), segment_point(b0, b1, t)};
    cg_vec3 between = v3_sub(closest.b, closest.a);
    closest.squared_distance = v3_dot(between, between);
    return closest;
}
