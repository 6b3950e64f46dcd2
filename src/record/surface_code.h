// The surface of a tissue in a recording: homes of its nodes, corners and sides of its triangles, as whole numbers, and
// how it differs from the one before.
//
// Edits of a mesh append, and a removal moves the last item to the free place, so after a cut nearly all stands where
// it stood: what is stored are the places that hold something else now. A surface is so written as its difference from
// the one before it, or from nothing. Numbers are coded as those of frames (frame_code.h), all four planes of them.
#ifndef CATGUT_RECORD_SURFACE_CODE_H
#define CATGUT_RECORD_SURFACE_CODE_H

#include "base/arena.h"
#include "base/bytes.h"

// A surface. Homes and corners have three numbers each; a home is a multiple of 2^exponent m.
typedef struct cg_kept_surface {
    bool there;       // there is a tissue
    uint64_t version; // of its topology
    int node_count, triangle_count;
    int node_room, triangle_room;
    int exponent;
    int32_t *homes;
    int32_t *corners;
    unsigned char *sides;
} cg_kept_surface;

// Room for one array at a time: three numbers, or one place, for each node or triangle, whichever are more.
typedef struct cg_surface_work {
    int32_t *numbers;
    int32_t *places;
    uint32_t *residuals;
} cg_surface_work;

// How many nodes and triangles differ.
typedef struct cg_surface_difference {
    size_t nodes, triangles;
} cg_surface_difference;

// Carves the arrays of a surface with so much room, and those to work with.
void cg_kept_surface_lay_out(cg_kept_surface *surface, cg_arena *arena, int nodes, int triangles);
void cg_surface_work_lay_out(cg_surface_work *work, cg_arena *arena, int nodes, int triangles);

// What of `now` is not as in `before`; one that is not there, or has other steps, differs in everything.
cg_surface_difference cg_surface_compare(const cg_kept_surface *before, const cg_kept_surface *now);
// Bytes of a difference.
size_t cg_surface_bytes(cg_surface_difference difference);
// Writes what cg_surface_compare found.
void cg_surface_put(cg_byte_sink *sink, int place, const cg_kept_surface *before, const cg_kept_surface *now,
                    cg_surface_difference difference, const cg_surface_work *work);

// The front of a difference: what surface it makes.
typedef struct cg_surface_front {
    int place; // of the tissue
    uint64_t version;
    int node_count, triangle_count, exponent;
    cg_surface_difference difference;
} cg_surface_front;

// Reads a front; false when it is none, or the bytes behind it are not as many as it needs.
bool cg_surface_take_front(cg_byte_source *source, cg_surface_front *front);
// False when a surface would have more new nodes or triangles than the front lists: those have no other source.
bool cg_surface_has_source(const cg_surface_front *front, const cg_kept_surface *before);
// Reads what stands behind the front into a surface that has room for it. False when it does not make a surface; that
// one is not there then. Whether all corners are nodes is left to cg_surface_has_nodes, which looks at the whole
// surface.
bool cg_surface_take(cg_byte_source *source, const cg_surface_front *front, cg_kept_surface *surface,
                     const cg_surface_work *work);
// True when every corner of every triangle is a node.
bool cg_surface_has_nodes(const cg_kept_surface *surface);

#endif
