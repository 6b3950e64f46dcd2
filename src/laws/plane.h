// The contact of threads with tissue as MicroSim has it (3.4.2, 3.5.1), for comparison with ours (rows/touch.h).
//
// A vertex of a thread is a sphere of its radius r. Where it is nearer to a triangle than that, at p, a plane is laid
// through p + r n, with n from p to the vertex, and for a step the vertex is drawn to this plane from both sides:
//
//     force on the vertex      f = -a n (n . (x - p - r n))
//     its derivative by x      -a n n^T
//
// There is no friction. A contact is kept from step to step, though the sphere may be off the surface by then, and its
// place relocated over neighbouring triangles, until a step ends with a force that holds the vertex back ("glued"). The
// tissue bears -f, unless glued, in the next step.
#ifndef CATGUT_LAWS_PLANE_H
#define CATGUT_LAWS_PLANE_H

#include "base/pool.h"
#include "thread/thread.h"
#include "tissue/surface.h"

typedef struct cg_plane_contact {
    // state
    cg_handle thread, tissue; // in the world
    int vertex;
    int triangle;      // of the surface
    double weights[3]; // of its corners: p
    cg_vec3 normal;    // n
    double force;      // [N] along n on the vertex, at the end of the last step

    // within a step
    cg_vec3 origin; // [m] p + r n
    cg_thread_grip grip;
} cg_plane_contact;

// [N] f, and how it falls with x.
cg_vec3 cg_plane_force(const cg_plane_contact *contact, double stiffness, cg_vec3 x);

// Lays the plane through the nearest triangle within the radius; false when there is none. The tree must fit.
bool cg_plane_find(const cg_tissue_surface *surface, cg_vec3 x, double radius, cg_plane_contact *contact);
// Goes on to the locally nearest triangle from the one where it was. Returns how far away that is [m].
double cg_plane_relocate(const cg_mesh *mesh, cg_vec3 x, double radius, cg_plane_contact *contact);
// As the thread's step sees it.
void cg_plane_grip(cg_plane_contact *contact, double stiffness, cg_thread *thread, double time_step);

#endif
