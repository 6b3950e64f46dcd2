// Every broken scene is refused at its place with a sentence that says what is wrong.
#include "scene/broken.h"

#include <stdio.h>

#include "catgut/scene.h"
#include "harness.h"

TEST(every_broken_scene_is_refused_at_its_place)
{
    CHECK(BROKEN_COUNT >= 150);
    for (int i = 0; i < BROKEN_COUNT; i++) {
        size_t size;
        int line, column;
        char *text = broken_text(&broken_scenes[i], &size, &line, &column);
        cg_scene *scene = (cg_scene *)&scene; // must become NULL
        cg_scene_error error;
        cg_status status = cg_scene_read(text, size, "broken.json", NULL, NULL, &scene, &error);
        int right = CHECK_INT(status.code, CG_BAD_INPUT) + CHECK(scene == NULL) + CHECK_INT(error.line, line) +
                    CHECK_INT(error.column, column) + CHECK_STR(error.file, "broken.json") +
                    CHECK(strstr(error.message, broken_scenes[i].part) != NULL) +
                    CHECK(strchr(error.message, '\n') == NULL);
        if (right != 7) {
            printf("scene %d: %s\n  said %d:%d: %s\n  wanted %s\n", i, text, error.line, error.column, error.message,
                   broken_scenes[i].part);
        }
        free(text);
    }
}

TEST(a_status_carries_the_whole_sentence)
{
    cg_scene *scene;
    cg_status status = cg_scene_read("{\"titel\": 1}", 12, "x.json", NULL, NULL, &scene, NULL);
    CHECK_STR(status.message, "x.json:1:2: found \"titel\", which is no field of a scene; did you mean \"title\"?");
}
