// Threads along corners, for the tests of tears.
#ifndef CATGUT_TESTS_TEAR_RIG_H
#define CATGUT_TESTS_TEAR_RIG_H

#include <math.h>

#include "base/vec3.h"

// Vertices from corner to corner, no farther apart than `spacing` [m]. Returns how many.
static inline int rig_lay_points(const cg_vec3 *corners, int count, double spacing, cg_vec3 *points)
{
    int n = 0;
    for (int k = 0; k + 1 < count; k++) {
        cg_vec3 way = v3_sub(corners[k + 1], corners[k]);
        int parts = (int)ceil(v3_length(way) / spacing);
        for (int i = 0; i < parts; i++) {
            points[n++] = v3_add_scaled(corners[k], (double)i / parts, way);
        }
    }
    points[n++] = corners[count - 1];
    return n;
}

#endif
