// What a grasper without jaws takes when it closes. It has three ways of telling (cg_hand_grasp):
//
//     fixed      what is nearest, if its surface is within `reach` of the hand
//     triangle   VTE 2.3.1: what crosses the open triangle of the jaws, from the hinge to both tips
//     arms       MicroSim 3.6.2: vertices in the box between the arms
//
// In the hand's frame, with the jaw length L and the reach r, the triangle has its hinge at (0, 0, L/2) and its tips at
// (0, -r, -L/2) and (0, r, -L/2), and the box is |x| <= L/2, |y| <= r, |z| <= L/2. Of several places that cross or are
// in there the one nearest to the hand counts: a hand holds one stretch.
#include <math.h>

#include "base/transform.h"
#include "geometry/closest.h"
#include "geometry/triangle.h"
#include "tool/hand.h"

static void open_triangle(const cg_hand *hand, cg_vec3 corners[3])
{
    double half = 0.5 * hand->def.jaw_length, wide = hand->def.reach;
    corners[0] = transform_point(hand->pose, v3(0, 0, half));
    corners[1] = transform_point(hand->pose, v3(0, -wide, -half));
    corners[2] = transform_point(hand->pose, v3(0, wide, -half));
}

bool cg_hand_is_between_arms(const cg_hand *hand, cg_vec3 place)
{
    cg_vec3 local = transform_point_back(hand->pose, place);
    double half = 0.5 * hand->def.jaw_length;
    return fabs(local.x) <= half && fabs(local.y) <= hand->def.reach && fabs(local.z) <= half;
}

static bool note(cg_reached *reached, double distance, int segment, double fraction)
{
    bool is_nearer = distance < reached->distance;
    *reached = is_nearer ? (cg_reached){distance, segment, fraction} : *reached;
    return is_nearer;
}

static bool reaches_nearest(const cg_hand *hand, const cg_thread *thread, cg_reached *reached)
{
    bool nearer = false;
    const cg_vec3 *x = thread->shape.position;
    for (int i = 0; i < thread->segment_count; i++) {
        cg_vec3 closest;
        double fraction = cg_closest_on_segment(hand->pose.position, x[i], x[i + 1], &closest);
        double distance = v3_distance(closest, hand->pose.position) - thread->radius;
        nearer = (distance <= hand->def.reach && note(reached, distance, i, fraction)) || nearer;
    }
    return nearer;
}

static bool reaches_crossing(const cg_hand *hand, const cg_thread *thread, cg_reached *reached)
{
    bool nearer = false;
    const cg_vec3 *x = thread->shape.position;
    cg_vec3 corners[3];
    open_triangle(hand, corners);
    for (int i = 0; i < thread->segment_count; i++) {
        cg_triangle_closest closest = cg_closest_segment_triangle(x[i], x[i + 1], corners);
        if (closest.squared_distance == 0) {
            cg_vec3 place = v3_add_scaled(x[i], closest.t, v3_sub(x[i + 1], x[i]));
            nearer = note(reached, v3_distance(place, hand->pose.position), i, closest.t) || nearer;
        }
    }
    return nearer;
}

static bool reaches_between(const cg_hand *hand, const cg_thread *thread, cg_reached *reached)
{
    bool nearer = false;
    const cg_vec3 *x = thread->shape.position;
    for (int i = 0; i < thread->vertex_count; i++) {
        if (cg_hand_is_between_arms(hand, x[i])) {
            // Its two vertices are held in any case: the other one is a neighbour that is between the arms too.
            bool is_last = i == thread->segment_count;
            bool goes_back = is_last || (i > 0 && !cg_hand_is_between_arms(hand, x[i + 1]) &&
                                         cg_hand_is_between_arms(hand, x[i - 1]));
            double distance = v3_distance(x[i], hand->pose.position);
            nearer = note(reached, distance, goes_back ? i - 1 : i, goes_back ? 1 : 0) || nearer;
        }
    }
    return nearer;
}

// Cuts off what lies outside of |c| <= half of a segment along which a coordinate c goes from `from` to `to`.
static void clip(double from, double to, double half, double *begin, double *end)
{
    double way = to - from;
    if (way == 0) {
        *end = fabs(from) <= half ? *end : -1;
        return;
    }
    double here = (-half - from) / way, there = (half - from) / way;
    *begin = fmax(*begin, fmin(here, there));
    *end = fmin(*end, fmax(here, there));
}

// The place of a segment between the arms that is nearest to the hand.
static bool place_between(const cg_hand *hand, const cg_vec3 ends[2], cg_vec3 *place)
{
    cg_vec3 a = transform_point_back(hand->pose, ends[0]), b = transform_point_back(hand->pose, ends[1]);
    double half = 0.5 * hand->def.jaw_length, begin = 0, end = 1;
    clip(a.x, b.x, half, &begin, &end);
    clip(a.y, b.y, hand->def.reach, &begin, &end);
    clip(a.z, b.z, half, &begin, &end);
    if (begin <= end) {
        cg_vec3 way = v3_sub(ends[1], ends[0]);
        cg_closest_on_segment(hand->pose.position, v3_add_scaled(ends[0], begin, way), v3_add_scaled(ends[0], end, way),
                              place);
    }
    return begin <= end;
}

static bool place_crossing(const cg_hand *hand, const cg_vec3 ends[2], cg_vec3 *place)
{
    cg_vec3 corners[3];
    open_triangle(hand, corners);
    cg_triangle_closest closest = cg_closest_segment_triangle(ends[0], ends[1], corners);
    *place = v3_add_scaled(ends[0], closest.t, v3_sub(ends[1], ends[0]));
    return closest.squared_distance == 0;
}

bool cg_hand_reaches_segment(const cg_hand *hand, const cg_vec3 ends[2], double radius, double *distance)
{
    cg_vec3 place = ends[0];
    bool is_nearest = hand->def.grasp != CG_GRASP_ARMS && hand->def.grasp != CG_GRASP_TRIANGLE, reaches = is_nearest;
    if (is_nearest) {
        cg_closest_on_segment(hand->pose.position, ends[0], ends[1], &place);
    } else {
        reaches =
            hand->def.grasp == CG_GRASP_ARMS ? place_between(hand, ends, &place) : place_crossing(hand, ends, &place);
    }
    *distance = v3_distance(place, hand->pose.position) - (is_nearest ? radius : 0);
    return reaches && (!is_nearest || *distance <= hand->def.reach);
}

bool cg_hand_reaches(const cg_hand *hand, const cg_thread *thread, cg_reached *reached)
{
    switch (hand->def.grasp) {
    case CG_GRASP_TRIANGLE:
        return reaches_crossing(hand, thread, reached);
    case CG_GRASP_ARMS:
        return reaches_between(hand, thread, reached);
    case CG_GRASP_FIXED:
    case CG_GRASP_JAWS:
    case CG_GRASP_COUNT:
        break;
    }
    return reaches_nearest(hand, thread, reached);
}

// Whether a triangle of a surface, whose point nearest to the hand is this one and so far away, is in its grasp.
static bool has_in_grasp(const cg_hand *hand, const cg_vec3 open[3], const cg_vec3 corners[3], cg_vec3 nearest,
                         double away)
{
    switch (hand->def.grasp) {
    case CG_GRASP_TRIANGLE:
        return cg_triangles_meet(open, corners);
    case CG_GRASP_ARMS:
        return cg_hand_is_between_arms(hand, nearest);
    case CG_GRASP_FIXED:
    case CG_GRASP_JAWS:
    case CG_GRASP_COUNT:
        break;
    }
    return away <= hand->def.reach;
}

bool cg_hand_reaches_tissue(const cg_hand *hand, const cg_mesh *mesh, double *distance, cg_mesh_point *point)
{
    bool nearer = false;
    const cg_vec3 *x = mesh->position, here = hand->pose.position;
    cg_vec3 open[3];
    open_triangle(hand, open);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *corner = mesh->triangles[t].nodes;
        const cg_vec3 corners[3] = {x[corner[0]], x[corner[1]], x[corner[2]]};
        cg_triangle_closest closest = cg_closest_point_triangle(here, corners);
        double away = sqrt(closest.squared_distance);
        cg_vec3 nearest = v3_zero();
        for (int k = 0; k < 3; k++) {
            nearest = v3_add_scaled(nearest, closest.weights[k], corners[k]);
        }
        if (away < *distance && has_in_grasp(hand, open, corners, nearest, away)) {
            *distance = away;
            *point = (cg_mesh_point){t, {closest.weights[0], closest.weights[1], closest.weights[2]}};
            nearer = true;
        }
    }
    return nearer;
}
