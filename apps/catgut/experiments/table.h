// The one list of experiments.
#ifndef CATGUT_EXPERIMENTS_TABLE_H
#define CATGUT_EXPERIMENTS_TABLE_H

#include "experiments/experiment.h"

extern const cg_experiment *const cg_experiments[];
extern const int cg_experiment_count;

// NULL when there is none of that name.
const cg_experiment *cg_experiment_find(const char *name);

#endif
