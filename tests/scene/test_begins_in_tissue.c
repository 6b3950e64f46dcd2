// What begins inside tissue without a stitch or a bite that says so cannot be moved out of it: a scene that asks for it
// is refused, with place and depth. And what is wedged holds nothing that does not touch it.
#include <string.h>

#include "base/vec3.h"
#include "catgut/hand.h"
#include "scene_folder.h"

#define PAD                                                                                                            \
    "\"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"30 mm\", \"width\": \"34 mm\"}, \"spacing\": \"2.4 "    \
    "mm\"}]"
#define NEEDLE(height) "\"bodies\": [{\"name\": \"n\", \"needle\": \"PS-2\", \"position\": [0, 0, \"" height "\"]}]"

// Empty: the scene is good and its world is built.
static cg_status status_of(const char *text, cg_scene_error *error)
{
    cg_scene *scene = NULL;
    cg_world *world = NULL;
    cg_status status = cg_scene_read(text, strlen(text), "needle.json", NULL, NULL, &scene, error);
    if (status.code == CG_OK) {
        status = cg_scene_build(scene, NULL, &world);
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
    return status;
}

TEST(a_needle_over_a_pad_is_good)
{
    cg_scene_error error;
    CHECK_STR(status_of("{" NEEDLE("20 mm") ", " PAD "}", &error).message, "");
}

TEST(a_needle_that_begins_in_a_pad_is_refused)
{
    cg_scene_error error;
    CHECK_STR(status_of("{" NEEDLE("20 mm") ", " PAD "}", &error).message, "");
    KNOWN_FAULT("such a scene is taken, its needle never moves, and tools near it neither");
    cg_status status = status_of("{" NEEDLE("0 mm") ", " PAD "}", &error);
    CHECK(status.code != CG_OK);
    CHECK(strstr(status.message, "mm deep") != NULL);
}

// How far [m] the hand is from where it was sent, at the end.
static double hand_lags(bool with_needle)
{
    char text[1 << 14];
    FILE *file = fopen(CATGUT_SOURCE_DIR "/tests/scene/wedged-needle.json", "rb");
    if (!CHECK(file != NULL)) {
        return 1;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *bodies = strstr(text, "\"bodies\"");
    const char *behind = strstr(text, "\"tissues\"");
    if (!CHECK(bodies != NULL && behind > bodies)) {
        return 1;
    }
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (!with_needle) {
        memset(bodies, ' ', (size_t)(behind - bodies));
    }
    if (!CHECK_STR(cg_scene_read(text, strlen(text), "wedged-needle.json", NULL, NULL, &scene, &error).message, "")) {
        return 1;
    }
    cg_session *session = start(scene);
    run_session(session, 1.5);
    const cg_world *world = cg_session_world(session);
    cg_hand_id hand = {1, 1};
    double lag = v3_distance(cg_hand_get_state(world, hand).pose.position, v3(-0.1, -0.08, 0.15));
    cg_session_destroy(session);
    cg_scene_free(scene);
    return lag;
}

TEST(a_tool_passes_a_wedged_needle_that_it_does_not_touch)
{
    CHECK_NEAR(hand_lags(false), 0, 1e-3);
    KNOWN_FAULT(
        "jaws that come within some 25 mm of a wedged needle stand still for good, though nothing touches them");
    CHECK_NEAR(hand_lags(true), 0, 1e-3);
}
