// label: slow
// How far a stitch closes a wound is a matter of the wound and of the hands, not of how finely the pad is cut up or of
// the step.
#define _GNU_SOURCE

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/suture.h"
#include "scene_folder.h"

// The scene of stitch.json with another text in place of one of its own.
static cg_scene *load_with(const char *from, const char *to)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    const char *text = NULL;
    size_t size = 0;
    char changed[1 << 14];
    if (!CHECK(open_file(NULL, "stitch.json", &text, &size) && size + 100 < sizeof changed)) {
        return NULL;
    }
    const char *place = memmem(text, size, from, strlen(from));
    if (CHECK(place != NULL)) {
        int before = (int)(place - text), behind = (int)(size - strlen(from)) - before;
        snprintf(changed, sizeof changed, "%.*s%s%.*s", before, text, to, behind, place + strlen(from));
        CHECK_STR(cg_scene_read(changed, strlen(changed), "stitch.json", NULL, NULL, &scene, &error).message, "");
    }
    free((char *)text);
    return scene;
}

// [m] between the inner holes, at the end of the scene.
static double closed_to(const char *from, const char *to)
{
    cg_scene *scene = load_with(from, to);
    if (scene == NULL) {
        return NAN;
    }
    cg_session *session = start(scene);
    run_session(session, 2);
    cg_anchor inner[2];
    double distance = NAN;
    if (CHECK(cg_world_get_anchor(cg_session_world(session), 1, &inner[0]) &&
              cg_world_get_anchor(cg_session_world(session), 2, &inner[1]))) {
        distance = v3_distance(inner[0].position, inner[1].position);
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
    return distance;
}

TEST(a_stitch_closes_a_wound_as_far_on_any_mesh)
{
    static const char *const spacings[] = {"\"spacing\": \"2.5 mm\"", "\"spacing\": \"1.5 mm\"",
                                           "\"spacing\": \"1.2 mm\""};
    const char *usual = "\"spacing\": \"2 mm\"";
    if (test_is_sanitized()) {
        test_skip("the same steps as in other cases, for half a minute");
        return;
    }
    double distance = closed_to(usual, usual);
    CHECK_NEAR(distance, 0, 2e-3);
    KNOWN_FAULT("0.149, 0.436, 0.189 and 0.224 mm at 2.5, 2, 1.5 and 1.2 mm between nodes");
    for (int i = 0; i < test_counts(1, 1, 3); i++) {
        CHECK_NEAR(closed_to(usual, spacings[i]), distance, 0.05e-3);
    }
}

TEST(a_stitch_closes_a_wound_as_far_at_any_step)
{
    const char *usual = "\"duration\": \"2 s\"";
    if (test_is_sanitized()) {
        test_skip("the same steps as in other cases, for half a minute");
        return;
    }
    double distance = closed_to(usual, usual);
    CHECK_NEAR(closed_to(usual, "\"duration\": \"2 s\", \"time_step\": \"0.5 ms\""), distance, 0.05e-3);
    CHECK_NEAR(closed_to(usual, "\"duration\": \"2 s\", \"time_step\": \"2 ms\""), distance, 0.05e-3);
}
