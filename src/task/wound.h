// The wound in the surface of a tissue as a frame of a recording has it.
#ifndef CATGUT_TASK_WOUND_H
#define CATGUT_TASK_WOUND_H

#include "task/task.h"

// Places along a wound where it is looked at.
enum { CG_WOUND_STATIONS = 5 };

// How a wound is at its worst place between two points.
typedef struct cg_wound_state {
    bool is_there;   // lips were found
    double gap;      // [m] widest
    double step;     // [m] highest; -1: not known
    double open_top; // [m] widest between the edges at the top; -1: not known
    bool has_rise;   // the skin beside it was found
    double rise;     // [m] least height of the edges above it
} cg_wound_state;

// The place of a station: from one end to the other.
cg_vec3 cg_wound_station(const cg_goal_stitch *goal, int station);

// [m] from a hole to the nearest edge between skin and wound, in the shape in which the tissue was made; -1 when there
// is no such edge.
double cg_wound_edge_distance(const cg_recorded_surface *surface, const cg_recorded_hole *hole);

// [m2] of the surface that is wound or cut, both sides of it, as the tissue was made.
double cg_wound_area(const cg_recorded_surface *surface);

// The wound of the first tissue in a frame; CG_OUT_OF_MEMORY.
cg_status cg_wound_look(const cg_recorded_frame *frame, const cg_goal_stitch *goal, const cg_allocator *allocator,
                        cg_wound_state *state);
// The same in a world as it is.
cg_wound_state cg_wound_look_at(const cg_world *world, cg_tissue_id tissue, const cg_goal_stitch *goal);

#endif
