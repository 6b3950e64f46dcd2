// Every scene of the folder scenes/ is read, built and stepped, and shows what its comment says.
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/scene.h"
#include "harness.h"
#include "scene/reader.h"

static bool open_file(void *context, const char *path, const char **text, size_t *size)
{
    char full[1024];
    (void)context;
    snprintf(full, sizeof full, "%s/scenes/%s", CATGUT_SOURCE_DIR, path);
    FILE *file = fopen(full, "rb");
    if (file == NULL) {
        return false;
    }
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    *text = bytes;
    fclose(file);
    return true;
}

static void release_file(void *context, const char *text)
{
    (void)context;
    free((char *)text);
}

static cg_scene *load(const char *name)
{
    cg_scene_files files = {open_file, release_file, NULL};
    const char *text = NULL;
    size_t size = 0;
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (CHECK(open_file(NULL, name, &text, &size))) {
        cg_status status = cg_scene_read(text, size, name, &files, NULL, &scene, &error);
        CHECK_STR(status.message, "");
        free((char *)text);
    }
    return scene;
}

static cg_world *build(const cg_scene *scene)
{
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    return world;
}

// Threads get their handles in order, from the same generation on.
static cg_thread_id thread_at(const cg_world *world, int place)
{
    for (unsigned generation = 0; generation < 4; generation++) {
        cg_thread_id id = {(unsigned)place + 1, generation};
        if (cg_thread_is_valid(world, id)) {
            return id;
        }
    }
    CHECK(false);
    return (cg_thread_id){0};
}

static void run_for(cg_world *world, double seconds)
{
    while (cg_world_time(world) < seconds) {
        cg_world_step(world);
    }
}

static cg_vec3 last_position(const cg_world *world, int place)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(world, thread_at(world, place), &count);
    return points[count - 1];
}

TEST(all_scenes_are_read_built_and_stepped)
{
    DIR *folder = opendir(CATGUT_SOURCE_DIR "/scenes");
    int found = 0;
    if (!CHECK(folder != NULL)) {
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0) {
            continue;
        }
        cg_scene *scene = load(entry->d_name);
        if (scene == NULL) {
            continue;
        }
        found++;
        const char *path, *text;
        size_t size;
        CHECK(cg_scene_source(scene, 0, &path, &text, &size) && strncmp(text, "//", 2) == 0); // says what it shows
        CHECK(cg_scene_title(scene)[0] != '\0');
        cg_world *world = build(scene);
        uint64_t before = cg_world_state_hash(world);
        for (int i = 0; i < 100; i++) {
            cg_world_step(world);
        }
        CHECK(cg_world_state_hash(world) != before || cg_scene_thread_count(scene) == 0);
        CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
    closedir(folder);
    CHECK(found >= 6);
}

TEST(the_hanging_thread_comes_to_hang)
{
    cg_scene *scene = load("hanging.json");
    cg_world *world = build(scene);
    run_for(world, cg_scene_duration(scene));
    CHECK(last_position(world, 0).z < -0.12);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(thinner_cantilevers_sag_more)
{
    cg_scene *scene = load("cantilever.json");
    cg_world *world = build(scene);
    run_for(world, cg_scene_duration(scene));
    for (int i = 1; i < 3; i++) {
        CHECK(last_position(world, i).z < last_position(world, i - 1).z - 1e-3);
    }
    CHECK(last_position(world, 3).z < last_position(world, 1).z - 1e-3); // silk bends more than nylon of its size
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(the_bead_swings_with_the_period_of_a_pendulum)
{
    cg_scene *scene = load("swing.json");
    cg_world *world = build(scene);
    double crossings[4], before = last_position(world, 0).x;
    int count = 0;
    while (count < 4 && cg_world_time(world) < cg_scene_duration(scene)) {
        cg_world_step(world);
        double now = last_position(world, 0).x;
        if ((before > 0) != (now > 0)) {
            crossings[count++] = cg_world_time(world);
        }
        before = now;
    }
    // T = 2 pi sqrt(L / g) / agm(1, cos(a / 2)) for an amplitude of 60 degrees
    double a = 1, g = cos(CG_PI / 6);
    for (int i = 0; i < 6; i++) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    double period = 2 * CG_PI * sqrt(0.1 / 9.81) / a;
    CHECK_INT(count, 4);
    CHECK_NEAR(crossings[2] - crossings[0], period, 0.03 * period);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(the_twisted_thread_writhes)
{
    cg_scene *scene = load("twist.json");
    cg_world *world = build(scene);
    run_for(world, cg_scene_duration(scene));
    int count;
    const cg_vec3 *points = cg_thread_positions(world, thread_at(world, 0), &count);
    double far = 0;
    for (int i = 0; i < count; i++) {
        far = fmax(far, fabs(points[i].z)); // it started in the plane z = 0
    }
    CHECK(far > 2e-3);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(the_coil_winds_itself_up)
{
    cg_scene *scene = load("coil.json");
    cg_world *world = build(scene);
    run_for(world, cg_scene_duration(scene));
    CHECK(last_position(world, 0).z > -0.06);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(the_included_pair_hangs_as_rod_and_as_chain)
{
    cg_scene *scene = load("two-threads.json");
    CHECK_INT(cg_scene_thread_count(scene), 2);
    CHECK_INT(cg_scene_source_count(scene), 3);
    CHECK_STR(cg_scene_thread_name(scene, 1), "silk");
    cg_world *world = build(scene);
    run_for(world, cg_scene_duration(scene));
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(cg_thread_get_summary(world, thread_at(world, i)).length, 0.096, 0.001);
    }
    cg_world_destroy(world);
    cg_scene_free(scene);
}
