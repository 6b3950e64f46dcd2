#include "experiments/table.h"

#include <string.h>

#define CG_EXPERIMENT(name) extern const cg_experiment cg_experiment_##name;
#include "experiments/experiments.def"
#undef CG_EXPERIMENT

#define CG_EXPERIMENT(name) &cg_experiment_##name,
const cg_experiment *const cg_experiments[CG_EXPERIMENT_COUNT] = {
#include "experiments/experiments.def"
};
#undef CG_EXPERIMENT

const cg_experiment *cg_experiment_find(const char *name)
{
    for (int i = 0; i < CG_EXPERIMENT_COUNT; i++) {
        if (strcmp(cg_experiments[i]->name, name) == 0) {
            return cg_experiments[i];
        }
    }
    return NULL;
}
