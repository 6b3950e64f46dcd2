// Points of the surface that something pushes, or that push each other, in the matrix of a step.
//
// A row acts on the sum p = sum w_i x_i of its nodes with f = f0 - S d, d the motion of p in the step and
//     S = across 1 + (along - across) n n^T.
// Each node gets w_i f. So b grows by w_i f0, the matrix by the blocks w_i w_j S; those on the diagonal also serve the
// preconditioner. With weights that sum to 0 the row has no net force: what one side gets, the other gives. Nodes may
// belong to two tissues; both are then solved as one (conjugate.c). Forces are in double precision, so that a tissue
// comes to rest in exact balance with them.
#include "base/vec3.h"
#include "tissue/tissue.h"

static void add_row(cg_springs *springs, const cg_tissue_row *row)
{
    cg_float4 n = cg_pack(1, row->normal);
    for (int k = 0; k < row->count; k++) {
        cg_springs *at = k < row->own_count ? springs : row->other;
        int i = row->nodes[k];
        cg_vec3 force = v3_scale(row->weights[k], row->force);
        cg_wide *sum = &at->force[i];
        sum->xy[0] += force.x;
        sum->xy[1] += force.y;
        sum->z[0] += force.z;
        double square = row->weights[k] * row->weights[k];
        cg_float4 more = cg_all4((float)(square * (row->along - row->across)));
        cg_float4 all = {(float)(square * row->across), (float)(square * row->across), (float)(square * row->across),
                         0};
        at->diagonal[2 * i] += more * n * n + all;
        at->diagonal[2 * i + 1] += more * n * cg_turn4(n);
    }
}

void cg_springs_add_rows(cg_springs *springs)
{
    for (const cg_row_list *list = springs->pushed; list != NULL; list = list->next) {
        for (int r = 0; r < list->count; r++) {
            add_row(springs, &list->rows[r]);
        }
    }
}

static void multiply_row(cg_springs *springs, const cg_tissue_row *row, cg_vector vector, cg_vector response)
{
    const cg_float4 *own = cg_vector_of(springs, vector), *other = row->other ? cg_vector_of(row->other, vector) : own;
    cg_float4 *own_sum = cg_vector_of(springs, response);
    cg_float4 *other_sum = row->other ? cg_vector_of(row->other, response) : own_sum;
    cg_float4 n = cg_pack(1, row->normal), u = cg_all4(0);
    for (int k = 0; k < row->count; k++) {
        u += cg_all4((float)row->weights[k]) * (k < row->own_count ? own : other)[row->nodes[k]];
    }
    cg_float4 pull = cg_all4((float)row->across) * u + cg_all4((float)(row->along - row->across)) * cg_dot4(n, u) * n;
    for (int k = 0; k < row->count; k++) {
        (k < row->own_count ? own_sum : other_sum)[row->nodes[k]] += cg_all4((float)row->weights[k]) * pull;
    }
}

void cg_springs_multiply_rows(cg_springs *springs, cg_vector vector, cg_vector response)
{
    for (const cg_row_list *list = springs->pushed; list != NULL; list = list->next) {
        for (int r = 0; r < list->count; r++) {
            multiply_row(springs, &list->rows[r], vector, response);
        }
    }
}

cg_vec3 cg_tissue_row_force(const cg_tissue_row *row, const cg_row_side *own, const cg_row_side *other)
{
    cg_vec3 move = v3_zero();
    for (int k = 0; k < row->count; k++) {
        const cg_row_side *side = k < row->own_count ? own : other;
        int i = row->nodes[k];
        move = v3_add_scaled(move, row->weights[k], v3_sub(side->now[i], side->start[i]));
    }
    cg_vec3 force = v3_add_scaled(row->force, -row->across, move);
    return v3_add_scaled(force, -(row->along - row->across) * v3_dot(row->normal, move), row->normal);
}
