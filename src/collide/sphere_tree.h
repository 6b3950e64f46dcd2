// A tree of spheres over the triangles of a surface that deforms, after Brown et al., "Real-Time Simulation of
// Deformable Objects", section 3: which triangles are near a point, a segment, a capsule, a box, another surface or the
// surface itself.
//
// Places are numbered as in a heap: sphere 1 is the root, sphere n has the children 2 n and 2 n + 1, and slot s of
// slot_count (a power of two) is sphere slot_count + s. A slot holds one triangle or none. So there are no pointers,
// all leaves have the same depth, and a list of leaves becomes the list of their parents by halving its numbers.
//   - A leaf is the smallest sphere around its triangle; every other sphere is the smallest around its two children. A
//     sphere without a triangle below it has a centre that is not a number: it is near nothing, by any comparison.
//   - Built by halving: the longest side of the box around the centres, at the median, until one is left. Slots that
//     stay free are spread evenly, so that triangles which are added later find room nearby.
//   - Kept up lazily: only leaves that are marked, and what is above them, each sphere once, level by level.
//   - An edit puts a triangle into the free slot where the spheres grow least, or empties one. When the spheres have
//     become large for their triangles (see cg_sphere_tree_tidy) the tree is built anew, in portions if need be.
// What must hold between calls (the tests check it):
//   1. slot_of and triangle_of name each other; used[n] counts the triangles below sphere n.
//   2. A leaf encloses the `fitted` places of its corners, unless it is marked; a sphere encloses its children, unless
//      something below it is marked.
//   3. A node is never farther than `slack` from its fitted place once the marks were set: queries reach that much
//      farther, and small motions cost nothing.
//
// The last word on a triangle is always its true distance, so answers do not depend on the shape of the tree: they are
// those of a loop over all triangles, sorted by number. A triangle with a corner that is not finite is near nothing.
//
// With a motion (cg_sphere_tree_set_moves) every node i goes from x to x + dx along a straight line, and what is found
// is all that can come near on the way: distance now, less the largest relative displacement of any two of the corners
// concerned, within the margin. Common motion costs nothing.
#ifndef CATGUT_COLLIDE_SPHERE_TREE_H
#define CATGUT_COLLIDE_SPHERE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/transform.h"
#include "geometry/mesh.h"

typedef struct cg_tree_sphere {
    cg_vec3 centre; // [m] not a number: nothing here
    double radius;  // [m]
} cg_tree_sphere;

// Around unit normals or places of triangles, in single precision and no smaller for it; low above high: there are
// none.
typedef struct cg_tree_box {
    float low[3], high[3];
} cg_tree_box;

// Triangles in any array whose items begin with three numbers of nodes.
typedef struct cg_triangle_source {
    const void *triangles;
    size_t stride; // bytes from one triangle to the next
    int count;
    const cg_vec3 *positions; // [m] of each node
    int node_count;
} cg_triangle_source;

struct cg_tree_plan;

typedef struct cg_sphere_tree {
    int node_capacity, triangle_capacity, slot_capacity;
    int node_count, triangle_count, slot_count;
    double slack; // [m] at least 0; may be made larger at any time, smaller before cg_sphere_tree_build

    int (*corners)[3]; // per triangle: its nodes
    int *slot_of;      // per triangle
    int *triangle_of;  // per slot; -1: free
    int *used;         // per sphere
    cg_tree_sphere *spheres;
    cg_tree_box *normals; // per sphere; NULL: not kept. All there are where triangles are so thin that the slack can
                          // turn them about
    cg_tree_box *boxes;   // [m] per sphere, around fitted places, kept where normals are
    bool *is_asked;       // per sphere, of cg_sphere_tree_ask; NULL: not kept
    bool asks_some;       // it counts

    cg_vec3 *fitted;                 // [m] per node: where the spheres believe it to be
    int *first_corner, *next_corner; // lists of the corners (3 triangle + k) at a node; -1 ends them
    int *marked;                     // leaves to be fitted anew
    bool *is_marked;                 // per sphere
    int marked_count;
    bool is_all_marked;
    bool is_marked_exactly, is_exact; // every node that has moved at all: to be fitted, and in the last update

    const cg_vec3 *positions; // [m] of the last update
    const cg_vec3 *moves;     // [m] NULL: no motion
    cg_vec3 mean_move;
    double *spread; // [m] per sphere: how far the displacements below it are from the mean at most

    double leaf_area, inner_area; // [m^2] sums of squared radii
    double built_ratio;           // inner_area / leaf_area when it was built
    uint64_t seen_version, seen_edits;
    struct cg_tree_plan *plan; // of a build in portions

    // Counters, ever.
    long refitted; // spheres
    int builds;    // all kinds
} cg_sphere_tree;

// Lays out a tree for up to `max_nodes` nodes and `max_triangles` triangles (1 or more). The arena may be measuring.
void cg_sphere_tree_layout(cg_sphere_tree *tree, int max_nodes, int max_triangles, cg_arena *arena);

// To be called after it for trees that are asked with cg_sphere_tree_find_facing.
void cg_sphere_tree_layout_normals(cg_sphere_tree *tree, cg_arena *arena);

// Builds the tree over all triangles. The positions are kept by address until the next build or update. False, and the
// tree is empty, when they do not fit or name nodes that are not there.
bool cg_sphere_tree_build(cg_sphere_tree *tree, const cg_triangle_source *source);
// The same over the surface of a mesh, from where cg_sphere_tree_follow goes on.
bool cg_sphere_tree_build_mesh(cg_sphere_tree *tree, const cg_mesh *mesh);

// Says that a node has moved.
void cg_sphere_tree_mark_node(cg_sphere_tree *tree, int node, cg_vec3 position);
// Looks at all nodes and marks those that have moved farther than the slack. Returns how many.
int cg_sphere_tree_mark_moved(cg_sphere_tree *tree, const cg_vec3 *positions);
// The same for nodes `first` to `end` - 1 alone, for who knows that others have not. Returns how far [m] those that
// were not marked are from where the spheres believe them to be.
double cg_sphere_tree_mark_moved_of(cg_sphere_tree *tree, const cg_vec3 *positions, int first, int end);
// Fits the spheres around what is marked. To be called before queries; the positions are kept by address. Returns the
// number of spheres fitted.
int cg_sphere_tree_update(cg_sphere_tree *tree, const cg_vec3 *positions);
// Displacements of the nodes in the motion to come, kept by address; NULL ends it. After update: the next update
// forgets them.
void cg_sphere_tree_set_moves(cg_sphere_tree *tree, const cg_vec3 *moves);

// After edits and motion of the mesh: follows its log, marks what has moved, updates. A log that has forgotten what was
// not yet read leads to a build. False, and the tree is empty, when the mesh no longer fits.
bool cg_sphere_tree_follow(cg_sphere_tree *tree, const cg_mesh *mesh);
// True when there are no edits to follow.
bool cg_sphere_tree_has_seen(const cg_sphere_tree *tree, const cg_mesh *mesh);

// To be called between steps, after the update: when the squared radii of inner spheres have grown to more than
// CG_TREE_WORN times what they were, beside those of the leaves, the tree is built anew, at most about `budget`
// triangles in one call, or the whole at the first cut if that is more. The old tree goes on serving until the new one
// is there; then one call fits all spheres. Returns the number of triangles looked at, 0 when nothing had to be done.
int cg_sphere_tree_tidy(cg_sphere_tree *tree, int budget);
#define CG_TREE_WORN 1.5

// Queries

// A triangle of the first tree, and one of the second, or -1.
typedef struct cg_triangle_pair {
    int a, b;
} cg_triangle_pair;

// What was found, in the order of (a, b).
typedef struct cg_triangle_list {
    cg_triangle_pair *items;
    int count;
    int capacity;
    int lost;       // found, but there was no room; 0 when all is well
    long spheres;   // spheres, or pairs of them, that were compared
    long distances; // true distances computed
} cg_triangle_list;

void cg_triangle_list_layout(cg_triangle_list *list, int capacity, cg_arena *arena);

// All pairs nearer than `margin` [m], at least 0. `pose` is where the second tree stands in the axes of the first; NULL
// for the same axes. False when the list is too small.
bool cg_sphere_tree_find_pairs(const cg_sphere_tree *a, const cg_sphere_tree *b, const cg_transform *pose,
                               double margin, cg_triangle_list *found);
// Pairs of one tree that share no node, a < b.
bool cg_sphere_tree_find_own_pairs(const cg_sphere_tree *tree, double margin, cg_triangle_list *found);
// Pairs that may be nearer than `margin`, of two trees or, when both are the same, of one; those that share a node only
// where the surface is folded there. Quicker than the above and less exact: a pair may be a little farther. Pairs whose
// normals have a product above CG_TREE_ALIKE, give or take what the slack can turn them, do not face each other and
// count only when they are nearer than `alike`, which is at most the margin.
bool cg_sphere_tree_find_facing(const cg_sphere_tree *a, const cg_sphere_tree *b, double margin, double alike,
                                cg_triangle_list *found);
// From now on it finds only pairs with a triangle that has one of these nodes, in one of the trees; NULL: all again.
void cg_sphere_tree_ask(cg_sphere_tree *tree, const bool *nodes);
#define CG_TREE_ALIKE 0.4
// A surface counts as folded between two triangles whose normals have a product below this: right angles do not.
#define CG_TREE_FOLDED -0.2
// The first pair that has a point in common, in the order of the walk; motions do not count. `compared` (may be NULL)
// gets the number of pairs of spheres compared.
bool cg_sphere_tree_find_hit(const cg_sphere_tree *a, const cg_sphere_tree *b, const cg_transform *pose,
                             cg_triangle_pair *hit, long *compared);
// All triangles nearer than `reach` to the segment between two ends; equal ends are a point; with the radius in the
// reach it is a capsule. `moves` are the displacements of the ends, NULL for none.
bool cg_sphere_tree_find_near(const cg_sphere_tree *tree, const cg_vec3 ends[2], const cg_vec3 *moves, double reach,
                              cg_triangle_list *found);
// All triangles whose own box (over the motion) has a point in common with this one.
bool cg_sphere_tree_find_in_box(const cg_sphere_tree *tree, cg_vec3 low, cg_vec3 high, cg_triangle_list *found);

// Anything else: `may_be_near` must be true of every sphere with a wanted triangle in it, after its triangles have
// moved by the mean displacement of the tree and up to `spread` [m] besides, and up to the slack farther than it shows;
// `is_near` is the last word on a triangle.
typedef struct cg_tree_question {
    bool (*may_be_near)(void *context, const cg_tree_sphere *sphere, double spread);
    bool (*is_near)(void *context, int triangle);
    void *context;
} cg_tree_question;

bool cg_sphere_tree_find(const cg_sphere_tree *tree, const cg_tree_question *question, cg_triangle_list *found);

// The corners of a triangle where they are now.
static inline void tree_triangle(const cg_sphere_tree *tree, int triangle, cg_vec3 corners[3])
{
    for (int k = 0; k < 3; k++) {
        corners[k] = tree->positions[tree->corners[triangle][k]];
    }
}

static inline bool sphere_is_empty(const cg_tree_sphere *sphere)
{
    return sphere->centre.x != sphere->centre.x;
}

#endif
