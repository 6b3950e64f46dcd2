// What several closures of one thread say together; and the check that all points must pass.
#ifndef CATGUT_KNOT_VOTE_H
#define CATGUT_KNOT_VOTE_H

#include "catgut/knot.h"
#include "knot/reader.h"

// CG_BAD_INPUT for fewer than `least` points, and for a coordinate that is not finite or beyond 1e9 m.
cg_status cg_knot_check_points(const cg_vec3 *points, int count, int least);

// Fills all of a report but the throws: the knot that most closures give. Returns the reading that was chosen, NULL
// when none could be made.
const cg_reading *cg_readings_tell(const cg_reading *readings, int count, cg_knot_report *report);

#endif
