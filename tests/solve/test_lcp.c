// Linear complementarity against enumeration of all sets, and against its own conditions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness.h"
#include "solve/lcp.h"

enum { FEW = 6, MANY = 60 };

static void *make_lcp(cg_lcp *lcp, int count)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_lcp_layout(lcp, count, &arena);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, memory, bytes);
    cg_lcp_layout(lcp, count, &arena);
    return memory;
}

static void load_problem(cg_lcp *lcp, int count, const double *k, const double *q)
{
    cg_lcp_begin(lcp, count);
    for (int i = 0; i < count; i++) {
        memcpy(cg_lcp_row(lcp, i), k + i * count, (size_t)count * sizeof(double));
        cg_lcp_row(lcp, i)[count + 1] = q[i];
    }
}

// A matrix with a positive definite symmetric part, not symmetric itself: its problems have one solution each.
static void fill(uint64_t *state, int count, double *k, double *q)
{
    double root[MANY * MANY];
    for (int i = 0; i < count * count; i++) {
        root[i] = test_random(state, -1, 1);
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double sum = i == j ? 0.05 : 0;
            for (int m = 0; m < count; m++) {
                sum += root[i * count + m] * root[j * count + m];
            }
            double turn = 0.3 * (root[i * count + j] - root[j * count + i]);
            k[i * count + j] = sum / count + turn / sqrt(count);
        }
        q[i] = test_random(state, -1, 1);
    }
}

// Solves with the set given by bits; true when the answer keeps all signs.
static bool try_set(int count, const double *k, const double *q, unsigned set, double *z)
{
    double a[FEW][FEW + 1];
    int index[FEW], size = 0;
    for (int i = 0; i < count; i++) {
        z[i] = 0;
        if (set >> i & 1) {
            index[size++] = i;
        }
    }
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            a[i][j] = k[index[i] * count + index[j]];
        }
        a[i][size] = -q[index[i]];
    }
    for (int p = 0; p < size; p++) {
        for (int i = 0; i < size; i++) {
            double share = i == p ? 0 : a[i][p] / a[p][p];
            for (int j = p; j <= size; j++) {
                a[i][j] -= share * a[p][j];
            }
        }
    }
    for (int i = 0; i < size; i++) {
        z[index[i]] = a[i][size] / a[i][i];
    }
    for (int i = 0; i < count; i++) {
        double w = q[i];
        for (int j = 0; j < count; j++) {
            w += k[i * count + j] * z[j];
        }
        if (z[i] < 0 || (!(set >> i & 1) && w < 0)) {
            return false;
        }
    }
    return true;
}

TEST(agrees_with_enumeration)
{
    cg_lcp lcp;
    void *memory = make_lcp(&lcp, FEW);
    uint64_t state = 5;
    for (int trial = 0; trial < test_count(400, 40000); trial++) {
        int count = test_random_int(&state, 1, FEW), pivots = 0;
        double k[FEW * FEW], q[FEW], z[FEW], expected[FEW];
        bool guess[FEW];
        fill(&state, count, k, q);
        unsigned set = 0;
        while (!try_set(count, k, q, set, expected) && set < 1u << count) {
            set++;
        }
        if (!CHECK(set < 1u << count)) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            guess[i] = test_random_int(&state, 0, 1) == 1;
        }
        load_problem(&lcp, count, k, q);
        CHECK_INT(cg_lcp_solve(&lcp, count, guess, 1000, z, &pivots), CG_LCP_SOLVED);
        for (int i = 0; i < count; i++) {
            CHECK_NEAR(z[i], expected[i], 1e-8 * (1 + fabs(expected[i])));
        }
    }
    cg_memory_give(&(cg_allocator){0}, memory);
}

TEST(large_ones_keep_their_conditions)
{
    cg_lcp lcp;
    void *memory = make_lcp(&lcp, MANY);
    uint64_t state = 6;
    static double k[MANY * MANY];
    for (int trial = 0; trial < test_count(30, 1000); trial++) {
        int count = test_random_int(&state, 10, MANY), pivots = 0;
        double q[MANY], z[MANY];
        bool guess[MANY] = {false};
        fill(&state, count, k, q);
        load_problem(&lcp, count, k, q);
        CHECK_INT(cg_lcp_solve(&lcp, count, guess, 10000, z, &pivots), CG_LCP_SOLVED);
        for (int i = 0; i < count; i++) {
            double w = q[i];
            for (int j = 0; j < count; j++) {
                w += k[i * count + j] * z[j];
            }
            CHECK(z[i] >= 0 && w >= -1e-9 && fmin(z[i], fabs(w)) <= 1e-9);
        }
        // A right guess needs no path: one pivot for each of its members.
        int members = 0;
        for (int i = 0; i < count; i++) {
            guess[i] = z[i] > 0;
            members += guess[i];
        }
        pivots = 0;
        load_problem(&lcp, count, k, q);
        CHECK_INT(cg_lcp_solve(&lcp, count, guess, 10000, z, &pivots), CG_LCP_SOLVED);
        CHECK_INT(pivots, members);
    }
    cg_memory_give(&(cg_allocator){0}, memory);
}

TEST(the_unsolvable_and_the_budget_are_told)
{
    cg_lcp lcp;
    void *memory = make_lcp(&lcp, 2);
    double k[4] = {1, -1, -1, 1}, q[2] = {-1, -1}, z[2];
    bool guess[2] = {false, false};
    int pivots = 0;
    load_problem(&lcp, 2, k, q); // z1 - z2 >= 1 and z2 - z1 >= 1
    CHECK_INT(cg_lcp_solve(&lcp, 2, guess, 100, z, &pivots), CG_LCP_RAY);
    double easy[4] = {1, 0, 0, 1};
    pivots = 0;
    load_problem(&lcp, 2, easy, q);
    CHECK_INT(cg_lcp_solve(&lcp, 2, guess, 1, z, &pivots), CG_LCP_BUDGET);
    CHECK_INT(pivots, 1);
    load_problem(&lcp, 0, easy, q);
    CHECK_INT(cg_lcp_solve(&lcp, 0, guess, 1, z, &pivots), CG_LCP_SOLVED);
    cg_memory_give(&(cg_allocator){0}, memory);
}
