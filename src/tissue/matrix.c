// The matrix of a step: the springs' part of it, the sums of its diagonal blocks, and their inverses.
//
// It is worked out in every step. Keeping it where tissue has moved little was tried and does not pay. A spring whose
// direction is off by t puts k t^2 of stiffness against motions across it, where there is none: against turning,
// bending and flowing. Beside inertia, M/h^2 to k some 1 to 100, that is a brake. With springs linearised anew where a
// node had moved by 2 % of a link, a pulled pad moved as before, but a block that spins at 21 rad/s stood still after a
// second (0.44 of its spin are left now, docs/tissue-models.md); and where it is harmless, at a few thousandths, most
// of a moving tissue is worked out anew anyway. Together with the forces, whose lengths and directions it shares, it
// costs a tenth of a step.
#include <math.h>
#include <string.h>

#include "tissue/spring_state.h"

// Two walks over the springs. One works out forces and what the matrix needs, the other makes the matrix of it. In one
// walk a spring would wait for three roots and a division one after the other, and a machine sees too few springs ahead
// to do something else meanwhile.
CG_WIDE_BODY void note_matrix(cg_float4 to[4], cg_spring_slope *slope, const cg_four_state *s, const cg_spring_four *p,
                              double damping)
{
    cg_double4 across = (cg_double4)((cg_bits4)(s->pull > 0.0) & (cg_bits4)s->pull);
    cg_double4 along = (p->stiffness * (1.0 + damping + 3.0 * s->square) - across) * (s->inverse * s->inverse);
    slope->across = __builtin_convertvector(across, cg_float4);
    slope->along = __builtin_convertvector(along, cg_float4);
    for (int k = 0; k < 4; k++) {
        to[k] = __builtin_convertvector(s->to[k], cg_float4);
    }
}

CG_WIDE_BODY void pull_rows_body(cg_springs *springs, double damping)
{
    const cg_wide *place = springs->place;
    const cg_spring_four *fours = springs->fours;
    const uint32_t *ends = springs->end;
    cg_wide *force = springs->force;
    cg_float4 *matrix = springs->matrix;
    cg_spring_slope *slopes = springs->slope;
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row], last = springs->first_four[row + 1];
        cg_double4 here = CG_WIDE_AT(place, i), pull = {0, 0, 0, 0};
        cg_bits4 beyond = {0, 0, 0, 0};
        for (int four = springs->first_four[row]; four < last; four++) {
            const uint32_t end[4] = {ends[4 * four], ends[4 * four + 1], ends[4 * four + 2], ends[4 * four + 3]};
            cg_four_state s;
            cg_stretch_four(&s, place, &here, &fours[four], end);
            note_matrix(&matrix[4 * four], &slopes[four], &s, &fours[four], damping);
            cg_look_at_strain(&s, &fours[four], &beyond);
            cg_pull_ends(force, &s, end, &pull);
        }
        *(cg_double4 *)&force[i] += pull;
        if ((beyond[0] | beyond[1] | beyond[2] | beyond[3]) != 0) {
            cg_springs_mark_row(springs, row);
        }
    }
}
CG_WIDE_PAIR(static, pull_rows, (cg_springs * springs, double damping), (springs, damping))

// m and a of a spring, and what it puts into the blocks of both ends: xx yy zz in one half, xy yz zx in the other.
#define PUT_SPRING(k)                                                                                                  \
    {                                                                                                                  \
        cg_float4 m = matrix[s + (k)] * __builtin_shufflevector(root, root, k, k, k, k);                               \
        m = __builtin_shufflevector(m, across, 0, 1, 2, 4 + (k));                                                      \
        matrix[s + (k)] = m;                                                                                           \
        cg_float8 both = __builtin_shufflevector(m, m, 0, 1, 2, 3, 0, 1, 2, 3);                                        \
        cg_float8 turned = __builtin_shufflevector(m, m, 0, 1, 2, 3, 1, 2, 0, 3);                                      \
        cg_float8 block = both * turned + __builtin_shufflevector(across, none, k, k, k, k, 4, 4, 4, 4);               \
        sum += block;                                                                                                  \
        *(cg_float8 *)((char *)diagonal + 2 * (size_t)ends[s + (k)]) += block;                                         \
    }

CG_WIDE_BODY void put_rows_body(cg_springs *springs)
{
    const uint32_t *ends = springs->end;
    const cg_float4 none = {0, 0, 0, 0};
    cg_float4 *diagonal = springs->diagonal, *matrix = springs->matrix;
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row], last = springs->first_four[row + 1];
        cg_float8 sum = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int four = springs->first_four[row]; four < last; four++) {
            int s = 4 * four;
            cg_float4 root = springs->slope[four].along, across = springs->slope[four].across;
            root = (cg_float4){sqrtf(root[0]), sqrtf(root[1]), sqrtf(root[2]), sqrtf(root[3])};
            PUT_SPRING(0)
            PUT_SPRING(1)
            PUT_SPRING(2)
            PUT_SPRING(3)
        }
        *(cg_float8 *)&diagonal[2 * i] += sum;
    }
}
CG_WIDE_PAIR(static, put_rows, (cg_springs * springs), (springs))

void cg_springs_linearise(cg_springs *springs, double damping)
{
    size_t count = (size_t)springs->node_count;
    memset(springs->force, 0, count * sizeof *springs->force);
    memset(springs->diagonal, 0, 2 * count * sizeof *springs->diagonal);
    for (int k = 0; k < springs->marked_count; k++) {
        springs->strained[springs->marked[k]] = 0;
    }
    springs->marked_count = 0;
    pull_rows(springs, damping);
    put_rows(springs);
}

#define TURN(v) __builtin_shufflevector(v, v, 1, 2, 0, 3, 5, 6, 4, 7)
#define TURN_BACK(v) __builtin_shufflevector(v, v, 2, 0, 1, 3, 6, 4, 5, 7)

// Two nodes at a time: s = xx yy zz and c = xy yz zx of each. The adjugate, and the determinant in each of three lanes.
CG_WIDE_BODY void invert_two(const cg_float4 *diagonal, const float *ground, cg_float8 *straight, cg_float8 *crossed)
{
    cg_float8 s = __builtin_shufflevector(diagonal[0], diagonal[2], 0, 1, 2, 3, 4, 5, 6, 7);
    cg_float8 c = __builtin_shufflevector(diagonal[1], diagonal[3], 0, 1, 2, 3, 4, 5, 6, 7);
    cg_float4 first = cg_all4(ground[0]), second = cg_all4(ground[1]);
    cg_float8 tied = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
    // A share of the trace keeps a block that springs leave without stiffness in one direction away from zero.
    s += tied + 1e-5F * (s + TURN(s) + TURN_BACK(s));
    cg_float8 turned = TURN(c), s_back = TURN_BACK(s), c_back = TURN_BACK(c);
    cg_float8 as = TURN(s) * s_back - turned * turned, ac = turned * c_back - c * s_back;
    cg_float8 determinant = s * as + c * ac + c_back * TURN_BACK(ac);
    cg_float8 scale = 1.0F / determinant;
    const cg_int8 counts = {-1, -1, -1, 0, -1, -1, -1, 0};
    *straight = (cg_float8)((cg_int8)(scale * as) & counts);
    *crossed = (cg_float8)((cg_int8)(scale * ac) & counts);
}

CG_WIDE_BODY void invert_all_body(cg_springs *springs)
{
    for (int i = 0; i < springs->node_count; i += 2) {
        invert_two(&springs->diagonal[2 * i], &springs->ground[i], (cg_float8 *)&springs->straight[i],
                   (cg_float8 *)&springs->crossed[i]);
    }
}
CG_WIDE_PAIR(static, invert_all, (cg_springs * springs), (springs))

// Vectors end with a node that is not there, where the number of nodes is odd.
static void pad(cg_springs *springs)
{
    cg_float4 *vectors[] = {springs->straight, springs->crossed,  springs->move,           springs->residual,
                            springs->ahead,    springs->response, springs->coast_response, springs->coast};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        vectors[k][springs->node_count] = cg_all4(0);
    }
}

void cg_springs_invert_blocks(cg_springs *springs, const bool *fixed)
{
    invert_all(springs);
    for (int i = 0; i < springs->node_count; i++) {
        if (fixed[i]) {
            springs->straight[i] = springs->crossed[i] = cg_all4(0);
        }
    }
    pad(springs);
}
