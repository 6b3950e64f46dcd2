// Memory of the linearised problem, shared with the interior-point method. Only for src/solve.
#ifndef CATGUT_SOLVE_FRICTION_LINEAR_H
#define CATGUT_SOLVE_FRICTION_LINEAR_H

#include "solve/lcp.h"

// An unknown force along the surface of a contact, free of sign.
typedef struct cg_friction_free {
    int contact;
    double x, y;       // its direction in (t1, t2)
    double compliance; // [m/N]
    double present;    // the force along it now [N]
} cg_friction_free;

// How the interior-point method scales a contact.
typedef struct cg_friction_scaling {
    double theta, root; // |z|_J/|x|_J and its square root
    double inverse_det; // 1/|x|_J^2
    double g[3], v[3];
    double slip[2]; // the way in which it slips
} cg_friction_scaling;

typedef struct cg_friction_linear {
    int limit;               // most contacts taken in
    int *taken;              // their numbers
    bool *carries;           // of each one taken
    double *slip_x, *slip_y; // mu times the direction of slip; zero where it sticks
    double *scale, *normal;  // 1/sqrt(g_nn), and the unknown normal forces
    cg_friction_free *free;  // up to two for each contact
    double *matrix;          // rows and columns: the free unknowns, the normals; the last column is the right-hand side
    double *combined;        // one row of the coupling
    double *x, *z, *step, *step_z, *gap, *aim; // of the interior-point method
    cg_friction_scaling *scaling;              // of each one taken
    cg_lcp lcp;
} cg_friction_linear;

#endif
