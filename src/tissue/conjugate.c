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

// Sums are kept in four lanes over this many nodes, then added up in double precision.
enum { BLOCK = 64 };

static double add_up(cg_float4 v)
{
    return ((double)v[0] + (double)v[1]) + (double)v[2];
}

// What is left of r.z after w took this share of what it brought is rounding.
static const double NOISE = 1e-12;

static double dot_of_one(const cg_float4 *a, const cg_float4 *b, int count)
{
    double total = 0;
    for (int first = 0; first < count; first += BLOCK) {
        int end = first + BLOCK < count ? first + BLOCK : count;
        cg_float4 sum = cg_all4(0);
        for (int i = first; i < end; i++) {
            sum += a[i] * b[i];
        }
        total += add_up(sum);
    }
    return total;
}

// From here on `first` is the first tissue of an island, and sums are over all of it.

static double dot(const cg_springs *first, cg_vector a, cg_vector b)
{
    double total = 0;
    for (const cg_springs *s = first; s != NULL; s = s->next) {
        total += dot_of_one(cg_vector_of(s, a), cg_vector_of(s, b), s->node_count);
    }
    return total;
}

static void multiply(cg_springs *first, cg_vector vector, cg_vector response)
{
    for (cg_springs *s = first; s != NULL; s = s->next) {
        cg_springs_multiply(s, cg_vector_of(s, vector), cg_vector_of(s, response));
    }
    for (cg_springs *s = first; s != NULL; s = s->next) {
        cg_springs_multiply_rows(s, vector, response);
    }
}

// Sums of one walk over the nodes.
typedef struct walk_sums {
    double along; // r . z
    double coast; // z . A w
} walk_sums;

// move += step ahead, residual -= step response; response becomes the preconditioned residual.
static void walk_one(cg_springs *springs, float step, bool has_coast, walk_sums *sums)
{
    cg_float4 all = cg_all4(step);
    for (int first = 0; first < springs->node_count; first += BLOCK) {
        int end = first + BLOCK < springs->node_count ? first + BLOCK : springs->node_count;
        cg_float4 along = cg_all4(0), coast = cg_all4(0);
        for (int i = first; i < end; i++) {
            springs->move[i] += all * springs->ahead[i];
            cg_float4 r = springs->residual[i] - all * springs->response[i];
            cg_float4 z = cg_apply_block(&springs->diagonal[2 * i], r);
            springs->residual[i] = r;
            springs->response[i] = z;
            along += r * z;
            if (has_coast) {
                coast += z * springs->coast_response[i];
            }
        }
        sums->along += add_up(along);
        sums->coast += add_up(coast);
    }
}

static walk_sums walk(cg_springs *first, float step, bool has_coast)
{
    walk_sums sums = {0, 0};
    for (cg_springs *s = first; s != NULL; s = s->next) {
        walk_one(s, step, has_coast, &sums);
    }
    return sums;
}

// ahead = z + keep ahead - back w
static void turn(cg_springs *first, float keep, float back, bool has_coast)
{
    cg_float4 kept = cg_all4(keep), taken = cg_all4(back);
    for (cg_springs *s = first; s != NULL; s = s->next) {
        for (int i = 0; i < s->node_count; i++) {
            cg_float4 p = s->response[i] + kept * s->ahead[i];
            s->ahead[i] = has_coast ? p - taken * s->coast[i] : p;
        }
    }
}

// The best multiple of w, which all later directions leave alone. Returns what it brought, as r.z measures.
static double take_coast(cg_springs *first, const cg_solve *solve)
{
    double along = dot(first, CG_COAST, CG_RESIDUAL);
    cg_float4 part = cg_all4((float)(along / solve->coast_norm));
    for (cg_springs *s = first; s != NULL; s = s->next) {
        for (int i = 0; i < s->node_count; i++) {
            s->move[i] += part * s->coast[i];
            s->residual[i] -= part * s->coast_response[i];
        }
    }
    return along * along / solve->coast_norm;
}

void cg_springs_solve_on(cg_springs *springs, cg_solve *solve)
{
    solve->iterations = 0;
    cg_springs_take_flight(springs);
    double brought = solve->has_coast ? take_coast(springs, solve) : 0;
    for (cg_springs *s = springs; s != NULL; s = s->next) {
        for (int i = 0; i < s->node_count; i++) {
            s->ahead[i] = s->response[i] = cg_all4(0);
        }
    }
    walk_sums sums = walk(springs, 0, solve->has_coast);
    double first = sums.along, last = first, enough = solve->tolerance * solve->tolerance * first;
    enough = enough > NOISE * brought ? enough : NOISE * brought;
    float keep = 0;
    // Also false when a number is not finite.
    while (solve->iterations < solve->most_iterations && last > enough) {
        float back = solve->has_coast ? (float)(sums.coast / solve->coast_norm) : 0;
        turn(springs, keep, back, solve->has_coast);
        cg_springs_drop_flight(springs, CG_AHEAD, CG_NO_VECTOR);
        multiply(springs, CG_AHEAD, CG_RESPONSE);
        double norm = dot(springs, CG_AHEAD, CG_RESPONSE);
        double along = dot(springs, CG_AHEAD, CG_RESIDUAL);
        if (!(norm > 0 && along > 0)) {
            break;
        }
        sums = walk(springs, (float)(along / norm), solve->has_coast);
        keep = (float)(sums.along / last);
        last = sums.along;
        solve->iterations++;
    }
    solve->share = first > 0 ? last / first : 0;
}

// Takes the motion that is prescribed to fixed nodes out of the residual.
static void take_prescribed(cg_springs *first)
{
    multiply(first, CG_MOVE, CG_RESPONSE);
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
        multiply(springs, CG_COAST, CG_COAST_RESPONSE);
        cg_springs_drop_flight(springs, CG_COAST, CG_COAST_RESPONSE);
        solve->coast_norm = dot(springs, CG_COAST, CG_COAST_RESPONSE);
        solve->has_coast = solve->coast_norm > 0;
    }
    cg_springs_solve_on(springs, solve);
}
