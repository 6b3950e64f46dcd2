// Signed distances to rigid shapes. See geometry/shape.h.
//
// For the box, outside: the squared distance sum_k max(|p_k| - h_k, 0)^2 is, along a segment, a convex function made of
// parabolas that join where a coordinate passes -h_k or +h_k; its derivative rises, so the piece in which it changes
// its sign is found by looking at the joints. Inside: the signed distance is the largest of the six linear functions
// +-p_k - h_k, and the smallest value of it lies at an end or where two of them cross.
#include "geometry/shape.h"

#include "geometry/closest.h"

// Differences this small, relative to a length, are rounding.
#define FLAT 1e-12

static cg_shape_distance from_axis(cg_vec3 point, cg_vec3 centre, double t, double radius, cg_vec3 across)
{
    cg_vec3 away = v3_sub(point, centre);
    double distance = v3_length(away);
    cg_vec3 normal = distance > 1e-12 * radius ? v3_scale(1 / distance, away) : across;
    return (cg_shape_distance){distance - radius, t, point, v3_add_scaled(centre, radius, normal), normal};
}

static cg_shape_distance sphere_distance(const cg_shape *shape, cg_vec3 a, cg_vec3 b)
{
    cg_vec3 point;
    double t = cg_closest_on_segment(v3_zero(), a, b, &point);
    // A segment through the centre is left sideways.
    cg_vec3 along = v3_unit_or(v3_sub(b, a), v3(0, 0, 1));
    return from_axis(point, v3_zero(), t, shape->radius, v3_any_normal(along));
}

static cg_shape_distance capsule_distance(const cg_shape *shape, cg_vec3 a, cg_vec3 b)
{
    cg_vec3 low = v3(0, 0, -shape->half_length), high = v3(0, 0, shape->half_length);
    cg_closest closest = cg_closest_segments(a, b, low, high);
    // A segment through the axis is left across both.
    cg_vec3 along = v3_unit_or(v3_sub(b, a), v3(0, 0, 1));
    cg_vec3 across = v3_cross(v3(0, 0, 1), along);
    bool is_parallel = v3_dot(across, across) < FLAT;
    across = is_parallel ? v3(1, 0, 0) : v3_unit_or(across, v3(1, 0, 0));
    return from_axis(closest.a, closest.b, closest.s, shape->radius, across);
}

static cg_shape_distance half_space_distance(cg_vec3 a, cg_vec3 b)
{
    double t = a.z < b.z ? 0 : 1;
    if (fabs(a.z - b.z) <= FLAT * (fabs(a.z) + fabs(b.z) + v3_distance(a, b))) {
        t = 0.5;
    }
    cg_vec3 point = segment_point(a, b, t);
    return (cg_shape_distance){point.z, t, point, v3(point.x, point.y, 0), v3(0, 0, 1)};
}

// A segment and a box, coordinate by coordinate.
typedef struct box_problem {
    double start[3], along[3], half[3];
} box_problem;

static box_problem box_problem_of(const cg_shape *shape, cg_vec3 a, cg_vec3 b)
{
    return (box_problem){{a.x, a.y, a.z},
                         {b.x - a.x, b.y - a.y, b.z - a.z},
                         {shape->half_extents.x, shape->half_extents.y, shape->half_extents.z}};
}

// How far the coordinate p is outside [-half, half], with the sign of the side.
static double excess(double p, double half)
{
    return p > half ? p - half : (p < -half ? p + half : 0);
}

// Half the derivative of the squared distance by t.
static double box_slope(const box_problem *box, double t)
{
    double slope = 0;
    for (int k = 0; k < 3; k++) {
        slope += excess(box->start[k] + t * box->along[k], box->half[k]) * box->along[k];
    }
    return slope;
}

static double box_squared_distance(const box_problem *box, double t)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double e = excess(box->start[k] + t * box->along[k], box->half[k]);
        sum += e * e;
    }
    return sum;
}

// 0, 1 and the joints of the parabolas in between, rising.
static int box_joints(const box_problem *box, double joints[8])
{
    int count = 0;
    joints[count++] = 0;
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1; side += 2) {
            double t = (side * box->half[k] - box->start[k]) / box->along[k];
            if (t > 0 && t < 1) {
                int place = count++;
                for (; place > 0 && joints[place - 1] > t; place--) {
                    joints[place] = joints[place - 1];
                }
                joints[place] = t;
            }
        }
    }
    joints[count++] = 1;
    return count;
}

// Where the squared distance is smallest. The slope is linear between joints and never falls.
static double box_nearest(const box_problem *box)
{
    double joints[8];
    int count = box_joints(box, joints);
    double low = 0, low_slope = box_slope(box, 0);
    if (low_slope > 0) {
        return 0;
    }
    for (int i = 1; i < count; i++) {
        double high = joints[i], high_slope = box_slope(box, high);
        if (high_slope > 0) {
            double share = low_slope / (low_slope - high_slope);
            double first = low + share * (high - low);
            return first;
        }
        if (high_slope < 0 || low_slope < 0) {
            low = high;
            low_slope = high_slope;
            continue;
        }
        // Level from `low` on: the middle of the level piece.
        int last = i;
        while (last + 1 < count && !(box_slope(box, joints[last + 1]) > 0)) {
            last++;
        }
        return 0.5 * (low + joints[last]);
    }
    return low;
}

// The largest of +-p_k - h_k at t, and which: axis k on the side of the sign.
static double box_depth(const box_problem *box, double t, int *axis, int *side)
{
    double largest = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double p = box->start[k] + t * box->along[k];
        double value = fabs(p) - box->half[k];
        if (value > largest) {
            largest = value;
            *axis = k;
            *side = p < 0 ? -1 : 1;
        }
    }
    return largest;
}

// Where the segment is deepest: an end, or where two of the six linear functions have the same value.
static double box_deepest(const box_problem *box)
{
    double best_low = 0, best_high = 0, best = INFINITY;
    for (int i = -2; i < 36; i++) {
        double t = i + 2;
        if (i >= 0) {
            int k = i / 2 % 3, m = i / 12;
            double sign_k = i % 2 ? -1 : 1, sign_m = i / 6 % 2 ? -1 : 1;
            double rate = sign_k * box->along[k] - sign_m * box->along[m];
            t = (sign_m * box->start[m] - box->half[m] - sign_k * box->start[k] + box->half[k]) / rate;
        }
        if (t >= 0 && t <= 1) {
            int axis = 0, side = 1;
            double depth = box_depth(box, t, &axis, &side);
            double rounding = FLAT * box->half[axis];
            if (depth < best - rounding) {
                best = depth;
                best_low = best_high = t;
            } else if (depth <= best + rounding) {
                best_low = t < best_low ? t : best_low;
                best_high = t > best_high ? t : best_high;
            }
        }
    }
    return 0.5 * (best_low + best_high);
}

static cg_shape_distance box_distance(const cg_shape *shape, cg_vec3 a, cg_vec3 b)
{
    box_problem box = box_problem_of(shape, a, b);
    double t = box_nearest(&box);
    double smallest = shape->half_extents.x < shape->half_extents.y ? shape->half_extents.x : shape->half_extents.y;
    smallest = smallest < shape->half_extents.z ? smallest : shape->half_extents.z;
    double distance = sqrt(box_squared_distance(&box, t));
    if (distance > FLAT * smallest) {
        double p[3], e[3];
        for (int k = 0; k < 3; k++) {
            p[k] = box.start[k] + t * box.along[k];
            e[k] = excess(p[k], box.half[k]);
        }
        cg_vec3 outward = v3_scale(1 / distance, v3(e[0], e[1], e[2]));
        cg_vec3 surface = v3(p[0] - e[0], p[1] - e[1], p[2] - e[2]);
        return (cg_shape_distance){distance, t, segment_point(a, b, t), surface, outward};
    }
    int axis = 0, side = 1;
    t = box_deepest(&box);
    distance = box_depth(&box, t, &axis, &side);
    cg_vec3 outward = v3(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
    cg_vec3 point = segment_point(a, b, t);
    return (cg_shape_distance){distance, t, point, v3_add_scaled(point, -distance, outward), outward};
}

cg_shape_distance cg_shape_local_distance_segment(const cg_shape *shape, cg_vec3 a, cg_vec3 b)
{
    switch (shape->kind) {
    case CG_SHAPE_SPHERE:
        return sphere_distance(shape, a, b);
    case CG_SHAPE_CAPSULE:
        return capsule_distance(shape, a, b);
    case CG_SHAPE_BOX:
        return box_distance(shape, a, b);
    case CG_SHAPE_HALF_SPACE:
        break;
    }
    return half_space_distance(a, b);
}

// A point is a segment without length, and gets the same bits by a shorter way.
static cg_shape_distance box_point_distance(const cg_shape *shape, cg_vec3 p)
{
    cg_vec3 half = shape->half_extents;
    cg_vec3 e = v3(excess(p.x, half.x), excess(p.y, half.y), excess(p.z, half.z));
    double smallest = half.x < half.y ? half.x : half.y, distance = sqrt(v3_dot(e, e));
    smallest = smallest < half.z ? smallest : half.z;
    if (distance > FLAT * smallest) {
        return (cg_shape_distance){distance, 0, p, v3_sub(p, e), v3_scale(1 / distance, e)};
    }
    box_problem box = box_problem_of(shape, p, p);
    int axis = 0, side = 1;
    distance = box_depth(&box, 0, &axis, &side);
    cg_vec3 outward = v3(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
    return (cg_shape_distance){distance, 0, p, v3_add_scaled(p, -distance, outward), outward};
}

cg_shape_distance cg_shape_local_distance_point(const cg_shape *shape, cg_vec3 point)
{
    cg_vec3 centre = v3_zero();
    switch (shape->kind) {
    case CG_SHAPE_SPHERE:
        return from_axis(point, centre, 0, shape->radius, v3_any_normal(v3(0, 0, 1)));
    case CG_SHAPE_CAPSULE:
        cg_closest_on_segment(point, v3(0, 0, -shape->half_length), v3(0, 0, shape->half_length), &centre);
        return from_axis(point, centre, 0, shape->radius, v3(1, 0, 0));
    case CG_SHAPE_BOX:
        return box_point_distance(shape, point);
    case CG_SHAPE_HALF_SPACE:
        break;
    }
    return (cg_shape_distance){point.z, 0, point, v3(point.x, point.y, 0), v3(0, 0, 1)};
}

cg_shape_distance cg_shape_distance_segment(const cg_shape *shape, const cg_transform *pose, cg_vec3 a, cg_vec3 b)
{
    cg_vec3 local_a = transform_point_back(*pose, a), local_b = transform_point_back(*pose, b);
    cg_shape_distance found = cg_shape_local_distance_segment(shape, local_a, local_b);
    found.point = segment_point(a, b, found.t);
    found.normal = transform_vector(*pose, found.normal);
    found.surface = v3_add_scaled(found.point, -found.distance, found.normal);
    return found;
}

cg_shape_distance cg_shape_distance_point(const cg_shape *shape, const cg_transform *pose, cg_vec3 point)
{
    cg_shape_distance found = cg_shape_local_distance_point(shape, transform_point_back(*pose, point));
    found.point = point;
    found.normal = transform_vector(*pose, found.normal);
    found.surface = v3_add_scaled(point, -found.distance, found.normal);
    return found;
}
