// Scores in words and as JSON.
#ifndef CATGUT_TRAINING_REPORT_H
#define CATGUT_TRAINING_REPORT_H

#include <stdio.h>

#include "catgut/task.h"
#include "support/json.h"

// A value in the unit that people use: "12.3 s", "4.5 mm", "80 %".
void cg_measured_say(int measure, double value, char *text, size_t room);
// The score as a table: points, what cost them, when, and the advice.
void cg_score_print(const cg_score *score, const cg_measures *measures, FILE *out);
// All measures that are known, as a table.
void cg_measures_print(const cg_measures *measures, FILE *out);
// The members of a score, and of all measures, in the object that is open.
void cg_score_json(cg_json *json, const cg_score *score);
void cg_measures_json(cg_json *json, const cg_measures *measures);

#endif
