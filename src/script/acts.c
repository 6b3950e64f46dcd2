// What hands do in a script; the grammar is in read.c.
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "operation/fields.h"
#include "scene/json.h"
#include "script/reader.h"

// A time [s] beyond this is a mistake of a unit.
static const double MOST_TIME = 1000;

bool cg_script_read_time(cg_script_reader *reader, double *time)
{
    cg_word at = reader->words.word;
    if (!cg_words_quantity(&reader->words, "s", time)) {
        return false;
    }
    return (*time >= 0 && *time <= MOST_TIME) || cg_scene_error_at(reader->words.error, at.line, at.column,
                                                                   "found %g s; expected 0 to %g s", *time, MOST_TIME);
}

// ANGLE about DIRECTION. In a mirror a turn goes the other way about the mirrored axis; which is the same as the same
// way about the opposite of that, as circles have it. Each is what scripts say by hand, to the sign of its zeros.
static bool read_turn(cg_script_reader *reader, cg_action *action)
{
    return cg_words_mirrored_angle(&reader->words, &action->turn) && cg_words_expect(&reader->words, "about") &&
           cg_words_direction(&reader->words, &action->turn_axis);
}

// [turning ANGLE about DIRECTION] in TIME
static bool read_way(cg_script_reader *reader, cg_action *action)
{
    bool turning;
    return cg_words_take(&reader->words, "turning", &turning) && (!turning || read_turn(reader, action)) &&
           cg_words_expect(&reader->words, "in") && cg_script_read_time(reader, &action->time);
}

// VECTOR [of hand]
static bool read_shift(cg_script_reader *reader, cg_action *action)
{
    bool own;
    return cg_words_vector(&reader->words, "m", &action->shift) && cg_words_take(&reader->words, "of", &own) &&
           (!own || cg_script_read_hand(reader, &action->other));
}

static bool read_move(cg_script_reader *reader, cg_action *action)
{
    bool by;
    if (!cg_words_take(&reader->words, "by", &by)) {
        return false;
    }
    action->kind = by ? CG_ACTION_SHIFT : CG_ACTION_MOVE;
    if (by) {
        return read_shift(reader, action) && read_way(reader, action);
    }
    if (!cg_words_is(&reader->words, "to")) {
        return cg_words_complain(&reader->words, "\"to\" and a place, or \"by\" and a vector");
    }
    return cg_words_next(&reader->words) && cg_script_read_place(reader, &action->place) && read_way(reader, action);
}

static bool read_circle(cg_script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    bool moving;
    action->kind = CG_ACTION_CIRCLE;
    return cg_words_quantity(words, "rad", &action->angle) && cg_words_expect(words, "around") &&
           cg_script_read_place(reader, &action->place) && cg_words_expect(words, "about") &&
           cg_words_axis(words, &action->axis) && cg_words_take(words, "moving", &moving) &&
           (!moving || cg_words_vector(words, "m", &action->shift)) && read_way(reader, action);
}

// LENGTH ahead|behind, of the middle of the jaws
static bool read_ahead(cg_script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    bool behind;
    if (!cg_words_quantity(words, "m", &action->ahead) || !cg_words_take(words, "behind", &behind)) {
        return false;
    }
    action->ahead = behind ? -action->ahead : action->ahead;
    return behind || cg_words_expect(words, "ahead");
}

// LENGTH from the shaft
static bool read_radius(cg_script_reader *reader, cg_action *action)
{
    cg_word at = reader->words.word;
    if (!cg_words_quantity(&reader->words, "m", &action->radius)) {
        return false;
    }
    return action->radius > 0 || cg_scene_error_at(reader->words.error, at.line, at.column,
                                                   "found %g m from the tool; expected more than 0", action->radius);
}

// ANGLE around hand [at LENGTH] [to LENGTH ahead|behind]
static bool read_wrap(cg_script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    action->kind = CG_ACTION_WRAP;
    if (!cg_words_mirrored_angle(words, &action->angle) || !cg_words_expect(words, "around")) {
        return false;
    }
    cg_word at = words->word;
    if (!cg_script_read_hand(reader, &action->other)) {
        return false;
    }
    if (action->other == action->hand && reader->scene != NULL) {
        return cg_scene_error_at(words->error, at.line, at.column,
                                 "found the hand that goes around; expected another, whose tool it goes around");
    }
    return cg_words_take(words, "at", &action->has_radius) && (!action->has_radius || read_radius(reader, action)) &&
           cg_words_take(words, "to", &action->has_ahead) && (!action->has_ahead || read_ahead(reader, action)) &&
           read_way(reader, action);
}

static bool read_turning(cg_script_reader *reader, cg_action *action)
{
    bool back;
    if (!cg_words_take(&reader->words, "back", &back)) {
        return false;
    }
    action->kind = back ? CG_ACTION_LEVEL : CG_ACTION_TURN;
    return (back || read_turn(reader, action)) && cg_words_expect(&reader->words, "in") &&
           cg_script_read_time(reader, &action->time);
}

static bool read_take(cg_script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    action->kind = CG_ACTION_TAKE;
    for (int i = 0; i < CG_TOOL_COUNT; i++) {
        if (cg_words_is(words, cg_tool_word((cg_hand_tool)i))) {
            action->tool = (cg_hand_tool)i;
            return cg_words_next(words);
        }
    }
    char list[CG_TOOL_LIST_MOST], expected[CG_TOOL_LIST_MOST + 10];
    snprintf(expected, sizeof expected, "a tool: %s", cg_tool_list("", list));
    return cg_words_complain(words, expected);
}

// jaws to OPENING [with FORCE]
static bool read_jaws(cg_script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    bool with;
    action->kind = CG_ACTION_JAWS;
    if (!cg_words_expect(words, "to")) {
        return false;
    }
    cg_word at = words->word;
    if (!cg_words_quantity(words, "", &action->opening)) {
        return false;
    }
    if (!(action->opening >= 0 && action->opening <= 1)) {
        return cg_scene_error_at(words->error, at.line, at.column, "found an opening of %g; expected 0 to 1",
                                 action->opening);
    }
    return cg_words_take(words, "with", &with) && (!with || cg_words_quantity(words, "N", &action->force));
}

#define VERBS "move, circle, wrap, turn, close, open, take or jaws"

bool cg_script_read_action(cg_script_reader *reader, cg_action *action)
{
    static const char *const verbs[] = {"move", "circle", "wrap", "turn", "close", "open", "take", "jaws"};
    cg_words *words = &reader->words;
    *action = (cg_action){.line = words->word.line, .column = words->word.column, .turn_axis = {0, 0, 1}, .other = -1};
    if (!cg_script_read_hand(reader, &action->hand)) {
        return false;
    }
    cg_word verb = words->word;
    if (verb.kind != CG_WORD_NAME || !cg_words_next(words)) {
        return cg_words_complain(words, "what the hand does: " VERBS);
    }
    if (strcmp(verb.text, "move") == 0) {
        return read_move(reader, action);
    }
    if (strcmp(verb.text, "circle") == 0) {
        return read_circle(reader, action);
    }
    if (strcmp(verb.text, "wrap") == 0) {
        return read_wrap(reader, action);
    }
    if (strcmp(verb.text, "turn") == 0) {
        return read_turning(reader, action);
    }
    if (strcmp(verb.text, "close") == 0 || strcmp(verb.text, "open") == 0) {
        action->kind = verb.text[0] == 'c' ? CG_ACTION_CLOSE : CG_ACTION_OPEN;
        return true;
    }
    if (strcmp(verb.text, "take") == 0) {
        return read_take(reader, action);
    }
    if (strcmp(verb.text, "jaws") == 0) {
        return read_jaws(reader, action);
    }
    const char *nearest = cg_nearest_word(verb.text, verbs, 8);
    return cg_scene_error_at(words->error, verb.line, verb.column, "found \"%.60s\"; expected " VERBS "%s%s%s",
                             verb.text, nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                             nearest != NULL ? "\"?" : "");
}
