// What a tissue is when nothing is said about it.
#include "catgut/tissue.h"

cg_tissue_def cg_tissue_def_default(void)
{
    return (cg_tissue_def){
        .shape = CG_TISSUE_PAD,
        .model = CG_TISSUE_LATTICE,
        .solver = CG_TISSUE_IMPLICIT,
        .pose = {{0, 0, 0}, {0, 0, 0, 1}},
        .size = {40e-3, 30e-3, 5e-3},
        .spacing = 2e-3,
        .layers = {{.thickness = 5e-3, .material = {.young = 100e3, .density = 1100, .toughness = 150}}},
        .layer_count = 1,
        .friction = 0.3,
        .damping = 2e-3,
        .drag = 5,
        .home = 0.1,
        .pre_length = 0.8,
        .most_stretch = 1.5,
        .fix_bottom = true,
        .iterations = 10,
    };
}
