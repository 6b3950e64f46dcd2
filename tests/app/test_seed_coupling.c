// MicroSim's recursion for the coupling of contacts against the sweeps of src/linalg.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/seed_coupling.h"
#include "harness.h"

enum { MOST_VERTICES = 24, MOST_CONTACTS = 6 };

static cg_vec3 random_direction(uint64_t *random)
{
    double x = test_random(random, -1, 1), y = test_random(random, -1, 1);
    return (cg_vec3){x, y, test_random(random, -1, 1)};
}

// A sum of squares of random differences of neighbours, and some inertia: symmetric and positive.
static void random_matrix(cg_band_row *rows, int count, uint64_t *random)
{
    memset(rows, 0, sizeof *rows * (size_t)count);
    for (int i = 0; i < count; i++) {
        rows[i].diagonal[0] += 0.5;
        rows[i].diagonal[3] += 0.5;
        rows[i].diagonal[5] += 0.5;
        cg_vec3 part[3];
        for (int k = 0; k < 3; k++) {
            part[k] = i + k < count ? random_direction(random) : (cg_vec3){0, 0, 0};
        }
        for (int a = 0; a < 3 && i + a < count; a++) {
            const double *pa = &part[a].x;
            for (int r = 0, e = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++) {
                    if (c >= r) {
                        rows[i + a].diagonal[e++] += pa[r] * pa[c];
                    }
                    for (int b = 0; b < a; b++) { // A(i + a, i + b)
                        double *block = a - b == 1 ? rows[i + b].next : rows[i + b].second;
                        block[3 * r + c] += pa[r] * (&part[b].x)[c];
                    }
                }
            }
        }
    }
}

TEST(the_recursion_agrees_with_the_sweeps)
{
    uint64_t random = 8;
    for (int n = 0; n < test_count(60, 2000); n++) {
        int count = test_random_int(&random, 3, MOST_VERTICES), contacts = test_random_int(&random, 1, MOST_CONTACTS);
        cg_band_row rows[MOST_VERTICES];
        cg_coupling_point points[2 * MOST_CONTACTS];
        double axes[9 * MOST_CONTACTS];
        double got[9 * MOST_CONTACTS * MOST_CONTACTS], want[9 * MOST_CONTACTS * MOST_CONTACTS] = {0};
        random_matrix(rows, count, &random);
        int point_count = 0;
        for (int c = 0; c < contacts; c++) {
            for (int side = 0; side < 2; side++) {
                int vertex = test_random_int(&random, 0, count - 2), place = point_count++;
                double share = test_random(&random, 0, 1), sign = side == 0 ? 1 : -1;
                for (; place > 0 && points[place - 1].vertex < vertex; place--) {
                    points[place] = points[place - 1];
                }
                points[place] = (cg_coupling_point){vertex, c, sign * (1 - share), sign * share};
            }
        }
        for (int e = 0; e < 9 * contacts; e++) {
            axes[e] = test_random(&random, -1, 1);
        }
        cg_seed_coupling seed;
        if (!CHECK(cg_seed_coupling_make(&seed, count, 4 * contacts))) {
            return;
        }
        cg_seed_coupling_find(&seed, rows, points, point_count, axes, contacts, got);
        cg_band_factor factor;
        cg_coupling_work work;
        cg_arena arena;
        void *memory = NULL;
        for (int round = 0; round < 2; round++) {
            size_t bytes = round == 0 ? 0 : cg_arena_used(&arena);
            memory = round == 0 ? NULL : cg_memory_take(&(cg_allocator){0}, bytes);
            cg_arena_init(&arena, memory, bytes);
            cg_band_layout(&factor, count, &arena);
            cg_coupling_layout(&work, count, contacts, &arena);
        }
        cg_band_place_core(&factor, points[0].vertex);
        cg_band_factorise(&factor, rows);
        cg_coupling_add(&work, &factor, points, point_count, axes, contacts, want);
        double largest = 0;
        for (int e = 0; e < 9 * contacts * contacts; e++) {
            largest = fmax(largest, fabs(want[e]));
        }
        for (int e = 0; e < 9 * contacts * contacts; e++) {
            CHECK_NEAR(got[e], want[e], 1e-9 * largest);
        }
        cg_memory_give(&(cg_allocator){0}, memory);
        cg_seed_coupling_free(&seed);
    }
}
