// Touches of threads that slide, found where the threads slide to.
//
// In a pass from x the force of a touch acts on material points that are fixed for that pass. Those that lie at the
// touch now will have slid out of it at the end of the step, and a force that pushes them instead of those that lie
// there then turns whole threads about the difference, which another pass has to put right. So the touches are found at
// y = x + h v, and what the equations at x need is worked out from there: the gap along the normal n at y is
//
//     gap(y) - n . (y - x)   at the two points of the touch,
//
// so that motions by y - x lead to gap(y).
#include <assert.h>
#include <math.h>

#include "base/vec3.h"
#include "island/island.h"

// Where the velocities lead, in the trial shapes. Threads that go to second order are there already; those that are not
// marked stay where they are.
static void look_ahead(cg_touch_set *set, double time)
{
    cg_touch_look_at_bodies(set);
    for (int c = 0; c < set->cast.thread_count; c++) {
        const cg_thread *thread = set->cast.threads[c];
        if (!set->islands.progress[c].is_ahead) {
            continue;
        }
        cg_vec3 *ahead = thread->trial.position;
        bool stands = thread->model != NULL;
        double way = thread->second_order || stands ? 0 : time;
        for (int i = 0; i < thread->vertex_count; i++) {
            cg_vec3 there = v3_add_scaled(thread->shape.position[i], way, thread->velocity[i]);
            ahead[i] = thread->held[i] && !stands ? thread->target[i] : there;
        }
        set->cast.chains[c].points = ahead;
    }
}

// What of a way there lies along the normal, for the point of a side.
static double way_ahead(const cg_touch_set *set, const cg_touch *touch, int side)
{
    int chain = touch_thread(touch, side), segment = touch_segment(touch, side);
    if (chain < 0 || !set->islands.progress[chain].is_ahead) {
        return 0;
    }
    const cg_vec3 *ahead = set->cast.threads[chain]->trial.position + segment;
    const cg_vec3 *here = set->cast.threads[chain]->shape.position + segment;
    cg_vec3 near = v3_sub(ahead[0], here[0]), far = v3_sub(ahead[1], here[1]);
    cg_vec3 way = v3_add_scaled(v3_scale(1 - touch->fraction[side], near), touch->fraction[side], far);
    return v3_dot(touch->axes[0], way);
}

void cg_touch_find_ahead(cg_touch_set *set, double time)
{
    assert(!(time < 0));
    set->search.ahead = true;
    look_ahead(set, time);
    cg_touch_search(set);
    for (int i = 0; i < set->rows.count; i++) {
        cg_touch *touch = &set->rows.touches[i];
        touch->gap -= way_ahead(set, touch, 0) - way_ahead(set, touch, 1);
    }
}

// Velocity of the middle of a touch's segment: places on segments are not part of the state.
static cg_vec3 velocity_at(const cg_touch_set *set, const cg_touch *touch, int side)
{
    int chain = touch_thread(touch, side), segment = touch_segment(touch, side);
    if (chain < 0) {
        return v3_zero();
    }
    const cg_vec3 *velocity = set->cast.threads[chain]->velocity;
    return v3_scale(0.5, v3_add(velocity[segment], velocity[segment + 1]));
}

// The radius of its thinner thread: what is noted in a touch is not part of the state either.
static double radius_of(const cg_touch_set *set, const cg_touch *touch)
{
    double least = HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        int chain = touch_thread(touch, side);
        least = chain >= 0 && set->cast.threads[chain]->radius < least ? set->cast.threads[chain]->radius : least;
    }
    return least;
}

double cg_touch_slide(const cg_touch_set *set, double time, int head)
{
    assert(head >= 0 && set->islands.head[head] == head);
    double fastest = 0;
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        if (touch->working && !touch_is_joint(touch) && touch_island(set, touch) == head &&
            v3_dot(touch->force, touch->axes[0]) > 0) {
            cg_vec3 apart = v3_sub(velocity_at(set, touch, 0), velocity_at(set, touch, 1));
            apart = v3_add_scaled(apart, -v3_dot(apart, touch->axes[0]), touch->axes[0]);
            double speed = v3_length(apart) / radius_of(set, touch);
            fastest = speed > fastest ? speed : fastest;
        }
    }
    return time * fastest;
}
