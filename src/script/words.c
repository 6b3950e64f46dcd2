#include "script/words.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/trig.h"
#include "base/utf8.h"
#include "base/vec3.h"
#include "scene/json.h"
#include "scene/units.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool cg_words_is_name_part(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

static char peek(const cg_words *words)
{
    return words->at < words->size ? words->text[words->at] : '\0';
}

static void advance(cg_words *words, size_t bytes)
{
    words->at += bytes;
    words->column += (int)bytes;
}

// The word that begins at the present place of the text, as yet without anything.
static cg_word word_here(const cg_words *words)
{
    const cg_written *written = words->written;
    if (written == NULL) {
        return (cg_word){.line = words->line, .column = words->column};
    }
    const cg_written_line *from = &written->lines[words->line - 1];
    return (cg_word){.line = from->line, .column = written->columns[words->at], .from = from};
}

static bool complain_here(const cg_words *words, const char *what)
{
    cg_word here = word_here(words);
    return cg_scene_error_at(words->error, here.line, here.column, "%s", what);
}

static void skip_blanks(cg_words *words)
{
    while (peek(words) == ' ' || peek(words) == '\t' || peek(words) == '\r') {
        advance(words, 1);
    }
    if (peek(words) == '#') {
        while (words->at < words->size && peek(words) != '\n') {
            advance(words, 1);
        }
    }
}

// Keeps a piece of the text as the word.
static bool keep(cg_words *words, cg_word_kind kind, const char *from, size_t length)
{
    if (length >= CG_WORD_ROOM) {
        return complain_here(words, "found a word of more than 255 bytes; expected a shorter one");
    }
    words->word.kind = kind;
    memcpy(words->word.text, from, length);
    words->word.text[length] = '\0';
    return true;
}

static bool read_text(cg_words *words)
{
    size_t end = words->at + 1;
    while (end < words->size && words->text[end] != '"' && words->text[end] != '\n') {
        end++;
    }
    if (end == words->size || words->text[end] == '\n') {
        return complain_here(words, "found a text without its second quote; expected it in the same line");
    }
    bool good = keep(words, CG_WORD_TEXT, words->text + words->at + 1, end - words->at - 1);
    advance(words, end + 1 - words->at);
    return good;
}

static bool read_number(cg_words *words)
{
    size_t length;
    const char *from = words->text + words->at;
    if (cg_number_scan(from, words->size - words->at, &length) != CG_NUMBER_FINE ||
        !cg_number_value(from, length, 0, &words->word.number)) {
        return complain_here(words, "found something like a number; expected one such as 12 or -0.5");
    }
    bool good = keep(words, CG_WORD_NUMBER, from, length);
    advance(words, length);
    return good;
}

static bool read_name(cg_words *words)
{
    size_t end = words->at;
    while (end < words->size && cg_words_is_name_part(words->text[end])) {
        end++;
    }
    bool good = keep(words, CG_WORD_NAME, words->text + words->at, end - words->at);
    advance(words, end - words->at);
    return good;
}

bool cg_words_next(cg_words *words)
{
    assert(words->at <= words->size);
    skip_blanks(words);
    char c = peek(words);
    words->word = word_here(words);
    if (words->at >= words->size) {
        words->word.kind = CG_WORD_END_OF_FILE;
        return true;
    }
    if (c == '\n') {
        words->word.kind = CG_WORD_END_OF_LINE;
        words->at++;
        words->line++;
        words->column = 1;
        return true;
    }
    if (c == '"') {
        return read_text(words);
    }
    bool signed_number = c == '-' && words->at + 1 < words->size && is_digit(words->text[words->at + 1]);
    if (is_digit(c) || signed_number) {
        return read_number(words);
    }
    if (is_letter(c)) {
        return read_name(words);
    }
    if (c != '\0' && strchr("(),;:+-%/", c) != NULL) {
        bool good = keep(words, CG_WORD_MARK, &words->text[words->at], 1);
        advance(words, 1);
        return good;
    }
    return complain_here(words, "found a character that no script has; expected a word, a number or \"a text\"");
}

bool cg_words_begin(cg_words *words, const char *text, size_t size, cg_scene_error *error)
{
    assert(text != NULL || size == 0);
    *words = (cg_words){
        .text = text, .size = size, .line = 1, .column = 1, .radius = 1, .length = 1, .needle = 1, .error = error};
    return cg_words_next(words);
}

static bool begin_at(cg_words *words, const cg_written *written, size_t at, int line, cg_scene_error *error)
{
    *words = (cg_words){.text = written->text,
                        .size = written->size,
                        .at = at,
                        .line = line,
                        .column = 1,
                        .written = written,
                        .radius = 1,
                        .length = 1,
                        .needle = 1,
                        .error = error};
    return cg_words_next(words);
}

bool cg_words_begin_written(cg_words *words, const cg_written *written, cg_scene_error *error)
{
    return begin_at(words, written, 0, 1, error);
}

bool cg_words_begin_line(cg_words *words, const cg_written *written, cg_scene_error *error)
{
    return begin_at(words, written, written->lines[written->line_count - 1].start, written->line_count, error);
}

bool cg_words_is(const cg_words *words, const char *name)
{
    cg_word_kind kind = words->word.kind;
    return (kind == CG_WORD_NAME || kind == CG_WORD_MARK) && strcmp(words->word.text, name) == 0;
}

bool cg_words_take(cg_words *words, const char *name, bool *taken)
{
    assert(name[0] != '\0' && taken != NULL);
    *taken = cg_words_is(words, name);
    return !*taken || cg_words_next(words);
}

bool cg_words_expect(cg_words *words, const char *name)
{
    assert(name[0] != '\0');
    if (cg_words_is(words, name)) {
        return cg_words_next(words);
    }
    char expected[64];
    snprintf(expected, sizeof expected, "\"%s\"", name);
    return cg_words_complain(words, expected);
}

bool cg_words_complain(const cg_words *words, const char *expected)
{
    const cg_word *word = &words->word;
    if (word->kind == CG_WORD_END_OF_LINE || word->kind == CG_WORD_END_OF_FILE) {
        return cg_scene_error_at(words->error, word->line, word->column, "found the end of the %s; expected %s",
                                 word->kind == CG_WORD_END_OF_LINE ? "line" : "script", expected);
    }
    return cg_scene_error_at(words->error, word->line, word->column, "found \"%.60s\"; expected %s", word->text,
                             expected);
}

// The unit behind a number, as one text: "mm", "%", "m/s". Names and marks that follow without a blank belong to it.
static bool read_unit(cg_words *words, char *unit, size_t room)
{
    unit[0] = '\0';
    size_t used = 0;
    while (words->word.kind == CG_WORD_NAME || cg_words_is(words, "%") || cg_words_is(words, "/")) {
        size_t length = strlen(words->word.text);
        if (used + length + 1 > room) {
            return cg_words_complain(words, "a unit such as mm");
        }
        memcpy(unit + used, words->word.text, length + 1);
        used += length;
        bool goes_on = words->at < words->size && (cg_words_is_name_part(peek(words)) || peek(words) == '/');
        if (!cg_words_next(words)) {
            return false;
        }
        if (!goes_on) {
            break;
        }
    }
    return true;
}

static bool is_unit_word(const cg_words *words)
{
    static const char *const others[] = {"of",    "along",  "in",     "at",      "until", "and",   "or",  "times",
                                         "about", "around", "moving", "turning", "above", "below", "end", "with"};
    if (words->word.kind != CG_WORD_NAME) {
        return cg_words_is(words, "%");
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(words->word.text, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

// What one of the unit is in SI. `at` is the number it belongs to.
static bool read_scale(cg_words *words, const char *unit, const cg_word *at, double number, double *value)
{
    char word[64] = "", text[96], message[200];
    if (strcmp(unit, "m") == 0 && (cg_words_is(words, "radii") || cg_words_is(words, "radius"))) {
        *value = number * words->radius;
        return cg_words_next(words);
    }
    if (strcmp(unit, "m") == 0 && (cg_words_is(words, "lengths") || cg_words_is(words, "length"))) {
        *value = number * words->length;
        return cg_words_next(words);
    }
    if (strcmp(unit, "m") == 0 && (cg_words_is(words, "needle_radii") || cg_words_is(words, "needle_radius"))) {
        *value = number * words->needle;
        return words->needle > 0 ? cg_words_next(words)
                                 : cg_words_complain(words, "a unit such as mm: the scene has no needle");
    }
    if (strcmp(unit, "N") == 0 && cg_words_is(words, "MPa")) {
        *value = number * 1e6 * CG_PI * words->radius * words->radius;
        return cg_words_next(words);
    }
    if (is_unit_word(words) && !read_unit(words, word, sizeof word)) {
        return false;
    }
    if (word[0] == '\0' && unit[0] == '\0') {
        *value = number;
        return true;
    }
    snprintf(text, sizeof text, "%.17g%s%s", number, word[0] != '\0' ? " " : "", word);
    return cg_units_read(text, unit, value, message, sizeof message) ||
           cg_scene_error_at(words->error, at->line, at->column, "%s", message);
}

static bool read_plain_number(cg_words *words, double *number)
{
    bool negative = false;
    if (!cg_words_take(words, "-", &negative)) {
        return false;
    }
    if (words->word.kind != CG_WORD_NUMBER) {
        return cg_words_complain(words, "a number");
    }
    *number = negative ? -words->word.number : words->word.number;
    return cg_words_next(words);
}

bool cg_words_quantity(cg_words *words, const char *unit, double *value)
{
    assert(unit != NULL && value != NULL);
    cg_word at = words->word;
    double number = 0;
    return read_plain_number(words, &number) && read_scale(words, unit, &at, number, value);
}

static bool is_mirrored(const cg_word *word)
{
    return word->from != NULL && word->from->mirrored;
}

// What changes its sign in the mirror. A zero does not: no script has one with a minus.
static double opposite(double value)
{
    return 0 - value;
}

bool cg_words_mirrored_angle(cg_words *words, double *value)
{
    cg_word at = words->word;
    if (!cg_words_quantity(words, "rad", value)) {
        return false;
    }
    *value = is_mirrored(&at) ? opposite(*value) : *value;
    return true;
}

// NUMBER {(+|-) NUMBER}
static bool read_sum(cg_words *words, double *sum)
{
    if (!read_plain_number(words, sum)) {
        return false;
    }
    while (cg_words_is(words, "+") || cg_words_is(words, "-")) {
        double sign = cg_words_is(words, "+") ? 1 : -1, number = 0;
        if (!cg_words_next(words) || !read_plain_number(words, &number)) {
            return false;
        }
        *sum += sign * number;
    }
    return true;
}

bool cg_words_vector(cg_words *words, const char *unit, cg_vec3 *value)
{
    assert(unit != NULL && value != NULL);
    cg_word at = words->word;
    double scale = 1;
    if (!cg_words_expect(words, "(") || !read_sum(words, &value->x) || !cg_words_expect(words, ",") ||
        !read_sum(words, &value->y) || !cg_words_expect(words, ",") || !read_sum(words, &value->z) ||
        !cg_words_expect(words, ")")) {
        return false;
    }
    value->y = is_mirrored(&at) ? opposite(value->y) : value->y;
    if (unit[0] != '\0' && !is_unit_word(words)) {
        return cg_scene_error_at(words->error, at.line, at.column,
                                 "found (%g, %g, %g) without a unit; expected one behind it, such as mm", value->x,
                                 value->y, value->z);
    }
    if (unit[0] != '\0' && !read_scale(words, unit, &at, 1, &scale)) {
        return false;
    }
    *value = v3_scale(scale, *value);
    if (!(v3_dot(*value, *value) <= 1e6)) {
        return cg_scene_error_at(words->error, at.line, at.column,
                                 "found a vector longer than 1000; expected a shorter");
    }
    return true;
}

bool cg_words_direction(cg_words *words, cg_vec3 *value)
{
    cg_word at = words->word;
    if (!cg_words_vector(words, "", value)) {
        return false;
    }
    if (!(v3_length(*value) > 1e-9)) {
        return cg_scene_error_at(words->error, at.line, at.column,
                                 "found a direction without length; expected one such as (0, 0, 1)");
    }
    *value = v3_unit_or(*value, v3(0, 0, 1));
    return true;
}

bool cg_words_axis(cg_words *words, cg_vec3 *value)
{
    cg_word at = words->word;
    if (!cg_words_direction(words, value)) {
        return false;
    }
    *value = is_mirrored(&at) ? v3(opposite(value->x), opposite(value->y), opposite(value->z)) : *value;
    return true;
}
