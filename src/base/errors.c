// Places and sentences of errors. What is quoted from a file is untrusted: a message is always one line.
#include "base/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cg_scene_error_file(cg_scene_error *error, const char *name)
{
    size_t length = strlen(name), room = sizeof error->file - 1;
    if (length <= room) {
        memcpy(error->file, name, length + 1);
    } else {
        memcpy(error->file, "...", 3);
        memcpy(error->file + 3, name + length - (room - 3), room - 2);
    }
}

bool cg_scene_error_at(cg_scene_error *error, int line, int column, const char *format, ...)
{
    error->line = line;
    error->column = column;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->message) {
        size_t cut = sizeof error->message - 4;
        // not in the middle of a character
        while (cut > 0 && ((unsigned char)error->message[cut] & 0xC0) == 0x80) {
            cut--;
        }
        memcpy(error->message + cut, "...", 4);
    }
    for (char *c = error->message; *c != '\0'; c++) {
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? '?' : *c;
    }
    return false;
}
