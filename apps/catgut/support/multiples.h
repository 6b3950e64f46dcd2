// Many curves as many small plots with the same axes: each stands alone, with all others behind it in grey.
#ifndef CATGUT_SUPPORT_MULTIPLES_H
#define CATGUT_SUPPORT_MULTIPLES_H

#include "support/plot.h"

// A curve and the words over it.
typedef struct cg_small_plot {
    char label[72], note[72];
    double (*points)[2];
    int count;
} cg_small_plot;

// `like` gives title, axes and what they count; its own series are not drawn. Values go from 0 to `highest`.
void cg_multiples_write(const cg_plot *like, const cg_small_plot *plots, int count, double highest, FILE *out);

#endif
