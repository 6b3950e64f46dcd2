// Hands draw a knot tight, and scissors cut its tails at a chosen length from it: the knot keeps its name, the tails
// are as long as the script says, and the recording has nothing but hands, jaws and tools.
#include <math.h>
#include <string.h>

#include "catgut/catgut.h"
#include "catgut/script.h"
#include "session/session_rig.h"

static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"max_contacts\": 400,\n"
    " \"threads\": [{\"name\": \"thread\", \"suture\": \"3-0 silk\", \"friction\": 0.35, \"drag\": 100, \"spacing\": "
    "\"0.22 mm\", \"cuts\": 2,\n"
    "   \"shape\": {\"knot\": {\"kind\": \"overhand\", \"loop_radius\": \"3 mm\", \"tail\": \"16 mm\", \"gap\": \"0.44 "
    "mm\"}}}],\n"
    " \"hands\": [{\"name\": \"left\", \"position\": [\"-19 mm\", 0, 0], \"reach\": \"2 mm\"}, {\"name\": \"right\", "
    "\"position\": [\"17 mm\", 0, 0], \"reach\": \"2 mm\"},\n"
    "           {\"name\": \"cutter\", \"tool\": \"scissors\", \"position\": [0, 0, \"30 mm\"], \"grip\": \"8 N\"}]}\n";

static const char SCRIPT[] =
    "right move to 1 mm along thread in 0.05 s; left move to -1 mm along thread in 0.05 s\n"
    "left close; right close\n"
    "left move by (-20, 0, 0) mm in 0.5 s; right move by (20, 0, 0) mm in 0.5 s until force of right above 0.3 N\n"
    "expect knot overhand\n"
    "cutter move to 5 mm from knot towards end of thread + (0, 0, 12) mm in 0.1 s\n"
    "cutter move to 5 mm from knot towards end of thread + (0, 0, 2) mm in 0.1 s\n"
    "cutter close\n"
    "wait until thread is parted, at most 0.3 s\n"
    "cutter open\n"
    "cutter move by (0, 0, 10) mm in 0.1 s\n"
    "expect knot overhand\n"
    "cutter move to 3 mm from knot towards start of thread + (0, 0, 12) mm in 0.1 s\n"
    "cutter move to 3 mm from knot towards start of thread + (0, 0, 2) mm in 0.1 s\n"
    "cutter close\n"
    "wait 0.1 s\n"
    "cutter open\n"
    "expect knot overhand\n";

static const double FIRST = 5e-3, SECOND = 3e-3; // [m] tails that the script asks for
enum { LONGEST = 2000, PIECES = 3, KNOTTED = 2 };

// The least and the largest arc length [m] at which a thread touches itself.
static void find_knot(const cg_world *world, cg_thread_id thread, double ends[2])
{
    cg_contact_info contact;
    ends[0] = HUGE_VAL;
    ends[1] = -HUGE_VAL;
    for (int i = 0; cg_world_get_contact(world, i, &contact); i++) {
        bool is_own = contact.threads[0].index == thread.index && contact.threads[1].index == thread.index;
        for (int side = 0; side < 2 && is_own; side++) {
            double segment = cg_thread_get_summary(world, thread).rest_length /
                             (cg_thread_get_summary(world, thread).vertex_count - 1);
            double arc = segment * (contact.segments[side] + contact.fractions[side]);
            ends[0] = fmin(ends[0], arc);
            ends[1] = fmax(ends[1], arc);
        }
    }
}

static void check_pieces(cg_session *session)
{
    const cg_world *world = cg_session_world(session);
    double whole = 0, knot[2];
    for (int k = 0; k < PIECES; k++) {
        double length = cg_thread_get_summary(world, cg_session_thread(session, k)).rest_length;
        CHECK(length > FIRST + SECOND);
        whole += length;
    }
    CHECK_NEAR(whole, 54.57e-3, 1e-3);
    cg_thread_id knotted = cg_session_thread(session, KNOTTED);
    find_knot(world, knotted, knot);
    CHECK_NEAR(knot[0], SECOND, 0.6e-3);
    CHECK_NEAR(cg_thread_get_summary(world, knotted).rest_length - knot[1], FIRST, 0.6e-3);
}

static bool is_of_hands(cg_operation_kind kind)
{
    return kind == CG_OPERATION_move_hand || kind == CG_OPERATION_close_hand || kind == CG_OPERATION_open_hand ||
           kind == CG_OPERATION_set_jaws;
}

static void check_operations(const rig_bytes *bytes)
{
    cg_recording *recording;
    cg_operation operation;
    CHECK_STR(cg_recording_open(bytes->bytes, bytes->size, NULL, NULL, &recording).message, "");
    size_t count = cg_recording_operation_count(recording), of_hands = 0;
    for (size_t i = 0; i < count && cg_recording_operation(recording, i, &operation); i++) {
        of_hands += is_of_hands(operation.kind);
    }
    CHECK(count > 100);
    CHECK(of_hands == count);
    cg_recording_close(recording);
}

TEST(scissors_cut_the_tails_of_a_knot_to_a_chosen_length)
{
    rig_bytes bytes = rig_bytes_make(4 << 20);
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def recorder = rig_recorder_def(&bytes);
    cg_scene_error error;
    recorder.hash_every = 50;
    CHECK_STR(cg_session_run_script(session, SCRIPT, strlen(SCRIPT), "tails", &error).message, "");
    CHECK_STR(cg_session_record(session, &recorder).message, "");
    for (int i = 0; i < LONGEST && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_session_get_script(session).phase, CG_SCRIPT_DONE);
    check_pieces(session);
    CHECK_STR(cg_session_end_recording(session).message, "");
    check_operations(&bytes);
    uint64_t started;
    CHECK(rig_replays(&bytes, 0, &started));
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

static void check_refused(const char *script, const char *why)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_scene_error error;
    CHECK(cg_script_check(script, strlen(script), "a.script", scene, NULL, &error).code != CG_OK);
    CHECK_STR(error.message, why);
    cg_scene_free(scene);
}

TEST(a_place_on_a_tail_is_read_with_its_mistakes)
{
    check_refused("cutter move to -5 mm from knot towards end of thread in 1 s",
                  "found \"from\"; expected \"along\": a length from a knot is 0 or more");
    check_refused("cutter move to 5 mm from knot towards middle of thread in 1 s",
                  "found \"middle\"; expected \"start\" or \"end\"");
}

// The script fails in this line.
static void check_no_place(const char *script, int line, int steps)
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "tails", &error).message, "");
    for (int i = 0; i < steps && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(session);
    }
    cg_script_state state = cg_session_get_script(session);
    CHECK_INT(state.phase, CG_SCRIPT_FAILED);
    CHECK_INT(state.line, line);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// A thread that touches itself nowhere has no knot to measure from.
TEST(without_a_knot_there_is_no_tail)
{
    check_no_place("cutter move to 5 mm from knot towards end of thread in 0.1 s", 1, 1);
}

// A tail of 16 mm that was drawn by less than as much again has nothing 60 mm from its knot.
TEST(a_tail_ends)
{
    check_no_place("right move to 1 mm along thread in 0.05 s; left move to -1 mm along thread in 0.05 s\n"
                   "left close; right close\n"
                   "left move by (-20, 0, 0) mm in 0.5 s; right move by (20, 0, 0) mm in 0.5 s until force of right "
                   "above 0.1 N\n"
                   "cutter move to 5 mm from knot towards end of thread in 0.01 s\n"
                   "cutter move to 60 mm from knot towards end of thread in 0.01 s",
                   5, 700);
}
