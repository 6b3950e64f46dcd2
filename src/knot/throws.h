// From the parts of a knot to the throws that tied it, and to the name that people use.
//
// A part in which two strands wind around each other by 3, 5, 7 half turns is a throw with 1, 2, 3 wraps. The parts
// alone do not tell their order, nor whether they were tied upon each other or one behind the other: all that is the
// same to topology. So the thread is shortened in thought, from its first end and from its last one, and it is noted
// where each part comes undone. Throws upon each other are undone in the same order from both ends, the outermost
// first, and every place from the first end comes before every place from the last; knots in a row are undone in
// opposite orders.
//
// A throw is a hitch when one strand runs straight from it to the next throw: the other strand winds around it.
#ifndef CATGUT_KNOT_THROWS_H
#define CATGUT_KNOT_THROWS_H

#include "catgut/knot.h"
#include "knot/reader.h"

// Throws upon each other, in order of tying: the innermost first.
typedef struct cg_throw_row {
    int count;
    cg_factor factor[CG_READING_FACTORS];
    int front[CG_READING_FACTORS]; // the point from whose loss on the throw is undone, when shortened from the first
                                   // end
    int back[CG_READING_FACTORS];  // the same from the last end
    bool separate;                 // no throws upon each other, but knots one behind the other
} cg_throw_row;

// Finds the throws of a thread that `reading` was made of. False when it has none, or they are not in one row. Uses the
// reader for other readings.
bool cg_throws_find(cg_reader *reader, const cg_vec3 *points, int count, const cg_reading *reading, cg_throw_row *row);

// Fills throws, throw_count, throws_text and common of a report.
void cg_throws_tell(const cg_throw_row *row, const cg_vec3 *points, int count, cg_knot_report *report);

// Fills name, crossings, determinant and chirality, and common as far as the parts alone tell it.
void cg_reading_tell(const cg_reading *reading, cg_knot_report *report);

#endif
