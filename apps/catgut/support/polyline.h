// Threads as text: one point "x y z" [m] a line, a blank line between threads, # starts a comment.
#ifndef CATGUT_SUPPORT_POLYLINE_H
#define CATGUT_SUPPORT_POLYLINE_H

#include <stdbool.h>
#include <stdio.h>

#include "catgut/math.h"

// What is accepted; more is refused with a message.
enum {
    CG_POLYLINE_MAX_POINTS = 1000000, // in a file
    CG_POLYLINE_MAX_THREADS = 10000,  // in a file
    CG_POLYLINE_MAX_LINE = 4096       // bytes in a line
};
#define CG_POLYLINE_MAX_COORDINATE 1e6 // [m]

// The threads of a file: thread k is points[starts[k]] to points[starts[k + 1] - 1].
typedef struct cg_polylines {
    int thread_count, point_count;
    cg_vec3 *points;
    int *starts; // thread_count + 1 numbers
} cg_polylines;

// Reads all threads. On a mistake "name:line:column: what was found, what was expected" goes to `err`, the result is
// false and *polylines is empty.
bool cg_polylines_read(FILE *in, const char *name, cg_polylines *polylines, FILE *err);
void cg_polylines_free(cg_polylines *polylines);

#endif
