// Tissues that touch themselves and each other, in a step of the world, and the public look at where tissue touches
// anything.
#include <limits.h>

#include "base/status.h"
#include "base/vec3.h"
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

// Contacts as data

static const cg_tissue_slot *find_slot(const cg_world *world, cg_tissue_id id)
{
    return cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
}

// The number of a tissue among those that meet; -1: none.
static int number_of(const cg_world *world, const cg_tissue_slot *slot)
{
    for (int i = 0; world->meets != NULL && i < world->meets->body_count; i++) {
        if (world->meets->bodies[i] == slot->meet) {
            return i;
        }
    }
    return -1;
}

// The touch of a tool with the tissue, of that number among them from 0; NULL, and so many less, when there are fewer.
static const cg_touch *tool_touch(const cg_world *world, const cg_tissue_slot *slot, int *index)
{
    const cg_touch_set *set = &world->touches;
    for (int i = 0; world->touch_memory != NULL && i < set->count; i++) {
        const cg_touch *touch = &set->touches[i];
        int skin = touch_skin(touch), body = touch_body(touch, 0, CG_BODY_RIGID);
        if (skin >= 0 && set->skins[skin] == slot->skin && body >= 0 && set->rigids[body]->drive != NULL &&
            !set->rigids[body]->is_needle && (*index)-- == 0) {
            return touch;
        }
    }
    return NULL;
}

int cg_tissue_contact_count(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = find_slot(world, id);
    if (slot == NULL || slot->press == NULL) {
        return 0;
    }
    int number = number_of(world, slot), left = INT_MAX;
    tool_touch(world, slot, &left);
    int count = (INT_MAX - left) + slot->press->count;
    for (int i = 0; number >= 0 && i < world->meets->count; i++) {
        const int *tissues = world->meets->meets[i].tissues;
        count += tissues[0] == number || tissues[1] == number;
    }
    return count;
}

static bool press_contact(const cg_world *world, const cg_press *press, cg_tissue_contact *contact)
{
    cg_shape_id shape;
    if (!cg_world_name_shape(world, press->shape, &shape)) { // named by a state that was loaded
        return false;
    }
    *contact = (cg_tissue_contact){.shape = shape,
                                   .triangle = press->triangle,
                                   .weights = {press->weights[0], press->weights[1], press->weights[2]},
                                   .point = press->point,
                                   .normal = press->normal,
                                   .distance = press->distance,
                                   .force = press->force,
                                   .other_triangle = -1};
    return true;
}

static void tool_contact(const cg_world *world, const cg_touch *touch, cg_tissue_contact *contact)
{
    const double *w = touch->weights;
    int jaw;
    *contact = (cg_tissue_contact){.triangle = skin_triangle(touch->pair.segment_b),
                                   .weights = {w[0], w[1], w[2]},
                                   .point = touch->point[1],
                                   .normal = v3_neg(touch->axes[0]),
                                   .distance = touch->gap,
                                   .force = v3_neg(touch->force),
                                   .other_triangle = -1};
    cg_world_name_tool(world, world->touches.rigids[touch_body(touch, 0, CG_BODY_RIGID)], &contact->hand, &jaw);
}

static void meet_contact(const cg_world *world, const cg_meet *meet, int number, cg_tissue_contact *contact)
{
    int here = meet->tissues[0] == number ? 0 : 1, there = 1 - here;
    const cg_tissue_slot *other = cg_world_first_tissue(world);
    for (int k = 0; k < meet->tissues[there] && other != NULL; k++) {
        other = cg_world_next_tissue(world, other);
    }
    cg_handle handle = cg_pool_handle_of(&world->tissues, other);
    const double *w = meet->weights[here], *v = meet->weights[there];
    double sign = here == 0 ? 1 : -1;
    *contact = (cg_tissue_contact){.triangle = meet->triangles[here],
                                   .weights = {w[0], w[1], w[2]},
                                   .point = here == 0 ? meet->point
                                                      : v3_add_scaled(meet->point, -meet->distance, meet->normal),
                                   .normal = v3_scale(sign, meet->normal),
                                   .distance = meet->distance,
                                   .force = v3_scale(sign, meet->force),
                                   .other = {handle.index, handle.generation},
                                   .other_triangle = meet->triangles[there],
                                   .other_weights = {v[0], v[1], v[2]}};
}

bool cg_tissue_get_contact(const cg_world *world, cg_tissue_id id, int index, cg_tissue_contact *contact)
{
    const cg_tissue_slot *slot = find_slot(world, id);
    if (slot == NULL || slot->press == NULL || index < 0) {
        return false;
    }
    if (index < slot->press->count) {
        return press_contact(world, &slot->press->presses[index], contact);
    }
    int number = number_of(world, slot), left = index - slot->press->count;
    const cg_touch *touch = tool_touch(world, slot, &left);
    if (touch != NULL) {
        tool_contact(world, touch, contact);
        return true;
    }
    for (int i = 0; number >= 0 && i < world->meets->count; i++) {
        const cg_meet *meet = &world->meets->meets[i];
        if ((meet->tissues[0] == number || meet->tissues[1] == number) && left-- == 0) {
            meet_contact(world, meet, number, contact);
            return true;
        }
    }
    return false;
}
