// Shapes of threads: vertices laid evenly along a line, an arc, a coil, a polyline or a knot.
#ifndef CATGUT_SCENE_SHAPES_H
#define CATGUT_SCENE_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/math.h"
#include "knot/curves.h"
#include "scene/reader.h"
#include "scene/specs.h"

typedef enum cg_scene_curve_kind {
    CG_SCENE_CURVE_LINE,
    CG_SCENE_CURVE_POLYLINE,
    CG_SCENE_CURVE_ARC,
    CG_SCENE_CURVE_KNOT
} cg_scene_curve_kind;

// A curve that can be sampled by its arc length. An arc is a circle or a helix:
//     centre + radius (cos(a) first + sin(a) second) + climb s axis,    a = angle s,  s from 0 to 1.
typedef struct cg_scene_curve {
    cg_scene_curve_kind kind;
    double length; // [m]
    // line
    cg_vec3 from, to;
    // polyline
    const cg_vec3 *points;
    int point_count;
    // arc
    cg_vec3 centre, first, second, axis;
    double radius, angle, climb;
    // knot
    cg_curve_def knot; // without its spacing
    int strand;        // 0 or 1
    double strand_lengths[2];
    cg_transform pose;
} cg_scene_curve;

cg_scene_curve cg_scene_curve_line(const cg_line_spec *spec);
cg_scene_curve cg_scene_curve_polyline(const cg_vec3 *points, int count);
// The axis must not be zero.
cg_scene_curve cg_scene_curve_circle(const cg_circle_spec *spec);
cg_scene_curve cg_scene_curve_helix(const cg_helix_spec *spec);

// Reads a knot of a thread of that radius [m].
bool cg_scene_read_knot(cg_scene_reader *reader, const cg_json_value *value, double radius, cg_scene_curve *curve);
// `count` points, 2 or more, of a knot. Errors are at `at`.
bool cg_scene_sample_knot(cg_scene_reader *reader, const cg_json_value *at, const cg_scene_curve *curve, int count,
                          cg_vec3 *points);

// `count` points, 2 or more, evenly by arc length from the first to the last point of a curve that is no knot.
void cg_scene_curve_sample(const cg_scene_curve *curve, int count, cg_vec3 *points);

// Reads a file of lines "x y z" [m], with # comments and blank lines at its ends only. Counts the points when `points`
// is NULL; else it has room for *count. At most `most` points.
bool cg_points_read(const char *text, size_t size, int most, cg_vec3 *points, int *count, cg_scene_error *error);

#endif
