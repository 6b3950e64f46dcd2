#include "task/motion.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/trig.h"
#include "base/vec3.h"

double cg_path_length(const cg_vec3 *points, int count)
{
    double length = 0;
    for (int i = 1; i < count; i++) {
        length += v3_distance(points[i - 1], points[i]);
    }
    return length;
}

double cg_working_volume(const cg_vec3 *points, int count)
{
    if (count < 2) {
        return 0;
    }
    cg_vec3 mean = v3_zero();
    for (int i = 0; i < count; i++) {
        mean = v3_add_scaled(mean, 1.0 / count, points[i]);
    }
    double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
    for (int i = 0; i < count; i++) {
        cg_vec3 d = v3_sub(points[i], mean);
        xx += d.x * d.x / count;
        yy += d.y * d.y / count;
        zz += d.z * d.z / count;
        xy += d.x * d.y / count;
        yz += d.y * d.z / count;
        zx += d.z * d.x / count;
    }
    double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
    // An even ball of radius r has the variance r^2 / 5 along each axis.
    return determinant > 0 ? 4.0 / 3 * CG_PI * sqrt(125 * determinant) : 0;
}

void cg_speeds(const cg_vec3 *points, int count, double interval, double *speed)
{
    for (int i = 1; i < count; i++) {
        speed[i - 1] = v3_distance(points[i - 1], points[i]) / interval;
    }
}

int cg_movement_count(const double *speed, int count)
{
    int movements = 0;
    bool moving = false;
    for (int i = 0; i < count; i++) {
        if (!moving && speed[i] > CG_MOVING_SPEED) {
            moving = true;
            movements++;
        } else if (moving && speed[i] < CG_STILL_SPEED) {
            moving = false;
        }
    }
    return movements;
}

static cg_vec3 without(cg_vec3 a, cg_vec3 across)
{
    return v3_add_scaled(a, -v3_dot(a, across), across);
}

double cg_line_distance(const cg_vec3 *line, int count, cg_vec3 across, cg_vec3 point, double *along)
{
    double nearest = INFINITY, before = 0;
    for (int i = 0; i + 1 < count; i++) {
        cg_vec3 way = without(v3_sub(line[i + 1], line[i]), across), to = without(v3_sub(point, line[i]), across);
        double square = v3_dot(way, way), share = square > 0 ? v3_dot(to, way) / square : 0;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        double distance = v3_length(v3_add_scaled(to, -share, way)), length = sqrt(square);
        if (distance < nearest) {
            nearest = distance;
            if (along != NULL) {
                *along = before + share * length;
            }
        }
        before += length;
    }
    return nearest;
}
