// The shapes of threads and tissues over time, wherever they come from: what all exporters read.
#ifndef CATGUT_EXPORT_POSES_H
#define CATGUT_EXPORT_POSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "catgut/hand.h"
#include "catgut/rigid.h"
#include "support/origin.h"
#include "support/polyline.h"

// Whose a part is. Names stay as long as the poses, and are the same pointers in all of them.
typedef struct cg_pose_label {
    const char *owner; // the body, or the hand
    const char *tool;  // that the hand carries; NULL: a body
    int place;         // of the body or hand in its scene, from 0
    int number;        // of the part among those of the body or tool, from 0
} cg_pose_label;

// A hand at one moment.
typedef struct cg_pose_hand {
    const char *name, *tool;
    bool closed;
    cg_transform pose;
    double opening, jaw_forces[2]; // of its jaws, 0 to 1, and [N] from 0; not numbers when it has none
    cg_transform command;          // where it is told to be
    double lag;                    // [m] from there to where it is
    double slip_speed;             // [m/s] of the tissue in its jaws; not a number when it holds none
    cg_vec3 force, torque;         // [N], [N m] of what it holds and touches, on it
} cg_pose_hand;

// All threads at one moment: thread k is points[starts[k]] to points[starts[k + 1] - 1], none when it is not there.
typedef struct cg_pose {
    uint64_t step;
    double time; // [s]
    int thread_count;
    const int *starts; // thread_count + 1 numbers
    const cg_vec3 *points;
    int tissue_count;       // 0: none
    const int *node_starts; // tissue_count + 1 numbers: where the nodes of each tissue begin; none when it is gone
    const cg_vec3 *nodes;   //
    const cg_vec3 *homes;   // of the nodes: where they were made; NULL: not known
    int part_count;         // of rigid bodies and tools
    const cg_rigid_part *parts;
    const cg_pose_label *labels; // of the parts
    int hand_count;
    const cg_pose_hand *hands;
} cg_pose;

// What is known of a vertex of a thread besides its place; what is not is no number.
typedef struct cg_pose_measure {
    double arc;     // [m] along the thread at rest, from its start: stays with a point of the thread
    double strain;  // length over rest length, less 1: mean of the segments that meet there
    double tension; // [N] pull, likewise; negative when pushed
} cg_pose_measure;

// What does not change with time.
typedef struct cg_pose_thread {
    const char *name;
    const char *kind; // "thread", "body", "tool"; NULL: thread
    double radius;    // [m]
    bool is_rod;      // no thread: steel (rods.h)
} cg_pose_thread;

typedef struct cg_pose_triangle {
    int nodes[3]; // counter-clockwise from outside
    int side;     // of the surface, as cg_tissue_side_name calls it
} cg_pose_triangle;

// A tissue: what is connected with what in the pose fetched last; it changes where tissue is cut.
typedef struct cg_pose_tissue {
    const char *name;
    uint64_t version; // while it stays, all of this stays
    int node_count;
    const cg_pose_triangle *triangles;
    int triangle_count;
} cg_pose_tissue;

// A row of poses. Zero-initialise what is not known.
typedef struct cg_poses {
    size_t count;
    int thread_count; // no pose has more
    const cg_pose_thread *threads;
    int tissue_count;
    const cg_pose_tissue *tissues;
    // Fetches a pose, which stays until the next call. Going forward is cheapest. On failure a sentence goes to `err`.
    bool (*fetch)(void *context, size_t index, cg_pose *pose, FILE *err);
    // Forces of contacts [N] on the points of threads and nodes of tissues of the pose fetched last, added to both.
    // False when they are not known. NULL: never.
    bool (*forces)(void *context, cg_vec3 *on_points, cg_vec3 *on_nodes);
    // What is known of the vertices of a thread of the pose fetched last. NULL: nothing.
    void (*measure)(void *context, int thread, cg_pose_measure *measures, int count);
    void *context;
    const cg_origin *origin; // where they come from; NULL: not known
} cg_poses;

// Vertices of a thread; 0 when it is not there.
int cg_pose_vertex_count(const cg_pose *pose, int thread);
// Its points; NULL when it is not there.
const cg_vec3 *cg_pose_points(const cg_pose *pose, int thread);
// What a thread of a pose is called as a kind.
const char *cg_pose_kind(const cg_pose_thread *thread);
// What is known of all vertices of a thread of the pose fetched last; `measures` has room for them.
void cg_pose_measures(const cg_poses *poses, const cg_pose *pose, int thread, cg_pose_measure *measures);
// Nodes of a tissue; NULL when it is not there.
const cg_vec3 *cg_pose_nodes(const cg_pose *pose, int tissue);
// Where pose `place` of `wanted` equally spaced ones out of `count` lies; the first and the last are always among them.
size_t cg_pose_spaced(size_t place, size_t wanted, size_t count);

// Poses at moments, at most.
enum { CG_POSE_MOST_MOMENTS = 64 };

// Every so many poses, or those at some moments; and one thread alone or everything.
typedef struct cg_pose_choice {
    cg_poses all;
    size_t every;
    size_t moments[CG_POSE_MOST_MOMENTS]; // which poses; all of them are taken
    size_t moment_count;                  // 0: every so many
    int thread;                           // -1: all
    int starts[2];
} cg_pose_choice;

// Adds the pose nearest to a time [s] to those chosen. False, with a sentence to `err`, when it cannot be fetched.
bool cg_pose_choice_add(cg_pose_choice *choice, double time, FILE *err);
// The chosen part of choice->all; needs `choice` as long as it is used.
cg_poses cg_poses_choose(cg_pose_choice *choice);

// One pose: threads read from text. The source must stay.
typedef struct cg_polyline_poses {
    const cg_polylines *polylines;
    cg_pose_thread *threads;
    char (*names)[32];
} cg_polyline_poses;

// False when memory ran out.
bool cg_poses_of_polylines(cg_polyline_poses *source, const cg_polylines *polylines, double radius, cg_poses *poses);
void cg_polyline_poses_free(cg_polyline_poses *source);

#endif
