// Polygons into triangles.
//
// An ear is a corner whose triangle with its two neighbours turns the way the polygon does and has no other corner in
// it; it is cut off, until three corners are left. Turns are measured along the polygon's normal, the sum of the cross
// products of its edges (Newell), so it need not be quite flat. Where nothing is an ear (a polygon that crosses itself)
// the corner that turns most is cut off.
#include "base/vec3.h"
#include "mesh_files/surface_parts.h"

static cg_vec3 normal_of(const cg_vec3 *points, const int *corners, int count)
{
    cg_vec3 sum = v3_zero(), origin = points[corners[0]];
    for (int i = 1; i + 1 < count; i++) {
        sum = v3_add(sum, v3_cross(v3_sub(points[corners[i]], origin), v3_sub(points[corners[i + 1]], origin)));
    }
    return sum;
}

static double turn(cg_vec3 normal, cg_vec3 a, cg_vec3 b, cg_vec3 c)
{
    return v3_dot(normal, v3_cross(v3_sub(b, a), v3_sub(c, a)));
}

static bool has_corner_inside(const cg_vec3 *points, const int *corners, int count, int ear, cg_vec3 normal)
{
    int before = (ear + count - 1) % count, after = (ear + 1) % count;
    cg_vec3 a = points[corners[before]], b = points[corners[ear]], c = points[corners[after]];
    for (int i = 0; i < count; i++) {
        if (i == before || i == ear || i == after) {
            continue;
        }
        cg_vec3 p = points[corners[i]];
        // A corner at the same place as one of the ear (a bridge to a hole) is not inside.
        bool is_twin = v3_distance(p, a) == 0 || v3_distance(p, b) == 0 || v3_distance(p, c) == 0;
        if (!is_twin && turn(normal, a, b, p) >= 0 && turn(normal, b, c, p) >= 0 && turn(normal, c, a, p) >= 0) {
            return true;
        }
    }
    return false;
}

static int find_ear(const cg_vec3 *points, const int *corners, int count, cg_vec3 normal)
{
    int best = 0;
    double most = -1e300;
    for (int i = 0; i < count; i++) {
        double here = turn(normal, points[corners[(i + count - 1) % count]], points[corners[i]],
                           points[corners[(i + 1) % count]]);
        if (here > 0 && !has_corner_inside(points, corners, count, i, normal)) {
            return i;
        }
        if (here > most) {
            most = here;
            best = i;
        }
    }
    return best;
}

void cg_surface_cut_ears(const cg_vec3 *points, int *corners, int count, int (*triangles)[3])
{
    cg_vec3 normal = normal_of(points, corners, count);
    while (count > 3) {
        int ear = find_ear(points, corners, count, normal);
        (*triangles)[0] = corners[(ear + count - 1) % count];
        (*triangles)[1] = corners[ear];
        (*triangles)[2] = corners[(ear + 1) % count];
        triangles++;
        for (int i = ear; i + 1 < count; i++) {
            corners[i] = corners[i + 1];
        }
        count--;
    }
    for (int i = 0; i < 3; i++) {
        (*triangles)[i] = corners[i];
    }
}
