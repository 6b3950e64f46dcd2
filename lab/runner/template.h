// A scene whose numbers are formulas: texts that begin with = are worked out, and in arrays
//     {"for": {"i": [FROM, TO]}, "with": {"a": FORMULA, ...}, "make": ELEMENT}
// stands for one ELEMENT for each i from FROM to TO.
#ifndef CATGUT_RUNNER_TEMPLATE_H
#define CATGUT_RUNNER_TEMPLATE_H

#include "runner/study.h"
#include "runner/text.h"

// Writes the scene as JSON.
void cg_template_write(cg_study *study, const cg_json_value *value, cg_text *text);
// The loop of an object: its name, and its bounds. False when it has none or it is not in order, which is then said.
bool cg_template_loop(cg_study *study, const cg_json_value *object, const char **name, double *from, double *to,
                      double *by);

#endif
