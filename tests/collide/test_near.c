// Pairs that are kept from look to look against a loop over all pairs, and motions limited by them against motions
// limited without: the list may never show in a result.
#include "collide/near.h"

#include <stdio.h>
#include <string.h>

#include "collide/safe_motion.h"
#include "laid_out.h"
#include "tangle.h"

enum { MOST_PAIRS = 40000 };

static cg_near near;
static cg_motion_finder with, without;
static void *memory;

static void lay_out(cg_arena *arena, int pairs)
{
    cg_near_layout(&near, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, pairs, 2, arena);
    cg_motion_finder_layout(&with, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, arena);
    cg_motion_finder_layout(&without, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, arena);
}

static void start(int pairs)
{
    memory = take_laid_out(lay_out, pairs);
    with.near = &near;
}

static void stop(void)
{
    give_laid_out(memory);
}

static bool is_in_line(const tangle *t, const cg_segment_pair *p, double distance)
{
    return p->chain_a == p->chain_b &&
           distance > CG_STRAIGHTNESS * arc_between(&t->chains[p->chain_a], p->segment_a, p->segment_b);
}

// The number of pairs that are close, not near by arc length and not in line; each must be the next of the list, but
// for those in line.
static int check_close(const tangle *t)
{
    int expected = 0, k = 0;
    bool good = true;
    for (int ca = 0; ca < t->count && good; ca++) {
        for (int i = 0; i + 1 < t->chains[ca].count && good; i++) {
            for (int cb = ca; cb < t->count && good; cb++) {
                for (int j = cb == ca ? i + 2 : 0; j + 1 < t->chains[cb].count && good; j++) {
                    cg_segment_pair pair = {ca, i, cb, j};
                    const cg_vec3 *p = t->points[ca] + i, *q = t->points[cb] + j;
                    double d = sqrt(cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance);
                    double ra = t->chains[ca].radius, rb = t->chains[cb].radius;
                    bool is_near = ca == cb && arc_between(&t->chains[ca], i, j) < CG_EXCLUDED_ARC * ra;
                    if (is_near || !(d < ra + rb + 2 * fmin(ra, rb)) || is_in_line(t, &pair, d)) {
                        continue;
                    }
                    while (k < near.close_count &&
                           is_in_line(t, &near.close[k].pair, sqrt(near.close[k].closest.squared_distance))) {
                        k++;
                    }
                    good = CHECK(k < near.close_count && compare_pairs(&near.close[k].pair, &pair) == 0);
                    k++;
                    expected++;
                }
            }
        }
    }
    return good ? expected : -1;
}

static cg_vec3 moves[TANGLE_CHAINS][TANGLE_POINTS];
static const cg_vec3 *move_pointers[TANGLE_CHAINS];

// A common motion, a turn, what every chain does by itself, and now and then every point.
static void choose_moves(const tangle *t, double size, uint64_t *state)
{
    cg_vec3 common = random_vec3(state, 5 * size), spin = random_vec3(state, 0.02 * size);
    double own = test_random_int(state, 0, 1) * test_random(state, 0, 0.3) * size;
    for (int c = 0; c < t->count; c++) {
        move_pointers[c] = moves[c];
        cg_vec3 way = random_vec3(state, 2 * size);
        for (int i = 0; i < t->chains[c].count; i++) {
            cg_vec3 turn = v3_cross(spin, t->points[c][i]);
            moves[c][i] = v3_add(v3_add(common, turn), v3_add(way, random_vec3(state, own)));
        }
    }
}

static void make_moves(tangle *t, double share)
{
    for (int c = 0; c < t->count; c++) {
        for (int i = 0; i < t->chains[c].count; i++) {
            t->points[c][i] = v3_add_scaled(t->points[c][i], share, moves[c][i]);
        }
    }
}

static bool are_same(const cg_safe_motion *a, const cg_safe_motion *b)
{
    return a->fraction == b->fraction && a->limit == b->limit && a->frozen == b->frozen &&
           (a->limit == CG_LIMIT_NONE || compare_pairs(&a->pair, &b->pair) == 0);
}

// How many pairs are close; below 0, and it says where, when the list has others than a loop over all finds.
static int look_at(const tangle *t, int number, int step)
{
    CHECK(cg_near_look(&near, t->chains, t->count));
    int found = check_close(t);
    if (found < 0) {
        printf("tangle %d, step %d\n", number, step);
    }
    return found;
}

TEST(a_moving_tangle_is_seen_and_limited_as_without_a_list)
{
    static tangle t;
    uint64_t state = 71;
    start(MOST_PAIRS);
    cg_motion_rule rule = motion_rule_default();
    long looks = 0, covers[3] = {0}, limited = 0, close = 0;
    for (int n = 0; n < test_count(150, 2000); n++) {
        tangle_make(&t, 60, &state);
        double size = t.chains[0].radius * test_random(&state, 0.01, 0.8);
        for (int step = 0; step < 12; step++) {
            int expected = look_at(&t, n, step);
            if (expected < 0) {
                goto done;
            }
            close += expected;
            choose_moves(&t, step % 4 == 3 ? 4 * size : size, &state);
            double furthest;
            covers[cg_near_covers(&near, t.chains, move_pointers, t.count, &furthest)]++;
            cg_safe_motion a = cg_safe_motion_find(&with, &rule, t.chains, move_pointers, t.count, NULL, 0);
            cg_safe_motion b = cg_safe_motion_find(&without, &rule, t.chains, move_pointers, t.count, NULL, 0);
            if (!CHECK(are_same(&a, &b))) {
                printf("tangle %d, step %d: %.17g, expected %.17g\n", n, step, a.fraction, b.fraction);
                goto done;
            }
            limited += a.fraction < 1;
            looks++;
            make_moves(&t, a.fraction);
        }
    }
done:
    CHECK(near.builds < looks / 2); // lists serve more than once
    CHECK(covers[CG_NEAR_CLOSE] > looks / 5);
    CHECK(covers[CG_NEAR_LISTED] > 0);
    CHECK(covers[CG_NEAR_ANY] > 0);
    CHECK(limited > looks / 20);
    CHECK(close > 10 * looks);
    stop();
}

// Two straight strands side by side, or one that is bent like a V; corners and distances are random.
static void make_strands(tangle *t, uint64_t *state)
{
    double step = test_random(state, 1, 12), slope = test_random(state, 0.2, 1.5), apart = test_random(state, 4, 9);
    int points = test_random_int(state, 8, 40), corner = test_random_int(state, 2, points - 3);
    t->count = test_random_int(state, 1, 2);
    for (int c = 0; c < t->count; c++) {
        for (int i = 0; i < points; i++) {
            double along = step * (i - corner);
            t->points[c][i] = t->count == 2 ? v3(along, c * apart, 0) : v3(fabs(along), slope * along, 0);
        }
        tangle_finish_chain(t, c, points, 1);
    }
}

// Everything comes nearer to the plane y = 0, some faster than others, and all goes somewhere together.
static void draw_together(const tangle *t, double most, uint64_t *state)
{
    double share = test_random(state, 0, most);
    cg_vec3 common = random_vec3(state, 3);
    for (int c = 0; c < t->count; c++) {
        move_pointers[c] = moves[c];
        for (int i = 0; i < t->chains[c].count; i++) {
            double y = share * test_random(state, 0.97, 1) * t->points[c][i].y;
            moves[c][i] = v3_sub(common, v3(0, y, 0));
        }
    }
}

// Chains that stand beside others that move: of those only what is listed is looked at again.
TEST(chains_that_stand_are_seen_beside_those_that_move)
{
    static tangle t;
    uint64_t state = 75;
    start(MOST_PAIRS);
    long close = 0, stood = 0;
    for (int n = 0; n < test_count(100, 2000); n++) {
        tangle_make(&t, 60, &state);
        double size = t.chains[0].radius * test_random(&state, 0.01, 0.3);
        for (int step = 0; step < 8; step++) {
            int expected = look_at(&t, n, step);
            if (expected < 0) {
                goto done;
            }
            close += expected;
            choose_moves(&t, size, &state);
            for (int c = 0; c < t.count; c++) {
                if (test_random_int(&state, 0, 2) > 0) {
                    memset(moves[c], 0, sizeof moves[c]);
                    stood++;
                }
            }
            make_moves(&t, 1);
        }
    }
done:
    CHECK(close > 1000 && stood > 1000);
    stop();
}

// From one look several motions follow; what is said to stay clear is not limited by any pair.
TEST(what_stays_clear_since_the_last_look_touches_nothing)
{
    static tangle t;
    uint64_t state = 74;
    start(MOST_PAIRS);
    cg_motion_rule rule = motion_rule_default();
    rule.turn = 0;
    long motions = 0, clear = 0, limited = 0;
    for (int n = 0; n < test_count(2000, 100000); n++) {
        make_strands(&t, &state);
        CHECK(cg_near_look(&near, t.chains, t.count));
        bool was_clear = near.close_count == 0;
        for (int k = 0; k < 6; k++) {
            draw_together(&t, n % 2 == 0 ? 0.03 : 0.6, &state);
            bool stays = cg_near_stays_clear(&near, t.chains, move_pointers, t.count);
            cg_safe_motion found = cg_safe_motion_find(&with, &rule, t.chains, move_pointers, t.count, NULL, 0);
            cg_safe_motion whole = cg_safe_motion_find(&without, &rule, t.chains, move_pointers, t.count, NULL, 0);
            CHECK(are_same(&found, &whole));
            CHECK(!stays || whole.fraction == 1.0);
            motions++;
            clear += stays;
            limited += was_clear && whole.fraction < 1;
            make_moves(&t, found.fraction);
        }
    }
    CHECK(clear > motions / 100);
    CHECK(limited > motions / 100);
    stop();
}

TEST(other_chains_are_never_taken_for_those_of_the_list)
{
    static tangle t;
    uint64_t state = 72;
    start(MOST_PAIRS);
    t.count = 1;
    tangle_wander(&t, 0, 100, 1, 1, 8, 0.4, &state);
    CHECK(cg_near_look(&near, t.chains, 1));
    choose_moves(&t, 1e-3, &state);
    double furthest;
    CHECK_INT(cg_near_covers(&near, t.chains, move_pointers, 1, &furthest), CG_NEAR_CLOSE);
    t.points[0][50] = v3_add(t.points[0][50], v3(1e-9, 0, 0)); // it stands elsewhere
    CHECK_INT(cg_near_covers(&near, t.chains, move_pointers, 1, &furthest), CG_NEAR_ANY);
    long builds = near.builds;
    CHECK(cg_near_look(&near, t.chains, 1));
    CHECK_INT(near.builds, builds);
    for (int i = 60; i < 100; i++) { // it is longer
        t.arc[0][i] += 0.01;
    }
    CHECK_INT(cg_near_covers(&near, t.chains, move_pointers, 1, &furthest), CG_NEAR_ANY);
    CHECK(cg_near_look(&near, t.chains, 1));
    CHECK_INT(near.builds, builds + 1);
    CHECK(check_close(&t) >= 0);
    t.chains[0].radius *= 1.5; // it is thicker
    CHECK(cg_near_look(&near, t.chains, 1));
    CHECK_INT(near.builds, builds + 2);
    CHECK(check_close(&t) >= 0);
    t.chains[0].count--; // it is shorter
    CHECK(cg_near_look(&near, t.chains, 1));
    CHECK_INT(near.builds, builds + 3);
    stop();
}

TEST(what_finds_no_room_is_counted)
{
    static tangle t;
    uint64_t state = 73;
    start(10);
    t.count = 1;
    tangle_wander(&t, 0, 200, 1, 1, 6, 0.4, &state);
    CHECK(!cg_near_look(&near, t.chains, 1));
    CHECK(near.lost > 0);
    CHECK(near.close_count <= 10);
    choose_moves(&t, 1e-3, &state);
    double furthest;
    CHECK_INT(cg_near_covers(&near, t.chains, move_pointers, 1, &furthest), CG_NEAR_ANY); // so nothing is missed
    stop();
}
