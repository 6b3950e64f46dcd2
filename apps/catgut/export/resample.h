// Threads whose number of vertices changes, drawn with points whose number does not.
#ifndef CATGUT_EXPORT_RESAMPLE_H
#define CATGUT_EXPORT_RESAMPLE_H

#include "export/poses.h"

enum { CG_RESAMPLE_BINS = 4096 };

// Places along one thread. Zero-initialise; give poses, then end; free shares.
typedef struct cg_resample {
    int fewest, most;               // vertices in the poses so far; 0: the thread was never there
    float finest[CG_RESAMPLE_BINS]; // per part of the thread: shortest segment, as a share of the whole
    double *shares;                 // in [0, 1], `count` of them, rising; NULL when all poses have as many vertices
    int count;
} cg_resample;

// Takes a pose into account.
void cg_resample_look(cg_resample *resample, const cg_vec3 *points, int count);
// Chooses the places: everywhere as dense as the densest pose is there. False when memory ran out.
bool cg_resample_end(cg_resample *resample);
// The points of a thread at the places, by its length in this pose.
void cg_resample_points(const cg_resample *resample, const cg_vec3 *points, int count, cg_vec3 *out);

#endif
