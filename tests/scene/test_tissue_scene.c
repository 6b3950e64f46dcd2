// Tissues of scenes: what a text means. Mesh files have their own tests.
#include <string.h>

#include "catgut/catalogue.h"
#include "catgut/scene.h"
#include "catgut/tissue.h"
#include "harness.h"

static cg_world *build(const char *text, cg_scene **scene)
{
    cg_scene_error error;
    cg_world *world = NULL;
    cg_status status = cg_scene_read(text, strlen(text), "t.json", NULL, NULL, scene, &error);
    if (!CHECK_STR(status.message, "")) {
        return NULL;
    }
    CHECK_STR(cg_scene_build(*scene, NULL, &world).message, "");
    return world;
}

TEST(a_pad_is_what_its_text_says)
{
    cg_scene *scene;
    cg_world *world = build(
        "{\"tissues\": [{\"name\": \"skin\", \"pad\": {\"length\": \"30 mm\", \"width\": \"2 cm\", \"tension\": \"5 "
        "%\", "
        "\"wound\": {\"kind\": \"ellipse\", \"length\": \"1 cm\", \"width\": \"2 mm\", \"depth\": \"3 mm\"}},"
        "\"layers\": [{\"thickness\": \"2 mm\", \"youngs_modulus\": \"1 MPa\", \"stiffening\": 3}, {\"thickness\": "
        "\"4 mm\"}], \"position\": [0, 0, 0.1], \"spacing\": \"2 mm\", \"solver\": \"quasi-static\", \"drag\": 7,"
        "\"fix_rim\": true, \"fix_bottom\": false, \"iterations\": 5}, {\"grid\": {\"length\": 0.01, \"width\": "
        "0.01}}]}",
        &scene);
    if (world == NULL) {
        return;
    }
    CHECK_INT(cg_scene_tissue_count(scene), 2);
    CHECK_STR(cg_scene_tissue_name(scene, 0), "skin");
    CHECK_STR(cg_scene_tissue_name(scene, 1), "tissue-2");
    CHECK(cg_scene_tissue_name(scene, 2) == NULL);
    cg_tissue_def def;
    cg_tissue_id id = {1, 1};
    CHECK(cg_tissue_get_def(world, id, &def));
    CHECK(def.shape == CG_TISSUE_PAD && def.model == CG_TISSUE_LATTICE && def.solver == CG_TISSUE_QUASI_STATIC);
    CHECK(def.wound == CG_WOUND_ELLIPSE && def.layer_count == 2 && def.fix_rim && !def.fix_bottom);
    CHECK_NEAR(def.size.x, 0.03, 1e-15);
    CHECK_NEAR(def.tension, 0.05, 1e-15);
    CHECK_NEAR(def.wound_depth, 3e-3, 1e-15);
    CHECK_NEAR(def.layers[0].material.young, 1e6, 1e-6);
    CHECK_NEAR(def.layers[0].material.stiffening, 3, 0);
    CHECK_NEAR(def.layers[1].material.young, cg_tissue_def_default().layers[0].material.young, 0);
    CHECK_NEAR(def.layers[1].thickness, 4e-3, 1e-15);
    CHECK_NEAR(def.pose.position.z, 0.1, 1e-15);
    CHECK_NEAR(def.drag, 7, 0);
    CHECK_INT(def.iterations, 5);
    CHECK(cg_tissue_get_def(world, (cg_tissue_id){2, 1}, &def) && def.model == CG_TISSUE_SHEET);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

TEST(layers_take_their_numbers_from_the_catalogue_unless_they_have_their_own)
{
    cg_scene *scene;
    cg_world *world =
        build("{\"tissues\": [{\"pad\": {}, \"layers\": [{\"material\": \"skin\"}, {\"material\": \"fat\", "
              "\"thickness\": \"5 mm\", \"density\": 900}]}]}",
              &scene);
    if (world == NULL) {
        return;
    }
    cg_tissue_def def;
    cg_tissue_kind skin, fat;
    CHECK(cg_tissue_catalogue_find("skin", &skin, NULL, 0) && cg_tissue_catalogue_find("fat", &fat, NULL, 0));
    CHECK(cg_tissue_get_def(world, (cg_tissue_id){1, 1}, &def));
    CHECK_NEAR(def.layers[0].thickness, skin.thickness.value, 0);
    CHECK_NEAR(def.layers[0].material.young, skin.youngs_modulus.value, 0);
    CHECK_NEAR(def.layers[0].material.stiffening, skin.stiffening.value, 0);
    CHECK_NEAR(def.layers[1].thickness, 5e-3, 1e-15);
    CHECK_NEAR(def.layers[1].material.density, 900, 0);
    CHECK_NEAR(def.layers[1].material.young, fat.youngs_modulus.value, 0);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// A tissue and something else on the second line.
#define PAD_AND(else_)                                                                                                 \
    "{\"max_contacts\": 20, \"tissues\": [{\"pad\": {\"length\": \"20 mm\", \"width\": \"20 mm\"}, \"layers\": "       \
    "[{\"thickness\": \"6 mm\"}]}],\n  " else_ "}"

TEST(what_stands_in_tissue_is_refused_at_its_place)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {PAD_AND("\"hands\": [{\"tool\": \"probe\", \"position\": [0, 0, \"-2 mm\"]}]"),
         "t.json:2:13: tissue is where the tool would be; expected a free place"},
        {PAD_AND("\"hands\": [{\"tool\": \"probe\", \"position\": [0, 0, \"2 mm\"]}]"), ""},
        {PAD_AND("\"shapes\": [{\"name\": \"rod\", \"capsule\": {\"radius\": \"1 mm\", \"half_length\": \"20 mm\"}, "
                 "\"position\": [0, 0, \"18 mm\"]}]"),
         "t.json:2:14: found the shape \"rod\" in tissue; expected a free place"},
        {PAD_AND("\"shapes\": [{\"name\": \"pea\", \"sphere\": {\"radius\": \"0.5 mm\"}, \"position\": [0, 0, \"-3 "
                 "mm\"]}]"),
         "t.json:2:14: found the shape \"pea\" in tissue; expected a free place"},
        {PAD_AND("\"shapes\": [{\"sphere\": {\"radius\": \"3 mm\"}, \"position\": [0, 0, \"3.1 mm\"]}]"), ""},
        {PAD_AND("\"shapes\": [{\"half_space\": {}, \"position\": [0, 0, \"-6 mm\"]}]"), ""}, // lies on it
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cg_scene *scene = NULL;
        cg_scene_error error;
        cg_world *world = NULL;
        CHECK_STR(cg_scene_read(cases[i].text, strlen(cases[i].text), "t.json", NULL, NULL, &scene, &error).message,
                  "");
        CHECK_STR(cg_scene_build(scene, NULL, &world).message, cases[i].message);
        CHECK((world == NULL) == (cases[i].message[0] != '\0'));
        cg_world_destroy(world);
        cg_scene_free(scene);
    }
}

// An explicit step that would have to be made in too many parts is refused before it blows up.
TEST(explicit_steps_that_are_too_long_are_refused_at_their_place)
{
    static const char stiff[] = "{\"tissues\":\n [{\"grid\": {\"length\": \"5 mm\", \"width\": \"5 mm\"}, \"spacing\": "
                                "\"1 mm\", \"solver\": \"runge-kutta\", \"fix_rim\": true}]}";
    cg_scene *scene = NULL;
    cg_scene_error error;
    cg_world *world = NULL;
    CHECK_STR(cg_scene_read(stiff, strlen(stiff), "t.json", NULL, NULL, &scene, &error).message, "");
    cg_status status = cg_scene_build(scene, NULL, &world);
    CHECK_INT(status.code, CG_BAD_INPUT);
    CHECK(strncmp(status.message, "t.json:2:3: the Runge-Kutta solver would need ", 46) == 0);
    CHECK(world == NULL);
    cg_scene_free(scene);
}
