// Structures in worlds: what scenes with constraints show, their state, and what they refuse.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_count.h"
#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/needle.h"
#include "catgut/rigid.h"
#include "catgut/structure.h"
#include "catgut/view.h"
#include "constraint/structure.h"
#include "harness.h"
#include "scene/scene_folder.h"
#include "world/world.h"

static cg_rigid_id body_at(int place)
{
    return (cg_rigid_id){(unsigned)place + 1, 1};
}

static cg_structure_info info_of(const cg_world *world)
{
    cg_structure_info info;
    CHECK(cg_world_get_structure(world, &info));
    return info;
}

static cg_scene *read_text(const char *text)
{
    cg_scene *scene;
    cg_scene_error error;
    CHECK_STR(cg_scene_read(text, strlen(text), "text", NULL, NULL, &scene, &error).message, "");
    return scene;
}

static cg_world *world_of(const char *text)
{
    use_constraints();
    cg_scene *scene = read_text(text);
    cg_world *world = build(scene);
    cg_scene_free(scene);
    return world;
}

// --- scenes ---

static double energy_of(const cg_world *world, int bodies)
{
    double sum = 0;
    for (int i = 0; i < bodies; i++) {
        cg_rigid_info info;
        CHECK(cg_rigid_get_info(world, body_at(i), &info));
        sum += info.kinetic_energy + info.mass * 9.81 * info.centre.z;
    }
    return sum;
}

// Where the far end of a bar was in its own axes, and is now.
static cg_vec3 end_of(const cg_world *world, int body, double along)
{
    cg_transform pose = cg_rigid_get_pose(world, body_at(body));
    return transform_point(pose, v3(along, 0, 0));
}

TEST(the_pendulum_swings_and_no_joint_opens)
{
    use_constraints();
    cg_scene *scene = load("pendulum.json");
    cg_world *world = build(scene);
    double start = energy_of(world, 4), lowest = 0;
    for (int n = 0; n < 2000; n++) {
        cg_world_step(world);
        lowest = fmin(lowest, end_of(world, 3, 15e-3).z);
        for (int i = 0; i < 3; i++) {
            CHECK(v3_distance(end_of(world, i, 15e-3), end_of(world, i + 1, -15e-3)) < 1e-10);
        }
    }
    CHECK(v3_length(end_of(world, 0, -15e-3)) < 1e-10);
    CHECK(lowest < -0.11);              // it has swung through
    CHECK(energy_of(world, 4) < start); // backward Euler only ever loses some
    CHECK_INT(info_of(world).failed_steps, 0);
    CHECK_INT(info_of(world).rows, 4 * 3 + 4);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(the_loop_of_four_has_three_redundant_rows)
{
    use_constraints();
    cg_scene *scene = load("linkage.json");
    cg_world *world = build(scene);
    CHECK_INT(info_of(world).redundant_rows, 3);
    run_for(world, 1);
    cg_structure_info info = info_of(world);
    CHECK(info.violations[0] < 1e-10 && info.violations[1] < 1e-10);
    CHECK_INT(info.failed_steps, 0);
    CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// At rest the joint to space carries all the weight.
TEST(a_joint_carries_what_hangs_on_it)
{
    cg_world *world =
        world_of("{\"hands\": [], \"bodies\": [{\"name\": \"a\", \"mass\": 0.02, \"position\": [0, 0, -0.02],"
                 "\"parts\": [{\"capsule\": {\"radius\": 0.002, \"half_length\": 0.01}}]},"
                 "{\"name\": \"b\", \"mass\": 0.03, \"position\": [0, 0, -0.06],"
                 "\"parts\": [{\"capsule\": {\"radius\": 0.002, \"half_length\": 0.01}}]}],"
                 "\"constraints\": {\"joints\": [{\"kind\": \"point\", \"between\": [{\"body\": \"a\"}], \"position\": "
                 "[0, 0, 0]},"
                 "{\"kind\": \"rod\", \"between\": [{\"body\": \"a\", \"place\": [0, 0, -0.03]},"
                 "{\"body\": \"b\", \"place\": [0, 0, -0.05]}]}]}}");
    run_for(world, 0.1);
    cg_vec3 force;
    CHECK(cg_structure_get_force(world, 0, &force));
    CHECK_NEAR(force.z, 0.05 * 9.81, 1e-9);
    CHECK(!cg_structure_get_force(world, 1, &force)); // a rod holds no point
    CHECK(!cg_structure_get_force(world, 2, &force));
    cg_world_destroy(world);
}

// --- a thread ---

#define HUNG_THREAD                                                                                                    \
    "{\"hands\": [], \"max_contacts\": 0, \"threads\": [{\"name\": \"t\", \"diameter\": \"0.3 mm\", \"drag\": 5, "     \
    "\"damping_time\": \"1 ms\", \"youngs_modulus\": \"1 GPa\", \"density\": \"1.2 g/cm3\", "                          \
    "\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, 0, 0]}}, \"vertices\": 41, \"start\": \"clamped\"}]"

// The same thread by two solvers: as a spline with constraints, and as the world's own.
TEST(a_spline_hangs_as_the_worlds_own_thread)
{
    cg_world *spline = world_of(HUNG_THREAD ", \"constraints\": {\"splines\": [{\"thread\": \"t\", "
                                            "\"control_points\": 20}]}}");
    cg_world *own = world_of(HUNG_THREAD "}");
    CHECK(!cg_world_get_structure(own, &(cg_structure_info){0}));
    run_for(spline, 3);
    run_for(own, 3);
    int count;
    const cg_vec3 *a = cg_thread_positions(spline, thread_at(spline, 0), &count);
    const cg_vec3 *b = cg_thread_positions(own, thread_at(own, 0), &count);
    for (int i = 0; i < count; i++) {
        CHECK(v3_distance(a[i], b[i]) < 0.01 * 0.1);
    }
    CHECK(a[count - 1].z < -0.015);
    // The clamp carries its weight; the pull is that of what hangs farther out, as far as the thread points down.
    double weight = 1200 * CG_PI * 0.15e-3 * 0.15e-3 * 0.1 * 9.81, pulls[40];
    CHECK_NEAR(cg_thread_hold_force(spline, thread_at(spline, 0), 0).z, weight, 0.01 * weight);
    CHECK(cg_thread_tensions(spline, thread_at(spline, 0), pulls, 40).code == CG_OK);
    double slope = (a[20].z - a[21].z) / v3_distance(a[20], a[21]);
    CHECK_NEAR(pulls[20], 0.4875 * weight * slope, 0.05 * weight);
    cg_world_destroy(spline);
    cg_world_destroy(own);
}

TEST(ends_are_led_and_pushes_move_a_spline)
{
    cg_world *world = world_of(HUNG_THREAD ", \"constraints\": {\"splines\": [{\"thread\": \"t\", "
                                           "\"control_points\": 12}]}}");
    cg_thread_id id = thread_at(world, 0);
    for (int n = 1; n <= 100; n++) {
        CHECK_STR(cg_thread_hold(world, id, 0, v3(0, 1e-4 * n, 0)).message, "");
        CHECK_STR(cg_thread_push_vertex(world, id, 40, v3(0, 0, 1e-3)).message, "");
        cg_world_step(world);
    }
    const cg_vec3 *points = cg_thread_positions(world, id, NULL);
    CHECK_NEAR(points[0].y, 0.01, 1e-9);
    CHECK(points[40].z > 0); // pushed up by more than it weighs
    cg_end_hold freed = {.kind = CG_END_FREE};
    CHECK_INT(cg_thread_set_end(world, id, CG_START, &freed).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_hold(world, id, 7, v3_zero()).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_release(world, id, 0).code, CG_BAD_INPUT);
    CHECK_INT(cg_world_remove_thread(world, id).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_state(world, id, points, NULL).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_set_added_mass(world, id, 3, 1e-3).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_push_moment(world, id, 3, v3(1, 0, 0)).code, CG_BAD_INPUT);
    cg_world_destroy(world);
}

// --- sewing ---

TEST(a_thread_is_sewn_through_a_sheet_and_drawn_out)
{
    use_constraints();
    cg_scene *scene = load("sewing.json");
    cg_session *session = start(scene);
    const cg_world *world = cg_session_world(session);
    double deepest = 0, arc;
    while (cg_world_time(world) < cg_scene_duration(scene)) {
        cg_session_step(session);
        if (cg_structure_get_stitch(world, 0, &arc)) {
            deepest = fmax(deepest, arc);
        }
    }
    cg_structure_info info = info_of(world);
    CHECK_INT(info.made, 1);
    CHECK_INT(info.ended, 1);
    CHECK_INT(info.stitches, 0);
    CHECK_NEAR(info.stitch_force, 0.05, 0.005);
    CHECK(deepest > 0.02); // it was led down by 30 mm from 5 mm above
    CHECK_INT(info.failed_steps, 0);
    CHECK(!cg_structure_get_stitch(world, 0, &arc));
    // The bead still hangs where the cord passes.
    int count;
    const cg_vec3 *cord = cg_thread_positions(world, thread_at(world, 1), &count);
    CHECK_NEAR(v3_distance(cord[30], cg_rigid_get_pose(world, body_at(0)).position), 3e-3, 1e-4);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// --- state ---

static void run_steps(cg_session *session, int count)
{
    for (int n = 0; n < count; n++) {
        cg_session_step(session);
    }
}

// From a state with a stitch and one without it, into the same session and into one that was never there.
TEST(a_restored_structure_goes_on_to_the_bit)
{
    use_constraints();
    cg_scene *scene = load("sewing.json");
    cg_session *session = start(scene), *other = start(scene);
    const cg_world *world = cg_session_world(session);
    cg_session_state *states[2];
    uint64_t hashes[2];
    int stitches[2];
    double arc;
    run_steps(session, 250);
    for (int k = 0; k < 2; k++) {
        stitches[k] = info_of(world).stitches;
        CHECK_STR(cg_session_keep(session, &states[k]).message, "");
        run_steps(session, 60);
        hashes[k] = cg_world_state_hash(world);
        for (int n = 0; n < 1000 && !cg_structure_get_stitch(world, 0, &arc); n++) {
            cg_session_step(session);
        }
    }
    CHECK(stitches[0] == 0 && stitches[1] == 1);
    for (int k = 1; k >= 0; k--) {
        cg_session *const both[2] = {session, other};
        for (int s = 0; s < 2; s++) {
            CHECK_STR(cg_session_return(both[s], states[k]).message, "");
            CHECK_INT(info_of(cg_session_world(both[s])).stitches, stitches[k]);
            run_steps(both[s], 60);
            CHECK(cg_world_state_hash(cg_session_world(both[s])) == hashes[k]);
        }
        cg_session_state_free(states[k]);
    }
    cg_session_destroy(session);
    cg_session_destroy(other);
    cg_scene_free(scene);
}

// Damaged bytes leave the world as it was.
TEST(a_bad_state_changes_nothing)
{
    use_constraints();
    cg_scene *scene = load("linkage.json");
    cg_world *world = build(scene);
    run_for(world, 0.05);
    size_t size = cg_world_snapshot_size(world);
    unsigned char *bytes = malloc(size);
    CHECK(cg_world_snapshot(world, bytes, size).code == CG_OK);
    uint64_t hash = cg_world_state_hash(world);
    for (size_t i = 0; i < size; i += 97) {
        bytes[i] ^= 0x55;
        CHECK(cg_world_restore(world, bytes, size).code != CG_OK);
        bytes[i] ^= 0x55;
    }
    CHECK(cg_world_state_hash(world) == hash);
    CHECK(cg_world_restore(world, bytes, size).code == CG_OK);
    free(bytes);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// Memory is taken when a stitch is made or ends, by cg_world_make_ready; never in a step.
TEST(a_step_takes_no_memory)
{
    use_constraints();
    if (!test_allocations_counted()) {
        test_skip("allocations are not counted here");
        return;
    }
    cg_scene *scene = load("sewing.json");
    cg_world *world = build(scene);
    cg_hand_id hand = {1, 1};
    long steps = 0, ready = 0;
    for (int n = 0; n < 900; n++) {
        double down = 30e-3 * fmin(n / 650.0, 1);
        cg_transform pose = {v3(2e-3, 1e-3, 55e-3 - down), {0, 0, 0, 1}};
        CHECK_STR(cg_hand_move(world, hand, pose, 0).message, "");
        long before = test_allocations();
        CHECK_STR(cg_world_make_ready(world).message, "");
        ready += test_allocations() - before;
        before = test_allocations();
        cg_world_step(world);
        steps += test_allocations() - before;
    }
    CHECK_INT(info_of(world).made, 1);
    CHECK(ready > 0);
    CHECK_INT(steps, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// --- on the page ---

TEST(frames_show_all_that_constraints_move)
{
    use_constraints();
    cg_scene *scene = load("sewing.json");
    cg_session *session = start(scene);
    cg_session_view *view;
    cg_message message;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    cg_view_scene(view, &message);
    CHECK_INT(message.as.scene.threads.count, 2);
    CHECK_INT(message.as.scene.shapes.count, 1);
    CHECK_STR(message.as.scene.tissues.items[0].name, "sheet");
    float before[3] = {0}, after[3] = {0};
    for (int k = 0; k < 2; k++) {
        CHECK_STR(cg_view_frame(view, &message).message, "");
        const cg_wire_frame *frame = &message.as.frame;
        CHECK_INT(frame->threads.count, 2);
        CHECK_INT(frame->shapes.count, 1);
        CHECK_INT(frame->tissues.count, 1);
        float *into = k == 0 ? before : after;
        into[0] = frame->threads.items[0].positions.items[2]; // the tip of the needle
        into[1] = frame->shapes.items[0].position.z;          // the bead
        into[2] = frame->tissues.items[0].positions.items[3 * 70 + 2];
        run_steps(session, k == 0 ? 60 : 0);
    }
    for (int i = 0; i < 3; i++) {
        CHECK(before[i] != after[i]);
    }
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// --- what is refused ---

typedef struct refusal {
    const char *constraints, *part;
} refusal;

#define BODY(name, more) "{\"name\": \"" name "\", \"parts\": [{\"sphere\": {\"radius\": 0.01}}]" more "}"
#define THREAD(name, more)                                                                                             \
    "{\"name\": \"" name                                                                                               \
    "\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, 0, 0]}}, \"vertices\": 11" more "}"

TEST(what_cannot_be_built_is_refused_with_its_place)
{
    static const refusal refusals[] = {
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"body\": \"free\"}]}]}", "no place"},
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"body\": \"driven\"}], \"position\": [0, 0, 0]}]}",
         "driven"},
        {"{\"joints\": [{\"kind\": \"hinge\", \"between\": [{\"thread\": \"plain\"}], \"position\": [0, 0, 0]}]}",
         "a hinge needs a body"},
        {"{\"joints\": [{\"kind\": \"tangent\", \"between\": [{\"body\": \"free\"}]}]}",
         "a tangent is held of a thread"},
        {"{\"joints\": [{\"kind\": \"slide\", \"between\": [{\"body\": \"free\"}], \"position\": [0, 0, 0]}]}",
         "what slides is a thread"},
        {"{\"joints\": [{\"kind\": \"rod\", \"between\": [{\"body\": \"free\"}], \"position\": [0, 0, 0]}]}",
         "a rod is 0 m long"},
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"thread\": \"plain\"}, "
         "{\"body\": \"free\", \"place\": [0, 0, 1]}]}]}",
         "1000 mm apart"},
        {"{\"joints\": [{\"kind\": \"rod\", \"between\": [{\"body\": \"free\", \"place\": [0, 0, 1]}], "
         "\"position\": [0, 0, 0], \"hand\": \"right\"}]}",
         "a hand leads a point in space"},
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"thread\": \"curved\"}]}]}", "straight at rest"},
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"thread\": \"beaded\"}]}]}", "cannot carry masses"},
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"tissue\": \"pad\"}], \"position\": [0, 0, 0]}]}",
         "must be a sheet"},
        {"{\"joints\": [{\"kind\": \"point\", \"between\": [{\"thread\": \"plain\"}]}, "
         "{\"kind\": \"point\", \"between\": [{\"thread\": \"plain\", \"arc\": 0.05}], \"hand\": \"left\"}], "
         "\"contacts\": [{\"first\": \"plain\", \"second\": \"plain\"}]}",
         NULL}, // this one can
    };
    use_constraints();
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char text[4000];
        snprintf(
            text, sizeof text,
            "{\"bodies\": [" BODY("free", "") ", " BODY(
                "driven",
                ", \"driven\": true") "], "
                                      "\"threads\": [" THREAD("plain", "") ", " THREAD(
                                          "curved",
                                          ", \"rest\": \"as placed\"") ", " THREAD("beaded",
                                                                                   ", \"masses\": [{\"vertex\": 3, "
                                                                                   "\"mass\": 0.001}]") "], "
                                                                                                        "\"tissues\": "
                                                                                                        "[{\"name\": "
                                                                                                        "\"pad\", "
                                                                                                        "\"pad\": {}, "
                                                                                                        "\"position\": "
                                                                                                        "[0, 0.5, "
                                                                                                        "0]}],\n "
                                                                                                        "\"constraints"
                                                                                                        "\": %s}",
            refusals[i].constraints);
        cg_scene *scene = read_text(text);
        cg_world *world = NULL;
        cg_status status = cg_scene_build(scene, NULL, &world);
        if (refusals[i].part == NULL) {
            CHECK_STR(status.message, "");
            cg_world_step(world);
            cg_world_destroy(world);
        } else {
            CHECK_INT(status.code, CG_BAD_INPUT);
            CHECK(strstr(status.message, "text:2:17: ") == status.message);
            if (!CHECK(strstr(status.message, refusals[i].part) != NULL)) {
                printf("%s\n", status.message);
            }
        }
        cg_scene_free(scene);
    }
}

#define HELD_THREAD "\"constraints\": {\"joints\": [{\"kind\": \"point\", \"between\": [{\"thread\": \"t\"}]}]}"

TEST(a_thread_of_constraints_is_neither_cut_nor_swaged)
{
    cg_world *world =
        world_of("{\"bodies\": [" BODY("ball", "") "], \"threads\": [" THREAD("t", "") "], " HELD_THREAD "}");
    cg_thread_id thread = thread_at(world, 0), part;
    CHECK_INT(cg_world_cut_thread(world, thread, 0.05, &part).code, CG_BAD_INPUT);
    CHECK_INT(cg_thread_swage(world, thread, CG_START, body_at(0), v3_zero()).code, CG_BAD_INPUT);
    run_for(world, 0.01);
    cg_world_destroy(world);
}

// Gives memory so many times.
typedef struct short_memory {
    int left, held;
} short_memory;

static void *take_some(void *context, size_t bytes)
{
    short_memory *memory = context;
    if (memory->left == 0) {
        return NULL;
    }
    memory->left--;
    memory->held++;
    return malloc(bytes);
}

static void give_some(void *context, void *bytes)
{
    ((short_memory *)context)->held -= bytes != NULL;
    free(bytes);
}

// A thread, a body and a sheet of a few unknowns each.
static const char small_scene[] =
    "{\"hands\": [], \"max_contacts\": 0, \"bodies\": [{\"name\": \"b\", \"parts\": [{\"sphere\": {\"radius\": "
    "0.001}}]}], "
    "\"threads\": [{\"name\": \"t\", \"vertices\": 5, \"shape\": {\"line\": {\"from\": [0, 0, 0.01], \"to\": [0, 0, "
    "0.02]}}}], "
    "\"tissues\": [{\"name\": \"s\", \"grid\": {\"length\": 0.01, \"width\": 0.01}, \"model\": \"sheet\", "
    "\"spacing\": 0.005}], \"constraints\": {\"splines\": [{\"thread\": \"t\", \"control_points\": 5}], \"joints\": "
    "[{\"kind\": \"point\", \"between\": [{\"thread\": \"t\", \"arc\": 0.01}, {\"body\": \"b\"}]}], "
    "\"stitches\": [{\"thread\": \"t\", \"tissue\": \"s\", \"threshold\": 0.1}]}}";

TEST(without_memory_nothing_is_lost)
{
    use_constraints();
    cg_scene *scene = read_text(small_scene);
    cg_code code = CG_OUT_OF_MEMORY;
    int tries = 0;
    for (; tries < 2000 && code == CG_OUT_OF_MEMORY; tries++) {
        short_memory memory = {.left = tries};
        cg_allocator allocator = {take_some, give_some, &memory};
        cg_world *world;
        code = cg_scene_build(scene, &allocator, &world).code;
        CHECK(code == CG_OK || world == NULL);
        cg_world_destroy(world);
        CHECK_INT(memory.held, 0);
    }
    CHECK_INT(code, CG_OK);
    CHECK(tries > 50);
    cg_scene_free(scene);
}

TEST(a_system_that_is_too_large_is_refused)
{
    use_constraints();
    cg_scene *scene =
        read_text("{\"tissues\": [{\"name\": \"s\", \"grid\": {\"length\": 0.2, \"width\": 0.2}, "
                  "\"model\": \"sheet\", \"spacing\": 0.0025}], \"constraints\": {\"joints\": "
                  "[{\"kind\": \"point\", \"between\": [{\"tissue\": \"s\"}], \"position\": [0, 0, 0]}]}}");
    cg_world *world;
    CHECK(strstr(cg_scene_build(scene, NULL, &world).message, "more than 5000 control points and nodes") != NULL);
    cg_scene_free(scene);
}

TEST(a_build_without_constraints_says_so)
{
    cg_use_structures(NULL);
    cg_scene *scene = load("pendulum.json");
    cg_world *world;
    cg_status status = cg_scene_build(scene, NULL, &world);
    CHECK_INT(status.code, CG_BAD_INPUT);
    CHECK(strstr(status.message, "constraints need SuiteSparse, and this program was built without them") != NULL);
    cg_scene_free(scene);
}

// What else holds a thread or tissue cannot be left behind when constraints take it over.
TEST(what_is_cut_swaged_or_stitched_is_not_taken)
{
#define HUNG                                                                                                           \
    "\"constraints\": {\"splines\": [{\"thread\": \"t\", \"control_points\": 12}], \"joints\": [{\"kind\": "           \
    "\"point\", "                                                                                                      \
    "\"between\": [{\"thread\": \"t\", \"arc\": 0}]}]}}"
    static const char *const texts[] = {
        "{\"threads\": [{\"name\": \"t\", \"cuts\": 1, \"vertices\": 21, \"shape\": {\"line\": {\"from\": [0, 0, 0], "
        "\"to\": [0.1, 0, 0]}}}], " HUNG,
        "{\"threads\": [{\"name\": \"t\", \"model\": \"chain\", \"vertices\": 21, \"shape\": {\"line\": {\"from\": [0, "
        "0, 0], \"to\": [0.1, 0, 0]}}}], " HUNG,
        "{\"threads\": [{\"name\": \"t\", \"vertices\": 21, \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, "
        "0, 0]}}}], \"bodies\": [{\"name\": \"n\", \"needle\": \"RB-1\", \"swage\": {\"thread\": \"t\"}}], " HUNG,
    };
#undef HUNG
    use_constraints();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cg_scene *scene = NULL;
        cg_scene_error error;
        cg_world *world = NULL;
        if (CHECK_STR(cg_scene_read(texts[i], strlen(texts[i]), "text", NULL, NULL, &scene, &error).message, "")) {
            cg_status status = cg_scene_build(scene, NULL, &world);
            CHECK_INT(status.code, CG_BAD_INPUT);
            CHECK(strstr(status.message, "constraints take a thread") != NULL);
        }
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
}

// Neither a tissue that a thread sticks to nor that thread.
TEST(what_sticks_is_not_taken)
{
#define STUCK                                                                                                          \
    "{\"max_contacts\": 60, \"threads\": [{\"name\": \"t\", \"diameter\": \"0.6 mm\", \"vertices\": 21, \"shape\": "   \
    "{\"line\": {\"from\": [-0.01, 0, 0.0005], \"to\": [0.01, 0, 0.0005]}}}], \"tissues\": [{\"name\": \"s\", "        \
    "\"grid\": {\"length\": \"30 mm\", \"width\": \"20 mm\"}}], \"adhesions\": [{\"thread\": \"t\", \"tissue\": "      \
    "\"s\"}], \"constraints\": {\"joints\": [{\"kind\": \"point\", \"between\": [{"
    static const char *const texts[] = {STUCK "\"thread\": \"t\"}]}]}}",
                                        STUCK "\"tissue\": \"s\"}], \"position\": [0, 0, 0]}]}}"};
    static const char *const says[] = {"constraints take a thread", "constraints take a tissue"};
#undef STUCK
    use_constraints();
    for (int i = 0; i < 2; i++) {
        cg_scene *scene = read_text(texts[i]);
        cg_world *world = NULL;
        cg_status status = cg_scene_build(scene, NULL, &world);
        CHECK_INT(status.code, CG_BAD_INPUT);
        if (!CHECK(strstr(status.message, says[i]) != NULL)) {
            printf("%s\n", status.message);
        }
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
}
