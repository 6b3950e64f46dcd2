// Plots of a data experiment.
#ifndef CATGUT_RUNNER_DATA_PLOT_H
#define CATGUT_RUNNER_DATA_PLOT_H

#include "runner/study.h"

// When a series gets its points.
typedef enum cg_data_moment {
    CG_DATA_FIRST,  // "first": once, before all cases
    CG_DATA_BEFORE, // "before": a series for each case, before all cases run
    CG_DATA_CASE,   // "case": a series for each case, after its run
    CG_DATA_POINT,  // "point": one series; a point, or a loop of them, for each case
    CG_DATA_STEPS   // "steps": one series for each case; a point every so many steps
} cg_data_moment;

// Makes the plot of the experiment, if it has one, with its series of the first kind and of one point a case.
void cg_data_plot_begin(cg_study *study);
// Adds what the series of this moment have to say of the present case.
void cg_data_plot_add(cg_study *study, cg_data_moment moment);

#endif
