// Places and sentences of errors in texts of all kinds.
#ifndef CATGUT_BASE_ERRORS_H
#define CATGUT_BASE_ERRORS_H

#include <stdbool.h>

#include "catgut/scene.h"

// The name that errors show for a text; the end of it when it is long.
void cg_scene_error_file(cg_scene_error *error, const char *name);
// Fills place and message of an error and leaves its file as it is. Returns false, so that a reader can end with it.
// Bytes that would spoil a line (control characters) are shown as '?'; a message that is too long ends in "...".
bool cg_scene_error_at(cg_scene_error *error, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
