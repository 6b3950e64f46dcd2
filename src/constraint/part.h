// Parts: what a constraint takes hold of. A part is a vector of three numbers that depends on a few unknowns: a point
// of a body, a tangent, an edge, an axis, or a vector that is given.
#ifndef CATGUT_CONSTRAINT_PART_H
#define CATGUT_CONSTRAINT_PART_H

#include <stdbool.h>

#include "catgut/math.h"
#include "constraint/jet.h"

typedef enum cg_part_kind {
    CG_PART_GIVEN, // a place or direction in space, which may move as the caller says
    CG_PART_NODES, // a weighted sum of nodes or control points: a node, a point of a triangle, an edge, a point or
                   // tangent of a spline at a fixed abscissa
    CG_PART_SLIDE, // a point (order 0) or tangent (order 1) of a spline at an abscissa that is itself an unknown
    CG_PART_POINT, // a point of a rigid body
    CG_PART_ARROW  // a direction of a rigid body
} cg_part_kind;

// The most unknowns of a part: four control points and the abscissa.
enum { CG_PART_NODES_MOST = 4, CG_PART_MOST = 13 };

typedef struct cg_part {
    cg_part_kind kind;
    // given: at the end of the coming step
    cg_vec3 place, speed, acceleration; // [m], [m/s], [m/s2]; speed and acceleration of the same motion
    // nodes: their first unknowns
    int node_count;
    int nodes[CG_PART_NODES_MOST];
    double weights[CG_PART_NODES_MOST];
    // slide, point, arrow: the body's first unknown
    int first;
    int control_count; // slide
    int abscissa;      // slide: the unknown
    int order;         // slide: 0 point, 1 tangent
    cg_vec3 arm;       // point, arrow: in body axes [m]
} cg_part;

// A part at work: its value, and its derivative by each of its unknowns.
typedef struct cg_part_value {
    cg_jet w[3];
    cg_jet columns[CG_PART_MOST][3];
} cg_part_value;

int cg_part_count(const cg_part *part);
// In how many ways its unknowns can lie: one, or one for each span that an abscissa can reach; and which it is at x.
int cg_part_spans(const cg_part *part);
int cg_part_span(const cg_part *part, const double *x);
void cg_part_unknowns(const cg_part *part, int span, int *unknowns);
// True when the part is a linear function of its unknowns.
bool cg_part_is_linear(const cg_part *part);

// `late` [s]: how long after the time that a given part names, below 0 before it. `local`: the jets of the unknowns.
void cg_part_evaluate(const cg_part *part, int span, double late, const cg_jet *local, cg_part_value *value);

// matrix += the second derivatives of push . w by the unknowns, whose values are x. Rows are `stride` apart.
void cg_part_add_curvature(const cg_part *part, int span, const double *x, const double push[3], double *matrix,
                           int stride);

#endif
