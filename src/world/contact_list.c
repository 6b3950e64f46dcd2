// The one list of contacts, as the public sees it: of whatever touches, by whichever solver. Rows of the exact problem
// come first (contact/touch.h), then compliant rows of tissues with shapes (contact/press.h), then those of tissues
// with themselves and each other (contact/meet.h).
#include <limits.h>

#include "base/vec3.h"
#include "world/world.h"

// A row of any kind; two of the three are NULL.
typedef struct contact_row {
    const cg_touch *touch;
    const cg_press *press;
    const cg_meet *meet;
    const cg_tissue_slot *pressed; // whose the press is
} contact_row;

// A walk along the rows, of one tissue or of all, to that of a number from 0.
typedef struct row_walk {
    const cg_world *world;
    const cg_tissue_slot *slot; // NULL: all
    int left;                   // rows before the wanted one; below 0: it is found
    contact_row found;
} row_walk;

static void pass(row_walk *walk, contact_row row)
{
    if (walk->left-- == 0) {
        walk->found = row;
    }
}

// Joints and rows of channels are no contacts.
static void pass_touches(row_walk *walk)
{
    const cg_touch_set *set = &walk->world->touches;
    for (int i = 0; walk->world->touch_memory != NULL && i < set->count && walk->left >= 0; i++) {
        const cg_touch *touch = &set->touches[i];
        int skin = touch_skin(touch);
        bool is_its = walk->slot == NULL || (skin >= 0 && set->skins[skin] == walk->slot->skin);
        if (is_its && touch_is_contact(touch)) {
            pass(walk, (contact_row){.touch = touch});
        }
    }
}

static void pass_presses(row_walk *walk)
{
    const cg_world *world = walk->world;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        bool is_its = s->press != NULL && (walk->slot == NULL || walk->slot == s);
        for (int i = 0; is_its && i < s->press->count && walk->left >= 0; i++) {
            pass(walk, (contact_row){.press = &s->press->presses[i], .pressed = s});
        }
    }
}

// The number of a tissue among those that meet; -1: none.
static int number_of(const cg_world *world, const cg_tissue_slot *slot)
{
    for (int i = 0; world->meets != NULL && slot != NULL && i < world->meets->body_count; i++) {
        if (world->meets->bodies[i] == slot->meet) {
            return i;
        }
    }
    return -1;
}

static void pass_meets(row_walk *walk)
{
    const cg_meet_set *set = walk->world->meets;
    int number = number_of(walk->world, walk->slot);
    for (int i = 0; set != NULL && i < set->count && walk->left >= 0; i++) {
        const int *tissues = set->meets[i].tissues;
        if (walk->slot == NULL || tissues[0] == number || tissues[1] == number) {
            pass(walk, (contact_row){.meet = &set->meets[i]});
        }
    }
}

// Returns how many rows it passed.
static int walk_rows(row_walk *walk)
{
    int wanted = walk->left;
    pass_touches(walk);
    pass_presses(walk);
    pass_meets(walk);
    return wanted - walk->left;
}

// Naming sides

static cg_thread_id thread_id_at(const cg_world *world, int order)
{
    const cg_thread_slot *slot = cg_world_first_thread(world);
    while (slot->thread != world->touches.threads[order]) {
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

static void name_side(const cg_world *world, const cg_touch *touch, int side, cg_contact_info *contact)
{
    int thread = touch_thread(touch, side), rigid = touch_body(touch, side, CG_BODY_RIGID);
    contact->segments[side] = touch_segment(touch, side);
    if (thread >= 0) {
        contact->threads[side] = thread_id_at(world, thread);
    } else if (rigid >= 0) {
        contact->segments[side] = cg_feature_part(touch_segment(touch, side));
        const cg_rigid *body = world->touches.rigids[rigid];
        contact->bodies[side] = cg_world_name_rigid(world, body);
        if (contact->bodies[side].index == 0 && !cg_world_name_tool(world, body, &contact->hand, &contact->jaw)) {
            cg_world_name_shape(world, rigid, &contact->shape);
        }
    } else {
        int triangle = skin_triangle(touch->pair.segment_b);
        name_tissue(world, slot_at(world, touch_skin(touch)), triangle, touch->weights, side, contact);
    }
}

static void describe_touch(const cg_world *world, const cg_touch *touch, cg_contact_info *contact)
{
    *contact = (cg_contact_info){
        .fractions = {touch->fraction[0], touch->fraction[1]},
        .points = {touch->point[0], touch->point[1]},
        .normal = touch->axes[0],
        .gap = touch->gap,
        .force = touch->force,
        .triangles = {-1, -1},
    };
    for (int side = 0; side < 2; side++) {
        name_side(world, touch, side, contact);
    }
}

// The tissue is the first side. A state that was loaded may name a shape that is not there.
static void describe_press(const cg_world *world, const contact_row *row, cg_contact_info *contact)
{
    const cg_press *press = row->press;
    *contact = (cg_contact_info){.points = {press->point, v3_add_scaled(press->point, -press->distance, press->normal)},
                                 .normal = press->normal,
                                 .gap = press->distance,
                                 .force = press->force,
                                 .triangles = {-1, -1}};
    name_tissue(world, row->pressed, press->triangle, press->weights, 0, contact);
    cg_world_name_shape(world, press->shape, &contact->shape);
}

static void describe_meet(const cg_world *world, const cg_meet *meet, cg_contact_info *contact)
{
    *contact = (cg_contact_info){.points = {meet->point, v3_add_scaled(meet->point, -meet->distance, meet->normal)},
                                 .normal = meet->normal,
                                 .gap = meet->distance,
                                 .force = meet->force};
    for (int side = 0; side < 2; side++) {
        const cg_tissue_slot *slot = slot_at(world, meet->tissues[side]);
        name_tissue(world, slot, meet->triangles[side], meet->weights[side], side, contact);
    }
}

static void describe(const cg_world *world, const contact_row *row, cg_contact_info *contact)
{
    if (row->touch != NULL) {
        describe_touch(world, row->touch, contact);
    } else if (row->press != NULL) {
        describe_press(world, row, contact);
    } else {
        describe_meet(world, row->meet, contact);
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
    return walk_rows(&(row_walk){.world = world, .left = INT_MAX});
}

bool cg_world_get_contact(const cg_world *world, int index, cg_contact_info *contact)
{
    row_walk walk = {.world = world, .left = index};
    if (index < 0 || walk_rows(&walk) <= index) {
        return false;
    }
    describe(world, &walk.found, contact);
    return true;
}

int cg_tissue_contact_count(const cg_world *world, cg_tissue_id id)
{
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    return slot != NULL && slot->press != NULL ? walk_rows(&(row_walk){world, slot, INT_MAX, {0}}) : 0;
}

bool cg_tissue_get_contact(const cg_world *world, cg_tissue_id id, int index, cg_contact_info *contact)
{
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    row_walk walk = {.world = world, .slot = slot, .left = index};
    if (slot == NULL || slot->press == NULL || index < 0 || walk_rows(&walk) <= index) {
        return false;
    }
    describe(world, &walk.found, contact);
    if (contact->tissues[0].index != id.index) {
        turn_round(contact);
    }
    return true;
}
