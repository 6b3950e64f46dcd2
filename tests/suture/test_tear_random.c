// label: slow
// Bites that tear, threads that break and are cut, at random, while hands pull them this way and that, threads slide
// through their holes and lie on the skin: meshes stay valid and keep their mass, anchors are where there is tissue,
// nothing is infinite, and a world that is restored half way goes on to the bit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "tear_rig.h"
#include "thread/slide.h"
#include "world/world.h"

// Small, since making a world costs as much as a hundred steps of it: memory is what it pays for.
enum {
    THREADS = 2,
    MOST_POINTS = 200,
    MOST_NODES = 900,
    MOST_CONTACTS = 100,
    STEPS = 160,
    PULL_TIME = 40,
    CALM_AFTER = 4
};
static const double SPACING = 0.8e-3, TAIL = 8e-3, THICK = 3e-3;

// Steps by what may be asked of the thread in its holes.
typedef enum kind { WHOLE, UNFINISHED, TEARING, KINDS } kind;
// [m] Most that thread may be off its hole. 248,960 steps had 0.80, 1.52 and 2.50 mm. A tear takes a hole from the top
// of the sheet to a lip, anywhere between top and bottom, before the thread has gone there: so by no more than the
// sheet is thick. What a step that was not made whole lacks has no such measure: its bound is what was seen and a
// third.
static const double MOST_OFF[KINDS] = {1e-3, 2e-3, THICK};

typedef struct rig {
    cg_world *world;
    cg_tissue_id sheet;
    cg_thread_id threads[THREADS];
    cg_hand_id hands[2 * THREADS], scalpel;
    double mass; // [kg] of the tissue as it began
} rig;

typedef struct tally {
    int tears, through, breaks, cuts, restored, slid, touched;
    int steps, unfinished;
    int calm;          // steps of this world since its last tear
    int looks[KINDS];  // at anchors
    double off[KINDS]; // [m] most that thread was off its hole
} tally;

static void add_sheet(rig *r, uint64_t *random)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = v3(20e-3, 14e-3, 0);
    def.pose.position = v3(0, -7e-3, 0);
    def.layers[0].thickness = THICK;
    def.layers[0].material.young = 500e3;
    // In some the tissue gives way first, in others the thread.
    def.layers[0].material.tear_resistance =
        test_random_int(random, 0, 1) == 0 ? test_random(random, 50, 400) : test_random(random, 1500, 4000);
    def.max_nodes = test_random_int(random, 0, 5) == 0 ? 0 : MOST_NODES; // now and then room runs out
    def.fix_rim = test_random_int(random, 0, 1) == 1;
    CHECK_STR(cg_world_add_tissue(r->world, &def, &r->sheet).message, "");
    r->mass = cg_tissue_get_summary(r->world, r->sheet).mass;
}

static void add_stitch(rig *r, int t, uint64_t *random)
{
    double x = (t - 0.5) * 8e-3 + test_random(random, -1e-3, 1e-3), bite = test_random(random, 1e-3, 5e-3);
    cg_vec3 low = v3(x, 0, -test_random(random, 0.5e-3, 2.5e-3));
    cg_vec3 points[MOST_POINTS],
        corners[4] = {v3(x - 1e-3, TAIL, 9e-3), v3(x, -bite, 0), low, v3(x + 1e-3, TAIL, 7e-3)};
    cg_thread_def thread = cg_thread_def_default();
    thread.vertex_count = rig_lay_points(corners, 4, SPACING, points);
    thread.positions = points;
    thread.drag = 30;
    thread.breaking_force = test_random_int(random, 0, 2) > 0 ? test_random(random, 0.2, 1.5) : 0;
    thread.spacing = (cg_spacing){.follow = true, .fine = SPACING, .coarse = SPACING};
    cg_stitch_def stitch = cg_stitch_def_default();
    CHECK_STR(cg_world_add_thread(r->world, &thread, &r->threads[t]).message, "");
    CHECK_STR(cg_world_reserve_parts(r->world, r->threads[t], 4).message, "");
    stitch.thread = r->threads[t];
    stitch.tissue = r->sheet;
    stitch.points = corners + 1;
    stitch.point_count = 2;
    CHECK_STR(cg_world_add_stitch(r->world, &stitch).message, "");
    for (int end = 0; end < 2; end++) {
        cg_hand_def hand = cg_hand_def_default();
        hand.pose.position = corners[3 * end];
        hand.max_force = 6;
        CHECK_STR(cg_world_add_hand(r->world, &hand, &r->hands[2 * t + end]).message, "");
        CHECK_STR(cg_hand_close(r->world, r->hands[2 * t + end]).message, "");
    }
}

static rig make_rig(uint64_t seed)
{
    rig r = {0};
    uint64_t random = seed;
    cg_world_def world = cg_world_def_default();
    world.max_threads = 10;
    world.max_contacts = MOST_CONTACTS;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    add_sheet(&r, &random);
    for (int t = 0; t < THREADS; t++) {
        add_stitch(&r, t, &random);
    }
    cg_hand_def scalpel = cg_hand_def_default();
    scalpel.tool = CG_TOOL_SCALPEL;
    scalpel.edge = v3(0, 0, 4e-3);
    scalpel.blade_width = 0; // the edge alone
    scalpel.pose.position = v3(-15e-3, 5e-3, 1e-3);
    CHECK_STR(cg_world_add_hand(r.world, &scalpel, &r.scalpel).message, "");
    CHECK_STR(cg_hand_close(r.world, r.scalpel).message, "");
    return r;
}

// What hands do next follows from the number of the step alone, so that a restored world does the same.
static void tell_hands(const rig *r, uint64_t seed, int step)
{
    uint64_t random = seed * 7919 + (uint64_t)step;
    for (int k = 0; k < 2 * THREADS; k++) {
        cg_vec3 way = v3(test_random(&random, -8e-3, 8e-3), test_random(&random, 10e-3, 30e-3),
                         test_random(&random, 4e-3, 20e-3));
        cg_hand_move(r->world, r->hands[k], (cg_transform){way, quat_identity()}, PULL_TIME * 1e-3);
    }
    cg_vec3 to =
        v3(test_random(&random, -12e-3, 12e-3), test_random(&random, -6e-3, 12e-3), test_random(&random, -1e-3, 6e-3));
    bool is_quick = test_random_int(&random, 0, 2) == 0;
    cg_hand_move(r->world, r->scalpel, (cg_transform){to, quat_identity()}, is_quick ? 4e-3 : PULL_TIME * 1e-3);
}

static void step(const rig *r, uint64_t seed, int k)
{
    if (k % PULL_TIME == 0) {
        tell_hands(r, seed, k);
    }
    cg_world_step(r->world);
}

static void count_events(const rig *r, int threads, tally *sum)
{
    const cg_tissue_tear *tears;
    const cg_thread_break *breaks;
    int torn = cg_world_tears(r->world, &tears), broken = cg_world_breaks(r->world, &breaks);
    for (int i = 0; i < torn; i++) {
        sum->tears += tears[i].is_first && tears[i].length > 0;
        sum->through += tears[i].is_through;
        const cg_thread *thread = cg_world_find_thread(r->world, tears[i].thread); // it has one bite
        CHECK(!tears[i].is_through || thread == NULL || cg_slide_count(thread) == 0);
    }
    sum->breaks += broken;
    sum->cuts += cg_world_count_threads(r->world) - threads - broken;
}

// A tear moves holes ahead of the thread: by its way in a step, longer where the tissue is stretched, or from the top
// to a lip. CALM_AFTER was chosen, not measured: the thread gets some steps to follow.
static kind kind_of(const tally *sum, bool is_whole)
{
    return sum->calm < CALM_AFTER ? TEARING : is_whole ? WHOLE : UNFINISHED;
}

// Thread is in its holes. Not yet so in a step that could not be made whole, which the world counts, nor behind a tear.
static bool check_anchors(const rig *r, uint64_t unfinished, tally *sum)
{
    const cg_tissue_tear *tears;
    cg_anchor anchor;
    bool ok = true, is_whole = cg_world_get_stats(r->world).unfinished_steps == unfinished;
    sum->calm = cg_world_tears(r->world, &tears) > 0 ? 0 : sum->calm + 1;
    kind now = kind_of(sum, is_whole);
    for (int k = 0; cg_world_get_anchor(r->world, k, &anchor) && ok; k++) {
        sum->looks[now]++;
        sum->off[now] = fmax(sum->off[now], anchor.offset);
        ok = CHECK(anchor.offset < MOST_OFF[now] && v3_is_finite(anchor.force));
    }
    sum->steps++;
    sum->unfinished += !is_whole;
    return ok;
}

static bool check_all(const rig *r, tally *sum)
{
    const cg_tissue *tissue = cg_world_find_tissue(r->world, r->sheet);
    bool ok = CHECK_STR(cg_mesh_validate(tissue->mesh).message, "");
    ok = CHECK_NEAR(cg_mesh_total_mass(tissue->mesh), r->mass, 1e-9 * r->mass) && ok;
    cg_anchor anchor;
    for (int k = 0; cg_world_get_anchor(r->world, k, &anchor); k++) {
        sum->slid += fabs(anchor.slip) > 0;
    }
    cg_contact_info contact;
    for (int k = 0; cg_world_get_contact(r->world, k, &contact); k++) {
        sum->touched += contact.threads[0].index != 0 && contact.triangles[1] >= 0;
    }
    ok = CHECK(cg_world_anchors_are_sound(r->world) && cg_world_tears_are_sound(r->world)) && ok;
    for (const cg_thread_slot *s = cg_world_first_thread(r->world); s != NULL; s = cg_world_next_thread(r->world, s)) {
        ok = CHECK(cg_slide_is_sound(s->thread)) && ok;
        for (int i = 0; i < s->thread->vertex_count; i++) {
            ok = CHECK(v3_is_finite(s->thread->shape.position[i])) && ok;
        }
    }
    return CHECK_INT((int)cg_world_get_stats(r->world).recovered_steps, 0) && ok;
}

// Runs a world, and from half way on another one that was restored from it.
static bool run_one(uint64_t seed, tally *sum)
{
    rig r = make_rig(seed), other = {0};
    bool ok = true, is_compared = seed % 4 == 0;
    sum->calm = CALM_AFTER; // nothing is torn in it yet
    for (int k = 0; k < STEPS && ok; k++) {
        int threads = cg_world_count_threads(r.world), before = sum->tears + sum->breaks + sum->cuts;
        uint64_t unfinished = cg_world_get_stats(r.world).unfinished_steps;
        step(&r, seed, k);
        count_events(&r, threads, sum);
        ok = check_anchors(&r, unfinished, sum);
        if (sum->tears + sum->breaks + sum->cuts > before || k + 1 == STEPS) {
            ok = check_all(&r, sum) && ok;
        }
        if (is_compared && k == STEPS / 2) {
            size_t size = cg_world_snapshot_size(r.world);
            void *bytes = malloc(size);
            other = make_rig(seed);
            CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
            ok = CHECK_STR(cg_world_restore(other.world, bytes, size).message, "") && ok;
            free(bytes);
        } else if (other.world != NULL) {
            step(&other, seed, k);
            ok = CHECK(cg_world_state_hash(r.world) == cg_world_state_hash(other.world)) && ok;
        }
    }
    sum->restored += other.world != NULL;
    cg_world_destroy(r.world);
    cg_world_destroy(other.world);
    if (!ok) {
        printf("seed %d\n", (int)seed);
    }
    return ok;
}

TEST(random_tears_breaks_and_cuts_keep_everything_that_must_hold)
{
    tally sum = {0};
    int wanted = test_count(test_is_sanitized() ? 12 : 30, 10000), each = wanted / 10, round = 0;
    bool ok = true;
    while (ok && round < 20 * wanted &&
           (sum.tears + sum.breaks + sum.cuts < wanted || sum.tears < each || sum.breaks < each || sum.cuts < each)) {
        ok = run_one((uint64_t)round++, &sum);
    }
    printf("%d rounds: %d tears, %d of them to the edge, %d breaks, %d cuts, %d restored; at events %d anchors slid, "
           "%d contacts with skin\n",
           round, sum.tears, sum.through, sum.breaks, sum.cuts, sum.restored, sum.slid, sum.touched);
    printf("%d steps, %d unfinished; thread off its hole by at most %.3f mm (%d looks), %.2f mm in those (%d), %.2f mm "
           "in those of tears (%d)\n",
           sum.steps, sum.unfinished, 1e3 * sum.off[WHOLE], sum.looks[WHOLE], 1e3 * sum.off[UNFINISHED],
           sum.looks[UNFINISHED], 1e3 * sum.off[TEARING], sum.looks[TEARING]);
    // Some worlds end every step unfinished from some event on, so a small count may have more: 24 % of the first six,
    // 3 % of 1,589. The bound of whole steps must be asked often enough to be one.
    CHECK(sum.unfinished < (test_is_full() ? 0.05 : 0.3) * sum.steps);
    CHECK(sum.looks[WHOLE] >
          (test_is_full() ? 0.5 : 0.25) * (sum.looks[WHOLE] + sum.looks[UNFINISHED] + sum.looks[TEARING]));
    CHECK(sum.tears >= each && sum.breaks >= each && sum.cuts >= each && sum.restored > 0);
    CHECK(sum.slid > 0 && sum.touched > 0);
}
