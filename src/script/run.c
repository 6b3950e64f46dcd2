// Runs a script, step by step of the world.
//
// A line begins, and in every step of the world each of its actions tells its hand where to be at the end of it: at the
// share s = e^2 (3 - 2 e) of its way, where e is the share of its time, so that hands start and stop gently. Places are
// looked up anew each time: a hand that moves to the end of a thread meets it wherever it goes meanwhile.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/transform.h"
#include "operation/fields.h"
#include "scene/json.h"
#include "script/parts.h"
#include "script/pulling.h"
#include "script/see.h"
#include "world/world.h"

// Lines that a script may begin between two steps of the world. Only a repeat without any waiting gets there.
enum { MOST_LINES_AT_ONCE = 10000 };
// Pull tests of a script: each is hundreds of steps of another world, while this one and all who drive it wait.
enum { MOST_PULLS = 8 };

// A failure names the step that it happened in, and what does the part that it is in.
static void fail(cg_script *script, int line, int column, const char *why)
{
    const char *step = script->step > 0 ? script->steps[script->step - 1].name : NULL;
    memcpy(script->error.file, script->name, sizeof script->error.file);
    cg_scene_error_at(&script->error, line, column, "%s%s%s%s", step != NULL ? "step \"" : "", step != NULL ? step : "",
                      step != NULL ? "\": " : "", why);
    cg_script_tell_trail(&script->lines[script->at].trail, &script->error);
    script->phase = CG_SCRIPT_FAILED;
}

// Actions

// Where the tool of the other hand of an action is.
static bool tool_of(const cg_world *world, const cg_action *action, cg_transform *tool)
{
    cg_hand_id hand = cg_operation_hand(world, action->other);
    if (hand.index == 0) {
        return false;
    }
    *tool = cg_hand_get_state(world, hand).pose;
    return true;
}

// What an action that is said by another hand's tool begins with.
static bool begin_beside(const cg_world *world, cg_action *action)
{
    cg_transform tool;
    if (action->other < 0) {
        action->way = action->shift;
        return true;
    }
    if (!tool_of(world, action, &tool)) {
        return false;
    }
    action->way = transform_vector(tool, action->shift);
    action->arm = transform_point_back(tool, action->start.position);
    return true;
}

static bool begin_action(cg_script *script, const cg_world *world, cg_action *action)
{
    cg_hand_id hand = cg_operation_hand(world, action->hand);
    if (hand.index == 0) {
        fail(script, action->line, action->column, "the hand is gone");
        return false;
    }
    action->start = cg_hand_get_state(world, hand).command;
    if (!begin_beside(world, action)) {
        fail(script, action->line, action->column, "the other hand is gone");
        return false;
    }
    if (action->kind == CG_ACTION_CIRCLE && !cg_script_look_up(world, &action->place, &action->centre)) {
        fail(script, action->line, action->column, "the place is gone with its thread or shape");
        return false;
    }
    return true;
}

// Around the shaft, clockwise as the one sees it who holds it: about -z of its tool, at a distance from it and a place
// along it that change evenly.
static bool wrap_at(const cg_action *action, const cg_world *world, double share, cg_vec3 *position)
{
    cg_transform tool;
    if (!tool_of(world, action, &tool)) {
        return false;
    }
    cg_vec3 across = v3(action->arm.x, action->arm.y, 0);
    double distance = v3_length(across), stretch = 1;
    if (action->has_radius && distance > 0) {
        stretch += share * (action->radius / distance - 1);
    }
    double along = action->has_ahead ? (1 - share) * action->arm.z - share * action->ahead : action->arm.z;
    cg_quat turn = quat_from_axis_angle(v3(0, 0, -1), share * action->angle);
    cg_vec3 arm = v3_add(v3_scale(stretch, quat_rotate(turn, across)), v3(0, 0, along));
    *position = transform_point(tool, arm);
    return true;
}

static bool pose_at(const cg_action *action, const cg_world *world, double share, cg_transform *pose)
{
    cg_vec3 place;
    *pose = action->start;
    switch (action->kind) {
    case CG_ACTION_MOVE:
        if (!cg_script_look_up(world, &action->place, &place)) {
            return false;
        }
        pose->position = v3_add(v3_scale(1 - share, action->start.position), v3_scale(share, place));
        break;
    case CG_ACTION_SHIFT:
        pose->position = v3_add_scaled(action->start.position, share, action->way);
        break;
    case CG_ACTION_WRAP:
        if (!wrap_at(action, world, share, &pose->position)) {
            return false;
        }
        break;
    case CG_ACTION_CIRCLE: {
        if (!cg_script_look_up(world, &action->place, &place)) {
            return false;
        }
        cg_quat turn = quat_from_axis_angle(action->axis, share * action->angle);
        cg_vec3 arm = quat_rotate(turn, v3_sub(action->start.position, action->centre));
        pose->position = v3_add_scaled(v3_add(place, arm), share, action->shift);
        break;
    }
    case CG_ACTION_LEVEL:
        pose->rotation = quat_nlerp(action->start.rotation, quat_identity(), share);
        break;
    default:
        break;
    }
    if (action->turn != 0) {
        cg_quat turn = quat_from_axis_angle(action->turn_axis, share * action->turn);
        pose->rotation = quat_normalise(quat_multiply(turn, action->start.rotation));
    }
    return true;
}

static bool apply(cg_script *script, const cg_script_world *world, const cg_action *action, cg_operation *operation)
{
    operation->step = cg_world_get_stats(world->world).step_count;
    cg_status status = world->apply(world->context, operation);
    if (status.code != CG_OK) {
        fail(script, action->line, action->column, status.message);
    }
    return status.code == CG_OK;
}

static bool close_hand(cg_script *script, const cg_script_world *world, const cg_action *action)
{
    cg_operation close = {.kind = CG_OPERATION_close_hand, .as.close_hand = {action->hand}};
    if (!apply(script, world, action, &close)) {
        return false;
    }
    cg_hand_state hand = cg_hand_get_state(world->world, cg_operation_hand(world->world, action->hand));
    bool is_empty = hand.vertex_count == 0 && hand.node_count == 0 && hand.body.index == 0;
    if (hand.tool == CG_TOOL_GRASPER && !hand.has_jaws && is_empty) {
        fail(script, action->line, action->column,
             "the hand closed on nothing: no thread, needle or tissue was in its reach");
        return false;
    }
    return true;
}

// Tells the hand where to be at the end of the coming step.
static bool move_on(cg_script *script, const cg_script_world *world, cg_action *action)
{
    double h = world->world->def.time_step, end = cg_world_time(world->world) + h - script->begun;
    if (script->under_way && end > action->time + 0.5 * h) {
        return true; // it is there, and others in its line go on
    }
    double e = end > action->time - 0.5 * h ? 1 : end / action->time;
    cg_transform pose;
    if (!pose_at(action, world->world, e * e * (3 - 2 * e), &pose)) {
        fail(script, action->line, action->column, "the place is gone with its thread or shape");
        return false;
    }
    cg_operation move = {.kind = CG_OPERATION_move_hand};
    move.as.move_hand = (cg_operation_move_hand){action->hand, pose.position, pose.rotation, 0};
    return apply(script, world, action, &move);
}

// Lines

typedef enum line_result { LINE_OVER, LINE_GOES_ON, LINE_FAILED } line_result;

// Done at once, without any time.
static bool is_grip(const cg_action *action)
{
    return action->kind == CG_ACTION_CLOSE || action->kind == CG_ACTION_OPEN || action->kind == CG_ACTION_TAKE ||
           action->kind == CG_ACTION_JAWS;
}

static bool begin_actions(cg_script *script, const cg_script_world *world, const cg_line *line)
{
    for (int a = line->first_action; a < line->first_action + line->action_count; a++) {
        cg_action *action = &script->actions[a];
        cg_operation open = {.kind = CG_OPERATION_open_hand, .as.open_hand = {action->hand}};
        cg_operation take = {.kind = CG_OPERATION_hand_tool, .as.hand_tool = {action->hand, action->tool}};
        cg_operation jaws = {.kind = CG_OPERATION_set_jaws,
                             .as.set_jaws = {action->hand, action->opening, action->force}};
        if (!begin_action(script, world->world, action) ||
            (action->kind == CG_ACTION_CLOSE && !close_hand(script, world, action)) ||
            (action->kind == CG_ACTION_OPEN && !apply(script, world, action, &open)) ||
            (action->kind == CG_ACTION_TAKE && !apply(script, world, action, &take)) ||
            (action->kind == CG_ACTION_JAWS && !apply(script, world, action, &jaws))) {
            return false;
        }
    }
    return true;
}

// [s] how long the actions of a line take; negative when none of them moves.
static double time_of(const cg_script *script, const cg_line *line)
{
    double time = -1;
    for (int a = line->first_action; a < line->first_action + line->action_count; a++) {
        const cg_action *action = &script->actions[a];
        time = !is_grip(action) && action->time > time ? action->time : time;
    }
    return time;
}

static line_result act(cg_script *script, const cg_script_world *world, const cg_line *line)
{
    double elapsed = cg_world_time(world->world) - script->begun, h = world->world->def.time_step;
    double time = time_of(script, line);
    if (script->under_way && (elapsed > time - 0.5 * h || cg_script_holds(world->world, &line->condition))) {
        return LINE_OVER;
    }
    if (!script->under_way && !begin_actions(script, world, line)) {
        return LINE_FAILED;
    }
    for (int a = line->first_action; a < line->first_action + line->action_count; a++) {
        if (!is_grip(&script->actions[a]) && !move_on(script, world, &script->actions[a])) {
            return LINE_FAILED;
        }
    }
    return time < 0 ? LINE_OVER : LINE_GOES_ON;
}

static line_result wait(cg_script *script, const cg_world *world, const cg_line *line)
{
    double elapsed = cg_world_time(world) - script->begun;
    if (cg_script_holds(world, &line->condition)) {
        return LINE_OVER;
    }
    if (elapsed < line->time - 0.5 * world->def.time_step) {
        return LINE_GOES_ON;
    }
    if (line->go_on) {
        return LINE_OVER;
    }
    char why[240], found[160] = "what it waited for did not happen";
    cg_script_tell_found(world, &line->condition, found, sizeof found);
    snprintf(why, sizeof why, "it waited for %g s, and %s", line->time, found);
    fail(script, line->line, line->column, why);
    return LINE_FAILED;
}

// A pull test on a copy; what comes of it is an event, whether or not it is what was expected.
static bool bears(cg_script *script, const cg_script_world *world, const cg_condition *condition, char *why,
                  size_t room)
{
    if (script->pulls == MOST_PULLS) {
        snprintf(why, room, "it asks for more than %d pull tests", MOST_PULLS);
        return false;
    }
    script->pulls++;
    cg_pull_result result;
    char text[CG_PULL_TEXT];
    cg_status status = cg_pull_test_at(world->world, condition->thread, &result, text);
    if (status.code != CG_OK) {
        snprintf(why, room, "expected a knot to be pulled: %.180s", status.message);
        return false;
    }
    world->note(world->context, text);
    snprintf(why, room, "%.150s; expected %s %g N", text, condition->below ? "below" : "above", condition->limit);
    double force = cg_pull_holding_force(&result);
    bool ended = result.outcome != CG_PULL_STUCK; // else nobody knows what more it had borne
    return condition->below ? ended && force < condition->limit : force > condition->limit;
}

static bool is_pull(const cg_line *line)
{
    return line->kind == CG_LINE_EXPECT && line->condition.kind == CG_CONDITION_HOLDS;
}

static line_result expect(cg_script *script, const cg_script_world *context, const cg_line *line)
{
    const cg_world *world = context->world;
    char why[240] = "what it expects here is not so";
    bool by_name = line->condition.kind == CG_CONDITION_KNOT || line->condition.kind == CG_CONDITION_THROWS;
    if (by_name         ? cg_script_finds_knot(script, world, &line->condition, why, sizeof why)
        : is_pull(line) ? bears(script, context, &line->condition, why, sizeof why)
                        : cg_script_holds(world, &line->condition)) {
        return LINE_OVER;
    }
    cg_script_tell_found(world, &line->condition, why, sizeof why);
    fail(script, line->line, line->column, why);
    return LINE_FAILED;
}

// The node of a tissue that is nearest to a place; -1: there is no such tissue.
static int nearest_node(const cg_world *world, int tissue, cg_vec3 place)
{
    int count = 0, nearest = -1;
    const cg_vec3 *x = cg_tissue_positions(world, cg_operation_tissue(world, tissue), &count);
    for (int i = 0; i < count; i++) {
        nearest = nearest < 0 || v3_distance(x[i], place) < v3_distance(x[nearest], place) ? i : nearest;
    }
    return nearest;
}

static line_result edit(cg_script *script, const cg_script_world *world, const cg_line *line)
{
    cg_vec3 places[2] = {v3_zero(), v3_zero()};
    cg_operation operation = {.kind = line->edit};
    if (!cg_script_look_up(world->world, &line->places[0], &places[0]) ||
        !cg_script_look_up(world->world, &line->places[1], &places[1])) {
        fail(script, line->line, line->column, "the place is gone with its thread or shape");
        return LINE_FAILED;
    }
    if (line->edit == CG_OPERATION_cut) {
        operation.as.cut = (cg_operation_cut){line->tissue, places[0], places[1], line->down, line->down};
    } else if (line->edit == CG_OPERATION_separate) {
        int node = nearest_node(world->world, line->tissue, places[0]);
        operation.as.separate = (cg_operation_separate){line->tissue, node};
    } else {
        operation.as.merge = (cg_operation_merge){line->tissue};
    }
    const cg_action at = {.line = line->line, .column = line->column};
    return apply(script, world, &at, &operation) ? LINE_OVER : LINE_FAILED;
}

static line_result look(cg_script *script, const cg_script_world *world, const cg_line *line)
{
    const cg_action at = {.line = line->line, .column = line->column};
    cg_vec3 from, target;
    if (!cg_script_look_up(world->world, &line->places[0], &from) ||
        !cg_script_look_up(world->world, &line->places[1], &target)) {
        fail(script, line->line, line->column, "the place is gone with its thread or shape");
        return LINE_FAILED;
    }
    cg_operation move = {.kind = CG_OPERATION_move_camera, .as.move_camera = {from, target, {0, 0, 1}}};
    return apply(script, world, &at, &move) ? LINE_OVER : LINE_FAILED;
}

// The line behind this one. Repeats are gone through here. What is tried and went well ends before its `again`; who
// comes to the end of a try that has one comes from a failure, and begins anew.
static int next_line(cg_script *script, const cg_world *world, cg_line *line)
{
    if (line->kind == CG_LINE_REPEAT) {
        bool enough = line->turns >= line->number || (line->turns > 0 && cg_script_holds(world, &line->condition));
        line->turns = enough ? 0 : line->turns + 1;
        return enough ? line->partner + 1 : script->at + 1;
    }
    if (line->kind == CG_LINE_AGAIN) {
        return script->lines[line->partner].partner + 1;
    }
    if (line->kind != CG_LINE_END) {
        return script->at + 1;
    }
    const cg_line *first = &script->lines[line->partner];
    return first->kind == CG_LINE_REPEAT ? line->partner : first->again > 0 ? line->partner + 1 : script->at + 1;
}

// The innermost `try` around a line that has turns left; NULL when there is none. What stands behind its `again` is not
// tried: who cannot make good what failed has failed.
static cg_line *try_around(cg_script *script, int at)
{
    for (int i = at - 1; i >= 0; i--) {
        cg_line *line = &script->lines[i];
        bool tries = line->kind == CG_LINE_TRY && (line->again > 0 ? line->again : line->partner) > at;
        if (tries && line->turns < line->number) {
            return line;
        }
    }
    return NULL;
}

// Begins what is tried anew, and says why; false when nothing is tried, or has been often enough.
static bool try_again(cg_script *script, const cg_script_world *world)
{
    cg_line *tried = try_around(script, script->at);
    if (tried == NULL) {
        return false;
    }
    int first = (int)(tried - script->lines) + 1;
    for (int i = first; i < tried->partner; i++) {
        script->lines[i].turns = 0;
    }
    cg_script_step again = {.name = "again"};
    snprintf(again.text, sizeof again.text, "%s", tried->reason[0] != '\0' ? tried->reason : script->error.message);
    world->tell(world->context, &again);
    tried->turns++;
    script->phase = CG_SCRIPT_RUNNING;
    script->error = (cg_scene_error){0};
    script->at = tried->again > 0 ? tried->again + 1 : first;
    return true;
}

static line_result do_line(cg_script *script, const cg_script_world *world, cg_line *line)
{
    switch (line->kind) {
    case CG_LINE_STEP:
        script->step = line->number;
        world->tell(world->context, &script->steps[line->number - 1]);
        return LINE_OVER;
    case CG_LINE_TRY:
        line->turns = 1;
        return LINE_OVER;
    case CG_LINE_ACT:
        return act(script, world, line);
    case CG_LINE_EDIT:
        return edit(script, world, line);
    case CG_LINE_LOOK:
        return look(script, world, line);
    case CG_LINE_EXPECT:
        return expect(script, world, line);
    case CG_LINE_WAIT:
        return wait(script, world->world, line);
    default:
        return LINE_OVER;
    }
}

static bool is_line_sound(const cg_script *script, int place)
{
    const cg_line *line = &script->lines[place];
    bool is_there = line->partner >= 0 && line->partner < script->line_count;
    switch (line->kind) {
    case CG_LINE_STEP:
        return line->number >= 1 && line->number <= script->step_count;
    case CG_LINE_ACT:
        return line->first_action >= 0 && line->action_count >= 0 &&
               line->action_count <= script->action_count - line->first_action;
    case CG_LINE_WAIT:
        return line->time >= 0;
    case CG_LINE_REPEAT:
    case CG_LINE_TRY:
        return is_there && line->partner > place && script->lines[line->partner].kind == CG_LINE_END &&
               script->lines[line->partner].partner == place && line->turns >= 0 && line->turns <= line->number;
    case CG_LINE_AGAIN:
        return is_there && line->partner < place && script->lines[line->partner].kind == CG_LINE_TRY;
    case CG_LINE_END:
        return is_there && line->partner < place && script->lines[line->partner].partner == place;
    case CG_LINE_EDIT:
    case CG_LINE_LOOK:
    case CG_LINE_EXPECT:
        return true;
    }
    return false;
}

bool cg_script_is_sound(const cg_script *script)
{
    bool sound = script->at >= 0 && script->at <= script->line_count && script->step >= 0 &&
                 script->step <= script->step_count && script->pulls >= 0;
    for (int i = 0; i < script->line_count && sound; i++) {
        sound = is_line_sound(script, i);
    }
    return sound;
}

void cg_script_advance(cg_script *script, const cg_script_world *world)
{
    assert(cg_script_is_sound(script));
    int pulls = script->pulls;
    for (int begun = 0; script->phase == CG_SCRIPT_RUNNING; begun++) {
        if (script->at >= script->line_count) {
            script->phase = CG_SCRIPT_DONE;
            return;
        }
        cg_line *line = &script->lines[script->at];
        if (begun > MOST_LINES_AT_ONCE) {
            fail(script, line->line, line->column, "it repeats without any time passing; expected a wait or a move");
            return;
        }
        if (is_pull(line) && script->pulls > pulls) {
            return; // one in a step, so that others have their turn
        }
        script->begun = script->under_way ? script->begun : cg_world_time(world->world);
        line_result result = do_line(script, world, line);
        script->under_way = result == LINE_GOES_ON;
        if (result == LINE_FAILED && try_again(script, world)) {
            continue;
        }
        if (result != LINE_OVER) {
            return;
        }
        script->at = next_line(script, world->world, line);
    }
}
