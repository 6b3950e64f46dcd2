// Tissues that threads are dragged over and bodies are thrown at: what is safe on one may not be on another.
#ifndef CATGUT_TESTS_GROUNDS_H
#define CATGUT_TESTS_GROUNDS_H

#include "catgut/tissue.h"

typedef enum ground { PAD, WOUND, VESSEL, SHEET, GROUNDS } ground;

typedef struct ground_size {
    double length, width, wound_length, wound_width, vessel_length; // [m]
} ground_size;

static inline cg_tissue_def ground_def(ground kind, const ground_size *size)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.size = (cg_vec3){size->length, size->width, 0};
    def.layers[0].thickness = 4e-3;
    def.layers[0].material.young = 100e3;
    def.friction = 0.3;
    if (kind == WOUND) {
        def.wound = CG_WOUND_ELLIPSE;
        def.wound_length = size->wound_length;
        def.wound_width = size->wound_width;
        def.wound_depth = 3e-3;
        def.fix_rim = true;
    } else if (kind == VESSEL) {
        def.shape = CG_TISSUE_VESSEL;
        def.radius = 3e-3;
        def.wall = 1e-3;
        def.length = size->vessel_length;
        def.spacing = 1.5e-3;
        def.fix_rim = true;
    } else if (kind == SHEET) {
        def.shape = CG_TISSUE_GRID;
        def.model = CG_TISSUE_SHEET;
        def.layers[0].thickness = 1e-3;
        def.fix_rim = true;
    }
    return def;
}

// [m] of its highest point.
static inline double ground_top(ground kind)
{
    return kind == VESSEL ? 3e-3 : 0;
}

#endif
