// Threads of a scene with memory or out of a packet: yield moments and rest curvature, and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catalogue.h"
#include "harness.h"
#include "scene/reader.h"
#include "scene/scene.h"
#include "scene_folder.h"
#include "world/world.h"

static cg_scene *read_thread(const char *fields, cg_scene_error *error)
{
    char text[400];
    snprintf(text, sizeof text,
             "{\"gravity\": [0, 0, 0], \"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], "
             "\"to\": [0.1, 0, 0]}}, \"vertices\": 101, %s}]}",
             fields);
    cg_scene *scene;
    cg_scene_read(text, strlen(text), "scene.json", NULL, NULL, &scene, error);
    return scene;
}

static void check_yield(const char *fields, double moment, double breaking_force)
{
    cg_scene_error error;
    cg_scene *scene = read_thread(fields, &error);
    CHECK_STR(error.message, "");
    if (scene != NULL) {
        CHECK_NEAR(scene->threads[0].def.yield_moment, moment, 1e-12 * moment);
        CHECK_NEAR(scene->threads[0].def.breaking_force, breaking_force, 1e-12 * breaking_force);
    }
    cg_scene_free(scene);
}

TEST(the_yield_moment_is_that_of_the_strength)
{
    cg_suture nylon;
    CHECK(cg_catalogue_find("3-0 nylon", &nylon, NULL, 0));
    double straight = nylon.breaking_force.value, plastic = 4 * 0.5 * nylon.diameter.value * straight / (3 * CG_PI);
    check_yield("\"suture\": \"3-0 nylon\"", 0, 0);
    check_yield("\"suture\": \"3-0 nylon\", \"memory\": false", 0, 0);
    check_yield("\"suture\": \"3-0 nylon\", \"memory\": true", 0.5 * plastic, 0); // it need not break
    check_yield("\"suture\": \"3-0 nylon\", \"memory\": true, \"breaks\": true", 0.5 * plastic, straight);
    check_yield("\"radius\": \"0.1 mm\", \"memory\": true, \"breaking_force\": \"12 N\", \"yield_share\": 0.3",
                0.3 * 4 * 1e-4 * 12 / (3 * CG_PI), 0);
}

// Let go, a straight thread goes back to the loops of its packet.
TEST(a_thread_out_of_its_packet_is_curved_at_rest)
{
    cg_scene_error error;
    cg_scene *scene = read_thread("\"packet_radius\": \"20 mm\", \"drag\": 2000", &error);
    cg_world *world = NULL;
    CHECK_STR(error.message, "");
    CHECK_NEAR(cg_scene_thread_length(scene, 0), 0.1, 1e-12);
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    const cg_thread *thread = cg_world_find_thread(world, (cg_thread_id){1, 1});
    for (int j = 1; j < thread->segment_count; j++) {
        CHECK_NEAR(cg_acos(thread->rest_ahead[j].z), 1e-3 / 20e-3, 1e-9);
    }
    double whole = cg_thread_total_energy(thread, (cg_vec3){0, 0, 0});
    for (int i = 0; i < 2000; i++) {
        cg_world_step(world);
    }
    CHECK(cg_thread_total_energy(thread, (cg_vec3){0, 0, 0}) < 0.1 * whole);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

static void check_refused(const char *fields, const char *part)
{
    cg_scene_error error;
    cg_scene *scene = read_thread(fields, &error);
    CHECK(scene == NULL);
    CHECK(strstr(error.message, part) != NULL);
    cg_scene_free(scene);
}

TEST(what_has_no_memory_is_refused)
{
    check_refused("\"memory\": true", "with memory, but neither breaking_force nor suture");
    check_refused("\"memory\": true, \"breaking_force\": \"1 N\", \"model\": \"chain\"",
                  "expected model \"kirchhoff\"");
    check_refused("\"memory\": true, \"breaking_force\": \"1 N\", \"yield_share\": 0", "yield_share of 0");
    check_refused("\"memory\": true, \"breaking_force\": \"1 N\", \"twist_stiffness\": 0", "found no twist_stiffness");
    check_refused("\"packet_radius\": \"0.9 mm\"", "with segments of 0.001 m");
    check_refused("\"packet_radius\": \"20 mm\", \"twist_stiffness\": 0", "found no twist_stiffness");
    check_refused("\"packet_radius\": \"20 mm\", \"model\": \"chain\"", "\"packet_radius\" with this \"model\"");
    check_refused("\"packet_radius\": \"20 mm\", \"rest\": \"straight\"", "found both");
}

static double ends_apart(const cg_session *session, int thread)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(cg_session_world(session), cg_session_thread(session, thread), &count);
    return v3_distance(points[0], points[count - 1]);
}

// Chords of the wires, 60 mm long, and of the thread, that long on a circle of 15 mm.
TEST(the_wire_stays_bent_the_other_springs_back_and_the_thread_curls)
{
    cg_scene *scene = load("memory.json");
    cg_session *session = start(scene);
    run_session(session, 0.99);
    CHECK(ends_apart(session, 0) < 17e-3 && ends_apart(session, 1) < 17e-3);
    run_session(session, cg_scene_duration(scene));
    CHECK(ends_apart(session, 0) < 40e-3);
    CHECK_NEAR(ends_apart(session, 1), 60e-3, 0.5e-3);
    CHECK_NEAR(ends_apart(session, 2), 30e-3 * cg_sin(2), 0.5e-3);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
