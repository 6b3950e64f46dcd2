// The shapes in a recording as poses.
#ifndef CATGUT_EXPORT_RECORDING_POSES_H
#define CATGUT_EXPORT_RECORDING_POSES_H

#include "export/poses.h"

typedef struct cg_recording_poses cg_recording_poses;

// Opens a recording; a radius above 0 [m] takes the place of those recorded. Tensions
// cost a second run, beside the poses as they are fetched in order.
// *damage says what is wrong with one that was read up to there, empty when it is whole. NULL on failure, with a
// sentence to `err`.
cg_recording_poses *cg_recording_poses_open(const char *path, double radius, bool with_tension, cg_poses *poses,
                                            const char **damage, FILE *err);
// True when tensions could not be had, because a second run did not give the recorded shapes. False for NULL.
bool cg_recording_poses_differ(const cg_recording_poses *source);
// NULL is allowed.
void cg_recording_poses_close(cg_recording_poses *source);

#endif
