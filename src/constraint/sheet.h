// The grid sheet: masses at nodes, springs along links (stretch, shear, bend), three unknowns a node.
//
// It is made from a mesh of src/geometry, so it has the same springs as the tissue that has this mesh: pull
// k (length - rest) along the link, in tension and in compression. Damping: -alpha m v at a node, and along a spring
// beta k times the speed at which it lengthens.
#ifndef CATGUT_CONSTRAINT_SHEET_H
#define CATGUT_CONSTRAINT_SHEET_H

#include "constraint/element.h"
#include "geometry/mesh.h"

enum { CG_NODE_UNKNOWNS = 3, CG_SPRING_UNKNOWNS = 6 };

typedef struct cg_spring {
    int ends[2];
    double stiffness; // [N/m]
    double rest;      // [m]
} cg_spring;

typedef struct cg_sheet {
    int node_count, spring_count, triangle_count;
    double *mass;   // [kg]
    cg_vec3 *start; // [m]
    cg_spring *springs;
    int (*triangles)[3];
    double mass_damping;      // alpha [1/s]
    double stiffness_damping; // beta [s]
    cg_allocator allocator;
} cg_sheet;

cg_status cg_sheet_init(cg_sheet *sheet, const cg_mesh *mesh, double mass_damping, double stiffness_damping,
                        const cg_allocator *allocator);
void cg_sheet_free(cg_sheet *sheet);

// The answers of a node and of a spring (element.h).
void cg_node_forces(double mass, double mass_damping, const cg_element_state *state, const cg_element_wish *wish,
                    cg_element_answer *answer);
void cg_spring_forces(const cg_spring *spring, double stiffness_damping, const cg_element_state *state,
                      const cg_element_wish *wish, cg_element_answer *answer);
// [J]
double cg_spring_energy(const cg_spring *spring, const double *x);

#endif
