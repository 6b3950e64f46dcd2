// The grammar of scripts. docs/scripts.md has it in words; here as it is read, one line at a time:
//
//     line       step TEXT [: TEXT]
//                act {; act} [until condition]
//                cut tissue from place to place down VECTOR  |  separate tissue at place  |  merge tissue
//                look from place at place
//                expect condition  |  expect knot NAME|TEXT [in thread]
//                wait TIME  |  wait until condition [, at most TIME [or go on]]
//                repeat NUMBER times [until condition]  ...  end
//     act        hand move to place [turn] in TIME      hand move by VECTOR [turn] in TIME
//                hand circle ANGLE around place about DIRECTION [moving VECTOR] [turn] in TIME
//                hand turn ANGLE about DIRECTION in TIME   hand turn back in TIME   hand close   hand open
//                hand take grasper|probe|scalpel|hook|needle_driver|forceps|scissors
//                hand jaws to NUMBER [with FORCE]
//     turn       turning ANGLE about DIRECTION
//     place      base {(+|-) VECTOR}
//     base       VECTOR  |  start|middle|end of shared  |  NUMBER of shared  |  LENGTH along thread  |  shape TEXT
//                |  hand
//     shared     thread  |  body TEXT
//     thread     thread [TEXT]
//     condition  force|lag of hand above|below QUANTITY  |  distance from place to place above|below LENGTH
//                thread touches|leaves itself | thread TEXT | shape TEXT  |  hand holds nothing|thread|tissue|body
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/status.h"
#include "base/utf8.h"
#include "base/vec3.h"
#include "scene/json.h"
#include "session/operation_fields.h"
#include "session/script.h"
#include "session/script_words.h"

// Times and lengths beyond these are mistakes of a unit.
static const double MOST_TIME = 1000, MOST_LENGTH = 1000;

typedef struct script_reader {
    cg_words words;
    const cg_scene *scene;        // NULL: any name will do
    const cg_script_marks *marks; // NULL: any number will do
    cg_script *script;
    int open_repeats[CG_SCRIPT_NESTING]; // places in the list of lines
    int depth;
} script_reader;

// Names

typedef struct name_source {
    const char *what;
    int (*count)(const cg_scene *);
    const char *(*name)(const cg_scene *, int);
} name_source;

static const name_source THREADS = {"thread", cg_scene_thread_count, cg_scene_thread_name};
static const name_source SHAPES = {"shape", cg_scene_shape_count, cg_scene_shape_name};
static const name_source TISSUES = {"tissue", cg_scene_tissue_count, cg_scene_tissue_name};
static const name_source BODIES = {"body", cg_scene_body_count, cg_scene_body_name};
static const name_source HANDS = {"hand", cg_scene_hand_count, cg_scene_hand_name};

enum { MOST_CANDIDATES = 64 };

// The place of a name in the scene; -1 when it is none.
static int find_name(const script_reader *reader, const name_source *source, const char *name)
{
    int count = reader->scene != NULL ? source->count(reader->scene) : 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(source->name(reader->scene, i), name) == 0) {
            return i;
        }
    }
    return reader->scene != NULL ? -1 : 0;
}

static bool complain_of_name(const script_reader *reader, const name_source *source)
{
    const cg_word *word = &reader->words.word;
    const char *candidates[MOST_CANDIDATES];
    int count = source->count(reader->scene);
    count = count < MOST_CANDIDATES ? count : MOST_CANDIDATES;
    for (int i = 0; i < count; i++) {
        candidates[i] = source->name(reader->scene, i);
    }
    const char *nearest = cg_nearest_word(word->text, candidates, count);
    return cg_scene_error_at(reader->words.error, word->line, word->column,
                             "there is no %s \"%.60s\" in the scene%s%s%s", source->what, word->text,
                             nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                             nearest != NULL ? "\"?" : "");
}

static bool read_name_in_quotes(script_reader *reader, const name_source *source, int *index)
{
    if (reader->words.word.kind != CG_WORD_TEXT) {
        char expected[64];
        snprintf(expected, sizeof expected, "the name of a %s in quotes", source->what);
        return cg_words_complain(&reader->words, expected);
    }
    *index = find_name(reader, source, reader->words.word.text);
    return *index >= 0 ? cg_words_next(&reader->words) : complain_of_name(reader, source);
}

// thread, or thread "name"
static bool read_thread(script_reader *reader, int *thread)
{
    *thread = 0;
    if (!cg_words_is(&reader->words, "thread")) {
        return cg_words_complain(&reader->words, "\"thread\", or thread and its name in quotes");
    }
    if (reader->scene != NULL && cg_scene_thread_count(reader->scene) == 0) {
        return cg_words_complain(&reader->words, "no thread: the scene has none");
    }
    return cg_words_next(&reader->words) &&
           (reader->words.word.kind != CG_WORD_TEXT || read_name_in_quotes(reader, &THREADS, thread));
}

// tissue, or tissue "name"
static bool read_tissue(script_reader *reader, int *tissue)
{
    *tissue = 0;
    if (!cg_words_is(&reader->words, "tissue")) {
        return cg_words_complain(&reader->words, "\"tissue\", or tissue and its name in quotes");
    }
    if (reader->scene != NULL && cg_scene_tissue_count(reader->scene) == 0) {
        return cg_words_complain(&reader->words, "no tissue: the scene has none");
    }
    return cg_words_next(&reader->words) &&
           (reader->words.word.kind != CG_WORD_TEXT || read_name_in_quotes(reader, &TISSUES, tissue));
}

// A hand by its bare name, or hand "name"
static bool read_hand(script_reader *reader, int *hand)
{
    bool quoted;
    if (!cg_words_take(&reader->words, "hand", &quoted)) {
        return false;
    }
    if (quoted) {
        return read_name_in_quotes(reader, &HANDS, hand);
    }
    if (reader->words.word.kind != CG_WORD_NAME) {
        return cg_words_complain(&reader->words, "the name of a hand");
    }
    *hand = find_name(reader, &HANDS, reader->words.word.text);
    return *hand >= 0 ? cg_words_next(&reader->words) : complain_of_name(reader, &HANDS);
}

// Places

// Behind a share and "of": thread, or body and its name.
static bool read_shared(script_reader *reader, cg_place *place)
{
    bool body;
    if (!cg_words_take(&reader->words, "body", &body)) {
        return false;
    }
    place->base = body ? CG_PLACE_BODY : CG_PLACE_SHARE;
    return body ? read_name_in_quotes(reader, &BODIES, &place->index) : read_thread(reader, &place->index);
}

static bool read_share_or_length(script_reader *reader, cg_place *place)
{
    cg_words ahead = reader->words;
    // "0.3 of thread" and "30 % of thread" are shares, "12 mm along thread" is a length.
    cg_scene_error ignored;
    double share;
    ahead.error = &ignored;
    if (cg_words_quantity(&ahead, "", &share) && cg_words_is(&ahead, "of")) {
        if (!(share >= 0 && share <= 1)) {
            return cg_words_complain(&reader->words, "a share of the thread or body from 0 to 1");
        }
        ahead.error = reader->words.error;
        reader->words = ahead;
        place->amount = share;
        return cg_words_expect(&reader->words, "of") && read_shared(reader, place);
    }
    place->base = CG_PLACE_LENGTH;
    cg_word at = reader->words.word;
    if (!cg_words_quantity(&reader->words, "m", &place->amount)) {
        return false;
    }
    if (!(place->amount >= -MOST_LENGTH && place->amount <= MOST_LENGTH)) {
        return cg_scene_error_at(reader->words.error, at.line, at.column, "found %g m; expected at most %g m",
                                 place->amount, MOST_LENGTH);
    }
    return cg_words_expect(&reader->words, "along") && read_thread(reader, &place->index);
}

// The number of a mark, from 1: a place that does not move.
static bool read_mark(script_reader *reader, cg_place *place)
{
    cg_words *words = &reader->words;
    int most = reader->marks != NULL ? reader->marks->count : CG_SESSION_MOST_MARKS;
    double number = words->word.number;
    if (words->word.kind != CG_WORD_NUMBER) {
        return cg_words_complain(words, "the number of a mark");
    }
    if (!(number >= 1 && number <= most) || number != (double)(int)number) {
        return cg_scene_error_at(words->error, words->word.line, words->word.column,
                                 "found mark %g; expected a whole number, 1 to %d, the marks of the task", number,
                                 most);
    }
    place->base = CG_PLACE_POINT;
    place->offset = reader->marks != NULL ? reader->marks->points[(int)number - 1] : v3_zero();
    return cg_words_next(words);
}

static bool read_base(script_reader *reader, cg_place *place)
{
    static const struct {
        const char *name;
        double share;
    } ends[] = {{"start", 0}, {"middle", 0.5}, {"end", 1}};
    cg_words *words = &reader->words;
    if (cg_words_is(words, "(")) {
        place->base = CG_PLACE_POINT;
        return cg_words_vector(words, "m", &place->offset);
    }
    if (words->word.kind == CG_WORD_NUMBER || cg_words_is(words, "-")) {
        return read_share_or_length(reader, place);
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (cg_words_is(words, ends[i].name)) {
            place->amount = ends[i].share;
            return cg_words_next(words) && cg_words_expect(words, "of") && read_shared(reader, place);
        }
    }
    if (cg_words_is(words, "shape")) {
        place->base = CG_PLACE_SHAPE;
        return cg_words_next(words) && read_name_in_quotes(reader, &SHAPES, &place->index);
    }
    if (cg_words_is(words, "mark")) {
        return cg_words_next(words) && read_mark(reader, place);
    }
    if (words->word.kind != CG_WORD_NAME) {
        return cg_words_complain(words, "a place such as (1, 0, 2) mm, end of thread, 0.3 of thread or left");
    }
    place->base = CG_PLACE_HAND;
    return read_hand(reader, &place->index);
}

static bool read_place(script_reader *reader, cg_place *place)
{
    *place = (cg_place){.base = CG_PLACE_POINT};
    if (!read_base(reader, place)) {
        return false;
    }
    while (cg_words_is(&reader->words, "+") || cg_words_is(&reader->words, "-")) {
        double sign = cg_words_is(&reader->words, "+") ? 1 : -1;
        cg_vec3 offset;
        if (!cg_words_next(&reader->words) || !cg_words_vector(&reader->words, "m", &offset)) {
            return false;
        }
        place->offset = v3_add_scaled(place->offset, sign, offset);
    }
    return true;
}

// Conditions

static bool read_limit(script_reader *reader, const char *unit, cg_condition *condition)
{
    condition->below = cg_words_is(&reader->words, "below");
    if (!condition->below && !cg_words_is(&reader->words, "above")) {
        return cg_words_complain(&reader->words, "\"above\" or \"below\"");
    }
    return cg_words_next(&reader->words) && cg_words_quantity(&reader->words, unit, &condition->limit);
}

static bool read_touch(script_reader *reader, cg_condition *condition)
{
    cg_words *words = &reader->words;
    condition->kind = CG_CONDITION_TOUCH;
    condition->shape = -1;
    if (!read_thread(reader, &condition->thread)) {
        return false;
    }
    condition->negated = cg_words_is(words, "leaves");
    if (!condition->negated && !cg_words_is(words, "touches")) {
        return cg_words_complain(words, "\"touches\" or \"leaves\"");
    }
    bool itself;
    if (!cg_words_next(words) || !cg_words_take(words, "itself", &itself)) {
        return false;
    }
    if (itself) {
        condition->other = condition->thread;
        return true;
    }
    if (cg_words_is(words, "shape")) {
        return cg_words_next(words) && read_name_in_quotes(reader, &SHAPES, &condition->shape);
    }
    if (!cg_words_is(words, "thread")) {
        return cg_words_complain(words, "\"itself\", thread \"...\" or shape \"...\"");
    }
    return read_thread(reader, &condition->other);
}

// Behind the hand.
static bool read_held(script_reader *reader, cg_condition *condition)
{
    static const char *const kinds[] = {"nothing", "thread", "tissue", "body"}; // as cg_held_kind
    cg_words *words = &reader->words;
    condition->kind = CG_CONDITION_HELD;
    if (!cg_words_expect(words, "holds")) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        if (cg_words_is(words, kinds[k])) {
            condition->held = (cg_held_kind)k;
            return cg_words_next(words);
        }
    }
    return cg_words_complain(words, "\"thread\", \"tissue\", \"body\" or \"nothing\"");
}

// Whether the next word, which begins a condition, names a hand.
static bool is_hand(const script_reader *reader)
{
    const cg_word *word = &reader->words.word;
    bool is_word =
        word->kind == CG_WORD_NAME && !cg_words_is(&reader->words, "force") && !cg_words_is(&reader->words, "lag");
    return is_word && (cg_words_is(&reader->words, "hand") || find_name(reader, &HANDS, word->text) >= 0);
}

static bool read_condition(script_reader *reader, cg_condition *condition)
{
    cg_words *words = &reader->words;
    *condition = (cg_condition){.kind = CG_CONDITION_NEVER, .shape = -1};
    if (cg_words_is(words, "thread")) {
        return read_touch(reader, condition);
    }
    if (cg_words_is(words, "distance")) {
        condition->kind = CG_CONDITION_DISTANCE;
        return cg_words_next(words) && cg_words_expect(words, "from") && read_place(reader, &condition->places[0]) &&
               cg_words_expect(words, "to") && read_place(reader, &condition->places[1]) &&
               read_limit(reader, "m", condition);
    }
    if (is_hand(reader)) {
        return read_hand(reader, &condition->hand) && read_held(reader, condition);
    }
    bool force = cg_words_is(words, "force");
    if (!force && !cg_words_is(words, "lag")) {
        return cg_words_complain(words, "a condition: force of, lag of, distance from, thread touches, or a hand that "
                                        "holds");
    }
    condition->kind = force ? CG_CONDITION_FORCE : CG_CONDITION_LAG;
    return cg_words_next(words) && cg_words_expect(words, "of") && read_hand(reader, &condition->hand) &&
           read_limit(reader, force ? "N" : "m", condition);
}

static bool read_until(script_reader *reader, cg_condition *condition)
{
    bool until;
    condition->kind = CG_CONDITION_NEVER;
    return cg_words_take(&reader->words, "until", &until) && (!until || read_condition(reader, condition));
}

// Actions

static bool read_time(script_reader *reader, double *time)
{
    cg_word at = reader->words.word;
    if (!cg_words_quantity(&reader->words, "s", time)) {
        return false;
    }
    return (*time >= 0 && *time <= MOST_TIME) || cg_scene_error_at(reader->words.error, at.line, at.column,
                                                                   "found %g s; expected 0 to %g s", *time, MOST_TIME);
}

static bool read_turn(script_reader *reader, cg_action *action)
{
    return cg_words_quantity(&reader->words, "rad", &action->turn) && cg_words_expect(&reader->words, "about") &&
           cg_words_direction(&reader->words, &action->turn_axis);
}

// [turning ANGLE about DIRECTION] in TIME
static bool read_way(script_reader *reader, cg_action *action)
{
    bool turning;
    return cg_words_take(&reader->words, "turning", &turning) && (!turning || read_turn(reader, action)) &&
           cg_words_expect(&reader->words, "in") && read_time(reader, &action->time);
}

static bool read_move(script_reader *reader, cg_action *action)
{
    bool by;
    if (!cg_words_take(&reader->words, "by", &by)) {
        return false;
    }
    action->kind = by ? CG_ACTION_SHIFT : CG_ACTION_MOVE;
    if (by) {
        return cg_words_vector(&reader->words, "m", &action->shift) && read_way(reader, action);
    }
    if (!cg_words_is(&reader->words, "to")) {
        return cg_words_complain(&reader->words, "\"to\" and a place, or \"by\" and a vector");
    }
    return cg_words_next(&reader->words) && read_place(reader, &action->place) && read_way(reader, action);
}

static bool read_circle(script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    bool moving;
    action->kind = CG_ACTION_CIRCLE;
    return cg_words_quantity(words, "rad", &action->angle) && cg_words_expect(words, "around") &&
           read_place(reader, &action->place) && cg_words_expect(words, "about") &&
           cg_words_direction(words, &action->axis) && cg_words_take(words, "moving", &moving) &&
           (!moving || cg_words_vector(words, "m", &action->shift)) && read_way(reader, action);
}

static bool read_turning(script_reader *reader, cg_action *action)
{
    bool back;
    if (!cg_words_take(&reader->words, "back", &back)) {
        return false;
    }
    action->kind = back ? CG_ACTION_LEVEL : CG_ACTION_TURN;
    return (back || read_turn(reader, action)) && cg_words_expect(&reader->words, "in") &&
           read_time(reader, &action->time);
}

static bool read_take(script_reader *reader, cg_action *action)
{
    cg_words *words = &reader->words;
    action->kind = CG_ACTION_TAKE;
    for (int i = 0; i < CG_TOOL_COUNT; i++) {
        if (cg_words_is(words, cg_tool_word((cg_hand_tool)i))) {
            action->tool = (cg_hand_tool)i;
            return cg_words_next(words);
        }
    }
    return cg_words_complain(words, "a tool: grasper, probe, scalpel, hook, needle_driver, forceps or scissors");
}

// jaws to OPENING [with FORCE]
static bool read_jaws(script_reader *reader, cg_action *action)
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

static bool read_action(script_reader *reader, cg_action *action)
{
    static const char *const verbs[] = {"move", "circle", "turn", "close", "open", "take", "jaws"};
    cg_words *words = &reader->words;
    *action = (cg_action){.line = words->word.line, .column = words->word.column, .turn_axis = {0, 0, 1}};
    if (!read_hand(reader, &action->hand)) {
        return false;
    }
    cg_word verb = words->word;
    if (verb.kind != CG_WORD_NAME || !cg_words_next(words)) {
        return cg_words_complain(words, "what the hand does: move, circle, turn, close, open, take or jaws");
    }
    if (strcmp(verb.text, "move") == 0) {
        return read_move(reader, action);
    }
    if (strcmp(verb.text, "circle") == 0) {
        return read_circle(reader, action);
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
    const char *nearest = cg_nearest_word(verb.text, verbs, 7);
    return cg_scene_error_at(words->error, verb.line, verb.column,
                             "found \"%.60s\"; expected move, circle, turn, close, open, take or jaws%s%s%s", verb.text,
                             nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                             nearest != NULL ? "\"?" : "");
}

// Lines

static bool skip_ends_of_lines(script_reader *reader)
{
    while (reader->words.word.kind == CG_WORD_END_OF_LINE) {
        if (!cg_words_next(&reader->words)) {
            return false;
        }
    }
    return true;
}

static bool read_actions(script_reader *reader, cg_line *line)
{
    cg_script *script = reader->script;
    line->kind = CG_LINE_ACT;
    line->first_action = script->action_count;
    bool more = true;
    while (more) {
        if (script->action_count == CG_SCRIPT_ACTIONS) {
            return cg_words_complain(&reader->words, "no more actions than there are already");
        }
        if (!read_action(reader, &script->actions[script->action_count])) {
            return false;
        }
        for (int a = line->first_action; a < script->action_count; a++) {
            const cg_action *now = &script->actions[script->action_count];
            if (script->actions[a].hand == now->hand && reader->scene != NULL) {
                return cg_scene_error_at(
                    reader->words.error, now->line, now->column,
                    "the hand does something else in this line; expected the other hand, or a line "
                    "of its own");
            }
        }
        script->action_count++;
        // What stands behind a semicolon may be in the next line.
        if (!cg_words_take(&reader->words, ";", &more) || (more && !skip_ends_of_lines(reader))) {
            return false;
        }
    }
    line->action_count = script->action_count - line->first_action;
    return read_until(reader, &line->condition);
}

static bool read_step(script_reader *reader, cg_line *line)
{
    cg_words *words = &reader->words;
    cg_script *script = reader->script;
    line->kind = CG_LINE_STEP;
    if (words->word.kind != CG_WORD_TEXT) {
        return cg_words_complain(words, "the name of the step in quotes");
    }
    if (script->step_count == CG_SCRIPT_STEPS) {
        return cg_words_complain(words, "no more steps than there are already");
    }
    cg_script_step *step = &script->steps[script->step_count++];
    if (strlen(words->word.text) >= sizeof step->name) {
        return cg_words_complain(words, "a name of at most 79 bytes");
    }
    memcpy(step->name, words->word.text, strlen(words->word.text) + 1);
    line->number = script->step_count;
    bool colon;
    if (!cg_words_next(words) || !cg_words_take(words, ":", &colon)) {
        return false;
    }
    if (colon) {
        if (words->word.kind != CG_WORD_TEXT) {
            return cg_words_complain(words, "a sentence in quotes that explains the step");
        }
        snprintf(step->text, sizeof step->text, "%.255s", words->word.text);
        return cg_words_next(words);
    }
    return true;
}

static bool read_cut(script_reader *reader, cg_line *line)
{
    cg_words *words = &reader->words;
    line->kind = CG_LINE_EDIT;
    line->edit = CG_OPERATION_cut;
    return read_tissue(reader, &line->tissue) && cg_words_expect(words, "from") &&
           read_place(reader, &line->places[0]) && cg_words_expect(words, "to") &&
           read_place(reader, &line->places[1]) && cg_words_expect(words, "down") &&
           cg_words_vector(words, "m", &line->down);
}

static bool read_separate(script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_EDIT;
    line->edit = CG_OPERATION_separate;
    return read_tissue(reader, &line->tissue) && cg_words_expect(&reader->words, "at") &&
           read_place(reader, &line->places[0]);
}

static bool read_merge(script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_EDIT;
    line->edit = CG_OPERATION_merge;
    return read_tissue(reader, &line->tissue);
}

static bool read_look(script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_LOOK;
    return cg_words_expect(&reader->words, "from") && read_place(reader, &line->places[0]) &&
           cg_words_expect(&reader->words, "at") && read_place(reader, &line->places[1]);
}

// knot NAME [in thread]: without a thread those of the scene, when there are two, else the first
static bool read_knot(script_reader *reader, cg_condition *condition)
{
    cg_words *words = &reader->words;
    bool in;
    condition->kind = CG_CONDITION_KNOT;
    condition->thread = -1;
    if ((words->word.kind != CG_WORD_NAME && words->word.kind != CG_WORD_TEXT) ||
        strlen(words->word.text) >= sizeof condition->knot) {
        return cg_words_complain(words, "the name of a knot, such as overhand, square, \"no knot\" or \"3_1\"");
    }
    memcpy(condition->knot, words->word.text, strlen(words->word.text) + 1);
    if (reader->scene != NULL && cg_scene_thread_count(reader->scene) == 0) {
        return cg_words_complain(words, "no knot: the scene has no thread");
    }
    return cg_words_next(words) && cg_words_take(words, "in", &in) && (!in || read_thread(reader, &condition->thread));
}

static bool read_expect(script_reader *reader, cg_line *line)
{
    bool knot;
    line->kind = CG_LINE_EXPECT;
    line->condition = (cg_condition){.shape = -1};
    return cg_words_take(&reader->words, "knot", &knot) &&
           (knot ? read_knot(reader, &line->condition) : read_condition(reader, &line->condition));
}

static bool read_wait(script_reader *reader, cg_line *line)
{
    cg_words *words = &reader->words;
    bool until, comma;
    line->kind = CG_LINE_WAIT;
    line->condition.kind = CG_CONDITION_NEVER;
    line->go_on = true;
    if (!cg_words_take(words, "until", &until)) {
        return false;
    }
    if (!until) {
        return read_time(reader, &line->time);
    }
    line->time = 10;
    line->go_on = false;
    if (!read_condition(reader, &line->condition) || !cg_words_take(words, ",", &comma)) {
        return false;
    }
    if (!comma) {
        return true;
    }
    if (!cg_words_expect(words, "at") || !cg_words_expect(words, "most") || !read_time(reader, &line->time) ||
        !cg_words_take(words, "or", &line->go_on)) {
        return false;
    }
    return !line->go_on || (cg_words_expect(words, "go") && cg_words_expect(words, "on"));
}

static bool read_repeat(script_reader *reader, cg_line *line)
{
    int place = (int)(line - reader->script->lines);
    cg_words *words = &reader->words;
    double number;
    cg_word at = words->word;
    line->kind = CG_LINE_REPEAT;
    if (reader->depth == CG_SCRIPT_NESTING) {
        return cg_words_complain(words, "fewer repeats inside each other");
    }
    if (!cg_words_quantity(words, "", &number)) {
        return false;
    }
    if (!(number >= 1 && number <= CG_SCRIPT_TURNS) || number != (double)(int)number) {
        return cg_scene_error_at(words->error, at.line, at.column, "found %g times; expected a whole number, 1 to %d",
                                 number, CG_SCRIPT_TURNS);
    }
    line->number = (int)number;
    reader->open_repeats[reader->depth++] = place;
    return cg_words_expect(words, "times") && read_until(reader, &line->condition);
}

static bool read_end(script_reader *reader, cg_line *line)
{
    int place = (int)(line - reader->script->lines);
    line->kind = CG_LINE_END;
    if (reader->depth == 0) {
        return cg_scene_error_at(reader->words.error, line->line, line->column,
                                 "found the end of nothing; expected a repeat before it");
    }
    line->partner = reader->open_repeats[--reader->depth];
    reader->script->lines[line->partner].partner = place;
    return true;
}

static bool read_line(script_reader *reader)
{
    static const struct {
        const char *word;
        bool (*read)(script_reader *reader, cg_line *line);
    } kinds[] = {{"step", read_step},         {"wait", read_wait},     {"repeat", read_repeat},
                 {"end", read_end},           {"expect", read_expect}, {"cut", read_cut},
                 {"separate", read_separate}, {"merge", read_merge},   {"look", read_look}};
    cg_words *words = &reader->words;
    cg_script *script = reader->script;
    if (script->line_count == CG_SCRIPT_LINES) {
        return cg_words_complain(words, "no more lines than there are already");
    }
    cg_line *line = &script->lines[script->line_count++];
    *line = (cg_line){.line = words->word.line, .column = words->word.column};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (cg_words_is(words, kinds[k].word)) {
            return cg_words_next(words) && kinds[k].read(reader, line);
        }
    }
    return read_actions(reader, line);
}

static bool read_all(script_reader *reader, const char *text, size_t size, cg_scene_error *error)
{
    if (size > CG_SCRIPT_BYTES || !cg_utf8_is_valid(text, size)) {
        return cg_scene_error_at(error, 1, 1, "found %s; expected a text in UTF-8 of at most %d bytes",
                                 size > CG_SCRIPT_BYTES ? "a longer text" : "bytes that are no text", CG_SCRIPT_BYTES);
    }
    if (!cg_words_begin(&reader->words, text, size, error)) {
        return false;
    }
    if (reader->scene != NULL && cg_scene_thread_count(reader->scene) > 0) {
        reader->words.radius = cg_scene_thread_radius(reader->scene, 0);
        reader->words.length = cg_scene_thread_length(reader->scene, 0);
    }
    while (skip_ends_of_lines(reader) && reader->words.word.kind != CG_WORD_END_OF_FILE) {
        if (!read_line(reader)) {
            return false;
        }
        cg_word_kind kind = reader->words.word.kind;
        if (kind != CG_WORD_END_OF_LINE && kind != CG_WORD_END_OF_FILE) {
            return cg_words_complain(&reader->words, "the end of the line");
        }
    }
    if (reader->words.word.kind == CG_WORD_END_OF_FILE && reader->depth > 0) {
        const cg_line *open = &reader->script->lines[reader->open_repeats[reader->depth - 1]];
        return cg_scene_error_at(error, open->line, open->column, "found a repeat without an end; expected \"end\"");
    }
    return reader->words.word.kind == CG_WORD_END_OF_FILE;
}

// Memory for as many lines, actions and steps as the text can have.
static bool take_memory(cg_script *script, const char *text, size_t size)
{
    size_t lines = 1, actions = 1;
    for (size_t i = 0; i < size && i < CG_SCRIPT_BYTES; i++) {
        lines += text[i] == '\n';
        actions += text[i] == '\n' || text[i] == ';';
    }
    lines = lines < CG_SCRIPT_LINES ? lines : CG_SCRIPT_LINES;
    actions = actions < CG_SCRIPT_ACTIONS ? actions : CG_SCRIPT_ACTIONS;
    size_t steps = lines < CG_SCRIPT_STEPS ? lines : CG_SCRIPT_STEPS;
    script->lines = cg_memory_take(&script->allocator, lines * sizeof *script->lines);
    script->actions = cg_memory_take(&script->allocator, actions * sizeof *script->actions);
    script->steps = cg_memory_take(&script->allocator, steps * sizeof *script->steps);
    return script->lines != NULL && script->actions != NULL && script->steps != NULL;
}

cg_status cg_script_read(const char *text, size_t size, const char *name, const cg_scene *scene,
                         const cg_script_marks *marks, const cg_allocator *allocator, cg_script **out,
                         cg_scene_error *error)
{
    *out = NULL;
    *error = (cg_scene_error){.line = 1, .column = 1};
    cg_scene_error_file(error, name);
    cg_allocator chosen = allocator != NULL ? *allocator : (cg_allocator){0};
    cg_script *script = cg_memory_take(&chosen, sizeof *script);
    script_reader reader = {.scene = scene, .marks = marks, .script = script};
    if (script != NULL) {
        script->allocator = chosen;
    }
    if (script == NULL || !take_memory(script, text, size)) {
        cg_script_free(script);
        cg_scene_error_at(error, 1, 1, "no memory for the script");
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a script");
    }
    memcpy(script->name, error->file, sizeof script->name);
    if (!read_all(&reader, text, size, error)) {
        cg_script_free(script);
        return cg_error(CG_BAD_INPUT, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
    }
    *out = script;
    return cg_ok();
}

void cg_script_free(cg_script *script)
{
    if (script == NULL) {
        return;
    }
    cg_allocator allocator = script->allocator;
    cg_memory_give(&allocator, script->lines);
    cg_memory_give(&allocator, script->actions);
    cg_memory_give(&allocator, script->steps);
    cg_memory_give(&allocator, script);
}

cg_status cg_script_check(const char *text, size_t size, const char *name, const cg_scene *scene,
                          const cg_allocator *allocator, cg_scene_error *error)
{
    cg_script *script;
    cg_status status = cg_script_read(text, size, name, scene, NULL, allocator, &script, error);
    cg_script_free(script);
    return status;
}
