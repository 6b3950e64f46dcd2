// Tissues that touch themselves and each other, in a step of the world.
#include "base/status.h"
#include "world/world.h"

cg_status cg_world_fit_meets(cg_world *world)
{
    cg_meet_body *bodies[64]; // as many tissues as a world can have
    int count = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->meet != NULL) {
            bodies[count++] = s->meet;
        }
    }
    cg_meet_set *made = NULL;
    if (count > 0) {
        cg_status status = cg_meet_create(bodies, count, &world->def.allocator, &made);
        if (status.code != CG_OK) {
            return status;
        }
        if (world->meets != NULL) {
            cg_meet_inherit(made, world->meets);
        }
    }
    cg_meet_destroy(world->meets);
    world->meets = made;
    return cg_ok();
}

void cg_world_limit_meets(cg_world *world)
{
    if (world->meets != NULL) {
        world->stats.unfinished_steps += cg_meet_limit(world->meets);
    }
}
