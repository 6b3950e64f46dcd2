// Fibres between threads and tissue. See fibre.h.
#include "laws/fibre.h"

#include <assert.h>

#include "base/mat3.h"
#include "base/vec3.h"

// [radii] As for touches (island/skins.c).
static const double MOST_STRAY = 0.1;

static cg_thread *thread_of(const cg_touch_set *set, const cg_fibre *fibre)
{
    return set->cast.threads[fibre->chain];
}

static const int *corners_of(const cg_touch_set *set, const cg_fibre *fibre)
{
    return set->cast.skins[fibre->skin]->tissue->mesh->triangles[fibre->triangle].nodes;
}

static cg_vec3 weighted(const cg_touch_set *set, const cg_fibre *fibre, const cg_vec3 *of_nodes)
{
    const int *nodes = corners_of(set, fibre);
    cg_vec3 sum = v3_zero();
    for (int k = 0; k < 3; k++) {
        sum = v3_add_scaled(sum, fibre->weights[k], of_nodes[nodes[k]]);
    }
    return sum;
}

cg_fibre_pull cg_fibre_pull_at(const cg_fibre *fibre, cg_vec3 apart)
{
    double length = v3_length(apart), opening = length - fibre->rest;
    if (!(opening > 0)) {
        return (cg_fibre_pull){.axis = v3_zero()};
    }
    double force = fibre->left * opening;
    return (cg_fibre_pull){v3_scale(1 / length, apart), force, force / length};
}

// [m] The largest opening, if both sides keep their velocities in this step.
static double foreseen(const cg_touch_set *set, const cg_fibre *fibre, double time_step)
{
    const cg_tissue *tissue = set->cast.skins[fibre->skin]->tissue;
    const cg_thread *thread = thread_of(set, fibre);
    cg_vec3 apart = v3_sub(thread->shape.position[fibre->vertex], weighted(set, fibre, tissue->mesh->position));
    cg_vec3 speed = v3_sub(thread->velocity[fibre->vertex], weighted(set, fibre, tissue->velocity));
    double opening = v3_length(v3_add_scaled(apart, time_step, speed)) - fibre->rest;
    return opening > fibre->worst ? opening : fibre->worst;
}

void cg_touch_begin_fibres(cg_touch_set *set, const cg_step_context *context)
{
    assert(context->time_step > 0);
    for (int i = 0; i < set->cast.fibre_count; i++) {
        cg_fibre *fibre = &set->cast.fibres[i];
        cg_thread *thread = thread_of(set, fibre);
        fibre->left = cohesion_left(fibre->law, foreseen(set, fibre, context->time_step));
        fibre->grip = (cg_thread_grip){.first = fibre->vertex, .count = 1, .next = thread->grips};
        thread->grips = &fibre->grip;
    }
}

bool cg_touch_has_fibres(const cg_touch_set *set, int thread)
{
    for (int i = 0; i < set->cast.fibre_count; i++) {
        if (set->cast.fibres[i].chain == thread) {
            return true;
        }
    }
    return false;
}

void cg_touch_note_fibres(cg_touch_set *set)
{
    for (int i = 0; i < set->cast.fibre_count; i++) {
        cg_skin *skin = set->cast.skins[set->cast.fibres[i].skin];
        assert(skin->tie_count < CG_SKIN_MOST_TIES + CG_SKIN_MOST_FIBRES);
        skin->tied[skin->tie_count++] = set->cast.fibres[i].triangle;
    }
}

// [m/N] how the place gives way: the mean over directions of sum w^2 C.
static double give_of(const cg_touch_set *set, const cg_fibre *fibre)
{
    const int *nodes = corners_of(set, fibre);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const cg_mat3 *c = cg_skin_give(set->cast.skins[fibre->skin], nodes[k]);
        sum += fibre->weights[k] * fibre->weights[k] * (c->m[0][0] + c->m[1][1] + c->m[2][2]) / 3;
    }
    return sum;
}

// Where the place is foreseen, with the forces of the last pass.
static cg_vec3 place_now(const cg_touch_set *set, const cg_fibre *fibre)
{
    cg_skin *skin = set->cast.skins[fibre->skin];
    const cg_tissue *tissue = skin->tissue;
    const int *nodes = corners_of(set, fibre);
    cg_vec3 place = v3_zero();
    for (int k = 0; k < 3; k++) {
        int n = nodes[k];
        cg_vec3 to = v3_add(skin->start[n], skin->foreseen[n]);
        cg_vec3 more = tissue->has_held ? v3_sub(skin->force[n], tissue->held[n]) : skin->force[n];
        to = v3_add(to, m3_apply(*cg_skin_give(skin, n), more));
        place = v3_add_scaled(place, fibre->weights[k], to);
    }
    return place;
}

// How far the vertex is ahead of coasting (thread/grips.c).
static cg_vec3 ahead_of(const cg_thread *thread, int vertex, double time_step)
{
    cg_vec3 moved = v3_sub(thread->shape.position[vertex], thread->start[vertex]);
    return v3_add_scaled(moved, -time_step, thread->velocity[vertex]);
}

// The place goes by give (f - f now) from where it is: with the fibre's own slopes, along it and across, that is a
// softer spring with another force.
static void aim(cg_touch_set *set, cg_fibre *fibre, double time_step)
{
    const cg_thread *thread = thread_of(set, fibre);
    cg_vec3 apart = v3_sub(thread->shape.position[fibre->vertex], place_now(set, fibre));
    cg_fibre_pull pull = cg_fibre_pull_at(fibre, apart);
    double along = pull.force > 0 ? fibre->left : 0, across = pull.across, give = give_of(set, fibre);
    double softer_along = 1 / (1 + give * along), softer_across = 1 / (1 + give * across);
    double before = v3_dot(fibre->force, pull.axis);
    cg_vec3 sideways = v3_add_scaled(fibre->force, -before, pull.axis);
    cg_vec3 force = v3_scale(give * across * softer_across, sideways);
    force = v3_add_scaled(force, (give * along * before - pull.force) * softer_along, pull.axis);
    fibre->grip.axis = pull.axis;
    fibre->grip.slope = across * softer_across;
    fibre->grip.along = along * softer_along - fibre->grip.slope;
    cg_vec3 ahead = ahead_of(thread, fibre->vertex, time_step);
    force = v3_add_scaled(force, fibre->grip.slope, ahead);
    fibre->grip.force = v3_add_scaled(force, fibre->grip.along * v3_dot(pull.axis, ahead), pull.axis);
    fibre->coasts = v3_sub(thread->shape.position[fibre->vertex], ahead);
}

void cg_touch_aim_fibres(cg_touch_set *set, const cg_step_context *context)
{
    for (int i = 0; i < set->cast.fibre_count; i++) {
        if (!thread_of(set, &set->cast.fibres[i])->done) {
            aim(set, &set->cast.fibres[i], context->time_step);
        }
    }
}

// At the end of the motion of this pass.
static void find_force(const cg_touch_set *set, cg_fibre *fibre)
{
    const cg_thread *thread = thread_of(set, fibre);
    const cg_thread_grip *grip = &fibre->grip;
    cg_vec3 to = v3_add(thread->shape.position[fibre->vertex], thread->move[fibre->vertex]);
    cg_vec3 ahead = v3_sub(to, fibre->coasts);
    fibre->force = v3_add_scaled(grip->force, -grip->slope, ahead);
    fibre->force = v3_add_scaled(fibre->force, -grip->along * v3_dot(grip->axis, ahead), grip->axis);
}

void cg_touch_push_fibres(cg_touch_set *set, int thread)
{
    assert(thread >= 0 && thread < set->cast.thread_count);
    for (int i = 0; i < set->cast.fibre_count; i++) {
        cg_fibre *fibre = &set->cast.fibres[i];
        if (fibre->chain == thread) {
            find_force(set, fibre);
            if (skins_are_asked(set)) {
                cg_skin_push(set->cast.skins[fibre->skin], fibre->triangle, fibre->weights, v3_neg(fibre->force));
            }
        }
    }
}

bool cg_touch_fibres_as_foreseen(cg_touch_set *set, int skin, double *work, double *load)
{
    assert(skin >= 0 && skin < set->cast.skin_count);
    bool is_near = true;
    for (int i = 0; i < set->cast.fibre_count; i++) {
        const cg_fibre *fibre = &set->cast.fibres[i];
        if (fibre->skin != skin) {
            continue;
        }
        cg_thread *thread = thread_of(set, fibre);
        cg_vec3 away = cg_skin_point_strayed(set->cast.skins[skin], fibre->triangle, fibre->weights);
        *work += v3_dot(fibre->force, away);
        *load += v3_length(fibre->force);
        if (v3_length(away) > MOST_STRAY * thread->radius) {
            thread->settles = is_near = false;
        }
    }
    return is_near;
}

bool cg_fibre_note(const cg_touch_set *set, cg_fibre *fibre)
{
    const cg_mesh *mesh = set->cast.skins[fibre->skin]->tissue->mesh;
    cg_vec3 apart = v3_sub(thread_of(set, fibre)->shape.position[fibre->vertex], weighted(set, fibre, mesh->position));
    double opening = v3_length(apart) - fibre->rest;
    fibre->worst = opening > fibre->worst ? opening : fibre->worst;
    return cohesion_holds(fibre->law, fibre->worst) && v3_is_finite(fibre->force);
}
