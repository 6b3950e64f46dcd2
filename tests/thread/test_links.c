// The chain of links: exact lengths however it is pulled, the tractrix, what a taut chain tells, the dynamic variant.
#include <math.h>

#include "base/vec3.h"
#include "harness.h"
#include "thread/links.h"
#include "thread_rig.h"

enum { NODES = 201 };
static const double LINK = 1e-3;

typedef struct rig {
    cg_links links;
    cg_vec3 position[NODES], before[NODES];
    double row[NODES], slope[NODES];
} rig;

static rig r;

static void start(int nodes)
{
    r.links = (cg_links){nodes, LINK, r.position, r.row, r.slope, r.before, NULL};
    for (int i = 0; i < nodes; i++) {
        r.position[i] = v3(LINK * i, 0, 0);
    }
}

// Dragged along y by its first node, the second one of a single link runs along a tractrix: where the leader is at
// height s, the angle of the link to the y axis is 2 atan(exp(-s / l)).
static double tractrix_error(double part)
{
    start(2);
    cg_link_hold hold = {.node = 0, .target = v3(0, 2 * LINK, 0)};
    cg_links_follow(&r.links, &hold, 1, part);
    double angle = 2 * atan(exp(-2.0));
    return v3_distance(r.position[1], v3(LINK * sin(angle), 2 * LINK - LINK * cos(angle), 0)) / LINK;
}

TEST(a_dragged_link_follows_the_tractrix_to_first_order)
{
    double coarse = tractrix_error(LINK / 50), fine = tractrix_error(LINK / 100), finest = tractrix_error(LINK / 200);
    CHECK(coarse < 0.01);
    CHECK_NEAR(coarse / fine, 2, 0.1);
    CHECK_NEAR(fine / finest, 2, 0.05);
}

TEST(links_are_exact_in_random_pulls_by_up_to_four_holds)
{
    uint64_t random = 3;
    int rounds = test_count(24, 2000), taut = 0, slack = 0;
    for (int round = 0; round < rounds; round++) {
        start(NODES);
        int count = 1 + round % 4;
        cg_link_hold holds[4];
        int node = -1;
        for (int k = 0; k < count; k++) {
            node = test_random_int(&random, node + 1, NODES - count + k);
            holds[k].node = node;
        }
        for (int step = 0; step < 20; step++) {
            for (int k = 0; k < count; k++) {
                holds[k].target = v3_add(r.position[holds[k].node], random_vector(&random, 10 * LINK));
            }
            cg_links_follow(&r.links, holds, count, 0.3 * LINK);
            CHECK_NEAR(cg_links_error(&r.links), 0, 1e-11 * LINK);
            for (int k = 0; k < count; k++) {
                double lack = v3_length(holds[k].lack);
                taut += lack > 1e-6 * LINK;
                slack += lack < 1e-9 * LINK;
                CHECK(count > 1 || lack < 1e-9 * LINK);
            }
        }
    }
    CHECK(taut > rounds / 4); // both were tried
    CHECK(slack > 10 * rounds);
}

TEST(a_taut_chain_pulls_alike_at_both_ends_along_itself)
{
    start(NODES);
    cg_link_hold holds[2] = {{.node = 0, .target = v3(-3 * LINK, 0, 0)},
                             {.node = NODES - 1, .target = v3((NODES + 2) * LINK, 0, 0)}};
    cg_links_follow(&r.links, holds, 2, LINK);
    CHECK_NEAR(holds[0].lack.x, -3 * LINK, 1e-9 * LINK);
    CHECK_NEAR(holds[1].lack.x, 3 * LINK, 1e-9 * LINK);
    CHECK(cg_links_error(&r.links) < 1e-12 * LINK * NODES);
}

TEST(nothing_moves_where_nothing_is_asked)
{
    start(NODES);
    cg_link_hold hold = {.node = 7, .target = r.position[7]};
    cg_links_follow(&r.links, &hold, 1, LINK);
    for (int i = 0; i < NODES; i++) {
        CHECK(r.position[i].x == LINK * i && r.position[i].y == 0 && r.position[i].z == 0);
    }
}

TEST(nodes_that_lie_on_each_other_come_apart)
{
    start(5);
    for (int i = 0; i < 5; i++) {
        r.position[i] = v3(1, 2, 3);
    }
    cg_link_hold hold = {.node = 2, .target = v3(1 + LINK, 2, 3)};
    cg_links_follow(&r.links, &hold, 1, LINK);
    CHECK(cg_links_error(&r.links) < 1e-15);
}

// Let go from the horizontal it falls, swings, and with the correction carried back it does not gain speed for ever.
TEST(the_dynamic_variant_swings_and_stays_bounded)
{
    start(21);
    cg_vec3 velocity[21] = {{0, 0, 0}};
    double lowest = 0, fastest = 0;
    for (int step = 0; step < 5000; step++) {
        cg_links_fly(&r.links, velocity, v3_zero(), v3(0, 0, -9.81), 0.9, 1e-3);
        CHECK(cg_links_error(&r.links) < 1e-12 * LINK * 10);
        lowest = fmin(lowest, r.position[20].z);
        fastest = fmax(fastest, v3_length(velocity[20]));
    }
    CHECK(lowest < -0.95 * 20 * LINK);
    CHECK(fastest < 5 * sqrt(2 * 9.81 * 20 * LINK));
}
