#include "runner/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void cg_text_add(cg_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t needed = text->size + (size_t)(length > 0 ? length : 0) + 1;
    if (needed > text->room && !text->failed) {
        char *bytes = realloc(text->bytes, 2 * needed);
        text->failed = bytes == NULL;
        text->bytes = bytes ? bytes : text->bytes;
        text->room = bytes ? 2 * needed : text->room;
    }
    if (!text->failed && length > 0) {
        vsnprintf(text->bytes + text->size, text->room - text->size, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
}

void cg_text_free(cg_text *text)
{
    free(text->bytes);
    *text = (cg_text){0};
}
