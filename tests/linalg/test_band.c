// The block-banded factor against a plain dense Cholesky, for every small count and random matrices of rod-like scale.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "harness.h"
#include "linalg/band.h"

#define MOST 24

typedef struct rig {
    int count;
    cg_band_row rows[MOST];
    double dense[3 * MOST][3 * MOST];
    cg_band_factor factor;
    void *memory;
} rig;

// A random matrix with the band's pattern: sums of J^T J over three neighbours, plus a small diagonal.
static void fill_random(rig *r, uint64_t *random, double small)
{
    int size = 3 * r->count;
    memset(r->dense, 0, sizeof r->dense);
    for (int i = 0; i < r->count; i++) {
        int reach = i + 2 < r->count ? 3 : r->count - i;
        for (int k = 0; k < 3; k++) {
            double j[9], weight = test_random(random, 0.1, 1.0) * (k == 0 ? 1000.0 : 1.0);
            for (int e = 0; e < 3 * reach; e++) {
                j[e] = test_random(random, -1, 1);
            }
            for (int a = 0; a < 3 * reach; a++) {
                for (int b = 0; b < 3 * reach; b++) {
                    r->dense[3 * i + a][3 * i + b] += weight * j[a] * j[b];
                }
            }
        }
    }
    for (int i = 0; i < size; i++) {
        r->dense[i][i] += small;
    }
}

static void copy_to_band(rig *r)
{
    memset(r->rows, 0, sizeof r->rows);
    for (int i = 0; i < r->count; i++) {
        int e = 0;
        for (int a = 0; a < 3; a++) {
            for (int b = a; b < 3; b++) {
                r->rows[i].diagonal[e++] = r->dense[3 * i + a][3 * i + b];
            }
        }
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                if (i + 1 < r->count) {
                    r->rows[i].next[3 * a + b] = r->dense[3 * i + 3 + a][3 * i + b];
                }
                if (i + 2 < r->count) {
                    r->rows[i].second[3 * a + b] = r->dense[3 * i + 6 + a][3 * i + b];
                }
            }
        }
    }
}

static void factorise(rig *r, int core)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_band_layout(&r->factor, r->count, &arena);
    size_t bytes = cg_arena_used(&arena);
    r->memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, r->memory, bytes);
    cg_band_layout(&r->factor, r->count, &arena);
    cg_band_place_core(&r->factor, core);
    cg_band_factorise(&r->factor, r->rows);
}

// The core may stand anywhere, from one end to the other.
static rig *new_rig(int count, int core, uint64_t seed, double small)
{
    rig *r = calloc(1, sizeof *r);
    r->count = count;
    fill_random(r, &seed, small);
    copy_to_band(r);
    factorise(r, core);
    return r;
}

static void free_rig(rig *r)
{
    cg_memory_give(&(cg_allocator){0}, r->memory);
    free(r);
}

// Every count from 2 on, each with four places of the core: both ends, the middle, and somewhere.
#define CASES (4 * (MOST - 1))

static int count_of(int n)
{
    return 2 + n / 4;
}

static int core_of(int n)
{
    int most = count_of(n) - 2;
    int places[4] = {0, most, most / 2, most * 2 / 7};
    return places[n % 4];
}

// Inverse of the dense matrix by Gauss-Jordan with pivoting, in long double.
static void invert_dense(const rig *r, long double inverse[3 * MOST][3 * MOST])
{
    static long double a[3 * MOST][6 * MOST];
    int n = 3 * r->count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i][j] = r->dense[i][j];
            a[i][n + j] = i == j;
        }
    }
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++) {
            best = fabsl(a[i][c]) > fabsl(a[best][c]) ? i : best;
        }
        for (int j = 0; j < 2 * n; j++) {
            long double swap = a[c][j];
            a[c][j] = a[best][j];
            a[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            long double scale = i == c ? 0 : a[i][c] / a[c][c];
            for (int j = 0; j < 2 * n && scale != 0; j++) {
                a[i][j] -= scale * a[c][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            inverse[i][j] = a[i][n + j] / a[i][i];
        }
    }
}

TEST(solve_agrees_with_dense)
{
    for (int n = 0; n < CASES; n++) {
        int count = count_of(n), core = core_of(n);
        rig *r = new_rig(count, core, (uint64_t)count * 77u, 0.5);
        static long double inverse[3 * MOST][3 * MOST];
        invert_dense(r, inverse);
        cg_vec3 rhs[MOST], x[MOST];
        uint64_t random = 5;
        for (int i = 0; i < count; i++) {
            rhs[i] = (cg_vec3){test_random(&random, -1, 1), test_random(&random, -1, 1), test_random(&random, -1, 1)};
        }
        cg_band_solve(&r->factor, rhs, x);
        const double *b = (const double *)rhs, *got = (const double *)x;
        for (int i = 0; i < 3 * count; i++) {
            long double want = 0;
            for (int j = 0; j < 3 * count; j++) {
                want += inverse[i][j] * (long double)b[j];
            }
            CHECK_NEAR(got[i], (double)want, 1e-11 * (1 + fabs((double)want)));
        }
        cg_band_solve(&r->factor, rhs, rhs);
        CHECK(memcmp(rhs, x, sizeof(cg_vec3) * (size_t)count) == 0);
        CHECK_INT(r->factor.weak_pivots, 0);
        free_rig(r);
    }
}

TEST(multiply_undoes_solve)
{
    for (int n = 0; n < CASES; n++) {
        int count = count_of(n), core = core_of(n);
        rig *r = new_rig(count, core, (uint64_t)count * 991u, 1e-3);
        cg_vec3 rhs[MOST], x[MOST], back[MOST];
        uint64_t random = 11;
        for (int i = 0; i < count; i++) {
            rhs[i] = (cg_vec3){test_random(&random, -1, 1), test_random(&random, -1, 1), test_random(&random, -1, 1)};
        }
        cg_band_solve(&r->factor, rhs, x);
        cg_band_multiply(r->rows, count, x, back);
        for (int i = 0; i < 3 * count; i++) {
            CHECK_NEAR(((double *)back)[i], ((double *)rhs)[i], 1e-8);
        }
        free_rig(r);
    }
}

TEST(many_right_hand_sides_equal_single_ones)
{
    for (int n = 0; n < CASES; n += 3) {
        for (int columns = 1; columns <= 7; columns++) {
            int count = count_of(n), core = core_of(n);
            rig *r = new_rig(count, core, (uint64_t)(count * 13 + columns), 0.5);
            double *values = malloc(sizeof(double) * 3 * (size_t)count * (size_t)columns);
            uint64_t random = 3;
            for (int e = 0; e < 3 * count * columns; e++) {
                values[e] = test_random(&random, -1, 1);
            }
            cg_vec3 x[7][MOST];
            for (int c = 0; c < columns; c++) {
                for (int i = 0; i < 3 * count; i++) {
                    ((double *)x[c])[i] = values[i * columns + c];
                }
                cg_band_solve(&r->factor, x[c], x[c]);
            }
            cg_band_solve_many(&r->factor, values, columns);
            for (int i = 0; i < 3 * count * columns; i++) {
                double want = ((double *)x[i % columns])[i / columns];
                CHECK_NEAR(values[i], want, 1e-11 * (1 + fabs(want)));
            }
            free(values);
            free_rig(r);
        }
    }
}

static cg_vec3 random_force(uint64_t *random)
{
    bool is_none = test_random(random, 0, 1) < 0.3; // as of a held vertex
    return is_none ? (cg_vec3){0, 0, 0}
                   : (cg_vec3){test_random(random, -1, 1), test_random(random, -1, 1), test_random(random, -1, 1)};
}

TEST(pushes_are_answered_to_the_bits_of_single_ones)
{
    uint64_t random = 5;
    for (int n = 0; n < CASES; n++) {
        int count = count_of(n), pushed = 1 + n % 9;
        rig *r = new_rig(count, core_of(n), (uint64_t)n + 17, 0.5);
        cg_band_push pushes[9];
        cg_vec3 answers[9][MOST], one[MOST], *places[9];
        for (int i = 0; i < pushed; i++) {
            int vertex = (int)test_random(&random, 0, count - 1);
            pushes[i] = (cg_band_push){vertex, {random_force(&random), random_force(&random)}};
            places[i] = answers[i];
        }
        cg_band_answer_pushes(&r->factor, pushes, pushed, places);
        for (int i = 0; i < pushed; i++) {
            memset(one, 0, sizeof one);
            memcpy(one + pushes[i].vertex, pushes[i].force, sizeof pushes[i].force);
            cg_band_solve(&r->factor, one, one);
            CHECK(memcmp(answers[i], one, sizeof *one * (size_t)count) == 0);
        }
        free_rig(r);
    }
}

TEST(selected_inverse_agrees_with_dense)
{
    for (int n = 0; n < CASES; n++) {
        int count = count_of(n), core = core_of(n);
        rig *r = new_rig(count, core, (uint64_t)count * 31u, 0.5);
        static long double inverse[3 * MOST][3 * MOST];
        invert_dense(r, inverse);
        cg_band_inverse_row rows[MOST];
        cg_band_selected_inverse(&r->factor, 0, count - 1, rows);
        for (int i = 0; i < count; i++) {
            for (int e = 0; e < 9; e++) {
                int a = 3 * i + e / 3, b = 3 * i + e % 3;
                CHECK_NEAR(rows[i].diagonal[e], (double)inverse[a][b], 1e-11);
                if (i + 1 < count) {
                    CHECK_NEAR(rows[i].next[e], (double)inverse[a + 3][b], 1e-11);
                }
                if (i + 2 < count) {
                    CHECK_NEAR(rows[i].second[e], (double)inverse[a + 6][b], 1e-11);
                }
            }
        }
        free_rig(r);
    }
}

// A matrix that is singular to rounding must neither divide by zero nor give a NaN, and must say so.
TEST(singular_matrix_is_survived_and_counted)
{
    for (int n = 0; n < CASES; n++) {
        int count = count_of(n), core = core_of(n);
        rig *r = new_rig(count, core, (uint64_t)count, 0.5);
        memset(r->rows, 0, sizeof r->rows);
        for (int i = 0; i < count; i++) {
            // Springs along x only: y and z carry nothing, and the chain as a whole is free to move.
            r->rows[i].diagonal[0] = i == 0 || i == count - 1 ? 1.0 : 2.0;
            r->rows[i].diagonal[3] = r->rows[i].diagonal[5] = 1e-30;
            r->rows[i].next[0] = -1.0;
        }
        cg_band_factorise(&r->factor, r->rows);
        cg_vec3 rhs[MOST] = {{0}};
        rhs[0].x = 1.0;
        cg_band_solve(&r->factor, rhs, rhs);
        CHECK(r->factor.weak_pivots > 0);
        for (int i = 0; i < 3 * count; i++) {
            CHECK(isfinite(((double *)rhs)[i]));
        }
        free_rig(r);
    }
}

#ifdef CATGUT_HAVE_LAPACK
void dpbtrf_(const char *uplo, const int *n, const int *kd, double *ab, const int *ldab, int *info);
void dpbtrs_(const char *uplo, const int *n, const int *kd, const int *nrhs, const double *ab, const int *ldab,
             double *b, const int *ldb, int *info);

TEST(solve_agrees_with_lapack)
{
    rig *r = new_rig(MOST, 7, 99, 0.25);
    int n = 3 * MOST, kd = 8, ldab = 9, one = 1, info = 0;
    double band[9 * 3 * MOST] = {0}, x[3 * MOST];
    for (int c = 0; c < n; c++) {
        for (int i = c; i <= c + kd && i < n; i++) {
            band[c * ldab + i - c] = r->dense[i][c];
        }
        x[c] = 1.0 + c % 5;
    }
    cg_vec3 mine[MOST];
    memcpy(mine, x, sizeof x);
    dpbtrf_("L", &n, &kd, band, &ldab, &info);
    dpbtrs_("L", &n, &kd, &one, band, &ldab, x, &n, &info);
    cg_band_solve(&r->factor, mine, mine);
    CHECK_INT(info, 0);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(((double *)mine)[i], x[i], 1e-9 * (1 + fabs(x[i])));
    }
    free_rig(r);
}
#endif
