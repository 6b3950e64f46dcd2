// The one kind of row: a place where two bodies are near each other, by whichever solver.
//
// A touch joins a site of each of two bodies (body.h) with the axes, gap, friction and force between them. Its `pair`
// says which bodies, and where on them: kind and number of the body in the chain, and a feature: the segment of a
// thread, part and place of a rigid body (cg_part_feature), triangle and place of a tissue (collide/skin_contacts.h).
// All that tells of contacts, feels them, keeps or renumbers them needs no more than that. There are two solvers, which
// read the rows that are theirs:
//   - the exact problem of an island (touch.h): rows of threads and free rigid bodies with anything;
//   - compliant rows in the matrix of tissues: of tissues with shapes that are led, which have no unknowns
//   (laws/press.h), and
//     of tissues with themselves and each other (laws/meet.h).
// What a solver keeps for itself is in the last part, and differs. Forces and normals are those on side 0.
#ifndef CATGUT_ROWS_ROW_H
#define CATGUT_ROWS_ROW_H

#include "base/vec3.h"
#include "collide/chains.h"
#include "collide/skin_contacts.h"
#include "rows/body.h"

// Corners of a point of tissue, on its surface or inside.
enum { CG_SKIN_CORNERS = 4 };

// What of two tissues touches: a node of the first and a triangle of the second, the other way round, or two edges.
typedef enum cg_meet_kind {
    CG_MEET_NODE,         // node of the first, triangle of the second
    CG_MEET_NODE_BACK,    // node of the second, triangle of the first
    CG_MEET_EDGES,        // edges, as 3 triangle + corner they start from
    CG_MEET_STOPPED_NODE, // the same three, because they stopped a motion
    CG_MEET_STOPPED_BACK,
    CG_MEET_STOPPED_EDGES,
    CG_MEET_KIND_COUNT
} cg_meet_kind;

// What a row is.
typedef enum cg_touch_kind {
    CG_NONE_ROW,
    CG_SELF_ROW,    // contact of a thread with itself
    CG_THREADS_ROW, // of two threads
    CG_RIGID_ROW,   // of a thread with a rigid body
    CG_RIGIDS_ROW,  // of two rigid bodies
    CG_SKIN_ROW,    // of a thread or rigid body with tissue
    CG_JOINT_ROW,   // the end of a thread that is fastened to a rigid body (laws/joint.h)
    CG_GUIDE_ROW,   // a point of tissue stays on the middle line of a needle (laws/guide.h)
    CG_DRAG_ROW,    // and resists its motion through it
    CG_PRESS_ROW,   // compliant: tissue and a shape (laws/press.h)
    CG_MEET_ROW,    // compliant: tissue and tissue (laws/meet.h)
    CG_TOUCH_KINDS
} cg_touch_kind;

typedef struct cg_touch {
    cg_segment_pair pair; // the bodies (body.h) and features of the two sites
    cg_touch_kind kind;
    double fraction[2];   // of the sites
    double weights[2][3]; // of the corners of a triangle, of sites on tissue
    cg_vec3 point[2];     // [m] of the sites
    cg_vec3 axes[3];      // normal and two tangents, unit, across each other; of a compliant row the normal alone
    double radius;        // [m] the length that it is measured by: the radius of its thinner side, or the thickness of
                          // surfaces
    double gap;           // [m] between the surfaces; negative when they overlap
    double friction;      // coefficient
    cg_vec3 force;        // [N] on side 0; on side 1 acts the opposite
    union {
        struct {              // of the exact problem
            double own_give;  // [m/N] of a guide: it gives way by itself, beside what its sides do
            double cap, bias; // [N] of a drag: the most that it bears, beside this force along axis 1
            cg_vec3 drift;    // [m] of side 0 from where it stuck to side 1, up to a bound
            bool working;     // part of the friction problem of this pass, or was when its threads were done
            double missed;    // [radii] how far the gap after this pass is from what its linear equations foresee
        };
        struct {               // of compliant rows (laws/law.h)
            cg_vec3 traction;  // tangential force on side 0 as a share of the normal one
            double part;       // 0 to 1, of the full stiffness
            double growth;     // [1/thickness] how fast that grows as it comes nearer
            double facing;     // 0 to 1: how well they face each other
            cg_meet_kind what; // of two tissues: what touches,
            int items[2];      // node, triangle or edge of each
        };
    };
} cg_touch;

static inline int touch_chain(const cg_touch *touch, int side)
{
    return side == 0 ? touch->pair.chain_a : touch->pair.chain_b;
}

static inline int touch_segment(const cg_touch *touch, int side)
{
    return side == 0 ? touch->pair.segment_a : touch->pair.segment_b;
}

// The number of a side's body if it is of that kind, or -1.
static inline int touch_body(const cg_touch *touch, int side, cg_body_kind kind)
{
    int chain = touch_chain(touch, side);
    return cg_chain_kind(chain) == kind ? cg_chain_body(chain) : -1;
}

static inline int touch_thread(const cg_touch *touch, int side)
{
    return touch_body(touch, side, CG_BODY_THREAD);
}

// The tissue of the second side, or -1.
static inline int touch_skin(const cg_touch *touch)
{
    return touch_body(touch, 1, CG_BODY_TISSUE);
}

static inline cg_site touch_site(const cg_touch *touch, int side)
{
    int chain = touch_chain(touch, side);
    return (cg_site){cg_chain_kind(chain),  cg_chain_body(chain), touch_segment(touch, side),
                     touch->fraction[side], touch->weights[side], touch->point[side]};
}

// The place on tissue of a compliant row.
static inline int touch_tissue(const cg_touch *touch, int side)
{
    return cg_chain_body(touch_chain(touch, side));
}

static inline int touch_triangle(const cg_touch *touch, int side)
{
    return skin_triangle(touch_segment(touch, side));
}

static inline void touch_set_place(cg_touch *touch, int side, int tissue, int feature)
{
    *(side == 0 ? &touch->pair.chain_a : &touch->pair.chain_b) = cg_chain_of(CG_BODY_TISSUE, tissue);
    *(side == 0 ? &touch->pair.segment_a : &touch->pair.segment_b) = feature;
}

// Normal, and two tangents across it.
static inline void touch_set_axes(cg_touch *touch, cg_vec3 normal)
{
    touch->axes[0] = normal;
    touch->axes[1] = v3_any_normal(normal);
    touch->axes[2] = v3_cross(normal, touch->axes[1]);
}

// True when it carries a force.
static inline bool touch_pushes(const cg_touch *touch)
{
    return touch->working && v3_dot(touch->force, touch->axes[0]) > 0;
}

#endif
