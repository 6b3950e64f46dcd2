// A world as it is by default has contact: a thread that falls across another comes to lie on it.
#include "base/vec3.h"
#include "catgut/world.h"
#include "harness.h"

enum { COUNT = 21 };

static cg_thread_id add_line(cg_world *world, cg_vec3 from, cg_vec3 to, cg_end_kind ends)
{
    cg_vec3 points[COUNT];
    cg_thread_id id = {0};
    for (int i = 0; i < COUNT; i++) {
        points[i] = v3_add(from, v3_scale((double)i / (COUNT - 1), v3_sub(to, from)));
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = COUNT;
    def.positions = points;
    def.ends[CG_START].kind = ends;
    def.ends[CG_FINISH].kind = ends;
    CHECK_INT(cg_world_add_thread(world, &def, &id).code, CG_OK);
    return id;
}

// How far the middle of a free thread is from its start, 2 mm above a clamped one, after a tenth of a second [m].
static double fall(cg_world_def def, int *contacts)
{
    cg_world *world;
    CHECK_INT(cg_world_create(&def, &world).code, CG_OK);
    add_line(world, v3(-0.01, 0, 0), v3(0.01, 0, 0), CG_END_CLAMPED);
    cg_thread_id falling = add_line(world, v3(0, -0.01, 2e-3), v3(0, 0.01, 2e-3), CG_END_FREE);
    *contacts = 0;
    for (int step = 0; step < 100; step++) {
        cg_world_step(world);
        int now = cg_world_contact_count(world);
        *contacts = now > *contacts ? now : *contacts;
    }
    double height = cg_thread_positions(world, falling, NULL)[COUNT / 2].z;
    cg_world_destroy(world);
    return 2e-3 - height;
}

TEST(a_thread_of_a_default_world_falls_onto_another)
{
    int contacts;
    cg_world_def def = cg_world_def_default();
    CHECK_INT(def.max_contacts, 200);
    CHECK(fall(def, &contacts) < 3e-3);
    CHECK(contacts > 0);
    def.max_contacts = 0;
    CHECK(fall(def, &contacts) > 30e-3); // 49 mm, less what the air takes
    CHECK_INT(contacts, 0);
}
