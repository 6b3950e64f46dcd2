// Places of targets: even on the side of the ball that is to be seen, and new under every seed.
#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec3.h"
#include "task/task.h"

// splitmix64
double cg_task_draw(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

// A direction with the same chance everywhere within the spread.
static cg_vec3 draw_direction(const cg_goal_targets *goal, uint64_t *state)
{
    cg_vec3 axis = v3_unit_or(goal->facing, v3(0, 0, 1)), across = v3_any_normal(axis);
    double height = 1 - cg_task_draw(state) * (1 - cg_cos(goal->spread)), turn = 2 * CG_PI * cg_task_draw(state), sine,
           cosine;
    double out = sqrt(height < 1 ? 1 - height * height : 0);
    cg_sincos(turn, &sine, &cosine);
    cg_vec3 direction = v3_scale(height, axis);
    direction = v3_add_scaled(direction, out * cosine, across);
    return v3_add_scaled(direction, out * sine, v3_cross(axis, across));
}

static bool is_apart(const cg_vec3 *targets, int count, cg_vec3 place, double distance)
{
    for (int i = 0; i < count; i++) {
        if (v3_distance(targets[i], place) < distance) {
            return false;
        }
    }
    return true;
}

void cg_targets_place(const cg_goal_targets *goal, uint64_t seed, cg_vec3 *targets)
{
    enum { TRIES = 200 }; // then two may be near each other: the file asks for more than there is room for
    uint64_t state = seed;
    for (int i = 0; i < goal->count; i++) {
        cg_vec3 place = goal->centre;
        for (int tries = 0; tries < TRIES; tries++) {
            place = v3_add_scaled(goal->centre, goal->radius, draw_direction(goal, &state));
            if (is_apart(targets, i, place, 4 * goal->size)) {
                break;
            }
        }
        targets[i] = place;
    }
}

int cg_task_targets(const cg_task *task, uint64_t seed, cg_vec3 targets[CG_TASK_MOST_TARGETS])
{
    cg_goal goal = cg_task_goal(task, seed);
    if (goal.kind != CG_GOAL_TARGETS) {
        return 0;
    }
    cg_targets_place(&goal.targets, seed, targets);
    return goal.targets.count;
}

static cg_task_marks marks_of(const cg_goal *goal, uint64_t seed)
{
    cg_task_marks marks = {0};
    switch (goal->kind) {
    case CG_GOAL_TARGETS:
        cg_targets_place(&goal->targets, seed, marks.targets);
        marks.target_count = goal->targets.count;
        marks.target_size = goal->targets.size;
        break;
    case CG_GOAL_LINE:
        marks.line_count = goal->line.count;
        memcpy(marks.line, goal->line.points, (size_t)goal->line.count * sizeof marks.line[0]);
        marks.line_tolerance = goal->line.tolerance;
        break;
    case CG_GOAL_ITEMS:
        marks.has_dish = true;
        marks.dish = goal->items.position;
        marks.dish_radius = goal->items.radius;
        marks.dish_height = goal->items.height;
        break;
    case CG_GOAL_KNOT:
        marks.knot = goal->knot.name;
        break;
    case CG_GOAL_STITCH:
        marks.target_count = goal->stitch.mark_count;
        memcpy(marks.targets, goal->stitch.marks, (size_t)goal->stitch.mark_count * sizeof marks.targets[0]);
        marks.target_size = goal->stitch.size;
        marks.knot = goal->stitch.knot.name;
        break;
    case CG_GOAL_NONE:
        break;
    }
    return marks;
}

cg_task_marks cg_task_get_marks(const cg_task *task, uint64_t seed)
{
    cg_goal goal = cg_task_goal(task, seed);
    return marks_of(&goal, seed);
}

cg_task_marks cg_recorded_marks(const cg_task *task, const cg_recorded_attempt *attempt)
{
    cg_goal goal = cg_recorded_goal(task, attempt);
    return marks_of(&goal, attempt->seed);
}
