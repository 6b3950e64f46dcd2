// Laws by which the thread of a scene slides through holes.
#include "thread_scene.h"

static void check_slip(const char *fields, cg_slip expected)
{
    cg_scene_error error;
    cg_scene *scene = read_thread(fields, &error);
    CHECK_STR(error.message, "");
    if (scene != NULL) {
        const cg_slip *slip = &scene->threads[0].def.slip;
        CHECK_INT(slip->law, expected.law);
        CHECK_NEAR(slip->per_force, expected.per_force, 0);
        CHECK_NEAR(slip->per_turn, expected.per_turn, 0);
        CHECK_NEAR(slip->friction, expected.friction, 0);
    }
    cg_scene_free(scene);
}

TEST(a_thread_slides_by_the_law_of_its_fields)
{
    check_slip("\"friction\": 0.2", (cg_slip){CG_SLIP_CAPSTAN, 20e-6, 0, 0});
    check_slip("\"slip\": \"needle\", \"slip_friction\": \"0.2 N\"", (cg_slip){CG_SLIP_NEEDLE, 20e-6, 0, 0.2});
    check_slip("\"slip\": \"tension\", \"slip_per_force\": \"0.1 mm/N\", \"slip_per_turn\": \"5 um/N\"",
               (cg_slip){CG_SLIP_TENSION, 1e-4, 5e-6, 0});
    check_slip("\"slip\": \"portal\"", (cg_slip){CG_SLIP_PORTAL, 20e-6, 0, 0});
}

TEST(laws_that_cannot_be_are_refused)
{
    check_refused("\"slip\": \"spring\"", "\"portal\"");
    check_refused("\"slip\": \"portal\", \"slip_per_force\": \"1 um/N\"", "with a \"slip\" that does not know it");
    check_refused("\"slip\": \"portal\", \"slip_per_turn\": \"1 um/N\"", "with a \"slip\" that does not know it");
    check_refused("\"slip\": \"needle\", \"slip_per_force\": 0", "slip_per_force");
    check_refused("\"slip\": \"needle\", \"slip_per_force\": \"20 N/m\"", "expected a compliance such as \"20 um/N\"");
    check_refused("\"slip\": \"needle\", \"slip_friction\": \"-1 N\"", "slip_friction");
    check_refused("\"slip_friction\": \"1 N\"", "with a \"slip\" that does not know it");
    check_refused("\"slip\": \"capstan\", \"slip_per_force\": \"1 um/N\"", "expected \"tension\" or \"needle\"");
    check_refused("\"slip\": \"needle\", \"slip_per_turn\": \"5 um/N\"", "expected \"tension\"");
}
