// Draws threads as shaded tubes, and triangles of tissue between them, in SVG. Short strokes are painted from back to
// front, each a dark edge under a lit core, so that a crossing shows which thread lies above.
#ifndef CATGUT_SUPPORT_TUBE_H
#define CATGUT_SUPPORT_TUBE_H

#include <stdbool.h>
#include <stdio.h>

#include "catgut/math.h"
#include "support/svg.h"

// From where a scene is looked at; parallel projection.
typedef struct cg_tube_camera {
    cg_vec3 right, up, back; // unit axes of the picture; `back` points to the eye
    double scale;            // [px per m]
    double x, y;             // [px] where the origin of the world lands
} cg_tube_camera;

typedef enum cg_view { CG_VIEW_X, CG_VIEW_Y, CG_VIEW_Z, CG_VIEW_ISO } cg_view;

// Along an axis towards the origin (x: y right, z up; y: x right, z up; z: x right, y up), or from a corner.
cg_tube_camera cg_camera_of_view(cg_view view);
// Eye at `turn` degrees about z and `lift` degrees above the horizon, seen from the -y side.
cg_tube_camera cg_camera_around(double turn, double lift);
// Scales and moves the camera so that all points fit into the box (pixels) with a margin for the tube.
void cg_camera_fit(cg_tube_camera *camera, const cg_vec3 *points, int count, double left, double top, double width,
                   double height);
// Picture place and nearness of a point.
cg_vec3 cg_camera_project(const cg_tube_camera *camera, cg_vec3 point);

// How a thread looks.
typedef struct cg_tube_look {
    cg_rgb colour;
    double radius;            // [px]
    double opacity;           // 1: solid
    double roundness;         // 0: points are joined by straight lines, 1: by smooth curves
    const cg_vec3 *directors; // lines painted along the thread on opposite sides, to show its twist: a direction across
                              // it for each point; NULL: no lines
    cg_rgb line_colour;
} cg_tube_look;

// A picture in the making: strokes of all threads, sorted when drawn. Zero-initialise.
typedef struct cg_tubes {
    struct cg_tube_stroke *strokes;
    int count, capacity;
    bool failed; // no memory left
} cg_tubes;

// Adds a thread of two points or more. False when memory ran out.
bool cg_tubes_add(cg_tubes *tubes, const cg_tube_camera *camera, const cg_vec3 *points, int count, cg_tube_look look);
// Adds a triangle, counter-clockwise seen from outside; one that is seen from behind is left out. False when memory ran
// out.
bool cg_tubes_add_triangle(cg_tubes *tubes, const cg_tube_camera *camera, const cg_vec3 corners[3], cg_rgb colour);
// Writes all strokes and empties the list.
void cg_tubes_draw(cg_tubes *tubes, FILE *out);

#endif
