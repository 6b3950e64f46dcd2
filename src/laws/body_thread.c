// Threads in the problem of contacts: a site lies between two vertices, and forces move it by the factored matrix.
#include <assert.h>
#include <string.h>

#include "laws/body.h"
#include "laws/fibre.h"
#include "laws/tie.h"
#include "thread/slide.h"

static bool is_there(const cg_touch_set *set, int body, int feature)
{
    return body < set->cast.thread_count && feature + 1 < set->cast.threads[body]->vertex_count;
}

static cg_vec3 between(const cg_vec3 *values, int segment, double fraction)
{
    return v3_add_scaled(v3_scale(1.0 - fraction, values[segment]), fraction, values[segment + 1]);
}

static cg_vec3 motion(const cg_touch_set *set, const cg_site *site)
{
    return between(set->cast.threads[site->body]->move, site->feature, site->fraction);
}

static cg_vec3 moved(const cg_touch_set *set, const cg_site *site)
{
    const cg_thread *thread = set->cast.threads[site->body];
    cg_vec3 then = between(thread->start, site->feature, site->fraction);
    return v3_sub(between(thread->shape.position, site->feature, site->fraction), then);
}

static void clear(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        if (is_solved(set, c)) {
            memset(set->cast.threads[c]->contact, 0, sizeof(cg_vec3) * (size_t)set->cast.threads[c]->vertex_count);
        }
    }
}

// A thread with a model is of no island that is solved, and feels those of all: it is told when they are.
static void push(cg_touch_set *set, const cg_site *site, cg_vec3 force)
{
    assert(site->body >= 0 && site->body < set->cast.thread_count);
    if (set->problem.solved >= 0 && set->cast.threads[site->body]->model != NULL) {
        return;
    }
    cg_vec3 *contact = set->cast.threads[site->body]->contact + site->feature;
    contact[0] = v3_add_scaled(contact[0], 1.0 - site->fraction, force);
    contact[1] = v3_add_scaled(contact[1], site->fraction, force);
}

static void respond(cg_touch_set *set)
{
    for (int c = 0; c < set->cast.thread_count; c++) {
        cg_thread *thread = set->cast.threads[c];
        if (!is_solved(set, c)) {
            continue;
        }
        if (thread->done) {
            memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
            cg_slide_stand(thread);
        } else {
            cg_thread_solve(thread);
        }
        cg_touch_push_ties(set, c);
        cg_touch_push_fibres(set, c);
    }
}

// The points of one thread in the problem, highest vertex first. Nearly sorted as they come, so insertion will do.
static int gather_points(const cg_touch_set *set, int chain)
{
    int count = 0;
    const cg_thread *thread = set->cast.threads[chain];
    for (int w = set->problem.working_count - 1; w >= 0; w--) {
        const cg_touch *touch = &set->rows.touches[set->problem.working[w]];
        for (int side = 0; side < 2; side++) {
            if (touch_thread(touch, side) != chain) {
                continue;
            }
            int vertex = touch_segment(touch, side), at = count++;
            double sign = side == 0 ? 1.0 : -1.0, fraction = touch->fraction[side];
            cg_coupling_point point = {vertex, w, thread->held[vertex] ? 0.0 : sign * (1.0 - fraction),
                                       thread->held[vertex + 1] ? 0.0 : sign * fraction};
            for (; at > 0 && set->problem.points[at - 1].vertex < vertex; at--) {
                set->problem.points[at] = set->problem.points[at - 1];
            }
            set->problem.points[at] = point;
        }
    }
    return count;
}

// Threads come first: what is left of the problem before is written over.
static void couple(cg_touch_set *set)
{
    assert(set->problem.working_count <= set->room.touches);
    bool has_begun = false;
    for (int c = 0; c < set->cast.thread_count && set->cast.threads[c]->model == NULL;
         c++) { // models have no compliance
        int points = gather_points(set, c);
        cg_coupling_put(&set->problem.coupling_work, &set->cast.threads[c]->factor, set->problem.points, points,
                        set->problem.axes, set->problem.working_count, set->problem.coupling, has_begun);
        has_begun = has_begun || points > 0;
        if (cg_slide_count(set->cast.threads[c]) > 0 && points > 0) {
            cg_touch_couple_slips(set, c);
        }
    }
    size_t columns = 3 * (size_t)set->problem.working_count;
    if (!has_begun) {
        memset(set->problem.coupling, 0, sizeof(double) * columns * columns);
    }
}

const cg_body_verbs cg_thread_verbs = {.is_there = is_there,
                                       .motion = motion,
                                       .moved = moved,
                                       .clear = clear,
                                       .push = push,
                                       .respond = respond,
                                       .couple = couple};
