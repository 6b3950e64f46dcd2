#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Exponents beyond this give zero or infinity for every number that is not longer than CG_NUMBER_LENGTH.
enum { LARGEST_EXPONENT = 100000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t size, size_t at)
{
    while (at < size && is_digit(text[at])) {
        at++;
    }
    return at;
}

// A point and what follows it, an exponent and what follows it.
static cg_number_form scan_tail(const char *text, size_t size, size_t *length)
{
    size_t at = *length;
    if (at < size && text[at] == '.') {
        *length = skip_digits(text, size, at + 1);
        if (*length == at + 1) {
            return CG_NUMBER_POINT;
        }
        at = *length;
    }
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < size && (text[at] == '+' || text[at] == '-');
        *length = skip_digits(text, size, at);
        if (*length == at) {
            return CG_NUMBER_BARE_EXPONENT;
        }
    }
    return CG_NUMBER_FINE;
}

cg_number_form cg_number_scan(const char *text, size_t size, size_t *length)
{
    // One character more than allowed is looked at, to tell a number that ends there from one that does not.
    size_t limit = size < CG_NUMBER_LENGTH + 1 ? size : CG_NUMBER_LENGTH + 1;
    size_t start = limit > 0 && text[0] == '-' ? 1 : 0;
    *length = skip_digits(text, limit, start);
    if (*length == start) {
        return start < limit && text[start] == '.' ? CG_NUMBER_POINT : CG_NUMBER_ABSENT;
    }
    if (text[start] == '0' && *length > start + 1) {
        return CG_NUMBER_LEADING_ZERO;
    }
    cg_number_form form = scan_tail(text, limit, length);
    return *length > CG_NUMBER_LENGTH ? CG_NUMBER_TOO_LONG : form;
}

static int read_exponent(const char *text, size_t length)
{
    bool negative = length > 0 && text[0] == '-';
    int exponent = 0;
    for (size_t i = length > 0 && !is_digit(text[0]) ? 1 : 0; i < length; i++) {
        exponent = exponent < LARGEST_EXPONENT ? 10 * exponent + (text[i] - '0') : exponent;
    }
    return negative ? -exponent : exponent;
}

// digits x 10^exponent. Up to 15 digits and 10^22 are exact doubles, so that one operation rounds correctly; the rest
// is for strtod, which rounds correctly too. Without a point its text means the same in every locale.
static double rounded(const char *digits, int count, int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (count <= 15 && exponent >= -22 && exponent <= 22) {
        int64_t whole = 0;
        for (int i = 0; i < count; i++) {
            whole = 10 * whole + (digits[i] - '0');
        }
        return exponent < 0 ? (double)whole / powers[-exponent] : (double)whole * powers[exponent];
    }
    char text[CG_NUMBER_LENGTH + 32];
    snprintf(text, sizeof text, "%.*se%d", count, digits, exponent);
    return strtod(text, NULL);
}

bool cg_number_value(const char *text, size_t length, int shift, double *value)
{
    assert(length <= CG_NUMBER_LENGTH);
    char digits[CG_NUMBER_LENGTH + 1];
    int count = 0, exponent = shift;
    bool negative = length > 0 && text[0] == '-', behind_point = false;
    for (size_t i = negative ? 1 : 0; i < length; i++) {
        if (text[i] == '.') {
            behind_point = true;
        } else if (!is_digit(text[i])) {
            exponent += read_exponent(text + i + 1, length - i - 1);
            break;
        } else {
            exponent -= behind_point ? 1 : 0;
            if (count > 0 || text[i] != '0') {
                digits[count++] = text[i];
            }
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        count--;
        exponent++;
    }
    double magnitude = count == 0 ? 0.0 : rounded(digits, count, exponent);
    *value = negative ? -magnitude : magnitude;
    return isfinite(*value);
}
