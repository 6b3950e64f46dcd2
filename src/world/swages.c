// Threads that are fastened to rigid bodies: the public calls, and their joints among the contacts.
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "catgut/needle.h"
#include "world/world.h"

// [m] How far the end of a thread may be from the point that it is fastened to: the rest is drawn there at once.
static const double NEAREST = 1e-4;

static cg_handle handle_of_thread(cg_thread_id id)
{
    return (cg_handle){id.index, id.generation};
}

static cg_handle handle_of_body(cg_rigid_id id)
{
    return (cg_handle){id.index, id.generation};
}

static int find_swage(const cg_world *world, cg_thread_id thread, cg_end end)
{
    for (int i = 0; i < world->swage_count; i++) {
        const cg_swage *swage = &world->swages[i];
        if (swage->thread.index == thread.index && swage->thread.generation == thread.generation &&
            swage->end == (int)end) {
            return i;
        }
    }
    return -1;
}

static cg_vec3 end_of(const cg_thread *thread, int end)
{
    return thread->shape.position[end == CG_START ? 0 : thread->vertex_count - 1];
}

// [m] From the origin of a body.
static const double FARTHEST = 1e3;

static cg_status check(const cg_world *world, cg_thread_id id, cg_end end, cg_rigid_id body_id, cg_vec3 point)
{
    const cg_thread *thread = cg_world_find_thread(world, id);
    const cg_rigid *body = cg_pool_get(&world->rigids, handle_of_body(body_id));
    if (thread == NULL || body == NULL) {
        return cg_error(CG_BAD_HANDLE, "thread or body to be swaged is not of this world");
    }
    if (thread->model != NULL) {
        return cg_error(CG_BAD_INPUT, "a thread of springs or links cannot be swaged");
    }
    if (thread->slip.law == CG_SLIP_PORTAL) {
        return cg_error(CG_BAD_INPUT, "a thread that goes by portals cannot follow a needle, and is not swaged");
    }
    const cg_thread_slot *slot = cg_pool_get(&world->threads, handle_of_thread(id));
    if (slot->is_led) {
        return cg_error(CG_BAD_INPUT, "a thread that constraints move cannot be swaged");
    }
    if (world->touch_memory == NULL) {
        return cg_error(CG_BAD_INPUT, "a swage needs contacts: max_contacts above 0");
    }
    if ((end != CG_START && end != CG_FINISH) || !cg_rigid_is_within(point, FARTHEST)) {
        return cg_error(CG_BAD_INPUT, "end is %d; expected CG_START or CG_FINISH, at a point of the body", (int)end);
    }
    cg_vec3 place = transform_point(cg_rigid_made_pose(body, body->now), point);
    double apart = v3_distance(place, end_of(thread, (int)end));
    if (!(apart <= NEAREST)) {
        return cg_error(CG_BAD_INPUT, "the end of the thread is %g m from the point (%g, %g, %g); expected at most %g",
                        apart, place.x, place.y, place.z, NEAREST);
    }
    return cg_ok();
}

cg_status cg_thread_swage(cg_world *world, cg_thread_id thread, cg_end end, cg_rigid_id body, cg_vec3 point)
{
    cg_status status = check(world, thread, end, body, point);
    if (status.code != CG_OK) {
        return status;
    }
    if (find_swage(world, thread, end) >= 0) {
        return cg_error(CG_BAD_INPUT, "this end of the thread is swaged already");
    }
    if (world->swage_count == CG_WORLD_MOST_SWAGES || world->swage_count >= world->def.max_contacts ||
        world->swage_count == world->touches.room.joints) {
        return cg_error(CG_FULL, "the world already has its %d swages", world->swage_count);
    }
    const cg_rigid *made = cg_pool_get(&world->rigids, handle_of_body(body));
    world->swages[world->swage_count++] =
        (cg_swage){handle_of_thread(thread), (int)end, handle_of_body(body), v3_sub(point, made->centre), 0};
    cg_world_list_swages(world);
    return cg_world_ready_swaged(world);
}

static void drop(cg_world *world, int index)
{
    world->swage_count--;
    for (int i = index; i < world->swage_count; i++) {
        world->swages[i] = world->swages[i + 1];
    }
}

// Their touches go with the joints: none is left that pulls.
static void drop_touches(cg_touch_set *set)
{
    int kept = 0;
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        bool is_there = !touch_is_joint(touch);
        for (int j = 0; j < set->cast.joint_count && !is_there; j++) {
            is_there = set->cast.joints[j].thread == touch_thread(touch, 0) &&
                       (set->cast.joints[j].end == 0) == (touch->pair.segment_a == 0) &&
                       set->cast.joints[j].rigid == touch_body(touch, 1, CG_BODY_RIGID);
        }
        if (is_there) {
            set->rows.touches[kept++] = *touch;
        }
    }
    set->rows.count = kept;
}

cg_status cg_thread_unswage(cg_world *world, cg_thread_id thread, cg_end end)
{
    int index = find_swage(world, thread, end);
    if (index < 0) {
        return cg_error(CG_BAD_INPUT, "this end of the thread is not swaged");
    }
    drop(world, index);
    cg_world_list_swages(world);
    return cg_ok();
}

static const cg_touch *touch_of_joint(const cg_touch_set *set, int number)
{
    const cg_touch_joint *joint = &set->cast.joints[number];
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        if (touch_is_joint(touch) && touch_thread(touch, 0) == joint->thread &&
            (touch->pair.segment_a == 0) == (joint->end == 0)) {
            return touch;
        }
    }
    return NULL;
}

bool cg_thread_get_swage(const cg_world *world, cg_thread_id id, cg_end end, cg_swage_info *info)
{
    int index = find_swage(world, id, end);
    const cg_thread *thread = cg_world_find_thread(world, id);
    if (index < 0 || thread == NULL) {
        return false;
    }
    const cg_swage *swage = &world->swages[index];
    const cg_rigid *body = cg_pool_get(&world->rigids, swage->body);
    const cg_touch *touch = touch_of_joint(&world->touches, index);
    cg_vec3 point = transform_point(body->now, swage->point);
    *info = (cg_swage_info){.body = {swage->body.index, swage->body.generation},
                            .point = point,
                            .apart = v3_distance(point, end_of(thread, swage->end)),
                            .force = touch != NULL ? v3_neg(touch->force) : v3_zero()};
    return true;
}

// Their part in the contacts

static int first_part_of(const cg_touch_set *set, int rigid)
{
    int first = 0;
    while (first < set->cast.part_count && set->cast.parts[first].body != rigid) {
        first++;
    }
    return first;
}

bool cg_world_is_swaged(const cg_world *world, cg_handle thread)
{
    cg_thread_id id = {thread.index, thread.generation};
    return find_swage(world, id, CG_START) >= 0 || find_swage(world, id, CG_FINISH) >= 0;
}

void cg_world_part_swages(cg_world *world, cg_handle whole, cg_handle part)
{
    for (int i = 0; i < world->swage_count; i++) {
        cg_swage *swage = &world->swages[i];
        if (swage->thread.index == whole.index && swage->thread.generation == whole.generation &&
            swage->end == CG_FINISH) {
            swage->thread = part;
        }
    }
}

void cg_world_list_swages(cg_world *world)
{
    cg_touch_set *set = &world->touches;
    set->cast.joint_count = 0;
    for (int i = 0; i < world->swage_count && world->touch_memory != NULL;) {
        const cg_swage *swage = &world->swages[i];
        const cg_thread_slot *slot = cg_pool_get(&world->threads, swage->thread);
        int thread = slot != NULL ? number_of_thread(set, slot->thread) : -1;
        const cg_rigid *body = cg_pool_get(&world->rigids, swage->body);
        int rigid = body != NULL ? number_of_rigid(set, body) : -1;
        if (thread < 0 || rigid < 0 || set->cast.joint_count == set->room.joints) {
            drop(world, i);
            continue;
        }
        set->cast.joints[set->cast.joint_count++] =
            (cg_touch_joint){thread, swage->end, rigid, first_part_of(set, rigid), swage->point};
        i++;
    }
    drop_touches(set);
}

bool cg_world_swages_are_sound(const cg_world *world)
{
    for (int i = 0; i < world->swage_count; i++) {
        const cg_swage *swage = &world->swages[i];
        cg_thread_id thread = {swage->thread.index, swage->thread.generation};
        if (!cg_rigid_is_within(swage->point, 2 * FARTHEST) || find_swage(world, thread, (cg_end)swage->end) != i) {
            return false; // out of reach, or an end that is swaged twice
        }
    }
    return true;
}

// Items are named by their order of creation.
cg_handle cg_world_visit_item(cg_archive *archive, const cg_pool *pool, cg_handle handle)
{
    int number = 0;
    const void *item = cg_pool_get(pool, handle);
    for (const void *at = cg_pool_first(pool); at != NULL && at != item; at = cg_pool_next(pool, at)) {
        number++;
    }
    number = cg_archive_choice(archive, item != NULL ? number : 0, 0, pool->count - 1);
    const void *named = cg_pool_first(pool);
    for (int i = 0; i < number && named != NULL; i++) {
        named = cg_pool_next(pool, named);
    }
    return named != NULL ? cg_pool_handle_of(pool, named) : (cg_handle){0, 0};
}

// A world without any has the hash that it had before there were swages.
void cg_world_visit_swages(cg_archive *archive, cg_world *world)
{
    if (archive->mode == CG_ARCHIVE_HASH && world->swage_count == 0) {
        return;
    }
    int count = cg_archive_length(archive, world->swage_count, CG_WORLD_MOST_SWAGES);
    for (int i = 0; i < count; i++) {
        cg_swage swage = i < world->swage_count ? world->swages[i] : (cg_swage){.end = CG_START};
        swage.thread = cg_world_visit_item(archive, &world->threads, swage.thread);
        cg_archive_int(archive, &swage.end, CG_START, CG_FINISH);
        swage.body = cg_world_visit_item(archive, &world->rigids, swage.body);
        cg_archive_vec3(archive, &swage.point);
        if (cg_world_has_passer(world)) {
            cg_archive_int(archive, &swage.holes, 0, CG_CHANNEL_MOST_POINTS);
        }
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            world->swages[i] = swage;
            world->swage_count = i + 1;
        }
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        world->swage_count = count;
    }
}
