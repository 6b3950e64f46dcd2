// Needles in tissue: the public looks, their state, and what becomes of them after a step. The law is in
// find/channel.h, the events are in suture/pierce.h.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "catgut/suture.h"
#include "find/channel.h"
#include "laws/guide.h"
#include "suture/handover.h"
#include "suture/hollow.h"
#include "suture/pierce.h"
#include "suture/way_back.h"
#include "world/world.h"

// Of stitches.
static const double MOST_FRICTION = 10;

static bool is_pierceable(const cg_tissue_slot *slot)
{
    return slot->skin != NULL && slot->def.pierce_force > 0;
}

// Whether the world is made so that a needle may go into a tissue: what its state holds depends on it.
static bool may_pierce(const cg_world *world)
{
    bool has_needle = false, has_tissue = false;
    for (const cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        has_needle = has_needle || r->is_needle;
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        has_tissue = has_tissue || is_pierceable(s);
    }
    return has_needle && has_tissue && world->touch_memory != NULL;
}

// What a passer may take: every thread.
static cg_status ready_all(cg_world *world)
{
    cg_status status = cg_ok();
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL && status.code == CG_OK;
         s = cg_world_next_thread(world, s)) {
        if (s->thread->spacing.follow && s->thread->model == NULL) {
            status = cg_world_make_anchors_for_parts(world, s->thread);
        }
    }
    return status;
}

cg_status cg_world_ready_swaged(cg_world *world)
{
    cg_status status = cg_world_has_passer(world) && may_pierce(world) ? ready_all(world) : cg_ok();
    for (int i = 0; i < world->swage_count && may_pierce(world) && status.code == CG_OK; i++) {
        const cg_thread_slot *slot = cg_pool_get(&world->threads, world->swages[i].thread);
        const cg_rigid *body = cg_pool_get(&world->rigids, world->swages[i].body);
        if (slot != NULL && body != NULL && body->is_needle && slot->thread->spacing.follow &&
            slot->thread->model == NULL) {
            status = cg_world_make_anchors_for_parts(world, slot->thread);
        }
    }
    return status;
}

cg_channel *cg_world_channel_of(const cg_world *world, cg_handle body)
{
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        const cg_channel *channel = &world->channels[c];
        if (channel->is_used && channel->body.index == body.index && channel->body.generation == body.generation) {
            return (cg_channel *)(uintptr_t)channel;
        }
    }
    return NULL;
}

void cg_world_list_channels(cg_world *world)
{
    world->touches.cast.channels = world->channels;
    for (cg_rigid *r = cg_pool_first(&world->rigids); r != NULL; r = cg_pool_next(&world->rigids, r)) {
        r->in_tissue = false;
    }
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        cg_channel *channel = &world->channels[c];
        cg_rigid *body = channel->is_used ? cg_pool_get(&world->rigids, channel->body) : NULL;
        channel->is_used = body != NULL && body->is_needle && body->is_free;
        if (channel->is_used) {
            body->in_tissue = true;
        }
        channel->rigid = channel->is_used ? number_of_rigid(&world->touches, body) : -1;
    }
}

// After a step

static void forget_lists(cg_world *world)
{
    for (int k = 0; k < world->touches.cast.skin_count; k++) {
        cg_skin_renew(world->touches.cast.skins[k]);
    }
    cg_touch_hide_rods(&world->touches);
}

static void wake(const cg_world *world, const cg_channel *channel)
{
    for (int k = 0; k < world->touches.cast.skin_count && channel->count > 0; k++) {
        cg_tissue_wake(world->touches.cast.skins[k]->tissue);
    }
}

static cg_channel *free_channel(cg_world *world)
{
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        if (!world->channels[c].is_used) {
            return &world->channels[c];
        }
    }
    return NULL;
}

// Threads

// The thread that is swaged to a needle, and which end of it; NULL: none that can take a hole.
static cg_thread *thread_of(const cg_world *world, cg_handle body, int *end)
{
    for (int i = 0; i < world->swage_count; i++) {
        const cg_swage *swage = &world->swages[i];
        const cg_thread_slot *slot = cg_pool_get(&world->threads, swage->thread);
        if (slot != NULL && swage->body.index == body.index && swage->body.generation == body.generation) {
            *end = swage->end;
            return slot->thread->slide != NULL ? slot->thread : NULL;
        }
    }
    return NULL;
}

static double friction_between(const cg_world *world, const cg_thread *thread, int skin)
{
    return fmin(MOST_FRICTION, sqrt(thread->friction * world->touches.cast.skins[skin]->surface->friction));
}

// A hole is the thread's from now on, or the needle's again.
bool cg_world_hand_over(cg_world *world, cg_thread *thread, int end, cg_channel_point *hole)
{
    const cg_mesh *mesh = world->touches.cast.skins[hole->skin]->tissue->mesh;
    cg_handover_make_room(&world->touches, thread->radius, hole);
    cg_vec3 place = cg_channel_place(mesh, mesh->position, hole);
    cg_world_note_hands(world);
    cg_touch_note_arcs(&world->touches);
    cg_handover_hold hold = {friction_between(world, thread, hole->skin),
                             world->touches.cast.skins[hole->skin]->law.grip};
    bool is_taken = cg_handover_take(thread, end, hole, place, hold);
    cg_world_find_hands(world);
    cg_touch_find_arcs(&world->touches);
    return is_taken;
}

void cg_world_hand_back(cg_world *world, cg_thread *thread, int end)
{
    cg_world_note_hands(world);
    cg_touch_note_arcs(&world->touches);
    cg_handover_give_back(thread, end);
    cg_world_find_hands(world);
    cg_touch_find_arcs(&world->touches);
}

// The end of the needle has come back to the hole of its thread, or beyond.
static bool is_back_at(const cg_world *world, const cg_rigid *body, const cg_channel_point *hole)
{
    const cg_mesh *mesh = world->touches.cast.skins[hole->skin]->tissue->mesh;
    cg_needle_place_now needle = cg_channel_needle(body);
    cg_vec3 place = cg_channel_place(mesh, mesh->position, hole);
    double angle = cg_channel_angle(&needle, place);
    cg_vec3 here = transform_point(needle.pose, cg_needle_place(needle.needle, angle));
    return angle < body->needle.arc && v3_distance(here, place) < body->needle.diameter;
}

// [m] An end that is so far out has come out: farther than one that has just handed its hole over.
static double clear_of(const cg_rigid *body, const cg_thread *thread)
{
    return 0.5 * body->needle.diameter + cg_handover_length(thread);
}

static bool take_back(cg_world *world, cg_channel *channel, const cg_rigid *body, cg_thread *thread, int end)
{
    cg_channel_point hole;
    if (!cg_handover_next(thread, end, &hole) || channel->count == CG_CHANNEL_MOST_POINTS) {
        return false;
    }
    bool is_back = is_back_at(world, body, &hole) || cg_handover_is_short(thread, end);
    if (!is_back && cg_way_back_is_out(&world->touches, channel, clear_of(body, thread), &hole)) {
        channel->forced++;
        is_back = true;
    }
    if (!is_back) {
        cg_handover_push_out(thread, end);
        return hole.inward && cg_way_back_lead(&world->touches, channel, &hole);
    }
    cg_world_hand_back(world, thread, end);
    if (channel->count == 0) { // all of the needle is inside, or was
        cg_pierce_put(world->touches.cast.skins[hole.skin]->tissue->mesh, channel, &hole);
    }
    return cg_pierce_return(channel, hole);
}

// What the end of a needle is near, its thread does not touch, as beside an anchor.
static void hide_thread(const cg_world *world, const cg_channel *channel, const cg_rigid *body, cg_thread *thread,
                        int end)
{
    thread->slide->follows[end] = true;
    thread->slide->mouth[end] = 0;
    if (channel->is_used && channel->count > 0) {
        const cg_channel_point *first = &channel->points[0];
        const cg_mesh *mesh = world->touches.cast.skins[first->skin]->tissue->mesh;
        cg_needle_place_now needle = cg_channel_needle(body);
        double angle = cg_channel_angle(&needle, cg_channel_place(mesh, mesh->position, first));
        double left = body->needle.radius * (body->needle.arc - angle);
        bool is_inside = cg_channel_is_inside(channel, -1);
        thread->slide->mouth[end] = is_inside || left < cg_slide_mouth(thread) ? cg_slide_mouth(thread) : 0;
    } else if (channel->is_used && channel->is_inside) {
        thread->slide->mouth[end] = cg_slide_mouth(thread);
    }
}

// A needle outside begins one when it goes in.
static void follow_needle(cg_world *world, cg_rigid *body, int rigid)
{
    cg_channel fresh = {.is_used = true, .body = cg_pool_handle_of(&world->rigids, body), .rigid = rigid};
    cg_channel *present = cg_world_channel_of(world, fresh.body), *channel = present != NULL ? present : &fresh;
    if (present == NULL && free_channel(world) == NULL) {
        return; // so many needles are in tissue that this one stays outside
    }
    int end = 0;
    cg_swage *eye = cg_world_eye_of(world, body);
    cg_thread *thread = eye == NULL ? thread_of(world, fresh.body, &end) : NULL;
    bool came_back = thread != NULL && take_back(world, channel, body, thread, end);
    cg_pierce_result result = cg_pierce_follow(&world->touches, channel, thread ? cg_handover_length(thread) : 0);
    if (result.has_passed && thread != NULL && !cg_world_hand_over(world, thread, end, &result.passed)) {
        cg_pierce_return(channel, result.passed);
        world->stats.refused_handovers++;
    }
    bool eye_went = eye != NULL && cg_world_follow_eye(world, channel, body, eye);
    result.has_changed = result.has_changed || came_back || eye_went;
    if (present == NULL && !cg_pierce_is_over(channel)) {
        present = free_channel(world);
        *present = fresh;
    }
    if (present != NULL && cg_pierce_is_over(present)) {
        present->is_used = false;
    }
    body->in_tissue = present != NULL && present->is_used;
    cg_thread *in_eye = eye != NULL ? thread_of(world, fresh.body, &end) : NULL;
    if (thread != NULL) {
        hide_thread(world, present != NULL ? present : &fresh, body, thread, end);
    } else if (in_eye != NULL) {
        cg_world_hide_eye(present, in_eye, end);
    }
    if (present != NULL && result.has_made) {
        cg_world_split_hole(world, present);
    }
    if (present != NULL && result.has_changed) {
        forget_lists(world);
        wake(world, present);
    }
}

void cg_world_pierce(cg_world *world)
{
    if (!may_pierce(world)) {
        return;
    }
    bool has_rows = world->touches.rows.channel_rows > 0;
    for (int k = world->touches.cast.first_free; k < world->touches.cast.rigid_count; k++) {
        cg_rigid *body = world->touches.cast.rigids[k];
        if (body->is_needle) {
            follow_needle(world, body, k);
        }
    }
    if (has_rows) {
        cg_touch_drop_gone_rows(&world->touches);
    }
}

static void hide_nothing(const cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int end = 0; s->thread->slide != NULL && end < 2; end++) {
            s->thread->slide->follows[end] = false;
            s->thread->slide->mouth[end] = 0;
        }
    }
}

void cg_world_hide_swaged(cg_world *world)
{
    hide_nothing(world);
    for (int i = 0; i < world->swage_count && may_pierce(world); i++) {
        cg_handle handle = world->swages[i].body;
        const cg_rigid *body = cg_pool_get(&world->rigids, handle);
        const cg_channel *channel = cg_world_channel_of(world, handle);
        int end = 0;
        cg_thread *thread = body != NULL && body->is_needle ? thread_of(world, handle, &end) : NULL;
        if (thread != NULL && cg_world_eye_of(world, body) != NULL) {
            cg_world_hide_eye(channel, thread, end);
        } else if (thread != NULL) {
            hide_thread(world, channel != NULL ? channel : &(cg_channel){.is_used = false}, body, thread, end);
        }
    }
}

// What changes around them

// A needle that is in a tissue that is no longer what it was: it has come free.
static void let_go(cg_world *world, cg_channel *channel)
{
    cg_rigid *body = cg_pool_get(&world->rigids, channel->body);
    if (body != NULL) {
        body->in_tissue = false;
    }
    channel->is_used = false;
    channel->count = 0;
    channel->hidden = 0;
    forget_lists(world);
}

void cg_world_drop_channels(cg_world *world, const cg_tissue_slot *slot)
{
    int number = cg_world_tissue_number(world, slot);
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        cg_channel *channel = &world->channels[c];
        bool is_in_it = channel->is_inside && channel->tip.skin == number;
        for (int i = 0; i < channel->count; i++) {
            is_in_it = is_in_it || channel->points[i].skin == number;
            channel->points[i].skin -= channel->points[i].skin > number;
        }
        channel->tip.skin -= channel->tip.skin > number;
        if (channel->is_used && is_in_it) {
            let_go(world, channel);
        }
    }
}

static void take_point(cg_channel *channel, int i)
{
    channel->count--;
    memmove(&channel->points[i], &channel->points[i + 1], sizeof channel->points[0] * (size_t)(channel->count - i));
}

// Holes of a skin, and where its tip leads on.
static bool follow_hollow(const cg_tissue *tissue, cg_channel *channel, int number, const cg_mesh_numbers *numbers)
{
    bool is_there = true;
    for (int i = 0; i <= channel->count; i++) {
        bool is_tip = i == channel->count;
        cg_channel_point *point = is_tip ? &channel->tip : &channel->points[i];
        if (point->skin == number && (!is_tip || channel->is_inside)) {
            is_there = is_there && numbers != NULL && cg_hollow_follow(tissue, numbers, point);
        }
    }
    return is_there;
}

// Holes keep their triangles where these have a number; points inside are found anew as the needle goes on. Where a
// hole has gone nobody knows how the needle is in the tissue.
static bool follow_edit(const cg_world *world, cg_channel *channel, int number, const cg_mesh_numbers *numbers)
{
    const cg_tissue *tissue = world->touches.cast.skins[number]->tissue;
    if (cg_is_hollow(tissue->mesh)) {
        return follow_hollow(tissue, channel, number, numbers);
    }
    for (int i = channel->count - 1; i >= 0; i--) {
        cg_channel_point *point = &channel->points[i];
        if (point->skin != number) {
            continue;
        }
        if (point->triangle < 0) {
            take_point(channel, i);
            continue;
        }
        point->triangle = numbers != NULL ? numbers->triangle_now[point->triangle] : -1;
        if (point->triangle < 0) {
            return false;
        }
    }
    if (channel->is_inside && channel->tip.skin == number) {
        const cg_rigid *body = cg_pool_get(&world->rigids, channel->body);
        return body != NULL && cg_pierce_find_tip(tissue->mesh, channel, cg_channel_needle(body).tip);
    }
    return true;
}

void cg_world_follow_channels(const cg_tissue_slot *edited, const cg_mesh_numbers *numbers)
{
    cg_world *world = edited->world;
    int number = cg_world_tissue_number(world, edited);
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        cg_channel *channel = &world->channels[c];
        if (channel->is_used && !follow_edit(world, channel, number, numbers)) {
            let_go(world, channel);
        }
    }
    if (may_pierce(world)) {
        cg_touch_drop_gone_rows(&world->touches);
    }
}

// State

static void visit_point(cg_archive *archive, cg_channel_point *point)
{
    cg_archive_int(archive, &point->name, 0, CG_CHANNEL_MOST_POINTS);
    cg_archive_int(archive, &point->skin, 0, CG_TOUCH_MOST_SKINS - 1);
    cg_archive_int(archive, &point->triangle, -1, CG_MESH_MOST);
    cg_archive_int(archive, &point->cell, -1, CG_MESH_MOST);
    cg_archive_doubles(archive, point->weights, 4);
    cg_archive_bool(archive, &point->inward);
}

static void visit_channel(cg_archive *archive, cg_world *world, cg_channel *channel)
{
    channel->body = cg_world_visit_item(archive, &world->rigids, channel->body);
    int count = cg_archive_length(archive, channel->count, CG_CHANNEL_MOST_POINTS);
    for (int i = 0; i < count; i++) {
        visit_point(archive, &channel->points[i]);
    }
    channel->count = count;
    cg_archive_bool(archive, &channel->is_inside);
    visit_point(archive, &channel->tip);
    cg_archive_u64(archive, &channel->hidden);
    cg_archive_double(archive, &channel->tip_force);
    cg_archive_u64(archive, &channel->entries);
    cg_archive_u64(archive, &channel->exits);
    cg_archive_u64(archive, &channel->forced);
}

// A world in which nothing can be pierced has the state that it had before there were channels, and one in which
// nothing is pierced the hash.
void cg_world_visit_channels(cg_archive *archive, cg_world *world)
{
    bool any = false;
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        any = any || world->channels[c].is_used;
    }
    if (!may_pierce(world) || (archive->mode == CG_ARCHIVE_HASH && !any)) {
        return;
    }
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        cg_channel channel = world->channels[c];
        bool is_used = cg_archive_choice(archive, channel.is_used, 0, 1) == 1;
        if (is_used) {
            visit_channel(archive, world, &channel);
        }
        channel.is_used = is_used;
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            world->channels[c] = channel;
        }
    }
}

static bool is_point_sound(const cg_world *world, const cg_channel_point *point)
{
    const cg_tissue_slot *slot = cg_world_first_tissue(world);
    for (int i = 0; i < point->skin && slot != NULL; i++) {
        slot = cg_world_next_tissue(world, slot);
    }
    if (slot == NULL || !is_pierceable(slot) || slot->tissue->solver != CG_TISSUE_IMPLICIT) {
        return false;
    }
    const cg_mesh *mesh = slot->tissue->mesh;
    bool is_hole = point->triangle >= 0;
    double sum = 0;
    for (int k = 0; k < (is_hole ? 3 : 4); k++) {
        sum += point->weights[k];
        if (!(point->weights[k] >= -1e-6)) {
            return false;
        }
    }
    return (is_hole ? point->triangle < mesh->triangle_count : point->cell >= 0 && point->cell < mesh->cell_count) &&
           sum > 1 - 1e-6 && sum < 1 + 1e-6;
}

bool cg_world_channels_are_sound(const cg_world *world)
{
    for (int c = 0; c < CG_MOST_CHANNELS; c++) {
        const cg_channel *channel = &world->channels[c];
        const cg_rigid *body = channel->is_used ? cg_pool_get(&world->rigids, channel->body) : NULL;
        if (!channel->is_used) {
            continue;
        }
        bool is_sound = body != NULL && body->is_needle && body->is_free && cg_pierce_is_sound(channel) &&
                        cg_world_channel_of(world, channel->body) == channel;
        for (int i = 0; i < channel->count && is_sound; i++) {
            is_sound = is_point_sound(world, &channel->points[i]);
        }
        if (!is_sound || (channel->is_inside && !is_point_sound(world, &channel->tip))) {
            return false;
        }
    }
    return true;
}

// Looking

static const cg_rigid *needle_of(const cg_world *world, cg_rigid_id id, cg_handle *handle)
{
    *handle = (cg_handle){id.index, id.generation};
    const cg_rigid *body = cg_pool_get(&world->rigids, *handle);
    return body != NULL && body->is_needle ? body : NULL;
}

static const cg_mesh *mesh_at(const cg_world *world, int skin)
{
    return world->touches.cast.skins[skin]->tissue->mesh;
}

static double angle_of(const cg_world *world, const cg_rigid *body, const cg_channel_point *point)
{
    const cg_mesh *mesh = mesh_at(world, point->skin);
    cg_needle_place_now needle = cg_channel_needle(body);
    return cg_channel_angle(&needle, cg_channel_place(mesh, mesh->position, point));
}

static void add_inside(const cg_world *world, const cg_rigid *body, const cg_channel *channel, cg_piercing *piercing)
{
    double from = body->needle.arc;
    for (int i = -1; i < channel->count; i++) {
        double to = i + 1 < channel->count ? angle_of(world, body, &channel->points[i + 1]) : 0;
        piercing->depth += cg_channel_is_inside(channel, i) ? body->needle.radius * (from - to) : 0;
        piercing->holes += i + 1 < channel->count && channel->points[i + 1].triangle >= 0;
        from = to;
    }
    piercing->points = channel->count;
}

static void add_drags(const cg_world *world, const cg_channel *channel, cg_piercing *piercing)
{
    const cg_touch_set *set = &world->touches;
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        if (touch_is_drag(touch) && touch_body(touch, 0, CG_BODY_RIGID) == channel->rigid) {
            // Axis 1 leads from the tip to the end.
            bool is_tip = touch->pair.segment_a == CG_TIP_FEATURE - CG_RIGID_MOST_PARTS;
            double *sum = is_tip ? &piercing->cut_force : &piercing->drag_force;
            *sum += v3_dot(touch->force, touch->axes[1]);
        }
    }
}

bool cg_rigid_get_piercing(const cg_world *world, cg_rigid_id id, cg_piercing *piercing)
{
    cg_handle handle;
    const cg_rigid *body = needle_of(world, id, &handle);
    *piercing = (cg_piercing){0};
    if (body == NULL || world->touch_memory == NULL) {
        return body != NULL;
    }
    const cg_channel *channel = cg_world_channel_of(world, handle);
    if (channel == NULL) {
        int most, number = number_of_rigid(&world->touches, body);
        piercing->tip_force = number >= 0 ? cg_pierce_tip_force(&world->touches, number, false, &most) : 0;
        return true;
    }
    piercing->is_inside = channel->is_inside;
    piercing->tip_force = channel->tip_force;
    piercing->entries = channel->entries;
    piercing->exits = channel->exits;
    piercing->forced = channel->forced;
    add_inside(world, body, channel, piercing);
    add_drags(world, channel, piercing);
    return true;
}

static cg_tissue_id tissue_at(const cg_world *world, int number)
{
    const cg_tissue_slot *slot = cg_world_first_tissue(world);
    for (int i = 0; i < number && slot != NULL; i++) {
        slot = cg_world_next_tissue(world, slot);
    }
    cg_handle handle = slot != NULL ? cg_pool_handle_of(&world->tissues, slot) : (cg_handle){0, 0};
    return (cg_tissue_id){handle.index, handle.generation};
}

static cg_vec3 force_at(const cg_world *world, const cg_channel *channel, int name)
{
    const cg_touch_set *set = &world->touches;
    cg_vec3 sum = v3_zero();
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int feature = touch->pair.segment_a - CG_RIGID_MOST_PARTS * name;
        if (touch_body(touch, 0, CG_BODY_RIGID) == channel->rigid && touch_skin(touch) >= 0 &&
            (feature == CG_GUIDE_FEATURE || feature == CG_DRAG_FEATURE)) {
            sum = v3_sub(sum, touch->force);
        }
    }
    return sum;
}

bool cg_rigid_get_hole(const cg_world *world, cg_rigid_id id, int index, cg_needle_hole *hole)
{
    cg_handle handle;
    const cg_rigid *body = needle_of(world, id, &handle);
    const cg_channel *channel = body != NULL ? cg_world_channel_of(world, handle) : NULL;
    for (int i = 0; channel != NULL && i < channel->count && index >= 0; i++) {
        const cg_channel_point *point = &channel->points[i];
        if (point->triangle >= 0 && index-- == 0) {
            const cg_mesh *mesh = mesh_at(world, point->skin);
            *hole = (cg_needle_hole){.tissue = tissue_at(world, point->skin),
                                     .triangle = point->triangle,
                                     .weights = {point->weights[0], point->weights[1], point->weights[2]},
                                     .position = cg_channel_place(mesh, mesh->position, point),
                                     .arc = body->needle.radius * angle_of(world, body, point),
                                     .inward = point->inward,
                                     .force = force_at(world, channel, point->name)};
            return true;
        }
    }
    return false;
}

bool cg_tissue_is_inside(const cg_world *world, cg_tissue_id id, cg_vec3 place)
{
    const cg_tissue *tissue = cg_world_find_tissue(world, id);
    int cell;
    double weights[4];
    if (tissue != NULL && cg_is_hollow(tissue->mesh)) {
        return tissue->springs.is_closed && cg_hollow_contains(tissue->mesh, place);
    }
    return tissue != NULL && cg_pierce_find_cell(tissue->mesh, -1, place, &cell, weights);
}
