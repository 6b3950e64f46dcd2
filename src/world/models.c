// Threads of springs and links in a step (thread/model.h). They move first, in parts that are shorter than they are
// thick, while all else stands where it is; contacts move them apart (laws/beads.h), and of every part only the
// share is made that is safe by true distance (collide/safe_motion.h), so that nothing is passed at any speed. Then
// they stand, and others touch them like fixed shapes; what those push with acts on them in the next step.
//
// Shapes are met where they will be at the end of the step: so a thread gets out of the way of a tool that is driven,
// and the tool has not to stop for it. What the thread passes on its way is looked at where shapes are now.
//
// A share of the motion of a chain would not have exact links: a part of it is made whole, or in halves, or not at all.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/transform.h"
#include "base/vec3.h"
#include "find/skin_rows.h"
#include "world/world.h"

// [radii] A part of a step is to move no vertex farther. Longer ones are stopped more often.
static const double PART = 0.5;
enum { MOST_PARTS = 20 };
// [radii] Pairs are listed that are nearer: both may go a part, and be moved apart.
static const double REACH = 1.5;
// Rounds of contacts in a part, of a chain with its links between them, of springs after their sub-steps.
enum { CHAIN_ROUNDS = 16, SPRING_ROUNDS = 8 };
// Times that a part of a chain is halved before it is given up.
enum { MOST_HALVES = 4 };
// [radii] A chain is not led on where contacts would be left that overlap by more.
static const double MOST_OVERLAP = 0.02;
// The same where all else has failed: nothing is passed, and that is all that is asked of it.
static const double ANY_OVERLAP = HUGE_VAL;
// Pairs that the walk stops in a part, whose ends then stand still so that all others can go on.
enum { MOST_HELD_BACK = 16 };
// So many of them alone; then vertices beside them too, one more each time so many were not enough.
enum { HELD_ALONE = 2 };
// Segments of a thread less than so many apart that meet are a kink.
enum { KINK = 12 };
// Of a turn that is allowed: its neighbours turn with it.
static const double LESS = 0.9;
enum { PAIRS_OF_CONTACT = 16 };

static void lay_out(cg_beads *beads, const cg_world *world, cg_arena *arena)
{
    int segments = 0;
    // Of spare ones too: they may come in the middle of a step.
    for (const cg_thread_slot *s = cg_pool_first(&world->threads); s != NULL; s = cg_pool_next(&world->threads, s)) {
        segments += s->thread->most_vertices;
    }
    cg_beads_layout(beads, world->threads.count, segments, PAIRS_OF_CONTACT * world->def.max_contacts + segments,
                    arena);
}

static bool has_models(const cg_world *world)
{
    bool any = false;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        any = any || s->thread->model != NULL;
    }
    return any;
}

cg_status cg_world_fit_models(cg_world *world)
{
    cg_memory_give(&world->def.allocator, world->bead_memory);
    world->bead_memory = NULL;
    if (world->def.max_contacts == 0 || !has_models(world)) {
        return cg_ok();
    }
    cg_beads beads = {0};
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&beads, world, &arena);
    size_t bytes = cg_arena_used(&arena);
    world->bead_memory = cg_memory_take(&world->def.allocator, bytes);
    if (world->bead_memory == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the contacts of threads of springs and links");
    }
    cg_arena_init(&arena, world->bead_memory, bytes);
    lay_out(&beads, world, &arena);
    world->beads = beads;
    cg_world_list_bead_threads(world);
    return cg_ok();
}

void cg_world_list_bead_threads(cg_world *world)
{
    const cg_touch_set *set = &world->touches;
    cg_beads *beads = &world->beads;
    if (world->bead_memory != NULL &&
        set->cast.thread_count <= beads->most_threads) { // else they are laid out anew next
        beads->thread_count = set->cast.thread_count;
        beads->pair_count = beads->touch_count = 0;
        beads->reach = -1;
        memcpy(beads->threads, set->cast.threads, sizeof(cg_thread *) * (size_t)set->cast.thread_count);
    }
}

// --- what is in the way ---

static void note_before(cg_thread *thread)
{
    memcpy(thread->model->before, thread->shape.position, sizeof(cg_vec3) * (size_t)thread->vertex_count);
}

// The share of the motions since note_before, of one thread or of all with springs, that is safe while all else stands.
static cg_safe_motion look_at_way(cg_world *world, const cg_thread *only)
{
    cg_touch_set *set = &world->touches;
    if (world->bead_memory == NULL) {
        return (cg_safe_motion){.fraction = 1};
    }
    cg_touch_look_at_bodies(set);
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        bool moves = only != NULL ? thread == only : cg_thread_has_springs(thread);
        for (int i = 0; i < thread->vertex_count; i++) {
            thread->move[i] = moves ? v3_sub(thread->shape.position[i], thread->model->before[i]) : v3_zero();
        }
        set->cast.chains[c].points = moves ? thread->model->before : thread->shape.position;
    }
    for (int k = 0; k < set->cast.part_count; k++) {
        set->cast.moving[k].after = set->cast.moving[k].before;
        set->cast.moving[k].by_turn = false;
    }
    set->search.motion.limit = 1;
    cg_safe_motion safe =
        cg_safe_motion_find(&set->search.motion, &set->search.motion_rule, set->cast.chains, set->cast.moves,
                            set->cast.thread_count, set->cast.moving, set->cast.part_count);
    if (set->cast.skin_count > 0) {
        double share = cg_touch_skin_share(set, safe.fraction);
        safe.limit = share < safe.fraction ? CG_LIMIT_BAD : safe.limit; // no pair of segments
        safe.fraction = share;
    }
    return safe;
}

// --- rigid parts ---

// Where the parts will be at the end of the step, as far as they are driven.
static void place_parts(cg_touch_set *set)
{
    cg_touch_look_at_bodies(set);
    for (int k = 0; k < set->cast.part_count; k++) {
        const cg_rigid *body = set->cast.rigids[set->cast.parts[k].body];
        const cg_moving_shape *moving = &set->cast.moving[k];
        if (!body->is_free) {
            set->cast.placed[k].pose = moving->is_part ? transform_compose(body->target, moving->part) : body->target;
        }
    }
}

// [m/s] How a point of a part moves in this step.
static cg_vec3 part_velocity(const cg_touch_set *set, int part, cg_vec3 point, const cg_step_context *context)
{
    const cg_rigid *body = set->cast.rigids[set->cast.parts[part].body];
    if (body->is_free) {
        return v3_zero();
    }
    cg_vec3 before = transform_point(body->now, transform_point_back(body->target, point));
    return v3_scale(context->inverse_step, v3_sub(point, before));
}

// Moves a thread out of the parts that it overlaps with. Returns how many contacts did.
static int part_walls(cg_world *world, cg_thread *thread, const cg_step_context *context, double time)
{
    cg_touch_set *set = &world->touches;
    cg_contact_rule rule = contact_rule_default();
    int count = 0, chain = number_of_thread(set, thread);
    if (set->cast.part_count == 0) {
        return 0;
    }
    set->cast.chains[chain].points = thread->shape.position;
    cg_shape_contacts_find(&set->search.finder, &rule, &set->cast.chains[chain], 1, set->cast.placed,
                           set->cast.part_count, 0, &set->search.found_shapes);
    for (int k = 0; k < set->search.found_shapes.count; k++) {
        cg_shape_contact *contact = &set->search.found_shapes.items[k];
        contact->chain = chain;
        double friction = set->cast.rigids[set->cast.parts[contact->shape].body]->friction * thread->friction;
        cg_bead_wall wall = {contact, part_velocity(set, contact->shape, contact->surface, context), sqrt(friction)};
        count += cg_beads_part_wall(&world->beads, thread, &wall, time);
    }
    return count;
}

// --- chains ---

static double deepest(const cg_beads *beads)
{
    double most = 0;
    for (int k = 0; k < beads->touch_count; k++) {
        most = fmax(most, beads->touches[k].overlap);
    }
    return most;
}

// Contacts move nodes apart and the links are made exact again, in turns. Returns the deepest overlap [m] of the last
// round.
static double separate_chain(cg_world *world, cg_thread *thread, const cg_step_context *context, double time)
{
    for (int k = 0; world->bead_memory != NULL && k < CHAIN_ROUNDS; k++) {
        int moved = cg_beads_part(&world->beads, thread, time);
        moved += part_walls(world, thread, context, time);
        if (moved == 0) {
            return 0;
        }
        cg_chain_mend(thread);
    }
    return world->bead_memory != NULL ? deepest(&world->beads) : 0;
}

static void go_back(cg_thread *thread)
{
    memcpy(thread->shape.position, thread->model->before, sizeof(cg_vec3) * (size_t)thread->vertex_count);
}

// The chain goes on by this share of what is left of its way, if the way is free and contacts are left that overlap by
// no more than `most_overlap` [radii].
static bool try_chain(cg_world *world, cg_thread *thread, const cg_step_context *context, double share, double time,
                      double most_overlap)
{
    if (thread->model->link_options.dynamic) {
        cg_chain_fly(thread, context, time);
    }
    cg_chain_follow(thread, share);
    double overlap = separate_chain(world, thread, context, time);
    if ((share == 0 || overlap < most_overlap * thread->radius) && look_at_way(world, thread).fraction == 1) {
        return true;
    }
    go_back(thread);
    return false;
}

// The same while contacts stay as they are: in a tight knot moving nodes apart and mending links in turns need not come
// to an end, and a chain that waits for it never moves again, though what leads it may have come back long since.
static bool slip_chain(cg_world *world, cg_thread *thread, double share)
{
    cg_chain_follow(thread, share);
    if (look_at_way(world, thread).fraction == 1) {
        return true;
    }
    go_back(thread);
    return false;
}

// Where contacts leave no way for what leads the chain it is taut, as between two hands without slack: its leaders stay
// where they are and feel what they lack. It has been stopped when contacts cannot even be resolved then. Before that
// it goes on with contacts as far apart as they come, if nothing is passed: a reef that was refused every such way
// stood for 1,320 steps. Such a step counts as one that was stopped, since its contacts are not resolved.
static void move_chain(cg_world *world, cg_thread *thread, const cg_step_context *context, double share, double time)
{
    cg_model *model = thread->model;
    double part = 1;
    if (model->is_taut) {
        return;
    }
    note_before(thread);
    bool has_moved = try_chain(world, thread, context, share, time, MOST_OVERLAP);
    for (int k = 1; k <= MOST_HALVES && !has_moved; k++) {
        model->stops++;
        part = k < MOST_HALVES ? 0.5 * part : 0;
        has_moved = try_chain(world, thread, context, part * share, part * time, MOST_OVERLAP);
    }
    for (int k = 0; k < MOST_HALVES && !has_moved; k++) {
        part = k == 0 ? 1 : 0.25 * part;
        has_moved = slip_chain(world, thread, part * share);
    }
    model->is_stopped = model->is_stopped || !has_moved;
    for (int k = 0; k < MOST_HALVES && !has_moved; k++) {
        part = k == 0 ? 1 : 0.25 * part;
        has_moved = try_chain(world, thread, context, part * share, part * time, ANY_OVERLAP);
    }
    part = has_moved ? part : 0;
    model->is_taut = part == 0;
    if (model->link_options.dynamic) {
        cg_chain_land(thread, part * time);
    }
    model->share += time * context->inverse_step;
}

// --- springs ---

static bool is_finite(const cg_thread *thread)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_vec3 x = thread->shape.position[i], v = thread->model->velocity[i];
        if (!v3_is_finite(v) || !(v3_dot(x, x) < CG_THREAD_FARTHEST * CG_THREAD_FARTHEST)) {
            return false;
        }
    }
    return true;
}

// A thread whose numbers are not finite stands still for this step.
static void refuse(cg_thread *thread)
{
    memcpy(thread->shape.position, thread->start, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    memcpy(thread->model->before, thread->start, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    memset(thread->model->velocity, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    thread->refused = true;
}

// After contacts, and after vertices that stand (thread/spring_lengths.c).
static void keep_lengths(cg_world *world)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (cg_thread_has_springs(s->thread)) {
            cg_springs_keep_lengths(s->thread);
        }
    }
}

static void make_sub_steps(cg_world *world, const cg_step_context *context, int count, double time)
{
    for (int k = 0; k < count; k++) {
        for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
            if (cg_thread_has_springs(s->thread) && !s->thread->refused) {
                cg_springs_advance(s->thread, context, time);
            }
        }
        if (world->bead_memory != NULL) {
            cg_beads_part(&world->beads, NULL, time);
        }
    }
    keep_lengths(world);
    for (int k = 0; k < SPRING_ROUNDS && world->bead_memory != NULL && cg_beads_part(&world->beads, NULL, 0) > 0; k++) {
        keep_lengths(world);
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (world->bead_memory != NULL && cg_thread_has_springs(s->thread)) {
            part_walls(world, s->thread, context, time * count);
        }
    }
}

// Goes that share of the part, and its momentum with it.
static void shorten(cg_thread *thread, double share)
{
    cg_model *model = thread->model;
    for (int i = 0; i < thread->vertex_count && share < 1; i++) {
        cg_vec3 way = v3_sub(thread->shape.position[i], model->before[i]);
        thread->shape.position[i] = v3_add_scaled(model->before[i], share, way);
        model->velocity[i] = v3_scale(share, model->velocity[i]);
    }
    model->stops += share < 1;
    model->is_stopped = model->is_stopped || share < 1;
    thread->share = fmin(thread->share, share);
}

// Vertices of a thread with springs go this share of their way only, and others follow them.
static void hold_vertices(cg_thread *thread, int first, int last, double share)
{
    first = first > 0 ? first : 0;
    last = last < thread->vertex_count ? last : thread->vertex_count - 1;
    if (cg_thread_has_springs(thread)) {
        cg_springs_stand(thread, first, last, share);
    }
}

// Holds the two segments of a pair, and `more` vertices beside them; a kink, where they are near along a thread, whole.
static void hold_pair(cg_world *world, const cg_segment_pair *pair, int more)
{
    cg_thread *a = world->touches.cast.threads[pair->chain_a], *b = world->touches.cast.threads[pair->chain_b];
    if (a == b && pair->segment_b - pair->segment_a < KINK) {
        hold_vertices(a, pair->segment_a - more, pair->segment_b + 1 + more, 0);
        return;
    }
    hold_vertices(a, pair->segment_a - more, pair->segment_a + 1 + more, 0);
    hold_vertices(b, pair->segment_b - more, pair->segment_b + 1 + more, 0);
}

// The share of the part that is safe. Segments that stop it stand, or turn no farther than they may, so that all others
// can go on: contacts that the displacement of pairs one by one could not resolve.
static double hold_back(cg_world *world)
{
    cg_safe_motion safe = look_at_way(world, NULL);
    for (int k = 0; k < MOST_HELD_BACK && safe.fraction < 1 && safe.limit != CG_LIMIT_BAD; k++) {
        cg_thread *thread = world->touches.cast.threads[safe.pair.chain_a];
        int more = k / HELD_ALONE, at = safe.pair.segment_a;
        if (safe.limit == CG_LIMIT_PAIR) {
            hold_pair(world, &safe.pair, more);
        } else {
            // A share of a turn, however wide: a segment that contacts drew out comes back by many such turns, and
            // would stay as long as it is if it stood.
            double share = safe.limit == CG_LIMIT_TURN ? LESS * safe.fraction : 0;
            hold_vertices(thread, at - more, at + 1 + more, share);
        }
        world->stats.model_stops++;
        keep_lengths(world);
        safe = look_at_way(world, NULL);
    }
    return safe.fraction;
}

static void move_springs(cg_world *world, const cg_step_context *context, int sub_steps, double time)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (cg_thread_has_springs(s->thread)) {
            note_before(s->thread);
            memset(s->thread->model->stands, 0, sizeof(bool) * (size_t)s->thread->vertex_count);
        }
    }
    make_sub_steps(world, context, sub_steps, time / sub_steps);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (cg_thread_has_springs(s->thread) && !is_finite(s->thread)) {
            refuse(s->thread);
        }
    }
    double share = hold_back(world);
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (cg_thread_has_springs(s->thread)) {
            shorten(s->thread, share);
            s->thread->model->is_stopped = s->thread->model->is_stopped || cg_springs_stand_slack(s->thread);
        }
    }
}

// --- the stage ---

// Sub-steps of a whole step, of threads with springs; 0 without any.
static int count_sub_steps(const cg_world *world, const cg_step_context *context)
{
    int most = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (cg_thread_has_springs(s->thread)) {
            int count = cg_model_sub_steps(s->thread, context->time_step);
            most = count > most ? count : most;
        }
    }
    return most;
}

// The share of what is left of the step that the next part is, as fast as all are now.
static double choose_part(const cg_world *world, const cg_step_context *context, double left)
{
    double parts = 1;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (s->thread->model != NULL) {
            parts = fmax(parts, ceil(cg_model_reach(s->thread, context, left) / (PART * s->thread->radius)));
        }
    }
    return world->bead_memory != NULL && parts > 1 ? 1 / parts : 1;
}

static void begin(cg_world *world, const cg_step_context *context)
{
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        memset(s->thread->move, 0, sizeof(cg_vec3) * (size_t)s->thread->vertex_count);
        if (cg_thread_is_chain(s->thread)) {
            cg_chain_begin(s->thread, context);
        }
    }
    if (world->bead_memory != NULL) {
        cg_touch_list_chains(&world->touches);
        place_parts(&world->touches);
    }
}

static bool finish(cg_world *world)
{
    bool is_stopped = false;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        cg_thread *thread = s->thread;
        memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
        if (thread->model != NULL) {
            memset(thread->contact, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
            cg_shape_measure(thread, &thread->shape, &thread->shape);
            world->stats.model_stops += (uint64_t)thread->model->stops;
            is_stopped = is_stopped || thread->model->is_stopped;
        }
    }
    return !is_stopped;
}

static void move_part(cg_world *world, const cg_step_context *context, double share, double time, int sub_steps)
{
    if (world->bead_memory != NULL) {
        cg_beads_look(&world->beads, REACH);
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        if (cg_thread_is_chain(s->thread)) {
            move_chain(world, s->thread, context, share, time);
        }
    }
    if (sub_steps > 0) {
        move_springs(world, context, sub_steps, time);
    }
}

bool cg_world_move_models(cg_world *world, const cg_step_context *context, double *since)
{
    if (!has_models(world)) {
        return true;
    }
    begin(world, context);
    int sub_steps = count_sub_steps(world, context);
    double left = context->time_step, least = left / MOST_PARTS;
    while (left > 0) {
        double share = choose_part(world, context, left), time = fmax(share * left, least);
        bool is_last = time > left - 0.5 * least;
        time = is_last ? left : time;
        int count = (int)ceil(sub_steps * time * context->inverse_step);
        move_part(world, context, time / left, time, count);
        left = is_last ? 0 : left - time;
    }
    bool finished = finish(world);
    cg_world_stage_done(world, CG_STAGE_MOVE, since);
    return finished;
}
