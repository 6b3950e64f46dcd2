// Cloth on a grid as a way to move a tissue: tissue/cloth.h on the arrays of a tissue, and whether its filter may be
// used.
#ifndef CATGUT_TISSUE_NEUMANN_H
#define CATGUT_TISSUE_NEUMANN_H

#include "base/arena.h"
#include "catgut/tissue.h"
#include "tissue/cloth.h"

// What a tissue has beside its own arrays when its solver is CG_TISSUE_NEUMANN.
typedef struct cg_neumann {
    cg_cloth_law law;
    cg_cloth cloth;
    cg_vec3 *vectors;
    double *numbers;
    unsigned char *fixed;
    cg_vec3 *push, *start;
    double *ground;
} cg_neumann;

// The law of a grid as a definition says it, for the longest steps there are.
cg_cloth_law cg_neumann_longest_law(const cg_tissue_def *def);
void cg_neumann_lay_out(cg_neumann *neumann, const cg_tissue_def *def, cg_arena *arena);

// A symmetric matrix by its rows: entries first[i] to first[i + 1] - 1 of row i, its diagonal among them.
typedef struct cg_neumann_matrix {
    int count;
    const int *first;
    const int *column;
    const double *value;
} cg_neumann_matrix;

// The spectral radius of I - D^-1 A, from below, by so many products with a vector at most; `work` has 2 count numbers.
// Ends early where the sums of the rows show that it is below 1, and gives the largest of those.
double cg_neumann_radius(const cg_neumann_matrix *a, int products, double *work);
// CG_BAD_INPUT where the series of A has no limit, so that its first terms mean nothing.
cg_status cg_neumann_check(const cg_neumann_matrix *a, double *work);
// The same for the matrix of a law.
cg_status cg_neumann_check_law(const cg_cloth_law *law, const cg_allocator *allocator);

#endif
