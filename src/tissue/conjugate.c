// Conjugate gradients with diagonal blocks as preconditioner, and one direction taken out beforehand.
//
// A step solves A d = b for the motion d of all nodes. A few iterations are enough, however far from the solution they
// end: what they find is the best motion (the least of d^T A d / 2 - b^T d) within a growing space of directions. The
// first of these is w, the motion of the last step. It matters twice. Free flight costs no iterations. And for every
// motion that is the best of a space which holds it, the energy of a linear tissue cannot grow:
//
//     d^T A d = d^T b,  A = M/h^2 + K,  b = M v/h + f,  v' = d/h:
//     E' - E = - 1/2 |v' - v|_M^2 - 1/2 d^T K d.
//
// All later directions are kept conjugate to w, beside being conjugate to each other by the usual recurrence:
//
//     z = P r,   p <- z + (r.z / r_old.z_old) p - (z.Aw / w.Aw) w,   d <- d + (p.r / p.Ap) p.
//
// p.r would be r.z without rounding. Worked out by itself, it makes every step a descent, also where single precision
// has no more digits to give; there the iteration ends.
//
// Tissues that touch each other are solved as one: the vectors of all of them together are d, b, r, and so on, and rows
// (rows.c) reach from one to the other.
//
// A piece that nothing holds has its flight taken out beforehand as well (flight.c), and all directions are kept free
// of it.
#include "tissue/springs.h"

// Sums are kept in eight lanes over this many pairs of nodes, then added up in double precision.
enum { BLOCK = 32 };

// What is left of r.z after w took this share of what it brought is rounding.
static const double NOISE = 1e-12;

// Two nodes at a time. There is room for one node more, which is zero where their number is odd.
#define TWO(vector, pair) (*(cg_float8 *)&(vector)[2 * (pair)])

static int pairs_of(const cg_springs *springs)
{
    return (springs->node_count + 1) / 2;
}

// Last lanes do not count.
CG_WIDE_BODY void add_up(double *total, const cg_float8 *sum)
{
    const cg_float8 v = *sum;
    *total += (((double)v[0] + (double)v[1]) + (double)v[2]) + (((double)v[4] + (double)v[5]) + (double)v[6]);
}

CG_WIDE_BODY void add_dot_body(const cg_float4 *a, const cg_float4 *b, int pairs, double *total)
{
    for (int first = 0; first < pairs; first += BLOCK) {
        int end = first + BLOCK < pairs ? first + BLOCK : pairs;
        cg_float8 sum = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int i = first; i < end; i++) {
            sum += TWO(a, i) * TWO(b, i);
        }
        add_up(total, &sum);
    }
}
CG_WIDE_PAIR(static, add_dot, (const cg_float4 *a, const cg_float4 *b, int pairs, double *total), (a, b, pairs, total))

// Sums of one walk over the nodes.
typedef struct walk_sums {
    double along; // r . z
    double coast; // z . A w
} walk_sums;

// The inverse block of each node times r; as cg_apply_block, of two nodes.
#define PRECONDITIONED(springs, i, r)                                                                                  \
    (TWO((springs)->straight, i) * (r) +                                                                               \
     TWO((springs)->crossed, i) * __builtin_shufflevector(r, r, 1, 2, 0, 3, 5, 6, 4, 7) +                              \
     __builtin_shufflevector(TWO((springs)->crossed, i), TWO((springs)->crossed, i), 2, 0, 1, 3, 6, 4, 5, 7) *         \
         __builtin_shufflevector(r, r, 2, 0, 1, 3, 6, 4, 5, 7))

// move += step ahead, residual -= step response; response becomes the preconditioned residual.
CG_WIDE_BODY void walk_one_body(cg_springs *springs, float step, bool has_coast, walk_sums *sums)
{
    for (int first = 0, pairs = pairs_of(springs); first < pairs; first += BLOCK) {
        int end = first + BLOCK < pairs ? first + BLOCK : pairs;
        cg_float8 along = {0, 0, 0, 0, 0, 0, 0, 0}, coast = along;
        for (int i = first; i < end; i++) {
            TWO(springs->move, i) += step * TWO(springs->ahead, i);
            cg_float8 r = TWO(springs->residual, i) - step * TWO(springs->response, i);
            cg_float8 z = PRECONDITIONED(springs, i, r);
            TWO(springs->residual, i) = r;
            TWO(springs->response, i) = z;
            along += r * z;
            if (has_coast) {
                coast += z * TWO(springs->coast_response, i);
            }
        }
        add_up(&sums->along, &along);
        add_up(&sums->coast, &coast);
    }
}
CG_WIDE_PAIR(static, walk_one, (cg_springs * springs, float step, bool has_coast, walk_sums *sums),
             (springs, step, has_coast, sums))

// The same at the start, where there is no direction yet.
CG_WIDE_BODY void walk_first_body(cg_springs *springs, bool has_coast, walk_sums *sums)
{
    for (int first = 0, pairs = pairs_of(springs); first < pairs; first += BLOCK) {
        int end = first + BLOCK < pairs ? first + BLOCK : pairs;
        cg_float8 along = {0, 0, 0, 0, 0, 0, 0, 0}, coast = along;
        for (int i = first; i < end; i++) {
            cg_float8 r = TWO(springs->residual, i), z = PRECONDITIONED(springs, i, r);
            TWO(springs->response, i) = z;
            along += r * z;
            if (has_coast) {
                coast += z * TWO(springs->coast_response, i);
            }
        }
        add_up(&sums->along, &along);
        add_up(&sums->coast, &coast);
    }
}
CG_WIDE_PAIR(static, walk_first, (cg_springs * springs, bool has_coast, walk_sums *sums), (springs, has_coast, sums))

// What a turn needs and finds.
typedef struct turning {
    float keep, back;
    bool is_first, has_coast;
    double along; // found: ahead . r
} turning;

// ahead = z + keep ahead - back w; and response = what the ground has against it, the first part of its product.
CG_WIDE_BODY void turn_one_body(cg_springs *springs, turning *turn)
{
    const float keep = turn->keep, back = turn->back, *ground = springs->ground;
    const bool is_first = turn->is_first, has_coast = turn->has_coast;
    for (int first = 0, pairs = pairs_of(springs); first < pairs; first += BLOCK) {
        int end = first + BLOCK < pairs ? first + BLOCK : pairs;
        cg_float8 along = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int i = first; i < end; i++) {
            cg_float8 p = TWO(springs->response, i);
            if (!is_first) {
                p += keep * TWO(springs->ahead, i);
            }
            if (has_coast) {
                p -= back * TWO(springs->coast, i);
            }
            cg_float4 low = cg_all4(ground[2 * i]), high = cg_all4(ground[2 * i + 1]);
            TWO(springs->ahead, i) = p;
            TWO(springs->response, i) = p * __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
            along += p * TWO(springs->residual, i);
        }
        add_up(&turn->along, &along);
    }
}
CG_WIDE_PAIR(static, turn_one, (cg_springs * springs, turning *turn), (springs, turn))

CG_WIDE_BODY void coast_one_body(cg_springs *springs, float part)
{
    for (int i = 0, pairs = pairs_of(springs); i < pairs; i++) {
        TWO(springs->move, i) += part * TWO(springs->coast, i);
        TWO(springs->residual, i) -= part * TWO(springs->coast_response, i);
    }
}
CG_WIDE_PAIR(static, coast_one, (cg_springs * springs, float part), (springs, part))

// From here on `first` is the first tissue of an island, and sums are over all of it.

static double dot(const cg_springs *first, cg_vector a, cg_vector b)
{
    double total = 0;
    for (const cg_springs *s = first; s != NULL; s = s->next) {
        add_dot(cg_vector_of(s, a), cg_vector_of(s, b), pairs_of(s), &total);
    }
    return total;
}

static void multiply(cg_springs *first, cg_vector vector, cg_vector response, bool has_ground)
{
    for (cg_springs *s = first; s != NULL; s = s->next) {
        if (!has_ground) {
            cg_springs_multiply_ground(s, cg_vector_of(s, vector), cg_vector_of(s, response));
        }
        cg_springs_multiply(s, cg_vector_of(s, vector), cg_vector_of(s, response));
    }
    for (cg_springs *s = first; s != NULL; s = s->next) {
        cg_springs_multiply_rows(s, vector, response);
    }
}

static walk_sums walk(cg_springs *first, double step, bool is_first, bool has_coast)
{
    walk_sums sums = {0, 0};
    for (cg_springs *s = first; s != NULL; s = s->next) {
        if (is_first) {
            walk_first(s, has_coast, &sums);
        } else {
            walk_one(s, (float)step, has_coast, &sums);
        }
    }
    return sums;
}

// The next direction, and the first part of its product. Returns ahead . r.
static double turn_ahead(cg_springs *first, turning turn)
{
    bool is_flying = false;
    for (cg_springs *s = first; s != NULL; s = s->next) {
        turn_one(s, &turn);
        is_flying = is_flying || s->is_flying;
    }
    if (!is_flying) {
        return turn.along;
    }
    cg_springs_drop_flight(first, CG_AHEAD, CG_NO_VECTOR);
    for (cg_springs *s = first; s != NULL; s = s->next) {
        cg_springs_multiply_ground(s, s->ahead, s->response);
    }
    return dot(first, CG_AHEAD, CG_RESIDUAL);
}

// The best multiple of w, which all later directions leave alone. Returns what it brought, as r.z measures.
static double take_coast(cg_springs *first, const cg_solve *solve)
{
    double along = dot(first, CG_COAST, CG_RESIDUAL);
    for (cg_springs *s = first; s != NULL; s = s->next) {
        coast_one(s, (float)(along / solve->coast_norm));
    }
    return along * along / solve->coast_norm;
}

void cg_springs_solve_on(cg_springs *springs, cg_solve *solve)
{
    solve->iterations = 0;
    cg_springs_take_flight(springs);
    double brought = solve->has_coast ? take_coast(springs, solve) : 0;
    walk_sums sums = walk(springs, 0, true, solve->has_coast);
    double first = sums.along, last = first, enough = solve->tolerance * solve->tolerance * first, keep = 0;
    enough = enough > NOISE * brought ? enough : NOISE * brought;
    // Also false when a number is not finite.
    while (solve->iterations < solve->most_iterations && last > enough) {
        double back = solve->has_coast ? sums.coast / solve->coast_norm : 0;
        turning turn = {(float)keep, (float)back, solve->iterations == 0, solve->has_coast, 0};
        double along = turn_ahead(springs, turn);
        multiply(springs, CG_AHEAD, CG_RESPONSE, true);
        double norm = dot(springs, CG_AHEAD, CG_RESPONSE);
        if (!(norm > 0 && along > 0)) {
            break;
        }
        sums = walk(springs, along / norm, false, solve->has_coast);
        keep = sums.along / last;
        last = sums.along;
        solve->iterations++;
    }
    solve->share = first > 0 ? last / first : 0;
}

// Takes the motion that is prescribed to fixed nodes out of the residual.
static void take_prescribed(cg_springs *first)
{
    multiply(first, CG_MOVE, CG_RESPONSE, false);
    for (cg_springs *s = first; s != NULL; s = s->next) {
        for (int i = 0; i < s->node_count; i++) {
            s->residual[i] -= s->response[i];
        }
    }
}

void cg_springs_solve(cg_springs *springs, cg_solve *solve)
{
    if (solve->is_moving) {
        take_prescribed(springs);
    }
    if (solve->has_coast) {
        multiply(springs, CG_COAST, CG_COAST_RESPONSE, false);
        cg_springs_drop_flight(springs, CG_COAST, CG_COAST_RESPONSE);
        solve->coast_norm = dot(springs, CG_COAST, CG_COAST_RESPONSE);
        solve->has_coast = solve->coast_norm > 0;
    }
    cg_springs_solve_on(springs, solve);
}
