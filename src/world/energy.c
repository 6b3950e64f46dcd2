// No energy appears in a step that nothing drives.
//
// A converged implicit step loses energy, with exceptions: a thread that snaps out of a crushed or buckled shape within
// one step can gain some, because energies curve downwards there; threads that overlapped are pushed apart; and a step
// that looks back (thread/inertia.c) may win back a little of what was lost before. Then the shape stays as it was
// found and the velocities are lowered, of all threads that touch each other alike. It is counted.
#include <math.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "world/world.h"

// What the threads of an island have together.
typedef struct ledger {
    bool driven;     // nothing else is known then
    double start;    // [J] all energy when the step began
    double kinetic;  // [J] now, as a whole, and its three parts where they are asked for
    double swinging; // [J] kinetic, now, without flight and spin as a whole
    double spinning; // [J] kinetic, of the spin
    double flying;   // [J] kinetic, of the flight
    double resting;  // [J] all other, now
} ledger;

static void add_thread(ledger *sum, const cg_thread *thread, const cg_step_context *context)
{
    sum->driven = sum->driven || !thread->isolated || thread->refused;
    if (sum->driven) {
        return;
    }
    cg_thread_energy now = cg_thread_energy_of(thread, &thread->shape, context->gravity);
    sum->start += thread->start_energy;
    sum->kinetic += now.kinetic;
    sum->resting += now.stretch + now.bend + now.twist + now.gravity;
}

static void add_parts(ledger *sum, const cg_thread *thread, const cg_step_context *context)
{
    cg_thread_energy now = cg_thread_energy_of(thread, &thread->shape, context->gravity);
    cg_flight_energy flight = cg_thread_flight_energy(thread);
    sum->spinning += flight.spinning;
    sum->swinging += now.kinetic - flight.flying - flight.spinning;
    sum->flying += flight.flying;
}

// Parts sum up to the whole, up to rounding: where all of it is allowed, they need not be asked for.
static bool may_be_too_much(const ledger *sum)
{
    double rounding = 1e-9 * (sum->kinetic + fabs(sum->start) + fabs(sum->resting));
    double allowed = sum->start - sum->resting;
    bool is_enough = sum->kinetic < allowed - rounding || (sum->kinetic == 0 && allowed >= 0);
    return !sum->driven && !is_enough;
}

// A step that looks back wins a little where the motion was not quite smooth; then it may look back again.
static const double SMOOTH = 0.99;

static void slow_down(cg_thread *thread, cg_thread_pace pace)
{
    thread->remembers = pace.swing > SMOOTH ? thread->remembers : 0.0;
    cg_thread_slow_down(thread, pace);
}

// The flight as a whole, whose momentum nothing can change, gives way last, and not for rounding.
static const double WORTH_IT = 1e-7;

// What changes the shape is slowed down first: it is what a step gets wrong. All 1 when nothing has to be.
static cg_thread_pace allowed_pace(const ledger *sum)
{
    double allowed = sum->start - sum->resting, moving = allowed - sum->flying, swinging = moving - sum->spinning;
    if (sum->driven || !(sum->swinging > swinging)) {
        return (cg_thread_pace){1, 1, 1};
    }
    if (swinging >= 0) {
        return (cg_thread_pace){sqrt(swinging / sum->swinging), 1, 1};
    }
    if (moving >= 0) {
        return (cg_thread_pace){0, sqrt(moving / sum->spinning), 1};
    }
    bool matters = -moving > WORTH_IT * sum->flying;
    return (cg_thread_pace){0, 0, !matters ? 1.0 : (allowed > 0 ? sqrt(allowed / sum->flying) : 0.0)};
}

// What a hand leads may press without moving.
static bool shape_moves(const cg_rigid *shape)
{
    cg_quat a = shape->start.rotation, b = shape->now.rotation;
    return shape->drive != NULL || v3_distance(shape->start.position, shape->now.position) > 0 || a.w != b.w ||
           a.x != b.x || a.y != b.y || a.z != b.z;
}

// A thread that something pushes which moves by itself is driven.
static void mark_driven(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int thread = touch_thread(touch, 0), rigid = touch_body(touch, 1, CG_BODY_RIGID);
        bool is_moved = rigid >= 0 ? shape_moves(set->cast.rigids[rigid]) : touch_body(touch, 1, CG_BODY_TISSUE) >= 0;
        if (touch->working && thread >= 0 && is_moved) {
            set->cast.threads[thread]->isolated = false;
        }
    }
}

static ledger island_ledger(const cg_touch_set *set, const cg_step_context *context, int head)
{
    ledger sum = {0};
    for (int c = head; c < set->cast.thread_count; c++) {
        if (set->islands.head[c] == head && !sum.driven) {
            add_thread(&sum, set->cast.threads[c], context);
        }
    }
    return sum;
}

bool cg_world_wins_energy(cg_world *world, const cg_step_context *context, int head)
{
    cg_touch_set *set = &world->touches;
    if (head >= set->cast.thread_count) {
        return false;
    }
    mark_driven(set);
    ledger sum = island_ledger(set, context, head);
    return !sum.driven && sum.resting > sum.start;
}

static void limit_island(cg_world *world, const cg_step_context *context, int head)
{
    cg_touch_set *set = &world->touches;
    ledger sum = island_ledger(set, context, head);
    if (!may_be_too_much(&sum)) {
        return;
    }
    for (int c = head; c < set->cast.thread_count; c++) {
        if (set->islands.head[c] == head) {
            add_parts(&sum, set->cast.threads[c], context);
        }
    }
    cg_thread_pace pace = allowed_pace(&sum);
    for (int c = head; pace.swing < 1 && c < set->cast.thread_count; c++) {
        if (set->islands.head[c] == head) {
            slow_down(set->cast.threads[c], pace);
        }
    }
    world->stats.energy_limited_steps += pace.swing < 1;
}

void cg_world_limit_energy(cg_world *world, const cg_step_context *context)
{
    if (world->touch_memory != NULL) {
        mark_driven(&world->touches);
        for (int c = 0; c < world->touches.cast.thread_count; c++) {
            if (world->touches.islands.head[c] == c) {
                limit_island(world, context, c);
            }
        }
        return;
    }
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        ledger sum = {0};
        if (s->thread->isolated) {
            add_thread(&sum, s->thread, context);
            if (!may_be_too_much(&sum)) {
                continue;
            }
            add_parts(&sum, s->thread, context);
            cg_thread_pace pace = allowed_pace(&sum);
            if (pace.swing < 1) {
                slow_down(s->thread, pace);
                world->stats.energy_limited_steps++;
            }
        }
    }
}
