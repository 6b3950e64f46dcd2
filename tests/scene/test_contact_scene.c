// Rigid shapes and knots of a scene: what is written is what the world has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "catgut/needle.h"
#include "geometry/closest.h"
#include "harness.h"
#include "knot/curves.h"
#include "knot/determinant.h"
#include "memory_files.h"
#include "scene/reader.h"

static cg_scene *read_good(const char *text)
{
    cg_scene *scene;
    cg_scene_error error;
    cg_scene_read(text, strlen(text), "scene.json", NULL, NULL, &scene, &error);
    CHECK_STR(error.message, "");
    return scene;
}

static const cg_vec3 *points_of(const cg_scene *scene, int thread, int *count)
{
    *count = scene->threads[thread].def.vertex_count;
    return scene->threads[thread].def.positions;
}

TEST(rigid_shapes_reach_the_world)
{
    cg_scene *scene = read_good(
        "{\"shapes\": ["
        "{\"name\": \"ball\", \"sphere\": {\"radius\": \"4 mm\"}, \"position\": [1, 2, \"3 mm\"]},"
        "{\"capsule\": {\"radius\": \"2 mm\", \"half_length\": \"1 cm\"}, \"friction\": 0.5},"
        "{\"name\": \"table\", \"half_space\": {}, \"rotation\": {\"axis\": [0, 3, 0], \"angle\": \"90 deg\"}},"
        "{\"box\": {\"half_extents\": [1, \"2 cm\", \"3 mm\"]}}]}");
    static const char *const names[] = {"ball", "shape-2", "table", "shape-4"};
    CHECK_INT(cg_scene_shape_count(scene), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_STR(cg_scene_shape_name(scene, i), names[i]);
    }
    CHECK(cg_scene_shape_name(scene, -1) == NULL && cg_scene_shape_name(scene, 4) == NULL);
    const cg_shape_def *ball = &scene->shapes[0].def, *rod = &scene->shapes[1].def, *box = &scene->shapes[3].def;
    CHECK(ball->shape.kind == CG_SHAPE_SPHERE && ball->shape.radius == 4e-3 && ball->friction == 0.2);
    CHECK(rod->shape.kind == CG_SHAPE_CAPSULE && rod->shape.radius == 2e-3 && rod->shape.half_length == 0.01);
    CHECK_NEAR(rod->friction, 0.5, 0);
    CHECK_INT(scene->shapes[2].def.shape.kind, CG_SHAPE_HALF_SPACE);
    CHECK(box->shape.kind == CG_SHAPE_BOX && v3_distance(box->shape.half_extents, v3(1, 0.02, 0.003)) == 0);
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    for (unsigned i = 0; i < 4; i++) {
        cg_transform pose = cg_shape_get_pose(world, (cg_shape_id){i + 1, 1});
        CHECK(cg_shape_is_valid(world, (cg_shape_id){i + 1, 1}));
        CHECK_NEAR(v3_distance(pose.position, i == 0 ? v3(1, 2, 0.003) : v3_zero()), 0, 0);
        double half = i == 2 ? sqrt(0.5) : 0; // sine of half the angle
        CHECK_NEAR(pose.rotation.y, half, 1e-15);
        CHECK_NEAR(pose.rotation.w, i == 2 ? half : 1, 1e-15);
    }
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(more_shapes_than_a_world_has_room_for_by_default)
{
    static char text[40000] = "{\"shapes\": [";
    for (int i = 0; i < 1000; i++) {
        strcat(text, "{\"half_space\": {}},");
    }
    strcat(text, "]}");
    cg_scene *scene = read_good(text);
    cg_world *world;
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    cg_world_destroy(world);
    cg_scene_free(scene);
    strcpy(strrchr(text, ']'), "{\"half_space\": {}}]}");
    cg_scene_error error;
    CHECK_INT(cg_scene_read(text, strlen(text), "many.json", NULL, NULL, &scene, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "found an array of 1001; expected 0 to 1000") != NULL);
}

#define THREAD "{\"shape\": {\"line\": {\"from\": [0, 0, 1], \"to\": [0.1, 0, 1]}}}"
#define KNOT "{\"vertices\": 50, \"shape\": {\"knot\": {\"kind\": \"overhand\"}}}"

TEST(contacts_are_felt_unless_the_scene_says_otherwise)
{
    static const struct {
        const char *text;
        int contacts;
    } cases[] = {
        {"{\"threads\": [" THREAD "]}", 200},
        {"{\"threads\": [" THREAD "], \"max_contacts\": 0}", 0},
        {"{\"threads\": [" THREAD "], \"shapes\": [{\"half_space\": {}}]}", 200},
        {"{\"threads\": [" THREAD "], \"shapes\": [{\"half_space\": {}}], \"max_contacts\": 0}", 0},
        {"{\"max_contacts\": 7, \"threads\": [" KNOT "]}", 7},
        {"{\"threads\": [" KNOT "]}", 200},
        {"{\"threads\": [" THREAD "], \"max_contacts\": 30}", 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cg_scene *scene = read_good(cases[i].text);
        CHECK_INT(scene->world_def.max_contacts, cases[i].contacts);
        cg_scene_free(scene);
    }
}

TEST(included_shapes_come_first)
{
    static const char *const files[][2] = {
        {"parts/table.json", "{\"max_contacts\": 3, \"shapes\": [{\"name\": \"table\", \"half_space\": {}}]}"},
        {NULL, NULL}};
    static const char text[] = "{\"include\": [\"parts/table.json\"], \"shapes\": [{\"sphere\": {\"radius\": 1}}]}";
    memory_files memory = {.files = files};
    cg_scene_files scene_files = memory_scene_files(&memory);
    cg_scene *scene;
    cg_scene_error error;
    CHECK_INT(cg_scene_read(text, strlen(text), "a.json", &scene_files, NULL, &scene, &error).code, CG_OK);
    CHECK_INT(cg_scene_shape_count(scene), 2);
    CHECK_STR(cg_scene_shape_name(scene, 0), "table");
    CHECK_STR(cg_scene_shape_name(scene, 1), "shape-2");
    CHECK_INT(scene->world_def.max_contacts, 200); // the settings of an included file are not used
    cg_scene_free(scene);
}

TEST(a_shape_and_a_thread_may_have_the_same_name)
{
    cg_scene *scene =
        read_good("{\"threads\": [{\"name\": \"a\", \"shape\": {\"circle\": {\"radius\": 1}}}], \"shapes\": "
                  "[{\"name\": \"a\", \"half_space\": {}}]}");
    CHECK_STR(cg_scene_shape_name(scene, 0), cg_scene_thread_name(scene, 0));
    cg_scene_free(scene);
}

// The words of scenes are those of the curves.
TEST(every_knot_has_its_name)
{
    const cg_scene_field *kind = &cg_type_knot.fields[cg_scene_field_index(&cg_type_knot, "kind")];
    int count = 0;
    while (kind->words[count] != NULL) {
        CHECK_STR(kind->words[count], cg_curve_kind_name((cg_curve_kind)(count + 1)));
        count++;
    }
    CHECK_INT(count, CG_CURVE_KIND_COUNT - 1);
}

// The least distance of segments that are far apart along the thread.
static double least_gap(const cg_vec3 *points, int count, double apart)
{
    double least = 1;
    for (int i = 0; i + 1 < count; i++) {
        double arc = 0;
        for (int j = i + 2; j + 1 < count; j++) {
            arc += v3_distance(points[j - 1], points[j]);
            if (arc > apart) {
                cg_closest closest = cg_closest_segments(points[i], points[i + 1], points[j], points[j + 1]);
                least = fmin(least, sqrt(closest.squared_distance));
            }
        }
    }
    return least;
}

TEST(knots_in_one_thread_are_what_they_are_called)
{
    static const struct {
        const char *kind;
        int determinant; // of the knot closed over its ends
    } knots[] = {{"overhand", 3}, {"figure-eight", 5}, {"reef", 9}, {"granny", 9}};
    for (int k = 0; k < 4; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{\"threads\": [{\"radius\": \"0.1 mm\", \"spacing\": \"0.2 mm\", \"shape\": {\"knot\": {\"kind\": "
                 "\"%s\", \"tail\": \"2 cm\", \"gap\": \"0.5 mm\", \"mirror\": %s}}}]}",
                 knots[k].kind, k % 2 ? "true" : "false");
        cg_scene *scene = read_good(text);
        int count;
        const cg_vec3 *points = points_of(scene, 0, &count);
        uint64_t determinant;
        CHECK_INT(cg_knot_determinant(points, count, NULL, &determinant).code, CG_OK);
        CHECK_INT(determinant, knots[k].determinant);
        double longest = 0, shortest = 1;
        for (int i = 1; i < count; i++) {
            longest = fmax(longest, v3_distance(points[i - 1], points[i]));
            shortest = fmin(shortest, v3_distance(points[i - 1], points[i]));
        }
        CHECK(longest <= 0.2e-3 * (1 + 1e-6) && shortest > 0.19e-3); // chords are a little shorter than arcs
        double gap = least_gap(points, count, 1.5e-3);
        CHECK(gap > 0.45e-3 && gap < 0.6e-3);
        CHECK(v3_distance(points[0], points[count - 1]) > 0.04); // both tails are there
        cg_scene_free(scene);
    }
}

TEST(a_knot_has_exactly_the_vertices_it_asks_for)
{
    for (int wanted = 2; wanted < 3000; wanted += 1 + wanted / 3) {
        char text[200];
        snprintf(text, sizeof text,
                 "{\"threads\": [{\"vertices\": %d, \"shape\": {\"knot\": {\"kind\": \"surgeon\", \"strand\": %d}}}]}",
                 wanted, 1 + wanted % 2);
        cg_scene *scene = read_good(text);
        CHECK_INT(cg_scene_thread_vertices(scene, 0), wanted);
        cg_scene_free(scene);
    }
    cg_scene *scene =
        read_good("{\"threads\": [{\"shape\": {\"knot\": {\"kind\": \"overhand\", \"tail\": \"40 mm\"}}}]}");
    int count;
    const cg_vec3 *points = points_of(scene, 0, &count);
    CHECK_NEAR(v3_distance(points[10], points[11]), 0.22e-3, 1e-6); // a diameter
    cg_scene_free(scene);
}

TEST(a_knot_is_turned_and_then_shifted)
{
    cg_scene *scene = read_good(
        "{\"threads\": [{\"vertices\": 90, \"shape\": {\"knot\": {\"kind\": \"slip\"}}}, {\"vertices\": 90, "
        "\"shape\": {\"knot\": {\"kind\": \"slip\", \"rotation\": {\"axis\": [1, 0, 0], \"angle\": \"90 deg\"}, "
        "\"position\": [\"1 cm\", 0, \"5 mm\"]}}}]}");
    int count;
    const cg_vec3 *plain = points_of(scene, 0, &count), *placed = points_of(scene, 1, &count);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(v3_distance(placed[i], v3(plain[i].x + 0.01, -plain[i].z, plain[i].y + 5e-3)), 0, 1e-15);
    }
    cg_scene_free(scene);
}

TEST(two_strands_make_the_knot_of_two_threads)
{
    cg_scene *scene = read_good("{\"threads\": [{\"spacing\": \"0.3 mm\", \"shape\": {\"knot\": {\"kind\": \"reef\", "
                                "\"strand\": 2, \"tail\": \"12 mm\", "
                                "\"free_tail\": \"6 mm\"}}}, {\"spacing\": \"0.3 mm\", \"shape\": {\"knot\": "
                                "{\"kind\": \"reef\", \"strand\": 1, "
                                "\"tail\": \"12 mm\", \"free_tail\": \"6 mm\"}}}]}");
    static cg_vec3 laid[2000];
    cg_curve_def def = {.kind = CG_CURVE_REEF, .thread_count = 2, .radius = 0.11e-3, .tail = 12e-3, .free_tail = 6e-3};
    for (int strand = 0; strand < 2; strand++) {
        int count;
        const cg_vec3 *points = points_of(scene, 1 - strand, &count);
        double length = 0;
        for (int i = 1; i < count; i++) {
            length += v3_distance(points[i - 1], points[i]);
        }
        cg_curve curve;
        def.spacing = length / (count - 1);
        CHECK_INT(cg_curve_make(&def, laid, 2000, &curve).code, CG_OK);
        CHECK_INT(curve.point_count[strand], count);
        const cg_vec3 *own = laid + (strand == 1 ? curve.point_count[0] : 0);
        for (int i = 0; i < count; i++) {
            CHECK(v3_distance(points[i], own[i]) < 1e-6); // chords are shorter than arcs by about that
        }
        CHECK_NEAR(v3_distance(points[0], own[0]), 0, 1e-12);
        CHECK_NEAR(v3_distance(points[count - 1], own[count - 1]), 0, 1e-12);
    }
    cg_scene_free(scene);
}

TEST(too_many_knots_are_refused)
{
    static char text[20000] = "{\"threads\": [";
    for (int i = 0; i < 101; i++) {
        strcat(text, "{\"vertices\": 20, \"shape\": {\"knot\": {\"kind\": \"overhand\"}}},");
    }
    strcat(text, "]}");
    cg_scene *scene;
    cg_scene_error error;
    CHECK_INT(cg_scene_read(text, strlen(text), "many.json", NULL, NULL, &scene, &error).code, CG_BAD_INPUT);
    CHECK_STR(error.message, "found one knot more; expected at most 100 in a scene");
}

// Counts the pieces of memory that are asked for.
static void *count_and_allocate(void *context, size_t bytes)
{
    ++*(int *)context;
    return malloc(bytes);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

// Threads are added one by one; the memory of the contacts must not be taken anew for each of them.
TEST(many_threads_with_contacts_take_memory_seldom)
{
    enum { COUNT = 1000 };
    static char text[COUNT * 100 + 100];
    int taken[2] = {0};
    for (int contacts = 0; contacts < 2; contacts++) {
        int used = sprintf(text, "{\"max_contacts\": %d, \"threads\": [", 20 * contacts);
        for (int i = 0; i < COUNT; i++) {
            used += sprintf(text + used,
                            "{\"vertices\": %d, \"shape\": {\"line\": {\"from\": [0, %d, 0], \"to\": [1, %d, 0]}}},",
                            2 + i % 9, i, i);
        }
        strcpy(text + used, "]}");
        cg_scene *scene = read_good(text);
        cg_world *world;
        cg_allocator allocator = {count_and_allocate, release, &taken[contacts]};
        CHECK_STR(cg_scene_build(scene, &allocator, &world).message, "");
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
    CHECK(taken[1] - taken[0] < 60);
}

static const char needle_scene[] =
    "{\"threads\": [{\"name\": \"t\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"30 mm\", 0, 0]}}, "
    "\"spacing\": \"1 mm\"}], \"bodies\": [{\"needle\": \"PS-2\", \"pieces\": 6, \"swage\": {\"thread\": \"t\", "
    "\"end\": \"finish\"}}, {\"needle\": \"UR-6\", \"mass\": \"1 g\", \"position\": [0, 0, \"5 cm\"]}]}";

TEST(needles_and_swages_reach_the_world)
{
    cg_scene *scene = read_good(needle_scene);
    cg_world *world;
    cg_needle_kind kind;
    cg_needle_state state;
    cg_swage_info swage;
    CHECK(cg_needle_catalogue_find("PS-2", &kind, NULL, 0));
    CHECK_STR(cg_scene_build(scene, NULL, &world).message, "");
    cg_rigid_id first = {1, 1}, second = {2, 1};
    cg_rigid_info info;
    CHECK(cg_rigid_get_needle_state(world, first, &state) && cg_rigid_get_info(world, first, &info));
    CHECK_INT(cg_rigid_get_part_count(world, first), 6);
    CHECK(info.mass == kind.mass.value);
    CHECK_NEAR(v3_distance(state.end, v3(0.03, 0, 0)), 0, 1e-12);
    CHECK_NEAR(v3_distance(state.end_direction, v3(-1, 0, 0)), 0, 1e-12); // the thread leaves it straight
    CHECK(cg_thread_get_swage(world, (cg_thread_id){1, 1}, CG_FINISH, &swage) && swage.body.index == 1);
    CHECK(!cg_thread_get_swage(world, (cg_thread_id){1, 1}, CG_START, &swage));
    CHECK(cg_rigid_get_info(world, second, &info) && info.mass == 1e-3);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(bad_needles_are_told_with_their_place)
{
    static const char *const texts[][2] = {
        {"{\"bodies\": [{\"needle\": \"RB-2\"}]}",
         "found the needle \"RB-2\", which is not in the catalogue; did you mean \"RB-1\"?"},
        {"{\"bodies\": [{\"arc\": {\"radius\": 1, \"thickness\": 0.1}, \"swage\": {\"thread\": \"t\"}}]}",
         "found a swage on what is no needle; expected \"needle\""},
        {"{\"bodies\": [{\"needle\": \"RB-1\", \"swage\": {\"thread\": \"x\"}}]}",
         "found no thread \"x\" before this body"},
        {"{\"threads\": [{\"name\": \"t\", \"model\": \"chain\", \"vertices\": 5, \"shape\": {\"line\": {\"from\": [0, "
         "0, 0], \"to\": [0.1, 0, 0]}}}], \"bodies\": [{\"needle\": \"RB-1\", \"swage\": {\"thread\": \"t\"}}]}",
         "found \"t\", a thread of springs or links; expected one that can be swaged"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cg_scene *scene;
        cg_scene_error error;
        cg_scene_read(texts[i][0], strlen(texts[i][0]), "scene.json", NULL, NULL, &scene, &error);
        CHECK(scene == NULL);
        CHECK_STR(error.message, texts[i][1]);
        CHECK(error.line == 1 && error.column > 1);
        cg_scene_free(scene);
    }
}
