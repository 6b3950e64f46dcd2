// A short vessel that is held at both ends, for tests of what presses on it.
#ifndef CATGUT_TESTS_SMALL_VESSEL_H
#define CATGUT_TESTS_SMALL_VESSEL_H

#include "catgut/catgut.h"

static inline cg_tissue_def small_vessel(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 16e-3;
    def.spacing = 1.5e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    return def;
}

#endif
