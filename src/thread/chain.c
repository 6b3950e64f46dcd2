// A chain of links in a world: what leads it, and how it follows (links.h).
#include <math.h>

#include "base/vec3.h"
#include "thread/model.h"

static void lead(cg_model *model, int node, cg_vec3 goal)
{
    model->led[model->led_count].node = node;
    model->goal[model->led_count++] = goal;
}

static const cg_thread_grip *grip_at(const cg_thread *thread, int node)
{
    const cg_thread_grip *grip = thread->grips;
    while (grip != NULL && !(node >= grip->first && node < grip->first + grip->count)) {
        grip = grip->next;
    }
    return grip;
}

// Where a hand would take a vertex if nothing held it back: its springs are all that pulls (thread/grips.c).
static cg_vec3 alone(const cg_thread *thread, const cg_thread_grip *grip, double h, int i)
{
    cg_vec3 coasted = v3_add_scaled(thread->start[i], h, thread->velocity[i]);
    return v3_add_scaled(coasted, grip->slope > 0 ? 1 / grip->slope : 0, grip->force);
}

// The vector of a segment in a hand, as that would turn it.
static cg_vec3 turned(const cg_thread *thread, const cg_thread_grip *grip, double h, int k)
{
    int i = grip->first + k;
    cg_vec3 now = v3_sub(thread->start[i + 1], thread->start[i]);
    cg_vec3 rate = v3_sub(thread->velocity[i + 1], thread->velocity[i]);
    cg_vec3 wanted = v3_add_scaled(now, h, rate);
    if (grip->bond_slope > 0) {
        wanted = v3_add_scaled(wanted, 1 / grip->bond_slope, grip->bond_forces[k]);
    }
    return v3_scale(thread->model->links.length, v3_unit_or(wanted, v3_unit_or(now, v3(1, 0, 0))));
}

// The stretch in a hand goes as one piece: its middle where the hand would be, its links as the hand turns them.
static void lead_stretch(cg_thread *thread, const cg_thread_grip *grip, double h)
{
    cg_model *model = thread->model;
    cg_vec3 middle = v3_zero(), sum = v3_zero(), along = v3_zero();
    for (int k = 0; k < grip->count; k++) {
        middle = v3_add_scaled(middle, 1.0 / grip->count, alone(thread, grip, h, grip->first + k));
        sum = v3_add_scaled(sum, 1.0 / grip->count, along);
        along = k + 1 < grip->count ? v3_add(along, turned(thread, grip, h, k)) : along;
    }
    cg_vec3 at = v3_sub(middle, sum);
    for (int k = 0; k < grip->count; k++) {
        lead(model, grip->first + k, at);
        at = k + 1 < grip->count ? v3_add(at, turned(thread, grip, h, k)) : at;
    }
}

void cg_chain_begin(cg_thread *thread, const cg_step_context *context)
{
    cg_model *model = thread->model;
    model->led_count = 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        const cg_thread_grip *grip = grip_at(thread, i);
        if (grip != NULL && i == grip->first) {
            lead_stretch(thread, grip, context->time_step);
        } else if (grip == NULL && thread->held[i]) {
            lead(model, i, thread->target[i]);
        }
    }
}

void cg_chain_mend(cg_thread *thread)
{
    cg_links_mend(&thread->model->links, thread->model->led, thread->model->led_count);
}

void cg_chain_follow(cg_thread *thread, double share)
{
    cg_model *model = thread->model;
    for (int k = 0; k < model->led_count; k++) {
        cg_vec3 *x = &thread->shape.position[model->led[k].node];
        *x = v3_add_scaled(*x, share, v3_sub(model->goal[k], *x));
    }
    cg_chain_mend(thread);
}

void cg_chain_fly(cg_thread *thread, const cg_step_context *context, double time)
{
    cg_model *model = thread->model;
    double drag = 1 / (1 + thread->drag * time);
    for (int i = 0; i < thread->vertex_count; i++) {
        model->velocity[i] = v3_scale(drag, v3_add_scaled(model->velocity[i], time, context->gravity));
        bool is_led = thread->held[i] || grip_at(thread, i) != NULL;
        cg_vec3 *x = &thread->shape.position[i];
        *x = is_led ? *x : v3_add_scaled(*x, time, model->velocity[i]);
        model->force[i] = *x; // where it flew
    }
}

// Nodes follow away from the first leader: each carries back what put the next one right.
void cg_chain_land(cg_thread *thread, double time)
{
    cg_model *model = thread->model;
    int leader = model->led_count > 0 ? model->led[0].node : thread->vertex_count / 2;
    double rate = time > 0 ? 1 / time : 0;
    for (int i = 0; i < thread->vertex_count; i++) {
        int next = i < leader ? i - 1 : i + 1;
        cg_vec3 way = v3_sub(thread->shape.position[i], model->before[i]), back = v3_zero();
        if (i != leader && next >= 0 && next < thread->vertex_count) {
            back = v3_sub(thread->shape.position[next], model->force[next]);
        }
        model->velocity[i] = v3_scale(rate, v3_add_scaled(way, -model->link_options.carry, back));
    }
}
