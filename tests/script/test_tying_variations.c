// label: slow
// The shipped scripts tie their knot in the shipped suture also when its air is thinner, or its spacing follows it.
// With another drag the square script once tied nothing and ended well all the same: the scripts expect their knot now.
#include "script_rig.h"

// The suture with other words in place of some of its file.
static cg_scene *suture_with(const char *words, const char *others)
{
    return rig_scene_with(SCENES "suture.json", words, others);
}

static void tie(cg_scene *scene, const char *script, double time_step, const char *knot)
{
    cg_session *session = rig_session(scene, NULL);
    cg_operation step = {.kind = CG_OPERATION_set_time_step, .as.set_time_step = {time_step}};
    CHECK_INT(cg_session_apply(session, &step).code, CG_OK);
    rig_play(session, script, 20000);
    rig_check_knot(session, knot);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

static void tie_with(const char *words, const char *others)
{
    if (test_is_sanitized()) {
        test_skip("too slow with sanitizers");
        return;
    }
    if (test_is_full()) {
        tie(suture_with(words, others), "square", 1e-3, "square");
    }
    tie(suture_with(words, others), "overhand", 2e-3, "overhand");
}

TEST(a_quarter_of_the_drag)
{
    tie_with("\"drag\": 80", "\"drag\": 20");
}

TEST(half_of_the_drag)
{
    tie_with("\"drag\": 80", "\"drag\": 40");
}

TEST(spacing_that_follows)
{
    tie_with("\"spacing\": \"4 mm\"", "\"spacing\": \"4 mm\", \"follow\": {}");
}
