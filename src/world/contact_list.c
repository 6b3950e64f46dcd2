// The one list of contacts, as the public sees it: rows of one kind (rows/row.h), by whichever solver. Those of the
// exact problem come first (rows/touch.h), then compliant rows of tissues with shapes (find/press.h), then those
// of tissues with themselves and each other (find/meet.h).
#include <limits.h>

#include "base/vec3.h"
#include "world/world.h"

// A walk along the rows, of one tissue or of all, to that of a number from 0.
typedef struct row_walk {
    const cg_world *world;
    int tissue; // its number; -1: all
    int left;   // rows before the wanted one; below 0: it is found
    const cg_touch *found;
} row_walk;

static bool is_of(const cg_touch *row, int tissue)
{
    return tissue < 0 || touch_body(row, 0, CG_BODY_TISSUE) == tissue || touch_body(row, 1, CG_BODY_TISSUE) == tissue;
}

// Joints and rows of channels are no contacts.
static void pass(row_walk *walk, const cg_touch *rows, int count)
{
    for (int i = 0; i < count && walk->left >= 0; i++) {
        if (is_of(&rows[i], walk->tissue) && touch_is_contact(&rows[i]) && walk->left-- == 0) {
            walk->found = &rows[i];
        }
    }
}

// Returns how many rows it passed.
static int walk_rows(row_walk *walk)
{
    const cg_world *world = walk->world;
    int wanted = walk->left;
    pass(walk, world->touches.rows.touches, world->touch_memory != NULL ? world->touches.rows.count : 0);
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->press != NULL) {
            pass(walk, s->press->presses, s->press->count);
        }
    }
    if (world->meets != NULL) {
        pass(walk, world->meets->meets, world->meets->count);
    }
    return wanted - walk->left;
}

// Naming sides

static cg_thread_id thread_id_at(const cg_world *world, int order)
{
    const cg_thread_slot *slot = cg_world_first_thread(world);
    while (slot->thread != world->touches.cast.threads[order]) {
        slot = cg_world_next_thread(world, slot);
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    return (cg_thread_id){handle.index, handle.generation};
}

// The tissue of this number in order of creation.
static const cg_tissue_slot *slot_at(const cg_world *world, int number)
{
    const cg_tissue_slot *slot = cg_world_first_tissue(world);
    for (int i = 0; i < number && slot != NULL; i++) {
        slot = cg_world_next_tissue(world, slot);
    }
    return slot;
}

static void name_tissue(const cg_world *world, const cg_tissue_slot *slot, int triangle, const double weights[3],
                        int side, cg_contact_info *contact)
{
    if (slot != NULL) {
        cg_handle handle = cg_pool_handle_of(&world->tissues, slot);
        contact->tissues[side] = (cg_tissue_id){handle.index, handle.generation};
    }
    contact->segments[side] = 0;
    contact->triangles[side] = triangle;
    for (int k = 0; k < 3; k++) {
        contact->weights[side][k] = weights[k];
    }
}

// A state that was loaded may name a shape that is not there.
static void name_rigid(const cg_world *world, int number, int part, int side, cg_contact_info *contact)
{
    const cg_rigid *body = number < world->touches.cast.rigid_count ? world->touches.cast.rigids[number] : NULL;
    contact->segments[side] = part;
    if (body != NULL) {
        contact->bodies[side] = cg_world_name_rigid(world, body);
    }
    if (contact->bodies[side].index == 0 &&
        (body == NULL || !cg_world_name_tool(world, body, &contact->hand, &contact->jaw))) {
        cg_world_name_shape(world, number, &contact->shape);
    }
}

static void name_side(const cg_world *world, const cg_touch *row, int side, cg_contact_info *contact)
{
    int body = cg_chain_body(touch_chain(row, side)), feature = touch_segment(row, side);
    switch (cg_chain_kind(touch_chain(row, side))) {
    case CG_BODY_THREAD:
        contact->segments[side] = feature;
        contact->threads[side] = thread_id_at(world, body);
        break;
    case CG_BODY_RIGID:
        name_rigid(world, body, cg_feature_part(feature), side, contact);
        break;
    case CG_BODY_TISSUE:
        name_tissue(world, slot_at(world, body), skin_triangle(feature), row->weights[side], side, contact);
        break;
    case CG_BODY_KINDS:
        break;
    }
}

static void describe(const cg_world *world, const cg_touch *row, cg_contact_info *contact)
{
    *contact = (cg_contact_info){
        .fractions = {row->fraction[0], row->fraction[1]},
        .points = {row->point[0], row->point[1]},
        .normal = row->axes[0],
        .gap = row->gap,
        .force = row->force,
        .triangles = {-1, -1},
    };
    for (int side = 0; side < 2; side++) {
        name_side(world, row, side, contact);
    }
}

// As the second side has it.
static void turn_round(cg_contact_info *contact)
{
    cg_contact_info c = *contact;
    for (int side = 0; side < 2; side++) {
        contact->threads[side] = c.threads[1 - side];
        contact->bodies[side] = c.bodies[1 - side];
        contact->tissues[side] = c.tissues[1 - side];
        contact->segments[side] = c.segments[1 - side];
        contact->fractions[side] = c.fractions[1 - side];
        contact->triangles[side] = c.triangles[1 - side];
        contact->points[side] = c.points[1 - side];
        for (int k = 0; k < 3; k++) {
            contact->weights[side][k] = c.weights[1 - side][k];
        }
    }
    contact->normal = v3_neg(c.normal);
    contact->force = v3_neg(c.force);
}

// The public look

int cg_world_contact_count(const cg_world *world)
{
    return walk_rows(&(row_walk){.world = world, .tissue = -1, .left = INT_MAX});
}

bool cg_world_get_contact(const cg_world *world, int index, cg_contact_info *contact)
{
    row_walk walk = {.world = world, .tissue = -1, .left = index};
    if (index < 0 || walk_rows(&walk) <= index) {
        return false;
    }
    describe(world, walk.found, contact);
    return true;
}

int cg_tissue_contact_count(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    return slot != NULL && slot->press != NULL && !slot->is_led
               ? walk_rows(&(row_walk){world, slot->press->number, INT_MAX, NULL})
               : 0;
}

bool cg_tissue_get_contact(const cg_world *world, cg_tissue_id id, int index, cg_contact_info *contact)
{
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    if (slot == NULL || slot->press == NULL || slot->is_led || index < 0) {
        return false;
    }
    row_walk walk = {.world = world, .tissue = slot->press->number, .left = index};
    if (walk_rows(&walk) <= index) {
        return false;
    }
    describe(world, walk.found, contact);
    if (contact->tissues[0].index != id.index) {
        turn_round(contact);
    }
    return true;
}
