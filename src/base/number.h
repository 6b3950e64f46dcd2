// Decimal numbers of text files, read to the nearest double, whatever the locale of the program is.
#ifndef CATGUT_BASE_NUMBER_H
#define CATGUT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// Longer ones are refused: no double needs them, and rounding them takes time.
enum { CG_NUMBER_LENGTH = 400 };

// How a text that should be a number goes on.
typedef enum cg_number_form {
    CG_NUMBER_FINE,
    CG_NUMBER_ABSENT,        // no digit where one must be
    CG_NUMBER_LEADING_ZERO,  // "012"
    CG_NUMBER_POINT,         // "1." or ".5": a point needs digits on both sides
    CG_NUMBER_BARE_EXPONENT, // "1e"
    CG_NUMBER_TOO_LONG       // more than CG_NUMBER_LENGTH characters
} cg_number_form;

// Finds the number as JSON writes it (-12.5e-3) at the start of `size` bytes; *length becomes its length, or where it
// goes wrong.
cg_number_form cg_number_scan(const char *text, size_t size, size_t *length);

// The value of a number that cg_number_scan found, times ten to the power of `shift`, rounded once. False when it is
// too large for a double.
bool cg_number_value(const char *text, size_t length, int shift, double *value);

#endif
