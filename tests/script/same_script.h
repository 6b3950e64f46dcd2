// Compares scripts as they were read, field by field and bit for bit; where their lines stand may differ.
#ifndef CATGUT_TESTS_SAME_SCRIPT_H
#define CATGUT_TESTS_SAME_SCRIPT_H

#include <string.h>

#include "script/script.h"

static inline bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool same_vector(cg_vec3 a, cg_vec3 b)
{
    return same_number(a.x, b.x) && same_number(a.y, b.y) && same_number(a.z, b.z);
}

static inline bool same_place(const cg_place *a, const cg_place *b)
{
    return a->base == b->base && a->index == b->index && same_number(a->amount, b->amount) &&
           a->towards_start == b->towards_start && same_vector(a->offset, b->offset) && a->has_own == b->has_own &&
           a->own_hand == b->own_hand && same_vector(a->own_offset, b->own_offset);
}

static inline bool same_action(const cg_action *a, const cg_action *b)
{
    return a->kind == b->kind && a->hand == b->hand && same_place(&a->place, &b->place) &&
           same_vector(a->shift, b->shift) && a->other == b->other && a->has_radius == b->has_radius &&
           a->has_ahead == b->has_ahead && same_number(a->radius, b->radius) && same_number(a->ahead, b->ahead) &&
           same_vector(a->axis, b->axis) && same_number(a->angle, b->angle) &&
           same_vector(a->turn_axis, b->turn_axis) && same_number(a->turn, b->turn) && same_number(a->time, b->time) &&
           a->tool == b->tool && same_number(a->opening, b->opening) && same_number(a->force, b->force);
}

static inline bool same_condition(const cg_condition *a, const cg_condition *b)
{
    return a->kind == b->kind && a->below == b->below && a->negated == b->negated && same_number(a->limit, b->limit) &&
           a->hand == b->hand && a->tissue == b->tissue && same_vector(a->along, b->along) && a->thread == b->thread &&
           a->other == b->other && a->shape == b->shape && same_place(&a->places[0], &b->places[0]) &&
           same_place(&a->places[1], &b->places[1]) && a->held == b->held && strcmp(a->knot, b->knot) == 0;
}

static inline bool same_line(const cg_line *a, const cg_line *b)
{
    return a->kind == b->kind && a->first_action == b->first_action && a->action_count == b->action_count &&
           same_condition(&a->condition, &b->condition) && same_number(a->time, b->time) && a->go_on == b->go_on &&
           a->number == b->number && a->edit == b->edit && a->tissue == b->tissue &&
           same_place(&a->places[0], &b->places[0]) && same_place(&a->places[1], &b->places[1]) &&
           same_vector(a->down, b->down) && a->partner == b->partner && a->again == b->again &&
           strcmp(a->reason, b->reason) == 0;
}

static inline bool same_step(const cg_script_step *a, const cg_script_step *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->text, b->text) == 0;
}

// The place in its list of the first line that differs, of its own or by an action or a step; -1: there is none.
static inline int first_difference(const cg_script *a, const cg_script *b)
{
    for (int i = 0; i < a->line_count && i < b->line_count; i++) {
        const cg_line *line = &a->lines[i], *other = &b->lines[i];
        bool same = same_line(line, other);
        for (int k = 0; same && k < line->action_count; k++) {
            same = same_action(&a->actions[line->first_action + k], &b->actions[other->first_action + k]);
        }
        if (same && line->kind == CG_LINE_STEP) {
            same = same_step(&a->steps[line->number - 1], &b->steps[other->number - 1]);
        }
        if (!same) {
            return i;
        }
    }
    bool as_long =
        a->line_count == b->line_count && a->action_count == b->action_count && a->step_count == b->step_count;
    return as_long ? -1 : a->line_count < b->line_count ? a->line_count : b->line_count;
}

#endif
