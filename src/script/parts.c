// Writes the parts of a script out, line by line: a line of a part gets the values of its `do`, a `do` is replaced by
// the lines of its part, comments and empty lines are left out. Only first words of lines are looked at here; whether a
// line says something is seen when it is read (read.c).
//
// A part is closed in itself: its `end` is found by the first words of its lines, and values may not change these. Each
// does only parts that are defined before it, so writing ends; and whatever is read counts against the bytes that a
// script may have, so it ends soon, also where parts of nothing do parts of nothing.
#include "script/parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/status.h"
#include "scene/json.h"
#include "script/words.h"

enum {
    MOST_PARTS = 64,
    MOST_PARAMETERS = 8,
    NAME_ROOM = 80,
    PARAMETER_ROOM = 32,
    MOST_WRITTEN_LINES = CG_SCRIPT_LINES + CG_SCRIPT_ACTIONS // an action may have a line of its own
};

// Lines that are yet to be read.
typedef struct source {
    const char *text;
    size_t size, at;
    int line; // the next one
} source;

typedef struct source_line {
    const char *text;
    size_t length; // without a comment and the blanks before it
    size_t bytes;  // with everything
    int number;
} source_line;

typedef struct part {
    char name[NAME_ROOM];
    int line, column;
    char parameters[MOST_PARAMETERS][PARAMETER_ROOM];
    int parameter_count;
    source body;
    bool done;
} part;

// What is being written: the script itself, or a part of it for one `do`.
typedef struct frame {
    const part *part; // NULL: the script itself
    char values[MOST_PARAMETERS][CG_WORD_ROOM];
    bool mirrored;
    cg_script_trail trail;
} frame;

typedef struct writer {
    cg_written *written;
    cg_scene_error *error;
    size_t bytes; // read, of all lines that were written
    part parts[MOST_PARTS];
    int part_count;
    cg_script_trail trail; // of what is being written; when that fails, of the failure
} writer;

// Lines

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool take_line(source *from, source_line *line)
{
    if (from->at >= from->size) {
        return false;
    }
    *line = (source_line){.text = from->text + from->at, .number = from->line++};
    size_t rest = from->size - from->at;
    bool quoted = false, comment = false;
    while (line->bytes < rest && line->text[line->bytes] != '\n') {
        char c = line->text[line->bytes++];
        quoted = quoted != (c == '"');
        comment = comment || (c == '#' && !quoted);
        line->length = comment || is_blank(c) ? line->length : line->bytes;
    }
    line->bytes += line->bytes < rest;
    from->at += line->bytes;
    return true;
}

// First words that say where lines belong; others are 0.
enum { WORD_OTHER, WORD_PART, WORD_DO, WORD_REPEAT, WORD_TRY, WORD_AGAIN, WORD_END };

static int first_word(const char *text, size_t length)
{
    static const char *const words[] = {"", "part", "do", "repeat", "try", "again", "end"};
    size_t from = 0, to;
    while (from < length && is_blank(text[from])) {
        from++;
    }
    for (to = from; to < length && cg_words_is_name_part(text[to]); to++) {
    }
    for (int w = WORD_PART; w <= WORD_END; w++) {
        if (strlen(words[w]) == to - from && memcmp(words[w], text + from, to - from) == 0) {
            return w;
        }
    }
    return WORD_OTHER;
}

// What stands behind a semicolon may be in the next line, whose first word begins no line of the script then.
static bool goes_on(const char *text, size_t length)
{
    return length > 0 && text[length - 1] == ';';
}

static int column_of_first(const source_line *line)
{
    int column = 1;
    for (size_t i = 0; i < line->length && is_blank(line->text[i]); i++) {
        column++;
    }
    return column;
}

static bool complain_of_line(const writer *w, const source_line *line, const char *what)
{
    return cg_scene_error_at(w->error, line->number, column_of_first(line), "%s", what);
}

bool cg_script_has_parts(const char *text, size_t size)
{
    source from = {.text = text, .size = size};
    source_line line;
    while (take_line(&from, &line)) {
        int word = first_word(line.text, line.length);
        if (word == WORD_PART || word == WORD_DO) {
            return true;
        }
    }
    return false;
}

// Writing

static bool put(writer *w, char c, int line, int column)
{
    cg_written *written = w->written;
    if (written->size == CG_SCRIPT_BYTES) {
        return cg_scene_error_at(w->error, line, column,
                                 "found more than %d bytes when parts are written out; expected a shorter script",
                                 CG_SCRIPT_BYTES);
    }
    written->columns[written->size] = column;
    written->text[written->size++] = c;
    return true;
}

static int find_parameter(const part *p, const char *name, size_t length)
{
    for (int i = 0; i < p->parameter_count; i++) {
        if (strlen(p->parameters[i]) == length && memcmp(p->parameters[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

static bool complain_of_parameter(const writer *w, const part *p, const char *name, int length, int line, int column)
{
    char word[PARAMETER_ROOM];
    const char *candidates[MOST_PARAMETERS];
    for (int i = 0; i < p->parameter_count; i++) {
        candidates[i] = p->parameters[i];
    }
    snprintf(word, sizeof word, "%.*s", length, name);
    const char *nearest = cg_nearest_word(word, candidates, p->parameter_count);
    return cg_scene_error_at(w->error, line, column, "part \"%.60s\" has no parameter \"%s\"%s%s%s", p->name, word,
                             nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                             nearest != NULL ? "\"?" : "");
}

// Writes a value for the parameter in braces at *at, which goes on to the closing one. It stands at one place.
static bool put_value(writer *w, const source_line *line, const frame *f, bool quoted, size_t *at)
{
    const char *name = line->text + *at + 1;
    int column = (int)*at + 1;
    const char *brace = memchr(name, '}', line->length - *at - 1);
    if (brace == NULL) {
        return cg_scene_error_at(w->error, line->number, column,
                                 "found a brace; expected the name of a parameter and a second brace behind it");
    }
    int parameter = find_parameter(f->part, name, (size_t)(brace - name));
    if (parameter < 0) {
        return complain_of_parameter(w, f->part, name, (int)(brace - name), line->number, column);
    }
    const char *value = f->values[parameter];
    if (!quoted && strpbrk(value, "#;") != NULL) {
        return cg_scene_error_at(w->error, line->number, column,
                                 "found the value \"%.60s\" outside of quotes; expected none with # or ;", value);
    }
    for (; *value != '\0'; value++) {
        if (!put(w, *value, line->number, column)) {
            return false;
        }
    }
    *at = (size_t)(brace - line->text);
    return true;
}

static bool put_characters(writer *w, const source_line *line, const frame *f)
{
    bool quoted = false;
    for (size_t i = 0; i < line->length; i++) {
        quoted = quoted != (line->text[i] == '"');
        bool value = line->text[i] == '{' && f->part != NULL;
        if (value ? !put_value(w, line, f, quoted, &i) : !put(w, line->text[i], line->number, (int)i + 1)) {
            return false;
        }
    }
    return true;
}

// Takes back the line that was written last.
static void take_back(cg_written *written)
{
    written->size = written->lines[--written->line_count].start;
}

// Writes a line, unless it is empty; *length is that of what was written, without its end.
static bool put_line(writer *w, const source_line *line, const frame *f, size_t *length)
{
    cg_written *written = w->written;
    *length = 0;
    w->bytes += line->bytes;
    if (w->bytes > CG_SCRIPT_BYTES || written->line_count == MOST_WRITTEN_LINES) {
        return cg_scene_error_at(w->error, line->number, 1,
                                 "found more than %d bytes or %d lines when parts are written out; expected a shorter "
                                 "script",
                                 CG_SCRIPT_BYTES, MOST_WRITTEN_LINES);
    }
    written->lines[written->line_count++] =
        (cg_written_line){.start = written->size, .line = line->number, .mirrored = f->mirrored, .trail = f->trail};
    if (!put_characters(w, line, f)) {
        return false;
    }
    const char *text = written->text + written->lines[written->line_count - 1].start;
    for (const char *c = text; c < written->text + written->size; c++) {
        *length = is_blank(*c) ? *length : (size_t)(c - text) + 1;
    }
    if (*length == 0) {
        take_back(written);
        return true;
    }
    if (first_word(text, *length) != first_word(line->text, line->length) ||
        goes_on(text, *length) != goes_on(line->text, line->length)) {
        return complain_of_line(
            w, line,
            "found a line that a value gives another first word or end; expected repeat, try, again, "
            "end, do and ; in the part itself");
    }
    return put(w, '\n', line->number, (int)line->length + 1);
}

// Definitions

static bool is_end_of_line(const cg_words *words)
{
    return words->word.kind == CG_WORD_END_OF_LINE || cg_words_complain(words, "the end of the line");
}

static bool read_parameter(cg_words *words, part *p)
{
    size_t length = strlen(words->word.text);
    if (words->word.kind != CG_WORD_NAME || length >= PARAMETER_ROOM) {
        return cg_words_complain(words, "the name of a parameter, a word of at most 31 bytes");
    }
    if (find_parameter(p, words->word.text, length) >= 0 || p->parameter_count == MOST_PARAMETERS) {
        return cg_words_complain(words, "another parameter, and at most 8 of them");
    }
    memcpy(p->parameters[p->parameter_count++], words->word.text, length + 1);
    return cg_words_next(words);
}

static part *find_part(writer *w, const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(w->parts[i].name, name) == 0) {
            return &w->parts[i];
        }
    }
    return NULL;
}

// part TEXT [with NAME {, NAME}]
static bool read_head(writer *w, cg_words *words, part *p)
{
    bool more;
    *p = (part){.line = words->word.line, .column = words->word.column};
    if (w->part_count == MOST_PARTS) {
        return cg_words_complain(words, "no more than 64 parts");
    }
    if (!cg_words_next(words)) {
        return false;
    }
    size_t length = strlen(words->word.text);
    if (words->word.kind != CG_WORD_TEXT || length == 0 || length >= NAME_ROOM) {
        return cg_words_complain(words, "the name of the part in quotes, at most 79 bytes");
    }
    if (find_part(w, words->word.text, w->part_count) != NULL) {
        return cg_words_complain(words, "a name that no other part has");
    }
    memcpy(p->name, words->word.text, length + 1);
    if (!cg_words_next(words) || !cg_words_take(words, "with", &more)) {
        return false;
    }
    while (more) {
        if (!read_parameter(words, p) || !cg_words_take(words, ",", &more)) {
            return false;
        }
    }
    return is_end_of_line(words);
}

// Finds the lines of a part: up to the `end` that is none of a repeat or try inside of it.
static bool take_body(writer *w, source *from, part *p)
{
    int depth = 0;
    bool going_on = false;
    source_line line;
    p->body = *from;
    for (size_t before = from->at; take_line(from, &line); before = from->at) {
        int word = going_on ? WORD_OTHER : first_word(line.text, line.length);
        if (word == WORD_PART) {
            return complain_of_line(w, &line, "found a part inside of a part; expected \"end\" before it");
        }
        if (word == WORD_AGAIN && depth == 0) {
            return complain_of_line(w, &line, "found \"again\"; expected it in the part that has its try");
        }
        if (word == WORD_END && depth-- == 0) {
            p->body.size = before;
            return column_of_first(&line) + 2 == (int)line.length ||
                   complain_of_line(w, &line, "found more than \"end\"; expected the end of the line behind it");
        }
        depth += word == WORD_REPEAT || word == WORD_TRY;
        going_on = line.length > 0 ? goes_on(line.text, line.length) : going_on;
    }
    return cg_scene_error_at(w->error, p->line, p->column, "found a part without an end; expected \"end\"");
}

// Takes the definition that begins with the line that was written last.
static bool define(writer *w, source *from)
{
    cg_words words;
    part p;
    bool good = cg_words_begin_line(&words, w->written, w->error) && read_head(w, &words, &p) && take_body(w, from, &p);
    take_back(w->written);
    if (good) {
        w->parts[w->part_count++] = p;
    }
    return good;
}

// Doing

static bool complain_of_part(writer *w, const cg_words *words, const frame *f)
{
    const char *candidates[MOST_PARTS];
    if (f->part != NULL && find_part(w, words->word.text, w->part_count) != NULL) {
        return cg_words_complain(words, "a part that is defined before the one that does it");
    }
    for (int i = 0; i < w->part_count; i++) {
        candidates[i] = w->parts[i].name;
    }
    const char *nearest = cg_nearest_word(words->word.text, candidates, w->part_count);
    return cg_scene_error_at(w->error, words->word.line, words->word.column,
                             "there is no part \"%.60s\" before this line%s%s%s", words->word.text,
                             nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                             nearest != NULL ? "\"?" : "");
}

// [with VALUE {, VALUE}]: as many as the part has parameters
static bool read_values(writer *w, cg_words *words, const part *p, frame *f)
{
    cg_word at = words->word;
    bool more;
    int count = 0;
    if (!cg_words_take(words, "with", &more)) {
        return false;
    }
    while (more) {
        cg_word_kind kind = words->word.kind;
        if (kind != CG_WORD_TEXT && kind != CG_WORD_NAME && kind != CG_WORD_NUMBER) {
            return cg_words_complain(words, "a value: a text in quotes, a word or a number");
        }
        if (count < p->parameter_count) {
            memcpy(f->values[count], words->word.text, sizeof f->values[count]);
        }
        count++;
        if (!cg_words_next(words) || !cg_words_take(words, ",", &more)) {
            return false;
        }
    }
    return count == p->parameter_count ||
           cg_scene_error_at(w->error, at.line, at.column, "found %d value%s for part \"%.60s\"; expected %d", count,
                             count == 1 ? "" : "s", p->name, p->parameter_count);
}

// do TEXT [mirrored] [with VALUE {, VALUE}]
static bool read_do(writer *w, cg_words *words, const frame *outer, part **p, frame *f)
{
    bool mirrored;
    *f = (frame){.trail = outer->trail};
    if (f->trail.depth == CG_SCRIPT_NESTING) {
        return cg_words_complain(words, "fewer parts inside each other");
    }
    f->trail.lines[f->trail.depth++] = words->word.line;
    if (!cg_words_next(words)) {
        return false;
    }
    if (words->word.kind != CG_WORD_TEXT) {
        return cg_words_complain(words, "the name of a part in quotes");
    }
    *p = find_part(w, words->word.text, outer->part != NULL ? (int)(outer->part - w->parts) : w->part_count);
    if (*p == NULL) {
        return complain_of_part(w, words, outer);
    }
    if (!cg_words_next(words) || !cg_words_take(words, "mirrored", &mirrored)) {
        return false;
    }
    f->part = *p;
    f->mirrored = outer->mirrored != mirrored;
    return read_values(w, words, *p, f) && is_end_of_line(words);
}

static bool put_lines(writer *w, source from, const frame *f);

// Does what the line says that was written last.
static bool do_part(writer *w, const frame *outer)
{
    cg_words words;
    part *p;
    frame f;
    bool good = cg_words_begin_line(&words, w->written, w->error) && read_do(w, &words, outer, &p, &f);
    take_back(w->written);
    if (!good) {
        return false;
    }
    p->done = true;
    return put_lines(w, p->body, &f);
}

static bool put_lines(writer *w, source from, const frame *f)
{
    bool going_on = false;
    cg_script_trail before = w->trail;
    source_line line;
    size_t length;
    w->trail = f->trail;
    while (take_line(&from, &line)) {
        if (!put_line(w, &line, f, &length)) {
            return false;
        }
        int word = going_on ? WORD_OTHER : first_word(line.text, length > 0 ? line.length : 0);
        if ((word == WORD_PART && !define(w, &from)) || (word == WORD_DO && !do_part(w, f))) {
            return false;
        }
        going_on = length > 0 ? goes_on(line.text, line.length) : going_on;
    }
    w->trail = before;
    return true;
}

// Nobody would read what is in a part that is never done.
static bool are_all_done(const writer *w)
{
    for (int i = 0; i < w->part_count; i++) {
        if (!w->parts[i].done) {
            return cg_scene_error_at(w->error, w->parts[i].line, w->parts[i].column,
                                     "found the part \"%.60s\", which no line does; expected do \"%.60s\" behind it",
                                     w->parts[i].name, w->parts[i].name);
        }
    }
    return true;
}

static bool write_all(writer *w, const char *text, size_t size)
{
    cg_written *written = w->written;
    frame whole = {.part = NULL};
    int lines = 1;
    if (!put_lines(w, (source){.text = text, .size = size, .line = 1}, &whole) || !are_all_done(w)) {
        cg_script_tell_trail(&w->trail, w->error);
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    written->lines[written->line_count] = (cg_written_line){.start = written->size, .line = lines};
    written->columns[written->size] = 1;
    return true;
}

cg_status cg_script_write_out(const char *text, size_t size, const cg_allocator *allocator, cg_written *written,
                              cg_scene_error *error)
{
    assert(text != NULL && written != NULL);
    writer *w = cg_memory_take(allocator, sizeof *w);
    *written = (cg_written){
        .text = cg_memory_take(allocator, CG_SCRIPT_BYTES),
        .columns = cg_memory_take(allocator, (CG_SCRIPT_BYTES + 1) * sizeof *written->columns),
        .lines = cg_memory_take(allocator, (MOST_WRITTEN_LINES + 1) * sizeof *written->lines),
    };
    cg_status status = cg_ok();
    if (w == NULL || written->text == NULL || written->columns == NULL || written->lines == NULL) {
        cg_scene_error_at(error, 1, 1, "no memory for the script");
        status = cg_error(CG_OUT_OF_MEMORY, "no memory for a script");
    } else {
        w->written = written;
        w->error = error;
        if (!write_all(w, text, size)) {
            status = cg_error(CG_BAD_INPUT, "%s:%d:%d: %s", error->file, error->line, error->column, error->message);
        }
    }
    cg_memory_give(allocator, w);
    return status;
}

void cg_script_give_written(const cg_allocator *allocator, cg_written *written)
{
    cg_memory_give(allocator, written->text);
    cg_memory_give(allocator, written->columns);
    cg_memory_give(allocator, written->lines);
    *written = (cg_written){0};
}

void cg_script_tell_trail(const cg_script_trail *trail, cg_scene_error *error)
{
    assert(trail->depth >= 0 && trail->depth <= CG_SCRIPT_NESTING);
    char told[CG_SCRIPT_NESTING * 24 + 16];
    size_t used = 0;
    if (trail->depth == 0) {
        return;
    }
    for (int i = trail->depth - 1; i >= 0; i--) {
        used += (size_t)snprintf(told + used, sizeof told - used, "%s line %d", used == 0 ? " (done by" : ", by",
                                 trail->lines[i]);
    }
    used += (size_t)snprintf(told + used, sizeof told - used, ")");
    // The lines are never cut: the rest of a long message is.
    size_t length = strlen(error->message), room = sizeof error->message - 1 - used;
    memcpy(error->message + (length < room ? length : room), told, used + 1);
}
