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
#include "catgut/suture.h"
#include "harness.h"
#include "operation/fields.h"
#include "scene_folder.h"

static cg_vec3 last_position(const cg_world *world, int place)
{
    int count;
    const cg_vec3 *points = cg_thread_positions(world, thread_at(world, place), &count);
    return points[count - 1];
}

TEST(all_scenes_are_read_built_and_stepped)
{
    bool has_constraints = use_constraints();
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
        if (!has_constraints && strstr(text, "\"constraints\": {") != NULL) {
            cg_world *none;
            CHECK(strstr(cg_scene_build(scene, NULL, &none).message, "built without them") != NULL);
            cg_scene_free(scene);
            continue;
        }
        cg_world *world = build(scene);
        uint64_t before = cg_world_state_hash(world);
        for (int i = 0; i < test_counts(100, 30, 100); i++) {
            cg_world_step(world);
        }
        CHECK(cg_world_state_hash(world) != before || cg_scene_thread_count(scene) == 0);
        CHECK_INT(cg_world_get_stats(world).recovered_steps, 0);
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
    closedir(folder);
    CHECK(found >= 11);
}

// A skin with a wound from a file that tells its sides apart; a needle is in it, in a node that was not there.
TEST(the_skin_from_a_file_has_its_sides_and_is_pierced)
{
    cg_scene *scene = load("skin-wound.json");
    cg_world *world = build(scene);
    const cg_tissue_id skin = {1, 1};
    int sides[4] = {0}, nodes[3], side, before = cg_tissue_get_summary(world, skin).node_count, fixed = 0;
    for (int t = 0; cg_tissue_get_triangle(world, skin, t, nodes, &side); t++) {
        sides[side]++;
        for (int k = 0; k < 3 && side == 2; k++) {
            fixed += cg_tissue_is_fixed(world, skin, nodes[k]);
        }
    }
    CHECK_INT(sides[0], 408);
    CHECK_INT(sides[1], 408);
    CHECK_INT(sides[2], 348);
    CHECK_INT(sides[3], 70);
    CHECK_INT(fixed, 3 * sides[2]);
    run_for(world, cg_scene_duration(scene));
    cg_piercing piercing = {0};
    CHECK(cg_rigid_get_piercing(world, (cg_rigid_id){1, 1}, &piercing));
    CHECK_INT(piercing.holes, 1);
    CHECK_INT((int)piercing.forced, 0);
    CHECK_INT(cg_tissue_get_summary(world, skin).node_count, before + 4);
    CHECK_INT((int)cg_world_get_stats(world).unfinished_steps, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
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

// Looks at shapes with geometry of its own: nothing may be inside the table, the block or the rod of table.json. All
// three carry a part of the thread, together its weight.
TEST(the_thread_rests_on_table_block_and_rod)
{
    cg_scene *scene = load("table.json");
    CHECK_STR(cg_scene_shape_name(scene, 2), "rod");
    cg_world *world = build(scene);
    run_for(world, cg_scene_duration(scene));
    int count;
    const cg_vec3 *points = cg_thread_positions(world, thread_at(world, 0), &count);
    const cg_vec3 *velocities = cg_thread_velocities(world, thread_at(world, 0), &count);
    double radius = cg_scene_thread_radius(scene, 0), slack = 0.1 * radius;
    for (int i = 0; i < count; i++) {
        cg_vec3 p = points[i];
        double above_block = fmax(fabs(p.x + 0.06) - 0.02, p.z - 0.014);
        double from_rod = sqrt((p.x - 0.035) * (p.x - 0.035) + (p.z - 0.004) * (p.z - 0.004)) - 0.004;
        CHECK(p.z > radius - slack && above_block > radius - slack && from_rod > radius - slack);
        CHECK(v3_length(velocities[i]) < 0.02);
    }
    double weight = 9.81 * 1350 * CG_PI * radius * radius * cg_thread_get_summary(world, thread_at(world, 0)).length;
    double carried = 0;
    for (int i = 0; i < 3; i++) {
        cg_vec3 load;
        cg_shape_get_load(world, cg_operation_shape(world, i), &load, NULL);
        CHECK(load.z < -0.02 * weight);
        carried -= load.z;
    }
    CHECK_NEAR(carried, weight, 0.02 * weight);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// Capstan: over half a turn friction multiplies the pull by exp(pi mu), mu being the geometric mean.
TEST(the_hand_at_the_post_pulls_as_the_capstan_says)
{
    cg_scene *scene = load("post.json");
    cg_session *session = start(scene);
    run_session(session, 0.8);
    double pull = 0;
    int steps = 0;
    for (; cg_world_time(cg_session_world(session)) < 1.6; steps++) {
        cg_session_step(session);
        pull += v3_length(cg_thread_hold_force(cg_session_world(session), cg_session_thread(session, 0), 0));
    }
    CHECK_NEAR(pull / steps / (5e-3 * 9.81), exp(CG_PI * sqrt(0.27 * 0.2)), 0.1);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// The knot stays at the post while the thread is drawn through it: 0.1 m/s for 0.3 s, and the fine part goes along.
TEST(the_fine_spacing_travels_with_the_knot)
{
    cg_scene *scene = load("travel.json");
    cg_session *session = start(scene);
    double middle[2];
    for (int k = 0; k < 2; k++) {
        run_session(session, k == 0 ? 0.1 : 0.4);
        int count;
        cg_thread_id id = cg_session_thread(session, 0);
        const double *rest = cg_thread_rest_lengths(cg_session_world(session), id, &count);
        const double *arcs = cg_thread_arcs(cg_session_world(session), id, NULL);
        double first = 1, last = 0;
        for (int i = 0; i < count; i++) {
            first = rest[i] < 0.14e-3 && arcs[i] < first ? arcs[i] : first;
            last = rest[i] < 0.14e-3 && arcs[i] > last ? arcs[i] : last;
        }
        middle[k] = 0.5 * (first + last);
        CHECK(last - first > 0.01 && last - first < 0.04);
        CHECK(count > 150 && count < 600);
        CHECK(rest[0] > 1e-3 && rest[count - 1] > 1e-3);
    }
    CHECK_NEAR(middle[1] - middle[0], 0.03, 0.004);
    CHECK_INT(cg_world_get_stats(cg_session_world(session)).refused_edits, 0);
    cg_session_destroy(session);
    cg_scene_free(scene);
}
