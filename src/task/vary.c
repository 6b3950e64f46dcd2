// What the seed of an attempt moves: things of the scene, told as a text that the scene reads, and the goal with them.
#include <stdio.h>

#include "base/transform.h"
#include "base/vec3.h"
#include "task/task.h"

// A variation as it was drawn.
typedef struct drawn_move {
    cg_vec3 shift; // [m]
    double turn;   // [rad]
} drawn_move;

// Four numbers of each, so that one does not depend on what others leave alone.
static drawn_move draw_move(const cg_variation *variation, uint64_t *state)
{
    double drawn[4];
    for (int i = 0; i < 4; i++) {
        drawn[i] = 2 * cg_task_draw(state) - 1;
    }
    cg_vec3 most = variation->shift;
    return (drawn_move){v3(drawn[0] * most.x, drawn[1] * most.y, drawn[2] * most.z), drawn[3] * variation->turn};
}

// The goal

static void move_points(cg_vec3 *points, int count, cg_transform pose)
{
    for (int i = 0; i < count; i++) {
        points[i] = transform_point(pose, points[i]);
    }
}

static void move_goal(cg_goal *goal, cg_transform pose)
{
    goal->targets.centre = transform_point(pose, goal->targets.centre);
    goal->targets.facing = transform_vector(pose, goal->targets.facing);
    move_points(goal->line.points, goal->line.count, pose);
    goal->line.across = transform_vector(pose, goal->line.across);
    goal->items.position = transform_point(pose, goal->items.position);
    move_points(goal->stitch.marks, goal->stitch.mark_count, pose);
    move_points(goal->stitch.wound, goal->stitch.has_wound ? 2 : 0, pose);
}

cg_goal_move cg_task_draw_goal(const cg_task *task, uint64_t seed)
{
    cg_goal_move all = {0};
    uint64_t state = seed;
    for (int i = 0; i < task->variation_count; i++) {
        const cg_variation *variation = &task->variations[i];
        drawn_move move = draw_move(variation, &state);
        if (variation->goal) {
            cg_transform pose = transform_about(variation->about, move.turn, move.shift);
            all = (cg_goal_move){transform_point(pose, all.shift), all.turn + move.turn};
        }
    }
    return all;
}

cg_goal cg_task_move_goal(const cg_task *task, cg_goal_move move)
{
    cg_goal goal = task->goal;
    move_goal(&goal, transform_about(v3_zero(), move.turn, move.shift));
    return goal;
}

cg_goal cg_task_goal(const cg_task *task, uint64_t seed)
{
    return cg_task_move_goal(task, cg_task_draw_goal(task, seed));
}

cg_goal cg_recorded_goal(const cg_task *task, const cg_recorded_attempt *attempt)
{
    if (!attempt->varied) {
        return task->goal;
    }
    return attempt->goal_told ? cg_task_move_goal(task, attempt->goal) : cg_task_goal(task, attempt->seed);
}

// The scene

typedef struct writer {
    char *text;
    size_t room, length; // that there is, that all of it needs
} writer;

static void put_bytes(writer *to, const char *bytes)
{
    for (; *bytes != '\0'; bytes++) {
        if (to->length + 1 < to->room) {
            to->text[to->length] = *bytes;
        }
        to->length++;
    }
}

static void put_number(writer *to, double number)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", number);
    put_bytes(to, digits);
}

static void put_vector(writer *to, cg_vec3 v)
{
    put_bytes(to, "[");
    put_number(to, v.x);
    put_bytes(to, ", ");
    put_number(to, v.y);
    put_bytes(to, ", ");
    put_number(to, v.z);
    put_bytes(to, "]");
}

static void put_string(writer *to, const char *string)
{
    put_bytes(to, "\"");
    for (; *string != '\0'; string++) {
        unsigned char c = (unsigned char)*string;
        char piece[8] = {(char)c};
        if (c < ' ' || c == '"' || c == '\\') {
            snprintf(piece, sizeof piece, "\\u%04x", c);
        }
        put_bytes(to, piece);
    }
    put_bytes(to, "\"");
}

// `count` names so far; returns how many there are now.
static int put_names(writer *to, const char *member, const cg_json_value *names, int count)
{
    for (int i = 0; names != NULL && i < names->count; i++) {
        put_bytes(to, i > 0 ? ", " : count > 0 ? ", \"" : "\"");
        if (i == 0) {
            put_bytes(to, member);
            put_bytes(to, "\": [");
        }
        put_string(to, names->as.items[i]->as.string);
    }
    bool any = names != NULL && names->count > 0;
    put_bytes(to, any ? "]" : "");
    return count + (any ? names->count : 0);
}

static void put_move(writer *to, const cg_variation *variation, const drawn_move *move)
{
    put_bytes(to, "{");
    int names = put_names(to, "threads", variation->threads, 0);
    names = put_names(to, "shapes", variation->shapes, names);
    names = put_names(to, "bodies", variation->bodies, names);
    names = put_names(to, "hands", variation->hands, names);
    put_bytes(to, names > 0 ? ", \"shift\": " : "\"shift\": ");
    put_vector(to, move->shift);
    put_bytes(to, ", \"turn\": ");
    put_number(to, move->turn);
    put_bytes(to, ", \"about\": ");
    put_vector(to, variation->about);
    put_bytes(to, "}");
}

size_t cg_task_write_moves(const cg_task *task, uint64_t seed, char *text, size_t room)
{
    writer to = {text, text != NULL ? room : 0, 0};
    uint64_t state = seed;
    for (int i = 0; i < task->variation_count; i++) {
        drawn_move move = draw_move(&task->variations[i], &state);
        put_bytes(&to, i == 0 ? "\"moves\": [" : ", ");
        put_move(&to, &task->variations[i], &move);
    }
    put_bytes(&to, task->variation_count > 0 ? "], " : "");
    if (to.room > 0) {
        to.text[to.length < to.room ? to.length : to.room - 1] = '\0';
    }
    return to.length;
}
