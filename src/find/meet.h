// Contacts of tissues with themselves and with each other, and their part in the world's step. docs/touching.md.
//
//     begin      what may touch is listed; surfaces that lie on each other are drawn apart by a hair
//     find       places where surfaces are near; they become rows that reach from point to point, of one tissue or two
//     (tissues that touch predict and finish their step as one island)
//     note       what the rows did: forces
//     limit      the share of the motion that is safe by true distance; tissues go back to it
//
// The law is that of contact with shapes (laws/law.h), between
//   - each node and the nearest place of the surface that it faces, and
//   - two edges, by as much as they are nearer to each other than their ends are to anything.
// Both are functions of the shape alone, so nothing jumps when surfaces slide. Two places face each other when the
// straight way between them leaves both outwards, and the surfaces look at each other: neighbours on a surface do not.
// A sheet has no outside; there, places face each other that were farther apart at home than the thickness.
//
// Thickness. Each node has a share of the thickness of its tissue (tissue/surface.h); a contact counts with the mean of
// its two points. The sides of a fresh cut lie on each other: nodes that are found so are drawn back by a hair and
// begin with as little thickness. So do contacts that a world begins with.
//
// Candidates. Pairs of node and triangle and of two edges that can be near are listed by the trees of spheres, with
// some margin, and stay listed until a node has moved by a part of that margin. All that follows looks at candidates
// alone, by true distance. What is beyond a thickness, or looks the same way, is listed by chance: it depends on when
// the list was made, and in fast motion it counts. So the list is state.
//
// Nothing passes through: the motion of all candidates is walked by true distance. Tissues that are near each other go
// back to the same share of their motion. What stopped them has a row of its own in the next steps, whether it faces or
// not, so that nothing is stopped for ever.
#ifndef CATGUT_FIND_MEET_H
#define CATGUT_FIND_MEET_H

#include "base/archive.h"
#include "collide/walk.h"
#include "geometry/mesh_numbers.h"
#include "rows/row.h"
#include "tissue/surface.h"

// A meet is a row (rows/row.h) of two tissues, which are numbered in order of creation, first <= second. `kind` and
// `items` are its name; its features say where on which triangles the points are.

// What may touch in a step.
typedef struct cg_meet_candidate {
    cg_meet_kind kind; // of the first three
    int items[2];
    double distance;  // [m] at the start of the step
    bool carries;     // there is a meet of it in this step...
    double thickness; // [m] ...which has this thickness
} cg_meet_candidate;

// Most stops that are remembered.
#define CG_MEET_MOST_STOPS 256

// What stopped a motion.
typedef struct cg_meet_stop {
    cg_meet_kind kind;
    int tissues[2];
    int items[2];
    double thickness; // [m] from which on it pushes
} cg_meet_stop;

// The nearest place that a node faces.
typedef struct cg_meet_nearest {
    double distance, rank; // [m] true, and by which it was chosen
    int candidate;
    int held;         // the triangle of its place in the last step; -1: none
    int group, round; // for which this holds
} cg_meet_nearest;

// A tissue, as meeting sees it.
typedef struct cg_meet_body {
    cg_allocator allocator;
    void *memory;
    cg_tissue *tissue;
    cg_tissue_surface *surface;
    bool is_solid; // its surface has an inside

    // state while the set is listed
    bool is_listed; // candidates of its own were listed
    cg_vec3 *since; // per node: where it was when its candidates were listed

    // follows the mesh
    uint64_t version; // of the mesh that the list belongs to
    bool has_twins;   // twins and is_solid belong to it as well
    int *twins;       // per edge: the same edge of the other triangle, or -1
    int twin_count;   // of them
    bool *is_moved;   // per node, while candidates are listed: it has moved so far that its own are listed anew

    // within a step
    cg_vec3 *start;   // per node
    cg_vec3 *moves;   // per node, while a motion is listed
    cg_vec3 *normals; // per node, unit; valid where seen says so
    int *seen;        // per node: the round in which its normal was worked out
    int *drawn;       // per node: the round in which it was drawn back
    cg_meet_nearest *nearest;
    bool is_near; // it has candidates
    int cluster;  // tissues that are near each other, by the first of them
    double share; // of the motion, of the whole cluster
} cg_meet_body;

// Two tissues, or one with itself: its candidates and meets are ranges of those of the set.
typedef struct cg_meet_group {
    struct cg_meet_set *set;
    int tissues[2];
    int first_candidate, candidate_count;
    int first_meet, meet_count;
    cg_tissue_pusher pusher;
} cg_meet_group;

typedef struct cg_meet_set {
    cg_allocator allocator;
    void *memory;
    cg_meet_body **bodies; // in order of creation
    int body_count;
    cg_motion_rule rule;

    cg_triangle_list pairs;
    cg_meet_candidate *candidates, *listed_before;
    int candidate_count, candidate_capacity;
    uint64_t *table;  // of what was looked at, by group, kind and items
    int *table_place; // its candidate, or -1
    int *table_used;  // places of the table that are taken
    int table_size;   // a power of two
    int table_count;
    int table_mask; // of the part of it in use
    uint64_t *keys_moved;
    int *places_moved; // while that part grows
    cg_meet_group *groups, *groups_before;
    int group_count;
    bool is_listed; // candidates are those of the tissues as they are; groups, candidates and margin are state then
    int lost;       // state: found, but there was no room, since the list was made
    int round;      // counts the steps, for `seen`
    double margin;  // of the list, in thicknesses

    cg_touch *meets, *before; // in the order of tissues, kind and items; `meets` are state
    int count, before_count, capacity;
    uint64_t version; // of all meshes together that the meets belong to
    cg_tissue_row *rows;
    int *row_of; // per meet: its row, or -1

    cg_meet_stop *stops; // state
    int stop_count;
} cg_meet_set;

// meet.c
cg_status cg_meet_body_create(cg_tissue *tissue, cg_tissue_surface *surface, const cg_allocator *allocator,
                              cg_meet_body **body);
void cg_meet_body_destroy(cg_meet_body *body);
// For these tissues; the array is copied.
cg_status cg_meet_create(cg_meet_body *const *bodies, int count, const cg_allocator *allocator, cg_meet_set **set);
void cg_meet_destroy(cg_meet_set *set);

// Takes over what is remembered from a set whose tissues were the first of these, in the same order.
void cg_meet_inherit(cg_meet_set *set, const cg_meet_set *old);

// meet_follow.c: edits
// The mesh was edited: thickness and all that has numbers of it follow; `numbers` say what became of them. What the
// edit did not touch stays as it is, and in the next step only what is near to what it did touch is listed anew.
void cg_meet_renumber(cg_meet_set *set, cg_meet_body *body, const cg_mesh_numbers *numbers);

// A mesh was edited, and nobody knows how: meets and stops name what may be gone, and the next step would not look at
// them.
void cg_meet_forget(cg_meet_set *set);

// A tissue goes: all contacts are forgotten, and everything wakes.
void cg_meet_remove(cg_meet_set *set, const cg_meet_body *body);

// The number of all meshes together.
uint64_t cg_meet_version(const cg_meet_set *set);
// Gives meets what they were in the last step; those of tissues that sleep on stay so.
void cg_meet_remember(cg_meet_set *set);
// Brings meets into their order.
void cg_meet_sort(cg_meet_set *set);

// After cg_tissue_begin_step of all, before any predicts: first the one, which may move nodes by a hair, then the
// other.
void cg_meet_begin(cg_meet_set *set);
// True when all tissues sleep.
bool cg_meet_is_asleep(const cg_meet_set *set);

// meet_walk.c: safe motion
// The corners of a candidate at the start of the step, and the way they went.
cg_moving_sides cg_meet_sides(const cg_meet_group *group, const cg_meet_candidate *candidate);
// [m] The distance of a candidate now.
double cg_meet_distance(const cg_meet_group *group, const cg_meet_candidate *candidate);
// [m] The distance of a candidate at home.
double cg_meet_home_distance(const cg_meet_group *group, const cg_meet_candidate *candidate);
// Walks the motion, and takes tissues back to the share that is safe. True when one was stopped.
bool cg_meet_limit(cg_meet_set *set);
// Brings stops into their order.
void cg_meet_sort_stops(cg_meet_set *set);

// meet_state.c
void cg_meet_visit_state(cg_archive *archive, cg_meet_set *set);
// False for what is not there: candidates, meets and stops may come from a file.
bool cg_meet_names_something(const cg_meet_set *set, cg_meet_kind kind, const int tissues[2], const int items[2]);

// meet_list.c: candidates
// Brings the list of candidates up to date, and wakes what is near to something awake.
void cg_meet_list(cg_meet_set *set);
// Lists the candidates that can come near while nodes go from `start` to where they are.
void cg_meet_list_motion(cg_meet_set *set);
// Brings what depends on the mesh alone up to date. A list that does not belong to it is none. `numbers` say what the
// edits since then did; NULL: nobody knows.
void cg_meet_follow_mesh(cg_meet_body *body, const cg_mesh_numbers *numbers);
// The number of an edge, by the lowest of its triangles.
int cg_meet_edge_of(const cg_meet_body *body, int triangle, int corner);
// True for a tissue that has a surface and the implicit solver.
bool cg_meet_can_meet(const cg_meet_body *body);
// Makes a list that was loaded one that can be used, or forgets it.
void cg_meet_take_list(cg_meet_set *set);
// The candidate of this kind and items of a group; -1: none.
int cg_meet_candidate_of(const cg_meet_set *set, int group, cg_meet_kind kind, const int items[2]);

// meet_room.c: thickness of what lies together
// Measures candidates, draws nodes back that lie on a surface, and lets thickness grow. True when a node was drawn.
bool cg_meet_make_room(cg_meet_set *set);

// meet_place.c: places
// Where two items touch, without what was remembered.
cg_touch cg_meet_of(cg_meet_set *set, const cg_meet_group *group, cg_meet_kind kind, const int items[2]);
// The normal of a node in this round.
cg_vec3 cg_meet_node_normal(cg_meet_body *body, int node, int round);
// Works out where candidates touch, and fills `meets`.
void cg_meet_place(cg_meet_set *set);

// The triangle of one side, whose point is the node or edge of an item, or anywhere.
void cg_meet_set_place(cg_touch *meet, int side, int tissue, int triangle);

// The kind of candidate, also of one that stopped a motion.
static inline cg_meet_kind meet_plain_kind(cg_meet_kind kind)
{
    return kind >= CG_MEET_STOPPED_NODE ? kind - CG_MEET_STOPPED_NODE + CG_MEET_NODE : kind;
}

// The side of a node and a triangle that the node is on.
static inline int meet_node_side(cg_meet_kind kind)
{
    return kind == CG_MEET_NODE_BACK || kind == CG_MEET_STOPPED_BACK;
}

static inline const int *meet_triangle(const cg_meet_body *body, int triangle)
{
    return body->tissue->mesh->triangles[triangle].nodes;
}

static inline void meet_edge(const cg_meet_body *body, int edge, int nodes[2])
{
    const int *corners = meet_triangle(body, edge / 3);
    nodes[0] = corners[edge % 3];
    nodes[1] = corners[(edge + 1) % 3];
}

#endif
