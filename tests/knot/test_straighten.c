// Vertices that can be missed are taken out, and the knot stays.
#include <stdio.h>

#include "harness.h"
#include "knot/curves.h"
#include "knot/determinant.h"
#include "knot/straighten.h"
#include "knot/tangle.h"

static tangle shape;

static uint64_t determinant(const cg_vec3 *points, int count)
{
    uint64_t result = 0;
    CHECK_STR(cg_knot_determinant(points, count, NULL, &result).message, "");
    return result;
}

static int straighten(cg_vec3 *points, int count)
{
    cg_vec3 *chain = points;
    cg_chains_straighten(&chain, &count, 1, 0, 1000000000);
    return count;
}

TEST(workshop_knots_become_few_segments)
{
    // No polygon of fewer than six edges is knotted; an open one with its ends far out needs about as many.
    static const int determinants[] = {1, 3, 5, 9, 9, 0, 0, 45, 9}, most[] = {2, 12, 16, 30, 30, 0, 0, 60, 30};
    for (int kind = 0; kind < CG_CURVE_KIND_COUNT; kind++) {
        cg_curve_def def = cg_curve_def_default();
        def.kind = (cg_curve_kind)kind;
        cg_curve curve;
        if (cg_curve_make(&def, shape.points, TANGLE_ROOM, &curve).code != CG_OK) {
            continue;
        }
        int count = straighten(shape.points, curve.point_count[0]);
        if (!CHECK(count <= most[kind])) {
            printf("%s: %d points left\n", cg_curve_kind_name(def.kind), count);
        }
        CHECK_INT(determinant(shape.points, count), determinants[kind]);
    }
}

TEST(tangles_keep_their_determinant)
{
    uint64_t state = 31;
    int before = 0, after = 0;
    for (int round = 0; round < test_count(40, 1000); round++) {
        signed char letters[12];
        int letter_count = 2 * test_random_int(&state, 1, 5) + 1;
        for (int i = 0; i < letter_count; i++) {
            letters[i] = (signed char)(round % 2 ? 1 : (test_random(&state, 0, 1) < 0.8 ? -1 : 1));
        }
        cg_curve_def def = {.radius = 0.01, .tail = 3, .spacing = 0.09};
        cg_curve curve;
        CHECK_STR(cg_curve_make_braid(&def, letters, letter_count, 2, shape.points, TANGLE_ROOM, &curve).message, "");
        // Only the ends of the tails are kept, so that nothing can be laid around them.
        int skip = 30;
        shape.count = curve.point_count[0] - 2 * skip;
        for (int i = 1; i < shape.count - 1; i++) {
            shape.points[i] = shape.points[i + skip];
        }
        shape.points[shape.count - 1] = shape.points[curve.point_count[0] - 1];
        shape.closed = false;
        tangle_up(&shape, 200, round % 4, 0.8, 1e-3, &state);
        uint64_t expected = determinant(shape.points, shape.count);
        before += shape.count;
        shape.count = straighten(shape.points, shape.count);
        after += shape.count;
        CHECK_INT(determinant(shape.points, shape.count), expected);
    }
    printf("%d vertices became %d\n", before, after);
    CHECK(after * 2 < before);
}

TEST(repeated_points_go)
{
    cg_vec3 points[] = {v3(0, 0, 0), v3(0, 0, 0), v3(1, 0, 0), v3(1, 1e-12, 0), v3(1, 1, 0), v3(1, 1, 0)};
    cg_dropped dropped = {0};
    CHECK_INT(cg_chain_drop_repeats(points, 6, false, &dropped), 3);
    CHECK_NEAR(points[2].y, 1, 0);
    CHECK_NEAR(dropped.farthest, 1e-12, 1e-24);
    CHECK_INT(dropped.longest_run, 1);
    cg_vec3 same[] = {v3(1, 2, 3), v3(1, 2, 3), v3(1, 2, 3)};
    dropped = (cg_dropped){0};
    CHECK_INT(cg_chain_drop_repeats(same, 3, true, &dropped), 1);
    CHECK_INT(dropped.longest_run, 0);
    cg_vec3 ring[] = {v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 0), v3(0, 0, 0)};
    CHECK_INT(cg_chain_drop_repeats(ring, 5, true, &dropped), 3);
    CHECK_INT(dropped.longest_run, 0);
    CHECK_INT(cg_chain_drop_repeats(ring, 4, false, &dropped), 4);
}

TEST(steps_between_points_that_nearly_repeat_are_counted)
{
    const cg_vec3 near = v3(1, 1e-9, 0);
    cg_vec3 there_and_back[] = {v3(0, 0, 0), v3(1, 0, 0), near, near, v3(1, 0, 0), v3(0, 1, 0)};
    cg_dropped dropped = {0};
    CHECK_INT(cg_chain_drop_repeats(there_and_back, 6, false, &dropped), 3);
    CHECK_INT(dropped.longest_run, 2);
    // The same around the seam of a closed chain.
    cg_vec3 seam[] = {v3(1, 0, 0), near, v3(0, 1, 0), v3(0, 0, 0), near};
    dropped = (cg_dropped){0};
    CHECK_INT(cg_chain_drop_repeats(seam, 5, true, &dropped), 3);
    CHECK_INT(dropped.longest_run, 2);
}

TEST(a_margin_keeps_vertices_in_place)
{
    // A strand passes a corner at a distance of 1e-3: outside its triangle, too near with a margin.
    for (int wide = 0; wide < 2; wide++) {
        cg_vec3 points[] = {v3(-1, 0, 0), v3(0, 1, 0), v3(1, 0, 0), v3(3, 0, 2), v3(0, 1.001, 2), v3(0, 1.001, -2)};
        cg_vec3 *chain = points;
        int count = 6;
        cg_chains_straighten(&chain, &count, 1, wide ? 2e-3 : 0, 1000000);
        bool stays = false;
        for (int i = 0; i < count; i++) {
            stays = stays || (points[i].x == 0 && points[i].y == 1);
        }
        CHECK_INT(stays, wide);
    }
}

TEST(the_budget_is_kept)
{
    cg_curve_def def = cg_curve_def_default();
    cg_curve curve;
    CHECK_STR(cg_curve_make(&def, shape.points, TANGLE_ROOM, &curve).message, "");
    int count = curve.point_count[0], left = count;
    cg_vec3 *chain = shape.points;
    long long looked = cg_chains_straighten(&chain, &left, 1, 0, 5000);
    CHECK(looked >= 5000 && looked < 5000 + count);
    CHECK(left > 10);
    CHECK_INT(determinant(shape.points, left), 3);
}
