// A step of a tissue: the verbs that the world calls, whatever the model and the way to move.
#include <string.h>

#include "base/vec3.h"
#include "tissue/tissue.h"

static bool same(cg_vec3 a, cg_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void cg_tissue_add_pusher(cg_tissue *tissue, cg_tissue_pusher *pusher)
{
    cg_tissue_pusher **end = &tissue->pushers;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = pusher;
    pusher->next = NULL;
    pusher->list = (cg_row_list){0};
    cg_tissue_wake(tissue);
}

static cg_tissue *last_of_island(cg_tissue *tissue)
{
    while (tissue->next_joined != NULL) {
        tissue = tissue->next_joined;
    }
    return tissue;
}

static cg_tissue *first_of_island(cg_tissue *tissue)
{
    return tissue->island != NULL ? tissue->island : tissue;
}

void cg_tissue_join(cg_tissue *first, cg_tissue *second)
{
    cg_tissue *a = first_of_island(first), *b = first_of_island(second);
    cg_tissue_wake(first);
    cg_tissue_wake(second);
    if (a == b) {
        return;
    }
    last_of_island(a)->next_joined = b;
    for (cg_tissue *t = b; t != NULL; t = t->next_joined) {
        t->island = a;
    }
}

void cg_tissue_begin_step(cg_tissue *tissue, double time_step, cg_vec3 gravity)
{
    cg_tissue_adapt(tissue);
    tissue->time_step = time_step;
    tissue->gravity = gravity;
    tissue->is_refused = false;
    tissue->is_resting = false;
    tissue->was_added = tissue->is_answered = false;
    bool is_same = time_step == tissue->slept_step && same(gravity, tissue->slept_gravity);
    tissue->pushers = NULL;
    tissue->springs.pushed = NULL;
    tissue->springs.next = NULL;
    tissue->next_joined = tissue->island = NULL;
    if (tissue->grips != NULL || tissue->is_pushed || tissue->has_held || !is_same) {
        tissue->asleep = false;
    }
}

void cg_tissue_predict(cg_tissue *tissue)
{
    // The first of an island predicts for all of it.
    if (!tissue->asleep && tissue->solver == CG_TISSUE_IMPLICIT && tissue->island == NULL) {
        cg_tissue_predict_implicit(tissue);
    }
}

void cg_tissue_forget_forces(cg_tissue *tissue)
{
    tissue->was_added = tissue->is_answered = false;
}

// The first force of others in a step clears those of the last one.
void cg_tissue_add_node_force(cg_tissue *tissue, int node, cg_vec3 force)
{
    if (!tissue->was_added) {
        memset(tissue->added, 0, (size_t)tissue->mesh->node_count * sizeof *tissue->added);
        tissue->was_added = true;
    }
    tissue->is_answered = false;
    tissue->added[node] = v3_add(tissue->added[node], force);
}

void cg_tissue_add_force(cg_tissue *tissue, const cg_mesh_point *point, cg_vec3 force)
{
    const int *nodes = tissue->mesh->triangles[point->triangle].nodes;
    for (int k = 0; k < 3; k++) {
        cg_tissue_add_node_force(tissue, nodes[k], v3_scale(point->weights[k], force));
    }
}

static bool is_kept_awake(const cg_tissue *tissue)
{
    for (const cg_tissue_pusher *p = tissue->pushers; p != NULL; p = p->next) {
        if (p->keeps_awake && p->list.count > 0) {
            return true;
        }
    }
    return false;
}

static void make_motion(cg_tissue *tissue)
{
    switch (tissue->solver) {
    case CG_TISSUE_QUASI_STATIC:
        tissue->fastest = -1;
        cg_tissue_step_quasi_static(tissue);
        break;
    case CG_TISSUE_RUNGE_KUTTA:
        tissue->fastest = -1;
        cg_tissue_step_runge_kutta(tissue);
        break;
    case CG_TISSUE_NEUMANN:
        tissue->fastest = -1;
        cg_tissue_step_neumann(tissue);
        break;
    case CG_TISSUE_IMPLICIT:
    default:
        cg_tissue_finish_implicit(tissue);
        break;
    }
}

static void clear_pushes(cg_tissue *tissue)
{
    if (tissue->is_pushed) {
        memset(tissue->push, 0, (size_t)tissue->mesh->node_count * sizeof *tissue->push);
        tissue->is_pushed = false;
    }
}

// Forces of others are reckoned with from now on, and expected again in the next step.
static void keep_added(cg_tissue *tissue)
{
    size_t bytes = (size_t)tissue->mesh->node_count * sizeof *tissue->held;
    if (tissue->was_added) {
        memcpy(tissue->held, tissue->added, bytes);
    } else if (tissue->has_held) {
        memset(tissue->held, 0, bytes);
    }
    tissue->has_held = tissue->was_added;
}

// A force wakes a tissue that sleeps.
static void wake_for_forces(cg_tissue *tissue)
{
    if (tissue->asleep && tissue->was_added) {
        tissue->asleep = false;
        cg_tissue_predict(tissue);
    }
}

void cg_tissue_answer(cg_tissue *tissue)
{
    cg_tissue *island = first_of_island(tissue);
    for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
        wake_for_forces(t);
    }
    if (!tissue->asleep) {
        cg_tissue_answer_implicit(island);
        for (cg_tissue *t = island; t != NULL; t = t->next_joined) {
            keep_added(t);
            t->is_answered = true;
        }
    }
}

double cg_tissue_foreseen_share(cg_tissue *tissue)
{
    bool is_solved = tissue->solver == CG_TISSUE_IMPLICIT && !tissue->asleep;
    return is_solved ? cg_tissue_apart_share(first_of_island(tissue)) : 1;
}

void cg_tissue_finish_step(cg_tissue *tissue)
{
    wake_for_forces(tissue);
    if (tissue->asleep) {
        return;
    }
    tissue->stats.iterations = 0;
    tissue->stats.residual = 0;
    tissue->stats.share = 1;
    tissue->stats.limited_links = 0;
    make_motion(tissue);
    bool limits_itself = tissue->solver == CG_TISSUE_NEUMANN;
    if (tissue->most_stretch > 0 && !limits_itself && !tissue->is_resting && !tissue->is_refused) {
        tissue->stats.limited_links = cg_tissue_limit_stretch(tissue);
    }
    tissue->stats.recovered_steps += tissue->is_refused;
    if (tissue->is_resting && tissue->grips == NULL && !is_kept_awake(tissue) && !tissue->is_pushed &&
        !tissue->was_added) {
        tissue->asleep = true;
        tissue->slept_step = tissue->time_step;
        tissue->slept_gravity = tissue->gravity;
    }
    clear_pushes(tissue);
    keep_added(tissue);
    cg_tissue_validate(tissue);
}

void cg_tissue_take_share(cg_tissue *tissue, const cg_vec3 *start, double share)
{
    cg_mesh *mesh = tissue->mesh;
    tissue->fastest = -1;
    for (int i = 0; i < mesh->node_count; i++) {
        cg_vec3 move = v3_sub(mesh->position[i], start[i]);
        mesh->position[i] = v3_add_scaled(start[i], share, move);
        tissue->velocity[i] = v3_scale(share, tissue->velocity[i]);
    }
    cg_tissue_wake(tissue);
}

void cg_tissue_step(cg_tissue *tissue, double time_step, cg_vec3 gravity)
{
    cg_tissue_begin_step(tissue, time_step, gravity);
    cg_tissue_predict(tissue);
    cg_tissue_finish_step(tissue);
}

void cg_tissue_wake(cg_tissue *tissue)
{
    tissue->asleep = false;
}

void cg_tissue_push_node(cg_tissue *tissue, int node, cg_vec3 force)
{
    tissue->push[node] = v3_add(tissue->push[node], force);
    tissue->is_pushed = true;
}

void cg_tissue_push_point(cg_tissue *tissue, const cg_mesh_point *point, cg_vec3 force)
{
    const int *nodes = tissue->mesh->triangles[point->triangle].nodes;
    for (int k = 0; k < 3; k++) {
        cg_tissue_push_node(tissue, nodes[k], v3_scale(point->weights[k], force));
    }
}

void cg_tissue_fix_node(cg_tissue *tissue, int node, bool fixed)
{
    tissue->mesh->fixed[node] = fixed;
    tissue->target[node] = tissue->mesh->position[node];
    tissue->velocity[node] = fixed ? v3_zero() : tissue->velocity[node];
    tissue->fastest = -1;
    cg_tissue_wake(tissue);
}

void cg_tissue_aim_node(cg_tissue *tissue, int node, cg_vec3 place)
{
    if (tissue->mesh->fixed[node]) {
        tissue->target[node] = place;
        cg_tissue_wake(tissue);
    }
}

void cg_tissue_pierce_node(cg_tissue *tissue, int node, bool pierced)
{
    tissue->pierced[node] = pierced;
    cg_tissue_wake(tissue);
}
