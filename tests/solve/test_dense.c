// label: golden
// Small dense algebra against its definitions, and the vector path against the plain one bit for bit.
#include <math.h>
#include <string.h>

#include "harness.h"
#include "solve/dense.h"

// The same file once more, without its vector path.
#define CATGUT_PLAIN
#define cg_dense_dot plain_dot
#define cg_dense_add plain_add
#define cg_dense_add_three plain_add_three
#define cg_dense_eliminate plain_eliminate
#define cg_dense_cholesky plain_cholesky
#define cg_dense_cholesky_solve plain_cholesky_solve
#define cg_dense_exchange plain_exchange
#define cg_dense_factor plain_factor
#define cg_dense_factor_solve plain_factor_solve
double plain_dot(int count, const double *x, const double *y);
void plain_add(int count, double *y, double a, const double *x);
void plain_add_three(int count, double *y, double a, double b, double c, const double *x, int stride);
bool plain_eliminate(double *matrix, int stride, int rows, int columns, int pivots, double smallest);
bool plain_cholesky(double *matrix, int stride, int count, double smallest);
void plain_cholesky_solve(const double *factor, int stride, int count, double *b);
void plain_exchange(double *tableau, int stride, int rows, int columns, int r, int s);
bool plain_factor(double *matrix, int stride, int count);
void plain_factor_solve(const double *factor, int stride, int count, double *b);
#include "solve/dense.c"
#undef cg_dense_dot
#undef cg_dense_add
#undef cg_dense_add_three
#undef cg_dense_eliminate
#undef cg_dense_cholesky
#undef cg_dense_cholesky_solve
#undef cg_dense_exchange
#undef cg_dense_factor
#undef cg_dense_factor_solve

enum { MOST = 23, STRIDE = 28 };

// A positive definite matrix in the leading count x count part, anything elsewhere.
static void fill(uint64_t *state, double *matrix, int count)
{
    double root[MOST][MOST];
    for (int i = 0; i < MOST * STRIDE; i++) {
        matrix[i] = test_random(state, -1, 1);
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            root[i][j] = test_random(state, -1, 1);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double sum = i == j ? 0.5 : 0;
            for (int k = 0; k < count; k++) {
                sum += root[i][k] * root[j][k];
            }
            matrix[i * STRIDE + j] = sum;
        }
    }
}

TEST(cholesky_solves)
{
    uint64_t state = 1;
    for (int count = 1; count <= MOST; count++) {
        double matrix[MOST * STRIDE], factor[MOST * STRIDE], x[MOST], b[MOST];
        fill(&state, matrix, count);
        memcpy(factor, matrix, sizeof matrix);
        for (int i = 0; i < count; i++) {
            b[i] = x[i] = test_random(&state, -1, 1);
        }
        CHECK(cg_dense_cholesky(factor, STRIDE, count, 0));
        cg_dense_cholesky_solve(factor, STRIDE, count, x);
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int j = 0; j < count; j++) {
                sum += matrix[i * STRIDE + j] * x[j];
            }
            CHECK_NEAR(sum, b[i], 1e-10);
        }
    }
}

TEST(indefinite_matrices_are_refused)
{
    double matrix[8] = {1, 2, 0, 0, 2, 1, 0, 0};
    CHECK(!cg_dense_cholesky(matrix, 4, 2, 0));
    double again[8] = {1, 2, 0, 0, 2, 1, 0, 0};
    CHECK(!cg_dense_eliminate(again, 4, 2, 3, 2, 0));
    double nothing[4] = {NAN, 0, 0, 0};
    CHECK(!cg_dense_cholesky(nothing, 4, 1, 0));
}

// What is left after elimination must give the same answer for the rest: for any x of the rest, the pivots' unknowns y
// from the triangular rows solve their equations, and the Schur rows give what the full rows give.
TEST(elimination_leaves_an_equivalent_system)
{
    uint64_t state = 2;
    for (int pivots = 0; pivots <= 15; pivots++) {
        double matrix[MOST * STRIDE], reduced[MOST * STRIDE], x[STRIDE];
        int rows = MOST, columns = MOST + 1;
        fill(&state, matrix, pivots);
        memcpy(reduced, matrix, sizeof matrix);
        CHECK(cg_dense_eliminate(reduced, STRIDE, rows, columns, pivots, 0));
        for (int j = pivots; j < columns; j++) {
            x[j] = test_random(&state, -1, 1);
        }
        for (int i = pivots - 1; i >= 0; i--) {
            double sum = 0;
            for (int j = i + 1; j < columns; j++) {
                sum += reduced[i * STRIDE + j] * x[j];
            }
            x[i] = -sum / reduced[i * STRIDE + i];
        }
        for (int i = 0; i < rows; i++) {
            double whole = 0, rest = 0, size = 1;
            for (int j = 0; j < columns; j++) {
                whole += matrix[i * STRIDE + j] * x[j];
                rest += j >= pivots ? reduced[i * STRIDE + j] * x[j] : 0;
                size = fmax(size, fabs(x[j]));
            }
            CHECK_NEAR(whole, i < pivots ? 0 : rest, 1e-10 * size);
        }
    }
}

// Not symmetric, with pivots of either sign: a matrix whose diagonal outweighs the rest.
static void fill_uneven(uint64_t *state, double *matrix, int count)
{
    for (int i = 0; i < MOST * STRIDE; i++) {
        matrix[i] = test_random(state, -1, 1);
    }
    for (int i = 0; i < count; i++) {
        matrix[i * STRIDE + i] = (i % 3 == 1 ? -1 : 1) * test_random(state, count, 2 * count);
    }
}

TEST(factors_solve)
{
    uint64_t state = 5;
    for (int count = 1; count <= MOST; count++) {
        double matrix[MOST * STRIDE], factor[MOST * STRIDE], b[MOST], x[MOST];
        fill_uneven(&state, matrix, count);
        memcpy(factor, matrix, sizeof matrix);
        for (int i = 0; i < count; i++) {
            b[i] = x[i] = test_random(&state, -1, 1);
        }
        CHECK(cg_dense_factor(factor, STRIDE, count));
        cg_dense_factor_solve(factor, STRIDE, count, x);
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int j = 0; j < count; j++) {
                sum += matrix[i * STRIDE + j] * x[j];
            }
            CHECK_NEAR(sum, b[i], 1e-12);
        }
        matrix[0] = 0;
        CHECK(!cg_dense_factor(matrix, STRIDE, count));
        matrix[0] = NAN;
        CHECK(!cg_dense_factor(matrix, STRIDE, count));
    }
}

TEST(an_exchange_swaps_two_variables)
{
    uint64_t state = 3;
    double tableau[MOST * STRIDE], x[STRIDE], y[MOST];
    fill(&state, tableau, 0);
    for (int j = 0; j < STRIDE; j++) {
        x[j] = test_random(&state, -1, 1);
    }
    for (int i = 0; i < MOST; i++) {
        y[i] = cg_dense_dot(STRIDE, tableau + i * STRIDE, x);
    }
    for (int k = 0; k < 10; k++) {
        int r = test_random_int(&state, 0, MOST - 1), s = test_random_int(&state, 0, STRIDE - 1);
        if (fabs(tableau[r * STRIDE + s]) < 0.1) {
            continue;
        }
        cg_dense_exchange(tableau, STRIDE, MOST, STRIDE, r, s);
        double kept = x[s];
        x[s] = y[r];
        y[r] = kept;
    }
    for (int i = 0; i < MOST; i++) {
        double sum = 0;
        for (int j = 0; j < STRIDE; j++) {
            sum += tableau[i * STRIDE + j] * x[j];
        }
        CHECK_NEAR(sum, y[i], 1e-8);
    }
}

TEST(the_vector_path_gives_the_same_bits)
{
    uint64_t state = 4;
    for (int count = 1; count <= MOST; count++) {
        double a[MOST * STRIDE], b[MOST * STRIDE], x[MOST], y[MOST];
        fill(&state, a, count);
        memcpy(b, a, sizeof a);
        for (int i = 0; i < MOST; i++) {
            x[i] = y[i] = test_random(&state, -1, 1);
        }
        cg_dense_eliminate(a, STRIDE, MOST, MOST + 1, count / 2, 0);
        plain_eliminate(b, STRIDE, MOST, MOST + 1, count / 2, 0);
        CHECK(memcmp(a, b, sizeof a) == 0);
        cg_dense_exchange(a, STRIDE, MOST, STRIDE, count - 1, 3);
        plain_exchange(b, STRIDE, MOST, STRIDE, count - 1, 3);
        CHECK(memcmp(a, b, sizeof a) == 0);
        fill(&state, a, count);
        memcpy(b, a, sizeof a);
        cg_dense_cholesky(a, STRIDE, count, 0);
        plain_cholesky(b, STRIDE, count, 0);
        cg_dense_cholesky_solve(a, STRIDE, count, x);
        plain_cholesky_solve(b, STRIDE, count, y);
        cg_dense_add_three(count, x, 0.1, 0.2, 0.3, a, 2);
        plain_add_three(count, y, 0.1, 0.2, 0.3, b, 2);
        cg_dense_add(count, x, 0.7, a);
        plain_add(count, y, 0.7, b);
        CHECK(memcmp(a, b, sizeof a) == 0 && memcmp(x, y, sizeof x) == 0);
        CHECK(cg_dense_dot(count, x, a) == plain_dot(count, y, b));
        fill_uneven(&state, a, count);
        memcpy(b, a, sizeof a);
        CHECK(cg_dense_factor(a, STRIDE, count) && plain_factor(b, STRIDE, count));
        cg_dense_factor_solve(a, STRIDE, count, x);
        plain_factor_solve(b, STRIDE, count, y);
        CHECK(memcmp(a, b, sizeof a) == 0 && memcmp(x, y, sizeof x) == 0);
    }
}
