// label: slow
// A throw tied with instruments, by contacts and friction alone: the long end is wound around forceps, these take the
// tail, draw it through the turn, and both pull. The same with threads, frictions and steps beside those of the scene.
#include "script_rig.h"

static void tie(const char *words, const char *others)
{
    if (test_is_sanitized()) {
        test_skip("too slow with sanitizers");
        return;
    }
    cg_scene *scene = rig_scene_with(SCENES "instrument-wrap.json", words, others);
    cg_session *session = rig_session(scene, NULL);
    rig_play(session, "instrument-throw", 10000);
    rig_check_knot(session, "overhand");
    cg_world_stats stats = cg_world_get_stats(cg_session_world(session));
    CHECK(100 * stats.unfinished_steps < stats.step_count);
    CHECK_INT(stats.lost_contacts, 0);
    CHECK_INT(stats.recovered_steps, 0);
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_throw_is_wound_caught_and_drawn)
{
    tie("3-0 nylon", "3-0 nylon");
}

TEST(other_threads_frictions_and_steps)
{
    static const char *const changes[][2] = {
        {"\"gravity\"", "\"time_step\": \"2 ms\", \"gravity\""},
        {"3-0 nylon", "5-0 nylon"},
        {"3-0 nylon", "4-0 nylon"},
        {"3-0 nylon", "2-0 nylon"},
        {"3-0 nylon", "3-0 silk"},
        {"\"drag\"", "\"friction\": 0.15, \"drag\""},
        {"\"drag\"", "\"friction\": 0.3, \"drag\""},
        {"\"gravity\"", "\"time_step\": \"0.5 ms\", \"gravity\""},
    };
    if (!test_is_full()) {
        test_skip("eight throws, with CATGUT_FULL=1");
        return;
    }
    for (int i = 0; i < 8; i++) {
        tie(changes[i][0], changes[i][1]);
    }
}

// Two throws around a peg.
static void tie_square(const char *words, const char *others)
{
    cg_scene *scene = rig_scene_with(SCENES "instrument-tie.json", words, others);
    cg_session *session = rig_session(scene, NULL);
    rig_play(session, "instrument-square", 30000);
    rig_check_knot(session, "square");
    CHECK_INT(cg_session_get_stats(session).refused, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(two_throws_wound_opposite_ways_are_a_square_knot)
{
    static const char *const changes[][2] = {
        {"3-0 nylon", "3-0 nylon"},
        {"3-0 nylon", "3-0 silk"},
        {"3-0 nylon", "4-0 nylon"},
        {"3-0 nylon", "5-0 nylon"},
        {"\"drag\"", "\"friction\": 0.15, \"drag\""},
        {"\"drag\"", "\"friction\": 0.4, \"drag\""},
        {"\"gravity\"", "\"time_step\": \"0.5 ms\", \"gravity\""},
    };
    if (!test_is_full() || test_is_sanitized()) {
        test_skip("seven knots, with CATGUT_FULL=1");
        return;
    }
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        tie_square(changes[i][0], changes[i][1]);
    }
}
