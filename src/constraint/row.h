// Rows: the constraints g(x) = 0, each between two parts, and everything that a solver may ask of them.
//
//     meet      w0 - w1 = 0                     three rows: a fixed point, a ball joint, a tangent with its stretch,
//                                               a sliding point
//     dot       w0 . w1 = c                     one row: a tangent in a plane, an axis of a hinge across an axis
//     angle     w0 . w1 / (|w0| |w1|) = c       one row: the same for vectors whose length may change
//     distance  |w0 - w1| = c                   one row: a rod without mass
//     unit      (q . q - 1) / 2 = 0             one row: the quaternion of a rigid body
#ifndef CATGUT_CONSTRAINT_ROW_H
#define CATGUT_CONSTRAINT_ROW_H

#include "constraint/part.h"

typedef enum cg_row_kind { CG_ROW_MEET, CG_ROW_DOT, CG_ROW_ANGLE, CG_ROW_DISTANCE, CG_ROW_UNIT } cg_row_kind;

enum { CG_ROWS_MOST = 3, CG_ROW_UNKNOWNS_MOST = 2 * CG_PART_MOST };

typedef struct cg_rows {
    cg_row_kind kind;
    cg_part parts[2]; // unit: the first is an arrow of the body
    double constant;
} cg_rows;

int cg_rows_count(const cg_rows *rows);         // rows
int cg_rows_unknown_count(const cg_rows *rows); // of both parts; one may be there twice
int cg_rows_spans(const cg_rows *rows);         // ways in which the unknowns can lie
int cg_rows_span(const cg_rows *rows, const double *x);
void cg_rows_unknowns(const cg_rows *rows, int span, int *unknowns);
// True when no second derivative is ever anything but zero.
bool cg_rows_are_linear(const cg_rows *rows);

// g and its two time derivatives; G = dg/dx with its two. By the rule in jet.h these are all Jacobians.
typedef struct cg_rows_value {
    double g[CG_ROWS_MOST], rate[CG_ROWS_MOST], acceleration[CG_ROWS_MOST];
    double xi[CG_ROWS_MOST]; // g'' without G a
    double by[CG_ROWS_MOST][CG_ROW_UNKNOWNS_MOST];
    double rate_of_by[CG_ROWS_MOST][CG_ROW_UNKNOWNS_MOST];
    double acceleration_of_by[CG_ROWS_MOST][CG_ROW_UNKNOWNS_MOST];
} cg_rows_value;

// `local`: the jets (x, v, a) of the unknowns in the order of cg_rows_unknowns.
void cg_rows_evaluate(const cg_rows *rows, int span, double late, const cg_jet *local, cg_rows_value *value);

// matrix (count x count, rows `stride` apart) += d(G^T force)/dx, the force held.
void cg_rows_add_curvature(const cg_rows *rows, int span, double late, const double *x, const double *force,
                           double *matrix, int stride);

#endif
