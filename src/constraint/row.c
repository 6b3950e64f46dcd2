#include "constraint/row.h"

#include <string.h>

int cg_rows_count(const cg_rows *rows)
{
    return rows->kind == CG_ROW_MEET ? 3 : 1;
}

int cg_rows_unknown_count(const cg_rows *rows)
{
    return cg_part_count(&rows->parts[0]) + (rows->kind == CG_ROW_UNIT ? 0 : cg_part_count(&rows->parts[1]));
}

int cg_rows_spans(const cg_rows *rows)
{
    return cg_part_spans(&rows->parts[0]) * cg_part_spans(&rows->parts[1]);
}

int cg_rows_span(const cg_rows *rows, const double *x)
{
    return cg_part_span(&rows->parts[0], x) * cg_part_spans(&rows->parts[1]) + cg_part_span(&rows->parts[1], x);
}

// The span of one part in that of both.
static int span_of(const cg_rows *rows, int span, int part)
{
    int seconds = cg_part_spans(&rows->parts[1]);
    return part == 0 ? span / seconds : span % seconds;
}

void cg_rows_unknowns(const cg_rows *rows, int span, int *unknowns)
{
    cg_part_unknowns(&rows->parts[0], span_of(rows, span, 0), unknowns);
    if (rows->kind != CG_ROW_UNIT) {
        cg_part_unknowns(&rows->parts[1], span_of(rows, span, 1), unknowns + cg_part_count(&rows->parts[0]));
    }
}

bool cg_rows_are_linear(const cg_rows *rows)
{
    bool first = cg_part_is_linear(&rows->parts[0]), second = cg_part_is_linear(&rows->parts[1]);
    bool given = rows->parts[0].kind == CG_PART_GIVEN || rows->parts[1].kind == CG_PART_GIVEN;
    return first && second && (rows->kind == CG_ROW_MEET || (rows->kind == CG_ROW_DOT && given));
}

// --- as functions of the two vectors ---

typedef struct row_jet {
    cg_jet value;
    cg_jet by[2][3];
} row_jet;

static void meet_row(const cg_jet *const w[2], int row, row_jet *out)
{
    memset(out->by, 0, sizeof out->by);
    out->value = jet_sub(w[0][row], w[1][row]);
    out->by[0][row] = jet_constant(1);
    out->by[1][row] = jet_constant(-1);
}

static void dot_row(const cg_jet *const w[2], double constant, row_jet *out)
{
    out->value = jet_dot3(w[0], w[1]);
    out->value.f -= constant;
    memcpy(out->by[0], w[1], sizeof out->by[0]);
    memcpy(out->by[1], w[0], sizeof out->by[1]);
}

static void angle_row(const cg_jet *const w[2], double constant, row_jet *out)
{
    cg_jet inverse[2], unit[2][3];
    for (int k = 0; k < 2; k++) {
        inverse[k] = jet_inverse_root(jet_dot3(w[k], w[k]));
        for (int c = 0; c < 3; c++) {
            unit[k][c] = jet_multiply(inverse[k], w[k][c]);
        }
    }
    cg_jet cosine = jet_dot3(unit[0], unit[1]);
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < 3; c++) {
            cg_jet side = jet_sub(unit[1 - k][c], jet_multiply(cosine, unit[k][c]));
            out->by[k][c] = jet_multiply(inverse[k], side);
        }
    }
    out->value = cosine;
    out->value.f -= constant;
}

static void distance_row(const cg_jet *const w[2], double constant, row_jet *out)
{
    cg_jet apart[3];
    for (int c = 0; c < 3; c++) {
        apart[c] = jet_sub(w[0][c], w[1][c]);
    }
    cg_jet square = jet_dot3(apart, apart), inverse = jet_inverse_root(square);
    for (int c = 0; c < 3; c++) {
        out->by[0][c] = jet_multiply(inverse, apart[c]);
        out->by[1][c] = jet_scale(-1, out->by[0][c]);
    }
    out->value = jet_multiply(square, inverse);
    out->value.f -= constant;
}

static void row_of(const cg_rows *rows, int row, const cg_jet *const w[2], row_jet *out)
{
    switch (rows->kind) {
    case CG_ROW_MEET:
        meet_row(w, row, out);
        break;
    case CG_ROW_DOT:
        dot_row(w, rows->constant, out);
        break;
    case CG_ROW_ANGLE:
        angle_row(w, rows->constant, out);
        break;
    case CG_ROW_DISTANCE:
        distance_row(w, rows->constant, out);
        break;
    case CG_ROW_UNIT:
        break; // has no vectors; done by itself
    }
}

// --- as functions of the unknowns ---

static void set_row(cg_rows_value *value, int row, cg_jet g)
{
    value->g[row] = g.f;
    value->rate[row] = g.d;
    value->acceleration[row] = g.s;
}

static void set_by(cg_rows_value *value, int row, int unknown, cg_jet by)
{
    value->by[row][unknown] = by.f;
    value->rate_of_by[row][unknown] = by.d;
    value->acceleration_of_by[row][unknown] = by.s;
}

static void evaluate_unit(const cg_jet *q, cg_rows_value *value)
{
    cg_jet sum = jet_constant(-1);
    for (int i = 0; i < 4; i++) {
        sum = jet_add(sum, jet_multiply(q[i], q[i]));
        set_by(value, 0, i, q[i]);
    }
    set_row(value, 0, jet_scale(0.5, sum));
}

static void evaluate_parts(const cg_rows *rows, int span, double late, const cg_jet *local, cg_part_value values[2])
{
    cg_part_evaluate(&rows->parts[0], span_of(rows, span, 0), late, local, &values[0]);
    cg_part_evaluate(&rows->parts[1], span_of(rows, span, 1), late, local + cg_part_count(&rows->parts[0]), &values[1]);
}

void cg_rows_evaluate(const cg_rows *rows, int span, double late, const cg_jet *local, cg_rows_value *value)
{
    int row_count = cg_rows_count(rows), count = cg_rows_unknown_count(rows);
    if (rows->kind == CG_ROW_UNIT) {
        evaluate_unit(local, value);
    } else {
        cg_part_value parts[2];
        evaluate_parts(rows, span, late, local, parts);
        const cg_jet *const w[2] = {parts[0].w, parts[1].w};
        int first_count = cg_part_count(&rows->parts[0]);
        for (int row = 0; row < row_count; row++) {
            row_jet out;
            row_of(rows, row, w, &out);
            set_row(value, row, out.value);
            for (int j = 0; j < count; j++) {
                int k = j < first_count ? 0 : 1;
                set_by(value, row, j, jet_dot3(out.by[k], parts[k].columns[k == 0 ? j : j - first_count]));
            }
        }
    }
    for (int row = 0; row < row_count; row++) {
        value->xi[row] = 0;
        for (int j = 0; j < count; j++) {
            value->xi[row] += value->rate_of_by[row][j] * local[j].d;
        }
    }
}

// --- second derivatives ---

// The second derivatives of force . row by the two vectors, and its first ones.
static void add_vector_curvature(const cg_rows *rows, const cg_part_value parts[2], const double *force,
                                 double push[2][3], double curvature[6][6])
{
    cg_jet w[2][3];
    for (int k = 0; k < 6; k++) {
        w[k / 3][k % 3] = jet_constant(parts[k / 3].w[k % 3].f);
    }
    const cg_jet *const both[2] = {w[0], w[1]};
    int row_count = cg_rows_count(rows), seeds = rows->kind == CG_ROW_MEET ? 1 : 6;
    for (int seed = 0; seed < seeds; seed++) {
        w[seed / 3][seed % 3].d = 1;
        for (int row = 0; row < row_count; row++) {
            row_jet out;
            row_of(rows, row, both, &out);
            for (int k = 0; k < 6; k++) {
                curvature[k][seed] += force[row] * out.by[k / 3][k % 3].d;
                push[k / 3][k % 3] += seed == 0 ? force[row] * out.by[k / 3][k % 3].f : 0;
            }
        }
        w[seed / 3][seed % 3].d = 0;
    }
}

// matrix += J^T C J, J the columns of both parts.
static void add_through_columns(const cg_rows *rows, const cg_part_value parts[2], double curvature[6][6],
                                double *matrix, int stride)
{
    int first_count = cg_part_count(&rows->parts[0]), count = cg_rows_unknown_count(rows);
    for (int j = 0; j < count; j++) {
        int kj = j < first_count ? 0 : 1;
        const cg_jet *column = parts[kj].columns[kj == 0 ? j : j - first_count];
        double turned[6];
        for (int c = 0; c < 6; c++) {
            const double *row = curvature[c] + 3 * kj;
            turned[c] = row[0] * column[0].f + row[1] * column[1].f + row[2] * column[2].f;
        }
        for (int i = 0; i < count; i++) {
            int ki = i < first_count ? 0 : 1;
            const cg_jet *other = parts[ki].columns[ki == 0 ? i : i - first_count];
            const double *part = turned + 3 * ki;
            matrix[i * stride + j] += other[0].f * part[0] + other[1].f * part[1] + other[2].f * part[2];
        }
    }
}

void cg_rows_add_curvature(const cg_rows *rows, int span, double late, const double *x, const double *force,
                           double *matrix, int stride)
{
    int first_count = cg_part_count(&rows->parts[0]), count = cg_rows_unknown_count(rows);
    if (rows->kind == CG_ROW_UNIT) {
        for (int i = 0; i < 4; i++) {
            matrix[i * stride + i] += force[0];
        }
        return;
    }
    cg_jet local[CG_ROW_UNKNOWNS_MOST];
    for (int i = 0; i < count; i++) {
        local[i] = jet_constant(x[i]);
    }
    cg_part_value parts[2];
    double push[2][3] = {{0}}, curvature[6][6] = {{0}};
    evaluate_parts(rows, span, late, local, parts);
    add_vector_curvature(rows, parts, force, push, curvature);
    if (rows->kind != CG_ROW_MEET) {
        add_through_columns(rows, parts, curvature, matrix, stride);
    }
    for (int k = 0; k < 2; k++) {
        int from = k == 0 ? 0 : first_count;
        cg_part_add_curvature(&rows->parts[k], span_of(rows, span, k), x + from, push[k], matrix + from * stride + from,
                              stride);
    }
}
