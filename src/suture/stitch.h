// Stitches that are laid, and wounds that are measured. What a stitch does in a step is in thread/slide.h (slip) and
// laws/tie.h (how tissue holds it).
#ifndef CATGUT_SUTURE_STITCH_H
#define CATGUT_SUTURE_STITCH_H

#include "catgut/suture.h"
#include "geometry/mesh.h"
#include "thread/thread.h"

// Where a thread is to go through a surface.
typedef struct cg_stitch_place {
    cg_mesh_point point;
    cg_vec3 position; // [m]
    bool straight;    // the span to the next one
} cg_stitch_place;

// What all of them have in common.
typedef struct cg_stitch_kind {
    int tissue; // number among the tissues of the world
    double friction, grip;
} cg_stitch_kind;

// Puts anchors on a thread whose spacing follows: the vertices nearest to the places go there, those between places
// that are joined straight are taken out, and segments at anchors get the lengths that they have. CG_BAD_INPUT, and
// nothing has changed, when the thread does not pass the places in their order, or has anchors between them. `vertices`
// get the vertex of each.
cg_status cg_stitch_lay(cg_thread *thread, const cg_stitch_kind *kind, const cg_stitch_place *places, int count,
                        int *vertices);
// Segments at these vertices, which were moved, get the lengths that they have.
void cg_stitch_fit(cg_thread *thread, const int *vertices, int count);

// How far the lips of a wound are apart in the plane through `point` across `along`. The lips are the parts of the
// surface inside the wound (CG_SIDE_GROOVE) that face one side and the other, down to `depth` [m] below their edges at
// the top.
cg_wound_gap cg_wound_gap_of(const cg_mesh *mesh, cg_vec3 point, cg_vec3 along, double depth);

#endif
