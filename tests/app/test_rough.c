// label: slow
// Worlds under rough hands, and the checks that judge them: these must see what is wrong, or a campaign says nothing.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "rough/crossing.h"
#include "rough/inside.h"
#include "rough/rough_watch.h"

enum { POINTS = 21 };

typedef struct line {
    cg_vec3 before[POINTS], after[POINTS];
    double arc[POINTS];
} line;

// Along x or y, 20 mm long, `shift` [m] beside the origin before and after.
static line make_line(cg_vec3 way, cg_vec3 before, cg_vec3 after)
{
    line l;
    for (int i = 0; i < POINTS; i++) {
        l.arc[i] = 1e-3 * i;
        l.before[i] = v3_add_scaled(before, l.arc[i] - 10e-3, way);
        l.after[i] = v3_add_scaled(after, l.arc[i] - 10e-3, way);
    }
    return l;
}

static int crossings(const line *a, const line *b)
{
    return cg_count_crossings((cg_moving_line){a->before, a->after, a->arc, POINTS},
                              (cg_moving_line){b->before, b->after, b->arc, POINTS});
}

TEST(what_passes_is_seen_and_what_does_not_is_not)
{
    line still = make_line(v3(0, 1, 0), v3(0.3e-3, 0, 0), v3(0.3e-3, 0, 0));
    line through = make_line(v3(1, 0, 0), v3(0, 0.2e-3, 1e-3), v3(0, 0.1e-3, -1e-3));
    line near = make_line(v3(1, 0, 0), v3(0, 0, 1e-3), v3(0, 0, 1e-6));
    line beside = make_line(v3(1, 0, 0), v3(25e-3, 0, 1e-3), v3(25e-3, 0, -1e-3));
    line around =
        make_line(v3(1, 0, 0), v3(10.2e-3, 0, 1e-3), v3(10.2e-3, 0, -1e-3)); // its end went 2 mm, and is 0.1 in
    CHECK_INT(crossings(&still, &through), 1);
    CHECK_INT(crossings(&through, &still), 1);
    CHECK_INT(crossings(&still, &near), 0);
    CHECK_INT(crossings(&still, &beside), 0);
    CHECK_INT(crossings(&still, &around), 0);
}

// A loop whose two sides go through each other where it crosses itself: it is turned over.
TEST(a_line_passes_through_itself)
{
    line loop = make_line(v3(1, 0, 0), v3_zero(), v3_zero());
    for (int i = 0; i < POINTS; i++) {
        double t = 6.0 * i / (POINTS - 1) - 3;
        loop.before[i] = v3(4e-3 * (0.4 * t - sin(t)), -4e-3 * cos(t), 0.1e-3 * t);
        loop.after[i] = v3(loop.before[i].x, loop.before[i].y, -loop.before[i].z);
    }
    int brute = 0; // how often it crosses itself as seen from above
    for (int i = 0; i + 1 < POINTS; i++) {
        for (int k = i + 2; k + 1 < POINTS; k++) {
            cg_vec3 a = loop.before[i], b = loop.before[i + 1], c = loop.before[k], d = loop.before[k + 1];
            double abc = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
            double abd = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
            double cda = (d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x);
            double cdb = (d.x - c.x) * (b.y - c.y) - (d.y - c.y) * (b.x - c.x);
            brute += abc * abd < 0 && cda * cdb < 0;
        }
    }
    CHECK_INT(brute, 1);
    CHECK_INT(crossings(&loop, &loop), 1);
}

TEST(other_vertices_are_no_motion_and_a_cut_is_told)
{
    cg_vec3 few[3] = {{0, 0, 0}, {4e-3, 0, 0}, {10e-3, 0, 0}},
            more[4] = {{0, 0, 0}, {1e-3, 0, 0}, {4e-3, 0, 0}, {10e-3, 0, 0}};
    double rest_few[2] = {4e-3, 6e-3}, rest_more[3] = {1e-3, 3e-3, 6e-3}, arcs[7];
    cg_vec3 before[7], after[7];
    CHECK_INT(cg_match_points(few, rest_few, 3, more, rest_more, 4, before, after, arcs), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(v3_distance(before[i], after[i]), 0, 1e-15);
        CHECK_NEAR(arcs[i], more[i].x, 1e-15);
    }
    CHECK_INT(cg_match_points(few, rest_few, 3, more, rest_more, 3, before, after, arcs), 0);
}

TEST(depth_inside_a_pad_is_told)
{
    cg_world_def def = cg_world_def_default();
    cg_tissue_def pad = cg_tissue_def_default();
    cg_world *world = NULL;
    cg_tissue_id tissue;
    CHECK_STR(cg_world_create(&def, &world).message, "");
    CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
    CHECK_NEAR(cg_depth_inside(world, tissue, v3(0.3e-3, 0.2e-3, -1.5e-3)), 1.5e-3, 1e-9);
    CHECK_NEAR(cg_depth_inside(world, tissue, v3(0.3e-3, 0.2e-3, 0.1e-3)), 0, 0);
    CHECK_NEAR(cg_depth_inside(world, tissue, v3(0, 0, -50e-3)), 0, 0);
    cg_world_destroy(world);
}

// Short worlds of every day; `make rough` is the campaign.
static const uint64_t SEED = 77;
enum { WORLDS = 20 };

static cg_rough_result watch(int number)
{
    cg_rough_result result;
    bool is_short = !test_is_full();
    cg_rough_watch(&result, SEED, number, is_short ? (cg_rough_times){0.3, 0.9} : (cg_rough_times){4, 2});
    CHECK_STR(result.trouble, "");
    return result;
}

TEST(nothing_is_passed_under_rough_hands)
{
    int unfinished = 0, steps = 0;
    for (int number = 1; number <= test_counts(WORLDS, 1, WORLDS); number++) {
        cg_rough_result result = watch(number);
        CHECK_INT(result.crossings, 0);
        CHECK_STR(result.crossed, "");
        CHECK_INT(result.recovered, 0);
        CHECK(result.deepest < 0.5e-3);
        unfinished += result.unfinished;
        steps += result.steps;
    }
    CHECK(unfinished < steps / 10); // a world that stands still is no proof
}
