// Threads of a scene that break: their strength from the suture or from the file, parts for them, and what is refused.
#include <stdio.h>

#include "catgut/catalogue.h"
#include "thread_scene.h"

static void check_strength(const char *fields, double force, double yield, int threads)
{
    cg_scene_error error;
    cg_scene *scene = read_thread(fields, &error);
    CHECK_STR(error.message, "");
    if (scene != NULL) {
        CHECK_NEAR(scene->threads[0].def.breaking_force, force, 1e-12 * force);
        CHECK_NEAR(scene->threads[0].def.yield_share, yield, 0);
        CHECK_INT(cg_scene_thread_count(scene), threads);
    }
    cg_scene_free(scene);
}

TEST(the_strength_is_that_of_the_suture_or_of_the_file)
{
    cg_suture nylon;
    CHECK(cg_catalogue_find("3-0 nylon", &nylon, NULL, 0));
    double straight = nylon.breaking_force.value;
    char twice[120];
    snprintf(twice, sizeof twice, "\"suture\": \"3-0 nylon\", \"diameter\": %.17g, \"breaks\": true",
             2 * nylon.diameter.value);
    check_strength("\"suture\": \"3-0 nylon\"", 0, 0.5, 1);
    check_strength("\"suture\": \"3-0 nylon\", \"breaks\": true", straight, 0.5, 2);
    check_strength(twice, 4 * straight, 0.5, 2);
    check_strength("\"breaks\": true, \"breaking_force\": \"12 N\", \"yield_share\": 0.3, \"cuts\": 3", 12, 0.3, 4);
    check_strength("\"breaks\": false, \"breaking_force\": \"12 N\"", 0, 0.5, 1);
}

TEST(what_cannot_break_is_refused)
{
    check_refused("\"breaks\": true", "neither breaking_force nor suture");
    check_refused("\"breaks\": true, \"breaking_force\": \"1 N\", \"model\": \"chain\"",
                  "expected model \"kirchhoff\"");
    check_refused("\"breaks\": true, \"breaking_force\": \"0 N\"", "breaking_force");
    check_refused("\"breaks\": true, \"breaking_force\": \"1 N\", \"yield_share\": 0.95", "yield_share");
}

TEST(a_world_of_such_a_scene_breaks_its_thread)
{
    cg_scene_error error;
    cg_scene *scene = read_thread("\"start\": \"pinned\", \"breaks\": true, \"breaking_force\": \"1 N\"", &error);
    cg_world *world = NULL;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    int broken = 0;
    for (int i = 0; i < 1500 && broken == 0; i++) {
        const cg_thread_break *breaks;
        cg_thread_push_vertex(world, (cg_thread_id){1, 1}, 20, (cg_vec3){1e-3 * i, 0, 0});
        cg_world_step(world);
        broken = cg_world_breaks(world, &breaks);
    }
    CHECK_INT(broken, 1);
    cg_world_destroy(world);
    cg_scene_free(scene);
}
