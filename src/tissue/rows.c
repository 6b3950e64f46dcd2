// Points of the surface that something pushes, in the matrix of a step.
//
// A row acts on the point p = sum w_i x_i of a triangle with f = f0 - S d, d the motion of p in the step and
//     S = across 1 + (along - across) n n^T.
// Each node gets w_i f. So b grows by w_i f0, the matrix by the blocks w_i w_j S; those on the diagonal also serve the
// preconditioner. Forces are in double precision, so that a tissue comes to rest in exact balance with them.
#include "base/vec3.h"
#include "tissue/tissue.h"

void cg_springs_add_rows(cg_springs *springs)
{
    for (int r = 0; r < springs->pushed_count; r++) {
        const cg_tissue_row *row = &springs->pushed[r];
        cg_float4 n = cg_pack(1, row->normal);
        for (int k = 0; k < 3; k++) {
            int i = row->nodes[k];
            cg_vec3 force = v3_scale(row->weights[k], row->force);
            cg_wide *sum = &springs->force[i];
            sum->xy[0] += force.x;
            sum->xy[1] += force.y;
            sum->z[0] += force.z;
            double square = row->weights[k] * row->weights[k];
            cg_float4 more = cg_all4((float)(square * (row->along - row->across)));
            cg_float4 all = {(float)(square * row->across), (float)(square * row->across),
                             (float)(square * row->across), 0};
            springs->diagonal[2 * i] += more * n * n + all;
            springs->diagonal[2 * i + 1] += more * n * cg_turn4(n);
        }
    }
}

void cg_springs_multiply_rows(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    for (int r = 0; r < springs->pushed_count; r++) {
        const cg_tissue_row *row = &springs->pushed[r];
        cg_float4 n = cg_pack(1, row->normal), u = cg_all4(0);
        for (int k = 0; k < 3; k++) {
            u += cg_all4((float)row->weights[k]) * ahead[row->nodes[k]];
        }
        cg_float4 pull =
            cg_all4((float)row->across) * u + cg_all4((float)(row->along - row->across)) * cg_dot4(n, u) * n;
        for (int k = 0; k < 3; k++) {
            response[row->nodes[k]] += cg_all4((float)row->weights[k]) * pull;
        }
    }
}

cg_vec3 cg_tissue_row_force(const cg_tissue *tissue, const cg_tissue_row *row, const cg_vec3 *start)
{
    cg_vec3 move = v3_zero();
    for (int k = 0; k < 3; k++) {
        int i = row->nodes[k];
        move = v3_add_scaled(move, row->weights[k], v3_sub(tissue->mesh->position[i], start[i]));
    }
    cg_vec3 force = v3_add_scaled(row->force, -row->across, move);
    return v3_add_scaled(force, -(row->along - row->across) * v3_dot(row->normal, move), row->normal);
}
