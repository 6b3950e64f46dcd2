// The cast: who takes part in the contacts of a world, and where all are in a pass. Owned by the world, which lists
// them when one comes or goes; their places are noted once a pass.
//
// 1. Threads that have a model come last among threads, free bodies last among rigid bodies.
// 2. A thread's `number` is its place in the list.
// 3. Parts are in the order of their bodies; chains are those of the threads and then those of the rods.
#ifndef CATGUT_ROWS_CAST_H
#define CATGUT_ROWS_CAST_H

#include "collide/chains.h"
#include "collide/parts.h"
#include "collide/rod_chains.h"
#include "rigid/rigid.h"
#include "rows/channel.h"
#include "thread/thread.h"

typedef struct cg_skin cg_skin; // find/skin.h

// Most tissues that a world can have.
enum { CG_TOUCH_MOST_SKINS = 64 };

// A part of a rigid body.
typedef struct cg_rigid_place {
    int body, part;
} cg_rigid_place;

// A chain of rods of a free body (find/rods.c).
typedef struct cg_touch_rod {
    int body;         // in the set
    int first_moving; // its first part, among all parts
    int first_point;  // among those of all rods
    bool in_channel;  // of a needle in tissue: it does not touch the mouths of holes
    cg_rod_chain chain;
} cg_touch_rod;

// The end of a thread that is fastened to a rigid body (laws/joint.h).
typedef struct cg_touch_joint {
    int thread, end;
    int rigid;      // in the set
    int first_part; // of that body, among all parts
    cg_vec3 point;  // [m] in its axes, about its centre of mass
} cg_touch_joint;

typedef struct cg_cast {
    cg_thread **threads; // those of this step, those with a model (thread/model.h) last
    int thread_count;
    bool rolling;              // one of them is turned by friction
    bool is_off_skins;         // they touch no tissue here: the world has another law for that (laws/plane.h)
    cg_chain *chains;          // of the threads, and behind them of the rods of free bodies, which tissues meet
    const cg_vec3 **moves;     // of the threads
    cg_vec3 *still;            // no motion at all
    bool *is_near_skin;        // per chain: it may touch a tissue in this step
    unsigned char *all_hidden; // for segments of threads, all CG_AT_HOLE

    cg_rigid **rigids; // owned by the world; those that move freely come last
    int rigid_count, first_free;
    cg_rigid_place *parts; // of all rigid bodies, in their order
    int part_count;
    cg_placed_shape *placed; // per part
    cg_moving_shape *moving;

    cg_touch_rod *rods; // of free bodies
    int rod_count;
    cg_vec3 *rod_points;       // [m] in the axes of their bodies
    cg_vec3 *rod_places;       // [m] in the world
    unsigned char *rod_hidden; // per segment of a rod, at its first point: a cg_hiding

    cg_skin *skins[CG_TOUCH_MOST_SKINS]; // tissues in order of creation, owned by the world
    int skin_count;
    cg_channel *channels;    // CG_MOST_CHANNELS of them, owned by the world; NULL: none
    struct cg_fibre *fibres; // by which threads stick to tissue (laws/fibre.h), owned by the world
    int fibre_count;         // 0 between steps
    cg_touch_joint *joints;
    int joint_count;
} cg_cast;

#endif
