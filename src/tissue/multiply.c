// The matrix of a step times a motion.
#include "tissue/springs.h"

static inline float sum4(cg_float4 v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static void multiply_squeezed(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    for (int k = 0; k < springs->squeezed_count; k++) {
        const cg_squeezed *cell = &springs->squeezed[k];
        cg_float4 sum = cg_all4(0);
        for (int corner = 0; corner < 4; corner++) {
            sum += cg_dot4(cell->gradient[corner], ahead[cell->nodes[corner]]);
        }
        for (int corner = 0; corner < 4; corner++) {
            response[cell->nodes[corner]] += sum * cell->gradient[corner];
        }
    }
}

static void multiply_swell(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    cg_float4 sum = cg_all4(0);
    for (int i = 0; i < springs->node_count; i++) {
        sum += springs->swell[i] * ahead[i];
    }
    cg_float4 all = cg_all4(sum4(sum));
    for (int i = 0; i < springs->node_count; i++) {
        response[i] += all * springs->swell[i];
    }
}

// Two springs at once, one a half of the register: u = the motion of the other end against that of the row's node,
// a u + m (m . u) is what the row's node gets and the other end gives. Last lanes of motions are 0.
CG_WIDE_BODY void multiply_springs_body(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    const cg_float4 *matrix = springs->matrix;
    const uint32_t *ends = springs->end;
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row], last = springs->last_spring[row];
        cg_float8 here = __builtin_shufflevector(ahead[i], ahead[i], 0, 1, 2, 3, 0, 1, 2, 3);
        cg_float8 sum = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int s = 4 * springs->first_four[row]; s < last; s += 2) {
            uint32_t j = ends[s], k = ends[s + 1];
            cg_float8 m = *(const cg_float8 *)&matrix[s];
            cg_float4 first = CG_FLOAT4_AT(ahead, j), second = CG_FLOAT4_AT(ahead, k);
            cg_float8 u = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7) - here;
            cg_float8 dot = m * u;
            dot += __builtin_shufflevector(dot, dot, 1, 0, 3, 2, 5, 4, 7, 6);
            dot += __builtin_shufflevector(dot, dot, 2, 3, 0, 1, 6, 7, 4, 5);
            cg_float8 pull = __builtin_shufflevector(m, m, 3, 3, 3, 3, 7, 7, 7, 7) * u + dot * m;
            sum += pull;
            CG_FLOAT4_AT(response, j) += __builtin_shufflevector(pull, pull, 0, 1, 2, 3);
            CG_FLOAT4_AT(response, k) += __builtin_shufflevector(pull, pull, 4, 5, 6, 7);
        }
        response[i] -= __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
    }
}
CG_WIDE_PAIR(static, multiply_springs, (const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response),
             (springs, ahead, response))

CG_WIDE_BODY void cg_springs_multiply_ground_body(const cg_springs *springs, const cg_float4 *ahead,
                                                  cg_float4 *response)
{
    const float *ground = springs->ground;
    for (int i = 0; i < springs->node_count; i += 2) {
        cg_float4 first = cg_all4(ground[i]), second = cg_all4(ground[i + 1]);
        cg_float8 both = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
        *(cg_float8 *)&response[i] = both * *(const cg_float8 *)&ahead[i];
    }
}
CG_WIDE_PAIR(extern, cg_springs_multiply_ground,
             (const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response), (springs, ahead, response))

void cg_springs_multiply(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    multiply_springs(springs, ahead, response);
    if (springs->squeezed_count > 0) {
        multiply_squeezed(springs, ahead, response);
    }
    if (springs->is_swelling) {
        multiply_swell(springs, ahead, response);
    }
    if (springs->bent_count > 0) {
        cg_springs_multiply_bent(springs, ahead, response);
    }
}
