#include "solve/lcp.h"

#include <math.h>

#include "solve/dense.h"

// All relative to diagonals and a right-hand side of the order of one.
static const double SMALLEST_PRINCIPAL = 1e-9; // pivots of the guess
static const double SMALLEST_PIVOT = 1e-10;    // pivots of the path
static const double LEAST_NEGATIVE = 1e-12;    // what counts as negative in q
static const double SAME_RATIO = 1e-13;        // ties of the ratio test

void cg_lcp_layout(cg_lcp *lcp, int max_count, cg_arena *arena)
{
    lcp->max_count = max_count;
    lcp->stride = cg_dense_stride(max_count + 2);
    lcp->tableau = cg_arena_push(arena, (size_t)max_count * (size_t)lcp->stride, sizeof(double));
    lcp->basic = cg_arena_push_array(arena, int, max_count);
    lcp->nonbasic = cg_arena_push_array(arena, int, max_count + 1);
    lcp->column = cg_arena_push_array(arena, int, 2 * max_count + 1);
}

void cg_lcp_begin(cg_lcp *lcp, int count)
{
    lcp->stride = cg_dense_stride(count + 2);
    for (int i = 0; i < count; i++) {
        lcp->basic[i] = count + i;
        lcp->nonbasic[i] = i;
        lcp->column[i] = i;
    }
    lcp->nonbasic[count] = 2 * count;
    lcp->column[2 * count] = count;
}

static void exchange(cg_lcp *lcp, int count, int r, int s)
{
    cg_dense_exchange(lcp->tableau, lcp->stride, count, count + 2, r, s);
    int leaving = lcp->basic[r];
    lcp->basic[r] = lcp->nonbasic[s];
    lcp->nonbasic[s] = leaving;
    lcp->column[leaving] = s;
}

// The row that first reaches zero when the variable of column s grows; -1 when none does. The cover leaves where it
// can, since that ends the search; among others of one ratio the largest pivot is the safest.
static int find_leaving_row(const cg_lcp *lcp, int count, int s)
{
    int found = -1;
    double least = HUGE_VAL, found_slope = 0;
    for (int i = 0; i < count; i++) {
        const double *row = cg_lcp_row(lcp, i);
        double slope = row[s];
        if (!(slope < -SMALLEST_PIVOT)) {
            continue;
        }
        double value = row[count + 1] > 0 ? row[count + 1] : 0;
        double ratio = value / -slope;
        bool is_less = ratio < least - SAME_RATIO;
        bool is_tied = !is_less && ratio <= least + SAME_RATIO;
        bool found_cover = found >= 0 && lcp->basic[found] == 2 * count;
        if (is_less || (is_tied && !found_cover && (lcp->basic[i] == 2 * count || slope < found_slope))) {
            least = ratio < least ? ratio : least;
            found = i;
            found_slope = slope;
        }
    }
    return found;
}

// Follows the path of complementary bases until the cover is zero again.
static cg_lcp_end work_off_cover(cg_lcp *lcp, int count, int first_row, int max_pivots, int *pivots)
{
    int used = 1;
    int leaving = lcp->basic[first_row];
    exchange(lcp, count, first_row, count);
    cg_lcp_end end = CG_LCP_BUDGET;
    while (used < max_pivots) {
        int entering = leaving < count ? leaving + count : leaving - count;
        int s = lcp->column[entering];
        int r = find_leaving_row(lcp, count, s);
        if (r < 0) {
            end = CG_LCP_RAY;
            break;
        }
        leaving = lcp->basic[r];
        exchange(lcp, count, r, s);
        used++;
        if (leaving == 2 * count) {
            end = CG_LCP_SOLVED;
            break;
        }
    }
    *pivots += used;
    return end;
}

cg_lcp_end cg_lcp_solve(cg_lcp *lcp, int count, const bool *carries, int max_pivots, double *z, int *pivots)
{
    int used = 0;
    for (int i = 0; i < count; i++) {
        cg_lcp_row(lcp, i)[count] = 0;
    }
    for (int i = 0; i < count && used < max_pivots; i++) {
        if (carries[i] && cg_lcp_row(lcp, i)[i] > SMALLEST_PRINCIPAL) {
            exchange(lcp, count, i, i);
            used++;
        }
    }
    int worst = -1;
    double most_negative = -LEAST_NEGATIVE;
    for (int i = 0; i < count; i++) {
        double *row = cg_lcp_row(lcp, i);
        row[count] = 1; // the cover helps every row of the basis reached so far
        if (row[count + 1] < most_negative) {
            most_negative = row[count + 1];
            worst = i;
        }
    }
    *pivots += used;
    if (worst >= 0) {
        if (used >= max_pivots) {
            return CG_LCP_BUDGET;
        }
        cg_lcp_end end = work_off_cover(lcp, count, worst, max_pivots - used, pivots);
        if (end != CG_LCP_SOLVED) {
            return end;
        }
    }
    for (int i = 0; i < count; i++) {
        z[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        double value = cg_lcp_row(lcp, i)[count + 1];
        if (lcp->basic[i] < count && value > 0) {
            z[lcp->basic[i]] = value;
        }
    }
    return CG_LCP_SOLVED;
}
