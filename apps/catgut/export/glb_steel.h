// Bodies and tools in glTF: nodes that turn and go as a whole, so that steel keeps its size at every time. A body is
// one node, of a tool each part is one, since jaws move against shafts.
#ifndef CATGUT_EXPORT_GLB_STEEL_H
#define CATGUT_EXPORT_GLB_STEEL_H

#include "export/poses.h"

// A node, through all key poses.
typedef struct cg_glb_rigid {
    cg_pose_label label;      // of its first part
    char name[200];           //
    bool *there;              // per pose
    cg_transform *poses;      // per pose: of its first part
    size_t first;             // pose in which it is seen first
    size_t vertices, indices; // of its mesh
    size_t base;              // accessor of its positions; normals and indices follow
    size_t times, places;     // accessors of its animation: times of all poses; places, and turns behind them
    size_t shown_times;       // and when it comes and goes, and its scales then; 0: it is there all the time
} cg_glb_rigid;

// Zero-initialise.
typedef struct cg_glb_rigids {
    cg_glb_rigid *items;
    int count, room;
    size_t pose_count;
} cg_glb_rigids;

// Takes the parts of a key pose into account; false when memory ran out.
bool cg_glb_rigids_look(cg_glb_rigids *rigids, const cg_pose *pose, size_t key, size_t pose_count);
void cg_glb_rigids_free(cg_glb_rigids *rigids);
// Whether a part belongs to a node.
bool cg_glb_rigid_has(const cg_glb_rigid *rigid, const cg_pose_label *label);
// Turn and place of a node at a pose, of the last one before or the first one behind where it is not there; turns go
// the short way from one to the next.
cg_transform cg_glb_rigid_at(const cg_glb_rigid *rigid, size_t pose);

#endif
