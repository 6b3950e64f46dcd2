// What a scene says is what the world holds: shapes, materials, ends, beads, includes, presets.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "catgut/catalogue.h"
#include "harness.h"
#include "memory_files.h"
#include "scene/constraint_specs.h"
#include "scene/reader.h"
#include "scene/scene.h"
#include "scene/shapes.h"

static cg_scene *read_scene(const char *text, memory_files *memory, cg_scene_error *error)
{
    cg_scene *scene;
    cg_scene_files files = memory != NULL ? memory_scene_files(memory) : (cg_scene_files){0};
    cg_scene_read(text, strlen(text), "folder/scene.json", memory != NULL ? &files : NULL, NULL, &scene, error);
    return scene;
}

static cg_scene *read_good(const char *text)
{
    cg_scene_error error;
    cg_scene *scene = read_scene(text, NULL, &error);
    CHECK_STR(error.message, "");
    return scene;
}

static double length_of(const cg_vec3 *points, int count)
{
    double length = 0;
    for (int i = 1; i < count; i++) {
        length += v3_distance(points[i - 1], points[i]);
    }
    return length;
}

TEST(an_empty_scene_is_an_empty_world_with_the_presets)
{
    cg_scene *scene = read_good("{}");
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    CHECK_STR(cg_scene_title(scene), "");
    CHECK_NEAR(cg_scene_duration(scene), 1, 0);
    CHECK_INT(cg_scene_thread_count(scene), 0);
    CHECK(cg_scene_thread_name(scene, 0) == NULL);
    CHECK_NEAR(cg_scene_thread_radius(scene, -1), 0, 0);
    CHECK(cg_scene_inputs(scene) == NULL);
    cg_world_step(world);
    CHECK_NEAR(cg_world_time(world), 1e-3, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
    cg_scene_free(NULL);
}

TEST(settings_reach_the_world)
{
    cg_scene *scene = read_good(
        "{\"title\": \"t\", \"duration\": \"2.5 s\", \"time_step\": \"0.5 ms\", \"gravity\": [0, \"1 m/s2\", -2],"
        "\"newton\": {\"passes\": 3, \"tolerance\": \"1 um\", \"line_search\": true}, \"inputs\": [{}], "
        "\"max_contacts\": 50, \"friction_torque\": true, \"linear_contact\": \"2 N/mm\"}");
    CHECK_STR(cg_scene_title(scene), "t");
    CHECK_NEAR(cg_scene_duration(scene), 2.5, 0);
    CHECK_NEAR(scene->world_def.time_step, 0.0005, 0);
    CHECK(scene->world_def.gravity.y == 1 && scene->world_def.gravity.z == -2);
    CHECK_INT(scene->world_def.newton_passes, 3);
    CHECK_NEAR(scene->world_def.newton_tolerance, 1e-6, 0);
    CHECK_INT(scene->world_def.max_contacts, 50);
    CHECK(scene->world_def.friction_torque);
    CHECK_NEAR(scene->world_def.linear_contact, 2000, 0);
    CHECK(scene->world_def.line_search);
    CHECK_INT(cg_scene_inputs(scene)->count, 1);
    CHECK_STR(cg_scene_name(scene), "folder/scene.json");
    cg_scene_free(scene);
}

// What the tables promise as preset is what the reader uses: each preset, read as a field, changes nothing.
TEST(presets_in_the_tables_are_the_presets_of_the_code)
{
    static union {
        cg_scene_spec scene;
        cg_newton_spec newton;
        cg_thread_spec thread;
        cg_circle_spec circle;
        cg_helix_spec helix;
        cg_knot_spec knot;
        cg_rigid_spec rigid;
        cg_body_spec body;
        cg_arc_spec arc;
        cg_clamp_spec clamp;
        cg_hand_spec hand;
        cg_probe_spec probe;
        cg_scalpel_spec scalpel;
        cg_hook_spec hook;
        cg_tissue_spec tissue;
        cg_layer_spec layer;
        cg_pad_spec pad;
        cg_mesh_spec mesh;
        cg_volume_spec volume;
        cg_fill_spec fill;
        cg_spring_options springs;
        cg_link_options links;
        cg_constraints_spec constraints;
        cg_solver_spec solver;
        cg_joint_spec joint;
        cg_sewing_spec sewing;
        cg_stitch_spec stitch;
        cg_adhesion_spec adhesion;
        cg_move_spec move;
        cg_site_spec site;
    } given, preset;
    int compared = 0;
    for (int t = 0; t < cg_scene_type_count; t++) {
        const cg_scene_type *type = cg_scene_types[t];
        for (int f = 0; f < type->field_count; f++) {
            const cg_scene_field *field = &type->fields[f];
            if (field->preset == NULL) {
                continue;
            }
            memset(&preset, 0, sizeof preset);
            if (type == &cg_type_scene) {
                preset.scene = cg_scene_spec_default();
            } else if (type == &cg_type_newton) {
                preset.newton = cg_newton_spec_default();
            } else if (type == &cg_type_thread) {
                preset.thread = cg_thread_spec_default();
            } else if (type == &cg_type_circle) {
                preset.circle = cg_circle_spec_default();
            } else if (type == &cg_type_helix) {
                preset.helix = cg_helix_spec_default();
            } else if (type == &cg_type_knot) {
                preset.knot = cg_knot_spec_default();
            } else if (type == &cg_type_rigid) {
                preset.rigid = cg_rigid_spec_default();
            } else if (type == &cg_type_body) {
                preset.body = cg_body_spec_default();
            } else if (type == &cg_type_arc) {
                preset.arc = cg_arc_spec_default();
            } else if (type == &cg_type_hand) {
                preset.hand = cg_hand_spec_default();
            } else if (type == &cg_type_probe) {
                preset.probe = cg_probe_spec_default();
            } else if (type == &cg_type_scalpel) {
                preset.scalpel = cg_scalpel_spec_default();
            } else if (type == &cg_type_hook) {
                preset.hook = cg_hook_spec_default();
            } else if (type == &cg_type_tissue) {
                preset.tissue = cg_tissue_spec_default();
            } else if (type == &cg_type_layer) {
                preset.layer = cg_layer_spec_default();
            } else if (type == &cg_type_pad) {
                preset.pad = cg_pad_spec_default();
            } else if (type == &cg_type_mesh) {
                preset.mesh = cg_mesh_spec_default();
            } else if (type == &cg_type_volume) {
                preset.volume = cg_volume_spec_default();
            } else if (type == &cg_type_fill) {
                preset.fill = cg_fill_spec_default();
            } else if (type == &cg_type_springs) {
                preset.springs = cg_thread_def_default().springs;
            } else if (type == &cg_type_links) {
                preset.links = cg_thread_def_default().links;
            } else if (type == &cg_type_constraints) {
                preset.constraints = cg_constraints_spec_default();
            } else if (type == &cg_type_solver) {
                preset.solver = cg_solver_spec_default();
            } else if (type == &cg_type_joint) {
                preset.joint = cg_joint_spec_default();
            } else if (type == &cg_type_stitch) {
                preset.stitch = cg_stitch_spec_default();
            } else if (type == &cg_type_adhesion) {
                preset.adhesion = cg_adhesion_spec_default();
            }
            char text[128];
            snprintf(text, sizeof text, "{\"%s\": %s}", field->name, field->preset);
            cg_json_tree *tree;
            cg_scene_error error;
            uint64_t bits;
            CHECK_INT(cg_json_tree_read(text, strlen(text), "preset", NULL, &tree, &error), CG_OK);
            memset(&given, 0x55, sizeof given);
            cg_scene_read_fields(type, cg_json_root(tree), &given, &bits, &error); // required fields are missing
            static const size_t sizes[] = {
                [CG_SCENE_QUANTITY] = sizeof(double), [CG_SCENE_INTEGER] = sizeof(int),
                [CG_SCENE_FLAG] = sizeof(bool),       [CG_SCENE_VECTOR] = sizeof(cg_vec3),
                [CG_SCENE_WORD] = sizeof(int),        [CG_SCENE_WORD_OR_OBJECT] = sizeof(int)};
            const char *a = (const char *)&given + field->offset, *b = (const char *)&preset + field->offset;
            bool same = field->kind == CG_SCENE_TEXT ? strcmp(*(char *const *)a, *(char *const *)b) == 0
                                                     : memcmp(a, b, sizes[field->kind]) == 0;
            if (!CHECK(same)) {
                printf("preset of %s in %s\n", field->name, type->name);
            }
            compared++;
            cg_json_tree_free(tree);
        }
    }
    CHECK(compared >= 33);
}

TEST(a_line_is_divided_evenly)
{
    cg_scene *scene =
        read_good("{\"threads\": [{\"name\": \"a\", \"diameter\": \"0.3 mm\", \"vertices\": 5, \"shape\": {\"line\": "
                  "{\"from\": [0, 0, 0], \"to\": [\"8 mm\", 0, \"4 mm\"]}}}]}");
    const cg_thread_def *def = &scene->threads[0].def;
    CHECK_INT(def->vertex_count, 5);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(def->positions[i].x, 0.002 * i, 1e-18);
        CHECK_NEAR(def->positions[i].z, 0.001 * i, 1e-18);
    }
    CHECK_NEAR(cg_scene_thread_radius(scene, 0), 0.00015, 0);
    CHECK_STR(cg_scene_thread_name(scene, 0), "a");
    CHECK(def->rest_shape == NULL);
    cg_scene_free(scene);
}

TEST(spacing_gives_the_number_of_vertices)
{
    static const struct {
        const char *fields;
        int vertices;
    } cases[] = {
        {"\"spacing\": \"1 mm\"", 101},   {"\"spacing\": \"3 mm\"", 35},  {"\"spacing\": 5", 2},
        {"\"spacing\": \"0.7 mm\"", 144}, {"\"vertices\": 2", 2},         {"\"radius\": \"1 mm\"", 6},
        {"\"radius\": \"0.11 mm\"", 47},  {"\"radius\": \"1 um\"", 1001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"threads\": [{\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0.1, 0, 0]}}, %s}]}",
                 cases[i].fields);
        cg_scene *scene = read_good(text);
        CHECK_INT(scene->threads[0].def.vertex_count, cases[i].vertices);
        CHECK_STR(cg_scene_thread_name(scene, 0), "thread-1");
        cg_scene_free(scene);
    }
}

TEST(points_are_kept_or_resampled_by_arc_length)
{
    cg_scene *scene = read_good("{\"threads\": [{\"shape\": {\"points\": [[0, 0, 0], [1, 0, 0], [1, 3, 0]]}},"
                                "{\"vertices\": 9, \"shape\": {\"points\": [[0, 0, 0], [1, 0, 0], [1, 3, 0]]}}]}");
    const cg_thread_def *kept = &scene->threads[0].def, *even = &scene->threads[1].def;
    CHECK_INT(kept->vertex_count, 3);
    CHECK_NEAR(kept->positions[2].y, 3, 0);
    CHECK_INT(even->vertex_count, 9);
    for (int i = 0; i < 9; i++) {
        double s = 0.5 * i;
        CHECK_NEAR(even->positions[i].x, s < 1 ? s : 1, 1e-15);
        CHECK_NEAR(even->positions[i].y, s < 1 ? 0 : s - 1, 1e-15);
    }
    cg_scene_free(scene);
}

TEST(a_helix_has_its_radius_pitch_and_hand)
{
    cg_scene *scene = read_good(
        "{\"threads\": [{\"vertices\": 401, \"shape\": {\"helix\": {\"centre\": [1, 2, 3], \"axis\": [0, 0, 2],"
        "\"towards\": [0, 5, 1], \"radius\": \"10 mm\", \"pitch\": \"6 mm\", \"turns\": -2.5}}}]}");
    const cg_vec3 *p = scene->threads[0].def.positions;
    double swept = 0;
    for (int i = 0; i < 401; i++) {
        cg_vec3 arm = v3_sub(p[i], v3(1, 2, 3));
        CHECK_NEAR(sqrt(arm.x * arm.x + arm.y * arm.y), 0.01, 1e-15);
        CHECK_NEAR(arm.z, 0.015 * i / 400, 1e-15);
        if (i > 0) {
            cg_vec3 before = v3_sub(p[i - 1], v3(1, 2, 3));
            swept += atan2(before.x * arm.y - before.y * arm.x, before.x * arm.x + before.y * arm.y);
        }
    }
    CHECK_NEAR(p[0].x, 1, 1e-15);
    CHECK_NEAR(p[0].y, 2.01, 1e-15);
    CHECK_NEAR(swept, -5 * CG_PI, 1e-11);
    CHECK_NEAR(length_of(p, 401), 400 * hypot(0.02 * sin(2.5 * CG_PI / 400), 0.015 / 400), 1e-14); // of chords
    cg_scene_free(scene);
}

TEST(a_circle_closes)
{
    cg_scene *scene = read_good(
        "{\"threads\": [{\"vertices\": 61, \"rest\": \"as placed\", \"shape\": {\"circle\": {\"radius\": 0.02}}},"
        "{\"vertices\": 16, \"rest\": {\"circle\": {\"radius\": 0.03, \"axis\": [1, 0, 0]}},"
        " \"shape\": {\"circle\": {\"radius\": 0.02, \"angle\": \"90 deg\", \"towards\": [1, 0, 0]}}}]}");
    const cg_thread_def *whole = &scene->threads[0].def, *quarter = &scene->threads[1].def;
    CHECK_NEAR(v3_distance(whole->positions[0], whole->positions[60]), 0, 1e-15);
    CHECK(whole->rest_shape == whole->positions);
    CHECK_NEAR(quarter->positions[0].x, 0.02, 0);
    CHECK_NEAR(quarter->positions[15].y, 0.02, 1e-17);
    CHECK_NEAR(length_of(quarter->rest_shape, 16), 15 * 2 * 0.03 * sin(CG_PI / 15), 1e-14);
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    cg_world_step(world);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(sutures_give_the_material_and_fields_override_it)
{
    cg_scene *scene = read_good(
        "{\"threads\": [{\"suture\": \"4-0 Nylon\", \"shape\": {\"points\": [[0,0,0],[0,0,1]]}},"
        "{\"suture\": \"silk 3/0\", \"shape\": {\"points\": [[0,0,0],[0,0,1]]}},"
        "{\"suture\": \"3-0 silk\", \"radius\": \"0.2 mm\", \"density\": 7, \"friction\": 0.5, \"twist_stiffness\": 3,"
        " \"drag\": 5, \"damping_time\": 2, \"inertia\": \"low_mass\", \"shape\": {\"points\": [[0,0,0],[0,0,1]]}}]}");
    const cg_thread_def *nylon = &scene->threads[0].def, *silk = &scene->threads[1].def, *own = &scene->threads[2].def;
    CHECK_NEAR(nylon->radius, 0.0875e-3, 1e-20);
    CHECK_NEAR(nylon->youngs_modulus, 2.5e9, 0);
    CHECK_NEAR(nylon->bend_stiffness, CG_FROM_MATERIAL, 0);
    double solid = 8.701e9 * CG_PI * pow(0.1125e-3, 4) / 4;
    CHECK_NEAR(silk->bend_stiffness, 0.05 * solid, 1e-12 * solid);
    CHECK_NEAR(silk->twist_stiffness, 0.05 * solid / 1.4, 1e-12 * solid);
    CHECK_NEAR(own->bend_stiffness, 0.05 * 8.701e9 * CG_PI * pow(0.2e-3, 4) / 4, 1e-20);
    CHECK_NEAR(own->twist_stiffness, 3, 0);
    CHECK_NEAR(silk->friction, 0.27, 0);
    CHECK_NEAR(own->friction, 0.5, 0);
    CHECK_NEAR(own->density, 7, 0);
    CHECK_NEAR(own->drag, 5, 0);
    CHECK_NEAR(own->damping_time, 2, 0);
    CHECK_INT(own->inertia, CG_LOW_MASS);
    cg_scene_free(scene);
}

TEST(ends_and_beads_reach_the_world)
{
    cg_scene *scene = read_good(
        "{\"gravity\": [0, 0, -10], \"threads\": [{\"vertices\": 11, \"drag\": 200, \"start\": {\"clamped\": {"
        "\"direction\": [0, 0, -1], \"turn\": \"90 deg\"}}, \"finish\": \"pinned\","
        "\"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [0, 0, -0.1]}}},"
        "{\"vertices\": 11, \"drag\": 200, \"start\": \"pinned\", \"masses\": [{\"vertex\": -1, \"mass\": \"1 g\"},"
        "{\"vertex\": 5, \"mass\": \"2 g\"}],"
        "\"shape\": {\"line\": {\"from\": [1, 0, 0], \"to\": [1, 0, -0.1]}}}]}");
    CHECK_INT(scene->threads[1].masses[0].vertex, 10);
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    cg_thread_id first = {1, 0}, second = {2, 0};
    for (unsigned g = 0; g < 10 && !cg_thread_is_valid(world, first); g++) {
        first.generation = second.generation = g;
    }
    CHECK_INT(cg_thread_get_end(world, first, CG_START).kind, CG_END_CLAMPED);
    CHECK_NEAR(cg_thread_get_end(world, first, CG_START).turn, CG_HALF_PI, 1e-15);
    CHECK_INT(cg_thread_get_end(world, first, CG_FINISH).kind, CG_END_PINNED);
    CHECK_INT(cg_thread_get_end(world, second, CG_FINISH).kind, CG_END_FREE);
    for (int i = 0; i < 2000; i++) {
        cg_world_step(world);
    }
    double weight = 10 * (0.003 + 1140 * CG_PI * 0.11e-3 * 0.11e-3 * 0.1);
    CHECK_NEAR(cg_thread_hold_force(world, second, 0).z, weight, 1e-3 * weight);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

#define POINTS_LINE "\"shape\": {\"points\": [[0,0,0],[0,0,1]]}"

TEST(a_laparoscope_has_the_angle_of_its_optics)
{
    cg_scene *scene = read_good("{\"hands\": [{}, {\"scope\": \"30 deg\", \"port\": [0, 0, \"0.1 m\"]}]}");
    double angle = 9;
    CHECK(!cg_scene_hand_scope(scene, 0, &angle));
    CHECK_NEAR(angle, 0, 0);
    CHECK(cg_scene_hand_scope(scene, 1, &angle));
    CHECK_NEAR(angle, CG_PI / 6, 1e-15);
    CHECK(!cg_scene_hand_scope(scene, 2, &angle) && !cg_scene_hand_scope(scene, -1, &angle));
    cg_scene_free(scene);
}

TEST(includes_bring_their_threads_first)
{
    static const char *const files[][2] = {
        {"parts/a.json", "{\"title\": \"not used\", \"duration\": 7, \"include\": [\"deep/b.json\"], \"threads\": "
                         "[{\"name\": \"a\", " POINTS_LINE "}]}"},
        {"parts/deep/b.json", "{\"threads\": [{\"name\": \"b\", \"shape\": {\"file\": \"../c.xyz\"}}]}"},
        {"parts/c.xyz", "# x y z\n\n 0 0 0\n1e-3 0 0 # bend\n1e-3\t2e-3 0\r\n\n# end\n"},
        {NULL, NULL}};
    memory_files memory = {.files = files};
    cg_scene_error error;
    cg_scene *scene =
        read_scene("{\"include\": [\"./parts/x/../a.json\"], \"threads\": [{\"name\": \"own\", " POINTS_LINE "}]}",
                   &memory, &error);
    if (!CHECK(scene != NULL)) {
        printf("%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
        return;
    }
    CHECK_INT(cg_scene_thread_count(scene), 3);
    CHECK_STR(cg_scene_thread_name(scene, 0), "b");
    CHECK_STR(cg_scene_thread_name(scene, 1), "a");
    CHECK_STR(cg_scene_thread_name(scene, 2), "own");
    CHECK_NEAR(cg_scene_duration(scene), 1, 0);
    CHECK_INT(scene->threads[0].def.vertex_count, 3);
    CHECK_NEAR(scene->threads[0].def.positions[2].y, 2e-3, 0);
    CHECK_INT(memory.opened, 3);
    CHECK_INT(memory.open_now, 0);
    static const char *const paths[] = {"scene.json", "parts/a.json", "parts/deep/b.json", "parts/c.xyz"};
    CHECK_INT(cg_scene_source_count(scene), 4);
    for (int i = 0; i < 4; i++) {
        const char *path, *text;
        size_t size;
        CHECK(cg_scene_source(scene, i, &path, &text, &size));
        CHECK_STR(path, paths[i]);
        CHECK_INT(size, strlen(text));
    }
    const char *path, *text;
    size_t size;
    CHECK(!cg_scene_source(scene, 4, &path, &text, &size) && !cg_scene_source(scene, -1, &path, &text, &size));
    cg_scene_free(scene);
}

TEST(trouble_in_included_files_is_reported_there)
{
    static const char *const files[][2] = {{"bad.json", "{\n  \"titel\": 1}"},
                                           {"deep/bad.json", "{\"threads\": [{\n \"shape\": {}}]}"},
                                           {"self.json", "{\"include\": [\n \"self.json\"]}"},
                                           {"root.json", "{\n  \"include\": [\"scene.json\"]}"},
                                           {"ping.json", "{\"include\": [\"pong.json\"]}"},
                                           {"pong.json", "{\"include\": [ \"ping.json\"]}"},
                                           {"same.json", "{\"threads\": [{\"name\": \"own\", " POINTS_LINE "}]}"},
                                           {"one.xyz", "0 0 0\n"},
                                           {"four.xyz", "0 0 0\n1 2 3 4\n"},
                                           {"two.xyz", "0 0 0\n1 2\n"},
                                           {"word.xyz", "0 0 0\n1 2 x3\n"},
                                           {"nan.xyz", "0 0 0\n1 nan 3\n"},
                                           {"far.xyz", "0 0 0\n1 1e9 3\n"},
                                           {"glued.xyz", "0 0 0\n1 2e1z 3\n"},
                                           {"second.xyz", "0 0 0\n1 0 0\n\n 2 0 0\n"},
                                           {"empty.xyz", ""},
                                           {NULL, NULL}};
    static const struct {
        const char *text, *file;
        int line, column;
        const char *part;
    } cases[] = {
        {"{\"include\": [\"bad.json\"]}", "folder/bad.json", 2, 3, "did you mean \"title\"?"},
        {"{\"include\": [\"deep/bad.json\"]}", "folder/deep/bad.json", 2, 11, "found 0 fields"},
        {"{\"include\": [\"self.json\"]}", "folder/self.json", 2, 2, "no cycle"},
        {"{\"include\": [\"root.json\"]}", "folder/root.json", 2, 15, "no cycle"},
        {"{\"include\": [\"ping.json\"]}", "folder/pong.json", 1, 15, "no cycle"},
        {"{\"include\": [\"same.json\"], \"threads\": [{\"name\": \"own\", " POINTS_LINE "}]}", "folder/scene.json", 1,
         49, "a second thread"},
        {"{\"include\": [\"same.json\",\"same.json\"]}", "folder/same.json", 1, 23, "a second thread"},
        {"{\"threads\": [{\"shape\": {\"file\": \"one.xyz\"}}]}", "folder/one.xyz", 2, 1, "found 1 points"},
        {"{\"threads\": [{\"shape\": {\"file\": \"empty.xyz\"}}]}", "folder/empty.xyz", 1, 1, "found 0 points"},
        {"{\"threads\": [{\"shape\": {\"file\": \"four.xyz\"}}]}", "folder/four.xyz", 2, 7, "a fourth word"},
        {"{\"threads\": [{\"shape\": {\"file\": \"two.xyz\"}}]}", "folder/two.xyz", 2, 4, "the end of the line"},
        {"{\"threads\": [{\"shape\": {\"file\": \"word.xyz\"}}]}", "folder/word.xyz", 2, 5, "found \"x3\""},
        {"{\"threads\": [{\"shape\": {\"file\": \"nan.xyz\"}}]}", "folder/nan.xyz", 2, 3, "found \"nan\""},
        {"{\"threads\": [{\"shape\": {\"file\": \"far.xyz\"}}]}", "folder/far.xyz", 2, 3, "found \"1e9\""},
        {"{\"threads\": [{\"shape\": {\"file\": \"glued.xyz\"}}]}", "folder/glued.xyz", 2, 3, "found \"2e1z\""},
        {"{\"threads\": [{\"shape\": {\"file\": \"second.xyz\"}}]}", "folder/second.xyz", 4, 2, "a second thread"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory_files memory = {.files = files};
        cg_scene_error error;
        cg_scene *scene = read_scene(cases[i].text, &memory, &error);
        int right = CHECK(scene == NULL) + CHECK_STR(error.file, cases[i].file) + CHECK_INT(error.line, cases[i].line) +
                    CHECK_INT(error.column, cases[i].column) + CHECK(strstr(error.message, cases[i].part) != NULL) +
                    CHECK_INT(memory.open_now, 0);
        if (right != 6) {
            printf("%s\n  said %s\n", cases[i].text, error.message);
        }
    }
}

// A chain of files that include the next one, without end.
static bool open_chain(void *context, const char *path, const char **text, size_t *size)
{
    static char link[64];
    int number = atoi(path);
    *(int *)context = number;
    snprintf(link, sizeof link, "{\"include\": [\"%d.json\"]}", number + 1);
    *text = link;
    *size = strlen(link);
    return true;
}

// Every file includes the next one many times.
static bool open_bush(void *context, const char *path, const char **text, size_t *size)
{
    static char branch[256];
    ++*(int *)context;
    int level = atoi(path);
    snprintf(branch, sizeof branch, "{\"include\": [\"%d.json\",\"%d.json\",\"%d.json\",\"%d.json\"]}", level + 1,
             level + 1, level + 1, level + 1);
    *text = level < 6 ? branch : "{}";
    *size = strlen(*text);
    return true;
}

TEST(includes_are_limited_in_depth_and_number)
{
    static const char start[] = "{\"include\": [\"1.json\"]}";
    int last = 0, opened = 0;
    cg_scene *scene;
    cg_scene_error error;
    cg_scene_files chain = {open_chain, NULL, &last}, bush = {open_bush, NULL, &opened};
    CHECK_INT(cg_scene_read(start, sizeof start - 1, "scene.json", &chain, NULL, &scene, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "nested more than 8 deep") != NULL);
    CHECK_INT(last, 9);
    CHECK_STR(error.file, "8.json");
    CHECK_INT(cg_scene_read(start, sizeof start - 1, "scene.json", &bush, NULL, &scene, &error).code, CG_BAD_INPUT);
    CHECK(strstr(error.message, "at most 64") != NULL);
    CHECK(opened <= 64);
}

TEST(paths_are_joined_and_kept_inside)
{
    static const struct {
        const char *from, *path, *joined;
    } cases[] = {
        {"s.json", "a.json", "a.json"},
        {"s.json", "./a/./b.json", "a/b.json"},
        {"d/s.json", "a.json", "d/a.json"},
        {"d/e/s.json", "../a.json", "d/a.json"},
        {"d/e/s.json", "../../a.json", "a.json"},
        {"d/e/s.json", "../../../a.json", NULL},
        {"s.json", "a//b.json", "a/b.json"},
        {"s.json", "a/../../b", NULL},
        {"s.json", "..", NULL},
        {"s.json", "/a", NULL},
        {"s.json", "a/..", NULL},
        {"s.json", "...", "..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char joined[64];
        const char *why;
        bool fine = cg_scene_join_path(cases[i].from, cases[i].path, joined, sizeof joined, &why);
        CHECK_INT(fine, cases[i].joined != NULL);
        CHECK(fine == (why == NULL));
        if (fine && cases[i].joined != NULL) {
            CHECK_STR(joined, cases[i].joined);
        }
    }
    char joined[8];
    const char *why;
    CHECK(!cg_scene_join_path("s.json", "much/too/long", joined, sizeof joined, &why));
}

// Memory that runs out after a number of pieces.
typedef struct short_memory {
    int left, alive;
} short_memory;

static void *short_allocate(void *context, size_t bytes)
{
    short_memory *memory = context;
    if (memory->left == 0) {
        return NULL;
    }
    memory->left--;
    memory->alive++;
    return malloc(bytes);
}

static void short_release(void *context, void *block)
{
    ((short_memory *)context)->alive--;
    free(block);
}

TEST(memory_that_runs_out_anywhere_leaves_nothing_behind)
{
    static const char *const files[][2] = {
        {"a.json", "{\"threads\": [{\"shape\": {\"file\": \"b.xyz\"}, \"masses\": [{\"vertex\": 0, \"mass\": 1}]}]}"},
        {"b.xyz", "0 0 0\n1 0 0\n"},
        {NULL, NULL}};
    static const char text[] =
        "{\"include\": [\"a.json\"], \"threads\": [{\"rest\": {\"circle\": {\"radius\": 1}}, "
        "\"shape\": {\"helix\": {\"radius\": 1, \"pitch\": 1, \"turns\": 1}}}, {\"vertices\": 9, "
        "\"shape\": {\"knot\": {\"kind\": \"reef\"}}}], \"shapes\": [{\"half_space\": {}}]}";
    bool done = false;
    int refused = 0;
    for (int pieces = 0; !done && pieces < 100; pieces++) {
        short_memory memory = {.left = pieces};
        memory_files held = {.files = files};
        cg_allocator allocator = {short_allocate, short_release, &memory};
        cg_scene_files scene_files = memory_scene_files(&held);
        cg_scene *scene;
        cg_world *world = NULL;
        cg_scene_error error;
        cg_status status = cg_scene_read(text, sizeof text - 1, "scene.json", &scene_files, &allocator, &scene, &error);
        if (status.code == CG_OK) {
            status = cg_scene_build(scene, &allocator, &world);
        }
        done = status.code == CG_OK;
        refused += !done;
        CHECK(done || status.code == CG_OUT_OF_MEMORY);
        cg_world_destroy(world);
        cg_scene_free(scene);
        CHECK_INT(memory.alive, 0);
        CHECK_INT(held.open_now, 0);
    }
    CHECK(done && refused > 10);
}
