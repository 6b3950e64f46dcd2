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
#include "tissue/springs.h"

// Sums are kept in four lanes over this many nodes, then added up in double precision.
enum { BLOCK = 64 };

static double add_up(cg_float4 v)
{
    return ((double)v[0] + (double)v[1]) + (double)v[2];
}

// What is left of r.z after w took this share of what it brought is rounding.
static const double NOISE = 1e-12;

static double dot(const cg_float4 *a, const cg_float4 *b, int count)
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

// Sums of one walk over the nodes.
typedef struct walk_sums {
    double along; // r . z
    double coast; // z . A w
} walk_sums;

// move += step ahead, residual -= step response; response becomes the preconditioned residual.
static walk_sums walk(cg_springs *springs, float step, bool has_coast)
{
    walk_sums sums = {0, 0};
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
        sums.along += add_up(along);
        sums.coast += add_up(coast);
    }
    return sums;
}

// ahead = z + keep ahead - back w
static void turn(cg_springs *springs, float keep, float back, bool has_coast)
{
    cg_float4 kept = cg_all4(keep), taken = cg_all4(back);
    for (int i = 0; i < springs->node_count; i++) {
        cg_float4 p = springs->response[i] + kept * springs->ahead[i];
        springs->ahead[i] = has_coast ? p - taken * springs->coast[i] : p;
    }
}

// The best multiple of w, which all later directions leave alone. Returns what it brought, as r.z measures.
static double take_coast(cg_springs *springs, const cg_solve *solve)
{
    double along = dot(springs->coast, springs->residual, springs->node_count);
    cg_float4 part = cg_all4((float)(along / solve->coast_norm));
    for (int i = 0; i < springs->node_count; i++) {
        springs->move[i] += part * springs->coast[i];
        springs->residual[i] -= part * springs->coast_response[i];
    }
    return along * along / solve->coast_norm;
}

void cg_springs_solve_on(cg_springs *springs, cg_solve *solve)
{
    solve->iterations = 0;
    double brought = solve->has_coast ? take_coast(springs, solve) : 0;
    for (int i = 0; i < springs->node_count; i++) {
        springs->ahead[i] = springs->response[i] = cg_all4(0);
    }
    walk_sums sums = walk(springs, 0, solve->has_coast);
    double first = sums.along, last = first, enough = solve->tolerance * solve->tolerance * first;
    enough = enough > NOISE * brought ? enough : NOISE * brought;
    float keep = 0;
    // Also false when a number is not finite.
    while (solve->iterations < solve->most_iterations && last > enough) {
        float back = solve->has_coast ? (float)(sums.coast / solve->coast_norm) : 0;
        turn(springs, keep, back, solve->has_coast);
        cg_springs_multiply(springs, springs->ahead, springs->response);
        double norm = dot(springs->ahead, springs->response, springs->node_count);
        double along = dot(springs->ahead, springs->residual, springs->node_count);
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
static void take_prescribed(cg_springs *springs)
{
    cg_springs_multiply(springs, springs->move, springs->response);
    for (int i = 0; i < springs->node_count; i++) {
        springs->residual[i] -= springs->response[i];
    }
}

void cg_springs_solve(cg_springs *springs, cg_solve *solve)
{
    if (solve->is_moving) {
        take_prescribed(springs);
    }
    if (solve->has_coast) {
        cg_springs_multiply(springs, springs->coast, springs->coast_response);
        solve->coast_norm = dot(springs->coast, springs->coast_response, springs->node_count);
        solve->has_coast = solve->coast_norm > 0;
    }
    cg_springs_solve_on(springs, solve);
}
