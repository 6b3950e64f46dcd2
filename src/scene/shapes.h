// Shapes of threads: vertices laid evenly along a line, an arc, a coil or a polyline.
#ifndef CATGUT_SCENE_SHAPES_H
#define CATGUT_SCENE_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/math.h"
#include "scene/specs.h"

typedef enum cg_curve_kind { CG_CURVE_LINE, CG_CURVE_POLYLINE, CG_CURVE_ARC } cg_curve_kind;

// A curve that can be sampled by its arc length. An arc is a circle or a helix:
//     centre + radius (cos(a) first + sin(a) second) + climb s axis,    a = angle s,  s from 0 to 1.
typedef struct cg_curve {
    cg_curve_kind kind;
    double length; // [m]
    // line
    cg_vec3 from, to;
    // polyline
    const cg_vec3 *points;
    int point_count;
    // arc
    cg_vec3 centre, first, second, axis;
    double radius, angle, climb;
} cg_curve;

cg_curve cg_curve_line(const cg_line_spec *spec);
cg_curve cg_curve_polyline(const cg_vec3 *points, int count);
// The axis must not be zero.
cg_curve cg_curve_circle(const cg_circle_spec *spec);
cg_curve cg_curve_helix(const cg_helix_spec *spec);

// `count` points, 2 or more, evenly by arc length from the first to the last point of the curve.
void cg_curve_sample(const cg_curve *curve, int count, cg_vec3 *points);

// Reads a file of lines "x y z" [m], with # comments and blank lines at its ends only. Counts the points when `points`
// is NULL; else it has room for *count. At most `most` points.
bool cg_points_read(const char *text, size_t size, int most, cg_vec3 *points, int *count, cg_scene_error *error);

#endif
