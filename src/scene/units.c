// A unit is a product of powers of symbols. Each symbol has a dimension (powers of m, kg, s, rad), a power of ten and,
// for a few, a factor that is no power of ten. The powers of ten of symbols and prefixes go into the exponent of the
// number before it is rounded; the factors are multiplied in afterwards.
#include "scene/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/trig.h"

typedef struct symbol {
    const char *name;
    cg_dimension dimension;
    int power_of_ten;
    double factor;
    bool takes_prefix;
} symbol;

static const symbol symbols[] = {
    {"m", {1, 0, 0, 0}, 0, 1, true},
    {"g", {0, 1, 0, 0}, -3, 1, true},
    {"s", {0, 0, 1, 0}, 0, 1, true},
    {"N", {1, 1, -2, 0}, 0, 1, true},
    {"Pa", {-1, 1, -2, 0}, 0, 1, true},
    {"J", {2, 1, -2, 0}, 0, 1, true},
    {"W", {2, 1, -3, 0}, 0, 1, true},
    {"Hz", {0, 0, -1, 0}, 0, 1, true},
    {"rad", {0, 0, 0, 1}, 0, 1, true},
    {"deg", {0, 0, 0, 1}, 0, CG_PI / 180, false},
    {"\xC2\xB0", {0, 0, 0, 1}, 0, CG_PI / 180, false}, // the degree sign
    {"turn", {0, 0, 0, 1}, 0, 2 * CG_PI, false},
    {"turns", {0, 0, 0, 1}, 0, 2 * CG_PI, false},
    {"min", {0, 0, 1, 0}, 0, 60, false},
    {"%", {0, 0, 0, 0}, -2, 1, false},
};
enum { SYMBOL_COUNT = sizeof symbols / sizeof symbols[0] };

static const struct prefix {
    const char *name;
    int power_of_ten;
} prefixes[] = {
    {"p", -12}, {"n", -9}, {"u", -6}, {"\xC2\xB5", -6}, {"\xCE\xBC", -6}, // both characters that look like a micro sign
    {"m", -3},  {"c", -2}, {"d", -1}, {"k", 3},         {"M", 6},         {"G", 9},
};
enum { PREFIX_COUNT = sizeof prefixes / sizeof prefixes[0] };

// What quantities are called, by their SI unit, and how one is written.
static const struct quantity_name {
    const char *unit, *name, *example;
} quantity_names[] = {
    {"", "a number", "0.5"},
    {"m", "a length", "0.2 mm"},
    {"kg", "a mass", "0.5 g"},
    {"s", "a time", "1 ms"},
    {"rad", "an angle", "90 deg"},
    {"N", "a force", "1 N"},
    {"Pa", "a pressure", "2.5 GPa"},
    {"kg/m3", "a density", "1.14 g/cm3"},
    {"kg/m", "a mass per length", "45 mg/m"},
    {"m/s", "a velocity", "10 mm/s"},
    {"m/s2", "an acceleration", "9.81 m/s2"},
    {"rad/s", "a turning velocity", "1 rad/s"},
    {"1/s", "a rate", "10 1/s"},
    {"N m", "a moment", "0.1 mN m"},
    {"N m2", "a bending stiffness", "0.3 mN mm2"},
    {"N/m", "a stiffness", "400 N/m"},
    {"m/N", "a compliance", "20 um/N"},
    {"N s/m", "a damping", "9 N s/m"},
    {"N m/rad", "a stiffness against turning", "50 mN m/rad"},
    {"m2", "an area", "1 mm2"},
    {"m3", "a volume", "1 mm3"},
    {"N s", "a momentum", "1 mN s"},
    {"N m s", "a damping against turning", "50 mN m s"},
    {"W", "a power", "30 W"},
};
enum { QUANTITY_COUNT = sizeof quantity_names / sizeof quantity_names[0] };

// A unit that was read.
typedef struct unit_value {
    int powers[4]; // of m, kg, s, rad
    int power_of_ten;
    double factor;
} unit_value;

// What follows is the unit text at `at`.
typedef struct unit_reader {
    const char *at;
    unit_value value;
} unit_reader;

static bool find_symbol(const char *name, size_t length, symbol *found)
{
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        if (strlen(symbols[i].name) == length && memcmp(symbols[i].name, name, length) == 0) {
            *found = symbols[i];
            return true;
        }
    }
    return false;
}

// A symbol, or a prefix and a symbol; the whole word first, so that "min" is a minute.
static bool find_prefixed(const char *name, size_t length, symbol *found)
{
    if (find_symbol(name, length, found)) {
        return true;
    }
    for (int i = 0; i < PREFIX_COUNT; i++) {
        size_t skipped = strlen(prefixes[i].name);
        if (length > skipped && memcmp(name, prefixes[i].name, skipped) == 0 &&
            find_symbol(name + skipped, length - skipped, found) && found->takes_prefix) {
            found->power_of_ten += prefixes[i].power_of_ten;
            return true;
        }
    }
    return false;
}

static bool is_symbol_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 0x80;
}

static bool starts_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char squared_sign[] = "\xC2\xB2", cubed_sign[] = "\xC2\xB3", middle_dot[] = "\xC2\xB7";

static bool ends_symbol(const char *at)
{
    return !is_symbol_byte(*at) || starts_with(at, squared_sign) || starts_with(at, cubed_sign) ||
           starts_with(at, middle_dot);
}

// The power behind a symbol: "2", "^2", "-1", a raised 2 or 3; 1 when there is none, 0 when it makes no sense.
static int read_power(unit_reader *r)
{
    if (starts_with(r->at, squared_sign) || starts_with(r->at, cubed_sign)) {
        int raised = starts_with(r->at, squared_sign) ? 2 : 3;
        r->at += 2;
        return raised;
    }
    bool caret = *r->at == '^';
    r->at += caret;
    bool negative = *r->at == '-';
    r->at += negative;
    if (*r->at < '1' || *r->at > '9') {
        return caret || negative ? 0 : 1;
    }
    int power = *r->at++ - '0';
    return negative ? -power : power;
}

static void multiply(unit_value *value, const symbol *factor, int power)
{
    const cg_dimension *d = &factor->dimension;
    value->powers[0] += d->length * power;
    value->powers[1] += d->mass * power;
    value->powers[2] += d->time * power;
    value->powers[3] += d->angle * power;
    value->power_of_ten += factor->power_of_ten * power;
    for (int i = 0; i < abs(power); i++) {
        value->factor = power > 0 ? value->factor * factor->factor : value->factor / factor->factor;
    }
}

static bool read_factor(unit_reader *r, bool divides)
{
    const char *start = r->at;
    while (!ends_symbol(r->at)) {
        r->at++;
    }
    symbol found;
    if (!find_prefixed(start, (size_t)(r->at - start), &found)) {
        return false;
    }
    int power = read_power(r);
    multiply(&r->value, &found, divides ? -power : power);
    return power != 0;
}

static void skip_spaces(const char **at)
{
    while (**at == ' ') {
        (*at)++;
    }
}

// True, and passes it, when a sign of multiplication other than a space stands here.
static bool skip_times(const char **at)
{
    size_t length = **at == '*' ? 1 : starts_with(*at, middle_dot) ? 2 : 0;
    *at += length;
    skip_spaces(at);
    return length > 0;
}

// Reads a whole text as a unit. The empty text is the unit of a pure number.
static bool read_unit(const char *text, unit_value *value)
{
    enum { MOST_FACTORS = 8 };
    unit_reader r = {.at = text, .value = {.factor = 1}};
    bool divides = false, wanted = false; // wanted: a factor must follow
    skip_spaces(&r.at);
    for (int factors = 0; *r.at != '\0'; factors++) {
        bool one = factors == 0 && r.at[0] == '1' && r.at[1] == '/';
        if (factors == MOST_FACTORS || (!one && !read_factor(&r, divides))) {
            return false;
        }
        r.at += one;
        skip_spaces(&r.at);
        wanted = *r.at == '/';
        if (wanted) {
            divides = true;
            r.at++;
            skip_spaces(&r.at);
        } else {
            wanted = skip_times(&r.at);
        }
    }
    *value = r.value;
    return !wanted;
}

static bool same_powers(const unit_value *a, const unit_value *b)
{
    return memcmp(a->powers, b->powers, sizeof a->powers) == 0;
}

bool cg_units_dimension(const char *unit, cg_dimension *dimension)
{
    unit_value value;
    if (!read_unit(unit, &value)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        if (abs(value.powers[i]) > 100) {
            return false;
        }
    }
    *dimension = (cg_dimension){(signed char)value.powers[0], (signed char)value.powers[1],
                                (signed char)value.powers[2], (signed char)value.powers[3]};
    return true;
}

static const struct quantity_name *name_of(const unit_value *value)
{
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        unit_value known;
        if (read_unit(quantity_names[i].unit, &known) && same_powers(&known, value)) {
            return &quantity_names[i];
        }
    }
    return NULL;
}

const char *cg_units_name(const char *unit)
{
    unit_value value;
    const struct quantity_name *name = read_unit(unit, &value) ? name_of(&value) : NULL;
    return name != NULL ? name->name : "a quantity";
}

const char *cg_units_example(const char *unit)
{
    unit_value value;
    const struct quantity_name *name = read_unit(unit, &value) ? name_of(&value) : NULL;
    return name != NULL ? name->example : "1";
}

void cg_units_expected(const char *unit, char *text, size_t room)
{
    unit_value value;
    const struct quantity_name *name = read_unit(unit, &value) ? name_of(&value) : NULL;
    if (name == NULL) {
        snprintf(text, room, "a quantity in %s", unit);
    } else if (unit[0] == '\0') {
        snprintf(text, room, "%s such as %s", name->name, name->example);
    } else {
        snprintf(text, room, "%s such as \"%s\"", name->name, name->example);
    }
}

// The unit of that dimension that was probably meant, or NULL.
static const char *nearest_unit(const char *text, const unit_value *wanted)
{
    static const char *const common[] = {
        "mm",   "cm",   "m",     "um",    "nm",  "km",   "g",     "mg",    "kg",    "ug",     "s",    "ms",
        "us",   "min",  "rad",   "mrad",  "deg", "turn", "turns", "N",     "mN",    "uN",     "kN",   "Pa",
        "kPa",  "MPa",  "GPa",   "Hz",    "kHz", "1/s",  "%",     "g/cm3", "kg/m3", "kg/m",   "mg/m", "m/s",
        "mm/s", "m/s2", "rad/s", "deg/s", "N m", "mN m", "mN mm", "N m2",  "N mm2", "mN mm2", "N/m",  "N/mm",
    };
    enum { COMMON = sizeof common / sizeof common[0] };
    const char *fitting[COMMON];
    int count = 0;
    for (int i = 0; i < COMMON; i++) {
        unit_value value;
        if (read_unit(common[i], &value) && same_powers(&value, wanted)) {
            fitting[count++] = common[i];
        }
    }
    return cg_nearest_word(text, fitting, count);
}

static bool complain(const char *text, const char *what, const char *unit, char *message, size_t room)
{
    char expected[96];
    cg_units_expected(unit, expected, sizeof expected);
    snprintf(message, room, "found \"%.60s\"%s; expected %s", text, what, expected);
    return false;
}

static bool complain_of_unit(const char *text, const char *symbol_text, const unit_value *wanted, const char *unit,
                             char *message, size_t room)
{
    const char *nearest = nearest_unit(symbol_text, wanted);
    char what[128];
    if (nearest != NULL) {
        snprintf(what, sizeof what, ", whose unit is unknown; did you mean \"%s\"", nearest);
    } else {
        snprintf(what, sizeof what, ", whose unit is unknown");
    }
    return complain(text, what, unit, message, room);
}

static bool complain_of_dimension(const char *text, const unit_value *found, const char *unit, char *message,
                                  size_t room)
{
    const struct quantity_name *name = name_of(found);
    char what[64];
    snprintf(what, sizeof what, ", %s", name != NULL ? name->name : "a quantity of another kind");
    return complain(text, what, unit, message, room);
}

bool cg_units_read(const char *text, const char *unit, double *value, char *message, size_t room)
{
    unit_value wanted, found;
    const char *number = text;
    size_t length;
    if (!read_unit(unit, &wanted)) {
        return complain(text, ", for an unknown unit", unit, message, room); // a mistake in our own tables
    }
    skip_spaces(&number);
    if (cg_number_scan(number, strlen(number), &length) != CG_NUMBER_FINE) {
        return complain(text, "", unit, message, room);
    }
    const char *rest = number + length;
    skip_spaces(&rest);
    if (*rest == '\0') {
        return complain(text, unit[0] == '\0' ? ", a string" : " without a unit", unit, message, room);
    }
    if (!read_unit(rest, &found)) {
        return complain_of_unit(text, rest, &wanted, unit, message, room);
    }
    if (!same_powers(&found, &wanted)) {
        return complain_of_dimension(text, &found, unit, message, room);
    }
    bool finite = cg_number_value(number, length, found.power_of_ten, value);
    *value *= found.factor;
    return (finite && isfinite(*value)) || complain(text, ", too large for a number", unit, message, room);
}

bool cg_json_quantity(const cg_json_value *value, const char *unit, double *quantity, cg_scene_error *error)
{
    if (value->kind == CG_JSON_NUMBER) {
        *quantity = value->as.number;
        return true;
    }
    if (value->kind == CG_JSON_STRING) {
        char message[sizeof error->message];
        return cg_units_read(value->as.string, unit, quantity, message, sizeof message) ||
               cg_error_at_value(error, value, "%s", message);
    }
    char expected[96];
    cg_units_expected(unit, expected, sizeof expected);
    return cg_error_at_value(error, value, "found %s; expected %s", cg_json_kind_name(value->kind), expected);
}

bool cg_json_vector(const cg_json_value *value, const char *unit, cg_vec3 *vector, cg_scene_error *error)
{
    char expected[96];
    cg_units_expected(unit, expected, sizeof expected);
    if (value->kind != CG_JSON_ARRAY) {
        return cg_error_at_value(error, value, "found %s; expected an array [x, y, z], each %s",
                                 cg_json_kind_name(value->kind), expected);
    }
    if (value->count != 3) {
        return cg_error_at_value(error, value, "found an array of %d; expected three, [x, y, z], each %s", value->count,
                                 expected);
    }
    return cg_json_quantity(value->as.items[0], unit, &vector->x, error) &&
           cg_json_quantity(value->as.items[1], unit, &vector->y, error) &&
           cg_json_quantity(value->as.items[2], unit, &vector->z, error);
}

bool cg_json_integer(const cg_json_value *value, int low, int high, int *number, cg_scene_error *error)
{
    if (value->kind != CG_JSON_NUMBER) {
        return cg_error_at_value(error, value, "found %s; expected a whole number from %d to %d",
                                 cg_json_kind_name(value->kind), low, high);
    }
    double given = value->as.number;
    if (!(given >= low && given <= high) || given != floor(given)) {
        return cg_error_at_value(error, value, "found %.15g; expected a whole number from %d to %d", given, low, high);
    }
    *number = (int)given;
    return true;
}
