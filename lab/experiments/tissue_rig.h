// What the experiments with tissue share.
#ifndef CATGUT_EXPERIMENTS_TISSUE_RIG_H
#define CATGUT_EXPERIMENTS_TISSUE_RIG_H

#include <stdbool.h>

#include "base/vec3.h"
#include "experiments/experiment.h"
#include "tissue/tissue.h"

// A pad of one layer of 100 kPa, 1000 kg/m3, nothing fixed. Sizes in m.
cg_tissue_def cg_block_def(double x, double y, double z, double spacing);
// NULL, and the report says why, when it cannot be made.
cg_tissue *cg_rig_make_tissue(const cg_tissue_def *def, cg_report *report);
// Steps until it sleeps; says so in the report, and returns false, when `most` steps were not enough.
bool cg_rig_settle_tissue(cg_tissue *tissue, double time_step, cg_vec3 gravity, int most, cg_report *report);
// The sum of what fixed nodes hold back, of those on the given side of a plane: value along axis 0, 1 or 2 above
// `from`.
cg_vec3 cg_rig_reaction(const cg_tissue *tissue, int axis, double from);
double cg_rig_along(cg_vec3 v, int axis);
// The node whose home is nearest to a place.
int cg_rig_node_at(const cg_tissue *tissue, cg_vec3 home);
// [m] the widest distance of two nodes that were one before a blade came: they share a home.
double cg_rig_widest_gap(const cg_tissue *tissue);

#endif
