// Forces of springs, their matrix, and its product with a motion. springs.h has the formulas.
//
// Everything here is plain arithmetic on the lanes of registers that every x86-64 has, in a fixed order.
#include <math.h>
#include <string.h>

#include "tissue/springs.h"

// A spring shorter than this share of its rest length has no direction; its force fades there instead of spinning.
static const double COLLAPSED_SHARE = 1e-6;
// A node is marked when the length of one of its springs changed by more than this share. Cells that are not flat
// (compile.c) keep half of their volume while their edges change less.
static const double MARK_SHARE = 0.07;

// Two springs of a node: the vectors to their other ends, and what follows from their lengths.
typedef struct spring_state {
    lanes xy[2], z[2];
    lanes longer;  // than at rest [m]
    lanes inverse; // of the length
    lanes pull;    // [N] over the length
    lanes square;  // curve (l - r)^2 where it is stretched
} spring_state;

static inline spring_state stretch(const cg_springs *springs, cg_wide here, int pair)
{
    const cg_spring_pair *p = &springs->pairs[pair];
    const cg_wide *ends[2] = {&springs->place[springs->other[2 * pair]], &springs->place[springs->other[2 * pair + 1]]};
    spring_state s;
    for (int k = 0; k < 2; k++) {
        s.xy[k] = ends[k]->xy - here.xy;
        s.z[k] = ends[k]->z - here.z;
    }
    lanes x = {s.xy[0][0], s.xy[1][0]}, y = {s.xy[0][1], s.xy[1][1]}, z = {s.z[0][0], s.z[1][0]};
    lanes square = x * x + y * y + z * z;
    lanes length = {sqrt(square[0]), sqrt(square[1])};
    s.longer = length - p->rest;
    s.inverse = 1.0 / lanes_max(length, COLLAPSED_SHARE * p->rest);
    lanes stretched = lanes_max(s.longer, lanes_both(0));
    s.square = p->curve * stretched * stretched;
    s.pull = p->stiffness * s.longer * (1.0 + s.square) * s.inverse;
    return s;
}

// Pulls a spring's other end towards this node, and adds to the force on this one.
static inline void pull(cg_springs *springs, const spring_state *s, int pair, cg_wide *sum)
{
    for (int k = 0; k < 2; k++) {
        cg_wide *end = &springs->force[springs->other[2 * pair + k]];
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
    for (int i = 0; i < springs->node_count; i++) {
        cg_wide here = springs->place[i], sum = {{0, 0}, {0, 0}};
        for (int pair = springs->first_pair[i]; pair < springs->first_pair[i + 1]; pair++) {
            spring_state s = stretch(springs, here, pair);
            pull(springs, &s, pair, &sum);
        }
        springs->force[i].xy += sum.xy;
        springs->force[i].z += sum.z;
    }
}

// What two springs put into the matrix, and into the blocks of both ends.
static inline void put_matrix(cg_springs *springs, const spring_state *s, int pair, double damping, cg_float4 block[2])
{
    const cg_spring_pair *p = &springs->pairs[pair];
    lanes across = lanes_max(s->pull, lanes_both(0));
    lanes along = p->stiffness * (1.0 + 3.0 * s->square + damping) - across;
    for (int k = 0; k < 2; k++) {
        double root = sqrt(along[k]) * s->inverse[k];
        lanes xy = root * s->xy[k], z = root * s->z[k];
        float a = (float)across[k];
        cg_float4 m = {(float)xy[0], (float)xy[1], (float)z[0], a};
        springs->matrix[2 * pair + k] = m;
        cg_float4 straight = m * m + cg_all4(a), crossed = m * cg_turn4(m);
        cg_float4 *end = &springs->diagonal[2 * springs->other[2 * pair + k]];
        block[0] += straight;
        block[1] += crossed;
        end[0] += straight;
        end[1] += crossed;
    }
}

static inline bool is_strained(const cg_springs *springs, const spring_state *s, int pair)
{
    lanes most = MARK_SHARE * springs->pairs[pair].rest;
    lane_bits beyond = (lane_bits)(s->longer * s->longer > most * most);
    return (beyond[0] | beyond[1]) != 0;
}

bool cg_springs_linearise(cg_springs *springs, double damping)
{
    size_t count = (size_t)springs->node_count;
    bool any = false;
    memset(springs->force, 0, count * sizeof *springs->force);
    memset(springs->diagonal, 0, 2 * count * sizeof *springs->diagonal);
    memset(springs->strained, 0, count);
    for (int i = 0; i < springs->node_count; i++) {
        cg_wide here = springs->place[i], sum = {{0, 0}, {0, 0}};
        cg_float4 block[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
        for (int pair = springs->first_pair[i]; pair < springs->first_pair[i + 1]; pair++) {
            spring_state s = stretch(springs, here, pair);
            pull(springs, &s, pair, &sum);
            put_matrix(springs, &s, pair, damping, block);
            if (is_strained(springs, &s, pair)) {
                springs->strained[i] = springs->strained[springs->other[2 * pair]] =
                    springs->strained[springs->other[2 * pair + 1]] = 1;
                any = true;
            }
        }
        springs->force[i].xy += sum.xy;
        springs->force[i].z += sum.z;
        springs->diagonal[2 * i] += block[0];
        springs->diagonal[2 * i + 1] += block[1];
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

void cg_springs_multiply(const cg_springs *springs, const cg_float4 *ahead, cg_float4 *response)
{
    for (int i = 0; i < springs->node_count; i++) {
        response[i] = cg_all4(springs->ground[i]) * ahead[i];
    }
    for (int i = 0; i < springs->node_count; i++) {
        cg_float4 here = ahead[i], sum = cg_all4(0);
        for (int s = 2 * springs->first_pair[i]; s < 2 * springs->first_pair[i + 1]; s++) {
            cg_float4 m = springs->matrix[s], u = here - ahead[springs->other[s]];
            cg_float4 taken = __builtin_shufflevector(m, m, 3, 3, 3, 3) * u + cg_dot4(m, u) * m;
            sum += taken;
            response[springs->other[s]] -= taken;
        }
        response[i] += sum;
    }
    if (springs->squeezed_count > 0) {
        multiply_squeezed(springs, ahead, response);
    }
    if (springs->is_swelling) {
        multiply_swell(springs, ahead, response);
    }
    cg_springs_multiply_bent(springs, ahead, response);
}

double cg_springs_energy(const cg_springs *springs)
{
    double sum = 0;
    for (int i = 0; i < springs->node_count; i++) {
        for (int pair = springs->first_pair[i]; pair < springs->first_pair[i + 1]; pair++) {
            spring_state s = stretch(springs, springs->place[i], pair);
            lanes half = 0.5 * springs->pairs[pair].stiffness * s.longer * s.longer * (1.0 + 0.5 * s.square);
            sum += half[0] + half[1];
        }
    }
    return sum;
}
