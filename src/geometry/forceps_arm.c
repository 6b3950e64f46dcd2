#include "geometry/forceps_arm.h"

#include <math.h>

#include "geometry/closest.h"
#include "geometry/triangle.h"

static double clamped(double value, double most)
{
    return value < -most ? -most : value > most ? most : value;
}

// The nearest place of the half circle line through (r, 0) and (0, r) to (-r, 0); in *u across, in *v towards its
// middle.
static void onto_half_circle(double r, double *u, double *v)
{
    double length = sqrt(*u * *u + *v * *v);
    if (*v < 0) {
        *u = *u < 0 ? -r : r;
        *v = 0;
    } else if (length > 0) {
        *u *= r / length;
        *v *= r / length;
    } else {
        *v = r;
    }
}

// And of the half disk that it bounds.
static void onto_half_disk(double r, double *u, double *v)
{
    if (*v < 0) {
        *u = clamped(*u, r);
        *v = 0;
    } else if (*u * *u + *v * *v > r * r) {
        onto_half_circle(r, u, v);
    }
}

static void offer(cg_forceps_nearest *best, cg_vec3 from, cg_vec3 point, cg_forceps_piece piece)
{
    double distance = v3_distance(from, point);
    if (distance < best->distance) {
        *best = (cg_forceps_nearest){point, distance, piece};
    }
}

// Where the direction to a point leaves the quarter, one of its two edges is nearest.
static void offer_tip(const cg_forceps_arm *arm, cg_vec3 p, cg_forceps_nearest *best)
{
    double r = arm->tip_radius, length = v3_length(p);
    if (p.y >= 0 && p.z <= 0 && length > 0) {
        offer(best, p, v3_scale(r / length, p), CG_FORCEPS_TIP);
        return;
    }
    cg_vec3 above = v3(p.x, p.y, 0), before = v3(p.x, 0, -p.z);
    onto_half_circle(r, &above.x, &above.y);
    onto_half_circle(r, &before.x, &before.z);
    before.z = -before.z;
    offer(best, p, above, CG_FORCEPS_TIP);
    offer(best, p, before, CG_FORCEPS_TIP);
}

static void offer_chin(const cg_forceps_arm *arm, cg_vec3 p, cg_forceps_nearest *best)
{
    double x = p.x, before = -p.z;
    onto_half_disk(arm->tip_radius, &x, &before);
    offer(best, p, v3(x, 0, -before), CG_FORCEPS_CHIN);
}

// The nearest point of a mantle lies in the plane of its axis and the point; below y = 0, on the rims of the half.
static void offer_cone(const cg_forceps_arm *arm, cg_vec3 p, cg_forceps_nearest *best)
{
    double x = p.x, y = p.y;
    onto_half_circle(1, &x, &y);
    cg_vec3 closest, tip = v3(arm->tip_radius * x, arm->tip_radius * y, 0);
    cg_closest_on_segment(p, tip, v3(arm->end_radius * x, arm->end_radius * y, arm->length), &closest);
    offer(best, p, closest, CG_FORCEPS_CONE);
}

static void offer_end(const cg_forceps_arm *arm, cg_vec3 p, cg_forceps_nearest *best)
{
    double x = p.x, y = p.y, deep = p.y < -arm->depth ? -arm->depth : p.y > 0 ? 0 : p.y;
    onto_half_disk(arm->end_radius, &x, &y);
    offer(best, p, v3(x, y, arm->length), CG_FORCEPS_END);
    offer(best, p, v3(clamped(p.x, arm->end_radius), deep, arm->length), CG_FORCEPS_END);
}

// The inclined plane, and the triangles at both sides.
static void offer_wedge(const cg_forceps_arm *arm, cg_vec3 p, cg_forceps_nearest *best)
{
    double r = arm->tip_radius, R = arm->end_radius, l = arm->length, d = arm->depth;
    const cg_vec3 tip[2] = {v3(-r, 0, 0), v3(r, 0, 0)}, top[2] = {v3(-R, 0, l), v3(R, 0, l)};
    const cg_vec3 low[2] = {v3(-R, -d, l), v3(R, -d, l)};
    const cg_vec3 triangles[4][3] = {
        {tip[0], tip[1], low[1]}, {tip[0], low[1], low[0]}, {tip[0], top[0], low[0]}, {tip[1], top[1], low[1]}};
    for (int i = 0; i < 4; i++) {
        offer(best, p, cg_closest_point_triangle(p, triangles[i]).on_triangle, CG_FORCEPS_WEDGE);
    }
}

cg_forceps_nearest cg_forceps_arm_nearest(const cg_forceps_arm *arm, cg_vec3 point)
{
    cg_forceps_nearest best = {.distance = HUGE_VAL};
    offer_tip(arm, point, &best);
    offer_chin(arm, point, &best);
    offer_cone(arm, point, &best);
    offer_wedge(arm, point, &best);
    offer_end(arm, point, &best);
    return best;
}

bool cg_forceps_arm_contains(const cg_forceps_arm *arm, cg_vec3 p)
{
    if (p.z <= 0) {
        return p.y >= 0 && v3_dot(p, p) <= arm->tip_radius * arm->tip_radius;
    }
    double share = p.z / arm->length, radius = arm->tip_radius + share * (arm->end_radius - arm->tip_radius);
    if (share > 1) {
        return false;
    }
    return p.y >= 0 ? p.x * p.x + p.y * p.y <= radius * radius : fabs(p.x) <= radius && p.y >= -share * arm->depth;
}
