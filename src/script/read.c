// The grammar of scripts. docs/scripts.md has it in words; here as it is read, one line at a time, when its parts have
// been written out (parts.c):
//
//     script     {part TEXT [with NAME {, NAME}]  ...  end  |  do TEXT [mirrored] [with VALUE {, VALUE}]  |  line}
//     line       step TEXT [: TEXT]
//                act {; act} [until condition]
//                cut tissue from place to place down VECTOR  |  separate tissue at place  |  merge tissue
//                look from place at place
//                expect condition  |  expect knot NAME|TEXT [in thread]  |  expect throws TEXT [in thread]
//                wait TIME  |  wait until condition [, at most TIME [or go on]]
//                repeat NUMBER times [until condition]  ...  end
//                try NUMBER times [: TEXT]  ...  [again  ...]  end
//     act        hand move to place [turn] in TIME      hand move by VECTOR [of hand] [turn] in TIME
//                hand circle ANGLE around place about DIRECTION [moving VECTOR] [turn] in TIME
//                hand wrap ANGLE around hand [at LENGTH] [to LENGTH ahead|behind] [turn] in TIME
//                hand turn ANGLE about DIRECTION in TIME   hand turn back in TIME   hand close   hand open
//                hand take grasper|probe|scalpel|hook|needle_driver|forceps|scissors
//                hand jaws to NUMBER [with FORCE]
//     turn       turning ANGLE about DIRECTION
//     place      base {(+|-) VECTOR [of hand]}
//     base       VECTOR  |  start|middle|end of shared  |  NUMBER of shared  |  LENGTH along thread  |  shape TEXT
//                |  hand
//     shared     thread  |  body TEXT
//     thread     thread [TEXT]
//     condition  force|lag of hand above|below QUANTITY  |  distance from place to place above|below LENGTH
//                thread touches|leaves itself | thread TEXT | shape TEXT  |  hand holds nothing|thread|tissue|body
//                turns of thread around hand above|below NUMBER
//                opening of hand above|below NUMBER  |  force of stitches above|below FORCE
//                gap|step of tissue at place along DIRECTION above|below LENGTH  |  tear of tissue above|below LENGTH
//                holes of thread above|below NUMBER  |  thread is parted|whole
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/utf8.h"
#include "scene/json.h"
#include "script/reader.h"

static bool skip_ends_of_lines(cg_script_reader *reader)
{
    while (reader->words.word.kind == CG_WORD_END_OF_LINE) {
        if (!cg_words_next(&reader->words)) {
            return false;
        }
    }
    return true;
}

static bool read_actions(cg_script_reader *reader, cg_line *line)
{
    cg_script *script = reader->script;
    line->kind = CG_LINE_ACT;
    line->first_action = script->action_count;
    bool more = true;
    while (more) {
        if (script->action_count == CG_SCRIPT_ACTIONS) {
            return cg_words_complain(&reader->words, "no more actions than there are already");
        }
        if (!cg_script_read_action(reader, &script->actions[script->action_count])) {
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
    return cg_script_read_until(reader, &line->condition);
}

static bool read_step(cg_script_reader *reader, cg_line *line)
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

static bool read_cut(cg_script_reader *reader, cg_line *line)
{
    cg_words *words = &reader->words;
    line->kind = CG_LINE_EDIT;
    line->edit = CG_OPERATION_cut;
    return cg_script_read_tissue(reader, &line->tissue) && cg_words_expect(words, "from") &&
           cg_script_read_place(reader, &line->places[0]) && cg_words_expect(words, "to") &&
           cg_script_read_place(reader, &line->places[1]) && cg_words_expect(words, "down") &&
           cg_words_vector(words, "m", &line->down);
}

static bool read_separate(cg_script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_EDIT;
    line->edit = CG_OPERATION_separate;
    return cg_script_read_tissue(reader, &line->tissue) && cg_words_expect(&reader->words, "at") &&
           cg_script_read_place(reader, &line->places[0]);
}

static bool read_merge(cg_script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_EDIT;
    line->edit = CG_OPERATION_merge;
    return cg_script_read_tissue(reader, &line->tissue);
}

static bool read_look(cg_script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_LOOK;
    return cg_words_expect(&reader->words, "from") && cg_script_read_place(reader, &line->places[0]) &&
           cg_words_expect(&reader->words, "at") && cg_script_read_place(reader, &line->places[1]);
}

static bool has_threads(const cg_script_reader *reader)
{
    return reader->scene == NULL || cg_scene_thread_count(reader->scene) > 0 ||
           cg_words_complain(&reader->words, "no knot: the scene has no thread");
}

// [in thread]: without one those of the scene, when there are two, else the first
static bool read_in_thread(cg_script_reader *reader, cg_condition *condition)
{
    bool in;
    condition->thread = -1;
    return cg_words_take(&reader->words, "in", &in) && (!in || cg_script_read_thread(reader, &condition->thread));
}

// knot NAME [in thread], throws TEXT [in thread]
static bool read_knot(cg_script_reader *reader, cg_condition *condition, cg_condition_kind kind)
{
    cg_words *words = &reader->words;
    bool by_throws = kind == CG_CONDITION_THROWS;
    condition->kind = kind;
    if ((words->word.kind != CG_WORD_TEXT && (words->word.kind != CG_WORD_NAME || by_throws)) ||
        strlen(words->word.text) >= sizeof condition->knot) {
        return cg_words_complain(words, by_throws
                                            ? "throws in quotes, such as \"1=1\" or \"2=1=1\""
                                            : "the name of a knot, such as overhand, square, \"no knot\" or \"3_1\"");
    }
    memcpy(condition->knot, words->word.text, strlen(words->word.text) + 1);
    return has_threads(reader) && cg_words_next(words) && read_in_thread(reader, condition);
}

// holds above FORCE [in thread], holds below FORCE [in thread]: of a pull test
static bool read_holds(cg_script_reader *reader, cg_condition *condition)
{
    condition->kind = CG_CONDITION_HOLDS;
    return has_threads(reader) && cg_script_read_limit(reader, "N", condition) && read_in_thread(reader, condition);
}

static bool read_expect(cg_script_reader *reader, cg_line *line)
{
    bool knot, throws, holds;
    line->kind = CG_LINE_EXPECT;
    line->condition = (cg_condition){.shape = -1};
    if (!cg_words_take(&reader->words, "knot", &knot) || (!knot && !cg_words_take(&reader->words, "throws", &throws))) {
        return false;
    }
    if (knot || throws) {
        return read_knot(reader, &line->condition, knot ? CG_CONDITION_KNOT : CG_CONDITION_THROWS);
    }
    if (!cg_words_take(&reader->words, "holds", &holds)) {
        return false;
    }
    return holds ? read_holds(reader, &line->condition) : cg_script_read_condition(reader, &line->condition);
}

static bool read_wait(cg_script_reader *reader, cg_line *line)
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
        return cg_script_read_time(reader, &line->time);
    }
    line->time = 10;
    line->go_on = false;
    if (!cg_script_read_condition(reader, &line->condition) || !cg_words_take(words, ",", &comma)) {
        return false;
    }
    if (!comma) {
        return true;
    }
    if (!cg_words_expect(words, "at") || !cg_words_expect(words, "most") || !cg_script_read_time(reader, &line->time) ||
        !cg_words_take(words, "or", &line->go_on)) {
        return false;
    }
    return !line->go_on || (cg_words_expect(words, "go") && cg_words_expect(words, "on"));
}

// NUMBER times, of a repeat or a try, which is open from here on.
static bool read_times(cg_script_reader *reader, cg_line *line)
{
    cg_words *words = &reader->words;
    double number;
    cg_word at = words->word;
    if (reader->depth == CG_SCRIPT_NESTING) {
        return cg_words_complain(words, "fewer repeats and tries inside each other");
    }
    if (!cg_words_quantity(words, "", &number)) {
        return false;
    }
    if (!(number >= 1 && number <= CG_SCRIPT_TURNS) || number != (double)(int)number) {
        return cg_scene_error_at(words->error, at.line, at.column, "found %g times; expected a whole number, 1 to %d",
                                 number, CG_SCRIPT_TURNS);
    }
    line->number = (int)number;
    reader->open_repeats[reader->depth++] = (int)(line - reader->script->lines);
    return cg_words_expect(words, "times");
}

static bool read_repeat(cg_script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_REPEAT;
    return read_times(reader, line) && cg_script_read_until(reader, &line->condition);
}

static bool read_try(cg_script_reader *reader, cg_line *line)
{
    cg_words *words = &reader->words;
    bool colon;
    line->kind = CG_LINE_TRY;
    if (!read_times(reader, line) || !cg_words_take(words, ":", &colon)) {
        return false;
    }
    if (!colon) {
        return true;
    }
    if (words->word.kind != CG_WORD_TEXT || strlen(words->word.text) >= sizeof line->reason) {
        return cg_words_complain(words, "why it is tried again, in quotes, at most 119 bytes");
    }
    memcpy(line->reason, words->word.text, strlen(words->word.text) + 1);
    return cg_words_next(words);
}

static bool read_again(cg_script_reader *reader, cg_line *line)
{
    line->kind = CG_LINE_AGAIN;
    cg_line *open = reader->depth > 0 ? &reader->script->lines[reader->open_repeats[reader->depth - 1]] : NULL;
    if (open == NULL || open->kind != CG_LINE_TRY || open->again > 0) {
        return cg_scene_error_at(reader->words.error, line->line, line->column,
                                 "found \"again\" where nothing is tried; expected it once, between a try and its end");
    }
    line->partner = (int)(open - reader->script->lines);
    open->again = (int)(line - reader->script->lines);
    return true;
}

static bool read_end(cg_script_reader *reader, cg_line *line)
{
    int place = (int)(line - reader->script->lines);
    line->kind = CG_LINE_END;
    if (reader->depth == 0) {
        return cg_scene_error_at(reader->words.error, line->line, line->column,
                                 "found the end of nothing; expected a repeat or try before it");
    }
    line->partner = reader->open_repeats[--reader->depth];
    reader->script->lines[line->partner].partner = place;
    return true;
}

static bool read_line(cg_script_reader *reader)
{
    static const struct {
        const char *word;
        bool (*read)(cg_script_reader *reader, cg_line *line);
    } kinds[] = {{"step", read_step},     {"wait", read_wait}, {"repeat", read_repeat},     {"end", read_end},
                 {"expect", read_expect}, {"cut", read_cut},   {"separate", read_separate}, {"merge", read_merge},
                 {"look", read_look},     {"try", read_try},   {"again", read_again}};
    cg_words *words = &reader->words;
    cg_script *script = reader->script;
    if (script->line_count == CG_SCRIPT_LINES) {
        return cg_words_complain(words, "no more lines than there are already");
    }
    cg_line *line = &script->lines[script->line_count++];
    *line = (cg_line){.line = words->word.line, .column = words->word.column};
    if (words->word.from != NULL) {
        line->trail = words->word.from->trail;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (cg_words_is(words, kinds[k].word)) {
            return cg_words_next(words) && kinds[k].read(reader, line);
        }
    }
    return read_actions(reader, line);
}

// [m] radius of the first needle of the scene, 0 without one.
static double first_needle(const cg_scene *scene)
{
    double radius = 0;
    for (int i = 0; i < cg_scene_body_count(scene) && radius == 0; i++) {
        radius = cg_scene_needle_radius(scene, i);
    }
    return radius;
}

static bool read_lines(cg_script_reader *reader)
{
    cg_words *words = &reader->words;
    if (reader->scene != NULL && cg_scene_thread_count(reader->scene) > 0) {
        words->radius = cg_scene_thread_radius(reader->scene, 0);
        words->length = cg_scene_thread_length(reader->scene, 0);
    }
    if (reader->scene != NULL) {
        words->needle = first_needle(reader->scene);
    }
    while (skip_ends_of_lines(reader) && words->word.kind != CG_WORD_END_OF_FILE) {
        if (!read_line(reader)) {
            return false;
        }
        if (words->word.kind != CG_WORD_END_OF_LINE && words->word.kind != CG_WORD_END_OF_FILE) {
            return cg_words_complain(words, "the end of the line");
        }
    }
    if (words->word.kind == CG_WORD_END_OF_FILE && reader->depth > 0) {
        const cg_line *open = &reader->script->lines[reader->open_repeats[reader->depth - 1]];
        return cg_scene_error_at(words->error, open->line, open->column, "found a %s without an end; expected \"end\"",
                                 open->kind == CG_LINE_TRY ? "try" : "repeat");
    }
    return words->word.kind == CG_WORD_END_OF_FILE;
}

// Memory for as many lines, actions and steps as the text can have.
static bool take_memory(cg_script *script, const char *text, size_t size)
{
    size_t lines = 1, actions = 1;
    for (size_t i = 0; i < size; i++) {
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

static cg_status refuse(const cg_scene_error *error)
{
    return cg_error(CG_BAD_INPUT, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
}

static cg_status no_memory(cg_scene_error *error)
{
    cg_scene_error_at(error, 1, 1, "no memory for the script");
    return cg_error(CG_OUT_OF_MEMORY, "no memory for a script");
}

// Reads a text without parts, or whose parts are written out.
static cg_status read_text(cg_script_reader *reader, const char *text, size_t size, const cg_written *written,
                           cg_scene_error *error)
{
    cg_words *words = &reader->words;
    if (!take_memory(reader->script, text, size)) {
        return no_memory(error);
    }
    bool begun =
        written != NULL ? cg_words_begin_written(words, written, error) : cg_words_begin(words, text, size, error);
    if (begun && read_lines(reader)) {
        return cg_ok();
    }
    if (words->word.from != NULL) {
        cg_script_tell_trail(&words->word.from->trail, error);
    }
    return refuse(error);
}

static cg_status read_parts_and_lines(cg_script_reader *reader, const char *text, size_t size, cg_scene_error *error)
{
    const cg_allocator *allocator = &reader->script->allocator;
    if (size > CG_SCRIPT_BYTES || !cg_utf8_is_valid(text, size)) {
        cg_scene_error_at(error, 1, 1, "found %s; expected a text in UTF-8 of at most %d bytes",
                          size > CG_SCRIPT_BYTES ? "a longer text" : "bytes that are no text", CG_SCRIPT_BYTES);
        return refuse(error);
    }
    if (!cg_script_has_parts(text, size)) {
        return read_text(reader, text, size, NULL, error);
    }
    cg_written written;
    cg_status status = cg_script_write_out(text, size, allocator, &written, error);
    if (status.code == CG_OK) {
        status = read_text(reader, written.text, written.size, &written, error);
    }
    cg_script_give_written(allocator, &written);
    return status;
}

cg_status cg_script_read(const char *text, size_t size, const char *name, const cg_scene *scene,
                         const cg_script_marks *marks, const cg_allocator *allocator, cg_script **out,
                         cg_scene_error *error)
{
    assert(name != NULL && out != NULL);
    *out = NULL;
    *error = (cg_scene_error){.line = 1, .column = 1};
    cg_scene_error_file(error, name);
    cg_allocator chosen = allocator != NULL ? *allocator : (cg_allocator){0};
    cg_script *script = cg_memory_take(&chosen, sizeof *script);
    if (script == NULL) {
        return no_memory(error);
    }
    script->allocator = chosen;
    memcpy(script->name, error->file, sizeof script->name);
    cg_script_reader reader = {.scene = scene, .marks = marks, .script = script};
    cg_status status = read_parts_and_lines(&reader, text, size, error);
    if (status.code != CG_OK) {
        cg_script_free(script);
        return status;
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
