// A needle from the points of a mesh: the arc that it follows.
//
// 1. The plane: across the direction in which the points spread least, the smallest eigenvector of their covariance.
// 2. The circle in that plane: of all u^2 + v^2 + a u + b v + c, the one that is smallest at the points, in squares
//    (Kasa); from there the one whose distances to the points are smallest in squares, by Gauss and Newton. The first
//    is drawn inwards by thick wires on short arcs; the second is not, since wires are as thick inside as outside.
// 3. The arc: what is left of the circle when the widest gap between the angles of the points is taken out.
// 4. The wire: no point is farther from the middle line than its radius. The tip is at the end whose last tenth is
//    thinner; the point is as long as it takes to nine tenths of the wire, which parts reach at seven eighths of it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat3.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/status.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/needle.h"

enum { FEWEST_POINTS = 12, BINS = 40, SWEEPS = 30, BETTERINGS = 20 };
static const double FULL_WIRE = 0.9, FULL_SHARE = 0.875;

// Turns two axes of a symmetric matrix until their product is gone (Jacobi); the columns of v follow.
static void rotate(cg_mat3 *a, cg_mat3 *v, int p, int q)
{
    if (a->m[p][q] == 0) {
        return;
    }
    double theta = (a->m[q][q] - a->m[p][p]) / (2 * a->m[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    cg_mat3 turn = m3_identity();
    turn.m[p][p] = turn.m[q][q] = c;
    turn.m[p][q] = s;
    turn.m[q][p] = -s;
    *a = m3_multiply(m3_transpose(turn), m3_multiply(*a, turn));
    *v = m3_multiply(*v, turn);
}

// The direction in which the points spread least, about their mean.
static cg_vec3 plane_of(const cg_vec3 *points, int count, cg_vec3 *mean)
{
    *mean = v3_zero();
    for (int i = 0; i < count; i++) {
        *mean = v3_add_scaled(*mean, 1.0 / count, points[i]);
    }
    cg_mat3 spread = m3_zero(), axes = m3_identity();
    for (int i = 0; i < count; i++) {
        cg_vec3 d = v3_sub(points[i], *mean);
        spread = m3_add(spread, m3_outer(d, d));
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(&spread, &axes, 0, 1);
        rotate(&spread, &axes, 0, 2);
        rotate(&spread, &axes, 1, 2);
    }
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = spread.m[k][k] < spread.m[least][least] ? k : least;
    }
    return v3_unit_or(m3_column(axes, least), v3(0, 1, 0));
}

// The circle in the plane of x and z about the origin of the points; false when there is none.
static bool circle_of(const cg_vec3 *local, int count, cg_vec3 *centre, double *radius)
{
    cg_mat3 normal = m3_zero(), inverse;
    cg_vec3 right = v3_zero();
    for (int i = 0; i < count; i++) {
        cg_vec3 row = v3(local[i].x, local[i].z, 1);
        double square = local[i].x * local[i].x + local[i].z * local[i].z;
        normal = m3_add(normal, m3_outer(row, row));
        right = v3_add_scaled(right, -square, row);
    }
    if (!m3_invert(normal, &inverse)) {
        return false;
    }
    cg_vec3 abc = m3_apply(inverse, right);
    double square = 0.25 * (abc.x * abc.x + abc.y * abc.y) - abc.z;
    *centre = v3(-0.5 * abc.x, 0, -0.5 * abc.y);
    *radius = square > 0 ? sqrt(square) : 0;
    return square > 0;
}

// One step towards the circle that is nearest to the points.
static void better_circle(const cg_vec3 *local, int count, cg_vec3 *centre, double *radius)
{
    cg_mat3 normal = m3_zero(), inverse;
    cg_vec3 right = v3_zero();
    for (int i = 0; i < count; i++) {
        double x = local[i].x - centre->x, z = local[i].z - centre->z, away = sqrt(x * x + z * z);
        if (away > 0) {
            cg_vec3 row = v3(x / away, z / away, 1);
            normal = m3_add(normal, m3_outer(row, row));
            right = v3_add_scaled(right, away - *radius, row);
        }
    }
    if (m3_invert(normal, &inverse)) {
        cg_vec3 change = m3_apply(inverse, right);
        centre->x += change.x;
        centre->z += change.y;
        *radius += change.z;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the angles; returns where the arc begins after the widest gap, and how long it is.
static double arc_of(double *angles, int count, double *arc)
{
    qsort(angles, (size_t)count, sizeof *angles, compare);
    double widest = angles[0] + 2 * CG_PI - angles[count - 1], first = angles[0];
    for (int i = 0; i + 1 < count; i++) {
        if (angles[i + 1] - angles[i] > widest) {
            widest = angles[i + 1] - angles[i];
            first = angles[i + 1];
        }
    }
    *arc = 2 * CG_PI - widest;
    return first;
}

// How thick the needle is along its arc: the farthest point from the middle line in each of some equal pieces.
static void measure_wire(const cg_vec3 *local, int count, double radius, double first, double arc, double wire[BINS])
{
    memset(wire, 0, BINS * sizeof *wire);
    for (int i = 0; i < count; i++) {
        double angle = cg_atan2(local[i].z, local[i].x) - first;
        angle += angle < -1e-9 ? 2 * CG_PI : 0;
        int bin = (int)(BINS * angle / arc);
        bin = bin < 0 ? 0 : (bin < BINS ? bin : BINS - 1);
        double across = sqrt(local[i].x * local[i].x + local[i].z * local[i].z) - radius;
        wire[bin] = fmax(wire[bin], sqrt(across * across + local[i].y * local[i].y));
    }
}

static double sum_of(const double *wire, int from, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += wire[from + i];
    }
    return sum;
}

// What the wire says of diameter and point; `is_back`: the tip is at the far end of the arc.
static void read_wire(const double wire[BINS], cg_needle *needle, bool *is_back)
{
    double most = 0;
    for (int i = 0; i < BINS; i++) {
        most = fmax(most, wire[i]);
    }
    *is_back = sum_of(wire, BINS - BINS / 10, BINS / 10) < sum_of(wire, 0, BINS / 10);
    int bin = 0;
    while (bin < BINS - 1 && wire[*is_back ? BINS - 1 - bin : bin] < FULL_WIRE * most) {
        bin++;
    }
    needle->diameter = 2 * most;
    needle->point_length = fmin(cg_needle_length(needle) * bin / BINS / FULL_SHARE, cg_needle_length(needle));
}

static void shift(cg_vec3 *local, int count, cg_vec3 by)
{
    for (int i = 0; i < count; i++) {
        local[i] = v3_sub(local[i], by);
    }
}

// `local` has the points in axes x, y, z with y across the plane, about `origin`; `angles` is room for as many numbers.
static cg_status fit(cg_vec3 *local, double *angles, int count, cg_vec3 origin, cg_quat axes, cg_needle *needle,
                     cg_transform *pose)
{
    cg_vec3 centre;
    double wire[BINS], first;
    bool is_back;
    if (!circle_of(local, count, &centre, &needle->radius)) {
        return cg_error(CG_BAD_INPUT, "the points of a needle are on no circle");
    }
    for (int i = 0; i < BETTERINGS; i++) {
        better_circle(local, count, &centre, &needle->radius);
    }
    shift(local, count, centre);
    for (int i = 0; i < count; i++) {
        angles[i] = cg_atan2(local[i].z, local[i].x);
    }
    first = arc_of(angles, count, &needle->arc);
    measure_wire(local, count, needle->radius, first, needle->arc, wire);
    read_wire(wire, needle, &is_back);
    // x towards the tip, and z the way on from there: about y by the angle of the tip, or the other way round.
    cg_quat turn = quat_from_axis_angle(v3(0, 1, 0), -(is_back ? first + needle->arc : first));
    cg_quat over = is_back ? quat(1, 0, 0, 0) : quat_identity();
    pose->position = v3_add(origin, quat_rotate(axes, centre));
    pose->rotation = quat_normalise(quat_multiply(axes, quat_multiply(turn, over)));
    return cg_needle_check(needle);
}

cg_status cg_needle_fit(const cg_vec3 *points, int count, const cg_allocator *allocator, cg_needle *needle,
                        cg_transform *pose)
{
    *needle = cg_needle_default();
    *pose = (cg_transform){v3_zero(), quat_identity()};
    if (count < FEWEST_POINTS) {
        return cg_error(CG_BAD_INPUT, "a needle has %d points; expected %d or more", count, FEWEST_POINTS);
    }
    size_t size = (size_t)count * (sizeof(cg_vec3) + sizeof(double));
    cg_vec3 *local = cg_memory_take(allocator, size);
    if (local == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the %d points of a needle", count);
    }
    cg_vec3 mean, across = plane_of(points, count, &mean);
    cg_quat axes = quat_between(v3(0, 1, 0), across);
    for (int i = 0; i < count; i++) {
        local[i] = quat_rotate_back(axes, v3_sub(points[i], mean));
    }
    cg_status status = fit(local, (double *)(void *)(local + count), count, mean, axes, needle, pose);
    cg_memory_give(allocator, local);
    return status;
}
