// Every method of the broad phase against a loop over all pairs, on tangles of all kinds.
#include "collide/broad.h"

#include <stdio.h>
#include <string.h>

#include "geometry/closest.h"
#include "tangle.h"

enum { MOST_PAIRS = 820000 };

static cg_pair_list found, expected;
static cg_broad broad;
static void *memory;

static void lay_out(cg_arena *arena, int chains, int segments, int pairs)
{
    cg_broad_layout(&broad, chains, segments, pairs, arena);
    cg_pair_list_layout(&found, pairs, arena);
    cg_pair_list_layout(&expected, MOST_PAIRS, arena);
}

static void start(int chains, int segments, int pairs)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, chains, segments, pairs);
    size_t bytes = cg_arena_used(&arena);
    memory = cg_memory_take(&(cg_allocator){0}, bytes);
    cg_arena_init(&arena, memory, bytes);
    lay_out(&arena, chains, segments, pairs);
}

static void stop(void)
{
    cg_memory_give(&(cg_allocator){0}, memory);
}

// All pairs, in the order of the list. The rules are written out here once more.
static void find_all(const tangle *t, double reach, double excluded, double straight)
{
    expected.count = 0;
    for (int ca = 0; ca < t->count; ca++) {
        for (int i = 0; i + 1 < t->chains[ca].count; i++) {
            for (int cb = ca; cb < t->count; cb++) {
                for (int j = cb == ca ? i + 2 : 0; j + 1 < t->chains[cb].count; j++) {
                    const cg_vec3 *p = t->points[ca] + i, *q = t->points[cb] + j;
                    double d = sqrt(cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance);
                    double arc = t->arc[cb][j] - t->arc[ca][i + 1], r = t->chains[ca].radius;
                    bool is_neighbour = ca == cb && (arc < excluded * r || (straight > 0 && d > straight * arc));
                    if (d < r + t->chains[cb].radius + reach && !is_neighbour && expected.count < MOST_PAIRS) {
                        expected.items[expected.count++] = (cg_segment_pair){ca, i, cb, j};
                    }
                }
            }
        }
    }
}

static bool same_lists(void)
{
    return found.count == expected.count &&
           memcmp(found.items, expected.items, (size_t)found.count * sizeof *found.items) == 0;
}

static bool check_methods(const tangle *t, double reach)
{
    bool good = true;
    find_all(t, reach, broad.rule.excluded_arc, broad.rule.straightness);
    for (int method = CG_BROAD_AUTO; method <= CG_BROAD_HASH; method++) {
        broad.method = (cg_broad_method)method;
        good &= CHECK(cg_broad_find(&broad, t->chains, t->count, reach, &found));
        if (!CHECK(same_lists())) {
            printf("method %d: %d pairs, expected %d\n", method, found.count, expected.count);
            good = false;
        }
    }
    return good;
}

static double random_reach(const tangle *t, uint64_t *state)
{
    double r = t->chains[0].radius;
    const double reaches[6] = {0, 0.2 * r, 2 * r, 4 * r, -0.5 * r, 10 * r};
    return reaches[test_random_int(state, 0, 5)];
}

TEST(all_methods_find_what_a_loop_over_all_pairs_finds)
{
    static tangle t;
    uint64_t state = 61;
    start(TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, MOST_PAIRS);
    int count = test_count(1500, 10000);
    long total = 0;
    for (int i = 0; i < count; i++) {
        tangle_make(&t, i % 50 == 0 ? TANGLE_POINTS : 60, &state);
        broad.rule = neighbour_rule_default();
        if (i % 7 == 0) {
            broad.rule.excluded_arc = test_random(&state, 0, 6);
            broad.rule.straightness = i % 2 ? test_random(&state, 0.3, 1) : 0;
        }
        if (!check_methods(&t, random_reach(&t, &state))) {
            printf("tangle %d\n", i);
            break;
        }
        total += expected.count;
    }
    CHECK(total > 10L * count); // the tangles do touch
    stop();
}

TEST(a_moving_tangle_keeps_agreeing)
{
    static tangle t;
    uint64_t state = 62;
    start(TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, MOST_PAIRS);
    t.count = 2;
    tangle_wander(&t, 0, 200, 1, 1, 12, 0.4, &state);
    tangle_wander(&t, 1, 150, 1, 1.5, 12, 0.4, &state);
    for (int step = 0; step < test_count(60, 1000); step++) {
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < t.chains[c].count; i++) {
                t.points[c][i] = v3_add(t.points[c][i], random_vec3(&state, step % 20 == 0 ? 3 : 0.1));
            }
        }
        if (!check_methods(&t, 0.5)) {
            break;
        }
    }
    stop();
}

TEST(segments_that_are_not_finite_are_in_no_pair)
{
    static tangle t;
    uint64_t state = 63;
    start(TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, MOST_PAIRS);
    for (int i = 0; i < 50; i++) {
        tangle_make(&t, 80, &state);
        for (int c = 0; c < t.count; c++) {
            int k = test_random_int(&state, 0, t.chains[c].count - 1);
            t.points[c][k].y = i % 2 ? NAN : INFINITY;
        }
        check_methods(&t, t.chains[0].radius);
    }
    stop();
}

TEST(a_full_list_is_reported_and_not_overrun)
{
    static tangle t;
    uint64_t state = 64;
    start(TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, 10);
    t.count = 1;
    tangle_wander(&t, 0, 300, 1, 1, 6, 0.5, &state);
    find_all(&t, 1, CG_EXCLUDED_ARC, CG_STRAIGHTNESS);
    CHECK(expected.count > 10);
    for (int method = CG_BROAD_BRUTE; method <= CG_BROAD_HASH; method++) {
        broad.method = (cg_broad_method)method;
        CHECK(!cg_broad_find(&broad, t.chains, t.count, 1, &found));
        CHECK_INT(found.count, 10);
        CHECK_INT(found.lost, expected.count - 10);
        for (int k = 1; k < found.count; k++) {
            CHECK(compare_pairs(&found.items[k - 1], &found.items[k]) < 0);
        }
    }
    stop();
    start(1, 20, 10);
    CHECK(!cg_broad_find(&broad, t.chains, t.count, 1, &found));
    CHECK_INT(found.count, 0);
    CHECK_INT(found.lost, -1);
    stop();
}

TEST(chains_without_segments_and_scenes_without_size)
{
    cg_vec3 points[4] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    double arc[4] = {0, 5, 10, 15};
    cg_chain chains[3] = {{points, 1, 1, arc, NULL}, {points, 4, 1, arc, NULL}, {points, 2, 1, arc, NULL}};
    start(3, 20, 20);
    for (int method = CG_BROAD_AUTO; method <= CG_BROAD_HASH; method++) {
        broad.method = (cg_broad_method)method;
        CHECK(cg_broad_find(&broad, chains, 0, 1, &found));
        CHECK_INT(found.count, 0);
        CHECK(cg_broad_find(&broad, chains, 1, 1, &found));
        CHECK_INT(found.count, 0);
        // Segments 0 and 2 of the second chain, and its three segments with the one of the third.
        CHECK(cg_broad_find(&broad, chains, 3, 0, &found));
        CHECK_INT(found.count, 4);
    }
    stop();
}
