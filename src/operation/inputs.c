// Timed inputs turned into operations.
//
// A step of length h that starts at time t takes the inputs whose time is nearest to t, that is at most t + h/2. An
// input that lasts from a to b acts in the steps that start from a up to b, b not included, both rounded to the nearest
// step. A ramp gives what is to be reached at the end of the step: the share (t + h - a) / (b - a) of the way, and the
// whole of it in its last step.
#include "operation/inputs.h"

#include <assert.h>
#include <string.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "operation/fields.h"
#include "world/world.h"

// Where a step stands in time.
typedef struct step_span {
    double start, length; // [s]
} step_span;

static bool is_given(const cg_input *input, const char *name)
{
    const cg_operation_form *form = cg_operation_form_of(input->operation.kind);
    for (int i = 0; i < form->field_count; i++) {
        if (strcmp(form->fields[i].name, name) == 0) {
            return (input->given >> i & 1) != 0;
        }
    }
    return false;
}

// How an end is now. A free end is where its vertex is, and points as the thread does.
static void present_end(const cg_world *world, cg_operation_set_end *set)
{
    cg_thread_id thread = cg_operation_thread(world, set->thread);
    int count;
    const cg_vec3 *points = cg_thread_positions(world, thread, &count);
    if (points == NULL) {
        return;
    }
    int vertex = set->end == CG_START ? 0 : count - 1, segment = set->end == CG_START ? 0 : count - 2;
    cg_end_hold hold = cg_thread_get_end(world, thread, set->end);
    bool clamped = hold.kind == CG_END_CLAMPED;
    set->kind = hold.kind;
    set->position = hold.kind == CG_END_FREE ? points[vertex] : hold.position;
    set->direction = clamped ? hold.direction : v3_unit_or(v3_sub(points[segment + 1], points[segment]), v3_zero());
    set->turn = clamped ? hold.turn : 0;
}

// Where a shape is, or is on its way to.
static void present_pose(const cg_world *world, cg_operation_move_shape *move)
{
    cg_shape_id id = cg_operation_shape(world, move->shape);
    const cg_rigid *shape = cg_pool_get(&world->shapes, (cg_handle){id.index, id.generation});
    cg_transform pose = shape != NULL ? shape->told : transform_identity();
    move->position = pose.position;
    move->rotation = pose.rotation;
}

// What the operation would be if it changed nothing; `operation` names thread and vertex or end, or the shape.
static void fill_present(const cg_world *world, cg_operation *operation)
{
    if (operation->kind == CG_OPERATION_move_shape) {
        present_pose(world, &operation->as.move_shape);
        return;
    }
    if (operation->kind == CG_OPERATION_set_end) {
        present_end(world, &operation->as.set_end);
    } else if (operation->kind == CG_OPERATION_hold) {
        cg_operation_hold *hold = &operation->as.hold;
        int count;
        const cg_vec3 *points = cg_thread_positions(world, cg_operation_thread(world, hold->thread), &count);
        if (points != NULL && hold->vertex >= 0 && hold->vertex < count) {
            hold->target = points[hold->vertex];
        }
    }
}

// A hand and the camera stay where they are, or are on their way to, in what is not given.
static cg_operation hand_move(const cg_input *input, const cg_world *world)
{
    cg_operation operation = input->operation;
    cg_operation_move_hand *move = &operation.as.move_hand;
    cg_hand_id id = cg_operation_hand(world, move->hand);
    const cg_hand *hand = cg_pool_get(&world->hands, (cg_handle){id.index, id.generation});
    cg_transform goal = hand != NULL ? hand->goal : transform_identity();
    move->position = is_given(input, "position") ? move->position : goal.position;
    move->rotation = is_given(input, "rotation") ? move->rotation : goal.rotation;
    return operation;
}

static cg_operation camera_move(const cg_input *input, const cg_world *world)
{
    cg_operation operation = input->operation;
    cg_operation_move_camera *move = &operation.as.move_camera;
    cg_camera now = cg_world_get_camera(world);
    move->position = is_given(input, "position") ? move->position : now.position;
    move->target = is_given(input, "target") ? move->target : now.target;
    move->up = is_given(input, "up") ? move->up : now.up;
    return operation;
}

static cg_vec3 between(cg_vec3 a, cg_vec3 b, double share)
{
    return v3_add(v3_scale(1 - share, a), v3_scale(share, b));
}

// A share of the turn from a to b, about one axis and the shorter way round.
static cg_quat turn_between(cg_quat a, cg_quat b, double share)
{
    cg_quat turn = quat_multiply(b, quat_conjugate(a));
    double sign = turn.w < 0 ? -1 : 1;
    cg_vec3 way = v3_scale(sign, v3(turn.x, turn.y, turn.z));
    double half = cg_atan2(v3_length(way), sign * turn.w);
    cg_vec3 axis = v3_unit_or(way, v3(0, 0, 1));
    return quat_normalise(quat_multiply(quat_from_axis_angle(axis, 2 * half * share), a));
}

static cg_operation shape_part_way(const cg_input *input, const cg_world *world, double share)
{
    cg_operation operation = input->operation;
    const cg_operation_move_shape *from = &input->start.as.move_shape, *to = &input->operation.as.move_shape;
    cg_operation_move_shape *move = &operation.as.move_shape;
    present_pose(world, move);
    move->position = is_given(input, "position") ? between(from->position, to->position, share) : move->position;
    if (is_given(input, "rotation")) {
        move->rotation = share < 1 ? turn_between(from->rotation, to->rotation, share) : to->rotation;
    }
    return operation;
}

// The fields that were given, a share of the way from what they were; the others as they are now.
static cg_operation part_way(const cg_input *input, const cg_world *world, double share)
{
    cg_operation operation = input->operation;
    const cg_operation *start = &input->start;
    if (operation.kind == CG_OPERATION_hold) {
        operation.as.hold.target = between(start->as.hold.target, input->operation.as.hold.target, share);
        return operation;
    }
    if (operation.kind == CG_OPERATION_move_shape) {
        return shape_part_way(input, world, share);
    }
    const cg_operation_set_end *from = &start->as.set_end, *to = &input->operation.as.set_end;
    cg_operation_set_end *set = &operation.as.set_end;
    present_end(world, set);
    set->kind = is_given(input, "kind") ? to->kind : set->kind;
    set->position = is_given(input, "position") ? between(from->position, to->position, share) : set->position;
    set->direction = is_given(input, "direction") ? between(from->direction, to->direction, share) : set->direction;
    set->turn = is_given(input, "turn") ? (1 - share) * from->turn + share * to->turn : set->turn;
    return operation;
}

// A field of an operation; NULL when it has none of that name.
static void *field_of(cg_operation *operation, const char *name)
{
    const cg_operation_form *form = cg_operation_form_of(operation->kind);
    for (int i = 0; i < form->field_count; i++) {
        if (strcmp(form->fields[i].name, name) == 0) {
            return cg_operation_field_at(operation, &form->fields[i]);
        }
    }
    return NULL;
}

void cg_input_note_arc(cg_input *input, const cg_world *world)
{
    const int *place = field_of(&input->operation, "thread"), *vertex = field_of(&input->operation, "vertex");
    const int *segment = field_of(&input->operation, "segment");
    const double *fraction = field_of(&input->operation, "fraction");
    input->arc = -1;
    const cg_thread *thread = place != NULL ? cg_world_find_thread(world, cg_operation_thread(world, *place)) : NULL;
    if (thread == NULL || !thread->spacing.follow) {
        return;
    }
    if (vertex != NULL) {
        input->arc = thread->arc[*vertex];
    } else if (segment != NULL) {
        input->arc = thread->arc[*segment] + (fraction != NULL ? *fraction : 0.5) * thread->rest_length[*segment];
    }
}

// On a thread whose spacing follows, what is nearest now to the place that was named.
static void find_named_place(cg_input *input, const cg_world *world)
{
    if (input->arc < 0) {
        return;
    }
    cg_thread_id thread = cg_operation_thread(world, *(const int *)field_of(&input->operation, "thread"));
    int *vertex = field_of(&input->operation, "vertex"), *segment = field_of(&input->operation, "segment");
    if (thread.index != 0 && vertex != NULL) {
        *vertex = cg_thread_vertex_at(world, thread, input->arc);
    } else if (thread.index != 0) {
        *segment = cg_thread_segment_at(world, thread, input->arc, field_of(&input->operation, "fraction"));
    }
}

// The operation of an input in this step. True when it is the input's last.
static bool act(cg_input *input, const cg_world *world, step_span span, cg_operation *operation)
{
    find_named_place(input, world);
    *operation = input->operation;
    double end = span.start + span.length;
    bool is_last = input->timing == CG_INPUT_AT || end > input->to - 0.5 * span.length;
    bool has_gaps = operation->kind == CG_OPERATION_set_end || operation->kind == CG_OPERATION_move_shape;
    if (input->timing != CG_INPUT_RAMP && !has_gaps) {
        *operation = operation->kind == CG_OPERATION_move_hand     ? hand_move(input, world)
                     : operation->kind == CG_OPERATION_move_camera ? camera_move(input, world)
                                                                   : *operation;
        return is_last;
    }
    if (!input->under_way) {
        input->under_way = true;
        input->start = input->operation;
        fill_present(world, &input->start);
    }
    double share = is_last ? 1 : (end - input->from) / (input->to - input->from);
    *operation = part_way(input, world, share < 1 ? share : 1);
    return is_last;
}

void cg_inputs_advance(cg_inputs *inputs, const cg_world *world,
                       void (*take)(void *context, const cg_operation *operation), void *context)
{
    assert(take != NULL);
    if (inputs == NULL) {
        return;
    }
    step_span span = {.start = cg_world_time(world), .length = world->def.time_step};
    while (inputs->next < inputs->count && inputs->items[inputs->next].from <= span.start + 0.5 * span.length) {
        inputs->active[inputs->active_count++] = inputs->next++;
    }
    int kept = 0;
    for (int i = 0; i < inputs->active_count; i++) {
        cg_operation operation;
        bool is_last = act(&inputs->items[inputs->active[i]], world, span, &operation);
        take(context, &operation);
        if (!is_last) {
            inputs->active[kept++] = inputs->active[i];
        }
    }
    inputs->active_count = kept;
}
