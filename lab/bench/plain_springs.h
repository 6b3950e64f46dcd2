// The same springs moved in the plain way, to measure against: a sparse matrix in single precision, assembled in each
// step, and conjugate gradients with its diagonal as preconditioner.
#ifndef CATGUT_BENCH_PLAIN_SPRINGS_H
#define CATGUT_BENCH_PLAIN_SPRINGS_H

#include "geometry/mesh.h"
#include "tissue/tissue.h"

typedef struct cg_plain_springs cg_plain_springs;

// Starts where the mesh is, at rest. NULL when there is no memory.
cg_plain_springs *cg_plain_springs_create(const cg_mesh *mesh, double damping, double drag);
void cg_plain_springs_destroy(cg_plain_springs *plain);

// A step under gravity, with one node held by a spring [N/m] and a damper [N s/m] to a place.
typedef struct cg_plain_hold {
    int node;
    double stiffness, damping;
    cg_vec3 place;
} cg_plain_hold;
void cg_plain_springs_step(cg_plain_springs *plain, double time_step, cg_vec3 gravity, const cg_plain_hold *hold);

const cg_vec3 *cg_plain_springs_places(const cg_plain_springs *plain);
// Of the last step.
int cg_plain_springs_iterations(const cg_plain_springs *plain);

#endif
