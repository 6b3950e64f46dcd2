// The one list of experiments.
#ifndef CATGUT_EXPERIMENTS_TABLE_H
#define CATGUT_EXPERIMENTS_TABLE_H

#include "experiments/experiment.h"

#define CG_EXPERIMENT(name) +1
enum {
    CG_EXPERIMENT_COUNT = 0
#include "experiments/experiments.def"
};
#undef CG_EXPERIMENT

extern const cg_experiment *const cg_experiments[CG_EXPERIMENT_COUNT];

// NULL when there is none of that name.
const cg_experiment *cg_experiment_find(const char *name);

#endif
