// What recording_poses.c, which reads the shapes of a recording, and recording_rerun.c, which makes its run again,
// share.
#ifndef CATGUT_EXPORT_RECORDING_PARTS_H
#define CATGUT_EXPORT_RECORDING_PARTS_H

#include "export/recording_poses.h"
#include "export/steel.h"
#include "support/record_file.h"

struct cg_recording_poses {
    cg_record_reader reader;
    cg_scene *scene;       // of the recording; NULL when it is not needed
    cg_session *built;     // the scene as it begins; NULL when it is not needed
    cg_steel steel;        // nothing when there is no body and no hand
    cg_session *rerun;     // NULL when the run is not to be repeated
    cg_run_peaks peaks;    // of the second run, since the pose before
    size_t next_operation; // of the second run
    bool differs;          // the second run is not that of the recording
    const char *path;
    cg_pose_thread *threads;
    int thread_count;
    int *starts;
    cg_vec3 *points;
    size_t point_room;
    cg_pose_tissue *tissues; // their surfaces are those of the present pose
    int tissue_count;
    size_t *triangle_rooms; // of each of them
    int *node_starts;
    cg_vec3 *nodes, *homes; // of all tissues
    size_t node_room, home_room;
    double *values; // of the segments of one thread
    size_t value_room;
    cg_pose present;
    cg_recorded_frame frame; // of it
    double error;            // [m] of its positions
    cg_origin origin;
};

cg_status cg_recording_poses_read_scene(cg_recording_poses *source, cg_scene_error *error);
bool cg_recording_poses_begin_rerun(cg_recording_poses *source, FILE *err);
// As the functions of cg_poses of these names.
void cg_recording_poses_measure(void *context, int thread, cg_pose_measure *measures, int count);
bool cg_recording_poses_forces(void *context, cg_vec3 *on_points, cg_vec3 *on_nodes);

#endif
