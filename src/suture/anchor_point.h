// Anchors of threads (thread/slide.h) as points of the surface that they are on.
#ifndef CATGUT_SUTURE_ANCHOR_POINT_H
#define CATGUT_SUTURE_ANCHOR_POINT_H

#include "geometry/mesh.h"
#include "thread/slide.h"

static inline cg_mesh_point cg_anchor_point(const cg_thread_anchor *a)
{
    return (cg_mesh_point){a->triangle, {a->weights[0], a->weights[1], a->weights[2]}};
}

static inline void cg_anchor_move(cg_thread_anchor *a, const cg_mesh_point *to)
{
    a->triangle = to->triangle;
    for (int k = 0; k < 3; k++) {
        a->weights[k] = to->weights[k];
    }
}

// The number of the anchor at a vertex; -1: there is none. Edits of a mesh may take anchors out.
static inline int cg_anchor_at(const cg_thread *thread, int vertex)
{
    int k = cg_slide_count(thread) - 1;
    while (k >= 0 && thread->slide->anchors[k].vertex != vertex) {
        k--;
    }
    return k;
}

#endif
