// Where chains (threads) touch a triangle surface that deforms (skin): the narrow phase of thread on tissue, and how
// much of a motion of both is safe (conservative advancement). Knows shapes, not physics.
//
// Places. A vertex alone on a sharp edge is a ball on a knife: it never rests. So there are two kinds, and every place
// counts where the distance is least around it, not the nearest alone, or valleys would flip from side to side:
//   - a vertex of the chain over the inside of a face, or over an edge or a node where the surface is flat;
//   - a segment, at the share t, over an edge or a node that stands out.
// With n the unit vector from the surface to the chain:
//   - Over the surface an edge is least when n . m <= 0 for the directions m from it into both of its triangles, across
//     the edge; a node when n . e <= 0 for all edges e that leave it. What carried a force counts up to n . m = HOLD
//     (CG_SKIN_HOLD): an edge that is nearly flat would come and go with every small motion.
//   - Along the chain t = 0 belongs to the segment before (only a chain's first segment has it), and t = 1 counts
//     only when the next segment leads away from the surface, n . next >= 0. So a straight thread touches an edge at
//     one place, one that is bent over it at two.
//   - Which side is out is told by the sum of the normals around the place. A surface that is not solid (a sheet) has
//     no inside; there both sides are out.
// An edge stands out when its triangles are folded by more than CG_SKIN_FLAT.
//
// Names. A feature is named by one of its triangles and a number, so that forces find their place again in the next
// step. An edge belongs to the triangle that passes it from the lower node to the higher, or to its only one; a node to
// the first of its triangles.
//
// Pairs of segments and triangles are listed with a margin and stay listed until something has moved so far that it is
// used up. All that follows looks at pairs by true distance, so answers do not depend on when the list was made.
#ifndef CATGUT_COLLIDE_SKIN_CONTACTS_H
#define CATGUT_COLLIDE_SKIN_CONTACTS_H

#include "base/arena.h"
#include "collide/chains.h"
#include "collide/safe_motion.h"
#include "collide/sphere_tree.h"

#define CG_SKIN_FLAT 0.02
#define CG_SKIN_HOLD 0.3

// A segment and a triangle that may come near each other.
typedef struct cg_skin_pair {
    int chain, segment, triangle;
    double distance; // [m] when it was listed
} cg_skin_pair;

// How far ahead contacts are found, pairs listed, and how deep a motion may lead is counted in radii, but of no more
// than this [m]: else the shaft of a tool would have all triangles listed for all threads, and sink in by millimetres.
#define CG_SKIN_THICKEST 0.5e-3
static inline double cg_skin_counted(double radius)
{
    return radius < CG_SKIN_THICKEST ? radius : CG_SKIN_THICKEST;
}

// All pairs nearer than radius plus `reach` when they were listed, in the order of (chain, segment, triangle).
typedef struct cg_skin_pairs {
    cg_skin_pair *items;
    int count, capacity;
    int lost;              // found no room; then the list is of no use
    double reach;          // [m]
    cg_triangle_list near; // of one run of segments, while it is looked at
} cg_skin_pairs;

// A surface where it is now. The tree says which triangles there are; its spheres are not looked at.
typedef struct cg_skin_surface {
    const cg_sphere_tree *tree;
    const cg_vec3 *positions; // [m] per node
    bool is_solid;
} cg_skin_surface;

// Numbers of features: 8 triangle + one of these, of a corner or the edge that starts there.
enum { CG_SKIN_EDGE = 0, CG_SKIN_NODE = 3, CG_SKIN_FACE = 6, CG_SKIN_LAST_FACE = 7 };

// Features from here on are no places of the surface, but points inside that others number.
enum { CG_SKIN_DEEP = 1 << 29 };

static inline bool skin_is_deep(int feature)
{
    return feature >= CG_SKIN_DEEP;
}

static inline int skin_triangle(int feature)
{
    return feature / 8;
}

// The same feature of a triangle that has another number now.
static inline int skin_renamed(int feature, int triangle)
{
    return 8 * triangle + feature % 8;
}

// A vertex over a face or a flat place; CG_SKIN_LAST_FACE is that of a chain's last vertex, which shares its segment.
static inline bool skin_is_face(int feature)
{
    return feature % 8 >= CG_SKIN_FACE;
}

typedef struct cg_skin_contact {
    int chain, segment; // a vertex i is (segment i, t 0), the last one (segment count - 2, t 1)
    double t;           // in [0, 1]
    int feature;
    double weights[3]; // of the corners of its triangle
    cg_vec3 point;     // [m] on the axis of the chain
    cg_vec3 surface;   // [m] on the triangle
    cg_vec3 normal;    // unit, from the surface to the chain
    double gap;        // [m] distance less the radius
} cg_skin_contact;

typedef struct cg_skin_contact_list {
    cg_skin_contact *items; // in the order of (chain, segment, feature)
    int count, capacity;
    int lost; // contacts that found no room
} cg_skin_contact_list;

// Says what carried a force.
typedef struct cg_skin_memory {
    bool (*carried)(const void *context, int chain, int segment, int feature);
    const void *context;
} cg_skin_memory;

// The arena may be measuring.
void cg_skin_pairs_layout(cg_skin_pairs *pairs, int capacity, cg_arena *arena);
void cg_skin_contact_list_layout(cg_skin_contact_list *list, int capacity, cg_arena *arena);

// Lists the pairs; the tree must be up to date. False when there is no room for all.
bool cg_skin_list_pairs(const cg_sphere_tree *tree, const cg_chain *chains, int count, double reach,
                        cg_skin_pairs *pairs);

// Segments of a chain that are not those which were listed: `first` to `old_end` - 1 then, `first` to `new_end` - 1
// now. Later ones are the same with other numbers.
typedef struct cg_skin_change {
    int chain, first, old_end, new_end;
} cg_skin_change;

// Brings a list up to date for them; what else is listed stays. They are listed `beyond` [m] farther than the list
// reaches, and as that much nearer: so far may they and the surface be from the places that the list is measured from.
// False when there is no room for all, and the list is of no use.
bool cg_skin_relist_pairs(const cg_sphere_tree *tree, const cg_chain *chains, const cg_skin_change *change,
                          double beyond, cg_skin_pairs *pairs);

// Replaces `found` by the contacts with a gap below `reach` [radii of the chain, as counted]. `moved` [m]: no pair has
// come nearer than this since it was listed. False when there is no room for all.
bool cg_skin_contacts_find(const cg_skin_surface *surface, const cg_chain *chains, const cg_skin_pairs *pairs,
                           double moved, double reach, const cg_skin_memory *memory, cg_skin_contact_list *found);

// A motion of chains and nodes along straight lines; NULL for what stands still.
typedef struct cg_skin_motion {
    const cg_vec3 *const *chain_moves; // [m] per chain, per point
    const cg_vec3 *node_moves;         // [m] per node
    int count;                         // of the chains that are walked, the first ones; 0: all of them
} cg_skin_motion;

typedef struct cg_skin_walk {
    double share; // of the motion that is safe
    int pair;     // that stopped it; -1: none
    int looks;    // distances computed
} cg_skin_walk;

// How far the motion is safe, up to `limit`: the axis of a chain keeps away from every triangle as the rule says, with
// d the radius as counted, beside what there is of the radius beyond that. A chain that is done with the step may have
// no moves at all.
cg_skin_walk cg_skin_walk_pairs(const cg_skin_surface *surface, const cg_chain *chains, const cg_skin_motion *motion,
                                const cg_skin_pairs *pairs, double moved, const cg_motion_rule *rule, double limit);

// The rule that thread and tissue keep: what the tissue does is foreseen by an estimate, so more is allowed than
// between threads.
cg_motion_rule cg_skin_motion_rule(void);

#endif
