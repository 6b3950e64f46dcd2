// Threads that stick to tissue: the law of one fibre, what it takes to peel a thread off, and what is left then.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"
#include "laws/fibre.h"
#include "laws/tie.h"
#include "thread/slide.h"
#include "world/world.h"

static const double STRENGTH = 30; // [N/m]
static const double REACH = 0.2e-3;

TEST(a_bond_bears_what_the_law_says_and_takes_its_work)
{
    const cg_cohesion law = {.strength = 0.03, .stiffness = 150};
    double first = law.strength / law.stiffness, work = 0;
    int parts = 100000;
    for (int i = 0; i < parts; i++) {
        double width = CG_BOND_END * first / parts;
        work += width * cohesion_bears(law, (i + 0.5) * width);
    }
    CHECK_NEAR(cohesion_bears(law, 0.5 * first), 0.015, 1e-15);
    CHECK_NEAR(cohesion_bears(law, 2 * first), 0.03, 1e-15);
    CHECK_NEAR(cohesion_bears(law, 4 * first), 0.015, 1e-15);
    CHECK_NEAR(cohesion_bears(law, 5 * first), 0, 0);
    CHECK_NEAR(COHESION_WORK, 3.5, 0);
    CHECK_NEAR(work, COHESION_WORK * law.strength * first, 1e-9 * work);
    CHECK(cohesion_holds(law, 4.99 * first) && !cohesion_holds(law, 5.01 * first));
    CHECK_NEAR(cohesion_left(law, 4 * first), 0.015 / (4 * first), 1e-9); // softer for good
    CHECK_NEAR(cohesion_strength_left(law, 4 * first), 0.015, 1e-15);
}

static double energy_at(const cg_fibre *fibre, cg_vec3 apart)
{
    double opening = fmax(v3_length(apart) - fibre->rest, 0);
    return 0.5 * fibre->left * opening * opening;
}

static cg_vec3 force_at(const cg_fibre *fibre, cg_vec3 apart)
{
    cg_fibre_pull pull = cg_fibre_pull_at(fibre, apart);
    return v3_scale(-pull.force, pull.axis);
}

// Force by finite differences of the energy, and its slopes along and across by those of the force.
TEST(pull_and_slopes_are_derivatives)
{
    uint64_t random = 24;
    const cg_fibre fibre = {.rest = 0.4e-3, .left = 150};
    for (int turn = 0; turn < 200; turn++) {
        cg_vec3 d = v3_unit_or(
            v3(test_random(&random, -1, 1), test_random(&random, -1, 1), test_random(&random, -1, 1)), v3(1, 0, 0));
        cg_vec3 apart = v3_scale(test_random(&random, 0.42e-3, 1.4e-3), d), unit[3] = {{1, 0, 0}, {0, 1, 0}};
        unit[2] = v3(0, 0, 1);
        cg_fibre_pull pull = cg_fibre_pull_at(&fibre, apart);
        for (int k = 0; k < 3; k++) {
            const double small = 1e-8;
            cg_vec3 ahead = v3_add_scaled(apart, small, unit[k]), behind = v3_add_scaled(apart, -small, unit[k]);
            double by_energy = -(energy_at(&fibre, ahead) - energy_at(&fibre, behind)) / (2 * small);
            CHECK_NEAR(v3_dot(force_at(&fibre, apart), unit[k]), by_energy, 1e-7);
            cg_vec3 slope = v3_scale(0.5 / small, v3_sub(force_at(&fibre, ahead), force_at(&fibre, behind)));
            double along = v3_dot(unit[k], pull.axis);
            cg_vec3 expected = v3_scale(-pull.across, v3_add_scaled(unit[k], -along, pull.axis));
            expected = v3_add_scaled(expected, -fibre.left * along, pull.axis);
            CHECK_NEAR(v3_distance(slope, expected), 0, 1e-3);
        }
        CHECK_NEAR(cg_fibre_pull_at(&fibre, v3_scale(0.39e-3, d)).force, 0, 0); // slack
    }
}

// A thread along x over a pad, held at its start by a hand; all but 6 mm of it sticks.
typedef struct rig {
    cg_world *world;
    cg_thread_id thread;
    cg_tissue_id pad;
    cg_hand_id hand;
    double mass; // [kg] of the thread
} rig;

enum { VERTICES = 31 };

static cg_thread_def thread_def(cg_vec3 positions[VERTICES])
{
    cg_thread_def def = cg_thread_def_default();
    for (int i = 0; i < VERTICES; i++) {
        positions[i] = v3(-15e-3 + 1e-3 * i, 0.2e-3, 0.6e-3);
    }
    def.vertex_count = VERTICES;
    def.positions = positions;
    def.radius = 0.3e-3;
    def.youngs_modulus = 50e6;
    def.bend_stiffness = 5e-9;
    def.drag = 5;
    def.damping_time = 2e-3;
    return def;
}

static cg_tissue_def pad_def(void)
{
    cg_tissue_def pad = cg_tissue_def_default();
    pad.size = v3(36e-3, 8e-3, 0);
    pad.layers[0].thickness = 4e-3;
    pad.layers[0].material.young = 100e3;
    pad.spacing = 4e-3;
    return pad;
}

// Nothing sticks yet.
static rig make_rig_of(const cg_thread_def *thread, const cg_tissue_def *pad)
{
    rig r = {0};
    cg_world_def world = cg_world_def_default();
    cg_hand_def hand = cg_hand_def_default();
    world.max_contacts = 60;
    world.gravity = v3_zero();
    hand.pose.position = thread->positions[0];
    hand.jaw_length = 0;
    hand.turn_stiffness = 0;
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    CHECK_STR(cg_world_add_thread(r.world, thread, &r.thread).message, "");
    CHECK_STR(cg_world_add_tissue(r.world, pad, &r.pad).message, "");
    CHECK_STR(cg_world_add_hand(r.world, &hand, &r.hand).message, "");
    CHECK_STR(cg_hand_close(r.world, r.hand).message, "");
    const cg_thread *inside = cg_world_find_thread(r.world, r.thread);
    for (int i = 0; i < VERTICES; i++) {
        r.mass += inside->mass[i];
    }
    return r;
}

static rig make_loose_rig(void)
{
    cg_vec3 positions[VERTICES];
    cg_thread_def thread = thread_def(positions);
    cg_tissue_def pad = pad_def();
    return make_rig_of(&thread, &pad);
}

static cg_adhesion_def adhesion_of(const rig *r)
{
    cg_adhesion_def adhesion = cg_adhesion_def_default();
    adhesion.thread = r->thread;
    adhesion.tissue = r->pad;
    adhesion.from = 5.5e-3;
    adhesion.strength = STRENGTH;
    adhesion.reach = REACH;
    return adhesion;
}

static void stick(rig *r)
{
    cg_adhesion_def adhesion = adhesion_of(r);
    CHECK_STR(cg_world_add_adhesion(r->world, &adhesion).message, "");
    CHECK_INT(cg_world_adhesion_count(r->world), VERTICES - 6);
}

static rig make_rig(void)
{
    rig r = make_loose_rig();
    stick(&r);
    return r;
}

static void lead(rig *r, cg_vec3 place, double seconds)
{
    cg_transform pose = cg_hand_get_state(r->world, r->hand).pose;
    pose.position = place;
    CHECK_STR(cg_hand_move(r->world, r->hand, pose, seconds).message, "");
}

// The mean of what the hand feels upwards, and the most it feels at all.
typedef struct felt {
    double mean, most; // [N]
} felt;

static felt go_on(rig *r, int steps)
{
    felt sum = {0};
    for (int i = 0; i < steps; i++) {
        cg_world_step(r->world);
        cg_vec3 force = cg_hand_get_state(r->world, r->hand).force;
        sum.mean -= force.z / steps;
        sum.most = fmax(sum.most, v3_length(force));
    }
    return sum;
}

// Upright, peeling goes on at the work by length that the bonds take, whatever thread and tissue do meanwhile; when the
// last one has given, the thread's weight is left and no more.
TEST(peeling_takes_the_work_of_the_bonds_and_then_nothing)
{
    rig r = make_rig();
    double takes = COHESION_WORK * STRENGTH * REACH;
    lead(&r, v3(-9.5e-3, 0.2e-3, 6e-3), 0.2);
    go_on(&r, 250);
    lead(&r, v3(4.5e-3, 0.2e-3, 20e-3), 0.7);
    go_on(&r, 150);
    int before = cg_world_adhesion_count(r.world);
    felt peeling = go_on(&r, 500); // 10 mm
    CHECK_INT(before - cg_world_adhesion_count(r.world), 10);
    CHECK_NEAR(peeling.mean, takes, 0.06 * takes);
    CHECK(peeling.most < 2.5 * takes);
    lead(&r, v3(15e-3, 0.2e-3, 45e-3), 0.4);
    go_on(&r, 500);
    CHECK_INT(cg_world_adhesion_count(r.world), 0);
    CHECK_STR(cg_world_set_gravity(r.world, v3(0, 0, -9.81)).message, "");
    go_on(&r, 600);
    felt hanging = go_on(&r, 100);
    CHECK_NEAR(hanging.mean, 9.81 * r.mass, 0.03 * 9.81 * r.mass);
    cg_world_destroy(r.world);
}

// Drawn along the tissue all bonds bear together: many times as much.
TEST(dragging_takes_far_more_than_peeling)
{
    rig r = make_rig();
    lead(&r, v3(-25e-3, 0.2e-3, 0.6e-3), 0.4);
    felt dragging = go_on(&r, 400);
    CHECK(dragging.most > 10 * COHESION_WORK * STRENGTH * REACH);
    CHECK(dragging.most < STRENGTH * (VERTICES - 6) * 1e-3 * 1.1);
    cg_world_destroy(r.world);
}

typedef struct saved {
    size_t size;
    void *bytes;
} saved;

static saved save(const rig *r)
{
    saved state = {.size = cg_world_snapshot_size(r->world)};
    state.bytes = malloc(state.size);
    CHECK_STR(cg_world_snapshot(r->world, state.bytes, state.size).message, "");
    return state;
}

TEST(a_restored_world_goes_on_to_the_bit)
{
    rig r = make_rig(), fresh = make_rig();
    lead(&r, v3(-9.5e-3, 0.2e-3, 12e-3), 0.2);
    go_on(&r, 150);
    saved state = save(&r);
    int count = cg_world_adhesion_count(r.world);
    CHECK(count > 0 && count < VERTICES - 6);
    go_on(&r, 50);
    uint64_t hash = cg_world_state_hash(r.world);
    CHECK(cg_world_adhesion_count(r.world) < count);
    rig *both[2] = {&r, &fresh};
    for (int i = 0; i < 2; i++) {
        CHECK_STR(cg_world_restore(both[i]->world, state.bytes, state.size).message, "");
        CHECK_INT(cg_world_adhesion_count(both[i]->world), count);
        go_on(both[i], 50);
        CHECK(cg_world_state_hash(both[i]->world) == hash);
        cg_world_destroy(both[i]->world);
    }
    free(state.bytes);
}

// The lists of a tissue are of before the call: nodes that bear the new fibres must be among them.
TEST(what_sticks_later_is_felt_by_the_tissue_at_once)
{
    cg_vec3 positions[VERTICES];
    cg_thread_def thread = thread_def(positions);
    cg_tissue_def pad = pad_def();
    thread.radius = 0.05e-3;
    for (int i = 0; i < VERTICES; i++) {
        positions[i].z = 0.08e-3 + 0.8e-3 * (VERTICES - 1 - i) / VERTICES; // near enough to be listed at its end
    }
    rig r = make_rig_of(&thread, &pad);
    go_on(&r, 5);
    stick(&r);
    lead(&r, v3(-15e-3, 0.2e-3, 3e-3), 0.02);
    saved state = save(&r);
    go_on(&r, 20);
    uint64_t hash = cg_world_state_hash(r.world);
    CHECK_STR(cg_world_restore(r.world, state.bytes, state.size).message, "");
    go_on(&r, 20);
    CHECK(cg_world_state_hash(r.world) == hash);
    free(state.bytes);
    cg_world_destroy(r.world);
}

static cg_vec3 momentum_of(const rig *r)
{
    const cg_thread *thread = cg_world_find_thread(r->world, r->thread);
    const cg_tissue *pad = cg_world_find_tissue(r->world, r->pad);
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < thread->vertex_count; i++) {
        sum = v3_add_scaled(sum, thread->mass[i], thread->velocity[i]);
    }
    for (int i = 0; i < pad->mesh->node_count; i++) {
        sum = v3_add_scaled(sum, pad->mesh->mass[i], pad->velocity[i]);
    }
    return sum;
}

// Nothing holds the pad but the thread: what the hand gives is what both have.
TEST(the_tissue_gets_what_the_thread_gives)
{
    cg_vec3 positions[VERTICES];
    cg_thread_def thread = thread_def(positions);
    cg_tissue_def pad = pad_def();
    thread.drag = 0;
    pad.drag = 0;
    pad.fix_bottom = false;
    rig r = make_rig_of(&thread, &pad);
    stick(&r);
    lead(&r, v3(-13e-3, 0.2e-3, 9e-3), 0.1);
    cg_vec3 given = v3_zero();
    for (int i = 0; i < 100; i++) {
        cg_world_step(r.world);
        given = v3_add_scaled(given, -1e-3, cg_hand_get_state(r.world, r.hand).force);
    }
    cg_vec3 has = momentum_of(&r);
    CHECK(v3_length(given) > 1e-5);
    CHECK_NEAR(v3_distance(has, given), 0, 1e-4 * v3_length(given));
    cg_world_destroy(r.world);
}

// A state that comes from anywhere may say anything: it is refused, and the world stays as it was.
TEST(forged_adhesions_are_refused)
{
    rig r = make_rig();
    go_on(&r, 3);
    cg_fibre good = r.world->fibres[0];
    cg_vec3 positions[VERTICES];
    cg_thread_def chain = thread_def(positions);
    cg_thread_id other;
    for (int i = 0; i < VERTICES; i++) {
        positions[i].z += 0.1;
    }
    chain.model = CG_THREAD_CHAIN;
    CHECK_STR(cg_world_add_thread(r.world, &chain, &other).message, "");
    uint64_t hash = cg_world_state_hash(r.world);
    for (int kind = 0; kind < 10; kind++) {
        cg_fibre *bad = &r.world->fibres[0];
        bad->vertex = kind == 0 ? 1000 : good.vertex;
        bad->triangle = kind == 1 ? 50000000 : good.triangle;
        bad->weights[1] = kind == 2 ? 1e300 : good.weights[1];
        bad->rest = kind == 3 ? -1 : good.rest;
        bad->law.strength = kind == 4 ? 1e300 : good.law.strength;
        bad->law.stiffness = kind == 5 ? 0 : good.law.stiffness;
        bad->force.x = kind == 6 ? 1e300 : good.force.x;
        bad->worst = kind == 7 ? 1e300 : good.worst;
        bad->weights[0] = kind == 8 ? good.weights[0] + 0.1 : good.weights[0];
        bad->thread = kind == 9 ? (cg_handle){other.index, other.generation} : good.thread;
        size_t size = cg_world_snapshot_size(r.world);
        void *bytes = malloc(size);
        CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
        *bad = good;
        CHECK_INT(cg_world_restore(r.world, bytes, size).code, CG_BAD_INPUT);
        CHECK(cg_world_state_hash(r.world) == hash);
        free(bytes);
    }
    cg_world_destroy(r.world);
}

TEST(steps_take_no_memory)
{
    rig r = make_rig();
    lead(&r, v3(-9.5e-3, 0.2e-3, 6e-3), 0.05);
    go_on(&r, 2);
    long before = test_allocations();
    go_on(&r, 60);
    CHECK_INT(test_allocations() - before, 0);
    cg_world_destroy(r.world);
}

TEST(what_is_gone_does_not_stick)
{
    rig r = make_rig();
    const cg_vec3 path[2] = {{1e-3, -6e-3, 1e-3}, {1e-3, 6e-3, 1e-3}}, down[2] = {{0, 0, -4e-3}, {0, 0, -4e-3}};
    go_on(&r, 2);
    int before = cg_world_adhesion_count(r.world);
    CHECK_STR(cg_tissue_cut(r.world, r.pad, path, down, 2, NULL).message, "");
    CHECK(cg_world_adhesion_count(r.world) < before); // triangles that were cut
    go_on(&r, 3);
    CHECK_STR(cg_world_remove_tissue(r.world, r.pad).message, "");
    go_on(&r, 2);
    CHECK_INT(cg_world_adhesion_count(r.world), 0);
    cg_world_destroy(r.world);
}

// At once, and in the order of removal: a state between must not name what came in its place.
TEST(what_is_removed_takes_its_adhesions_along)
{
    for (int kind = 0; kind < 2; kind++) {
        rig r = make_loose_rig();
        cg_vec3 positions[VERTICES];
        cg_thread_def thread = thread_def(positions);
        cg_tissue_def pad = pad_def();
        rig later = r;
        pad.pose.position = v3(0, 0.02, 0);
        for (int i = 0; i < VERTICES; i++) {
            positions[i].y += 0.02;
        }
        CHECK_STR(cg_world_add_thread(r.world, &thread, &later.thread).message, "");
        CHECK_STR(cg_world_add_tissue(r.world, &pad, &later.pad).message, "");
        stick(&later);
        go_on(&r, 2);
        cg_status status =
            kind == 0 ? cg_world_remove_tissue(r.world, later.pad) : cg_world_remove_thread(r.world, later.thread);
        CHECK_STR(status.message, "");
        CHECK_INT(cg_world_adhesion_count(r.world), 0);
        saved state = save(&r);
        go_on(&r, 50);
        uint64_t hash = cg_world_state_hash(r.world);
        CHECK_STR(cg_world_restore(r.world, state.bytes, state.size).message, "");
        CHECK_INT(cg_world_adhesion_count(r.world), 0);
        go_on(&r, 50);
        CHECK(cg_world_state_hash(r.world) == hash);
        free(state.bytes);
        cg_world_destroy(r.world);
    }
}

// Fibres name vertices by number, so these may not begin to come and go.
TEST(a_thread_that_sticks_cannot_be_made_to_be_cut)
{
    rig r = make_rig();
    CHECK_INT(cg_world_reserve_parts(r.world, r.thread, 1).code, CG_BAD_INPUT);
    CHECK_STR(cg_world_reserve_parts(r.world, r.thread, 0).message, "");
    saved state = save(&r);
    CHECK_STR(cg_world_restore(r.world, state.bytes, state.size).message, "");
    free(state.bytes);
    lead(&r, v3(15e-3, 0.2e-3, 45e-3), 0.4);
    go_on(&r, 700);
    CHECK_INT(cg_world_adhesion_count(r.world), 0);
    CHECK_STR(cg_world_reserve_parts(r.world, r.thread, 1).message, ""); // it does not stick any more
    cg_world_destroy(r.world);
}

// Anchors and fibres have rooms of their own, and what finds none is counted.
TEST(fibres_have_room_beside_all_anchors)
{
    enum { THREADS = 11, ANCHORS = THREADS * CG_MOST_ANCHORS };
    cg_touch_set *set = calloc(1, sizeof *set);
    cg_skin *skin = calloc(1, sizeof *skin);
    cg_thread *threads = calloc(THREADS, sizeof *threads), *named[THREADS];
    cg_thread_slide *slides = calloc(THREADS, sizeof *slides);
    cg_fibre *fibres = calloc(CG_WORLD_MOST_FIBRES, sizeof *fibres);
    for (int c = 0; c < THREADS; c++) {
        slides[c].count = CG_MOST_ANCHORS;
        threads[c].slide = &slides[c];
        named[c] = &threads[c];
    }
    for (int i = 0; i < CG_WORLD_MOST_FIBRES; i++) {
        fibres[i].triangle = 1000 + i;
    }
    set->cast.threads = named;
    set->cast.thread_count = THREADS;
    set->cast.skins[0] = skin;
    set->cast.skin_count = 1;
    set->cast.fibres = fibres;
    set->cast.fibre_count = CG_WORLD_MOST_FIBRES;
    cg_touch_note_ties(set);
    cg_touch_note_fibres(set);
    CHECK_INT(skin->tie_count, CG_SKIN_MOST_TIES + CG_WORLD_MOST_FIBRES);
    CHECK_INT(skin->tied[skin->tie_count - 1], 1000 + CG_WORLD_MOST_FIBRES - 1);
    CHECK_INT(skin->lost_ties, ANCHORS - CG_SKIN_MOST_TIES);
    free(fibres);
    free(slides);
    free(threads);
    free(skin);
    free(set);
}

// Worlds that are equal load each other's states, whatever they had or were refused before.
TEST(a_world_without_adhesions_has_one_state)
{
    rig had = make_rig(), never = make_loose_rig();
    uint64_t hash = cg_world_state_hash(never.world);
    saved state = save(&never);
    cg_adhesion_def far = adhesion_of(&never);
    far.from = 0.5; // beyond its end
    CHECK_INT(cg_world_add_adhesion(never.world, &far).code, CG_BAD_INPUT);
    CHECK(cg_world_state_hash(never.world) == hash);
    CHECK_INT(cg_world_snapshot_size(never.world), state.size);
    CHECK_STR(cg_world_restore(never.world, state.bytes, state.size).message, "");
    CHECK_STR(cg_world_restore(had.world, state.bytes, state.size).message, "");
    CHECK_INT(cg_world_adhesion_count(had.world), 0);
    CHECK(cg_world_state_hash(had.world) == hash);
    saved back = save(&had);
    CHECK_STR(cg_world_restore(never.world, back.bytes, back.size).message, "");
    CHECK(cg_world_state_hash(never.world) == hash);
    free(back.bytes);
    free(state.bytes);
    cg_world_destroy(had.world);
    cg_world_destroy(never.world);
}

TEST(bad_adhesions_are_refused)
{
    rig r = make_rig();
    cg_vec3 positions[VERTICES];
    cg_thread_def following = thread_def(positions);
    cg_adhesion_def def = cg_adhesion_def_default();
    def.tissue = r.pad;
    CHECK_INT(cg_world_add_adhesion(r.world, &def).code, CG_BAD_HANDLE);
    def.thread = r.thread;
    def.strength = 0;
    CHECK_INT(cg_world_add_adhesion(r.world, &def).code, CG_BAD_INPUT);
    def.strength = STRENGTH;
    def.from = 0.02;
    def.to = 0.01;
    CHECK_INT(cg_world_add_adhesion(r.world, &def).code, CG_BAD_INPUT);
    def.from = 0.5; // beyond its end
    def.to = 0;
    CHECK_INT(cg_world_add_adhesion(r.world, &def).code, CG_BAD_INPUT);
    for (int i = 0; i < VERTICES; i++) {
        positions[i].y += 2e-3;
    }
    following.spacing.follow = true;
    CHECK_STR(cg_world_add_thread(r.world, &following, &def.thread).message, "");
    def.from = 0;
    CHECK_INT(cg_world_add_adhesion(r.world, &def).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_adhesion_count(r.world), VERTICES - 6);
    cg_world_destroy(r.world);
}
