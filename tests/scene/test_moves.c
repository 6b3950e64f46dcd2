// Moves of a scene: what they name stands elsewhere, all else where it was written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/catgut.h"
#include "harness.h"

#define THINGS                                                                                                         \
    "\"threads\": [{\"name\": \"cord\", \"vertices\": 3, \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, "   \
    "0, "                                                                                                              \
    "0]}}}], \"shapes\": [{\"name\": \"ball\", \"sphere\": {\"radius\": 0.01}, \"position\": [0.1, 0, 0.5]}], "        \
    "\"bodies\": [{\"name\": \"stick\", \"parts\": [{\"sphere\": {\"radius\": 0.01}}], \"position\": [0, 0, 1], "      \
    "\"velocity\": [1, 0, 0]}], \"hands\": [{\"name\": \"left\", \"position\": [0.2, 0, 0]}, "                         \
    "{\"name\": \"right\", \"position\": [0.3, 0, 0]}]"

static cg_world *build(const char *moves, cg_scene **scene)
{
    char text[1500];
    cg_scene_error error;
    cg_world *world = NULL;
    snprintf(text, sizeof text, "{\"moves\": [%s], " THINGS "}", moves);
    if (!CHECK_STR(cg_scene_read(text, strlen(text), "t.json", NULL, NULL, scene, &error).message, "") ||
        !CHECK_STR(cg_scene_build(*scene, NULL, &world).message, "")) {
        return NULL;
    }
    return world;
}

static void check_place(cg_vec3 got, double x, double y, double z)
{
    CHECK_NEAR(got.x, x, 1e-15);
    CHECK_NEAR(got.y, y, 1e-15);
    CHECK_NEAR(got.z, z, 1e-15);
}

TEST(what_is_named_stands_elsewhere)
{
    cg_scene *scene = NULL;
    cg_world *world =
        build("{\"threads\": [\"cord\"], \"hands\": [\"left\"], \"shift\": [0, 0.5, 0]}, "
              "{\"shapes\": [\"ball\"], \"bodies\": [\"stick\"], \"hands\": [\"left\"], \"turn\": \"90 deg\", "
              "\"about\": [0.1, 0, 0]}",
              &scene);
    if (world != NULL) {
        const cg_vec3 *points = cg_thread_positions(world, (cg_thread_id){1, 1}, NULL);
        check_place(points[0], 0, 0.5, 0);
        check_place(points[2], 0.1, 0.5, 0);
        check_place(cg_shape_get_pose(world, (cg_shape_id){1, 1}).position, 0.1, 0, 0.5);
        check_place(cg_rigid_get_pose(world, (cg_rigid_id){1, 1}).position, 0.1, -0.1, 1);
        cg_rigid_info stick;
        CHECK(cg_rigid_get_info(world, (cg_rigid_id){1, 1}, &stick));
        check_place(stick.velocity, 0, 1, 0);
        check_place(cg_hand_get_state(world, (cg_hand_id){1, 1}).pose.position, -0.4, 0.1, 0); // both moves
        check_place(cg_hand_get_state(world, (cg_hand_id){2, 1}).pose.position, 0.3, 0, 0);
    }
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// Adds up what it gives out.
static void *take_counted(void *context, size_t size)
{
    *(size_t *)context += size;
    return malloc(size);
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

// As many moves as a text may have, each of which names the same thread as often as it may.
static char *write_many(int vertices, int moves, int names, const char *shift)
{
    char *text = malloc(100000);
    size_t length = (size_t)sprintf(text,
                                    "{\"threads\": [{\"name\": \"a\", \"vertices\": %d, \"shape\": {\"line\": "
                                    "{\"from\": [0, 0, 0], \"to\": [1, 0, 0]}}}], \"moves\": [",
                                    vertices);
    for (int i = 0; i < moves; i++) {
        length += (size_t)sprintf(text + length, "%s{\"shift\": %s, \"threads\": [", i > 0 ? ", " : "", shift);
        for (int k = 0; k < names; k++) {
            length += (size_t)sprintf(text + length, k > 0 ? ", \"a\"" : "\"a\"");
        }
        length += (size_t)sprintf(text + length, "]}");
    }
    sprintf(text + length, "]}");
    return text;
}

TEST(a_thread_is_copied_once_however_often_it_is_moved)
{
    enum { VERTICES = 5000 };
    size_t bytes[2] = {0, 0};
    for (int many = 0; many < 2; many++) {
        cg_allocator counting = {.allocate = take_counted, .release = give_back, .context = &bytes[many]};
        char *text = write_many(VERTICES, many ? 64 : 1, many ? 64 : 1, many ? "[0, 0.125, 0]" : "[0, 512, 0]");
        cg_scene *scene = NULL;
        cg_scene_error error;
        cg_world *world = NULL;
        if (CHECK_STR(cg_scene_read(text, strlen(text), "t.json", NULL, &counting, &scene, &error).message, "") &&
            CHECK_STR(cg_scene_build(scene, NULL, &world).message, "")) {
            check_place(cg_thread_positions(world, (cg_thread_id){1, 1}, NULL)[VERTICES - 1], 1, 512, 0);
        }
        cg_world_destroy(world);
        cg_scene_free(scene);
        free(text);
    }
    CHECK(bytes[1] < bytes[0] + 20 * VERTICES * sizeof(cg_vec3)); // names take some too
}

TEST(moves_lead_nothing_farther_than_a_text_may_put_it)
{
    cg_scene *scene;
    cg_scene_error error;
    char *text = write_many(3, 2, 64, "[0, 1000, 0]");
    CHECK(cg_scene_read(text, strlen(text), "t.json", NULL, NULL, &scene, &error).code == CG_BAD_INPUT);
    CHECK_STR(error.message, "found a at (0, 128000, 0) m; expected at most 100000 m along each axis");
    free(text);
}

static void refuse(const char *moves, const char *expected)
{
    char text[1500];
    cg_scene *scene;
    cg_scene_error error;
    snprintf(text, sizeof text, "{\"moves\": [%s], " THINGS "}", moves);
    CHECK(cg_scene_read(text, strlen(text), "t.json", NULL, NULL, &scene, &error).code == CG_BAD_INPUT);
    CHECK_STR(error.message, expected);
}

TEST(names_that_are_not_there_are_refused)
{
    refuse("{\"threads\": [\"rope\"]}", "found rope; expected the name of a thread of this scene");
    refuse("{\"hands\": [\"left\", \"tail\"]}", "found tail; expected the name of a hand of this scene");
    refuse("{\"bodies\": [1]}", "found a number; expected the name of a body of this scene");
}
