#include "world/world.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec3.h"

cg_world_def cg_world_def_default(void)
{
    return (cg_world_def){.time_step = 1e-3,
                          .gravity = {0, 0, -9.81},
                          .newton_passes = 12,
                          .newton_tolerance = 0,
                          .line_search = false,
                          .max_threads = 64,
                          .max_contacts = 200,
                          .max_shapes = 64,
                          .max_hands = 8,
                          .max_tissues = 8,
                          .max_rigids = 64};
}

cg_status cg_world_check_time_step(double time_step)
{
    if (!(time_step >= 1e-7 && time_step <= 0.1)) {
        return cg_error(CG_BAD_INPUT, "time_step is %g s; expected 1e-7 to 0.1", time_step);
    }
    return cg_ok();
}

cg_status cg_world_check_gravity(cg_vec3 gravity)
{
    if (!v3_is_finite(gravity) || !(v3_length(gravity) <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "gravity is (%g, %g, %g) m/s2; expected finite, at most 1e6", gravity.x,
                        gravity.y, gravity.z);
    }
    return cg_ok();
}

cg_status cg_world_check_newton(int passes, double tolerance)
{
    if (passes < 1 || passes > 100) {
        return cg_error(CG_BAD_INPUT, "newton_passes is %d; expected 1 to 100", passes);
    }
    if (!(tolerance >= 0 && tolerance <= 1)) {
        return cg_error(CG_BAD_INPUT, "newton_tolerance is %g m; expected 0 to 1", tolerance);
    }
    return cg_ok();
}

static cg_status check_def(const cg_world_def *def)
{
    cg_status status = cg_world_check_time_step(def->time_step);
    status = status.code == CG_OK ? cg_world_check_gravity(def->gravity) : status;
    status = status.code == CG_OK ? cg_world_check_newton(def->newton_passes, def->newton_tolerance) : status;
    if (status.code == CG_OK && (def->max_threads < 1 || def->max_threads > 10000)) {
        return cg_error(CG_BAD_INPUT, "max_threads is %d; expected 1 to 10000", def->max_threads);
    }
    if (status.code == CG_OK && (def->max_contacts < 0 || def->max_contacts > 400)) {
        return cg_error(CG_BAD_INPUT, "max_contacts is %d; expected 0 to 400", def->max_contacts);
    }
    if (status.code == CG_OK && !(def->linear_contact >= 0 && def->linear_contact <= 1e9)) {
        return cg_error(CG_BAD_INPUT, "linear_contact is %g N/m; expected 0 to 1e9", def->linear_contact);
    }
    if (status.code == CG_OK && (def->max_shapes < 0 || def->max_shapes > 1000)) {
        return cg_error(CG_BAD_INPUT, "max_shapes is %d; expected 0 to 1000", def->max_shapes);
    }
    if (status.code == CG_OK && (def->max_hands < 0 || def->max_hands > 64)) {
        return cg_error(CG_BAD_INPUT, "max_hands is %d; expected 0 to 64", def->max_hands);
    }
    if (status.code == CG_OK && (def->max_tissues < 0 || def->max_tissues > 64)) {
        return cg_error(CG_BAD_INPUT, "max_tissues is %d; expected 0 to 64", def->max_tissues);
    }
    if (status.code == CG_OK && (def->max_rigids < 0 || def->max_rigids > 1000)) {
        return cg_error(CG_BAD_INPUT, "max_rigids is %d; expected 0 to 1000", def->max_rigids);
    }
    if (status.code == CG_OK && !cg_memory_is_usable(&def->allocator)) {
        return cg_error(CG_BAD_INPUT, "allocator has one of its two functions only");
    }
    return status;
}

static bool has_planes(const cg_world_def *def)
{
    return def->linear_contact > 0 && def->max_contacts > 0;
}

static void lay_out_pools(cg_world *world, const cg_world_def *def, cg_arena *arena)
{
    cg_pool_init(&world->threads, arena, def->max_threads, sizeof(cg_thread_slot));
    cg_pool_init(&world->shapes, arena, def->max_shapes, sizeof(cg_rigid));
    cg_pool_init(&world->rigids, arena, def->max_rigids, sizeof(cg_rigid));
    cg_pool_init(&world->hands, arena, def->max_hands, sizeof(cg_hand));
    cg_pool_init(&world->tissues, arena, def->max_tissues, sizeof(cg_tissue_slot));
    world->bond_sets = cg_arena_push_array(arena, cg_bond_set *, def->max_tissues);
    int shapes = def->max_shapes;
    world->press_shapes.moving = cg_arena_push_array(arena, cg_moving_shape, shapes);
    world->press_shapes.friction = cg_arena_push_array(arena, double, shapes);
    world->press_shapes.way = cg_arena_push_array(arena, double, shapes);
    world->listed_shapes = cg_arena_push_array(arena, cg_rigid *, shapes);
    world->planes = has_planes(def) ? cg_arena_push_array(arena, cg_plane_contact, CG_WORLD_MOST_PLANES) : NULL;
}

cg_status cg_world_create(const cg_world_def *def, cg_world **out)
{
    *out = NULL;
    cg_status status = check_def(def);
    if (status.code != CG_OK) {
        return status;
    }
    cg_world measured;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out_pools(&measured, def, &arena);
    size_t bytes = cg_arena_used(&arena);
    cg_world *world = cg_memory_take(&def->allocator, sizeof *world);
    void *pool_memory = cg_memory_take(&def->allocator, bytes);
    if (world == NULL || pool_memory == NULL) {
        cg_memory_give(&def->allocator, world);
        cg_memory_give(&def->allocator, pool_memory);
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a world");
    }
    world->def = *def;
    world->pool_memory = pool_memory;
    world->camera = (cg_camera){.position = {0, -0.3, 0.2}, .target = {0, 0, 0}, .up = {0, 0, 1}};
    cg_arena_init(&arena, pool_memory, bytes);
    lay_out_pools(world, def, &arena);
    *out = world;
    return cg_ok();
}

void cg_world_destroy(cg_world *world)
{
    if (world == NULL) {
        return;
    }
    cg_world_destroy_structure(world);
    cg_world_destroy_threads(world);
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_skin_destroy(s->skin);
        cg_meet_body_destroy(s->meet);
        cg_bond_destroy(s->bonds);
        cg_press_destroy(s->press);
        cg_tissue_surface_destroy(s->surface);
        cg_tissue_destroy(s->tissue);
    }
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        cg_rigid_clear(r);
    }
    cg_meet_destroy(world->meets);
    cg_allocator allocator = world->def.allocator;
    cg_memory_give(&allocator, world->fibres);
    cg_memory_give(&allocator, world->bead_memory);
    cg_memory_give(&allocator, world->touch_room);
    cg_memory_give(&allocator, world->pool_memory);
    cg_memory_give(&allocator, world);
}

// This one, or the first behind it that is there and that the world moves.
static cg_thread_slot *own_thread_from(const cg_world *world, cg_thread_slot *slot)
{
    while (slot != NULL && (slot->is_spare || slot->is_led)) {
        slot = cg_pool_next(&world->threads, slot);
    }
    return slot;
}

cg_thread_slot *cg_world_first_thread(const cg_world *world)
{
    return own_thread_from(world, cg_pool_first(&world->threads));
}

cg_thread_slot *cg_world_next_thread(const cg_world *world, const cg_thread_slot *slot)
{
    return own_thread_from(world, cg_pool_next(&world->threads, slot));
}

double cg_world_time(const cg_world *world)
{
    return world->time;
}

cg_world_stats cg_world_get_stats(const cg_world *world)
{
    return world->stats;
}

cg_status cg_world_check_step_of_tissues(const cg_world *world, double time_step)
{
    cg_status status = cg_ok();
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL && status.code == CG_OK;
         s = cg_world_next_tissue(world, s)) {
        status = cg_world_check_explicit(s->tissue, time_step);
    }
    return status;
}

cg_status cg_world_set_time_step(cg_world *world, double time_step)
{
    cg_status status = cg_world_check_time_step(time_step);
    status = status.code == CG_OK ? cg_world_check_step_of_tissues(world, time_step) : status;
    world->def.time_step = status.code == CG_OK ? time_step : world->def.time_step;
    return status;
}

cg_status cg_world_set_gravity(cg_world *world, cg_vec3 gravity)
{
    cg_status status = cg_world_check_gravity(gravity);
    world->def.gravity = status.code == CG_OK ? gravity : world->def.gravity;
    return status;
}

cg_status cg_world_set_newton(cg_world *world, int passes, double tolerance, bool line_search)
{
    cg_status status = cg_world_check_newton(passes, tolerance);
    if (status.code == CG_OK) {
        world->def.newton_passes = passes;
        world->def.newton_tolerance = tolerance;
        world->def.line_search = line_search;
    }
    return status;
}

cg_status cg_world_set_camera(cg_world *world, const cg_camera *camera)
{
    cg_vec3 look = v3_sub(camera->target, camera->position), across = v3_cross(look, camera->up);
    bool finite = v3_is_finite(camera->position) && v3_is_finite(camera->target) && v3_is_finite(camera->up);
    double far_away = v3_length(camera->position) + v3_length(camera->target) + v3_length(camera->up);
    if (!finite || !(far_away <= 1e6)) {
        return cg_error(CG_BAD_INPUT, "the camera is not within 1e6 m of the origin");
    }
    if (!(v3_length(across) > 1e-9 * v3_length(look) * v3_length(camera->up))) {
        return cg_error(CG_BAD_INPUT, "the camera has no view: it stands on its target or looks along its own up");
    }
    world->camera = *camera;
    return cg_ok();
}

cg_camera cg_world_get_camera(const cg_world *world)
{
    return world->camera;
}
