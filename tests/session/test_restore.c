// label: slow
// A session that goes back to a state goes on from it to the last bit, whatever it lived in between: all that steers
// the future is in a snapshot, and nothing else is in the hash. Worlds of every kind, driven by random operations.
#include <stdio.h>

#include "session_rig.h"
#include "worlds.h"

static int any(uint64_t *seed, int count)
{
    return test_random_int(seed, 0, count - 1);
}

static cg_vec3 any_vector(uint64_t *seed, double most)
{
    double x = test_random(seed, -most, most), y = test_random(seed, -most, most);
    return v3(x, y, test_random(seed, -most, most));
}

static cg_quat any_rotation(uint64_t *seed)
{
    cg_vec3 v = any_vector(seed, 0.5);
    return (cg_quat){v.x, v.y, v.z, 1};
}

static void choose_for_thread(cg_operation *o, const cg_session *session, uint64_t *seed)
{
    const cg_world *world = cg_session_world(session);
    int thread = any(seed, 4), vertex, count;
    const cg_vec3 *x = cg_thread_positions(world, cg_session_thread(session, thread), &count);
    if (x == NULL) {
        return; // there are not so many: the operation is refused
    }
    vertex = any(seed, count);
    switch (any(seed, 7)) {
    case 0:
        o->kind = CG_OPERATION_push_vertex;
        o->as.push_vertex = (cg_operation_push_vertex){thread, vertex, any_vector(seed, 1e-3)};
        break;
    case 1:
        o->kind = CG_OPERATION_push_moment;
        o->as.push_moment = (cg_operation_push_moment){thread, any(seed, count - 1), any_vector(seed, 1e-6)};
        break;
    case 2:
        o->kind = CG_OPERATION_hold;
        o->as.hold = (cg_operation_hold){thread, vertex, v3_add(x[vertex], any_vector(seed, 1e-4))};
        break;
    case 3:
        o->kind = CG_OPERATION_release;
        o->as.release = (cg_operation_release){thread, vertex};
        break;
    case 4:
        o->kind = CG_OPERATION_set_added_mass;
        o->as.set_added_mass = (cg_operation_set_added_mass){thread, vertex, test_random(seed, 0, 1e-6)};
        break;
    default: {
        cg_end end = any(seed, 2) == 0 ? CG_START : CG_FINISH;
        cg_vec3 at = v3_add(x[end == CG_START ? 0 : count - 1], any_vector(seed, 1e-4));
        cg_end_kind kinds[3] = {CG_END_FREE, CG_END_PINNED, CG_END_CLAMPED};
        o->kind = CG_OPERATION_set_end;
        o->as.set_end = (cg_operation_set_end){thread, end, kinds[any(seed, 3)], at, v3_zero(), 0};
        break;
    }
    }
}

static void choose_for_hand(cg_operation *o, uint64_t *seed)
{
    static const cg_hand_tool tools[] = {CG_TOOL_GRASPER, CG_TOOL_PROBE, CG_TOOL_SCALPEL, CG_TOOL_HOOK};
    int hand = any(seed, 3);
    switch (any(seed, 8)) {
    case 0:
        o->kind = CG_OPERATION_open_hand;
        o->as.open_hand = (cg_operation_open_hand){hand};
        break;
    case 1:
    case 2:
        o->kind = CG_OPERATION_close_hand;
        o->as.close_hand = (cg_operation_close_hand){hand};
        break;
    case 3:
        o->kind = CG_OPERATION_hand_tool;
        o->as.hand_tool = (cg_operation_hand_tool){hand, tools[any(seed, 4)]};
        break;
    default:
        o->kind = CG_OPERATION_move_hand;
        o->as.move_hand =
            (cg_operation_move_hand){hand, any_vector(seed, 4e-3), any_rotation(seed), test_random(seed, 0, 0.05)};
        break;
    }
}

static void choose_for_tissue(cg_operation *o, const cg_session *session, uint64_t *seed)
{
    int tissue = any(seed, 2), node, count;
    const cg_vec3 *x = cg_tissue_positions(cg_session_world(session), cg_session_tissue(session, tissue), &count);
    if (x == NULL) {
        return;
    }
    node = any(seed, count);
    switch (any(seed, 3)) {
    case 0:
        o->kind = CG_OPERATION_fix_node;
        o->as.fix_node = (cg_operation_fix_node){tissue, node, any(seed, 2) == 0};
        break;
    case 1:
        o->kind = CG_OPERATION_move_node;
        o->as.move_node = (cg_operation_move_node){tissue, node, v3_add(x[node], any_vector(seed, 1e-4))};
        break;
    default:
        o->kind = CG_OPERATION_push_tissue;
        o->as.push_tissue =
            (cg_operation_push_tissue){tissue, any(seed, 20), v3(0.5, 0.25, 0.25), any_vector(seed, 1e-3)};
        break;
    }
}

// An operation that a session may refuse: it looks at the present state, so equal states get equal ones.
static void do_something(cg_session *session, uint64_t *seed)
{
    cg_operation o = {.kind = CG_OPERATION_set_gravity, .as.set_gravity = {any_vector(seed, 9.81)}};
    switch (any(seed, 8)) {
    case 0:
        break;
    case 1:
        o.kind = CG_OPERATION_move_shape;
        o.as.move_shape = (cg_operation_move_shape){any(seed, 2), any_vector(seed, 5e-3), any_rotation(seed)};
        break;
    case 2:
    case 3:
        choose_for_tissue(&o, session, seed);
        break;
    case 4:
    case 5:
        choose_for_hand(&o, seed);
        break;
    default:
        choose_for_thread(&o, session, seed);
        break;
    }
    cg_session_apply(session, &o);
}

enum { MOST_STEPS = 60 };

// Steps so far in which vertices of the first thread came or went.
static int splits;

static int count_vertices(const cg_session *session)
{
    int count = 0;
    cg_thread_positions(cg_session_world(session), cg_session_thread(session, 0), &count);
    return count;
}

static void live(cg_session *session, uint64_t seed, int steps, uint64_t *hashes)
{
    for (int i = 0; i < steps; i++) {
        int before = count_vertices(session);
        if (any(&seed, 3) == 0) {
            do_something(session, &seed);
        }
        cg_session_step(session);
        hashes[i] = cg_world_state_hash(cg_session_world(session));
        splits += count_vertices(session) != before;
    }
}

// Goes back and lives the same future; false at the first state that differs.
static bool lives_again(cg_session *session, const void *bytes, size_t size, uint64_t hash, uint64_t seed, int steps,
                        const uint64_t *hashes)
{
    uint64_t again[MOST_STEPS];
    bool same = CHECK_STR(cg_session_restore(session, bytes, size).message, "");
    same = same && CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash);
    live(session, seed, steps, again);
    for (int i = 0; i < steps && same; i++) {
        same = CHECK_HASH(again[i], hashes[i]);
    }
    return same;
}

// Of them, those between a state that is kept and the end of the future that is lived again.
static int future_splits;

static bool run(const cg_scene *scene, uint64_t seed, int steps)
{
    cg_session *session = rig_session(scene, NULL), *twin = rig_session(scene, NULL);
    uint64_t hashes[MOST_STEPS], ignored[MOST_STEPS], future = test_random_bits(&seed);
    live(session, test_random_bits(&seed), any(&seed, steps), ignored);
    size_t size = cg_world_snapshot_size(cg_session_world(session));
    void *bytes = malloc(size);
    uint64_t hash = cg_world_state_hash(cg_session_world(session));
    splits = 0;
    CHECK_STR(cg_world_snapshot(cg_session_world(session), bytes, size).message, "");
    live(session, future, steps, hashes);
    future_splits += splits;
    live(session, test_random_bits(&seed), steps, ignored);
    live(twin, test_random_bits(&seed), any(&seed, steps), ignored);
    bool same = lives_again(session, bytes, size, hash, future, steps, hashes) &&
                lives_again(twin, bytes, size, hash, future, steps, hashes);
    free(bytes);
    cg_session_destroy(session);
    cg_session_destroy(twin);
    return same;
}

static void run_many(const char *text, int count, int steps)
{
    cg_scene *scene = rig_scene(text);
    for (int k = 0; k < count && CHECK(run(scene, (uint64_t)k, steps)); k++) {
    }
    cg_scene_free(scene);
}

TEST(threads_go_on_as_they_did)
{
    run_many(WORLD_THREADS, test_counts(40, 10, 5000), 20);
}

TEST(knots_whose_spacing_follows_go_on_as_they_did)
{
    future_splits = 0;
    run_many(WORLD_KNOT, test_counts(2, 1, 1000), test_counts(MOST_STEPS, 15, MOST_STEPS));
    printf("vertices came or went in %d steps\n", future_splits);
    CHECK(future_splits > 0);
}

TEST(tissue_under_tools_goes_on_as_it_did)
{
    run_many(WORLD_WOUND, test_counts(8, 2, 1000), MOST_STEPS);
}

TEST(tissue_of_other_solvers_goes_on_as_it_did)
{
    run_many(WORLD_QUIET, test_counts(20, 3, 1000), 30);
}

// Pushes wait for the next step. Those on vertices that a state does not have are gone with the others, though a split
// may make room for as many again.
TEST(pushes_of_another_future_are_forgotten)
{
    cg_scene *scene = rig_scene(WORLD_KNOT);
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    size_t size = cg_world_snapshot_size(world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(world, bytes, size).message, "");
    uint64_t hashes[MOST_STEPS];
    int before, after;
    cg_thread_positions(world, cg_session_thread(session, 0), &before);
    for (int i = 0; i < MOST_STEPS; i++) {
        cg_session_step(session);
        hashes[i] = cg_world_state_hash(world);
    }
    cg_thread_positions(world, cg_session_thread(session, 0), &after);
    CHECK(after > before);
    for (int i = 0; i < after; i++) {
        cg_operation push = {.kind = CG_OPERATION_push_vertex, .as.push_vertex = {0, i, v3(0, 0, 1e-3)}};
        CHECK_STR(cg_session_apply(session, &push).message, "");
    }
    CHECK_STR(cg_session_restore(session, bytes, size).message, "");
    for (int i = 0; i < MOST_STEPS; i++) {
        cg_session_step(session);
        if (!CHECK_HASH(cg_world_state_hash(world), hashes[i])) {
            break;
        }
    }
    free(bytes);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
