// Numbers of mesh files, from text or from bytes of either order.
#include <string.h>

#include "mesh_files/volume_parts.h"

cg_stream cg_stream_of(const void *bytes, size_t size, cg_scene_error *error)
{
    const char *text = bytes;
    return (cg_stream){
        .cursor = {.at = text, .end = text + size, .line_start = text, .line = 1}, .begin = text, .error = error};
}

cg_file_place cg_stream_place(const cg_stream *stream)
{
    if (stream->is_binary) {
        return (cg_file_place){1, (int)(stream->cursor.at - stream->begin) + 1};
    }
    return (cg_file_place){stream->cursor.line, cg_cursor_column(&stream->cursor)};
}

size_t cg_stream_left(const cg_stream *stream)
{
    return (size_t)(stream->cursor.end - stream->cursor.at);
}

uint64_t cg_whole_of_bytes(const unsigned char *bytes, int size, bool is_big)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) {
        value = value << 8 | bytes[is_big ? i : size - 1 - i];
    }
    return value;
}

double cg_real_of_bytes(const unsigned char *bytes, int size, bool is_big)
{
    uint64_t bits = cg_whole_of_bytes(bytes, size, is_big);
    if (size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
}

bool cg_stream_skip(cg_stream *stream, size_t bytes, const char *expected)
{
    if (cg_stream_left(stream) < bytes) {
        cg_file_place place = cg_stream_place(stream);
        return cg_scene_error_at(stream->error, place.line, place.column, "found the end; expected %s", expected);
    }
    stream->cursor.at += bytes;
    return true;
}

bool cg_word_whole(const cg_word *word, cg_scene_error *error, const char *expected, int64_t *value)
{
    size_t at = word->length > 0 && (word->text[0] == '-' || word->text[0] == '+') ? 1 : 0;
    if (word->length == at || word->length > at + 18) { // 18 digits fit
        return cg_word_unexpected(word, error, expected);
    }
    int64_t sum = 0;
    for (size_t i = at; i < word->length; i++) {
        if (word->text[i] < '0' || word->text[i] > '9') {
            return cg_word_unexpected(word, error, expected);
        }
        sum = 10 * sum + (word->text[i] - '0');
    }
    *value = word->text[0] == '-' ? -sum : sum;
    return true;
}

bool cg_stream_whole(cg_stream *stream, int bytes, bool is_signed, const char *expected, int64_t *value)
{
    if (!stream->is_binary) {
        cg_word word = cg_cursor_next_word(&stream->cursor);
        return cg_word_whole(&word, stream->error, expected, value);
    }
    const unsigned char *at = (const unsigned char *)stream->cursor.at;
    if (!cg_stream_skip(stream, (size_t)bytes, expected)) {
        return false;
    }
    uint64_t bits = cg_whole_of_bytes(at, bytes, stream->is_big);
    if (is_signed && bytes < 8 && bits >> (8 * bytes - 1) != 0) {
        bits |= UINT64_MAX << (8 * bytes);
    }
    memcpy(value, &bits, sizeof bits);
    return true;
}

bool cg_stream_real(cg_stream *stream, int bytes, const char *expected, double *value)
{
    if (!stream->is_binary) {
        cg_word word = cg_cursor_next_word(&stream->cursor);
        return cg_word_number(&word, stream->error, expected, value);
    }
    const unsigned char *at = (const unsigned char *)stream->cursor.at;
    if (!cg_stream_skip(stream, (size_t)bytes, expected)) {
        return false;
    }
    *value = cg_real_of_bytes(at, bytes, stream->is_big);
    return true;
}

bool cg_stream_point(cg_stream *stream, int bytes, cg_vec3 *point)
{
    return cg_stream_real(stream, bytes, "a coordinate x", &point->x) &&
           cg_stream_real(stream, bytes, "a coordinate y", &point->y) &&
           cg_stream_real(stream, bytes, "a coordinate z", &point->z);
}

cg_word cg_stream_word(cg_stream *stream)
{
    return cg_cursor_next_word(&stream->cursor);
}

bool cg_stream_seek(cg_stream *stream, const char *word)
{
    cg_cursor cursor = stream->cursor;
    size_t length = strlen(word);
    while (cursor.at < cursor.end) {
        const char *found = memchr(cursor.at, word[0], (size_t)(cursor.end - cursor.at));
        if (found == NULL || (size_t)(cursor.end - found) < length) {
            return false;
        }
        bool begins = found == stream->begin || found[-1] == '\n' || found[-1] == '\r' || found[-1] == ' ';
        while (cursor.at < found) { // counts lines
            cg_cursor_step(&cursor);
        }
        if (begins && memcmp(found, word, length) == 0) {
            stream->cursor = cursor;
            return true;
        }
        cg_cursor_step(&cursor);
    }
    return false;
}
