// Factors by dense fronts: against dense LU with complete pivoting, zero pivots, the heap, and the bits of both widths.
#include "constraint/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "constraint/lu.h"
#include "harness.h"

// The same source for machines without wide registers, under other names.
#define CATGUT_PLAIN
#define cg_fronts_factor plain_factor
#define cg_fronts_solve plain_solve
bool plain_factor(cg_fronts *fronts, const double *values);
void plain_solve(cg_fronts *fronts, double *b);
#include "../../src/constraint/fronts.c"
#undef cg_fronts_factor
#undef cg_fronts_solve

enum { MOST = 240 };

// A matrix with a symmetric pattern, dense and by columns, and an order of its unknowns.
typedef struct problem {
    int count, begins[MOST + 1], rows[MOST * MOST], order[MOST];
    double dense[MOST * MOST], values[MOST * MOST];
} problem;

static uint64_t state;

static double random_number(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / (double)(1ull << 53);
}

static double *at(problem *p, int row, int column)
{
    return &p->dense[row * p->count + column];
}

static void couple(problem *p, int i, int j)
{
    *at(p, i, j) = random_number() - 0.5;
    *at(p, j, i) = random_number() - 0.5;
}

static void fill_columns(problem *p)
{
    p->begins[0] = 0;
    for (int column = 0, k = 0; column < p->count; column++) {
        for (int row = 0; row < p->count; row++) {
            if (*at(p, row, column) != 0) {
                p->rows[k] = row;
                p->values[k++] = *at(p, row, column);
            }
        }
        p->begins[column + 1] = k;
    }
}

// Random couplings, a strong diagonal, a random order.
static problem *new_problem(int count, double share, uint64_t seed)
{
    problem *p = calloc(1, sizeof *p);
    p->count = count;
    state = seed;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (random_number() < share) {
                couple(p, i, j);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        double sum = 1;
        for (int j = 0; j < count; j++) {
            sum += fabs(*at(p, i, j)) + fabs(*at(p, j, i));
        }
        *at(p, i, i) = sum;
        p->order[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        int other = (int)(random_number() * (i + 1)), kept = p->order[i];
        p->order[i] = p->order[other];
        p->order[other] = kept;
    }
    fill_columns(p);
    return p;
}

static void plan(cg_fronts *fronts, const problem *p)
{
    cg_allocator allocator = cg_memory_default();
    CHECK(cg_fronts_plan(fronts, p->count, p->begins, p->rows, p->order, &allocator));
}

static void solve_densely(const problem *p, double *b)
{
    static double matrix[MOST * MOST], work[MOST];
    static int rows[MOST], columns[MOST];
    memcpy(matrix, p->dense, sizeof matrix);
    cg_lu lu = {.count = p->count, .matrix = matrix, .rows = rows, .columns = columns, .work = work};
    CHECK(cg_lu_factor(&lu, 0));
    cg_lu_solve(&lu, b);
}

static void check_solution(const problem *p, cg_fronts *fronts)
{
    double mine[MOST], dense[MOST];
    for (int i = 0; i < p->count; i++) {
        mine[i] = dense[i] = random_number() - 0.5;
    }
    cg_fronts_solve(fronts, mine);
    solve_densely(p, dense);
    for (int i = 0; i < p->count; i++) {
        CHECK_NEAR(mine[i], dense[i], 1e-13);
    }
}

TEST(solutions_are_those_of_a_dense_matrix)
{
    static const int counts[] = {1, 2, 3, 5, 17, 64, 120};
    static const double shares[] = {0, 0.01, 0.05, 0.2, 1};
    for (int n = 0; n < 7; n++) {
        for (int s = 0; s < 5; s++) {
            problem *p = new_problem(counts[n], shares[s], (uint64_t)(10 * n + s + 1));
            cg_fronts fronts;
            plan(&fronts, p);
            CHECK(cg_fronts_factor(&fronts, p->values));
            check_solution(p, &fronts);
            cg_fronts_free(&fronts);
            free(p);
        }
    }
}

// A grid with three unknowns a node, row by row: wide fronts, many of them with several children.
static problem *new_grid(int side)
{
    problem *p = new_problem(3 * side * side, 0, 7);
    for (int a = 0; a < side * side; a++) {
        for (int b = 0; b <= a; b++) {
            if (abs(a / side - b / side) <= 1 && abs(a % side - b % side) <= 1) {
                for (int c = 0; c < 9; c++) {
                    couple(p, 3 * a + c / 3, 3 * b + c % 3);
                }
            }
        }
    }
    for (int i = 0; i < p->count; i++) {
        *at(p, i, i) = 20 + random_number();
    }
    fill_columns(p);
    return p;
}

TEST(a_step_factors_and_solves_without_the_heap)
{
    problem *p = new_grid(8);
    cg_fronts fronts;
    plan(&fronts, p);
    double b[MOST] = {1};
    long before = test_allocations();
    CHECK(cg_fronts_factor(&fronts, p->values));
    cg_fronts_solve(&fronts, b);
    CHECK_INT(test_allocations() - before, 0);
    check_solution(p, &fronts);
    cg_fronts_free(&fronts);
    free(p);
}

TEST(machines_with_and_without_wide_registers_give_the_same_bits)
{
    problem *p = new_grid(8);
    cg_fronts fronts;
    plan(&fronts, p);
    double wide[MOST], plain[MOST];
    for (int i = 0; i < p->count; i++) {
        wide[i] = plain[i] = random_number();
    }
    CHECK(cg_fronts_factor(&fronts, p->values));
    cg_fronts_solve(&fronts, wide);
    CHECK(plain_factor(&fronts, p->values));
    plain_solve(&fronts, plain);
    CHECK(memcmp(wide, plain, (size_t)p->count * sizeof *wide) == 0);
    cg_fronts_free(&fronts);
    free(p);
}

TEST(a_pivot_of_zero_is_told)
{
    problem *p = new_problem(40, 0.1, 3);
    cg_fronts fronts;
    plan(&fronts, p);
    for (int k = 0; k < p->begins[p->count]; k++) {
        p->values[k] = 1; // columns with the same entries are in it
    }
    CHECK(!cg_fronts_factor(&fronts, p->values));
    cg_fronts_free(&fronts);
    free(p);
}

// Whatever the order, the tree finds that a chain from its end has no entry filled in.
TEST(a_chain_from_its_end_stays_a_chain)
{
    problem *p = new_problem(100, 0, 1);
    for (int i = 0; i + 1 < p->count; i++) {
        couple(p, i, i + 1);
        p->order[i] = i;
    }
    p->order[p->count - 1] = p->count - 1;
    fill_columns(p);
    cg_fronts fronts;
    plan(&fronts, p);
    for (int f = 0; f < fronts.front_count; f++) {
        CHECK_INT(fronts.fronts[f].below, f + 1 < fronts.front_count ? 1 : 0);
    }
    cg_fronts_free(&fronts);
    free(p);
}
