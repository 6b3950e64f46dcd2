// Work memory, groups, and the default solver.
#include "solve/friction.h"

#include <math.h>
#include <string.h>

#include "solve/friction_run.h"

cg_friction_options cg_friction_options_default(void)
{
    return (cg_friction_options){.tolerance = 0.001,
                                 .max_iterations = 2000,
                                 .min_iterations = 10,
                                 .max_newton_steps = 60,
                                 .max_pivots = 4000,
                                 .patience = 3};
}

void cg_friction_layout(cg_friction_work *work, int max_count, cg_arena *arena)
{
    int size = 3 * max_count;
    work->max_count = max_count;
    work->newton_limit = max_count < CG_FRICTION_NEWTON_LIMIT ? max_count : CG_FRICTION_NEWTON_LIMIT;
    double **vectors[] = {&work->force,        &work->motion,     &work->direction,   &work->direction_motion,
                          &work->old_force,    &work->old_motion, &work->trial_force, &work->trial_motion,
                          &work->step_force,   &work->good_force, &work->good_motion, &work->best_force,
                          &work->group_motion, &work->group_force};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = cg_arena_push_array(arena, double, size);
    }
    work->contacts = cg_arena_push_array(arena, cg_friction_contact, max_count);
    work->parent = cg_arena_push_array(arena, int, max_count);
    work->group = cg_arena_push_array(arena, int, max_count);
    work->member = cg_arena_push_array(arena, int, max_count);
    work->group_friction = cg_arena_push_array(arena, double, max_count);
    work->group_coupling = cg_arena_push(arena, (size_t)size * (size_t)size, sizeof(double));
    cg_friction_linear_layout(work, arena);
}

static int find_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static bool has_block(const cg_friction_problem *problem, int i, int j)
{
    size_t size = 3 * (size_t)problem->count;
    const double *block = problem->coupling + 3 * (size_t)i * size + 3 * (size_t)j;
    for (int a = 0; a < 3; a++, block += size) {
        if (block[0] != 0 || block[1] != 0 || block[2] != 0) {
            return true;
        }
    }
    return false;
}

static bool is_coupled(const cg_friction_problem *problem, int i, int j)
{
    return has_block(problem, i, j) || (problem->is_uneven && has_block(problem, j, i));
}

int cg_friction_groups(const cg_friction_problem *problem, int *group, cg_friction_work *work)
{
    int *parent = work->parent;
    for (int i = 0; i < problem->count; i++) {
        parent[i] = i;
    }
    for (int i = 0, roots = 1; i < problem->count; i++, roots++) {
        for (int j = 0; j < i && roots > 1; j++) { // until all so far are one group
            int a = find_root(parent, i), b = find_root(parent, j);
            if (a != b && is_coupled(problem, i, j)) {
                parent[a < b ? b : a] = a < b ? a : b; // the first contact of a group is its root
                roots--;
            }
        }
    }
    int count = 0;
    for (int i = 0; i < problem->count; i++) {
        int root = find_root(parent, i);
        group[i] = root == i ? count++ : group[root];
    }
    return count;
}

// Copies what concerns the members of a group.
static cg_friction_problem gather(const cg_friction_problem *problem, cg_friction_work *work, int count)
{
    size_t size = 3 * (size_t)problem->count, own = 3 * (size_t)count;
    for (int i = 0; i < count; i++) {
        int c = work->member[i];
        memcpy(work->group_motion + 3 * i, problem->motion + 3 * c, 3 * sizeof(double));
        memcpy(work->group_force + 3 * i, problem->force + 3 * c, 3 * sizeof(double));
        work->group_friction[i] = problem->friction[c];
        for (int a = 0; a < 3; a++) {
            const double *from = problem->coupling + (3 * (size_t)c + (size_t)a) * size;
            double *to = work->group_coupling + (3 * (size_t)i + (size_t)a) * own;
            for (int j = 0; j < count; j++) {
                memcpy(to + 3 * j, from + 3 * work->member[j], 3 * sizeof(double));
            }
        }
    }
    return (cg_friction_problem){.count = count,
                                 .coupling = work->group_coupling,
                                 .motion = work->group_motion,
                                 .friction = work->group_friction,
                                 .length_scale = problem->length_scale,
                                 .force = work->group_force,
                                 .is_uneven = problem->is_uneven};
}

cg_friction_result cg_friction_solve_groups(const cg_friction_problem *problem, const int *group, int group_count,
                                            const cg_friction_options *options, cg_friction_work *work)
{
    if (group_count <= 1) {
        return cg_friction_newton(problem, options, work);
    }
    cg_friction_result all = {.converged = true};
    for (int g = 0; g < group_count; g++) {
        int count = 0;
        for (int c = 0; c < problem->count; c++) {
            if (group[c] == g) {
                work->member[count++] = c;
            }
        }
        cg_friction_problem part = gather(problem, work, count);
        cg_friction_options own = *options;
        if (options->max_work > 0) { // what is left; at least something, so that each group is taken in
            own.max_work = options->max_work > all.work ? options->max_work - all.work : 1;
        }
        cg_friction_result result = cg_friction_newton(&part, &own, work);
        for (int i = 0; i < count; i++) {
            memcpy(problem->force + 3 * work->member[i], part.force + 3 * i, 3 * sizeof(double));
        }
        all.iterations += result.iterations;
        all.newton_steps += result.newton_steps;
        all.pivots += result.pivots;
        all.rescues += result.rescues;
        all.work += result.work;
        all.residual = fmax(all.residual, result.residual);
        all.converged = all.converged && result.converged;
    }
    return all;
}

cg_friction_result cg_friction_solve(const cg_friction_problem *problem, const cg_friction_options *options,
                                     cg_friction_work *work)
{
    int count = cg_friction_groups(problem, work->group, work);
    return cg_friction_solve_groups(problem, work->group, count, options, work);
}
