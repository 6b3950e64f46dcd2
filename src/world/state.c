// The state of a world: snapshots, hashes, and the way back.
//
// One walk names every field once; what the walk does is the archive's (base/archive.h). Bytes may come from anybody:
// a restore first compares counts and ranges without writing, then loads, and then looks whether a world like this can
// be. If it cannot, the world is put back as it was.
#include <math.h>

#include "base/memory.h"
#include "base/quat.h"
#include "base/status.h"
#include "base/vec3.h"
#include "find/channel.h"
#include "world/world.h"

static void visit_pose(cg_archive *archive, cg_transform *pose)
{
    cg_archive_vec3(archive, &pose->position);
    cg_archive_quat(archive, &pose->rotation);
}

static void visit_settings(cg_archive *archive, cg_world *world)
{
    cg_archive_double(archive, &world->def.time_step);
    cg_archive_vec3(archive, &world->def.gravity);
    cg_archive_int(archive, &world->def.newton_passes, 1, 100);
    cg_archive_double(archive, &world->def.newton_tolerance);
    cg_archive_bool(archive, &world->def.line_search);
    cg_archive_double(archive, &world->time);
    cg_archive_u64(archive, &world->stats.step_count);
}

static void visit_shapes(cg_archive *archive, cg_world *world)
{
    double kept = 1; // of states before shapes knew how far they may press by where they are
    cg_archive_count(archive, (size_t)world->shapes.count, "shapes of the world");
    for (cg_rigid *s = cg_pool_first(&world->shapes); s != NULL; s = cg_pool_next(&world->shapes, s)) {
        visit_pose(archive, &s->now);
        visit_pose(archive, &s->told);
        cg_archive_double(archive, &kept);
    }
}

static void visit_tissues(cg_archive *archive, cg_world *world)
{
    cg_archive_count(archive, (size_t)world->tissues.count, "tissues of the world");
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_tissue_visit_state(archive, s->tissue);
        cg_archive_count(archive, s->press != NULL, "tissues that touch, of this one");
        if (s->press != NULL) {
            cg_press_visit_state(archive, s->press);
        }
        cg_archive_count(archive, s->bonds != NULL, "tissues that stick, of this one");
        if (s->bonds != NULL) {
            cg_bond_visit_state(archive, s->bonds);
        }
    }
    cg_archive_count(archive, world->meets != NULL, "contacts of tissues");
    if (world->meets != NULL) {
        cg_meet_visit_state(archive, world->meets);
    }
}

// A world of hands and tissue alone has contacts while a hand carries a tool that touches, and may not have when the
// state was saved, or the other way round.
static void visit_touches(cg_archive *archive, cg_world *world)
{
    bool has_touches = world->touch_memory != NULL, may_change = world->threads.count + world->rigids.count == 0;
    if (may_change) {
        has_touches = cg_archive_length(archive, has_touches, world->touch_room != NULL) == 1;
    } else {
        cg_archive_count(archive, has_touches, "contacts of the world");
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        world->touch_memory = has_touches ? world->touch_room : NULL;
        if (may_change && has_touches) {
            cg_world_list_touch_threads(world);
        }
        cg_world_list_touch_rigids(world); // hands may carry other tools now
    }
    if (has_touches) {
        cg_touch_visit_state(archive, &world->touches);
    }
}

// The one list of what a world's future depends on.
static void visit_state(cg_archive *archive, cg_world *world)
{
    visit_settings(archive, world);
    cg_world_visit_threads(archive, world);
    visit_shapes(archive, world);
    visit_tissues(archive, world);
    cg_archive_count(archive, (size_t)world->hands.count, "hands of the world");
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL; h = cg_pool_next(&world->hands, h)) {
        cg_hand_visit_state(archive, h);
        cg_hand_visit_patch(archive, h);
    }
    // A world without bodies has the state that it had before there were any. Hashes need no count: bodies are counted
    // by what they add.
    if (world->rigids.count > 0 && archive->mode != CG_ARCHIVE_HASH) {
        cg_archive_count(archive, (size_t)world->rigids.count, "rigid bodies of the world");
    }
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        cg_rigid_visit_state(archive, r);
    }
    if (world->rigids.count > 0) {
        cg_world_visit_swages(archive, world);
        cg_world_visit_channels(archive, world);
    }
    visit_touches(archive, world);
    cg_world_visit_structure(archive, world);
    cg_world_visit_tears(archive, world);
    cg_world_visit_planes(archive, world);
    cg_world_visit_adhesions(archive, world);
}

// A walk that does not load writes nothing, so the state of a const world may be walked.
static cg_world *walkable(const cg_world *world)
{
    return (cg_world *)(uintptr_t)world;
}

uint64_t cg_world_state_hash(const cg_world *world)
{
    cg_archive archive = cg_archive_to_hash();
    visit_state(&archive, walkable(world));
    return cg_archive_hash(&archive);
}

size_t cg_world_snapshot_size(const cg_world *world)
{
    cg_archive archive = cg_archive_to_measure();
    cg_archive_begin(&archive, CG_SNAPSHOT_VERSION);
    visit_state(&archive, walkable(world));
    return cg_archive_size(&archive);
}

cg_status cg_world_snapshot(const cg_world *world, void *bytes, size_t size)
{
    cg_archive archive = cg_archive_to_save(bytes, size);
    cg_archive_begin(&archive, CG_SNAPSHOT_VERSION);
    visit_state(&archive, walkable(world));
    return cg_archive_end(&archive);
}

// --- what can be ---

static bool is_pose(const cg_transform *pose)
{
    cg_quat q = pose->rotation;
    double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return v3_dot(pose->position, pose->position) < HUGE_VAL && fabs(square - 1) < 1e-9;
}

static cg_status check_settings(const cg_world *world)
{
    cg_status status = cg_world_check_time_step(world->def.time_step);
    status = status.code == CG_OK ? cg_world_check_gravity(world->def.gravity) : status;
    status =
        status.code == CG_OK ? cg_world_check_newton(world->def.newton_passes, world->def.newton_tolerance) : status;
    return status.code == CG_OK && world->time < 0 ? cg_error(CG_BAD_INPUT, "time is %g s", world->time) : status;
}

static cg_status check_shapes(const cg_world *world)
{
    for (cg_rigid *s = cg_pool_first(&world->shapes); s != NULL; s = cg_pool_next(&world->shapes, s)) {
        if (!is_pose(&s->now) || !is_pose(&s->told)) {
            return cg_error(CG_BAD_INPUT, "a rigid shape is where none can be");
        }
    }
    return cg_ok();
}

static cg_status check_rigids(const cg_world *world)
{
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        if (!cg_rigid_is_sound(r)) {
            return cg_error(CG_BAD_INPUT, "a rigid body is where none can be");
        }
    }
    if (!cg_world_channels_are_sound(world)) {
        return cg_error(CG_BAD_INPUT, "a needle is in tissue where none can be");
    }
    return cg_world_swages_are_sound(world) ? cg_ok() : cg_error(CG_BAD_INPUT, "a swage is where none can be");
}

static cg_status check_hands(const cg_world *world)
{
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL; h = cg_pool_next(&world->hands, h)) {
        if (!is_pose(&h->goal) || !is_pose(&h->command) || !is_pose(&h->pose) || !(h->time_left >= 0)) {
            return cg_error(CG_BAD_INPUT, "a hand is where none can be");
        }
        if (cg_hand_has_body(h) && !cg_jaws_are_sound(&h->jaws)) {
            return cg_error(CG_BAD_INPUT, "the tool of a hand is where none can be");
        }
        if ((h->tool == CG_TOOL_SUTURE_PASSER) != (h->def.tool == CG_TOOL_SUTURE_PASSER)) {
            return cg_error(CG_BAD_INPUT, "a suture passer is in a hand that it does not belong to");
        }
        bool feels = h->blade.firmness >= 0 && h->blade.firmness <= 1e30 && h->blade.resists >= 0;
        if (!feels || !(h->jaw_reach >= 0)) {
            return cg_error(CG_BAD_INPUT, "a hand feels what nobody can");
        }
    }
    return cg_ok();
}

static cg_status check_tissue(const cg_world *world, const cg_tissue_slot *slot)
{
    int shapes = cg_world_list_shapes(world, world->listed_shapes);
    cg_status status = cg_tissue_check(slot->tissue);
    if (status.code == CG_OK && slot->press != NULL && !cg_press_is_sound(slot->press, shapes)) {
        status = cg_error(CG_BAD_INPUT, "a tissue touches a shape that is not there");
    }
    return status;
}

// Whether a world like this can be. What bonds and hands hold is looked at when they are loaded, what touches hold when
// all else is known to be sound: where it is not there, they hold nothing.
static cg_status check_state(const cg_world *world)
{
    cg_status status = check_settings(world);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL && status.code == CG_OK;
         s = cg_world_next_thread(world, s)) {
        status = cg_thread_check(s->thread);
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL && status.code == CG_OK;
         s = cg_world_next_tissue(world, s)) {
        status = check_tissue(world, s);
    }
    if (status.code == CG_OK && !cg_world_anchors_are_sound(world)) {
        status = cg_error(CG_BAD_INPUT, "a thread is held in a tissue that is not there");
    }
    if (status.code == CG_OK && !cg_world_tears_are_sound(world)) {
        status = cg_error(CG_BAD_INPUT, "a tissue is torn where none can be");
    }
    if (status.code == CG_OK && !cg_world_planes_are_sound(world)) {
        return cg_error(CG_BAD_INPUT, "a thread touches tissue where it cannot");
    }
    if (status.code == CG_OK && !cg_world_adhesions_are_sound(world)) {
        status = cg_error(CG_BAD_INPUT, "a thread sticks to a tissue that is not there");
    }
    status = status.code == CG_OK ? check_shapes(world) : status;
    status = status.code == CG_OK ? check_rigids(world) : status;
    return status.code == CG_OK ? check_hands(world) : status;
}

// --- the way back ---

static cg_status load(cg_world *world, const void *bytes, size_t size)
{
    cg_archive archive = cg_archive_to_load(bytes, size);
    cg_archive_begin(&archive, CG_SNAPSHOT_VERSION);
    visit_state(&archive, world);
    cg_status status = cg_archive_end(&archive);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread_after_load(s->thread);
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_tissue_after_load(s->tissue);
    }
    cg_bond_check(world->bond_sets, world->bond_set_count);
    cg_world_hands_after_load(world);
    status = status.code == CG_OK ? cg_world_structure_after_load(world) : status;
    status = status.code == CG_OK ? check_state(world) : status;
    if (status.code == CG_OK && world->touch_memory != NULL) { // before, what touches name may be out of all bounds
        cg_touch_note_channels(&world->touches);
        cg_touch_after_load(&world->touches);
    }
    return status;
}

cg_status cg_world_check_snapshot(cg_world *world, const void *bytes, size_t size)
{
    bool may_touch = world->def.max_contacts > 0 && world->hands.count > 0;
    cg_status status = may_touch ? cg_world_take_touch_room(world) : cg_ok();
    if (status.code != CG_OK) {
        return status;
    }
    cg_archive archive = cg_archive_to_check(bytes, size);
    cg_archive_begin(&archive, CG_SNAPSHOT_VERSION);
    visit_state(&archive, world);
    return cg_archive_end(&archive);
}

cg_status cg_world_restore(cg_world *world, const void *bytes, size_t size)
{
    cg_status status = cg_world_check_snapshot(world, bytes, size);
    if (status.code != CG_OK) {
        return status;
    }
    size_t room = cg_world_snapshot_size(world);
    void *before = cg_memory_take(&world->def.allocator, room);
    if (before == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to keep the present state in");
    }
    cg_world_snapshot(world, before, room);
    double time_step = world->def.time_step;
    status = load(world, bytes, size);
    if (status.code == CG_OK && world->def.time_step != time_step) { // as when it is set
        status = cg_world_check_step_of_tissues(world, world->def.time_step);
    }
    if (status.code != CG_OK) {
        load(world, before, room);
    }
    cg_memory_give(&world->def.allocator, before);
    return status;
}
