#include "runner/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/elastica.h"
#include "support/special.h"

bool cg_names_set(cg_names *names, const char *name, double value)
{
    int place = 0;
    while (place < names->count && strcmp(names->at[place].name, name) != 0) {
        place++;
    }
    if (place == CG_FORMULA_NAMES || strlen(name) >= CG_FORMULA_NAME) {
        return false;
    }
    if (place == names->count) {
        strcpy(names->at[place].name, name);
        names->count++;
    }
    names->at[place].value = value;
    return true;
}

const double *cg_names_find(const cg_names *names, const char *name)
{
    for (int i = 0; i < names->count; i++) {
        if (strcmp(names->at[i].name, name) == 0) {
            return &names->at[i].value;
        }
    }
    return NULL;
}

typedef struct reader {
    const char *text, *at;
    const cg_formula_scope *scope;
    char *why; // empty as long as all is well
    size_t room;
    int depth;
} reader;

static double refuse(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static double refuse(reader *r, const char *format, ...)
{
    if (r->why[0] == '\0') {
        int used = snprintf(r->why, r->room, "formula \"%.60s\", byte %d: ", r->text, (int)(r->at - r->text) + 1);
        va_list arguments;
        va_start(arguments, format);
        if (used > 0 && (size_t)used < r->room) {
            vsnprintf(r->why + used, r->room - (size_t)used, format, arguments);
        }
        va_end(arguments);
    }
    r->at = r->text + strlen(r->text); // nothing more is read
    return NAN;
}

static bool takes(reader *r, const char *sign)
{
    while (*r->at == ' ') {
        r->at++;
    }
    size_t length = strlen(sign);
    if (strncmp(r->at, sign, length) != 0) {
        return false;
    }
    r->at += length;
    return true;
}

// What formulas may call whatever they are about: functions of numbers alone.
static double tip_drop(double a)
{
    return cg_elastica_tip_load(a).drop;
}
static double tip_draw(double a)
{
    return cg_elastica_tip_load(a).draw;
}
static double weight_drop(double b)
{
    return cg_elastica_own_weight(b, NULL, 0).drop;
}
static double weight_draw(double b)
{
    return cg_elastica_own_weight(b, NULL, 0).draw;
}
static double buckled_load(double angle)
{
    return cg_elastica_buckled(angle).load;
}
static double buckled_height(double angle)
{
    return cg_elastica_buckled(angle).height;
}
static double buckled_sway(double angle)
{
    return cg_elastica_buckled(angle).sway;
}
static double catenary_scale(double span)
{
    return cg_catenary_of_span(span).scale;
}
static double catenary_sag(double span)
{
    return cg_catenary_of_span(span).sag;
}
static double catenary_tension(double span)
{
    return cg_catenary_of_span(span).tension;
}
static double catenary_slope(double span)
{
    return cg_catenary_of_span(span).slope;
}
static double laguerre(double degree, double x)
{
    return cg_laguerre((int)degree, x);
}
static double laguerre_zero(double degree, double n)
{
    return cg_laguerre_zero((int)degree, (int)n);
}
static double bessel_zero(double n)
{
    return cg_bessel_j0_zero((int)n);
}
static double choose(double condition, double yes, double no)
{
    return condition != 0 ? yes : no;
}

static const struct {
    const char *name;
    double (*none)(void);
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
} functions[] = {
    {.name = "sin", .one = sin},
    {.name = "cos", .one = cos},
    {.name = "tan", .one = tan},
    {.name = "asin", .one = asin},
    {.name = "acos", .one = acos},
    {.name = "atan2", .two = atan2},
    {.name = "sinh", .one = sinh},
    {.name = "cosh", .one = cosh},
    {.name = "exp", .one = exp},
    {.name = "log", .one = log},
    {.name = "sqrt", .one = sqrt},
    {.name = "abs", .one = fabs},
    {.name = "floor", .one = floor},
    {.name = "min", .two = fmin},
    {.name = "max", .two = fmax},
    {.name = "hypot", .two = hypot},
    {.name = "choose", .three = choose},
    {.name = "tip_drop", .one = tip_drop},
    {.name = "tip_draw", .one = tip_draw},
    {.name = "weight_drop", .one = weight_drop},
    {.name = "weight_draw", .one = weight_draw},
    {.name = "buckled_load", .one = buckled_load},
    {.name = "buckled_height", .one = buckled_height},
    {.name = "buckled_sway", .one = buckled_sway},
    {.name = "catenary_scale", .one = catenary_scale},
    {.name = "catenary_sag", .one = catenary_sag},
    {.name = "catenary_tension", .one = catenary_tension},
    {.name = "catenary_slope", .one = catenary_slope},
    {.name = "laguerre", .two = laguerre},
    {.name = "laguerre_zero", .two = laguerre_zero},
    {.name = "bessel_zero", .one = bessel_zero},
    {.name = "clamped_free_root", .none = cg_root_of_clamped_free_bar},
};

static bool call_own(const char *name, const double *a, int count, double *value)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0) {
            continue;
        }
        if (count == 0 && functions[i].none) {
            *value = functions[i].none();
        } else if (count == 1 && functions[i].one) {
            *value = functions[i].one(a[0]);
        } else if (count == 2 && functions[i].two) {
            *value = functions[i].two(a[0], a[1]);
        } else if (count == 3 && functions[i].three) {
            *value = functions[i].three(a[0], a[1], a[2]);
        } else {
            return false;
        }
        return true;
    }
    return false;
}

static double read_comparison(reader *r);

static double read_call(reader *r, const char *name)
{
    double arguments[CG_FORMULA_ARGUMENTS], value = NAN;
    int count = 0;
    while (!takes(r, ")")) {
        if (count == CG_FORMULA_ARGUMENTS || (count > 0 && !takes(r, ","))) {
            return refuse(r, "expected ) after what %s is given", name);
        }
        arguments[count++] = read_comparison(r);
        if (r->why[0] != '\0') {
            return NAN;
        }
    }
    const cg_formula_scope *scope = r->scope;
    if (call_own(name, arguments, count, &value) ||
        (scope->call && scope->call(scope->context, name, arguments, count, &value))) {
        return value;
    }
    return refuse(r, "there is no function %s of %d numbers", name, count);
}

static double read_name(reader *r)
{
    char name[CG_FORMULA_NAME];
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_') {
        length++;
    }
    if (length == 0 || length >= sizeof name) {
        return refuse(r, "expected a number, a name or (");
    }
    memcpy(name, r->at, length);
    name[length] = '\0';
    r->at += length;
    if (takes(r, "(")) {
        return read_call(r, name);
    }
    if (strcmp(name, "pi") == 0) {
        return CG_PI;
    }
    const double *value = cg_names_find(r->scope->names, name);
    return value ? *value : refuse(r, "%s is not known", name);
}

static double read_unit(reader *r)
{
    double value;
    if (++r->depth > CG_FORMULA_DEPTH) {
        return refuse(r, "more than %d brackets and signs inside each other", CG_FORMULA_DEPTH);
    }
    while (*r->at == ' ') {
        r->at++;
    }
    if (takes(r, "(")) {
        value = read_comparison(r);
        value = r->why[0] == '\0' && !takes(r, ")") ? refuse(r, "expected )") : value;
    } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        char *end;
        value = strtod(r->at, &end);
        r->at = end;
    } else {
        value = read_name(r);
    }
    r->depth--;
    return value;
}

// A sign binds less than a power: -x ^ 2 is -(x ^ 2).
static double read_power(reader *r)
{
    if (takes(r, "-")) {
        if (++r->depth > CG_FORMULA_DEPTH) {
            return refuse(r, "more than %d brackets and signs inside each other", CG_FORMULA_DEPTH);
        }
        double value = -read_power(r);
        r->depth--;
        return value;
    }
    double base = read_unit(r);
    if (!takes(r, "^")) {
        return base;
    }
    if (++r->depth > CG_FORMULA_DEPTH) {
        return refuse(r, "more than %d brackets and signs inside each other", CG_FORMULA_DEPTH);
    }
    double value = pow(base, read_power(r));
    r->depth--;
    return value;
}

static double read_product(reader *r)
{
    double value = read_power(r);
    for (;;) {
        if (takes(r, "*")) {
            value *= read_power(r);
        } else if (takes(r, "/")) {
            value /= read_power(r);
        } else {
            return value;
        }
    }
}

static double read_sum(reader *r)
{
    double value = read_product(r);
    for (;;) {
        if (takes(r, "+")) {
            value += read_product(r);
        } else if (takes(r, "-")) {
            value -= read_product(r);
        } else {
            return value;
        }
    }
}

static double read_comparison(reader *r)
{
    double value = read_sum(r);
    if (takes(r, "<=")) {
        return value <= read_sum(r);
    }
    if (takes(r, ">=")) {
        return value >= read_sum(r);
    }
    if (takes(r, "==")) {
        return value == read_sum(r);
    }
    if (takes(r, "<")) {
        return value < read_sum(r);
    }
    if (takes(r, ">")) {
        return value > read_sum(r);
    }
    return value;
}

bool cg_formula_value(const char *text, const cg_formula_scope *scope, double *value, char *why, size_t room)
{
    reader r = {.text = text, .at = text, .scope = scope, .why = why, .room = room};
    why[0] = '\0';
    *value = read_comparison(&r);
    takes(&r, ""); // passes over spaces
    if (why[0] == '\0' && *r.at != '\0') {
        refuse(&r, "expected the end, or one of + - * / ^");
    }
    return why[0] == '\0';
}
