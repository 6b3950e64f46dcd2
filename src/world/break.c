// Threads that break (thread/strength.h). It comes last in a step, so that pull and bending are those that the step
// leaves; a break is a cut (parts.c), and goes on like one.
#include <math.h>

#include "thread/part.h"
#include "thread/slide.h"
#include "thread/strength.h"
#include "world/world.h"

// The vertex that uses most of its strength, of those at which the thread can be parted; 0 when nothing breaks.
static int find_break(const cg_thread *thread, cg_section_load *worst)
{
    int found = 0;
    double safe = cg_thread_safe_pull(thread);
    *worst = (cg_section_load){.use = 1};
    for (int i = 1; i < thread->vertex_count - 1; i++) {
        const double *length = thread->shape.length + i, *rest = thread->rest_length + i;
        double stretch = fmax(length[-1] / rest[-1], length[0] / rest[0]) - 1;
        if (!(thread->stretch_stiffness * stretch >= safe)) {
            continue; // nearly always
        }
        cg_section_load load = cg_thread_section_load(thread, i);
        cg_thread_cut cut;
        bool is_worst = load.use > worst->use;
        if (is_worst && cg_thread_plan_cut(thread, thread->arc[i], &cut) && cg_slide_may_cut(thread, &cut)) {
            *worst = load;
            found = i;
        }
    }
    return found;
}

static void break_thread(cg_world *world, const cg_thread_slot *slot)
{
    cg_section_load load;
    int vertex = find_break(slot->thread, &load);
    if (vertex == 0 || world->break_count == CG_WORLD_MOST_BREAKS) {
        return;
    }
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    cg_thread_break broken = {.thread = {handle.index, handle.generation},
                              .arc = slot->thread->arc[vertex],
                              .tension = load.tension,
                              .moment = load.moment};
    // It holds on when no part is left for it.
    if (cg_world_cut_thread(world, broken.thread, broken.arc, &broken.part).code == CG_OK) {
        world->breaks[world->break_count++] = broken;
    }
}

// What has just broken off is still stretched, and gets a step to spring back.
static bool has_just_broken_off(const cg_world *world, const cg_thread_slot *slot)
{
    cg_handle handle = cg_pool_handle_of(&world->threads, slot);
    for (int k = 0; k < world->break_count; k++) {
        if (world->breaks[k].part.index == handle.index) {
            return true;
        }
    }
    return false;
}

void cg_world_break_threads(cg_world *world)
{
    world->break_count = 0;
    for (cg_thread_slot *s = cg_world_first_thread(world); s != NULL; s = cg_world_next_thread(world, s)) {
        bool may_break = s->thread->breaking_force > 0 && s->thread->model == NULL && !s->is_led;
        if (may_break && !has_just_broken_off(world, s)) {
            break_thread(world, s);
        }
    }
}

int cg_world_breaks(const cg_world *world, const cg_thread_break **breaks)
{
    *breaks = world->breaks;
    return world->break_count;
}
