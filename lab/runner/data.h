// Experiments that are data: a scene, what varies of it, a closed form, and a band. docs/experiments.md has the format.
#ifndef CATGUT_RUNNER_DATA_H
#define CATGUT_RUNNER_DATA_H

#include <stddef.h>

#include "experiments/experiment.h"

// Runs the experiment of a text. `file` is what messages call it. A text that is not in order is trouble of the report.
void cg_data_run(const char *text, size_t size, const char *file, cg_report *report);

#endif
