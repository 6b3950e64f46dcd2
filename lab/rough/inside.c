#include "rough/inside.h"

#include <math.h>

#include "base/trig.h"
#include "base/vec3.h"

// Of a triangle as seen from the origin (Van Oosterom and Strackee 1983).
static double solid_angle(const cg_vec3 p[3])
{
    double a = v3_length(p[0]), b = v3_length(p[1]), c = v3_length(p[2]);
    double up = v3_dot(p[0], v3_cross(p[1], p[2]));
    double down = a * b * c + v3_dot(p[0], p[1]) * c + v3_dot(p[1], p[2]) * a + v3_dot(p[2], p[0]) * b;
    return 2 * atan2(up, down);
}

// From the origin to a triangle: to its plane where the foot is inside, else to the nearest of its edges.
static double distance_to(const cg_vec3 p[3])
{
    cg_vec3 normal = v3_unit_or(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), v3_zero());
    double height = v3_dot(normal, p[0]), least = INFINITY;
    cg_vec3 foot = v3_scale(height, normal);
    bool is_inside = v3_dot(normal, normal) > 0;
    for (int k = 0; k < 3; k++) {
        cg_vec3 from = p[k], along = v3_sub(p[(k + 1) % 3], from);
        is_inside = is_inside && v3_dot(normal, v3_cross(along, v3_sub(foot, from))) >= 0;
        double square = v3_dot(along, along), t = square > 0 ? -v3_dot(from, along) / square : 0;
        least = fmin(least, v3_length(v3_add_scaled(from, fmin(fmax(t, 0), 1), along)));
    }
    return is_inside ? fabs(height) : least;
}

double cg_depth_inside(const cg_world *world, cg_tissue_id tissue, cg_vec3 place)
{
    const cg_vec3 *nodes = cg_tissue_positions(world, tissue, NULL);
    double angle = 0, nearest = INFINITY;
    int corners[3];
    for (int t = 0; cg_tissue_get_triangle(world, tissue, t, corners, NULL); t++) {
        cg_vec3 seen[3];
        for (int k = 0; k < 3; k++) {
            seen[k] = v3_sub(nodes[corners[k]], place);
        }
        angle += solid_angle(seen);
        nearest = fmin(nearest, distance_to(seen));
    }
    return fabs(angle) > 2 * CG_PI ? nearest : 0;
}
