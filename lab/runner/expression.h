// Small formulas of data experiments: "exp(mu * angle)", "-b * bend / (density * length ^ 3)", "2 * x(-1)".
//
// Numbers, names, + - * / ^ from left to right with the usual precedence (a ^ b ^ c is a ^ (b ^ c)), comparisons that
// give 1 or 0, brackets, and functions of up to three numbers. Everything is a double, worked out in the order in which
// it is written, so a formula gives the bits of the same line of C.
#ifndef CATGUT_RUNNER_EXPRESSION_H
#define CATGUT_RUNNER_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum { CG_FORMULA_ARGUMENTS = 3, CG_FORMULA_NAMES = 96, CG_FORMULA_NAME = 32, CG_FORMULA_DEPTH = 32 };

// Names and what they stand for; one that is set again has the new value.
typedef struct cg_names {
    int count;
    struct {
        char name[CG_FORMULA_NAME];
        double value;
    } at[CG_FORMULA_NAMES];
} cg_names;

// False when there are too many, or the name is too long.
bool cg_names_set(cg_names *names, const char *name, double value);
// NULL when nothing is called so.
const double *cg_names_find(const cg_names *names, const char *name);

// Functions that a formula may call besides its own: false when there is none of that name for so many arguments.
typedef bool (*cg_formula_call)(void *context, const char *name, const double *arguments, int count, double *value);

typedef struct cg_formula_scope {
    const cg_names *names;
    cg_formula_call call; // NULL: none
    void *context;
} cg_formula_scope;

// Works a formula out. On failure `why` says what and at which byte of the text.
bool cg_formula_value(const char *text, const cg_formula_scope *scope, double *value, char *why, size_t room);

#endif
