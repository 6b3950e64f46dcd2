// The shapes in a recording as poses.
#ifndef CATGUT_EXPORT_RECORDING_POSES_H
#define CATGUT_EXPORT_RECORDING_POSES_H

#include "catgut/recording.h"
#include "catgut/session.h"
#include "export/poses.h"

typedef struct cg_recording_poses cg_recording_poses;

// Whether the run is made again, beside the poses as they are fetched in order; it costs what the run has cost.
typedef enum cg_rerun_wish {
    CG_RERUN_NEVER,
    CG_RERUN_IF_NEEDED, // for arc lengths at rest, where vertices of a thread come and go
    CG_RERUN_ALWAYS     // tensions and strains too
} cg_rerun_wish;

// The largest of the run since the pose before.
typedef struct cg_run_peaks {
    double tension, strain; // [N] of a segment of a thread; below 0 when all are pushed
} cg_run_peaks;

// Opens a recording; a radius above 0 [m] takes the place of those recorded. *damage says what is wrong with one that
// was read up to there, empty when it is whole. NULL on failure, with a sentence to `err`.
cg_recording_poses *cg_recording_poses_open(const char *path, double radius, cg_rerun_wish rerun, cg_poses *poses,
                                            const char **damage, FILE *err);
// The world of the second run at the pose fetched last; NULL when there is none, or it is not the recorded one.
const cg_world *cg_recording_poses_world(cg_recording_poses *source, const cg_session **session, cg_run_peaks *peaks);
// The frame of the pose fetched last, until the next call on the poses.
const cg_recorded_frame *cg_recording_poses_frame(const cg_recording_poses *source);
// The scene inside; NULL when it cannot be read.
const cg_scene *cg_recording_poses_scene(const cg_recording_poses *source);
// Whether vertices of a thread come and go, or that is not known.
bool cg_recording_poses_follow(const cg_recording_poses *source, int thread);
// True when that could not be had, because a second run did not give the recorded shapes. False for NULL.
bool cg_recording_poses_differ(const cg_recording_poses *source);
// NULL is allowed.
void cg_recording_poses_close(cg_recording_poses *source);

#endif
