// Quantities: numbers with units, as scene and input files write them.
//
// A bare number is in SI units (m, kg, s, N, Pa, rad, ...). A string is a number and a unit, "0.11 mm", "1.14 g/cm3",
// "9.81 m/s2", "5 deg": units are products of symbols with optional powers, separated by a space, '*' or a middle dot;
// what stands behind a '/' divides. The prefixes n u m c d k M G stand before m, g, s, N, Pa, J, Hz and rad.
// Decimal prefixes are applied before rounding: "0.11 mm" is the same double as 0.00011.
#ifndef CATGUT_SCENE_UNITS_H
#define CATGUT_SCENE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "catgut/math.h"
#include "catgut/scene.h"
#include "scene/json.h"

// Powers of metre, kilogram, second and radian.
typedef struct cg_dimension {
    signed char length, mass, time, angle;
} cg_dimension;

// The dimension of a unit such as "N m2"; of a pure number for "". False when the text is no unit.
bool cg_units_dimension(const char *unit, cg_dimension *dimension);

// Reads "0.11 mm" as a quantity whose SI unit is `unit` ("m"; "" for a pure number, which may be written "10 %").
// On failure `message` says what was found and what was expected.
bool cg_units_read(const char *text, const char *unit, double *value, char *message, size_t room);

// Reads a value of a file: a number in SI units, or a string with a unit. On failure the place is that of the value.
bool cg_json_quantity(const cg_json_value *value, const char *unit, double *quantity, cg_scene_error *error);
// Three quantities in an array.
bool cg_json_vector(const cg_json_value *value, const char *unit, cg_vec3 *vector, cg_scene_error *error);
// A whole number from `low` to `high`.
bool cg_json_integer(const cg_json_value *value, int low, int high, int *number, cg_scene_error *error);

// What a quantity with this SI unit is called and how one is written: "a length such as \"0.2 mm\"".
void cg_units_expected(const char *unit, char *text, size_t room);
// The first part of that: "a length"; "a quantity" when it has no name.
const char *cg_units_name(const char *unit);
// An example of a quantity with this SI unit: "0.2 mm".
const char *cg_units_example(const char *unit);

#endif
