// Coupling of contacts by sweeps against J A^-1 J^T by many right-hand sides; sets of every size one after another in
// the same work memory, because what an earlier set left in it must not show.
#include "linalg/coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness.h"

enum { MOST = 250, CONTACTS = 14 };

typedef struct rig {
    int count;
    cg_band_row rows[MOST];
    cg_band_factor factor;
    cg_coupling_work work;
    void *memory;
} rig;

static void lay_out(rig *r, cg_arena *arena)
{
    cg_band_layout(&r->factor, r->count, arena);
    cg_coupling_layout(&r->work, r->count, CONTACTS, arena);
}

// Springs and bending along a line, much stiffer along x: the scales of a thread.
static rig *new_rig(int count)
{
    rig *r = calloc(1, sizeof *r);
    r->count = count;
    for (int i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            static const int diagonal[3] = {0, 3, 5};
            double stretch = axis == 0 ? 1000 : 3, bend = axis == 0 ? 0 : 20;
            int springs = (i > 0) + (i + 1 < count),
                joints = (i > 1) + (i + 2 < count) + (i > 0 && i + 1 < count ? 4 : 0);
            int shared = (i > 0 && i + 1 < count ? 2 : 0) + (i + 2 < count ? 2 : 0);
            r->rows[i].diagonal[diagonal[axis]] = 0.01 + stretch * springs + bend * joints;
            r->rows[i].next[4 * axis] = i + 1 < count ? -stretch - bend * shared : 0;
            r->rows[i].second[4 * axis] = i + 2 < count ? bend : 0;
        }
        r->rows[i].diagonal[1] = 0.002;
    }
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(r, &arena);
    size_t bytes = cg_arena_used(&arena);
    r->memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, r->memory, bytes);
    lay_out(r, &arena);
    return r;
}

static int by_vertex_downwards(const void *a, const void *b)
{
    const cg_coupling_point *p = a, *q = b;
    return p->vertex != q->vertex ? q->vertex - p->vertex : p->contact - q->contact;
}

static void by_many_solves(const rig *r, const cg_coupling_point *points, int count, const double *axes, int contacts,
                           double *out)
{
    int columns = 3 * contacts;
    double *j = calloc((size_t)(3 * r->count * columns), sizeof *j),
           *x = calloc((size_t)(3 * r->count * columns), sizeof *x);
    for (int p = 0; p < count; p++) {
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++) {
                double weight = axes[9 * points[p].contact + 3 * k + axis];
                int column = 3 * points[p].contact + k, row = 3 * points[p].vertex + axis;
                j[row * columns + column] += weight * points[p].near;
                j[(row + 3) * columns + column] += weight * points[p].far;
            }
        }
    }
    memcpy(x, j, sizeof *x * (size_t)(3 * r->count * columns));
    cg_band_solve_many(&r->factor, x, columns);
    for (int a = 0; a < columns; a++) {
        for (int b = 0; b < columns; b++) {
            double sum = 0;
            for (int i = 0; i < 3 * r->count; i++) {
                sum += j[i * columns + a] * x[i * columns + b];
            }
            out[a * columns + b] = sum;
        }
    }
    free(j);
    free(x);
}

TEST(sweeps_agree_with_many_solves)
{
    uint64_t random = 12;
    for (int n = 0; n < test_count(100, 3000); n++) {
        int count = test_random_int(&random, 2, MOST), contacts = test_random_int(&random, 1, CONTACTS), points = 0;
        rig *r = new_rig(count);
        for (int again = 0; again < 3; again++) {
            cg_coupling_point p[2 * CONTACTS];
            double axes[9 * CONTACTS], got[9 * CONTACTS * CONTACTS] = {0}, want[9 * CONTACTS * CONTACTS];
            contacts = test_random_int(&random, 1, contacts);
            points = 0;
            int highest = 0;
            for (int c = 0; c < contacts; c++) {
                int ends = test_random_int(&random, 1, 2);
                for (int e = 0; e < ends; e++) {
                    int vertex = test_random_int(&random, 0, count - 2);
                    double fraction = test_random_int(&random, 0, 3) == 0 ? 0 : test_random(&random, 0, 1);
                    double sign = e == 0 ? 1 : -1;
                    p[points++] = (cg_coupling_point){vertex, c, sign * (1 - fraction), sign * fraction};
                    highest = vertex > highest ? vertex : highest;
                }
                for (int e = 0; e < 9; e++) {
                    axes[9 * c + e] = test_random(&random, -1, 1);
                }
            }
            qsort(p, (size_t)points, sizeof *p, by_vertex_downwards);
            cg_band_place_core(&r->factor, test_random_int(&random, highest, count - 2));
            cg_band_factorise(&r->factor, r->rows);
            cg_coupling_add(&r->work, &r->factor, p, points, axes, contacts, got);
            by_many_solves(r, p, points, axes, contacts, want);
            double scale = 0;
            for (int e = 0; e < 9 * contacts * contacts; e++) {
                scale = fmax(scale, fabs(want[e]));
            }
            for (int e = 0; e < 9 * contacts * contacts; e++) {
                CHECK_NEAR(got[e], want[e], 1e-11 * scale + 1e-14);
            }
        }
        cg_memory_give(&(cg_allocator){0}, r->memory);
        free(r);
    }
}

// What is kept while factors stay changes no bit: the same call again, other points, other axes, and the same again.
TEST(what_is_kept_gives_the_same_bits)
{
    enum { CALLS = 5, SIZE = 9 * CONTACTS * CONTACTS };
    static const int lowest[CALLS] = {60, 60, 20, 90, 20};
    uint64_t random = 5;
    rig *r = new_rig(MOST);
    double axes[2][9 * CONTACTS], kept[SIZE], fresh[SIZE];
    for (int e = 0; e < 18 * CONTACTS; e++) {
        axes[e / (9 * CONTACTS)][e % (9 * CONTACTS)] = test_random(&random, -1, 1);
    }
    for (int round = 0; round < 3; round++) {
        r->rows[100].diagonal[0] += 500; // another factor in the same place
        cg_band_place_core(&r->factor, MOST - 2);
        cg_band_factorise(&r->factor, r->rows);
        for (int call = 0; call < 2 * CALLS; call++) {
            cg_coupling_point points[CONTACTS];
            for (int c = 0; c < CONTACTS; c++) {
                points[c] = (cg_coupling_point){lowest[call % CALLS] + 5 * (CONTACTS - 1 - c), c, 0.25, 0.75};
            }
            const double *turned = axes[call >= CALLS && call % 2 == 0];
            cg_coupling_put(&r->work, &r->factor, points, CONTACTS, turned, CONTACTS, kept, false);
            rig *other = new_rig(MOST);
            cg_band_place_core(&other->factor, MOST - 2);
            cg_band_factorise(&other->factor, r->rows);
            cg_coupling_put(&other->work, &other->factor, points, CONTACTS, turned, CONTACTS, fresh, false);
            CHECK_INT(memcmp(kept, fresh, sizeof kept), 0);
            cg_memory_give(&(cg_allocator){0}, other->memory);
            free(other);
            if (call == 0) {
                cg_coupling_begin(&r->work);
            }
        }
        cg_coupling_end(&r->work);
    }
    cg_memory_give(&(cg_allocator){0}, r->memory);
    free(r);
}
