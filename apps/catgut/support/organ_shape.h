// Surfaces like organs, made by formulas: for scenes and trials that need no one's scan.
#ifndef CATGUT_SUPPORT_ORGAN_SHAPE_H
#define CATGUT_SUPPORT_ORGAN_SHAPE_H

#include <stdbool.h>
#include <stdio.h>

// Writes the surface of this name ("liver", "tongue") as OBJ, in millimetres. False: there is none of that name.
bool cg_organ_write(const char *name, FILE *out);

#endif
