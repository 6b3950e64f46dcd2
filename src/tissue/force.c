// Forces of springs, their matrix, and its product with a motion. springs.h has the formulas.
//
// Everything here is plain arithmetic on the lanes of registers that every x86-64 has, in a fixed order.
#include <math.h>
#include <string.h>

#include "tissue/spring_state.h"

// A node is marked when a spring of it has become longer or shorter than it was made by more than this share. Cells
// that are not flat (compile.c) keep 0.62 of their volume or more while their edges change less.
static const double MARK_SHARE = 0.055;

// Pulls the other ends towards the node of the row, and adds to the force on it.
static inline void pull_ends(cg_wide *force, const cg_spring_state *s, const int other[2], cg_wide *sum)
{
    for (int k = 0; k < 2; k++) {
        cg_wide *end = &force[other[k]];
        lanes both = lanes_both(s->pull[k]);
        lanes xy = both * s->xy[k], z = both * s->z[k];
        sum->xy += xy;
        sum->z += z;
        end->xy -= xy;
        end->z -= z;
    }
}

void cg_springs_place(cg_springs *springs, const cg_vec3 *position)
{
    for (int i = 0; i < springs->node_count; i++) {
        springs->place[i] = (cg_wide){{position[i].x, position[i].y}, {position[i].z, 0}};
    }
}

void cg_springs_force(cg_springs *springs)
{
    memset(springs->force, 0, (size_t)springs->node_count * sizeof *springs->force);
    const cg_wide *place = springs->place;
    cg_wide *force = springs->force;
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row];
        cg_wide here = place[i], sum = {{0, 0}, {0, 0}};
        for (int pair = springs->first_pair[row]; pair < springs->first_pair[row + 1]; pair++) {
            const int *other = &springs->other[2 * pair];
            cg_spring_state s = cg_stretch(place, here, &springs->pairs[pair], other);
            pull_ends(force, &s, other, &sum);
        }
        force[i].xy += sum.xy;
        force[i].z += sum.z;
    }
}

// What two springs put into the matrix. Roots of four numbers cost as much as of two.
static inline void put_matrix(cg_float4 m[2], const cg_spring_state *s, const cg_spring_pair *p, double damping)
{
    lanes across = lanes_max(s->pull, lanes_both(0));
    lanes along = p->stiffness * (1.0 + damping + 3.0 * s->square) - across;
    cg_float4 both = __builtin_shufflevector(cg_narrow(along), cg_narrow(across), 0, 1, 2, 3);
    cg_float4 root = {sqrtf(both[0]), sqrtf(both[1]), sqrtf(both[2]), sqrtf(both[3])};
    cg_float2 scale = __builtin_shufflevector(root, root, 0, 1) * cg_narrow(s->inverse);
    cg_float4 xy = __builtin_shufflevector(scale * cg_narrow(s->x), scale * cg_narrow(s->y), 0, 2, 1, 3);
    cg_float4 za = __builtin_shufflevector(scale * cg_narrow(s->w), cg_narrow(across), 0, 2, 1, 3);
    m[0] = __builtin_shufflevector(xy, za, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(xy, za, 2, 3, 6, 7);
}

// And into the blocks of both ends.
static inline void put_blocks(cg_float4 *diagonal, const cg_float4 m[2], const int other[2], cg_float4 block[2])
{
    for (int k = 0; k < 2; k++) {
        cg_float4 straight = m[k] * m[k] + __builtin_shufflevector(m[k], m[k], 3, 3, 3, 3);
        cg_float4 crossed = m[k] * cg_turn4(m[k]);
        cg_float4 *end = &diagonal[2 * other[k]];
        block[0] += straight;
        block[1] += crossed;
        end[0] += straight;
        end[1] += crossed;
    }
}

static inline bool is_strained(const cg_spring_state *s, const cg_spring_pair *p)
{
    lanes made = cg_widen(p->made), most = MARK_SHARE * made, longer = s->longer + (p->rest - made);
    lane_bits beyond = (lane_bits)(longer * longer > most * most);
    return (beyond[0] | beyond[1]) != 0;
}

bool cg_springs_linearise(cg_springs *springs, double damping)
{
    size_t count = (size_t)springs->node_count;
    bool any = false;
    memset(springs->force, 0, count * sizeof *springs->force);
    memset(springs->diagonal, 0, 2 * count * sizeof *springs->diagonal);
    memset(springs->strained, 0, count);
    const cg_wide *place = springs->place;
    cg_wide *force = springs->force;
    cg_float4 *diagonal = springs->diagonal, *matrix = springs->matrix;
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row];
        cg_wide here = place[i], sum = {{0, 0}, {0, 0}};
        cg_float4 block[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
        for (int pair = springs->first_pair[row]; pair < springs->first_pair[row + 1]; pair++) {
            const cg_spring_pair *p = &springs->pairs[pair];
            const int *other = &springs->other[2 * pair];
            cg_spring_state s = cg_stretch(place, here, p, other);
            pull_ends(force, &s, other, &sum);
            put_matrix(&matrix[2 * pair], &s, p, damping);
            put_blocks(diagonal, &matrix[2 * pair], other, block);
            if (is_strained(&s, p)) {
                springs->strained[i] = springs->strained[other[0]] = springs->strained[other[1]] = 1;
                any = true;
            }
        }
        force[i].xy += sum.xy;
        force[i].z += sum.z;
        diagonal[2 * i] += block[0];
        diagonal[2 * i + 1] += block[1];
    }
    return any;
}

// The inverses of four blocks at once, one a lane.
static inline void invert4(const cg_float4 s[3], const cg_float4 c[3], cg_float4 is[3], cg_float4 ic[3])
{
    // s: xx yy zz; c: xy yz zx
    cg_float4 axx = s[1] * s[2] - c[1] * c[1], ayy = s[0] * s[2] - c[2] * c[2], azz = s[0] * s[1] - c[0] * c[0];
    cg_float4 axy = c[1] * c[2] - c[0] * s[2], ayz = c[0] * c[2] - c[1] * s[0], azx = c[0] * c[1] - c[2] * s[1];
    cg_float4 determinant = s[0] * axx + c[0] * axy + c[2] * azx;
    cg_float4 scale = 1.0F / determinant;
    is[0] = scale * axx;
    is[1] = scale * ayy;
    is[2] = scale * azz;
    ic[0] = scale * axy;
    ic[1] = scale * ayz;
    ic[2] = scale * azx;
}

static inline void rows_of(const cg_float4 v[4], cg_float4 rows[3])
{
    for (int k = 0; k < 3; k++) {
        rows[k] = (cg_float4){v[0][k], v[1][k], v[2][k], v[3][k]};
    }
}

void cg_springs_invert_blocks(cg_springs *springs, const bool *fixed)
{
    for (int first = 0; first < springs->node_count; first += 4) {
        cg_float4 straight[4], crossed[4], s[3], c[3], is[3], ic[3];
        for (int k = 0; k < 4; k++) {
            int i = first + k < springs->node_count ? first + k : first; // the last nodes may be fewer than four
            // A share of the trace keeps a block that springs leave without stiffness in one direction away from zero.
            cg_float4 sum = springs->diagonal[2 * i];
            float firm = springs->ground[i] + 1e-5F * (sum[0] + sum[1] + sum[2]);
            straight[k] = sum + cg_all4(firm);
            crossed[k] = springs->diagonal[2 * i + 1];
        }
        rows_of(straight, s);
        rows_of(crossed, c);
        invert4(s, c, is, ic);
        for (int k = 0; k < 4 && first + k < springs->node_count; k++) {
            int i = first + k;
            bool free = !fixed[i];
            springs->diagonal[2 * i] = free ? (cg_float4){is[0][k], is[1][k], is[2][k], 0} : cg_all4(0);
            springs->diagonal[2 * i + 1] = free ? (cg_float4){ic[0][k], ic[1][k], ic[2][k], 0} : cg_all4(0);
        }
    }
}

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

// m . u of two springs, whose last lanes give 0, each in all lanes.
static inline void dots(cg_float4 m0, cg_float4 u0, cg_float4 m1, cg_float4 u1, cg_float4 dot[2])
{
    cg_float4 a = m0 * u0, b = m1 * u1;
    cg_float4 sum = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    sum += __builtin_shufflevector(sum, sum, 2, 3, 2, 3);
    dot[0] = __builtin_shufflevector(sum, sum, 0, 0, 0, 0);
    dot[1] = __builtin_shufflevector(sum, sum, 1, 1, 1, 1);
}

static void multiply_springs(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    const cg_float4 *matrix = springs->matrix;
    for (int row = 0; row < springs->row_count; row++) {
        int i = springs->row_node[row];
        cg_float4 here = ahead[i], sum = cg_all4(0);
        for (int s = 2 * springs->first_pair[row]; s < 2 * springs->first_pair[row + 1]; s += 2) {
            int j = springs->other[s], k = springs->other[s + 1];
            cg_float4 m0 = matrix[s], m1 = matrix[s + 1], u0 = here - ahead[j], u1 = here - ahead[k], dot[2];
            dots(m0, u0, m1, u1, dot);
            cg_float4 first = __builtin_shufflevector(m0, m0, 3, 3, 3, 3) * u0 + dot[0] * m0;
            cg_float4 second = __builtin_shufflevector(m1, m1, 3, 3, 3, 3) * u1 + dot[1] * m1;
            sum += first;
            sum += second;
            response[j] -= first;
            response[k] -= second;
        }
        response[i] += sum;
    }
}

void cg_springs_multiply(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    for (int i = 0; i < springs->node_count; i++) {
        response[i] = cg_all4(springs->ground[i]) * ahead[i];
    }
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

double cg_springs_energy(const cg_springs *springs)
{
    double sum = 0;
    for (int row = 0; row < springs->row_count; row++) {
        cg_wide here = springs->place[springs->row_node[row]];
        for (int pair = springs->first_pair[row]; pair < springs->first_pair[row + 1]; pair++) {
            const cg_spring_pair *p = &springs->pairs[pair];
            cg_spring_state s = cg_stretch(springs->place, here, p, &springs->other[2 * pair]);
            lanes half = 0.5 * p->stiffness * s.longer * s.longer * (1.0 + 0.5 * s.square);
            sum += half[0] + half[1];
        }
    }
    return sum;
}
