// Rigid bodies of a recording, and the tools in its hands, as parts in the world.
#ifndef CATGUT_EXPORT_STEEL_H
#define CATGUT_EXPORT_STEEL_H

#include "catgut/recording.h"
#include "catgut/rigid.h"
#include "catgut/view.h"
#include "export/poses.h"

// Zero-initialise.
typedef struct cg_steel {
    const cg_session *session; // as the scene begins
    cg_session_view *view;
    cg_rigid_part *parts; // those of the bodies first, by place; then those of tools
    int part_count;       // of the moment looked at last
    int room;
    cg_pose_label *labels; // of the parts
    cg_shape *shapes;      // of the parts of bodies
    cg_pose_label *body_labels;
    int body_parts;
    int first_shape;         // place of the first of them among the shapes of the view
    const char **hand_names; // by place
    int hand_places;
    cg_pose_hand *hands; // of the moment looked at last
    int hand_count;
} cg_steel;

// Looks at the bodies that a session begins with. Session and scene must stay. False when memory ran out.
bool cg_steel_open(cg_steel *steel, const cg_session *session, const cg_scene *scene);
// Takes the parts at a moment; bodies of older recordings, which do not hold them, are left out. False when memory ran
// out.
bool cg_steel_look(cg_steel *steel, const cg_recorded_frame *frame);
void cg_steel_close(cg_steel *steel);

#endif
