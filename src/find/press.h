// Contacts of a tissue with rigid shapes, and their part in the world's step. docs/touching.md has the maths.
//
//     find       triangles that a shape is near or comes near in this step; contact and friction at their closest
//     points
//                become rows of the tissue's own solve (tissue/springs.h), linear in the motion of the step
//     (the tissue predicts and finishes its step with them)
//     note       what the rows did: forces on tissue and shapes
//     walk       the share of the motion of tissue and shapes that is safe by true distance
//
// The surface has a thickness d. The force of a contact at the distance D from the shape rises from 0 at d without
// bound towards 0:
//
//     N = k d (d/D - 1),   D < d.
//
// It is a function of the shape alone and needs no memory, so a probe that slides from triangle to triangle feels no
// jump. Friction remembers the traction, the tangential force as a share of N: a spring while it sticks, mu while it
// slides.
#ifndef CATGUT_FIND_PRESS_H
#define CATGUT_FIND_PRESS_H

#include "base/archive.h"
#include "collide/surface_contacts.h"
#include "geometry/mesh_numbers.h"
#include "rows/row.h"
#include "tissue/surface.h"

// A press is a row (rows/row.h) whose first side is the tissue, and the second a shape, as a rigid body by its number
// in order of creation. Its place on a triangle is a node, or a face: its middle, and its closest point behind that.
enum { CG_PRESS_MIDDLE = CG_SKIN_FACE, CG_PRESS_CLOSEST = CG_SKIN_LAST_FACE };

static inline int press_shape(const cg_touch *press)
{
    return cg_chain_body(press->pair.chain_b);
}

// Presses are in this order.
static inline uint64_t press_order(const cg_touch *press)
{
    return (uint64_t)press_shape(press) << 40 | (uint64_t)press->pair.segment_a;
}

// Where a point of a shape goes.
static inline cg_vec3 press_carried(const cg_moving_shape *shape, cg_vec3 point)
{
    return transform_point(shape->after, transform_point_back(shape->before, point));
}

// The shapes of a step. All arrays in order of creation.
typedef struct cg_press_shapes {
    cg_moving_shape *moving;
    double *friction; // coefficients
    double *way;      // share of the way that a shape may go in this step
    int count;
} cg_press_shapes;

typedef struct cg_press_set {
    cg_allocator allocator;
    void *memory;
    cg_tissue *tissue;
    int number;                 // of the tissue, in order of creation
    cg_tissue_surface *surface; // its own, of which all who touch it know
    cg_motion_rule rule;

    const cg_press_shapes *shapes; // within a step
    cg_surface_contact_list found;
    double reach; // [m] how far nodes may go in a step before `found` lacks something
    cg_touch *presses, *before;
    int count, before_count; // `presses` are state
    uint64_t version;        // of the mesh that the presses belong to
    cg_tissue_row *rows;     // one a press
    cg_tissue_pusher pusher; // of the step
    cg_mesh_numbers numbers; // what became of nodes and triangles, for all who keep them
    int *marks;              // per node: the last shape that it was looked at for
    cg_vec3 *start, *moves;  // per node of what was found: where it was at the start of the step, and how far it went
    bool is_near;            // something was found in this step
} cg_press_set;

// How near things may come in a step.
cg_motion_rule cg_press_rule(void);
// Takes memory for a tissue and its surface, which stays that of its owner.
cg_status cg_press_create(cg_tissue *tissue, cg_tissue_surface *surface, const cg_allocator *allocator,
                          cg_press_set **set);
void cg_press_destroy(cg_press_set *set);
void cg_press_visit_state(cg_archive *archive, cg_press_set *set);
// Whether the contacts of a state that was loaded name triangles and shapes that are there.
bool cg_press_is_sound(const cg_press_set *set, int shape_count);
// The sites of a press: shape, and place of the surface.
cg_segment_pair cg_press_pair(const cg_press_set *set, int shape, int feature);
// Tissues have come or gone: this one has another number among them.
void cg_press_renumber_tissue(cg_press_set *set, int number);
// Forgets all contacts: shapes have come or gone.
void cg_press_forget(cg_press_set *set);
// The mesh was edited since `from`: contacts of what the edits did not touch stay as they are, those of the rest are
// forgotten. Works out `numbers`, for others as well; false when nothing can be kept.
bool cg_press_follow_edits(cg_press_set *set, uint64_t from, bool is_lost);

// Where the tissue and shapes touch in this step; true when anything is near. Lowers the way of shapes that would press
// too far in one step.
bool cg_press_look(cg_press_set *set, const cg_press_shapes *shapes);
// Walks the motion, and lowers the way of shapes that are stopped. Returns the share that is safe.
double cg_press_walk(cg_press_set *set, const cg_press_shapes *shapes);

#endif
