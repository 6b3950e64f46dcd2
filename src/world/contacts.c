// The contacts of the exact problem of a world: their memory, and the bodies that it lists. The public look at all
// contacts: contact_list.c.
#include "base/memory.h"
#include "base/status.h"
#include "world/world.h"

void cg_world_list_touch_rigids(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    if (world->touch_memory != NULL) {
        set->cast.rigid_count = cg_world_list_shapes(world, set->cast.rigids);
        set->cast.rigid_count += cg_world_list_rigids(world, false, set->cast.rigids + set->cast.rigid_count);
        set->cast.rigid_count += cg_world_list_rigids(world, true, set->cast.rigids + set->cast.rigid_count);
        set->cast.rigid_count += cg_world_list_tools(world, set->cast.rigids + set->cast.rigid_count);
        for (int k = 0; k < set->cast.rigid_count; k++) {
            set->cast.rigids[k]->number = k;
        }
        cg_world_list_channels(world);
        cg_touch_list_parts(set);
        cg_world_list_swages(world);
    }
}

void cg_world_list_touch_skins(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    set->cast.skin_count = 0;
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (s->skin != NULL) {
            cg_skin_forget(s->skin);
            cg_press_renumber_tissue(s->press, set->cast.skin_count);
            set->cast.skins[set->cast.skin_count++] = s->skin;
        }
    }
}

void cg_world_forget_skins(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    int kept = 0;
    for (int i = 0; i < set->rows.count; i++) {
        if (touch_skin(&set->rows.touches[i]) < 0) {
            set->rows.touches[kept++] = set->rows.touches[i];
        }
    }
    set->rows.count = kept;
    cg_world_list_touch_skins(world);
}

// Touches name threads by their numbers in this list: in the order of creation, but those with a model last. The old
// touches only carry the warm start, so when the threads change they are dropped rather than renamed.
void cg_world_list_touch_threads(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    set->cast.thread_count = set->rows.count = set->rows.before_count = set->search.found.count = 0;
    for (int model = 0; model < 2; model++) { // those that forces move come first
        for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
            if ((s->thread->model != NULL) == (model == 1)) {
                s->thread->number = set->cast.thread_count;
                set->cast.threads[set->cast.thread_count++] = s->thread;
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
    cg_touch_room room = {.threads = world->threads.count,
                          .rigids = def->max_shapes + def->max_rigids,
                          .parts = def->max_shapes,
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
    cg_world_add_room_for_tools(world, &room);
    return room;
}

cg_status cg_world_take_touch_room(cg_world *world)
{
    const cg_touch_set *present = &world->touches;
    cg_touch_room room = wanted_room(world);
    if (world->touch_room == NULL || room.threads > present->room.threads || room.vertices > present->room.vertices ||
        room.parts > present->room.parts || room.rods > present->room.rods ||
        room.rod_points > present->room.rod_points || room.joints > present->room.joints ||
        room.guides > present->room.guides) {
        cg_touch_set set = {.problem.options = cg_friction_options_default(),
                            .search.motion_rule = motion_rule_default()};
        set.search.motion_rule.freeze = DEEPEST;
        room.threads = roomy(room.threads, present->room.threads);
        room.vertices = roomy(room.vertices, present->room.vertices);
        room.parts = roomy(room.parts, present->room.parts);
        room.rods = roomy(room.rods, present->room.rods);
        room.rod_points = roomy(room.rod_points, present->room.rod_points);
        void *memory = lay_out(world, &set, &room);
        if (memory == NULL) {
            return cg_error(CG_OUT_OF_MEMORY, "no memory for %d contacts", world->def.max_contacts);
        }
        cg_memory_give(&world->def.allocator, world->touch_room);
        world->touches = set;
        world->touch_memory = world->touch_memory != NULL ? memory : NULL;
        world->touch_room = memory;
    }
    return cg_ok();
}

cg_status cg_world_fit_touches(cg_world *world)
{
    bool is_empty = world->threads.count == 0 && world->rigids.count == 0 && !cg_world_has_tools(world);
    if (world->def.max_contacts == 0 || (is_empty && world->touch_memory == NULL)) {
        return cg_ok();
    }
    cg_status status = cg_world_take_touch_room(world);
    if (status.code != CG_OK) {
        return status;
    }
    world->touch_memory = world->touch_room;
    world->touches.cast.is_off_skins = world->planes != NULL;
    cg_world_list_touch_threads(world);
    return cg_ok();
}
