// label: slow
// Beginners' knots are tied by scripts and pulled on a copy: what is found is an event of the recording, and the world
// does not notice.
#define _POSIX_C_SOURCE 200809L

#include "app/run_app.h"
#include "script_rig.h"
#include "world/world.h"

static unsigned char recorded[4 << 20];
static rig_bytes memory = {.bytes = recorded, .room = sizeof recorded};

typedef struct played {
    cg_scene *scene;
    cg_session *session;
} played;

static played play(const char *scene, const char *script, double time_step)
{
    played p = {0};
    char path[512];
    cg_scene_error error;
    cg_session_def def = cg_session_def_default();
    snprintf(path, sizeof path, SCENES "%s.json", scene);
    CHECK(cg_scene_load(path, &p.scene, &error));
    CHECK_STR(cg_session_create(&def, p.scene, &p.session, &error).message, "");
    cg_recorder_def recorder = rig_recorder_def(&memory);
    memory.size = 0;
    CHECK_STR(cg_session_record(p.session, &recorder).message, "");
    cg_operation step = {.kind = CG_OPERATION_set_time_step, .as.set_time_step = {time_step}};
    CHECK_INT(cg_session_apply(p.session, &step).code, CG_OK);
    rig_play(p.session, script, 20000);
    return p;
}

static void end(played *p)
{
    cg_session_destroy(p->session);
    cg_scene_free(p->scene);
}

// The last pull test that the recording tells of.
static cg_pull_result told(played *p)
{
    cg_pull_result result = {0}, read;
    cg_recording *recording = NULL;
    const char *text;
    uint64_t step;
    int count = 0;
    CHECK_STR(cg_session_end_recording(p->session).message, "");
    CHECK_STR(cg_recording_open(memory.bytes, memory.size, NULL, NULL, &recording).message, "");
    for (size_t i = 0; cg_recording_event(recording, i, &step, &text); i++) {
        if (cg_pull_read(text, &read)) {
            result = read;
            count++;
        }
    }
    CHECK_INT(count, 1);
    cg_recording_close(recording);
    return result;
}

TEST(one_throw_slips_and_a_granny_too)
{
    if (test_is_sanitized()) {
        test_skip("too slow with sanitizers");
        return;
    }
    played p = play("cord", "one-throw", 4e-3);
    cg_pull_result one = told(&p);
    CHECK_INT(one.outcome, CG_PULL_SLIPPED);
    CHECK_STR(one.knot.common, "overhand");
    end(&p);
    p = play("cord", "granny", 4e-3);
    cg_pull_result granny = told(&p);
    CHECK_INT(granny.outcome, CG_PULL_SLIPPED);
    CHECK_STR(granny.knot.common, "granny");
    CHECK(granny.force > one.force);
    end(&p);
    if (test_is_full()) {
        p = play("suture", "granny", 1e-3);
        CHECK_INT(told(&p).outcome, CG_PULL_SLIPPED);
        end(&p);
    }
}

// Two threads, loosely laid: what the script finds, and what it says when that is not what it expected.
static const char LAID[] =
    "{\"gravity\": [0, 0, 0], \"threads\": ["
    "{\"name\": \"a\", \"suture\": \"3-0 silk\", \"friction\": 0, \"drag\": 100, \"shape\": {\"knot\": {\"kind\": "
    "\"reef\", \"strand\": 1, \"tail\": \"8 mm\", \"free_tail\": \"5 mm\", \"gap\": \"0.44 mm\"}}, \"spacing\": \"0.33 "
    "mm\"}, {\"name\": \"b\", \"suture\": \"3-0 silk\", \"friction\": 0, \"drag\": 100, \"shape\": {\"knot\": "
    "{\"kind\": "
    "\"reef\", \"strand\": 2, \"tail\": \"8 mm\", \"free_tail\": \"5 mm\", \"gap\": \"0.44 mm\"}}, \"spacing\": \"0.33 "
    "mm\"}]}";

static cg_script_state run(cg_session *session, const char *script)
{
    cg_scene_error error;
    CHECK_STR(cg_session_run_script(session, script, strlen(script), "s", &error).message, "");
    for (int i = 0; i < 100 && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING; i++) {
        cg_session_step(session);
    }
    return cg_session_get_script(session);
}

TEST(a_pull_test_changes_nothing_and_says_what_it_found)
{
    cg_scene *scene = rig_scene(LAID);
    cg_session *pulled = rig_session(scene, NULL), *other = rig_session(scene, NULL);
    cg_script_state state = run(pulled, "expect holds below 0.1 N\nwait 5 ms");
    CHECK_INT(state.phase, CG_SCRIPT_DONE);
    run(other, "wait 5 ms");
    CHECK(cg_world_state_hash(cg_session_world(pulled)) == cg_world_state_hash(cg_session_world(other)));
    state = run(pulled, "expect holds above 1 N");
    CHECK_INT(state.phase, CG_SCRIPT_FAILED);
    CHECK(strstr(state.error.message, "pull test: slipped at") != NULL);
    CHECK(strstr(state.error.message, "expected above 1 N") != NULL);
    state = run(pulled, "expect holds above 1 N in thread \"a\"");
    CHECK_INT(state.phase, CG_SCRIPT_FAILED);
    CHECK(strstr(state.error.message, "pull test: no knot") != NULL);
    cg_session_destroy(pulled);
    cg_session_destroy(other);
    cg_scene_free(scene);
}

// Scripts run inside the steps of a session, also of one that others drive: what they may ask for there is bounded.
TEST(a_script_pulls_once_a_step_and_eight_times_in_all)
{
    static const char *const scripts[] = {"repeat 20 times\nexpect holds above -1 N\nend",
                                          "try 20 times: \"it slips\"\nexpect holds above 1 N\nend"};
    for (int k = 0; k < 2; k++) {
        cg_scene *scene = rig_scene(LAID);
        cg_session *session = rig_session(scene, NULL);
        cg_script_state state = run(session, scripts[k]);
        CHECK_INT(state.phase, CG_SCRIPT_FAILED);
        CHECK_STR(state.error.message, "it asks for more than 8 pull tests");
        CHECK_INT(state.error.line, 2);
        CHECK_INT((int)cg_session_get_stats(session).steps, 9);
        cg_session_destroy(session);
        cg_scene_free(scene);
    }
}

// A knot in one thread, as it is at the end of a stitch.
static const char LOOP[] =
    "{\"gravity\": [0, 0, 0], \"threads\": [{\"name\": \"a\", \"suture\": \"3-0 silk\", \"friction\": 0, \"drag\": "
    "100, \"cuts\": 2, \"shape\": {\"knot\": {\"kind\": \"reef\", \"loop_radius\": \"4 mm\", \"tail\": \"10 mm\", "
    "\"gap\": \"0.44 mm\"}}, \"spacing\": \"0.33 mm\"}]}";

static void check_loop(cg_session *session, int threads)
{
    cg_pull_result result;
    CHECK_INT(cg_world_count_threads(cg_session_world(session)), threads);
    CHECK_STR(cg_session_pull_test(session, -1, &result).message, "");
    CHECK_INT(result.outcome, CG_PULL_SLIPPED);
    CHECK_STR(result.knot.throws_text, "1=1");
    cg_script_state state = run(session, "expect knot square\nexpect throws \"1=1\"");
    CHECK_STR(state.error.message, "");
}

TEST(the_pieces_of_a_cut_thread_are_not_two_threads)
{
    for (int k = 0; k < 2; k++) { // the knot is in the second part, or in the first
        cg_scene *scene = rig_scene(LOOP);
        cg_session *session = rig_session(scene, NULL);
        check_loop(session, 1);
        int count;
        double length = 0;
        const double *rest = cg_thread_rest_lengths(cg_session_world(session), cg_session_thread(session, 0), &count);
        for (int i = 0; i < count; i++) {
            length += rest[i];
        }
        cg_operation cut = {.kind = CG_OPERATION_cut_thread, .as.cut_thread = {0, k == 0 ? 4e-3 : length - 4e-3}};
        cut.step = cg_session_get_stats(session).steps;
        CHECK_STR(cg_session_apply(session, &cut).message, "");
        check_loop(session, 2);
        cg_session_destroy(session);
        cg_scene_free(scene);
    }
}
