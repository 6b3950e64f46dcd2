// The contacts of a world: their memory, and the public look at them.
#include "base/memory.h"
#include "base/status.h"
#include "world/world.h"

void cg_world_list_touch_rigids(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    if (world->touch_memory != NULL) {
        set->rigid_count = cg_world_all_shapes(world, set->rigids);
        set->rigid_count += cg_world_list_rigids(world, false, set->rigids + set->rigid_count);
        set->rigid_count += cg_world_list_rigids(world, true, set->rigids + set->rigid_count);
        set->rigid_count += cg_world_list_jaws(world, set->rigids + set->rigid_count);
        cg_world_list_channels(world);
        cg_touch_list_parts(set);
        cg_world_list_swages(world);
    }
}

void cg_world_list_touch_skins(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    set->skin_count = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->skin != NULL) {
            cg_skin_forget(s->skin);
            set->skins[set->skin_count++] = s->skin;
        }
    }
}

void cg_world_forget_skins(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        if (touch_skin(&set->touches[i]) < 0) {
            set->touches[kept++] = set->touches[i];
        }
    }
    set->count = kept;
    cg_world_list_touch_skins(world);
}

// Touches name threads by their numbers in this list: in the order of creation, but those with a model last. The old
// touches only carry the warm start, so when the threads change they are dropped rather than renamed.
void cg_world_list_touch_threads(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    set->thread_count = set->count = set->before_count = set->found.count = 0;
    for (int model = 0; model < 2; model++) { // those that forces move come first
        for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
            if ((s->thread->model != NULL) == (model == 1)) {
                set->threads[set->thread_count++] = s->thread;
            }
        }
    }
    cg_world_list_bead_threads(world);
    cg_world_list_touch_rigids(world);
    cg_world_list_touch_skins(world);
}

// Share of the thickness below which nothing comes nearer. Every pass of a stuck step may give way a little; without
// this floor 30 of them add up. At 0.97 many steps stall; at 0.7 hard jerks of 10-0 thread overlap by 7 %.
static const double DEEPEST = 0.95;

static void *lay_out(cg_world *world, cg_touch_set *set, const cg_touch_room *room)
{
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_touch_layout(set, room, &arena);
    size_t bytes = cg_arena_used(&arena);
    void *memory = cg_memory_take(&world->def.allocator, bytes);
    if (memory != NULL) {
        cg_arena_init(&arena, memory, bytes);
        cg_touch_layout(set, room, &arena);
    }
    return memory;
}

// How much room is taken for `wanted` things where there was room for `most`: half as much again as before when that is
// too small, so that many threads, added one by one, do not take memory each time.
static int roomy(int wanted, int most)
{
    if (wanted <= most) {
        return most;
    }
    return most / 2 < wanted - most ? wanted : most + most / 2;
}

static cg_touch_room wanted_room(const cg_world *world)
{
    const cg_world_def *def = &world->def;
    int shapes = def->max_shapes + def->max_hands; // a hand may carry one
    cg_touch_room room = {.threads = world->threads.count,
                          .rigids = shapes + def->max_rigids,
                          .parts = shapes,
                          .touches = def->max_contacts};
    // Of spare ones too: they may come in the middle of a step.
    for (const cg_thread_slot *s = cg_pool_first(&world->threads); s != NULL; s = cg_pool_next(&world->threads, s)) {
        room.vertices += s->thread->most_vertices;
    }
    if (world->rigids.count > 0) {
        room.joints = 2 * room.threads < CG_WORLD_MOST_SWAGES ? 2 * room.threads : CG_WORLD_MOST_SWAGES;
    }
    for (const cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        int points;
        room.parts += r->part_count;
        room.rods += cg_rod_chains_room(r->parts, r->part_count, &points);
        room.rod_points += points;
        room.guides += r->is_needle ? CG_CHANNEL_MOST_POINTS : 0;
    }
    room.guides = room.guides < CG_WORLD_MOST_GUIDES ? room.guides : CG_WORLD_MOST_GUIDES;
    cg_world_add_room_for_jaws(world, &room);
    return room;
}

// Whether there is something that touches.
static bool has_movers(const cg_world *world)
{
    return world->threads.count > 0 || world->rigids.count > 0 || cg_world_has_jaws(world);
}

cg_status cg_world_fit_touches(cg_world *world)
{
    bool has_any = world->touch_memory != NULL || has_movers(world);
    return has_any ? cg_world_make_touches(world) : cg_ok();
}

bool cg_world_has_touches(const cg_world *world)
{
    return world->touch_memory != NULL && has_movers(world);
}

cg_status cg_world_make_touches(cg_world *world)
{
    const cg_touch_set *present = &world->touches;
    cg_touch_room room = wanted_room(world);
    if (world->def.max_contacts == 0) {
        return cg_ok();
    }
    if (world->touch_memory == NULL || room.threads > present->most_threads || room.vertices > present->most_vertices ||
        room.parts > present->most_parts || room.rods > present->most_rods ||
        room.rod_points > present->most_rod_points || room.joints > present->most_joints ||
        room.guides > present->most_guides) {
        cg_touch_set set = {.options = cg_friction_options_default(), .motion_rule = motion_rule_default()};
        set.motion_rule.freeze = DEEPEST;
        room.threads = roomy(room.threads, present->most_threads);
        room.vertices = roomy(room.vertices, present->most_vertices);
        room.parts = roomy(room.parts, present->most_parts);
        room.rods = roomy(room.rods, present->most_rods);
        room.rod_points = roomy(room.rod_points, present->most_rod_points);
        void *memory = lay_out(world, &set, &room);
        if (memory == NULL) {
            return cg_error(CG_OUT_OF_MEMORY, "no memory for %d contacts", world->def.max_contacts);
        }
        cg_memory_give(&world->def.allocator, world->touch_memory);
        world->touches = set;
        world->touch_memory = memory;
    }
    world->touches.is_off_skins = world->planes != NULL;
    cg_world_list_touch_threads(world);
    return cg_ok();
}

// Joints and rows of channels are no contacts: the touch of a contact's number, or -1.
static int touch_of_contact(const cg_world *world, int index)
{
    const cg_touch_set *set = &world->touches;
    for (int i = 0; world->touch_memory != NULL && i < set->count && index >= 0; i++) {
        if (touch_is_contact(&set->touches[i]) && index-- == 0) {
            return i;
        }
    }
    return -1;
}

int cg_world_contact_count(const cg_world *world)
{
    int count = 0;
    for (int i = 0; world->touch_memory != NULL && i < world->touches.count; i++) {
        count += touch_is_contact(&world->touches.touches[i]);
    }
    return count;
}

static cg_thread_id thread_id_at(const cg_world *world, int order)
{
    const cg_thread_slot *slot = cg_world_first_thread(world);
    while (slot->thread != world->touches.threads[order]) {
        slot = cg_world_next_thread(world, slot);
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    return (cg_thread_id){handle.index, handle.generation};
}

// Of a touch with a tissue: which one, and where on its surface.
static void name_tissue(const cg_world *world, const cg_touch *touch, cg_contact_info *contact)
{
    const cg_tissue_slot *slot = cg_world_first_tissue(world);
    for (int i = 0; i < touch_skin(touch) && slot != NULL; i++) {
        slot = cg_world_next_tissue(world, slot);
    }
    if (slot != NULL) {
        cg_handle handle = cg_pool_handle_of(&world->tissues, slot);
        contact->tissue = (cg_tissue_id){handle.index, handle.generation};
    }
    contact->segments[1] = 0;
    contact->triangle = skin_triangle(touch->pair.segment_b);
    for (int k = 0; k < 3; k++) {
        contact->weights[k] = touch->weights[k];
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
        if (contact->bodies[side].index == 0 && !cg_world_name_jaw(world, body, &contact->hand, &contact->jaw)) {
            cg_world_name_shape(world, rigid, &contact->shape, &contact->hand);
        }
    } else {
        name_tissue(world, touch, contact);
    }
}

bool cg_world_get_contact(const cg_world *world, int index, cg_contact_info *contact)
{
    int number = touch_of_contact(world, index);
    if (number < 0) {
        return false;
    }
    const cg_touch *touch = &world->touches.touches[number];
    *contact = (cg_contact_info){
        .fractions = {touch->fraction[0], touch->fraction[1]},
        .points = {touch->point[0], touch->point[1]},
        .normal = touch->axes[0],
        .gap = touch->gap,
        .force = touch->force,
        .triangle = -1,
    };
    for (int side = 0; side < 2; side++) {
        name_side(world, touch, side, contact);
    }
    return true;
}
