// Threads that are cut: both parts live on with their contacts and hands, in worlds, states and recordings.
#include <math.h>
#include <stdio.h>

#include "alloc_count.h"
#include "catgut/knot.h"
#include "catgut/rigid.h"
#include "catgut/view.h"
#include "operation/fields.h"
#include "session_rig.h"
#include "world/world.h"

// An overhand knot that is drawn tight, its tail held by a hand, and a thread that lies beside it.
static const char SCENE[] =
    "{\"duration\": \"1 s\", \"gravity\": [0, 0, 0], \"max_contacts\": 400,"
    "\"threads\": [{\"name\": \"knot\", \"suture\": \"3-0 nylon\", \"shape\": {\"knot\": {\"kind\": \"overhand\", "
    "\"loop_radius\": \"3 mm\", \"tail\": \"16 mm\", \"gap\": \"0.44 mm\"}}, \"spacing\": \"0.3 mm\", \"start\": "
    "\"clamped\", \"finish\": \"clamped\", \"cuts\": 3},"
    "{\"name\": \"other\", \"suture\": \"3-0 nylon\", \"shape\": {\"line\": {\"from\": [\"-9 mm\", \"30 mm\", 0], "
    "\"to\": [\"9 mm\", \"30 mm\", 0]}}, \"spacing\": \"0.5 mm\"}],"
    "\"hands\": [{\"name\": \"left\", \"position\": [\"-60 mm\", 0, 0]}, {\"name\": \"right\", \"position\": [\"60 "
    "mm\", 0, 0]}]";
static const char PULLS[] =
    ", \"inputs\": [{\"from\": 0, \"to\": \"0.3 s\", \"set_end\": {\"thread\": \"knot\", \"end\": \"start\", "
    "\"position\": [\"28 mm\", 0, 0]}}, {\"from\": 0, \"to\": \"0.3 s\", \"set_end\": {\"thread\": \"knot\", \"end\": "
    "\"finish\", \"position\": [\"-28 mm\", 0, 0]}}";
static const char CUT[] = ", {\"at\": \"0.35 s\", \"cut_thread\": {\"thread\": \"knot\", \"arc\": \"8 mm\"}}"
                          ", {\"at\": \"0.36 s\", \"cut_thread\": {\"thread\": \"knot-2\", \"arc\": \"36 mm\"}}";

static const char *scene_text(bool has_cut)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s%s%s]}", SCENE, PULLS, has_cut ? CUT : "");
    return text;
}

static cg_session *tied_session(const cg_scene *scene)
{
    cg_session *session = rig_session(scene, NULL);
    while (cg_session_get_stats(session).steps < 340) {
        cg_session_step(session);
    }
    return session;
}

static cg_thread_id thread_at(const cg_world *world, int place)
{
    return cg_operation_thread(world, place);
}

static double whole_mass(const cg_world *world)
{
    double mass = 0;
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int i = 0; i < s->thread->vertex_count; i++) {
            mass += s->thread->mass[i];
        }
    }
    return mass;
}

static void check_name(const cg_world *world, int place, const char *name)
{
    cg_knot_thread line = {.pull = CG_KNOT_PULL_UNKNOWN};
    cg_knot_report report;
    line.points = cg_thread_positions(world, thread_at(world, place), &line.count);
    CHECK_STR(cg_knot_identify(&line, 1, NULL, &report).message, "");
    CHECK_STR(report.name, name);
}

TEST(a_knot_keeps_its_contacts_when_its_tails_are_cut)
{
    cg_scene *scene = rig_scene(scene_text(false));
    cg_session *session = tied_session(scene);
    cg_world *world = (cg_world *)(uintptr_t)cg_session_world(session);
    CHECK_INT(cg_scene_thread_count(scene), 5);
    CHECK_STR(cg_scene_thread_name(scene, 2), "knot-2");
    check_name(world, 0, "m3_1");
    int contacts = cg_world_contact_count(world);
    double mass = whole_mass(world);
    CHECK(contacts > 10);
    CHECK_INT((int)thread_at(world, 2).index, 0);
    cg_thread_id part;
    long allocations = test_allocations();
    CHECK_STR(cg_world_cut_thread(world, thread_at(world, 0), 8e-3, &part).message, "");
    CHECK_INT((int)(test_allocations() - allocations), 0);
    CHECK_INT((int)part.index, 3);
    CHECK_INT(cg_world_contact_count(world), contacts);
    CHECK_NEAR(whole_mass(world), mass, 1e-12 * mass);
    for (int i = 0; i < 100; i++) {
        cg_world_step(world);
    }
    check_name(world, 2, "m3_1");
    check_name(world, 0, "0_1");
    CHECK_INT((int)cg_world_get_stats(world).lost_contacts, 0);
    CHECK_INT((int)cg_world_get_stats(world).unfinished_steps, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(cuts_that_cannot_be_are_refused)
{
    cg_scene *scene = rig_scene(scene_text(false));
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    uint64_t hash = cg_world_state_hash(world);
    cg_thread_id part, knot = thread_at(world, 0);
    const double bad[] = {-1, 0, 1e-4, 1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(cg_world_cut_thread(world, knot, bad[i], &part).code, CG_BAD_INPUT);
    }
    CHECK_INT(cg_world_cut_thread(world, thread_at(world, 1), 5e-3, &part).code, CG_FULL);
    CHECK_INT(cg_world_cut_thread(world, (cg_thread_id){3, 1}, 5e-3, &part).code, CG_BAD_HANDLE); // not there yet
    CHECK_HASH(cg_world_state_hash(world), hash);
    for (int i = 0; i < 3; i++) {
        CHECK_STR(cg_world_cut_thread(world, knot, 12e-3 - 4e-3 * i, &part).message, "");
    }
    CHECK_INT(cg_world_cut_thread(world, knot, 2e-3, &part).code, CG_FULL);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// A state fits whatever was cut since, or was not yet.
TEST(undone_and_done_again)
{
    cg_scene *scene = rig_scene(scene_text(false));
    cg_session *session = tied_session(scene);
    cg_world *world = (cg_world *)(uintptr_t)cg_session_world(session);
    size_t sizes[2];
    void *states[2];
    uint64_t hashes[2][2];
    cg_thread_id part;
    for (int k = 0; k < 2; k++) {
        sizes[k] = cg_world_snapshot_size(world);
        states[k] = malloc(sizes[k]);
        CHECK_STR(cg_world_snapshot(world, states[k], sizes[k]).message, "");
        hashes[k][0] = cg_world_state_hash(world);
        for (int i = 0; i < 30; i++) {
            cg_world_step(world);
        }
        hashes[k][1] = cg_world_state_hash(world);
        if (k == 0) {
            CHECK_STR(cg_world_cut_thread(world, thread_at(world, 0), 20e-3, &part).message, "");
        }
    }
    for (int n = 0; n < 5; n++) {
        int k = n % 2;
        CHECK_STR(cg_world_restore(world, states[k], sizes[k]).message, "");
        CHECK_HASH(cg_world_state_hash(world), hashes[k][0]);
        CHECK(cg_thread_is_valid(world, (cg_thread_id){3, 1}) == (k == 1));
        for (int i = 0; i < 30; i++) {
            cg_world_step(world);
        }
        CHECK_HASH(cg_world_state_hash(world), hashes[k][1]);
    }
    free(states[0]);
    free(states[1]);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(recordings_hold_the_parts)
{
    rig_bytes bytes = rig_record(scene_text(true), NULL, 400, 5, (cg_codec){0});
    uint64_t started;
    CHECK(rig_replays(&bytes, 0, &started));
    CHECK(rig_replays(&bytes, 390, &started));
    CHECK(started > 355); // also from a state behind the cuts
    cg_recording *recording;
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_frame(recording, cg_recording_frame_count(recording) - 1, &frame).message, "");
    CHECK_INT(frame.thread_count, 5);
    CHECK(frame.vertex_counts[0] > 2 && frame.vertex_counts[2] > 2 && frame.vertex_counts[3] > 2);
    CHECK_INT(frame.vertex_counts[4], 0);
    cg_recording_close(recording);
    free(bytes.bytes);
}

// A hand keeps the side of the cut on which it holds more.
TEST(hands_keep_what_they_hold)
{
    cg_scene *scene = rig_scene(scene_text(false));
    for (int side = 0; side < 2; side++) {
        cg_world *world;
        CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
        cg_hand_id hand = cg_operation_hand(world, 0);
        int count;
        const cg_vec3 *points = cg_thread_positions(world, thread_at(world, 0), &count);
        cg_transform pose = {points[count / 6], {0, 0, 0, 1}};
        double arc = cg_thread_arcs(world, thread_at(world, 0), &count)[count / 6];
        CHECK_STR(cg_hand_move(world, hand, pose, 0).message, "");
        for (int i = 0; i < 200; i++) {
            cg_world_step(world);
        }
        CHECK_STR(cg_hand_close(world, hand).message, "");
        cg_thread_id part;
        double at = arc + (side == 0 ? 4e-3 : -4e-3);
        CHECK_STR(cg_world_cut_thread(world, thread_at(world, 0), at, &part).message, "");
        CHECK_INT((int)cg_hand_get_state(world, hand).thread.index, side == 0 ? 1 : 3);
        for (int i = 0; i < 50; i++) {
            cg_world_step(world);
        }
        CHECK_INT((int)cg_hand_get_state(world, hand).thread.index, side == 0 ? 1 : 3);
        CHECK(v3_distance(cg_hand_get_state(world, hand).pose.position, pose.position) < 1e-3);
        cg_world_destroy(world);
    }
    cg_scene_free(scene);
}

TEST(a_needle_stays_on_its_part)
{
    static const char text[] =
        "{\"max_contacts\": 100, \"threads\": [{\"name\": \"silk\", \"suture\": \"3-0 silk\", \"shape\": {\"line\": "
        "{\"from\": [0, 0, 0], \"to\": [\"60 mm\", 0, 0]}}, \"spacing\": \"1 mm\", \"start\": \"pinned\", \"cuts\": "
        "1}], \"bodies\": [{\"name\": \"bead\", \"parts\": [{\"sphere\": {\"radius\": \"1 mm\"}}], \"mass\": \"50 "
        "mg\", \"position\": [\"61 mm\", 0, 0]}]}";
    cg_scene *scene = rig_scene(text);
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    cg_rigid_id bead = {1, 1};
    cg_thread_id part, silk = thread_at(world, 0);
    CHECK_STR(cg_thread_swage(world, silk, CG_FINISH, bead, v3(-1e-3, 0, 0)).message, "");
    for (int i = 0; i < 20; i++) {
        cg_world_step(world);
    }
    CHECK_STR(cg_world_cut_thread(world, silk, 20e-3, &part).message, "");
    cg_swage_info info;
    CHECK(!cg_thread_get_swage(world, silk, CG_FINISH, &info));
    for (int i = 0; i < 100; i++) {
        cg_world_step(world);
    }
    CHECK(cg_thread_get_swage(world, part, CG_FINISH, &info));
    CHECK(info.apart < 1e-9);
    // Both fall freely, the bead and its thread, for 0.1 s.
    cg_rigid_info fallen;
    CHECK(cg_rigid_get_info(world, bead, &fallen));
    CHECK(fallen.centre.z < -0.04);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// A place that is used again has nothing to do with the parts of who was there before.
TEST(parts_go_with_the_last_of_their_thread)
{
    cg_world_def world_def = cg_world_def_default();
    world_def.max_threads = 6;
    cg_world *world;
    CHECK_STR(cg_world_create(&world_def, &world).message, "");
    cg_vec3 points[100];
    for (int i = 0; i < 100; i++) {
        points[i] = v3(1e-3 * i, 0, 0);
    }
    cg_thread_def def = cg_thread_def_default();
    def.positions = points;
    def.vertex_count = 20;
    cg_thread_id small, large, part;
    CHECK_STR(cg_world_add_thread(world, &def, &small).message, "");
    CHECK_INT(cg_world_reserve_parts(world, small, 6).code, CG_FULL);
    CHECK_STR(cg_world_reserve_parts(world, small, 5).message, "");
    CHECK_STR(cg_world_cut_thread(world, small, 9e-3, &part).message, "");
    CHECK_STR(cg_world_remove_thread(world, small).message, "");
    CHECK_STR(cg_world_cut_thread(world, part, 4e-3, &small).message, ""); // parts live on
    def.vertex_count = 100;
    CHECK_STR(cg_world_add_thread(world, &def, &large).message, "");
    CHECK_INT(cg_world_cut_thread(world, large, 50e-3, &part).code, CG_FULL);
    CHECK_STR(cg_world_remove_thread(world, small).message, "");
    CHECK_STR(cg_world_remove_thread(world, (cg_thread_id){2, 1}).message, "");
    CHECK_STR(cg_world_reserve_parts(world, large, 5).message, ""); // all places are free again
    CHECK_STR(cg_world_cut_thread(world, large, 50e-3, &part).message, "");
    cg_world_step(world);
    cg_world_destroy(world);
}

// Cut at random while they are shaken: all that is cut stays what it is.
TEST(random_cuts_of_shaken_threads)
{
    int worlds = test_counts(4, 1, 300);
    uint64_t random = 11;
    cg_scene *scene = rig_scene(scene_text(false));
    for (int w = 0; w < worlds; w++) {
        cg_world *world;
        CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
        double mass = whole_mass(world);
        int cuts = 0;
        for (int step = 0; step < 150; step++) {
            for (int place = 0; place < 5; place++) {
                int count;
                cg_thread_id id = thread_at(world, place), part;
                if (cg_thread_positions(world, id, &count) == NULL) {
                    continue;
                }
                cg_vec3 force = v3(test_random(&random, -0.1, 0.1), test_random(&random, -0.1, 0.1), 0);
                cg_thread_push_vertex(world, id, (int)test_random(&random, 0, count - 1e-9), force);
                double length = cg_thread_arcs(world, id, &count)[count - 1];
                if (test_random(&random, 0, 1) < 0.02) {
                    cuts += cg_world_cut_thread(world, id, test_random(&random, 0, length), &part).code == CG_OK;
                }
            }
            cg_world_step(world);
        }
        CHECK(cuts > 0);
        CHECK_NEAR(whole_mass(world), mass, 1e-12 * mass);
        CHECK_INT((int)cg_world_get_stats(world).recovered_steps, 0);
        CHECK_INT((int)cg_world_get_stats(world).lost_contacts, 0);
        cg_world_destroy(world);
    }
    cg_scene_free(scene);
}
