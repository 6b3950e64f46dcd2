// Words and numbers of mesh files.
#include <limits.h>
#include <string.h>

#include "base/number.h"
#include "mesh_files/surface_parts.h"

int cg_cursor_column(const cg_cursor *cursor)
{
    ptrdiff_t column = cursor->at - cursor->line_start + 1;
    return column < INT_MAX ? (int)column : INT_MAX;
}

void cg_cursor_step(cg_cursor *cursor)
{
    char c = *cursor->at++;
    if (c == '\r' && cursor->at < cursor->end && *cursor->at == '\n') {
        cursor->at++;
    }
    if (c == '\r' || c == '\n') {
        cursor->line++;
        cursor->line_start = cursor->at;
    }
}

// Some programs end their text with a zero byte.
static bool is_blank(char c)
{
    return c == '\0' || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

cg_word cg_cursor_next_word(cg_cursor *cursor)
{
    while (cursor->at < cursor->end && is_blank(*cursor->at)) {
        cg_cursor_step(cursor);
    }
    cg_word word = {.text = cursor->at, .line = cursor->line, .column = cg_cursor_column(cursor)};
    while (cursor->at < cursor->end && !is_blank(*cursor->at)) {
        cursor->at++;
    }
    word.length = (size_t)(cursor->at - word.text);
    return word;
}

void cg_cursor_skip_line(cg_cursor *cursor)
{
    int line = cursor->line;
    while (cursor->at < cursor->end && cursor->line == line) {
        cg_cursor_step(cursor);
    }
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool cg_word_is(const cg_word *word, const char *text)
{
    size_t i = 0;
    while (i < word->length && text[i] != '\0' && lower(word->text[i]) == lower(text[i])) {
        i++;
    }
    return i == word->length && text[i] == '\0';
}

bool cg_word_unexpected(const cg_word *word, cg_scene_error *error, const char *expected)
{
    enum { SHOWN = 40 };
    if (word->length == 0) {
        return cg_scene_error_at(error, word->line, word->column, "found the end; expected %s", expected);
    }
    int shown = word->length < SHOWN ? (int)word->length : SHOWN;
    return cg_scene_error_at(error, word->line, word->column, "found \"%.*s%s\"; expected %s", shown, word->text,
                             word->length > SHOWN ? "..." : "", expected);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const cg_word *word, size_t at)
{
    while (at < word->length && is_digit(word->text[at])) {
        at++;
    }
    return at;
}

// Digits with a point anywhere among them or none, then an exponent or none, to the end of the word.
static bool is_number(const cg_word *word)
{
    size_t at = word->length > 0 && (word->text[0] == '-' || word->text[0] == '+') ? 1 : 0, start = at;
    at = skip_digits(word, at);
    size_t digits = at - start;
    if (at < word->length && word->text[at] == '.') {
        start = at + 1;
        at = skip_digits(word, start);
        digits += at - start;
    }
    if (digits > 0 && at < word->length && lower(word->text[at]) == 'e') {
        at++;
        at += at < word->length && (word->text[at] == '-' || word->text[at] == '+') ? 1 : 0;
        start = at;
        at = skip_digits(word, start);
        digits = at - start;
    }
    return digits > 0 && at == word->length && word->length <= CG_NUMBER_LENGTH;
}

bool cg_word_number(const cg_word *word, cg_scene_error *error, const char *expected, double *value)
{
    if (!is_number(word)) {
        return cg_word_unexpected(word, error, expected);
    }
    size_t sign = word->text[0] == '+' ? 1 : 0;
    if (!cg_number_value(word->text + sign, word->length - sign, 0, value)) {
        return cg_word_unexpected(word, error, "a number below 1e308");
    }
    return true;
}

bool cg_word_int(const cg_word *word, cg_scene_error *error, const char *expected, int *value)
{
    size_t at = word->length > 0 && (word->text[0] == '-' || word->text[0] == '+') ? 1 : 0;
    long long sum = 0;
    if (skip_digits(word, at) != word->length || word->length == at || word->length > 12) {
        return cg_word_unexpected(word, error, expected);
    }
    for (size_t i = at; i < word->length; i++) {
        sum = 10 * sum + (word->text[i] - '0');
    }
    if (sum > INT_MAX) {
        return cg_word_unexpected(word, error, expected);
    }
    *value = word->text[0] == '-' ? (int)-sum : (int)sum;
    return true;
}
