// Threads that are cut. Each part is a thread like any other, in a place that was kept for it: memory is taken when the
// parts are reserved, so that a thread can be cut within a step, and a state fits every world of its scene, whatever
// was cut in between.
#include "thread/part.h"

#include "base/status.h"
#include "thread/slide.h"
#include "world/world.h"

static cg_thread_slot *find_slot(const cg_world *world, cg_thread_id id)
{
    cg_thread_slot *slot = cg_pool_get(&world->threads, (cg_handle){id.index, id.generation});
    return slot != NULL && !slot->is_spare ? slot : NULL;
}

static cg_status bad_handle(cg_thread_id id)
{
    return cg_error(CG_BAD_HANDLE, "thread id (%u, %u) names no thread of this world", id.index, id.generation);
}

static cg_status reserve_part(cg_world *world, const cg_thread_slot *whole)
{
    cg_handle handle;
    cg_thread_slot *slot = cg_pool_take(&world->threads, &handle);
    cg_status status = cg_thread_create_spare(whole->thread, &world->def.allocator, &slot->thread);
    bool is_made = status.code == CG_OK, is_stitched = whole->thread->slide != NULL;
    status = is_made && is_stitched ? cg_slide_create(slot->thread) : status;
    if (status.code != CG_OK) {
        if (is_made) {
            cg_thread_destroy(slot->thread);
        }
        cg_pool_give(&world->threads, handle);
        return status;
    }
    slot->root = whole->root;
    slot->is_part = slot->is_spare = true;
    return status;
}

cg_status cg_world_make_anchors_for_parts(cg_world *world, const cg_thread *thread)
{
    const cg_thread_slot *whole = cg_pool_first(&world->threads);
    while (whole->thread != thread) {
        whole = cg_pool_next(&world->threads, whole);
    }
    cg_status status = cg_ok();
    for (cg_thread_slot *s = cg_pool_first(&world->threads); s != NULL && status.code == CG_OK;
         s = cg_pool_next(&world->threads, s)) {
        status = s->root == whole->root ? cg_slide_create(s->thread) : status;
    }
    return status;
}

static cg_thread_slot *find_spare(const cg_world *world, unsigned root)
{
    cg_thread_slot *slot = cg_pool_first(&world->threads);
    while (slot != NULL && !(slot->is_spare && slot->root == root)) {
        slot = cg_pool_next(&world->threads, slot);
    }
    return slot;
}

static void give_back(cg_world *world, cg_thread_slot *slot)
{
    cg_thread_destroy(slot->thread);
    cg_pool_give(&world->threads, cg_pool_handle_of(&world->threads, slot));
}

bool cg_world_has_parts(const cg_world *world, const cg_thread_slot *slot)
{
    return slot->is_part || find_spare(world, slot->root) != NULL;
}

void cg_world_drop_spares(cg_world *world, unsigned root)
{
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->root == root) {
            return;
        }
    }
    for (cg_thread_slot *s = find_spare(world, root); s != NULL; s = find_spare(world, root)) {
        give_back(world, s);
    }
}

cg_status cg_world_reserve_parts(cg_world *world, cg_thread_id id, int count)
{
    cg_thread_slot *slot = find_slot(world, id);
    if (slot == NULL) {
        return bad_handle(id);
    }
    if (count < 0 || count > 10000) {
        return cg_error(CG_BAD_INPUT, "count is %d; expected 0 to 10000", count);
    }
    if ((slot->thread->model != NULL || slot->is_led) && count > 0) {
        return cg_error(CG_BAD_INPUT, "a thread of springs or links, or of constraints, cannot be cut");
    }
    if (count > 0 && cg_world_has_adhesions(world, slot, NULL)) {
        return cg_error(CG_BAD_INPUT, "a thread that sticks to tissue cannot be cut; expected one without adhesions");
    }
    if (count > world->threads.capacity - world->threads.count) {
        return cg_error(CG_FULL, "no place for %d parts: the world already has its %d threads", count,
                        world->def.max_threads);
    }
    cg_status status = cg_ok();
    int made = 0;
    for (; made < count && status.code == CG_OK; made += status.code == CG_OK) {
        status = reserve_part(world, slot);
    }
    status = status.code == CG_OK ? cg_world_fit_touches(world) : status;
    status = status.code == CG_OK ? cg_world_fit_models(world) : status;
    for (; status.code != CG_OK && made > 0; made--) {
        give_back(world, find_spare(world, slot->root));
    }
    slot->thread->is_edited = slot->thread->is_edited || made > 0;
    return status;
}

// --- what knows places on the thread ---

// A hand keeps what it holds on the side of the cut where it has more; less than two vertices is nothing.
static void part_hand(cg_hand *hand, const cg_thread_cut *cut, int vertex_count, cg_handle other)
{
    int end = hand->first + hand->count;
    int before = cut->count - (cut->last_fraction < 1), behind = cut->offset + (cut->next_fraction > 0);
    int kept = (end < before ? end : before) - hand->first;
    int from = hand->first > behind ? hand->first : behind, rest = (end < vertex_count ? end : vertex_count) - from;
    if (kept < 2 && rest < 2) {
        cg_hand_let_go(hand);
    } else if (kept >= rest) {
        hand->count = kept;
    } else {
        int gone = from - hand->first;
        for (int k = 0; k < rest; k++) {
            hand->local[k] = hand->local[k + gone];
        }
        hand->thread = other;
        hand->first = from - cut->offset;
        hand->count = rest;
    }
}

static void part_hands(cg_world *world, cg_handle whole, const cg_thread_cut *cut, int vertex_count, cg_handle other)
{
    for (cg_hand *h = cg_pool_first(&world->hands); h != NULL; h = cg_pool_next(&world->hands, h)) {
        if (h->count > 0 && h->thread.index == whole.index && h->thread.generation == whole.generation) {
            part_hand(h, cut, vertex_count, other);
        }
    }
}

// Contacts that were remembered by arc lengths go on at the part that has the place now. The thread `rest` is the
// `place`th now, so those behind it have moved up.
static bool part_side(int whole, int place, const cg_thread_cut *cut, int *chain, double *arc)
{
    if (cg_chain_kind(*chain) != CG_BODY_THREAD) {
        return true;
    }
    bool is_behind = *chain == whole && *arc > cut->arc, is_between = *chain == whole && *arc > cut->ends[0];
    *chain = is_behind ? place : *chain + (*chain >= place);
    *arc -= is_behind ? cut->ends[1] : 0;
    return is_behind ? *arc >= 0 : !is_between;
}

// Those that the cut took away, and those whose sides would have to change places, are found anew.
static void part_touches(cg_world *world, const cg_thread *thread, const cg_thread *rest, const cg_thread_cut *cut,
                         int count)
{
    cg_touch_set *set = &world->touches;
    int kept = 0, place = number_of_thread(set, rest), whole = number_of_thread(set, thread);
    whole -= whole > place; // as it was before
    for (int i = 0; i < count; i++) {
        cg_touch touch = set->rows.touches[i];
        bool is_there = part_side(whole, place, cut, &touch.pair.chain_a, &touch.fraction[0]) &&
                        part_side(whole, place, cut, &touch.pair.chain_b, &touch.fraction[1]);
        if (is_there && touch.pair.chain_a <= touch.pair.chain_b) {
            touch.kind = cg_touch_kind_of(&touch.pair); // what was with itself may be of two
            set->rows.touches[kept++] = touch;
        }
    }
    set->rows.count = kept;
    cg_touch_find_arcs(set);
}

cg_status cg_world_cut_thread(cg_world *world, cg_thread_id id, double arc, cg_thread_id *part)
{
    *part = (cg_thread_id){0, 0};
    cg_thread_slot *slot = find_slot(world, id);
    if (slot == NULL) {
        return bad_handle(id);
    }
    if (slot->is_led) {
        return cg_error(CG_BAD_INPUT, "the thread is moved by constraints and cannot be cut");
    }
    cg_thread *thread = slot->thread;
    cg_thread_cut cut;
    if (!(arc >= 0 && arc <= thread->arc[thread->vertex_count - 1]) || !cg_thread_plan_cut(thread, arc, &cut)) {
        return cg_error(CG_BAD_INPUT, "a cut at %g m leaves no two parts of a thread of %g m", arc,
                        thread->arc[thread->vertex_count - 1]);
    }
    if (!cg_slide_may_cut(thread, &cut)) {
        return cg_error(CG_BAD_INPUT, "at %g m the thread is in tissue or at a hole, and cannot be cut there", arc);
    }
    cg_thread_slot *spare = find_spare(world, slot->root);
    if (spare == NULL) {
        return cg_error(CG_FULL, "no part is left for this thread; reserve more when it is made");
    }
    if (cg_slide_count(thread) > 0 && spare->thread->slide == NULL) {
        return cg_error(CG_FULL, "the parts of this thread have no memory for anchors");
    }
    cg_handle whole = {id.index, id.generation}, other = cg_pool_handle_of(&world->threads, spare);
    bool has_touches = world->touch_memory != NULL;
    int vertex_count = thread->vertex_count, touches = has_touches ? world->touches.rows.count : 0;
    if (has_touches) {
        cg_touch_note_arcs(&world->touches);
    }
    cg_thread_part(thread, &cut, spare->thread);
    spare->is_spare = false;
    part_hands(world, whole, &cut, vertex_count, other);
    cg_world_part_swages(world, whole, other);
    if (has_touches) {
        cg_world_list_touch_threads(world); // forgets the touches, which are still there
        part_touches(world, thread, spare->thread, &cut, touches);
    }
    *part = (cg_thread_id){other.index, other.generation};
    return cg_ok();
}

// --- all of them ---

int cg_world_thread_room(const cg_world *world, int place)
{
    bool is_taken = place >= 0 && place < world->threads.capacity && world->threads.places[place].is_taken;
    cg_handle handle = {is_taken ? (unsigned)place + 1 : 0, is_taken ? world->threads.places[place].generation : 0};
    const cg_thread_slot *slot = cg_pool_get(&world->threads, handle);
    return slot != NULL ? slot->thread->most_vertices : 0;
}

int cg_world_count_threads(const cg_world *world)
{
    int count = 0;
    for (const cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        count++;
    }
    return count;
}

static void visit_slot(cg_archive *archive, cg_thread_slot *slot)
{
    bool is_there = true;
    if (slot->is_part) {
        is_there = cg_archive_choice(archive, !slot->is_spare, 0, 1) == 1;
    }
    if (is_there && !slot->is_led) { // what a structure leads is its own state
        cg_thread_visit_state(archive, slot->thread);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        slot->is_spare = !is_there;
    }
}

void cg_world_visit_threads(cg_archive *archive, cg_world *world)
{
    cg_archive_count(archive, (size_t)world->threads.count, "threads of the world");
    bool has_parts = false;
    for (cg_thread_slot *s = cg_pool_first(&world->threads); s != NULL; s = cg_pool_next(&world->threads, s)) {
        visit_slot(archive, s);
        has_parts = has_parts || s->is_part;
    }
    if (archive->mode == CG_ARCHIVE_LOAD && has_parts && world->touch_memory != NULL) {
        cg_world_list_touch_threads(world); // parts may have come or gone
    }
}

void cg_world_destroy_threads(cg_world *world)
{
    for (cg_thread_slot *s = cg_pool_first(&world->threads); s != NULL; s = cg_pool_next(&world->threads, s)) {
        cg_thread_destroy(s->thread);
    }
}
