// A text that grows.
#ifndef CATGUT_RUNNER_TEXT_H
#define CATGUT_RUNNER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Zero-initialise; free when done. `failed`: no memory was left.
typedef struct cg_text {
    char *bytes; // ends with a zero byte; NULL while empty
    size_t size, room;
    bool failed;
} cg_text;

void cg_text_add(cg_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cg_text_free(cg_text *text);

#endif
