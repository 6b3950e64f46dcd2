// label: slow
// Knots as the simulation makes them: named right at every tenth step while they tighten and slip.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

static void pull(rig *r, double force)
{
    for (int k = 0; k < 2; k++) {
        pull_end(r, k, v3_scale(force, r->curve.pull[k]));
    }
}

static cg_knot_report look(const rig *r)
{
    cg_knot_thread threads[2] = {{0}};
    for (int t = 0; t < r->curve.thread_count; t++) {
        threads[t].points = cg_thread_positions(r->world, r->threads[t], &threads[t].count);
    }
    for (int k = 0; k < 2 && r->curve.thread_count == 2; k++) {
        threads[r->curve.pulled[k].thread].pull = r->curve.pulled[k].last ? CG_KNOT_PULL_LAST : CG_KNOT_PULL_FIRST;
    }
    cg_knot_report report;
    CHECK_STR(cg_knot_identify(threads, r->curve.thread_count, NULL, &report).message, "");
    return report;
}

typedef struct expectation {
    cg_curve_kind kind;
    const char *name, *common, *throws;
} expectation;

// A slip knot whose ends are pulled alike is pulled over into a square one, and is told as it lies.
static void check_throws(const cg_knot_report *report, const expectation *e)
{
    if (e->kind == CG_CURVE_SLIP && strcmp(report->common, "square") == 0) {
        CHECK_STR(report->throws_text, "1=1");
        return;
    }
    CHECK_STR(report->common, e->common);
    CHECK_STR(report->throws_text, e->throws);
}

TEST(one_thread_tightening_and_slipping)
{
    static const expectation list[] = {
        {CG_CURVE_OVERHAND, "m3_1", "overhand", "1"},
        {CG_CURVE_FIGURE_EIGHT, "4_1", "figure-eight", ""},
        {CG_CURVE_REEF, "3_1#m3_1", "square", "1=1"},
        {CG_CURVE_GRANNY, "m3_1#m3_1", "granny", "1x1"},
        {CG_CURVE_SURGEON, "3_1#m3_1#m5_1", "surgeon's", "2=1=1"},
        {CG_CURVE_SLIP, "3_1#m3_1", "slip", "S=S"},
    };
    static const double frictions[] = {0.3, 0.02};
    int steps = test_counts(80, 40, 3000), looks_every = test_count(40, 10);
    for (int i = 0; i < 12; i += test_counts(1, 3, 1)) {
        const expectation *e = &list[i / 2];
        rig r;
        if (!tie(&r, (rig_def){.kind = e->kind, .threads = 1, .friction = frictions[i % 2]})) {
            continue;
        }
        cg_knot_tracker *tracker;
        CHECK_STR(cg_knot_tracker_create(r.curve.point_count[0], NULL, &tracker).message, "");
        int certain = 0, looks = 0, slips = 0, throws_told = 0;
        for (int step = 1; step <= steps; step++) {
            pull(&r, step < 50 ? 0.02 * step : 1.0);
            cg_world_step(r.world);
            int count;
            const cg_vec3 *now = cg_thread_positions(r.world, r.threads[0], &count);
            cg_knot_report live;
            CHECK_STR(cg_knot_tracker_update(tracker, now, count, &live).message, "");
            CHECK_STR(live.name, e->name);
            if (live.throw_count > 0) {
                check_throws(&live, e);
                throws_told++;
            }
            if (step % looks_every == 0) {
                cg_knot_report full = look(&r);
                CHECK_STR(full.name, e->name);
                check_throws(&full, e);
                certain += full.certain;
                bool slips_still = strcmp(full.common, "slip") == 0;
                CHECK(!slips_still || slips == looks); // once pulled over it stays a square knot
                slips += slips_still;
                looks++;
            }
        }
        CHECK_INT(certain, looks);
        CHECK(throws_told > 0 || e->kind == CG_CURVE_FIGURE_EIGHT || steps < 1000);
        printf("%s at friction %g: %d of %d looks certain (%d as slip), %d of %d live with throws, computed %lld\n",
               e->common, frictions[i % 2], certain, looks, slips, throws_told, steps,
               cg_knot_tracker_computed(tracker));
        cg_knot_tracker_destroy(tracker);
        cg_world_destroy(r.world);
    }
}

TEST(spacing_that_follows_the_knot)
{
    // The number of vertices changes while the knot tightens: names and throws must not.
    rig r;
    if (!tie(&r, (rig_def){.kind = CG_CURVE_OVERHAND, .threads = 1, .friction = 0.3, .follow = true})) {
        return;
    }
    const expectation e = {CG_CURVE_OVERHAND, "m3_1", "overhand", "1"};
    cg_knot_tracker *tracker;
    CHECK_STR(cg_knot_tracker_create(cg_thread_max_vertices(r.world, r.threads[0]), NULL, &tracker).message, "");
    int steps = test_count(160, 3000), changes = 0, last_count = 0, throws_told = 0;
    for (int step = 1; step <= steps; step++) {
        pull(&r, step < 50 ? 0.02 * step : 1.0);
        cg_world_step(r.world);
        int count;
        const cg_vec3 *now = cg_thread_positions(r.world, r.threads[0], &count);
        changes += count != last_count;
        last_count = count;
        cg_knot_report live;
        CHECK_STR(cg_knot_tracker_update(tracker, now, count, &live).message, "");
        CHECK_STR(live.name, e.name);
        if (live.throw_count > 0) {
            check_throws(&live, &e);
            throws_told++;
        } else {
            CHECK_INT(throws_told, 0); // once told they stay
        }
        if (step % test_count(60, 10) == 0) {
            cg_knot_report full = look(&r);
            CHECK_STR(full.name, e.name);
            check_throws(&full, &e);
        }
    }
    printf("%d changes of the number of vertices in %d steps, %d of them with throws, computed %lld\n", changes, steps,
           throws_told, cg_knot_tracker_computed(tracker));
    CHECK(changes > 5 && throws_told > 0);
    cg_knot_tracker_destroy(tracker);
    cg_world_destroy(r.world);
}

TEST(two_threads_tightening_and_slipping)
{
    static const expectation list[] = {
        {CG_CURVE_REEF, "3_1#m3_1", "square", "1=1"},
        {CG_CURVE_GRANNY, "m3_1#m3_1", "granny", "1x1"},
        {CG_CURVE_THIEF, "3_1#m3_1", "thief", "1=1"},
        {CG_CURVE_GRIEF, "m3_1#m3_1", "grief", "1x1"},
    };
    static const double frictions[] = {0.4, 0.1};
    for (int i = 0; i < 8; i += test_counts(1, 3, 1)) {
        const expectation *e = &list[i / 2];
        rig r;
        if (!tie(&r, (rig_def){.kind = e->kind, .threads = 2, .friction = frictions[i % 2]})) {
            continue;
        }
        bool gone = false;
        int named = 0, looks = 0;
        for (int step = 1; step <= test_count(60, 3000); step++) {
            pull(&r, step < 50 ? 0.02 * step : 1.0);
            cg_world_step(r.world);
            if (step % test_count(4, 10) != 0) {
                continue;
            }
            cg_knot_report report = look(&r);
            looks++;
            // Pulled across, a knot soon turns into hitches around a straight strand, and may be told as such.
            bool across = e->kind == CG_CURVE_THIEF || e->kind == CG_CURVE_GRIEF;
            bool hitches = strcmp(report.common, "slip") == 0 || strcmp(report.common, "half hitches") == 0;
            if (strcmp(report.common, e->common) == 0 || (across && hitches)) {
                CHECK_STR(report.name, e->name);
                CHECK(!gone); // a knot that slipped apart does not come back
                named++;
            } else {
                // Tails were pulled in: the knot is no longer there, or it cannot be told for certain.
                gone = gone || report.certain;
                CHECK(frictions[i % 2] < 0.3 || !report.certain);
            }
        }
        printf("%s at friction %g: %d of %d looks\n", e->common, frictions[i % 2], named, looks);
        CHECK(named > 2);
        cg_world_destroy(r.world);
    }
}
