// From the parts of a knot to the throws that tied it, and to the name that people use.
//
// A throw is a hitch when one strand runs straight from it to the next throw and on: the other strand winds around it.
#ifndef CATGUT_KNOT_THROWS_H
#define CATGUT_KNOT_THROWS_H

#include "catgut/knot.h"
#include "knot/undo.h"

// Fills throws, throw_count, throws_text and common of a report.
void cg_throws_tell(const cg_throw_row *row, const cg_vec3 *points, int count, cg_knot_report *report);

// Fills common for knots one behind the other.
void cg_throws_tell_separate(const cg_reading *reading, cg_knot_report *report);

// Fills name, crossings, determinant and chirality, and common as far as the parts alone tell it.
void cg_reading_tell(const cg_reading *reading, cg_knot_report *report);

#endif
