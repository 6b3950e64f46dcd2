// Text in UTF-8.
#ifndef CATGUT_BASE_UTF8_H
#define CATGUT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of the character at `at`, or 0 when it is none: a stray byte, a detour, a surrogate, beyond U+10FFFF.
int cg_utf8_length(const char *at, const char *end);
// True when all of the text is UTF-8.
bool cg_utf8_is_valid(const char *text, size_t size);

#endif
