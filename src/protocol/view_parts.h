// The inside of a view: view.c describes the scene, view_frame.c makes frames, view_told.c follows what a recording
// tells, view_knots.c names knots.
#ifndef CATGUT_PROTOCOL_VIEW_PARTS_H
#define CATGUT_PROTOCOL_VIEW_PARTS_H

#include "catgut/hand.h"
#include "catgut/knot.h"
#include "catgut/view.h"
#include "protocol/view_tissue.h"

// What is kept of one thread.
typedef struct cg_viewed_thread {
    float *floats; // positions, then twist, then tensions; arcs of a topology take their place
    double *work;  // per vertex, for what the world hands out as doubles
    int room;      // vertices
    int vertex_count;
    uint64_t edits;         // of the thread in the world, when it was looked at
    uint64_t state_changes; // of the session, then
    uint32_t topology_version;
    bool changed; // its topology was not told yet
    cg_knot_tracker *tracker;
    int tracker_points;
    cg_knot_report knot;
    bool has_knot;
} cg_viewed_thread;

// Two threads that are tied to each other.
typedef struct cg_viewed_pair {
    unsigned looks;
    bool is_tied;
    cg_knot_report knot;
} cg_viewed_pair;

// Where a shape or hand of a recording was told to be.
typedef struct cg_told_pose {
    bool known, closed, has_tool;
    cg_transform pose;
    cg_hand_tool tool; // of a hand that was told to take one
} cg_told_pose;

// Room for what a message says of a scene.
typedef struct cg_viewed_infos {
    cg_wire_thread_info *threads;
    cg_wire_shape_info *shapes;
    cg_wire_hand_info *hands;
    cg_wire_tissue_info *tissues;
} cg_viewed_infos;

struct cg_session_view {
    cg_allocator allocator;
    const cg_session *session;
    const cg_scene *scene;
    int thread_count, shape_count, hand_count;
    int scene_shape_count;  // of shape_count; behind them come the parts of rigid bodies
    int scene_tissue_count; // that the scene has
    int tissue_count;       // places of tissues
    cg_camera first_camera;
    cg_viewed_thread *threads;
    cg_viewed_pair pair; // of a scene with two threads
    cg_viewed_tissue *tissues;
    cg_viewed_infos infos;
    cg_wire_tissue_state *tissue_states;
    cg_wire_thread_state *thread_states;
    cg_wire_shape_state *shape_states;
    cg_wire_hand_state *hand_states;
    cg_wire_tool_part *tool_parts; // CG_TOOL_MOST_PARTS per hand
    uint32_t *drivers;             // per hand
    cg_told_pose *told_shapes, *told_hands;
    cg_camera told_camera;
    bool has_told_camera;
    cg_wire_contact_state *contacts;
    cg_wire_bite_state *bites;
    cg_wire_torn_state *torn;
    cg_wire_knot_state *knots;
    float stage_seconds[CG_STAGE_COUNT];
};

// Sees to it that a thread has room, and notices when its division changed. False when there is no memory.
bool cg_view_make_room(cg_session_view *view, cg_viewed_thread *thread, int vertex_count, uint64_t edits);
// Looks at the surface of a tissue, if it is there; false when there is no memory for it.
bool cg_view_look_at_surface(cg_session_view *view, int place);
// Parts of rigid bodies are shown as shapes, behind those of the scene. Which of them, or -1: it is none.
int cg_view_find_part(const cg_session_view *view, int place, cg_rigid_part *part);
// What a thread is called in frames; NULL: it was not looked at.
const cg_knot_report *cg_view_knot_of(const cg_session_view *view, int thread);

#endif
