#include "constraint/part.h"

#include <string.h>

#include "constraint/bspline.h"
#include "constraint/rigid_element.h"
#include "constraint/spline_thread.h"

enum { CONTROLS = 4, ABSCISSA = 12 }; // the abscissa follows the control points

int cg_part_count(const cg_part *part)
{
    switch (part->kind) {
    case CG_PART_GIVEN:
        return 0;
    case CG_PART_NODES:
        return 3 * part->node_count;
    case CG_PART_SLIDE:
        return ABSCISSA + 1;
    case CG_PART_POINT:
        return CG_DAE_RIGID_UNKNOWNS;
    case CG_PART_ARROW:
        return CG_DAE_RIGID_UNKNOWNS - CG_DAE_RIGID_TURN;
    }
    return 0;
}

int cg_part_spans(const cg_part *part)
{
    return part->kind == CG_PART_SLIDE ? cg_bspline_spans(part->control_count) : 1;
}

int cg_part_span(const cg_part *part, const double *x)
{
    double local;
    return part->kind == CG_PART_SLIDE ? cg_bspline_span(part->control_count, x[part->abscissa], &local) : 0;
}

bool cg_part_is_linear(const cg_part *part)
{
    return part->kind == CG_PART_GIVEN || part->kind == CG_PART_NODES;
}

void cg_part_unknowns(const cg_part *part, int span, int *unknowns)
{
    int count = cg_part_count(part);
    for (int i = 0; i < count; i++) {
        switch (part->kind) {
        case CG_PART_GIVEN:
            break;
        case CG_PART_NODES:
            unknowns[i] = part->nodes[i / 3] + i % 3;
            break;
        case CG_PART_SLIDE:
            unknowns[i] = i == ABSCISSA ? part->abscissa : part->first + CG_SPLINE_UNKNOWNS * (span + i / 3) + i % 3;
            break;
        case CG_PART_POINT:
            unknowns[i] = part->first + i;
            break;
        case CG_PART_ARROW:
            unknowns[i] = part->first + CG_DAE_RIGID_TURN + i;
            break;
        }
    }
}

// --- values ---

static void evaluate_given(const cg_part *part, double late, cg_part_value *value)
{
    const double place[3] = {part->place.x, part->place.y, part->place.z};
    const double speed[3] = {part->speed.x, part->speed.y, part->speed.z};
    const double acceleration[3] = {part->acceleration.x, part->acceleration.y, part->acceleration.z};
    for (int c = 0; c < 3; c++) {
        double faster = acceleration[c] * late;
        value->w[c] = jet(place[c] + (speed[c] + 0.5 * faster) * late, speed[c] + faster, acceleration[c]);
    }
}

static void evaluate_nodes(const cg_part *part, const cg_jet *local, cg_part_value *value)
{
    for (int i = 0; i < part->node_count; i++) {
        for (int c = 0; c < 3; c++) {
            value->w[c] = jet_add(value->w[c], jet_scale(part->weights[i], local[3 * i + c]));
            value->columns[3 * i + c][c] = jet_constant(part->weights[i]);
        }
    }
}

// f(t), with the derivatives of f at t known.
static cg_jet jet_of(double f, double by_t, double by_tt, cg_jet t)
{
    return jet(f, by_t * t.d, by_t * t.s + by_tt * t.d * t.d);
}

// Derivatives beyond the third of a cubic are zero.
static double weight_of(double w[4][4], int order, int i)
{
    return order > 3 ? 0 : w[order][i];
}

static void evaluate_slide(const cg_part *part, int span, const cg_jet *local, cg_part_value *value)
{
    double w[4][4];
    cg_jet t = local[ABSCISSA];
    t.f -= CG_BSPLINE_FIRST + span;
    cg_bspline_weights(t.f, w);
    int order = part->order;
    for (int i = 0; i < CONTROLS; i++) {
        cg_jet weight = jet_of(w[order][i], w[order + 1][i], weight_of(w, order + 2, i), t);
        cg_jet slope = jet_of(w[order + 1][i], weight_of(w, order + 2, i), weight_of(w, order + 3, i), t);
        for (int c = 0; c < 3; c++) {
            value->w[c] = jet_add(value->w[c], jet_multiply(weight, local[3 * i + c]));
            value->columns[3 * i + c][c] = weight;
            value->columns[ABSCISSA][c] = jet_add(value->columns[ABSCISSA][c], jet_multiply(slope, local[3 * i + c]));
        }
    }
}

// The vector part of q r conj(q), as the bilinear form of its two quaternions made symmetric:
//     (q_w p_w - q_v . p_v) r + (q_v . r) p_v + (p_v . r) q_v + q_w (p_v x r) + p_w (q_v x r).
// It scales with |q|^2, which the constraint of unit length holds at one.
static void turn_form(const cg_jet q[4], const double p[4], const double r[3], cg_jet out[3])
{
    cg_jet mixed = jet_scale(p[3], q[3]), q_r = jet_constant(0);
    double p_r = 0;
    for (int c = 0; c < 3; c++) {
        mixed = jet_sub(mixed, jet_scale(p[c], q[c]));
        q_r = jet_add(q_r, jet_scale(r[c], q[c]));
        p_r += p[c] * r[c];
    }
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        cg_jet q_cross = jet_sub(jet_scale(r[e], q[d]), jet_scale(r[d], q[e]));
        double p_cross = p[d] * r[e] - p[e] * r[d];
        out[c] = jet_add(jet_add(jet_scale(r[c], mixed), jet_scale(p[c], q_r)), jet_scale(p_r, q[c]));
        out[c] = jet_add(out[c], jet_add(jet_scale(p_cross, q[3]), jet_scale(p[3], q_cross)));
    }
}

// The form of p and q is w = form(q, q), its column form(2 q, unit).
static void evaluate_turned(const cg_part *part, const cg_jet *q, cg_jet w[3], cg_jet columns[][3])
{
    const double r[3] = {part->arm.x, part->arm.y, part->arm.z};
    for (int j = 0; j < 4; j++) {
        double unit[4] = {0};
        unit[j] = 2;
        turn_form(q, unit, r, columns[j]);
        for (int c = 0; c < 3; c++) {
            w[c] = jet_add(w[c], jet_scale(0.5, jet_multiply(q[j], columns[j][c])));
        }
    }
}

void cg_part_evaluate(const cg_part *part, int span, double late, const cg_jet *local, cg_part_value *value)
{
    int turn = part->kind == CG_PART_POINT ? CG_DAE_RIGID_TURN : 0;
    memset(value->w, 0, sizeof value->w);
    memset(value->columns, 0, (size_t)cg_part_count(part) * sizeof value->columns[0]);
    switch (part->kind) {
    case CG_PART_GIVEN:
        evaluate_given(part, late, value);
        break;
    case CG_PART_NODES:
        evaluate_nodes(part, local, value);
        break;
    case CG_PART_SLIDE:
        evaluate_slide(part, span, local, value);
        break;
    case CG_PART_POINT:
    case CG_PART_ARROW:
        for (int c = 0; c < turn; c++) {
            value->w[c] = local[c];
            value->columns[c][c] = jet_constant(1);
        }
        evaluate_turned(part, local + turn, value->w, value->columns + turn);
        break;
    }
}

// --- second derivatives ---

static void add_slide_curvature(const cg_part *part, int span, const double *x, const double push[3], double *matrix,
                                int stride)
{
    double w[4][4], bent = 0;
    cg_bspline_weights(x[ABSCISSA] - CG_BSPLINE_FIRST - span, w);
    for (int i = 0; i < CONTROLS; i++) {
        for (int c = 0; c < 3; c++) {
            double value = w[part->order + 1][i] * push[c];
            matrix[(3 * i + c) * stride + ABSCISSA] += value;
            matrix[ABSCISSA * stride + 3 * i + c] += value;
            bent += w[part->order + 2][i] * push[c] * x[3 * i + c];
        }
    }
    matrix[ABSCISSA * stride + ABSCISSA] += bent;
}

static void add_turn_curvature(const cg_part *part, const double push[3], double *matrix, int stride)
{
    const double r[3] = {part->arm.x, part->arm.y, part->arm.z};
    for (int i = 0; i < 4; i++) {
        cg_jet q[4] = {{0, 0, 0}}, out[3];
        q[i].f = 2;
        for (int j = 0; j < 4; j++) {
            double unit[4] = {0};
            unit[j] = 1;
            turn_form(q, unit, r, out);
            matrix[i * stride + j] += push[0] * out[0].f + push[1] * out[1].f + push[2] * out[2].f;
        }
    }
}

void cg_part_add_curvature(const cg_part *part, int span, const double *x, const double push[3], double *matrix,
                           int stride)
{
    if (part->kind == CG_PART_SLIDE) {
        add_slide_curvature(part, span, x, push, matrix, stride);
    } else if (part->kind == CG_PART_POINT) {
        add_turn_curvature(part, push, matrix + CG_DAE_RIGID_TURN * stride + CG_DAE_RIGID_TURN, stride);
    } else if (part->kind == CG_PART_ARROW) {
        add_turn_curvature(part, push, matrix, stride);
    }
}
