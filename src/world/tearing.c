// Threads that tear tissue (suture/tear.h). It comes late in a step, so that forces at anchors are those that the step
// leaves; a tear is a cut of the mesh, and what holds nodes or triangles follows it as it follows a blade.
#include <math.h>

#include "base/vec3.h"
#include "suture/anchor_point.h"
#include "thread/slide.h"
#include "world/world.h"

// [radii of the thread] A bite that is shorter is none: its anchors would be one.
static const double LEAST_BITE = 2;

// --- tears and their bites ---

static cg_tear *tear_of(cg_world *world, const cg_thread_anchor *a)
{
    return a->tear > 0 && a[1].tear == a->tear ? &world->tears[a->tear - 1] : NULL;
}

// A tear for a bite that has none; NULL when there is no room, and it holds.
static cg_tear *begin_tear(cg_world *world, cg_thread_anchor *a)
{
    for (int i = 0; i < CG_WORLD_MOST_TEARS; i++) {
        if (!world->tears[i].is_used) {
            world->tears[i] = (cg_tear){.is_used = true};
            a[0].tear = a[1].tear = i + 1;
            return &world->tears[i];
        }
    }
    return NULL;
}

// Those whose bite is gone, since the thread slid out of it or was cut, are forgotten.
static void forget_tears(cg_world *world)
{
    bool is_used[CG_WORLD_MOST_TEARS] = {false};
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k + 1 < cg_slide_count(s->thread); k++) {
            const cg_thread_anchor *a = &s->thread->slide->anchors[k];
            if (tear_of(world, a) != NULL) {
                is_used[a->tear - 1] = true;
            }
        }
        for (int k = 0; k < cg_slide_count(s->thread); k++) {
            cg_thread_anchor *a = &s->thread->slide->anchors[k];
            a->tear = a->tear > 0 && is_used[a->tear - 1] ? a->tear : 0;
        }
    }
    for (int i = 0; i < CG_WORLD_MOST_TEARS; i++) {
        if (!is_used[i] && world->tears[i].is_used) {
            world->tears[i] = (cg_tear){0};
        }
    }
}

void cg_world_forget_tear_ways(cg_world *world, const cg_tissue_slot *slot)
{
    int number = cg_world_tissue_number(world, slot);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k < cg_slide_count(s->thread); k++) {
            const cg_thread_anchor *a = &s->thread->slide->anchors[k];
            if (a->tissue == number && a->tear > 0) {
                cg_tear_forget_way(&world->tears[a->tear - 1]);
            }
        }
    }
}

// --- a bite ---

// What was a bite is outside now, and so is the span to what comes before or behind it. The cut that set it free may
// have taken an anchor out: whichever of both is left goes.
static void free_bite(cg_thread *thread, int vertex)
{
    cg_world_free_thread(thread, thread->arc[vertex], thread->arc[vertex + 1]);
    for (int end = 1; end >= 0; end--) {
        int k = cg_anchor_at(thread, vertex + end);
        if (k >= 0) {
            cg_slide_take_out(thread, k);
        }
    }
    for (int k = 0; k < thread->slide->count; k++) {
        cg_thread_anchor *a = &thread->slide->anchors[k];
        bool is_next = a->vertex > vertex && (k == 0 || a[-1].vertex < vertex);
        bool is_last = a->vertex < vertex && (k + 1 == thread->slide->count || a[1].vertex > vertex);
        a->straight[0] = a->straight[0] && !is_next;
        a->straight[1] = a->straight[1] && !is_last;
    }
    cg_thread_update_lengths(thread);
}

static void note_tear(cg_world *world, const cg_thread_slot *slot, const cg_tissue_slot *tissue,
                      const cg_tissue_tear *what)
{
    cg_handle thread = cg_pool_handle_of(&world->threads, slot), torn = cg_pool_handle_of(&world->tissues, tissue);
    if (world->torn_count < CG_WORLD_MOST_TEARS) {
        world->torn[world->torn_count] = *what;
        world->torn[world->torn_count].thread = (cg_thread_id){thread.index, thread.generation};
        world->torn[world->torn_count++].tissue = (cg_tissue_id){torn.index, torn.generation};
    }
}

// Holes without a triangle stay where they are.
static void move_holes(cg_thread_anchor *a, const cg_mesh_point holes[2])
{
    for (int end = 0; end < 2; end++) {
        if (holes[end].triangle >= 0) {
            cg_anchor_move(&a[end], &holes[end]);
        }
    }
}

// One step of a tear that runs. True when the thread came free.
static bool run_tear(cg_world *world, cg_thread_slot *slot, int k, cg_tissue_slot *tissue, cg_tear *tear,
                     const cg_pulled_bite *bite, const cg_tear_ahead *ahead)
{
    cg_thread *thread = slot->thread;
    int vertex = thread->slide->anchors[k].vertex;
    const cg_vec3 *x = thread->shape.position;
    cg_tissue_tear what = {.position = v3_scale(0.5, v3_add(x[vertex], x[vertex + 1])),
                           .pull = bite->pull,
                           .bears = ahead->force,
                           .is_first = !tear->is_running};
    double length = tear->length, area = tear->area;
    const cg_thread_anchor *a = &thread->slide->anchors[k];
    cg_mesh_point holes[2] = {cg_anchor_point(&a[0]), cg_anchor_point(&a[1])};
    cg_tear_outcome outcome =
        cg_tear_go_on(tear, tissue->tissue, bite, ahead, world->def.time_step, LEAST_BITE * thread->radius, holes);
    cg_tissue_wake(tissue->tissue);
    tissue->torn_length += tear->length - length;
    tissue->torn_area += tear->area - area;
    k = cg_anchor_at(thread, vertex);
    bool is_there = k >= 0 && k + 1 < thread->slide->count && thread->slide->anchors[k + 1].vertex == vertex + 1;
    if (is_there && (outcome == CG_TEAR_GOES_ON || outcome == CG_TEAR_PIERCED)) {
        move_holes(&thread->slide->anchors[k], holes);
    } else if (outcome == CG_TEAR_THROUGH) {
        free_bite(thread, vertex);
    }
    what.length = tear->length;
    what.area = tear->area;
    what.is_through = outcome == CG_TEAR_THROUGH;
    if (outcome == CG_TEAR_GOES_ON || outcome == CG_TEAR_THROUGH) {
        note_tear(world, slot, tissue, &what);
    }
    return what.is_through;
}

// True when the thread came free.
static bool look_at_bite(cg_world *world, cg_thread_slot *slot, int k)
{
    cg_thread_anchor *a = &slot->thread->slide->anchors[k];
    cg_tissue_slot *tissue = cg_world_tissue_at(world, a->tissue);
    cg_pulled_bite bite;
    if (tissue == NULL || !cg_tear_is_possible(tissue->tissue) ||
        !cg_tear_find_bite(slot->thread, tissue->tissue, k, &bite)) {
        return false;
    }
    cg_tear *tear = tear_of(world, a);
    if (tear != NULL && cg_tear_is_stuck(tear, tissue->tissue)) {
        return false;
    }
    cg_tear_ahead ahead;
    if (cg_tear_begins(tear, tissue->tissue, &bite, &ahead)) {
        tear = tear != NULL ? tear : begin_tear(world, a);
        return tear != NULL && run_tear(world, slot, k, tissue, tear, &bite, &ahead);
    }
    if (tear != NULL) {
        tear->is_running = false;
    }
    return false;
}

void cg_world_tear_tissues(cg_world *world)
{
    bool is_any_free = false;
    world->torn_count = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        // Portals do not tear: the force at a hole of theirs is not that of the thread there.
        for (int k = cg_slide_is_portal(s->thread) ? -1 : cg_slide_count(s->thread) - 2; k >= 0; k--) {
            if (k + 1 < cg_slide_count(s->thread)) { // a cut may have taken some out
                is_any_free = look_at_bite(world, s, k) || is_any_free;
            }
        }
    }
    forget_tears(world);
    cg_world_see_freed(world);
    if (is_any_free) {
        cg_world_list_touch_skins(world);
    }
}

int cg_world_tears(const cg_world *world, const cg_tissue_tear **tears)
{
    *tears = world->torn;
    return world->torn_count;
}

bool cg_tissue_get_torn(const cg_world *world, cg_tissue_id id, double *length, double *area)
{
    const cg_tissue_slot *slot = cg_pool_get(&world->tissues, (cg_handle){id.index, id.generation});
    *length = slot != NULL ? slot->torn_length : 0;
    *area = slot != NULL ? slot->torn_area : 0;
    return slot != NULL;
}

// False when there is none there, or it never tears.
static bool tell_bite(const cg_world *world, const cg_thread_slot *slot, int k, cg_tissue_bite *bite)
{
    const cg_thread_anchor *a = &slot->thread->slide->anchors[k];
    const cg_tissue_slot *tissue = cg_world_tissue_at(world, a->tissue);
    const cg_vec3 *x = slot->thread->shape.position;
    cg_pulled_bite pulled;
    if (tissue == NULL || !cg_tear_is_possible(tissue->tissue) ||
        !cg_tear_find_bite(slot->thread, tissue->tissue, k, &pulled)) {
        return false;
    }
    cg_handle thread = cg_pool_handle_of(&world->threads, slot), bitten = cg_pool_handle_of(&world->tissues, tissue);
    *bite = (cg_tissue_bite){.thread = {thread.index, thread.generation},
                             .tissue = {bitten.index, bitten.generation},
                             .position = v3_scale(0.5, v3_add(x[a->vertex], x[a->vertex + 1])),
                             .pull = pulled.pull,
                             .bears = cg_tear_look_ahead(tissue->tissue, &pulled).force};
    return bite->bears < HUGE_VAL;
}

// What lies ahead of a bite costs a look at the whole mesh: it is looked at once for each.
int cg_world_get_bites(const cg_world *world, cg_tissue_bite *bites, int most)
{
    int count = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k + 1 < cg_slide_count(s->thread) && count < most; k++) {
            count += tell_bite(world, s, k, &bites[count]);
        }
    }
    return count;
}

// --- state ---

// Where nothing was ever torn, hashes do not know of it.
static bool is_anything_torn(const cg_world *world)
{
    bool is_torn = false;
    for (int i = 0; i < CG_WORLD_MOST_TEARS; i++) {
        is_torn = is_torn || world->tears[i].is_used;
    }
    for (const cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        is_torn = is_torn || s->torn_length > 0;
    }
    return is_torn;
}

void cg_world_visit_tears(cg_archive *archive, cg_world *world)
{
    if (archive->mode == CG_ARCHIVE_HASH && !is_anything_torn(world)) {
        return;
    }
    for (cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        cg_archive_double(archive, &s->torn_length);
        cg_archive_double(archive, &s->torn_area);
    }
    for (int i = 0; i < CG_WORLD_MOST_TEARS; i++) {
        bool is_used = cg_archive_choice(archive, world->tears[i].is_used, 0, 1) == 1;
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            world->tears[i] = (cg_tear){.is_used = is_used};
        }
        if (is_used) {
            cg_tear_visit_state(archive, &world->tears[i]);
        }
    }
}

// A tear belongs to one bite, both anchors of it or what a cut has left; when that is gone, it stays until the next
// step.
bool cg_world_tears_are_sound(const cg_world *world)
{
    int named[CG_WORLD_MOST_TEARS] = {0};
    for (int i = 0; i < CG_WORLD_MOST_TEARS; i++) {
        if (world->tears[i].is_used && !cg_tear_is_sound(&world->tears[i])) {
            return false;
        }
    }
    for (const cg_tissue_slot *s = cg_world_first_tissue(world); s != NULL; s = cg_world_next_tissue(world, s)) {
        if (!(s->torn_length >= 0 && s->torn_area >= 0)) {
            return false;
        }
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        for (int k = 0; k < cg_slide_count(s->thread); k++) {
            int tear = s->thread->slide->anchors[k].tear;
            if (tear > CG_WORLD_MOST_TEARS ||
                (tear > 0 && (!world->tears[tear - 1].is_used || ++named[tear - 1] > 2))) {
                return false;
            }
        }
    }
    return true;
}
